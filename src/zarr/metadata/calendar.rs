//! Times as the CF conventions write them: a count of `units` "… since …" in a `calendar`.
//!
//! By hand because half of the calendars are those of climate models, in which 30 February is a day.

/// A day, in nanoseconds.
const DAY: i128 = 86_400_000_000_000;
/// The first day of the Gregorian calendar, 1582-10-15, counted from its 0000-01-01.
const REFORM: i128 = 578_101;
/// The names of each unit, and its length in nanoseconds.
const UNITS: [(&[&str], i128); 8] = [
    (&["nanoseconds", "nanosecond"], 1),
    (&["microseconds", "microsecond", "microsecs", "microsec", "us"], 1_000),
    (&["milliseconds", "millisecond", "millisecs", "millisec", "msecs", "msec", "ms"], 1_000_000),
    (&["seconds", "second", "secs", "sec", "s"], 1_000_000_000),
    (&["minutes", "minute", "mins", "min"], 60_000_000_000),
    (&["hours", "hour", "hrs", "hr", "h"], 3_600_000_000_000),
    (&["days", "day", "d"], DAY),
    (&["weeks", "week"], 7 * DAY),
];

/// Starts that programs and archives count from.
const STARTS: [&str; 9] = [
    "1970-01-01",
    "1900-01-01",
    "1950-01-01",
    "2000-01-01",
    "1850-01-01",
    "1800-01-01",
    "1980-01-01",
    "1990-01-01",
    "0001-01-01",
];

/// The days that a calendar has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Calendar {
    Gregorian,
    Julian,
    /// Julian before 1582-10-15, Gregorian from then on.
    Standard,
    /// Every year has so many days: 360 in months of 30, 365, or 366.
    Even(i128),
}

/// The meaning of a count of time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Dates {
    calendar: Calendar,
    /// The unit, in nanoseconds.
    unit: i128,
    /// The moment that is 0, in nanoseconds since 0000-01-01 of the calendar.
    since: i128,
}

impl Dates {
    /// True if xarray reads them as dates of NumPy, whose calendar is the Gregorian one.
    pub fn are_of_numpy(self) -> bool {
        matches!(self.calendar, Calendar::Gregorian | Calendar::Standard)
    }

    /// Reads `units` and `calendar`; `None` where the units are no count of time since a moment.
    ///
    /// # Errors
    ///
    /// The reason why there are no dates, in words, where the units are such a count.
    pub fn read(units: &str, calendar: Option<&str>) -> Option<Result<Self, String>> {
        let (unit, since) = units.split_once(" since ")?;
        Some(Self::parts(unit.trim(), since.trim(), calendar.unwrap_or("standard")))
    }

    fn parts(unit: &str, since: &str, calendar: &str) -> Result<Self, String> {
        let known = Calendar::named(&calendar.to_ascii_lowercase());
        let calendar =
            known.ok_or_else(|| format!("zarrscope does not know the calendar {calendar:?}"))?;
        let lower = unit.to_ascii_lowercase();
        let known = UNITS.iter().find(|(names, _)| names.contains(&lower.as_str()));
        let (_, unit) = known.ok_or_else(|| format!("{unit:?} is not a unit of fixed length"))?;
        let moment = moment(since, calendar);
        let since = moment.ok_or_else(|| format!("{since:?} is not a date in this calendar"))?;
        Ok(Self { calendar, unit: *unit, since })
    }

    /// The date of a whole count; `None` where it is out of all bounds.
    pub fn of_integer(&self, count: i128) -> Option<String> {
        self.text(count.checked_mul(self.unit)?)
    }

