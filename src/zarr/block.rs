//! A part of an array with its chunks decoded, seen as one row of elements in C order.
//!
//! Whoever wants all values of an array in the array's order (`values`, `export`) has them in chunks, which lie
//! otherwise. A [`Block`] goes through its chunks by [`Run`]s: stretches of elements that follow each other in the
//! array and lie in one chunk.

use super::{
    chunk::Chunk,
    codec::Elements,
    error::{Code, Error},
    grid::{Grid, Region},
};
use std::ops::Range;

/// One chunk of a block.
#[derive(Debug)]
pub enum Part {
    /// It is not stored.
    Missing,
    /// Its elements.
    Stored(Elements),
    /// Its key, and why it cannot be read.
    Unreadable(String, Error),
}

impl From<Chunk> for Part {
    fn from(chunk: Chunk) -> Self {
        let failed = || chunk.stages.iter().find_map(|stage| stage.error.clone());
        if let Some(error) = chunk.error.clone().or_else(failed) {
            return Self::Unreadable(chunk.key, error);
        }
        match chunk.elements() {
            Some(elements) => Self::Stored(elements.clone()),
            None if chunk.stored.is_none() || chunk.inner_missing => Self::Missing,
            None => {
                let error = Error::new(
                    Code::ChunkUndecoded,
                    "no elements",
                    "elements after the last codec",
                );
                Self::Unreadable(chunk.key.clone(), error.in_file(chunk.key))
            }
        }
    }
}

/// Where a run of elements is.
#[derive(Debug, Clone, Copy)]
pub enum Source<'a> {
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
    /// Where they are.
    pub source: Source<'a>,
    /// How many they are.
    pub count: u64,
}

/// How one chunk lies along one axis of a block.
#[derive(Debug, Clone)]
pub struct Span {
    /// The chunk's coordinate.
    chunk: u64,
    /// Where the chunk starts in the array.
    start: u64,
    /// How long it is, edge included.
    length: u64,
    /// Which part of the array it gives to the block.
    range: Range<u64>,
}

/// A part of an array with its chunks decoded.
#[derive(Debug)]
pub struct Block {
    region: Region,
    axes: Vec<Vec<Span>>,
    /// The chunks, in C order of their coordinates.
    parts: Vec<Part>,
    /// The axis along which runs go. Those behind it are covered by each chunk whole.
    run_axis: usize,
}

/// How the chunks of `part`, a part of an array of `shape`, lie along each axis.
#[must_use]
pub fn axes(grid: &Grid, shape: &[u64], part: &Region) -> Vec<Vec<Span>> {
    (0..part.len()).map(|axis| spans(grid, shape, part, axis)).collect()
}

fn spans(grid: &Grid, shape: &[u64], part: &Region, axis: usize) -> Vec<Span> {
    let mut position: Vec<_> = part.iter().map(|range| range.start).collect();
    let end = part.get(axis).map_or(0, |range| range.end);
    let mut spans = Vec::new();
    while let Some(span) = span(grid, shape, &position, axis, end) {
        if let Some(place) = position.get_mut(axis) {
            *place = span.range.end;
        }
        spans.push(span);
    }
    spans
}

fn span(grid: &Grid, shape: &[u64], position: &[u64], axis: usize, end: u64) -> Option<Span> {
    let at = *position.get(axis).filter(|&&at| at < end)?;
    let (coordinates, within) = grid.locate(position)?;
    let start = at - within.get(axis)?;
    let covered = grid.region(&coordinates, shape)?.get(axis)?.end;
    let length = *grid.chunk_shape(&coordinates)?.get(axis)?;
    Some(Span { chunk: *coordinates.get(axis)?, start, length, range: at..covered.min(end) })
}

/// The coordinates of all chunks, in C order.
#[must_use]
pub fn coordinates(axes: &[Vec<Span>]) -> Vec<Vec<u64>> {
    axes.iter().fold(vec![Vec::new()], |all, spans| {
        let extended = |left: &Vec<u64>| {
            let left = left.clone();
            spans
                .iter()
                .map(move |span| [left.as_slice(), &[span.chunk]].concat())
                .collect::<Vec<_>>()
        };
        all.iter().flat_map(extended).collect()
    })
}

