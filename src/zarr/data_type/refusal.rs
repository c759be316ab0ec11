//! The reason why no data type was found, and the one that was probably meant.
//!
//! Most texts that nobody knows are known elsewhere: a NumPy name in V2, a V2 dtype in V3, a name in the wrong case.
//! The refusal says which, and what the format would write instead.

use super::prelude::*;
use crate::zarr::words;

/// The dialect in which a data type was asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Asked {
    /// As a V2 `dtype`.
    V2,
    /// As a V3 `data_type`.
    V3,
    /// As a NumPy-style name.
    NumPy,
}

/// No name worth correcting is longer.
const LONGEST: usize = 64;

/// The error for a text that no family reads.
pub fn unknown(scope: &Scope, json: &Json, asked: Asked, codec: Option<&str>) -> Error {
    let expected = match (asked, &json.kind) {
        (Asked::V2, Kind::String(_)) => "a V2 type string, such as \"<f4\" or \"|b1\"",
        (Asked::V2, _) => "a V2 dtype: a type string, or a list of fields",
        (Asked::V3, Kind::String(_) | Kind::Object(_)) => "the name of a V3 data type",
        (Asked::V3, _) => "a V3 data_type: a name, or an object with a name",
        (Asked::NumPy, _) => "the name of a NumPy dtype",
    };
    let error = Error::new(Code::UnknownDataType, json.describe(), expected);
    let text = match asked {
        Asked::V3 => name_of(json),
        Asked::V2 | Asked::NumPy => json.as_str(),
    };
    let text = text.filter(|text| text.len() <= LONGEST && !text.is_empty());
    let is_objects = asked == Asked::V2 && codec.is_some() && json.as_str() == Some("|O");
    match text.and_then(|text| fix(scope, text, asked, codec)) {
        Some(fix) if is_objects || asked == Asked::V2 && text.is_some_and(is_long_double) => {
            not_read(error).with_fix(fix)
        }
        Some(fix) => error.with_fix(fix),
        // A name that is like none of the known ones is that of an extension.
        None if asked == Asked::V3 && text.is_some() => not_read(error),
        None => error,
    }
}

fn not_read(error: Error) -> Error {
    let expected = "a data type that zarrscope reads".to_owned();
    Error { code: Code::DataTypeNotRead, expected, ..error }
}

fn is_long_double(text: &str) -> bool {
    matches!(text.trim_start_matches(['<', '>', '|', '=']), "f16" | "c32" | "f12" | "c24")
}

fn fix(scope: &Scope, text: &str, asked: Asked, codec: Option<&str>) -> Option<String> {
    if let Some(fix) = (asked == Asked::V2).then(|| special(text, codec)).flatten() {
        return Some(fix);
    }
    if let Some(fix) = habit(text).or_else(|| counted_in_bits(text)) {
        return Some(fix);
    }
    if let Some(resolved) = elsewhere(scope, text, asked) {
        return written(&resolved, asked);
    }
    let near = || nearest(scope, text).map(|name| format!("Did you mean {}?", quoted(&name)));
    wrong_size(text).or_else(near)
}

/// The reason why V2 has no such type, whatever else knows the text.
fn special(text: &str, codec: Option<&str>) -> Option<String> {
    if matches!(text, "|O" | "O" | "<O" | ">O" | "|O8" | "object") {
        return Some(match codec {
            Some("vlen-utf8" | "vlen-bytes") => "V2 writes \"|O\".".into(),
            Some(codec) => format!("The object codec {} stores objects of any type; no Zarr data type describes \
                                    them.", quoted(codec)),
            None => "\"|O\" means Python objects; an object codec (vlen-utf8 or vlen-bytes) in filters or compressor \
                     must define which.".into(),
        });
    }
    is_long_double(text).then(|| {
        "A long double's layout depends on the platform; store float64 or complex128.".into()
    })
}

