//! How an array is cut into blocks.

use super::Whole;
use crate::zarr::grid::Region;
use std::ops::Range;

/// How many bytes of elements a block aims at.
const AIM: u64 = 32 << 20;
/// How many bytes it may have to keep chunks whole. Beyond that they are cut, and decoded more than once.
const MOST: u64 = 256 << 20;
/// How many chunks it may have.
const CHUNKS: u64 = 4096;

impl Whole<'_> {
    /// Calls `each` with the blocks of `region` in C order, until it gives `false`.
    pub(super) fn split(&self, region: &Region, each: &mut dyn FnMut(Region) -> bool) -> bool {
        if region.iter().any(Range::is_empty) {
            return true;
        }
        self.split_from(0, &mut region.clone(), each)
    }

    fn split_from(
        &self,
        axis: usize,
        region: &mut Region,
        each: &mut dyn FnMut(Region) -> bool,
    ) -> bool {
        let Some(whole) = region.get(axis).cloned() else { return each(region.clone()) };
        // One step along the axis: how many bytes and chunks that is.
        let (bytes, chunks) = self.cost(axis, region);
        let mut at = whole.start;
        while at < whole.end {
            let deeper = bytes > MOST || chunks > CHUNKS;
            let end =
                if deeper { at + 1 } else { self.end_of_block(axis, at..whole.end, bytes, chunks) };
            set(region, axis, at..end);
            let go_on =
                if deeper { self.split_from(axis + 1, region, each) } else { each(region.clone()) };
            if !go_on {
                return false;
            }
            at = end;
        }
        set(region, axis, whole);
        true
    }

    /// Bytes and chunks of what lies behind one index of `axis`.
    fn cost(&self, axis: usize, region: &Region) -> (u64, u64) {
        let behind = || region.iter().enumerate().skip(axis + 1);
        let bytes = behind().fold(self.item_size(), |bytes, (_, range)| {
            bytes.saturating_mul(range.end - range.start)
        });
        let chunks = behind().fold(1_u64, |chunks, (axis, range)| {
            chunks.saturating_mul(self.chunks_between(axis, range))
        });
        (bytes.max(1), chunks.max(1))
    }

    /// How many chunks lie along `range` of `axis`.
    fn chunks_between(&self, axis: usize, range: &Range<u64>) -> u64 {
        let at = |index: u64| self.chunk_on(axis, index).map_or(0, |(chunk, _)| chunk);
        at(range.end.saturating_sub(1)) - at(range.start) + 1
    }

    /// The chunk that holds index `at` of `axis`, and where it ends.
    fn chunk_on(&self, axis: usize, at: u64) -> Option<(u64, u64)> {
        let position: Vec<_> =
            (0..self.shape.len()).map(|other| if other == axis { at } else { 0 }).collect();
        let (coordinates, _) = self.units.grid.locate(&position)?;
        let end = self.units.grid.region(&coordinates, self.shape)?.get(axis)?.end;
        Some((*coordinates.get(axis)?, end))
    }

    /// Where a block that starts at the start of `rest` ends: behind as many whole chunks as it aims at, at least one
    /// where that is not too much.
    fn end_of_block(&self, axis: usize, rest: Range<u64>, bytes: u64, chunks: u64) -> u64 {
        let wanted = |most: u64| rest.start.saturating_add((most / bytes).max(1)).min(rest.end);
        let (aim, most) = (wanted(AIM), wanted(MOST));
        let mut end = rest.start;
        let mut rows = 0;
        while end < rest.end && rows * chunks < CHUNKS {
            let next = self.chunk_on(axis, end).map_or(rest.end, |(_, next)| next.min(rest.end));
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
