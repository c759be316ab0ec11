//! A store that is a `.zip` file.
//!
//! The archive stays open, and its table of contents is held: an archive that is replaced meanwhile stays the one that
//! was opened. Members that are merely stored are read by range straight from the file, or mapped. Compressed ones are
//! never inflated further than the table of contents says: one of which a part is wanted is inflated as a whole, once,
//! and kept within `KEPT` bytes; for one larger than that, the inflating goes on where it was left.

use super::key::is_named_archive;
use crate::zarr::prelude::*;
use crate::zarr::{
    budget::{Stop, elbow_room, stopped},
    signature, text,
};
use std::{
    fs::File,
    io::{self, BufReader, Read},
};
use zip::{CompressionMethod, ZipArchive, read::ZipFileEntry};

mod contents;
mod inflating;

use contents::{has_descriptors, names_that_come_twice};
use inflating::{ArchiveFile, ArchivePart, Inflating, inflate};

/// A `.zip` file as a store.
///
/// Archives are often made of the folder around a store instead of the store itself: folders that hold everything else
/// and no metadata are stepped over.
#[derive(Debug)]
pub struct ZipStore {
    path: PathBuf,
    file: Arc<ArchiveFile>,
    members: BTreeMap<String, ZipEntry>,
    inflated: Mutex<Inflated>,
    verified: Mutex<Verified>,
    /// The number of bytes of inflated members kept at most.
    keeps: u64,
    /// Names that are no keys.
    misnamed: Vec<String>,
    /// Names of archives.
    archives: Vec<String>,
    /// The first name that a later member has too, and how many members have such names.
    twice: Option<(String, u64)>,
    /// True if it was written to a pipe.
    has_descriptors: bool,
    /// The folder that held everything, and was stepped into.
    inner_folder: String,
}

/// The number of bytes of inflated members a store keeps.
const KEPT: u64 = 256 << 20;

/// The inflated members that may be wanted again.
#[derive(Debug, Default)]
struct Inflated {
    /// Whole members, the one that was wanted last at the end.
    members: Vec<(String, Bytes)>,
    /// The one of those too large to be kept that was inflated last, from some byte of it on.
    open: Option<(String, u64, Inflating)>,
}

/// The members that were compared with their CRC-32 as streams, and what came of it; `None` while nobody knows.
type Verified = HashMap<String, Arc<Mutex<Option<Result<()>>>>>;

/// The number of members of which that is remembered.
const REMEMBERED: usize = 1 << 16;

/// The number of bytes of a member that are read before anybody is asked whether to stop.
const STEP: usize = 1 << 18;

/// The entry of a file in the table of contents.
#[derive(Debug, Clone, Copy)]
struct ZipEntry {
    /// The offset of its local header, in bytes from the start of the archive.
    header: u64,
    /// The number of bytes it takes there.
    stored: u64,
    /// The number of bytes it is.
    size: u64,
    crc32: u32,
    method: CompressionMethod,
    encrypted: bool,
}

impl ZipEntry {
    /// Checks that the member is as long as the archive declares.
    fn has_length(&self, len: u64) -> Result<()> {
        if len == self.size {
            return Ok(());
        }
        let expected = format!("the {} bytes that the archive declares", self.size);
        Err(Error::new(Code::ZipMember, format!("{len} bytes"), expected))
    }
}

/// The number of members told of each kind that is not looked at.
const MOST_TOLD: usize = 20;

/// The length of the part of a local header that every member has.
const HEADER: usize = 30;

/// The length of what may be between a member's name and its bytes, about.
const EXTRA: usize = 64;

impl ZipStore {
    /// Reads the table of contents of the archive at `path`.
    ///
    /// # Errors
    ///
    /// If the file cannot be read or is no zip archive.
    pub fn open(path: impl Into<PathBuf>) -> Result<Self> {
        let path = path.into();
        let name = path.to_string_lossy();
        let file = File::open(&path).map_err(|error| Error::io(name.as_ref(), &error))?;
        drop(name);
        Self::of(path, ArchiveFile::Here(file))
    }

