//! The nodes of a store: groups and arrays, found lazily.

use super::metadata::{GroupMetadata, consolidated::Consolidated};
use super::prelude::*;

pub(crate) mod children;
mod copies;
pub(super) mod formats;
mod node;
mod open;
pub(super) mod renames;

/// The documents by which a folder is known to be a node.
const DOCUMENTS: [&str; 4] = ["zarr.json", ".zarray", ".zgroup", ".zmetadata"];
/// The nodes that a search among siblings looks at.
const MOST_LOOKED_AT: usize = 200;
/// The bytes of a document that it takes long to understand.
const LONG: usize = 64 << 10;
/// The names that a search for one among them looks at.
const MOST_NAMES: usize = 1000;
pub use children::Visited;

/// A store with what is needed to understand it.
#[derive(Debug, Clone)]
pub struct Hierarchy {
    /// The bytes.
    pub store: Arc<dyn Store>,
    /// The data types that are known.
    pub registry: Arc<Registry>,
    /// Consolidated metadata that was read already.
    copies: Arc<copies::Copies>,
    /// The last long document: the group that consolidated metadata are in is asked for by each node below.
    long: Arc<Mutex<Option<RawDocument>>>,
    /// The key of a document that is understood by another registry, as a what-if has it.
    apart: Option<(String, Arc<Registry>)>,
}

/// A node of the hierarchy.
#[derive(Debug, Clone)]
pub struct Node {
    /// The path.
    pub path: NodePath,
    /// The kind, with its metadata.
    pub kind: NodeKind,
    /// The kind by the other document, where both V2 and V3 ones are there. Readers differ in which they take; V3 is
    /// shown, or V2 where only that can be read.
    pub other: Option<Box<NodeKind>>,
    /// The format in which the metadata of this group and below are consolidated in it.
    pub consolidated: Option<Format>,
    /// Faults of the node as such (of the documents: see their own).
    pub problems: Vec<Problem>,
    /// The documents behind [`NodeKind::Broken`]: what lies there, though it says nothing usable.
    pub unreadable: Vec<RawDocument>,
}

/// A group, an array, or something else.
#[derive(Debug, Clone)]
pub enum NodeKind {
    /// An array.
    Array(Arc<ArrayMetadata>),
    /// A group; implicit where it has no document.
    Group(Arc<GroupMetadata>),
    /// A folder without documents that holds nodes: stores side by side, or an implicit group.
    Folder,
    /// A document that says nothing usable.
    Broken(Error),
}

impl Node {
    /// Its path and the array, where it is one.
    pub fn array(&self) -> Option<(&NodePath, &ArrayMetadata)> {
        Some((&self.path, self.kind.array()?))
    }

    /// The note on its first link that leads out of the store: its folder, or one of its documents.
    pub fn outside(&self) -> Option<&Error> {
        let errors = self.problems.iter().map(|problem| &problem.error);
        errors.into_iter().find(|error| error.code == Code::LinkOutside)
    }

    /// Everything wrong with the node and its documents, those of the format that is not shown among them.
    pub fn all_problems(&self) -> impl Iterator<Item = &Problem> {
        self.problems.iter().chain(self.kinds().flat_map(NodeKind::problems))
    }

    /// What it is, by each format that has documents here.
    pub fn kinds(&self) -> impl Iterator<Item = &NodeKind> + Clone {
        std::iter::once(&self.kind).chain(self.other.as_deref())
    }
}

impl NodeKind {
    /// The array, where it is one.
    pub fn array(&self) -> Option<&ArrayMetadata> {
        match self {
            Self::Array(array) => Some(array),
            Self::Group(_) | Self::Folder | Self::Broken(_) => None,
        }
    }

    /// True if it is an array.
    pub fn is_array(&self) -> bool {
        matches!(self, Self::Array(_))
    }

