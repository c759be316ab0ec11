//! The values of a coordinate other than time: evenly spaced but for a break, or missing. What is not evenly spaced may
//! be in any order, as numbers of stations are.

use super::{
    SILENT, digits,
    ranges::{PLACES, angle},
};
use crate::zarr::{conventions::prelude::*, metadata::Meant, statistics::MARKS};

/// The fewest values in which a spacing is seen, and the most that are read.
const FEWEST: u64 = 8;
const MOST: u64 = 1 << 16;

/// The fewest steps that are even where one or two are not.
const EVEN: usize = 6;

/// The problem of the values of an array that is a coordinate and no time; `None` where it is none, is too short or
/// too long, or cannot be read.
pub(in crate::zarr::conventions) fn check(related: &Related) -> Option<Problem> {
    let (array, length) = (related.array, related.length()?);
    let packing = Packing::of(array);
    let is_number = is_number(array) && packing.dates.is_none();
    if !related.is_coordinate() || !(FEWEST..=MOST).contains(&length) || !is_number {
        return None;
    }
    let (scalars, is_last_missing) = related.scalars()?;
    let value = |scalar: &Scalar| match packing.meant(scalar) {
        // In V2 that of the fill value is told by itself.
        Meant::Missing("_FillValue" | "missing_value") => f64::NAN,
        _ => packing.unpack(scalar.to_f64().unwrap_or(f64::NAN)),
    };
    let values: Vec<f64> = scalars.iter().map(value).collect();
    let digits = digits::of(array).filter(|_| !packing.is_scaled);
    // Where no chunk is stored, nothing is known of its values; and not every dimension has some.
    if values.iter().all(|value| value.is_nan()) && (*is_last_missing || !is_place(array)) {
        return None;
    }
    let problem = missing(&values)
        .or_else(|| doubled(&values))
        .or_else(|| wrapped(&values))
        .or_else(|| turned(array, &values))
        .or_else(|| SpacingBreak::of(&values)?.problem(&values))
        .or_else(|| digits::rounded(&values, digits?, None))?;
    in_file_of(array, problem)
}

/// True if attributes say that the values are places.
fn is_place(array: &ArrayMetadata) -> bool {
    text_of(array, "standard_name").is_some_and(|name| PLACES.contains(&name))
        || text_of(array, "units").and_then(angle).is_some()
}

/// The finding on values that are missing: a note, and a warning where all are.
fn missing(values: &[f64]) -> Option<Problem> {
    let (count, first) = count_and_first(values, |value| value.is_nan())?;
    let is_all = count == values.len();
    let of = grouped(values.len());
    let found = if is_all {
        format!("all {of} values read as missing")
    } else {
        format!("{} of {of} values that read as missing, the first at [{first}]", grouped(count))
    };
    let expected = "a value for each element: CF forbids missing values in a coordinate variable";
    let is_tail = first + count == values.len() && !is_all;
    let fix = "xarray 2026.9 opens the group with NaN in the index.";
    let cause = if is_tail {
        " Likely cause: the array was enlarged, and its end not written."
    } else {
        ""
    };
    let severity = if is_all { Severity::Warning } else { Severity::Note };
    let fix = format!("{fix}{cause}");
    let problem = mismatch(Code::CfCoordinateMissing, (found, expected), fix);
    Some(problem.with_severity(severity))
}

