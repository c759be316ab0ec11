//! The forms of data types.

use super::forms::{Features, extension_name, literal};
use crate::zarr::prelude::*;

/// The facts about a data type that fill values and codecs depend on.
#[derive(Debug, Clone)]
pub(super) struct TypeClass {
    /// The name: `i2`, `int16`, `struct`; without its byte order.
    pub(super) name: String,
    /// Its family.
    pub(super) family: &'static str,
    /// The number of bytes of an element; `None` where that varies or is not known.
    pub(super) size: Option<usize>,
    /// The number of fields of a struct.
    pub(super) fields: Option<usize>,
}

/// Adds the forms of the data type, and says what it is.
pub(super) fn class(array: &ArrayMetadata, root: &Json, out: &mut Features) -> TypeClass {
    let known = array.data_type().map(AsRef::as_ref);
    let (name, family) = match array.format {
        Format::V2 => v2(root.get("dtype"), out),
        Format::V3 => v3(root.get("data_type"), known.is_some(), out),
    };
    let size = known.and_then(|data_type: &dyn DataType| data_type.fixed_size());
    let json = array.data_type_json();
    let fields = json
        .and_then(|json| json.get("configuration")?.get("fields"))
        .or(json)
        .and_then(Json::as_array);
    let fields = fields.filter(|_| family == "structs").map(<[Json]>::len);
    TypeClass { name, family, size, fields }
}

/// The forms of a V2 dtype; gives its name and family.
fn v2(json: Option<&Json>, out: &mut Features) -> (String, &'static str) {
    if json.is_some_and(|json| json.as_array().is_some()) {
        return ("struct".into(), "structs");
    }
    if let Some((forms, name, family)) = json.and_then(Json::as_str).and_then(typestr) {
        out.add("dtype", &forms);
        return (name, family);
    }
    out.add("dtype", &[format!("dtype {}", literal(json)), "dtype, no dtype".into()]);
    ("no dtype".into(), "unknown types")
}

/// The forms, the name and the family of a V2 type string.
pub(super) fn typestr(text: &str) -> Option<(Vec<String>, String, &'static str)> {
    let order = text.chars().next().filter(|order| "<>|".contains(*order))?;
    let rest = text.strip_prefix(order)?;
    let kind = rest.chars().next()?;
    let after = rest.strip_prefix(kind)?;
    let (size, unit) =
        after.split_once('[').map_or((after, None), |(size, unit)| (size, Some(unit)));
    let number: Option<usize> =
        size.parse().ok().filter(|_| size.bytes().all(|b| b.is_ascii_digit()));
    let family = match (kind, number) {
        ('b', Some(1)) => "booleans",
        ('i', Some(1 | 2 | 4 | 8)) => "integers",
        ('u', Some(1 | 2 | 4 | 8)) => "unsigned integers",
        ('f', Some(2 | 4 | 8 | 16)) => "floats",
        ('c', Some(8 | 16 | 32)) => "complex numbers",
        ('S', Some(_)) => "byte strings",
        ('U', Some(_)) => "fixed-length strings",
        ('V', Some(_)) => "raw bytes",
        ('M' | 'm', Some(8)) => "times",
        ('O', None) if size.is_empty() => "objects",
        _ => return None,
    };
    let plain = format!("dtype {text}");
    let forms = match kind {
        'S' | 'U' | 'V' => {
            let length = match number {
                Some(0) => "of length 0",
                _ if size.starts_with('0') => "with a leading zero",
                _ => "of a length",
            };
            vec![format!("dtype {order}{kind} {length}")]
        }
        'M' | 'm' => time_forms(order, kind, unit),
        _ => vec![plain],
    };
    let name = match kind {
        'S' | 'U' | 'V' | 'M' | 'm' | 'O' => kind.to_string(),
        _ => rest.to_owned(),
    };
    Some((forms, name, family))
}

/// The forms of a datetime or timedelta.
fn time_forms(order: char, kind: char, unit: Option<&str>) -> Vec<String> {
    let start = format!("dtype {order}{kind}8");
    let Some(unit) = unit.and_then(|unit| unit.strip_suffix(']')) else {
        return vec![format!("{start} without a unit")];
    };
    let name = unit.trim_start_matches(|c: char| c.is_ascii_digit());
    let count = unit.strip_suffix(name).unwrap_or_default();
    let scale = match count {
        "" => "",
        "1" => "1 ",
        count if count.bytes().all(|digit| digit == b'0') => "0 ",
        _ => "several ",
    };
    let known = ["Y", "M", "W", "D", "h", "m", "s", "ms", "us", "ns", "ps", "fs", "as"];
    if known.contains(&name) {
        let general = if count.is_empty() { "in a plain unit" } else { "in multiples of a unit" };
        let forms = [format!("[{scale}{name}]"), format!("[{scale}unit]"), general.to_owned()];
        let zero = if scale == "0 " { 2 } else { 3 };
        return forms[..zero].iter().map(|form| format!("{start} {form}")).collect();
    }
    vec![format!("{start} [{scale}{name}]")]
}

