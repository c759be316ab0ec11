//! Fixes: each that is offered makes a store what it should be; where none does, none is offered.

#![allow(clippy::cast_possible_truncation)] // Small numbers of the stores that are made here.

use crate::{
    cli::zarrscope,
    diagnosis::{LITTLE, cases, in_threads, raw_store, unpacked, unpacked_from},
};
use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    io::Write as _,
    path::Path,
    process::{Command, Stdio},
};
use zarrscope::zarr::{
    Change, FixSequence, Hierarchy, Problem, Severity,
    check::{CheckOptions, Event, check},
};

fn findings(store: &Path) -> Vec<Problem> {
    let (hierarchy, target) = Hierarchy::open(store).unwrap();
    let mut problems = Vec::new();
    check(&hierarchy, &target.node, &CheckOptions::default(), &mut |event| {
        if let Event::Problem(_, problem) = event {
            problems.push(problem);
        }
    });
    problems
}

fn fixes(problems: &[Problem]) -> Vec<Change> {
    let causes = problems.iter().filter_map(|problem| problem.diagnosis.as_ref());
    causes.filter_map(|cause| cause.fix().cloned()).collect()
}

/// The kinds of the errors and warnings.
fn kinds(problems: &[Problem]) -> BTreeSet<String> {
    let faults = problems.iter().filter(|problem| problem.severity != Severity::Note);
    faults.map(|problem| problem.error.code.to_string()).collect()
}

/// Runs in the folder of a store what `check --fixes` prints, one fix after the other.
fn apply(store: &Path, fixes: &[Change]) {
    let mut sequence = FixSequence::default();
    let lines: Vec<String> = fixes.iter().map(|fix| sequence.script(fix).to_string()).collect();
    let text = lines.join("\n");
    let mut command = Command::new("sh");
    command.arg("-e").current_dir(store).stdin(Stdio::piped()).stdout(Stdio::null());
    let mut ran = command.spawn().unwrap();
    ran.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
    assert!(ran.wait().unwrap().success(), "{}: {text}", store.display());
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let (path, target) = {
            let entry = entry.unwrap();
            (entry.path(), to.join(entry.file_name()))
        };
        if path.is_dir() {
            copy(&path, &target);
        } else {
            fs::copy(path, target).unwrap();
        }
    }
}

/// True if both stores have the same values; of data types that cannot be compared, the same texts of them.
fn are_equal(one: &Path, other: &Path) -> bool {
    let [one, other] = [one, other].map(|path| path.to_str().unwrap());
    let values = |path| zarrscope(&["export", path]).output().unwrap().stdout;
    let is_same = zarrscope(&["compare", one, other]).output().unwrap().status.success();
    is_same || !values(one).is_empty() && values(one) == values(other)
}

/// The outcome of applying all fixes of a case: `None` where there are none.
fn outcome(case: &Path) -> Option<&'static str> {
    let (fault, clean) = (case.join("fault"), case.join("clean"));
    let found = fixes(&findings(&fault));
    if found.is_empty() {
        return None;
    }
    let folder = crate::scratch();
    let fixed = folder.path().join("fixed");
    copy(&fault, &fixed);
    apply(&fixed, &found);
    let after = findings(&fixed);
    let is_clean = kinds(&after) == kinds(&findings(&clean)) && fixes(&after).is_empty();
    Some(match (are_equal(&fixed, &clean), is_clean) {
        (true, true) => "equal",
        (true, false) => "equal, with findings",
        (false, true) => "differs, and checks clean",
        (false, false) => "differs, with findings",
    })
}

/// Each fix that is printed for a fault makes the store equal to its clean twin, in values and in findings.
#[test]
fn fixes_make_stores_equal_to_their_clean_twins() {
    let programs = ["patch", "xxd", "iconv", "funzip", "python3"];
    if programs.iter().any(|name| Command::new(name).arg("--help").output().is_err()) {
        return;
    }
    let unpacked = unpacked();
    // All of them take minutes: EVERY_FIX=1 asks for that, else every fourth stands for the others.
    let step = if std::env::var_os("EVERY_FIX").is_some() { 1 } else { 4 };
    let names: Vec<String> = cases(unpacked.path()).into_keys().step_by(step).collect();
    let outcomes = in_threads(&names, |case| outcome(&unpacked.path().join(case)));
    let mut counts = BTreeMap::<&str, usize>::new();
    for (case, outcome) in names.iter().zip(outcomes) {
        let outcome = outcome.unwrap_or("no fix");
        *counts.entry(outcome).or_default() += 1;
        assert!(["equal", "no fix"].contains(&outcome), "{case}: {outcome}");
    }
    assert!(counts["equal"] * step >= 160, "{counts:?}");
}

