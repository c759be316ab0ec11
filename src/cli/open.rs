//! From the paths that somebody typed to what they name.

use super::chunk_file::hint;
use crate::zarr::{
    ArrayMetadata, Code, Error, Hierarchy, Node, NodePath, Result,
    grid::ChunkId,
    hierarchy::NodeKind,
    text::{for_shell, safe},
};
use std::{path::Path, sync::Arc};

/// A path that was opened.
pub(crate) struct Opened {
    /// The store around it.
    pub(crate) hierarchy: Hierarchy,
    /// The node it names.
    pub(crate) node: Node,
    /// The chunk it names, where it is a single chunk file.
    pub(crate) chunk: Option<ChunkId>,
    /// The path as it was typed, safe for a terminal.
    pub(crate) name: String,
}

/// An array that was opened.
pub(crate) struct OpenedArray {
    /// The store around it.
    pub(crate) hierarchy: Hierarchy,
    /// Where it is.
    pub(crate) path: NodePath,
    /// What its documents say.
    pub(crate) metadata: Arc<ArrayMetadata>,
    /// The chunk that was named, where the path is a single chunk file.
    pub(crate) chunk: Option<ChunkId>,
    /// The path as it was typed, safe for a terminal.
    pub(crate) name: String,
}

/// Opens whatever is at `path`.
pub(crate) fn open(path: &Path) -> Result<Opened> {
    let (hierarchy, target) = Hierarchy::open(path).map_err(|error| hint::explain(error, path))?;
    let node = hierarchy.node(&target.node);
    let name = safe(&path.display().to_string()).into_owned();
    Ok(Opened { hierarchy, node, chunk: target.chunk, name })
}

/// Opens the array at `path`, or the one around the chunk file at `path`.
pub(crate) fn open_array(path: &Path) -> Result<OpenedArray> {
    let Opened { hierarchy, node, chunk, name } = open(path)?;
    let found = match node.kind {
        NodeKind::Array(metadata) => {
            return Ok(OpenedArray { hierarchy, path: node.path, metadata, chunk, name });
        }
        NodeKind::Broken(error) => return Err(error),
        NodeKind::Group(_) => "a group",
        NodeKind::Folder => "a folder without Zarr metadata",
    };
    let error = Error::new(Code::NotAnArray, found, "an array").in_file(name.clone());
    Err(error.with_fix(format!("`zarrscope tree {}` lists the arrays in it.", for_shell(&name))))
}
