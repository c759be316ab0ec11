//! The twin columns: each says what a document of its format would, and its bytes are those that the
//! codecs of that format write.

use zarrscope::zarr::{
    ArrayMetadata, Registry, Scalar,
    metadata::{Meant, Packing, RawDocument, v2, v3},
    spelling::{self, Join, Topic, document},
};

/// The rows of a V2 array of `dtype` and `fill`: V2, the sign, V3.
fn of_v2(dtype: &str, fill: &str) -> Rows {
    let text = format!(
        r#"{{"zarr_format":2,"shape":[4],"chunks":[2],"dtype":{dtype},"compressor":null,"fill_value":{fill},
            "order":"C","filters":null}}"#
    );
    let array = v2::array(RawDocument::new(".zarray", text.as_bytes()), None, &Registry::default());
    Rows { rows: spelling::of(&array).rows, written: document::array(&array) }
}

/// The same of a V3 array with a `bytes` codec of this configuration.
fn of_v3(data_type: &str, fill: &str, bytes: &str) -> Rows {
    let text = format!(
        r#"{{"zarr_format":3,"node_type":"array","shape":[4],"data_type":{data_type},"fill_value":{fill},
            "chunk_grid":{{"name":"regular","configuration":{{"chunk_shape":[2]}}}},"chunk_key_encoding":{{"name":"default"}},
            "codecs":[{{"name":"bytes","configuration":{bytes}}}]}}"#
    );
    let array = v3::array(RawDocument::new("zarr.json", text.as_bytes()), &Registry::default());
    Rows { rows: spelling::of(&array).rows, written: document::array(&array) }
}

struct Rows {
    rows: Vec<spelling::Row>,
    written: document::Written,
}

impl Rows {
    fn row(&self, topic: Topic) -> (&str, Join, &str) {
        let row = self.rows.iter().find(|row| row.topic == topic).unwrap();
        (&row.v2, row.join, &row.v3)
    }

    /// A member of the document in the other format.
    fn member(&self, name: &str) -> String {
        self.written.documents[0].1.get(name).unwrap().to_string()
    }

    fn notes(&self) -> String {
        let notes = self.rows.iter().flat_map(|row| &row.notes).map(|note| note.text.as_str());
        notes.collect::<Vec<_>>().join("\n")
    }
}

