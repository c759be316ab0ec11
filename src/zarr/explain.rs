//! What is under the cursor, in one to three sentences: a byte, a stage, a chunk, a field of a document.
//!
//! The rows of the twin columns have their own lessons in [`spelling::explain`](fn@super::spelling::explain).

use super::{
    chunk::{Chunk, Stage},
    codec::CodecRow,
    grid::Region,
    text::safe,
    words::times,
};

pub mod byte;
pub mod field;

pub use byte::byte;
pub use field::field;

/// What a codec does to a chunk, by its row in the registry.
#[must_use]
pub fn codec(row: Option<&CodecRow>) -> &'static str {
    row.map_or(
        "No codec of this name is known here: what comes before it can be looked at, what comes after cannot.",
        |row| row.lesson,
    )
}

/// What a stage does and what came of it.
#[must_use]
pub fn stage(stage: &Stage) -> Vec<String> {
    let lesson = match (stage.row, stage.name.as_str()) {
        (None, "file") => "The file as it lies in the store, before anything is undone.",
        (row, _) => codec(row),
    };
    let mut lines = vec![lesson.to_owned()];
    let output = stage.output.as_ref().map_or(0, super::codec::Data::len);
    lines.push(match (&stage.error, &stage.output) {
        (None, _) => format!("{} bytes in, {output} bytes out.", stage.input_len),
        (Some(_), Some(_)) => {
            format!("{} bytes in; it stopped after {output} bytes.", stage.input_len)
        }
        (Some(_), None) => format!("{} bytes in; nothing came out.", stage.input_len),
    });
    if let Some(sum) = &stage.checksum {
        let verdict = if sum.agrees() {
            "they agree"
        } else {
            "they differ: these are not the bytes that were summed"
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

/// What the document under this key is for.
#[must_use]
pub fn document(key: &str) -> &'static str {
    match key.rsplit('/').next().unwrap_or_default() {
        "zarr.json" => {
            "The document of a V3 node: one JSON object that says everything of it but its values. Its attributes are in it."
        }
        ".zarray" => {
            "The document of a V2 array: its shape, chunks, dtype, fill value and codecs. Its attributes are in .zattrs beside it."
        }
        ".zgroup" => "The document of a V2 group. It says which format it is and nothing else.",
        ".zattrs" => {
            "The attributes of a V2 node: whatever its writer wanted to say, as one JSON object."
        }
        ".zmetadata" => {
            "The consolidated metadata of a V2 store: a copy of all its documents, so that a reader needs one file. It is as old as its last writing."
        }
        _ => "A document of this node.",
    }
}

/// Where a chunk lies in the array and in the store.
#[must_use]
pub fn chunk(chunk: &Chunk) -> Vec<String> {
    let covered: Vec<u64> =
        chunk.region.iter().map(|range| range.end.saturating_sub(range.start)).collect();
    let mut lines = vec![format!(
        "Chunk {:?} lies under the key {} and holds the elements {} of the array.",
        chunk.id.coordinates,
        safe(&chunk.key),
        region_text(&chunk.region),
    )];
    if covered != chunk.shape {
        lines.push(format!(
            "It is stored with {} elements, of which {} lie inside the array; the rest is padding and counts for nothing.",
            times(&chunk.shape),
            times(&covered),
        ));
    }
    if chunk.stored.is_none() {
        lines.push("There is no such file: all of its elements read as the fill value. That is legal, and it looks the same as a chunk that got lost.".into());
    }
    lines
}

/// `[0..74, 90..135]`, as Python and Rust would slice it.
#[must_use]
pub fn region_text(region: &Region) -> String {
    let parts: Vec<_> =
        region.iter().map(|range| format!("{}..{}", range.start, range.end)).collect();
    format!("[{}]", parts.join(", "))
}
