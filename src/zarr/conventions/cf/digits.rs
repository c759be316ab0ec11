//! Evenly spaced values whose spacing is lost in the digits that their type has.

use crate::zarr::conventions::prelude::*;

/// The binary digits after the first one of a type that has few.
pub(super) fn of(array: &ArrayMetadata) -> Option<f64> {
    match array.data_type()?.name().as_ref() {
        "float32" => Some(23.0),
        "float16" => Some(10.0),
        _ => None,
    }
}

/// The finding on values whose even spacing is lost in so many digits of their type: a warning where two are the same, and on times of
/// which so many nanoseconds are a unit, that were whole minutes apart.
pub(super) fn rounded(values: &[f64], digits: f64, unit: Option<f64>) -> Option<Problem> {
    /// The share of a step by which the shortest and the longest differ, and by which values are off for other reasons.
    const LOST: f64 = 0.02;
    const MOST: f64 = 0.55;
    let (first, last) = (*values.first()?, *values.last()?);
    let step = (last - first) / (values.len().checked_sub(1)? as f64);
    let largest = first.abs().max(last.abs());
    // The distance of two neighbours of the type, about the largest.
    let digit = (largest.log2().floor() - digits).exp2();
    let steps = steps(values).map(f64::abs);
    let [low, high] =
        steps.fold([f64::INFINITY, 0.0], |[low, high], step| [low.min(step), high.max(step)]);
    let is_even = values
        .iter()
        .enumerate()
        .all(|(at, value)| (first + step * at as f64 - value).abs() <= digit * (1.0 + MOST));
    let is_lost = high - low >= LOST * step.abs() && digit >= LOST * step.abs();
    if !is_even || !is_lost || high - low > digit * 2.5 {
        return None;
    }
    let name = if digits > 20.0 { "float32" } else { "float16" };
    let seconds = |count: f64| unit.map_or(count, |unit| count * unit / 1e9);
    let noun = if unit.is_some() { " s" } else { "" };
    let (from, to) = (short(seconds(low)), short(seconds(high)));
    let found = format!("steps from {from} to {to}{noun}");
    let error =
        Error::new(Code::CfCoordinateOrder, found.clone(), "an even spacing").saying(format!(
            "{found} between values that are evenly spaced but for the digits that {name} lacks"
        ));
    let minutes = seconds(step).abs() / 60.0;
    let near = seconds(digit) / 60.0 / (values.len() as f64 - 1.0) * 2.0;
    let is_whole = unit.is_some() && minutes >= 0.5 && (minutes - minutes.round()).abs() <= near;
    if is_whole {
        let fix = format!(
            "They are most likely {} min apart, and off by up to {} s. Store them as float64, or count whole numbers of a smaller unit.",
            minutes.round(),
            short(seconds(digit) / 2.0)
        );
        return Some(Problem::new(error.with_fix(fix)));
    }
    let fix = format!(
        "Two neighbours of {name} are {} apart here, {:.0} % of a step: cells come out of different sizes, and extents are off by \
         parts of a cell. float64 has the digits.",
        short(digit),
        digit / step.abs() * 100.0
    );
    let problem = Problem::new(error.with_fix(fix));
    Some(if low > 0.0 { problem.with_severity(Severity::Note) } else { problem })
}
