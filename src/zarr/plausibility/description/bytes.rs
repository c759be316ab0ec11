//! Whole numbers told byte by byte.
//!
//! Every number can be told so, and it costs the same in both byte orders: what is shorter than that must come from a
//! link between the bytes. There are two. A number that steps over a multiple of 256 changes in two bytes at once: the
//! upper one steps, the lower one falls back, so that a step is told with its carry. And the digits of a number get
//! rougher downwards; where the upper byte is rougher than the lower one, several things are packed into one number,
//! and where it is as rough as no field that people pack, or half of the number is empty below it, nobody stores that.

use super::{
    Description, Habit, Values, as_f64,
    cost::{Tally, entropy},
};
use crate::zarr::plausibility::swapped;

/// The costs of the statement that bytes are told one by one: where they get rougher downwards, where neither, where
/// they get rougher upwards, and where they do that as nobody stores it.
const DIGITS: f64 = 3.0;
const EVEN: f64 = 7.0;
const PACKED: f64 = 13.0;
const UNHEARD_OF: f64 = 40.0;
/// By how many bits a byte must be rougher than another.
const ROUGHER: f64 = 1.0;
/// The cost of the statement that a byte is told with the carry of those below it.
const CARRY: f64 = 2.0;
/// The cost of the statement that numbers step from the largest to the smallest or back.
const OVERFLOW: f64 = 16.0;
/// The number of values of a byte that is more than a sign, so that it carries.
const CARRYING: usize = 16;
/// The number of values, of each random byte and of the one below it, that it takes for these to be no fields of bits.
const RANDOM: usize = 48;
const LEVELS: usize = 6;

/// The description byte by byte.
pub(super) fn describe(values: &Values) -> Description {
    let n = as_f64(values.words.len()).max(1.0);
    let different = Tally::of(values.words.iter().copied());
    let mut planes: Vec<Plane> = Vec::new();
    for at in 0..values.width {
        let is_carried = planes.last().is_some_and(|below| below.levels >= CARRYING);
        planes.push(Plane::read(values, &different, 8 * at, is_carried));
    }
    let used = || planes.iter().enumerate().filter(|(_, plane)| !plane.is_zero);
    let ends = used().next().zip(used().next_back());
    let is_half_empty = |lowest: usize| lowest * 2 >= values.width && are_numbers_reversed(values);
    let told = |bits: fn(&Plane) -> f64, counts: fn(&Plane) -> bool| {
        let all = planes.iter().map(bits).sum::<f64>();
        let Some(((lowest, low), (_, up))) = ends else {
            return Description::new(all + EVEN, Habit::Bytes);
        };
        let slope = (bits(up) - bits(low)) / n;
        let is_unheard_of =
            || is_half_empty(lowest) || up.is_random && low.levels >= LEVELS && !counts(low);
        let (kind, habit) = match slope {
            ROUGHER.. if is_unheard_of() => (UNHEARD_OF, Habit::Upwards),
            ROUGHER.. => (PACKED, Habit::Upwards),
            // An upper byte that only counts is not the upper digit of a rough number.
            _ if slope <= -ROUGHER && !counts(up) => (DIGITS, Habit::Bytes),
            _ => (EVEN, Habit::Bytes),
        };
        Description::new(all + kind, habit)
    };
    let alone = told(|plane| plane.alone, |_| false).bits;
    Description { alone, ..told(|plane| plane.bits, |plane| plane.counts) }
}

/// True if the numbers are plain ones in the other byte order: not those of cells on a globe, and not of fields of bits, which
/// leave gaps.
fn are_numbers_reversed(values: &Values) -> bool {
    /// Multiples of a thousand are multiples of 2 to the third, and are numbers.
    const ROUND: u32 = 3;
    let all = values.words.iter().fold(0, |all, word| all | word);
    let reversed = |bits| swapped(bits, values.width);
    reversed(all).trailing_zeros() <= ROUND && !has_gap(reversed(varying(&values.words)))
}

/// The bits that are not the same in all numbers.
pub(in crate::zarr) fn varying(words: &[u64]) -> u64 {
    let first = words.first().copied().unwrap_or(0);
    words.iter().fold(0, |bits, word| bits | (word ^ first))
}

/// True if bits that are always the same are between bits that vary, as they do where a number is read that is
/// shifted to the left (the identifiers of cells on a globe), or where fields are packed. With few numbers one bit may
/// be the same by accident.
pub(in crate::zarr) fn has_gap(varies: u64) -> bool {
    let from = varies >> varies.trailing_zeros().min(63);
    (from & from.wrapping_add(1)) != 0
}

