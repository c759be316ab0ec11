//! Two nodes compared: their documents row by row, their values chunk by chunk, and the elements that differ.
//!
//! A worker goes through both, node by node and slab by slab, by what the library compares; here is what came of it,
//! and where one looks at it.

use super::{Page, picture::whole::State};
use crate::{
    app::{
        Action, Lane, Pace, Scroll, Shared, Work,
        action::{CompareAction, Direction, Motion},
        current_chunk::Landing,
        effect::Answer,
        jumps::Purpose,
        layout::{CompareLayout, PaneCell, Size},
        scroll::around,
    },
    zarr::{
        NodePath,
        compare::{Compared, DocumentRow, Tolerance},
        grid::order,
        spelling::Join,
        text::safe,
    },
};
use std::collections::BTreeMap;

/// The chunks that are not equal that are remembered of an array.
const MOST_CHUNKS: usize = 200_000;

/// One of the two nodes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CompareSide {
    /// A node of the open store.
    Node(NodePath),
    /// A path as it was typed: a node of the open store, or else one on the disk.
    Typed(String),
}

impl CompareSide {
    /// Its name, safe to show.
    #[must_use]
    pub fn name(&self) -> String {
        match self {
            Self::Node(path) if path.0.is_empty() => "the root".into(),
            Self::Node(path) => safe(&path.0).into_owned(),
            Self::Typed(text) => safe(text).into_owned(),
        }
    }
}

/// What a worker is asked to compare.
#[derive(Debug, Clone)]
pub struct CompareRequest {
    /// Both nodes.
    pub sides: [CompareSide; 2],
    /// When two elements are the same.
    pub tolerance: Tolerance,
    /// The pair to go on with, and how many of its slabs were compared before; `None` for all of it.
    pub from: Option<(usize, usize)>,
    /// The number of bytes a stage may give where nothing is promised.
    pub limit: u64,
}

/// What a worker is asked to show of a chunk.
#[derive(Debug, Clone)]
pub struct ChunkRequest {
    /// Both nodes, below which the arrays are.
    pub sides: [CompareSide; 2],
    /// When two elements are the same.
    pub tolerance: Tolerance,
    /// The path of the arrays below the nodes.
    pub path: String,
    /// The coordinates of the chunk of A.
    pub chunk: Vec<u64>,
    /// The number of bytes a stage may give where nothing is promised.
    pub limit: u64,
}

/// What is known of a chunk of A and the same elements of B.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Block {
    /// The elements that differ.
    pub different: u64,
    /// True for the sides that store some of it.
    pub stored: [bool; 2],
    /// True for the sides of which some of it cannot be read.
    pub unreadable: [bool; 2],
}

/// What a block is, the worst last.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
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

impl Block {
    /// What it is.
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        match (self.unreadable, self.stored) {
            ([true, _] | [_, true], _) => Verdict::Unreadable,
            (_, [true, false]) => Verdict::OnlyA,
            (_, [false, true]) => Verdict::OnlyB,
            _ if self.different > 0 => Verdict::Different,
            (_, [false, false]) => Verdict::Neither,
            _ => Verdict::Equal,
        }
    }

    fn merge(&mut self, other: Self) {
        self.different += other.different;
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
    /// The number of chunks of A along each dimension, and the length of the first along each.
    pub counts: Vec<u64>,
    /// The length of the chunks of A along each dimension.
    pub chunk_shape: Vec<u64>,
    /// What came of it.
    pub compared: Compared,
    /// What is known of the chunks of A, but of those that are equal and stored on both sides.
    pub blocks: BTreeMap<Vec<u64>, Block>,
    /// The first element that was not compared, in C order; `None` where all were.
    pub reached: Option<Vec<u64>>,
    /// The slabs that were compared.
    pub slabs: usize,
}

impl ArrayPair {
    /// True if all elements of a chunk of A were compared.
    #[must_use]
    pub fn is_compared(&self, at: &[u64]) -> bool {
        let Some(reached) = &self.reached else { return true };
        let last = at.iter().zip(&self.chunk_shape).zip(&self.shape);
        let last = last.map(|((at, n), len)| {
            at.saturating_add(1).saturating_mul(*n).min(*len).saturating_sub(1)
        });
        last.lt(reached.iter().copied())
    }

    /// What is known of a chunk of A.
    #[must_use]
    pub fn verdict(&self, at: &[u64]) -> Verdict {
        match self.blocks.get(at) {
            Some(block) => block.verdict(),
            None if self.is_compared(at) => Verdict::Equal,
            None => Verdict::Unknown,
        }
    }
}

