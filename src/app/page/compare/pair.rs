//! The comparison of two nodes: their documents, and their values chunk by chunk.

use crate::app::prelude::*;
use crate::zarr::compare::{Documents, of_nodes};
use std::ops::RangeInclusive;

/// The chunks that are not equal that are remembered, of all arrays together.
const MOST_CHUNKS: usize = 200_000;

/// The comparison of a chunk of A with the same elements of B.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ComparedBlock {
    /// The elements that differ.
    pub different: u64,
    /// True for the sides that store some of it.
    pub stored: [bool; 2],
    /// True for the sides of which some of it cannot be read.
    pub unreadable: [bool; 2],
}

/// The verdict on a block, the worst last.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum BlockVerdict {
    /// Not compared yet.
    #[default]
    Unknown,
    /// All elements are equal, and stored on both sides.
    Equal,
    /// Neither side stores it.
    Neither,
    /// Only A stores it.
    OnlyA,
    /// Only B stores it.
    OnlyB,
    /// Elements differ, and both sides store it.
    Different,
    /// Some of it cannot be read.
    Unreadable,
}

impl ComparedBlock {
    /// A chunk that is equal and stored on both sides.
    pub const BOTH: Self = Self { different: 0, stored: [true; 2], unreadable: [false; 2] };

    /// The verdict.
    pub fn verdict(&self) -> BlockVerdict {
        match (self.unreadable, self.stored) {
            ([true, _] | [_, true], _) => BlockVerdict::Unreadable,
            (_, [true, false]) => BlockVerdict::OnlyA,
            (_, [false, true]) => BlockVerdict::OnlyB,
            _ if self.different > 0 => BlockVerdict::Different,
            (_, [false, false]) => BlockVerdict::Neither,
            _ => BlockVerdict::Equal,
        }
    }

    /// Both together.
    pub fn merged(mut self, other: Self) -> Self {
        self.merge(other);
        self
    }

    fn merge(&mut self, other: Self) {
        self.different = self.different.saturating_add(other.different);
        for side in 0..2 {
            if let (Some(own), Some(others)) = (self.stored.get_mut(side), other.stored.get(side)) {
                *own |= others;
            }
            let unreadable = (self.unreadable.get_mut(side), other.unreadable.get(side));
            if let (Some(own), Some(others)) = unreadable {
                *own |= others;
            }
        }
    }
}

/// The values of two arrays, as far as they were compared.
#[derive(Debug, Clone, Default)]
pub struct ArrayPair {
    /// The shape of both.
    pub shape: Vec<u64>,
    /// The number of chunks of A along each dimension.
    pub counts: Vec<u64>,
    /// The division of A into chunks.
    pub grid: Option<Grid>,
    /// The chunk of A, where nothing else of it is compared: then there is one block, and all coordinates are in it.
    pub only: Option<ChunkId>,
    /// The result of the values.
    pub compared: Compared,
    /// The chunks of A, but for those that are equal and stored on both sides.
    pub blocks: BTreeMap<Vec<u64>, ComparedBlock>,
    /// The first chunk, in C order, of which that was not remembered because there were too many of them.
    pub forgotten: Option<Vec<u64>>,
    /// The first element that was not compared, in C order; `None` where all were.
    pub reached: Option<Vec<u64>>,
    /// The slabs that were compared.
    pub slabs: usize,
}

impl ArrayPair {
    /// True if all elements of a chunk of A were compared.
    pub fn is_compared(&self, at: &[u64]) -> bool {
        let Some(reached) = &self.reached else { return true };
        let last = at.iter().zip(&self.shape).enumerate().map(|(axis, (at, &len))| {
            let span = self.grid.as_ref().and_then(|grid| grid.span(axis, *at));
            span.map_or(len, |span| span.end.min(len)).saturating_sub(1)
        });
        last.lt(reached.iter().copied())
    }

    /// True if what differs in a chunk of A may not be remembered.
    pub fn is_forgotten(&self, at: &[u64]) -> bool {
        self.forgotten.as_ref().is_some_and(|first| first.as_slice() <= at)
            && !self.blocks.contains_key(at)
    }

    /// The verdict on a chunk of A.
    pub fn verdict(&self, at: &[u64]) -> BlockVerdict {
        let known = match self.blocks.get(at) {
            Some(block) => block.verdict(),
            None if self.is_forgotten(at) => BlockVerdict::Unknown,
            None => BlockVerdict::Equal,
        };
        // A part of a chunk without a difference says nothing of the rest.
        let is_open =
            matches!(known, BlockVerdict::Equal | BlockVerdict::Neither) && !self.is_compared(at);
        if is_open { BlockVerdict::Unknown } else { known }
    }