/// The advice on texts that people type out of habit: a name of NumPy or Python that means nothing here, or a wrong
/// size.
fn habit(text: &str) -> Option<String> {
    if let Some(name) = text.strip_prefix("np.") {
        return Some(format!("Leave np. out: {name}."));
    }
    let bare = text.trim_matches('\'');
    if bare != text {
        return Some(format!("Leave the single quotes out: {bare}."));
    }
    let fix = match text {
        "object" | "O" => {
            "V3 has no data type for Python objects; use string for text and bytes for bytes."
        }
        "void" => "Raw bytes need a size: r32 in V3, |V4 in V2.",
        "complex32" => "Two float16 are complex_float16 in V3; V2 and NumPy have no such type.",
        "longdouble" | "clongdouble" | "float128" | "float96" | "complex256" | "complex192" => {
            "A long double's layout depends on the platform; store float64 or complex128."
        }
        _ => return None,
    };
    Some(fix.into())
}

/// The advice on NumPy's `dtype.name`, where the number counts bits, and on the names that its version 1 took for `S5`.
fn counted_in_bits(text: &str) -> Option<String> {
    let digits = text.trim_start_matches(|c: char| c.is_ascii_lowercase());
    let bits: u64 = digits.parse().ok().filter(|bits| *bits > 0)?;
    let (letter, width) = match text.strip_suffix(digits)? {
        "str" => ("<U", 32),
        "bytes" => ("S", 8),
        "void" => ("V", 8),
        "a" => return Some(format!("NumPy 2 no longer has the letter a; S{bits} is the same.")),
        _ => return None,
    };
    let probably =
        bits.is_multiple_of(width).then(|| format!(": probably {letter}{}", bits / width));
    Some(format!(
        "NumPy 2.5.5 prints such a name for a dtype, with the size in bits, but does not accept it{}.",
        probably.unwrap_or_default()
    ))
}

/// A type string of a kind that comes in other sizes.
fn wrong_size(text: &str) -> Option<String> {
    let text = text.trim_start_matches(['<', '>', '|', '=']);
    let kind = text.chars().next()?;
    let size = text.get(kind.len_utf8()..)?;
    let sizes = match kind {
        'b' => "b (boolean) has 1 byte: |b1.",
        'i' => "i (signed integer) has 1, 2, 4 or 8 bytes: |i1, <i2, <i4, <i8.",
        'u' => "u (unsigned integer) has 1, 2, 4 or 8 bytes: |u1, <u2, <u4, <u8.",
        'f' => "f (float) has 2, 4 or 8 bytes: <f2, <f4, <f8.",
        'c' => "c (complex number) has 8 or 16 bytes: <c8, <c16.",
        _ => return None,
    };
    size.bytes().next().filter(u8::is_ascii_digit).map(|_| sizes.into())
}

/// The text as another dialect reads it.
fn elsewhere(scope: &Scope, text: &str, asked: Asked) -> Option<Resolved> {
    let json = Json::from(text);
    let in_v2 = |family: &dyn Family| family.from_v2(&json, None, scope);
    let in_v3 = |family: &dyn Family| family.from_v3(&json, scope);
    let (by_size, _) = super::typestr::canonical(text);
    let in_numpy = |family: &dyn Family| family.from_numpy(&by_size, scope);
    scope.registry.families().find_map(|family| {
        let family = &**family;
        let answer = match asked {
            Asked::V2 => in_v3(family).or_else(|| in_numpy(family)),
            Asked::V3 => in_v2(family).or_else(|| in_numpy(family)),
            Asked::NumPy => in_v3(family).or_else(|| in_v2(family)),
        };
        answer.and_then(Result::ok)
    })
}

