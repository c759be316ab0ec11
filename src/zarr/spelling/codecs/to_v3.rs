//! V2 filters and compressor as V3 codecs.

use super::{Translated, member};
use crate::zarr::{
    codec::CodecSpec,
    data_type::{ByteOrder, DataType, Endian, ItemSize},
    error::{Code, Note},
    json::Json,
};
use serde_json::{Map, Value, json};

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
    let mut chain = V3Chain::default();
    for spec in specs.iter().filter(|spec| !spec.implied) {
        chain.push(spec, data_type, &mut out.chosen, &mut out.lost);
    }
    let order = filtered_order(&chain.arrays).unwrap_or_else(|| order.clone());
    out.codecs.append(&mut chain.arrays);
    out.codecs.push(chain.serializer.unwrap_or_else(|| serializer(data_type, &order)));
    out.codecs.append(&mut chain.bytes);
    out
}

/// V3's chain while it grows: V2 filters know no kinds, V3 sorts them by what they take and give.
#[derive(Default)]
struct V3Chain {
    arrays: Vec<Value>,
    serializer: Option<Value>,
    bytes: Vec<Value>,
}

/// The filters of numcodecs that V3 takes for array → array codecs.
const OF_ARRAYS: [&str; 6] =
    ["delta", "astype", "bitround", "fixedscaleoffset", "quantize", "packbits"];
/// The codecs of numcodecs that V3 takes for array → bytes codecs: they stand where `bytes` would.
const SERIALIZERS: [&str; 4] = ["vlen-utf8", "vlen-bytes", "pcodec", "zfpy"];
/// The other codecs of numcodecs that have a V3 name.
const OF_BYTES: [&str; 10] = [
    "shuffle",
    "zlib",
    "bz2",
    "lzma",
    "lz4",
    "crc32",
    "crc32c",
    "adler32",
    "fletcher32",
    "jenkins_lookup3",
];

impl V3Chain {
    fn push(
        &mut self,
        spec: &CodecSpec,
        data_type: &dyn DataType,
        chosen: &mut Vec<Note>,
        lost: &mut Vec<Note>,
    ) {
        let name = spec.name.as_str();
        let behind_bytes = !self.bytes.is_empty() || self.serializer.is_some();
        if behind_bytes && (OF_ARRAYS.contains(&name) || SERIALIZERS.contains(&name)) {
            let text = format!(
                "{name} stands behind a filter that gives bytes. V3 wants it in front of all of those: the chunks \
                 must be written anew."
            );
            lost.push(Note::new(Code::CodecLost, text));
            return;
        }
        match v2_codec_in_v3(spec, data_type, chosen) {
            Err(note) => lost.push(note),
            Ok(value) if OF_ARRAYS.contains(&name) => self.arrays.push(value),
            Ok(value) if SERIALIZERS.contains(&name) => self.serializer = Some(value),
            Ok(value) => self.bytes.push(value),
        }
    }
}

/// The byte order that the last filter leaves its elements in, where it says one: V2 lays out what comes from the
/// filters, not what goes into them.
fn filtered_order(arrays: &[Value]) -> Option<ByteOrder> {
    let dtype = |codec: &Value| {
        let member = |key: &str| codec["configuration"][key].as_str().map(str::to_owned);
        member("encode_dtype").or_else(|| member("astype")).or_else(|| member("dtype"))
    };
    match arrays.iter().rev().find_map(dtype)?.chars().next()? {
        '<' => Some(ByteOrder::All(Endian::Little)),
        '>' => Some(ByteOrder::All(Endian::Big)),
        _ => None,
    }
}

/// The array → bytes codec of a data type where no V2 filter stands for it.
fn serializer(data_type: &dyn DataType, order: &ByteOrder) -> Value {
    match (data_type.item_size(), data_type.kind()) {
        (ItemSize::Fixed(_), _) => bytes_codec(data_type, order),
        (ItemSize::Variable, "VariableLengthBytes") => json!({"name": "vlen-bytes"}),
        (ItemSize::Variable, _) => json!({"name": "vlen-utf8"}),
    }
}

fn bytes_codec(data_type: &dyn DataType, order: &ByteOrder) -> Value {
    if data_type.has_byte_order() {
        let endian = order.uniform().unwrap_or(Endian::Little).word();
        json!({"name": "bytes", "configuration": {"endian": endian}})
    } else {
        json!({"name": "bytes"})
    }
}

