//! The picture's own keys, and its cursor.

use crate::app::{
    App, View,
    action::{Motion, PictureAction},
};

impl App {
    pub(in crate::app) fn act_on_picture(&mut self, action: PictureAction) {
        let shape = self.chunks.shown().map(|shown| shown.chunk.shape.clone()).unwrap_or_default();
        self.picture.act(action, &shape);
    }

    pub(in crate::app) fn moved_in_picture(&mut self, motion: Motion, count: Option<u64>) {
        let Some(shape) = self.chunks.shown().map(|shown| shown.chunk.shape.clone()) else {
            return;
        };
        let (down, across) = self.picture.drawn(shape.len());
        let many = count.unwrap_or(1);
        let len = |axis: usize| shape.get(axis).copied().unwrap_or(1);
        let (y, x) = &mut self.picture.cursor;
        match motion {
            Motion::Up => *y = y.saturating_sub(many),
            Motion::Down => *y = y.saturating_add(many),
            Motion::PageUp | Motion::HalfUp => *y = y.saturating_sub(10),
            Motion::PageDown | Motion::HalfDown => *y = y.saturating_add(10),
            Motion::Left => *x = x.saturating_sub(many),
            Motion::Right => *x = x.saturating_add(many),
            Motion::RowStart => *x = 0,
            Motion::RowEnd => *x = u64::MAX,
            Motion::First => (*y, *x) = (0, 0),
            Motion::Last => (*y, *x) = (u64::MAX, u64::MAX),
        }
        *y = (*y).min(if down == across { 0 } else { len(down).saturating_sub(1) });
        *x = (*x).min(len(across).saturating_sub(1));
    }

    /// The coordinates in the chunk of the element under the picture's cursor.
    #[must_use]
    pub fn pictured(&self) -> Option<Vec<u64>> {
        self.picture.element(&self.chunks.shown()?.chunk.shape)
    }

    /// Enter in the picture: the element in hex and values.
    pub(in crate::app) fn open_pictured(&mut self) {
        let Some(at) = self.pictured() else { return };
        let Some(shown) = self.chunks.shown().cloned() else { return };
        let Some(elements) = shown.chunk.elements() else { return };
        self.remember();
        self.chunks.stage = shown.last();
        self.chunks.place(elements.byte_range(elements.position(&at)).start);
        self.view = View::Chunks;
    }
}
