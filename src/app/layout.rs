//! The layout of everything within the panes, in rows and columns: for drawing, for moving about, and for clicks.
//!
//! [`dump`] lays hex and values out, [`twins`] the columns of V2 and V3. Where the panes are on the screen is said by
//! `tui::panes`.

use super::prelude::*;

mod chunk_table;
mod chunks;
pub mod compare;
pub mod dump;
pub mod fields;
mod overview;
mod picture;
pub mod ruler;
pub mod twins;

pub use chunk_table::ChunkTableLayout;
pub use chunks::{ChunksLayout, ChunksPart, MAP_FRAME, MAP_HEAD, MAP_MARGIN, MapWindow};
pub use compare::CompareLayout;
pub use dump::{DumpLine, DumpRows};
pub use overview::OverviewLayout;
pub use picture::{CellGrid, PictureFrame, PictureHalves, SCALE};

/// So many rows or columns; the most that there can be where there are more.
pub fn cells(count: impl TryInto<u16>) -> u16 {
    count.try_into().unwrap_or(u16::MAX)
}

/// Columns and rows, in cells.
#[derive(Clone, Copy, Default)]
pub struct Size {
    /// Columns.
    pub width: u16,
    /// Rows.
    pub height: u16,
}

impl Size {
    /// So many columns and rows.
    pub const fn new(width: u16, height: u16) -> Self {
        Self { width, height }
    }

    /// The rows as a count of lines.
    pub fn rows(self) -> usize {
        self.height.into()
    }
}

/// A cell of a pane.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PaneCell {
    /// Rows from the top.
    pub row: usize,
    /// Columns from the left edge.
    pub column: usize,
}

impl PaneCell {
    /// So many rows and columns from the top left.
    pub const fn new(row: usize, column: usize) -> Self {
        Self { row, column }
    }
}

/// The room of the panes that are on the screen, as `tui::panes` lays them out.
#[derive(Clone, Copy, Default)]
pub struct Geometry {
    /// True if tree and view are side by side.
    pub wide: bool,
    /// The list of nodes, without title and rules.
    pub tree: Size,
    /// The view, without title and rules.
    pub view: Size,
    /// The room of an overlay over everything (help, gallery).
    pub whole: Size,
    /// The strip of a lesson, without its rule; of no size where there is none.
    pub lesson: Size,
    /// Of a text that is on top, the lines in sight.
    pub text: usize,
    /// Of a text that is on top, the last line that it can be scrolled to begin with.
    pub last_line: usize,
    /// True if an explanation has room of its own beside or below the view.
    pub explains: bool,
}

/// Rows above a list: a title or a line that is typed, and a blank line or a rule.
pub const LIST_HEAD: u16 = 2;
/// Rows of a metadata view of so many `rows` that are no lines of documents: the head, and the reasons below a rule, unless
/// these are explained elsewhere.
pub const fn metadata_frame(rows: usize, is_explained: bool) -> usize {
    match (is_explained, rows) {
        (true, _) => 2,
        (false, ..30) => 5,
        (false, _) => 6,
    }
}

/// Lines above the list of problems in a view of `size` that say what was not checked and what can be read: the least,
/// with the empty one below them, and the most.
pub fn coverage_lines(size: Size) -> (usize, usize) {
    match size.rows() {
        0..16 => (1, 1),
        16..28 => (2, 2),
        _ => (2, 4),
    }
}

/// Rows of the list of `count` problems below `head` lines of a view of `size`, and those of the problem under the
/// cursor, which has what a short list leaves. An explanation of that problem has a pane of its own, and the list the
/// view.
pub fn problem_rows(size: Size, head: usize, count: usize, is_explained: bool) -> (usize, usize) {
    if is_explained {
        return (size.rows().saturating_sub(head), 0);
    }
    let detail = if size.rows() < 28 { 7 } else { 16 };
    let rows = size.rows().saturating_sub(head + 1);
    // Two rows of the list are in sight however little room there is.
    let list = rows.saturating_sub(detail).max(rows.min(2)).min(count.max(1));
    (list, rows - list.min(rows))
}

/// Rows of the list of data types on a screen of `size`: the playground below it has up to 18. Where that is not all of
/// it, the list gives way as soon as the playground has the keys.
pub fn gallery_rows(size: Size, list_has_keys: bool) -> usize {
    let rows = size.rows().saturating_sub(4);
    let list = rows.saturating_sub(18.min(rows * 2 / 3));
    if list_has_keys || rows > 26 { list } else { list.min(2) }
}

/// The part of the gallery that is drawn on row `row` of it, its list having `rows` rows.
pub fn gallery_part_at(row: usize, rows: usize) -> Option<GalleryPart> {
    match row.checked_sub(1)? {
        line if line < rows => Some(GalleryPart::List),
        // The rule between list and playground is there in between.
        line if line == rows + 1 => Some(GalleryPart::DataType),
        line if line == rows + 2 => Some(GalleryPart::FillValue),
        line if line == rows + 3 => Some(GalleryPart::Bytes),
        _ => None,
    }
}

/// The columns of the mark that says whether a group of the tree is open.
pub fn mark_columns(depth: usize) -> Range<usize> {
    depth * 2 + 1..depth * 2 + 3
}

/// The layout of the page.
pub struct CardLayout {
    /// Lines above the first row: the array in one line, what of it can be read, the heads of the columns, a rule.
    pub frame: u16,
    /// The rows.
    pub twins: Twins,
    /// The first row in sight.
    pub first: usize,
    /// Lines of the rows; what is left below is for the explanation.
    pub list: u16,
    /// Columns of the rows; what is left beside them is for the explanation.
    pub width: u16,
}

/// From so many lines on the heads say which files they are of.
const TALL: u16 = 24;
/// Lines that the explanation has at least: its title and five lines.
const PANEL: usize = 6;

/// Columns from which on the explanation of a row is beside the rows: those of a view on a screen of 150.
const BESIDE: u16 = 116;

/// The columns of an explanation beside what it explains, in a view of `width` columns; `None` where there is no room.
pub fn beside(width: u16) -> Option<u16> {
    (width >= BESIDE).then(|| (width * 2 / 5).clamp(50, 72))
}

impl CardLayout {
    /// Lays `rows` out in a view of `size`, the one under the cursor in sight, and below or beside them room for an
    /// explanation, unless that stands `elsewhere`.
    pub fn new(rows: &[Row], cursor: usize, size: Size, elsewhere: bool) -> Self {
        let frame = match size.height {
            ..TALL => 4,
            TALL..30 => 5,
            _ => 6,
        };
        let rest = size.rows().saturating_sub(frame.into());
        let panel = beside(size.width).filter(|_| !elsewhere);
        let below = if elsewhere || panel.is_some() { 0 } else { PANEL };
        let room = rest.saturating_sub(below).max(3);
        let width = size.width - panel.map_or(0, |panel| panel + 2);
        let twins = Twins::fit(rows, width.into(), room);
        let list = twins.height().min(room).min(rest);
        let first = twins.first(cursor, list);
        let list = cells(list);
        Self { frame, twins, first, list, width }
    }

    /// The row that is drawn on line `line` of the view.
    pub fn row_at(&self, line: usize) -> Option<usize> {
        let line = line.checked_sub(self.frame.into())?;
        let drawn = self.twins.lines_from(self.first, self.list.into());
        self.twins.row_at(self.first, line).filter(|_| line < drawn)
    }
}