    /// The same of a file under `key` of another store, `len` bytes long, which is read by ranges.
    ///
    /// # Errors
    ///
    /// As [`Self::open`].
    pub fn far(store: Arc<dyn Store>, key: &str, len: u64) -> Result<Self> {
        let path = PathBuf::from(super::join(&store.name(), key));
        Self::of(path, ArchiveFile::Far { store, key: key.to_owned(), len })
    }

    fn of(path: PathBuf, file: ArchiveFile) -> Result<Self> {
        let (name, file) = (path.to_string_lossy(), Arc::new(file));
        elbow_room(contents::memory(&file)).map_err(|error| error.in_file(name.as_ref()))?;
        let whole = ArchivePart { file: Arc::clone(&file), range: 0..u64::MAX };
        let archive = ZipArchive::new(BufReader::new(whole)).map_err(|error| {
            let found = format!("a file that cannot be read as a zip archive ({error})");
            let error = Error::new(Code::NotAZip, found, "").in_file(name.as_ref());
            Error { fix: what_instead(&path), ..error }
        })?;
        let contents = archive.metadata();
        let (mut members, mut misnamed, mut archives) = (BTreeMap::new(), Vec::new(), Vec::new());
        for entry in (0..contents.len()).filter_map(|index| contents.entry(index).ok()) {
            let (key, member) = member(&entry);
            if is_key(&key) {
                if is_named_archive(&key) && archives.len() < MOST_TOLD {
                    archives.push(key.clone());
                }
                members.insert(key, member);
            } else if !entry.is_dir() && misnamed.len() < MOST_TOLD {
                misnamed.push(key);
            }
        }
        let start = archive.central_directory_start();
        let twice = archive.has_duplicate_names().then(|| names_that_come_twice(&file, start));
        let (twice, has_descriptors) = (twice.flatten(), has_descriptors(&file, start));
        let (members, inner_folder) = without_wrapping(members);
        drop((name, archive));
        let (inflated, verified) = (Mutex::default(), Mutex::default());
        Ok(Self {
            path,
            file,
            members,
            inflated,
            verified,
            keeps: KEPT,
            misnamed,
            archives,
            twice,
            has_descriptors,
            inner_folder,
        })
    }

    /// The bytes of `range` of a member, cut at its end.
    fn bytes(&self, key: &str, member: &ZipEntry, range: Range<u64>) -> Result<Vec<u8>> {
        let start = self.data_start(key, member)?;
        let range = range.start.min(member.size)..range.end.min(member.size);
        if member.method == CompressionMethod::Stored {
            let part = start.saturating_add(range.start)..start.saturating_add(range.end);
            return collect(self.part(part), range.end - range.start)
                .map_err(|error| Error::io(key, &error));
        }
        // What is wanted whole is wanted once; of what is damaged, all before the damage is had all the same.
        let is_part = range != (0..member.size);
        let kept = if is_part { self.whole(key, member, start) } else { self.kept(key) };
        match kept.as_ref().and_then(|bytes| bytes.get(range.clone())) {
            Some(bytes) => Ok(bytes.to_vec()),
            None => self.inflate(key, member, start, range),
        }
    }

    /// Compares all of a member with its CRC-32.
    fn compared(&self, key: &str, member: &ZipEntry, stop: Stop<'_>) -> Result<()> {
        let start = self.data_start(key, member)?;
        let part = self.part(start..start.saturating_add(member.stored));
        let mut source: Box<dyn Read> = match member.method {
            CompressionMethod::Stored => Box::new(part),
            _ => Inflating::new(key, member, part)?.0,
        };
        let (mut hash, mut len, mut buffer) = (crc32fast::Hasher::new(), 0, vec![0; STEP]);
        while len < member.size {
            if stop() {
                return Err(stopped());
            }
            let read = source.read(&mut buffer).map_err(|error| inflate(key, &error))?;
            let read = buffer.get(..read).unwrap_or_default();
            if read.is_empty() {
                break;
            }
            hash.update(read);
            len += read.len() as u64;
        }
        member.has_length(len)?;
        super::is_declared(member.crc32, hash)
    }

