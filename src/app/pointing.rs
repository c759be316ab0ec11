//! What the mouse does.

use super::{
    App, Focus, Geometry, Overlay, Scroll, View,
    action::{Direction, Motion, PictureAction, Pointer, Spot},
    chunks::{
        ChunksLayout, DumpLine,
        layout::{MAP_FRAME, MAP_MARGIN},
    },
    moving,
};

impl App {
    pub(super) fn pointed(&mut self, pointer: Pointer, geometry: &Geometry) {
        if self.overlay.is_some() {
            return self.pointed_on_overlay(pointer, geometry);
        }
        match pointer {
            Pointer::Click(Spot::Title(view)) => self.choose_view(view),
            Pointer::Click(Spot::Tree { row, column }) => self.clicked_tree(row, column, geometry),
            Pointer::Click(Spot::View { row, column }) => {
                self.focus = Focus::View;
                self.clicked_view(row, column, geometry);
            }
            Pointer::Wheel(Spot::Tree { .. }, by) => {
                let (len, height) = (self.tree.len(), geometry.tree.rows());
                self.tree.scroll = self.tree.scroll.wheeled(by.into(), len, height);
            }
            Pointer::Wheel(Spot::View { .. }, by) => self.wheeled_view(by, geometry),
            Pointer::Drag(Spot::View { row, column }) => self.dragged(row, column, geometry),
            Pointer::Click(Spot::Over { .. })
            | Pointer::Drag(_)
            | Pointer::Wheel(Spot::Title(_) | Spot::Over { .. }, _) => {}
        }
    }

    /// The wheel turns what lies on top; a click takes a row of the finder or the gallery, and a second one opens it.
    fn pointed_on_overlay(&mut self, pointer: Pointer, geometry: &Geometry) {
        if let Pointer::Click(Spot::Over { row }) = pointer {
            return self.clicked_overlay(row.into(), geometry);
        }
        let Pointer::Wheel(_, by) = pointer else { return };
        let motion = if by > 0 { Motion::Down } else { Motion::Up };
        for _ in 0..by.unsigned_abs() {
            self.act_again(super::Action::Move(motion), geometry);
        }
    }

    fn clicked_overlay(&mut self, row: usize, geometry: &Geometry) {
        match &mut self.overlay {
            Some(Overlay::Finder(finder)) => {
                // The line that is typed and a blank one are above the list.
                let height = geometry.whole.rows().saturating_sub(2);
                let at = row.checked_sub(2).map(|row| finder.scroll.visible(height).start + row);
                let Some(at) = at.filter(|&at| at < finder.counts().0) else { return };
                let again = finder.scroll.cursor() == at;
                finder.scroll = finder.scroll.on(at);
                if again {
                    self.submit(geometry);
                }
            }
            Some(Overlay::Gallery) => self.gallery.clicked(row, geometry.whole),
            _ => {}
        }
    }

    fn clicked_tree(&mut self, row: u16, column: u16, geometry: &Geometry) {
        self.focus = Focus::Tree;
        let at = self.tree.scroll.visible(geometry.tree.rows()).start + usize::from(row);
        if at >= self.tree.len() {
            return;
        }
        let again = at == self.tree.scroll.cursor();
        self.tree.scroll = self.tree.scroll.on(at);
        let depth = self.tree.selected().map_or(0, |row| row.depth);
        let mark = depth * 2 + 1..depth * 2 + 3;
        if again || mark.contains(&usize::from(column)) {
            self.toggle_branch();
        }
    }

    fn clicked_view(&mut self, row: u16, column: u16, geometry: &Geometry) {
        let row = usize::from(row);
        match self.view {
            View::DataType => {
                let at = self.data_type.layout(geometry.view).row_at(row);
                if select(&mut self.data_type.scroll, at) {
                    self.explain();
                }
            }
            View::Chunks => self.clicked_chunks(row, column, geometry),
            View::Picture => {
                let pictured = self.picture.pictured.ready();
                let row = u16::try_from(row).unwrap_or(u16::MAX);
                let at = pictured.and_then(|it| it.element_at(geometry.view, row, column));
                self.point_at_element(at);
            }
            View::Metadata => {
                let height = geometry.view.rows().saturating_sub(super::copying::METADATA_FRAME);
                let at = row_at(self.metadata.scroll, row, height, self.metadata.len());
                if select(&mut self.metadata.scroll, at) {
                    self.metadata.act(super::action::MetadataAction::Fold, height);
                }
            }
            View::Problems => {
                let height = super::problems::list_rows(geometry.view);
                let at = row_at(self.problems.scroll, row, height, self.problems.len());
                if select(&mut self.problems.scroll, at) && !self.problems.fold() {
                    self.open(geometry);
                }
            }
        }
    }

