//! Mean and deviation, block by block.

use super::block::in_lanes;

/// Up to here, `f64` tells integers apart.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// The mean of some numbers, and the sum of their squared distances from it.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Moments {
    pub(super) mean: f64,
    pub(super) squares: f64,
}

impl Moments {
    /// Those of a block of numbers: first the mean, then the distances from it, which loses fewer digits than any way to
    /// have both at once. All are counted from the first number on, so that equal numbers are their mean, exactly.
    #[inline(always)]
    pub(super) fn of(numbers: &[f64]) -> Self {
        let origin = numbers.first().copied().unwrap_or(0.0);
        let sum = in_lanes(numbers, 0.0, |sum, number| sum + (number - origin));
        let sum: f64 = sum.into_iter().sum();
        let count = numbers.len() as f64;
        let (mean, total) = (sum / count, sum + origin * count);
        if !total.is_finite() {
            let add =
                |(all, count): (Self, u64), number: &f64| (all.with(count, *number), count + 1);
            return numbers.iter().fold((Self::default(), 0), add).0;
        }
        let square = |apart: f64| (apart - mean) * (apart - mean);
        let squares = in_lanes(numbers, 0.0, |sum, number| sum + square(number - origin));
        // The total of integers is exact below 2⁵³.
        let is_exact = sum != 0.0 && total.abs() < EXACT;
        let mean = if is_exact { total / count } else { origin + mean };
        Self { mean, squares: squares.into_iter().sum() }
    }

    /// Those of `count` numbers and one more (Welford).
    pub(super) fn with(self, count: u64, value: f64) -> Self {
        let (count, apart) = ((count + 1) as f64, value - self.mean);
        let mean = if apart.is_finite() {
            self.mean + apart / count
        } else {
            self.mean + value / count - self.mean / count
        };
        Self { mean, squares: self.squares + apart * (value - mean) }
    }

    /// Those of `count` numbers and `others` more.
    pub(super) fn merge(self, count: u64, other: Self, others: u64) -> Self {
        if count == 0 || others == 0 {
            return if count == 0 { other } else { self };
        }
        let (a, b) = (count as f64, others as f64);
        let apart = other.mean - self.mean;
        let mean = if apart.is_finite() {
            self.mean + apart * (b / (a + b))
        } else {
            self.mean * (a / (a + b)) + other.mean * (b / (a + b))
        };
        Self { mean, squares: self.squares + other.squares + apart * apart * (a * b / (a + b)) }
    }
}
