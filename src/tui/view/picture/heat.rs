//! A slice as coloured cells, between the numbers of its axes and the scale.

use super::{
    number::{self, real},
    shade::{Pixel, mark, paint},
};
use crate::{
    app::picture::{Frame, PicturePage, Pictured, SCALE, Scale},
    tui::{theme, view::text},
    zarr::statistics::HeatMap,
};
use ratatui::{
    buffer::Buffer,
    layout::{Constraint, Layout, Rect},
    text::Line,
    widgets::Widget,
};
use unicode_width::UnicodeWidthStr;

/// The slice.
pub(super) struct Heat<'a> {
    /// The state.
    pub(super) page: &'a PicturePage,
    /// What was sampled.
    pub(super) pictured: &'a Pictured,
    /// The cells.
    pub(super) map: &'a HeatMap,
    /// How the view is shared.
    pub(super) frame: Frame,
    /// What stands behind the numbers of the scale.
    pub(super) units: &'a str,
}

impl Widget for Heat<'_> {
    fn render(self, area: Rect, buf: &mut Buffer) {
        let [rows, below] =
            area.layout(&Layout::vertical([Constraint::Fill(1), Constraint::Length(1)]));
        let [left, map, scale] = rows.layout(&Layout::horizontal([
            Constraint::Length(self.pictured.margin()),
            Constraint::Fill(1),
            Constraint::Length(SCALE),
        ]));
        let grid = Grid { map: self.map, zoom: self.pictured.zoom(self.frame) };
        let drawn = Rect {
            width: u16::try_from(grid.columns()).unwrap_or(u16::MAX),
            height: u16::try_from(grid.rows().div_ceil(2)).unwrap_or(u16::MAX),
            ..map
        };
        let map = drawn.intersection(map);
        let shades = Shades::of(self.map, self.page.scale);
        self.cells(&grid, &shades, map, buf);
        self.axes(map, left, Rect { x: map.x, ..below }, buf);
        let scale = Rect { x: map.right(), height: map.height.max(2).min(scale.height), ..scale };
        self.scale(&shades, scale, buf);
    }
}

impl Heat<'_> {
    fn cells(&self, grid: &Grid<'_>, shades: &Shades, area: Rect, buf: &mut Buffer) {
        for (row, line) in area.rows().enumerate() {
            for (column, place) in line.columns().enumerate() {
                let half = |lower: usize| grid.pixel(row * 2 + lower, column, shades);
                if let Some(cell) = buf.cell_mut(place.as_position()) {
                    paint(cell, half(0), half(1));
                }
            }
        }
        let (y, x) = self.cursor(grid);
        let spot = (
            area.x.saturating_add(u16::try_from(x).unwrap_or(u16::MAX)),
            area.y.saturating_add(u16::try_from(y / 2).unwrap_or(u16::MAX)),
        );
        if area.contains(spot.into())
            && let Some(cell) = buf.cell_mut(spot)
        {
            mark(cell);
        }
    }

    /// Where in the grid the element under the cursor is: the middle of its square.
    fn cursor(&self, grid: &Grid<'_>) -> (usize, usize) {
        let shape = &self.pictured.shown.chunk.shape;
        let length =
            |axis: Option<usize>| axis.and_then(|axis| shape.get(axis)).copied().unwrap_or(1);
        let slice = &self.pictured.slice;
        let (y, x) = self.page.cursor;
        let cell = |at: u64, length: u64, cells: usize| {
            let cell = u128::from(at) * cells as u128 / u128::from(length.max(1));
            usize::try_from(cell).unwrap_or(usize::MAX).min(cells.saturating_sub(1))
        };
        let row = cell(y, length(slice.down), self.map.rows);
        let column = cell(x, length(Some(slice.right)), self.map.columns);
        (row * grid.zoom + grid.zoom / 2, column * grid.zoom + grid.zoom / 2)
    }

    /// The first and the last index of the array along both axes.
    fn axes(&self, map: Rect, left: Rect, below: Rect, buf: &mut Buffer) {
        let region = &self.pictured.shown.chunk.region;
        let ends = |axis: usize| {
            region
                .get(axis)
                .map(|range| (range.start, range.end.saturating_sub(1).max(range.start)))
        };
        let room = usize::from(left.width).saturating_sub(1);
        if let Some((first, last)) = self.pictured.slice.down.and_then(ends) {
            let number = |value: u64| text::right(&value.to_string(), room);
            let lowest = map.bottom().saturating_sub(1);
            buf.set_string(left.x, map.y, number(first), theme::QUIET);
            if lowest > map.y {
                buf.set_string(left.x, lowest, number(last), theme::QUIET);
            }
        }
        if let Some((first, last)) = ends(self.pictured.slice.right) {
            let (first, last) = (first.to_string(), last.to_string());
            let gap = usize::from(map.width).saturating_sub(first.len() + last.len());
            let line =
                Line::styled(format!("{first}{}{last}", " ".repeat(gap.max(1))), theme::QUIET);
            let y = map.bottom().min(below.y);
            line.render(Rect { y, ..below }.intersection(buf.area), buf);
        }
    }

    /// The colours from the highest to the lowest, with numbers.
    fn scale(&self, shades: &Shades, area: Rect, buf: &mut Buffer) {
        let steps = usize::from(area.height) * 2;
        let share = |step: usize| 1.0 - real(step) / real(steps.saturating_sub(1).max(1));
        for (row, line) in area.rows().enumerate() {
            let (upper, lower) = (share(row * 2), share(row * 2 + 1));
            for x in area.x + 2..(area.x + 4).min(area.right()) {
                if let Some(cell) = buf.cell_mut((x, line.y)) {
                    paint(cell, Pixel::Value(upper), Pixel::Value(lower));
                }
            }
        }
        let room = usize::from(area.width).saturating_sub(5);
        let mut label = |y: u16, value: Option<f64>| {
            let Some(value) = value else { return };
            let number = number::labelled(&self.pictured.shown, value);
            buf.set_stringn(area.x + 5, y, text::cut(&number, room), room, theme::PLAIN);
        };
        label(area.y, shades.at(1.0));
        label(area.bottom().saturating_sub(1), shades.at(0.0));
        if area.height >= 5 {
            label(area.y + area.height / 2, shades.at(0.5));
        }
        let fits = !self.units.is_empty() && self.units.width() <= room;
        if area.height >= 3 && fits {
            buf.set_stringn(area.x + 5, area.y + 1, self.units, room, theme::QUIET);
        }
    }
}

