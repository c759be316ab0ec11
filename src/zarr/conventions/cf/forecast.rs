//! Forecasts: the time that one is valid at is its reference time and its period together, as their standard names say.

use super::SILENT;
use crate::zarr::conventions::prelude::*;

/// The most times that are read.
const MOST: u64 = 1 << 16;
/// The nanoseconds by which times that are the same may differ: fractions of a day are rounded.
const NEAR: f64 = 1e9;
/// The units that a period may have been taken to be counted in.
const UNITS: [&str; 4] = ["seconds", "minutes", "hours", "days"];

/// A coordinate of a forecast, and its values.
struct Part {
    path: NodePath,
    array: ArrayMetadata,
    values: Vec<f64>,
    /// Its axis among those of the valid times; `None` where it has no dimension.
    axis: Option<usize>,
}

impl Part {
    /// The sibling of a standard name, along one of the dimensions or none.
    fn named(related: &Related, name: &str, dimensions: &[Option<String>]) -> Option<Self> {
        let (path, array) =
            related.find_called(name, |path, array| Some((path.clone(), array.clone())))?;
        let axis = match array.dimension_names.as_deref().unwrap_or_default() {
            [] if array.known_shape()?.is_empty() => None,
            [own] => Some(dimensions.iter().position(|it| it == own)?),
            _ => return None,
        };
        let values = values(related, &path, &array)?;
        Some(Self { path, array, values, axis })
    }

    /// Its value beside an element of the valid times.
    fn at(&self, place: &[u64]) -> Option<f64> {
        let at = self.axis.map_or(Some(0), |axis| place.get(axis).copied())?;
        self.values.get(usize::try_from(at).ok()?).copied()
    }
}

/// The numbers of a small array that is not packed.
fn values(related: &Related, path: &NodePath, array: &ArrayMetadata) -> Option<Vec<f64>> {
    let is_plain = is_number(array) && !Packing::of(array).is_scaled;
    order::product(array.known_shape()?).filter(|count| is_plain && *count <= MOST)?;
    related.numbers_of(path, array)
}

/// The problem that valid times are those of the reference times and the periods only if these are counted in another unit.
/// Times in the middle of what is averaged are no sums of the two either: nothing is told of others.
pub(in crate::zarr::conventions) fn check(related: &Related) -> Option<Problem> {
    let array = related.array;
    is_called(array, "time").then_some(())?;
    let names = array.dimension_names.as_deref()?;
    // The coordinate of a dimension of its own is no sum.
    let is_sum = !related.is_coordinate() && !names.is_empty();
    let dates = Packing::of(array).dates?.ok().filter(|_| is_sum)?;
    let part = |name: &str| Part::named(related, name, names);
    let (start, period) = (part("forecast_reference_time")?, part("forecast_period")?);
    let since = Packing::of(&start.array).dates?.ok()?;
    let unit = text_of(&period.array, "units")?;
    let (times, shape) = (values(related, related.path, array)?, array.known_shape()?);
    let sum = |unit: &Dates, place: &[u64]| {
        let length = unit.moment(period.at(place)?) - unit.moment(0.0);
        Some(since.moment(start.at(place)?) + length)
    };
    let first_other = |unit: &Dates| {
        let is_other = |(number, time): &(u128, &f64)| {
            let sum = sum(unit, &order::coordinates(*number, shape));
            // What is missing says nothing.
            let apart = sum.map(|sum| (sum - dates.moment(**time)).abs());
            apart.is_none_or(|apart| apart > NEAR)
        };
        (0..).zip(&times).find(is_other)
    };
    let in_unit = |unit: &str| Dates::read(&format!("{unit} since 1970-01-01"), None)?.ok();
    let declared = in_unit(unit)?;
    let (number, time) = first_other(&declared)?;
    let meant = UNITS.iter().filter(|name| **name != unit);
    let meant =
        meant.copied().find(|name| in_unit(name).is_some_and(|it| first_other(&it).is_none()));
    let is_start = |(number, time): (u128, &f64)| {
        let start = start.at(&order::coordinates(number, shape));
        start.is_some_and(|start| (since.moment(start) - dates.moment(*time)).abs() <= NEAR)
    };
    let is_along = period.axis.is_some() && period.values.iter().any(|it| *it > 0.0);
    let reason = match meant {
        Some(meant) => format!("With the period counted in {meant}, all times fit."),
        None if is_along && (0..).zip(&times).all(is_start) => format!(
            "Each is the time in {}: the period was not added to any of them.",
            quoted(start.path.name())
        ),
        None => return None,
    };
    let place = order::coordinates(number, shape);
    let found = format!(
        "the time is {} at {}, where {} and {} ({} {unit}) add up to another time",
        dates.of_number(*time)?,
        list(&place),
        quoted(start.path.name()),
        quoted(period.path.name()),
        period.at(&place)?
    );
    let expected = "the reference time and the period together";
    let fix = format!("{reason} {SILENT}");
    let texts = (found.clone(), expected);
    let problem = related.attributes()?.mismatch(Code::CfReference, "standard_name", texts, fix)?;
    Some(saying(problem, found))
}
