//! The codecs of numcodecs and of the registry of extensions: what their stages say of chunks that are whole, that lie,
//! and that are damaged.

use super::memory::{InMemory, strip};
use proptest::prelude::*;
use std::{io::Write, sync::LazyLock};
use zarrscope::zarr::{
    Budget, DataTypes, Json, Registry,
    bytes::Bytes,
    codec::{Chain, CodecSpec, Data, Representation},
    format::Format,
};

/// A V2 array of one chunk with these filters and this compressor, as a stage strip.
fn v2(dtype: &str, len: u64, filters: &str, compressor: &str, chunk: &[u8]) -> String {
    let text = format!(
        r#"{{"zarr_format":2,"shape":[{len}],"chunks":[{len}],"dtype":"{dtype}","fill_value":null,"order":"C",
        "filters":{filters},"compressor":{compressor}}}"#
    );
    strip(&InMemory::new(".zarray", text, &[("0", chunk.to_vec())]).load(&[0], &[]))
}

/// A V3 array of one chunk with these codecs, as a stage strip.
fn v3(data_type: &str, len: u64, codecs: &str, chunk: &[u8]) -> String {
    let files = [("c/0", chunk.to_vec())];
    strip(&InMemory::v3(data_type, &[len], &[len], codecs, &files).load(&[0], &[]))
}

/// Several strips, each behind its title.
fn strips(strips: &[(&str, String)]) -> String {
    let parts: Vec<_> =
        strips.iter().map(|(title, strip)| format!("== {title}\n{strip}")).collect();
    parts.concat()
}

/// The numbers 0 … 11 as little-endian int16.
fn numbers() -> Vec<u8> {
    (0..12_i16).flat_map(i16::to_le_bytes).collect()
}

fn lz4(bytes: &[u8]) -> Vec<u8> {
    let size = u32::try_from(bytes.len()).unwrap().to_le_bytes();
    [&size[..], &lz4_flex::block::compress(bytes)].concat()
}

fn bz2(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::best());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn xz(bytes: &[u8]) -> Vec<u8> {
    liblzma::encode_all(bytes, 6).unwrap()
}

