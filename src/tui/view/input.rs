//! A line that is typed, with its cursor.

use crate::tui::prelude::*;
use unicode_width::UnicodeWidthChar;

/// As much of a typed line as has room in `room` columns; the cursor is always in sight, and lit where the line is
/// `focused`.
pub(super) fn spans(input: &Input, focused: bool, room: usize) -> Vec<Span> {
    let (before, after) = (safe(input.before()), safe(input.after()));
    let under = after.chars().next().unwrap_or(' ');
    let behind = after.strip_prefix(under).unwrap_or_default();
    let room = room.saturating_sub(under.width().unwrap_or(0));
    let before = tail(&before, room);
    let left = room.saturating_sub(before.width());
    let cursor = if focused { CURSOR } else { PLAIN };
    let typed = if focused && input.is_offered() { theme::OFFERED } else { theme::TYPED };
    vec![
        styled(before, typed),
        styled(under.to_string(), cursor),
        styled(cut(behind, left), theme::TYPED),
    ]
}

/// The end of a text that has no room.
fn tail(text: &str, width: usize) -> String {
    if text.width() <= width {
        return text.to_owned();
    }
    let mut used = 1;
    let kept = text.chars().rev().take_while(|c| {
        used += c.width().unwrap_or(0);
        used <= width
    });
    let kept: Vec<char> = kept.collect();
    iter::once('…').chain(kept.into_iter().rev()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cursor_stays_in_sight() {
        let mut input = Input::new("漢字 and a long line");
        let text = |input: &Input, room| -> String {
            spans(input, true, room).iter().map(|span| span.content.to_string()).collect()
        };
        assert_eq!(text(&input, 10), "…ong line ");
        input.edit(LineEdit::Home);
        assert_eq!(text(&input, 10), "漢字 and …");
        assert_eq!(text(&Input::new("\u{1b}[2J"), 10), "␛[2J ");
    }
}