/// Two nodes of the same path below what is compared.
#[derive(Debug, Clone, Default)]
pub struct Pair {
    /// The path.
    pub path: String,
    /// What only one side has, or why nothing was compared; safe to show.
    pub why: Option<String>,
    /// The sides that have it.
    pub is_there: [bool; 2],
    /// What the documents say.
    pub rows: Vec<DocumentRow>,
    /// The values, where both are arrays that can be compared.
    pub arrays: Option<ArrayPair>,
}

impl Pair {
    /// The documents' rows that differ in what the elements are, and in how they are stored.
    #[must_use]
    pub fn rows_that_differ(&self, layout: bool) -> usize {
        let differs = |row: &&DocumentRow| row.join == Join::Differs && row.is_layout == layout;
        self.rows.iter().filter(differs).count()
    }

    /// True if nothing differs but how things are stored, as far as it was compared.
    #[must_use]
    pub fn is_equal(&self) -> bool {
        let values = self.arrays.as_ref().is_none_or(|arrays| arrays.compared.is_equal());
        self.why.is_none() && values && self.rows_that_differ(false) == 0
    }
}

/// What a worker has found.
#[derive(Debug, Clone)]
pub enum CompareNews {
    /// What both nodes are called, and how many pairs there are.
    Opened([String; 2], usize),
    /// A pair, of whose values nothing was compared yet.
    Pair(Box<Pair>),
    /// The values of a slab of the last pair, the first element after it, and how far that is.
    Slab(Box<Compared>, Vec<(Vec<u64>, Block)>, Option<Vec<u64>>, Pace),
}

/// An element that differs, in words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ValueRow {
    /// Where it is in the array.
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
    /// Why they cannot be shown, in words that are safe to show.
    pub why: Option<String>,
}

/// The parts of the page.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Part {
    /// The rows of the documents.
    #[default]
    Documents,
    /// The map of chunks.
    Chunks,
    /// The elements of the chunk under the cursor that differ.
    Values,
}

impl Part {
    /// All of them, from the top.
    pub const ALL: [Self; 3] = [Self::Documents, Self::Chunks, Self::Values];

    fn step(self, forwards: bool) -> Self {
        let by = if forwards { 1 } else { 2 };
        Self::ALL.get((self as usize + by) % 3).copied().unwrap_or_default()
    }
}

/// The page.
#[derive(Debug, Clone, Default)]
pub struct ComparePage {
    /// The node that is marked to be compared.
    pub marked: Option<NodePath>,
    /// What is compared.
    pub sides: Option<[CompareSide; 2]>,
    /// When two elements are the same.
    pub tolerance: Tolerance,
    /// What both are called, once they are open.
    pub names: [String; 2],
    /// The pairs that there are; 0 before that is known.
    pub total: usize,
    /// The pairs that were found so far, the last of them under way.
    pub pairs: Vec<Pair>,
    /// The pair under the cursor.
    pub scroll: Scroll,
    /// True if the pair under the cursor is on show, and not the list.
    pub is_open: bool,
    /// The part that has the keys.
    pub part: Part,
    /// The row of the documents under the cursor.
    pub row: Scroll,
    /// True if rows that are the same are on show, too.
    pub shows_same: bool,
    /// The chunk of A under the cursor.
    pub at: Vec<u64>,
    /// The elements of it that differ.
    pub values: Option<ChunkValues>,
    /// The one of those under the cursor.
    pub value: Scroll,
    /// The progress while it goes on.
    pub pace: Option<Pace>,
    /// What becomes of it.
    pub state: State,
    /// Why nothing can be compared.
    pub failure: Option<String>,
    /// True once the differences of the chunk under the cursor were asked for.
    asked: Option<(String, Vec<u64>)>,
}

impl Page for ComparePage {
    fn moved(&mut self, motion: Motion, count: Option<u64>, shared: &mut Shared) {
        let layout = self.layout(shared.geometry.whole);
        if !self.is_open {
            self.scroll = self.scroll.in_list(motion, count, self.pairs.len(), layout.list);
            return;
        }
        match self.part {
            Part::Documents => {
                let rows = self.documents().len();
                self.row = self.row.in_list(motion, count, rows, layout.documents);
            }
            Part::Chunks => self.move_in_map(motion, count, &layout),
            Part::Values => {
                let rows = self.values.as_ref().map_or(0, |values| values.rows.len());
                self.value = self.value.in_list(motion, count, rows, layout.values);
            }
        }
    }

