//! Finding the store, the node and the chunk that a path on the disk means.
//!
//! A path may go on inside a `.zip` store: `store.zip/a/b`, `store.zip/a/c/0/1`. No operating system knows such a path,
//! but it is how anybody would write it.

use super::{DOCUMENTS, Target, children::holds_nodes};
use crate::zarr::prelude::*;
use crate::zarr::store::{self, DirectoryStore, FolderOfStores, is_of_numbers, join};
use std::{
    ffi::OsStr,
    fs,
    io::{self, Read},
    path::Component,
};

#[cfg(feature = "remote")]
mod far;

/// The number of folders without documents that may be between two nodes of one store.
const MAX_GAP: usize = 2;

/// The number of folders without documents that may be between a path and the node that it is in (those of nested
/// chunk keys).
const MAX_INSIDE: usize = 8;

/// The number of folders above a file its array may be.
const MAX_CLIMB: usize = 64;

pub(super) fn open(path: &Path, registry: Arc<Registry>) -> Result<(Hierarchy, Target)> {
    #[cfg(feature = "remote")]
    if let Some(address) = store::remote::Address::of(path) {
        return far::open(&address, registry);
    }
    let name = path.to_string_lossy();
    let metadata = match fs::metadata(path) {
        Ok(metadata) => metadata,
        Err(error) => {
            let found = open_inside(path, &registry).or_else(|| open_copied(path, &registry));
            return found.unwrap_or_else(|| Err(Error::io(name.as_ref(), &error)));
        }
    };
    if metadata.is_dir() {
        return open_folder(path, registry);
    }
    match store::open(path) {
        Ok(store) => Ok((Hierarchy::new(store, registry), Target::default())),
        Err(error) if error.code == Code::NotAStore => open_file(path, registry),
        Err(error) if error.code == Code::NotAZip && error.fix.is_none() => {
            let looks = looks_like(path, &registry).map(|looks| format!("It looks like {looks}."));
            Err(Error { fix: looks, ..error })
        }
        Err(error) => Err(error),
    }
}

/// A node without a folder, of which consolidated metadata in a folder around it tell.
fn open_copied(path: &Path, registry: &Arc<Registry>) -> Option<Result<(Hierarchy, Target)>> {
    let is_here = |folder: &Path| folder.as_os_str().is_empty();
    let folder = path.ancestors().skip(1).find(|folder| is_here(folder) || folder.is_dir())?;
    let inside = path.strip_prefix(folder).ok()?;
    let names = inside.components().map(|part| part.as_os_str().to_string_lossy());
    if inside.components().any(|part| !matches!(part, Component::Normal(_))) {
        return None;
    }
    let (hierarchy, target) =
        open_folder(if is_here(folder) { Path::new(".") } else { folder }, Arc::clone(registry))
            .ok()?;
    let node =
        NodePath(format!("{}/{}", target.node.0, names.joined("/")).trim_matches('/').to_owned());
    let is_copied = match hierarchy.node(&node).kind {
        NodeKind::Array(_) => true,
        NodeKind::Group(group) => !group.documents.is_empty(),
        NodeKind::Folder | NodeKind::Broken(_) => false,
    };
    is_copied.then(|| Ok((hierarchy, Target { node, chunk: None })))
}

/// The format of a file that is no archive, where a codec wrote it.
fn looks_like(path: &Path, registry: &Registry) -> Option<&'static str> {
    registry.codecs.looks_like(&start_of(path)?)
}

/// The first bytes of a file.
fn start_of(path: &Path) -> Option<Vec<u8>> {
    let mut start = Vec::new();
    fs::File::open(path).ok()?.take(4096).read_to_end(&mut start).ok()?;
    Some(start)
}

fn open_folder(path: &Path, registry: Arc<Registry>) -> Result<(Hierarchy, Target)> {
    let root = outermost(path)?;
    let (hierarchy, node) = if let Some(root) = &root {
        below(path, root, registry)?
    } else {
        let store: Arc<dyn Store> = Arc::new(FolderOfStores::new(path));
        (Hierarchy::new(store, registry), NodePath::default())
    };
    if root.is_none() && !holds_nodes(&*hierarchy.store, "") {
        let name = path.to_string_lossy();
        // Asks once more, so that a folder that cannot be listed says so.
        hierarchy.store.visit("", &mut |_| false).map_err(|error| error.in_file(name.as_ref()))?;
        let found =
            "no Zarr store in this folder (looked for zarr.json, .zarray, .zgroup and .zip)";
        let foreign = store::foreign::below(&*hierarchy.store, "");
        let fix = foreign.first().map(|found| match (foreign.len() - 1, found.path.as_str()) {
            (_, "") => format!("It looks like {}: {}.", found.what, found.opens),
            (more, path) => {
                let first = format!("{} is {}: {}.", quoted(path), found.what, found.opens);
                let others = counted(more, "other item");
                match more {
                    0 => first,
                    1 => format!("{first} {others} here is no Zarr store either."),
                    _ => format!("{first} {others} here are no Zarr stores either."),
                }
            }
        });
        let fix = fix.or_else(|| chunks_alone(&*hierarchy.store));
        return Err(Error { fix, ..Error::new(Code::NotAStore, found, "").in_file(name.as_ref()) });
    }
    Ok((hierarchy, Target { node, chunk: None }))
}

