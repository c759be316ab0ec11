//! The test that sees whether neighbours are alike.
//!
//! It is for integers that move by several hundred from one to the next, too much for carries: packed temperatures,
//! elevations, sensors. Neighbours that are *close* are closer than seven of eight pairs drawn at random. In one order
//! most neighbours are close, in the other no more than by chance.
//!
//! By itself that is no proof, for `label << 8 | smooth` shows the same in the wrong order. So the test insists on what
//! such a packing does not have: the lowest byte must take all its values equally often, as the last digits of a rough
//! number do and labels and flags do not (they share values more often, or have none in some stretch), and the
//! uppermost must take many and not simply count. What remains is a random byte above a smooth one, which nobody
//! stores.

use super::{Evidence, Meaning, decide, sample::WordSample};
use crate::zarr::plausibility::scatter;
use crate::zarr::prelude::*;

/// By chance one pair in so many is close.
const CLOSE: usize = 8;
/// Of how many neighbours one or more must be close for a smooth order, and at most for one that is mere noise.
const SMOOTH: f64 = 0.5;
const NOISE: f64 = 0.25;
/// The number of pairs it takes.
const PAIRS: usize = 48;
/// The number of values the uppermost byte must take.
const LEVELS: usize = 6;
/// The factor over chance by which two words may share their lowest byte.
const EVEN: f64 = 1.2;
/// Of all steps of the uppermost byte, how many may be one and the same.
const COUNTING: f64 = 0.4;

/// The share of neighbours that are close in one order, and the evidence in that.
#[derive(Clone, Copy, Default)]
struct Closeness {
    close: usize,
    pairs: usize,
    bits: f64,
}

/// The evidence from neighbours that are alike in one byte order and unrelated in the other.
pub(super) fn test(sample: &WordSample) -> Option<Evidence> {
    matches!(sample.meaning(), Meaning::Signed | Meaning::Unsigned).then_some(())?;
    let (little, big) = (closest(sample, Endian::Little), closest(sample, Endian::Big));
    let of = |order| if order == Endian::Little { little } else { big };
    let (order, bits) = decide(|order| of(order).bits)?;
    let (here, there) = (of(order), of(order.other()));
    let clear = here.share() >= SMOOTH && there.share() <= NOISE;
    let sentence = format!(
        "Of {} neighbouring pairs, {} are close in value; read as {}-endian, {} are; chance would give {}.",
        grouped(here.pairs),
        grouped(here.close),
        order.other().word(),
        grouped(there.close),
        grouped(there.pairs / CLOSE),
    );
    (clear && is_a_number(sample, order)).then_some(Evidence { order, bits, sentence })
}

impl Closeness {
    fn share(self) -> f64 {
        super::as_f64(self.close) / super::as_f64(self.pairs.max(1))
    }
}

/// The closeness along the axis where it says most.
fn closest(sample: &WordSample, order: Endian) -> Closeness {
    let along = |pairs: &Vec<(u64, u64)>| {
        let rank = |word| sample.rank(word, order);
        closeness(&pairs.iter().map(|&(a, b)| (rank(a), rank(b))).collect::<Vec<_>>())
    };
    let all = sample.axes().iter().map(along);
    all.max_by(|a, b| a.bits.total_cmp(&b.bits)).unwrap_or_default()
}

fn closeness(pairs: &[(i128, i128)]) -> Closeness {
    let n = pairs.len();
    if n < PAIRS {
        return Closeness::default();
    }
    let partner = |at: usize| pairs.get(scatter(at) % n).map_or(0, |pair| pair.1);
    let mut chance: Vec<i128> =
        pairs.iter().enumerate().map(|(at, (a, _))| (a - partner(at)).abs()).collect();
    chance.sort_unstable();
    let limit = chance.get(n / CLOSE).copied().unwrap_or(0);
    let close = pairs.iter().filter(|(a, b)| (a - b).abs() <= limit).count();
    let (share, by_chance) =
        ((super::as_f64(close) + 0.5) / (super::as_f64(n) + 1.0), 1.0 / super::as_f64(CLOSE));
    let bits = if share > by_chance {
        share * (share / by_chance).log2()
            + (1.0 - share) * ((1.0 - share) / (1.0 - by_chance)).log2()
    } else {
        0.0
    };
    Closeness { close, pairs: n, bits: bits * super::as_f64(n) / 2.0 }
}

/// True if the bytes are digits of one number: the lowest even, the uppermost of many values and no mere counter.
fn is_a_number(sample: &WordSample, order: Endian) -> bool {
    let used = sample.words().iter().fold(0, |bits, &word| {
        bits | (sample.read(word, order)
            ^ sample.read(*sample.words().first().unwrap_or(&0), order))
    });
    let upper = 8 * (63_u32.saturating_sub(used.leading_zeros()) / 8);
    let lowest = tally(sample.words().iter().map(|&word| sample.read(word, order) & 0xff));
    let uppermost = tally(sample.words().iter().map(|&word| sample.read(word, order) >> upper));
    is_even(&lowest, sample.words().len())
        && !has_gap(&lowest, sample.words().len())
        && uppermost.len() >= LEVELS
        && !counts(sample, order, upper)
}

/// True if words share their value no more often than if all of 256 values were equally likely.
fn is_even(tally: &HashMap<u64, usize>, words: usize) -> bool {
    let alike: usize = tally.values().map(|&n| n * (n - 1)).sum();
    super::as_f64(alike) * 256.0
        <= EVEN * super::as_f64(words) * super::as_f64(words.saturating_sub(1))
}

/// True if a stretch of the 256 values is never taken, and even values would leave such a one out by accident in one of
/// 2²⁴ arrays: labels from 0 to 199 share their values little more often than digits do, and have no 200 to 255.
fn has_gap(tally: &HashMap<u64, usize>, words: usize) -> bool {
    let (mut longest, mut here) = (0_usize, 0);
    // Twice round, as 255 and 0 are neighbours to digits.
    for value in (0..512_u64).map(|at| at % 256) {
        here = if tally.contains_key(&value) { 0 } else { here + 1 };
        longest = longest.max(here.min(255));
    }
    let even_bits = -(1.0 - super::as_f64(longest) / 256.0).log2() * super::as_f64(words);
    even_bits - 8.0 >= super::ENOUGH
}

/// True if the bits from `upper` on step by the same all the time.
fn counts(sample: &WordSample, order: Endian, upper: u32) -> bool {
    sample.axes().iter().any(|pairs| {
        let value = |word| sample.read(word, order) >> upper;
        let steps = tally(pairs.iter().map(|&(a, b)| value(b).wrapping_sub(value(a))));
        let most = steps.iter().filter(|(step, _)| **step != 0).map(|(_, &n)| n).max();
        super::as_f64(most.unwrap_or(0)) > COUNTING * super::as_f64(pairs.len())
    })
}

fn tally(values: impl Iterator<Item = u64>) -> HashMap<u64, usize> {
    values.fold(HashMap::new(), |mut counts, value| {
        *counts.entry(value).or_default() += 1;
        counts
    })
}
