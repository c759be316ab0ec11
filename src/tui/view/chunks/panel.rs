//! The panel of the thing under the cursor: the value in both byte orders, the verdict, the header field, or the
//! inspector.

use super::inspector;
use crate::tui::prelude::*;
use crate::zarr::{
    Chunk,
    byte_order::Verdict,
    codec::HeaderField,
    words::{byte_range, hex_start},
};

/// The panel below the dump.
pub struct PanelView<'a> {
    /// The state.
    pub app: &'a App,
    /// The chunk.
    pub shown: &'a Shown,
}

impl Widget for PanelView<'_> {
    fn render(self, area: Rect, buf: &mut Buffer) {
        if area.height == 0 || self.shown.chunk.stored.is_none() {
            return;
        }
        let title = self.title(usize::from(area.height) - 1);
        super::super::rule(Rect { height: 1, ..area }, &title, QUIET, buf);
        let inner = Rect {
            x: area.x + 2,
            y: area.y + 1,
            width: area.width.saturating_sub(2),
            height: area.height - 1,
        };
        let lines = self.lines(inner.width.into(), inner.height.into());
        Text::from(lines).render(inner, buf);
    }
}

impl PanelView<'_> {
    /// The title of the panel, with the fields of a struct that have a row, where not all have one.
    fn title(&self, height: usize) -> String {
        if self.app.pages.chunks.inspector {
            return "the bytes under the cursor as every type".into();
        }
        let elements = self.app.shared.chunk.elements();
        let count = elements.map_or(0, |elements| elements.data_type().fields().len());
        let rows = elements.map(|elements| self.field_rows(elements, height)).unwrap_or_default();
        if rows.len() == count {
            return "under the cursor".into();
        }
        let which = match (rows.start + 1, rows.end) {
            (first, last) if first == last => format!("field {first}"),
            (first, last) => format!("fields {first}–{last}"),
        };
        format!("under the cursor: {which} of {count}")
    }

    /// The fields that have a row, the one under the cursor among them; the verdict has a row as well.
    fn field_rows(&self, elements: &Elements, height: usize) -> Range<usize> {
        let fields = elements.data_type().fields();
        let above = usize::from(self.shown.declared.is_some() && height > LEAST);
        let below = usize::from(self.shown.verdict.is_some());
        let most = height.saturating_sub(above + below).max(1);
        let first = (self.app.shared.chunk.field() + 1).saturating_sub(most);
        first..(first + most).min(fields.len())
    }

    fn lines(&self, width: usize, height: usize) -> Vec<Line> {
        let chunk = &self.app.shared.chunk;
        let Some(data) = chunk.data() else { return Vec::new() };
        if self.app.pages.chunks.inspector {
            let declared = data.elements().map(|elements| elements.data_type().name());
            let declared = declared.unwrap_or_default();
            return inspector::lines(data.bytes(), chunk.cursor, &declared, width, height);
        }
        match data.elements() {
            Some(elements) => self.element(elements, width, height),
            None => self.byte(width, height),
        }
    }

    /// The element in the declared order and in the other, and which is plausible.
    fn element(&self, elements: &Elements, width: usize, height: usize) -> Vec<Line> {
        let chunk = &self.app.shared.chunk;
        let Some(at) = chunk.position() else { return Vec::new() };
        let Some(raw) = elements.bytes().get(elements.byte_range(at)) else {
            return vec![Line::styled("loading these bytes", QUIET)];
        };
        let order = elements.order();
        let mut lines: Vec<Line> = Vec::new();
        let is_struct = !elements.data_type().fields().is_empty();
        let declared = self.shown.declared.as_deref().filter(|_| !is_struct || height > LEAST);
        lines.extend(declared.map(|it| self.before(&it.chunk, elements, width)));
        if is_struct {
            let rows = self.field_rows(elements, height);
            let all = fields(elements, raw, order, width).into_iter();
            lines.extend(all.skip(rows.start).take(rows.len()));
            let rows = height.saturating_sub(lines.len());
            lines.extend(self.verdict(width, rows));
            return lines;
        }
        self.readings(lines, elements, raw, width, height)
    }

    /// True if the verdict has the row of what the bytes are otherwise: it is against the metadata, all is told, or
    /// there are few rows.
    fn evidence_takes_all(&self, height: usize) -> bool {
        self.app.pages.chunks.other_order
            || height < 5
            || self.shown.verdict.as_ref().is_some_and(Verdict::contradicts)
    }

    /// An element that is no struct, as it is declared and in the other order, after these `lines`.
    fn readings(
        &self,
        mut lines: Vec<Line>,
        elements: &Elements,
        raw: &[u8],
        width: usize,
        height: usize,
    ) -> Vec<Line> {
        let order = elements.order();
        let takes_all = self.evidence_takes_all(height);
        let rows = height.saturating_sub(lines.len() + if takes_all { 2 } else { 3 });
        if let Some(supposed) = self.app.shared.supposed() {
            let label = cut(&safe_text(&supposed), 17);
            lines.push(ElementReading::of(&label, elements, raw, order, self.app).line(width));
            if order.applies() {
                lines.truncate(height.saturating_sub(1).max(1));
                lines.extend(self.verdict(width, rows));
            }
        } else if order.applies() {
            let declared = format!("declared {}", order.word());
            lines.push(ElementReading::of(&declared, elements, raw, order, self.app).line(width));
            let other = order.swapped();
            let other = ElementReading::of("the other order", elements, raw, &other, self.app);
            lines.push(other.line(width));
            // However little room there is, the verdict is in sight.
            lines.truncate(height.saturating_sub(1).max(1));
            lines.extend(self.verdict(width, rows));
            if self.app.pages.chunks.other_order {
                return lines;
            }
        } else {
            let room = height.saturating_sub(lines.len() + 1);
            let reading = ElementReading::of("value", elements, raw, order, self.app);
            lines.extend(reading.lines(width, room));
        }
        let rows = height.saturating_sub(lines.len());
        lines.extend(brief(raw, width, rows).take(rows));
        lines
    }

    /// The same place in the chunk as its documents declare it: the element with the same coordinates, or where chunks
    /// are of another shape the one that the byte under the cursor is in.
    fn before(&self, declared: &Chunk, elements: &Elements, width: usize) -> Line {
        let label = "as declared";
        let fault = |text: String| {
            let text = cut(&safe(&text), width.saturating_sub(18));
            Line::from(vec![
                quiet(format!("{label:<18}")),
                styled(format!("{} {text}", signs::ERROR), FAILURE),
            ])
        };
        let Some(before) = declared.elements() else {
            let mut errors = declared.stages.iter().filter_map(|stage| stage.error.as_ref());
            let error = declared.error.as_ref().or_else(|| errors.next());
            return fault(error.map_or_else(|| "no values".into(), ToString::to_string));
        };
        let Some(at) = self.app.shared.chunk.position() else { return Line::default() };
        let at = match before.places() {
            _ if before.shape() == elements.shape() => before.position(&elements.coordinates(at)),
            Places::Fixed(size) => elements.byte_range(at).start / (*size as u64).max(1),
            Places::Ranges(_) => at,
        };
        match before.bytes().get(before.byte_range(at)) {
            Some(raw) => {
                ElementReading::of(label, before, raw, before.order(), self.app).line(width)
            }
            None => fault("no such element".into()),
        }
    }

    fn verdict(&self, width: usize, rows: usize) -> Vec<Line> {
        let Some(verdict) = &self.shown.verdict else { return Vec::new() };
        let evidence = verdict.evidence.first().map(|line| safe_owned(line)).unwrap_or_default();
        let plausible = safe_owned(&verdict.in_words());
        let (word, style) = if verdict.contradicts() {
            let what = if self.shown.declared.is_some() { "the what-if" } else { "the metadata" };
            (format!("Looks {plausible}, which contradicts {what}."), WARNING)
        } else {
            let (label, style) = if verdict.plausible.is_some() {
                ("Looks", FINE)
            } else {
                ("Byte order:", if verdict.speaks() { FINE } else { QUIET })
            };
            (format!("{label} {plausible}."), style)
        };
        // With both orders on show all of the evidence is told; otherwise the strongest, where there is room.
        let all = if self.app.pages.chunks.other_order { verdict.evidence.as_slice() } else { &[] };
        let first = if all.is_empty() { evidence.as_str() } else { "" };
        let rows = rows.max(1);
        let room = if rows > 1 { width.saturating_sub(2) } else { width };
        let mut lines = styled_start(&word, style, first, room, rows);
        if !tells_a_part(&lines, first) {
            lines = styled_start(&word, style, "", room, rows);
        }
        let rest = in_rows(all, room, rows.saturating_sub(lines.len()));
        lines.extend(rest.into_iter().map(|text| format!("  {text}").into()));
        lines
    }

    /// A byte of a stage that is not elements yet: what the header or the checksum says about it.
    fn byte(&self, width: usize, height: usize) -> Vec<Line> {
        let chunk = &self.app.shared.chunk;
        let header = self.shown.header(chunk.stage).iter();
        let here = header.filter(|field| field.bytes.contains(&chunk.cursor));
        let mut lines: Vec<_> = here.map(|field| header_line(field, width)).collect();
        lines.extend(self.checksum());
        if chunk.covers.is_some() {
            let text =
                "The element comes from some of these bytes; the codecs in between hide which.";
            lines.extend(prose("", text, width, PLAIN));
        }
        let next = self.shown.chunk.stages.get(chunk.stage + 1);
        if let Some(next) = next.filter(|_| lines.is_empty()) {
            let text = format!("input of the `{}` codec; L steps into it", safe(&next.name));
            lines.push(Line::styled(text, QUIET));
        }
        let data = chunk.data();
        let end = data.map_or(0, |data| data.len().min(chunk.cursor + 8));
        if let Some(raw) = data.and_then(|data| data.bytes().get(chunk.cursor..end)) {
            lines.extend(brief(raw, width, height.saturating_sub(lines.len())));
        }
        lines
    }

    /// The line of the checksum under the cursor.
    fn checksum(&self) -> Option<Line> {
        let chunk = &self.app.shared.chunk;
        let sum = self.shown.chunk.stages.get(chunk.stage + 1)?.checksum.as_ref()?;
        sum.bytes.contains(&chunk.cursor).then(|| {
            Line::from(format!(
                "checksum {}: stored {:#010x}, computed {:#010x}",
                sum.algorithm, sum.stored, sum.computed
            ))
        })
    }
}