    fn clicked(&mut self, at: PaneCell, shared: &mut Shared) -> bool {
        let layout = self.layout(shared.geometry.whole);
        if self.is_open {
            if let Some(part) = layout.part_at(at.row) {
                self.part = part;
            }
            return false;
        }
        let line = at.row.checked_sub(layout.head);
        let row = self.scroll.row_at(line, layout.list, self.pairs.len());
        self.scroll.select(row)
    }

    fn opened(&mut self, shared: &mut Shared) -> bool {
        if self.is_open {
            self.visit(shared);
        } else if !self.pairs.is_empty() {
            self.open_pair();
        }
        false
    }

    fn acted(&mut self, action: Action, shared: &mut Shared) {
        match action {
            Action::Compare(CompareAction::Difference(way)) => self.step(way, shared),
            Action::Compare(CompareAction::Swap) => {
                if let Some([a, b]) = self.sides.clone() {
                    self.compare([b, a], shared);
                }
            }
            Action::Compare(CompareAction::Same) => {
                self.shows_same = !self.shows_same;
                self.row = Scroll::default();
            }
            _ => {}
        }
    }

    fn copied(&self, _shared: &Shared) -> Option<String> {
        let pair = self.pair()?;
        match self.part {
            _ if !self.is_open => Some(pair.path.clone()),
            Part::Documents => {
                let row = self.documents().get(self.row.cursor()).copied()?;
                Some(format!("{}: A {} B {}", row.label, row.a, row.b))
            }
            Part::Chunks => self.values.as_ref().map(|values| values.key.clone()),
            Part::Values => {
                let row = self.values.as_ref()?.rows.get(self.value.cursor())?;
                let [a, b] = &row.values;
                Some(format!("{:?}: A {a} B {b}", row.index))
            }
        }
    }

    fn wanted(&mut self, shared: &mut Shared) {
        let Some((path, arrays)) = self
            .pair()
            .filter(|_| self.is_open)
            .and_then(|pair| Some((pair.path.clone(), pair.arrays.as_ref()?)))
        else {
            return;
        };
        let wanted = (path, self.at.clone());
        let known = arrays.verdict(&self.at);
        if known == Verdict::Unknown || self.asked.as_ref() == Some(&wanted) {
            return;
        }
        let Some(sides) = self.sides.clone() else { return };
        let (path, chunk) = wanted.clone();
        (self.asked, self.values, self.value) = (Some(wanted), None, Scroll::default());
        if arrays_differ(known) {
            let (tolerance, limit) = (self.tolerance, shared.limit);
            let request = ChunkRequest { sides, tolerance, path, chunk, limit };
            shared.run(Lane::Differences, Work::Differences(Box::new(request)));
        }
    }

    fn replied(&mut self, answer: Answer, lane: Lane, _shared: &mut Shared) {
        match answer {
            Answer::Compared(news) => self.take(*news),
            Answer::Differences(values) if values.chunk == self.at => self.values = Some(*values),
            Answer::Done if lane == Lane::Compare => (self.pace, self.state) = (None, State::Over),
            Answer::Failed(error) if lane == Lane::Compare => {
                self.failure = Some(safe(&error.to_string()).into_owned());
                self.pace = None;
            }
            _ => {}
        }
    }

    fn reloaded(&mut self, shared: &mut Shared) {
        if self.state == State::Stopped {
            self.go_on(shared);
        } else if let Some(sides) = self.sides.clone() {
            self.compare(sides, shared);
        }
    }

    fn stopped(&mut self, _lane: Lane, _shared: &mut Shared) {
        (self.pace, self.state) = (None, State::Stopped);
    }
}

/// True if there may be elements that differ.
fn arrays_differ(verdict: Verdict) -> bool {
    matches!(verdict, Verdict::Different | Verdict::OnlyA | Verdict::OnlyB)
}

impl ComparePage {
    /// The pair under the cursor.
    #[must_use]
    pub fn pair(&self) -> Option<&Pair> {
        self.pairs.get(self.scroll.cursor())
    }

    /// Where its parts are in a page of `size`.
    #[must_use]
    pub fn layout(&self, size: Size) -> CompareLayout {
        let rows = self.documents().len();
        let has_values = self.pair().is_some_and(|pair| pair.arrays.is_some());
        CompareLayout::new(size, rows, self.part, has_values)
    }

