//! Stores that ask for work or memory without a bound, and checks that cannot check anything.

use crate::{
    cli::{run, zarrscope},
    memory::peak,
};
use std::{
    fs,
    path::Path,
    sync::{Arc, Mutex},
    time::Duration,
};
use tempfile::TempDir;
use zarrscope::zarr::{
    ArrayReader, Budget, Code, Hierarchy, NodePath, array as arrays,
    check::{self, CheckOptions, Summary},
    digest::{Objects, StoredObjects, stored},
    statistics::{
        Counter, choices,
        raster::{Gathered, Raster},
    },
    store::MemoryStore,
};

/// An array of V3 of one dimension, in one chunk unless `chunk` says otherwise.
fn array(folder: &Path, shape: u64, chunk: u64, data_type: &str, codecs: &str) {
    let document = format!(
        r#"{{"zarr_format":3,"node_type":"array","shape":[{shape}],{data_type},"attributes":{{}},
        "chunk_grid":{{"name":"regular","configuration":{{"chunk_shape":[{chunk}]}}}},
        "chunk_key_encoding":{{"name":"default","configuration":{{"separator":"/"}}}},"codecs":[{codecs}]}}"#
    );
    fs::create_dir_all(folder.join("c")).unwrap();
    fs::write(folder.join("zarr.json"), document).unwrap();
}

const UINT8: &str = r#""data_type":"uint8","fill_value":0"#;
const BYTES: &str = r#"{"name":"bytes"}"#;
/// A file that never ends.
const ENDLESS: &str = "/dev/zero";
/// The number of bytes of an element of 2 GiB, nearly.
const LONG: u64 = 2_147_483_647;

/// A file of so many zeros that takes no room on the disk.
fn sparse(path: &Path, len: u64) {
    fs::File::create(path).unwrap().set_len(len).unwrap();
}

