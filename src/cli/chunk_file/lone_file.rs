//! A store of one array with one chunk: a file, and a document that was made up for it.

use crate::cli::prelude::*;
use crate::zarr::{
    budget::DEFAULT_LIMIT,
    diagnosis,
    store::{self, MemoryStore},
};

/// Files longer than this are not read to find out what they are.
const LONG: u64 = 256 << 20;

/// A file, a document, and the keys under which they are found.
#[derive(Debug)]
pub(super) struct LoneFile {
    folder: Arc<dyn Store>,
    file: String,
    path: PathBuf,
    chunk: String,
    /// The document; and nothing under the key of the chunk, so that it is listed.
    made_up: MemoryStore,
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
        let (folder, made_up) = (store::open(folder)?, MemoryStore::default());
        let (file, path) = (file.to_owned(), path.to_owned());
        Ok(Self { folder, file, path, chunk: String::new(), made_up })
    }

    /// Puts the document and the file where an array has them.
    pub(super) fn serve(&mut self, key: &str, document: Vec<u8>, chunk: String) {
        self.made_up.insert(key, document);
        self.made_up.insert(chunk.as_str(), Vec::new());
        self.chunk = chunk;
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

    fn holds(&self, key: &str) -> bool {
        key == self.chunk
    }
}

impl Store for LoneFile {
    fn read(&self, key: &str, limit: u64) -> Result<Option<Vec<u8>>> {
        if self.holds(key) {
            self.folder.read(&self.file, limit)
        } else {
            self.made_up.read(key, limit)
        }
    }

    fn read_range(&self, key: &str, range: Range<u64>) -> Result<Option<Vec<u8>>> {
        if self.holds(key) {
            self.folder.read_range(&self.file, range)
        } else {
            self.made_up.read_range(key, range)
        }
    }

    fn stat(&self, key: &str) -> Result<Option<Stat>> {
        if self.holds(key) { self.folder.stat(&self.file) } else { self.made_up.stat(key) }
    }

    fn list(&self, prefix: &str) -> Result<Vec<Entry>> {
        self.made_up.list(prefix)
    }

    fn path(&self, key: &str) -> Option<PathBuf> {
        self.holds(key).then(|| self.folder.path(&self.file)).flatten()
    }

    fn name(&self) -> String {
        self.path.display().to_string()
    }
}