    /// The date of any count, to the microsecond: a fraction of a day has no more digits.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_precision_loss,
        reason = "a count past the bounds is refused, and a fraction is below a week"
    )]
    pub fn of_number(&self, count: f64) -> Option<String> {
        let whole = Some(count.trunc()).filter(|whole| whole.abs() < 1e18)? as i128;
        let micros = (count.fract() * self.unit as f64 / 1e3).round() as i128;
        self.text(whole.checked_mul(self.unit)?.checked_add(micros * 1_000)?)
    }

    /// The year of a count; `None` where it is out of all bounds.
    pub fn year(&self, count: i128) -> Option<i128> {
        let day = self.since.checked_add(count.checked_mul(self.unit)?)?.div_euclid(DAY);
        Some(self.calendar.date(Some(day).filter(|day| day.abs() < 1 << 40)?).0)
    }

    /// True if a count is one of microseconds in 64 bits, as cftime 1.6.6 has it.
    pub fn is_in_microseconds(&self, count: f64) -> bool {
        (count * self.unit as f64 / 1e3).abs() < i64::MAX as f64
    }

    /// The moment of a count, in nanoseconds.
    pub fn moment(&self, count: f64) -> f64 {
        count.mul_add(self.unit as f64, self.since as f64)
    }

    /// The moment of a date that is written out, in nanoseconds.
    pub fn moment_of(&self, text: &str) -> Option<f64> {
        moment(text.trim(), self.calendar).map(|moment| moment as f64)
    }

    /// The same counts in other calendars, with the names of these.
    pub fn in_other_calendars(self) -> impl Iterator<Item = (&'static str, Self)> {
        let own = |calendar: Calendar| match calendar {
            Calendar::Gregorian => Calendar::Standard,
            other => other,
        };
        let others = ["standard", "noleap", "360_day"].into_iter();
        others.filter_map(move |name| {
            let calendar = Calendar::named(name).filter(|it| own(*it) != own(self.calendar))?;
            Some((name, Self { calendar, since: moment(&self.text(0)?, calendar)?, ..self }))
        })
    }

    /// The moment in this calendar of the date that a count has in another one; `None` where there is no such day.
    pub fn moment_as(&self, other: &Self, count: f64) -> Option<f64> {
        moment(&other.of_number(count)?, self.calendar).map(|moment| moment as f64)
    }

    /// True if no year of the calendar has a leap day: that of a model.
    pub fn is_of_model(&self) -> bool {
        matches!(self.calendar, Calendar::Even(_))
    }

    /// The counts of other units, from the same start and from others that are usual, with their names.
    pub fn others(self) -> impl Iterator<Item = (String, Self)> {
        let own =
            self.text(0).map(|start| (start.trim_end_matches("T00:00:00").to_owned(), self.since));
        let usual = STARTS
            .iter()
            .filter_map(move |start| Some(((*start).to_owned(), moment(start, self.calendar)?)));
        let starts: Vec<_> =
            own.into_iter().chain(usual.filter(move |(_, since)| *since != self.since)).collect();
        let counts = UNITS.into_iter().flat_map(move |(names, unit)| {
            let name = names.first().copied().unwrap_or_default();
            starts.clone().into_iter().map(move |(start, since)| {
                (format!("{name} since {start}"), Self { unit, since, ..self })
            })
        });
        counts.filter(move |(_, other)| *other != self)
    }

    /// The same counts in each shorter unit, with its name.
    pub fn in_shorter_units(self) -> impl Iterator<Item = (&'static str, Self)> {
        let shorter = UNITS.into_iter().filter(move |(_, unit)| *unit < self.unit);
        shorter.filter_map(move |(names, unit)| Some((*names.first()?, Self { unit, ..self })))
    }

    fn text(&self, after: i128) -> Option<String> {
        let moment = self.since.checked_add(after)?;
        let (day, rest) = (moment.div_euclid(DAY), moment.rem_euclid(DAY));
        // Some billion years.
        let (year, month, day) = self.calendar.date(Some(day).filter(|day| day.abs() < 1 << 40)?);
        let (second, fraction) = (rest / 1_000_000_000, rest % 1_000_000_000);
        let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
        let sign = if year < 0 { "-" } else { "" };
        let year = year.unsigned_abs();
        let text = format!("{sign}{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}");
        if fraction == 0 {
            return Some(text);
        }
        Some(format!("{text}.{fraction:09}").trim_end_matches('0').to_owned())
    }
}

/// True if a calendar has this day; `None` where the calendar is not known.
pub fn is_day(calendar: &str, year: u32, month: u32, day: u32) -> Option<bool> {
    let calendar = Calendar::named(calendar)?;
    Some(calendar.day(year.into(), month.into(), day.into()).is_some())
}

