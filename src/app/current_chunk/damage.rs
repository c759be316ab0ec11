//! A chunk that could not be decoded: where it stopped, why, and what else is known.

use super::{CurrentChunk, Shown};
use crate::zarr::{
    chunk::Stage,
    codec::Data,
    text::safe,
    words::{left, wrap},
};

/// Columns of the label before each line.
const LABEL: usize = 16;

/// What to say about the chunk on show, if its chain stopped: lines of `width` columns, each with its label.
#[must_use]
pub fn lines(chunk: &CurrentChunk, width: usize) -> Vec<(String, String)> {
    let Some(shown) = chunk.shown() else { return Vec::new() };
    let stage = shown.failed().and_then(|at| shown.chunk.stages.get(at));
    let Some(stage) = stage.filter(|_| shown.chunk.error.is_none()) else { return Vec::new() };
    let mut out = Vec::new();
    for (label, text) in stopped(stage).into_iter().chain(known(chunk, shown)) {
        let mut label = safe(&label).into_owned();
        for part in wrap(&safe(&text), width.saturating_sub(LABEL)) {
            out.push((format!(" {} ", left(&std::mem::take(&mut label), LABEL - 2)), part));
        }
    }
    out.push(Default::default());
    out
}

/// What the stage says about where and why it stopped, and what came out all the same.
fn stopped(stage: &Stage) -> Vec<(String, String)> {
    let mut out = Vec::new();
    let mut say = |label: &str, text: String| out.push((label.to_owned(), text));
    if let Some(error) = &stage.error {
        say(&stage.name, format!("found {}, expected {}", error.found, error.expected));
        if let Some(offset) = error.place.offset {
            say("", format!("at byte {offset} of {}", stage.input_len));
        }
        if let Some(fix) = &error.fix {
            say("fix", fix.clone());
        }
    }
    if let Some(sum) = stage.checksum.as_ref().filter(|sum| !sum.agrees()) {
        let (stored, computed) = (sum.stored, sum.computed);
        say(
            "checksum",
            format!(
                "stored {stored:#010x}, computed {computed:#010x}; c ignores the wrong checksum and decodes on"
            ),
        );
    }
    let got = stage.output.as_ref().map_or(0, Data::len);
    if got > 0 {
        say(
            "recovered",
            format!("{got} bytes were decoded before the fault; they are shown below"),
        );
    }
    for note in &stage.notes {
        say("note", note.text.clone());
    }
    for field in stage.header.iter().filter(|field| field.problem.is_some()) {
        let why = field.problem.as_deref().unwrap_or_default();
        say("header", format!("{}: {}: {why}", field.name, field.value));
    }
    out
}

/// What else is known of the file.
fn known(chunk: &CurrentChunk, shown: &Shown) -> Vec<(String, String)> {
    let mut out = Vec::new();
    let Some(stat) = shown.chunk.stored else { return out };
    let presence = &chunk.presence;
    let known = presence.seen(&shown.chunk.id.coordinates);
    let others = presence.measured().saturating_sub(u64::from(known.is_some()));
    if others > 0 && presence.complete {
        let rest = presence.bytes().saturating_sub(known.map_or(0, |seen| seen.len));
        let mean = rest / others;
        out.push((
            "size".to_owned(),
            match others {
                1 => format!("{} bytes; the other chunk has {mean}", stat.len),
                _ => {
                    format!("{} bytes; the other {others} chunks have {mean} on average", stat.len)
                }
            },
        ));
    }
    let first = shown.data(0).map(Data::bytes).filter(|bytes| bytes.loaded().start == 0);
    if let Some(kind) = first.and_then(|bytes| shown.array.registry.codecs.looks_like(bytes.here()))
    {
        out.push(("starts with".to_owned(), kind.into()));
    }
    out
}
