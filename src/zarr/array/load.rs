//! Reading the chunk of a piece.
//!
//! Most chunks are fine and are decoded without a look at their stages. Only where something is wrong is a chunk gone
//! through stage by stage, as the inspector does, for what there is to say of it.
//!
//! Stored bytes that are elements are not copied: the elements are those of a map of the file. Whoever has gone through
//! them asks [`PieceData::intact`], and drops what was computed if they are not.

use super::only_sharding;
use crate::zarr::prelude::*;
use crate::zarr::{
    chunk::{self, Section},
    codec::sharding::{Shard, Sharding},
    store::{self, join},
};

/// The number of shards whose index is kept, for more inner chunks of them, and of the entries in them, if they are
/// more than one.
const INDICES: usize = 8;
const ENTRIES: usize = 1 << 20;

/// The number of shards of which it is remembered that their index agrees with its checksum.
const VERIFIED: usize = 1 << 16;

/// Raw bytes up to this many are read: a map of so few costs more than a copy.
const SMALL: u64 = 64 << 10;

/// The content of a piece.
#[derive(Debug, Clone)]
pub enum PieceData {
    /// The chunk is not stored: it reads as the fill value.
    Missing,
    /// The elements of the chunk, of which those of the piece are loaded.
    Stored(Elements),
    /// The error why the chunk cannot be read; it names the chunk.
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

impl PieceData {
    /// Checks that results computed from it may be shown: see [`Bytes::intact`].
    ///
    /// # Errors
    ///
    /// If the file of the chunk is mapped, and was cut or written to since.
    pub fn intact(&self) -> Result<()> {
        match self {
            Self::Stored(elements) => elements.bytes().intact(),
            Self::Missing | Self::Unreadable(_) => Ok(()),
        }
    }
}

/// The shards that were opened last.
#[derive(Debug, Default)]
pub(super) struct Indices {
    kept: VecDeque<KnownIndex>,
    /// The shards whose index agrees with its checksum, of those that are read by windows.
    verified: HashSet<Vec<u64>>,
}

/// The index of a shard, or a window of it.
#[derive(Debug)]
struct KnownIndex {
    /// The coordinates of the shard.
    at: Vec<u64>,
    /// The first entry of the window.
    window: Option<u64>,
    shard: Arc<Shard>,
}

impl Indices {
    /// Keeps an index; those that are too old or too large beside it go.
    fn keep(&mut self, index: KnownIndex) {
        if self.verified.len() >= VERIFIED {
            self.verified.clear();
        }
        if index.window.is_some() {
            self.verified.insert(index.at.clone());
        }
        self.kept.push_front(index);
        let mut sum = 0;
        let fitting = self
            .kept
            .iter()
            .take_while(|known| {
                sum += known.shard.entries.len();
                sum <= ENTRIES
            })
            .count();
        self.kept.truncate(fitting.clamp(1, INDICES));
    }
}

impl ArrayReader<'_> {
    /// Reads a piece, whatever it costs. Elements come in C order where they are of one size.
    pub fn load(&self, piece: &Piece, budget: &Budget) -> PieceData {
        self.read(piece, true, budget)
    }

    /// The same with the elements where they are in the chunk.
    pub fn load_in_place(&self, piece: &Piece, budget: &Budget) -> PieceData {
        self.read(piece, false, budget)
    }

    /// The bytes of memory that reading `piece` takes at most, its elements in C order beside those that were decoded.
    fn cost(&self, piece: &Piece, limit: u64) -> u64 {
        let Ok(chain) = self.chain_of(piece) else { return 0 };
        let inner = only_sharding(&chain).filter(|_| !piece.chunk.inner.is_empty());
        // Of a large index, no more than a window is held.
        let index = inner.filter(|sharding| sharding.window(0).is_none());
        let index = index.map_or(0, Sharding::index_memory).saturating_add(piece.cost);
        let chain = inner.map_or(&*chain, |sharding| &sharding.inner);
        if chain.is_raw() { index } else { chain.cost(None, limit).saturating_add(index) }
    }

    /// Reads all of a chunk or an inner chunk, padding included. Elements keep the positions that they have in it.
    pub fn load_chunk(&self, id: &ChunkId, budget: &Budget) -> PieceData {
        match chunk::full_region(self.array, id) {
            Ok(space) => self.read(&self.piece(id.clone(), space.clone(), space), false, budget),
            Err(error) => PieceData::Unreadable(error),
        }
    }

    /// The key of the chunk `id`, or of its shard.
    pub fn key(&self, id: &ChunkId) -> String {
        let key = self.array.key_encoding.as_ref().map(|known| known.key(&id.coordinates));
        key.map_or_else(|_| String::new(), |key| join(&self.path.0, &key))
    }

