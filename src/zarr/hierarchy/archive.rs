//! Paths that go on inside a `.zip` store: `store.zip/a/b`, `store.zip/a/c/0/1`.
//!
//! No operating system knows such a path, but it is how anybody would write it.

use super::{Hierarchy, NodeKind, Target, open::chunk_of};
use crate::zarr::{
    data_type::Registry,
    error::{Code, Error, Result},
    store::{self, NodePath},
};
use std::{
    path::{Component, Path},
    sync::Arc,
};

/// Opens the archive that a part of `path` names, at the node or the chunk that the rest names; `None` where no part
/// of `path` is a file.
pub(super) fn open_inside(
    path: &Path,
    data_types: &Arc<Registry>,
) -> Option<Result<(Hierarchy, Target)>> {
    let archive = path.ancestors().skip(1).find(|part| part.is_file())?;
    let inside = path.strip_prefix(archive).ok()?;
    let parts: Option<Vec<_>> = inside
        .components()
        .map(|part| match part {
            Component::Normal(name) => name.to_str(),
            _ => None,
        })
        .collect();
    Some(
        open_at(archive, &parts?, data_types)
            .map_err(|error| error.in_file(path.to_string_lossy())),
    )
}

fn open_at(
    archive: &Path,
    parts: &[&str],
    data_types: &Arc<Registry>,
) -> Result<(Hierarchy, Target)> {
    let hierarchy = Hierarchy::new(store::open(archive)?, Arc::clone(data_types));
    let target = target(&hierarchy, parts)?;
    Ok((hierarchy, target))
}

/// The array that `parts` name or lead through, with the chunk; else the group or folder they name.
fn target(hierarchy: &Hierarchy, parts: &[&str]) -> Result<Target> {
    for length in 0..=parts.len() {
        let (node, key) = parts.split_at(length);
        let node = NodePath(node.join("/"));
        let found = hierarchy.node(&node);
        if ![Some(&found.kind), found.other.as_deref()]
            .iter()
            .flatten()
            .any(|kind| matches!(kind, NodeKind::Array(_)))
        {
            continue;
        }
        let chunk =
            if key.is_empty() { None } else { Some(chunk_of(hierarchy, &node, &key.join("/"))?) };
        return Ok(Target { node, chunk });
    }
    let node = NodePath(parts.join("/"));
    if hierarchy.store.list(&node.0)?.is_empty() {
        return Err(Error::new(
            Code::NotFound,
            "nothing of this name in the archive",
            "a node or a chunk",
        ));
    }
    Ok(Target { node, chunk: None })
}
