//! Numbers in sentences.

use super::{Meaning, sample::WordSample};
use crate::zarr::{data_type::Endian, plausibility::value, words::grouped};

/// The least ratio between the typical differences in the two byte orders that is worth a sentence.
const CLOSER: f64 = 2.0;

const NOT_A_NUMBER: &str = "not a number";

/// The typical difference between neighbours in both byte orders, if that supports `plausible`.
pub(super) fn neighbours(sample: &WordSample, plausible: Endian) -> Option<String> {
    let (near, far) = (step(sample, plausible)?, step(sample, plausible.other())?);
    // A difference that is not a number is as far as it gets.
    let supports = near.is_finite() && (!far.is_finite() || far >= near * CLOSER);
    let other = plausible.other().word();
    let far = match float(far).as_str() {
        NOT_A_NUMBER => format!("the difference is {NOT_A_NUMBER}"),
        far => format!("by {far}"),
    };
    let near = float(near);
    supports.then(|| {
        format!("Neighbouring values typically differ by {near}; read as {other}-endian, {far}.")
    })
}

/// The reason why no test found anything.
pub(super) fn undecided(sample: &WordSample) -> String {
    let readings = |order| Some((step(sample, order)?, extremes(sample, order)));
    let (Some((little, little_range)), Some((big, big_range))) =
        (readings(Endian::Little), readings(Endian::Big))
    else {
        let count = sample.words().len();
        return format!("{count} distinct values without neighbours: too few to tell.");
    };
    let whole = little_range.zip(big_range).filter(|_| one_byte(sample));
    whole.map_or_else(
        || {
            format!(
                "Neighbouring values typically differ by {} read as little-endian, by {} read as big-endian.",
                float(little),
                float(big)
            )
        },
        |((a, b), (c, d))| {
            format!(
                "Only one byte of each value varies: those that tell range from {} to {} read as little-endian, from {} to {} \
                 read as big-endian. Both are possible.",
                grouped(a),
                grouped(b),
                grouped(c),
                grouped(d)
            )
        },
    )
}

/// True if all words differ in one and the same byte only.
fn one_byte(sample: &WordSample) -> bool {
    let first = sample.words().first().copied().unwrap_or(0);
    let varies = sample.words().iter().fold(0, |bits, &word| bits | (word ^ first));
    (0..8).filter(|byte| varies >> (8 * byte) & 0xff != 0).count() == 1
}

/// The lowest and the highest of whole numbers.
pub(super) fn extremes(sample: &WordSample, order: Endian) -> Option<(i128, i128)> {
    let ranks = || sample.words().iter().map(|&word| sample.rank(word, order));
    (!matches!(sample.meaning(), Meaning::Float { .. })).then_some(())?;
    Some((ranks().min()?, ranks().max()?))
}

/// The median difference of neighbours along the axis where it is least.
fn step(sample: &WordSample, order: Endian) -> Option<f64> {
    let median = |pairs: &Vec<(u64, u64)>| {
        let value = |word| value(sample.read(word, order), sample.width(), sample.meaning());
        let mut steps: Vec<f64> = pairs.iter().map(|&(a, b)| (value(a) - value(b)).abs()).collect();
        let middle = steps.len() / 2;
        (!steps.is_empty()).then(|| *steps.select_nth_unstable_by(middle, f64::total_cmp).1)
    };
    sample.axes().iter().filter_map(median).min_by(f64::total_cmp)
}

/// A float with as many digits as one reads at a glance.
pub(super) fn float(value: f64) -> String {
    let size = value.abs();
    if !value.is_finite() {
        return NOT_A_NUMBER.into();
    }
    if size != 0.0 && !(1e-3..1e7).contains(&size) {
        return format!("{value:.1e}");
    }
    #[expect(clippy::cast_possible_truncation, reason = "below ten million")]
    let whole = value.round() as i128;
    if size >= 100.0 || value.fract() == 0.0 { grouped(whole) } else { format!("{value:.3}") }
}

/// A share in percent that never says 0 or 100 but for none and all.
pub(super) fn percent(share: f64) -> String {
    match share {
        ..=0.0 => "none".into(),
        1.0.. => "all".into(),
        share => format!("{:.0} %", (share * 100.0).clamp(1.0, 99.0)),
    }
}
