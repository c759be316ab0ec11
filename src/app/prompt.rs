//! Lines that are typed: commands, searches, the tree's filter, the finder, the playground.

use super::prelude::*;
use super::{command, finder::Finder, jumps, page::picture::field_names};

/// A line that is being typed at the bottom.
#[derive(Debug, Clone)]
pub struct Prompt {
    /// The purpose.
    pub asked: PromptKind,
    /// The typed text.
    pub input: Input,
    /// The possible completions, after a press of the completion key.
    pub completions: Vec<String>,
    /// The completion that is in the line.
    completion: usize,
    /// The filter before, to go back to.
    before: String,
}

impl App {
    pub(super) fn ask(&mut self, asked: PromptKind) {
        if asked == PromptKind::Find {
            self.push_overlay(Overlay::Finder(Box::default()));
            return self.shared.run(Lane::Find, Work::Walk);
        }
        let name = match asked {
            PromptKind::Export => match self.export_name() {
                Some(name) => name,
                None => return,
            },
            _ => String::new(),
        };
        let before = self.pages.tree.filter.clone();
        self.push_overlay(Overlay::Prompt(Prompt {
            asked,
            input: Input::offered(name),
            completions: Vec::new(),
            completion: 0,
            before: before.clone(),
        }));
        if let Some(Overlay::Prompt(prompt)) = &mut self.overlay
            && asked == PromptKind::Search
            && self.under.is_none()
            && self.shared.focus == Focus::Tree
        {
            prompt.input = Input::new(before);
            self.pages.tree.look_everywhere(&mut self.shared);
        }
    }

    /// True if a search filters what is on show while it is typed: the tree, the key table.
    pub fn is_filtering(&self) -> bool {
        match self.under {
            Some(Overlay::Help(_)) => true,
            Some(_) => false,
            None => self.shared.focus == Focus::Tree,
        }
    }

    /// Shows the rows of the tree, or of the key table, that have this in them.
    fn filter(&mut self, text: &str) {
        match &mut self.under {
            Some(Overlay::Help(page)) => {
                *page = HelpPage { filter: text.to_owned(), ..HelpPage::default() };
            }
            Some(_) => {}
            None => self.pages.tree.set_filter(text),
        }
    }

