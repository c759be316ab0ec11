//! The node that the views show: the one under the tree's cursor, read when the cursor gets there.
//!
//! The tree keeps a line of each node and no more, so a store of a hundred thousand nodes costs what their lines cost,
//! and what is shown is what lies on the disk now. While a node is being read the views have none, and whatever is to
//! be done there, a [`PendingVisit`], waits for it.

use super::{
    App, Focus, Lane, View, Watched, Work,
    chunks::{ChunksPage, Landing, nesting},
    datatype::DataTypePage,
    jumps::{Location, PendingVisit, Purpose},
    tree::Outline,
};
use crate::zarr::{Error, Node, NodePath, grid::ChunkId, hierarchy::NodeKind};
use std::sync::Arc;

impl App {
    /// The node that the views show; `None` while it is being read.
    #[must_use]
    pub fn node(&self) -> Option<&Arc<Node>> {
        self.shown.as_ref().filter(|_| self.reading.is_none())
    }

    /// The node that is being read for the views.
    #[must_use]
    pub fn reading(&self) -> Option<&NodePath> {
        self.reading.as_ref()
    }

    /// Where we are: the node on show, or the one that will be.
    pub(super) fn node_path(&self) -> NodePath {
        let shown = || self.shown.as_ref().map(|node| &node.path);
        self.reading.as_ref().or_else(shown).cloned().unwrap_or_default()
    }

    /// Lets the views show the node under the tree's cursor, which has to be read for that.
    pub(super) fn show_selected(&mut self) {
        let Some(path) = self.tree.selected().map(|row| row.node.path.clone()) else { return };
        if path == self.node_path() && (self.shown.is_some() || self.reading.is_some()) {
            return;
        }
        if self.reading.is_none() {
            self.previous_chunks = std::mem::take(&mut self.chunks);
            self.drop_chunk_work();
        }
        self.reading = Some(path.clone());
        self.run(Lane::Node, Work::Node(path));
    }

    /// Takes in a node that was read, for the first time or again.
    pub(super) fn take_node(&mut self, node: Node) {
        self.tree.replace(Outline::of(&node));
        if node.path != self.node_path() {
            return;
        }
        let again = self.shown.as_ref().is_some_and(|shown| shown.path == node.path);
        let before = match self.reading.take() {
            Some(_) => std::mem::take(&mut self.previous_chunks),
            None => std::mem::take(&mut self.chunks),
        };
        let node = Arc::new(node);
        self.shown = Some(Arc::clone(&node));
        self.show(&node, before, again);
        self.run_pending();
        self.fall_back_to_nearest();
    }

    /// A node that took the worker down is shown as broken.
    pub(super) fn take_unreadable_node(&mut self, error: Error) {
        self.take_node(Node {
            path: self.node_path(),
            kind: NodeKind::Broken(error),
            other: None,
            consolidated: None,
            problems: Vec::new(),
            unreadable: Vec::new(),
        });
    }

    /// Makes the pages of a node, the chunk page having been `before`. A node that was only read again keeps its chunk
    /// and its cursors.
    fn show(&mut self, node: &Arc<Node>, before: ChunksPage, again: bool) {
        let array = match &node.kind {
            NodeKind::Array(array) => Some(array),
            NodeKind::Group(_) | NodeKind::Folder | NodeKind::Broken(_) => None,
        };
        self.data_type = DataTypePage::of(array.map(Arc::as_ref), self.data_type.scroll);
        self.chunks = array.map_or_else(ChunksPage::default, |array| {
            ChunksPage::of(node.path.clone(), Arc::clone(array))
        });
        let before = self.interrupted.take().filter(|_| again).unwrap_or(before);
        if again && array.is_none() {
            self.interrupted = Some(before);
        } else if self.chunks.inherit(before, again) {
            self.load_chunk();
        } else {
            self.picture.axes = None;
            self.drop_chunk_work();
        }
        self.chunks.take_damaged(&self.problems.found);
        self.watch();
    }

    /// Whatever is being done for the chunk of another node has become pointless.
    fn drop_chunk_work(&mut self) {
        for lane in [Lane::Load, Lane::Presence, Lane::Search] {
            if self.is_busy(lane) {
                self.cancel(lane);
            }
        }
    }

