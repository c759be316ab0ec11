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
    zarr::{
        Budget, Code, DataType, DataTypes, Hierarchy, Json, Registry, Result, chunk,
        data_type::{Family, Resolved, Scope},
        grid::ChunkId,
        hierarchy::NodeKind,
    },
};

/// A store with one array of temperatures: 21.50, -0.05, and a missing chunk.
fn store() -> tempfile::TempDir {
    let folder = crate::scratch();
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
    let registry = Arc::new(example::registry());
    let (hierarchy, target) = Hierarchy::open_with(folder.path(), registry).unwrap();
    let NodeKind::Array(array) = hierarchy.node(&target.node).kind else { panic!("no array") };
    assert_eq!(array.data_type().unwrap().name(), "example.celsius");
    assert_eq!(array.fill_scalar().unwrap().to_string(), "-273.15 °C");
    let budget = Budget::default().with_limit(1 << 20);
    let id = ChunkId { coordinates: vec![0], inner: Vec::new() };
    let chunk = chunk::load(&*hierarchy.store, &target.node, &array, &id, 0, &budget);
    let elements = chunk.elements().unwrap().elements(0..2);
    let values: Vec<_> = elements.map(|element| element.value.unwrap().to_string()).collect();
    assert_eq!(values, ["21.50 °C", "-0.05 °C"]);
}

fn screen(path: &Path, keys: &str, registry: Registry) -> String {
    let options = Options { registry: Arc::new(registry), ..Options::default() };
    picture::text(&script::play(path, (120, 40), keys, &options).unwrap().screen)
}

#[test]
fn the_screen_shows_its_values() {
    let folder = store();
    let card = screen(folder.path(), "1", example::registry());
    assert!(card.contains("example.celsius") && card.contains("-273.15 °C"), "{card}");
    let values = screen(folder.path(), "2", example::registry());
    assert!(values.contains("21.50 °C") && values.contains("-0.05 °C"), "{values}");
    let unknown = screen(folder.path(), "1", Registry::default());
    assert!(!unknown.contains("-273.15 °C"), "{unknown}");
}

#[test]
fn a_family_can_be_taken_out_and_clashes_are_told() {
    let mut registry = example::registry().data_types;
    let text = Json::from(">celsius");
    assert_eq!(registry.from_v2(&text, None).unwrap().data_type.kind(), "Celsius");
    assert!(registry.unregister("Celsius").is_some() && registry.unregister("Celsius").is_none());
    assert_eq!(registry.from_v2(&text, None).unwrap_err().code, Code::UnknownDataType);
    registry.register(Arc::new(Greedy));
    let error = registry.from_v3(&Json::from("int16")).unwrap_err();
    assert_eq!(error.code, Code::AmbiguousName);
    assert!(error.found.contains("Int16") && error.found.contains("Greedy"), "{error}");
}

/// The values of the first chunk of a store whose document is `document`, read with `registry`.
fn values(name: &str, document: &str, chunk: &[u8], registry: Registry) -> Vec<String> {
    let folder = crate::scratch();
    fs::write(folder.path().join(name), document).unwrap();
    let key = if name == "zarr.json" { "c/0" } else { "0" };
    fs::create_dir_all(folder.path().join("c")).unwrap();
    fs::write(folder.path().join(key), chunk).unwrap();
    let (hierarchy, target) = Hierarchy::open_with(folder.path(), Arc::new(registry)).unwrap();
    let NodeKind::Array(array) = hierarchy.node(&target.node).kind else { panic!("no array") };
    let budget = Budget::default().with_limit(1 << 20);
    let id = ChunkId { coordinates: vec![0], inner: Vec::new() };
    let chunk = chunk::load(&*hierarchy.store, &target.node, &array, &id, 0, &budget);
    let Some(elements) = chunk.elements() else { return Vec::new() };
    elements.elements(0..4).map(|element| element.value.unwrap().to_string()).collect()
}

