//! A slice as coloured cells, between the numbers of its axes and the scale.

use super::{
    number::{Labels, real, whole},
    shade::{NonFiniteMark, Pixel, mark, paint},
};
use crate::{
    app::{
        layout::{PictureFrame, SCALE},
        page::picture::{PicturePage, Pictured, Scale},
    },
    tui::theme::{self, Line},
    zarr::{statistics::HeatMap, words},
};
use ratatui::{
    buffer::Buffer,
    layout::{Constraint, Layout, Position, Rect},
    widgets::Widget,
};
use unicode_width::UnicodeWidthStr;

/// The slice.
pub(super) struct Heat<'a> {
    /// The state.
    pub(super) page: &'a PicturePage,
    /// The sampled picture.
    pub(super) pictured: &'a Pictured,
    /// The cells.
    pub(super) map: &'a HeatMap,
    /// The layout of the view.
    pub(super) frame: PictureFrame,
    /// The element under the cursor: its coordinates in the chunk.
    pub(super) at: Option<&'a [u64]>,
    /// The format of numbers.
    pub(super) labels: &'a Labels,
    /// The unit after the numbers of the scale.
    pub(super) units: &'a str,
}

impl Widget for Heat<'_> {
    fn render(self, area: Rect, buf: &mut Buffer) {
        let [rows, below] =
            area.layout(&Layout::vertical([Constraint::Fill(1), Constraint::Length(1)]));
        let [left, map, scale_area] = rows.layout(&Layout::horizontal([
            Constraint::Length(self.pictured.margin()),
            Constraint::Fill(1),
            Constraint::Length(SCALE),
        ]));
        let grid = CellGrid {
            map: self.map,
            zoom: self.pictured.zoom(self.frame),
            marks_mixed: oddities_are_few(self.map),
        };
        let drawn = Rect {
            width: u16::try_from(grid.columns()).unwrap_or(u16::MAX),
            height: u16::try_from(grid.rows().div_ceil(2)).unwrap_or(u16::MAX),
            ..map
        };
        let map = drawn.intersection(map);
        let shades = Shades::of(self.map, self.page.scale);
        Self::cells(&grid, &shades, map, buf);
        let spot = self.cursor(&grid, map);
        if let Some(cell) = spot.and_then(|spot| buf.cell_mut(spot)) {
            mark(cell);
        }
        let slice = &self.pictured.slice;
        if let Some(indices) = slice.down.and_then(|down| self.indices(down)) {
            number_rows(indices, (map, left), spot, buf);
        }
        if let Some(indices) = self.indices(slice.right) {
            number_columns(indices, map, Rect { x: map.x, ..below }, spot, buf);
        }
        let height = map.height.max(5).min(scale_area.height);
        let place = Rect { x: map.right(), height, ..scale_area };
        scale((self.labels, self.units), &shades, place, buf);
    }
}

impl Heat<'_> {
    fn cells(grid: &CellGrid, shades: &Shades, area: Rect, buf: &mut Buffer) {
        for (row, line) in area.rows().enumerate() {
            for (column, place) in line.columns().enumerate() {
                let half = |lower: usize| grid.pixel(row * 2 + lower, column, shades);
                if let Some(cell) = buf.cell_mut(place.as_position()) {
                    paint(cell, half(0), half(1));
                }
            }
        }
    }

    /// The place on the screen of the element under the cursor: the middle of its square.
    fn cursor(&self, grid: &CellGrid, map: Rect) -> Option<Position> {
        let (row, column) = self.pictured.cell(self.at?)?;
        let middle = |cell: usize| u16::try_from(cell * grid.zoom + grid.zoom / 2).ok();
        let spot = Position::new(
            map.x.saturating_add(middle(column)?),
            map.y.saturating_add(middle(row)? / 2),
        );
        map.contains(spot).then_some(spot)
    }

    /// The first and the last index of the array along an axis, and the one under the cursor.
    fn indices(&self, axis: usize) -> Option<(u64, u64, Option<u64>)> {
        let range = self.pictured.shown.chunk.region.get(axis)?;
        let here = self.at.and_then(|at| at.get(axis)).map(|at| range.start + at);
        Some((range.start, range.end.saturating_sub(1).max(range.start), here))
    }
}

/// Writes the first and the last index left of a drawing, and the one under the cursor.
pub(super) fn number_rows(
    (first, last, here): (u64, u64, Option<u64>),
    (map, left): (Rect, Rect),
    spot: Option<Position>,
    buf: &mut Buffer,
) {
    if map.is_empty() {
        return;
    }
    let room = usize::from(left.width).saturating_sub(1);
    let number = |value: u64| words::right(&value.to_string(), room);
    let lowest = map.bottom().saturating_sub(1);
    buf.set_string(left.x, map.y, number(first), theme::QUIET);
    if first == last {
        return;
    }
    if lowest > map.y {
        buf.set_string(left.x, lowest, number(last), theme::QUIET);
    }
    if let (Some(spot), Some(here)) = (spot, here) {
        // The ends have their places already.
        let y = if here == first { map.y } else { spot.y };
        let y = if here == last { lowest } else { y };
        buf.set_string(left.x, y, number(here), theme::MARK);
    }
}

/// The same below it.
pub(super) fn number_columns(
    (first, last, here): (u64, u64, Option<u64>),
    map: Rect,
    below: Rect,
    spot: Option<Position>,
    buf: &mut Buffer,
) {
    let area = Rect { y: map.bottom().min(below.y), ..below }.intersection(buf.area);
    let line = axis_line(first, last, map.width.into());
    Line::styled(line, theme::QUIET).render(area, buf);
    if let (Some(spot), Some(here)) = (spot, here.filter(|_| first < last)) {
        let x = if here == first { map.x } else { spot.x };
        let x = if here == last { map.right() } else { x };
        mark_index(here, x, map, area, buf);
    }
}

