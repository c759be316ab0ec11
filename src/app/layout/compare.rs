//! The layout of the comparison.

use crate::app::prelude::*;

/// The parts of the page, from the top, in lines. On low or narrow screens one part is on show at a time.
#[derive(Clone, Copy)]
pub struct CompareLayout {
    /// Lines above the list of pairs, or above the first part.
    pub head: usize,
    /// Rows of the list of pairs.
    pub list: usize,
    /// Rows of the documents.
    pub documents: usize,
    /// Rows of the map, without its rule and its numbers.
    pub map: usize,
    /// Columns of the map.
    pub columns: usize,
    /// Rows of the values, without their rule and headings.
    pub values: usize,
    /// True if all parts are on show.
    pub is_whole: bool,
}

/// Lines of a part that are no rows: its rule and its heading.
pub const PART_HEAD: usize = 2;

impl CompareLayout {
    /// Lays the page out in `size`, with so many rows of documents.
    pub fn new(size: Size, rows: usize, part: ComparisonPart, has_values: bool) -> Self {
        /// Lines above: what is compared, and what came of it.
        const HEAD: usize = 3;
        /// Rows of the values where all parts are on show.
        const VALUES: usize = 8;
        // The last line tells how far the work is.
        let room = size.rows().saturating_sub(HEAD + 1);
        let is_whole = size.width >= 100 && size.height >= 30 || !has_values;
        let columns =
            usize::from(size.width).saturating_sub(8).min(if is_whole { 60 } else { 200 });
        let below = room.saturating_sub(PART_HEAD);
        let (documents, map, values) = match part {
            _ if !has_values => (room, 0, 0),
            _ if is_whole => {
                let documents = rows.clamp(1, room / 3);
                (documents, room.saturating_sub(documents + VALUES + 2 * PART_HEAD), VALUES)
            }
            ComparisonPart::Documents => (room, 0, 0),
            ComparisonPart::Chunks => (0, below, 0),
            ComparisonPart::Values => (0, 0, below),
        };
        Self { head: HEAD, list: room, documents, map, columns, values, is_whole }
    }

    /// The number of chunks along each axis that a cell of the map stands for.
    pub fn fold(&self, counts: &[u64]) -> u64 {
        let last = counts.len().saturating_sub(1);
        let (down, right) = (last.checked_sub(1).and_then(|at| counts.get(at)), counts.get(last));
        let fold = |count: Option<&u64>, room: usize| {
            count.copied().unwrap_or(1).div_ceil((room as u64).max(1))
        };
        fold(down, self.map).max(fold(right, self.columns)).max(1)
    }

    /// The part that line `row` of the page is in.
    pub fn part_at(&self, row: usize) -> Option<ComparisonPart> {
        let line = row.checked_sub(self.head)?;
        if !self.is_whole {
            return None;
        }
        let map = self.documents + PART_HEAD + self.map;
        Some(match line {
            line if line < self.documents => ComparisonPart::Documents,
            line if line < map => ComparisonPart::Chunks,
            _ => ComparisonPart::Values,
        })
    }
}
