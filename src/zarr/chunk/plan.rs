//! What the metadata promise about a chunk before any of it is read.

use crate::zarr::{
    codec::Chain,
    error::{Code, Error, Result},
    grid::{ChunkId, Region},
    metadata::ArrayMetadata,
    store::{NodePath, join},
};

/// Where a chunk lies and what it should hold.
#[derive(Debug)]
pub(super) struct Plan {
    /// Its store key.
    pub(super) key: String,
    /// The elements of the array that it holds, cut at the array's edge.
    pub(super) region: Region,
    /// Its shape, edge included.
    pub(super) shape: Vec<u64>,
    /// Its codecs.
    pub(super) chain: Chain,
}

/// Finds the chunk `id` of `array`, which lies at `path`.
pub(super) fn plan(path: &NodePath, array: &ArrayMetadata, id: &ChunkId) -> Result<Plan> {
    let grid = array.grid.as_ref().map_err(Clone::clone)?;
    let encoding = array.key_encoding.as_ref().map_err(Clone::clone)?;
    let array_shape = array.shape.as_ref().map_err(Clone::clone)?;
    let outside = || {
        let found = format!("the chunk {:?}", id.coordinates);
        let expected = format!("a chunk of the grid, which has {:?}", grid.counts(array_shape));
        Error::new(Code::ChunkOutside, found, expected)
    };
    let shape = grid.chunk_shape(&id.coordinates).ok_or_else(outside)?;
    let region = grid.region(&id.coordinates, array_shape).ok_or_else(outside)?;
    let key = join(&path.0, &encoding.key(&id.coordinates));
    let chain = chain(array, &shape)?;
    let mut plan = Plan { key, region, shape, chain };
    if !id.inner.is_empty() {
        plan.narrow(&id.inner)?;
    }
    Ok(plan)
}

/// The elements of `array` that the chunk `id` holds, cut at the array's edge.
///
/// # Errors
///
/// Where there is no such chunk.
pub fn region(array: &ArrayMetadata, id: &ChunkId) -> Result<Region> {
    plan(&NodePath::default(), array, id).map(|plan| plan.region)
}

/// The codecs of `array` for a chunk of `shape`.
///
/// # Errors
///
/// Where the document's list of codecs cannot be read.
pub fn chain(array: &ArrayMetadata, shape: &[u64]) -> Result<Chain> {
    let specs = array.codecs.as_ref().map_err(Clone::clone)?;
    let whole = array.representation(shape.to_vec());
    Ok(Chain::build(specs, array.format, &array.registry, whole.as_ref(), 0))
}

impl Plan {
    /// Goes from the shard to one of its inner chunks.
    fn narrow(&mut self, inner: &[Vec<u64>]) -> Result<()> {
        let space = space(&self.chain, inner)?;
        let starts = self.region.iter().map(|span| span.start);
        let ends = self.region.iter().map(|span| span.end);
        self.shape = space.iter().map(|span| span.end - span.start).collect();
        self.region = starts
            .zip(ends)
            .zip(&space)
            .map(|((start, end), span)| (start + span.start).min(end)..(start + span.end).min(end))
            .collect();
        Ok(())
    }

    /// The shape of the chunk cut at the array's edge, as some writers store it; `None` where nothing is cut.
    pub(super) fn clipped(&self) -> Option<Vec<u64>> {
        let clipped: Vec<u64> = self.region.iter().map(|span| span.end - span.start).collect();
        (clipped != self.shape).then_some(clipped)
    }
}

/// Which elements of the array before `chain` the inner chunk holds.
fn space(chain: &Chain, inner: &[Vec<u64>]) -> Result<Region> {
    let none = |found: &str, expected: &str| Error::new(Code::NoSuchChunk, found, expected);
    let (coordinates, rest) =
        inner.split_first().ok_or_else(|| none("no inner chunk", "the coordinates of one"))?;
    let at = chain.sharding().ok_or_else(|| {
        chain.error().cloned().unwrap_or_else(|| {
            none("an inner chunk of a chunk that is no shard", "a codec sharding_indexed")
        })
    })?;
    let codecs = chain.links.iter().filter_map(|link| link.codec.as_ref().ok());
    let sharding = codecs.clone().nth(at).and_then(|codec| codec.sharding());
    let sharding =
        sharding.ok_or_else(|| none("a codec that cannot be built", "sharding_indexed"))?;
    if sharding.number(coordinates).is_none() {
        let expected = format!("an inner chunk of the grid, which has {:?}", sharding.counts);
        return Err(none(&format!("the inner chunk {coordinates:?}"), &expected));
    }
    let mut region = sharding.region(coordinates);
    if !rest.is_empty() {
        let deeper = space(&sharding.inner, rest)?;
        let shift = |(outer, inner): (&std::ops::Range<u64>, &std::ops::Range<u64>)| {
            outer.start + inner.start..outer.start + inner.end
        };
        region = region.iter().zip(&deeper).map(shift).collect();
    }
    for codec in codecs.take(at).collect::<Vec<_>>().into_iter().rev() {
        region = codec.decoded_region(&region).ok_or_else(|| {
            none("an inner chunk of a reshaped shard", "an inner chunk that is a box of the array")
        })?;
    }
    Ok(region)
}
