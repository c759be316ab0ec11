//! The findings of `check`: in the sample stores, and in defects planted one by one.

use crate::cli::run;
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
    Budget, Hierarchy, NodePath, Problem, Registry, Result,
    check::{CheckOptions, Event, Spread, Summary, check},
    store::{DirectoryStore, Entry, MemoryStore, Stat, Store},
};

/// Everything that is found at `path`, each as `node: severity code: text`, and the summary.
fn found(path: &Path, metadata_only: bool) -> (Vec<String>, Summary) {
    let (hierarchy, target) = Hierarchy::open(path).unwrap();
    let options = CheckOptions { metadata_only, ..CheckOptions::default() };
    let mut lines = Vec::new();
    let summary = check(&hierarchy, &target.node, &options, &mut |event| {
        if let Event::Problem(NodePath(path), Problem { severity, error, .. }) = event {
            lines.push(format!("{path}: {} {}: {error}", severity.word(), error.code));
        }
    });
    lines.sort();
    (lines, summary)
}

fn sample(name: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("sample-stores").join(name)
}

#[test]
fn every_fault_of_the_broken_samples_is_told() {
    let (lines, _) = found(&sample("broken"), false);
    insta::assert_snapshot!(lines.join("\n"));
}

/// For each finding of `sample-stores/pairs` there is a store with it, and a twin without any.
#[test]
fn of_each_pair_one_has_the_finding_and_its_twin_has_none() {
    let mut pairs = 0;
    for entry in fs::read_dir(sample("pairs")).unwrap() {
        let folder = entry.unwrap().path();
        let name = folder.file_name().unwrap().to_str().unwrap();
        let code = name.split('.').next().unwrap();
        let lines = |kind: &str| {
            let zip = folder.join(format!("{kind}.zip"));
            found(&if zip.exists() { zip } else { folder.join(kind) }, false).0
        };
        let fault = lines("fault");
        let is_told = fault.iter().any(|line| line.contains(&format!(" {code}: ")));
        assert!(is_told, "{name}: {fault:#?}");
        assert_eq!(lines("clean"), [""; 0], "{name}");
        pairs += 1;
    }
    assert!(pairs > 25, "{pairs}");
}

#[test]
fn the_work_of_trying_fixes_is_counted() {
    let trials = |store: &str| found(&sample(store), false).1.trials;
    assert!(trials("byte-order/liar") > 0);
    assert_eq!(trials("ocean"), 0);
}

/// Nothing in these is wrong, and nothing may be called so; the liar lies about its byte order.
#[test]
fn sound_samples_have_no_errors() {
    let mut all = Vec::new();
    for store in ["ocean", "ocean-v2", "byte-order", "dtypes-v2", "dtypes-v3"] {
        let (lines, mut summary) = found(&sample(store), false);
        // What a pass costs changes with every hypothesis, and is held by the tests of the budget.
        (summary.work, summary.trials) = (0, 0);
        all.push(format!("== {store}: {summary:?}"));
        all.extend(lines.into_iter().filter(|line| !line.contains(": note ")));
    }
    insta::assert_snapshot!(all.join("\n"));
}

const V2: &str = r#"{"zarr_format": 2, "shape": [4], "chunks": [2], "dtype": "DTYPE", "compressor": null,
    "fill_value": FILL, "order": "C", "filters": null}"#;
const V3: &str = r#"{"zarr_format": 3, "node_type": "array", "shape": [4], "data_type": "float32",
    "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [2]}},
    "chunk_key_encoding": {"name": "default"}, "fill_value": FILL,
    "codecs": [{"name": "bytes", "configuration": {"endian": "little"}}]}"#;

/// Keys and what is under them.
type Files<'a> = &'a [(&'a str, &'a [u8])];

fn planted(files: Files<'_>, metadata_only: bool) -> Vec<String> {
    let folder = crate::scratch();
    for (key, bytes) in files {
        let path = folder.path().join(key);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }
    found(folder.path(), metadata_only).0
}

