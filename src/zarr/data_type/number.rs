//! Numbers of a fixed size: `bool`, integers, floats and complex numbers, each a row of [`NUMBERS`].
//!
//! V2 writes `"|b1"`, `"<i2"`, `">c16"`, V3 the name, such as `"int16"`. What differs between them is in the arms of
//! this file; what JSON and Python write for a complex number is in `number/complex.rs`.
//!
//! A byte other than 0 and 1 is an undefined `bool` by both texts; NumPy shows true, and so do we, with the byte beside
//! it. In fill values zarr-python takes anything by Python's truthiness, which makes `"false"` true: only `true`,
//! `false` and, with a note, the numbers 0 and 1 (which old writers left) are read.
//!
//! V2 has no narrow integers (TensorStore writes their bare names there). Their upper bits mean nothing: they are dropped
//! on reading, and written as the sign. Of floats, whose formats are in [`crate::zarr::scalar::float`], V2 knows float16,
//! float32 and float64 only.

use super::prelude::*;
use super::{
    anatomy,
    fill::{Readers, python_float},
    numpy,
};

mod complex;
mod table;

pub use table::NUMBERS;

/// A data type of numbers: a row of the table.
#[derive(Debug, Clone, Copy)]
pub struct FixedNumber {
    name: &'static str,
    kind: &'static str,
    /// Its V2 form without the byte order character.
    v2: Option<&'static str>,
    native: Option<Native>,
    /// True if the name is one that zarr-python knows.
    core: bool,
    /// True if zarr-python reads it, with its liberties: not where V3 spells it as an object.
    lenient: bool,
    class: NumberClass,
}