/// The warning on values of which many are there twice but for their last digits.
fn doubled(values: &[f64]) -> Option<Problem> {
    /// The share of the usual step that is none, and the fewest such steps, of which one in so many is one.
    const NONE: f64 = 1e-4;
    const FEW: usize = 4;
    const ONE_IN: usize = 5;
    let ascending = sorted(values);
    let steps: Vec<f64> = steps(&ascending).collect();
    let usual = *sorted(&steps).get(steps.len() * 3 / 4)?;
    let is_none = |step: &f64| *step > 0.0 && *step < usual * NONE;
    let count = steps.iter().filter(|step| is_none(step)).count();
    // All others are steps: what is spaced in some other way has some of any length.
    let is_step = |step: &f64| is_none(step) || *step >= usual / 16.0;
    if count < FEW || count * ONE_IN < steps.len() || !steps.iter().all(is_step) {
        return None;
    }
    let (first, next) = neighbours(&ascending).find(|(a, b)| is_none(&(*b - *a)))?;
    let found = format!(
        "{} values are there twice but for their last digits, such as {first} and {next}",
        out_of(count, values.len())
    );
    let fix = "Likely cause: data were joined by this coordinate, which some had in less precision (float32): each has the rows of the \
               others as missing. Join them by position, or with the coordinate of one.";
    let texts = (found.clone(), "each place once");
    Some(saying(mismatch(Code::CfCoordinateOrder, texts, fix), found))
}

/// The warning on values that go on evenly past the end of what so many bits hold, and there begin anew; in any order.
pub(super) fn wrapped(values: &[f64]) -> Option<Problem> {
    const NANOSECONDS: f64 = 18_446_744_073.709_553;
    const TURNS: [(f64, &str); 5] = [
        (65_536.0, "16 bits"),
        (4_294_967_296.0, "32 bits"),
        (NANOSECONDS, "64 bits of nanoseconds"),
        (NANOSECONDS / 3600.0, "64 bits of nanoseconds"),
        (NANOSECONDS / 86_400.0, "64 bits of nanoseconds"),
    ];
    let ascending = sorted(values);
    let steps = sorted(&steps(&ascending).collect::<Vec<f64>>());
    let step = *steps.get(steps.len() / 2)?;
    let is_step = |it: f64| (it - step).abs() <= step * 1e-2;
    // All but one, which is what lies between the two ends.
    let (gap, even) = steps.split_last()?;
    let is_broken = step > 0.0 && *gap > step * 4.0 && even.iter().all(|it| is_step(*it));
    let (low, high) = (*ascending.first()?, *ascending.last()?);
    let is_turn = |(turn, _): &&(f64, &str)| {
        let is_held = low >= -turn / 2.0 && high <= turn / 2.0 || low >= 0.0 && high <= *turn;
        is_held && is_step(low + turn - high)
    };
    let is_told = is_broken && even.len() >= EVEN;
    let (turn, bits) = TURNS.iter().filter(|_| is_told).find(is_turn)?;
    let count = ascending.iter().take_while(|it| **it < low + gap).count();
    let sentence = format!(
        "{} values, from {} on, go on evenly after {} if {} is added to each: they overflowed {bits}",
        out_of(count, values.len()),
        short(low),
        short(high),
        short(*turn)
    );
    let fix = "Whatever was sorted by these values has the last ones first.";
    Some(finding(Code::CfCoordinateOrder, sentence, fix))
}

/// The finding on longitudes that go on after 180 at -180: a warning where they go once around, so that they can be sorted.
fn turned(array: &ArrayMetadata, values: &[f64]) -> Option<Problem> {
    let attributes = array.attributes()?;
    let is_longitude = attributes.get_str("standard_name") == Some("longitude")
        || attributes.get_str("units").and_then(angle) == Some("longitude");
    let step = values.get(1)? - values.first()?;
    let is_step = |it: f64| (it - step).abs() <= step.abs() * 1e-2;
    let breaks = neighbours(values).enumerate().filter(|(_, (a, b))| !is_step(**b - **a));
    let (at, (before, after)) = only(breaks)?;
    let is_turn = step > 0.0 && is_step(after + 360.0 - before) && *after >= -180.01;
    (is_longitude && is_turn).then_some(())?;
    let found = format!("{} at [{}] after {}", short(*after), at + 1, short(*before));
    let sentence = format!("longitudes go on with {found}: they are not sorted");
    let is_around = (step * values.len() as f64 - 360.0).abs() < step / 2.0;
    let cause = if is_around {
        "Likely cause: they were turned from 0 to 360 into -180 to 180 without sorting the data by them (sortby)."
    } else {
        "Beyond 180, longitudes can go on (181, 182), which is in order."
    };
    let fix = format!(
        "xarray 2026.9 opens the group; selecting a range, such as -10 to 30, can then fail or find nothing. {cause}"
    );
    let problem = saying(mismatch(Code::CfCoordinateOrder, (found, ""), fix), sentence);
    note_unless(is_around, Some(problem))
}

