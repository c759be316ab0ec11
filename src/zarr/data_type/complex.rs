//! Complex numbers: two floats of any format, the real part first.
//!
//! `complex64` and `complex128` are core types; the registry adds `complex_` before every float name, of which
//! `complex_float32` and `complex_float64` are other names for the two. Byte order is that of each component: a
//! big-endian complex number is two big-endian floats, the real one still first. The fill value is a list of two, each
//! as a float would be; V2 says nothing of complex fill values, and everybody writes the same list.

use super::{
    AnatomyRow, ByteOrder, DataType, Family, ItemSize, Native, Plain, Resolved, Scope, V2Form,
    anatomy, element,
    extension::{Extension, name_of},
    fill::{self, Readers, python_float},
    float, notes,
    typestr::TypeStr,
};
use crate::zarr::{
    error::{Code, Error, Flagged, Note, Result},
    format::Format,
    json::Json,
    scalar::{
        Decimal, Float, FloatFormat, Scalar,
        float::{
            BFLOAT16, FLOAT4_E2M1FN, FLOAT6_E2M3FN, FLOAT6_E3M2FN, FLOAT8_E3M4, FLOAT8_E4M3,
            FLOAT8_E4M3B11FNUZ, FLOAT8_E4M3FNUZ, FLOAT8_E5M2, FLOAT8_E5M2FNUZ, FLOAT8_E8M0FNU,
            FLOAT16, FLOAT32, FLOAT64,
        },
    },
};
use std::sync::Arc;

/// A complex data type: one row of the table.
#[derive(Debug, Clone, Copy)]
pub struct Complex {
    name: &'static str,
    kind: &'static str,
    /// Its V2 form without the byte order character.
    v2: Option<&'static str>,
    /// True if the name is one that zarr-python knows.
    core: bool,
    /// True if zarr-python reads it, with its liberties: not where V3 spells it as an object.
    lenient: bool,
    part: &'static FloatFormat,
}

const fn core(
    name: &'static str,
    kind: &'static str,
    v2: &'static str,
    part: &'static FloatFormat,
) -> Complex {
    Complex { name, kind, v2: Some(v2), core: true, lenient: true, part }
}

const fn alias(
    name: &'static str,
    kind: &'static str,
    v2: &'static str,
    part: &'static FloatFormat,
) -> Complex {
    Complex { name, kind, v2: Some(v2), core: false, lenient: false, part }
}

const fn extended(name: &'static str, kind: &'static str, part: &'static FloatFormat) -> Complex {
    Complex { name, kind, v2: None, core: false, lenient: false, part }
}

/// Every complex data type, in the order of the gallery.
pub static COMPLEX: [Complex; 16] = [
    core("complex64", "Complex64", "c8", &FLOAT32),
    core("complex128", "Complex128", "c16", &FLOAT64),
    extended("complex_float16", "ComplexFloat16", &FLOAT16),
    alias("complex_float32", "ComplexFloat32", "c8", &FLOAT32),
    alias("complex_float64", "ComplexFloat64", "c16", &FLOAT64),
    extended("complex_bfloat16", "ComplexBFloat16", &BFLOAT16),
    extended("complex_float8_e3m4", "ComplexFloat8E3M4", &FLOAT8_E3M4),
    extended("complex_float8_e4m3", "ComplexFloat8E4M3", &FLOAT8_E4M3),
    extended("complex_float8_e4m3b11fnuz", "ComplexFloat8E4M3B11FNUZ", &FLOAT8_E4M3B11FNUZ),
    extended("complex_float8_e4m3fnuz", "ComplexFloat8E4M3FNUZ", &FLOAT8_E4M3FNUZ),
    extended("complex_float8_e5m2", "ComplexFloat8E5M2", &FLOAT8_E5M2),
    extended("complex_float8_e5m2fnuz", "ComplexFloat8E5M2FNUZ", &FLOAT8_E5M2FNUZ),
    extended("complex_float8_e8m0fnu", "ComplexFloat8E8M0FNU", &FLOAT8_E8M0FNU),
    extended("complex_float6_e2m3fn", "ComplexFloat6E2M3FN", &FLOAT6_E2M3FN),
    extended("complex_float6_e3m2fn", "ComplexFloat6E3M2FN", &FLOAT6_E3M2FN),
    extended("complex_float4_e2m1fn", "ComplexFloat4E2M1FN", &FLOAT4_E2M1FN),
];

