//! From the paths that somebody typed to what they name.

use super::chunk_file::hint;
use super::prelude::*;
use crate::zarr::{WhatIf, hierarchy::Target};

/// The settings that an array is read by, whatever its document declares.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct ReadAsFlags {
    /// Read the array as if its metadata declared this; may be repeated. Keys: dtype, endian, order, codecs, filters,
    /// compressor, shape, chunks, fill, keys, checksums, document. The store is not changed
    #[arg(long = "as", value_name = "KEY=VALUE")]
    settings: Vec<String>,
}

impl ReadAsFlags {
    /// The same, with checksums ignored where that is asked for.
    pub(super) fn ignoring_checksums(&self, ignore: bool) -> Self {
        let mut settings = self.settings.clone();
        settings.extend(ignore.then(|| "checksums=ignore".to_owned()));
        Self { settings }
    }

    /// True if an array is read as something else than it declares.
    pub(crate) fn is_set(&self) -> bool {
        !self.settings.is_empty()
    }

    /// The settings that the array is read by; `None` for its own.
    fn what_if(&self) -> Result<Option<WhatIf>> {
        if !self.is_set() {
            return Ok(None);
        }
        let what_if = WhatIf::parse(&self.settings.join(" "));
        what_if.map(Some).map_err(option)
    }

    /// Opens whatever is at `path`; an array with settings is read that way, which is told on stderr.
    pub(crate) fn open(&self, path: &Path) -> Result<Opened> {
        let what_if = self.what_if()?;
        let guesses = what_if.as_ref().is_some_and(WhatIf::guesses) && path.is_dir();
        let opened = match open(path) {
            Err(error) if error.code == Code::NotAStore && guesses => Opened::lost(path),
            opened => opened?,
        };
        let Some(what_if) = what_if else { return Ok(opened) };
        let over = what_if.over(&opened.hierarchy, &opened.node.path);
        let hierarchy = over.map_err(option)?;
        output::complain(&format!("what if: read as {what_if}; the store is not changed"));
        let node = hierarchy.node(&opened.node.path);
        Ok(Opened { hierarchy, node, what_if: Some(what_if), ..opened })
    }

    /// Opens the array at `path`, or the one around the chunk file at `path`, read so.
    pub(crate) fn open_array(&self, path: &Path) -> Result<OpenedArray> {
        array_of(self.open(path)?)
    }
}

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
    /// The same in a command.
    pub(crate) word: ShellWord,
    /// The settings that its array is read by, where these are not its own.
    pub(crate) what_if: Option<WhatIf>,
}

/// An array that was opened.
pub(crate) struct OpenedArray {
    /// The store around it.
    pub(crate) hierarchy: Hierarchy,
    /// The path.
    pub(crate) path: NodePath,
    /// The metadata of its documents.
    pub(crate) metadata: Arc<ArrayMetadata>,
    /// The chunk that was named, where the path is a single chunk file.
    pub(crate) chunk: Option<ChunkId>,
    /// The path as it was typed, safe for a terminal.
    pub(crate) name: String,
    /// The same in a command.
    pub(crate) word: ShellWord,
}

impl Opened {
    /// Those of the node and the nodes below it that are wanted, each with its depth.
    pub(super) fn nodes(&self, wanted: impl Fn(&Node, usize) -> bool) -> Vec<Node> {
        let mut nodes = Vec::new();
        self.hierarchy.walk(&self.node.path, &mut |node, depth| {
            nodes.extend(wanted(node, depth).then(|| node.clone()));
            true
        });
        nodes
    }

    /// What `path` leads to in a store.
    pub(super) fn new(hierarchy: Hierarchy, target: Target, path: &Path) -> Self {
        let node = hierarchy.node(&target.node);
        let path = &*shown(path);
        let (name, word) = (safe_text(&path.display()), ShellWord::path(path));
        Self { hierarchy, node, chunk: target.chunk, name, word, what_if: None }
    }

    /// A folder that is no store: its chunks may be all that is left of one.
    fn lost(path: &Path) -> Self {
        Self::new(hint::lost_store(path), Target::default(), path)
    }
}

/// Opens whatever is at `path`.
pub(crate) fn open(path: &Path) -> Result<Opened> {
    #[cfg(feature = "remote")]
    if crate::zarr::store::is_address(path) {
        crate::worker::parallel::allow_many(crate::zarr::store::remote::at_once());
    }
    let (hierarchy, target) = Hierarchy::open(path).map_err(|error| hint::explain(error, path))?;
    Ok(Opened::new(hierarchy, target, path))
}

/// The fault of a setting; what is wrong in a document after it has a place already.
fn option(mut error: Error) -> Error {
    if error.place.file.is_none() {
        let key = error.place.field.take().unwrap_or_default();
        error.place.field = Some(format!("--as {key}").trim_end().to_owned());
    }
    error
}

/// The array that was opened.
pub(super) fn array_of(opened: Opened) -> Result<OpenedArray> {
    let Opened { hierarchy, node, chunk, name, word, .. } = opened;
    let found = match node.kind {
        NodeKind::Array(metadata) => {
            return Ok(OpenedArray { hierarchy, path: node.path, metadata, chunk, name, word });
        }
        NodeKind::Broken(error) => return Err(error),
        NodeKind::Group(_) => "a group",
        NodeKind::Folder => "a folder without Zarr metadata",
    };
    let error = Error::new(Code::NotAnArray, found, "an array").in_file(name);
    let command = script!("zarrscope tree {}", word);
    Err(error.with_fix(format!("`{command}` lists the arrays in it.")))
}
