//! Values that are given as text: numbers of fill values, from JSON to exact values, and plain values to be cast.
//!
//! The texts are strict and short: an integer is a number without fraction, a float is a number or one of three words
//! or, in V3, its bits in hexadecimal. zarr-python reads a good deal more, because Python does: `"1.5"`, `"nan"`,
//! `1e3` for an integer, hexadecimal of another width. Where that reading is the only one there is, it is what the
//! array means, and it is taken with a note of code [`Code::SpecForbids`]. Types that zarr-python does not know have no
//! such readers, and fields of a struct neither: there the text alone decides.

use super::prelude::*;
use crate::zarr::{
    json::{ROUNDED, are_same_doubles, is_bare},
    scalar::{
        Specials,
        float::{FLOAT16, FLOAT32, FLOAT64, Refusal},
    },
};

/// The readers of a fill value beside the specification.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Readers {
    /// The text alone: zarr-python does not know the data type.
    TextOnly,
    /// zarr-python too, with all that Python reads as a number.
    ZarrPython,
    /// zarr-python too, but for a component of a complex number, where it is stricter.
    ZarrPythonComponent,
}

impl Readers {
    fn lenient(self) -> bool {
        self != Self::TextOnly
    }
}

/// An integer between `least` and `most`.
///
/// # Errors
///
/// If it is none, has a fraction, or is out of range.
pub fn integer(
    json: &Json,
    format: Format,
    readers: Readers,
    (least, most): (i128, i128),
) -> Result<Flagged<i128>> {
    let expected = || format!("an integer from {least} to {most}");
    let fault = || Error::new(Code::FillValueType, json.describe(), expected());
    let flagged = match &json.kind {
        Kind::Number(text) if text.contains(['.', 'e', 'E']) => whole(text, json, format, readers)?,
        Kind::Number(text) if !is_bare(text) => Flagged::plain(text.parse().unwrap_or(i128::MAX)),
        Kind::String(text) if readers == Readers::ZarrPython && is_plain_integer(&text.text) => {
            let note = forbidden(&json.describe(), "a number");
            Flagged::noted(text.text.parse().unwrap_or(i128::MAX), note)
        }
        _ => return Err(fault()),
    };
    if flagged.value < least || flagged.value > most {
        let error = Error::new(Code::FillValueRange, json.describe(), expected());
        let is_rounded = |limit: &i128| {
            json.as_number().is_some_and(|text| are_same_doubles(text, &limit.to_string()))
        };
        let limit = [least, most].into_iter().find(is_rounded);
        let fix = limit.map(|limit| format!("{limit} is likely meant. {ROUNDED}"));
        return Err(Error { fix, ..error });
    }
    Ok(flagged)
}

