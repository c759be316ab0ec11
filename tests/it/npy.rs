//! The inspector's `w` and the command `export` write the same file.

use std::{fs, path::Path, process::Stdio};
use zarrscope::worker::output_file::OutputFile;
use zarrscope::zarr::{Budget, Chunk, Code, Hierarchy, chunk, grid::ChunkId, npy};

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// The chunk at `coordinates` of the array at `path`.
fn load(path: &str, coordinates: &[u64]) -> Chunk {
    let (hierarchy, target) = Hierarchy::open(&Path::new(ROOT).join(path)).unwrap();
    let node = hierarchy.node(&target.node);
    let id = ChunkId { coordinates: coordinates.to_vec(), inner: Vec::new() };
    let array = node.kind.array().unwrap();
    chunk::load(&*hierarchy.store, &node.path, array, &id, 0, &Budget::default())
}

#[test]
fn a_chunk_is_the_same_from_both() {
    // A whole one, one at the edge, one laid out column-major, one in big-endian order.
    for (path, coordinates) in [
        ("sample-stores/ocean/air", vec![0, 0, 0]),
        ("sample-stores/ocean/packed", vec![3, 3]),
        ("sample-stores/dtypes-v2/int16_order_f", vec![0, 0]),
        ("sample-stores/byte-order/v3/int16_big", vec![0]),
        ("tests/corpus/zarr3/transpose-120", vec![1, 1, 1]),
    ] {
        let folder = crate::scratch();
        let [ours, theirs] = ["ours.npy", "theirs.npy"].map(|name| folder.path().join(name));
        npy::save(&load(path, &coordinates), &ours, &mut fs::File::create(&ours).unwrap()).unwrap();
        let key = format!("{coordinates:?}");
        let mut export = crate::cli::zarrscope(&["export", path, "--chunk", &key, "-o"]);
        assert!(export.arg(&theirs).status().unwrap().success(), "{path}");
        assert!(fs::read(&ours).unwrap() == fs::read(&theirs).unwrap(), "{path}");
    }
}

#[test]
fn a_file_is_neither_written_over_nor_put_into_a_store() {
    let folder = crate::scratch();
    let store = folder.path().join("store");
    fs::create_dir(&store).unwrap();
    let chunk = load("sample-stores/byte-order/v3/int16_big", &[0]);
    let save = |name: &str| {
        let file = folder.path().join(name);
        let mut out = OutputFile::create(&file, &store, false)?;
        npy::save(&chunk, &file, &mut out)?;
        out.finish()
    };
    assert!(save("a.npy").is_ok());
    assert_eq!(save("a.npy").unwrap_err().code, Code::CannotWrite);
    assert_eq!(save("store/a.npy").unwrap_err().code, Code::CannotWrite);
    assert!(fs::read_dir(&store).unwrap().next().is_none());
}

#[test]
fn what_cannot_be_written_is_not_begun() {
    let mut out = Vec::new();
    let chunk = load("sample-stores/dtypes-v3/string", &[0]);
    assert_eq!(
        npy::save(&chunk, Path::new("a.npy"), &mut out).unwrap_err().code,
        Code::OtherDataType
    );
    assert!(out.is_empty());
}

#[test]
fn a_damaged_chunk_is_told_once_however_often_it_is_read() {
    // 700 elements of 400,000 bytes: what is promised is more than is decoded at a time.
    let folder = crate::scratch();
    let document = r#"{"zarr_format":2,"shape":[700],"chunks":[700],"dtype":"<U100000","fill_value":0,"order":"C",
        "compressor":{"id":"zstd","level":3},"filters":null}"#;
    fs::write(folder.path().join(".zarray"), document).unwrap();
    fs::write(folder.path().join("0"), b"no zstd").unwrap();
    let path = folder.path().to_str().unwrap();
    let mut export = crate::cli::zarrscope(&["export", path, "-o", "-"]);
    let ran = export.stdout(Stdio::null()).output().unwrap();
    let said = String::from_utf8(ran.stderr).unwrap();
    assert_eq!((ran.status.code(), said.lines().count()), (Some(1), 1), "{said}");
}

