//! The stages of chunks that are whole, damaged, or something else altogether.

use super::memory::{InMemory, strip};
use std::io::Write;
use zarrscope::zarr::{
    Budget, Code,
    chunk::{WHOLE, WINDOW},
    codec::Elements,
    grid::ChunkId,
};

const BYTES: &str = r#"{"name":"bytes","configuration":{"endian":"little"}}"#;

/// The numbers 0 … 11 as little-endian int16.
fn numbers() -> Vec<u8> {
    (0..12_i16).flat_map(i16::to_le_bytes).collect()
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder =
        flate2::GzBuilder::new().filename("x").write(Vec::new(), flate2::Compression::best());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn crc32c(mut bytes: Vec<u8>) -> Vec<u8> {
    let sum = crc32c::crc32c(&bytes);
    bytes.extend(sum.to_le_bytes());
    bytes
}

fn zstd(bytes: &[u8]) -> Vec<u8> {
    zstd::bulk::compress(bytes, 3).unwrap()
}

/// An int16 array of one chunk of 12 elements.
fn one(codecs: &str, chunk: Vec<u8>) -> String {
    let codecs = format!("[{codecs}]");
    strip(&InMemory::v3("\"int16\"", &[12], &[12], &codecs, &[("c/0", chunk)]).load(&[0], &[]))
}

#[test]
fn a_whole_chunk() {
    let codecs = format!(
        r#"{BYTES},{{"name":"zstd","configuration":{{"level":3,"checksum":false}}}},"crc32c""#
    );
    insta::assert_snapshot!(one(&codecs, crc32c(zstd(&numbers()))));
}

#[test]
fn gzip_members_and_what_follows_them() {
    let codecs = format!(r#"{BYTES},{{"name":"gzip","configuration":{{"level":9}}}}"#);
    let (first, second) = (gzip(&numbers()[..10]), gzip(&numbers()[10..]));
    let both = [first.clone(), second, vec![0; 5]].concat();
    insta::assert_snapshot!(one(&codecs, both));
}

#[test]
fn a_checksum_that_does_not_agree() {
    let codecs = format!(r#"{BYTES},"crc32c""#);
    let mut chunk = numbers();
    chunk.extend(crc32fast::hash(&chunk).to_le_bytes());
    insta::assert_snapshot!(one(&codecs, chunk.clone()));
    let array = InMemory::v3("\"int16\"", &[12], &[12], &format!("[{codecs}]"), &[("c/0", chunk)]);
    let budget = Budget::default().with_limit(1 << 20).ignoring_checksums(true);
    let overlooked = array.load_with(&[0], &[], 0, &budget);
    assert_eq!(overlooked.elements().map(Elements::len), Some(12));
}

#[test]
fn zstd_frames_and_what_follows_them() {
    let codecs = format!(r#"{BYTES},{{"name":"zstd","configuration":{{"level":3}}}}"#);
    let (first, second) = (zstd(&numbers()[..10]), zstd(&numbers()[10..]));
    let skipped = [&[0x50, 0x2a, 0x4d, 0x18, 3, 0, 0, 0][..], b"abc"].concat();
    insta::assert_snapshot!(one(&codecs, [skipped, first, second, vec![1; 6]].concat()));
}

#[test]
fn a_zstd_frame_whose_own_checksum_is_wrong() {
    let mut encoder = zstd::bulk::Compressor::new(3).unwrap();
    encoder.include_checksum(true).unwrap();
    let mut frame = encoder.compress(&numbers().repeat(100)).unwrap();
    let last = frame.len() - 1;
    frame[last] ^= 1;
    let codecs =
        format!(r#"[{BYTES},{{"name":"zstd","configuration":{{"level":3,"checksum":true}}}}]"#);
    let array = InMemory::v3("\"int16\"", &[1200], &[1200], &codecs, &[("c/0", frame)]);
    insta::assert_snapshot!(strip(&array.load(&[0], &[])));
}

/// A blosc buffer of `blocks`, each compressed by LZ4 and none of them split or shuffled.
fn blosc(blocks: &[&[u8]]) -> Vec<u8> {
    let len: usize = blocks.iter().map(|block| block.len()).sum();
    let packed: Vec<_> = blocks.iter().map(|block| lz4_flex::block::compress(block)).collect();
    let mut table = Vec::new();
    let mut data = Vec::new();
    let start = 16 + 4 * blocks.len();
    for block in &packed {
        table.extend(u32::try_from(start + data.len()).unwrap().to_le_bytes());
        data.extend(u32::try_from(block.len()).unwrap().to_le_bytes());
        data.extend(block);
    }
    let mut out = vec![2, 1, 0x30, 2];
    for number in [len, blocks[0].len(), start + data.len()] {
        out.extend(u32::try_from(number).unwrap().to_le_bytes());
    }
    [out, table, data].concat()
}

#[test]
fn a_damaged_blosc_block_is_named_and_those_before_it_are_saved() {
    let codecs = format!(
        r#"[{BYTES},{{"name":"blosc","configuration":
        {{"cname":"lz4","clevel":5,"shuffle":"shuffle","typesize":2,"blocksize":0}}}}]"#
    );
    let block: Vec<u8> = (0..512_u16).flat_map(|n| (n / 7).to_le_bytes()).collect();
    let whole = blosc(&[&block, &block, &block, &block[..600]]);
    let load = |chunk: Vec<u8>| {
        let array = InMemory::v3("\"int16\"", &[1836], &[1836], &codecs, &[("c/0", chunk)]);
        strip(&array.load(&[0], &[]))
    };
    insta::assert_snapshot!("blosc_whole", load(whole.clone()));
    let mut damaged = whole.clone();
    let third = u32::from_le_bytes(*damaged[24..].first_chunk().unwrap()) as usize;
    damaged[third + 4..third + 12].fill(0xff);
    insta::assert_snapshot!("blosc_damaged_block", load(damaged));
    let mut outside = whole.clone();
    outside[24..28].fill(0x7f);
    insta::assert_snapshot!("blosc_block_outside", load(outside));
    insta::assert_snapshot!("blosc_truncated", load(whole[..whole.len() - 9].to_vec()));
}

#[test]
fn a_truncated_chunk_keeps_what_came_out() {
    let codecs = format!(r#"{BYTES},{{"name":"zstd","configuration":{{"level":3}}}}"#);
    let whole = zstd(&numbers());
    insta::assert_snapshot!("truncated_zstd", one(&codecs, whole[..whole.len() - 5].to_vec()));
    let codecs = format!(r#"{BYTES},{{"name":"gzip","configuration":{{"level":1}}}}"#);
    let whole = gzip(&numbers());
    insta::assert_snapshot!("truncated_gzip", one(&codecs, whole[..whole.len() - 12].to_vec()));
    insta::assert_snapshot!("truncated_raw", one(BYTES, numbers()[..17].to_vec()));
    insta::assert_snapshot!("long_raw", one(BYTES, [numbers(), vec![0; 4]].concat()));
}

#[test]
fn something_else_than_declared() {
    let codecs = format!(r#"{BYTES},{{"name":"zstd","configuration":{{"level":3}}}}"#);
    let mut out = String::new();
    for chunk in [
        gzip(&numbers()),
        b"<!DOCTYPE html><title>404</title>".to_vec(),
        b"version https://git-lfs.github.com/spec/v1\n".to_vec(),
        vec![0; 40],
        Vec::new(),
    ] {
        out += &one(&codecs, chunk);
    }
    insta::assert_snapshot!(out);
}

#[test]
fn an_unknown_codec_stops_the_chain_with_its_name() {
    let unknown = r#"{"name":"squeeze","configuration":{"level":1}}"#;
    insta::assert_snapshot!(
        "unknown_last",
        one(&format!(r#"{BYTES},{unknown},"crc32c""#), crc32c(numbers()))
    );
    insta::assert_snapshot!("unknown_first", one(&format!("{unknown},{BYTES}"), numbers()));
    insta::assert_snapshot!("no_bytes_codec", one("\"crc32c\"", crc32c(numbers())));
}

#[test]
fn an_edge_chunk_that_was_cut() {
    let codecs = format!(r#"[{BYTES},{{"name":"gzip","configuration":{{"level":1}}}}]"#);
    let chunk = gzip(&numbers()[..12]);
    let array =
        InMemory::v3("\"int16\"", &[5, 4], &[3, 4], &codecs, &[("c/1/0", gzip(&numbers()[..16]))]);
    insta::assert_snapshot!(strip(&array.load(&[1, 0], &[])));
    drop(chunk);
}

#[test]
fn a_large_raw_chunk_is_seen_through_a_window() {
    let len = WHOLE + WINDOW;
    let bytes: Vec<u8> = (0..u32::try_from(len / 4).unwrap()).flat_map(u32::to_be_bytes).collect();
    let codecs = r#"[{"name":"transpose","configuration":{"order":[1,0]}},{"name":"bytes","configuration":{"endian":"big"}}]"#;
    let array =
        InMemory::v3("\"uint32\"", &[len / 16, 4], &[len / 16, 4], codecs, &[("c/0/0", bytes)]);
    let around = len - 10;
    let budget = Budget::default().with_limit(1 << 20);
    let chunk = array.load_with(&[0, 0], &[], around, &budget);
    assert_eq!(*array.store.reads.lock().unwrap(), [WINDOW]);
    let elements = chunk.elements().expect("elements");
    let last = elements.element(len / 4 - 1).expect("the last element is loaded");
    assert_eq!(last.coordinates, [len / 16 - 1, 3]);
    assert_eq!(last.value.unwrap().to_string(), (len / 4 - 1).to_string());
    assert!(elements.element(0).is_none(), "the first is not");
}

#[test]
fn bombs_are_refused_with_the_numbers() {
    let zeros = vec![0; 4 << 20];
    let mut out = String::new();
    for (codec, chunk) in [("gzip", gzip(&zeros)), ("zstd", zstd(&zeros))] {
        let codecs = format!(r#"{BYTES},{{"name":"{codec}","configuration":{{"level":1}}}}"#);
        out += &one(&codecs, chunk);
    }
    // Headers that promise far more than there is.
    let codecs = format!(r#"{BYTES},"blosc""#);
    let mut blosc = vec![2, 1, 0x21, 2];
    for number in [0x7fff_ffef_u32, 0x7fff_ffef, 20, 20] {
        blosc.extend(number.to_le_bytes());
    }
    out += &one(&codecs, blosc);
    let codecs = format!(r#"{BYTES},{{"name":"zstd","configuration":{{"level":3}}}}"#);
    let mut frame = vec![0x28, 0xb5, 0x2f, 0xfd, 0xe0];
    frame.extend((1_u64 << 50).to_le_bytes());
    frame.extend([1, 0, 0]);
    out += &one(&codecs, frame);
    insta::assert_snapshot!(out);
}

#[test]
fn a_file_longer_than_the_limit_is_not_read() {
    let files = [("c/0", vec![0; 3000])];
    let array = InMemory::v3("\"string\"", &[2], &[2], r#"[{"name":"vlen-utf8"}]"#, &files);
    let limited = Budget::default().with_limit(2000);
    let chunk = array.load_with(&[0], &[], 0, &limited);
    assert_eq!(chunk.fault().unwrap().code, Code::ChunkTooLong);
}

#[test]
fn a_chunk_that_is_neither_whole_nor_cut_at_the_edge_is_measured_against_the_whole() {
    let array =
        InMemory::v3("\"uint8\"", &[5], &[4], &format!("[{BYTES}]"), &[("c/1", vec![7; 3])]);
    let chunk = array.load(&[1], &[]);
    let fault = chunk.fault().unwrap();
    assert_eq!(fault.code, Code::ChunkTruncated);
    assert!(fault.expected.contains('4'), "{fault}");
}

#[test]
fn no_codec_begins_after_a_stop() {
    let array =
        InMemory::v3("\"uint8\"", &[4], &[4], &format!("[{BYTES}]"), &[("c/0", vec![7; 4])]);
    let stopped = Budget::default().with_stop(&|| true);
    let chunk = array.load_with(&[0], &[], 0, &stopped);
    assert_eq!(chunk.fault().unwrap().code, Code::Stopped);
    assert!(chunk.elements().is_none());
}

#[test]
fn long_lists_of_texts_can_be_stopped() {
    let texts = [&[2, 0, 0, 0][..], &[0; 8]].concat();
    let codecs = r#"[{"name":"vlen-utf8"}]"#;
    let array = InMemory::v3("\"string\"", &[2], &[2], codecs, &[("c/0", texts)]);
    let asked = std::sync::atomic::AtomicBool::new(false);
    let stop = || asked.swap(true, std::sync::atomic::Ordering::Relaxed);
    let stopped = Budget::default().with_stop(&stop);
    assert_eq!(array.load_with(&[0], &[], 0, &stopped).fault().unwrap().code, Code::Stopped);
}

#[test]
fn a_list_of_another_length_than_the_chunk_is_refused() {
    let codecs = r#"[{"name":"vlen-utf8"}]"#;
    let one = vec![1, 0, 0, 0, 0, 0, 0, 0];
    let array = InMemory::v3("\"string\"", &[2], &[2], codecs, &[("c/0", one)]);
    assert_eq!(array.load(&[0], &[]).fault().unwrap().code, Code::ChunkWrongCount);
}

#[test]
fn what_the_next_codec_reads_is_no_surprise_under_a_wrong_checksum() {
    let mut chunk = crc32c(gzip(&numbers()));
    *chunk.last_mut().unwrap() ^= 1;
    let shown =
        one(&format!(r#"{BYTES},{{"name":"gzip","configuration":{{"level":1}}}},"crc32c""#), chunk);
    assert!(shown.contains("checksum-mismatch") && !shown.contains("looks-like"), "{shown}");
}

#[test]
fn a_chunk_is_named_by_as_many_coordinates_as_there_are_dimensions() {
    let array = InMemory::v3("\"uint8\"", &[4, 4], &[2, 2], &format!("[{BYTES}]"), &[]);
    assert!(ChunkId::parse("1,1", &array.array).is_ok());
    for name in ["1", "1,1,1", "1,1@0"] {
        assert!(ChunkId::parse(name, &array.array).is_err(), "{name}");
    }
}
