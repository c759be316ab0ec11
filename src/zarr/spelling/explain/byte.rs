//! The role of one byte of an element.

use crate::zarr::prelude::*;
use crate::zarr::{scalar::FloatFormat, words::capitalised};

/// The role of byte `offset` of decoded elements: its number and its element, and the bits of the value that it holds.
/// An element without bytes of its own, such as an empty string, is found at `position`.
pub fn byte(elements: &Elements, offset: u64, position: Option<u64>) -> Vec<String> {
    let here = position.and_then(|position| elements.element(position));
    if let Some(element) = here.filter(|element| element.bytes.is_empty()) {
        let (index, coordinates) = (element.index, list(&element.coordinates));
        return vec![format!("Element {index} at {coordinates} is empty and has no bytes.")];
    }
    let Some(element) = elements.element_at(offset).and_then(|position| elements.element(position))
    else {
        return vec![format!("Byte {offset} belongs to no element.")];
    };
    let Ok(at) = usize::try_from(offset - element.bytes.start) else { return Vec::new() };
    let size = to_usize(element.bytes.end - element.bytes.start);
    let mut lines = vec![format!(
        "Byte {at} of {size}, counting from 0, of element {} at {}.",
        element.index,
        list(&element.coordinates),
    )];
    if let Ok(value) = &element.value {
        lines.push(part(elements.data_type().as_ref(), value, elements.order(), at, size));
    }
    lines
}

/// The role of byte `at` of the `size` bytes of a value.
fn part(
    data_type: &dyn DataType,
    value: &Scalar,
    order: &ByteOrder,
    at: usize,
    size: usize,
) -> String {
    match value {
        Scalar::Struct(_) => field(data_type, value, order, at),
        Scalar::Complex(re, im) => {
            let half = (size / 2).max(1);
            let (name, float) = if at < half { ("real", re) } else { ("imaginary", im) };
            format!("In the {name} part: {}", float_byte(*float, order.endian(), at % half))
        }
        Scalar::Float(float) => capitalised(&float_byte(*float, order.endian(), at)),
        Scalar::Utf32(_) => {
            format!(
                "{} of code unit {} (of {}).",
                capitalised(&rank(at % 4, 4, order.endian())),
                at / 4,
                size / 4
            )
        }
        Scalar::Int(_) | Scalar::Time(_) if size > 1 => {
            let sign = if significance(at, size, order.endian()) == 0 {
                "; its highest bit is the sign"
            } else {
                ""
            };
            format!(
                "{} of a {}-endian integer{sign}.",
                capitalised(&rank(at, size, order.endian())),
                order.word()
            )
        }
        Scalar::Uint(_) if size > 1 => {
            format!(
                "{} of a {}-endian integer.",
                capitalised(&rank(at, size, order.endian())),
                order.word()
            )
        }
        Scalar::Bool(_) => "0 is false, 1 is true, anything else is undefined.".into(),
        _ => "Byte order does not apply here.".into(),
    }
}

fn field(data_type: &dyn DataType, value: &Scalar, order: &ByteOrder, at: usize) -> String {
    let Scalar::Struct(values) = value else { return String::new() };
    let found = data_type.fields().iter().enumerate().rev().find(|(_, field)| field.offset <= at);
    let Some((index, field)) = found else {
        let is_object = data_type.fields().is_empty();
        return if is_object { "A byte of the encoded element." } else { "Padding." }.into();
    };
    let size = field.data_type.fixed_size().unwrap_or(1).max(1);
    let inner = at - field.offset;
    let item = inner / size;
    let name =
        if field.name.is_empty() { format!("{index} (unnamed)") } else { safe_owned(&field.name) };
    let subarray = if field.shape.is_empty() { String::new() } else { format!(", item {item}") };
    let value = match values.get(index) {
        Some((_, Scalar::List(items))) => items.get(item),
        other => other.map(|(_, value)| value),
    };
    let text = value.map_or_else(String::new, |value| {
        part(field.data_type.as_ref(), value, &order.field(index), inner % size, size)
    });
    format!("In field {name}{subarray}: {}", uncapitalised(&text))
}

/// `text` with its first letter in lower case: it goes on after a colon.
fn uncapitalised(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_lowercase().chain(chars).collect())
}

/// 0 for the most significant byte.
fn significance(at: usize, size: usize, endian: Endian) -> usize {
    match endian {
        Endian::Big => at,
        Endian::Little => size.saturating_sub(at + 1),
    }
}

fn rank(at: usize, size: usize, endian: Endian) -> String {
    let significance = significance(at, size, endian);
    match (significance, size - 1 - significance.min(size - 1)) {
        (_, _) if size == 1 => "the only byte".into(),
        (0, _) => "the most significant byte".into(),
        (_, 0) => "the least significant byte".into(),
        (n, _) => format!("byte {n} of {size}, counting from 0, the most significant"),
    }
}

fn float_byte(float: Float, endian: Endian, at: usize) -> String {
    let format = float.format;
    let significance = significance(at, format.size, endian);
    let high = (format.size - significance.min(format.size)) * 8;
    let bits = high.saturating_sub(8)..high;
    format!("{}, holding {}.", rank(at, format.size, endian), bit_parts(format, &bits))
}

/// The parts that these bits (0: the least significant) belong to: sign, exponent, mantissa.
fn bit_parts(format: &FloatFormat, bits: &Range<usize>) -> String {
    let mantissa = format.mantissa_bits as usize;
    let exponent = mantissa + format.exponent_bits as usize;
    let overlap = |from: usize, to: usize| to.min(bits.end).saturating_sub(from.max(bits.start));
    let mut parts = Vec::new();
    if format.signed && overlap(exponent, exponent + 1) == 1 {
        parts.push("the sign".to_owned());
    }
    let count = |n: usize, all: usize, what: &str| match n {
        0 => None,
        n if n == all => Some(format!("the whole {what}")),
        1 => Some(format!("1 bit of the {what}")),
        n => Some(format!("{n} bits of the {what}")),
    };
    parts.extend(count(overlap(mantissa, exponent), exponent - mantissa, "exponent"));
    parts.extend(count(overlap(0, mantissa), mantissa, "mantissa"));
    if parts.is_empty() { "no significant bits".into() } else { parts.join(" and ") }
}