fn is_plain_integer(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// A whole number written with a fraction or an exponent, such as `1.0` or `1e3`.
///
/// V2 says nothing, and the exact value is taken. V3 forbids it; those who read it all the same go through `f64`, so
/// that is what it means.
fn whole(text: &str, json: &Json, format: Format, readers: Readers) -> Result<Flagged<i128>> {
    let expected = "an integer without fraction or exponent";
    let fault = || Error::new(Code::FillValueType, json.describe(), expected);
    let decimal = Decimal::parse(text).filter(Decimal::is_whole).ok_or_else(fault)?;
    if format == Format::V3 && !readers.lenient() {
        return Err(fault());
    }
    let exact = decimal.to_integer().ok_or_else(fault)?;
    if format == Format::V2 {
        let text = format!(
            "{} is an integer written as a fraction; zarrs 0.23.14 refuses it.",
            json.describe()
        );
        return Ok(Flagged::noted(exact, Note::new(Code::WholeNumberAsFraction, text)));
    }
    #[expect(clippy::cast_possible_truncation, reason = "whole, and below 10^38")]
    let read = decimal.to_f64() as i128;
    let mut note = forbidden(&json.describe(), expected);
    if read != exact {
        note.text.push_str(" Read as float64, it becomes ");
        note.text.push_str(&read.to_string());
        note.text.push('.');
    }
    Ok(Flagged::noted(read, note))
}

/// The note on the 0 of a V2 array of variable length.
pub fn zero_for_none() -> Note {
    let text = "zarr-python 2.18.7 wrote 0, its default, where no fill value was given; zarrscope and zarrs 0.23.14 read \
                it as empty, zarr-python 3.4.2 as \"0\" in a string array.";
    Note::new(Code::ZeroForNone, text)
}

/// The note on a form that the specification forbids.
pub fn forbidden(found: &str, expected: &str) -> Note {
    let text = format!(
        "The specification requires {expected}; found {found}. zarr-python 3.4.2 reads it; zarrs 0.23.14 refuses it."
    );
    Note::new(Code::SpecForbids, text)
}

/// A float of `target`.
///
/// # Errors
///
/// If it is no number and none of the permitted strings, or the format has nothing for it.
pub fn float(
    json: &Json,
    format: Format,
    readers: Readers,
    target: &'static FloatFormat,
) -> Result<Flagged<Float>> {
    match &json.kind {
        Kind::Number(text) if is_bare(text) => {
            if !readers.lenient() {
                return Err(fault(json, format, target));
            }
            let note = forbidden(&format!("the bare token {text}, which is not JSON"), "a string");
            Ok(Flagged::noted(special(text, target, json)?, note))
        }
        Kind::Number(text) => number(text, json, target),
        Kind::String(text) => string(&text.text, json, format, readers, target),
        _ => Err(fault(json, format, target)),
    }
}

fn fault(json: &Json, format: Format, target: &FloatFormat) -> Error {
    Error::new(Code::FillValueType, json.describe(), forms(format, target))
}

/// The forms of a float that `format` allows.
fn forms(format: Format, target: &FloatFormat) -> String {
    let mut forms = vec!["a number".to_owned()];
    forms.extend(target.nan().map(|_| "\"NaN\"".to_owned()));
    if target.infinity(false).is_some() {
        forms.extend(["\"Infinity\"".to_owned(), "\"-Infinity\"".to_owned()]);
    }
    if format == Format::V3 {
        forms.push(format!("\"0x\" followed by {} hexadecimal digits", target.size * 2));
    }
    match forms.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} or {last}", rest.join(", ")),
        _ => forms.concat(),
    }
}

fn refused(json: &Json, target: &FloatFormat, refusal: Refusal) -> Error {
    let expected = format!("a value of {}, which {}", target.name, refusal.words());
    Error::new(Code::FillValueRange, json.describe(), expected)
}

fn special(word: &str, target: &'static FloatFormat, json: &Json) -> Result<Float> {
    let value = match word {
        "NaN" => f64::NAN,
        "Infinity" => f64::INFINITY,
        _ => f64::NEG_INFINITY,
    };
    Float::from_f64(value, target).map_err(|refusal| refused(json, target, refusal))
}

fn number(text: &str, json: &Json, target: &'static FloatFormat) -> Result<Flagged<Float>> {
    let fault = || Error::new(Code::FillValueType, json.describe(), "a JSON number");
    let decimal = Decimal::parse(text).ok_or_else(fault)?;
    let float = decimal.round(target).map_err(|refusal| refused(json, target, refusal))?;
    let mut flagged = Flagged::plain(float);
    if target.specials == Specials::PowersOfTwo
        && float.to_f64().to_bits() != decimal.to_f64().to_bits()
    {
        let text = format!(
            "{} holds only powers of two; {text} is rounded to the nearest one.",
            target.name
        );
        flagged.notes.push(Note::new(Code::FillValueRounded, text));
    }
    if decimal.is_zero() && decimal.negative && !float.is_negative() {
        let text = format!("{} has no negative zero; -0 is read as 0.", target.name);
        flagged.notes.push(Note::new(Code::FillValueRounded, text));
    } else if text == "-0" {
        let text = "JSON readers that parse -0 as an integer, as Python does, lose its sign.";
        flagged.notes.push(Note::new(Code::MinusZero, text));
    }
    if let Some(twice) = decimal.round_twice(target).filter(|&twice| twice != float) {
        flagged.notes.push(double_rounding(float, twice));
    }
    Ok(flagged)
}

