//! Causes: of stores with one fault each the cause is named, of their clean twins and of healthy arrays none.
//!
//! `tests/diagnosis/make.py` makes the stores.

use crate::bounds::worked;
use std::{
    collections::{BTreeMap, HashMap},
    fmt::Write,
    fs,
    path::Path,
    sync::{
        Arc, Mutex, OnceLock,
        atomic::{AtomicU64, Ordering},
    },
    thread::{self, ThreadId},
    time::Duration,
};
use tempfile::TempDir;
use zarrscope::zarr::{
    Budget, Flagged, Hierarchy, Json, NodePath, Problem, Registry,
    check::{CheckOptions, Event, check},
    codec::{
        ByteCount, ByteTarget, Codec, CodecKind, CodecRow, Context, Outcome, Passage, Towards,
    },
    store::{Store, ZipStore},
};

/// The folder into which the archive of causes was unpacked.
pub(crate) fn unpacked() -> TempDir {
    unpacked_from("cases.zip")
}

/// The folder into which an archive of tests/diagnosis was unpacked.
pub(crate) fn unpacked_from(archive: &str) -> TempDir {
    let archive = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/diagnosis").join(archive);
    let store = ZipStore::open(&archive).unwrap();
    let folder = crate::scratch();
    unpack(&store, "", folder.path());
    let gone = json(folder.path(), "gone.json");
    let gone: Vec<&str> = gone.as_array().unwrap().iter().filter_map(Json::as_str).collect();
    for case in cases(folder.path()).keys() {
        complete(&folder.path().join(case), folder.path(), &gone);
    }
    folder
}

pub(crate) fn unpack(store: &ZipStore, prefix: &str, folder: &Path) {
    for entry in store.list(prefix).unwrap() {
        let key = if prefix.is_empty() { entry.name } else { format!("{prefix}/{}", entry.name) };
        if entry.is_folder {
            unpack(store, &key, folder);
        } else {
            let file = folder.join(&key);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, store.read(&key, 1 << 24).unwrap().unwrap()).unwrap();
        }
    }
}

/// Gives the fault the files of its clean twin that it has in common with it.
fn complete(case: &Path, root: &Path, gone: &[&str]) {
    let mut open = vec![case.join("clean")];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let twin = case.join("fault").join(path.strip_prefix(case.join("clean")).unwrap());
            let name = twin.strip_prefix(root).unwrap().to_str().unwrap().replace('\\', "/");
            if path.is_dir() {
                open.push(path);
            } else if !twin.exists() && !gone.contains(&name.as_str()) {
                fs::create_dir_all(twin.parent().unwrap()).unwrap();
                fs::copy(path, twin).unwrap();
            }
        }
    }
}

fn json(folder: &Path, name: &str) -> Json {
    Json::parse(&fs::read(folder.join(name)).unwrap()).unwrap().root
}

pub(crate) fn cases(folder: &Path) -> BTreeMap<String, String> {
    let cases = json(folder, "cases.json");
    let members = cases.as_object().unwrap().iter();
    members.map(|m| (m.key.to_string(), m.value.as_str().unwrap().to_owned())).collect()
}

/// The work that may be done on an array, in nanoseconds: 200 ms, and what the last step may take beyond that.
const WORK: u64 = 210_000_000;

/// The causes that a check of `store` names, and every problem.
pub(crate) fn causes(store: &Path) -> (Vec<String>, Vec<Problem>) {
    let (hierarchy, target) = Hierarchy::open(store).unwrap();
    let mut problems = Vec::new();
    let options = CheckOptions { budget: Budget::default(), ..CheckOptions::default() };
    let summary = check(&hierarchy, &target.node, &options, &mut |event| {
        if let Event::Problem(NodePath(_), problem) = event {
            problems.push(problem);
        }
    });
    assert!(summary.work <= WORK, "{}: {} ns of work", store.display(), summary.work);
    let word = |problem: &Problem| {
        let diagnosis = problem.diagnosis.as_ref()?;
        let certain = if diagnosis.is_certain { "certain" } else { "likely" };
        Some(format!("{} ({certain})", diagnosis.cause.word()))
    };
    (problems.iter().filter_map(word).collect(), problems)
}

/// The results of `work` for each item, worked on by a few threads.
pub(crate) fn in_threads<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let work = &work;
    thread::scope(|scope| {
        let mut parts = Vec::new();
        for part in items.chunks(items.len().div_ceil(4).max(1)) {
            parts.push(scope.spawn(move || part.iter().map(work).collect::<Vec<R>>()));
        }
        parts.into_iter().flat_map(|part| part.join().unwrap()).collect()
    })
}

