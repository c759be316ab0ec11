//! Raw bytes of a fixed length: V2 `"|V4"`, V3 `"r32"`.
//!
//! The core text names the V3 type by its *bits* and gives its fill value as an array of N integers where N is that
//! number of bits; everybody reads one integer a *byte* (zarr-extensions issue 61). zarr-python does not know `r32` and
//! writes `raw_bytes` with `length_bytes` instead, whose fill value is base64: it alone defines that name,
//! so what it makes of a fill value (too short is padded, too long is cut, strange characters are skipped) is what the
//! fill value is.

use super::prelude::*;
use super::{base64, bytes, padded::MAX_HELD};
use crate::zarr::error::Result;

/// Raw bytes of one length.
#[derive(Debug, Clone, Copy)]
pub struct Raw {
    size: usize,
    /// True if V3 spelled it `raw_bytes`, whose fill values are base64.
    raw_bytes: bool,
}

impl Raw {
    /// Elements of `size` bytes, at least 1.
    pub fn new(size: usize) -> Self {
        Self { size, raw_bytes: false }
    }

    fn padded(self, mut bytes: Vec<u8>) -> Scalar {
        if self.size <= MAX_HELD {
            bytes.resize(self.size, 0);
        }
        Scalar::Bytes(bytes.into())
    }

    /// zarr-python's reading of a `raw_bytes` fill value.
    fn lenient(self, json: &Json) -> Result<Flagged<Scalar>> {
        let strict = base64::decode(json).is_ok_and(|bytes| bytes.len() == self.size);
        let mut bytes = base64::as_python(json)?;
        bytes.truncate(self.size);
        let value = self.padded(bytes);
        if strict {
            return Ok(Flagged::plain(value));
        }
        let expected = format!("base64 of {}", byte_count(self.size));
        let mut note = fill::forbidden(&json.describe(), &expected);
        let fitted = ", padded with zeros or truncated";
        note.text = note.text.replace("; zarrs 0.23.14 refuses it", fitted);
        Ok(Flagged::noted(value, note))
    }

    fn exact_base64(self, json: &Json) -> Result<Flagged<Scalar>> {
        let bytes = base64::decode(json)?;
        if bytes.len() == self.size {
            return Ok(Flagged::plain(Scalar::Bytes(bytes.into())));
        }
        let found = format!("base64 of {}", byte_count(bytes.len()));
        Err(Error::new(
            Code::FillValueLength,
            found,
            format!("base64 of exactly {}", byte_count(self.size)),
        ))
    }

    fn integers(self, json: &Json) -> Result<Flagged<Scalar>> {
        let bytes = bytes::integers(json)?;
        if bytes.len() != self.size {
            let found = format!("an array of {} integers", bytes.len());
            let expected = format!("an array of {} integers, one per byte", self.size);
            return Err(Error::new(Code::FillValueLength, found, expected));
        }
        let text = format!(
            "The specification requires as many integers as r{} has bits; readers expect one per byte, {} here.",
            self.size * 8,
            self.size
        );
        Ok(Flagged::noted(Scalar::Bytes(bytes.into()), Note::new(Code::RawFillLength, text)))
    }
}

/// The V3 form with zarr-python's name for raw bytes, for structs that nobody but zarr-python can read anyway.
pub fn zarr_python_form(form: Json) -> Json {
    match form.as_str().and_then(RawFamily::bits) {
        Some(Ok(size)) => written("raw_bytes", object! {"length_bytes": size}),
        _ => form,
    }
}

impl DataType for Raw {
    fn name(&self) -> String {
        format!("r{}", self.size * 8)
    }

