//! The one place that prints values.
//!
//! Floats print as the shortest decimal that their own format reads back: float16 0.1 is `0.1`, though the same number
//! as `f64` is `0.0999755859375`. What is not the canonical NaN prints its bits; text comes through
//! [`crate::zarr::text`], so that nothing from a store reaches a terminal unsanitised.

use super::{Decimal, Float, Scalar, Specials, float::FloatClass};
use crate::zarr::text;
use std::fmt::{self, Display, Write};

/// In which base numbers print.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Base {
    /// As one writes them: `258`, `0.1`.
    #[default]
    Decimal,
    /// Integers and the bits of floats in base 16: `0x102`, `0x3dcccccd`.
    Hex,
    /// The same in base 2: `0b100000010`.
    Binary,
    /// Floats exactly, in powers of two: `0x1.99999ap-4`.
    FloatHex,
    /// Floats with an exponent always: `1e-1`.
    Scientific,
}

impl Base {
    /// The one after it, and after the last the first.
    #[must_use]
    pub fn next(self) -> Self {
        match self {
            Self::Decimal => Self::Hex,
            Self::Hex => Self::Binary,
            Self::Binary => Self::FloatHex,
            Self::FloatHex => Self::Scientific,
            Self::Scientific => Self::Decimal,
        }
    }

    /// Its name in the footer.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Decimal => "decimal",
            Self::Hex => "hex",
            Self::Binary => "binary",
            Self::FloatHex => "hex float",
            Self::Scientific => "scientific",
        }
    }
}

/// A scalar with the base its numbers print in.
#[derive(Debug, Clone, Copy)]
pub struct Shown<'a> {
    scalar: &'a Scalar,
    base: Base,
}

impl Scalar {
    /// This scalar, printing its numbers in `base`.
    #[must_use]
    pub fn shown(&self, base: Base) -> Shown<'_> {
        Shown { scalar: self, base }
    }
}

impl Display for Scalar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.shown(Base::Decimal).text())
    }
}

impl Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.text())
    }
}

impl Shown<'_> {
    fn text(self) -> String {
        let mut out = String::new();
        // Writing to a string cannot fail.
        let _ = write_scalar(&mut out, self.scalar, self.base);
        out
    }
}

fn write_scalar(out: &mut String, scalar: &Scalar, base: Base) -> fmt::Result {
    match scalar {
        Scalar::Bool(0) => out.write_str("false"),
        Scalar::Bool(1) => out.write_str("true"),
        Scalar::Bool(byte) => write!(out, "true (0x{byte:02x})"),
        Scalar::Int(value) => write_integer(out, *value < 0, value.unsigned_abs(), base),
        Scalar::Uint(value) => write_integer(out, false, *value, base),
        Scalar::Float(value) => out.write_str(&float(*value, base)),
        Scalar::Complex(real, imaginary) => {
            let sign = if imaginary.is_negative() && !imaginary.is_other_nan() { "" } else { "+" };
            write!(out, "{}{sign}{}i", float(*real, base), float(*imaginary, base))
        }
        Scalar::Time(time) if base == Base::Decimal => out.write_str(&time.text()),
        Scalar::Time(time) => write_integer(out, time.count < 0, time.count.unsigned_abs(), base),
        Scalar::Bytes(bytes) => out.write_str(&hex(bytes, " ")),
        Scalar::NullTerminated(bytes) => {
            out.push('b');
            write_quoted(out, &text::safe_bytes(&escaped(bytes)))
        }
        Scalar::Text(bytes) => write_quoted(out, &text::safe_bytes(&escaped(bytes))),
        Scalar::Utf32(units) => write_units(out, units),
        Scalar::Struct(fields) => write_struct(out, fields, base),
        Scalar::List(items) => write_list(out, items, base),
        Scalar::Custom { text: shown, .. } => out.write_str(&text::safe(shown)),
    }
}

fn write_integer(out: &mut String, negative: bool, magnitude: u64, base: Base) -> fmt::Result {
    let sign = if negative { "-" } else { "" };
    match base {
        Base::Hex => write!(out, "{sign}{magnitude:#x}"),
        Base::Binary => write!(out, "{sign}{magnitude:#b}"),
        Base::Decimal | Base::FloatHex | Base::Scientific => write!(out, "{sign}{magnitude}"),
    }
}

