//! What goes to the clipboard.

use super::{
    App, View,
    action::Copied,
    chunks::{shown::Shown, strip},
    effect::Effect,
};
use crate::zarr::{
    Endian, byte_order,
    grid::Region,
    text::{for_shell, safe},
    words::hex_start,
};
use std::fmt::Write as _;

/// Rows of the metadata view that are no lines of documents: the reasons below the rule.
pub const METADATA_FRAME: usize = 5;
/// How many bytes of a selection are copied at most.
const MOST: u64 = 1 << 20;

impl App {
    pub(super) fn copy(&mut self, what: Copied) {
        let text = match what {
            Copied::Value => self.value_text(),
            Copied::Path => self.node().map(|node| node.path.0.clone()),
            Copied::Key => self.chunks.shown().map(|shown| shown.chunk.key.clone()),
            Copied::Hex => self.hex_text(),
            Copied::Card => Some(self.card()),
        };
        match text {
            Some(text) => {
                let lines = text.lines().count();
                let start: String =
                    text.lines().next().unwrap_or_default().chars().take(40).collect();
                let what =
                    if lines > 1 { format!("{lines} lines") } else { safe(&start).into_owned() };
                self.say(format!("sent to the terminal's clipboard: {what}"));
                self.effects.push(Effect::Copy(text));
            }
            None => self.fail("there is nothing of that kind under the cursor"),
        }
    }

    /// The value, or the row, under the cursor.
    fn value_text(&self) -> Option<String> {
        if let Some(super::Overlay::Gallery) = self.overlay {
            let card = self.gallery.selected()?;
            return Some(format!("{}\t{}\t{}", card.name, card.v2, card.v3));
        }
        if self.focus == super::Focus::Tree {
            return self.node().map(|node| node.path.0.clone());
        }
        match self.view {
            View::DataType => {
                let row = self.data_type.row()?;
                Some(format!("{}\tV2 {}\t{}\tV3 {}", row.label, row.v2, row.join.sign(), row.v3))
            }
            View::Chunks | View::Picture => {
                let shown = self.chunks.shown()?;
                let elements = shown.data(self.chunks.stage)?.elements()?;
                let value = elements.value(self.chunks.position()?)?.ok()?;
                Some(value.to_string())
            }
            View::Metadata => self.metadata.line().map(|line| line.text.trim().to_owned()),
            View::Problems => {
                self.problems.selected().map(|(_, problem)| problem.error.to_string())
            }
        }
    }

    fn hex_text(&self) -> Option<String> {
        let shown = self.chunks.shown()?;
        let range = self.chunks.selection();
        let range = range.start..range.end.min(range.start + MOST);
        Some(hex_start(shown.data(self.chunks.stage)?.bytes().get(range)?))
    }

    /// What somebody needs who is asked for help: what is on show, and the command that shows it again.
    fn card(&self) -> String {
        let mut out = String::new();
        let node = self.node().map(|node| node.path.0.clone()).unwrap_or_default();
        let _ = writeln!(out, "{} › {}", safe(&self.store_name), safe(&node));
        for row in self.data_type.rows() {
            let _ = writeln!(
                out,
                "{:<16} V2 {}  {}  V3 {}",
                row.label,
                row.v2,
                row.join.sign(),
                row.v3
            );
        }
        if let Some(shown) = self.chunks.shown() {
            let _ = writeln!(out, "\nchunk {}", safe(&shown.chunk.id.name(&shown.chunk.key)));
            let spans = strip::spans(shown, usize::MAX);
            let _ = writeln!(
                out,
                "{}",
                spans.iter().map(|span| span.text.as_str()).collect::<String>().trim()
            );
            self.card_of_chunk(&mut out);
        }
        for line in self.card_of_view() {
            let _ = writeln!(out, "{}", safe(&line));
        }
        let (version, store) = (env!("CARGO_PKG_VERSION"), for_shell(&self.store_name));
        let _ =
            writeln!(out, "\nshown by zarrscope {version}: zarrscope {store} {}", self.address());
        out
    }

