//! Where everything is within the panes, in rows and columns: for drawing, for moving about, and for clicks.
//!
//! [`dump`] lays hex and values out, [`twins`] the columns of V2 and V3. Where the panes are on the screen is said by
//! `tui::panes`.

use super::{
    current_chunk::{CurrentChunk, damage},
    page::{chunks::ChunksPage, gallery::GalleryPart},
};
use crate::zarr::spelling::Row;
use std::ops::Range;

mod chunk_table;
pub mod compare;
pub mod dump;
mod overview;
pub mod ruler;
pub mod twins;

pub use chunk_table::ChunkTableLayout;
pub use compare::CompareLayout;
pub use dump::{DumpLine, DumpRows};
pub use overview::OverviewLayout;
use twins::Twins;

/// Columns and rows, in cells.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Size {
    /// Columns.
    pub width: u16,
    /// Rows.
    pub height: u16,
}

impl Size {
    /// So many columns and rows.
    #[must_use]
    pub const fn new(width: u16, height: u16) -> Self {
        Self { width, height }
    }

    /// The rows as a count of lines.
    #[must_use]
    pub fn rows(self) -> usize {
        self.height.into()
    }
}

/// A cell of a pane.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PaneCell {
    /// Rows from the top.
    pub row: usize,
    /// Columns from the left edge.
    pub column: usize,
}

impl PaneCell {
    /// So many rows and columns from the top left.
    #[must_use]
    pub const fn new(row: usize, column: usize) -> Self {
        Self { row, column }
    }
}

/// The room of the panes that are on the screen, as `tui::panes` lays them out.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Geometry {
    /// True if tree and view are side by side.
    pub wide: bool,
    /// The list of nodes, without title and rules.
    pub tree: Size,
    /// The view, without title and rules.
    pub view: Size,
    /// What an overlay over everything (help, gallery) has.
    pub whole: Size,
    /// The strip of a lesson, without its rule; of no size where there is none.
    pub lesson: Size,
    /// The caption of a key script, without its rule and what is beside it; of no size where there is none.
    pub caption: Size,
    /// Of a text that is on top, the lines in sight.
    pub text: usize,
    /// Of a text that is on top, the last line that it can be scrolled to begin with.
    pub last_line: usize,
    /// True if an explanation has room of its own beside or below the view.
    pub explains: bool,
}

/// Rows above a list: a title or a line that is typed, and a blank line or a rule.
pub const LIST_HEAD: u16 = 2;
/// Rows of the metadata view that are no lines of documents: the head, and the reasons below the rule.
pub const METADATA_FRAME: usize = 5;
/// Lines above the list of problems in a view of `size` that say what was not checked and what can be read: the least and
/// the most.
#[must_use]
pub fn coverage_lines(size: Size) -> (usize, usize) {
    match size.rows() {
        0..16 => (1, 1),
        16..28 => (2, 2),
        _ => (2, 4),
    }
}

/// Rows of the list of `count` problems below `head` lines of a view of `size`, and those of the problem under the cursor,
/// which has what a short list leaves. An explanation of that problem has a pane of its own, and the list the view.
#[must_use]
pub fn problem_rows(size: Size, head: usize, count: usize, is_explained: bool) -> (usize, usize) {
    const SHORTEST: usize = 3;
    if is_explained {
        return (size.rows().saturating_sub(head), 0);
    }
    let detail = if size.rows() < 28 { 7 } else { 16 };
    let rows = size.rows().saturating_sub(head + 1);
    // Two rows of the list are in sight however little room there is.
    let list = rows.saturating_sub(detail).max(rows.min(2)).min(count.max(SHORTEST));
    (list, rows - list.min(rows))
}

/// Rows of the list of data types on a screen of `size`: the playground below it has up to 18. Where that is not all of
/// it, the list gives way as soon as the playground has the keys.
#[must_use]
pub fn gallery_rows(size: Size, list_has_keys: bool) -> usize {
    let rows = size.rows().saturating_sub(4);
    let list = rows.saturating_sub(18.min(rows * 2 / 3));
    if list_has_keys || rows > 26 { list } else { list.min(2) }
}

/// The part of the gallery that is drawn on row `row` of it, its list having `rows` rows.
#[must_use]
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
#[must_use]
pub fn mark_columns(depth: usize) -> Range<usize> {
    depth * 2 + 1..depth * 2 + 3
}

