//! The tests that know which values there can be: characters of Unicode, and dates of our time.

use super::{Evidence, Meaning, decide, sample::WordSample, wording};
use crate::zarr::{data_type::Endian, plausibility::description::USUAL_DATES, words::grouped};

/// Bits of evidence in one code unit that is a character in one order and none in the other: 1,114,112 of 2³² are.
const PER_UNIT: f64 = 12.0;

/// The evidence from code units that are characters in one byte order only.
pub(super) fn text(sample: &WordSample) -> Option<Evidence> {
    if sample.meaning() != Meaning::CodeUnit {
        return None;
    }
    let n = sample.words().len();
    let none = |order: Endian| {
        sample.words().iter().filter(|&&word| !is_character(sample, word, order)).count()
    };
    let bits = |order: Endian| {
        let (here, there) = (none(order), none(order.other()));
        let bits = there.saturating_sub(here) as f64 * PER_UNIT;
        if here == 0 && there * 2 >= n { bits } else { 0.0 }
    };
    let (order, bits) = decide(bits)?;
    let sentence = format!(
        "All {} distinct code units are Unicode characters; read as {}-endian, {} are above U+10FFFF.",
        grouped(n),
        order.other().word(),
        wording::share(none(order.other()), n),
    );
    Some(Evidence { order, bits, sentence })
}

fn is_character(sample: &WordSample, word: u64, order: Endian) -> bool {
    u32::try_from(sample.read(word, order)).is_ok_and(|unit| unit <= u32::from(char::MAX))
}

/// The evidence from dates between 1900 and 2100 in one byte order, where most of the other are not.
pub(super) fn date(sample: &WordSample) -> Option<Evidence> {
    let Meaning::Date { seconds } = sample.meaning() else { return None };
    let n = sample.words().iter().filter(|&&word| !is_nat(sample, word)).count();
    let usual = |order: Endian| {
        let dates = sample.words().iter().filter(|&&word| !is_nat(sample, word));
        dates
            .filter(|&&word| {
                USUAL_DATES.contains(&(approximate(sample.rank(word, order)) * seconds))
            })
            .count()
    };
    let all = |order: Endian| usual(order) * 20 >= n * 19;
    // How many of all 64-bit counts would be usual by chance.
    let span = (USUAL_DATES.end() - USUAL_DATES.start()) / seconds / 2_f64.powi(64);
    let bits = |order: Endian| {
        let surprise = if all(order) { -span.clamp(1e-19, 1.0).log2() } else { 0.0 };
        // A date from the wrong order tells of the right one only where it is impossible.
        surprise * approximate((n - usual(order.other())) as i128)
    };
    let (order, bits) = decide(bits)?;
    let sentence = format!(
        "{} of the dates are between 1900 and 2100; read as {}-endian, {} are.",
        capital_share(usual(order), n),
        order.other().word(),
        wording::share(usual(order.other()), n),
    );
    (usual(order.other()) * 2 <= n).then_some(Evidence { order, bits, sentence })
}

/// True if the word is NaT in either order.
fn is_nat(sample: &WordSample, word: u64) -> bool {
    [Endian::Little, Endian::Big].iter().any(|&order| sample.read(word, order) == 1 << 63)
}

fn capital_share(part: usize, of: usize) -> String {
    if part == of { "All".into() } else { wording::share(part, of) }
}

fn approximate(count: i128) -> f64 {
    count as f64
}
