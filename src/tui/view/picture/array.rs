//! The picture of more than a chunk: cells between the borders of chunks, what is missing, and what cannot be read.

use super::{
    axis_name,
    chart::Chart,
    cursor,
    heat::{self, Shades},
    legend,
    number::Labels,
    shade::{NonFiniteMark, Pixel, mark, paint},
    summary,
};
use crate::{
    app::{
        current_chunk::CurrentChunk,
        layout::{AXIS, CHART_AXIS, PictureFrame, SCALE, ruler::Slot},
        page::picture::{
            CountedColumn, PicturePage, Reduction, Scale, Zoom,
            drawn::{DrawnArray, WorkState},
        },
    },
    tui::{
        theme::{self, Line, Span},
        view::footer::how_far,
    },
    zarr::{
        metadata::ArrayMetadata,
        signs,
        statistics::{HeatCell, raster::RasterCell},
        text::{safe, safe_owned},
        words::{self, counted, grouped, list, times},
    },
};
use ratatui::{
    buffer::Buffer,
    layout::{Constraint, Layout, Position, Rect},
    text::Text,
    widgets::Widget,
};
use unicode_width::UnicodeWidthStr;

/// The picture of an array.
pub(super) struct ArrayView<'a> {
    /// The state.
    pub(super) page: &'a PicturePage,
    /// The chunk under the cursor.
    pub(super) chunk: &'a CurrentChunk,
    /// The array that is drawn.
    pub(super) drawn: &'a DrawnArray,
    /// The layout of the view.
    pub(super) frame: PictureFrame,
    /// The name of the root, safe to show.
    pub(super) root: &'a str,
}

impl Widget for ArrayView<'_> {
    fn render(self, area: Rect, buf: &mut Buffer) {
        self.title(area.width.into()).render(area, buf);
        let body = area.intersection(Rect { y: area.y.saturating_add(1), ..area });
        let drawn = self.drawn;
        let statistics = drawn.cells.all.statistics.clone();
        let choice = drawn.choice.clone();
        let counted = CountedColumn { choice, statistics, histogram: None, origin: None };
        let labels = Labels::of(&counted);
        let [second, map, cursor, counts, progress] = super::parts(body, self.frame);
        self.second(&labels, second.width.into()).render(second, buf);
        let units = summary::units_of(&drawn.array, &counted.choice);
        let on_scale = summary::units_on_scale(&drawn.array, &counted.choice, &units);
        if drawn.raster.down.is_some() {
            self.cells(&labels, on_scale, map, buf);
        } else {
            self.chart(&labels, on_scale, map, buf);
        }
        self.under(&counted, &labels, &units).render(cursor, buf);
        let mut lines = summary::range(&counted, &labels, area.width.into());
        lines.extend(summary::oddities(&drawn.array, &counted, area.width.into()));
        Text::from(lines).render(counts, buf);
        let room = usize::from(progress.width).saturating_sub(1);
        let said = words::wrap(&self.progress(), room);
        let lines = said.into_iter().map(|line| Line::styled(format!(" {line}"), theme::QUIET));
        lines.collect::<Text<'_>>().render(progress, buf);
    }
}

