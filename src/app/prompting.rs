//! Lines that are typed: commands, searches, the tree's filter, the finder, the playground.

use super::{
    App, Geometry, HelpPage, Overlay, View, Work,
    action::{Direction, Motion, PromptKind},
    chunks::Landing,
    command::{self, TypedCommand},
    context::Focus,
    effect::{Effect, Lane},
    finder::Finder,
    gallery::GalleryPart,
    input::{Edit, Input},
};
use crate::zarr::NodePath;

/// A line that is being typed at the bottom.
#[derive(Debug, Clone, PartialEq)]
pub struct Prompt {
    /// What it is for.
    pub asked: PromptKind,
    /// What is typed.
    pub input: Input,
    /// What could be meant, after a press of the completion key.
    pub completions: Vec<String>,
    /// The completion that stands in the line.
    completion: usize,
    /// The filter before, to go back to.
    before: String,
}

impl App {
    pub(super) fn ask(&mut self, asked: PromptKind) {
        if asked == PromptKind::Find {
            self.push_overlay(Overlay::Finder(Box::default()));
            return self.run(Lane::Find, Work::Walk);
        }
        let before = self.tree.filter.clone();
        self.push_overlay(Overlay::Prompt(Prompt {
            asked,
            input: Input::default(),
            completions: Vec::new(),
            completion: 0,
            before: before.clone(),
        }));
        if let Some(Overlay::Prompt(prompt)) = &mut self.overlay
            && asked == PromptKind::Search
            && self.under.is_none()
            && self.focus == Focus::Tree
        {
            prompt.input = Input::new(before);
        }
    }

    /// Whether a search filters what is on show while it is typed: the tree, the key table.
    #[must_use]
    pub fn is_filtering(&self) -> bool {
        match self.under {
            Some(Overlay::Help(_)) => true,
            Some(_) => false,
            None => self.focus == Focus::Tree,
        }
    }

    /// Shows the rows of the tree, or of the key table, that have this in them.
    fn filter(&mut self, text: &str) {
        match &mut self.under {
            Some(Overlay::Help(page)) => {
                *page = HelpPage { filter: text.to_owned(), ..HelpPage::default() };
            }
            Some(_) => {}
            None => self.tree.set_filter(text),
        }
    }

    pub(super) fn edit(&mut self, edit: Edit) {
        let filtering = self.is_filtering();
        match &mut self.overlay {
            Some(Overlay::Prompt(prompt)) => {
                if prompt.input.is_empty() && edit == Edit::Erase {
                    return self.give_up();
                }
                prompt.input.edit(edit);
                prompt.completions.clear();
                if prompt.asked == PromptKind::Search && filtering {
                    let filter = prompt.input.text();
                    self.filter(&filter);
                }
            }
            Some(Overlay::Finder(finder)) => {
                finder.eager = false;
                finder.input.edit(edit);
                finder.refresh();
            }
            Some(Overlay::Gallery) => self.gallery.edit(edit),
            Some(Overlay::Help(_) | Overlay::Explain(_)) | None => {}
        }
    }

    fn give_up(&mut self) {
        if let Some(Overlay::Prompt(prompt)) = self.pop_overlay() {
            self.abandon(&prompt);
        }
    }

    /// A line that is closed without being taken changes nothing.
    pub(super) fn abandon(&mut self, prompt: &Prompt) {
        let filters_tree = prompt.asked == PromptKind::Search && self.is_filtering();
        match &mut self.overlay {
            Some(Overlay::Help(page)) => page.filter.clear(),
            None if filters_tree => self.tree.set_filter(&prompt.before),
            _ => {}
        }
    }

    pub(super) fn submit(&mut self, geometry: &Geometry) {
        match self.pop_overlay() {
            Some(Overlay::Prompt(prompt)) => self.take_line(&prompt, geometry),
            Some(Overlay::Finder(finder)) => self.take_found(finder),
            Some(Overlay::Gallery) => {
                self.gallery.other_line();
                self.overlay = Some(Overlay::Gallery);
            }
            other => self.overlay = other,
        }
    }

