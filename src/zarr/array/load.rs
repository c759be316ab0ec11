//! Reading the chunk of a piece.
//!
//! Most chunks are fine and are decoded without a look at their stages. Only where something is wrong is a chunk gone
//! through stage by stage, as the inspector does, for what there is to say of it.

use super::{ArrayReader, Piece, only_sharding};
use crate::zarr::{
    budget::Budget,
    bytes::Bytes,
    chunk::{self, Chunk},
    codec::{
        Chain, Data, Elements,
        sharding::{Shard, Sharding},
    },
    error::{Code, Error, Result},
    grid::Grid,
    store::{Stat, join},
};
use std::{
    borrow::Cow,
    collections::VecDeque,
    ops::Range,
    sync::{Arc, PoisonError},
};

/// The number of shards whose index is kept, for more inner chunks of them.
const INDICES: usize = 8;

/// What was read of a piece.
#[derive(Debug, Clone)]
pub enum PieceData {
    /// The chunk is not stored: it reads as the fill value.
    Missing,
    /// The elements of the chunk, of which those of the piece are loaded.
    Stored(Elements),
    /// Why the chunk cannot be read; the error names it.
    Unreadable(Error),
}

impl From<Chunk> for PieceData {
    fn from(chunk: Chunk) -> Self {
        if let Some(error) = chunk.fault() {
            return Self::Unreadable(error.clone().in_file(&chunk.key));
        }
        match chunk.elements() {
            Some(elements) => Self::Stored(elements.clone()),
            None if chunk.stored.is_none() || chunk.inner_missing => Self::Missing,
            None => {
                let error = Error::new(
                    Code::ChunkUndecoded,
                    "no elements",
                    "elements after the last codec",
                );
                Self::Unreadable(error.in_file(chunk.key))
            }
        }
    }
}

/// The shards that were opened last, by coordinates.
pub(super) type Indices = VecDeque<(Vec<u64>, Arc<Shard>)>;

