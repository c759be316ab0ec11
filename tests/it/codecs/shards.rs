//! Shards: one inner chunk costs two reads, and an index that lies says so.

use super::memory::{InMemory, strip};
use zarrscope::zarr::Code;

fn sharding(inner: u64, codecs: &str, location: &str) -> String {
    format!(
        r#"{{"name":"sharding_indexed","configuration":{{"chunk_shape":[{inner}],"codecs":[{codecs}],
        "index_codecs":[{{"name":"bytes","configuration":{{"endian":"little"}}}},"crc32c"],
        "index_location":"{location}"}}}}"#
    )
}

const BYTES: &str = r#"{"name":"bytes","configuration":{"endian":"little"}}"#;
const EMPTY: (u64, u64) = (u64::MAX, u64::MAX);

/// A shard with the index at its end.
fn shard(data: &[u8], entries: &[(u64, u64)]) -> Vec<u8> {
    [data, &index(entries)].concat()
}

fn index(entries: &[(u64, u64)]) -> Vec<u8> {
    let mut index: Vec<u8> =
        entries.iter().flat_map(|(a, b)| [a.to_le_bytes(), b.to_le_bytes()].concat()).collect();
    let sum = crc32c::crc32c(&index);
    index.extend(sum.to_le_bytes());
    index
}

#[test]
fn an_inner_chunk_costs_two_reads() {
    let data: Vec<u8> = (0..8).collect();
    let bytes = shard(&data, &[(4, 4), EMPTY, (0, 4)]);
    let codecs = format!("[{}]", sharding(4, BYTES, "end"));
    let array = InMemory::v3("\"uint8\"", &[10], &[12], &codecs, &[("c/0", bytes)]);
    let chunk = array.load(&[0], &[&[2]]);
    assert_eq!(*array.store.reads.lock().unwrap(), [52, 4]);
    insta::assert_snapshot!("inner_chunk", strip(&chunk));
    assert!(array.load(&[0], &[&[1]]).is_missing());
    insta::assert_snapshot!("whole_shard", strip(&array.load(&[0], &[])));
    assert_eq!(array.load(&[0], &[&[3]]).error.unwrap().code, Code::NoSuchPlace);
}

#[test]
fn shards_in_shards_cost_two_reads_a_level() {
    let inner = [index(&[(36, 2), EMPTY]), vec![7, 8]].concat();
    let len = inner.len() as u64;
    let bytes = shard(&inner, &[EMPTY, (0, len)]);
    let codecs = format!("[{}]", sharding(4, &sharding(2, BYTES, "start"), "end"));
    let array = InMemory::v3("\"uint8\"", &[8], &[8], &codecs, &[("c/0", bytes)]);
    let chunk = array.load(&[0], &[&[1], &[0]]);
    assert_eq!(*array.store.reads.lock().unwrap(), [36, 36, 2]);
    insta::assert_snapshot!(strip(&chunk));
    insta::assert_snapshot!("nested_whole", strip(&array.load(&[0], &[])));
}

#[test]
fn an_index_that_lies() {
    let data: Vec<u8> = (0..8).collect();
    let entries = [(0, 4), (2, 4), (1 << 60, 4), (u64::MAX - 1, 4), (0, u64::MAX), (6, 8)];
    let codecs = format!("[{}]", sharding(4, BYTES, "end"));
    let array =
        InMemory::v3("\"uint8\"", &[24], &[24], &codecs, &[("c/0", shard(&data, &entries))]);
    insta::assert_snapshot!("index_lies", strip(&array.load(&[0], &[])));
    for inner in 2..6 {
        let chunk = array.load(&[0], &[&[inner]]);
        assert!(chunk.fault().is_some(), "{}", strip(&chunk));
    }
    // Empty is what has both numbers of an empty one.
    let half = shard(&data, &[(u64::MAX, 0), (0, u64::MAX)]);
    let array = InMemory::v3("\"uint8\"", &[8], &[8], &codecs, &[("c/0", half)]);
    assert!(array.load(&[0], &[&[0]]).fault().is_some());
    assert!(array.load(&[0], &[&[1]]).fault().is_some());
    let mut damaged = shard(&data, &[EMPTY; 6]);
    damaged[20] ^= 1;
    let array = InMemory::v3("\"uint8\"", &[24], &[24], &codecs, &[("c/0", damaged)]);
    insta::assert_snapshot!("index_damaged", strip(&array.load(&[0], &[&[0]])));
    let array = InMemory::v3("\"uint8\"", &[24], &[24], &codecs, &[("c/0", vec![1; 60])]);
    insta::assert_snapshot!("index_cut", strip(&array.load(&[0], &[&[0]])));
}

#[test]
fn grids_that_exist_on_paper_only() {
    let codecs = format!("[{}]", sharding(1, BYTES, "end"));
    let shape = [1 << 60];
    let array = InMemory::v3("\"uint8\"", &shape, &shape, &codecs, &[("c/0", vec![1; 60])]);
    insta::assert_snapshot!(strip(&array.load(&[0], &[&[5]])));
}
