//! An explanation over the view: a title, sentences, a table.

use crate::app::layout::twins::lines as lines_of;
use crate::tui::prelude::*;

/// The widest line that is pleasant to read.
const WIDEST: u16 = 96;

/// The lines that it takes below what it explains, at `width` columns: the rule and all its lines.
pub fn height(explained: &Explained, width: u16) -> u16 {
    let lines = lines(explained, columns(width)).len() + 1;
    cells(lines)
}

/// The last line that it can be scrolled to begin with, in an area of this size.
pub fn last_line(explained: &Explained, area: Rect) -> usize {
    let all = lines(explained, columns(area.width)).len();
    (all + 1).saturating_sub(area.height.into())
}

/// Columns of the text in an area of `width`.
fn columns(width: u16) -> usize {
    usize::from(width.saturating_sub(3).min(WIDEST))
}

/// The explanation of the thing under the cursor.
pub fn render(explained: &Explained, area: Rect, buf: &mut Buffer) {
    let last = last_line(explained, area);
    let top = explained.scroll.cursor().min(last);
    Clear.render(area, buf);
    let more = match () {
        () if explained.has_keys => " ↑ ↓ scroll   Tab leaves ",
        () if top < last => " PgDn more ",
        () => "",
    };
    framed(explained, area, top, more, buf);
}

/// An explanation beside or below what it explains, as far as there is room; that there is more is in its title.
pub fn panel(explained: &Explained, area: Rect, buf: &mut Buffer) {
    let all = lines(explained, columns(area.width)).len();
    let more = if all + 1 > area.height.into() { " K shows all " } else { "" };
    framed(explained, area, 0, more, buf);
}

/// The line between a view and the explanation beside it.
pub fn divider(area: Rect, buf: &mut Buffer) {
    for y in area.y..area.bottom() {
        buf.set_string(area.x, y, "│", QUIET);
    }
}

/// The title in a rule, and the lines from `top` on below it. Where the area is beside something, a line on its left.
fn framed(explained: &Explained, area: Rect, top: usize, more: &str, buf: &mut Buffer) {
    let rule = Rect { height: area.height.min(1), ..area };
    let room = usize::from(area.width).saturating_sub(5);
    // A title has room before a key that the footer shows too.
    let fits = explained.has_keys || explained.title.width() + more.width() <= room;
    let more = if fits { more } else { "" };
    let title = cut(&explained.title, room.saturating_sub(more.width()));
    super::rule(rule, &title, TITLE, buf);
    if !rule.is_empty() && !more.is_empty() {
        let width = u16::try_from(more.width()).unwrap_or(0);
        buf.set_string(area.right().saturating_sub(width + 1), area.y, more, KEY);
    }
    let inner = Rect {
        x: area.x + 2,
        y: area.y + 1,
        width: area.width.saturating_sub(3),
        height: area.height.saturating_sub(1),
    };
    let lines = lines(explained, columns(area.width)).into_iter().skip(top);
    lines.collect::<Text<'_>>().render(inner, buf);
}

/// The lines of an explanation at `width` columns: the table first, for it is what one looks for.
pub fn lines(explained: &Explained, width: usize) -> Vec<Line> {
    let mut lines = Vec::new();
    let labels = widest(&explained.table, |(label, _)| label.width()).min(24);
    for (label, value) in &explained.table {
        let mut label = left(label, labels);
        for part in lines_of(value, width.saturating_sub(labels + 2)) {
            lines.push(Line::from(vec![Span::from(label), Span::from("  "), Span::from(part)]));
            label = " ".repeat(labels);
        }
    }
    for paragraph in &explained.paragraphs {
        if !lines.is_empty() {
            lines.push(Line::default());
        }
        lines.extend(paragraph.lines().flat_map(|line| wrap(line, width)).map(Line::from));
    }
    lines
}
