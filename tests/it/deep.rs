//! Hierarchies that are deep, wide or lead back to themselves: everything ends, and what was not looked at is told.

use crate::cli::run;
use std::{
    fs,
    io::{Cursor, Write},
    ops::Range,
    path::{Path, PathBuf},
    sync::Arc,
};
use tempfile::TempDir;
use zarrscope::zarr::{
    Code, Hierarchy, NodePath, Registry, Result,
    error::Error,
    hierarchy::NodeKind,
    store::{Entry, Stat, Store},
};

const GROUP: &str = r#"{"zarr_format":3,"node_type":"group","attributes":{}}"#;

/// A store in which each group `g` holds another one, so many levels down.
#[derive(Debug)]
struct Nested(usize);

impl Nested {
    fn level(&self, path: &str) -> Option<usize> {
        // By the length alone: a look at every letter of every path would take longer than the walk.
        let level = path.trim_end_matches('/').len().div_ceil(2);
        (level <= self.0 && (level == 0 || path.starts_with('g'))).then_some(level)
    }
}

impl Store for Nested {
    fn read(&self, key: &str, _limit: u64) -> Result<Option<Vec<u8>>> {
        let group = key.strip_suffix("zarr.json").and_then(|path| self.level(path));
        Ok(group.map(|_| GROUP.into()))
    }

    fn read_range(&self, key: &str, _range: Range<u64>) -> Result<Option<Vec<u8>>> {
        self.read(key, 0)
    }

    fn stat(&self, key: &str) -> Result<Option<Stat>> {
        Ok(self.read(key, 0)?.map(|bytes| Stat {
            len: bytes.len() as u64,
            modified: None,
            etag: None,
        }))
    }

    fn list(&self, prefix: &str) -> Result<Vec<Entry>> {
        let level = self.level(prefix).filter(|&level| level < self.0);
        Ok(level
            .map(|_| Entry { name: "g".into(), is_folder: true, is_link: false })
            .into_iter()
            .collect())
    }

    fn name(&self) -> String {
        "nested".into()
    }
}

/// The number of nodes that a walk through so many levels finds, and what it could not look at.
fn walk(levels: usize) -> (usize, Vec<Error>) {
    let hierarchy = Hierarchy::new(Arc::new(Nested(levels)), Arc::new(Registry::default()));
    let (mut nodes, mut errors) = (0, Vec::new());
    hierarchy.walk_from(hierarchy.node(&NodePath::default()), &mut |step| {
        match step {
            Ok(_) => nodes += 1,
            Err((_, error)) => errors.push(error),
        }
        true
    });
    (nodes, errors)
}

#[test]
fn a_walk_goes_deep_and_says_where_it_ends() {
    assert_eq!(walk(2000), (2001, Vec::new()));
    let (nodes, errors) = walk(10_050);
    assert_eq!(nodes, 10_001);
    let [error] = errors.as_slice() else { panic!("{errors:?}") };
    assert_eq!(error.code, Code::NestedTooDeep);
    assert_eq!(error.place.file.as_ref().unwrap().len(), 2 * 10_000 - 1);
}

/// Five hundred groups, one in the other, are one line each.
#[test]
fn a_tree_costs_what_it_shows() {
    let folder = crate::scratch();
    let mut path = folder.path().to_owned();
    for _ in 0..500 {
        fs::write(path.join("zarr.json"), GROUP).unwrap();
        path.push("g");
        fs::create_dir(&path).unwrap();
    }
    let ran = run(&["tree", folder.path().to_str().unwrap()]);
    assert_eq!((ran.code, ran.out.lines().count()), (0, 500));
    let json = run(&["tree", "--json", folder.path().to_str().unwrap()]);
    assert_eq!(json.code, 0);
}

/// Each of eight folders links to all others: without a memory of what was seen, 8! paths lead through them.
#[test]
#[cfg(unix)]
fn a_folder_is_gone_through_once_however_many_links_lead_to_it() {
    let folder = crate::scratch();
    let names: Vec<_> = (0..8).map(|n| n.to_string()).collect();
    for name in &names {
        let group = folder.path().join(name);
        fs::create_dir(&group).unwrap();
        fs::write(group.join("zarr.json"), GROUP).unwrap();
        for other in names.iter().filter(|other| *other != name) {
            std::os::unix::fs::symlink(Path::new("..").join(other), group.join(other)).unwrap();
        }
    }
    let path = folder.path().to_str().unwrap();
    let tree = run(&["tree", path]);
    assert_eq!(tree.code, 0, "{}", tree.err);
    assert!(tree.out.lines().count() < 150, "{}", tree.out);
    assert!(tree.out.contains("the same folder as"), "{}", tree.out);
    let check = run(&["check", path]);
    assert_eq!(check.code, 0);
    assert!(check.out.contains("linked-folder"), "{}", check.out);
}

