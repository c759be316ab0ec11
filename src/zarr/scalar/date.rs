//! Datetimes and timedeltas as text.
//!
//! A `numpy.datetime64` counts units since 1970-01-01T00:00:00 in the proleptic Gregorian calendar, without leap
//! seconds and without a time zone; a count of years can name a year 10^28. Arithmetic is in `i128`, where the
//! largest count (2^63) times the largest scale (2^31) has room to spare. By hand because the crates for dates end at year
//! 9999 or some 262,000, and at nanoseconds where NumPy goes on to attoseconds.

use super::{Time, TimeUnit};

impl TimeUnit {
    /// Its length in seconds, years and months on the average; `None` for the unit that is none.
    #[must_use]
    pub fn length(self) -> Option<f64> {
        Some(match self {
            Self::Year => 31_556_952.0,
            Self::Month => 2_629_746.0,
            Self::Week => 604_800.0,
            Self::Day => 86_400.0,
            Self::Hour => 3600.0,
            Self::Minute => 60.0,
            Self::Second => 1.0,
            Self::Millisecond => 1e-3,
            Self::Microsecond => 1e-6,
            Self::Nanosecond => 1e-9,
            Self::Picosecond => 1e-12,
            Self::Femtosecond => 1e-15,
            Self::Attosecond => 1e-18,
            Self::Generic => return None,
        })
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
    #[must_use]
    pub fn symbol(self) -> &'static str {
        match self {
            Self::Year => "Y",
            Self::Month => "M",
            Self::Week => "W",
            Self::Day => "D",
            Self::Hour => "h",
            Self::Minute => "m",
            Self::Second => "s",
            Self::Millisecond => "ms",
            Self::Microsecond => "us",
            Self::Nanosecond => "ns",
            Self::Picosecond => "ps",
            Self::Femtosecond => "fs",
            Self::Attosecond => "as",
            Self::Generic => "generic",
        }
    }

    /// The unit of a symbol; `μs` (U+03BC, a Greek letter) is `us`, but `µs` (U+00B5, the micro sign) is nothing:
    /// NumPy does not know it either.
    #[must_use]
    pub fn from_symbol(symbol: &str) -> Option<Self> {
        let symbol = if symbol == "\u{3bc}s" { "us" } else { symbol };
        Self::ALL.into_iter().find(|unit| unit.symbol() == symbol)
    }

    /// For units of a second and below: how many digits a fraction of a second has.
    fn fraction_digits(self) -> Option<u32> {
        match self {
            Self::Second => Some(0),
            Self::Millisecond => Some(3),
            Self::Microsecond => Some(6),
            Self::Nanosecond => Some(9),
            Self::Picosecond => Some(12),
            Self::Femtosecond => Some(15),
            Self::Attosecond => Some(18),
            _ => None,
        }
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

    /// Whether it is not a time.
    #[must_use]
    pub fn is_nat(self) -> bool {
        self.count == Self::NAT
    }

    /// Count times scale: how many plain units.
    #[must_use]
    pub fn units(self) -> i128 {
        i128::from(self.count) * i128::from(self.scale)
    }

    /// A datetime as an ISO 8601 date as precise as its unit, a timedelta as a number and its unit; a generic one is
    /// a bare number. Years past 9999 have a sign, as ISO 8601 wants it.
    #[must_use]
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
        let digits = unit.fraction_digits().unwrap_or(0);
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