fn double_rounding(once: Float, twice: Float) -> Note {
    let bits = |float: Float| crate::zarr::scalar::print::bit_pattern(float);
    let text = format!(
        "Rounded directly to {}, it is {}. zarr-python 3.4.2, zarrs 0.23.14 and TensorStore 0.1.86 round to float64 \
         first and get {}.",
        once.format.name,
        bits(once),
        bits(twice),
    );
    Note::new(Code::DoubleRounding, text)
}

fn string(
    text: &str,
    json: &Json,
    format: Format,
    readers: Readers,
    target: &'static FloatFormat,
) -> Result<Flagged<Float>> {
    if matches!(text, "NaN" | "Infinity" | "-Infinity") {
        return special(text, target, json).map(Flagged::plain);
    }
    let flagged = match text.strip_prefix("0x") {
        Some(digits) if format == Format::V3 => hexadecimal(digits, readers, target),
        None if readers == Readers::ZarrPython => as_python(text, json, format, target),
        _ => None,
    };
    flagged.ok_or_else(|| fault(json, format, target))
}

/// The bits in hexadecimal, the most significant first: exactly two digits a byte. zarr-python takes 4, 8 or 16 digits
/// for any float, as the value that float16, float32 or float64 give them.
fn hexadecimal(
    digits: &str,
    readers: Readers,
    target: &'static FloatFormat,
) -> Option<Flagged<Float>> {
    // Not from_str_radix alone: it takes a sign.
    let bits = digits.bytes().all(|byte| byte.is_ascii_hexdigit()).then_some(digits)?;
    let width = bits.len();
    let bits = u64::from_str_radix(bits, 16).ok()?;
    if width == target.size * 2 {
        let float = (bits <= target.mask()).then(|| Float::new(bits, target))?;
        let mut flagged = Flagged::plain(float);
        if digits.bytes().any(|byte| byte.is_ascii_uppercase()) {
            let text = "The specification does not mention upper-case hexadecimal digits; zarr-python 3.4.2, zarrs \
                        0.23.14 and TensorStore 0.1.86 read them.";
            flagged.notes.push(Note::new(Code::UpperCaseHex, text));
        }
        if float.is_other_nan() && readers.lenient() {
            flagged.notes.extend(nan_note(float));
        }
        return Some(flagged);
    }
    let source = [&FLOAT16, &FLOAT32, &FLOAT64].into_iter().find(|source| source.size * 2 == width);
    let source = source.filter(|_| readers.lenient())?;
    let float = converted(Float::new(bits, source), target)?;
    let found = format!("{width}, as for {}", source.name);
    let expected = format!("{} hexadecimal digits", target.size * 2);
    Some(Flagged::noted(float, forbidden(&found, &expected)))
}

/// The note on a NaN that is not the usual one, for readers that go through other formats.
fn nan_note(nan: Float) -> Option<Note> {
    let is_quiet = nan.mantissa_field() >> (nan.format.mantissa_bits - 1) == 1;
    let text = match nan.format.bits {
        16 => format!("zarr-python 3.4.2 does not keep the payload of a {} NaN.", nan.format.name),
        32 if !is_quiet => "zarr-python 3.4.2 turns a signalling NaN into a quiet one.".into(),
        _ => return None,
    };
    Some(Note::new(Code::NanPayload, text))
}

