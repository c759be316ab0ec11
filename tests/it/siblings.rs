//! Findings that other arrays, copies and folders of the same group give: chunks that only one array lacks, nodes under
//! another name, documents that are lost, and folders that are no Zarr stores. Each fault has a twin that is silent.

use crate::cli::zarrscope;
use std::{fs, path::Path};
use tempfile::TempDir;
use zarrscope::tui::{Options, script::Player};
use zarrscope::zarr::{
    Hierarchy, NodePath,
    check::{CheckOptions, Event, check},
};

fn put(root: &Path, key: &str, bytes: impl AsRef<[u8]>) {
    let path = root.join(key);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, bytes).unwrap();
}

/// The warnings, errors and notes below `root`, as `node: severity code: text`; what is missing chunk by chunk left out.
fn found(root: &Path) -> Vec<String> {
    let (hierarchy, target) = Hierarchy::open(root).unwrap();
    let mut lines = Vec::new();
    check(&hierarchy, &target.node, &CheckOptions::default(), &mut |event| {
        if let Event::Problem(NodePath(path), problem) = event {
            let (severity, error) = (problem.severity.word(), &problem.error);
            let evidence = problem.diagnosis.iter().flat_map(|cause| cause.evidence.clone());
            let evidence = evidence.collect::<Vec<_>>().join(" ");
            lines.push(format!("{path}: {severity} {}: {error} {evidence}", error.code));
        }
    });
    let is_told = |line: &String| {
        !["not stored (", "not stored and", "index-without-checksum"]
            .iter()
            .any(|it| line.contains(it))
    };
    lines.into_iter().filter(is_told).collect()
}

#[track_caller]
fn finds(root: &Path, told: &str) {
    let lines = found(root);
    let [line] = lines.as_slice() else { panic!("{told}: {lines:#?}") };
    for part in told.split('|') {
        assert!(line.contains(part), "{part} in {line}");
    }
}

/// The document of an array of 24 × 16 × 16 numbers in chunks of 2 × 8 × 8, of the names time, y and x.
fn document(format: u8, fill: &str) -> String {
    if format == 2 {
        format!(
            r#"{{"zarr_format": 2, "shape": [24, 16, 16], "chunks": [2, 8, 8], "dtype": "<f4", "compressor": null,
                "fill_value": {fill}, "order": "C", "filters": null}}"#
        )
    } else {
        format!(
            r#"{{"zarr_format": 3, "node_type": "array", "shape": [24, 16, 16], "data_type": "float32",
                "chunk_grid": {{"name": "regular", "configuration": {{"chunk_shape": [2, 8, 8]}}}},
                "chunk_key_encoding": {{"name": "default"}}, "fill_value": {fill}, "dimension_names": ["time", "y", "x"],
                "codecs": [{{"name": "bytes", "configuration": {{"endian": "little"}}}}], "attributes": {{"units": "mm"}}}}"#
        )
    }
}

