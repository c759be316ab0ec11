//! The lessons on the value that stands where nothing was written.

use super::types::Sort;

/// How the fill value is written in JSON.
pub(super) fn json(sort: Sort) -> String {
    let rule = form(sort);
    format!(
        "{rule} Both formats demand a fill value; V2 may say null: then cells never written are undefined."
    )
}

#[expect(clippy::too_many_lines, reason = "a table: a sentence or two for every sort")]
fn form(sort: Sort) -> &'static str {
    match sort {
        Sort::Bool => {
            "true or false. V3 takes nothing else; zarr-python 3.4.2 takes whatever Python calls true."
        }
        Sort::Integer => {
            "A JSON number inside the range of the data type. V3 wants it without fraction and exponent."
        }
        Sort::Float => {
            "A JSON number, or one of the words \"NaN\", \"Infinity\" and \"-Infinity\", for which JSON has no numbers. V3 \
             also takes \"0x…\", the bits with the most significant byte first: the only way to name a certain NaN."
        }
        Sort::Complex => {
            "A list of two: the real and the imaginary part, each written as the fill value of a float is. V2 does not \
             say so; zarr-python 3.4.2 writes it in both formats."
        }
        Sort::DateTime | Sort::TimeDelta => {
            "The count as an integer, or \"NaT\" for not a time; a date as text is not allowed. V2 does not say so; readers \
             take the same in both formats."
        }
        Sort::Raw => {
            "V2 has the bytes in base64, V3 a list of numbers from 0 to 255, one for each byte. zarr-python 3.4.2 knows \
             neither r32 nor the list."
        }
        Sort::Padded => {
            "The bytes in base64; zarr-python 3.4.2 leaves out the zeros at the end, TensorStore 0.1.86 wants them. V3 has no \
             registered type of this kind; zarr-python writes base64 there too."
        }
        Sort::Utf32 => {
            "A JSON string of at most as many code points as fit. A longer one must be refused in V3; zarr-python 3.4.2 cuts it."
        }
        Sort::Text => {
            "A JSON string. zarr-python 2 wrote 0 where it meant the empty text; zarr-python 3.4.2 reads that as \"0\"."
        }
        Sort::Bytes => {
            "The bytes in base64; V3 also takes a list of numbers from 0 to 255, which zarr-python 3.4.2 refuses."
        }
        Sort::Struct => {
            "V2 has the bytes of a whole element in base64, each field in its own byte order. V3 has an object with a \
             value for every field, written as that field's data type wants it; under the legacy name structured it is \
             base64 as in V2."
        }
        Sort::Other => "What the data type takes. V2 has no rule for objects.",
    }
}

/// What the JSON stands for.
pub(super) fn decoded(sort: Sort) -> String {
    match sort {
        Sort::Float | Sort::Complex => {
            "The value that the JSON stands for, with its exact bits. A decimal number is rounded once, to the nearest \
             that the data type has, ties to even. Readers that go through a 64-bit float round twice and can differ in \
             the last bit."
        }
        Sort::DateTime => "The count, in units since the start of 1970, as a date. No time zone, no leap seconds.",
        Sort::TimeDelta => "The count times the unit.",
        Sort::Utf32 | Sort::Padded => "The value that the JSON stands for, without the zeros that fill it up.",
        Sort::Struct => "The value of each field. From V2's base64 they are cut out by offset and size.",
        Sort::Raw | Sort::Bytes => "The bytes that the base64, or the list of numbers, stands for.",
        _ => "The value that the JSON stands for.",
    }
    .into()
}

/// How the value lies in a chunk.
pub(super) fn bytes(sort: Sort) -> String {
    match sort {
        Sort::Text | Sort::Bytes | Sort::Other => {
            "The bytes of the value. In a decoded chunk its length stands before it, in 4 bytes, little-endian."
        }
        Sort::Float | Sort::Complex => {
            "The bytes that an element equal to the fill value has in a decoded chunk. The hex form in JSON starts with \
             the most significant byte, whatever the array's byte order."
        }
        _ => "The bytes that an element equal to the fill value has in a decoded chunk.",
    }
    .into()
}

/// What stands where no fill value is named.
pub(super) fn default(sort: Sort, known_to_zarr_python: bool, powers_of_two: bool) -> String {
    let which = match sort {
        _ if powers_of_two => "the value whose bits are all zero, the smallest there is",
        Sort::Bool => "false",
        Sort::Integer | Sort::Float | Sort::Complex => "zero",
        Sort::DateTime | Sort::TimeDelta => "NaT, not a time",
        Sort::Raw => "zero bytes",
        Sort::Padded | Sort::Utf32 | Sort::Text => "the empty text",
        Sort::Bytes => "no bytes",
        Sort::Struct => "zero bytes in every field, so that a time in it is its zero and not NaT",
        Sort::Other => "an empty value",
    };
    if known_to_zarr_python {
        return format!(
            "What zarr-python 3.4.2 takes as the fill value if its user names none: {which}. It is also what zarr-python shows \
             for V2 null."
        );
    }
    format!("What stands where no fill value is named: {which}.")
}
