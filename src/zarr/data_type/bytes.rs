//! Bytes that are values of their own: null-terminated ones of a fixed length (`|S`), and of variable length.
//!
//! `|S5` is five bytes, the trailing zeros of which are padding; V3 has no registered name for it, zarr-python writes
//! `null_terminated_bytes`. Variable-length bytes are V2 `|O` with the object codec `vlen-bytes` and V3 `bytes`, which
//! zarr-python writes as `variable_length_bytes`. Fill values are base64; the registry's `bytes` may also be an array
//! of integers, which zarrs writes and zarr-python refuses.

use super::{
    AnatomyRow, ByteOrder, DataType, Family, ItemSize, Plain, Resolved, Scope, V2Form, base64,
    element,
    extension::{Extension, name_of},
    notes,
    typestr::{MAX_ITEM_SIZE, TypeStr},
};
use crate::zarr::{
    error::{Error, Flagged, Note, Result},
    json::{Json, quoted},
    metadata::Format,
    scalar::{Scalar, print},
};
use serde_json::{Value, json};
use std::sync::Arc;

/// A scalar holds at most this many bytes of padding. A dtype may claim elements of 2 GiB in twelve characters; no
/// default scalar or fill value takes that memory.
pub const MAX_HELD: usize = 16 << 20;

/// `held` and as many zeros as are missing to `size` bytes.
///
/// # Errors
///
/// Where `held` is longer, or so much shorter that the zeros are not worth their memory.
pub fn filled(held: &[u8], size: usize) -> Result<Vec<u8>> {
    if held.len() > size || (held.len() < size && size > MAX_HELD) {
        let expected = format!("{size} bytes, of which at most {MAX_HELD} are padding");
        return Err(Error::new("element-size", format!("{} bytes", held.len()), expected));
    }
    let mut out = held.to_vec();
    out.resize(size, 0);
    Ok(out)
}

/// The note for a value that is too long to be written.
#[must_use]
pub fn too_long(error: &Error) -> Note {
    Note::new("too-long", format!("The value cannot be written: {error}."))
}

/// `1 byte`, `5 bytes`.
#[must_use]
pub fn count(size: usize) -> String {
    if size == 1 { "1 byte".into() } else { format!("{size} bytes") }
}

/// The note on a V3 name that is not registered.
#[must_use]
pub fn unregistered(name: &str, registered: &str) -> Note {
    let text = format!(
        "{name} is a name of zarr-python that is not registered; the registry has {registered}."
    );
    Note::new("unregistered-name", text)
}

/// Reads the one member `length_bytes`, an integer from 1 to 2³¹−1; further members only where zarr-python takes them.
///
/// # Errors
///
/// Where it is missing, no such integer, or not alone.
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
        let error = Error::new("data-type-configuration", json.describe(), expected);
        error.at("length_bytes").at("configuration")
    })
}

/// An array of integers from 0 to 255 as bytes.
///
/// # Errors
///
/// Where it is anything else.
pub fn integers(json: &Json) -> Result<Vec<u8>> {
    let expected = "an array of integers from 0 to 255";
    let items =
        json.as_array().ok_or_else(|| Error::new("fill-value-type", json.describe(), expected))?;
    let byte = |(at, item): (usize, &Json)| {
        let byte = item.as_u64().and_then(|value| u8::try_from(value).ok());
        byte.ok_or_else(|| {
            let error = Error::new("fill-value-type", item.describe(), "an integer from 0 to 255");
            error.at(format!("[{at}]"))
        })
    };
    items.iter().enumerate().map(byte).collect()
}

fn trimmed(bytes: &[u8]) -> &[u8] {
    let end = bytes.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
    bytes.get(..end).unwrap_or(bytes)
}

/// Null-terminated bytes of one length.
#[derive(Debug, Clone, Copy)]
pub struct NullTerminated {
    size: usize,
}

impl NullTerminated {
    /// Elements of `size` bytes, at least 1.
    #[must_use]
    pub fn new(size: usize) -> Self {
        Self { size }
    }
}

impl DataType for NullTerminated {
    fn name(&self) -> String {
        format!("null_terminated_bytes[{}]", self.size)
    }

