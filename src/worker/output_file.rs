//! The only place that opens a file for writing.
//!
//! Stores are never changed, so everything that writes (`export`, `shot`, the key `w`, the copy that `e` opens) asks
//! here for its file. Whatever a store or somebody else puts in the way, links above all, nothing is written to but a
//! file that was made here: it is new, in a folder that is held open and was found to be in no store. It grows under a
//! temporary name, and is renamed when it is whole: an error, a full disk or a signal leaves nothing behind, and what is
//! there already is only replaced on request. Only the part of a report, which many machines make, grows under its own
//! name: after an interruption, what it had is copied into a new file of that name.

use super::prelude::*;
use crate::zarr::{hierarchy::children::identity, store::DOCUMENTS};
use folder::{OutputFolder, has_one_name};
use std::{ffi::OsString, fs::OpenOptions};
use tempfile::{Builder, NamedTempFile, TempDir};

mod entries;
mod folder;

pub use entries::FileEntries;

/// The number of entries of a folder without metadata looked at for stores in it.
const MOST_ENTRIES: usize = 100_000;

/// The files to remove when the program is ended by a signal.
static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// The name of something unfinished, on the list above for as long as this lives.
struct Unfinished(PathBuf);

impl Unfinished {
    /// The result of `begin`, and its name on the list: a signal comes before both or after both.
    fn new<T>(
        begin: impl FnOnce() -> io::Result<T>,
        path: impl FnOnce(&T) -> &Path,
    ) -> io::Result<(T, Self)> {
        let mut unfinished = lock(&UNFINISHED);
        let made = begin()?;
        let path = path(&made).to_owned();
        unfinished.push(path.clone());
        Ok((made, Self(path)))
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        lock(&UNFINISHED).retain(|path| *path != self.0);
    }
}

/// Removes everything that is unfinished, for a program that is about to end. Nothing can be begun after that.
pub fn discard_unfinished() {
    let unfinished = lock(&UNFINISHED);
    for path in unfinished.iter() {
        let _ = if path.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) };
    }
    mem::forget(unfinished);
}

/// A file that does not exist under its name before [`OutputFile::finish`].
pub struct OutputFile {
    sink: Sink,
    target: PathBuf,
    replace: bool,
}

enum Sink {
    /// A new file under a temporary name.
    Temporary { file: NamedTempFile, folder: OutputFolder, name: OsString, _unfinished: Unfinished },
    /// A pipe or a character device, which holds nothing that could be lost; or a part that has its name already.
    Stream(File),
}

impl OutputFile {
    /// A file that will be at `target`, outside the store that was opened from `store` and outside every other one.
    /// A file that is there already is an error unless `replace` is set.
    ///
    /// # Errors
    ///
    /// If the target is inside a store, is there already, or cannot be written.
    pub fn create(target: &Path, store: &Path, replace: bool) -> Result<Self> {
        let unwritable = |error: io::Error| Error::unwritable(target, &error);
        if let Some(file) = stream(target)? {
            return Ok(Self { sink: Sink::Stream(file), target: target.to_owned(), replace });
        }
        let (folder, name) = place(target, store)?;
        let found = folder.path().join(&name).symlink_metadata().ok();
        // A link is there, even where it leads nowhere.
        if found.is_some() && !replace {
            return Err(unwritable(io::ErrorKind::AlreadyExists.into()));
        }
        if target.is_dir() {
            return Err(unwritable(io::ErrorKind::IsADirectory.into()));
        }
        if found.is_some_and(|found| found.is_file() && !has_one_name(&found)) {
            return Err(has_more_names(target));
        }
        let made = Unfinished::new(|| folder.unnamed(), NamedTempFile::path);
        let (file, unfinished) = made.map_err(unwritable)?;
        let sink = Sink::Temporary { file, folder, name, _unfinished: unfinished };
        Ok(Self { sink, target: target.to_owned(), replace })
    }

