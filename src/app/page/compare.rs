//! Two nodes compared: their documents row by row, their values chunk by chunk, and the elements that differ.
//!
//! A worker goes through both, node by node and slab by slab, by what the library compares; here is what came of it,
//! and where one looks at it.

use crate::app::prelude::*;

mod explained;
mod pair;
mod request;
mod steps;

pub use explained::described;
pub use pair::{
    ArrayPair, BlockVerdict, ChunkValues, ComparedBlock, NodePair, ValueRow, values_in_words,
};
pub use request::{ChunkRequest, CompareNews, CompareRequest, CompareSide};

/// The parts of the page.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum ComparisonPart {
    /// The rows of the documents.
    #[default]
    Documents,
    /// The map of chunks.
    Chunks,
    /// The elements of the chunk under the cursor that differ.
    Values,
}

impl ComparisonPart {
    /// All of them, from the top.
    pub const ALL: [Self; 3] = [Self::Documents, Self::Chunks, Self::Values];
}

/// The page.
#[derive(Clone, Default)]
pub struct ComparePage {
    /// The node that is marked to be compared, with the chunk of it that was on show.
    pub marked: Option<CompareSide>,
    /// The nodes that are compared.
    pub sides: Option<[CompareSide; 2]>,
    /// The rule by which two elements are the same.
    pub tolerance: Tolerance,
    /// The names of both, once they are open.
    pub names: [String; 2],
    /// The pairs that there are; 0 before that is known.
    pub total: usize,
    /// The pairs that were found so far, the last of them under way.
    pub pairs: Vec<NodePair>,
    /// The pair under the cursor.
    pub scroll: Scroll,
    /// True if the pair under the cursor is on show, and not the list.
    pub is_open: bool,
    /// The part that has the keys.
    pub part: ComparisonPart,
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
    /// The state of the work.
    pub state: WorkState,
    /// The reason why nothing can be compared.
    pub failure: Option<String>,
    /// The pairs before the last one that differ.
    different: usize,
    /// The chunks that are remembered, of all pairs.
    remembered: usize,
    /// The path of the arrays and the chunk whose differences were asked for.
    asked: Option<(String, Vec<u64>)>,
}

