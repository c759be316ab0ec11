//! Hex and values side by side: a row shows the same elements as bytes and as values.

use super::fields::names;
use crate::tui::prelude::*;
use crate::{
    app::layout::{
        dump::{OFFSET, heading},
        fields::FieldColumns,
    },
    zarr::words::cut_number,
};

/// The dump of the selected stage.
pub struct DumpView<'a> {
    /// The state.
    pub app: &'a App,
    /// The chunk.
    pub shown: &'a Shown,
}

impl Widget for DumpView<'_> {
    fn render(self, area: Rect, buf: &mut Buffer) {
        let chunk = &self.app.shared.chunk;
        let rows = self.app.pages.chunks.rows(chunk, area.width.into());
        let Some(rows) = rows.filter(|_| area.height > 0) else {
            let text = " this stage produced no bytes";
            buf.set_stringn(area.x, area.y, text, area.width.into(), QUIET);
            return;
        };
        self.head(&rows, area.width.into()).render(Rect { height: 1, ..area }, buf);
        let body = Rect { y: area.y + 1, height: area.height - 1, ..area };
        if rows.len == 0 {
            buf.set_stringn(body.x, body.y, " no elements", body.width.into(), QUIET);
            return;
        }
        let selected = chunk.selection();
        let lines = rows.lines(chunk.top, body.height.into());
        for (line, y) in lines.iter().zip(body.rows()) {
            let spans = match line {
                DumpLine::Fold(count, units) => self.fold(&rows, *count, units, &selected),
                DumpLine::Row(units) => match rows.elements() {
                    Some(elements) => self.elements(&rows, elements, units, &selected),
                    None => self.bytes(&rows, units, &selected),
                },
            };
            Line::from(spans).render(y, buf);
        }
    }
}

