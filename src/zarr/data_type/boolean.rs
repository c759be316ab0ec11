//! `bool`: one byte, 0 or 1.
//!
//! V2 writes `"|b1"`, V3 `"bool"`. A byte other than 0 and 1 is undefined by both texts; NumPy shows true, and so do
//! we, with the byte beside it. In fill values zarr-python takes anything by Python's truthiness, which makes
//! `"false"` true: only `true`, `false` and, with a note, the numbers 0 and 1 (which old writers left) are read.

use super::{
    AnatomyRow, ByteOrder, DataType, Family, ItemSize, Native, Plain, Resolved, Scope, V2Form,
    element,
    extension::{Extension, name_of},
    fill,
    typestr::TypeStr,
};
use crate::zarr::{
    error::{Code, Error, Flagged, Note, Result},
    format::Format,
    json::{Json, Kind},
    scalar::{Decimal, Scalar},
};
use std::sync::Arc;

/// The data type `bool`.
#[derive(Debug, Clone, Copy)]
pub struct Bool {
    /// True if zarr-python reads it, with its liberties: not where V3 spells it as an object.
    lenient: bool,
}

impl Bool {
    /// The data type as everybody reads it.
    pub const PLAIN: Self = Self { lenient: true };
}

impl DataType for Bool {
    fn name(&self) -> String {
        "bool".into()
    }

    fn kind(&self) -> &'static str {
        "Bool"
    }

    fn item_size(&self) -> ItemSize {
        ItemSize::Fixed(1)
    }

    fn description(&self) -> String {
        "1 byte, boolean: 00 false, 01 true".into()
    }

    fn to_v2(&self, _: &ByteOrder) -> Result<V2Form, Note> {
        Ok(V2Form::plain("|b1"))
    }

    fn to_v3(&self) -> Result<Json, Note> {
        Ok("bool".into())
    }

    fn default_scalar(&self) -> Scalar {
        Scalar::Bool(0)
    }

    fn fill_from_json(
        &self,
        json: &Json,
        format: Format,
        _: &ByteOrder,
    ) -> Result<Flagged<Scalar>> {
        if let Kind::Bool(value) = json.kind {
            return Ok(Flagged::plain(Scalar::Bool(value.into())));
        }
        let number =
            json.as_number().and_then(Decimal::parse).and_then(|decimal| decimal.to_integer());
        let byte = match number {
            Some(0) if self.lenient => 0,
            Some(1) if self.lenient => 1,
            _ => return Err(Error::new(Code::FillValueType, json.describe(), "true or false")),
        };
        if format == Format::V2 {
            let text = "The V2 specification does not define boolean fill values. zarr-python 3.4.2 and zarrs \
                        0.23.14 read 0 and 1; TensorStore 0.1.86 reads only true and false.";
            return Ok(Flagged::noted(Scalar::Bool(byte), Note::new(Code::V2Silent, text)));
        }
        let note = fill::forbidden(&json.describe(), "true or false");
        Ok(Flagged::noted(Scalar::Bool(byte), note))
    }

    fn fill_to_json(&self, scalar: &Scalar, _: Format, _: &ByteOrder) -> Result<Json, Note> {
        match scalar {
            Scalar::Bool(byte @ 0..=1) => Ok(Json::from(*byte == 1)),
            other => {
                let text = format!("JSON has only true and false; it cannot represent {other}.");
                Err(Note::new(Code::NotJson, text))
            }
        }
    }

    fn cast(&self, plain: &Plain) -> Result<Scalar> {
        match plain {
            Plain::Bool(value) => Ok(Scalar::Bool((*value).into())),
            Plain::Int(value @ 0..=1) => Ok(Scalar::Bool(u8::from(*value == 1))),
            other => Err(other.refused("bool")),
        }
    }

    fn decode(&self, bytes: &[u8], _: &ByteOrder) -> Result<Scalar> {
        element::expect_size(bytes, 1)?;
        Ok(Scalar::Bool(bytes.first().copied().unwrap_or_default()))
    }

    fn encode(&self, scalar: &Scalar, _: &ByteOrder) -> Result<Vec<u8>> {
        match scalar {
            Scalar::Bool(byte) => Ok(vec![*byte]),
            other => Err(element::foreign("bool", other)),
        }
    }

    fn native(&self) -> Option<Native> {
        Some(Native::Bool)
    }

    fn anatomy(&self, scalar: &Scalar, _: &ByteOrder) -> Vec<AnatomyRow> {
        let Scalar::Bool(byte) = scalar else { return Vec::new() };
        let meaning = match byte {
            0 => "00: false".into(),
            1 => "01: true".into(),
            other => format!("{other:02x}: undefined; NumPy 2.5.5 shows true, others may not"),
        };
        vec![AnatomyRow { bytes: Some(0..1), ..AnatomyRow::new("byte", meaning) }]
    }
}

/// Recognises `bool`.
#[derive(Debug)]
pub struct BoolFamily;

impl Family for BoolFamily {
    fn name(&self) -> &'static str {
        "Bool"
    }

    fn from_v2(&self, dtype: &Json, _: Option<&str>, _: &Scope<'_>) -> Option<Result<Resolved>> {
        let text = TypeStr::split(dtype.as_str()?)?;
        let mine = text.kind == 'b' && text.digits == "1" && text.rest.is_empty();
        mine.then(|| Ok(Resolved::of(Bool::PLAIN).noted(text.needless_order())))
    }

    fn from_v3(&self, data_type: &Json, _: &Scope<'_>) -> Option<Result<Resolved>> {
        (name_of(data_type)? == "bool").then(|| {
            let extension = Extension::read(data_type)?;
            extension.without_parameters()?;
            let data_type = Bool { lenient: !extension.is_object };
            Ok(Resolved::of(data_type).noted(extension.core_note("bool")))
        })
    }

    fn from_numpy(&self, name: &str, _: &Scope<'_>) -> Option<Result<Resolved>> {
        matches!(name, "bool" | "b1" | "|b1" | "=b1" | "<b1" | ">b1")
            .then(|| Ok(Resolved::of(Bool::PLAIN)))
    }

    fn examples(&self) -> Vec<Arc<dyn DataType>> {
        vec![Arc::new(Bool::PLAIN)]
    }
}
