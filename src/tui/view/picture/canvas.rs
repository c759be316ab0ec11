//! A picture: its cells as colours or as columns, between the numbers of its axes and the scale.

use super::{
    number::{Labels, real, whole},
    shade::{NonFiniteMark, Pixel, mark, paint},
};
use crate::app::layout::{SCALE, ruler::Slot};
use crate::tui::prelude::*;

/// The cells of a picture, and what is around them.
pub(super) struct Canvas<'a> {
    /// The region and its cells.
    pub(super) grid: &'a CellGrid,
    /// The look of each cell, row by row.
    pub(super) pixels: Vec<Pixel>,
    /// The mapping from values to shades.
    pub(super) shades: Shades,
    /// The element under the cursor, by its coordinates in the array.
    pub(super) at: Option<&'a [u64]>,
    /// The format of numbers.
    pub(super) labels: &'a Labels,
    /// The unit after the numbers of the scale.
    pub(super) units: &'a str,
}

impl Widget for Canvas<'_> {
    fn render(self, area: Rect, buf: &mut Buffer) {
        let [rows, below] = stacked(area, [Fill(1), Length(1)]);
        let is_chart = self.grid.raster.down.is_none();
        let [left, map, scale] = rows.layout(&Layout::horizontal([
            Length(self.grid.margin()),
            Fill(1),
            Length(if is_chart { 0 } else { SCALE }),
        ]));
        let (down, right) = &self.grid.rulers;
        let size = |len: usize| cells(len);
        let height = if is_chart { map.height } else { size(down.len().div_ceil(2)) };
        let map = Rect { width: size(right.len()), height, ..map }.intersection(map);
        let spot = self.cursor(map);
        if is_chart {
            self.chart(left, map, buf);
        } else {
            self.cells(map, buf);
            if let Some(cell) = spot.and_then(|spot| buf.cell_mut(spot)) {
                mark(cell);
            }
            self.number_rows(map, left, spot, buf);
            let height = map.height.max(5).min(scale.height);
            self.scale(Rect { x: map.right(), height, ..scale }, buf);
        }
        self.number_columns(map, Rect { x: map.x, ..below }, spot, buf);
    }
}

