//! The fill values of bytes and text.
//!
//! The core text gives that of `r32` as an array of N integers where N is the number of *bits*; everybody reads one
//! integer a *byte* (zarr-extensions issue 61). That of zarr-python's `raw_bytes` is base64: it alone defines that name,
//! so what it makes of a fill value (too short is padded, too long is cut, strange characters are skipped) is what the
//! fill value is. Those of other bytes are base64 too; those of variable length may also be an array of integers, which
//! zarrs writes and zarr-python refuses. Of variable length old zarr-python wrote the fill value `0` for "none", which is
//! read as the empty value; of strings, other numbers are what Python's `str` makes of them, as zarr-python reads them.

use super::{StringType, utf32};
use crate::zarr::{
    data_type::{base64, prelude::*},
    scalar::print,
};

impl StringType {
    pub(super) fn fill_value(self, json: &Json, format: Format) -> Result<Flagged<Scalar>> {
        let plain = |bytes: &[u8]| Flagged::plain(self.scalar(bytes, Endian::Little));
        match self {
            Self::Raw { size, raw_bytes } => match (format, raw_bytes) {
                (Format::V2, _) => Ok(plain(&in_base64(json, size, "exactly ", size)?)),
                (Format::V3, true) => self.as_python(json, size),
                (Format::V3, false) => one_integer_a_byte(json, size),
            },
            Self::NullTerminated { size } => Ok(plain(&in_base64(json, 0, "at most ", size)?)),
            Self::Utf32 { units } => text_of(json, units, format),
            Self::Text | Self::Bytes if format == Format::V2 && json.as_number() == Some("0") => {
                Ok(Flagged { notes: vec![fill::zero_for_none()], ..plain(&[]) })
            }
            Self::Text => text(json),
            Self::Bytes if json.as_array().is_some() => integers_for_base64(json, format),
            Self::Bytes => Ok(plain(&base64::decode(json)?)),
        }
    }

    /// zarr-python's reading of a `raw_bytes` fill value.
    fn as_python(self, json: &Json, size: usize) -> Result<Flagged<Scalar>> {
        let strict = base64::decode(json).is_ok_and(|bytes| bytes.len() == size);
        let mut bytes = base64::as_python(json)?;
        bytes.truncate(size);
        let value = self.padded(bytes);
        if strict {
            return Ok(Flagged::plain(value));
        }
        let expected = format!("base64 of {}", byte_count(size));
        let mut note = fill::forbidden(&json.describe(), &expected);
        let fitted = ", padded with zeros or truncated";
        note.text = note.text.replace("; zarrs 0.23.14 refuses it", fitted);
        Ok(Flagged::noted(value, note))
    }
}

/// The bytes that base64 stands for, `least` to `most` of them, which `in_words` says.
fn in_base64(json: &Json, least: usize, in_words: &str, most: usize) -> Result<Vec<u8>> {
    let bytes = base64::decode(json)?;
    if (least..=most).contains(&bytes.len()) {
        return Ok(bytes);
    }
    let found = format!("base64 of {}", byte_count(bytes.len()));
    let expected = format!("base64 of {in_words}{}", byte_count(most));
    Err(Error::new(Code::FillValueLength, found, expected))
}

fn one_integer_a_byte(json: &Json, size: usize) -> Result<Flagged<Scalar>> {
    let bytes = integers(json)?;
    if bytes.len() != size {
        let found = format!("an array of {} integers", bytes.len());
        let expected = format!("an array of {size} integers, one per byte");
        return Err(Error::new(Code::FillValueLength, found, expected));
    }
    let text = format!(
        "The specification requires as many integers as r{} has bits; readers expect one per byte, {size} here.",
        size * 8
    );
    Ok(Flagged::noted(Scalar::Bytes(bytes.into()), Note::new(Code::RawFillLength, text)))
}

fn integers_for_base64(json: &Json, format: Format) -> Result<Flagged<Scalar>> {
    let bytes = integers(json)?;
    let place = match format {
        Format::V2 => "V2 does not define this form",
        Format::V3 => "The registered name is bytes",
    };
    let text = format!(
        "{place}; zarrs 0.23.14 writes an array of integers, which zarr-python 3.4.2 refuses. zarr-python writes \
         {}.",
        quoted(&base64::encode(&bytes))
    );
    Ok(Flagged::noted(Scalar::Bytes(bytes.into()), Note::new(Code::BytesAsIntegers, text)))
}

/// An array of integers from 0 to 255 as bytes.
fn integers(json: &Json) -> Result<Vec<u8>> {
    let expected = "an array of integers from 0 to 255";
    let items = json
        .as_array()
        .ok_or_else(|| Error::new(Code::FillValueType, json.describe(), expected))?;
    let byte = |(at, item): (usize, &Json)| {
        let byte = item.as_u64().and_then(|value| u8::try_from(value).ok());
        byte.ok_or_else(|| {
            let error =
                Error::new(Code::FillValueType, item.describe(), "an integer from 0 to 255");
            error.at(format!("[{at}]"))
        })
    };
    items.iter().enumerate().map(byte).collect()
}

fn text_of(json: &Json, units: usize, format: Format) -> Result<Flagged<Scalar>> {
    let fault =
        |found: String, expected: &str| Err(Error::new(Code::FillValueType, found, expected));
    let Kind::String(string) = &json.kind else { return fault(json.describe(), "a string") };
    if string.lone_surrogate {
        return fault("a string with a lone surrogate".into(), "Unicode text");
    }
    let length = string.text.chars().count();
    let value = utf32(string.text.chars().take(units).map(u32::from));
    if length <= units {
        return Ok(Flagged::plain(value));
    }
    if format == Format::V3 {
        let found = format!("a string of {length} code points");
        return Err(Error::new(Code::FillValueLength, found, format!("at most {units}")));
    }
    let text = format!(
        "The string has {length} code points; the data type holds {units}. NumPy and zarr-python 3.4.2 truncate it."
    );
    Ok(Flagged::noted(value, Note::new(Code::TextCut, text)))
}

fn text(json: &Json) -> Result<Flagged<Scalar>> {
    let fault = || Error::new(Code::FillValueType, json.describe(), "a string");
    match &json.kind {
        Kind::String(text) if !text.lone_surrogate => {
            Ok(Flagged::plain(Scalar::Text(text.text.as_bytes().into())))
        }
        Kind::Number(number) => {
            let text = str_of_python(number).ok_or_else(fault)?;
            let mut note = fill::forbidden(&json.describe(), "a string");
            let read = format!("reads it as {};", quoted(&text));
            note.text = note.text.replace("reads it;", &read);
            Ok(Flagged::noted(Scalar::Text(text.as_bytes().into()), note))
        }
        _ => Err(fault()),
    }
}

/// The text that Python's `str` makes of a JSON number; `None` where it refuses to.
fn str_of_python(number: &str) -> Option<String> {
    match number {
        "NaN" => Some("nan".into()),
        "Infinity" => Some("inf".into()),
        "-Infinity" => Some("-inf".into()),
        // The integer -0 has no sign in Python.
        "-0" => Some("0".into()),
        _ if number.contains(['.', 'e', 'E']) => {
            let value = Decimal::parse(number)?.to_f64();
            Some(print::python_repr(value))
        }
        // Python refuses to read integers of more than 4,300 digits.
        _ if number.len() <= 4300 => Some(number.to_owned()),
        _ => None,
    }
}
