//! The reading that is more like real data as a whole, where no test is sure.

use super::{Certainty, ENOUGH, Evidence, sample::WordSample, small};
use crate::zarr::plausibility::{
    Meaning, WideComponent,
    description::{Description, Habit, Values},
};
use crate::zarr::prelude::*;

/// By how many bits a reading must be shorter for weak evidence, and to be likely.
const WEAK: f64 = 8.0;
const LIKELY: f64 = 48.0;
/// By which share of a description of floats: no model is so good that it is right about less.
const WEAK_OF_FLOATS: f64 = 0.025;
/// The number of numbers it takes.
const FEW: usize = 16;
/// The bits it takes where both readings are a few different numbers: however often they occur, only these speak.
const WEAK_OF_KINDS: f64 = 16.0;
/// The number of kinds of numbers there must be for the most frequent one to be taken for a fill value.
const KINDS: usize = 4;

/// The order whose reading can be told more shortly, and how likely that makes it: never certain.
pub(super) fn weigh(
    bytes: &[u8],
    size: usize,
    component: &WideComponent,
    strides: &[u64],
    sample: &WordSample,
) -> Option<(Evidence, Certainty)> {
    let all = Values::take(bytes, size, component, strides, Endian::Little).words;
    // Padding and what was never written say nothing, however much of it there is.
    let is_mostly_one = (1..FEW).contains(&(all.len() - most_frequent(&all)));
    if sample.seen() < FEW || sample.words().is_empty() || is_mostly_one {
        return None;
    }
    let fill = sample.fill().filter(|_| sample.different() > KINDS);
    let told = |order: Endian| {
        let values = Values::take(bytes, size, component, strides, order);
        let is_nat = |word: u64| {
            matches!(values.meaning, Meaning::Date { .. })
                && [word, word.swap_bytes()].contains(&(1 << 63))
        };
        let fill = fill.map(|word| sample.read(word, order));
        let rest = values.without(|word| Some(word) == fill || is_nat(word));
        let words = fill.into_iter().collect();
        let alone = Values { words, neighbours: Vec::new(), ..values.without(|_| true) };
        let (rest, alone) = (rest.describe(), alone.describe());
        Description { bits: rest.bits + alone.bits, ..rest }
    };
    let (little, big) = (told(Endian::Little), told(Endian::Big));
    let (order, here, there) = if little.bits < big.bits {
        (Endian::Little, little, big)
    } else {
        (Endian::Big, big, little)
    };
    let saved = there.bits - here.bits;
    if saved < least(component, there, sample.different()) {
        return None;
    }
    let is_weak = saved < LIKELY || small::are_flags(sample, order);
    let grade = if is_weak { Certainty::Weak } else { Certainty::Likely };
    let sentence = format!(
        "All in all: read as {}-endian, {}; read as {}-endian, {}. {} for {0}-endian.",
        order.word(),
        in_words(here, component.width),
        order.other().word(),
        in_words(there, component.width),
        if grade == Certainty::Weak { "That is weak evidence" } else { "That speaks" },
    );
    Some((Evidence { order, bits: saved.min(ENOUGH - 1.0), sentence }, grade))
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

/// The properties that make a description short, as the end of a sentence about the numbers.
fn in_words(description: Description, width: usize) -> String {
    #[expect(clippy::cast_possible_truncation, reason = "at most 64 bits for each of 2,048 values")]
    let bits = description.bits.round() as i64;
    let by = match description.habit {
        Habit::Size => "by their size".to_owned(),
        Habit::Steps(1) => "by the steps between neighbours".to_owned(),
        Habit::Steps(apart) => format!("by the steps between numbers {apart} apart"),
        Habit::Few(1) => "as one number that is repeated".to_owned(),
        Habit::Few(kinds) => format!("as {} different numbers", grouped(kinds)),
        Habit::Bytes => format!("as {width} unrelated bytes each"),
        Habit::Nothing => "only bit by bit".to_owned(),
    };
    let multiples = match description.multiples_of {
        1 => String::new(),
        factor => format!(", all multiples of {}", grouped(factor)),
    };
    format!("the values take {} bits to describe, {by}{multiples}", grouped(bits))
}
