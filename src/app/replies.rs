//! What the state machine makes of what the workers say.

use super::{
    App, Overlay,
    effect::{Answer, Effect, Lane, Reply, Work},
    loading::Load,
    tree::Outline,
};
use crate::zarr::{
    NodePath,
    check::{Event, Summary},
};
use std::sync::Arc;

impl App {
    /// Takes in what a worker says, unless something newer was asked for since.
    pub fn replied(&mut self, reply: Reply) -> Vec<Effect> {
        let current = self.generations.get(reply.lane as usize) == Some(&reply.generation);
        if current {
            self.on_reply(reply.lane, reply.answer);
        }
        self.show_selected();
        std::mem::take(&mut self.effects)
    }

    fn on_reply(&mut self, lane: Lane, answer: Answer) {
        if answer.is_last() {
            self.set_busy(lane, false);
        }
        match answer {
            Answer::Listing(path, found) => self.tree.listing(&path, found),
            Answer::Listed(path, result) => self.listed(&path, result),
            Answer::Node(node) => self.take_node(*node),
            Answer::Loaded(shown) if shown.chunk.id == self.chunks.id => {
                self.chunks.loaded(&shown);
                self.watch();
            }
            Answer::Loaded(_) => {}
            Answer::ChunksListed(sightings) => self.chunks.presence.add(sightings),
            Answer::Diagnosed(diagnosis) => self.chunks.presence.diagnosis = Some(diagnosis),
            Answer::Checked(events, summary, elapsed) => {
                self.problems.elapsed = elapsed;
                self.checked(events, summary);
            }
            Answer::NodesFound(nodes) => {
                if let Some(Overlay::Finder(finder)) = &mut self.overlay {
                    finder.add(nodes);
                }
            }
            Answer::Loading(pace) => self.chunks.loading = Some(pace),
            Answer::Searching(pace) => self.chunks.searching = Some(pace),
            Answer::Found(range) => self.found(range),
            Answer::Pictured(pictured) => self.picture.pictured = Load::Ready(pictured),
            Answer::Exported(file) => {
                let file = file.to_string_lossy();
                let file = crate::zarr::text::safe(&file);
                self.say(format!("written to {file} in the working directory"));
            }
            Answer::Changed(keys) => self.take_changes(&keys),
            Answer::Done => self.done(lane),
            Answer::Failed(error) => self.failed(lane, error),
        }
    }

    fn listed(&mut self, path: &NodePath, result: crate::zarr::Result<Vec<Outline>>) {
        let revealing = self.tree.is_revealing();
        if let Some(next) = self.tree.listed(path, result) {
            self.run(Lane::List, Work::List(next));
        }
        if revealing && !self.tree.is_revealing() {
            self.run_pending();
            self.fall_back_to_nearest();
        }
    }

    fn found(&mut self, range: Option<std::ops::Range<u64>>) {
        self.set_busy(Lane::Search, false);
        self.chunks.searching = None;
        let Some(range) = range else {
            let aside = if self.chunks.skips_fill { ", fill values aside" } else { "" };
            let next = ". goes to the next, n searches it";
            return self.fail(format!("not found in this chunk{aside}; {next}"));
        };
        self.remember();
        self.chunks.place(range.start);
        let in_bytes = self.chunks.rows(80).is_some_and(|rows| rows.elements().is_none());
        if range.end - range.start > 1 && in_bytes {
            self.chunks.covers = Some(range);
        }
    }

    fn checked(&mut self, events: Vec<Event>, summary: Summary) {
        let before = self.problems.found.len();
        self.problems.checked(events, summary);
        let fresh = self.problems.found.get(before..).unwrap_or_default();
        self.chunks.take_damaged(fresh);
    }

    fn done(&mut self, lane: Lane) {
        match lane {
            Lane::Presence => {
                self.chunks.presence.finish();
                if self.chunks.presence.outdated {
                    self.look_for_chunks();
                }
            }
            Lane::Check => self.problems.finish(),
            Lane::Find => {
                if let Some(Overlay::Finder(finder)) = &mut self.overlay {
                    finder.complete = true;
                    if std::mem::take(&mut finder.eager)
                        && let Some(Overlay::Finder(finder)) = self.pop_overlay()
                    {
                        self.take_found(finder);
                    }
                }
            }
            Lane::List | Lane::Node | Lane::Load | Lane::Search | Lane::Picture | Lane::Watch => {}
        }
    }

    fn failed(&mut self, lane: Lane, error: crate::zarr::Error) {
        match lane {
            Lane::Node => self.take_unreadable_node(error),
            Lane::Load => self.chunks.load = Load::Failed(error),
            Lane::Presence => {
                self.chunks.presence.complete = true;
                self.fail(crate::zarr::text::safe(&error.to_string()));
            }
            Lane::Check => self.problems.summary = Load::Failed(error),
            Lane::Picture => self.picture.pictured = Load::Failed(error),
            Lane::List | Lane::Find | Lane::Search | Lane::Watch => {
                self.chunks.searching = None;
                self.fail(crate::zarr::text::safe(&error.to_string()));
            }
        }
    }

    /// Takes in that files have changed: what is on show is read again, the cursor stays.
    pub fn files_changed(&mut self, keys: &[String]) -> Vec<Effect> {
        self.take_changes(keys);
        std::mem::take(&mut self.effects)
    }

    fn take_changes(&mut self, keys: &[String]) {
        let Some(node) = self.node().map(Arc::clone) else { return };
        let chunk = self.chunks.shown().map(|shown| shown.chunk.key.clone());
        let touched = |key: &String| Some(key) == chunk.as_ref();
        if keys.iter().any(|key| !touched(key)) {
            self.run(Lane::Node, Work::Node(node.path.clone()));
        }
        if keys.iter().any(touched) {
            self.load_chunk();
        }
        self.look_for_chunks();
        for folder in keys.iter().filter_map(|key| key.strip_suffix('/')) {
            if self.tree.is_open(folder) {
                self.run(Lane::List, Work::List(NodePath(folder.to_owned())));
            }
        }
        let below = format!("{}/", node.path.0);
        let names: Vec<&str> = keys
            .iter()
            .map(|key| key.strip_prefix(&below).unwrap_or(key).trim_end_matches('/'))
            .filter(|name| !name.is_empty())
            .collect();
        let names = names.join(", ");
        let what = if names.is_empty() { String::new() } else { format!(": {names}") };
        self.say(crate::zarr::text::safe(&format!("changed on the disk, read again{what}")));
    }
}
