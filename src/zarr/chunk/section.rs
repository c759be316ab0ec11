//! A stretch of stored bytes that is read only where it is needed: a file, an inner chunk of it, or bytes in memory.

use crate::zarr::prelude::*;

/// The stretch.
#[derive(Clone)]
pub(in crate::zarr) struct Section<'a> {
    source: Backing<'a>,
    start: u64,
    len: u64,
}

#[derive(Clone)]
enum Backing<'a> {
    File {
        store: &'a dyn Store,
        key: &'a str,
    },
    /// A file that need not be read.
    AtHand(Bytes),
    Memory(Bytes),
}

impl<'a> Section<'a> {
    /// The whole file under `key`, which is `len` bytes long.
    pub(in crate::zarr) fn file(store: &'a dyn Store, key: &'a str, len: u64) -> Self {
        Self { source: Backing::File { store, key }, start: 0, len }
    }

    /// The same, mapped if the store can do that.
    pub(in crate::zarr) fn mapped(store: &'a dyn Store, key: &'a str, len: u64) -> Self {
        match store.map(key).filter(|map| map.len() == len) {
            Some(map) => Self::at_hand(map),
            None => Self::file(store, key, len),
        }
    }

    /// The same of a file whose bytes are here already.
    pub(in crate::zarr) fn at_hand(bytes: Bytes) -> Self {
        Self { start: 0, len: bytes.len(), source: Backing::AtHand(bytes) }
    }

    /// Bytes that are in memory.
    pub(in crate::zarr) fn memory(bytes: Bytes) -> Self {
        Self { start: 0, len: bytes.len(), source: Backing::Memory(bytes) }
    }

    pub(in crate::zarr) fn len(&self) -> u64 {
        self.len
    }

    /// Its first byte in the section around it.
    pub(in crate::zarr) fn start(&self) -> u64 {
        self.start
    }

    /// The offset of its first byte in the file; `None` in memory.
    pub(in crate::zarr) fn file_offset(&self) -> Option<u64> {
        (!matches!(self.source, Backing::Memory(_))).then_some(self.start)
    }

    /// True if reading copies nothing, however much it is.
    pub(in crate::zarr) fn is_at_hand(&self) -> bool {
        !matches!(self.source, Backing::File { .. })
    }

    /// Checks that the bytes read were stored.
    ///
    /// # Errors
    ///
    /// As [`Bytes::intact`].
    pub(in crate::zarr) fn intact(&self) -> Result<()> {
        match &self.source {
            Backing::File { .. } => Ok(()),
            Backing::AtHand(bytes) | Backing::Memory(bytes) => bytes.intact(),
        }
    }

    /// So many bytes from `start` on of the same file; `None` in memory.
    pub(in crate::zarr) fn of_file(&self, start: u64, len: u64) -> Option<Self> {
        self.file_offset().map(|_| Self { start, len, ..self.clone() })
    }

    /// A part of it.
    pub(in crate::zarr) fn part(&self, range: &Range<u64>) -> Self {
        let start = self.start.saturating_add(range.start);
        Self { start, len: range.end - range.start, ..self.clone() }
    }

    /// The bytes of `range`.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, or has become shorter in the meantime.
    pub(in crate::zarr) fn read(&self, range: Range<u64>) -> Result<Bytes> {
        let wanted = self.start + range.start..self.start + range.end;
        match &self.source {
            Backing::AtHand(bytes) | Backing::Memory(bytes) => {
                bytes.slice(wanted.clone()).ok_or_else(|| {
                    let found = format!("{} bytes", bytes.len());
                    let expected = byte_range(&wanted);
                    Error::new(Code::ChunkTruncated, found, expected).at_offset(bytes.len())
                })
            }
            Backing::File { store, key } => {
                let bytes = store.read_range(key, wanted.clone())?.ok_or_else(|| {
                    Error::new(Code::ChunkChanged, "the file was removed", "it").in_file(*key)
                })?;
                if bytes.len() as u64 == wanted.end - wanted.start {
                    return Ok(Bytes::whole(bytes));
                }
                let end = wanted.start + bytes.len() as u64;
                let found = format!("the file was cut to {end} bytes");
                let expected = byte_range(&wanted);
                Err(Error::new(Code::ChunkChanged, found, expected).in_file(*key).at_offset(end))
            }
        }
    }

    /// All of it.
    ///
    /// # Errors
    ///
    /// As [`Self::read`].
    pub(in crate::zarr) fn all(&self) -> Result<Bytes> {
        self.read(0..self.len)
    }
}
