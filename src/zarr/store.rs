//! A store is keys → bytes; this is all the rest of the library knows of disks.
//!
//! The store is never written to: there is no method that could. A folder is [`DirectoryStore`], a zip file
//! [`ZipStore`]; [`open`] tells which. [`MemoryStore`] is one in memory. Those far away, behind the feature `remote`, are
//! asked through a [`CachedStore`].

use super::budget::{Stop, no_memory, stopped};
use super::prelude::*;
use std::{
    fmt::Debug,
    fs::{self, File},
    ops::Bound,
};

mod cached;
pub mod directory;
mod folder_of_stores;
pub mod foreign;
pub mod kept;
mod key;
#[cfg(unix)]
mod map;
pub mod memory;
#[cfg(feature = "remote")]
pub mod remote;
pub mod requests;
pub mod zip;

pub use cached::CachedStore;
pub use directory::DirectoryStore;
pub use folder_of_stores::FolderOfStores;
pub use key::{NodePath, in_natural_order, is_of_numbers, join};
pub use memory::MemoryStore;
pub use zip::ZipStore;

/// Bytes under keys. Keys are `/`-separated, never start or end with `/`; the root's prefix is the empty string.
///
/// A store of one's own, here one in memory, is read like any other:
///
/// ```
/// use std::{collections::BTreeMap, ops::Range, sync::Arc};
/// use zarrscope::zarr::{Hierarchy, NodePath, Registry, Result, store::{Entry, Stat, Store}};
///
/// #[derive(Debug)]
/// struct Memory(BTreeMap<&'static str, &'static [u8]>);
///
/// impl Store for Memory {
///     fn read(&self, key: &str, _limit: u64) -> Result<Option<Vec<u8>>> {
///         Ok(self.0.get(key).map(|bytes| bytes.to_vec()))
///     }
///
///     fn read_range(&self, key: &str, range: Range<u64>) -> Result<Option<Vec<u8>>> {
///         let cut = |at: u64, len: usize| usize::try_from(at).map_or(len, |at| at.min(len));
///         let part = |bytes: &&'static [u8]| bytes[cut(range.start, bytes.len())..cut(range.end, bytes.len())].to_vec();
///         Ok(self.0.get(key).map(part))
///     }
///
///     fn stat(&self, key: &str) -> Result<Option<Stat>> {
///         Ok(self.0.get(key).map(|bytes| Stat { len: bytes.len() as u64, modified: None, etag: None }))
///     }
///
///     fn list(&self, prefix: &str) -> Result<Vec<Entry>> {
///         let names = self.0.keys().filter(|key| prefix.is_empty() && !key.contains('/'));
///         Ok(names.map(|name| Entry { name: (*name).to_owned(), is_folder: false, is_link: false }).collect())
///     }
///
///     fn name(&self) -> String {
///         "memory".to_owned()
///     }
/// }
///
/// let group: &[u8] = br#"{"zarr_format":2}"#;
/// let store = Memory([(".zgroup", group)].into());
/// let hierarchy = Hierarchy::new(Arc::new(store), Arc::new(Registry::default()));
/// assert!(hierarchy.node(&NodePath::default()).problems.is_empty());
/// ```
pub trait Store: Debug + Send + Sync {
    /// The store that this one stands before: it is asked for whatever this one does not answer itself, but for bytes
    /// and listings.
    fn origin(&self) -> Option<&dyn Store> {
        None
    }

    /// All bytes under `key`; `None` where there is no such key.
    ///
    /// # Errors
    ///
    /// If the key exists and cannot be read, or is longer than `limit` bytes.
    fn read(&self, key: &str, limit: u64) -> Result<Option<Vec<u8>>>;

    /// The bytes of `range`, cut at the end of what is there; `None` where there is no such key.
    ///
    /// # Errors
    ///
    /// If the key exists and cannot be read.
    fn read_range(&self, key: &str, range: Range<u64>) -> Result<Option<Vec<u8>>>;

    /// All bytes under `key` without a copy of them, such as a map of the file; `None` where there is no such key, or
    /// it cannot be had so: it can always be read.
    ///
    /// Whoever goes through them asks [`Bytes::intact`] afterwards. The stores here map files on Unix, and install a
    /// handler for `SIGBUS` when they do so first, which leaves all faults to the handler before it that are not those
    /// of its maps.
    fn map(&self, key: &str) -> Option<Bytes> {
        let _ = key;
        None
    }

    /// The size of `key` and the time it was written; `None` where there is no such key.
    ///
    /// # Errors
    ///
    /// If the store cannot say.
    fn stat(&self, key: &str) -> Result<Option<Stat>>;

