//! Two nodes compared: the list of pairs, or of one pair the documents, the map of chunks, and what differs in one.

use crate::tui::prelude::*;
use crate::{
    app::{
        layout::CompareLayout,
        page::{
            compare::{
                ArrayPair, BlockVerdict, ChunkValues, ComparePage, CompareSide, ComparisonPart,
                NodePair, ValueRow, described,
            },
            picture::drawn::WorkState,
        },
    },
    tui::view::rule,
    zarr::compare::DocumentRow,
};
use verdict::{verdict_of, why};

mod map;
mod verdict;

/// The comparison.
pub fn render(page: &ComparePage, area: Rect, buf: &mut Buffer) {
    let layout = page.layout(Size::new(area.width, area.height));
    let line = |y: usize| {
        let y = cells(y);
        Rect { y: area.y.saturating_add(y), height: 1, ..area }.intersection(area)
    };
    let width = usize::from(area.width);
    fitted(title(page), width).render(line(0), buf);
    if page.failure.is_none() {
        verdict(page, width).render(line(1), buf);
    }
    rule(line(2), "", theme::QUIET, buf);
    if let Some(why) = &page.failure {
        let text = format!(" These two cannot be compared: {why}");
        for (at, text) in wrap(&text, area.width.into()).iter().enumerate() {
            Line::styled(text.clone(), theme::FAILURE).render(line(3 + at), buf);
        }
        return;
    }
    match page.pair().filter(|_| page.is_open) {
        None => pairs(page, &layout, &line, buf),
        Some(pair) => parts(page, pair, &layout, &line, buf),
    }
    let last = usize::from(area.height).saturating_sub(1);
    Line::styled(format!(" {}", progress(page)), theme::QUIET).render(line(last), buf);
}

/// The area of a line of the page, by its number.
type LineOf<'a> = &'a dyn Fn(usize) -> Rect;

fn title(page: &ComparePage) -> Line {
    let [a, b] = &page.names;
    let named = |side: usize, name: &String| {
        let typed = page.sides.as_ref().and_then(|sides| sides.get(side));
        if name.is_empty() {
            typed.map_or_else(String::new, CompareSide::name)
        } else {
            name.clone()
        }
    };
    let pair = page.pair().filter(|pair| page.is_open && !pair.path.is_empty());
    let below = pair.map_or_else(String::new, |pair| format!("   each /{}", safe(&pair.path)));
    Line::from(vec![
        Span::styled(" A ", theme::MARK),
        Span::styled(named(0, a), theme::TITLE),
        Span::styled("   B ", theme::MARK),
        Span::styled(named(1, b), theme::TITLE),
        theme::quiet(below),
    ])
}

/// The line of the result so far.
fn verdict(page: &ComparePage, width: usize) -> Line {
    if let Some(pair) = page.pair().filter(|_| page.is_open) {
        let (text, style) = verdict_of(pair, page.state == WorkState::Over, width);
        return Line::styled(cut_sentence(&format!(" {text}"), width), style);
    }
    let different = page.pairs_that_differ();
    let all = counted(page.pairs.len(), "node");
    let so_far = if page.state == WorkState::Over { "" } else { " so far" };
    let (text, style) = match different {
        0 => (format!(" {all}: no difference{so_far}"), theme::FINE),
        1 if page.pairs.len() == 1 => (format!(" the node differs{so_far}"), theme::WARNING),
        1 => (format!(" 1 of {all} differs{so_far}"), theme::WARNING),
        _ => (format!(" {different} of {all} differ{so_far}"), theme::WARNING),
    };
    Line::styled(text, style)
}

fn progress(page: &ComparePage) -> String {
    let pairs = match page.total {
        0 | 1 => String::new(),
        total => format!("node {} of {}: ", page.pairs.len(), grouped(total)),
    };
    match (page.pace, page.state == WorkState::Stopped) {
        (Some(far), _) => format!("{pairs}{}", how_far("comparing", far, grouped)),
        (None, true) => format!("{pairs}Stopped: only what was read is compared; r continues."),
        (None, false) => String::new(),
    }
}