impl Page for ComparePage {
    fn list(&mut self, shared: &Shared) -> Option<CursorList<'_>> {
        let layout = self.layout(shared.geometry.whole);
        let documents = self.documents().len();
        let values = self.values.as_ref().map_or(0, |values| values.rows.len());
        let (scroll, len, height) = match self.part {
            _ if !self.is_open => (&mut self.scroll, self.pairs.len(), layout.list),
            ComparisonPart::Documents => (&mut self.row, documents, layout.documents),
            ComparisonPart::Chunks => return None,
            ComparisonPart::Values => (&mut self.value, values, layout.values),
        };
        Some(CursorList { scroll, len, head: layout.head, height })
    }

    fn moved(&mut self, motion: Motion, count: Option<u64>, shared: &mut Shared) {
        if self.is_open && self.part == ComparisonPart::Chunks {
            let (layout, axes) = (self.layout(shared.geometry.whole), self.axes());
            let pair = self.pairs.get(self.scroll.cursor());
            if let Some(arrays) = pair.and_then(|pair| pair.arrays.as_ref()) {
                let fold = layout.fold(&arrays.counts);
                motion.in_grid((&mut self.at, &arrays.counts), axes, fold, count);
            }
        } else {
            self.moved_in_list(motion, count, shared);
        }
    }

    fn clicked(&mut self, at: PaneCell, shared: &mut Shared) -> bool {
        if self.is_open {
            let layout = self.layout(shared.geometry.whole);
            self.part = layout.part_at(at.row).unwrap_or(self.part);
            return false;
        }
        self.list(shared).is_some_and(|list| list.clicked(at.row))
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
            Action::Step(StepTo::Difference, way) => self.step(way, shared),
            Action::Compare => {
                if let Some([a, b]) = self.sides.clone() {
                    self.compare([b, a], shared);
                }
            }
            Action::Fold => {
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
            ComparisonPart::Documents => {
                let row = self.documents().get(self.row.cursor()).copied()?;
                Some(format!("{}: A {} B {}", row.label, row.a, row.b))
            }
            ComparisonPart::Chunks => self.values.as_ref().map(|values| values.key.clone()),
            ComparisonPart::Values => {
                let row = self.values.as_ref()?.rows.get(self.value.cursor())?;
                let [a, b] = &row.values;
                Some(format!("{}: A {a} B {b}", list(&row.index)))
            }
        }
    }

    fn explained(&self, _shared: &Shared) -> Option<Explained> {
        self.explanation()
    }

    fn wanted(&mut self, shared: &mut Shared) {
        let Some((wanted, known, is_forgotten)) = self.wanted_chunk() else {
            return self.ignore(shared);
        };
        if self.asked.as_ref() == Some(&wanted) {
            return;
        }
        self.ignore(shared);
        let Some(sides) = self.sides.clone() else { return };
        let (path, chunk) = wanted.clone();
        (self.asked, self.values, self.value) = (Some(wanted), None, Scroll::default());
        if is_forgotten || arrays_differ(known) {
            let (tolerance, limit) = (self.tolerance, shared.limit);
            let request = ChunkRequest { sides, tolerance, path, chunk, limit };
            shared.run(Lane::Differences, Work::Differences(Box::new(request)));
        }
    }

    fn replied(&mut self, answer: Answer, lane: Lane, _shared: &mut Shared) {
        match answer {
            Answer::Compared(news) => self.take(*news),
            Answer::Differences(values) if self.is_asked(&values) => self.values = Some(*values),
            Answer::Done if lane == Lane::Compare => {
                (self.pace, self.state) = (None, WorkState::Over);
            }
            Answer::Failed(error) if lane == Lane::Compare => {
                self.failure = Some(safe_text(&error));
                self.pace = None;
            }
            _ => {}
        }
    }

    fn reloaded(&mut self, shared: &mut Shared) {
        if self.state == WorkState::Stopped {
            self.go_on(shared);
        } else if let Some(sides) = self.sides.clone() {
            self.compare(sides, shared);
        }
    }

    fn stopped(&mut self, lane: Lane, _shared: &mut Shared) {
        if lane == Lane::Compare {
            (self.pace, self.state) = (None, WorkState::Stopped);
        }
    }
}

/// True if there may be elements that differ.
fn arrays_differ(verdict: BlockVerdict) -> bool {
    matches!(verdict, BlockVerdict::Different | BlockVerdict::OnlyA | BlockVerdict::OnlyB)
}

impl ComparePage {
    /// The pair under the cursor.
    pub fn pair(&self) -> Option<&NodePair> {
        self.pairs.get(self.scroll.cursor())
    }

    /// What is known of its arrays, where both are some.
    fn arrays(&self) -> Option<&ArrayPair> {
        self.pair()?.arrays.as_ref()
    }

    /// The layout of its parts in a page of `size`.
    pub fn layout(&self, size: Size) -> CompareLayout {
        let rows = self.documents().len();
        CompareLayout::new(size, rows, self.part, self.arrays().is_some())
    }