    /// The entries directly below `prefix`, sorted by name; empty where there is nothing.
    ///
    /// # Errors
    ///
    /// If the folder exists and cannot be listed.
    fn list(&self, prefix: &str) -> Result<Vec<Entry>>;

    /// Calls `each` for every entry directly below `prefix`, in no particular order and without holding them all,
    /// until it gives `false`. For folders of millions of chunks.
    ///
    /// # Errors
    ///
    /// If the folder exists and cannot be listed.
    fn visit(&self, prefix: &str, each: &mut dyn FnMut(Entry) -> bool) -> Result<()> {
        for entry in self.list(prefix)? {
            if !each(entry) {
                break;
            }
        }
        Ok(())
    }

    /// One answer of a store that is asked over a network: what is below `prefix`, in the order of the keys. `None`
    /// where there are no such answers, and a listing is had by [`Self::list`].
    ///
    /// # Errors
    ///
    /// [`Code::CannotList`] if nothing can be listed, or what else goes wrong.
    fn page(&self, asked: &PageRequest<'_>) -> Result<Option<ListingPage>> {
        let _ = asked;
        Ok(None)
    }

    /// Calls `work` with each number below `count`: side by side where the store is asked over a network, else in order.
    fn side_by_side(&self, count: usize, work: &(dyn Fn(usize) + Sync)) {
        match self.origin() {
            Some(store) => store.side_by_side(count, work),
            None => (0..count).for_each(work),
        }
    }

    /// False if the store gives what it is asked for by key, but tells of no keys.
    fn can_list(&self) -> bool {
        self.origin().is_none_or(<dyn Store>::can_list)
    }

    /// False if the length of each key has to be asked for by itself: no listing tells it.
    fn lists_lengths(&self) -> bool {
        self.origin().is_none_or(<dyn Store>::lists_lengths)
    }

    /// False if nothing tells how long `key` is but a question of its own: whoever wants all of it reads it right away.
    fn tells_length(&self, key: &str) -> bool {
        self.origin().is_none_or(|store| store.tells_length(key))
    }

    /// True if it is asked over a network.
    fn is_far(&self) -> bool {
        self.origin().is_some_and(<dyn Store>::is_far)
    }

    /// Announces that everything below `prefix` is going to be listed, folder by folder.
    fn expect_listing(&self, prefix: &str) {
        if let Some(store) = self.origin() {
            store.expect_listing(prefix);
        }
    }

    /// Announces that the documents of these nodes below `prefix` are going to be read.
    fn expect_nodes(&self, prefix: &str, names: &[String]) {
        if let Some(store) = self.origin() {
            store.expect_nodes(prefix, names);
        }
    }

    /// Announces that everything below `prefix` is going to be read in the order of the keys, so that what is small may
    /// be read ahead; `None`: no longer.
    fn expect_reading(&self, prefix: Option<&str>) {
        if let Some(store) = self.origin() {
            store.expect_reading(prefix);
        }
    }

    /// Announces that everything is going to be read and the MD5 of every object to be asked for, so that nothing is
    /// read twice for that.
    fn expect_md5(&self) {
        if let Some(store) = self.origin() {
            store.expect_md5();
        }
    }

    /// The MD5 of the object under `key` and its length, where that is known from reading it.
    fn md5(&self, key: &str) -> Option<(String, u64)> {
        self.origin()?.md5(key)
    }

    /// Forgets what was kept of earlier answers.
    fn refresh(&self) {}

    /// The path of `key` on the disk, where it is a file of its own there.
    fn path(&self, key: &str) -> Option<PathBuf> {
        self.origin()?.path(key)
    }

    /// The path of `key` outside the store, where links lead to it there. A store that is reached by a link is all
    /// inside.
    fn outside(&self, key: &str) -> Option<PathBuf> {
        self.origin()?.outside(key)
    }

    /// The CRC-32 that the store keeps of the bytes under `key`. [`Self::read`] compares it; whoever reads by range asks
    /// [`Self::verify`].
    fn crc32(&self, key: &str) -> Option<u32> {
        self.origin()?.crc32(key)
    }

    /// Compares all bytes under `key`, as a stream, with the CRC-32 that the store keeps of them; nothing is to be done
    /// where it keeps none. A key is read once, however often it is asked for.
    ///
    /// # Errors
    ///
    /// If they differ or cannot be read, or `stop` is true before that is known.
    fn verify(&self, key: &str, stop: Stop<'_>) -> Result<()> {
        self.origin().map_or(Ok(()), |store| store.verify(key, stop))
    }

    /// The folder inside the container that all keys are below, where the store was found there and not at its root.
    fn inner_folder(&self) -> Option<&str> {
        self.origin()?.inner_folder()
    }

