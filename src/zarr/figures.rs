//! A chunk in figures: what is stored of it, what its values are like, what byte order they look like.
//!
//! A chunk is measured [part](Meter::part) by part, on any thread; [`Meter::figures`] puts the parts together and adds
//! what the store knows. For tables of many chunks, so that what is kept of each is small.

use super::prelude::*;
use super::{
    array, byte_order, chunk,
    grid::order,
    statistics::{Counter, Distinct, Extreme, Tally},
};
use std::hash::Hasher;
use twox_hash::XxHash64;

/// The number of bytes of a stored object that are read at a time.
const WINDOW: u64 = 4 << 20;

/// The figures of a chunk that was read.
#[derive(Debug, Clone, Default)]
pub struct Figures {
    /// The outcome of reading it.
    pub state: ChunkState,
    /// The bytes that it has in the store.
    pub stored: Option<u64>,
    /// The bytes of its elements, padding included; `None` where they vary in length.
    pub raw: Option<u64>,
    /// The time of the last write, where it is known.
    pub written: Option<SystemTime>,
    /// Of a shard: its inner chunks that are stored, and all of them.
    pub inner: Option<(u64, u64)>,
    /// The elements that were counted, padding left out.
    pub elements: u64,
    /// Those of them that are numbers and not missing.
    pub numbers: u64,
    /// Its lowest number.
    pub minimum: Option<Extreme>,
    /// Its highest number.
    pub maximum: Option<Extreme>,
    /// The mean of its numbers.
    pub mean: Option<f64>,
    /// Elements that are NaN or "not a time".
    pub nan: u64,
    /// Elements with the value of the fill value.
    pub fill: u64,
    /// Of values that are no numbers: the length of the shortest and of the longest: of text
    /// in code points, of bytes in bytes, of others in characters as they print.
    pub lengths: Option<(u64, u64)>,
    /// The different numbers; of values that are no numbers, the different values.
    pub distinct: Distinct,
    /// The byte order that the values look like, and true if that contradicts the metadata.
    pub order: Option<(Endian, bool)>,
    /// A hash of the stored bytes: chunks with the same one and the same length are byte-identical.
    pub hash: Option<u64>,
}

/// The outcome of reading a chunk.
#[derive(Debug, Clone, Default)]
pub enum ChunkState {
    /// It is not stored, and reads as the fill value.
    #[default]
    Missing,
    /// It was read.
    Read,
    /// It could not be read.
    Unreadable(Arc<Error>),
}

impl Figures {
    /// The bytes of its elements over the bytes stored.
    pub fn ratio(&self) -> Option<f64> {
        let stored = self.stored.filter(|&stored| stored > 0)?;
        Some(self.raw? as f64 / stored as f64)
    }

    /// The error why it could not be read; `None` if it could.
    pub fn error(&self) -> Option<&Error> {
        match &self.state {
            ChunkState::Unreadable(error) => Some(error),
            ChunkState::Missing | ChunkState::Read => None,
        }
    }

    /// True if it is not stored.
    pub fn is_missing(&self) -> bool {
        matches!(self.state, ChunkState::Missing)
    }
}

/// The figures of a part of a chunk.
#[derive(Debug, Clone, Default)]
pub struct PartFigures {
    tally: Tally,
    error: Option<Error>,
    order: Option<(Endian, bool)>,
}

impl PartFigures {
    /// Both parts of one chunk together.
    pub fn merge(self, other: Self) -> Self {
        Self {
            tally: self.tally.merge(other.tally).of_one_chunk(),
            error: self.error.or(other.error),
            order: self.order.or(other.order),
        }
    }
}

/// Measures the chunks of an array.
#[derive(Debug)]
pub struct Meter<'a> {
    store: &'a dyn Store,
    array: &'a ArrayMetadata,
    /// The counter of each element: by the first choice.
    pub counter: Counter<'a>,
    /// True if the numbers that are counted are those that are stored: others say nothing of the byte order.
    judges: bool,
}

impl<'a> Meter<'a> {
    /// A meter for `array` in `store`, of which `counter` counts the first choice.
    pub fn new(store: &'a dyn Store, array: &'a ArrayMetadata, counter: Counter<'a>) -> Self {
        let judges = chain(array).is_some_and(|chain| !chain.computes_numbers());
        Self { store, array, counter, judges }
    }

    /// The elements of the array that the chunk `id` holds.
    ///
    /// # Errors
    ///
    /// If the array has no such chunk.
    pub fn region(&self, id: &ChunkId) -> Result<Region> {
        let grid = self.counter.reader.grid();
        let whole = grid.region(&id.coordinates, self.counter.reader.shape());
        match whole.filter(|_| id.inner.is_empty()) {
            Some(region) => Ok(region),
            None => chunk::region(self.array, id),
        }
    }