    /// The rows of the documents on show: those that are not the same, or all.
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
        let Some(sides) = self.sides.clone().filter(|_| self.state != WorkState::Over) else {
            return;
        };
        let last = self.pairs.len().checked_sub(1);
        let slabs = self.pairs.last().and_then(|pair| pair.arrays.as_ref());
        let from = last.map(|last| (last, slabs.map_or(0, |arrays| arrays.slabs)));
        (self.state, self.pace, self.failure) = (WorkState::Begun, Some(Pace::default()), None);
        let (tolerance, limit) = (self.tolerance, shared.limit);
        let request = CompareRequest { sides, tolerance, from, limit };
        shared.run(Lane::Compare, Work::Compare(Box::new(request)));
    }

    fn take(&mut self, news: CompareNews) {
        match news {
            CompareNews::Opened(names, total) => (self.names, self.total) = (names, total),
            CompareNews::Pair(pair) => {
                self.different = self.pairs_that_differ();
                self.pairs.push(*pair);
                if self.total == 1 {
                    self.open_pair();
                }
            }
            CompareNews::Slab(compared, blocks, reached, pace) => {
                self.pace = Some(pace);
                let arrays = self.pairs.last_mut().and_then(|pair| pair.arrays.as_mut());
                if let Some(arrays) = arrays {
                    self.remembered = arrays.take((*compared, blocks), reached, self.remembered);
                }
            }
        }
    }

    /// The pairs that differ so far.
    pub fn pairs_that_differ(&self) -> usize {
        self.different + self.pairs.last().map_or(0, |last| usize::from(!last.is_equal()))
    }

    /// The chunk whose differences are to be shown, what is known of it, and if that was too much to remember.
    fn wanted_chunk(&self) -> Option<((String, Vec<u64>), BlockVerdict, bool)> {
        let pair = self.pair().filter(|_| self.is_open)?;
        let arrays = pair.arrays.as_ref()?;
        let known = arrays.verdict(&self.at);
        let is_forgotten = known == BlockVerdict::Unknown && arrays.is_compared(&self.at);
        let is_known = known != BlockVerdict::Unknown || is_forgotten;
        is_known.then(|| ((pair.path.clone(), self.at.clone()), known, is_forgotten))
    }

    fn is_asked(&self, values: &ChunkValues) -> bool {
        let asked = self.asked.as_ref();
        asked.is_some_and(|(path, chunk)| *path == values.path && *chunk == values.chunk)
    }

    /// Nobody waits for the differences of a chunk: those that are not here yet are asked for again when somebody does.
    pub(in crate::app) fn ignore(&mut self, shared: &mut Shared) {
        if shared.is_busy(Lane::Differences) {
            shared.cancel(Lane::Differences);
            self.asked = None;
        }
    }

    /// Shows the pair under the cursor, at its first chunk.
    fn open_pair(&mut self) {
        let counts = self.arrays().map(|arrays| arrays.counts.len());
        (self.is_open, self.part) = (true, ComparisonPart::Documents);
        (self.row, self.value) = (Scroll::default(), Scroll::default());
        (self.at, self.values, self.asked) = (vec![0; counts.unwrap_or(0)], None, None);
    }

    /// One level back: from the pair to the list of them. False where there is none.
    pub(in crate::app) fn back(&mut self) -> bool {
        let has_list = self.total > 1;
        has_list && mem::take(&mut self.is_open)
    }

    /// The next part has the keys.
    pub(in crate::app) fn next_part(&mut self, way: Direction) {
        if self.is_open && self.arrays().is_some() {
            let next = around(self.part as usize, ComparisonPart::ALL.len(), way).next();
            self.part =
                next.and_then(|at| ComparisonPart::ALL.get(at).copied()).unwrap_or_default();
        }
    }

    /// The axes of the map: the last two.
    pub fn axes(&self) -> (Option<usize>, usize) {
        let last = self.at.len().saturating_sub(1);
        (last.checked_sub(1), last)
    }

    /// Goes to what is under the cursor in A.
    fn visit(&self, shared: &mut Shared) {
        let (Some([a, _]), Some(pair)) = (&self.sides, self.pair()) else { return };
        let (root, own) = match a {
            CompareSide::Node(root) => (root, None),
            CompareSide::Chunk(root, chunk) => (root, Some(chunk)),
            CompareSide::Typed(_) => return shared.say("A is not in this store: x swaps A and B"),
        };
        let values = self.values.as_ref().filter(|_| self.part != ComparisonPart::Documents);
        let row = values.and_then(|values| values.rows.get(self.value.cursor()));
        let element = row.map(|row| Landing::Array(row.index.clone()));
        let arrays = pair.arrays.as_ref().filter(|_| self.part != ComparisonPart::Documents);
        let chunk = arrays.filter(|_| element.is_none()).and_then(|arrays| match arrays.only {
            Some(_) => own.cloned(),
            None => Some(ChunkId::at(self.at.clone())),
        });
        let purpose = match (chunk, element) {
            (None, None) => Purpose::Look,
            (chunk, element) => Purpose::Start(chunk, element),
        };
        shared.visit(root.below(&pair.path), purpose);
    }
}
