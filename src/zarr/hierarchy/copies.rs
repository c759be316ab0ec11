//! Consolidated metadata above a node, each read once as long as its file stays the same.

use crate::zarr::{
    format::Format,
    metadata::{RawDocument, consolidated::Consolidated},
    store::{NodePath, Stat, Store, join},
};
use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

/// The most bytes of a metadata document.
pub(super) const DOCUMENT_LIMIT: u64 = 256 << 20;

/// The number of documents remembered before those without copies are forgotten.
const MOST_SEEN: usize = 10_000;

type Seen = HashMap<String, (Stat, Option<Arc<Consolidated>>)>;

/// What was read, by the key of the document.
#[derive(Debug, Default)]
pub(super) struct Copies(Mutex<Seen>);

impl Copies {
    /// The copies that `path` and the groups above it keep, outermost first.
    pub(super) fn around(&self, store: &dyn Store, path: &NodePath) -> Vec<Arc<Consolidated>> {
        let mut groups = vec![path.clone()];
        while let Some(parent) = groups.last().and_then(NodePath::parent) {
            groups.push(parent);
        }
        groups.iter().rev().flat_map(|group| self.at(store, &group.0)).collect()
    }

    /// The copies that the group at `path` keeps.
    pub(super) fn at(&self, store: &dyn Store, path: &str) -> Vec<Arc<Consolidated>> {
        let files = [(".zmetadata", Format::V2), ("zarr.json", Format::V3)];
        files
            .into_iter()
            .filter_map(|(name, format)| self.read(store, path, name, format))
            .collect()
    }

    fn read(
        &self,
        store: &dyn Store,
        path: &str,
        name: &str,
        format: Format,
    ) -> Option<Arc<Consolidated>> {
        let key = join(path, name);
        let stat = store.stat(&key).ok()??;
        let known = self.seen().get(&key).filter(|(then, _)| *then == stat).cloned();
        if let Some((_, copies)) = known {
            return copies;
        }
        let bytes = store.read(&key, DOCUMENT_LIMIT).ok()??;
        let document = RawDocument::new(key.as_str(), bytes);
        let copies = Consolidated::read(document, format, path).map(Arc::new);
        let mut seen = self.seen();
        if copies.is_none() && seen.len() >= MOST_SEEN {
            seen.retain(|_, (_, copies)| copies.is_some());
        }
        seen.insert(key, (stat, copies.clone()));
        drop(seen);
        copies
    }

    /// The map; what another thread left behind when it panicked is as good as any, since entries are whole.
    fn seen(&self) -> std::sync::MutexGuard<'_, Seen> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
