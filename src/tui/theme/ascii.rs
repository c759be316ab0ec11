//! A row of the screen in ASCII: the signs of the views become their stand-ins, letters of values become numbers.

use super::LEVELS;
use crate::tui::prelude::*;

/// Draws a row in ASCII.
pub(super) fn draw(row: &mut [Cell]) {
    if row.iter().any(|cell| !cell.symbol().is_ascii()) {
        spell_out(row);
        widen(row);
        close(row);
        row.iter_mut().for_each(upright);
        (0..row.len()).for_each(|at| stand_in(row, at));
    }
}

/// Writes signs within a text whose stand-ins are two columns wide, as long as blanks follow the text: the rest of it
/// moves.
fn widen(row: &mut [Cell]) {
    let mut start = 0;
    while let Some(text) = text_from(row, start) {
        let blanks = (text.end..row.len()).take_while(|&at| is_blank(row, at)).count();
        let ends_row = text.end + blanks == row.len();
        let room = blanks.saturating_sub(usize::from(!ends_row));
        let inner = text.clone().filter(|&at| is_within(row, &text, at)).take(room);
        let inner: Vec<usize> = inner.collect();
        start = text.end + inner.len();
        for &at in inner.iter().rev() {
            let Some(cells) = row.get_mut(at..start) else { continue };
            cells.rotate_right(1);
            let Some((first, rest)) = cells.split_first_mut() else { continue };
            let Some(second) = rest.first_mut() else { continue };
            let wide = second.symbol().chars().next().and_then(signs::wide).unwrap_or_default();
            first.set_style(second.style());
            for (cell, c) in [first, second].into_iter().zip(wide.chars()) {
                cell.set_char(c);
            }
        }
    }
}

/// True if the sign at column `at` is written in two columns: blanks are on both sides, or something is cut off there.
fn is_within(row: &[Cell], text: &Range<usize>, at: usize) -> bool {
    let symbol = row.get(at).map_or(" ", Cell::symbol);
    let is_wide = symbol.chars().next().and_then(signs::wide).is_some();
    let is_apart = is_blank(row, at.saturating_sub(1)) && is_blank(row, at + 1);
    let is_cut = symbol == signs::MORE && (at + 1 == text.end || !is_blank(row, at + 1));
    at > text.start && is_wide && (is_apart || is_cut)
}

/// Writes the end of what is selected as such: by itself, its sign is the cursor of a row.
fn close(row: &mut [Cell]) {
    let mut is_open = false;
    for cell in row {
        match cell.symbol() {
            signs::OPENS => is_open = true,
            signs::CURSOR if is_open => {
                cell.set_symbol(signs::CLOSES_IN_ASCII);
                is_open = false;
            }
            _ => {}
        }
    }
}

/// A block that hangs down is a reversed one that stands: in letters the part that is filled is seen only upright.
fn upright(cell: &mut Cell) {
    let level = LEVELS.iter().position(|level| *level == cell.symbol());
    // A blank and a full block are the ground of texts, too.
    let hangs = cell.modifier.contains(Modifier::REVERSED);
    if let Some(level) = level.filter(|level| hangs && (1..8).contains(level)) {
        cell.set_symbol(LEVELS.get(8 - level).copied().unwrap_or(" "));
        cell.modifier.remove(Modifier::REVERSED);
    }
}

/// Writes the letters that nothing stands for by their numbers, text by text.
fn spell_out(row: &mut [Cell]) {
    let mut at = 0;
    while let Some(text) = text_from(row, at) {
        at = text.end;
        let cells = row.get(text.clone()).unwrap_or_default();
        if (0..cells.len()).any(|at| is_spelled(cells, at)) {
            at = spell_out_text(row, text);
        }
    }
}

/// True if column `at` of a text is written by numbers: nothing stands for it, or it is a letter of a value in quotes,
/// where a stand-in would look like another letter.
fn is_spelled(text: &[Cell], at: usize) -> bool {
    let symbol = text.get(at).map_or(" ", Cell::symbol);
    // A sign between two cells of a table looks other than these; a value that goes on below has no closing quote.
    let style = text.get(at).map(Cell::style);
    let quotes = |part: Option<&[Cell]>| {
        part.unwrap_or_default()
            .iter()
            .filter(|cell| cell.symbol() == "\"" && Some(cell.style()) == style)
            .count()
    };
    // What is cut has no closing quote: the texts beside it are none of its own.
    let own = (0..at).rev().find(|&at| is_cut(text, at)).map_or(0, |cut| cut + 1);
    let is_quoted = quotes(text.get(own..at)) % 2 == 1 && quotes(text.get(at..)) > 0;
    !symbol.is_ascii()
        && (symbol.chars().any(|c| signs::ascii(c).is_none()) || is_quoted && !is_cut(text, at))
}

