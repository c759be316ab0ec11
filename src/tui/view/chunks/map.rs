//! The map of the chunk grid: any two axes, a sign a chunk.

use crate::tui::prelude::*;
use crate::{
    app::{
        layout::{MAP_FRAME, MAP_MARGIN},
        page::chunks::MapMode,
    },
    tui::view::picture::number::whole,
    zarr::grid::region_text,
};

/// The shades of a share from 0 to 1.
const SHADES: [&str; 5] = ["▁", "▃", "▅", "▆", "█"];

/// The map.
pub struct MapView<'a> {
    /// The shading of each chunk.
    pub page: &'a ChunksPage,
    /// The chunk on show, and what is known of the others.
    pub chunk: &'a CurrentChunk,
    /// True if the map has the keys.
    pub focused: bool,
}

impl Widget for MapView<'_> {
    fn render(self, area: Rect, buf: &mut Buffer) {
        if area.height <= MAP_FRAME || area.width <= MAP_MARGIN {
            return;
        }
        let (page, chunk) = (self.page, self.chunk);
        let legend = match page.mode {
            MapMode::Presence => "▓ stored  ░ missing  ✗ damaged",
            MapMode::Size => "▁ small  █ the largest  ░ missing",
            MapMode::Ratio => "▁ little  █ well compressed  ░ missing",
            MapMode::Time => "▁ first  █ last written  ░ missing",
        };
        let seen = grouped(chunk.presence.stored());
        let progress = match (chunk.presence.complete, chunk.presence.stopped) {
            (true, _) => String::new(),
            (false, true) => format!("  stopped at {seen}"),
            (false, false) => format!("  counting… {seen}"),
        };
        let words = if chunk.levels.is_empty() { "grid" } else { "shards" };
        let title = format!(" {words} {}   {legend}{progress}", times(&chunk.counts));
        buf.set_stringn(area.x, area.y, &title, area.width.into(), QUIET);
        let mode = format!("m {}", page.mode.name());
        let x = area.x + 3 + u16::try_from(title.width()).unwrap_or(u16::MAX - 200);
        if usize::from(x) + mode.len() < area.right().into() {
            buf.set_string(x, area.y, mode, KEY);
        }
        self.grid(area, buf);
    }
}

impl MapView<'_> {
    fn grid(&self, area: Rect, buf: &mut Buffer) {
        let chunk = self.chunk;
        let rows = area.height - MAP_FRAME;
        let window = chunk.map_window(rows, area.width - MAP_MARGIN);
        let x =
            |column: u64| area.x + MAP_MARGIN + u16::try_from(column).unwrap_or(0) * window.cell;
        let numbered = |column: u64| {
            window.cell == 2 && window.across + window.columns <= 10 || column.is_multiple_of(10)
        };
        for column in (0..window.columns).filter(|column| numbered(window.across + column)) {
            let number = (window.across + column).to_string();
            buf.set_stringn(x(column), area.y + 1, number, area.width.into(), QUIET);
        }
        for row in 0..window.rows {
            let y = area.y + 2 + u16::try_from(row).unwrap_or(0);
            let number = format!("{:>3}", window.down + row);
            let number = left(&number, usize::from(MAP_MARGIN) - 1);
            buf.set_stringn(area.x, y, number, usize::from(MAP_MARGIN), QUIET);
            for column in 0..window.columns {
                let at = chunk.map_coordinates(window.down + row, window.across + column);
                let (sign, style) = self.cell(&at);
                let here = at == chunk.id.coordinates;
                let style = match (here, self.focused) {
                    (true, true) => style.patch(CURSOR),
                    (true, false) => style.patch(MARK),
                    (false, _) => style,
                };
                buf.set_string(x(column), y, sign, style);
                if here && window.cell == 2 {
                    buf.set_string(x(column).saturating_sub(1), y, "▐", MARK);
                    buf.set_string(x(column) + 1, y, "▌", MARK);
                }
            }
        }
        self.beside(area, window.columns, window.cell, buf);
    }

    /// Draws the words on the chunk on show, to the right of the grid.
    fn beside(&self, area: Rect, columns: u64, cell: u16, buf: &mut Buffer) {
        let chunk = self.chunk;
        let right = area.x + MAP_MARGIN + u16::try_from(columns).unwrap_or(0) * cell + 3;
        let room = usize::from(area.right().saturating_sub(right));
        if room < 24 {
            return;
        }
        if let Some(axes) = chunk.map_axes() {
            buf.set_stringn(right, area.y + 1, cut(&axes, room), room, QUIET);
        }
        let at = &chunk.id.coordinates;
        let is_shard = !chunk.levels.is_empty();
        let mut lines = vec![format!("{} {}", if is_shard { "shard" } else { "chunk" }, list(at))];
        match chunk.presence.seen(at) {
            // Of a shard, what is inside follows, and the map may be of few rows.
            Some(seen) if is_shard => {
                lines = vec![format!("shard {}   stored {}", list(at), size(seen.len))];
            }
            Some(seen) => lines.push(format!("stored {}", size(seen.len))),
            None if chunk.presence.has(at) => lines.push("stored".into()),
            None if chunk.presence.complete => {
                lines.push("missing: reads as the fill value".into());
            }
            None => {}
        }
        for (inner, counts) in chunk.id.inner.iter().zip(&chunk.levels) {
            lines.push(format!("inner {} of {}", list(inner), times(counts)));
        }
        if let Some(shown) = chunk.shown().filter(|shown| shown.chunk.id == chunk.id) {
            lines.push(format!("array {}", region_text(&shown.chunk.region)));
        }
        for (line, y) in lines.into_iter().zip(area.y + 2..area.bottom()) {
            buf.set_stringn(right, y, line, room, PLAIN);
        }
    }

    fn cell(&self, at: &[u64]) -> (&'static str, Style) {
        let presence = &self.chunk.presence;
        if presence.is_damaged(at) {
            return (signs::ERROR, FAILURE);
        }
        if !presence.has(at) {
            return if presence.complete { (signs::MISSING, QUIET) } else { (" ", QUIET) };
        }
        let Some(seen) = presence.seen(at) else { return (signs::STORED, FINE) };
        let share = match self.page.mode {
            MapMode::Presence => return (signs::STORED, FINE),
            MapMode::Size => Some(presence.share_of_size(seen)),
            MapMode::Ratio => self.chunk.ratio(at, seen.len),
            MapMode::Time => presence.share_of_time(seen),
        };
        (share.map_or(signs::STORED, shade), FINE)
    }
}

fn shade(share: f64) -> &'static str {
    SHADES.get(whole((share * 4.0).round(), SHADES.len())).unwrap_or(&"█")
}
