//! The requests over the network: sums over each kind, and those that were sent last.

use crate::tui::prelude::*;
use crate::zarr::{
    store::requests::{KindSum, RequestKind, SentRequest},
    words::{cut_path, seconds},
};

/// The requests.
pub fn lines(app: &App, page: &RequestsPage, size: Size) -> Vec<Line> {
    let Some(log) = &app.shared.requests else { return Vec::new() };
    let width = usize::from(size.width).saturating_sub(2);
    let sums = RequestKind::ALL.into_iter().map(|of| kind(app, log, of));
    let sums = iter::once((head(app, log), TITLE)).chain(sums);
    let line = |(text, style): (String, Style)| {
        let text = left(&cut(&text, width), width + 1);
        Line::from(vec![Span::raw(" "), styled(text, style)])
    };
    let mut lines: Vec<_> = sums.map(line).collect();
    lines.push(ruled(size.width.into(), "the latest first", QUIET));
    let rows =
        page.scroll.in_sight(size.rows().saturating_sub(lines.len()), log.latest.iter().rev());
    lines.extend(rows.map(|(is_here, one)| sent(app, one, is_here, width)));
    lines
}

fn head(app: &App, log: &RequestLog) -> String {
    let traffic = log.traffic;
    let under_way = match traffic.waiting {
        0 => String::new(),
        waiting => format!("   {} under way", grouped(waiting)),
    };
    let (requests, bytes) = (counted(traffic.requests, "request"), size(traffic.bytes));
    let busy = seconds(traffic.busy);
    let name = safe(&app.shared.store_name);
    format!("{requests}   {bytes}   {busy} waited{under_way}   {name}")
}

/// The sums over a kind, and what they tell.
fn kind(app: &App, log: &RequestLog, kind: RequestKind) -> (String, Style) {
    let sum = log.of(kind);
    let style = if sum.requests == 0 { QUIET } else { PLAIN };
    let text = format!(
        " {}{}{}{}   {}",
        left(kind.name(), 10),
        right(&grouped(sum.requests), 8),
        right(&size(sum.bytes), 12),
        right(&seconds(sum.elapsed), 10),
        told(app, kind, sum),
    );
    (text, style)
}

/// The sentence on a kind of requests.
fn told(app: &App, kind: RequestKind, sum: KindSum) -> String {
    let is_consolidated = app.pages.tree.is_consolidated();
    let found = sum.requests.saturating_sub(sum.absent + sum.denied);
    let mut told = Vec::new();
    match kind {
        RequestKind::Document if found > 1 && !is_consolidated => {
            told.push("consolidated metadata would make them 1".to_owned());
        }
        RequestKind::Head if found > 1 => {
            told.push("a server whose listings tell lengths (S3, WebDAV) would save them".into());
        }
        RequestKind::Index | RequestKind::Chunk if found > 1 => {
            told.push(format!("{} each", size(sum.bytes / found)));
        }
        _ => {}
    }
    if sum.absent > 0 {
        told.push(format!("{} not there", grouped(sum.absent)));
    }
    if sum.denied > 0 {
        told.push(format!("{} denied, or missing (403)", grouped(sum.denied)));
    }
    told.join("; ")
}

/// A request, on a line.
fn sent(app: &App, sent: &SentRequest, is_here: bool, width: usize) -> Line {
    let (status, style): (_, Style) = match sent.status {
        0 => ("none".to_owned(), FAILURE),
        status @ 200..400 => (status.to_string(), FINE),
        status @ 404 => (status.to_string(), QUIET),
        status => (status.to_string(), WARNING),
    };
    let (bytes, elapsed) = (right(&size(sent.bytes), 11), right(&milliseconds(sent), 10));
    let tail = format!("{bytes}{elapsed}   {}", left(&safe(&sent.asker), 11));
    let range = sent.range.strip_prefix("bytes=").unwrap_or_default().replace('-', "–");
    let room = width.saturating_sub(tail.chars().count() + 17);
    let key = key(app, &sent.address);
    let with_range = format!("{key}   bytes {range}");
    let has_room = !range.is_empty() && with_range.width() <= room;
    let what = if has_room { with_range } else { cut_path(&key, room) };
    Line::from(vec![
        theme::mark(is_here),
        quiet(left(&sent.method, 9)),
        Span::from(left(&what, room)),
        styled(right(&status, 6), style),
        quiet(tail),
    ])
}

/// The part of an address below the store.
fn key(app: &App, address: &str) -> String {
    let name = app.shared.store_name.split_once("://").map_or("", |(_, name)| name);
    let below = address.split_once(name).map(|(_, below)| below.trim_start_matches('/'));
    let key = below.filter(|_| !name.is_empty()).unwrap_or(address);
    safe_owned(if key.is_empty() { "/" } else { key })
}

fn milliseconds(sent: &SentRequest) -> String {
    format!("{} ms", grouped(sent.elapsed.as_millis()))
}
