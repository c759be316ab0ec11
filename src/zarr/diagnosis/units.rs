//! Data in other units than those that they were appended to: at one border all values jump, and go on once they are
//! converted by a factor and an offset that people convert by.

use super::{
    case::{Case, Sample},
    otherwise::Break,
    reading::number,
    seams::{AdjacentChunks, Seam},
};
use crate::zarr::{error::Diagnosis, metadata::Packing};

/// A factor and an offset, and what they convert.
const CONVERSIONS: [(f64, f64, &str); 16] = [
    (1.0, 273.15, "degrees Celsius to kelvin"),
    (1.0, -273.15, "kelvin to degrees Celsius"),
    (1.8, 32.0, "degrees Celsius to Fahrenheit"),
    (1.0 / 1.8, -32.0 / 1.8, "degrees Fahrenheit to Celsius"),
    (1.8, -459.67, "kelvin to degrees Fahrenheit"),
    (1.0 / 1.8, 459.67 / 1.8, "degrees Fahrenheit to kelvin"),
    (0.3048, 0.0, "feet to metres"),
    (1.0 / 0.3048, 0.0, "metres to feet"),
    (0.514_444, 0.0, "knots to metres per second"),
    (-1.0, 0.0, "upwards to downwards"),
    (100.0, 0.0, "a unit to its hundredth, such as hPa to Pa"),
    (0.01, 0.0, "a unit to its hundredfold, such as Pa to hPa"),
    (1000.0, 0.0, "a unit to its thousandth, such as m to mm"),
    (0.001, 0.0, "a unit to its thousandfold, such as mm to m"),
    (86_400.0, 0.0, "a rate per second to one per day"),
    (1.0 / 86_400.0, 0.0, "a rate per day to one per second"),
];
/// The fewest pairs of values at the border.
const FEWEST: usize = 16;
/// By how many times values must be further apart at the border than beside it, and how far they may be once converted.
const FAR: f64 = 16.0;
const NEAR: f64 = 2.0;
/// By how many times values before the border must be larger than their differences.
const SMOOTH: f64 = 4.0;

/// The cause, if floats on both sides of a border go on once those of one side are converted.
pub(super) fn diagnose(
    case: &Case,
    samples: &[Sample],
    blocks: &AdjacentChunks,
    seams: &[Seam],
) -> Option<Diagnosis> {
    let is_float = case.array.data_type()?.name().starts_with("float");
    if !is_float || Packing::of(case.array).is_scaled {
        return None;
    }
    let border = Break::of(blocks, seams)?;
    let pairs = |before: u64| {
        let all = border.seams.iter().flat_map(|seam| blocks.values_at(seam, before));
        all.filter(|(a, b)| a.is_finite() && b.is_finite()).collect::<Vec<(f64, f64)>>()
    };
    let (here, beside) = (pairs(0), pairs(1));
    let plain = |pairs: &[(f64, f64)]| middle(pairs.iter().map(|(a, b)| (a - b).abs()).collect());
    let (jump, usual) = (plain(&here)?, plain(&beside)?);
    if here.len() < FEWEST || usual <= 0.0 || jump < FAR * usual {
        return None;
    }
    // Where values differ by as much as they are large, anything that becomes small continues them.
    if middle(here.iter().map(|(a, _)| a.abs()).collect())? < SMOOTH * usual {
        return None;
    }
    let near = |&&(factor, offset, _): &&(f64, f64, &str)| {
        let apart = here.iter().map(|(a, b)| (b * factor + offset - a).abs());
        middle(apart.collect()).is_some_and(|apart| apart <= NEAR * usual)
    };
    let mut fitting = CONVERSIONS.iter().filter(near);
    let (&(factor, offset, words), None) = (fitting.next()?, fitting.next()) else { return None };
    let (axis, from) = (border.axis, border.from);
    let text = format!(
        "The values of the chunks from {from} on along dimension {axis} are in another unit than those before."
    );
    let is_later = |sample: &&Sample| sample.at.get(axis).is_some_and(|at| *at >= from);
    let mut diagnosis = Diagnosis::new("units/converted", text)
        .because(format!(
            "At that border, values differ by {}, one element before it by {}.",
            number(jump),
            number(usual)
        ))
        .because(format!(
            "Times {} plus {} (as from {words}), they continue those before.",
            number(factor),
            number(offset)
        ));
    diagnosis.files = samples.iter().filter(is_later).map(|sample| sample.key.clone()).collect();
    Some(diagnosis)
}

/// The median.
fn middle(mut values: Vec<f64>) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied()
}
