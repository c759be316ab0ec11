//! Writes the chunks of a store anew, into a new folder: decoded and encoded by the library, in the same format or in
//! the other one, with the documents that `zarrscope info --document` prints.
//!
//! `cargo run --example rewrite STORE NEW_FOLDER [2|3]`
//!
//! The inspector never writes to a store; this shows how a program can. `tests/truth/rewritten.py` runs it over many stores
//! and lets zarr-python compare what it reads of both.

use std::{error::Error as StdError, fs, path::Path, sync::Arc};
use zarrscope::zarr::{
    ArrayMetadata, Budget, Format, Hierarchy, Json, Node, NodePath, chunk,
    codec::{Data, Elements},
    grid::ChunkId,
    hierarchy::NodeKind,
    metadata::RawDocument,
    spelling::document,
};

type Result<T = ()> = std::result::Result<T, Box<dyn StdError>>;

/// The documents of a node in `format`: name and text.
fn documents(node: &Node, format: Option<Format>) -> Option<Vec<(String, String)>> {
    let (stored_format, stored, written) = match &node.kind {
        NodeKind::Array(array) => (array.format, &array.documents, document::array(array)),
        NodeKind::Group(group) => (group.format, &group.documents, document::group(group)),
        NodeKind::Folder | NodeKind::Broken(_) => return None,
    };
    if format.is_none_or(|format| format == stored_format) {
        let text = |document: &RawDocument| {
            let name = document.key.rsplit('/').next().unwrap_or_default().to_owned();
            (name, String::from_utf8_lossy(&document.bytes).into_owned())
        };
        return Some(stored.iter().map(text).collect());
    }
    let text = |(name, document): &(&str, Json)| ((*name).to_owned(), document.to_string());
    (!written.is_impossible()).then(|| written.documents.iter().map(text).collect())
}

/// The chunk of `array` that begins at `start`: of shards the inner chunk. `None` where it is not stored.
fn elements(
    hierarchy: &Hierarchy,
    path: &NodePath,
    array: &ArrayMetadata,
    start: &[u64],
    is_inner: bool,
) -> Result<Option<Elements>> {
    let shape = array.chunk_shape().ok_or("a chunk grid that is not understood")?;
    let coordinates: Vec<u64> = start.iter().zip(&shape).map(|(at, n)| at / n).collect();
    let inside: Vec<u64> = start.iter().zip(&shape).map(|(at, n)| at % n).collect();
    let inner = if is_inner { chunk::inner_at(array, &shape, &inside) } else { Vec::new() };
    let id = ChunkId { coordinates, inner };
    let read = chunk::load_whole(&*hierarchy.store, path, array, &id, &Budget::default());
    match read.fault() {
        Some(fault) => Err(fault.to_string().into()),
        None if read.is_missing() => Ok(None),
        None => Ok(read.elements().cloned()),
    }
}

/// Writes the chunks of the array at `path`, which is `old` in the one store and `new` in the other.
fn chunks(
    hierarchy: &Hierarchy,
    path: &NodePath,
    old: &ArrayMetadata,
    new: &ArrayMetadata,
    folder: &Path,
) -> Result {
    let (grid, shape) = (new.grid.clone()?, new.shape.clone()?);
    let chain = new.chain().ok_or("codecs that are not understood")?;
    let is_inner = old.inner_chunk_shape().is_some() && old.format != new.format;
    for number in 0..grid.total(&shape).unwrap_or(0) {
        let coordinates = zarrscope::zarr::grid::order::coordinates(number, &grid.counts(&shape));
        let region = grid.region(&coordinates, &shape).ok_or("a chunk outside of the grid")?;
        let start: Vec<u64> = region.iter().map(|span| span.start).collect();
        let Some(elements) = elements(hierarchy, path, old, &start, is_inner)? else { continue };
        let stored = chain.encode(Data::Elements(elements), &Budget::default())?;
        let file = folder.join(new.key_encoding.clone()?.key(&coordinates));
        fs::create_dir_all(file.parent().unwrap_or(folder))?;
        fs::write(file, stored.bytes().here())?;
    }
    Ok(())
}

/// Writes one node, and gives whether it could be written.
fn rewrite(hierarchy: &Hierarchy, node: &Node, target: &Path, format: Option<Format>) -> Result {
    let documents = documents(node, format).ok_or("there is no such node in this format")?;
    let folder = target.join(&node.path.0);
    fs::create_dir_all(&folder)?;
    for (name, text) in &documents {
        fs::write(folder.join(name), text)?;
    }
    let NodeKind::Array(old) = &node.kind else { return Ok(()) };
    let (written, place) = Hierarchy::open_with(&folder, Arc::clone(&hierarchy.registry))?;
    match written.node(&place.node).kind {
        NodeKind::Array(new) => chunks(hierarchy, &node.path, old, &new, &folder),
        other => Err(format!("the new documents are no array: {other:?}").into()),
    }
}

fn main() -> Result {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [store, target, rest @ ..] = arguments.as_slice() else {
        return Err("STORE NEW_FOLDER [2|3]".into());
    };
    let format = match rest.first().map(String::as_str) {
        None => None,
        Some("2") => Some(Format::V2),
        Some("3") => Some(Format::V3),
        Some(other) => return Err(format!("no format {other}").into()),
    };
    let target = Path::new(target);
    fs::create_dir(target)?;
    let (store, target) = (fs::canonicalize(store)?, fs::canonicalize(target)?);
    if target.starts_with(&store) {
        return Err("the new folder must not lie in the store".into());
    }
    let (hierarchy, _) = Hierarchy::open(&store)?;
    hierarchy.walk(&NodePath::default(), &mut |node, _| {
        let result = match rewrite(&hierarchy, node, &target, format) {
            Ok(()) => "ok".to_owned(),
            Err(error) => error.to_string(),
        };
        if !matches!(node.kind, NodeKind::Folder) {
            println!("{}\t{result}", node.path.0);
        }
        true
    });
    Ok(())
}