impl Calendar {
    fn named(name: &str) -> Option<Self> {
        Some(match name {
            "standard" | "gregorian" => Self::Standard,
            "proleptic_gregorian" => Self::Gregorian,
            "julian" => Self::Julian,
            "360_day" => Self::Even(360),
            "noleap" | "365_day" => Self::Even(365),
            "all_leap" | "366_day" => Self::Even(366),
            _ => return None,
        })
    }

    fn is_leap(self, year: i128) -> bool {
        let every = |years: i128| year.rem_euclid(years) == 0;
        match self {
            Self::Julian => every(4),
            Self::Gregorian | Self::Standard => every(4) && (!every(100) || every(400)),
            Self::Even(days) => days == 366,
        }
    }

    fn days_of(self, year: i128, month: i128) -> i128 {
        match (self, month) {
            (Self::Even(360), _) | (_, 4 | 6 | 9 | 11) => 30,
            (_, 2) if self.is_leap(year) => 29,
            (_, 2) => 28,
            _ => 31,
        }
    }

    /// The days from the Gregorian 0000-01-01 to the first of a year; of calendars with even years, from their own.
    fn start(self, year: i128) -> i128 {
        let leaps = |years: i128| (year + years - 1).div_euclid(years);
        match self {
            // The Julian year 0 begins two days earlier.
            Self::Julian => 365 * year + leaps(4) - 2,
            Self::Gregorian | Self::Standard => 365 * year + leaps(4) - leaps(100) + leaps(400),
            Self::Even(days) => days * year,
        }
    }

    fn date(self, day: i128) -> (i128, i128, i128) {
        match self {
            Self::Standard if day < REFORM => return Self::Julian.date(day),
            Self::Standard => return Self::Gregorian.date(day),
            _ => {}
        }
        // Near enough, by how many days so many years have.
        let mut year = match self {
            Self::Even(days) => day.div_euclid(days),
            Self::Julian => (day * 4).div_euclid(1_461),
            Self::Gregorian | Self::Standard => (day * 400).div_euclid(146_097),
        };
        while self.start(year) > day {
            year -= 1;
        }
        while self.start(year + 1) <= day {
            year += 1;
        }
        let (mut month, mut rest) = (1, day - self.start(year));
        while rest >= self.days_of(year, month) {
            rest -= self.days_of(year, month);
            month += 1;
        }
        (year, month, rest + 1)
    }

    /// The day of a date; `None` where the calendar has no such day.
    fn day(self, year: i128, month: i128, day: i128) -> Option<i128> {
        if self == Self::Standard {
            let gregorian = Self::Gregorian.day(year, month, day);
            return gregorian
                .filter(|day| *day >= REFORM)
                .or_else(|| Self::Julian.day(year, month, day).filter(|day| *day < REFORM));
        }
        let is_day = (1..=12).contains(&month) && (1..=self.days_of(year, month)).contains(&day);
        let before: i128 = (1..month).map(|month| self.days_of(year, month)).sum();
        is_day.then(|| self.start(year) + before + day - 1)
    }
}

/// A moment such as `1970-01-01`, `1850-1-1 00:00:0.0` or `2000-01-01T12:00:00+01:00`, in nanoseconds.
fn moment(text: &str, calendar: Calendar) -> Option<i128> {
    let (date, time) = text.split_once(['T', ' ']).unwrap_or((text, ""));
    let (date, sign) = date.strip_prefix('-').map_or((date, 1), |date| (date, -1));
    let mut parts = date.split('-').map(|part| part.parse::<u32>().ok().map(i128::from));
    let (year, month, day) = (parts.next()??, parts.next()??, parts.next()??);
    if parts.next().is_some() {
        return None;
    }
    let time = time.trim();
    let time = ["UTC", "GMT", "Z"].iter().find_map(|zone| time.strip_suffix(zone)).unwrap_or(time);
    let (time, zone) = match time.rfind(['+', '-']) {
        Some(at) => time.split_at(at),
        None => (time, ""),
    };
    let east = if zone.starts_with('-') { -1 } else { 1 };
    let zone = clock(zone.trim_start_matches(['+', '-']))?;
    Some(calendar.day(sign * year, month, day)? * DAY + clock(time.trim())? - east * zone)
}