    /// [`Self::create`] in a folder that is made where it is missing, replacing what is there.
    ///
    /// # Errors
    ///
    /// If the folder cannot be made, and as [`Self::create`].
    pub fn create_with_folder(target: &Path, store: &Path) -> Result<Self> {
        if let Some(folder) = target.parent().filter(|folder| !folder.is_dir()) {
            let unwritable = |error| Error::unwritable(folder, &error);
            let around = folder.ancestors().find(|around| around.is_dir());
            let around = OutputFolder::open(around.unwrap_or_else(|| Path::new(".")));
            refuse_stores(folder, &around.map_err(unwritable)?, store)?;
            fs::create_dir_all(folder).map_err(unwritable)?;
        }
        Self::create(target, store, true)
    }

    /// Gives the file its name: it is whole.
    ///
    /// # Errors
    ///
    /// If something has come to be there in the meantime, or the disk refuses.
    pub fn finish(self) -> Result<()> {
        let Sink::Temporary { file, folder, name, _unfinished } = self.sink else { return Ok(()) };
        let named =
            if self.replace { folder.replace(file, &name) } else { folder.name(file, &name) };
        named.map(drop).map_err(|error| Error::unwritable(&self.target, &error))
    }
}

/// The place of a file that has its name at once, for work that may be interrupted and is gone on with.
pub struct ResumedFile {
    target: PathBuf,
    found: FoundFile,
}

enum FoundFile {
    Stream(File),
    Nothing(OutputFolder, OsString),
    /// The text that is there already.
    Text(OutputFolder, OsString, Vec<u8>),
}

impl ResumedFile {
    /// The place `target`, outside the store that was opened from `store` and outside every other one. Nothing is
    /// changed yet, and links are not followed.
    ///
    /// # Errors
    ///
    /// If the target is inside a store, is a link or has other names, or cannot be read.
    pub fn open(target: &Path, store: &Path) -> Result<Self> {
        let unwritable = |error: io::Error| Error::unwritable(target, &error);
        if let Some(file) = stream(target)? {
            return Ok(Self { target: target.to_owned(), found: FoundFile::Stream(file) });
        }
        let (folder, name) = place(target, store)?;
        let found = match folder.read(&name) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                FoundFile::Nothing(folder, name)
            }
            Err(_) if target.is_symlink() => {
                let found = "Not written: this is a link, which may lead into a store.";
                return Err(refused(target, found));
            }
            Err(error) => return Err(unwritable(error)),
            Ok(mut file) => {
                let metadata = file.metadata().map_err(unwritable)?;
                if !metadata.is_file() {
                    return Err(unwritable(io::ErrorKind::IsADirectory.into()));
                }
                if !has_one_name(&metadata) {
                    return Err(has_more_names(target));
                }
                let mut text = Vec::new();
                file.read_to_end(&mut text).map_err(unwritable)?;
                FoundFile::Text(folder, name, text)
            }
        };
        Ok(Self { target: target.to_owned(), found })
    }

    /// The text that is there already; `None` where nothing is.
    pub fn text(&self) -> Option<&[u8]> {
        match &self.found {
            FoundFile::Text(_, _, text) => Some(text),
            FoundFile::Nothing(..) | FoundFile::Stream(_) => None,
        }
    }

    /// The file, with the first `keep` bytes of what was there. What is there is not written to, whatever came to be
    /// there in the meantime: another file takes its name.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub fn keep(self, keep: usize) -> Result<OutputFile> {
        let Self { target, found } = self;
        let file = match found {
            FoundFile::Stream(file) => Ok(file),
            FoundFile::Nothing(folder, name) => folder.create(&name),
            FoundFile::Text(folder, name, text) => {
                let made = Unfinished::new(|| folder.unnamed(), NamedTempFile::path);
                made.and_then(|(mut file, _unfinished)| {
                    file.as_file_mut().write_all(text.get(..keep).unwrap_or(&text))?;
                    folder.replace(file, &name)
                })
            }
        };
        let file = file.map_err(|error| Error::unwritable(&target, &error))?;
        Ok(OutputFile { sink: Sink::Stream(file), target, replace: true })
    }
}