/// A check that could not look at something has not succeeded, whoever is to blame.
#[test]
fn what_was_not_checked_is_no_success() {
    let folder = crate::scratch();
    let document = folder.path().join("large.zarr");
    fs::create_dir(&document).unwrap();
    sparse(&document.join("zarr.json"), 300 << 20);
    let unknown = folder.path().join("unknown.zarr");
    array(&unknown, 4, 4, UINT8, r#"{"name":"bytes"},{"name":"nobody-knows"}"#);
    fs::write(unknown.join("c/0"), b"ABCD").unwrap();
    for path in [&document, &unknown] {
        let ran = run(&["check", path.to_str().unwrap()]);
        assert!(ran.out.contains("0 errors") && ran.out.contains("limit"), "{}", ran.out);
        assert_eq!(ran.code, 1, "{}", ran.out);
    }
    // A part is merged to the same.
    let part = folder.path().join("part.jsonl");
    let made = ["check", unknown.to_str().unwrap(), "--partition", "1/1", "-o"];
    assert_eq!(run(&[&made[..], &[part.to_str().unwrap()]].concat()).code, 0);
    assert_eq!(run(&["check", "--merge", part.to_str().unwrap()]).code, 1);
}

/// Of six elements three cannot be read: that is said of each once, and the node is not equal to itself.
#[test]
fn what_cannot_be_read_is_not_equal_to_itself() {
    let folder = crate::scratch();
    array(folder.path(), 6, 3, UINT8, r#"{"name":"bytes"},{"name":"crc32c"}"#);
    fs::write(folder.path().join("c/0"), b"ABC____").unwrap();
    let path = folder.path().to_str().unwrap();
    let ran = run(&["compare", path, path]);
    assert_eq!(ran.code, 2, "{}", ran.out);
    let last = ran.out.lines().last().unwrap();
    assert_eq!(
        last,
        "the node was compared only in part: 3 of 6 elements equal, 3 could not be compared"
    );
    assert!(ran.out.starts_with("✗ ."), "{}", ran.out);
    let json = run(&["compare", path, path, "--json"]).out;
    assert!(json.contains(r#""undecided": 1"#) || json.contains(r#""undecided":1"#), "{json}");
    // Beside a node that is equal, each is counted for what it is.
    let both = crate::scratch();
    fs::write(both.path().join("zarr.json"), r#"{"zarr_format":3,"node_type":"group"}"#).unwrap();
    for (name, file) in [("bad", "c/0"), ("good", "unused")] {
        let path = both.path().join(name);
        array(&path, 6, 3, UINT8, r#"{"name":"bytes"},{"name":"crc32c"}"#);
        fs::write(path.join(file), b"ABC____").unwrap();
    }
    let path = both.path().to_str().unwrap();
    let ran = run(&["compare", path, path]);
    let last = ran.out.lines().last().unwrap();
    let said = "2 of 3 nodes equal, 1 compared only in part; 9 of 12 elements equal, 3 could not be compared";
    assert_eq!((ran.code, last), (2, said));
}

/// A file that never ends is no part file, which its first line tells, nor the output of `digest --json`.
#[test]
#[cfg(target_os = "linux")]
fn files_that_never_end_are_refused() {
    let folder = crate::scratch();
    array(folder.path(), 4, 4, UINT8, BYTES);
    let path = folder.path().to_str().unwrap();
    for arguments in [
        &["check", "--merge", ENDLESS][..],
        &["stats", "--merge", ENDLESS],
        &["digest", "--merge", ENDLESS],
        &["digest", path, "--check", ENDLESS],
    ] {
        let ran = run(arguments);
        assert!(ran.code == 2 && ran.err.contains(ENDLESS), "{arguments:?}: {}", ran.err);
        let (most, _) = peak(arguments, 2);
        assert!(most < 100, "{arguments:?}: {most} MiB");
    }
}

/// Elements that are not stored take no memory, however long they are: they are made by repetition.
#[test]
#[cfg(target_os = "linux")]
fn missing_elements_are_never_held() {
    /// More than what may be held by far, and hashed in a second.
    const MUCH: u64 = 120 << 21;
    let fields: Vec<String> = (0..120).map(|at| format!(r#"["f{at}","|V2097152"]"#)).collect();
    let many = format!("[{}]", fields.join(","));
    for (dtype, fill, len) in [
        (format!(r#""|S{LONG}""#), r#""QUI=""#, LONG),
        (format!(r#""|V{MUCH}""#), "null", MUCH),
        (format!(r#"[["a","<i4"],["b","|V{}"]]"#, LONG - 4), "null", LONG),
        (many, "null", MUCH),
    ] {
        missing_element_is_never_held((&dtype, fill), len);
    }
}

#[cfg(target_os = "linux")]
fn missing_element_is_never_held((dtype, fill): (&str, &str), len: u64) {
    let folder = crate::scratch();
    let document = format!(
        r#"{{"zarr_format":2,"shape":[1],"chunks":[1],"dtype":{dtype},"compressor":null,"fill_value":{fill},
        "order":"C","filters":null}}"#
    );
    fs::write(folder.path().join(".zarray"), document).unwrap();
    let path = folder.path().to_str().unwrap();
    let out = folder.path().with_extension("npy");
    for arguments in [
        &["digest", path][..],
        &["compare", path, path],
        &["stats", path],
        &["check", path],
        &["dtype", dtype],
        &["export", path, "-o", out.to_str().unwrap()],
    ] {
        let is_of_values = arguments[0] != "dtype";
        let limit = if is_of_values { &["--max-memory", "100M"][..] } else { &[] };
        let (most, code) = peak(&[arguments, limit].concat(), 2);
        assert!(code == Some(0) && most < 150, "{dtype}: {arguments:?}: {most} MiB, {code:?}");
    }
    let written = fs::metadata(&out).unwrap().len();
    fs::remove_file(out).unwrap();
    assert_eq!((written - len) % 64, 0, "{written}");
    assert!(written - len <= 8192, "{written}");
}

/// A missing element is hashed as one that is stored: its bytes, zeros after them.
#[test]
fn missing_elements_have_the_digest_of_stored_ones() {
    for (size, is_raw) in [(3_usize, false), (70_000, false), (200_000, false), (200_000, true)] {
        let (dtype, fill) = if is_raw {
            (format!(r#"[["a","<i4"],["b","|V{}"]]"#, size - 4), "null")
        } else {
            (format!(r#""|S{size}""#), r#""QUI=""#)
        };
        let [missing, stored] = [(), ()].map(|()| crate::scratch());
        for folder in [&missing, &stored] {
            let document = format!(
                r#"{{"zarr_format":2,"shape":[3],"chunks":[1],"dtype":{dtype},"compressor":null,
                "fill_value":{fill},"order":"C","filters":null}}"#
            );
            fs::write(folder.path().join(".zarray"), document).unwrap();
        }
        let mut element = if is_raw { Vec::new() } else { b"AB".to_vec() };
        element.resize(size, 0);
        (0..3).for_each(|at| fs::write(stored.path().join(at.to_string()), &element).unwrap());
        let paths = [&missing, &stored].map(|folder| folder.path().to_str().unwrap());
        let digest = |path| run(&["digest", path, "--only", "content", "--json"]).out;
        assert_eq!(digest(paths[0]), digest(paths[1]), "{size}");
        assert_eq!(run(&["compare", paths[0], paths[1]]).code, 0, "{size}");
        let npy = |folder: &TempDir| {
            let out = folder.path().with_extension("npy");
            run(&["export", folder.path().to_str().unwrap(), "-o", out.to_str().unwrap()]);
            let bytes = fs::read(&out).unwrap();
            fs::remove_file(out).unwrap();
            bytes
        };
        assert!(npy(&missing) == npy(&stored), "{size}");
    }
}

/// Chunks of files that cannot be mapped, where memory is scarce, are read alone; if there is not enough for one, the
/// reason is memory.
#[test]
#[cfg(target_os = "linux")]
fn chunks_that_cannot_be_mapped_are_read_alone() {
    const LEN: u64 = 96 << 20;
    let folder = crate::scratch();
    array(folder.path(), 4 * LEN, LEN, UINT8, BYTES);
    (0..4).for_each(|at| sparse(&folder.path().join(format!("c/{at}")), LEN));
    let mut fine = 0;
    for most in [160_000, 260_000, 400_000] {
        for command in ["digest --only content", "endian"] {
            let script = format!("ulimit -v {most}; exec \"$0\" {command} \"$1\"");
            let mut shell = std::process::Command::new("sh");
            let program = zarrscope(&[]).get_program().to_owned();
            let ran = shell.args(["-c", &script]).arg(program).arg(folder.path()).output().unwrap();
            let text = String::from_utf8_lossy(&[ran.stdout, ran.stderr].concat()).into_owned();
            assert!(!text.contains("only a part is loaded"), "{most} {command}: {text}");
            assert!(ran.status.success() || text.contains("memory"), "{most} {command}: {text}");
            fine += u32::from(ran.status.success());
        }
    }
    assert!(fine >= 2, "{fine}");
}

/// A damaged chunk of 28 bytes behind so many checksums.
fn behind_checksums(folder: &Path, count: usize) {
    let codecs = [BYTES].into_iter().chain(std::iter::repeat_n(r#"{"name":"crc32c"}"#, count));
    array(folder, 24, 24, UINT8, &codecs.collect::<Vec<_>>().join(","));
    fs::write(folder.join("c/0"), b"0123456789abcdefghijklmnopqr").unwrap();
}

/// The time that the processor has worked for this thread, whatever else it works on.
#[cfg(target_os = "linux")]
pub(crate) fn worked() -> Duration {
    let text = fs::read_to_string("/proc/thread-self/schedstat").unwrap();
    Duration::from_nanos(text.split_whitespace().next().unwrap().parse().unwrap())
}

/// Strings that only a shape promises are missing, and not looked at one by one, however many they are.
#[test]
#[cfg(target_os = "linux")]
fn a_shape_of_very_many_strings_is_told_and_no_work() {
    let folder = crate::scratch();
    // 2⁶⁴ - 2 rows of 3: their number has no room in 64 bits.
    let document = r#"{"zarr_format":2,"shape":[18446744073709551614,3],"chunks":[18446744073709551614,3],"dtype":"|O",
        "fill_value":null,"order":"C","filters":[{"id":"msgpack2"}],"compressor":null}"#;
    fs::write(folder.path().join(".zarray"), document).unwrap();
    // The list of one text, its dtype and its shape.
    fs::write(folder.path().join("0.0"), b"\x93\xa1a\xa2|O\x91\x01").unwrap();
    let (hierarchy, _) = Hierarchy::open(folder.path()).unwrap();
    let start = worked();
    let summary =
        check::check(&hierarchy, &NodePath::default(), &CheckOptions::default(), &mut |_| {});
    let spent = worked().saturating_sub(start);
    assert_eq!(summary.unreadable, 1);
    assert!(spent < Duration::from_secs(10), "{spent:?}");
}

/// The table of chunks takes no memory for the parts of a chunk that is only declared.
#[test]
#[cfg(target_os = "linux")]
fn a_raw_chunk_of_a_pebibyte_has_a_row() {
    let folder = crate::scratch();
    array(folder.path(), 1 << 50, 1 << 50, UINT8, BYTES);
    fs::write(folder.path().join("c/0"), b"ABCD").unwrap();
    let path = folder.path().to_str().unwrap();
    let keys = ["shot", path, "--keys", "2t", "-o", "-"];
    let (most, code) = peak(&keys, 2);
    assert!(code == Some(0) && most < 400, "{most} MiB, {code:?}");
    let ran = run(&keys);
    assert!(
        ran.out.contains("1,125,899,906,842,620 of 1125899906842624 bytes are missing"),
        "{}",
        ran.out
    );
}

/// Missing chunks are told where the elements of a chunk cannot be counted.
#[test]
fn chunks_missing_that_have_more_elements_than_numbers_are_told() {
    let folder = crate::scratch();
    let half = 1_u64 << 63;
    let document = format!(
        r#"{{"zarr_format":3,"node_type":"array","shape":[{half},40],{UINT8},
        "chunk_grid":{{"name":"regular","configuration":{{"chunk_shape":[{half},4]}}}},
        "chunk_key_encoding":{{"name":"default"}},"codecs":[{BYTES}]}}"#
    );
    fs::write(folder.path().join("zarr.json"), document).unwrap();
    fs::create_dir_all(folder.path().join("c/0")).unwrap();
    for at in [0, 1, 2, 3, 4, 5, 6, 8] {
        fs::write(folder.path().join(format!("c/0/{at}")), b"A").unwrap();
    }
    let ran = run(&["check", "--metadata-only", folder.path().to_str().unwrap()]);
    assert!(ran.out.contains("2 of 10 chunks are not stored"), "{}{}", ran.out, ran.err);
}

/// The search for a cause costs no more behind a thousand codecs than it may cost behind one, and asks again and again
/// whether to stop: in debug builds, too, where it took minutes.
#[test]
#[cfg(target_os = "linux")]
fn a_search_behind_very_many_codecs_is_bounded() {
    let folder = crate::scratch();
    let checked = |count, stop: &(dyn Fn() -> bool + Sync)| -> (Summary, Duration) {
        behind_checksums(folder.path(), count);
        let (hierarchy, _) = Hierarchy::open(folder.path()).unwrap();
        let start = worked();
        let options =
            CheckOptions { budget: Budget::default().with_stop(stop), ..Default::default() };
        let summary = check::check(&hierarchy, &NodePath::default(), &options, &mut |_| {});
        (summary, worked().saturating_sub(start))
    };
    for count in [100, 1000, 4000] {
        let asked = Mutex::new((worked(), Duration::ZERO));
        let ask = || {
            let mut asked = asked.lock().unwrap();
            let now = worked();
            *asked = (now, asked.1.max(now.saturating_sub(asked.0)));
            false
        };
        let (summary, spent) = checked(count, &ask);
        assert_eq!(summary.unreadable, 1);
        assert!(summary.work <= 250_000_000, "{count}: {}", summary.work);
        assert!(spent < Duration::from_secs(30), "{count}: {spent:?}");
        let (_, longest) = asked.into_inner().unwrap();
        // A debug build takes some 50 times as long as a release.
        assert!(longest < Duration::from_secs(2), "{count}: {longest:?} without a question");
        let start = worked();
        let (_, spent) =
            checked(count, &|| worked().saturating_sub(start) > Duration::from_millis(100));
        assert!(spent < Duration::from_secs(5), "{count}: {spent:?} after a stop");
    }
}

/// The document of an array of one shard of so many inner chunks of one byte each.
fn shard_of(folder: &Path, count: u64) {
    let codecs = r#"{"name":"sharding_indexed","configuration":{"chunk_shape":[1],"codecs":[{"name":"bytes"}],
        "index_codecs":[{"name":"bytes","configuration":{"endian":"little"}},{"name":"crc32c"}]}}"#;
    array(folder, count, count, UINT8, codecs);
}

/// An index takes 16 bytes for each inner chunk and no more, in every command; single inner chunks take a window of it.
#[test]
#[cfg(target_os = "linux")]
fn an_index_is_read_by_windows() {
    const COUNT: u64 = 1 << 20;
    let folder = crate::scratch();
    shard_of(folder.path(), COUNT);
    // The first inner chunk is stored, the others are empty.
    let mut index = vec![0xff; 16 * usize::try_from(COUNT).unwrap()];
    index[..16].copy_from_slice(&[0_u64, 1].map(u64::to_le_bytes).concat());
    let sum = crc32c::crc32c(&index).to_le_bytes();
    fs::write(folder.path().join("c/0"), [b"A", &index[..], &sum[..]].concat()).unwrap();
    let path = folder.path().to_str().unwrap();
    let (most, code) = peak(&["check", path, "--max-memory", "16M"], 2);
    assert!(code == Some(0) && most < 110, "{most} MiB, {code:?}");
    let ran = run(&["export", path, "--chunk", "0@0"]);
    assert_eq!((ran.out.as_str(), ran.code), ("65\n", 0), "{}", ran.err);
    // Of an index that does not fit, single inner chunks are still read, and damage to it is found.
    let (most, code) = peak(&["export", path, "--chunk", "0@0", "--max-memory", "1M"], 2);
    assert!(code == Some(0) && most < 60, "{most} MiB, {code:?}");
    let ran = run(&["check", path, "--max-decoded", "4M"]);
    assert!(ran.code == 1 && ran.out.contains("--max-decoded"), "{}", ran.out);
    index[20] = 0;
    fs::write(folder.path().join("c/0"), [b"A", &index[..], &sum[..]].concat()).unwrap();
    let ran = run(&["export", path, "--chunk", "0@0"]);
    assert!(ran.code == 1 && ran.err.contains("crc32c"), "{} {}", ran.out, ran.err);
}

/// Shards of 64 MiB are checked inner chunk by inner chunk: no shard is put together for it.
#[test]
#[cfg(target_os = "linux")]
fn large_shards_are_checked_by_their_inner_chunks() {
    const SIDE: usize = 4096;
    const FLOAT32: &str = r#""data_type":"float32","fill_value":0"#;
    let folder = crate::scratch();
    let codecs = r#"{"name":"sharding_indexed","configuration":{"chunk_shape":[262144],"codecs":[{"name":"bytes","configuration":{"endian":"little"}},
        {"name":"zstd","configuration":{"level":1,"checksum":false}}],
        "index_codecs":[{"name":"bytes","configuration":{"endian":"little"}},{"name":"crc32c"}]}}"#;
    let len = (SIDE * SIDE) as u64;
    array(folder.path(), 4 * len, len, FLOAT32, codecs);
    let inner = zstd::bulk::compress(&vec![7_u8; 1 << 20], 1).unwrap();
    let count = (SIDE * SIDE * 4) >> 20;
    let entry = |at: usize| [at * inner.len(), inner.len()].map(|it| (it as u64).to_le_bytes());
    let index: Vec<u8> = (0..count).flat_map(entry).flatten().collect();
    let sum = crc32c::crc32c(&index).to_le_bytes();
    let shard = [&inner.repeat(count)[..], &index[..], &sum[..]].concat();
    for at in 0..4 {
        fs::write(folder.path().join(format!("c/{at}")), &shard).unwrap();
    }
    let path = folder.path().to_str().unwrap();
    let (most, code) = peak(&["check", path, "--max-memory", "64M"], 2);
    assert!(code == Some(0) && most < 110, "{most} MiB, {code:?}");
}

/// A shard whose index does not fit is refused with the reason before anything of it is read.
#[test]
#[cfg(target_os = "linux")]
fn an_index_that_does_not_fit_is_refused() {
    const COUNT: u64 = 1 << 26;
    let folder = crate::scratch();
    shard_of(folder.path(), COUNT);
    sparse(&folder.path().join("c/0"), 16 * COUNT + 4 + COUNT);
    let path = folder.path().to_str().unwrap();
    for limit in [&["--max-decoded", "64M"], &["--max-memory", "64M"]] {
        let arguments = [&["check", path], &limit[..]].concat();
        let (most, code) = peak(&arguments, 2);
        assert!(code == Some(1) && most < 60, "{most} MiB, {code:?}");
        let ran = run(&arguments);
        assert!(ran.out.contains("an index of 67,108,864 inner chunks"), "{}", ran.out);
    }
}

/// A struct of four times as many fields takes some four times as long to draw, where every field was tried with every
/// other.
#[test]
#[cfg(target_os = "linux")]
fn a_struct_of_very_many_fields_is_drawn_in_linear_time() {
    let drawn = |count: usize, view: &str| {
        let folder = crate::scratch();
        let fields: Vec<_> = (0..count).map(|at| format!(r#"["f{at}","<i4"]"#)).collect();
        let document = format!(
            r#"{{"zarr_format":2,"shape":[4],"chunks":[4],"dtype":[{}],"compressor":null,
            "fill_value":null,"order":"C","filters":null}}"#,
            fields.join(",")
        );
        fs::write(folder.path().join(".zarray"), document).unwrap();
        fs::write(folder.path().join("0"), vec![0; 16 * count]).unwrap();
        let (options, start) = (zarrscope::tui::Options::default(), worked());
        let played =
            zarrscope::tui::script::play(folder.path(), (120, 40), view, &options).unwrap();
        let screen = zarrscope::tui::picture::text(&played.screen);
        assert!(screen.contains("f0") && screen.contains("f1"), "{screen}");
        worked().saturating_sub(start)
    };
    for (view, count) in [("2", 1000), ("1", 8000)] {
        let (few, many) = (drawn(count, view), drawn(4 * count, view));
        assert!(many < few * 9, "{view}: {few:?} and {many:?}");
    }
}

/// The time that all threads of a command worked, and what it printed.
#[cfg(target_os = "linux")]
fn in_cpu_seconds(most: u32, command: &str, path: &Path) -> String {
    let script = format!("ulimit -t {most}; exec \"$0\" {command} \"$1\"");
    let program = zarrscope(&[]).get_program().to_owned();
    let mut shell = std::process::Command::new("sh");
    let ran = shell.args(["-c", &script]).arg(program).arg(path).output().unwrap();
    assert!(ran.status.success(), "{command}: {ran:?}");
    String::from_utf8(ran.stdout).unwrap()
}

/// A chunk of 64 GiB that is a hole but for a few values: nothing is made of the hole but by repetition, and the result
/// is what a chunk that is not stored has, whose fill value is the same.
#[test]
#[cfg(target_os = "linux")]
fn holes_of_sparse_chunks_are_not_read() {
    const COUNT: u64 = 8 << 30;
    let folder = crate::scratch();
    let float64 = r#""data_type":"float64","fill_value":0.0"#;
    array(
        folder.path(),
        COUNT,
        COUNT,
        float64,
        r#"{"name":"bytes","configuration":{"endian":"little"}}"#,
    );
    let digest = || in_cpu_seconds(30, "digest --only content", folder.path());
    let missing = digest();
    sparse(&folder.path().join("c/0"), COUNT * 8);
    assert_eq!(digest(), missing);
    let file = fs::OpenOptions::new().write(true).open(folder.path().join("c/0")).unwrap();
    std::os::unix::fs::FileExt::write_all_at(&file, &7.5_f64.to_le_bytes(), COUNT * 4).unwrap();
    assert_ne!(digest(), missing);
    let stats = in_cpu_seconds(30, "stats --csv", folder.path());
    let row = format!("{COUNT}");
    assert!(
        stats.contains(&row) && stats.contains("7.5") && stats.contains(&format!("{}", COUNT - 1)),
        "{stats}"
    );
}

/// A picture of all of a sparse chunk, and the statistics of it, are those of the same bytes without holes.
#[test]
fn holes_of_sparse_chunks_look_like_zeros() {
    const LEN: u64 = 3 << 20;
    let seen = [true, false].map(|is_sparse| {
        let folder = crate::scratch();
        array_of(folder.path(), LEN);
        let file = folder.path().join("c/0");
        if is_sparse {
            sparse(&file, LEN);
        } else {
            fs::write(&file, vec![0; 3 << 20]).unwrap();
        }
        let (hierarchy, target) = Hierarchy::open(folder.path()).unwrap();
        let node = hierarchy.node(&target.node);
        let metadata = node.kind.array().unwrap();
        let reader = ArrayReader::new(hierarchy.store.as_ref(), &node.path, metadata).unwrap();
        let choices = choices(reader.resolved().data_type.as_ref());
        let counter = Counter::new(&reader, &choices);
        let raster = Raster {
            region: reader.whole(),
            rows: vec![0, 1],
            columns: vec![0, LEN / 3, LEN / 2, LEN],
            steps: vec![1],
            ..Raster::default()
        };
        let (mut all, mut tallies) = (Gathered::default(), Vec::new());
        for region in arrays::cut(&reader.whole(), LEN / 2) {
            for piece in reader.pieces(&region) {
                let data = reader.load_in_place(&piece, &Budget::default());
                let arrays::PieceData::Stored(elements) = &data else { panic!("{data:?}") };
                let is_hole = elements.bytes().is_hole(elements.bytes().loaded());
                assert_eq!(is_hole, is_sparse && cfg!(target_os = "linux"));
                all = all.merge(raster.gather(&counter, &piece, &data), false);
                tallies.push(counter.count(&piece, &data));
            }
        }
        format!("{all:#?}{tallies:#?}")
    });
    assert_eq!(seen[0], seen[1]);
}

/// An array of so many bytes in one chunk.
fn array_of(folder: &Path, len: u64) {
    array(folder, len, len, UINT8, BYTES);
}

/// The checksum of a long file says after each bit of work how far it is, and ends when it is told to.
#[test]
fn checksums_of_long_files_are_told_and_stopped() {
    const LEN: u64 = 1 << 40;
    let folder = crate::scratch();
    array_of(folder.path(), LEN);
    sparse(&folder.path().join("c/0"), LEN);
    let (hierarchy, _) = Hierarchy::open(folder.path()).unwrap();
    let told = Mutex::new(Vec::new());
    let progress = |done, of| {
        let mut told = told.lock().unwrap();
        told.push((done, of));
        told.len() < 3
    };
    let objects = StoredObjects { store: hierarchy.store.as_ref(), progress: &progress };
    assert!(objects.list("c").is_ok());
    let stored = stored(&objects, "", &[String::new()].into()).remove("").unwrap();
    assert_eq!(stored.unwrap_err().code, Code::Stopped);
    let told = told.into_inner().unwrap();
    assert_eq!(told.len(), 3);
    assert!(
        told.windows(2).all(|two| two[1].0 - two[0].0 <= 4 << 20 && two[0].1 == LEN),
        "{told:?}"
    );
}

/// Chunks of texts that claim more elements than can be counted have some of them, and nothing overflows.
#[test]
fn chunks_of_more_elements_than_can_be_counted_are_read() {
    let longest = u64::MAX - 1;
    let v2 = format!(
        r#"{{"zarr_format":2,"shape":[2,4],"chunks":[2,{}],"dtype":"|O","compressor":null,"fill_value":null,
        "filters":[{{"id":"json2"}}],"order":"C"}}"#,
        u64::MAX
    );
    let v3 = format!(
        r#"{{"zarr_format":3,"node_type":"array","shape":[2,4],"data_type":"string","fill_value":"","attributes":{{}},
        "chunk_grid":{{"name":"regular","configuration":{{"chunk_shape":[2,{longest}]}}}},
        "chunk_key_encoding":{{"name":"default"}},"codecs":[{{"name":"vlen-utf8"}}]}}"#
    );
    let words = ["a", "b", "c", "d", "e", "f", "g", "h"];
    let json = format!("[{},\"|O\",[2,4]]", words.map(|word| format!("{word:?}")).join(","));
    let mut texts = 8_u32.to_be_bytes().to_vec();
    for word in words {
        texts.extend(1_u32.to_be_bytes());
        texts.extend(word.bytes());
    }
    for (document, text, key, chunk) in
        [(".zarray", v2, "0.0", json.as_bytes()), ("zarr.json", v3, "c/0/0", &texts)]
    {
        let folder = crate::scratch();
        fs::create_dir_all(folder.path().join("c/0")).unwrap();
        fs::write(folder.path().join(document), text).unwrap();
        fs::write(folder.path().join(key), chunk).unwrap();
        let path = folder.path().to_str().unwrap();
        for command in ["check", "stats", "digest", "export"] {
            let ran = run(&[command, path]);
            assert!(!ran.err.contains("overflow"), "{command}: {}", ran.err);
        }
    }
}

/// A key that begins with a slash makes a folder without a name, which is the folder that it is in.
#[test]
fn folders_without_a_name_are_no_levels() {
    let mut store = MemoryStore::new("store");
    for key in ["/.zgroup", ".zgroup", "a/.zgroup"] {
        store.insert(key, &br#"{"zarr_format":2}"#[..]);
    }
    let mut paths = Vec::new();
    let hierarchy = Hierarchy::new(Arc::new(store), Arc::default());
    hierarchy.walk(&NodePath::default(), &mut |node, _| {
        paths.push(node.path.0.clone());
        paths.len() < 100
    });
    assert_eq!(paths, ["", "a"]);
}
