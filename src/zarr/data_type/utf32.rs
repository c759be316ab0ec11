//! Text of a fixed length in UTF-32: V2 `"<U3"`, V3 `fixed_length_utf32`.
//!
//! V2 counts code points (its text says bytes, which is wrong: `<U3` is 12 bytes), V3 counts bytes in `length_bytes`.
//! Byte order applies to each code unit. Trailing zeros are padding. A unit that is no Unicode scalar value (a
//! surrogate, or past U+10FFFF) is kept and shown as such.

use super::bytes;
use super::prelude::*;
use crate::zarr::{error::Result, text};

/// The number of code units the anatomy lists.
const SHOWN: usize = 32;

/// Bytes of a code unit.
const UNIT: usize = 4;

/// UTF-32 text of one length.
#[derive(Debug, Clone, Copy)]
pub struct Utf32 {
    /// The number of code units an element has.
    units: usize,
}

impl Utf32 {
    /// Elements of `units` code units, at least 1.
    pub fn new(units: usize) -> Self {
        Self { units }
    }

    fn scalar(units: impl IntoIterator<Item = u32>) -> Scalar {
        let mut units: Vec<u32> = units.into_iter().collect();
        while units.last() == Some(&0) {
            units.pop();
        }
        Scalar::Utf32(units.into())
    }
}

impl DataType for Utf32 {
    fn name(&self) -> String {
        format!("fixed_length_utf32[{}]", self.units)
    }

    fn kind(&self) -> &'static str {
        "FixedLengthUTF32"
    }

    fn item_size(&self) -> ItemSize {
        ItemSize::Fixed(self.units * UNIT)
    }

    fn description(&self) -> String {
        let points = if self.units == 1 { "code point" } else { "code points" };
        format!("{} bytes, text of up to {} {points} in UTF-32", self.units * UNIT, self.units)
    }

    fn has_byte_order(&self) -> bool {
        true
    }

    fn to_v2(&self, order: &ByteOrder) -> Result<V2Form, Note> {
        Ok(V2Form::plain(format!("{}U{}", order.endian().sign(), self.units)))
    }

    fn to_v3(&self) -> Result<Json, Note> {
        Ok(written("fixed_length_utf32", object! {"length_bytes": self.units * UNIT}))
    }

    fn default_scalar(&self) -> Scalar {
        Scalar::Utf32([].into())
    }

    fn fill_from_json(
        &self,
        json: &Json,
        format: Format,
        _: &ByteOrder,
    ) -> Result<Flagged<Scalar>> {
        let Kind::String(string) = &json.kind else {
            return Err(Error::new(Code::FillValueType, json.describe(), "a string"));
        };
        if string.lone_surrogate {
            let expected = "Unicode text";
            return Err(Error::new(
                Code::FillValueType,
                "a string with a lone surrogate",
                expected,
            ));
        }
        let length = string.text.chars().count();
        let value = Self::scalar(string.text.chars().take(self.units).map(u32::from));
        if length <= self.units {
            return Ok(Flagged::plain(value));
        }
        let expected = format!("at most {}", self.units);
        if format == Format::V3 {
            let found = format!("a string of {length} code points");
            return Err(Error::new(Code::FillValueLength, found, expected));
        }
        let text = format!(
            "The string has {length} code points; the data type holds {}. NumPy and zarr-python 3.4.2 truncate it.",
            self.units
        );
        Ok(Flagged::noted(value, Note::new(Code::TextCut, text)))
    }

    fn fill_to_json(&self, scalar: &Scalar, _: Format, _: &ByteOrder) -> Result<Json, Note> {
        let Scalar::Utf32(units) = scalar else { return Err(notes::foreign(&self.name(), scalar)) };
        let text: Option<String> = units.iter().map(|&unit| char::from_u32(unit)).collect();
        text.map(Json::from).ok_or_else(|| {
            Note::new(
                Code::NotJson,
                format!(
                    "{scalar} holds code units that are not Unicode characters; JSON \
                                                 cannot represent them."
                ),
            )
        })
    }

    fn cast(&self, plain: &Plain) -> Result<Scalar> {
        match plain {
            Plain::Text(text) if text.chars().count() <= self.units => {
                Ok(Self::scalar(text.chars().map(u32::from)))
            }
            other => Err(other.refused(&format!("text of at most {} code points", self.units))),
        }
    }

    fn decode(&self, bytes: &[u8], order: &ByteOrder) -> Result<Scalar> {
        element::expect_size(bytes, self.units * UNIT)?;
        let unit: fn([u8; UNIT]) -> u32 = match order.endian() {
            Endian::Little => u32::from_le_bytes,
            Endian::Big => u32::from_be_bytes,
        };
        let (units, _) = bytes.as_chunks::<UNIT>();
        Ok(Self::scalar(units.iter().map(|&bytes| unit(bytes))))
    }

    fn encode(&self, scalar: &Scalar, order: &ByteOrder) -> Result<Vec<u8>> {
        self.encode_padded(scalar, order)?.whole()
    }

    fn encode_padded(&self, scalar: &Scalar, order: &ByteOrder) -> Result<PaddedBytes> {
        let Scalar::Utf32(units) = scalar else {
            return Err(element::foreign(&self.name(), scalar));
        };
        let bytes = units.iter().flat_map(|unit| match order.endian() {
            Endian::Little => unit.to_le_bytes(),
            Endian::Big => unit.to_be_bytes(),
        });
        PaddedBytes::new(bytes.collect(), self.units * UNIT)
    }

    fn anatomy(&self, scalar: &Scalar, _: &ByteOrder) -> Vec<AnatomyRow> {
        let Scalar::Utf32(units) = scalar else { return Vec::new() };
        let mut rows: Vec<_> = units
            .iter()
            .take(SHOWN)
            .enumerate()
            .map(|(at, &unit)| {
                let meaning = char::from_u32(unit).map_or_else(
                    || "not a Unicode character".into(),
                    |c| format!("{:?}", text::safe(c.encode_utf8(&mut [0; 4]))),
                );
                let row =
                    AnatomyRow::new(format!("code unit {at}"), format!("U+{unit:04X} {meaning}"));
                AnatomyRow { bytes: Some(at * UNIT..(at + 1) * UNIT), ..row }
            })
            .collect();
        let padding = self.units - units.len().min(self.units);
        let row = AnatomyRow::new("padding", format!("{padding} of {} code units", self.units));
        rows.push(AnatomyRow { bytes: Some(units.len() * UNIT..self.units * UNIT), ..row });
        rows
    }
}