/// Four arrays on one grid, `lost` telling which chunks of which array are not stored.
fn arrays(format: u8, value: f32, lost: &dyn Fn(&str, [u64; 3]) -> bool) -> TempDir {
    let folder = crate::scratch();
    let root = folder.path();
    if format == 2 {
        put(root, ".zgroup", r#"{"zarr_format": 2}"#);
    } else {
        put(root, "zarr.json", r#"{"zarr_format": 3, "node_type": "group"}"#);
    }
    for name in ["pr", "tas", "tasmax", "wind"] {
        if format == 2 {
            put(root, &format!("{name}/.zarray"), document(2, "-1.0"));
            let attributes =
                r#"{"_ARRAY_DIMENSIONS": ["time", "y", "x"], "units": "mm", "_FillValue": -1.0}"#;
            put(root, &format!("{name}/.zattrs"), attributes);
        } else {
            put(root, &format!("{name}/zarr.json"), document(3, "\"NaN\""));
        }
        for number in 0..48_u64 {
            let at = [number / 4, number / 2 % 2, number % 2];
            let [t, y, x] = at;
            let key = if format == 2 { format!("{t}.{y}.{x}") } else { format!("c/{t}/{y}/{x}") };
            if !lost(name, at) {
                let values = (0..128).map(|n| if n == 7 { value } else { 2.5 });
                let bytes: Vec<u8> = values.flat_map(f32::to_le_bytes).collect();
                put(root, &format!("{name}/{key}"), bytes);
            }
        }
    }
    folder
}

#[test]
fn chunks_that_one_array_alone_lacks_are_told_by_their_places() {
    for format in [2, 3] {
        let of = |lost: &dyn Fn(&str, [u64; 3]) -> bool| arrays(format, 2.5, lost);
        assert_eq!(found(of(&|_, _| false).path()), Vec::<String>::new());
        // Of 12 rows, 10 and 11 come before 2 in the order of keys.
        let key = |[t, y, x]: [u64; 3]| format!("{t}/{y}/{x}");
        let copy = of(&|name, at| name == "tas" && key(at).as_str() > "3/0/1");
        finds(
            copy.path(),
            "tas: warning cause: |copy, or a writer, stopped within \"tas\"|alphabetical|\"pr\", \"tasmax\"",
        );
        // Rows 8 and 9 are the last ones by their keys as well, and may be months without anything.
        let months = |name: &str, [t, ..]: [u64; 3]| name == "tas" && (8..10).contains(&t);
        let fill = if format == 2 { -1.0 } else { f32::NAN };
        for (value, is_told) in [(2.5, true), (fill, false)] {
            let lines = found(arrays(format, value, &months).path());
            let warned = lines.iter().any(|line| line.contains("warning"));
            assert_eq!(warned, is_told, "{value} {lines:?}");
        }
        let cut = of(&|name, [t, y, x]| name == "pr" && t * 4 + y * 2 + x > 37);
        finds(cut.path(), "pr: warning cause: |stopped within \"pr\"|10 chunks are not stored");
        let share = of(&|name, [t, ..]| name == "wind" && t % 3 == 1);
        finds(
            share.path(),
            "wind: warning cause: |One of 3 writers|dimension 0 (time)|have all their chunks",
        );
        // What ends with a row, or is here and there, may just hold nothing.
        for lost in [
            (&|name: &str, [t, ..]: [u64; 3]| name == "pr" && t > 8)
                as &dyn Fn(&str, [u64; 3]) -> bool,
            &|name, [t, y, x]| name == "pr" && (t, y, x) == (5, 1, 0),
        ] {
            finds(
                of(lost).path(),
                "pr: note chunks-missing-alone: |\"pr\" lacks|Beside it, \"tas\", \"tasmax\", \"wind\" have",
            );
        }
        // Parts of two rows, where no stored number is the fill value of the arrays.
        let block =
            |name: &str, [t, y, x]: [u64; 3]| name == "pr" && (4..6).contains(&t) && y + x == 0;
        let (told, silent) = ("warning chunks-missing-alone", "note chunks-missing-alone");
        for (value, told) in [(2.5, if format == 2 { told } else { silent }), (fill, silent)] {
            finds(arrays(format, value, &block).path(), &format!("pr: {told}: |lacks 2 of 48"));
        }
        finds(
            of(&|name, _| name == "wind").path(),
            "wind: note chunks-missing-alone: |no chunk of \"wind\" is stored",
        );
    }
}

#[test]
fn a_few_chunks_of_many_that_an_array_without_siblings_lacks_are_told() {
    let of = |lost: &[[u64; 3]]| {
        let folder = arrays(3, 2.5, &|_, at| lost.contains(&at));
        for name in ["tas", "tasmax", "wind"] {
            fs::remove_dir_all(folder.path().join(name)).unwrap();
        }
        folder
    };
    let few = of(&[[2, 0, 1], [5, 1, 0], [9, 1, 1]]);
    finds(
        few.path(),
        "pr: warning chunks-missing-alone: |\"pr\" lacks 3 of 48 chunks, the first pr/c/2/0/1",
    );
    // Of more, nobody knows that they were written.
    let more = found(of(&[[2, 0, 1], [5, 1, 0], [9, 1, 1], [10, 0, 0]]).path());
    assert!(!more.iter().any(|line| line.contains("missing-alone")), "{more:?}");
}

/// Four arrays of one shard each along time and place, of inner chunks as those of `arrays`.
fn sharded(lost: &dyn Fn(&str, [u64; 3]) -> bool) -> TempDir {
    let folder = crate::scratch();
    put(folder.path(), "zarr.json", r#"{"zarr_format": 3, "node_type": "group"}"#);
    let bytes = r#"[{"name": "bytes", "configuration": {"endian": "little"}}]"#;
    let shards = format!(
        r#"[{{"name": "sharding_indexed", "configuration": {{"chunk_shape": [2, 8, 8], "codecs": {bytes},
            "index_codecs": {bytes}}}}}]"#
    );
    let document = document(3, "\"NaN\"").replace(bytes, &shards);
    let document =
        document.replace("\"chunk_shape\": [2, 8, 8]}},", "\"chunk_shape\": [8, 16, 16]}},");
    for name in ["pr", "tas", "tasmax", "wind"] {
        put(folder.path(), &format!("{name}/zarr.json"), &document);
        for shard in 0..3_u64 {
            let (mut data, mut index) = (Vec::new(), Vec::new());
            for inner in 0..16_u64 {
                let at = [shard * 4 + inner / 4, inner / 2 % 2, inner % 2];
                let is_lost = lost(name, at);
                let (offset, length) =
                    if is_lost { (u64::MAX, u64::MAX) } else { (data.len() as u64, 512) };
                index.extend([offset, length].into_iter().flat_map(u64::to_le_bytes));
                if !is_lost {
                    data.extend((0..128_u16).flat_map(|n| (2.5 + f32::from(n)).to_le_bytes()));
                }
            }
            put(folder.path(), &format!("{name}/c/{shard}/0/0"), [data, index].concat());
        }
    }
    folder
}

