//! Complex numbers: two floats of any format, the real part first.
//!
//! `complex64` and `complex128` are core types; the registry adds `complex_` before every float name, of which
//! `complex_float32` and `complex_float64` are other names for the two. Byte order is that of each component: a
//! big-endian complex number is two big-endian floats, the real one still first. The fill value is a list of two, each
//! as a float would be; V2 says nothing of complex fill values, and everybody writes the same list.

use super::float;
use crate::zarr::data_type::fill::{Readers, python_float};
use crate::zarr::data_type::prelude::*;

/// The complex number of a fill value.
pub(super) fn from_json(
    json: &Json,
    format: Format,
    readers: Readers,
    part: &'static FloatFormat,
) -> Result<Flagged<Scalar>> {
    let Some(items @ [real, imaginary]) = json.as_array() else {
        let expected = "an array of two: real and imaginary part";
        return Err(Error::new(Code::FillValueType, json.describe(), expected));
    };
    let float =
        |json, at: &str| fill::float(json, format, readers, part).map_err(|error| error.at(at));
    let (real, imaginary) = (float(real, "[0]")?, float(imaginary, "[1]")?);
    let mut notes = real.notes;
    notes.extend(imaginary.notes);
    if format == Format::V2 && notes.is_empty() && items.iter().any(|item| is_rounded(item, part)) {
        let text = format!(
            "V2 does not define complex fill values. The numbers are rounded to {}.",
            part.name
        );
        notes.push(Note::new(Code::V2Silent, text));
    }
    Ok(Flagged { value: Scalar::Complex(real.value, imaginary.value), notes })
}

/// True for a number that is written back otherwise than it was read, where readers could part.
fn is_rounded(json: &Json, part: &'static FloatFormat) -> bool {
    json.as_number().and_then(Decimal::parse).is_some_and(|decimal| {
        decimal.round(part).is_ok_and(|rounded| {
            rounded.to_f64().to_bits() != decimal.to_f64().to_bits()
                || decimal.to_f64().is_infinite()
        })
    })
}

/// The complex number that `plain` is, its parts rounded.
pub(super) fn cast(plain: &Plain, format: &'static FloatFormat) -> Result<Scalar> {
    let part = |value: f64| float(&Plain::Float(value), format);
    match plain {
        Plain::Complex(real, imaginary) => Ok(Scalar::Complex(part(*real)?, part(*imaginary)?)),
        Plain::Text(text) if text.ends_with(['j', ')']) => {
            let (real, imaginary) = python_complex(text, format)
                .ok_or_else(|| plain.refused("a complex number, such as 1+2j"))?;
            let real = real.map_or_else(|| part(0.0), Ok)?;
            Ok(Scalar::Complex(real, imaginary))
        }
        other => {
            let real = float(other, format)?;
            Ok(Scalar::Complex(real, part(0.0).unwrap_or_else(|_| Float::new(0, format))))
        }
    }
}

/// The parts that Python's `complex()` finds in a text with an imaginary part: real part, if it has one, and imaginary
/// part.
fn python_complex(text: &str, part: &'static FloatFormat) -> Option<(Option<Float>, Float)> {
    let bare = text.strip_prefix('(').and_then(|text| text.strip_suffix(')')).unwrap_or(text);
    let number = bare.strip_suffix('j')?;
    // The sign between both parts: the last one, unless it is that of an exponent or of the number itself.
    let mut signs = number.char_indices().filter(|(at, c)| {
        let before = number.get(..*at).and_then(|before| before.chars().next_back());
        matches!(c, '+' | '-') && before.is_some_and(|before| !matches!(before, 'e' | 'E'))
    });
    let at = signs.next_back().map_or(0, |(at, _)| at);
    let (real, imaginary) = number.split_at_checked(at)?;
    let imaginary = match imaginary {
        "" | "+" | "-" => format!("{imaginary}1"),
        digits => digits.to_owned(),
    };
    let real = if real.is_empty() { None } else { Some(python_float(real, part)?) };
    Some((real, python_float(&imaginary, part)?))
}
