//! The stages as a strip of words: `file 2,153 B ─► crc32c ✓ ─► zstd 2,149 → 3,330 ─► bytes big ─► 37×45 int16`.

use super::Shown;
use crate::zarr::{
    chunk::Stage,
    codec::{CodecKind, CodecRow, CodecSpec, Codecs, Data},
    text::safe,
    words::{grouped, times},
};
use std::ops::Range;
use unicode_width::UnicodeWidthStr;

/// A piece of the strip.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StripPart {
    /// What it says.
    pub text: String,
    /// Its columns.
    pub columns: Range<usize>,
    /// Which stage it stands for; `None` for arrows and what is at the end.
    pub stage: Option<usize>,
    /// True if that stage failed.
    pub failed: bool,
}

/// The strip of a chunk, the stage `selected` being marked.
#[must_use]
pub fn spans(shown: &Shown, selected: usize) -> Vec<StripPart> {
    let mut spans = Vec::new();
    let mut column = 0;
    let mut push = |text: String, stage: Option<usize>, failed: bool| {
        let columns = column..column + text.width();
        column = columns.end;
        spans.push(StripPart { text, columns, stage, failed });
    };
    let stages = &shown.chunk.stages;
    for (at, stage) in stages.iter().enumerate() {
        let words = words(stage, shown);
        let text = if at == selected { format!("▐ {words} ▌") } else { format!(" {words} ") };
        push(text, Some(at), stage.error.is_some());
        let last = at + 1 == stages.len();
        if !last || stage.error.is_none() {
            push("─►".into(), None, false);
        }
    }
    if let Some(elements) = shown.chunk.elements() {
        let name = elements.data_type().name();
        push(format!(" {} {}", times(elements.shape()), safe(&name)), None, false);
    }
    if shown.chunk.inner_missing {
        let fill = shown.fill_scalar.as_ref().map(|fill| format!(" {fill}")).unwrap_or_default();
        push(format!(" empty: reads as the fill value{}", safe(&fill)), None, false);
    }
    for name in unreached(shown) {
        push(format!("─►  {}", safe(&name)), None, false);
    }
    spans
}

/// The codecs after the one that failed.
fn unreached(shown: &Shown) -> Vec<String> {
    let done = shown.chunk.stages.len().saturating_sub(1);
    let Ok(specs) = &shown.array.codecs else { return Vec::new() };
    if shown.failed().is_none() || shown.chunk.id.inner.len() > 1 {
        return Vec::new();
    }
    let rest = specs.iter().rev().skip(done);
    rest.map(|spec| if spec.implied { implied(&spec.name) } else { spec.name.clone() }).collect()
}

/// What V2 does without naming a codec for it.
fn implied(name: &str) -> String {
    format!("{name} (implied)")
}

/// What a stage says in the strip.
fn words(stage: &Stage, shown: &Shown) -> String {
    let output = stage.output.as_ref().map_or(0, Data::len);
    let name = safe(&stage.name);
    let sign = match (&stage.error, &stage.checksum) {
        (None, Some(sum)) if sum.agrees() => " ✓",
        (None, None) => "",
        (Some(_), _) | (None, Some(_)) => " ✗",
    };
    match stage.kind {
        None => format!("{name} {} B{sign}", grouped(output)),
        Some(CodecKind::BytesToBytes) if stage.checksum.is_some() => format!("{name}{sign}"),
        Some(CodecKind::BytesToBytes) if stage.error.is_none() => {
            format!("{name} {} → {}{sign}", grouped(stage.input_len), grouped(output))
        }
        Some(CodecKind::ArrayToBytes) => {
            let array = &shown.array;
            let specs = array.codecs.as_deref().unwrap_or_default();
            let is_implied = specs.iter().any(|spec| spec.implied && spec.name == stage.name);
            let name = if is_implied { implied(&name) } else { name.into_owned() };
            let layout = if array.fortran { ", order F" } else { "" };
            let order = shown.chunk.elements().map(|elements| elements.order().word());
            // The bytes of a shard are in the order that the codecs inside say.
            let declares = |row: &CodecRow| {
                let spec = CodecSpec::new(&stage.name, "");
                row.inner.is_none() && (row.endian)(&spec, &Codecs::empty()).is_some()
            };
            let order =
                order.filter(|word| *word != "not applicable" && stage.row.is_some_and(declares));
            let order = order.map(|word| format!(" {word}")).unwrap_or_default();
            format!("{name}{order}{layout}{sign}")
        }
        Some(_) => format!("{name}{sign}"),
    }
}
