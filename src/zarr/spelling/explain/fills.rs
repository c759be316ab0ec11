//! The lessons on the value that stands where nothing was written.

use super::types::Sort;
use crate::zarr::{
    data_type::DataType,
    scalar::{Scalar, Specials},
};

/// The JSON form of the fill value.
pub(super) fn json(sort: Sort, data_type: &dyn DataType) -> String {
    let rule = match data_type.default_scalar() {
        Scalar::Float(value) => float(value.format.specials),
        _ => form(sort),
    };
    format!(
        "{rule} Both formats require a fill value; in V2 it may be null, which leaves never-written cells undefined."
    )
}

/// The JSON form of a float, by what it has besides numbers.
fn float(specials: Specials) -> &'static str {
    match specials {
        Specials::Ieee => {
            "A JSON number, or \"NaN\", \"Infinity\" or \"-Infinity\", which JSON cannot write as numbers. V3 also \
             allows the bits in hexadecimal behind \"0x\", most significant byte first: the only way to write a specific NaN."
        }
        Specials::None => {
            "A JSON number: this type has no NaN and no infinity. V3 also allows the bits in hexadecimal behind \"0x\"."
        }
        Specials::PowersOfTwo => {
            "A JSON number above 0, which is rounded to a power of two, or \"NaN\"; there is no infinity. V3 also \
             allows the bits in hexadecimal behind \"0x\"."
        }
        _ => {
            "A JSON number, or \"NaN\"; there is no infinity. V3 also allows the bits in hexadecimal behind \
             \"0x\", most significant byte first."
        }
    }
}

fn form(sort: Sort) -> &'static str {
    match sort {
        Sort::Bool => {
            "true or false. V3 allows nothing else; zarr-python 3.4.2 accepts anything with a truth value in Python."
        }
        Sort::Integer => {
            "A JSON number inside the range of the data type; in V3, without fraction or exponent."
        }
        Sort::Float => float(Specials::Ieee),
        Sort::Complex => {
            "A list of the real and the imaginary part, each written like the fill value of a float. V2 does not \
             define this; zarr-python 3.4.2 writes it in both formats."
        }
        Sort::DateTime | Sort::TimeDelta => {
            "The count as an integer, or \"NaT\" (\"not a time\"); a date string is not allowed. V2 does not define \
             this; readers use the same form in both formats."
        }
        Sort::Raw => {
            "V2 writes the bytes in base64, and so does zarr-python's V3 name raw_bytes. The registered names (r32) \
             have a list of numbers from 0 to 255, one per byte, which zarr-python 3.4.2 does not read."
        }
        Sort::Padded => {
            "The bytes in base64. zarr-python 3.4.2 leaves out the zeros at the end; TensorStore 0.1.86 requires \
             them. V3 has no registered type of this kind; zarr-python writes base64 there too."
        }
        Sort::Utf32 => {
            "A JSON string of at most as many code points as fit. V3 requires readers to refuse a longer one; \
             zarr-python 3.4.2 truncates it."
        }
        Sort::Text => {
            "A JSON string. zarr-python 2.18.7 wrote its default, 0, where no fill value was given; zarr-python 3.4.2 \
             reads that as \"0\"."
        }
        Sort::Bytes => {
            "The bytes in base64. V3 also allows a list of numbers from 0 to 255, which zarr-python 3.4.2 refuses."
        }
        Sort::Struct => {
            "V2 writes the bytes of a whole element in base64, each field in its own byte order. V3 writes an object \
             with the fill value of every field; under the legacy name structured, base64 as in V2."
        }
        Sort::Optional => "null for no value, or a list with the value.",
        Sort::Items | Sort::Other => {
            "The form that the data type defines. V2 has no rule for objects."
        }
    }
}

/// The meaning of the JSON.
pub(super) fn decoded(sort: Sort) -> String {
    match sort {
        Sort::Float | Sort::Complex => {
            "The value of the JSON, with its exact bits. A decimal number is rounded once, to the nearest value of \
             the data type, ties to even. Readers that round to a 64-bit float first can differ in the last bit."
        }
        Sort::DateTime => "The date: the count, in units since the start of 1970. No time zone, no leap seconds.",
        Sort::TimeDelta => "The time span: the count times the unit.",
        Sort::Utf32 | Sort::Padded => "The value of the JSON, without zero padding.",
        Sort::Struct => "The value of each field; in V2's base64, fields are found by offset and size.",
        Sort::Raw | Sort::Bytes => "The bytes that the base64 or the list of numbers encodes.",
        _ => "The value of the JSON.",
    }
    .into()
}

/// The bytes of the value in a chunk.
pub(super) fn bytes(sort: Sort) -> String {
    match sort {
        Sort::Optional => "The bytes of the value; a missing value has no bytes.",
        Sort::Other => "The bytes of the value as the codec writes it.",
        Sort::Text | Sort::Bytes | Sort::Items => {
            "The bytes of the value. In a decoded chunk they follow their length (4 bytes, little-endian)."
        }
        Sort::Float | Sort::Complex => {
            "The bytes of an element equal to the fill value in a decoded chunk. The hex form in JSON always starts \
             with the most significant byte, whatever the array's byte order."
        }
        _ => "The bytes of an element equal to the fill value in a decoded chunk.",
    }
    .into()
}

/// The value where no fill value is named.
pub(super) fn default(sort: Sort, known_to_zarr_python: bool, powers_of_two: bool) -> String {
    let which = match sort {
        _ if powers_of_two => "the smallest value, with all bits zero",
        Sort::Bool => "false",
        Sort::Integer | Sort::Float | Sort::Complex => "zero",
        Sort::DateTime | Sort::TimeDelta => "NaT (\"not a time\")",
        Sort::Raw => "zero bytes",
        Sort::Padded | Sort::Utf32 | Sort::Text => "the empty string",
        Sort::Bytes => "no bytes",
        Sort::Struct => "zero bytes in every field, so a time field is 0, not NaT",
        Sort::Optional | Sort::Items | Sort::Other => "an empty value",
    };
    if known_to_zarr_python {
        return format!(
            "The fill value zarr-python 3.4.2 uses when none is given: {which}. It also shows this value for V2 \
             null."
        );
    }
    format!("Natural default for this type: {which} (V3 requires a fill value).")
}