/// A search that is told to stop at any question does hardly any more work: in a debug build, which takes some 50 times
/// as long as a release, less than a second.
#[test]
#[cfg(target_os = "linux")]
fn a_search_stops_when_it_is_told_to() {
    let unpacked = unpacked();
    let cases: Vec<String> = cases(unpacked.path()).into_keys().step_by(37).collect();
    let checked = |case: &String, most: u64| {
        let (hierarchy, target) =
            Hierarchy::open(&unpacked.path().join(case).join("fault")).unwrap();
        let (asked, stopped) = (AtomicU64::new(0), OnceLock::new());
        let stop = || {
            let is_stopped = asked.fetch_add(1, Ordering::Relaxed) >= most;
            if is_stopped {
                stopped.get_or_init(worked);
            }
            is_stopped
        };
        let budget = Budget::default().with_stop(&stop);
        let options = CheckOptions { budget, ..CheckOptions::default() };
        let work = check(&hierarchy, &target.node, &options, &mut |_| {}).work;
        let after = stopped.get().map(|&at| worked().saturating_sub(at));
        (asked.into_inner(), work, after.unwrap_or_default())
    };
    in_threads(&cases, |case| {
        let (all, work, _) = checked(case, u64::MAX);
        for most in [all / 3, all * 2 / 3] {
            let (_, less, after) = checked(case, most);
            assert!(less <= work, "{case}: {less} of {work} ns of work after {most} questions");
            assert!(after < Duration::from_secs(1), "{case}: {after:?} after {most} of {all}");
        }
    });
}

/// Weighing the values of an array is in many pieces, whatever is weighed: no piece is a large part of all the work.
#[test]
#[cfg(target_os = "linux")]
fn a_search_asks_again_and_again_whether_to_stop() {
    /// The parts of all the work, of which each piece is at most one. Before it was divided, some were half of it.
    const PARTS: u32 = 6;
    let unpacked = unpacked();
    let twins = ["image_volume_f_as_c", "image_volume_c_as_f"].map(|case| format!("{case}/clean"));
    let arrays = ["filtered_mosaic_none", "tiles_of_images_u1", "morton_u4", "copies_f4", "xor_u1"];
    let arrays = arrays.map(|array| format!("healthy/{array}"));
    for case in twins.iter().chain(&arrays) {
        let (hierarchy, target) = Hierarchy::open(&unpacked.path().join(case)).unwrap();
        // When it was asked last, and the longest piece, of each thread.
        let pieces = Mutex::new(HashMap::<ThreadId, (Duration, Duration)>::new());
        let stop = || {
            let (now, mut pieces) = (worked(), pieces.lock().unwrap());
            let (last, longest) =
                pieces.entry(thread::current().id()).or_insert((now, Duration::ZERO));
            (*last, *longest) = (now, (*longest).max(now.saturating_sub(*last)));
            false
        };
        let start = worked();
        let budget = Budget::default().with_stop(&stop);
        let options = CheckOptions { budget, ..CheckOptions::default() };
        check(&hierarchy, &target.node, &options, &mut |_| {});
        let all = worked().saturating_sub(start);
        let longest = pieces.into_inner().unwrap().into_values().map(|(_, longest)| longest).max();
        let longest = longest.unwrap();
        assert!(longest * PARTS <= all, "{case}: {longest:?} of {all:?}");
    }
}

#[test]
fn causes_are_named_and_clean_twins_have_none() {
    let unpacked = unpacked();
    let folder = unpacked.path();
    let (mut table, mut named, mut all) = (String::new(), 0, 0);
    let cases: Vec<(String, String)> = cases(folder).into_iter().collect();
    let found = in_threads(&cases, |(case, _)| {
        let twin = |name| causes(&folder.join(case).join(name)).0;
        (twin("fault"), twin("clean"))
    });
    for ((case, expected), (mut found, clean)) in cases.into_iter().zip(found) {
        found.dedup();
        let hit = found.iter().any(|cause| cause.starts_with(&expected));
        named += usize::from(hit);
        all += 1;
        let sign = if hit { "named " } else { "missed" };
        writeln!(table, "{sign} {case:28} {expected:14} {}", found.join(", ")).unwrap();
        assert!(clean.is_empty(), "{case}: its clean twin has {clean:?}");
    }
    writeln!(table, "{named} of {all}").unwrap();
    insta::assert_snapshot!(table);
}

#[test]
fn healthy_arrays_have_no_cause() {
    let unpacked = unpacked();
    let folder = unpacked.path();
    let healthy = fs::read_dir(folder.join("healthy")).unwrap();
    let healthy: Vec<_> = healthy.map(|entry| entry.unwrap().path()).collect();
    let found = in_threads(&healthy, |path| causes(path));
    let mut wrong = Vec::new();
    for (path, (found, _)) in healthy.iter().zip(found) {
        if !found.is_empty() {
            wrong.push((path.clone(), found));
        }
    }
    assert!(wrong.is_empty(), "{wrong:?}");
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for store in ["ocean", "ocean-v2", "dtypes-v2", "dtypes-v3"] {
        let (found, problems) = causes(&root.join("sample-stores").join(store));
        assert!(found.is_empty(), "{store}: {problems:?}");
    }
    for store in fs::read_dir(root.join("tests/corpus")).unwrap() {
        let path = store.unwrap().path();
        if path.is_dir() && Hierarchy::open(&path).is_ok() {
            let (mut found, problems) = causes(&path);
            // One array there has such chunks on purpose.
            found.retain(|cause| cause != "edge-chunks (certain)");
            let causes = problems.iter().filter_map(|problem| problem.diagnosis.as_ref());
            let causes: Vec<_> = causes.collect();
            assert!(found.is_empty(), "{}: {causes:?}", path.display());
        }
    }
}

