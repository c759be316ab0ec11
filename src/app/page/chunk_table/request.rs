//! Requests to a worker to measure or to write, and its measurements.

use crate::app::prelude::*;
use std::sync::Mutex;

/// A request to a worker to measure.
#[derive(Clone)]
pub struct Request {
    /// The array's path.
    pub path: NodePath,
    /// The array.
    pub array: Arc<ArrayMetadata>,
    /// The chunks.
    pub rows: WhichRows,
    /// True for each of them that is known already.
    pub known: Vec<bool>,
    /// The number of each element that is counted.
    pub choice: Choice,
    /// The rows in sight, as they change: they come first.
    pub sight: Arc<Mutex<Vec<usize>>>,
    /// The number of bytes a stage may give where nothing is promised.
    pub limit: u64,
}

/// Rows that were measured.
#[derive(Debug)]
pub struct Measured {
    /// The rows, with their figures.
    pub rows: Vec<(usize, Arc<Figures>)>,
    /// The progress, in rows.
    pub pace: Pace,
}

/// The table that is written to a file: the rows as they are sorted.
pub struct Snapshot {
    /// Each row's key, its figures, and the number of its group of chunks with the same bytes.
    pub rows: Vec<(String, Option<Arc<Figures>>, Option<u32>)>,
    /// The checksums that every chunk has.
    pub checksums: String,
}
