//! Numbers along one axis as columns, and how often each size occurs.

use super::{
    heat::{Shades, axis_line, mark_index, oddities_are_few},
    number::{Labels, whole},
    shade::{FILL, NonFiniteMark, UNLOADED},
};
use crate::{
    app::page::picture::Scale,
    tui::theme::{self, Line, Span},
    zarr::{
        statistics::{HeatCell, HeatMap, Histogram},
        words,
    },
};
use ratatui::{
    buffer::Buffer,
    layout::{Constraint, Layout, Rect},
    style::{Modifier, Style},
    widgets::Widget,
};
use std::ops::Range;
use unicode_width::UnicodeWidthStr;

/// The sign of a cell, by its number, where it is another than usual.
type SignOf<'a> = &'a dyn Fn(&HeatCell, usize) -> Option<(&'static str, Style)>;

/// One row of numbers: each a column as high as it is.
pub(super) struct Chart<'a> {
    /// The numbers.
    pub(super) map: &'a HeatMap,
    /// Columns left of the drawing.
    pub(super) margin: u16,
    /// The columns that one cell is drawn as.
    pub(super) wide: u16,
    /// The cell of the element under the cursor.
    pub(super) cursor: usize,
    /// The elements of the array that are drawn.
    pub(super) range: Range<u64>,
    /// The index in the array of the element under the cursor.
    pub(super) here: Option<u64>,
    /// The format of numbers.
    pub(super) labels: &'a Labels,
    /// The unit after the numbers of the scale.
    pub(super) units: &'a str,
    /// The sign of a cell that has no number, where it is another than usual.
    pub(super) sign: SignOf<'a>,
}

impl Widget for Chart<'_> {
    fn render(self, area: Rect, buf: &mut Buffer) {
        let [rows, below] =
            area.layout(&Layout::vertical([Constraint::Fill(1), Constraint::Length(1)]));
        let [labels, bars] = rows
            .layout(&Layout::horizontal([Constraint::Length(self.margin), Constraint::Fill(1)]));
        let columns = u16::try_from(self.map.columns).unwrap_or(u16::MAX);
        let wide = self.wide;
        let bars = Rect { width: wide.saturating_mul(columns).min(bars.width), ..bars };
        let shades = Shades::of(self.map, Scale::Linear);
        self.bars(&shades, wide, bars, buf);
        self.numbers(&shades, labels, buf);
        self.axis(wide, Rect { x: bars.x, width: bars.width, ..below }, buf);
    }
}

impl Chart<'_> {
    fn bars(&self, shades: &Shades, wide: u16, area: Rect, buf: &mut Buffer) {
        let cursor = self.cursor;
        let zero = zero(shades, area.height);
        let marks_mixed = oddities_are_few(self.map);
        for (x, place) in area.columns().enumerate() {
            let at = x / usize::from(wide);
            let Some(cell) = self.map.cell(0, at) else { continue };
            let odd = NonFiniteMark::of(cell).filter(|_| cell.mean.is_none() || marks_mixed);
            let own = (self.sign)(cell, at);
            let ground = match (odd, cell.mean) {
                _ if own.is_some() => own,
                (Some(odd), _) => Some((odd.sign(), theme::WARNING.add_modifier(Modifier::BOLD))),
                (None, Some(_)) => None,
                (None, None) if cell.elements == 0 => Some((UNLOADED, theme::QUIET)),
                (None, None) => Some((FILL, theme::FILL)),
            };
            // What has no number has no bar; a number that is zero has one that is seen.
            let filled = cell.mean.map_or(zero, |mean| {
                let end = eighths(shades.share(mean), area.height);
                if end == zero { zero + 1 } else { end }
            });
            for (up, row) in place.rows().rev().enumerate() {
                let (symbol, is_end, hangs) = level_at(filled, zero, up);
                // The end of a column is what says something; what is between it and zero only leads there.
                let style = match (at == cursor, is_end) {
                    (true, _) => theme::MARK,
                    (false, false) => theme::QUIET,
                    (false, true) => theme::PLAIN,
                };
                let (symbol, style) = ground.filter(|_| up == zero / 8).unwrap_or((symbol, style));
                let style = if at == cursor { theme::MARK } else { style };
                let style = if hangs { style.add_modifier(Modifier::REVERSED) } else { style };
                // Columns wide enough have a gap between them.
                let gap = wide > 2 && x % usize::from(wide) == usize::from(wide) - 1;
                let (symbol, style) = if gap { (" ", theme::PLAIN) } else { (symbol, style) };
                buf.set_string(row.x, row.y, symbol, style);
            }
        }
    }

    fn numbers(&self, shades: &Shades, area: Rect, buf: &mut Buffer) {
        let room = usize::from(area.width).saturating_sub(2);
        let mut label = |y: u16, value: Option<f64>| {
            let Some(value) = value else { return };
            let number = self.labels.short(value);
            buf.set_stringn(area.x + 1, y, words::right(&number, room), room, theme::PLAIN);
        };
        let Some((low, high)) = shades.ends() else { return };
        if low < high {
            label(area.y, shades.at(1.0));
            label(area.bottom().saturating_sub(1), shades.at(0.0));
            let zero = u16::try_from(zero(shades, area.height) / 8).unwrap_or(0);
            if zero > 1 && zero + 1 < area.height {
                label(area.bottom() - zero - 1, Some(0.0));
            }
        } else {
            label(area.y + area.height / 2, Some(low));
        }
        let units = match self.units {
            "" => self.labels.day().unwrap_or_default(),
            units => units.to_owned(),
        };
        if area.height >= 3 && !units.is_empty() {
            let units = words::right(&units, room);
            buf.set_stringn(area.x + 1, area.y + 1, units, room, theme::QUIET);
        }
    }

    fn axis(&self, zoom: u16, area: Rect, buf: &mut Buffer) {
        let range = &self.range;
        let last = range.end.saturating_sub(1).max(range.start);
        let line = axis_line(range.start, last, area.width.into());
        // The line may be longer than a drawing of few columns.
        let wide = Rect { width: buf.area.right().saturating_sub(area.x), ..area };
        Line::styled(line, theme::QUIET).render(wide, buf);
        if let Some(index) = self.here.filter(|_| range.start < last) {
            let column = u16::try_from(self.cursor).unwrap_or(0).saturating_mul(zoom) + zoom / 2;
            let x = if index == range.start { area.x } else { area.x + column };
            let x = if index == last { area.right() } else { x };
            mark_index(index, x, area, wide, buf);
        }
    }
}

