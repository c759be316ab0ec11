//! Minimum, maximum, mean, counts and a histogram, over windows of bytes.
//!
//! The counts, and what is left out of them:
//!
//! * Minimum, maximum, mean and standard deviation are those of the *numbers*: elements that are finite and that no
//!   attribute marks as missing. Zarr's fill value marks nothing: a stored 0 is a 0.
//! * The fill value is counted twice, as the same bits and as the same value, because readers differ: 0.0 and -0.0
//!   are one value, and so are all NaN, but only one of them is what a missing chunk reads as.
//! * Padding of edge chunks does not count: say how far the array goes with an extent.
//!
//! Numbers are read from windows of bytes by one pass per primitive type, block by block, with nothing allocated. Parts
//! of an array can be summarised apart (chunk by chunk, in any order) and put together with [`Statistics::merge`].

#![expect(
    clippy::inline_always,
    reason = "only what is inlined is compiled for what `vectorised` turns on"
)]

use super::grid::order::spanned;
use super::prelude::*;

mod block;
mod choice;
mod column;
mod counting;
mod distinct;
mod distribution;
mod downsample;
mod heat_map;
mod histogram;
mod look;
mod moments;
pub mod pairs;
pub mod raster;
mod record;
mod runs;
mod span;
mod tally;
mod word;

pub use choice::{Choice, WhichNumbers, choices};
pub use column::Column;
pub use distinct::Distinct;
pub use distribution::Distribution;
pub use downsample::downsample;
pub use heat_map::{HeatCell, HeatMap, first_of};
pub use histogram::{Histogram, Variety};
pub use look::{Class, ComplexPart, Look};
pub use span::{MARKS, NumberRange};
pub use tally::{Counter, Tally};
pub use word::look_at;

use counting::Counting;
use moments::Moments;

/// The number of elements looked at between two questions whether to stop.
const BETWEEN_STOPS: u64 = 1 << 16;

/// A lowest or highest number.
#[derive(Debug, Clone, PartialEq)]
pub struct Extreme {
    /// The element's value, exact.
    pub scalar: Scalar,
    /// The number it was compared by: rounded to `f64`, the modulus of a complex number, the count of a time.
    pub value: f64,
    /// The position of the first such element among those that were looked at together.
    pub position: u64,
    /// Sorts as the numbers do, exactly.
    rank: i64,
}

/// The statistics of some elements.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Statistics {
    /// Elements that were looked at.
    pub elements: u64,
    /// Elements that were not: not loaded, or the work was stopped.
    pub skipped: u64,
    /// Of those looked at: finite and not missing.
    pub numbers: u64,
    /// The lowest number.
    pub minimum: Option<Extreme>,
    /// The highest number.
    pub maximum: Option<Extreme>,
    /// NaN of any sign and payload; complex numbers with one in either part.
    pub nan: u64,
    /// +∞; complex numbers with an infinity of either sign in either part.
    pub positive_infinity: u64,
    /// -∞.
    pub negative_infinity: u64,
    /// "Not a time".
    pub not_a_time: u64,
    /// Zeros of either sign.
    pub zero: u64,
    /// -0.0.
    pub negative_zero: u64,
    /// Floats so near 0 that they lose precision.
    pub subnormal: u64,
    /// Elements with the bytes of the fill value.
    pub fill_bits: u64,
    /// Elements with the value of the fill value: -0.0 is 0.0, any NaN is any NaN.
    pub fill_value: u64,
    /// Elements that an attribute marks as missing.
    pub missing: u64,
    /// The position of the first element that is no number, not missing and no fill value either.
    pub first_non_finite: Option<u64>,
    /// For elements that are no numbers: the length of the shortest and of the longest: of text
    /// in code points, of bytes in bytes, of others in characters as they print.
    pub lengths: Option<(u64, u64)>,
    /// For elements that are no numbers, and for bools: which there are, and how often.
    pub variety: Variety,
    /// The different numbers; of elements that are no numbers, the different values.
    pub distinct: Distinct,
    /// The distribution of the numbers.
    pub distribution: Distribution,
    moments: Moments,
}

