//! The keys of the Chunks view.

use super::Landing;
use crate::{
    app::{
        App, Focus, Geometry, Size, View, Work,
        action::{ChunksAction, Direction, Prefix},
        effect::Lane,
    },
    zarr::grid::ChunkId,
};
use std::{path::PathBuf, sync::Arc};

impl App {
    pub(in crate::app) fn begin(&mut self, prefix: Prefix) {
        self.prefix = Some(prefix);
        let way = match prefix {
            Prefix::Copy => return,
            Prefix::Next => Direction::Next,
            Prefix::Previous => Direction::Previous,
        };
        if self.view == View::Chunks && self.focus == Focus::View {
            self.stage_before = Some((self.chunks.stage, self.chunks.cursor));
            self.chunks.to_stage(way);
        }
    }

    pub(in crate::app) fn act_on_chunks(&mut self, action: ChunksAction, geometry: &Geometry) {
        match action {
            ChunksAction::Stage(way) => self.chunks.to_stage(way),
            ChunksAction::Chunk(way) => self.step_chunk(way),
            ChunksAction::Missing(way) => self.step_missing(way),
            ChunksAction::Stored(way) => self.step_stored(way),
            ChunksAction::Damaged(way) => self.step_damaged(way),
            ChunksAction::OtherOrder => self.chunks.other_order = !self.chunks.other_order,
            ChunksAction::Inspector => self.chunks.inspector = !self.chunks.inspector,
            ChunksAction::Offsets => self.chunks.decimal = !self.chunks.decimal,
            ChunksAction::Base => self.chunks.base = self.chunks.base.next(),
            ChunksAction::MapMode => self.chunks.mode = self.chunks.mode.next(),
            ChunksAction::MapAxes => {
                let len = self.chunks.counts.len();
                if let Some(axes) = crate::app::picture::next_axes(self.chunks.axes, len) {
                    self.chunks.axes = axes;
                }
            }
            ChunksAction::IgnoreChecksums => {
                self.chunks.ignore_checksums = !self.chunks.ignore_checksums;
                self.load_chunk();
            }
            ChunksAction::Shard => self.enter_shard(),
            ChunksAction::Outer => self.leave_shard(),
            ChunksAction::Export => self.export(),
            ChunksAction::Centre => self.chunks.centre(geometry.view),
        }
    }

    /// Puts the stage back that was left for the first of two keys.
    pub(in crate::app) fn restore_stage(&mut self) {
        if let Some((stage, cursor)) = self.stage_before.take() {
            self.chunks.stage = stage;
            self.chunks.place(cursor);
        }
    }

    pub(in crate::app) fn export(&mut self) {
        let Some(shown) = self.chunks.shown().filter(|shown| shown.chunk.elements().is_some())
        else {
            return self.fail("nothing to write: there is no decoded chunk on show");
        };
        let key = shown.chunk.key.replace('/', "-");
        let inner = shown.chunk.id.inner.iter().flatten();
        let parts: Vec<_> = std::iter::once(key).chain(inner.map(u64::to_string)).collect();
        let shown = Arc::clone(shown);
        let file = PathBuf::from(parts.join("_") + ".npy");
        self.run(Lane::Search, Work::Export { shown, file });
    }

    /// Into the inner chunk under the cursor; from the innermost out to the whole shard.
    fn enter_shard(&mut self) {
        if self.chunks.levels.is_empty() {
            return self.say("this array has no shards: each chunk is a file of its own");
        }
        let whole = ChunkId { coordinates: self.chunks.id.coordinates.clone(), inner: Vec::new() };
        let id = self.chunks.deeper().unwrap_or(whole);
        self.go_to_level(id);
    }

    /// To the shard around the inner chunk on show.
    fn leave_shard(&mut self) {
        match self.chunks.outer() {
            Some(id) => self.go_to_level(id),
            None => self.say("this is the whole file: there is nothing around it but the array"),
        }
    }

    /// Goes to a chunk around or in the one on show; the cursor stays on its element of the array.
    fn go_to_level(&mut self, id: ChunkId) {
        let deeper = id.inner.len() > self.chunks.depth();
        let element = self.chunks.element();
        let at = self.chunks.shown().and_then(|shown| match element {
            Some(element) => Some(shown.in_array(&element)),
            None if deeper => None,
            // What is empty, or could not be decoded, is still somewhere.
            None => Some(shown.chunk.region.iter().map(|range| range.start).collect()),
        });
        self.chunks.landing = at.map(Landing::Array);
        self.go_to_chunk(id);
    }

    /// Opens what the cursor is on: rows that are folded away, the inner chunk; or explains it.
    pub(in crate::app) fn open_inner(&mut self, size: Size) {
        if self.chunks.unfold(size) {
            return;
        }
        if self.chunks.deeper().is_some() { self.enter_shard() } else { self.explain() }
    }
}
