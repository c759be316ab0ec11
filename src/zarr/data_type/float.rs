//! Floats of every format: three of IEEE 754, bfloat16, and the narrow ones of machine learning.
//!
//! The formats themselves are in [`crate::zarr::scalar::float`]; here is how the two Zarr formats write them. V2 knows
//! float16, float32 and float64 only.

use super::{
    AnatomyRow, ByteOrder, DataType, Family, ItemSize, Native, Plain, Resolved, Scope, V2Form,
    anatomy, element,
    extension::{Extension, name_of},
    fill::{self, Readers, python_float},
    notes,
    typestr::TypeStr,
};
use crate::zarr::{
    error::{Flagged, Note, Result},
    format::Format,
    json::Json,
    scalar::{Float, FloatFormat, Scalar},
};
use std::sync::Arc;

/// A float data type.
#[derive(Debug, Clone, Copy)]
pub struct FloatType {
    format: &'static FloatFormat,
    /// True if zarr-python reads it, with its liberties: not where V3 spells it as an object.
    lenient: bool,
}

impl FloatType {
    /// The data type of a format.
    pub fn new(format: &'static FloatFormat) -> Self {
        Self { format, lenient: v2_code(format).is_some() }
    }

    fn typestr(self, order: &ByteOrder) -> Option<String> {
        v2_code(self.format).map(|code| format!("{}{code}", order.endian().sign()))
    }
}

/// The V2 form of the format without the byte order character.
fn v2_code(format: &FloatFormat) -> Option<&'static str> {
    match format.name {
        "float16" => Some("f2"),
        "float32" => Some("f4"),
        "float64" => Some("f8"),
        _ => None,
    }
}

/// The name of the class, as zarr-python would call it.
fn kind(format: &FloatFormat) -> &'static str {
    match format.name {
        "float16" => "Float16",
        "float32" => "Float32",
        "float64" => "Float64",
        "bfloat16" => "BFloat16",
        "float8_e3m4" => "Float8E3M4",
        "float8_e4m3" => "Float8E4M3",
        "float8_e4m3fn" => "Float8E4M3FN",
        "float8_e4m3b11fnuz" => "Float8E4M3B11FNUZ",
        "float8_e4m3fnuz" => "Float8E4M3FNUZ",
        "float8_e5m2" => "Float8E5M2",
        "float8_e5m2fnuz" => "Float8E5M2FNUZ",
        "float8_e8m0fnu" => "Float8E8M0FNU",
        "float6_e2m3fn" => "Float6E2M3FN",
        "float6_e3m2fn" => "Float6E3M2FN",
        _ => "Float4E2M1FN",
    }
}

/// Zero, or where there is none the value of all bits zero, as an array of zeros has it.
pub fn zero(format: &'static FloatFormat) -> Float {
    Float::new(0, format)
}

/// A float from a plain number.
///
/// # Errors
///
/// If it is none, or the format has nothing for it.
pub fn cast(plain: &Plain, format: &'static FloatFormat) -> Result<Float> {
    let expected = |why: &str| format!("a number of {}, which {why}", format.name);
    let rounded = match plain {
        Plain::Int(value) => crate::zarr::scalar::Decimal::parse(&value.to_string())
            .ok_or_else(|| plain.refused(format.name))?
            .round(format),
        Plain::Float(value) => Float::from_f64(*value, format),
        Plain::Text(text) => {
            return python_float(text, format).ok_or_else(|| plain.refused(format.name));
        }
        _ => return Err(plain.refused(format.name)),
    };
    rounded
        .map(|rounded| rounded.float)
        .map_err(|refusal| plain.refused(&expected(refusal.words())))
}

impl DataType for FloatType {
    fn name(&self) -> String {
        self.format.name.into()
    }

