//! Which chunks of an array are judged, and what they say together.

use crate::zarr::{
    ArrayMetadata, Endian, Result,
    byte_order::Verdict,
    grid::{ChunkId, order},
    store::{Store, join},
};

/// The number of chunks judged one by one.
pub(super) const CHUNKS: usize = 4;
/// The number judged together if they are small.
pub(super) const SMALL_CHUNKS: usize = 64;
/// Up to how many bytes a chunk is small.
pub(super) const SMALL: u64 = 1 << 16;
/// The number of places of the grid looked at to find them.
const PLACES: u64 = 4096;

/// The chunks that are stored at places spread over the grid of an array.
///
/// # Errors
///
/// If shape, grid or keys are not understood.
pub(super) fn stored_chunks(
    store: &dyn Store,
    path: &str,
    array: &ArrayMetadata,
) -> Result<Vec<ChunkId>> {
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
            stored.push(ChunkId { coordinates, inner: Vec::new() });
        }
    }
    Ok(stored)
}

/// At most `most` of `ids`, spread over all of them.
pub(super) fn spread(ids: &[ChunkId], most: usize) -> Vec<ChunkId> {
    let step = ids.len().div_ceil(most).max(1);
    ids.iter().step_by(step).cloned().collect()
}

/// What several chunks say together: the order that some speak for and none against. The words are those of the first
/// that speaks for it.
pub(super) fn together(declared: Option<Endian>, verdicts: &[Verdict]) -> Verdict {
    let speaks_for = |endian| verdicts.iter().find(|verdict| verdict.plausible == Some(endian));
    let silent = |reason: &str| Verdict {
        declared,
        plausible: None,
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

/// What chunks say that were silent one by one: what they say as one, if they say anything.
pub(super) fn or_together(alone: Verdict, together: Verdict) -> Verdict {
    if together.speaks() { together } else { alone }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdict(plausible: Option<Endian>) -> Verdict {
        Verdict {
            declared: Some(Endian::Little),
            plausible,
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
