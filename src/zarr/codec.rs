//! Codecs: how a chunk becomes bytes, and back, one visible stage at a time.
//!
//! A codec is one file, with a [`CodecRow`] that says what is known of it, and one line in `codec/builtin.rs`. It takes
//! the output of the stage before it and gives an [`Outcome`]: what came out, what its own header says, the checksum
//! stored and computed, or the error with its offset and whatever had been decoded until then. Nothing is thrown: a
//! stage that fails is a stage to look at.
//!
//! | file | what is in it |
//! | --- | --- |
//! | [`Registry`], [`CodecRow`] | which codecs there are, and what is known of each beside its decoder |
//! | [`Context`], [`Outcome`] | what a codec is told when it decodes, and what it gives |
//! | [`CodecSpec`], [`Setup`] | a codec as a document names it; its configuration, read member by member |
//! | [`chain`] | the codecs of an array, built and checked against each other |
//! | [`elements`] | what flows between them: bytes, and elements with their places |
//! | [`sharding`], `object` | looking into shards; what V2 arrays of objects hold |
//! | `gzip`, `blosc`, `transpose`, … | one file a codec |
//!
//! V2 has no `bytes` codec; the chain of a V2 array is an implied one that gives elements their bytes as the `dtype`
//! says, then its filters, each of which works on the flat buffer, then its compressor: so both formats are shown in
//! the same terms.

use super::data_type::ItemSize;
use super::prelude::*;

mod base64;
mod bitround;
mod blosc;
mod bounded_buffer;
mod byte_reader;
mod bytes;
mod bz2;
mod cast_value;
mod categorize;
pub mod chain;
mod checksum;
mod conditional;
mod config;
mod delta;
pub mod elements;
mod follow;
mod gzip;
mod json2;
mod lz4;
mod lzma;
mod n5_default;
mod numeric;
mod numeric_filter;
mod object;
mod offsets;
mod optional;
mod other_format;
mod outcome;
mod packbits;
mod pcodec;
mod prelude;
mod registry;
mod reshape;
mod scale_offset;
mod shard;
pub mod sharding;
mod shuffle;
mod spec;
mod transpose;
mod unsupported;
mod vlen;
mod zfp;
mod zlib;
mod zstd;

pub use chain::{Chain, Link};
pub use elements::{Data, Element, Elements, Places};
pub use follow::{ByteTarget, Passage, Towards};
pub use other_format::InV2;
pub use outcome::{Block, Checksum, HeaderField, Outcome};
pub use registry::{Build, Built, CodecRow, Codecs, InnerChunks, Registry, Setup, Signature};
pub use spec::CodecSpec;

use outcome::{corrupt, trailing, truncated};
use registry::built;

/// The codecs that are always there.
static BUILTIN: &[&CodecRow] = &[
    &bytes::ROW,
    &transpose::ROW,
    &sharding::ROW,
    &vlen::UTF8,
    &vlen::BYTES,
    &gzip::ROW,
    &zlib::ROW,
    &zstd::ROW,
    &blosc::ROW,
    &checksum::CRC32C,
    &checksum::CRC32,
    &checksum::FLETCHER32,
    &checksum::ADLER32,
    &lz4::ROW,
    &bz2::ROW,
    &lzma::ROW,
    &base64::ROW,
    &shuffle::ROW,
    &checksum::LOOKUP3,
    &delta::ROW,
    &numeric_filter::ASTYPE,
    &numeric_filter::QUANTIZE,
    &numeric_filter::FIXED_SCALE_OFFSET,
    &bitround::BITROUND,
    &packbits::BOOLEANS,
    &packbits::REGISTERED,
    &cast_value::ROW,
    &scale_offset::ROW,
    &reshape::ROW,
    &reshape::SQUEEZE,
    &conditional::ROW,
    &n5_default::ROW,
    &offsets::ROW,
    &optional::ROW,
    &vlen::V2,
    &categorize::ROW,
    &vlen::ARRAY,
    &json2::JSON2,
    &json2::MSGPACK2,
    &unsupported::PICKLE,
    &pcodec::ROW,
    &zfp::ZFP,
    &zfp::ZFPY,
];

impl Default for Codecs {
    fn default() -> Self {
        Self::of(BUILTIN)
    }
}

/// On which side of the bytes a codec stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CodecKind {
    /// Array → array: works on elements (`transpose`, V3 `cast_value`).
    ArrayToArray,
    /// Array → bytes: gives elements their bytes (`bytes`, `sharding_indexed`, `vlen-utf8`, the implied one of V2).
    ArrayToBytes,
    /// Bytes → bytes: a compressor, a checksum, a V2 filter.
    BytesToBytes,
}

/// An array as it is before or after a codec: what codecs are built for.
#[derive(Debug, Clone)]
pub struct Representation {
    /// The data type of its elements.
    pub data_type: Arc<dyn DataType>,
    /// Their byte order, as far as it is known.
    pub order: ByteOrder,
    /// Their number along each dimension, in elements.
    pub shape: Vec<u64>,
    /// True if the bytes are laid out column-major (V2 `order: F`).
    pub fortran: bool,
    /// The fill value's bytes in `order`, for codecs that need it (sharding), very many zeros at their end left out;
    /// empty where it is unknown.
    pub fill: Arc<[u8]>,
}