/// True if a cell ends at column `at` of a text, cut off: the text ends there, or the sign between two cells follows.
fn is_cut(text: &[Cell], at: usize) -> bool {
    let is_sign = |at: usize| text.get(at).is_some_and(|cell| !cell.symbol().is_ascii());
    let is_between = is_blank(text, at + 1) && is_sign(at + 2) && is_blank(text, at + 3);
    text.get(at).is_some_and(|cell| cell.symbol() == signs::MORE)
        && (at + 1 == text.len() || is_between)
}

fn is_blank(row: &[Cell], at: usize) -> bool {
    row.get(at).is_some_and(|cell| cell.symbol() == " ")
}

/// The text that begins next from column `at` on: up to two blanks, or to the line between two panes.
fn text_from(row: &[Cell], at: usize) -> Option<Range<usize>> {
    let start = (at..row.len()).find(|&at| !is_blank(row, at))?;
    let mut end = start;
    while let Some(cell) = row.get(end) {
        let is_over = is_blank(row, end) && (is_blank(row, end + 1) || end + 1 == row.len());
        if end > start && (is_over || cell.symbol() == "│") {
            break;
        }
        end += cell.symbol().width().max(1);
    }
    Some(start..end.min(row.len()))
}

/// Writes a text by numbers where it must. It takes the blanks after it, and those between it and a text before it, but
/// for what keeps them apart; what has no room is cut. Gives the column after it.
fn spell_out_text(row: &mut [Cell], text: Range<usize>) -> usize {
    let cells = spelled(row.get(text.clone()).unwrap_or_default());
    let blanks_after = (text.end..row.len()).take_while(|&at| is_blank(row, at)).count();
    let ends_row = text.end + blanks_after == row.len();
    let before = (0..text.start).rev().take_while(|&at| is_blank(row, at)).count();
    // What begins its pane or follows a sign keeps its place.
    let text_before = (text.start - before).checked_sub(1).and_then(|at| row.get(at));
    let follows_text = text_before.is_some_and(|cell| cell.symbol().is_ascii());
    let more = cells.len().saturating_sub(text.len());
    let right = more.min(blanks_after.saturating_sub(usize::from(!ends_row)));
    let left = if follows_text { (more - right).min(before.saturating_sub(2)) } else { 0 };
    let area = text.start - left..text.end + right;
    let is_cut = cells.len() > area.len();
    for (cell, (c, style)) in row.get_mut(area.clone()).into_iter().flatten().zip(cells) {
        cell.set_char(c).set_style(style);
    }
    if let Some(last) = row.get_mut(area.end - 1).filter(|_| is_cut) {
        last.set_symbol(signs::MORE);
    }
    area.end
}

/// The characters of a text, each with its style: those that nothing stands for by their numbers.
fn spelled(cells: &[Cell]) -> Vec<(char, Style)> {
    let (mut out, mut at) = (Vec::new(), 0);
    while let Some(cell) = cells.get(at) {
        let is_spelled = is_spelled(cells, at);
        for c in cell.symbol().chars() {
            let is_kept = c.is_ascii() || signs::ascii(c).is_some() && !is_spelled;
            let text = if is_kept { c.into() } else { signs::escaped(c) };
            out.extend(text.chars().map(|c| (c, cell.style())));
        }
        at += cell.symbol().width().max(1);
    }
    out
}

