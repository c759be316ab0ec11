//! The picture of more than a chunk: cells between the borders of chunks, what is missing, and what cannot be read.

use super::{
    axis_name,
    canvas::{self, Canvas, Shades},
    cursor, legend,
    number::Labels,
    shade::Pixel,
    summary,
};
use crate::tui::prelude::*;
use crate::{app::page::picture::drawn::DrawnArray, zarr::grid::lengths};

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
        let (drawn, width) = (self.drawn, usize::from(area.width));
        super::title(width, |_, brief| self.title(brief)).render(area, buf);
        let body = area.intersection(Rect { y: area.y.saturating_add(1), ..area });
        let statistics = drawn.cells.all.statistics.clone();
        let choice = drawn.choice.clone();
        let counted = CountedColumn { choice, statistics, histogram: None, origin: None };
        let labels = Labels::of(&counted);
        let [second, map, cursor, counts, progress] = super::parts(body, self.frame);
        self.second(&labels, width).render(second, buf);
        let units = summary::units_of(&drawn.array, &counted.choice);
        let raster = &drawn.grid.raster;
        let scale = if raster.down.is_some() { self.page.scale } else { Scale::Linear };
        let shades = Shades::of(&drawn.cells.map, scale);
        Canvas {
            grid: &drawn.grid,
            pixels: self.pixels(&shades),
            shades,
            at: Some(&self.page.whole.at),
            labels: &labels,
            units: summary::units_on_scale(&drawn.array, &counted.choice, &units),
        }
        .render(map, buf);
        let at = &self.page.whole.at;
        let cell = raster.cell(at).and_then(|(row, column)| drawn.cells.map.cell(row, column));
        let value = if raster.takes_highest { "highest" } else { "mean" };
        let element = self.element(&counted, &units);
        cursor::under(at, element, (cell, value), &labels, width).render(cursor, buf);
        let mut lines = summary::range(&counted, &labels, width);
        lines.extend(summary::oddities(&drawn.array, &counted, width));
        Text::from(lines).render(counts, buf);
        let said = prose(" ", &self.progress(), width.saturating_sub(1), QUIET);
        Text::from(said).render(progress, buf);
    }
}

impl ArrayView<'_> {
    /// The parts of the line of the array, the part of it, and the dimensions.
    fn title(&self, brief: bool) -> Vec<(String, Style)> {
        let drawn = self.drawn;
        let name = super::name(&drawn.path, self.root);
        let shape = drawn.array.shape.as_deref().unwrap_or_default();
        let lengths = lengths(&drawn.grid.raster.region);
        let what = match self.page.whole.zoom {
            Zoom::Array => format!("the whole array, {}", times(shape)),
            zoom => format!("{}, {} of {}", self.part(zoom), times(&lengths), times(shape)),
        };
        let field = match drawn.choice.name.as_str() {
            "" => String::new(),
            _ => format!("{}   ", safe(&drawn.choice.words())),
        };
        let parts = [(format!(" {name}"), TITLE), (format!("   {what}   "), PLAIN), (field, MARK)];
        let of = (&drawn.grid, &*drawn.array, &drawn.choice);
        let how = super::how(of, drawn.is_sparse, self.page.scale, brief);
        parts.into_iter().chain(how.map(|text| (text, QUIET))).collect()
    }

    /// The words for a part of the array.
    fn part(&self, zoom: Zoom) -> String {
        match zoom {
            Zoom::Array => "array".to_owned(),
            Zoom::Chunks(n) if self.drawn.grid.raster.region.len() > 1 => format!("{n}×{n} chunks"),
            Zoom::Chunks(n) => counted(n, "chunk"),
            Zoom::Elements | Zoom::Chunk => "element by element".to_owned(),
        }
    }

    /// The zoom, the dimensions that are not drawn, what was read, and the signs.
    fn second(&self, labels: &Labels, width: usize) -> Line {
        let drawn = self.drawn;
        let mut parts = vec![
            (format!(" zoom {} {}   ", signs::IN_USE, self.part(self.page.whole.zoom)), PLAIN),
            (self.others(), MARK),
        ];
        let [stored, missing, damaged] = drawn.cells.all.chunks;
        parts.push((format!("{} read  ", counted(stored, self.unit())), QUIET));
        if missing > 0 {
            let text = format!("{} {} not stored  ", signs::MISSING, grouped(missing));
            parts.push((text, QUIET));
        }
        if damaged > 0 {
            let text = format!("{} {} unreadable  ", signs::ERROR, grouped(damaged));
            parts.push((text, FAILURE));
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
            let index = drawn.grid.raster.region.get(axis).map_or(0, |range| range.start);
            let length = shape.get(axis).copied().unwrap_or(1);
            let here = || format!("{name} = {index} of {}", grouped(length));
            if word.is_some() { name.clone() } else { here() }
        };
        let names: Vec<_> = self.page.fixed(drawn.grid.raster.region.len()).map(name).collect();
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
                let all = drawn.grid.raster.region.iter().map(|r| u128::from(r.end - r.start));
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
}

