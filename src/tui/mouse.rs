//! Actions of the mouse: an event and its place become an action.

use super::prelude::*;
use super::view::{chunk_table, footer, tabs};
use crate::app::action::{Pointer, Spot};
use ratatui::crossterm::event::{MouseButton, MouseEvent, MouseEventKind};

/// Rows that one notch of the wheel turns.
const NOTCH: i8 = 3;

/// The action that `event` on a screen of `area` asks for.
pub fn action(event: MouseEvent, area: Rect, app: &App) -> Option<Action> {
    let at = Position::new(event.column, event.row);
    let is_click = event.kind == MouseEventKind::Down(MouseButton::Left);
    let footer = panes::panes(area, app).footer;
    if is_click && footer.contains(at) {
        return footer::at(app, footer, at.x);
    }
    let spot = spot(at, area, app)?;
    if is_click && let Some(column) = heading(spot, area, app) {
        return Some(Action::SortBy(column));
    }
    let pointer = match event.kind {
        MouseEventKind::Down(MouseButton::Left) => Pointer::Click(spot),
        MouseEventKind::Drag(MouseButton::Left) => Pointer::Drag(spot),
        MouseEventKind::ScrollDown => Pointer::Wheel(spot, NOTCH),
        MouseEventKind::ScrollUp => Pointer::Wheel(spot, -NOTCH),
        _ => return None,
    };
    Some(Action::Mouse(pointer))
}

/// The column of the table of chunks whose heading is there.
fn heading(spot: Spot, area: Rect, app: &App) -> Option<TableColumn> {
    let Spot::View(at) = spot else { return None };
    let view = panes::panes(area, app).view;
    let size = Size::new(view.width, view.height);
    app.shared.has_table().then(|| chunk_table::heading_at(app, at, size))?
}

fn spot(at: Position, area: Rect, app: &App) -> Option<Spot> {
    let panes = panes::panes(area, app);
    let cell = |pane: Rect| PaneCell::new((at.y - pane.y).into(), (at.x - pane.x).into());
    // What is typed is neither left nor lost by a click beside it.
    let is_typed = matches!(app.overlay, Some(Overlay::Prompt(_) | Overlay::Finder(_)));
    if panes.tabs.contains(at) && !is_typed && !app.shows_gallery() {
        return tabs::at(panes, &app.shared, at.x).map(Spot::Title);
    }
    if app.cover().is_some() {
        return panes.body.contains(at).then(|| Spot::Over(cell(panes.body)));
    }
    if panes.tree.contains(at) {
        return Some(Spot::Tree(cell(panes.tree)));
    }
    panes.view.contains(at).then(|| Spot::View(cell(panes.view)))
}
