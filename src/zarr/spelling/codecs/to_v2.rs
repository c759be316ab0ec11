//! V3 codecs as V2 filters, compressor and order.

use super::{Translated, V2Codecs, member};
use crate::zarr::{
    codec::CodecSpec,
    error::{Code, Note},
    json::Json,
};
use serde_json::{Map, Value, json};

/// V2's filters, compressor and order for the codecs of a V3 array.
#[must_use]
pub fn to_v2(specs: &[CodecSpec], dimensions: usize) -> Translated<V2Codecs> {
    let mut out = Translated { codecs: V2Codecs::default(), lost: Vec::new(), chosen: Vec::new() };
    let mut packed = Vec::new();
    for spec in unsharded(specs, &mut out.lost) {
        match spec.name.as_str() {
            "transpose" => transpose_in_v2(&spec, dimensions, &mut out),
            "bytes" | "endian" => {}
            _ => packed.extend(v3_codec_in_v2(&spec, &mut out)),
        }
    }
    let is_compressor = |value: &Value| {
        !matches!(value["id"].as_str(), Some("crc32c" | "vlen-utf8" | "vlen-bytes"))
    };
    match packed.iter().position(is_compressor) {
        Some(at) if at + 1 == packed.len() => out.codecs.compressor = packed.pop().unwrap_or_default(),
        Some(_) => out.chosen.push(Note::new(
            Code::BehindTheCompressor,
            "V2 has no place behind the compressor: all codecs go among the filters, in order, and compressor is \
             null. zarr-python and numcodecs read that.",
        )),
        None => {}
    }
    out.codecs.filters = packed;
    out
}

/// The inner codecs of a sharded array: V2 has no shards, the inner chunks become chunks.
fn unsharded(specs: &[CodecSpec], lost: &mut Vec<Note>) -> Vec<CodecSpec> {
    let Some(shard) = specs.iter().find(|spec| spec.name == "sharding_indexed") else {
        return specs.to_vec();
    };
    lost.push(Note::new(
        Code::ShardsLost,
        "V2 has no shards: each inner chunk becomes a chunk file of its own.",
    ));
    let inner = shard.configuration.as_ref().and_then(|c| c.get("codecs")).and_then(Json::as_array);
    let inner: Vec<_> = inner.unwrap_or_default().iter().map(spec_of).collect();
    let mut outer: Vec<_> =
        specs.iter().take_while(|spec| spec.name != "sharding_indexed").cloned().collect();
    outer.extend(unsharded_inner(inner));
    outer
}

/// Shards in shards: the innermost chunks count.
fn unsharded_inner(specs: Vec<CodecSpec>) -> Vec<CodecSpec> {
    if specs.iter().any(|spec| spec.name == "sharding_indexed") {
        unsharded(&specs, &mut Vec::new())
    } else {
        specs
    }
}

/// A codec as it stands in a V3 list.
fn spec_of(json: &Json) -> CodecSpec {
    let name = json.as_str().or_else(|| json.get("name")?.as_str()).unwrap_or("?");
    let configuration = json.get("configuration").cloned();
    CodecSpec { configuration, ..CodecSpec::new(name, "codecs") }
}

fn transpose_in_v2(spec: &CodecSpec, dimensions: usize, out: &mut Translated<V2Codecs>) {
    let axes = member(spec, "order").unwrap_or_default();
    let reversed: Vec<usize> = (0..dimensions).rev().collect();
    let straight: Vec<usize> = (0..dimensions).collect();
    if axes == json!(reversed) {
        out.codecs.fortran = true;
    } else if axes != json!(straight) {
        let text = format!("V2 knows `order` C and F only; the permutation {axes} cannot be said.");
        out.lost.push(Note::new(Code::TransposeLost, text));
    }
}

fn v3_codec_in_v2(spec: &CodecSpec, out: &mut Translated<V2Codecs>) -> Option<Value> {
    let get = |key: &str, default: Value| member(spec, key).unwrap_or(default);
    Some(match spec.name.as_str() {
        "zstd" => {
            json!({"id": "zstd", "level": get("level", json!(0)), "checksum": get("checksum", json!(false))})
        }
        "gzip" => json!({"id": "gzip", "level": get("level", json!(1))}),
        "blosc" => {
            let shuffle = match get("shuffle", Value::Null).as_str() {
                Some("noshuffle") => 0,
                Some("bitshuffle") => 2,
                _ => 1,
            };
            json!({"id": "blosc", "cname": get("cname", json!("lz4")), "clevel": get("clevel", json!(5)),
                "shuffle": shuffle, "blocksize": get("blocksize", json!(0))})
        }
        "crc32c" => json!({"id": "crc32c", "location": "end"}),
        "vlen-utf8" | "vlen-bytes" => json!({"id": spec.name}),
        "bitround" => json!({"id": "bitround", "keepbits": get("keepbits", Value::Null)}),
        name => {
            if let Some(id) = name.strip_prefix("numcodecs.") {
                return Some(numcodecs_in_v2(id, spec));
            }
            let text =
                format!("V2 has no codec {name:?}: the chunks must be written anew without it.");
            out.lost.push(Note::new(Code::CodecLost, text));
            return None;
        }
    })
}

fn numcodecs_in_v2(id: &str, spec: &CodecSpec) -> Value {
    let mut object = Map::new();
    object.insert("id".into(), json!(id));
    for member in spec.configuration.as_ref().and_then(Json::as_object).unwrap_or_default() {
        object.insert(member.key.clone(), member.value.to_value());
    }
    Value::Object(object)
}
