//! Counting the elements of an array, chunk by chunk.

use crate::{
    cli::{progress::Progress, read_array::ReadArray},
    zarr::{
        Error,
        array::{self, Piece, PieceData},
        bytes::Bytes,
        codec::{Elements, Places},
        grid::ChunkId,
        metadata::Packing,
        scalar::Scalar,
        statistics::{Choice, Column, Extreme, Statistics},
    },
};
use std::{collections::BTreeMap, mem};

/// What was counted of an array or a chunk.
#[derive(Debug, Clone, Default)]
pub(super) struct Row {
    /// Its elements.
    pub(super) statistics: Statistics,
    /// Where the lowest and the highest number are in the array.
    pub(super) places: [Vec<u64>; 2],
    /// Chunks that are stored, missing, unreadable.
    pub(super) chunks: [u64; 3],
}

impl Row {
    /// What both rows counted together.
    pub(super) fn merge(self, other: Self) -> Self {
        let before = [&self.statistics.minimum, &self.statistics.maximum].map(Clone::clone);
        let statistics = self.statistics.merge(other.statistics);
        let after = [&statistics.minimum, &statistics.maximum];
        let [lowest, highest] = self.places;
        let [other_lowest, other_highest] = other.places;
        let pick = |at: usize, own, others| {
            if after.get(at).copied() == before.get(at) { own } else { others }
        };
        let places = [pick(0, lowest, other_lowest), pick(1, highest, other_highest)];
        let chunks = [0, 1, 2].map(|kind: usize| {
            let of = |chunks: &[u64; 3]| chunks.get(kind).copied().unwrap_or(0);
            of(&self.chunks) + of(&other.chunks)
        });
        Self { statistics, places, chunks }
    }
}

/// What was counted of a piece: the chunk, a row for each choice, and why it could not be read.
type Counted = (ChunkId, Vec<Row>, Option<Error>);

/// Counts the elements of an array.
pub(super) struct Counter<'a> {
    pub(super) array: &'a ReadArray<'a>,
    pub(super) choices: &'a [Choice],
    pub(super) packing: Packing,
}

impl Counter<'_> {
    /// A row for each choice of each chunk, and why chunks could not be read.
    pub(super) fn count(&self) -> (BTreeMap<ChunkId, Vec<Row>>, Vec<Error>) {
        let mut progress =
            Progress::new(array::len(&self.array.reader.whole()).unwrap_or(0), "elements");
        let (mut chunks, mut failures, mut done) = (BTreeMap::new(), Vec::new(), 0);
        self.array.pieces(
            |piece, data| self.count_piece(piece, &data),
            |(id, rows, failure): Counted| {
                done += rows.first().map_or(0, |row| row.statistics.elements);
                progress.reach(done);
                failures.extend(failure);
                let all: &mut Vec<Row> = chunks.entry(id).or_default();
                all.resize_with(rows.len(), Row::default);
                for (place, row) in all.iter_mut().zip(rows) {
                    let mut merged = mem::take(place).merge(row);
                    // Of a large chunk, parts are counted on their own: it is one chunk all the same.
                    merged.chunks = merged.chunks.map(|count| count.min(1));
                    *place = merged;
                }
            },
        );
        (chunks, failures)
    }

    fn count_piece(&self, piece: &Piece, data: &PieceData) -> Counted {
        let id = piece.chunk.clone();
        let rows = match data {
            PieceData::Stored(elements) => {
                let rows = self.rows(piece, elements, [1, 0, 0]);
                if let Err(error) = data.intact() {
                    let error = error.in_file(self.array.reader.key(&id));
                    return (id, self.unread(), Some(error));
                }
                rows
            }
            PieceData::Missing => self.missing(piece),
            PieceData::Unreadable(error) => return (id, self.unread(), Some(error.clone())),
        };
        (id, rows, None)
    }

    fn unread(&self) -> Vec<Row> {
        vec![Row { chunks: [0, 0, 1], ..Row::default() }; self.choices.len()]
    }

    /// A row for each choice of elements, of which those of `piece` are loaded.
    fn rows(&self, piece: &Piece, elements: &Elements, chunks: [u64; 3]) -> Vec<Row> {
        let origin = piece.origin();
        let row = |choice: &Choice| {
            let column = self.column(elements, choice).within(&piece.extent());
            let mut statistics = Statistics::of(&column, &|_| false);
            // The rest of the chunk is in other pieces.
            let all = array::len(&piece.region).unwrap_or(u64::MAX);
            statistics.skipped = all.saturating_sub(statistics.elements);
            let place = |extreme: &Option<Extreme>| {
                let within = extreme.as_ref().map(|found| elements.coordinates(found.position));
                let within = within.unwrap_or_default();
                within.iter().zip(&origin).map(|(at, from)| at + from).collect()
            };
            let places = [place(&statistics.minimum), place(&statistics.maximum)];
            Row { statistics, places, chunks }
        };
        self.choices.iter().map(row).collect()
    }

    fn column<'e>(&self, elements: &'e Elements, choice: &Choice) -> Column<'e> {
        let column = Column::new(elements, &choice.path, choice.part, self.array.reader.fill());
        if choice.name.is_empty() { column.packed(&self.packing) } else { column }
    }

    /// A row for each choice of a chunk that is not stored: one element that is the fill value, so many times.
    fn missing(&self, piece: &Piece) -> Vec<Row> {
        let resolved = self.array.reader.resolved();
        let count = array::len(&piece.region).unwrap_or(u64::MAX);
        let encode = |fill: &Scalar| resolved.data_type.encode(fill, &resolved.order).ok();
        let Some(bytes) = self.array.reader.fill().and_then(encode) else {
            let mut unknown = Statistics::default();
            unknown.skipped = count;
            let row = Row { statistics: unknown, chunks: [0, 1, 0], ..Row::default() };
            return vec![row; self.choices.len()];
        };
        let places = match resolved.data_type.item_size().fixed() {
            Some(size) => Places::Fixed(size),
            None => Places::Ranges(std::iter::once(0..bytes.len() as u64).collect()),
        };
        let (data_type, order) = (resolved.data_type.clone(), resolved.order.clone());
        let fill = Elements::new(data_type, order, Vec::new(), false, places, Bytes::whole(bytes));
        let start: Vec<_> = piece.region.iter().map(|range| range.start).collect();
        let row = |choice: &Choice| {
            let one = Statistics::of(&self.column(&fill, choice), &|_| false);
            let places = [start.clone(), start.clone()];
            Row { statistics: one.times(count), places, chunks: [0, 1, 0] }
        };
        self.choices.iter().map(row).collect()
    }
}
