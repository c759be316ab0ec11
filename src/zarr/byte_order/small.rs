//! The test that expects integers to be small for their width.
//!
//! An `int32` that counts people, classes or milliseconds rarely needs its upper bytes; hardly anything is a multiple
//! of 65,536. But fixed-point numbers, cell identifiers and left-aligned samples are. Their digits look the other way
//! round, too: in a small number the uppermost digit that is used varies least (numbers thin out towards their
//! maximum). So the test wants both: half of the bytes zero on one side and none on the other, and the variety of
//! the bytes growing downwards, with no bit that never changes between bits that do. Where a single byte varies, it
//! wants a numbering without a gap, and of two-byte integers, where 8-bit samples in the upper byte are common, that of
//! a few classes repeated many times. Where it has only the zeros, it decides nothing, but objects to who says
//! otherwise.

use super::{ENOUGH, Evidence, Meaning, sample::WordSample, wording};
use crate::zarr::prelude::*;

/// The number of different numbers it takes where only the lowest byte is used.
const FEW_BYTES: usize = 4;
/// The number of them that are few, and may be in a two-byte integer; and how often each must occur there on the
/// average.
const CLASSES: usize = 32;
const REPEATED: usize = 8;
/// The number of it takes where more bytes used, so that their variety can be compared.
const FEW_WORDS: usize = 8;
/// The number of bits of variety the lowest byte must have more than the uppermost used one.
const STEEP: f64 = 1.0;

/// The evidence from numbers that are small in one byte order.
pub(super) fn test(sample: &WordSample) -> Option<Evidence> {
    matches!(sample.meaning(), Meaning::Signed | Meaning::Unsigned).then_some(())?;
    let order = [Endian::Little, Endian::Big].into_iter().find(|&order| is_small(sample, order))?;
    let (low, high) = wording::extremes(sample, order)?;
    let (other_low, other_high) = wording::extremes(sample, order.other())?;
    let sentence = format!(
        "The values range from {} to {}; read as {}-endian, from {} to {}, all multiples of {}.",
        grouped(low),
        grouped(high),
        order.other().word(),
        grouped(other_low),
        grouped(other_high),
        grouped(1_i128 << (8 * zeros(sample, order))),
    );
    let bits = if is_natural(sample, order) { ENOUGH } else { 0.0 };
    Some(Evidence { order, bits, sentence })
}

/// The number of the upper bytes that are 0 in every word.
fn zeros(sample: &WordSample, order: Endian) -> usize {
    let used = sample.words().iter().fold(0, |used, &word| used | sample.read(word, order));
    sample.width().saturating_sub((64 - used.leading_zeros() as usize).div_ceil(8))
}

/// True if half of the bytes or more are zeros above the digits, and none below.
fn is_small(sample: &WordSample, order: Endian) -> bool {
    zeros(sample, order) * 2 >= sample.width() && zeros(sample, order.other()) == 0
}

/// True if small numbers look as numbers that are really small do.
fn is_natural(sample: &WordSample, order: Endian) -> bool {
    let (width, n) = (sample.width(), sample.words().len());
    match width - zeros(sample, order) {
        1 if width == 2 => {
            n <= CLASSES && n * REPEATED <= sample.seen() && is_numbering(sample, order)
        }
        1 => n >= FEW_BYTES && is_numbering(sample, order),
        used => {
            let numbers = sample.words().iter().map(|&word| sample.read(word, order));
            n >= FEW_WORDS
                && variety(sample, order, used - 1) + STEEP <= variety(sample, order, 0)
                && !has_gap(varying(&numbers.collect::<Vec<_>>()))
        }
    }
}

/// True if the numbers are most of those that can be put together of a few bits with others between them, beside one
/// that marks what is missing: flags can be in any byte, and where they are says nothing.
pub(super) fn are_flags(sample: &WordSample, order: Endian) -> bool {
    /// The most flags.
    const MOST: u32 = 8;
    let words = sample.words();
    words.len() <= 1 << MOST
        && (0..=words.len()).any(|marker| {
            let kept = words.iter().enumerate().filter(|(at, _)| *at != marker);
            let kept: Vec<u64> = kept.map(|(_, &word)| sample.read(word, order)).collect();
            let varies = varying(&kept);
            varies.count_ones() <= MOST
                && kept.len() * 2 >= 1 << varies.count_ones()
                && has_gap(varies)
        })
}

/// True if bits that are always the same are between bits that vary, as they do where a number is read that is
/// shifted to the left (the identifiers of cells on a globe), or where fields are packed. With few numbers one bit may
/// be the same by accident.
fn has_gap(varies: u64) -> bool {
    let from = varies >> varies.trailing_zeros().min(63);
    (from & from.wrapping_add(1)) != 0
}

/// The bits that are not the same in all numbers.
fn varying(numbers: &[u64]) -> u64 {
    let first = numbers.first().copied().unwrap_or(0);
    numbers.iter().fold(0, |bits, number| bits | (number ^ first))
}

/// True if the numbers are all from 0 or 1 to a highest one, as counters and classes are; of many numbers a quarter may
/// be missing. Flags, which can be in any byte, leave gaps or go to one less than a power of two.
fn is_numbering(sample: &WordSample, order: Endian) -> bool {
    let highest = sample.words().iter().map(|&word| sample.read(word, order)).max().unwrap_or(0);
    // 0 reads the same in both orders and is not in the sample.
    let present = sample.words().len() as u64;
    let missing = if highest > CLASSES as u64 { highest / 4 } else { 0 };
    present + missing >= highest && !(highest + 1).is_power_of_two()
}

/// The entropy in bits of the byte `at` (0 is the least significant) over the different words.
fn variety(sample: &WordSample, order: Endian, at: usize) -> f64 {
    let mut counts: HashMap<u64, u32> = HashMap::new();
    for &word in sample.words() {
        *counts.entry(sample.read(word, order) >> (8 * at) & 0xff).or_default() += 1;
    }
    let n: u32 = counts.values().sum();
    let mut counts: Vec<_> = counts.into_values().collect();
    // Sorted, so that the sum is the same whatever the order of the map.
    counts.sort_unstable();
    counts.iter().map(|&count| f64::from(count) / f64::from(n)).map(|p| -p * p.log2()).sum()
}
