//! The plausibility of elements: their likeness to data that somebody meant, for every question of that kind.
//!
//! Elements are taken apart into their [`WideComponent`]s, and these into [`Words`], and one thing is asked of these: how many
//! bits the shortest [`description`] of them takes. `byte_order` compares two readings of the same words by it; `diagnosis`
//! readings of any width by [`measure()`], which is the same for each byte. By itself it decides nothing: noise takes all bits in
//! every reading, a constant none.

use super::{codec::Elements, grid::order};

mod component;
pub mod description;
mod measure;
mod words;

pub use component::{Meaning, WideComponent, components};
pub use measure::{GAIN, Measure, cost, measure, numbers, step, strange};
pub use words::{Words, lags, positions, rank, swapped, value};

/// The number of components of a struct looked at.
pub(super) const MOST_COMPONENTS: usize = 32;

/// The whole elements among the loaded bytes.
pub(super) fn loaded(elements: &Elements, size: usize) -> Option<&[u8]> {
    let (range, step) = (elements.bytes().loaded(), size.max(1) as u64);
    let count = order::product(elements.shape());
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

/// A count, to compute with.
pub(super) fn as_f64(count: usize) -> f64 {
    count as f64
}