    /// What it is, in words: `an array`.
    pub const fn in_words(&self) -> &'static str {
        match self {
            Self::Array(_) => "an array",
            Self::Group(_) => "a group",
            Self::Folder => "a folder",
            Self::Broken(_) => "a broken node",
        }
    }

    /// The error why it cannot be read, if it is broken.
    pub fn error(&self) -> Option<&Error> {
        match self {
            Self::Broken(error) => Some(error),
            Self::Array(_) | Self::Group(_) | Self::Folder => None,
        }
    }

    /// The format of its documents; `None` where it has none.
    pub fn format(&self) -> Option<Format> {
        self.of(|array| array.format, |group| group.format)
    }

    /// Its attributes, where it has any.
    pub fn attributes(&self) -> Option<&Json> {
        self.of(|array| array.attributes(), |group| group.attributes()).flatten()
    }

    /// The documents that say what it is.
    pub fn documents(&self) -> &[RawDocument] {
        self.of(|array| &*array.documents, |group| &*group.documents).unwrap_or_default()
    }

    /// Everything wrong that its documents say of themselves.
    pub fn problems(&self) -> &[Problem] {
        self.of(|array| &*array.problems, |group| &*group.problems).unwrap_or_default()
    }

    /// Something of an array or a group; `None` of what has no metadata.
    fn of<'n, T>(
        &'n self,
        array: fn(&'n ArrayMetadata) -> T,
        group: fn(&'n GroupMetadata) -> T,
    ) -> Option<T> {
        match self {
            Self::Array(metadata) => Some(array(metadata)),
            Self::Group(metadata) => Some(group(metadata)),
            Self::Folder | Self::Broken(_) => None,
        }
    }
}

/// The node that a path on the disk leads to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Target {
    /// The node it names, in the store that was opened.
    pub node: NodePath,
    /// The chunk it names, where it is a single chunk file.
    pub chunk: Option<ChunkId>,
}

/// A node to go down from: what is known of the nodes above it need not be read again at each level.
pub struct Folder<'a> {
    hierarchy: &'a Hierarchy,
    reader: node::NodeReader<'a>,
    /// The path of the node.
    pub path: NodePath,
}

impl Folder<'_> {
    /// As [`Hierarchy::visit_children`].
    ///
    /// # Errors
    ///
    /// If the folder cannot be listed.
    pub fn visit_children(&self, each: &mut dyn FnMut(Node) -> bool) -> Result<()> {
        children::visit(self.hierarchy, &self.reader, &self.reader.node(&self.path), each)
    }

    /// The node at `path`, which is directly below this one.
    pub fn child(&self, path: &NodePath) -> Self {
        Self { hierarchy: self.hierarchy, reader: self.reader.at(path), path: path.clone() }
    }
}