    /// Watches the documents and the chunk on show, and the groups around them, where nodes may appear.
    pub(super) fn watch(&mut self) {
        let Some(node) = self.node() else { return };
        let mut files: Vec<String> = match &node.kind {
            NodeKind::Array(array) => array.documents.iter().map(|d| d.key.clone()).collect(),
            NodeKind::Group(group) => group.documents.iter().map(|d| d.key.clone()).collect(),
            NodeKind::Folder | NodeKind::Broken(_) => ["zarr.json", ".zarray", ".zgroup"]
                .map(|name| crate::zarr::store::join(&node.path.0, name))
                .into(),
        };
        files.extend(self.chunks.shown().map(|shown| shown.chunk.key.clone()));
        let mut folders = vec![node.path.0.clone()];
        let mut around = node.path.parent();
        while let Some(path) = around {
            around = path.parent();
            folders.push(path.0);
        }
        let is_array = matches!(node.kind, NodeKind::Array(_));
        let chunks_in = is_array.then(|| node.path.0.clone());
        self.effects.push(super::Effect::Watch(Watched { files, folders, chunks_in }));
    }
}

impl App {
    /// Selects a node, as soon as what is around it is listed.
    pub(super) fn reveal(&mut self, path: &NodePath) {
        if let Some(path) = self.tree.reveal(path) {
            self.run(Lane::List, Work::List(path));
        }
    }

    /// Goes to a node, to do something there.
    pub(super) fn send(&mut self, pending_visit: PendingVisit) {
        if pending_visit.node != self.node_path() || self.tree.is_revealing() {
            self.reveal(&pending_visit.node);
        }
        self.pending_visit = Some(pending_visit);
        self.run_pending();
    }

    /// Does what was to be done at a node, once it is here. A visit to a node that nobody goes to any more is
    /// forgotten.
    pub(super) fn run_pending(&mut self) {
        self.show_selected();
        if self.tree.is_revealing() {
            return;
        }
        let Some(here) = self.node().map(|node| node.path.clone()) else { return };
        match self
            .pending_visit
            .take()
            .filter(|pending_visit| pending_visit.node == here)
            .map(|pending_visit| pending_visit.purpose)
        {
            Some(Purpose::Start(chunk, landing)) => self.start_at(chunk, landing),
            Some(Purpose::Key(key)) if !key.is_empty() => {
                if let Err(why) = self.go_to_key(&key) {
                    self.fail(why);
                }
            }
            Some(Purpose::Location(place)) => self.come_back_to(place),
            Some(Purpose::Key(_)) | None => {}
        }
    }

    fn start_at(&mut self, chunk: Option<ChunkId>, landing: Option<Landing>) {
        if chunk.is_none() && landing.is_none() {
            // Who names an array wants to see it: where there is room for one pane only, not the tree.
            if self.is_array() {
                self.focus = Focus::View;
            }
            return;
        }
        if let (None, Some(Landing::Array(at))) = (&chunk, &landing) {
            if let Err(why) = self.go_to_element(at.clone()) {
                self.fail(why);
            }
            return;
        }
        (self.view, self.focus) = (View::Chunks, Focus::View);
        if let Some(id) = chunk {
            self.chunks.id = id;
            if self.chunks.id.inner.is_empty() {
                self.chunks.id.inner = self.first_inner(&self.chunks.id, landing.as_ref());
            }
        }
        self.chunks.landing = landing;
        self.load_chunk();
    }

    /// Which inner chunk is meant where only its shard is named: the one that holds the wanted element, or the first.
    fn first_inner(&self, id: &ChunkId, landing: Option<&Landing>) -> Vec<Vec<u64>> {
        let holds = match landing {
            Some(Landing::Array(at)) => self.chunks.inner_of(at),
            _ => None,
        };
        let holds = holds.filter(|holds| holds.coordinates == id.coordinates);
        let first = || nesting::first(&self.chunks.levels_at(&id.coordinates));
        holds.map_or_else(first, |holds| holds.inner)
    }

    /// Shows the chunk and the byte of a place that was left, where the array still has them.
    fn come_back_to(&mut self, place: Location) {
        if self.chunks.array.is_none() || place.chunk.coordinates.len() != self.chunks.counts.len()
        {
            return;
        }
        if self.chunks.id == place.chunk && self.chunks.shown().is_some() {
            (self.chunks.stage, self.chunks.cursor) = (place.stage, place.cursor);
        } else {
            self.chunks.landing = Some(Landing::Stage(place.stage, place.cursor));
            self.chunks.id = place.chunk;
            self.load_chunk();
        }
    }
}
