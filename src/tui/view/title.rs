//! The first line: where we are, and what that is.

use crate::app::page::problems::{self, SeriousCount};
use crate::tui::prelude::*;

/// The breadcrumb, and the node's badges on the right.
pub fn render(app: &App, area: Rect, buf: &mut Buffer) {
    let badges = match (app.page_over_views(), app.shows_gallery()) {
        (None, _) => badges(app, area.width >= 100),
        (Some(_), true) => {
            vec![Span::from(format!("{} types", app.pages.gallery.cards.len()))]
        }
        (Some(_), false) => Vec::new(),
    };
    let width: usize = badges.iter().map(|span| span.content.width() + 3).sum();
    let mut crumbs = vec![Span::from(" ")];
    if area.width >= 100 {
        crumbs.push(styled("zarrscope   ", theme::BRAND));
    }
    let used: usize = crumbs.iter().map(|span| span.content.width()).sum();
    let room = usize::from(area.width).saturating_sub(width + used + 1);
    crumbs.push(styled(path(app, room), TITLE));
    Line::from(crumbs).render(area, buf);
    let mut spans = Vec::new();
    for badge in badges {
        spans.push(badge);
        spans.push(Span::from("   "));
    }
    spans.pop();
    spans.push(Span::from(" "));
    let width: usize = spans.iter().map(|span| span.content.width()).sum();
    let width = u16::try_from(width).unwrap_or(area.width).min(area.width);
    let right = Rect { x: area.right() - width, width, ..area };
    Line::from(spans).render(right, buf);
}

/// The store, the node and the chunk; the front goes first where there is no room.
fn path(app: &App, room: usize) -> String {
    if let Some(name) = app.page_over_views() {
        return cut(name, room);
    }
    let mut parts = vec![app.shared.root_name()];
    let read = app.shared.node().map(|node| &node.path);
    if let Some(path) = read.or_else(|| app.shared.reading()) {
        parts.extend(path.0.split('/').filter(|part| !part.is_empty()).map(str::to_owned));
    }
    if let (View::Chunks | View::Picture, Some(shown)) = (app.shared.view, app.shared.chunk.shown())
        && !app.shared.has_table()
    {
        let key = &shown.chunk.key;
        parts.push(key.strip_prefix(&format!("{}/", shown.path.0)).unwrap_or(key).to_owned());
        parts.extend(shown.chunk.id.inner.iter().map(|inner| format!("inner {}", list(inner))));
    }
    let mut text = parts.iter().map(|part| safe(part)).joined(" › ");
    let mut skipped = 0;
    while text.width() > room && skipped + 1 < parts.len() {
        skipped += 1;
        let kept = parts.iter().skip(skipped).map(|part| safe(part));
        text = format!("… › {}", kept.joined(" › "));
    }
    cut(&text, room)
}

/// The kind of the node and its known problems, in short or `wide`.
fn badges(app: &App, wide: bool) -> Vec<Span> {
    if let Some(opening) = &app.shared.opening {
        let (word, style) = match opening {
            Opening::UnderWay => ("opening", QUIET),
            Opening::GivenUp | Opening::Failed(_) => ("not open", WARNING),
        };
        return vec![styled(word, style)];
    }
    let Some(node) = app.shared.node() else { return Vec::new() };
    let mut badges: Vec<_> = supposed(app, wide).into_iter().collect();
    match &node.kind {
        NodeKind::Array(array) => {
            badges.push(styled(format!("{} array", array.format.name()), PLAIN));
            let order = array.known_data_type();
            let badge = order.and_then(|resolved| resolved.order.badge("per field"));
            badges.extend(badge.map(|badge| styled(badge, TYPE)));
            let verdict = app.shared.chunk.shown().and_then(|shown| shown.verdict.as_ref());
            if let Some(liar) = verdict.filter(|verdict| verdict.contradicts()) {
                let word = liar.plausible.map(Endian::badge);
                let text = format!("looks {}!", word.unwrap_or("otherwise"));
                badges.push(styled(text, WARNING));
            }
            match app.shared.chunk.levels.len() {
                0 => {}
                1 => badges.push(Span::from("sharded")),
                levels => badges.push(Span::from(format!("sharded, {levels} levels"))),
            }
        }
        NodeKind::Group(group) => {
            badges.push(Span::from(format!("{} group", group.format.name())));
        }
        NodeKind::Folder => badges.push(Span::from("folder")),
        NodeKind::Broken(error) if error.code.is_limit() => {
            return vec![styled("not read", WARNING)];
        }
        NodeKind::Broken(_) => return vec![styled("broken", FAILURE)],
    }
    if node.consolidated.is_some() {
        badges.push(Span::from("consolidated"));
    }
    if node.other.is_some() {
        badges.push(styled("V2 and V3", WARNING));
    }
    badges.push(problems(app, node, wide));
    badges
}

