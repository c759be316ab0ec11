//! A part of an array with its chunks decoded, seen as one row of elements in C order.
//!
//! Those who want elements of any data type in the array's order (`values`, `export`) have them in chunks, which are in
//! another order. A [`Slab`] goes through its chunks by [`Run`]s: stretches of elements that follow each other in the
//! array and are in one chunk.

use super::len;
use crate::zarr::grid::order;
use crate::zarr::prelude::*;

/// The source of a run of elements.
#[derive(Debug, Clone, Copy)]
pub enum RunSource<'a> {
    /// In no chunk: they are the fill value.
    Fill,
    /// In a chunk that cannot be read.
    Unreadable,
    /// In a chunk: its elements, the position of the first one, and how many positions they are apart.
    Stored(&'a Elements, u64, u64),
}

/// Elements that follow each other in the array and are in one chunk.
#[derive(Debug, Clone, Copy)]
pub struct Run<'a> {
    /// The source of the elements.
    pub source: RunSource<'a>,
    /// The number of elements.
    pub count: u64,
}

/// The part of a slab that a row of chunks has along one axis.
#[derive(Debug)]
struct AxisShare {
    /// The index of the chunk's first element in the array.
    start: u64,
    /// The length of the chunk, edge included.
    length: u64,
    /// The part of the array that it gives to the slab.
    range: Range<u64>,
}

/// A part of an array with its chunks decoded.
#[derive(Debug)]
pub struct Slab {
    region: Region,
    axes: Vec<Vec<AxisShare>>,
    /// The pieces and what was read of them, in C order of the chunks.
    pieces: Vec<(Piece, PieceData)>,
    /// The axis along which runs go. Those after it are covered by each chunk whole.
    run_axis: usize,
}

impl Slab {
    /// The slab that is `region`, of its pieces (see [`super::ArrayReader::pieces_of_slab`]) in any order.
    pub fn new(region: Region, pieces: Vec<(Piece, PieceData)>) -> Self {
        let axes: Vec<_> = (0..region.len()).map(|axis| shares(&pieces, axis)).collect();
        let counts: Vec<_> = axes.iter().map(|shares| shares.len() as u64).collect();
        let number = |piece: &Piece| {
            let at = |(shares, range): (&Vec<AxisShare>, &Range<u64>)| {
                shares.partition_point(|share| share.range.start < range.start) as u64
            };
            let at: Vec<_> = axes.iter().zip(&piece.region).map(at).collect();
            order::number(&at, &counts)
        };
        let mut pieces = pieces;
        pieces.sort_by_key(|(piece, _)| number(piece));
        let run_axis = axes.len().saturating_sub(1);
        let mut slab = Self { region, axes, pieces, run_axis };
        while slab.run_axis > 0 && slab.is_covered(slab.run_axis) {
            slab.run_axis -= 1;
        }
        slab
    }

    /// One chunk alone, as far as it is inside the array.
    pub fn of_chunk(chunk: Chunk) -> Self {
        let region = chunk.region.clone();
        let space = region.iter().zip(&chunk.shape);
        let space = space.map(|(range, length)| range.start..range.start + length).collect();
        let piece = Piece { region: region.clone(), chunk: chunk.id.clone(), space, cost: 0 };
        Self::new(region, vec![(piece, chunk.into())])
    }

    /// Its pieces and what was read of them.
    pub fn pieces(&self) -> &[(Piece, PieceData)] {
        &self.pieces
    }

    /// Makes pieces unreadable whose files were cut or written to since, and gives them with what is wrong. To be asked
    /// after a pass over its runs: if there are any, what was made of the runs must not be shown.
    pub fn drop_lost(&mut self) -> Vec<(&Piece, Error)> {
        let lost = self.pieces.iter_mut().filter_map(|(piece, data)| {
            let error = data.intact().err()?;
            *data = PieceData::Unreadable(error.clone());
            Some((&*piece, error))
        });
        lost.collect()
    }

    /// The number of elements.
    pub fn len(&self) -> u64 {
        len(&self.region).unwrap_or(u64::MAX)
    }

    /// True if it has no elements.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// True if every chunk covers `axis` whole, and is in C order, so that a run can go on over it.
    fn is_covered(&self, axis: usize) -> bool {
        let Some([share]) = self.axes.get(axis).map(Vec::as_slice) else { return false };
        let whole = |elements: &Elements| {
            elements.is_c_order() && elements.shape().get(axis) == Some(&share.length)
        };
        share.range.end - share.range.start == share.length
            && self.pieces.iter().all(|(_, data)| match data {
                PieceData::Stored(elements) => whole(elements),
                PieceData::Missing | PieceData::Unreadable(_) => true,
            })
    }