    fn kind(&self) -> &'static str {
        "NullTerminatedBytes"
    }

    fn item_size(&self) -> ItemSize {
        ItemSize::Fixed(self.size)
    }

    fn description(&self) -> String {
        format!("{}, a byte string padded with zeros", count(self.size))
    }

    fn has_byte_order(&self) -> bool {
        false
    }

    fn to_v2(&self, _: &ByteOrder) -> Result<V2Form, Note> {
        Ok(V2Form::plain(format!("|S{}", self.size)))
    }

    fn to_v3(&self) -> Result<Value, Note> {
        Ok(json!({"name": "null_terminated_bytes", "configuration": {"length_bytes": self.size}}))
    }

    fn notes(&self) -> Vec<Note> {
        let text = "The V3 registry has no null-terminated bytes. zarr-python writes null_terminated_bytes, and warns that no other reader knows it.";
        vec![Note::new("unregistered-name", text)]
    }

    fn default_scalar(&self) -> Scalar {
        Scalar::NullTerminated([].into())
    }

    fn fill_from_json(&self, json: &Json, _: Format, _: &ByteOrder) -> Result<Flagged<Scalar>> {
        let bytes = base64::decode(json)?;
        if bytes.len() > self.size {
            let found = format!("base64 of {}", count(bytes.len()));
            let expected = format!("base64 of at most {}", count(self.size));
            return Err(Error::new("fill-value-length", found, expected));
        }
        Ok(Flagged::plain(Scalar::NullTerminated(trimmed(&bytes).into())))
    }

    fn fill_to_json(&self, scalar: &Scalar, _: Format, _: &ByteOrder) -> Result<Value, Note> {
        match scalar {
            Scalar::NullTerminated(bytes) => Ok(base64::encode(bytes).into()),
            other => Err(notes::foreign(&self.name(), other)),
        }
    }

    fn cast(&self, plain: &Plain) -> Result<Scalar> {
        let bytes = match plain {
            Plain::Bytes(bytes) => bytes.as_slice(),
            Plain::Text(text) if text.is_ascii() => text.as_bytes(),
            other => return Err(other.refused("bytes, or ASCII text")),
        };
        if bytes.len() > self.size {
            return Err(plain.refused(&format!("at most {}", count(self.size))));
        }
        Ok(Scalar::NullTerminated(trimmed(bytes).into()))
    }

    fn decode(&self, bytes: &[u8], _: &ByteOrder) -> Result<Scalar> {
        element::expect_size(bytes, self.size)?;
        Ok(Scalar::NullTerminated(trimmed(bytes).into()))
    }

    fn encode(&self, scalar: &Scalar, _: &ByteOrder) -> Result<Vec<u8>> {
        match scalar {
            Scalar::NullTerminated(bytes) => filled(bytes, self.size),
            other => Err(element::foreign(&self.name(), other)),
        }
    }

    fn numpy(&self, _: &ByteOrder) -> Option<Value> {
        Some(format!("|S{}", self.size).into())
    }

    fn anatomy(&self, scalar: &Scalar, _: &ByteOrder) -> Vec<AnatomyRow> {
        let Scalar::NullTerminated(bytes) = scalar else { return Vec::new() };
        let shown = bytes.get(..64).unwrap_or(bytes);
        vec![
            AnatomyRow {
                bytes: Some(0..bytes.len()),
                ..AnatomyRow::new("bytes", print::hex(shown, " "))
            },
            AnatomyRow {
                bytes: Some(bytes.len()..self.size),
                ..AnatomyRow::new(
                    "padding",
                    format!("{} of {}", count(self.size - bytes.len()), self.size),
                )
            },
        ]
    }
}

/// Recognises null-terminated bytes.
#[derive(Debug)]
pub struct NullTerminatedFamily;

impl Family for NullTerminatedFamily {
    fn name(&self) -> &'static str {
        "NullTerminatedBytes"
    }

    fn from_v2(&self, dtype: &Json, _: Option<&str>, _: &Scope<'_>) -> Option<Result<Resolved>> {
        let text = TypeStr::split(dtype.as_str()?).filter(|text| text.kind == 'S')?;
        Some(text.length(1).map(|(size, note)| {
            Resolved::of(NullTerminated::new(size)).noted(note).noted(text.needless_order())
        }))
    }

    fn from_v3(&self, data_type: &Json, _: &Scope<'_>) -> Option<Result<Resolved>> {
        let name = name_of(data_type).filter(|name| *name == "null_terminated_bytes")?;
        Some(length_bytes(data_type, false).map(|size| {
            let note = unregistered(name, "nothing for null-terminated bytes");
            Resolved::of(NullTerminated::new(size)).noted(Some(note))
        }))
    }

    fn from_numpy(&self, name: &str, _: &Scope<'_>) -> Option<Result<Resolved>> {
        let size = super::numpy::sized(name, 'S', &["bytes"])
            .or_else(|| super::numpy::sized(name, 'a', &[]))?;
        Some(size.map(|size| Resolved::of(NullTerminated::new(size))))
    }

    fn examples(&self) -> Vec<Arc<dyn DataType>> {
        vec![Arc::new(NullTerminated::new(5))]
    }
}

