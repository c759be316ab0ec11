//! The range of the numbers of elements, those aside that programs write for missing values.

use super::{
    Column,
    block::{ElementRun, See, in_lanes, vectorised},
    look::{Class, Look},
    word::NumberWord,
};

/// The number of [`MARKS`].
pub(super) const MARK_COUNT: usize = 16;

/// The numbers that programs write for missing values: whole ones by habit, NaT and what NaN becomes as int64, netCDF's
/// default and the ends of floats, and what GEOS (1e15), CESM (1e30, 1e33, 1e36), Ferret (-1e34) and ROMS (1e37) write.
pub const MARKS: [f64; MARK_COUNT] = [
    -999.0,
    -9_999.0,
    -99_999.0,
    -32_768.0,
    -2_147_483_648.0,
    -9_223_372_036_854_775_808.0,
    1e15,
    1e20,
    1e30,
    -1e34,
    9.969_209_968_386_869e36,
    1e37,
    -3.402_823_466_385_288_6e38,
    -1.797_693_134_862_315_7e308,
    1e33,
    1e36,
];

/// The ranges without any mark in them.
const UNMARKED: [std::ops::Range<f64>; 2] = [-998.0..9.9e14, 1.01e15..1e19];

/// The range of numbers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NumberRange {
    /// The finite numbers in it.
    pub numbers: u64,
    /// The lowest of them; infinite where there are none.
    pub low: f64,
    /// The highest of them.
    pub high: f64,
    /// The number of elements that are each of [`MARKS`], and that no attribute marks as missing. They are not in the
    /// range.
    pub marks: [u64; MARK_COUNT],
}

impl Default for NumberRange {
    fn default() -> Self {
        Self { numbers: 0, low: f64::INFINITY, high: f64::NEG_INFINITY, marks: [0; MARK_COUNT] }
    }
}

impl NumberRange {
    /// The range of the loaded elements of a column, as they are stored.
    pub fn of(column: &Column) -> Self {
        let mut span = Self::default();
        column.each(&|_| false, &mut span);
        span
    }

    /// Both together.
    pub fn merge(self, other: Self) -> Self {
        let mut marks = self.marks;
        marks.iter_mut().zip(other.marks).for_each(|(mark, more)| *mark += more);
        let (low, high) = (self.low.min(other.low), self.high.max(other.high));
        Self { numbers: self.numbers + other.numbers, low, high, marks }
    }

    fn add(&mut self, value: f64) {
        let is_mark = |(mark, _): &(&f64, &mut u64)| (*mark - value).abs() <= mark.abs() * 1e-6;
        if let Some((_, count)) = MARKS.iter().zip(&mut self.marks).find(is_mark) {
            *count += 1;
        } else {
            self.numbers += 1;
            (self.low, self.high) = (self.low.min(value), self.high.max(value));
        }
    }
}

impl See for NumberRange {
    fn block<W: NumberWord>(&mut self, block: &ElementRun<'_, W>) {
        // `f64::min` passes over NaN, and what is infinite lies outside: most blocks are no more than their ends.
        let ends = |words: &[W]| {
            let lows = in_lanes(words, f64::INFINITY, |low, word| low.min(word.value()));
            let highs = in_lanes(words, f64::NEG_INFINITY, |high, word| high.max(word.value()));
            (
                lows.into_iter().fold(f64::INFINITY, f64::min),
                highs.into_iter().fold(f64::NEG_INFINITY, f64::max),
            )
        };
        let is_plain = block.masks.is_empty() && block.words.iter().all(|word| !word.kinds()[0]);
        if is_plain {
            let (low, high) = vectorised(|| ends(block.words));
            if UNMARKED.iter().any(|range| range.contains(&low) && range.contains(&high)) {
                self.numbers += block.words.len() as u64;
                (self.low, self.high) = (self.low.min(low), self.high.max(high));
                return;
            }
        }
        block.looks().for_each(|(position, look)| self.look(position, look));
    }

    fn look(&mut self, _: u64, look: Look) {
        if look.class == Class::Finite && !look.missing {
            self.add(look.value);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn span(values: &[f64]) -> NumberRange {
        let mut span = NumberRange::default();
        for &value in values {
            span.add(value);
        }
        span
    }

    #[test]
    fn marks_are_not_in_the_range() {
        let [one, other] = [span(&[1.0, -9999.0, 2.5]), span(&[1e20, 7.0, f64::from(f32::MIN)])];
        let both = one.merge(other);
        assert_eq!((both.numbers, both.low, both.high), (3, 1.0, 7.0));
        assert_eq!(both.marks, [0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0]);
        assert_eq!(NumberRange::default().merge(one), one);
    }
}
