//! `packbits`, twice: numcodecs packs booleans eight to a byte, the most significant bit first, after a byte that
//! counts the padding; the codec registered for V3 packs elements of any number of bits, the least significant first.

use super::prelude::*;

mod registered;

/// The codec of numcodecs: from bytes to bytes in V2, from an array of booleans to one of bytes in V3.
#[derive(Debug)]
struct PackedBooleans {
    kind: CodecKind,
}

const LESSON: &str = "Packs the elements bit by bit, each with only the bits that it needs. It can store the number of \
                      padding bits.";

pub(super) static BOOLEANS: CodecRow = CodecRow {
    nanoseconds: 4,
    v3: &["numcodecs.packbits"],
    v2: &["packbits"],
    lesson: LESSON,
    ..CodecRow::new(CodecKind::ArrayToArray, build)
};

pub(super) static REGISTERED: CodecRow = CodecRow {
    nanoseconds: 4,
    v3: &["packbits"],
    registered: true,
    members: &["padding_encoding", "first_bit", "last_bit"],
    lesson: LESSON,
    ..CodecRow::new(CodecKind::ArrayToBytes, registered::build)
};

fn build(setup: &Setup) -> Built {
    let kind = setup.kind(CodecKind::ArrayToArray);
    if let Some(array) = setup.array.filter(|array| array.data_type.name() != "bool") {
        let found = format!("{} for {}", setup.name(), array.data_type.name());
        // In V2 a filter before this one may have made booleans.
        if setup.format == Format::V3 {
            return Err(Error::new(Code::CodecDataType, found, "booleans"));
        }
    }
    built(PackedBooleans { kind })
}

impl Codec for PackedBooleans {
    fn kind(&self) -> CodecKind {
        self.kind
    }

    fn encoded(&self, array: &Representation) -> Result<Representation> {
        let count = array.len().map(|count| count.div_ceil(8) + 1).ok_or_else(|| {
            Error::new(Code::ShapeTooLarge, "the product of the shape", "2⁶⁴ elements")
        })?;
        let byte = FixedNumber::UINT8.shared();
        Ok(Representation::of(&byte, &[count]))
    }

    fn encoded_size(&self, decoded: ByteCount) -> ByteCount {
        decoded.map(|len| Some(len.div_ceil(8) + 1))
    }

    fn decode(&self, context: &Context) -> Result<Outcome> {
        let array = context.decoded.filter(|_| self.kind == CodecKind::ArrayToArray);
        let bytes = match context.input.elements().filter(|_| array.is_some()) {
            None => context.whole()?.into(),
            Some(elements) => elements.c_order()?,
        };
        let outcome = unpack(&bytes, context)?;
        Ok(match (array, outcome.output) {
            (Some(array), Some(output)) => {
                let error = outcome.error.or_else(|| wrong_count(output.len(), array));
                let elements = array.elements(Places::Fixed(1), output.bytes().clone());
                Outcome { output: Some(Data::Elements(elements)), error, ..outcome }
            }
            (_, output) => Outcome { output, ..outcome },
        })
    }

    fn encode(&self, context: &Context) -> Result<Data> {
        let bytes = match context.input.elements().filter(|_| self.kind == CodecKind::ArrayToArray)
        {
            None => context.whole()?.into(),
            Some(elements) => elements.c_order()?,
        };
        let bits = |eight: &[u8]| {
            eight
                .iter()
                .zip((0..8).rev())
                .fold(0, |byte, (bit, at)| byte | u8::from(*bit != 0) << at)
        };
        let padding = (8 - bytes.len() % 8) % 8;
        let mut out = room(bytes.len() / 8 + 2)?;
        out.extend(u8::try_from(padding));
        out.extend(bytes.chunks(8).map(bits));
        if self.kind == CodecKind::BytesToBytes {
            return Ok(Data::whole(out));
        }
        let byte = FixedNumber::UINT8.shared();
        Ok(Data::Elements(Elements::from_slice(&byte, &[out.len() as u64], &out)?))
    }

    /// Eight booleans to a byte, after the one that counts the padding.
    fn follow(&self, offset: u64, towards: Towards, passage: &Passage) -> ByteTarget {
        let count = passage.output.map_or(0, Data::len);
        BitRun { start: 1, end: passage.input_len, bits: 1, size: 1, count }.follow(offset, towards)
    }

    fn keeps_order(&self, passage: &Passage) -> bool {
        passage.is_c_order()
    }
}

fn wrong_count(found: u64, array: &Representation) -> Option<Error> {
    let wanted = array.len().filter(|&wanted| wanted != found)?;
    let expected = format!("{wanted}, from the chunk's shape");
    Some(Error::new(Code::ChunkWrongCount, format!("{found} booleans"), expected).at_offset(0))
}

/// Makes a byte of each bit.
fn unpack(input: &[u8], context: &Context) -> Result<Outcome> {
    let (&padding, packed) = input.split_first().ok_or_else(|| truncated(0, "packbits"))?;
    let mut header = vec![HeaderField::new(0..1, "padding", format!("{padding} bits"))];
    let bits = packed.len().saturating_mul(8);
    let problem = usize::from(padding) > bits.min(7);
    if problem && let Some(field) = header.first_mut() {
        field.problem = Some(format!("at most {} bits of padding are possible", bits.min(7)));
    }
    if bits as u64 > context.budget.limit().saturating_add(7) {
        return Ok(Outcome { header, ..Outcome::failed(too_large(context)) });
    }
    let count = bits.saturating_sub(padding.into());
    let mut bytes = match room(count) {
        Ok(bytes) => bytes,
        Err(error) => return Ok(Outcome { header, ..Outcome::failed(error) }),
    };
    bytes.extend(
        packed
            .iter()
            .flat_map(|&byte| [7, 6, 5, 4, 3, 2, 1, 0].map(|bit| byte >> bit & 1))
            .take(count),
    );
    let error = problem.then(|| {
        let found = format!("{padding} padding bits after {} bytes", packed.len());
        Error::new(Code::ChunkCorrupt, found, "0 to 7, and no more than the chunk has").at_offset(0)
    });
    Ok(Outcome { header, error, ..Outcome::bytes(bytes) })
}

/// Elements of so many bits that are side by side in the bytes from `start` to `end`.
struct BitRun {
    start: u64,
    end: u64,
    /// Bits of an element.
    bits: u64,
    /// Bytes of an element that is unpacked.
    size: u64,
    /// The number of elements.
    count: u64,
}

impl BitRun {
    /// The bytes that hold the element to which byte `offset` belongs, or the elements that byte `offset` holds.
    fn follow(&self, offset: u64, towards: Towards) -> ByteTarget {
        let found = match towards {
            Towards::Elements => self.unpacked(offset),
            Towards::File => self.packed(offset),
        };
        found.map_or(ByteTarget::Nothing, ByteTarget::Range)
    }

    fn packed(&self, offset: u64) -> Option<Range<u64>> {
        let element = Some(offset / self.size).filter(|&element| element < self.count)?;
        let (first, end) = (element * self.bits / 8, ((element + 1) * self.bits).div_ceil(8));
        Some(self.start + first..self.start + end)
    }

    fn unpacked(&self, offset: u64) -> Option<Range<u64>> {
        let bit = Some(offset).filter(|offset| (self.start..self.end).contains(offset))?;
        let bit = (bit - self.start) * 8;
        let (first, end) = (bit / self.bits, (bit + 8).div_ceil(self.bits).min(self.count));
        (first < end).then_some(first * self.size..end * self.size)
    }
}
