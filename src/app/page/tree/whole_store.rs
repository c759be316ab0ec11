//! The filter over the whole store: nodes in groups that are closed are walked for, and are in the tree for as long as
//! the filter lets them through.

use super::rows::holds;
use crate::app::prelude::*;

/// The number of nodes of closed groups shown at most: a filter that lets more through is no help to anybody.
const MOST: usize = 10_000;

impl Tree {
    /// Has the whole hierarchy walked, so that the filter finds what is in closed groups, too.
    pub(in crate::app) fn look_everywhere(&mut self, shared: &mut Shared) {
        self.walked.clear();
        shared.run(Lane::Find, Work::Walk);
    }

    /// Takes in what the walk has found.
    pub fn found(&mut self, nodes: Vec<Outline>) {
        self.walked.extend(nodes);
        self.keep_cursor(Self::place_strays);
    }

    /// Shows all nodes again. Gives the node under the cursor where it is in a closed group, which has to be opened to
    /// keep it there.
    pub fn drop_filter(&mut self) -> Option<NodePath> {
        let stray = self.selected().filter(|row| row.is_stray).map(|row| row.node.path.clone());
        self.walked = Vec::new();
        self.set_filter("");
        stray
    }

    /// Puts the nodes of closed groups that the filter lets through in their places, and takes all others out.
    pub(super) fn place_strays(&mut self) {
        // Whatever was opened in such a group goes with it: nothing is left to hang from.
        let mut dropped = None;
        self.rows.retain(|row| {
            let is_inside = dropped.is_some_and(|depth| row.depth > depth);
            if !is_inside {
                dropped = row.is_stray.then_some(row.depth);
            }
            !is_inside && !row.is_stray
        });
        if self.filter.is_empty() || self.walked.is_empty() {
            return;
        }
        let mut below = self.strays();
        for row in mem::take(&mut self.rows) {
            let depth = row.depth;
            let mut levels = vec![below.remove(&row.node.path).unwrap_or_default()];
            self.rows.push(row);
            while let Some(level) = levels.last_mut() {
                let Some(node) = level.pop() else {
                    levels.pop();
                    continue;
                };
                let inside = below.remove(&node.path).unwrap_or_default();
                let stray = TreeRow::new(node, depth + levels.len());
                self.rows.push(TreeRow { is_stray: true, ..stray });
                levels.push(inside);
            }
        }
    }

    /// The nodes that are in no row yet and that the filter lets through, with the groups around them, by the path of
    /// their parents; the last of each first.
    fn strays(&self) -> HashMap<NodePath, Vec<Outline>> {
        let needle = self.filter.to_lowercase();
        let listed: HashSet<&NodePath> = self.rows.iter().map(|row| &row.node.path).collect();
        let mut wanted: HashSet<NodePath> = self
            .walked
            .iter()
            .filter(|node| !listed.contains(&node.path) && holds(&node.path, &needle))
            .take(MOST)
            .map(|node| node.path.clone())
            .collect();
        let mut below: HashMap<NodePath, Vec<Outline>> = HashMap::new();
        for node in self.walked.iter().rev() {
            let Some(parent) = node.path.parent().filter(|_| wanted.remove(&node.path)) else {
                continue;
            };
            if !listed.contains(&parent) {
                wanted.insert(parent.clone());
            }
            below.entry(parent).or_default().push(node.clone());
        }
        below
    }
}
