//! The nodes of a store, and the meaning of a path on the disk.

use std::{fs, path::Path};
use zarrscope::zarr::{
    Code, Hierarchy, Node, NodePath,
    census::chunk_shape_words,
    format::Format,
    grid::ChunkId,
    hierarchy::NodeKind,
    spelling::{Subject, Topic, explain, of_node},
};

const GROUP_V3: &str = r#"{"zarr_format": 3, "node_type": "group"}"#;
const GROUP_V2: &str = r#"{"zarr_format": 2}"#;
const ARRAY_V2: &str = r#"{"zarr_format": 2, "shape": [4, 4], "chunks": [2, 2], "dtype": "<i4",
    "compressor": null, "fill_value": 0, "order": "C", "filters": null, "dimension_separator": "/"}"#;
const ARRAY_V3: &str = r#"{"zarr_format": 3, "node_type": "array", "shape": [4], "data_type": "int32",
    "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [2]}},
    "chunk_key_encoding": {"name": "default"}, "fill_value": 0,
    "codecs": [{"name": "bytes", "configuration": {"endian": "little"}}]}"#;

/// A store in a folder of its own, from (key, text).
fn store(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = crate::scratch();
    for (key, text) in files {
        let path = folder.path().join(key);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    folder
}

/// The tree, one node a line.
fn tree(path: &Path) -> String {
    let (hierarchy, target) = Hierarchy::open(path).unwrap();
    let mut lines = String::new();
    hierarchy.walk(&target.node, &mut |node, depth| {
        lines += &"  ".repeat(depth);
        lines += &describe(node);
        lines.push('\n');
        true
    });
    lines
}

fn describe(node: &Node) -> String {
    let kind = match &node.kind {
        NodeKind::Array(array) => format!("array {}", array.format.name()),
        NodeKind::Group(group) => format!("group {}", group.format.name()),
        NodeKind::Folder => "folder".into(),
        NodeKind::Broken(error) => format!("broken: {error}"),
    };
    let other = if node.other.is_some() { " and another format" } else { "" };
    let codes: Vec<_> = node.problems.iter().map(|problem| problem.error.code.as_str()).collect();
    format!("/{} {kind}{other} {}", node.path.0, codes.join(" ")).trim_end().to_owned()
}

#[test]
fn names_that_v3_forbids_are_told() {
    let folder = store(&[
        ("zarr.json", GROUP_V3),
        ("__x/zarr.json", GROUP_V3),
        (".../zarr.json", GROUP_V3),
        ("_x/zarr.json", GROUP_V3),
        // V2 has no such rule: anndata 0.7 wrote groups of this name.
        ("__categories/.zgroup", GROUP_V2),
    ]);
    let tree = tree(folder.path());
    let warned =
        |name: &str| tree.lines().any(|line| line.contains(name) && line.contains("node-name"));
    assert!(warned("/__x ") && warned("/... "), "{tree}");
    assert!(!warned("/_x ") && !warned("__categories"), "{tree}");
}

#[test]
fn chunks_are_never_nodes() {
    let folder = store(&[
        (".zgroup", GROUP_V2),
        ("a/.zarray", ARRAY_V2),
        ("a/0/0", "chunk"),
        ("a/1/1", "chunk"),
        ("b/zarr.json", ARRAY_V3),
        ("b/c/0", "chunk"),
        ("notes/readme.txt", "nothing"),
        ("implicit/deep/c/.zarray", ARRAY_V2),
    ]);
    assert_eq!(
        tree(folder.path()),
        "/ group V2\n  /a array V2\n  /b array V3\n  /implicit folder\n    /implicit/deep folder\n      \
         /implicit/deep/c array V2\n"
    );
}

#[test]
fn a_path_is_a_store_a_node_a_chunk_or_a_message() {
    let folder = store(&[
        ("s/.zgroup", GROUP_V2),
        ("s/g/.zgroup", GROUP_V2),
        ("s/g/a/.zarray", ARRAY_V2),
        ("s/g/a/1/0", "chunk"),
        ("s/g/a/x.txt", "no chunk"),
        ("t/zarr.json", ARRAY_V3),
        ("t/c/1", "chunk"),
        ("empty/.keep", ""),
        ("file", "nothing around"),
    ]);
    let at = |path: &str| {
        Hierarchy::open(&folder.path().join(path)).map(|(hierarchy, target)| {
            let root = hierarchy.store.name();
            (root.rsplit('/').next().unwrap().to_owned(), target.node.0, target.chunk)
        })
    };
    let chunk = |coordinates: &[u64]| {
        Some(ChunkId { coordinates: coordinates.to_vec(), inner: Vec::new() })
    };
    assert_eq!(at("s"), Ok(("s".into(), String::new(), None)));
    assert_eq!(at("s/g/a"), Ok(("s".into(), "g/a".into(), None)));
    assert_eq!(at("s/g/a/.zarray"), Ok(("s".into(), "g/a".into(), None)));
    assert_eq!(at("s/g/a/1/0"), Ok(("s".into(), "g/a".into(), chunk(&[1, 0]))));
    assert_eq!(at("s/g/a/1"), Ok(("s".into(), "g/a/1".into(), None)));
    assert_eq!(at("t/c/1"), Ok(("t".into(), String::new(), chunk(&[1]))));
    assert_eq!(at("s/g/a/x.txt").unwrap_err().code, Code::NoSuchPlace);
    assert_eq!(at("file").unwrap_err().code, Code::NotAStore);
    assert_eq!(at("empty").unwrap_err().code, Code::NotAStore);
    assert_eq!(at("nowhere").unwrap_err().code, Code::Io);
    let names: Vec<_> = tree(folder.path()).lines().map(ToOwned::to_owned).collect();
    assert_eq!(names[..3], ["/ folder", "  /s group V2", "    /s/g group V2"]);
}

#[test]
fn two_formats_in_one_folder_are_one_node_with_a_problem() {
    let folder =
        store(&[("zarr.json", GROUP_V3), (".zgroup", GROUP_V2), ("a/zarr.json", ARRAY_V3)]);
    let (hierarchy, _) = Hierarchy::open(folder.path()).unwrap();
    let root = hierarchy.node(&NodePath::default());
    assert_eq!(describe(&root), "/ group V3 and another format both-formats");
    assert!(matches!(root.other.as_deref(), Some(NodeKind::Group(g)) if g.format == Format::V2));
    assert_eq!(hierarchy.children(&NodePath::default()).unwrap().len(), 1);
}

/// Of two documents the one that can be read is shown, with nothing invented beside it; the other's fault is told.
#[test]
fn a_document_that_cannot_be_read_hides_no_other() {
    let cut = r#"{"zarr_format": 2, "shape": [4"#;
    for (v3, v2, shown) in [(ARRAY_V3, cut, Format::V3), (cut, ARRAY_V2, Format::V2)] {
        let folder = store(&[("zarr.json", v3), (".zarray", v2)]);
        let (hierarchy, _) = Hierarchy::open(folder.path()).unwrap();
        let node = hierarchy.node(&NodePath::default());
        let array = node.kind.array().unwrap();
        assert_eq!(array.format, shown);
        let codes: Vec<_> = node.problems.iter().map(|problem| problem.error.code).collect();
        assert_eq!(codes.len(), 2, "{codes:?}");
        assert_eq!(codes[0], Code::BothFormats);
        let spelling = of_node(array, node.other.as_deref());
        assert_eq!(spelling.unread, Some(shown.other()));
        let mut rows = spelling.rows.iter().filter(|row| row.topic != Topic::Readers);
        assert!(rows.all(|row| row.cell(shown.other()).is_empty() && !row.cell(shown).is_empty()));
    }
}

/// A node's own document is what is shown; what its copies say otherwise, too much or too little is told.
#[test]
fn copies_are_compared_and_never_preferred() {
    let stale = ARRAY_V2.replace("[4, 4], \"chunks\"", "[4, 9], \"chunks\"");
    let copies = format!(
        r#"{{"zarr_consolidated_format": 1, "metadata": {{".zgroup": {{"zarr_format": 2,
            "consolidated_metadata": null}}, "g/.zgroup": {GROUP_V2}, "g/a/.zarray": {stale},
            "g/a/.zattrs": {{"old": 1}}, "g/gone/.zarray": {ARRAY_V2}, "same/.zarray": {ARRAY_V2}}}}}"#
    );
    let folder = store(&[
        (".zgroup", GROUP_V2),
        (".zmetadata", &copies),
        ("g/.zgroup", GROUP_V2),
        ("g/a/.zarray", ARRAY_V2),
        ("g/new/.zarray", ARRAY_V2),
        ("same/.zarray", ARRAY_V2),
    ]);
    assert_eq!(
        tree(folder.path()),
        "/ group V2\n  /g group V2\n    /g/a array V2 consolidated-differs consolidated-differs\n    \
         /g/gone array V2 consolidated-only\n    /g/new array V2 consolidated-missing\n  /same array V2\n"
    );
    let (hierarchy, _) = Hierarchy::open(folder.path()).unwrap();
    assert_eq!(hierarchy.node(&NodePath::default()).consolidated, Some(Format::V2));
    let node = hierarchy.node(&NodePath("g/a".into()));
    let shown: Vec<_> = node.problems.iter().map(|problem| problem.error.to_string()).collect();
    insta::assert_snapshot!(shown.join("\n"));
    // The offset leads to the copy of the member itself.
    let at = usize::try_from(node.problems[0].error.place.offset.unwrap()).unwrap();
    assert!(copies.get(at..).unwrap().starts_with("[4, 9]"), "{at}");
}

