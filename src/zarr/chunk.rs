//! One chunk, from the stored bytes through every stage to its elements.
//!
//! Views read files by position: a raw chunk of any size costs one window, an inner chunk of a shard two reads, and a
//! file that shrinks meanwhile gives a message. Passes over every element go over maps ([`load_mapped`]): nothing is
//! copied, and a file that shrinks under a map is found out by [`Bytes::intact`](super::bytes::Bytes::intact).

use super::codec::{Block, Checksum, Codec, CodecRow, HeaderField, Link, Outcome, sharding::Shard};
use super::prelude::*;
use std::time::Duration;

mod byte_map;
mod detect;
mod load;
mod plan;
mod section;

use load::Extent;
pub(in crate::zarr) use section::Section;

pub use byte_map::Owner;
pub(in crate::zarr) use plan::full_region;
pub use plan::{chain, inner_at, levels, region};

/// A chunk, as far as it could be read and decoded.
#[derive(Debug, Clone, Default)]
pub struct Chunk {
    /// The chunk's coordinates.
    pub id: ChunkId,
    /// Its store key.
    pub key: String,
    /// The size and time of the chunk in the store; `None` if it is missing and reads as the fill value.
    pub stored: Option<Stat>,
    /// The elements of the array that it covers, cut at the array's edge.
    pub region: Region,
    /// Its shape in elements, edge included.
    pub shape: Vec<u64>,
    /// True if the inner chunk is empty: its shard is there, but says that it reads as the fill value.
    pub inner_missing: bool,
    /// The stages in decoding order. The first is the stored file itself; where one fails it is the last.
    pub stages: Vec<Stage>,
    /// The error why it could not even be read.
    pub error: Option<Error>,
}

/// One step from the stored bytes to the elements.
#[derive(Debug, Clone, Default)]
pub struct Stage {
    /// `file`, or the codec's name.
    pub name: String,
    /// Its configuration as stored.
    pub configuration: Option<Json>,
    /// The codec; `None` for the file, and where it could not be built.
    pub codec: Option<Arc<dyn Codec>>,
    /// The row of the codec; `None` for the file, and for unknown codecs.
    pub row: Option<&'static CodecRow>,
    /// On which side of the bytes it stands; `None` for the file.
    pub kind: Option<CodecKind>,
    /// Bytes that went in.
    pub input_len: u64,
    /// The output; with an error, the output until then.
    pub output: Option<Data>,
    /// The fields of the header in its input.
    pub header: Vec<HeaderField>,
    /// The checksum in its input.
    pub checksum: Option<Checksum>,
    /// The parts of its input that decode on their own, where there are several; for an inner chunk, where it is in
    /// the shard.
    pub blocks: Vec<Block>,
    /// For `sharding_indexed`: the index of the shard.
    pub shard: Option<Arc<Shard>>,
    /// The index of a shard that was put together.
    pub index: Option<Arc<Shard>>,
    /// Notes for its readers.
    pub notes: Vec<Note>,
    /// The time it took.
    pub elapsed: Duration,
    /// The error at which the chain stops.
    pub error: Option<Error>,
}

impl Stage {
    /// The file itself, before it is read.
    fn file() -> Self {
        Self { name: "file".into(), ..Self::default() }
    }

    /// For each inner chunk of a shard, in C order, true if it is stored; `None` for what is no shard, or whose index
    /// could not be read.
    pub fn stored_inner_chunks(&self) -> Option<Vec<bool>> {
        self.codec.as_ref()?.sharding()?;
        let shard = self.shard.as_ref().or(self.index.as_ref())?;
        Some(shard.entries.places().map(|bytes| bytes.is_some()).collect())
    }

    /// The number of the first inner chunk that a shard stores.
    pub fn first_stored(&self) -> Option<u64> {
        let first = self.stored_inner_chunks()?.iter().position(|stored| *stored)?;
        Some(first as u64)
    }