impl Extreme {
    /// The distance above `other`: of integers exactly, where `f64` can say it at all; of all else as the difference of
    /// the numbers.
    pub fn above(&self, other: &Self) -> f64 {
        match self.scalar {
            Scalar::Int(_) | Scalar::Uint(_) | Scalar::Time(_) => {
                (i128::from(self.rank) - i128::from(other.rank)) as f64
            }
            _ => self.value - other.value,
        }
    }
}

impl Statistics {
    /// Looks at the loaded elements of a column. `stop` is told how many were looked at.
    pub fn of(column: &Column, stop: &dyn Fn(u64) -> bool) -> Self {
        let mut counting = Counting::new(column);
        let seen = column.each(stop, &mut counting);
        counting.finish(seen)
    }

    /// The mean of the numbers.
    pub fn mean(&self) -> Option<f64> {
        (self.numbers > 0).then_some(self.moments.mean)
    }

    /// The standard deviation of the numbers, as of a whole population; `None` also where its square is past float64.
    pub fn standard_deviation(&self) -> Option<f64> {
        let deviation = (self.moments.squares / self.numbers as f64).max(0.0).sqrt();
        (self.numbers > 0 && deviation.is_finite()).then_some(deviation)
    }

    /// The counts of both together. Associative: counts and extremes exactly, mean and deviation but for rounding.
    /// What was read of a file of another machine may be any number: a sum stops at the largest.
    pub fn merge(mut self, mut other: Self) -> Self {
        let moments = self.moments.merge(self.numbers, other.moments, other.numbers);
        for (own, more) in record::counts(&mut self).into_iter().zip(record::counts(&mut other)) {
            *own = own.saturating_add(*more);
        }
        Self {
            minimum: choose(self.minimum, other.minimum, |a, b| a <= b),
            maximum: choose(self.maximum, other.maximum, |a, b| a >= b),
            first_non_finite: self.first_non_finite.or(other.first_non_finite),
            lengths: spanned(self.lengths, other.lengths),
            variety: self.variety.merge(other.variety),
            distinct: self.distinct.merge(other.distinct),
            distribution: self.distribution.merge(other.distribution),
            moments,
            ..self
        }
    }

    /// The counts of so many elements like the one that was looked at.
    pub fn times(mut self, count: u64) -> Self {
        for number in record::counts(&mut self) {
            *number = number.saturating_mul(count);
        }
        self.moments.squares *= count as f64;
        self.variety = self.variety.times(count);
        self.distribution = self.distribution.times(count);
        self
    }

    fn count(&mut self, look: &Look) {
        let one = u64::from;
        self.fill_bits += one(look.fill_bits);
        self.fill_value += one(look.fill_value);
        self.missing += one(look.missing);
        self.nan += one(look.class == Class::Nan);
        self.positive_infinity += one(look.class == Class::PositiveInfinity);
        self.negative_infinity += one(look.class == Class::NegativeInfinity);
        self.not_a_time += one(look.class == Class::NotATime);
        self.zero += one(look.class == Class::Finite && look.value == 0.0);
        self.negative_zero += one(look.negative_zero);
        self.subnormal += one(look.subnormal);
    }

    /// Adds a number to mean and deviation.
    fn add(&mut self, value: f64) {
        self.moments = self.moments.with(self.numbers, value);
        self.numbers += 1;
    }
}

/// Keeps the places of the lowest and the highest rank; the first of equals.
fn widen([lowest, highest]: &mut [Option<(i64, u64)>; 2], rank: i64, position: u64) {
    if lowest.is_none_or(|(low, _)| rank < low) {
        *lowest = Some((rank, position));
    }
    if highest.is_none_or(|(high, _)| rank > high) {
        *highest = Some((rank, position));
    }
}

/// The one of two extremes whose rank is `better`; the first of equals.
fn choose(a: Option<Extreme>, b: Option<Extreme>, better: fn(i64, i64) -> bool) -> Option<Extreme> {
    match (a, b) {
        (Some(a), Some(b)) => Some(if better(a.rank, b.rank) { a } else { b }),
        (a, b) => a.or(b),
    }
}

/// The whole of an array's elements as one column, where that needs no choice of a field.
pub fn whole<'a>(elements: &'a Elements, fill: Option<&Scalar>) -> Column<'a> {
    Column::new(elements, &[], ComplexPart::Modulus, fill)
}