    /// Reads and counts a piece of a chunk.
    pub fn part(&self, piece: &Piece, budget: &Budget) -> PartFigures {
        let data = self.counter.reader.load_in_place(piece, budget);
        let order = match &data {
            PieceData::Stored(elements)
                if self.judges && *elements.order() != ByteOrder::NotApplicable =>
            {
                let verdict = byte_order::judge(elements);
                let plausible = verdict.plausible.filter(|_| data.intact().is_ok());
                plausible.map(|order| (order, verdict.contradicts()))
            }
            _ => None,
        };
        let (mut tallies, error) = self.counter.count(piece, &data);
        PartFigures { tally: tallies.pop().unwrap_or_default(), error, order }
    }

    /// The figures of the chunk `id`, all of whose parts were read.
    pub fn figures(&self, id: &ChunkId, part: PartFigures, budget: &Budget) -> Figures {
        let PartFigures { tally, error, order } = part;
        let mut figures = self.in_store(id, budget);
        figures.state = match error {
            Some(error) => ChunkState::Unreadable(Arc::new(error)),
            None if tally.chunks[0] == 0 => ChunkState::Missing,
            None => ChunkState::Read,
        };
        if figures.error().is_some() {
            return figures;
        }
        // Of a missing chunk they are those of the fill value, as in the statistics of the array.
        let all = tally.statistics;
        Figures {
            elements: all.elements,
            numbers: all.numbers,
            mean: all.mean(),
            nan: all.nan + all.not_a_time,
            fill: all.fill_value,
            lengths: all.lengths,
            distinct: all.distinct.told(),
            minimum: all.minimum,
            maximum: all.maximum,
            order,
            ..figures
        }
    }

    /// The figures that the store has of a chunk.
    fn in_store(&self, id: &ChunkId, budget: &Budget) -> Figures {
        let reader: &ArrayReader = self.counter.reader;
        let (key, mut figures) = (reader.key(id), Figures::default());
        let Ok(Some(stat)) = self.store.stat(&key) else { return figures };
        figures.written = stat.modified;
        let item = reader.resolved().data_type.fixed_size();
        let full = chunk::full_region(self.array, id).ok();
        let elements = full.as_deref().and_then(array::len);
        figures.raw = item.zip(elements).and_then(|(item, n)| n.checked_mul(item as u64));
        let mut range = Some(0..stat.len);
        let shard = reader.shard(&id.coordinates, budget).ok().flatten();
        if let Some(inner) = id.inner.first() {
            range = shard.and_then(|shard| {
                let number = order::number(inner, &shard.counts)?;
                shard.bytes(number).ok().flatten()
            });
        } else {
            figures.inner = shard.map(|shard| {
                let all = shard.entries.len() as u64;
                (all - shard.empty() as u64, all)
            });
        }
        figures.stored = range.as_ref().map(|range| range.end - range.start);
        figures.hash = range.and_then(|range| self.hash(&key, range, budget));
        figures
    }

    /// A hash of the bytes `range` of what is stored under `key`; `None` where they cannot be read, or nobody wants to
    /// know any more.
    fn hash(&self, key: &str, range: Range<u64>, budget: &Budget) -> Option<u64> {
        let (mut hash, mut at) = (XxHash64::with_seed(0), range.start);
        while at < range.end {
            if budget.is_stopped() {
                return None;
            }
            let end = range.end.min(at + WINDOW);
            let window = self.store.read_range(key, at..end).ok()??;
            hash.write(&window);
            (window.len() as u64 == end - at).then_some(())?;
            at = end;
        }
        Some(hash.finish())
    }
}

/// The names of the checksums that every chunk of an array has, those of inner chunks too.
pub fn checksums(array: &ArrayMetadata) -> Vec<String> {
    let mut names = Vec::new();
    if let Some(chain) = chain(array) {
        gather(&chain, &mut names);
    }
    names
}

/// The codecs of the first chunk.
fn chain(array: &ArrayMetadata) -> Option<Chain> {
    let grid = array.known_grid()?;
    let shape = grid.chunk_shape(&vec![0; grid.dimensions()])?;
    chunk::chain(array, &shape).ok()
}

fn gather(chain: &Chain, names: &mut Vec<String>) {
    for link in &chain.links {
        if link.row.is_some_and(|row| row.is_checksum) && !names.contains(&link.spec.name) {
            names.push(link.spec.name.clone());
        }
        if let Some(sharding) = link.sharding() {
            gather(&sharding.inner, names);
        }
    }
}
