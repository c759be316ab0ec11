//! Floats of 16 bits that are of the other kind than declared, or are no integers: float16 and bfloat16 have the same width
//! and another number of bits for the exponent.
//!
//! The evidence is where values change their sign. Measured values go through small numbers there. The bits of a small
//! float are still large as an integer, and those of a small bfloat16 are a float16 of about 1, so that in the wrong reading
//! neighbours jump from one side of 0 to the other over a gap. Values of one sign have no such place, and most are of a
//! plausible size in both readings: of them, only float16 that would be of sizes that nobody measures as bfloat16 is told.

use super::numbers::steps;
use super::prelude::*;

/// The fewest changes of sign that say something.
const CHANGES: usize = 8;
/// A quarter of the integers of 16 bits.
const QUARTER: f64 = 16384.0;

/// The cause, if values of 16 bits are floats of another kind.
pub(super) fn diagnose(
    case: &Case,
    samples: &[Sample],
    declared: &ReadingOutcome,
) -> Option<Diagnosis> {
    let name = case.array.data_type()?.name();
    let others: &[&str] = match name.as_str() {
        "float16" => &["bfloat16"],
        "bfloat16" | "uint16" => &["float16"],
        // The bits of bfloat16 are kept as uint16 on purpose where no other type is at hand.
        "int16" => &["float16", "bfloat16"],
        _ => return None,
    };
    let here = Numbers::of(&declared.chunks);
    others.iter().find_map(|other| {
        let what_if = WhatIf::of(SettingMember::Dtype, other);
        let outcome = ReadingOutcome::of(case, &case.supposing(&what_if)?, samples);
        let measure = outcome.measure.filter(|m| m.gain >= GAIN && m.words >= FEW)?;
        let there = Numbers::of(&outcome.chunks);
        let is_sensible = outcome.is_sensible() && distinct(&there.values) > FEW;
        let why = is_sensible.then(|| gap(&here, &there).or_else(|| spread(&here, &there)))??;
        let text = format!("The elements are {other}, not {name} as the metadata declares.");
        let diagnosis =
            Diagnosis::new("data-type/half-floats", text).because(why).because(values(&measure));
        Some(what_if.mending(case.array, diagnosis))
    })
}

/// The evidence, if neighbours jump over a gap around 0 as declared, and go through small numbers as `there`.
fn gap(here: &Numbers, there: &Numbers) -> Option<String> {
    let (usual, step) = (size(here)?, step(there)?);
    let usual = if here.is_float { usual } else { usual.min(QUARTER) };
    let (mut jumps, mut mended) = (0, 0);
    for ([a, b], [x, y]) in steps(here).zip(steps(there)) {
        if (x < 0.0) != (y < 0.0) && x != 0.0 && y != 0.0 {
            // Without a sign, the gap is between the two halves of the type.
            let is_jump = a.abs().min(b.abs()) > usual / 4.0 && (a - b).abs() > usual;
            jumps += usize::from(is_jump);
            mended += usize::from(is_jump && (x - y).abs() <= 4.0 * step);
        }
    }
    let (all, crossing) = changes(there);
    (crossing >= CHANGES && mended * 5 >= all * 4 && mended * 5 >= jumps * 4).then(|| {
        format!(
            "As declared, neighbouring values jump over a gap around 0 {} times; read that way, they pass through \
             small numbers.",
            grouped(mended)
        )
    })
}

/// The evidence, if values are of sizes that nobody measures as declared, and of common ones as `there`.
fn spread(here: &Numbers, there: &Numbers) -> Option<String> {
    let (low, high) = sizes(here)?;
    let (least, most) = sizes(there)?;
    let is_narrow = most < least * 1e4 && least > 1e-3 && most < 6e4;
    let (all, crossing) = changes(there);
    let is_clear = if crossing >= CHANGES {
        high > low * 1e6 && crossing * 5 >= all * 4
    } else {
        all == 0 && (low > 1e9 || high < 1e-9)
    };
    (here.is_float && is_narrow && is_clear).then(|| {
        format!(
            "As declared, magnitudes are between {} and {}; read that way, between {} and {}.",
            number(low),
            number(high),
            number(least),
            number(most)
        )
    })
}

/// The neighbours of opposite sign, and those of them that are no further apart than neighbours are.
fn changes(numbers: &Numbers) -> (usize, usize) {
    let step = step(numbers).unwrap_or(0.0);
    let opposite =
        steps(numbers).filter(|[a, b]| (*a < 0.0) != (*b < 0.0) && *a != 0.0 && *b != 0.0);
    opposite.fold((0, 0), |(all, near), [a, b]| {
        (all + 1, near + usize::from((a - b).abs() <= 4.0 * step))
    })
}

/// The median size of a step from one value to its neighbour; `None` where most do not differ.
fn step(numbers: &Numbers) -> Option<f64> {
    middle(steps(numbers).map(|[a, b]| (a - b).abs()).collect(), 0.5).filter(|step| *step > 0.0)
}

/// The median size of the values.
fn size(numbers: &Numbers) -> Option<f64> {
    middle(numbers.values.iter().map(|value| value.abs()).collect(), 0.5)
}

/// The sizes that all but a few of the values are between.
fn sizes(numbers: &Numbers) -> Option<(f64, f64)> {
    let all: Vec<f64> =
        numbers.values.iter().map(|value| value.abs()).filter(|size| *size > 0.0).collect();
    Some((middle(all.clone(), 0.05)?, middle(all, 0.95)?))
}

/// The value at this share of the sorted ones.
fn middle(mut all: Vec<f64>, share: f64) -> Option<f64> {
    all.sort_by(f64::total_cmp);
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        clippy::cast_precision_loss,
        reason = "a place in a sample"
    )]
    let at = (all.len() as f64 * share) as usize;
    all.get(at).copied().filter(|value| value.is_finite())
}