/// The colours from the highest to the lowest, with numbers and their units.
pub(super) fn scale(
    (labels, units): (&Labels, &str),
    shades: &Shades,
    area: Rect,
    buf: &mut Buffer,
) {
    let Some((low, high)) = shades.ends().filter(|_| !area.is_empty()) else { return };
    let room = usize::from(area.width).saturating_sub(5);
    let mut label = |y: u16, value: Option<f64>| {
        let Some(value) = value else { return };
        let number = labels.short(value);
        buf.set_stringn(area.x + 5, y, words::cut(&number, room), room, theme::PLAIN);
    };
    let bottom = area.bottom().saturating_sub(1);
    if low < high {
        label(area.y, shades.at(1.0));
        label(bottom, shades.at(0.0));
        if area.height >= 5 {
            label(area.y + area.height / 2, shades.at(0.5));
        }
    } else {
        label(area.y, Some(low));
    }
    let all = if low < high { area.height } else { area.height.min(1) };
    bar(Rect { height: all, ..area }, low < high, buf);
    let second = match units {
        "" => labels.day().unwrap_or_default(),
        units => units.to_owned(),
    };
    if area.height >= 3 && second.width() <= room {
        buf.set_stringn(area.x + 5, area.y + 1, second, room, theme::QUIET);
    }
}

/// The colours of the scale.
fn bar(area: Rect, ramp: bool, buf: &mut Buffer) {
    let steps = usize::from(area.height) * 2;
    let share = |step: usize| {
        if ramp { 1.0 - real(step) / real(steps.saturating_sub(1).max(1)) } else { 0.5 }
    };
    for (row, line) in area.rows().enumerate() {
        let (upper, lower) = (share(row * 2), share(row * 2 + 1));
        for x in area.x + 2..(area.x + 4).min(area.right()) {
            if let Some(cell) = buf.cell_mut((x, line.y)) {
                paint(cell, Pixel::Value(upper), Pixel::Value(lower));
            }
        }
    }
}

/// The first index of an axis on the left of so many columns, the last on the right.
pub(super) fn axis_line(first: u64, last: u64, width: usize) -> String {
    if first == last {
        return first.to_string();
    }
    let (first, last) = (first.to_string(), last.to_string());
    let gap = width.saturating_sub(first.len() + last.len()).max(1);
    format!("{first}{}{last}", " ".repeat(gap))
}

/// Writes the index under the cursor below column `x` of a drawing, on the line of the axis; what is there and
/// would touch it goes.
pub(super) fn mark_index(index: u64, x: u16, drawing: Rect, line: Rect, buf: &mut Buffer) {
    let text = index.to_string();
    let wide = u16::try_from(text.len()).unwrap_or(u16::MAX);
    let most = drawing.right().max(line.x + wide).saturating_sub(wide);
    let start = x.saturating_sub(wide / 2).clamp(line.x, most.max(line.x));
    let is_digit = |buf: &Buffer, x: u16| {
        buf.cell((x, line.y))
            .is_some_and(|cell| cell.symbol().starts_with(|c: char| c.is_ascii_digit()))
    };
    let (mut from, mut to) = (start, start + wide);
    while from > line.x && is_digit(buf, from - 1) {
        from -= 1;
    }
    while is_digit(buf, to) {
        to += 1;
    }
    for x in from..to {
        if let Some(cell) = buf.cell_mut((x, line.y)) {
            cell.reset();
        }
    }
    buf.set_string(start, line.y, text, theme::MARK);
}

/// True if so few cells hold something that is no number among numbers that each can be marked without hiding the rest.
pub(super) fn oddities_are_few(map: &HeatMap) -> bool {
    let mixed =
        map.cells.iter().filter(|cell| cell.mean.is_some() && NonFiniteMark::of(cell).is_some());
    mixed.count() <= (map.cells.len() / 8).max(1)
}

/// The map drawn as large as it has room.
struct CellGrid<'a> {
    map: &'a HeatMap,
    zoom: usize,
    /// True if cells that are numbers and something else say so.
    marks_mixed: bool,
}

impl CellGrid<'_> {
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
        match (cell.mean, NonFiniteMark::of(cell)) {
            (Some(mean), Some(odd)) if self.marks_mixed => {
                Pixel::NonFiniteMark(odd, Some(shades.share(mean)))
            }
            (Some(mean), _) => Pixel::Value(shades.share(mean)),
            (None, Some(odd)) => Pixel::NonFiniteMark(odd, None),
            (None, None) if cell.elements == 0 => Pixel::Unloaded,
            (None, None) => Pixel::Fill,
        }
    }
}

/// The mapping from values to shades.
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

    /// The lowest and the highest.
    pub(super) fn ends(&self) -> Option<(f64, f64)> {
        Some((*self.sorted.first()?, *self.sorted.last()?))
    }

    /// The value at a share of the scale.
    pub(super) fn at(&self, share: f64) -> Option<f64> {
        let (low, high) = (*self.sorted.first()?, *self.sorted.last()?);
        match self.scale {
            // The distance between the lowest and the highest float is infinite.
            Scale::Linear => Some(low * (1.0 - share) + high * share),
            Scale::Rank => {
                let last = self.sorted.len() - 1;
                self.sorted.get(whole((share * real(last)).round(), last)).copied()
            }
        }
    }
}
