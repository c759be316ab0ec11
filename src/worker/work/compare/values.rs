//! The values of two arrays, or of parts of them, compared slab by slab.

use crate::worker::prelude::*;
use crate::{
    app::page::compare::{ArrayPair, CompareNews, ComparedBlock},
    zarr::{
        array::Slab,
        compare::{Comparer, Tolerance, parts},
        store::requests::Asker,
    },
};
use std::collections::BTreeMap;

/// Two arrays, or parts of them, whose values are compared.
pub(super) struct ComparedValues<'a> {
    readers: &'a [ArrayReader<'a>; 2],
    pub(super) comparer: Comparer<'a>,
    /// The part of A that is compared.
    pub(super) part: Region,
    /// True if it is one chunk.
    is_chunk: bool,
    limit: u64,
}

impl<'a> ComparedValues<'a> {
    /// For two arrays, or for a chunk of each; where one is named, for that and the same elements of the other array.
    pub(super) fn new(
        readers: &'a [ArrayReader<'a>; 2],
        chunks: [Option<&ChunkId>; 2],
        (tolerance, limit): (Tolerance, u64),
    ) -> Result<Self> {
        let [a, b] = readers;
        let parts = parts([a, b], chunks)?;
        let comparer = Comparer::of_parts([a, b], [&parts[0], &parts[1]], tolerance)?;
        let [part, _] = parts;
        Ok(Self { readers, comparer, part, is_chunk: chunks != [None, None], limit })
    }

    /// The values before any was compared.
    pub(super) fn pair(&self, a: &ArrayMetadata, [of_a, of_b]: [Option<&ChunkId>; 2]) -> ArrayPair {
        let only = of_a.or(of_b).cloned();
        let shape = lengths(&self.part);
        let grid = match &only {
            Some(_) => Some(Grid::Regular(shape.iter().map(|&n| n.max(1)).collect())),
            None => a.grid.clone().ok(),
        };
        let counts = grid.as_ref().map(|grid| grid.counts(&shape)).unwrap_or_default();
        let reached = Some(vec![0; counts.len()]);
        ArrayPair { shape, counts, grid, only, reached, ..ArrayPair::default() }
    }

    /// Compares all of it but the first `from` slabs.
    pub(super) fn compare(
        &self,
        from: usize,
        budget: Budget<'_>,
        say: &mut dyn FnMut(Answer),
    ) -> Result<()> {
        let memory = budget.memory().map_or(u64::MAX, |memory| memory.most() / 4);
        let (started, of) = (Instant::now(), array::len(&self.part).unwrap_or(u64::MAX));
        let mut done = 0;
        let mut slabs = self.comparer.slabs(&self.part, memory).peekable();
        let mut number = 0;
        while let Some(region) = slabs.next() {
            done += array::len(&region).unwrap_or(0);
            number += 1;
            if number <= from {
                continue;
            }
            let (compared, blocks) = self.slab(&region, &budget)?;
            let reached = slabs.peek().map(|next| {
                next.iter().zip(&self.part).map(|(next, all)| next.start - all.start).collect()
            });
            let pace = Pace { done, of, elapsed: started.elapsed() };
            let blocks = blocks.into_iter().collect();
            let news = CompareNews::Slab(Box::new(compared), blocks, reached, pace);
            say(Answer::Compared(Box::new(news)));
        }
        if number == 0 {
            let news = CompareNews::Slab(Box::default(), Vec::new(), None, Pace::default());
            say(Answer::Compared(Box::new(news)));
        }
        Ok(())
    }

    /// Compares what both have of `region`, and tells which chunks of the first are not equal and stored on both sides.
    pub(super) fn slab(
        &self,
        region: &Region,
        budget: &Budget,
    ) -> Result<(Compared, BTreeMap<Vec<u64>, ComparedBlock>)> {
        let [a, b] = self.readers;
        let within = (self.limit, budget.memory(), budget.stop());
        let there = self.comparer.in_b(region);
        let asker = Asker::current();
        let slab = |of, region| asker.during(|| parallel::slab(of, region, within));
        let (mut of_a, mut of_b) = rayon::join(|| slab(a, region), || slab(b, &there));
        let mut compared = loop {
            let compared = parallel::compare(&self.comparer, region, [&of_a, &of_b]);
            // What was compared with a file that was cut meanwhile is not told.
            let is_lost = [!of_a.drop_lost().is_empty(), !of_b.drop_lost().is_empty()];
            if is_lost == [false; 2] {
                break compared;
            }
        };
        if budget.is_stopped() {
            return Err(Error::new(Code::Stopped, "a comparison that was stopped", ""));
        }
        let mut blocks = self.blocks(&of_a, &of_b);
        for (chunk, different) in mem::take(&mut compared.chunks) {
            blocks.entry(chunk).or_insert(ComparedBlock::BOTH).different += different;
        }
        if self.is_chunk {
            let all = blocks.into_values().reduce(ComparedBlock::merged).unwrap_or_default();
            return Ok((compared, BTreeMap::from([(vec![0; self.part.len()], all)])));
        }
        // Of a chunk that is in several slabs, another may hold what only one side stores.
        let is_within = |chunk: &[u64]| {
            a.grid().region(chunk, a.shape()).is_some_and(|all| {
                all.iter()
                    .zip(region)
                    .all(|(all, part)| part.start <= all.start && all.end <= part.end)
            })
        };
        blocks.retain(|chunk, block| *block != ComparedBlock::BOTH || !is_within(chunk));
        Ok((compared, blocks))
    }

    /// The chunks that each side stores, by chunk of the first, and those that cannot be read.
    fn blocks(&self, of_a: &Slab, of_b: &Slab) -> BTreeMap<Vec<u64>, ComparedBlock> {
        let [_, b] = self.readers;
        let states: HashMap<_, _> =
            of_b.pieces().iter().map(|(piece, data)| (&piece.chunk, state(data))).collect();
        let mut blocks: BTreeMap<Vec<u64>, ComparedBlock> = BTreeMap::new();
        for (piece, data) in of_a.pieces() {
            let block = blocks.entry(piece.chunk.coordinates.clone()).or_default();
            let mut add = |side: usize, (stored, unreadable): (bool, bool)| {
                if let (Some(is_stored), Some(is_unreadable)) =
                    (block.stored.get_mut(side), block.unreadable.get_mut(side))
                {
                    *is_stored |= stored;
                    *is_unreadable |= unreadable;
                }
            };
            add(0, state(data));
            for other in b.pieces_of_slab(&self.comparer.in_b(&piece.region)) {
                // Inner chunks of a shard may be read together in the slab.
                let coordinates = other.chunk.coordinates.clone();
                let whole = ChunkId::at(coordinates);
                if let Some(found) = states.get(&other.chunk).or_else(|| states.get(&whole)) {
                    add(1, *found);
                }
            }
        }
        blocks
    }
}

/// True if it is stored, and if it cannot be read.
fn state(data: &PieceData) -> (bool, bool) {
    match data {
        PieceData::Missing => (false, false),
        PieceData::Stored(_) => (true, false),
        PieceData::Unreadable(_) => (true, true),
    }
}
