//! One knowledge: a fact about an array is told by every part that can know it, and in the same numbers.

use crate::cli::{json, run};
use serde_json::{Value, json as value};
use std::{fs, path::Path};
use tempfile::TempDir;

/// An array, and the words by which each part tells the fact about it.
struct Fact {
    name: &'static str,
    store: TempDir,
    /// Codes of `check`, of which one is the fact.
    check: &'static str,
    /// The exit code of `check`.
    code: i32,
    /// True if `endian` says that the byte order differs.
    differs: bool,
    /// Commands, or keys of a view after `shot`, and what stands in the output.
    told: Vec<(&'static [&'static str], &'static str)>,
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// A V3 array without compression, its chunks by key.
fn v3(
    shape: &[u64],
    chunk: &[u64],
    data_type: &str,
    fill: &Value,
    files: &[(&str, Vec<u8>)],
) -> TempDir {
    let bytes = value!({"name": "bytes", "configuration": {"endian": "little"}});
    with_codecs((shape, chunk), data_type, fill, &value!([bytes]), files)
}

fn with_codecs(
    (shape, chunk): (&[u64], &[u64]),
    data_type: &str,
    fill: &Value,
    codecs: &Value,
    files: &[(&str, Vec<u8>)],
) -> TempDir {
    let folder = crate::scratch();
    let document = value!({
        "zarr_format": 3, "node_type": "array", "shape": shape, "data_type": data_type, "fill_value": fill,
        "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": chunk}},
        "chunk_key_encoding": {"name": "default", "configuration": {"separator": "/"}}, "codecs": codecs,
    });
    fs::write(folder.path().join("zarr.json"), document.to_string()).unwrap();
    for (key, bytes) in files {
        let path = folder.path().join(key);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }
    folder
}

/// A V3 array with attributes.
fn set_attributes(store: TempDir, attributes: &Value) -> TempDir {
    let path = store.path().join("zarr.json");
    let mut document: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    document["attributes"] = attributes.clone();
    fs::write(path, document.to_string()).unwrap();
    store
}

/// A V2 array of one dimension as xarray writes it.
fn v2(dtype: &str, fill: &Value, (len, chunk): (u64, u64), files: &[(String, Vec<u8>)]) -> TempDir {
    let folder = crate::scratch();
    let document = value!({
        "zarr_format": 2, "shape": [len], "chunks": [chunk], "dtype": dtype, "order": "C", "fill_value": fill,
        "compressor": null, "filters": null,
    });
    fs::write(folder.path().join(".zarray"), document.to_string()).unwrap();
    fs::write(folder.path().join(".zattrs"), r#"{"_ARRAY_DIMENSIONS": ["x"]}"#).unwrap();
    for (key, bytes) in files {
        fs::write(folder.path().join(key), bytes).unwrap();
    }
    folder
}

/// Waves, smooth along both dimensions of rows of `width`.
#[expect(clippy::cast_precision_loss, reason = "small numbers")]
fn wave(count: usize, width: usize) -> impl Iterator<Item = f32> {
    (0..count).map(move |at| {
        let (row, column) = ((at / width) as f32, (at % width) as f32);
        280.0 + 9.0 * (row * 0.11).sin() + 5.0 * (column * 0.07).cos()
    })
}

fn big(values: impl Iterator<Item = f32>) -> Vec<u8> {
    values.flat_map(f32::to_be_bytes).collect()
}

fn little(values: impl Iterator<Item = f32>) -> Vec<u8> {
    values.flat_map(f32::to_le_bytes).collect()
}

/// Numbers without any order, from a generator of remainders.
fn noise(count: usize) -> impl Iterator<Item = u16> {
    let mut state = 12_345_u64;
    (0..count).map(move |_| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 48) as u16
    })
}

