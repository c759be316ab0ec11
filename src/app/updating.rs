//! What each wish of the user does.

use super::{
    Action, App, Count, Effect, Focus, Geometry, Overlay, Scroll, View,
    action::{ChunksAction, MetadataAction, Motion, Prefix, Step, TreeAction},
    chunks::ChunksPage,
    effect::{Lane, Work},
    gallery::Part,
    moving,
    tree::Branch,
};
use crate::zarr::hierarchy::NodeKind;
use std::{path::PathBuf, sync::Arc};

impl App {
    /// Carries out `action`, the panes having the room that `geometry` says. Gives what somebody else has to do.
    pub fn update(&mut self, action: Action, geometry: &Geometry) -> Vec<Effect> {
        if !matches!(action, Action::Prefix(_)) {
            self.prefix = None;
        }
        self.message = None;
        let count = self.count.take();
        self.act(action, count, geometry);
        let keeps = matches!(action, Action::Prefix(_) | Action::Chunks(ChunksAction::Stage(_)));
        if !keeps {
            self.stage_before = None;
        }
        self.settle(geometry)
    }

    /// What must hold whatever was done: the views show the selected node, and what they show is loaded.
    pub fn settle(&mut self, geometry: &Geometry) -> Vec<Effect> {
        self.show_selected();
        self.read_documents();
        self.load_what_is_needed();
        self.look_at_slice(geometry.view);
        let layout = self.chunks.layout(geometry.view);
        self.chunks.follow(layout);
        std::mem::take(&mut self.effects)
    }

    /// Carries out another action as part of this one.
    pub(super) fn act_again(&mut self, action: Action, geometry: &Geometry) {
        let count = self.count.take();
        self.act(action, count, geometry);
    }

    fn act(&mut self, action: Action, count: Option<Count>, geometry: &Geometry) {
        match action {
            Action::Move(motion) => self.moved(motion, count, geometry),
            Action::Digit(digit) => self.digit(digit, count),
            Action::View(view) => self.choose_view(view),
            Action::Pane(way) => self.next_pane(way),
            Action::Open => self.open(),
            Action::Back => self.back(),
            Action::Leave => self.leave(),
            Action::Quit => self.effects.push(Effect::Quit),
            Action::Help => self.toggle_help(),
            Action::Explain => self.explain(),
            Action::Gallery => self.toggle_gallery(),
            Action::Ask(asked) => self.ask(asked),
            Action::Edit(edit) => self.edit(edit),
            Action::Submit => self.submit(geometry),
            Action::History(way) => self.recall(way, geometry),
            Action::Complete => self.complete(),
            Action::Hit(way) => self.hit(way, geometry),
            Action::Reload => self.reload(),
            Action::Jump(way) => self.jump(way),
            Action::Prefix(prefix) => self.begin(prefix),
            Action::Copy(what) => self.copy(what, geometry),
            Action::EditFile => self.edit_file(),
            Action::Suspend => self.effects.push(Effect::Suspend),
            Action::Mouse(pointer) => self.pointed(pointer, geometry),
            Action::Tree(action) => self.act_on_tree(action),
            Action::Chunks(action) => self.act_on_chunks(action, geometry),
            Action::Picture(action) => self.act_on_picture(action),
            Action::Metadata(action) => self.metadata.act(action, geometry.view.rows()),
        }
    }

    fn moved(&mut self, motion: Motion, count: Option<Count>, geometry: &Geometry) {
        let count = count.filter(|count| count.certain).map(|count| count.value);
        match &mut self.overlay {
            Some(Overlay::Help(scroll)) => {
                *scroll = moving::list(*scroll, motion, count, usize::MAX / 2, 1);
            }
            Some(Overlay::Explain(explained)) => explained.moved(motion),
            Some(Overlay::Finder(finder)) => {
                let (len, _) = finder.counts();
                let height = geometry.whole.rows().saturating_sub(4);
                finder.scroll = moving::list(finder.scroll, motion, count, len, height);
            }
            Some(Overlay::Gallery) => {
                self.gallery.moved(motion, count, super::gallery::list_rows(geometry.whole));
            }
            Some(Overlay::Prompt(_)) => {}
            None => self.moved_in_pane(motion, count, geometry),
        }
    }

