//! The lessons on the data type itself: its name, its byte order, what an element is.

use crate::zarr::{
    data_type::{DataType, ItemSize},
    scalar::Scalar,
};

/// The sort of values that a data type has.
#[derive(Clone, Copy)]
pub(super) enum Sort {
    /// True and false.
    Bool,
    /// Whole numbers.
    Integer,
    /// Floats of any format.
    Float,
    /// Pairs of floats.
    Complex,
    /// Points in time.
    DateTime,
    /// Spans of time.
    TimeDelta,
    /// Bytes without meaning, a fixed number of them.
    Raw,
    /// Bytes padded with zeros.
    Padded,
    /// Text of a fixed number of code points.
    Utf32,
    /// Text of any length.
    Text,
    /// Bytes of any length.
    Bytes,
    /// Fields side by side.
    Struct,
    /// Values some of which are none.
    Optional,
    /// An array in each element.
    Items,
    /// Anything else: a data type from outside, objects.
    Other,
}

impl Sort {
    /// The sort of `data_type`.
    pub(super) fn of(data_type: &dyn DataType) -> Self {
        let fixed = matches!(data_type.item_size(), ItemSize::Fixed(_));
        let plain = data_type.to_v3().is_ok();
        match data_type.default_scalar() {
            _ if data_type.inner().is_some() => Self::Optional,
            Scalar::List(_) => Self::Items,
            Scalar::Bool(_) => Self::Bool,
            Scalar::Int(_) | Scalar::Uint(_) => Self::Integer,
            Scalar::Float(_) => Self::Float,
            Scalar::Complex(..) => Self::Complex,
            Scalar::Time(time) if time.since_epoch => Self::DateTime,
            Scalar::Time(_) => Self::TimeDelta,
            Scalar::Bytes(_) if fixed => Self::Raw,
            Scalar::Bytes(_) if plain => Self::Bytes,
            Scalar::NullTerminated(_) => Self::Padded,
            Scalar::Utf32(_) => Self::Utf32,
            Scalar::Text(_) if plain => Self::Text,
            Scalar::Struct(_) => Self::Struct,
            _ => Self::Other,
        }
    }
}

/// The reason why V2 and V3 write this data type as they do.
pub(super) fn name(sort: Sort, has_v2: bool) -> String {
    if !has_v2 {
        return "V2 has no dtype for this: it uses NumPy type strings, and NumPy has none. A V3 name defines the \
                values, not their byte order."
            .into();
    }
    let more = match sort {
        Sort::Bool => "The | means that a single byte has no byte order.",
        Sort::Integer | Sort::Float => "The number counts bytes in V2 and bits in V3.",
        Sort::Complex => "The number counts bytes in V2 and bits in V3, for both parts together.",
        Sort::DateTime | Sort::TimeDelta => {
            "V2 puts the unit in brackets; V3 has it in the configuration: one count is scale_factor units."
        }
        Sort::Raw => {
            "The number counts bytes in V2 (V4) and bits in V3 (r32), whatever the bytes mean."
        }
        Sort::Padded => "The V2 size counts bytes; shorter values are padded with zero bytes.",
        Sort::Utf32 => {
            "V2 counts code points (U4), V3 bytes (length_bytes 16): in UTF-32 a code point has 4 bytes."
        }
        Sort::Text | Sort::Bytes | Sort::Optional | Sort::Items | Sort::Other => {
            "|O means Python objects; the object codec, one of the filters, defines their type."
        }
        Sort::Struct => {
            "V2 lists [name, dtype] pairs, each with its own byte order; V3 lists objects with name and data_type, with \
             one byte order for all in the `bytes` codec; fields are stored without gaps."
        }
    };
    format!(
        "V2 uses NumPy type strings (byte order, kind, size). A V3 name defines the values, not their byte order. \
         {more}"
    )
}

