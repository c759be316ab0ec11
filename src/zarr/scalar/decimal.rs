//! Decimal numbers as texts, and the one rounding that takes them to a float.
//!
//! The V3 data types text asks for the nearest float, ties to even. zarr-python, zarrs and TensorStore all go through
//! `f64` first and round a second time, which differs near a tie: `1.0004882812500001` as float16 is `3c01`, and
//! `3c00` in all three. Here the `f64` is compared with the text, digit by digit, before it is rounded; no crate rounds
//! to formats as narrow as these.
//!
//! Work is bounded whatever the text: digits beyond [`MAX_DIGITS`] only matter as "and a little more".

use super::{
    Float, FloatFormat,
    float::{Refusal, parts},
};
use std::cmp::Ordering;

/// A tie between two `f64` has at most 767 significant digits; more digits than these cannot matter but as a whole.
pub const MAX_DIGITS: usize = 800;

/// A decimal number: `±digits × 10^exponent`, exact up to [`MAX_DIGITS`] digits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decimal {
    /// True if it has a minus sign; zero can.
    pub negative: bool,
    /// The significant digits, each 0 to 9, neither the first nor the last being 0; empty for zero.
    digits: Vec<u8>,
    exponent: i64,
    /// True if digits were cut that are not all zero.
    more: bool,
}

impl Decimal {
    /// Reads `[+-]digits[.digits][e[+-]digits]`; `None` where `text` is anything else.
    pub fn parse(text: &str) -> Option<Self> {
        let (negative, rest) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text.strip_prefix('+').unwrap_or(text)),
        };
        let (mantissa, power) = match rest.split_once(['e', 'E']) {
            Some((mantissa, power)) => (mantissa, saturating(power)?),
            None => (rest, 0),
        };
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let is_digit = |byte: u8| byte.is_ascii_digit();
        if !(whole.bytes().all(is_digit) && fraction.bytes().all(is_digit))
            || whole.len() + fraction.len() == 0
        {
            return None;
        }
        Some(Self::assemble(negative, whole, fraction, power))
    }

    fn assemble(negative: bool, whole: &str, fraction: &str, power: i64) -> Self {
        let all = || whole.bytes().chain(fraction.bytes()).map(|byte| byte - b'0');
        let leading = all().take_while(|&digit| digit == 0).count();
        let mut digits: Vec<u8> = all().skip(leading).take(MAX_DIGITS).collect();
        let more = all().skip(leading + MAX_DIGITS).any(|digit| digit != 0);
        let count = whole.len() + fraction.len() - leading;
        // Digits that were cut, zero or not, still have their places.
        let cut = power_of(count.saturating_sub(digits.len()));
        let mut exponent = power.saturating_sub(power_of(fraction.len())).saturating_add(cut);
        while digits.last() == Some(&0) && !more {
            digits.pop();
            exponent = exponent.saturating_add(1);
        }
        if digits.is_empty() {
            exponent = 0;
        }
        Self { negative, digits, exponent, more }
    }

    /// True if it is 0 or -0.
    pub fn is_zero(&self) -> bool {
        self.digits.is_empty()
    }

    /// Its value, where it is a whole number of at most 38 digits.
    pub fn to_integer(&self) -> Option<i128> {
        let zeros = u32::try_from(self.exponent).ok()?;
        if self.more || self.digits.len() + zeros as usize > 38 {
            return None;
        }
        let digits =
            self.digits.iter().fold(0_i128, |value, &digit| value * 10 + i128::from(digit));
        let value = digits * 10_i128.pow(zeros);
        Some(if self.negative { -value } else { value })
    }

    /// True if it is a whole number, of any size.
    pub fn is_whole(&self) -> bool {
        self.is_zero() || (self.exponent >= 0 && !self.more)
    }

    /// The float of `format` that is nearest, ties to even, in one rounding.
    ///
    /// # Errors
    ///
    /// If the format has nothing for it: past the largest value where there is no infinity; in `float8_e8m0fnu` zero,
    /// what is negative, and what lies half-way between two powers of two.
    pub fn round(&self, format: &'static FloatFormat) -> Result<Float, Refusal> {
        let nearest = self.nearest();
        if nearest == 0.0 {
            return format.zero(self.negative);
        }
        if format.bits == 64 {
            return Ok(Float::new(
                nearest.to_bits() | if self.negative { format.sign_mask() } else { 0 },
                format,
            ));
        }
        if nearest.is_infinite() {
            return format.beyond(self.negative);
        }
        // Every other format is so narrow that the number, cut to the bits of an `f64`, and whether anything was cut
        // off, round as all its digits do.
        let exact = Self::parse(&format!("{nearest:.MAX_DIGITS$e}"));
        let (whole, more) = match exact.map_or(Ordering::Equal, |exact| self.compare(&exact)) {
            Ordering::Less => (nearest.next_down(), true),
            Ordering::Equal => (nearest, false),
            Ordering::Greater => (nearest, true),
        };
        match parts(whole) {
            Some((significand, exponent)) => {
                format.round(self.negative, significand, exponent, more)
            }
            None => format.zero(self.negative),
        }
    }

    /// The `f64` that is nearest to the number without its sign.
    fn nearest(&self) -> f64 {
        let mut text: String = self.digits.iter().map(|digit| char::from(b'0' + digit)).collect();
        text.push(if self.more { '1' } else { '0' });
        format!("{text}e{}", self.exponent.saturating_sub(1)).parse().unwrap_or_default()
    }

    /// On which side of `other` it is, neither with its sign and neither zero.
    fn compare(&self, other: &Self) -> Ordering {
        let top = |it: &Self| it.exponent.saturating_add(power_of(it.digits.len()));
        let by_digits = || self.digits.cmp(&other.digits);
        top(self).cmp(&top(other)).then_with(by_digits).then(self.more.cmp(&other.more))
    }

    /// The float of a reader that rounds to `f64` first: zarr-python, zarrs, TensorStore.
    pub fn round_twice(&self, format: &'static FloatFormat) -> Option<Float> {
        Float::from_f64(self.to_f64(), format).ok()
    }

    /// The nearest `f64`.
    pub fn to_f64(&self) -> f64 {
        if self.negative { -self.nearest() } else { self.nearest() }
    }
}

