//! The counts of an array, chunk by chunk, and put together.

use super::{Choice, Column, Extreme, Statistics};
use crate::zarr::array;
use crate::zarr::prelude::*;

/// The counts of an array or a chunk.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Tally {
    /// Its elements.
    pub statistics: Statistics,
    /// The places of the lowest and the highest number in the array.
    pub places: [Vec<u64>; 2],
    /// Chunks that are stored, missing, unreadable.
    pub chunks: [u64; 3],
}

impl Tally {
    /// The counts of both rows together.
    pub fn merge(mut self, other: Self) -> Self {
        let before = [&self.statistics.minimum, &self.statistics.maximum].map(Clone::clone);
        self.statistics = self.statistics.merge(other.statistics);
        let after = [&self.statistics.minimum, &self.statistics.maximum];
        let places = self.places.iter_mut().zip(other.places);
        for ((place, others), (before, after)) in places.zip(before.iter().zip(after)) {
            if before != after {
                *place = others;
            }
        }
        for (own, more) in self.chunks.iter_mut().zip(other.chunks) {
            *own = own.saturating_add(more);
        }
        self
    }

    /// The same where it is of a part of one chunk, be it put together of several: that is one chunk all the same.
    pub fn of_one_chunk(self) -> Self {
        Self { chunks: self.chunks.map(|count| count.min(1)), ..self }
    }

    fn unread() -> Self {
        Self { chunks: [0, 0, 1], ..Self::default() }
    }
}

/// The longest element, in bytes, that is made of a hole.
const MOST: usize = 1 << 16;

/// The first of the loaded elements, where all of them are known to be the same without a look: a hole of a sparse file.
pub(super) fn of_hole(elements: &Elements) -> Option<Elements> {
    let (bytes, loaded) = (elements.bytes(), elements.bytes().loaded());
    let Places::Fixed(size) = *elements.places() else { return None };
    let is_aligned = loaded.start.is_multiple_of(size.max(1) as u64);
    let is_one = size <= MOST && is_aligned && bytes.is_hole(loaded.clone());
    // In memory of its own: to look into a hole makes pages of it.
    is_one.then(|| elements.over(Bytes::window(vec![0; size], loaded.start, bytes.len())))
}

/// Counts the elements of an array piece by piece.
#[derive(Debug)]
pub struct Counter<'a> {
    /// The array.
    pub reader: &'a ArrayReader<'a>,
    /// The parts of each element that are counted.
    pub choices: &'a [Choice],
    /// The meaning of the numbers by the attributes.
    pub packing: Packing,
    /// The counts of one element that is the fill value, for each choice; none where that has no value.
    fill: OnceLock<Vec<Statistics>>,
}

impl<'a> Counter<'a> {
    /// Counts `choices` of the elements of an array.
    pub fn new(reader: &'a ArrayReader<'a>, choices: &'a [Choice]) -> Self {
        let (packing, fill) = (Packing::of(reader.array()), OnceLock::new());
        Self { reader, choices, packing, fill }
    }

    /// A tally for each choice of a piece that was read as `data`, and why it could not be read.
    pub fn count(&self, piece: &Piece, data: &PieceData) -> (Vec<Tally>, Option<Error>) {
        let unread = || vec![Tally::unread(); self.choices.len()];
        match data {
            PieceData::Stored(elements) => {
                let tallies = self.tallies(piece, elements, [1, 0, 0]);
                match data.intact() {
                    Ok(()) => (tallies, None),
                    Err(error) => (unread(), Some(error.in_file(self.reader.key(&piece.chunk)))),
                }
            }
            PieceData::Missing => {
                let start: Vec<_> = starts(&piece.region);
                let count = array::len(&piece.region).unwrap_or(u64::MAX);
                (self.missing(&start, count, 1), None)
            }
            PieceData::Unreadable(error) => (unread(), Some(error.clone())),
        }
    }

    /// A tally for each choice of elements, of which those of `piece` are loaded.
    fn tallies(&self, piece: &Piece, elements: &Elements, chunks: [u64; 3]) -> Vec<Tally> {
        let origin = piece.origin();
        let all = array::len(&piece.region).unwrap_or(u64::MAX);
        let one = of_hole(elements);
        let tally = |choice: &Choice| {
            let column = self.column(one.as_ref().unwrap_or(elements), choice);
            let mut statistics = Statistics::of(&column.within(&piece.extent()), &|_| false);
            if one.is_some() {
                statistics = statistics.times(all);
            }
            // The rest of the chunk is in other pieces.
            statistics.skipped = all.saturating_sub(statistics.elements);
            let place = |extreme: &Option<Extreme>| {
                let within = extreme.as_ref().map(|found| elements.coordinates(found.position));
                let within = within.unwrap_or_default();
                within.iter().zip(&origin).map(|(at, from)| at + from).collect()
            };
            let places = [place(&statistics.minimum), place(&statistics.maximum)];
            Tally { statistics, places, chunks }
        };
        self.choices.iter().map(tally).collect()
    }

    pub(super) fn column<'e>(&self, elements: &'e Elements, choice: &Choice) -> Column<'e> {
        let column =
            Column::new(elements, &choice.path, choice.part, self.reader.array().declared_fill());
        if choice.name.is_empty() { column.packed(&self.packing) } else { column }
    }

    /// A tally for each choice of chunks that are not stored: one element that is the fill value, `count` times. The
    /// first of them is at `start`.
    pub fn missing(&self, start: &[u64], count: u64, chunks: u64) -> Vec<Tally> {
        let fill = self.fill.get_or_init(|| self.of_fill().unwrap_or_default());
        let tally = |at: usize| {
            let skipped = || Statistics { skipped: count, ..Statistics::default() };
            let (statistics, places) = match fill.get(at) {
                Some(one) => (one.clone().times(count), [start.to_vec(), start.to_vec()]),
                None => (skipped(), <[Vec<u64>; 2]>::default()),
            };
            Tally { statistics, places, chunks: [0, chunks, 0] }
        };
        (0..self.choices.len()).map(tally).collect()
    }

    fn of_fill(&self) -> Option<Vec<Statistics>> {
        let fill = self.alone(self.reader.fill()?)?;
        Some(
            self.choices
                .iter()
                .map(|choice| Statistics::of(&self.column(&fill, choice), &|_| false))
                .collect(),
        )
    }

    /// One element of the array with this value.
    fn alone(&self, value: &Scalar) -> Option<Elements> {
        let resolved = self.reader.resolved();
        let bytes = resolved.data_type.encode(value, &resolved.order).ok()?;
        Some(self.reader.element(bytes))
    }

    /// The data type of each choice.
    pub(super) fn data_types(&self) -> Vec<Arc<dyn DataType>> {
        let default = self.reader.resolved().data_type.default_scalar();
        let Some(element) = self.alone(&default) else { return Vec::new() };
        self.choices
            .iter()
            .map(|choice| Arc::clone(self.column(&element, choice).data_type()))
            .collect()
    }
}
