//! Whole `.zarray` and `zarr.json` texts: which have to be refused, and whether any text at all is survived.

use proptest::prelude::*;
use zarrscope::zarr::{
    Code, Problem, Registry, Severity,
    metadata::{RawDocument, v2, v3},
    spelling::document,
};

/// Records whose expectation another vector file contradicts.
const DISPUTED: &[(&str, &str)] = &[
    (
        "codec short-hand",
        "codec_forms.json advises to accept \"bytes\" on uint8 with a flag: it is legal since V3.1",
    ),
    ("zarr_format string", "zarrita 0.7.5, GDAL 3.12.2 and netCDF4 1.7.5 read it: a warning"),
    ("object codec json2", "zarrscope reads it, and says who does not"),
    ("dimension_names null", "zarr-python 3.4.2, zarrs 0.23.14 and zarrita 0.7.5 read it: a note"),
];

fn problems(text: &[u8], format: u64) -> Vec<Problem> {
    let registry = Registry::default();
    if format == 2 {
        let document = RawDocument::new(".zarray", text);
        return v2::array(document, None, &registry).problems;
    }
    let document = RawDocument::new("zarr.json", text);
    match v3::node_type(&document) {
        v3::NodeType::Array => v3::array(document, &registry).problems,
        v3::NodeType::Group => v3::group(document).problems,
        v3::NodeType::Unknown(error) => vec![Problem::failed(error)],
    }
}

#[test]
fn what_must_be_refused_is_an_error_and_what_must_be_accepted_is_none() {
    let records: serde_json::Value =
        serde_json::from_str(include_str!("../vectors/documents.json")).unwrap();
    let mut wrong = Vec::new();
    for record in records.as_array().unwrap() {
        let what = record["what"].as_str().unwrap();
        let accepted = record["spec_ok"].as_bool().unwrap_or_else(|| record["ok"] == true);
        let format = record["zarr_format"].as_u64().unwrap();
        let found = problems(record["text"].as_str().unwrap().as_bytes(), format);
        let errors: Vec<_> = found
            .iter()
            .filter(|problem| matches!(problem.severity, Severity::Limit | Severity::Error))
            .collect();
        let disputed = DISPUTED.iter().find(|(disputed, _)| *disputed == what);
        if let Some((_, why)) = disputed.filter(|(_, why)| why.ends_with("a warning"))
            && !found.iter().any(|problem| problem.severity == Severity::Warning)
        {
            wrong.push(format!("V{format} {what}: {why}, but {found:#?}"));
        }
        if errors.is_empty() != accepted && disputed.is_none() {
            wrong.push(format!("V{format} {what}: accepted {accepted}, but {found:#?}"));
        }
    }
    assert!(
        wrong.is_empty(),
        "{} of {}:\n{}",
        wrong.len(),
        records.as_array().unwrap().len(),
        wrong.join("\n")
    );
}

/// Every problem says in which file it is, and where.
#[test]
fn problems_have_a_place() {
    let text = r#"{"zarr_format": 3, "node_type": "array", "shape": [4, -1], "data_type": "int33",
  "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [2, 0]}},
  "chunk_key_encoding": {"name": "default", "configuration": {"separator": "-"}},
  "fill_value": 0, "codecs": [{"name": "bytes"}, {"name": "nope"}], "extra": 1}"#;
    let shown: Vec<_> = problems(text.as_bytes(), 3)
        .into_iter()
        .map(|problem| {
            format!("{} {}: {}", problem.severity.word(), problem.error.code, problem.error)
        })
        .collect();
    insta::assert_snapshot!(shown.join("\n"));
}

fn leaf() -> impl Strategy<Value = String> {
    const WORDS: [&str; 8] =
        ["null", "true", "NaN", "\"bytes\"", "\"<i4\"", "\"|O\"", "\"regular\"", "\"/\""];
    prop_oneof![
        prop::sample::select(&WORDS[..]).prop_map(ToOwned::to_owned),
        "-?[0-9]{1,25}(\\.[0-9]{1,3})?(e-?[0-9]{1,4})?",
        "\"[a-z<>|0-9.]{0,6}\"",
    ]
}