impl ArrayView<'_> {
    /// The line of the array, the part of it, and the dimensions.
    fn title(&self, width: usize) -> Line {
        let drawn = self.drawn;
        let name = super::name(&drawn.path, self.root);
        let shape = drawn.array.shape.as_deref().unwrap_or_default();
        let lengths: Vec<u64> = drawn.raster.region.iter().map(|r| r.end - r.start).collect();
        let what = match self.page.whole.zoom {
            Zoom::Array => format!("the whole array, {}", times(shape)),
            Zoom::Chunks(n) => {
                format!("{}, {} of {}", chunks(n, shape.len()), times(&lengths), times(shape))
            }
            Zoom::Elements | Zoom::Chunk => {
                format!("element by element, {} of {}", times(&lengths), times(shape))
            }
        };
        let field = match drawn.choice.name.as_str() {
            "" => String::new(),
            _ => format!("{}   ", safe(&drawn.choice.words())),
        };
        let mut parts = vec![
            (format!(" {name}"), theme::TITLE),
            (format!("   {what}   "), theme::PLAIN),
            (field, theme::MARK),
        ];
        parts.extend(self.how(&drawn.array).map(|text| (text, theme::QUIET)));
        // What has no room is not begun.
        while parts.len() > 2 && parts.iter().map(|(text, _)| text.width()).sum::<usize>() > width {
            parts.pop();
        }
        super::fitted(parts, width)
    }

    /// The dimensions that run down and right, the content of a cell, and the scale, where these are to be told.
    fn how(&self, array: &ArrayMetadata) -> [String; 3] {
        let (drawn, (rows, columns)) = (self.drawn, &self.drawn.rulers);
        let right = axis_name(array, drawn.raster.right);
        let axes = match drawn.raster.down {
            Some(down) => format!("{} runs down, {right} right", axis_name(array, down)),
            None => format!("{right} runs right"),
        };
        let rest =
            drawn.raster.region.iter().enumerate().filter(|(axis, _)| {
                *axis != drawn.raster.right && Some(*axis) != drawn.raster.down
            });
        let behind: u64 = rest.map(|(_, r)| r.end - r.start).fold(1, u64::saturating_mul);
        let (high, wide) = (rows.widest(), columns.widest());
        let high = if drawn.raster.down.is_some() { high } else { 1 };
        let many = high.saturating_mul(wide).saturating_mul(behind);
        let value = if drawn.raster.takes_highest { "the highest" } else { "the mean" };
        let of = if drawn.is_sparse { "of some of" } else { "of" };
        let cell = match many {
            1 => String::new(),
            _ => format!("   per cell: {value} {of} {}", sides(high, wide, behind)),
        };
        let scale = if self.page.scale == Scale::Rank { "   colours by rank" } else { "" };
        [axes, cell, scale.to_owned()]
    }

    /// The zoom, the dimensions that are not drawn, what was read, and the signs.
    fn second(&self, labels: &Labels, width: usize) -> Line {
        let drawn = self.drawn;
        let word = match self.page.whole.zoom {
            Zoom::Array => "array".to_owned(),
            Zoom::Chunks(n) => chunks(n, drawn.raster.region.len()),
            Zoom::Elements | Zoom::Chunk => "elements".to_owned(),
        };
        let mut parts = vec![
            (format!(" zoom {} {word}   ", signs::IN_USE), theme::PLAIN),
            (self.others(), theme::MARK),
        ];
        let [stored, missing, damaged] = drawn.cells.all.chunks;
        parts.push((format!("{} read  ", counted(stored, self.unit())), theme::QUIET));
        if missing > 0 {
            let text = format!("{} {} not stored  ", signs::MISSING, grouped(missing));
            parts.push((text, theme::QUIET));
        }
        if damaged > 0 {
            let text = format!("{} {} unreadable  ", signs::ERROR, grouped(damaged));
            parts.push((text, theme::FAILURE));
        }
        let fill = drawn.array.declared_fill().filter(|_| drawn.choice.name.is_empty());
        let legend = |fill| legend::signs(fill, &drawn.cells.map, labels);
        let used: usize = parts.iter().map(|(text, _)| text.width()).sum();
        let (whole, short) = (legend(fill), legend(None));
        // A fill value is there whole or not at all.
        let has_room = whole.iter().map(Span::width).sum::<usize>() <= width.saturating_sub(used);
        let signs = if has_room { whole } else { short };
        parts.extend(signs.into_iter().map(|span| (span.content.into_owned(), span.style)));
        super::fitted(parts, width)
    }

    /// The place of the picture on the dimensions that are not drawn, or their treatment.
    fn others(&self) -> String {
        let drawn = self.drawn;
        let word = match self.page.whole.reduction {
            Reduction::Fixed => None,
            Reduction::Mean => Some("mean over "),
            Reduction::Highest => Some("highest over "),
        };
        let shape = drawn.array.shape.as_deref().unwrap_or_default();
        let name = |axis: usize| {
            let name = axis_name(&drawn.array, axis);
            let index = drawn.raster.region.get(axis).map_or(0, |range| range.start);
            let length = shape.get(axis).copied().unwrap_or(1);
            let here = || format!("{name} = {index} of {}", grouped(length));
            if word.is_some() { name.clone() } else { here() }
        };
        let names: Vec<_> = self.page.fixed(drawn.raster.region.len()).map(name).collect();
        let end = if names.is_empty() { "" } else { "   " };
        format!("{}{}{end}", word.filter(|_| !names.is_empty()).unwrap_or(""), names.join(", "))
    }

    /// The unit of reading.
    fn unit(&self) -> &'static str {
        let chunks = self.chunk.counts.iter().fold(1_u128, |all, &n| all.saturating_mul(n.into()));
        let is_whole = self.page.whole.zoom == Zoom::Array;
        match (is_whole && u128::from(self.drawn.total) > chunks, self.chunk.levels.is_empty()) {
            (true, true) => "chunk part",
            (true, false) => "inner chunk",
            _ => "chunk",
        }
    }

    /// The progress of the drawing, and the keys for more.
    fn progress(&self) -> String {
        let drawn = self.drawn;
        if let Some(error) = &drawn.failure {
            return safe_owned(&format!("This array cannot be drawn: {error}"));
        }
        let read = format!("{} of {}", grouped(drawn.read()), counted(drawn.total, self.unit()));
        let between = "cells between them repeat the one to the left or above";
        match (drawn.pace, drawn.state == WorkState::Stopped) {
            (Some(pace), _) => how_far("reading", pace, grouped),
            (None, true) => format!("Stopped: {read} drawn; r continues."),
            (None, false) if drawn.is_sparse => {
                let looked = grouped(drawn.cells.all.statistics.elements);
                let all = drawn.raster.region.iter().map(|r| u128::from(r.end - r.start));
                let all = all.fold(1, u128::saturating_mul);
                let all = u64::try_from(all).unwrap_or(u64::MAX);
                format!("Sampled: {looked} of {} elements; r reads all.", grouped(all))
            }
            (None, false) if drawn.is_partial() && drawn.total > 0 => {
                format!("Sampled: {read}; {between}. r reads all.")
            }
            (None, false) => String::new(),
        }
    }

    fn cells(&self, labels: &Labels, units: &str, area: Rect, buf: &mut Buffer) {
        let [rows, below] =
            area.layout(&Layout::vertical([Constraint::Fill(1), Constraint::Length(1)]));
        let [left, map, scale] = rows.layout(&Layout::horizontal([
            Constraint::Length(AXIS),
            Constraint::Fill(1),
            Constraint::Length(SCALE),
        ]));
        let (down, right) = &self.drawn.rulers;
        let size = |len: usize| u16::try_from(len).unwrap_or(u16::MAX);
        let place = Rect { width: size(right.len()), height: size(down.len().div_ceil(2)), ..map };
        let map = place.intersection(map);
        let shades = Shades::of(&self.drawn.cells.map, self.page.scale);
        let pixels = Pixels::new(self, &shades);
        for (y, line) in map.rows().enumerate() {
            for (x, spot) in line.columns().enumerate() {
                let slot =
                    |slots: &[Slot], at: usize| slots.get(at).copied().unwrap_or(Slot::Blank);
                let (upper, lower) = (slot(&down.slots, y * 2), slot(&down.slots, y * 2 + 1));
                let across = slot(&right.slots, x);
                let Some(cell) = buf.cell_mut(spot.as_position()) else { continue };
                match border(upper, across) {
                    Some(sign) => drop(cell.set_symbol(sign).set_style(theme::QUIET)),
                    None => paint(cell, pixels.at(upper, across), pixels.at(lower, across)),
                }
            }
        }
        let spot = self.cursor(map);
        if let Some(cell) = spot.and_then(|spot| buf.cell_mut(spot)) {
            mark(cell);
        }
        let (y, x) = (self.drawn.raster.down.unwrap_or(0), self.drawn.raster.right);
        heat::number_rows(self.indices(y), (map, left), spot, buf);
        heat::number_columns(self.indices(x), map, Rect { x: map.x, ..below }, spot, buf);
        let height = map.height.max(5).min(scale.height);
        let scale = Rect { x: map.right(), height, ..scale };
        heat::scale((labels, units), &shades, scale, buf);
    }

    fn chart(&self, labels: &Labels, units: &str, area: Rect, buf: &mut Buffer) {
        let (drawn, axis) = (self.drawn, self.drawn.raster.right);
        let here = self.page.whole.at.get(axis).copied();
        let sign = |_: &HeatCell, column: usize| {
            let cell = drawn.cells.cell(0, column)?;
            match () {
                () if cell.damaged > 0 => Some((signs::ERROR, theme::FAILURE)),
                () if is_unread(cell) => Some((" ", theme::QUIET)),
                () if cell.absent > 0 && cell.heat.elements == 0 => {
                    Some((signs::MISSING, theme::QUIET))
                }
                () => None,
            }
        };
        let range = drawn.raster.region.get(axis).cloned().unwrap_or_default();
        let columns = drawn.cells.map.columns.max(1);
        let wide = u16::try_from(drawn.rulers.1.len() / columns).unwrap_or(1).max(1);
        let cursor = drawn.raster.cell(&self.page.whole.at).map_or(usize::MAX, |(_, x)| x);
        let map = &drawn.cells.map;
        Chart { map, margin: CHART_AXIS, wide, cursor, range, here, labels, units, sign: &sign }
            .render(area, buf);
    }

    /// The place on the screen of the element under the cursor: the middle of its cell.
    fn cursor(&self, map: Rect) -> Option<Position> {
        let (row, column) = self.drawn.raster.cell(&self.page.whole.at)?;
        let (down, right) = &self.drawn.rulers;
        let place = |middle: usize| u16::try_from(middle).ok();
        let spot = Position::new(
            map.x.saturating_add(place(right.middle(column)?)?),
            map.y.saturating_add(place(down.middle(row)? / 2)?),
        );
        map.contains(spot).then_some(spot)
    }

    /// The first and the last index along an axis, and the one under the cursor.
    fn indices(&self, axis: usize) -> (u64, u64, Option<u64>) {
        let range = self.drawn.raster.region.get(axis).cloned().unwrap_or_default();
        let last = range.end.saturating_sub(1).max(range.start);
        (range.start, last, self.page.whole.at.get(axis).copied())
    }

    /// The element under the cursor, and what is in its cell.
    fn under(&self, counted: &CountedColumn, labels: &Labels, units: &str) -> Line {
        let at = &self.page.whole.at;
        let mut spans = vec![theme::quiet(format!(" ╋ {}  ", list(at)))];
        spans.extend(self.element(counted, units));
        let cell = self.drawn.raster.cell(at);
        let cell = cell.and_then(|(row, column)| self.drawn.cells.cell(row, column));
        if let Some(cell) = cell.filter(|cell| cell.heat.elements > 1) {
            let value = if self.drawn.raster.takes_highest { "highest" } else { "mean" };
            let text = cursor::describe(&cell.heat, labels, value);
            spans.push(theme::quiet(format!("   {text}")));
        }
        Line::from(spans)
    }
}