    /// The stage of a codec that got `input_len` bytes.
    fn of(link: &Link, input_len: u64, outcome: Outcome, elapsed: Duration) -> Self {
        let mut notes = link.notes.clone();
        notes.extend(outcome.notes);
        let codec = link.codec.as_ref().ok();
        Self {
            name: link.spec.name.clone(),
            configuration: link.spec.configuration.as_ref().map(Json::strict),
            kind: codec.map(|codec| codec.kind()),
            codec: codec.cloned(),
            row: link.row,
            input_len,
            output: outcome.output,
            header: outcome.header,
            checksum: outcome.checksum,
            blocks: outcome.blocks,
            shard: None,
            index: outcome.index,
            notes,
            elapsed,
            error: outcome.error.map(|error| located(error, link)),
        }
    }
}

/// An error of a codec at work is said to be at the codec's field; one of its configuration knows its own.
fn located(mut error: Error, link: &Link) -> Error {
    error.place.field.get_or_insert_with(|| link.spec.field.clone());
    error
}

impl Chunk {
    /// True if it reads as the fill value, because nothing is stored.
    pub fn is_missing(&self) -> bool {
        self.error.is_none() && (self.stored.is_none() || self.inner_missing)
    }

    /// The first error: why it could not be read, or where the chain stopped.
    pub fn fault(&self) -> Option<&Error> {
        self.error.as_ref().or_else(|| self.stages.iter().find_map(|stage| stage.error.as_ref()))
    }

    /// The note that its file is outside the store, where a link leads to it; made for [`load`] and [`load_whole`].
    pub fn outside(&self) -> Option<&Note> {
        let notes = &self.stages.first()?.notes;
        notes.iter().find(|note| note.code == Code::LinkOutside)
    }

    /// True if a checksum of its bytes was compared, be it one that its archive keeps.
    pub fn is_verified(&self, is_in_archive: bool) -> bool {
        let of_archive = || {
            let notes = self.stages.first().map_or(&[][..], |file| &file.notes);
            is_in_archive && notes.iter().all(|note| note.code != Code::ZipUnchecked)
        };
        of_archive()
            || self.stages.iter().any(|stage| {
                match stage.codec.as_ref().and_then(|c| c.sharding()) {
                    // The checksum of a shard is that of its index.
                    Some(sharding) => sharding.has_checksums(),
                    None => stage.checksum.is_some(),
                }
            })
    }

    /// The elements, where the whole chain went through.
    pub fn elements(&self) -> Option<&Elements> {
        let last = self.stages.last()?;
        last.output.as_ref()?.elements().filter(|_| last.error.is_none())
    }
}

/// Raw chunks up to this many bytes are read whole, longer ones by windows of [`WINDOW`]. Shards that decode to more
/// are not put together by [`load`]: their index is shown, and an inner chunk has to be chosen.
pub const WHOLE: u64 = 8 << 20;

/// The number of bytes of a large raw chunk read at a time: so many that scrolling seldom reads, so few that a jump
/// from end to end of 4 GiB is one frame.
pub const WINDOW: u64 = 2 << 20;

/// Reads and decodes one chunk. Always an answer: faults are in its stages, or in [`Chunk::error`].
///
/// Chunks that only the `bytes` codec made and that are longer than [`WHOLE`], and shards around an inner chunk, are
/// read around the byte `around` of the file, 0 for none in particular. Everything else is read whole.
pub fn load(
    store: &dyn Store,
    path: &NodePath,
    array: &ArrayMetadata,
    id: &ChunkId,
    around: u64,
    budget: &Budget,
) -> Chunk {
    load::load(store, path, array, id, (around, Extent::View), budget)
}

/// The same for those who need every element: a shard is put together whatever its size, up to the limit, and a raw
/// chunk is read by windows only where it is very large (256 MiB).
pub fn load_whole(
    store: &dyn Store,
    path: &NodePath,
    array: &ArrayMetadata,
    id: &ChunkId,
    budget: &Budget,
) -> Chunk {
    load::load(store, path, array, id, (0, Extent::Whole), budget)
}

