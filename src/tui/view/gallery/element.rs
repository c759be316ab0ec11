//! The element in the playground: its bits under a cursor, what they are in both byte orders, and what each part means.

use crate::tui::prelude::*;
use crate::{
    app::page::gallery::TriedElement,
    zarr::{
        data_type::components::Component,
        words::{byte_range, hex_start},
    },
};

/// Columns of the names of the rows.
const LABEL: usize = 12;
/// The most columns of a label of the anatomy.
const PART: usize = 24;

/// The part below the lines of the playground while the bytes or the bits have the keys.
pub(super) fn render(page: &GalleryPage, area: Rect, buf: &mut Buffer) {
    let width = usize::from(area.width);
    let lines = match &page.element {
        Ok(element) => lines(page, element, width, area.height.into()),
        Err(why) => prose("    ", &safe(why), width.saturating_sub(4).min(super::PROSE), PLAIN),
    };
    Text::from(lines).render(area, buf);
}

fn lines(page: &GalleryPage, element: &TriedElement, width: usize, height: usize) -> Vec<Line> {
    let mut lines = bits(element, page.part == GalleryPart::Bits, width);
    lines.push(Line::default());
    lines.extend(orders(element, width));
    let mut rest = written(element, width);
    rest.extend(anatomy(element, width));
    // Where there is little room, no line is spent on a blank.
    if lines.len() + rest.len() < height {
        lines.push(Line::default());
    } else {
        lines.retain(|line| !line.spans.is_empty());
    }
    lines.extend(rest);
    lines
}

/// The bits of the component under the cursor, the names of its fields, and which bit and byte that is.
fn bits(element: &TriedElement, has_keys: bool, width: usize) -> Vec<Line> {
    let Some(here) = element.here() else { return Vec::new() };
    let groups = here.groups(&element.bytes).unwrap_or_default();
    let wide = groups.iter().map(|group| group.len() + 1).sum::<usize>();
    // The bits of 64 have their own line on a screen of 80 columns.
    let label = if LABEL + 3 + wide <= width { LABEL + 3 } else { 1 };
    let mut spans = vec![quiet(left(if label > 1 { " bits" } else { "" }, label))];
    let mut names = " ".repeat(label);
    let mut at = 0;
    for (group, field) in groups.iter().zip(&here.fields) {
        for bit in group.chars() {
            let is_here = at == element.bit;
            let style = match (is_here, has_keys) {
                (true, true) => CURSOR,
                (true, false) => CURSOR_AWAY,
                (false, _) => PLAIN,
            };
            spans.push(styled(bit.to_string(), style));
            at += 1;
        }
        spans.push(Span::raw(" "));
        let name: String = field.name.chars().take(group.len()).collect();
        names += &left(&name, group.len() + 1);
    }
    vec![
        Line::from(spans),
        Line::styled(cut(names.trim_end(), width), QUIET),
        Line::from(cut(&format!("{}{}", left("", label), here_is(element, here)), width)),
    ]
}

/// `bit 22 of 31–0, exponent, in byte 1 (70)`, and which component where there are several.
fn here_is(element: &TriedElement, here: &Component) -> String {
    let last = here.bits().saturating_sub(1);
    let field = here.field_of(element.bit).map_or("", |field| field.name);
    let byte = here.byte_of(element.bit);
    let value = byte.and_then(|at| element.bytes.get(at)).map_or(0, |byte| *byte);
    let byte = byte.map(|at| format!(", in byte {at} ({value:02x})")).unwrap_or_default();
    let bit = last.saturating_sub(element.bit);
    let several = if element.components.len() > 1 {
        let range = here.bytes.start as u64..here.bytes.end as u64;
        format!("{}, {}: ", safe(&here.label), byte_range(&range))
    } else {
        String::new()
    };
    format!("{several}bit {bit} of {last}–0: {field}{byte}")
}

