//! Bytes that are values of their own, and null-terminated ones of a fixed length (`|S`).
//!
//! `|S5` is five bytes, the trailing zeros of which are padding; V3 has no registered name for it, zarr-python writes
//! `null_terminated_bytes`. Fill values are base64.

use super::prelude::*;
use crate::zarr::error::Result;

mod null_terminated;

pub use null_terminated::{NullTerminated, NullTerminatedFamily};

/// The most bytes of a scalar that JSON spells one by one or field by field, which takes a hundred times as many.
pub const MAX_SPELLED: usize = 1 << 20;

/// The note that a scalar of `size` bytes cannot be spelled, if it is longer than [`MAX_SPELLED`].
///
/// # Errors
///
/// That note.
pub fn spellable(size: usize) -> Result<(), Note> {
    if size <= MAX_SPELLED {
        return Ok(());
    }
    let expected = format!("at most {MAX_SPELLED}");
    Err(too_long(&Error::new(Code::OtherDataType, format!("{size} bytes"), expected)))
}

/// `held` and as many zeros as are missing to `size` bytes.
///
/// # Errors
///
/// If `held` is longer, or so much shorter that the zeros are not worth their memory.
pub fn filled(held: &[u8], size: usize) -> Result<Vec<u8>> {
    PaddedBytes::new(held.to_vec(), size)?.whole()
}

/// The note for a value that is too long to be written.
pub fn too_long(error: &Error) -> Note {
    Note::new(Code::NotJson, format!("The value cannot be written: {error}."))
}

/// The note on a V3 name that is not registered.
pub fn unregistered(name: &str, registered: &str) -> Note {
    let text = format!(
        "zarr-python 3.4.2 uses the name {name}, which is not registered; the registered name is {registered}."
    );
    Note::new(Code::UnregisteredName, text)
}

/// Reads the one member `length_bytes`, an integer from 1 to 2³¹−1; further members only where zarr-python takes them.
///
/// # Errors
///
/// If it is missing, no such integer, or not alone.
pub fn length_bytes(data_type: &Json, alone: bool) -> Result<usize> {
    let extension = Extension::read(data_type)?;
    let json = if alone {
        let [json] = extension.exactly(["length_bytes"])?;
        json
    } else {
        extension.required("length_bytes")?
    };
    let length = json.as_u64().and_then(|length| usize::try_from(length).ok());
    length.filter(|length| (1..=MAX_ITEM_SIZE).contains(length)).ok_or_else(|| {
        let expected = format!("an integer from 1 to {MAX_ITEM_SIZE}");
        let error = Error::new(Code::DataTypeConfiguration, json.describe(), expected);
        error.at("length_bytes").at("configuration")
    })
}

/// An array of integers from 0 to 255 as bytes.
///
/// # Errors
///
/// If it is anything else.
pub fn integers(json: &Json) -> Result<Vec<u8>> {
    let expected = "an array of integers from 0 to 255";
    let items = json
        .as_array()
        .ok_or_else(|| Error::new(Code::FillValueType, json.describe(), expected))?;
    let byte = |(at, item): (usize, &Json)| {
        let byte = item.as_u64().and_then(|value| u8::try_from(value).ok());
        byte.ok_or_else(|| {
            let error =
                Error::new(Code::FillValueType, item.describe(), "an integer from 0 to 255");
            error.at(format!("[{at}]"))
        })
    };
    items.iter().enumerate().map(byte).collect()
}
