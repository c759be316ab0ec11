//! What lies below a node: lazily, and never a chunk.

use super::{DOCUMENTS, Hierarchy, Node, NodeKind, Step, node::Reader};
use crate::zarr::{
    Code,
    error::Result,
    store::{Entry, NodePath, Store},
};
use std::{collections::VecDeque, path::PathBuf};

/// How many folders are looked into before a folder without documents counts as one that may hold nodes.
const MAX_FOLDERS: usize = 400;

/// At which depth a walk begins to look for links that lead back up.
const LINK_DEPTH: usize = 12;

/// How deep a walk goes.
const MAX_DEPTH: usize = 128;

/// Calls `each` for the nodes directly below `parent`, sorted by name, until it gives `false`. Only one of them is held
/// at a time: there can be a hundred thousand.
pub(super) fn visit(
    hierarchy: &Hierarchy,
    parent: &Node,
    each: &mut dyn FnMut(Node) -> bool,
) -> Result<()> {
    let Some((reader, names)) = below(hierarchy, parent)? else { return Ok(()) };
    for name in names {
        let node = reader.node(&parent.path.child(&name));
        if is_worth_listing(hierarchy, &node) && !each(node) {
            break;
        }
    }
    Ok(())
}

/// The names below `parent` where nodes may be, sorted, and who reads them; `None` where there can be none.
fn below<'a>(hierarchy: &'a Hierarchy, parent: &Node) -> Result<Option<(Reader<'a>, Vec<String>)>> {
    if !may_have_children(parent) {
        return Ok(None);
    }
    let reader = Reader::new(hierarchy, &parent.path);
    let entries = hierarchy.store.list(&parent.path.0)?;
    let mut names: Vec<_> =
        entries.into_iter().filter(|entry| entry.is_folder).map(|entry| entry.name).collect();
    let on_disk = names.len();
    for copies in reader.copies() {
        names.extend(copies.children(&parent.path.0));
    }
    if names.len() > on_disk {
        names.sort_unstable();
        names.dedup();
    }
    Ok(Some((reader, names)))
}

/// Whether anything but chunks can lie below a node: not below an array, unless the same folder is also a group.
fn may_have_children(node: &Node) -> bool {
    let is_group = |kind: &NodeKind| matches!(kind, NodeKind::Group(_) | NodeKind::Folder);
    let is_array = |kind: &NodeKind| matches!(kind, NodeKind::Array(_));
    let other = node.other.as_deref();
    is_group(&node.kind)
        || other.is_some_and(is_group)
        || !is_array(&node.kind) && !other.is_some_and(is_array)
}

/// Whether a node belongs into a tree: folders do where nodes lie below them.
fn is_worth_listing(hierarchy: &Hierarchy, node: &Node) -> bool {
    match &node.kind {
        NodeKind::Folder => holds_nodes(&*hierarchy.store, &node.path.0),
        NodeKind::Broken(error) => error.code != Code::NoNode,
        NodeKind::Array(_) | NodeKind::Group(_) => true,
    }
}

/// Whether there is a node somewhere below the folder `path`, nearest folders first. Where the search would take too
/// long the answer is yes: better to list a folder in vain than to hide a store.
pub(in crate::zarr) fn holds_nodes(store: &dyn Store, path: &str) -> bool {
    let mut waiting = VecDeque::from([path.to_owned()]);
    for _ in 0..MAX_FOLDERS {
        let Some(folder) = waiting.pop_front() else { return false };
        let mut found = false;
        let listed = store.visit(&folder, &mut |entry: Entry| {
            found = !entry.is_folder && DOCUMENTS.contains(&entry.name.as_str());
            if entry.is_folder && !is_hidden(&entry.name) && waiting.len() < MAX_FOLDERS {
                waiting.push_back(crate::zarr::store::join(&folder, &entry.name));
            }
            !found
        });
        if found || listed.is_err() {
            return found;
        }
    }
    true
}

/// Whether a folder of that name is where programs keep what is theirs.
fn is_hidden(name: &str) -> bool {
    name.starts_with('.') || name.starts_with("__")
}

/// Siblings that a walk has still to go to.
struct Level<'a> {
    reader: Reader<'a>,
    parent: NodePath,
    names: std::vec::IntoIter<String>,
}

impl<'a> Level<'a> {
    fn of(hierarchy: &'a Hierarchy, parent: &Node) -> Result<Option<Self>> {
        let level = |(reader, names): (_, Vec<String>)| Self {
            reader,
            parent: parent.path.clone(),
            names: names.into_iter(),
        };
        Ok(below(hierarchy, parent)?.map(level))
    }

    /// The next node, read only now.
    fn next(&mut self, hierarchy: &Hierarchy) -> Option<Node> {
        let mut nodes = self.names.by_ref().map(|name| self.reader.node(&self.parent.child(&name)));
        nodes.find(|node| is_worth_listing(hierarchy, node))
    }
}

/// Calls `each` for `root` and every node below it, parents first, until it gives `false`. One node is held at a time,
/// and the names of those that wait.
pub(super) fn walk(hierarchy: &Hierarchy, root: Node, each: &mut dyn FnMut(Step<'_>) -> bool) {
    let mut levels: Vec<Level<'_>> = Vec::new();
    let mut next = Some(root);
    while let Some(node) = next {
        let depth = levels.len();
        if !each(Ok((&node, depth))) {
            return;
        }
        let is_too_deep =
            depth >= MAX_DEPTH || depth >= LINK_DEPTH && leads_back(&*hierarchy.store, &node.path);
        match if is_too_deep { Ok(None) } else { Level::of(hierarchy, &node) } {
            Ok(level) => levels.extend(level),
            Err(error) => {
                if !each(Err((&node.path, error))) {
                    return;
                }
            }
        }
        next = None;
        while next.is_none()
            && let Some(level) = levels.last_mut()
        {
            next = level.next(hierarchy);
            if next.is_none() {
                levels.pop();
            }
        }
    }
}

/// Whether a folder is, by a link, the same as one above it.
fn leads_back(store: &dyn Store, path: &NodePath) -> bool {
    let real = |path: &NodePath| store.path(&path.0).and_then(|path| path.canonicalize().ok());
    let Some(here): Option<PathBuf> = real(path) else { return false };
    let mut above = path.parent();
    while let Some(folder) = above {
        if real(&folder).as_ref() == Some(&here) {
            return true;
        }
        above = folder.parent();
    }
    false
}
