//! Chunk keys, grids, edges, memory order and missing chunks, by the vectors; and rectilinear grids.

use serde_json::{Value, json};
use std::fs;
use zarrscope::zarr::{
    ArrayMetadata, Budget, Hierarchy, NodePath, Registry, Severity, chunk,
    grid::{ChunkId, Grid},
    hierarchy::NodeKind,
    metadata::{RawDocument, v2, v3},
};

fn records(section: &str) -> Vec<Value> {
    let all: Vec<Value> =
        serde_json::from_str(include_str!("../vectors/chunk_layout.json")).unwrap();
    let records: Vec<_> = all.into_iter().filter(|r| r["section"] == section).collect();
    assert!(!records.is_empty(), "no record of section {section}");
    records
}

/// The metadata document of a record; what a record does not say is as plain as can be.
fn document(record: &Value) -> (&'static str, String) {
    let or = |key: &str, default: Value| record.get(key).cloned().unwrap_or(default);
    let rank = record["index"].as_array().map_or(1, Vec::len);
    let ones = json!(vec![1; rank]);
    if record["zarr_format"] == 2 {
        let separator = record["encoding"].get("dimension_separator").cloned();
        let separator = separator.unwrap_or_else(|| or("dimension_separator", json!(".")));
        let text = json!({
            "zarr_format": 2, "shape": or("shape", ones.clone()), "chunks": or("chunks", ones),
            "dtype": or("dtype", json!("|u1")), "compressor": null, "filters": null,
            "fill_value": or("fill_value", json!(0)), "order": or("order", json!("C")),
            "dimension_separator": separator,
        });
        return (".zarray", text.to_string());
    }
    let bytes = json!([{"name": "bytes", "configuration": {"endian": "little"}}]);
    let text = json!({
        "zarr_format": 3, "node_type": "array", "shape": or("shape", ones.clone()),
        "data_type": or("dtype", json!("uint8")), "fill_value": or("fill_value", json!(0)),
        "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": or("chunks", ones)}},
        "chunk_key_encoding": or("encoding", json!({"name": "default"})), "codecs": or("codecs", bytes),
    });
    ("zarr.json", text.to_string())
}

fn metadata(record: &Value) -> ArrayMetadata {
    let (name, text) = document(record);
    let document = RawDocument::new(name, text.as_bytes());
    match name {
        ".zarray" => v2::array(document, None, &Registry::default()),
        _ => v3::array(document, &Registry::default()),
    }
}

fn numbers(json: &Value) -> Vec<u64> {
    json.as_array().unwrap().iter().map(|n| n.as_u64().unwrap()).collect()
}

#[test]
fn keys_are_made_and_read_back() {
    for record in records("key") {
        let (array, index) = (metadata(&record), numbers(&record["index"]));
        let encoding = array.key_encoding.unwrap();
        assert_eq!(encoding.key(&index), record["key"].as_str().unwrap(), "{record}");
        let back = encoding.parse(record["key"].as_str().unwrap(), index.len());
        assert_eq!(back, Some(index), "{record}");
    }
}

#[test]
fn key_encodings_are_refused_where_the_text_refuses_them() {
    for record in records("key_encoding") {
        let accepted = record["spec_ok"].as_bool().unwrap_or_else(|| record["ok"] == true);
        let array = metadata(&record);
        let refused = array
            .problems
            .iter()
            .any(|problem| matches!(problem.severity, Severity::Limit | Severity::Error));
        assert_eq!(refused, !accepted, "{record}: {:?}", array.problems);
    }
}

/// Every element of the array in C order, as text, read through a store on the disk.
fn values(record: &Value) -> Vec<String> {
    let folder = crate::scratch();
    let (name, text) = document(record);
    fs::write(folder.path().join(name), text).unwrap();
    for (key, hex) in record["files"].as_object().unwrap() {
        let path = folder.path().join(key);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes(hex.as_str().unwrap())).unwrap();
    }
    let (hierarchy, target) = Hierarchy::open(folder.path()).unwrap();
    let NodeKind::Array(array) = hierarchy.node(&target.node).kind else { panic!("{record}") };
    read(&hierarchy, &array)
}

fn read(hierarchy: &Hierarchy, array: &ArrayMetadata) -> Vec<String> {
    let (shape, grid) = (array.shape.clone().unwrap(), array.grid.clone().unwrap());
    let count: u64 = shape.iter().product();
    (0..count).map(|number| value(hierarchy, array, &grid, &position(number, &shape))).collect()
}

fn position(mut number: u64, shape: &[u64]) -> Vec<u64> {
    let mut at = vec![0; shape.len()];
    for (place, length) in at.iter_mut().zip(shape).rev() {
        *place = number % length;
        number /= length;
    }
    at
}

