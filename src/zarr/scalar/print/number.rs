//! Floats as text: the shortest decimal, and Python's. By hand because `std` and ryu know `f32` and `f64`, and not the
//! narrow formats.

use crate::zarr::scalar::{Float, Specials, float::FloatClass};

/// A float as the shortest decimal that its format reads back.
pub fn float(value: Float) -> String {
    let sign = if value.is_negative() { "-" } else { "" };
    match value.class() {
        FloatClass::Nan if value.is_other_nan() => format!("NaN:{}", bit_pattern(value)),
        FloatClass::Nan => "NaN".into(),
        FloatClass::Infinity => format!("{sign}Infinity"),
        _ => {
            let (digits, exponent) = shortest(value);
            format!("{sign}{}", laid_out(&digits, exponent, ""))
        }
    }
}

/// The bits as V3 spells them: `0x` and two digits a byte, the most significant first.
pub fn bit_pattern(value: Float) -> String {
    format!("0x{:0width$x}", value.bits, width = value.format.size * 2)
}

/// The number as a JSON text that every reader takes back to the same bits, whether it rounds once or goes through
/// `f64`: the shortest decimal of the value as an `f64`, laid out as Python does. `None` where it is not finite.
pub fn json_number(value: Float) -> Option<String> {
    if matches!(value.class(), FloatClass::Nan | FloatClass::Infinity) {
        return None;
    }
    let number = value.to_f64();
    // Where neither writes an exponent, Rust's and Python's shortest texts are the same. Most numbers are of this kind.
    if number == 0.0 || (1e-4..1e16).contains(&number.abs()) {
        return Some(format!("{number:?}"));
    }
    let sign = if value.is_negative() { "-" } else { "" };
    Some(format!("{sign}{}", python_magnitude(number)))
}

/// `repr(float)` of Python.
pub fn python_repr(value: f64) -> String {
    let sign = if value.is_sign_negative() && !value.is_nan() { "-" } else { "" };
    match value {
        _ if value.is_nan() => "nan".into(),
        _ if value.is_infinite() => format!("{sign}inf"),
        _ => format!("{sign}{}", python_magnitude(value)),
    }
}

fn python_magnitude(value: f64) -> String {
    let (digits, exponent) = split(&format!("{:e}", value.abs()));
    let text = laid_out(&digits, exponent, "+");
    // Python writes at least two digits of an exponent.
    match text.split_once('e') {
        Some((mantissa, power)) if power.len() == 2 => {
            let (sign, digit) = power.split_at(1);
            format!("{mantissa}e{sign}0{digit}")
        }
        _ => text,
    }
}

/// The fewest decimal digits that the float's format reads back as this float, and the power of ten of the first one.
fn shortest(value: Float) -> (String, i32) {
    let magnitude = value.to_f64().abs();
    if value.class() == FloatClass::Zero {
        return ("0".into(), 0);
    }
    if value.format.bits == 64 || value.format.specials == Specials::PowersOfTwo {
        return split(&format!("{magnitude:e}"));
    }
    #[expect(clippy::cast_possible_truncation, reason = "exact: every narrower float is an f32")]
    let single = magnitude as f32;
    if value.format.bits == 32 {
        return split(&format!("{single:e}"));
    }
    for precision in 0..9 {
        let text = format!("{magnitude:.precision$e}");
        // Rounding twice is rounding once for all texts that come here (tested).
        let back = Float::from_f64(text.parse().unwrap_or(f64::NAN), value.format);
        if back.is_ok_and(|back| back.bits == value.bits & !value.format.sign_mask()) {
            return split(&text);
        }
    }
    split(&format!("{single:e}"))
}

/// `d.ddde-5` as its digits and exponent.
fn split(text: &str) -> (String, i32) {
    let (mantissa, exponent) = text.split_once('e').unwrap_or((text, "0"));
    (mantissa.replace('.', ""), exponent.parse().unwrap_or(0))
}

/// Digits and exponent as one reads them: with a point between 10^-4 and 10^16, with an exponent outside.
fn laid_out(digits: &str, exponent: i32, plus: &str) -> String {
    let after = exponent + 1;
    match usize::try_from(after) {
        Err(_) | Ok(0) if exponent >= -4 => {
            format!("0.{}{digits}", "0".repeat(after.unsigned_abs() as usize))
        }
        Ok(whole @ 1..=16) if whole >= digits.len() => {
            format!("{digits}{}.0", "0".repeat(whole - digits.len()))
        }
        Ok(whole @ 1..=16) => {
            let (before, behind) = digits.split_at(whole);
            format!("{before}.{behind}")
        }
        _ => scientific(digits, exponent, plus),
    }
}

