//! A chunk that could not be decoded: where it stopped, why, and what else is known.

use crate::app::prelude::*;
use crate::zarr::words::left;

/// Columns of the label before each line.
const LABEL: usize = 16;

/// The report on the chunk on show, if its chain stopped or its file is outside the store: lines of `width` columns, each with its label.
pub fn lines(chunk: &CurrentChunk, width: usize) -> Vec<(String, String)> {
    let Some(shown) = chunk.shown() else { return Vec::new() };
    let stage = shown.failed().and_then(|at| shown.chunk.stages.get(at));
    let stage = stage.filter(|_| shown.chunk.error.is_none());
    let report = stage.map(|stage| stopped(stage).into_iter().chain(known(chunk, shown)));
    let link = shown.chunk.outside().map(|note| ("link".to_owned(), note.text.clone()));
    // The note is one of the file: where that is what stopped, it is among them.
    let link = link.filter(|_| shown.failed() != Some(0));
    let mut out = Vec::new();
    for (label, text) in report.into_iter().flatten().chain(link) {
        let mut label = safe_owned(&label);
        for part in wrap(&safe(&text), width.saturating_sub(LABEL)) {
            out.push((format!(" {} ", left(&mem::take(&mut label), LABEL - 2)), part));
        }
    }
    if !out.is_empty() {
        out.push(Default::default());
    }
    out
}

/// The report of the stage that stopped: the place, the reason, and what came out all the same. Each thing once: of a
/// checksum both sums, of anything else what was found and expected.
fn stopped(stage: &Stage) -> Vec<(String, String)> {
    let mut out = Vec::new();
    let mut say = |label: &str, text: String| out.push((label.to_owned(), text));
    let sum = stage.checksum.as_ref().filter(|sum| !sum.agrees());
    if let Some(error) = &stage.error {
        let at = error
            .place
            .offset
            .map(|offset| format!(", at byte {} of {}", grouped(offset), grouped(stage.input_len)));
        let at = at.unwrap_or_default();
        let text = match sum {
            Some(sum) => {
                format!("stored {:#010x}, computed {:#010x}{at}", sum.stored, sum.computed)
            }
            None => format!("{}{at}", error.statement()),
        };
        say(&stage.name, text);
        if let Some(fix) = &error.fix {
            say("fix", fix.clone());
        }
    }
    if sum.is_some() {
        say("", "c ignores the checksum and decodes on".into());
    }
    let got = stage.output.as_ref().map_or(0, Data::len);
    if got > 0 && sum.is_none() {
        say("decoded", format!("{} before it stopped, shown below", counted(got, "byte")));
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

/// Further facts about the file.
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
                1 => format!("{} bytes; the other chunk has {}", grouped(stat.len), grouped(mean)),
                _ => format!(
                    "{} bytes; the other {} chunks have {} on average",
                    grouped(stat.len),
                    grouped(others),
                    grouped(mean)
                ),
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
