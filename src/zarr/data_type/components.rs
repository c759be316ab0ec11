//! The components of an element, each with a byte order of its own, down to their bits: what an editor of bits steps
//! over.

use super::element::number;
use super::prelude::*;
use std::ops::Range;

/// The largest element that is taken apart, in bytes.
pub const MOST_BYTES: usize = 256;

/// A component of an element: at most 8 bytes that hold one number, code unit or byte.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Component {
    /// The role in its element: `real part`, `field "a"`, `byte 3`; empty where it is the whole element.
    pub label: String,
    /// The bytes of the element that hold it.
    pub bytes: Range<usize>,
    /// The order of these bytes.
    pub endian: Endian,
    /// Its fields, the most significant first.
    pub fields: Vec<BitField>,
}

/// Bits next to each other that mean something together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BitField {
    /// The name of the bits: `sign`, `exponent`, `mantissa`.
    pub name: &'static str,
    /// Their number.
    pub bits: u32,
}

impl Component {
    /// The number of its bits.
    pub fn bits(&self) -> u32 {
        self.fields.iter().map(|field| field.bits).sum()
    }

    /// Its bits in groups, as `element` holds them, the most significant first; `None` where `element` is too short.
    pub fn groups(&self, element: &[u8]) -> Option<Vec<String>> {
        let value = number(element.get(self.bytes.clone())?, self.endian);
        let widths: Vec<u32> = self.fields.iter().map(|field| field.bits).collect();
        Some(element::bits(value, &widths).split('│').map(str::to_owned).collect())
    }

    /// The field that bit `bit` is in, counted from the most significant bit.
    pub fn field_of(&self, bit: u32) -> Option<BitField> {
        let mut end = 0;
        self.fields.iter().copied().find(|field| {
            end += field.bits;
            bit < end
        })
    }

    /// The byte of the element that holds bit `bit`, counted from the most significant bit.
    pub fn byte_of(&self, bit: u32) -> Option<usize> {
        let low = self.bits().checked_sub(bit + 1)? as usize / 8;
        let at = match self.endian {
            Endian::Little => self.bytes.start + low,
            Endian::Big => self.bytes.end.checked_sub(low + 1)?,
        };
        self.bytes.contains(&at).then_some(at)
    }

    /// Flips bit `bit`, counted from the most significant bit.
    pub fn flip(&self, bit: u32, element: &mut [u8]) {
        let shift = self.bits().saturating_sub(bit + 1) % 8;
        if let Some(byte) = self.byte_of(bit).and_then(|at| element.get_mut(at)) {
            *byte ^= 1 << shift;
        }
    }
}

/// The components of every element of `data_type` in byte order `order`, in the order of their bytes.
///
/// # Errors
///
/// A sentence that says why there are none.
pub fn components(data_type: &dyn DataType, order: &ByteOrder) -> Result<Vec<Component>, String> {
    let Some(size) = data_type.fixed_size() else {
        return Err(format!(
            "Elements of {} differ in length: a codec stores them, so there is no fixed number of bytes to edit.",
            data_type.name()
        ));
    };
    if size > MOST_BYTES {
        return Err(format!(
            "An element of {} has {size} bytes; zarrscope takes apart elements of at most {MOST_BYTES}.",
            data_type.name()
        ));
    }
    let mut found = Vec::new();
    gather(data_type, order, "", 0, &mut found);
    Ok(found)
}

/// Adds the components of `data_type`, whose element begins at byte `start` of the outermost one.
fn gather(
    data_type: &dyn DataType,
    order: &ByteOrder,
    label: &str,
    start: usize,
    out: &mut Vec<Component>,
) {
    let Some(size) = data_type.fixed_size() else { return };
    let zero = data_type.decode(&vec![0; size], order);
    if let Ok(Scalar::Struct(_)) = zero {
        return gather_fields(data_type, order, label, start, out);
    }
    let mut add = |name: &str, at: usize, len: usize, fields: Vec<BitField>| {
        let bytes = start + at..start + at + len;
        out.push(Component { label: join(label, name), bytes, endian: order.endian(), fields });
    };
    match zero {
        Ok(Scalar::Complex(part, _)) => {
            let half = size / 2;
            add("real part", 0, half, of_float(part.format, bits(half)));
            add("imaginary part", half, half, of_float(part.format, bits(half)));
        }
        Ok(Scalar::Utf32(_)) => (0..size / 4).for_each(|unit| {
            add(&format!("code unit {unit}"), unit * 4, 4, vec![field("code point", 32)]);
        }),
        Ok(zero) => match number_fields(data_type, &zero, bits(size)) {
            Some(fields) => add("", 0, size, fields),
            None => {
                (0..size).for_each(|at| add(&format!("byte {at}"), at, 1, vec![field("bits", 8)]));
            }
        },
        Err(_) => {}
    }
}

