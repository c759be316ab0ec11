//! Folders and archives as stores, hostile ones included; and which chunks lie in them.

use std::{
    fs,
    io::Write,
    ops::Range,
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};
use zarrscope::zarr::{
    Code, Hierarchy, NodePath, Result,
    grid::KeyEncoding,
    hierarchy::NodeKind,
    presence::{Layout, Sighting},
    store::{self, DirectoryStore, Entry, Stat, Store, ZipStore},
};
use zip::{CompressionMethod, ZipWriter, write::SimpleFileOptions};

fn zip(path: &Path, members: &[(&str, CompressionMethod, &[u8])]) {
    let mut writer = ZipWriter::new(fs::File::create(path).unwrap());
    for (name, method, bytes) in members {
        let options = SimpleFileOptions::default().compression_method(*method);
        writer.start_file(*name, options).unwrap();
        writer.write_all(bytes).unwrap();
    }
    writer.finish().unwrap();
}

const GROUP: &[u8] = br#"{"zarr_format": 2}"#;
const ARRAY: &[u8] = br#"{"zarr_format": 2, "shape": [4, 4], "chunks": [2, 2], "dtype": "|u1",
    "compressor": null, "fill_value": 0, "order": "C", "filters": null}"#;

#[test]
fn stored_and_deflated_members_read_alike() {
    use CompressionMethod::{Deflated, Stored};
    let folder = crate::scratch();
    let path = folder.path().join("wrapped.zip");
    let long: Vec<u8> = (0..100_000_u32).flat_map(u32::to_le_bytes).collect();
    zip(
        &path,
        &[
            ("data/s.zarr/.zgroup", Stored, GROUP),
            ("data/s.zarr/a/.zarray", Deflated, ARRAY),
            ("data/s.zarr/a/0.0", Stored, b"abcd"),
            ("data/s.zarr/a/0.1", Deflated, &long),
            ("data/s.zarr/ab/.zgroup", Stored, GROUP),
            ("__MACOSX/data/x", Stored, b"x"),
        ],
    );
    let store = store::open(&path).unwrap();
    let names = |prefix: &str| -> Vec<_> {
        store.list(prefix).unwrap().into_iter().map(|e| (e.name, e.is_folder)).collect()
    };
    let folders = [(".zgroup".into(), false), ("a".into(), true), ("ab".into(), true)];
    assert_eq!(names(""), folders, "ab is not in a");
    assert_eq!(names("a").len(), 3);
    assert_eq!(names("nowhere"), []);
    assert_eq!(store.read_range("a/0.0", 1..3).unwrap(), Some(b"bc".to_vec()));
    assert_eq!(store.read_range("a/0.0", 3..99).unwrap(), Some(b"d".to_vec()));
    assert_eq!(store.read_range("a/0.0", 9..99).unwrap(), Some(Vec::new()));
    assert_eq!(store.read("a/0.1", 1 << 20).unwrap(), Some(long.clone()));
    assert_eq!(store.read_range("a/0.1", 8..12).unwrap(), Some(long[8..12].to_vec()));
    assert_eq!(store.read("a/0.1", 1000).unwrap_err().code, Code::TooLarge);
    assert_eq!(store.stat("a/0.1").unwrap().unwrap().len, 400_000);
    assert_eq!(store.read("a", 9).unwrap(), None);
    let (hierarchy, target) = Hierarchy::open(&path).unwrap();
    let children = hierarchy.children(&target.node).unwrap();
    assert!(matches!(children[0].kind, NodeKind::Array(_)));
}

#[test]
fn archives_that_lie_are_messages() {
    use CompressionMethod::{Deflated, Stored};
    let folder = crate::scratch();
    let path = folder.path().join("a.zip");
    let zeros = vec![0; 1 << 20];
    let members: [(&str, CompressionMethod, &[u8]); 3] =
        [("zeros", Deflated, &zeros), ("../../outside", Stored, b"x"), ("x/y", Stored, b"hello")];
    zip(&path, &members);
    let sound = fs::read(&path).unwrap();
    let entry = sound.windows(4).position(|w| w == b"PK\x01\x02").unwrap();
    let mut bomb = sound.clone();
    // The table of contents promises 16 bytes for what inflates to a mebibyte.
    bomb[entry + 24..entry + 28].copy_from_slice(&16_u32.to_le_bytes());
    fs::write(&path, &bomb).unwrap();
    let store = ZipStore::open(&path).unwrap();
    assert_eq!(store.read("zeros", 1 << 30).unwrap_err().code, Code::ZipChecksum);
    assert!(store.list("").unwrap().iter().all(|entry| entry.name != ".."));
    let mut huge = sound.clone();
    huge[entry + 24..entry + 28].copy_from_slice(&0xffff_fff0_u32.to_le_bytes());
    fs::write(&path, &huge).unwrap();
    let store = ZipStore::open(&path).unwrap();
    assert_eq!(store.read("zeros", u64::MAX).unwrap_err().code, Code::ZipMember);
    let mut flipped = sound.clone();
    let hello = flipped.windows(5).position(|w| w == b"hello").unwrap();
    flipped[hello] ^= 1;
    fs::write(&path, &flipped).unwrap();
    assert_eq!(ZipStore::open(&path).unwrap().read("x/y", 9).unwrap_err().code, Code::ZipChecksum);
    fs::write(&path, b"no archive").unwrap();
    assert_eq!(store::open(&path).unwrap_err().code, Code::NotAZip);
    for cut in 0..sound.len() {
        fs::write(&path, &sound[..cut]).unwrap();
        if let Ok(store) = ZipStore::open(&path) {
            let _ = store.read("x/y", 1 << 30);
        }
    }
}