/// Bytes of variable length.
#[derive(Debug, Clone, Copy)]
pub struct VariableBytes;

impl DataType for VariableBytes {
    fn name(&self) -> String {
        "bytes".into()
    }

    fn kind(&self) -> &'static str {
        "VariableLengthBytes"
    }

    fn item_size(&self) -> ItemSize {
        ItemSize::Variable
    }

    fn description(&self) -> String {
        "variable length, bytes".into()
    }

    fn has_byte_order(&self) -> bool {
        false
    }

    fn to_v2(&self, _: &ByteOrder) -> Result<V2Form, Note> {
        Ok(V2Form { dtype: "|O".into(), object_codec: Some("vlen-bytes".into()) })
    }

    fn to_v3(&self) -> Result<Value, Note> {
        Ok("bytes".into())
    }

    fn notes(&self) -> Vec<Note> {
        let text = "zarr-python writes variable_length_bytes in V3, which is not registered, and reads bytes as the same.";
        vec![Note::new("zarr-python-name", text)]
    }

    fn default_scalar(&self) -> Scalar {
        Scalar::Bytes([].into())
    }

    fn fill_from_json(
        &self,
        json: &Json,
        format: Format,
        _: &ByteOrder,
    ) -> Result<Flagged<Scalar>> {
        if json.as_array().is_none() {
            return Ok(Flagged::plain(Scalar::Bytes(base64::decode(json)?.into())));
        }
        let bytes = integers(json)?;
        let place = match format {
            Format::V2 => "V2 says nothing of this form",
            Format::V3 => "The registered name is bytes",
        };
        let text = format!(
            "{place}; an array of integers is what zarrs writes and what zarr-python refuses. zarr-python writes {}.",
            quoted(&base64::encode(&bytes))
        );
        Ok(Flagged::noted(Scalar::Bytes(bytes.into()), Note::new("bytes-as-integers", text)))
    }

    fn fill_to_json(&self, scalar: &Scalar, _: Format, _: &ByteOrder) -> Result<Value, Note> {
        match scalar {
            Scalar::Bytes(bytes) => Ok(base64::encode(bytes).into()),
            other => Err(notes::foreign("bytes", other)),
        }
    }

    fn cast(&self, plain: &Plain) -> Result<Scalar> {
        match plain {
            Plain::Bytes(bytes) => Ok(Scalar::Bytes(bytes.as_slice().into())),
            other => Err(other.refused("bytes")),
        }
    }

    fn decode(&self, bytes: &[u8], _: &ByteOrder) -> Result<Scalar> {
        Ok(Scalar::Bytes(bytes.into()))
    }

    fn encode(&self, scalar: &Scalar, _: &ByteOrder) -> Result<Vec<u8>> {
        match scalar {
            Scalar::Bytes(bytes) => Ok(bytes.to_vec()),
            other => Err(element::foreign("bytes", other)),
        }
    }

    fn numpy(&self, _: &ByteOrder) -> Option<Value> {
        None
    }

    fn anatomy(&self, scalar: &Scalar, _: &ByteOrder) -> Vec<AnatomyRow> {
        let Scalar::Bytes(bytes) = scalar else { return Vec::new() };
        let shown = bytes.get(..64).unwrap_or(bytes);
        vec![
            AnatomyRow::new("length", count(bytes.len())),
            AnatomyRow {
                bytes: Some(0..bytes.len()),
                ..AnatomyRow::new("bytes", print::hex(shown, " "))
            },
        ]
    }
}

/// Recognises bytes of variable length.
#[derive(Debug)]
pub struct VariableBytesFamily;

impl Family for VariableBytesFamily {
    fn name(&self) -> &'static str {
        "VariableLengthBytes"
    }

    fn from_v2(
        &self,
        dtype: &Json,
        codec: Option<&str>,
        _: &Scope<'_>,
    ) -> Option<Result<Resolved>> {
        let mine = dtype.as_str() == Some("|O") && codec == Some("vlen-bytes");
        mine.then(|| {
            Ok(Resolved::of(VariableBytes).noted(Some(super::string::object_note("vlen-bytes"))))
        })
    }

    fn from_v3(&self, data_type: &Json, _: &Scope<'_>) -> Option<Result<Resolved>> {
        let name = name_of(data_type)?;
        let known = matches!(name, "bytes" | "variable_length_bytes");
        known.then(|| {
            Extension::read(data_type)?.without_parameters()?;
            let other = (name != "bytes").then(|| unregistered(name, "bytes"));
            Ok(Resolved::of(VariableBytes).noted(other))
        })
    }

    fn examples(&self) -> Vec<Arc<dyn DataType>> {
        vec![Arc::new(VariableBytes)]
    }
}