/// A store that may not be entered below `closed`.
#[derive(Debug)]
struct Closed;

impl Closed {
    fn refuse<T>(key: &str) -> Result<Option<T>> {
        let denied = std::io::ErrorKind::PermissionDenied.into();
        if key.starts_with("closed/") { Err(Error::io(key, &denied)) } else { Ok(None) }
    }
}

impl Store for Closed {
    fn read(&self, key: &str, _limit: u64) -> Result<Option<Vec<u8>>> {
        if key == "zarr.json" { Ok(Some(GROUP.into())) } else { Self::refuse(key) }
    }

    fn read_range(&self, key: &str, _range: Range<u64>) -> Result<Option<Vec<u8>>> {
        Self::refuse(key)
    }

    fn stat(&self, key: &str) -> Result<Option<Stat>> {
        Self::refuse(key)
    }

    fn list(&self, prefix: &str) -> Result<Vec<Entry>> {
        let entry = |name: &str, is_folder| Entry { name: name.into(), is_folder, is_link: false };
        Ok(match prefix {
            "" => vec![entry("closed", true), entry("zarr.json", false)],
            _ => Vec::new(),
        })
    }

    fn name(&self) -> String {
        "closed".into()
    }
}

#[test]
fn a_folder_that_cannot_be_entered_is_told_as_such() {
    let hierarchy = Hierarchy::new(Arc::new(Closed), Arc::new(Registry::default()));
    let node = hierarchy.node(&NodePath("closed".into()));
    let NodeKind::Broken(error) = &node.kind else { panic!("{node:?}") };
    assert!(error.fix.as_ref().unwrap().contains("chmod u+x"), "{error}");
    assert!(node.problems.is_empty() && node.other.is_none(), "no advice to remove: {node:?}");
    let open = hierarchy.node(&NodePath(String::new()));
    assert!(matches!(open.kind, NodeKind::Group(_)) && open.problems.is_empty(), "{open:?}");
}

/// Nothing goes through chunks without a length: not the values, not the file, not the check.
#[test]
fn chunks_of_length_zero_are_refused_before_anything_goes_through_them() {
    let folder = crate::scratch();
    let document = format!(
        r#"{{"zarr_format":3,"node_type":"array","shape":[{}],"data_type":"int16","fill_value":0,"attributes":{{}},
        "chunk_grid":{{"name":"regular","configuration":{{"chunk_shape":[0]}}}},
        "chunk_key_encoding":{{"name":"default","configuration":{{"separator":"/"}}}},
        "codecs":[{{"name":"bytes","configuration":{{"endian":"little"}}}}]}}"#,
        1_u64 << 62
    );
    fs::write(folder.path().join("zarr.json"), document).unwrap();
    let path = folder.path().to_str().unwrap();
    for arguments in [&["export", path][..], &["export", path, "-o", "-"]] {
        let ran = run(arguments);
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{arguments:?}");
        assert!(ran.err.contains("chunk length of 1 or more"), "{}", ran.err);
    }
    assert_eq!(run(&["check", path]).code, 1);
}

/// A zip store whose members are stored, changed by `damage` after it was written.
fn zipped(names: &[(&str, &[u8])], damage: impl FnOnce(&mut Vec<u8>)) -> (TempDir, PathBuf) {
    let folder = crate::scratch();
    let path = folder.path().join("store.zip");
    let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
    let options =
        zip::write::SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored);
    for (name, bytes) in names {
        zip.start_file(*name, options).unwrap();
        zip.write_all(bytes).unwrap();
    }
    let mut bytes = zip.finish().unwrap().into_inner();
    damage(&mut bytes);
    fs::write(&path, bytes).unwrap();
    (folder, path)
}

const INT16: &str = r#"{"zarr_format":3,"node_type":"array","shape":[4],"data_type":"int16","fill_value":0,
    "chunk_grid":{"name":"regular","configuration":{"chunk_shape":[4]}},"attributes":{},
    "chunk_key_encoding":{"name":"default","configuration":{"separator":"/"}},
    "codecs":[{"name":"bytes","configuration":{"endian":"little"}}]}"#;

