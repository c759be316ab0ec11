//! The movements of the tree's cursor: to parents, siblings and matches; and to a node that is not listed yet, around
//! which one group after the other is listed until it is there, or known not to be.

use crate::app::prelude::*;

impl Tree {
    /// Selects the next node, or the one before, whose own name holds the filter, `height` rows being in sight.
    pub fn to_next(
        &mut self,
        way: Direction,
        height: usize,
        wanted: impl Fn(&TreeRow) -> bool,
    ) -> bool {
        let len = self.len();
        let mut steps = around(self.scroll.cursor(), len, way);
        let at = steps.find(|at| self.row(*at).is_some_and(&wanted));
        self.scroll = at.map_or(self.scroll, |at| self.scroll.at(at, len, height));
        at.is_some()
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
        let mut rows = target.upwards().filter_map(|path| self.rows.get(self.find(&path)?));
        let nearest = rows.next()?;
        let path = nearest.node.path.clone();
        match nearest.branch {
            // The target is not among the children that are here: it does not exist.
            Branch::Open(_) | Branch::Leaf | Branch::Failed(_) => self.miss(&path),
            Branch::Closed | Branch::Opening(_) => self.open(&path),
        }
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
