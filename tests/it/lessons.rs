//! The explanations of `K` on every row of the twin columns, for one data type of every sort: read as a student would.

use std::fmt::Write;
use zarrscope::zarr::{
    DataTypes,
    spelling::{self, Subject, typed::WantedType, values},
};

/// Every row of a data type with a fill value, as it is explained.
fn lesson(text: &str, object_codec: Option<&str>, fill: &str) -> String {
    let registry = DataTypes::default();
    let wanted = WantedType { text, object_codec, format: None, endian: None };
    let typed = wanted.resolve(&registry).unwrap();
    let fill = typed.fill_value(fill);
    let subject = Subject::of_type(typed.format, typed.json, typed.resolved, Some(fill));
    let mut out = String::new();
    for row in values::rows(&subject) {
        let explained = spelling::explain(&row, &subject);
        let _ = writeln!(out, "## {}: {} {} {}", explained.title, row.v2, row.join.sign(), row.v3);
        for piece in explained.anatomy {
            let _ = writeln!(out, "   {:<20} {}", piece.label, piece.value);
        }
        for note in explained.notes {
            let _ = writeln!(out, " {} {}", row.join.sign(), note.text);
        }
        let _ = writeln!(out, "   {}", explained.rule);
    }
    out
}

#[test]
fn numbers() {
    insta::assert_snapshot!("bool", lesson("|b1", None, "true"));
    insta::assert_snapshot!("int16", lesson(">i2", None, "-32768"));
    insta::assert_snapshot!("int4", lesson("int4", None, "-8"));
    insta::assert_snapshot!("float32", lesson("float32", None, "\"0xffc00001\""));
    insta::assert_snapshot!("float8", lesson("float8_e4m3fnuz", None, "-0.5"));
    insta::assert_snapshot!("float8_e8m0fnu", lesson("float8_e8m0fnu", None, "1.0"));
    insta::assert_snapshot!("bfloat16", lesson("bfloat16", None, "0.1"));
    insta::assert_snapshot!("complex64", lesson("<c8", None, "[\"NaN\",-0.0]"));
}

/// V2 has no such type: what it would write of the rest is nobody's.
#[test]
fn a_format_without_the_type_has_dashes() {
    let rows = |text, fill| {
        let wanted = WantedType { text, object_codec: None, format: None, endian: None };
        let typed = wanted.resolve(&DataTypes::default()).unwrap();
        let fill = typed.fill_value(fill);
        values::rows(&Subject::of_type(typed.format, typed.json, typed.resolved, Some(fill)))
    };
    let narrow = rows("float8_e5m2", "1.5");
    assert_eq!(narrow[0].v2, "none");
    assert!(narrow.len() > 5 && narrow[1..].iter().all(|row| row.v2 == "–" && row.v3 != "–"));
    assert!(rows("float32", "1.5").iter().all(|row| row.v2 != "–"));
}

#[test]
fn times() {
    insta::assert_snapshot!("datetime", lesson(">M8[10us]", None, "94668480000000"));
    insta::assert_snapshot!("timedelta", lesson("<m8[h]", None, "\"NaT\""));
}

#[test]
fn bytes_and_text() {
    insta::assert_snapshot!("raw", lesson("r16", None, "[171,205]"));
    insta::assert_snapshot!("void", lesson("|V2", None, "null"));
    insta::assert_snapshot!("padded", lesson("|S3", None, "\"YWI=\""));
    insta::assert_snapshot!("utf32", lesson("<U3", None, "\"½\""));
    insta::assert_snapshot!("string", lesson("|O", Some("vlen-utf8"), "\"fehlt\""));
    insta::assert_snapshot!("bytes", lesson("bytes", None, "[0,255]"));
}

#[test]
fn structs() {
    let mixed = r#"[["a",">i2"],["b","<f4"],["c",[["d","|S2"]]],["e","|u1",[2]]]"#;
    insta::assert_snapshot!("struct_mixed", lesson(mixed, None, "null"));
    let plain = r#"[["a","<i2"],["b","<M8[s]"]]"#;
    insta::assert_snapshot!("struct", lesson(plain, None, "\"AQACAAAAAAAAAA==\""));
}
