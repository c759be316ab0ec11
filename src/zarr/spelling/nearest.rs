//! A fill value in the other format: itself, or the nearest that the format can name.

use crate::zarr::prelude::*;

/// The form of a fill value in a format.
#[derive(Debug, Clone, PartialEq)]
pub struct Nearest {
    /// The JSON.
    pub json: Json,
    /// The scalar that readers of that JSON see.
    pub scalar: Scalar,
    /// The loss, where that is another value.
    pub lost: Option<Note>,
}

/// `scalar` as `format` would write it. V2 has one NaN only: there a NaN loses its sign and payload, and that is said.
///
/// # Errors
///
/// If the format has nothing near; the note says why.
pub fn nearest(
    data_type: &dyn DataType,
    scalar: &Scalar,
    format: Format,
    order: &ByteOrder,
) -> Result<Nearest, Note> {
    let note = match data_type.fill_to_json(scalar, format, order) {
        Ok(json) => return Ok(Nearest { json, scalar: scalar.clone(), lost: None }),
        Err(note) => note,
    };
    let plain = match scalar {
        Scalar::Float(value) => Scalar::Float(plain_nan(*value)),
        Scalar::Complex(re, im) => Scalar::Complex(plain_nan(*re), plain_nan(*im)),
        _ => return Err(note),
    };
    match data_type.fill_to_json(&plain, format, order) {
        Ok(json) => Ok(Nearest { json, scalar: plain, lost: Some(note) }),
        Err(_) => Err(note),
    }
}

/// The NaN that `"NaN"` names in place of any other; every other value as it is.
fn plain_nan(value: Float) -> Float {
    match value.format.nan() {
        Some(bits) if value.is_nan() => Float::new(bits, value.format),
        _ => value,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::zarr::{DataTypes, Json, data_type::Endian};

    #[test]
    fn v2_keeps_a_nan_but_not_its_payload() {
        let registry = DataTypes::default();
        let order = ByteOrder::All(Endian::Little);
        let written = |name: &str, fill: &str, format| {
            let data_type = registry.from_v3(&Json::from(name)).unwrap().data_type;
            let json = Json::parse_str(fill).unwrap();
            let scalar = data_type.fill_from_json(&json, Format::V3, &order).unwrap().value;
            let near = nearest(data_type.as_ref(), &scalar, format, &order).unwrap();
            (near.json.to_string(), near.scalar == scalar, near.lost.is_some())
        };
        let payload = "\"0x7fc00abc\"";
        assert_eq!(written("float32", payload, Format::V2), ("\"NaN\"".into(), false, true));
        assert_eq!(written("float32", payload, Format::V3), (payload.into(), true, false));
        let pair = "[\"0xffc00000\",-0.0]";
        assert_eq!(written("complex64", pair, Format::V2), ("[\"NaN\",-0.0]".into(), false, true));
        assert_eq!(written("float32", "1.5", Format::V2), ("1.5".into(), true, false));
    }
}
