//! Null-terminated bytes of a fixed length, `|S`.

use super::length_bytes;
use crate::zarr::data_type::prelude::*;
use crate::zarr::{
    data_type::{base64, numpy},
    error::Result,
    words::grouped,
};

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
        format!("{}, a byte string padded with zeros", byte_count(self.size))
    }

    fn to_v2(&self, _: &ByteOrder) -> Result<V2Form, Note> {
        Ok(V2Form::plain(format!("|S{}", self.size)))
    }

    fn to_v3(&self) -> Result<Json, Note> {
        Ok(written("null_terminated_bytes", object! {"length_bytes": self.size}))
    }

    fn notes(&self) -> Vec<Note> {
        let text = "The V3 registry has no null-terminated bytes. zarr-python 3.4.2 writes null_terminated_bytes and \
                    warns that it has no V3 specification.";
        vec![Note::new(Code::UnregisteredName, text)]
    }

    fn default_scalar(&self) -> Scalar {
        Scalar::NullTerminated([].into())
    }

    fn fill_from_json(&self, json: &Json, _: Format, _: &ByteOrder) -> Result<Flagged<Scalar>> {
        let bytes = base64::decode(json)?;
        if bytes.len() > self.size {
            let found = format!("base64 of {}", byte_count(bytes.len()));
            let expected = format!("base64 of at most {}", byte_count(self.size));
            return Err(Error::new(Code::FillValueLength, found, expected));
        }
        Ok(Flagged::plain(Scalar::NullTerminated(trimmed(&bytes).into())))
    }

    fn fill_to_json(&self, scalar: &Scalar, _: Format, _: &ByteOrder) -> Result<Json, Note> {
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
            return Err(plain.refused(&format!("at most {}", byte_count(self.size))));
        }
        Ok(Scalar::NullTerminated(trimmed(bytes).into()))
    }

    fn decode(&self, bytes: &[u8], _: &ByteOrder) -> Result<Scalar> {
        element::expect_size(bytes, self.size)?;
        Ok(Scalar::NullTerminated(trimmed(bytes).into()))
    }

    fn encode(&self, scalar: &Scalar, order: &ByteOrder) -> Result<Vec<u8>> {
        self.encode_padded(scalar, order)?.whole()
    }

    fn encode_padded(&self, scalar: &Scalar, _: &ByteOrder) -> Result<PaddedBytes> {
        match scalar {
            Scalar::NullTerminated(bytes) => PaddedBytes::new(bytes.to_vec(), self.size),
            other => Err(element::foreign(&self.name(), other)),
        }
    }

    fn anatomy(&self, scalar: &Scalar, _: &ByteOrder) -> Vec<AnatomyRow> {
        let Scalar::NullTerminated(bytes) = scalar else { return Vec::new() };
        let shown = bytes.get(..64).unwrap_or(bytes);
        vec![
            AnatomyRow { bytes: Some(0..bytes.len()), ..AnatomyRow::new("bytes", hex(shown, " ")) },
            AnatomyRow {
                bytes: Some(bytes.len()..self.size),
                ..AnatomyRow::new(
                    "padding",
                    format!("{} of {}", byte_count(self.size - bytes.len()), grouped(self.size)),
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

    fn from_v2(&self, dtype: &Json, _: Option<&str>, _: &Scope) -> Option<Result<Resolved>> {
        let text = TypeStr::split(dtype.as_str()?).filter(|text| text.kind == 'S')?;
        Some(text.length(1).map(|(size, note)| {
            Resolved::of(NullTerminated::new(size)).noted(note).noted(text.needless_order())
        }))
    }

    fn from_v3(&self, data_type: &Json, _: &Scope) -> Option<Result<Resolved>> {
        let name = name_of(data_type).filter(|name| *name == "null_terminated_bytes")?;
        Some(length_bytes(data_type, false).map(|size| {
            let text = format!(
                "zarr-python 3.4.2 uses the name {name}. It is not registered, and no registered data type is \
                 equivalent."
            );
            let note = Note::new(Code::ZarrPythonName, text);
            Resolved::of(NullTerminated::new(size)).noted(Some(note))
        }))
    }

    fn from_numpy(&self, name: &str, _: &Scope) -> Option<Result<Resolved>> {
        let size = numpy::sized(name, 'S')?;
        Some(size.map(|size| Resolved::of(NullTerminated::new(size))))
    }

    fn examples(&self) -> Vec<Arc<dyn DataType>> {
        vec![Arc::new(NullTerminated::new(5))]
    }
}