impl Write for OutputFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.sink {
            // Without the temporary name, which an error would have.
            Sink::Temporary { file, .. } => file.as_file_mut().write(bytes),
            Sink::Stream(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.sink {
            Sink::Temporary { file, .. } => file.flush(),
            Sink::Stream(file) => file.flush(),
        }
    }
}

/// A read-only copy of some bytes in a new folder that only its owner may enter; gone when this is dropped.
pub struct PrivateCopy {
    folder: TempDir,
    path: PathBuf,
    modified: Option<SystemTime>,
    _unfinished: Unfinished,
}

impl PrivateCopy {
    /// A copy of `bytes` in a file called `name`.
    ///
    /// # Errors
    ///
    /// If the folder for temporary files is inside a store, or cannot be written to.
    pub fn new(name: &str, bytes: &[u8]) -> Result<Self> {
        let temporary = env::temp_dir();
        let unwritable = |error: io::Error| Error::unwritable(&temporary, &error);
        let inside = OutputFolder::open(&temporary).map_err(unwritable)?;
        refuse_stores(&temporary, &inside, Path::new(""))?;
        let mut builder = Builder::new();
        set_mode(builder.prefix("zarrscope-"), 0o700);
        let made = Unfinished::new(|| builder.tempdir_in(inside.path()), TempDir::path);
        let (folder, unfinished) = made.map_err(unwritable)?;
        let path = folder.path().join(safe(name).replace(['/', '\\'], "_"));
        let mut options = OpenOptions::new();
        let mut file = options.write(true).create_new(true).open(&path).map_err(unwritable)?;
        file.write_all(bytes).map_err(unwritable)?;
        let metadata = file.metadata().map_err(unwritable)?;
        let mut permissions = metadata.permissions();
        permissions.set_readonly(true);
        file.set_permissions(permissions).map_err(unwritable)?;
        Ok(Self { folder, path, modified: metadata.modified().ok(), _unfinished: unfinished })
    }

    /// The path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Its path if somebody has written to it all the same: then it stays.
    pub fn keep_if_changed(self) -> Option<PathBuf> {
        let now = fs::metadata(&self.path).and_then(|metadata| metadata.modified()).ok();
        if now.is_none() || now == self.modified {
            return None;
        }
        let _kept = self.folder.keep();
        Some(self.path)
    }
}

/// The folder of `target`, open and outside of stores, and the name in it.
fn place(target: &Path, store: &Path) -> Result<(OutputFolder, OsString)> {
    let unwritable = |error: io::Error| Error::unwritable(target, &error);
    let folder = target.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or_else(|| Path::new("."));
    let folder = OutputFolder::open(folder).map_err(unwritable)?;
    let name = target.file_name().ok_or_else(|| unwritable(io::ErrorKind::IsADirectory.into()))?;
    refuse_stores(target, &folder, store)?;
    Ok((folder, name.to_owned()))
}

/// The stores that were opened beside the one that a caller names, such as the second one of a comparison.
static OPENED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Takes down that the store at `path` was opened: no file is written into it, for as long as the program runs.
pub fn keep_out_of(path: &Path) {
    let Ok(path) = path.canonicalize() else { return };
    let mut opened = lock(&OPENED);
    if !opened.contains(&path) {
        opened.push(path);
    }
}