#[test]
fn the_bytes_of_a_struct_are_those_of_each_format() {
    // V2 has an order for each field, V3 one for all: 1 as `>i2` and 1 as `<i2`.
    let mixed = of_v2(r#"[["a",">i2"],["b","<i2"]]"#, "\"AAEBAA==\"");
    assert_eq!(mixed.row(Topic::FillBytes), ("00 01 01 00", Join::Spelled, "little 01 00 01 00"));
    let nested = of_v2(r#"[["n",[["a",">i2"]]],["b","<i2"]]"#, "\"AAEBAA==\"");
    assert_eq!(nested.row(Topic::FillBytes), ("00 01 01 00", Join::Spelled, "little 01 00 01 00"));
    let big = of_v2(r#"[["a",">i2"],["b",">i2"]]"#, "\"AAEAAQ==\"");
    assert_eq!(big.row(Topic::FillBytes).1, Join::Same);
    let fields =
        r#"{"name":"struct","configuration":{"fields":[{"name":"a","data_type":"int16"}]}}"#;
    let v3 = of_v3(fields, r#"{"a":1}"#, r#"{"endian":"big"}"#);
    assert_eq!(
        v3.row(Topic::FillBytes),
        ("big 00 01   little 01 00", Join::Same, "big 00 01   little 01 00")
    );
}

/// zarr-python 3.4.2 writes this count in both formats, and reads `"NaT"` too.
#[test]
fn nat_is_written_as_its_count() {
    let count = "-9223372036854775808";
    let seconds = r#"{"name":"numpy.datetime64","configuration":{"unit":"s","scale_factor":1}}"#;
    let little = r#"{"endian":"little"}"#;
    assert_eq!(of_v2("\"<M8[s]\"", count).row(Topic::FillValue), (count, Join::Choice, count));
    let v3 = of_v3(seconds, count, little);
    assert_eq!(v3.row(Topic::FillValue), (count, Join::Same, count));
    assert_eq!(v3.member("fill_value"), count);
    let named = of_v3(seconds, "\"NaT\"", little);
    assert_eq!(named.row(Topic::FillValue), (count, Join::Spelled, "\"NaT\""));
}

#[test]
fn a_field_without_a_name_is_given_that_of_numpy() {
    let rows = of_v2(r#"[["a","<i2"],["","|V2"]]"#, "\"AQACAw==\"");
    let form = r#"{"name":"struct","configuration":{"fields":[{"name":"a","data_type":"int16"},{"name":"f1","data_type":"r16"}]}}"#;
    let (_, join, v3) = rows.row(Topic::DataType);
    assert_eq!((join, v3.replace(' ', "").as_str()), (Join::Choice, form));
    assert_eq!(rows.member("fill_value").replace(' ', ""), r#"{"a":1,"f1":[2,3]}"#);
    assert!(rows.notes().contains("NumPy's, f and its index"), "{}", rows.notes());
    // NumPy refuses two fields of one name.
    let taken = of_v2(r#"[["f1","<i2"],["","|V2"]]"#, "null");
    assert_eq!(taken.row(Topic::DataType).1, Join::Impossible);
    assert!(taken.written.is_impossible());
}

#[test]
fn an_unknown_byte_order_has_no_form_in_v2() {
    for bytes in [r#"{"endian":"middle"}"#, r#"{"endianness":"big"}"#] {
        let rows = of_v3("\"int16\"", "1", bytes);
        assert_eq!(rows.row(Topic::DataType).0, "none", "{bytes}");
        assert_eq!(rows.row(Topic::ByteOrder), ("–", Join::Impossible, "unknown"), "{bytes}");
        assert_eq!(rows.row(Topic::FillBytes).2, "unknown", "{bytes}");
        assert!(rows.written.is_impossible(), "{bytes}");
    }
    // A single byte has no order to be unknown.
    let byte = of_v3("\"int8\"", "1", r#"{"endian":"little"}"#);
    assert!(!byte.written.is_impossible());
}

#[test]
fn a_generic_time_keeps_its_scale_and_its_fill_value() {
    let rows = of_v2("\"<m8[5generic]\"", "3");
    assert_eq!(
        rows.member("data_type").replace(' ', ""),
        r#"{"name":"numpy.timedelta64","configuration":{"unit":"generic","scale_factor":5}}"#
    );
    let v3 = r#"{"name":"numpy.datetime64","configuration":{"unit":"generic","scale_factor":7}}"#;
    let rows = of_v3(v3, "5", r#"{"endian":"little"}"#);
    assert_eq!(rows.member("dtype"), "\"<M8[7generic]\"");
    let notes = rows.notes();
    assert!(!notes.contains("3.4.2 accepts only NaT") && !notes.contains("drops the 7"), "{notes}");
}

/// A V2 int16 array with this fill value and these attributes.
fn variable_v2(fill: &str, attributes: &str) -> ArrayMetadata {
    let text = format!(
        r#"{{"zarr_format":2,"shape":[4],"chunks":[2],"dtype":"<i2","compressor":null,"fill_value":{fill},"order":"C",
            "filters":null}}"#
    );
    let attributes = RawDocument::new(".zattrs", attributes.as_bytes());
    v2::array(RawDocument::new(".zarray", text.as_bytes()), Some(attributes), &Registry::default())
}

/// The same in V3.
fn variable_v3(fill: &str, attributes: &str) -> ArrayMetadata {
    let text = format!(
        r#"{{"zarr_format":3,"node_type":"array","shape":[4],"data_type":"int16","fill_value":{fill},"attributes":{attributes},
            "chunk_grid":{{"name":"regular","configuration":{{"chunk_shape":[2]}}}},"chunk_key_encoding":{{"name":"default"}},
            "codecs":[{{"name":"bytes","configuration":{{"endian":"little"}}}}],"dimension_names":["x"]}}"#
    );
    v3::array(RawDocument::new("zarr.json", text.as_bytes()), &Registry::default())
}

/// `fill_value` and the attribute `_FillValue` in the other format, and the sign of the row.
fn moved(array: &ArrayMetadata) -> (String, String, Join) {
    let written = document::array(array).documents;
    let text =
        |json: Option<&zarrscope::zarr::Json>| json.map_or_else(|| "–".into(), ToString::to_string);
    let fill = text(written[0].1.get("fill_value"));
    let attributes = written[0].1.get("attributes").or_else(|| written.get(1).map(|it| &it.1));
    let named = text(attributes.and_then(|it| it.get("_FillValue")));
    let rows = spelling::of(array).rows;
    (fill, named, rows.iter().find(|row| row.topic == Topic::FillValue).unwrap().join)
}

/// The places where xarray 2026.9 looks for the mark of missing values: `tests/readers/xarray_documents.py` lets it open both.
#[test]
fn the_mark_of_missing_values_moves_with_the_format() {
    let is = |fill: &str, named: &str, join| (fill.to_owned(), named.to_owned(), join);
    let dims = r#"{"_ARRAY_DIMENSIONS":["x"]}"#;
    assert_eq!(moved(&variable_v2("0", dims)), is("0", "0", Join::Choice));
    assert_eq!(moved(&variable_v2("null", dims)), is("0", "–", Join::Choice));
    // No variable of xarray: nothing is masked.
    assert_eq!(moved(&variable_v2("0", "{}")), is("0", "–", Join::Same));
    // In V2 the attribute beside a fill value is passed over.
    let named = r#"{"_ARRAY_DIMENSIONS":["x"],"_FillValue":-9}"#;
    assert_eq!(moved(&variable_v2("7", named)), is("7", "7", Join::Choice));
    assert_eq!(moved(&variable_v2("null", named)), is("0", "-9", Join::Choice));
    assert_eq!(moved(&variable_v3("0", "{}")), is("null", "–", Join::Choice));
    assert_eq!(moved(&variable_v3("-9", r#"{"_FillValue":-9}"#)), is("-9", "-9", Join::Same));
    assert_eq!(moved(&variable_v3("3", r#"{"_FillValue":-9}"#)), is("-9", "-9", Join::Choice));
    // Chunks that are not stored stay 0, and -9 marks what is missing.
    assert_eq!(moved(&variable_v3("0", r#"{"_FillValue":-9}"#)), is("null", "-9", Join::Choice));
}

#[test]
fn a_variable_without_dimensions_is_one_in_v2() {
    let mut array = variable_v3("0", "{}");
    array.shape = Ok(Vec::new());
    array.dimension_names = None;
    let attributes = &document::array(&array).documents[1].1;
    assert_eq!(attributes.to_string().replace(' ', ""), r#"{"_ARRAY_DIMENSIONS":[]}"#);
}

#[test]
fn values_are_missing_as_xarray_has_it() {
    let meant = |array: &ArrayMetadata, value: i64| {
        let packing = Packing::of(array);
        let stored = Scalar::Int(value);
        (
            matches!(packing.meant(&stored), Meant::Missing(_)),
            packing.why(&stored).unwrap_or_default(),
        )
    };
    let zero = variable_v2("0", r#"{"_ARRAY_DIMENSIONS":["x"],"_FillValue":-9,"scale_factor":2}"#);
    let (is_missing, why) = meant(&zero, 0);
    assert!(is_missing && why.contains("xarray 2026.9 treats Zarr's fill value"), "{why}");
    let (is_missing, why) = meant(&zero, -9);
    assert!(!is_missing && why.contains("ignores the attribute"), "{why}");
    for array in [variable_v2("0", "{}"), variable_v2("null", "{}"), variable_v3("0", "{}")] {
        assert!(!meant(&array, 0).0);
    }
}

#[test]
fn flags_have_words() {
    let words = |attributes: &str, value: i64| {
        Packing::of(&variable_v3("0", attributes)).flags_of(&Scalar::Int(value)).unwrap_or_default()
    };
    let values = r#"{"flag_values":[0,1,2],"flag_meanings":"sea land ice"}"#;
    assert_eq!([0, 2, 3].map(|value| words(values, value)), ["sea", "ice", ""]);
    let masks =
        r#"{"flag_masks":[1,2,12],"flag_values":[1,2,8],"flag_meanings":"low_battery hot mode_c"}"#;
    assert_eq!(
        [1, 3, 9, 4].map(|value| words(masks, value)),
        ["low_battery", "low_battery, hot", "low_battery, mode_c", ""]
    );
    assert_eq!(words(r#"{"flag_masks":[1,2],"flag_meanings":"a b"}"#, 2), "b");
}

/// The variables that xarray 2026.9 wrote, with fill value and attributes under which it reads the same chunks the same in the other
/// format: `tests/readers/xarray_documents.py` let it open both.
#[test]
fn variables_of_xarray_are_written_as_xarray_reads_them() {
    let mut count = 0;
    for line in include_str!("../data/xarray.jsonl").lines() {
        let record: serde_json::Value = serde_json::from_str(line).unwrap();
        let raw = |name: &'static str| {
            let document = record["documents"].get(name)?;
            Some(RawDocument::new(name, document.to_string().as_bytes()))
        };
        let registry = Registry::default();
        let array = match raw(".zarray") {
            Some(zarray) => v2::array(zarray, raw(".zattrs"), &registry),
            None => v3::array(raw("zarr.json").unwrap(), &registry),
        };
        let written = document::array(&array).documents;
        let json = |json: &zarrscope::zarr::Json| -> serde_json::Value {
            serde_json::from_str(&json.to_string()).unwrap()
        };
        let attributes = written[0].1.get("attributes").or_else(|| written.get(1).map(|it| &it.1));
        let name = format!("{} {}", array.format.name(), record["name"]);
        assert_eq!(json(written[0].1.get("fill_value").unwrap()), record["fill_value"], "{name}");
        assert_eq!(attributes.map(json).unwrap_or_default(), record["attributes"], "{name}");
        count += 1;
    }
    assert!(count > 150, "{count}");
}