    /// The rows of the documents on show: those that are not the same, or all.
    #[must_use]
    pub fn documents(&self) -> Vec<&DocumentRow> {
        let rows = self.pair().map_or(&[][..], |pair| &pair.rows);
        rows.iter().filter(|row| self.shows_same || row.join != Join::Same).collect()
    }

    /// Compares two nodes from the start.
    pub(in crate::app) fn compare(&mut self, sides: [CompareSide; 2], shared: &mut Shared) {
        *self = Self { tolerance: self.tolerance, sides: Some(sides), ..Self::default() };
        self.go_on(shared);
    }

    /// Goes on where it was stopped.
    pub(in crate::app) fn go_on(&mut self, shared: &mut Shared) {
        let Some(sides) = self.sides.clone().filter(|_| self.state != State::Over) else { return };
        let last = self.pairs.len().checked_sub(1);
        let slabs = self.pairs.last().and_then(|pair| pair.arrays.as_ref());
        let from = last.map(|last| (last, slabs.map_or(0, |arrays| arrays.slabs)));
        (self.state, self.pace) = (State::Begun, Some(Pace::default()));
        let (tolerance, limit) = (self.tolerance, shared.limit);
        let request = CompareRequest { sides, tolerance, from, limit };
        shared.run(Lane::Compare, Work::Compare(Box::new(request)));
    }

    fn take(&mut self, news: CompareNews) {
        match news {
            CompareNews::Opened(names, total) => (self.names, self.total) = (names, total),
            CompareNews::Pair(pair) => {
                self.pairs.push(*pair);
                if self.total == 1 {
                    self.open_pair();
                }
            }
            CompareNews::Slab(compared, blocks, reached, pace) => {
                self.pace = Some(pace);
                let Some(arrays) = self.pairs.last_mut().and_then(|pair| pair.arrays.as_mut())
                else {
                    return;
                };
                arrays.slabs += 1;
                arrays.compared = std::mem::take(&mut arrays.compared).merge(*compared);
                arrays.reached = reached;
                for (at, block) in blocks {
                    if arrays.blocks.len() < MOST_CHUNKS || arrays.blocks.contains_key(&at) {
                        arrays.blocks.entry(at).or_default().merge(block);
                    }
                }
            }
        }
    }

    /// Shows the pair under the cursor, at its first chunk.
    fn open_pair(&mut self) {
        let counts = self.pair().and_then(|pair| pair.arrays.as_ref()).map(|it| it.counts.len());
        (self.is_open, self.part) = (true, Part::Documents);
        (self.row, self.value) = (Scroll::default(), Scroll::default());
        (self.at, self.values, self.asked) = (vec![0; counts.unwrap_or(0)], None, None);
    }

    /// One level back: from the pair to the list of them. False where there is none.
    pub(in crate::app) fn back(&mut self) -> bool {
        let has_list = self.total > 1;
        has_list && std::mem::take(&mut self.is_open)
    }

    /// The next part has the keys.
    pub(in crate::app) fn next_part(&mut self, forwards: bool) {
        let has_values = self.pair().is_some_and(|pair| pair.arrays.is_some());
        if self.is_open && has_values {
            self.part = self.part.step(forwards);
        }
    }

    /// The axes of the map: the last two.
    #[must_use]
    pub fn axes(&self) -> (Option<usize>, usize) {
        let last = self.at.len().saturating_sub(1);
        (last.checked_sub(1), last)
    }

    fn move_in_map(&mut self, motion: Motion, count: Option<u64>, layout: &CompareLayout) {
        let Some(arrays) = self.pair().and_then(|pair| pair.arrays.as_ref()) else { return };
        let (counts, (down, right)) = (arrays.counts.clone(), self.axes());
        let fold = layout.fold(&counts);
        let many = count.unwrap_or(1).saturating_mul(fold);
        let mut go = |axis: Option<usize>, by: u64, forwards: bool| {
            let place = axis.and_then(|axis| Some((self.at.get_mut(axis)?, *counts.get(axis)?)));
            if let Some((place, count)) = place {
                let last = count.saturating_sub(1);
                *place = if forwards {
                    place.saturating_add(by).min(last)
                } else {
                    place.saturating_sub(by)
                };
            }
        };
        match motion {
            Motion::Up => go(down, many, false),
            Motion::Down => go(down, many, true),
            Motion::Left => go(Some(right), many, false),
            Motion::Right => go(Some(right), many, true),
            Motion::PageUp | Motion::HalfUp => go(down, 10 * fold, false),
            Motion::PageDown | Motion::HalfDown => go(down, 10 * fold, true),
            Motion::RowStart => go(Some(right), u64::MAX, false),
            Motion::RowEnd => go(Some(right), u64::MAX, true),
            Motion::First | Motion::Last => {
                let forwards = motion == Motion::Last;
                (0..counts.len()).for_each(|axis| go(Some(axis), u64::MAX, forwards));
            }
        }
    }