#[test]
fn v3_copies_are_inside_the_group() {
    let copy = ARRAY_V3.replace("\"shape\": [4]", "\"shape\": [40]");
    let root = format!(
        r#"{{"zarr_format": 3, "node_type": "group", "consolidated_metadata": {{"kind": "inline",
            "must_understand": false, "metadata": {{"a": {copy}, "b/c": {ARRAY_V3}}}}}}}"#
    );
    let folder =
        store(&[("zarr.json", &root), ("a/zarr.json", ARRAY_V3), ("b/zarr.json", GROUP_V3)]);
    assert_eq!(
        tree(folder.path()),
        "/ group V3\n  /a array V3 consolidated-differs\n  /b group V3 consolidated-missing\n    \
         /b/c array V3 consolidated-only\n"
    );
}

#[test]
fn what_changes_or_vanishes_is_seen_at_the_next_look() {
    let folder = store(&[
        ("zarr.json", GROUP_V3),
        ("a/zarr.json", ARRAY_V3),
        ("b/zarr.json", "{\n\"x\": }"),
    ]);
    let (hierarchy, root) = Hierarchy::open(folder.path()).unwrap();
    let look = |path: &str| describe(&hierarchy.node(&NodePath(path.into())));
    assert_eq!(look("a"), "/a array V3");
    assert_eq!(
        look("b"),
        "/b broken: b/zarr.json, byte 7: '}' at line 2, column 6: expected a JSON value"
    );
    fs::write(folder.path().join("a/zarr.json"), GROUP_V3).unwrap();
    assert_eq!(look("a"), "/a group V3");
    fs::remove_dir_all(folder.path().join("a")).unwrap();
    assert_eq!(look("a"), "/a broken: a: Nothing is stored under this path.");
    fs::remove_dir_all(folder.path()).unwrap();
    assert_eq!(hierarchy.children(&root.node).unwrap().len(), 0);
}

