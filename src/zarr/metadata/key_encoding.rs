//! Under which keys chunks lie: V2 `dimension_separator`, V3 `chunk_key_encoding`.

use super::document::{ExtensionPoint, Faults};
use crate::zarr::{
    error::{Code, Error, Result},
    grid::KeyEncoding,
    json::{Json, quoted},
};

/// Reads V2 `dimension_separator`; `.` where there is none.
pub(super) fn v2(faults: &mut Faults<'_>) -> Result<KeyEncoding> {
    let field = "dimension_separator";
    let separator = match faults.optional(field) {
        None => '.',
        Some(json) if json.is_null() => {
            let error = Error::new(Code::NullSeparator, "null", "\".\", \"/\" or nothing at all");
            faults.warning(json, error.at(field).with_fix("It is read as \".\"."));
            '.'
        }
        Some(json) => separator(json, field, faults)?,
    };
    Ok(KeyEncoding::V2 { separator })
}

/// What zarrs 0.23 ships.
const SUFFIXED: &str = "zarrs.default_suffix";

/// Reads V3 `chunk_key_encoding`.
pub(super) fn v3(faults: &mut Faults<'_>) -> Result<KeyEncoding> {
    let field = "chunk_key_encoding";
    let json = faults.required(field)?;
    let extension = ExtensionPoint::read(json, field, faults)?;
    let is_suffixed = extension.name == SUFFIXED;
    extension.only(
        if is_suffixed { &["separator", "suffix"] } else { &["separator"] },
        field,
        faults,
    );
    let inside = extension.get("separator");
    let named = inside.or_else(|| json.get("separator"));
    let place = if inside.is_some() { ".configuration.separator" } else { ".separator" };
    let separator = match named {
        Some(named) => Some(separator(named, &format!("{field}{place}"), faults)?),
        None => None,
    };
    match extension.name {
        "default" => Ok(KeyEncoding::Default { separator: separator.unwrap_or('/') }),
        "v2" => Ok(KeyEncoding::V2 { separator: separator.unwrap_or('.') }),
        SUFFIXED => {
            let suffix = extension.get("suffix").map(|json| {
                json.as_str().ok_or_else(|| {
                    let error = Error::new(Code::MalformedExtension, json.describe(), "a string");
                    faults.error(json, error.at("configuration.suffix").at(field))
                })
            });
            let suffix = suffix.transpose()?.unwrap_or_default().into();
            extension.unregistered(json, field, faults);
            Ok(KeyEncoding::Suffixed { separator: separator.unwrap_or('/'), suffix })
        }
        other => {
            let found = format!("the encoding {}", quoted(other));
            let error = Error::new(Code::UnknownChunkKeyEncoding, found, "default or v2");
            Err(faults.error(json, error.at(field)))
        }
    }
}

fn separator(json: &Json, field: &str, faults: &mut Faults<'_>) -> Result<char> {
    match json.as_str() {
        Some(".") => Ok('.'),
        Some("/") => Ok('/'),
        _ => {
            let error = Error::new(Code::InvalidSeparator, json.describe(), "\".\" or \"/\"");
            Err(faults.error(json, error.at(field)))
        }
    }
}