    /// The offset of the bytes of a member in the archive.
    fn data_start(&self, key: &str, member: &ZipEntry) -> Result<u64> {
        if member.encrypted {
            let (found, expected) = ("an encrypted member", "an unencrypted member");
            return Err(Error::new(Code::ZipMethod, found, expected).in_file(key));
        }
        let mut header = [0; HEADER];
        let len = (HEADER + key.len() + EXTRA) as u64;
        self.file.ask_for(
            member.header..member.header.saturating_add(len).saturating_add(member.stored),
        );
        self.part(member.header..u64::MAX)
            .read_exact(&mut header)
            .map_err(|error| Error::io(key, &error))?;
        let [b'P', b'K', 3, 4, .., a, b, c, d] = header else {
            let found = "no member at the offset in the archive's directory";
            let error = Error::new(Code::ZipMember, found, "a local file header");
            return Err(error.in_file(key));
        };
        let lengths = u64::from(u16::from_le_bytes([a, b])) + u64::from(u16::from_le_bytes([c, d]));
        Ok(member.header.saturating_add(HEADER as u64 + lengths))
    }

    fn part(&self, range: Range<u64>) -> ArchivePart {
        ArchivePart { file: Arc::clone(&self.file), range }
    }

    fn inflated(&self) -> std::sync::MutexGuard<'_, Inflated> {
        lock(&self.inflated)
    }

    /// A compressed member that was inflated before and kept.
    fn kept(&self, key: &str) -> Option<Bytes> {
        let members = &mut self.inflated().members;
        let at = members.iter().position(|(name, _)| name == key)?;
        let found = members.remove(at);
        members.push(found.clone());
        Some(found.1)
    }

    /// All of a compressed member, kept from now on; `None` if it is too large for that, or damaged.
    fn whole(&self, key: &str, member: &ZipEntry, start: u64) -> Option<Bytes> {
        if let Some(kept) = self.kept(key) {
            return Some(kept);
        }
        let is_small = member.size <= self.keeps;
        let bytes = is_small.then(|| self.inflate(key, member, start, 0..member.size).ok())??;
        let bytes = (bytes.len() as u64 == member.size).then(|| Bytes::whole(bytes))?;
        let members = &mut self.inflated().members;
        members.retain(|(name, _)| name != key);
        members.push((key.to_owned(), bytes.clone()));
        let mut sum = 0;
        let stay = members
            .iter()
            .rev()
            .take_while(|(_, bytes)| {
                sum += bytes.len();
                sum <= self.keeps
            })
            .count();
        members.drain(..members.len() - stay);
        Some(bytes)
    }

    /// The bytes of `range` of a compressed member that begins at `start` of the archive.
    fn inflate(
        &self,
        key: &str,
        member: &ZipEntry,
        start: u64,
        range: Range<u64>,
    ) -> Result<Vec<u8>> {
        let fault = |error| inflate(key, &error);
        let left = self.inflated().open.take();
        let left = left.filter(|(name, at, _)| name == key && *at <= range.start);
        let (at, mut inflating) = if let Some((_, at, inflating)) = left {
            (at, inflating)
        } else {
            let stored = self.part(start..start.saturating_add(member.stored));
            (0, Inflating::new(key, member, stored)?)
        };
        io::copy(&mut (&mut inflating.0).take(range.start - at), &mut io::sink()).map_err(fault)?;
        let bytes = collect(&mut inflating.0, range.end - range.start).map_err(fault)?;
        if range.end < member.size {
            self.inflated().open = Some((key.to_owned(), range.end, inflating));
        }
        Ok(bytes)
    }
}