/// The defects of PEERS.md 2b that the samples do not have; most need no look into a chunk.
#[test]
fn defects_that_are_silent_elsewhere_are_told() {
    let v2 = |dtype: &str, fill: &str| V2.replace("DTYPE", dtype).replace("FILL", fill);
    let v3 = |fill: &str| V3.replace("FILL", fill);
    let full: [(&str, &[u8]); 2] = [("0", &[0; 4]), ("1", &[0; 4])];
    let cases: [(&str, &str, String, Files<'_>); 8] = [
        ("V3 bare NaN", "bare-nan", v3("NaN"), &[("c/0", &[0; 8]), ("c/1", &[0; 8])]),
        ("|S4 with 7 bytes", "fill_value", v2("|S4", "\"QUJDREVGRw==\""), &[]),
        ("a missing chunk", "chunks-missing", v2("<i2", "7"), &full[..1]),
        ("missing, null fill", "undefined", v2("<i2", "null"), &full[..1]),
        ("bool with 0", "fill_value", v2("|b1", "0"), &[("0", &[0; 2]), ("1", &[1; 2])]),
        ("int16 with 0.0", "fill_value", v2("<i2", "0.0"), &full),
        ("16 bytes too long", "chunk-too-long", v2("<i2", "0"), &[("0", &[0; 20]), ("1", &[0; 4])]),
        ("cut short", "chunk-truncated", v2("<i2", "0"), &[("0", &[0; 3]), ("1", &[0; 4])]),
    ];
    for (what, told, document, chunks) in cases {
        let name = if document.contains("node_type") { "zarr.json" } else { ".zarray" };
        let mut files = vec![(name, document.as_bytes())];
        files.extend(chunks);
        for metadata_only in [false, true] {
            let lines = planted(&files, metadata_only);
            assert!(lines.iter().any(|line| line.contains(told)), "{what}: {lines:#?}");
        }
    }
    let sound = v2("<i2", "0");
    let mut files = vec![(".zarray", sound.as_bytes())];
    files.extend(full);
    assert_eq!(planted(&files, false), Vec::<String>::new());
}

#[test]
fn the_same_fault_in_many_chunks_is_told_a_few_times() {
    let document = V2.replace("DTYPE", "<i2").replace("FILL", "0").replace("[4]", "[200]");
    let keys: Vec<String> = (0..100).map(|at| at.to_string()).collect();
    let mut files: Vec<(&str, &[u8])> = vec![(".zarray", document.as_bytes())];
    files.extend(keys.iter().map(|key| (key.as_str(), &b"abc"[..])));
    let lines = planted(&files, false);
    assert_eq!(lines.len(), 21, "{lines:#?}");
    assert!(lines.iter().any(|line| line.contains("in 80 more chunks")), "{lines:#?}");
}

#[test]
fn files_that_nobody_reads_are_listed_up_to_twenty() {
    let names: Vec<String> = (0..25).map(|at| format!("note{at}.txt")).collect();
    let document = V2.replace("DTYPE", "<i2").replace("FILL", "0");
    let mut files: Vec<(&str, &[u8])> =
        vec![(".zarray", document.as_bytes()), ("0", &[0; 4]), ("1", &[0; 4])];
    files.extend(names.iter().map(|name| (name.as_str(), &b"x"[..])));
    let lines = planted(&files, true);
    assert_eq!(lines.len(), 21, "{lines:#?}");
    assert!(lines.iter().any(|line| line.contains(" 5 more")), "{lines:#?}");
}

#[test]
fn lengths_and_names_fit_the_shape() {
    let document = V2.replace("DTYPE", "<i2").replace("FILL", "0");
    let names: (&str, &[u8]) = (".zattrs", br#"{"_ARRAY_DIMENSIONS": ["y", "x"]}"#);
    for (document, told) in [
        (document.replace("[2]", "[0]"), "error chunk-length-zero"),
        (document, "warning dimension-names"),
    ] {
        let lines = planted(&[(".zarray", document.as_bytes()), names], true);
        assert!(lines.iter().any(|line| line.contains(told)), "{told}: {lines:#?}");
    }
}

#[test]
fn a_chunk_cut_at_the_edge_is_not_cut_short() {
    let document = V3.replace("FILL", "0.0").replace("[4]", "[3]");
    let files: [(&str, &[u8]); 3] =
        [("zarr.json", document.as_bytes()), ("c/0", &[0; 8]), ("c/1", &[0; 4])];
    assert_eq!(planted(&files, true), Vec::<String>::new());
}

/// The metadata or the whole copy are at fault if all chunks fail alike; one file that fails says nothing of them.
#[test]
fn a_fault_of_all_chunks_is_one_of_the_array() {
    let document = V3.replace("FILL", "0.0");
    let document =
        document.replace("}}]}", r#"}}, {"name": "zstd", "configuration": {"level": 1}}]}"#);
    let told = |first: &[u8], second: &[u8]| {
        let files = [("zarr.json", document.as_bytes()), ("c/0", first), ("c/1", second)];
        planted(&files, false).into_iter().find(|line| line.contains("codecs-disagree"))
    };
    let (gzip, page) = (b"\x1f\x8b\x08\0\0\0", b"<html><body>404</body></html>");
    assert!(
        told(gzip, gzip).is_some_and(|line| line.contains("correct the codecs in the metadata"))
    );
    assert!(told(page, page).is_some_and(|line| line.contains("No chunk contains data")));
    assert!(
        told(&[0, 0, 128, 63, 0, 0, 0, 64], &[1; 8])
            .is_some_and(|line| line.contains("never compressed"))
    );
    assert_eq!(told(gzip, page), None);
    let alone = planted(&[("zarr.json", document.as_bytes()), ("c/0", page)], false);
    assert!(!alone.iter().any(|line| line.contains("codecs-disagree")), "{alone:#?}");
}

#[test]
fn chunks_without_a_document_are_no_array_and_are_told() {
    let group = br#"{"zarr_format": 2}"#;
    let lost: Files<'_> = &[(".zgroup", group), ("lost/0.0", &[0; 4]), ("lost/.zattrs", b"{}")];
    let lines = planted(lost, true);
    assert!(lines.iter().any(|line| line.contains("metadata-missing: lost")), "{lines:#?}");
    // A group without a document, with an array called 0, as in OME-Zarr.
    let array = V2.replace("DTYPE", "<i2").replace("FILL", "0");
    let sound: Files<'_> =
        &[(".zgroup", group), ("labels/0/.zarray", array.as_bytes()), ("notes/readme.txt", b"")];
    let lines = planted(sound, true);
    assert!(!lines.iter().any(|line| line.contains("metadata-missing")), "{lines:#?}");
}

/// A chunk that is a link to nowhere is listed and cannot be read; a link to a folder around it is not followed.
#[cfg(unix)]
#[test]
fn links_that_lead_nowhere_or_round_in_circles_are_told_once() {
    use std::os::unix::fs::symlink;
    let folder = crate::scratch();
    let array = folder.path().join("a");
    fs::create_dir(&array).unwrap();
    fs::write(folder.path().join(".zgroup"), r#"{"zarr_format": 2}"#).unwrap();
    fs::write(array.join(".zarray"), V2.replace("DTYPE", "<i2").replace("FILL", "0")).unwrap();
    fs::write(array.join("0"), [0; 4]).unwrap();
    symlink("/nowhere/at/all", array.join("1")).unwrap();
    symlink("..", array.join("up")).unwrap();
    symlink(".", folder.path().join("loop")).unwrap();
    for metadata_only in [false, true] {
        let (lines, summary) = found(folder.path(), metadata_only);
        assert_eq!((summary.nodes, summary.errors), (2, 1), "{lines:#?}");
        assert!(lines.iter().any(|line| line.contains("dangling-link: a/1")), "{lines:#?}");
    }
}

/// A shard of two inner chunks of one float32 each, and an index with a checksum where `with` says so.
fn shard(with: bool) -> Vec<u8> {
    let mut bytes = [1.0_f32, 2.0].map(f32::to_le_bytes).concat();
    let index = [0_u64, 4, 4, 4].map(u64::to_le_bytes).concat();
    bytes.extend(&index);
    if with {
        bytes.extend(crc32c::crc32c(&index).to_le_bytes());
    }
    bytes
}

#[test]
fn an_index_that_lies_elsewhere_is_found() {
    let crc = r#", {"name": "crc32c"}"#;
    let bytes = r#"{"name": "bytes", "configuration": {"endian": "little"}}"#;
    let document = |crc: &str| {
        let sharding = format!(
            r#"[{{"name": "sharding_indexed", "configuration": {{"chunk_shape": [1], "codecs": [{bytes}],
            "index_codecs": [{bytes}{crc}], "index_location": "end"}}}}]"#
        );
        let (head, _) = V3.split_once(r#""codecs""#).unwrap();
        format!(r#"{}"codecs": {sharding}}}"#, head.replace("FILL", "0.0"))
    };
    for (declared, written, place) in [
        (crc, false, "at the end, without a checksum"),
        ("", true, "at the end, followed by a checksum"),
    ] {
        let (document, shard) = (document(declared), shard(written));
        let files = [("zarr.json", document.as_bytes()), ("c/0", &shard), ("c/1", &shard)];
        let lines = planted(&files, false);
        assert!(lines.iter().any(|line| line.contains(place)), "{lines:#?}");
    }
}

#[test]
fn threads_and_none_find_the_same() {
    let (hierarchy, target) = Hierarchy::open(&sample("broken")).unwrap();
    let spread = |count: usize, work: &(dyn Fn(usize) + Sync)| {
        std::thread::scope(|scope| {
            for part in 0..3 {
                scope.spawn(move || (part..count).step_by(3).for_each(work));
            }
        });
    };
    let run = |spread: Option<Spread<'_>>| {
        let options = CheckOptions { spread, ..CheckOptions::default() };
        let mut problems = Vec::new();
        let summary = check(&hierarchy, &target.node, &options, &mut |event| {
            if let Event::Problem(path, problem) = event {
                problems.push((path, problem.error.to_string()));
            }
        });
        problems.sort();
        (problems, summary)
    };
    assert_eq!(run(Some(&spread)), run(None));
}

