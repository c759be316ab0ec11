//! The map of the chunk grid: which part of it is on show, and how one moves over it.

use crate::app::layout::MapWindow;
use crate::app::prelude::*;

impl CurrentChunk {
    /// True if there is more than one chunk to show on a map.
    pub fn has_map(&self) -> bool {
        self.counts.iter().any(|&count| count > 1) && !self.counts.contains(&0)
    }

    /// Rows of the whole map.
    pub(in crate::app) fn map_rows(&self) -> u16 {
        let (down, across) = self.axes;
        let rows = if down == across { 1 } else { self.counts.get(down).copied().unwrap_or(1) };
        u16::try_from(rows.clamp(1, 200)).unwrap_or(200)
    }

    /// Lines said of the chunk beside the map: its place and its size, which a shard has in one, what is inside, and
    /// where it is in the array.
    pub(in crate::app) fn map_lines(&self) -> u16 {
        if self.levels.is_empty() { 3 } else { u16::try_from(self.levels.len()).unwrap_or(1) + 2 }
    }

    /// The part of the grid that fits in `rows` × `columns` cells: the chunk on show is always in it.
    pub fn map_window(&self, rows: u16, columns: u16) -> MapWindow {
        let (down, across) = self.axes;
        let count = |axis: usize| self.counts.get(axis).copied().unwrap_or(1);
        let at = |axis: usize| self.id.coordinates.get(axis).copied().unwrap_or(0);
        let cell = if count(across) <= u64::from(columns / 2) { 2 } else { 1 };
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

    /// The axes of the map, in words, and where it cuts the others: `y down, x across, at time = 3`. With one or two
    /// axes in their order there is nothing to say.
    pub fn map_axes(&self) -> Option<String> {
        let (down, across) = self.axes;
        let is_plain = self.counts.len() <= 2 && down <= across;
        let (_, array) = self.array.as_ref().filter(|_| !is_plain)?;
        let others = (0..self.counts.len()).filter(|&axis| axis != down && axis != across);
        let cut = others.map(|axis| {
            let at = self.id.coordinates.get(axis).copied().unwrap_or(0);
            format!("{} = {at}", array.dimension_name(axis))
        });
        let cut = cut.joined(", ");
        Some(format!(
            "{} down, {} across{}{cut}",
            array.dimension_name(down),
            array.dimension_name(across),
            if cut.is_empty() { "" } else { ", at " }
        ))
    }

    /// The coordinates of the chunk at a row and column of the grid, the others as they are.
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
