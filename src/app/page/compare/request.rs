//! Requests to a worker to compare, and its results.

use crate::app::prelude::*;

/// One of the two nodes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CompareSide {
    /// A node of the open store.
    Node(NodePath),
    /// A chunk of an array of the open store.
    Chunk(NodePath, ChunkId),
    /// A path as it was typed: a node or a chunk of the open store, or else one on the disk.
    Typed(String),
}

impl CompareSide {
    /// The node of the open store; `None` for a path that was typed.
    pub fn node(&self) -> Option<&NodePath> {
        match self {
            Self::Node(path) | Self::Chunk(path, _) => Some(path),
            Self::Typed(_) => None,
        }
    }

    /// Its name, safe to show.
    pub fn name(&self) -> String {
        match self {
            Self::Node(path) => path.in_words(),
            Self::Chunk(path, chunk) => {
                let inner = chunk.inner.iter().map(|at| format!(" inner {}", list(at)));
                let inner: String = inner.collect();
                format!("{} chunk {}{inner}", path.in_words(), list(&chunk.coordinates))
            }
            Self::Typed(text) => safe_owned(text),
        }
    }
}

/// A request to a worker to compare.
#[derive(Clone)]
pub struct CompareRequest {
    /// Both nodes.
    pub sides: [CompareSide; 2],
    /// The rule by which two elements are the same.
    pub tolerance: Tolerance,
    /// The pair to go on with, and how many of its slabs were compared before; `None` for all of it.
    pub from: Option<(usize, usize)>,
    /// The number of bytes a stage may give where nothing is promised.
    pub limit: u64,
}

/// A request to a worker for the elements of a chunk.
#[derive(Clone)]
pub struct ChunkRequest {
    /// Both nodes, below which the arrays are.
    pub sides: [CompareSide; 2],
    /// The rule by which two elements are the same.
    pub tolerance: Tolerance,
    /// The path of the arrays below the nodes.
    pub path: String,
    /// The coordinates of the chunk of A.
    pub chunk: Vec<u64>,
    /// The number of bytes a stage may give where nothing is promised.
    pub limit: u64,
}

/// A result of a worker.
#[derive(Debug)]
pub enum CompareNews {
    /// The names of both nodes, and the number of pairs.
    Opened([String; 2], usize),
    /// A pair, of whose values nothing was compared yet.
    Pair(Box<NodePair>),
    /// The values of a slab of the last pair, the first element after it, and how far that is.
    Slab(Box<Compared>, Vec<(Vec<u64>, ComparedBlock)>, Option<Vec<u64>>, Pace),
}