/// The forms of a V3 data type; gives its name and family.
fn v3(json: Option<&Json>, is_known: bool, out: &mut Features) -> (String, &'static str) {
    let at = "data_type";
    let Some(json) = json else {
        out.add(at, &["data_type absent"]);
        return ("no type".into(), "unknown types");
    };
    let Some(name) = extension_name(json) else {
        let form = format!("data_type {}", literal(Some(json)));
        out.add(at, &[form, "data_type without a name".into()]);
        return ("no type".into(), "unknown types");
    };
    let family = family(name);
    let is_raw = name.strip_prefix('r').is_some_and(|bits| bits.parse::<usize>().is_ok());
    out.add(at, &name_forms(json, name, is_known || family != "unknown types"));
    let has_configuration = matches!(family, "times" | "structs")
        || matches!(
            name,
            "fixed_length_utf32"
                | "raw_bytes"
                | "null_terminated_bytes"
                | "optional"
                | "zarrs.optional"
        );
    if json.as_object().is_some() {
        object_form(json, name, has_configuration, out);
    } else if has_configuration {
        out.add(at, &["data_type with its configuration left out"]);
    }
    (if is_raw { "r".into() } else { name.to_owned() }, family)
}

/// The forms of the name of a V3 data type.
fn name_forms(json: &Json, name: &str, is_known: bool) -> Vec<String> {
    let raw = name.strip_prefix('r').and_then(|bits| bits.parse::<usize>().ok());
    if raw.is_some_and(|bits| bits > 0 && bits.is_multiple_of(8)) {
        return vec!["data_type r, whole bytes".into()];
    }
    let shown = if name.chars().count() > 40 { "of a long name" } else { name };
    let known = ["name", "configuration", "must_understand"];
    let mut members = json.as_object().unwrap_or_default().iter();
    let has_others = members.any(|member| !known.contains(&member.key.as_str()));
    let with = if has_others { " with other members" } else { "" };
    let mut forms = vec![format!("data_type {shown}{with}")];
    if raw.is_some() {
        forms.push("data_type r, not whole bytes".into());
    } else if !is_known {
        forms.push("data_type of an unknown name".into());
    }
    forms
}

/// The form of a data type written as an object.
fn object_form(json: &Json, name: &str, has_configuration: bool, out: &mut Features) {
    let configuration = json.get("configuration");
    if !has_configuration {
        let form = match configuration {
            None => "data_type, a plain name as an object",
            Some(_) => "data_type, a plain name as an object with a configuration",
        };
        out.add("data_type", &[form]);
    }
    for member in json.as_object().unwrap_or_default() {
        match member.key.as_str() {
            "name" | "configuration" => {}
            "must_understand" => {
                let form =
                    format!("data_type with must_understand {}", literal(Some(&member.value)));
                out.add("data_type.must_understand", &[form]);
            }
            _ => out.add("data_type", &["data_type with other members"]),
        }
    }
    if let Some(configuration) = configuration {
        configured(name, configuration, out);
    }
}

/// The forms of a data type's configuration.
fn configured(name: &str, configuration: &Json, out: &mut Features) {
    let member = |key| configuration.get(key);
    match name {
        "numpy.datetime64" | "numpy.timedelta64" => {
            let unit = literal(member("unit"));
            let units = ["Y", "M", "W", "D", "h", "m", "s", "ms", "us", "ns", "ps", "fs", "as"];
            let is_unit = units.iter().any(|known| unit == format!("\"{known}\""));
            let general = if is_unit { "a unit".into() } else { unit.clone() };
            let at = "data_type.configuration.unit";
            out.add(at, &[format!("{name} in {unit}"), format!("{name} in {general}")]);
            let scale = member("scale_factor").and_then(Json::as_u64);
            let form = match scale {
                Some(0) => "0",
                Some(1) => "1",
                Some(_) => "above 1",
                None => "no number",
            };
            out.add(
                "data_type.configuration.scale_factor",
                &[format!("{name}, scale_factor {form}")],
            );
        }
        "fixed_length_utf32" | "raw_bytes" | "null_terminated_bytes" => {
            let length = member("length_bytes").and_then(Json::as_u64);
            let form = match length {
                Some(0) => "0",
                Some(length) if name == "fixed_length_utf32" && length % 4 != 0 => {
                    "no multiple of 4"
                }
                Some(_) => "a length",
                None => "no number",
            };
            out.add(
                "data_type.configuration.length_bytes",
                &[format!("{name}, length_bytes {form}")],
            );
        }
        _ => {}
    }
}

/// The family of a V3 data type.
pub(super) fn family(name: &str) -> &'static str {
    let digits = |prefix: &str| {
        let rest = name.strip_prefix(prefix);
        rest.and_then(|bits| bits.parse::<usize>().ok())
    };
    match name {
        "bool" => "booleans",
        "int2" | "int4" | "uint2" | "uint4" => "integers below a byte",
        "string" | "variable_length_utf8" => "strings",
        "bytes" | "variable_length_bytes" | "binary" => "bytes of any length",
        "fixed_length_utf32" => "fixed-length strings",
        "null_terminated_bytes" => "byte strings",
        "raw_bytes" => "raw bytes",
        "numpy.datetime64" | "numpy.timedelta64" => "times",
        "struct" | "structured" => "structs",
        "optional" | "zarrs.optional" => "optional values",
        "bfloat16" => "floats",
        _ if digits("int").is_some_and(|bits| matches!(bits, 8 | 16 | 32 | 64)) => "integers",
        _ if digits("uint").is_some_and(|bits| matches!(bits, 8 | 16 | 32 | 64)) => {
            "unsigned integers"
        }
        _ if digits("float").is_some_and(|bits| matches!(bits, 16 | 32 | 64)) => "floats",
        _ if digits("complex").is_some_and(|bits| matches!(bits, 64 | 128)) => "complex numbers",
        _ if name.starts_with("complex_") => "complex numbers",
        _ if name.starts_with("float8_")
            || name.starts_with("float6_")
            || name.starts_with("float4_") =>
        {
            "small floats"
        }
        _ if digits("r").is_some() => "raw bytes",
        _ => "unknown types",
    }
}
