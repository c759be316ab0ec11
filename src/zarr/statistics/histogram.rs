//! The frequency of values: numbers by their size, other values one by one.

use super::{Column, Look};
use crate::zarr::prelude::*;

/// Counts of numbers in bins of equal width.
#[derive(Debug, Clone, PartialEq)]
pub struct Histogram {
    /// The start of the first bin.
    pub low: f64,
    /// The end of the last bin; in it, unlike in the others, the end belongs to the bin.
    pub high: f64,
    /// The number of numbers in each bin.
    pub counts: Vec<u64>,
    /// Numbers below the first or above the last bin.
    pub outside: u64,
}

impl Histogram {
    /// An empty histogram of `bins` bins from `low` to `high`, of one bin where these are the same; `None` where that is no
    /// range, or no bin.
    pub fn between(low: f64, high: f64, bins: usize) -> Option<Self> {
        let bins = if low < high { bins } else { bins.min(1) };
        let sound = low.is_finite() && high.is_finite() && low <= high && bins > 0;
        sound.then(|| Self { low, high, counts: vec![0; bins], outside: 0 })
    }

    /// Counts the numbers of a column: what is finite and not marked as missing. `stop` is told
    /// how many elements were looked at.
    pub fn count(&mut self, column: &Column, stop: &dyn Fn(u64) -> bool) {
        column.each(stop, &mut |_, look: Look| {
            if look.is_number() {
                self.add(look.value);
            }
        });
    }

    /// Counts one number.
    pub fn add(&mut self, value: f64) {
        let bin = self.bin(value);
        match bin.and_then(|bin| self.counts.get_mut(bin)) {
            Some(count) => *count += 1,
            None => self.outside += 1,
        }
    }

    /// The bin that a number belongs to; `None` outside.
    pub fn bin(&self, value: f64) -> Option<usize> {
        if !(self.low..=self.high).contains(&value) {
            return None;
        }
        let last = self.counts.len().checked_sub(1)?;
        // Halved, because the distance of the lowest from the highest float is infinite.
        let (part, whole) = (value / 2.0 - self.low / 2.0, self.high / 2.0 - self.low / 2.0);
        if whole <= 0.0 {
            return Some(0);
        }
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            clippy::cast_precision_loss,
            reason = "from 0 to the number of bins"
        )]
        let bin = (part / whole * self.counts.len() as f64) as usize;
        Some(bin.min(last))
    }

    /// The width of a bin.
    pub fn width(&self) -> f64 {
        let bins = self.counts.len() as f64;
        self.high / bins - self.low / bins
    }
}

/// The number of different ones told apart.
const MOST: usize = 64;

/// The number of characters of each kept.
const LONGEST: usize = 80;

/// The different values of elements that are no numbers, and how often each occurs. Those met first are kept, up to
/// 64; the rest are counted together.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Variety {
    counts: BTreeMap<String, u64>,
    others: u64,
}

impl Variety {
    /// Each value, as it prints (made safe, cut after 80 characters), and its count: the most frequent first.
    pub fn counts(&self) -> Vec<(&str, u64)> {
        let mut counts: Vec<_> = self.counts.iter().map(|(text, &n)| (text.as_str(), n)).collect();
        counts.sort_by_key(|&(_, n)| std::cmp::Reverse(n));
        counts
    }

    /// Elements with a value that is not among those kept.
    pub fn others(&self) -> u64 {
        self.others
    }

    /// The variety of which these were counted.
    pub(super) fn of(counts: BTreeMap<String, u64>, others: u64) -> Self {
        Self { counts, others }
    }

    pub(super) fn add(&mut self, text: &str) {
        if let Some(count) = self.counts.get_mut(text) {
            *count += 1;
        } else {
            let text: String = safe(text).chars().take(LONGEST).collect();
            self.put(text, 1);
        }
    }

    pub(super) fn times(mut self, count: u64) -> Self {
        self.counts
            .values_mut()
            .chain([&mut self.others])
            .for_each(|n| *n = n.saturating_mul(count));
        self
    }

    pub(super) fn merge(mut self, other: Self) -> Self {
        self.others = self.others.saturating_add(other.others);
        for (text, n) in other.counts {
            self.put(text, n);
        }
        self
    }

    pub(super) fn put(&mut self, text: String, n: u64) {
        if self.counts.len() < MOST || self.counts.contains_key(&text) {
            let count = self.counts.entry(text).or_default();
            *count = count.saturating_add(n);
        } else {
            self.others = self.others.saturating_add(n);
        }
    }
}
