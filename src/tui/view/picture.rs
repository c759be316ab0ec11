//! A slice of the chunk as a picture, with what was counted in it.

mod array;
mod canvas;
mod chart;
mod cursor;
mod instead;
mod legend;
pub(super) mod number;
mod shade;
mod summary;

pub use shade::{Colors, cube_color, reduce};

use crate::tui::prelude::*;
use array::ArrayView;
use canvas::{Canvas, Shades, oddities_are_few};
use instead::{failure, missing, page, single, why_not};
use number::Labels;
use shade::Pixel;

/// The name of an array; that at the root is called `root`.
fn name(path: &NodePath, root: &str) -> String {
    if path.0.is_empty() { root.to_owned() } else { safe_owned(path.name()) }
}

/// The picture of the chunk on show.
pub struct PictureView<'a> {
    /// The kind of drawing.
    pub page: &'a PicturePage,
    /// The chunk that is drawn.
    pub chunk: &'a CurrentChunk,
    /// The settings that the array is read by, where these are not its own.
    pub supposed: Option<&'a WhatIf>,
    /// The name of the root, safe to show.
    pub root: &'a str,
}

impl Widget for PictureView<'_> {
    fn render(self, area: Rect, buf: &mut Buffer) {
        let Self { page, chunk, .. } = self;
        match page.whole.drawn.as_ref().filter(|_| page.draws_array(chunk)) {
            Some(drawn) => {
                let frame = PictureFrame::new(Size::new(area.width, area.height));
                ArrayView { page, chunk, drawn, frame, root: self.root }.render(area, buf);
            }
            None => self.chunk(area, buf),
        }
    }
}

impl PictureView<'_> {
    fn chunk(&self, area: Rect, buf: &mut Buffer) {
        let width = usize::from(area.width);
        let shown = match &self.chunk.load {
            Load::Ready(shown) => shown,
            Load::Idle | Load::Pending => {
                return page("reading the chunk …", area, buf);
            }
            Load::Failed(error) if error.code == Code::EmptyArray => {
                let text = format!("This array has no elements: found {error}");
                return page(&text, area, buf);
            }
            Load::Failed(error) => return failure("This chunk cannot be read.", error, area, buf),
        };
        title(width, |is_named, brief| self.title(shown, is_named, brief)).render(area, buf);
        let body = area.intersection(Rect { y: area.y.saturating_add(1), ..area });
        if let Some(error) = why_not(shown) {
            let text = "Nothing to draw: the chunk was not decoded completely. 2 shows how far decoding came.";
            return failure(text, error, body, buf);
        }
        match (&self.page.pictured, shown.chunk.elements()) {
            (_, None) => page(&missing(shown), body, buf),
            (_, Some(elements)) if elements.is_empty() => {
                page("This chunk has no elements: a dimension of the array is 0.", body, buf);
            }
            (_, Some(elements)) if elements.shape().is_empty() => single(shown, body, buf),
            (Load::Ready(pictured), _) => match &pictured.declared {
                Some(declared) => self.twin(declared, pictured, body, buf),
                None => self.body(pictured, body, buf),
            },
            (Load::Idle | Load::Pending, _) => {
                let far = self.page.counting.map(|pace| how_far("counting", pace, grouped));
                page(far.as_deref().unwrap_or("counting …"), body, buf);
            }
            (Load::Failed(error), _) => {
                failure("The elements cannot be counted.", error, body, buf);
            }
        }
    }
}

