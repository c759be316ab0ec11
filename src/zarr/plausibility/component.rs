//! The words of an element: where they are, and what their bits mean.

use crate::zarr::prelude::*;
use crate::zarr::scalar::{Specials, Time};

/// The meaning of a word's bits.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Meaning {
    /// A whole number in two's complement; also a span of time.
    Signed,
    /// A whole number from 0 on.
    Unsigned,
    /// A float as IEEE 754 lays it out: sign, exponent, mantissa.
    Float {
        /// Bits of the exponent.
        exponent: u32,
        /// Bits of the mantissa.
        mantissa: u32,
    },
    /// A point in time: a count from 1970 on.
    Date {
        /// The length of one count, in seconds.
        seconds: f64,
    },
    /// A UTF-32 code unit.
    CodeUnit,
}

/// A multi-byte part of an element: a number, one half of a complex number, a field of a struct, the code units of a
/// text.
#[derive(Debug, Clone, PartialEq)]
pub struct WideComponent {
    /// The name: `real`, a field's path; empty for the whole element.
    pub name: String,
    /// The number of bytes of the element that are before it.
    pub offset: usize,
    /// Bytes of one word, 2 to 8.
    pub width: usize,
    /// The number of words that are one after the other: code units, items of a subarray.
    pub count: usize,
    /// The meaning of the bits.
    pub meaning: Meaning,
    /// The order that the metadata declares for it.
    pub declared: Endian,
}

/// The depth to which fields are followed: as deep as data types nest.
const MAX_DEPTH: usize = crate::zarr::data_type::MAX_NESTING;

/// The multi-byte components of an element, found by asking the data type for the value of `element`. Empty for types
/// that do not say how their bytes make a number.
pub fn components(
    data_type: &dyn DataType,
    order: &ByteOrder,
    element: &[u8],
) -> Vec<WideComponent> {
    let mut found = Vec::new();
    collect(data_type, order, element, &Path::default(), &mut found);
    found
}

/// The place of a data type in the element.
#[derive(Default)]
struct Path {
    name: String,
    offset: usize,
    items: usize,
    depth: usize,
}

impl Path {
    /// The path of a part called `name`, `offset` bytes further.
    fn part(&self, name: &str, offset: usize, items: u64) -> Self {
        let dot = if self.name.is_empty() || name.is_empty() { "" } else { "." };
        Self {
            name: format!("{}{dot}{name}", self.name),
            offset: self.offset + offset,
            items: usize::try_from(items).unwrap_or(usize::MAX),
            depth: self.depth + 1,
        }
    }
}

fn collect(
    data_type: &dyn DataType,
    order: &ByteOrder,
    element: &[u8],
    path: &Path,
    found: &mut Vec<WideComponent>,
) {
    let fields = data_type.fields();
    if fields.is_empty() {
        leaf(data_type, order, element, path, found);
        return;
    }
    for (index, field) in fields.iter().enumerate().take(super::MOST_COMPONENTS) {
        let Some(size) = field.data_type.fixed_size() else { continue };
        let Some(bytes) = element.get(field.offset..field.offset.saturating_add(size)) else {
            continue;
        };
        let items = field.items() as u64;
        if path.depth < MAX_DEPTH && items > 0 && found.len() < super::MOST_COMPONENTS {
            let name = safe(&field.name);
            let inner = path.part(&name, field.offset, items);
            collect(field.data_type.as_ref(), &order.field(index), bytes, &inner, found);
        }
    }
}

fn leaf(
    data_type: &dyn DataType,
    order: &ByteOrder,
    element: &[u8],
    path: &Path,
    found: &mut Vec<WideComponent>,
) {
    if !order.applies() || !data_type.has_byte_order() {
        return;
    }
    let Ok(value) = data_type.decode(element, order) else { return };
    let mut add = |name: &str, offset: usize, width: usize, count: usize, meaning: Meaning| {
        let place = path.part(name, offset, 1);
        if (2..=8).contains(&width) && count > 0 {
            let (name, offset, declared) = (place.name, place.offset, order.endian());
            found.push(WideComponent { name, offset, width, count, meaning, declared });
        }
    };
    let (size, items) = (element.len(), path.items.max(1));
    match value {
        Scalar::Int(_) => add("", 0, size, items, Meaning::Signed),
        Scalar::Uint(_) => add("", 0, size, items, Meaning::Unsigned),
        Scalar::Time(time) => add("", 0, size, items, time_meaning(time)),
        Scalar::Utf32(_) => add("", 0, 4, size / 4, Meaning::CodeUnit),
        Scalar::Float(float) => {
            if let Some(meaning) = float_meaning(float) {
                add("", 0, size, items, meaning);
            }
        }
        Scalar::Complex(float, _) => {
            if let Some(meaning) = float_meaning(float) {
                add("real", 0, size / 2, 1, meaning);
                add("imaginary", size / 2, size / 2, 1, meaning);
            }
        }
        _ => {}
    }
}

fn float_meaning(float: Float) -> Option<Meaning> {
    let format = float.format;
    let whole = format.bits as usize == format.size * 8;
    (whole && format.specials == Specials::Ieee).then_some(Meaning::Float {
        exponent: format.exponent_bits,
        mantissa: format.mantissa_bits,
    })
}

fn time_meaning(time: Time) -> Meaning {
    match time.unit.length() {
        Some(unit) if time.since_epoch => Meaning::Date { seconds: unit * f64::from(time.scale) },
        _ => Meaning::Signed,
    }
}