/// A V3 array of raw chunks in a folder of its own.
pub(crate) fn raw_store(
    (shape, chunk): (&str, &str),
    (data_type, codecs): (&str, &str),
    chunks: &[(&str, Vec<u8>)],
) -> TempDir {
    let folder = crate::scratch();
    let document = format!(
        r#"{{"zarr_format":3,"node_type":"array","shape":{shape},"data_type":"{data_type}",
        "chunk_grid":{{"name":"regular","configuration":{{"chunk_shape":{chunk}}}}},
        "chunk_key_encoding":{{"name":"default"}},"fill_value":0,"codecs":[{codecs}]}}"#
    );
    fs::write(folder.path().join("zarr.json"), document).unwrap();
    for (key, bytes) in chunks {
        let file = folder.path().join(key);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, bytes).unwrap();
    }
    folder
}

pub(crate) const LITTLE: &str = r#"{"name":"bytes","configuration":{"endian":"little"}}"#;
const GZIP: &str = r#"{"name":"bytes","configuration":{"endian":"little"}},{"name":"gzip","configuration":{"level":1}}"#;

/// Pages with a line break before them, encrypted files: each is named, and each of several files has its command.
#[test]
fn files_that_are_no_chunks_are_named() {
    let page = b"\r\n  <html><body>403 Forbidden</body></html>".to_vec();
    let sealed =
        [b"Salted__".to_vec(), (0..200_u32).map(|at| (at * 89 % 251).to_le_bytes()[0]).collect()]
            .concat();
    for (bytes, words) in [(page, "an HTML page"), (sealed, "encrypted")] {
        let chunks = [("c/0", bytes.clone()), ("c/1", bytes)];
        let store = raw_store(("[40]", "[20]"), ("int16", GZIP), &chunks);
        let (found, problems) = causes(store.path());
        assert_eq!(found, ["not-data (certain)"]);
        let cause = problems.iter().find_map(|problem| problem.diagnosis.as_ref()).unwrap();
        assert!(cause.sentence.contains(words), "{}", cause.sentence);
        let to_do = cause.to_do.as_deref().unwrap();
        assert!(cause.fix().is_none() && to_do.contains("c/0") && to_do.contains("c/1"), "{to_do}");
    }
}

