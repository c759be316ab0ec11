//! The codec of `examples/own_codec.rs`, end to end: its values and its stage on the screen, what `K` says of it.

#[path = "../../examples/own_codec.rs"]
#[expect(
    dead_code,
    unreachable_pub,
    reason = "it is a program of its own, with a main for cargo run"
)]
mod example;

use std::{fs, path::Path, sync::Arc};
use zarrscope::{
    tui::{Options, picture, script},
    zarr::{Code, Format, Registry},
};

/// A store with one chunk of two numbers, 7 and -2, whose bytes are combined with the key 90.
fn store() -> tempfile::TempDir {
    let folder = crate::scratch();
    let document = r#"{"zarr_format":3,"node_type":"array","shape":[2],"data_type":"int16",
        "chunk_grid":{"name":"regular","configuration":{"chunk_shape":[2]}},
        "chunk_key_encoding":{"name":"default"},"fill_value":0,
        "codecs":[{"name":"bytes","configuration":{"endian":"big"}},
            {"name":"example.xor","configuration":{"key":90}}]}"#;
    fs::write(folder.path().join("zarr.json"), document).unwrap();
    fs::create_dir(folder.path().join("c")).unwrap();
    fs::write(folder.path().join("c/0"), [0, 7, 0xff, 0xfe].map(|byte: u8| byte ^ 0x5a)).unwrap();
    folder
}

fn screen(path: &Path, keys: &str, registry: Registry) -> String {
    let options = Options { registry: Arc::new(registry), ..Options::default() };
    picture::text(&script::play(path, (120, 40), keys, &options).unwrap().screen)
}

#[test]
fn the_screen_shows_its_stage_and_its_values() {
    let folder = store();
    let mine = || example::registry().unwrap();
    let card = screen(folder.path(), "1", mine());
    assert!(card.contains("bytes(big) → example.xor(90)"), "{card}");
    let chunk = screen(folder.path(), "2", mine());
    assert!(chunk.contains("example.xor 4 → 4") && chunk.contains("0007 fffe"), "{chunk}");
    assert!(chunk.lines().any(|line| line.contains(" 7 ") && line.contains("-2")), "{chunk}");
    let file = screen(folder.path(), "2HH", mine());
    assert!(file.contains("5a5d a5a4") || file.contains("5a 5d a5 a4"), "{file}");
    let lesson = screen(folder.path(), "2HK", mine());
    assert!(lesson.contains("exclusive or"), "{lesson}");
    let unknown = screen(folder.path(), "2", Registry::default());
    assert!(!unknown.contains("0007 fffe"), "{unknown}");
}

#[test]
fn a_name_means_one_codec() {
    let mut registry = example::registry().unwrap();
    let error = registry.codecs.register(&example::ROW).unwrap_err();
    assert_eq!(error.code, Code::AmbiguousName);
    assert!(registry.codecs.unregister("example.xor", Format::V3).is_some());
    registry.codecs.register(&example::ROW).unwrap();
    assert!(registry.codecs.unregister("example.xor", Format::V2).is_none());
}