/// Refuses a `target` in `folder` that is inside a store: below metadata documents, in a folder that was opened, or
/// the archive itself. A link is refused as well if what it leads to is.
fn refuse_stores(target: &Path, folder: &OutputFolder, store: &Path) -> Result<()> {
    let leads_to = target.canonicalize().ok();
    let mut stores = lock(&OPENED).clone();
    stores.extend(store.canonicalize().ok());
    let opened = stores.iter().filter(|store| store.is_dir() && !holds_stores(store));
    let opened: Vec<&Path> = opened.map(PathBuf::as_path).collect();
    let other = leads_to.as_deref().and_then(Path::parent);
    let other = other.and_then(|other| OutputFolder::open(other).ok());
    if folder.is_inside(&opened) || other.is_some_and(|other| other.is_inside(&opened)) {
        let found =
            "Not written: this folder is inside a Zarr store, and stores are never changed.";
        return Err(refused(target, found));
    }
    if leads_to
        .as_deref()
        .is_some_and(|target| stores.iter().any(|store| is_same_file(target, store)))
        || leads_to.as_deref().is_some_and(is_archive)
    {
        let found = "Not written: this file is a zip archive, which may be a Zarr store; stores are never changed.";
        return Err(refused(target, found));
    }
    Ok(())
}

/// The error of a file that is perhaps a chunk under another name.
fn has_more_names(target: &Path) -> Error {
    let found = "Not written: this file has other names (hard links), which may be in a store.";
    refused(target, found)
}

fn refused(target: &Path, sentence: &str) -> Error {
    let name = safe_owned(&target.to_string_lossy());
    Error::new(Code::CannotWrite, sentence, "").in_file(name)
}

/// The pipe or device that `target` is, or leads to; `None` where it is something else.
fn stream(target: &Path) -> Result<Option<File>> {
    if !fs::metadata(target).is_ok_and(|found| is_stream(&found)) {
        return Ok(None);
    }
    let unwritable = |error| Error::unwritable(target, &error);
    let file = OpenOptions::new().write(true).open(target).map_err(unwritable)?;
    // Something else may have come to be there in the meantime: opened, but not written to.
    if is_stream(&file.metadata().map_err(unwritable)?) {
        return Ok(Some(file));
    }
    Err(unwritable(io::ErrorKind::AlreadyExists.into()))
}

fn has_document(folder: &Path) -> bool {
    DOCUMENTS.iter().any(|name| folder.join(name).symlink_metadata().is_ok())
}

/// True if `folder` is no store itself and has stores in it: a file beside them harms none.
fn holds_stores(folder: &Path) -> bool {
    let Ok(entries) = fs::read_dir(folder) else { return false };
    !has_document(folder)
        && entries.take(MOST_ENTRIES).flatten().any(|entry| {
            let path = entry.path();
            path.is_dir() && has_document(&path) || is_archive(&path)
        })
}

fn is_archive(path: &Path) -> bool {
    let mut start = [0; 4];
    // Not what blocks when it is opened.
    let is_file = fs::metadata(path).is_ok_and(|metadata| metadata.is_file());
    let read = || File::open(path).and_then(|mut file| file.read_exact(&mut start));
    is_file && { read }().is_ok() && matches!(&start, b"PK\x03\x04" | b"PK\x05\x06")
}

/// True if both are one file, under whatever names.
fn is_same_file(a: &Path, b: &Path) -> bool {
    identity(a).is_some_and(|known| identity(b) == Some(known))
}

#[cfg(unix)]
fn is_stream(metadata: &Metadata) -> bool {
    use std::os::unix::fs::FileTypeExt;
    metadata.file_type().is_char_device() || metadata.file_type().is_fifo()
}

#[cfg(not(unix))]
fn is_stream(_: &Metadata) -> bool {
    false
}

/// The mode of what is made, where there are modes; the user's mask still applies.
#[cfg(unix)]
fn set_mode(builder: &mut Builder<'_, '_>, mode: u32) {
    use std::os::unix::fs::PermissionsExt;
    builder.permissions(fs::Permissions::from_mode(mode));
}

#[cfg(not(unix))]
fn set_mode(_: &mut Builder<'_, '_>, _: u32) {}
