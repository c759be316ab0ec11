//! Encoding: what is encoded is decoded again, by every codec that encodes and for every data type.

use super::{budget, hex, json, vectors};
use crate::laws_types::TYPES;
use proptest::prelude::*;
use std::collections::BTreeSet;
use zarrscope::zarr::{
    ByteOrder, Code, Endian, Hierarchy, Json, NodePath, Registry, Scalar, chunk,
    codec::{Chain, CodecSpec, Data, Elements, Representation},
    data_type::{DataType, ItemSize, Plain, Resolved, optional},
    format::Format,
    grid::ChunkId,
    hierarchy::NodeKind,
    words,
};

/// A chain, and the array it is for.
struct Case {
    array: Representation,
    chain: Chain,
}

/// A V3 chain, or the filters and the compressor of V2, for an array of this shape.
fn case(format: Format, resolved: Resolved, shape: &[u64], codecs: &str) -> Case {
    let registry = Registry::default();
    let codecs = Json::parse_str(codecs).unwrap();
    let specs = match format {
        Format::V3 => CodecSpec::chain_from_v3(&codecs),
        Format::V2 => {
            CodecSpec::chain_from_v2(Some(&codecs), None, |spec| registry.makes_objects(spec))
        }
    };
    let zero = resolved.data_type.default_scalar();
    let fill = resolved.data_type.encode(&zero, &resolved.order).unwrap_or_default();
    let array = Representation {
        data_type: resolved.data_type,
        order: resolved.order,
        shape: shape.to_vec(),
        fortran: false,
        fill: fill.into(),
    };
    let chain = Chain::build(&specs.unwrap(), format, &registry, Some(&array), 0);
    assert!(chain.error().is_none(), "{codecs}: {:?}", chain.error());
    Case { array, chain }
}

/// The bytes of an element made of `bytes`, some of them without a value where the data type permits it.
fn element(data_type: &dyn DataType, bytes: &mut dyn Iterator<Item = u8>, cut: usize) -> Vec<u8> {
    match data_type.inner() {
        Some(_) if cut == 0 => Vec::new(),
        Some(inner) => {
            let value = element(inner.as_ref(), bytes, cut - 1);
            [&[optional::SOME], value.as_slice()].concat()
        }
        None => bytes.take(data_type.item_size().fixed().unwrap_or(cut * 4)).collect(),
    }
}

/// The scalars of an array, made of `bytes`; elements of variable length take as many as one of `cuts` says.
fn scalars(array: &Representation, bytes: &[u8], cuts: &[usize]) -> Vec<Scalar> {
    let order = array.data_type.default_order();
    let mut bytes = bytes.iter().copied().cycle();
    let mut next = |number: usize| {
        let item = element(array.data_type.as_ref(), &mut bytes, cuts[number % cuts.len()]);
        // Of booleans every byte but 0 is true, and packed it is 1.
        let is_bool = array.data_type.name() == "bool";
        let item: Vec<u8> =
            item.iter().map(|byte| if is_bool { byte & 1 } else { *byte }).collect();
        array.data_type.decode(&item, &order).unwrap()
    };
    (0..array.len().unwrap()).map(|number| next(usize::try_from(number).unwrap())).collect()
}

/// All elements in C order.
fn in_c_order(elements: &Elements) -> Vec<Scalar> {
    let at = |index| elements.position(&elements.coordinates_of_index(index));
    (0..elements.len()).map(|index| elements.value(at(index)).unwrap().unwrap()).collect()
}

/// Encodes, and decodes what came out.
fn there_and_back(Case { array, chain }: &Case, scalars: &[Scalar]) -> Vec<Scalar> {
    let elements = Elements::from_scalars(&array.data_type, &array.shape, scalars).unwrap();
    let stored = chain.encode(Data::Elements(elements), &budget()).unwrap();
    let promised = chain.encoded_size();
    assert!(
        promised.exact.is_none_or(|exact| exact == stored.len()),
        "{promised:?} {}",
        stored.len()
    );
    let decoded = chain.decode(stored, &budget()).unwrap();
    in_c_order(decoded.elements().unwrap())
}

