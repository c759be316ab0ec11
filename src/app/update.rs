//! What each wish of the user does: most of it a page does, and what concerns several of them is done here.

use super::{
    Action, App, Effect, Focus, Geometry, HelpPage, Overlay, Page, Shared, TypedCount, View,
    action::{ChunksAction, Direction, Motion, Pointer, Spot},
    effect::{Lane, Work},
    layout::PaneCell,
    page::gallery::GalleryPart,
    replies::page_of,
};
use crate::zarr::{Node, codec::Data, hierarchy::NodeKind, text::safe};

impl App {
    /// Carries out `action`, the panes having the room that `geometry` says. Gives what somebody else has to do.
    pub fn update(&mut self, action: Action, geometry: &Geometry) -> Vec<Effect> {
        self.shared.geometry = *geometry;
        let waited = match action {
            Action::Prefix(_) => None,
            _ => self.prefix.take(),
        };
        self.shared.message = None;
        let count = self.count.take();
        // Esc drops what was begun, the first of two keys or a count, and does nothing else.
        let begun = waited.is_some() || count.is_some_and(|count| count.certain);
        if action != Action::Back || !begun {
            self.act(action, count);
        }
        let keeps = matches!(action, Action::Prefix(_) | Action::Chunks(ChunksAction::Stage(_)));
        if !keeps {
            self.shared.stage_before = None;
        }
        self.settle(geometry)
    }

    /// What must hold whatever was done: the views show the selected node, and what they show is loaded.
    pub fn settle(&mut self, geometry: &Geometry) -> Vec<Effect> {
        self.shared.geometry = *geometry;
        self.show_selected();
        self.shared.is_revealing = self.pages.tree.is_revealing();
        self.pages.want(&mut self.shared);
        std::mem::take(&mut self.shared.effects)
    }

    /// The page that has the keys: what lies on top, or that of the focused pane.
    pub(super) fn page(&mut self) -> (&mut dyn Page, &mut Shared) {
        let Self { overlay, pages, shared, .. } = self;
        let page: &mut dyn Page = match overlay {
            Some(Overlay::Help(page)) => page,
            Some(Overlay::Explain(page)) => page,
            Some(Overlay::Prompt(page)) => page,
            Some(Overlay::Finder(page)) => page.as_mut(),
            Some(Overlay::Gallery) => &mut pages.gallery,
            None => pages.focused_mut(shared),
        };
        (page, shared)
    }

    /// True if `action` does something here and now.
    #[must_use]
    pub fn is_available(&self, action: Action) -> bool {
        match (&self.overlay, action) {
            (_, Action::Chunks(_)) => self.pages.chunks.is_available(action, &self.shared),
            (Some(_), _) => true,
            (None, _) => self.pages.focused(&self.shared).is_available(action, &self.shared),
        }
    }

    fn act(&mut self, action: Action, count: Option<TypedCount>) {
        match action {
            Action::Move(motion) => self.moved(motion, count),
            Action::Digit(digit) => self.digit(digit, count),
            Action::View(view) => self.choose_view(view),
            Action::Pane(way) => self.next_pane(way),
            Action::Open => self.open(),
            Action::Unbound(key) => self.say_unbound(key),
            Action::Back => self.back(),
            Action::Leave => self.leave(),
            Action::Quit => self.shared.effects.push(Effect::Quit),
            Action::Help => self.toggle_help(),
            Action::Explain => self.explain(),
            Action::Gallery => self.toggle_gallery(),
            Action::Ask(asked) => self.ask(asked),
            Action::Edit(edit) => self.edit(edit),
            Action::Submit => self.submit(),
            Action::History(way) => self.recall(way),
            Action::Complete => self.complete(),
            Action::NextMatch(way) => self.next_match(way),
            Action::Reload => self.reload(),
            Action::Jump(way) => self.shared.jump(way),
            Action::Copy(what) => self.copy(what),
            Action::EditFile => self.edit_file(),
            Action::Suspend => self.shared.effects.push(Effect::Suspend),
            Action::Mouse(pointer) => self.pointed(pointer),
            Action::Prefix(prefix) => {
                self.prefix = Some(prefix);
                self.of_page(action);
            }
            Action::Tree(_)
            | Action::Chunks(_)
            | Action::Picture(_)
            | Action::Metadata(_)
            | Action::FoldProblems => self.of_page(action),
        }
        self.start_visit();
    }

    fn say_unbound(&mut self, key: char) {
        let key = key.to_string();
        self.shared.say(format!("{} does nothing here: ? lists the keys", safe(&key)));
    }

