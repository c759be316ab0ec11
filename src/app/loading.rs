//! What is on show is loaded: the documents of the node, its chunk, its slice.

use super::{App, Focus, View, Work, effect::Lane, metadata::MetadataPage};
use crate::zarr::{Code, Error, words::times};
use std::sync::Arc;

/// What a pane has to show.
#[derive(Debug, Clone, Default)]
pub enum Load<T> {
    /// Nobody has asked for it.
    #[default]
    Idle,
    /// Asked for, not here yet.
    Pending,
    /// Here.
    Ready(T),
    /// Could not be had.
    Failed(Error),
}

impl<T> Load<T> {
    /// What is here.
    #[must_use]
    pub fn ready(&self) -> Option<&T> {
        match self {
            Self::Ready(value) => Some(value),
            Self::Idle | Self::Pending | Self::Failed(_) => None,
        }
    }

    /// Whether it was asked for and is not here yet.
    #[must_use]
    pub fn is_pending(&self) -> bool {
        matches!(self, Self::Pending)
    }
}

impl App {
    /// Lays the documents of the node out, once somebody looks at them: they can be long, and a cursor that runs
    /// through the tree must not wait for them.
    pub(super) fn read_documents(&mut self) {
        let looked_at = self.view == View::Metadata;
        let Some(node) = self.node().filter(|_| looked_at).cloned() else { return };
        let before = self.documents_of.replace(Arc::clone(&node));
        if before.as_ref().is_none_or(|before| !Arc::ptr_eq(before, &node)) {
            let scroll = self.metadata.scroll;
            self.metadata = MetadataPage::of(&node, self.metadata.show_other);
            if before.is_some_and(|before| before.path == node.path) {
                let last = self.metadata.len().saturating_sub(1);
                self.metadata.scroll = scroll.on(scroll.cursor().min(last));
            } else {
                self.metadata.to_first_fault();
            }
        }
        if let Some(place) = self.pending_place.take() {
            self.metadata.to_place(&place);
        }
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
        let presence = &self.chunks.presence;
        let known = presence.complete || presence.stopped || self.is_busy(Lane::Presence);
        // Whoever goes into the data type wants to know, too; whoever walks down the tree does not wait for it.
        let wants_count = wants_chunk || self.view == View::DataType && self.focus == Focus::View;
        if !known && wants_count {
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
        // What is drawn are elements, and so is what the cursor stands on.
        self.chunks.choose_stage(shown.last());
        let under = self.chunks.element().unwrap_or_default();
        let slice = self.picture.slice(&shown, &under, size);
        let choice = self.picture.choice(&self.chunks.choices());
        if self.picture.asks_anew(&shown, &slice, choice) {
            let (before, limit) = (self.picture.pictured.ready().cloned(), self.limit);
            self.run(Lane::Picture, Work::Picture { shown, slice, choice, limit, before });
        }
    }

    /// Looks which chunks there are. While that is being done, it is done once more afterwards, not from the start: a
    /// store that is written to all the time would never be known.
    pub(super) fn look_for_chunks(&mut self) {
        if self.is_busy(Lane::Presence) {
            self.chunks.presence.outdated = true;
            return;
        }
        if let Some((path, array)) = self.chunks.array.clone()
            && array.grid.is_ok()
        {
            self.chunks.presence.begin();
            self.run(Lane::Presence, Work::Presence(path, array));
        }
    }

    /// Loads the chunk that is asked for.
    pub(super) fn load_chunk(&mut self) {
        let same = self.chunks.shown().is_some_and(|shown| shown.chunk.id == self.chunks.id);
        self.chunks.loading = None;
        if !same {
            self.chunks.load = Load::Pending;
        }
        if !self.chunks.levels.is_empty() {
            // Where chunks are of different lengths, they hold differently many inner chunks.
            self.chunks.levels = self.chunks.levels_at(&self.chunks.id.coordinates);
        }
        // The cursor is in the file only where the chunk is the whole of it.
        let whole = self.chunks.id.inner.is_empty();
        self.load_around(if whole { self.chunks.cursor } else { 0 });
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
        if let Ok(shape) = &array.shape
            && shape.contains(&0)
        {
            self.chunks.load = Load::Failed(no_elements(shape));
            return;
        }
        let id = self.chunks.id.clone();
        let (limit, ignore_checksums) = (self.limit, self.chunks.ignore_checksums);
        self.run(Lane::Load, Work::Load { path, array, id, around, ignore_checksums, limit });
    }

    pub(super) fn check(&mut self) {
        let path = self.node_path();
        self.problems.start(path.clone());
        self.run(Lane::Check, Work::Check { path, limit: self.limit });
    }
}

/// What there is to say of the chunks of an array of this shape: there are none.
fn no_elements(shape: &[u64]) -> Error {
    let found = format!("the shape {}: no elements, so no chunks", times(shape));
    Error::new(Code::EmptyArray, found, "")
        .with_fix("That is legal: writers make such arrays before they append to them.")
}