#[test]
fn paths_go_on_inside_an_archive() {
    let archive = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus/zarr3.zip");
    let target = |inside: &str| Hierarchy::open(&archive.join(inside)).map(|(_, target)| target);
    assert_eq!(target("deep/b").unwrap().node.0, "deep/b");
    assert_eq!(target("deep").unwrap().node.0, "deep");
    let chunk = target("deep/b/c/3").unwrap();
    assert_eq!((chunk.node.0.as_str(), chunk.chunk.unwrap().coordinates), ("deep/b", vec![3]));
    assert_eq!(target("nowhere").unwrap_err().code, Code::NoSuchPlace);
    assert_eq!(target("deep/b/nothing").unwrap_err().code, Code::NoSuchPlace);
}

#[test]
fn a_document_that_says_nothing_usable_is_still_there_to_look_at() {
    let folder = store(&[("a/zarr.json", "{\"zarr_format\": 3,,}"), ("b/zarr.json", "{}")]);
    let (hierarchy, _) = Hierarchy::open(folder.path()).unwrap();
    for (name, text) in [("a", "{\"zarr_format\": 3,,}"), ("b", "{}")] {
        let node = hierarchy.node(&NodePath(name.into()));
        assert!(matches!(node.kind, NodeKind::Broken(_)), "{name}");
        let texts: Vec<_> = node.unreadable.iter().map(|raw| raw.bytes.to_vec()).collect();
        assert_eq!(texts, [text.as_bytes()]);
    }
}