    fn moved_in_pane(&mut self, motion: Motion, count: Option<u64>, geometry: &Geometry) {
        let list = |scroll: Scroll, len: usize, height: usize| {
            moving::list(scroll, motion, count, len, height)
        };
        let height = geometry.view.rows();
        match (self.focus, self.view) {
            (Focus::Tree, _) => self.moved_in_tree(motion, count, geometry),
            (Focus::Map, View::Chunks) => {
                let to = self.chunks.map_moved(motion, count);
                self.go_to_coordinates(to);
            }
            (_, View::DataType) => {
                self.data_type.scroll =
                    list(self.data_type.scroll, self.data_type.rows().len(), height);
            }
            (_, View::Chunks) => {
                if matches!(motion, Motion::First | Motion::Last) {
                    self.remember();
                }
                self.chunks.moved(motion, count, geometry.view);
            }
            (_, View::Picture) => self.moved_in_picture(motion, count),
            (_, View::Metadata) => {
                let height = height.saturating_sub(super::copying::METADATA_FRAME);
                self.metadata.scroll = list(self.metadata.scroll, self.metadata.len(), height);
            }
            (_, View::Problems) => {
                let height = super::problems::list_rows(geometry.view);
                self.problems.scroll =
                    list(self.problems.scroll, self.problems.found.len(), height);
            }
        }
    }

    fn moved_in_tree(&mut self, motion: Motion, count: Option<u64>, geometry: &Geometry) {
        let branch = self.tree.selected().map(|row| row.branch.clone());
        match (motion, branch) {
            (Motion::Left, Some(Branch::Open(_))) => self.toggle_branch(),
            (Motion::Left, _) => self.tree.to_parent(),
            (Motion::Right, Some(Branch::Open(_))) => {
                self.tree.scroll = self.tree.scroll.moved(1, self.tree.len(), geometry.tree.rows());
            }
            (Motion::Right, Some(Branch::Leaf)) => self.focus = Focus::View,
            (Motion::Right, _) => self.toggle_branch(),
            (motion, _) => {
                let (len, height) = (self.tree.len(), geometry.tree.rows());
                self.tree.scroll = moving::list(self.tree.scroll, motion, count, len, height);
            }
        }
    }

    /// A lone `1` to `5` chooses a view; with another digit behind it, it was a count, and the view comes back. `05` is
    /// a count of five.
    fn digit(&mut self, digit: u8, count: Option<Count>) {
        let digit = u64::from(digit);
        if let Some(count) = count {
            (self.view, self.focus) = (count.view, count.focus);
            let value = count.value.saturating_mul(10).saturating_add(digit);
            self.count = Some(Count { value, certain: true, ..count });
            return;
        }
        let (view, focus) = (self.view, self.focus);
        let chosen = u8::try_from(digit).ok().and_then(View::numbered);
        self.count = Some(Count { value: digit, certain: chosen.is_none(), view, focus });
        if let Some(chosen) = chosen {
            self.choose_view(chosen);
        }
    }

    pub(super) fn choose_view(&mut self, view: View) {
        self.view = view;
        self.focus = Focus::View;
        if view == View::Problems && self.problems.root.is_none() {
            self.check();
        }
    }

    fn next_pane(&mut self, way: Step) {
        if matches!(self.overlay, Some(Overlay::Gallery)) {
            self.gallery.next_part(way == Step::Next);
            return;
        }
        let has_map = self.view == View::Chunks && self.chunks.has_map();
        self.focus = match (self.focus, way) {
            (Focus::View, Step::Next) | (Focus::Tree, Step::Previous) if has_map => Focus::Map,
            (Focus::Tree, _) | (Focus::Map, Step::Previous) => Focus::View,
            (Focus::View | Focus::Map, _) => Focus::Tree,
        };
    }

