//! The outcome of a codec: its output, its header, the checksum, and the error that stopped it.

use super::prelude::*;
use super::shard::Shard;

/// A field of a codec's own header, and where it is in the codec's input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeaderField {
    /// The bytes of the stage's input.
    pub bytes: Range<u64>,
    /// The name of the field: `type size`, `content size`, `inner chunk [0,1] offset`.
    pub name: String,
    /// The value of the field, in words.
    pub value: String,
    /// The fault of the field, where it contradicts the metadata or itself.
    pub problem: Option<String>,
}

impl HeaderField {
    /// A field without fault.
    pub fn new(bytes: Range<u64>, name: impl Into<String>, value: impl Into<String>) -> Self {
        Self { bytes, name: name.into(), value: value.into(), problem: None }
    }
}

/// A checksum as stored and as computed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Checksum {
    /// The algorithm: `crc32c`, `adler32`.
    pub algorithm: &'static str,
    /// The place in the codec's input where it is stored.
    pub bytes: Range<u64>,
    /// The stored value.
    pub stored: u64,
    /// The value of the bytes that are there.
    pub computed: u64,
}

impl Checksum {
    /// True if both agree.
    pub fn agrees(&self) -> bool {
        self.stored == self.computed
    }
}

/// A part of a codec's input that decodes on its own: a block of blosc, a member of gzip, an inner chunk of a shard.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    /// Its bytes in the codec's input.
    pub input: Range<u64>,
    /// The place of their decoded bytes in the output. Where a format does not tell their number, the most that it can
    /// be: such ranges overlap, and each holds what its block became.
    pub output: Range<u64>,
    /// True if the bytes are the same, one by one.
    pub exact: bool,
}

/// The outcome of a codec.
#[derive(Debug, Clone, Default)]
pub struct Outcome {
    /// The output; with an error beside it, the output until then.
    pub output: Option<Data>,
    /// Of a shard that was put together, its index.
    pub index: Option<Arc<Shard>>,
    /// The fields of its header.
    pub header: Vec<HeaderField>,
    /// Its checksum.
    pub checksum: Option<Checksum>,
    /// The parts that decode on their own, in order, where there are several.
    pub blocks: Vec<Block>,
    /// Notes for its readers.
    pub notes: Vec<Note>,
    /// The error that stopped it. The chain stops with it.
    pub error: Option<Error>,
}

impl Outcome {
    /// Everything went well and bytes were decoded.
    pub fn bytes(bytes: Vec<u8>) -> Self {
        Self::output(Data::whole(bytes))
    }

    /// Everything went well.
    pub fn output(output: Data) -> Self {
        Self { output: Some(output), ..Self::default() }
    }

    /// What the header says, and the elements after it or why there are none.
    pub(super) fn after_header(header: Vec<HeaderField>, elements: Result<Elements>) -> Self {
        Self { header, ..elements.map_or_else(Self::failed, Self::elements) }
    }

    /// Elements came out, and nothing is to be said of them.
    pub(super) fn elements(elements: Elements) -> Self {
        Self::output(Data::Elements(elements))
    }

    /// The output, where nothing went wrong.
    ///
    /// # Errors
    ///
    /// The error that stopped it.
    pub fn whole(self) -> Result<Data> {
        match (self.error, self.output) {
            (None, Some(output)) => Ok(output),
            (None, None) => Err(super::not_elements()),
            (Some(error), _) => Err(error),
        }
    }

    /// Nothing came out.
    pub fn failed(error: Error) -> Self {
        Self { error: Some(error), ..Self::default() }
    }
}

/// The error that compressed data ends before its end.
pub(super) fn truncated(len: usize, what: &str) -> Error {
    let found = format!("data that end after {len} bytes");
    Error::new(Code::ChunkTruncated, found, format!("the rest of the {what} stream"))
        .saying(format!("the {what} stream is truncated at byte {len}"))
        .at_offset(len as u64)
}

/// The error that a stream begins with other bytes than all of its kind do.
pub(super) fn other_magic(magic: &[u8], expected: &str, at: usize) -> Error {
    let found = format!("the bytes {}", hex(magic, " "));
    Error::new(Code::ChunkCorrupt, found, expected).at_offset(at as u64)
}

/// The error that compressed data makes no sense at `at`.
pub(super) fn corrupt(at: usize, found: String) -> Error {
    let message = format!("the compressed data is invalid at byte {at}: {found}");
    Error::new(Code::ChunkCorrupt, found, "intact data").saying(message).at_offset(at as u64)
}

/// A note on bytes after the end of the compressed data, which decoders ignore.
pub(super) fn trailing(input: &[u8], end: usize) -> Option<Note> {
    let rest = input.get(end..).filter(|rest| !rest.is_empty())?;
    let what = if rest.iter().all(|&byte| byte == 0) { " (all zero)" } else { "" };
    let extra = byte_count(rest.len());
    let text = format!("The data end at byte {end}, followed by {extra}{what}.");
    Some(Note::new(Code::TrailingBytes, text))
}
