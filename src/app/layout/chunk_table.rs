//! The layout of the table of chunks.

use super::Size;

/// The parts of the table of chunks, from the top, in lines.
#[derive(Clone, Copy)]
pub struct ChunkTableLayout {
    /// Lines above the first row: what this is, how far it is, headings, the row of the array, a rule.
    pub head: usize,
    /// Lines of rows.
    pub rows: usize,
    /// Lines about the row under the cursor, with the rule above them.
    pub detail: usize,
}

impl ChunkTableLayout {
    /// The line of the headings.
    pub const fn headings(self) -> usize {
        self.head - 3
    }

    /// Lays the table out in a view of `size`.
    pub fn new(size: Size) -> Self {
        let head = if size.rows() >= 18 { 6 } else { 5 };
        let detail = match size.rows() {
            0..10 => 0,
            10..14 => 2,
            14..30 => 3,
            _ => 4,
        };
        Self { head, rows: size.rows().saturating_sub(head + detail), detail }
    }
}