/// Codecs of the bytes that lose nothing.
const BYTES: &[&str] = &[
    r#"{"name":"gzip","configuration":{"level":5}}"#,
    r#"{"name":"numcodecs.zlib","configuration":{"level":-1}}"#,
    r#"{"name":"zstd","configuration":{"level":3,"checksum":true}}"#,
    r#"{"name":"zstd","configuration":{"level":-5,"checksum":false}}"#,
    r#"{"name":"blosc","configuration":{"cname":"lz4","clevel":5,"shuffle":"shuffle","typesize":4,"blocksize":0}}"#,
    r#"{"name":"blosc","configuration":{"cname":"zstd","clevel":9,"shuffle":"bitshuffle","typesize":2,"blocksize":64}}"#,
    r#"{"name":"blosc","configuration":{"cname":"blosclz","clevel":1,"shuffle":"noshuffle","blocksize":0}}"#,
    r#"{"name":"numcodecs.lz4","configuration":{"acceleration":1}}"#,
    r#"{"name":"numcodecs.bz2","configuration":{"level":9}}"#,
    r#"{"name":"numcodecs.lzma","configuration":{"format":1,"check":-1,"preset":0,"filters":null}}"#,
    r#"{"name":"numcodecs.lzma","configuration":{"format":1,"check":10,"filters":[{"id":3,"dist":4},{"id":33,"preset":1}]}}"#,
    r#"{"name":"numcodecs.lzma","configuration":{"format":2,"preset":1}}"#,
    r#"{"name":"numcodecs.lzma","configuration":{"format":3,"filters":[{"id":33,"dict_size":65536}]}}"#,
    r#"{"name":"numcodecs.lzma","configuration":{"format":3,"filters":[{"id":4611686018427387905,"lc":2,"lp":1,"pb":0}]}}"#,
    r#"{"name":"numcodecs.base64"}"#,
    r#"{"name":"numcodecs.shuffle","configuration":{"elementsize":4}}"#,
    r#"{"name":"numcodecs.shuffle","configuration":{"elementsize":7}}"#,
    r#"{"name":"crc32c"}"#,
    r#"{"name":"numcodecs.crc32","configuration":{"location":"end"}}"#,
    r#"{"name":"numcodecs.adler32"}"#,
    r#"{"name":"numcodecs.fletcher32"}"#,
    r#"{"name":"numcodecs.jenkins_lookup3","configuration":{"initval":7,"prefix":[1,2]}}"#,
    r#"{"name":"conditional","configuration":{"codecs":[{"name":"crc32c"},{"name":"gzip","configuration":{"level":1}}]}}"#,
];

const LITTLE: &str = r#"{"name":"bytes","configuration":{"endian":"little"}}"#;
const BIG: &str = r#"{"name":"bytes","configuration":{"endian":"big"}}"#;
const INDEX: &str =
    r#""index_codecs":[{"name":"bytes","configuration":{"endian":"little"}},{"name":"crc32c"}]"#;

