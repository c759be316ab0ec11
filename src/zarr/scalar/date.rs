//! Datetimes and timedeltas as text.
//!
//! A `numpy.datetime64` counts units since 1970-01-01T00:00:00 in the proleptic Gregorian calendar, without leap
//! seconds and without a time zone; a count of years can name a year 10^28. Arithmetic is in `i128`, where the
//! largest count (2^63) times the largest scale (2^31) has room to spare. By hand because the crates for dates end at year
//! 9999 or some 262,000, and at nanoseconds where NumPy goes on to attoseconds.

use super::{Time, TimeUnit};
use std::ops::RangeInclusive;

/// The facts about a unit.
struct UnitRow {
    symbol: &'static str,
    word: &'static str,
    /// Its length in seconds, years and months on the average.
    length: Option<f64>,
    /// For units of a second and below: how many digits a fraction of a second has.
    digits: Option<u32>,
}

const fn row(symbol: &'static str, word: &'static str, length: f64) -> UnitRow {
    UnitRow { symbol, word, length: Some(length), digits: None }
}

const fn fraction(symbol: &'static str, word: &'static str, length: f64, digits: u32) -> UnitRow {
    UnitRow { digits: Some(digits), ..row(symbol, word, length) }
}

/// In the order of [`TimeUnit`].
static UNITS: [UnitRow; 14] = [
    row("Y", "year", 31_556_952.0),
    row("M", "month", 2_629_746.0),
    row("W", "week", 604_800.0),
    row("D", "day", 86_400.0),
    row("h", "hour", 3600.0),
    row("m", "minute", 60.0),
    fraction("s", "second", 1.0, 0),
    fraction("ms", "millisecond", 1e-3, 3),
    fraction("us", "microsecond", 1e-6, 6),
    fraction("ns", "nanosecond", 1e-9, 9),
    fraction("ps", "picosecond", 1e-12, 12),
    fraction("fs", "femtosecond", 1e-15, 15),
    fraction("as", "attosecond", 1e-18, 18),
    UnitRow { symbol: "generic", word: "generic unit", length: None, digits: None },
];

impl TimeUnit {
    fn row(self) -> &'static UnitRow {
        &UNITS[self as usize]
    }

    /// Its length in seconds, years and months on the average; `None` for the unit that is none.
    pub fn length(self) -> Option<f64> {
        self.row().length
    }

    /// Every unit, from the longest to the shortest, then generic.
    pub const ALL: [Self; 14] = [
        Self::Year,
        Self::Month,
        Self::Week,
        Self::Day,
        Self::Hour,
        Self::Minute,
        Self::Second,
        Self::Millisecond,
        Self::Microsecond,
        Self::Nanosecond,
        Self::Picosecond,
        Self::Femtosecond,
        Self::Attosecond,
        Self::Generic,
    ];

    /// As NumPy abbreviates it: `Y`, `ms`, `us`, `generic`.
    pub fn symbol(self) -> &'static str {
        self.row().symbol
    }

    /// One of it in words: `year`, `microsecond`, `generic unit`.
    pub fn word(self) -> &'static str {
        self.row().word
    }

    /// The unit of a symbol; `μs` (U+03BC, a Greek letter) is `us`, but `µs` (U+00B5, the micro sign) is nothing:
    /// NumPy does not know it either.
    pub fn from_symbol(symbol: &str) -> Option<Self> {
        let symbol = if symbol == "\u{3bc}s" { "us" } else { symbol };
        Self::ALL.into_iter().find(|unit| unit.symbol() == symbol)
    }

    /// For units above a second and below a month: how many seconds one has.
    fn seconds(self) -> Option<i128> {
        match self {
            Self::Week => Some(604_800),
            Self::Day => Some(86_400),
            Self::Hour => Some(3_600),
            Self::Minute => Some(60),
            _ => None,
        }
    }
}

impl Time {
    /// The count that stands for "not a time".
    pub const NAT: i64 = i64::MIN;

    /// True if it is not a time.
    pub fn is_nat(self) -> bool {
        self.count == Self::NAT
    }

    /// Count times scale: how many plain units.
    pub fn units(self) -> i128 {
        i128::from(self.count) * i128::from(self.scale)
    }

    /// A datetime as an ISO 8601 date as precise as its unit, a timedelta as a number and its unit; a generic one is
    /// a bare number. Years past 9999 have a sign, as ISO 8601 wants it.
    pub fn text(self) -> String {
        if self.is_nat() {
            return "NaT".into();
        }
        match self.unit {
            TimeUnit::Generic => self.units().to_string(),
            unit if !self.since_epoch => format!("{} {}", self.units(), unit.symbol()),
            TimeUnit::Year => year(1970 + self.units()),
            TimeUnit::Month => {
                format!(
                    "{}-{:02}",
                    year(1970 + self.units().div_euclid(12)),
                    self.units().rem_euclid(12) + 1
                )
            }
            unit => self.instant(unit),
        }
    }

