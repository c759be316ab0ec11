//! Python objects, which only V2 has (`|O`): what the codecs `json2`, `msgpack2` and `vlen-array` make of elements.
//!
//! No Zarr text and no registry knows these data types, and zarr-python 3 refuses them. Their elements are shown as
//! what they are, each with the bytes that hold it: the text of a JSON value, a `MessagePack` value, the items of an
//! array.

use super::prelude::*;
use crate::zarr::{
    data_type::{AnatomyRow, Plain, V2Form},
    scalar::{float::FLOAT64, print::json_number},
};
use base64::{Engine, engine::general_purpose::STANDARD};

pub(super) mod msgpack;

/// The format of the bytes of an object.
#[derive(Debug)]
pub(super) enum ObjectForm {
    /// The text of a JSON value.
    Json,
    /// A `MessagePack` value; whether its text is left as bytes.
    Msgpack { raw: bool },
    /// Items of one data type, one after the other.
    Array(Resolved),
}

/// A Python object.
#[derive(Debug)]
pub(super) struct PythonObject {
    pub(super) form: ObjectForm,
}

impl PythonObject {
    /// The data type of such elements.
    pub(super) fn resolved(self) -> Resolved {
        Resolved::of(self)
    }

    fn codec(&self) -> &'static str {
        match self.form {
            ObjectForm::Json => "json2",
            ObjectForm::Msgpack { .. } => "msgpack2",
            ObjectForm::Array(_) => "vlen-array",
        }
    }
}

impl DataType for PythonObject {
    fn name(&self) -> String {
        match &self.form {
            ObjectForm::Array(item) => format!("array of {}", item.data_type.name()),
            _ => format!("object ({})", self.codec()),
        }
    }

    fn kind(&self) -> &'static str {
        "Object"
    }

    fn item_size(&self) -> ItemSize {
        ItemSize::Variable
    }

    fn description(&self) -> String {
        match &self.form {
            ObjectForm::Json => "variable length, a JSON value".into(),
            ObjectForm::Msgpack { .. } => "variable length, a MessagePack value".into(),
            ObjectForm::Array(item) => {
                format!("variable length, items of {}", item.data_type.name())
            }
        }
    }

    fn to_v2(&self, _: &ByteOrder) -> Result<V2Form, Note> {
        Ok(V2Form { dtype: "|O".into(), object_codec: Some(self.codec().into()) })
    }

    fn to_v3(&self) -> Result<Json, Note> {
        let text = "V3 has no data type for Python objects.";
        Err(Note::new(Code::NoOtherForm, text))
    }

    fn default_scalar(&self) -> Scalar {
        match self.form {
            ObjectForm::Array(_) => Scalar::List([].into()),
            _ => Scalar::Text([].into()),
        }
    }

    fn fill_from_json(&self, json: &Json, _: Format, _: &ByteOrder) -> Result<Flagged<Scalar>> {
        Ok(Flagged::plain(scalar(json)))
    }

    fn fill_to_json(&self, scalar: &Scalar, _: Format, _: &ByteOrder) -> Result<Json, Note> {
        json_of(scalar).ok_or_else(|| {
            Note::new(Code::NotJson, format!("JSON cannot represent {scalar} as {}.", self.name()))
        })
    }

    fn cast(&self, plain: &Plain) -> Result<Scalar> {
        match plain {
            Plain::Text(text) => Ok(Scalar::Text(text.as_bytes().into())),
            other => Err(other.refused("text")),
        }
    }

    fn decode(&self, bytes: &[u8], _: &ByteOrder) -> Result<Scalar> {
        match &self.form {
            ObjectForm::Json => Json::parse(bytes).map(|document| scalar(&document.root)),
            ObjectForm::Msgpack { raw } => msgpack::scalar(bytes, *raw),
            ObjectForm::Array(item) => items(bytes, item),
        }
    }

    fn encode(&self, scalar: &Scalar, _: &ByteOrder) -> Result<Vec<u8>> {
        let bytes = match (&self.form, scalar) {
            (ObjectForm::Json, scalar) => json_of(scalar).map(|json| json.to_string().into_bytes()),
            (ObjectForm::Array(item), Scalar::List(items)) => {
                return item.data_type.encode_slice(items, &item.order);
            }
            _ => None,
        };
        bytes.ok_or_else(|| element::foreign(&self.name(), scalar))
    }

    fn anatomy(&self, scalar: &Scalar, _: &ByteOrder) -> Vec<AnatomyRow> {
        let what = match scalar {
            Scalar::Bool(_) => "true or false".to_owned(),
            Scalar::Int(_) | Scalar::Uint(_) => "an integer".into(),
            Scalar::Float(_) => "a number".into(),
            Scalar::Bytes(bytes) => counted(bytes.len(), "byte"),
            Scalar::Text(text) => format!("text, {} of UTF-8", counted(text.len(), "byte")),
            Scalar::Struct(fields) => counted(fields.len(), "member"),
            Scalar::List(items) => counted(items.len(), "item"),
            _ => "nothing (null)".into(),
        };
        vec![AnatomyRow::new("kind", what)]
    }
}

