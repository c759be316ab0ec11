//! A store that is a folder: keys are relative paths.

use super::{
    NODES,
    key::{around, is_document},
};
use crate::zarr::prelude::*;
use crate::zarr::{budget::elbow_room, text};
use std::{
    ffi::{OsStr, OsString},
    fs::{self, File, Metadata},
    io::{self, Read, Seek, SeekFrom},
};

/// After how many entries of a folder it is asked again whether there is memory, and for how many bytes an entry. Who
/// keeps all of them may need as much again as they took, because lists grow by doubling.
const LISTED_AT_ONCE: usize = 4096;
const OF_AN_ENTRY: usize = 512;

/// A folder as a store.
///
/// A key never leads out of the folder: parts such as `..` name nothing. Links are followed, because people link
/// arrays together; what is neither a file nor a folder (a pipe, a device) is an error and is never opened.
#[derive(Debug, Clone)]
pub struct DirectoryStore {
    root: PathBuf,
}

impl DirectoryStore {
    /// The folder at `root`, which is not looked at before it is asked for something.
    pub fn new(root: impl Into<PathBuf>) -> Self {
        Self { root: root.into() }
    }

    fn resolve(&self, key: &str) -> Option<PathBuf> {
        if key.is_empty() {
            return Some(self.root.clone());
        }
        key.split('/').all(is_plain_name).then(|| self.root.join(key))
    }

    /// The file under `key`, with what the disk says of it; `None` where there is none, or a folder.
    fn file(&self, key: &str) -> Result<Option<(PathBuf, Metadata)>> {
        let Some(path) = self.resolve(key) else { return Ok(None) };
        // Most of what is asked for is not there, or is no link: one look tells both.
        let looked = match fs::symlink_metadata(&path) {
            Ok(own) if own.is_symlink() => fs::metadata(&path),
            Err(error) if is_absent(&error) => return Ok(None),
            looked => looked,
        };
        match looked {
            Ok(metadata) if metadata.is_dir() && is_document(key) => {
                let error = Error::new(Code::NotAFile, "a folder", "a JSON document").in_file(key);
                Err(error.with_fix("Readers do not see the node until this is a file."))
            }
            Ok(metadata) if metadata.is_dir() => Ok(None),
            Ok(metadata) if metadata.is_file() => Ok(Some((path, metadata))),
            Ok(_) => Err(not_a_file(key)),
            Err(error) if is_absent(&error) => match path.read_link() {
                Ok(target) if is_document(key) || is_named_store(key) => {
                    Err(leads_nowhere(key, &target))
                }
                _ => Ok(None),
            },
            Err(error) => Err(Error::io(key, &error)),
        }
    }

    fn open(&self, key: &str) -> Result<Option<(File, u64)>> {
        let Some((path, metadata)) = self.file(key)? else { return Ok(None) };
        match open_file(&path).and_then(|file| Ok((file.metadata()?, file))) {
            // A pipe may have taken the file's place since it was looked at.
            Ok((now, _)) if !now.is_file() => Err(not_a_file(key)),
            Ok((_, file)) => Ok(Some((file, metadata.len()))),
            Err(error) if is_absent(&error) => Ok(None),
            Err(error) => Err(Error::io(key, &error)),
        }
    }
}

impl Store for DirectoryStore {
    fn read(&self, key: &str, limit: u64) -> Result<Option<Vec<u8>>> {
        let Some((file, len)) = self.open(key)? else { return Ok(None) };
        if len > limit {
            return Err(super::too_large(key, len, limit));
        }
        let mut bytes = super::buffer(key, len)?;
        let read = file.take(limit.saturating_add(1)).read_to_end(&mut bytes);
        read.map_err(|error| Error::io(key, &error))?;
        if bytes.len() as u64 > limit {
            return Err(super::too_large(key, bytes.len() as u64, limit));
        }
        Ok(Some(bytes))
    }

    fn read_range(&self, key: &str, range: Range<u64>) -> Result<Option<Vec<u8>>> {
        let Some((mut file, len)) = self.open(key)? else { return Ok(None) };
        let wanted = range.end.min(len).saturating_sub(range.start);
        let mut bytes = super::buffer(key, wanted)?;
        let read = file
            .seek(SeekFrom::Start(range.start))
            .and_then(|_| file.take(wanted).read_to_end(&mut bytes));
        read.map_err(|error| Error::io(key, &error))?;
        Ok(Some(bytes))
    }

    fn map(&self, key: &str) -> Option<Bytes> {
        let (file, len) = self.open(key).ok()??;
        super::mapped(file, 0..len)
    }

    fn stat(&self, key: &str) -> Result<Option<Stat>> {
        let file = self.file(key)?;
        let stat =
            |data: Metadata| Stat { modified: data.modified().ok(), ..Stat::of_len(data.len()) };
        Ok(file.map(|(_, data)| stat(data)))
    }

    fn list(&self, prefix: &str) -> Result<Vec<Entry>> {
        super::sorted(self, prefix)
    }

