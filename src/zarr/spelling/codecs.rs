//! V2 filters and compressor ↔ V3 codecs.
//!
//! The two formats name the same algorithms in two dialects: blosc's shuffle is a number in V2 and a word in V3, V2
//! keeps the byte order in the dtype and column-major layout in `order`, V3 makes codecs of both. What one side
//! cannot say is a note, and the rest is written all the same.

use crate::zarr::{
    codec::CodecSpec,
    data_type::{ByteOrder, DataType, Endian},
    error::Note,
    json::Json,
};
use serde_json::{Map, Value, json};

/// The codecs of V2: what stands in `filters` and in `compressor`, and whether `order` is `F`.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct V2Codecs {
    /// `filters`, in encoding order; empty for `null`.
    pub filters: Vec<Value>,
    /// `compressor`; `null` for none.
    pub compressor: Value,
    /// `order: "F"`.
    pub fortran: bool,
}

/// What became of codecs in the other format.
#[derive(Debug, Clone, PartialEq)]
pub struct Translated<T> {
    /// The codecs there.
    pub codecs: T,
    /// What is lost: chunks must be decoded and written anew.
    pub lost: Vec<Note>,
    /// What was chosen among several.
    pub chosen: Vec<Note>,
}

/// V3's `codecs` for a V2 array of `dimensions` dimensions.
#[must_use]
pub fn to_v3(
    specs: &[CodecSpec],
    fortran: bool,
    data_type: &dyn DataType,
    order: &ByteOrder,
    dimensions: usize,
) -> Translated<Vec<Value>> {
    let mut out = Translated { codecs: Vec::new(), lost: Vec::new(), chosen: Vec::new() };
    if fortran && dimensions > 1 {
        let axes: Vec<usize> = (0..dimensions).rev().collect();
        out.codecs.push(json!({"name": "transpose", "configuration": {"order": axes}}));
    }
    let has_object_codec =
        specs.iter().any(|spec| matches!(spec.name.as_str(), "vlen-utf8" | "vlen-bytes"));
    for spec in specs {
        match spec.implied {
            true if has_object_codec => {}
            true => out.codecs.push(bytes_codec(data_type, order)),
            false => v2_codec_in_v3(spec, data_type, &mut out),
        }
    }
    out
}

fn bytes_codec(data_type: &dyn DataType, order: &ByteOrder) -> Value {
    if data_type.has_byte_order() {
        let endian = order.uniform().unwrap_or(Endian::Little).word();
        json!({"name": "bytes", "configuration": {"endian": endian}})
    } else {
        json!({"name": "bytes"})
    }
}

/// A member of a codec's configuration, for `serde_json`.
fn member(spec: &CodecSpec, key: &str) -> Option<Value> {
    spec.configuration.as_ref()?.get(key).map(Json::to_value)
}

fn v2_codec_in_v3(spec: &CodecSpec, data_type: &dyn DataType, out: &mut Translated<Vec<Value>>) {
    let get = |key: &str, default: Value| member(spec, key).unwrap_or(default);
    let value = match spec.name.as_str() {
        "zstd" => json!({"name": "zstd", "configuration":
            {"level": get("level", json!(0)), "checksum": get("checksum", json!(false))}}),
        "gzip" => json!({"name": "gzip", "configuration": {"level": get("level", json!(1))}}),
        "blosc" => blosc_in_v3(spec, data_type),
        "vlen-utf8" | "vlen-bytes" => json!({"name": spec.name}),
        "crc32c" if get("location", json!("end")) == json!("end") => json!({"name": "crc32c"}),
        "pickle" | "json2" | "msgpack2" | "categorize" | "vlen-array" => {
            let text = format!("{} packs Python objects; V3 has no data type for them.", spec.name);
            out.lost.push(Note::new("codec-lost", text));
            return;
        }
        name => numcodecs_in_v3(name, spec, &mut out.chosen),
    };
    out.codecs.push(value);
}

fn numcodecs_in_v3(name: &str, spec: &CodecSpec, chosen: &mut Vec<Note>) -> Value {
    let mut configuration = Map::new();
    for member in spec.configuration.as_ref().and_then(Json::as_object).unwrap_or_default() {
        if member.key != "id" {
            configuration.insert(member.key.clone(), member.value.to_value());
        }
    }
    let text = format!(
        "{name} has no V3 codec of its own; zarr-python writes numcodecs.{name}, which few other readers know."
    );
    chosen.push(Note::new("numcodecs-name", text));
    json!({"name": format!("numcodecs.{name}"), "configuration": configuration})
}

