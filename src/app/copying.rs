//! The text for the clipboard.

use super::prelude::*;
use crate::zarr::{
    byte_order,
    runnable::{ShellScript, ShellWord, script},
    words::hex_start,
};

/// The number of bytes of a selection copied at most.
const MOST: u64 = 1 << 20;

impl App {
    pub(super) fn copy(&mut self, what: Copied) {
        if what == Copied::Card {
            self.shared.say("sent to the terminal's clipboard: the view as Markdown");
            self.shared.effects.push(Effect::CopyCard);
            return;
        }
        let is_content = matches!(what, Copied::Value | Copied::Hex);
        if is_content && self.shared.focus != Focus::Tree && self.withheld().is_some() {
            self.shared.fail("not copied: a link leads to this file, outside the store");
            return;
        }
        let text = self.text_of(what);
        match text.map(|text| printable(&text)) {
            Some(text) => {
                let lines = text.lines().count();
                let start: String =
                    text.lines().next().unwrap_or_default().chars().take(40).collect();
                let what = if lines > 1 { format!("{lines} lines") } else { safe_owned(&start) };
                self.shared.say(format!("sent to the terminal's clipboard: {what}"));
                self.shared.effects.push(Effect::Copy(text));
            }
            None if matches!(what, Copied::Fix | Copied::Diff) => {
                self.shared
                    .fail("no fix is known here; in view 5, yf and yd copy the fix of a problem");
            }
            None => self.shared.fail("nothing to copy under the cursor"),
        }
    }

    /// The text to copy; `None` where there is none.
    fn text_of(&mut self, what: Copied) -> Option<String> {
        match what {
            Copied::Value => {
                let (page, shared) = self.page();
                page.copied(shared)
            }
            // A name is one line, whatever is in it.
            Copied::Path => self.shared.node().map(|node| safe_owned(&node.path.0)),
            Copied::Key => self.shared.chunk.shown().map(|shown| safe_owned(&shown.chunk.key)),
            Copied::Hex => self.shared.chunk.hex_text(),
            Copied::Card => None,
            Copied::Fix => self.pages.problems.fix(false),
            Copied::Diff => self.pages.problems.fix(true),
        }
    }

    /// The reason why nothing of what is on show is given to others: links lead to it, out of the store.
    pub fn withheld(&self) -> Option<String> {
        let of_node = self.shared.node().and_then(|node| node.outside()).map(ToString::to_string);
        let of_chunk = || self.shared.chunk.shown()?.chunk.outside().map(|note| note.text.clone());
        of_node.or_else(of_chunk).map(|why| safe_owned(&why))
    }

    /// The facts for somebody who is asked for help, beside what is drawn: the data type in both formats, the chunk,
    /// and what is under the cursor of the view. Empty where something else covers the views.
    pub fn facts(&self) -> String {
        let mut out = Vec::new();
        if self.cover().is_some() {
            return String::new();
        }
        if let Some(supposed) = self.shared.supposed() {
            out.push(format!("what if: read as {}, not as declared", safe_text(&supposed)));
        }
        for row in self.pages.data_type.rows() {
            let (label, v2, sign, v3) = (&row.label, &row.v2, row.join.sign(), &row.v3);
            out.push(format!("{label:<16} V2 {v2}  {sign}  V3 {v3}"));
        }
        if let Some(shown) = self.shared.chunk.shown() {
            out.push(format!("\nchunk {}", safe(&shown.chunk.id.name(&shown.chunk.key))));
            let spans = strip::spans(shown, usize::MAX, usize::MAX);
            let strip: String = spans.iter().map(|span| span.text.as_str()).collect();
            out.push(strip.trim().to_owned());
            card_of_chunk(&self.shared.chunk, shown, &mut out);
        }
        let page = self.pages.at(self.shared.beside()).card();
        out.extend(page.iter().map(|line| safe_owned(line)));
        out.push(String::new());
        printable(&out.join("\n"))
    }

