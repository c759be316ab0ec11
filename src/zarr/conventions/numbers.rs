//! Lists of numbers: what is beside each, their ends, and those of them that are otherwise.

use std::{borrow::Borrow, collections::HashMap, hash::Hash};

/// Each item with the next one.
pub(super) fn neighbours<T>(items: &[T]) -> impl Iterator<Item = (&T, &T)> + Clone {
    items.iter().zip(items.iter().skip(1))
}

/// Each item with each of those after it.
pub(super) fn couples<T>(items: &[T]) -> impl Iterator<Item = (&T, &T)> {
    let all = items.iter().enumerate();
    all.flat_map(move |(at, one)| items.iter().skip(at + 1).map(move |other| (one, other)))
}

/// By how much each number is more than the one before.
pub(super) fn steps(values: &[f64]) -> impl Iterator<Item = f64> + Clone {
    neighbours(values).map(|(a, b)| b - a)
}

/// The numbers that are finite.
pub(super) fn finite(values: &[f64]) -> impl Iterator<Item = f64> + Clone {
    values.iter().copied().filter(|value| value.is_finite())
}

/// The lowest and the highest number.
pub(super) fn ends(values: impl IntoIterator<Item = impl Borrow<f64>>) -> Option<[f64; 2]> {
    let mut values = values.into_iter().map(|value| *value.borrow());
    let first = values.next()?;
    Some(values.fold([first; 2], |[low, high], value| [low.min(value), high.max(value)]))
}

/// The same numbers in ascending order.
pub(super) fn sorted(values: &[f64]) -> Vec<f64> {
    let mut values = values.to_vec();
    values.sort_by(f64::total_cmp);
    values
}

/// The number in the middle of the order.
pub(super) fn median(values: &[f64]) -> Option<f64> {
    sorted(values).get(values.len() / 2).copied()
}

/// The number of items that are so, and the place of the first of them.
pub(super) fn count_and_first<T>(
    items: impl IntoIterator<Item = T>,
    is_so: impl Fn(T) -> bool,
) -> Option<(usize, usize)> {
    let items = items.into_iter().enumerate();
    let mut places = items.filter_map(|(at, item)| is_so(item).then_some(at));
    let first = places.next()?;
    Some((places.count() + 1, first))
}

/// The only one; `None` where there are others.
pub(super) fn only<T>(items: impl IntoIterator<Item = T>) -> Option<T> {
    let mut items = items.into_iter();
    items.next().filter(|_| items.next().is_none())
}

/// Where something was before, where it is again, and how many are that were before.
pub(super) fn again<T: Eq + Hash>(
    items: impl Iterator<Item = (usize, T)>,
) -> Option<(usize, usize, usize)> {
    let mut seen = HashMap::new();
    let mut again = items.filter_map(|(at, item)| Some((seen.insert(item, at)?, at)));
    let (first, at) = again.next()?;
    Some((first, at, again.count() + 1))
}

/// A number as an index.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "others are refused")]
pub(super) fn index(number: f64) -> Option<usize> {
    (0.0..9e15).contains(&number).then_some(number as usize)
}

/// A length that is not 0, in the memory of this machine.
pub(super) fn nonzero(length: u64) -> Option<usize> {
    usize::try_from(length).ok().filter(|length| *length > 0)
}

/// True for 0, and for what is as good as 0.
pub(super) fn is_zero(number: f64) -> bool {
    number.abs() < f64::MIN_POSITIVE
}