impl Canvas<'_> {
    /// The look of the cell in this row and column.
    pub(super) fn pixel(&self, row: usize, column: usize) -> Pixel {
        let columns = self.grid.raster.columns.len().saturating_sub(1);
        self.pixels.get(row * columns + column).copied().unwrap_or(Pixel::Blank)
    }

    fn cells(&self, area: Rect, buf: &mut Buffer) {
        let (down, right) = &self.grid.rulers;
        let slot = |slots: &[Slot], at: usize| slots.get(at).copied().unwrap_or(Slot::Blank);
        let half = |down: Slot, across: Slot| match (down, across) {
            (Slot::Cell(row), Slot::Cell(column)) => self.pixel(row, column),
            _ => Pixel::Blank,
        };
        for (y, line) in area.rows().enumerate() {
            for (x, spot) in line.columns().enumerate() {
                let (upper, lower) = (slot(&down.slots, y * 2), slot(&down.slots, y * 2 + 1));
                let across = slot(&right.slots, x);
                let Some(cell) = buf.cell_mut(spot.as_position()) else { continue };
                match border(upper, across) {
                    Some(sign) => drop(cell.set_symbol(sign).set_style(QUIET)),
                    None => paint(cell, half(upper, across), half(lower, across)),
                }
            }
        }
    }

    /// The row and the column of the cell under the cursor.
    pub(super) fn cell(&self) -> Option<(usize, usize)> {
        self.grid.raster.cell(self.at?)
    }

    /// The place on the screen of the element under the cursor: the middle of its cell.
    fn cursor(&self, map: Rect) -> Option<Position> {
        let (row, column) = self.cell()?;
        let (down, right) = &self.grid.rulers;
        let place = |middle: usize| u16::try_from(middle).ok();
        let spot = Position::new(
            map.x.saturating_add(place(right.middle(column)?)?),
            map.y.saturating_add(place(down.middle(row)? / 2)?),
        );
        map.contains(spot).then_some(spot)
    }

    /// The first and the last index along an axis, and the one under the cursor.
    fn indices(&self, axis: usize) -> (u64, u64, Option<u64>) {
        let range = self.grid.raster.region.get(axis).cloned().unwrap_or_default();
        let last = range.end.saturating_sub(1).max(range.start);
        (range.start, last, self.at.and_then(|at| at.get(axis)).copied())
    }

    /// Writes the first and the last index left of a drawing, and the one under the cursor.
    fn number_rows(&self, map: Rect, left: Rect, spot: Option<Position>, buf: &mut Buffer) {
        let (first, last, here) = self.indices(self.grid.raster.down.unwrap_or(0));
        if map.is_empty() {
            return;
        }
        let room = usize::from(left.width).saturating_sub(1);
        let number = |value: u64| right(&value.to_string(), room);
        let lowest = map.bottom().saturating_sub(1);
        buf.set_string(left.x, map.y, number(first), QUIET);
        if first == last {
            return;
        }
        if lowest > map.y {
            buf.set_string(left.x, lowest, number(last), QUIET);
        }
        if let (Some(spot), Some(here)) = (spot, here) {
            // The ends have their places already.
            let y = if here == first { map.y } else { spot.y };
            let y = if here == last { lowest } else { y };
            buf.set_string(left.x, y, number(here), MARK);
        }
    }

    /// The same below it.
    fn number_columns(&self, map: Rect, below: Rect, spot: Option<Position>, buf: &mut Buffer) {
        let (first, last, here) = self.indices(self.grid.raster.right);
        let area = Rect { y: map.bottom().min(below.y), ..below }.intersection(buf.area);
        let line = axis_line(first, last, map.width.into());
        Line::styled(line, QUIET).render(area, buf);
        if let (Some(spot), Some(here)) = (spot, here.filter(|_| first < last)) {
            let x = if here == first { map.x } else { spot.x };
            let x = if here == last { map.right() } else { x };
            mark_index(here, x, map, area, buf);
        }
    }

    /// The colours from the highest to the lowest, with numbers and their units.
    fn scale(&self, area: Rect, buf: &mut Buffer) {
        let Self { shades, labels, .. } = self;
        let Some((low, high)) = shades.ends().filter(|_| !area.is_empty()) else { return };
        let room = usize::from(area.width).saturating_sub(5);
        let mut label = |y: u16, value: Option<f64>| {
            let Some(value) = value else { return };
            let number = labels.short(value);
            buf.set_stringn(area.x + 5, y, cut(&number, room), room, PLAIN);
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
        let second = self.under_scale();
        if area.height >= 3 && second.width() <= room {
            buf.set_stringn(area.x + 5, area.y + 1, second, room, QUIET);
        }
    }

    /// The line below the highest number of the scale: its unit, or the day of its times.
    pub(super) fn under_scale(&self) -> String {
        match self.units {
            "" => self.labels.day().unwrap_or_default(),
            units => units.to_owned(),
        }
    }
}

/// The sign of a border, where there is one.
fn border(down: Slot, right: Slot) -> Option<&'static str> {
    match (down, right) {
        (Slot::Border, Slot::Border) => Some("┼"),
        (Slot::Border, _) => Some("─"),
        (_, Slot::Border) => Some("│"),
        _ => None,
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
fn axis_line(first: u64, last: u64, width: usize) -> String {
    if first == last {
        return first.to_string();
    }
    let (first, last) = (first.to_string(), last.to_string());
    let gap = width.saturating_sub(first.len() + last.len()).max(1);
    format!("{first}{}{last}", " ".repeat(gap))
}

/// Writes the index under the cursor below column `x` of a drawing, on the line of the axis; what is there and
/// would touch it goes.
fn mark_index(index: u64, x: u16, drawing: Rect, line: Rect, buf: &mut Buffer) {
    let text = index.to_string();
    let wide = cells(text.len());
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
    buf.set_string(start, line.y, text, MARK);
}

/// True if so few cells hold something that is no number among numbers that each can be marked without hiding the rest.
pub(super) fn oddities_are_few(map: &HeatMap) -> bool {
    let mixed =
        map.cells.iter().filter(|cell| cell.mean.is_some() && NonFiniteMark::of(cell).is_some());
    mixed.count() <= (map.cells.len() / 8).max(1)
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
