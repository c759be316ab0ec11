//! The test that looks for carries between the bytes of neighbours.
//!
//! Cut every word of a reading between two bytes, into an upper and a lower part. Take the pairs of neighbours whose
//! upper parts differ. If the reading is right and neighbours are alike, the lower parts make up for the step of the
//! upper ones: 0x0AFF is followed by 0x0B02, and the whole moves by 3, not by 256. If the reading is wrong, the lower
//! part knows nothing of the step.
//!
//! So the test counts *short* steps, those of less than a fraction of the upper part's unit, and counts them again with
//! the lower parts shuffled among all neighbours. What the shuffle gives is chance, whatever the distribution of the
//! bytes; the gain over it, as the Kullback-Leibler divergence of the two shares, is the evidence per pair. A word that
//! takes part in many pairs counts once.

use super::{Evidence, decide, sample::WordSample, wording};
use crate::zarr::prelude::*;
use crate::zarr::{plausibility::scatter, words::capitalised};

/// The length of a short step, as one part in so many of the upper part's unit.
const SHORT: [i128; 2] = [2, 16];

/// The number of times the lower parts are shuffled: more often for few pairs, so that chance is known well for all.
const SHUFFLES: std::ops::RangeInclusive<usize> = 1..=64;
/// The number of shuffled pairs wanted in all.
const SHUFFLED: usize = 1024;

/// The number of times more frequent than by chance short steps that must be, so that a tiny effect in many pairs is
/// none.
const LIFT: f64 = 1.5;

/// The counts of one cut.
#[derive(Clone, Copy, Default)]
struct CutCount {
    /// Pairs whose upper parts differ.
    pairs: usize,
    /// The number of them that move by little.
    short: usize,
    /// The number expected by chance.
    chance: f64,
    /// The bits of evidence in that.
    bits: f64,
}

/// The evidence from lower bytes that carry into the upper ones.
pub(super) fn test(sample: &WordSample) -> Option<Evidence> {
    let (little, big) = (strongest(sample, Endian::Little), strongest(sample, Endian::Big));
    let of = |order| if order == Endian::Little { little } else { big };
    let (order, bits) = decide(|order| of(order).bits)?;
    let CutCount { pairs, short, chance, .. } = of(order);
    let sentence = format!(
        "When the high byte changes, neighbours stay close in {} of {} cases ({} expected by chance). {}-endian does no \
         better than chance.",
        grouped(short),
        grouped(pairs),
        wording::rounded(chance),
        capitalised(order.other().word()),
    );
    Some(Evidence { order, bits, sentence })
}

/// The best evidence over all axes, cuts and lengths of a short step.
fn strongest(sample: &WordSample, order: Endian) -> CutCount {
    let mut best = CutCount::default();
    for pairs in sample.axes() {
        let ranks: Vec<_> =
            pairs.iter().map(|&(a, b)| (sample.rank(a, order), sample.rank(b, order))).collect();
        for cut in 1..sample.width() {
            for count in at_cut(&ranks, cut * 8) {
                if count.bits > best.bits {
                    best = count;
                }
            }
        }
    }
    best
}

/// Counts short steps at one cut, for each length of a short step.
fn at_cut(ranks: &[(i128, i128)], shift: usize) -> [CutCount; SHORT.len()] {
    let unit = 1_i128 << shift;
    let stepping: Vec<_> = stepping(ranks, shift).collect();
    let turns = (SHUFFLED / stepping.len().max(1)).clamp(*SHUFFLES.start(), *SHUFFLES.end());
    let shuffled: Vec<_> =
        (1..=turns).flat_map(|turn| shuffle(&stepping, ranks, turn, shift)).collect();
    SHORT.map(|share| {
        let short = |pairs: &[(i128, i128)]| {
            pairs.iter().filter(|(a, b)| (a - b).abs() * share <= unit).count()
        };
        weigh(&stepping, short(&stepping), short(&shuffled), turns)
    })
}

/// The pairs whose upper parts differ.
fn stepping(ranks: &[(i128, i128)], shift: usize) -> impl Iterator<Item = (i128, i128)> + '_ {
    ranks.iter().copied().filter(move |(a, b)| a >> shift != b >> shift)
}

/// The stepping pairs, with lower parts taken from any pairs.
fn shuffle(
    stepping: &[(i128, i128)],
    ranks: &[(i128, i128)],
    turn: usize,
    shift: usize,
) -> impl Iterator<Item = (i128, i128)> {
    let below = (1_i128 << shift) - 1;
    let stranger =
        move |at: usize| ranks.get(scatter(at) % ranks.len().max(1)).copied().unwrap_or_default();
    stepping.iter().enumerate().map(move |(at, &(a, b))| {
        let place = (at * 131 + turn) * 2;
        (a & !below | stranger(place).0 & below, b & !below | stranger(place + 1).1 & below)
    })
}

/// The evidence in `short` of the pairs, where chance gave `shuffled` in all `turns` together.
fn weigh(pairs: &[(i128, i128)], short: usize, shuffled: usize, turns: usize) -> CutCount {
    let (n, turns) = (super::as_f64(pairs.len()), super::as_f64(turns));
    // Half a pair is added to what was seen on either side, so that no share is 0 or 1.
    let share = (super::as_f64(short) + 0.5) / (n + 1.0);
    let by_chance = (super::as_f64(shuffled) + 0.5) / (n * turns + 1.0);
    let chance = super::as_f64(shuffled) / turns;
    if share <= by_chance * LIFT {
        return CutCount { pairs: pairs.len(), short, chance, bits: 0.0 };
    }
    let different: HashSet<i128> = pairs.iter().flat_map(|&(a, b)| [a, b]).collect();
    let per_pair = share * (share / by_chance).log2()
        + (1.0 - share) * ((1.0 - share) / (1.0 - by_chance)).log2();
    let bits = per_pair * super::as_f64(pairs.len().min(different.len()));
    CutCount { pairs: pairs.len(), short, chance, bits }
}
