//! The times of a coordinate against those that the group says it covers, by the attribute convention for data discovery
//! (ACDD): `time_coverage_start` and `time_coverage_end`.

use crate::zarr::{conventions::prelude::*, grid::lengths};

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
        let [first, last] = ends(&moments)?;
        Some(Self { first, last, step: steps(&moments).map(f64::abs).fold(0.0, f64::max) })
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
pub(in crate::zarr::conventions) fn check(related: &Related) -> Option<Problem> {
    let &Related { hierarchy, path, array, .. } = related;
    let attributes = related.attributes()?;
    attributes.get("units")?;
    let packing = Packing::of(array);
    let dates = packing.dates.as_ref()?.as_ref().ok().filter(|_| !packing.is_scaled)?;
    let length = related.length()?;
    let group = hierarchy.node(&path.parent()?);
    let around = Attributes::of(&group.kind)?;
    let declared = ["time_coverage_start", "time_coverage_end"]
        .map(|name| Some((name, around.get_str(name)?, dates.moment_of(around.get_str(name)?)?)));
    let [start, end] = declared;
    let mut others = RATES.iter().chain(&STOPS);
    let is_declared = start.or(end).is_some() || others.any(|name| around.get_str(name).is_some());
    if !related.is_coordinate() || !(2..=MOST).contains(&length) || !is_declared {
        return None;
    }
    let (scalars, _) = related.scalars()?;
    let counts: Vec<f64> = scalars.iter().map(Scalar::to_f64).collect::<Option<_>>()?;
    let bounds = || {
        let bounds = related.beside(attributes.get_str("bounds")?)?;
        let array = related.existing(&bounds)?;
        let is_due = *array.known_shape()? == [length, 2];
        let own = Packing::of(&array).dates.and_then(Result::ok).unwrap_or(*dates);
        let values = is_due.then(|| related.numbers_of(&bounds, &array))??;
        Some(values.chunks_exact(2).map(|pair| own.moment(pair[1]) - own.moment(pair[0])).collect())
    };
    let climatology = |rate: &&str| {
        let text = around.get_str(rate)?;
        let of = attributes.get_str("climatology")?;
        FREQUENCIES.iter().find(|(names, ..)| names.contains(&text))?;
        let sentence = format!(
            "{rate} is {}, and {} is a climatology, with the bounds {}",
            quoted(text),
            related.name(),
            quoted(of)
        );
        let fix = "The times stand for a mean year, not for a series: one of the two attributes was kept from other data.";
        // What was computed from a series keeps the attributes of that.
        around.finding(Code::CfTimeUnits, rate, sentence, fix).map(note)
    };
    let rate = |name: &&str| frequency((&around, name), &counts, dates, &bounds);
    RATES
        .iter()
        .find_map(climatology)
        .or_else(|| without_data(related, &around, &counts, dates))
        .or_else(|| RATES.iter().find_map(rate))
        .or_else(|| outside(&attributes, [start, end], &counts, dates))
}

/// A time that a group declares: the attribute, its text, and the moment.
type Declared<'a> = Option<(&'static str, &'a str, f64)>;

