//! A line for every registered data type: the page to teach from.

use super::NOTHING;
use crate::zarr::prelude::*;
use crate::zarr::{
    data_type::{DataTypes, ItemSize},
    signs,
};

/// One data type, as both formats write it.
#[derive(Debug, Clone)]
pub struct Card {
    /// The data type.
    pub data_type: Arc<dyn DataType>,
    /// Its short name.
    pub name: String,
    /// The V2 dtypes, little and big where the order matters: `"<i2"  ">i2"`; with the object codec after a `+`.
    pub v2: String,
    /// The V3 data type: the name, and its configuration in short.
    pub v3: String,
    /// Bytes of an element; `var` where they vary.
    pub size: String,
    /// `LE BE` where the order matters, `·` where it does not.
    pub order: &'static str,
    /// The default scalar.
    pub default: String,
    /// The definer of its V3 name: `core`, `registered`, `zarr-python` or `nobody`; `·` where it has none.
    pub standing: &'static str,
    /// Notes on it: who writes another name, why a format has none.
    pub notes: Vec<Note>,
}

/// The data types that stand for the registered families, in the order of their registration.
pub fn cards(registry: &DataTypes) -> Vec<Card> {
    registry.families().flat_map(|family| family.examples()).map(card).collect()
}

/// The card of one data type.
pub fn card(data_type: Arc<dyn DataType>) -> Card {
    let mut notes = data_type.notes();
    let v2 = v2(data_type.as_ref()).unwrap_or_else(|note| {
        notes.push(note);
        NOTHING.into()
    });
    let v3 = data_type.to_v3().map_or_else(
        |note| {
            notes.push(note);
            NOTHING.into()
        },
        |json| v3(&json),
    );
    let standing = data_type.to_v3().map_or(signs::NONE, |json| {
        let name = json.get_str("name").or(json.as_str());
        name.map_or("nobody", standing)
    });
    let size = match data_type.item_size() {
        ItemSize::Fixed(size) => size.to_string(),
        ItemSize::Variable => "var".into(),
    };
    Card {
        name: safe_owned(&data_type.name()),
        order: if data_type.has_byte_order() { "LE BE" } else { signs::NONE },
        default: data_type.default_scalar().to_string(),
        data_type,
        v2,
        v3,
        size,
        standing,
        notes,
    }
}

/// The definer of a V3 name, as of July 2026.
pub(super) fn standing(name: &str) -> &'static str {
    let bits = |kind| name.strip_prefix(kind).and_then(|bits| bits.parse::<u32>().ok());
    let is_core = name == "bool"
        || matches!(bits("int").or_else(|| bits("uint")), Some(8 | 16 | 32 | 64))
        || matches!(bits("float"), Some(16 | 32 | 64))
        || matches!(bits("complex"), Some(64 | 128))
        || bits("r").is_some_and(|bits| bits > 0 && bits % 8 == 0);
    let of_parts = name.strip_prefix("complex_").filter(|part| part.contains("float"));
    match name {
        _ if is_core => "core",
        _ if REGISTERED.contains(&of_parts.unwrap_or(name)) => "registered",
        _ if matches!(bits("complex_float"), Some(16 | 32 | 64)) => "registered",
        "null_terminated_bytes" | "raw_bytes" | "variable_length_bytes" => "zarr-python",
        _ => "nobody",
    }
}

/// The data types of the zarr-extensions registry; those of floats stand for their `complex_` as well.
const REGISTERED: [&str; 22] = [
    "bfloat16",
    "bytes",
    "fixed_length_utf32",
    "float4_e2m1fn",
    "float6_e2m3fn",
    "float6_e3m2fn",
    "float8_e3m4",
    "float8_e4m3",
    "float8_e4m3b11fnuz",
    "float8_e4m3fnuz",
    "float8_e5m2",
    "float8_e5m2fnuz",
    "float8_e8m0fnu",
    "int2",
    "int4",
    "numpy.datetime64",
    "numpy.timedelta64",
    "string",
    "struct",
    "structured",
    "uint2",
    "uint4",
];

fn v2(data_type: &dyn DataType) -> Result<String, Note> {
    if !data_type.has_byte_order() {
        let form = data_type.to_v2(&ByteOrder::NotApplicable)?;
        let codec = form.object_codec.map_or_else(String::new, |codec| format!(" + {codec}"));
        return Ok(unquoted(&form.dtype) + &codec);
    }
    let in_order =
        |endian| data_type.to_v2(&ByteOrder::All(endian)).map(|form| unquoted(&form.dtype));
    let little = in_order(Endian::Little)?;
    // A struct is long enough in one order.
    if data_type.fields().is_empty() {
        Ok(format!("{little}  {}", in_order(Endian::Big)?))
    } else {
        Ok(little)
    }
}