    fn clicked_chunks(&mut self, row: usize, column: u16, geometry: &Geometry) {
        let layout = self.chunks.layout(geometry.view);
        let map = usize::from(layout.title)..usize::from(layout.title + layout.map);
        if map.contains(&row) {
            return self.clicked_map(row - map.start, column, layout);
        }
        if row == map.end {
            return self.clicked_strip(column);
        }
        if let Some(offset) = self.byte_at(row, column, geometry) {
            self.chunks.place(offset);
        }
    }

    fn clicked_map(&mut self, row: usize, column: u16, layout: ChunksLayout) {
        let window = self.chunks.map_window(
            layout.map.saturating_sub(MAP_FRAME),
            layout.width.saturating_sub(MAP_MARGIN),
        );
        let Some(down) = (row as u64).checked_sub(2).filter(|&row| row < window.rows) else {
            return;
        };
        let Some(across) = column.checked_sub(MAP_MARGIN).map(|x| u64::from(x / window.cell))
        else {
            return;
        };
        if across < window.columns {
            self.focus = Focus::Map;
            let to = self.chunks.map_coordinates(window.down + down, window.across + across);
            self.go_to_coordinates(to);
        }
    }

    /// A click on a stage of the strip lets hex follow it.
    fn clicked_strip(&mut self, column: u16) {
        let Some(shown) = self.chunks.shown() else { return };
        let spans = super::chunks::strip::spans(shown, self.chunks.stage);
        let at = spans.iter().find(|span| span.columns.contains(&usize::from(column)));
        if let Some(stage) = at.and_then(|span| span.stage) {
            self.chunks.choose_stage(stage);
        }
    }

    /// The byte of the dump at a row and column of the view.
    fn byte_at(&self, row: usize, column: u16, geometry: &Geometry) -> Option<u64> {
        let layout = self.chunks.layout(geometry.view);
        let rows = self.chunks.rows(layout.width.into())?;
        let line = row.checked_sub(layout.dump_start().into())?;
        let lines = rows.lines(self.chunks.top, layout.dump.into());
        let (DumpLine::Row(units) | DumpLine::Fold(_, units)) = lines.get(line)?;
        let unit = units.start + rows.unit_in_column(column.into());
        Some(rows.bytes_of(unit.min(units.end.saturating_sub(1))).start)
    }

    fn dragged(&mut self, row: u16, column: u16, geometry: &Geometry) {
        if self.view != View::Chunks {
            return;
        }
        if let Some(offset) = self.byte_at(row.into(), column, geometry) {
            let anchor = self.chunks.anchor.unwrap_or(self.chunks.cursor);
            self.chunks.place(offset);
            self.chunks.anchor = (anchor != offset).then_some(anchor);
        }
    }

    fn wheeled_view(&mut self, by: i8, geometry: &Geometry) {
        let height = geometry.view.rows();
        let wheel =
            |scroll: Scroll, len: usize, height: usize| scroll.wheeled(by.into(), len, height);
        match self.view {
            View::DataType => {
                let motion = if by > 0 { Motion::Down } else { Motion::Up };
                let len = self.data_type.rows().len();
                self.data_type.scroll =
                    moving::list(self.data_type.scroll, motion, None, len, height);
            }
            View::Chunks => self.chunks.wheeled(by, geometry.view),
            View::Picture => {
                let way = if by > 0 { Direction::Next } else { Direction::Previous };
                self.act_on_picture(PictureAction::Index(way));
            }
            View::Metadata => {
                let height = height.saturating_sub(super::copying::METADATA_FRAME);
                self.metadata.scroll = wheel(self.metadata.scroll, self.metadata.len(), height);
            }
            View::Problems => {
                let height = super::problems::list_rows(geometry.view);
                self.problems.scroll = wheel(self.problems.scroll, self.problems.len(), height);
            }
        }
    }
}

/// The row of a list of `len`, of which `height` are in sight, that stands in row `row` of a view with two lines above
/// its list.
fn row_at(scroll: Scroll, row: usize, height: usize, len: usize) -> Option<usize> {
    let at = scroll.visible(height).start + row.checked_sub(2)?;
    (at < len).then_some(at)
}

/// Puts the cursor there; whether it stood there already.
fn select(scroll: &mut Scroll, at: Option<usize>) -> bool {
    let Some(at) = at else { return false };
    let again = scroll.cursor() == at;
    *scroll = scroll.on(at);
    again
}