impl ArrayView<'_> {
    /// The value of the element under the cursor, or why there is none.
    fn element(&self, counted: &CountedColumn, units: &str) -> Vec<Span> {
        let shown = self.chunk.shown().filter(|shown| shown.chunk.id == self.chunk.id);
        let Some(shown) = shown else { return vec![theme::quiet(signs::MORE)] };
        let element = self.chunk.element();
        if let Some(at) = element.filter(|at| shown.in_array(at) == self.page.whole.at) {
            return cursor::element(shown, counted, &at, units);
        }
        let key = safe_owned(shown.chunk.key.as_str());
        let (text, style) = match shown.chunk.fault() {
            Some(why) => (format!("{key} cannot be read: {why}"), theme::FAILURE),
            None if shown.chunk.elements().is_none() => {
                let fill = shown.fill_scalar.as_ref();
                let fill = fill.map_or_else(String::new, |fill| format!(": it reads as {fill}"));
                (format!("{key} is not stored{fill}"), theme::QUIET)
            }
            None => (signs::MORE.to_owned(), theme::QUIET),
        };
        vec![Span::styled(safe_owned(&text), style)]
    }
}

/// The number of chunks along each side of what is drawn.
fn chunks(n: u64, dimensions: usize) -> String {
    if dimensions > 1 { format!("{n}×{n} chunks") } else { counted(n, "chunk") }
}