/// The same stages as those of [`load`], but where that gives a window of the file, all of it is there: mapped, if the
/// store can do that, else read as [`load_whole`] does. For passes over every element. Whoever goes through what may be
/// mapped asks [`Bytes::intact`](super::bytes::Bytes::intact) afterwards, and drops what was computed if it was not.
pub fn load_mapped(
    store: &dyn Store,
    path: &NodePath,
    array: &ArrayMetadata,
    id: &ChunkId,
    around: u64,
    budget: &Budget,
) -> Chunk {
    load::load(store, path, array, id, (around, Extent::Mapped), budget)
}

/// The same stages as those of [`load_mapped`] for those who judge values by a few of them: of a shard that decodes to
/// more than [`WHOLE`], the elements are those of some inner chunks, one after the other along the first dimension.
pub fn load_sampled(
    store: &dyn Store,
    path: &NodePath,
    array: &ArrayMetadata,
    id: &ChunkId,
    budget: &Budget,
) -> Chunk {
    load::load(store, path, array, id, (0, Extent::Sampled), budget)
}

/// The same stages as those of [`load_whole`] for those who want to know whether all can be decoded: of a shard that
/// decodes to more than [`WHOLE`], inner chunks are decoded one after the other, and the elements are those of some.
///
/// What `then` makes of the chunk is returned; its memory stays reserved until `then`, which reads the values, is done.
pub(super) fn load_checked<T>(
    store: &dyn Store,
    place: (&NodePath, &ArrayMetadata, &ChunkId),
    budget: &Budget,
    then: &dyn Fn(Chunk) -> T,
) -> T {
    load::load_then(store, place, (0, Extent::Checked), budget, then)
}

impl ChunkId {
    /// Reads `text` as a chunk of `array`: `c/0/1`, `0,1`, `c/0/1@1,0@0,0`.
    ///
    /// # Errors
    ///
    /// If it is neither a key of this array nor coordinates, or has another number of dimensions.
    pub fn parse(text: &str, array: &ArrayMetadata) -> Result<Self> {
        let dimensions = array.shape.as_ref().map(Vec::len).map_err(Clone::clone)?;
        let mut parts = text.split('@');
        let outer = parts.next().unwrap_or_default();
        let by_key =
            array.known_key_encoding().and_then(|encoding| encoding.parse(outer, dimensions));
        let coordinates = by_key
            .or_else(|| numbers(outer, dimensions))
            .ok_or_else(|| unreadable(outer, dimensions, array))?;
        let inner = parts
            .map(|part| {
                numbers(part, dimensions).ok_or_else(|| unreadable(part, dimensions, array))
            })
            .collect::<Result<_>>()?;
        Ok(Self { coordinates, inner })
    }

    /// The text that [`Self::parse`] reads, where the chunk's key is `key`.
    pub fn name(&self, key: &str) -> String {
        let parts = std::iter::once(key.to_owned())
            .chain(self.inner.iter().map(|inner| inner.iter().joined(",")));
        parts.joined("@")
    }
}

/// `1,0` or `[1,0]`; nothing for no dimensions.
fn numbers(text: &str, dimensions: usize) -> Option<Vec<u64>> {
    let text = text.trim();
    let bare = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(text);
    let numbers: Vec<u64> = if bare.trim().is_empty() {
        Vec::new()
    } else {
        bare.split(',').map(|number| number.trim().parse().ok()).collect::<Option<_>>()?
    };
    (numbers.len() == dimensions).then_some(numbers)
}

fn unreadable(text: &str, dimensions: usize, array: &ArrayMetadata) -> Error {
    let example = vec![0; dimensions];
    let key = array
        .key_encoding
        .as_ref()
        .map_or_else(|_| "a key".to_owned(), |known| known.key(&example));
    let expected = match dimensions {
        0 => format!("{key:?}, the key of the only chunk"),
        1 => format!("a chunk key such as {key:?}, or one coordinate"),
        _ => format!("a chunk key such as {key:?}, or {dimensions} comma-separated coordinates"),
    };
    Error::new(Code::NoSuchPlace, format!("{text:?}"), expected).at("KEY")
}
