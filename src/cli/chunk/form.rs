//! A chunk as JSON.

use crate::{
    cli::json_forms,
    zarr::{
        ArrayMetadata, Chunk, Json,
        chunk::Stage,
        codec::{Checksum, CodecKind, Data, HeaderField},
        json::object,
    },
};
use std::time::UNIX_EPOCH;

/// The chunk and its stages, without its bytes and values.
pub(super) fn chunk(chunk: &Chunk, array: &ArrayMetadata) -> Json {
    object! {
        "name": chunk.id.name(&chunk.key),
        "key": &chunk.key,
        "coordinates": &chunk.id.coordinates,
        "inner": &chunk.id.inner,
        "region": chunk.region.iter().map(|range| [range.start, range.end]).collect::<Json>(),
        "shape": &chunk.shape,
        "data_type": array.data_type_json.as_ref().map(Json::strict),
        "stored": chunk.stored.map(|stat| object! {
            "bytes": stat.len,
            "modified": stat.modified.and_then(|at| at.duration_since(UNIX_EPOCH).ok()).map(|at| at.as_secs()),
        }),
        "stages": chunk.stages.iter().map(stage).collect::<Json>(),
        "inner_missing": chunk.inner_missing,
    }
}

fn stage(stage: &Stage) -> Json {
    let kind = stage.kind.map(|kind| match kind {
        CodecKind::ArrayToArray => "array -> array",
        CodecKind::ArrayToBytes => "array -> bytes",
        CodecKind::BytesToBytes => "bytes -> bytes",
    });
    object! {
        "name": &stage.name,
        "configuration": stage.configuration.as_ref(),
        "kind": kind,
        "bytes_in": stage.input_len,
        "bytes_out": stage.output.as_ref().map(Data::len),
        "header": stage.header.iter().map(header).collect::<Json>(),
        "checksum": stage.checksum.as_ref().map(checksum),
        "notes": json_forms::notes(&stage.notes),
        "error": stage.error.as_ref().map(json_forms::error),
    }
}

fn header(field: &HeaderField) -> Json {
    object! {
        "bytes": [field.bytes.start, field.bytes.end],
        "name": &field.name,
        "value": &field.value,
        "problem": field.problem.as_ref(),
    }
}

fn checksum(checksum: &Checksum) -> Json {
    object! {
        "algorithm": checksum.algorithm,
        "bytes": [checksum.bytes.start, checksum.bytes.end],
        "stored": checksum.stored,
        "computed": checksum.computed,
        "agrees": checksum.agrees(),
    }
}