    /// Lets the page carry it out that the action belongs to.
    fn of_page(&mut self, action: Action) {
        if let Action::Chunks(_) = action {
            return self.pages.chunks.acted(action, &mut self.shared);
        }
        let (page, shared) = self.page();
        page.acted(action, shared);
    }

    pub(super) fn moved(&mut self, motion: Motion, count: Option<TypedCount>) {
        let count = count.filter(|count| count.certain).map(|count| count.value);
        let (page, shared) = self.page();
        page.moved(motion, count, shared);
    }

    /// The next or previous place that was searched for. Where the tree has the keys and is not filtered, that is one of
    /// the view.
    pub(super) fn next_match(&mut self, way: Direction) {
        if self.searches_view() {
            let view = self.shared.view;
            return self.pages.of_mut(view).next_match(way, &mut self.shared);
        }
        let (page, shared) = self.page();
        page.next_match(way, shared);
    }

    fn searches_view(&self) -> bool {
        let in_tree = self.overlay.is_none() && self.shared.focus == Focus::Tree;
        in_tree && self.pages.tree.filter.is_empty()
    }

    pub(super) fn explain(&mut self) {
        let (page, shared) = self.page();
        match page.explained(shared) {
            Some(explained) => self.push_overlay(Overlay::Explain(explained)),
            None => self.shared.say("there is nothing under the cursor to explain"),
        }
    }

    fn pointed(&mut self, pointer: Pointer) {
        let Self { pages, shared, .. } = self;
        match pointer {
            _ if self.overlay.is_some() => self.pointed_on_overlay(pointer),
            Pointer::Click(Spot::Title(view)) => self.choose_view(view),
            Pointer::Click(Spot::Tree(at)) => {
                shared.focus = Focus::Tree;
                pages.tree.clicked(at, shared);
            }
            Pointer::Click(Spot::View(at)) => {
                shared.focus = Focus::View;
                self.clicked(at);
            }
            Pointer::Wheel(Spot::Tree(_), by) => pages.tree.wheeled(by, shared),
            Pointer::Wheel(Spot::View(_), by) => pages.of_mut(shared.view).wheeled(by, shared),
            Pointer::Drag(Spot::View(to)) => pages.of_mut(shared.view).dragged(to, shared),
            Pointer::Click(Spot::Over(_))
            | Pointer::Drag(_)
            | Pointer::Wheel(Spot::Title(_) | Spot::Over(_), _) => {}
        }
    }

    /// The wheel turns what lies on top; a click takes a row of the finder or the gallery, and a second one opens it.
    fn pointed_on_overlay(&mut self, pointer: Pointer) {
        match pointer {
            Pointer::Click(Spot::Over(at)) => self.clicked(at),
            Pointer::Wheel(_, by) => {
                let motion = if by > 0 { Motion::Down } else { Motion::Up };
                (0..by.unsigned_abs()).for_each(|_| self.moved(motion, None));
            }
            Pointer::Click(_) | Pointer::Drag(_) => {}
        }
    }

    fn clicked(&mut self, at: PaneCell) {
        let (page, shared) = self.page();
        if page.clicked(at, shared) {
            match self.overlay {
                Some(Overlay::Finder(_)) => self.submit(),
                _ => self.open(),
            }
        }
    }

    /// A lone `1` to `5` chooses a view; with another digit behind it, it was a count, and the view comes back. `05` is
    /// a count of five.
    fn digit(&mut self, digit: u8, count: Option<TypedCount>) {
        let digit = u64::from(digit);
        if let Some(count) = count {
            (self.shared.view, self.shared.focus) = (count.view, count.focus);
            let value = count.value.saturating_mul(10).saturating_add(digit);
            self.count = Some(TypedCount { value, certain: true, ..count });
            return;
        }
        let (view, focus) = (self.shared.view, self.shared.focus);
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
        self.shared.show_view(view);
        self.pages.of_mut(view).chosen(&mut self.shared);
    }

    fn next_pane(&mut self, way: Direction) {
        if matches!(self.overlay, Some(Overlay::Gallery)) {
            self.pages.gallery.next_part(way == Direction::Next);
            return;
        }
        let has_map = self.shared.view == View::Chunks && self.shared.chunk.has_map();
        self.shared.focus = match (self.shared.focus, way) {
            (Focus::View, Direction::Next) | (Focus::Tree, Direction::Previous) if has_map => {
                Focus::Map
            }
            (Focus::Tree, _) | (Focus::Map, Direction::Previous) => Focus::View,
            (Focus::View | Focus::Map, _) => Focus::Tree,
        };
    }

