//! How the chunk view shares its room: pure numbers, for drawing and for moving alike.

use super::ChunksPage;
use crate::app::layout::Size;

/// The parts of the chunk view, from the top, in rows. A part of 0 rows is left out.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ChunksLayout {
    /// The line that says which array and chunk this is, with a blank line below.
    pub title: u16,
    /// The map, its title and its scale, with a blank line below.
    pub map: u16,
    /// The stages and the rule below them.
    pub strip: u16,
    /// The line above the dump.
    pub header: u16,
    /// The dump.
    pub dump: u16,
    /// What is under the cursor, with the rule above it.
    pub panel: u16,
    /// Columns of the whole.
    pub width: u16,
}

/// Lines of the map that are no grid rows: title, scale, blank.
pub const MAP_FRAME: u16 = 3;
/// Columns of the numbers beside the map.
pub const MAP_MARGIN: u16 = 5;

impl ChunksLayout {
    /// Lays the page out in `size`.
    #[must_use]
    pub fn new(page: &ChunksPage, size: Size) -> Self {
        let Size { width, height } = size;
        let title = if height >= 24 { 2 } else { 0 };
        let panel = match height {
            0..9 => 0,
            9..12 => 2,
            12..20 => 4,
            _ if page.inspector => 13.min(height / 2),
            _ if page.other_order && height >= 28 => 11,
            20..28 => 5,
            _ => 7,
        };
        let fixed = title + 3 + panel;
        let room = height.saturating_sub(fixed);
        let wanted = page.map_rows().saturating_add(MAP_FRAME);
        let map = if room >= 15 && page.has_map() { wanted.min(room / 2) } else { 0 };
        let dump = room.saturating_sub(map);
        Self { title, map, strip: 2, header: 1, dump, panel, width }
    }

    /// Lays out the map alone, where it has the whole view.
    #[must_use]
    pub fn map_only(size: Size) -> Self {
        Self { title: 2, map: size.height.saturating_sub(2), width: size.width, ..Self::default() }
    }

    /// The first row of the dump, from the top of the view.
    #[must_use]
    pub fn dump_start(self) -> u16 {
        self.title + self.map + self.strip + self.header
    }
}

/// The window of the grid that the map shows.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct MapWindow {
    /// The first coordinate down.
    pub down: u64,
    /// The first coordinate across.
    pub across: u64,
    /// How many rows of chunks.
    pub rows: u64,
    /// How many columns of chunks.
    pub columns: u64,
    /// Columns of the terminal a chunk takes.
    pub cell: u16,
}

impl ChunksPage {
    /// Whether there is more than one chunk to show on a map.
    #[must_use]
    pub fn has_map(&self) -> bool {
        self.counts.iter().any(|&count| count > 1) && !self.counts.contains(&0)
    }

    /// Rows of the whole map.
    fn map_rows(&self) -> u16 {
        let (down, across) = self.axes;
        let rows = if down == across { 1 } else { self.counts.get(down).copied().unwrap_or(1) };
        u16::try_from(rows.clamp(1, 200)).unwrap_or(200)
    }

    /// Which part of the grid fits in `rows` × `columns` cells: the chunk on show is always in it.
    #[must_use]
    pub fn map_window(&self, rows: u16, columns: u16) -> MapWindow {
        let (down, across) = self.axes;
        let count = |axis: usize| self.counts.get(axis).copied().unwrap_or(1);
        let at = |axis: usize| self.id.coordinates.get(axis).copied().unwrap_or(0);
        let cell = if count(across) * 2 <= u64::from(columns) { 2 } else { 1 };
        let fit = |axis: usize, room: u16| {
            let room = u64::from(room.max(1));
            let shown = count(axis).min(room);
            let first = (at(axis) + 1).saturating_sub(shown.div_ceil(2));
            (first.min(count(axis) - shown), shown)
        };
        let (first_across, columns) = fit(across, columns / cell);
        let (first_down, rows) = if down == across { (0, 1) } else { fit(down, rows) };
        MapWindow { down: first_down, across: first_across, rows, columns, cell }
    }

    /// Which of more than two axes the map shows, in words, and where it cuts the others: `y down, x across, at time
    /// 3`. With one or two axes there is nothing to say.
    #[must_use]
    pub fn map_axes(&self) -> Option<String> {
        let (_, array) = self.array.as_ref().filter(|_| self.counts.len() > 2)?;
        let (down, across) = self.axes;
        let others = (0..self.counts.len()).filter(|&axis| axis != down && axis != across);
        let cut = others.map(|axis| {
            let at = self.id.coordinates.get(axis).copied().unwrap_or(0);
            format!("{} {at}", array.dimension_name(axis))
        });
        Some(format!(
            "{} down, {} across, at {}",
            array.dimension_name(down),
            array.dimension_name(across),
            cut.collect::<Vec<_>>().join(", ")
        ))
    }

    /// The coordinates of the chunk at a row and column of the grid, the others as they are.
    #[must_use]
    pub fn map_coordinates(&self, row: u64, column: u64) -> Vec<u64> {
        let (down, across) = self.axes;
        let mut at = self.id.coordinates.clone();
        if let Some(place) = at.get_mut(down).filter(|_| down != across) {
            *place = row;
        }
        if let Some(place) = at.get_mut(across) {
            *place = column;
        }
        at
    }
}