/// The byte that comes first, and the part of the metadata that declares it.
pub(super) fn byte_order(sort: Sort, has_order: bool, has_v2: bool) -> String {
    let rule = "Little-endian stores the least significant byte first, big-endian the most significant. V2 declares \
                it in the dtype (< or >), V3 in the `bytes` codec (endian).";
    match (sort, has_order) {
        (Sort::Raw, _) => "Raw bytes are never swapped. V2 writes |; in V3 endian has no effect."
            .into(),
        (Sort::Other, false) => {
            "Objects have no byte order: the codec writes them as text, or in a form of its own.".into()
        }
        (Sort::Items, _) => {
            "The items have the byte order of the codec's dtype; each array's 4-byte length is little-endian.".into()
        }
        (Sort::Optional, _) => {
            "A value has the byte order of its data type, which the data_codecs declare. A missing value has no bytes.".into()
        }
        (Sort::Text | Sort::Bytes, false) => {
            "Variable-length elements have no byte order: their codec writes each length, always little-endian, \
             followed by the bytes unchanged."
                .into()
        }
        (Sort::Padded, _) | (_, false) => without_order(sort, has_v2).into(),
        (Sort::Complex, true) => {
            format!("{rule} Each part of a complex number is byte-swapped on its own; the real part stays first.")
        }
        (Sort::Utf32, true) => {
            format!("{rule} The 4 bytes of each code point are byte-swapped; the order of the code points stays.")
        }
        (Sort::Struct, true) => {
            format!("{rule} Each field is byte-swapped on its own; V2 can give every field its own byte order, V3 \
                     cannot.")
        }
        _ => rule.into(),
    }
}

/// The reason why elements of single bytes have no byte order.
fn without_order(sort: Sort, has_v2: bool) -> &'static str {
    match sort {
        Sort::Padded => "Byte strings are never swapped. V2 writes |; in V3 endian has no effect.",
        Sort::Complex => {
            "Each part is a single byte, which has no byte order: in V3 the `bytes` codec needs no endian."
        }
        Sort::Struct => {
            "No field has a byte order: V2 writes | for each; in V3 the `bytes` codec needs no endian."
        }
        _ if has_v2 => {
            "A single byte has no byte order. V2 writes |; in V3 the `bytes` codec needs no endian."
        }
        _ => "A single byte has no byte order: in V3 the `bytes` codec needs no endian.",
    }
}

/// The description of one element.
pub(super) fn element(sort: Sort, sub_byte: bool, powers_of_two: bool) -> String {
    match sort {
        Sort::Bool => "One byte: 00 is false, 01 is true. Any other byte is undefined; NumPy 2.5.5 shows it as true.",
        Sort::Integer if sub_byte => {
            "A whole byte of which only the low bits are used; readers ignore the others. The codec packbits can \
             store several in one byte."
        }
        Sort::Integer => {
            "A binary integer. Signed integers use two's complement: the highest bit counts negative."
        }
        Sort::Float if powers_of_two => {
            "An exponent only: 2^(exponent − bias). It serves as the scale of a block of other numbers."
        }
        Sort::Float if sub_byte => {
            "A whole byte of which only the low bits are used: sign, exponent, mantissa. The value is (−1)^sign × \
             1.mantissa × 2^(exponent − bias); if all exponent bits are 0, it is (−1)^sign × 0.mantissa × 2^(1 − \
             bias)."
        }
        Sort::Float => {
            "Sign, exponent, mantissa. The value is (−1)^sign × 1.mantissa × 2^(exponent − bias); if all exponent \
             bits are 0, it is (−1)^sign × 0.mantissa × 2^(1 − bias)."
        }
        Sort::Complex => "Two floats: the real part, then the imaginary part.",
        Sort::DateTime => {
            "A signed 64-bit count since the start of 1970, without time zones or leap seconds. The smallest count \
             is reserved for NaT (\"not a time\")."
        }
        Sort::TimeDelta => {
            "A signed 64-bit count of the unit: a span, not a point in time. The smallest count is reserved for NaT \
             (\"not a time\")."
        }
        Sort::Raw => "A fixed number of uninterpreted bytes; NumPy calls them void.",
        Sort::Padded => {
            "Bytes, usually ASCII text, padded with zero bytes. Zero bytes at the end are padding, so a value cannot \
             end in one."
        }
        Sort::Utf32 => {
            "Text in UTF-32: 4 bytes per code point, padded with zeros. An accent can be a code point of its own, so \
             a letter can take two."
        }
        Sort::Text => {
            "UTF-8 text of any length. A decoded chunk holds the element count, then each element as a 4-byte length \
             followed by its text."
        }
        Sort::Bytes => {
            "Bytes of any length. A decoded chunk holds the element count, then each element as a 4-byte length \
             followed by its bytes."
        }
        Sort::Struct => {
            "The fields in order, without gaps, each stored like an element of its own data type."
        }
        Sort::Optional => "A value or none. The codec writes a mask, then the values that there are.",
        Sort::Items => {
            "An array of any length. A decoded chunk holds the element count, then each element as a 4-byte length \
             followed by its items."
        }
        Sort::Other => "Whatever the object codec decodes.",
    }
    .into()
}