    /// A piece with its elements in C order, or where they are in the chunk, those of the piece loaded.
    fn read(&self, piece: &Piece, in_order: bool, budget: &Budget) -> PieceData {
        let mut quickly = |budget: &Budget| {
            let data = self.quickly(piece, budget)?;
            if in_order { ordered(data) } else { Ok(data) }
        };
        let is_cut = |done: &Result<PieceData>| done.as_ref().is_err_and(Error::is_limit);
        let quick = budget.reserving(&|limit| self.cost(piece, limit), &mut quickly, &is_cut);
        let mut quick = quick.and_then(|quick| quick);
        if quick.as_ref().is_err_and(|error| error.code == Code::NoMemory) {
            // With no other chunk beside it, there may be enough.
            let all = budget.reserving(&|_| u64::MAX, &mut quickly, &|_| false);
            quick = all.and_then(|quick| quick);
        }
        let data = match quick {
            Ok(data) => data,
            // By now there are other bytes than those that were looked at; or there is no memory for any of them.
            Err(error)
                if matches!(error.code, Code::ChunkChanged | Code::NoMemory | Code::Stopped) =>
            {
                return PieceData::Unreadable(error.in_file(self.key(&piece.chunk)));
            }
            Err(_) => {
                let data = self.carefully(piece, budget);
                let data = if in_order { ordered(data) } else { Ok(data) };
                data.unwrap_or_else(|error| {
                    PieceData::Unreadable(error.in_file(self.key(&piece.chunk)))
                })
            }
        };
        match &data {
            PieceData::Stored(elements) if !is_loaded(elements, piece) => {
                PieceData::Unreadable(self.not_loaded(piece))
            }
            _ => data,
        }
    }

