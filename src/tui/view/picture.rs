//! A slice of the chunk as a picture, with what was counted in it; and an honest page where there is nothing to draw.

mod chart;
mod heat;
mod number;
mod shade;
mod summary;

pub use shade::{Colors, reduce};

use crate::{
    app::{
        Load, Size,
        chunks::{ChunksPage, Shown, strip::grouped},
        picture::{Counted, PicturePage, Pictured, Scale, frame},
    },
    tui::{theme, view::text},
    zarr::{Error, statistics::HeatMap, text::safe},
};
use chart::Chart;
use heat::Heat;
use ratatui::{
    buffer::Buffer,
    layout::{Constraint, Layout, Rect},
    style::Style,
    text::{Line, Span, Text},
    widgets::Widget,
};
use summary::Packing;

/// The picture of the chunk on show.
#[derive(Debug)]
pub struct PictureView<'a> {
    /// How it is drawn.
    pub page: &'a PicturePage,
    /// Which chunk it is of.
    pub chunks: &'a ChunksPage,
}

impl Widget for PictureView<'_> {
    fn render(self, area: Rect, buf: &mut Buffer) {
        let width = usize::from(area.width);
        let shown = match &self.chunks.load {
            Load::Ready(shown) => shown,
            Load::Idle | Load::Pending => {
                return page(&[("", "reading the chunk …".into())], area, buf);
            }
            Load::Failed(error) => return failure("This chunk cannot be read.", error, area, buf),
        };
        self.title(shown, width).render(area, buf);
        let body = area.intersection(Rect { y: area.y.saturating_add(1), ..area });
        if let Some(error) = why_not(shown) {
            let text = "There is nothing to draw: the chunk could not be decoded to its end. 2 shows how far it got.";
            return failure(text, error, body, buf);
        }
        match (&self.page.pictured, shown.chunk.elements()) {
            (_, None) => page(&missing(shown), body, buf),
            (_, Some(elements)) if elements.is_empty() => {
                let text = "This chunk has no elements: a dimension of the array is 0.".into();
                page(&[("", text)], body, buf);
            }
            (_, Some(elements)) if elements.shape().is_empty() => single(shown, body, buf),
            (Load::Ready(pictured), _) => self.body(pictured, body, buf),
            (Load::Idle | Load::Pending, _) => page(&[("", "counting …".into())], body, buf),
            (Load::Failed(error), _) => {
                failure("The elements cannot be counted.", error, body, buf);
            }
        }
    }
}