impl Representation {
    /// An array in the order of its data type, whose fill value does not matter.
    pub(super) fn of(data_type: &Arc<dyn DataType>, shape: &[u64]) -> Self {
        let (order, data_type) = (data_type.default_order(), Arc::clone(data_type));
        Self { data_type, order, shape: shape.to_vec(), fortran: false, fill: Arc::default() }
    }

    /// Its elements in C order and the order of its data type.
    pub(super) fn elements(&self, places: Places, bytes: Bytes) -> Elements {
        let (data_type, shape) = (Arc::clone(&self.data_type), self.shape.clone());
        Elements::new(data_type, self.data_type.default_order(), shape, false, places, bytes)
    }

    /// The number of elements it has; `None` past 2⁶⁴.
    pub fn len(&self) -> Option<u64> {
        self.shape.iter().try_fold(1_u64, |product, &n| product.checked_mul(n))
    }

    /// The number of elements in words, where `found` are not as many: the end of a sentence on those.
    pub(super) fn other_count(&self, found: u64) -> Option<String> {
        match self.len() {
            Some(count) if count == found => None,
            Some(count) => Some(format!("{count}, from the chunk's shape")),
            None => Some("more than 2⁶⁴, from the chunk's shape".to_owned()),
        }
    }

    /// True if it has no element.
    pub fn is_empty(&self) -> bool {
        self.shape.contains(&0)
    }

    /// The number of bytes it takes; `None` where elements vary or the product does not fit.
    pub fn byte_len(&self) -> Option<u64> {
        self.len()?.checked_mul(self.data_type.fixed_size()? as u64)
    }
}

/// The input of a codec that decodes or encodes.
#[derive(Debug, Clone, Copy)]
pub struct Context<'a> {
    /// The data to decode or to encode.
    pub input: &'a Data,
    /// The array as it was before this codec encoded it; `None` where its data type or shape is not known, which only
    /// bytes → bytes codecs can do without.
    pub decoded: Option<&'a Representation>,
    /// The number of bytes shape and data type promise for the output; `None` where they promise nothing.
    pub expected: Option<u64>,
    /// The budget; the limit is for the output of this codec.
    pub budget: Budget<'a>,
}

impl<'a> Context<'a> {
    /// All bytes of the input.
    ///
    /// # Errors
    ///
    /// If only a window of them is loaded.
    pub fn whole(&self) -> Result<&'a [u8]> {
        let bytes = self.input.bytes();
        bytes.as_whole().ok_or_else(|| {
            let loaded = bytes.loaded();
            let found = format!("{} of {}", byte_range(&loaded), bytes.len());
            Error::new(Code::NotLoaded, found, "all bytes, which this codec needs")
        })
    }

    /// The input as elements.
    ///
    /// # Errors
    ///
    /// If it is bytes.
    pub fn elements(&self) -> Result<&'a Elements> {
        self.input.elements().ok_or_else(not_elements)
    }

    /// The array as it was before this codec encoded it.
    ///
    /// # Errors
    ///
    /// If its data type or shape is not known.
    pub fn array(&self) -> Result<&'a Representation> {
        self.decoded.ok_or_else(|| {
            let found = "an array whose data type or shape is unknown";
            Error::new(Code::UnknownArray, found, "a known data type and shape")
        })
    }
}

/// The number of bytes something has, as far as metadata promise it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ByteCount {
    /// Exactly so many.
    pub exact: Option<u64>,
    /// At most so many.
    pub most: Option<u64>,
}

impl ByteCount {
    /// Exactly `len` bytes, where that is known.
    pub fn exactly(len: Option<u64>) -> Self {
        Self { exact: len, most: len }
    }

    /// The number of bytes that `of` makes of each.
    pub(super) fn map(self, of: impl Fn(u64) -> Option<u64>) -> Self {
        Self { exact: self.exact.and_then(&of), most: self.most.and_then(of) }
    }

    /// `extra` bytes more.
    pub fn plus(self, extra: u64) -> Self {
        self.map(|len| len.checked_add(extra))
    }

    /// The representation after a compressor: any length, but not much more even where nothing can be compressed.
    pub fn compressed(self) -> Self {
        let most = self.most.and_then(|most| most.checked_add(most / 8)?.checked_add(SLACK));
        Self { exact: None, most }
    }
}

/// The bytes that headers and blocks of a compressor may add to data that cannot be compressed.
pub const SLACK: u64 = 1 << 16;

