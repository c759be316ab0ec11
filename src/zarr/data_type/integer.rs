//! Integers of 8, 16, 32 and 64 bits, and the narrow ones of 2 and 4 bits that are in a byte each.
//!
//! One table and one implementation. V2 has no narrow integers (TensorStore writes their bare names there). The upper
//! bits of a narrow integer mean nothing: they are dropped on reading, and written as the sign.

use super::{
    AnatomyRow, ByteOrder, DataType, Family, ItemSize, Native, Plain, Resolved, Scope, V2Form,
    element,
    extension::{Extension, name_of},
    fill::{self, Readers},
    notes,
    typestr::TypeStr,
};
use crate::zarr::{
    error::{Flagged, Note, Result},
    format::Format,
    json::Json,
    scalar::Scalar,
};
use std::sync::Arc;

/// An integer data type: one row of the table.
#[derive(Debug, Clone, Copy)]
pub struct Integer {
    name: &'static str,
    kind: &'static str,
    /// Its V2 form without the byte order character; `None` for the narrow ones.
    v2: Option<&'static str>,
    size: usize,
    bits: u32,
    signed: bool,
    native: Option<Native>,
    /// True if zarr-python reads it, with its liberties: not where V3 spells it as an object.
    lenient: bool,
}

/// A core integer of `size` bytes.
const fn row(
    name: &'static str,
    kind: &'static str,
    v2: &'static str,
    size: usize,
    native: Native,
) -> Integer {
    let signed = matches!(v2.as_bytes(), [b'i', ..]);
    let bits = match size {
        1 => 8,
        2 => 16,
        4 => 32,
        _ => 64,
    };
    Integer { name, kind, v2: Some(v2), size, bits, signed, native: Some(native), lenient: true }
}

/// An integer in the low bits of a byte.
const fn narrow(name: &'static str, kind: &'static str, bits: u32, signed: bool) -> Integer {
    Integer { name, kind, v2: None, size: 1, bits, signed, native: None, lenient: false }
}

/// Every integer data type, in the order of the gallery.
pub static INTEGERS: [Integer; 12] = [
    narrow("int2", "Int2", 2, true),
    narrow("int4", "Int4", 4, true),
    row("int8", "Int8", "i1", 1, Native::I8),
    row("int16", "Int16", "i2", 2, Native::I16),
    row("int32", "Int32", "i4", 4, Native::I32),
    row("int64", "Int64", "i8", 8, Native::I64),
    narrow("uint2", "UInt2", 2, false),
    narrow("uint4", "UInt4", 4, false),
    Integer::UINT8,
    row("uint16", "UInt16", "u2", 2, Native::U16),
    row("uint32", "UInt32", "u4", 4, Native::U32),
    Integer::UINT64,
];

impl Integer {
    /// `uint8`, which codecs make of elements.
    pub const UINT8: Self = row("uint8", "UInt8", "u1", 1, Native::U8);
    /// `uint64`, which the index of a shard is of.
    pub const UINT64: Self = row("uint64", "UInt64", "u8", 8, Native::U64);

    fn range(&self) -> (i128, i128) {
        if self.signed {
            (-(1 << (self.bits - 1)), (1 << (self.bits - 1)) - 1)
        } else {
            (0, (1 << self.bits) - 1)
        }
    }

    fn scalar(&self, value: i128) -> Scalar {
        if self.signed {
            Scalar::Int(i64::try_from(value).unwrap_or_default())
        } else {
            Scalar::Uint(u64::try_from(value).unwrap_or_default())
        }
    }

    fn readers(&self) -> Readers {
        if self.lenient { Readers::ZarrPython } else { Readers::TextOnly }
    }

    /// The value of the low bits.
    fn value(&self, raw: u64) -> Scalar {
        let unused = 64 - self.bits;
        if self.signed {
            Scalar::Int((raw << unused).cast_signed() >> unused)
        } else {
            Scalar::Uint(raw << unused >> unused)
        }
    }

    fn raw(&self, scalar: &Scalar) -> Option<u64> {
        match scalar {
            Scalar::Int(value) if self.signed => Some(value.cast_unsigned()),
            Scalar::Uint(value) if !self.signed => Some(*value),
            _ => None,
        }
    }

    fn typestr(&self, order: &ByteOrder) -> Option<String> {
        let sign = if self.size == 1 { '|' } else { order.endian().sign() };
        self.v2.map(|code| format!("{sign}{code}"))
    }
}

impl DataType for Integer {
    fn name(&self) -> String {
        self.name.into()
    }

