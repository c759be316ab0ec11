//! A slice of an array as cells, put together of what was read of its chunks in any order.
//!
//! A [`Raster`] says which part of the array is drawn and how it is cut into cells. [`Raster::gather`] looks at a piece
//! of the array on any thread; [`Gathered`] is what came of some of them, and grows by [`Gathered::merge`].

use super::{
    Column, Counter, HeatCell, HeatMap, Look, Statistics, Tally, heat_map::Gather, tally::of_hole,
    widen,
};
use crate::zarr::array;
use crate::zarr::prelude::*;
use std::mem::take;

mod units;

pub use units::Units;

/// Cells by their number, row by row.
type Cells = BTreeMap<usize, HeatCell>;

/// The number of damaged chunks that are told.
const TOLD: usize = 1000;

/// The part of an array that is drawn, and its cells.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Raster {
    /// The axis that runs down; `None` for a single row.
    pub down: Option<usize>,
    /// The axis that runs right.
    pub right: usize,
    /// The elements, along each dimension of the array.
    pub region: Region,
    /// The start of each row of cells along `down`, and the end of the last one.
    pub rows: Vec<u64>,
    /// The start of each column of cells along `right`, and the end of the last one.
    pub columns: Vec<u64>,
    /// True if a cell shows the highest of its numbers, false if their mean.
    pub takes_highest: bool,
    /// Of how many elements along each dimension one is looked at.
    pub steps: Vec<u64>,
}

/// The figures of some chunks.
#[derive(Debug, Clone, Default)]
pub struct Gathered {
    /// The cells that have something, by their number, row by row.
    pub cells: Cells,
    /// The elements that were looked at.
    pub statistics: Statistics,
    /// The places of the lowest and the highest number in the array.
    pub places: [Vec<u64>; 2],
    /// The first element, in C order, that is NaN, infinite or "not a time", and neither missing nor the fill value.
    pub odd: Option<Vec<u64>>,
    /// Chunks that are stored, missing, unreadable.
    pub chunks: [u64; 3],
    /// Unreadable chunks and why, of many the first.
    pub damaged: Vec<(Vec<u64>, Error)>,
}

impl Gathered {
    /// The figures of both together.
    pub fn merge(mut self, other: Self, takes_highest: bool) -> Self {
        for (at, cell) in &other.cells {
            self.cells.entry(*at).or_default().merge(*cell, takes_highest);
        }
        self.count(other);
        self
    }

    /// Adds all but the cells.
    fn count(&mut self, other: Self) {
        let Self { statistics, places, chunks, .. } = self;
        let own = Tally { statistics: take(statistics), places: take(places), chunks: *chunks };
        let more =
            Tally { statistics: other.statistics, places: other.places, chunks: other.chunks };
        Tally { statistics: *statistics, places: *places, chunks: *chunks } = own.merge(more);
        self.odd = match (self.odd.take(), other.odd) {
            (Some(own), Some(others)) => Some(own.min(others)),
            (own, others) => own.or(others),
        };
        let room = TOLD.saturating_sub(self.damaged.len());
        self.damaged.extend(other.damaged.into_iter().take(room));
    }
}

/// All cells of a raster, as far as its chunks were read.
#[derive(Debug, Clone, Default)]
pub struct RasterMap {
    /// The cells.
    pub map: HeatMap,
    /// The other figures; their `cells` are empty.
    pub all: Gathered,
}

impl RasterMap {
    /// The cells before anything was read.
    pub fn new(raster: &Raster) -> Self {
        let (rows, columns) = (raster.row_count(), raster.columns.len().saturating_sub(1));
        let cells = vec![HeatCell::default(); rows * columns];
        let sampled = raster.steps.iter().any(|&step| step > 1);
        Self { map: HeatMap { rows, columns, cells, sampled }, all: Gathered::default() }
    }

    /// Takes in what was gathered of more chunks.
    pub fn take(&mut self, mut news: Gathered, takes_highest: bool) {
        for (at, more) in take(&mut news.cells) {
            if let Some(cell) = self.map.cells.get_mut(at) {
                cell.merge(more, takes_highest);
            }
        }
        self.all.count(news);
    }
}

/// The cell along an axis that holds the element `at`; `None` outside.
pub fn cell_at(bounds: &[u64], at: u64) -> Option<usize> {
    let cell = bounds.partition_point(|&bound| bound <= at).checked_sub(1)?;
    (cell + 1 < bounds.len()).then_some(cell)
}

/// The numbers of elements of the cells between such bounds.
pub fn widths(bounds: &[u64]) -> impl Iterator<Item = u64> + '_ {
    bounds.iter().zip(bounds.iter().skip(1)).map(|(from, to)| to - from)
}

