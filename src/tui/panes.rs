//! The place of each pane: one pure function for drawing, for moving about, and for the mouse.
//!
//! ```text
//! title ───────────────────────────────────────────
//! ──────────────┬─ 1 Data type ─ 2 Chunks ─ … ────── tabs
//!  tree         │ view
//! ──────────────┴─ address ──────────────────────── rule
//!  keys                                              footer
//! ```

use super::prelude::*;
use super::view::{explain, help::HelpView, tree::columns_wanted};
use crate::app::layout::{beside, problem_rows};

/// Screens narrower than this show tree or view, not both.
pub const WIDE: u16 = 100;
/// The smallest screen that shows anything but its own size.
pub const SMALLEST: (u16, u16) = (40, 8);

/// The areas of the screen; those that are not on it have no size.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Panes {
    /// The first line.
    pub title: Rect,
    /// The rule below it, with the names of the views.
    pub tabs: Rect,
    /// The list of nodes.
    pub tree: Rect,
    /// The line between tree and view.
    pub divider: Rect,
    /// The view.
    pub view: Rect,
    /// The strip of a lesson, above tree and view.
    pub lesson: Rect,
    /// The rule below, with the address.
    pub rule: Rect,
    /// The keys, or the message, or the line that is typed.
    pub footer: Rect,
    /// Everything between title and footer, rules left out.
    pub body: Rect,
    /// The explanation on show, beside or below what it explains.
    pub explanation: Rect,
}

/// True if there is too little room for anything.
pub fn is_too_small(area: Rect) -> bool {
    area.width < SMALLEST.0 || area.height < SMALLEST.1
}

/// Splits the screen.
pub fn panes(area: Rect, app: &App) -> Panes {
    if is_too_small(area) {
        return Panes::default();
    }
    let row = |y: u16| Rect::new(area.x, y, area.width, 1);
    let bottom = area.bottom();
    let below = Rect::new(area.x, area.y + 2, area.width, area.height - 4);
    let (lesson, body) = upper(below, lesson_rows(area, app));
    let mut panes = Panes {
        title: row(area.y),
        tabs: row(area.y + 1),
        rule: row(bottom - 2),
        footer: row(bottom - 1),
        lesson,
        body,
        ..Panes::default()
    };
    if is_wide(area.width, app) {
        let tree = tree_columns(area.width, app);
        panes.tree = Rect { width: tree, ..body };
        panes.divider = Rect { x: body.x + tree, width: 1, ..body };
        panes.view = Rect { x: body.x + tree + 2, width: body.width - tree - 2, ..body };
    } else if app.shared.focus == Focus::Tree {
        panes.tree = body;
    } else {
        panes.view = Rect { x: body.x + 1, width: body.width - 1, ..body };
    }
    if let Some(explained) = app.explanation() {
        let explains = match app.cover() {
            Some(_) => &mut panes.body,
            None if app.shared.focus == Focus::Tree && panes.view.is_empty() => &mut panes.tree,
            None => &mut panes.view,
        };
        let most = most_explained(app, *explains);
        (*explains, panes.explanation) = shared_with(explained, *explains, most);
    }
    panes
}

/// The first rows of an area, and the rest.
fn upper(area: Rect, rows: u16) -> (Rect, Rect) {
    let rest = Rect { y: area.y + rows, height: area.height - rows, ..area };
    (Rect { height: rows, ..area }, rest)
}

/// Lines of the strip of a lesson: what its longest step needs, in two fifths of the screen at most; its rule is one of
/// them where there are more than three.
fn lesson_rows(area: Rect, app: &App) -> u16 {
    let Some(run) = &app.lesson else { return 0 };
    let wanted = cells(run.rows_wanted(area.width) + 2);
    wanted.min(area.height * 2 / 5).max(2)
}

/// The strip of a lesson without its rule.
pub fn lesson_size(strip: Rect) -> Size {
    Size::new(strip.width, if strip.height > 3 { strip.height - 1 } else { strip.height })
}

/// Columns of the tree: what its names and types need, and no more than leaves the view most of the screen.
fn tree_columns(width: u16, app: &App) -> u16 {
    const LEAST: u16 = 20;
    let most = if width < 150 { width * 28 / 120 } else { (30 + (width - 150) / 5).min(48) };
    let wanted = columns_wanted(&app.pages.tree, &app.shared.root_name());
    u16::try_from(wanted).unwrap_or(most).clamp(LEAST, most)
}