    fn kind(&self) -> &'static str {
        self.kind
    }

    fn item_size(&self) -> ItemSize {
        ItemSize::Fixed(self.size)
    }

    fn significant_bits(&self) -> Option<u32> {
        self.v2.is_none().then_some(self.bits)
    }

    fn description(&self) -> String {
        let sign = if self.signed { "signed" } else { "unsigned" };
        match (self.size, self.v2) {
            (_, None) => format!("1 byte, {sign} integer in the low {} bits", self.bits),
            (1, _) => format!("1 byte, {sign} integer"),
            (size, _) => format!("{size} bytes, {sign} integer"),
        }
    }

    fn has_byte_order(&self) -> bool {
        self.size > 1
    }

    fn to_v2(&self, order: &ByteOrder) -> Result<V2Form, Note> {
        self.typestr(order).map(V2Form::plain).ok_or_else(|| notes::no_v2(self.name))
    }

    fn to_v3(&self) -> Result<Json, Note> {
        Ok(self.name.into())
    }

    fn notes(&self) -> Vec<Note> {
        self.v2.is_none().then(|| notes::unknown_to_zarr_python(self.name)).into_iter().collect()
    }

    fn default_scalar(&self) -> Scalar {
        self.scalar(0)
    }

    fn fill_from_json(
        &self,
        json: &Json,
        format: Format,
        _: &ByteOrder,
    ) -> Result<Flagged<Scalar>> {
        let value = fill::integer(json, format, self.readers(), self.range())?;
        Ok(value.map(|value| self.scalar(value)))
    }

    fn fill_to_json(&self, scalar: &Scalar, _: Format, _: &ByteOrder) -> Result<Json, Note> {
        match scalar {
            Scalar::Int(value) => Ok(Json::from(*value)),
            Scalar::Uint(value) => Ok(Json::from(*value)),
            other => Err(notes::foreign(self.name, other)),
        }
    }

    fn cast(&self, plain: &Plain) -> Result<Scalar> {
        let (least, most) = self.range();
        match plain.whole().or_else(|| plain.text().and_then(|text| text.parse().ok())) {
            Some(value) if (least..=most).contains(&value) => Ok(self.scalar(value)),
            Some(_) => Err(plain.refused(&format!("an integer from {least} to {most}"))),
            None => Err(plain.refused(self.name)),
        }
    }

    fn decode(&self, bytes: &[u8], order: &ByteOrder) -> Result<Scalar> {
        element::expect_size(bytes, self.size)?;
        Ok(self.value(element::number(bytes, order.endian())))
    }

    fn encode(&self, scalar: &Scalar, order: &ByteOrder) -> Result<Vec<u8>> {
        let raw = self.raw(scalar).ok_or_else(|| element::foreign(self.name, scalar))?;
        Ok(element::bytes(raw, self.size, order.endian()))
    }

    fn native(&self) -> Option<Native> {
        self.native
    }

    fn anatomy(&self, scalar: &Scalar, order: &ByteOrder) -> Vec<AnatomyRow> {
        let Some(raw) = self.raw(scalar) else { return Vec::new() };
        let masked = raw & (u64::MAX >> (64 - self.bits));
        let digits = self.bits.div_ceil(4) as usize;
        let mut rows = vec![AnatomyRow::new("hexadecimal", format!("0x{masked:0digits$x}"))];
        if self.bits <= 32 {
            let groups = if self.signed { vec![1, self.bits - 1] } else { vec![self.bits] };
            rows.push(AnatomyRow::new("bits", element::bits(masked, &groups)));
        }
        if self.signed && raw >> 63 == 1 {
            let size = 1_u128 << self.bits;
            let meaning = format!("{masked} − {size} = {scalar} (two's complement)");
            rows.push(AnatomyRow::new("negative", meaning));
        }
        if self.size > 1 {
            let swapped = element::number(
                &element::bytes(raw, self.size, order.endian()),
                order.endian().other(),
            );
            rows.push(AnatomyRow::new(
                format!("read as {}", order.endian().other().word()),
                self.value(swapped).to_string(),
            ));
        }
        rows
    }
}

/// Recognises one integer data type.
#[derive(Debug)]
pub struct IntegerFamily(pub &'static Integer);

impl IntegerFamily {
    fn resolved(&self, order: ByteOrder) -> Resolved {
        Resolved { data_type: Arc::new(*self.0), order, notes: Vec::new() }
    }
}

impl Family for IntegerFamily {
    #[expect(
        clippy::misnamed_getters,
        reason = "a family is named after the class of its data type"
    )]
    fn name(&self) -> &'static str {
        self.0.kind
    }

    fn from_v2(&self, dtype: &Json, _: Option<&str>, _: &Scope<'_>) -> Option<Result<Resolved>> {
        let text = dtype.as_str()?;
        let Some(code) = self.0.v2 else {
            return (text == self.0.name && notes::tensorstore_knows(text)).then(|| {
                Ok(self.resolved(ByteOrder::NotApplicable).noted(Some(notes::bare_name(text))))
            });
        };
        // Compared before it is taken apart: a struct asks every family for each of its fields.
        if text.get(1..) != Some(code) {
            return None;
        }
        let text = TypeStr::split(text)?;
        Some(if self.0.size == 1 {
            Ok(self.resolved(ByteOrder::NotApplicable).noted(text.needless_order()))
        } else {
            text.order().map(|order| self.resolved(order))
        })
    }

    fn from_v3(&self, data_type: &Json, _: &Scope<'_>) -> Option<Result<Resolved>> {
        (name_of(data_type)? == self.0.name).then(|| {
            let extension = Extension::read(data_type)?;
            extension.without_parameters()?;
            let core = self.0.v2.and_then(|_| extension.core_note(self.0.name));
            let lenient = self.0.lenient && !extension.is_object;
            Ok(Resolved::of(Integer { lenient, ..*self.0 }).noted(core))
        })
    }

    fn from_numpy(&self, name: &str, _: &Scope<'_>) -> Option<Result<Resolved>> {
        if name == self.0.name {
            return Some(Ok(Resolved::of(*self.0)));
        }
        let (order, code) = super::numpy::order_and_code(name);
        let mine = self.0.v2 == Some(code);
        mine.then(|| {
            Ok(self.resolved(if self.0.size == 1 { ByteOrder::NotApplicable } else { order }))
        })
    }

    fn examples(&self) -> Vec<Arc<dyn DataType>> {
        vec![Arc::new(*self.0)]
    }
}
