//! The chunk view: where title, map, stages, dump and panel are, and which chunks the map shows.

use crate::app::current_chunk::damage;
use crate::app::prelude::*;

/// The parts of the chunk view, from the top, in rows. A part of 0 rows is left out.
#[derive(Clone, Copy, Default)]
pub struct ChunksLayout {
    /// The lines that say which array this is and what of it can be read, and a blank one; the second alone where there
    /// is room for one.
    pub title: u16,
    /// The map, its title and its scale, with a blank line below.
    pub map: u16,
    /// The stages and the rule below them.
    pub strip: u16,
    /// Rows of the report on a chunk that could not be decoded.
    pub damage: u16,
    /// The line above the dump.
    pub header: u16,
    /// The dump.
    pub dump: u16,
    /// Rows about the thing under the cursor, with the rule above it.
    pub panel: u16,
    /// Columns of the whole.
    pub width: u16,
}

/// Rows of the inspector with its rule: a heading and every type.
const INSPECTOR: u16 = 17;

/// Rows of the panel that all fields of a struct take, with the rule above them and two lines of evidence; 0 where
/// there are no fields.
fn rows_of_fields(chunk: &CurrentChunk) -> u16 {
    match chunk.elements().map_or(0, |elements| elements.data_type().fields().len()) {
        0 => 0,
        fields => cells(fields + 4),
    }
}

/// Rows of a dump of `height` that a short chunk leaves free.
fn spare_rows(page: &ChunksPage, chunk: &CurrentChunk, width: u16, height: u16) -> u16 {
    let rows = DumpRows::of(chunk, width.into(), page.base, page.other_order);
    let taken = rows.map_or_else(|| u64::from(height), |rows| rows.count());
    height.saturating_sub(cells(taken))
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
            12..16 => 4,
            16..20 => 5,
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
        let damage = cells(lines).min(body * 3 / 5);
        let dump = body - damage - 1;
        let wanted = if page.inspector { INSPECTOR } else { rows_of_fields(chunk) };
        let more = wanted.saturating_sub(panel);
        let more = if more > 0 { more.min(spare_rows(page, chunk, width, dump)) } else { 0 };
        let (dump, panel) = (dump - more, panel + more);
        Self { title, map, strip: 2, damage, header: 1, dump, panel, width }
    }

    /// Lays out the map alone, where it has the whole view.
    pub fn map_only(size: Size) -> Self {
        Self { title: 2, map: size.height.saturating_sub(2), width: size.width, ..Self::default() }
    }

    /// The part that row `row` of the view belongs to.
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
    pub fn map_rows(self) -> u16 {
        self.map.saturating_sub(MAP_FRAME)
    }

    /// Columns that the map has room for.
    pub fn map_columns(self) -> u16 {
        self.width.saturating_sub(MAP_MARGIN)
    }
}

/// A part of the chunk view.
#[derive(Clone, Copy)]
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
#[derive(Clone, Copy)]
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
    pub fn chunk_at(self, at: PaneCell) -> Option<(u64, u64)> {
        let down = at.row.checked_sub(MAP_HEAD)? as u64;
        let across = (at.column.checked_sub(MAP_MARGIN.into())? / usize::from(self.cell)) as u64;
        let inside = down < self.rows && across < self.columns;
        inside.then_some((self.down + down, self.across + across))
    }
}