#[test]
fn a_check_stops_when_it_is_told_to() {
    let (hierarchy, target) = Hierarchy::open(&sample("broken")).unwrap();
    let steps = AtomicU64::new(0);
    let stop = || steps.fetch_add(1, Ordering::Relaxed) >= 4;
    let budget = Budget::default().with_stop(&stop);
    let options = CheckOptions { budget, ..CheckOptions::default() };
    let summary = check(&hierarchy, &target.node, &options, &mut |_| {});
    assert!(summary.nodes < 5, "{summary:?}");
}

/// A store that counts the chunks that are asked for.
#[derive(Debug)]
struct Counted(DirectoryStore, Arc<AtomicU64>);

impl Store for Counted {
    fn read(&self, key: &str, limit: u64) -> Result<Option<Vec<u8>>> {
        self.0.read(key, limit)
    }

    fn read_range(&self, key: &str, range: Range<u64>) -> Result<Option<Vec<u8>>> {
        self.0.read_range(key, range)
    }

    fn stat(&self, key: &str) -> Result<Option<Stat>> {
        self.1.fetch_add(u64::from(key.starts_with("c/")), Ordering::Relaxed);
        self.0.stat(key)
    }

    fn list(&self, prefix: &str) -> Result<Vec<Entry>> {
        self.0.list(prefix)
    }

    fn name(&self) -> String {
        self.0.name()
    }
}