    /// The chunks of A that are not equal and stored on both sides, of the plane of the last two dimensions that `at`
    /// is in.
    pub fn blocks_of_plane(&self, at: &[u64]) -> impl Iterator<Item = (&Vec<u64>, &ComparedBlock)> {
        let drawn = at.len().saturating_sub(2);
        let corner = |end: u64| -> Vec<u64> {
            at.iter().enumerate().map(|(axis, &at)| if axis < drawn { at } else { end }).collect()
        };
        self.blocks.range(RangeInclusive::new(corner(0), corner(u64::MAX)))
    }

    /// Takes in what came of a slab, where `remembered` chunks of all arrays are remembered. Gives how many are then.
    pub(super) fn take(
        &mut self,
        (compared, blocks): (Compared, Vec<(Vec<u64>, ComparedBlock)>),
        reached: Option<Vec<u64>>,
        mut remembered: usize,
    ) -> usize {
        self.slabs += 1;
        self.compared = mem::take(&mut self.compared).merge(compared);
        self.reached = reached;
        for (at, block) in blocks {
            if let Some(known) = self.blocks.get_mut(&at) {
                known.merge(block);
                if *known == ComparedBlock::BOTH && self.is_compared(&at) {
                    self.blocks.remove(&at);
                    remembered -= 1;
                }
            } else if block == ComparedBlock::BOTH && self.is_compared(&at) {
                // Equal, and in one slab: what is known of a chunk that is not remembered.
            } else if remembered < MOST_CHUNKS {
                self.blocks.insert(at, block);
                remembered += 1;
            } else if self.forgotten.as_ref().is_none_or(|first| at < *first) {
                self.forgotten = Some(at);
            }
        }
        remembered
    }
}

/// Two nodes of the same path below what is compared.
#[derive(Debug, Clone, Default)]
pub struct NodePair {
    /// The path.
    pub path: String,
    /// The side that alone has the node, or the reason why nothing was compared; safe to show.
    pub why: Option<String>,
    /// The sides that have it.
    pub is_there: [bool; 2],
    /// The rows of the documents.
    pub rows: Vec<DocumentRow>,
    /// The values, where both are arrays that can be compared.
    pub arrays: Option<ArrayPair>,
}

impl NodePair {
    /// The pair of the nodes of one path, with their documents; and both arrays, where there are values to compare.
    pub fn of<'n>(
        path: &str,
        is_there: [bool; 2],
        nodes: &'n [Node; 2],
    ) -> (Self, Option<[&'n ArrayMetadata; 2]>) {
        let mut pair = Self { path: path.to_owned(), is_there, ..Self::default() };
        let mut arrays = None;
        match of_nodes(nodes.each_ref().map(|node| &node.kind)) {
            _ if is_there != [true; 2] => {
                let side = if is_there == [true, false] { "A" } else { "B" };
                pair.why = Some(format!("only in {side}"));
            }
            Documents::OfArrays(a, b, rows) => (pair.rows, arrays) = (rows, Some([a, b])),
            Documents::OfGroups(rows) => pair.rows = rows,
            Documents::Unlike(why) => pair.why = Some(why),
        }
        (pair, arrays)
    }

    /// Leaves out what is said of whole arrays: of chunks, that is not compared, but how they are stored is told.
    pub fn keep_rows_of_chunks(&mut self) {
        self.rows.retain(|row| row.is_layout || row.label == "data type");
    }

    /// The documents' rows that differ in what the elements are, or in how they are stored (`layout`).
    fn differing(&self, layout: bool) -> impl Iterator<Item = &DocumentRow> {
        let rows = self.rows.iter();
        rows.filter(move |row| row.join == Join::Differs && row.is_layout == layout)
    }

    /// The number of these rows.
    pub fn rows_that_differ(&self, layout: bool) -> usize {
        self.differing(layout).count()
    }

    /// The labels of these rows in words; `None` where there are none.
    pub fn labels_that_differ(&self, layout: bool) -> Option<String> {
        let head = if layout { "stored differently" } else { "metadata" };
        let labels = self.differing(layout).map(|row| row.label.as_str()).joined(", ");
        (!labels.is_empty()).then(|| format!("{head}: {labels}"))
    }

    /// The values, as far as they were compared.
    pub fn compared(&self) -> Option<&Compared> {
        self.arrays.as_ref().map(|arrays| &arrays.compared)
    }

    /// True if something but how things are stored differs, or nothing could be compared.
    pub fn is_different(&self) -> bool {
        let values = self.compared().is_some_and(|all| all.different > 0);
        self.why.is_some() || values || self.rows_that_differ(false) > 0
    }

    /// True if nothing differs but how things are stored, as far as it was compared.
    pub fn is_equal(&self) -> bool {
        !self.is_different() && self.compared().is_none_or(Compared::is_equal)
    }
}