#[test]
fn members_that_are_encrypted_or_have_no_header_are_refused() {
    let folder = crate::scratch();
    let path = folder.path().join("a.zip");
    zip(&path, &[("x", CompressionMethod::Stored, b"hello")]);
    let sound = fs::read(&path).unwrap();
    let refused = |at: usize, byte: u8| {
        let mut bytes = sound.clone();
        bytes[at] = byte;
        fs::write(&path, &bytes).unwrap();
        ZipStore::open(&path).unwrap().read("x", 9).unwrap_err()
    };
    let listed = sound.windows(4).position(|w| w == b"PK\x01\x02").unwrap();
    assert!(refused(listed + 8, 1).to_string().contains("encrypted"));
    assert_eq!(refused(0, b'Q').code, Code::ZipMember);
}

#[test]
fn keys_stay_inside_the_folder() {
    let folder = crate::scratch();
    fs::create_dir(folder.path().join("s")).unwrap();
    fs::write(folder.path().join("secret"), "x").unwrap();
    let store = DirectoryStore::new(folder.path().join("s"));
    for key in ["../secret", "..", "a/../../secret", "/etc/hostname", "./x", "a//b", "\0", "."] {
        assert_eq!(store.read(key, 99).unwrap(), None, "{key:?}");
        assert_eq!(store.list(key).unwrap(), [], "{key:?}");
    }
    let long = "x".repeat(5000);
    assert_eq!(store.read(&long, 99).unwrap(), None);
}

#[cfg(unix)]
#[test]
fn what_is_no_file_is_never_opened_and_names_that_are_no_text_are_seen() {
    use std::{ffi::OsStr, os::unix::ffi::OsStrExt};
    let folder = crate::scratch();
    fs::write(folder.path().join(".zgroup"), GROUP).unwrap();
    fs::create_dir(folder.path().join(OsStr::from_bytes(b"bad\xff\x1bname"))).unwrap();
    std::os::unix::fs::symlink("/dev/zero", folder.path().join("zero")).unwrap();
    std::os::unix::fs::symlink(".", folder.path().join("loop")).unwrap();
    let store = DirectoryStore::new(folder.path());
    let names: Vec<_> = store.list("").unwrap().into_iter().map(|entry| entry.name).collect();
    assert_eq!(names, [".zgroup", "bad\\xff␛name", "loop", "zero"]);
    assert_eq!(store.read("zero", 10).unwrap_err().code, Code::NotAFile);
    let (hierarchy, target) = Hierarchy::open(folder.path()).unwrap();
    let mut nodes = 0;
    hierarchy.walk(&target.node, &mut |_, _| {
        nodes += 1;
        true
    });
    assert!(nodes < 50, "{nodes} nodes through a link to the folder itself");
}

/// An array of 40×25×1 chunks, or of any shape, in a folder.
fn layout(counts: &[u64], encoding: KeyEncoding) -> Layout {
    Layout { path: NodePath("a".into()), encoding, counts: counts.to_vec() }
}

fn touch(folder: &Path, keys: impl IntoIterator<Item = String>) {
    for key in keys {
        let path = folder.join("a").join(key);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::File::create(path).unwrap();
    }
}

#[test]
fn every_stored_chunk_is_seen_and_the_rest_is_told_apart() {
    for encoding in [
        KeyEncoding::Default { separator: '/' },
        KeyEncoding::Default { separator: '.' },
        KeyEncoding::V2 { separator: '.' },
        KeyEncoding::V2 { separator: '/' },
    ] {
        let folder = crate::scratch();
        let chunks = [[0, 0, 0], [1, 2, 3], [2, 0, 1], [3, 0, 0]];
        touch(folder.path(), chunks.iter().map(|at| encoding.key(at)));
        touch(folder.path(), [".zarray".into(), ".DS_Store".into(), "deep/er/0.0.0".into()]);
        let mut seen = Vec::new();
        let store = DirectoryStore::new(folder.path());
        let layout = layout(&[3, 3, 4], encoding.clone());
        layout
            .visit(&store, &mut |sighting| {
                seen.push(format!("{sighting:?}"));
                true
            })
            .unwrap();
        seen.sort();
        assert_eq!(
            seen,
            [
                "Chunk([0, 0, 0])",
                "Chunk([1, 2, 3])",
                "Chunk([2, 0, 1])",
                "Foreign { key: \"a/.DS_Store\", is_folder: false }",
                "Foreign { key: \"a/deep\", is_folder: true }",
                "Orphan([3, 0, 0])",
            ],
            "{encoding:?}"
        );
    }
}

