//! The nodes below a node: listed lazily, and never a chunk.

use super::{DOCUMENTS, WalkStep, node::NodeReader};
use crate::zarr::prelude::*;
use crate::zarr::store;
use std::collections::hash_map::Entry;

/// The number of folders looked into before a folder without documents counts as one that may hold nodes.
const MAX_FOLDERS: usize = 400;

/// The number of nodes whose documents are asked for together, where that saves time.
const TOGETHER: usize = 64;

/// The depth of a walk.
const MAX_DEPTH: usize = 10_000;

/// Calls `each` for the nodes directly below `parent`, sorted by name, until it gives `false`. Only one of them is held
/// at a time: there can be a hundred thousand.
pub(super) fn visit(
    hierarchy: &Hierarchy,
    reader: &NodeReader,
    parent: &Node,
    each: &mut dyn FnMut(Node) -> bool,
) -> Result<()> {
    let mut names = NamesBelow::of(reader, hierarchy, parent)?;
    while let Some(node) = names.next(reader, hierarchy) {
        if !each(node) {
            break;
        }
    }
    Ok(())
}

/// The names below `parent`, which `reader` is for, where nodes may be, sorted.
fn names_below(reader: &NodeReader, hierarchy: &Hierarchy, parent: &Node) -> Result<Vec<String>> {
    if !may_have_children(parent) {
        return Ok(Vec::new());
    }
    let path = &parent.path.0;
    let is_copied =
        || reader.copies().iter().any(|copies| copies.group == *path || copies.holds(path));
    let mut names = Vec::new();
    let listed = hierarchy.store.visit(path, &mut |entry| {
        // A name without letters leads to the same folder again.
        names.extend(Some(entry.name).filter(|name| entry.is_folder && !name.is_empty()));
        true
    });
    match listed {
        Err(error) if error.code == Code::CannotList && is_copied() => {}
        listed => listed?,
    }
    names.sort_unstable();
    let on_disk = names.len();
    for copies in reader.copies() {
        names.extend(copies.children(&parent.path.0));
    }
    if names.len() > on_disk {
        names.sort_unstable();
        names.dedup();
    }
    Ok(names)
}

/// True if anything but chunks can be below a node: not below an array, unless the same folder is also a group.
fn may_have_children(node: &Node) -> bool {
    let is_group = |kind: &NodeKind| matches!(kind, NodeKind::Group(_) | NodeKind::Folder);
    if node.kind.error().is_some_and(|error| error.code == Code::NotAZip) {
        return false;
    }
    node.kinds().any(is_group) || !node.kinds().any(NodeKind::is_array)
}

/// True if a node belongs into a tree: folders do where nodes are below them.
fn is_worth_listing(hierarchy: &Hierarchy, node: &Node) -> bool {
    match &node.kind {
        NodeKind::Folder => holds_nodes(&*hierarchy.store, &node.path.0),
        NodeKind::Broken(error) => error.code != Code::NoSuchPlace,
        NodeKind::Array(_) | NodeKind::Group(_) => true,
    }
}

/// True if there is a node somewhere below the folder `path`, nearest folders first. Where the search would take too
/// long the answer is yes: better to list a folder in vain than to hide a store.
pub(in crate::zarr) fn holds_nodes(store: &dyn Store, path: &str) -> bool {
    let mut waiting = VecDeque::from([path.to_owned()]);
    for _ in 0..MAX_FOLDERS {
        let Some(folder) = waiting.pop_front() else { return false };
        let mut found = false;
        // A folder that cannot be listed hides no other.
        let _ = store.visit(&folder, &mut |entry: store::Entry| {
            found = !entry.is_folder && DOCUMENTS.contains(&entry.name.as_str());
            if entry.is_folder && !is_hidden(&entry.name) && waiting.len() < MAX_FOLDERS {
                waiting.push_back(store::join(&folder, &entry.name));
            }
            !found
        });
        if found {
            return true;
        }
    }
    true
}

/// True if a folder of that name is where programs keep what is theirs.
fn is_hidden(name: &str) -> bool {
    name.starts_with('.') || name.starts_with("__")
}

/// Names below a node that are still to be looked at.
struct NamesBelow {
    parent: NodePath,
    names: Vec<String>,
    at: usize,
}

impl NamesBelow {
    fn of(reader: &NodeReader, hierarchy: &Hierarchy, parent: &Node) -> Result<Self> {
        let names = names_below(reader, hierarchy, parent)?;
        Ok(Self { parent: parent.path.clone(), names, at: 0 })
    }

