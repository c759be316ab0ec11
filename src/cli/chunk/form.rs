//! A chunk as JSON.

use crate::{
    cli::forms,
    zarr::{
        ArrayMetadata, Chunk, Json,
        chunk::Stage,
        codec::{Checksum, CodecKind, HeaderField},
    },
};
use serde_json::{Value, json};
use std::time::UNIX_EPOCH;

/// The chunk and its stages, without its bytes and values.
pub(super) fn chunk(chunk: &Chunk, array: &ArrayMetadata) -> Value {
    let region: Vec<_> = chunk.region.iter().map(|range| [range.start, range.end]).collect();
    json!({
        "name": chunk.id.name(&chunk.key),
        "key": chunk.key,
        "coordinates": chunk.id.coordinates,
        "inner": chunk.id.inner,
        "region": region,
        "shape": chunk.shape,
        "data_type": array.data_type_json.as_ref().map(Json::to_value),
        "stored": chunk.stored.map(|stat| json!({
            "bytes": stat.len,
            "modified": stat.modified.and_then(|at| at.duration_since(UNIX_EPOCH).ok()).map(|at| at.as_secs()),
        })),
        "stages": chunk.stages.iter().map(stage).collect::<Vec<_>>(),
        "inner_missing": chunk.inner_missing,
    })
}

fn stage(stage: &Stage) -> Value {
    let kind = stage.kind.map(|kind| match kind {
        CodecKind::ArrayToArray => "array -> array",
        CodecKind::ArrayToBytes => "array -> bytes",
        CodecKind::BytesToBytes => "bytes -> bytes",
    });
    json!({
        "name": stage.name,
        "configuration": stage.configuration,
        "kind": kind,
        "bytes_in": stage.input_len,
        "bytes_out": stage.output.as_ref().map(crate::zarr::codec::Data::len),
        "header": stage.header.iter().map(header).collect::<Vec<_>>(),
        "checksum": stage.checksum.as_ref().map(checksum),
        "notes": forms::notes(&stage.notes),
        "error": stage.error.as_ref().map(forms::error),
    })
}

fn header(field: &HeaderField) -> Value {
    json!({
        "bytes": [field.bytes.start, field.bytes.end],
        "name": field.name,
        "value": field.value,
        "problem": field.problem,
    })
}

fn checksum(checksum: &Checksum) -> Value {
    json!({
        "algorithm": checksum.algorithm,
        "bytes": [checksum.bytes.start, checksum.bytes.end],
        "stored": checksum.stored,
        "computed": checksum.computed,
        "agrees": checksum.agrees(),
    })
}
