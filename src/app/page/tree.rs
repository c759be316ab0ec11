//! The tree: what keys and clicks do in it, and what comes of listing.

use crate::app::layout::mark_columns;
use crate::app::prelude::*;

mod cursor;
mod outline;
mod rows;
mod whole_store;

pub use outline::{Outline, What};
pub use rows::{Branch, Tree, TreeRow};

impl Page for Tree {
    fn list(&mut self, shared: &Shared) -> Option<CursorList<'_>> {
        let (len, height) = (self.len(), shared.geometry.tree.rows());
        Some(CursorList { scroll: &mut self.scroll, len, head: 0, height })
    }

    fn moved(&mut self, motion: Motion, count: Option<u64>, shared: &mut Shared) {
        let height = shared.geometry.tree.rows();
        match (motion, self.selected().map(|row| &row.branch)) {
            (Motion::Left, Some(Branch::Open(_))) => self.toggle(shared),
            (Motion::Left, _) => self.to_parent(),
            (Motion::Right, Some(Branch::Open(_))) => {
                self.scroll = self.scroll.moved(1, self.len(), height);
            }
            (Motion::Right, Some(Branch::Leaf)) => shared.focus = Focus::View,
            (Motion::Right, _) => self.toggle(shared),
            (motion, _) => self.moved_in_list(motion, count, shared),
        }
    }

    /// A click selects; one on the mark before a name, or a second one, opens or closes.
    fn clicked(&mut self, at: PaneCell, shared: &mut Shared) -> bool {
        let height = shared.geometry.tree.rows();
        let row = self.scroll.row_at(Some(at.row), height, self.len());
        let again = self.scroll.select(row);
        let depth = self.selected().map_or(0, |row| row.depth);
        if row.is_some() && (again || mark_columns(depth).contains(&at.column)) {
            self.toggle(shared);
        }
        false
    }

    /// A group opens or closes, an array has its view.
    fn opened(&mut self, shared: &mut Shared) -> bool {
        match self.selected().map(|row| &row.branch) {
            Some(Branch::Leaf) => shared.focus = Focus::View,
            Some(_) => self.toggle(shared),
            None => {}
        }
        false
    }

    fn acted(&mut self, action: Action, shared: &mut Shared) {
        match action {
            Action::Fold => self.toggle(shared),
            Action::Step(StepTo::Fault, way)
                if !self.to_next(way, shared.geometry.tree.rows(), |row| row.node.is_faulty()) =>
            {
                shared.say("no node in the tree has known problems; 5 checks the store");
            }
            _ => {}
        }
    }

    fn next_match(&mut self, way: Direction, shared: &mut Shared) {
        let needle = self.filter.to_lowercase();
        let is_match = |row: &TreeRow| rows::holds(&row.node.path, &needle);
        self.to_next(way, shared.geometry.tree.rows(), is_match);
    }

    fn copied(&self, shared: &Shared) -> Option<String> {
        shared.node().map(|node| node.path.0.clone())
    }

    fn explained(&self, shared: &Shared) -> Option<Explained> {
        explained::node(shared)
    }

    fn is_available(&self, action: Action, _shared: &Shared) -> bool {
        action != Action::Fold || self.selected().is_some_and(|row| row.branch != Branch::Leaf)
    }

    fn reloaded(&mut self, shared: &mut Shared) {
        for path in self.open_paths() {
            shared.run(Lane::List, Work::List(path));
        }
        if !self.filter.is_empty() {
            self.look_everywhere(shared);
        }
    }

    fn replied(&mut self, answer: Answer, _lane: Lane, shared: &mut Shared) {
        match answer {
            Answer::Listing(path, found) => self.listing(&path, found),
            Answer::Listed(path, result) => {
                if let Some(next) = self.listed(&path, result) {
                    shared.run(Lane::List, Work::List(next));
                }
            }
            Answer::NodesFound(nodes) => self.found(nodes),
            Answer::Failed(error) => shared.fail(safe_text(&error)),
            _ => {}
        }
    }
}

impl Tree {
    /// Opens the group under the cursor, or closes it.
    pub fn toggle(&mut self, shared: &mut Shared) {
        let Some(path) = self.selected().map(|row| row.node.path.clone()) else { return };
        if self.close(&path) {
            return;
        }
        if let Some(path) = self.open(&path) {
            shared.run(Lane::List, Work::List(path));
        }
    }
}