/// The list of pairs.
fn pairs(page: &ComparePage, layout: &CompareLayout, line: LineOf<'_>, buf: &mut Buffer) {
    let visible = page.scroll.visible(layout.list);
    for (at, pair) in page.pairs.iter().enumerate().skip(visible.start).take(layout.list) {
        let is_last = at + 1 == page.pairs.len() && page.state != WorkState::Over;
        let (sign, style) = match (pair.is_there, pair.is_equal()) {
            ([true, false], _) => ("A", theme::WARNING),
            ([false, true], _) => ("B", theme::WARNING),
            (_, false) => (signs::DIFFERENT, theme::WARNING),
            (_, true) if is_last => (signs::MORE, theme::QUIET),
            (_, true) => (signs::SAME, theme::FINE),
        };
        let here = at == page.scroll.cursor();
        let name = if pair.path.is_empty() { ".".into() } else { safe_owned(&pair.path) };
        let spans = vec![
            theme::mark(here),
            Span::styled(sign, style),
            Span::raw(" "),
            Span::styled(name, theme::row(here.then_some(true))),
            theme::quiet(format!("   {}", why(pair))),
        ];
        Line::from(spans).render(line(layout.head + at - visible.start), buf);
    }
}

/// The parts of a pair.
fn parts(
    page: &ComparePage,
    pair: &NodePair,
    layout: &CompareLayout,
    line: LineOf<'_>,
    buf: &mut Buffer,
) {
    let mut top = layout.head;
    if layout.documents > 0 {
        documents(page, layout, top, line, buf);
        top += layout.documents;
    }
    let Some(arrays) = &pair.arrays else { return };
    if layout.map > 0 {
        map::map(page, arrays, layout, top, line, buf);
        top += layout.map + crate::app::layout::compare::PART_HEAD;
    }
    if layout.values > 0 {
        match &page.values {
            Some(found) => values(page, found, layout, top, line, buf),
            None => rule(line(top), no_values(page, arrays), theme::QUIET, buf),
        }
    }
}

/// The message in place of values of a chunk where there are none.
fn no_values(page: &ComparePage, arrays: &ArrayPair) -> &'static str {
    match arrays.verdict(&page.at) {
        BlockVerdict::Equal => "values: none differs in this chunk",
        _ => "values",
    }
}

fn focus(page: &ComparePage, part: ComparisonPart) -> bool {
    page.part == part
}

fn documents(
    page: &ComparePage,
    layout: &CompareLayout,
    top: usize,
    line: LineOf<'_>,
    buf: &mut Buffer,
) {
    let rows = page.documents();
    let visible = page.row.visible(layout.documents);
    let label = widest(&rows, |row| row.label.chars().count());
    let rooms = rooms(&rows, usize::from(line(top).width).saturating_sub(label + 9));
    if rows.is_empty() {
        let text = if matches!(page.sides, Some([CompareSide::Chunk(..), _])) {
            "   data type and layout are equal; Space shows them"
        } else {
            "   the metadata is equal; Space shows them"
        };
        Line::styled(text, theme::QUIET).render(line(top), buf);
    }
    for (at, row) in rows.iter().enumerate().skip(visible.start).take(layout.documents) {
        let here = at == page.row.cursor() && focus(page, ComparisonPart::Documents);
        document(row, here, label, rooms).render(line(top + at - visible.start), buf);
    }
    let selected = rows.get(page.row.cursor()).filter(|_| focus(page, ComparisonPart::Documents));
    let below = selected.map(|row| whole(row, rooms, line(top).width.into()));
    let below = below.filter(|below| rows.len() + below.len() < layout.documents);
    for (at, text) in below.into_iter().flatten().enumerate() {
        text.render(line(top + rows.len() + 1 + at), buf);
    }
}

