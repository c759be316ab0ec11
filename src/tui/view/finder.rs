//! The fuzzy finder: what is typed, what matches, how far the walk is.

use crate::app::finder::Finder;
use crate::tui::prelude::*;

/// The finder.
pub fn render(finder: &Finder, area: Rect, buf: &mut Buffer) {
    Clear.render(area, buf);
    let (matching, of) = finder.counts();
    let (found, of) = (grouped(matching), grouped(of));
    let walking = if finder.complete { "" } else { ", still searching" };
    let count = format!("   {found} of {of} nodes{walking}");
    let room = usize::from(area.width).saturating_sub(6 + count.len());
    let mut spans = vec![Span::styled(" find ", theme::KEY)];
    spans.extend(super::input::spans(&finder.input, true, room));
    spans.push(theme::quiet(count));
    Line::from(spans).render(Rect { height: 1, ..area }, buf);
    let list = Rect { y: area.y + 2, height: area.height.saturating_sub(2), ..area };
    if matching == 0 && finder.complete {
        buf.set_string(
            list.x + 1,
            list.y,
            "no node contains these letters in this order",
            theme::QUIET,
        );
    }
    let visible = finder.scroll.visible(list.height.into());
    let width = |found: &crate::app::finder::FoundNode| safe(&found.path.0).width();
    let widest = finder.matches(visible.clone()).map(|(_, found)| width(found)).max();
    let room = widest.unwrap_or(0).min(usize::from(area.width).saturating_sub(24));
    let kind = usize::from(area.width).saturating_sub(room + 4);
    for ((at, found), row) in finder.matches(visible).zip(list.rows()) {
        let selected = at == finder.scroll.cursor();
        let style = if selected { theme::CURSOR } else { theme::PLAIN };
        let line = Line::from(vec![
            Span::styled(if selected { "▌ " } else { "  " }, theme::MARK),
            Span::styled(left(&safe(&found.path.0), room), style),
            Span::styled(format!("  {}", cut(&found.kind, kind)), theme::TYPE),
        ]);
        line.render(row, buf);
    }
}
