//! The times of a coordinate against those that the group says it covers, by the attribute convention for data discovery
//! (ACDD): `time_coverage_start` and `time_coverage_end`.

use super::{attributes::noted, steps};
use crate::zarr::conventions::prelude::*;

/// The longest coordinate that is read.
const MOST: u64 = 1 << 16;
/// The times that are expected.
const EXPECTED: &str = "times in the range that the group declares";
/// A day, in nanoseconds: an end without an hour is that of its day.
const DAY: f64 = 86_400e9;

/// The first and the last time of a coordinate, and the longest of the steps between.
struct Span {
    first: f64,
    last: f64,
    step: f64,
}

impl Span {
    fn of(counts: &[f64], dates: &Dates) -> Option<Self> {
        let moments: Vec<f64> = counts.iter().map(|count| dates.moment(*count)).collect();
        let steps = moments.iter().zip(moments.iter().skip(1)).map(|(a, b)| (b - a).abs());
        let first = moments.iter().copied().reduce(f64::min)?;
        let last = moments.iter().copied().reduce(f64::max)?;
        Some(Self { first, last, step: steps.fold(0.0, f64::max) })
    }

    /// True if it begins and ends where it is said to, to a day and a step, or a tenth of all.
    fn is_of(&self, start: Option<f64>, end: Option<f64>) -> bool {
        let room = DAY + self.step.min((self.last - self.first) / 10.0);
        let is_near =
            |one: f64, other: Option<f64>| other.is_none_or(|it| (one - it).abs() <= room);
        is_near(self.first, start) && is_near(self.last, end)
    }
}

/// The problem that times are others than those that the group covers: a warning where they are these, counted in another unit.
pub fn check(
    hierarchy: &Hierarchy,
    path: &NodePath,
    array: &ArrayMetadata,
    budget: &Budget,
) -> Option<Problem> {
    let attributes = Attributes::of_array(array)?;
    let units = attributes.get("units")?;
    let packing = Packing::of(array);
    let dates = packing.dates.as_ref()?.as_ref().ok().filter(|_| !packing.is_scaled)?;
    let &[length] = array.known_shape()?.as_slice() else { return None };
    let [Some(name)] = array.dimension_names.as_ref()?.as_slice() else { return None };
    let group = hierarchy.node(&path.parent()?);
    let around = Attributes::of(&group.kind)?;
    let declared = ["time_coverage_start", "time_coverage_end"]
        .map(|name| Some((name, around.get_str(name)?, dates.moment_of(around.get_str(name)?)?)));
    let [start, end] = declared;
    if name != path.name() || !(2..=MOST).contains(&length) || start.or(end).is_none() {
        return None;
    }
    let (scalars, _) = steps::read(&*hierarchy.store, path, array, budget)?;
    let counts: Vec<f64> = scalars.iter().map(Scalar::to_f64).collect::<Option<_>>()?;
    let [from, to] = [start, end].map(|it| it.map(|(_, _, moment)| moment));
    let own = Span::of(&counts, dates)?;
    if own.is_of(from, to) || !counts.iter().all(|count| count.is_finite()) {
        return None;
    }
    let fits = |other: &Dates| Span::of(&counts, other).is_some_and(|span| span.is_of(from, to));
    let lowest = counts.iter().copied().fold(f64::INFINITY, f64::min);
    let highest = counts.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let (first, last) = (dates.of_number(lowest)?, dates.of_number(highest)?);
    let said: Vec<String> = [start, end]
        .iter()
        .flatten()
        .map(|(name, text, _)| format!("{name} is {}", quoted(text)))
        .collect();
    let found = format!("times from {first} to {last}, but {}", said.join(" and "));
    let problem = attributes.warning(Code::CfTimeUnits, ("units", units), found.clone(), EXPECTED);
    let error = problem.error.clone().saying(found.clone());
    let Some((meant, _)) = dates.others().find(|(_, other)| fits(other)) else {
        return Some(noted(problem, found));
    };
    let fix = format!(
        "Counted in {}, they agree. xarray 2026.9 decodes them as declared. Likely cause: an append that did not convert \
         its times to the units that are there, or units that were not those of the numbers.",
        quoted(&meant)
    );
    Some(with_fix(Problem { error, ..problem }, fix))
}
