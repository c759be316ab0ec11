//! Two nodes compared: the list of pairs, or of one pair the documents, the map of chunks, and what differs in one.

use crate::tui::prelude::*;
use verdict::{verdict_of, why};

mod map;
mod verdict;

/// The comparison.
pub fn lines(page: &ComparePage, size: Size) -> Vec<Line> {
    let (layout, width) = (page.layout(size), usize::from(size.width));
    let mut lines = vec![fitted(title(page), width)];
    if let Some(why) = &page.failure {
        let why = wrap(&format!(" These two cannot be compared: {why}"), width);
        lines.extend([Line::default(), ruled(width, "", QUIET)]);
        lines.extend(why.into_iter().map(|text| Line::styled(text, FAILURE)));
        return lines;
    }
    lines.extend([verdict(page, width), ruled(width, "", QUIET)]);
    lines.extend(match page.pair().filter(|_| page.is_open) {
        None => pairs(page, layout.list),
        Some(pair) => parts(page, pair, &layout, width),
    });
    lines.resize(size.rows().saturating_sub(1), Line::default());
    lines.push(Line::styled(format!(" {}", progress(page)), QUIET));
    lines
}

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
        styled(" A ", MARK),
        styled(named(0, a), TITLE),
        styled("   B ", MARK),
        styled(named(1, b), TITLE),
        quiet(below),
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
        0 => (format!(" {all}: no difference{so_far}"), FINE),
        1 if page.pairs.len() == 1 => (format!(" the node differs{so_far}"), WARNING),
        1 => (format!(" 1 of {all} differs{so_far}"), WARNING),
        _ => (format!(" {different} of {all} differ{so_far}"), WARNING),
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
fn pairs(page: &ComparePage, rows: usize) -> Vec<Line> {
    let line = |(here, (at, pair)): (bool, (usize, &NodePair))| {
        let is_last = at + 1 == page.pairs.len() && page.state != WorkState::Over;
        let (sign, style) = match (pair.is_there, pair.is_equal()) {
            ([true, false], _) => ("A", WARNING),
            ([false, true], _) => ("B", WARNING),
            (_, false) => (signs::DIFFERENT, WARNING),
            (_, true) if is_last => (signs::MORE, QUIET),
            (_, true) => (signs::SAME, FINE),
        };
        let name = if pair.path.is_empty() { ".".into() } else { safe_owned(&pair.path) };
        Line::from(vec![
            theme::mark(here),
            styled(sign, style),
            Span::raw(" "),
            styled(name, theme::row(here.then_some(true))),
            quiet(format!("   {}", why(pair))),
        ])
    };
    page.scroll.in_sight(rows, page.pairs.iter().enumerate()).map(line).collect()
}

/// The parts of a pair.
fn parts(page: &ComparePage, pair: &NodePair, layout: &CompareLayout, width: usize) -> Vec<Line> {
    let mut lines = documents(page, layout.documents, width);
    lines.resize(layout.documents, Line::default());
    let Some(arrays) = &pair.arrays else { return lines };
    if layout.map > 0 {
        lines.extend(map::map(page, arrays, layout, width));
    }
    if layout.values > 0 {
        match &page.values {
            Some(found) => lines.extend(values(page, found, layout.values, width)),
            None => lines.push(ruled(width, no_values(page, arrays), QUIET)),
        }
    }
    lines
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

fn documents(page: &ComparePage, height: usize, width: usize) -> Vec<Line> {
    let (rows, has_keys) = (page.documents(), focus(page, ComparisonPart::Documents));
    if rows.is_empty() {
        let text = if matches!(page.sides, Some([CompareSide::Chunk(..), _])) {
            "   data type and layout are equal; Space shows them"
        } else {
            "   the metadata is equal; Space shows them"
        };
        return vec![Line::styled(text, QUIET)];
    }
    let label = widest(&rows, |row| row.label.chars().count());
    let rooms = rooms(&rows, width.saturating_sub(label + 9));
    let shown = page.row.in_sight(height, &rows);
    let line = |(here, row): (bool, &&DocumentRow)| document(row, here && has_keys, label, rooms);
    let mut lines: Vec<_> = shown.map(line).collect();
    let selected = rows.get(page.row.cursor()).filter(|_| has_keys);
    let below = selected.map(|row| whole(row, rooms, width)).unwrap_or_default();
    if !below.is_empty() && rows.len() + below.len() < height {
        lines.push(Line::default());
        lines.extend(below);
    }
    lines
}

fn values(page: &ComparePage, values: &ChunkValues, height: usize, width: usize) -> Vec<Line> {
    let has_keys = focus(page, ComparisonPart::Values);
    let style = if has_keys { MARK } else { QUIET };
    let shown = values.rows.len() as u64;
    let first =
        if values.different > shown { format!(", the first {shown}") } else { String::new() };
    let many = counted(values.different, "difference");
    let title = format!("values of chunk {}: {many}{first}", values.key);
    let mut lines = vec![ruled(width, &title, style)];
    if let Some(why) = &values.why {
        lines.push(Line::styled(format!(" {why}"), FAILURE));
        return lines;
    }
    let index = widest(&values.rows, |row| list(&row.index).len()).max(5);
    let (rooms, has_bytes) = columns_of(&values.rows, width.saturating_sub(index));
    let [wide_a, wide_b, _] = rooms;
    let [place, a, b] = [left("array", index), left("A", wide_a), left("B", wide_b)];
    lines.push(Line::styled(format!("   {place}   {a}   {b}   B − A"), QUIET));
    let rows = page.value.in_sight(height, &values.rows);
    lines.extend(rows.map(|(here, row)| value(row, here && has_keys, index, rooms, has_bytes)));
    lines
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
    let room = room.saturating_sub(GAPS);
    let apart = widest(rows, |row| row.apart.width()).min(room / 2);
    let sides =
        |has_bytes| [0, 1].map(|at| widest(rows, |row| side(row, at, has_bytes).width()).max(8));
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
        styled(place, theme::row(here.then_some(true))),
        Span::raw(format!("   {} ", side(0, a))),
        styled(signs::DIFFERENT, WARNING),
        Span::raw(format!(" {}   {}", side(1, b), words::cut_number(&row.apart, apart))),
    ])
}

/// A row of the documents.
fn document(row: &DocumentRow, here: bool, label: usize, [a, b]: [usize; 2]) -> Line {
    let (sign, style) = match row.join {
        Join::Same => (signs::SAME, QUIET),
        Join::Differs => (signs::DIFFERENT, WARNING),
        _ => (signs::WRITTEN, QUIET),
    };
    Line::from(vec![
        theme::mark(here),
        Span::raw(" "),
        styled(left(&row.label, label), theme::row(here.then_some(true))),
        Span::raw(format!("  {}", left(&row.a, a))),
        styled(format!("  {sign} "), style),
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
        let name = styled(format!(" {name} "), MARK);
        headed(name, wrap(text, width.saturating_sub(4)), PLAIN)
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
