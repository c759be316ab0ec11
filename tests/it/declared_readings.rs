//! The declared reading is right until shown otherwise: ordinary data behind filters, and data that begin anew at the borders
//! of chunks, have no cause; where several readings fit, all are named and no edit is proposed.

use crate::diagnosis::causes;
use std::{fmt::Write, fs, path::Path};
use tempfile::TempDir;
use zarrscope::zarr::Problem;

/// A V2 array of chunks without a compressor.
fn v2_store(
    (shape, chunks): (&str, &str),
    (dtype, filters): (&str, &str),
    files: impl IntoIterator<Item = (String, Vec<u8>)>,
) -> TempDir {
    let folder = crate::scratch();
    let document = format!(
        r#"{{"zarr_format":2,"shape":{shape},"chunks":{chunks},"dtype":"{dtype}","compressor":null,"fill_value":0,
            "order":"C","filters":{filters}}}"#
    );
    fs::write(folder.path().join(".zarray"), document).unwrap();
    for (key, bytes) in files {
        fs::write(folder.path().join(key), bytes).unwrap();
    }
    folder
}

/// The bytes of elements, all first bytes before all second ones.
fn shuffled(bytes: &[u8], size: usize) -> Vec<u8> {
    (0..size).flat_map(|plane| bytes.iter().skip(plane).step_by(size).copied()).collect()
}

/// True if a finding of the store says `text`.
fn finds(problems: &[Problem], text: &str) -> bool {
    problems.iter().filter_map(|it| it.diagnosis.as_ref()).any(|it| it.sentence.contains(text))
}

const SCALED_DELTA: &str = r#"[{"id":"fixedscaleoffset","scale":100,"offset":1000,"dtype":"<f8","astype":"<i4"},
    {"id":"delta","dtype":"<i4"}]"#;

/// A smooth series in whole steps and their differences, chunk by chunk.
fn differences(chunks: i32, length: i32) -> Vec<(String, Vec<u8>)> {
    #[expect(clippy::cast_possible_truncation, reason = "small numbers")]
    let step = |at: i32| ((f64::from(at) / 50.0).sin() * 1000.0).round() as i32;
    let chunk = |chunk: i32| {
        let first = chunk * length;
        let difference = |at: i32| if at == first { step(at) } else { step(at) - step(at - 1) };
        (first..first + length).flat_map(|at| difference(at).to_le_bytes()).collect()
    };
    (0..chunks).map(|at| (at.to_string(), chunk(at))).collect()
}

/// Differences of a smooth series are smoother than it: that tells of no filter that was never applied.
#[test]
fn differences_are_not_ranked_against_their_sums() {
    for length in [100, 200] {
        let files = differences(800 / length, length);
        let store = v2_store(("[800]", &format!("[{length}]")), ("<f8", SCALED_DELTA), files);
        assert_eq!(causes(store.path()).0, Vec::<String>::new(), "{length}");
    }
}

/// Whole numbers as floats have zeros in half of their bytes, which read as elements of another size alternate.
#[test]
fn alternating_zeros_are_no_smoothness() {
    let value = |row: usize, column: usize| {
        let wave = (f64::from(u32::try_from(column).unwrap()) / 5.0).sin();
        (10.0 * wave).round() + f64::from(u32::try_from(row % 3).unwrap()) * 50.0
    };
    let chunk = |at: (usize, usize)| {
        let rows = at.0 * 12..at.0 * 12 + 12;
        let values =
            rows.flat_map(|row| (at.1 * 16..at.1 * 16 + 16).map(move |column| (row, column)));
        let bytes: Vec<u8> =
            values.flat_map(|(row, column)| value(row, column).to_le_bytes()).collect();
        shuffled(&bytes, 8)
    };
    let places = (0..4).flat_map(|row| (0..3).map(move |column| (row, column)));
    let files = places.map(|at| (format!("{}.{}", at.0, at.1), chunk(at)));
    let filter = r#"[{"id":"shuffle","elementsize":8}]"#;
    let store = v2_store(("[48,48]", "[12,16]"), ("<f8", filter), files);
    let (found, _) = causes(store.path());
    assert!(!found.iter().any(|cause| cause.starts_with("filter")), "{found:?}");
}

/// Every type that fits is named if only the width is known, and no edit chooses one.
#[test]
fn types_that_nothing_tells_apart_are_all_named() {
    let value = |at: i16| 300 + at % 100 + at / 7;
    let chunk = |chunk: i16| -> Vec<u8> {
        (chunk * 500..chunk * 500 + 500).flat_map(|at| value(at).to_le_bytes()).collect()
    };
    let files = (0..4).map(|at| (at.to_string(), chunk(at)));
    let store = v2_store(("[2000]", "[500]"), ("<f4", "null"), files);
    let (_, problems) = causes(store.path());
    assert!(finds(&problems, "int16 or uint16 (no value tells which)"), "{problems:?}");
    let mut offered = problems.iter().filter_map(|it| it.diagnosis.as_ref()?.fix());
    assert!(offered.next().is_none(), "{problems:?}");
}

/// Sums since the start of each chunk hold the fill value there, and rise from it: no writer lost that.
#[test]
fn sums_that_begin_anew_are_no_lost_writes() {
    let chunk = |day: u32| -> Vec<u8> {
        let dry = 3 + 3 * (day % 3);
        let sum = |hour: u32| f64::from(hour.saturating_sub(dry)) * 0.0003;
        (0..24).flat_map(|hour| sum(hour).to_le_bytes()).collect()
    };
    let files = (0..20).map(|at| (at.to_string(), chunk(at)));
    let store = v2_store(("[480]", "[24]"), ("<f8", "null"), files);
    assert_eq!(causes(store.path()).0, Vec::<String>::new());
}

