//! A store with some files changed: what a what-if, or a fix, is for everything that reads stores.

use crate::zarr::prelude::*;
use crate::zarr::{
    budget::Stop,
    error::{ChangedFile, FileContent, Result},
    store::{join, part_of},
};

/// A store over which changes lie that are not in it.
#[derive(Debug, Clone)]
pub struct OverlayStore {
    store: Arc<dyn Store>,
    files: BTreeMap<String, FileContent>,
}

/// The content of a key: bytes that are not in the store, or those under a key of it; `None` where there is none.
enum Overlaid<'a> {
    Bytes(&'a [u8]),
    Under(&'a str),
}

impl OverlayStore {
    /// `store`, but for `files`.
    pub fn new(store: Arc<dyn Store>, files: impl IntoIterator<Item = ChangedFile>) -> Self {
        Self { store, files: files.into_iter().collect() }
    }

    fn find<'a>(&'a self, key: &'a str) -> Option<Overlaid<'a>> {
        match self.files.get(key) {
            None => Some(Overlaid::Under(key)),
            Some(FileContent::Bytes(bytes)) => Some(Overlaid::Bytes(bytes)),
            Some(FileContent::Moved(from)) => Some(Overlaid::Under(from)),
            Some(FileContent::Gone) => None,
        }
    }

    /// The names directly below `prefix` that lead to changed files, with whether these are further below.
    fn names(&self, prefix: &str) -> BTreeMap<&str, bool> {
        let there = self.files.iter().filter(|(_, content)| **content != FileContent::Gone);
        let inside = there.filter_map(|(key, _)| match prefix {
            "" => Some(key.as_str()),
            _ => key.strip_prefix(prefix)?.strip_prefix('/'),
        });
        inside
            .map(|name| name.split_once('/').map_or((name, false), |(name, _)| (name, true)))
            .collect()
    }
}

impl Store for OverlayStore {
    fn read(&self, key: &str, limit: u64) -> Result<Option<Vec<u8>>> {
        match self.find(key) {
            None => Ok(None),
            Some(Overlaid::Bytes(bytes)) => Ok(Some(bytes.to_vec())),
            Some(Overlaid::Under(key)) => self.store.read(key, limit),
        }
    }

    fn read_range(&self, key: &str, range: Range<u64>) -> Result<Option<Vec<u8>>> {
        let bytes = match self.find(key) {
            None => return Ok(None),
            Some(Overlaid::Under(key)) => return self.store.read_range(key, range),
            Some(Overlaid::Bytes(bytes)) => bytes,
        };
        Ok(Some(part_of(bytes, &range).to_vec()))
    }

    fn map(&self, key: &str) -> Option<Bytes> {
        match self.find(key)? {
            Overlaid::Bytes(_) => None,
            Overlaid::Under(key) => self.store.map(key),
        }
    }

    fn stat(&self, key: &str) -> Result<Option<Stat>> {
        match self.find(key) {
            None => Ok(None),
            Some(Overlaid::Under(key)) => self.store.stat(key),
            // What is kept of a file is known by its time: that of the store is not of these bytes.
            Some(Overlaid::Bytes(bytes)) => Ok(Some(Stat::of_len(bytes.len() as u64))),
        }
    }

    fn list(&self, prefix: &str) -> Result<Vec<Entry>> {
        let mut entries = BTreeSet::new();
        self.visit(prefix, &mut |entry| {
            entries.insert(entry);
            true
        })?;
        Ok(entries.into_iter().collect())
    }

    fn visit(&self, prefix: &str, each: &mut dyn FnMut(Entry) -> bool) -> Result<()> {
        let mut names = self.names(prefix);
        let mut goes_on = true;
        self.store.visit(prefix, &mut |entry| {
            names.remove(entry.name.as_str());
            let is_gone = self.files.get(&join(prefix, &entry.name)) == Some(&FileContent::Gone);
            goes_on = is_gone && !entry.is_folder || each(entry);
            goes_on
        })?;
        for (name, is_folder) in names {
            goes_on = goes_on && each(Entry::new(name, is_folder));
        }
        Ok(())
    }

    fn can_list(&self) -> bool {
        self.store.can_list()
    }

    fn side_by_side(&self, count: usize, work: &(dyn Fn(usize) + Sync)) {
        self.store.side_by_side(count, work);
    }

    fn expect_listing(&self, prefix: &str) {
        self.store.expect_listing(prefix);
    }

    fn refresh(&self) {
        self.store.refresh();
    }

    fn path(&self, key: &str) -> Option<PathBuf> {
        if self.files.contains_key(key) { None } else { self.store.path(key) }
    }

    fn crc32(&self, key: &str) -> Option<u32> {
        match self.find(key)? {
            Overlaid::Bytes(_) => None,
            Overlaid::Under(key) => self.store.crc32(key),
        }
    }

    fn inner_folder(&self) -> Option<&str> {
        self.store.inner_folder()
    }

    fn verify(&self, key: &str, stop: Stop<'_>) -> Result<()> {
        match self.find(key) {
            None | Some(Overlaid::Bytes(_)) => Ok(()),
            Some(Overlaid::Under(key)) => self.store.verify(key, stop),
        }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::zarr::store::MemoryStore;

    #[test]
    fn files_are_written_moved_and_gone() {
        let mut store = MemoryStore::default();
        for (key, bytes) in [("a/zarr.json", "{}"), ("a/c/0", "zero"), ("a/c/1", "one")] {
            store.insert(key, bytes.as_bytes().to_vec());
        }
        let moved = |from: &str| FileContent::Moved(from.into());
        let files = [
            ("a/c/0", moved("a/c/1")),
            ("a/c/1", FileContent::Gone),
            ("b/2", moved("a/c/0")),
            ("a/zarr.json", FileContent::Bytes((*b"[]").into())),
        ];
        let files = files.map(|(key, content)| (key.to_owned(), content));
        let overlay = OverlayStore::new(Arc::new(store), files);
        let read = |key| overlay.read(key, 9).unwrap().map(|it| String::from_utf8(it).unwrap());
        assert_eq!(read("a/c/0").as_deref(), Some("one"));
        assert_eq!(read("a/c/1"), None);
        assert_eq!(read("b/2").as_deref(), Some("zero"));
        assert_eq!(read("a/zarr.json").as_deref(), Some("[]"));
        assert_eq!(overlay.stat("b/2").unwrap().unwrap().len, 4);
        assert_eq!(overlay.read_range("a/zarr.json", 1..9).unwrap().unwrap(), b"]");
        let names = |prefix| {
            let entries = overlay.list(prefix).unwrap();
            entries.into_iter().map(|it| (it.name, it.is_folder)).collect::<Vec<_>>()
        };
        assert_eq!(names(""), [("a".to_owned(), true), ("b".to_owned(), true)]);
        assert_eq!(names("a/c"), [("0".to_owned(), false)]);
        assert_eq!(names("b"), [("2".to_owned(), false)]);
    }
}
