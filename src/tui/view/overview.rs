//! The overview: what is in a group or a folder, row by row, and what that is together.

use crate::app::page::overview::SortBy;
use crate::tui::prelude::*;

mod summary;
mod table;

/// The children of the node on show.
pub fn lines(app: &App, size: Size) -> Vec<Line> {
    let Some(node) = app.shared.node() else { return Vec::new() };
    let page = &app.pages.overview;
    let width = usize::from(size.width).saturating_sub(1);
    let layout = OverviewLayout::new(size, page.len());
    let mut lines = vec![title(app, node, width)];
    if layout.head > 2 {
        lines.push(Line::from(vec![Span::from(" "), sums_line(app, width)]));
    }
    lines.resize(layout.head - 1, Line::default());
    if page.is_empty() {
        lines.extend(nothing(app, node, width));
    } else {
        let focused = app.shared.focus != Focus::Tree;
        lines.extend(table::table(page, is_folder(node), layout.rows, width, focused));
    }
    let below = layout.head + layout.rows;
    lines.truncate(below.max(layout.head + 3));
    lines.extend(summary::lines(app, node, width, layout.below));
    lines.resize(size.rows().saturating_sub(1), Line::default());
    lines.push(last(app, width));
    lines
}

/// The line of the node.
fn title(app: &App, node: &Node, width: usize) -> Line {
    let page = &app.pages.overview;
    let name = app.shared.node_name();
    let (what, style) = what(node, page);
    let title = format!(" {}", cut(&name, width / 2));
    let used = title.width() + 3;
    let mut spans = vec![
        styled(title, TITLE),
        styled(format!("   {}", cut_sentence(&what, width.saturating_sub(used))), style),
    ];
    let sorted = format!("sorted by {}", page.sort.words());
    let used: usize = spans.iter().map(Span::width).sum();
    let room = width.saturating_sub(used);
    if page.sort != SortBy::Name && room > sorted.width() + 3 {
        let gap = room - sorted.width();
        spans.push(quiet(format!("{}{sorted}", " ".repeat(gap))));
    }
    Line::from(spans)
}

/// The sum of the stored sizes; in a view that only arrays have, that first.
fn sums_line(app: &App, width: usize) -> Span {
    let page = &app.pages.overview;
    let view = app.shared.view;
    let sums = sums(page);
    let text = match view {
        View::DataType => sums,
        view => {
            let only = format!("The {} view is only for arrays: Enter opens one", view.name());
            let all = format!("{only} here.   {sums}");
            [all, format!("{only} here.")]
                .into_iter()
                .find(|text| text.width() <= width)
                .unwrap_or(only + ".")
        }
    };
    Span::from(cut_sentence(&text, width))
}

/// The message in place of rows where there are none.
fn nothing(app: &App, node: &Node, width: usize) -> Vec<Line> {
    let page = &app.pages.overview;
    let (text, style) = match &page.state {
        Load::Idle | Load::Pending => ("Listing …".to_owned(), QUIET),
        // Nothing is known of what is in it, and nothing is said of the store.
        Load::Failed(error) if error.code.is_limit() => {
            let text = format!("{} Not listed: {}", signs::LIMIT, safe(&error.sentences()));
            (text, WARNING)
        }
        Load::Failed(error) => (
            format!("✗ What is in it cannot be listed: {}.", safe_text(&error)),
            FAILURE,
        ),
        Load::Ready(()) if is_folder(node) => (
            "This folder contains no Zarr store. zarrscope opens folders with zarr.json, .zarray or .zgroup, \
             .zip stores, and single chunk files."
                .to_owned(),
            PLAIN,
        ),
        Load::Ready(()) => ("This group has no children.".to_owned(), PLAIN),
    };
    prose(" ", &text, width.saturating_sub(1), style)
}

/// The progress of the counting, or the keys to press.
fn last(app: &App, width: usize) -> Line {
    let page = &app.pages.overview;
    let (done, of) = (page.counted(), page.len());
    let chunks = counted(page.total.sizes.objects, "chunk");
    let (text, style) = match &page.state {
        Load::Pending if of > 0 => {
            let full = (done * 20).checked_div(of).unwrap_or_default();
            let bar = "█".repeat(full) + &"░".repeat(20 - full);
            (format!("Sizes: {done} of {of} {bar} {chunks} so far   Esc stops"), STRONG)
        }
        Load::Ready(()) if page.is_stopped => {
            let text = format!("Stopped after {done} of {of}, {chunks}; r counts again.");
            (text, WARNING)
        }
        Load::Failed(error) if of > 0 => {
            (format!("✗ Not everything was listed: {}", safe_text(&error)), FAILURE)
        }
        _ => (summary::what_to_press(app, width.saturating_sub(1)), QUIET),
    };
    Line::styled(format!(" {}", cut(&text, width.saturating_sub(1))), style)
}

fn is_folder(node: &Node) -> bool {
    matches!(node.kind, NodeKind::Folder)
}

/// The kind of the node, and the number of its children.
fn what(node: &Node, page: &OverviewPage) -> (String, Style) {
    let total = &page.total;
    let children = page.len() as u64 + page.others;
    let arrays = match (&page.state, total.arrays) {
        (Load::Pending, _) if !page.is_complete() && page.is_empty() => String::new(),
        (Load::Ready(()), 0) => ", no arrays".into(),
        // What was given up told nothing.
        (Load::Failed(_) | Load::Idle, 0) => String::new(),
        (Load::Pending | Load::Failed(_), n) => format!(", {} so far", counted(n, "array")),
        (_, n) => format!(", {}", counted(n, "array")),
    };
    let text = match &node.kind {
        NodeKind::Group(group) if group.documents.is_empty() => {
            format!("implicit group without a metadata document{arrays}")
        }
        NodeKind::Group(group) => {
            format!("{} group{arrays}", group.format.name())
        }
        _ if page.is_empty() => "folder".into(),
        _ => {
            format!(
                "{}{arrays}; not a Zarr store itself",
                match children {
                    1 => "1 store or folder".to_owned(),
                    many => format!("{} stores and folders", grouped(many)),
                }
            )
        }
    };
    (text, PLAIN)
}

/// `38 of 39 chunks stored   360 KiB stored, 691 KiB raw, ratio 1.92`, as far as it is known.
fn sums(page: &OverviewPage) -> String {
    let sizes = &page.total.sizes;
    if page.rows.iter().all(|row| row.sizes().is_none()) {
        return if page.state.is_pending() { "…".into() } else { String::new() };
    }
    let least = if page.is_complete() { "" } else { "at least " };
    let all = page.rows.iter().all(|row| row.counted != ChunkCount::NotYet);
    let total = sizes.objects_total.filter(|_| all).map(|total| format!(" of {}", grouped(total)));
    let chunks = format!("{least}{}{} chunks", grouped(sizes.objects), total.unwrap_or_default());
    let stored = sizes.stored_words();
    let stored = stored.trim_start_matches(if page.is_complete() { "" } else { "≥ " });
    format!("{chunks}   {least}{stored} stored{}", raw_words(sizes, ""))
}

/// The raw size and the ratio, where they are known.
fn raw_words(sizes: &Sizes, least: &str) -> String {
    match sizes.raw.zip(sizes.ratio()) {
        Some((raw, ratio)) => {
            let raw = size(u64::try_from(raw).unwrap_or(u64::MAX));
            format!(", {least}{raw} raw, ratio {}", words::ratio(ratio))
        }
        None => String::new(),
    }
}