    fn kind(&self) -> &'static str {
        kind(self.format)
    }

    fn item_size(&self) -> ItemSize {
        ItemSize::Fixed(self.format.size)
    }

    fn significant_bits(&self) -> Option<u32> {
        (self.format.bits < 8).then_some(self.format.bits)
    }

    fn description(&self) -> String {
        self.format.description()
    }

    fn has_byte_order(&self) -> bool {
        self.format.size > 1
    }

    fn to_v2(&self, order: &ByteOrder) -> Result<V2Form, Note> {
        self.typestr(order).map(V2Form::plain).ok_or_else(|| notes::no_v2(self.format.name))
    }

    fn to_v3(&self) -> Result<Json, Note> {
        Ok(self.format.name.into())
    }

    fn notes(&self) -> Vec<Note> {
        match v2_code(self.format) {
            Some(_) => Vec::new(),
            None => vec![notes::unknown_to_zarr_python(self.format.name)],
        }
    }

    fn default_scalar(&self) -> Scalar {
        Scalar::Float(zero(self.format))
    }

    fn fill_from_json(
        &self,
        json: &Json,
        format: Format,
        _: &ByteOrder,
    ) -> Result<Flagged<Scalar>> {
        let readers = if self.lenient { Readers::ZarrPython } else { Readers::TextOnly };
        Ok(fill::float(json, format, readers, self.format)?.map(Scalar::Float))
    }

    fn fill_to_json(&self, scalar: &Scalar, format: Format, _: &ByteOrder) -> Result<Json, Note> {
        match scalar {
            Scalar::Float(value) => fill::float_to_json(*value, format),
            other => Err(notes::foreign(self.format.name, other)),
        }
    }

    fn cast(&self, plain: &Plain) -> Result<Scalar> {
        cast(plain, self.format).map(Scalar::Float)
    }

    fn decode(&self, bytes: &[u8], order: &ByteOrder) -> Result<Scalar> {
        element::expect_size(bytes, self.format.size)?;
        Ok(Scalar::Float(Float::new(element::number(bytes, order.endian()), self.format)))
    }

    fn encode(&self, scalar: &Scalar, order: &ByteOrder) -> Result<Vec<u8>> {
        match scalar {
            Scalar::Float(value) if value.format == self.format => {
                Ok(element::bytes(value.bits, self.format.size, order.endian()))
            }
            other => Err(element::foreign(self.format.name, other)),
        }
    }

    fn native(&self) -> Option<Native> {
        match self.format.name {
            "float16" => Some(Native::F16),
            "float32" => Some(Native::F32),
            "float64" => Some(Native::F64),
            _ => None,
        }
    }

    fn anatomy(&self, scalar: &Scalar, _: &ByteOrder) -> Vec<AnatomyRow> {
        match scalar {
            Scalar::Float(value) => anatomy::float(*value),
            _ => Vec::new(),
        }
    }
}

/// Recognises one float data type.
#[derive(Debug)]
pub struct FloatFamily(pub &'static FloatFormat);

impl FloatFamily {
    fn resolved(&self, order: ByteOrder) -> Resolved {
        let order = if self.0.size == 1 { ByteOrder::NotApplicable } else { order };
        Resolved { data_type: Arc::new(FloatType::new(self.0)), order, notes: Vec::new() }
    }
}

impl Family for FloatFamily {
    fn name(&self) -> &'static str {
        kind(self.0)
    }

    fn from_v2(&self, dtype: &Json, _: Option<&str>, _: &Scope<'_>) -> Option<Result<Resolved>> {
        let text = dtype.as_str()?;
        let Some(code) = v2_code(self.0) else {
            let little = ByteOrder::All(super::Endian::Little);
            return (text == self.0.name && notes::tensorstore_knows(text))
                .then(|| Ok(self.resolved(little).noted(Some(notes::bare_name(text)))));
        };
        if text.get(1..) != Some(code) {
            return None;
        }
        Some(TypeStr::split(text)?.order().map(|order| self.resolved(order)))
    }

    fn from_v3(&self, data_type: &Json, _: &Scope<'_>) -> Option<Result<Resolved>> {
        (name_of(data_type)? == self.0.name).then(|| {
            let extension = Extension::read(data_type)?;
            extension.without_parameters()?;
            let core = v2_code(self.0).and_then(|_| extension.core_note(self.0.name));
            let plain = FloatType::new(self.0);
            let lenient = plain.lenient && !extension.is_object;
            let unregistered = self.0.name == "float8_e4m3fn";
            let note = unregistered.then(|| notes::unknown_to_zarr_python(self.0.name));
            Ok(Resolved::of(FloatType { lenient, ..plain }).noted(core).noted(note))
        })
    }

    fn from_numpy(&self, name: &str, _: &Scope<'_>) -> Option<Result<Resolved>> {
        if name == self.0.name || (name == "float" && self.0.name == "float64") {
            return Some(Ok(Resolved::of(FloatType::new(self.0))));
        }
        let (order, code) = super::numpy::order_and_code(name);
        (v2_code(self.0) == Some(code)).then(|| Ok(self.resolved(order)))
    }

    fn examples(&self) -> Vec<Arc<dyn DataType>> {
        vec![Arc::new(FloatType::new(self.0))]
    }
}