    fn back(&mut self) {
        if matches!(self.overlay, Some(Overlay::Gallery)) && self.gallery.part != Part::List {
            self.gallery.part = Part::List;
            return;
        }
        if let Some(overlay) = self.overlay.take() {
            return self.closed(overlay);
        }
        let busy = [Lane::Search, Lane::Check].into_iter().find(|lane| self.is_busy(*lane));
        if let Some(lane) = busy {
            self.stop(lane);
        } else if self.chunks.anchor.is_some() {
            self.chunks.anchor = None;
        } else if self.focus == Focus::Map {
            self.focus = Focus::View;
        } else if self.focus == Focus::View {
            self.focus = Focus::Tree;
        } else if !self.tree.filter.is_empty() {
            self.tree.set_filter("");
        }
    }

    /// What is undone when something on top is closed without being taken.
    fn closed(&mut self, overlay: Overlay) {
        match overlay {
            Overlay::Prompt(prompt) => self.abandon(&prompt),
            Overlay::Finder(_) => self.cancel(Lane::Find),
            Overlay::Help(_) | Overlay::Explain(_) | Overlay::Gallery => {}
        }
    }

    fn stop(&mut self, lane: Lane) {
        self.cancel(lane);
        match lane {
            Lane::Check => {
                self.problems.finish();
                self.say("check stopped");
            }
            Lane::Search => {
                self.chunks.searching = None;
                self.say("search stopped");
            }
            _ => {}
        }
    }

    fn leave(&mut self) {
        if self.overlay.take().is_some() {
            return;
        }
        match self.focus {
            Focus::Tree => self.effects.push(Effect::Quit),
            Focus::View | Focus::Map => self.focus = Focus::Tree,
        }
    }

    fn toggle_help(&mut self) {
        self.overlay = match self.overlay {
            Some(Overlay::Help(_)) => None,
            _ => Some(Overlay::Help(Scroll::default())),
        };
    }

    fn toggle_gallery(&mut self) {
        if matches!(self.overlay, Some(Overlay::Gallery)) {
            self.overlay = None;
        } else {
            self.gallery.open();
            self.overlay = Some(Overlay::Gallery);
        }
    }

    /// Enter: a group opens or closes, an array has its view, a problem is gone to.
    fn open(&mut self) {
        match (&self.overlay, self.focus, self.view) {
            (Some(Overlay::Gallery), ..) => self.gallery.take(),
            (Some(_), ..) => {}
            (None, Focus::Tree, _) => match self.tree.selected().map(|row| row.branch.clone()) {
                Some(Branch::Leaf) => self.focus = Focus::View,
                Some(_) => self.toggle_branch(),
                None => {}
            },
            (None, Focus::Map, _) => self.focus = Focus::View,
            (None, _, View::DataType) => self.explain(),
            (None, _, View::Chunks) => self.open_inner(),
            (None, _, View::Picture) => self.open_pictured(),
            (None, _, View::Metadata) => self.metadata.act(MetadataAction::Fold, usize::MAX),
            (None, _, View::Problems) => self.go_to_problem(),
        }
    }

    fn act_on_tree(&mut self, action: TreeAction) {
        match action {
            TreeAction::Toggle => self.toggle_branch(),
            TreeAction::Sibling(way) => self.tree.to_sibling(way == Step::Next),
        }
    }

    pub(super) fn toggle_branch(&mut self) {
        let Some(path) = self.tree.selected().map(|row| row.node.path.clone()) else { return };
        if self.tree.close(&path) {
            return;
        }
        if let Some(path) = self.tree.open(&path) {
            self.run(Lane::List, Work::List(path));
        }
    }

    fn begin(&mut self, prefix: Prefix) {
        self.prefix = Some(prefix);
        let way = match prefix {
            Prefix::Copy => return,
            Prefix::Next => Step::Next,
            Prefix::Previous => Step::Previous,
        };
        if self.view == View::Chunks && self.focus != Focus::Tree {
            self.stage_before = Some((self.chunks.stage, self.chunks.cursor));
            self.chunks.to_stage(way);
        }
    }