/// A V3 data type in short: the name, and the values of its configuration with their keys.
fn v3(json: &Json) -> String {
    let member = |key| json.get(key);
    let (Some(name), Some(configuration)) =
        (member("name").and_then(Json::as_str), member("configuration").and_then(Json::as_object))
    else {
        return unquoted(json);
    };
    let members = configuration.iter().map(|m| format!("{} {}", m.key, in_short(&m.value)));
    format!("{} {{{}}}", safe(name), members.joined(", "))
}

/// The fields of a struct as `a int16`; anything else as it is.
fn in_short(value: &Json) -> String {
    let Some(fields) = value.as_array() else { return unquoted(value) };
    let field = |field: &Json| {
        let member = |key| field.get(key).map(unquoted).unwrap_or_default();
        format!("{} {}", member("name"), member("data_type"))
    };
    format!("[{}]", fields.iter().map(field).joined(", "))
}

/// JSON without the quotes of a plain string: a table of names reads better so.
fn unquoted(json: &Json) -> String {
    safe_owned(&json.unquoted())
}

#[cfg(test)]
mod tests {
    use super::{signs, standing};

    #[test]
    fn names_are_defined_by_somebody_or_nobody() {
        let names = ["bool", "uint16", "float16", "complex64", "r24"];
        assert_eq!(names.map(standing), ["core"; 5]);
        let names = ["bfloat16", "complex_float16", "complex_bfloat16", "int4", "struct", "bytes"];
        assert_eq!(names.map(standing), ["registered"; 6]);
        assert_eq!(standing("null_terminated_bytes"), "zarr-python");
        assert_eq!(["float8_e4m3fn", "complex"].map(standing), ["nobody"; 2]);
        assert_eq!(
            ["r12", "r0", "complex_int4", "complex_bytes", "zarrs.optional"].map(standing),
            ["nobody"; 5]
        );
    }

    /// The folders of data-types/ in zarr-extensions 4da7b37 (July 2026) that are none of the core specification.
    const IN_THE_REGISTRY: &str = "bfloat16 bytes complex_bfloat16 complex_float16 complex_float32 \
         complex_float4_e2m1fn complex_float64 complex_float6_e2m3fn complex_float6_e3m2fn complex_float8_e3m4 \
         complex_float8_e4m3 complex_float8_e4m3b11fnuz complex_float8_e4m3fnuz complex_float8_e5m2 \
         complex_float8_e5m2fnuz complex_float8_e8m0fnu fixed_length_utf32 float4_e2m1fn float6_e2m3fn float6_e3m2fn \
         float8_e3m4 float8_e4m3 float8_e4m3b11fnuz float8_e4m3fnuz float8_e5m2 float8_e5m2fnuz float8_e8m0fnu int2 \
         int4 numpy.datetime64 numpy.timedelta64 string struct structured uint2 uint4";
    /// The data types of the core specification, those of `r<bits>` by one.
    const IN_THE_CORE: &str = "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 complex64 \
         complex128 r24";
    /// The names that zarr-python 3.4.2 registers (`data_type_registry`) beside those.
    const ZARR_PYTHONS_OWN: &str = "null_terminated_bytes raw_bytes variable_length_bytes";

    #[test]
    fn names_belong_to_whoever_defines_them() {
        for (names, who) in [
            (IN_THE_REGISTRY, "registered"),
            (IN_THE_CORE, "core"),
            (ZARR_PYTHONS_OWN, "zarr-python"),
        ] {
            for name in names.split(' ') {
                assert_eq!(standing(name), who, "{name}");
            }
        }
        // Every card has one of these names, or none in V3.
        for card in super::cards(&crate::zarr::DataTypes::default()) {
            let name = card.v3.split([' ', '{']).next().unwrap_or_default();
            let lists = [IN_THE_REGISTRY, IN_THE_CORE, ZARR_PYTHONS_OWN];
            let is_raw = name.strip_prefix('r').is_some_and(|bits| bits.parse::<u32>().is_ok());
            let is_listed =
                is_raw || lists.iter().any(|names| names.split(' ').any(|one| one == name));
            assert_eq!(is_listed, !["nobody", signs::NONE].contains(&card.standing), "{name}");
        }
    }
}