    /// What the view shows that no other part of the card says: the line of a document, the problem.
    fn card_of_view(&self) -> Vec<String> {
        match self.view {
            View::Metadata => {
                let Some(line) = self.metadata.line() else { return Vec::new() };
                let faults = line.faults.iter().map(|fault| format!("  {}", fault.words));
                [String::new(), format!("{}: {}", line.field, line.text.trim())]
                    .into_iter()
                    .chain(faults)
                    .collect()
            }
            View::Problems => {
                let Some((_, problem)) = self.problems.selected() else { return Vec::new() };
                let (word, error) = (problem.severity.word(), &problem.error);
                let fix = error.fix.iter().map(|fix| format!("  {fix}"));
                [String::new(), format!("{word} {}: {error}", error.code)]
                    .into_iter()
                    .chain(fix)
                    .collect()
            }
            View::DataType | View::Chunks | View::Picture => Vec::new(),
        }
    }

    fn card_of_chunk(&self, out: &mut String) {
        let Some(shown) = self.chunks.shown() else { return };
        for error in shown.chunk.stages.iter().filter_map(|stage| stage.error.as_ref()) {
            let _ = writeln!(out, "{}", safe(&error.to_string()));
        }
        let bytes = shown.data(self.chunks.stage).map(crate::zarr::codec::Data::bytes);
        let start = self.chunks.cursor / 16 * 16;
        for line in (0..8).map(|line| start + line * 16) {
            let end = bytes.map_or(0, |bytes| bytes.len().min(line + 16));
            if let Some(bytes) =
                bytes.and_then(|bytes| bytes.get(line..end)).filter(|b| !b.is_empty())
            {
                let _ = writeln!(out, "{line:08x}  {}", hex_start(bytes));
            }
        }
        card_of_order(shown, out);
    }

    /// The place on show as `--at` takes it.
    #[must_use]
    pub fn address(&self) -> String {
        let node = self.node().map(|node| node.path.0.clone()).unwrap_or_default();
        let Some(shown) = self.chunks.shown() else { return format!("--at '{}'", safe(&node)) };
        let elements = shown.data(self.chunks.stage).and_then(|data| data.elements());
        let place = match elements.and_then(|elements| Some((elements, self.chunks.position()?))) {
            Some((elements, at)) => {
                let inside = elements.coordinates(at);
                format!(
                    "[{}]",
                    shown
                        .in_array(&inside)
                        .iter()
                        .map(u64::to_string)
                        .collect::<Vec<_>>()
                        .join(",")
                )
            }
            None if shown.chunk.is_missing() => corner(&shown.chunk.region),
            None => format!("0x{:x}", self.chunks.cursor),
        };
        format!("--at '{}#{place}'", safe(&shown.chunk.id.name(&shown.chunk.key)))
    }
}

/// The first element of a region.
fn corner(region: &Region) -> String {
    format!(
        "[{}]",
        region.iter().map(|range| range.start.to_string()).collect::<Vec<_>>().join(",")
    )
}

/// Which byte order is declared, which is plausible, and why.
fn card_of_order(shown: &Shown, out: &mut String) {
    let Some(verdict) = &shown.verdict else { return };
    let declared = match verdict.declared {
        Some(order) => order.word(),
        None if verdict.is_by_part() => "by field",
        None => "not applicable",
    };
    let plausible = safe(&verdict.in_words()).into_owned();
    let mark = if verdict.contradicts() { "  DIFFERS" } else { "" };
    let _ = writeln!(out, "byte order: declared {declared}, plausible {plausible}{mark}");
    if let Some(both) = shown.chunk.elements().and_then(byte_order::readings) {
        for order in [Endian::Little, Endian::Big] {
            let values = both.in_order(order).join("  ");
            let _ = writeln!(out, "  read as {:<6}  {}", order.word(), safe(&values));
        }
    }
    for line in &verdict.evidence {
        let _ = writeln!(out, "  {}", safe(line));
    }
}