impl Raster {
    /// The number of rows of cells.
    pub fn row_count(&self) -> usize {
        self.down.map_or(1, |_| self.rows.len().saturating_sub(1))
    }

    /// The row and the column of the cell that holds the element at these coordinates of the array.
    pub fn cell(&self, at: &[u64]) -> Option<(usize, usize)> {
        let row = match self.down {
            Some(axis) => cell_at(&self.rows, *at.get(axis)?)?,
            None => 0,
        };
        Some((row, cell_at(&self.columns, *at.get(self.right)?)?))
    }

    /// The figures of a piece of the array that was read as `data`: by the first choice of `counter`.
    pub fn gather(&self, counter: &Counter, piece: &Piece, data: &PieceData) -> Gathered {
        let mut gathered = match data {
            PieceData::Stored(elements) => {
                let Some(choice) = counter.choices.first() else { return Gathered::default() };
                let one = of_hole(elements).filter(|_| self.steps.iter().all(|&step| step <= 1));
                let gathered = match one {
                    Some(one) => self.repeated(&counter.column(&one, choice), piece),
                    None => self.look(&counter.column(elements, choice), piece),
                };
                match data.intact() {
                    Ok(()) => Gathered { chunks: [1, 0, 0], ..gathered },
                    Err(error) => self.damaged(counter, piece, error),
                }
            }
            PieceData::Missing => {
                let absent = |count| HeatCell { absent: count, ..HeatCell::default() };
                let cells = self.spread(piece, absent);
                Gathered { cells, chunks: [0, 1, 0], ..Gathered::default() }
            }
            PieceData::Unreadable(error) => self.damaged(counter, piece, error.clone()),
        };
        gathered.statistics.skipped = 0;
        gathered
    }

    fn damaged(&self, counter: &Counter, piece: &Piece, error: Error) -> Gathered {
        let damaged = |count| HeatCell { damaged: count, ..HeatCell::default() };
        let error = error.in_file(counter.reader.key(&piece.chunk));
        Gathered {
            cells: self.spread(piece, damaged),
            chunks: [0, 0, 1],
            damaged: vec![(piece.chunk.coordinates.clone(), error)],
            ..Gathered::default()
        }
    }

    /// The cells that a piece is in, each with its number of elements of it.
    fn spread(&self, piece: &Piece, cell: impl Fn(u64) -> HeatCell) -> Cells {
        let all = array::len(&piece.region).unwrap_or(u64::MAX);
        let overlaps = |bounds: &[u64], axis: usize| -> Vec<(usize, u64)> {
            let range = piece.region.get(axis).cloned().unwrap_or_default();
            let first = cell_at(bounds, range.start).unwrap_or(0);
            let cells = bounds.windows(2).enumerate().skip(first);
            let part = |(at, ends): (usize, &[u64])| {
                let (start, end) = (*ends.first()?, *ends.last()?);
                let part = end.min(range.end).checked_sub(start.max(range.start))?;
                (part > 0).then_some((at, part))
            };
            cells.map_while(part).collect()
        };
        let rows = self.down.map_or_else(|| vec![(0, 1)], |axis| overlaps(&self.rows, axis));
        let columns = overlaps(&self.columns, self.right);
        let length = |axis: usize| piece.region.get(axis).map_or(1, |r| (r.end - r.start).max(1));
        let plane = self.down.map_or(1, length).saturating_mul(length(self.right));
        let (behind, count) = (all / plane.max(1), self.columns.len().saturating_sub(1));
        let mut cells = BTreeMap::new();
        for (row, high) in rows {
            for (column, wide) in &columns {
                let elements = high.saturating_mul(*wide).saturating_mul(behind);
                cells.insert(row * count + column, cell(elements));
            }
        }
        cells
    }

    /// Looks at the first element of a piece, all of whose elements are the same.
    fn repeated(&self, column: &Column, piece: &Piece) -> Gathered {
        let mut first = piece.clone();
        first.region.iter_mut().for_each(|range| range.end = range.start + 1);
        let one = self.look(column, &first);
        let cell = one.cells.values().next().copied().unwrap_or_default();
        let count = array::len(&piece.region).unwrap_or(u64::MAX);
        let statistics = one.statistics.times(count);
        Gathered { cells: self.spread(piece, |count| cell.times(count)), statistics, ..one }
    }

