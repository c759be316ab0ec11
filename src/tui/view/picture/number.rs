//! Numbers for reading: as many digits as say something.

use crate::tui::prelude::*;
use crate::zarr::words::{fixed, magnitude, short, trimmed};

/// Seconds of a day.
const DAY: f64 = 86_400.0;
/// The units that long steps between dates are counted in, with their seconds.
const LENGTHS: [(&str, f64); 7] = [
    ("years", 365.2425 * DAY),
    ("days", DAY),
    ("h", 3600.0),
    ("min", 60.0),
    ("s", 1.0),
    ("ms", 1e-3),
    ("us", 1e-6),
];

/// A count as a number: those of cells and steps are small.
pub(super) fn real(count: usize) -> f64 {
    u32::try_from(count).map_or(f64::INFINITY, f64::from)
}

/// The index at `place`, of those up to `most`.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "neither below 0 nor above"
)]
pub(in crate::tui::view) fn whole(place: f64, most: usize) -> usize {
    (place.max(0.0) as usize).min(most)
}

/// The format of the numbers of a picture: as their data type would, with as many digits as tell them apart.
pub(super) struct Labels {
    /// The lowest; `None` where there is no number.
    sample: Option<Scalar>,
    /// From the lowest to the highest, as they are drawn.
    low: f64,
    high: f64,
    /// The integer that is drawn as 0, where that is not 0 itself.
    origin: Option<i128>,
    /// True if NaT is among them.
    is_time: bool,
}

impl Labels {
    pub(super) fn of(counted: &CountedColumn) -> Self {
        let (low, high) = counted.ends().unwrap_or_default();
        let least = counted.statistics.minimum.as_ref();
        let is_time = counted.statistics.not_a_time > 0;
        let origin = counted.origin.as_ref().and_then(|origin| integer(&origin.scalar));
        Self { sample: least.map(|least| least.scalar.clone()), low, high, origin, is_time }
    }

    /// The number that the scale leaves out of its numbers; `None` where it leaves nothing out.
    pub(super) fn base(&self) -> Option<String> {
        match &self.sample {
            Some(Scalar::Time(time)) if self.is_momentary(*time) => {
                let text = counted(*time, self.low, self.origin);
                Some(time_trimmed(&text).to_owned())
            }
            Some(Scalar::Time(_)) => None,
            _ => self.origin.map(|origin| origin.to_string()),
        }
    }

    /// True if dates are so near to each other that only their distances are worth a word.
    fn is_momentary(&self, time: Time) -> bool {
        time.since_epoch && self.low < self.high && self.seconds(time) < 0.01
    }

    /// A number of a scale or an axis, as it is drawn: a dozen columns at most, for most data types.
    pub(super) fn short(&self, value: f64) -> String {
        match &self.sample {
            Some(Scalar::Time(time)) if self.is_momentary(*time) => {
                format!("+{}", self.step(value - self.low))
            }
            Some(Scalar::Time(time)) if time.since_epoch => self.date(*time, value),
            Some(Scalar::Time(time)) => counted(*time, value, self.origin),
            _ if self.origin.is_some() => format!("+{}", short(value)),
            Some(Scalar::Bool(_)) if value <= 0.0 => "false".into(),
            Some(Scalar::Bool(_)) if value >= 1.0 => "true".into(),
            Some(Scalar::Bool(_)) => format!("{} % true", trimmed(&fixed(value * 100.0, 1))),
            _ => self.plain(value),
        }
    }

    /// A number in a sentence.
    pub(super) fn long(&self, value: f64) -> String {
        match &self.sample {
            Some(Scalar::Time(time)) if time.since_epoch => {
                let text = counted(*time, value, None);
                let days = self.seconds(*time) >= 2.0 * DAY;
                // Of a mean of days, the nanoseconds say nothing.
                let cut = text.char_indices().nth(16).map(|(at, _)| at).filter(|_| days);
                time_trimmed(cut.and_then(|at| text.get(..at)).unwrap_or(&text)).to_owned()
            }
            Some(Scalar::Time(time)) => counted(*time, value, None),
            Some(Scalar::Bool(_)) => self.short(value),
            _ => short(value),
        }
    }

    /// `word`, which names NaN and NaT, for what there can be.
    pub(super) fn not_a_number(&self, word: &str) -> String {
        match (&self.sample, word) {
            (Some(Scalar::Time(_)), " NaN") => " NaT".into(),
            (None, " NaN") if self.is_time => " NaT".into(),
            (_, word) => word.into(),
        }
    }

    /// The width of something on the scale; empty where that says nothing.
    pub(super) fn step(&self, width: f64) -> String {
        match &self.sample {
            Some(Scalar::Time(time)) => {
                let seconds = time.unit.length().unwrap_or(0.0) * f64::from(time.scale) * width;
                let long = LENGTHS.iter().find(|(_, length)| seconds >= 2.0 * length);
                match long.filter(|_| time.since_epoch && width >= 10_000.0) {
                    Some((unit, length)) => format!("{} {unit}", short(seconds / length)),
                    None => counted(Time { since_epoch: false, ..*time }, width.round(), None),
                }
            }
            Some(Scalar::Bool(_)) => String::new(),
            _ => short(width),
        }
    }

    /// The date that all dates on the scale have in common, where the scale leaves it out.
    pub(super) fn day(&self) -> Option<String> {
        let Some(Scalar::Time(time)) = &self.sample else { return None };
        if !time.since_epoch || self.is_momentary(*time) || self.seconds(*time) >= 2.0 * DAY {
            return None;
        }
        counted(*time, self.low, self.origin).split_once('T').map(|(day, _)| day.to_owned())
    }