    /// Goes to the match under the cursor. Where there is none the finder stays, and an Enter that came before the walk
    /// found anything is kept for its end.
    pub(super) fn take_found(&mut self, mut finder: Box<Finder>) {
        let Some(path) = finder.selected().map(|found| found.path.clone()) else {
            finder.eager = !finder.complete;
            return self.push_overlay(Overlay::Finder(finder));
        };
        self.cancel(Lane::Find);
        self.overlay = None;
        self.go_to_node(&path);
    }

    fn take_line(&mut self, prompt: &Prompt, geometry: &Geometry) {
        let line = prompt.input.text();
        match prompt.asked {
            PromptKind::Command => {
                self.commands.push(&line);
                self.overlay = None;
                self.run_command(&line, geometry);
            }
            PromptKind::Search if matches!(self.overlay, Some(Overlay::Help(_))) => {}
            PromptKind::Search if matches!(self.overlay, Some(Overlay::Gallery)) => {
                self.searches.push(&line);
                line.clone_into(&mut self.gallery.needle);
                self.next_match_in_gallery(Direction::Next, geometry);
            }
            PromptKind::Search if self.is_filtering() => {}
            PromptKind::Search => {
                self.searches.push(&line);
                self.search(&line, geometry);
            }
            PromptKind::Find => {}
        }
    }

    /// Looks for `line` in the view that has the keys.
    fn search(&mut self, line: &str, geometry: &Geometry) {
        if line.is_empty() {
            return;
        }
        match self.view {
            View::Metadata => {
                line.clone_into(&mut self.metadata.needle);
                self.next_match(Direction::Next, geometry);
            }
            View::Problems | View::DataType => {
                line.clone_into(&mut self.list_needle);
                self.next_match(Direction::Next, geometry);
            }
            View::Chunks | View::Picture => self.search_for(line),
        }
    }

    fn run_command(&mut self, line: &str, geometry: &Geometry) {
        if line.trim().is_empty() {
            return;
        }
        match command::parse(line) {
            // A name without a slash may be that of a node.
            Err(_) if self.tree.has(line.trim()) => self.go_to_node(&NodePath(line.trim().into())),
            Err(why) => self.fail(why),
            Ok(TypedCommand::Quit) => self.effects.push(Effect::Quit),
            Ok(TypedCommand::Help) => self.toggle_help(),
            Ok(TypedCommand::Reload) => self.reload(),
            Ok(TypedCommand::Check) => {
                self.choose_view(View::Problems);
                self.check();
            }
            Ok(TypedCommand::Export) => self.export(),
            Ok(TypedCommand::View(view)) => self.choose_view(view),
            Ok(TypedCommand::Field(name)) => self.choose_field(&name),
            Ok(TypedCommand::Find(what)) => self.search(&what, geometry),
            Ok(TypedCommand::DataType(text)) => self.try_data_type(text),
            Ok(TypedCommand::Go(place)) => self.go(&place),
            Ok(TypedCommand::To(landing)) => self.land_on(landing),
            Ok(TypedCommand::By(by)) => {
                self.remember();
                let to = self.chunks.cursor.saturating_add_signed(by);
                self.land_on(Landing::Byte(to));
            }
            Ok(TypedCommand::Row(row))
                if self.view == View::Chunks && self.focus != Focus::Tree =>
            {
                self.land_on(Landing::Element(row));
            }
            Ok(TypedCommand::Row(row)) => {
                let count =
                    super::TypedCount { value: row, certain: true, ..super::TypedCount::default() };
                self.count = Some(count);
                self.act_again(super::Action::Move(Motion::Last), geometry);
            }
        }
    }

    fn try_data_type(&mut self, text: String) {
        self.gallery.open();
        self.gallery.part = GalleryPart::DataType;
        self.gallery.data_type = Input::new(text);
        self.gallery.edit(Edit::End);
        self.overlay = Some(Overlay::Gallery);
    }

