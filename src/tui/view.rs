//! The drawing of the state: `&App` in, cells out, nothing else. No view touches a file, and none costs more than
//! what is in sight.

use super::panes::Panes;
use super::prelude::*;
use std::time::{SystemTime, UNIX_EPOCH};

mod address;
pub mod chunk_table;
pub mod chunks;
pub mod compare;
pub mod datatype;
pub mod explain;
pub mod finder;
pub mod footer;
pub mod gallery;
pub mod help;
mod input;
pub mod lesson;
pub mod metadata;
mod next_keys;
pub mod node;
pub mod opening;
pub mod overview;
pub mod picture;
pub mod problems;
pub mod requests;
pub mod tabs;
pub mod title;
pub mod tree;
pub mod twins;

/// The whole screen.
pub struct Screen<'a> {
    app: &'a App,
}

impl<'a> Screen<'a> {
    /// The screen of `app`.
    pub fn new(app: &'a App) -> Self {
        Self { app }
    }
}

impl Widget for Screen<'_> {
    fn render(self, area: Rect, buf: &mut Buffer) {
        if panes::is_too_small(area) {
            return too_small(area, buf);
        }
        let app = self.app;
        let panes = panes::panes(area, app);
        title::render(app, panes.title, buf);
        if let Some(run) = app.lesson.as_ref() {
            let size = panes::lesson_size(panes.lesson);
            lesson::StripView { app, run, size }.render(panes.lesson, buf);
        }
        if app.shared.opening.is_some() {
            opening::render(app, panes.body, buf);
        } else {
            panes_of_store(app, panes, buf);
        }
        footer::render(app, panes.footer, buf);
        for overlay in app.under.iter().chain(&app.overlay) {
            draw_overlay(app, overlay, panes, buf);
        }
        if app.lists_next_keys() {
            next_keys::render(app, panes.body, buf);
        }
    }
}

/// Draws the tree and the view of the selected node.
fn panes_of_store(app: &App, panes: Panes, buf: &mut Buffer) {
    tabs::tabs(app, panes, panes.tabs, buf);
    let size = Size::new(panes.tree.width, panes.tree.height);
    Text::from(tree::lines(app, size)).render(panes.tree, buf);
    for y in panes.divider.y..panes.divider.bottom() {
        buf.set_string(panes.divider.x, y, "│", QUIET);
    }
    view(app, panes.view, buf);
    tabs::rule(app, panes, panes.rule, buf);
}

/// Draws the view of the selected node on the right side.
fn view(app: &App, area: Rect, buf: &mut Buffer) {
    if area.is_empty() {
        return;
    }
    let (shared, size) = (&app.shared, Size::new(area.width, area.height));
    let lines = match (shared.view, shared.reading()) {
        (View::DataType | View::Chunks | View::Picture | View::Metadata, Some(path)) => {
            return reading(&path.0, area, buf);
        }
        _ if shared.shows_overview() => overview::lines(app, size),
        (view, _) if view.needs_array() && !shared.is_array() => node::lines(app, size),
        (View::DataType, _) => return datatype::render(app, area, buf),
        (View::Chunks, _) if shared.has_table() => chunk_table::lines(app, size),
        (View::Chunks, _) => return chunks::render(app, area, buf),
        (View::Picture, _) => {
            let (page, chunk, root) = (&app.pages.picture, &shared.chunk, &shared.root_name());
            let supposed = shared.supposed();
            return picture::PictureView { page, chunk, supposed, root }.render(area, buf);
        }
        (View::Metadata, _) => {
            let (page, node) = (&app.pages.metadata, shared.node().map(Arc::as_ref));
            let (is_explained, is_supposed) = (app.explains_view(), shared.supposed().is_some());
            let view = metadata::MetadataView { page, node, is_explained, is_supposed };
            return view.render(area, buf);
        }
        (View::Problems, _) => problems::lines(app, size),
    };
    Text::from(lines).render(area, buf);
}

/// Draws the place of a node that is still being read, on a slow disk.
fn reading(path: &str, area: Rect, buf: &mut Buffer) {
    let text = format!("  reading /{} …", safe(path));
    let y = area.y + area.height.min(2) - 1;
    buf.set_stringn(area.x, y, text, area.width.into(), QUIET);
}

/// All that the panes have, with what an explanation takes of it.
fn below_an_explanation(panes: Panes) -> Rect {
    if panes.explanation.is_empty() { panes.body } else { panes.body.union(panes.explanation) }
}

