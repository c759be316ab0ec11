//! The forms of fill values.

use super::{
    forms::{Feature, Features, literal},
    types::TypeClass,
};
use crate::zarr::json::is_bare;
use crate::zarr::prelude::*;

/// Adds the forms of the fill value.
pub(super) fn fill(array: &ArrayMetadata, root: &Json, class: &TypeClass, out: &mut Features) {
    let json = root.get("fill_value");
    let mut form = json.map_or_else(|| "absent".to_owned(), |json| form(json, class));
    match &array.fill_value {
        FillValue::Unreadable { .. } if array.data_type.is_ok() => {
            form += ", which the type cannot hold";
        }
        FillValue::Value { scalar, notes, .. } => {
            if matches!(scalar, Scalar::Float(value) if value.is_nan()) && form.starts_with("hex") {
                form += " of a NaN";
            }
            let mut codes: Vec<&str> = notes.iter().map(|note| note.code.as_str()).collect();
            codes.sort_unstable();
            codes.dedup();
            if !codes.is_empty() {
                form = format!("{form} ({})", codes.join(", "));
            }
        }
        _ => {}
    }
    if class.family != "unknown types" {
        out.add("fill_value", &forms(class, &form));
    }
}

/// The forms of a fill value that is what missing chunks read as: to be read is not yet to be understood.
pub(super) fn of_missing(array: &ArrayMetadata, document: &[Feature], out: &mut Features) {
    let Some(read) = document.iter().find(|feature| feature.member == "fill_value") else { return };
    let is_big = array
        .data_type
        .as_ref()
        .is_ok_and(|resolved| resolved.order.uniform() == Some(Endian::Big));
    let order = if is_big { "big-endian " } else { "" };
    let format = format!("{} fill_value of ", array.format.name());
    let forms: Vec<String> = read
        .forms
        .iter()
        .map(|form| {
            format!(
                "missing chunks, fill_value of {order}{}",
                form.strip_prefix(&format).unwrap_or(form)
            )
        })
        .collect();
    out.add("fill_value", &forms);
}

/// Marks a fill value of null that no element reads as, because no chunk is missing.
pub(super) fn unused(document: &mut [Feature]) {
    let fill = document.iter_mut().find(|feature| feature.member == "fill_value");
    let is_null = |forms: &[String]| forms.first().is_some_and(|form| form.ends_with(": null"));
    if let Some(fill) = fill.filter(|fill| is_null(&fill.forms)) {
        fill.forms.push(UNUSED.into());
    }
}

/// The last form of a fill value that no element reads as.
pub(super) const UNUSED: &str = "fill_value that no element reads as";

/// The forms of a fill value of a type, of its family, and of numbers. Types of few bits have ways of their own.
fn forms(class: &TypeClass, form: &str) -> Vec<String> {
    let mut forms = vec![format!("fill_value of {}: {form}", class.name)];
    let is_half = class.size == Some(2) && class.family == "floats";
    if class.family != "small floats" && !is_half {
        forms.push(format!("fill_value of {}: {form}", class.family));
    }
    if matches!(class.family, "integers" | "unsigned integers") {
        forms.push(format!("fill_value of whole numbers: {form}"));
    }
    forms
}

/// The form of a fill value.
fn form(json: &Json, class: &TypeClass) -> String {
    match &json.kind {
        Kind::Null => "null".into(),
        Kind::Bool(_) => "a boolean".into(),
        Kind::Number(text) => number(text, class).into(),
        Kind::String(text) => string(&text.text, class),
        Kind::Array(items) => list(items, class),
        Kind::Object(members) if members.is_empty() => "{}".into(),
        Kind::Object(members) => match class.fields {
            Some(fields) if members.len() < fields => {
                "an object with fewer members than fields".into()
            }
            Some(fields) if members.len() > fields => {
                "an object with more members than fields".into()
            }
            _ => "an object".into(),
        },
    }
}

fn number(text: &str, class: &TypeClass) -> &'static str {
    let is_integer = !text.contains(['.', 'e', 'E']) && !is_bare(text);
    let value = text.parse::<f64>().unwrap_or(f64::NAN);
    let is_large = value.abs() > 9_007_199_254_740_992.0;
    if is_bare(text) {
        return if text == "NaN" { "the token NaN" } else { "the token Infinity" };
    }
    match (is_integer, text) {
        (true, "-0") => "-0",
        (true, "0") if !is_of_numbers(class) => "0",
        (true, _) if is_large => "an integer beyond 2^53",
        (true, _) => "an integer",
        (false, _) if value.is_infinite() => "a number beyond float64",
        (false, _) if value == 0.0 && value.is_sign_negative() => "-0.0",
        (false, _) if class.family == "floats" => of_float(value, class.size),
        (false, _) if value.fract() != 0.0 => "a fraction",
        (false, text) if text.contains(['e', 'E']) => "a whole number with an exponent",
        (false, _) if is_large => "a whole number written as a fraction, beyond 2^53",
        (false, _) => "a whole number written as a fraction",
    }
}