/// The place where bars begin, in eighths of a row from below: at zero where that is between the numbers, else at the
/// bottom.
fn zero(shades: &Shades, rows: u16) -> usize {
    match shades.ends() {
        Some((low, high)) if low < 0.0 && high >= 0.0 => {
            whole((shades.share(0.0) * f64::from(rows)).round(), rows.into()) * 8
        }
        _ => 0,
    }
}

/// The look of a bar to `end` that begins at `zero`, in the row `up` from below: its sign, whether its end is there,
/// and whether it hangs down from the row's top, so that sign and ground change places.
fn level_at(end: usize, zero: usize, up: usize) -> (&'static str, bool, bool) {
    let bottom = up * 8;
    let sign = |eighths: usize| theme::LEVELS.get(eighths.min(8)).copied().unwrap_or(" ");
    if end >= zero {
        let from_zero = if bottom < zero { 0 } else { end.saturating_sub(bottom) };
        return (sign(from_zero), from_zero <= 8, false);
    }
    if bottom >= zero || end >= bottom + 8 {
        return (" ", true, false);
    }
    let open = end.saturating_sub(bottom);
    match open {
        0 => ("█", end >= bottom, false),
        open => (sign(open), true, true),
    }
}

/// The height of a column in eighths of a cell; at least one, so that the lowest is visible.
fn eighths(share: f64, rows: u16) -> usize {
    whole((share.clamp(0.0, 1.0) * f64::from(rows) * 8.0).round(), usize::MAX).max(1)
}

/// The lowest number, how often each size occurs, the highest number, and how wide a column is: in as many rows as
/// `room` (columns, rows) has.
pub(super) fn histogram(
    histogram: &Histogram,
    [low, high]: [String; 2],
    step: &str,
    (width, rows): (usize, usize),
) -> Vec<Line> {
    let labels = low.width() + high.width() + 3;
    let counts = joined(&histogram.counts, width.saturating_sub(labels));
    let bars = |up: usize| -> String {
        counts.iter().map(|count| level(*count, &counts, up, rows)).collect()
    };
    let is_whole = counts.len() == histogram.counts.len();
    let step = if step.is_empty() { String::new() } else { format!("   bin width {step}") };
    let used = labels + counts.len();
    let mut lines: Vec<Line> = (1..rows)
        .rev()
        .map(|up| Line::raw(format!("{}{}", " ".repeat(low.width() + 2), bars(up))))
        .collect();
    let mut spans = vec![
        theme::quiet(format!(" {low} ")),
        Span::raw(bars(0)),
        theme::quiet(format!(" {high}")),
    ];
    if is_whole && counts.len() > 2 && used + step.width() <= width {
        spans.push(theme::quiet(step));
    }
    lines.push(Line::from(spans));
    lines
}

/// The counts of bins, as many neighbours as it takes put together, so that all are in `room` columns.
fn joined(counts: &[u64], room: usize) -> Vec<u64> {
    let each = counts.len().div_ceil(room.max(1)).max(1);
    counts.chunks(each).map(|bins| bins.iter().sum()).collect()
}

/// The look of a bar in the row `up` above the lowest. Whatever is there at all is seen.
fn level(count: u64, counts: &[u64], up: usize, rows: usize) -> &'static str {
    let most = counts.iter().copied().max().unwrap_or(0).max(1);
    let filled = (u128::from(count) * 8 * rows as u128).div_ceil(u128::from(most));
    let filled = usize::try_from(filled).unwrap_or(usize::MAX);
    theme::LEVELS.get(filled.saturating_sub(up * 8).min(8)).copied().unwrap_or(" ")
}
