//! The keys that may follow the first of two, listed once nobody has pressed one for a while.

use crate::tui::prelude::*;

/// The keys that may follow.
/// Draws them at the bottom of `area`, below a rule that names the key before.
pub(super) fn render(app: &App, area: Rect, buf: &mut Buffer) {
    let Some(context) = app.contexts().first().copied().filter(|it| it.is_led()) else {
        return;
    };
    let is_available = |row: &&Binding| row.ways.iter().any(|way| app.is_available(way.action));
    let rows: Vec<_> =
        keymap::rows(context).filter(|row| !row.help.is_empty() && is_available(row)).collect();
    if rows.is_empty() {
        return;
    }
    let height = u16::try_from(rows.len() + 1).unwrap_or(area.height).min(area.height);
    let area = Rect { y: area.bottom() - height, height, ..area };
    Clear.render(area, buf);
    super::rule(area, context.title(), TITLE, buf);
    for (row, line) in rows.into_iter().zip(area.rows().skip(1)) {
        let room = usize::from(line.width).saturating_sub(16);
        Line::from(vec![
            styled(right(&keymap::names(row), 14), KEY),
            Span::from(format!("  {}", cut(row.help, room))),
        ])
        .render(line, buf);
    }
}