    /// The problems of the store itself: files in it that cannot be had under any key.
    fn problems(&self) -> Vec<Problem> {
        self.origin().map(<dyn Store>::problems).unwrap_or_default()
    }

    /// The name of the store: the path it was opened with.
    fn name(&self) -> String;

    /// The name of its root on the screen: the last part of its name.
    fn title(&self) -> String {
        let own = || last_part(Path::new(&self.name())).unwrap_or_else(|| self.name());
        self.origin().map_or_else(own, <dyn Store>::title)
    }
}

/// The last part of a path; `None` where that is `.`, `..`, or the root of all.
fn last_part(path: &Path) -> Option<String> {
    path.file_name().map(|name| name.to_string_lossy().into_owned())
}

/// The facts that a store knows of a key without reading it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stat {
    /// Length in bytes.
    pub len: u64,
    /// The time of the last write, where it is known.
    pub modified: Option<SystemTime>,
    /// A hash of the `ETag`, the name of this version of the bytes, where the store gives it one.
    pub etag: Option<u64>,
}

impl Stat {
    /// Nothing but the length is known.
    pub fn of_len(len: u64) -> Self {
        Self { len, modified: None, etag: None }
    }
}

/// A question for one page of a listing.
#[derive(Debug, Clone, Copy)]
pub struct PageRequest<'a> {
    /// The prefix; empty for everything.
    pub prefix: &'a str,
    /// True if folders are gone into: all keys below the prefix, to any depth.
    pub is_deep: bool,
    /// The token that the page before gave.
    pub token: Option<&'a str>,
}

/// A page of a listing.
#[derive(Debug, Clone, Default)]
pub struct ListingPage {
    /// The files, by their keys below the prefix, with what the listing tells of them.
    pub files: Vec<(String, Option<Stat>)>,
    /// The folders directly below the prefix, by their names, where they are not gone into.
    pub folders: Vec<String>,
    /// The token for the next page; `None` at the end.
    pub next: Option<String>,
    /// True if names that begin with a dot may be left out.
    pub hides_dots: bool,
}

/// Something directly below a prefix.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Entry {
    /// Its name, without the prefix.
    pub name: String,
    /// True if more is below it.
    pub is_folder: bool,
    /// True if it is a link, which may lead out of the store: [`Store::outside`] tells.
    pub is_link: bool,
}

impl Entry {
    /// A file or a folder that is no link.
    pub fn new(name: impl Into<String>, is_folder: bool) -> Self {
        Self { name: name.into(), is_folder, is_link: false }
    }
}

/// Opens the store at `path`: a folder, or a `.zip` file.
///
/// # Errors
///
/// If there is nothing at `path`, or it is neither.
pub fn open(path: &Path) -> Result<Arc<dyn Store>> {
    let name = path.to_string_lossy();
    let metadata = fs::metadata(path).map_err(|error| Error::io(name.as_ref(), &error))?;
    if metadata.is_dir() {
        return Ok(Arc::new(DirectoryStore::new(path)));
    }
    let is_named_so = key::is_named_archive(&name);
    let looks_so = metadata.is_file() && zip::looks_like_one(path).is_ok_and(|yes| yes);
    if is_named_so || looks_so {
        return match ZipStore::open(path) {
            Err(error) if !is_named_so && error.code == Code::NotAZip => Err(not_a_store(&name)),
            store => Ok(Arc::new(store?)),
        };
    }
    Err(not_a_store(&name))
}

/// The path as it is shown: an address without what is secret in it.
#[must_use]
pub fn shown(path: &Path) -> Cow<'_, Path> {
    #[cfg(feature = "remote")]
    if let Some(name) = remote::shown(path) {
        return Cow::Owned(name.into());
    }
    Cow::Borrowed(path)
}

/// True if `path` is the address of a store that is far away.
pub fn is_address(path: &Path) -> bool {
    matches!(shown(path), Cow::Owned(_))
}

fn not_a_store(name: &str) -> Error {
    Error::new(Code::NotAStore, "a file", "a folder or a zip archive").in_file(name)
}

/// The bytes `range` of `file` as a map, where the system can guard one.
#[cfg(unix)]
fn mapped(file: File, range: Range<u64>) -> Option<Bytes> {
    map::Map::of(file, range).map(|map| Bytes::shared(Arc::new(map)))
}

/// Nothing: a file that is mapped cannot be cut here, and whoever writes a store must not be hindered by one who looks.
#[cfg(not(unix))]
fn mapped(_: File, _: Range<u64>) -> Option<Bytes> {
    None
}

/// The names of the documents that declare nodes or hold what is said of them.
pub const DOCUMENTS: [&str; 5] = ["zarr.json", ".zarray", ".zgroup", ".zattrs", ".zmetadata"];