/// True if tree and view are side by side.
fn is_wide(width: u16, app: &App) -> bool {
    width >= WIDE && !app.shared.hides_tree
}

/// The most rows that an explanation has of an area: all that a list of problems leaves, for it says all that the view
/// would say of one; else two fifths.
fn most_explained(app: &App, area: Rect) -> u16 {
    if app.cover().is_some() || app.shared.view != View::Problems || !app.explains_view() {
        return area.height * 2 / 5;
    }
    let size = Size::new(area.width, area.height);
    let page = &app.pages.problems;
    let (_, below) = problem_rows(size, page.head(size), page.len(), false);
    u16::try_from(below + 1).unwrap_or(area.height)
}

/// The parts of an area for the explained view and for the explanation: the right side where that is wide
/// enough, else the bottom, in at most so many rows.
fn shared_with(explained: &Explained, area: Rect, most: u16) -> (Rect, Rect) {
    if let Some(width) = beside(area.width) {
        let left = Rect { width: area.width - width - 2, ..area };
        return (left, Rect { x: area.right() - width - 1, width: width + 1, ..area });
    }
    let height = explain::height(explained, area.width).min(most);
    let above = Rect { height: area.height - height, ..area };
    (above, Rect { y: above.bottom(), height, ..area })
}

/// The room of the panes, for the state machine. A pane that is not on the screen has the room it would have.
pub fn geometry(area: Rect, app: &App) -> Geometry {
    let panes = panes(area, app);
    let size = |rect: Rect| Size::new(rect.width, rect.height);
    let or_body = |rect: Rect| if rect.is_empty() { size(panes.body) } else { size(rect) };
    let whole = match app.cover() {
        Some(
            Overlay::Gallery
            | Overlay::Finder(_)
            | Overlay::Lessons(_)
            | Overlay::Compare
            | Overlay::Requests(_),
        ) => size(panes.body),
        _ => Size::new(area.width, area.height),
    };
    Geometry {
        text: text_lines(panes, app),
        explains: app.explanation().is_some(),
        wide: is_wide(area.width, app),
        tree: or_body(panes.tree),
        view: or_body(panes.view),
        whole,
        last_line: last_line(panes, app),
        lesson: lesson_size(panes.lesson),
    }
}

/// The last line that a text on top can be scrolled to begin with.
fn last_line(panes: Panes, app: &App) -> usize {
    match &app.overlay {
        Some(Overlay::Help(page)) => HelpView::of(app, page).last_line(panes.body),
        Some(Overlay::Explain(explained)) => explain::last_line(explained, panes.explanation),
        _ => 0,
    }
}

/// The lines in sight of a text on top.
fn text_lines(panes: Panes, app: &App) -> usize {
    let area = if app.explanation().is_some() { panes.explanation } else { panes.body };
    usize::from(area.height).saturating_sub(1)
}

/// The view with the explanation beside or below it; the tree where there is no view.
pub fn view_and_explanation(panes: Panes) -> Rect {
    let view = if panes.view.is_empty() { panes.body } else { panes.view };
    if panes.explanation.is_empty() { view } else { view.union(panes.explanation) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::zarr::{Hierarchy, Registry, store::DirectoryStore};
    use std::{path::Path, sync::Arc};

    fn app() -> App {
        let store = Arc::new(DirectoryStore::new(Path::new("/nowhere")));
        let hierarchy = Hierarchy::new(store, Arc::new(Registry::empty()));
        App::new(&hierarchy, Start::default(), 1)
    }

    #[test]
    fn panes_fill_the_screen_and_never_overlap() {
        let mut app = app();
        for width in [40, 80, 99, 100, 120, 300] {
            for height in [8, 24, 60] {
                for focus in [Focus::Tree, Focus::View] {
                    app.shared.focus = focus;
                    let area = Rect::new(0, 0, width, height);
                    let panes = panes(area, &app);
                    assert_eq!(panes.body.height + 4, height);
                    assert!(panes.tree.intersection(panes.view).is_empty());
                    assert_eq!(panes.tree.is_empty(), width < WIDE && focus == Focus::View);
                    assert!(area.contains(panes.footer.as_position()));
                }
            }
        }
        assert_eq!(panes(Rect::new(0, 0, 39, 8), &app), Panes::default());
    }
}
