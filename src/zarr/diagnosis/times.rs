//! Times that are counted in another unit than the metadata declares.

use super::prelude::*;
use crate::zarr::plausibility::description::USUAL_DATES;

/// Seconds after 1970 that no date is of: some ten thousand years.
const FAR: f64 = 3e11;

/// Seconds from 1970 that dates of other years are beyond.
const NEAR: f64 = 1e8;

/// Units of times, by their names and lengths in seconds.
const UNITS: [(&str, f64); 7] = [
    ("ns", 1e-9),
    ("us", 1e-6),
    ("ms", 1e-3),
    ("s", 1.0),
    ("m", 60.0),
    ("h", 3600.0),
    ("D", 86400.0),
];

/// The cause, if dates are of another unit: as declared they are far from all that people mean, in one other unit close.
pub(super) fn other_unit(case: &Case, declared: &ReadingOutcome) -> Option<Diagnosis> {
    let first = declared.chunks.first()?;
    let size = first.data_type().fixed_size()?;
    let component = numbers(first, first.bytes().as_whole()?.get(..size)?).into_iter().next()?;
    let Meaning::Date { seconds } = component.meaning else { return None };
    // NaT is no date.
    let mut counts = Numbers::of(&declared.chunks).values;
    counts.retain(|count| *count > -9.2e18);
    let share = |unit: f64| {
        let seconds = || counts.iter().map(|count| count * unit);
        let usual = seconds().filter(|seconds| USUAL_DATES.contains(seconds)).count();
        // In a unit that is short enough, any count is of 1970.
        usual * 100 >= counts.len() * 98 && seconds().any(|seconds| seconds.abs() > NEAR)
    };
    let is_far = counts.iter().all(|count| count * seconds > FAR);
    if distinct(&counts) < 8 || !is_far {
        return None;
    }
    let mut fitting = UNITS.into_iter().filter(|(_, unit)| share(*unit));
    let ((unit, length), None) = (fitting.next()?, fitting.next()) else { return None };
    let year = |length: f64| counts.iter().map(move |count| 1970.0 + count * length / 31_556_952.0);
    let ends = |length: f64| {
        let (low, high) =
            (year(length).fold(f64::INFINITY, f64::min), year(length).fold(0.0, f64::max));
        format!("{low:.0} to {high:.0}")
    };
    let text =
        format!("The times are counted in {unit}, not in the unit that the metadata declares.");
    let diagnosis = Diagnosis::new("data-type/time-unit", text).because(format!(
        "In {unit}, they fall in the years {}; as declared, in the years {}.",
        ends(length),
        ends(seconds)
    ));
    // The unit alone is another one.
    let sign = if first.order().uniform() == Some(Endian::Big) { '>' } else { '<' };
    let what_if = WhatIf::of(SettingMember::Dtype, format!("{sign}M8[{unit}]"));
    Some(what_if.mending(case.array, diagnosis))
}