/// `word` in `style` and `text` after it, in at most `rows` lines of `width` columns; all but the first are indented.
fn styled_start(word: &str, style: Style, text: &str, width: usize, rows: usize) -> Vec<Line> {
    let mut left = word.chars().count();
    let told = wrap_to(&format!("{word} {text}"), width, rows).into_iter().enumerate();
    told.map(|(at, line)| {
        let start: String = line.chars().take(left).collect();
        let rest = line.strip_prefix(&start).unwrap_or_default().to_owned();
        // The blank where a line is broken is gone.
        left = left.saturating_sub(start.chars().count() + 1);
        let indent = if at == 0 { "" } else { "  " };
        Line::from(vec![Span::from(indent), styled(start, style), Span::from(rest)])
    })
    .collect()
}

/// True if these lines have at least the first part of `text`, as far as a sign ends it: less says nothing. What a part
/// is about, such as a field, is none.
fn tells_a_part(lines: &[Line], text: &str) -> bool {
    let end = ["; ", ": ", ". "]
        .into_iter()
        .flat_map(|sign| text.match_indices(sign).map(|(at, _)| at))
        .filter(|at| text.get(..*at).is_some_and(|part| part.matches(' ').count() > 1))
        .min();
    let part = text.get(..end.unwrap_or(text.len())).unwrap_or_default();
    let told = lines.iter().map(|line| line.to_string().trim().to_owned()).collect::<Vec<_>>();
    told.join(" ").contains(part)
}

