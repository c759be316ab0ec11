//! Consolidated metadata above a node, each read once as long as its file stays the same.

use crate::zarr::prelude::*;
use crate::zarr::{
    metadata::consolidated::Consolidated,
    store::{DOCUMENT_LIMIT, join},
};
use memchr::memmem;

/// The number of documents remembered before those without copies are forgotten.
const MOST_SEEN: usize = 10_000;

type SeenCopies = HashMap<String, (Stat, Option<Arc<Consolidated>>)>;

/// The documents that were read, by key.
#[derive(Debug, Default)]
pub(super) struct Copies(Mutex<SeenCopies>);

/// True if a V3 document may have a member for copies: its name, or an escape that it may be written with.
fn names_copies(bytes: &[u8]) -> bool {
    [&b"consolidated_metadata"[..], b"\\u"].iter().any(|text| memmem::find(bytes, text).is_some())
}

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
        let mut files = vec![(".zmetadata", Format::V2), ("zarr.json", Format::V3)];
        // Where nothing can be listed, each document that is not there costs a question.
        if !store.can_list() && matches!(store.stat(&join(path, "zarr.json")), Ok(Some(_))) {
            files.remove(0);
        }
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
        let known = lock(&self.0).get(&key).filter(|(then, _)| *then == stat).cloned();
        if let Some((_, copies)) = known {
            return copies;
        }
        let bytes = store.read(&key, DOCUMENT_LIMIT).ok()??;
        // Of most documents a look tells that there are none: they are not understood twice.
        let may_hold = format == Format::V2 || names_copies(&bytes);
        let read = || {
            let copies = Consolidated::read(RawDocument::new(key.as_str(), bytes), format, path)?;
            Some(Arc::new(copies.without_prefix(|key| !matches!(store.stat(key), Ok(None)))))
        };
        let copies = may_hold.then(read).flatten();
        let mut seen = lock(&self.0);
        if copies.is_none() && seen.len() >= MOST_SEEN {
            seen.retain(|_, (_, copies)| copies.is_some());
        }
        seen.insert(key, (stat, copies.clone()));
        drop(seen);
        copies
    }
}
