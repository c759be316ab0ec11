//! A row of the screen in ASCII: the signs of the views become their stand-ins, letters of values become numbers.

use crate::zarr::signs;
use ratatui::{buffer::Cell, style::Style};
use std::ops::Range;
use unicode_width::UnicodeWidthStr;

/// Draws a row in ASCII.
pub(super) fn draw(row: &mut [Cell]) {
    if row.iter().any(|cell| !cell.symbol().is_ascii()) {
        spell_out(row);
        (0..row.len()).for_each(|at| stand_in(row, at));
    }
}

/// Writes the letters that nothing stands for by their numbers, text by text.
fn spell_out(row: &mut [Cell]) {
    let mut at = 0;
    while let Some(text) = text_from(row, at) {
        at = text.end;
        if row
            .get(text.clone())
            .unwrap_or_default()
            .iter()
            .any(|cell| has_no_stand_in(cell.symbol()))
        {
            at = spell_out_text(row, text);
        }
    }
}

fn has_no_stand_in(symbol: &str) -> bool {
    symbol.chars().any(|c| signs::ascii(c).is_none())
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
        for c in cell.symbol().chars() {
            let text = if signs::ascii(c).is_some() { c.into() } else { signs::escaped(c) };
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
    fn stand_ins_take_the_blanks_beside_them() {
        assert_eq!(ascii("int16    ≠ int32"), "int16   != int32");
        assert_eq!(ascii("int16 ≠ int32"), "int16 !=int32");
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
            ("␛       ", r"\u{1b}  "),
        ] {
            assert_eq!(ascii(text), expected, "{text}");
        }
    }
}
