//! The requests over the network: sums over each kind, and those that were sent last.

use crate::tui::prelude::*;
use crate::{
    app::page::requests::RequestsPage,
    zarr::{
        store::requests::{KindSum, RequestKind, RequestLog, SentRequest},
        words::{cut_path, seconds},
    },
};

/// The requests.
pub struct RequestsView<'a> {
    /// The state.
    pub app: &'a App,
    /// The part of them on show.
    pub page: &'a RequestsPage,
}

impl Widget for RequestsView<'_> {
    fn render(self, area: Rect, buf: &mut Buffer) {
        Clear.render(area, buf);
        let Some(log) = &self.app.shared.requests else { return };
        let width = usize::from(area.width).saturating_sub(2);
        let mut lines = vec![Line::styled(cut(&self.head(log), width), theme::TITLE)];
        lines.extend(RequestKind::ALL.into_iter().map(|kind| self.kind(log, kind, width)));
        for (line, row) in lines.iter().zip(area.rows()) {
            line.render(Rect { x: row.x + 1, width: row.width.saturating_sub(1), ..row }, buf);
        }
        let used = u16::try_from(lines.len()).unwrap_or(0).min(area.height);
        let rule =
            Rect { y: area.y + used, height: area.height.saturating_sub(used).min(1), ..area };
        super::rule(rule, "the latest first", theme::QUIET, buf);
        let rows = Rect { y: rule.bottom(), height: area.bottom() - rule.bottom(), ..area };
        let latest =
            log.latest.iter().rev().skip(self.page.scroll.visible(rows.height.into()).start);
        for (at, (sent, row)) in latest.zip(rows.rows()).enumerate() {
            let is_here = self.page.scroll.visible(rows.height.into()).start + at
                == self.page.scroll.cursor();
            self.sent(sent, is_here, width).render(row, buf);
        }
    }
}

impl RequestsView<'_> {
    fn head(&self, log: &RequestLog) -> String {
        let traffic = log.traffic;
        let under_way = match traffic.waiting {
            0 => String::new(),
            waiting => format!("   {} under way", grouped(waiting)),
        };
        let (requests, bytes) = (counted(traffic.requests, "request"), size(traffic.bytes));
        let busy = seconds(traffic.busy);
        let name = safe(&self.app.shared.store_name);
        format!("{requests}   {bytes}   {busy} waited{under_way}   {name}")
    }

    /// The sums over a kind, and what they tell.
    fn kind(&self, log: &RequestLog, kind: RequestKind, width: usize) -> Line {
        let sum = log.of(kind);
        let style = if sum.requests == 0 { theme::QUIET } else { theme::PLAIN };
        let text = format!(
            " {}{}{}{}   {}",
            left(kind.name(), 10),
            right(&grouped(sum.requests), 8),
            right(&size(sum.bytes), 12),
            right(&seconds(sum.elapsed), 10),
            self.told(kind, sum),
        );
        Line::styled(cut(&text, width), style)
    }

    /// The sentence on a kind of requests.
    fn told(&self, kind: RequestKind, sum: KindSum) -> String {
        let is_consolidated = self.app.pages.tree.is_consolidated();
        let found = sum.requests.saturating_sub(sum.absent + sum.denied);
        let mut told = Vec::new();
        match kind {
            RequestKind::Document if found > 1 && !is_consolidated => {
                told.push("consolidated metadata would make them 1".to_owned());
            }
            RequestKind::Head if found > 1 => {
                told.push(
                    "a server whose listings tell lengths (S3, WebDAV) would save them".into(),
                );
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
    fn sent(&self, sent: &SentRequest, is_here: bool, width: usize) -> Line {
        let (status, style): (_, Style) = match sent.status {
            0 => ("none".to_owned(), theme::FAILURE),
            status @ 200..400 => (status.to_string(), theme::FINE),
            status @ 404 => (status.to_string(), theme::QUIET),
            status => (status.to_string(), theme::WARNING),
        };
        let (bytes, elapsed) = (right(&size(sent.bytes), 11), right(&milliseconds(sent), 10));
        let tail = format!("{bytes}{elapsed}   {}", left(&safe(&sent.asker), 11));
        let range = sent.range.strip_prefix("bytes=").unwrap_or_default().replace('-', "–");
        let room = width.saturating_sub(tail.chars().count() + 17);
        let key = self.key(&sent.address);
        let with_range = format!("{key}   bytes {range}");
        let has_room = !range.is_empty() && with_range.width() <= room;
        let what = if has_room { with_range } else { cut_path(&key, room) };
        Line::from(vec![
            theme::mark(is_here),
            theme::quiet(left(&sent.method, 9)),
            Span::from(left(&what, room)),
            Span::styled(right(&status, 6), style),
            theme::quiet(tail),
        ])
    }

    /// The part of an address below the store.
    fn key(&self, address: &str) -> String {
        let name = self.app.shared.store_name.split_once("://").map_or("", |(_, name)| name);
        let below = address.split_once(name).map(|(_, below)| below.trim_start_matches('/'));
        let key = below.filter(|_| !name.is_empty()).unwrap_or(address);
        safe_owned(if key.is_empty() { "/" } else { key })
    }
}

fn milliseconds(sent: &SentRequest) -> String {
    format!("{} ms", grouped(sent.elapsed.as_millis()))
}
