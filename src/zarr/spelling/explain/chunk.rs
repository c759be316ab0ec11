//! A chunk on its way to its elements: where it is, and what each stage made of it.

use super::codec_lesson;
use crate::zarr::{
    chunk::{Chunk, Stage},
    codec::Data,
    grid::region_text,
    text::safe,
    words::{counted, times},
};

/// What a stage does and what came of it.
#[must_use]
pub fn stage(stage: &Stage) -> Vec<String> {
    let lesson = match (stage.row, stage.name.as_str()) {
        (None, "file") => "The file as stored, before decoding.",
        (row, _) => codec_lesson(row),
    };
    let mut lines = vec![lesson.to_owned()];
    let output = stage.output.as_ref().map_or(0, Data::len);
    let bytes = |count: u64| counted(count, "byte");
    lines.push(match (&stage.error, &stage.output) {
        (None, _) if stage.name == "file" => format!("{}.", bytes(stage.input_len)),
        (None, _) => format!("{} in, {} out.", bytes(stage.input_len), bytes(output)),
        (Some(_), Some(_)) => {
            format!("{} in; it stopped after {}.", bytes(stage.input_len), bytes(output))
        }
        (Some(_), None) => format!("{} in; nothing came out.", bytes(stage.input_len)),
    });
    if let Some(sum) = &stage.checksum {
        let verdict = if sum.agrees() {
            "they match"
        } else {
            "they differ, so the bytes have changed since the checksum was computed, or the checksum has"
        };
        lines.push(format!(
            "Stored {:#010x}, computed {:#010x}: {verdict}.",
            sum.stored, sum.computed
        ));
    }
    lines.extend(stage.notes.iter().map(|note| safe(&note.text).into_owned()));
    lines.extend(stage.error.iter().map(|error| safe(&format!("{error}.")).into_owned()));
    lines
}

/// Where a chunk is in the array and in the store.
#[must_use]
pub fn chunk(chunk: &Chunk) -> Vec<String> {
    let covered: Vec<u64> =
        chunk.region.iter().map(|range| range.end.saturating_sub(range.start)).collect();
    let mut lines = vec![format!(
        "Chunk {:?} has the key {} and contains the elements {} of the array.",
        chunk.id.coordinates,
        safe(&chunk.key),
        region_text(&chunk.region),
    )];
    if covered != chunk.shape {
        lines.push(format!(
            "It stores {} elements, of which {} are inside the array; the rest is padding and is ignored.",
            times(&chunk.shape),
            times(&covered),
        ));
    }
    if chunk.stored.is_none() {
        lines.push("It is not stored, so its elements read as the fill value. That is valid, but a lost chunk looks \
                    exactly the same.".into());
    }
    lines
}
