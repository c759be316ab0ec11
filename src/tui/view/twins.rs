//! Two columns, V2 and V3, with a sign between them for what happens on the way from one to the other.

use crate::app::layout::twins::TwinPart;
use crate::tui::prelude::*;

/// The rows of the twin columns from `first` on, as far as `height` lines have room for them; the row under the cursor
/// comes with whether the pane has the keys.
pub fn lines(
    rows: &[Row],
    twins: &Twins,
    first: usize,
    cursor: Option<(usize, bool)>,
    height: usize,
) -> Vec<Line> {
    let rows = rows.iter().enumerate().skip(first);
    let lines = rows.flat_map(|(at, row)| {
        let focused = cursor.filter(|(cursor, _)| *cursor == at).map(|(_, focused)| focused);
        (0..twins.lines_of(at)).map(move |number| line(twins, at, row, number, focused))
    });
    lines.take(twins.lines_from(first, height)).collect()
}

/// One line of a row; label and sign are on its first.
fn line(twins: &Twins, at: usize, row: &Row, number: usize, cursor: Option<bool>) -> Line {
    let is_first = number == 0;
    let label = if is_first { row.label.as_str() } else { "" };
    let sign = if is_first { row.join.sign() } else { " " };
    let mut spans = vec![theme::mark(cursor.is_some()), Span::raw(left(label, twins.label))];
    for part in twins.parts(at, number) {
        match part {
            TwinPart::Sign => spans.push(styled(format!(" {sign} "), theme::join(row.join))),
            TwinPart::Name(name) => spans.push(quiet(left(name, 3))),
            TwinPart::Cell(text, width) => spans.extend(cell(text, width, cursor)),
        }
    }
    Line::from(spans)
}

/// A cell as wide as its column; only its text is lit, not the blanks after it.
fn cell(text: &str, width: usize, cursor: Option<bool>) -> [Span; 2] {
    let text = cut(text, width);
    let gap = width.saturating_sub(text.width());
    [styled(text, theme::row(cursor)), Span::raw(" ".repeat(gap))]
}

/// The heads of the columns. The format that is stored, or `supposed` to be, stands out; `None` where neither is.
pub fn heads(twins: &Twins, stored: Option<Format>, supposed: bool) -> Line {
    let head = |format: Format, width: usize| {
        let style = if stored == Some(format) { STRONG } else { PLAIN };
        styled(left(&name(format, stored, supposed, width), width), style)
    };
    between(twins, head(Format::V2, twins.v2), head(Format::V3, twins.v3))
}

/// The line above the columns: a word for each.
pub fn above(twins: &Twins, v2: &str, v3: &str, style: Style) -> Line {
    let word = |text: &str, width: usize| styled(left(text, width), style);
    between(twins, word(v2, twins.v2), word(v3, twins.v3))
}

/// The heads of two documents that are both stored: whether one is `unread`, which is `used`, and in how many rows they
/// differ.
pub fn heads_of_both(
    twins: &Twins,
    unread: Option<Format>,
    used: Option<Format>,
    different: usize,
) -> Line {
    let head = |format: Format| {
        let how = if unread == Some(format) { "✗ cannot be read" } else { "● as stored" };
        let text = format!("{}  {how}", format.name());
        let in_use = format!("{text} ▶ in use");
        let room = if format == Format::V2 { twins.v2 } else { twins.v3 };
        match used == Some(format) {
            true if in_use.width() <= room => in_use,
            true => format!("{text} ▶"),
            false => text,
        }
    };
    let mut line = above(twins, &head(Format::V2), &head(Format::V3), STRONG);
    if different > 0 {
        let count = cut(&format!("≠ {}", counted(different, "row")), twins.label);
        let count = left(&format!(" {count}"), twins.label + 3);
        line.spans[0] = styled(count, WARNING);
    }
    line
}

fn between(twins: &Twins, v2: Span, v3: Span) -> Line {
    Line::from(vec![Span::raw(" ".repeat(1 + twins.label + 2)), v2, Span::raw("   "), v3])
}

/// A format and whether it is stored, in as many words as have room.
fn name(format: Format, stored: Option<Format>, supposed: bool, width: usize) -> String {
    let words: &[&str] = match stored {
        None => &[],
        Some(stored) if stored == format && supposed => &["  ● what if", " ●"],
        Some(stored) if stored == format => &["  ● as stored", " ● stored", " ●"],
        Some(_) => {
            &["  ○ as zarrscope would write it", " ○ would be written", " ○ not stored", " ○"]
        }
    };
    let whole = words.iter().map(|words| format!("{}{words}", format.name()));
    whole.into_iter().find(|name| name.width() <= width).unwrap_or_else(|| format.name().into())
}
