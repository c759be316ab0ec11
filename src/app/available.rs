//! Which keys do something just now: what the footer may offer.

use super::{
    Action, App, Focus, Overlay, View,
    action::{ChunksAction, Direction, MetadataAction, PictureAction, Prefix, TreeAction},
    picture::stops,
    tree::Branch,
};
use crate::zarr::{ByteOrder, Code, chunk::Stage};

impl App {
    /// Whether `action` does something here and now. Where it is cheap to tell: searches may still find nothing.
    #[must_use]
    pub fn is_available(&self, action: Action) -> bool {
        match action {
            Action::Tree(TreeAction::Toggle) => {
                self.tree.selected().is_some_and(|row| !matches!(row.branch, Branch::Leaf))
            }
            Action::Chunks(action) => self.chunks_available(action),
            Action::Picture(action) => self.picture_available(action),
            Action::Prefix(Prefix::Next | Prefix::Previous) => self.prefix_available(),
            Action::Open => self.open_available(),
            Action::Metadata(action) => self.metadata_available(action),
            _ => true,
        }
    }

    fn stages(&self) -> &[Stage] {
        self.chunks.shown().map_or(&[], |shown| &shown.chunk.stages)
    }

    fn chunks_available(&self, action: ChunksAction) -> bool {
        let page = &self.chunks;
        let shown = page.shown();
        let elements = shown.and_then(|shown| shown.chunk.elements());
        match action {
            ChunksAction::OtherOrder => {
                elements.is_some_and(|elements| *elements.order() != ByteOrder::NotApplicable)
            }
            ChunksAction::Inspector | ChunksAction::Base | ChunksAction::Centre => shown
                .is_some_and(|shown| shown.data(page.stage).is_some_and(|data| !data.is_empty())),
            ChunksAction::Shard => !page.levels.is_empty(),
            ChunksAction::Outer => page.levels.len() > 1 && page.depth() > 0,
            ChunksAction::Chunk(_) => page.has_map() || page.depth() > 0,
            ChunksAction::Missing(_) => self.may_miss_chunks(),
            ChunksAction::Stored(way) => {
                let here = &page.id.coordinates;
                !page.presence.has(here)
                    && page.presence.next_stored(here, way == Direction::Next).is_some()
            }
            ChunksAction::Damaged(_) => {
                page.presence.damaged().any(|at| *at != page.id.coordinates)
            }
            ChunksAction::IgnoreChecksums => {
                page.ignore_checksums
                    || self.stages().iter().any(|stage| {
                        stage
                            .error
                            .as_ref()
                            .is_some_and(|error| error.code == Code::ChecksumMismatch)
                    })
            }
            ChunksAction::MapMode => page.has_map(),
            ChunksAction::MapAxes => page.has_map() && page.counts.len() > 1,
            ChunksAction::Export => elements.is_some(),
            ChunksAction::Stage(_) | ChunksAction::Offsets => self.stages().len() > 1,
        }
    }

    /// Whether a chunk is missing, as far as is known.
    fn may_miss_chunks(&self) -> bool {
        let page = &self.chunks;
        let total = page.counts.iter().try_fold(1_u64, |total, &count| total.checked_mul(count));
        let shards = page.shown().into_iter().flat_map(|shown| &shown.chunk.stages);
        let empty = shards.filter_map(|stage| stage.shard.as_ref()).any(|shard| shard.empty() > 0);
        page.depth() > 0 && empty
            || page.has_map() && (!page.presence.complete || total != Some(page.presence.stored()))
    }

    fn picture_available(&self, action: PictureAction) -> bool {
        let page = &self.picture;
        let map = page.pictured.ready().and_then(|pictured| pictured.map.as_ref());
        let extent = self.chunks.extent();
        let counted = self.counted().map(|counted| &counted.statistics);
        match action {
            PictureAction::Index(_) => {
                let long = |axis| extent.get(axis).is_some_and(|&length| length > 1);
                map.is_some() && page.fixed(extent.len()).any(long)
            }
            PictureAction::Axes | PictureAction::Scale => map.is_some() && extent.len() > 1,
            PictureAction::Field(_) => {
                self.chunks.shown().is_some() && stops(&self.chunks.choices()).len() > 1
            }
            PictureAction::Extreme(_) => counted.is_some_and(|counted| {
                counted.minimum.as_ref().map(|least| &least.scalar)
                    != counted.maximum.as_ref().map(|most| &most.scalar)
            }),
            PictureAction::NonFinite => {
                counted.is_some_and(|counted| counted.first_non_finite.is_some())
            }
        }
    }

    /// `]` steps through stages in the chunk view, and leads to other chunks elsewhere.
    fn prefix_available(&self) -> bool {
        match (self.focus, self.view) {
            (Focus::View, View::Chunks) => self.stages().len() > 1,
            _ => self.chunks.has_map(),
        }
    }

    fn open_available(&self) -> bool {
        match (&self.overlay, self.focus, self.view) {
            (Some(Overlay::Gallery), ..) => true,
            (_, Focus::View, View::Problems) => !self.problems.found.is_empty(),
            (_, Focus::View, View::Picture) => self.chunks.element().is_some(),
            _ => true,
        }
    }

    fn metadata_available(&self, action: MetadataAction) -> bool {
        match action {
            MetadataAction::Fold => self.metadata.can_fold(),
            MetadataAction::Other => !self.metadata.other.is_empty(),
            MetadataAction::Fault(_) => self.metadata.has_faults(),
        }
    }
}