/// Puts the stand-in of a sign in its place. One that is two columns wide takes a blank beside it, where there is one.
fn stand_in(row: &mut [Cell], at: usize) {
    let is_blank = |at: usize| row.get(at).is_none_or(|cell| cell.symbol() == " ");
    let symbol = row.get(at).map_or(" ", Cell::symbol);
    let Some(c) = symbol.chars().next().filter(|_| !symbol.is_ascii()) else { return };
    let before = at.checked_sub(1).filter(|before| is_blank(*before));
    let is_apart = before.is_some_and(|before| before.checked_sub(1).is_none_or(is_blank));
    let first = match (before, is_blank(at + 1) && at + 1 < row.len()) {
        // What is cut off gives way to the sign that says so.
        _ if symbol == signs::MORE => at.checked_sub(1),
        (Some(before), _) if is_apart => Some(before),
        (_, true) => Some(at),
        _ => None,
    };
    let style = row.get(at).map(Cell::style).unwrap_or_default();
    let stand_in = match (signs::wide(c), first) {
        (Some(wide), Some(first)) => row.get_mut(first..first + 2).zip(Some(wide)),
        _ => None,
    };
    match stand_in {
        Some((cells, wide)) => {
            for (cell, c) in cells.iter_mut().zip(wide.chars()) {
                cell.set_char(c).set_style(style);
            }
        }
        None => drop(row.get_mut(at).zip(signs::ascii(c)).map(|(cell, c)| cell.set_char(c))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ratatui::{buffer::Buffer, layout::Rect};

    fn ascii(text: &str) -> String {
        let width = u16::try_from(text.width()).unwrap();
        let mut buffer = Buffer::empty(Rect::new(0, 0, width, 1));
        buffer.set_string(0, 0, text, Style::new());
        draw(&mut buffer.content);
        buffer.content.iter().map(Cell::symbol).collect()
    }

    #[test]
    fn signs_between_cells_are_no_letters_of_a_value() {
        let mut buffer = Buffer::empty(Rect::new(0, 0, 20, 1));
        buffer.set_string(0, 0, "\"AAAAEAA", Style::new());
        buffer.set_string(8, 0, " ≡ ", Style::new().blue());
        buffer.set_string(11, 0, "{\"a\":0}", Style::new());
        draw(&mut buffer.content);
        let text: String = buffer.content.iter().map(Cell::symbol).collect();
        assert_eq!(text, "\"AAAAEAA == {\"a\":0} ");
    }

    #[test]
    fn stand_ins_take_the_blanks_beside_them() {
        assert_eq!(ascii("int16    ≠ int32"), "int16   != int32");
        assert_eq!(ascii("int16 ≠ int32"), "int16 !=int32");
        assert_eq!(ascii("int16 ≠ int32  "), "int16 != int32 ");
        assert_eq!(ascii("80 00 → -32768  a → b   │ →"), "80 00 -> -32768 a -> b  | >");
        assert_eq!(ascii("gzip ✓ ─►▐ bytes ▌─► i2   "), "gzip ok ->[ bytes ]-> i2  ");
        assert_eq!(ascii("1.5 2.5 … "), "1.5 2.5 ..");
        assert_eq!(ascii("packe…   f4"), "packe..  f4");
        assert_eq!(ascii("{\"name\":…}   "), "{\"name\":..}  ");
        assert_eq!(ascii("a≠b"), "a/b");
        assert_eq!(ascii("crc32c ✓ ─► zstd 4 → 5"), "crc32c ok-> zstd 4 ->5");
        assert_eq!(ascii("▌ packe…"), "> pack..");
        assert_eq!(ascii("…"), "\"");
        assert_eq!(ascii("  …"), " ..");
    }

    /// A letter that nothing stands for is told by its number, in the room that there is; never by a sign that could be
    /// in the data.
    #[test]
    fn letters_of_values_become_numbers() {
        for (text, expected) in [
            ("│ é      b  é      │", r"| \u{e9} b  \u{e9} |"),
            ("caf\u{e9}        ", r"caf\u{e9}   "),
            ("1    x é", r"1  x \.."),
            ("漢 a        b", r"\u{6f22} a  b"),
            ("e\u{301}        1", r"e\u{301} 1"),
            ("é  é  é  ", r".. .. \.."),
            // A sign in a value is not the sign, nor another letter.
            ("  ∅ \"∅\"          ", r#" -- "\u{2205}"   "#),
            ("\"Zarr 3\" → \"b\"   ", r#""Zarr 3" -> "b"  "#),
            ("\"ab…   ", r#""ab..  "#),
            ("\"ab… ≡ \"cd…   ", r#""a.. == "cd.. "#),
            ("␛       ", r"\u{1b}  "),
        ] {
            assert_eq!(ascii(text), expected, "{text}");
        }
    }
}