    /// Looks at the elements of a piece.
    fn look(&self, column: &Column, piece: &Piece) -> Gathered {
        let elements = column.elements();
        let origin = piece.origin();
        let mut pass = LinePass::new(self, column);
        let line = (0..elements.strides().len())
            .find(|&axis| elements.strides().get(axis) == Some(&1))
            .unwrap_or(0);
        let mut at: Vec<u64> = starts(&piece.region);
        let along = piece.region.get(line).cloned().unwrap_or(0..1);
        loop {
            let local: Vec<u64> = at.iter().zip(&origin).map(|(at, from)| at - from).collect();
            pass.line(&at, line, &along, elements.position(&local));
            if !self.advance(&mut at, piece, line) {
                break;
            }
        }
        pass.finish(&origin)
    }

    /// The coordinates of the next line along `line`; false after the last.
    fn advance(&self, at: &mut [u64], piece: &Piece, line: usize) -> bool {
        for axis in (0..at.len()).rev().filter(|axis| *axis != line) {
            let (Some(place), Some(range)) = (at.get_mut(axis), piece.region.get(axis)) else {
                continue;
            };
            *place = place.saturating_add(self.step(axis));
            if *place < range.end {
                return true;
            }
            *place = range.start;
        }
        false
    }

    fn step(&self, axis: usize) -> u64 {
        self.steps.get(axis).copied().unwrap_or(1).max(1)
    }
}

/// A look at the elements of a piece, line by line.
struct LinePass<'r, 'e> {
    raster: &'r Raster,
    column: &'r Column<'e>,
    cells: BTreeMap<usize, Gather>,
    statistics: Statistics,
    extremes: [Option<(i64, u64)>; 2],
    odd: Option<u64>,
}

impl<'r, 'e> LinePass<'r, 'e> {
    fn new(raster: &'r Raster, column: &'r Column<'e>) -> Self {
        let (statistics, extremes) = (Statistics::default(), [None; 2]);
        Self { raster, column, cells: BTreeMap::new(), statistics, extremes, odd: None }
    }

    /// Looks at the elements `along` axis `line`; the first is at coordinates `at` of the array, at `position` of the
    /// chunk.
    fn line(&mut self, at: &[u64], line: usize, along: &Range<u64>, position: u64) {
        let raster = self.raster;
        let Some((row, column)) = raster.cell(at) else { return };
        let columns = raster.columns.len().saturating_sub(1);
        let (bounds, first, stride): (&[u64], usize, usize) = match line {
            _ if line == raster.right => (&raster.columns, column, 1),
            _ if raster.down == Some(line) => (&raster.rows, row, columns),
            _ => (&[], 0, 0),
        };
        let mut from = along.start;
        let mut cell = first;
        let start = row * columns + column;
        while from < along.end {
            // As far as one cell goes.
            let end = bounds.get(cell + 1).map_or(along.end, |&end| end.min(along.end));
            let number = start + (cell - first) * stride;
            let base = position + (from - along.start);
            self.run(number, base..base + (end - from), raster.step(line));
            (from, cell) = (end.max(from + 1), cell + 1);
        }
    }

    /// Looks at every `step`th of some positions, which are all in one cell.
    fn run(&mut self, number: usize, positions: Range<u64>, step: u64) {
        let Self { raster, column, cells, statistics, extremes, odd } = self;
        let cell = cells.entry(number).or_default();
        let (has_means, takes_highest) = (column.has_means(), raster.takes_highest);
        let mut seen = 0;
        let mut see = |position: u64, look: Look| {
            statistics.count(&look);
            if look.is_non_finite() {
                statistics.first_non_finite.get_or_insert(position);
                *odd = Some(odd.map_or(position, |first| first.min(position)));
            }
            if look.is_number() {
                statistics.add(look.value);
                widen(extremes, look.rank, position);
            }
            cell.see(&look, has_means, takes_highest);
        };
        if step == 1 {
            seen += column.pass(positions, &mut see);
        } else {
            let step = to_usize(step);
            for at in positions.step_by(step) {
                seen += column.pass(at..at + 1, &mut see);
            }
        }
        statistics.elements += seen;
    }

    /// The figures, the chunk beginning at `origin` of the array.
    fn finish(mut self, origin: &[u64]) -> Gathered {
        [self.statistics.minimum, self.statistics.maximum] =
            self.extremes.map(|found| self.column.extreme(found?.1));
        let place = |position: u64| -> Vec<u64> {
            let within = self.column.elements().coordinates(position);
            within.iter().zip(origin).map(|(at, from)| at + from).collect()
        };
        let (places, odd) = (
            self.extremes.map(|found| found.map_or_else(Vec::new, |(_, at)| place(at))),
            self.odd.map(place),
        );
        let cells = self.cells.into_iter().map(|(at, gather)| (at, gather.finish())).collect();
        Gathered { cells, statistics: self.statistics, places, odd, ..Gathered::default() }
    }
}
