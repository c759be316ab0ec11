//! The values of a coordinate: whether each step goes on in one direction.

use super::{FillValue, digits, spacing};
use crate::zarr::conventions::prelude::*;
use crate::zarr::{
    metadata::Meant,
    scalar::{Time, TimeUnit},
};
use std::cmp::Ordering;

/// The number of values of a coordinate that is read; of a longer one, nothing is told.
const MOST: u64 = 1 << 20;
/// The same where more work was asked for.
const MOST_DEEP: u64 = 1 << 26;

/// The consequence of times farther from their start than 64 bits of microseconds reach.
const RAISES: &str =
    "xarray 2026.9 with cftime 1.6.6 raises ValueError, unless told decode_times=False.";

/// A value that has an order.
#[derive(Debug, Clone, Copy)]
enum Value {
    Integer(i128),
    Number(f64),
    Missing,
}

impl Value {
    fn count(self) -> Option<f64> {
        match self {
            Self::Integer(count) => Some(count as f64),
            Self::Number(count) => Some(count),
            Self::Missing => None,
        }
    }

    fn cmp(self, other: Self) -> Option<Ordering> {
        match (self, other) {
            (Self::Integer(a), Self::Integer(b)) => Some(a.cmp(&b)),
            (Self::Number(a), Self::Number(b)) => a.partial_cmp(&b),
            _ => None,
        }
    }
}

/// The problem of the values of an array that is the coordinate of a time; `None` where it is none, is too long to
/// be read beside everything else, or cannot be read.
pub(in crate::zarr::conventions) fn check(related: &Related) -> Option<Problem> {
    let &Related { array, is_deep, .. } = related;
    let most = if is_deep { MOST_DEEP } else { MOST };
    let length = related.length()?;
    let packing = Packing::of(array);
    let is_datetime = array.data_type()?.name().starts_with("numpy.datetime64");
    let is_time = is_datetime || matches!(packing.dates, Some(Ok(_)));
    if !related.is_coordinate() || !(2..=most).contains(&length) || !is_time {
        return None;
    }
    let &(ref scalars, is_last_missing) = related.scalars()?;
    let coordinate = Coordinate { array, packing, is_last_missing };
    // Where no chunk is stored, nothing is known of its values.
    if is_last_missing && coordinate.unwritten(scalars) == scalars.len() {
        return None;
    }
    let values: Vec<Value> = scalars.iter().map(|scalar| coordinate.value(scalar)).collect();
    let beyond = coordinate.beyond(scalars);
    let rounded = || {
        let digits = digits::of(array).filter(|_| length >= 8)?;
        let dates = coordinate.packing.dates.as_ref()?.as_ref().ok()?;
        digits::rounded(&counts(&values)?, digits, Some(dates.moment(1.0) - dates.moment(0.0)))
    };
    let recounted = || coordinate.recounted(scalars, &values);
    let wrapped = || spacing::wrapped(&counts(&values)?);
    let problem = epoch(scalars).or_else(wrapped).or_else(rounded).or_else(recounted).or_else(
        || match beyond {
            Some(beyond) => coordinate.unit(&values, true).or(Some(beyond)),
            None => coordinate
                .problem(scalars, &values)
                .or_else(|| coordinate.unit(&values, false))
                .or_else(|| coordinate.months(&values))
                .or_else(|| coordinate.years(&values))
                .or_else(|| coordinate.gap(scalars, &values)),
        },
    )?;
    in_file_of(array, problem)
}

/// The counts, where none is missing.
fn counts(values: &[Value]) -> Option<Vec<f64>> {
    values.iter().map(|value| value.count()).collect()
}

