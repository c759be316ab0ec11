//! The weight of two readings of the same numbers: by how many bits the one is described more shortly.

use super::{Certainty, sample::WordSample, wording::percent};
use crate::zarr::plausibility::{
    Meaning, WideComponent, as_f64,
    description::{Description, Habit, Values, has_gap, varying},
    swapped,
};
use crate::zarr::prelude::*;

/// By how many bits a reading must be shorter for weak evidence, to be likely, and for strong evidence: odds of one to
/// sixteen million.
const WEAK: f64 = 8.0;
const LIKELY: f64 = 28.0;
const CERTAIN: f64 = 36.0;
/// By which share of a description of floats: no model is so good that it is right about less.
const WEAK_OF_FLOATS: f64 = 0.025;
/// By how many bits each float must be shorter: of floats of any size, none is so much shorter by accident.
const CHEAPER: f64 = 1.5;
/// The share of floats of a size that nobody measures, in numbers that somebody meant.
const SENSIBLE: f64 = 0.1;
/// The number of numbers it takes, or of different ones: fewer where their bits have parts that mean something by themselves.
const FEW: usize = 16;
const FEW_NUMBERS: usize = 8;
const FEW_FLOATS: usize = 4;
/// The bits it takes where both readings are a few different numbers: however often they occur, only these speak.
const WEAK_OF_KINDS: f64 = 16.0;
/// The bits that each of them takes less, at least.
const EACH_KIND: f64 = 0.25;
/// The bits that a fill value costs at most: it is one number.
const FILL: f64 = 24.0;
/// The number of kinds of numbers there must be for the most frequent one to be taken for a fill value.
const KINDS: usize = 4;

/// A reading that is described more shortly than the other one.
pub(super) struct Weighed {
    pub(super) order: Endian,
    pub(super) grade: Certainty,
    /// The evidence, a sentence with its numbers.
    pub(super) sentence: String,
}

/// The order whose reading can be told more shortly, and how likely that makes it.
pub(super) fn weigh(
    bytes: &[u8],
    size: usize,
    component: &WideComponent,
    strides: &[u64],
    sample: &WordSample,
) -> Option<Weighed> {
    let values = |order| Values::take(bytes, size, component, strides, order);
    if is_too_little(component.meaning, sample, &values(Endian::Little).words) {
        return None;
    }
    let fill = sample.fill().filter(|_| sample.different() > KINDS);
    let told = |order: Endian| {
        let values = values(order);
        let is_nat = |word: u64| {
            matches!(values.meaning, Meaning::Date { .. })
                && [word, word.swap_bytes()].contains(&(1 << 63))
        };
        // The largest number marks what is missing, or pads the chunks at the edge.
        let all = u64::MAX >> (64 - 8 * values.width);
        let is_full = |word: u64| match values.meaning {
            Meaning::Unsigned => word == all,
            Meaning::Signed => [word, swapped(word, values.width)].contains(&(all >> 1)),
            _ => false,
        };
        let fill = fill.map(|word| sample.read(word, order));
        let rest = values.without(|word| Some(word) == fill || is_nat(word) || is_full(word));
        let words = fill.into_iter().collect();
        let alone = Values { words, neighbours: Vec::new(), ..values.without(|_| true) };
        let alone = alone.describe().bits.min(FILL);
        let description = rest.describe().plus(alone);
        Told { description, order, strange: rest.strange(), rest }
    };
    let (little, big) = (told(Endian::Little), told(Endian::Big));
    let is_little = little.description.bits < big.description.bits;
    let (here, there) = if is_little { (little, big) } else { (big, little) };
    let saved = there.description.bits - here.description.bits;
    let least = least(component, there.description, sample.different());
    let least = if sample.seen() < FEW { LIKELY.max(least) } else { least };
    let is_float = matches!(component.meaning, Meaning::Float { .. });
    if saved < least || is_float && here.strange > SENSIBLE {
        return None;
    }
    // Where both are the same count of different numbers, these alone speak.
    let kinds = match [here.description.habit, there.description.habit] {
        [Habit::Few(here), Habit::Few(there)] if here == there => as_f64(here),
        _ => 0.0,
    };
    let is_weak = saved < LIKELY.max(EACH_KIND * kinds)
        || is_float && saved < CHEAPER * as_f64(sample.words().len())
        || here.is_half_empty(component.width)
        || are_flags(sample, here.order)
        || !here.rest.is_shorter_throughout(&there.rest);
    let grade = match saved {
        _ if is_weak => Certainty::Weak,
        ..CERTAIN => Certainty::Likely,
        _ if sample.words().len() < FEW_FLOATS && component.meaning != Meaning::CodeUnit => {
            Certainty::Likely
        }
        _ => Certainty::Certain,
    };
    let [(here_order, here_words), (there_order, there_words)] =
        [&here, &there].map(|told| (told.order.word(), told.in_words(component)));
    let sentence = format!(
        "Read as {here_order}-endian, the values take {here_words}; as {there_order}-endian, {there_words}."
    );
    Some(Weighed { order: here.order, grade, sentence })
}

