//! Arrays of so many chunks that those that are not stored are taken all at once, and not one by one.

use super::prelude::*;
use crate::zarr::{grid::order, presence::Sighting};

/// The number of chunks up to which each is looked for.
const MANY: u128 = 1 << 16;
/// The number of elements up to which that holds.
const LARGE: u64 = 1 << 32;
/// The most stored chunks that are kept in memory.
const KEPT: usize = 1 << 18;
/// The most stretches of elements that stored chunks are cut into.
const STRETCHES: u64 = 1 << 20;

/// The chunks of a large grid that are stored.
pub(super) struct StoredChunks {
    chunks: BTreeSet<Vec<u64>>,
    layout: Layout,
}

/// The part of an array that is not stored.
pub(super) struct Missing {
    /// The first of its chunks.
    pub(super) first: ChunkId,
    /// The first element of it.
    pub(super) start: Vec<u64>,
    /// The number of elements.
    pub(super) elements: u64,
    /// The number of chunks.
    pub(super) chunks: u64,
}

impl StoredChunks {
    /// Those of `array`; `None` where each chunk is looked for: where there are few, where very many are stored, and
    /// where a folder cannot be listed.
    pub(super) fn of(array: &ReadArray) -> Option<Self> {
        let mut stored = Self::none(array)?;
        let Self { chunks, layout } = &mut stored;
        let mut keep = |sighting| {
            if let Sighting::Chunk(at) = sighting {
                chunks.insert(at);
            }
            chunks.len() <= KEPT
        };
        layout.visit(array.reader.store(), &mut keep).ok()?;
        (chunks.len() <= KEPT).then_some(stored)
    }

    /// Those of `array` that are `wanted`, where these are so few that nothing is listed; `None` where they are not.
    pub(super) fn few(array: &ReadArray, wanted: &dyn Fn(&ChunkId) -> bool) -> Option<Self> {
        let Self { layout, .. } = Self::none(array)?;
        let is_wanted = |at: &[u64]| wanted(&ChunkId::at(at.to_vec()));
        let chunks = layout.few(array.reader.store(), &is_wanted)?.ok()?;
        Some(Self { chunks: chunks.into_iter().collect(), layout })
    }

    /// Those of `array` that have one of the keys `keys`; `None` as for [`Self::of`].
    pub(super) fn known<'k>(
        array: &ReadArray,
        keys: impl Iterator<Item = &'k str>,
    ) -> Option<Self> {
        let Self { layout, .. } = Self::none(array)?;
        let chunks = keys.filter_map(|key| layout.chunk(key)).collect();
        Some(Self { chunks, layout })
    }

    /// None at all of a grid that is large enough.
    fn none(array: &ReadArray) -> Option<Self> {
        let layout = Layout::new(array.reader.path(), array.reader.array()).ok()?;
        let elements = array::len(&array.reader.whole()).unwrap_or(u64::MAX);
        let is_many = layout.total().is_none_or(|total| total > MANY) || elements > LARGE;
        is_many.then(|| Self { chunks: BTreeSet::new(), layout })
    }

    /// The pieces of the stored chunks.
    pub(super) fn pieces<'r>(
        &'r self,
        reader: &'r ArrayReader<'_>,
    ) -> impl Iterator<Item = Piece> + 'r {
        self.regions(reader).flat_map(|region| reader.pieces_of_chunk(&region))
    }

    fn regions<'r>(&'r self, reader: &'r ArrayReader<'_>) -> impl Iterator<Item = Region> + 'r {
        self.chunks.iter().filter_map(|at| reader.grid().region(at, reader.shape()))
    }

    /// The part that is not stored; `None` where nothing is missing.
    pub(super) fn missing(&self, reader: &ArrayReader) -> Option<Missing> {
        let [mut elements, mut chunks] = reader.elements_and_chunks(&reader.whole());
        for region in self.regions(reader) {
            let [of_chunk, inside] = reader.elements_and_chunks(&region);
            (elements, chunks) = (elements.saturating_sub(of_chunk), chunks.saturating_sub(inside));
        }
        let all = self.layout.total().unwrap_or(u128::MAX);
        let mut coordinates = (0..all).map(|at| order::coordinates(at, &self.layout.counts));
        let coordinates = coordinates.find(|at| !self.chunks.contains(at))?;
        let region = reader.grid().region(&coordinates, reader.shape())?;
        Some(Missing { first: ChunkId::at(coordinates), start: starts(&region), elements, chunks })
    }

    /// Stretches of elements in C order that hold all that is stored, in order: each from a multiple of `unit` to
    /// another.
    pub(super) fn stretches(&self, reader: &ArrayReader, unit: u64) -> Vec<Range<u64>> {
        let most = STRETCHES / (self.chunks.len() as u64).max(1);
        let mut all: Vec<_> =
            self.regions(reader).flat_map(|region| rows(&region, reader.shape(), most)).collect();
        all.sort_unstable_by_key(|stretch| stretch.start);
        let mut joined = Vec::<Range<u64>>::new();
        for stretch in all {
            let end = stretch.end.checked_next_multiple_of(unit).unwrap_or(u64::MAX);
            let start = stretch.start / unit * unit;
            match joined.last_mut().filter(|last| last.end >= start) {
                Some(last) => last.end = last.end.max(end),
                None => joined.push(start..end),
            }
        }
        joined
    }
}

/// Stretches of elements of an array that hold `region`: one for each of its rows, as far as those are at most `most`.
fn rows(region: &Region, shape: &[u64], most: u64) -> Vec<Range<u64>> {
    let mut counts = Vec::new();
    for range in region {
        counts.push(range.end - range.start);
        if order::total(&counts).is_none_or(|total| total > u128::from(most)) {
            counts.pop();
            break;
        }
    }
    let row = |number| {
        let before = order::coordinates(number, &counts);
        let place = |last: bool| {
            let at = region.iter().enumerate().map(|(axis, range)| match before.get(axis) {
                Some(at) => range.start + at,
                None if last => range.end - 1,
                None => range.start,
            });
            order::number(&at.collect::<Vec<_>>(), shape)
        };
        Some(place(false)?..place(true)? + 1)
    };
    (0..order::total(&counts).unwrap_or(0)).filter_map(row).collect()
}