/// The warning on dates within a day of 1970 that are of our times in a longer unit, evenly spaced or whole minutes apart.
fn epoch(scalars: &[Scalar]) -> Option<Problem> {
    /// The fewest dates, how near they are, and what is of our times, in seconds since 1970.
    const FEWEST: usize = 3;
    const NEAR: f64 = 86_400.0;
    const OURS: std::ops::Range<f64> = 3e8..4e9;
    let times: Vec<Time> = scalars
        .iter()
        .filter_map(|scalar| match scalar {
            Scalar::Time(time) if time.since_epoch && time.count != i64::MIN => Some(*time),
            _ => None,
        })
        .collect();
    let (first, last) = (*times.first()?, *times.last()?);
    let all = |length: f64, range: std::ops::Range<f64>| {
        times.iter().all(|time| range.contains(&(time.count as f64 * length)))
    };
    let declared = first.unit.length()? * f64::from(first.scale);
    let steps = || neighbours(&times).map(|(a, b)| b.count.saturating_sub(a.count));
    let is_even = steps().all(|step| step > 0 && Some(step) == steps().next());
    let are_minutes = |length: f64| {
        let mut minutes = steps().map(|step| step as f64 * length / 60.0);
        minutes.all(|it| it > 0.0 && (it - it.round()).abs() <= 1e-9)
    };
    let is_other = |unit: &TimeUnit| {
        unit.length().is_some_and(|length| {
            length > declared && all(length, OURS) && (is_even || are_minutes(length))
        })
    };
    let units = [TimeUnit::Second, TimeUnit::Millisecond, TimeUnit::Microsecond];
    let unit = units.into_iter().find(is_other)?;
    let date = |time: Time| Scalar::Time(Time { unit, scale: 1, ..time }).to_string();
    let sentence = format!(
        "times from {} to {}; counted in {}s, they are from {} to {}",
        Scalar::Time(first),
        Scalar::Time(last),
        unit.word(),
        date(first),
        date(last)
    );
    let fix = "xarray 2026.9 decodes them as declared. Likely cause: numbers of the longer unit were taken for the shorter one.";
    (times.len() >= FEWEST && all(declared, 0.0..NEAR))
        .then(|| finding(Code::CfTimeUnits, sentence, fix))
}

/// A coordinate.
struct Coordinate<'a> {
    array: &'a ArrayMetadata,
    packing: Packing,
    /// True if the last chunk is not stored.
    is_last_missing: bool,
}

/// The likely cause of a break at index `first`, where its place among the values before tells.
fn likely_cause(steps: &Steps, values: &[Value], first: usize) -> String {
    /// The most steps of another length that are taken for appends: a few pieces give a few.
    const FEW: u64 = 3;
    if let Some(count) = cut_to_units(values) {
        return format!(
            "Likely cause: times finer than their unit, {count} in each, were stored as whole numbers: what is finer was lost."
        );
    }
    let Some((before, [here, ..])) = values.split_at_checked(first) else { return String::new() };
    let is = |order: Ordering| {
        let mut known = before.iter().filter(|value| !matches!(value, Value::Missing));
        known.any(|value| here.cmp(*value) == Some(order))
    };
    let lies_within = is(Ordering::Equal) || is(Ordering::Less) && is(Ordering::Greater);
    let is_zero = matches!(here, Value::Integer(0));
    match (steps.backward <= FEW, lies_within) {
        (true, true) if is_zero => {
            "Likely cause: data appended twice, or whose times were counted from their own start."
                .into()
        }
        (true, true) => "Likely cause: data appended twice or in the wrong place.".into(),
        (true, false) if steps.repeats == 0 => format!(
            "Likely cause: from [{first}] on, data of an earlier time, or counts in another unit or from another start."
        ),
        _ => String::new(),
    }
}

