//! The division of a region into pieces, one for each chunk, which may be read in any order.

use super::{VARYING, len};
use crate::zarr::prelude::*;

/// The number of bytes of a raw chunk that are read at a time.
const RAW_PIECE: u64 = 4 << 20;

/// The part of a region that one chunk holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Piece {
    /// The elements of the array that it covers.
    pub region: Region,
    /// The chunk that holds them, or the inner chunk.
    pub chunk: ChunkId,
    /// The elements that the chunk covers, edge included.
    pub(super) space: Region,
    /// The number of bytes that decoding it takes; a guess where elements vary in length.
    pub cost: u64,
}

impl Piece {
    /// The coordinates of the chunk's first element in the array.
    pub fn origin(&self) -> Vec<u64> {
        starts(&self.space)
    }

    /// The length of the piece along each dimension, in elements.
    pub fn extent(&self) -> Vec<u64> {
        self.region.iter().zip(&self.space).map(|(part, space)| part.end - space.start).collect()
    }
}

/// The chunks of a grid that hold a part of a region, in C order of their coordinates, each with its part.
#[derive(Debug)]
struct Overlaps<'a> {
    grid: &'a Grid,
    region: Region,
    first: Vec<u64>,
    last: Vec<u64>,
    next: Option<Vec<u64>>,
}

impl<'a> Overlaps<'a> {
    fn new(grid: &'a Grid, region: Region) -> Self {
        let chunk = |axis, at| grid.chunk_at(axis, at).map(|(chunk, _)| chunk);
        let axes = || region.iter().enumerate().filter(|(_, range)| !range.is_empty());
        let first: Vec<_> = axes().filter_map(|(axis, range)| chunk(axis, range.start)).collect();
        let last: Vec<_> = axes().filter_map(|(axis, range)| chunk(axis, range.end - 1)).collect();
        let reached = first.len() == region.len() && last.len() == region.len();
        Self { grid, next: reached.then(|| first.clone()), region, first, last }
    }

    fn advance(&self, mut at: Vec<u64>) -> Option<Vec<u64>> {
        let bounds = self.first.iter().zip(&self.last);
        for (place, (&first, &last)) in at.iter_mut().zip(bounds).rev() {
            if *place < last {
                *place += 1;
                return Some(at);
            }
            *place = first;
        }
        None
    }
}

impl Iterator for Overlaps<'_> {
    /// Coordinates, the elements that the chunk covers, and those of them that are in the region.
    type Item = (Vec<u64>, Region, Region);

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let at = self.next.take()?;
            self.next = self.advance(at.clone());
            let spans = at.iter().enumerate().map(|(axis, &at)| self.grid.span(axis, at));
            // A chunk past 2⁶⁴ elements is none.
            let Some(space) = spans.collect::<Option<Region>>() else { continue };
            let part: Region = space
                .iter()
                .zip(&self.region)
                .map(|(span, range)| span.start.max(range.start)..span.end.min(range.end))
                .collect();
            if !part.iter().any(Range::is_empty) {
                return Some((at, space, part));
            }
        }
    }
}

/// The pieces of a region: those of one shard after the other, else in C order of the chunks.
pub struct Pieces<'r, 'a> {
    reader: &'r ArrayReader<'a>,
    chunks: Overlaps<'r>,
    /// The grid of inner chunks, where pieces are such.
    inner: Option<&'r Grid>,
    /// The shard whose inner chunks come next: its coordinates, where it begins, and they.
    shard: Option<(Vec<u64>, Vec<u64>, Overlaps<'r>)>,
    /// True if parts of large raw chunks are pieces of their own.
    cut_raw: bool,
    /// The raw chunk whose parts come next, and these: of a chunk that is only declared there may be any number.
    raw: Option<(Piece, Box<dyn Iterator<Item = Region> + Send>)>,
}

impl fmt::Debug for Pieces<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pieces").field("chunks", &self.chunks).finish_non_exhaustive()
    }
}

impl Pieces<'_, '_> {
    /// The next piece of the shard at hand.
    fn inner_chunk(&mut self) -> Option<Piece> {
        let (shard, origin, chunks) = self.shard.as_mut()?;
        let Some((inner, space, part)) = chunks.next() else {
            self.shard = None;
            return None;
        };
        let id = ChunkId { coordinates: shard.clone(), inner: vec![inner] };
        let (space, part) = (moved(&space, origin), moved(&part, origin));
        Some(self.reader.piece(id, space, part))
    }

