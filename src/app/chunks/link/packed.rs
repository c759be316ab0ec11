//! The way of a byte through `packbits`, which has several elements in a byte.

use super::{Link, hop::Hop};
use crate::zarr::codec::{CodecKind, Data};
use std::ops::Range;

/// Where the bits of elements lie.
struct Layout {
    /// The bytes that hold them.
    bytes: Range<u64>,
    /// Bits of an element.
    bits: u64,
    /// Bytes of an element that is unpacked.
    size: u64,
    /// How many elements there are.
    count: u64,
}

/// The bytes that hold the element to which byte `offset` belongs, or the elements that byte `offset` holds; `None`
/// where sizes do not fit together.
pub(super) fn follow(hop: &Hop<'_>, offset: u64, down: bool) -> Option<Link> {
    let layout = Layout::of(hop)?;
    let found = if down { layout.unpacked(offset) } else { layout.packed(offset) };
    Some(found.map_or(Link::Nothing, Link::Within))
}

impl Layout {
    fn of(hop: &Hop<'_>) -> Option<Self> {
        let (stored, len) = (hop.stage.input_len, hop.after.map_or(0, Data::len));
        if hop.stage.kind != Some(CodecKind::ArrayToBytes) {
            // That of numcodecs: a byte of padding bits, then eight booleans to a byte.
            return Some(Self { bytes: 1..stored, bits: 1, size: 1, count: len });
        }
        let said = hop.stage.configuration.as_ref().and_then(|json| json.get("padding_encoding"));
        let bytes = match said.and_then(serde_json::Value::as_str) {
            Some("first_byte") => 1..stored,
            Some("last_byte") => 0..stored.saturating_sub(1),
            _ => 0..stored,
        };
        let count = hop.after.and_then(Data::elements)?.len();
        let size = len.checked_div(count).filter(|size| *size > 0)?;
        // Less than a byte is padding, so that of eight elements or more the bits of one are what is left over.
        let bits = (bytes.end.saturating_sub(bytes.start) * 8).checked_div(count)?;
        (count >= 8 && bits > 0).then_some(Self { bytes, bits, size, count })
    }

    fn packed(&self, offset: u64) -> Option<Range<u64>> {
        let element = Some(offset / self.size).filter(|&element| element < self.count)?;
        let (first, end) = (element * self.bits / 8, ((element + 1) * self.bits).div_ceil(8));
        Some(self.bytes.start + first..self.bytes.start + end)
    }

    fn unpacked(&self, offset: u64) -> Option<Range<u64>> {
        let bit = Some(offset).filter(|offset| self.bytes.contains(offset))?;
        let bit = (bit - self.bytes.start) * 8;
        let (first, end) = (bit / self.bits, (bit + 8).div_ceil(self.bits).min(self.count));
        (first < end).then_some(first * self.size..end * self.size)
    }
}
