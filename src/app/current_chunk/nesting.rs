//! Inner chunks of shards, and shards in shards: going into them, out of them, and from one to the next.
//!
//! The depth of the chunk on show is how many inner coordinates its id has: none for the whole shard, as many as there
//! are levels for what holds elements and nothing else.

use crate::app::prelude::*;
use crate::zarr::{chunk, codec::sharding::Shard, presence};

/// The first inner chunk at every level.
pub fn first(levels: &[Vec<u64>]) -> Vec<Vec<u64>> {
    levels.iter().map(|counts| vec![0; counts.len()]).collect()
}

/// Checks that there are inner chunks at these coordinates.
///
/// # Errors
///
/// The reason why there are no inner chunks at these levels.
pub fn inside(inner: &[Vec<u64>], levels: &[Vec<u64>]) -> Result<(), String> {
    if inner.len() > levels.len() {
        return Err(match levels.len() {
            0 => "chunks of this array have no inner chunks".to_owned(),
            1 => "shards of this array have one level of inner chunks".to_owned(),
            levels => format!("shards of this array have {levels} levels of inner chunks"),
        });
    }
    let outside = |(at, counts): (&Vec<u64>, &Vec<u64>)| at.iter().zip(counts).any(|(a, n)| a >= n);
    match inner.iter().zip(levels).find(|pair| outside(*pair)) {
        Some((at, counts)) => Err(format!("no inner chunk {at:?}: the grid has {counts:?}")),
        None => Ok(()),
    }
}

/// True if the codec of a stage puts chunks into chunks.
fn is_shard(stage: &Stage) -> bool {
    stage.row.is_some_and(|row| row.inner.is_some())
}

impl CurrentChunk {
    /// The number of inner chunks the chunk at `coordinates` has, level by level.
    pub fn levels_at(&self, coordinates: &[u64]) -> Vec<Vec<u64>> {
        let shape = self
            .array
            .as_ref()
            .and_then(|(_, array)| Some((array, array.known_grid()?.chunk_shape(coordinates)?)));
        shape.map_or_else(Vec::new, |(array, shape)| chunk::levels(array, &shape))
    }

    /// The number of levels of shards around the chunk on show.
    pub fn depth(&self) -> usize {
        self.id.inner.len()
    }

    /// The inner chunks, as deep as they go, that hold the element of the array at `at`.
    pub fn inner_of(&self, at: &[u64]) -> Option<ChunkId> {
        let (_, array) = self.array.as_ref()?;
        let grid = array.known_grid()?;
        let (coordinates, inside) = grid.locate(at)?;
        let shape = grid.chunk_shape(&coordinates)?;
        let inner = chunk::inner_at(array, &shape, &inside);
        Some(ChunkId { coordinates, inner })
    }

    /// The chunk after (or before) this one in C order: through the inner chunks of the innermost shard, then on in the
    /// shard around that, then to the next shard.
    pub fn neighbour(&self, way: Direction) -> Option<ChunkId> {
        let forwards = way == Direction::Next;
        let end = |counts: &Vec<u64>| -> Vec<u64> {
            counts.iter().map(|n| if forwards { 0 } else { n.saturating_sub(1) }).collect()
        };
        let depth = self.depth();
        for level in (0..depth).rev() {
            let (here, counts) = (self.id.inner.get(level)?, self.levels.get(level)?);
            if let Some(next) = order::next(here, counts, forwards) {
                let mut inner: Vec<Vec<u64>> = self.id.inner.iter().take(level).cloned().collect();
                inner.push(next);
                inner.extend(self.levels.iter().take(depth).skip(level + 1).map(end));
                return Some(ChunkId { coordinates: self.id.coordinates.clone(), inner });
            }
        }
        let coordinates = order::next(&self.id.coordinates, &self.counts, forwards)?;
        let inner = self.levels_at(&coordinates).iter().take(depth).map(end).collect();
        Some(ChunkId { coordinates, inner })
    }

