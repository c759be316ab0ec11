//! A folder that is no store itself and holds stores: folders, and zip archives, which are folders here too.

use super::{DirectoryStore, ZipStore, join, lock};
use crate::zarr::prelude::*;
use crate::zarr::{budget::Stop, error::Result};

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
        let ends = key.match_indices('/').map(|(at, _)| at).chain([key.len()]);
        let end = ends.into_iter().find(|&end| {
            key.get(..end).is_some_and(|part| is_named_archive(part) && self.is_file(part))
        })?;
        let (name, rest) = key.split_at_checked(end)?;
        // Only those who want this one wait until it is open.
        let slot = Arc::clone(lock(&self.archives).entry(name.to_owned()).or_default());
        let mut slot = lock(&slot);
        let opened = slot
            .take()
            .unwrap_or_else(|| self.open(name).map(Arc::new).map_err(|error| error.in_file(name)));
        // The next attempt may succeed where the network failed.
        let has_failed = opened.as_ref().is_err_and(|error| error.code == Code::Network);
        *slot = (!has_failed).then(|| opened.clone());
        Some((opened, rest.trim_start_matches('/')))
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
        ["zarr.json", ".zarray", ".zgroup"]
            .into_iter()
            .any(|name| !matches!(self.folder.stat(&join(folder, name)), Ok(None)))
    }
}

/// True if the name is that of an archive.
fn is_named_archive(key: &str) -> bool {
    Path::new(key).extension().is_some_and(|end| end.eq_ignore_ascii_case("zip"))
}

impl Store for FolderOfStores {
    fn read(&self, key: &str, limit: u64) -> Result<Option<Vec<u8>>> {
        match self.archive(key) {
            Some((archive, rest)) => archive?.read(rest, limit),
            None => self.folder.read(key, limit),
        }
    }

    fn read_range(&self, key: &str, range: Range<u64>) -> Result<Option<Vec<u8>>> {
        match self.archive(key) {
            Some((archive, rest)) => archive?.read_range(rest, range),
            None => self.folder.read_range(key, range),
        }
    }

    fn map(&self, key: &str) -> Option<Bytes> {
        match self.archive(key) {
            Some((archive, rest)) => archive.ok()?.map(rest),
            None => self.folder.map(key),
        }
    }

    fn stat(&self, key: &str) -> Result<Option<Stat>> {
        match self.archive(key) {
            Some((archive, rest)) => archive?.stat(rest),
            None => self.folder.stat(key),
        }
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

    fn can_list(&self) -> bool {
        self.folder.can_list()
    }

    fn lists_lengths(&self) -> bool {
        self.folder.lists_lengths()
    }

    fn tells_length(&self, key: &str) -> bool {
        self.folder.tells_length(key)
    }

    fn is_far(&self) -> bool {
        self.folder.is_far()
    }

    fn side_by_side(&self, count: usize, work: &(dyn Fn(usize) + Sync)) {
        self.folder.side_by_side(count, work);
    }

    fn expect_reading(&self, prefix: Option<&str>) {
        self.folder.expect_reading(prefix);
    }

    fn expect_md5(&self) {
        self.folder.expect_md5();
    }

    fn md5(&self, key: &str) -> Option<(String, u64)> {
        self.archive(key).is_none().then(|| self.folder.md5(key))?
    }

    fn expect_listing(&self, prefix: &str) {
        self.folder.expect_listing(prefix);
    }

    fn expect_nodes(&self, prefix: &str, names: &[String]) {
        self.folder.expect_nodes(prefix, names);
    }

    fn refresh(&self) {
        lock(&self.archives).clear();
        self.folder.refresh();
    }

    fn outside(&self, key: &str) -> Option<PathBuf> {
        self.archive(key).is_none().then(|| self.folder.outside(key))?
    }

    fn path(&self, key: &str) -> Option<PathBuf> {
        self.archive(key).is_none().then(|| self.folder.path(key))?
    }

    fn crc32(&self, key: &str) -> Option<u32> {
        let (archive, rest) = self.archive(key)?;
        archive.ok()?.crc32(rest)
    }

    fn verify(&self, key: &str, stop: Stop<'_>) -> Result<()> {
        match self.archive(key) {
            Some((archive, rest)) => archive?.verify(rest, stop),
            None => Ok(()),
        }
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

    fn title(&self) -> String {
        self.folder.title()
    }
}
