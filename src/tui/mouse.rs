//! What the mouse means: an event and where it fell, as a wish.

use super::{panes::panes, view::tabs};
use crate::app::{
    Action, App,
    action::{Pointer, Spot},
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
    let spot = spot(Position::new(event.column, event.row), area, app)?;
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
    if app.overlay.is_some() {
        return panes.body.contains(at).then(|| Spot::Over { row: at.y - panes.body.y });
    }
    if panes.tabs.contains(at) {
        return tabs::at(panes, app.view, at.x).map(Spot::Title);
    }
    if panes.tree.contains(at) {
        return Some(Spot::Tree { row: at.y - panes.tree.y, column: at.x - panes.tree.x });
    }
    panes
        .view
        .contains(at)
        .then(|| Spot::View { row: at.y - panes.view.y, column: at.x - panes.view.x })
}