fn json() -> impl Strategy<Value = String> {
    const KEYS: [&str; 14] = [
        "name",
        "configuration",
        "id",
        "endian",
        "chunk_shape",
        "codecs",
        "unit",
        "fields",
        "data_type",
        "kind",
        "chunk_shapes",
        "must_understand",
        "separator",
        "order",
    ];
    leaf().prop_recursive(4, 24, 4, |inner| {
        let member = (prop::sample::select(&KEYS[..]), inner.clone());
        prop_oneof![
            prop::collection::vec(inner, 0..4).prop_map(|items| format!("[{}]", items.join(","))),
            prop::collection::vec(member, 0..4).prop_map(|members| {
                let members: Vec<_> =
                    members.iter().map(|(k, v)| format!("\"{k}\": {v}")).collect();
                format!("{{{}}}", members.join(","))
            }),
        ]
    })
}

/// A document whose members have their names and any value at all.
fn document() -> impl Strategy<Value = String> {
    const NAMES: [&str; 17] = [
        "zarr_format",
        "node_type",
        "shape",
        "chunks",
        "dtype",
        "data_type",
        "compressor",
        "filters",
        "order",
        "fill_value",
        "chunk_grid",
        "chunk_key_encoding",
        "codecs",
        "attributes",
        "dimension_names",
        "storage_transformers",
        "dimension_separator",
    ];
    let member = (prop::sample::select(&NAMES[..]), json());
    prop::collection::vec(member, 0..17).prop_map(|members| {
        let members: Vec<_> = members.iter().map(|(k, v)| format!("\"{k}\": {v}")).collect();
        format!("{{\"node_type\": \"array\", {}}}", members.join(",")).replace(", }", "}")
    })
}

proptest! {
    #[test]
    fn no_document_is_fatal(text in document()) {
        problems(text.as_bytes(), 2);
        problems(text.as_bytes(), 3);
    }

    #[test]
    fn no_bytes_are_fatal(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        problems(&bytes, 2);
        problems(&bytes, 3);
    }

    #[test]
    fn no_damage_to_a_document_is_fatal(at in 0_usize..400, byte in any::<u8>()) {
        let text = r#"{"zarr_format": 3, "node_type": "array", "shape": [4], "data_type": "int32",
            "chunk_grid": {"name": "rectilinear", "configuration": {"kind": "inline", "chunk_shapes": [[[2, 2]]]}},
            "chunk_key_encoding": {"name": "default"}, "fill_value": 0,
            "codecs": [{"name": "transpose", "configuration": {"order": [0]}},
            {"name": "bytes", "configuration": {"endian": "little"}}, {"name": "gzip", "configuration": {"level": 1}}]}"#;
        let mut bytes = text.as_bytes().to_vec();
        let len = bytes.len();
        bytes[at % len] = byte;
        problems(&bytes, 3);
    }
}

/// xarray 2026.9 writes and reads `_FillValue` of floats as base64 of a float64 in V3, of complex numbers as two of them;
/// in V2 they are numbers. Integers are numbers in both.
#[test]
fn the_fill_attribute_is_written_as_each_format_has_it() {
    for (dtype, in_v2, in_v3) in [
        ("<f4", "9.969209968386869e+36", r#""AAAAAAAAnkc=""#),
        (">f8", "-1.5", r#""AAAAAAAA+L8=""#),
        ("<f4", r#""NaN""#, r#""AAAAAAAA+H8=""#),
        ("<c8", "[1.0,2.0]", r#"["AAAAAAAA8D8=","AAAAAAAAAEA="]"#),
        ("<i2", "-7", "-7"),
    ] {
        let zarray = format!(
            r#"{{"zarr_format":2,"shape":[3],"chunks":[3],"dtype":"{dtype}","compressor":null,
                 "fill_value":null,"order":"C","filters":null}}"#
        );
        let (zarray, zattrs) = (zarray.as_bytes(), format!(r#"{{"_FillValue":{in_v2}}}"#));
        let read = |zattrs: &str| {
            let zattrs = RawDocument::new(".zattrs", zattrs.as_bytes());
            v2::array(RawDocument::new(".zarray", zarray), Some(zattrs), &Registry::default())
        };
        let written = document::array(&read(&zattrs));
        let v3 = written.documents[0].1.get("attributes").unwrap().to_line();
        assert_eq!(v3, format!(r#"{{"_FillValue":{in_v3}}}"#), "{dtype}");
        let says = written.notes.iter().any(|note| note.code == Code::CfFillValue);
        assert_eq!(says, in_v2 != in_v3, "{dtype}");
        // And back.
        let text = written.documents[0].1.to_line();
        let again = v3::array(RawDocument::new("zarr.json", text.as_bytes()), &Registry::default());
        let back = document::array(&again);
        assert_eq!(back.documents[1].1.to_line(), zattrs, "{dtype}");
    }
}
