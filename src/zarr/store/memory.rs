//! A store in memory: what a program carries in itself, or has made.

use super::part_of;
use crate::zarr::prelude::*;
use std::io::{Cursor, Read};
use zip::ZipArchive;

/// Bytes under keys, all of them in memory.
#[derive(Debug, Clone, Default)]
pub struct MemoryStore {
    name: String,
    files: BTreeMap<String, Arc<[u8]>>,
}

impl MemoryStore {
    /// An empty store with this name.
    pub fn new(name: impl Into<String>) -> Self {
        Self { name: name.into(), files: BTreeMap::new() }
    }

    /// Puts bytes under a key, in place of what was there.
    pub fn insert(&mut self, key: impl Into<String>, bytes: impl Into<Arc<[u8]>>) {
        self.files.insert(key.into(), bytes.into());
    }

    /// The members of a zip archive in memory, of at most `limit` bytes altogether.
    ///
    /// # Errors
    ///
    /// If `archive` is no zip archive, a member cannot be read, or the members are larger than `limit`.
    pub fn from_zip(name: impl Into<String>, archive: &[u8], limit: u64) -> Result<Self> {
        let mut store = Self::new(name);
        let broken = |error: zip::result::ZipError| {
            Error::new(Code::NotAZip, format!("an archive that cannot be read ({error})"), "")
        };
        let mut archive = ZipArchive::new(Cursor::new(archive)).map_err(broken)?;
        let mut left = limit;
        for at in 0..archive.len() {
            let member = archive.by_index(at).map_err(broken)?;
            let (key, is_file) = (member.name().map_err(broken)?.into_owned(), member.is_file());
            let mut bytes = Vec::new();
            let read = member.take(left.saturating_add(1)).read_to_end(&mut bytes);
            read.map_err(|error| Error::io(&key, &error))?;
            left = left.checked_sub(bytes.len() as u64).ok_or_else(|| {
                let found = format!("members of more than {limit} bytes");
                Error::new(Code::DecodedTooLarge, found, format!("at most {limit} bytes"))
            })?;
            if is_file {
                store.insert(key, bytes);
            }
        }
        Ok(store)
    }
}

impl Store for MemoryStore {
    fn read(&self, key: &str, limit: u64) -> Result<Option<Vec<u8>>> {
        let Some(bytes) = self.files.get(key) else { return Ok(None) };
        if bytes.len() as u64 > limit {
            let found = format!("{} bytes", bytes.len());
            return Err(
                Error::new(Code::DecodedTooLarge, found, format!("at most {limit}")).in_file(key)
            );
        }
        Ok(Some(bytes.to_vec()))
    }

    fn read_range(&self, key: &str, range: Range<u64>) -> Result<Option<Vec<u8>>> {
        let Some(bytes) = self.files.get(key) else { return Ok(None) };
        Ok(Some(part_of(bytes, &range).to_vec()))
    }

    fn stat(&self, key: &str) -> Result<Option<Stat>> {
        Ok(self.files.get(key).map(|bytes| Stat::of_len(bytes.len() as u64)))
    }

    fn list(&self, prefix: &str) -> Result<Vec<Entry>> {
        super::sorted(self, prefix)
    }

    fn visit(&self, prefix: &str, each: &mut dyn FnMut(Entry) -> bool) -> Result<()> {
        super::visit_keys(&self.files, prefix, each);
        Ok(())
    }

    fn name(&self) -> String {
        self.name.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_listed_folder_by_folder() {
        let mut store = MemoryStore::new("memory");
        for key in ["a/c/0", "a/c/1", "a/zarr.json", "a-b", "zarr.json"] {
            store.insert(key, key.as_bytes());
        }
        let names = |prefix: &str| -> Vec<String> {
            store.list(prefix).unwrap().into_iter().map(|entry| entry.name).collect()
        };
        assert_eq!(names(""), ["a", "a-b", "zarr.json"]);
        assert_eq!(names("a"), ["c", "zarr.json"]);
        assert_eq!(names("a/c"), ["0", "1"]);
        assert!(names("nothing").is_empty());
        assert_eq!(store.read_range("a-b", 1..99).unwrap(), Some(b"-b".to_vec()));
        assert!(store.read("a-b", 2).is_err());
        assert_eq!(store.stat("b").unwrap(), None);
    }

    #[test]
    fn what_is_no_archive_or_too_large_is_refused() {
        assert!(MemoryStore::from_zip("x", b"nothing", 10).is_err());
    }
}