impl PictureView<'_> {
    /// Which chunk of which array.
    fn title(&self, shown: &Shown, width: usize) -> Line<'static> {
        let name = if shown.path.0.is_empty() { "the root" } else { shown.path.name() };
        let inner = shown.chunk.id.inner.iter().map(|at| format!(", inner chunk {at:?}"));
        let inner: String = inner.collect();
        let stored = if shown.chunk.stored.is_none() { "not stored: all fill   " } else { "" };
        let key = format!(" {}{inner}", safe(chunk_key(shown)));
        let of = format!(" of {}   {stored}", safe(name));
        let used = unicode_width::UnicodeWidthStr::width(format!("{key}{of}").as_str());
        Line::from(vec![
            Span::styled(text::cut(&key, width), theme::TITLE),
            Span::styled(of, theme::PLAIN),
            Span::styled(text::cut(&self.how(shown), width.saturating_sub(used)), theme::QUIET),
        ])
    }

    /// What runs down and right, and how many elements are in a cell.
    fn how(&self, shown: &Shown) -> String {
        let Load::Ready(pictured) = &self.page.pictured else { return String::new() };
        let Some(map) = &pictured.map else { return String::new() };
        let length = |axis: usize| shown.chunk.shape.get(axis).copied().unwrap_or(1);
        let right = pictured.slice.right;
        let across = length(right).div_ceil(map.columns.max(1) as u64);
        let Some(down) = pictured.slice.down else {
            let cell = if across == 1 {
                String::new()
            } else {
                format!(", a column the mean of {across}")
            };
            return format!("{} right{cell}", axis(shown, right));
        };
        let high = length(down).div_ceil(map.rows.max(1) as u64);
        let cell = match (high * across, map.sampled) {
            (1, _) => String::new(),
            (_, false) => format!(", a cell the mean of up to {high}×{across}"),
            (_, true) => format!(", a cell the mean of some of {high}×{across}"),
        };
        let scale = if self.page.scale == Scale::Rank { ", colours by rank" } else { "" };
        format!("{} down, {} right{cell}{scale}", axis(shown, down), axis(shown, right))
    }

    fn body(&self, pictured: &Pictured, area: Rect, buf: &mut Buffer) {
        let (rows, width) = (usize::from(area.height), usize::from(area.width));
        match (&pictured.map, pictured.counted.first()) {
            (Some(map), Some(counted)) => self.drawing(pictured, map, counted, area, buf),
            (None, Some(counted)) if counted.name.is_empty() && pictured.counted.len() == 1 => {
                let mut lines = vec![Line::default()];
                lines.extend(Self::of_text(counted, rows.saturating_sub(4), width));
                Text::from(lines).render(area, buf);
            }
            _ => {
                let words = "A struct is no single number: no picture, but each field by itself.";
                let words = text::cut(&format!(" {words}"), width);
                let mut lines = vec![Line::default(), Line::styled(words, theme::QUIET)];
                lines.push(Line::default());
                lines.extend(summary::fields(pictured, rows.saturating_sub(3), width));
                Text::from(lines).render(area, buf);
            }
        }
    }

    /// Text and bytes: which there are, and how often.
    fn of_text(counted: &Counted, rows: usize, width: usize) -> Vec<Line<'static>> {
        let elements = grouped(counted.statistics.elements);
        let fill = grouped(counted.statistics.fill_value);
        let head = format!(
            " {elements} elements of {}, no numbers: what there is, and how often.   fill {fill}",
            safe(&counted.data_type)
        );
        let mut lines = vec![Line::styled(text::cut(&head, width), theme::QUIET), Line::default()];
        lines.extend(summary::variety(counted, rows, width));
        lines
    }

    fn drawing(
        &self,
        pictured: &Pictured,
        map: &HeatMap,
        counted: &Counted,
        area: Rect,
        buf: &mut Buffer,
    ) {
        let frame = frame(Size::new(area.width, area.height.saturating_add(1)));
        let gap = u16::from(frame.roomy);
        let stats = summary::lines(pictured, counted, area.width.into());
        let [fixed, map_area, cursor, counts, bars] = parts(area, gap);
        let shown = &pictured.shown;
        self.fixed(shown).render(fixed, buf);
        let units =
            if Packing::of(shown).is_some() { String::new() } else { summary::units(shown) };
        if pictured.slice.down.is_some() {
            Heat { page: self.page, pictured, map, frame, units: &units }.render(map_area, buf);
        } else {
            Chart { page: self.page, pictured, map, frame, units: &units }.render(map_area, buf);
        }
        self.cursor(shown, &units).render(cursor, buf);
        Text::from(stats).render(counts, buf);
        if let Some(histogram) = &counted.histogram {
            let ends = summary::ends(counted, |value| number::labelled(shown, value));
            let room = (bars.width.into(), bars.height.into());
            Text::from(chart::histogram(histogram, ends, room)).render(bars, buf);
        }
    }

    /// Where the slice lies on the dimensions that are not drawn.
    fn fixed(&self, shown: &Shown) -> Line<'static> {
        let shape = &shown.chunk.shape;
        let (down, right) = self.page.drawn(shape.len());
        let moved = self.page.fixed(shape.len());
        let mut spans = Vec::new();
        for (at, length) in shape.iter().enumerate().filter(|(at, _)| *at != down && *at != right) {
            let index = if moved == Some(at) { self.page.index } else { 0 };
            let start = shown.chunk.region.get(at).map_or(0, |range| range.start);
            spans.push(Span::styled(format!(" {} ", axis(shown, at)), theme::QUIET));
            spans.push(Span::raw(format!("{}", start + index)));
            let of = format!(" ({} of {length} in the chunk)  ", index + 1);
            spans.push(Span::styled(of, theme::QUIET));
        }
        Line::from(spans)
    }

    /// The element under the cursor.
    fn cursor(&self, shown: &Shown, units: &str) -> Line<'static> {
        let inside = self.page.element(&shown.chunk.shape);
        let (Some(inside), Some(elements)) = (inside, shown.chunk.elements()) else {
            return Line::default();
        };
        let position = elements.position(&inside);
        let value = elements.value(position);
        let bytes = elements.bytes().get(elements.byte_range(position));
        let is_fill = bytes.is_some_and(|bytes| shown.is_fill(bytes));
        let at = format!(" ╋ {:?}  ", shown.in_array(&inside));
        let text = match &value {
            None => "not loaded".into(),
            Some(Err(error)) => safe(&error.to_string()).into_owned(),
            Some(Ok(value)) => safe(&value.to_string()).into_owned(),
        };
        let mut spans = vec![Span::styled(at, theme::QUIET), Span::styled(text, theme::STRONG)];
        let mut quiet = |text: String| spans.push(Span::styled(text, theme::QUIET));
        if shown.is_padding(&inside) {
            quiet("  padding behind the array's edge".into());
        } else if is_fill {
            quiet("  the fill value".into());
        } else if let Some(packing) = Packing::of(shown) {
            quiet(packing.unpacked(value.as_ref().and_then(|value| value.as_ref().ok())));
            quiet(format!(" {}", summary::units(shown)));
        } else {
            quiet(format!(" {units}"));
        }
        Line::from(spans)
    }
}

