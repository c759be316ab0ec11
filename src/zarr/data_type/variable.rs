//! Text and bytes of variable length: V2 `"|O"` with the object codec `vlen-utf8` or `vlen-bytes`, V3 `"string"` and
//! `"bytes"`.
//!
//! `|O` is not in the V2 text at all: it is NumPy's array of Python objects, and only the codec says what they are.
//! zarrs takes every `|O` for strings; zarr-python and we go by the codec. Old zarr-python wrote the fill value `0`
//! for "none", which is read as the empty value; of strings, other numbers are what Python's `str` makes of them, as
//! zarr-python reads them. zarr-python writes `bytes` as `variable_length_bytes`. Fill values of bytes are base64; they may
//! also be an array of integers, which zarrs writes and zarr-python refuses.

use super::prelude::*;
use super::{
    base64,
    bytes::{integers, unregistered},
};
use crate::zarr::{error::Result, scalar::print};

/// A data type of variable length.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum VariableLength {
    /// Text in UTF-8.
    Text,
    /// Bytes.
    Bytes,
}

impl VariableLength {
    fn v3(self) -> &'static str {
        match self {
            Self::Text => "string",
            Self::Bytes => "bytes",
        }
    }

    fn object_codec(self) -> &'static str {
        match self {
            Self::Text => "vlen-utf8",
            Self::Bytes => "vlen-bytes",
        }
    }

    /// NumPy's name of it.
    fn code(self) -> &'static str {
        match self {
            Self::Text => "T",
            Self::Bytes => "|O",
        }
    }

    fn scalar(self, bytes: &[u8]) -> Scalar {
        match self {
            Self::Text => Scalar::Text(bytes.into()),
            Self::Bytes => Scalar::Bytes(bytes.into()),
        }
    }

    /// The bytes of a scalar of this type; `None` for others.
    fn bytes(self, scalar: &Scalar) -> Option<&[u8]> {
        match (self, scalar) {
            (Self::Text, Scalar::Text(bytes)) | (Self::Bytes, Scalar::Bytes(bytes)) => Some(bytes),
            _ => None,
        }
    }
}

impl DataType for VariableLength {
    fn name(&self) -> String {
        self.v3().into()
    }

    fn kind(&self) -> &'static str {
        match self {
            Self::Text => "VariableLengthUTF8",
            Self::Bytes => "VariableLengthBytes",
        }
    }

    fn item_size(&self) -> ItemSize {
        ItemSize::Variable
    }

    fn description(&self) -> String {
        let what = if *self == Self::Text { "text in UTF-8" } else { "bytes" };
        format!("variable length, {what}")
    }

    fn to_v2(&self, _: &ByteOrder) -> Result<V2Form, Note> {
        Ok(V2Form { dtype: "|O".into(), object_codec: Some(self.object_codec().into()) })
    }

    fn to_v3(&self) -> Result<Json, Note> {
        Ok(self.v3().into())
    }

    fn numpy(&self, _: &ByteOrder) -> Option<Json> {
        Some(self.code().into())
    }

    fn notes(&self) -> Vec<Note> {
        let text = "In V3 zarr-python 3.4.2 writes variable_length_bytes, which is not registered; it also reads \
                    bytes.";
        let note = (*self == Self::Bytes).then(|| Note::new(Code::ZarrPythonName, text));
        note.into_iter().collect()
    }

    fn default_scalar(&self) -> Scalar {
        self.scalar(&[])
    }

    fn fill_from_json(
        &self,
        json: &Json,
        format: Format,
        _: &ByteOrder,
    ) -> Result<Flagged<Scalar>> {
        if format == Format::V2 && json.as_number() == Some("0") {
            return Ok(Flagged::noted(self.scalar(&[]), fill::zero_for_none()));
        }
        match self {
            Self::Text => text_from_json(json),
            Self::Bytes => bytes_from_json(json, format),
        }
    }

    fn fill_to_json(&self, scalar: &Scalar, _: Format, _: &ByteOrder) -> Result<Json, Note> {
        let bytes = self.bytes(scalar).ok_or_else(|| notes::foreign(self.v3(), scalar))?;
        if *self == Self::Bytes {
            return Ok(base64::encode(bytes).into());
        }
        std::str::from_utf8(bytes).map(Json::from).map_err(|error| {
            let text = format!("{scalar} is not UTF-8 ({error}); JSON cannot represent it.");
            Note::new(Code::NotUtf8, text)
        })
    }

    fn cast(&self, plain: &Plain) -> Result<Scalar> {
        match (self, plain) {
            (Self::Text, Plain::Text(text)) => Ok(self.scalar(text.as_bytes())),
            (Self::Bytes, Plain::Bytes(bytes)) => Ok(self.scalar(bytes)),
            (Self::Text, other) => Err(other.refused("text")),
            (Self::Bytes, other) => Err(other.refused("bytes")),
        }
    }

    fn decode(&self, bytes: &[u8], _: &ByteOrder) -> Result<Scalar> {
        Ok(self.scalar(bytes))
    }

    fn encode(&self, scalar: &Scalar, _: &ByteOrder) -> Result<Vec<u8>> {
        let bytes = self.bytes(scalar).ok_or_else(|| element::foreign(self.v3(), scalar))?;
        Ok(bytes.to_vec())
    }

    fn anatomy(&self, scalar: &Scalar, _: &ByteOrder) -> Vec<AnatomyRow> {
        let Some(bytes) = self.bytes(scalar) else { return Vec::new() };
        let points = || match std::str::from_utf8(bytes) {
            Ok(text) => text.chars().count().to_string(),
            Err(error) => format!("not UTF-8, from byte {}", error.valid_up_to()),
        };
        let is_text = *self == Self::Text;
        let label = if is_text { "UTF-8" } else { "bytes" };
        let shown = AnatomyRow::new(label, hex(bytes.get(..64).unwrap_or(bytes), " "));
        [
            Some(AnatomyRow::new("length", byte_count(bytes.len()))),
            is_text.then(|| AnatomyRow::new("code points", points())),
            Some(AnatomyRow { bytes: Some(0..bytes.len()), ..shown }),
        ]
        .into_iter()
        .flatten()
        .collect()
    }
}