    /// To a chunk of this array by its key, or to a node by its path from here or from the root.
    fn go(&mut self, place: &str) {
        let key = self.go_to_key(place);
        let Err(why) = key else { return };
        let path = NodePath(place.trim_matches('/').to_owned());
        let looks_like_a_key =
            place.starts_with("c/") || place.starts_with(|c: char| c.is_ascii_digit());
        if self.chunks.array.is_some() && looks_like_a_key {
            return self.fail(why);
        }
        self.go_to_node(&path);
        self.fall_back_to_nearest();
    }

    /// Where a path names no node: perhaps it is a node and a chunk key of it. Otherwise it is said. It takes the
    /// nearest node that exists, once that is read.
    pub(super) fn fall_back_to_nearest(&mut self) {
        self.show_selected();
        if self.reading().is_some() {
            return;
        }
        let Some(missed) = self.tree.take_missed() else { return };
        let node = self.node().map(|node| node.path.0.clone()).unwrap_or_default();
        let rest = missed.0.strip_prefix(&node).unwrap_or(&missed.0).trim_start_matches('/');
        let missed = crate::zarr::text::safe(&missed.0);
        if self.is_array() {
            if let Err(why) = self.go_to_key(rest) {
                self.fail(format!("no node {missed}: {why}"));
            }
        } else {
            self.fail(format!("no node {missed}; f finds nodes by a few of their letters"));
        }
    }

    fn land_on(&mut self, landing: Landing) {
        if let Landing::Array(at) = landing {
            if let Err(why) = self.go_to_element(at) {
                self.fail(why);
            }
            return;
        }
        let Some(shown) = self.chunks.shown().cloned() else {
            return self.fail("no chunk is on show: 2 shows one");
        };
        self.remember();
        self.look_into_chunk();
        match landing {
            Landing::Byte(byte) => {
                let len = shown
                    .data(self.chunks.stage)
                    .map_or(0, super::super::zarr::codec::data::Data::len);
                if byte >= len {
                    return self.fail(format!("this stage has {len} bytes"));
                }
                self.chunks.place(byte);
            }
            Landing::Element(index) => match shown.chunk.elements() {
                Some(elements) if index < elements.len() => {
                    let at = elements.position(&elements.coordinates_of_index(index));
                    self.chunks.choose_stage(shown.last());
                    self.chunks.place(elements.byte_range(at).start);
                }
                Some(elements) => self.fail(format!("this chunk has {} elements", elements.len())),
                None => self.fail("this chunk could not be decoded to elements"),
            },
            Landing::Array(_) | Landing::Stage(..) => {}
        }
    }

    /// An earlier line of what is typed; where there is none in the gallery, and in the finder, another row of the
    /// list.
    pub(super) fn recall(&mut self, way: Direction, geometry: &Geometry) {
        let motion = if way == Direction::Previous { Motion::Up } else { Motion::Down };
        if matches!(self.overlay, Some(Overlay::Gallery)) && self.gallery.recall(way) {
            return;
        }
        let Some(Overlay::Prompt(prompt)) = &mut self.overlay else {
            return self.act_again(super::Action::Move(motion), geometry);
        };
        let history = match prompt.asked {
            PromptKind::Command => &mut self.commands,
            PromptKind::Search | PromptKind::Find => &mut self.searches,
        };
        let line = match way {
            Direction::Previous => history.older(),
            Direction::Next => history.newer(),
        };
        if let Some(line) = line {
            prompt.input = Input::new(line);
        }
    }

    pub(super) fn complete(&mut self) {
        let nodes = self.tree.paths();
        let fields = self.field_names();
        let Some(Overlay::Prompt(prompt)) = &mut self.overlay else { return };
        if prompt.asked != PromptKind::Command {
            return;
        }
        if prompt.completions.is_empty() {
            prompt.completions = command::completions(&prompt.input.text(), &nodes, &fields);
            prompt.completion = 0;
        } else {
            prompt.completion = (prompt.completion + 1) % prompt.completions.len();
        }
        if let Some(completion) = prompt.completions.get(prompt.completion) {
            prompt.input = Input::new(completion.clone());
        }
        if prompt.completions.len() == 1 {
            prompt.completions.clear();
        }
    }
}