    /// The next part of the raw chunk at hand.
    fn raw_part(&mut self) -> Option<Piece> {
        let (piece, parts) = self.raw.as_mut()?;
        let Some(region) = parts.next() else {
            self.raw = None;
            return None;
        };
        let cost = len(&region).unwrap_or(u64::MAX).saturating_mul(self.reader.item_size());
        Some(Piece { region, cost, ..piece.clone() })
    }
}

impl Iterator for Pieces<'_, '_> {
    type Item = Piece;

    fn next(&mut self) -> Option<Piece> {
        loop {
            if let Some(piece) = self.raw_part().or_else(|| self.inner_chunk()) {
                return Some(piece);
            }
            let (coordinates, space, part) = self.chunks.next()?;
            if let Some(grid) = self.inner {
                let origin: Vec<_> = space.iter().map(|span| span.start).collect();
                let part = part
                    .iter()
                    .zip(&origin)
                    .map(|(range, &start)| range.start - start..range.end - start)
                    .collect();
                self.shard = Some((coordinates, origin, Overlaps::new(grid, part)));
                continue;
            }
            let id = ChunkId::at(coordinates);
            let piece = self.reader.piece(id, space, part);
            if !self.reader.is_raw() {
                return Some(piece);
            }
            // Of a raw chunk, only what is wanted is read.
            let size = self.reader.item_size();
            let most = if self.cut_raw { RAW_PIECE / size.max(1) } else { u64::MAX };
            let parts = Box::new(cut(&piece.region, most));
            self.raw = Some((piece, parts));
        }
    }
}

/// `region` so many elements further on.
fn moved(region: &[Range<u64>], by: &[u64]) -> Region {
    region.iter().zip(by).map(|(range, &by)| range.start + by..range.end + by).collect()
}

/// Parts of `region` of at most `most` elements that follow each other in C order.
pub fn cut(region: &[Range<u64>], most: u64) -> impl Iterator<Item = Region> + use<> {
    let lengths = lengths(region);
    let behind = |axis: usize| {
        let behind = lengths.iter().skip(axis + 1);
        behind.fold(1_u64, |product, &n| product.saturating_mul(n)).max(1)
    };
    // The first axis of which one step is not too much is the one that is cut; those before it step by step.
    let axis = (0..lengths.len()).find(|&axis| behind(axis) <= most).unwrap_or(lengths.len());
    let step = most.checked_div(behind(axis)).unwrap_or(1).max(1);
    let mut waiting = vec![(0, region.to_vec())];
    std::iter::from_fn(move || {
        loop {
            let (at, mut part) = waiting.pop()?;
            let Some(range) = part.get_mut(at).filter(|_| at <= axis) else { return Some(part) };
            if range.is_empty() {
                continue;
            }
            let end = range.start.saturating_add(if at == axis { step } else { 1 }).min(range.end);
            let rest = end..std::mem::replace(&mut range.end, end);
            if !rest.is_empty() {
                let mut behind = part.clone();
                if let Some(place) = behind.get_mut(at) {
                    *place = rest;
                }
                waiting.push((at, behind));
            }
            waiting.push((at + 1, part));
        }
    })
}

/// The regions of an array of this shape whose elements are those of `range` in C order, one after the other.
pub fn boxes(shape: &[u64], range: Range<u64>) -> Vec<Region> {
    let mut boxes = Vec::new();
    gather_boxes(&[], shape, range, &mut boxes);
    boxes
}

/// [`boxes`] of what is behind the indices `before`.
fn gather_boxes(before: &[u64], shape: &[u64], range: Range<u64>, boxes: &mut Vec<Region>) {
    let Some((&length, rest)) = shape.split_first() else {
        if !range.is_empty() {
            boxes.push(before.iter().map(|&at| at..at + 1).collect());
        }
        return;
    };
    let size = rest.iter().fold(1_u64, |product, &n| product.saturating_mul(n)).max(1);
    let range = range.start..range.end.min(length.saturating_mul(size));
    let mut at = range.start;
    while at < range.end {
        let (index, within) = (at / size, at % size);
        let whole = (range.end / size).saturating_sub(index);
        if within == 0 && whole > 0 {
            let here = before.iter().map(|&at| at..at + 1);
            let here = here.chain(std::iter::once(index..index + whole));
            boxes.push(here.chain(rest.iter().map(|&n| 0..n)).collect());
            at += whole * size;
        } else {
            let end = range.end.min((index + 1) * size);
            let here = [before, &[index]].concat();
            gather_boxes(&here, rest, within..within + (end - at), boxes);
            at = end;
        }
    }
}

