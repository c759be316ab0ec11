//! JSON values as scalars, and back.

use crate::zarr::{
    data_type::Plain,
    json::{Json, Kind},
    scalar::{Float, Scalar, float::FLOAT64, print::json_number},
};
use base64::{Engine, engine::general_purpose::STANDARD};

/// The scalar that a JSON value is; objects become structs, `null` a scalar that prints as such.
pub(in super::super) fn scalar(json: &Json) -> Scalar {
    match &json.kind {
        Kind::Null => null(),
        Kind::Bool(value) => Scalar::Bool((*value).into()),
        Kind::Number(text) => number(text),
        Kind::String(text) => Scalar::Text(text.text.as_bytes().into()),
        Kind::Array(items) => Scalar::List(items.iter().map(scalar).collect()),
        Kind::Object(members) => Scalar::Struct(
            members.iter().map(|member| (member.key.clone(), scalar(&member.value))).collect(),
        ),
    }
}

/// What Python calls `None`.
pub(super) fn null() -> Scalar {
    Scalar::Custom { bytes: (*b"null").into(), text: "null".into() }
}

/// A number as Python's `json` reads it: an integer where it is written as one and fits 64 bits.
fn number(text: &str) -> Scalar {
    let integer = text.parse().map(Scalar::Int).or_else(|_| text.parse().map(Scalar::Uint));
    integer.unwrap_or_else(|_| float(text.parse().unwrap_or(f64::NAN)))
}

pub(super) fn float(value: f64) -> Scalar {
    Scalar::Float(Float { bits: value.to_bits(), format: &FLOAT64 })
}

/// The JSON of a scalar, bytes as base64; `None` for what no JSON can say.
pub(super) fn json(scalar: &Scalar) -> Option<Json> {
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
        Scalar::List(items) => items.iter().map(json).collect::<Option<_>>()?,
        Scalar::Struct(fields) => {
            let field = |(key, value): &(String, Scalar)| Some((key.clone(), json(value)?));
            Json::object(fields.iter().map(field).collect::<Option<Vec<_>>>()?)
        }
        Scalar::Custom { text, .. } if text.as_ref() == "null" => Json::NULL,
        _ => return None,
    })
}

/// A scalar as a plain value, for arrays of a fixed data type that were stored as objects.
pub(in super::super) fn plain(scalar: &Scalar) -> Option<Plain> {
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
