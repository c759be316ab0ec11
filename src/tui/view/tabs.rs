//! The rule below the title with the names of the views, and the rule above the footer with the address.

use super::text::cut;
use crate::{
    app::{
        App, Focus, View,
        chunks::{link::Link, strip::grouped},
    },
    tui::{panes::Panes, theme},
    zarr::text::safe,
};
use ratatui::{buffer::Buffer, layout::Rect, widgets::Widget};
use std::ops::Range;
use unicode_width::UnicodeWidthStr;

/// The views by number and name.
#[derive(Debug)]
pub struct TabsView<'a> {
    /// The state.
    pub app: &'a App,
    /// Where everything lies.
    pub panes: Panes,
}

/// The rule above the footer.
#[derive(Debug)]
pub struct RuleView<'a> {
    /// The state.
    pub app: &'a App,
    /// Where everything lies.
    pub panes: Panes,
}

/// Where the names of the views stand: columns of the screen.
fn titles(panes: Panes, shown: View) -> Vec<(View, String, Range<u16>)> {
    let left = if panes.divider.is_empty() { panes.tabs.x } else { panes.divider.x };
    let room = usize::from(panes.tabs.right().saturating_sub(left));
    let all: usize = View::ALL.iter().map(|view| view.title().width() + 5).sum();
    let mut x = left + 1;
    // Where there is no room for all names, only the one on show has its own.
    let place = |view: View| {
        let text = if all + 2 <= room || view == shown {
            format!(" {} {} ", view.number(), view.title())
        } else {
            format!(" {} ", view.number())
        };
        let columns = x + 1..x + 1 + u16::try_from(text.width()).unwrap_or(0);
        x = columns.end;
        (view, text, columns)
    };
    View::ALL.into_iter().map(place).collect()
}

/// The view whose name stands at column `x`.
#[must_use]
pub fn at(panes: Panes, shown: View, x: u16) -> Option<View> {
    titles(panes, shown)
        .into_iter()
        .find(|(_, _, columns)| columns.contains(&x))
        .map(|(view, ..)| view)
}

impl Widget for TabsView<'_> {
    fn render(self, area: Rect, buf: &mut Buffer) {
        super::rule(area, "", theme::QUIET, buf);
        if self.app.shows_gallery() {
            return;
        }
        if !self.panes.divider.is_empty() {
            buf.set_string(self.panes.divider.x, area.y, "┬", theme::QUIET);
        }
        let focused = self.app.focus != Focus::Tree;
        for (view, text, columns) in titles(self.panes, self.app.view) {
            let style = match (view == self.app.view, focused) {
                (true, true) => theme::CURSOR,
                (true, false) => theme::STRONG,
                (false, _) => theme::QUIET,
            };
            let room = usize::from(area.right().saturating_sub(columns.start));
            buf.set_stringn(columns.start, area.y, text, room, style);
        }
    }
}

impl Widget for RuleView<'_> {
    fn render(self, area: Rect, buf: &mut Buffer) {
        super::rule(area, "", theme::QUIET, buf);
        let mut left = area.x;
        let gallery = self.app.shows_gallery();
        if !self.panes.divider.is_empty() && !gallery {
            left = self.panes.divider.x;
            buf.set_string(left, area.y, "┴", theme::QUIET);
        }
        let room = usize::from(area.right().saturating_sub(left + 3));
        let text = cut(&address(self.app), room);
        if !text.is_empty() {
            buf.set_string(left + 2, area.y, format!(" {text} "), theme::PLAIN);
        }
    }
}

/// Path, element and byte address: where the cursor is.
fn address(app: &App) -> String {
    let page = &app.chunks;
    let path = app.node().map(|node| safe(&node.path.0).into_owned()).unwrap_or_default();
    let Some(shown) = page.shown().filter(|_| matches!(app.view, View::Chunks | View::Picture))
    else {
        return path;
    };
    let Some(data) = shown.data(page.stage) else { return path };
    let range = page.selection();
    let bytes = if page.decimal {
        format!("bytes {}..{}", grouped(range.start), grouped(range.end))
    } else {
        format!("bytes {:#x}..{:#x}", range.start, range.end)
    };
    let Some(elements) = data.elements() else {
        let of = grouped(data.len());
        return format!("{bytes} of {of} ─ {}", covered(app));
    };
    let Some(at) = page.position() else { return bytes };
    let inside = elements.coordinates(at);
    let index = grouped(elements.index(&inside));
    let array = list(&shown.in_array(&inside));
    let padding = if shown.is_padding(&inside) { " ─ padding" } else { "" };
    let file = in_file(app).unwrap_or_default();
    format!("element {index} ─ chunk {} ─ array {array} ─ {bytes}{padding}{file}", list(&inside))
}

/// Where in the file the byte under the cursor is, as exactly as the codecs in between tell.
fn in_file(app: &App) -> Option<String> {
    let page = &app.chunks;
    let shown = page.shown()?;
    let raw = page.stage <= 1;
    Some(match shown.link(page.stage, page.cursor, 0) {
        Link::Exact(_) if raw => return None,
        Link::Exact(offset) if page.decimal => format!(" ─ file {}", grouped(offset)),
        Link::Exact(offset) => format!(" ─ file {offset:#x}"),
        Link::Within(range) if page.decimal => {
            format!(" ─ file {}..{}", grouped(range.start), grouped(range.end))
        }
        Link::Within(range) => format!(" ─ file {:#x}..{:#x}", range.start, range.end),
    })
}

/// What the bytes under the cursor belong to in the file or among the elements, as far as it can be followed.
fn covered(app: &App) -> String {
    let page = &app.chunks;
    let Some(shown) = page.shown() else { return String::new() };
    let Some(elements) = shown.chunk.elements() else { return "not decoded".into() };
    match shown.link(page.stage, page.cursor, shown.last()) {
        Link::Exact(offset) => match elements.element_at(offset) {
            Some(at) => format!("element {}", list(&elements.coordinates(at))),
            None => "no element".into(),
        },
        Link::Within(_) => "one of all elements: compressed".into(),
    }
}

/// Coordinates without blanks: `[3,0,3]`.
#[must_use]
pub fn list(numbers: &[u64]) -> String {
    format!("[{}]", numbers.iter().map(u64::to_string).collect::<Vec<_>>().join(","))
}
