//! The shortest description of values: the better of two readings of the same bytes is more like data that somebody
//! meant.
//!
//! The measure is the length, in bits, of the shortest description of the values that one of a few models of real data
//! gives ([`Habit`]). What is stored for a reason has habits, so that it can be told shortly; the same bytes read in a
//! way that was not meant (in the other byte order, as another type, in other rows) lose them. Two readings of the
//! same bytes are compared by their lengths: a reading that is *n* bits shorter is 2ⁿ times likelier, as far as the
//! models know. Since both read the same bytes, neither gains from describing less.
//!
//! The evidence against a reading is bounded. Every model that fits the wrong reading of ordinary data also occurs as
//! data that is meant: samples at the left of a wider integer, fields packed into one. Such a model costs a dozen bits
//! more than an ordinary one, however many values there are, so that many values which only repeat one habit are no
//! proof.

use super::{Meaning, WideComponent, Words, as_f64, lags, positions, rank, words::unmeasured};
use crate::zarr::data_type::Endian;

mod bytes;
mod cost;
mod floats;
mod whole;

pub(in crate::zarr) use bytes::{has_gap, varying};

/// The number of words looked at.
pub(in crate::zarr) const WORDS: usize = 2048;

/// 1900-01-01 and 2100-01-01 in seconds from 1970 on: dates that people mean lie between them.
pub(in crate::zarr) const USUAL_DATES: std::ops::RangeInclusive<f64> =
    -2_208_988_800.0..=4_102_444_800.0;

/// The way in which values are told most shortly.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Habit {
    /// They lie around a typical value.
    Size,
    /// Each is told by its distance from the neighbour that lies this many values before it.
    Steps(usize),
    /// There are only so many different ones.
    Few(usize),
    /// They are told byte by byte, as if each byte were a field of its own.
    Bytes,
    /// The same, and upper bytes are rougher than lower ones, as those of no number are.
    Upwards,
    /// None: each bit is told.
    Nothing,
}

/// The shortest description of some values.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Description {
    /// Its length, in bits.
    pub bits: f64,
    /// The length of the shortest one that knows no neighbours, in bits.
    pub alone: f64,
    /// The habit that makes it short.
    pub habit: Habit,
    /// The number that divides all values and is told once; 1 where there is none.
    pub multiples_of: u128,
}

impl Description {
    fn new(bits: f64, habit: Habit) -> Self {
        let alone = if matches!(habit, Habit::Steps(_)) { f64::INFINITY } else { bits };
        Self { bits, alone, habit, multiples_of: 1 }
    }

    /// The shorter of two.
    fn or(self, other: Self) -> Self {
        let shorter = if other.bits < self.bits { other } else { self };
        Self { alone: self.alone.min(other.alone), ..shorter }
    }

    /// The same with `bits` more.
    pub fn plus(self, bits: f64) -> Self {
        Self { bits: self.bits + bits, alone: self.alone + bits, ..self }
    }
}

/// Values to describe, as bits: the most significant byte uppermost.
#[derive(Debug, Clone)]
pub struct Values {
    /// Bytes of each, 1 to 8.
    pub width: usize,
    /// The meaning of their bits.
    pub meaning: Meaning,
    /// The values in order.
    pub words: Vec<u64>,
    /// For each distance at which neighbours lie: the distance, and for each value its neighbour that far before it,
    /// where there is one.
    pub neighbours: Vec<(usize, Vec<Option<u64>>)>,
}

impl Values {
    /// The words of `component` in `bytes`, elements of `size` bytes one after the other, as they read in `order`: at
    /// most 2,048, in windows spread over all of them. `strides` are the distances, in elements, at which neighbours
    /// lie.
    pub fn take(
        bytes: &[u8],
        size: usize,
        component: &WideComponent,
        strides: &[u64],
        order: Endian,
    ) -> Self {
        let source = Words { bytes, size, component };
        let mut values = Self::none(component);
        values.add(&source, &positions(source.len(), WORDS), strides, order);
        values
    }

    /// No values of `component` yet.
    pub fn none(component: &WideComponent) -> Self {
        let WideComponent { width, meaning, .. } = *component;
        Self { width, meaning, words: Vec::new(), neighbours: Vec::new() }
    }

    /// Adds the words `at` some places of a chunk, in whose memory neighbours lie at `strides`.
    pub fn add(&mut self, source: &Words, at: &[usize], strides: &[u64], order: Endian) {
        let read = |at: usize| source.read(at, order);
        for (axis, lag) in lags(strides, source.component.count).enumerate() {
            let neighbours = at.iter().map(|place| place.checked_sub(lag).and_then(read));
            if let Some((_, known)) = self.neighbours.get_mut(axis) {
                known.extend(neighbours);
            } else {
                let known = vec![None; self.words.len()];
                self.neighbours.push((lag, known.into_iter().chain(neighbours).collect()));
            }
        }
        self.words.extend(at.iter().filter_map(|&place| read(place)));
        for (_, known) in &mut self.neighbours {
            known.resize(self.words.len(), None);
        }
    }

