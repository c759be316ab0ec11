//! `sharding_indexed`: a chunk that holds inner chunks, with an index of where each one lies, at its start or end.
//!
//! One inner chunk costs two reads: the index and the inner chunk. A shard may hold shards.

use super::prelude::*;
use super::{InnerChunks, chain::Link};

mod assemble;
pub mod index;

pub use super::shard::{IndexEntries, IndexEntry, Shard};
pub(super) use assemble::all_fill;

/// Reads a range of a shard.
pub type ReadRange<'r> = dyn FnMut(Range<u64>) -> Result<Bytes> + 'r;

/// The codec.
#[derive(Debug, Clone)]
pub struct Sharding {
    /// The shape of an inner chunk, in elements.
    pub chunk_shape: Vec<u64>,
    /// The number of inner chunks along each dimension.
    pub counts: Vec<u64>,
    /// The codecs of an inner chunk.
    pub inner: Chain,
    /// An inner chunk before any codec encodes it.
    pub inner_array: Representation,
    /// The codecs of the index.
    pub index: Chain,
    /// The number of bytes the index takes; `None` where its codecs do not say.
    pub index_len: Option<u64>,
    /// True if the index is before the inner chunks.
    pub index_at_start: bool,
}

pub(super) static ROW: CodecRow = CodecRow {
    v3: &["sharding_indexed"],
    members: &["chunk_shape", "codecs", "index_codecs", "index_location"],
    lesson: "A shard: many inner chunks in one file, with an index of their offsets and lengths (16 bytes each) at \
             the start or the end. Two reads fetch one inner chunk.",
    registered: true,
    endian: |spec, codecs| codecs.declared_endian(&inner_codecs(spec)),
    inner: Some(|spec| {
        let shape = spec.member("chunk_shape").and_then(Json::as_array);
        InnerChunks {
            chunk_shape: shape.and_then(|lengths| lengths.iter().map(Json::as_u64).collect()),
            codecs: inner_codecs(spec),
        }
    }),
    ..CodecRow::new(CodecKind::ArrayToBytes, build)
};

/// The codecs of an inner chunk, as far as they can be read.
fn inner_codecs(spec: &CodecSpec) -> Vec<CodecSpec> {
    let codecs = spec.member("codecs").map(CodecSpec::chain_from_v3);
    codecs.and_then(Result::ok).unwrap_or_default()
}

fn build(setup: &Setup) -> Built {
    let array = setup.array()?;
    let chunk_shape = chunk_shape(setup, array)?;
    let counts: Vec<u64> = array.shape.iter().zip(&chunk_shape).map(|(n, c)| n / c).collect();
    let inner_array = Representation { shape: chunk_shape.clone(), ..array.clone() };
    let inner = setup.chain("codecs", &inner_array)?;
    let index_array = index_array(&counts);
    let index = setup.chain("index_codecs", &index_array)?;
    let index_len = index.encoded_size().exact;
    let at_start = setup.choice("index_location", &[("start", true), ("end", false)])?;
    let index_at_start = at_start.unwrap_or(false);
    let mut notes = Vec::<Note>::new();
    for note in index.links.iter().chain(&inner.links).flat_map(|link| &link.notes) {
        if !notes.contains(note) {
            notes.push(note.clone());
        }
    }
    if !index.links.iter().any(|link| link.row.is_some_and(super::checksum::is_crc32c)) {
        let text = "Damage to the index goes unnoticed, so the specification recommends a checksum. zarr-python 3.4.2, zarrs \
                    0.23.14 and TensorStore 0.1.86 read such an index.";
        notes.push(Note::new(Code::IndexWithoutChecksum, text));
    }
    let sharding =
        Sharding { chunk_shape, counts, inner, inner_array, index, index_len, index_at_start };
    Ok(Flagged { value: Arc::new(sharding), notes })
}