    fn instant(self, unit: TimeUnit) -> String {
        let digits = unit.row().digits.unwrap_or(0);
        let per_second = 10_i128.pow(digits);
        let total = self.units() * unit.seconds().unwrap_or(1);
        let (seconds, fraction) = (total.div_euclid(per_second), total.rem_euclid(per_second));
        let (days, second) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400));
        let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
        let date = date(days);
        match unit {
            TimeUnit::Week | TimeUnit::Day => date,
            TimeUnit::Hour => format!("{date}T{hour:02}"),
            TimeUnit::Minute => format!("{date}T{hour:02}:{minute:02}"),
            TimeUnit::Second => format!("{date}T{hour:02}:{minute:02}:{second:02}"),
            _ => format!(
                "{date}T{hour:02}:{minute:02}:{second:02}.{fraction:0width$}",
                width = digits as usize
            ),
        }
    }
}

impl Time {
    /// The count whose [`Self::text`] is an ISO 8601 date of UTC, or means the same: `2020`, `2020-01-02`,
    /// `2020-01-02T03:04:05.5Z`, a space for the T. `None` where it is no date, or the unit cannot tell it exactly.
    pub fn count_of_date(text: &str, unit: TimeUnit, scale: u32) -> Option<i64> {
        let (date, time) = match text.split_once(['T', ' ']) {
            Some((date, time)) => (date, Some(time.strip_suffix('Z').unwrap_or(time))),
            None => (text, None),
        };
        let (year, month, day) = parts_of_date(date)?;
        let (seconds, attoseconds) = time.map_or(Some((0, 0)), seconds_of_time)?;
        let is_first = day == 1 && seconds == 0 && attoseconds == 0;
        let units = match unit {
            TimeUnit::Generic => return None,
            TimeUnit::Year => Some(year - 1970).filter(|_| month == 1 && is_first)?,
            TimeUnit::Month => Some((year - 1970) * 12 + month - 1).filter(|_| is_first)?,
            _ => {
                let seconds = days(year, month, day).checked_mul(86_400)?.checked_add(seconds)?;
                let per_second = 10_i128.pow(unit.row().digits.unwrap_or(0));
                let rest = 1_000_000_000_000_000_000 / per_second;
                let whole = seconds.checked_mul(per_second)?.checked_add(attoseconds / rest)?;
                let length = unit.seconds().unwrap_or(1);
                (attoseconds % rest == 0 && whole % length == 0).then_some(whole / length)?
            }
        };
        let count = (units % i128::from(scale) == 0).then(|| units / i128::from(scale))?;
        i64::try_from(count).ok().filter(|&count| count != Self::NAT)
    }
}

/// Year, month and day; 1 where the text ends before.
fn parts_of_date(text: &str) -> Option<(i128, i128, i128)> {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    let mut parts = digits.split('-');
    let year = number(parts.next()?, 1..=29)?;
    let month = parts.next().map_or(Some(1), |text| number(text, 2..=2))?;
    let day = parts.next().map_or(Some(1), |text| number(text, 2..=2))?;
    let year = if text.starts_with('-') { -year } else { year };
    let next = if month == 12 { days(year + 1, 1, 1) } else { days(year, month + 1, 1) };
    let is_date = (1..=12).contains(&month)
        && (1..=next - days(year, month, 1)).contains(&day)
        && parts.next().is_none();
    is_date.then_some((year, month, day))
}

/// The seconds since midnight of `hh`, `hh:mm`, `hh:mm:ss` or `hh:mm:ss.f`, and the rest in attoseconds.
fn seconds_of_time(text: &str) -> Option<(i128, i128)> {
    let (text, fraction) = text.split_once('.').map_or((text, None), |(text, f)| (text, Some(f)));
    let parts: Vec<&str> = text.split(':').collect();
    let at = |index: usize| parts.get(index).map_or(Some(0), |text| number(text, 2..=2));
    let (hour, minute, second) = (at(0)?, at(1)?, at(2)?);
    let attoseconds = match fraction {
        None => 0,
        Some(digits) if parts.len() == 3 => number(&format!("{digits:0<18}"), 18..=18)?,
        Some(_) => return None,
    };
    let is_time = hour < 24 && minute < 60 && second < 60 && parts.len() <= 3;
    is_time.then_some((hour * 3600 + minute * 60 + second, attoseconds))
}

/// A number of so many digits.
fn number(text: &str, digits: RangeInclusive<usize>) -> Option<i128> {
    let is_number = digits.contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| text.parse().ok()).flatten()
}