/// A coast that runs along a column: land at both ends of each row is no row that begins elsewhere.
#[test]
fn a_coast_does_not_shift_rows() {
    let sea = |row: u16, column: u16| {
        let wave = (f64::from(row) / 7.0).sin() + (f64::from(column) / 5.0).cos();
        if (10..30).contains(&column) { 280.0 + wave } else { f64::NAN }
    };
    let cells = (0..40).flat_map(|row| (0..40).map(move |column| (row, column)));
    let bytes = cells.flat_map(|(row, column)| sea(row, column).to_le_bytes()).collect();
    let store = v2_store(("[40,40]", "[40,40]"), ("<f8", "null"), [("0.0".to_owned(), bytes)]);
    assert_eq!(causes(store.path()).0, Vec::<String>::new());
}

/// The order of filters is told where nobody measures what comes of the declared one.
#[test]
fn exchanged_filters_are_told() {
    let exchanged = r#"[{"id":"delta","dtype":"<i4"},
        {"id":"fixedscaleoffset","scale":100,"offset":1000,"dtype":"<f8","astype":"<i4"}]"#;
    #[expect(clippy::cast_possible_truncation, reason = "small numbers")]
    let step = |at: i32| ((f64::from(at) / 50.0).sin() * 1000.0).round() as i32 + at * 7919 % 61;
    let chunk = |first: i32| {
        let number = |at: i32| if at == first { step(at) } else { step(at) - step(at - 1) };
        (first..first + 1000).flat_map(|at| number(at).to_le_bytes()).collect()
    };
    let files = (0..4).map(|at| (at.to_string(), chunk(at * 1000)));
    let store = v2_store(("[4000]", "[1000]"), ("<f8", exchanged), files);
    let (found, problems) = causes(store.path());
    assert!(finds(&problems, "The filters were applied in the reverse order."), "{found:?}");
}

/// Little-endian numbers that are declared as big-endian ones are told as that, whatever filter is before them.
#[test]
fn liars_behind_filters_are_told_as_liars() {
    let wave = |at: i32| (f64::from(at) / 40.0).sin() * 900.0 + 3.0 * f64::from(at % 7);
    #[expect(clippy::cast_possible_truncation, reason = "small numbers")]
    let bytes = |kind: &str, number: f64| match kind {
        "f4" => (number as f32).to_le_bytes().to_vec(),
        "f8" => number.to_le_bytes().to_vec(),
        "i2" => (number as i16).to_le_bytes().to_vec(),
        _ => (number as i32).to_le_bytes().to_vec(),
    };
    for (kind, filters) in [("f4", 2), ("f8", 2), ("i2", 3), ("i4", 3)] {
        for filter in ["none", "shuffle", "delta"].iter().take(filters) {
            let size = usize::from(kind.as_bytes()[1] - b'0');
            let number = |at: i32| {
                let before =
                    if *filter == "delta" && at % 1000 > 0 { wave(at - 1).trunc() } else { 0.0 };
                if kind.starts_with('i') { wave(at).trunc() - before } else { wave(at) }
            };
            let chunk = |chunk: i32| {
                let plain: Vec<u8> = (chunk * 1000..chunk * 1000 + 1000)
                    .flat_map(|at| bytes(kind, number(at)))
                    .collect();
                if *filter == "shuffle" { shuffled(&plain, size) } else { plain }
            };
            let declared = match *filter {
                "none" => "null".to_owned(),
                "shuffle" => format!(r#"[{{"id":"shuffle","elementsize":{size}}}]"#),
                _ => format!(r#"[{{"id":"delta","dtype":">{kind}"}}]"#),
            };
            let files = (0..4).map(|at| (at.to_string(), chunk(at)));
            let store = v2_store(("[4000]", "[1000]"), (&format!(">{kind}"), &declared), files);
            let (found, _) = causes(store.path());
            let is_told = matches!(found.as_slice(), [only] if only.starts_with("byte-order"));
            assert!(is_told, "{kind} {filter}: {found:?}");
            assert!(endian(store.path()).contains("\"differs\": true"), "{kind} {filter}");
        }
    }
}

/// A filter that was never applied is told by both: bytes that were taken apart for nothing are in no other order.
#[test]
fn a_filter_that_was_never_applied_is_no_byte_order() {
    let chunk = |chunk: i64| (chunk * 500..chunk * 500 + 500).flat_map(i64::to_le_bytes).collect();
    let files = (0..2).map(|at| (at.to_string(), chunk(at)));
    let filter = r#"[{"id":"shuffle","elementsize":8}]"#;
    let store = v2_store(("[1000]", "[500]"), ("<i8", filter), files);
    let (found, problems) = causes(store.path());
    assert!(finds(&problems, "The filter shuffle was never applied"), "{found:?}");
    assert!(endian(store.path()).contains("\"differs\": false"), "{}", endian(store.path()));
}

/// A filter that names another byte order than the array does not hide that the array's is wrong.
#[test]
fn the_order_of_a_filter_is_not_that_of_the_array() {
    let filter = r#"[{"id":"delta","dtype":"<i4"}]"#;
    for (dtype, word) in [("<i4", "\"differs\": false"), (">i4", "\"differs\": true")] {
        let store = v2_store(("[4000]", "[1000]"), (dtype, filter), differences(4, 1000));
        let json = endian(store.path());
        assert!(json.contains(word), "{dtype}: {json}");
    }
}

fn endian(store: &Path) -> String {
    let path = store.to_str().unwrap();
    let ran = crate::cli::zarrscope(&["endian", "--json", path]).output().unwrap();
    let mut text = String::from_utf8(ran.stdout).unwrap();
    writeln!(text, "{}", String::from_utf8_lossy(&ran.stderr)).unwrap();
    text
}
