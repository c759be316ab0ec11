//! What each wish of the user does.

use super::{
    Action, App, Effect, Focus, Geometry, HelpPage, Load, Overlay, TypedCount, View,
    action::{ChunksAction, Direction, MetadataAction, TreeAction},
    effect::{Lane, Work},
    gallery::GalleryPart,
    tree::Branch,
};
use crate::zarr::{Code, Error, Node, codec::data::Data, hierarchy::NodeKind, text::safe};

impl App {
    /// Carries out `action`, the panes having the room that `geometry` says. Gives what somebody else has to do.
    pub fn update(&mut self, action: Action, geometry: &Geometry) -> Vec<Effect> {
        let waited = match action {
            Action::Prefix(_) => None,
            _ => self.prefix.take(),
        };
        self.message = None;
        let count = self.count.take();
        // Esc drops what was begun, the first of two keys or a count, and does nothing else.
        let begun = waited.is_some() || count.is_some_and(|count| count.certain);
        if action != Action::Back || !begun {
            self.act(action, count, geometry);
        }
        let keeps = matches!(action, Action::Prefix(_) | Action::Chunks(ChunksAction::Stage(_)));
        if !keeps {
            self.stage_before = None;
        }
        self.settle(geometry)
    }

    /// What must hold whatever was done: the views show the selected node, and what they show is loaded.
    pub fn settle(&mut self, geometry: &Geometry) -> Vec<Effect> {
        self.show_selected();
        self.problems.count_below(&self.node_path());
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

    fn act(&mut self, action: Action, count: Option<TypedCount>, geometry: &Geometry) {
        match action {
            Action::Move(motion) => self.moved(motion, count, geometry),
            Action::Digit(digit) => self.digit(digit, count),
            Action::View(view) => self.choose_view(view),
            Action::Pane(way) => self.next_pane(way),
            Action::Open => self.open(geometry),
            Action::Unbound(key) => {
                let key = key.to_string();
                self.say(format!("{} does nothing here: ? lists the keys", safe(&key)));
            }
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
            Action::NextMatch(way) => self.next_match(way, geometry),
            Action::Reload => self.reload(),
            Action::Jump(way) => self.jump(way),
            Action::Prefix(prefix) => self.begin(prefix),
            Action::Copy(what) => self.copy(what),
            Action::EditFile => self.edit_file(),
            Action::Suspend => self.effects.push(Effect::Suspend),
            Action::Mouse(pointer) => self.pointed(pointer, geometry),
            Action::Tree(action) => self.act_on_tree(action),
            Action::Chunks(action) => self.act_on_chunks(action, geometry),
            Action::Picture(action) => self.act_on_picture(action),
            Action::Metadata(action) => self.metadata.act(action, geometry.view.rows()),
            Action::FoldProblems if self.problems.fold() => {}
            Action::FoldProblems => self.go_to_problem(),
        }
    }

    /// A lone `1` to `5` chooses a view; with another digit behind it, it was a count, and the view comes back. `05` is
    /// a count of five.
    fn digit(&mut self, digit: u8, count: Option<TypedCount>) {
        let digit = u64::from(digit);
        if let Some(count) = count {
            (self.view, self.focus) = (count.view, count.focus);
            let value = count.value.saturating_mul(10).saturating_add(digit);
            self.count = Some(TypedCount { value, certain: true, ..count });
            return;
        }
        let (view, focus) = (self.view, self.focus);
        let chosen = u8::try_from(digit).ok().and_then(View::numbered);
        self.count = Some(TypedCount { value: digit, certain: chosen.is_none(), view, focus });
        if let Some(chosen) = chosen {
            self.choose_view(chosen);
        }
    }

    /// Nobody has pressed a key for a while: a lone `1` to `5` has chosen a view, and is no start of a count.
    pub fn pause(&mut self) {
        self.count = self.count.filter(|count| count.certain);
    }

    pub(super) fn choose_view(&mut self, view: View) {
        self.view = view;
        self.focus = Focus::View;
        let checked = self.node().is_none_or(|node| self.problems.covers(&node.path));
        if view == View::Problems && !(checked || self.is_busy(Lane::Check)) {
            self.check();
        }
    }

    fn next_pane(&mut self, way: Direction) {
        if matches!(self.overlay, Some(Overlay::Gallery)) {
            self.gallery.next_part(way == Direction::Next);
            return;
        }
        let has_map = self.view == View::Chunks && self.chunks.has_map();
        self.focus = match (self.focus, way) {
            (Focus::View, Direction::Next) | (Focus::Tree, Direction::Previous) if has_map => {
                Focus::Map
            }
            (Focus::Tree, _) | (Focus::Map, Direction::Previous) => Focus::View,
            (Focus::View | Focus::Map, _) => Focus::Tree,
        };
    }

    fn back(&mut self) {
        if matches!(self.overlay, Some(Overlay::Gallery)) && self.gallery.part != GalleryPart::List
        {
            self.gallery.part = GalleryPart::List;
            return;
        }
        if let Some(overlay) = self.pop_overlay() {
            return self.closed(overlay);
        }
        let busy = [Lane::Search, Lane::Check, Lane::Load, Lane::Presence]
            .into_iter()
            .find(|lane| self.is_busy(*lane) && self.is_waited_for(*lane));
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

    /// Whether somebody who looks at the screen waits for this lane.
    fn is_waited_for(&self, lane: Lane) -> bool {
        let looks_at_chunks =
            self.focus != Focus::Tree && matches!(self.view, View::Chunks | View::Picture);
        match lane {
            Lane::Load => looks_at_chunks && self.chunks.load.is_pending(),
            Lane::Presence => looks_at_chunks && !self.chunks.presence.complete,
            _ => true,
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
            Lane::Load => {
                let error = Error::new(Code::Stopped, "a chunk that was not read to its end", "")
                    .with_fix("Esc stopped that; r reads it.");
                self.chunks.load = Load::Failed(error);
            }
            Lane::Presence => {
                self.chunks.presence.stopped = true;
                self.say("counting stopped: r counts anew");
            }
            _ => {}
        }
    }

    fn leave(&mut self) {
        if self.pop_overlay().is_some() {
            return;
        }
        match self.focus {
            Focus::Tree => self.effects.push(Effect::Quit),
            Focus::View | Focus::Map => self.focus = Focus::Tree,
        }
    }

    pub(super) fn toggle_help(&mut self) {
        match self.overlay {
            Some(Overlay::Help(_)) => drop(self.pop_overlay()),
            _ => self.push_overlay(Overlay::Help(HelpPage::default())),
        }
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
    pub(super) fn open(&mut self, geometry: &Geometry) {
        match (&self.overlay, self.focus, self.view) {
            (Some(Overlay::Gallery), ..) if self.gallery.part == GalleryPart::Rows => {
                self.explain();
            }
            (Some(Overlay::Gallery), ..) => self.gallery.take(),
            (Some(_), ..) => {}
            (None, Focus::Tree, _) => match self.tree.selected().map(|row| row.branch.clone()) {
                Some(Branch::Leaf) => self.focus = Focus::View,
                Some(_) => self.toggle_branch(),
                None => {}
            },
            (None, Focus::Map, _) => self.focus = Focus::View,
            (None, _, View::DataType | View::Chunks | View::Picture) if !self.is_array() => {
                self.toggle_branch();
            }
            (None, _, View::DataType) => self.explain(),
            (None, _, View::Chunks) => self.open_inner(geometry.view),
            (None, _, View::Picture) => self.open_pictured(),
            (None, _, View::Metadata) => self.metadata.act(MetadataAction::Fold, usize::MAX),
            (None, _, View::Problems) => self.go_to_problem(),
        }
    }

    fn act_on_tree(&mut self, action: TreeAction) {
        match action {
            TreeAction::Toggle => self.toggle_branch(),
            TreeAction::Sibling(way) => self.tree.to_sibling(way == Direction::Next),
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

    pub(super) fn reload(&mut self) {
        for path in self.tree.open_paths() {
            self.run(Lane::List, Work::List(path));
        }
        self.run(Lane::Node, Work::Node(self.node_path()));
        self.load_chunk();
        self.look_for_chunks();
        if self.view == View::Problems {
            self.check();
        }
        self.effects.push(Effect::Redraw);
        self.say("read again");
    }

    /// Opens what is on show in the editor: the file of a chunk as a copy, or the document that the cursor is in.
    fn edit_file(&mut self) {
        if self.view == View::Chunks
            && let Some(shown) = self.chunks.shown()
        {
            let file = shown.data(0).map(Data::bytes);
            match file.and_then(|bytes| bytes.as_whole()) {
                Some(bytes) => {
                    let name = shown.chunk.key.replace('/', "_");
                    self.effects.push(Effect::EditCopy(name, bytes.into()));
                }
                None if file.is_some() => self.fail("this file is too large for an editor"),
                None => self.fail("this chunk is not stored: there is no file to open"),
            }
            return;
        }
        let under_cursor = (self.view == View::Metadata).then(|| self.metadata.key()).flatten();
        let first = || self.node().and_then(|node| document_key(node));
        match under_cursor.map(str::to_owned).or_else(first) {
            Some(key) => self.effects.push(Effect::Edit(key)),
            None => self.fail("there is no document to edit here"),
        }
    }
}

/// The key of the first document of a node; of a broken one, the document that broke it.
fn document_key(node: &Node) -> Option<String> {
    let documents = match &node.kind {
        NodeKind::Array(array) => array.documents.first(),
        NodeKind::Group(group) => group.documents.first(),
        NodeKind::Folder | NodeKind::Broken(_) => None,
    };
    documents.or_else(|| node.unreadable.first()).map(|document| document.key.clone())
}