#[test]
fn the_checksum_of_a_zip_member_is_held_against_its_chunk() {
    let members: [(&str, &[u8]); 2] = [("zarr.json", INT16.as_bytes()), ("c/0", b"ABCDEFGH")];
    let flip = |bytes: &mut Vec<u8>| {
        let at = bytes.windows(8).position(|eight| eight == b"ABCDEFGH").unwrap();
        bytes[at] ^= 1;
    };
    let (_sound, path) = zipped(&members, |_| ());
    assert_eq!(run(&["check", path.to_str().unwrap()]).code, 0);
    let (_damaged, path) = zipped(&members, flip);
    let ran = run(&["check", path.to_str().unwrap()]);
    assert_eq!(ran.code, 1, "{}", ran.out);
    assert!(ran.out.contains("zip-checksum") && ran.out.contains("c/0"), "{}", ran.out);
    // What is stored can be looked at all the same.
    let ran = run(&["chunk", path.to_str().unwrap(), "0", "--hex", "--stage", "0"]);
    assert!(ran.out.contains("4042 4344") || ran.out.contains("40 42 43 44"), "{}", ran.out);
}

#[test]
fn members_that_no_reader_sees_are_told() {
    let members: [(&str, &[u8]); 4] =
        [("zarr.json", INT16.as_bytes()), ("c/0", b"ABCDEFGH"), ("../evil", b"x"), ("/root", b"y")];
    let (_folder, path) = zipped(&members, |_| ());
    let ran = run(&["check", path.to_str().unwrap()]);
    assert_eq!(ran.out.matches("zip-name").count(), 2, "{}", ran.out);
    assert!(ran.out.contains("../evil") && ran.out.contains("/root"), "{}", ran.out);
    let (_clean, path) = zipped(&members[..2], |_| ());
    let ran = run(&["check", path.to_str().unwrap()]);
    assert!(ran.code == 0 && !ran.out.contains("zip-name"), "{}", ran.out);
}

#[test]
#[cfg(unix)]
fn a_document_that_is_not_there_is_told() {
    let folder = crate::scratch();
    let array = |name: &str| {
        let path = folder.path().join(name);
        fs::create_dir(&path).unwrap();
        path
    };
    std::os::unix::fs::symlink(".git/annex/objects/x", array("annexed").join(".zarray")).unwrap();
    fs::create_dir(array("folder").join("zarr.json")).unwrap();
    let cut = array("cut");
    fs::write(cut.join(".zgroup"), r#"{"zarr_format":2}"#).unwrap();
    fs::write(cut.join(".zmetadata"), r#"{"metadata":{".zgroup":{"zarr_for"#).unwrap();
    let ran = run(&["check", folder.path().to_str().unwrap()]);
    assert_eq!(ran.code, 1);
    for (what, place) in [
        ("dangling-link", "annexed/.zarray"),
        ("not-a-file", "folder/zarr.json"),
        ("invalid-json", "cut/.zmetadata"),
    ] {
        assert!(ran.out.contains(what) && ran.out.contains(place), "{what}: {}", ran.out);
    }
    assert!(ran.out.contains("Not checked: anything below 2 nodes"), "{}", ran.out);
    // The same with each document there, the first by a link still.
    let annexed = folder.path().join("annexed");
    fs::create_dir_all(annexed.join(".git/annex/objects")).unwrap();
    let document = r#"{"zarr_format":2,"shape":[0],"chunks":[1],"dtype":"<i2","compressor":null,"fill_value":0,
        "order":"C","filters":null}"#;
    fs::write(annexed.join(".git/annex/objects/x"), document).unwrap();
    fs::remove_dir(folder.path().join("folder/zarr.json")).unwrap();
    fs::write(folder.path().join("folder/zarr.json"), GROUP).unwrap();
    let whole = r#"{"zarr_consolidated_format":1,"metadata":{".zgroup":{"zarr_format":2}}}"#;
    fs::write(cut.join(".zmetadata"), whole).unwrap();
    let clean = run(&["check", folder.path().to_str().unwrap()]);
    assert!(clean.code == 0 && !clean.out.contains("Not checked"), "{}", clean.out);
}

/// Paths longer than the system takes were taken for empty folders, and nothing was said of what is in them.
#[test]
#[cfg(target_os = "linux")]
fn what_lies_deeper_than_paths_may_be_long_is_told() {
    let folder = crate::scratch();
    let (upper, lower) = (folder.path().join("a"), folder.path().join("b"));
    let levels = |root: &Path| {
        let mut path = root.to_owned();
        for _ in 0..12 {
            fs::create_dir(&path).unwrap();
            fs::write(path.join("zarr.json"), GROUP).unwrap();
            path.push("g".repeat(200));
        }
        path
    };
    let (deepest, _) = (levels(&upper), levels(&lower));
    let clean = run(&["check", upper.to_str().unwrap()]);
    assert!(clean.code == 0 && !clean.out.contains("Not checked"), "{}", clean.out);
    fs::rename(lower, deepest).unwrap();
    let ran = run(&["check", upper.to_str().unwrap()]);
    assert_eq!(ran.code, 1, "{}", ran.out);
    let last = ran.out.lines().last().unwrap();
    assert!(last.starts_with("Not checked: anything below 1 node"), "{last}");
}
