//! Slices of an array along its last two dimensions that hold all values of another: what was written twice.

use crate::zarr::prelude::*;
use crate::zarr::{conventions::Related, grid::order};
use twox_hash::XxHash64;

/// The fewest elements of a slice, and the most slices that are compared.
const LEAST: u64 = 256;
const MOST: u64 = 1 << 16;
/// Of so many slices, one may be another again: what does not change is repeated by nature.
const ONE_IN: usize = 4;

/// The lengths of the dimensions before the last two, of an array whose slices are compared.
fn leading(array: &ArrayMetadata) -> Option<&[u64]> {
    let (leading, slice) = array.known_shape()?.split_last_chunk::<2>()?;
    let is_few = order::product(leading)? <= MOST;
    (is_few && order::product(slice)? >= LEAST).then_some(leading)
}

/// For each part of a slice in a chunk, what its bytes come to; 0 where they are of one value.
pub(super) fn sums(
    bytes: &[u8],
    (elements, size): (&Elements, usize),
    chunk: &Chunk,
    array: &ArrayMetadata,
) -> Vec<u64> {
    let dimensions = elements.shape().len();
    let count = leading(array)
        .filter(|it| elements.is_c_order() && it.len() + 2 == dimensions)
        .and_then(|it| order::product(elements.shape().get(..it.len())?))
        .and_then(|count| bytes.len().checked_div(usize::try_from(count).ok()?));
    let Some(len) = count.filter(|len| *len >= size && *len > 0) else { return Vec::new() };
    let place = chunk.id.coordinates.iter().skip(dimensions - 2);
    let seed = place.fold(0_u64, |seed, at| (seed << 32) ^ at);
    let sum = |part: &[u8]| {
        let is_one = part.get(size..) == part.get(..part.len() - size);
        if is_one { 0 } else { XxHash64::oneshot(seed, part) }
    };
    bytes.chunks_exact(len).map(sum).collect()
}

/// What the bytes of each slice of an array come to.
#[derive(Debug, Default)]
pub(super) struct Slices(BTreeMap<u64, u64>);

impl Slices {
    /// Adds the parts of the chunk at these coordinates.
    pub(super) fn add(&mut self, array: &ArrayMetadata, coordinates: &[u64], sums: &[u64]) {
        let places = (|| {
            let leading = leading(array).filter(|_| !sums.is_empty())?;
            let region = array.region(coordinates)?;
            let shape = array.known_grid()?.chunk_shape(coordinates)?;
            let counts = shape.get(..leading.len())?.to_vec();
            Some((leading, region, counts))
        })();
        let Some((leading, region, counts)) = places else { return };
        for (number, sum) in sums.iter().enumerate() {
            let inside = order::coordinates(number as u128, &counts);
            let at: Vec<u64> =
                inside.iter().zip(&region).map(|(at, span)| at + span.start).collect();
            if let Some(slice) = order::number(&at, leading) {
                let total: &mut u64 = self.0.entry(slice).or_default();
                *total = total.wrapping_add(*sum);
            }
        }
    }

    /// What all bytes come to; `None` where none are of several values.
    pub(super) fn total(&self) -> Option<u64> {
        let add = |sum: u64, (slice, own): (&u64, &u64)| {
            sum.wrapping_add(XxHash64::oneshot(*slice, &own.to_le_bytes()))
        };
        let is_any = self.0.values().any(|sum| *sum > 0);
        is_any.then(|| self.0.iter().fold(0, add))
    }

    /// The note on slices that repeat another, and are neither constants nor made of a few values. Two are read again to be sure.
    pub(super) fn repeated(&self, related: &Related, array: &ArrayMetadata) -> Option<Error> {
        let leading = leading(array)?;
        let (mut first, mut again) = (HashMap::new(), Vec::new());
        for (slice, sum) in self.0.iter().filter(|(_, sum)| **sum > 0) {
            if let Some(before) = first.get(sum) {
                again.push([*before, *slice]);
            } else {
                first.insert(*sum, *slice);
            }
        }
        let (pair, count) = (*again.first()?, again.len());
        // One run, all of which repeat what is before it, among others none of which is twice.
        let [_, from] = pair;
        let is_run =
            again.iter().zip(from..).all(|([before, slice], at)| *slice == at && *before < from);
        let most = if is_run { 2 } else { ONE_IN };
        (count * most <= self.0.len()).then_some(())?;
        let [before, again] = pair.map(|slice| order::coordinates(slice.into(), leading));
        // Without NaN, which is equal to nothing.
        let bits = |at: &[u64]| -> Option<Vec<u64>> {
            let values = related.slice(at)?.into_iter();
            Some(values.filter(|value| !value.is_nan()).map(f64::to_bits).collect())
        };
        let values = bits(&before)?;
        (bits(&again)? == values && is_varied(&values)).then_some(())?;
        let text = format!(
            "{} of {} slices along the last two dimensions {} another, bit for bit: {} repeats {}. Possible cause: it was written twice.",
            grouped(count),
            grouped(self.0.len()),
            if count == 1 { "repeats" } else { "repeat" },
            list(&again),
            list(&before)
        );
        Some(Error::new(Code::ZeroPage, text, ""))
    }
}

/// True if there are many values, and none of them is that of most elements.
fn is_varied(values: &[u64]) -> bool {
    const VALUES: usize = 64;
    let mut counts = HashMap::new();
    for value in values {
        *counts.entry(value).or_insert(0) += 1;
    }
    let most = counts.values().max().copied().unwrap_or(0);
    counts.len() >= VALUES && most * 2 <= values.len()
}