impl Block {
    /// The elements of `region`; how the chunks lie on it, as [`axes`] says; and the chunks, in C order.
    #[must_use]
    pub fn new(region: Region, axes: Vec<Vec<Span>>, parts: Vec<Part>) -> Self {
        let mut block = Self { run_axis: axes.len().saturating_sub(1), region, axes, parts };
        while block.run_axis > 0 && block.is_covered(block.run_axis) {
            block.run_axis -= 1;
        }
        block
    }

    /// One chunk alone, as far as it lies inside the array.
    #[must_use]
    pub fn of_chunk(chunk: Chunk) -> Self {
        let (region, shape) = (chunk.region.clone(), chunk.shape.clone());
        let span = |(range, &length): (&Range<u64>, &u64)| {
            vec![Span { chunk: 0, start: range.start, length, range: range.clone() }]
        };
        let axes = region.iter().zip(&shape).map(span).collect();
        Self::new(region, axes, vec![Part::from(chunk)])
    }

    /// The chunks.
    #[must_use]
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// How many elements it has.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.region.iter().map(|range| range.end - range.start).product()
    }

    /// Whether it has none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether every chunk covers `axis` whole, and lies in C order, so that a run can go on over it.
    fn is_covered(&self, axis: usize) -> bool {
        let Some([span]) = self.axes.get(axis).map(Vec::as_slice) else { return false };
        let whole = |elements: &Elements| {
            elements.is_c_order() && elements.shape().get(axis) == Some(&span.length)
        };
        span.range.end - span.range.start == span.length
            && self.parts.iter().all(|part| match part {
                Part::Stored(elements) => whole(elements),
                Part::Missing | Part::Unreadable(..) => true,
            })
    }

    /// The runs of the elements `wanted`, counted in C order from the start of the block.
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
            let (Some(range), Some(spans)) = (self.region.get(axis), self.axes.get(axis)) else {
                continue;
            };
            let length = (range.end - range.start).max(1);
            let at = range.start + rest % length;
            rest /= length;
            let which = spans.partition_point(|span| span.range.end <= at);
            if let (Some(span), Some(place)) = (spans.get(which), local.get_mut(axis)) {
                *place = at - span.start;
            }
            first += which * stride;
            stride *= spans.len();
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
        let Some(spans) = self.axes.get(self.run_axis) else {
            self.run(first, local, 0..1, each);
            return;
        };
        let mut done = 0;
        for (which, span) in spans.iter().enumerate() {
            let count = (span.range.end - span.range.start) * behind;
            let part = clip.start.clamp(done, done + count) - done
                ..clip.end.clamp(done, done + count) - done;
            if !part.is_empty() {
                if let Some(place) = local.get_mut(self.run_axis) {
                    *place = span.range.start - span.start;
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
        local: &mut [u64],
        part: Range<u64>,
        each: &mut dyn FnMut(Run<'a>),
    ) {
        let source = match self.parts.get(number) {
            Some(Part::Stored(elements)) => {
                let position = elements.position(local);
                let step = if self.run_axis + 1 < local.len() {
                    1
                } else {
                    self.step(elements, local, position)
                };
                Source::Stored(elements, position + part.start * step, step)
            }
            Some(Part::Unreadable(..)) => Source::Unreadable,
            Some(Part::Missing) | None => Source::Fill,
        };
        each(Run { source, count: part.end - part.start });
    }

    /// How many positions the next element along the run axis is away.
    fn step(&self, elements: &Elements, local: &mut [u64], position: u64) -> u64 {
        let Some(place) = local.get_mut(self.run_axis) else { return 1 };
        *place += 1;
        let next = elements.position(local);
        if let Some(place) = local.get_mut(self.run_axis) {
            *place -= 1;
        }
        next.saturating_sub(position)
    }
}