/// Each text on lines of its own, where `rows` are enough for that; else one after the other, as much as there is room
/// for.
fn in_rows(texts: &[String], width: usize, rows: usize) -> Vec<String> {
    let apart: Vec<_> = texts.iter().flat_map(|text| wrap(&safe(text), width)).collect();
    if apart.len() <= rows {
        return apart;
    }
    if rows == 0 { Vec::new() } else { wrap_to(&safe(&texts.join(" ")), width, rows) }
}

/// The bytes in a few small types, on one line, or on two of `rows`.
fn brief(raw: &[u8], width: usize, rows: usize) -> impl Iterator<Item = Line> {
    let lines = inspector::brief(raw, width, rows).into_iter();
    lines.map(|line| Line::styled(line, QUIET))
}

/// The line of a field in a codec's own header.
fn header_line(field: &HeaderField, width: usize) -> Line {
    let mut spans = vec![
        styled(format!("{}  ", safe(&field.name)), theme::HEADER),
        Span::from(cut(&safe(&field.value), width / 2)),
        quiet(format!("  {}", byte_range(&field.bytes))),
    ];
    if let Some(problem) = &field.problem {
        spans.push(styled(format!("  {}", safe(problem)), FAILURE));
    }
    Line::from(spans)
}

/// Rows of the panel that a field and the verdict take.
const LEAST: usize = 2;
/// Columns of what a reading is called.
const LABEL: usize = 18;

/// One reading of an element: `declared big      0a 3d → 2621        × 0.01 + 10 = 36.21`.
struct ElementReading {
    label: String,
    bytes: String,
    value: String,
    /// The value in the units of the array.
    unpacked: String,
}

impl ElementReading {
    fn of(label: &str, elements: &Elements, raw: &[u8], order: &ByteOrder, app: &App) -> Self {
        let value = elements.data_type().decode(raw, order);
        let text = match &value {
            Ok(value) => safe_text(&value),
            Err(error) => safe_text(&error),
        };
        let bytes = hex_start(raw.get(..raw.len().min(16)).unwrap_or_default());
        let more = if raw.len() > 16 { " …" } else { "" };
        let unpacked = value.ok().and_then(|value| app.shared.chunk.unpacked(&value));
        let (label, bytes) = (format!("{label:<LABEL$}"), format!("{bytes}{more}"));
        Self { label, bytes, value: format!("→ {text}"), unpacked: unpacked.unwrap_or_default() }
    }

