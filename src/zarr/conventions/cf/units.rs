//! `units` and `calendar` of times: what xarray with cftime can decode.

use crate::zarr::conventions::prelude::*;
use crate::zarr::metadata::is_day;

/// The units that xarray decodes in any calendar.
const UNITS: &[&str] = &[
    "microsecond",
    "microseconds",
    "microsec",
    "microsecs",
    "millisecond",
    "milliseconds",
    "millisec",
    "millisecs",
    "msec",
    "msecs",
    "ms",
    "second",
    "seconds",
    "sec",
    "secs",
    "s",
    "minute",
    "minutes",
    "min",
    "mins",
    "hour",
    "hours",
    "hr",
    "hrs",
    "h",
    "day",
    "days",
    "d",
];

/// The units that it decodes in some calendars.
const UNITS_OF_SOME: &[(&[&str], &[&str])] = &[
    (&["nanosecond", "nanoseconds"], GREGORIAN),
    (&["month", "months"], &["360_day"]),
    (&["common_year", "common_years"], &["noleap", "365_day"]),
];

/// The calendars whose dates pandas reads too, in many forms.
const GREGORIAN: &[&str] = &["standard", "gregorian", "proleptic_gregorian"];

/// The calendars that only cftime knows.
const OTHERS: &[&str] = &["julian", "noleap", "365_day", "all_leap", "366_day", "360_day"];

const RAISES: &str = "xarray 2026.9 with cftime 1.6.6 raises ValueError when it opens the group, unless told \
                      decode_times=False.";

/// The problem of the units of an array that counts time since a moment.
pub(super) fn check(array: &ArrayMetadata, attributes: &Attributes) -> Option<Problem> {
    let Some(json) = attributes.get("units") else { return no_units(array, attributes) };
    let text = json.as_str().filter(|_| is_number(array))?;
    if !text.contains("since") {
        return without_moment(attributes, text);
    }
    let calendar = attributes.get("calendar");
    let name = calendar.map_or(Some("standard"), Json::as_str).map(str::to_ascii_lowercase);
    let known = name.as_deref().filter(|name| GREGORIAN.contains(name) || OTHERS.contains(name));
    let Some(name) = known else {
        let calendar = calendar?;
        let all = || GREGORIAN.iter().chain(OTHERS).copied();
        let meant = calendar.as_str().and_then(|text| nearest(text, all()));
        let expected = meant.map_or_else(
            || format!("a calendar that xarray knows: {}", all().joined(", ")),
            |name| format!("such calendars as {}", quoted(name)),
        );
        let texts = (calendar.describe(), expected);
        return attributes.mismatch(Code::CfCalendar, "calendar", texts, RAISES);
    };
    if calendar.is_none()
        && let Some(other) = attributes.get("calendar_type")
        && let Some(meant) = other.as_str().map(str::to_ascii_lowercase)
        && OTHERS.contains(&meant.as_str())
    {
        let sentence = format!("calendar_type is {}, but there is no calendar", other.to_line());
        let fix =
            "xarray 2026.9 ignores calendar_type and decodes the times in the standard calendar.";
        return attributes.finding(Code::CfCalendar, "calendar_type", sentence, fix);
    }
    attributes.mismatch(Code::CfTimeUnits, "units", units(text, name)?, RAISES)
}

/// The warning on times that are numbers without units.
fn no_units(array: &ArrayMetadata, attributes: &Attributes) -> Option<Problem> {
    let is_due = is_called(array, "time") && is_number(array) && Packing::of(array).dates.is_none();
    let sentence = "an array of the standard name \"time\" has no units";
    let fix = "Nothing tells since when they are counted, and in which unit: xarray 2026.9 opens the group, and decodes no dates.";
    attributes.finding_if(is_due, Code::CfTimeUnits, "standard_name", sentence.into(), fix)
}

/// The problem of a unit of time alone where the standard name is that of dates: a warning where a calendar says that they are.
fn without_moment(attributes: &Attributes, text: &str) -> Option<Problem> {
    attributes.get_str("standard_name").filter(|name| *name == "time")?;
    UNITS.contains(&text.to_ascii_lowercase().as_str()).then_some(())?;
    let sentence = format!(
        "units of the standard name \"time\" is {}, and does not say since when",
        quoted(text)
    );
    let fix = format!(
        "CF requires a moment, such as \"{text} since 2000-01-01\". xarray 2026.9 opens the group, and decodes no dates."
    );
    let has_calendar = attributes.get_str("calendar").is_some_and(is_calendar);
    let severity = if has_calendar { Severity::Warning } else { Severity::Note };
    Some(attributes.finding(Code::CfTimeUnits, "units", sentence, fix)?.with_severity(severity))
}