    /// The seconds between the lowest and the highest.
    fn seconds(&self, time: Time) -> f64 {
        (self.high - self.low) * f64::from(time.scale) * time.unit.length().unwrap_or(1.0)
    }

    /// A date as exactly as the scale needs it: of a year the days, of a day the minutes.
    fn date(&self, time: Time, value: f64) -> String {
        let text = counted(time, value, self.origin);
        let Some((day, clock)) = text.split_once('T') else { return text };
        let seconds = self.seconds(time);
        if seconds >= 2.0 * DAY {
            return day.to_owned();
        }
        if seconds >= 600.0 {
            let date: String =
                day.chars().rev().take(5).collect::<Vec<_>>().into_iter().rev().collect();
            return format!("{date} {}", clock.chars().take(5).collect::<String>());
        }
        clock.chars().take(12).collect()
    }

    /// A number of the scale. Where its ends would look the same, with all digits, or as what it is above the lowest.
    fn plain(&self, value: f64) -> String {
        /// Columns of a number.
        const WIDEST: usize = 12;
        let text = self.rounded(value);
        if self.low >= self.high || self.rounded(self.low) != self.rounded(self.high) {
            return text;
        }
        match value.to_string() {
            whole if whole.len() <= WIDEST => whole,
            _ if value <= self.low => text,
            _ => format!("+{}", short(value - self.low)),
        }
    }

    /// A number with digits for a thousandth of the scale.
    fn rounded(&self, value: f64) -> String {
        let span = self.high - self.low;
        let largest = self.high.abs().max(self.low.abs());
        if span <= 0.0 || !span.is_finite() || !(1e-4..1e7).contains(&largest) {
            return short(value);
        }
        let digits = 3 - magnitude(span);
        if digits > 9 {
            return short(value);
        }
        trimmed(&fixed(value, digits)).to_owned()
    }
}

/// An integer, or the count of a time.
fn integer(scalar: &Scalar) -> Option<i128> {
    match scalar {
        Scalar::Int(value) => Some((*value).into()),
        Scalar::Uint(value) => Some((*value).into()),
        Scalar::Time(time) => Some(time.count.into()),
        _ => None,
    }
}

/// A count of units as a date, or as a number of them.
fn counted(time: Time, value: f64, origin: Option<i128>) -> String {
    #[expect(clippy::cast_possible_truncation, reason = "a count that was rounded to f64 before")]
    let count = origin.unwrap_or(0) + value as i128;
    // The lowest count of all would be NaT.
    let count = i64::try_from(count).unwrap_or(i64::MAX).max(i64::MIN + 1);
    safe_owned(&Scalar::Time(Time { count, ..time }).to_string())
}

/// A date without zeros at its end that say nothing.
pub(super) fn time_trimmed(text: &str) -> &str {
    let text = if text.contains('.') { trimmed(text) } else { text };
    let midnight = ["T00:00:00", "T00:00", "T00"].iter().find_map(|zero| text.strip_suffix(zero));
    midnight.unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::zarr::scalar::TimeUnit;

    #[test]
    fn digits_that_say_nothing_are_left_out() {
        let numbers = [0.0, 1.0, -1.8, 29.931, 1234.5678, 2_621_000.0, 9.969_21e36, 1.5e-7];
        let texts = ["0", "1", "-1.8", "29.931", "1234.6", "2621000", "9.9692e36", "1.5e-7"];
        assert_eq!(numbers.map(short), texts);
        assert_eq!([4.9e-324, f64::INFINITY].map(short), ["4.9407e-324", "inf"]);
    }

    #[test]
    fn a_scale_has_digits_for_its_span() {
        let labels = |low: f64, high: f64| {
            let labels = Labels { sample: None, low, high, origin: None, is_time: false };
            [low, low / 2.0 + high / 2.0, high].map(|value| labels.short(value))
        };
        assert_eq!(labels(-0.999_07, 0.999_391), ["-0.999", "0", "0.999"]);
        assert_eq!(labels(1.0, 60.0), ["1", "30.5", "60"]);
        assert_eq!(labels(271.333, 271.334), ["271.333", "271.3335", "271.334"]);
        assert_eq!(labels(-1e300, 1e300), ["-1e300", "0", "1e300"]);
        // Ends that differ by less than the digits of a scale are told apart.
        assert_eq!(labels(12_345_678.0, 12_345_680.0), ["12345678", "12345679", "12345680"]);
        assert_eq!(labels(1.0, 1.0 + 4e-16), ["1", "+2.2204e-16", "+4.4409e-16"]);
    }

    #[test]
    fn dates_are_as_exact_as_the_scale_needs() {
        let labels = |low: i64, high: i64| {
            let time = Time { count: low, unit: TimeUnit::Second, scale: 1, since_epoch: true };
            let (low, high) = (low as f64, high as f64);
            let sample = Some(Scalar::Time(time));
            let labels = Labels { sample, low, high, origin: None, is_time: true };
            (labels.short(low), labels.day())
        };
        let start = 1_551_430_800;
        assert_eq!(labels(start, start + 86_400 * 300), ("2019-03-01".into(), None));
        let day = Some("2019-03-01".to_owned());
        assert_eq!(labels(start, start + 7200), ("03-01 09:00".into(), day.clone()));
        assert_eq!(labels(start, start + 30), ("09:00:00".into(), day));
        assert_eq!(time_trimmed("2019-03-01T00:00:00.000000000"), "2019-03-01");
        assert_eq!(time_trimmed("2019-03-01T10:00:00.500"), "2019-03-01T10:00:00.5");
    }
}
