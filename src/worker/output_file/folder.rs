//! The folder of an output, held open: what is done in it is done there, wherever its path leads meanwhile.

use crate::worker::prelude::*;
use crate::zarr::store::DOCUMENTS;
use std::ffi::OsStr;
use tempfile::NamedTempFile;

/// A folder for files that are written.
pub(super) struct OutputFolder {
    path: PathBuf,
    #[cfg(unix)]
    open: std::os::fd::OwnedFd,
}

impl OutputFolder {
    /// The path of the folder as it was opened.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// A new file without a name that anybody knows.
    pub(super) fn unnamed(&self) -> io::Result<NamedTempFile> {
        let mut builder = tempfile::Builder::new();
        builder.prefix(".zarrscope-").suffix(".part");
        builder.make_in(&self.path, |path| self.create(name_of(path)?))
    }

    /// Gives `file` this name, in place of what has it.
    pub(super) fn replace(&self, file: NamedTempFile, name: &OsStr) -> io::Result<File> {
        self.rename(name_of(file.path())?, name)?;
        Ok(file.keep()?.0)
    }

    /// Gives `file` this name, which nothing has.
    pub(super) fn name(&self, file: NamedTempFile, name: &OsStr) -> io::Result<File> {
        self.rename_to_new(name_of(file.path())?, name)?;
        Ok(file.keep()?.0)
    }
}

fn name_of(path: &Path) -> io::Result<&OsStr> {
    path.file_name().ok_or_else(|| io::ErrorKind::IsADirectory.into())
}

#[cfg(unix)]
mod implementation {
    use super::{DOCUMENTS, File, Metadata, OsStr, OutputFolder, Path, io};
    use rustix::fs::{AtFlags, Mode, OFlags, linkat, open, openat, renameat, statat, unlinkat};
    use std::os::unix::fs::MetadataExt;

    /// The folders around one that are looked at. Paths are shorter.
    const MOST_FOLDERS: usize = 4096;

    impl OutputFolder {
        pub(in super::super) fn open(path: &Path) -> io::Result<Self> {
            let path = path.canonicalize()?;
            let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
            Ok(Self { open: open(&path, flags, Mode::empty())?, path })
        }

        /// A new file of this name. Not even a link that leads nowhere may be there.
        pub(in super::super) fn create(&self, name: &OsStr) -> io::Result<File> {
            let flags =
                OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
            Ok(openat(&self.open, name, flags, Mode::from_raw_mode(0o666))?.into())
        }

        /// The file of this name for reading, and what it is; a link is an error. A pipe without a writer does not
        /// block.
        pub(in super::super) fn read(&self, name: &OsStr) -> io::Result<File> {
            let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
            Ok(openat(&self.open, name, flags, Mode::empty())?.into())
        }

        pub(super) fn rename(&self, from: &OsStr, to: &OsStr) -> io::Result<()> {
            Ok(renameat(&self.open, from, &self.open, to)?)
        }

        pub(super) fn rename_to_new(&self, from: &OsStr, to: &OsStr) -> io::Result<()> {
            #[cfg(any(target_os = "linux", target_os = "macos"))]
            {
                use rustix::{
                    fs::{RenameFlags, renameat_with},
                    io::Errno,
                };
                let flags = RenameFlags::NOREPLACE;
                match renameat_with(&self.open, from, &self.open, to, flags) {
                    // A file system that cannot; such as those of a network.
                    Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => {}
                    renamed => return Ok(renamed?),
                }
            }
            linkat(&self.open, from, &self.open, to, AtFlags::empty())?;
            Ok(unlinkat(&self.open, from, AtFlags::empty())?)
        }

        /// True if this folder, or one around it, has a document of Zarr, or is one of `roots`.
        pub(in super::super) fn is_inside(&self, roots: &[&Path]) -> bool {
            let roots = roots.iter().filter_map(|root| root.metadata().ok());
            let roots: Vec<_> = roots.map(|root| (Some(root.dev()), root.ino())).collect();
            let (mut up, mut inner) = (String::from("./"), None);
            for _ in 0..MOST_FOLDERS {
                let Ok(folder) = statat(&self.open, up.as_str(), AtFlags::empty()) else { break };
                #[allow(clippy::useless_conversion, reason = "the types differ between systems")]
                let folder = (u64::try_from(folder.st_dev).ok(), u64::from(folder.st_ino));
                let is_root = roots.contains(&folder);
                let has =
                    |name| statat(&self.open, format!("{up}{name}"), AtFlags::SYMLINK_NOFOLLOW);
                if is_root || DOCUMENTS.iter().any(|name| has(name).is_ok()) {
                    return true;
                }
                // The uppermost folder is the one around itself.
                if inner == Some(folder) {
                    break;
                }
                inner = Some(folder);
                up += "../";
            }
            false
        }
    }

    /// True if the file has no other name than the one it was opened by.
    pub(in super::super) fn has_one_name(metadata: &Metadata) -> bool {
        metadata.nlink() <= 1
    }
}

#[cfg(not(unix))]
mod implementation {
    use super::{DOCUMENTS, File, Metadata, OsStr, OutputFolder, Path, io};
    use std::fs::{self, OpenOptions};

    impl OutputFolder {
        pub(in super::super) fn open(path: &Path) -> io::Result<Self> {
            Ok(Self { path: path.canonicalize()? })
        }

        pub(in super::super) fn create(&self, name: &OsStr) -> io::Result<File> {
            OpenOptions::new().write(true).create_new(true).open(self.path.join(name))
        }

        pub(in super::super) fn read(&self, name: &OsStr) -> io::Result<File> {
            let path = self.path.join(name);
            if path.symlink_metadata()?.is_symlink() {
                return Err(io::Error::other("this is a link"));
            }
            File::open(path)
        }

        pub(super) fn rename(&self, from: &OsStr, to: &OsStr) -> io::Result<()> {
            fs::rename(self.path.join(from), self.path.join(to))
        }

        pub(super) fn rename_to_new(&self, from: &OsStr, to: &OsStr) -> io::Result<()> {
            fs::hard_link(self.path.join(from), self.path.join(to))?;
            fs::remove_file(self.path.join(from))
        }

        pub(in super::super) fn is_inside(&self, roots: &[&Path]) -> bool {
            let mut roots = roots.iter().filter_map(|root| root.canonicalize().ok());
            self.path
                .ancestors()
                .any(|folder| DOCUMENTS.iter().any(|name| folder.join(name).exists()))
                || roots.any(|root| self.path.starts_with(root))
        }
    }

    pub(in super::super) fn has_one_name(_: &Metadata) -> bool {
        true
    }
}

pub(super) use implementation::has_one_name;
