//! The plausibility of elements: their likeness to data that somebody meant, for every question of that kind.
//!
//! Elements are taken apart into their [`WideComponent`]s, and these into [`Words`]. Two questions are asked of words:
//!
//! | question | answer | asked by |
//! | --- | --- | --- |
//! | Which of two readings *of the same words* is likelier, and by how much? | [`description`]: the bits of the
//! shortest description | `byte_order` |
//! | Which readings *of any width* are alike to their neighbours, and of a size that people measure? | [`measure()`]:
//! the bits for each byte | `diagnosis` |
//!
//! Neither decides anything by itself: noise takes all bits in every reading, a constant none.

use super::codec::Elements;

mod component;
pub mod description;
mod measure;
mod words;

pub use component::{Meaning, WideComponent, components};
pub use measure::{Measure, cost, measure, numbers, step, strange};
pub use words::{Words, lags, positions, rank, swapped, value};

/// The number of components of a struct looked at.
pub(super) const MOST_COMPONENTS: usize = 32;

/// The whole elements among the loaded bytes.
pub(super) fn loaded(elements: &Elements, size: usize) -> Option<&[u8]> {
    let (range, step) = (elements.bytes().loaded(), size.max(1) as u64);
    let count = elements.shape().iter().try_fold(1_u64, |product, &n| product.checked_mul(n));
    let first = range.start.div_ceil(step);
    let last = (range.end / step).min(count.unwrap_or(u64::MAX));
    if first >= last {
        return None;
    }
    elements.bytes().get(first * step..last * step)
}

/// The distance between neighbours along each axis, the closest first, without the axes of length 1.
pub(super) fn strides(elements: &Elements) -> Vec<u64> {
    let shape = elements.shape();
    let unit = |axis: usize| (0..shape.len()).map(|other| u64::from(other == axis)).collect();
    let along = |axis: usize| -> u64 {
        let unit: Vec<u64> = unit(axis);
        elements.position(&unit)
    };
    let axes = (0..shape.len()).filter(|&axis| shape.get(axis).is_some_and(|&n| n > 1));
    let mut strides: Vec<u64> = axes.map(along).chain([1]).collect();
    strides.sort_unstable();
    strides.dedup();
    strides
}

/// A number that has nothing to do with `at`, always the same one. (Partners at a fixed distance would be no strangers
/// in sequences that step evenly.)
pub(super) fn scatter(at: usize) -> usize {
    let mut mixed = (at as u64).wrapping_add(1).wrapping_mul(0xff51_afd7_ed55_8ccd);
    mixed = (mixed ^ mixed >> 33).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    usize::try_from(mixed >> 34).unwrap_or(at)
}

/// A count, to compute with.
pub(super) fn as_f64(count: usize) -> f64 {
    count as f64
}