/// `12`, `12:30`, `12:30:15.5` in nanoseconds; nothing is midnight.
fn clock(text: &str) -> Option<i128> {
    if text.is_empty() {
        return Some(0);
    }
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let mut nanos = 0;
    let mut unit = 3_600_000_000_000;
    for part in whole.split(':') {
        nanos += i128::from(part.parse::<u32>().ok().filter(|part| *part < 100)?) * unit;
        unit /= 60;
    }
    let digits = fraction.get(..fraction.len().min(9))?;
    let fraction = format!("{digits:0<9}").parse::<u32>().ok()?;
    (unit >= 16_666_666).then_some(nanos + i128::from(fraction))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn date(units: &str, calendar: &str, count: i128) -> String {
        Dates::read(units, Some(calendar)).unwrap().unwrap().of_integer(count).unwrap()
    }

    #[test]
    fn dates_are_those_of_cftime() {
        // cftime.num2date of cftime 1.6.6.1
        for (units, calendar, count, expected) in [
            ("days since 1582-10-15", "standard", -1, "1582-10-04T00:00:00"),
            ("days since 1582-10-15", "proleptic_gregorian", -1, "1582-10-14T00:00:00"),
            ("days since 0001-01-01", "standard", 577_737, "1582-10-15T00:00:00"),
            ("hours since 1900-01-01 00:00:0.0", "gregorian", 1_043_136, "2019-01-01T00:00:00"),
            ("days since 2000-02-28", "noleap", 1, "2000-03-01T00:00:00"),
            ("days since 2001-02-28", "all_leap", 1, "2001-02-29T00:00:00"),
            ("days since 2000-01-30", "360_day", 30, "2000-02-30T00:00:00"),
            ("days since 1900-02-28", "julian", 1, "1900-02-29T00:00:00"),
            ("minutes since 2000-01-01T12:00:00+01:00", "standard", 1, "2000-01-01T11:01:00"),
            // xarray 2026.9.0: cftime has no nanoseconds
            ("nanoseconds since 2000-01-01", "standard", 1, "2000-01-01T00:00:00.000000001"),
            ("milliseconds since 1970-01-01T00:00:00Z", "standard", -1, "1969-12-31T23:59:59.999"),
            ("days since 1970-01-01", "proleptic_gregorian", -719_529, "-0001-12-31T00:00:00"),
        ] {
            assert_eq!(date(units, calendar, count), expected, "{count} {units} {calendar}");
        }
    }

    #[test]
    fn every_day_is_the_day_of_its_date() {
        for calendar in [
            Calendar::Gregorian,
            Calendar::Julian,
            Calendar::Standard,
            Calendar::Even(360),
            Calendar::Even(365),
            Calendar::Even(366),
        ] {
            for day in (-800_000..800_000).step_by(97).chain(REFORM - 400..REFORM + 400) {
                let (year, month, date) = calendar.date(day);
                assert_eq!(calendar.day(year, month, date), Some(day), "{calendar:?}");
            }
        }
    }

    #[test]
    fn what_is_no_date_says_why() {
        let read = |units, calendar| Dates::read(units, Some(calendar));
        assert!(read("hours", "standard").is_none());
        for (units, calendar) in [
            ("months since 2000-01-01", "standard"),
            ("days since 2000-02-30", "standard"),
            ("days since 1582-10-10", "standard"),
            ("days since yesterday", "standard"),
            ("days since 2000-01-01", "tai"),
        ] {
            assert!(read(units, calendar).unwrap().is_err(), "{units} {calendar}");
        }
        let dates = read("days since 2000-01-01", "standard").unwrap().unwrap();
        assert_eq!(dates.of_number(0.5).unwrap(), "2000-01-01T12:00:00");
        assert_eq!((dates.of_number(1e300), dates.of_number(f64::NAN)), (None, None));
        assert_eq!(dates.of_integer(i128::MAX), None);
    }
}