/// The one place at which evenly spaced values are not.
#[derive(Debug, Clone, Copy, PartialEq)]
enum SpacingBreak {
    /// The value at an index; those around it are two steps apart.
    Value(usize, f64),
    /// The first value, nowhere near all others.
    First(f64),
    /// From an index on, values that come after a step of another direction.
    Jump(usize),
}

impl SpacingBreak {
    fn of(values: &[f64]) -> Option<Self> {
        let (first, rest) = values.split_first()?;
        Self::in_even(values).or_else(|| {
            /// By how many times the range of the others it must be away from them: first levels, and the last of a scale, may
            /// be at some distance. What marks missing values is told as such.
            const FAR: f64 = 1e6;
            let [one, next] = *rest.get(..2)? else { return None };
            let step = next - one;
            let range = step.abs() * rest.len() as f64;
            let tolerance = step.abs() * 1e-2;
            let is_even = steps(rest).all(|it| (it - step).abs() <= tolerance);
            // Those of float32 are marks only nearly.
            let is_mark = MARKS.iter().any(|mark| (mark - first).abs() <= mark.abs() * 1e-6);
            let is_far = range > 0.0 && (first - one).abs() > FAR * range && !is_mark;
            (is_even && is_far && rest.len() >= EVEN).then_some(Self::First(one - step))
        })
    }

    fn in_even(values: &[f64]) -> Option<Self> {
        let steps: Vec<f64> = steps(values).collect();
        let step = median(&steps)?;
        let largest = values.iter().fold(0.0_f64, |most, value| most.max(value.abs()));
        // Float32 is the coarsest that coordinates are written in.
        let tolerance = step.abs() * 1e-2 + largest * 4.0 * f64::from(f32::EPSILON);
        let is_even = |value: f64, step: f64| (value - step).abs() <= tolerance;
        let odd: Vec<usize> = steps
            .iter()
            .enumerate()
            .filter(|(_, it)| !is_even(**it, step))
            .map(|(at, _)| at)
            .collect();
        if tolerance * 4.0 > step.abs() || steps.len() < EVEN + odd.len() {
            return None;
        }
        let is_back = |at: usize| steps.get(at).is_some_and(|it| it * step <= 0.0);
        match *odd.as_slice() {
            [one, next] if next == one + 1 => {
                let both = steps.get(one)? + steps.get(next)?;
                let should = values.get(one)? + step;
                is_even(both, step * 2.0).then_some(Self::Value(next, should))
            }
            [one] if is_back(one) => Some(Self::Jump(one + 1)),
            _ => None,
        }
    }

