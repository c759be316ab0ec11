//! A chunk on its way to its elements: where it is, and what each stage made of it.

use super::codec_lesson;
use crate::zarr::grid::region_text;
use crate::zarr::prelude::*;

/// The effect of a stage, and its result.
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
        let (stored, computed) = (sum.stored, sum.computed);
        lines.push(format!("Stored {stored:#010x}, computed {computed:#010x}: {verdict}."));
    }
    lines.extend(stage.notes.iter().map(|note| safe_owned(&note.text)));
    lines.extend(stage.error.as_ref().map(Error::sentences));
    lines
}

/// The place of a chunk in the array and in the store; or the reason why that is not known.
pub fn chunk(chunk: &Chunk, fill_value: &FillValue) -> Vec<String> {
    if let Some(error) = chunk.error.as_ref().filter(|_| chunk.region.is_empty()) {
        return vec![error.sentences()];
    }
    let covered: Vec<u64> =
        chunk.region.iter().map(|range| range.end.saturating_sub(range.start)).collect();
    let (key, elements) = (safe(&chunk.key), region_text(&chunk.region));
    let mut lines = vec![match chunk.id.inner.as_slice() {
        [] => format!(
            "Chunk {} has the key {key} and contains the elements {elements} of the array.",
            list(&chunk.id.coordinates)
        ),
        inner => format!(
            "Inner chunk {} of the shard with the key {key}. It contains the elements {elements} of the array.",
            inner.iter().map(|inner| list(inner)).joined(" › "),
        ),
    }];
    if covered != chunk.shape {
        lines.push(format!(
            "It has {} elements, of which {} are inside the array; the rest is padding and is ignored.",
            times(&chunk.shape),
            times(&covered),
        ));
    }
    if chunk.is_missing() {
        lines.push(missing(fill_value));
    }
    lines.extend(chunk.error.as_ref().map(Error::sentences));
    lines
}

/// The value that a chunk that is not stored reads as.
fn missing(fill_value: &FillValue) -> String {
    let reads = match fill_value {
        FillValue::Value { .. } => "It is not stored, so its elements read as the fill value.",
        FillValue::Null => {
            "It is not stored, and its elements are undefined, because the fill value is null."
        }
        FillValue::Missing => {
            "It is not stored. What its elements read as is unknown, because there is no fill value."
        }
        FillValue::Unreadable { .. } => {
            "It is not stored. What its elements read as is unknown, because the fill value cannot be read."
        }
    };
    format!("{reads} A lost chunk would look the same.")
}
