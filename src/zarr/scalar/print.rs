//! The one place that prints values.
//!
//! Floats print as the shortest decimal that their own format reads back: float16 0.1 is `0.1`, though the same number
//! as `f64` is `0.0999755859375`. What is not the canonical NaN prints its bits; text comes through
//! [`crate::zarr::text`], so that nothing from a store reaches a terminal unsanitised.

use super::Scalar;
use crate::zarr::{text, words::hex};
use std::fmt::{self, Display, Write};

mod number;

pub use number::{bit_pattern, float, json_number, python_repr};

/// The base in which numbers print.
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
pub struct InBase<'a> {
    scalar: &'a Scalar,
    base: Base,
}

impl Scalar {
    /// This scalar, printing its numbers in `base`.
    pub fn shown(&self, base: Base) -> InBase<'_> {
        InBase { scalar: self, base }
    }
}

impl Display for Scalar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.shown(Base::Decimal).text())
    }
}

impl Display for InBase<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.text())
    }
}

impl InBase<'_> {
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

#[cfg(test)]
mod tests {
    use super::{
        super::{Float, float::FLOAT32},
        *,
    };

    #[test]
    fn bases() {
        let value = Scalar::Float(Float::from_f64(0.1, &FLOAT32).unwrap().float);
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
