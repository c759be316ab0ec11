//! The program without a terminal: a path and a text of keys in, the screen out.

use super::Options;
use crate::zarr::{Error, Result};
use ratatui::buffer::Buffer;
use std::path::Path;

/// What is left when a script has run.
#[derive(Debug)]
pub struct Played {
    /// The screen after the last key.
    pub screen: Buffer,
}

/// Opens `path`, presses `keys` on a screen of `size` (columns, rows), and draws what is there then.
///
/// Keys are written as people write them: `jj<enter>2<tab>]c:<esc>`.
///
/// # Errors
///
/// Where `path` cannot be opened, or `keys` has a `<word>` that names no key.
pub fn play(path: &Path, size: (u16, u16), keys: &str, options: &Options) -> Result<Played> {
    let _ = (path, size, keys, options);
    Err(Error::new("not-built", "no inspector in this build", "the inspector"))
}