impl Store for ZipStore {
    fn read(&self, key: &str, limit: u64) -> Result<Option<Vec<u8>>> {
        let Some(member) = self.members.get(key) else { return Ok(None) };
        if member.size > limit {
            return Err(super::too_large(key, member.size, limit));
        }
        let bytes = self.bytes(key, member, 0..member.size)?;
        member.has_length(bytes.len() as u64).map_err(|error| error.in_file(key))?;
        super::agrees(member.crc32, &bytes, &|| false).map_err(|error| error.in_file(key))?;
        Ok(Some(bytes))
    }

    fn read_range(&self, key: &str, range: Range<u64>) -> Result<Option<Vec<u8>>> {
        self.members.get(key).map(|member| self.bytes(key, member, range)).transpose()
    }

    fn map(&self, key: &str) -> Option<Bytes> {
        let member = self.members.get(key)?;
        let start = self.data_start(key, member).ok()?;
        if member.method != CompressionMethod::Stored {
            return self.whole(key, member, start);
        }
        let ArchiveFile::Here(file) = &*self.file else { return None };
        super::mapped(file.try_clone().ok()?, start..start.checked_add(member.size)?)
    }

    fn is_far(&self) -> bool {
        matches!(&*self.file, ArchiveFile::Far { .. })
    }

    fn crc32(&self, key: &str) -> Option<u32> {
        self.members.get(key).map(|member| member.crc32)
    }

    fn verify(&self, key: &str, stop: Stop<'_>) -> Result<()> {
        let Some(member) = self.members.get(key) else { return Ok(()) };
        let known = {
            let mut verified = lock(&self.verified);
            if verified.len() >= REMEMBERED {
                verified.clear();
            }
            Arc::clone(verified.entry(key.to_owned()).or_default())
        };
        // Whoever asks for the same member meanwhile waits for what comes of it.
        let mut known = lock(&known);
        if let Some(verdict) = &*known {
            return verdict.clone();
        }
        let verdict = self.compared(key, member, stop).map_err(|error| error.in_file(key));
        let is_known = verdict.as_ref().err().is_none_or(|error| error.code != Code::Stopped);
        *known = is_known.then(|| verdict.clone());
        verdict
    }

    fn problems(&self) -> Vec<Problem> {
        let file = safe(&self.name()).into_owned();
        let mut problems = Vec::new();
        let mut tell = |error: Error, fix: &str| {
            problems.push(Problem::new(error.in_file(file.clone()).with_fix(fix)));
        };
        for name in &self.misnamed {
            let found = "a member whose name is not a store key";
            let error = Error::new(Code::ZipName, found, "a relative name without `..`");
            let fix =
                "The name is not a store key, so no reader sees this member; zarrscope skips it.";
            tell(error.at(quoted(name)), fix);
        }
        for name in &self.archives {
            let found = "a zip archive inside the zip archive";
            let error = Error::new(Code::ZipName, found, "files and folders");
            let fix = "Zarr readers do not look inside it, and zarrscope skips it. Extract it.";
            tell(error.at(quoted(name)), fix);
        }
        if !self.inner_folder.is_empty() {
            let found =
                format!("a store in the folder {} of the archive", quoted(&self.inner_folder));
            let error = Error::new(Code::ZipFolder, found, "a store at the root of the archive");
            let fix = "zarrscope steps into the folder. zarr-python 3.4.2 finds nothing at the root, and reads the store \
                       when the folder is given as its `path`. Zip the contents of the folder, not the folder itself.";
            tell(error, fix);
        }
        if let Some((name, count)) = &self.twice {
            let found = format!("{}, such as {}", counted(*count, "replaced member"), quoted(name));
            let error = Error::new(Code::ZipTwice, found, "one member of each name");
            let fix = "The last member of a name counts, in zarr-python 3.4.2 too, which leaves the earlier one in the \
                       archive when it writes a chunk or a document again. TensorStore 0.1.86 refuses the archive.";
            tell(error, fix);
        }
        if self.has_descriptors {
            let found = "data descriptors after the members";
            let error = Error::new(Code::ZipDescriptor, found, "sizes before the members");
            let fix = "TensorStore 0.1.86 refuses the archive; zarr-python 3.4.2 reads it. Programs leave them that write an \
                       archive to a pipe: write it to a file.";
            tell(error, fix);
        }
        problems
    }