fn v2_codec_in_v3(
    spec: &CodecSpec,
    data_type: &dyn DataType,
    chosen: &mut Vec<Note>,
) -> Result<Value, Note> {
    let get = |key: &str, default: Value| member(spec, key).unwrap_or(default);
    Ok(match spec.name.as_str() {
        "zstd" => json!({"name": "zstd", "configuration":
            {"level": get("level", json!(0)), "checksum": get("checksum", json!(false))}}),
        "gzip" => json!({"name": "gzip", "configuration": {"level": get("level", json!(1))}}),
        "blosc" => blosc_in_v3(spec, data_type),
        "vlen-utf8" | "vlen-bytes" => json!({"name": spec.name}),
        "crc32c" if get("location", json!("end")) == json!("end") => json!({"name": "crc32c"}),
        "pickle" | "json2" | "msgpack2" | "categorize" | "vlen-array" => {
            let text = format!(
                "{} packs Python objects; V3 has no codec for it: the chunks must be written anew.",
                spec.name
            );
            return Err(Note::new(Code::CodecLost, text));
        }
        name if [&OF_ARRAYS[..], &SERIALIZERS, &OF_BYTES].concat().contains(&name) => {
            numcodecs_in_v3(name, spec, chosen)
        }
        name => {
            let text =
                format!("V3 has no codec {name:?}: the chunks must be written anew without it.");
            return Err(Note::new(Code::CodecLost, text));
        }
    })
}

fn numcodecs_in_v3(name: &str, spec: &CodecSpec, chosen: &mut Vec<Note>) -> Value {
    let mut configuration = Map::new();
    for member in spec.configuration.as_ref().and_then(Json::as_object).unwrap_or_default() {
        if member.key != "id" {
            configuration.insert(member.key.clone(), member.value.to_value());
        }
    }
    let text = format!(
        "The V3 name of {name} is numcodecs.{name}: registered, read by zarr-python with numcodecs, and by few others."
    );
    chosen.push(Note::new(Code::NumcodecsName, text));
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::zarr::Registry;

    /// The V3 chain of V2 `filters` and `compressor`, each codec by its name, and the codes of what is lost.
    fn chain(dtype: &str, filters: &str, compressor: &str) -> (Vec<String>, Vec<Code>) {
        let json = |text| Json::parse_str(text).unwrap();
        let specs = CodecSpec::chain_from_v2(Some(&json(filters)), Some(&json(compressor)));
        let specs = specs.unwrap();
        let object = specs.iter().find(|spec| spec.makes_objects()).map(|spec| spec.name.clone());
        let resolved = Registry::default().from_v2(&json(dtype), object.as_deref()).unwrap();
        let out = to_v3(&specs, true, resolved.data_type.as_ref(), &resolved.order, 2);
        let name = |codec: &Value| codec["name"].as_str().unwrap().to_owned();
        (out.codecs.iter().map(name).collect(), out.lost.iter().map(|note| note.code).collect())
    }

    #[test]
    fn filters_of_arrays_come_before_bytes() {
        let delta = r#"{"id":"delta","dtype":"<i4"}"#;
        let (names, lost) = chain("\"<i4\"", &format!("[{delta}]"), r#"{"id":"zlib","level":1}"#);
        assert_eq!(names, ["transpose", "numcodecs.delta", "bytes", "numcodecs.zlib"]);
        assert!(lost.is_empty());
        let turned = format!(r#"[{{"id":"shuffle","elementsize":4}},{delta}]"#);
        let (names, lost) = chain("\"<i4\"", &turned, "null");
        assert_eq!(names, ["transpose", "bytes", "numcodecs.shuffle"]);
        assert_eq!(lost, [Code::CodecLost]);
    }

    #[test]
    fn bytes_lie_as_the_last_filter_left_them() {
        let endian = |dtype: &str, filter: &str| {
            let json = |text: &str| Json::parse_str(text).unwrap();
            let filters = json(&format!("[{filter}]"));
            let specs = CodecSpec::chain_from_v2(Some(&filters), None).unwrap();
            let resolved = Registry::default().from_v2(&Json::string(dtype), None).unwrap();
            let out = to_v3(&specs, false, resolved.data_type.as_ref(), &resolved.order, 1);
            out.codecs.last().unwrap()["configuration"]["endian"].as_str().unwrap().to_owned()
        };
        let cast = r#"{"id":"astype","encode_dtype":">i4","decode_dtype":"<i8"}"#;
        assert_eq!(endian("<i8", cast), "big");
        let scale =
            r#"{"id":"fixedscaleoffset","dtype":">f8","astype":"<i2","scale":10,"offset":0}"#;
        assert_eq!(endian(">f8", scale), "little");
        assert_eq!(endian(">f8", r#"{"id":"bitround","keepbits":10}"#), "big");
    }

    #[test]
    fn every_chain_has_one_codec_that_gives_bytes() {
        let pcodec = r#"{"id":"pcodec","level":8}"#;
        assert_eq!(chain("\"<f4\"", "[]", pcodec).0, ["transpose", "numcodecs.pcodec"]);
        let utf8 = r#"[{"id":"vlen-utf8"}]"#;
        assert_eq!(chain("\"|O\"", utf8, "null").0, ["transpose", "vlen-utf8"]);
        let (names, lost) = chain("\"<i4\"", r#"[{"id":"base64"}]"#, "null");
        assert_eq!(
            (names, lost),
            (vec!["transpose".into(), "bytes".into()], vec![Code::CodecLost])
        );
    }
}