#[test]
fn inner_chunks_that_one_array_alone_lacks_are_told_as_chunks_are() {
    assert_eq!(found(sharded(&|_, _| false).path()), Vec::<String>::new());
    let cut = sharded(&|name, [t, y, x]| name == "pr" && t * 4 + y * 2 + x > 37);
    finds(
        cut.path(),
        "pr: warning cause: |stopped within \"pr\"|10 inner chunks are not stored, from [9,1,0] on",
    );
    let share = sharded(&|name, [t, ..]| name == "wind" && t % 3 == 1);
    finds(share.path(), "wind: warning cause: |One of 3 writers|16 inner chunks are not stored");
    // What ends with a row may just hold nothing, and what all lack is no loss.
    let row = sharded(&|name, [t, ..]| name == "pr" && t > 8);
    finds(row.path(), "pr: note chunks-missing-alone: |\"pr\" lacks 12 of 48 inner chunks");
    assert_eq!(found(sharded(&|_, [t, ..]| t > 8).path()), Vec::<String>::new());
}

#[test]
fn chunks_that_may_hold_the_fill_value_are_no_loss() {
    for format in [2, 3] {
        // All siblings end alike, or half of them lack the same.
        let all = arrays(format, 2.5, &|_, [t, ..]| t > 8);
        assert_eq!(found(all.path()), Vec::<String>::new());
        let land = arrays(format, 2.5, &|name, [_, y, x]| name < "tasmax" && (y, x) == (1, 1));
        assert_eq!(found(land.path()), Vec::<String>::new());
        // Where stored values are the fill value too, whole chunks of it are left out.
        let fill = if format == 2 { -1.0 } else { f32::NAN };
        let share = arrays(format, fill, &|name, [t, ..]| name == "wind" && t % 3 == 1);
        finds(share.path(), "wind: note chunks-missing-alone");
    }
}

