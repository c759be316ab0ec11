//! The cursor of the chunk view.

use super::{ChunksLayout, ChunksPage, DumpRows};
use crate::{
    app::{
        action::{Direction, Motion},
        layout::Size,
    },
    zarr::codec::ByteTarget,
};

impl ChunksPage {
    /// Moves the cursor over the dump.
    pub fn moved(&mut self, motion: Motion, count: Option<u64>, size: Size) {
        let layout = self.layout(size);
        let Some(rows) = self.rows(layout.width.into()) else { return };
        let unit = rows.unit_at(self.cursor);
        let page = i64::from(layout.dump.max(1));
        let by = |n: i64| by_lines(&rows, unit, n);
        let many = count.and_then(|n| i64::try_from(n).ok()).unwrap_or(1);
        let column = unit % rows.per_row;
        let to = match motion {
            Motion::Left => unit.saturating_sub(many.unsigned_abs()),
            Motion::Right => unit.saturating_add(many.unsigned_abs()),
            Motion::Up => by(-many),
            Motion::Down => by(many),
            Motion::PageUp => by(-page),
            Motion::PageDown => by(page),
            Motion::HalfUp => by(-page / 2),
            Motion::HalfDown => by(page / 2),
            Motion::First => count.unwrap_or(0),
            Motion::Last => count.unwrap_or(u64::MAX),
            Motion::RowStart => unit - column,
            Motion::RowEnd => (unit - column).saturating_add(rows.per_row - 1),
        };
        let cursor = rows.bytes_of(to.min(rows.len.saturating_sub(1))).start;
        self.place(cursor);
        self.follow(layout);
    }

    /// Opens the fold that the cursor is in; false where there is none.
    pub fn unfold(&mut self, size: Size) -> bool {
        let width = self.layout(size).width;
        let Some(rows) = self.rows(width.into()) else { return false };
        let unit = rows.unit_at(self.cursor);
        let folds = rows.folds(unit);
        if folds {
            self.unfolded = Some(unit);
        }
        folds
    }

    /// Puts the cursor on byte `offset` of the stage.
    pub fn place(&mut self, offset: u64) {
        (self.cursor, self.anchor, self.covers) = (offset, None, None);
    }

    /// Moves the window of the dump so that the cursor is in sight.
    pub fn follow(&mut self, layout: ChunksLayout) {
        if let Some(rows) = self.rows(layout.width.into()) {
            let row = rows.row_of(rows.unit_at(self.cursor));
            self.top = rows.top_for(row, self.top, layout.dump.into());
        }
    }

    /// Moves the window so that the cursor is in its middle.
    pub fn centre(&mut self, size: Size) {
        let layout = self.layout(size);
        if let Some(rows) = self.rows(layout.width.into()) {
            let row = rows.row_of(rows.unit_at(self.cursor));
            self.top = rows.line_after(row, -i64::from(layout.dump / 2));
        }
    }

    /// Moves the window by `by` lines; the cursor follows where it would leave it.
    pub fn wheeled(&mut self, by: i8, size: Size) {
        let layout = self.layout(size);
        let Some(rows) = self.rows(layout.width.into()) else { return };
        let height = i64::from(layout.dump.max(1));
        let last = rows.line_after(rows.count().saturating_sub(1), 1 - height);
        let top = rows.line_after(self.top, by.into()).min(last);
        let bottom = rows.line_after(top, height - 1);
        let unit = rows.unit_at(self.cursor);
        let row = rows.line_start(rows.row_of(unit));
        let to = row.clamp(top, bottom.max(top)) * rows.per_row + unit % rows.per_row;
        let cursor = rows.bytes_of(to.min(rows.len.saturating_sub(1))).start;
        self.top = top;
        if row < top || row > bottom {
            self.place(cursor);
        }
    }

    /// Lets hex follow the next or the previous stage; the cursor goes along as far as it can be followed.
    pub fn to_stage(&mut self, way: Direction) {
        let to = match way {
            Direction::Next => self.stage + 1,
            Direction::Previous => self.stage.saturating_sub(1),
        };
        self.choose_stage(to);
    }

    /// Lets hex follow stage `to`.
    pub fn choose_stage(&mut self, to: usize) {
        let Some(shown) = self.shown().cloned() else { return };
        if to == self.stage || shown.data(to).is_none() {
            return;
        }
        match shown.chunk.follow(self.stage, ByteTarget::Exact(self.cursor), to) {
            ByteTarget::Exact(offset) => self.place(offset),
            ByteTarget::Range(range) => {
                self.place(range.start);
                self.covers = Some(range);
            }
            ByteTarget::Nothing => self.place(0),
        }
        self.stage = to;
        (self.top, self.unfolded) = (0, None);
    }

    /// Moves over the map: the coordinates of the chunk that is then on show.
    #[must_use]
    pub fn map_moved(&self, motion: Motion, count: Option<u64>) -> Vec<u64> {
        let (down, across) = self.axes;
        let many = i64::try_from(count.unwrap_or(1)).unwrap_or(1);
        let (axis, by) = match motion {
            Motion::Up => (down, -many),
            Motion::Down => (down, many),
            Motion::Left => (across, -many),
            Motion::Right => (across, many),
            Motion::PageUp | Motion::HalfUp => (down, -10),
            Motion::PageDown | Motion::HalfDown => (down, 10),
            Motion::RowStart => (across, i64::MIN),
            Motion::RowEnd => (across, i64::MAX),
            Motion::First => return vec![0; self.counts.len()],
            Motion::Last => return self.counts.iter().map(|n| n.saturating_sub(1)).collect(),
        };
        let mut at = self.id.coordinates.clone();
        if let (Some(place), Some(count)) = (at.get_mut(axis), self.counts.get(axis)) {
            *place = place.saturating_add_signed(by).min(count.saturating_sub(1));
        }
        at
    }
}

/// The unit `by` lines below (or above) `unit`, in the same column.
fn by_lines(rows: &DumpRows<'_>, unit: u64, by: i64) -> u64 {
    let row = rows.line_after(rows.row_of(unit), by);
    row * rows.per_row + unit % rows.per_row
}