fn scientific(digits: &str, exponent: i32, plus: &str) -> String {
    let (first, rest) = digits.split_at(digits.len().min(1));
    let point = if rest.is_empty() { "" } else { "." };
    let plus = if exponent < 0 { "" } else { plus };
    format!("{first}{point}{rest}e{plus}{exponent}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::zarr::scalar::{Decimal, FloatFormat, float::*};

    fn of(value: f64, format: &'static FloatFormat) -> Float {
        Float::from_f64(value, format).unwrap()
    }

    #[test]
    fn floats_print_shortest_in_their_own_format() {
        for (value, format, expected) in [
            (0.1, &FLOAT16, "0.1"),
            (0.1, &BFLOAT16, "0.1"),
            (0.1, &FLOAT32, "0.1"),
            (-0.0, &FLOAT32, "-0.0"),
            (9.969_209_968_386_869e36, &FLOAT32, "9.96921e36"),
            (65504.0, &FLOAT16, "65500.0"),
            (1e-45, &FLOAT32, "1e-45"),
            (1e16, &FLOAT64, "1e16"),
            (123_456_789.0, &FLOAT64, "123456789.0"),
            (0.0001, &FLOAT64, "0.0001"),
            (0.00001, &FLOAT64, "1e-5"),
            (f64::NEG_INFINITY, &FLOAT64, "-Infinity"),
        ] {
            assert_eq!(float(of(value, format)), expected);
        }
        assert_eq!(float(Float::new(0xff80_0001, &FLOAT32)), "NaN:0xff800001");
    }

    #[test]
    fn every_narrow_float_reads_back_what_it_prints() {
        for format in FORMATS.into_iter().filter(|format| format.bits <= 16) {
            let step = if format.bits == 16 { 13 } else { 1 };
            for value in (0..=format.mask()).step_by(step).map(|bits| Float::new(bits, format)) {
                if matches!(value.class(), FloatClass::Nan | FloatClass::Infinity) {
                    continue;
                }
                for text in [float(value), json_number(value).unwrap()] {
                    let back = Decimal::parse(&text).unwrap();
                    assert_eq!(back.round(format).unwrap(), value, "{text}");
                    assert_eq!(back.round_twice(format), Some(value), "{text}");
                }
            }
        }
    }

    #[test]
    fn texts_of_narrow_floats_round_alike_once_and_twice() {
        for format in FORMATS.into_iter().filter(|format| format.bits <= 16) {
            for value in (0..=format.mask()).map(|bits| Float::new(bits, format).to_f64().abs()) {
                for precision in (0..9).filter(|_| value.is_finite()) {
                    let text = format!("{value:.precision$e}");
                    let twice = Float::from_f64(text.parse().unwrap(), format);
                    assert_eq!(Decimal::parse(&text).unwrap().round(format), twice, "{text}");
                }
            }
        }
    }

    #[test]
    fn json_numbers_are_those_of_python() {
        let text = |value| json_number(of(value, &FLOAT64)).unwrap();
        assert_eq!(text(9.969_209_968_386_869e36), "9.969209968386869e+36");
        assert_eq!(text(1e-7), "1e-07");
        assert_eq!(text(5e-324), "5e-324");
        assert_eq!(text(-0.0), "-0.0");
        assert_eq!(json_number(of(0.1, &FLOAT32)).unwrap(), "0.10000000149011612");
    }

    #[test]
    fn the_short_way_to_a_json_number_gives_what_the_long_way_gives() {
        let mut state = 0x2545_f491_4f6c_dd1d_u64;
        let borders =
            [0.0, -0.0, 1e-4, 9.999_999_999_999_999e-5, 1e16, 9_999_999_999_999_998.0, 1.0, 123.25];
        let random = (0..100_000).map(|number| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            // Every other one of a size that people measure.
            let bits = if number % 2 == 0 { state } else { state >> 12 | 0x3ff0_0000_0000_0000 };
            f64::from_bits(bits) * 10_f64.powi(i32::try_from(state >> 59).unwrap() - 16)
        });
        for value in borders.into_iter().chain(random).filter(|value| value.is_finite()) {
            assert_eq!(json_number(of(value, &FLOAT64)).unwrap(), python_repr(value));
        }
    }
}