fn alone(bytes: &[u8]) -> Vec<u8> {
    use liblzma::stream::{LzmaOptions, Stream};
    let stream = Stream::new_lzma_encoder(&LzmaOptions::new_preset(6).unwrap()).unwrap();
    let mut encoder = liblzma::write::XzEncoder::new_stream(Vec::new(), stream);
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn flipped(mut bytes: Vec<u8>, at: usize) -> Vec<u8> {
    bytes[at] ^= 1;
    bytes
}

fn set(mut bytes: Vec<u8>, at: usize, new: &[u8]) -> Vec<u8> {
    bytes[at..at + new.len()].copy_from_slice(new);
    bytes
}

#[test]
fn lz4_says_its_size() {
    let data = b"abcabcabcabcabcabcabcabcabcabcab";
    let packed = lz4(data);
    let read = |chunk: &[u8]| v2("|u1", 32, "null", r#"{"id":"lz4"}"#, chunk);
    insta::assert_snapshot!(strips(&[
        ("whole", read(&packed)),
        ("a header that promises 4 GB", read(&set(packed.clone(), 0, &[255; 4]))),
        (
            "a header that promises more than there is",
            read(&set(packed.clone(), 0, &[40, 0, 0, 0]))
        ),
        ("a header that promises less", read(&set(packed.clone(), 0, &[20, 0, 0, 0]))),
        ("cut", read(&packed[..packed.len() - 3])),
        ("a match from before the beginning", read(&set(packed.clone(), 8, &[255, 0]))),
        ("three bytes", read(&packed[..3])),
    ]));
}

#[test]
fn bzip2_and_its_damages() {
    let packed = bz2(&numbers());
    let read = |chunk: &[u8]| v2("<i2", 12, "null", r#"{"id":"bz2","level":1}"#, chunk);
    insta::assert_snapshot!(strips(&[
        ("whole", read(&packed)),
        (
            "two streams and zeros",
            read(&[bz2(&numbers()[..7]), bz2(&numbers()[7..]), vec![0; 3]].concat())
        ),
        ("a crc that does not agree", read(&flipped(packed.clone(), 12))),
        ("cut", read(&packed[..packed.len() - 5])),
        ("no bzip2", read(b"hello world")),
        ("empty", read(b"")),
    ]));
}

#[test]
fn lzma_in_every_container() {
    let packed = xz(&numbers());
    let read = |configuration: &str, chunk: &[u8]| {
        v2("<i2", 12, "null", &format!(r#"{{"id":"lzma"{configuration}}}"#), chunk)
    };
    // Behind the block: padding to a multiple of four, the check, an index of eight bytes, a footer of twelve.
    let check = packed.len() - 12 - 8 - 8;
    let alone = alone(&numbers());
    insta::assert_snapshot!(strips(&[
        ("xz", read("", &packed)),
        ("a check that does not agree", read("", &flipped(packed.clone(), check))),
        ("damaged data", read("", &flipped(packed.clone(), 36))),
        ("cut", read("", &packed[..packed.len() - 20])),
        ("no xz", read(r#","format":1"#, &alone)),
        ("lzma", read(r#","format":2"#, &alone)),
        ("either", read(r#","format":0"#, &alone)),
        (
            "a size that is not true",
            read(r#","format":2"#, &set(alone.clone(), 5, &[100, 0, 0, 0, 0, 0, 0, 0]))
        ),
        ("a dictionary of 4 GB", read(r#","format":2"#, &set(alone.clone(), 1, &[255; 4]))),
        ("bare without filters", read(r#","format":3"#, &alone)),
        (
            "bare with an unknown one",
            read(r#","format":3,"filters":[{"id":99},{"id":33}]"#, &alone)
        ),
    ]));
}

#[test]
fn bits_and_their_padding() {
    let numcodecs = |chunk: &[u8]| v2("|b1", 11, r#"[{"id":"packbits"}]"#, "null", chunk);
    let registered = |configuration: &str, chunk: &[u8]| {
        let codec = format!(r#"[{{"name":"packbits","configuration":{{{configuration}}}}}]"#);
        v3("\"int4\"", 3, &codec, chunk)
    };
    insta::assert_snapshot!(strips(&[
        ("numcodecs", numcodecs(&[5, 0b1010_0000, 0b0110_0000])),
        ("too much padding", numcodecs(&[9, 0b1010_0000, 0b0110_0000])),
        ("empty", numcodecs(&[])),
        ("registered, the low bits first", registered("", &[0xf1, 0x07])),
        ("with its padding", registered(r#""padding_encoding":"last_byte""#, &[0xf1, 0x07, 4])),
        (
            "with another padding",
            registered(r#""padding_encoding":"first_byte""#, &[3, 0xf1, 0x07])
        ),
        ("cut", registered("", &[0xf1])),
        ("too long", registered("", &[0xf1, 0x07, 0])),
        ("bits that are not there", registered(r#""first_bit":2,"last_bit":1"#, &[0])),
    ]));
}

#[test]
fn arithmetic_that_has_no_answer() {
    let delta = r#"[{"id":"delta","dtype":"<i2"}]"#;
    let v3 = |codec: &str, chunk: &[u8]| {
        let codecs =
            format!(r#"[{codec},{{"name":"bytes","configuration":{{"endian":"little"}}}}]"#);
        v3("\"int16\"", 3, &codecs, chunk)
    };
    let scale = r#"{"name":"scale_offset","configuration":{"offset":1,"scale":2}}"#;
    let cast = r#"{"name":"cast_value","configuration":{"data_type":"float32"}}"#;
    let floats = |values: [f32; 3]| values.map(f32::to_le_bytes).concat();
    insta::assert_snapshot!(strips(&[
        ("delta", v2("<i2", 3, delta, "null", &[1, 0, 255, 255, 5, 0])),
        ("delta, half an element", v2("<i2", 3, delta, "null", &[1, 0, 255, 255, 5])),
        (
            "delta of booleans",
            v2("|b1", 4, r#"[{"id":"delta","dtype":"|b1"}]"#, "null", &[1, 0, 1, 1])
        ),
        ("delta of text", v2("<U2", 1, r#"[{"id":"delta","dtype":"<U2"}]"#, "null", &[0; 8])),
        ("scale_offset", v3(scale, &[2, 0, 4, 0, 254, 255])),
        ("scale_offset, what nothing was scaled to", v3(scale, &[2, 0, 3, 0, 4, 0])),
        ("cast_value", v3(cast, &floats([1.0, -2.0, 2.5]))),
        ("cast_value, out of range", v3(cast, &floats([1.0, 1e6, f32::NAN]))),
    ]));
}

#[test]
fn small_codecs() {
    let f = r#"[{"id":"shuffle","elementsize":4}]"#;
    let jenkins = r#"{"id":"jenkins_lookup3"}"#;
    let good = [numbers(), 0xdead_beef_u32.to_le_bytes().to_vec()].concat();
    insta::assert_snapshot!(strips(&[
        ("base64", v2("|u1", 4, "null", r#"{"id":"base64"}"#, b"AQIDBA==")),
        ("base64 with a stranger in it", v2("|u1", 6, "null", r#"{"id":"base64"}"#, b"AQID*AUG")),
        ("jenkins_lookup3 that does not agree", v2("<i2", 12, "null", jenkins, &good)),
        ("jenkins_lookup3 of three bytes", v2("<i2", 12, "null", jenkins, &[1, 2, 3])),
        ("shuffle with a rest", v2("|u1", 9, f, "null", &[1, 5, 2, 6, 3, 7, 4, 8, 9])),
        ("pickle", v2("|O", 1, r#"[{"id":"pickle","protocol":5}]"#, "null", b"\x80\x05.")),
        ("zfpy", v2("<f4", 1, "null", r#"{"id":"zfpy","mode":4}"#, b"zfp\x05")),
    ]));
}

#[test]
fn documents_of_objects() {
    let json = |chunk: &str| v2("|O", 3, r#"[{"id":"json2"}]"#, "null", chunk.as_bytes());
    let msgpack = |chunk: &[u8]| v2("|O", 3, r#"[{"id":"msgpack2"}]"#, "null", chunk);
    let whole = [&[0x95, 0xa1, b'a', 7, 0xc0, 0xa2, b'|', b'O', 0x91, 3][..]].concat();
    insta::assert_snapshot!(strips(&[
        ("json2", json(r#"["a", {"b": [1, null]}, 2.5, "|O", [3]]"#)),
        ("json2 of another shape", json(r#"["a", "b", "|O", [2]]"#)),
        ("json2 that contradicts itself", json(r#"["a", "b", "|O", [3]]"#)),
        ("json2, cut", json(r#"["a", "b""#)),
        ("json2 of numbers", v2("<i2", 2, r#"[{"id":"json2"}]"#, "null", br#"[1,-2,"<i2",[2]]"#)),
        (
            "json2 of numbers too large",
            v2("|u1", 2, r#"[{"id":"json2"}]"#, "null", br#"[1,256,"|u1",[2]]"#)
        ),
        ("msgpack2", msgpack(&whole)),
        ("msgpack2, cut", msgpack(&whole[..5])),
        ("msgpack2 of 4 billion items", msgpack(&[0xdd, 255, 255, 255, 255, 1])),
        (
            "vlen-array",
            v2(
                "|O",
                2,
                r#"[{"id":"vlen-array","dtype":"<i2"}]"#,
                "null",
                &[2, 0, 0, 0, 2, 0, 0, 0, 7, 0, 0, 0, 0, 0]
            )
        ),
        (
            "categorize",
            v2(
                "|O",
                3,
                r#"[{"id":"categorize","labels":["no","yes"],"dtype":"|O"}]"#,
                "null",
                &[2, 0, 1]
            )
        ),
    ]));
}

/// Codecs with a data type and a chunk of eight elements that they read.
fn samples() -> Vec<(Format, &'static str, String, Vec<u8>)> {
    let numbers: Vec<u8> = (0..8_i32).flat_map(|n| (n * n - 3).to_le_bytes()).collect();
    let raw = r#"{"id":"lzma","format":3,"filters":[{"id":3,"dist":4},{"id":33,"preset":1}]}"#;
    let labels = r#"{"id":"categorize","labels":["a","bc"],"dtype":"<U1"}"#;
    let fixed = r#"{"id":"fixedscaleoffset","offset":1,"scale":2,"dtype":"<i4","astype":"|u1"}"#;
    let pco = pco::standalone::simple_compress(
        &(0..8_i32).collect::<Vec<_>>(),
        &pco::ChunkConfig::default(),
    );
    let cast = r#"{"name":"cast_value","configuration":{"data_type":"uint8"}}"#;
    let bits =
        r#"{"name":"packbits","configuration":{"last_bit":4,"padding_encoding":"first_byte"}}"#;
    let v2 = |codec: &str, chunk: &[u8]| (Format::V2, "int32", codec.to_owned(), chunk.to_vec());
    let v3 = |codec: &str, chunk: &[u8]| (Format::V3, "int32", codec.to_owned(), chunk.to_vec());
    vec![
        v2(r#"{"id":"lz4"}"#, &lz4(&numbers)),
        v2(r#"{"id":"bz2"}"#, &bz2(&numbers)),
        v2(r#"{"id":"lzma"}"#, &xz(&numbers)),
        v2(r#"{"id":"lzma","format":2}"#, &alone(&numbers)),
        v2(raw, &[0; 20]),
        v2(r#"{"id":"base64"}"#, b"AQIDBAUGBwgJCgsMDQ4PEA=="),
        v2(r#"{"id":"jenkins_lookup3","initval":7}"#, &numbers),
        v2(r#"{"id":"shuffle","elementsize":4}"#, &numbers),
        v2(r#"{"id":"delta","dtype":"<i4","astype":">i2"}"#, &numbers[..16]),
        v2(r#"{"id":"astype","encode_dtype":"<f2","decode_dtype":"<i4"}"#, &numbers[..16]),
        v2(fixed, &numbers[..8]),
        v2(r#"{"id":"packbits"}"#, &[3, 1, 2, 3, 4]),
        v2(labels, &[0, 1, 2, 3, 0, 1, 2, 3]),
        v2(r#"{"id":"json2"}"#, b"[1,2,3,4,5,6,7,8,\"<i4\",[8]]"),
        v2(r#"{"id":"msgpack2"}"#, b"\x9a\x01\x02\x03\x04\x05\x06\x07\x08\xa3<i4\x91\x08"),
        v2(r#"{"id":"pcodec"}"#, pco.as_ref().unwrap()),
        v3(r#"{"name":"numcodecs.pcodec"}"#, pco.as_ref().unwrap()),
        v3(&format!("{cast},\"bytes\""), &[1, 2, 3, 4, 5, 6, 7, 8]),
        v3(bits, &[0, 1, 2, 3, 4, 5]),
    ]
}

/// The samples as chains.
static SAMPLES: LazyLock<Vec<(Chain, Vec<u8>)>> =
    LazyLock::new(|| samples().into_iter().map(|sample| (chain(&sample), sample.3)).collect());

fn chain((format, data_type, codecs, _): &(Format, &str, String, Vec<u8>)) -> Chain {
    let resolved = DataTypes::default().from_v3(&Json::from(*data_type)).unwrap();
    let array = Representation {
        data_type: resolved.data_type,
        order: resolved.order,
        shape: vec![8],
        fortran: false,
        fill: [0; 4].into(),
    };
    let json = Json::parse_str(&format!("[{codecs}]")).unwrap();
    let specs = match format {
        Format::V2 => CodecSpec::chain_from_v2(Some(&json), None, |spec| {
            Registry::default().makes_objects(spec)
        }),
        Format::V3 => CodecSpec::chain_from_v3(&json),
    };
    Chain::build(&specs.unwrap(), *format, &Registry::default(), Some(&array), 0)
}

/// The most bytes that a stage may give in these tests.
const LIMIT: u64 = 1 << 16;

fn survives(chain: &Chain, bytes: Vec<u8>) {
    let budget = Budget::default().with_limit(LIMIT).ignoring_checksums(true);
    let mut data = Data::Bytes(Bytes::whole(bytes));
    for link in chain.links.iter().rev() {
        let outcome = link.decode(&data, &budget);
        let Some(output) = outcome.output else {
            assert!(outcome.error.is_some(), "{} gave nothing and no error", link.spec.name);
            return;
        };
        let len = output.len();
        assert!(len <= LIMIT.max(data.len()), "{} made {len} of {}", link.spec.name, data.len());
        for field in outcome.header {
            assert!(field.bytes.end <= data.len(), "{}: {field:?}", link.spec.name);
        }
        data = output;
        if outcome.error.is_some() {
            return;
        }
    }
    let elements = data.elements().unwrap();
    assert_eq!(elements.elements(0..u64::MAX).count() as u64, elements.len());
}

#[test]
fn samples_are_read() {
    for (chain, bytes) in SAMPLES.iter() {
        assert!(chain.error().is_none(), "{:?}", chain.error());
        survives(chain, bytes.clone());
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes_behind_any_beginning_are_an_error_or_values(
        sample in any::<prop::sample::Index>(),
        keep in any::<prop::sample::Index>(),
        rest in prop::collection::vec(any::<u8>(), 0..60),
        flips in prop::collection::vec((any::<prop::sample::Index>(), 0_u8..8), 0..4),
    ) {
        let (chain, whole) = sample.get(&SAMPLES);
        let mut bytes = whole[..keep.index(whole.len() + 1)].to_vec();
        bytes.extend(rest);
        for (at, bit) in flips {
            if !bytes.is_empty() {
                let at = at.index(bytes.len());
                bytes[at] ^= 1 << bit;
            }
        }
        survives(chain, bytes);
    }
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// Bit 0 of the header is the first of the codecs; a bit without a codec is told.
#[test]
fn conditional_codecs_are_undone_where_their_bit_is_set() {
    let codecs = |more: &str| {
        format!(
            r#"["bytes", {{"name": "conditional", "configuration": {{"codecs": [
            {{"name": "numcodecs.shuffle", "configuration": {{"elementsize": 2}}}},
            {{"name": "gzip", "configuration": {{"level": 1}}}}]{more}}}}}]"#
        )
        .replace(r#""bytes""#, r#"{"name": "bytes", "configuration": {"endian": "little"}}"#)
    };
    let plain = numbers();
    let chunk = |mask: &[u8], bytes: &[u8]| [mask, bytes].concat();
    let int16 = "\"int16\"";
    insta::assert_snapshot!(strips(&[
        ("none of both", v3(int16, 12, &codecs(""), &chunk(&[0], &plain))),
        ("the second", v3(int16, 12, &codecs(""), &chunk(&[2], &gzip(&plain)))),
        (
            "16 bits of header",
            v3(int16, 12, &codecs(r#", "header_bits": 16"#), &chunk(&[2, 0], &gzip(&plain)))
        ),
        ("a bit too many", v3(int16, 12, &codecs(""), &chunk(&[8], &plain))),
        (
            "12 bits of header",
            v3(int16, 12, &codecs(r#", "header_bits": 12"#), &chunk(&[0], &plain))
        ),
        ("no header", v3(int16, 12, &codecs(""), &[])),
    ]));
}

/// A block of N5 has its own shape: that of the chunk, a smaller or a larger one.
#[test]
fn n5_blocks_are_fitted_into_their_chunks() {
    let codecs = r#"[{"name": "n5_default", "configuration": {"codecs": [
        {"name": "transpose", "configuration": {"order": [1, 0]}},
        {"name": "bytes", "configuration": {"endian": "big"}}]}}]"#;
    let block = |shape: [u32; 2]| {
        let head = [0_u16, 2].map(u16::to_be_bytes).concat();
        let shape_bytes = shape.map(u32::to_be_bytes).concat();
        // Column-major: the first coordinate runs fastest. An element is ten times its row and its column.
        let elements =
            (0..shape[1]).flat_map(|column| (0..shape[0]).map(move |row| row * 10 + column));
        let elements = elements.flat_map(|value| u16::try_from(value).unwrap().to_be_bytes());
        [head, shape_bytes, elements.collect()].concat()
    };
    let values = |bytes: Vec<u8>| {
        let store = InMemory::v3("\"uint16\"", &[2, 3], &[2, 3], codecs, &[("c/0/0", bytes)]);
        let chunk = store.load(&[0, 0], &[]);
        chunk.elements().map(|elements| elements.to_vec::<u16>().unwrap())
    };
    assert_eq!(values(block([2, 3])), Some(vec![0, 1, 2, 10, 11, 12]));
    assert_eq!(values(block([1, 2])), Some(vec![0, 1, 0, 0, 0, 0]));
    assert_eq!(values(block([3, 4])), Some(vec![0, 1, 2, 10, 11, 12]));
    let mut other = block([2, 3]);
    other[1] = 1;
    assert_eq!(values(other), None);
    assert_eq!(values(vec![0, 0, 0, 3]), None);
    assert_eq!(values(block([2, 3])[..18].to_vec()), None);
    let huge = [0_u16, 2].map(u16::to_be_bytes).concat().into_iter().chain([0xff; 8]).collect();
    assert_eq!(values(huge), None);
}

/// The same texts through each of the codecs that zarrs has for elements of variable length.
#[test]
fn the_codecs_of_zarrs_for_variable_length_are_read() {
    let index = |location: &str| {
        format!(
            r#"[{{"name": "zarrs.vlen", "configuration": {{"index_data_type": "uint32", {location}
            "index_codecs": [{{"name": "bytes", "configuration": {{"endian": "big"}}}}],
            "data_codecs": ["bytes", {{"name": "gzip", "configuration": {{"level": 1}}}}]}}}}]"#
        )
    };
    let offsets = [0_u32, 2, 2, 5].map(u32::to_be_bytes).concat();
    let length = 16_u64.to_le_bytes().to_vec();
    let data = gzip("abxyz".as_bytes());
    let start = [length.clone(), offsets.clone(), data.clone()].concat();
    let end = [data, offsets, length].concat();
    let v2_bytes = [3_u32, 2].map(u32::to_le_bytes).concat();
    let v2_bytes =
        [&v2_bytes[..], b"ab", &0_u32.to_le_bytes(), &3_u32.to_le_bytes(), b"xyz"].concat();
    let mut falling = start.clone();
    falling[11] = 9;
    let text = "\"string\"";
    insta::assert_snapshot!(strips(&[
        ("index first", v3(text, 3, &index(""), &start)),
        ("index last", v3(text, 3, &index(r#""index_location": "end","#), &end)),
        ("zarrs.vlen_v2", v3(text, 3, r#"[{"name": "zarrs.vlen_v2"}]"#, &v2_bytes)),
        ("offsets that fall", v3(text, 3, &index(""), &falling)),
        ("the wrong end", v3(text, 3, &index(r#""index_location": "end","#), &start)),
        ("of integers", v3("\"int16\"", 3, &index(""), &start)),
    ]));
}

#[test]
fn squeezed_dimensions_come_back() {
    let codecs = r#"[{"name": "zarrs.squeeze"}, {"name": "transpose", "configuration": {"order": [1, 0]}}, "bytes"]"#;
    let store = InMemory::v3(
        "\"uint8\"",
        &[2, 1, 3, 1],
        &[2, 1, 3, 1],
        codecs,
        &[("c/0/0/0/0", (0..6).collect())],
    );
    let chunk = store.load(&[0, 0, 0, 0], &[]);
    let elements = chunk.elements().unwrap();
    assert_eq!(elements.shape(), [2, 1, 3, 1]);
    assert_eq!(elements.to_vec::<u8>().unwrap(), [0, 2, 4, 1, 3, 5]);
}
