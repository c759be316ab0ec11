//! A store far away that is being opened, or could not be.

use crate::app::opening::Opening;
use crate::tui::prelude::*;

/// The state of opening the store.
pub struct OpeningView<'a> {
    /// The state.
    pub app: &'a App,
}

impl Widget for OpeningView<'_> {
    fn render(self, area: Rect, buf: &mut Buffer) {
        let Some(opening) = &self.app.shared.opening else { return };
        let width = usize::from(area.width).saturating_sub(4);
        let name = safe(&self.app.shared.store_name);
        let (head, text, keys) = match opening {
            Opening::UnderWay => {
                (format!("opening {name} …"), String::new(), "Esc gives up, q quits.")
            }
            Opening::GivenUp => {
                let text = "Given up before the store answered.".to_owned();
                (format!("{name} is not open"), text, "r tries again, q quits.")
            }
            Opening::Failed(error) => {
                let text = safe_owned(&error.sentences());
                (format!("{name} could not be opened"), text, "r tries again, q quits.")
            }
        };
        let mut lines = vec![Line::default(), Line::styled(cut(&head, width), theme::TITLE)];
        lines.push(Line::default());
        lines.extend(wrap(&text, width).into_iter().map(Line::from));
        if !text.is_empty() {
            lines.push(Line::default());
        }
        lines.push(Line::styled(cut(keys, width), theme::QUIET));
        for (line, row) in lines.into_iter().zip(area.rows()) {
            let inside = Rect { x: row.x + 2, width: row.width.saturating_sub(2), ..row };
            line.render(inside, buf);
        }
    }
}
