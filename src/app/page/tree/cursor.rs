//! The movements of the tree's cursor: to parents, siblings and matches; and to a node that is not listed yet, around
//! which one group after the other is listed until it is there, or known not to be.

use super::{Branch, Tree, rows::holds};
use crate::app::prelude::*;

impl Tree {
    /// Selects the next node, or the one before, whose own name holds the filter, `height` rows being in sight.
    pub fn to_match(&mut self, way: Direction, height: usize) {
        let needle = self.filter.to_lowercase();
        let len = self.len();
        if let Some(at) = around(self.scroll.cursor(), len, way)
            .find(|at| self.row(*at).is_some_and(|row| holds(&row.node.path, &needle)))
        {
            self.scroll = self.scroll.at(at, len, height);
        }
    }

    /// Selects the next node on show that has problems, or the one before; false where there is none.
    pub fn to_fault(&mut self, way: Direction, height: usize) -> bool {
        let len = self.len();
        let Some(at) = around(self.scroll.cursor(), len, way)
            .find(|at| self.row(*at).is_some_and(|row| row.node.is_faulty()))
        else {
            return false;
        };
        self.scroll = self.scroll.at(at, len, height);
        true
    }

    /// Selects the parent of the selected node.
    pub fn to_parent(&mut self) {
        let parent = self.selected().and_then(|row| row.node.path.parent());
        if let Some(at) = parent.and_then(|path| self.find(&path)) {
            self.select_index(at);
        }
    }

    /// Selects `path`, opening what is around it: the path to list, if something has to be listed.
    pub fn reveal(&mut self, path: &NodePath) -> Option<NodePath> {
        self.expect(path.clone());
        self.approach()
    }

    /// Selects `path` as soon as what is around it is listed again.
    pub fn expect(&mut self, path: NodePath) {
        self.set_filter("");
        self.target = Some(path);
    }

    /// The next step towards the target.
    pub(super) fn approach(&mut self) -> Option<NodePath> {
        let target = self.target.clone()?;
        if let Some(at) = self.find(&target) {
            self.select_index(at);
            self.target = None;
            return None;
        }
        let mut around = target.parent();
        while let Some(path) = around {
            if let Some(row) = self.find(&path).and_then(|at| self.rows.get(at)) {
                return match row.branch {
                    // The target is not among the children that are here: it does not exist.
                    Branch::Open(_) | Branch::Leaf | Branch::Failed(_) => self.miss(&path),
                    Branch::Closed | Branch::Opening(_) => self.open(&path),
                };
            }
            around = path.parent();
        }
        None
    }

    /// Gives the target up, at the nearest node around it that exists.
    fn miss(&mut self, nearest: &NodePath) -> Option<NodePath> {
        if let Some(at) = self.find(nearest) {
            self.select_index(at);
        }
        self.missed = self.target.take();
        None
    }

    /// The node that was looked for in vain, told once.
    pub fn take_missed(&mut self) -> Option<NodePath> {
        self.missed.take()
    }

    /// The node that is still being looked for.
    pub fn target(&self) -> Option<&NodePath> {
        self.target.as_ref()
    }

    /// True if a node is still being looked for.
    pub fn is_revealing(&self) -> bool {
        self.target.is_some()
    }
}