impl DumpView<'_> {
    fn head(&self, rows: &DumpRows, width: usize) -> Line {
        let Some(elements) = rows.elements() else { return self.head_of_bytes(rows) };
        if self.shows_fields(rows, elements) {
            return self.head_of_fields(rows, elements);
        }
        let per_row = usize::try_from(rows.per_row).unwrap_or(1);
        let names = names(elements.data_type().fields());
        let values = match self.app.pages.chunks.base {
            NumberBase::Value if names.is_empty() => "values".into(),
            NumberBase::Value => self.columns(&names, rows.value_width, false),
            NumberBase::Hex => "hex, most significant first".into(),
            NumberBase::Binary => "bits, most significant first".into(),
        };
        let index = heading(self.shown, elements, rows.coordinates.saturating_sub(1));
        let head = format!(
            "{}{}{}",
            left("offset", OFFSET),
            left(&index, rows.coordinates),
            head_of_units(rows),
        );
        if rows.other_width == 0 {
            return Line::styled(head + &values, QUIET);
        }
        let room = per_row * (rows.value_width + 1);
        let order = elements.order().word();
        let values = match format!("{values}, {order}") {
            _ if !names.is_empty() => values,
            both if both.len() < room => both,
            _ => order.into(),
        };
        let values = left(&values, room);
        let room = width.saturating_sub(head.width() + values.width() + 2);
        let columns = per_row * (rows.other_width + 1);
        let other = self.head_of_other(&names, elements, columns, room);
        Line::from(vec![quiet(head + &values), other])
    }

    /// The heading of the values on the right: their order; of a struct, the fields that are there. The values have so
    /// many `columns`; the heading has `room` up to the edge.
    fn head_of_other(
        &self,
        names: &[String],
        elements: &Elements,
        columns: usize,
        room: usize,
    ) -> Span {
        let (fields, columns) = self.fields_in(columns, true);
        let there = fields.get(columns.shown).unwrap_or_default();
        let there: Vec<&str> =
            there.iter().filter_map(|at| Some(names.get(*at)?.as_str())).collect();
        let swapped = elements.order().swapped();
        let order = swapped.word();
        let long = format!("{order}, the other order");
        let text = match there.len() == names.len() {
            true if long.len() <= room => long,
            true => format!("{order}, other"),
            false => format!("{order}: {}", there.join(", ")),
        };
        styled(format!("│ {}", cut(&text, room.max("little, other".len()))), theme::OTHER)
    }

    /// True if fields are apart: of a struct, where values are shown as such and in one byte order.
    fn shows_fields(&self, rows: &DumpRows, elements: &Elements) -> bool {
        let is_value = self.app.pages.chunks.base == NumberBase::Value && rows.other_width == 0;
        is_value && !elements.data_type().fields().is_empty()
    }

    fn head_of_bytes(&self, rows: &DumpRows) -> Line {
        let after = self.shown.chunk.stages.get(self.app.shared.chunk.stage);
        let name = after.map(|stage| safe_owned(&stage.name)).unwrap_or_default();
        let what = if name == "file" {
            "the file as stored".into()
        } else {
            format!("the output of {name}")
        };
        let room = rows.bytes_columns();
        let what = if what.width() < room { left(&what, room) + "text" } else { what };
        Line::styled(format!("{}{what}", left("offset", OFFSET)), QUIET)
    }

    /// The offset of a row, in the base that is chosen.
    fn offset(&self, offset: u64) -> Span {
        let text = if self.app.pages.chunks.decimal {
            format!("{offset:>8}")
        } else {
            format!("{offset:08x}")
        };
        quiet(left(&text, OFFSET))
    }

    fn fold(
        &self,
        rows: &DumpRows,
        count: u64,
        units: &Range<u64>,
        selected: &Range<u64>,
    ) -> Vec<Span> {
        let bytes = rows.bytes_of(units.start);
        let what = match rows.elements() {
            Some(_) if self.raw(&bytes).is_some_and(|raw| self.shown.is_fill(raw)) => {
                "of fill values"
            }
            None if self.raw(&bytes) == Some(&[0]) => "of zeros",
            Some(_) | None => "equal to the one above",
        };
        let last = rows.bytes_of(units.end.saturating_sub(1)).end;
        let inside = bytes.start <= selected.start && selected.start < last;
        let style = if inside { self.cursor() } else { QUIET };
        vec![
            quiet(left("*", OFFSET)),
            styled(format!("{} rows {what}", grouped(count)), style),
            quiet(if inside { "   Enter expands them" } else { "" }),
        ]
    }

    fn raw(&self, range: &Range<u64>) -> Option<&[u8]> {
        self.app.shared.chunk.data()?.bytes().get(range.clone())
    }

    pub(super) fn cursor(&self) -> Style {
        if self.app.shared.focus == Focus::View { CURSOR } else { CURSOR_AWAY }
    }

    /// A row of elements: offset, coordinates, bytes, values.
    fn elements(
        &self,
        rows: &DumpRows,
        elements: &Elements,
        units: &Range<u64>,
        selected: &Range<u64>,
    ) -> Vec<Span> {
        let start = rows.bytes_of(units.start).start;
        let first = left(&list(&elements.coordinates(units.start)), rows.coordinates);
        let mut spans = vec![self.offset(start), quiet(first)];
        let (mut values, mut others) = (Vec::new(), Vec::new());
        for unit in units.clone() {
            let range = elements.byte_range(unit);
            let Some(raw) = self.raw(&range) else {
                if rows.unit_width > 0 {
                    spans.push(absent(rows.unit_width));
                }
                values.push(absent(rows.value_width));
                continue;
            };
            let style = self.style(elements, unit, raw, &range, selected);
            if self.shows_fields(rows, elements) {
                self.push_fields(rows, elements, unit, raw, style, (&mut spans, &mut values));
                continue;
            }
            if rows.unit_width > 0 {
                spans.push(styled(left(&short_hex(raw), rows.unit_width), style));
                spans.push(Span::from(" "));
            }
            // The value in the declared order, and in the other where there is a column for it.
            let value = |order: &ByteOrder, width, style| {
                let text = self.value(elements, unit, raw, order, width);
                [styled(align(&text, width, rows.is_number), style), Span::from(" ")]
            };
            values.extend(value(elements.order(), rows.value_width, style));
            if rows.other_width > 0 {
                let style = if style == PLAIN { theme::OTHER } else { style };
                others.extend(value(&elements.order().swapped(), rows.other_width, style));
            }
        }
        // The last row may have fewer elements; what follows is where it does in the others.
        let missing = usize::try_from(rows.per_row - (units.end - units.start)).unwrap_or(0);
        let blank = |width: usize| Span::from(" ".repeat(missing * (width + 1)));
        if rows.unit_width > 0 {
            spans.extend([blank(rows.unit_width), Span::from("  ")]);
        }
        spans.extend(values);
        if rows.other_width > 0 {
            spans.extend([blank(rows.value_width), quiet("│ ")]);
            spans.extend(others);
        }
        spans
    }

    fn style(
        &self,
        elements: &Elements,
        unit: u64,
        raw: &[u8],
        range: &Range<u64>,
        selected: &Range<u64>,
    ) -> Style {
        let overlaps =
            range.start < selected.end && selected.start < range.end.max(range.start + 1);
        if overlaps {
            self.cursor()
        } else if self.shown.is_padding(&elements.coordinates(unit)) {
            theme::PADDING
        } else if self.shown.is_fill(raw) {
            theme::FILL
        } else {
            PLAIN
        }
    }

    /// The fields of a struct in columns, in the declared order or `other`: whole ones, that under the cursor among
    /// them.
    fn columns(&self, texts: &[String], room: usize, other: bool) -> String {
        let (fields, columns) = self.fields_in(room, other);
        let numbers = self.number_fields();
        let part = |at: usize| -> Option<String> {
            let field = *fields.get(at)?;
            // The widths have one of the two blanks after a field.
            let width = columns.widths.get(at)?.saturating_sub(1);
            Some(align(texts.get(field)?, width, numbers.contains(&field)) + "  ")
        };
        let before = if columns.shown.start > 0 { "« " } else { "" };
        let after = if columns.shown.end < fields.len() { "»" } else { "" };
        let parts: String = columns.shown.clone().filter_map(part).collect();
        // The sign that more fields follow has one blank before it, as the room was reckoned.
        let parts = match after {
            "" => parts.trim_end(),
            _ => parts.strip_suffix(' ').unwrap_or(&parts),
        };
        format!("{before}{parts}{after}")
    }

    /// The fields of a struct that are numbers.
    pub(super) fn number_fields(&self) -> Vec<usize> {
        let fields = self.app.shared.chunk.elements().map(|all| all.data_type().fields());
        let fields = fields.unwrap_or_default().iter().enumerate();
        fields.filter(|(_, field)| is_number(field)).map(|(at, _)| at).collect()
    }

    /// The fields that have a column in that order, and which of them `room` is enough for.
    fn fields_in(&self, room: usize, other: bool) -> (Vec<usize>, FieldColumns) {
        let shown = self.shown;
        let widths = if other { &shown.other_field_widths } else { &shown.field_widths };
        let there = widths.iter().enumerate().filter(|(_, width)| **width > 0);
        let (fields, widths): (Vec<_>, Vec<_>) =
            there.map(|(field, width)| (field, width + 1)).unzip();
        let current =
            fields.iter().take_while(|field| **field < self.app.shared.chunk.field()).count();
        // Of the two blanks after a field the last has none.
        let columns = FieldColumns::of(widths, room + 2, current);
        (fields, columns)
    }

    /// The text for an element, read in `order`, in the value column, which has `width` columns.
    pub(super) fn value(
        &self,
        elements: &Elements,
        unit: u64,
        raw: &[u8],
        order: &ByteOrder,
        width: usize,
    ) -> String {
        if self.shown.is_padding(&elements.coordinates(unit)) {
            return "pad".into();
        }
        match self.app.pages.chunks.base {
            NumberBase::Value if self.shown.is_fill(raw) => signs::FILL.into(),
            NumberBase::Value => match elements.data_type().decode(raw, order) {
                Ok(Scalar::Struct(fields)) => {
                    let texts: Vec<_> =
                        fields.iter().map(|field| safe_owned(&field.1.to_string())).collect();
                    self.columns(&texts, width, order != elements.order())
                }
                Ok(value) => safe_text(&value),
                Err(error) => format!("{} {}", signs::ERROR, safe(&error.found)),
            },
            NumberBase::Hex => short_hex(&significant_first(raw, order)),
            NumberBase::Binary => binary(&significant_first(raw, order), width),
        }
    }

    /// A row of bytes: offset, bytes in groups of eight, text.
    fn bytes(&self, rows: &DumpRows, units: &Range<u64>, selected: &Range<u64>) -> Vec<Span> {
        let at = self.app.shared.chunk.stage;
        let checksum = self.shown.checksum(at);
        // The index of a shard has thousands of fields, and a row a few bytes.
        let header: Vec<_> = self
            .shown
            .header(at)
            .iter()
            .filter(|field| field.bytes.start < units.end && units.start < field.bytes.end)
            .collect();
        let style = |offset: u64| match offset {
            at if selected.contains(&at) && selected.end - selected.start > 64 => SELECTED,
            at if selected.contains(&at) => self.cursor(),
            at if checksum.as_ref().is_some_and(|sum| sum.contains(&at)) => theme::CHECKSUM,
            at if header.iter().any(|field| field.bytes.contains(&at)) => theme::HEADER,
            _ => PLAIN,
        };
        let mut spans = vec![self.offset(units.start)];
        let mut text = Vec::new();
        for offset in units.start..units.start + rows.per_row {
            let byte = self.raw(&(offset..offset + 1)).and_then(|raw| raw.first().copied());
            let shown = units.contains(&offset);
            let look = if shown { style(offset) } else { PLAIN };
            let digits = match byte.filter(|_| shown) {
                Some(byte) => format!("{byte:02x}"),
                None if shown => "… ".into(),
                None => "  ".into(),
            };
            spans.push(styled(digits, look));
            spans.push(Span::from(if (offset + 1).is_multiple_of(8) { "  " } else { " " }));
            if let Some(byte) = byte.filter(|_| shown) {
                text.push(styled(glyph(byte).to_string(), look));
            }
        }
        spans.push(Span::from(" "));
        spans.extend(text);
        spans
    }
}

