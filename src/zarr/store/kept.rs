//! Stored bytes of stores far away that are kept on the disk, where the user asks for that.
//!
//! An entry is believed if it is whole, is of the same bytes of the same key, and was made of the version that the store
//! has now: by the `ETag`, or else by the time of the last write, and by the length. What names neither is not kept.
//! Whoever can write to the folder can forge entries.

use crate::zarr::prelude::*;
use sha2::{Digest, Sha256};
use std::fmt::Debug;

/// A folder of entries by their names, of hexadecimal digits.
pub trait EntryFolder: Debug + Send + Sync {
    /// The entry of this name, if there is one of so many bytes.
    fn read(&self, name: &str, len: u64) -> Option<Vec<u8>>;

    /// Keeps an entry, in place of what is there, if that can be done.
    fn write(&self, name: &str, bytes: &[u8]);
}

static FOLDER: OnceLock<(Box<dyn EntryFolder>, String)> = OnceLock::new();

/// Keeps what is read of stores far away in `folder`, for the whole program. Stores of the same name on another
/// `endpoint` are others.
pub fn keep_in(folder: Box<dyn EntryFolder>, endpoint: &str) {
    FOLDER.set((folder, endpoint.to_owned())).ok();
}

/// True if anything is kept.
pub(super) fn is_on() -> bool {
    FOLDER.get().is_some()
}

/// True if `stat` tells one version of a key from the next.
pub(super) fn names_version(stat: Stat) -> bool {
    stat.etag.is_some() || stat.modified.is_some()
}

/// The first line of an entry; the form of the rest goes by it.
pub const HEAD: &[u8] = b"zarrscope cache 1\n";

/// The bytes of the hash after it.
const SUM: usize = 32;

/// The place of one stretch of bytes of one version of a key.
pub(super) struct KeptEntry {
    folder: &'static dyn EntryFolder,
    name: String,
    /// The number of the bytes.
    len: u64,
    /// The hash of the version: what is in the store under the same key may change.
    version: [u8; 32],
}

impl KeptEntry {
    /// The entry of the bytes `range` of `key` in the store of this name; `None` where nothing is kept, or nobody can
    /// tell one version of the key from the next.
    pub(super) fn of(store: &str, key: &str, range: &Range<u64>, stat: Stat) -> Option<Self> {
        let (folder, endpoint) = FOLDER.get()?;
        let folder = folder.as_ref();
        let place = format!("{endpoint}\0{store}\0{key}\0{}-{}", range.start, range.end);
        let name = hex(&Sha256::digest(place), "");
        let since = |at: SystemTime| at.duration_since(SystemTime::UNIX_EPOCH).ok();
        let version = match (stat.etag, stat.modified.and_then(since)) {
            (Some(etag), _) => format!("{name} etag {etag} {}", stat.len),
            (None, Some(since)) => format!("{name} time {} {}", since.as_secs(), stat.len),
            (None, None) => return None,
        };
        let len = range.end.checked_sub(range.start)?;
        Some(Self { folder, name, len, version: Sha256::digest(version).into() })
    }

    /// Its bytes, if they are what was kept.
    pub(super) fn read(&self) -> Option<Vec<u8>> {
        let len = self.len.checked_add((HEAD.len() + SUM) as u64)?;
        let mut entry = self.folder.read(&self.name, len)?;
        let rest = entry.strip_prefix(HEAD)?;
        let (sum, bytes) = rest.split_first_chunk::<SUM>()?;
        if *sum != self.sum(bytes) {
            return None;
        }
        entry.drain(..HEAD.len() + sum.len());
        Some(entry)
    }

    pub(super) fn write(&self, bytes: &[u8]) {
        self.folder.write(&self.name, &[HEAD, &self.sum(bytes), bytes].concat());
    }

    fn sum(&self, bytes: &[u8]) -> [u8; SUM] {
        Sha256::new().chain_update(self.version).chain_update(bytes).finalize().into()
    }
}
