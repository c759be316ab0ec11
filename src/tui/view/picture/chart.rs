//! Numbers along one axis as columns, and how often each size occurs.

use super::{
    canvas::{Canvas, Shades},
    number::whole,
};
use crate::tui::prelude::*;
use crate::{app::layout::ruler::Slot, zarr::statistics::Histogram};

impl Canvas<'_> {
    /// Draws one row of numbers, each a column as high as it is, and the numbers of the scale left of them.
    pub(super) fn chart(&self, left: Rect, area: Rect, buf: &mut Buffer) {
        self.chart_scale(left, buf);
        let cursor = self.cell().map(|(_, column)| column);
        let zero = zero(&self.shades, area.height);
        let slots = &self.grid.rulers.1.slots;
        for (x, place) in area.columns().enumerate() {
            let Some(Slot::Cell(at)) = slots.get(x).copied() else { continue };
            let pixel = self.pixel(0, at);
            let is_here = cursor == Some(at);
            // Columns wide enough have a gap between them.
            let is_last = slots.get(x + 1) != Some(&Slot::Cell(at));
            let gap = is_last && x > 1 && slots.get(x - 2) == Some(&Slot::Cell(at));
            // What has no number has no bar; a number that is zero has one that is seen.
            let filled = pixel.mean().map_or(zero, |share| {
                let end = eighths(share, area.height);
                if end == zero { zero + 1 } else { end }
            });
            for (up, row) in place.rows().rev().enumerate() {
                let (symbol, is_end, hangs) = level_at(filled, zero, up);
                // The end of a column is what says something; what is between it and zero only leads there.
                let style = if is_end { PLAIN } else { QUIET };
                let (symbol, style) =
                    pixel.sign().filter(|_| up == zero / 8).unwrap_or((symbol, style));
                let style = if is_here { MARK } else { style };
                let style = if hangs { style.add_modifier(Modifier::REVERSED) } else { style };
                let (symbol, style) = if gap { (" ", PLAIN) } else { (symbol, style) };
                buf.set_string(row.x, row.y, symbol, style);
            }
        }
    }

    fn chart_scale(&self, area: Rect, buf: &mut Buffer) {
        let Canvas { shades, labels, .. } = self;
        let room = usize::from(area.width).saturating_sub(2);
        let mut label = |y: u16, value: Option<f64>| {
            let Some(value) = value else { return };
            let number = labels.short(value);
            buf.set_stringn(area.x + 1, y, right(&number, room), room, PLAIN);
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
        let units = self.under_scale();
        if area.height >= 3 && !units.is_empty() {
            let units = right(&units, room);
            buf.set_stringn(area.x + 1, area.y + 1, units, room, QUIET);
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
    let mut spans = vec![quiet(format!(" {low} ")), Span::raw(bars(0)), quiet(format!(" {high}"))];
    if is_whole && counts.len() > 2 && used + step.width() <= width {
        spans.push(quiet(step));
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
    let filled = to_usize(filled);
    theme::LEVELS.get(filled.saturating_sub(up * 8).min(8)).copied().unwrap_or(" ")
}