    /// True if none of the elements `wanted` is stored, and all of them are the fill value.
    pub fn is_missing(&self, wanted: Range<u64>) -> bool {
        let mut is_missing = true;
        self.runs(wanted, &mut |run| is_missing &= matches!(run.source, RunSource::Fill));
        is_missing
    }

    /// True if all of the elements `wanted` are stored and known to be the same without a look: a hole of a sparse file.
    pub fn is_hole(&self, wanted: Range<u64>) -> bool {
        let mut is_hole = true;
        self.runs(wanted, &mut |run| {
            is_hole = is_hole
                && match run.source {
                    RunSource::Stored(elements, first, 1) if run.count > 0 => {
                        let last = elements.byte_range(first + run.count - 1);
                        elements.bytes().is_hole(elements.byte_range(first).start..last.end)
                    }
                    _ => false,
                };
        });
        is_hole
    }

    /// The runs of the elements `wanted`, counted in C order from the start of the slab.
    pub fn runs<'a>(&'a self, wanted: Range<u64>, each: &mut dyn FnMut(Run<'a>)) {
        let length = |axis: usize| self.region.get(axis).map_or(1, |range| range.end - range.start);
        let behind: u64 = (self.run_axis + 1..self.region.len()).map(length).product();
        let row = length(self.run_axis) * behind;
        if row == 0 {
            return;
        }
        let mut local = vec![0; self.region.len()];
        for number in wanted.start / row..wanted.end.div_ceil(row) {
            let first = self.enter_row(number, &mut local);
            let start = number * row;
            let clip = wanted.start.max(start) - start..wanted.end.min(start + row) - start;
            self.runs_of_row(first, &mut local, behind, &clip, each);
        }
    }

    /// Puts the coordinates of row `number` within its chunks into `local`; gives the number of the row's first chunk.
    fn enter_row(&self, number: u64, local: &mut [u64]) -> usize {
        let mut rest = number;
        let mut first = 0;
        // The chunks that one step along an axis passes.
        let mut stride = self.axes.iter().skip(self.run_axis).map(Vec::len).product::<usize>();
        for axis in (0..self.run_axis).rev() {
            let (Some(range), Some(shares)) = (self.region.get(axis), self.axes.get(axis)) else {
                continue;
            };
            let length = (range.end - range.start).max(1);
            let at = range.start + rest % length;
            rest /= length;
            let which = shares.partition_point(|share| share.range.end <= at);
            if let (Some(share), Some(place)) = (shares.get(which), local.get_mut(axis)) {
                *place = at - share.start;
            }
            first += which * stride;
            stride *= shares.len();
        }
        first
    }

    fn runs_of_row<'a>(
        &'a self,
        first: usize,
        local: &mut [u64],
        behind: u64,
        clip: &Range<u64>,
        each: &mut dyn FnMut(Run<'a>),
    ) {
        // An array of no dimensions has one chunk and one element.
        let Some(shares) = self.axes.get(self.run_axis) else {
            self.run(first, local, 0..1, each);
            return;
        };
        let mut done = 0;
        for (which, share) in shares.iter().enumerate() {
            let count = (share.range.end - share.range.start) * behind;
            let part = clip.start.clamp(done, done + count) - done
                ..clip.end.clamp(done, done + count) - done;
            if !part.is_empty() {
                if let Some(place) = local.get_mut(self.run_axis) {
                    *place = share.range.start - share.start;
                }
                self.run(first + which, local, part, each);
            }
            done += count;
        }
    }

    /// The run of the elements `part`, counted from `local` in chunk `number`.
    fn run<'a>(
        &'a self,
        number: usize,
        local: &[u64],
        part: Range<u64>,
        each: &mut dyn FnMut(Run<'a>),
    ) {
        let source = match self.pieces.get(number).map(|(_, data)| data) {
            Some(PieceData::Stored(elements)) => {
                let step = match elements.strides().get(self.run_axis) {
                    Some(&stride) if self.run_axis + 1 == local.len() => stride,
                    _ => 1,
                };
                RunSource::Stored(elements, elements.position(local) + part.start * step, step)
            }
            Some(PieceData::Unreadable(_)) => RunSource::Unreadable,
            Some(PieceData::Missing) | None => RunSource::Fill,
        };
        each(Run { source, count: part.end - part.start });
    }
}

/// The division of an axis among the chunks of `pieces`.
fn shares(pieces: &[(Piece, PieceData)], axis: usize) -> Vec<AxisShare> {
    let share = |piece: &Piece| {
        let (range, space) = (piece.region.get(axis)?.clone(), piece.space.get(axis)?);
        Some((
            range.start,
            AxisShare { start: space.start, length: space.end - space.start, range },
        ))
    };
    let shares: BTreeMap<u64, AxisShare> =
        pieces.iter().filter_map(|(piece, _)| share(piece)).collect();
    shares.into_values().collect()
}
