//! The cost of numbers, in bits, under a few general codes.

use crate::zarr::plausibility::as_f64;
pub(super) use crate::zarr::plausibility::words::real;
use std::f64::consts::PI;

/// The least width of a bell: equal numbers still cost something.
const LEAST: f64 = 0.3;
/// The least that a number under a bell costs.
const LITTLE: f64 = 0.05;
/// The square root of 2πe: a normal bell of deviation s costs as much per number as this many times s equally likely
/// ones.
const NORMAL: f64 = 4.132_731;

/// A whole number from 0 on in a code that is short for small ones and has an end for every one.
pub(super) fn universal(number: f64) -> f64 {
    let bits = (number.abs() + 1.0).log2();
    bits + 2.0 * (bits + 1.0).log2() + 1.0
}

/// Numbers by their distance from the median: a bell with a heavy tail or a normal one, whichever is shorter, with its
/// width.
pub(super) fn bell(numbers: &[i128]) -> f64 {
    let mut sizes = numbers.to_vec();
    let middle = middle_of(&mut sizes);
    for size in &mut sizes {
        *size = (*size - middle).abs();
    }
    let width = real(middle_of(&mut sizes)).max(LEAST);
    let heavy: f64 = sizes
        .iter()
        .map(|&size| (PI * width * (1.0 + square(real(size) / width))).log2().max(LITTLE))
        .sum();
    let n = as_f64(numbers.len());
    let distances = || numbers.iter().map(|number| real(number - middle));
    let mean = distances().sum::<f64>() / n.max(1.0);
    let squares: f64 = distances().map(|distance| square(distance - mean)).sum();
    let deviation = (squares / n.max(1.0)).sqrt().max(LEAST);
    let normal = n * (deviation * NORMAL).log2().max(LITTLE) + universal(deviation.round()) + 1.0;
    normal.min(heavy + universal(width.round()))
}

fn square(x: f64) -> f64 {
    x * x
}

/// The middle one of numbers in order; 0 where there are none.
pub(super) fn median(numbers: &[i128]) -> i128 {
    middle_of(&mut numbers.to_vec())
}

/// The same of numbers that may be put into another order.
fn middle_of(numbers: &mut [i128]) -> i128 {
    let middle = numbers.len() / 2;
    if numbers.is_empty() { 0 } else { *numbers.select_nth_unstable(middle).1 }
}

/// The values that occur, in rising order, and how often one of them does, in rising order as well.
pub(super) fn kinds<T: Ord>(values: impl Iterator<Item = T>) -> (Vec<T>, Vec<usize>) {
    let mut values: Vec<T> = values.collect();
    values.sort_unstable();
    let mut counts: Vec<usize> = values.chunk_by(|a, b| a == b).map(<[T]>::len).collect();
    counts.sort_unstable();
    values.dedup();
    (values, counts)
}

/// The numbers of times that values occur, in rising order.
pub(super) fn counts<T: Ord>(values: impl Iterator<Item = T>) -> Vec<usize> {
    kinds(values).1
}

/// The cost of the kind of each value, where the kinds occur so often.
pub(super) fn entropy(counts: &[usize]) -> f64 {
    let n = as_f64(counts.iter().sum());
    counts.iter().map(|&count| as_f64(count) * (n / as_f64(count)).log2()).sum()
}

/// The cost of the kind of each value out of `kinds`, told by the places of change.
pub(super) fn runs<T: PartialEq>(values: &[T], kinds: usize) -> f64 {
    let changes = values.windows(2).filter(|pair| pair.first() != pair.last()).count();
    let rest = values.len().saturating_sub(1) - changes;
    let change = as_f64(changes + 1) * as_f64(kinds.max(2)).log2();
    entropy(&[changes, rest].into_iter().filter(|&n| n > 0).collect::<Vec<_>>()) + change + 4.0
}
