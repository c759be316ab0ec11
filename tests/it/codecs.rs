//! Codecs by the vectors of the specification, and on bytes that nobody meant.

use serde_json::Value;
use zarrscope::zarr::{
    Budget, ByteOrder, Code, DataTypes, Json, Registry,
    bytes::Bytes,
    codec::{Chain, CodecSpec, Data, Representation},
    format::Format,
};

mod damage;
mod encode;
mod filters;
mod memory;
mod shards;
mod stages;

const VECTORS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/vectors");

fn vectors(file: &str) -> Vec<Value> {
    let text = std::fs::read_to_string(format!("{VECTORS}/{file}")).unwrap();
    serde_json::from_str(&text).unwrap()
}

fn json(value: &Value) -> Json {
    Json::parse_str(&value.to_string()).unwrap()
}

fn budget() -> Budget<'static> {
    Budget::default().with_limit(1 << 24)
}

/// An array of a V3 data type, with everything that has to be said of that type.
fn array(data_type: &Value, shape: &[u64]) -> Option<(Representation, usize)> {
    let resolved = DataTypes::default().from_v3(&json(data_type)).ok()?;
    let notes = resolved.notes.len() + resolved.data_type.notes().len();
    let fill: Vec<u8> = Vec::new();
    let representation = Representation {
        data_type: resolved.data_type,
        order: resolved.order,
        shape: shape.to_vec(),
        fortran: false,
        fill: fill.into(),
    };
    Some((representation, notes))
}

#[test]
fn codec_forms_go_by_their_advice() {
    let mut failures = Vec::new();
    for record in vectors("codec_forms.json") {
        let Some((array, type_notes)) = array(&record["data_type"], &[2]) else {
            panic!("data type of {record}");
        };
        let spec = CodecSpec::from_v3(&json(&record["codec"]), "codecs[0]");
        let built = spec.and_then(|spec| {
            let chain = Chain::build(&[spec], Format::V3, &Registry::default(), Some(&array), 0);
            chain.error().cloned().map_or(Ok(chain), Err)
        });
        let flags = built.as_ref().map(|chain| chain.links[0].notes.len());
        // A flagged data type flags the whole; a legacy struct without endian is accepted, and may be remarked on.
        let legacy = record["data_type"]["name"] == "structured";
        let right = match (record["advice"].as_str(), flags) {
            (Some("accept"), Ok(flags)) => flags == 0 || legacy,
            (Some("accept-flag"), Ok(flags)) => flags + type_notes > 0,
            (Some("reject"), Err(_)) => true,
            _ => false,
        };
        if !right {
            failures.push(format!("{built:?} for {record}"));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn stored_bytes_become_elements_or_an_error_with_the_arithmetic() {
    let mut decoded = 0;
    for record in vectors("bytes_codec.json") {
        let shape: Vec<u64> = serde_json::from_value(record["shape"].clone()).unwrap();
        let Some((array, _)) = array(&record["data_type"], &shape) else { continue };
        let configuration = match record["endian"].as_str() {
            Some(endian) => {
                format!(r#"{{"name":"bytes","configuration":{{"endian":"{endian}"}}}}"#)
            }
            None => r#"{"name":"bytes"}"#.into(),
        };
        let spec = CodecSpec::from_v3(&Json::parse_str(&configuration).unwrap(), "codecs[0]");
        let chain =
            Chain::build(&[spec.unwrap()], Format::V3, &Registry::default(), Some(&array), 0);
        let is_told = chain.links[0]
            .notes
            .iter()
            .any(|note| matches!(note.code, Code::EndianGuessed | Code::EndianBySpec));
        let needs = array.data_type.has_byte_order() && record["endian"].is_null();
        assert_eq!(is_told, needs, "{record}");
        let bytes = hex(record["bytes"].as_str().unwrap());
        let result = chain.decode(Data::Bytes(Bytes::whole(bytes)), &budget());
        if record["values"].is_null() {
            let error = result.expect_err(&record.to_string());
            assert!(matches!(error.code, Code::ChunkTruncated | Code::ChunkTooLong), "{error}");
            continue;
        }
        let data = result.unwrap();
        let elements = data.elements().unwrap();
        let count = elements.elements(0..u64::MAX).filter(|element| element.value.is_ok()).count();
        assert_eq!(count as u64, elements.len(), "{record}");
        let big = record["endian"] == "big" && array.data_type.has_byte_order();
        assert_eq!(
            elements.order().uniform() == Some(zarrscope::zarr::Endian::Big),
            big && elements.order() != &ByteOrder::NotApplicable,
            "{record}"
        );
        decoded += 1;
    }
    assert!(decoded > 200, "{decoded}");
}

fn hex(text: &str) -> Vec<u8> {
    let digits: Vec<char> = text.chars().collect();
    let byte = |pair: &[char]| u8::from_str_radix(&pair.iter().collect::<String>(), 16).unwrap();
    digits.chunks(2).map(byte).collect()
}
