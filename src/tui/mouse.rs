//! What the mouse means: an event and where it fell, as a wish.

use super::{
    panes::panes,
    view::{footer, tabs},
};
use crate::app::{
    Action, App, Overlay,
    action::{Pointer, Spot},
    layout::PaneCell,
};
use ratatui::{
    crossterm::event::{MouseButton, MouseEvent, MouseEventKind},
    layout::{Position, Rect},
};

/// Rows that one notch of the wheel turns.
const NOTCH: i8 = 3;

/// What `event` on a screen of `area` asks for.
#[must_use]
pub fn action(event: MouseEvent, area: Rect, app: &App) -> Option<Action> {
    let at = Position::new(event.column, event.row);
    let footer = panes(area, app).footer;
    if event.kind == MouseEventKind::Down(MouseButton::Left) && footer.contains(at) {
        return footer::at(app, footer, at.x);
    }
    let spot = spot(at, area, app)?;
    let pointer = match event.kind {
        MouseEventKind::Down(MouseButton::Left) => Pointer::Click(spot),
        MouseEventKind::Drag(MouseButton::Left) => Pointer::Drag(spot),
        MouseEventKind::ScrollDown => Pointer::Wheel(spot, NOTCH),
        MouseEventKind::ScrollUp => Pointer::Wheel(spot, -NOTCH),
        _ => return None,
    };
    Some(Action::Mouse(pointer))
}

fn spot(at: Position, area: Rect, app: &App) -> Option<Spot> {
    let panes = panes(area, app);
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
