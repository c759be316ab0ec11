//! A store with one document replaced by another: what a what-if is for everything that reads stores.

use crate::zarr::{
    budget::Stop,
    bytes::Bytes,
    error::{Problem, Result},
    store::{Entry, Stat, Store},
};
use std::{ops::Range, path::PathBuf, sync::Arc};

/// A store over which one document lies that is not in it.
#[derive(Debug, Clone)]
pub(super) struct OverlayStore {
    store: Arc<dyn Store>,
    key: String,
    document: Arc<[u8]>,
}

impl OverlayStore {
    /// `store`, but for `document` under `key`.
    #[must_use]
    pub(super) fn new(
        store: Arc<dyn Store>,
        key: impl Into<String>,
        document: impl Into<Arc<[u8]>>,
    ) -> Self {
        Self { store, key: key.into(), document: document.into() }
    }
}

impl Store for OverlayStore {
    fn read(&self, key: &str, limit: u64) -> Result<Option<Vec<u8>>> {
        if key == self.key { Ok(Some(self.document.to_vec())) } else { self.store.read(key, limit) }
    }

    fn read_range(&self, key: &str, range: Range<u64>) -> Result<Option<Vec<u8>>> {
        if key != self.key {
            return self.store.read_range(key, range);
        }
        let len = self.document.len();
        let cut = |at: u64| usize::try_from(at).unwrap_or(len).min(len);
        let part = self.document.get(cut(range.start)..cut(range.end));
        Ok(Some(part.unwrap_or_default().to_vec()))
    }

    fn map(&self, key: &str) -> Option<Bytes> {
        if key == self.key { None } else { self.store.map(key) }
    }

    fn stat(&self, key: &str) -> Result<Option<Stat>> {
        let stat = self.store.stat(key)?;
        if key != self.key {
            return Ok(stat);
        }
        let modified = stat.and_then(|stat| stat.modified);
        Ok(Some(Stat { len: self.document.len() as u64, modified }))
    }

    fn list(&self, prefix: &str) -> Result<Vec<Entry>> {
        self.store.list(prefix)
    }

    fn visit(&self, prefix: &str, each: &mut dyn FnMut(Entry) -> bool) -> Result<()> {
        self.store.visit(prefix, each)
    }

    fn path(&self, key: &str) -> Option<PathBuf> {
        self.store.path(key)
    }

    fn crc32(&self, key: &str) -> Option<u32> {
        if key == self.key { None } else { self.store.crc32(key) }
    }

    fn verify(&self, key: &str, stop: Stop<'_>) -> Result<()> {
        if key == self.key { Ok(()) } else { self.store.verify(key, stop) }
    }

    fn problems(&self) -> Vec<Problem> {
        self.store.problems()
    }

    fn name(&self) -> String {
        self.store.name()
    }

    fn title(&self) -> String {
        self.store.title()
    }
}
