//! `packbits` as registered for V3: elements of so many bits each, the least significant first, after or before a byte
//! that counts the padding, where there is one.

use super::BitRun;
use crate::zarr::codec::prelude::*;

/// The place of the number of padding bits.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Padding {
    Unsaid,
    FirstByte,
    LastByte,
}

#[derive(Debug)]
struct PackedBits {
    padding: Padding,
    layout: BitLayout,
}

/// The layout of an element in bits.
#[derive(Debug, Clone, Copy)]
struct BitLayout {
    /// Bits of one component that are stored.
    bits: u32,
    /// The place of the lowest of them in the component.
    first: u32,
    /// Bytes of one component.
    size: usize,
    /// Components of an element: 2 for complex numbers.
    parts: usize,
    /// True if the highest stored bit fills all above it.
    signed: bool,
}

pub(super) fn build(setup: &Setup) -> Built {
    let paddings = [
        ("none", Padding::Unsaid),
        ("first_byte", Padding::FirstByte),
        ("last_byte", Padding::LastByte),
    ];
    let padding = setup.choice("padding_encoding", &paddings)?.unwrap_or(Padding::Unsaid);
    let whole = component(setup.array()?.data_type.as_ref())?;
    let bit = |key: &str, default: u32| -> Result<u32> {
        match setup.member(key).filter(|json| !json.is_null()) {
            None => Ok(default),
            Some(json) => {
                let bit = json.as_u64().and_then(|bit| u32::try_from(bit).ok());
                let expected = format!("null or a bit from 0 to {}", whole.bits - 1);
                bit.filter(|&bit| bit < whole.bits)
                    .ok_or_else(|| setup.refuse(key, json, &expected))
            }
        }
    };
    let (first, last) = (bit("first_bit", 0)?, bit("last_bit", whole.bits - 1)?);
    if last < first {
        return Err(setup.fault(
            "last_bit",
            last.to_string(),
            format!("{first} (first_bit) or more"),
        ));
    }
    let layout = BitLayout { first, bits: last - first + 1, ..whole };
    built(PackedBits { padding, layout })
}

/// All bits of an element of `data_type`.
fn component(data_type: &dyn DataType) -> Result<BitLayout> {
    let Numeric { kind, size, parts, .. } =
        Numeric::require(data_type, &ByteOrder::All(Endian::Little))?;
    let (bits, signed) = match kind {
        NumberKind::Bool => (1, false),
        NumberKind::Int(bits) => (bits, true),
        NumberKind::Uint(bits) => (bits, false),
        NumberKind::Float(format) => (format.bits, false),
    };
    Ok(BitLayout { bits, first: 0, size, parts, signed })
}

impl Codec for PackedBits {
    fn kind(&self) -> CodecKind {
        CodecKind::ArrayToBytes
    }

    fn encoded_size(&self, decoded: ByteCount) -> ByteCount {
        let BitLayout { bits, size, .. } = self.layout;
        // zarrs leaves the byte out where nothing is packed.
        let is_whole = self.layout.is_whole() && self.padding != Padding::Unsaid;
        let packed = decoded.map(|len| {
            let bytes = (len / size as u64).checked_mul(bits.into())?.div_ceil(8);
            bytes.checked_add(u64::from(self.padding != Padding::Unsaid))
        });
        ByteCount { exact: packed.exact.filter(|_| !is_whole), ..packed }
    }