/// The elements of a cell along each side: `9×3`, and the number of those behind each other.
fn sides(high: u64, wide: u64, behind: u64) -> String {
    let plane = format!("{}×{}", grouped(high), grouped(wide));
    if behind > 1 { format!("{plane}×{}", grouped(behind)) } else { plane }
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

fn is_unread(cell: &RasterCell) -> bool {
    cell.heat.elements == 0 && cell.absent == 0 && cell.damaged == 0
}

/// The content of each cell.
struct Pixels<'a> {
    view: &'a ArrayView<'a>,
    shades: &'a Shades,
    marks_mixed: bool,
    /// For each cell that was not read, the mean of one beside it.
    guesses: Vec<Option<f64>>,
    /// The chunk of each row and each column of cells, where that is one.
    chunks: [Vec<Option<u64>>; 2],
}

impl<'a> Pixels<'a> {
    fn new(view: &'a ArrayView<'a>, shades: &'a Shades) -> Self {
        let drawn = view.drawn;
        let marks_mixed = heat::oddities_are_few(&drawn.cells.map);
        let chunks = [
            chunks_of(&drawn.array, drawn.raster.down, &drawn.raster.rows),
            chunks_of(&drawn.array, Some(drawn.raster.right), &drawn.raster.columns),
        ];
        let is_partial = drawn.is_partial() && drawn.total > 0;
        let guesses = if is_partial { guesses(drawn) } else { Vec::new() };
        Self { view, shades, marks_mixed, guesses, chunks }
    }