/// Draws the state of the chunk under the cursor, right of the map.
fn detail(page: &ComparePage, arrays: &ArrayPair, left: u64, first: Rect, buf: &mut Buffer) {
    let left = cells(left);
    let x = first.x.saturating_add(left);
    if x + 20 > first.right() {
        return;
    }
    let area = Rect { x, width: first.right() - x, ..first };
    let at = &page.at;
    let block = arrays.blocks.get(at).copied();
    let key = page.values.as_ref().map(|values| format!("   A {}", values.key));
    let at = arrays.only.as_ref().map_or(at, |only| &only.coordinates);
    let mut lines = vec![format!("chunk {}{}", list(at), key.unwrap_or_default())];
    lines.extend(described(block, arrays.verdict(at)));
    let wrapped = lines.iter().flat_map(|text| wrap(text, area.width.into()));
    for (row, text) in area.rows().zip(wrapped.take(1)) {
        Line::styled(text, theme::STRONG).render(row, buf);
    }
    let rest = lines.iter().skip(1).flat_map(|text| wrap(text, area.width.into()));
    for (down, text) in (1_u16..).zip(rest.take(4)) {
        let row = Rect { y: area.y.saturating_add(down), ..area }.intersection(buf.area);
        Line::raw(text).render(row, buf);
    }
}

fn values(
    page: &ComparePage,
    values: &ChunkValues,
    layout: &CompareLayout,
    top: usize,
    line: LineOf<'_>,
    buf: &mut Buffer,
) {
    let style = if focus(page, ComparisonPart::Values) { theme::MARK } else { theme::QUIET };
    let shown = values.rows.len() as u64;
    let first =
        if values.different > shown { format!(", the first {shown}") } else { String::new() };
    let many = counted(values.different, "difference");
    rule(line(top), &format!("values of chunk {}: {many}{first}", values.key), style, buf);
    if let Some(why) = &values.why {
        Line::styled(format!(" {why}"), theme::FAILURE).render(line(top + 1), buf);
        return;
    }
    let wide = |texts: &mut dyn Iterator<Item = usize>| texts.max().unwrap_or(0);
    let index = wide(&mut values.rows.iter().map(|row| list(&row.index).len())).max(5);
    let room = usize::from(line(top).width).saturating_sub(index);
    let (rooms, has_bytes) = columns_of(&values.rows, room);
    let [wide_a, wide_b, _] = rooms;
    let [place, a, b] = [left("array", index), left("A", wide_a), left("B", wide_b)];
    let head = format!("   {place}   {a}   {b}   B − A");
    Line::styled(head, theme::QUIET).render(line(top + 1), buf);
    let visible = page.value.visible(layout.values);
    for (at, row) in values.rows.iter().enumerate().skip(visible.start).take(layout.values) {
        let here = at == page.value.cursor() && focus(page, ComparisonPart::Values);
        value(row, here, index, rooms, has_bytes).render(line(top + 2 + at - visible.start), buf);
    }
}

/// The value of an element on one side; with its bytes, if `has_bytes`.
fn side(row: &ValueRow, side: usize, has_bytes: bool) -> String {
    let value = row.values.get(side).map_or("", String::as_str);
    let bytes = row.bytes.get(side).map_or("", String::as_str);
    if bytes.is_empty() || !has_bytes { value.to_owned() } else { format!("{value}   {bytes}") }
}

/// The columns of both sides and of their difference in `room`: the difference keeps all its digits up to half of it.
/// True if the sides have room for their bytes too.
fn columns_of(rows: &[ValueRow], room: usize) -> ([usize; 3], bool) {
    /// Columns of the mark, of the sign and between columns.
    const GAPS: usize = 12;
    let widest = |texts: &mut dyn Iterator<Item = usize>| texts.max().unwrap_or(0);
    let room = room.saturating_sub(GAPS);
    let apart = widest(&mut rows.iter().map(|row| row.apart.width())).min(room / 2);
    let sides = |has_bytes| {
        [0, 1].map(|at| widest(&mut rows.iter().map(|row| side(row, at, has_bytes).width())).max(8))
    };
    let has_bytes = sides(true).iter().sum::<usize>() + apart <= room;
    let [a, b] = sides(has_bytes);
    let [first, second] = halves([a, b], room - apart);
    ([first.min(a), second.min(b), apart], has_bytes)
}

