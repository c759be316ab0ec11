//! Files that hold what was read of stores far away, so that it need not be read again.

use crate::worker::prelude::*;
use crate::zarr::store::kept::{EntryFolder, HEAD};

/// The text by which programs that make backups know such a folder (bford.info/cachedir).
const TAG: &[u8] = b"Signature: 8a477f597d28d172789f06886806bc55\n# Made by zarrscope --cache; it may be deleted.\n";

/// The length of the name of an entry: a hash in hexadecimal digits.
const NAME: usize = 64;

/// The most bytes of all entries: beyond it, those that were written first are removed.
const MOST: u64 = 16 << 30;

/// A folder of entries, one file each.
#[derive(Debug)]
pub struct FileEntries {
    folder: PathBuf,
    most: u64,
    /// The bytes of all entries; another process may have written and removed some meanwhile.
    bytes: Mutex<u64>,
}

impl FileEntries {
    /// The folder `folder`, which is made where it is missing.
    ///
    /// # Errors
    ///
    /// If it is in a store, or cannot be written to.
    pub fn open(folder: &Path) -> Result<Self> {
        let entries = Self { folder: folder.to_owned(), most: MOST, bytes: Mutex::default() };
        entries.put(Path::new("CACHEDIR.TAG"), TAG)?;
        let bytes = entries.all().iter().map(|(_, len, _)| len).sum();
        Ok(Self { bytes: Mutex::new(bytes), ..entries })
    }

    /// All entries: when each was written, its length, and its path. What has another name is none.
    fn all(&self) -> Vec<(SystemTime, u64, PathBuf)> {
        let is_name = |path: &Path, len: usize| {
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            name.len() == len && name.bytes().all(|byte| byte.is_ascii_hexdigit())
        };
        let inside = |folder: &Path| fs::read_dir(folder).into_iter().flatten().flatten();
        let folders =
            inside(&self.folder).map(|found| found.path()).filter(|path| is_name(path, 2));
        let files = folders.flat_map(|folder| inside(&folder)).filter_map(|found| {
            let (path, metadata) = (found.path(), found.metadata().ok()?);
            let is_entry = is_name(&path, NAME - 2) && metadata.is_file();
            is_entry.then(|| Some((metadata.modified().ok()?, metadata.len(), path)))?
        });
        files.collect()
    }

    /// Counts the bytes of a new entry; where all are too many, the oldest go until a quarter is free.
    fn count(&self, len: u64) {
        let mut bytes = lock(&self.bytes);
        *bytes += len;
        if *bytes <= self.most {
            return;
        }
        let mut all = self.all();
        all.sort_unstable();
        *bytes = all.iter().map(|(_, len, _)| len).sum();
        for (_, len, path) in all {
            if *bytes <= self.most / 4 * 3 {
                break;
            }
            // One that cannot be removed stays, and so does what another program has written under such a name.
            if is_ours(&path) && fs::remove_file(path).is_ok() {
                *bytes -= len;
            }
        }
    }

    fn put(&self, name: &Path, bytes: &[u8]) -> Result<()> {
        let mut file = OutputFile::create_with_folder(&self.folder.join(name), Path::new(""))?;
        // One that is not whole gets no name.
        match file.write_all(bytes) {
            Ok(()) => file.finish(),
            Err(error) => Err(Error::unwritable(&self.folder, &error)),
        }
    }

    /// The path of an entry: a folder of all has too many names.
    fn path(name: &str) -> PathBuf {
        let (folder, name) = name.split_at_checked(2).unwrap_or(("", name));
        Path::new(folder).join(name)
    }
}

/// True if a file begins as entries do.
fn is_ours(path: &Path) -> bool {
    let mut head = [0; HEAD.len()];
    File::open(path).and_then(|mut file| file.read_exact(&mut head)).is_ok() && head == HEAD
}

impl EntryFolder for FileEntries {
    fn read(&self, name: &str, len: u64) -> Option<Vec<u8>> {
        let path = self.folder.join(Self::path(name));
        let is_it = |found: Metadata| found.is_file() && found.len() == len;
        let is_file = path.symlink_metadata().is_ok_and(is_it);
        is_file.then(|| fs::read(path).ok())?
    }

    fn write(&self, name: &str, bytes: &[u8]) {
        // Without it, the bytes are read again.
        if self.put(&Self::path(name), bytes).is_ok() {
            self.count(bytes.len() as u64);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_entries_go_when_all_are_too_many() {
        let folder = tempfile::tempdir().unwrap();
        let other = folder.path().join("ab");
        fs::create_dir(&other).unwrap();
        fs::write(other.join("notes.txt"), [0; 5000]).unwrap();
        let name = |at: u64| format!("{at:064x}");
        // The object of a repository may be called so.
        let object = folder.path().join(FileEntries::path(&name(99)));
        fs::create_dir_all(object.parent().unwrap()).unwrap();
        fs::write(&object, [0; 1000]).unwrap();
        let entry = [HEAD, &[7; 982]].concat();
        let entries = FileEntries { most: 5000, ..FileEntries::open(folder.path()).unwrap() };
        for at in 0..10 {
            entries.write(&name(at), &entry);
            thread::sleep(Duration::from_millis(10));
        }
        let kept: Vec<_> = (0..10).filter(|at| entries.read(&name(*at), 1000).is_some()).collect();
        assert_eq!(kept.len(), 4, "{kept:?}");
        assert!(kept.windows(2).all(|two| two[1] == two[0] + 1) && kept[3] == 9, "{kept:?}");
        // The next process counts what is there.
        let again = FileEntries { most: 5000, ..FileEntries::open(folder.path()).unwrap() };
        again.write(&name(10), &entry);
        assert!(
            again.read(&name(kept[0]), 1000).is_none() && again.read(&name(10), 1000).is_some()
        );
        assert!(object.exists());
        assert!(other.join("notes.txt").exists());
    }
}
