//! Bytes and text, of a length that all elements have or each of its own.
//!
//! | type | V2 | V3 |
//! | --- | --- | --- |
//! | raw bytes | `"\|V4"` | `"r32"`, of zarr-python `raw_bytes` |
//! | null-terminated bytes | `"\|S5"` | of zarr-python `null_terminated_bytes` |
//! | text in UTF-32 | `"<U3"` | `fixed_length_utf32` |
//! | text in UTF-8 | `"\|O"` with the object codec `vlen-utf8` | `"string"` |
//! | bytes | `"\|O"` with the object codec `vlen-bytes` | `"bytes"`, of zarr-python `variable_length_bytes` |
//!
//! `|S5` is five bytes, the trailing zeros of which are padding. V2 counts code points (its text says bytes, which is
//! wrong: `<U3` is 12 bytes), V3 counts bytes in `length_bytes`. Byte order applies to each code unit; trailing zeros are
//! padding, and a unit that is no Unicode scalar value (a surrogate, or past U+10FFFF) is kept and shown as such. `|O` is
//! not in the V2 text at all: it is NumPy's array of Python objects, and only the codec says what they are. zarrs takes
//! every `|O` for strings; zarr-python and we go by the codec.

use super::{base64, bytes, padded::MAX_HELD, prelude::*};
use crate::zarr::{text, words::grouped};

mod family;
mod fill_values;

pub use family::{StringFamily, zarr_python_form};

/// The number of code units the anatomy lists.
const SHOWN: usize = 32;

/// Bytes of a code unit.
const UNIT: usize = 4;

/// A data type of bytes or text. Lengths are 1 or more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StringType {
    /// Bytes that mean nothing by themselves.
    Raw {
        /// The bytes of an element.
        size: usize,
        /// True if V3 spelled it `raw_bytes`, whose fill values are base64.
        raw_bytes: bool,
    },
    /// Bytes without the zeros at their end.
    NullTerminated {
        /// The bytes of an element.
        size: usize,
    },
    /// Text in UTF-32, without the zeros at its end.
    Utf32 {
        /// The code units of an element.
        units: usize,
    },
    /// Text in UTF-8, of any length.
    Text,
    /// Bytes, of any length.
    Bytes,
}

impl StringType {
    /// The kind of a NumPy type string, and the bytes that a length in it counts; `None` where lengths vary.
    fn typestr(self) -> Option<(char, usize)> {
        match self {
            Self::Raw { .. } => Some(('V', 1)),
            Self::NullTerminated { .. } => Some(('S', 1)),
            Self::Utf32 { .. } => Some(('U', UNIT)),
            Self::Text | Self::Bytes => None,
        }
    }

    /// The same of another length.
    fn of_length(self, length: usize) -> Self {
        match self {
            Self::Raw { raw_bytes, .. } => Self::Raw { size: length, raw_bytes },
            Self::NullTerminated { .. } => Self::NullTerminated { size: length },
            Self::Utf32 { .. } => Self::Utf32 { units: length },
            Self::Text | Self::Bytes => self,
        }
    }

    fn object_codec(self) -> &'static str {
        if self == Self::Text { "vlen-utf8" } else { "vlen-bytes" }
    }

    fn scalar(self, bytes: &[u8], endian: Endian) -> Scalar {
        match self {
            Self::Raw { .. } | Self::Bytes => Scalar::Bytes(bytes.into()),
            Self::NullTerminated { .. } => {
                let end = bytes.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
                Scalar::NullTerminated(bytes.get(..end).unwrap_or(bytes).into())
            }
            Self::Utf32 { .. } => {
                let unit: fn([u8; UNIT]) -> u32 = match endian {
                    Endian::Little => u32::from_le_bytes,
                    Endian::Big => u32::from_be_bytes,
                };
                utf32(bytes.as_chunks::<UNIT>().0.iter().map(|&bytes| unit(bytes)))
            }
            Self::Text => Scalar::Text(bytes.into()),
        }
    }

    /// Raw bytes, with zeros where there are too few of them.
    fn padded(self, mut bytes: Vec<u8>) -> Scalar {
        if let Some(size) = self.fixed_size().filter(|&size| size <= MAX_HELD) {
            bytes.resize(size, 0);
        }
        Scalar::Bytes(bytes.into())
    }
}