/// Two arrays whose copies are on the only line of one document are mended one after the other.
#[test]
fn fixes_of_several_arrays_go_together() {
    let unpacked = unpacked_from("blind6.zip");
    for case in ["06-checksums-that-nothing-mentions", "07-coordinates-without-their-codec"] {
        let case = unpacked.path().join(case);
        assert!(fixes(&findings(&case.join("fault"))).len() > 1);
        assert_eq!(outcome(&case), Some("equal"));
    }
}

/// Writes a file below `folder`, with the folders that it needs.
fn write(folder: &Path, key: &str, bytes: impl AsRef<[u8]>) {
    let file = folder.join(key);
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(file, bytes).unwrap();
}

fn wave(from: i32, count: i32, middle: i16) -> Vec<u8> {
    let at = |t: i32| {
        middle + t.rem_euclid(400) as i16 * 50 - (t.rem_euclid(400) - 200).max(0) as i16 * 100
    };
    (from..from + count).flat_map(|t| at(t).to_le_bytes()).collect()
}

/// The document of an array along `t`.
fn along_t(data_type: &str, length: u32) -> String {
    format!(
        r#"{{"zarr_format":3,"node_type":"array","shape":[{length}],"data_type":"{data_type}","dimension_names":["t"],
        "chunk_grid":{{"name":"regular","configuration":{{"chunk_shape":[100]}}}},
        "chunk_key_encoding":{{"name":"default"}},"fill_value":0,"codecs":[{LITTLE}],"attributes":{{}}}}"#
    )
}

const GROUP: &str =
    r#"{"zarr_format":3,"node_type":"group","attributes":{"Conventions":"CF-1.8"}}"#;

/// The advice of the only cause.
fn to_do(problems: &[Problem]) -> String {
    let causes: Vec<_> = problems.iter().filter_map(|it| it.diagnosis.as_ref()).collect();
    let [cause] = causes.as_slice() else { panic!("{causes:?}") };
    assert_eq!(cause.fix(), None);
    cause.to_do.clone().unwrap_or_default()
}

/// Applies the only fix that is found, after which nothing is found and nothing is offered.
fn apply_the_only_one(store: &Path) -> Change {
    let found = findings(store);
    let [fix] = fixes(&found).try_into().unwrap();
    apply(store, std::slice::from_ref(&fix));
    let after = findings(store);
    assert!(kinds(&after).is_empty() && fixes(&after).is_empty(), "{after:?}");
    let left = found.iter().filter_map(|problem| problem.diagnosis.as_ref()?.left);
    assert_eq!(left.collect::<Vec<_>>(), [0]);
    fix
}

/// Chunks past the end of an array are left over, or its shape was set back: no shape is offered.
#[test]
fn a_shape_does_not_grow_by_a_guess() {
    let folder = crate::scratch();
    write(folder.path(), "zarr.json", along_t("int16", 200));
    for chunk in 0..3 {
        write(folder.path(), &format!("c/{chunk}"), wave(chunk * 100, 100, 0));
    }
    let to_do = to_do(&findings(folder.path()));
    assert!(to_do.starts_with("find out which it is"), "{to_do}");
}

/// Keys that are counted from 1 are renamed in place, by commands that leave nothing to be done by hand.
#[test]
fn renamed_chunks_are_under_their_keys() {
    let keys: Vec<String> = (1..=12).map(|at| format!("c/{at}")).collect();
    let chunks: Vec<(&str, Vec<u8>)> =
        (0..).zip(&keys).map(|(at, key)| (key.as_str(), wave(at * 100, 100, 0))).collect();
    let store = raw_store(("[1200]", "[100]"), ("int16", LITTLE), &chunks);
    let fix = apply_the_only_one(store.path());
    let text = fix.script();
    assert!(!text.contains("moved/"), "{text}");
    for (at, (_, bytes)) in chunks.iter().enumerate() {
        assert_eq!(fs::read(store.path().join(format!("c/{at}"))).unwrap(), *bytes);
    }
}

