//! The distribution of numbers, counted in one pass that does not know their range: bins as wide as a power of two,
//! joined in pairs where the numbers reach further than they go.
//!
//! The bins begin at multiples of their width, so joining them loses nothing, and what comes of some numbers depends
//! neither on their order nor on what was counted together first.

use super::block::BLOCK;

/// The most bins; there are more than half as many, where the numbers have room for them.
const BINS: i64 = 64;

/// The same, of places for counts.
const BANK: usize = 64;

/// The exponent of the narrowest bins.
const NARROWEST: i32 = -1000;

/// The bits of a number of bins that `f64` counts exactly, less one.
const EXACT: i32 = 51;

/// Counts of numbers in bins of equal width.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Distribution {
    /// The width is 2 to the power of this.
    exponent: i32,
    /// The start of the first bin, in widths.
    first: i64,
    /// The number of numbers in each bin; none where there are no numbers.
    counts: Vec<u64>,
}

impl Distribution {
    /// The start of the first bin.
    pub fn from(&self) -> f64 {
        self.first as f64 * self.width()
    }

    /// The width of a bin. A number at the border of two bins is in the upper one.
    pub fn width(&self) -> f64 {
        2.0_f64.powi(self.exponent)
    }

    /// The number of numbers in each bin.
    pub fn counts(&self) -> &[u64] {
        &self.counts
    }

    /// Those of which these are exponent, first bin and counts; `None` where these can be none.
    pub(super) fn of(exponent: i32, first: i64, counts: Vec<u64>) -> Option<Self> {
        let is_sound = (NARROWEST..=f64::MAX_EXP).contains(&exponent)
            && first.unsigned_abs() >> (EXACT + 1) == 0
            && counts.len() as u64 <= BINS.unsigned_abs();
        is_sound.then_some(Self { exponent, first, counts })
    }

    /// The exponent of the width, and the first bin.
    pub(super) fn place(&self) -> (i32, i64) {
        (self.exponent, self.first)
    }

    /// Counts a number, which is finite.
    pub(super) fn add(&mut self, number: f64) {
        self.reach(number, number);
        let place = usize::try_from(bin(number, 2.0_f64.powi(-self.exponent)) - self.first);
        if let Some(count) = place.ok().and_then(|place| self.counts.get_mut(place)) {
            *count += 1;
        }
    }

    /// Counts numbers, all of which are finite and from `low` to `high`.
    #[inline(always)]
    pub(super) fn add_all(&mut self, numbers: &[f64], low: f64, high: f64) {
        self.reach(low, high);
        let mut places = [0; BLOCK];
        // Equal numbers often follow each other: the next one is not to wait for the count of the one before.
        let mut banks = [[0_u64; BANK]; 4];
        let [first, second, third, fourth] = &mut banks;
        let count = |bank: &mut [u64; BANK], place: u8| {
            if let Some(count) = bank.get_mut(usize::from(place) % BANK) {
                *count += 1;
            }
        };
        for numbers in numbers.chunks(BLOCK) {
            self.places(numbers, &mut places);
            let (rows, rest) = places.get(..numbers.len()).unwrap_or_default().as_chunks::<4>();
            for [a, b, c, d] in rows {
                count(first, *a);
                count(second, *b);
                count(third, *c);
                count(fourth, *d);
            }
            for place in rest {
                count(first, *place);
            }
        }
        for bank in banks {
            self.counts.iter_mut().zip(bank).for_each(|(count, more)| *count += more);
        }
    }

