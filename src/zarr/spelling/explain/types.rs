//! The lessons on the data type itself: its name, its byte order, what an element is.

use crate::zarr::{
    data_type::{DataType, ItemSize},
    scalar::Scalar,
};

/// What sort of values a data type has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
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
    /// Anything else: a data type from outside, an array in each element, objects.
    Other,
}

impl Sort {
    /// The sort of `data_type`.
    pub(super) fn of(data_type: &dyn DataType) -> Self {
        let fixed = matches!(data_type.item_size(), ItemSize::Fixed(_));
        let plain = data_type.to_v3().is_ok();
        match data_type.default_scalar() {
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

/// Why V2 and V3 write this data type as they do.
pub(super) fn name(sort: Sort, has_v2: bool) -> String {
    if !has_v2 {
        return "V3 has names of its own, which say what the values are and nothing about how their bytes lie. V2 borrows \
                the type strings of NumPy, and NumPy has none for this."
            .into();
    }
    let more = match sort {
        Sort::Bool => "The one byte of a boolean needs no order, hence the |.",
        Sort::Integer | Sort::Float => {
            "The V2 size counts bytes, the number in the V3 name counts bits."
        }
        Sort::Complex => {
            "The V2 size counts bytes and the V3 name bits, both for the two parts together."
        }
        Sort::DateTime | Sort::TimeDelta => {
            "V2 puts the unit into brackets; V3 gives it as configuration: unit, and as scale_factor how many units one \
             count is."
        }
        Sort::Raw => "V2 counts bytes (V4), V3 bits (r32); what they mean neither says.",
        Sort::Padded => "The V2 size counts bytes; shorter texts are filled up with zero bytes.",
        Sort::Utf32 => {
            "V2 counts code points (U4), V3 counts bytes (length_bytes 16): a code point takes 4 bytes in UTF-32."
        }
        Sort::Text | Sort::Bytes | Sort::Other => {
            "|O only says that elements are Python objects; of which kind, the object codec says, one of the filters."
        }
        Sort::Struct => {
            "V2 lists pairs of name and dtype, each with a byte order of its own; V3 lists objects of name and data_type, \
             with one byte order for all, in the codec; fields follow one another without gaps."
        }
    };
    format!(
        "V2 borrows the type strings of NumPy (byte order, kind, size); V3 has names of its own, which say what the values \
         are and nothing about how their bytes lie. {more}"
    )
}

/// Which byte comes first, and who says so.
pub(super) fn byte_order(sort: Sort, has_order: bool) -> String {
    let rule = "Little-endian puts the least significant byte first, big-endian the most significant one, as one writes \
                numbers. V2 says which in the dtype (< or >), V3 in the \"bytes\" codec (endian).";
    let none = "Single bytes have no order. V2 writes | where a sign must stand; in V3 the \"bytes\" codec needs no \
                endian here.";
    match (sort, has_order) {
        (Sort::Raw, _) => "Raw bytes are never swapped: they are in a chunk as they are in the value. V2 writes | for \
                           that, and in V3 endian changes nothing."
            .into(),
        (Sort::Text | Sort::Bytes | Sort::Other, false) => {
            "Elements of any length have no byte order: their codec writes how long each one is, always little-endian, \
             and then its bytes as they are."
                .into()
        }
        (_, false) => none.into(),
        (Sort::Complex, true) => {
            format!("{rule} Of a complex number each part is turned round by itself; the real part stays in front.")
        }
        (Sort::Utf32, true) => {
            format!("{rule} The 4 bytes of each code point are turned round by themselves; the text is not.")
        }
        (Sort::Struct, true) => {
            format!("{rule} Each field is turned round by itself; V2 can give every field its own order, V3 cannot.")
        }
        _ => rule.into(),
    }
}

/// What one element is.
#[expect(clippy::too_many_lines, reason = "a table: a sentence or two for every sort")]
pub(super) fn element(sort: Sort, sub_byte: bool, powers_of_two: bool) -> String {
    match sort {
        Sort::Bool => "One byte: 00 is false, 01 is true. Any other byte has no meaning; NumPy shows it as true.",
        Sort::Integer if sub_byte => {
            "Takes a whole byte, of which only the low bits count; readers ignore the others. The codec packbits can \
             put several into one byte."
        }
        Sort::Integer => {
            "A whole number in binary. Signed ones are in two's complement: the topmost bit counts negative."
        }
        Sort::Float if powers_of_two => {
            "An exponent and nothing else: 2^(exponent − bias). It is meant as the scale of a block of other numbers."
        }
        Sort::Float if sub_byte => {
            "Takes a whole byte, of which only the low bits count: sign, exponent, mantissa. The value is \
             (−1)^sign × 1.mantissa × 2^(exponent − bias); where all exponent bits are 0, it is \
             (−1)^sign × 0.mantissa × 2^(1 − bias)."
        }
        Sort::Float => {
            "Sign, exponent, mantissa. The value is (−1)^sign × 1.mantissa × 2^(exponent − bias); where all exponent \
             bits are 0, it is (−1)^sign × 0.mantissa × 2^(1 − bias)."
        }
        Sort::Complex => "Two floats side by side: the real part first, then the imaginary one.",
        Sort::DateTime => {
            "A signed 64-bit count since the start of 1970, without time zones and leap seconds. The smallest count \
             stands for NaT, not a time."
        }
        Sort::TimeDelta => {
            "A signed 64-bit count of the unit: a span, not a point in time. The smallest count stands for NaT, not a \
             time."
        }
        Sort::Raw => "So many bytes, whatever they mean. NumPy shows them as void.",
        Sort::Padded => {
            "Bytes, mostly text in ASCII, filled up with zero bytes. Zero bytes at the end are padding and not part of \
             the value, so a value cannot end in one."
        }
        Sort::Utf32 => {
            "Text in UTF-32: 4 bytes for each code point, zeros behind the last one. Accents may be code points of \
             their own, so a letter can take two."
        }
        Sort::Text => {
            "Text in UTF-8, of any length. In a decoded chunk stand how many elements there are, and then each one's \
             length in 4 bytes and its text."
        }
        Sort::Bytes => {
            "Bytes of any length. In a decoded chunk stand how many elements there are, and then each one's length in 4 \
             bytes and the bytes."
        }
        Sort::Struct => {
            "Its fields one after the other, in their order and without gaps. Each is read as an element of its own \
             data type would be."
        }
        Sort::Other => "What the object codec makes of the bytes.",
    }
    .into()
}