/// One byte of all numbers.
struct Plane {
    /// The bits that it takes, and those without neighbours.
    bits: f64,
    alone: f64,
    /// True if it is 0 in all.
    is_zero: bool,
    /// The number of its values.
    levels: usize,
    /// True if each of its values is as likely, as those of the last digits of a rough number are.
    is_random: bool,
    /// True if it steps by the same all the time.
    counts: bool,
}

impl Plane {
    /// The byte `shift` bits above the lowest. `is_carried`: those below it may carry into it.
    fn read(values: &Values, different: &Tally<u64>, shift: usize, is_carried: bool) -> Self {
        let byte = |word: u64| ((word >> shift & 0xff) as u8).cast_signed();
        let n = values.words.len();
        let own = Tally::of_bytes(values.words.iter().map(|&word| byte(word)));
        let alone = (8.0 * as_f64(n)).min(adaptive(&own.counts(), n));
        let mut plane = Self {
            bits: alone,
            alone,
            is_zero: values.words.iter().all(|&word| byte(word) == 0),
            levels: own.kinds.len(),
            is_random: is_random(different, byte),
            counts: false,
        };
        for (_, before) in values.neighbours.iter().filter(|_| plane.levels > 1) {
            let pairs = values.words.iter().zip(before);
            let pairs: Vec<_> =
                pairs.filter_map(|(&word, before)| Some((word, (*before)?))).collect();
            let is_uppermost = shift + 8 == 8 * values.width;
            let half = 1 << (8 * values.width - 1);
            let is_overflow = |&&(word, before): &&(u64, u64)| {
                (values.rank(word) - values.rank(before)).abs() > half
            };
            let overflows = is_uppermost && pairs.iter().any(|pair| is_overflow(&pair));
            let first = as_f64(8 * (n - pairs.len())) + if overflows { OVERFLOW } else { 0.0 };
            let steps = |carry: fn(u64, u64, usize) -> i8| {
                Tally::of_bytes(pairs.iter().map(|&(word, before)| {
                    byte(word).wrapping_sub(byte(before)).wrapping_sub(carry(word, before, shift))
                }))
            };
            let mut told = |steps: &Tally<i128>, counts: &[usize], extra: f64| {
                let bits = (steps.bell() + 8.0).min(adaptive(counts, pairs.len()));
                plane.bits = plane.bits.min(first + bits + extra);
            };
            let alone = steps(|_, _, _| 0);
            let counts = alone.counts();
            told(&alone, &counts, 0.0);
            if is_carried {
                let carried = steps(carry);
                told(&carried, &carried.counts(), CARRY);
            }
            let all_alike = counts.last().is_some_and(|&most| most * 10 > pairs.len() * 9);
            let same = alone.kinds.iter().find(|(step, _)| *step == 0).map_or(0, |(_, n)| *n);
            plane.counts |= all_alike && (pairs.len() - same) * 2 > n;
        }
        plane
    }
}

/// What the bits below `shift` carry into those above it, where they step by less than half of what they can hold.
fn carry(word: u64, before: u64, shift: usize) -> i8 {
    let below = |word: u64| word & ((1 << shift) - 1);
    let half = 1 << (shift - 1);
    if below(before).saturating_sub(below(word)) > half {
        1
    } else if below(word).saturating_sub(below(before)) > half {
        -1
    } else {
        0
    }
}

/// True if the different words share their byte no more often than if all of 256 values were equally likely, and take
/// values of every stretch of them: labels from 0 to 199 share theirs little more often than digits do.
fn is_random(different: &Tally<u64>, byte: impl Fn(u64) -> i8) -> bool {
    /// The factor over chance.
    const EVEN: f64 = 1.2;
    /// The bits that make a stretch too long to be left out by chance.
    const UNLIKELY: f64 = 32.0;
    if different.kinds.len() < RANDOM {
        return false;
    }
    let n = as_f64(different.kinds.len());
    let taken = Tally::of_bytes(different.kinds.iter().map(|&(word, _)| byte(word))).kinds;
    let alike: usize = taken.iter().map(|(_, count)| count * (count - 1)).sum();
    let around = taken.iter().zip(taken.iter().cycle().skip(1));
    let gap = around.map(|((at, _), (next, _))| (next - at - 1) & 0xff).max();
    let left_out = -(1.0 - gap.unwrap_or(255) as f64 / 256.0).log2() * n;
    as_f64(alike) * 256.0 <= EVEN * n * (n - 1.0) && left_out < UNLIKELY
}

/// Values by how often each occurs, and how often that is.
fn adaptive(counts: &[usize], n: usize) -> f64 {
    entropy(counts) + as_f64(counts.len().saturating_sub(1)) / 2.0 * as_f64(n + 1).log2() + 8.0
}
