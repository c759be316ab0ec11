//! The cursor of the chunk view.

use super::ChunksPage;
use crate::app::{
    action::Motion,
    current_chunk::CurrentChunk,
    layout::{ChunksLayout, DumpRows, Size},
};

impl ChunksPage {
    /// Moves the cursor over the dump.
    pub(super) fn move_cursor(
        &self,
        chunk: &mut CurrentChunk,
        motion: Motion,
        count: Option<u64>,
        size: Size,
    ) {
        let layout = self.layout(chunk, size);
        let Some(rows) = self.rows(chunk, layout.width.into()) else { return };
        let unit = rows.unit_at(chunk.cursor);
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
        chunk.place(cursor);
        self.follow(chunk, layout);
    }

    /// Opens the fold that the cursor is in; false where there is none.
    pub(super) fn unfold(&self, chunk: &mut CurrentChunk, size: Size) -> bool {
        let width = self.layout(chunk, size).width;
        let Some(rows) = self.rows(chunk, width.into()) else { return false };
        let unit = rows.unit_at(chunk.cursor);
        let folds = rows.folds(unit);
        if folds {
            chunk.unfolded = Some(unit);
        }
        folds
    }

    /// Moves the window of the dump so that the cursor is in sight.
    pub(super) fn follow(&self, chunk: &mut CurrentChunk, layout: ChunksLayout) {
        if let Some(rows) = self.rows(chunk, layout.width.into()) {
            let row = rows.row_of(rows.unit_at(chunk.cursor));
            chunk.top = rows.top_for(row, chunk.top, layout.dump.into());
        }
    }

    /// Moves the window so that the cursor is in its middle.
    pub(super) fn centre(&self, chunk: &mut CurrentChunk, size: Size) {
        let layout = self.layout(chunk, size);
        if let Some(rows) = self.rows(chunk, layout.width.into()) {
            let row = rows.row_of(rows.unit_at(chunk.cursor));
            chunk.top = rows.line_after(row, -i64::from(layout.dump / 2));
        }
    }

    /// Moves the window by `by` lines; the cursor follows where it would leave it.
    pub(super) fn turn(&self, chunk: &mut CurrentChunk, by: i8, size: Size) {
        let layout = self.layout(chunk, size);
        let Some(rows) = self.rows(chunk, layout.width.into()) else { return };
        let height = i64::from(layout.dump.max(1));
        let last = rows.line_after(rows.count().saturating_sub(1), 1 - height);
        let top = rows.line_after(chunk.top, by.into()).min(last);
        let bottom = rows.line_after(top, height - 1);
        let unit = rows.unit_at(chunk.cursor);
        let row = rows.line_start(rows.row_of(unit));
        let to = row.clamp(top, bottom.max(top)) * rows.per_row + unit % rows.per_row;
        let cursor = rows.bytes_of(to.min(rows.len.saturating_sub(1))).start;
        chunk.top = top;
        if row < top || row > bottom {
            chunk.place(cursor);
        }
    }
}

/// The unit `by` lines below (or above) `unit`, in the same column.
fn by_lines(rows: &DumpRows<'_>, unit: u64, by: i64) -> u64 {
    let row = rows.line_after(rows.row_of(unit), by);
    row * rows.per_row + unit % rows.per_row
}
