//! The stored chunks, bytes, raw bytes and ratios, by listing; the same in the library, in `tree` and in `info`.

use crate::{cli, keys::stores};
use serde_json::Value;
use std::{fs, path::Path};
use zarrscope::zarr::{
    Hierarchy, Node, NodePath, census::Census, hierarchy::NodeKind, sizes::Sizes,
};

fn measured(path: &Path, node: &str) -> Sizes {
    let (hierarchy, _) = Hierarchy::open(path).unwrap();
    let node = hierarchy.node(&NodePath(node.into()));
    of_array(&hierarchy, &node).unwrap()
}

fn of_array(hierarchy: &Hierarchy, node: &Node) -> Option<Sizes> {
    let array = node.kind.array()?;
    Sizes::of(&*hierarchy.store, &node.path, array, &Sizes::none(), &mut |_| true).ok()
}

/// The files below `folder` that are no documents, and their bytes, by the operating system.
fn files_below(folder: &Path) -> (u64, u64) {
    let mut sum = (0, 0);
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let name = entry.file_name().into_string().unwrap();
        if entry.path().is_dir() {
            let below = files_below(&entry.path());
            sum = (sum.0 + below.0, sum.1 + below.1);
        } else if name != "zarr.json" && !name.starts_with(".z") {
            sum = (sum.0 + 1, sum.1 + entry.metadata().unwrap().len());
        }
    }
    sum
}

#[test]
fn what_is_stored_is_what_the_system_says() {
    let mut arrays = 0;
    for store in ["ocean", "ocean-v2", "byte-order", "dtypes-v2", "dtypes-v3"] {
        let (hierarchy, _) = Hierarchy::open(&stores().join(store)).unwrap();
        hierarchy.walk(&NodePath::default(), &mut |node, _| {
            if let Some(sizes) = of_array(&hierarchy, node) {
                arrays += 1;
                let files = files_below(&stores().join(store).join(&node.path.0));
                assert_eq!((sizes.objects, sizes.stored), files, "{store}/{}", node.path.0);
                assert!(sizes.is_complete && sizes.missing().is_some(), "{}", node.path.0);
            }
            true
        });
    }
    assert!(arrays > 120, "{arrays}");
}

#[test]
fn raw_sizes_count_padding_and_whole_shards() {
    // 16 chunks of 37×45 with 2 bytes each cover 148×180, one of them is not stored.
    let packed = measured(&stores(), "ocean/packed");
    assert_eq!(
        (packed.objects, packed.objects_total, packed.chunks_total),
        (15, Some(16), Some(16))
    );
    assert_eq!((packed.raw, packed.missing()), (Some(15 * 37 * 45 * 2), Some(1)));
    // 4 shards of 74×90 hold 4 inner chunks each.
    let sharded = measured(&stores(), "ocean/temperature");
    assert_eq!(
        (sharded.objects, sharded.objects_total, sharded.chunks_total),
        (4, Some(4), Some(16))
    );
    assert_eq!(sharded.raw, Some(4 * 74 * 90 * 4));
    // Text of any length has no raw size before it is decoded.
    let text = measured(&stores(), "dtypes-v3/string");
    assert!(text.objects > 0 && text.raw.is_none() && text.ratio().is_none());
}

#[test]
fn chunks_of_different_lengths_are_as_long_as_the_grid_says() {
    let folder = crate::scratch();
    let document = r#"{"zarr_format": 3, "node_type": "array", "shape": [7], "data_type": "int16",
        "chunk_grid": {"name": "rectilinear", "configuration": {"kind": "inline", "chunk_shapes": [[2, 5]]}},
        "chunk_key_encoding": {"name": "default"}, "fill_value": 0,
        "codecs": [{"name": "bytes", "configuration": {"endian": "little"}}]}"#;
    fs::write(folder.path().join("zarr.json"), document).unwrap();
    fs::create_dir(folder.path().join("c")).unwrap();
    fs::write(folder.path().join("c/1"), [0; 10]).unwrap();
    let sizes = measured(folder.path(), "");
    assert_eq!((sizes.objects, sizes.objects_total, sizes.raw), (1, Some(2), Some(10)));
    fs::write(folder.path().join("c/0"), [0; 4]).unwrap();
    assert_eq!(measured(folder.path(), "").raw, Some(14));
}

