//! The order in which the chunks of a raster are read: a few from all over it, then those between them, until all are.

use super::Raster;
use crate::zarr::grid::order;
use crate::zarr::prelude::*;

/// The units of the first level at most, but for what halving an axis makes of it.
const FIRST: u128 = 64;
/// The units that are read at most unasked, and those that are told apart at all: finer levels are never read.
const MOST: [u128; 2] = [1 << 18, 1 << 26];

/// The parts of a raster that are read at a time: chunks, inner chunks, or parts of large raw chunks.
#[derive(Debug)]
pub struct Units {
    grid: Grid,
    region: Region,
    /// The first unit along each dimension.
    first: Vec<u64>,
    /// The number of units along each dimension.
    pub counts: Vec<u64>,
    /// The bytes that one decodes to.
    pub bytes: u64,
}

impl Units {
    /// The units of `raster`.
    pub fn new(reader: &ArrayReader, raster: &Raster) -> Self {
        let grid = reader.reading_grid();
        let unit = |axis: usize, at| grid.chunk_at(axis, at).map_or(0, |(unit, _)| unit);
        let ends = raster.region.iter().enumerate().map(|(axis, range)| {
            (unit(axis, range.start), unit(axis, range.end.saturating_sub(1).max(range.start)))
        });
        let (first, counts): (Vec<u64>, Vec<u64>) =
            ends.map(|(first, last)| (first, last - first + 1)).unzip();
        let shape = grid.chunk_shape(&first).unwrap_or_default();
        let bytes = shape.iter().fold(reader.item_size(), |all, &n| all.saturating_mul(n));
        Self { region: raster.region.clone(), first, counts, bytes, grid }
    }

    /// The number of units; 2⁶⁴ where there are more.
    pub fn total(&self) -> u64 {
        order::product(&self.counts).unwrap_or(u64::MAX)
    }

    /// The levels that are read, the coarsest first: the stride of each, in units along each dimension. Unless `all` is
    /// asked for, those with too many units are left out.
    pub fn levels(&self, all: bool) -> impl Iterator<Item = u64> + use<> {
        let most = if all { MOST[1] } else { MOST[0] };
        let counts = self.counts.clone();
        let of = move |stride: u64| {
            counts.iter().fold(1_u128, |all, &n| all.saturating_mul(n.div_ceil(stride).into()))
        };
        let mut top = 1_u64;
        while of(top) > FIRST && top < 1 << 62 {
            top *= 2;
        }
        std::iter::successors(Some(top), |&stride| (stride > 1).then_some(stride / 2))
            .take_while(move |&stride| of(stride) <= most || stride == top)
    }

    /// The units of the level `stride` that are in none before it, each as a part of the array.
    pub fn level(&self, stride: u64, is_first: bool) -> impl Iterator<Item = Region> + '_ {
        let counts: Vec<u64> = self.counts.iter().map(|n| n.div_ceil(stride)).collect();
        let is_done = move |at: &[u64]| !is_first && at.iter().all(|at| at % 2 == 0);
        let mut next = Some(vec![0; counts.len()]);
        std::iter::from_fn(move || {
            loop {
                let at = next.take()?;
                next = order::next(&at, &counts, true);
                if !is_done(&at) {
                    return Some(self.unit(&at, stride));
                }
            }
        })
    }

    fn unit(&self, at: &[u64], stride: u64) -> Region {
        let units = at.iter().zip(&self.first).map(|(at, first)| first + at * stride);
        let part = |(axis, unit): (usize, u64)| {
            let (range, span) = (self.region.get(axis)?, self.grid.span(axis, unit)?);
            Some(span.start.max(range.start)..span.end.min(range.end))
        };
        units.enumerate().filter_map(part).collect()
    }
}
