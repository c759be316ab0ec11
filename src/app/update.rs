//! The effect of each action of the user: most of it is a page's, and what concerns several of them is here.

use super::action::{KeyName, Pointer, Spot, UnboundKey};
use super::prelude::*;

/// The most steps of a key, whatever count is typed.
const MOST_STEPS: u64 = 10_000;

impl App {
    /// Carries out `action`, the panes having the room that `geometry` says. Gives what somebody else has to do.
    pub fn update(&mut self, action: Action, geometry: &Geometry) -> Vec<Effect> {
        self.shared.geometry = *geometry;
        self.shared.message = None;
        self.lists_next_keys = false;
        if let Action::Prefix(prefix) = action {
            // A count is meant for the key that follows.
            self.prefix = Some(prefix);
            return self.settle(geometry);
        }
        let (begun, count) = (self.prefix.take(), self.count.take());
        let action = match (action, begun) {
            (Action::Step(to, _), Some(Prefix::Step(way))) => Action::Step(to, way),
            _ => action,
        };
        // Esc drops the first of two keys, and does nothing else.
        if action != Action::Back || begun.is_none() {
            self.act_or_hold(action, count);
        }
        self.settle(geometry)
    }

    /// Carries out `action`: a motion knows what a count means to it, a step is done that often.
    pub(super) fn act_counted(&mut self, action: Action, count: Option<u64>) {
        let is_step = matches!(action, Action::Step(..) | Action::Deeper(_));
        match (action, count) {
            (Action::Move(motion), _) => self.moved(motion, count),
            (Action::Mouse(_), _) | (_, None) => self.act(action),
            (_, Some(count)) if is_step => self.act_often(action, count),
            (_, Some(_)) => self.shared.fail("This key takes no count."),
        }
        self.start_visit();
    }

    /// Carries out a step `count` times, or until it leads nowhere; the place before all of them is remembered.
    fn act_often(&mut self, action: Action, count: u64) {
        let mut jumps = self.shared.jumps.clone();
        jumps.leave(self.shared.here());
        for _ in 0..count.min(MOST_STEPS) {
            // What a step says is that it leads nowhere.
            if self.shared.message.is_some() {
                break;
            }
            let mut before = mem::take(&mut self.shared.effects);
            self.act(action);
            let asks = |effect: &Effect| matches!(effect, Effect::Run(_));
            if self.shared.effects.iter().any(asks) {
                // What the step before asked for is pointless now.
                before.retain(|effect| !asks(effect));
            }
            before.append(&mut self.shared.effects);
            self.shared.effects = before;
        }
        self.shared.jumps = jumps;
    }

    /// Makes hold what must hold after every action: the views show the selected node, and what they show is loaded.
    pub fn settle(&mut self, geometry: &Geometry) -> Vec<Effect> {
        self.shared.geometry = *geometry;
        self.follow_selected();
        if self.run_held() {
            self.follow_selected();
        }
        self.check_task();
        let effects = mem::take(&mut self.shared.effects);
        if self.is_guided { self.only_looking(effects) } else { effects }
    }

    /// Lets every page follow the selected node, and ask for what it shows of it.
    fn follow_selected(&mut self) {
        if self.shared.opening.is_some() {
            return;
        }
        self.show_selected();
        self.shared.is_revealing = self.pages.tree.is_revealing();
        self.pages.want(&mut self.shared);
        self.follow_comparison();
        self.explain_what_is_here();
    }

    /// The page that has the keys: what is on top, or that of the focused pane.
    pub(super) fn page(&mut self) -> (&mut dyn Page, &mut Shared) {
        let Self { overlay, under, pages, shared, .. } = self;
        let cover = match overlay {
            Some(Overlay::Explain(_)) => under,
            overlay => overlay,
        };
        let page: &mut dyn Page = match cover {
            Some(Overlay::Help(page)) => page,
            Some(Overlay::Explain(page)) => page,
            Some(Overlay::Prompt(page)) => page,
            Some(Overlay::Finder(page)) => page.as_mut(),
            Some(Overlay::Gallery) => &mut pages.gallery,
            Some(Overlay::Lessons(page)) => page,
            Some(Overlay::Compare) => &mut pages.compare,
            Some(Overlay::Requests(page)) => page,
            None => pages.at_mut(shared.pane()),
        };
        (page, shared)
    }

