//! The chunks of an array that are judged, and the verdict on them together.

use crate::zarr::{
    ArrayMetadata, Endian, Result,
    byte_order::{Certainty, Verdict},
    chunk,
    grid::{ChunkId, order},
    store::{Store, join},
};

/// The number of chunks looked at, as long as nothing is certain.
pub(super) const ROUNDS: [usize; 4] = [1, 4, 16, 64];
/// The bytes of elements after which no further chunk is looked at.
pub(super) const ENOUGH: u64 = 32 << 20;
/// The number of places of the grid looked at to find them.
const PLACES: u64 = 4096;

/// The chunks that are stored at places spread over the grid of an array, and how many chunks the grid has. Of a shard
/// whose codecs compute other numbers than are stored, an inner chunk.
///
/// # Errors
///
/// If shape, grid or keys are not understood.
pub(super) fn stored_chunks(
    store: &dyn Store,
    path: &str,
    array: &ArrayMetadata,
) -> Result<(Vec<ChunkId>, u128)> {
    let shape = array.shape.as_ref().map_err(Clone::clone)?;
    let grid = array.grid.as_ref().map_err(Clone::clone)?;
    let encoding = array.key_encoding.as_ref().map_err(Clone::clone)?;
    let counts = grid.counts(shape);
    let total = grid.total(shape).unwrap_or(u128::MAX);
    let places = u128::from(PLACES).min(total);
    let mut stored = Vec::new();
    for place in 0..places {
        let coordinates = order::coordinates(total / places * place, &counts);
        if store.stat(&join(path, &encoding.key(&coordinates)))?.is_some() {
            let inner = inner_of(array, &coordinates);
            stored.push(ChunkId { coordinates, inner });
        }
    }
    Ok((stored, total))
}

/// The first inner chunk at every level of the shard at `coordinates`, where its codecs compute numbers; else none, so
/// that the shard is put together.
fn inner_of(array: &ArrayMetadata, coordinates: &[u64]) -> Vec<Vec<u64>> {
    let chain = array.grid.as_ref().ok().and_then(|grid| grid.chunk_shape(coordinates));
    let chain = chain.and_then(|shape| chunk::chain(array, &shape).ok());
    let mut inner = Vec::new();
    let mut level = chain.filter(|chain| chain.sharding().is_some() && chain.computes_numbers());
    while let Some(chain) = level {
        let link = chain.sharding().and_then(|at| chain.links.get(at));
        let sharding = link.and_then(|link| link.codec.as_ref().ok()?.sharding());
        inner.extend(sharding.map(|sharding| vec![0; sharding.counts.len()]));
        level = sharding.map(|sharding| sharding.inner.clone());
    }
    inner
}

/// At most `most` of `ids`, spread over all of them.
pub(super) fn spread(ids: &[ChunkId], most: usize) -> Vec<ChunkId> {
    let step = ids.len().div_ceil(most).max(1);
    ids.iter().step_by(step).cloned().collect()
}

/// The verdict on several chunks together: the order that some speak for and none against. The words are those of the
/// first that speaks for it. What is certain is not weighed against what is likely.
pub(super) fn together(declared: Option<Endian>, verdicts: &[Verdict]) -> Verdict {
    let surest = verdicts.iter().filter_map(|verdict| verdict.certainty).max();
    let speaks_for = |endian| {
        let speaks = |verdict: &&Verdict| verdict.plausible == Some(endian);
        verdicts.iter().filter(|verdict| verdict.certainty == surest).find(speaks)
    };
    let silent = |reason: &str| Verdict {
        declared,
        plausible: None,
        certainty: None,
        evidence: vec![reason.to_owned()],
        components: Vec::new(),
    };
    match (speaks_for(Endian::Little), speaks_for(Endian::Big)) {
        (Some(_), Some(_)) => silent("Some chunks look little-endian, others big-endian."),
        (Some(verdict), None) | (None, Some(verdict)) => verdict.clone(),
        (None, None) => {
            let contradicting = verdicts.iter().find(|verdict| verdict.contradicts());
            let first = contradicting.or_else(|| verdicts.first()).cloned();
            first.unwrap_or_else(|| silent("No chunk is stored."))
        }
    }
}

/// The verdict on chunks of which none was certain by itself: that on all as one, if it is surer or all that there is.
pub(super) fn or_together(alone: Verdict, together: Verdict) -> Verdict {
    let grade = |verdict: &Verdict| -> Option<Certainty> {
        verdict
            .components
            .iter()
            .filter_map(|(_, part)| part.certainty)
            .chain(verdict.certainty)
            .max()
    };
    if grade(&together) >= grade(&alone) && together.speaks() { together } else { alone }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdict(plausible: Option<Endian>) -> Verdict {
        Verdict {
            declared: Some(Endian::Little),
            plausible,
            certainty: plausible.map(|_| Certainty::Likely),
            evidence: Vec::new(),
            components: Vec::new(),
        }
    }

    #[test]
    fn chunks_must_not_contradict_each_other() {
        use Endian::{Big, Little};
        let said = |orders: &[Option<Endian>]| {
            together(Some(Little), &orders.iter().map(|&order| verdict(order)).collect::<Vec<_>>())
                .plausible
        };
        assert_eq!(said(&[None, Some(Big), None]), Some(Big));
        assert_eq!(said(&[Some(Little), Some(Big)]), None);
        assert_eq!(said(&[None]), None);
        assert_eq!(said(&[]), None);
    }
}
