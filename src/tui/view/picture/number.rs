//! Numbers for reading: as many digits as say something.

use crate::{
    app::chunks::Shown,
    zarr::{Scalar, scalar::Time},
};

/// A count as a number: those of cells and steps are small.
pub(super) fn real(count: usize) -> f64 {
    u32::try_from(count).map_or(f64::INFINITY, f64::from)
}

/// A number with about five digits that count.
#[must_use]
pub(super) fn short(value: f64) -> String {
    let size = value.abs();
    if size < f64::MIN_POSITIVE {
        return "0".into();
    }
    if !(1e-4..1e7).contains(&size) {
        let text = format!("{value:.4e}");
        let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
        return format!("{}e{exponent}", trimmed(digits));
    }
    #[expect(clippy::cast_possible_truncation, reason = "from -4 to 7")]
    let before = size.log10().floor() as i32;
    let digits = usize::try_from(4 - before).unwrap_or(0);
    trimmed(&format!("{value:.digits$}")).to_owned()
}

/// Without zeros behind the point that say nothing.
fn trimmed(text: &str) -> &str {
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { text }
}

/// A number of a chunk's elements as its data type would print it: a date for a count of days.
#[must_use]
pub(super) fn labelled(shown: &Shown, value: f64) -> String {
    let time = shown.chunk.elements().map(|elements| elements.data_type().default_scalar());
    match time {
        #[expect(
            clippy::cast_possible_truncation,
            reason = "a count that was rounded to f64 before"
        )]
        Some(Scalar::Time(time)) => {
            // The lowest count of all would be NaT.
            let count = (value as i64).max(i64::MIN + 1);
            Scalar::Time(Time { count, ..time }).to_string()
        }
        Some(Scalar::Bool(_)) if value <= 0.0 => "false".into(),
        Some(Scalar::Bool(_)) if value >= 1.0 => "true".into(),
        _ => short(value),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_that_say_nothing_are_left_out() {
        let numbers = [0.0, 1.0, -1.8, 29.931, 1234.5678, 2_621_000.0, 9.969_21e36, 1.5e-7];
        let texts = ["0", "1", "-1.8", "29.931", "1234.6", "2621000", "9.9692e36", "1.5e-7"];
        assert_eq!(numbers.map(short), texts);
    }
}