/// A shard of which one inner chunk is stored; the index is at the end, without a checksum.
fn shard(inner_chunks: u64, stored: u64, bytes: &[u8]) -> Vec<u8> {
    let entry = |number| if number == stored { [0, bytes.len() as u64] } else { [u64::MAX; 2] };
    let index = (0..inner_chunks).flat_map(entry).flat_map(u64::to_le_bytes);
    bytes.iter().copied().chain(index).collect()
}

fn sharding(inner: &[u64]) -> Value {
    let bytes = value!([{"name": "bytes", "configuration": {"endian": "little"}}]);
    value!([{"name": "sharding_indexed", "configuration": {
        "chunk_shape": inner, "codecs": bytes, "index_codecs": bytes, "index_location": "end"}}])
}

/// Little-endian values of which one chunk of four is missing, the fill value being far below them.
fn with_a_hole() -> TempDir {
    let chunk = || little(wave(1024, 32));
    let files = [("c/0/0", chunk()), ("c/0/1", chunk()), ("c/1/1", chunk())];
    v3(&[64, 64], &[32, 32], "float32", &value!(-5.0), &files)
}

/// Eight pages, the sixth of which was never filled in.
fn with_a_page_of_zeros() -> TempDir {
    let page = |at: usize| -> Vec<u8> {
        let values = noise(8 * 256).skip(at * 256).take(256);
        let values = values.map(|n| if at == 5 { 0 } else { n % 900 + 100 });
        values.flat_map(u16::to_le_bytes).collect()
    };
    let names: Vec<String> = (0..8).map(|at| format!("c/{at}/0/0")).collect();
    let files: Vec<(&str, Vec<u8>)> =
        names.iter().enumerate().map(|(at, name)| (name.as_str(), page(at))).collect();
    v3(&[8, 16, 16], &[1, 16, 16], "uint16", &value!(0), &files)
}

fn facts() -> Vec<Fact> {
    let swapped = [("c/0/0", big(wave(4096, 64)))];
    let walk = noise(512).scan(20_000, |at, n| {
        *at = *at + n % 5 * 40 - 80;
        Some(*at)
    });
    let walk = walk.flat_map(u16::to_be_bytes).collect();
    let rain = little(wave(300, 30).map(|value| if value < 280.0 { 0.0 } else { value }));
    let interrupted = [
        ("c/0/0", little(wave(1024, 32))),
        ("c/0/0.0123456789abcdef0123456789abcdef.partial", vec![1, 2, 3]),
    ];
    let part = |row: usize| little(wave(4096, 64).skip(row * 64).take(1024));
    let unwritten = [
        ("c/0/0", part(0)),
        ("c/0/1", part(7)),
        ("c/0/2", part(9)),
        ("c/1/0", vec![0; 4096]),
        ("c/1/1", part(30)),
        ("c/1/2", part(33)),
    ];
    let huge = shard(128 * 2048, 77_777, &big(wave(4096, 64)));
    let far =
        (0..40).map(|at| (format!("{}", 60_001 + at), big(wave(4 * 40, 400).skip(at * 4).take(4))));
    let fact =
        |name, store, check, code, differs, told| Fact { name, store, check, code, differs, told };
    vec![
        fact(
            "surely byte-swapped",
            v3(&[64, 64], &[64, 64], "float32", &value!(0), &swapped),
            "byte-order",
            0,
            true,
            vec![(&["shot", "--keys", "2"], "big")],
        ),
        fact(
            "likely byte-swapped",
            v3(&[512], &[512], "uint16", &value!(0), &[("c/0", walk)]),
            "byte-order",
            0,
            true,
            vec![],
        ),
        fact(
            "zeros that xarray masks",
            v2("<f4", &value!(0.0), (300, 300), &[("0".into(), rain)]),
            "masked-fill",
            0,
            false,
            vec![
                (&["stats"], "masked  fill"),
                (&["shot", "--keys", "3"], "by fill_value, as xarray"),
            ],
        ),
        fact(
            "a page of zeros",
            with_a_page_of_zeros(),
            "zero-page",
            0,
            false,
            vec![(&["stats", "--chunks", "--csv"], "c/5/0/0,256,0,0,0.0,0.0,")],
        ),
        fact(
            "a missing chunk",
            with_a_hole(),
            "chunks-missing",
            0,
            false,
            vec![
                (&["stats"], "3 of 4, 1 as fill"),
                (&["shot", "--keys", "2t"], "1 missing as fill"),
                (&["info"], "missing chunks  read as -5.0"),
            ],
        ),
        fact(
            "an interrupted write",
            v3(&[32, 32], &[32, 32], "float32", &value!(0), &interrupted),
            "interrupted-write/temporary-file",
            1,
            false,
            vec![],
        ),
        fact(
            "a chunk that was never written",
            v3(&[64, 96], &[32, 32], "float32", &value!(-999.0), &unwritten),
            "lost-write/zero-chunk",
            1,
            false,
            vec![],
        ),
        fact(
            "a shard of 4 GiB with one inner chunk",
            with_codecs(
                (&[8192, 131_072], &[8192, 131_072]),
                "float32",
                &value!(0),
                &sharding(&[64, 64]),
                &[("c/0/0", huge)],
            ),
            "byte-order",
            0,
            true,
            vec![],
        ),
        fact(
            "a few chunks, far from the first",
            v2("<f4", &value!(null), (400_000, 4), &far.collect::<Vec<_>>()),
            "byte-order",
            0,
            true,
            vec![],
        ),
    ]
}

