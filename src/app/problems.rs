//! What is wrong in the store: what its documents said at once, and what a check found.

use super::{Scroll, load::Load};
use crate::zarr::{
    Node, NodePath, Problem,
    check::{Event, Summary},
    hierarchy::NodeKind,
};

/// The problems and how far the check is.
#[derive(Debug, Clone, Default)]
pub struct ProblemsPage {
    /// From which node on the check runs or ran; `None` before the first.
    pub root: Option<NodePath>,
    /// Each problem with its node, in the order they were found.
    pub found: Vec<(NodePath, Problem)>,
    /// What was looked at; ready when the check is done.
    pub summary: Load<Summary>,
    /// What was looked at so far.
    pub progress: Summary,
    /// The cursor over the problems.
    pub scroll: Scroll,
}

impl ProblemsPage {
    /// Starts over, from `root`.
    pub fn start(&mut self, root: NodePath) {
        *self = Self { root: Some(root), summary: Load::Pending, ..Self::default() };
    }

    /// Takes in what the check has to say.
    pub fn checked(&mut self, events: Vec<Event>, summary: Summary) {
        self.progress = summary;
        for event in events {
            match event {
                Event::Problem(path, problem) => self.found.push((path, problem)),
                Event::Progress(summary) => self.progress = summary,
            }
        }
    }

    /// The problem under the cursor.
    #[must_use]
    pub fn selected(&self) -> Option<&(NodePath, Problem)> {
        self.found.get(self.scroll.cursor())
    }

    /// The check is over: done, or stopped by the user.
    pub fn finish(&mut self) {
        if self.summary.is_pending() {
            self.summary = Load::Ready(self.progress);
        }
    }
}

/// Everything wrong that the documents of a node said.
#[must_use]
pub fn of_node(node: &Node) -> Vec<&Problem> {
    let documents: &[Problem] = match &node.kind {
        NodeKind::Array(array) => &array.problems,
        NodeKind::Group(group) => &group.problems,
        NodeKind::Folder | NodeKind::Broken(_) => &[],
    };
    node.problems.iter().chain(documents).collect()
}

/// Rows of the list of problems in a view of `size`; the rest is the problem under the cursor.
#[must_use]
pub fn list_rows(size: super::Size) -> usize {
    size.rows().saturating_sub(DETAIL + 3)
}

/// Rows of the problem under the cursor.
pub const DETAIL: usize = 7;
