//! The key table, as an overlay: first the keys of this place, then all others.

use super::text::{cut, right};
use crate::{
    app::{Context, Scroll},
    tui::{keymap, theme},
};
use ratatui::{
    buffer::Buffer,
    layout::Rect,
    text::{Line, Span},
    widgets::{Clear, Widget},
};

/// Every key there is.
#[derive(Debug)]
pub struct HelpView<'a> {
    /// The first line on show.
    pub scroll: Scroll,
    /// The contexts to begin with.
    pub contexts: &'a [Context],
}

impl Widget for HelpView<'_> {
    fn render(self, area: Rect, buf: &mut Buffer) {
        Clear.render(area, buf);
        let lines = self.lines(area.width.into());
        let last = lines.len().saturating_sub(area.height.into());
        let top = self.scroll.cursor().min(last);
        for (line, row) in lines.into_iter().skip(top).zip(area.rows()) {
            line.render(row, buf);
        }
        if top < last {
            let more = " ↓ more ";
            let x = area.right().saturating_sub(9);
            buf.set_string(x, area.bottom().saturating_sub(1), more, theme::KEY);
        }
    }
}

impl HelpView<'_> {
    fn lines(&self, width: usize) -> Vec<Line<'static>> {
        let rest = Context::ALL.into_iter().filter(|context| !self.contexts.contains(context));
        let mut lines = Vec::new();
        for context in self.contexts.iter().copied().chain(rest) {
            let title = format!("─ {} ", context.title());
            let fill = "─".repeat(width.saturating_sub(title.chars().count() + 2));
            lines.push(Line::from(vec![
                Span::from(" "),
                Span::styled(title, theme::TITLE),
                Span::styled(fill, theme::QUIET),
            ]));
            lines.extend(columns(context, width));
            lines.push(Line::default());
        }
        lines
    }
}

/// The rows of one context, side by side where there is room.
fn columns(context: Context, width: usize) -> Vec<Line<'static>> {
    let rows: Vec<_> = keymap::rows(context).filter(|row| !row.help.is_empty()).collect();
    let per_line = (width / 60).clamp(1, 3);
    let each = width / per_line;
    let height = rows.len().div_ceil(per_line);
    let line = |at: usize| {
        let mut spans = Vec::new();
        for row in rows.iter().skip(at).step_by(height.max(1)) {
            spans.push(Span::styled(right(&keymap::names(row), 16), theme::KEY));
            let help = cut(row.help, each.saturating_sub(18));
            spans.push(Span::from(format!(
                "  {}",
                super::text::left(&help, each.saturating_sub(18))
            )));
        }
        Line::from(spans)
    };
    (0..height).map(line).collect()
}