/// The words on files named like chunks in the folders of a folder without any document.
fn chunks_alone(store: &dyn Store) -> Option<String> {
    /// The most folders that are looked at, and the most files of each.
    const MOST: usize = 100;
    let first = |folder: &str| {
        let (mut folders, mut chunk, mut left) = (Vec::new(), None, MOST);
        let _ = store.visit(folder, &mut |entry| {
            if entry.is_folder {
                folders.push(join(folder, &entry.name));
            } else if is_of_numbers(&entry.name) {
                chunk = Some(join(folder, &entry.name));
            }
            left -= 1;
            left > 0 && chunk.is_none()
        });
        (folders, chunk)
    };
    let (folders, chunk) = first("");
    let chunk = chunk.or_else(|| folders.iter().find_map(|folder| first(folder).1))?;
    Some(format!(
        "Files here are named like chunks, such as {chunk}, and no document describes them: were files whose names begin with a dot (.zarray, \
         .zgroup) left out of a copy?"
    ))
}

/// A single file: one of a node's documents, or a chunk of the array above it.
fn open_file(path: &Path, registry: Arc<Registry>) -> Result<(Hierarchy, Target)> {
    let name = path.to_string_lossy();
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or_else(|| Path::new("."));
    if path.file_name().and_then(OsStr::to_str).is_some_and(is_document) {
        return open_folder(folder, registry);
    }
    let full = full(path)?;
    let array = full.ancestors().skip(1).take(MAX_CLIMB).find(|folder| is_array(folder));
    let Some(array) = array else {
        let expected = "a Zarr store or a chunk in the folder of its array";
        let error = Error::new(Code::NotAStore, "a file outside any array", expected);
        let format = start_of(path).and_then(|start| store::foreign::format_of_file(&name, &start));
        let fix = format.map(|(what, opens)| format!("It looks like {what}: {opens}."));
        return Err(Error { fix, ..error.in_file(name.as_ref()) });
    };
    let root = outermost(array)?;
    let (hierarchy, node) = below(array, root.as_deref().unwrap_or(array), registry)?;
    let key = full.strip_prefix(array).unwrap_or(&full);
    let key = key.iter().map(OsStr::to_string_lossy).joined("/");
    let chunk = chunk_of(&hierarchy, &node, &key).map_err(|error| error.in_file(name.as_ref()))?;
    Ok((hierarchy, Target { node, chunk: Some(chunk) }))
}

fn is_document(name: &str) -> bool {
    name == ".zattrs" || DOCUMENTS.contains(&name)
}

/// The chunk that the file `key` of the array at `node` is.
fn chunk_of(hierarchy: &Hierarchy, node: &NodePath, key: &str) -> Result<ChunkId> {
    let found = hierarchy.node(node);
    let arrays = found.kinds().filter_map(NodeKind::array);
    let parsed = arrays.clone().find_map(|array| parse(array, key));
    let coordinates = parsed.ok_or_else(|| {
        let example = arrays.clone().find_map(example).unwrap_or_default();
        Error::new(Code::NoSuchPlace, "its name", example)
    })?;
    Ok(ChunkId::at(coordinates))
}

fn parse(array: &ArrayMetadata, key: &str) -> Option<Vec<u64>> {
    array.known_key_encoding()?.parse(key, array.known_shape()?.len())
}

fn example(array: &ArrayMetadata) -> Option<String> {
    let key = array.known_key_encoding()?.key(&vec![0; array.known_shape()?.len()]);
    Some(format!("a key of the array around it, such as {key}"))
}