    /// The places among the counts of numbers that all have one: what [`bin`] gives, in steps that compilers make
    /// vector instructions of.
    #[inline(always)]
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_precision_loss,
        reason = "a bin is below 2⁵², and its place below the number of bins"
    )]
    fn places(&self, numbers: &[f64], places: &mut [u8; BLOCK]) {
        // From here on up to twice as much, floats are the integers: what is added to it is rounded to one.
        const INTEGERS: f64 = 4_503_599_627_370_496.0;
        let (per_bin, first) = (2.0_f64.powi(-self.exponent), self.first as f64);
        for (place, &number) in places.iter_mut().zip(numbers) {
            let exact = number * per_bin;
            let rounded = (exact.abs() + INTEGERS - INTEGERS).copysign(exact);
            // Numbers just below 0 have no place of their own that `f64` could say.
            let [is_below, is_tiny, is_negative] =
                [rounded > exact, exact == 0.0, number < 0.0].map(u8::from);
            let bin = rounded - f64::from(is_below | is_tiny & is_negative);
            *place = (bin - first + INTEGERS).to_bits() as u8;
        }
    }

    /// Those of both.
    pub(super) fn merge(mut self, mut other: Self) -> Self {
        if self.counts.is_empty() || other.counts.is_empty() {
            return if self.counts.is_empty() { other } else { self };
        }
        other.widen(self.exponent);
        self.widen(other.exponent);
        self.extend(other.first, other.last());
        other.widen(self.exponent);
        for (bin, more) in (other.first..).zip(other.counts) {
            let place = usize::try_from(bin - self.first);
            if let Some(count) = place.ok().and_then(|place| self.counts.get_mut(place)) {
                *count = count.saturating_add(more);
            }
        }
        self
    }

    /// The same with each number so many times.
    pub(super) fn times(mut self, count: u64) -> Self {
        self.counts.iter_mut().for_each(|own| *own = own.saturating_mul(count));
        self
    }

    /// The last bin, in widths.
    fn last(&self) -> i64 {
        self.first.saturating_add_unsigned(self.counts.len() as u64) - 1
    }

    /// Makes bins for numbers from `low` to `high`.
    fn reach(&mut self, low: f64, high: f64) {
        let narrowest = exponent_of(low.abs().max(high.abs())).saturating_sub(EXACT).max(NARROWEST);
        if self.counts.is_empty() {
            self.exponent = narrowest;
        }
        self.widen(narrowest);
        let per_bin = 2.0_f64.powi(-self.exponent);
        self.extend(bin(low, per_bin), bin(high, per_bin));
    }

    /// Makes bins from `low` to `high`, both in widths; wider ones where these are too many.
    fn extend(&mut self, low: i64, high: i64) {
        let is_empty = self.counts.is_empty();
        let mut ends =
            if is_empty { (low, high) } else { (low.min(self.first), high.max(self.last())) };
        let mut exponent = self.exponent;
        while ends.1 - ends.0 >= BINS {
            ends = (ends.0 >> 1, ends.1 >> 1);
            exponent += 1;
        }
        self.widen(exponent);
        let before = if is_empty { 0 } else { usize::try_from(self.first - ends.0).unwrap_or(0) };
        self.counts.splice(0..0, std::iter::repeat_n(0, before));
        self.first = ends.0;
        self.counts.resize(usize::try_from(ends.1 - ends.0 + 1).unwrap_or(0), 0);
    }

    /// Joins bins until their exponent is at least this.
    fn widen(&mut self, exponent: i32) {
        let by = exponent - self.exponent;
        if by <= 0 || self.counts.is_empty() {
            self.exponent = self.exponent.max(exponent);
            return;
        }
        self.exponent = exponent;
        let (first, counts) = (self.first, std::mem::take(&mut self.counts));
        self.first = shifted(first, by);
        for (bin, count) in (first..).zip(counts) {
            let place = usize::try_from(shifted(bin, by) - self.first).unwrap_or(0);
            if self.counts.len() <= place {
                self.counts.resize(place + 1, 0);
            }
            if let Some(own) = self.counts.get_mut(place) {
                *own = own.saturating_add(count);
            }
        }
    }
}

/// The bin, in bins of 2 to the power of `by` widths.
fn shifted(bin: i64, by: i32) -> i64 {
    bin >> by.clamp(0, 63)
}

/// The bin of a number, exactly: the number of bins below it, of which there are so many in a unit.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    reason = "below 2⁵² either way"
)]
fn bin(number: f64, per_bin: f64) -> i64 {
    let place = number * per_bin;
    let bin = place as i64;
    // Numbers just below 0 have no place of their own that `f64` could say.
    let is_below = place < bin as f64 || place == 0.0 && number < 0.0;
    bin - i64::from(is_below)
}

/// The exponent of the highest power of two that is not above a number; that of the lowest ones is taken as -1023.
fn exponent_of(number: f64) -> i32 {
    let bits = i32::try_from(number.to_bits() >> (f64::MANTISSA_DIGITS - 1) & 0x7ff);
    bits.unwrap_or(0) - (f64::MAX_EXP - 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn of(numbers: &[f64]) -> Distribution {
        let mut all = Distribution::default();
        let (low, high) = numbers.iter().fold((f64::MAX, f64::MIN), |(low, high), number| {
            (low.min(*number), high.max(*number))
        });
        if !numbers.is_empty() {
            all.add_all(numbers, low, high);
        }
        all
    }

    #[test]
    fn bins_are_powers_of_two() {
        let all = of(&[0.0, 1.0, 2.5, 63.0]);
        assert_eq!((all.from(), all.width(), all.counts().len()), (0.0, 1.0, 64));
        assert_eq!(all.counts().iter().sum::<u64>(), 4);
        let one = of(&[-273.15; 7]);
        assert_eq!((one.counts(), one.from()), (&[7][..], -273.15));
        let zero = of(&[0.0]);
        assert_eq!((zero.counts(), zero.from()), (&[1][..], 0.0));
    }

    #[test]
    fn the_whole_range_of_floats_has_bins() {
        let all = of(&[f64::MIN, f64::MAX, 0.0, f64::MIN_POSITIVE, 5e-324]);
        assert_eq!(all.counts().iter().sum::<u64>(), 5);
        assert!(all.width().is_finite() && all.from() <= f64::MIN);
    }

    fn number() -> impl Strategy<Value = f64> {
        prop_oneof![
            -1e3..1e3,
            -1.0..1.0,
            any::<f64>().prop_filter("finite", |n| n.is_finite()),
            Just(0.0),
            Just(273.15)
        ]
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]
        #[test]
        fn neither_order_nor_grouping_matters(
            numbers in prop::collection::vec(number(), 1..40), cut in 0_usize..40,
        ) {
            let at_once = of(&numbers);
            let (some, others) = numbers.split_at(cut.min(numbers.len()));
            prop_assert_eq!(&of(some).merge(of(others)), &at_once);
            prop_assert_eq!(&of(others).merge(of(some)), &at_once);
            let mut one_by_one = Distribution::default();
            for number in numbers.iter().rev() {
                one_by_one.add(*number);
            }
            prop_assert_eq!(one_by_one, at_once.clone());
            prop_assert_eq!(at_once.counts().iter().sum::<u64>(), numbers.len() as u64);
            prop_assert!(at_once.counts().len() <= 64);
        }
    }
}