/// The end of a file is only cut off where it is padding.
#[test]
fn only_padding_is_cut_off() {
    let zstd =
        format!(r#"{LITTLE},{{"name":"zstd","configuration":{{"level":1,"checksum":false}}}}"#);
    let packed = |at| zstd::encode_all(&wave(at, 100, 0)[..], 1).unwrap();
    for (rest, is_padding) in
        [(vec![0; 77], true), (b"\n\n\n".to_vec(), true), ((1..78).collect(), false)]
    {
        let chunks =
            [("c/0", packed(0)), ("c/1", [packed(100), rest].concat()), ("c/2", packed(200))];
        let store = raw_store(("[300]", "[100]"), ("int16", &zstd), &chunks);
        if is_padding {
            apply_the_only_one(store.path());
        } else {
            let to_do = to_do(&findings(store.path()));
            assert!(to_do.contains("find out whether the last 77 bytes of c/1"), "{to_do}");
        }
    }
}

/// Streams of zfp say nothing of their end: what follows is cut off where it is zeros, and else is not.
#[test]
fn streams_of_zfp_are_cut_where_zeros_follow() {
    // 64 float64 each, as numcodecs 0.17.0 writes them within 0.001.
    let streams = [
        "7a667005f3030000000090ca01480d53c068b47b002d6c4adc0c19c7001a9cf22c08687607d00050070541500368d0edd91c08180ea05507c5cdccaf05a075c13206d9a401c80e5812a65a3980cc1685d5dc6df2002eea827766e72c03b800b87714562303b8800cee2e20960770916d6315619314803c45d33b89fe0c406ad010ecadef005a9814b42a293500000000",
        "7a667005f3030000000090ca03686543f084c0f007d000ee11d4c0490ca041a756720330388056588436758a3780960d9bdcc5fcfeffa96543a096c903c84c509a0985f60ee0a20e684567af34800b80636741073e800be8c28844c07f001799b46674635803c83a2d0a8b13bdffa39201d379fc005a9806b9a2008401b4b2257270334a036800e76c2ce0e800000000",
        "7a667005f3030000000090ca0368808d9d10c0150ea01586ad81cd7e0ca065cb366656cdf87f4ad89028c63c80cc14c9d19030ee002ec2225747a05a03b8801b1cd140940ee0023a39b289b918c045a6c0995504de00326cc23b3129beffa39001d229f1005adc96b132a29f01b432216b73656b036800c74a08a65a07d0005b3b3898aa1e402b2ec11b03cd02000000",
    ];
    let bytes = |text: &str| -> Vec<u8> {
        let digits: Vec<u32> = text.chars().filter_map(|digit| digit.to_digit(16)).collect();
        digits.chunks(2).map(|pair| u8::try_from(pair[0] * 16 + pair[1]).unwrap()).collect()
    };
    for (rest, is_padding) in [(vec![0; 40], true), ((1..41).collect(), false)] {
        let folder = crate::scratch();
        let document = r#"{"zarr_format":2,"shape":[192],"chunks":[64],"dtype":"<f8","fill_value":0,"order":"C","filters":null,
            "compressor":{"id":"zfpy","mode":4,"tolerance":0.001,"rate":-1,"precision":-1,"compression_kwargs":{"tolerance":0.001}}}"#;
        write(folder.path(), ".zarray", document);
        for (at, stream) in streams.iter().enumerate() {
            let rest = if at == 1 { rest.as_slice() } else { &[] };
            write(folder.path(), &at.to_string(), [&bytes(stream), rest].concat());
        }
        if is_padding {
            apply_the_only_one(folder.path());
            assert_eq!(fs::read(folder.path().join("1")).unwrap(), bytes(streams[1]));
        } else {
            assert!(fixes(&findings(folder.path())).is_empty());
        }
    }
}