impl ArrayView<'_> {
    /// The value of the element under the cursor, or why there is none.
    fn element(&self, counted: &CountedColumn, units: &str) -> Vec<Span> {
        let shown = self.chunk.shown().filter(|shown| shown.chunk.id == self.chunk.id);
        let Some(shown) = shown else { return vec![quiet(signs::MORE)] };
        let element = self.chunk.element();
        if let Some(at) = element.filter(|at| shown.in_array(at) == self.page.whole.at) {
            return cursor::element(shown, counted, &at, units);
        }
        let key = safe_owned(shown.chunk.key.as_str());
        let (text, style) = match shown.chunk.fault() {
            Some(why) => (format!("{key} cannot be read: {why}"), FAILURE),
            None if shown.chunk.elements().is_none() => {
                let fill = shown.fill_scalar.as_ref();
                let fill = fill.map_or_else(String::new, |fill| format!(": it reads as {fill}"));
                (format!("{key} is not stored{fill}"), QUIET)
            }
            None => (signs::MORE.to_owned(), QUIET),
        };
        vec![styled(safe_owned(&text), style)]
    }
}

impl ArrayView<'_> {
    /// The look of each cell.
    fn pixels(&self, shades: &Shades) -> Vec<Pixel> {
        let drawn = self.drawn;
        let (map, raster) = (&drawn.cells.map, &drawn.grid.raster);
        let marks_mixed = canvas::oddities_are_few(map);
        let chunks = [
            chunks_of(&drawn.array, raster.down, &raster.rows),
            chunks_of(&drawn.array, Some(raster.right), &raster.columns),
        ];
        let is_partial = drawn.is_partial() && drawn.total > 0;
        // For each cell that was not read, the mean of one beside it.
        let guesses = if is_partial { guesses(map) } else { Vec::new() };
        let pixel = |(number, cell): (usize, &HeatCell)| {
            let (row, column) = (number / map.columns.max(1), number % map.columns.max(1));
            let share = cell.mean.map(|mean| shades.share(mean));
            let of = Pixel::of(cell, share, marks_mixed);
            match of {
                _ if cell.damaged > 0 => Pixel::Damaged(share),
                Some(pixel) => pixel,
                None if cell.absent > 0 || self.is_missing(&chunks, row, column) => Pixel::Missing,
                None => {
                    let guess = guesses.get(number).copied().flatten();
                    guess.map_or(Pixel::Blank, |mean| Pixel::Value(shades.share(mean)))
                }
            }
        };
        map.cells.iter().enumerate().map(pixel).collect()
    }

    /// True if the listing of the store has no chunk for a cell, `chunks` being that of each row and each column of
    /// cells, where it is one.
    fn is_missing(&self, chunks: &[Vec<Option<u64>>; 2], row: usize, column: usize) -> bool {
        let presence = &self.chunk.presence;
        let (drawn, raster) = (self.drawn, &self.drawn.grid.raster);
        if !presence.complete || self.page.whole.reduction != Reduction::Fixed {
            return false;
        }
        let [rows, columns] = chunks;
        let Ok(grid) = &drawn.array.grid else { return false };
        let chunk = |(axis, range): (usize, &Range<u64>)| match axis {
            _ if axis == raster.right => columns.get(column).copied().flatten(),
            _ if Some(axis) == raster.down => rows.get(row).copied().flatten(),
            _ => grid.chunk_at(axis, range.start).map(|(chunk, _)| chunk),
        };
        let at: Option<Vec<u64>> = raster.region.iter().enumerate().map(chunk).collect();
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
fn guesses(map: &HeatMap) -> Vec<Option<f64>> {
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
