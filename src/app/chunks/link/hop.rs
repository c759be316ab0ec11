//! One codec between two stages, and the way of a byte through it.

use super::{Link, packed};
use crate::zarr::{
    chunk::Stage,
    codec::{Block, CodecKind, Data, Elements},
    grid::order,
};
use std::ops::Range;

/// Ranges up to this many bytes are followed byte by byte.
const SHORT: u64 = 64;

/// A codec with what lies on both sides of it.
pub(super) struct Hop<'a> {
    /// What it did.
    pub(super) stage: &'a Stage,
    /// What it was given.
    pub(super) before: Option<&'a Data>,
    /// What it made of that.
    pub(super) after: Option<&'a Data>,
    /// How many elements the chunk has, as far as that is known; else 0.
    pub(super) count: u64,
}

impl Hop<'_> {
    /// Goes on from `link`, decoding (`down`) or encoding.
    pub(super) fn follow(&self, link: Link, down: bool) -> Link {
        match link {
            Link::Exact(offset) => self.one(offset, down),
            Link::Within(range) => self.range(&range, down),
            Link::Nothing => Link::Nothing,
        }
    }

    /// How many bytes there are on the other side.
    fn len(&self, down: bool) -> u64 {
        let there = if down { self.after } else { self.before };
        there.map_or(if down { 0 } else { self.stage.input_len }, Data::len)
    }

    fn one(&self, offset: u64, down: bool) -> Link {
        let len = self.len(down);
        let inside = |offset: u64| if offset < len { Link::Exact(offset) } else { Link::Nothing };
        let found = match self.name() {
            "bytes" | "transpose" => Some(inside(offset)),
            "fletcher32" | "crc32c" | "crc32" | "adler32" | "jenkins_lookup3" => {
                Some(self.beside_checksum(offset, len, down))
            }
            "shuffle" => self.shuffled(offset, len, down).map(Link::Exact),
            "packbits" => packed::follow(self, offset, down),
            "sharding_indexed" => self.assembled(offset, down),
            _ if self.is_by_element() => self.by_element(offset, len, down),
            _ => None,
        };
        found.unwrap_or_else(|| self.block(offset, len, down))
    }

    fn name(&self) -> &str {
        self.stage.name.trim_start_matches("numcodecs.")
    }

    /// Whether each element is made of one element.
    fn is_by_element(&self) -> bool {
        let filters = ["delta", "fixedscaleoffset", "astype", "quantize", "bitround", "categorize"];
        self.stage.kind == Some(CodecKind::ArrayToArray) || filters.contains(&self.name())
    }

    /// A range through the codec: what all its bytes correspond to together.
    fn range(&self, range: &Range<u64>, down: bool) -> Link {
        let len = self.len(down);
        if range.end.saturating_sub(range.start) <= SHORT {
            let links = range.clone().map(|offset| self.one(offset, down));
            return hull(links).map_or(Link::Nothing, Link::Within);
        }
        if self.name() == "shuffle" {
            return Link::Within(0..len);
        }
        // Codecs keep the order of bytes, or of what they belong to; what is their own lies at the ends.
        let ends = [range.start, range.end - 1].map(|offset| self.one(offset, down));
        match ends {
            [Link::Nothing, Link::Nothing] => Link::Within(0..len),
            [Link::Nothing, last] => Link::Within(0..hull([last]).map_or(len, |last| last.end)),
            [first, Link::Nothing] => {
                Link::Within(hull([first]).map_or(0, |first| first.start)..len)
            }
            both if self.keeps_order() => Link::Within(hull(both).unwrap_or(0..len)),
            _ => Link::Within(0..len),
        }
    }

    /// Whether what lies further on before the codec does so behind it.
    fn keeps_order(&self) -> bool {
        let c_order =
            |data: Option<&Data>| data.and_then(Data::elements).is_none_or(Elements::is_c_order);
        let moves_elements = self.name() == "sharding_indexed" && self.is_assembled();
        !moves_elements && (!self.is_by_element() || c_order(self.before) && c_order(self.after))
    }

    /// Through a codec that changes values, and perhaps their size: the bytes of the same element. Where the codec
    /// leaves them as they are and only puts them elsewhere, the very byte.
    fn by_element(&self, offset: u64, len: u64, down: bool) -> Option<Link> {
        let (here, there) =
            if down { (self.before, self.after) } else { (self.after, self.before) };
        if let (Some(here), Some(there)) =
            (here.and_then(Data::elements), there.and_then(Data::elements))
        {
            let at = here.element_at(offset)?;
            let index = here.index(&here.coordinates(at));
            let place = there.byte_range(there.position(&there.coordinates_of_index(index)));
            let exact = self.name() == "reshape";
            let into = offset - here.byte_range(at).start;
            return Some(if exact { Link::Exact(place.start + into) } else { Link::Within(place) });
        }
        let size = |bytes: u64| {
            bytes.checked_div(self.count).filter(|size| *size > 0 && size * self.count == bytes)
        };
        let from = size(here.map_or(self.stage.input_len, Data::len))?;
        let to = size(len)?;
        let start = offset / from * to;
        Some(if start < len { Link::Within(start..start + to) } else { Link::Nothing })
    }

    /// Whether the stage put a whole shard together.
    fn is_assembled(&self) -> bool {
        self.after.and_then(Data::elements).is_some() && !self.stage.blocks.is_empty()
    }

    /// Through a shard that was put together: the inner chunk that holds the element, or the elements from the first to
    /// the last of an inner chunk. Its blocks are the inner chunks in C order, those that are empty without bytes.
    fn assembled(&self, offset: u64, down: bool) -> Option<Link> {
        let elements = self.after.and_then(Data::elements)?;
        let inner = self.inner_shape().filter(|_| self.is_assembled())?;
        let counts: Vec<u64> =
            elements.shape().iter().zip(&inner).map(|(n, length)| n / length).collect();
        if down {
            let holds = |block: &Block| block.input.contains(&offset);
            let Some(number) = self.stage.blocks.iter().position(holds) else {
                return Some(Link::Nothing);
            };
            let at = order::coordinates(number as u128, &counts);
            let first: Vec<u64> = at.iter().zip(&inner).map(|(at, n)| at * n).collect();
            let last: Vec<u64> = first.iter().zip(&inner).map(|(at, n)| at + n - 1).collect();
            let bytes = |at: &[u64]| elements.byte_range(elements.position(at));
            return Some(Link::Within(bytes(&first).start..bytes(&last).end));
        }
        let at = elements.coordinates(elements.element_at(offset)?);
        let inner: Vec<u64> = at.iter().zip(&inner).map(|(at, n)| at / n).collect();
        let number = order::number(&inner, &counts)?;
        let block = self.stage.blocks.get(usize::try_from(number).ok()?)?;
        Some(if block.input.is_empty() { Link::Nothing } else { Link::Within(block.input.clone()) })
    }

    fn inner_shape(&self) -> Option<Vec<u64>> {
        let lengths = self.stage.configuration.as_ref()?.get("chunk_shape")?.as_array()?;
        lengths.iter().map(|length| length.as_u64().filter(|&length| length > 0)).collect()
    }

    /// Through a codec that works block by block: the block that holds the byte, or the byte itself where blocks are
    /// only moved. Where it is not known which of several blocks holds it, all that may.
    fn block(&self, offset: u64, len: u64, down: bool) -> Link {
        let stage = self.stage;
        let sides = |block: &Block| {
            let (input, output) = (block.input.clone(), block.output.clone());
            if down { (input, output) } else { (output, input) }
        };
        let holding: Vec<&Block> =
            stage.blocks.iter().filter(|block| sides(block).0.contains(&offset)).collect();
        if let [block] = *holding.as_slice()
            && block.exact
        {
            let (here, there) = sides(block);
            return Link::Exact(there.start + (offset - here.start));
        }
        let found = hull(holding.iter().map(|block| Link::Within(sides(block).1)));
        let is_own = down && (!stage.blocks.is_empty() || self.is_header(offset));
        match found {
            Some(range) => Link::Within(range),
            None if is_own => Link::Nothing,
            None => Link::Within(0..len),
        }
    }

    /// Whether the codec says that this byte of its input is a part of its header, or its checksum.
    fn is_header(&self, offset: u64) -> bool {
        let sum = self.stage.checksum.as_ref();
        self.stage.header.iter().any(|field| field.bytes.contains(&offset))
            || sum.is_some_and(|sum| sum.bytes.contains(&offset))
    }

    /// A checksum in front of the bytes moves them; one behind does not.
    fn beside_checksum(&self, offset: u64, len: u64, down: bool) -> Link {
        let sum = self.stage.checksum.as_ref();
        let front = sum.filter(|sum| sum.bytes.start == 0 && len > 0).map_or(0, |s| s.bytes.end);
        let moved = if down { offset.checked_sub(front) } else { Some(offset + front) };
        moved.filter(|&at| at < len).map_or(Link::Nothing, Link::Exact)
    }

    /// Shuffled bytes lie plane by plane: first the first byte of every element, then the second. What is no whole
    /// element at the end stays where it is.
    fn shuffled(&self, offset: u64, len: u64, down: bool) -> Option<u64> {
        let said = self.stage.configuration.as_ref()?.get("elementsize");
        let item = || len.checked_div(self.count).filter(|size| size * self.count == len);
        let size = match said.map_or(Some(4), serde_json::Value::as_u64)? {
            // As netCDF-C says "that of the array's elements".
            0 => item()?,
            size => size,
        };
        let count = len.checked_div(size)?;
        if offset >= count * size {
            return (offset < len).then_some(offset);
        }
        Some(if down {
            offset % count * size + offset / count
        } else {
            offset % size * count + offset / size
        })
    }
}

/// The least range that holds all that `links` lead to; `None` where they lead nowhere.
pub(super) fn hull(links: impl IntoIterator<Item = Link>) -> Option<Range<u64>> {
    let ranges = links.into_iter().filter_map(|link| match link {
        Link::Exact(at) => Some(at..at + 1),
        Link::Within(range) => Some(range),
        Link::Nothing => None,
    });
    ranges.reduce(|all, range| all.start.min(range.start)..all.end.max(range.end))
}