/// The chunk's key below its array.
fn chunk_key(shown: &Shown) -> &str {
    let key = shown.chunk.key.as_str();
    key.strip_prefix(shown.path.0.as_str()).unwrap_or(key).trim_start_matches('/')
}

/// Where the other dimensions, the drawing, the cursor, the statistics and the histogram go, `gap` rows between them.
fn parts(area: Rect, gap: u16) -> [Rect; 5] {
    let [fixed, _, map, cursor, _, counts, _, bars] = area.layout(&Layout::vertical([
        Constraint::Length(1),
        Constraint::Length(gap),
        Constraint::Fill(1),
        Constraint::Length(1),
        Constraint::Length(gap),
        Constraint::Length(3),
        Constraint::Length(gap),
        Constraint::Length(1 + gap),
    ]));
    [fixed, map, cursor, counts, bars]
}

/// A dimension's name, or its number.
fn axis(shown: &Shown, at: usize) -> String {
    let names = shown.array.dimension_names.as_ref();
    let name = names.and_then(|names| names.get(at)?.as_deref()).filter(|name| !name.is_empty());
    name.map_or_else(|| format!("dimension {at}"), |name| safe(name).into_owned())
}

/// Why the chunk has no elements, where something went wrong.
fn why_not(shown: &Shown) -> Option<&Error> {
    let failed = shown.failed().and_then(|at| shown.chunk.stages.get(at)?.error.as_ref());
    shown.chunk.error.as_ref().or(failed)
}

/// What to say of a chunk that is not there.
fn missing(shown: &Shown) -> Vec<(&'static str, String)> {
    let fill = shown.fill_scalar.as_ref().map(|fill| safe(&fill.to_string()).into_owned());
    let fill = fill.unwrap_or_else(|| "the fill value, which cannot be read".into());
    vec![(
        "",
        format!("This chunk is not stored. That is no fault: every element of it reads as {fill}."),
    )]
}

/// One element: its value and what that is made of.
fn single(shown: &Shown, area: Rect, buf: &mut Buffer) {
    let Some(elements) = shown.chunk.elements() else { return };
    let mut parts = Vec::new();
    match elements.value(0) {
        Some(Ok(value)) => {
            parts.push(("value", safe(&value.to_string()).into_owned()));
            let rows = elements.data_type().anatomy(&value, elements.order());
            let text: Vec<(String, String)> =
                rows.into_iter().map(|row| (row.label, safe(&row.value).into_owned())).collect();
            let width = usize::from(area.width);
            let mut lines = vec![Line::default()];
            let intro = "An array without dimensions: one element, and no picture of it.";
            lines.push(Line::styled(format!(" {intro}"), theme::QUIET));
            lines.push(Line::default());
            for (label, value) in &parts {
                lines.extend(labelled(label, value, theme::STRONG, width));
            }
            for (label, value) in &text {
                lines.extend(labelled(label, value, theme::PLAIN, width));
            }
            Text::from(lines).render(area, buf);
        }
        Some(Err(error)) => failure("The element cannot be read.", &error, area, buf),
        None => page(&[("", "The element is not loaded.".into())], area, buf),
    }
}

/// A label and a value that may take several lines.
fn labelled(label: &str, value: &str, style: Style, width: usize) -> Vec<Line<'static>> {
    let mut label = text::left(label, 16);
    let mut lines = Vec::new();
    for part in text::wrap(value, width.saturating_sub(20)) {
        let head = Span::styled(format!(" {label}  "), theme::QUIET);
        lines.push(Line::from(vec![head, Span::styled(part, style)]));
        label = " ".repeat(16);
    }
    lines
}

/// A page of sentences.
fn page(parts: &[(&'static str, String)], area: Rect, buf: &mut Buffer) {
    let width = usize::from(area.width);
    let mut lines = vec![Line::default()];
    for (label, text) in parts {
        if label.is_empty() {
            let prose = text::wrap(text, width.saturating_sub(4).min(76));
            lines.extend(prose.into_iter().map(|line| Line::raw(format!(" {line}"))));
            lines.push(Line::default());
        } else {
            lines.extend(labelled(label, text, theme::PLAIN, width));
        }
    }
    Text::from(lines).render(area, buf);
}

/// A page that says what is wrong and what can be done.
fn failure(what: &str, error: &Error, area: Rect, buf: &mut Buffer) {
    let mut parts = vec![("", what.to_owned())];
    let place = error.place.to_string();
    if !place.is_empty() {
        parts.push(("place", safe(&place).into_owned()));
    }
    parts.push(("found", safe(&error.found).into_owned()));
    parts.push(("expected", safe(&error.expected).into_owned()));
    parts.extend(error.fix.as_ref().map(|fix| ("to do", safe(fix).into_owned())));
    page(&parts, area, buf);
}