/// The value in both byte orders, and what the bytes are for a reader that takes the other one.
fn orders(element: &TriedElement, width: usize) -> Vec<Line> {
    let text =
        |scalar: Option<Scalar>| scalar.map_or_else(|| signs::NONE.to_owned(), |it| it.to_string());
    let value = text(element.value());
    let misread = text(element.misread());
    let widest = safe(&value).width().max(safe(&misread).width());
    let width = (width, widest.max(if width < 100 { 16 } else { 22 }).min(width / 3));
    let own = forms(element, &element.order);
    let in_use = |name: &str| row(true, name, &element.bytes, &value, &own, width);
    let Some(swapped) = element.swapped_bytes() else { return vec![in_use("value")] };
    let other = element.order.swapped();
    let other_word = if other.uniform().is_some() { other.word() } else { "swapped" };
    let note = if misread == value { "the same either way" } else { "read in the other order" };
    vec![
        in_use(element.order.word()),
        row(false, other_word, &swapped, &value, &forms(element, &other), width),
        row(false, "misread", &element.bytes, &misread, note, width),
    ]
}

/// One reading: which, the bytes, the value in so many columns, and what there is to say about it.
fn row(
    in_use: bool,
    name: &str,
    bytes: &[u8],
    value: &str,
    note: &str,
    (width, widest): (usize, usize),
) -> Line {
    let sign = if in_use { signs::IN_USE } else { " " };
    let hex = hex_start(bytes.get(..bytes.len().min(16)).unwrap_or_default());
    let hex = if bytes.len() > 16 { format!("{hex} …") } else { hex };
    let room = width.saturating_sub(LABEL + 3);
    let value = safe(value);
    let text = format!("{hex:<11}   {value:<widest$}   {note}");
    Line::from(vec![
        styled(format!(" {sign}"), MARK),
        quiet(left(&format!(" {name}"), LABEL + 1)),
        Span::from(cut(text.trim_end(), room)),
    ])
}

/// The data type with this byte order, in both formats.
fn forms(element: &TriedElement, order: &ByteOrder) -> String {
    let v2 = element
        .data_type
        .to_v2(order)
        .map_or_else(|_| signs::NO_EQUIVALENT.to_owned(), |form| form.dtype.to_string());
    let v3 = match (element.data_type.to_v3(), order.uniform()) {
        (Err(_), _) => signs::NO_EQUIVALENT.to_owned(),
        (Ok(_), Some(endian)) => format!("endian \"{}\"", endian.word()),
        (Ok(v3), None) => v3.to_string(),
    };
    safe_owned(&format!("V2 {}   V3 {}", words::shortened(&v2, 28), words::shortened(&v3, 28)))
}

/// The value as both formats write it in `fill_value`.
fn written(element: &TriedElement, width: usize) -> Vec<Line> {
    let form = |format: Format| match element.fill_json(format) {
        Ok(json) => words::shortened(&json, 40),
        Err(_) => signs::NO_EQUIVALENT.to_owned(),
    };
    let text = format!("V2 {}   V3 {}", form(Format::V2), form(Format::V3));
    let room = width.saturating_sub(LABEL + 3);
    vec![Line::from(vec![
        quiet(left("   fill_value", LABEL + 3)),
        Span::from(cut(&safe(&text), room)),
    ])]
}

/// The parts of the value; its bits are above.
fn anatomy(element: &TriedElement, width: usize) -> Vec<Line> {
    let Some(value) = element.value() else { return Vec::new() };
    let rows = element.data_type.anatomy(&value, &element.order);
    let rows: Vec<_> = rows.into_iter().filter(|row| row.label != "bits").collect();
    let widest = widest(&rows, |row| safe(&row.label).width());
    let label = (widest + 1).clamp(LABEL, PART);
    let line = |row: crate::zarr::data_type::AnatomyRow| {
        let name = left(&cut(&safe(&row.label), label), label);
        Line::from(vec![
            quiet(format!("   {name}")),
            Span::from(cut(&safe(&row.value), width.saturating_sub(label + 3))),
        ])
    };
    rows.into_iter().map(line).collect()
}