/// The finding on times that begin or end elsewhere than the group declares.
fn outside(
    attributes: &Attributes,
    declared: [Declared<'_>; 2],
    counts: &[f64],
    dates: &Dates,
) -> Option<Problem> {
    let [from, to] = declared.map(|it| it.map(|(.., moment)| moment));
    let own = Span::of(counts, dates)?;
    if own.is_of(from, to) || !counts.iter().all(|count| count.is_finite()) {
        return None;
    }
    let fits = |other: &Dates| Span::of(counts, other).is_some_and(|span| span.is_of(from, to));
    let [lowest, highest] = ends(counts)?;
    let (first, last) = (dates.of_number(lowest)?, dates.of_number(highest)?);
    let said = declared.iter().flatten();
    let said = said.map(|(name, text, _)| format!("{name} is {}", quoted(text))).joined(" and ");
    let found = format!("times from {first} to {last}, but {said}");
    let place = ("units", attributes.get("units")?);
    let problem = attributes.warning(Code::CfTimeUnits, place, found.clone(), EXPECTED);
    let Some((meant, _)) = dates.others().find(|(_, other)| fits(other)) else {
        return Some(noted(problem, found));
    };
    let fix = format!(
        "Counted in {}, they agree. xarray 2026.9 decodes them as declared. Likely cause: an append that did not convert \
         its times to the units that are there, or units that were not those of the numbers.",
        quoted(&meant)
    );
    Some(with_fix(saying(problem, found), fix))
}

/// The attributes of groups that say until when there are data: those of ACDD and of ARCO-ERA5.
const STOPS: [&str; 3] = ["time_coverage_end", "valid_time_stop", "valid_time_stop_era5t"];

/// The warning on an end that is after the last time of which any variable has a value.
fn without_data(
    related: &Related,
    around: &Attributes,
    counts: &[f64],
    dates: &Dates,
) -> Option<Problem> {
    /// The fewest variables and the most, and the most times that are looked at from the end on.
    const VARIABLES: std::ops::RangeInclusive<usize> = 2..=64;
    const TIMES: usize = 1 << 12;
    let stop = |name: &&str| dates.moment_of(around.get_str(name)?);
    let end = STOPS.iter().filter_map(stop).reduce(f64::max)?;
    let key = STOPS.iter().find(|name| stop(name).is_some_and(|it| it.total_cmp(&end).is_eq()))?;
    let due = counts.iter().rposition(|count| dates.moment(*count) <= end)?;
    let mut variables = Vec::new();
    related.find_beside(|path, array| {
        let first = array.dimension_names.as_deref()?.first()?.as_deref();
        let is_along = first == Some(related.path.name()) && array.known_shape()?.len() > 1;
        variables.extend((is_along && is_float(array)).then(|| (path.clone(), array.clone())));
        None::<()>
    });
    VARIABLES.contains(&variables.len()).then_some(())?;
    let is_empty = |at: usize| {
        for (path, array) in &variables {
            let reader = related.reader(path, array)?;
            let mut region = reader.whole();
            *region.first_mut()? = at as u64..at as u64 + 1;
            order::product(&lengths(&region)).filter(|count| *count <= MOST)?;
            let packing = Packing::of(array);
            let values = related.values(&reader, region)?;
            if values.iter().any(|it| it.is_finite() && !packing.is_mark(*it)) {
                return Some(false);
            }
        }
        Some(true)
    };
    let none = (0..=due).rev().take(TIMES).map_while(|at| is_empty(at)?.then_some(at)).last()?;
    let last = none.checked_sub(1).filter(|last| is_empty(*last) == Some(false))?;
    let text = around.get_str(key)?;
    let of = |at: usize| dates.of_number(*counts.get(at)?);
    let found = format!(
        "{key} is {}, and none of {} variables has data after {}, [{last}]: from {} to there, all elements are missing",
        quoted(text),
        variables.len(),
        of(last)?,
        of(none)?
    );
    let fix =
        "Likely cause: the attribute was written before the data were, or some of these are lost.";
    around.finding(Code::CfTimeUnits, key, found, fix)
}

/// A frequency by its spellings, and the shortest and the longest of its steps in days.
type Frequency = (&'static [&'static str], &'static str, [f64; 2]);

/// The attributes of groups that say how far times are apart: that of CMIP, and that of ACDD.
const RATES: [&str; 2] = ["frequency", "time_coverage_resolution"];

/// The frequencies of CMIP, and as other programs and ISO 8601 write them.
const FREQUENCIES: [Frequency; 6] = [
    (&["yr", "year", "yearly", "annual", "P1Y"], "a year", [359.9, 366.1]),
    (&["mon", "month", "monthly", "MS", "P1M"], "a month", [27.9, 31.1]),
    (&["day", "daily", "1D", "D", "P1D", "PT24H"], "a day", [0.99, 1.01]),
    (&["6hr", "6h", "6H", "PT6H"], "6 hours", [0.249, 0.251]),
    (&["3hr", "3h", "3H", "PT3H"], "3 hours", [0.124, 0.126]),
    (&["1hr", "hr", "1h", "hourly", "1H", "PT1H"], "an hour", [0.0416, 0.0418]),
];

/// The problem that all steps are those of another frequency than the group declares: a warning where they are shorter, or where the
/// bounds of the cells say so, too. Of data of which every so manyth step was taken, neither is.
fn frequency(
    (around, rate): (&Attributes, &str),
    counts: &[f64],
    dates: &Dates,
    bounds: &dyn Fn() -> Option<Vec<f64>>,
) -> Option<Problem> {
    /// The fewest steps.
    const FEWEST: usize = 3;
    let text = around.get_str(rate)?;
    let declared = FREQUENCIES.iter().position(|(names, ..)| names.contains(&text))?;
    let of = |steps: &[f64]| {
        let is_in =
            |[low, high]: [f64; 2]| steps.iter().all(|step| (low..=high).contains(&(step / DAY)));
        FREQUENCIES.iter().position(|(.., range)| is_in(*range))
    };
    let moments: Vec<f64> = counts.iter().map(|count| dates.moment(*count)).collect();
    let steps: Vec<f64> = steps(&moments).collect();
    if let Some(found) = gaps(around, (rate, text, declared), counts, dates, &steps) {
        return Some(found);
    }
    if of(&steps) == Some(declared) && steps.len() >= FEWEST {
        return parts(around, (rate, text, declared), &bounds()?);
    }
    let own = of(&steps).filter(|own| *own != declared && steps.len() >= FEWEST)?;
    let (_, words, _) = FREQUENCIES.get(own)?;
    let is_bounded = own < declared && bounds().is_some_and(|bounds| of(&bounds) == Some(own));
    let too = if is_bounded { ", and so long are the cells by their bounds" } else { "" };
    let found = format!("{rate} is {}, and the times are {words} apart{too}", quoted(text));
    let fix = "Likely cause: the attribute is that of the data from which these were made.";
    let is_sure = own >= declared || is_bounded;
    other_frequency(around, rate, found, words, is_sure.then_some(fix))
}

/// The warning on cells of months all of which are parts of them by their bounds, though the steps are whole. Of each year, a season may be
/// meant.
fn parts(
    around: &Attributes,
    (rate, text, declared): (&str, &str, usize),
    bounds: &[f64],
) -> Option<Problem> {
    let (_, words, [shortest, _]) = FREQUENCIES.get(declared)?;
    let [least, longest] = ends(bounds.iter().map(|length| (length / DAY).abs()))?;
    ((27.0..32.0).contains(shortest) && least > 0.0 && longest < shortest - 1.0).then_some(())?;
    let (from, to) = (short(least), short(longest));
    let days = if from == to { from } else { format!("{from} to {to}") };
    let found = format!(
        "{rate} is {}, and the cells, {words} apart, are {days} days long by their bounds",
        quoted(text)
    );
    let fix = "Some days are in no cell. What weights by the length of cells, or sums over them, gets less.";
    other_frequency(around, rate, found, words, Some(fix))
}

/// The warning that times are not of the frequency that is declared; the note where nothing comes of it for sure.
fn other_frequency(
    around: &Attributes,
    rate: &str,
    found: String,
    words: &str,
    fix: Option<&str>,
) -> Option<Problem> {
    let place = (rate, around.get(rate)?);
    let problem = around.warning(Code::CfTimeUnits, place, found.clone(), words);
    let problem = saying(problem, found);
    Some(match fix {
        Some(fix) => with_fix(problem, fix),
        None => note(problem),
    })
}

/// The finding on times of the declared frequency that lack some: a warning where each of several gaps lacks the one step of the same hour
/// of the day.
fn gaps(
    around: &Attributes,
    (rate, text, declared): (&str, &str, usize),
    counts: &[f64],
    dates: &Dates,
    steps: &[f64],
) -> Option<Problem> {
    /// The fewest gaps, and the share of the steps that are none.
    const FEWEST: usize = 3;
    const MOST: f64 = 0.5;
    let (_, words, [low, high]) = FREQUENCIES.get(declared)?;
    // Months and years have no hours, and days only one.
    let usual = ((low + high) / 2.0 * 24.0).round();
    let times = |step: &f64| step / 3600e9 / usual;
    let is_step = |step: &f64| (times(step) - 1.0).abs() < 1e-3;
    let is_gap = |step: &f64| (times(step) - 2.0).abs() < 1e-3;
    let is_regular = usual < 24.0 && steps.iter().all(|it| is_step(it) || is_gap(it));
    let gaps: Vec<usize> =
        (0..steps.len()).filter(|at| steps.get(*at).is_some_and(is_gap)).collect();
    if !is_regular || gaps.len() < FEWEST || gaps.len() as f64 > MOST * steps.len() as f64 {
        return None;
    }
    let hour = |at: &usize| {
        let date = dates.of_number(*counts.get(*at)?)?;
        Some(date.get(11..16)?.to_owned())
    };
    let first = *gaps.first()?;
    let (from, to) = (hour(&first)?, hour(&(first + 1))?);
    let is_same = gaps.iter().all(|at| hour(at).is_some_and(|it| it == from));
    let found = format!(
        "{rate} is {}, and {} steps of time are {} h, the first at [{}]",
        quoted(text),
        out_of(gaps.len(), steps.len()),
        usual * 2.0,
        first + 1
    );
    let fix = format!(
        "Each lacks the time between {from} and {to}: likely, a file of the source, or the records of that hour, were left out."
    );
    other_frequency(around, rate, found, words, is_same.then_some(&fix))
}