/// Where the parts of the page lie.
#[derive(Debug, Clone)]
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
#[must_use]
pub fn beside(width: u16) -> Option<u16> {
    (width >= BESIDE).then(|| (width * 2 / 5).clamp(50, 72))
}

impl CardLayout {
    /// Lays `rows` out in a view of `size`, the one under the cursor in sight, and below or beside them room for an
    /// explanation, unless that stands `elsewhere`.
    #[must_use]
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
        let list = u16::try_from(list).unwrap_or(u16::MAX);
        Self { frame, twins, first, list, width }
    }

    /// The row that is drawn on line `line` of the view.
    #[must_use]
    pub fn row_at(&self, line: usize) -> Option<usize> {
        let line = line.checked_sub(self.frame.into())?;
        self.twins.row_at(self.first, line).filter(|_| line < usize::from(self.list))
    }
}

/// The parts of the chunk view, from the top, in rows. A part of 0 rows is left out.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ChunksLayout {
    /// The lines that say which array this is and what of it can be read, and a blank one; the second alone where there
    /// is room for one.
    pub title: u16,
    /// The map, its title and its scale, with a blank line below.
    pub map: u16,
    /// The stages and the rule below them.
    pub strip: u16,
    /// What stopped the chunk, if it could not be decoded.
    pub damage: u16,
    /// The line above the dump.
    pub header: u16,
    /// The dump.
    pub dump: u16,
    /// What is under the cursor, with the rule above it.
    pub panel: u16,
    /// Columns of the whole.
    pub width: u16,
}

/// Rows of the inspector with its rule: a heading and every type.
const INSPECTOR: u16 = 17;

/// Rows of a dump of `height` that a short chunk leaves free.
fn spare_rows(page: &ChunksPage, chunk: &CurrentChunk, width: u16, height: u16) -> u16 {
    let rows = DumpRows::of(chunk, width.into(), page.base, page.other_order);
    let taken = rows.map_or_else(|| u64::from(height), |rows| rows.count());
    height.saturating_sub(u16::try_from(taken).unwrap_or(u16::MAX))
}

/// Rows of the map above the grid: its title and its scale.
pub const MAP_HEAD: usize = 2;
/// Lines of the map that are no grid rows: title, scale, blank.
pub const MAP_FRAME: u16 = 3;
/// From so many rows for map and dump on, the map is as high as what is said beside it.
const MAP_WHOLE: u16 = 20;
/// Columns of the numbers beside the map.
pub const MAP_MARGIN: u16 = 5;

impl ChunksLayout {
    /// Lays the page out in `size`.
    #[must_use]
    pub fn new(page: &ChunksPage, chunk: &CurrentChunk, size: Size) -> Self {
        let Size { width, height } = size;
        let title = match height {
            0..16 => 0,
            16..24 => 1,
            24..30 => 2,
            _ => 3,
        };
        let panel = match height {
            0..9 => 0,
            9..12 => 3,
            _ if page.inspector => 13.min(height / 2),
            12..20 => 4,
            _ if page.other_order && height >= 28 => 11,
            // The map has no room here.
            20..25 => 6,
            25..28 => 5,
            _ => 7,
        };
        let fixed = title + 3 + panel;
        let room = height.saturating_sub(fixed);
        // What is said of the chunk has its rows, where they cost the dump little.
        let beside = if room >= MAP_WHOLE { chunk.map_lines() } else { 0 };
        let wanted = chunk.map_rows().max(beside).saturating_add(MAP_FRAME);
        let map = if room >= 15 && chunk.has_map() { wanted.min(room / 2) } else { 0 };
        let body = room.saturating_sub(map) + 1;
        let lines = damage::lines(chunk, usize::from(width).saturating_sub(2)).len();
        let damage = u16::try_from(lines).unwrap_or(u16::MAX).min(body * 3 / 5);
        let dump = body - damage - 1;
        let more = if page.inspector { spare_rows(page, chunk, width, dump) } else { 0 };
        let more = more.min(INSPECTOR.saturating_sub(panel));
        let (dump, panel) = (dump - more, panel + more);
        Self { title, map, strip: 2, damage, header: 1, dump, panel, width }
    }

