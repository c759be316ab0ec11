//! The state that all pages share: the node and the chunk on show, the message, the work under way.

use super::prelude::*;
use super::{
    effect::Job,
    jumps::{JumpPlace, Jumps, PendingVisit},
};

/// One line for the user, until the next key.
#[derive(Debug, Clone)]
pub struct Message {
    /// The text, safe to show.
    pub text: String,
    /// True if something went wrong.
    pub is_failure: bool,
}

/// The state that belongs to no page alone.
#[derive(Clone, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is set by a key of its own")]
pub struct Shared {
    /// The name of the store.
    pub store_name: String,
    /// True if the store is asked over a network: what costs requests is not looked up unasked.
    pub is_far: bool,
    /// The name of its root.
    pub root_title: String,
    /// The most bytes that one stage of a chunk may give where nothing is promised.
    pub limit: u64,
    /// True if views tell when files were written.
    pub shows_times: bool,
    /// True if the tree has no place beside the view.
    pub hides_tree: bool,
    /// True if the view of chunks shows the table of all of them.
    pub shows_table: bool,
    /// The view on the right side.
    pub view: View,
    /// The pane that has the keys.
    pub focus: Focus,
    /// The chunk on show.
    pub chunk: CurrentChunk,
    /// The array that is read as something else than it declares.
    pub read_as: Option<Arc<ReadAs>>,
    /// One line for the user.
    pub message: Option<Message>,
    /// The state of opening a store that is not here yet.
    pub opening: Option<Opening>,
    /// The requests so far, where the store is asked over a network.
    pub requests: Option<Arc<RequestLog>>,
    /// The room of the panes when the last action came.
    pub(super) geometry: Geometry,
    /// The text that is searched for in the views that are lists.
    pub(super) list_needle: String,
    /// The place that the metadata page goes to once it has the documents.
    pub(super) pending_place: Option<Place>,
    /// The purpose of a visit to a node that is still being read.
    pub(super) pending_visit: Option<PendingVisit>,
    /// True if the tree still looks for a node that is to be selected.
    pub(super) is_revealing: bool,
    /// The node that was read last.
    pub(super) shown: Option<Arc<Node>>,
    /// The node that is being read for the views.
    pub(super) reading: Option<NodePath>,
    /// A finding that is gone to: its text stays in sight there.
    pub(super) pinned: Option<Explained>,
    pub(super) jumps: Jumps,
    pub(super) effects: Vec<Effect>,
    pub(super) generations: BTreeMap<Lane, u64>,
    pub(super) busy: BTreeSet<Lane>,
}

impl Shared {
    /// The node that the views show; `None` while it is being read.
    pub fn node(&self) -> Option<&Arc<Node>> {
        self.shown.as_ref().filter(|_| self.reading.is_none())
    }

    /// The node that is being read for the views.
    pub fn reading(&self) -> Option<&NodePath> {
        self.reading.as_ref()
    }

    /// The path of the node on show, or of the one that will be.
    pub(super) fn node_path(&self) -> NodePath {
        let shown = || self.shown.as_ref().map(|node| &node.path);
        self.reading.as_ref().or_else(shown).cloned().unwrap_or_default()
    }

    /// True if the node on show is an array.
    pub fn is_array(&self) -> bool {
        self.node().is_some_and(|node| node.kind.is_array())
    }

    /// The name of the root, safe to show.
    pub fn root_name(&self) -> String {
        safe_owned(&self.root_title)
    }

    /// True if this lane is at work.
    pub fn is_busy(&self, lane: Lane) -> bool {
        self.busy.contains(&lane)
    }

    pub(super) fn set_busy(&mut self, lane: Lane, busy: bool) {
        if busy {
            self.busy.insert(lane);
        } else {
            self.busy.remove(&lane);
        }
    }

    /// True if this is the number of the newest request on the lane.
    pub(super) fn is_newest(&self, lane: Lane, generation: u64) -> bool {
        self.generations.get(&lane).copied().unwrap_or_default() == generation
    }

    /// Asks for work; what the lane did before has become pointless.
    pub(super) fn run(&mut self, lane: Lane, work: Work) {
        let generation = self.generations.entry(lane).or_default();
        // The lister answers everybody, so its number does not change.
        if lane != Lane::List {
            *generation += 1;
        }
        let generation = *generation;
        self.set_busy(lane, true);
        self.effects.push(Effect::Run(Job {
            lane,
            generation,
            work,
            read_as: self.read_as.clone(),
        }));
    }

    /// Stops what the lane does.
    pub(super) fn cancel(&mut self, lane: Lane) {
        *self.generations.entry(lane).or_default() += 1;
        self.set_busy(lane, false);
        self.effects.push(Effect::Cancel(lane));
    }

    pub(super) fn say(&mut self, text: impl Into<String>) {
        self.message = Some(Message { text: text.into(), is_failure: false });
    }

    /// Tells the user that something went wrong, in one line that is safe to show.
    pub fn fail(&mut self, text: impl Into<String>) {
        self.message = Some(Message { text: text.into(), is_failure: true });
    }

    /// The text that is searched for in the views that are lists, in lower case; says so where there is none.
    pub(super) fn needle(&mut self) -> Option<String> {
        let needle = Some(self.list_needle.to_lowercase()).filter(|needle| !needle.is_empty());
        if needle.is_none() {
            self.fail(NO_SEARCH);
        }
        needle
    }

    /// The next of the rows of a list that has the text searched for. That there is none is said.
    pub(super) fn next_row(
        &mut self,
        way: Direction,
        (from, len): (usize, usize),
        has: impl Fn(usize, &str) -> bool,
    ) -> Option<usize> {
        let needle = self.needle()?;
        let found = around(from, len, way).find(|at| has(*at, &needle));
        if found.is_none() {
            self.fail("not found");
        }
        found
    }

    /// Shows a view, and gives it the keys.
    pub(super) fn show_view(&mut self, view: View) {
        (self.view, self.focus) = (view, Focus::View);
    }

    /// Goes to a node, as soon as the page is done, and does there what is to be done.
    pub(super) fn visit(&mut self, node: NodePath, purpose: Purpose) {
        self.pending_visit = Some(PendingVisit { node, purpose, is_on_the_way: false });
    }

    /// The place on show.
    pub(super) fn here(&self) -> JumpPlace {
        JumpPlace {
            node: self.node_path(),
            view: self.view,
            chunk: self.chunk.id.clone(),
            stage: self.chunk.stage,
            cursor: self.chunk.cursor,
        }
    }

    /// Keeps the place on show in the jump list.
    pub(super) fn remember(&mut self) {
        let here = self.here();
        self.jumps.leave(here);
    }

    /// Shows the chunk and the byte of a place that was left, where the array still has them.
    pub(super) fn come_back_to(&mut self, place: JumpPlace) {
        let dimensions = self.chunk.counts.len();
        if self.chunk.array.is_none() || place.chunk.coordinates.len() != dimensions {
            return;
        }
        if self.chunk.id == place.chunk && self.chunk.shown().is_some() {
            (self.chunk.stage, self.chunk.cursor) = (place.stage, place.cursor);
        } else {
            self.chunk.landing = Some(Landing::Stage(place.stage, place.cursor));
            self.chunk.id = place.chunk;
            self.load_chunk();
        }
    }
}
