//! Documents that programs for JSON, or conversions between the formats, left other than they were: each fault with its
//! twin, the same store without it.

use std::{fs, path::Path};
use tempfile::TempDir;
use zarrscope::zarr::{
    Hierarchy, NodePath,
    check::{CheckOptions, Event, check},
};

const GROUP: &str = r#"{"zarr_format": 3, "node_type": "group", "attributes": {}}"#;
const ARRAY: &str = r#"{"zarr_format": 3, "node_type": "array", "shape": [4], "data_type": "int64",
    "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [4]}},
    "chunk_key_encoding": {"name": "default"}, "fill_value": -9007199254740993,
    "codecs": [{"name": "bytes", "configuration": {"endian": "little"}}], "dimension_names": ["x"],
    "attributes": {"units": "°C", "id": 9007199254740993}}"#;
const ZGROUP: &str = r#"{"zarr_format": 2}"#;
const ZARRAY: &str = r#"{"zarr_format": 2, "shape": [4], "chunks": [4], "dtype": "<i8", "compressor": null,
    "fill_value": 9007199254740993, "order": "C", "filters": null}"#;
const ZATTRS: &str = r#"{"units": "°C", "_ARRAY_DIMENSIONS": ["x"]}"#;

/// The files of a store with one array, `a`, in a format or in both.
fn base(formats: &[u8]) -> Vec<(String, String)> {
    let mut files = Vec::new();
    let mut put = |key: &str, text: &str| files.push((key.to_owned(), text.to_owned()));
    let chunk = "\u{1}\0\0\0\0\0\0\0".repeat(4);
    if formats.contains(&3) {
        put("zarr.json", GROUP);
        put("a/zarr.json", ARRAY);
        put("a/c/0", &chunk);
    }
    if formats.contains(&2) {
        put(".zgroup", ZGROUP);
        put("a/.zarray", ZARRAY);
        put("a/.zattrs", ZATTRS);
        put("a/0", &chunk);
    }
    files
}

/// A change: in the file `0`, the text `1` becomes `2`; a file that is not there is made of `2`.
type Edit<'a> = (&'a str, &'a str, &'a str);

#[track_caller]
fn store(formats: &[u8], edits: &[Edit<'_>]) -> TempDir {
    let mut files = base(formats);
    for (key, from, to) in edits {
        if let Some((_, text)) = files.iter_mut().find(|(file, _)| file == key) {
            assert!(from.is_empty() || text.contains(from), "{from} in {text}");
            *text = if from.is_empty() { (*to).to_owned() } else { text.replace(from, to) };
        } else {
            files.push(((*key).to_owned(), (*to).to_owned()));
        }
    }
    let folder = crate::scratch();
    for (key, text) in files {
        let path = folder.path().join(key);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    folder
}

/// The findings below `root`, those apart that a store of both formats always has.
fn found(root: &Path) -> Vec<String> {
    let (hierarchy, target) = Hierarchy::open(root).unwrap();
    let mut lines = Vec::new();
    check(&hierarchy, &target.node, &CheckOptions::default(), &mut |event| {
        if let Event::Problem(NodePath(_), problem) = event {
            lines.push(format!("{} {}", problem.severity.word(), problem.error));
        }
    });
    lines.retain(|line| {
        !line.ends_with("remove the outdated documents.") || line.contains("differ in \"")
    });
    lines
}

#[track_caller]
fn finds(formats: &[u8], edits: &[Edit<'_>], told: &str) {
    let twin = store(formats, &[]);
    assert_eq!(found(twin.path()), Vec::<String>::new());
    let lines = found(store(formats, edits).path());
    for part in told.split('|') {
        assert!(lines.iter().any(|line| line.contains(part)), "{part} in {lines:#?}");
    }
}

const ROUNDED: &str = "As doubles the numbers are the same";

#[test]
fn numbers_that_a_double_rounded_are_told() {
    let fill = "\"fill_value\": -9007199254740993";
    for (new, told) in [
        ("9223372036854776000", "9223372036854775807 is likely meant"),
        ("-9223372036854776000", "-9223372036854775808 is likely meant"),
    ] {
        finds(&[3], &[("a/zarr.json", "-9007199254740993", new)], &format!("{told}|{ROUNDED}"));
    }
    let named = |value: &str| {
        let attributes = format!("\"_FillValue\": {value}, \"units\"");
        found(store(&[3], &[("a/zarr.json", "\"units\"", &attributes)]).path())
    };
    assert_eq!(named("-9007199254740993"), Vec::<String>::new());
    // Another number is meant otherwise.
    assert_eq!(named("-9999"), Vec::<String>::new());
    for value in ["-9007199254740992", "-9.007199254740992e15"] {
        let lines = named(value);
        assert!(lines.len() == 1 && lines[0].contains(ROUNDED), "{lines:?}");
    }
    let copy = |from: &str, to: &str| {
        let text = format!(
            r#"{{"zarr_format": 3, "node_type": "group", "consolidated_metadata": {{"kind": "inline",
                "must_understand": false, "metadata": {{"a": {}}}}}}}"#,
            ARRAY.replace(from, to)
        );
        found(store(&[3], &[("zarr.json", "", &text)]).path())
    };
    assert_eq!(copy(fill, fill), Vec::<String>::new());
    for (from, to) in
        [(fill, "\"fill_value\": -9007199254740992"), ("9007199254740993}", "9007199254740992}")]
    {
        let lines = copy(from, to);
        assert!(lines.len() == 1 && lines[0].contains(ROUNDED), "{lines:?}");
    }
    // What is another number is not rounded.
    let lines = copy("9007199254740993}", "7}");
    assert!(lines.len() == 1 && !lines[0].contains(ROUNDED), "{lines:?}");
}

