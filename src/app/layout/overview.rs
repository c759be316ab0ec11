//! The layout of the overview.

use super::Size;

/// The parts of the overview, from the top, in lines.
#[derive(Clone, Copy)]
pub struct OverviewLayout {
    /// Lines above the first row: what this is, its sums, a blank one where there is room, the headings.
    pub head: usize,
    /// Rows in sight.
    pub rows: usize,
    /// Lines below the rows, without the last line of the view.
    pub below: usize,
}

/// Lines that the sums, remarks and attributes below the rows have where there are many rows.
const BELOW: usize = 7;

impl OverviewLayout {
    /// Lays out a table of so many rows in a view of `size`.
    pub fn new(size: Size, rows: usize) -> Self {
        let head = match size.rows() {
            0..10 => 2,
            10..18 => 3,
            _ => 4,
        };
        // The last line tells how far the work is, or what to press.
        let room = size.rows().saturating_sub(head + 1);
        let rows = rows.min(room.saturating_sub(BELOW).max(room * 2 / 3));
        Self { head, rows, below: room - rows }
    }
}