/// A group with consolidated metadata of three arrays; `there` are the folders in the place of the second.
fn consolidated(format: u8, name: &str, there: &[&str]) -> TempDir {
    let folder = crate::scratch();
    let root = folder.path();
    let array = |units: &str| {
        document(format, "0").replace(
            "\"attributes\": {\"units\": \"mm\"}",
            &format!("\"attributes\": {{\"units\": {units:?}}}"),
        )
    };
    let names = ["lat", name, "wind"];
    let file = if format == 2 { ".zarray" } else { "zarr.json" };
    let attributes = |units: &str| format!(r#"{{"units": {units:?}}}"#);
    let mut copies = Vec::new();
    for name in names {
        let key = if format == 2 { format!("{name}/.zarray") } else { name.to_owned() };
        copies.push(format!("{key:?}: {}", array(name)));
        if format == 2 {
            copies.push(format!("{:?}: {}", format!("{name}/.zattrs"), attributes(name)));
        }
    }
    if format == 2 {
        put(root, ".zgroup", r#"{"zarr_format": 2}"#);
        copies.push(r#"".zgroup": {"zarr_format": 2}"#.into());
        let all =
            format!(r#"{{"zarr_consolidated_format": 1, "metadata": {{{}}}}}"#, copies.join(", "));
        put(root, ".zmetadata", all);
    } else {
        let all = format!(
            r#"{{"zarr_format": 3, "node_type": "group", "consolidated_metadata": {{"kind": "inline",
                "must_understand": false, "metadata": {{{}}}}}}}"#,
            copies.join(", ")
        );
        put(root, "zarr.json", all);
    }
    for (folder, of) in
        [("lat", "lat"), ("wind", "wind")].into_iter().chain(there.iter().map(|it| (*it, name)))
    {
        put(root, &format!("{folder}/{file}"), array(of));
        if format == 2 {
            put(root, &format!("{folder}/.zattrs"), attributes(of));
        }
    }
    folder
}

#[test]
fn a_renamed_node_is_one_finding() {
    for format in [2, 3] {
        let chunks = |line: &String| {
            !line.contains("chunks are not stored") && !line.contains("no chunk of")
        };
        let lines = |name: &str, there: &[&str]| {
            let folder = consolidated(format, name, there);
            found(folder.path()).into_iter().filter(chunks).collect::<Vec<_>>()
        };
        assert_eq!(lines("sst", &["sst"]), Vec::<String>::new());
        for (name, there, told) in [
            ("v1.", "v1", "drops dots"),
            ("sst", "sst (1)", "got a number"),
            ("größe", "gro\u{308}ße", "accented"),
            ("a:b", "a_b", "Windows forbids"),
        ] {
            let lines = lines(name, &[there]);
            let [line] = lines.as_slice() else { panic!("{name} {there}: {lines:#?}") };
            assert!(line.contains("error consolidated-only") && line.contains(told), "{line}");
            assert!(line.contains("keep the wrong name"), "{line}");
        }
        // By a name of another kind, it may be another node.
        let other = lines("sst", &["temperature"]);
        let is_told = |line: &String| {
            line.contains("consolidated-only") && line.contains("maybe the node was renamed")
        };
        assert!(other.len() == 2 && other.iter().any(is_told), "{other:?}");
        // A node that is lost, and one that is new, are two things.
        let lost = lines("sst", &[]);
        assert!(lost.len() == 1 && lost[0].contains("Restore the node if it was lost"), "{lost:?}");
        let both = lines("sst", &["sst", "sst (1)"]);
        assert!(both.len() == 1 && both[0].contains("consolidated-missing"), "{both:?}");
    }
}

