//! The forms of structs.

use super::{
    forms::{Features, extension_name},
    types::{family, typestr},
};
use crate::zarr::prelude::*;

/// Numbers are one family as fields.
fn broad(family: &'static str) -> &'static str {
    if matches!(family, "integers" | "unsigned integers" | "floats") { "numbers" } else { family }
}

/// Adds the form of the name of a V2 field.
fn label<'a>(at: &str, name: Option<&'a Json>, names: &mut HashSet<&'a str>, out: &mut Features) {
    let text = name.and_then(Json::as_str);
    let form = match text {
        Some("") => "struct field without a name",
        Some(name) if names.contains(name) => "struct field, a name twice",
        Some(name) if !name.is_ascii() => "struct field, a name beyond ASCII",
        Some(_) => "struct field with a name",
        None if name.is_some_and(|name| name.as_array().is_some()) => "struct field with a title",
        None => "struct field, malformed",
    };
    names.extend(text);
    out.add(at, &[form]);
}

/// Adds the forms of a struct's fields.
pub(super) fn fields(array: &ArrayMetadata, out: &mut Features) {
    let Some(json) = array.data_type_json() else { return };
    match (array.format, json.as_array(), extension_name(json)) {
        (Format::V2, Some(fields), _) => v2(fields, out),
        (Format::V3, None, Some(name)) if family(name) == "structs" => {
            if let Some(configuration) = json.get("configuration") {
                v3(name, configuration.get("fields"), out);
            }
        }
        _ => {}
    }
}

/// Adds the forms of a V2 struct.
fn v2(fields: &[Json], out: &mut Features) {
    out.add("dtype", &["dtype, a struct"]);
    if fields.is_empty() {
        return out.add("dtype", &["struct without fields"]);
    }
    let (mut names, mut orders) = (HashSet::<&str>::new(), HashSet::<char>::new());
    for (index, field) in fields.iter().enumerate() {
        let at = format!("dtype[{index}]");
        let parts = field.as_array().unwrap_or_default();
        label(&at, parts.first(), &mut names, out);
        if parts.len() > 2 {
            out.add(&at, &["struct field with a shape"]);
        }
        let Some(dtype) = parts.get(1) else { continue };
        if dtype.as_array().is_some() {
            out.add(&at, &["struct field, a struct"]);
            continue;
        }
        let text = dtype.as_str().unwrap_or_default();
        orders.extend(text.chars().next().filter(|order| matches!(order, '<' | '>')));
        let family = typestr(text).map_or("no dtype", |(_, _, family)| family);
        out.add(&at, &[format!("struct field of {}", broad(family))]);
    }
    match ['<', '>'].map(|sign| orders.contains(&sign)) {
        [true, true] => out.add("dtype", &["struct with both byte orders"]),
        [false, true] => out.add("dtype", &["struct, big-endian"]),
        _ => {}
    }
}

/// Adds the forms of a V3 struct.
fn v3(name: &str, fields: Option<&Json>, out: &mut Features) {
    let base = "data_type.configuration.fields";
    let Some(fields) = fields.and_then(Json::as_array) else {
        return out.add(base, &[format!("{name} without fields")]);
    };
    if fields.is_empty() {
        return out.add(base, &[format!("{name} without fields")]);
    }
    let mut names: HashSet<&str> = HashSet::new();
    for (index, field) in fields.iter().enumerate() {
        let at = format!("{base}[{index}]");
        let pair = field.as_array();
        let (form, label, data_type) = match pair {
            Some(pair) => ("as lists", pair.first(), pair.get(1)),
            None => ("as objects", field.get("name"), field.get("data_type")),
        };
        out.add(&at, &[format!("{name}, fields {form}")]);
        let label = label.and_then(Json::as_str).unwrap_or_default();
        if !names.insert(label) {
            out.add(&at, &["struct field, a name twice"]);
        }
        if label.is_empty() {
            out.add(&at, &["struct field without a name"]);
        }
        let Some(data_type) = data_type else { continue };
        let inner = extension_name(data_type).unwrap_or_default();
        let family = broad(family(inner));
        let is_plain = data_type.as_object().is_some() && data_type.get("configuration").is_none();
        let form = if is_plain { ", a plain name as an object" } else { "" };
        out.add(&at, &[format!("struct field of {family}{form}")]);
    }
}
