//! The chunks of an array that are judged, and the verdict on them together: `endian` and `check` say the same of an
//! array, because both ask here.

use super::{Certainty, Readings, Verdict, judge_chunk, judge_chunks, readings};
use crate::zarr::prelude::*;
use crate::zarr::{
    chunk::{self},
    error::Result,
};

/// The number of chunks looked at, as long as nothing is certain.
const ROUNDS: [usize; 4] = [1, 4, 16, 64];
/// The bytes of elements after which no further chunk is looked at.
const ENOUGH: u64 = 32 << 20;
/// The number of places of the grid looked at to find them.
const PLACES: u64 = 4096;

/// The verdict on an array, and the chunks that it is about.
#[derive(Debug, Clone)]
pub struct JudgedArray {
    /// The keys of the chunks that were looked at.
    pub chunks: Vec<String>,
    /// The number of chunks of the array.
    pub of: u128,
    /// A few of their values in both orders.
    pub readings: Option<Readings>,
    /// The verdict on all of them together.
    pub verdict: Verdict,
}

/// Judges chunks of an array, or the chunk `only`: one, and more as long as nothing is certain, or the metadata is
/// contradicted.
///
/// # Errors
///
/// If the array is not understood, or no chunk that was asked for could be read.
pub fn judge_array(
    (store, path): (&dyn Store, &NodePath),
    array: &ArrayMetadata,
    only: Option<&ChunkId>,
    budget: &Budget,
) -> Result<JudgedArray> {
    array.refused.as_ref().map_or(Ok(()), |refused| Err(refused.clone()))?;
    let declared = array.data_type.as_ref().map_err(Clone::clone)?.order.uniform();
    let (ids, of) = match only {
        Some(id) => (vec![id.clone()], 1),
        None => stored_chunks(store, path, array)?,
    };
    let mut seen = SeenChunks::default();
    let mut verdict = together(declared, &[]);
    for most in ROUNDS {
        let round = spread(&ids, most);
        let is_last = round.len() == ids.len();
        seen.load((store, path), array, round, budget);
        verdict = together(declared, &seen.verdicts);
        if verdict.certainty != Some(Certainty::Certain) && seen.chunks.len() > 1 {
            verdict = or_together(verdict, judge_chunks(&seen.chunks));
        }
        // One chunk may be the only one that is otherwise.
        let is_certain = verdict.certainty == Some(Certainty::Certain) && !verdict.contradicts();
        if is_certain || is_last || seen.is_enough() || budget.is_stopped() {
            break;
        }
    }
    let SeenChunks { chunks, failure, .. } = seen;
    failure.filter(|_| chunks.is_empty()).map_or(Ok(()), Err)?;
    let readings = chunks.iter().find_map(|chunk| readings(chunk.elements()?));
    for chunk in &chunks {
        let intact = chunk.elements().map_or(Ok(()), |elements| elements.bytes().intact());
        intact.map_err(|error| error.in_file(&chunk.key))?;
    }
    let chunks = chunks.into_iter().map(|chunk| chunk.key).collect();
    Ok(JudgedArray { chunks, of, readings, verdict })
}

/// The chunks of an array that were looked at so far.
#[derive(Default)]
struct SeenChunks {
    /// The chunks that were asked for, whether they could be read or not.
    asked: Vec<ChunkId>,
    /// Those that gave elements.
    chunks: Vec<Chunk>,
    /// The verdict on each of them by itself.
    verdicts: Vec<Verdict>,
    /// The first error.
    failure: Option<Error>,
}

impl SeenChunks {
    /// Loads and judges those of `ids` that were not yet asked for.
    fn load(
        &mut self,
        (store, path): (&dyn Store, &NodePath),
        array: &ArrayMetadata,
        ids: Vec<ChunkId>,
        budget: &Budget,
    ) {
        for id in ids {
            if self.asked.contains(&id) || self.is_enough() || budget.is_stopped() {
                continue;
            }
            let chunk = chunk::load_sampled(store, path, array, &id, budget);
            self.asked.push(id);
            match judge_chunk(&chunk) {
                Some(verdict) => {
                    self.verdicts.push(verdict);
                    self.chunks.push(chunk);
                }
                None => self.failure = self.failure.take().or_else(|| Some(unreadable(&chunk))),
            }
        }
    }

    /// True if as many bytes were looked at as there is time for.
    fn is_enough(&self) -> bool {
        self.chunks
            .iter()
            .map(|chunk| chunk.elements().map_or(0, |elements| elements.bytes().len()))
            .sum::<u64>()
            >= ENOUGH
    }
}

/// The error why a chunk gave no elements.
fn unreadable(chunk: &Chunk) -> Error {
    chunk
        .fault()
        .cloned()
        .unwrap_or_else(|| Error::new(Code::ChunksMissing, "no such chunk", "a stored chunk"))
        .in_file(&chunk.key)
}