    /// The next node, read only now.
    fn next(&mut self, reader: &NodeReader, hierarchy: &Hierarchy) -> Option<Node> {
        while let Some(rest) = self.names.get(self.at..) {
            let name = rest.first()?;
            if self.at.is_multiple_of(TOGETHER) {
                let together = rest.get(..TOGETHER).unwrap_or(rest);
                hierarchy.store.expect_nodes(&self.parent.0, together);
            }
            self.at += 1;
            let node = reader.node(&self.parent.child(name));
            if is_worth_listing(hierarchy, &node) {
                return Some(node);
            }
        }
        None
    }
}

/// Siblings that a walk has still to go to.
struct WalkLevel<'a> {
    reader: NodeReader<'a>,
    names: NamesBelow,
}

impl<'a> WalkLevel<'a> {
    fn of(hierarchy: &'a Hierarchy, reader: NodeReader<'a>, parent: &Node) -> Result<Self> {
        Ok(Self { names: NamesBelow::of(&reader, hierarchy, parent)?, reader })
    }
}

/// Calls `each` for `root` and every node below it, parents first, until it gives `false`. One node is held at a time,
/// and the names of those that wait. A folder to which several links lead is gone through once.
pub(super) fn walk(hierarchy: &Hierarchy, root: Node, each: &mut dyn FnMut(WalkStep<'_>) -> bool) {
    let mut levels: Vec<WalkLevel<'_>> = Vec::new();
    let mut visited = Visited::default();
    let mut next = Some(root);
    while let Some(node) = next {
        if !each(Ok((&node, levels.len()))) {
            return;
        }
        if may_have_children(&node) {
            let level = visited.enter(hierarchy, &node.path, levels.len()).and_then(|()| {
                let reader = match levels.last() {
                    Some(above) => above.reader.at(&node.path),
                    None => NodeReader::new(hierarchy, &node.path),
                };
                WalkLevel::of(hierarchy, reader, &node)
            });
            match level {
                Ok(level) => levels.push(level),
                Err(error) => {
                    if !each(Err((&node.path, error))) {
                        return;
                    }
                }
            }
        }
        next = None;
        while next.is_none()
            && let Some(level) = levels.last_mut()
        {
            next = level.names.next(&level.reader, hierarchy);
            if next.is_none() {
                levels.pop();
            }
        }
    }
}

/// The folders that were gone through, by what the system knows them by.
#[derive(Debug, Default)]
pub struct Visited(HashMap<Identity, NodePath>);

#[cfg(unix)]
pub(crate) type Identity = (u64, u64);
#[cfg(not(unix))]
pub(crate) type Identity = PathBuf;

impl Visited {
    /// Takes down that the folder at `path`, so many levels down, is gone through.
    ///
    /// # Errors
    ///
    /// If it was gone through before, under whatever name, or lies too deep.
    pub fn enter(&mut self, hierarchy: &Hierarchy, path: &NodePath, depth: usize) -> Result<()> {
        if depth >= MAX_DEPTH {
            let found = format!("nodes more than {MAX_DEPTH} levels deep, which were not read");
            let error = Error::new(Code::NestedTooDeep, found, "fewer levels").in_file(&path.0);
            return Err(error.with_fix("Open zarrscope on this path to see them."));
        }
        let folder = hierarchy.store.path(&path.0);
        let Some(identity) = folder.as_deref().and_then(identity) else { return Ok(()) };
        match self.0.entry(identity) {
            Entry::Vacant(place) => {
                place.insert(path.clone());
                Ok(())
            }
            Entry::Occupied(first) => {
                let found = format!("a link to the same folder as {}", quoted(&first.get().0));
                let error = Error::new(Code::LinkedFolder, found, "").in_file(&path.0);
                Err(error.with_fix("Its contents are read once."))
            }
        }
    }
}

/// What the system knows the file or folder at `path` by, under whatever name; `None` where it is not there.
#[cfg(unix)]
pub(crate) fn identity(path: &Path) -> Option<Identity> {
    use std::os::unix::fs::MetadataExt;
    std::fs::metadata(path).ok().map(|metadata| (metadata.dev(), metadata.ino()))
}

#[cfg(not(unix))]
pub(crate) fn identity(path: &Path) -> Option<Identity> {
    path.canonicalize().ok()
}
