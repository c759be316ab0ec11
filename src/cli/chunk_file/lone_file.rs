//! A store of one array with one chunk: a file, and a document that was made up for it.

use crate::cli::prelude::*;
use crate::zarr::{
    Result,
    budget::DEFAULT_LIMIT,
    diagnosis::{self},
    store::{self, Entry, Stat},
};

/// Files longer than this are not read to find out what they are.
const LONG: u64 = 256 << 20;

/// A file, a document, and the keys under which they are found.
#[derive(Debug)]
pub(super) struct LoneFile {
    folder: Arc<dyn Store>,
    file: String,
    path: PathBuf,
    document: (&'static str, Vec<u8>),
    chunk: String,
}

impl LoneFile {
    /// The file at `path`, not yet under any key.
    pub(super) fn open(path: &Path) -> Result<Self> {
        let name = path.display().to_string();
        let canonical = path.canonicalize().map_err(|error| Error::io(&name, &error))?;
        let file = canonical.file_name().and_then(|file| file.to_str());
        let (Some(folder), Some(file), true) = (canonical.parent(), file, canonical.is_file())
        else {
            return Err(Error::new(Code::NotAFile, "nothing", "a chunk file").in_file(name));
        };
        let folder = store::open(folder)?;
        let (file, path) = (file.to_owned(), path.to_owned());
        Ok(Self { folder, file, path, document: ("", Vec::new()), chunk: String::new() })
    }

    /// Puts the document and the file where an array has them.
    pub(super) fn serve(&mut self, format: Format, document: Vec<u8>, chunk: String) {
        let key = match format {
            Format::V2 => ".zarray",
            Format::V3 => "zarr.json",
        };
        (self.document, self.chunk) = ((key, document), chunk);
    }

    /// The codecs that the bytes announce; `None` where there are none, or the file is too long to be tried.
    pub(super) fn wrapping(&self, registry: &Registry) -> Option<Wrapping> {
        let bytes = self.folder.read(&self.file, LONG).ok()??;
        Some(diagnosis::unwrap(bytes, DEFAULT_LIMIT, registry))
            .filter(|wrapping| !wrapping.codecs.is_empty())
    }

    /// As many elements as there are bytes for in the file, or in its `wrapping`.
    pub(super) fn shape(
        &self,
        data_type: &dyn DataType,
        wrapping: Option<&Wrapping>,
    ) -> Result<Vec<u64>> {
        let stored = self.folder.stat(&self.file)?.map_or(0, |stat| stat.len);
        let len = wrapping.map_or(stored, |wrapping| wrapping.inside.len() as u64);
        let Some(size) = data_type.fixed_size().filter(|&size| size > 0) else {
            let found = "variable-length elements";
            return Err(Error::new(Code::InvalidArgument, found, "--shape together with --dtype"));
        };
        Ok(vec![len / size as u64])
    }

    fn made_up(&self, key: &str) -> Option<&[u8]> {
        (key == self.document.0).then_some(&*self.document.1)
    }

    fn holds(&self, key: &str) -> bool {
        key == self.chunk
    }
}

impl Store for LoneFile {
    fn read(&self, key: &str, limit: u64) -> Result<Option<Vec<u8>>> {
        match self.made_up(key) {
            Some(document) => Ok(Some(document.to_vec())),
            None if self.holds(key) => self.folder.read(&self.file, limit),
            None => Ok(None),
        }
    }

    fn read_range(&self, key: &str, range: Range<u64>) -> Result<Option<Vec<u8>>> {
        let cut = |len: usize, at: u64| usize::try_from(at).unwrap_or(len).min(len);
        match self.made_up(key) {
            Some(document) => {
                let (start, end) =
                    (cut(document.len(), range.start), cut(document.len(), range.end));
                Ok(Some(document.get(start..end).unwrap_or_default().to_vec()))
            }
            None if self.holds(key) => self.folder.read_range(&self.file, range),
            None => Ok(None),
        }
    }

    fn stat(&self, key: &str) -> Result<Option<Stat>> {
        match self.made_up(key) {
            Some(document) => {
                Ok(Some(Stat { len: document.len() as u64, modified: None, etag: None }))
            }
            None if self.holds(key) => self.folder.stat(&self.file),
            None => Ok(None),
        }
    }

    fn list(&self, prefix: &str) -> Result<Vec<Entry>> {
        let below = |key: &str| {
            let rest = match prefix {
                "" => key,
                prefix => key.strip_prefix(prefix)?.strip_prefix('/')?,
            };
            let (name, is_folder) =
                rest.split_once('/').map_or((rest, false), |(name, _)| (name, true));
            Some(Entry { name: name.to_owned(), is_folder, is_link: false })
        };
        Ok([self.document.0, &self.chunk].into_iter().filter_map(below).collect())
    }

    fn path(&self, key: &str) -> Option<PathBuf> {
        self.holds(key).then(|| self.folder.path(&self.file)).flatten()
    }

    fn name(&self) -> String {
        self.path.display().to_string()
    }
}