#[test]
fn configurations_of_codecs_may_name_it() {
    let ragged = r#"{"zarr_format":2,"shape":[2],"chunks":[2],"dtype":"|O","fill_value":null,"order":"C",
        "compressor":null,"filters":[{"id":"vlen-array","dtype":">celsius"}]}"#;
    let mut chunk = [2_u32, 4].map(u32::to_le_bytes).concat();
    chunk.extend([0x08, 0x66, 0xff, 0xfb, 0, 0, 0, 0]);
    let read = |registry| values(".zarray", ragged, &chunk, registry);
    assert_eq!(read(example::registry()), ["[21.50 °C, -0.05 °C]", "[]"]);
    assert!(read(Registry::default()).is_empty());
}

#[test]
fn filters_casts_and_inner_chunks_of_shards_compute_with_one_from_outside() {
    let mut registry = Registry::default();
    registry.data_types.register(Arc::new(Counts));
    let delta = r#"{"zarr_format":2,"shape":[3],"chunks":[3],"dtype":"<i4","fill_value":0,"order":"C",
        "compressor":null,"filters":[{"id":"delta","dtype":"<i4","astype":"<counts"}]}"#;
    let stored = [7_i16, 1, -3].map(i16::to_le_bytes).concat();
    assert_eq!(values(".zarray", delta, &stored, registry.clone()), ["7", "8", "5"]);
    let cast = |codecs: &str| {
        format!(
            r#"{{"zarr_format":3,"node_type":"array","shape":[3],"data_type":"float64","fill_value":0,
            "chunk_grid":{{"name":"regular","configuration":{{"chunk_shape":[3]}}}},
            "chunk_key_encoding":{{"name":"default"}},"codecs":[{codecs}]}}"#
        )
    };
    let inner = r#"{"name":"cast_value","configuration":{"data_type":"example.counts"}},
        {"name":"bytes","configuration":{"endian":"little"}}"#;
    let read = |codecs: &str, chunk: &[u8], registry: &Registry| {
        values("zarr.json", &cast(codecs), chunk, registry.clone())
    };
    assert_eq!(read(inner, &stored, &registry), ["7.0", "1.0", "-3.0"]);
    assert!(read(inner, &stored, &Registry::default()).is_empty());
    let shard = format!(
        r#"{{"name":"sharding_indexed","configuration":{{"chunk_shape":[3],"codecs":[{inner}],
        "index_codecs":[{{"name":"bytes","configuration":{{"endian":"little"}}}}]}}}}"#
    );
    let sharded = [stored, [0_u64, 6].map(u64::to_le_bytes).concat()].concat();
    assert_eq!(read(&shard, &sharded, &registry), ["7.0", "1.0", "-3.0"]);
}

/// Another name for `int16`: `example.counts` in V3, `<counts` in V2.
#[derive(Debug)]
struct Counts;

impl Family for Counts {
    fn name(&self) -> &'static str {
        "Counts"
    }

    fn from_v2(&self, dtype: &Json, _: Option<&str>, _: &Scope<'_>) -> Option<Result<Resolved>> {
        (dtype.as_str()? == "<counts")
            .then(|| DataTypes::default().from_v2(&Json::from("<i2"), None))
    }

    fn from_v3(&self, data_type: &Json, _: &Scope<'_>) -> Option<Result<Resolved>> {
        let mine = data_type.as_str()? == "example.counts";
        mine.then(|| DataTypes::default().from_v3(&Json::from("int16")))
    }

    fn examples(&self) -> Vec<Arc<dyn DataType>> {
        Vec::new()
    }
}

/// Takes everything for temperatures.
#[derive(Debug)]
struct Greedy;

impl Family for Greedy {
    fn name(&self) -> &'static str {
        "Greedy"
    }

    fn from_v2(&self, _: &Json, _: Option<&str>, _: &Scope<'_>) -> Option<Result<Resolved>> {
        None
    }

    fn from_v3(&self, _: &Json, _: &Scope<'_>) -> Option<Result<Resolved>> {
        Some(Ok(Resolved::of(example::Celsius)))
    }

    fn examples(&self) -> Vec<Arc<dyn DataType>> {
        Vec::new()
    }
}
