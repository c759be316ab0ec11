//! An explanation over the view: a title, sentences, a table.

use super::text::{left, wrap};
use crate::{
    app::{Explained, twins::lines as lines_of},
    tui::theme,
};
use ratatui::{
    buffer::Buffer,
    layout::Rect,
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

impl Widget for ExplainView<'_> {
    fn render(self, area: Rect, buf: &mut Buffer) {
        let width = area.width.min(WIDEST);
        let lines = lines(self.explained, usize::from(width.saturating_sub(4)));
        let wanted = u16::try_from(lines.len() + 2).unwrap_or(u16::MAX);
        let height = wanted.min(area.height);
        let area = Rect { x: area.right() - width, y: area.bottom() - height, width, height };
        Clear.render(area, buf);
        super::rule(Rect { height: 1, ..area }, &self.explained.title, theme::TITLE, buf);
        let inner = Rect { x: area.x + 2, y: area.y + 1, width: width - 4, height: height - 2 };
        let last = lines.len().saturating_sub(inner.height.into());
        let top = self.explained.scroll.cursor().min(last);
        for (line, row) in lines.into_iter().skip(top).zip(inner.rows()) {
            line.render(row, buf);
        }
        if top < last {
            buf.set_string(area.right() - 9, area.bottom() - 1, " ↓ more ", theme::KEY);
        }
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
        lines.extend(wrap(paragraph, width).into_iter().map(Line::from));
    }
    lines
}