/// The number of times that have each integer, where all have equally many but for the first and the last, and are one apart.
fn cut_to_units(values: &[Value]) -> Option<usize> {
    /// The fewest integers.
    const FEWEST: usize = 3;
    let integer = |value: &Value| match value {
        Value::Integer(count) => Some(*count),
        Value::Number(_) | Value::Missing => None,
    };
    let all: Vec<i128> = values.iter().map(integer).collect::<Option<_>>()?;
    let runs: Vec<&[i128]> = all.chunk_by(|a, b| a == b).collect();
    let [first, inner @ .., last] = runs.as_slice() else { return None };
    let count = inner.first()?.len();
    let is_next = |(a, b): (&&[i128], &&[i128])| a.first().map(|it| it + 1) == b.first().copied();
    let are_alike = inner.iter().all(|run| run.len() == count)
        && first.len().max(last.len()) <= count
        && neighbours(&runs).all(is_next);
    (count > 1 && runs.len() >= FEWEST && are_alike).then_some(count)
}

/// The steps of a coordinate.
#[derive(Debug, Default, PartialEq, Eq)]
struct Steps {
    missing: u64,
    repeats: u64,
    backward: u64,
    /// The first value that does not go on.
    first: Option<usize>,
}

impl Steps {
    fn of(values: &[Value]) -> Self {
        let mut steps = Self::default();
        let (mut up, mut down) = ((0, None), (0, None));
        let mut before = None;
        for (at, &value) in values.iter().enumerate() {
            let order = before.and_then(|before: Value| value.cmp(before));
            let add = |way: &mut (u64, Option<usize>)| {
                way.0 += 1;
                way.1.get_or_insert(at);
            };
            match order {
                Some(Ordering::Equal) => {
                    steps.repeats += 1;
                    steps.first.get_or_insert(at);
                }
                Some(Ordering::Greater) => add(&mut up),
                Some(Ordering::Less) => add(&mut down),
                None => {}
            }
            if matches!(value, Value::Missing) {
                steps.missing += 1;
            } else {
                before = Some(value);
            }
        }
        let (count, first): (u64, Option<usize>) = if up.0 >= down.0 { down } else { up };
        steps.backward = count;
        steps.first = steps.first.into_iter().chain(first).min();
        steps
    }
}