fn draw_overlay(app: &App, overlay: &Overlay, panes: Panes, buf: &mut Buffer) {
    let (all, size) = (below_an_explanation(panes), Size::new(panes.body.width, panes.body.height));
    let lines = match overlay {
        Overlay::Help(page) => return help::HelpView::of(app, page).render(panes.body, buf),
        Overlay::Explain(explained) => {
            explain::render(explained, panes.explanation, buf);
            let Rect { x, y, height, .. } = panes.explanation;
            let left = if app.cover().is_some() { panes.body } else { panes.view };
            if left.right() < x {
                explain::divider(Rect { x: x - 1, y, width: 1, height }, buf);
            }
            return;
        }
        Overlay::Prompt(_) => return,
        Overlay::Gallery => {
            Clear.render(all, buf);
            let is_explained = !panes.explanation.is_empty();
            return gallery::render(&app.pages.gallery, is_explained, panes.body, buf);
        }
        Overlay::Finder(finder) => finder::lines(finder, size),
        Overlay::Compare => compare::lines(&app.pages.compare, size),
        Overlay::Requests(page) => requests::lines(app, page, size),
        Overlay::Lessons(list) => lesson::list_of_lessons(list, size),
    };
    Clear.render(all, buf);
    Text::from(lines).render(panes.body, buf);
}

/// Lines of text, the label before the first of them; it takes so many columns, blanks in front of it included.
pub fn labelled((label, columns): (&str, usize), text: Vec<String>, style: Style) -> Vec<Line> {
    headed(quiet(left(label, columns)), text, style)
}

/// Lines of text, a label or a sign before the first of them.
pub fn headed(head: Span, text: Vec<String>, style: Style) -> Vec<Line> {
    let blank = styled(" ".repeat(head.width()), head.style);
    let heads = iter::once(head).chain(iter::repeat(blank));
    let line = |(head, part)| Line::from(vec![head, styled(part, style)]);
    heads.zip(text).map(line).collect()
}

/// A text in lines of `width` columns, after the blanks of `indent`.
pub fn prose(indent: &str, text: &str, width: usize, style: Style) -> Vec<Line> {
    let lines = wrap(text, width).into_iter();
    lines.map(|line| Line::styled(format!("{indent}{line}"), style)).collect()
}

/// Parts of an area, one below the other.
pub fn stacked<const N: usize>(area: Rect, heights: [Constraint; N]) -> [Rect; N] {
    area.layout(&Layout::vertical(heights))
}

/// An error, part by part: what is wrong, what would be right, the place, and the advice.
pub fn error_in_parts(indent: &str, error: &Error, width: usize) -> Vec<Line> {
    let columns = indent.len() + 10;
    let place = error.place.to_string();
    let fix = error.fix.as_deref().unwrap_or_default();
    // That there are no elements is no fault.
    let to_do = if error.code == Code::EmptyArray { "" } else { "to do" };
    let (found, expected) = (error.found.as_str(), error.expected.as_str());
    let parts = [("found", found), ("expected", expected), ("where", &place), (to_do, fix)];
    let lines = |(label, text): (&str, &str)| {
        let text = wrap(&safe(text), width.saturating_sub(columns));
        labelled((&format!("{indent}{label}"), columns), text, PLAIN)
    };
    parts.into_iter().filter(|(_, text)| !text.is_empty()).flat_map(lines).collect()
}

/// The time of a file's last write, to the minute, in UTC.
pub fn to_the_minute(at: SystemTime) -> Option<String> {
    let minutes = at.duration_since(UNIX_EPOCH).ok()?.as_secs() / 60;
    let count = i64::try_from(minutes).ok()?;
    let time = Time { count, unit: TimeUnit::Minute, scale: 1, since_epoch: true };
    Some(time.text().replace('T', " "))
}

/// One line that says what is wrong and what would be right.
fn too_small(area: Rect, buf: &mut Buffer) {
    let (width, height) = panes::SMALLEST;
    let long =
        format!("{}x{}: too small, zarrscope needs {width}x{height}", area.width, area.height);
    let text =
        if long.len() <= area.width.into() { long } else { format!("needs {width}x{height}") };
    Line::from(text).render(Rect { height: area.height.min(1), ..area }, buf);
}

/// As much of `line` as `width` has room for; that it is cut is marked.
pub fn fitted(line: Line, width: usize) -> Line {
    if line.width() <= width {
        return line;
    }
    let mut room = width.saturating_sub(1);
    let mut spans = Vec::new();
    for span in line.spans {
        if span.width() > room {
            spans.push(styled(cut(&format!("{}…", span.content), room + 1), span.style));
            break;
        }
        room -= span.width();
        spans.push(span);
    }
    Line { spans, ..line }
}

/// A rule over the whole width, with a title in it if there is one.
pub fn ruled(width: usize, title: &str, style: Style) -> Line {
    if title.is_empty() {
        return Line::styled("─".repeat(width), QUIET);
    }
    let title = format!(" {} ", cut(title, width.saturating_sub(4)));
    let rest = width.saturating_sub(title.width() + 1);
    Line::from(vec![quiet("─"), styled(title, style), quiet("─".repeat(rest))])
}

/// Draws such a rule.
pub fn rule(area: Rect, title: &str, style: Style, buf: &mut Buffer) {
    ruled(area.width.into(), title, style).render(area, buf);
}
