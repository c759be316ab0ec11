//! A folder that is no store itself and holds stores: folders, and zip archives, which are folders here too.

use super::{
    DirectoryStore, NODES, ZipStore, join,
    key::{around, is_named_archive},
    lock,
};
use crate::zarr::budget::Stop;
use crate::zarr::prelude::*;

/// A folder of stores. What lies in a zip archive has a key below that of the archive, `x.zip/a/zarr.json`.
///
/// Archives are opened when something in them is asked for, and stay open. Inside a store they are files like others.
#[derive(Debug)]
pub struct FolderOfStores {
    folder: Arc<dyn Store>,
    archives: Mutex<BTreeMap<String, Arc<Mutex<Option<OpenedArchive>>>>>,
}

type OpenedArchive = Result<Arc<ZipStore>>;

/// The archive and the rest of the key, where a key leads into one.
type Inside<'a> = (OpenedArchive, &'a str);

impl FolderOfStores {
    /// The folder at `root`, which is not looked at before it is asked for something.
    pub fn new(root: impl Into<PathBuf>) -> Self {
        Self::over(Arc::new(DirectoryStore::new(root)))
    }

    /// The same of a folder that a store is.
    pub fn over(folder: Arc<dyn Store>) -> Self {
        Self { folder, archives: Mutex::default() }
    }

    /// The archive that `key` is, or is in; `None` where it is in none.
    fn archive<'a>(&self, key: &'a str) -> Option<Inside<'a>> {
        let name = around(key).find(|part| is_named_archive(part) && self.is_file(part))?;
        let rest = key.strip_prefix(name)?.trim_start_matches('/');
        // Only those who want this one wait until it is open.
        let slot = Arc::clone(lock(&self.archives).entry(name.to_owned()).or_default());
        let mut slot = lock(&slot);
        let opened = slot
            .take()
            .unwrap_or_else(|| self.open(name).map(Arc::new).map_err(|error| error.in_file(name)));
        // The next attempt may succeed where the network failed.
        let has_failed = opened.as_ref().is_err_and(|error| error.code == Code::Network);
        *slot = (!has_failed).then(|| opened.clone());
        Some((opened, rest))
    }

    /// The store that holds `key`, the folder or an archive in it, and what the key is there.
    fn holder<'a>(&self, key: &'a str) -> Result<(Arc<dyn Store>, &'a str)> {
        match self.archive(key) {
            Some((archive, rest)) => Ok((archive?, rest)),
            None => Ok((Arc::clone(&self.folder), key)),
        }
    }

    fn open(&self, name: &str) -> Result<ZipStore> {
        if let Some(path) = self.folder.path(name) {
            return ZipStore::open(path);
        }
        let len = self.folder.stat(name)?.map_or(0, |stat| stat.len);
        ZipStore::far(Arc::clone(&self.folder), name, len)
    }

    /// True if `key` is a file, and no folder around it is a node: what is in a store is the store's.
    fn is_file(&self, key: &str) -> bool {
        let above = key.match_indices('/').filter_map(|(at, _)| key.get(..at));
        matches!(self.folder.stat(key), Ok(Some(_)))
            && !above.chain([""]).any(|folder| self.is_node(folder))
    }

    fn is_node(&self, folder: &str) -> bool {
        NODES.into_iter().any(|name| !matches!(self.folder.stat(&join(folder, name)), Ok(None)))
    }
}

impl Store for FolderOfStores {
    fn origin(&self) -> Option<&dyn Store> {
        Some(&*self.folder)
    }

    fn read(&self, key: &str, limit: u64) -> Result<Option<Vec<u8>>> {
        let (store, key) = self.holder(key)?;
        store.read(key, limit)
    }

    fn read_range(&self, key: &str, range: Range<u64>) -> Result<Option<Vec<u8>>> {
        let (store, key) = self.holder(key)?;
        store.read_range(key, range)
    }

    fn map(&self, key: &str) -> Option<Bytes> {
        let (store, key) = self.holder(key).ok()?;
        store.map(key)
    }

    fn stat(&self, key: &str) -> Result<Option<Stat>> {
        let (store, key) = self.holder(key)?;
        store.stat(key)
    }

    fn list(&self, prefix: &str) -> Result<Vec<Entry>> {
        super::sorted(self, prefix)
    }

    fn visit(&self, prefix: &str, each: &mut dyn FnMut(Entry) -> bool) -> Result<()> {
        if let Some((archive, rest)) = self.archive(prefix) {
            return archive?.visit(rest, each);
        }
        self.folder.visit(prefix, &mut |entry| {
            let is_archive =
                || is_named_archive(&entry.name) && self.is_file(&join(prefix, &entry.name));
            let is_folder = entry.is_folder || is_archive();
            each(Entry { is_folder, ..entry })
        })
    }

    fn md5(&self, key: &str) -> Option<(String, u64)> {
        let (store, key) = self.holder(key).ok()?;
        store.md5(key)
    }

    fn refresh(&self) {
        lock(&self.archives).clear();
        self.folder.refresh();
    }

    fn outside(&self, key: &str) -> Option<PathBuf> {
        let (store, key) = self.holder(key).ok()?;
        store.outside(key)
    }

    fn path(&self, key: &str) -> Option<PathBuf> {
        let (store, key) = self.holder(key).ok()?;
        store.path(key)
    }

    fn crc32(&self, key: &str) -> Option<u32> {
        let (store, key) = self.holder(key).ok()?;
        store.crc32(key)
    }

    fn verify(&self, key: &str, stop: Stop<'_>) -> Result<()> {
        let (store, key) = self.holder(key)?;
        store.verify(key, stop)
    }

    fn problems(&self) -> Vec<Problem> {
        let mut archives = Vec::new();
        let listed = self.visit("", &mut |entry| {
            archives.extend(Some(entry.name).filter(|name| is_named_archive(name)));
            true
        });
        archives.sort_unstable();
        // An archive that cannot be opened is a node that tells why.
        let found = archives
            .iter()
            .filter_map(|name| self.archive(name)?.0.ok().map(|archive| archive.problems()))
            .flatten();
        found.chain(listed.err().map(Problem::failed)).collect()
    }

    fn name(&self) -> String {
        self.folder.name()
    }
}
