//! Arrays of so many chunks that those that are not stored are counted all at once, and not one by one.

use super::{Counted, Counts, ReadArray};
use crate::zarr::{
    NodePath,
    array::{self, Piece},
    grid::{ChunkId, order},
    presence::{Layout, Sighting},
    statistics::Counter,
    store::Store,
};
use std::collections::BTreeSet;

/// The number of chunks up to which each is looked for.
const MANY: u128 = 1 << 16;
/// The number of elements up to which that holds.
const LARGE: u64 = 1 << 32;
/// The most stored chunks that are kept in memory.
const KEPT: usize = 1 << 18;

/// The chunks of a large grid that are stored.
pub(super) struct Stored {
    chunks: BTreeSet<Vec<u64>>,
    layout: Layout,
}

impl Stored {
    /// The stored chunks of `array`; `None` where each chunk is looked for: where there are few, where some hold inner
    /// chunks, where very many are stored, and where a folder cannot be listed.
    pub(super) fn of(array: &ReadArray<'_>, store: &dyn Store, path: &NodePath) -> Option<Self> {
        let metadata = array.reader.array();
        let layout = Layout::new(path, metadata).ok()?;
        let elements = array::len(&array.reader.whole()).unwrap_or(u64::MAX);
        let is_many = layout.total().is_none_or(|total| total > MANY) || elements > LARGE;
        let mut chunks = BTreeSet::new();
        let mut keep = |sighting| {
            if let Sighting::Chunk(at) = sighting {
                chunks.insert(at);
            }
            chunks.len() <= KEPT
        };
        (is_many && metadata.inner_chunk_shape().is_none()).then_some(())?;
        layout.visit(store, &mut keep).ok()?;
        (chunks.len() <= KEPT).then_some(Self { chunks, layout })
    }

    /// The pieces of the stored chunks.
    pub(super) fn pieces<'r>(
        &'r self,
        array: &'r ReadArray<'_>,
    ) -> impl Iterator<Item = Piece> + 'r {
        let reader = &array.reader;
        let region = |at: &Vec<u64>| reader.grid().region(at, reader.shape());
        self.chunks.iter().filter_map(region).flat_map(|region| reader.pieces(&region))
    }

    /// Counts the others: each of their elements is the fill value.
    pub(super) fn count_missing(&self, counter: &Counter<'_>, counts: &mut Counts) -> Option<()> {
        let reader = counter.reader;
        let region = |at: &[u64]| reader.grid().region(at, reader.shape());
        let stored = self.chunks.iter().filter_map(|at| array::len(&region(at)?)).sum::<u64>();
        let elements = array::len(&reader.whole()).unwrap_or(u64::MAX).saturating_sub(stored);
        let all = self.layout.total().unwrap_or(u128::MAX);
        let chunks = all.saturating_sub(self.chunks.len() as u128);
        let number = (0..all)
            .find(|&at| !self.chunks.contains(&order::coordinates(at, &self.layout.counts)))?;
        let coordinates = order::coordinates(number, &self.layout.counts);
        let start = region(&coordinates)?.iter().map(|range| range.start).collect::<Vec<_>>();
        let tallies = counter.missing(&start, elements, u64::try_from(chunks).unwrap_or(u64::MAX));
        counts.close(ChunkId { coordinates, inner: Vec::new() }, Counted { tallies, error: None });
        Some(())
    }
}
