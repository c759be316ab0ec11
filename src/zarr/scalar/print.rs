//! The one place that prints values.
//!
//! Floats print as the shortest decimal that their own format reads back: float16 0.1 is `0.1`, though the same number
//! as `f64` is `0.0999755859375`. What is not the canonical NaN prints its bits; text comes through
//! [`crate::zarr::text`], so that nothing from a store reaches a terminal unsanitised.

use crate::zarr::prelude::*;
use crate::zarr::text;
use std::fmt::{Display, Write};

mod number;

pub use number::{bit_pattern, float, json_number, python_repr};

impl Display for Scalar {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let mut out = String::new();
        write_scalar(&mut out, self)?;
        f.pad(&out)
    }
}

fn write_scalar(out: &mut String, scalar: &Scalar) -> fmt::Result {
    match scalar {
        Scalar::Bool(0) => out.write_str("false"),
        Scalar::Bool(1) => out.write_str("true"),
        Scalar::Bool(byte) => write!(out, "true (0x{byte:02x})"),
        Scalar::Int(value) => write!(out, "{value}"),
        Scalar::Uint(value) => write!(out, "{value}"),
        Scalar::Float(value) => out.write_str(&float(*value)),
        Scalar::Complex(real, imaginary) => {
            let sign = if imaginary.is_negative() && !imaginary.is_other_nan() { "" } else { "+" };
            write!(out, "{}{sign}{}i", float(*real), float(*imaginary))
        }
        Scalar::Time(time) => out.write_str(&time.text()),
        Scalar::Bytes(bytes) => out.write_str(&hex(bytes, " ")),
        Scalar::NullTerminated(bytes) => {
            out.push('b');
            write_quoted(out, &text::safe_bytes(&escaped(bytes)))
        }
        Scalar::Text(bytes) => write_quoted(out, &text::safe_bytes(&escaped(bytes))),
        Scalar::Utf32(units) => write_units(out, units),
        Scalar::Struct(fields) => write_struct(out, fields),
        Scalar::List(items) => write_list(out, items),
        Scalar::Custom { text: shown, .. } => out.write_str(&safe(shown)),
    }
}

fn write_struct(out: &mut String, fields: &[(String, Scalar)]) -> fmt::Result {
    out.push('{');
    for (at, (name, value)) in fields.iter().enumerate() {
        let gap = if at == 0 { "" } else { ", " };
        write!(out, "{gap}{}: ", safe(name))?;
        write_scalar(out, value)?;
    }
    out.write_char('}')
}

fn write_list(out: &mut String, items: &[Scalar]) -> fmt::Result {
    out.push('[');
    for (at, item) in items.iter().enumerate() {
        out.push_str(if at == 0 { "" } else { ", " });
        write_scalar(out, item)?;
    }
    out.write_char(']')
}

fn write_units(out: &mut String, units: &[u32]) -> fmt::Result {
    out.push('"');
    for &unit in units {
        match char::from_u32(unit) {
            Some(c @ ('"' | '\\')) => write!(out, "\\{c}")?,
            Some(c) => out.push_str(&safe(c.encode_utf8(&mut [0; 4]))),
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
    use super::*;

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
