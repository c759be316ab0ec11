//! The fuzzy finder: what is typed, what matches, how far the walk is.

use crate::app::finder::Finder;
use crate::tui::prelude::*;

/// The finder.
pub fn lines(finder: &Finder, size: Size) -> Vec<Line> {
    let (width, rows) = (usize::from(size.width), size.rows().saturating_sub(2));
    let (matching, of) = finder.counts();
    let (found, of) = (grouped(matching), grouped(of));
    let walking = if finder.complete { "" } else { ", still searching" };
    let count = format!("   {found} of {of} nodes{walking}");
    let room = width.saturating_sub(6 + count.len());
    let mut spans = vec![styled(" find ", KEY)];
    spans.extend(super::input::spans(&finder.input, true, room));
    spans.push(quiet(count));
    let mut lines = vec![Line::from(spans), Line::default()];
    if matching == 0 && finder.complete {
        let text = "no node contains these letters in this order";
        lines.push(Line::from(vec![Span::raw(" "), quiet(text)]));
    }
    let shown: Vec<_> = finder
        .matches(finder.scroll.visible(rows))
        .map(|(at, found)| (at == finder.scroll.cursor(), safe(&found.path.0), &found.kind))
        .collect();
    let room = widest(&shown, |(_, path, _)| path.width()).min(width.saturating_sub(24));
    for (selected, path, kind) in shown {
        let style = if selected { CURSOR } else { PLAIN };
        let kind = cut(kind, width.saturating_sub(room + 4));
        lines.push(Line::from(vec![
            styled(if selected { "▌ " } else { "  " }, MARK),
            styled(left(&path, room), style),
            styled(format!("  {kind}"), TYPE),
        ]));
    }
    lines
}