/// An element that differs.
fn value(row: &ValueRow, here: bool, index: usize, rooms: [usize; 3], has_bytes: bool) -> Line {
    let [a, b, apart] = rooms;
    let side = |at: usize, room| {
        let text = side(row, at, has_bytes);
        let text = if has_bytes { text } else { words::cut_number(&text, room) };
        left(&text, room)
    };
    let place = format!("  {}", left(&list(&row.index), index));
    Line::from(vec![
        theme::mark(here),
        Span::styled(place, theme::row(here.then_some(true))),
        Span::raw(format!("   {} ", side(0, a))),
        Span::styled(signs::DIFFERENT, theme::WARNING),
        Span::raw(format!(" {}   {}", side(1, b), words::cut_number(&row.apart, apart))),
    ])
}

/// A row of the documents.
fn document(row: &DocumentRow, here: bool, label: usize, [a, b]: [usize; 2]) -> Line {
    let (sign, style) = match row.join {
        Join::Same => (signs::SAME, theme::QUIET),
        Join::Differs => (signs::DIFFERENT, theme::WARNING),
        _ => (signs::WRITTEN, theme::QUIET),
    };
    Line::from(vec![
        theme::mark(here),
        Span::raw(" "),
        Span::styled(left(&row.label, label), theme::row(here.then_some(true))),
        Span::raw(format!("  {}", left(&row.a, a))),
        Span::styled(format!("  {sign} "), style),
        Span::raw(cut(&row.b, b)),
    ])
}

/// The columns of both sides in `room`: half each, but for what the other does not need.
fn rooms(rows: &[&DocumentRow], room: usize) -> [usize; 2] {
    let widest = |of: fn(&DocumentRow) -> &str| widest(rows, |row| of(row).width());
    let (a, b) = (widest(|row| &row.a), widest(|row| &row.b));
    let [first, second] = halves([a, b], room);
    // Both sides are near each other, however wide the screen is.
    [first.min(a), second]
}

/// `room` for two texts of so many columns: half each, but for what the other does not need.
fn halves([a, b]: [usize; 2], room: usize) -> [usize; 2] {
    let (half, left) = (room / 2, room.saturating_sub(b));
    let first = if b <= half { half.max(a.min(left)) } else { half.min(a.max(left)) };
    [first, room - first]
}

/// Both sides of a row, each over as many lines as that takes; nothing where their `rooms` have all of both.
fn whole(row: &DocumentRow, rooms: [usize; 2], width: usize) -> Vec<Line> {
    if row.a.width() <= rooms[0] && row.b.width() <= rooms[1] {
        return Vec::new();
    }
    let side = |(name, text): (&'static str, &String)| {
        let name = Span::styled(format!(" {name} "), theme::MARK);
        headed(name, wrap(text, width.saturating_sub(4)), theme::PLAIN)
    };
    [("A", &row.a), ("B", &row.b)].into_iter().flat_map(side).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_difference_keeps_its_exponent() {
        let row = ValueRow {
            index: vec![0, 0],
            values: ["9.96921e36".into(), "-32768".into()],
            bytes: ["00 00 f0 7c".into(), "80 00".into()],
            apart: "≈ -9.969209968386869e36".into(),
        };
        assert_eq!(columns_of(std::slice::from_ref(&row), 75), ([24, 14, 23], true));
        assert_eq!(columns_of(std::slice::from_ref(&row), 50), ([10, 8, 19], false));
        let line = value(&row, false, 5, [10, 8, 19], false).to_string();
        assert!(line.ends_with("9.96921e36 ≠ -32768     ≈ -9.9692099683…e36"), "{line}");
    }
}