    pub(super) fn act(&mut self, action: Action) {
        match action {
            Action::Move(motion) => self.moved(motion, None),
            Action::View(view) => self.choose_view(view),
            Action::Pane(way) => self.next_pane(way),
            Action::Open => self.open(),
            Action::Unbound(key) => self.say_unbound(&key),
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
            Action::Complete if self.shows_gallery() => self.next_pane(Direction::Next),
            Action::Complete => self.complete(),
            Action::NextMatch(way) => self.next_match(way),
            Action::Reload => self.reload(),
            Action::Jump(way) => self.shared.jump(way),
            Action::Copy(what) => self.copy(what),
            Action::EditFile => self.edit_file(),
            Action::WhatIf => self.what_if(),
            Action::Suspend => self.shared.effects.push(Effect::Suspend),
            Action::Mouse(pointer) => self.pointed(pointer),
            Action::Prefix(prefix) => self.prefix = Some(prefix),
            Action::Lesson => self.act_in_lesson(),
            Action::Answer(answer) => self.answer(answer),
            Action::HideTree => self.hide_tree(),
            Action::Step(StepTo::Lesson, way) => self.step_lesson(way),
            Action::TryElement => self.try_element(),
            Action::FlipBit | Action::SwapBytes => {
                self.pages.gallery.acted(action, &mut self.shared);
            }
            Action::Compare => self.mark_or_compare(),
            // What is left belongs to a page.
            _ => self.of_page(action),
        }
        self.start_visit();
    }

    /// Hides the tree, or shows it again; the view has the keys then.
    fn hide_tree(&mut self) {
        self.shared.hides_tree = !self.shared.hides_tree;
        if self.shared.hides_tree && self.shared.focus == Focus::Tree && self.shared.is_array() {
            self.shared.focus = Focus::View;
        }
    }

    fn say_unbound(&mut self, key: &UnboundKey) {
        let name = match key.name {
            KeyName::Letter(' ') => "Space".into(),
            KeyName::Letter(letter) => safe_text(&letter),
            KeyName::Function(number) => format!("F{number}"),
            KeyName::Named(name) => name.into(),
        };
        self.shared.say(format!("{}{name} is not a key here; {}", key.lead, key.instead));
    }

    pub(super) fn moved(&mut self, motion: Motion, count: Option<u64>) {
        if let Some(Overlay::Explain(explained)) = &mut self.overlay
            && (explained.has_keys || matches!(motion, Motion::PageUp | Motion::PageDown))
        {
            return explained.moved(motion, count, &mut self.shared);
        }
        let (page, shared) = self.page();
        page.moved(motion, count, shared);
    }

    /// The next or previous place that was searched for. Where the tree has the keys and is not filtered, that is one
    /// of the view.
    pub(super) fn next_match(&mut self, way: Direction) {
        if self.searches_view() {
            return self.pages.at_mut(self.shared.beside()).next_match(way, &mut self.shared);
        }
        let (page, shared) = self.page();
        page.next_match(way, shared);
    }

    fn searches_view(&self) -> bool {
        let in_tree = self.cover().is_none() && self.shared.focus == Focus::Tree;
        in_tree && self.pages.tree.filter.is_empty()
    }

    fn pointed(&mut self, pointer: Pointer) {
        let over = self.cover().is_some();
        let Self { pages, shared, .. } = self;
        match pointer {
            Pointer::Click(Spot::Title(view)) => self.choose_view(view),
            _ if over => self.pointed_on_overlay(pointer),
            Pointer::Click(Spot::Tree(at)) => {
                shared.focus = Focus::Tree;
                pages.tree.clicked(at, shared);
            }
            Pointer::Click(Spot::View(at)) => {
                shared.focus = Focus::View;
                self.clicked(at);
            }
            Pointer::Wheel(Spot::Tree(_), by) => pages.tree.wheeled(by, shared),
            Pointer::Wheel(Spot::View(_), by) => pages.at_mut(shared.beside()).wheeled(by, shared),
            Pointer::Drag(Spot::View(to)) => pages.at_mut(shared.beside()).dragged(to, shared),
            Pointer::Click(Spot::Over(_))
            | Pointer::Drag(_)
            | Pointer::Wheel(Spot::Title(_) | Spot::Over(_), _) => {}
        }
    }

