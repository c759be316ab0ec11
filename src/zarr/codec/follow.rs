//! The place of a byte on one side of a codec, on the other side.
//!
//! Exactly, through codecs that only move bytes or add some at an end; as the bytes of the same element through one
//! that changes values or packs them; through a compressor as the block that holds it, or as the whole of what it made
//! where its output does not say which byte holds which. What is said is always true: a range holds the byte, and
//! perhaps others. Each codec answers in its own file; here is what many of them answer.

use super::prelude::*;

/// The counterpart of a byte on the other side of a codec, or of several.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ByteTarget {
    /// This very byte.
    Exact(u64),
    /// Something in these bytes.
    Range(Range<u64>),
    /// Nothing: the byte is a codec's own, such as a header or a checksum; or nothing is stored for it.
    Nothing,
}

/// The direction in which a byte is followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Towards {
    /// As decoding goes.
    Elements,
    /// As encoding goes.
    File,
}

/// One decoding: both sides of the codec, and what it said of them.
#[derive(Debug, Clone, Copy)]
pub struct Passage<'a> {
    /// The stored side, as far as it is known.
    pub input: Option<&'a Data>,
    /// The length of the stored side, in bytes.
    pub input_len: u64,
    /// The decoded side.
    pub output: Option<&'a Data>,
    /// The parts of the stored side that decode on their own.
    pub blocks: &'a [Block],
    /// The fields of the header on the stored side.
    pub header: &'a [HeaderField],
    /// The checksum on the stored side.
    pub checksum: Option<&'a Checksum>,
    /// The number of elements of the chunk; 0 where it is not known.
    pub count: u64,
}

impl Passage<'_> {
    /// The length of the side that is followed to, in bytes.
    pub fn len(&self, towards: Towards) -> u64 {
        match towards {
            Towards::Elements => self.output.map_or(0, Data::len),
            Towards::File => self.input.map_or(self.input_len, Data::len),
        }
    }

    /// The elements on the decoded side.
    pub fn elements(&self) -> Option<&Elements> {
        self.output.and_then(Data::elements)
    }

    /// True if the elements are places in the very bytes that are stored: of texts behind their lengths, for example.
    pub fn keeps_bytes(&self) -> bool {
        let (Some(input), Some(output)) = (self.input, self.output) else { return false };
        let is_whole = input.bytes().as_whole().zip(output.bytes().as_whole());
        is_whole
            .is_some_and(|(stored, decoded)| !stored.is_empty() && std::ptr::eq(stored, decoded))
    }

    /// Byte `offset` of the other side, where that is so long.
    pub fn byte(&self, offset: u64, towards: Towards) -> ByteTarget {
        if offset < self.len(towards) { ByteTarget::Exact(offset) } else { ByteTarget::Nothing }
    }

    /// Through a codec that works block by block: the block that holds the byte, or the byte itself where blocks are
    /// only moved. Where it is not known which of several blocks holds it, all that may.
    pub fn block(&self, offset: u64, towards: Towards) -> ByteTarget {
        let sides = |block: &Block| {
            let (input, output) = (block.input.clone(), block.output.clone());
            if towards == Towards::Elements { (input, output) } else { (output, input) }
        };
        let holding: Vec<&Block> =
            self.blocks.iter().filter(|block| sides(block).0.contains(&offset)).collect();
        if let [block] = *holding.as_slice()
            && block.exact
        {
            let (here, there) = sides(block);
            return ByteTarget::Exact(there.start + (offset - here.start));
        }
        let found = ByteTarget::hull(holding.iter().map(|block| ByteTarget::Range(sides(block).1)));
        let own = || !self.blocks.is_empty() || self.is_header(offset);
        match found {
            Some(range) => ByteTarget::Range(range),
            None if towards == Towards::Elements && own() => ByteTarget::Nothing,
            None => ByteTarget::Range(0..self.len(towards)),
        }
    }

    /// True if the codec says that this byte of its input is a part of its header, or its checksum.
    fn is_header(&self, offset: u64) -> bool {
        self.header.iter().any(|field| field.bytes.contains(&offset))
            || self.checksum.is_some_and(|sum| sum.bytes.contains(&offset))
    }

    /// The element that byte `offset` is of, on both sides of a codec that keeps elements apart: where it begins on
    /// this side, and its bytes on the other. `None` where sizes do not fit together.
    pub fn element(&self, offset: u64, towards: Towards) -> Option<(u64, Range<u64>)> {
        let (here, there) = match towards {
            Towards::Elements => (self.input, self.output),
            Towards::File => (self.output, self.input),
        };
        if let (Some(here), Some(there)) =
            (here.and_then(Data::elements), there.and_then(Data::elements))
        {
            let at = here.element_at(offset)?;
            let index = here.index(&here.coordinates(at));
            let place = there.byte_range(there.position(&there.coordinates_of_index(index)));
            return Some((here.byte_range(at).start, place));
        }
        let size = |bytes: u64| {
            bytes.checked_div(self.count).filter(|size| *size > 0 && size * self.count == bytes)
        };
        let from = size(here.map_or(self.input_len, Data::len))?;
        let to = size(self.len(towards))?;
        let index = offset / from;
        let start = index.checked_mul(to)?;
        Some((index * from, start..start.checked_add(to)?))
    }

    /// Through a codec that changes values, and perhaps their size: the bytes of the same element.
    pub fn by_element(&self, offset: u64, towards: Towards) -> ByteTarget {
        match self.element(offset, towards) {
            None => self.block(offset, towards),
            Some((_, place)) if place.start < self.len(towards) => ByteTarget::Range(place),
            Some(_) => ByteTarget::Nothing,
        }
    }

    /// True if elements are in C order on both sides, as far as there are elements.
    pub fn is_c_order(&self) -> bool {
        let in_order =
            |data: Option<&Data>| data.and_then(Data::elements).is_none_or(Elements::is_c_order);
        in_order(self.input) && in_order(self.output)
    }
}

impl ByteTarget {
    /// The least range that holds all `targets`; `None` where they lead nowhere.
    pub fn hull(targets: impl IntoIterator<Item = Self>) -> Option<Range<u64>> {
        let ranges = targets.into_iter().filter_map(|target| match target {
            Self::Exact(at) => Some(at..at + 1),
            Self::Range(range) => Some(range),
            Self::Nothing => None,
        });
        ranges.reduce(|all, range| all.start.min(range.start)..all.end.max(range.end))
    }
}