/// A codec with its configuration understood.
///
/// Codecs are not asked one by one but through the [`Chain`] that knows what each of them meets:
///
/// ```
/// use zarrscope::zarr::{Budget, Format, Json, Registry, bytes::Bytes, codec};
/// use codec::{Chain, CodecSpec, Data, Representation};
///
/// # fn main() -> zarrscope::zarr::Result<()> {
/// let registry = Registry::default();
/// let int16 = registry.data_types.from_v3(&Json::from("int16"))?;
/// let array = Representation {
///     data_type: int16.data_type,
///     order: int16.order,
///     shape: vec![2],
///     fortran: false,
///     fill: [0, 0].into(),
/// };
/// let codecs = Json::parse_str(r#"[{"name": "bytes", "configuration": {"endian": "big"}}]"#)?;
/// let specs = CodecSpec::chain_from_v3(&codecs)?;
/// let chain = Chain::build(&specs, Format::V3, &registry, Some(&array), 0);
/// let decoded = chain.decode(Data::Bytes(Bytes::whole(vec![1, 0, 0, 7])), &Budget::default())?;
/// let elements = decoded.elements().expect("elements");
/// assert_eq!(elements.to_vec::<i16>()?, [256, 7]);
///
/// // And back: what a chunk with these elements is stored as.
/// let stored = chain.encode(Data::Elements(elements.clone()), &Budget::default())?;
/// assert_eq!(stored.bytes().here(), [1, 0, 0, 7]);
/// # Ok(())
/// # }
/// ```
pub trait Codec: fmt::Debug + Send + Sync {
    /// On which side of the bytes it stands: behind them, unless it says otherwise.
    fn kind(&self) -> CodecKind {
        CodecKind::BytesToBytes
    }

    /// The representation of an array after this codec has encoded it: another shape after `transpose`, another data
    /// type after `cast_value`. Only array → array codecs are asked.
    ///
    /// # Errors
    ///
    /// If the codec cannot encode such an array.
    fn encoded(&self, array: &Representation) -> Result<Representation> {
        Ok(array.clone())
    }

    /// The number of bytes the codec makes of `decoded` bytes. Array → array codecs are not asked.
    fn encoded_size(&self, decoded: ByteCount) -> ByteCount {
        match self.kind() {
            CodecKind::ArrayToBytes => ByteCount::default(),
            CodecKind::ArrayToArray | CodecKind::BytesToBytes => decoded.compressed(),
        }
    }

    /// True if each element of the output is made of the element at the same position of the input.
    fn is_elementwise(&self) -> bool {
        self.kind() == CodecKind::ArrayToArray
    }

    /// Undoes the codec.
    ///
    /// # Errors
    ///
    /// If nothing comes out. Beside what does, an error is part of the outcome.
    fn decode(&self, context: &Context) -> Result<Outcome>;

    /// Applies the codec: what [`Self::decode`] gives back. Zarrscope itself never writes to a store; this is for
    /// programs that do, and for tests.
    ///
    /// # Errors
    ///
    /// If the input is not what the codec takes, and [`Code::CodecNotEncoded`] where the codec only decodes.
    fn encode(&self, context: &Context) -> Result<Data> {
        let _ = context;
        let expected = "a codec that zarrscope can encode with; this one it only decodes";
        Err(Error::new(Code::CodecNotEncoded, "data to be encoded", expected))
    }

    /// The box of the decoded array that corresponds to a box of the encoded one; `None` where it is no box there. Only
    /// array → array codecs are asked.
    fn decoded_region(&self, encoded: &Region) -> Option<Region> {
        Some(encoded.clone())
    }

    /// The place that byte `offset` on one side of a decoding has on the other: the same element for array → array
    /// codecs, the block that holds it for the others, unless the codec knows better.
    fn follow(&self, offset: u64, towards: Towards, passage: &Passage) -> ByteTarget {
        match self.kind() {
            _ if self.is_elementwise() => passage.by_element(offset, towards),
            CodecKind::ArrayToBytes if passage.keeps_bytes() => passage.byte(offset, towards),
            _ => passage.block(offset, towards),
        }
    }

    /// True if what is further on before this decoding does so after it, so that the ends of a range say where the
    /// range is.
    fn keeps_order(&self, passage: &Passage) -> bool {
        !self.is_elementwise() || passage.is_c_order()
    }

    /// For a codec that computes other numbers than those that are stored: the data type and byte order of the stored
    /// ones. `None` where numbers stay what they are.
    fn stored_numbers(&self) -> Option<&Resolved> {
        None
    }

    /// The codec as `sharding_indexed`, for those who look inside shards.
    fn sharding(&self) -> Option<&sharding::Sharding> {
        None
    }
}

/// The codec that gives elements of `data_type` their bytes in V3 where nothing else is wanted.
pub fn serializer(data_type: &dyn DataType, order: &ByteOrder) -> CodecSpec {
    match data_type.item_size() {
        ItemSize::Variable => vlen::written(data_type),
        ItemSize::Fixed(_) if data_type.has_byte_order() => {
            bytes::written(Some(order.uniform().unwrap_or(Endian::Little)))
        }
        ItemSize::Fixed(_) => bytes::written(None),
    }
}

/// The codec that V3 has for column-major chunks of so many dimensions.
pub fn column_major(dimensions: usize) -> CodecSpec {
    transpose::column_major(dimensions)
}

/// The error that a codec for elements was given bytes.
fn not_elements() -> Error {
    Error::new(Code::UnknownArray, "bytes without a data type", "the elements of an array")
}