/// A float as another format has it, by value; a NaN keeps its sign and as much of its payload as fits.
fn converted(source: Float, target: &'static FloatFormat) -> Option<Float> {
    let rounded = Float::from_f64(source.to_f64(), target).ok()?;
    if !source.is_nan() || source.format.bits == 16 {
        return Some(rounded);
    }
    let payload = source.mantissa_field() << (52 - source.format.mantissa_bits)
        >> (52 - target.mantissa_bits);
    Some(Float::new(rounded.bits | payload, target))
}

/// The same for a fill value, with a note on the forms that the specification allows.
fn as_python(
    text: &str,
    json: &Json,
    format: Format,
    target: &'static FloatFormat,
) -> Option<Flagged<Float>> {
    let float = python_float(text, target)?;
    Some(Flagged::noted(float, forbidden(&json.describe(), &forms(format, target))))
}

/// The number that Python's `float()` gives for a string, as far as it is ASCII without spaces and underscores.
pub fn python_float(text: &str, target: &'static FloatFormat) -> Option<Float> {
    let (negative, word) = match text.strip_prefix('-') {
        Some(word) => (true, word),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let value = match word.to_ascii_lowercase().as_str() {
        "nan" => f64::NAN,
        "inf" | "infinity" => f64::INFINITY,
        _ => return Decimal::parse(text)?.round(target).ok(),
    };
    Float::from_f64(if negative { -value } else { value }, target).ok()
}

/// A float as the JSON of a fill value.
///
/// # Errors
///
/// In V2, where only numbers and three words are known: for a NaN with sign or payload.
pub fn float_to_json(value: Float, format: Format) -> Result<Json, Note> {
    if let Some(number) = crate::zarr::scalar::print::json_number(value) {
        return Ok(Json::number(number));
    }
    if value.is_nan() && !value.is_other_nan() {
        return Ok(Json::from("NaN"));
    }
    if value.class() == crate::zarr::scalar::float::FloatClass::Infinity {
        return Ok(Json::from(if value.is_negative() { "-Infinity" } else { "Infinity" }));
    }
    let pattern = crate::zarr::scalar::print::bit_pattern(value);
    match format {
        Format::V3 => Ok(Json::from(pattern)),
        Format::V2 => {
            let text = format!(
                "V2 has one NaN, \"NaN\"; it cannot represent the sign and payload of {pattern}."
            );
            Err(Note::new(Code::NanPayload, text))
        }
    }
}

/// A value that has no Zarr data type yet, as a user or a program has it.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Plain {
    /// True or false.
    Bool(bool),
    /// A whole number.
    Int(i128),
    /// A float; for complex types the real part.
    Float(f64),
    /// Real and imaginary part.
    Complex(f64, f64),
    /// Text.
    Text(String),
    /// Bytes.
    Bytes(Vec<u8>),
    /// A struct's fields in order.
    List(Vec<Self>),
}

impl Plain {
    /// A whole number: an integer, a bool, or a float without fraction.
    pub fn whole(&self) -> Option<i128> {
        match self {
            Self::Bool(value) => Some((*value).into()),
            Self::Int(value) => Some(*value),
            #[expect(clippy::cast_possible_truncation, reason = "whole and far inside the range")]
            Self::Float(value) if value.fract() == 0.0 && value.abs() < 1e30 => {
                Some(*value as i128)
            }
            _ => None,
        }
    }

    /// The text, where it is one.
    pub fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The refusal to cast this value to what was `expected`.
    pub fn refused(&self, expected: &str) -> Error {
        let found = match self {
            Self::Bool(value) => value.to_string(),
            Self::Int(value) => format!("the integer {value}"),
            Self::Float(value) => format!("the float {value}"),
            Self::Complex(real, imaginary) => format!("the complex number {real}{imaginary:+}i"),
            Self::Text(text) => format!("the text {}", quoted(text)),
            Self::Bytes(bytes) => format!("{} bytes", bytes.len()),
            Self::List(items) => format!("a list of {}", items.len()),
        };
        Error::new(Code::Cast, found, expected)
    }
}
