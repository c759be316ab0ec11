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
        let folder = tempfile::tempdir().unwrap();
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
    let folder = tempfile::tempdir().unwrap();
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
    assert_eq!(save("store/a.npy").unwrap_err().code, Code::InsideTheStore);
    assert!(fs::read_dir(&store).unwrap().next().is_none());
}

#[test]
fn what_cannot_be_written_is_not_begun() {
    let mut out = Vec::new();
    let chunk = load("sample-stores/dtypes-v3/string", &[0]);
    assert_eq!(
        npy::save(&chunk, Path::new("a.npy"), &mut out).unwrap_err().code,
        Code::VariableLength
    );
    assert!(out.is_empty());
}

#[test]
fn a_damaged_chunk_is_told_once_however_often_it_is_read() {
    // 700 elements of 400,000 bytes: what is promised is more than is decoded at a time.
    let folder = tempfile::tempdir().unwrap();
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
