//! `fill_value`, in both formats.

use super::{FillValue, document::Faults};
use crate::zarr::{
    data_type::Resolved,
    error::{Error, Result, Severity},
    format::Format,
};

/// Reads `fill_value` as `data_type` has it.
pub(super) fn fill_value(
    data_type: &Result<Resolved>,
    format: Format,
    faults: &mut Faults<'_>,
) -> FillValue {
    let Ok(json) = faults.required("fill_value") else { return FillValue::Missing };
    if format == Format::V2 && json.is_null() {
        return FillValue::Null;
    }
    let unreadable = |error| FillValue::Unreadable { json: json.clone(), error };
    let resolved = match data_type {
        Ok(resolved) => resolved,
        Err(error) => return unreadable(error.clone()),
    };
    match resolved.data_type.fill_from_json(json, format, &resolved.order) {
        Ok(flagged) => {
            for note in &flagged.notes {
                faults.remark(Severity::Note, "fill_value", json, note);
            }
            FillValue::Value { json: json.clone(), scalar: flagged.value, notes: flagged.notes }
        }
        Err(error) => unreadable(faults.error(json, under("fill_value", error))),
    }
}

/// `error` with `field` in front, where it does not name it already.
pub(super) fn under(field: &str, error: Error) -> Error {
    match &error.place.field {
        Some(inner) if inner.starts_with(field) => error,
        _ => error.at(field),
    }
}