/// True if xarray knows the calendar.
pub(super) fn is_calendar(name: &str) -> bool {
    GREGORIAN.iter().chain(OTHERS).any(|known| name.eq_ignore_ascii_case(known))
}

/// The unit of time that a word is, or nearly is.
pub(super) fn unit_like(word: &str) -> Option<&'static str> {
    nearest(word, UNITS.iter().copied().filter(|unit| unit.len() > 2))
}

/// The part of `text` that cannot be decoded, and an example of one that could.
fn units(text: &str, calendar: &str) -> Option<(String, String)> {
    let parts: Vec<&str> = text.split("since").map(str::trim).collect();
    let [unit, moment] = parts.as_slice() else {
        return Some((quoted(text), "a unit, \"since\" once, and a date".into()));
    };
    let lower = unit.to_ascii_lowercase();
    let is_known = UNITS.contains(&lower.as_str())
        || UNITS_OF_SOME.iter().any(|(units, calendars)| {
            units.contains(&lower.as_str()) && calendars.contains(&calendar)
        });
    if !is_known {
        let meant = unit_like(unit).map_or_else(String::new, |unit| format!("{unit}, or other "));
        let expected = format!(
            "{meant}days, hours, minutes, seconds or parts of a second in the calendar {calendar}"
        );
        return Some((format!("the unit {}", quoted(unit)), expected));
    }
    if lacks_year(moment, calendar) || !is_moment(moment, calendar) {
        let found = format!("the moment {}", quoted(moment));
        let none = if lacks_year(moment, calendar) { ", which has no year 0" } else { "" };
        let expected = format!("a date of the calendar {calendar}{none}, such as 2000-01-01");
        return Some((found, expected));
    }
    None
}

/// True if `text` begins with the year 0, and the calendar goes from -1 to 1, as cftime has it.
fn lacks_year(text: &str, calendar: &str) -> bool {
    let year = text.split('-').next().and_then(|year| year.parse::<u32>().ok());
    year == Some(0) && ["standard", "gregorian", "julian"].contains(&calendar)
}

/// False if neither pandas nor cftime reads the date in `text`. What looks unusual is taken to be read.
fn is_moment(text: &str, calendar: &str) -> bool {
    let date = text.split(['T', ' ']).next().unwrap_or_default();
    let parts: Option<Vec<u32>> = date.split('-').map(|part| part.parse().ok()).collect();
    let is_plain = |year: &str| year.len() == 4;
    match parts.as_deref() {
        Some(&[year, month, day]) if date.split('-').next().is_some_and(is_plain) => {
            is_day(calendar, year, month, day).unwrap_or(true)
        }
        // Only pandas reads a date without a day.
        Some([_] | [_, _]) if OTHERS.contains(&calendar) => false,
        _ => text.bytes().any(|byte| byte.is_ascii_digit()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As xarray 2026.9.0 with cftime 1.6.6.1 does.
    #[test]
    fn what_xarray_refuses_is_told() {
        let read = |text, calendar| units(text, calendar).is_none();
        for (text, calendar, is_read) in [
            ("days since 2000-01-01", "standard", true),
            ("days  since 2000-1-1", "standard", true),
            ("Seconds since 2000-01-01T12:00:00Z", "noleap", true),
            ("days since 2000", "standard", true),
            ("days since 2000-01", "proleptic_gregorian", true),
            ("days since Jan 1 2000", "standard", true),
            ("days since 01-JAN-2000", "standard", true),
            ("days since 20000101", "standard", true),
            ("days since 1-1-1", "standard", true),
            ("days since -4713-01-01", "standard", true),
            ("days since 99999-01-01", "standard", true),
            ("days since 2000-02-30", "360_day", true),
            ("months since 2000-01-01", "360_day", true),
            ("common_years since 2000-01-01", "noleap", true),
            ("nanoseconds since 2000-01-01", "standard", true),
            ("days since 2000-02-30", "standard", false),
            ("days since 2001-02-29", "noleap", false),
            ("days since 2000-13-01", "360_day", false),
            ("days since 1582-10-10", "standard", false),
            ("days since 1582-10-10", "proleptic_gregorian", true),
            ("days since 2000", "noleap", false),
            ("days since 20000101", "360_day", false),
            ("days since yesterday", "standard", false),
            ("days since now", "standard", false),
            ("days since", "standard", false),
            ("number since last since 2000-01-01", "standard", false),
            ("since 2000-01-01", "standard", false),
            ("months since 2000-01-01", "standard", false),
            ("common_years since 2000-01-01", "standard", false),
            ("nanoseconds since 2000-01-01", "noleap", false),
            ("weeks since 2000-01-01", "standard", false),
            ("us since 2000-01-01", "standard", false),
            ("fortnights since 2000-01-01", "standard", false),
        ] {
            assert_eq!(read(text, calendar), is_read, "{text} {calendar}");
        }
    }
}