fn text_from_json(json: &Json) -> Result<Flagged<Scalar>> {
    let fault = || Error::new(Code::FillValueType, json.describe(), "a string");
    match &json.kind {
        Kind::String(text) if !text.lone_surrogate => {
            Ok(Flagged::plain(VariableLength::Text.scalar(text.text.as_bytes())))
        }
        Kind::Number(number) => {
            let text = as_python(number).ok_or_else(fault)?;
            let mut note = fill::forbidden(&json.describe(), "a string");
            let read = format!("reads it as {};", quoted(&text));
            note.text = note.text.replace("reads it;", &read);
            Ok(Flagged::noted(VariableLength::Text.scalar(text.as_bytes()), note))
        }
        _ => Err(fault()),
    }
}

fn bytes_from_json(json: &Json, format: Format) -> Result<Flagged<Scalar>> {
    if json.as_array().is_none() {
        return Ok(Flagged::plain(VariableLength::Bytes.scalar(&base64::decode(json)?)));
    }
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
    Ok(Flagged::noted(VariableLength::Bytes.scalar(&bytes), Note::new(Code::BytesAsIntegers, text)))
}

/// The text that Python's `str` makes of a JSON number; `None` where it refuses to.
fn as_python(number: &str) -> Option<String> {
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

/// The family of text, or of bytes.
#[derive(Debug)]
pub struct VariableFamily(pub VariableLength);

impl Family for VariableFamily {
    fn name(&self) -> &'static str {
        self.0.kind()
    }

    fn from_v2(&self, dtype: &Json, codec: Option<&str>, _: &Scope) -> Option<Result<Resolved>> {
        let own = self.0.object_codec();
        (dtype.as_str() == Some("|O") && codec == Some(own)).then(|| {
            let text = format!(
                "\"|O\" is not in the V2 specification: it means Python objects, and the codec {own} in filters or \
                 compressor defines which."
            );
            Ok(Resolved::of(self.0).noted(Some(Note::new(Code::ObjectDtype, text))))
        })
    }

    fn from_v3(&self, data_type: &Json, _: &Scope) -> Option<Result<Resolved>> {
        let (name, registered) = (name_of(data_type)?, self.0.v3());
        let is_other = self.0 == VariableLength::Bytes && name == "variable_length_bytes";
        (name == registered || is_other).then(|| {
            Extension::read(data_type)?.without_parameters()?;
            Ok(Resolved::of(self.0).noted(is_other.then(|| unregistered(name, registered))))
        })
    }

    fn from_numpy(&self, name: &str, _: &Scope) -> Option<Result<Resolved>> {
        let is_word = self.0 == VariableLength::Text && matches!(name, "str" | "StringDType()");
        (name == self.0.code() || is_word).then(|| {
            let text = "NumPy's objects may be anything; they are taken for bytes here. zarr-python 3.4.2 refuses \
                        \"|O\" as ambiguous.";
            let note = self.0 == VariableLength::Bytes;
            let note = note.then(|| Note::new(Code::ObjectDtype, text));
            Ok(Resolved::of(self.0).noted(note))
        })
    }

    fn examples(&self) -> Vec<Arc<dyn DataType>> {
        vec![Arc::new(self.0)]
    }
}