impl Complex {
    fn typestr(&self, order: &ByteOrder) -> Option<String> {
        self.v2.map(|code| format!("{}{code}", order.endian().sign()))
    }

    fn parts(&self, scalar: &Scalar) -> Option<(Float, Float)> {
        match scalar {
            Scalar::Complex(real, imaginary)
                if real.format == self.part && imaginary.format == self.part =>
            {
                Some((*real, *imaginary))
            }
            _ => None,
        }
    }

    /// A note where V2 leaves a form open and readers could part: where a number is rounded.
    fn silent_note(&self, items: &[Json], value: &Flagged<Scalar>, format: Format) -> Option<Note> {
        let rounded =
            items.iter().filter_map(Json::as_number).filter_map(Decimal::parse).any(|decimal| {
                decimal.round(self.part).is_ok_and(|rounded| {
                    // What is written back differs from what was read.
                    rounded.float.to_f64().to_bits() != decimal.to_f64().to_bits()
                        || decimal.to_f64().is_infinite()
                })
            });
        (format == Format::V2 && rounded && value.notes.is_empty()).then(|| {
            let text = format!(
                "V2 does not define complex fill values. The numbers are rounded to {}.",
                self.part.name
            );
            Note::new(Code::V2Silent, text)
        })
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

impl DataType for Complex {
    fn name(&self) -> String {
        self.name.into()
    }

    fn kind(&self) -> &'static str {
        self.kind
    }

    fn item_size(&self) -> ItemSize {
        ItemSize::Fixed(self.part.size * 2)
    }

    fn description(&self) -> String {
        format!(
            "{} bytes: real, then imaginary part, each {}",
            self.part.size * 2,
            self.part.description()
        )
    }

    fn has_byte_order(&self) -> bool {
        self.part.size > 1
    }

    fn to_v2(&self, order: &ByteOrder) -> Result<V2Form, Note> {
        self.typestr(order).map(V2Form::plain).ok_or_else(|| notes::no_v2(self.name))
    }

    fn to_v3(&self) -> Result<Json, Note> {
        Ok(self.name.into())
    }

    fn notes(&self) -> Vec<Note> {
        if self.core { Vec::new() } else { vec![notes::unknown_to_zarr_python(self.name)] }
    }

    fn default_scalar(&self) -> Scalar {
        Scalar::Complex(float::zero(self.part), float::zero(self.part))
    }

    fn fill_from_json(
        &self,
        json: &Json,
        format: Format,
        _: &ByteOrder,
    ) -> Result<Flagged<Scalar>> {
        let Some(items @ [real, imaginary]) = json.as_array() else {
            let expected = "an array of two: real and imaginary part";
            return Err(Error::new(Code::FillValueType, json.describe(), expected));
        };
        let readers = if self.lenient { Readers::ZarrPythonComponent } else { Readers::TextOnly };
        let part = |json, at: &str| {
            fill::float(json, format, readers, self.part).map_err(|error| error.at(at))
        };
        let (real, imaginary) = (part(real, "[0]")?, part(imaginary, "[1]")?);
        let mut notes = real.notes;
        notes.extend(imaginary.notes);
        let mut value = Flagged { value: Scalar::Complex(real.value, imaginary.value), notes };
        value.notes.extend(self.silent_note(items, &value, format));
        Ok(value)
    }

    fn fill_to_json(&self, scalar: &Scalar, format: Format, _: &ByteOrder) -> Result<Json, Note> {
        let (real, imaginary) =
            self.parts(scalar).ok_or_else(|| notes::foreign(self.name, scalar))?;
        let part = |value| fill::float_to_json(value, format);
        Ok(Json::from([part(real)?, part(imaginary)?]))
    }

    fn cast(&self, plain: &Plain) -> Result<Scalar> {
        let part = |value: f64| float::cast(&Plain::Float(value), self.part);
        match plain {
            Plain::Complex(real, imaginary) => Ok(Scalar::Complex(part(*real)?, part(*imaginary)?)),
            Plain::Text(text) if text.ends_with(['j', ')']) => {
                let (real, imaginary) = python_complex(text, self.part)
                    .ok_or_else(|| plain.refused("a complex number, such as 1+2j"))?;
                let real = real.map_or_else(|| part(0.0), Ok)?;
                Ok(Scalar::Complex(real, imaginary))
            }
            other => {
                let real = float::cast(other, self.part)?;
                Ok(Scalar::Complex(real, part(0.0).unwrap_or_else(|_| float::zero(self.part))))
            }
        }
    }

    fn decode(&self, bytes: &[u8], order: &ByteOrder) -> Result<Scalar> {
        element::expect_size(bytes, self.part.size * 2)?;
        let (real, imaginary) = bytes.split_at_checked(self.part.size).unwrap_or((bytes, &[]));
        let part = |bytes| Float::new(element::number(bytes, order.endian()), self.part);
        Ok(Scalar::Complex(part(real), part(imaginary)))
    }

    fn encode(&self, scalar: &Scalar, order: &ByteOrder) -> Result<Vec<u8>> {
        let (real, imaginary) =
            self.parts(scalar).ok_or_else(|| element::foreign(self.name, scalar))?;
        let part = |value: Float| element::bytes(value.bits, self.part.size, order.endian());
        Ok([part(real), part(imaginary)].concat())
    }

    fn native(&self) -> Option<Native> {
        match self.v2 {
            Some("c8") => Some(Native::C64),
            Some(_) => Some(Native::C128),
            None => None,
        }
    }

    fn anatomy(&self, scalar: &Scalar, _: &ByteOrder) -> Vec<AnatomyRow> {
        let Some((real, imaginary)) = self.parts(scalar) else { return Vec::new() };
        let mut rows = Vec::new();
        for (label, value, start) in [("real", real, 0), ("imaginary", imaginary, self.part.size)] {
            let shown = Scalar::Float(value).to_string();
            rows.push(AnatomyRow {
                bytes: Some(start..start + self.part.size),
                ..AnatomyRow::new(label, shown)
            });
            rows.extend(anatomy::float(value));
        }
        rows
    }
}

/// Recognises one complex data type.
#[derive(Debug)]
pub struct ComplexFamily(pub &'static Complex);

impl Family for ComplexFamily {
    #[expect(
        clippy::misnamed_getters,
        reason = "a family is named after the class of its data type"
    )]
    fn name(&self) -> &'static str {
        self.0.kind
    }

    fn from_v2(&self, dtype: &Json, _: Option<&str>, _: &Scope<'_>) -> Option<Result<Resolved>> {
        let text = dtype.as_str()?;
        if !self.0.core || text.get(1..) != self.0.v2 {
            return None;
        }
        let data_type = Arc::new(*self.0);
        Some(TypeStr::split(text)?.order().map(|order| Resolved {
            data_type,
            order,
            notes: Vec::new(),
        }))
    }

    fn from_v3(&self, data_type: &Json, _: &Scope<'_>) -> Option<Result<Resolved>> {
        (name_of(data_type)? == self.0.name).then(|| {
            let extension = Extension::read(data_type)?;
            extension.without_parameters()?;
            let core = if self.0.core { extension.core_note(self.0.name) } else { None };
            let lenient = self.0.lenient && !extension.is_object;
            Ok(Resolved::of(Complex { lenient, ..*self.0 }).noted(core))
        })
    }

    fn from_numpy(&self, name: &str, _: &Scope<'_>) -> Option<Result<Resolved>> {
        if name == self.0.name || (name == "complex" && self.0.name == "complex128") {
            return Some(Ok(Resolved::of(*self.0)));
        }
        let (order, code) = super::numpy::order_and_code(name);
        (self.0.core && self.0.v2 == Some(code))
            .then(|| Ok(Resolved { data_type: Arc::new(*self.0), order, notes: Vec::new() }))
    }

    fn examples(&self) -> Vec<Arc<dyn DataType>> {
        vec![Arc::new(*self.0)]
    }
}