    fn at(&self, down: Slot, right: Slot) -> Pixel {
        let (Slot::Cell(row), Slot::Cell(column)) = (down, right) else { return Pixel::Blank };
        let cells = &self.view.drawn.cells;
        let Some(cell) = cells.cell(row, column) else { return Pixel::Blank };
        let share = |mean: f64| self.shades.share(mean);
        match (cell.heat.mean, NonFiniteMark::of(&cell.heat)) {
            (mean, _) if cell.damaged > 0 => Pixel::Damaged(mean.map(share)),
            (Some(mean), Some(odd)) if self.marks_mixed => {
                Pixel::NonFiniteMark(odd, Some(share(mean)))
            }
            (Some(mean), _) => Pixel::Value(share(mean)),
            (None, Some(odd)) => Pixel::NonFiniteMark(odd, None),
            (None, None) if cell.heat.elements > 0 => Pixel::Fill,
            (None, None) if cell.absent > 0 || self.is_missing(row, column) => Pixel::Missing,
            (None, None) => {
                let guess = self.guesses.get(row * cells.map.columns + column);
                guess.copied().flatten().map_or(Pixel::Blank, |mean| Pixel::Value(share(mean)))
            }
        }
    }

    /// True if the listing of the store has no chunk for a cell.
    fn is_missing(&self, row: usize, column: usize) -> bool {
        let presence = &self.view.chunk.presence;
        let drawn = self.view.drawn;
        if !presence.complete || self.view.page.whole.reduction != Reduction::Fixed {
            return false;
        }
        let of = |side: usize, at: usize| self.chunks.get(side)?.get(at).copied().flatten();
        let Ok(grid) = &drawn.array.grid else { return false };
        let chunk = |(axis, range): (usize, &std::ops::Range<u64>)| match axis {
            _ if axis == drawn.raster.right => of(1, column),
            _ if Some(axis) == drawn.raster.down => of(0, row),
            _ => grid.chunk_at(axis, range.start).map(|(chunk, _)| chunk),
        };
        let at: Option<Vec<u64>> = drawn.raster.region.iter().enumerate().map(chunk).collect();
        at.is_some_and(|at| !presence.has(&at))
    }
}

/// The chunk along an axis that holds each cell; `None` for one that is in several.
fn chunks_of(array: &ArrayMetadata, axis: Option<usize>, bounds: &[u64]) -> Vec<Option<u64>> {
    let (Some(axis), Ok(grid)) = (axis, &array.grid) else { return Vec::new() };
    let chunk = |at: u64| grid.chunk_at(axis, at).map(|(chunk, _)| chunk);
    let cells = bounds.iter().zip(bounds.iter().skip(1));
    cells.map(|(&from, &to)| chunk(from).filter(|_| chunk(from) == chunk(to - 1))).collect()
}

/// For each cell the mean of the nearest one to the left that has one, or else above.
fn guesses(drawn: &DrawnArray) -> Vec<Option<f64>> {
    let map = &drawn.cells.map;
    let mut guesses: Vec<Option<f64>> = map.cells.iter().map(|cell| cell.mean).collect();
    let mut above: Option<Vec<Option<f64>>> = None;
    for row in guesses.chunks_mut(map.columns.max(1)) {
        if row.iter().all(Option::is_none) {
            if let Some(above) = &above {
                row.copy_from_slice(above);
            }
            continue;
        }
        let mut last = None;
        for cell in row.iter_mut() {
            last = cell.or(last);
            *cell = last;
        }
        above = Some(row.to_vec());
    }
    guesses
}