/// The fields of a data type whose elements are one number of so many bits; `None` where they are not.
fn number_fields(data_type: &dyn DataType, zero: &Scalar, width: u32) -> Option<Vec<BitField>> {
    let used = data_type.significant_bits().unwrap_or(width).clamp(1, width);
    let unused = field("unused", width - used);
    match zero {
        _ if width > 64 => None,
        Scalar::Float(float) => Some(of_float(float.format, width)),
        Scalar::Int(_) | Scalar::Time(_) => {
            Some(used_of([unused, field("sign", 1), field("value", used - 1)]))
        }
        Scalar::Uint(_) | Scalar::Bool(_) => Some(used_of([unused, field("value", used)])),
        // An order applies to the whole of it: the bytes are one number.
        Scalar::Custom { .. } if data_type.has_byte_order() => Some(vec![field("bits", width)]),
        _ => None,
    }
}

/// Adds the components of each field of a struct, of a subarray those of each item.
fn gather_fields(
    data_type: &dyn DataType,
    order: &ByteOrder,
    label: &str,
    start: usize,
    out: &mut Vec<Component>,
) {
    for (at, field) in data_type.fields().iter().enumerate() {
        let one = field.data_type.fixed_size().unwrap_or(0);
        for item in 0..field.items().min(MOST_BYTES) {
            let name = join(label, &format!("field \"{}\"", field.name));
            let name = if field.shape.is_empty() { name } else { format!("{name}, item {item}") };
            let begin = start + field.offset + item * one;
            gather(&*field.data_type, &order.field(at), &name, begin, out);
        }
    }
}

fn join(outer: &str, inner: &str) -> String {
    match (outer, inner) {
        ("", one) | (one, "") => one.to_owned(),
        _ => format!("{outer}, {inner}"),
    }
}

const fn field(name: &'static str, bits: u32) -> BitField {
    BitField { name, bits }
}

/// The number of bits of so many bytes.
fn bits(bytes: usize) -> u32 {
    u32::try_from(bytes).unwrap_or(0).saturating_mul(8)
}

fn used_of<const N: usize>(fields: [BitField; N]) -> Vec<BitField> {
    fields.into_iter().filter(|field| field.bits > 0).collect()
}

fn of_float(format: &FloatFormat, width: u32) -> Vec<BitField> {
    used_of([
        field("unused", width.saturating_sub(format.bits)),
        field("sign", u32::from(format.signed)),
        field("exponent", format.exponent_bits),
        field("mantissa", format.mantissa_bits),
    ])
}

#[cfg(test)]
mod tests {
    use super::{super::DataTypes, *};

    fn parts(name: &str) -> (Vec<Component>, ByteOrder) {
        let resolved = DataTypes::default().from_numpy(name).unwrap();
        (components(&*resolved.data_type, &resolved.order).unwrap(), resolved.order)
    }

    #[test]
    fn a_float_has_a_sign_an_exponent_and_a_mantissa() {
        let (parts, _) = parts(">f4");
        let fields: Vec<_> = parts[0].fields.iter().map(|field| (field.name, field.bits)).collect();
        assert_eq!(fields, [("sign", 1), ("exponent", 8), ("mantissa", 23)]);
        let element = [0x41, 0x70, 0, 0];
        assert_eq!(
            parts[0].groups(&element).unwrap(),
            ["0", "10000010", "11100000000000000000000"]
        );
        assert_eq!([parts[0].byte_of(0), parts[0].byte_of(31)], [Some(0), Some(3)]);
    }

    #[test]
    fn parts_of_complex_numbers_and_structs_are_components() {
        let labels = |name: &str| -> Vec<(String, Range<usize>)> {
            parts(name).0.into_iter().map(|part| (part.label, part.bytes)).collect()
        };
        let complex = [("real part".to_owned(), 0..4), ("imaginary part".to_owned(), 4..8)];
        assert_eq!(labels("complex64"), complex);
        assert_eq!(labels("<U2")[1], ("code unit 1".to_owned(), 4..8));
        assert_eq!(labels("|S2")[1], ("byte 1".to_owned(), 1..2));
        let registry = DataTypes::default();
        let json = Json::parse_str(r#"[["a","<i2"],["b",">f8",[2]]]"#).unwrap();
        let resolved = registry.from_v2(&json, None).unwrap();
        let found = components(&*resolved.data_type, &resolved.order).unwrap();
        assert_eq!(found[2].label, "field \"b\", item 1");
        assert_eq!((found[0].endian, found[2].endian), (Endian::Little, Endian::Big));
        assert_eq!(found[2].bytes, 10..18);
    }
}