/// The meaning of a number's bits.
#[derive(Debug, Clone, Copy)]
enum NumberClass {
    Bool,
    Signed(u32),
    Unsigned(u32),
    Float(&'static FloatFormat),
    Complex(&'static FloatFormat),
}

/// The meaning of the bits of one of the numbers that an element is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::zarr) enum NumberKind {
    Bool,
    /// A signed integer of so many bits.
    Int(u32),
    /// An unsigned integer of so many bits.
    Uint(u32),
    Float(&'static FloatFormat),
}

impl FixedNumber {
    /// The numbers that an element is: their kind, the bytes of each, and how many there are, 2 for complex types.
    pub(in crate::zarr) fn numbers(&self) -> (NumberKind, usize, usize) {
        let kind = match self.class {
            NumberClass::Bool => NumberKind::Bool,
            NumberClass::Signed(bits) => NumberKind::Int(bits),
            NumberClass::Unsigned(bits) => NumberKind::Uint(bits),
            NumberClass::Float(format) | NumberClass::Complex(format) => NumberKind::Float(format),
        };
        (kind, self.part_size(), self.size() / self.part_size())
    }

    /// The data type, for those who have it together with others.
    pub fn shared(self) -> Arc<dyn DataType> {
        Arc::new(self)
    }

    /// The number of bytes of what has a byte order of its own: half a complex number, else all of it.
    fn part_size(&self) -> usize {
        match self.class {
            NumberClass::Bool => 1,
            NumberClass::Signed(bits) | NumberClass::Unsigned(bits) => bits.div_ceil(8) as usize,
            NumberClass::Float(format) | NumberClass::Complex(format) => format.size,
        }
    }

    fn size(&self) -> usize {
        match self.class {
            NumberClass::Complex(part) => part.size * 2,
            _ => self.part_size(),
        }
    }

    /// The least and the greatest integer of so many bits.
    fn range(&self) -> (i128, i128) {
        match self.class {
            NumberClass::Signed(bits) => (-(1 << (bits - 1)), (1 << (bits - 1)) - 1),
            NumberClass::Unsigned(bits) => (0, (1 << bits) - 1),
            _ => (0, 1),
        }
    }

    fn integer(&self, value: i128) -> Scalar {
        match self.class {
            NumberClass::Signed(_) => Scalar::Int(i64::try_from(value).unwrap_or_default()),
            _ => Scalar::Uint(u64::try_from(value).unwrap_or_default()),
        }
    }

    fn readers(&self, lenient: Readers) -> Readers {
        if self.lenient { lenient } else { Readers::TextOnly }
    }

    /// The number with these bits. Bits of the byte that a narrow integer has no use for are ignored.
    fn value(&self, raw: u64) -> Scalar {
        match self.class {
            NumberClass::Bool => Scalar::Bool(raw.to_le_bytes()[0]),
            NumberClass::Signed(bits) => {
                Scalar::Int((raw << (64 - bits)).cast_signed() >> (64 - bits))
            }
            NumberClass::Unsigned(bits) => Scalar::Uint(raw << (64 - bits) >> (64 - bits)),
            NumberClass::Float(format) => Scalar::Float(Float::new(raw, format)),
            NumberClass::Complex(part) => {
                Scalar::Complex(Float::new(raw, part), Float::new(0, part))
            }
        }
    }

    /// The bits of a scalar of this type, and of an imaginary part; `None` for other scalars.
    fn raw(&self, scalar: &Scalar) -> Option<(u64, Option<u64>)> {
        match (self.class, scalar) {
            (NumberClass::Bool, Scalar::Bool(byte)) => Some(((*byte).into(), None)),
            (NumberClass::Signed(_), Scalar::Int(value)) => Some((value.cast_unsigned(), None)),
            (NumberClass::Unsigned(_), Scalar::Uint(value)) => Some((*value, None)),
            (NumberClass::Float(format), Scalar::Float(value)) if value.format == format => {
                Some((value.bits, None))
            }
            (NumberClass::Complex(part), Scalar::Complex(real, imaginary))
                if real.format == part && imaginary.format == part =>
            {
                Some((real.bits, Some(imaginary.bits)))
            }
            _ => None,
        }
    }

    fn integer_anatomy(&self, scalar: &Scalar, raw: u64, order: Endian) -> Vec<AnatomyRow> {
        let (NumberClass::Signed(bits) | NumberClass::Unsigned(bits)) = self.class else {
            return Vec::new();
        };
        let signed = matches!(self.class, NumberClass::Signed(_));
        let masked = raw & (u64::MAX >> (64 - bits));
        let digits = bits.div_ceil(4) as usize;
        let mut rows = vec![AnatomyRow::new("hexadecimal", format!("0x{masked:0digits$x}"))];
        if bits <= 32 {
            let groups = if signed { vec![1, bits - 1] } else { vec![bits] };
            rows.push(AnatomyRow::new("bits", element::bits(masked, &groups)));
        }
        if signed && raw >> 63 == 1 {
            let size = 1_u128 << bits;
            let meaning = format!("{masked} − {size} = {scalar} (two's complement)");
            rows.push(AnatomyRow::new("negative", meaning));
        }
        if self.size() > 1 {
            let bytes = element::bytes(raw, self.size(), order);
            let swapped = self.value(element::number(&bytes, order.other()));
            let label = format!("read as {}", order.other().word());
            rows.push(AnatomyRow::new(label, swapped.to_string()));
        }
        rows
    }

    fn bool_from_json(&self, json: &Json, format: Format) -> Result<Flagged<Scalar>> {
        if let Kind::Bool(value) = json.kind {
            return Ok(Flagged::plain(Scalar::Bool(value.into())));
        }
        let number =
            json.as_number().and_then(Decimal::parse).and_then(|decimal| decimal.to_integer());
        let byte = match number {
            Some(0) if self.lenient => 0,
            Some(1) if self.lenient => 1,
            _ => return Err(Error::new(Code::FillValueType, json.describe(), "true or false")),
        };
        let note = if format == Format::V2 {
            let text = "The V2 specification does not define boolean fill values. zarr-python 3.4.2 and zarrs \
                        0.23.14 read 0 and 1; TensorStore 0.1.86 reads only true and false.";
            Note::new(Code::V2Silent, text)
        } else {
            fill::forbidden(&json.describe(), "true or false")
        };
        Ok(Flagged::noted(Scalar::Bool(byte), note))
    }
}

/// The data type of differences of these numbers: with a sign, where they have none.
pub fn of_differences(data_type: &Arc<dyn DataType>) -> Arc<dyn DataType> {
    let name = data_type.name();
    let signed = NUMBERS.iter().find(|row| Some(row.name) == name.strip_prefix('u'));
    signed.map_or_else(|| data_type.clone(), |row| Arc::new(*row))
}

/// The number that `plain` is in `format`, rounded.
fn float(plain: &Plain, format: &'static FloatFormat) -> Result<Float> {
    let rounded = match plain {
        Plain::Int(value) => Float::from_integer(*value, format),
        Plain::Float(value) => Float::from_f64(*value, format),
        Plain::Text(text) => {
            return python_float(text, format).ok_or_else(|| plain.refused(format.name));
        }
        _ => return Err(plain.refused(format.name)),
    };
    rounded.map_err(|refusal| {
        plain.refused(&format!("a number of {}, which {}", format.name, refusal.words()))
    })
}

impl DataType for FixedNumber {
    fn name(&self) -> String {
        self.name.into()
    }

    fn kind(&self) -> &'static str {
        self.kind
    }

    fn item_size(&self) -> ItemSize {
        ItemSize::Fixed(self.size())
    }

    fn significant_bits(&self) -> Option<u32> {
        let bits = match self.class {
            NumberClass::Signed(bits) | NumberClass::Unsigned(bits) => bits,
            NumberClass::Float(format) => format.bits,
            NumberClass::Bool | NumberClass::Complex(_) => return None,
        };
        (bits < 8).then_some(bits)
    }

    fn description(&self) -> String {
        let (sign, bits) = match self.class {
            NumberClass::Bool => return "1 byte, boolean: 00 false, 01 true".into(),
            NumberClass::Signed(bits) => ("signed", bits),
            NumberClass::Unsigned(bits) => ("unsigned", bits),
            NumberClass::Float(format) => return format.description(),
            NumberClass::Complex(part) => {
                let (size, each) = (part.size * 2, part.description());
                return format!("{size} bytes: real, then imaginary part, each {each}");
            }
        };
        match self.size() {
            1 if bits < 8 => format!("1 byte, {sign} integer in the low {bits} bits"),
            1 => format!("1 byte, {sign} integer"),
            size => format!("{size} bytes, {sign} integer"),
        }
    }

    fn has_byte_order(&self) -> bool {
        self.part_size() > 1
    }

    fn to_v2(&self, order: &ByteOrder) -> Result<V2Form, Note> {
        let code = self.v2.ok_or_else(|| notes::no_v2(self.name))?;
        let sign = if self.has_byte_order() { order.endian().sign() } else { '|' };
        Ok(V2Form::plain(format!("{sign}{code}")))
    }

    fn to_v3(&self) -> Result<Json, Note> {
        Ok(self.name.into())
    }

    fn notes(&self) -> Vec<Note> {
        if self.core { Vec::new() } else { vec![notes::unknown_to_zarr_python(self.name)] }
    }

    fn default_scalar(&self) -> Scalar {
        self.value(0)
    }

    fn fill_from_json(
        &self,
        json: &Json,
        format: Format,
        _: &ByteOrder,
    ) -> Result<Flagged<Scalar>> {
        let readers = self.readers(Readers::ZarrPython);
        match self.class {
            NumberClass::Bool => self.bool_from_json(json, format),
            NumberClass::Signed(_) | NumberClass::Unsigned(_) => {
                let value = fill::integer(json, format, readers, self.range())?;
                Ok(value.map(|value| self.integer(value)))
            }
            NumberClass::Float(of) => {
                Ok(fill::float(json, format, readers, of)?.map(Scalar::Float))
            }
            NumberClass::Complex(part) => {
                complex::from_json(json, format, self.readers(Readers::ZarrPythonComponent), part)
            }
        }
    }

    fn fill_to_json(&self, scalar: &Scalar, format: Format, _: &ByteOrder) -> Result<Json, Note> {
        match (self.class, scalar) {
            (NumberClass::Bool, Scalar::Bool(byte @ 0..=1)) => Ok(Json::from(*byte == 1)),
            (NumberClass::Bool, other) => {
                let text = format!("JSON has only true and false; it cannot represent {other}.");
                Err(Note::new(Code::NotJson, text))
            }
            (NumberClass::Signed(_) | NumberClass::Unsigned(_), Scalar::Int(value)) => {
                Ok(Json::from(*value))
            }
            (NumberClass::Signed(_) | NumberClass::Unsigned(_), Scalar::Uint(value)) => {
                Ok(Json::from(*value))
            }
            (NumberClass::Float(_), Scalar::Float(value)) => fill::float_to_json(*value, format),
            (NumberClass::Complex(_), Scalar::Complex(real, imaginary))
                if self.raw(scalar).is_some() =>
            {
                let part = |value: &Float| fill::float_to_json(*value, format);
                Ok(Json::from([part(real)?, part(imaginary)?]))
            }
            (_, other) => Err(notes::foreign(self.name, other)),
        }
    }

    fn cast(&self, plain: &Plain) -> Result<Scalar> {
        match self.class {
            NumberClass::Bool => match plain {
                Plain::Bool(value) => Ok(Scalar::Bool((*value).into())),
                Plain::Int(value @ 0..=1) => Ok(Scalar::Bool(u8::from(*value == 1))),
                other => Err(other.refused(self.name)),
            },
            NumberClass::Signed(_) | NumberClass::Unsigned(_) => {
                let (least, most) = self.range();
                let typed = || plain.text().and_then(|text| text.parse().ok());
                match plain.whole().or_else(typed) {
                    Some(value) if (least..=most).contains(&value) => Ok(self.integer(value)),
                    Some(_) => Err(plain.refused(&format!("an integer from {least} to {most}"))),
                    None => Err(plain.refused(self.name)),
                }
            }
            NumberClass::Float(format) => float(plain, format).map(Scalar::Float),
            NumberClass::Complex(part) => complex::cast(plain, part),
        }
    }

    fn decode(&self, bytes: &[u8], order: &ByteOrder) -> Result<Scalar> {
        element::expect_size(bytes, self.size())?;
        let number = |bytes| element::number(bytes, order.endian());
        if let NumberClass::Complex(part) = self.class {
            let (real, imaginary) = bytes.split_at_checked(part.size).unwrap_or((bytes, &[]));
            let float = |bytes| Float::new(number(bytes), part);
            return Ok(Scalar::Complex(float(real), float(imaginary)));
        }
        Ok(self.value(number(bytes)))
    }

    fn encode(&self, scalar: &Scalar, order: &ByteOrder) -> Result<Vec<u8>> {
        let raw = self.raw(scalar).ok_or_else(|| element::foreign(self.name, scalar))?;
        let bytes = |part| element::bytes(part, self.part_size(), order.endian());
        let mut out = bytes(raw.0);
        out.extend(raw.1.into_iter().flat_map(bytes));
        Ok(out)
    }

    fn native(&self) -> Option<Native> {
        self.native
    }

    fn anatomy(&self, scalar: &Scalar, order: &ByteOrder) -> Vec<AnatomyRow> {
        match (self.raw(scalar), scalar) {
            (Some(_), Scalar::Bool(byte)) => {
                let meaning = match byte {
                    0 => "00: false".into(),
                    1 => "01: true".into(),
                    other => {
                        format!("{other:02x}: undefined; NumPy 2.5.5 shows true, others may not")
                    }
                };
                vec![AnatomyRow { bytes: Some(0..1), ..AnatomyRow::new("byte", meaning) }]
            }
            (_, Scalar::Float(value)) if matches!(self.class, NumberClass::Float(_)) => {
                anatomy::float(*value)
            }
            (Some(_), Scalar::Complex(real, imaginary)) => {
                let row = |(label, value, start): (&str, &Float, usize)| {
                    let shown = AnatomyRow::new(label, Scalar::Float(*value).to_string());
                    let bytes = Some(start..start + self.part_size());
                    let row = AnatomyRow { bytes, ..shown };
                    std::iter::once(row).chain(anatomy::float(*value))
                };
                let parts = [("real", real, 0), ("imaginary", imaginary, self.part_size())];
                parts.into_iter().flat_map(row).collect()
            }
            (Some((raw, None)), _) => self.integer_anatomy(scalar, raw, order.endian()),
            _ => Vec::new(),
        }
    }
}

/// The family of one data type of numbers.
#[derive(Debug)]
pub struct NumberFamily(pub &'static FixedNumber);

impl NumberFamily {
    fn resolved(&self, order: ByteOrder) -> Resolved {
        let order = if self.0.has_byte_order() { order } else { ByteOrder::NotApplicable };
        Resolved::of(*self.0).in_order(order)
    }
}

impl Family for NumberFamily {
    #[expect(
        clippy::misnamed_getters,
        reason = "a family is named after the class of its data type"
    )]
    fn name(&self) -> &'static str {
        self.0.kind
    }

    fn from_v2(&self, dtype: &Json, _: Option<&str>, _: &Scope) -> Option<Result<Resolved>> {
        let text = dtype.as_str()?;
        if text == self.0.name && notes::tensorstore_knows(text) {
            let little = ByteOrder::All(Endian::Little);
            return Some(Ok(self.resolved(little).noted(Some(notes::bare_name(text)))));
        }
        // Compared before it is taken apart: a struct asks every family for each of its fields.
        if !self.0.core || text.get(1..) != self.0.v2 {
            return None;
        }
        let text = TypeStr::split(text)?;
        Some(if self.0.has_byte_order() {
            text.order().map(|order| self.resolved(order))
        } else {
            Ok(self.resolved(ByteOrder::NotApplicable).noted(text.needless_order()))
        })
    }

    fn from_v3(&self, data_type: &Json, _: &Scope) -> Option<Result<Resolved>> {
        (name_of(data_type)? == self.0.name).then(|| {
            let extension = Extension::read(data_type)?;
            extension.without_parameters()?;
            let core = if self.0.core { extension.core_note(self.0.name) } else { None };
            let lenient = self.0.lenient && !extension.is_object;
            let unregistered = (self.0.name == "float8_e4m3fn")
                .then(|| notes::unknown_to_zarr_python(self.0.name));
            let data_type = FixedNumber { lenient, ..*self.0 };
            Ok(Resolved::of(data_type).noted(core).noted(unregistered))
        })
    }

    fn from_numpy(&self, name: &str, _: &Scope) -> Option<Result<Resolved>> {
        let alias = match name {
            "float" => "float64",
            "complex" => "complex128",
            _ => name,
        };
        if alias == self.0.name {
            return Some(Ok(Resolved::of(*self.0)));
        }
        let (order, code) = numpy::order_and_code(name);
        (self.0.core && self.0.v2 == Some(code)).then(|| Ok(self.resolved(order)))
    }

    fn examples(&self) -> Vec<Arc<dyn DataType>> {
        vec![Arc::new(*self.0)]
    }
}