/// The hierarchy whose store begins at `root`, and the path in it of `folder`, which is at or below `root`.
fn below(folder: &Path, root: &Path, registry: Arc<Registry>) -> Result<(Hierarchy, NodePath)> {
    let full = full(folder)?;
    let inside = full.strip_prefix(root).unwrap_or_else(|_| Path::new(""));
    let parts: Vec<_> = inside.iter().map(OsStr::to_string_lossy).collect();
    let store = DirectoryStore::new(as_typed(folder, parts.len()).unwrap_or_else(|| root.into()));
    let store: Arc<dyn Store> = Arc::new(store);
    Ok((Hierarchy::new(store, registry), NodePath(parts.join("/"))))
}

/// `path` as the user wrote it, without its last `levels` parts; `None` where it is not that long.
fn as_typed(path: &Path, levels: usize) -> Option<PathBuf> {
    let plain = path.components().all(|part| !matches!(part, Component::ParentDir));
    let mut root = path.to_owned();
    for _ in 0..levels {
        let named = matches!(root.components().next_back(), Some(Component::Normal(_)));
        if !plain || !named || !root.pop() {
            return None;
        }
    }
    let root = if root.as_os_str().is_empty() { PathBuf::from(".") } else { root };
    Some(root)
}

/// The outermost folder at or above `path` that is a node of the same store; `None` where there is none at all.
fn outermost(path: &Path) -> Result<Option<PathBuf>> {
    let full = full(path)?;
    let mut root = None;
    let mut gap = 0;
    for folder in full.ancestors().take(MAX_CLIMB) {
        if DOCUMENTS.iter().any(|name| folder.join(name).is_file()) {
            root = Some(folder.to_owned());
            gap = 0;
        } else {
            gap += 1;
        }
        if gap > if root.is_some() { MAX_GAP } else { MAX_INSIDE } {
            break;
        }
    }
    Ok(root)
}

/// True if `folder` holds the document of an array.
fn is_array(folder: &Path) -> bool {
    ["zarr.json", ".zarray"].iter().any(|name| folder.join(name).is_file())
}

/// The path from the root of the disk, `.` and `..` resolved. Links stay as they are unless `..` follows them.
fn full(path: &Path) -> Result<PathBuf> {
    let climbs = path.components().any(|part| matches!(part, Component::ParentDir));
    let full: io::Result<PathBuf> =
        if climbs { path.canonicalize() } else { std::path::absolute(path) };
    full.map_err(|error| Error::io(path.to_string_lossy(), &error))
}

/// Opens the archive that a part of `path` names, at the node or the chunk that the rest names; `None` where no part
/// of `path` is a file.
fn open_inside(path: &Path, registry: &Arc<Registry>) -> Option<Result<(Hierarchy, Target)>> {
    let archive = path.ancestors().skip(1).find(|part| part.is_file())?;
    let inside = path.strip_prefix(archive).ok()?;
    let parts: Option<Vec<_>> = inside
        .components()
        .map(|part| match part {
            Component::Normal(name) => name.to_str(),
            _ => None,
        })
        .collect();
    Some(open_at(archive, &parts?, registry).map_err(|error| error.in_file(path.to_string_lossy())))
}

fn open_at(
    archive: &Path,
    parts: &[&str],
    registry: &Arc<Registry>,
) -> Result<(Hierarchy, Target)> {
    let hierarchy = Hierarchy::new(store::open(archive)?, Arc::clone(registry));
    let found = target(&hierarchy, parts);
    // The archive's own names, where the store is in a folder of it.
    let inner = hierarchy.store.inner_folder().map(|inner| inner.split('/').collect::<Vec<_>>());
    let rest = inner.and_then(|inner| parts.strip_prefix(inner.as_slice()));
    let found = match (rest, found) {
        (Some(rest), Err(error)) => target(&hierarchy, rest).or(Err(error)),
        (_, found) => found,
    };
    Ok((hierarchy, found?))
}

/// The array that `parts` name or lead through, with the chunk; else the group or folder they name.
fn target(hierarchy: &Hierarchy, parts: &[&str]) -> Result<Target> {
    for length in 0..=parts.len() {
        let (node, key) = parts.split_at(length);
        let node = NodePath(node.join("/"));
        let found = hierarchy.node(&node);
        if !found.kinds().any(NodeKind::is_array) {
            continue;
        }
        let chunk =
            if key.is_empty() { None } else { Some(chunk_of(hierarchy, &node, &key.join("/"))?) };
        return Ok(Target { node, chunk });
    }
    let node = NodePath(parts.join("/"));
    if hierarchy.store.list(&node.0)?.is_empty() {
        return Err(Error::new(Code::NoSuchPlace, "The archive has nothing under this name.", ""));
    }
    Ok(Target { node, chunk: None })
}
