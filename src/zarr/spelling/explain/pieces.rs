//! The two spellings of a data type taken apart: what each sign of `">M8[10us]"` says, and each member of the V3 form.

use crate::zarr::prelude::*;
use crate::zarr::{
    data_type::{AnatomyRow, V2Form, extension::name_of},
    scalar::TimeUnit,
    spelling::Subject,
};

/// The spelling of the subject's data type in `format`, followed by its pieces; empty where there is none. Structs have
/// their fields instead.
pub(super) fn of(subject: &Subject, format: Format) -> Vec<AnatomyRow> {
    let Some(data_type) = subject.data_type() else { return Vec::new() };
    match format {
        Format::V2 => data_type.to_v2(&subject.order()).map(|form| of_v2(&form)),
        Format::V3 => data_type.to_v3().map(|form| of_v3(&form, &data_type.description())),
    }
    .unwrap_or_default()
}

fn of_v2(form: &V2Form) -> Vec<AnatomyRow> {
    let mut rows = vec![AnatomyRow::new("V2", safe_text(&form.dtype))];
    rows.extend(of_dtype(form.dtype.as_str().unwrap_or_default()));
    if let Some(codec) = &form.object_codec {
        let says = match codec.as_str() {
            "vlen-utf8" => "the object codec: text in UTF-8",
            "vlen-bytes" => "the object codec: bytes",
            _ => "the object codec",
        };
        rows.push(row(codec, says));
    }
    rows
}

fn of_v3(form: &Json, description: &str) -> Vec<AnatomyRow> {
    let mut rows = vec![AnatomyRow::new("V3", safe_text(&form))];
    rows.extend(of_data_type(form, description));
    rows
}

fn row(piece: &str, says: impl Into<String>) -> AnatomyRow {
    AnatomyRow::new(safe(&format!("  {piece}")), says)
}

/// `>M8[10us]`: the sign, kind and size, the unit. A text that is no type string has no pieces.
fn of_dtype(dtype: &str) -> Vec<AnatomyRow> {
    let mut chars = dtype.chars();
    let (Some(sign), Some(kind)) = (chars.next(), chars.next()) else { return Vec::new() };
    let order = match sign {
        '<' => "little-endian: the least significant byte first",
        '>' => "big-endian: the most significant byte first",
        '|' => "no byte order",
        _ => return Vec::new(),
    };
    let rest = chars.as_str();
    let (size, unit) = rest.split_at(rest.find('[').unwrap_or(rest.len()));
    let mut rows = vec![
        row(&sign.to_string(), order),
        row(&format!("{kind}{size}"), kind_and_size(kind, size.parse().unwrap_or(0))),
    ];
    let unit = unit.trim_start_matches('[').trim_end_matches(']');
    if !unit.is_empty() {
        let digits = unit.find(|c: char| !c.is_ascii_digit()).unwrap_or(0);
        let (count, symbol) = unit.split_at(digits);
        let says = format!("one count is {}", units(count.parse().unwrap_or(1), symbol));
        rows.push(row(&format!("[{unit}]"), says));
    }
    rows
}

fn kind_and_size(kind: char, size: u64) -> String {
    let bytes = match size {
        1 => "1 byte".to_owned(),
        size => format!("{size} bytes"),
    };
    match kind {
        'b' => format!("boolean, {bytes}"),
        'i' => format!("signed integer, {bytes}"),
        'u' => format!("unsigned integer, {bytes}"),
        'f' => format!("float, {bytes}"),
        'c' => format!("complex number, {bytes}: two floats of {}", size / 2),
        'm' => format!("span of time, {bytes}"),
        'M' => format!("point in time, {bytes}"),
        'S' => format!("text or bytes, {bytes}, padded with zeros"),
        'U' => format!("text of {}, 4 bytes each", counted(size, "code point")),
        'V' => format!("raw bytes, {bytes}"),
        _ => "Python objects".into(),
    }
}

/// The name of the V3 form, and each member of its configuration.
fn of_data_type(form: &Json, description: &str) -> Vec<AnatomyRow> {
    let name = name_of(form).unwrap_or_default();
    let mut rows = vec![row(name, description)];
    let configuration = form.get("configuration").and_then(Json::as_object).unwrap_or_default();
    let unit = form.get("configuration").and_then(|it| it.get("unit")).and_then(Json::as_str);
    let unit = unit.unwrap_or("generic");
    for Member { key, value, .. } in configuration {
        let says = match (key.as_str(), value.as_u64(), value.as_str()) {
            ("unit", _, Some(unit)) => {
                format!("{value}: {}", units(2, unit).trim_start_matches("2 "))
            }
            ("scale_factor", Some(count), _) => {
                format!("{count}: one count is {}", units(count, unit))
            }
            ("length_bytes", Some(bytes), _) => format!("{bytes}: the size of an element in bytes"),
            _ => continue,
        };
        rows.push(row(key, says));
    }
    rows
}

/// A count of units by their symbol: `3 days`.
fn units(count: u64, symbol: &str) -> String {
    let word = TimeUnit::from_symbol(symbol).map_or(symbol, |unit| unit.word());
    counted(count, word)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(dtype: &str) -> Vec<String> {
        of_dtype(dtype).into_iter().map(|row| format!("{}: {}", row.label, row.value)).collect()
    }

    #[test]
    fn type_strings_are_taken_apart() {
        assert_eq!(
            of(">M8[10us]"),
            [
                "  >: big-endian: the most significant byte first",
                "  M8: point in time, 8 bytes",
                "  [10us]: one count is 10 microseconds",
            ]
        );
        assert_eq!(of("<m8[s]").last().unwrap(), "  [s]: one count is 1 second");
        assert_eq!(of("|b1"), ["  |: no byte order", "  b1: boolean, 1 byte"]);
        assert_eq!(of("<c8").last().unwrap(), "  c8: complex number, 8 bytes: two floats of 4");
        assert_eq!(of("bfloat16"), [""; 0]);
    }
}