#[test]
fn physical_values_are_masked_and_scaled() {
    let folder = crate::scratch();
    let path = folder.path().to_str().unwrap();
    let array = |attributes: &str, data_type: &str| {
        let document = format!(
            r#"{{"zarr_format": 3, "node_type": "array", "shape": [5], "data_type": "{data_type}", "fill_value": 7,
            "chunk_grid": {{"name": "regular", "configuration": {{"chunk_shape": [4]}}}},
            "chunk_key_encoding": {{"name": "default"}}, "codecs": [{{"name": "bytes", "configuration": {{"endian":
            "big"}}}}], "attributes": {attributes}}}"#
        );
        fs::write(folder.path().join("zarr.json"), document).unwrap();
    };
    fs::create_dir(folder.path().join("c")).unwrap();
    fs::write(folder.path().join("c/0"), [0, 1, 0xff, 0xff, 0, 7, 0xff, 0xfe]).unwrap();
    let values = || crate::cli::run(&["export", "--physical", path]).out;
    let export = || {
        let written = crate::cli::zarrscope(&["export", "--physical", path, "-o", "-"]);
        let mut written = written;
        let bytes = written.stderr(Stdio::null()).output().unwrap().stdout;
        let (head, numbers) = bytes.split_at(bytes.len() - 40);
        assert!(String::from_utf8_lossy(head).contains("'<f8'"));
        numbers.chunks(8).map(|n| f64::from_le_bytes(n.try_into().unwrap())).collect::<Vec<_>>()
    };
    // The chunk [4] is not stored and reads as the fill value 7, which no attribute marks as missing.
    array(r#"{"_FillValue": -1, "scale_factor": 0.5, "add_offset": 10}"#, "int16");
    assert_eq!(values(), "10.5\nnull\n13.5\n9.0\n13.5\n");
    let numbers = export();
    assert!(numbers.get(1).unwrap().is_nan());
    assert_eq!((numbers[0], &numbers[2..]), (10.5, &[13.5, 9.0, 13.5][..]));
    array(r#"{"missing_value": [-1, 7], "_Unsigned": "true"}"#, "int16");
    assert_eq!(values(), "1\nnull\nnull\n65534\nnull\n");
    assert_eq!(export()[3].to_bits(), 65534_f64.to_bits());
    array(r#"{"units": "days since 2000-01-01", "_FillValue": -2}"#, "int16");
    assert_eq!(values().lines().next(), Some("\"2000-01-02T00:00:00\""));
    assert_eq!(export()[0].to_bits(), 1_f64.to_bits());
    // What is no number is told, and nothing is written.
    array("{}", "int16");
    let document = folder.path().join("zarr.json");
    let bools = fs::read_to_string(&document).unwrap();
    let bools = bools.replace("int16", "bool").replace("\"fill_value\": 7", "\"fill_value\": true");
    fs::write(&document, bools).unwrap();
    assert_eq!(crate::cli::run(&["export", "--physical", path, "-o", "-"]).code, 2);
}

/// A missing value has one form, whatever marks it.
#[test]
fn no_time_is_missing_among_physical_values() {
    let folder = crate::scratch();
    let path = folder.path().to_str().unwrap();
    let document = r#"{"zarr_format": 2, "shape": [2], "chunks": [2], "dtype": "<M8[D]", "fill_value": null, "order": "C",
        "compressor": null, "filters": null}"#;
    fs::write(folder.path().join(".zarray"), document).unwrap();
    fs::write(folder.path().join("0"), [1_i64, i64::MIN].map(i64::to_le_bytes).concat()).unwrap();
    let values = |options: &[&str]| crate::cli::run(&[&["export", path], options].concat()).out;
    assert!(values(&["--physical"]).ends_with("\nnull\n"));
    assert!(values(&[]).ends_with("\n\"NaT\"\n"));
}

#[test]
fn what_xarray_alone_masks_in_v2_is_written_and_told() {
    let folder = crate::scratch();
    let path = folder.path().to_str().unwrap();
    let array = |fill: &str, attributes: &str| {
        let document = format!(
            r#"{{"zarr_format": 2, "shape": [5], "chunks": [3], "dtype": "|i1", "fill_value": {fill}, "order": "C",
            "compressor": null, "filters": null}}"#
        );
        fs::write(folder.path().join(".zarray"), document).unwrap();
        fs::write(folder.path().join(".zattrs"), attributes).unwrap();
    };
    fs::write(folder.path().join("0"), [0, 1, 2]).unwrap();
    let ran = |output: &[&str]| {
        let arguments = [&["export", "--physical", path], output].concat();
        let ran = crate::cli::zarrscope(&arguments).output().unwrap();
        assert_eq!(ran.status.code(), Some(0), "{ran:?}");
        (ran.stdout, String::from_utf8(ran.stderr).unwrap())
    };
    // What xarray 2026.9 reads: NaN, 1, 2, NaN, NaN.
    array("0", r#"{"_ARRAY_DIMENSIONS": ["x"]}"#);
    for output in [&[][..], &["-o", "-"]] {
        let (out, told) = ran(output);
        let rule = "xarray 2026.9 treats the fill value of V2 arrays as the missing value";
        assert!(told.contains("3 elements equal Zarr's fill value 0"), "{told}");
        assert!(told.contains(rule) && !out.is_empty(), "{told}");
    }
    assert_eq!(ran(&[]).0, b"null\n1\n2\nnull\nnull\n");
    // Nothing to tell: xarray does not open it, masks nothing, or masks the same.
    for (fill, attributes) in [
        ("0", "{}"),
        ("null", r#"{"_ARRAY_DIMENSIONS": ["x"]}"#),
        ("0", r#"{"_ARRAY_DIMENSIONS": ["x"], "_FillValue": 0}"#),
    ] {
        array(fill, attributes);
        let (_, told) = ran(&[]);
        assert!(!told.contains("xarray"), "{fill} {attributes}: {told}");
    }
}
