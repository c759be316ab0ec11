//! The outline of a node that a row of the tree keeps: a line's worth. The whole node is read when somebody looks at
//! it.

use crate::app::page::problems::{self, SeriousCount};
use crate::app::prelude::*;
use compact_str::CompactString;

/// A node in a line. A hundred thousand of them fit where as many parsed documents would not.
#[derive(Debug, Clone, PartialEq)]
pub struct Outline {
    /// The path.
    pub path: NodePath,
    /// The kind.
    pub what: What,
    /// True if both V2 and V3 documents are there.
    pub in_both_formats: bool,
    /// True if metadata is consolidated in it.
    pub is_consolidated: bool,
    /// True if a link leads to it, or to its documents, out of the store.
    pub is_outside: bool,
    /// Errors and warnings of its documents.
    pub problems: SeriousCount,
}

/// The kind of a node, in a few words' worth.
#[derive(Debug, Clone, PartialEq)]
pub enum What {
    /// An array.
    Array {
        /// Its data type's name, safe to show, and its byte order in a word; `None` where it cannot be understood.
        data_type: Option<(CompactString, Option<&'static str>)>,
        /// Its shape in elements; `None` where it cannot be understood.
        shape: Option<Box<[u64]>>,
        /// True if its chunks are shards.
        is_sharded: bool,
    },
    /// A group.
    Group(Format),
    /// A folder without documents.
    Folder,
    /// Documents that say nothing usable: what was found instead, safe to show.
    Broken(Box<str>),
    /// Documents that could not be read, for no fault of theirs: why, safe to show.
    Unread(Box<str>),
}

impl Outline {
    /// The outline of `node`.
    pub fn of(node: &Node) -> Self {
        Self {
            path: node.path.clone(),
            what: What::of(&node.kind),
            in_both_formats: node.other.is_some(),
            is_consolidated: node.consolidated.is_some(),
            is_outside: node.outside().is_some(),
            problems: problems::serious(node.all_problems()),
        }
    }

    /// True if something can be below it.
    pub fn is_branch(&self) -> bool {
        matches!(self.what, What::Group(_) | What::Folder)
    }

    /// True if its documents have errors or warnings.
    pub fn is_faulty(&self) -> bool {
        self.problems.sum() > 0 || matches!(self.what, What::Broken(_))
    }

    /// The kind of the node, in a word: of an array its data type.
    pub fn word(&self) -> &str {
        match &self.what {
            What::Array { data_type, .. } => {
                data_type.as_ref().map_or("array", |(name, _)| name.as_ref())
            }
            What::Group(_) => "group",
            What::Folder => "folder",
            What::Broken(_) => "broken",
            What::Unread(_) => "not read",
        }
    }
}

impl What {
    fn of(kind: &NodeKind) -> Self {
        match kind {
            NodeKind::Array(array) => Self::array(array),
            NodeKind::Group(group) => Self::Group(group.format),
            NodeKind::Folder => Self::Folder,
            NodeKind::Broken(error) if error.code.is_limit() => {
                Self::Unread(safe(&error.found).into())
            }
            NodeKind::Broken(error) => Self::Broken(safe(&error.found).into()),
        }
    }

    fn array(array: &ArrayMetadata) -> Self {
        let resolved = array.known_data_type();
        Self::Array {
            data_type: resolved
                .map(|of| (safe(&of.data_type.name()).as_ref().into(), of.order.badge("LE+BE"))),
            shape: array.known_shape().map(|shape| shape.as_slice().into()),
            is_sharded: array.inner_chunk_shape().is_some(),
        }
    }
}