/// V2 has the shuffle as a number and takes the type size from the dtype; V3 has a word and says the size.
fn blosc_in_v3(spec: &CodecSpec, data_type: &dyn DataType) -> Value {
    let size = data_type.item_size().fixed().unwrap_or(1);
    let shuffle = match member(spec, "shuffle").and_then(|value| value.as_i64()) {
        Some(0) => "noshuffle",
        Some(2) => "bitshuffle",
        Some(-1) if size == 1 => "bitshuffle",
        _ => "shuffle",
    };
    let get = |key: &str, default: Value| member(spec, key).unwrap_or(default);
    json!({"name": "blosc", "configuration": {
        "typesize": size, "cname": get("cname", json!("lz4")), "clevel": get("clevel", json!(5)),
        "shuffle": shuffle, "blocksize": get("blocksize", json!(0))}})
}

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
            "behind-the-compressor",
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
        "shards-lost",
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
        out.lost.push(Note::new("transpose-lost", text));
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
        name => {
            if let Some(id) = name.strip_prefix("numcodecs.") {
                return Some(numcodecs_in_v2(id, spec));
            }
            let text =
                format!("V2 has no codec {name:?}: the chunks must be written anew without it.");
            out.lost.push(Note::new("codec-lost", text));
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

/// One line for a chain of V3 codecs: `bytes(big) → zstd(5) → crc32c`.
#[must_use]
pub fn chain_text(codecs: &[Value]) -> String {
    let texts: Vec<_> = codecs.iter().map(codec_text).collect();
    if texts.is_empty() { super::NOTHING.into() } else { texts.join(" → ") }
}

/// One codec in short: its name and what matters most of its configuration.
fn codec_text(codec: &Value) -> String {
    let name = codec
        .as_str()
        .or_else(|| codec["name"].as_str())
        .or_else(|| codec["id"].as_str())
        .unwrap_or("?");
    let configuration = codec.get("configuration").unwrap_or(codec);
    let inner = match name {
        "sharding_indexed" => {
            let inner = configuration["codecs"].as_array().cloned().unwrap_or_default();
            return format!("shard({})", chain_text(&inner).replace(" → ", "→"));
        }
        "bytes" | "endian" => plain(&configuration["endian"]),
        "transpose" => configuration["order"].to_string(),
        "blosc" => {
            format!("{}, {}", plain(&configuration["cname"]), plain(&configuration["shuffle"]))
        }
        _ => plain(&configuration["level"]),
    };
    if inner.is_empty() { name.into() } else { format!("{name}({inner})") }
}

fn plain(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// One line for V2's filters and compressor: `filters delta → compressor zstd(3)`.
#[must_use]
pub fn v2_text(codecs: &V2Codecs) -> String {
    let filters = chain_text(&codecs.filters);
    match (codecs.filters.is_empty(), codecs.compressor.is_null()) {
        (true, true) => "no filters, no compressor".into(),
        (true, false) => format!("compressor {}", codec_text(&codecs.compressor)),
        (false, true) => format!("filters {filters}"),
        (false, false) => {
            format!("filters {filters}, compressor {}", codec_text(&codecs.compressor))
        }
    }
}

/// The codecs of a V2 array as they are stored.
#[must_use]
pub fn v2_as_stored(specs: &[CodecSpec], fortran: bool) -> V2Codecs {
    let value =
        |spec: &CodecSpec| spec.configuration.as_ref().map(Json::to_value).unwrap_or_default();
    let (compressors, filters): (Vec<_>, Vec<_>) =
        specs.iter().filter(|spec| !spec.implied).partition(|spec| spec.field == "compressor");
    V2Codecs {
        filters: filters.into_iter().map(value).collect(),
        compressor: compressors.first().map_or(Value::Null, |spec| value(spec)),
        fortran,
    }
}

/// The codecs of a V3 array as they are stored.
#[must_use]
pub fn v3_as_stored(specs: &[CodecSpec]) -> Vec<Value> {
    specs
        .iter()
        .map(|spec| match &spec.configuration {
            None => json!({"name": spec.name}),
            Some(configuration) => {
                json!({"name": spec.name, "configuration": configuration.to_value()})
            }
        })
        .collect()
}