/// The sentence on so many elements that were compared and those of them that differ, `so_far` at its end.
pub fn values_in_words(elements: u64, different: u64, so_far: &str) -> String {
    let all = counted(elements, "element");
    match (elements, different) {
        (0, 0) => format!("no values were compared{so_far}"),
        (1, 0) => "the only element is equal".to_owned(),
        (_, 0) => format!("all {all} are equal{so_far}"),
        (1, 1) => "the only element differs".to_owned(),
        (_, 1) => format!("1 of {all} differs{so_far}"),
        _ => format!("{} of {all} differ{so_far}", grouped(different)),
    }
}

/// An element that differs, in words.
#[derive(Debug, Clone)]
pub struct ValueRow {
    /// The coordinates in the array.
    pub index: Vec<u64>,
    /// Its value on both sides; safe to show.
    pub values: [String; 2],
    /// Its bytes on both sides, in the order that they are stored in.
    pub bytes: [String; 2],
    /// The second number less the first; empty where they are none.
    pub apart: String,
}

/// The elements of a chunk that differ.
#[derive(Debug, Clone, Default)]
pub struct ChunkValues {
    /// The path of the arrays below what is compared.
    pub path: String,
    /// The chunk of A.
    pub chunk: Vec<u64>,
    /// Its key in A.
    pub key: String,
    /// The first ones.
    pub rows: Vec<ValueRow>,
    /// Their number in what was looked at.
    pub different: u64,
    /// The elements that were looked at.
    pub elements: u64,
    /// The reason why they cannot be shown, in words that are safe to show.
    pub why: Option<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An array of two chunks a row, of which chunks of this much are known.
    fn array(blocks: impl Iterator<Item = (Vec<u64>, ComparedBlock)>) -> (ArrayPair, usize) {
        let (shape, counts) = (vec![1 << 20, 2], vec![1 << 20, 2]);
        let grid = Some(Grid::Regular(vec![1, 1]));
        let mut arrays = ArrayPair { shape, counts, grid, ..ArrayPair::default() };
        let remembered = arrays.take((Compared::default(), blocks.collect()), None, 0);
        (arrays, remembered)
    }

    #[test]
    fn what_was_too_much_to_remember_is_not_told_as_equal() {
        let different = ComparedBlock { different: 1, ..ComparedBlock::BOTH };
        let rows = MOST_CHUNKS as u64 / 2;
        let all = (1..rows + 9).flat_map(|row| [vec![row, 0], vec![row, 1]]);
        let (arrays, remembered) = array(all.map(|at| (at, different)));
        assert_eq!(remembered, MOST_CHUNKS);
        assert_eq!(arrays.verdict(&[0, 1]), BlockVerdict::Equal);
        assert_eq!(arrays.verdict(&[rows, 1]), BlockVerdict::Different);
        assert_eq!(arrays.verdict(&[rows + 1, 0]), BlockVerdict::Unknown);
        assert!(arrays.is_forgotten(&[rows + 1, 0]) && !arrays.is_forgotten(&[rows, 1]));
        // What all pairs remember counts, not what one does.
        let mut other = ArrayPair { grid: arrays.grid.clone(), ..ArrayPair::default() };
        let news = (Compared::default(), vec![(vec![0, 0], different)]);
        assert_eq!(other.take(news, None, remembered), MOST_CHUNKS);
        assert_eq!(other.verdict(&[0, 0]), BlockVerdict::Unknown);
    }

    #[test]
    fn a_chunk_in_two_slabs_is_what_both_say() {
        let (shape, grid) = (vec![4], Some(Grid::Regular(vec![4])));
        let mut arrays = ArrayPair { shape, grid, ..ArrayPair::default() };
        let only_a = ComparedBlock { stored: [true, false], ..ComparedBlock::BOTH };
        let slab = |block| (Compared::default(), vec![(vec![0], block)]);
        assert_eq!(arrays.take(slab(only_a), Some(vec![2]), 0), 1);
        assert_eq!(arrays.take(slab(ComparedBlock::BOTH), None, 1), 0);
        assert_eq!(arrays.verdict(&[0]), BlockVerdict::Equal);
    }

    #[test]
    fn only_the_plane_on_show_is_gone_through() {
        let (arrays, _) = array((0..9).map(|row| (vec![row, 1], ComparedBlock::default())));
        assert_eq!(arrays.blocks_of_plane(&[3, 0]).count(), 9);
        let (shape, at) = (vec![3, 4, 4], |plane| vec![plane, 1, 2]);
        let mut arrays = ArrayPair { shape, ..ArrayPair::default() };
        let blocks = (0..3).map(|plane| (at(plane), ComparedBlock::default())).collect();
        arrays.take((Compared::default(), blocks), None, 0);
        let seen: Vec<_> = arrays.blocks_of_plane(&[1, 0, 0]).map(|(at, _)| at.clone()).collect();
        assert_eq!(seen, [at(1)]);
    }
}