    fn kind(&self) -> &'static str {
        "RawBytes"
    }

    fn item_size(&self) -> ItemSize {
        ItemSize::Fixed(self.size)
    }

    fn description(&self) -> String {
        format!("{}, raw: {} uninterpreted bits", byte_count(self.size), self.size * 8)
    }

    fn to_v2(&self, _: &ByteOrder) -> Result<V2Form, Note> {
        Ok(V2Form::plain(format!("|V{}", self.size)))
    }

    fn to_v3(&self) -> Result<Json, Note> {
        Ok(self.name().into())
    }

    fn notes(&self) -> Vec<Note> {
        let text = if self.raw_bytes {
            "zarr-python 3.4.2 cannot read the registered name. zarrs 0.23.14 refuses raw_bytes. TensorStore 0.1.86 \
             reads both and requires a base64 fill value."
        } else {
            "zarr-python 3.4.2 cannot read this name: it writes raw_bytes with length_bytes, which is not registered \
             and which zarrs 0.23.14 refuses. TensorStore 0.1.86 reads both and requires a base64 fill value."
        };
        vec![Note::new(Code::ZarrPythonName, text)]
    }

    fn default_scalar(&self) -> Scalar {
        self.padded(Vec::new())
    }

    fn fill_from_json(
        &self,
        json: &Json,
        format: Format,
        _: &ByteOrder,
    ) -> Result<Flagged<Scalar>> {
        match (format, self.raw_bytes) {
            (Format::V2, _) => self.exact_base64(json),
            (Format::V3, true) => self.lenient(json),
            (Format::V3, false) => self.integers(json),
        }
    }

    fn fill_to_json(&self, scalar: &Scalar, format: Format, _: &ByteOrder) -> Result<Json, Note> {
        let Scalar::Bytes(held) = scalar else { return Err(notes::foreign(&self.name(), scalar)) };
        let is_spelled = format == Format::V3 && !self.raw_bytes;
        bytes::spellable(if is_spelled { self.size } else { 0 })?;
        let bytes = bytes::filled(held, self.size).map_err(|error| bytes::too_long(&error))?;
        Ok(if is_spelled { Json::from(bytes) } else { base64::encode(&bytes).into() })
    }

    fn cast(&self, plain: &Plain) -> Result<Scalar> {
        match plain {
            Plain::Bytes(bytes) if bytes.len() == self.size => {
                Ok(Scalar::Bytes(bytes.as_slice().into()))
            }
            other => Err(other.refused(&format!("{} bytes", self.size))),
        }
    }

    fn decode(&self, bytes: &[u8], _: &ByteOrder) -> Result<Scalar> {
        element::expect_size(bytes, self.size)?;
        Ok(Scalar::Bytes(bytes.into()))
    }

    fn encode(&self, scalar: &Scalar, order: &ByteOrder) -> Result<Vec<u8>> {
        self.encode_padded(scalar, order)?.whole()
    }

    fn encode_padded(&self, scalar: &Scalar, _: &ByteOrder) -> Result<PaddedBytes> {
        match scalar {
            Scalar::Bytes(bytes) => PaddedBytes::new(bytes.to_vec(), self.size),
            other => Err(element::foreign(&self.name(), other)),
        }
    }

    fn anatomy(&self, scalar: &Scalar, _: &ByteOrder) -> Vec<AnatomyRow> {
        let Scalar::Bytes(held) = scalar else { return Vec::new() };
        let rows = held.chunks(16).take(8).enumerate().map(|(at, part)| {
            let start = at * 16;
            let row = AnatomyRow::new(format!("bytes {start}…"), hex(part, " "));
            AnatomyRow { bytes: Some(start..start + part.len()), ..row }
        });
        rows.collect()
    }
}

/// Recognises raw bytes.
#[derive(Debug)]
pub struct RawFamily;

impl RawFamily {
    /// The item size that `r<bits>` names: `None` where it is no such name at all.
    fn bits(name: &str) -> Option<Result<usize>> {
        let digits = name.strip_prefix('r')?;
        let plain = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        if !plain || (digits.starts_with('0') && digits != "0") {
            return None;
        }
        let size = digits.parse::<usize>().ok().filter(|bits| bits % 8 == 0).map(|bits| bits / 8);
        Some(size.filter(|size| (1..=MAX_ITEM_SIZE).contains(size)).ok_or_else(|| {
            let expected = "r followed by a number of bits: a multiple of 8 from 8 to 17179869176";
            Error::new(Code::DtypeSize, quoted(name), expected)
        }))
    }
}

impl Family for RawFamily {
    fn name(&self) -> &'static str {
        "RawBytes"
    }

    fn from_v2(&self, dtype: &Json, _: Option<&str>, _: &Scope) -> Option<Result<Resolved>> {
        let text = TypeStr::split(dtype.as_str()?).filter(|text| text.kind == 'V')?;
        Some(text.length(1).map(|(size, note)| {
            Resolved::of(Raw::new(size)).noted(note).noted(text.needless_order())
        }))
    }

    fn from_v3(&self, data_type: &Json, _: &Scope) -> Option<Result<Resolved>> {
        let name = name_of(data_type)?;
        if name == "raw_bytes" {
            return Some(bytes::length_bytes(data_type, true).map(|size| {
                let raw = Raw { size, raw_bytes: true };
                Resolved::of(raw).noted(Some(bytes::unregistered(name, "r<bits>")))
            }));
        }
        Some(Self::bits(name)?.and_then(|size| {
            let extension = Extension::read(data_type)?;
            extension.without_parameters()?;
            Ok(Resolved::of(Raw::new(size)).noted(extension.core_note(name)))
        }))
    }

    fn from_numpy(&self, name: &str, _: &Scope) -> Option<Result<Resolved>> {
        let size = super::numpy::sized(name, 'V')?;
        Some(size.map(|size| Resolved::of(Raw::new(size))))
    }

    fn examples(&self) -> Vec<Arc<dyn DataType>> {
        vec![Arc::new(Raw::new(4))]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_are_whole_bytes() {
        let size = |name| RawFamily::bits(name).and_then(Result::ok);
        assert_eq!((size("r8"), size("r4294967296")), (Some(1), Some(536_870_912)));
        for refused in ["r0", "r4", "r12", "r99999999999999999999"] {
            assert!(RawFamily::bits(refused).is_some_and(|size| size.is_err()), "{refused}");
        }
        for other in ["r", "r08", "r-8", "r8 ", "r٨", "raw"] {
            assert!(RawFamily::bits(other).is_none(), "{other}");
        }
    }
}