#[test]
fn a_lost_document_is_guessed_from_the_chunks() {
    for format in [2, 3] {
        let folder = arrays(format, 2.5, &|_, _| false);
        let file = if format == 2 { ".zarray" } else { "zarr.json" };
        fs::remove_file(folder.path().join("tas").join(file)).unwrap();
        let told = format!(
            "warning metadata-missing|Guess from 48 keys: zarr_format {format}|12×2×2 chunks, no compressor, 512 bytes"
        );
        finds(folder.path(), &told);
        // Where a copy has it, the copy is named.
        let folder = consolidated(format, "sst", &["sst"]);
        fs::remove_file(folder.path().join("sst").join(file)).unwrap();
        put(folder.path(), if format == 2 { "sst/0.0.0" } else { "sst/c/0/0/0" }, [0; 512]);
        let lines = found(folder.path());
        let told: Vec<_> = lines
            .iter()
            .filter(|line| line.contains("consolidated-only") || line.contains("metadata-missing"))
            .collect();
        assert!(told.len() == 1 && told[0].contains("write the copy back"), "{lines:#?}");
    }
}

/// What `info --document` guesses of chunks alone is a document by which they are read again, with other files beside them.
#[test]
fn a_guessed_document_reads_the_chunks_again() {
    let value =
        |row: u16, column: u16| (f32::from(row) / 7.0).sin() + (f32::from(column) / 9.0).cos();
    for (format, file) in [("2", ".zarray"), ("3", "zarr.json")] {
        let folder = crate::scratch();
        for (y, x) in (0..2).flat_map(|y| (0..3).map(move |x| (y, x))) {
            let elements = (0..600).map(|at| value(y * 20 + at / 30, x * 30 + at % 30));
            let bytes: Vec<u8> = elements.flat_map(f32::to_le_bytes).collect();
            let key = if format == "2" { format!("{y}.{x}") } else { format!("c/{y}/{x}") };
            put(folder.path(), &key, bytes);
        }
        put(folder.path(), "notes.txt", "measured in May");
        // As a shell leaves it that is told to write there.
        put(folder.path(), file, "");
        let path = folder.path().to_str().unwrap();
        let guess = zarrscope(&["info", path, "--document", format]).output().unwrap();
        let said = String::from_utf8_lossy(&guess.stderr).into_owned();
        assert!(said.contains("Guess from 6 keys") && said.contains("Correct it"), "{said}");
        put(folder.path(), file, guess.stdout);
        let chunk = if format == "2" { "1.1" } else { "c/1/1" };
        let read = zarrscope(&["export", path, "--chunk", chunk]).output().unwrap();
        let read = String::from_utf8_lossy(&read.stdout).into_owned();
        let read: Vec<&str> = read.split_whitespace().collect();
        let due = [(20, 30), (20, 31), (39, 59)]
            .map(|(row, column)| f64::from(value(row, column)).to_string());
        assert_eq!((read.len(), read[0], read[1], read[599]), (600, &*due[0], &*due[1], &*due[2]));
        let written = zarrscope(&["export", path]).output().unwrap().stdout;
        fs::remove_file(folder.path().join(file)).unwrap();
        let guessed = zarrscope(&["export", path, "--as", "document=guess"]).output().unwrap();
        assert!(guessed.stdout == written && !written.is_empty(), "{format}");
    }
}

/// A store with two arrays alike, of which one has lost its document.
fn lost_beside(sibling: &str) -> TempDir {
    let folder = crate::scratch();
    put(folder.path(), "zarr.json", r#"{"zarr_format": 3, "node_type": "group"}"#);
    put(folder.path(), "b/zarr.json", sibling);
    for (name, first) in [("a", 7_i16), ("b", 9)] {
        for chunk in 0..3 {
            let bytes: Vec<u8> =
                (0..30).flat_map(|at| (first * (chunk * 30 + at)).to_be_bytes()).collect();
            put(folder.path(), &format!("{name}/c/{chunk}/0"), bytes);
        }
    }
    folder
}

const SIBLING: &str = r#"{"zarr_format": 3, "node_type": "array", "shape": [14, 6], "data_type": "int16",
    "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [5, 6]}}, "attributes": {"units": "m"},
    "chunk_key_encoding": {"name": "default"}, "fill_value": 0,
    "codecs": [{"name": "bytes", "configuration": {"endian": "big"}}]}"#;