    /// The command that shows this place again.
    pub fn command_line(&self) -> ShellScript {
        let store = ShellWord::path(Path::new(&self.shared.store_name));
        script!("zarrscope {} {}", store, self.option())
    }

    /// The place on show as an option of the command line.
    pub fn address(&self) -> String {
        self.option().to_string()
    }

    fn option(&self) -> ShellScript {
        let place = self.place();
        let word = ShellWord::value(&place);
        if place.starts_with('-') { script!("--at={}", word) } else { script!("--at {}", word) }
    }

    /// The place on show as `--at` takes it.
    fn place(&self) -> String {
        let node = self.shared.node().map(|node| node.path.0.clone()).unwrap_or_default();
        let Some(shown) = self.shared.chunk.shown() else { return node };
        let chunk = &self.shared.chunk;
        let place = match chunk.elements().zip(chunk.position()) {
            Some((elements, at)) => {
                let inside = elements.coordinates(at);
                format!("[{}]", shown.in_array(&inside).iter().joined(","))
            }
            None if shown.chunk.is_missing() => corner(&shown.chunk.region),
            None => format!("0x{:x}", chunk.cursor),
        };
        format!("{}#{place}", shown.chunk.id.name(&shown.chunk.key))
    }
}

impl CurrentChunk {
    /// The value of the element under the cursor.
    pub(super) fn value_text(&self) -> Option<String> {
        Some(self.elements()?.value(self.position()?)?.ok()?.to_string())
    }

    /// The selected bytes.
    pub(super) fn hex_text(&self) -> Option<String> {
        let range = self.selection();
        let range = range.start..range.end.min(range.start + MOST);
        Some(hex_start(self.data()?.bytes().get(range)?))
    }
}

/// The errors of the chunk, some of its bytes, and which byte order is plausible.
fn card_of_chunk(chunk: &CurrentChunk, shown: &Shown, out: &mut Vec<String>) {
    let errors = shown.chunk.stages.iter().filter_map(|stage| stage.error.as_ref());
    out.extend(errors.map(|error| safe_text(&error)));
    let bytes = chunk.data().map(Data::bytes);
    let start = chunk.cursor / 16 * 16;
    for line in (0..8).map(|line| start + line * 16) {
        let end = bytes.map_or(0, |bytes| bytes.len().min(line + 16));
        if let Some(bytes) = bytes.and_then(|bytes| bytes.get(line..end)).filter(|b| !b.is_empty())
        {
            out.push(format!("{line:08x}  {}", hex_start(bytes)));
        }
    }
    card_of_order(shown, out);
}

/// `text` with nothing in it that acts on the terminal it is pasted into; its lines and columns stay.
fn printable(text: &str) -> String {
    text.split('\n').map(|line| line.split('\t').map(safe).joined("\t")).joined("\n")
}

/// The first element of a region.
fn corner(region: &Region) -> String {
    format!("[{}]", region.iter().map(|range| range.start.to_string()).joined(","))
}

/// Adds the declared byte order, the plausible one, and the evidence.
fn card_of_order(shown: &Shown, out: &mut Vec<String>) {
    let Some(verdict) = &shown.verdict else { return };
    let declared = match verdict.declared {
        Some(order) => order.word(),
        None if verdict.is_by_part() => "by field",
        None => "not applicable",
    };
    let plausible = safe_owned(&verdict.in_words());
    let mark = if verdict.contradicts() { "  DIFFERS" } else { "" };
    out.push(format!("byte order: declared {declared}, plausible {plausible}{mark}"));
    if let Some(both) = shown.chunk.elements().and_then(byte_order::readings) {
        for order in [Endian::Little, Endian::Big] {
            let values = both.in_order(order).join("  ");
            out.push(format!("  read as {:<6}  {}", order.word(), safe(&values)));
        }
    }
    out.extend(verdict.evidence.iter().map(|line| format!("  {}", safe(line))));
}
