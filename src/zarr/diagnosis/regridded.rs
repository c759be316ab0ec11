//! Chunks of another shape from an index on: what was appended was written for another chunk shape, with keys that go on
//! after those before.

use super::lengths::unpacked;
use super::prelude::*;
use crate::zarr::grid::order::product;

/// The number of chunks whose elements are counted.
const COUNTED: usize = 4;

/// The chunks from an index on.
struct Appended<'a> {
    axis: usize,
    /// The index of the first of them, and the first element that the others leave to them.
    first: u64,
    begin: u64,
    keys: Vec<&'a Vec<u64>>,
}

impl<'a> Appended<'a> {
    /// All chunks from the first one on that is outside of the grid or cannot be read; `None` where they are all.
    fn along(axis: usize, stored: &'a [Vec<u64>], odd: &[&Vec<u64>], length: u64) -> Option<Self> {
        let along = |at: &&'a Vec<u64>| at.get(axis).copied().unwrap_or(0);
        let first = odd.iter().filter_map(|at| at.get(axis).copied()).min()?;
        let (keys, others): (Vec<&Vec<u64>>, Vec<_>) =
            stored.iter().partition(|at| along(at) >= first);
        let begin = others.iter().map(along).max()?.checked_add(1)?.checked_mul(length)?;
        Some(Self { axis, first, begin, keys })
    }

    /// Their number along a dimension.
    fn count(&self, axis: usize) -> u64 {
        let last = self.keys.iter().filter_map(|at| at.get(axis)).max().copied().unwrap_or(0);
        last.saturating_add(1).saturating_sub(if axis == self.axis { self.first } else { 0 })
    }

    /// The only shape of chunks of `elements`, so many of which are exactly what the rest of an array of `shape` consists of.
    fn shape(&self, elements: u64, shape: &[u64], declared: &[u64]) -> Option<Vec<u64>> {
        let rest = |axis: usize| {
            let begin = if axis == self.axis { self.begin } else { 0 };
            shape.get(axis)?.checked_sub(begin).filter(|rest| *rest > 0)
        };
        let rests: Vec<u64> = (0..shape.len()).map(rest).collect::<Option<_>>()?;
        let counts: Vec<u64> = (0..shape.len()).map(|axis| self.count(axis)).collect();
        let fills = |new: &[u64]| {
            let of = |(rest, length): (&u64, &u64)| rest.div_ceil((*length).max(1));
            rests.iter().zip(new).map(of).eq(counts.iter().copied())
        };
        // All lengths but one are those that their number tells; that one has the rest of the elements.
        let known = rests.iter().zip(&counts).zip(declared).map(|((rest, count), length)| {
            let is_declared = rest.div_ceil((*length).max(1)) == *count;
            if is_declared { *length } else { rest.div_ceil((*count).max(1)) }
        });
        let known: Vec<u64> = known.collect();
        let with = |axis: usize| {
            let mut new = known.clone();
            *new.get_mut(axis)? = 1;
            let others = product(&new)?;
            let is_whole = others > 0 && elements.is_multiple_of(others);
            *new.get_mut(axis)? = elements.checked_div(others).filter(|_| is_whole)?;
            fills(&new).then_some(new)
        };
        let mut found: Vec<Vec<u64>> = (0..shape.len()).filter_map(with).collect();
        found.dedup();
        let [only] = found.as_slice() else { return None };
        let length = only.get(self.axis)?;
        // Their keys go on after those before, or are those of a grid of their own.
        let declared_first = self.begin.checked_div(*declared.get(self.axis)?)?;
        let goes_on =
            self.first == declared_first || self.first.checked_mul(*length)? == self.begin;
        let is_all = product(&counts) == Some(self.keys.len() as u64);
        // Where chunks as declared would be as many, a few bytes more in each are no other shape.
        let is_other = !fills(declared) && only != declared;
        (is_other && goes_on && is_all).then(|| only.clone())
    }
}

/// The cause, if all chunks from an index on have other numbers of elements, or places outside of the grid, and are exactly
/// those that another chunk shape has there.
pub(super) fn diagnose(case: &Case) -> Option<Diagnosis> {
    let (keys, orphans) = (case.symptoms.keys()?, case.symptoms.orphans()?);
    let odd: Vec<&Vec<u64>> = orphans.iter().chain(case.symptoms.failed_at()).collect();
    let (shape, declared) = (case.array.known_shape()?, case.array.chunk_shape()?);
    let size = case.array.data_type()?.fixed_size()? as u64;
    let stored = [keys, orphans].concat();
    let of = |axis: usize| {
        let part = Appended::along(axis, &stored, &odd, *declared.get(axis)?)?;
        let samples = case.stored_at(part.keys.get(..COUNTED.min(part.keys.len()))?);
        let mut lengths = samples.iter().map(|sample| Some(unpacked(case, sample)?.len() as u64));
        let len = lengths.next()??;
        let is_alike = lengths.all(|other| other == Some(len)) && len.is_multiple_of(size);
        let new = is_alike.then(|| part.shape(len / size, shape, &declared))??;
        Some(told(case, &part, (&new, &declared), len / size))
    };
    (0..shape.len()).take_while(|_| !odd.is_empty()).find_map(of)
}

fn told(case: &Case, part: &Appended, (new, declared): (&[u64], &[u64]), count: u64) -> Diagnosis {
    let Appended { axis, first, begin, keys } = part;
    let text = format!(
        "The chunks from {first} on along dimension {axis} have the shape {}, not {} as the metadata declares: what was \
         appended was written for another chunk shape.",
        list(new),
        list(declared)
    );
    let files = keys.iter().map(|at| case.layout.key(at)).collect();
    Diagnosis::new("chunk-shape/appended", text)
        .because(format!(
            "Each has {} elements; a declared chunk has {}.",
            grouped(count),
            grouped(product(declared).unwrap_or(0))
        ))
        .because(format!(
            "The {} stored there {} exactly what such chunks need for the array from index {} on.",
            counted(keys.len(), "chunk"),
            if keys.len() == 1 { "is" } else { "are" },
            grouped(*begin)
        ))
        .explaining(&case.symptoms.codes())
        .in_files(files)
}