#[test]
fn a_node_that_only_consolidated_metadata_tell_of_opens_by_its_path() {
    let folder =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("sample-stores/pairs/consolidated-only/fault");
    let (hierarchy, target) = Hierarchy::open(&folder.join("a")).unwrap();
    assert_eq!(target.node.0, "a");
    assert!(matches!(hierarchy.node(&target.node).kind, NodeKind::Array(_)));
    for nothing in ["b", "a/b", "a/../a"] {
        assert_eq!(Hierarchy::open(&folder.join(nothing)).unwrap_err().code, Code::Io, "{nothing}");
    }
}

/// The faults of the document that is not in use are told as well, and none is made up.
#[test]
fn the_faults_of_both_documents_are_told_and_neither_is_made_up() {
    let v2 = ARRAY_V2.replace("<i4", "<q9");
    let folder = store(&[("zarr.json", ARRAY_V3), (".zarray", &v2)]);
    let (hierarchy, _) = Hierarchy::open(folder.path()).unwrap();
    let node = hierarchy.node(&NodePath::default());
    let codes: Vec<_> = node.all_problems().map(|problem| problem.error.code).collect();
    assert_eq!(codes, [Code::BothFormats, Code::UnknownDataType]);
    let array = node.kind.array().unwrap();
    let spelling = of_node(array, node.other.as_deref());
    let explanation = explain(&spelling.rows[0], &Subject::of_array(array));
    let anatomy: Vec<_> = explanation.anatomy.iter().map(|row| row.value.as_str()).collect();
    assert_eq!(anatomy, ["\"int32\"", "4 bytes, signed integer"]);
    assert!(explanation.rule.ends_with("V3, the document in use."), "{}", explanation.rule);
}

/// The chunks of a rectilinear grid have no one shape: that of the first is not said to be that of all.
#[test]
fn lengths_that_vary_are_no_chunk_shape() {
    let words = |grid: &str| {
        let folder = store(&[(
            "zarr.json",
            &ARRAY_V3
                .replace(r#"{"name": "regular", "configuration": {"chunk_shape": [2]}}"#, grid),
        )]);
        let (hierarchy, _) = Hierarchy::open(folder.path()).unwrap();
        chunk_shape_words(hierarchy.node(&NodePath::default()).kind.array().unwrap())
    };
    assert_eq!(words(r#"{"name": "regular", "configuration": {"chunk_shape": [3]}}"#), "3");
    let varying =
        r#"{"name": "rectilinear", "configuration": {"kind": "inline", "chunk_shapes": [[1, 3]]}}"#;
    assert_eq!(words(varying), "rectilinear: lengths vary");
}