    /// The same without the values that are `left_out`. Where a neighbour is left out, the last one that is not takes
    /// its place.
    pub fn without(&self, left_out: impl Fn(u64) -> bool) -> Self {
        let kept = || self.words.iter().map(|&word| !left_out(word));
        let neighbours = self.neighbours.iter().map(|(lag, before)| {
            let mut last = None;
            let own = self.words.iter().zip(before).map(|(&word, &before)| {
                let neighbour = before.filter(|&word| !left_out(word)).or(last);
                if !left_out(word) {
                    last = Some(word);
                }
                neighbour
            });
            let own: Vec<_> = own.collect();
            (*lag, own.into_iter().zip(kept()).filter(|(_, kept)| *kept).map(|(n, _)| n).collect())
        });
        let neighbours = neighbours.collect();
        let words = self.words.iter().copied().filter(|&word| !left_out(word)).collect();
        Self { words, neighbours, ..*self }
    }

    /// True if no part of the values is described more shortly as `other` reads it: what healthy data and a model that does
    /// not fit them make of each other is now shorter and now longer, or rests on a few values alone.
    pub fn is_shorter_throughout(&self, other: &Self) -> bool {
        let n = self.words.len();
        let parts = (n / FEWEST_OF_A_PART).clamp(2, PARTS);
        let of_part = |values: &Self, part: usize| -> f64 {
            let range = part * n / parts..(part + 1) * n / parts;
            let words = values.words.get(range.clone()).unwrap_or_default().to_vec();
            let known = |before: &Vec<_>| before.get(range.clone()).unwrap_or_default().to_vec();
            let neighbours = values.neighbours.iter().map(|(lag, before)| (*lag, known(before)));
            Self { words, neighbours: neighbours.collect(), ..*values }.describe().bits
        };
        (0..parts).all(|part| of_part(self, part) <= of_part(other, part))
    }

    /// The shortest description that there is.
    pub fn describe(&self) -> Description {
        let n = as_f64(self.words.len());
        let bit_by_bit = Description::new(n * as_f64(8 * self.width) + EXCEPTION, Habit::Nothing);
        let best = match self.meaning {
            Meaning::Signed | Meaning::Unsigned | Meaning::Date { .. } => whole::describe(self),
            Meaning::Float { exponent, mantissa } => floats::describe(self, exponent, mantissa),
            Meaning::CodeUnit => whole::characters(self),
        };
        bit_by_bit.or(best)
    }

    /// The share of the values that nobody measures.
    pub fn strange(&self) -> f64 {
        let strange = unmeasured(&self.words, self.width, self.meaning);
        as_f64(strange) / as_f64(self.words.len().max(1))
    }

    /// A whole number that sorts as the value of `word` does: the number itself, or for floats its rank among all
    /// floats.
    pub fn rank(&self, word: u64) -> i128 {
        rank(word, self.width, self.meaning)
    }
}

/// The number of parts of values that are described by themselves, and the fewest values of one.
const PARTS: usize = 8;
const FEWEST_OF_A_PART: usize = 4;

/// The cost of the statement that values have no habit at all.
const EXCEPTION: f64 = 8.0;

#[cfg(test)]
mod tests {
    use super::{super::swapped, *};

    fn values(width: usize, meaning: Meaning, words: impl Iterator<Item = u64>) -> Values {
        let words: Vec<u64> = words.collect();
        let before = std::iter::once(None).chain(words.iter().copied().map(Some));
        let neighbours = vec![(1, before.take(words.len()).collect())];
        Values { width, meaning, words, neighbours }
    }

    fn both(width: usize, meaning: Meaning, words: &[u64]) -> (Description, Description) {
        let described = |read: fn(u64, usize) -> u64| {
            values(width, meaning, words.iter().map(|&word| read(word, width))).describe()
        };
        (described(|word, _| word), described(swapped))
    }

    /// A number that has nothing to do with those of its neighbours (the finisher of splitmix64).
    fn scattered(at: u64) -> u64 {
        let mixed = at.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(1);
        let mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    #[test]
    fn habits_are_told_by_what_they_are() {
        let counter: Vec<u64> = (1_000..1_400).collect();
        let (here, there) = both(4, Meaning::Unsigned, &counter);
        assert_eq!(here.habit, Habit::Steps(1));
        assert!(here.bits + 40.0 < there.bits, "{here:?} {there:?}");
        let categories: Vec<u64> = (0..400).map(|at| scattered(at) % 5).collect();
        assert_eq!(both(2, Meaning::Signed, &categories).0.habit, Habit::Few(5));
        let hashes: Vec<u64> = (0..400).map(scattered).collect();
        let (here, there) = both(8, Meaning::Unsigned, &hashes);
        assert!((here.bits - there.bits).abs() < 8.0, "{here:?} {there:?}");
    }

    #[test]
    fn many_multiples_of_256_are_no_proof() {
        let (mut more, mut most) = (0.0, 0.0);
        for n in [200, 2_000] {
            let samples: Vec<u64> = (0..n).map(|at| scattered(at) % 23 * 3 + 1).collect();
            let (here, there) = both(2, Meaning::Unsigned, &samples);
            (more, most) = (most, there.bits - here.bits);
        }
        assert!(most > 8.0 && most < 24.0 && (most - more).abs() < 0.5, "{more} {most}");
    }

    #[test]
    fn decimal_numbers_are_shorter_than_the_same_bytes_reversed() {
        let words: Vec<u64> =
            (0..33).map(|n| (f64::from(4401 + n * n % 31 * 100) / 100.0).to_bits()).collect();
        let meaning = Meaning::Float { exponent: 11, mantissa: 52 };
        let (meant, reversed) = both(8, meaning, &words);
        assert!(meant.bits * 1.5 < reversed.bits, "{meant:?} {reversed:?}");
    }
}
