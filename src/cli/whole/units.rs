//! What is decoded at a time: a chunk, or an inner chunk of a large shard.

use crate::zarr::{
    ArrayMetadata, chunk,
    codec::sharding::Sharding,
    grid::{ChunkId, Grid},
};

/// Shards that decode to more bytes than this are read inner chunk by inner chunk: on all cores, and without holding
/// the shard. Smaller ones are read whole, because every inner chunk costs a look at the index.
const LARGE: u64 = 8 << 20;

/// How an array is cut into what is decoded at a time.
pub(super) struct Units {
    /// The grid of the units.
    pub(super) grid: Grid,
    /// How many of them a shard has along each dimension, where they are inner chunks.
    per_shard: Option<Vec<u64>>,
}

impl Units {
    /// The inner chunks of `array` where its shards are large, else its chunks.
    pub(super) fn of(array: &ArrayMetadata, grid: &Grid) -> Self {
        inner(array, grid).unwrap_or_else(|| Self { grid: grid.clone(), per_shard: None })
    }

    /// The chunk or inner chunk at `coordinates` of the grid.
    pub(super) fn id(&self, coordinates: Vec<u64>) -> ChunkId {
        let Some(counts) = &self.per_shard else {
            return ChunkId { coordinates, inner: Vec::new() };
        };
        let split = coordinates.iter().zip(counts).map(|(&at, &count)| (at / count, at % count));
        let (coordinates, inner) = split.unzip();
        ChunkId { coordinates, inner: vec![inner] }
    }
}

/// The units of an array whose only codec is a shard of more than [`LARGE`] bytes.
fn inner(array: &ArrayMetadata, grid: &Grid) -> Option<Units> {
    let Grid::Regular(shape) = grid else { return None };
    let chain = chunk::chain(array, shape).ok()?;
    let [link] = chain.links.as_slice() else { return None };
    let Sharding { chunk_shape, counts, .. } = link.codec.as_ref().ok()?.sharding()?;
    let is_large = link.decoded_size.exact.is_none_or(|bytes| bytes > LARGE);
    let whole = counts.iter().all(|&count| count > 0);
    (is_large && whole).then(|| Units {
        grid: Grid::Regular(chunk_shape.clone()),
        per_shard: Some(counts.clone()),
    })
}
