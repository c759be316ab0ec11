//! The value that means a missing one, in the other format.
//!
//! xarray 2026.9 reads it from different places: in V2 from `fill_value`, where that is not null, and else from the
//! attribute `_FillValue`; in V3 from the attribute alone. So that a variable of xarray reads the same over the same
//! chunks, what marks missing values has to move.

use crate::zarr::metadata::{fill_attribute, has_xarray_fill};
use crate::zarr::prelude::*;

/// The form of the fill value and of `_FillValue` in the other format.
#[derive(Debug, Clone, PartialEq)]
pub struct MovedMark {
    /// The fill value; `None` for null.
    pub fill: Option<Scalar>,
    /// The attribute `_FillValue`; `None` for none.
    pub attribute: Option<Json>,
    /// The reason, where anything changed but the form.
    pub note: Option<Note>,
}

const BY_FILL: &str = "In V2, xarray 2026.9 takes the fill value for the mark of missing values; in V3 only the attribute \
                       `_FillValue` marks them.";

impl MovedMark {
    /// The mark of `array` in the other format; `None` where it is no variable of xarray, or its fill value is not known.
    pub fn of(array: &ArrayMetadata) -> Option<Self> {
        let named = Packing::of(array).named_fill;
        let scalar = array.fill_scalar()?;
        match (array.format, &array.fill_value) {
            (Format::V2, FillValue::Value { .. }) if has_xarray_fill(array) => {
                Some(Self::in_v3(scalar, array, named.as_ref()))
            }
            (Format::V3, FillValue::Value { .. }) if is_variable(array) => {
                Some(Self::in_v2(scalar, array, named))
            }
            _ => None,
        }
    }

    /// The fill value goes on marking missing values.
    fn in_v3(fill: Scalar, array: &ArrayMetadata, named: Option<&Scalar>) -> Self {
        // NaN and NaT are missing anyway; but an attribute would be read that V2 passes over.
        let is_missing = fill.is_nan() || fill.is_nat();
        let attribute =
            fill_attribute(&fill, Format::V3).filter(|_| !is_missing || named.is_some());
        let here = attribute_of(array);
        let is_same = is_missing && here.is_none()
            || named.is_some_and(|named| named.value_equal(&fill)) && attribute.is_some();
        let text = match &attribute {
            _ if is_same => None,
            None => Some(format!(
                "{BY_FILL} xarray cannot read that of {}: values equal to the fill value are data there.",
                array.data_type().map_or_else(String::new, |it| it.name())
            )),
            Some(_) => Some(format!("{BY_FILL} It is written with the fill value.")),
        };
        Self { fill: Some(fill), attribute, note: text.map(note) }
    }

    /// The value that the attribute marks becomes the fill value, unless chunks that are not stored need another one.
    fn in_v2(fill: Scalar, array: &ArrayMetadata, named: Option<Scalar>) -> Self {
        let is_missing = fill.is_nan() || fill.is_nat();
        let is_default = array.data_type().is_some_and(|it| it.default_scalar().value_equal(&fill));
        match named {
            Some(mark) if mark.value_equal(&fill) => {
                Self { fill: Some(fill), attribute: fill_attribute(&mark, Format::V2), note: None }
            }
            // Where nothing is stored, the default stays what is read.
            // Of a complex number xarray would take each part of the attribute for a mark of its own.
            Some(mark) if is_default && !is_missing && !matches!(mark, Scalar::Complex(..)) => {
                let attribute = fill_attribute(&mark, Format::V2);
                let text = "null keeps values equal to the fill value, and `_FillValue` marks the missing ones.";
                Self { fill: None, attribute, note: Some(note(format!("{BY_FILL} {text}"))) }
            }
            Some(mark) => {
                let text = format!("{BY_FILL} `_FillValue` becomes the fill value.");
                let attribute = fill_attribute(&mark, Format::V2);
                Self { fill: Some(mark), attribute, note: Some(note(text)) }
            }
            None if is_missing => Self { fill: Some(fill), attribute: None, note: None },
            None => {
                let read = if is_default {
                    ""
                } else {
                    " Chunks that are not stored read as the default scalar."
                };
                let text = format!("{BY_FILL} null keeps values equal to the fill value.{read}");
                Self { fill: None, attribute: attribute_of(array).cloned(), note: Some(note(text)) }
            }
        }
    }
}

fn note(text: String) -> Note {
    Note::new(Code::CfFillValue, text)
}

fn attribute_of(array: &ArrayMetadata) -> Option<&Json> {
    array.attributes()?.get("_FillValue")
}

/// True if xarray opens a V3 array: its dimensions have names, or it has none.
fn is_variable(array: &ArrayMetadata) -> bool {
    array.dimension_names.is_some() || array.shape.as_ref().is_ok_and(Vec::is_empty)
}