    fn visit(&self, prefix: &str, each: &mut dyn FnMut(Entry) -> bool) -> Result<()> {
        let Some(path) = self.resolve(prefix) else { return Ok(()) };
        let folder = match fs::read_dir(&path) {
            Ok(folder) => folder,
            // A path that the system finds too long leads to a folder all the same.
            Err(error) if is_absent(&error) && error.kind() != io::ErrorKind::InvalidFilename => {
                return Ok(());
            }
            Err(error) => return Err(Error::io(prefix, &error)),
        };
        for (at, entry) in folder.enumerate() {
            if at > 0 && at % LISTED_AT_ONCE == 0 {
                let more = (LISTED_AT_ONCE + at).saturating_mul(OF_AN_ENTRY);
                elbow_room(more).map_err(|error| error.in_file(path.to_string_lossy()))?;
            }
            let entry = entry.map_err(|error| Error::io(prefix, &error))?;
            let is_link = entry.file_type().is_ok_and(|kind| kind.is_symlink());
            let is_folder = is_folder(&entry);
            if !each(Entry { name: name(entry.file_name()), is_folder, is_link }) {
                break;
            }
        }
        Ok(())
    }

    fn path(&self, key: &str) -> Option<PathBuf> {
        self.resolve(key)
    }

    fn outside(&self, key: &str) -> Option<PathBuf> {
        let path = self.resolve(key)?;
        let around: Vec<_> = around(key).collect();
        // Most of what is asked for is no link, and in none: resolving a path takes longer.
        if !around.iter().any(|part| self.root.join(part).is_symlink()) {
            return None;
        }
        let leads_to = path.canonicalize().ok()?;
        let is_inside =
            |folder: &Path| folder.canonicalize().is_ok_and(|folder| leads_to.starts_with(folder));
        // In a folder of stores, each may be a link: the store is the uppermost folder that is a node.
        let store = || around.iter().map(|part| self.root.join(part)).find(|part| is_node(part));
        let is_inside = is_inside(&self.root)
            || !is_node(&self.root) && store().is_some_and(|store| is_inside(&store));
        (!is_inside).then_some(leads_to)
    }

    fn name(&self) -> String {
        self.root.to_string_lossy().into_owned()
    }

    fn title(&self) -> String {
        let real = || fs::canonicalize(&self.root).ok().as_deref().and_then(super::last_part);
        super::last_part(&self.root).or_else(real).unwrap_or_else(|| self.name())
    }
}

/// True if `folder` has the document of a node.
fn is_node(folder: &Path) -> bool {
    NODES.into_iter().any(|name| folder.join(name).is_file())
}

/// True if `key` is named like a whole store.
fn is_named_store(key: &str) -> bool {
    [".zarr", ".zip"].iter().any(|end| key.ends_with(end))
}

/// The error of a document or a store that is a link, and nothing is at its other end.
fn leads_nowhere(key: &str, target: &Path) -> Error {
    let found = format!("a broken link to {}", safe(&target.to_string_lossy()));
    let error = Error::new(Code::DanglingLink, found, "a document or a store").in_file(key);
    let is_annex = target.to_string_lossy().contains("annex/objects/");
    error.with_fix(if is_annex {
        "The file is in git-annex and was not fetched: run `git annex get` in the repository."
    } else {
        "git-annex and DVC leave such links for files that were not fetched: fetch the file."
    })
}

fn not_a_file(key: &str) -> Error {
    let found = "a pipe, a socket or a device";
    Error::new(Code::NotAFile, found, "a file or a folder").in_file(key)
}

/// The file at `path`, opened without waiting for somebody at the other end of a pipe.
#[cfg(unix)]
fn open_file(path: &Path) -> io::Result<File> {
    use std::os::unix::fs::OpenOptionsExt;
    File::options().read(true).custom_flags(libc::O_NONBLOCK).open(path)
}

#[cfg(not(unix))]
fn open_file(path: &Path) -> io::Result<File> {
    File::open(path)
}

/// True if `part` names something inside a folder and nothing else.
fn is_plain_name(part: &str) -> bool {
    let mut components = Path::new(part).components();
    let plain = matches!(components.next(), Some(std::path::Component::Normal(name)) if name == OsStr::new(part));
    plain && components.next().is_none() && !part.contains('\0')
}

/// True if the operating system's answer means that there is nothing of that name.
fn is_absent(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory | io::ErrorKind::InvalidFilename
    )
}

/// True if an entry is a folder, or a link to one. Only links cost a look at what they lead to. A link to a folder
/// around it is none: below it everything would come again, and again.
fn is_folder(entry: &fs::DirEntry) -> bool {
    match entry.file_type() {
        Ok(kind) if kind.is_symlink() => {
            let leads_to = |target: PathBuf| {
                let around = entry.path().parent().and_then(|folder| folder.canonicalize().ok());
                target.is_dir() && !around.is_some_and(|around| around.starts_with(&target))
            };
            entry.path().canonicalize().is_ok_and(leads_to)
        }
        Ok(kind) => kind.is_dir(),
        Err(_) => false,
    }
}

/// A file's name as text. What is not UTF-8 is written as `\x…`: no key says it, but it can be seen.
fn name(name: OsString) -> String {
    name.into_string().unwrap_or_else(|name| text::safe_bytes(name.as_encoded_bytes()))
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_pipe_without_a_writer_does_not_block() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("0");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        assert!(!open_file(&pipe).unwrap().metadata().unwrap().is_file());
    }
}