/// True for types to which 0 is a number as any other.
fn is_of_numbers(class: &TypeClass) -> bool {
    ["integers", "unsigned integers", "floats", "small floats"].contains(&class.family)
}

fn of_float(value: f64, size: Option<usize>) -> &'static str {
    let (most, least) = match size {
        Some(2) => (65_504.0, 5.97e-8),
        Some(4) => (f64::from(f32::MAX), f64::from(f32::from_bits(1))),
        _ => (f64::MAX, f64::from_bits(1)),
    };
    match value.abs() {
        0.0 => "a decimal number",
        size if size > most => "a number beyond the type's range",
        size if size < least / 2.0 => "a number that underflows",
        _ => "a decimal number",
    }
}

fn string(text: &str, class: &TypeClass) -> String {
    let is_text = matches!(class.family, "strings" | "fixed-length strings" | "objects");
    let lower = text.to_ascii_lowercase();
    match text {
        "" => "an empty string".into(),
        _ if is_text => if text.is_ascii() { "a string" } else { "a string beyond ASCII" }.into(),
        "NaN" | "Infinity" | "-Infinity" | "NaT" => format!("the string {text}"),
        _ if matches!(
            lower.as_str(),
            "nan" | "inf" | "-inf" | "infinity" | "+inf" | "true" | "false"
        ) =>
        {
            format!("the string {lower}, in no form of the specification")
        }
        _ if text.starts_with("0x") => hexadecimal(text.trim_start_matches("0x"), class),
        _ if text.starts_with("0X") => "hexadecimal with a capital X".into(),
        _ if text.bytes().all(|byte| byte.is_ascii_digit()) => "digits in a string".into(),
        _ if text.parse::<f64>().is_ok() => "a number in a string".into(),
        _ if text
            .split_once('-')
            .is_some_and(|(year, _)| year.len() == 4 && year.parse::<u16>().is_ok()) =>
        {
            "a date in a string".into()
        }
        _ => in_base64(text, class),
    }
}

fn hexadecimal(digits: &str, class: &TypeClass) -> String {
    let size = match (digits.len(), class.size.map(|size| size * 2)) {
        (len, Some(size)) if len < size => "shorter than the type",
        (len, Some(size)) if len > size => "longer than the type",
        _ => "of the type's size",
    };
    let case =
        if digits.bytes().any(|byte| byte.is_ascii_uppercase()) { " in capitals" } else { "" };
    format!("hexadecimal{case}, {size}")
}

fn in_base64(text: &str, class: &TypeClass) -> String {
    let is_alphabet =
        text.trim_end_matches('=').bytes().all(|b| b.is_ascii_alphanumeric() || b"+/".contains(&b));
    if !is_alphabet {
        return "a string that is not base64".into();
    }
    if !text.len().is_multiple_of(4) {
        return "base64 cut short".into();
    }
    let padding = text.bytes().rev().take_while(|byte| *byte == b'=').count();
    let len = (text.len() / 4 * 3).saturating_sub(padding);
    match class.size {
        Some(size) if len == size => "base64 of the type's size",
        Some(size) if len < size => "base64, shorter than the type",
        Some(_) => "base64, longer than the type",
        None => "base64",
    }
    .into()
}

fn list(items: &[Json], class: &TypeClass) -> String {
    if items.is_empty() {
        return "[]".into();
    }
    let are_bytes = matches!(class.family, "raw bytes" | "bytes of any length" | "byte strings");
    if class.family == "complex numbers" && items.len() == 2 {
        let part =
            TypeClass { family: "floats", size: class.size.map(|size| size / 2), ..class.clone() };
        let mut forms: Vec<String> = items.iter().map(|item| form(item, &part)).collect();
        let plain = |form: &str| matches!(form, "0" | "an integer" | "a decimal number");
        if forms.iter().all(|form| plain(form)) {
            return "a list of two numbers".into();
        }
        forms.retain(|form| !plain(form));
        forms.dedup();
        return format!("a list of two with {}", forms.join(" and "));
    }
    let integers = items.iter().all(|item| item.as_u64().is_some());
    match class.size {
        _ if are_bytes && !integers => "a list with something other than bytes".into(),
        Some(size) if are_bytes && items.len() != size => "a list of another length".into(),
        _ if are_bytes => "a list of bytes".into(),
        _ if class.family == "complex numbers" => "a list of another length".into(),
        _ => format!(
            "a list{}",
            if literal(items.first()).starts_with('"') { " of strings" } else { "" }
        ),
    }
}