/// Other chains that lose nothing: format, data type, codecs. `L` and `B` stand for `bytes` of either order.
const CHAINS: &[(Format, &str, &str)] = &[
    (Format::V3, "\"int16\"", r#"[{"name":"transpose","configuration":{"order":[1,0]}},B]"#),
    (
        Format::V3,
        "\"string\"",
        r#"[{"name":"transpose","configuration":{"order":[1,0]}},{"name":"vlen-utf8"}]"#,
    ),
    (Format::V3, "\"float64\"", r#"[{"name":"reshape","configuration":{"shape":[-1]}},L]"#),
    (
        Format::V3,
        "\"bytes\"",
        r#"[{"name":"transpose","configuration":{"order":[1,0]}},{"name":"reshape","configuration":{"shape":[3,4]}},{"name":"vlen-bytes"}]"#,
    ),
    (Format::V3, "\"int32\"", r#"[{"name":"zarrs.squeeze"},B]"#),
    (Format::V3, "\"string\"", r#"[{"name":"zarrs.vlen_v2"}]"#),
    (
        Format::V3,
        "\"string\"",
        r#"[{"name":"zarrs.vlen","configuration":{I,"data_codecs":[{"name":"bytes"},{"name":"gzip","configuration":{"level":1}}],"index_data_type":"uint32","index_location":"start"}}]"#,
    ),
    (
        Format::V3,
        "\"bytes\"",
        r#"[{"name":"zarrs.vlen","configuration":{I,"data_codecs":[{"name":"bytes"}],"index_data_type":"uint64","index_location":"end"}}]"#,
    ),
    (
        Format::V3,
        "\"bool\"",
        r#"[{"name":"packbits","configuration":{"padding_encoding":"first_byte"}}]"#,
    ),
    (
        Format::V3,
        "\"int4\"",
        r#"[{"name":"packbits","configuration":{"padding_encoding":"last_byte"}}]"#,
    ),
    (
        Format::V3,
        "\"complex64\"",
        r#"[{"name":"transpose","configuration":{"order":[1,0]}},{"name":"packbits"}]"#,
    ),
    (Format::V3, "\"bool\"", r#"[{"name":"numcodecs.packbits"},{"name":"bytes"}]"#),
    (Format::V2, "\"|b1\"", r#"[{"id":"packbits"}]"#),
    (Format::V3, "\"float32\"", r#"[{"name":"numcodecs.pcodec","configuration":{"level":8}}]"#),
    (Format::V2, "\">i8\"", r#"[{"id":"pcodec"}]"#),
    (Format::V3, "\"float32\"", r#"[{"name":"zfp","configuration":{"mode":"reversible"}}]"#),
    (Format::V3, "\"uint16\"", r#"[{"name":"zfp","configuration":{"mode":"reversible"}}]"#),
    (Format::V3, "\"int64\"", r#"[{"name":"numcodecs.zfpy"}]"#),
    (Format::V3, "\"int32\"", r#"[{"name":"numcodecs.delta","configuration":{"dtype":"<i4"}},B]"#),
    (Format::V2, "\">u2\"", r#"[{"id":"delta","dtype":">u2","astype":">u4"}]"#),
    (Format::V2, "\"|b1\"", r#"[{"id":"delta","dtype":"|b1"}]"#),
    (Format::V2, "\"<i2\"", r#"[{"id":"astype","encode_dtype":">f4","decode_dtype":"<i2"}]"#),
    (
        Format::V3,
        "\"int16\"",
        r#"[{"name":"numcodecs.astype","configuration":{"encode_dtype":"<c16","decode_dtype":"<i2"}},L]"#,
    ),
    (
        Format::V3,
        "\"uint8\"",
        r#"[{"name":"cast_value","configuration":{"data_type":"float32"}},B]"#,
    ),
    (
        Format::V3,
        "\"int8\"",
        r#"[{"name":"cast_value","configuration":{"data_type":"int32"}},{"name":"scale_offset","configuration":{"scale":3,"offset":-7}},B]"#,
    ),
    (
        Format::V2,
        "\"<i2\"",
        r#"[{"id":"fixedscaleoffset","dtype":"<i2","astype":">f8","scale":2,"offset":1}]"#,
    ),
    (Format::V2, "\">f4\"", r#"[{"id":"bitround","keepbits":23}]"#),
    (Format::V3, "\"int64\"", r#"[{"name":"bitround","configuration":{"keepbits":64}},L]"#),
    (
        Format::V3,
        "\"uint16\"",
        r#"[{"name":"n5_default","configuration":{"codecs":[{"name":"transpose","configuration":{"order":[1,0]}},B,{"name":"gzip","configuration":{"level":1}}]}}]"#,
    ),
    (
        Format::V3,
        "\"int16\"",
        r#"[{"name":"sharding_indexed","configuration":{"chunk_shape":[2,1],"codecs":[B,{"name":"gzip","configuration":{"level":1}}],I,"index_location":"end"}}]"#,
    ),
    (
        Format::V3,
        "\"string\"",
        r#"[{"name":"transpose","configuration":{"order":[1,0]}},{"name":"sharding_indexed","configuration":{"chunk_shape":[2,3],"codecs":[
            {"name":"sharding_indexed","configuration":{"chunk_shape":[1,1],"codecs":[{"name":"vlen-utf8"}],I}}],I,"index_location":"start"}}]"#,
    ),
    (
        Format::V3,
        r#"{"name":"zarrs.optional","configuration":{"name":"int16"}}"#,
        r#"[{"name":"zarrs.optional","configuration":{"mask_codecs":[{"name":"packbits"}],"data_codecs":[B,{"name":"crc32c"}]}}]"#,
    ),
    (
        Format::V3,
        r#"{"name":"optional","configuration":{"name":"zarrs.optional","configuration":{"name":"string","configuration":{}}}}"#,
        r#"[{"name":"transpose","configuration":{"order":[1,0]}},{"name":"optional","configuration":{"mask_codecs":[{"name":"bytes"}],"data_codecs":[
            {"name":"zarrs.optional","configuration":{"mask_codecs":[{"name":"bytes"}],"data_codecs":[{"name":"vlen-utf8"}]}}]}}]"#,
    ),
    (
        Format::V3,
        "\"int32\"",
        r#"[{"name":"transpose","configuration":{"order":[1,0]}},{"name":"gzip","configuration":{"level":1}}]"#,
    ),
    (Format::V3, "\"complex64\"", "[]"),
    (Format::V2, "\"|O\"", r#"[{"id":"vlen-utf8"},{"id":"zlib","level":1}]"#),
    (Format::V2, "\"|O\"", r#"[{"id":"vlen-bytes"}]"#),
    (Format::V2, "\"|O\"", r#"[{"id":"vlen-array","dtype":">i4"}]"#),
];

/// The chain of a row of the table.
fn table_case((format, data_type, codecs): &(Format, &str, &str)) -> Case {
    let codecs = codecs.replace("[B", &format!("[{BIG}")).replace(",B", &format!(",{BIG}"));
    let codecs = codecs.replace("[L", &format!("[{LITTLE}")).replace(",L", &format!(",{LITTLE}"));
    let codecs = codecs
        .replace("{I,", &format!("{{{INDEX},"))
        .replace(",I,", &format!(",{INDEX},"))
        .replace(",I}", &format!(",{INDEX}}}"));
    case(*format, resolved(*format, data_type, &codecs), &[6, 2], &codecs)
}

fn resolved(format: Format, data_type: &str, codecs: &str) -> Resolved {
    let (registry, data_type) = (Registry::default(), Json::parse_str(data_type).unwrap());
    if format == Format::V3 {
        return registry.data_types.from_v3(&data_type).unwrap();
    }
    let codecs = Json::parse_str(codecs).unwrap();
    let specs =
        CodecSpec::chain_from_v2(Some(&codecs), None, |spec| registry.makes_objects(spec)).unwrap();
    registry.object_type(&specs).unwrap_or_else(|| {
        let object = specs.iter().find(|spec| registry.makes_objects(spec));
        registry.data_types.from_v2(&data_type, object.map(|spec| spec.name.as_str())).unwrap()
    })
}

/// Codecs that zarrscope decodes or names, and does not encode.
const DECODED_ONLY: &[&str] = &["json2", "msgpack2", "pickle"];

/// Codecs that lose something by design, or labels only; tested by values below.
const LOSSY: &[&str] = &["quantize", "categorize"];

/// The chunks of the measured documents of zarrs 0.23.14, with what it reads of them.
#[test]
fn optional_elements_are_read_as_zarrs_reads_them() {
    let codecs = r#"[{"name":"zarrs.optional","configuration":{"mask_codecs":[{"name":"packbits","configuration":{}}],"data_codecs":[{"name":"bytes"}]}}]"#;
    let data_type =
        r#"{"name":"zarrs.optional","configuration":{"name":"uint8","configuration":{}}}"#;
    let case = case(Format::V3, resolved(Format::V3, data_type, codecs), &[2], codecs);
    for (stored, wanted) in [
        ("010000000000000001000000000000000107", "[7] null"),
        ("01000000000000000200000000000000030809", "[8] [9]"),
        ("0100000000000000000000000000000000", "null null"),
    ] {
        let data = Data::Bytes(zarrscope::zarr::bytes::Bytes::whole(hex(stored)));
        let decoded = case.chain.decode(data, &budget()).unwrap();
        let elements = decoded.elements().unwrap().clone();
        let texts: Vec<_> = in_c_order(&elements).iter().map(ToString::to_string).collect();
        assert_eq!(texts.join(" "), wanted);
        let again = case.chain.encode(Data::Elements(elements), &budget()).unwrap();
        assert_eq!(words::hex(again.bytes().here(), ""), stored);
    }
    for (damaged, code) in [
        ("0100", Code::ChunkTruncated),
        ("0100000000000000ffffffffffffffff0107", Code::CodecHeader),
        ("01000000000000000000000000000000ff", Code::ChunkTruncated),
    ] {
        let data = Data::Bytes(zarrscope::zarr::bytes::Bytes::whole(hex(damaged)));
        assert_eq!(case.chain.decode(data, &budget()).unwrap_err().code, code, "{damaged}");
    }
    let data_type = &case.array.data_type;
    for fill in ["null", "[7]"] {
        let json = Json::parse_str(fill).unwrap();
        let scalar = data_type.fill_from_json(&json, Format::V3, &case.array.order).unwrap().value;
        assert_eq!(
            data_type.fill_to_json(&scalar, Format::V3, &case.array.order).unwrap().to_string(),
            fill
        );
    }
    assert!(data_type.fill_from_json(&Json::from(7), Format::V3, &case.array.order).is_err());
    assert!(data_type.to_v2(&case.array.order).is_err());
}

/// zarrs 0.23.14 writes no byte for the padding of whole bytes (`packbits_codec.rs`, "fast path"), and the rate of zfp as for
/// 3 dimensions (`zfp_stream.rs`, `zfp_stream_set_rate(.., 3, 0)`), which is that many bits for each block.
#[test]
fn chunks_of_zarrs_are_read_with_a_note() {
    let at = |data_type: &str, codecs: &str| {
        case(Format::V3, resolved(Format::V3, data_type, codecs), &[8], codecs)
    };
    for padding in ["first_byte", "last_byte"] {
        let codecs = format!(
            r#"[{{"name":"packbits","configuration":{{"padding_encoding":"{padding}"}}}}]"#
        );
        let case = at("\"uint8\"", &codecs);
        let bare = vec![1, 2, 3, 4, 5, 6, 7, 8];
        let read = |stored: Vec<u8>| {
            let data = Data::Bytes(zarrscope::zarr::bytes::Bytes::whole(stored));
            case.chain
                .decode(data, &budget())
                .map(|it| it.elements().unwrap().to_vec::<u8>().unwrap())
        };
        assert_eq!(read(bare.clone()).unwrap(), bare);
        assert!(read(bare[1..].to_vec()).is_err());
    }
    let expert = r#"[{"name":"zfp","configuration":{"mode":"expert","minbits":1024,"maxbits":1024,"maxprec":64,"minexp":-1074}}]"#;
    let rate = r#"[{"name":"zfp","configuration":{"mode":"fixed_rate","rate":16}}]"#;
    let (expert, rate) = (at("\"float32\"", expert), at("\"float32\"", rate));
    let values: Vec<Scalar> = (0..8)
        .map(|n| expert.array.data_type.cast(&Plain::Float(f64::from(n) / 2.0)).unwrap())
        .collect();
    let elements = Elements::from_scalars(&expert.array.data_type, &[8], &values).unwrap();
    let stored = expert.chain.encode(Data::Elements(elements.clone()), &budget()).unwrap();
    assert_eq!(stored.bytes().here().len(), 2 * 1024 / 8);
    let decoded = rate.chain.decode(stored, &budget()).unwrap();
    let floats = |elements: &Elements| elements.to_vec::<f32>().unwrap();
    assert_eq!(floats(decoded.elements().unwrap()), floats(&elements));
}

#[test]
fn a_list_without_a_codec_that_makes_bytes_is_read_little_endian_and_told() {
    let at = |data_type: &str, codecs: &str| {
        let array = super::array(&serde_json::from_str(data_type).unwrap(), &[2]).unwrap().0;
        let specs = CodecSpec::chain_from_v3(&Json::parse_str(codecs).unwrap()).unwrap();
        Chain::build(&specs, Format::V3, &Registry::default(), Some(&array), 0)
    };
    let told = |chain: &Chain| {
        chain
            .links
            .iter()
            .flat_map(|link| &link.notes)
            .any(|note| note.code == Code::SerializerMissing)
    };
    let empty = at("\"int16\"", "[]");
    let data = Data::Bytes(zarrscope::zarr::bytes::Bytes::whole(vec![1, 0, 0, 1]));
    assert_eq!(
        empty.decode(data, &budget()).unwrap().elements().unwrap().to_vec::<i16>().unwrap(),
        [1, 256]
    );
    assert!(told(&empty) && told(&at("\"int16\"", r#"[{"name":"crc32c"}]"#)));
    assert!(!told(&at("\"int16\"", r#"[{"name":"bytes","configuration":{"endian":"little"}}]"#)));
    // What is not known may make bytes, text has no layout of its own, and an order that is wrong stays wrong.
    for (data_type, codecs) in [
        ("\"int16\"", r#"[{"name":"nobody.knows"}]"#),
        ("\"string\"", "[]"),
        (
            "\"int16\"",
            r#"[{"name":"crc32c"},{"name":"bytes","configuration":{"endian":"little"}}]"#,
        ),
    ] {
        let chain = at(data_type, codecs);
        assert!(chain.error().is_some() && !told(&chain), "{data_type} {codecs}");
    }
}

#[test]
fn every_codec_is_tried() {
    let everything: String =
        BYTES.iter().chain(CHAINS.iter().map(|(_, _, codecs)| codecs)).copied().collect();
    let tried: BTreeSet<&str> = everything.split('"').collect();
    for row in Registry::default().codecs.rows() {
        let names: Vec<&str> = row.v3.iter().chain(row.v2).copied().collect();
        let is_shown =
            |name: &&str| tried.contains(name) || **name == *"bytes" || LOSSY.contains(name);
        let only_decoded = names.iter().any(|name| DECODED_ONLY.contains(name));
        assert_eq!(names.iter().any(is_shown), !only_decoded, "{names:?}");
    }
}

#[test]
fn what_is_only_decoded_says_that_this_is_our_limit() {
    let case = table_case(&(Format::V2, "\"<i2\"", r#"[{"id":"json2"}]"#));
    let scalars = vec![Scalar::Int(1); 12];
    let int16 = Registry::default().data_types.from_numpy("int16").unwrap().data_type;
    let elements = Elements::from_scalars(&int16, &[6, 2], &scalars).unwrap();
    let array = Representation { data_type: int16, ..case.array };
    let specs: Vec<_> = case.chain.links.iter().map(|link| link.spec.clone()).collect();
    let chain = Chain::build(&specs, Format::V2, &Registry::default(), Some(&array), 0);
    let error = chain.encode(Data::Elements(elements), &budget()).unwrap_err();
    assert!(error.code == Code::CodecNotEncoded && error.code.is_limit(), "{error}");
    assert_eq!(error.place.field.as_deref(), Some("filters[0]"));
}

#[test]
fn elements_of_another_array_are_refused() {
    let case = table_case(&(Format::V3, "\"int16\"", "[B]"));
    let float = Registry::default().data_types.from_numpy("float32").unwrap().data_type;
    for (data_type, shape) in [(&case.array.data_type, [2, 6]), (&float, [6, 2])] {
        let scalars = vec![data_type.default_scalar(); 12];
        let elements = Elements::from_scalars(data_type, &shape, &scalars).unwrap();
        let error = case.chain.encode(Data::Elements(elements), &budget()).unwrap_err();
        assert_eq!(error.code, Code::OtherDataType);
    }
    let error = Elements::from_scalars(&float, &[2], &[]).unwrap_err();
    assert_eq!(error.code, Code::ChunkWrongCount);
    assert!(Elements::from_slice(&float, &[1], &[1_i32]).is_err());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 16, ..ProptestConfig::default() })]

    #[test]
    fn every_chain_there_and_back(
        bytes in prop_oneof![
            prop::collection::vec(any::<u8>(), 1..200),
            prop::collection::vec(0..3_u8, 1..20),
        ],
        cuts in prop::collection::vec(0..5_usize, 1..8),
    ) {
        let of_bytes = BYTES.iter().map(|codec| format!("[B,{codec}]"));
        let of_bytes = of_bytes.map(|codecs| table_case(&(Format::V3, "\"uint32\"", &codecs)));
        for case in of_bytes.chain(CHAINS.iter().map(table_case)) {
            let scalars = scalars(&case.array, &bytes, &cuts);
            prop_assert_eq!(there_and_back(&case, &scalars), scalars, "{:?}", case.chain.links.iter().map(|link| &link.spec.name).collect::<Vec<_>>());
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn every_data_type_there_and_back(
        at in 0..TYPES.len(),
        bytes in prop::collection::vec(any::<u8>(), 1..200),
        cuts in prop::collection::vec(0..5_usize, 1..8),
        big in any::<bool>(),
        fortran in any::<bool>(),
        v3 in any::<bool>(),
    ) {
        let data_type = TYPES[at].clone();
        let endian = if big { Endian::Big } else { Endian::Little };
        let ordered = data_type.has_byte_order();
        let order = if ordered { ByteOrder::All(endian) } else { ByteOrder::NotApplicable };
        let is_variable = data_type.item_size() == ItemSize::Variable;
        let (format, codecs) = match (v3, is_variable) {
            (true, true) => (Format::V3, r#"[{"name":"zarrs.vlen_v2"}]"#),
            (true, false) if big => (Format::V3, r#"[{"name":"bytes","configuration":{"endian":"big"}}]"#),
            (true, false) => (Format::V3, r#"[{"name":"bytes","configuration":{"endian":"little"}}]"#),
            (false, true) => (Format::V2, r#"[{"id":"vlen-bytes"}]"#),
            (false, false) => (Format::V2, "[]"),
        };
        let resolved = Resolved { data_type, order, notes: Vec::new() };
        let mut case = case(format, resolved, &[2, 3], codecs);
        case.array.fortran = fortran && !v3;
        let specs: Vec<_> = case.chain.links.iter().map(|link| link.spec.clone()).collect();
        case.chain = Chain::build(&specs, format, &Registry::default(), Some(&case.array), 0);
        let scalars = scalars(&case.array, &bytes, &cuts);
        prop_assert_eq!(there_and_back(&case, &scalars), scalars);
    }
}

#[test]
fn the_vectors_of_the_bytes_codec_are_written_as_they_were_read() {
    let mut written = 0;
    for record in vectors("bytes_codec.json").iter().filter(|record| !record["values"].is_null()) {
        let shape: Vec<u64> = serde_json::from_value(record["shape"].clone()).unwrap();
        let Some((array, _)) = super::array(&record["data_type"], &shape) else { continue };
        // The upper bits of narrow types mean nothing; they are written as the sign has them.
        if array.data_type.significant_bits().is_some()
            || array.data_type.name().contains("float6")
            || array.data_type.name().contains("float4")
        {
            continue;
        }
        let endian = record["endian"].as_str().unwrap_or("little");
        let codec = serde_json::json!({"name": "bytes", "configuration": {"endian": endian}});
        let spec = CodecSpec::from_v3(&json(&codec), "codecs[0]").unwrap();
        let chain = Chain::build(&[spec], Format::V3, &Registry::default(), Some(&array), 0);
        let bytes = hex(record["bytes"].as_str().unwrap());
        let stored = Data::Bytes(zarrscope::zarr::bytes::Bytes::whole(bytes.clone()));
        let decoded = chain.decode(stored, &budget()).unwrap();
        let elements = Elements::from_scalars(
            &array.data_type,
            &shape,
            &in_c_order(decoded.elements().unwrap()),
        );
        let again = chain.encode(Data::Elements(elements.unwrap()), &budget()).unwrap();
        assert_eq!(again.bytes().here(), bytes, "{record}");
        written += 1;
    }
    assert!(written > 150, "{written}");
}

/// A filter, the data type before it, and what numcodecs 0.17.1 makes of [`VALUES`] with it.
const FILTERED: &[(&str, &str, &str)] = &[
    (
        "<f8",
        r#"{"id":"fixedscaleoffset","dtype":"<f8","astype":"<i2","scale":10,"offset":1}"#,
        "f7ffdfff3030fbfff1ff0500",
    ),
    (
        "<f4",
        r#"{"id":"fixedscaleoffset","dtype":"<f4","astype":">i4","scale":1000,"offset":0.25}"#,
        "ffffff6afffff5dd0012d58e000000fafffffd12000004e2",
    ),
    (
        "<f8",
        r#"{"id":"quantize","dtype":"<f8","astype":"<f4","digits":1}"#,
        "0000003e000018c000529a440000003f000000bf0000c03f",
    ),
    (
        "<f4",
        r#"{"id":"quantize","dtype":"<f4","astype":"<f4","digits":2}"#,
        "0000d03d000016c040529a440000003f000000bf0000c03f",
    ),
    (
        "<f2",
        r#"{"id":"quantize","dtype":"<f2","astype":"<f2","digits":1}"#,
        "0030c0c0d364003800b8003e",
    ),
    (
        "<f4",
        r#"{"id":"bitround","keepbits":3}"#,
        "0000d03d000010c00000a0440000003f000000bf0000c03f",
    ),
    (
        "<f8",
        r#"{"id":"bitround","keepbits":10}"#,
        "000000000098b93f0000000000c402c000000000004c9340000000000000e03f000000000000e0bf000000000000f83f",
    ),
    ("<f2", r#"{"id":"bitround","keepbits":2}"#, "002e00c10065003800b8003e"),
    ("<f4", r#"{"id":"delta","dtype":"<f4"}"#, "cdcccc3de17a1cc0359d9a442b429ac4000080bf00000040"),
    (
        ">f8",
        r#"{"id":"delta","dtype":">f8","astype":">f4"}"#,
        "3dcccccdc01c7ae1449a9d36c49a422bbf80000040000000",
    ),
    (
        "<f8",
        r#"{"id":"astype","encode_dtype":"<i2","decode_dtype":"<f8"}"#,
        "0000feffd204000000000100",
    ),
];

const VALUES: [f64; 6] = [0.1, -2.345, 1234.5678, 0.5, -0.5, 1.5];

#[test]
fn filters_round_as_numcodecs_does() {
    for (dtype, codec, wanted) in FILTERED {
        let codecs = format!("[{codec}]");
        let resolved = resolved(Format::V2, &format!("\"{dtype}\""), &codecs);
        let case = case(Format::V2, resolved, &[6], &codecs);
        let stored = case.chain.encode(Data::Elements(floats(&case, &VALUES)), &budget()).unwrap();
        assert_eq!(words::hex(stored.bytes().here(), ""), *wanted, "{codec}");
    }
}

/// Numbers as the elements of the array.
fn floats(Case { array, .. }: &Case, values: &[f64]) -> Elements {
    let cast = |&value: &f64| array.data_type.cast(&Plain::Float(value)).unwrap();
    let scalars: Vec<_> = values.iter().map(cast).collect();
    Elements::from_scalars(&array.data_type, &array.shape, &scalars).unwrap()
}

#[test]
fn what_is_lost_is_bounded() {
    let through = |dtype: &str, format: Format, codecs: &str, values: &[f64]| -> Vec<f64> {
        let case = case(format, resolved(format, dtype, codecs), &[values.len() as u64], codecs);
        let scalars = in_c_order(&floats(&case, values));
        there_and_back(&case, &scalars).iter().map(|scalar| scalar.to_f64().unwrap()).collect()
    };
    let values: Vec<f64> = (-500..500).map(|at| f64::from(at) * 1.234_567).collect();
    let worst = |given: &[f64], error: &dyn Fn(f64) -> f64| {
        for (given, value) in given.iter().zip(&values) {
            assert!((given - value).abs() <= error(*value), "{value} became {given}");
        }
    };
    let scale =
        r#"[{"id":"fixedscaleoffset","dtype":"<f8","astype":"<i4","scale":100,"offset":10}]"#;
    worst(&through("\"<f8\"", Format::V2, scale, &values), &|_| 0.005_000_1);
    let quantize = r#"[{"id":"quantize","dtype":">f8","astype":">f8","digits":2}]"#;
    worst(&through("\">f8\"", Format::V2, quantize, &values), &|_| 0.005);
    let bitround = format!(r#"[{{"name":"bitround","configuration":{{"keepbits":7}}}},{BIG}]"#);
    worst(&through("\"float64\"", Format::V3, &bitround, &values), &|value| value.abs() / 256.0);
    let narrow = r#"[{"id":"astype","encode_dtype":"<f4","decode_dtype":"<f8"}]"#;
    worst(&through("\"<f8\"", Format::V2, narrow, &values), &|value| {
        value.abs() / f64::from(1 << 24)
    });
    let whole: Vec<f64> = (-500..500).map(|at| f64::from(at * 7)).collect();
    let kept = through("\"int16\"", Format::V3, &bitround, &whole);
    for (kept, value) in kept.iter().zip(&whole) {
        assert!((kept - value).abs() <= value.abs() / 128.0, "{value} became {kept}");
    }
    assert!(kept.iter().zip(&whole).any(|(kept, value)| (kept - value).abs() > 0.5));
}

#[test]
fn labels_come_back() {
    for (dtype, labels) in [("\"<U3\"", "<U3"), ("\"|O\"", "|O")] {
        let codecs = format!(
            r#"[{{"id":"categorize","labels":["a","bcd"],"dtype":"{labels}","astype":"|u1"}}]"#
        );
        let case = case(Format::V2, resolved(Format::V2, dtype, &codecs), &[3], &codecs);
        let text = |text: &str| case.array.data_type.cast(&Plain::Text(text.into())).unwrap();
        let scalars = [text("bcd"), text("a"), text("")];
        let elements = Elements::from_scalars(&case.array.data_type, &[3], &scalars).unwrap();
        let stored = case.chain.encode(Data::Elements(elements), &budget()).unwrap();
        assert_eq!(stored.bytes().here(), [2, 1, 0]);
        assert_eq!(there_and_back(&case, &scalars), scalars);
    }
}

#[test]
fn an_empty_inner_chunk_is_left_out_of_its_shard() {
    let codecs = format!(
        r#"[{{"name":"sharding_indexed","configuration":{{"chunk_shape":[2],"codecs":[{BIG}],{INDEX}}}}}]"#
    );
    let case = case(Format::V3, resolved(Format::V3, "\"int16\"", ""), &[6], &codecs);
    let elements =
        Elements::from_slice(&case.array.data_type, &[6], &[0_i16, 0, 1, 2, 0, 0]).unwrap();
    let stored = case.chain.encode(Data::Elements(elements), &budget()).unwrap();
    let bytes = stored.bytes().here().to_vec();
    assert_eq!(bytes.len(), 4 + 3 * 16 + 4);
    assert_eq!(bytes[..4], [0, 1, 0, 2]);
    assert_eq!(bytes[4..20], [255; 16]);
    assert_eq!(bytes[20..36], [0_u64.to_le_bytes(), 4_u64.to_le_bytes()].concat());
    assert_eq!(
        in_c_order(case.chain.decode(stored, &budget()).unwrap().elements().unwrap())[2],
        Scalar::Int(1)
    );
}

/// Chunks of all sample stores and of the corpus: decoded, encoded and decoded again they are the same.
#[test]
fn chunks_of_other_programs_are_encoded_anew() {
    let (mut compared, mut refused) = (0, BTreeSet::new());
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    for folder in ["sample-stores/dtypes-v2", "sample-stores/dtypes-v3", "tests/corpus"] {
        let (hierarchy, _) = Hierarchy::open(&root.join(folder)).unwrap();
        hierarchy.walk(&NodePath::default(), &mut |node, _| {
            let NodeKind::Array(array) = &node.kind else { return true };
            let Some(shape) = array.chunk_shape() else { return true };
            let id = ChunkId { coordinates: vec![0; shape.len()], inner: Vec::new() };
            let chunk = chunk::load_whole(&*hierarchy.store, &node.path, array, &id, &budget());
            let (Some(elements), Some(chain)) = (chunk.elements(), array.chain()) else {
                return true;
            };
            if chunk.stages.is_empty()
                || array.data_type().is_none_or(|dtype| dtype.name() != elements.data_type().name())
            {
                return true;
            }
            match chain.encode(Data::Elements(elements.clone()), &budget()) {
                Err(error) => drop(refused.insert((error.code, error.to_string()))),
                Ok(stored) => {
                    let again = chain.decode(stored, &budget()).unwrap();
                    assert_eq!(
                        in_c_order(again.elements().unwrap()),
                        in_c_order(elements),
                        "{}",
                        node.path.0
                    );
                    compared += 1;
                }
            }
            true
        });
    }
    assert!(refused.iter().all(|(code, _)| *code == Code::CodecNotEncoded), "{refused:#?}");
    assert!(compared > 100, "only {compared} chunks");
}

/// Behind a shuffle filter each element of blosc is a byte, as numcodecs writes it: that is no fault of its header.
#[test]
fn blosc_is_held_against_elements_only_where_it_meets_them() {
    let header_faults = |codecs: &str| {
        let case = table_case(&(Format::V2, "\"<i4\"", codecs));
        let scalars: Vec<_> =
            (0..case.array.len().unwrap()).map(|at| Scalar::Int(at.cast_signed())).collect();
        let data_type = &case.array.data_type;
        let elements = Elements::from_scalars(data_type, &case.array.shape, &scalars).unwrap();
        let bytes = case.chain.encode(Data::Elements(elements), &budget()).unwrap();
        let outcome = case.chain.links.last().unwrap().decode(&bytes, &budget());
        let faults: Vec<_> = outcome.header.into_iter().filter_map(|field| field.problem).collect();
        (faults, bytes.bytes().as_whole().unwrap()[3])
    };
    let blosc = r#"{"id":"blosc","cname":"lz4","clevel":1,"shuffle":1,"blocksize":0}"#;
    let shuffle = r#"{"id":"shuffle","elementsize":4}"#;
    assert_eq!(header_faults(&format!("[{blosc}]")), (Vec::new(), 4));
    assert_eq!(header_faults(&format!("[{shuffle},{blosc}]")), (Vec::new(), 1));
}