fn chunk_shape(setup: &Setup, array: &Representation) -> Result<Vec<u64>> {
    let json = setup.needed("chunk_shape")?;
    let shape: Option<Vec<u64>> = json.as_array().and_then(|lengths| {
        lengths.iter().map(|json| json.as_u64().filter(|&length| length > 0)).collect()
    });
    let shape = shape.ok_or_else(|| setup.refuse("chunk_shape", json, "lengths of 1 or more"))?;
    if shape.len() != array.shape.len() {
        let found = format!("{} lengths", shape.len());
        let expected = format!("{}, one per dimension", array.shape.len());
        return Err(setup.fault("chunk_shape", found, expected));
    }
    if array.shape.iter().zip(&shape).any(|(outer, inner)| outer % inner != 0) {
        let found =
            format!("inner chunks of {} in shards of {}", times(&shape), times(&array.shape));
        let error = setup.fault("chunk_shape", found, "lengths that divide the shard's lengths");
        let is_exchanged = array
            .shape
            .iter()
            .zip(&shape)
            .all(|(outer, inner)| inner.checked_rem(*outer) == Some(0));
        let fix = "Exchanged, they would fit: likely, the chunk shapes of shards and inner chunks are in each other's place.";
        return Err(if is_exchanged { error.with_fix(fix) } else { error });
    }
    Ok(shape)
}

/// The index as an array: offset and length of every inner chunk.
fn index_array(counts: &[u64]) -> Representation {
    let number = FixedNumber::UINT64.shared();
    let shape = [counts, &[2]].concat();
    Representation { fill: Arc::new([0xff; 8]), ..Representation::of(&number, &shape) }
}

impl Link {
    /// The codec as `sharding_indexed`.
    pub fn sharding(&self) -> Option<&Sharding> {
        self.codec.as_ref().ok()?.sharding()
    }
}

impl Sharding {
    /// The number of inner chunks; `None` past 2⁶⁴.
    pub fn count(&self) -> Option<u64> {
        order::product(&self.counts)
    }

    /// True if the codecs declare a checksum of each inner chunk.
    pub fn has_checksums(&self) -> bool {
        self.inner.links.iter().any(|link| {
            let asked = link.spec.member("checksum").map(|json| &json.kind);
            matches!(asked, Some(Kind::Bool(true)))
                || link.row.is_some_and(|row| row.is_checksum || row.has_checksum)
                || link.sharding().is_some_and(Self::has_checksums)
        })
    }

    /// The number of an inner chunk in the index; `None` where there is none at `coordinates`.
    pub fn number(&self, coordinates: &[u64]) -> Option<u64> {
        order::number(coordinates, &self.counts)
    }

    /// The coordinates of inner chunk `number`.
    pub fn coordinates(&self, number: u64) -> Vec<u64> {
        order::coordinates(number.into(), &self.counts)
    }

    /// The elements of the shard that an inner chunk holds.
    pub fn region(&self, coordinates: &[u64]) -> Region {
        coordinates
            .iter()
            .zip(&self.chunk_shape)
            .map(|(&at, &length)| at * length..(at + 1) * length)
            .collect()
    }

    /// Decodes inner chunks of a shard that is too large to be put together: all of them, or only those that are kept.
    /// The output is those that are kept, one after the other along the first dimension.
    pub(in crate::zarr) fn sample(
        &self,
        shard: &Shard,
        all: bool,
        read: &mut ReadRange,
        budget: &Budget,
    ) -> Outcome {
        let budget = budget.ignoring_checksums(false);
        let outcome = assemble::sample(self, shard, all, read, &budget);
        Outcome { blocks: assemble::blocks(shard), ..outcome }
    }

    /// The place of the index in a shard of `len` bytes.
    ///
    /// # Errors
    ///
    /// If the shard is too short for it, or the length of the index is not known.
    pub fn index_range(&self, len: u64) -> Result<Range<u64>> {
        let count = self.count().map_or_else(|| "more than 2⁶⁴".into(), |n| n.to_string());
        let Some(index_len) = self.index_len else {
            let error = self.index.error().cloned();
            if error.is_none() && self.count().and_then(|count| count.checked_mul(16)).is_none() {
                let found = format!("a shard of {len} bytes");
                let expected = format!("the index of {count} inner chunks");
                return Err(Error::new(Code::ShardTruncated, found, expected).at_offset(len));
            }
            return Err(error.unwrap_or_else(|| {
                let found =
                    format!("index codecs without a fixed output length for {count} inner chunks");
                Error::new(Code::CodecConfiguration, found, "codecs such as bytes and crc32c")
            }));
        };
        if index_len > len {
            let found = format!("a shard of {len} bytes");
            let expected =
                format!("at least the {index_len} bytes of the index of {count} inner chunks");
            return Err(Error::new(Code::ShardTruncated, found, expected).at_offset(len));
        }
        Ok(if self.index_at_start { 0..index_len } else { len - index_len..len })
    }
}

