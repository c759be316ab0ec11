//! The division of a region into slabs, which follow each other in C order: as many whole chunks each as a moderate
//! amount of memory holds.

use crate::zarr::prelude::*;

/// The number of bytes of elements that a slab aims at.
const AIM: u64 = 32 << 20;
/// The number of bytes it may have to keep chunks whole. Beyond that they are cut, and decoded more than once.
const MOST: u64 = 256 << 20;
/// The number of chunks it may have.
const CHUNKS: u64 = 4096;

impl<'a> ArrayReader<'a> {
    /// The first element, in C order, of every row of chunks, and the number of elements at the end: between two of
    /// them all chunks are decoded to read anything. A row is as short as the grid allows.
    pub fn rows_of_chunks(&self) -> RowsOfChunks<'_> {
        let counts = self.grid.counts(self.shape);
        let thin = counts.iter().zip(self.shape).take_while(|(count, length)| count == length);
        let axis = thin.count().min(self.shape.len().saturating_sub(1));
        RowsOfChunks { grid: self.grid, shape: self.shape, counts, axis }
    }

    /// The slabs of `region`, in C order: as many whole chunks each as a moderate amount of memory holds, at most
    /// `memory` bytes.
    pub fn slabs<'r>(&'r self, region: &[Range<u64>], memory: u64) -> Slabs<'r, 'a> {
        let waiting = Some((0, region.to_vec())).filter(|_| !region.iter().any(Range::is_empty));
        let grid = self.inner_grid(region).unwrap_or(self.grid);
        Slabs { reader: self, grid, most: MOST.min(memory), waiting: waiting.into_iter().collect() }
    }
}

/// The rows of chunks of an array, by number.
#[derive(Debug)]
pub struct RowsOfChunks<'a> {
    grid: &'a Grid,
    shape: &'a [u64],
    counts: Vec<u64>,
    /// The first axis along which chunks are longer than one element.
    axis: usize,
}

impl RowsOfChunks<'_> {
    /// Their number.
    pub fn count(&self) -> u64 {
        if self.shape.contains(&0) {
            return 0;
        }
        self.counts.iter().take(self.axis + 1).fold(1, |product: u64, &n| product.saturating_mul(n))
    }

    /// The number in C order of the first element of row `row`; of the row after the last one, the number of elements.
    pub fn start(&self, row: u64) -> u64 {
        let product = |from: usize| {
            let lengths = self.shape.iter().skip(from);
            lengths.fold(1_u64, |product, &n| product.saturating_mul(n))
        };
        let count = self.counts.get(self.axis).copied().unwrap_or(1).max(1);
        let (before, row) = (row / count, row % count);
        let first = self.grid.span(self.axis, row).map_or(0, |span| span.start);
        before * product(self.axis) + first * product(self.axis + 1)
    }
}

/// The slabs of a region.
#[derive(Debug)]
pub struct Slabs<'r, 'a> {
    reader: &'r ArrayReader<'a>,
    /// The grid of what is decoded at a time.
    grid: &'r Grid,
    /// The number of bytes that it has at most.
    most: u64,
    /// Regions that are left, the next one last: each with the axis along which it is cut.
    waiting: Vec<(usize, Region)>,
}

impl Iterator for Slabs<'_, '_> {
    type Item = Region;

    fn next(&mut self) -> Option<Region> {
        loop {
            let (axis, mut slab) = self.waiting.pop()?;
            let Some(whole) = slab.get(axis).cloned() else { return Some(slab) };
            let (bytes, chunks) = self.cost(axis, &slab);
            let deeper = bytes > self.most || chunks > CHUNKS;
            let end = if deeper { whole.start + 1 } else { self.end(axis, &whole, bytes, chunks) };
            if end < whole.end {
                let mut rest = slab.clone();
                set(&mut rest, axis, end..whole.end);
                self.waiting.push((axis, rest));
            }
            set(&mut slab, axis, whole.start..end);
            if !deeper {
                return Some(slab);
            }
            self.waiting.push((axis + 1, slab));
        }
    }
}

impl Slabs<'_, '_> {
    /// The bytes and chunks of one step along `axis`.
    fn cost(&self, axis: usize, slab: &Region) -> (u64, u64) {
        let behind = || slab.iter().enumerate().skip(axis + 1);
        let bytes = behind().fold(self.reader.item_size(), |bytes, (_, range)| {
            bytes.saturating_mul(range.end - range.start)
        });
        let chunks = behind().fold(1_u64, |chunks, (axis, range)| {
            let chunk = |at| self.grid.chunk_at(axis, at).map_or(0, |(chunk, _)| chunk);
            chunks.saturating_mul(chunk(range.end.saturating_sub(1)) - chunk(range.start) + 1)
        });
        (bytes.max(1), chunks.max(1))
    }

    /// The end of a slab that starts at the start of `rest`: it has as many whole chunks as it aims at, at least one
    /// where that is not too much.
    fn end(&self, axis: usize, rest: &Range<u64>, bytes: u64, chunks: u64) -> u64 {
        let wanted = |most: u64| rest.start.saturating_add((most / bytes).max(1)).min(rest.end);
        let (aim, most) = (wanted(AIM.min(self.most)), wanted(self.most));
        let (mut end, mut rows) = (rest.start, 0);
        while end < rest.end && rows * chunks < CHUNKS {
            let chunk = self.grid.chunk_at(axis, end);
            let span = chunk.and_then(|(chunk, _)| self.grid.span(axis, chunk));
            let next = span.map_or(rest.end, |span| span.end.min(rest.end));
            if next > aim && rows > 0 || next > most {
                break;
            }
            (end, rows) = (next, rows + 1);
        }
        if end == rest.start { aim } else { end }
    }
}

fn set(region: &mut Region, axis: usize, range: Range<u64>) {
    if let Some(place) = region.get_mut(axis) {
        *place = range;
    }
}
