//! Elements as text: as the fill-value JSON of the array's format, because that is how both formats write a value.

use super::prelude::*;
use crate::zarr::{
    metadata::{Meant, float_json},
    scalar::print::json_number,
};

/// A time that is none, as both formats and NumPy name it.
const NOT_A_TIME: &str = "NaT";

/// Writes values of one data type.
pub(super) struct Writer {
    data_type: Arc<dyn DataType>,
    order: ByteOrder,
    format: Format,
    /// The rules that give what stored values mean, where that is wanted.
    packing: Option<Packing>,
}

impl Writer {
    /// For values of `data_type`, as `format` writes them.
    pub(super) fn new(data_type: Arc<dyn DataType>, order: ByteOrder, format: Format) -> Self {
        Self { data_type, order, format, packing: None }
    }

    /// The same for what values mean by `packing`, where it is given: null where they are missing, numbers scaled,
    /// times as dates.
    pub(super) fn physical(self, packing: Option<Packing>) -> Self {
        Self { packing, ..self }
    }

    /// For these elements.
    pub(super) fn of(elements: &Elements, format: Format) -> Self {
        Self::new(elements.data_type().clone(), elements.order().clone(), format)
    }

    /// The value as JSON; null where there is none. What the array's format cannot say (V2 has no NaN payload) is
    /// written as the other format would, and as text where neither can. Strings that are not UTF-8 are their bytes,
    /// `{"not_utf8": "61 ff"}`.
    pub(super) fn value(&self, value: &Result<Scalar, Error>) -> Json {
        value.as_ref().map_or(Json::NULL, |scalar| self.json(scalar))
    }

    /// The value as JSON on one line, safe for a terminal.
    pub(super) fn text(&self, value: &Result<Scalar, Error>) -> String {
        let mut out = Vec::new();
        self.push(&mut out, Some(value));
        String::from_utf8_lossy(&out).into_owned()
    }

    /// The same at the end of `out`; null also where the bytes are not there.
    pub(super) fn push(&self, out: &mut Vec<u8>, value: Option<&Result<Scalar, Error>>) {
        match value {
            // Numbers, of which there are millions, go without a tree of JSON.
            Some(Ok(scalar)) => match number(scalar).filter(|_| self.packing.is_none()) {
                Some(text) => out.extend_from_slice(text.as_bytes()),
                None => out.extend_from_slice(self.json(scalar).to_line().as_bytes()),
            },
            Some(Err(_)) | None => out.extend_from_slice(b"null"),
        }
    }

    fn json(&self, scalar: &Scalar) -> Json {
        let Some(packing) = &self.packing else { return self.scalar(scalar) };
        match packing.meant(scalar) {
            Meant::Missing(_) => Json::NULL,
            Meant::Value(value) if value.is_nat() || value.is_nan() => Json::NULL,
            Meant::Number(number) if number.is_nan() => Json::NULL,
            Meant::Number(number) => float_json(number),
            Meant::Date(date) => date.into(),
            // By `_Unsigned` it may be of another type than the stored one.
            Meant::Value(value) => number(&value).map_or_else(|| self.scalar(&value), Json::number),
        }
    }

    fn scalar(&self, scalar: &Scalar) -> Json {
        self.data_type
            .fill_to_json(scalar, self.format, &self.order)
            .or_else(|_| self.data_type.fill_to_json(scalar, self.format.other(), &self.order))
            .map_or_else(
                |_| match scalar {
                    // No string, so that no text can be taken for it.
                    Scalar::Text(bytes) => object! {"not_utf8": hex(bytes, " ")},
                    scalar => scalar.to_string().into(),
                },
                |json| with_nat(scalar, json),
            )
    }
}

/// The form of a value with NaT by its name, where documents have its count.
fn with_nat(scalar: &Scalar, mut json: Json) -> Json {
    match (scalar, &mut json.kind) {
        (scalar, _) if scalar.is_nat() => return NOT_A_TIME.into(),
        (Scalar::Struct(fields), Kind::Object(members)) => {
            for ((_, field), member) in fields.iter().zip(members) {
                member.value = with_nat(field, mem::take(&mut member.value));
            }
        }
        _ => {}
    }
    json
}

/// The number that any format writes for a scalar that JSON has a number for.
pub(super) fn number(scalar: &Scalar) -> Option<String> {
    match scalar {
        Scalar::Int(value) => Some(value.to_string()),
        Scalar::Uint(value) => Some(value.to_string()),
        Scalar::Float(value) => json_number(*value),
        _ => None,
    }
}