/// The codes and the severities that `check` prints, and its summary.
fn check(path: &str) -> (i32, Vec<Value>, Value) {
    let ran = run(&["check", "--json", path]);
    let mut lines: Vec<Value> =
        ran.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let summary = lines.pop().unwrap();
    (ran.code, lines, summary["summary"].clone())
}

#[test]
fn every_part_tells_every_fact() {
    let mut wrong = Vec::new();
    for Fact { name, store, check: code, code: exit, differs, told } in facts() {
        let path = text(store.path());
        let (status, lines, _) = check(path);
        let codes: Vec<_> = lines.iter().filter_map(|line| line["code"].as_str()).collect();
        if !codes.contains(&code) || status != exit {
            wrong.push(format!("{name}: check exits with {status} and tells {codes:?}"));
        }
        let (status, found) = json(&["endian", path]);
        // What `endian` says, `check` says, and the other way round.
        if found[0]["differs"] != differs || (status == 1) != codes.contains(&"byte-order") {
            wrong.push(format!("{name}: endian exits with {status}: {}", found[0]));
        }
        for (command, words) in told {
            let (first, rest) = command.split_first().unwrap();
            let size: &[&str] =
                if *first == "shot" { &["--size", "140x40", "-o", "-"] } else { &[] };
            let ran = run(&[&[*first, path], rest, size].concat());
            if !format!("{}{}", ran.out, ran.err).contains(words) {
                wrong.push(format!(
                    "{name}: {command:?} without {words:?}:\n{}{}",
                    ran.out, ran.err
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The lowest number and the mean of an array with a missing chunk: of `stats` and of the table of chunks.
#[test]
fn a_missing_chunk_counts_the_same_everywhere() {
    let store = with_a_hole();
    let path = text(store.path());
    let (_, all) = json(&["stats", path]);
    assert_eq!(all["minimum"]["value"], "-5.0", "{all}");
    let table = run(&["shot", path, "--keys", "2t", "--size", "160x40", "-o", "-"]).out;
    let sums = table.lines().find(|line| line.contains(" 12,288 ")).unwrap_or_default();
    let mean = all["mean"].as_f64().unwrap();
    assert!(sums.contains("-5") && sums.contains(&format!("{mean:.2}")), "{mean} {table}");
}

/// What is missing is null in every output of what is meant, whoever marks it: the rule of xarray for V2, an attribute in V3, NaN
/// that nothing marks, and the number that NumPy has for "not a time".
#[test]
fn what_is_missing_has_one_form() {
    let numbers = little([280.5, f32::NAN, 281.5, 282.5].into_iter());
    let of_v2 = v2("<f4", &value!("NaN"), (4, 4), &[("0".into(), numbers.clone())]);
    let of_v3 = |attributes: Value| {
        let store = v3(&[4], &[4], "float32", &value!(0), &[("c/0", numbers.clone())]);
        set_attributes(store, &attributes)
    };
    let marked = of_v3(value!({"_FillValue": "AAAAAAAA+H8="}));
    let days: Vec<u8> = [1_i64, i64::MIN, 3, 4].into_iter().flat_map(i64::to_le_bytes).collect();
    let times = |attributes: Value| {
        let store = v3(&[4], &[4], "int64", &value!(0), &[("c/0", days.clone())]);
        set_attributes(store, &attributes)
    };
    let dates = times(value!({"units": "days since 2000-01-01", "calendar": "standard"}));
    let spans = times(value!({"units": "seconds", "dtype": "timedelta64[ns]"}));
    let nat = {
        let fill = value!(0);
        let files = [("0".to_owned(), days.clone())];
        v2("<M8[D]", &fill, (4, 4), &files)
    };
    for (name, store) in
        [("V2", &of_v2), ("V3", &marked), ("dates", &dates), ("spans", &spans), ("NaT", &nat)]
    {
        let path = text(store.path());
        let printed = run(&["export", "--physical", path]).out;
        assert_eq!(printed.lines().nth(1), Some("null"), "{name}: {printed}");
        let (_, all) = json(&["stats", path]);
        let missing = all["masked"].as_u64().unwrap_or(0) + all["not_a_time"].as_u64().unwrap_or(0);
        assert_eq!(missing, 1, "{name}: {all}");
    }
    let unmarked = of_v3(value!({}));
    let printed = run(&["export", "--physical", text(unmarked.path())]).out;
    assert_eq!(printed.lines().nth(1), Some("null"), "{printed}");
    // A count of anything else is a number.
    let counts = times(value!({"units": "seconds"}));
    let printed = run(&["export", "--physical", text(counts.path())]).out;
    assert_eq!(printed.lines().nth(1), Some("-9223372036854775808"), "{printed}");
}

/// Numbers that are flags by attributes of CF have their meaning beside them.
#[test]
fn flags_are_told_beside_the_value() {
    let of = |attributes: Value| {
        let store = v3(&[3], &[3], "uint8", &value!(0), &[("c/0", vec![5, 1, 2])]);
        let store = set_attributes(store, &attributes);
        run(&["shot", text(store.path()), "--keys", "2", "--size", "120x40", "-o", "-"]).out
    };
    let values = value!({"flag_values": [1, 2, 5], "flag_meanings": "sea land ice"});
    let masks = value!({"flag_masks": [1, 2, 4], "flag_meanings": "hot dry wet"});
    for (attributes, words) in [(values, "flags ice"), (masks, "flags hot, wet")] {
        let screen = of(attributes);
        assert!(screen.contains(words), "{words}: {screen}");
    }
}

/// The summary counts the lines that were printed, each as often as it says; a cause beside what it explains is none.
#[test]
fn the_summary_counts_what_is_printed() {
    for store in ["sample-stores/broken", "sample-stores/byte-order", "sample-stores/ocean"] {
        let (_, lines, summary) = check(store);
        for severity in ["error", "warning"] {
            let of = lines.iter().filter(|line| line["severity"] == severity);
            let counted: u64 = of.map(|line| line["count"].as_u64().unwrap_or(1)).sum();
            assert_eq!(summary[format!("{severity}s")], counted, "{store}: {severity}s");
        }
        let strict = run(&["check", store, "--strict"]);
        let fine = summary["errors"] == 0 && summary["warnings"] == 0;
        assert_eq!(strict.code == 0, fine, "{store}");
        let warnings = format!("{} warning", summary["warnings"]);
        assert!(strict.out.contains(&warnings), "{store}: {warnings}\n{}", strict.out);
    }
}