fn utf32(units: impl IntoIterator<Item = u32>) -> Scalar {
    let mut units: Vec<u32> = units.into_iter().collect();
    while units.last() == Some(&0) {
        units.pop();
    }
    Scalar::Utf32(units.into())
}

impl DataType for StringType {
    fn name(&self) -> String {
        match self {
            Self::Raw { size, .. } => format!("r{}", size * 8),
            Self::NullTerminated { size } => format!("null_terminated_bytes[{size}]"),
            Self::Utf32 { units } => format!("fixed_length_utf32[{units}]"),
            Self::Text => "string".into(),
            Self::Bytes => "bytes".into(),
        }
    }

    fn kind(&self) -> &'static str {
        match self {
            Self::Raw { .. } => "RawBytes",
            Self::NullTerminated { .. } => "NullTerminatedBytes",
            Self::Utf32 { .. } => "FixedLengthUTF32",
            Self::Text => "VariableLengthUTF8",
            Self::Bytes => "VariableLengthBytes",
        }
    }

    fn item_size(&self) -> ItemSize {
        match self {
            Self::Raw { size, .. } | Self::NullTerminated { size } => ItemSize::Fixed(*size),
            Self::Utf32 { units } => ItemSize::Fixed(units * UNIT),
            Self::Text | Self::Bytes => ItemSize::Variable,
        }
    }

    fn description(&self) -> String {
        match self {
            Self::Raw { size, .. } => {
                format!("{}, raw: {} uninterpreted bits", byte_count(*size), size * 8)
            }
            Self::NullTerminated { size } => {
                format!("{}, a byte string padded with zeros", byte_count(*size))
            }
            Self::Utf32 { units } => {
                let points = if *units == 1 { "code point" } else { "code points" };
                format!("{} bytes, text of up to {units} {points} in UTF-32", units * UNIT)
            }
            Self::Text => "variable length, text in UTF-8".into(),
            Self::Bytes => "variable length, bytes".into(),
        }
    }

    fn has_byte_order(&self) -> bool {
        matches!(self, Self::Utf32 { .. })
    }

    fn to_v2(&self, order: &ByteOrder) -> Result<V2Form, Note> {
        Ok(V2Form::plain(match self {
            Self::Raw { size, .. } => format!("|V{size}"),
            Self::NullTerminated { size } => format!("|S{size}"),
            Self::Utf32 { units } => format!("{}U{units}", order.endian().sign()),
            Self::Text | Self::Bytes => {
                let object_codec = Some(self.object_codec().into());
                return Ok(V2Form { dtype: "|O".into(), object_codec });
            }
        }))
    }

    fn to_v3(&self) -> Result<Json, Note> {
        Ok(match self {
            Self::Raw { .. } | Self::Text | Self::Bytes => self.name().into(),
            Self::NullTerminated { size } => {
                written("null_terminated_bytes", object! {"length_bytes": *size})
            }
            Self::Utf32 { units } => {
                written("fixed_length_utf32", object! {"length_bytes": units * UNIT})
            }
        })
    }

    fn numpy(&self, order: &ByteOrder) -> Option<Json> {
        match self {
            Self::Text => Some("T".into()),
            _ => self.to_v2(order).ok().map(|form| form.dtype),
        }
    }

    fn notes(&self) -> Vec<Note> {
        let (code, text) = match self {
            Self::Raw { raw_bytes: true, .. } => (
                Code::ZarrPythonName,
                "zarr-python 3.4.2 cannot read the registered name. zarrs 0.23.14 refuses raw_bytes. TensorStore \
                 0.1.86 reads both and requires a base64 fill value.",
            ),
            Self::Raw { raw_bytes: false, .. } => (
                Code::ZarrPythonName,
                "zarr-python 3.4.2 cannot read this name: it writes raw_bytes with length_bytes, which is not \
                 registered and which zarrs 0.23.14 refuses. TensorStore 0.1.86 reads both and requires a base64 fill \
                 value.",
            ),
            Self::NullTerminated { .. } => (
                Code::UnregisteredName,
                "The V3 registry has no null-terminated bytes. zarr-python 3.4.2 writes null_terminated_bytes and \
                 warns that it has no V3 specification.",
            ),
            Self::Bytes => (
                Code::ZarrPythonName,
                "In V3 zarr-python 3.4.2 writes variable_length_bytes, which is not registered; it also reads bytes.",
            ),
            Self::Utf32 { .. } | Self::Text => return Vec::new(),
        };
        vec![Note::new(code, text)]
    }

    fn default_scalar(&self) -> Scalar {
        match self {
            Self::Raw { .. } => self.padded(Vec::new()),
            _ => self.scalar(&[], Endian::Little),
        }
    }

    fn fill_from_json(
        &self,
        json: &Json,
        format: Format,
        _: &ByteOrder,
    ) -> Result<Flagged<Scalar>> {
        self.fill_value(json, format)
    }

    fn fill_to_json(&self, scalar: &Scalar, format: Format, _: &ByteOrder) -> Result<Json, Note> {
        match (self, scalar) {
            (Self::Raw { size, raw_bytes }, Scalar::Bytes(held)) => {
                let is_spelled = format == Format::V3 && !raw_bytes;
                bytes::spellable(if is_spelled { *size } else { 0 })?;
                let bytes = PaddedBytes::new(held.to_vec(), *size).and_then(PaddedBytes::whole);
                let bytes = bytes.map_err(|error| bytes::too_long(&error))?;
                Ok(if is_spelled { Json::from(bytes) } else { base64::encode(&bytes).into() })
            }
            (Self::NullTerminated { .. }, Scalar::NullTerminated(bytes))
            | (Self::Bytes, Scalar::Bytes(bytes)) => Ok(base64::encode(bytes).into()),
            (Self::Utf32 { .. }, Scalar::Utf32(units)) => {
                let text: Option<String> = units.iter().map(|&unit| char::from_u32(unit)).collect();
                text.map(Json::from).ok_or_else(|| {
                    let text = format!(
                        "{scalar} holds code units that are not Unicode characters; JSON cannot represent them."
                    );
                    Note::new(Code::NotJson, text)
                })
            }
            (Self::Text, Scalar::Text(bytes)) => {
                std::str::from_utf8(bytes).map(Json::from).map_err(|error| {
                    let text =
                        format!("{scalar} is not UTF-8 ({error}); JSON cannot represent it.");
                    Note::new(Code::NotUtf8, text)
                })
            }
            _ => Err(notes::foreign(&self.name(), scalar)),
        }
    }

    fn cast(&self, plain: &Plain) -> Result<Scalar> {
        let scalar = |bytes: &[u8]| Ok(self.scalar(bytes, Endian::Little));
        match (self, plain) {
            (Self::Raw { size, .. }, Plain::Bytes(bytes)) if bytes.len() == *size => scalar(bytes),
            (Self::Raw { size, .. }, other) => Err(other.refused(&format!("{size} bytes"))),
            (Self::NullTerminated { size }, _) => {
                let bytes = match plain {
                    Plain::Bytes(bytes) => bytes.as_slice(),
                    Plain::Text(text) if text.is_ascii() => text.as_bytes(),
                    other => return Err(other.refused("bytes, or ASCII text")),
                };
                if bytes.len() > *size {
                    return Err(plain.refused(&format!("at most {}", byte_count(*size))));
                }
                scalar(bytes)
            }
            (Self::Utf32 { units }, Plain::Text(text)) if text.chars().count() <= *units => {
                Ok(utf32(text.chars().map(u32::from)))
            }
            (Self::Utf32 { units }, other) => {
                Err(other.refused(&format!("text of at most {units} code points")))
            }
            (Self::Text, Plain::Text(text)) => scalar(text.as_bytes()),
            (Self::Bytes, Plain::Bytes(bytes)) => scalar(bytes),
            (Self::Text, other) => Err(other.refused("text")),
            (Self::Bytes, other) => Err(other.refused("bytes")),
        }
    }

    fn decode(&self, bytes: &[u8], order: &ByteOrder) -> Result<Scalar> {
        if let Some(size) = self.fixed_size() {
            element::expect_size(bytes, size)?;
        }
        Ok(self.scalar(bytes, order.endian()))
    }

    fn encode(&self, scalar: &Scalar, order: &ByteOrder) -> Result<Vec<u8>> {
        self.encode_padded(scalar, order)?.whole()
    }

    fn encode_padded(&self, scalar: &Scalar, order: &ByteOrder) -> Result<PaddedBytes> {
        let bytes: Vec<u8> = match (self, scalar) {
            (Self::Raw { .. } | Self::Bytes, Scalar::Bytes(bytes))
            | (Self::NullTerminated { .. }, Scalar::NullTerminated(bytes))
            | (Self::Text, Scalar::Text(bytes)) => bytes.to_vec(),
            (Self::Utf32 { .. }, Scalar::Utf32(units)) => {
                let unit: fn(u32) -> [u8; UNIT] = match order.endian() {
                    Endian::Little => u32::to_le_bytes,
                    Endian::Big => u32::to_be_bytes,
                };
                units.iter().copied().flat_map(unit).collect()
            }
            _ => return Err(element::foreign(&self.name(), scalar)),
        };
        match self.fixed_size() {
            Some(size) => PaddedBytes::new(bytes, size),
            None => Ok(bytes.into()),
        }
    }

    fn anatomy(&self, scalar: &Scalar, _: &ByteOrder) -> Vec<AnatomyRow> {
        let row = |label: &str, value: String, bytes| AnatomyRow {
            bytes: Some(bytes),
            ..AnatomyRow::new(label, value)
        };
        let start = |bytes: &[u8]| hex(bytes.get(..64).unwrap_or(bytes), " ");
        match (self, scalar) {
            (Self::Raw { .. }, Scalar::Bytes(held)) => {
                let rows = held.chunks(16).take(8).enumerate().map(|(at, part)| {
                    let from = at * 16;
                    row(&format!("bytes {from}…"), hex(part, " "), from..from + part.len())
                });
                rows.collect()
            }
            (Self::NullTerminated { size }, Scalar::NullTerminated(bytes)) => {
                let padding = byte_count(size - bytes.len());
                vec![
                    row("bytes", start(bytes), 0..bytes.len()),
                    row("padding", format!("{padding} of {}", grouped(*size)), bytes.len()..*size),
                ]
            }
            (Self::Utf32 { units: all }, Scalar::Utf32(units)) => {
                let unit = |(at, &unit): (usize, &u32)| {
                    let meaning = char::from_u32(unit).map_or_else(
                        || "not a Unicode character".into(),
                        |c| format!("{:?}", text::safe(c.encode_utf8(&mut [0; 4]))),
                    );
                    let bytes = at * UNIT..(at + 1) * UNIT;
                    row(&format!("code unit {at}"), format!("U+{unit:04X} {meaning}"), bytes)
                };
                let mut rows: Vec<_> = units.iter().take(SHOWN).enumerate().map(unit).collect();
                let padding = format!("{} of {all} code units", all - units.len().min(*all));
                rows.push(row("padding", padding, units.len() * UNIT..all * UNIT));
                rows
            }
            (Self::Text, Scalar::Text(bytes)) => {
                let points = match std::str::from_utf8(bytes) {
                    Ok(text) => text.chars().count().to_string(),
                    Err(error) => format!("not UTF-8, from byte {}", error.valid_up_to()),
                };
                vec![
                    AnatomyRow::new("length", byte_count(bytes.len())),
                    AnatomyRow::new("code points", points),
                    row("UTF-8", start(bytes), 0..bytes.len()),
                ]
            }
            (Self::Bytes, Scalar::Bytes(bytes)) => vec![
                AnatomyRow::new("length", byte_count(bytes.len())),
                row("bytes", start(bytes), 0..bytes.len()),
            ],
            _ => Vec::new(),
        }
    }
}