/// The chunks that are stored at places spread over the grid of an array, where few are at those also the first that are
/// listed; and how many chunks the grid has. Of a shard whose codecs compute other numbers than are stored, an
/// inner chunk.
///
/// # Errors
///
/// If shape, grid or keys are not understood, or the folder cannot be listed.
fn stored_chunks(
    store: &dyn Store,
    path: &NodePath,
    array: &ArrayMetadata,
) -> Result<(Vec<ChunkId>, u128)> {
    let layout = Layout::new(path, array)?;
    let total = layout.total().unwrap_or(u128::MAX);
    let most = ROUNDS.iter().copied().max().unwrap_or(1);
    let stored = layout.sample(store, PLACES, most as u64)?;
    let id = |coordinates: Vec<u64>| {
        let inner = inner_of(store, path, array, &coordinates);
        ChunkId { coordinates, inner }
    };
    Ok((stored.into_iter().map(id).collect(), total))
}

/// The first inner chunk that is stored, at every level of the shard at `coordinates`, where its codecs compute numbers;
/// else none, so that the shard is judged as one.
fn inner_of(
    store: &dyn Store,
    path: &NodePath,
    array: &ArrayMetadata,
    coordinates: &[u64],
) -> Vec<Vec<u64>> {
    let chain = array.known_grid().and_then(|grid| grid.chunk_shape(coordinates));
    let chain = chain.and_then(|shape| chunk::chain(array, &shape).ok());
    let mut inner = Vec::new();
    let mut level = chain.filter(|chain| chain.sharding().is_some() && chain.computes_numbers());
    while let Some(chain) = level {
        let link = chain.sharding().and_then(|at| chain.links.get(at));
        let sharding = link.and_then(|link| link.codec.as_ref().ok()?.sharding());
        let id = ChunkId { coordinates: coordinates.to_vec(), inner: inner.clone() };
        let shard = chunk::load(store, path, array, &id, 0, &Budget::default());
        let first = || shard.stages.iter().rev().find_map(Stage::first_stored).unwrap_or(0);
        inner.extend(sharding.map(|sharding| sharding.coordinates(first())));
        level = sharding.map(|sharding| sharding.inner.clone());
    }
    inner
}

/// At most `most` of `ids`, spread over all of them.
fn spread(ids: &[ChunkId], most: usize) -> Vec<ChunkId> {
    let step = ids.len().div_ceil(most).max(1);
    ids.iter().step_by(step).cloned().collect()
}

/// The verdict on several chunks together: the order that most of those speak for that are surest. The words are those
/// of the first that speaks for it. What is certain is not weighed against what is likely.
fn together(declared: Option<Endian>, verdicts: &[Verdict]) -> Verdict {
    let surest = verdicts.iter().filter_map(|verdict| verdict.certainty).max();
    let speaks_for = |endian| {
        verdicts
            .iter()
            .filter(|verdict| verdict.certainty == surest)
            .filter(|verdict| verdict.plausible == Some(endian))
            .collect()
    };
    let silent = |reason: &str| Verdict {
        declared,
        plausible: None,
        certainty: None,
        evidence: vec![reason.to_owned()],
        components: Vec::new(),
    };
    let (little, big): (Vec<&Verdict>, Vec<&Verdict>) =
        (speaks_for(Endian::Little), speaks_for(Endian::Big));
    let most = if little.len() > big.len() { &little } else { &big };
    match most.first() {
        Some(_) if little.len() == big.len() => {
            silent("As many chunks look little-endian as big-endian.")
        }
        Some(verdict) => (*verdict).clone(),
        None => {
            let contradicting = verdicts.iter().find(|verdict| verdict.contradicts());
            let first = contradicting.or_else(|| verdicts.first()).cloned();
            first.unwrap_or_else(|| silent("No chunk is stored."))
        }
    }
}

/// The verdict on chunks of which none was certain by itself: that on all as one, if it is surer or all that there is.
fn or_together(alone: Verdict, together: Verdict) -> Verdict {
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
    fn most_chunks_decide() {
        use Endian::{Big, Little};
        let said = |orders: &[Option<Endian>]| {
            together(Some(Little), &orders.iter().map(|&order| verdict(order)).collect::<Vec<_>>())
                .plausible
        };
        assert_eq!(said(&[None, Some(Big), None]), Some(Big));
        assert_eq!(said(&[Some(Little), Some(Big)]), None);
        assert_eq!(said(&[Some(Little), Some(Big), Some(Big)]), Some(Big));
        assert_eq!(said(&[None]), None);
        assert_eq!(said(&[]), None);
    }
}