    /// One level deeper: to the inner chunk under the cursor, be that on an element of it or on its entry in the index.
    /// `None` where there is no level below.
    pub fn deeper(&self) -> Option<ChunkId> {
        let depth = self.depth();
        let counts = self.levels.get(depth)?;
        let under = self.inner_under_cursor().filter(|inner| inner.len() == counts.len());
        let mut id = self.id.clone();
        id.inner.push(under.unwrap_or_else(|| vec![0; counts.len()]));
        Some(id)
    }

    /// One level out: the shard around what is on show. `None` where that is a file.
    pub fn outer(&self) -> Option<ChunkId> {
        let mut id = self.id.clone();
        id.inner.pop()?;
        Some(id)
    }

    /// The inner chunk of the level below under the cursor.
    fn inner_under_cursor(&self) -> Option<Vec<u64>> {
        let shown = self.shown()?;
        if let Some(at) = self.element() {
            return self.inner_of(&shown.in_array(&at))?.inner.get(self.depth()).cloned();
        }
        let at =
            shown.header(self.stage).iter().position(|row| row.bytes.contains(&self.cursor))?;
        let stage = shown.chunk.stages.get(self.stage + 1)?;
        // The index of the shard around what is on show, and none of those further out.
        let is_last = shown.chunk.stages.iter().rposition(is_shard);
        let counts = self.levels.get(self.depth())?;
        (is_shard(stage) && is_last == Some(self.stage + 1))
            .then(|| order::coordinates(at as u128, counts))
    }

    /// The next inner chunk after this one (or before it) that the indexes of the shards on show say is empty.
    pub fn empty_neighbour(&self, way: Direction) -> Option<ChunkId> {
        let shown = self.shown()?;
        let shards: Vec<&Shard> =
            shown.chunk.stages.iter().filter_map(|stage| stage.shard.as_deref()).collect();
        let levels = self.id.inner.iter().zip(shards).enumerate().collect::<Vec<_>>();
        levels.into_iter().rev().find_map(|(level, (here, shard))| {
            let found = presence::next_missing_inner(shard, here, way == Direction::Next)?;
            let mut inner: Vec<Vec<u64>> = self.id.inner.iter().take(level).cloned().collect();
            inner.push(found);
            inner.extend(first(self.levels.get(level + 1..self.depth()).unwrap_or_default()));
            Some(ChunkId { coordinates: self.id.coordinates.clone(), inner })
        })
    }

    /// Puts the cursor on the entry in the index of the inner chunk with the wanted element: in a shard that is too
    /// large to be put together.
    pub(super) fn land_on_entry(&mut self, shown: &Shown, landing: &Landing) {
        let Landing::Array(at) = landing else { return };
        let inner = self.inner_of(at).and_then(|id| id.inner.get(self.depth()).cloned());
        if let Some(inner) = inner {
            self.go_to_entry(shown, &inner);
        }
    }

    /// Puts the cursor on the entry of an inner chunk that is empty: there is nothing else to see of it.
    pub(super) fn land_on_nothing(&mut self, shown: &Shown) {
        let levels = shown.chunk.stages.iter().filter(|stage| stage.shard.is_some()).count();
        let empty = levels.checked_sub(1).and_then(|level| self.id.inner.get(level).cloned());
        if let Some(empty) = empty.filter(|_| shown.chunk.inner_missing) {
            self.go_to_entry(shown, &empty);
        }
    }

    /// Puts the cursor on the entry of this inner chunk in the innermost index on show.
    fn go_to_entry(&mut self, shown: &Shown, inner: &[u64]) {
        let entry = || {
            let stage = shown.chunk.stages.iter().rposition(|stage| stage.shard.is_some())?;
            let codec = shown.chunk.stages.get(stage)?;
            let number = order::number(inner, &codec.shard.as_ref()?.counts)?;
            let number = usize::try_from(number).ok()?;
            Some((stage.checked_sub(1)?, codec.header.get(number)?.bytes.start))
        };
        if let Some((stage, offset)) = entry() {
            self.stage = stage;
            self.place(offset);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_inner_chunk_is_at_zero_on_every_level() {
        assert_eq!(first(&[vec![2, 2], vec![4, 4]]), [[0, 0], [0, 0]]);
    }
}