/// One step of a walk: a node with its depth, or a node whose children could not be listed.
pub type WalkStep<'a> = Result<(&'a Node, usize), (&'a NodePath, Error)>;

impl Hierarchy {
    /// True if the chunks of the array at `path` are references in Parquet files, as its group says that keeps copies of
    /// the metadata.
    pub fn has_references(&self, path: &NodePath) -> bool {
        self.copied_by(path, |copies| copies.has_references)
    }

    /// True if a group around `path` keeps copies of what is there; only copies that are `which` count.
    pub(super) fn copied_by(&self, path: &NodePath, which: impl Fn(&Consolidated) -> bool) -> bool {
        let copies = path.parent().map(|group| self.copies.around(&*self.store, &group));
        copies.iter().flatten().any(|copies| which(copies) && copies.holds(&path.0))
    }

    /// The hierarchy in `store`, its data types and codecs looked up in `registry`.
    pub fn new(store: Arc<dyn Store>, registry: Arc<Registry>) -> Self {
        Self { store, registry, copies: Arc::default(), long: Arc::default(), apart: None }
    }

    /// Opens whatever is at `path`: a store, a node inside one, a `.zip` store, a folder of stores, or a single chunk
    /// file, whose array's metadata is looked for above it. The store begins at the outermost Zarr node around
    /// `path`; where `path` itself is below it, the target says where.
    ///
    /// # Errors
    ///
    /// If there is nothing at `path`, it cannot be read, or it is a file that no array is around.
    pub fn open(path: &Path) -> Result<(Self, Target)> {
        Self::open_with(path, Arc::new(Registry::default()))
    }

    /// The same as [`Self::open`] with data types of your own.
    ///
    /// # Errors
    ///
    /// As [`Self::open`].
    pub fn open_with(path: &Path, registry: Arc<Registry>) -> Result<(Self, Target)> {
        open::open(path, registry)
    }

    /// The same with the document under `key` understood by `registry`.
    pub(super) fn with_apart(self, key: String, registry: Registry) -> Self {
        Self { apart: Some((key, Arc::new(registry))), ..self }
    }

    /// The registry for the document under `key`.
    fn registry_of(&self, key: &str) -> &Registry {
        match &self.apart {
            Some((apart, registry)) if apart == key => registry,
            _ => &self.registry,
        }
    }

    /// The document of these bytes; a long one that was the last such is not read as JSON again.
    fn understood(&self, key: String, bytes: Vec<u8>) -> RawDocument {
        if bytes.len() < LONG {
            return RawDocument::new(key, bytes);
        }
        let mut last = lock(&self.long);
        match &*last {
            Some(known) if known.key == key && *known.bytes == bytes => known.clone(),
            _ => last.insert(RawDocument::new(key, bytes)).clone(),
        }
    }

    /// The node at `path`. Always an answer: a fault is a node that tells it.
    pub fn node(&self, path: &NodePath) -> Node {
        node::NodeReader::new(self, path).node(path)
    }

    /// The nodes directly below a group or a folder, sorted by name. Chunks are never listed.
    ///
    /// # Errors
    ///
    /// If the folder cannot be listed.
    pub fn children(&self, path: &NodePath) -> Result<Vec<Node>> {
        let mut nodes = Vec::new();
        self.visit_children(path, &mut |node| {
            nodes.push(node);
            true
        })?;
        Ok(nodes)
    }

    /// Calls `each` for the nodes directly below a group or a folder, sorted by name, until it gives `false`. Nothing
    /// is kept of a node that was given: a group can hold a hundred thousand.
    ///
    /// # Errors
    ///
    /// If the folder cannot be listed.
    pub fn visit_children(
        &self,
        path: &NodePath,
        each: &mut dyn FnMut(Node) -> bool,
    ) -> Result<()> {
        self.folder(path).visit_children(each)
    }

    /// The first thing that `find` finds in one of the nodes directly below a group, sorted by name: of a group of very many
    /// nodes, only the first 200 are looked at. What cannot be listed is told where it is listed.
    pub fn find_child<T>(
        &self,
        path: &NodePath,
        mut find: impl FnMut(Node) -> Option<T>,
    ) -> Option<T> {
        let (mut found, mut left) = (None, MOST_LOOKED_AT);
        let _ = self.visit_children(path, &mut |child| {
            found = find(child);
            left -= 1;
            left > 0 && found.is_none()
        });
        found
    }

    /// Shows `each` so many of the nodes directly below a group, sorted by name. What cannot be listed is told where it is listed.
    pub(super) fn visit_first(&self, path: &NodePath, most: usize, mut each: impl FnMut(Node)) {
        let mut left = most;
        let _ = self.visit_children(path, &mut |child| {
            each(child);
            left -= 1;
            left > 0
        });
    }

    /// The node at `path`, where the listing of its group tells of it; without a listing, where copies of its documents do.
    /// What is not there is not asked for. Of a group of very many, only the first 1,000 names are looked at.
    pub fn existing(&self, path: &NodePath) -> Option<Node> {
        let group = path.parent()?;
        let (mut is_there, mut left) = (false, MOST_NAMES);
        let listed = self.store.visit(&group.0, &mut |entry| {
            is_there = entry.is_folder && entry.name == path.name();
            left -= 1;
            left > 0 && !is_there
        });
        let is_copied = || self.copied_by(path, |_| true);
        (is_there || listed.is_err() && is_copied()).then(|| self.node(path))
    }

    /// True if there is a node at `path`.
    pub(super) fn has(&self, path: &NodePath) -> bool {
        self.existing(path).is_some()
    }

    /// The node at `path`, to go down from.
    pub fn folder(&self, path: &NodePath) -> Folder<'_> {
        Folder { hierarchy: self, reader: node::NodeReader::new(self, path), path: path.clone() }
    }

    /// Calls `each` for `path` and every node below it with its depth, parents first, until it gives `false`.
    pub fn walk(&self, path: &NodePath, each: &mut dyn FnMut(&Node, usize) -> bool) {
        self.walk_from(self.node(path), &mut |step| match step {
            Ok((node, depth)) => each(node, depth),
            Err(_) => true,
        });
    }

    /// The same from a node that is known already, and with the folders that could not be listed.
    pub fn walk_from(&self, root: Node, each: &mut dyn FnMut(WalkStep<'_>) -> bool) {
        children::walk(self, root, each);
    }
}
