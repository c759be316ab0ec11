//! Counting the elements of a column, numbers by blocks.

use super::{
    Column, Statistics,
    block::{BLOCK, ElementRun, See, in_lanes, vectorised},
    distinct::SeenValues,
    look::Look,
    moments::Moments,
    widen,
    word::{KINDS, NumberWord},
};
use crate::zarr::{grid::order::spanned, scalar::Scalar};

/// Statistics in the making.
pub(super) struct Counting<'a, 'e> {
    column: &'a Column<'e>,
    statistics: Statistics,
    /// The ranks and positions of the lowest and the highest number.
    extremes: [Option<(i64, u64)>; 2],
    distinct: SeenValues,
}

impl<'a, 'e> Counting<'a, 'e> {
    /// Nothing of `column` yet.
    pub(super) fn new(column: &'a Column<'e>) -> Self {
        let (statistics, distinct) = (Statistics::default(), SeenValues::default());
        Self { column, statistics, extremes: [None; 2], distinct }
    }

    /// The statistics of so many elements.
    pub(super) fn finish(self, seen: u64) -> Statistics {
        let Self { column, mut statistics, extremes, distinct } = self;
        statistics.elements = seen;
        statistics.distinct = distinct.finish();
        statistics.skipped = column.len() - seen;
        [statistics.minimum, statistics.maximum] = extremes.map(|found| column.extreme(found?.1));
        if column.is_truth() {
            let truths = [("false", statistics.zero), ("true", seen - statistics.zero)];
            for (text, count) in truths.into_iter().filter(|(_, count)| *count > 0) {
                statistics.variety.put(text.to_owned(), count);
            }
        }
        statistics
    }

    /// Counts the kinds of elements; gives how many of them are no numbers.
    #[inline(always)]
    fn count_kinds<W: NumberWord>(&mut self, block: &ElementRun<'_, W>) -> u64 {
        if let Some(fill) = block.fill {
            let same = count(block.words, |word| fill.same(word));
            self.statistics.fill_value += same;
            if same > 0 {
                self.statistics.fill_bits += count(block.words, |word| fill.identical(word));
            }
        }
        if count(block.words, |word| !word.is_usual()) == 0 {
            return 0;
        }
        let mut counts = [0_u32; KINDS];
        for word in block.words {
            for (count, is_so) in counts.iter_mut().zip(word.kinds()) {
                *count += u32::from(is_so);
            }
        }
        let [nan, positive, negative, not_a_time, zero, negative_zero, subnormal] =
            counts.map(u64::from);
        let all = &mut self.statistics;
        all.nan += nan;
        all.positive_infinity += positive;
        all.negative_infinity += negative;
        all.not_a_time += not_a_time;
        all.zero += zero;
        all.negative_zero += negative_zero;
        all.subnormal += subnormal;
        nan + positive + negative + not_a_time
    }

    /// Puts the numbers of a block, some elements of which are none, to the start of `kept`; gives how many.
    #[inline(always)]
    fn sift<W: NumberWord>(&mut self, block: &ElementRun<'_, W>, kept: &mut [W; BLOCK]) -> usize {
        let mut count = 0;
        for (position, &word) in (block.first..).zip(block.words) {
            let [nan, positive, negative, not_a_time, ..] = word.kinds();
            let is_odd = nan | positive | negative | not_a_time;
            let is_missing = block.masks.iter().any(|mask| mask.same(word));
            let is_fill = block.fill.is_some_and(|fill| fill.same(word));
            self.statistics.missing += u64::from(is_missing);
            if is_odd && !is_missing && !is_fill {
                self.meet(position);
            }
            if let Some(place) = kept.get_mut(count) {
                *place = word;
            }
            count += usize::from(!is_odd && !is_missing);
        }
        count
    }

    /// Notes an element that is no number and should be one.
    fn meet(&mut self, position: u64) {
        let first = self.statistics.first_non_finite.unwrap_or(position);
        self.statistics.first_non_finite = Some(first.min(position));
    }

    /// Takes in the numbers of a block.
    #[inline(always)]
    fn measure<W: NumberWord>(&mut self, block: &ElementRun<'_, W>, numbers: &[W]) {
        let Some(&any) = numbers.first() else { return };
        let lower = |a: W, b: W| if b.is_below(a) { b } else { a };
        let higher = |a: W, b: W| if a.is_below(b) { b } else { a };
        let lowest = in_lanes(numbers, any, lower).into_iter().fold(any, lower);
        let highest = in_lanes(numbers, any, higher).into_iter().fold(any, higher);
        for end in [lowest, highest] {
            let rank = end.look(block.part).rank;
            let [low, high] = &self.extremes;
            let is_new = |known: &Option<(i64, u64)>, better: fn(&i64, &i64) -> bool| {
                known.is_none_or(|(known, _)| better(&rank, &known))
            };
            if is_new(low, i64::lt) || is_new(high, i64::gt) {
                let at = block.words.iter().position(|word| word.same(end)).unwrap_or(0);
                widen(&mut self.extremes, rank, block.first + at as u64);
            }
        }
        self.distinct.add_all(numbers);
        let mut values = [0.0; BLOCK];
        values.iter_mut().zip(numbers).for_each(|(value, number)| *value = number.value());
        let values = values.get(..numbers.len()).unwrap_or_default();
        let all = &mut self.statistics;
        all.distribution.add_all(values, lowest.value(), highest.value());
        let (before, count) = (all.numbers, numbers.len() as u64);
        all.numbers += count;
        all.moments = all.moments.merge(before, Moments::of(values), count);
    }

    /// Takes in elements that follow each other.
    #[inline(always)]
    fn take<W: NumberWord>(&mut self, block: &ElementRun<'_, W>) {
        if self.count_kinds(block) == 0 && block.masks.is_empty() {
            return self.measure(block, block.words);
        }
        let mut kept = [W::default(); BLOCK];
        let count = self.sift(block, &mut kept);
        self.measure(block, kept.get(..count).unwrap_or_default());
    }
}

impl See for Counting<'_, '_> {
    fn block<W: NumberWord>(&mut self, block: &ElementRun<'_, W>) {
        vectorised(
            // Else it is a function of its own, compiled without AVX2.
            #[inline(always)]
            || self.take(block),
        );
    }

    fn look(&mut self, position: u64, look: Look) {
        self.statistics.count(&look);
        if look.is_non_finite() {
            self.meet(position);
        }
        if look.is_number() {
            self.statistics.add(look.value);
            self.statistics.distribution.add(look.value);
            self.distinct.add_rank(look.rank);
            widen(&mut self.extremes, look.rank, position);
        }
        if let Some(scalar) = self.column.word_of(position) {
            let text = scalar.to_string();
            self.statistics.variety.add(&text);
            self.distinct.add_text(&text);
            let length = match &scalar {
                Scalar::Text(utf8) => String::from_utf8_lossy(utf8).chars().count(),
                Scalar::Utf32(units) => units.len(),
                Scalar::Bytes(bytes) | Scalar::NullTerminated(bytes) => bytes.len(),
                _ => text.chars().count(),
            } as u64;
            self.statistics.lengths = spanned(self.statistics.lengths, Some((length, length)));
        }
    }
}

/// The number of words that are so.
#[inline(always)]
fn count<W: NumberWord>(words: &[W], is_so: impl Fn(W) -> bool) -> u64 {
    let count = words.iter().fold(0_u32, |count, &word| count + u32::from(is_so(word)));
    u64::from(count)
}
