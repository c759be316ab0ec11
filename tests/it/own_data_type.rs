//! The data type of `examples/own_data_type.rs`, end to end: metadata, fill value, chunks, the screen.

#[path = "../../examples/own_data_type.rs"]
#[expect(
    dead_code,
    unreachable_pub,
    reason = "it is a program of its own, with a main for cargo run"
)]
mod example;

use std::{fs, path::Path, sync::Arc};
use zarrscope::{
    tui::{Options, picture, script},
    zarr::{DataType, Hierarchy, Json, Registry, chunk, hierarchy::NodeKind},
};

/// A store with one array of temperatures: 21.50, -0.05, and a missing chunk.
fn store() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let document = r#"{"zarr_format":3,"node_type":"array","shape":[4],"data_type":"example.celsius",
        "chunk_grid":{"name":"regular","configuration":{"chunk_shape":[2]}},
        "chunk_key_encoding":{"name":"default"},"fill_value":-273.15,
        "codecs":[{"name":"bytes","configuration":{"endian":"big"}}]}"#;
    fs::write(folder.path().join("zarr.json"), document).unwrap();
    fs::create_dir(folder.path().join("c")).unwrap();
    fs::write(folder.path().join("c/0"), [0x08, 0x66, 0xff, 0xfb]).unwrap();
    folder
}

#[test]
fn metadata_and_chunks_know_it() {
    let folder = store();
    let registry = Arc::new(example::data_types());
    let (hierarchy, target) = Hierarchy::open_with(folder.path(), registry).unwrap();
    let NodeKind::Array(array) = hierarchy.node(&target.node).kind else { panic!("no array") };
    assert_eq!(array.data_type().unwrap().name(), "example.celsius");
    assert_eq!(array.fill_scalar().unwrap().to_string(), "-273.15 °C");
    let options =
        chunk::Options { limit: 1 << 20, around: 0, ignore_checksums: false, stop: &|| false };
    let id = chunk::ChunkId { coordinates: vec![0], inner: Vec::new() };
    let chunk = chunk::load(&*hierarchy.store, &target.node, &array, &id, &options);
    let elements = chunk.elements().unwrap().elements(0..2);
    let values: Vec<_> = elements.map(|element| element.value.unwrap().to_string()).collect();
    assert_eq!(values, ["21.50 °C", "-0.05 °C"]);
}

fn screen(path: &Path, keys: &str, data_types: Registry) -> String {
    let options = Options { data_types: Arc::new(data_types), ..Options::default() };
    picture::text(&script::play(path, (120, 40), keys, &options).unwrap().screen)
}

#[test]
fn the_screen_shows_its_values() {
    let folder = store();
    let card = screen(folder.path(), "1", example::data_types());
    assert!(card.contains("example.celsius") && card.contains("-273.15 °C"), "{card}");
    let values = screen(folder.path(), "2", example::data_types());
    assert!(values.contains("21.50 °C") && values.contains("-0.05 °C"), "{values}");
    let unknown = screen(folder.path(), "1", Registry::builtin());
    assert!(!unknown.contains("-273.15 °C"), "{unknown}");
}

#[test]
fn a_family_can_be_taken_out_and_clashes_are_told() {
    let mut registry = example::data_types();
    let text = Json::string(">celsius");
    assert_eq!(registry.from_v2(&text, None).unwrap().data_type.kind(), "Celsius");
    assert!(registry.unregister("Celsius").is_some() && registry.unregister("Celsius").is_none());
    assert_eq!(registry.from_v2(&text, None).unwrap_err().code, "unknown-data-type");
    registry.register(Arc::new(Greedy));
    let error = registry.from_v3(&Json::string("int16")).unwrap_err();
    assert_eq!(error.code, "ambiguous-data-type");
    assert!(error.found.contains("Int16") && error.found.contains("Greedy"), "{error}");
}

/// Takes everything for temperatures.
#[derive(Debug)]
struct Greedy;

impl zarrscope::zarr::data_type::Family for Greedy {
    fn name(&self) -> &'static str {
        "Greedy"
    }

    fn from_v2(
        &self,
        _: &Json,
        _: Option<&str>,
        _: &zarrscope::zarr::data_type::Scope<'_>,
    ) -> Option<zarrscope::zarr::Result<zarrscope::zarr::data_type::Resolved>> {
        None
    }

    fn from_v3(
        &self,
        _: &Json,
        _: &zarrscope::zarr::data_type::Scope<'_>,
    ) -> Option<zarrscope::zarr::Result<zarrscope::zarr::data_type::Resolved>> {
        Some(Ok(zarrscope::zarr::data_type::Resolved::of(example::Celsius)))
    }

    fn examples(&self) -> Vec<Arc<dyn DataType>> {
        Vec::new()
    }
}
