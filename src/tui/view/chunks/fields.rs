//! The fields of a struct apart from each other: as bytes and as values, whole fields only, those around the one under
//! the cursor.

use super::dump::{DumpView, align};
use crate::tui::prelude::*;
use crate::{
    app::layout::{
        dump::OFFSET,
        fields::{self, FieldColumns},
    },
    zarr::words::hex,
};

/// The texts in their columns, each in its style, those of `numbers` on the right; `«` and `»` where fields are left
/// out.
fn field_spans(
    columns: &FieldColumns,
    texts: &[String],
    style: impl Fn(usize) -> Style,
    room: usize,
    numbers: &[usize],
) -> Vec<Span> {
    let mut spans = Vec::new();
    if columns.shown.start > 0 {
        spans.push(quiet("« "));
    }
    for at in columns.shown.clone() {
        let (Some(text), Some(width)) = (texts.get(at), columns.widths.get(at)) else { continue };
        spans.push(styled(align(text, *width, numbers.contains(&at)), style(at)));
        spans.push(Span::from(" "));
    }
    // The sign is at the edge, wherever the fields end.
    let after = if columns.shown.end < columns.widths.len() { "» " } else { "" };
    let used: usize = spans.iter().map(Span::width).sum();
    spans.push(Span::from(" ".repeat(room.saturating_sub(used + after.width()))));
    spans.push(quiet(after));
    spans
}

/// The bytes of each field of an element; what is cut says so.
fn bytes(fields: &[Field], raw: &[u8]) -> Vec<String> {
    fields.iter().map(|field| hex(field.bytes_in(raw), "")).collect()
}

/// The names of the fields.
pub(super) fn names(fields: &[Field]) -> Vec<String> {
    fields.iter().map(|field| safe_owned(&field.name)).collect()
}

impl DumpView<'_> {
    /// The columns of the fields, as bytes and as values, and the one under the cursor.
    fn field_columns(
        &self,
        rows: &DumpRows,
        elements: &Elements,
    ) -> (FieldColumns, FieldColumns, usize) {
        let current = self.app.shared.chunk.field();
        let widths = fields::byte_widths(elements.data_type().fields());
        let apart = FieldColumns::of(widths, rows.unit_width, current);
        // Two blanks between values are easier to read, but none is worth a value.
        let mut widths = self.shown.field_widths.clone();
        if widths.iter().map(|width| width + 2).sum::<usize>() <= rows.value_width {
            for width in &mut widths {
                *width += 1;
            }
        }
        (apart, FieldColumns::of(widths, rows.value_width, current), current)
    }

    /// The names of the fields over both sides.
    pub(super) fn head_of_fields(&self, rows: &DumpRows, elements: &Elements) -> Line {
        let names = names(elements.data_type().fields());
        let (apart, values, _) = self.field_columns(rows, elements);
        let numbers = self.number_fields();
        let first = format!("{}{}", left("offset", OFFSET), left("index", rows.coordinates));
        let mut spans = vec![quiet(first)];
        spans.extend(field_spans(&apart, &names, |_| QUIET, rows.unit_width, &[]));
        spans.push(Span::from("   "));
        spans.extend(field_spans(&values, &names, |_| QUIET, rows.value_width, &numbers));
        Line::from(spans)
    }

    /// An element field by field; the field under the cursor stands out on both sides.
    pub(super) fn push_fields(
        &self,
        rows: &DumpRows,
        elements: &Elements,
        unit: u64,
        raw: &[u8],
        style: Style,
        (spans, values): (&mut Vec<Span>, &mut Vec<Span>),
    ) {
        let (apart, columns, current) = self.field_columns(rows, elements);
        let numbers = self.number_fields();
        let here = style == self.cursor();
        let look = |at: usize| if here && at != current { SELECTED } else { style };
        let all = elements.data_type().fields();
        spans.extend(field_spans(&apart, &bytes(all, raw), look, rows.unit_width, &[]));
        spans.push(Span::from(" "));
        match elements.data_type().decode(raw, elements.order()) {
            Ok(Scalar::Struct(parts)) if !self.shown.is_padding(&elements.coordinates(unit)) => {
                let texts: Vec<String> =
                    parts.iter().map(|part| safe_owned(&part.1.to_string())).collect();
                values.extend(field_spans(&columns, &texts, look, rows.value_width, &numbers));
            }
            _ => {
                let text = self.value(elements, unit, raw, elements.order(), rows.value_width);
                values.push(styled(left(&text, rows.value_width), style));
            }
        }
        values.push(Span::from(" "));
    }
}