/// Recognises UTF-32 text.
#[derive(Debug)]
pub struct Utf32Family;

impl Family for Utf32Family {
    fn name(&self) -> &'static str {
        "FixedLengthUTF32"
    }

    fn from_v2(&self, dtype: &Json, _: Option<&str>, _: &Scope) -> Option<Result<Resolved>> {
        let text = TypeStr::split(dtype.as_str()?).filter(|text| text.kind == 'U')?;
        Some(text.length(UNIT).and_then(|(units, note)| {
            let order = text.order()?;
            let data_type = Arc::new(Utf32::new(units));
            Ok(Resolved { data_type, order, notes: Vec::new() }.noted(note))
        }))
    }

    fn from_v3(&self, data_type: &Json, _: &Scope) -> Option<Result<Resolved>> {
        (name_of(data_type)? == "fixed_length_utf32").then(|| {
            let length = bytes::length_bytes(data_type, true)?;
            if length % UNIT != 0 || length > MAX_ITEM_SIZE {
                let expected = "a multiple of 4: a code unit has 4 bytes";
                let error = Error::new(Code::DataTypeConfiguration, length.to_string(), expected);
                return Err(error.at("length_bytes").at("configuration"));
            }
            let note = Extension::read(data_type)?.must_understand_note();
            Ok(Resolved::of(Utf32::new(length / UNIT)).noted(note))
        })
    }

    fn from_numpy(&self, name: &str, _: &Scope) -> Option<Result<Resolved>> {
        let units = super::numpy::sized(name, 'U')?;
        let (order, _) = super::numpy::order_and_code(name);
        Some(units.and_then(|units| {
            if units.saturating_mul(UNIT) > MAX_ITEM_SIZE {
                return Err(Error::new(
                    Code::DtypeSize,
                    name,
                    "an element of at most 2147483647 bytes",
                ));
            }
            Ok(Resolved { data_type: Arc::new(Utf32::new(units)), order, notes: Vec::new() })
        }))
    }

    fn examples(&self) -> Vec<Arc<dyn DataType>> {
        vec![Arc::new(Utf32::new(3))]
    }
}