/// The map drawn as large as it has room.
struct Grid<'a> {
    map: &'a HeatMap,
    zoom: usize,
}

impl Grid<'_> {
    fn columns(&self) -> usize {
        self.map.columns * self.zoom
    }

    fn rows(&self) -> usize {
        self.map.rows * self.zoom
    }

    fn pixel(&self, row: usize, column: usize, shades: &Shades) -> Pixel {
        let Some(cell) = self.map.cell(row / self.zoom, column / self.zoom) else {
            return Pixel::Blank;
        };
        match cell.mean {
            Some(mean) => Pixel::Value(shades.share(mean)),
            None if cell.strange > cell.fill => Pixel::Strange,
            None => Pixel::Blank,
        }
    }
}

/// How values become shades.
pub(super) struct Shades {
    /// All means, from the lowest to the highest.
    sorted: Vec<f64>,
    scale: Scale,
}

impl Shades {
    pub(super) fn of(map: &HeatMap, scale: Scale) -> Self {
        let mut sorted: Vec<f64> = map.cells.iter().filter_map(|cell| cell.mean).collect();
        sorted.sort_by(f64::total_cmp);
        Self { sorted, scale }
    }

    /// From 0 for the lowest to 1 for the highest.
    pub(super) fn share(&self, value: f64) -> f64 {
        let (Some(low), Some(high)) = (self.sorted.first(), self.sorted.last()) else { return 0.5 };
        if low >= high {
            return 0.5;
        }
        match self.scale {
            // Halved, because the distance between the lowest and the highest float is infinite.
            Scale::Linear => (value / 2.0 - low / 2.0) / (high / 2.0 - low / 2.0),
            Scale::Rank => {
                let below = self.sorted.partition_point(|other| *other < value);
                real(below) / real((self.sorted.len() - 1).max(1))
            }
        }
    }

    /// The value at a share of the scale.
    pub(super) fn at(&self, share: f64) -> Option<f64> {
        let (low, high) = (*self.sorted.first()?, *self.sorted.last()?);
        match self.scale {
            Scale::Linear => Some(low + share * (high - low)),
            Scale::Rank => {
                let last = self.sorted.len() - 1;
                #[expect(
                    clippy::cast_possible_truncation,
                    clippy::cast_sign_loss,
                    reason = "inside the list"
                )]
                let place = (share * real(last)).round() as usize;
                self.sorted.get(place.min(last)).copied()
            }
        }
    }
}