/// An image, or a reference to the data, in place of a chunk is not a chunk whose end is missing.
#[test]
fn files_of_other_programs_are_not_truncated() {
    let image = [b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR".to_vec(), vec![7; 90]].concat();
    let reference = br#"["s3://bucket/air.nc", 20480, 6400]"#.to_vec();
    for (bytes, words) in [(image, "a PNG image"), (reference, "a JSON list")] {
        let chunks = [("c/0", bytes), ("c/1", (0..200).collect())];
        let raw = r#"{"name":"bytes"}"#;
        let store = raw_store(("[400]", "[200]"), ("uint8", raw), &chunks);
        let (found, problems) = causes(store.path());
        assert!(matches!(found.as_slice(), [cause] if cause.starts_with("not-data")), "{found:?}");
        let cause = problems.iter().find_map(|problem| problem.diagnosis.as_ref()).unwrap();
        assert!(cause.sentence.contains(words), "{}", cause.sentence);
    }
}

/// A list of texts, as the object codec json2 writes it, is no reference to data elsewhere.
#[test]
fn lists_of_texts_are_made_by_an_object_codec() {
    let store = crate::scratch();
    let document = r#"{"zarr_format":2,"shape":[3],"chunks":[3],"dtype":"|O","fill_value":"","order":"C",
        "filters":[{"id":"vlen-utf8"}],"compressor":null}"#;
    fs::write(store.path().join(".zarray"), document).unwrap();
    fs::write(store.path().join("0"), r#"["red","green","blue","|O",[3]]"#).unwrap();
    let (found, problems) = causes(store.path());
    assert!(matches!(found.as_slice(), [cause] if cause.starts_with("object-codec")), "{found:?}");
    let cause = problems.iter().find_map(|problem| problem.diagnosis.as_ref()).unwrap();
    assert!(cause.sentence.contains("json2 made the chunks"), "{}", cause.sentence);
}

/// Chunks that are all short by the same are not all cut off; one that is short beside others is.
#[test]
fn all_chunks_of_one_wrong_length_are_not_truncated() {
    // A bitmap of 314 bytes, as packbits makes it, where 2,500 are declared.
    let bits =
        |seed: usize| (0..314_usize).map(|at| ((at * at + seed) * 37).to_le_bytes()[0]).collect();
    let chunks: Vec<(&str, Vec<u8>)> =
        ["c/0", "c/1", "c/2", "c/3"].into_iter().zip((0..4).map(bits)).collect();
    let store = raw_store(("[10000]", "[2500]"), ("uint8", r#"{"name":"bytes"}"#), &chunks);
    let (found, _) = causes(store.path());
    assert!(!found.iter().any(|cause| cause.starts_with("truncated")), "{found:?}");
    let whole: Vec<u8> = (0..2500_u32).map(|at| (at * 37).to_le_bytes()[0]).collect();
    let chunks = [("c/0", whole.clone()), ("c/1", whole[..314].to_vec()), ("c/2", whole.clone())];
    let store = raw_store(("[7500]", "[2500]"), ("uint8", r#"{"name":"bytes"}"#), &chunks);
    let (found, _) = causes(store.path());
    assert!(found.iter().any(|cause| cause.starts_with("truncated")), "{found:?}");
}

/// Times in five chunks of a hundred elements each are together byte-swapped for certain; as they should be, they are not.
#[test]
fn short_chunks_are_judged_together() {
    let chunk = |from: i64, to_bytes: fn(i64) -> [u8; 8]| -> Vec<u8> {
        (from..from + 100)
            .flat_map(|hour| to_bytes(1_551_398_400_000_000_000 + hour * 3_600_000_000_000))
            .collect()
    };
    for (to_bytes, expected) in [
        (i64::to_be_bytes as fn(i64) -> [u8; 8], &["byte-order (likely)"][..]),
        (i64::to_le_bytes, &[]),
    ] {
        let chunks: Vec<(&str, Vec<u8>)> = ["c/0", "c/1", "c/2", "c/3", "c/4"]
            .into_iter()
            .zip((0..5).map(|at| chunk(at * 100, to_bytes)))
            .collect();
        let store = raw_store(("[500]", "[100]"), ("int64", LITTLE), &chunks);
        assert_eq!(causes(store.path()).0, expected);
    }
}

/// Two channels, one of small and one of large numbers, are no signed integers; a field that goes through 0 is.
#[test]
fn channels_do_not_wrap() {
    let wave = |at: u16| (f32::from(at % 64) / 10.0).sin() * 40.0;
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "small numbers")]
    let channels: Vec<u8> = (0..4096_u16)
        .flat_map(|at| [(100 + wave(at) as i32) as u16, (65_400 + wave(at / 3) as i32) as u16])
        .flat_map(u16::to_le_bytes)
        .collect();
    let store = raw_store(("[64,64,2]", "[64,64,2]"), ("uint16", LITTLE), &[("c/0/0/0", channels)]);
    assert_eq!(causes(store.path()).0, Vec::<String>::new());
    #[expect(clippy::cast_possible_truncation, reason = "small numbers")]
    let signed: Vec<u8> = (0..4096_u16).flat_map(|at| (wave(at) as i16).to_le_bytes()).collect();
    let store = raw_store(("[64,64]", "[64,64]"), ("uint16", LITTLE), &[("c/0/0", signed)]);
    assert_eq!(causes(store.path()).0, ["data-type (likely)"]);
}

/// Compressed chunks without a single 0d 0a went through a transfer that takes 0d before 0a away; of few bytes, and of
/// those that have one, it is not told.
#[test]
fn returns_that_a_transfer_took_are_missed() {
    let noise = |seed: u32, len: usize| -> Vec<u8> {
        let mut state = seed;
        let mut next = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            state.to_be_bytes()[0] ^ state.to_be_bytes()[1]
        };
        std::iter::repeat_with(&mut next).take(len).collect()
    };
    let zstd =
        format!(r#"{LITTLE},{{"name":"zstd","configuration":{{"level":1,"checksum":false}}}}"#);
    let lossy = |bytes: &[u8]| {
        let kept = (0..bytes.len()).filter(|at| !bytes[*at..].starts_with(b"\r\n"));
        kept.map(|at| bytes[at]).collect::<Vec<u8>>()
    };
    for (len, transferred, expected) in [
        (400_000_usize, true, &["text-mode (likely)"][..]),
        (400_000, false, &[]),
        (40_000, true, &[]),
    ] {
        let packed = |seed| zstd::encode_all(&noise(seed, len)[..], 1).unwrap();
        let chunk = |seed| if transferred { lossy(&packed(seed)) } else { packed(seed) };
        let shape = (format!("[{len}]"), format!("[{}]", len / 2));
        let chunks = [("c/0", chunk(1)), ("c/1", chunk(2))];
        let store = raw_store((&shape.0, &shape.1), ("int16", &zstd), &chunks);
        let mut found = causes(store.path()).0;
        found.retain(|cause| cause.starts_with("text-mode"));
        assert_eq!(found, expected, "{len} {transferred}");
    }
}

/// A document that was written over a longer one says so; one with another document after it does not.
#[test]
fn the_end_of_a_longer_document_is_named() {
    for (rest, is_named) in [("\n  \"attributes\": {}\n}", true), ("{\"a\": 1}", false)] {
        let store = raw_store(("[4]", "[4]"), ("uint8", r#"{"name":"bytes"}"#), &[]);
        let file = store.path().join("zarr.json");
        let text = fs::read_to_string(&file).unwrap();
        fs::write(&file, text + rest).unwrap();
        let (_, problems) = causes(store.path());
        let mut fixes = problems.iter().filter_map(|problem| problem.error.fix.as_deref());
        assert_eq!(fixes.any(|fix| fix.contains("written over a longer one")), is_named, "{rest}");
    }
}

/// A document with the markers of a merge says so.
#[test]
fn markers_of_a_merge_are_named() {
    let store = raw_store(("[4]", "[4]"), ("uint8", r#"{"name":"bytes"}"#), &[]);
    let file = store.path().join("zarr.json");
    let text = fs::read_to_string(&file).unwrap();
    let text =
        text.replacen('{', "{\n<<<<<<< HEAD\n", 1).replacen(',', ",\n=======\n>>>>>>> b\n", 1);
    fs::write(&file, text).unwrap();
    let (_, problems) = causes(store.path());
    let fixes: Vec<_> =
        problems.iter().filter_map(|problem| problem.error.fix.as_deref()).collect();
    assert!(fixes.iter().any(|fix| fix.contains("merge conflict")), "{fixes:?}");
}

/// Numbered names in C order: the letters at their fronts repeat in steps that look like the rows of order F.
#[test]
fn text_has_no_order_to_be_found() {
    let folder = crate::scratch();
    let (shape, chunk) = ([13_usize, 7], [5_usize, 4]);
    let document = r#"{"zarr_format":2,"shape":[13,7],"chunks":[5,4],"dtype":"<U5","fill_value":"","order":"C",
                       "filters":null,"compressor":null}"#;
    fs::write(folder.path().join(".zarray"), document).unwrap();
    for (row, column) in [(0, 0), (0, 1), (1, 0), (1, 1), (2, 0), (2, 1)] {
        let mut bytes = Vec::new();
        for (y, x) in (0..chunk[0]).flat_map(|y| (0..chunk[1]).map(move |x| (y, x))) {
            let at = [row * chunk[0] + y, column * chunk[1] + x];
            let is_inside = at[0] < shape[0] && at[1] < shape[1];
            let name =
                if is_inside { (at[0] * shape[1] + at[1]).to_string() } else { String::new() };
            let units = name.chars().map(u32::from).chain(std::iter::repeat(0));
            bytes.extend(units.take(5).flat_map(u32::to_le_bytes));
        }
        fs::write(folder.path().join(format!("{row}.{column}")), bytes).unwrap();
    }
    let ran = crate::cli::zarrscope(&["check", folder.path().to_str().unwrap()]).output().unwrap();
    let told = String::from_utf8(ran.stdout).unwrap();
    assert!(told.contains("0 errors, 0 warnings") && !told.contains("order"), "{told}");
}

/// The bytes that the codec below was asked to decode.
static DECODED: AtomicU64 = AtomicU64::new(0);

/// A codec that leaves bytes as they are and counts them; it says that it is as slow as the slowest there is.
#[derive(Debug)]
struct Counting;

/// The nanoseconds that it claims to take for a byte.
const EACH: u64 = 40;

static COUNTING: CodecRow = CodecRow {
    v3: &["example.counting"],
    nanoseconds: EACH,
    ..CodecRow::new(CodecKind::BytesToBytes, |_| Ok(Flagged::plain(Arc::new(Counting))))
};

impl Codec for Counting {
    fn encoded_size(&self, decoded: ByteCount) -> ByteCount {
        decoded
    }

    fn decode(&self, context: &Context<'_>) -> zarrscope::zarr::Result<Outcome> {
        let bytes = context.input.bytes().here();
        DECODED.fetch_add(bytes.len() as u64, Ordering::Relaxed);
        Ok(Outcome::bytes(bytes.to_vec()))
    }

    fn follow(&self, offset: u64, towards: Towards, passage: &Passage<'_>) -> ByteTarget {
        passage.byte(offset, towards)
    }
}

/// 200 ms an array, whatever the machine and its load: of large chunks behind the slowest codec, on which many readings
/// could be tried, so much is decoded and no more; `--deep` decodes more. What the codec counts is what is noted.
#[test]
fn a_diagnosis_decodes_what_it_may_and_no_more() {
    const LEN: u64 = 512 << 10;
    let field = |from: u16| -> Vec<u8> {
        let number = |at: u16| f32::from(at % 997).sin() + f32::from(from) + 280.0;
        (0..=u16::MAX).cycle().take(128 << 10).flat_map(|at| number(at).to_le_bytes()).collect()
    };
    let keys: Vec<String> = (0..8).map(|at| format!("c/{at}")).collect();
    let chunks: Vec<(&str, Vec<u8>)> =
        (0..).map(field).zip(&keys).map(|(bytes, key)| (key.as_str(), bytes)).collect();
    let codecs = format!(r#"{LITTLE},{{"name":"example.counting"}}"#);
    // Declared float64, the chunks are half as long as they should be; declared float32, nothing is wrong with them.
    for (data_type, is_healthy) in [("float64", false), ("int32", false), ("float32", true)] {
        let store = raw_store(("[1048576]", "[131072]"), (data_type, &codecs), &chunks);
        let decoded = |deep: bool| {
            let mut registry = Registry::default();
            registry.codecs.register(&COUNTING).unwrap();
            let (hierarchy, target) =
                Hierarchy::open_with(store.path(), Arc::new(registry)).unwrap();
            let options = CheckOptions { deep, ..CheckOptions::default() };
            DECODED.store(0, Ordering::Relaxed);
            let summary = check(&hierarchy, &target.node, &options, &mut |_| ());
            // Each chunk once for the check itself.
            (EACH * (DECODED.load(Ordering::Relaxed) - 8 * LEN), summary.work)
        };
        let ((plain, noted), (deep, _)) = (decoded(false), decoded(true));
        assert!(
            plain > 0 && plain <= noted && noted <= WORK,
            "{data_type}: {plain}, {noted} noted"
        );
        assert!(is_healthy || deep > plain, "{data_type}: {plain}, deep {deep}");
    }
}

/// Most chunks were unpacked on their way, the others were not: an edit of the metadata that reads the ones would break the
/// others, so none is proposed.
#[test]
fn what_some_chunks_lack_is_no_fault_of_the_metadata() {
    use std::io::Write as _;
    let folder = crate::scratch();
    let document = r#"{"zarr_format":2,"shape":[800],"chunks":[100],"dtype":"<i4","fill_value":0,"order":"C",
                       "filters":null,"compressor":{"id":"gzip","level":5}}"#;
    fs::write(folder.path().join(".zarray"), document).unwrap();
    for chunk in 0..8_i32 {
        let bytes: Vec<u8> = (0..100).flat_map(|at| (chunk * 100 + at).to_le_bytes()).collect();
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        gzip.write_all(&bytes).unwrap();
        let stored = if [1, 2, 4, 5, 7].contains(&chunk) { bytes } else { gzip.finish().unwrap() };
        fs::write(folder.path().join(chunk.to_string()), stored).unwrap();
    }
    let path = folder.path().to_str().unwrap();
    let ran = crate::cli::zarrscope(&["check", path]).output().unwrap();
    let told = String::from_utf8(ran.stdout).unwrap();
    assert!(told.contains("1, 2, 4 and 2 more were written with no codec"), "{told}");
    let ran = crate::cli::zarrscope(&["check", "--fixes", path]).output().unwrap();
    let fixes = String::from_utf8(ran.stdout).unwrap();
    assert!(!fixes.contains("compressor"), "{fixes}");
}

/// Times of another unit keep their byte order: the edit that is proposed changes the unit and nothing else.
#[test]
fn another_unit_of_times_is_no_other_byte_order() {
    for (sign, to_bytes) in [('<', i64::to_le_bytes as fn(i64) -> [u8; 8]), ('>', i64::to_be_bytes)]
    {
        let folder = crate::scratch();
        let document = format!(
            r#"{{"zarr_format":2,"shape":[200],"chunks":[100],"dtype":"{sign}M8[s]","fill_value":null,"order":"C",
                 "filters":null,"compressor":null}}"#
        );
        fs::write(folder.path().join(".zarray"), document).unwrap();
        for chunk in 0..2 {
            // Days from 2020 on, in nanoseconds.
            let day = |at: i64| (18_262 + chunk * 100 + at) * 86_400_000_000_000;
            let bytes: Vec<u8> = (0..100).flat_map(|at| to_bytes(day(at))).collect();
            fs::write(folder.path().join(chunk.to_string()), bytes).unwrap();
        }
        let path = folder.path().to_str().unwrap();
        let ran = crate::cli::zarrscope(&["check", "--fixes", path]).output().unwrap();
        let fixes = String::from_utf8(ran.stdout).unwrap();
        assert!(fixes.contains(&format!("\"dtype\":\"{sign}M8[ns]\"")), "{fixes}");
    }
}

/// Of two members of a document that are both wrong, both are named by one cause, whose edit makes the document that of
/// the clean twin, but for what no value tells.
#[test]
fn two_faults_of_a_document_are_told_as_one_cause() {
    let folder = unpacked();
    let cases = cases(folder.path());
    let two: Vec<&String> = cases.keys().filter(|name| name.contains("_and_")).collect();
    assert!(two.len() >= 10);
    let wrong: Vec<String> = two
        .into_iter()
        .filter(|name| {
            let (_, found) = causes(&folder.path().join(name).join("fault"));
            let both = found.iter().filter_map(|problem| problem.diagnosis.as_ref());
            !both.into_iter().any(|why| {
                let is_open = why.sentence.contains("no value tells which");
                why.sentence.contains("Then a second fault shows: the")
                    && (is_open || why.fix().is_some() && why.left == Some(0))
            })
        })
        .cloned()
        .collect();
    assert_eq!(wrong, Vec::<String>::new());
}

/// Bytes of elements, the least significant first.
fn bytes_of<const N: usize>(count: usize, value: impl Fn(usize) -> [u8; N]) -> Vec<u8> {
    (0..count).flat_map(value).collect()
}

/// The lowest byte of a number.
fn lowest(number: usize) -> u8 {
    number.to_le_bytes()[0]
}

/// Zeros from a page on, of a chunk that is in part beyond the array, and of one in the middle of a series from a power of two
/// on: the next one goes on.
#[test]
fn pages_of_any_chunk_that_were_never_written_are_told() {
    let lost = |mut bytes: Vec<u8>, from: usize| {
        bytes[from..].fill(0);
        bytes
    };
    let row = |at: usize| (1000 + at % 14 * 3 + at / 14).to_le_bytes();
    let field = |first: usize| bytes_of(367 * 14, |at| [row(first + at)[0], row(first + at)[1]]);
    let padded = |first: usize| lost(field(first), 366 * 14 * 2);
    let time = |chunk: usize| {
        bytes_of(3361, |at| {
            f64::from(u32::try_from(36_524 + chunk * 3361 + at).unwrap()).to_le_bytes()
        })
    };
    let of_field = |last: Vec<u8>| {
        let chunks = [("c/0/0", field(0)), ("c/1/0", last)];
        causes(raw_store(("[733,14]", "[367,14]"), ("uint16", LITTLE), &chunks).path()).0
    };
    let of_time = |second: Vec<u8>| {
        let mut chunks = ["c/0", "c/1", "c/2", "c/3", "c/4"].into_iter().zip((0..5).map(time));
        let chunks: Vec<_> = chunks
            .by_ref()
            .map(|(key, it)| (key, if key == "c/1" { second.clone() } else { it }))
            .collect();
        causes(raw_store(("[16805]", "[3361]"), ("float64", LITTLE), &chunks).path()).0
    };
    let told = ["lost-write (likely)"];
    assert_eq!(of_field(padded(367 * 14)), Vec::<String>::new());
    assert_eq!(of_field(lost(padded(367 * 14), 4096)), told);
    assert_eq!(of_time(time(1)), Vec::<String>::new());
    assert_eq!(of_time(lost(time(1), 8192)), told);
}

#[test]
fn bytes_that_are_moved_from_one_place_on_are_told() {
    let field = |first: usize| {
        bytes_of(64 * 128, |at| {
            let (y, x) = ((first + at / 128) as f32, (at % 128) as f32);
            (280.0 + 9.0 * (y / 40.0).sin() + 6.0 * (x / 19.0 + y / 90.0).cos()).to_le_bytes()
        })
    };
    let of = |second: Vec<u8>| {
        let chunks = [("c/0/0", field(0)), ("c/1/0", second)];
        causes(raw_store(("[128,128]", "[64,128]"), ("float32", LITTLE), &chunks).path())
    };
    let moved = |at: usize, bytes: &[u8], gone: usize| {
        let whole = field(64);
        let parts = [&whole[..at], bytes, &whole[at + gone..], &[0; 4][..gone]].concat();
        parts[..whole.len()].to_vec()
    };
    assert_eq!(of(field(64)).0, Vec::<String>::new());
    for (second, told) in
        [(moved(16_384, &[7], 0), "1 byte later"), (moved(8_200, &[], 1), "1 byte earlier")]
    {
        let (codes, problems) = of(second);
        assert_eq!(codes, ["shifted (likely)"]);
        let text = format!("{problems:?}");
        assert!(text.contains(told), "{text}");
    }
    // Whole elements, and what is rough in every reading.
    assert_eq!(of(moved(16_384, &[0, 0, 128, 67], 0)).0, Vec::<String>::new());
}

/// Integers of which the same one is the NaN of floats again and again are floats.
#[test]
fn integers_that_are_nan_are_floats() {
    let value = |y: usize, x: usize| {
        let (y, x) = (f64::from(u32::try_from(y).unwrap()), f64::from(u32::try_from(x).unwrap()));
        0.006 + 0.004 * ((y / 9.0).sin() + (x / 7.0 + y / 31.0).cos()) / 2.0
    };
    #[expect(clippy::cast_possible_truncation, reason = "float32 is what is stored")]
    let element = |y: usize, x: usize| {
        let is_land = (y / 5 + x / 6).is_multiple_of(3);
        (if is_land { f32::NAN } else { value(y, x) as f32 }).to_le_bytes()
    };
    let keys: Vec<String> =
        (0..4).flat_map(|y| (0..4).map(move |x| format!("c/{y}/{x}"))).collect();
    let chunk = |at: usize| bytes_of(256, |n| element(at / 4 * 16 + n / 16, at % 4 * 16 + n % 16));
    let chunks: Vec<(&str, Vec<u8>)> =
        keys.iter().enumerate().map(|(at, key)| (key.as_str(), chunk(at))).collect();
    let of = |name| causes(raw_store(("[64,64]", "[16,16]"), (name, LITTLE), &chunks).path()).0;
    assert_eq!(of("int32"), ["data-type (likely)"]);
    // The last of the missing begins at a border of chunks, which tells nothing of how they were written.
    assert_eq!(of("float32"), Vec::<String>::new());
}

/// A V2 array of one dimension with such filters, and its chunks.
fn filtered((dtype, len): (&str, usize), codecs: &str, chunks: &[Vec<u8>]) -> Vec<String> {
    let folder = crate::scratch();
    let document = format!(
        r#"{{"zarr_format":2,"shape":[{}],"chunks":[{len}],"dtype":"{dtype}","fill_value":0,"order":"C",{codecs}}}"#,
        len * chunks.len()
    );
    fs::write(folder.path().join(".zarray"), document).unwrap();
    for (at, bytes) in chunks.iter().enumerate() {
        fs::write(folder.path().join(at.to_string()), bytes).unwrap();
    }
    causes(folder.path()).0
}

/// Bytes in planes: all first bytes of the elements, all second ones.
fn shuffled<const N: usize>(elements: &[[u8; N]]) -> Vec<u8> {
    (0..N).flat_map(|byte| elements.iter().map(move |it| it[byte])).collect()
}

/// Filters in the reverse order, a shuffle for another size, and one that is not declared are told of values that are smooth
/// enough as they are declared.
#[test]
fn filters_are_told_of_smooth_values() {
    let height = |at: usize| {
        let x = f64::from(u32::try_from(at).unwrap());
        #[expect(clippy::cast_possible_truncation, reason = "a height is below 1,000")]
        let height = (400.0 + 300.0 * (x / 37.0).sin() + 40.0 * (x / 5.3).sin()) as i16;
        height
    };
    let delta = |chunk: usize| {
        let value = |at: usize| height(chunk * 230 + at);
        let step = |at: usize| if at == 0 { value(0) } else { value(at) - value(at - 1) };
        shuffled(&(0..230).map(|at| step(at).to_le_bytes()).collect::<Vec<_>>())
    };
    let chunks: Vec<_> = (0..12).map(delta).collect();
    let [first, last] = [r#"{"id":"delta","dtype":"<i2"}"#, r#"{"id":"shuffle","elementsize":2}"#];
    let of = |a, b| {
        let codecs = format!(r#""compressor":null,"filters":[{a},{b}]"#);
        filtered(("<i2", 230), &codecs, &chunks)
    };
    assert_eq!(of(last, first), ["filter (likely)"]);
    assert_eq!(of(first, last), Vec::<String>::new());

    let hours: Vec<_> = (0..8407_i32).map(|at| (438_000 + 6 * at).to_le_bytes()).collect();
    let of = |filters: &str| {
        let codecs = format!(r#""compressor":null,"filters":{filters}"#);
        filtered(("<i4", 8407), &codecs, &[shuffled(&hours)])
    };
    assert_eq!(of("null"), ["filter (likely)"]);
    assert_eq!(of(r#"[{"id":"shuffle","elementsize":4}]"#), Vec::<String>::new());

    let scattered = |at: usize| at.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 60;
    let count = |at: usize| {
        (300 + height(at / 7).unsigned_abs() as usize / 2 + scattered(at)).to_le_bytes()
    };
    let counts =
        |chunk: usize| shuffled(&(0..4000).map(|at| count(chunk * 4000 + at)).collect::<Vec<_>>());
    let chunks: Vec<_> = (0..4).map(counts).collect();
    let of = |size: u64| {
        let codecs =
            format!(r#""compressor":null,"filters":[{{"id":"shuffle","elementsize":{size}}}]"#);
        filtered(("<i8", 4000), &codecs, &chunks)
    };
    assert_eq!(of(4), ["filter (likely)"]);
    assert_eq!(of(8), Vec::<String>::new());
    // Nothing is done as often as a document says.
    assert_eq!(of(1 << 60), ["filter (likely)"]);
}

/// A codec that fails at once costs nothing: that large chunks were written without it is found out.
#[test]
fn large_chunks_that_a_slow_codec_refuses_are_explained() {
    let label = |at: usize| [lowest(at / 136 / 90), 0, 0, 0, 0, 0, 0, 0];
    let chunks: Vec<Vec<u8>> = (0..4)
        .map(|chunk| {
            shuffled(&(0..831 * 136).map(|at| label(chunk * 831 * 136 + at)).collect::<Vec<_>>())
        })
        .collect();
    let codecs =
        r#""compressor":{"id":"bz2","level":5},"filters":[{"id":"shuffle","elementsize":8}]"#;
    assert_eq!(filtered(("<i8", 831 * 136), codecs, &chunks), ["codec (likely)"]);
}

/// Chunks that a job put together in another order go on into each other in one order only.
#[test]
fn chunks_in_another_order_are_told() {
    let of = |order: [u8; 7]| {
        let chunk = |part: u8| {
            let at = |n: i16| i16::from(part) * 900 + n / 12 * 90 + n % 12 * 3 + n * n % 7;
            (0..120).flat_map(|n| at(n).to_le_bytes()).collect::<Vec<u8>>()
        };
        let chunks =
            order.into_iter().zip(0..).map(|(part, at)| (format!("c/{at}/0"), chunk(part)));
        let chunks: Vec<(String, Vec<u8>)> = chunks.collect();
        let chunks: Vec<(&str, Vec<u8>)> =
            chunks.iter().map(|(key, bytes)| (key.as_str(), bytes.clone())).collect();
        let store = raw_store(("[70,12]", "[10,12]"), ("int16", LITTLE), &chunks);
        causes(store.path()).0
    };
    assert_eq!(of([0, 1, 2, 3, 4, 5, 6]), Vec::<String>::new());
    assert_eq!(of([0, 4, 2, 6, 1, 5, 3]), ["chunk-swapped (likely)"]);
}

/// A mask of 0 and 255 that was compressed with losses is no field of small signed integers, which looks much the same.
#[test]
fn masks_are_no_signed_integers() {
    let chunks = |is_mask: bool| {
        bytes_of(4096, |at| {
            let (y, x) = (at / 64, at % 64);
            let ripple = if at % 7 == 3 { lowest(at / 7 % 9) } else { 0 };
            let is_inside = y.abs_diff(30).pow(2) + x.abs_diff(34).pow(2) < 400;
            // The same values, of which none is an end of the range again and again.
            let value = if is_mask { ripple } else { lowest(y * x / 11 % 9) };
            [if is_inside { !value } else { value }]
        })
    };
    let of = |is_mask| {
        let document = raw_store(
            ("[64,64]", "[64,64]"),
            ("uint8", r#"{"name":"bytes"}"#),
            &[("c/0/0", chunks(is_mask))],
        );
        causes(document.path()).0
    };
    assert_eq!(of(true), Vec::<String>::new());
    assert_eq!(of(false), ["data-type (likely)"]);
}

/// Of stores that were drawn at random, and of which no cause was named once, it is; of their clean twins none is.
#[test]
fn drawn_faults_are_named() {
    let unpacked = unpacked_from("drawn.zip");
    let folder = unpacked.path();
    let cases: Vec<(String, String)> = cases(folder).into_iter().collect();
    let found = in_threads(&cases, |(case, _)| {
        ["fault", "clean"].map(|twin| causes(&folder.join(case).join(twin)).0)
    });
    for ((case, causes), [fault, clean]) in cases.iter().zip(found) {
        let named =
            |it: &String| causes.split('|').any(|cause| it.starts_with(&format!("{cause} (")));
        assert!(fault.iter().any(named), "{case}: {causes} expected, {fault:?}");
        assert_eq!(clean, Vec::<String>::new(), "{case}/clean");
    }
}