    /// To the next or previous difference: a row of the documents, an element, a chunk that has some.
    fn step(&mut self, way: Direction, shared: &mut Shared) {
        if !self.is_open {
            let differs = |at: &usize| self.pairs.get(*at).is_some_and(|pair| !pair.is_equal());
            let found = around(self.scroll.cursor(), self.pairs.len(), way).find(differs);
            return match found {
                Some(at) => self.scroll = self.scroll.on(at),
                None => shared.say("no pair differs so far"),
            };
        }
        if self.part == Part::Documents && self.step_in_documents(way) {
            return;
        }
        if self.part == Part::Documents && way == Direction::Previous {
            return shared.say("no difference before this one");
        }
        self.part = if self.part == Part::Documents { Part::Chunks } else { self.part };
        let here = self.value.cursor();
        let shown = self.values.as_ref().map_or(0, |values| values.rows.len());
        let within = match way {
            Direction::Next => Some(here + 1).filter(|&next| next < shown),
            Direction::Previous => here.checked_sub(1),
        };
        if let Some(row) = within.filter(|_| self.part == Part::Values) {
            self.value = self.value.on(row);
            return;
        }
        self.step_in_map(way, shared);
    }

    fn step_in_documents(&mut self, way: Direction) -> bool {
        let rows = self.documents();
        let differs = |at: &usize| rows.get(*at).is_some_and(|row| row.join == Join::Differs);
        let here = self.row.cursor();
        let found = match way {
            Direction::Next => (here + 1..rows.len()).find(differs),
            Direction::Previous => (0..here).rev().find(differs),
        };
        if let Some(at) = found {
            self.row = self.row.on(at);
        }
        found.is_some()
    }

    fn step_in_map(&mut self, way: Direction, shared: &mut Shared) {
        use std::ops::Bound::{Excluded, Unbounded};
        let Some(arrays) = self.pair().and_then(|pair| pair.arrays.as_ref()) else {
            return shared.say("no values are compared here");
        };
        let is_wanted = |(_, block): &(&Vec<u64>, &Block)| {
            block.different > 0 || block.verdict() == Verdict::Unreadable
        };
        let here = self.at.clone();
        let is_first = way == Direction::Next
            && arrays.blocks.get(&here).is_some_and(|block| {
                block.different > 0
                    && order::total(&here) == Some(0)
                    && self.part == Part::Chunks
                    && self.asked.is_none()
            });
        let found = match way {
            _ if is_first => Some(here.clone()),
            Direction::Next => {
                let mut rest = arrays.blocks.range((Excluded(here), Unbounded));
                rest.find(is_wanted).map(|(at, _)| at.clone())
            }
            Direction::Previous => {
                let mut rest = arrays.blocks.range((Unbounded, Excluded(here)));
                rest.rfind(is_wanted).map(|(at, _)| at.clone())
            }
        };
        if let Some(at) = found {
            self.at = at;
        } else {
            let so_far = if self.state == State::Over { "" } else { " so far" };
            shared.say(format!("no other chunk differs in that direction{so_far}"));
        }
    }

    /// Goes to what is under the cursor in A.
    fn visit(&self, shared: &mut Shared) {
        let (Some([a, _]), Some(pair)) = (&self.sides, self.pair()) else { return };
        let CompareSide::Node(root) = a else {
            return shared.say("A is not in this store: x swaps A and B");
        };
        let node = match (root.0.as_str(), pair.path.as_str()) {
            (root, "") => root.to_owned(),
            ("", path) => path.to_owned(),
            (root, path) => format!("{root}/{path}"),
        };
        let values = self.values.as_ref().filter(|_| self.part != Part::Documents);
        let row = values.and_then(|values| values.rows.get(self.value.cursor()));
        let element = row.map(|row| row.index.clone());
        let landing = element.or_else(|| {
            let arrays = pair.arrays.as_ref().filter(|_| self.part != Part::Documents)?;
            Some(self.at.iter().zip(&arrays.chunk_shape).map(|(at, n)| at * n).collect())
        });
        let purpose = match landing {
            Some(at) => Purpose::Start(None, Some(Landing::Array(at))),
            None => Purpose::Look,
        };
        shared.visit(NodePath(node), purpose);
    }
}
