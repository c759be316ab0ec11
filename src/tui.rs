//! The terminal: keys in, frames out.

use crate::zarr::{Error, Result};
use std::path::Path;

pub mod picture;
pub mod script;

/// How the inspector looks and behaves.
#[derive(Debug, Clone)]
pub struct Options {
    /// Whether colours are used; without them emphasis is bold, dim and reversed.
    pub color: bool,
    /// Whether only ASCII is drawn.
    pub ascii: bool,
    /// Whether the mouse is listened to.
    pub mouse: bool,
    /// Where to start: a node, a chunk, an element, such as `sst/c/3/0/0#e40`.
    pub at: Option<String>,
    /// How many bytes one stage of a chunk may give at most where nothing is promised.
    pub limit: u64,
}

impl Default for Options {
    fn default() -> Self {
        let limit = crate::zarr::codec::DEFAULT_LIMIT;
        Self { color: true, ascii: false, mouse: true, at: None, limit }
    }
}

/// Opens `path` in the terminal, until the user leaves.
///
/// # Errors
///
/// Where `path` cannot be opened, or the terminal fails.
pub fn run(path: &Path, options: &Options) -> Result<()> {
    let _ = (path, options);
    Err(Error::new("not-built", "no inspector in this build", "the inspector"))
}
