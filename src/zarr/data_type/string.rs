//! Text of variable length in UTF-8: V2 `"|O"` with the object codec `vlen-utf8`, V3 `"string"`.
//!
//! `|O` is not in the V2 text at all: it is NumPy's array of Python objects, and only the codec says what they are.
//! zarrs takes every `|O` for strings; zarr-python and we go by the codec. Old zarr-python wrote the fill value `0`
//! for "none", which is read as the empty string; other numbers are what Python's `str` makes of them, as zarr-python
//! reads them.

use super::{
    AnatomyRow, ByteOrder, DataType, Family, ItemSize, Plain, Resolved, Scope, V2Form, element,
    extension::{Extension, name_of},
    fill, notes,
};
use crate::zarr::{
    error::{Code, Error, Flagged, Note, Result},
    format::Format,
    json::{Json, Kind, quoted},
    scalar::{Decimal, Scalar, print},
    words::{byte_count, hex},
};
use std::sync::Arc;

/// The note on `|O` with a codec that says what it holds.
pub fn object_note(codec: &str) -> Note {
    let text = format!(
        "\"|O\" is not in the V2 specification: it means Python objects, and the codec {codec} in filters or \
         compressor defines which."
    );
    Note::new(Code::ObjectDtype, text)
}

/// The name that NumPy 2 takes for text of variable length.
const NUMPY: &str = "T";

/// UTF-8 text of variable length.
#[derive(Debug, Clone, Copy)]
pub struct VariableText;

impl DataType for VariableText {
    fn name(&self) -> String {
        "string".into()
    }

    fn kind(&self) -> &'static str {
        "VariableLengthUTF8"
    }

    fn item_size(&self) -> ItemSize {
        ItemSize::Variable
    }

    fn description(&self) -> String {
        "variable length, text in UTF-8".into()
    }

    fn to_v2(&self, _: &ByteOrder) -> Result<V2Form, Note> {
        Ok(V2Form { dtype: "|O".into(), object_codec: Some("vlen-utf8".into()) })
    }

    fn to_v3(&self) -> Result<Json, Note> {
        Ok("string".into())
    }

    fn numpy(&self, _: &ByteOrder) -> Option<Json> {
        Some(NUMPY.into())
    }

    fn default_scalar(&self) -> Scalar {
        Scalar::Text([].into())
    }

    fn fill_from_json(
        &self,
        json: &Json,
        format: Format,
        _: &ByteOrder,
    ) -> Result<Flagged<Scalar>> {
        let fault = || Error::new(Code::FillValueType, json.describe(), "a string");
        match &json.kind {
            Kind::String(text) if !text.lone_surrogate => {
                Ok(Flagged::plain(Scalar::Text(text.text.as_bytes().into())))
            }
            Kind::Number(number) if number == "0" && format == Format::V2 => {
                Ok(Flagged::noted(Scalar::Text([].into()), fill::zero_for_none()))
            }
            Kind::Number(number) => {
                let text = as_python(number).ok_or_else(fault)?;
                let mut note = fill::forbidden(&json.describe(), "a string");
                let read = format!("reads it as {};", quoted(&text));
                note.text = note.text.replace("reads it;", &read);
                Ok(Flagged::noted(Scalar::Text(text.as_bytes().into()), note))
            }
            _ => Err(fault()),
        }
    }

    fn fill_to_json(&self, scalar: &Scalar, _: Format, _: &ByteOrder) -> Result<Json, Note> {
        let Scalar::Text(bytes) = scalar else { return Err(notes::foreign("string", scalar)) };
        std::str::from_utf8(bytes).map(Json::from).map_err(|error| {
            Note::new(
                Code::NotUtf8,
                format!("{scalar} is not UTF-8 ({error}); JSON cannot represent it."),
            )
        })
    }

    fn cast(&self, plain: &Plain) -> Result<Scalar> {
        match plain {
            Plain::Text(text) => Ok(Scalar::Text(text.as_bytes().into())),
            other => Err(other.refused("text")),
        }
    }

    fn decode(&self, bytes: &[u8], _: &ByteOrder) -> Result<Scalar> {
        Ok(Scalar::Text(bytes.into()))
    }

    fn encode(&self, scalar: &Scalar, _: &ByteOrder) -> Result<Vec<u8>> {
        match scalar {
            Scalar::Text(bytes) => Ok(bytes.to_vec()),
            other => Err(element::foreign("string", other)),
        }
    }

    fn anatomy(&self, scalar: &Scalar, _: &ByteOrder) -> Vec<AnatomyRow> {
        let Scalar::Text(text) = scalar else { return Vec::new() };
        let shown = text.get(..64).unwrap_or(text);
        let points = match std::str::from_utf8(text) {
            Ok(text) => text.chars().count().to_string(),
            Err(error) => format!("not UTF-8, from byte {}", error.valid_up_to()),
        };
        vec![
            AnatomyRow::new("length", byte_count(text.len())),
            AnatomyRow::new("code points", points),
            AnatomyRow { bytes: Some(0..text.len()), ..AnatomyRow::new("UTF-8", hex(shown, " ")) },
        ]
    }
}

/// The text that Python's `str` gives for a JSON number.
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

/// Recognises text of variable length.
#[derive(Debug)]
pub struct VariableTextFamily;

impl Family for VariableTextFamily {
    fn name(&self) -> &'static str {
        "VariableLengthUTF8"
    }

    fn from_v2(&self, dtype: &Json, codec: Option<&str>, _: &Scope) -> Option<Result<Resolved>> {
        let mine = dtype.as_str() == Some("|O") && codec == Some("vlen-utf8");
        mine.then(|| Ok(Resolved::of(VariableText).noted(Some(object_note("vlen-utf8")))))
    }

    fn from_v3(&self, data_type: &Json, _: &Scope) -> Option<Result<Resolved>> {
        (name_of(data_type)? == "string").then(|| {
            Extension::read(data_type)?.without_parameters()?;
            Ok(Resolved::of(VariableText))
        })
    }

    fn from_numpy(&self, name: &str, _: &Scope) -> Option<Result<Resolved>> {
        matches!(name, "str" | NUMPY | "StringDType()").then(|| Ok(Resolved::of(VariableText)))
    }

    fn examples(&self) -> Vec<Arc<dyn DataType>> {
        vec![Arc::new(VariableText)]
    }
}
