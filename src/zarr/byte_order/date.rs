//! The witness that knows which dates people store.

use super::{
    component::Meaning,
    sample::Sample,
    witness::{Testimony, decide},
    wording,
};
use crate::zarr::data_type::Endian;

/// 1900-01-01 and 2100-01-01 in seconds from 1970 on.
const USUAL: std::ops::RangeInclusive<f64> = -2_208_988_800.0..=4_102_444_800.0;

/// Whether the dates of one order lie in the years 1900 to 2100 and most of the other do not.
pub(super) fn hear(sample: &Sample) -> Option<Testimony> {
    let Meaning::Date { seconds } = sample.meaning() else { return None };
    let n = sample.words().iter().filter(|&&word| !is_nat(sample, word)).count();
    let usual = |order: Endian| {
        let dates = sample.words().iter().filter(|&&word| !is_nat(sample, word));
        dates
            .filter(|&&word| USUAL.contains(&(approximate(sample.rank(word, order)) * seconds)))
            .count()
    };
    let all = |order: Endian| usual(order) * 20 >= n * 19;
    // How many of all 64-bit counts would be usual by chance.
    let span = (USUAL.end() - USUAL.start()) / seconds / 2_f64.powi(64);
    let bits = |order: Endian| {
        let surprise = if all(order) { -span.clamp(1e-19, 1.0).log2() } else { 0.0 };
        // A date from the wrong order tells of the right one only where it is impossible.
        surprise * approximate((n - usual(order.other())) as i128)
    };
    let (order, bits) = decide(bits)?;
    let sentence = format!(
        "{} of the dates lie between 1900 and 2100; read as {} {} do.",
        capital_share(usual(order), n),
        order.other().word(),
        wording::share(usual(order.other()), n),
    );
    (usual(order.other()) * 2 <= n).then_some(Testimony { order, bits, sentence })
}

/// Whether the word is NaT in either order.
fn is_nat(sample: &Sample, word: u64) -> bool {
    [Endian::Little, Endian::Big].iter().any(|&order| sample.read(word, order) == 1 << 63)
}

fn capital_share(part: usize, of: usize) -> String {
    if part == of { "All".into() } else { wording::share(part, of) }
}

#[expect(clippy::cast_precision_loss, reason = "the question is two hundred years wide")]
fn approximate(count: i128) -> f64 {
    count as f64
}