    fn act_on_chunks(&mut self, action: ChunksAction, geometry: &Geometry) {
        match action {
            ChunksAction::Stage(way) => self.chunks.to_stage(way),
            ChunksAction::Chunk(way) => self.step_chunk(way),
            ChunksAction::Missing(way) => self.step_missing(way),
            ChunksAction::Damaged(way) => self.step_damaged(way),
            ChunksAction::OtherOrder => self.chunks.other_order = !self.chunks.other_order,
            ChunksAction::Inspector => self.chunks.inspector = !self.chunks.inspector,
            ChunksAction::Offsets => self.chunks.decimal = !self.chunks.decimal,
            ChunksAction::Base => self.chunks.base = self.chunks.base.next(),
            ChunksAction::MapMode => self.chunks.mode = self.chunks.mode.next(),
            ChunksAction::MapAxes => {
                let len = self.chunks.counts.len();
                if let Some(axes) = super::picture::next_axes(self.chunks.axes, len) {
                    self.chunks.axes = axes;
                }
            }
            ChunksAction::IgnoreChecksums => {
                self.chunks.ignore_checksums = !self.chunks.ignore_checksums;
                self.load_chunk();
            }
            ChunksAction::Shard => match self.chunks.shard_or_inner() {
                Some(id) => self.go_to_chunk(id),
                None => self.say("this array has no shards: each chunk is a file of its own"),
            },
            ChunksAction::Export => self.export(),
            ChunksAction::Centre => self.chunks.centre(geometry.view),
        }
    }

    /// Puts the stage back that was left for the first of two keys.
    pub(super) fn restore_stage(&mut self) {
        if let Some((stage, cursor)) = self.stage_before.take() {
            self.chunks.stage = stage;
            self.chunks.place(cursor);
        }
    }

    pub(super) fn export(&mut self) {
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

    pub(super) fn reload(&mut self) {
        for path in self.tree.open_paths() {
            self.run(Lane::List, Work::List(path));
        }
        if let Some(path) = self.node().map(|node| node.path.clone()) {
            self.run(Lane::List, Work::Node(path));
        }
        self.load_chunk();
        self.look_for_chunks();
        self.effects.push(Effect::Redraw);
        self.say("read again");
    }

    fn edit_file(&mut self) {
        let chunk = self.chunks.shown().filter(|_| self.view == View::Chunks);
        if let Some(shown) = chunk {
            let bytes = shown
                .data(shown.chunk.stages.len().min(1) - 1)
                .map(super::super::zarr::codec::data::Data::bytes);
            if let Some(bytes) = bytes.and_then(|bytes| bytes.as_whole()) {
                let name = shown.chunk.key.replace('/', "_");
                return self.effects.push(Effect::EditCopy(name, bytes.into()));
            }
        }
        match self.node().and_then(|node| document_key(&node.kind)) {
            Some(key) => self.effects.push(Effect::Edit(key)),
            None => self.fail("there is no document to edit here"),
        }
    }

    fn open_inner(&mut self) {
        if self.chunks.id.inner.is_empty() && !self.chunks.inner_counts.is_empty() {
            self.act_on_chunks(ChunksAction::Shard, &Geometry::default());
        } else {
            self.explain();
        }
    }

    pub(super) fn page_of(node: &crate::zarr::Node) -> ChunksPage {
        match &node.kind {
            NodeKind::Array(array) => ChunksPage::of(node.path.clone(), Arc::clone(array)),
            NodeKind::Group(_) | NodeKind::Folder | NodeKind::Broken(_) => ChunksPage::default(),
        }
    }
}

/// The key of the first document of a node.
fn document_key(kind: &NodeKind) -> Option<String> {
    match kind {
        NodeKind::Array(array) => array.documents.first(),
        NodeKind::Group(group) => group.documents.first(),
        NodeKind::Folder | NodeKind::Broken(_) => None,
    }
    .map(|document| document.key.clone())
}