impl Coordinate<'_> {
    /// The count of a stored element. The value that marks missing ones is that of xarray: in V2 the fill value.
    fn value(&self, scalar: &Scalar) -> Value {
        let is_fill = matches!(&self.array.fill_value, FillValue::Value { scalar: fill, .. }
            if self.array.format == Format::V2 && fill.value_equal(scalar));
        let is_missing = is_fill
            || scalar.is_nan()
            || scalar.is_nat()
            || matches!(self.packing.meant(scalar), Meant::Missing(_));
        match (scalar.to_integer(), scalar.to_f64()) {
            _ if is_missing => Value::Missing,
            (Some(integer), _) => Value::Integer(integer),
            (None, Some(number)) => Value::Number(number),
            (None, None) => Value::Missing,
        }
    }

    /// The dates that unscaled numbers count to.
    fn dates(&self) -> Option<&Dates> {
        self.packing.dates.as_ref()?.as_ref().ok().filter(|_| !self.packing.is_scaled)
    }

    /// A value for a sentence: its date where it is one.
    fn words(&self, scalar: &Scalar) -> String {
        match self.packing.meant(scalar) {
            Meant::Date(date) => date,
            _ => scalar.to_string(),
        }
    }

    fn problem(&self, scalars: &[Scalar], values: &[Value]) -> Option<Problem> {
        let steps = Steps::of(values);
        let tail = self.unwritten(scalars);
        let last = if tail == 1 { "value".into() } else { counted(tail as u64, "value") };
        let enlarged = format!(
            "Likely cause: an append that enlarged the array and did not write its last {last}."
        );
        if let Some(first) = steps.first {
            let found = self.out_of_order(&steps, scalars, first)?;
            let expected = "times that only increase or only decrease";
            let cause = if tail > 0 && first == scalars.len() - tail {
                enlarged
            } else {
                self.differences(values).unwrap_or_else(|| likely_cause(&steps, values, first))
            };
            let fails = "xarray 2026.9 opens the group; selecting times by range or the nearest one can then fail.";
            let fix = format!("{fails} {cause}");
            return Some(mismatch(Code::CfCoordinateOrder, (found, expected), fix.trim_end()));
        }
        let missing = steps.missing;
        let expected =
            "a time for each element: CF forbids missing values in a coordinate variable";
        let found = format!("{} times that read as missing", out_of(missing, values.len()));
        let error = Error::new(Code::CfCoordinateMissing, found, expected);
        let error = if tail as u64 == missing {
            error.with_fix(enlarged)
        } else if self.is_fill_a_time(scalars, missing) {
            let fill = self.array.fill_scalar()?;
            error.with_fix(format!(
                "Likely cause: fill_value {fill} is one of the times, and xarray 2026.9 takes the fill value of V2 arrays for \
                 the mark of missing ones. Set it to null."
            ))
        } else {
            error
        };
        (missing > 0).then(|| Problem::new(error))
    }

    /// The words on values of which the first is a time, and each other one the step from the one before.
    fn differences(&self, values: &[Value]) -> Option<String> {
        /// The fewest steps, and by how many times the first value is larger at least.
        const FEWEST: usize = 8;
        const LARGER: f64 = 16.0;
        let counts = counts(values)?;
        let (first, steps) = counts.split_first().filter(|(_, steps)| steps.len() >= FEWEST)?;
        let range = StepRange::of(steps);
        let is_one =
            steps.iter().all(|step| range.holds(*step)) && first.abs() > LARGER * range.high;
        let last = self.packing.date(counts.iter().sum()).filter(|_| is_one)?;
        Some(format!(
            "Likely cause: the values are differences, as the filter delta stores them, and the metadata declares no such \
             filter. Added up, the times are evenly spaced and end at {last}."
        ))
    }

    /// True if a single value reads as missing because it is the fill value, and times go on evenly with it.
    fn is_fill_a_time(&self, scalars: &[Scalar], missing: u64) -> bool {
        let counts = scalars.iter().map(Scalar::to_f64).collect::<Option<Vec<f64>>>();
        let declares =
            |name: &str| self.array.attributes().is_some_and(|it| it.get(name).is_some());
        let is_declared = declares("_FillValue") || declares("missing_value");
        let counts = counts.filter(|_| missing == 1 && !is_declared);
        counts.is_some_and(|counts| {
            let steps: Vec<f64> = steps(&counts).collect();
            let range = StepRange::of(&steps);
            steps.iter().all(|step| range.holds(*step))
        })
    }

    /// The problem that a count is so far from its start that nothing decodes it.
    fn beyond(&self, scalars: &[Scalar]) -> Option<Problem> {
        let dates = self.packing.dates.as_ref()?.as_ref().ok()?;
        let is_beyond = |scalar: &Scalar| {
            let count = self.packing.unpack(scalar.to_f64().unwrap_or_default());
            count.is_finite() && !dates.is_in_microseconds(count)
        };
        let is_value = |scalar: &Scalar| !matches!(self.value(scalar), Value::Missing);
        let is_odd = |scalar: &Scalar| is_value(scalar) && is_beyond(scalar);
        let (count, first) = count_and_first(scalars, is_odd)?;
        let found = format!(
            "{} times, the first at [{first}]: {}",
            out_of(count, scalars.len()),
            scalars.get(first)?
        );
        let sentence = format!("too far for the units: {found}");
        let fix =
            format!("{RAISES} A mark for missing values needs an attribute such as missing_value.");
        let texts = (found, "times less than 292,271 years from their start");
        Some(saying(mismatch(Code::CfTimeUnits, texts, fix), sentence))
    }

    /// The problem that from one index on, times go on as before if they are counted in another unit or from another start.
    fn recounted(&self, scalars: &[Scalar], values: &[Value]) -> Option<Problem> {
        /// The fewest steps before such an index, and from it on.
        const FEWEST: usize = 3;
        let dates = self.dates()?;
        let counts = counts(values)?;
        let steps = |dates: &Dates, from: usize| {
            let moments = counts.iter().skip(from).map(|count| dates.moment(*count));
            steps(&moments.collect::<Vec<f64>>()).collect::<Vec<f64>>()
        };
        let all = steps(dates, 0);
        let mut usual = StepRange::of(all.get(..FEWEST)?);
        let last = all.iter().enumerate().skip(FEWEST).find(|(_, step)| !usual.takes(**step))?.0;
        let usual = StepRange::of(all.get(..last)?);
        let (at, before) = (last + 1, dates.moment(*counts.get(last)?));
        let fits = |(_, other): &(String, Dates)| {
            let first = counts.get(at).map(|count| other.moment(*count) - before);
            first.is_some_and(|step| usual.holds(step)) && {
                let rest = steps(other, at);
                rest.len() >= FEWEST && rest.into_iter().all(|step| usual.holds(step))
            }
        };
        let Some((units, other)) = only(dates.others().filter(fits)) else {
            return Self::in_other_calendar(dates, &counts, at, usual);
        };
        let (declared, meant) = (self.words(scalars.get(at)?), other.of_number(*counts.get(at)?)?);
        let found = format!("from [{at}] on, times that are counted in {}", quoted(&units));
        let sentence = format!("{found}, not as units declares");
        let unconverted = "an append that did not convert its times to the units that are there";
        // Forward, nothing tells it from a gap of just as long.
        let cause = if all.get(last).is_some_and(|step| *step > 0.0) {
            format!("Possible causes: {unconverted}; or a gap, in which data are missing.")
        } else {
            format!("Likely cause: {unconverted}.")
        };
        let fix = format!(
            "Counted that way, [{at}] is {meant}, and the steps go on as before; as declared, it is {declared}. xarray 2026.9 decodes all \
             as declared. {cause}"
        );
        let texts = (found, "one unit and one start");
        Some(saying(mismatch(Code::CfTimeUnits, texts, fix), sentence))
    }

    /// The problem that from index `at` on, times go on as before if they are counted in another calendar.
    fn in_other_calendar(
        dates: &Dates,
        counts: &[f64],
        at: usize,
        usual: StepRange,
    ) -> Option<Problem> {
        /// The fewest times on either side, and the share of steps that are as before: around leap days others are.
        const FEWEST: usize = 8;
        const MOST: f64 = 0.95;
        let (before, after) = counts.split_at_checked(at)?;
        let (last, first) = (*before.last()?, *after.first()?);
        // Of the real calendar, days may be missing; the counts of a model have no gaps.
        let goes_on = first > last && !dates.is_of_model();
        if before.len() < FEWEST || after.len() < FEWEST || goes_on {
            return None;
        }
        let fits = |(_, other): &(&str, Dates)| {
            let moments = after.iter().map(|count| dates.moment_as(other, *count));
            let Some(Some(start)) = moments.clone().next() else { return false };
            let moments: Vec<f64> = moments.flatten().collect();
            let as_before = steps(&moments).filter(|step| usual.holds(*step)).count() as f64;
            usual.holds(start - dates.moment(last))
                && as_before >= MOST * (moments.len() as f64 - 1.0)
        };
        let (calendar, other) = only(dates.in_other_calendars().filter(fits))?;
        let (declared, meant) = (dates.of_number(first)?, other.of_number(first)?);
        let found =
            format!("from [{at}] on, times that are counted in the calendar {}", quoted(calendar));
        let fix = format!(
            "Counted that way, [{at}] is {meant}, and the steps go on as before; as declared, it is {declared}. xarray 2026.9 decodes all \
             as declared. Likely cause: an append of data with another calendar."
        );
        let sentence = format!("{found}, not in the one that is declared");
        Some(saying(mismatch(Code::CfTimeUnits, (found, "one calendar"), fix), sentence))
    }

    /// The problem that times begin months in another calendar, each the one after the last, and drift through them in the
    /// one that is declared.
    fn months(&self, values: &[Value]) -> Option<Problem> {
        /// The fewest months, which have two leap days between them; and of so many dates that are declared, how few may begin
        /// a month.
        const FEWEST: usize = 60;
        const FEW: usize = 2;
        let dates = self.dates()?;
        let counts = counts(values)?;
        let [first, second, ..] = *counts.as_slice() else { return None };
        let step = (dates.moment(second) - dates.moment(first)) / 86_400e9;
        if counts.len() < FEWEST || !(27.0..=32.0).contains(&step) {
            return None;
        }
        let months = |dates: &Dates| -> Vec<Option<i64>> {
            let month = |count: &f64| {
                let text = dates.of_number(*count)?;
                let (day, time) = text.split_once('T')?;
                let mut parts = day.split('-');
                let year: i64 = parts.next()?.parse().ok()?;
                let month: i64 = parts.next()?.parse().ok()?;
                (parts.next() == Some("01") && time.starts_with("00:00:00"))
                    .then_some(year * 12 + month)
            };
            counts.iter().map(month).collect()
        };
        let is_each = |months: &[Option<i64>]| {
            neighbours(months).all(|(a, b)| a.is_some() && *b == a.map(|it| it + 1))
        };
        let declared = months(dates).iter().flatten().count();
        if declared * FEW > counts.len() {
            return None;
        }
        let start = self.array.attributes()?.get_str("units")?;
        let read = |name| Dates::read(start, Some(name))?.ok();
        // From a date after 1582 on, the two are one.
        let standard = read("standard").and_then(|it| it.of_number(first));
        let is_early = |other: &Dates| other.of_number(first) != standard;
        let others = ["standard", "noleap", "360_day", "julian", "proleptic_gregorian"].into_iter();
        let (calendar, other) = only(others.filter_map(|name| {
            let other = read(name).filter(|it| name != "proleptic_gregorian" || is_early(it))?;
            (other != *dates && is_each(&months(&other))).then_some((name, other))
        }))?;
        let last = *counts.last()?;
        let found = format!("times that are counted in the calendar {}", quoted(calendar));
        let fix = format!(
            "Counted that way, each of the {} is the first of a month, from {} to {}; as declared, the last one is {}. xarray 2026.9 \
             decodes as declared.",
            grouped(counts.len()),
            other.of_number(first)?,
            other.of_number(last)?,
            dates.of_number(last)?
        );
        let sentence = format!("{found}, not in the one that is declared");
        let texts = (found, "the calendar of the counts");
        Some(saying(mismatch(Code::CfTimeUnits, texts, fix), sentence))
    }

    /// The problem that times of months are, each twelfth, as far apart as the years of another calendar are long.
    fn years(&self, values: &[Value]) -> Option<Problem> {
        /// The fewest times, and the lengths of months in days.
        const FEWEST: usize = 24;
        const MONTHS: std::ops::RangeInclusive<f64> = 27.0..=32.0;
        let dates = self.dates()?;
        let json = self.array.attributes()?.get("calendar")?;
        let declared = match json.as_str()? {
            "360_day" => 360.0,
            "noleap" | "365_day" => 365.0,
            _ => return None,
        };
        let counts = counts(values)?;
        let days: Vec<f64> = counts.iter().map(|count| dates.moment(*count) / 86_400e9).collect();
        let apart = |by: usize| days.iter().zip(days.iter().skip(by)).map(|(a, b)| b - a);
        let is = |one: f64, other: f64| (one - other).abs() < 1e-3;
        let all = |days: f64| apart(12).all(|it| is(it, days));
        let meant = if all(365.0) {
            "noleap"
        } else if all(360.0) {
            "360_day"
        } else if apart(12).all(|it| is(it, 365.0) || is(it, 366.0)) {
            "standard"
        } else {
            return None;
        };
        let is_due = days.len() >= FEWEST && apart(1).all(|step| MONTHS.contains(&step));
        let sentence = format!(
            "calendar is {}, and the twelfth time after each is {} days after it",
            json.to_line(),
            short(apart(12).next()?)
        );
        let fix = format!(
            "As declared, the dates drift through the year; xarray 2026.9 decodes them so. Likely, the calendar is {}.",
            quoted(meant)
        );
        (is_due && !all(declared)).then(|| finding(Code::CfTimeUnits, sentence, fix))
    }

    /// The note on times that are all one step apart, but for a few that are two: longer gaps are there because nothing was measured.
    fn gap(&self, scalars: &[Scalar], values: &[Value]) -> Option<Problem> {
        /// The fewest steps, and the most of them that are longer.
        const FEWEST: usize = 24;
        const FEW: usize = 2;
        let counts = counts(values)?;
        let steps: Vec<f64> = steps(&counts).collect();
        let usual = steps.iter().copied().reduce(f64::min).filter(|it| *it > 0.0)?;
        let times = |step: &f64| step / usual;
        let is_whole = |step: &f64| (times(step) - times(step).round()).abs() < 1e-3;
        let (count, at) = count_and_first(&steps, |step| times(step) > 1.5)?;
        let are_two = steps.iter().all(|step| times(step) < 2.5);
        if steps.len() < FEWEST || count > FEW || !are_two || !steps.iter().all(is_whole) {
            return None;
        }
        let sentence = format!(
            "times are evenly spaced, but for {}, the first at [{}]: {} after {}",
            counted(count, "gap"),
            at + 1,
            self.words(scalars.get(at + 1)?),
            self.words(scalars.get(at)?)
        );
        let fix = "One time is missing there, if each has one. xarray 2026.9 opens the group and says nothing.";
        Some(note(finding(Code::CfCoordinateOrder, sentence, fix)))
    }

    /// The problem that dates of no near year become such in one shorter unit; true for those that nothing decodes.
    fn unit(&self, values: &[Value], is_beyond: bool) -> Option<Problem> {
        /// The years from which on dates are none that people mean, and the years of those that they do.
        const FAR: i128 = 9999;
        const USUAL: std::ops::RangeInclusive<i128> = 1900..=2100;
        /// In a unit that is short enough, any count is near the start: so many years.
        const NEAR: i128 = 3;
        let dates = self.dates()?;
        let counts = values.iter().filter_map(|value| match value {
            Value::Integer(count) => Some(*count),
            Value::Number(_) | Value::Missing => None,
        });
        let (low, high) = (counts.clone().min()?, counts.max()?);
        let years = |dates: &Dates| Some((dates.year(low)?, dates.year(high)?));
        let (first, last) = years(dates)?;
        let fits = |(_, dates): &(&str, Dates)| {
            let is_far = |start: i128| {
                years(dates).is_some_and(|(low, high)| {
                    USUAL.contains(&low) && USUAL.contains(&high) && (low - start).abs() > NEAR
                })
            };
            dates.year(0).is_some_and(is_far)
        };
        let shorter = only(dates.in_shorter_units().filter(fits));
        let (unit, dates) = shorter.filter(|_| first > FAR)?;
        let words = |(first, last): (i128, i128)| {
            if first == last {
                format!("the year {first}")
            } else {
                format!("the years {first} to {last}")
            }
        };
        let found = format!("times of {}", words((first, last)));
        let expected =
            format!("most likely {unit}: counted so, these are times of {}", words(years(&dates)?));
        let fix = if is_beyond {
            RAISES
        } else {
            "xarray 2026.9 opens the group, and decodes the times as declared."
        };
        Some(mismatch(Code::CfTimeUnits, (found, expected), fix))
    }

    /// The steps that change direction and the repeated values, with the first of them, at index `first`.
    fn out_of_order(&self, steps: &Steps, scalars: &[Scalar], first: usize) -> Option<String> {
        let mut parts = Vec::new();
        if steps.backward > 0 {
            parts.push(counted(steps.backward, "step") + " backward");
        }
        if steps.repeats > 0 {
            parts.push(counted(steps.repeats, "repeated value"));
        }
        let (value, before) = (scalars.get(first)?, scalars.get(first.checked_sub(1)?)?);
        Some(format!(
            "{} among {} times, the first at [{}]: {} after {}",
            parts.join(" and "),
            grouped(scalars.len()),
            grouped(first),
            self.words(value),
            self.words(before),
        ))
    }

    /// The number of values at the end that are the fill value, as those of chunks that were never written.
    fn unwritten(&self, scalars: &[Scalar]) -> usize {
        let Some(fill) = self.array.fill_scalar() else { return 0 };
        let count = scalars.iter().rev().take_while(|scalar| scalar.value_equal(&fill)).count();
        // A single one may just be a value.
        if count == 1 && !self.is_last_missing { 0 } else { count }
    }
}