/// The names of the documents that make a folder a node.
const NODES: [&str; 3] = ["zarr.json", ".zarray", ".zgroup"];

/// The most bytes of a metadata document.
pub(super) const DOCUMENT_LIMIT: u64 = 256 << 20;

/// Everything that `store` visits, sorted.
fn sorted(store: &dyn Store, prefix: &str) -> Result<Vec<Entry>> {
    let mut entries = Vec::new();
    store.visit(prefix, &mut |entry| {
        entries.push(entry);
        true
    })?;
    entries.sort_unstable();
    Ok(entries)
}

/// Calls `each` for every entry directly below `prefix` of `files`, in the order of the keys, until it gives `false`.
pub(crate) fn visit_keys<V>(
    files: &BTreeMap<String, V>,
    prefix: &str,
    each: &mut dyn FnMut(Entry) -> bool,
) {
    let folder = key::with_slash(prefix);
    let mut at = folder.clone();
    while next_entry(files, &folder, &mut at).is_some_and(&mut *each) {}
}

/// The answers to a question about each of `subjects`, which `store` is asked at once where it is far away.
pub(in crate::zarr) fn several<S: Sync, T: Send + Sync>(
    store: &dyn Store,
    subjects: &[S],
    ask: impl Fn(&S) -> T + Sync,
) -> Vec<T> {
    let answers: Vec<_> = subjects.iter().map(|_| OnceLock::new()).collect();
    store.side_by_side(subjects.len(), &|at| {
        if let (Some(subject), Some(answer)) = (subjects.get(at), answers.get(at)) {
            answer.get_or_init(|| ask(subject));
        }
    });
    answers.into_iter().filter_map(OnceLock::into_inner).collect()
}

/// The number of bytes that are compared before anybody is asked whether to stop.
const COMPARED: usize = 1 << 20;

/// Checks that `bytes` have the CRC-32 that the archive declares.
pub(super) fn agrees(crc32: u32, bytes: &[u8], stop: Stop<'_>) -> Result<()> {
    let mut hash = crc32fast::Hasher::new();
    for piece in bytes.chunks(COMPARED) {
        if stop() {
            return Err(stopped());
        }
        hash.update(piece);
    }
    is_declared(crc32, hash)
}

/// Checks that the CRC-32 that was computed is the one that the archive declares.
pub(super) fn is_declared(crc32: u32, computed: crc32fast::Hasher) -> Result<()> {
    let computed = computed.finalize();
    if computed == crc32 {
        return Ok(());
    }
    let found = format!("CRC-32 {computed:#010x} computed from the bytes");
    Err(Error::new(Code::ZipChecksum, found, format!("{crc32:#010x}, as the archive declares")))
}

/// Room for `len` bytes of `key`.
fn buffer(key: &str, len: u64) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let len = usize::try_from(len).unwrap_or(usize::MAX);
    bytes.try_reserve_exact(len).map_err(|_refused| no_memory(len).in_file(key))?;
    Ok(bytes)
}

/// The finding that links lead from `key` out of the store.
pub(super) fn link_outside(key: &str, leads_to: &Path) -> Error {
    let found = format!("a link to {}, outside the store", safe(&leads_to.to_string_lossy()));
    let error = Error::new(Code::LinkOutside, found, "").in_file(key);
    error.with_fix("A copy of the store may lack it. It is shown here, but not put into cards.")
}

/// The bytes of `range`, cut at the end of what is there.
pub(crate) fn part_of<'b>(bytes: &'b [u8], range: &Range<u64>) -> &'b [u8] {
    let cut = |at: u64| usize::try_from(at).map_or(bytes.len(), |at| at.min(bytes.len()));
    bytes.get(cut(range.start)..cut(range.end)).unwrap_or_default()
}

/// The entry directly below `folder`, a key with its slash or nothing, at the key `at` or after it, which moves on.
fn next_entry<T>(keys: &BTreeMap<String, T>, folder: &str, at: &mut String) -> Option<Entry> {
    let from = (Bound::Included(at.as_str()), Bound::Unbounded);
    let rest = keys.range::<str, _>(from).next()?.0.strip_prefix(folder)?;
    let (name, is_folder) = rest.split_once('/').map_or((rest, false), |(name, _)| (name, true));
    // What is in a folder ends before the sign that follows the slash.
    let end = if is_folder { '0' } else { '\0' };
    *at = format!("{folder}{name}{end}");
    Some(Entry::new(name, is_folder))
}

/// The refusal to read a key that is longer than the caller takes.
fn too_large(key: &str, len: u64, limit: u64) -> Error {
    Error::new(Code::TooLarge, format!("{len} bytes"), format!("at most {limit} bytes"))
        .in_file(key)
}