/// A data type of which only the width is known is named by no edit.
#[test]
fn a_type_is_told_only_where_no_other_fits() {
    for (middle, is_told) in [(-5_000, true), (3_000, false)] {
        let chunks = [("c/0", wave(0, 400, middle)), ("c/1", wave(400, 400, middle))];
        for declared in ["int32", "float32"] {
            let store = raw_store(("[800]", "[400]"), (declared, LITTLE), &chunks);
            let found = fixes(&findings(store.path()));
            let named: Vec<_> = found
                .iter()
                .map(|fix| matches!(fix, Change::Metadata(_, edits) if edits.iter().any(|it| it.patch.contains(r#""int16""#))))
                .collect();
            assert!(named.iter().all(|named| *named && is_told), "{middle} {declared}: {found:?}");
            assert!(!is_told || declared == "float32" || !found.is_empty(), "{middle}");
        }
    }
}

/// A smooth series behind the filters of numcodecs' documentation: differences look as plausible as what they are of.
#[test]
fn filters_that_are_right_are_kept() {
    for (scale, offset) in [(10.0, 0.0), (100.0, 0.0), (10.0, 6.0)] {
        let folder = crate::scratch();
        let document = format!(
            r#"{{"zarr_format":2,"shape":[400],"chunks":[100],"dtype":"<f8","fill_value":0,"order":"C","compressor":null,
            "filters":[{{"id":"fixedscaleoffset","scale":{scale},"offset":{offset},"dtype":"<f8","astype":"<i4"}},
                       {{"id":"delta","dtype":"<i4"}}]}}"#
        );
        write(folder.path(), ".zarray", document);
        for chunk in 0..4_i32 {
            let packed =
                |t: i32| ((0.0025 * f64::from(t * t) + 6.0 - offset) * scale).round() as i32;
            let stored = (chunk * 100..chunk * 100 + 100)
                .map(|t| if t % 100 == 0 { packed(t) } else { packed(t) - packed(t - 1) });
            write(
                folder.path(),
                &chunk.to_string(),
                stored.flat_map(i32::to_le_bytes).collect::<Vec<_>>(),
            );
        }
        assert_eq!(fixes(&findings(folder.path())), []);
    }
}

/// Files of references are no chunks under other names.
#[test]
fn files_of_references_are_not_renamed() {
    let folder = crate::scratch();
    let array = r#"{"zarr_format":2,"shape":[400],"chunks":[200],"dtype":"<i2","fill_value":0,"order":"C","compressor":
        {"id":"zlib","level":1},"filters":null}"#;
    let metadata = format!(
        r#"{{"record_size":1,"zarr_consolidated_format":1,"metadata":{{".zgroup":{{"zarr_format":2}},"a/.zarray":{array}}}}}"#
    );
    write(folder.path(), ".zmetadata", metadata);
    for at in 0..2 {
        write(
            folder.path(),
            &format!("a/refs.{at}.parq"),
            [b"PAR1", &[7; 40][..], b"PAR1"].concat(),
        );
    }
    assert_eq!(fixes(&findings(folder.path())), []);
}

/// The copies of an edited document are edited with it.
#[test]
fn copies_are_edited_with_their_document() {
    let folder = crate::scratch();
    let array = along_t("int32", 200);
    let copies = format!(
        r#"{{"zarr_format":3,"node_type":"group","attributes":{{}},
        "consolidated_metadata":{{"kind":"inline","must_understand":false,"metadata":{{"a":{array}}}}}}}"#
    );
    write(folder.path(), "zarr.json", copies);
    write(folder.path(), "a/zarr.json", &array);
    write(folder.path(), "a/c/0", wave(0, 100, -2_500));
    write(folder.path(), "a/c/1", wave(100, 100, -2_500));
    apply_the_only_one(folder.path());
}

/// The advice to consolidate again is given where that helps: not of a store that was copied into another one, and not where
/// it does not reach the node.
#[test]
fn to_consolidate_again_is_advised_where_it_helps() {
    let advice = |files: &[(&str, &str)]| {
        let folder = crate::scratch();
        let copies = r#"{"zarr_format":3,"node_type":"group","attributes":{},"consolidated_metadata":
            {"kind":"inline","must_understand":false,"metadata":{}}}"#;
        write(folder.path(), "zarr.json", copies);
        for (key, text) in files {
            write(folder.path(), key, text);
        }
        let found = findings(folder.path());
        let missing = found.iter().filter(|it| it.error.code.as_str() == "consolidated-missing");
        missing.map(|it| it.error.fix.clone().unwrap()).collect::<Vec<_>>()
    };
    let [plain] = advice(&[("a/zarr.json", GROUP)]).try_into().unwrap();
    assert!(plain.ends_with(": consolidate again."), "{plain}");
    let inner = format!(
        r#"{{"zarr_format":3,"node_type":"group","attributes":{{}},"consolidated_metadata":
        {{"kind":"inline","must_understand":false,"metadata":{{"a":{GROUP}}}}}}}"#
    );
    let [copied] = advice(&[("s/zarr.json", &inner), ("s/a/zarr.json", GROUP)]).try_into().unwrap();
    assert!(copied.contains("find out whether it belongs here"), "{copied}");
    let [apart] = advice(&[("folder/a/zarr.json", GROUP)]).try_into().unwrap();
    assert!(apart.contains("does not reach it: folder has no zarr.json"), "{apart}");
}