fn write_struct(out: &mut String, fields: &[(String, Scalar)], base: Base) -> fmt::Result {
    out.push('{');
    for (at, (name, value)) in fields.iter().enumerate() {
        let gap = if at == 0 { "" } else { ", " };
        write!(out, "{gap}{}: ", text::safe(name))?;
        write_scalar(out, value, base)?;
    }
    out.write_char('}')
}

fn write_list(out: &mut String, items: &[Scalar], base: Base) -> fmt::Result {
    out.push('[');
    for (at, item) in items.iter().enumerate() {
        out.push_str(if at == 0 { "" } else { ", " });
        write_scalar(out, item, base)?;
    }
    out.write_char(']')
}

fn write_units(out: &mut String, units: &[u32]) -> fmt::Result {
    out.push('"');
    for &unit in units {
        match char::from_u32(unit) {
            Some(c @ ('"' | '\\')) => write!(out, "\\{c}")?,
            Some(c) => out.push_str(&text::safe(c.encode_utf8(&mut [0; 4]))),
            None => write!(out, "\\u{{{unit:x}}}")?,
        }
    }
    out.write_char('"')
}

fn write_quoted(out: &mut String, safe: &str) -> fmt::Result {
    write!(out, "\"{safe}\"")
}

/// Quotes and backslashes with a backslash before them.
fn escaped(bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(bytes.len());
    for &byte in bytes {
        if matches!(byte, b'"' | b'\\') {
            out.push(b'\\');
        }
        out.push(byte);
    }
    out
}

/// Bytes as pairs of hexadecimal digits with `gap` between them.
#[must_use]
pub fn hex(bytes: &[u8], gap: &str) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let mut out = String::with_capacity(bytes.len() * (2 + gap.len()));
    for (at, &byte) in bytes.iter().enumerate() {
        out.push_str(if at == 0 { "" } else { gap });
        for nibble in [byte >> 4, byte & 15] {
            out.push(DIGITS.get(usize::from(nibble)).copied().map_or('?', char::from));
        }
    }
    out
}

/// A float in a base.
#[must_use]
pub fn float(value: Float, base: Base) -> String {
    match base {
        Base::Hex => return format!("0x{:0width$x}", value.bits, width = value.format.size * 2),
        Base::Binary => {
            return format!("0b{:0width$b}", value.bits, width = value.format.bits as usize);
        }
        Base::Decimal | Base::FloatHex | Base::Scientific => {}
    }
    let sign = if value.is_negative() { "-" } else { "" };
    match value.class() {
        FloatClass::Nan if value.is_other_nan() => format!("NaN:{}", bit_pattern(value)),
        FloatClass::Nan => "NaN".into(),
        FloatClass::Infinity => format!("{sign}Infinity"),
        _ if base == Base::FloatHex => format!("{sign}{}", float_hex(value)),
        _ => {
            let (digits, exponent) = shortest(value);
            if base == Base::Scientific {
                format!("{sign}{}", scientific(&digits, exponent, ""))
            } else {
                format!("{sign}{}", laid_out(&digits, exponent, ""))
            }
        }
    }
}

/// The bits as V3 spells them: `0x` and two digits a byte, the most significant first.
#[must_use]
pub fn bit_pattern(value: Float) -> String {
    format!("0x{:0width$x}", value.bits, width = value.format.size * 2)
}

/// The number as a JSON text that every reader takes back to the same bits, whether it rounds once or goes through
/// `f64`: the shortest decimal of the value as an `f64`, laid out as Python does. `None` where it is not finite, or
/// where no short number says it exactly enough for `float8_e8m0fnu`.
#[must_use]
pub fn json_number(value: Float) -> Option<String> {
    if matches!(value.class(), FloatClass::Nan | FloatClass::Infinity) {
        return None;
    }
    let number = value.to_f64();
    // Where neither writes an exponent, Rust's and Python's shortest texts are the same. Most numbers are of this kind.
    let is_plain = number == 0.0 || (1e-4..1e16).contains(&number.abs());
    if is_plain && value.format.specials != Specials::PowersOfTwo {
        return Some(format!("{number:?}"));
    }
    let sign = if value.is_negative() { "-" } else { "" };
    let text = format!("{sign}{}", python_magnitude(number));
    // A format of powers of two takes no number that has to be rounded, as the text of a small one would be.
    let exact = value.format.specials != Specials::PowersOfTwo
        || Decimal::parse(&text)?.round(value.format).is_ok();
    exact.then_some(text)
}

