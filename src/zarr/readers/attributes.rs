//! The forms of attributes: those by which CF packs values, and those that a reader of JSON stumbles over.

use super::forms::{Features, literal};
use crate::zarr::prelude::*;

/// The members by which CF packs values, which raw readers ignore.
const PACKING: [&str; 10] = [
    "_FillValue",
    "missing_value",
    "scale_factor",
    "add_offset",
    "_Unsigned",
    "valid_range",
    "valid_min",
    "valid_max",
    "units",
    "calendar",
];

/// The attribute by which xarray names the dimensions of V2 arrays.
const DIMENSIONS: &str = "_ARRAY_DIMENSIONS";

/// True if V2 attributes name no dimensions, neither for xarray nor as netCDF writes them.
fn names_no_dimensions(attributes: Option<&Json>) -> bool {
    let has = |name| attributes.is_some_and(|attributes| attributes.get(name).is_some());
    !has(DIMENSIONS) && !has("_nczarr_array")
}

/// Adds the forms of the attributes.
pub(super) fn attributes(array: &ArrayMetadata, root: &Json, out: &mut Features) {
    let json = match array.format {
        Format::V2 => array.documents.get(1).and_then(RawDocument::root),
        Format::V3 => root.get("attributes"),
    };
    let is_named = root.get("_NCZARR_ARRAY").is_some() || root.get("_nczarr_array").is_some();
    if array.format == Format::V2 && !is_named && names_no_dimensions(json) {
        out.add(DIMENSIONS, &[format!("attribute {DIMENSIONS} absent")]);
    }
    let Some(json) = json else { return };
    let Some(members) = json.as_object() else {
        return out.add("attributes", &[format!("attributes {}", literal(Some(json)))]);
    };
    for name in PACKING {
        let value = members.iter().find(|member| member.key == name);
        if let Some(value) = value.filter(|value| !is_plain_unit(name, &value.value)) {
            let form = packing(name, &value.value);
            out.add(format!("attributes.{name}"), &[format!("CF attribute {name}: {form}")]);
        }
    }
    let texts = |json: &Json| json.to_string().contains('\u{fffd}');
    if members.iter().any(|member| has_lone_surrogate(&member.value)) || texts(json) {
        out.add("attributes", &["attributes with a lone surrogate"]);
    }
    if members.iter().any(|member| has_long_integer(&member.value)) {
        out.add("attributes", &["attributes with an integer beyond 64 bits"]);
    }
}

fn has_lone_surrogate(json: &Json) -> bool {
    match &json.kind {
        Kind::String(text) => text.lone_surrogate,
        _ => false,
    }
}

fn has_long_integer(json: &Json) -> bool {
    json.as_number().is_some_and(|text| {
        !text.contains(['.', 'e', 'E', 'N', 'I'])
            && text.parse::<i64>().is_err()
            && text.parse::<u64>().is_err()
    })
}

/// True for units of something else than time, which are a label.
fn is_plain_unit(name: &str, json: &Json) -> bool {
    name == "units"
        && json.as_str().is_some_and(|text| !text.contains(" since ") && !TIMES.contains(&text))
}

/// The units that make lengths of time of numbers.
const TIMES: [&str; 6] = ["days", "hours", "minutes", "seconds", "milliseconds", "microseconds"];

/// The form of an attribute of CF.
fn packing(name: &str, json: &Json) -> String {
    match (name, json.as_str()) {
        ("units", Some(text)) if text.contains(" since ") => "a time since".into(),
        ("units", Some(_)) => "a length of time".into(),
        ("calendar" | "_Unsigned", Some(text)) => text.to_owned(),
        (_, Some("NaN")) => "the string NaN".into(),
        (_, Some(text)) if text.parse::<f64>().is_ok() => "a number in a string".into(),
        (_, Some(_)) => "a string".into(),
        (_, None) if json.as_array().is_some() => "a list".into(),
        (_, None) => match json.as_number() {
            Some("NaN") => "the token NaN".into(),
            Some(_) => "a number".into(),
            None => literal(Some(json)),
        },
    }
}