fn value(hierarchy: &Hierarchy, array: &ArrayMetadata, grid: &Grid, at: &[u64]) -> String {
    let (coordinates, within) = grid.locate(at).unwrap();
    let id = ChunkId { coordinates, inner: Vec::new() };
    let budget = Budget::default().with_limit(1 << 20);
    let chunk = chunk::load(&*hierarchy.store, &NodePath::default(), array, &id, 0, &budget);
    if chunk.is_missing() {
        return array.fill_scalar().unwrap().to_string();
    }
    let elements = chunk.elements().unwrap_or_else(|| panic!("{:?}", chunk.fault()));
    elements.value(elements.position(&within)).unwrap().unwrap().to_string()
}

fn bytes(hex: &str) -> Vec<u8> {
    let digits: Vec<_> = hex.chars().collect();
    digits
        .chunks(2)
        .map(|pair| u8::from_str_radix(&pair.iter().collect::<String>(), 16).unwrap())
        .collect()
}

fn texts(json: &Value) -> Vec<String> {
    json.as_array().unwrap().iter().map(|text| text.as_str().unwrap().to_owned()).collect()
}

#[test]
fn arrays_have_their_grid_and_their_values() {
    for record in records("array") {
        let array = metadata(&record);
        let counts = array.grid.unwrap().counts(&array.shape.unwrap());
        assert_eq!(counts, numbers(&record["grid"]), "{record}");
        assert_eq!(values(&record), texts(&record["values_c_order"]), "{record}");
    }
}

#[test]
fn missing_chunks_are_the_fill_value() {
    for record in records("missing_chunk") {
        assert_eq!(values(&record), texts(&record["oracle_values"]), "{record}");
    }
}

fn rectilinear(shapes: &str) -> ArrayMetadata {
    let grid = format!(r#"{{"kind": "inline", "chunk_shapes": {shapes}}}"#);
    let grid: Value = serde_json::from_str(&grid).unwrap();
    let text = json!({
        "zarr_format": 3, "node_type": "array", "shape": [6, 6, 6, 6, 6], "data_type": "uint8",
        "chunk_grid": {"name": "rectilinear", "configuration": grid}, "fill_value": 0,
        "chunk_key_encoding": "default", "codecs": ["bytes"],
    });
    let document = RawDocument::new("zarr.json", text.to_string().as_bytes());
    v3::array(document, &Registry::default())
}

/// The example of the text: five ways to say how an axis of six is cut.
#[test]
fn rectilinear_grids_are_read_in_every_form() {
    let array = rectilinear("[4, [1, 2, 3], [[4, 2]], [[1, 3], 3], [4, 4, 4]]");
    let grid = array.grid.unwrap();
    assert_eq!(grid.counts(&[6; 5]), [2, 3, 2, 4, 2]);
    assert_eq!(grid.chunk_shape(&[1, 2, 1, 3, 0]), Some(vec![4, 3, 4, 3, 4]));
    let at = grid.locate(&[5, 2, 4, 5, 3]).unwrap();
    assert_eq!(at, (vec![1, 1, 1, 3, 0], vec![1, 1, 0, 2, 3]));
}

#[test]
fn rectilinear_grids_that_make_no_sense_are_refused() {
    for shapes in [
        "[4, 4, 4, 4]",
        "[4, 4, 4, 4, [1, 2]]",
        "[4, 4, 4, 4, 0]",
        "[4, 4, 4, 4, [[3, 0]]]",
        "[4, 4, 4, 4, [[3]]]",
        "[4, 4, 4, 4, [[3, 2, 1]]]",
        "[4, 4, 4, 4, -1]",
        "[4, 4, 4, 4, [1.5]]",
        "[4, 4, 4, 4, null]",
        "7",
    ] {
        let array = rectilinear(shapes);
        let errors = array.problems.iter().filter(|p| p.severity == Severity::Error);
        assert!(errors.count() > 0, "{shapes}");
    }
}

/// On a small screen, all fields of a small struct are in sight on both sides; the table says which field it counts.
#[test]
fn fields_have_the_room_that_they_need() {
    let node = ":go dtypes-v2/structured_mixed_order<enter>";
    let text = crate::keys::text(&crate::keys::play_at((80, 24), &format!("{node}2")));
    let head = text.lines().find(|line| line.starts_with(" offset")).unwrap();
    assert_eq!(head.matches("ratio").count(), 2, "{text}");
    let text = crate::keys::text(&crate::keys::play_at((80, 24), &format!("{node}2t]f")));
    assert!(text.contains("structured_mixed_order   field little"), "{text}");
}
