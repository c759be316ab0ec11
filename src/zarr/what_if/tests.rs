use super::*;
use crate::zarr::{codec::Registry, metadata::v2};

fn array(format: Format, text: &str) -> ArrayMetadata {
    let registry = Registry::default();
    match format {
        Format::V2 => {
            v2::array(RawDocument::new("a/.zarray", text.as_bytes().to_vec()), None, &registry)
        }
        Format::V3 => {
            v3::array(RawDocument::new("a/zarr.json", text.as_bytes().to_vec()), &registry)
        }
    }
}

const V2: &str = r#"{"zarr_format":2,"shape":[4,6],"chunks":[2,3],"dtype":"<f8","compressor":{"id":"zlib","level":1},"fill_value":"NaN","order":"C","filters":null}"#;
const V3: &str = r#"{"zarr_format":3,"node_type":"array","shape":[4,6],"data_type":"float64","chunk_grid":{"name":"regular","configuration":{"chunk_shape":[2,3]}},"chunk_key_encoding":{"name":"default"},"fill_value":"NaN","codecs":[{"name":"bytes","configuration":{"endian":"little"}},{"name":"zstd","configuration":{"level":1,"checksum":false}}]}"#;

fn patch(format: Format, text: &str, settings: &str) -> String {
    match WhatIf::parse(settings).unwrap().edit(&array(format, text)) {
        Ok(edit) => edit.patch,
        other => panic!("{settings}: {other:?}"),
    }
}

#[test]
fn each_setting_is_an_edit_of_the_document() {
    let replace = |path: &str, value: &str| {
        format!(r#"[{{"op":"replace","path":"{path}","value":{value}}}]"#)
    };
    let cases = [
        (Format::V2, "dtype=<f4", replace("/dtype", r#""<f4""#)),
        (Format::V2, "dtype=float32", replace("/dtype", r#""<f4""#)),
        (Format::V2, "endian=big", replace("/dtype", r#"">f8""#)),
        (Format::V2, "order=F", replace("/order", r#""F""#)),
        (Format::V2, "chunks=4,6", replace("/chunks", "[4,6]")),
        (Format::V2, "compressor=null", replace("/compressor", "null")),
        (Format::V2, "filters=[{\"id\":\"shuffle\", \"elementsize\":8}]", replace("/filters", r#"[{"id":"shuffle","elementsize":8}]"#)),
        (Format::V2, "keys=/", r#"[{"op":"add","path":"/dimension_separator","value":"/"}]"#.into()),
        (Format::V3, "dtype=float32", replace("/data_type", r#""float32""#)),
        (Format::V3, "endian=big", replace("/codecs/0/configuration/endian", r#""big""#)),
        (Format::V3, "shape=[8,6]", replace("/shape", "[8,6]")),
        (Format::V3, "chunks=1,6", replace("/chunk_grid/configuration/chunk_shape", "[1,6]")),
        (Format::V3, "fill=0.0", replace("/fill_value", "0.0")),
        (Format::V3, "keys=v2", replace("/chunk_key_encoding", r#"{"name":"v2","configuration":{"separator":"."}}"#)),
        (Format::V3, "/codecs/1=", r#"[{"op":"remove","path":"/codecs/1"}]"#.into()),
        (Format::V3, "order=F", r#"[{"op":"add","path":"/codecs/0","value":{"name":"transpose","configuration":{"order":[1,0]}}}]"#.into()),
    ];
    for (format, settings, expected) in cases {
        let text = if format == Format::V2 { V2 } else { V3 };
        assert_eq!(patch(format, text, settings), expected, "{settings}");
    }
}

#[test]
fn a_fill_value_that_the_data_type_has_not_becomes_its_default() {
    let patch = patch(Format::V3, V3, "dtype=int32");
    assert!(patch.contains(r#"{"op":"replace","path":"/fill_value","value":0}"#), "{patch}");
    let read = WhatIf::parse("dtype=>i2").unwrap().apply(&array(Format::V3, V3)).unwrap();
    let resolved = read.data_type.unwrap();
    assert_eq!((resolved.data_type.name().as_str(), resolved.order.word()), ("int16", "big"));
    assert!(read.problems.is_empty(), "{:?}", read.problems);
}

#[test]
fn what_is_no_setting_says_what_is() {
    for text in ["", "dtype", "colour=red", "order=[0,0]", "shape=x"] {
        let parsed = WhatIf::parse(text).and_then(|what_if| what_if.edits(&array(Format::V3, V3)));
        assert!(parsed.is_err_and(|error| error.code == Code::InvalidArgument), "{text}");
    }
    let several = WhatIf::parse("  dtype=<f4   codecs=[\"bytes\", \"zstd\"] ").unwrap();
    assert_eq!(
        several.options().to_string(),
        r#"--as 'dtype=<f4' --as 'codecs=["bytes", "zstd"]'"#
    );
}