/// The range of steps that go on in one direction, as those of days and of months do.
#[derive(Debug, Clone, Copy)]
struct StepRange {
    low: f64,
    high: f64,
}

impl StepRange {
    /// By how much steps may differ: months by a tenth, and counts of fractions by rounding.
    const SPREAD: f64 = 0.12;
    const ROUNDING: f64 = 1e-3;

    fn of(steps: &[f64]) -> Self {
        let [low, high] = ends(steps).unwrap_or([f64::INFINITY, f64::NEG_INFINITY]);
        Self { low, high }
    }

    fn is_even(self) -> bool {
        self.high - self.low <= self.low * Self::ROUNDING
    }

    fn holds(self, step: f64) -> bool {
        let by = self.low * if self.is_even() { Self::ROUNDING } else { Self::SPREAD };
        self.low > 0.0
            && self.high <= self.low * (1.0 + Self::SPREAD)
            && (self.low - by..=self.high + by).contains(&step)
    }

    /// True if a further step is of this range, which is then wide enough for it.
    fn takes(&mut self, step: f64) -> bool {
        let wide = Self { low: self.low.min(step), high: self.high.max(step) };
        let is_alike = wide.low > 0.0 && wide.high <= wide.low * (1.0 + Self::SPREAD);
        if is_alike {
            *self = wide;
        }
        is_alike
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn steps(values: &[i128]) -> Steps {
        Steps::of(&values.iter().map(|&value| Value::Integer(value)).collect::<Vec<_>>())
    }

    #[test]
    fn steps_are_counted_against_the_direction_of_most() {
        assert_eq!(steps(&[0, 1, 2, 3]), Steps::default());
        assert_eq!(steps(&[3, 2, 1]), Steps::default());
        assert_eq!(steps(&[0, 1, 1, 2]), Steps { repeats: 1, first: Some(2), ..Steps::default() });
        assert_eq!(
            steps(&[0, 1, 2, 0, 1, 2]),
            Steps { backward: 1, first: Some(3), ..Steps::default() }
        );
        assert_eq!(
            steps(&[9, 8, 9, 7, 6]),
            Steps { backward: 1, first: Some(2), ..Steps::default() }
        );
        let missing = [Value::Integer(1), Value::Missing, Value::Integer(2), Value::Integer(2)];
        assert_eq!(
            Steps::of(&missing),
            Steps { missing: 1, repeats: 1, first: Some(3), backward: 0 }
        );
    }

    #[test]
    fn steps_all_over_have_no_likely_cause() {
        let values = [1, 9, 2, 8, 3, 7, 4, 6, 5, 8, 6].map(Value::Integer);
        let steps = Steps::of(&values);
        assert!(steps.backward > 3);
        assert_eq!(likely_cause(&steps, &values, steps.first.unwrap()), "");
    }
}
