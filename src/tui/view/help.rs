//! The key table, as an overlay: first the keys of this place, then all others.

use crate::{
    app::{App, HelpPage, KeyContext},
    tui::{keymap, theme},
    zarr::words::{self, cut, right},
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
    /// What is on show of it.
    pub page: &'a HelpPage,
    /// The contexts to begin with.
    pub contexts: [KeyContext; 2],
}

impl Widget for HelpView<'_> {
    fn render(self, area: Rect, buf: &mut Buffer) {
        Clear.render(area, buf);
        let lines = self.lines(area.width.into());
        let last = self.last_line(area);
        let top = self.page.scroll.cursor().min(last);
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

impl<'a> HelpView<'a> {
    /// The keys that hold in `app`, those of the pane that has the keys first.
    #[must_use]
    pub fn of(app: &App, page: &'a HelpPage) -> Self {
        let contexts = if app.shows_gallery() {
            [KeyContext::Gallery, KeyContext::Playground]
        } else {
            [app.focused(), KeyContext::Everywhere]
        };
        Self { page, contexts }
    }

    /// The last line that it can be scrolled to begin with, in an area of this size.
    #[must_use]
    pub fn last_line(&self, area: Rect) -> usize {
        self.lines(area.width.into()).len().saturating_sub(area.height.into())
    }

    fn lines(&self, width: usize) -> Vec<Line<'static>> {
        let rest = KeyContext::all().filter(|context| !self.contexts.contains(context));
        let mut lines = Vec::new();
        for context in self.contexts.into_iter().chain(rest) {
            let rows = columns(context, &self.page.filter.to_lowercase(), width);
            if rows.is_empty() {
                continue;
            }
            let title = format!("─ {} ", context.title());
            let fill = "─".repeat(width.saturating_sub(title.chars().count() + 2));
            lines.push(Line::from(vec![
                Span::from(" "),
                Span::styled(title, theme::TITLE),
                Span::styled(fill, theme::QUIET),
            ]));
            lines.extend(rows);
            lines.push(Line::default());
        }
        lines.pop();
        if lines.is_empty() {
            lines.push(Line::styled(" no key does anything of that name", theme::QUIET));
        }
        lines
    }
}

/// The rows of one context that have `filter` in them, side by side where there is room.
fn columns(context: KeyContext, filter: &str, width: usize) -> Vec<Line<'static>> {
    let wanted = |row: &&keymap::Binding| {
        let text = format!("{} {} {}", context.title(), keymap::names(row), row.help);
        !row.help.is_empty() && text.to_lowercase().contains(filter)
    };
    let rows: Vec<_> = keymap::rows(context).filter(wanted).collect();
    let per_line = (width / 60).clamp(1, 3).min(rows.len().max(1));
    let each = width / per_line;
    let height = rows.len().div_ceil(per_line);
    let line = |at: usize| {
        let mut spans = Vec::new();
        for row in rows.iter().skip(at).step_by(height.max(1)) {
            spans.push(Span::styled(right(&keymap::names(row), 16), theme::KEY));
            let help = cut(row.help, each.saturating_sub(18));
            spans.push(Span::from(format!("  {}", words::left(&help, each.saturating_sub(18)))));
        }
        Line::from(spans)
    };
    (0..height).map(line).collect()
}
