//! What is on show is made and loaded: the pages of a node, its documents, its chunk, its slice.

use super::{
    App, View, Work,
    datatype::DataTypePage,
    effect::{Effect, Lane},
    load::Load,
    metadata::MetadataPage,
};
use crate::zarr::{Node, hierarchy::NodeKind};
use std::sync::Arc;

impl App {
    /// Lets the views show the node under the tree's cursor.
    pub(super) fn show_selected(&mut self) {
        let Some(node) = self.tree.selected().map(|row| Arc::clone(&row.node)) else { return };
        let same = self.shown.as_ref().is_some_and(|shown| Arc::ptr_eq(shown, &node));
        if !same {
            let again = self.shown.as_ref().is_some_and(|shown| shown.path == node.path);
            self.show(&node, again);
            self.shown = Some(node);
        }
    }

    /// Makes the pages of a node. A node that was only read again keeps its chunk and its cursors.
    fn show(&mut self, node: &Arc<Node>, again: bool) {
        let array = match &node.kind {
            NodeKind::Array(array) => Some(array.as_ref()),
            NodeKind::Group(_) | NodeKind::Folder | NodeKind::Broken(_) => None,
        };
        self.data_type = DataTypePage::of(array, self.data_type.scroll);
        let before = std::mem::replace(&mut self.chunks, Self::page_of(node));
        let before = self.interrupted.take().filter(|_| again).unwrap_or(before);
        if again && array.is_none() {
            self.interrupted = Some(before);
        } else if self.chunks.inherit(before, again) {
            self.load_chunk();
        } else {
            self.picture.axes = None;
            self.picture.index = 0;
            self.drop_chunk_work();
        }
        self.watch();
    }

    /// Lays the documents of the node out, once somebody looks at them: they can be long, and a cursor that runs
    /// through the tree must not wait for them.
    pub(super) fn read_documents(&mut self) {
        let Some(node) = self.shown.clone().filter(|_| self.view == View::Metadata) else { return };
        let before = self.documents_of.replace(Arc::clone(&node));
        if before.as_ref().is_none_or(|before| !Arc::ptr_eq(before, &node)) {
            let scroll = self.metadata.scroll;
            self.metadata = MetadataPage::of(&node, self.metadata.show_other);
            if before.is_some_and(|before| before.path == node.path) {
                let last = self.metadata.len().saturating_sub(1);
                self.metadata.scroll = scroll.on(scroll.cursor().min(last));
            }
        }
        if let Some(field) = self.pending_field.take() {
            self.metadata.to_field(&field);
        }
    }

    /// Whatever is being done for the chunk of another node has become pointless.
    fn drop_chunk_work(&mut self) {
        for lane in [Lane::Load, Lane::Presence, Lane::Search] {
            if self.is_busy(lane) {
                self.cancel(lane);
            }
        }
    }

    /// Watches the documents and the chunk on show.
    pub(super) fn watch(&mut self) {
        let Some(node) = self.tree.selected().map(|row| &row.node) else { return };
        let mut keys: Vec<String> = match &node.kind {
            NodeKind::Array(array) => array.documents.iter().map(|d| d.key.clone()).collect(),
            NodeKind::Group(group) => group.documents.iter().map(|d| d.key.clone()).collect(),
            NodeKind::Folder | NodeKind::Broken(_) => ["zarr.json", ".zarray", ".zgroup"]
                .map(|name| crate::zarr::store::join(&node.path.0, name))
                .into(),
        };
        keys.extend(self.chunks.shown().map(|shown| shown.chunk.key.clone()));
        self.effects.push(Effect::Watch(keys));
    }

    /// Asks for what the view on show needs and does not have.
    pub(super) fn load_what_is_needed(&mut self) {
        if self.chunks.array.is_none() || self.tree.is_revealing() {
            return;
        }
        let wants_chunk = matches!(self.view, View::Chunks | View::Picture);
        if wants_chunk && matches!(self.chunks.load, Load::Idle) {
            self.load_chunk();
        }
        if !self.chunks.presence.complete && !self.is_busy(Lane::Presence) && wants_chunk {
            self.look_for_chunks();
        }
        if let Some(around) = self.chunks.wanted().filter(|_| !self.is_busy(Lane::Load)) {
            self.load_around(around);
        }
    }

    /// Has the slice on show counted and sampled for a view of `size`, unless it was.
    pub(super) fn look_at_slice(&mut self, size: super::Size) {
        let shown = self.chunks.shown().cloned();
        self.picture.forget(shown.as_ref());
        let Some(shown) = shown.filter(|_| self.view == View::Picture) else { return };
        let slice = self.picture.slice(&shown, size);
        if self.picture.asks_anew(&shown, &slice) {
            let before = self.picture.pictured.ready().cloned();
            self.run(Lane::Picture, Work::Picture { shown, slice, before });
        }
    }

    pub(super) fn look_for_chunks(&mut self) {
        if let Some((path, array)) = self.chunks.array.clone()
            && array.grid.is_ok()
        {
            self.run(Lane::Presence, Work::Presence(path, array));
        }
    }

    /// Loads the chunk that is asked for.
    pub(super) fn load_chunk(&mut self) {
        let same = self.chunks.shown().is_some_and(|shown| shown.chunk.id == self.chunks.id);
        if !same {
            self.chunks.load = Load::Pending;
        }
        self.load_around(self.chunks.cursor);
    }

    fn load_around(&mut self, around: u64) {
        let Some((path, array)) = self.chunks.array.clone() else { return };
        if let Some(error) = &array.refused {
            self.chunks.load = Load::Failed(error.clone());
            return;
        }
        if let Err(error) = &array.grid {
            self.chunks.load = Load::Failed(error.clone());
            return;
        }
        if let Err(error) = &array.shape {
            self.chunks.load = Load::Failed(error.clone());
            return;
        }
        let id = self.chunks.id.clone();
        let (limit, ignore_checksums) = (self.limit, self.chunks.ignore_checksums);
        self.run(Lane::Load, Work::Load { path, array, id, around, ignore_checksums, limit });
    }

    pub(super) fn check(&mut self) {
        let path = self.node().map(|node| node.path.clone()).unwrap_or_default();
        self.problems.start(path.clone());
        self.run(Lane::Check, Work::Check { path, limit: self.limit });
    }
}