    fn inner_folder(&self) -> Option<&str> {
        Some(self.inner_folder.as_str()).filter(|folder| !folder.is_empty())
    }

    fn stat(&self, key: &str) -> Result<Option<Stat>> {
        Ok(self.members.get(key).map(|member| Stat::of_len(member.size)))
    }

    fn list(&self, prefix: &str) -> Result<Vec<Entry>> {
        super::sorted(self, prefix)
    }

    fn visit(&self, prefix: &str, each: &mut dyn FnMut(Entry) -> bool) -> Result<()> {
        super::visit_keys(&self.members, prefix, each);
        Ok(())
    }

    fn name(&self) -> String {
        self.path.to_string_lossy().into_owned()
    }
}

/// The kind of a file that cannot be read as an archive.
fn what_instead(path: &Path) -> Option<String> {
    let mut start = Vec::new();
    File::open(path).ok()?.take(64).read_to_end(&mut start).ok()?;
    Some(match signature::foreign_format(&start)? {
        "a ZIP file" => "The file begins as a zip archive, but the directory at its end is missing. Likely cause: it \
                         was cut short, or is still being written. `zip -FF` recovers the members that are whole."
            .into(),
        looks => format!("It looks like {looks}."),
    })
}

/// True if the file at `path` begins like a zip archive.
pub(super) fn looks_like_one(path: &Path) -> io::Result<bool> {
    let mut start = [0; 4];
    let mut file = File::open(path)?;
    match file.read_exact(&mut start) {
        Ok(()) => Ok(matches!(&start, b"PK\x03\x04" | b"PK\x05\x06")),
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(false),
        Err(error) => Err(error),
    }
}

/// The name of an entry as a key, and what is known of it.
fn member(entry: &ZipFileEntry) -> (String, ZipEntry) {
    let name = std::str::from_utf8(entry.name_raw())
        .map_or_else(|_| text::safe_bytes(entry.name_raw()), ToOwned::to_owned);
    let key = name.strip_prefix("./").unwrap_or(&name);
    let member = ZipEntry {
        header: entry.header_start(),
        stored: entry.compressed_size(),
        size: entry.size(),
        crc32: entry.crc32(),
        method: entry.compression(),
        encrypted: entry.encrypted(),
    };
    (key.to_owned(), member)
}

/// True if no part of `name` is empty, or leads elsewhere. Folders end in an empty part.
fn is_key(name: &str) -> bool {
    name.split('/').all(|part| !matches!(part, "" | "." | ".."))
}

/// Steps into the one folder that holds everything, as long as there is one and it is around the store, not in it.
/// Gives that folder, too.
fn without_wrapping(
    mut members: BTreeMap<String, ZipEntry>,
) -> (BTreeMap<String, ZipEntry>, String) {
    let mut inner = String::new();
    members.retain(|key, _| !key.starts_with("__MACOSX/"));
    while let Some(prefix) = wrapping(&members) {
        inner += &prefix;
        members = members
            .into_iter()
            .filter_map(|(key, member)| Some((key.strip_prefix(&prefix)?.to_owned(), member)))
            .collect();
    }
    inner.truncate(inner.trim_end_matches('/').len());
    (members, inner)
}

/// The folder, with its slash, that all members are in, unless it is a chunk folder or holds a node beside others.
fn wrapping(members: &BTreeMap<String, ZipEntry>) -> Option<String> {
    let (first, _) = members.first_key_value()?;
    let (last, _) = members.last_key_value()?;
    let (folder, _) = first.split_once('/')?;
    let prefix = format!("{folder}/");
    (last.starts_with(&prefix) && members.keys().all(|key| key.starts_with(&prefix)))
        .then_some(prefix)
}