#[test]
fn a_stop_says_what_was_counted_until_then() {
    let (hierarchy, _) = Hierarchy::open(&stores()).unwrap();
    let node = hierarchy.node(&NodePath("ocean/packed".into()));
    let NodeKind::Array(array) = &node.kind else { panic!("an array") };
    let mut seen = Vec::new();
    let sizes = Sizes::of(&*hierarchy.store, &node.path, array, &Sizes::none(), &mut |sizes| {
        seen.push(sizes.objects);
        sizes.objects < 3
    });
    assert_eq!(seen, [1, 2, 3]);
    let sizes = sizes.unwrap();
    assert_eq!((sizes.objects, sizes.is_complete, sizes.missing()), (3, false, None));
    let census = Census::of(&hierarchy, hierarchy.node(&NodePath("ocean".into())), &mut |census| {
        census.sizes.objects < 5
    });
    assert_eq!((census.sizes.objects, census.sizes.is_complete), (5, false));
    assert!(census.arrays < 9, "it goes no further");
}

#[test]
fn a_census_is_the_sum_of_its_arrays() {
    let (hierarchy, _) = Hierarchy::open(&stores()).unwrap();
    let of =
        |path: &str| Census::of(&hierarchy, hierarchy.node(&NodePath(path.into())), &mut |_| true);
    let ocean = of("ocean");
    assert_eq!((ocean.arrays, ocean.groups, ocean.formats()), (9, 1, "V3"));
    assert_eq!(ocean.byte_orders.sorted(), [("LE", 8), ("BE", 1)]);
    assert_eq!(ocean.byte_orders.first("BE").map(|path| path.0.as_str()), Some("ocean/packed"));
    let codecs = [("zstd", 5), ("crc32c", 2), ("gzip", 1), ("sharding_indexed", 1)];
    assert_eq!(ocean.codecs.sorted(), codecs);
    assert_eq!(ocean.sizes.objects_total, Some(39));
    let mut both = of("ocean-v2");
    both.add(&ocean);
    assert_eq!(both.formats(), "V2+V3");
    let sum = of("ocean-v2").sizes.stored + ocean.sizes.stored;
    assert_eq!((both.arrays, both.sizes.stored), (18, sum));
    let ratio = both.sizes.ratio().unwrap();
    assert!((1.5..2.5).contains(&ratio), "{ratio}");
}

#[test]
fn tree_and_info_say_the_same_as_the_library() {
    let (_, tree) = cli::json(&["tree", "sample-stores/ocean"]);
    let (_, info) = cli::json(&["info", "sample-stores/ocean"]);
    assert_eq!(tree["sizes"], info["sizes"]);
    let children = tree["children"].as_array().unwrap();
    let sum =
        |key: &str| children.iter().map(|child| child["sizes"][key].as_u64().unwrap()).sum::<u64>();
    for key in ["stored", "raw", "objects", "objects_total", "chunks_total"] {
        assert_eq!(tree["sizes"][key].as_u64(), Some(sum(key)), "{key}");
    }
    assert_eq!(tree["sizes"]["chunks"], Value::Null, "one of its arrays is sharded");
    for child in children {
        let path = format!("sample-stores/ocean/{}", child["path"].as_str().unwrap());
        assert_eq!(cli::json(&["info", &path]).1["sizes"], child["sizes"], "{path}");
    }
    let packed = measured(&stores(), "ocean/packed");
    let (_, told) = cli::json(&["info", "sample-stores/ocean/packed"]);
    assert_eq!(told["sizes"]["stored"].as_u64(), Some(packed.stored));
    let ratio = told["sizes"]["ratio"].as_f64().unwrap();
    assert!((ratio - packed.ratio().unwrap()).abs() < 1e-4);
}

#[test]
fn documents_alone_have_no_sizes() {
    for command in ["tree", "info"] {
        let (_, told) = cli::json(&[command, "sample-stores/ocean", "--metadata-only"]);
        assert!(told.get("sizes").is_none() && told.to_string().find("\"stored\"").is_none());
        let text = cli::run(&[command, "sample-stores/ocean", "--metadata-only"]).out;
        assert!(!text.contains("KiB"), "{text}");
    }
}