/// True if so few numbers tell anything that none is weighed. Padding and what was never written say nothing, however much of it
/// there is.
fn is_too_little(meaning: Meaning, sample: &WordSample, all: &[u64]) -> bool {
    let telling = sample.words().len();
    let is_enough = match meaning {
        Meaning::CodeUnit => telling > 0,
        Meaning::Float { .. } | Meaning::Date { .. } => telling >= FEW_FLOATS,
        _ => telling >= FEW_NUMBERS,
    };
    let is_mostly_one = || (1..FEW).contains(&(all.len() - most_frequent(all)));
    !is_enough && (sample.seen() < FEW || telling == 0 || is_mostly_one())
}

/// One reading.
struct Told {
    order: Endian,
    description: Description,
    /// The share of the values that nobody measures.
    strange: f64,
    /// The values, without what marks missing ones.
    rest: Values,
}

impl Told {
    /// True if the lower half of the bytes of each number, or more of them, are empty: data are hardly ever so, however
    /// regular they are.
    fn is_half_empty(&self, width: usize) -> bool {
        let Description { multiples_of, .. } = self.description;
        multiples_of != 1 && multiples_of.trailing_zeros() as usize >= width * 4
    }

    /// The bits that its description takes, and the properties that make it short.
    fn in_words(&self, component: &WideComponent) -> String {
        let description = self.description;
        #[expect(
            clippy::cast_possible_truncation,
            reason = "at most 64 bits for each of 2,048 values"
        )]
        let bits = description.bits.round() as i64;
        let by = match description.habit {
            Habit::Size => "by their size".to_owned(),
            Habit::Steps(1) => "by the steps between neighbours".to_owned(),
            Habit::Steps(apart) => format!("by the steps between numbers {apart} apart"),
            Habit::Few(1) => "as one number that is repeated".to_owned(),
            Habit::Few(kinds) => format!("as {} different numbers", grouped(kinds)),
            Habit::Bytes => "byte by byte".to_owned(),
            Habit::Upwards => "byte by byte, the upper ones the roughest".to_owned(),
            Habit::Nothing => "only bit by bit".to_owned(),
        };
        let multiples = match description.multiples_of {
            1 => String::new(),
            factor => format!(", all multiples of {}", grouped(factor)),
        };
        let strange = match component.meaning {
            _ if self.strange < 0.005 => String::new(),
            Meaning::Date { .. } => {
                format!(", {} not between 1600 and 2400", percent(self.strange))
            }
            Meaning::CodeUnit => format!(", {} above U+10FFFF", percent(self.strange)),
            _ => format!(", {} of a size that nobody measures", percent(self.strange)),
        };
        let bits = grouped(bits);
        format!("{bits} bits to describe, {by}{multiples}{strange}")
    }
}

/// The count of the most frequent word.
fn most_frequent(words: &[u64]) -> usize {
    let mut counts = HashMap::<u64, usize>::new();
    for word in words {
        *counts.entry(*word).or_default() += 1;
    }
    counts.into_values().max().unwrap_or(0)
}

/// By how many bits a reading of `different` numbers must be shorter than the one `there`.
fn least(component: &WideComponent, there: Description, different: usize) -> f64 {
    match component.meaning {
        Meaning::Float { .. } => WEAK.max(there.bits * WEAK_OF_FLOATS),
        _ if different <= KINDS => WEAK_OF_KINDS,
        _ => WEAK,
    }
}

/// True if the numbers are many of those that can be put together of a few bits with others between them, beside one
/// that marks what is missing: flags can be in any byte, and where they are says nothing.
fn are_flags(sample: &WordSample, order: Endian) -> bool {
    of_few_bits(sample, order, has_gap)
}

/// The same of any few bits.
pub(super) fn are_of_few_bits(sample: &WordSample, order: Endian) -> bool {
    of_few_bits(sample, order, |_| true)
}

fn of_few_bits(sample: &WordSample, order: Endian, is_meant: fn(u64) -> bool) -> bool {
    /// The most flags.
    const MOST: u32 = 8;
    let words = sample.words();
    sample.meaning() != Meaning::CodeUnit
        && words.len() <= 1 << MOST
        && (0..=words.len()).any(|marker| {
            let kept = words.iter().enumerate().filter(|(at, _)| *at != marker);
            let kept: Vec<u64> = kept.map(|(_, &word)| sample.read(word, order)).collect();
            let varies = varying(&kept);
            varies.count_ones() <= MOST
                // The fill value, which was taken out, is one of them.
                && (kept.len() + 1) * 3 >= 1 << varies.count_ones()
                && is_meant(varies)
        })
}