/// No text is longer than this.
const CAP: i64 = 1 << 40;

/// A length as a power of ten.
fn power_of(length: usize) -> i64 {
    i64::try_from(length).unwrap_or(CAP)
}

/// A decimal exponent; beyond what matters it stops growing.
fn saturating(text: &str) -> Option<i64> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let value =
        digits.bytes().fold(0_i64, |value, byte| (value * 10 + i64::from(byte - b'0')).min(CAP));
    Some(if negative { -value } else { value })
}

#[cfg(test)]
mod tests {
    use super::{super::float::*, *};

    fn bits(text: &str, format: &'static FloatFormat) -> u64 {
        Decimal::parse(text).unwrap().round(format).unwrap().bits
    }

    #[test]
    fn one_rounding_where_two_differ() {
        assert_eq!(bits("1.0004882812500001", &FLOAT16), 0x3c01);
        assert_eq!(
            Decimal::parse("1.00048828125000000000000000000001")
                .unwrap()
                .round_twice(&FLOAT16)
                .unwrap()
                .bits,
            0x3c00
        );
        assert_eq!(bits("3.4028235677973366e38", &FLOAT32), 0x7f7f_ffff);
        assert_eq!(bits("1.003906250000000000001", &BFLOAT16), 0x3f81);
        assert_eq!(bits("1.00390625", &BFLOAT16), 0x3f80);
    }

    #[test]
    fn absurd_numbers_are_quick() {
        assert_eq!(bits("1e999999999999999999999", &FLOAT64), f64::INFINITY.to_bits());
        assert_eq!(bits("-1e-999999999999999999999", &FLOAT64), (-0.0_f64).to_bits());
        let long = format!("0.{}1e{}", "0".repeat(5_000_000), 5_000_001);
        assert_eq!(bits(&long, &FLOAT64), 1_f64.to_bits());
        let nines = "9".repeat(5_000_000);
        assert_eq!(bits(&nines, &FLOAT64), f64::INFINITY.to_bits());
        assert_eq!(Decimal::parse(&nines).unwrap().to_integer(), None);
    }

    #[test]
    fn whole_numbers_are_exact() {
        let whole = |text: &str| Decimal::parse(text).unwrap().to_integer();
        assert_eq!(whole("9223372036854775807.0"), Some(i128::from(i64::MAX)));
        assert_eq!(whole("10e-1"), Some(1));
        assert_eq!(whole("-1e3"), Some(-1000));
        assert_eq!(whole("1.5"), None);
        assert_eq!(whole("1e-400"), None);
        assert_eq!(whole("0e-400"), Some(0));
        for text in ["", "-", ".", "e5", "1e", "1_0", "0x1", " 1", "١"] {
            assert_eq!(Decimal::parse(text), None, "{text}");
        }
    }

    #[test]
    fn agrees_with_the_standard_library() {
        for text in [
            "0.1",
            "5e-324",
            "2.4703282292062328e-324",
            "2.4703282292062327e-324",
            "1.7976931348623158e308",
            "1e23",
            "8.98846567431158e307",
            "123456789012345678901234567890",
        ] {
            assert_eq!(bits(text, &FLOAT64), text.parse::<f64>().unwrap().to_bits(), "{text}");
            assert_eq!(
                bits(text, &FLOAT32),
                u64::from(text.parse::<f32>().unwrap().to_bits()),
                "{text}"
            );
        }
    }
}
