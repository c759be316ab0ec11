//! Loading the chunk on show, and looking which chunks there are.

use super::prelude::*;

/// The content of a pane that is loaded.
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
    /// The value, if it is here.
    pub fn ready(&self) -> Option<&T> {
        match self {
            Self::Ready(value) => Some(value),
            Self::Idle | Self::Pending | Self::Failed(_) => None,
        }
    }

    /// True if it was asked for and is not here yet.
    pub fn is_pending(&self) -> bool {
        matches!(self, Self::Pending)
    }
}

impl Shared {
    /// Asks for what the view on show needs and does not have.
    pub(super) fn load_what_is_needed(&mut self) {
        let wants_chunk = matches!(self.view, View::Chunks | View::Picture);
        if wants_chunk && matches!(self.chunk.load, Load::Idle) {
            self.load_chunk();
        }
        let presence = &self.chunk.presence;
        let known = presence.complete || presence.stopped || self.is_busy(Lane::Presence);
        // Whoever goes into the data type wants to know, too; whoever walks down the tree does not wait for it.
        let wants_count = wants_chunk || self.view == View::DataType && self.focus == Focus::View;
        if !known && wants_count {
            self.look_for_chunks();
        }
        if let Some(around) = self.chunk.wanted().filter(|_| !self.is_busy(Lane::Load)) {
            self.load_around(around);
        }
    }

    /// Looks which chunks there are. While that is being done, it is done once more afterwards, not from the start: a
    /// store that is written to all the time would never be known.
    pub(super) fn look_for_chunks(&mut self) {
        if self.is_busy(Lane::Presence) {
            self.chunk.presence.outdated = true;
            return;
        }
        if let Some((path, array)) = self.chunk.array.clone()
            && array.grid.is_ok()
        {
            self.chunk.presence.begin();
            self.run(Lane::Presence, Work::Presence(path, array));
        }
    }

    /// Loads the chunk that is asked for.
    pub(super) fn load_chunk(&mut self) {
        let same = self.chunk.shown().is_some_and(|shown| shown.chunk.id == self.chunk.id);
        self.chunk.loading = None;
        if !same {
            self.chunk.load = Load::Pending;
        }
        if !self.chunk.levels.is_empty() {
            // Where chunks are of different lengths, they hold differently many inner chunks.
            self.chunk.levels = self.chunk.levels_at(&self.chunk.id.coordinates);
        }
        // The cursor is in the file only where the chunk is the whole of it.
        let whole = self.chunk.id.inner.is_empty();
        self.load_around(if whole { self.chunk.cursor } else { 0 });
    }

    fn load_around(&mut self, around: u64) {
        let Some((path, array)) = self.chunk.array.clone() else { return };
        let why = array.refused.as_ref().or_else(|| array.grid.as_ref().err());
        let why = why.or_else(|| array.shape.as_ref().err()).cloned();
        let empty = array.known_shape().filter(|shape| shape.contains(&0));
        if let Some(error) = why.or_else(|| empty.map(|shape| no_elements(shape))) {
            self.chunk.load = Load::Failed(error);
            return;
        }
        let id = self.chunk.id.clone();
        let (limit, ignore_checksums) = (self.limit, self.chunk.ignore_checksums);
        self.run(Lane::Load, Work::Load { path, array, id, around, ignore_checksums, limit });
    }
}

/// The message on the chunks of an array of this shape: there are none.
fn no_elements(shape: &[u64]) -> Error {
    let found = format!("the shape is {}: no elements, so no chunks", times(shape));
    Error::new(Code::EmptyArray, found, "")
        .with_fix("That is valid: writers create such arrays to append to them later.")
}