/// `repr(float)` of Python.
#[must_use]
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
        let back = Decimal::parse(&text).and_then(|decimal| decimal.round(value.format).ok());
        if back.is_some_and(|back| back.float.bits == value.bits & !value.format.sign_mask()) {
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

/// `0x1.8p+3`: the value exactly, as C prints it with `%a`.
fn float_hex(value: Float) -> String {
    let magnitude = value.to_f64().abs();
    if value.class() == FloatClass::Zero {
        return "0x0p+0".into();
    }
    let bits = magnitude.to_bits();
    let (stored, mantissa) = (bits >> 52, bits & (u64::MAX >> 12));
    let lead = u64::from(stored != 0);
    let exponent = if stored == 0 { -1022 } else { i64::try_from(stored).unwrap_or(0) - 1023 };
    let digits = format!("{mantissa:013x}");
    let digits = digits.trim_end_matches('0');
    let point = if digits.is_empty() { "" } else { "." };
    format!("0x{lead}{point}{digits}p{exponent:+}")
}

#[cfg(test)]
mod tests {
    use super::{super::FloatFormat, super::float::*, *};

    fn of(value: f64, format: &'static FloatFormat) -> Float {
        Float::from_f64(value, format).unwrap().float
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
            assert_eq!(float(of(value, format), Base::Decimal), expected);
        }
        assert_eq!(float(Float::new(0xff80_0001, &FLOAT32), Base::Decimal), "NaN:0xff800001");
    }

    #[test]
    fn every_narrow_float_reads_back_what_it_prints() {
        for format in FORMATS.into_iter().filter(|format| format.bits <= 16) {
            let step = if format.bits == 16 { 13 } else { 1 };
            for value in (0..=format.mask()).step_by(step).map(|bits| Float::new(bits, format)) {
                if matches!(value.class(), FloatClass::Nan | FloatClass::Infinity) {
                    continue;
                }
                let Some(json) = json_number(value) else {
                    assert_eq!(format.name, "float8_e8m0fnu");
                    continue;
                };
                for text in [float(value, Base::Decimal), json] {
                    let back = Decimal::parse(&text).unwrap();
                    assert_eq!(back.round(format).unwrap().float, value, "{text}");
                    assert_eq!(back.round_twice(format), Some(value), "{text}");
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

    #[test]
    fn bases() {
        let value = Scalar::Float(of(0.1, &FLOAT32));
        let shown = |base| value.shown(base).to_string();
        assert_eq!(shown(Base::Hex), "0x3dcccccd");
        assert_eq!(shown(Base::FloatHex), "0x1.99999ap-4");
        assert_eq!(shown(Base::Scientific), "1e-1");
        assert_eq!(Scalar::Int(-258).shown(Base::Hex).to_string(), "-0x102");
        assert_eq!(Scalar::Uint(5).shown(Base::Binary).to_string(), "0b101");
    }

    #[test]
    fn text_cannot_act_on_a_terminal() {
        let text = |bytes: &[u8]| Scalar::Text(bytes.into()).to_string();
        assert_eq!(text(b"a\"\\\x1b[31m\xff"), "\"a\\\"\\\\␛[31m\\xff\"");
        assert_eq!(
            Scalar::Utf32([0x61, 0xd800, 0x202e].into()).to_string(),
            "\"a\\u{d800}\\u{202e}\""
        );
        assert_eq!(Scalar::NullTerminated(b"ab".as_slice().into()).to_string(), "b\"ab\"");
        assert_eq!(Scalar::Bytes([0, 255].into()).to_string(), "00 ff");
        let fields: [(String, Scalar); 2] =
            [("a".into(), Scalar::Int(1)), ("b\u{7}".into(), Scalar::Bool(1))];
        assert_eq!(Scalar::Struct(fields.into()).to_string(), "{a: 1, b␇: true}");
    }
}
