//! The rule below the title with the names of the views, and the rule above the footer with the address.

use super::address::address;
use crate::tui::panes::Panes;
use crate::tui::prelude::*;

/// The places of the names of the views: columns of the screen.
fn titles(panes: Panes, shown: View, is_array: bool) -> Vec<(View, String, Range<u16>)> {
    let left = if panes.divider.is_empty() { panes.tabs.x } else { panes.divider.x };
    let room = usize::from(panes.tabs.right().saturating_sub(left));
    let all: usize = View::ALL.iter().map(|view| view.title_of(is_array).width() + 5).sum();
    let mut x = left + 1;
    // Where there is no room for all names, only the one on show has its own.
    let place = |view: View| {
        let text = if all + 2 <= room || view == shown {
            format!(" {} {} ", view.number(), view.title_of(is_array))
        } else {
            format!(" {} ", view.number())
        };
        let columns = x + 1..x + 1 + u16::try_from(text.width()).unwrap_or(0);
        x = columns.end;
        (view, text, columns)
    };
    View::ALL.into_iter().map(place).collect()
}

/// The view whose name is at column `x`.
pub fn at(panes: Panes, shared: &Shared, x: u16) -> Option<View> {
    titles(panes, shared.view, !shared.has_overview())
        .into_iter()
        .find(|(_, _, columns)| columns.contains(&x))
        .map(|(view, ..)| view)
}

/// The views by number and name.
pub fn tabs(app: &App, panes: Panes, area: Rect, buf: &mut Buffer) {
    super::rule(area, "", QUIET, buf);
    if app.page_over_views().is_some() {
        return;
    }
    if has_divider(app, panes) && panes.lesson.is_empty() {
        buf.set_string(panes.divider.x, area.y, "┬", QUIET);
    }
    let filter = &app.pages.tree.filter;
    if !filter.is_empty() && !panes.tree.is_empty() && panes.lesson.is_empty() {
        let room = usize::from(panes.tree.width).saturating_sub(1);
        let text = cut(&format!("─ /{}  Esc clears ", safe(filter)), room);
        buf.set_string(panes.tree.x, area.y, text, WARNING);
    }
    let focused = app.shared.focus != Focus::Tree;
    let is_array = !app.shared.has_overview();
    for (view, text, columns) in titles(panes, app.shared.view, is_array) {
        let style = match (view == app.shared.view, focused) {
            (true, true) => CURSOR,
            (true, false) => STRONG,
            // Only arrays have chunks and pictures.
            (false, _) if is_array || view == View::DataType || !view.needs_array() => PLAIN,
            (false, _) => QUIET,
        };
        let room = usize::from(area.right().saturating_sub(columns.start));
        buf.set_stringn(columns.start, area.y, text, room, style);
    }
}

/// The rule above the footer.
pub fn rule(app: &App, panes: Panes, area: Rect, buf: &mut Buffer) {
    super::rule(area, "", QUIET, buf);
    let mut left = area.x;
    if app.page_over_views().is_some() {
        return;
    }
    if !panes.divider.is_empty() {
        left = panes.divider.x;
    }
    if has_divider(app, panes) {
        buf.set_string(left, area.y, "┴", QUIET);
    }
    let room = usize::from(area.right().saturating_sub(left + 3));
    let text = cut(&address(app, room), room);
    if !text.is_empty() {
        buf.set_string(left + 2, area.y, format!(" {text} "), PLAIN);
    }
}

/// True if the line between the tree and the view is in sight: the list of keys and the finder are over both.
fn has_divider(app: &App, panes: Panes) -> bool {
    let is_covered = matches!(app.overlay, Some(Overlay::Help(_) | Overlay::Finder(_)));
    !panes.divider.is_empty() && !is_covered
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_names_stand_where_there_is_room_for_all() {
        let named = |width: u16| {
            let panes = Panes { tabs: Rect::new(0, 0, width, 1), ..Panes::default() };
            let titles = titles(panes, View::Chunks, true);
            assert!(titles.last().is_some_and(|(.., columns)| columns.end <= width));
            titles.iter().filter(|(view, text, _)| text.contains(view.title())).count()
        };
        let all: usize = View::ALL.iter().map(|view| view.title().width() + 5).sum();
        let enough = u16::try_from(all).unwrap() + 2;
        assert_eq!((named(enough), named(enough - 1)), (View::ALL.len(), 1));
    }
}