    /// A piece of a chunk that is fine; an error of any kind where it is not.
    fn quickly(&self, piece: &Piece, budget: &Budget) -> Result<PieceData> {
        self.array.key_encoding.as_ref().map_err(Clone::clone)?;
        let (key, chain) = (self.key(&piece.chunk), self.chain_of(piece)?);
        let read = match piece.chunk.inner.as_slice() {
            [] if chain.is_raw() => self.raw(&key, piece, &chain, budget),
            [] => {
                chain.fits(budget)?;
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

    /// The elements of a raw chunk, those of the piece loaded; `None` where it is missing.
    fn raw(
        &self,
        key: &str,
        piece: &Piece,
        chain: &Chain,
        budget: &Budget,
    ) -> Result<Option<Data>> {
        let exact = chain.encoded_size().exact.unwrap_or_default();
        let nothing = Data::Bytes(Bytes::window(Vec::new(), 0, exact));
        let elements = chain.decode(nothing, budget);
        let of_piece = |data: &Data| data.elements().map(|elements| wanted(elements, piece));
        let wanted = elements.as_ref().ok().and_then(of_piece);
        // Where only a question tells the length, reading all and a byte more tells it too.
        let is_small = exact <= chunk::WHOLE && wanted == Some(0..exact);
        if is_small && !self.store.tells_length(key) {
            self.store.read_range(key, 0..exact + 1)?;
        }
        let Some(Stat { len, .. }) = self.store.stat(key)? else { return Ok(None) };
        let (Data::Elements(elements), Some(wanted)) = (elements?, wanted.filter(|_| len == exact))
        else {
            return Err(not_fine());
        };
        let section = self.section(key, len, &wanted);
        let most = budget.limit().max(chunk::WHOLE);
        if !section.is_at_hand() && wanted.end - wanted.start > most {
            let found = format!(
                "a file that cannot be mapped, of which {} are read at a time",
                byte_range(&wanted)
            );
            let error = Error::new(Code::NoMemory, found, format!("{most} bytes"));
            return Err(error.with_fix("Raise the limit with --max-decoded."));
        }
        let bytes = section.read(wanted.clone())?;
        match self.store.crc32(key).filter(|_| wanted == (0..len)) {
            Some(crc32) => store::agrees(crc32, bytes.here(), budget.stop())?,
            None => self.verify(key, budget)?,
        }
        Ok(Some(Data::Elements(elements.over(bytes.placed(wanted.start, len)))))
    }

    /// Compares what is read by parts with the CRC-32 that the store keeps of it, where that is asked for.
    fn verify(&self, key: &str, budget: &Budget) -> Result<()> {
        let ignores = budget.ignores_checksums() || self.array.registry.ignores_checksums;
        if self.verifies && !ignores { self.store.verify(key, budget.stop()) } else { Ok(()) }
    }

    /// The inner chunk of a piece; `None` where it is missing.
    fn inner_chunk(
        &self,
        key: &str,
        piece: &Piece,
        inner: &[Vec<u64>],
        chain: &Chain,
        budget: &Budget,
    ) -> Result<Option<Data>> {
        let (Some(sharding), [inner]) = (only_sharding(chain), inner) else {
            return Err(not_fine());
        };
        let number = sharding.number(inner).ok_or_else(not_fine)?;
        let (at, window) = (&piece.chunk.coordinates, sharding.window(number));
        let Some(shard) = self.index(key, (at, window), sharding, budget)? else {
            return Ok(None);
        };
        self.verify(key, budget)?;
        let Some(range) = shard.bytes(number)? else { return Ok(None) };
        let promised = sharding.inner.encoded_size().most.unwrap_or(0);
        if range.end - range.start > promised.max(budget.limit()) {
            return Err(not_fine());
        }
        let section = if sharding.inner.is_raw() {
            self.section(key, shard.len, &range)
        } else {
            Section::file(self.store, key, shard.len)
        };
        sharding.inner.decode(Data::Bytes(section.read(range)?), budget).map(Some)
    }

    /// A file of `len` bytes of which the raw bytes `wanted` are read: mapped, if that saves a copy worth it.
    fn section<'k>(&'k self, key: &'k str, len: u64, wanted: &Range<u64>) -> Section<'k> {
        let open = if wanted.end - wanted.start > SMALL { Section::mapped } else { Section::file };
        open(self.store, key, len)
    }

    /// A piece of a chunk that something is wrong with.
    fn carefully(&self, piece: &Piece, budget: &Budget) -> PieceData {
        chunk::load_whole(self.store, self.path, self.array, &piece.chunk, budget).into()
    }

    /// The codecs of the chunk of a piece.
    fn chain_of(&self, piece: &Piece) -> Result<Cow<'_, Chain>> {
        if let Some(chain) = &self.chain {
            return Ok(Cow::Borrowed(chain));
        }
        let shape = self.grid.chunk_shape(&piece.chunk.coordinates).ok_or_else(not_fine)?;
        chunk::chain(self.array, &shape).map(Cow::Owned)
    }

    /// The index of the shard at these coordinates of the grid; `None` where the shard is missing, and in arrays of
    /// which `sharding_indexed` is not the only codec.
    ///
    /// # Errors
    ///
    /// If the shard or its index cannot be read.
    pub fn shard(&self, at: &[u64], budget: &Budget) -> Result<Option<Arc<Shard>>> {
        let sharding = self.chain.as_ref().and_then(only_sharding);
        let Some(sharding) = sharding else { return Ok(None) };
        let id = ChunkId::at(at.to_vec());
        self.index(&self.key(&id), (at, None), sharding, budget)
    }

    /// The index of the shard at these coordinates, all of it or the window of it that begins with an entry; `None`
    /// where the shard is missing.
    fn index(
        &self,
        key: &str,
        (at, window): (&[u64], Option<u64>),
        sharding: &Sharding,
        budget: &Budget,
    ) -> Result<Option<Arc<Shard>>> {
        let indices = || lock(&self.indices);
        if let Some(KnownIndex { shard, .. }) =
            indices().kept.iter().find(|known| known.at == at && known.window == window)
        {
            return Ok(Some(Arc::clone(shard)));
        }
        let Some(stat) = self.store.stat(key)? else { return Ok(None) };
        let section = Section::file(self.store, key, stat.len);
        let mut read = |range| section.read(range);
        let shard = if let Some(first) = window {
            if !indices().verified.contains(at) {
                let ignores = budget.ignores_checksums() || self.array.registry.ignores_checksums;
                let budget = budget.ignoring_checksums(ignores);
                sharding.verify_index(stat.len, &budget, &mut read)?;
            }
            sharding.open_window(stat.len, first, &mut read)?
        } else {
            let opened = sharding.open(stat.len, budget, &mut read);
            opened.map_err(|said| said.error.unwrap_or_else(not_fine))?.0
        };
        let shard = Arc::new(shard);
        indices().keep(KnownIndex { at: at.to_vec(), window, shard: Arc::clone(&shard) });
        Ok(Some(shard))
    }
}

/// `data` with its elements in C order: long runs of them are quick to go through, and one pass puts all so.
fn ordered(data: PieceData) -> Result<PieceData> {
    let PieceData::Stored(elements) = &data else { return Ok(data) };
    let Ok(ordered) = elements.in_c_order() else { return Ok(data) };
    data.intact()?;
    Ok(PieceData::Stored(ordered))
}

/// True if the elements of `piece` are loaded.
fn is_loaded(elements: &Elements, piece: &Piece) -> bool {
    let bytes = elements.bytes();
    bytes.as_whole().is_some() || bytes.get(wanted(elements, piece)).is_some()
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
    Error::new(Code::ChunkUndecoded, "a damaged chunk", "an intact chunk")
}