impl Codec for Sharding {
    fn kind(&self) -> CodecKind {
        CodecKind::ArrayToBytes
    }

    fn encoded_size(&self, _: ByteCount) -> ByteCount {
        let each = self.inner.encoded_size().most;
        let inner = each.zip(self.count()).and_then(|(each, count)| each.checked_mul(count));
        let most = inner.zip(self.index_len).and_then(|(inner, index)| inner.checked_add(index));
        // Space that is no longer used may be between inner chunks: no length is exact.
        ByteCount { exact: None, most: most.and_then(|most| most.checked_mul(2)) }
    }

    fn decode(&self, context: &Context) -> Result<Outcome> {
        let array = context.array()?;
        let budget = context.budget.ignoring_checksums(false);
        let bytes = context.input.bytes();
        let opened = self.open(bytes.len(), &budget, &mut |range| part(bytes, range));
        let (shard, outcome) = match opened {
            Err(failed) => return Ok(*failed),
            Ok(opened) => opened,
        };
        let Outcome { output, error, .. } = assemble::whole(self, &shard, bytes, array, &budget);
        let blocks = assemble::blocks(&shard);
        Ok(Outcome { output, error, blocks, index: Some(Arc::new(shard)), ..outcome })
    }

    /// Inner chunks in C order, without those that hold the fill value only, as zarr-python writes them.
    fn encode(&self, context: &Context) -> Result<Data> {
        assemble::shard(self, context.elements()?, &context.budget)
    }

    fn sharding(&self) -> Option<&Sharding> {
        Some(self)
    }

    /// Through a shard that was put together: the inner chunk that holds the element, or the elements from the first to
    /// the last of an inner chunk. Its blocks are the inner chunks in C order, those that are empty without bytes.
    fn follow(&self, offset: u64, towards: Towards, passage: &Passage) -> ByteTarget {
        let Some(elements) = passage.elements().filter(|_| !passage.blocks.is_empty()) else {
            return passage.block(offset, towards);
        };
        let found = match towards {
            Towards::Elements => {
                let number = passage.blocks.iter().position(|block| block.input.contains(&offset));
                number.map(|number| {
                    let region = self.region(&self.coordinates(number as u64));
                    let first: Vec<u64> = region.iter().map(|span| span.start).collect();
                    let last: Vec<u64> = region.iter().map(|span| span.end - 1).collect();
                    let bytes = |at: &[u64]| elements.byte_range(elements.position(at));
                    bytes(&first).start..bytes(&last).end
                })
            }
            Towards::File => {
                let number = elements.element_at(offset).and_then(|at| {
                    let at = elements.coordinates(at);
                    let inner: Vec<u64> =
                        at.iter().zip(&self.chunk_shape).map(|(at, n)| at / n).collect();
                    usize::try_from(self.number(&inner)?).ok()
                });
                let block = number.and_then(|number| passage.blocks.get(number));
                block.map(|block| block.input.clone()).filter(|bytes| !bytes.is_empty())
            }
        };
        found.map_or(ByteTarget::Nothing, ByteTarget::Range)
    }

    fn keeps_order(&self, passage: &Passage) -> bool {
        passage.elements().is_none() || passage.blocks.is_empty()
    }
}

fn part(bytes: &Bytes, range: Range<u64>) -> Result<Bytes> {
    bytes.slice(range.clone()).ok_or_else(|| {
        let found = format!("a shard of {} bytes", bytes.len());
        Error::new(Code::NotLoaded, found, byte_range(&range))
    })
}