impl ArrayReader<'_> {
    /// Reads a piece, whatever it costs.
    #[must_use]
    pub fn load(&self, piece: &Piece, budget: &Budget<'_>) -> PieceData {
        let quick = self.quickly(piece, budget).ok();
        let data = quick.unwrap_or_else(|| self.carefully(piece, budget));
        match data {
            PieceData::Stored(elements) => match self.held(elements, piece) {
                // Long runs of elements are quick to go through: one pass puts all in C order.
                Ok(elements) => PieceData::Stored(elements.in_c_order().unwrap_or(elements)),
                Err(error) => PieceData::Unreadable(error.in_file(self.key(piece))),
            },
            other => other,
        }
    }

    /// The key of the chunk that holds a piece.
    #[must_use]
    pub fn key(&self, piece: &Piece) -> String {
        let key = self.array.key_encoding.as_ref().map(|known| known.key(&piece.chunk.coordinates));
        key.map_or_else(|_| String::new(), |key| join(&self.path.0, &key))
    }

    /// A piece of a chunk that is fine; an error of any kind where it is not.
    fn quickly(&self, piece: &Piece, budget: &Budget<'_>) -> Result<PieceData> {
        self.array.key_encoding.as_ref().map_err(Clone::clone)?;
        let (key, chain) = (self.key(piece), self.chain_of(piece)?);
        let read = match piece.chunk.inner.as_slice() {
            [] if chain.is_raw() => self.raw(&key, &chain, budget),
            [] => {
                let most = chain.encoded_size().most.unwrap_or(0).max(budget.limit());
                let bytes =
                    self.store.read(&key, most)?.map(|bytes| Data::Bytes(Bytes::whole(bytes)));
                bytes.map(|bytes| chain.decode(bytes, budget)).transpose()
            }
            inner => self.inner_chunk(&key, piece, inner, &chain, budget),
        };
        match read?.as_ref().map(Data::elements) {
            Some(Some(elements)) => Ok(PieceData::Stored(elements.clone())),
            Some(None) => Err(not_fine()),
            None => Ok(PieceData::Missing),
        }
    }

    /// The elements of a raw chunk, none of them loaded; `None` where it is missing.
    fn raw(&self, key: &str, chain: &Chain, budget: &Budget<'_>) -> Result<Option<Data>> {
        let Some(Stat { len, .. }) = self.store.stat(key)? else { return Ok(None) };
        if chain.encoded_size().exact != Some(len) {
            return Err(not_fine());
        }
        let nothing = Data::Bytes(Bytes::window(Vec::new(), 0, len));
        chain.decode(nothing, budget).map(Some)
    }

    /// The inner chunk of a piece; `None` where it is missing.
    fn inner_chunk(
        &self,
        key: &str,
        piece: &Piece,
        inner: &[Vec<u64>],
        chain: &Chain,
        budget: &Budget<'_>,
    ) -> Result<Option<Data>> {
        let (Some(sharding), [inner]) = (only_sharding(chain), inner) else {
            return Err(not_fine());
        };
        let Some(shard) = self.index(key, piece, sharding, budget)? else { return Ok(None) };
        let number = sharding.number(inner).ok_or_else(not_fine)?;
        let Some(range) = shard.bytes(number)? else { return Ok(None) };
        let promised = sharding.inner.encoded_size().most.unwrap_or(0);
        if range.end - range.start > promised.max(budget.limit()) {
            return Err(not_fine());
        }
        let bytes = self.range(key, range)?.ok_or_else(|| vanished(key))?;
        sharding.inner.decode(Data::Bytes(bytes), budget).map(Some)
    }

    /// A piece of a chunk that something is wrong with.
    fn carefully(&self, piece: &Piece, budget: &Budget<'_>) -> PieceData {
        chunk::load_whole(self.store, self.path, self.array, &piece.chunk, budget).into()
    }

    /// The codecs of the chunk of a piece.
    fn chain_of(&self, piece: &Piece) -> Result<Cow<'_, Chain>> {
        match (&self.chain, self.grid) {
            (Some(chain), _) => Ok(Cow::Borrowed(chain)),
            (None, Grid::Regular(shape)) => chunk::chain(self.array, shape).map(Cow::Owned),
            (None, Grid::Rectilinear(_)) => {
                chunk::chain(self.array, &super::lengths(&piece.space)).map(Cow::Owned)
            }
        }
    }

    /// The index of the shard of a piece; `None` where the shard is missing.
    fn index(
        &self,
        key: &str,
        piece: &Piece,
        sharding: &Sharding,
        budget: &Budget<'_>,
    ) -> Result<Option<Arc<Shard>>> {
        let at = &piece.chunk.coordinates;
        let indices = || self.indices.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, shard)) = indices().iter().find(|(of, _)| of == at) {
            return Ok(Some(Arc::clone(shard)));
        }
        let Some(stat) = self.store.stat(key)? else { return Ok(None) };
        let mut read = |range| self.range(key, range)?.ok_or_else(|| vanished(key));
        let opened = sharding.open(stat.len, budget, &mut read);
        let shard = opened.map_err(|said| said.error.unwrap_or_else(not_fine))?;
        let shard = Arc::new(shard.0);
        let mut indices = indices();
        indices.truncate(INDICES - 1);
        indices.push_front((at.clone(), Arc::clone(&shard)));
        Ok(Some(shard))
    }

    /// All bytes of `range`; `None` where there is no such file.
    fn range(&self, key: &str, range: Range<u64>) -> Result<Option<Bytes>> {
        let wanted = range.end - range.start;
        let Some(read) = self.store.read_range(key, range.clone())? else { return Ok(None) };
        if read.len() as u64 == wanted {
            return Ok(Some(Bytes::whole(read)));
        }
        let found = format!("{} bytes", read.len());
        let expected = format!("{wanted} bytes from byte {} on", range.start);
        Err(Error::new(Code::ChunkTruncated, found, expected).in_file(key))
    }

    /// `elements` with the bytes of `piece` in memory that nobody else changes: of raw chunks, only those are.
    fn held(&self, elements: Elements, piece: &Piece) -> Result<Elements> {
        let bytes = elements.bytes();
        let wanted = wanted(&elements, piece);
        let held = match bytes.slice(wanted.clone()) {
            _ if bytes.as_whole().is_some() && !bytes.is_shared() => return Ok(elements),
            Some(part) => part.owned(),
            None => {
                let key = self.key(piece);
                self.range(&key, wanted.clone())?.ok_or_else(|| vanished(&key))?
            }
        };
        bytes.intact()?;
        Ok(elements.over(held.placed(wanted.start, bytes.len())))
    }
}

/// The bytes of `elements`, those of the chunk, from the first to the last element of `piece`.
fn wanted(elements: &Elements, piece: &Piece) -> Range<u64> {
    let local = |pick: fn(&Range<u64>) -> u64| -> Vec<u64> {
        let pairs = piece.region.iter().zip(&piece.space);
        pairs.map(|(range, space)| pick(range) - space.start).collect()
    };
    let (first, last) = (local(|range| range.start), local(|range| range.end - 1));
    elements.byte_range(elements.position(&first)).start
        ..elements.byte_range(elements.position(&last)).end
}

/// That a chunk has to be looked at more closely; what is wrong with it is said then.
fn not_fine() -> Error {
    Error::new(Code::ChunkUndecoded, "a chunk with a fault", "one without")
}

fn vanished(key: &str) -> Error {
    Error::new(Code::ChunkVanished, "no file any more", "the chunk").in_file(key)
}