    fn decode(&self, context: &Context) -> Result<Outcome> {
        let array = context.array()?;
        let input = context.whole()?;
        let Some(numbers) = array.len().and_then(|n| n.checked_mul(self.layout.parts as u64))
        else {
            let found = "the product of the shape";
            return Err(Error::new(Code::ShapeTooLarge, found, "2⁶⁴ elements"));
        };
        let is_bare = self.padding != Padding::Unsaid
            && self.layout.is_whole()
            && numbers.checked_mul(self.layout.size as u64) == Some(input.len() as u64);
        let bare = Self { padding: Padding::Unsaid, ..*self };
        let codec = if is_bare { &bare } else { self };
        let Some(packed) = codec.packed(input) else {
            return Err(truncated(input.len(), "packbits"));
        };
        let mut bytes = Vec::new();
        let unpacked = self.layout.unpack(packed.bytes, numbers, context, &mut bytes);
        let error = unpacked.err().map(|error| {
            let at = error.place.offset.map_or(0, |at| at + packed.start as u64);
            error.at_offset(at)
        });
        let (header, wrong) = codec.padding(&packed, numbers);
        let places = Places::Fixed(self.layout.size * self.layout.parts);
        let elements = array.elements(places, Bytes::whole(bytes));
        let header = header.into_iter().collect();
        let notes = if is_bare { vec![bare_note()] } else { Vec::new() };
        let error = error.or(wrong);
        Ok(Outcome { header, notes, error, ..Outcome::elements(elements) })
    }

    fn encode(&self, context: &Context) -> Result<Data> {
        let elements = context.elements()?;
        let mut bytes = elements.encoded_in(&ByteOrder::All(Endian::Little))?;
        if elements.data_type().native() == Some(Native::Bool) {
            // Every byte but 0 is true.
            for byte in &mut bytes {
                *byte = u8::from(*byte != 0);
            }
        }
        let (packed, padding) = self.layout.pack(&bytes)?;
        let parts: [&[u8]; 2] = match self.padding {
            Padding::Unsaid => [&packed, &[]],
            Padding::FirstByte => [&[padding], &packed],
            Padding::LastByte => [&packed, &[padding]],
        };
        Ok(Data::whole(parts.concat()))
    }

    fn follow(&self, offset: u64, towards: Towards, passage: &Passage) -> ByteTarget {
        let BitLayout { bits, size, parts, .. } = self.layout;
        let count = passage.elements().map_or(0, Elements::len);
        let is_bare = self.layout.is_whole()
            && count.checked_mul((size * parts) as u64) == Some(passage.input_len);
        let (first, last) = match self.padding {
            _ if is_bare => (0, 0),
            Padding::Unsaid => (0, 0),
            Padding::FirstByte => (1, 0),
            Padding::LastByte => (0, 1),
        };
        BitRun {
            start: first,
            end: passage.input_len.saturating_sub(last),
            bits: u64::from(bits) * parts as u64,
            size: (size * parts) as u64,
            count,
        }
        .follow(offset, towards)
    }
}

/// The packed bits, and what was said of their padding.
struct Packed<'a> {
    bytes: &'a [u8],
    start: usize,
    /// The number of bits that are said to be padding, and by which byte.
    said: Option<(u8, usize)>,
}

impl PackedBits {
    fn packed<'a>(&self, input: &'a [u8]) -> Option<Packed<'a>> {
        Some(match self.padding {
            Padding::Unsaid => Packed { bytes: input, start: 0, said: None },
            Padding::FirstByte => {
                let (&count, bytes) = input.split_first()?;
                Packed { bytes, start: 1, said: Some((count, 0)) }
            }
            Padding::LastByte => {
                let (&count, bytes) = input.split_last()?;
                Packed { bytes, start: 0, said: Some((count, bytes.len())) }
            }
        })
    }

    /// The byte that counts the padding, and the error where it or the length contradicts the shape.
    fn padding(&self, packed: &Packed, numbers: u64) -> (Option<HeaderField>, Option<Error>) {
        let bits = numbers.saturating_mul(self.layout.bits.into());
        let padding = (8 - bits % 8) % 8;
        let wanted = bits.div_ceil(8);
        let found = packed.bytes.len() as u64;
        let too_long = (found > wanted).then(|| {
            let found = format!("{found} bytes of packed bits");
            let expected = format!("{wanted} bytes ({numbers} × {} bits)", self.layout.bits);
            Error::new(Code::ChunkTooLong, found, expected).at_offset(packed.start as u64 + wanted)
        });
        let Some((said, at)) = packed.said else { return (None, too_long) };
        let at = at as u64;
        let mut field = HeaderField::new(at..at + 1, "padding", format!("{said} bits"));
        if u64::from(said) != padding {
            field.problem = Some(format!("the shape gives {padding} bits"));
        }
        let wrong = (u64::from(said) != padding).then(|| {
            let found = format!("{said} padding bits");
            Error::new(Code::ChunkCorrupt, found, format!("{padding}, from the shape"))
                .at_offset(at)
        });
        (Some(field), too_long.or(wrong))
    }
}

