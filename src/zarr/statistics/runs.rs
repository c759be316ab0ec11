//! Elements that are side by side: loaded, and not padding.

use crate::zarr::prelude::*;

/// The positions inside `extent` that are loaded, as ranges in ascending order. Nothing but the current place is
/// kept.
pub(super) fn runs<'a>(
    elements: &'a Elements,
    extent: &'a [u64],
) -> impl Iterator<Item = Range<u64>> + 'a {
    let axes = axes(elements, extent);
    let inner = axes.iter().take_while(|axis| axis.used == axis.length).count();
    let (dense, outer) = axes.split_at(inner.min(axes.len()));
    let block = dense.iter().fold(1_u64, |product, axis| product.saturating_mul(axis.length));
    // The first axis that is cut still gives one run: the part of it that is used.
    let (run, outer) = match outer.split_first() {
        Some((cut, outer)) => (block.saturating_mul(cut.used), outer.to_vec()),
        None => (block, Vec::new()),
    };
    let count = outer.iter().fold(1_u64, |product, axis| product.saturating_mul(axis.used));
    let count = if run == 0 { 0 } else { count };
    let all = loaded(elements, 0..u64::MAX).unwrap_or(0..0);
    let start = move |mut number: u64| {
        let mut start = 0_u64;
        for axis in &outer {
            start = start.saturating_add(number % axis.used.max(1) * axis.stride);
            number /= axis.used.max(1);
        }
        start
    };
    (0..count)
        .map(start)
        .skip_while({
            let first = all.start;
            move |start| start.saturating_add(run) <= first
        })
        .take_while({
            let last = all.end;
            move |start| *start < last
        })
        .map(move |start| start.max(all.start)..start.saturating_add(run).min(all.end))
}

/// The positions in `range` that are loaded.
pub(super) fn loaded(elements: &Elements, range: Range<u64>) -> Option<Range<u64>> {
    let bytes = elements.bytes().loaded();
    let (first, last) = match elements.places() {
        Places::Fixed(size) => {
            let size = (*size).max(1) as u64;
            (bytes.start.div_ceil(size), bytes.end / size)
        }
        Places::Ranges(ranges) => (0, ranges.len() as u64),
    };
    let range = range.start.max(first)..range.end.min(last);
    (range.start < range.end).then_some(range)
}

/// An axis as it is in the bytes.
#[derive(Clone, Copy)]
struct StridedAxis {
    /// By how many positions a step moves.
    stride: u64,
    length: u64,
    /// The length without padding.
    used: u64,
}

/// The axes, that of the smallest steps first.
fn axes(elements: &Elements, extent: &[u64]) -> Vec<StridedAxis> {
    let shape = elements.shape();
    let mut axes: Vec<StridedAxis> = shape
        .iter()
        .zip(extent)
        .enumerate()
        .map(|(at, (&length, &used))| StridedAxis { stride: stride(elements, at), length, used })
        .collect();
    // Of equal steps the axis of length 1 comes first: it takes no room.
    axes.sort_by_key(|axis| (axis.stride, axis.length));
    axes
}

/// By how many positions a step along `axis` moves.
pub(super) fn stride(elements: &Elements, axis: usize) -> u64 {
    let unit: Vec<u64> =
        (0..elements.shape().len()).map(|other| u64::from(other == axis)).collect();
    elements.position(&unit)
}