/// The items that `bytes` hold.
fn items(bytes: &[u8], item: &Resolved) -> Result<Scalar> {
    let size = item.data_type.fixed_size().ok_or_else(|| {
        Error::new(Code::CodecDataType, item.data_type.name(), "fixed-size items")
    })?;
    if let Some(error) = super::numeric_filter::partial(bytes.len(), size) {
        return Err(error);
    }
    let items = bytes.chunks_exact(size).map(|bytes| item.data_type.decode(bytes, &item.order));
    Ok(Scalar::List(items.collect::<Result<Vec<_>>>()?.into()))
}

/// The scalar that a JSON value is; objects become structs, `null` a scalar that prints as such.
fn scalar(json: &Json) -> Scalar {
    match &json.kind {
        Kind::Null => null(),
        Kind::Bool(value) => Scalar::Bool((*value).into()),
        Kind::Number(text) => number(text),
        Kind::String(text) => Scalar::Text(text.text.as_bytes().into()),
        Kind::Array(items) => Scalar::List(items.iter().map(scalar).collect()),
        Kind::Object(members) => Scalar::Struct(
            members.iter().map(|member| (member.key.to_string(), scalar(&member.value))).collect(),
        ),
    }
}

/// The scalar for Python's `None`.
fn null() -> Scalar {
    Scalar::Custom { bytes: (*b"null").into(), text: "null".into() }
}

/// A number as Python's `json` reads it: an integer where it is written as one and fits 64 bits.
fn number(text: &str) -> Scalar {
    let integer = text.parse().map(Scalar::Int).or_else(|_| text.parse().map(Scalar::Uint));
    integer.unwrap_or_else(|_| float(text.parse().unwrap_or(f64::NAN)))
}

fn float(value: f64) -> Scalar {
    Scalar::Float(Float { bits: value.to_bits(), format: &FLOAT64 })
}

/// The JSON of a scalar, bytes as base64; `None` for what no JSON can say.
fn json_of(scalar: &Scalar) -> Option<Json> {
    Some(match scalar {
        Scalar::Bool(byte) => Json::from(*byte != 0),
        Scalar::Int(value) => Json::from(*value),
        Scalar::Uint(value) => Json::from(*value),
        Scalar::Float(value) => json_number(*value).map_or(Json::NULL, Json::number),
        Scalar::Text(text) => Json::from(String::from_utf8_lossy(text)),
        Scalar::Utf32(units) => {
            units.iter().map(|&unit| char::from_u32(unit)).collect::<Option<String>>()?.into()
        }
        Scalar::Bytes(bytes) => STANDARD.encode(bytes).into(),
        Scalar::List(items) => items.iter().map(json_of).collect::<Option<_>>()?,
        Scalar::Struct(fields) => Json::object(
            fields
                .iter()
                .map(|(key, value)| Some((key.clone(), json_of(value)?)))
                .collect::<Option<Vec<_>>>()?,
        ),
        Scalar::Custom { text, .. } if text.as_ref() == "null" => Json::NULL,
        _ => return None,
    })
}

/// A scalar as a plain value, for arrays of a fixed data type that were stored as objects.
pub(super) fn plain(scalar: &Scalar) -> Option<Plain> {
    Some(match scalar {
        Scalar::Bool(byte) => Plain::Bool(*byte != 0),
        Scalar::Int(value) => Plain::Int((*value).into()),
        Scalar::Uint(value) => Plain::Int((*value).into()),
        Scalar::Float(value) => Plain::Float(value.to_f64()),
        Scalar::Text(text) => Plain::Text(std::str::from_utf8(text).ok()?.into()),
        Scalar::Bytes(bytes) => Plain::Bytes(bytes.to_vec()),
        Scalar::List(items) => Plain::List(items.iter().map(plain).collect::<Option<_>>()?),
        _ => return None,
    })
}