/// A stop is answered by the next chunk, with threads and without: not after the 32 chunks of a batch.
#[test]
fn a_check_stops_between_two_chunks() {
    let folder = crate::scratch();
    let document = V3.replace("FILL", "0.0").replace("[4]", "[128]");
    fs::write(folder.path().join("zarr.json"), document).unwrap();
    fs::create_dir(folder.path().join("c")).unwrap();
    (0..64).for_each(|at| fs::write(folder.path().join(format!("c/{at}")), [0; 8]).unwrap());
    let in_order = |count: usize, work: &(dyn Fn(usize) + Sync)| (0..count).for_each(work);
    for spread in [None, Some(&in_order as Spread<'_>)] {
        let asked = Arc::new(AtomicU64::new(0));
        let store = Counted(DirectoryStore::new(folder.path()), Arc::clone(&asked));
        let hierarchy = Hierarchy::new(Arc::new(store), Arc::new(Registry::default()));
        let stop = || asked.load(Ordering::Relaxed) >= 3;
        let budget = Budget::default().with_stop(&stop);
        let options = CheckOptions { budget, spread, ..CheckOptions::default() };
        check(&hierarchy, &NodePath::default(), &options, &mut |_| {});
        assert_eq!(asked.load(Ordering::Relaxed), 3, "{}", spread.is_some());
    }
}

/// The severities of what is planted, without repeats, and the first line that holds `code`.
fn severity_of(files: Files<'_>, code: &str) -> Option<String> {
    let lines = planted(files, false);
    let line = lines.iter().find(|line| line.contains(&format!(" {code}: ")))?;
    Some(line.split(' ').nth(1)?.to_owned())
}

/// A limit of zarrscope is told once an array, and says nothing against the store.
#[test]
fn a_limit_is_no_error_and_told_once() {
    let v2 =
        |old: &str, new: &str| V2.replace("DTYPE", "<i2").replace("FILL", "0").replace(old, new);
    let v3 = |old: &str, new: &str| V3.replace("FILL", "0.0").replace(old, new);
    let two: [(&str, &[u8]); 4] =
        [("0", &[0; 4]), ("1", &[0; 4]), ("c/0", &[0; 8]), ("c/1", &[0; 8])];
    let none = r#""compressor": null"#;
    let cases = [
        ("unknown-codec", v2(none, r#""compressor": {"id": "mycodec"}"#)),
        ("data-type-not-read", v2("<i2", "<f16")),
        (
            "pickle-refused",
            v2("<i2", "|O").replace(r#""filters": null"#, r#""filters": [{"id": "pickle"}]"#),
        ),
        ("unknown-codec", v3("}}]}", r#"}}, {"name": "mycodec"}]}"#)),
        ("data-type-not-read", v3("float32", "example.unit")),
        ("unknown-extension", v3("regular", "hexagonal")),
        ("unknown-extension", v3("default", "hashed")),
    ];
    for (code, document) in cases {
        let name = if document.contains("node_type") { "zarr.json" } else { ".zarray" };
        let is_v3 = name == "zarr.json";
        let chunks = two.iter().filter(|(key, _)| key.starts_with('c') == is_v3);
        let files: Vec<_> =
            [(name, document.as_bytes())].into_iter().chain(chunks.copied()).collect();
        let lines = planted(&files, false);
        let limits: Vec<_> = lines.iter().filter(|line| line.contains(": limit ")).collect();
        assert!(matches!(limits.as_slice(), [one] if one.contains(code)), "{code}: {lines:#?}");
        assert!(!lines.iter().any(|line| line.contains(": error ")), "{code}: {lines:#?}");
    }
    // A name in the wrong case is a fault, and so is a type that the format does not have.
    for (code, document) in [
        ("misspelled-codec", v2(none, r#""compressor": {"id": "Zlib"}"#)),
        ("unknown-data-type", v2("<i2", "<i3")),
    ] {
        let files = [(".zarray", document.as_bytes())];
        assert_eq!(severity_of(&files, code).as_deref(), Some("error"), "{code}");
    }
}

/// Data that can be read are no error, whoever else does not read them.
#[test]
fn what_zarrscope_reads_is_no_error() {
    let v2 = |dtype: &str, fill: &str, filters: &str| {
        let document = V2.replace("DTYPE", dtype).replace("FILL", fill).replace("[4]", "[0]");
        document.replace(r#""filters": null"#, &format!(r#""filters": {filters}"#))
    };
    let objects = [
        v2("|O", "0", r#"[{"id": "json2"}]"#),
        v2("|O", "0", r#"[{"id": "msgpack2"}]"#),
        v2("|O", "0", r#"[{"id": "vlen-array", "dtype": "<i4"}]"#),
        v2("|O", "0", r#"[{"id": "vlen-bytes"}]"#),
        v2("|b1", "0", r#"[{"id": "packbits"}]"#),
        V3.replace("FILL", "0.0").replace(r#""codecs""#, r#""dimension_names": null, "codecs""#),
    ];
    for document in objects {
        let name = if document.contains("node_type") { "zarr.json" } else { ".zarray" };
        let lines = planted(&[(name, document.as_bytes())], true);
        assert!(lines.iter().all(|line| line.contains(": note ")), "{document}: {lines:#?}");
    }
    let wrong =
        V3.replace("FILL", "0.0").replace(r#""codecs""#, r#""dimension_names": 1, "codecs""#);
    assert_eq!(
        severity_of(&[("zarr.json", wrong.as_bytes())], "dimension-names").as_deref(),
        Some("error")
    );
}

/// What is wrong in the same way with many nodes is told once, with the others at the end; and sums that do not match once an
/// array.
#[test]
fn one_kind_is_told_once() {
    let folder = crate::scratch();
    let write = |key: &str, bytes: &[u8]| {
        let path = folder.path().join(key);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    };
    write(".zgroup", br#"{"zarr_format": 2}"#);
    let text = V2.replace("DTYPE", "<i2").replace("FILL", r#""0""#);
    for at in 0..9 {
        write(&format!("a{at}/.zarray"), text.as_bytes());
    }
    let out = run(&["check", folder.path().to_str().unwrap()]).out;
    assert_eq!(out.matches("requires a number").count(), 1, "{out}");
    let also = "The same as in a0/.zarray, fill_value, in 8 more: a1/.zarray, a2/.zarray,";
    assert!(out.contains(also), "{out}");
    assert!(out.contains("0 errors, 9 warnings"), "{out}");
    let sums = crate::scratch();
    let codecs = r#""codecs": [{"name": "bytes"}, {"name": "crc32c"}]"#;
    let document = format!(
        r#"{{"zarr_format": 3, "node_type": "array", "shape": [12], "data_type": "uint8", "fill_value": 0, {codecs},
        "chunk_grid": {{"name": "regular", "configuration": {{"chunk_shape": [4]}}}}, "chunk_key_encoding": {{"name": "default"}}}}"#
    );
    fs::create_dir(sums.path().join("c")).unwrap();
    fs::write(sums.path().join("zarr.json"), document).unwrap();
    for at in 0..3_u8 {
        fs::write(sums.path().join(format!("c/{at}")), [at, 1, 2, 3, 9, 9, 9, 9]).unwrap();
    }
    let out = run(&["check", sums.path().to_str().unwrap()]).out;
    assert_eq!(out.matches("--ignore-checksums` decodes").count(), 1, "{out}");
    assert!(out.contains("Also in 2 more: c/1, c/2"), "{out}");
}

/// zarrs leaves the byte out that counts the padding bits where elements are whole bytes: that is read, and noted.
#[test]
fn packed_bits_without_their_byte_are_noted() {
    let document = r#"{"zarr_format": 3, "node_type": "array", "shape": [3], "data_type": "uint16", "fill_value": 0,
        "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [3]}}, "chunk_key_encoding": {"name": "default"},
        "codecs": [{"name": "packbits", "configuration": {"padding_encoding": "first_byte"}}]}"#;
    for (chunk, words) in
        [(&[1, 0, 2, 0, 3, 0][..], "zarrs 0.23.14 leaves it out"), (&[0, 1, 0, 2, 0, 3, 0], "")]
    {
        let lines = planted(&[("zarr.json", document.as_bytes()), ("c/0", chunk)], false);
        assert_eq!(lines.is_empty(), words.is_empty(), "{lines:#?}");
        assert!(lines.iter().all(|line| line.contains(words)), "{lines:#?}");
    }
}

/// A folder of nothing but consolidated metadata, as kerchunk leaves, has one note; a copy of a node that was removed
/// beside others is an error. What means the same is no difference.
#[test]
fn metadata_alone_are_no_fault_and_equal_metadata_do_not_differ() {
    let array = V2.replace("DTYPE", "<i2").replace("FILL", "0");
    let copies = format!(
        r#"{{"zarr_consolidated_format": 1, "metadata": {{".zgroup": {{"zarr_format": 2}}, "a/.zarray": {array},
        "b/.zarray": {}}}}}"#,
        array.replace(r#""order""#, r#""dimension_separator": ".", "order""#)
    );
    let zmetadata = (".zmetadata", copies.as_bytes());
    let lines = planted(&[zmetadata], false);
    assert!(
        matches!(lines.as_slice(), [one] if one.contains("note consolidated-only")),
        "{lines:#?}"
    );
    let group: (&str, &[u8]) = (".zgroup", br#"{"zarr_format": 2}"#);
    let b: [(&str, &[u8]); 3] =
        [("b/.zarray", array.as_bytes()), ("b/0", &[0; 4]), ("b/1", &[0; 4])];
    let lines = planted(&[zmetadata, group, b[0], b[1], b[2]], false);
    assert!(
        matches!(lines.as_slice(), [one] if one.contains("a: error consolidated-only")),
        "{lines:#?}"
    );
    let a: [(&str, &[u8]); 3] =
        [("a/.zarray", array.as_bytes()), ("a/0", &[0; 4]), ("a/1", &[0; 4])];
    assert_eq!(planted(&[zmetadata, group, a[0], a[1], a[2], b[0], b[1], b[2]], false), [""; 0]);
}

/// Copies under the name of the folder around the store, and copies that are JSON in strings, are one fault each.
#[test]
fn copies_in_another_form_are_told_once() {
    let array = V2.replace("DTYPE", "<i2").replace("FILL", "0");
    let copies = |prefix: &str, form: &dyn Fn(&str) -> String| {
        let copy = |name: &str, text: &str| format!("\"{prefix}{name}\": {}", form(text));
        format!(
            r#"{{"zarr_consolidated_format": 1, "metadata": {{{}, {}}}}}"#,
            copy(".zgroup", r#"{"zarr_format": 2}"#),
            copy("a/.zarray", &array)
        )
    };
    let plain = |text: &str| text.to_owned();
    let text = |text: &str| format!("{text:?}");
    for (copies, told) in [
        (copies("", &plain), ""),
        (copies("out.zarr/", &plain), "begin with \"out.zarr/\""),
        (copies("", &text), "strings that hold JSON, such as that of \".zgroup\""),
        (
            copies("", &plain).replace("a/.zarray", r"a\\.zarray"),
            r#"have backslashes, such as "a\\.zarray""#,
        ),
    ] {
        let lines = planted(
            &[
                (".zmetadata", copies.as_bytes()),
                (".zgroup", br#"{"zarr_format": 2}"#),
                ("a/.zarray", array.as_bytes()),
                ("a/0", &[0; 4]),
                ("a/1", &[0; 4]),
            ],
            false,
        );
        assert_eq!(lines.len(), usize::from(!told.is_empty()), "{lines:#?}");
        let is_it = |line: &String| line.contains("error consolidated") && line.contains(told);
        assert!(lines.iter().all(is_it), "{lines:#?}");
    }
}

#[test]
fn missing_chunks_are_one_note_that_says_how_they_lie() {
    let document = V2.replace("DTYPE", "|u1").replace("FILL", "7");
    let document = document.replace("[4]", "[4, 6]").replace("[2]", "[1, 2]");
    let all: Vec<String> =
        (0..4).flat_map(|row| (0..3).map(move |column| format!("{row}.{column}"))).collect();
    let note = |stored: &dyn Fn(&str) -> bool| {
        let mut files: Vec<(&str, &[u8])> = vec![(".zarray", document.as_bytes())];
        files.extend(all.iter().filter(|key| stored(key)).map(|key| (key.as_str(), &[1; 2][..])));
        planted(&files, false).join("\n")
    };
    for (stored, lie) in [
        (&(|_: &str| true) as &dyn Fn(&str) -> bool, ""),
        (&|_: &str| false, "12 of 12 chunks are not stored and read as the fill value 7"),
        (&|key: &str| key != "1.2", "1 of 12 chunks is not stored ([1,2]) and reads as"),
        (
            &|key: &str| key < "2",
            "6 of 12 chunks are not stored (all with index 2–3 along dimension 0)",
        ),
        (&|key: &str| key < "2" && !key.ends_with('2'), "(all except indices [0–1,0–1])"),
        (&|key: &str| key == "0.0", "(all except [0,0])"),
        (&|key: &str| key.ends_with('0') == (key < "2"), "(scattered)"),
    ] {
        let found = note(stored);
        assert!(found.contains(lie) && (found.is_empty() == lie.is_empty()), "{lie}: {found}");
    }
}

#[test]
fn inner_chunks_are_counted_like_chunks() {
    let bytes = r#"{"name": "bytes", "configuration": {"endian": "little"}}"#;
    let (head, _) = V3.split_once(r#""codecs""#).unwrap();
    let sharding = format!(
        r#"{}"codecs": [{{"name": "sharding_indexed", "configuration": {{"chunk_shape": [1], "codecs": [{bytes}],
        "index_codecs": [{bytes}, {{"name": "crc32c"}}]}}}}]}}"#,
        head.replace("FILL", "0.0").replace("[4]", "[3]")
    );
    let half = |second: [u64; 2]| {
        let index = [0_u64, 4, second[0], second[1]].map(u64::to_le_bytes).concat();
        let mut bytes = [0; 8].to_vec();
        bytes.extend(&index);
        bytes.extend(crc32c::crc32c(&index).to_le_bytes());
        bytes
    };
    let (full, emptied) = (half([4, 4]), half([u64::MAX; 2]));
    let check = |first: &[u8], second: &[u8]| {
        planted(&[("zarr.json", sharding.as_bytes()), ("c/0", first), ("c/1", second)], false)
    };
    // The last shard reaches over the edge: its second inner chunk is no chunk of the array.
    assert!(!check(&full, &emptied).iter().any(|line| line.contains("missing")), "edge");
    let found = check(&emptied, &full).join("\n");
    assert!(found.contains("1 of 3 inner chunks is not stored ([1])"), "{found}");
}

/// Faults that were silent, each with its clean twin.
#[test]
fn what_was_silent_is_told() {
    let blosc = |configuration: &str| {
        let blosc =
            format!(r#"}}}}, {{"name": "blosc", "configuration": {{{configuration}}}}}]}}"#);
        V3.replace("FILL", "0.0").replace("[4]", "[0]").replace("}}]}", &blosc)
    };
    let rest = r#""cname": "lz4", "clevel": 5, "blocksize": 0"#;
    let bytes = r#"{"name": "bytes", "configuration": {"endian": "little"}}"#;
    let shards = |index: &str| {
        let (head, _) = V3.split_once(r#""codecs""#).unwrap();
        format!(
            r#"{}"codecs": [{{"name": "sharding_indexed", "configuration": {{"chunk_shape": [1], "codecs": [{bytes}],
            "index_codecs": [{index}, {{"name": "crc32c"}}]}}}}]}}"#,
            head.replace("FILL", "0.0").replace("[4]", "[0]")
        )
    };
    for (code, severity, wrong, right) in [
        (
            "v2-configuration",
            "error",
            blosc(&format!(r#""shuffle": 1, {rest}"#)),
            blosc(&format!(r#""shuffle": "shuffle", "typesize": 4, {rest}"#)),
        ),
        (
            "type-size-missing",
            "warning",
            blosc(&format!(r#""shuffle": "shuffle", {rest}"#)),
            blosc(&format!(r#""shuffle": "noshuffle", {rest}"#)),
        ),
        ("endian-guessed", "error", shards(r#"{"name": "bytes"}"#), shards(bytes)),
    ] {
        let told = severity_of(&[("zarr.json", wrong.as_bytes())], code);
        assert_eq!(told.as_deref(), Some(severity), "{code}");
        assert_eq!(planted(&[("zarr.json", right.as_bytes())], false), [""; 0], "{code}");
    }
}

#[test]
fn a_shuffle_by_another_size_than_that_of_the_elements_is_told() {
    let shuffle = |size: u8| {
        let document = V2.replace("DTYPE", "<i2").replace("FILL", "0").replace("[4]", "[0]");
        let filters = format!(r#""filters": [{{"id": "shuffle", "elementsize": {size}}}]"#);
        planted(&[(".zarray", document.replace(r#""filters": null"#, &filters).as_bytes())], true)
    };
    assert!(matches!(shuffle(0).as_slice(), [one] if one.contains(": warning shuffle-size-zero")));
    assert!(matches!(shuffle(4).as_slice(), [one] if one.contains(": note shuffle-size")));
    assert_eq!(shuffle(2), [""; 0]);
}

/// Keys and names that no reader finds, each with its clean twin.
#[test]
fn names_that_mislead_are_told() {
    let array = V2.replace("DTYPE", "<i2").replace("FILL", "0");
    let document = (".zarray", array.as_bytes());
    let chunk = &[0_u8; 4][..];
    let group: (&str, &[u8]) = (".zgroup", br#"{"zarr_format": 2}"#);
    let lines = planted(&[document, ("00", chunk), ("01", chunk)], false);
    assert!(
        matches!(lines.as_slice(), [one] if one.contains("2 files with keys that look zero-padded")),
        "{lines:#?}"
    );
    let lines = planted(&[document, ("0/x", chunk), ("1", chunk)], false);
    assert!(lines.iter().any(|line| line.contains("error not-a-file: 0: ")), "{lines:#?}");
    let lines = planted(&[document, ("0", chunk), ("1", chunk), group], false);
    assert!(
        matches!(lines.as_slice(), [one] if one.contains(".zgroup next to .zarray")),
        "{lines:#?}"
    );
    let in_group = |names: &[&str]| {
        let keys: Vec<String> = names
            .iter()
            .flat_map(|name| [".zarray", "0", "1"].map(|key| format!("{name}/{key}")))
            .collect();
        let mut files = vec![group];
        for key in &keys {
            files.push((key, if key.ends_with(".zarray") { array.as_bytes() } else { chunk }));
        }
        planted(&files, false)
    };
    let lines = in_group(&["t", "T"]);
    assert!(matches!(lines.as_slice(), [one] if one.contains("note name-case")), "{lines:#?}");
    assert_eq!(in_group(&["t", "u"]), [""; 0]);
    // What conventions put there misleads nobody.
    let beside = |name| planted(&[group, (name, chunk)], false);
    assert!(matches!(beside("a.xml").as_slice(), [one] if one.contains("foreign-file: a.xml")));
    assert_eq!(beside("METADATA.ome.xml"), [""; 0]);
    assert_eq!(beside("shapes.parquet"), [""; 0]);
}

#[test]
fn a_folder_between_a_group_and_nodes_needs_a_document() {
    let (group, array) = (r#"{"zarr_format": 2}"#, V2.replace("DTYPE", "<i2").replace("FILL", "0"));
    let array = array.replace("[4]", "[0]");
    let files = [(".zgroup", group.as_bytes()), ("sub/a/.zarray", array.as_bytes())];
    assert_eq!(severity_of(&files, "group-missing").as_deref(), Some("warning"));
    let twin = [&files[..], &[("sub/.zgroup", group.as_bytes())]].concat();
    assert_eq!(planted(&twin, false), [""; 0]);
    // A folder of stores is no group.
    assert_eq!(planted(&[("sub/a/.zarray", array.as_bytes())], false), [""; 0]);
}

#[test]
fn a_node_inside_an_array_is_told() {
    let array = V2.replace("DTYPE", "<i2").replace("FILL", "0").replace("[4]", "[0]");
    let files = [("images/.zarray", array.as_bytes()), ("images/labels/.zarray", array.as_bytes())];
    let told = planted(&files, false);
    let is_it =
        |line: &String| line.contains("warning foreign-file: images/labels: an array or group");
    assert!(told.len() == 1 && told.iter().all(is_it), "{told:#?}");
    let beside = [("images/.zarray", array.as_bytes()), ("labels/.zarray", array.as_bytes())];
    assert_eq!(planted(&beside, false), [""; 0]);
    // Of what is a group as well, it is a node as any.
    let both = [&files[..], &[("images/.zgroup", br#"{"zarr_format": 2}"#.as_slice())]].concat();
    let told = planted(&both, false);
    assert!(!told.iter().any(is_it), "{told:#?}");
}

#[test]
fn a_node_named_as_the_document_of_its_group_is_told() {
    let (group, array) = (r#"{"zarr_format": 2}"#, V2.replace("DTYPE", "<i2").replace("FILL", "0"));
    let array = array.replace("[4]", "[0]");
    let files = |name| [(".zgroup", group.as_bytes()), (name, array.as_bytes())];
    let told = planted(&files("zarr.json/.zarray"), false);
    assert!(matches!(told.as_slice(), [one] if one.contains(": warning node-name")), "{told:#?}");
    assert_eq!(planted(&files("zarr/.zarray"), false), [""; 0]);
}

#[test]
fn members_of_lzma_that_numcodecs_refuses_are_told() {
    let lzma = |members: &str| {
        let document = V2.replace("DTYPE", "<i2").replace("FILL", "0").replace("[4]", "[0]");
        let compressor = format!(r#""compressor": {{"id": "lzma", {members}}}"#);
        let document = document.replace(r#""compressor": null"#, &compressor);
        planted(&[(".zarray", document.as_bytes())], true)
    };
    let filters = r#"[{"id": 33, "preset": 6}]"#;
    for (format, filters) in [("1", filters), ("0", filters), ("2", "[]")] {
        let told = lzma(&format!(r#""format": {format}, "filters": {filters}"#));
        assert!(told.iter().any(|line| line.contains("codec-option")), "{told:#?}");
    }
    for (format, filters) in [("1", "null"), ("3", filters)] {
        let told = lzma(&format!(r#""format": {format}, "filters": {filters}"#));
        assert_eq!(told, [""; 0], "{format} {filters}");
    }
}

#[test]
fn strings_that_are_not_utf_8_are_told_and_shown_as_such() {
    let strings = |texts: [&[u8]; 2]| {
        let one = |text: &[u8]| [&u32::try_from(text.len()).unwrap().to_le_bytes(), text].concat();
        [&2_u32.to_le_bytes()[..], &one(texts[0]), &one(texts[1])].concat()
    };
    let document = V2.replace("DTYPE", "|O").replace("FILL", "\"\"").replace("[4]", "[2]");
    let document = document.replace(r#""filters": null"#, r#""filters": [{"id": "vlen-utf8"}]"#);
    let folder = crate::scratch();
    fs::write(folder.path().join(".zarray"), &document).unwrap();
    let values = |texts| {
        fs::write(folder.path().join("0"), strings(texts)).unwrap();
        let path = folder.path().to_str().unwrap();
        (run(&["export", path]).out, run(&["check", "--json", path]).out)
    };
    let (shown, told) = values([b"a\xffb", b"a\\xffb"]);
    assert_eq!(shown, "{\"not_utf8\":\"61 ff 62\"}\n\"a\\\\xffb\"\n");
    assert!(
        told.contains("1 string that is not UTF-8") && told.contains("element 0, from byte 9"),
        "{told}"
    );
    let (_, told) = values([b"ab", "é".as_bytes()]);
    assert!(!told.contains("not-utf-8"), "{told}");
}

#[test]
fn short_texts_of_bytes_are_not_taken_for_utf_32() {
    let texts = |one: &[u8]| {
        let document = V2.replace("DTYPE", "|S8").replace("FILL", "\"\"").replace("[2]", "[4]");
        let chunk = one.repeat(4);
        planted(&[(".zarray", document.as_bytes()), ("0", &chunk)], false)
    };
    for fine in [b"ab\0\0\0\0\0\0", b"a\0\0\0\0\0\0\0", b"abcdefgh"] {
        assert_eq!(texts(fine), [""; 0], "{fine:?}");
    }
}

/// Blosc has no type size past 255: that it is 1 for longer elements is no fault of whoever wrote them.
#[test]
fn long_elements_have_the_type_size_that_blosc_has_for_them() {
    let ran = run(&["check", "tests/corpus/zarr2/blosc-auto-S300", "--strict"]);
    assert_eq!(ran.code, 0, "{}", ran.out);
    let ran = run(&["check", "tests/corpus/zarr3/numcodecs.blosc", "--strict"]);
    assert_eq!(ran.code, 0, "{}", ran.out);
    assert!(ran.out.contains("a shuffle with type size 1 does nothing"), "{}", ran.out);
}

/// Along a dimension of very many chunks they are not counted, so nothing is said of how the missing ones lie.
#[test]
fn chunks_missing_from_a_huge_grid_are_counted_and_no_more() {
    let folder = crate::scratch();
    let document = r#"{"zarr_format":2,"shape":[1000000000000],"chunks":[10],"dtype":"<i2","fill_value":7,"order":"C",
        "filters":null,"compressor":null}"#;
    fs::write(folder.path().join(".zarray"), document).unwrap();
    fs::write(folder.path().join("0"), [1; 20]).unwrap();
    let out = run(&["check", &folder.path().display().to_string(), "--json"]).out;
    assert!(
        out.contains("99,999,999,999 of 100,000,000,000 chunks are not stored and read"),
        "{out}"
    );
}

/// Floats that are whole numbers have many zero bytes, which would lie together if they were shuffled.
#[test]
fn noise_of_whole_numbers_is_not_taken_for_shuffled_bytes() {
    for (dtype, fill) in [(">f4", "0.0"), ("<c8", "[0.0, 0.0]"), ("<f8", "0.0")] {
        let document = V2.replace("DTYPE", dtype).replace("FILL", fill).replace("[2]", "[7, 8]");
        let document = document.replace("[4]", "[15, 30]");
        let mut state = 1_u64;
        let mut noise = || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % 100
        };
        let mut element = || {
            let value = f32::from(u8::try_from(noise()).unwrap());
            match dtype {
                ">f4" => value.to_be_bytes().to_vec(),
                "<c8" => [value.to_le_bytes(), [0; 4]].concat(),
                _ => f64::from(value).to_le_bytes().to_vec(),
            }
        };
        let mut files = vec![(".zarray".to_owned(), document.into_bytes())];
        for chunk in 0..12 {
            let bytes = (0..56).flat_map(|_| element()).collect();
            files.push((format!("{}.{}", chunk / 4, chunk % 4), bytes));
        }
        let files: Vec<_> =
            files.iter().map(|(key, bytes)| (key.as_str(), bytes.as_slice())).collect();
        assert_eq!(planted(&files, false), [""; 0], "{dtype}");
    }
}

/// Chunks of nearly 2^64 bytes, as far as their documents go: no cause that is looked for counts past that.
#[test]
fn a_chunk_may_be_declared_as_long_as_can_be_counted() {
    let mut zipped = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    zipped.write_all(&[7; 4096]).unwrap();
    let zipped = zipped.finish().unwrap();
    for (dtype, size) in [("|b1", 1), ("|u1", 1), ("<i2", 2), ("<f4", 4), ("<f8", 8), ("|S3", 3)] {
        for compressor in ["null", r#"{"id":"gzip"}"#] {
            for filters in ["null", r#"[{"id":"shuffle"}]"#, r#"[{"id":"packbits"}]"#] {
                let len = u64::MAX / size;
                let document = format!(
                    r#"{{"zarr_format":2,"shape":[{len}],"chunks":[{len}],"dtype":"{dtype}",
                    "compressor":{compressor},"fill_value":null,"order":"C","filters":{filters}}}"#
                );
                let mut store = MemoryStore::new("store");
                store.insert(".zarray", document.into_bytes());
                store.insert("0", zipped.clone());
                let hierarchy = Hierarchy::new(Arc::new(store), Arc::new(Registry::default()));
                let options = CheckOptions { deep: true, ..CheckOptions::default() };
                let mut found = 0;
                check(&hierarchy, &NodePath::default(), &options, &mut |_| found += 1);
                assert!(found > 0);
            }
        }
    }
}