#[test]
fn a_folder_in_the_place_of_a_chunk_is_none() {
    let folder = crate::scratch();
    touch(folder.path(), ["c/0/1/5".into()]);
    let mut seen = Vec::new();
    let layout = layout(&[3, 3], KeyEncoding::Default { separator: '/' });
    let listed = layout.visit(&DirectoryStore::new(folder.path()), &mut |sighting| {
        seen.push(sighting);
        true
    });
    assert!(listed.is_ok());
    assert_eq!(seen, [Sighting::Foreign { key: "a/c/0/1".into(), is_folder: true }]);
}

#[test]
fn a_wrong_separator_is_found_out() {
    let folder = crate::scratch();
    let nested = KeyEncoding::V2 { separator: '/' };
    touch(folder.path(), (0..8).map(|at| nested.key(&[at, 0])));
    let store = DirectoryStore::new(folder.path());
    let found = layout(&[8, 1], KeyEncoding::V2 { separator: '.' }).diagnose(&store, 100).unwrap();
    assert_eq!((found.declared, found.elsewhere), (0, vec![(nested.clone(), 8)]));
    let found = layout(&[8, 1], nested).diagnose(&store, 100).unwrap();
    assert_eq!((found.declared, found.elsewhere), (8, vec![]));
}

#[test]
fn a_listing_stops_when_it_is_told_to() {
    let folder = crate::scratch();
    let encoding = KeyEncoding::Default { separator: '/' };
    touch(folder.path(), (0..30).map(|at| encoding.key(&[at / 6, at % 6])));
    let mut seen = 0;
    layout(&[5, 6], encoding)
        .visit(&DirectoryStore::new(folder.path()), &mut |_: Sighting| {
            seen += 1;
            seen < 7
        })
        .unwrap();
    assert_eq!(seen, 7);
}

/// A store that counts what is asked of it.
#[derive(Debug)]
struct CountingStore(DirectoryStore, Arc<AtomicU64>);

impl Store for CountingStore {
    fn read(&self, key: &str, limit: u64) -> Result<Option<Vec<u8>>> {
        self.1.fetch_add(1, Ordering::Relaxed);
        self.0.read(key, limit)
    }

    fn read_range(&self, key: &str, range: Range<u64>) -> Result<Option<Vec<u8>>> {
        self.1.fetch_add(1, Ordering::Relaxed);
        self.0.read_range(key, range)
    }

    fn stat(&self, key: &str) -> Result<Option<Stat>> {
        self.1.fetch_add(1, Ordering::Relaxed);
        self.0.stat(key)
    }

    fn list(&self, prefix: &str) -> Result<Vec<Entry>> {
        self.1.fetch_add(1, Ordering::Relaxed);
        self.0.list(prefix)
    }

    fn name(&self) -> String {
        self.0.name()
    }
}

/// No work looks at all the others for each key or node. How long it takes is measured by `cargo bench --bench frame`.
#[test]
fn large_folders_and_large_trees_ask_little_of_the_store() {
    let folder = crate::scratch();
    let encoding = KeyEncoding::V2 { separator: '.' };
    touch(folder.path(), (0..20_000).map(|at| encoding.key(&[at / 200, at % 200])));
    let asked = Arc::new(AtomicU64::new(0));
    let store = CountingStore(DirectoryStore::new(folder.path()), Arc::clone(&asked));
    let mut seen = 0;
    let counted = layout(&[100, 200], encoding).visit(&store, &mut |_| {
        seen += 1;
        true
    });
    assert!(counted.is_ok() && seen == 20_000);
    assert!(asked.swap(0, Ordering::Relaxed) < 100);
    for node in 0..500 {
        let path = folder.path().join(format!("g{}/n{node}", node % 10));
        fs::create_dir_all(&path).unwrap();
        fs::write(path.join(".zarray"), ARRAY).unwrap();
    }
    let hierarchy = Hierarchy::new(Arc::new(store), Arc::default());
    let mut nodes = 0;
    hierarchy.walk(&NodePath::default(), &mut |_, _| {
        nodes += 1;
        true
    });
    assert_eq!(nodes, 511);
    let asked = asked.load(Ordering::Relaxed);
    assert!(asked < 511 * 8, "{asked} questions for 511 nodes");
}