    /// The wheel turns what is on top; a click takes a row of the finder or the gallery, and a second one opens it.
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
            match self.cover() {
                Some(Overlay::Finder(_)) => self.submit(),
                _ => self.open(),
            }
        }
    }

    /// Shows a view, whatever is on top.
    pub(super) fn choose_view(&mut self, view: View) {
        self.close_overlays();
        self.shared.show_view(view);
        self.pages.at_mut(KeyContext::View(view)).chosen(&mut self.shared);
    }

    fn next_pane(&mut self, way: Direction) {
        match self.cover() {
            Some(Overlay::Gallery) => return self.pages.gallery.next_part(way),
            Some(Overlay::Compare) => return self.pages.compare.next_part(way),
            Some(Overlay::Help(_) | Overlay::Lessons(_) | Overlay::Requests(_)) => return,
            _ => {}
        }
        if self.enters_explanation(way) {
            return;
        }
        let has_map = self.shared.view == View::Chunks
            && self.shared.chunk.has_map()
            && !self.shared.has_table();
        self.shared.focus = match (self.shared.focus, way) {
            (Focus::View, Direction::Next) | (Focus::Tree, Direction::Previous) if has_map => {
                Focus::Map
            }
            (Focus::Tree, _) | (Focus::Map, Direction::Previous) => Focus::View,
            (Focus::View | Focus::Map, _) => Focus::Tree,
        };
    }

    /// An explanation of more lines than there is room for comes before the next pane.
    fn enters_explanation(&mut self, way: Direction) -> bool {
        let is_longer = self.shared.geometry.last_line > 0;
        let Some(Overlay::Explain(explained)) = &mut self.overlay else { return false };
        let had_keys = mem::take(&mut explained.has_keys);
        explained.has_keys = !had_keys && is_longer && way == Direction::Next;
        explained.has_keys || had_keys && way == Direction::Previous
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

    /// Takes the element under the cursor into the playground.
    fn try_element(&mut self) {
        let chunk = &self.shared.chunk;
        let Some(shown) = chunk.shown() else {
            return self.shared.fail("no element is open here");
        };
        let bytes = chunk.elements().zip(chunk.position()).and_then(|(elements, at)| {
            Some((elements, elements.bytes().get(elements.byte_range(at))?))
        });
        let Some((elements, bytes)) = bytes else {
            return self.shared.fail("this stage has no elements yet; L steps to the next one");
        };
        self.pages.gallery.open();
        self.pages.gallery.bring(elements, shown.array.format, bytes);
        self.push_overlay(Overlay::Gallery);
    }

    /// Enter: a group opens or closes, an array has its view, a problem is gone to.
    pub(super) fn open(&mut self) {
        let in_view = self.cover().is_none() && self.shared.focus != Focus::Tree;
        if in_view && self.shared.focus == Focus::Map {
            self.shared.focus = Focus::View;
            return;
        }
        if matches!(self.overlay, Some(Overlay::Help(_))) {
            return self.toggle_help();
        }
        if let Some(Overlay::Lessons(list)) = &self.overlay {
            let name = list.selected().map(|lesson| lesson.name.clone());
            self.pop_overlay();
            return name.iter().for_each(|name| self.learn(name));
        }
        let in_comparison = self.shows_comparison();
        let (page, shared) = self.page();
        if page.opened(shared) {
            self.explain();
        }
        if in_comparison && self.shared.pending_visit.is_some() {
            self.close_overlays();
        }
    }

    pub(super) fn reload(&mut self) {
        if self.shared.opening.is_some() {
            return self.open_again();
        }
        self.shared.effects.push(Effect::Refresh);
        self.pages.tree.reloaded(&mut self.shared);
        let path = self.shared.node_path();
        self.shared.run(Lane::Node, Work::Node(path));
        for view in View::ALL {
            self.pages.at_mut(KeyContext::View(view)).reloaded(&mut self.shared);
        }
        self.pages.overview.reloaded(&mut self.shared);
        self.pages.chunk_table.reloaded(&mut self.shared);
        if self.shows_comparison() {
            self.pages.compare.reloaded(&mut self.shared);
        }
        self.shared.effects.push(Effect::Redraw);
        self.shared.say("reloaded");
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
                None => self.shared.fail("this chunk is not stored, so there is no file to open"),
            }
            return;
        }
        let under_cursor =
            (self.shared.view == View::Metadata).then(|| self.pages.metadata.key()).flatten();
        let document = self.shared.node().and_then(|node| document(node, under_cursor));
        match document.map(|document| (document.key.clone(), document.bytes.as_slice().into())) {
            Some((key, bytes)) => self.shared.effects.push(Effect::EditCopy(key, bytes)),
            None => self.shared.fail("no document to edit here"),
        }
    }
}

/// The document of a node under this key, or its first; of a broken node, the document that broke it.
fn document<'n>(node: &'n Node, key: Option<&str>) -> Option<&'n RawDocument> {
    let other = node.other.as_deref().map(NodeKind::documents).unwrap_or_default();
    let mut all = node.kind.documents().iter().chain(&node.unreadable).chain(other);
    all.find(|document| key.is_none_or(|key| document.key == key))
}

impl Page for HelpPage {
    fn moved(&mut self, motion: Motion, _count: Option<u64>, shared: &mut Shared) {
        self.scroll = self.scroll.in_text(motion, &shared.geometry);
    }
}