impl<'a> ArrayReader<'a> {
    /// The pieces of `region`, which must be within the array.
    pub fn pieces<'r>(&'r self, region: &[Range<u64>]) -> Pieces<'r, 'a> {
        self.cut(region, true)
    }

    /// The pieces of a slab: each is all that its chunk holds of it.
    pub fn pieces_of_slab<'r>(&'r self, slab: &[Range<u64>]) -> Pieces<'r, 'a> {
        self.cut(slab, false)
    }

    /// The chunks of `region`, each of them one piece.
    pub fn whole_chunks<'r>(&'r self, region: &[Range<u64>]) -> Pieces<'r, 'a> {
        Pieces { inner: None, ..self.cut(region, false) }
    }

    /// The pieces of a chunk that covers `region`, or of a shard, as they are among those of the whole array.
    pub fn pieces_of_chunk<'r>(&'r self, region: &[Range<u64>]) -> Pieces<'r, 'a> {
        Pieces { inner: self.inner_grid(&self.whole()), ..self.cut(region, true) }
    }

    /// The number of elements of `region`, and of the chunks that its pieces are of, where it is a chunk, a shard or
    /// the whole array. At most 2⁶⁴ - 1 each.
    pub fn elements_and_chunks(&self, region: &[Range<u64>]) -> [u64; 2] {
        let grid = self.inner_grid(&self.whole()).unwrap_or(self.grid);
        let count = |axis: usize, range: &Range<u64>| {
            let chunk = |at| grid.chunk_at(axis, at).map_or(0, |(chunk, _)| chunk);
            range.end.checked_sub(1).map_or(0, |last| chunk(last) - chunk(range.start) + 1)
        };
        let counts = region.iter().enumerate().map(|(axis, range)| count(axis, range));
        let chunks = counts.fold(1_u64, u64::saturating_mul);
        [len(region).unwrap_or(u64::MAX), chunks]
    }

    fn cut<'r>(&'r self, region: &[Range<u64>], cut_raw: bool) -> Pieces<'r, 'a> {
        Pieces {
            reader: self,
            chunks: Overlaps::new(self.grid, region.to_vec()),
            inner: self.inner_grid(region),
            shard: None,
            cut_raw,
            raw: None,
        }
    }

    /// The piece that is the part `region` of a chunk that covers `space`.
    pub(super) fn piece(&self, chunk: ChunkId, space: Region, region: Region) -> Piece {
        let cost = len(&space).unwrap_or(u64::MAX).saturating_mul(self.item_size());
        Piece { region, chunk, space, cost }
    }

    /// The grid of the inner chunks, where those of `region` are read one by one: shards are large, or few of their
    /// elements are wanted.
    pub(super) fn inner_grid(&self, region: &[Range<u64>]) -> Option<&Grid> {
        let few = |shard: u64| len(region).is_some_and(|len| len <= shard / 2);
        let inner = self.inner.as_ref()?;
        (inner.is_large || few(inner.shard_len)).then_some(&inner.grid)
    }

    /// The grid of what is read at a time where the array is gone through in another order than that of its chunks: the
    /// inner chunks of large shards, parts of large raw chunks, else chunks.
    pub fn reading_grid(&self) -> Grid {
        /// The bytes that a part of a raw chunk has at most.
        const PART: u64 = 32 << 20;
        if let Some(inner) = self.inner.as_ref().filter(|inner| inner.is_large) {
            return inner.grid.clone();
        }
        let Grid::Regular(shape) = self.grid else { return self.grid.clone() };
        let mut shape = shape.clone();
        let bytes = |shape: &[u64]| {
            shape.iter().fold(self.item_size(), |bytes, &length| bytes.saturating_mul(length))
        };
        while self.is_raw() && bytes(&shape) > PART {
            let Some(longest) = shape.iter_mut().max().filter(|longest| **longest > 1) else {
                break;
            };
            *longest = longest.div_ceil(2);
        }
        Grid::Regular(shape)
    }

    /// The size of an element, or what is assumed of it, in bytes.
    pub fn item_size(&self) -> u64 {
        self.resolved.data_type.fixed_size().map_or(VARYING, |size| size as u64)
    }

    /// True if stored bytes are elements in C order, so that a part of a chunk that is C order can be read alone.
    pub fn is_raw(&self) -> bool {
        let in_order = |chain: &Chain| chain.links.len() == 1 && !self.array.fortran;
        self.chain.as_ref().is_some_and(|chain| chain.is_raw() && in_order(chain))
    }
}