/// Of chunks whose document is lost, that of an array beside them is the guess, where it has as many chunks and decodes one.
#[test]
fn chunks_without_a_document_are_read_by_that_of_an_array_alike() {
    let folder = lost_beside(SIBLING);
    let told = "\"b\" beside it has as many chunks along each dimension, and its codecs decode the first one";
    finds(folder.path(), told);
    let lost = folder.path().join("a");
    let options = ["--as", "document=guess", "--as", "shape=13,6", "--json"];
    let arguments = [&["info", lost.to_str().unwrap()][..], &options].concat();
    let read = String::from_utf8(zarrscope(&arguments).output().unwrap().stdout).unwrap();
    let is_as_declared = ["[13,6]", "[5,6]", "int16", "big"].iter().all(|it| read.contains(it));
    assert!(is_as_declared && !read.contains("units"), "{read}");
    // Of another length, or of fewer chunks, it is none.
    for other in [SIBLING.replace("int16", "int32"), SIBLING.replace("14", "10")] {
        let lines = found(lost_beside(&other).path()).join("\n");
        assert!(
            lines.contains("Guess from 3 keys") && !lines.contains("as many chunks"),
            "{lines}"
        );
    }
}

/// `W` on the finding reads the chunks so in every view: the tree has a line of them until that is ended.
#[test]
fn a_lost_document_is_supposed_in_every_view() {
    let folder = lost_beside(SIBLING);
    let mut player = Player::open(folder.path(), (100, 30), &Options::default()).unwrap();
    let mut press = |keys: &str| crate::what_if::press(&mut player, keys);
    let before = press("5");
    assert!(before.contains("W reads the chunks so") && !before.contains(" ›"), "{before}");
    let after = press("W2");
    assert!(after.contains("as document=guess") && after.contains("14×6"), "{after}");
    assert!(after.contains("› a › c/0/0"), "{after}");
    let corrected = press(":as document=guess shape=11,6<enter>");
    assert!(corrected.contains("11×6"), "{corrected}");
    let ended = press(":as off<enter>");
    assert!(ended.contains("folder") && !ended.contains("as document"), "{ended}");
    let refused = press(":go b<enter>:as document=guess<enter>");
    assert!(refused.contains("this array has a document"), "{refused}");
    // Where there are no chunks to guess from, nothing is promised, and other nodes are read as they are.
    fs::create_dir(folder.path().join("e.zarr")).unwrap();
    let mut player = Player::open(folder.path(), (100, 30), &Options::default()).unwrap();
    let keys = ":go e.zarr<enter>:as document=guess<enter>:go b<enter>";
    let other = crate::what_if::press(&mut player, keys);
    assert!(other.contains("int16") && other.contains("14×6"), "{other}");
}

/// A file that is called by a number makes no folder one of chunks.
#[test]
fn a_number_among_other_names_is_no_chunk() {
    let folder = crate::scratch();
    for name in ["2024", "report.txt", "figure.png"] {
        put(folder.path(), name, "x");
    }
    let path = folder.path().to_str().unwrap();
    for arguments in [&["info", path, "--document", "2"][..], &["check", path]] {
        let ran = zarrscope(arguments).output().unwrap();
        let said = String::from_utf8_lossy(&ran.stderr).into_owned();
        assert!(said.contains("no Zarr store in this folder") && !said.contains("Guess"), "{said}");
    }
}