impl PictureView<'_> {
    /// The parts of the line of the array, the chunk, and the part of it that is drawn.
    fn title(&self, shown: &Shown, is_named: bool, brief: bool) -> Vec<(String, Style)> {
        let inner = shown.chunk.id.inner.iter().map(|at| format!(" inner {}", list(at)));
        let inner: String = inner.collect();
        let stored = if shown.chunk.stored.is_none() { "not stored: all fill   " } else { "" };
        // The name is in the line above the views, too.
        let of =
            if is_named { format!(" of {}", name(&shown.path, self.root)) } else { String::new() };
        let parts = [
            (format!(" {}{inner}", safe(chunk_key(shown))), TITLE),
            (format!("{of}   {stored}"), PLAIN),
            (self.what(), MARK),
        ];
        let pictured = self.page.pictured.ready();
        let how = pictured.and_then(|pictured| {
            let of = (&*pictured.grid, &*shown.array, &pictured.chosen()?.choice);
            Some(how(of, pictured.map.as_ref()?.sampled, self.page.scale, brief))
        });
        let how = how.into_iter().flatten().map(|text| (text, QUIET));
        parts.into_iter().chain(how).collect()
    }

    /// The number of every element that is drawn, where there are several.
    fn what(&self) -> String {
        let choices = self.chunk.choices();
        match self.page.choice(&choices).and_then(|at| choices.get(at)) {
            Some(choice) if !choice.name.is_empty() => {
                format!("{}  {}   ", safe(&choice.words()), safe(&choice.data_type))
            }
            Some(_) => String::new(),
            None if choices.is_empty() => String::new(),
            None => "all fields   ".to_owned(),
        }
    }

    fn body(&self, pictured: &Pictured, area: Rect, buf: &mut Buffer) {
        let (rows, width) = (usize::from(area.height), usize::from(area.width));
        match (&pictured.map, pictured.chosen()) {
            (Some(map), Some(counted)) => self.drawing(pictured, map, counted, area, buf),
            (None, Some(counted)) => {
                let mut lines = vec![Line::default()];
                lines.extend(Self::of_text(counted, rows.saturating_sub(4), width));
                Text::from(lines).render(area, buf);
            }
            _ => {
                let words = if pictured.counted.values().any(|one| one.choice.is_numeric()) {
                    "Every field on its own; c or :field NAME draws one."
                } else {
                    "No field of this struct is a number, so nothing can be drawn. Each field's values, most \
                     frequent first; v shows every element:"
                };
                let mut lines = vec![Line::default()];
                lines.extend(prose(" ", words, width.saturating_sub(2), QUIET));
                lines.push(Line::default());
                lines.extend(summary::fields(pictured, rows.saturating_sub(lines.len()), width));
                Text::from(lines).render(area, buf);
            }
        }
    }

    /// Before and after: the chunk as its documents declare it, and below as it is read.
    fn twin(
        &self,
        before: &Result<Arc<Pictured>, Error>,
        after: &Pictured,
        area: Rect,
        buf: &mut Buffer,
    ) {
        let halves = PictureHalves::new(Size::new(area.width, area.height.saturating_add(1)));
        let [above, below] = stacked(area, [Length(halves.upper), Fill(1)]);
        match before {
            Ok(before) => {
                self.half("before", "as declared", before, halves.frame, above, buf);
            }
            Err(error) => {
                let head = Line::styled(" before   as declared: cannot be decoded", FAILURE);
                head.render(above, buf);
                let (text, width) = (error.to_string(), usize::from(area.width) - 4);
                let rest = above.intersection(Rect { y: above.y.saturating_add(1), ..above });
                Text::from(prose("   ", &safe(&text), width, PLAIN)).render(rest, buf);
            }
        }
        let settings = self.supposed.map(|it| safe_text(&it));
        let settings = settings.unwrap_or_default();
        self.half("after", &format!("what if {settings}"), after, halves.frame, below, buf);
    }

    /// One of two drawings: its label with the range of its values, the cells, the element under the cursor.
    fn half(
        &self,
        word: &str,
        label: &str,
        pictured: &Pictured,
        frame: PictureFrame,
        area: Rect,
        buf: &mut Buffer,
    ) {
        let [head, map_area, cursor] =
            stacked(area, [Length(1), Length(cells(frame.rows + 1)), Length(1)]);
        let counted = pictured.chosen();
        let labels = counted.map(Labels::of);
        let parts = [
            (format!(" {word:<8}"), STRONG),
            (label.to_owned(), MARK),
            (range(counted.zip(labels.as_ref())), QUIET),
        ];
        fitted(parts, area.width.into()).render(head, buf);
        let (Some(map), Some(counted), Some(labels)) = (&pictured.map, counted, &labels) else {
            let text = "   The values are not numbers; 2 shows them.";
            return Line::styled(text, QUIET).render(map_area, buf);
        };
        // Of a large chunk, the part that the cursor is in is not the one that was drawn.
        let here = self.chunk.shown().filter(|_| word == "after");
        let shown = here.unwrap_or(&pictured.shown);
        let at = self.chunk.element().filter(|at| at.len() == pictured.shown.chunk.shape.len());
        self.drawn((pictured, map, counted), (shown, at), labels, ("", [map_area, cursor]), buf);
    }

    /// The cells, and the element under the cursor, by its coordinates in the chunk, which is in `shown`.
    fn drawn(
        &self,
        (pictured, map, counted): (&Pictured, &HeatMap, &CountedColumn),
        (shown, at): (&Shown, Option<Vec<u64>>),
        labels: &Labels,
        (on_scale, [map_area, cursor]): (&str, [Rect; 2]),
        buf: &mut Buffer,
    ) {
        let raster = &pictured.grid.raster;
        let in_array = at.as_ref().map(|at| shown.in_array(at));
        let scale = if raster.down.is_some() { self.page.scale } else { Scale::Linear };
        let shades = Shades::of(map, scale);
        let marks_mixed = oddities_are_few(map);
        let pixel = |cell: &HeatCell| {
            let share = cell.mean.map(|mean| shades.share(mean));
            Pixel::of(cell, share, marks_mixed).unwrap_or(Pixel::Unloaded)
        };
        let pixels = map.cells.iter().map(pixel).collect();
        let (grid, at_array) = (&*pictured.grid, in_array.as_deref());
        Canvas { grid, pixels, shades, at: at_array, labels, units: on_scale }
            .render(map_area, buf);
        if let (Some(at), Some(in_array), Some(_)) = (at, &in_array, shown.chunk.elements()) {
            let units = summary::units_of(&pictured.shown.array, &counted.choice);
            let element = cursor::element(shown, counted, &at, &units);
            let cell = raster.cell(in_array).and_then(|(row, column)| map.cell(row, column));
            cursor::under(in_array, element, (cell, "mean"), labels, cursor.width.into())
                .render(cursor, buf);
        }
    }

    /// Text and bytes: which there are, and how often.
    fn of_text(counted: &CountedColumn, rows: usize, width: usize) -> Vec<Line> {
        let elements = words::counted(counted.statistics.elements, "element");
        let fill = grouped(counted.statistics.fill_value);
        let head = format!(
            " {elements} of {}: each distinct value and its count.   fill {fill}",
            safe(&counted.choice.data_type)
        );
        let head = cut_sentence(&head, width);
        let mut lines = vec![Line::styled(head, QUIET), Line::default()];
        lines.extend(summary::variety(counted, rows, width));
        lines
    }

    fn drawing(
        &self,
        pictured: &Pictured,
        map: &HeatMap,
        counted: &CountedColumn,
        area: Rect,
        buf: &mut Buffer,
    ) {
        let frame = PictureFrame::new(Size::new(area.width, area.height.saturating_add(1)));
        let labels = Labels::of(counted);
        let stats = summary::lines(pictured, counted, &labels, area.width.into());
        let [fixed, map_area, cursor, counts, bars] = parts(area, frame);
        let shown = &pictured.shown;
        let at = self.chunk.element();
        let mut above = self.fixed(shown, at.as_deref());
        let fill = shown.fill_scalar.as_ref().filter(|_| pictured.choice == Some(0));
        above.extend(legend::signs(fill, map, &labels));
        above.extend(legend::unloaded(map));
        Line::from(above).render(fixed, buf);
        let units = summary::units_of(&shown.array, &counted.choice);
        let on_scale = summary::units_on_scale(&shown.array, &counted.choice, &units);
        let here = (&**self.chunk.shown().unwrap_or(shown), at);
        let areas = (on_scale, [map_area, cursor]);
        self.drawn((pictured, map, counted), here, &labels, areas, buf);
        Text::from(stats).render(counts, buf);
        if let Some(histogram) = &counted.histogram {
            let ends = summary::ends(counted, &labels);
            let step = labels.step(histogram.width());
            let room = (bars.width.into(), bars.height.into());
            Text::from(chart::histogram(histogram, ends, &step, room)).render(bars, buf);
        }
    }

    /// The place of the slice on the dimensions that are not drawn.
    fn fixed(&self, shown: &Shown, inside: Option<&[u64]>) -> Vec<Span> {
        let mut spans = Vec::new();
        for at in self.page.fixed(shown.chunk.shape.len()) {
            let Some(range) = shown.chunk.region.get(at) else { continue };
            let index = inside.and_then(|inside| inside.get(at)).copied().unwrap_or(0);
            let gap = if spans.is_empty() { " " } else { "   " };
            let name = format!("{gap}{} = ", axis_name(&shown.array, at));
            spans.push(quiet(name));
            spans.push(styled(format!("{}", range.start + index), MARK));
            let length = range.end - range.start;
            if length > 1 {
                let of = format!(" ({} of {length} here)", index + 1);
                spans.push(quiet(of));
            }
        }
        spans
    }
}

