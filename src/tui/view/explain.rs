//! An explanation over the view: a title, sentences, a table.

use crate::{
    app::{Explained, layout::twins::lines as lines_of},
    tui::theme,
    zarr::words::{left, wrap},
};
use ratatui::{
    buffer::Buffer,
    layout::{Margin, Rect},
    text::{Line, Span},
    widgets::{Clear, Widget},
};
use unicode_width::UnicodeWidthStr;

/// The widest line that is pleasant to read.
const WIDEST: u16 = 96;

/// What is under the cursor, explained.
#[derive(Debug)]
pub struct ExplainView<'a> {
    /// The explanation.
    pub explained: &'a Explained,
}

impl ExplainView<'_> {
    /// The area that it takes of `area`, at the bottom, and its lines.
    fn place(&self, area: Rect) -> (Rect, Vec<Line<'static>>) {
        let width = area.width.min(WIDEST);
        let lines = lines(self.explained, usize::from(width.saturating_sub(4)));
        let wanted = u16::try_from(lines.len() + 2).unwrap_or(u16::MAX);
        let height = wanted.min(area.height);
        let taken = Rect { x: area.right() - width, y: area.bottom() - height, width, height };
        (taken, lines)
    }

    /// The last line that it can be scrolled to begin with, in an area of this size.
    #[must_use]
    pub fn last_line(&self, area: Rect) -> usize {
        let (taken, lines) = self.place(area);
        (lines.len() + 2).saturating_sub(taken.height.into())
    }
}

impl Widget for ExplainView<'_> {
    fn render(self, area: Rect, buf: &mut Buffer) {
        let last = self.last_line(area);
        let (area, lines) = self.place(area);
        Clear.render(area, buf);
        super::rule(Rect { height: 1, ..area }, &self.explained.title, theme::TITLE, buf);
        let inner = Rect {
            x: area.x + 2,
            y: area.y + 1,
            width: area.width.saturating_sub(4),
            height: area.height.saturating_sub(2),
        };
        let top = self.explained.scroll.cursor().min(last);
        for (line, row) in lines.into_iter().skip(top).zip(inner.rows()) {
            line.render(row, buf);
        }
        if top < last {
            buf.set_string(area.right() - 12, area.bottom() - 1, " PgDn more ", theme::KEY);
        }
    }
}

/// An explanation below what it explains, as far as there is room; that there is more is in its title.
pub fn panel(explained: &Explained, area: Rect, buf: &mut Buffer) {
    let rule = Rect { height: area.height.min(1), ..area };
    super::rule(rule, &explained.title, theme::TITLE, buf);
    let inner = area.inner(Margin::new(2, 0));
    let inner = Rect { y: area.y + 1, height: area.height.saturating_sub(1), ..inner };
    let lines = lines(explained, inner.width.into());
    if lines.len() > inner.height.into() && !rule.is_empty() {
        let x = area.right().saturating_sub(15);
        buf.set_string(x, area.y, " K shows all ", theme::KEY);
    }
    for (line, row) in lines.into_iter().zip(inner.rows()) {
        line.render(row, buf);
    }
}

/// The lines of an explanation at `width` columns: the table first, for it is what one looks for.
#[must_use]
pub fn lines(explained: &Explained, width: usize) -> Vec<Line<'static>> {
    let mut lines = Vec::new();
    let labels = explained.table.iter().map(|(label, _)| label.width()).max().unwrap_or(0).min(24);
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