/// The heading of the bytes, in their columns.
fn head_of_units(rows: &DumpRows) -> String {
    let (columns, per_row) = (rows.bytes_columns(), rows.per_row);
    let long = format!("bytes, {per_row} elements per row");
    let is_long = rows.count() > 1 && per_row > 1 && long.len() + 2 <= columns;
    left(if is_long { &long } else { "bytes" }, columns)
}

/// The sign for an element whose bytes are not there.
fn absent(width: usize) -> Span {
    quiet(format!("{} ", right("…", width)))
}

/// True if the values of a field align as numbers.
fn is_number(field: &Field) -> bool {
    field.shape.is_empty() && field.data_type.native().is_some()
}

/// Numbers align on the right, text on the left.
pub(super) fn align(text: &str, width: usize, is_number: bool) -> String {
    if is_number { right(&cut_number(text, width), width) } else { left(text, width) }
}

/// The bytes of a number with the most significant first.
fn significant_first(raw: &[u8], order: &ByteOrder) -> Vec<u8> {
    let mut bytes = raw.to_vec();
    if order.uniform() == Some(Endian::Little) {
        bytes.reverse();
    }
    bytes
}

/// As many hexadecimal digits as a row can need.
fn short_hex(bytes: &[u8]) -> String {
    words::hex(bytes.get(..64).unwrap_or(bytes), "")
}

/// Binary digits in groups of four; without gaps where only so they fit `width` columns.
fn binary(bytes: &[u8], width: usize) -> String {
    let nibbles = bytes.iter().flat_map(|byte| [byte >> 4, byte & 15]);
    let groups: Vec<String> = nibbles.map(|nibble| format!("{nibble:04b}")).collect();
    let only_so = (4 * groups.len()..5 * groups.len() - groups.len().min(1)).contains(&width);
    groups.join(if only_so { "" } else { " " })
}

/// A byte as text: ASCII as it is, all else a full stop, as every hex dump has it.
pub fn glyph(byte: u8) -> char {
    if matches!(byte, 0x20..=0x7e) { char::from(byte) } else { '.' }
}