    fn back(&mut self) {
        if matches!(self.overlay, Some(Overlay::Gallery))
            && self.pages.gallery.part != GalleryPart::List
        {
            self.pages.gallery.part = GalleryPart::List;
            return;
        }
        if let Some(overlay) = self.pop_overlay() {
            return self.closed(overlay);
        }
        let busy = [Lane::Search, Lane::Check, Lane::Load, Lane::Picture, Lane::Presence]
            .into_iter()
            .find(|lane| self.shared.is_busy(*lane) && self.is_waited_for(*lane));
        if let Some(lane) = busy {
            self.stop(lane);
        } else if self.shared.chunk.anchor.is_some() {
            self.shared.chunk.anchor = None;
        } else if self.shared.focus == Focus::Map {
            self.shared.focus = Focus::View;
        } else if self.shared.focus == Focus::View {
            self.shared.focus = Focus::Tree;
        } else if !self.pages.tree.filter.is_empty() {
            self.pages.tree.set_filter("");
        }
    }

    /// Whether somebody who looks at the screen waits for this lane.
    fn is_waited_for(&self, lane: Lane) -> bool {
        let looks_at_chunks = self.shared.focus != Focus::Tree
            && matches!(self.shared.view, View::Chunks | View::Picture);
        match lane {
            Lane::Load => looks_at_chunks && self.shared.chunk.load.is_pending(),
            Lane::Picture => {
                let is_looked_at = looks_at_chunks && self.shared.view == View::Picture;
                is_looked_at && self.pages.picture.pictured.is_pending()
            }
            Lane::Presence => looks_at_chunks && !self.shared.chunk.presence.complete,
            _ => true,
        }
    }

    /// What is undone when something on top is closed without being taken.
    fn closed(&mut self, overlay: Overlay) {
        match overlay {
            Overlay::Prompt(prompt) => self.abandon(&prompt),
            Overlay::Finder(_) => self.shared.cancel(Lane::Find),
            Overlay::Help(_) | Overlay::Explain(_) | Overlay::Gallery => {}
        }
    }

    fn stop(&mut self, lane: Lane) {
        self.shared.cancel(lane);
        if let Some(page) = page_of(lane, &mut self.overlay, &mut self.pages) {
            page.stopped(lane, &mut self.shared);
        }
    }

    fn leave(&mut self) {
        if self.pop_overlay().is_some() {
            return;
        }
        match self.shared.focus {
            Focus::Tree => self.shared.effects.push(Effect::Quit),
            Focus::View | Focus::Map => self.shared.focus = Focus::Tree,
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
            self.pages.gallery.open();
            self.overlay = Some(Overlay::Gallery);
        }
    }

    /// Enter: a group opens or closes, an array has its view, a problem is gone to.
    pub(super) fn open(&mut self) {
        let in_view = self.overlay.is_none() && self.shared.focus != Focus::Tree;
        if in_view && self.shared.focus == Focus::Map {
            self.shared.focus = Focus::View;
            return;
        }
        if in_view && self.shared.view.needs_array() && !self.shared.is_array() {
            return self.pages.tree.toggle(&mut self.shared);
        }
        let (page, shared) = self.page();
        if page.opened(shared) {
            self.explain();
        }
    }

    pub(super) fn reload(&mut self) {
        self.pages.tree.reloaded(&mut self.shared);
        let path = self.shared.node_path();
        self.shared.run(Lane::Node, Work::Node(path));
        for view in View::ALL {
            self.pages.of_mut(view).reloaded(&mut self.shared);
        }
        self.shared.effects.push(Effect::Redraw);
        self.shared.say("read again");
    }

    /// Opens what is on show in the editor: the file of a chunk as a copy, or the document that the cursor is in.
    fn edit_file(&mut self) {
        if self.shared.view == View::Chunks
            && let Some(shown) = self.shared.chunk.shown()
        {
            let file = shown.data(0).map(Data::bytes);
            match file.and_then(|bytes| bytes.as_whole()) {
                Some(bytes) => {
                    let name = shown.chunk.key.replace('/', "_");
                    self.shared.effects.push(Effect::EditCopy(name, bytes.into()));
                }
                None if file.is_some() => self.shared.fail("this file is too large for an editor"),
                None => self.shared.fail("this chunk is not stored: there is no file to open"),
            }
            return;
        }
        let under_cursor =
            (self.shared.view == View::Metadata).then(|| self.pages.metadata.key()).flatten();
        let first = || self.shared.node().and_then(|node| document_key(node));
        match under_cursor.map(str::to_owned).or_else(first) {
            Some(key) => self.shared.effects.push(Effect::Edit(key)),
            None => self.shared.fail("there is no document to edit here"),
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

impl Page for HelpPage {
    fn moved(&mut self, motion: Motion, _count: Option<u64>, shared: &mut Shared) {
        self.scroll = self.scroll.in_text(motion, &shared.geometry);
    }
}