/// The settings that the node is read by, where these are not its own.
fn supposed(app: &App, wide: bool) -> Option<Span> {
    let supposed = app.shared.supposed()?;
    let text = cut(&safe_text(&supposed), if wide { 40 } else { 20 });
    Some(styled(format!(" as {text} "), CURSOR))
}

/// True if the chunk on show could not be read to its end: no document tells, but the screen does.
fn shows_a_damaged_chunk(app: &App) -> bool {
    matches!(app.shared.view, View::Chunks | View::Picture)
        && app.shared.chunk.shown().is_some_and(|shown| {
            shown.chunk.error.is_some()
                || shown.chunk.stages.iter().any(|stage| stage.error.is_some())
        })
}

/// The counts of the documents of a group and below it, once all have been read for the overview.
fn overview<'a>(app: &'a App, node: &Node) -> Option<&'a Census> {
    let page = &app.pages.overview;
    let is_known = page.path.as_ref() == Some(&node.path) && page.is_complete();
    is_known.then_some(&page.total)
}

/// That the documents are sound, and what of the chunks was read so far.
fn chunks(app: &App, wide: bool) -> Span {
    let read = app.readable().filter(|_| app.shared.is_array()).unwrap_or_default();
    if read.unreadable > 0 {
        let text = format!("{} {}", signs::ERROR, counted(read.unreadable, "chunk"));
        return styled(text, FAILURE);
    }
    let chunks = match (read.decoded, read.chunks) {
        _ if !wide => return quiet("metadata ✓"),
        (0, _) => "chunks not checked".to_owned(),
        (decoded, all) if decoded == all => format!("{} read", counted(all, "chunk")),
        (decoded, all) => format!("{} of {} read", grouped(decoded), counted(all, "chunk")),
    };
    quiet(format!("metadata ✓   {chunks}"))
}

/// The problems that a check of this very node found below it; without one, those of its documents.
fn problems(app: &App, node: &Node, wide: bool) -> Span {
    let page = &app.pages.problems;
    let told = node.all_problems();
    let checked = page.covers_as_read(&node.path, &app.shared);
    let overview = overview(app, node);
    let serious = match overview {
        _ if checked => page.serious_below(&node.path),
        Some(total) => {
            let own = problems::serious(told);
            let errors = total.errors + total.broken + own.errors;
            SeriousCount { errors, warnings: total.warnings + own.warnings }
        }
        None => problems::serious(told),
    };
    match serious.sum() {
        0 if shows_a_damaged_chunk(app) => styled(format!("{} this chunk", signs::ERROR), FAILURE),
        0 if checked && page.summary.is_pending() => quiet("checking"),
        0 if checked && page.is_partial(&node.path) => quiet("checked in part"),
        0 if checked => styled("checked ✓", FINE),
        0 if overview.is_some() || app.shared.is_array() => chunks(app, wide),
        0 => quiet("not checked"),
        _ => {
            let (text, style) = theme::serious(serious);
            styled(text, style)
        }
    }
}
