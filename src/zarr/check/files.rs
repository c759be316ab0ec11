//! Files that are where nothing reads them.

use super::{MANY, and_more};
use crate::zarr::{
    error::{Error, Problem},
    hierarchy::{Hierarchy, Node, NodeKind},
    store::join,
};

/// Files that belong to a group and are no nodes.
const DOCUMENTS: [&str; 4] = ["zarr.json", ".zgroup", ".zattrs", ".zmetadata"];

/// What lies in a group and is neither its document nor a node. Folders are not looked into.
pub(super) fn beside_nodes(hierarchy: &Hierarchy, node: &Node) -> Vec<Problem> {
    if !matches!(node.kind, NodeKind::Group(_)) {
        return Vec::new();
    }
    let mut found = Few::default();
    let listed = hierarchy.store.visit(&node.path.0, &mut |entry| {
        if !entry.is_folder && !DOCUMENTS.contains(&entry.name.as_str()) {
            found.push(foreign(&join(&node.path.0, &entry.name), false, "a document of the group"));
        }
        true
    });
    let mut problems = found.finish();
    problems.extend(listed.err().map(Problem::error));
    problems
}

/// The note on a file that nothing reads.
pub(super) fn foreign(key: &str, is_folder: bool, expected: &str) -> Problem {
    let found = if is_folder { "a folder" } else { "a file" };
    let error = Error::new("foreign-file", format!("{found} that no Zarr reader opens"), expected);
    Problem::note(error.in_file(key))
}

/// Problems of one kind: the first few of them, and how many more there are.
#[derive(Debug, Default)]
pub(super) struct Few {
    first: Vec<Problem>,
    more: u64,
}

impl Few {
    pub(super) fn push(&mut self, problem: Problem) {
        if self.first.len() < MANY {
            self.first.push(problem);
        } else {
            self.more += 1;
        }
    }

    pub(super) fn finish(mut self) -> Vec<Problem> {
        self.first.sort_by(|a, b| a.error.place.file.cmp(&b.error.place.file));
        let rest = self.first.last().filter(|_| self.more > 0);
        let rest = rest.map(|example| and_more(example, self.more));
        self.first.extend(rest);
        self.first
    }
}
