//! Files that hold what was read of stores far away, so that it need not be read again.

use super::OutputFile;
use crate::zarr::{Result, store::kept::EntryFolder};
use std::{
    fs::{self, Metadata},
    io::Write,
    path::{Path, PathBuf},
};

/// The text by which programs that make backups know such a folder (bford.info/cachedir).
const TAG: &[u8] = b"Signature: 8a477f597d28d172789f06886806bc55\n# Made by zarrscope --cache; it may be deleted.\n";

/// A folder of entries, one file each.
#[derive(Debug)]
pub struct FileEntries(PathBuf);

impl FileEntries {
    /// The folder `folder`, which is made where it is missing.
    ///
    /// # Errors
    ///
    /// If it is in a store, or cannot be written to.
    pub fn open(folder: &Path) -> Result<Self> {
        let entries = Self(folder.to_owned());
        entries.put(Path::new("CACHEDIR.TAG"), TAG)?;
        Ok(entries)
    }

    fn put(&self, name: &Path, bytes: &[u8]) -> Result<()> {
        let mut file = OutputFile::create_with_folder(&self.0.join(name), Path::new(""))?;
        // One that is not whole gets no name.
        match file.write_all(bytes) {
            Ok(()) => file.finish(),
            Err(error) => Err(crate::zarr::Error::unwritable(&self.0, &error)),
        }
    }

    /// The path of an entry: a folder of all has too many names.
    fn path(name: &str) -> PathBuf {
        let (folder, name) = name.split_at_checked(2).unwrap_or(("", name));
        Path::new(folder).join(name)
    }
}

impl EntryFolder for FileEntries {
    fn read(&self, name: &str, len: u64) -> Option<Vec<u8>> {
        let path = self.0.join(Self::path(name));
        let is_it = |found: Metadata| found.is_file() && found.len() == len;
        let is_file = path.symlink_metadata().is_ok_and(is_it);
        is_file.then(|| fs::read(path).ok())?
    }

    fn write(&self, name: &str, bytes: &[u8]) {
        // Without it, the bytes are read again.
        self.put(&Self::path(name), bytes).ok();
    }
}
