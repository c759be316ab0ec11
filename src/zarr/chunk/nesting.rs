//! Shards in shards: how many inner chunks there are at each level, and which of them holds an element.

use super::plan::chain;
use crate::zarr::{
    codec::{Chain, Codec},
    metadata::ArrayMetadata,
};

/// How many inner chunks a chunk of `shape` has along each dimension, level by level, the outermost shard first; empty
/// where chunks are no shards.
#[must_use]
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

/// Which inner chunk holds the element at `inside` of a chunk of `shape`, level by level. As deep as that can be told:
/// a codec that reshapes a shard hides where its elements go.
#[must_use]
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

fn sharding(chain: &Chain) -> Option<&crate::zarr::codec::sharding::Sharding> {
    chain.links.get(chain.sharding()?)?.codec.as_ref().ok()?.sharding()
}

/// Where an element goes through the codecs before `sharding_indexed`.
fn encoded(chain: &Chain, mut at: Vec<u64>) -> Option<Vec<u64>> {
    for link in chain.links.iter().take(chain.sharding()?) {
        at = moved(link.codec.as_deref().ok()?, &at)?;
    }
    Some(at)
}

/// Where an element goes through a codec that permutes dimensions: each dimension is told by a region of its own.
fn moved(codec: &dyn Codec, at: &[u64]) -> Option<Vec<u64>> {
    let numbered = (0..at.len() as u64).map(|axis| axis..axis + 1).collect();
    let decoded = codec.decoded_region(&numbered)?;
    let mut out = vec![0; at.len()];
    for (axis, at) in decoded.iter().zip(at) {
        *out.get_mut(usize::try_from(axis.start).ok()?)? = *at;
    }
    Some(out)
}