    /// Lays out the map alone, where it has the whole view.
    #[must_use]
    pub fn map_only(size: Size) -> Self {
        Self { title: 2, map: size.height.saturating_sub(2), width: size.width, ..Self::default() }
    }

    /// The part that row `row` of the view belongs to.
    #[must_use]
    pub fn part_at(self, row: usize) -> ChunksPart {
        let map = usize::from(self.title)..usize::from(self.title + self.map);
        let dump = map.end + usize::from(self.strip + self.damage + self.header);
        match row {
            _ if map.contains(&row) => ChunksPart::Map(row - map.start),
            _ if row == map.end => ChunksPart::Strip,
            _ if row >= dump => ChunksPart::Dump(row - dump),
            _ => ChunksPart::Other,
        }
    }

    /// Rows of chunks that the map has room for.
    #[must_use]
    pub fn map_rows(self) -> u16 {
        self.map.saturating_sub(MAP_FRAME)
    }

    /// Columns that the map has room for.
    #[must_use]
    pub fn map_columns(self) -> u16 {
        self.width.saturating_sub(MAP_MARGIN)
    }
}

/// A part of the chunk view.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChunksPart {
    /// The map: so many rows from its top.
    Map(usize),
    /// The stages.
    Strip,
    /// The dump, or what is below it: so many rows from its top.
    Dump(usize),
    /// A line that does nothing.
    Other,
}

/// The window of the grid that the map shows.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct MapWindow {
    /// The first coordinate down.
    pub down: u64,
    /// The first coordinate across.
    pub across: u64,
    /// The number of rows of chunks.
    pub rows: u64,
    /// The number of columns of chunks.
    pub columns: u64,
    /// Columns of the terminal a chunk takes.
    pub cell: u16,
}

impl MapWindow {
    /// The row and column of the grid drawn at a cell of the map: below its title and scale, right of its numbers.
    #[must_use]
    pub fn chunk_at(self, at: PaneCell) -> Option<(u64, u64)> {
        let down = at.row.checked_sub(MAP_HEAD)? as u64;
        let across = (at.column.checked_sub(MAP_MARGIN.into())? / usize::from(self.cell)) as u64;
        let inside = down < self.rows && across < self.columns;
        inside.then_some((self.down + down, self.across + across))
    }
}

/// The layout of a view: the drawing and what is around it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PictureFrame {
    /// Rows of the drawing.
    pub rows: usize,
    /// Columns of the drawing.
    pub columns: usize,
    /// True if there is room for blank rows.
    pub roomy: bool,
}

/// Columns of the scale of a picture and its numbers, the gap before them included.
pub const SCALE: u16 = 17;
/// Columns of the numbers left of a map.
pub const AXIS: u16 = 9;
/// Columns of the numbers left of a chart, which has its scale there.
pub const CHART_AXIS: u16 = 12;

impl PictureFrame {
    /// The layout of the view in `size`: title, dimensions, axis, cursor, statistics and histogram take rows, the
    /// numbers of axis and scale take columns.
    #[must_use]
    pub fn new(size: Size) -> Self {
        let roomy = size.height >= 28;
        let rows = size.rows().saturating_sub(if roomy { 12 } else { 8 }).max(1);
        Self {
            rows,
            columns: usize::from(size.width).saturating_sub((AXIS + SCALE).into()).max(1),
            roomy,
        }
    }

    /// Rows above the drawing.
    #[must_use]
    pub fn top(self) -> usize {
        if self.roomy { 3 } else { 2 }
    }
}

/// The layout of two drawings one above the other, below a title: each with a label, an axis and a cursor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PictureHalves {
    /// Rows of the upper half.
    pub upper: u16,
    /// The layout of either drawing.
    pub frame: PictureFrame,
}

impl PictureHalves {
    /// Rows of the label of a half.
    pub const LABEL: usize = 1;

    /// The layout in a view of `size`.
    #[must_use]
    pub fn new(size: Size) -> Self {
        let upper = size.height.saturating_sub(1) / 2;
        let rows = usize::from(upper).saturating_sub(Self::LABEL + 2).max(1);
        Self { upper, frame: PictureFrame { rows, roomy: false, ..PictureFrame::new(size) } }
    }
}
