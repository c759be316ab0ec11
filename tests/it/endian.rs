//! `endian` as somebody uses it who has many files of unknown order.

use crate::cli::{json, run};
use serde_json::{Value, json as value};
use std::{fs, path::Path};
use tempfile::TempDir;

/// A V2 array of one dimension whose chunks are files `0`, `1` and so on.
fn v2_array(dtype: &Value, chunk: usize, chunks: &[Vec<u8>]) -> TempDir {
    let folder = crate::scratch();
    let document = value!({
        "zarr_format": 2, "shape": [chunk * chunks.len()], "chunks": [chunk], "dtype": dtype,
        "order": "C", "fill_value": null, "compressor": null, "filters": null,
    });
    fs::write(folder.path().join(".zarray"), document.to_string()).unwrap();
    for (number, bytes) in chunks.iter().enumerate() {
        fs::write(folder.path().join(number.to_string()), bytes).unwrap();
    }
    folder
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

#[test]
fn a_stranger_among_many_does_not_silence_the_rest() {
    let paths = ["sample-stores/byte-order/liar", "README.md", "sample-stores/ocean/packed"];
    let (code, found) = json(&[&["endian"][..], &paths].concat());
    assert_eq!(code, 1);
    let found = found.as_array().unwrap();
    assert_eq!(found.len(), 3);
    assert_eq!(found[1]["error"]["found"], "a file outside any array");
    assert_eq!(found[2]["differs"], false);
    let ran = run(&[&["endian"][..], &paths].concat());
    assert!(ran.out.ends_with("1 unreadable\n"), "{}", ran.out);
}

#[test]
fn an_order_that_nobody_declared_is_not_contradicted() {
    let file = "sample-stores/byte-order/v3/float32_big/c/0";
    let ran = run(&["endian", file, "--dtype", "float32"]);
    assert_eq!(ran.code, 0);
    assert!(
        ran.out.contains("float32  not declared, plausible big (strong evidence)\n"),
        "{}",
        ran.out
    );
    assert_eq!(run(&["endian", file, "--dtype", "float32", "--endian", "little"]).code, 1);
    assert_eq!(run(&["endian", file, "--dtype", "<f4"]).code, 1);
}

#[test]
fn a_chunk_that_cannot_be_read_does_not_silence_the_others() {
    let hours = |from: i64| (from..from + 60).flat_map(|n| (1_051_896 + n * 6).to_be_bytes());
    let chunks = [vec![0; 3], hours(0).collect(), hours(60).collect()];
    let (code, found) = json(&["endian", text(v2_array(&"<i8".into(), 60, &chunks).path())]);
    assert_eq!((code, &found[0]["plausible"]), (1, &"big".into()), "{found}");
}

#[test]
fn chunks_that_are_too_small_alone_speak_together() {
    let hours: Vec<Vec<u8>> =
        (0..120_i64).map(|step| (1_051_896 + step * 6).to_be_bytes().to_vec()).collect();
    let array = v2_array(&"<i8".into(), 1, &hours);
    let (code, found) = json(&["endian", text(array.path())]);
    assert_eq!((code, &found[0]["plausible"]), (1, &"big".into()), "{found}");
    let alone = run(&["endian", text(&array.path().join("7"))]);
    assert!(alone.out.contains("Only one value"), "{}", alone.out);
    assert_eq!(alone.code, 0);
}

#[test]
fn fields_with_orders_of_their_own_are_told_one_by_one() {
    let record = |step: u32| {
        let step = u16::try_from(step).unwrap();
        let temperature = 280.0_f32 + (f32::from(step) / 9.0).sin();
        [&(70_000 + u32::from(step)).to_le_bytes()[..], &temperature.to_be_bytes()].concat()
    };
    let bytes: Vec<u8> = (0..3000).flat_map(record).collect();
    let of = |id: &str, t: &str| {
        v2_array(&value!([["id", id], ["t", t]]), 3000, std::slice::from_ref(&bytes))
    };
    let truth = of("<u4", ">f4");
    let ran = run(&["endian", text(truth.path())]);
    assert!(ran.out.contains("declared by field, plausible as declared"), "{}", ran.out);
    assert_eq!(ran.code, 0);
    let lie = of("<u4", "<f4");
    let ran = run(&["endian", text(lie.path())]);
    assert!(ran.out.contains("DIFFERS"), "{}", ran.out);
    let lie = of(">u4", "<f4");
    let ran = run(&["endian", text(lie.path())]);
    assert!(
        ran.out.contains("id: declared big, plausible little (strong evidence)  DIFFERS"),
        "{}",
        ran.out
    );
    assert_eq!(ran.code, 1);
}

/// A file without metadata: an `int16` wave, big, within zstd and crc32c.
fn lone_file() -> (TempDir, String) {
    let folder = crate::scratch();
    #[expect(clippy::cast_possible_truncation, reason = "made to fit")]
    let wave = |at: u16| ((f64::from(at) / 40.0).sin() * 2000.0) as i16;
    let numbers: Vec<u8> = (0..900).map(wave).flat_map(i16::to_be_bytes).collect();
    let mut stored = zstd::encode_all(&numbers[..], 3).unwrap();
    stored.extend(crc32c::crc32c(&stored).to_le_bytes());
    let path = folder.path().join("0.0");
    fs::write(&path, stored).unwrap();
    let path = text(&path).to_owned();
    (folder, path)
}

#[test]
fn a_file_without_metadata_is_told_by_its_bytes() {
    let (_folder, path) = lone_file();
    let ran = run(&["endian", &path]);
    assert_eq!(ran.code, 0, "a guess contradicts nothing");
    assert!(
        ran.out.contains("int16?  no metadata, plausible big (strong evidence)\n"),
        "{}",
        ran.out
    );
    let command = format!("zarrscope {path} --dtype '>i2'");
    assert!(ran.out.contains("int16, big, encoded with zstd") && ran.out.contains(&command));
    let (_, found) = json(&["endian", &path]);
    assert_eq!((&found[0]["guessed"], &found[0]["plausible"]), (&true.into(), &"big".into()));
    for other in [&["chunk", &path][..], &[&path], &["info", &path], &["shot", &path, "-o", "-"]] {
        let ran = run(other);
        assert_eq!(ran.code, 2, "{other:?}");
        assert!(ran.err.contains(&command), "{}", ran.err);
    }
}

#[test]
fn what_a_file_announces_need_not_be_said() {
    let (_folder, path) = lone_file();
    for dtype in [">i2", "int16"] {
        let found = json(&[
            "chunk", &path, "--dtype", dtype, "--endian", "big", "--shape", "30,30", "--values",
        ]);
        if dtype == ">i2" {
            assert_eq!(found.1["values"][3], 149, "{}", found.1);
        }
        let stages = found.1["stages"].as_array().unwrap();
        let names: Vec<_> = stages.iter().map(|stage| stage["name"].as_str().unwrap()).collect();
        assert_eq!(names, ["file", "crc32c", "zstd", "bytes"]);
    }
    let seen = run(&["shot", &path, "--dtype", ">i2", "-o", "-"]);
    assert!(seen.out.contains("crc32c ✓ ─► zstd"), "{}", seen.out);
    let piped = run(&[&path, "--dtype", ">i2"]);
    assert!(piped.out.contains("900 int16"), "{}", piped.out);
    let wrong = run(&["endian", &path, "--dtype", "int16", "--codecs", "[{\"name\": \"bytes\"}]"]);
    assert_eq!(wrong.code, 2, "nothing could be judged");
}

#[test]
fn a_file_that_is_no_chunk_at_all_is_called_what_it_is() {
    assert!(run(&["endian", "README.md"]).err.contains("It looks like text."));
    assert!(run(&["README.md"]).err.contains("It looks like text."));
}

#[test]
fn what_is_shown_to_a_colleague_says_how_to_see_it() {
    use zarrscope::{
        app::Effect,
        tui::{Options, script},
    };
    let options = Options { color: false, ..Options::default() };
    let path = Path::new("sample-stores/byte-order/liar");
    let played = script::play(path, (120, 40), "2xY", &options).unwrap();
    let card = played.effects.iter().find_map(|effect| match effect {
        Effect::Copy(text) => Some(text.clone()),
        _ => None,
    });
    let card = card.unwrap();
    assert!(
        card.contains("byte order: declared little, plausible big (strong evidence)  DIFFERS\n"),
        "{card}"
    );
    assert!(card.contains("  read as big     15.0  15.038986"), "{card}");
    assert!(card.contains("`zarrscope sample-stores/byte-order --at 'liar/c/0#[0]'`\n"), "{card}");
}

#[test]
fn coarse_cells_of_a_globe_are_not_taken_for_small_numbers() {
    // Identifiers of cells: a face, as many bits of place as the level asks for, a one, and zeros.
    let cell = |level: u32, at: u64| {
        let place = at.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - 2 * level);
        2 << 61 | (place << 1 | 1) << (60 - 2 * level)
    };
    for level in [6, 8, 10, 12, 14] {
        let big: Vec<u8> = (0..2000).flat_map(|at| cell(level, at).to_be_bytes()).collect();
        let array = v2_array(&">u8".into(), 2000, &[big]);
        let (code, found) = json(&["endian", text(array.path())]);
        assert_eq!((code, &found[0]["differs"]), (0, &false.into()), "level {level}: {found}");
    }
}
