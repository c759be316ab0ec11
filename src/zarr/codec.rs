//! Codecs: how a chunk becomes bytes, and back, one visible stage at a time.
//!
//! A codec is one file and one line in [`registry`]. It takes the output of the stage before it and gives an
//! [`Outcome`]: what came out, what its own header says, the checksum stored and computed, or the error with its
//! offset and whatever had been decoded until then. Nothing is thrown: a stage that fails is a stage to look at.
//!
//! V2 has no `bytes` codec; the chain of a V2 array is an implied one that gives elements their bytes as the `dtype`
//! says, then its filters, each of which works on the flat buffer, then its compressor: so both formats are shown in
//! the same terms.

use super::{
    data_type::{ByteOrder, DataType},
    error::{Error, Note, Result},
};
use std::{ops::Range, sync::Arc};

pub mod elements;
pub mod registry;
pub mod spec;

pub use elements::{Element, Elements, Places};
pub use spec::CodecSpec;

/// Bytes of a stage: all of them, or a window of a file too large to hold.
#[derive(Debug, Clone)]
pub struct Bytes {
    data: Arc<Vec<u8>>,
    start: u64,
    len: u64,
}

impl Bytes {
    /// All bytes there are.
    #[must_use]
    pub fn whole(data: Vec<u8>) -> Self {
        let len = data.len() as u64;
        Self { data: Arc::new(data), start: 0, len }
    }

    /// The bytes from `start` on of something `len` bytes long.
    #[must_use]
    pub fn window(data: Vec<u8>, start: u64, len: u64) -> Self {
        Self { data: Arc::new(data), start, len }
    }

    /// How many bytes there are, loaded or not.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Which bytes are here.
    #[must_use]
    pub fn loaded(&self) -> Range<u64> {
        self.start..self.start + self.data.len() as u64
    }

    /// The bytes of `range`; `None` where some of them are not loaded or do not exist.
    #[must_use]
    pub fn get(&self, range: Range<u64>) -> Option<&[u8]> {
        let from = usize::try_from(range.start.checked_sub(self.start)?).ok()?;
        let to = usize::try_from(range.end.checked_sub(self.start)?).ok()?;
        self.data.get(from..to)
    }

    /// All bytes, where all of them are here.
    #[must_use]
    pub fn as_whole(&self) -> Option<&[u8]> {
        (self.loaded() == (0..self.len)).then_some(&self.data)
    }
}

/// What flows between codecs.
#[derive(Debug, Clone)]
pub enum Data {
    /// Bytes that no data type has been given to yet.
    Bytes(Bytes),
    /// Elements.
    Elements(Elements),
}

impl Data {
    /// How many bytes it is.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.bytes().len()
    }

    /// Whether it has no bytes.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Its bytes, elements or not.
    #[must_use]
    pub fn bytes(&self) -> &Bytes {
        match self {
            Self::Bytes(bytes) => bytes,
            Self::Elements(elements) => elements.bytes(),
        }
    }

    /// The elements, where it is elements.
    #[must_use]
    pub fn elements(&self) -> Option<&Elements> {
        match self {
            Self::Bytes(_) => None,
            Self::Elements(elements) => Some(elements),
        }
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
    /// What its elements are.
    pub data_type: Arc<dyn DataType>,
    /// How their bytes lie, as far as it is known.
    pub order: ByteOrder,
    /// How many there are along each dimension, in elements.
    pub shape: Vec<u64>,
    /// Whether the bytes are laid out column-major (V2 `order: F`).
    pub fortran: bool,
    /// The fill value's bytes in `order`, for codecs that need it (sharding); empty where it is unknown.
    pub fill: Arc<[u8]>,
}

impl Representation {
    /// How many elements it has; `None` past 2⁶⁴.
    #[must_use]
    pub fn len(&self) -> Option<u64> {
        self.shape.iter().try_fold(1_u64, |product, &n| product.checked_mul(n))
    }

    /// Whether it has no element.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.shape.contains(&0)
    }

    /// How many bytes it takes; `None` where elements vary or the product does not fit.
    #[must_use]
    pub fn byte_len(&self) -> Option<u64> {
        self.len()?.checked_mul(self.data_type.item_size().fixed()? as u64)
    }
}

/// The default for how many bytes one stage may give where shape and data type promise nothing: 1 GiB.
pub const DEFAULT_LIMIT: u64 = 1 << 30;

/// What a codec is told when it decodes.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    /// How many bytes shape and data type promise for the output; `None` where they promise nothing.
    pub expected: Option<u64>,
    /// How many bytes the output may have at most.
    pub limit: u64,
    /// Whether the work has become pointless.
    pub stop: &'a dyn Fn() -> bool,
}

impl std::fmt::Debug for Context<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Context")
            .field("expected", &self.expected)
            .field("limit", &self.limit)
            .finish_non_exhaustive()
    }
}

/// A field of a codec's own header, and where it stands in the codec's input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeaderField {
    /// The bytes of the stage's input.
    pub bytes: Range<u64>,
    /// What it is: `type size`, `content size`, `inner chunk [0,1] offset`.
    pub name: String,
    /// What it says, in words.
    pub value: String,
    /// What is wrong with it, where it contradicts the metadata or itself.
    pub problem: Option<String>,
}

impl HeaderField {
    /// A field without fault.
    #[must_use]
    pub fn new(bytes: Range<u64>, name: impl Into<String>, value: impl Into<String>) -> Self {
        Self { bytes, name: name.into(), value: value.into(), problem: None }
    }
}

/// A checksum as stored and as computed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Checksum {
    /// Which one: `crc32c`, `adler32`.
    pub algorithm: &'static str,
    /// Where it is stored in the codec's input.
    pub bytes: Range<u64>,
    /// The stored value.
    pub stored: u64,
    /// The value of the bytes that are there.
    pub computed: u64,
}

impl Checksum {
    /// Whether both agree.
    #[must_use]
    pub fn agrees(&self) -> bool {
        self.stored == self.computed
    }
}

/// What a codec gives.
#[derive(Debug, Clone, Default)]
pub struct Outcome {
    /// What came out; with an error beside it, what had come out until then.
    pub output: Option<Data>,
    /// What its header says.
    pub header: Vec<HeaderField>,
    /// Its checksum.
    pub checksum: Option<Checksum>,
    /// What a reader has to know.
    pub notes: Vec<Note>,
    /// Why it stopped. The chain stops with it.
    pub error: Option<Error>,
}

impl Outcome {
    /// Everything went well and bytes came out.
    #[must_use]
    pub fn bytes(bytes: Vec<u8>) -> Self {
        Self { output: Some(Data::Bytes(Bytes::whole(bytes))), ..Self::default() }
    }

    /// Nothing came out.
    #[must_use]
    pub fn failed(error: Error) -> Self {
        Self { error: Some(error), ..Self::default() }
    }
}

/// A codec with its configuration understood.
pub trait Codec: std::fmt::Debug + Send + Sync {
    /// On which side of the bytes it stands.
    fn kind(&self) -> CodecKind;

    /// What an array looks like after this codec has encoded it: another shape after `transpose`, another data type
    /// after `cast_value`. Bytes → bytes codecs are not asked.
    ///
    /// # Errors
    ///
    /// Where the codec cannot encode such an array.
    fn encoded(&self, array: &Representation) -> Result<Representation> {
        Ok(array.clone())
    }

    /// Undoes the codec on `input`, for an array that was `decoded` before this codec encoded it.
    fn decode(&self, input: Data, decoded: &Representation, context: &Context<'_>) -> Outcome;
}
