//! The plan of a chunk before any of it is read, from the metadata: its key, its shape and data type, and in shards the
//! chunks inside it.

use crate::zarr::prelude::*;
use crate::zarr::{
    codec::{Codec, sharding::Sharding},
    store::join,
};

/// The place of a chunk, and the elements that it should hold.
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

/// Finds the chunk `id` of `array`, which is at `path`.
pub(super) fn plan(path: &NodePath, array: &ArrayMetadata, id: &ChunkId) -> Result<Plan> {
    let grid = array.grid.as_ref().map_err(Clone::clone)?;
    let encoding = array.key_encoding.as_ref().map_err(Clone::clone)?;
    let array_shape = array.shape.as_ref().map_err(Clone::clone)?;
    let outside = || {
        let found = format!("the chunk {}", list(&id.coordinates));
        let expected = format!("inside the grid of {}", times(&grid.counts(array_shape)));
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
/// If there is no such chunk.
pub fn region(array: &ArrayMetadata, id: &ChunkId) -> Result<Region> {
    plan(&NodePath::default(), array, id).map(|plan| plan.region)
}

/// The same, edge included.
pub(in crate::zarr) fn full_region(array: &ArrayMetadata, id: &ChunkId) -> Result<Region> {
    let Plan { region, shape, .. } = plan(&NodePath::default(), array, id)?;
    let starts = region.iter().map(|range| range.start);
    Ok(starts.zip(shape).map(|(start, length)| start..start.saturating_add(length)).collect())
}

/// The codecs of `array` for a chunk of `shape`.
///
/// # Errors
///
/// If the document's list of codecs cannot be read.
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

/// The elements of the array before `chain` that the inner chunk holds.
fn space(chain: &Chain, inner: &[Vec<u64>]) -> Result<Region> {
    let none = |found: &str, expected: &str| Error::new(Code::NoSuchPlace, found, expected);
    let unnamed = || none("an empty list", "the coordinates of an inner chunk");
    let (coordinates, rest) = inner.split_first().ok_or_else(unnamed)?;
    let at = chain.sharding().ok_or_else(|| {
        chain
            .error()
            .cloned()
            .unwrap_or_else(|| none("the chunk", "a shard: no codec is sharding_indexed"))
    })?;
    let codecs = chain.links.iter().filter_map(|link| link.codec.as_ref().ok());
    let sharding = codecs.clone().nth(at).and_then(|codec| codec.sharding());
    let unbuilt = || none("a codec that cannot be built", "sharding_indexed");
    let sharding = sharding.ok_or_else(unbuilt)?;
    if sharding.number(coordinates).is_none() {
        let expected = format!("an inner chunk inside the grid of {}", times(&sharding.counts));
        return Err(none(&format!("the inner chunk {}", list(coordinates)), &expected));
    }
    let mut region = sharding.region(coordinates);
    if !rest.is_empty() {
        let deeper = space(&sharding.inner, rest)?;
        for (outer, inner) in region.iter_mut().zip(deeper) {
            *outer = outer.start + inner.start..outer.start + inner.end;
        }
    }
    for codec in codecs.take(at).collect::<Vec<_>>().into_iter().rev() {
        region = codec.decoded_region(&region).ok_or_else(|| {
            none("an inner chunk of a reshaped shard", "an inner chunk that is a box of the array")
        })?;
    }
    Ok(region)
}

/// The number of inner chunks a chunk of `shape` has along each dimension, level by level, the outermost shard first;
/// empty where chunks are no shards.
pub fn levels(array: &ArrayMetadata, shape: &[u64]) -> Vec<Vec<u64>> {
    let mut levels = Vec::new();
    let Ok(whole) = chain(array, shape) else { return levels };
    let mut chain = &whole;
    while let Some(sharding) = sharding(chain) {
        levels.push(sharding.counts.clone());
        chain = &sharding.inner;
    }
    levels
}

/// The inner chunks that hold the element at `inside` of a chunk of `shape`, level by level. As deep as that can be
/// told: a codec that reshapes a shard hides where its elements go.
pub fn inner_at(array: &ArrayMetadata, shape: &[u64], inside: &[u64]) -> Vec<Vec<u64>> {
    let mut found = Vec::new();
    let Ok(whole) = chain(array, shape) else { return found };
    let (mut chain, mut at) = (&whole, inside.to_vec());
    while let Some(sharding) = sharding(chain) {
        let Some(moved) = encoded(chain, at) else { break };
        let chunk = moved.iter().zip(&sharding.chunk_shape).map(|(at, n)| at / n).collect();
        at = moved.iter().zip(&sharding.chunk_shape).map(|(at, n)| at % n).collect();
        found.push(chunk);
        chain = &sharding.inner;
    }
    found
}

fn sharding(chain: &Chain) -> Option<&Sharding> {
    chain.links.get(chain.sharding()?)?.codec.as_ref().ok()?.sharding()
}

/// The coordinates of an element after the codecs before `sharding_indexed`.
fn encoded(chain: &Chain, mut at: Vec<u64>) -> Option<Vec<u64>> {
    for link in chain.links.iter().take(chain.sharding()?) {
        at = moved(link.codec.as_deref().ok()?, &at)?;
    }
    Some(at)
}

/// The coordinates of an element after a codec that permutes dimensions: each dimension is told by a region of its own.
fn moved(codec: &dyn Codec, at: &[u64]) -> Option<Vec<u64>> {
    let numbered = (0..at.len() as u64).map(|axis| axis..axis + 1).collect();
    let decoded = codec.decoded_region(&numbered)?;
    let mut out = vec![0; at.len()];
    for (axis, at) in decoded.iter().zip(at) {
        *out.get_mut(usize::try_from(axis.start).ok()?)? = *at;
    }
    Some(out)
}