/// A format by the files of its folder, or by one file: what it is called, and the same with something taken away.
type ForeignCase = (&'static [(&'static str, &'static str)], &'static str);

const FOREIGN: &[ForeignCase] = &[
    (&[("refs/branch.main/ref.json", "{}"), ("snapshots/1", "ICE")], "an Icechunk repository"),
    (
        &[("repo", "ICE\u{1f9ca}CHUNK"), ("snapshots/1", "ICE"), ("manifests/1", "ICE")],
        "an Icechunk repository",
    ),
    (&[("attributes.json", r#"{"n5": "2.5.1"}"#), ("a/attributes.json", "{}")], "an N5 container"),
    (&[("s0/attributes.json", r#"{"blockSize": [4]}"#), ("s0/0", "x")], "an N5 container"),
    (&[("__schema/1", "x"), ("__fragments/1", "x")], "a TileDB array"),
    (&[("all.json", r#"{"version": 1, "refs": {".zgroup": "{}"}}"#)], "kerchunk references"),
    (&[("a/refs.0.parq", "PAR1")], "kerchunk references"),
    (&[("x.nc", "HDF")], "an HDF5 file"),
    (&[("x.fits", "SIMPLE  =      T")], "a FITS file"),
    (&[("data.zarr.dvc", "outs:\n- path: data.zarr\n")], "a pointer of DVC"),
    (&[("data.zarr", "version https://git-lfs.github.com/spec/v1\n")], "a Git LFS pointer"),
    (&[("data.zarr", "/annex/objects/MD5E-s420--0\n")], "a git-annex pointer"),
    (&[("data.zarr.tar.gz", "\u{1f}")], "an archive of a Zarr store"),
    (&[("meta/root.group.json", "{}"), ("data/root/a/c0", "x")], "the V3 draft of 2020 to 2022"),
    (&[("meta", r#"{"zarr_format": 1, "shape": [4]}"#), ("0", "x")], "an array of Zarr V1"),
    (&[("info", r#"{"@type": "neuroglancer_multiscale_volume"}"#)], "a Neuroglancer precomputed"),
    (&[("color/1/header.wkw", "WKW"), ("color/1/z0/y0/x0.wkw", "WKW")], "a webKnossos"),
];

const GOOD: (&str, &str) = ("good.zarr/zarr.json", r#"{"zarr_format": 3, "node_type": "group"}"#);

#[test]
fn stores_of_other_formats_are_named() {
    for (files, told) in FOREIGN {
        for depth in ["it", "some/more/it"] {
            let folder = crate::scratch();
            for (key, text) in *files {
                let bytes = if *text == "HDF" { b"\x89HDF\r\n\x1a\n" } else { text.as_bytes() };
                put(folder.path(), &format!("{depth}/{key}"), bytes);
            }
            for inside in ["", "it"] {
                let inside = folder.path().join(inside);
                if inside.exists() {
                    let error = Hierarchy::open(&inside).unwrap_err();
                    assert!(error.to_string().contains(told), "{error}");
                }
            }
            // Beside a store, it is told that it was not checked.
            put(folder.path(), GOOD.0, GOOD.1);
            finds(folder.path(), &format!("note foreign-store: |{told}|not checked"));
        }
    }
}

#[test]
fn files_beside_stores_that_hold_no_arrays_are_silent() {
    let folder = crate::scratch();
    put(folder.path(), GOOD.0, GOOD.1);
    for (key, text) in [
        ("texts/readme.json", r#"{"name": "refs"}"#),
        ("texts/attributes.json", r#"{"name": "volume"}"#),
        ("texts/info", r#"{"name": "volume"}"#),
        ("texts/meta", "zarr_format: 1"),
        ("2024/01/log.txt", "x"),
        ("0/1/2", "x"),
        ("plot.png", "\u{89}PNG"),
        ("tools.tar.gz", "x"),
        // What DVC points to is here.
        ("good.zarr.dvc", "outs:\n- md5: 0.dir\n  path: good.zarr\n"),
    ] {
        put(folder.path(), key, text);
    }
    assert_eq!(found(folder.path()), Vec::<String>::new());
}

#[test]
fn a_folder_named_like_a_store_that_holds_none_is_told() {
    let with = |files: &[&str]| {
        let folder = crate::scratch();
        put(folder.path(), GOOD.0, GOOD.1);
        fs::create_dir(folder.path().join("lost.zarr")).unwrap();
        for key in files {
            put(folder.path(), key, [0; 32]);
        }
        folder
    };
    let told = "warning metadata-missing|named like a store, without Zarr metadata";
    finds(with(&[]).path(), told);
    finds(with(&["lost.zarr/a/c/0/0"]).path(), told);
    finds(
        with(&["lost.zarr/0.0", "lost.zarr/0.1"]).path(),
        "warning metadata-missing|named like chunks, such as 0.0|Guess from 2 keys",
    );
    // Only where there are chunks to guess from, a what-if is offered.
    for (files, is_offered) in [(&[][..], false), (&["lost.zarr/0.0", "lost.zarr/0.1"], true)] {
        let folder = with(files);
        let mut player = Player::open(folder.path(), (100, 30), &Options::default()).unwrap();
        let screen = crate::what_if::press(&mut player, "5");
        assert!(
            screen.contains("lost.zarr") && screen.contains("W reads") == is_offered,
            "{screen}"
        );
    }
    let whole = with(&[]);
    put(whole.path(), "lost.zarr/a/zarr.json", GOOD.1);
    assert_eq!(found(whole.path()), Vec::<String>::new());
    // A pointer in place of an archive is one fault.
    let archive = with(&["lost.zarr/a/c/0"]);
    fs::remove_dir_all(archive.path().join("lost.zarr")).unwrap();
    put(archive.path(), "lost.zarr.zip", "version https://git-lfs.github.com/spec/v1\n");
    finds(archive.path(), "error not-a-zip|a Git LFS pointer");
    #[cfg(unix)]
    {
        fs::remove_file(archive.path().join("lost.zarr.zip")).unwrap();
        let target = ".git/annex/objects/Xx/Yy/MD5E-s420--0/MD5E-s420--0";
        std::os::unix::fs::symlink(target, archive.path().join("lost.zarr.zip")).unwrap();
        finds(archive.path(), "error dangling-link|git annex get");
    }
}

#[test]
fn a_draft_of_v3_and_links_of_git_annex_are_named() {
    let folder = crate::scratch();
    let draft = r#"{"zarr_format": "https://purl.org/zarr/spec/protocol/core/3.0", "metadata_key_suffix": ".json",
        "metadata_encoding": "https://purl.org/zarr/spec/protocol/core/3.0", "extensions": []}"#;
    put(folder.path(), "zarr.json", draft);
    put(folder.path(), "meta/root.group.json", "{}");
    finds(folder.path(), "error zarr-format|V3 draft of 2020 to 2022");
    let folder = crate::scratch();
    put(folder.path(), "zarr.json", r#"{"zarr_format": 3, "node_type": "group"}"#);
    put(folder.path(), "a/zarr.json", "/annex/objects/MD5E-s420--0.json\n");
    finds(folder.path(), "error invalid-json|git annex get");
    #[cfg(unix)]
    {
        let folder = crate::scratch();
        let target = "../.git/annex/objects/Xx/Yy/MD5E-s420--0/MD5E-s420--0";
        std::os::unix::fs::symlink(target, folder.path().join("zarr.json")).unwrap();
        put(folder.path(), "a/zarr.json", r#"{"zarr_format": 3, "node_type": "group"}"#);
        let lines = found(folder.path());
        assert!(lines.iter().any(|line| line.contains("git annex get")), "{lines:?}");
    }
}