/// The lowest and the highest of what was counted.
fn range(counted: Option<(&CountedColumn, &Labels)>) -> String {
    let ends = counted.map(|(counted, labels)| summary::ends(counted, labels));
    let ends = ends.filter(|[least, _]| !least.is_empty());
    ends.map(|[least, most]| format!("   {least} to {most}")).unwrap_or_default()
}

/// The chunk's key below its array.
fn chunk_key(shown: &Shown) -> &str {
    shown.path.relative(&shown.chunk.key)
}

/// The areas of the other dimensions, the drawing, the cursor, the statistics and the histogram.
fn parts(area: Rect, frame: PictureFrame) -> [Rect; 5] {
    let gap = u16::from(frame.roomy);
    let [fixed, _, map, cursor, _, counts, _, bars] = stacked(
        area,
        [
            Length(1),
            Length(gap),
            Fill(1),
            Length(1),
            Length(gap),
            Length(frame.facts),
            Length(gap),
            Length(1 + gap),
        ],
    );
    [fixed, map, cursor, counts, bars]
}

/// A dimension's name, or its number.
fn axis_name(array: &ArrayMetadata, at: usize) -> String {
    array.dimension_name(at)
}

/// The dimensions that run down and right, the content of a cell, and the scale, where these are to be told; if `brief`,
/// in fewer words.
fn how(
    (grid, array, choice): (&CellGrid, &ArrayMetadata, &Choice),
    is_sampled: bool,
    scale: Scale,
    brief: bool,
) -> [String; 3] {
    let Raster { down, right, region, takes_highest, .. } = &grid.raster;
    let (runs, right) = (if brief { "" } else { "runs " }, axis_name(array, *right));
    let axes = match down {
        Some(down) => format!("{} {runs}down, {right} right", axis_name(array, *down)),
        None => format!("{right} {runs}right"),
    };
    let ((low, high), (narrow, wide)) = (grid.rulers.0.widths(), grid.rulers.1.widths());
    let is_drawn = |axis: usize| Some(axis) == *down || axis == grid.raster.right;
    let behind = region.iter().enumerate().filter(|(axis, _)| !is_drawn(*axis));
    let behind = behind.map(|(_, range)| range.end - range.start).fold(1, u64::saturating_mul);
    let value = match choice.part {
        _ if *takes_highest => "highest",
        ComplexPart::Phase if choice.is_complex => "first",
        _ => "mean",
    };
    let sample = if is_sampled { "a sample of " } else { "" };
    // Where cells do not divide the elements, some have fewer.
    let up_to = if low < high || narrow < wide { "up to " } else { "" };
    let sides = [down.map(|_| high), Some(wide), (behind > 1).then_some(behind)];
    let many = sides.into_iter().flatten().map(grouped).joined("×");
    let per = if down.is_some() { "cell" } else { "column" };
    let cell = match (high.saturating_mul(wide).saturating_mul(behind), brief) {
        (1, _) => String::new(),
        (_, true) => format!("   {value} of {sample}{up_to}{many}"),
        (_, false) => format!("   per {per}: the {value} of {sample}{up_to}{many}"),
    };
    let by_rank = scale == Scale::Rank && down.is_some();
    [axes, cell, if by_rank { "   colours by rank".into() } else { String::new() }]
}

/// The longest form of a title that has room: `parts` gives it with or without the name of the array, or in fewer words.
/// What has no room is not begun.
fn title(width: usize, parts: impl Fn(bool, bool) -> Vec<(String, Style)>) -> Line {
    let used =
        |parts: &[(String, Style)]| parts.iter().map(|(text, _)| text.width()).sum::<usize>();
    let forms = [(true, false), (false, false), (false, true)];
    let mut forms = forms.into_iter().map(|(is_named, brief)| parts(is_named, brief));
    let fits = forms.find(|parts| used(parts) <= width);
    let mut parts = fits.unwrap_or_else(|| parts(false, true));
    while parts.len() > 2 && used(&parts) > width {
        parts.pop();
    }
    fitted(parts, width)
}

/// Parts of a line one after the other, as far as they have room.
fn fitted(parts: impl IntoIterator<Item = (String, Style)>, width: usize) -> Line {
    let spans = parts.into_iter().map(|(text, style)| styled(text, style));
    super::fitted(spans.collect(), width)
}