/// The days from 1970-01-01 to a date, the other way round than [`date`].
fn days(year: i128, month: i128, day: i128) -> i128 {
    let year = if month <= 2 { year - 1 } else { year };
    let (cycle, year_of_cycle) = (year.div_euclid(400), year.rem_euclid(400));
    let month_from_march = (month + 9) % 12;
    let day_of_year = (153 * month_from_march + 2) / 5 + day - 1;
    let day_of_cycle = year_of_cycle * 365 + year_of_cycle / 4 - year_of_cycle / 100 + day_of_year;
    cycle * 146_097 + day_of_cycle - 719_468
}

fn year(year: i128) -> String {
    match year {
        0..=9999 => format!("{year:04}"),
        10_000.. => format!("+{year}"),
        _ => format!("-{:04}", year.unsigned_abs()),
    }
}

/// The date `days` after 1970-01-01.
///
/// Years are counted from March, so that the leap day is the last one, in cycles of 400 years (146,097 days).
fn date(days: i128) -> String {
    let shifted = days + 719_468;
    let (cycle, day) = (shifted.div_euclid(146_097), shifted.rem_euclid(146_097));
    let year_of_cycle = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day_of_year = day - (365 * year_of_cycle + year_of_cycle / 4 - year_of_cycle / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day_of_month = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    let full_year = cycle * 400 + year_of_cycle + i128::from(month <= 2);
    format!("{}-{month:02}-{day_of_month:02}", year(full_year))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn date_of(count: i64, symbol: &str, scale: u32) -> String {
        let unit = TimeUnit::from_symbol(symbol).unwrap();
        Time { count, unit, scale, since_epoch: true }.text()
    }

    #[test]
    fn dates_are_those_of_numpy() {
        // str(np.datetime64(count, unit)) of NumPy 2.4
        for (count, unit, expected) in [
            (0, "D", "1970-01-01"),
            (-1, "D", "1969-12-31"),
            (11_016, "D", "2000-02-29"),
            (-719_162, "D", "0001-01-01"),
            (-719_529, "D", "-0001-12-31"),
            (1_500_000_000, "s", "2017-07-14T02:40:00"),
            (-1, "ns", "1969-12-31T23:59:59.999999999"),
            (1, "as", "1970-01-01T00:00:00.000000000000000001"),
            (2_000, "W", "2008-05-01"),
            (600, "M", "2020-01"),
            (-1, "M", "1969-12"),
            (50, "Y", "2020"),
            (400_000, "h", "2015-08-19T16"),
            (-5, "m", "1969-12-31T23:55"),
            (1_600_000_000_123, "ms", "2020-09-13T12:26:40.123"),
        ] {
            assert_eq!(date_of(count, unit, 1), expected, "{count} {unit}");
        }
    }

    #[test]
    fn dates_are_read_as_they_are_written() {
        for unit in TimeUnit::ALL {
            for count in
                [0, 1, -1, 7, 59, -60, 36_525, -719_528, 1_600_000_000, i64::MAX, i64::MIN + 1]
            {
                for scale in [1, 7] {
                    let time = Time { count, unit, scale, since_epoch: true };
                    let read = Time::count_of_date(&time.text(), unit, scale);
                    let wanted = (unit != TimeUnit::Generic).then_some(count);
                    assert_eq!(read, wanted, "{}", time.text());
                }
            }
        }
    }

    #[test]
    fn what_a_unit_cannot_tell_is_no_date_of_it() {
        let count =
            |text, symbol| Time::count_of_date(text, TimeUnit::from_symbol(symbol).unwrap(), 1);
        assert_eq!(count("2020-01-02 03:04:05.5Z", "ms"), Some(1_577_934_245_500));
        assert_eq!(count("2020-01-02T03:04:05.5", "s"), None);
        assert_eq!(count("2020-01-02", "M"), None);
        assert_eq!(count("2020-02", "Y"), None);
        assert_eq!(count("1970-01-02", "W"), None);
        assert_eq!(count("9999-01-01", "ns"), None);
        assert_eq!(count("1900-02-28", "D"), Some(-25_509));
        for refused in [
            "",
            "2020-13",
            "1900-02-29",
            "2020-1-1",
            "2020-01-02T24",
            "12:00",
            "now",
            "2020-01-02T03:04:05+01:00",
            "2020-01-02-03",
            "--1",
            "2020-01-02T03:04.5",
            "٢٠٢٠",
        ] {
            assert_eq!(count(refused, "ns"), None, "{refused}");
        }
    }

    #[test]
    fn nothing_overflows() {
        assert_eq!(
            date_of(i64::MAX, "Y", i32::MAX.cast_unsigned()),
            "+19807040619342712359383730099"
        );
        assert!(date_of(i64::MIN + 1, "W", i32::MAX.cast_unsigned()).starts_with("-3796"));
        assert_eq!(date_of(i64::MIN, "s", 1), "NaT");
        assert_eq!(date_of(3, "s", 10), "1970-01-01T00:00:30");
        let span = Time { count: 3, unit: TimeUnit::Second, scale: 10, since_epoch: false };
        assert_eq!(span.text(), "30 s");
    }
}