/// At most `most` bytes of `source`. Memory grows with what comes, not with what is promised.
fn collect(source: impl Read, most: u64) -> io::Result<Vec<u8>> {
    const START: u64 = 1 << 20;
    let mut bytes = Vec::with_capacity(usize::try_from(most.min(START)).unwrap_or_default());
    source.take(most).read_to_end(&mut bytes)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ::zip::{ZipWriter, write::SimpleFileOptions};
    use std::io::{Seek, Write};

    /// A store with members of these lengths, `a`, `b` and so on, which keeps so many bytes of them.
    fn store(folder: &Path, lengths: &[usize], keeps: u64) -> ZipStore {
        let path = folder.join("s.zip");
        let mut writer = ZipWriter::new(File::create(&path).unwrap());
        let options = SimpleFileOptions::default().compression_method(CompressionMethod::Deflated);
        for (name, &len) in ('a'..).zip(lengths) {
            writer.start_file(name, options).unwrap();
            writer.write_all(&bytes(0..len)).unwrap();
        }
        writer.finish().unwrap();
        ZipStore { keeps, ..ZipStore::open(path).unwrap() }
    }

    fn bytes(range: Range<usize>) -> Vec<u8> {
        range.map(|at| (at % 251).to_le_bytes()[0]).collect()
    }

    impl ZipStore {
        fn window(&self, key: &str, range: Range<u64>) -> Vec<u8> {
            self.read_range(key, range).unwrap().unwrap()
        }

        fn keys(&self) -> Vec<String> {
            self.inflated().members.iter().map(|(name, _)| name.clone()).collect()
        }
    }

    #[test]
    fn members_that_were_wanted_last_are_kept_and_the_others_go() {
        let folder = tempfile::tempdir().unwrap();
        let store = store(folder.path(), &[400, 300, 500, 1001], 1000);
        for (key, kept) in [
            ("a", "a"),
            ("b", "ab"),
            ("a", "ba"),
            // 1,200 bytes are too many: the one that was not wanted for longest goes.
            ("c", "ac"),
            ("b", "cb"),
            ("d", "cb"),
        ] {
            assert_eq!(store.window(key, 100..103), bytes(100..103), "{key}");
            assert_eq!(store.keys().concat(), kept, "{key}");
        }
        assert_eq!(store.window("c", 490..600), bytes(490..500), "cut at its end");
    }

    #[test]
    fn the_inflating_of_a_large_member_goes_on_where_it_was_left() {
        let folder = tempfile::tempdir().unwrap();
        let store = store(folder.path(), &[90_000, 90_000], 1000);
        let left = || {
            let inflated = store.inflated();
            inflated.open.as_ref().map(|(name, at, _)| (name.clone(), *at))
        };
        for (key, range, at) in [
            ("a", 10_000..20_000, Some(20_000)),
            ("a", 20_000..20_010, Some(20_010)),
            ("a", 50_000..50_001, Some(50_001)),
            // Back, it begins again; of another member, too.
            ("a", 5..10, Some(10)),
            ("b", 70_000..80_000, Some(80_000)),
            ("a", 89_000..90_000, None),
        ] {
            let wanted = range.start as u64..range.end as u64;
            assert_eq!(store.window(key, wanted), bytes(range.clone()), "{key} {range:?}");
            assert_eq!(left(), at.map(|at| (key.to_owned(), at)), "{key} {range:?}");
        }
        assert!(store.keys().is_empty());
    }

    #[test]
    fn what_was_inflated_before_is_not_read_again() {
        let folder = tempfile::tempdir().unwrap();
        let store = store(folder.path(), &[90_000], 1000);
        assert_eq!(store.window("a", 0..9), bytes(0..9));
        let start = store.data_start("a", &store.members["a"]).unwrap();
        let mut file = File::options().write(true).open(&store.path).unwrap();
        file.seek(io::SeekFrom::Start(start)).and_then(|_| file.write_all(&[0xff; 4])).unwrap();
        assert_eq!(store.window("a", 80_000..80_009), bytes(80_000..80_009));
        assert!(store.read_range("a", 0..9).is_err(), "back, it begins anew");
    }
}
