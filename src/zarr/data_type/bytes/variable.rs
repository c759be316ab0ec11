//! Bytes of variable length.

use super::{integers, unregistered};
use crate::zarr::{
    data_type::{
        AnatomyRow, ByteOrder, DataType, Family, ItemSize, Plain, Resolved, Scope, V2Form, base64,
        element,
        extension::{Extension, name_of},
        fill, notes, string,
    },
    error::{Code, Flagged, Note, Result},
    format::Format,
    json::{Json, quoted},
    scalar::Scalar,
    words::{byte_count, hex},
};
use std::sync::Arc;

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

    fn to_v2(&self, _: &ByteOrder) -> Result<V2Form, Note> {
        Ok(V2Form { dtype: "|O".into(), object_codec: Some("vlen-bytes".into()) })
    }

    fn to_v3(&self) -> Result<Json, Note> {
        Ok("bytes".into())
    }

    fn notes(&self) -> Vec<Note> {
        let text = "In V3 zarr-python 3.4.2 writes variable_length_bytes, which is not registered; it also reads \
                    bytes.";
        vec![Note::new(Code::ZarrPythonName, text)]
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
        if format == Format::V2 && json.as_number() == Some("0") {
            return Ok(Flagged::noted(Scalar::Bytes([].into()), fill::zero_for_none()));
        }
        if json.as_array().is_none() {
            return Ok(Flagged::plain(Scalar::Bytes(base64::decode(json)?.into())));
        }
        let bytes = integers(json)?;
        let place = match format {
            Format::V2 => "V2 does not define this form",
            Format::V3 => "The registered name is bytes",
        };
        let text = format!(
            "{place}; zarrs 0.23.14 writes an array of integers, which zarr-python 3.4.2 refuses. zarr-python writes \
             {}.",
            quoted(&base64::encode(&bytes))
        );
        Ok(Flagged::noted(Scalar::Bytes(bytes.into()), Note::new(Code::BytesAsIntegers, text)))
    }

    fn fill_to_json(&self, scalar: &Scalar, _: Format, _: &ByteOrder) -> Result<Json, Note> {
        match scalar {
            Scalar::Bytes(bytes) => Ok(base64::encode(bytes).into()),
            other => Err(notes::foreign("bytes", other)),
        }
    }

    fn numpy(&self, _: &ByteOrder) -> Option<Json> {
        Some(NUMPY.into())
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

    fn anatomy(&self, scalar: &Scalar, _: &ByteOrder) -> Vec<AnatomyRow> {
        let Scalar::Bytes(bytes) = scalar else { return Vec::new() };
        let shown = bytes.get(..64).unwrap_or(bytes);
        vec![
            AnatomyRow::new("length", byte_count(bytes.len())),
            AnatomyRow { bytes: Some(0..bytes.len()), ..AnatomyRow::new("bytes", hex(shown, " ")) },
        ]
    }
}

/// The NumPy dtype in which zarr-python holds bytes of variable length: Python objects.
const NUMPY: &str = "|O";

/// Recognises bytes of variable length.
#[derive(Debug)]
pub struct VariableBytesFamily;

impl Family for VariableBytesFamily {
    fn name(&self) -> &'static str {
        "VariableLengthBytes"
    }

    fn from_v2(&self, dtype: &Json, codec: Option<&str>, _: &Scope) -> Option<Result<Resolved>> {
        let mine = dtype.as_str() == Some("|O") && codec == Some("vlen-bytes");
        mine.then(|| Ok(Resolved::of(VariableBytes).noted(Some(string::object_note("vlen-bytes")))))
    }

    fn from_v3(&self, data_type: &Json, _: &Scope) -> Option<Result<Resolved>> {
        let name = name_of(data_type)?;
        let known = matches!(name, "bytes" | "variable_length_bytes");
        known.then(|| {
            Extension::read(data_type)?.without_parameters()?;
            let other = (name != "bytes").then(|| unregistered(name, "bytes"));
            Ok(Resolved::of(VariableBytes).noted(other))
        })
    }

    fn from_numpy(&self, name: &str, _: &Scope) -> Option<Result<Resolved>> {
        let text = "NumPy's objects may be anything; they are taken for bytes here. zarr-python 3.4.2 refuses \"|O\" as \
                    ambiguous.";
        let note = Note::new(Code::ObjectDtype, text);
        (name == NUMPY).then(|| Ok(Resolved::of(VariableBytes).noted(Some(note))))
    }

    fn examples(&self) -> Vec<Arc<dyn DataType>> {
        vec![Arc::new(VariableBytes)]
    }
}