/// Its form in the dialect that was asked for.
fn written(resolved: &Resolved, asked: Asked) -> Option<String> {
    let data_type = &resolved.data_type;
    match asked {
        Asked::V2 if data_type.has_byte_order() => {
            let form = |endian| data_type.to_v2(&ByteOrder::All(endian)).map(|form| form.dtype);
            match (form(Endian::Little), form(Endian::Big)) {
                (Ok(little), Ok(big)) => Some(format!("V2 writes {little} or {big}.")),
                (Err(note), _) | (_, Err(note)) => Some(note.text),
            }
        }
        Asked::V2 => Some(match data_type.to_v2(&ByteOrder::NotApplicable) {
            Ok(form) => match form.object_codec {
                None => format!("V2 writes {}.", form.dtype),
                Some(codec) => format!("V2 writes {} with the object codec {codec}.", form.dtype),
            },
            Err(note) => note.text,
        }),
        Asked::V3 => {
            let form = data_type.to_v3().ok()?;
            let order = match resolved.order.uniform() {
                Some(endian) => format!(
                    "; the byte order goes into the `bytes` codec: \"endian\": \"{}\"",
                    endian.word()
                ),
                None => String::new(),
            };
            Some(format!("V3 writes {form}{order}."))
        }
        Asked::NumPy => {
            data_type.numpy(&resolved.order).map(|name| format!("NumPy calls it {name}."))
        }
    }
}

/// The known V3 name that is the fewest changes away.
fn nearest(scope: &Scope, text: &str) -> Option<String> {
    let examples = scope.registry.families().flat_map(|family| family.examples());
    let names = examples.filter_map(|data_type| {
        let form = data_type.to_v3().ok()?;
        Some(form.as_str().or_else(|| form.get_str("name"))?.to_owned())
    });
    let names: Vec<String> = names.collect();
    words::nearest(text, names.iter().map(String::as_str)).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::{super::DataTypes, *};

    fn v2(text: &str, codec: Option<&str>) -> String {
        DataTypes::default().from_v2(&Json::from(text), codec).unwrap_err().fix.unwrap_or_default()
    }

    fn v3(text: &str) -> String {
        DataTypes::default().from_v3(&Json::from(text)).unwrap_err().fix.unwrap_or_default()
    }

    #[test]
    fn what_v2_would_write_is_said() {
        assert_eq!(v2("float64", None), "V2 writes \"<f8\" or \">f8\".");
        assert_eq!(v2("i4", None), "V2 writes \"<i4\" or \">i4\".");
        assert_eq!(v2("bool", None), "V2 writes \"|b1\".");
        assert_eq!(v2("string", None), "V2 writes \"|O\" with the object codec vlen-utf8.");
        assert!(v2("|O", None).starts_with("\"|O\" means Python objects"));
        assert!(v2("|O", Some("pickle")).contains("\"pickle\""));
        assert!(v2("<f16", None).starts_with("A long double"));
        assert!(v2("<i3", None).starts_with("i (signed integer) has 1, 2, 4 or 8 bytes"));
        assert!(v2("uint4", None).starts_with("V2 uses NumPy type strings"));
    }

    #[test]
    fn what_v3_would_write_is_said() {
        assert_eq!(
            v3(">i2"),
            "V3 writes \"int16\"; the byte order goes into the `bytes` codec: \"endian\": \"big\"."
        );
        assert_eq!(v3("np.int16"), "Leave np. out: int16.");
        assert_eq!(v3("'<i4'"), "Leave the single quotes out: <i4.");
        assert!(v3("float128").starts_with("A long double"));
        assert!(v3("void").starts_with("Raw bytes need a size"));
        assert!(v3("complex32").starts_with("Two float16 are complex_float16"));
        assert_eq!(v3("Int32"), "Did you mean \"int32\"?");
        assert_eq!(v3(" int32"), "Did you mean \"int32\"?");
        assert_eq!(v3("float8_e4m3fnu"), "Did you mean \"float8_e4m3fn\"?");
        assert_eq!(
            v3("double"),
            "V3 writes \"float64\"; the byte order goes into the `bytes` codec: \"endian\": \"little\"."
        );
        assert_eq!(v3("nothing of the kind"), "");
    }
}