    fn line(self, width: usize) -> Line {
        let text = self.text(width.saturating_sub(LABEL));
        Line::from(vec![quiet(self.label), Span::from(text)])
    }

    /// The value, and after it what it is in the units of the array.
    fn told(&self) -> String {
        let gap = if self.unpacked.is_empty() { "" } else { "     " };
        format!("{}{gap}{}", self.value, self.unpacked)
    }

    /// All of it in `room` columns: where there are fewer, bytes are cut before the value.
    fn text(&self, room: usize) -> String {
        let whole = format!("{} {}", self.bytes, self.told());
        if whole.width() <= room {
            return whole;
        }
        let left = room.saturating_sub(self.value.width() + 1);
        let beside = left.saturating_sub(self.unpacked.width() + GAP);
        let all_fits = beside >= self.bytes.width().min(FEW_BYTES);
        let bytes = shorter_bytes(&self.bytes, if all_fits { beside } else { left });
        let start = format!("{bytes} {}", self.value);
        let rest = cut_sentence(&self.unpacked, room.saturating_sub(start.width() + GAP));
        if rest == self.unpacked || rest.ends_with(" …") {
            return format!("{start}{:GAP$}{rest}", "").trim_end().to_owned();
        }
        cut(&start, room)
    }

    /// In at most `most` lines: where it is wider than `width`, the value goes on under itself.
    fn lines(self, width: usize, most: usize) -> Vec<Line> {
        let room = width.saturating_sub(LABEL);
        let told = self.told();
        if most < 2 || self.bytes.width() + 1 + told.width() <= room {
            return vec![self.line(width)];
        }
        let more = wrap_to(&told, room, most - 1)
            .into_iter()
            .map(|part| Line::from(format!("{:LABEL$}{part}", "")));
        let first = Line::from(vec![quiet(self.label), Span::from(cut(&self.bytes, room))]);
        iter::once(first).chain(more).collect()
    }
}

/// Columns before what a value is in the units of the array, where they are few.
const GAP: usize = 3;
/// Columns of two bytes and the sign that there are more.
const FEW_BYTES: usize = 7;

/// As many of these bytes as `room` columns hold, but no fewer than the first two.
fn shorter_bytes(bytes: &str, room: usize) -> String {
    if bytes.width() <= room {
        return bytes.to_owned();
    }
    let pairs = (room.max(FEW_BYTES) - 1) / 3;
    format!("{}…", bytes.chars().take(3 * pairs).collect::<String>())
}

/// The fields of a struct, a line each: name, type and order, bytes, value.
fn fields(elements: &Elements, raw: &[u8], order: &ByteOrder, width: usize) -> Vec<Line> {
    let fields = elements.data_type().fields();
    let Ok(Scalar::Struct(value)) = elements.data_type().decode(raw, order) else {
        return Vec::new();
    };
    let row = |(at, (field, (_, value))): (usize, (&Field, &(String, Scalar)))| {
        let sign = order.field(at).badge("  ").filter(|_| field.data_type.has_byte_order());
        let what = format!("{} {}", safe(&field.data_type.name()), sign.unwrap_or("  "));
        let bytes = field.bytes_in(raw);
        (safe_owned(&field.name), what, bytes, safe_text(&value))
    };
    let rows: Vec<_> = fields.iter().zip(value.iter()).enumerate().map(row).collect();
    let widest = |of: &dyn Fn(&FieldRow) -> usize| rows.iter().map(of).max().unwrap_or(0);
    let name = widest(&|row| row.0.width()).min(20);
    let most = (width / 10).max(8);
    // Types have what bytes and values leave, or what is left of them where bytes are cut.
    let room = width.saturating_sub(name + 2);
    let beside = |few: usize| {
        let digits = |row: &FieldRow| (3 * row.2.len().min(most)).min(few);
        room.saturating_sub(widest(&|row| digits(row) + row.3.width() + 5))
    };
    let least = widest(&|row| row.1.width()).min(18).min(beside(FEW_BYTES)).max(8);
    let what = widest(&|row| row.1.width()).min(beside(usize::MAX).max(least));
    let line = |(label, kind, bytes, value): &FieldRow| {
        let more = if bytes.len() > most { "…" } else { "" };
        let bytes = format!("{}{more}", hex_start(bytes.get(..most).unwrap_or(bytes)));
        let bytes = shorter_bytes(&bytes, room.saturating_sub(what + value.width() + 5));
        let text = format!("{}  {bytes} → {value}", left(kind, what));
        Line::from(vec![
            styled(format!("{}  ", left(label, name)), theme::HEADER),
            Span::from(cut(&text, room)),
        ])
    };
    rows.iter().map(line).collect()
}

/// A field of a struct: name, type with its byte order, bytes and value.
type FieldRow<'a> = (String, String, &'a [u8], String);
