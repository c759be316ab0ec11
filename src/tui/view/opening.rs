//! A store far away that is being opened, or could not be.

use crate::tui::prelude::*;

/// The state of opening the store.
pub fn render(app: &App, area: Rect, buf: &mut Buffer) {
    let Some(opening) = &app.shared.opening else { return };
    let width = usize::from(area.width).saturating_sub(4);
    let name = safe(&app.shared.store_name);
    let (head, text, keys) = match opening {
        Opening::UnderWay => (format!("opening {name} …"), String::new(), "Esc gives up, q quits."),
        Opening::GivenUp => {
            let text = "Given up before the store answered.".to_owned();
            (format!("{name} is not open"), text, "r tries again, q quits.")
        }
        Opening::Failed(error) => {
            let text = safe_owned(&error.sentences());
            (format!("{name} could not be opened"), text, "r tries again, q quits.")
        }
    };
    let mut lines = vec![Line::default(), Line::styled(cut(&head, width), TITLE)];
    lines.push(Line::default());
    lines.extend(prose("", &text, width, PLAIN));
    if !text.is_empty() {
        lines.push(Line::default());
    }
    lines.push(Line::styled(cut(keys, width), QUIET));
    let inside = Rect { x: area.x + 2, width: area.width.saturating_sub(2), ..area };
    Text::from(lines).render(inside, buf);
}