    fn problem(self, values: &[f64]) -> Option<Problem> {
        let (found, cause, is_ordered) = match self {
            Self::Value(at, should) => {
                let (before, value, after) =
                    (values.get(at.checked_sub(1)?)?, values.get(at)?, values.get(at + 1)?);
                let is_between = (value - before) * (after - value) > 0.0;
                let found = format!(
                    "{} at [{at}], between {} and {}",
                    short(*value),
                    short(*before),
                    short(*after)
                );
                (
                    found,
                    format!("All other values are evenly spaced; here {} would be.", short(should)),
                    is_between,
                )
            }
            Self::First(should) => {
                let (value, next) = (values.first()?, values.get(1)?);
                let found = format!("{} at [0], before {}", short(*value), short(*next));
                let text = format!(
                    "All other values are evenly spaced; before them, {} is expected. Likely cause: memory that was never \
                     written to.",
                    short(should)
                );
                (found, text, false)
            }
            Self::Jump(at) => {
                let (before, value) = (values.get(at.checked_sub(1)?)?, values.get(at)?);
                // Longitudes go on after a turn, and whole pieces may be in any order: only what was there is wrong.
                let is_same = |it: &f64| (it - value).abs() <= f64::EPSILON * 16.0 * it.abs();
                let known = values.iter().take(at).position(is_same)?;
                let found = format!(
                    "{} at [{at}] after {}, which is the value at [{known}]",
                    short(*value),
                    short(*before)
                );
                (
                    found,
                    "Likely cause: data appended twice or in the wrong place.".to_owned(),
                    false,
                )
            }
        };
        let expected = "values that only increase or only decrease";
        let expected =
            if is_ordered { "an even spacing, as all other values have" } else { expected };
        let fix = if is_ordered {
            SILENT
        } else {
            "xarray 2026.9 opens the group; selecting a range or the nearest value can then fail."
        };
        let fix = format!("{fix} {cause}");
        let problem = mismatch(Code::CfCoordinateOrder, (found, expected), fix);
        note_unless(!is_ordered, Some(problem))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_overflowed_goes_on_evenly() {
        let of = |first: f64, step: f64, turn: f64, low: f64| {
            let value = |n: i32| (first + f64::from(n) * step - low).rem_euclid(turn) + low;
            let mut values: Vec<f64> = (0..24).map(value).collect();
            let found = wrapped(&values);
            values.sort_by(f64::total_cmp);
            // Sorting by them changes nothing.
            assert_eq!(wrapped(&values), found);
            found.map(|problem| problem.error.to_string())
        };
        let nanoseconds = 18_446_744_073.709_553;
        let told = of(9.19e9, 2_592_000.0, nanoseconds, -nanoseconds / 2.0).unwrap();
        assert!(told.contains("overflowed 64 bits of nanoseconds"), "{told}");
        assert!(of(32_000.0, 100.0, 65_536.0, -32_768.0).is_some_and(|it| it.contains("16 bits")));
        assert!(of(65_000.0, 100.0, 65_536.0, 0.0).is_some_and(|it| it.contains("16 bits")));
        // What ends before, and longitudes.
        assert_eq!(of(0.0, 100.0, 65_536.0, -32_768.0), None);
        assert_eq!(of(100.0, 10.0, 360.0, -180.0), None);
    }

    #[test]
    fn one_break_in_an_even_spacing_is_seen() {
        let even: Vec<f64> = (0..12).map(|n| f64::from(n) * 2.5 - 10.0).collect();
        let with = |at: usize, value: f64| {
            let mut values = even.clone();
            values[at] = value;
            SpacingBreak::of(&values)
        };
        assert_eq!(SpacingBreak::of(&even), None);
        assert_eq!(with(5, 100.0), Some(SpacingBreak::Value(5, 2.5)));
        assert_eq!(with(5, 3.0), Some(SpacingBreak::Value(5, 2.5)));
        assert_eq!(with(0, 1.4e14), Some(SpacingBreak::First(-10.0)));
        assert_eq!((with(0, -30.0), with(0, -1e34), with(11, 1.4e14)), (None, None, None));
        let twice: Vec<f64> = even.iter().chain(&even).copied().collect();
        assert_eq!(SpacingBreak::of(&twice), Some(SpacingBreak::Jump(12)));
        assert!(SpacingBreak::Jump(12).problem(&twice).is_some());
        // Longitudes that go on after a turn, levels, a gap, and what has no spacing.
        let turn: Vec<f64> = (0..36).map(|n| f64::from((n * 10 + 180) % 360 - 180)).collect();
        assert_eq!(SpacingBreak::of(&turn).and_then(|it| it.problem(&turn)), None);
        let levels = [1000.0, 975.0, 950.0, 925.0, 900.0, 850.0, 800.0, 700.0, 500.0, 300.0];
        assert_eq!(SpacingBreak::of(&levels), None);
        let gap: Vec<f64> = even.iter().filter(|value| value.abs() > 0.1).copied().collect();
        assert_eq!(SpacingBreak::of(&gap), None);
        assert_eq!(SpacingBreak::of(&[3.0, 1.0, 2.0, 8.0, 5.0, 4.0, 6.0, 7.0, 9.0]), None);
    }
}
