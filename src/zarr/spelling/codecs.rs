//! V2 filters and compressor ↔ V3 codecs.
//!
//! The two formats name the same algorithms in two dialects: blosc's shuffle is a number in V2 and a word in V3, V2
//! keeps the byte order in the dtype and column-major layout in `order`, V3 makes codecs of both. What one side
//! cannot say is a note, and the rest is written all the same.

use crate::zarr::{codec::CodecSpec, error::Note, json::Json};
use serde_json::{Value, json};

mod to_v2;
mod to_v3;

pub use to_v2::to_v2;
pub use to_v3::to_v3;

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

/// A member of a codec's configuration, for `serde_json`.
fn member(spec: &CodecSpec, key: &str) -> Option<Value> {
    spec.configuration.as_ref()?.get(key).map(Json::to_value)
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