#[test]
fn members_of_the_other_format_are_told_as_such() {
    let members = "{\"compressor\": null, \"order\": \"C\",";
    finds(
        &[3],
        &[("a/zarr.json", "{\"zarr_format\"", &format!("{members} \"zarr_format\""))],
        "\"compressor\" is not|It is a member of V2; V3 has codecs for it|V3 has the codec transpose for it",
    );
    let members = "{\"dimension_names\": [\"x\"], \"attributes\": {\"units\": \"m\"},";
    finds(
        &[2],
        &[("a/.zarray", "{\"zarr_format\"", &format!("{members} \"zarr_format\""))],
        "the member \"attributes\" is not|V2 has .zattrs for it|V2 has _ARRAY_DIMENSIONS in .zattrs (xarray) for it",
    );
    let in_v3 = format!(
        "{}, \"node_type\": \"array\"}}",
        ZARRAY.replace(": 2,", ": 3,").trim_end_matches('}')
    );
    for document in [ZARRAY, in_v3.as_str()] {
        finds(
            &[3],
            &[("a/zarr.json", "", document)],
            "zarr.json holds the document of a V2 array|belongs in .zarray",
        );
    }
    finds(
        &[2],
        &[("a/.zarray", "", ARRAY)],
        "zarr_format is the number 3, not the number 2|belongs in zarr.json",
    );
    finds(
        &[3],
        &[("a/zarr.json", "\"little\"}}]", "\"little\"}}, {\"id\": \"zlib\", \"level\": 1}]")],
        "\"id\" is how V2 names a codec",
    );
    finds(
        &[2],
        &[("a/.zarray", "\"compressor\": null", "\"compressor\": {\"name\": \"zstd\"}")],
        "\"name\" is how V3 names a codec",
    );
    finds(
        &[3],
        &[
            ("a/zarr.json", "\"dimension_names\": [\"x\"],", ""),
            ("a/zarr.json", "\"units\"", "\"_ARRAY_DIMENSIONS\": [\"x\"], \"units\""),
        ],
        "dimension_names is missing beside the attribute _ARRAY_DIMENSIONS|raises KeyError",
    );
    // xarray 2026.9 opens a group with a scalar, which has no names to miss.
    let scalar = store(
        &[3],
        &[
            ("a/zarr.json", "\"dimension_names\": [\"x\"],", ""),
            ("a/zarr.json", "\"units\"", "\"_ARRAY_DIMENSIONS\": [], \"units\""),
            ("a/zarr.json", "\"shape\": [4]", "\"shape\": []"),
            ("a/zarr.json", "\"chunk_shape\": [4]", "\"chunk_shape\": []"),
            ("a/c/0", "", "-"),
        ],
    );
    let told = found(scalar.path());
    assert!(!told.iter().any(|line| line.contains("dimension_names")), "{told:#?}");
}

#[test]
fn documents_that_a_conversion_left_are_compared() {
    let both = "a .zattrs beside zarr.json, which differs from its attributes in \"units\"";
    finds(&[3], &[("a/.zattrs", "", r#"{"units": "K"}"#)], both);
    finds(
        &[3],
        &[("a/.zattrs", "", r#"{"units": "°C", "long_name": "x"}"#)],
        "attributes in \"long_name\"",
    );
    finds(&[3], &[(".zattrs", "", r#"{"title": "x"}"#)], "attributes in \"title\"");
    let same = store(&[3], &[("a/.zattrs", "", ZATTRS)]);
    assert_eq!(found(same.path()), Vec::<String>::new());
    finds(&[2, 3], &[("a/.zattrs", "°C", "K")], "with attributes that differ in \"units\"");
    let copies = r#"{"zarr_consolidated_format": 1, "metadata": {"a/.zarray": {}}}"#;
    finds(&[3], &[(".zmetadata", "", copies)], "its nodes have documents of V3 now");
}

#[test]
fn groups_whose_nodes_are_of_two_formats_are_told() {
    for (formats, document, text, told) in [
        (
            &[3][..],
            "b/.zarray",
            ZARRAY,
            "note zarr.json: 1 of 2 nodes in this group of V3 is of V2 only: \"b\"",
        ),
        (
            &[2][..],
            "b/zarr.json",
            ARRAY,
            "note .zgroup: 1 of 2 nodes in this group of V2 is of V3 only: \"b\"",
        ),
        (
            &[2, 3][..],
            "b/.zarray",
            ZARRAY,
            "warning zarr.json: 1 of 2 nodes in this group of both formats is of V2 only: \"b\"",
        ),
    ] {
        finds(formats, &[(document, "", text)], told);
    }
    let whole = store(&[2, 3], &[("b/.zarray", "", ZARRAY), ("b/zarr.json", "", ARRAY)]);
    let lines = found(whole.path());
    assert!(lines.iter().all(|line| !line.contains("only")), "{lines:?}");
}

#[test]
fn texts_in_utf_8_that_were_read_otherwise_are_noted() {
    for format in [2, 3] {
        let document = if format == 2 { "a/.zattrs" } else { "a/zarr.json" };
        finds(&[format], &[(document, "°C", "Â°C")], "note |units is \"Â°C\": likely \"°C\"");
        for text in ["Zoë", "naïve – “quoted” €", "Ærø", "日本", "Ö", "µm"] {
            let lines = found(store(&[format], &[(document, "°C", text)]).path());
            assert_eq!(lines, Vec::<String>::new(), "{text}");
        }
    }
}