/// The note on a chunk without the byte that counts the padding.
fn bare_note() -> Note {
    let text = "The byte that counts the padding bits is missing: zarrs 0.23.14 leaves it out where elements are whole bytes. \
                The values are right.";
    Note::new(Code::SpecForbids, text)
}

impl BitLayout {
    /// True if every bit of elements of whole bytes is stored.
    fn is_whole(&self) -> bool {
        self.first == 0 && self.bits as usize == self.size * 8
    }

    /// Unpacks so many numbers; beside an error those that are there.
    fn unpack(
        &self,
        packed: &[u8],
        numbers: u64,
        context: &Context,
        out: &mut Vec<u8>,
    ) -> Result<()> {
        let there = (packed.len() as u64).saturating_mul(8) / u64::from(self.bits);
        let count = numbers.min(there);
        *out = room_within(context, to_usize(count.saturating_mul(self.size as u64)))?;
        let (mut window, mut filled) = (0_u128, 0);
        let mut bytes = packed.iter();
        for _ in 0..count {
            while filled < self.bits {
                window |= u128::from(bytes.next().copied().unwrap_or(0)) << filled;
                filled += 8;
            }
            let bits = self.number(window);
            out.extend_from_slice(bits.to_le_bytes().get(..self.size).unwrap_or_default());
            window >>= self.bits;
            filled -= self.bits;
        }
        if there >= numbers {
            return Ok(());
        }
        let wanted = numbers.saturating_mul(self.bits.into()).div_ceil(8);
        let found = format!("{} bytes of packed bits", packed.len());
        let expected = format!("{wanted} bytes ({numbers} × {} bits)", self.bits);
        Err(Error::new(Code::ChunkTruncated, found, expected).at_offset(packed.len() as u64))
    }

    /// Packs little-endian numbers; with them how many bits of the last byte are padding.
    fn pack(&self, numbers: &[u8]) -> Result<(Vec<u8>, u8)> {
        let mut out = room(numbers.len() + 1)?;
        let (mut window, mut filled) = (0_u128, 0);
        for number in numbers.chunks_exact(self.size) {
            let stored = element::number(number, Endian::Little) >> self.first;
            window |= u128::from(stored & (u64::MAX >> (64 - self.bits))) << filled;
            filled += self.bits;
            while filled >= 8 {
                out.extend(window.to_le_bytes().first());
                window >>= 8;
                filled -= 8;
            }
        }
        if filled > 0 {
            out.extend(window.to_le_bytes().first());
        }
        Ok((out, u8::try_from((8 - filled) % 8).unwrap_or(0)))
    }

    /// The number whose stored bits are the lowest of `window`.
    #[expect(clippy::cast_possible_truncation, reason = "a number has at most 64 bits")]
    fn number(&self, window: u128) -> u64 {
        let stored = (window as u64) & (u64::MAX >> (64 - self.bits));
        let unused = 64 - self.bits;
        let extended = if self.signed {
            ((stored << unused).cast_signed() >> unused).cast_unsigned()
        } else {
            stored
        };
        extended << self.first
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_past_64_bits_are_counted_without_an_overflow() {
        let layout = BitLayout { bits: 64, first: 0, size: 8, parts: 1, signed: false };
        let codec = PackedBits { padding: Padding::LastByte, layout };
        let packed = codec.packed(&[1, 2, 3, 0]).unwrap();
        for (numbers, is_wrong) in [(u64::MAX, true), (1 << 58, true), (u64::MAX / 64, false)] {
            let (_, error) = codec.padding(&packed, numbers);
            assert_eq!(error.is_some(), is_wrong, "{numbers}: {error:?}");
        }
    }
}
