//! The node that the views show: the one under the tree's cursor, read when the cursor gets there.
//!
//! The tree keeps a line of each node and no more, so a store of a hundred thousand nodes costs what their lines cost,
//! and what is shown is what is on the disk now. While a node is being read the views have none, and whatever is to
//! be done there, a [`PendingVisit`](super::jumps::PendingVisit), waits for it.

use super::Watched;
use super::prelude::*;

impl App {
    /// Lets the views show the node under the tree's cursor, which has to be read for that.
    pub(super) fn show_selected(&mut self) {
        let Some(path) = self.pages.tree.selected().map(|row| row.node.path.clone()) else {
            return;
        };
        if path == self.shared.node_path()
            && (self.shared.shown.is_some() || self.shared.reading.is_some())
        {
            return;
        }
        if self.shared.reading.is_none() {
            self.previous_chunk = mem::take(&mut self.shared.chunk);
            self.shared.drop_chunk_work();
        }
        self.shared.reading = Some(path.clone());
        self.shared.run(Lane::Node, Work::Node(path));
    }

    /// Takes in a node that was read, for the first time or again.
    pub(super) fn take_node(&mut self, node: Node) {
        self.pages.tree.replace(Outline::of(&node));
        if node.path != self.shared.node_path() {
            return;
        }
        let again = self.shared.shown.as_ref().is_some_and(|shown| shown.path == node.path);
        let before = match self.shared.reading.take() {
            Some(_) => mem::take(&mut self.previous_chunk),
            None => mem::take(&mut self.shared.chunk),
        };
        let node = Arc::new(node);
        self.shared.shown = Some(Arc::clone(&node));
        self.show(&node, before, again);
        self.run_pending();
        self.fall_back_to_nearest();
    }

    /// A node that took the worker down is shown as broken.
    pub(super) fn take_unreadable_node(&mut self, error: Error) {
        self.take_node(Node {
            path: self.shared.node_path(),
            kind: NodeKind::Broken(error),
            other: None,
            consolidated: None,
            problems: Vec::new(),
            unreadable: Vec::new(),
        });
    }

    /// Makes the pages of a node, the chunk page having been `before`. A node that was only read again keeps its chunk
    /// and its cursors.
    fn show(&mut self, node: &Arc<Node>, before: CurrentChunk, again: bool) {
        let array = match &node.kind {
            NodeKind::Array(array) => Some(array),
            NodeKind::Group(_) | NodeKind::Folder | NodeKind::Broken(_) => None,
        };
        self.shared.chunk = array.map_or_else(CurrentChunk::default, |array| {
            CurrentChunk::of(node.path.clone(), Arc::clone(array))
        });
        let before = self.interrupted.take().filter(|_| again).unwrap_or(before);
        if again && array.is_none() {
            self.interrupted = Some(before);
        } else if self.shared.chunk.inherit(before, again) {
            self.shared.load_chunk();
        } else {
            self.pages.picture.axes = None;
            self.shared.drop_chunk_work();
        }
        // What a check found is true of what it read the array as.
        if self.pages.problems.covers_as_read(&self.shared.node_path(), &self.shared) {
            self.shared.chunk.take_damaged(&self.pages.problems.found);
        }
        self.shared.watch();
    }
}

impl App {
    /// Selects a node, as soon as what is around it is listed.
    pub(super) fn reveal(&mut self, path: &NodePath) {
        if let Some(path) = self.pages.tree.reveal(path) {
            self.shared.run(Lane::List, Work::List(path));
        }
    }

    /// Goes to a node, the place on show being remembered.
    pub(super) fn go_to_node(&mut self, path: &NodePath) {
        self.shared.remember();
        self.reveal(path);
    }

    /// Sets out for the node that a page wants to go to.
    pub(super) fn start_visit(&mut self) {
        let Some(visit) = self.shared.pending_visit.as_mut().filter(|visit| !visit.is_on_the_way)
        else {
            return;
        };
        visit.is_on_the_way = true;
        let (node, look) = (visit.node.clone(), visit.purpose == Purpose::Look);
        if look || node != self.shared.node_path() || self.pages.tree.is_revealing() {
            self.reveal(&node);
        }
        self.run_pending();
    }

    /// Does what was to be done at a node, once it is here. A visit to a node that nobody goes to any more is
    /// forgotten.
    pub(super) fn run_pending(&mut self) {
        self.show_selected();
        if self.pages.tree.is_revealing() {
            return;
        }
        let Some(here) = self.shared.node().map(|node| node.path.clone()) else { return };
        let visit = self.shared.pending_visit.take().filter(|visit| visit.node == here);
        match visit.map(|visit| visit.purpose) {
            Some(Purpose::Start(chunk, landing)) => self.shared.start_at(chunk, landing),
            Some(Purpose::Key(key, byte)) if !key.is_empty() => {
                if let Err(why) = self.shared.go_to_key(&key, byte) {
                    self.shared.fail(why);
                }
            }
            Some(Purpose::ReadAs(what_if)) => self.read_as(what_if),
            Some(Purpose::JumpPlace(place)) => self.shared.come_back_to(place),
            Some(Purpose::Key(..) | Purpose::Look) | None => {}
        }
    }
}

impl Shared {
    fn start_at(&mut self, chunk: Option<ChunkId>, landing: Option<Landing>) {
        if chunk.is_none() && landing.is_none() {
            // Who names a node wants to see it: where there is room for one pane only, not the tree.
            if self.is_array() || !self.geometry.wide && self.shows_overview() {
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
            self.chunk.id = id;
            if self.chunk.id.inner.is_empty() {
                self.chunk.id.inner = self.first_inner(&self.chunk.id, landing.as_ref());
            }
        }
        self.chunk.landing = landing;
        self.load_chunk();
    }

    /// The inner chunk that is meant where only its shard is named: the one that holds the wanted element, or the
    /// first.
    fn first_inner(&self, id: &ChunkId, landing: Option<&Landing>) -> Vec<Vec<u64>> {
        let holds = match landing {
            Some(Landing::Array(at)) => self.chunk.inner_of(at),
            _ => None,
        };
        let holds = holds.filter(|holds| holds.coordinates == id.coordinates);
        let first = || nesting::first(&self.chunk.levels_at(&id.coordinates));
        holds.map_or_else(first, |holds| holds.inner)
    }

    /// Whatever is being done for the chunk of another node has become pointless.
    fn drop_chunk_work(&mut self) {
        for lane in [Lane::Load, Lane::Presence, Lane::Search, Lane::Count] {
            if self.is_busy(lane) {
                self.cancel(lane);
            }
        }
    }

    /// Watches the documents and the chunk on show, and the groups around them, where nodes may appear.
    pub(super) fn watch(&mut self) {
        let Some(node) = self.node() else { return };
        let mut files: Vec<String> = match &node.kind {
            kind @ (NodeKind::Array(_) | NodeKind::Group(_)) => {
                kind.documents().iter().map(|document| document.key.clone()).collect()
            }
            NodeKind::Folder | NodeKind::Broken(_) => ["zarr.json", ".zarray", ".zgroup"]
                .map(|name| crate::zarr::store::join(&node.path.0, name))
                .into(),
        };
        files.extend(self.chunk.shown().map(|shown| shown.chunk.key.clone()));
        let folders = node.path.clone().upwards().map(|path| path.0).collect();
        let is_array = node.kind.is_array();
        let chunks_in = is_array.then(|| node.path.0.clone());
        self.effects.push(Effect::Watch(Watched { files, folders, chunks_in }));
    }
}