    pub(super) fn edit(&mut self, edit: LineEdit) {
        let filtering = self.is_filtering();
        match &mut self.overlay {
            Some(Overlay::Prompt(prompt)) => {
                if prompt.input.is_empty() && edit == LineEdit::Erase {
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
            Some(Overlay::Gallery) => self.pages.gallery.edit(edit),
            _ => {}
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
            None if filters_tree && prompt.before.is_empty() => self.drop_filter(),
            None if filters_tree => self.pages.tree.set_filter(&prompt.before),
            _ => {}
        }
    }

    /// Shows the whole tree again, the cursor staying on its node.
    pub(super) fn drop_filter(&mut self) {
        if self.shared.is_busy(Lane::Find) {
            self.shared.cancel(Lane::Find);
        }
        if let Some(path) = self.pages.tree.drop_filter() {
            self.reveal(&path);
        }
    }

    pub(super) fn submit(&mut self) {
        match self.pop_overlay() {
            Some(Overlay::Prompt(prompt)) => self.take_line(&prompt),
            Some(Overlay::Finder(finder)) => self.take_found(finder),
            Some(Overlay::Gallery) => {
                self.pages.gallery.next_line();
                self.overlay = Some(Overlay::Gallery);
            }
            other => self.overlay = other,
        }
    }

    /// Goes to the match under the cursor. Where there is none the finder stays, and an Enter that came before the walk
    /// found anything is kept for its end.
    pub(super) fn take_found(&mut self, mut finder: Box<Finder>) {
        let Some(found) = finder.selected().cloned() else {
            finder.eager = !finder.complete;
            return self.push_overlay(Overlay::Finder(finder));
        };
        self.shared.cancel(Lane::Find);
        self.overlay = None;
        self.go_to_node(&found.path);
        if found.is_array {
            self.shared.focus = Focus::View;
        }
    }

    /// Goes to the match for which Enter was pressed before the walk had found it.
    pub(super) fn take_eager_match(&mut self) {
        let Some(Overlay::Finder(finder)) = &mut self.overlay else { return };
        if finder.complete
            && mem::take(&mut finder.eager)
            && let Some(Overlay::Finder(finder)) = self.pop_overlay()
        {
            self.take_found(finder);
        }
    }

    fn take_line(&mut self, prompt: &Prompt) {
        let line = prompt.input.text();
        match prompt.asked {
            PromptKind::Command => {
                self.commands.push(&line);
                self.overlay = None;
                self.run_or_hold(&line);
            }
            PromptKind::Search if matches!(self.overlay, Some(Overlay::Help(_))) => {}
            PromptKind::Search if matches!(self.overlay, Some(Overlay::Gallery)) => {
                self.searches.push(&line);
                self.pages.gallery.searched(&line, &mut self.shared);
            }
            PromptKind::Search if self.is_filtering() => {}
            PromptKind::Search => {
                self.searches.push(&line);
                self.search(&line);
            }
            PromptKind::Export if line.trim().is_empty() => {
                self.shared.say("nothing written: no name was given");
            }
            PromptKind::Export => self.export(line.trim()),
            PromptKind::Find => {}
        }
    }

    /// Looks for `line` in the view.
    pub(super) fn search(&mut self, line: &str) {
        if line.is_empty() {
            return;
        }
        self.pages.at_mut(self.shared.beside()).searched(line, &mut self.shared);
    }

    pub(super) fn run_command(&mut self, line: &str) {
        if line.trim().is_empty() {
            return;
        }
        match command::parse(line) {
            // A name without a slash may be that of a node.
            Err(_) | Ok(TypedCommand::Count(..)) if self.pages.tree.has(line.trim()) => {
                self.go_to_node(&NodePath(line.trim().into()));
            }
            Err(why) => self.shared.fail(why),
            Ok(TypedCommand::Word(known, rest)) => (known.run)(self, &rest),
            Ok(TypedCommand::Count(count, keys)) => {
                self.count = Some(count);
                self.shared.effects.push(Effect::Press(keys));
            }
            Ok(TypedCommand::Go(place)) => self.go(&place),
            Ok(TypedCommand::To(landing)) => self.shared.land_on(landing),
            Ok(TypedCommand::By(by)) => {
                self.shared.remember();
                let to = self.shared.chunk.cursor.saturating_add_signed(by);
                self.shared.land_on(Landing::Byte(to));
            }
            Ok(TypedCommand::Row(row)) => self.go_to_row(row),
            Ok(TypedCommand::Last) => self.moved(Motion::Last, None),
        }
    }

    /// The name of the file that what is on show would be written to.
    fn export_name(&mut self) -> Option<String> {
        if self.shared.has_table() {
            return self.pages.chunk_table.file_name();
        }
        self.shared.export_name()
    }

    /// Writes what is on show to a file: the table of chunks, or the chunk. Where none is named, asks for one.
    pub(super) fn export(&mut self, file: &str) {
        if file.is_empty() {
            self.ask(PromptKind::Export);
        } else if self.shared.has_table() {
            self.pages.chunk_table.export(file, &mut self.shared);
        } else {
            self.shared.export(file);
        }
    }

    /// To the row with this number, or in the dump to the element.
    fn go_to_row(&mut self, row: u64) {
        let in_dump = self.shared.view == View::Chunks && !self.shared.has_table();
        if in_dump && self.shared.focus != Focus::Tree {
            return self.shared.land_on(Landing::Element(row));
        }
        self.moved(Motion::Last, Some(row));
    }

    pub(super) fn try_data_type(&mut self, text: &str) {
        self.pages.gallery.open();
        self.pages.gallery.part = GalleryPart::DataType;
        self.pages.gallery.data_type = Input::new(text);
        self.pages.gallery.edit(LineEdit::End);
        self.overlay = Some(Overlay::Gallery);
    }

    /// To a chunk of this array by its key, to a node by its path from here or from the root, or to an element of a
    /// node: `t2m[1,20,0]`.
    fn go(&mut self, place: &str) {
        if let Some((node, at)) = place.split_once('[').filter(|(node, _)| !node.is_empty())
            && jumps::coordinates(&format!("[{at}")).is_some()
            && !node.contains('#')
        {
            self.go_to_node(&NodePath(format!("{}/[{at}", node.trim_matches('/'))));
            return self.fall_back_to_nearest();
        }
        let key = self.shared.go_to_key(place, None);
        let Err(why) = key else { return };
        let path = self.resolved(place.trim_matches('/'));
        if self.shared.chunk.array.is_some() && command::is_chunk_key(place) {
            return self.shared.fail(why);
        }
        self.go_to_node(&path);
        self.fall_back_to_nearest();
    }

    /// The path that `place` is; each `..` that it begins with leads to the parent of the node on show.
    fn resolved(&self, place: &str) -> NodePath {
        let up = place.split('/').take_while(|part| *part == "..").count();
        if up == 0 {
            return NodePath(place.to_owned());
        }
        let here = self.shared.node_path().0;
        let parts: Vec<&str> = here.split('/').filter(|part| !part.is_empty()).collect();
        let around = parts.iter().copied().take(parts.len().saturating_sub(up));
        NodePath(around.chain(place.split('/').skip(up)).joined("/"))
    }

    /// A path that names no node is perhaps a node and a chunk key of it. Otherwise a message tells so. It takes the
    /// nearest node that exists, once that is read.
    pub(super) fn fall_back_to_nearest(&mut self) {
        self.show_selected();
        if self.shared.reading().is_some() {
            return;
        }
        let Some(missed) = self.pages.tree.take_missed() else { return };
        let node = self.shared.node().map(|node| node.path.clone()).unwrap_or_default();
        let rest = node.relative(&missed.0);
        let missed = safe(&missed.0);
        if self.shared.is_array() {
            if let Some(at) = jumps::coordinates(rest) {
                self.choose_view(View::Chunks);
                self.shared.land_on(Landing::Array(at));
            } else if let Err(why) = self.shared.go_to_key(rest, None) {
                self.shared.fail(format!("no node {missed}: {why}"));
            }
        } else {
            self.shared.fail(format!("no node {missed}; f finds nodes by a few letters"));
        }
    }

    /// An earlier line of what is typed; where there is none in the gallery, and in the finder, another row of the
    /// list.
    pub(super) fn recall(&mut self, way: Direction) {
        let motion = if way == Direction::Previous { Motion::Up } else { Motion::Down };
        if matches!(self.overlay, Some(Overlay::Gallery)) && self.pages.gallery.recall(way) {
            return;
        }
        let Some(Overlay::Prompt(prompt)) = &mut self.overlay else {
            return self.moved(motion, None);
        };
        let history = match prompt.asked {
            PromptKind::Command => &mut self.commands,
            PromptKind::Search => &mut self.searches,
            PromptKind::Find | PromptKind::Export => return,
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
        let nodes = self.pages.tree.paths();
        let fields = field_names(&self.shared.chunk);
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

impl Page for Prompt {}
