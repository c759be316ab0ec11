//! Bytes at hand: all of them in memory, a window of something too large for that, or a map of a file.

use super::error::Result;
use super::prelude::*;
use std::fmt::Debug;

/// Memory that changes and goes away with what it shows, as a map of a file does.
///
/// A file that is cut while it is mapped leaves no error where it is read, only bytes that were never stored. So
/// whoever goes through such memory asks [`VolatileMemory::intact`] afterwards, and drops what was computed if it was
/// not.
pub trait VolatileMemory: Debug + Send + Sync {
    /// The bytes.
    fn bytes(&self) -> &[u8];

    /// Checks that all bytes read so far were stored, and belong to one state of the file.
    ///
    /// # Errors
    ///
    /// `chunk-shrunk` if the file was cut, `chunk-changed` if it was written to, `io` if it could not be read.
    fn intact(&self) -> Result<()>;

    /// True if nothing was ever written to the bytes `part`, so that all of them are known to be 0 without a look.
    fn is_hole(&self, part: Range<usize>) -> bool {
        let _ = part;
        false
    }
}

/// Bytes of a stage: all of them, or a window of a file too large to hold. Cheap to clone and to cut.
#[derive(Debug, Clone)]
pub struct Bytes {
    held: HeldBytes,
    /// The part of what is held that is meant.
    part: Range<usize>,
    start: u64,
    len: u64,
}

#[derive(Debug, Clone)]
enum HeldBytes {
    Own(Arc<Vec<u8>>),
    Shared(Arc<dyn VolatileMemory>),
}

impl Bytes {
    /// All bytes there are.
    pub fn whole(data: Vec<u8>) -> Self {
        let len = data.len() as u64;
        Self::window(data, 0, len)
    }

    /// The bytes from `start` on of something `len` bytes long.
    pub fn window(data: Vec<u8>, start: u64, len: u64) -> Self {
        Self { part: 0..data.len(), held: HeldBytes::Own(Arc::new(data)), start, len }
    }

    /// All bytes of `memory`, none of them copied.
    pub fn shared(memory: Arc<dyn VolatileMemory>) -> Self {
        let len = memory.bytes().len();
        Self { part: 0..len, held: HeldBytes::Shared(memory), start: 0, len: len as u64 }
    }

    /// The bytes of `range` as bytes of their own, without a copy; `None` where some of them are not loaded or do not
    /// exist.
    pub fn slice(&self, range: Range<u64>) -> Option<Self> {
        let found = self.get(range.clone())?.len();
        let from = self.part.start + usize::try_from(range.start - self.start).ok()?;
        Some(Self {
            held: self.held.clone(),
            part: from..from + found,
            start: 0,
            len: found as u64,
        })
    }

    /// The same bytes as a part of something larger: they begin at `start` of its `len` bytes.
    pub fn placed(&self, start: u64, len: u64) -> Self {
        Self { start, len, ..self.clone() }
    }

    /// The same bytes in memory that nobody else changes; a copy only of shared memory. For decoders that look at a
    /// byte twice and rely on it being the same.
    pub fn owned(self) -> Self {
        match &self.held {
            HeldBytes::Own(_) => self,
            HeldBytes::Shared(_) => Self::window(self.here().to_vec(), self.start, self.len),
        }
    }

    /// True if they are memory that others may change, such as a map of a file.
    pub fn is_shared(&self) -> bool {
        matches!(self.held, HeldBytes::Shared(_))
    }

    /// Checks that all bytes read so far were stored: see [`VolatileMemory::intact`]. To be asked after a pass over
    /// bytes that may be mapped, before anything that was computed is shown.
    ///
    /// # Errors
    ///
    /// As [`VolatileMemory::intact`]; never for bytes in memory of their own.
    pub fn intact(&self) -> Result<()> {
        match &self.held {
            HeldBytes::Own(_) => Ok(()),
            HeldBytes::Shared(memory) => memory.intact(),
        }
    }

    /// True if the bytes of `range` are loaded and known to be 0 without a look: a hole of a sparse file. Whoever makes
    /// something of that asks [`Self::intact`] afterwards, as after a look.
    pub fn is_hole(&self, range: Range<u64>) -> bool {
        let HeldBytes::Shared(memory) = &self.held else { return false };
        let at =
            |end: u64| Some(self.part.start + usize::try_from(end.checked_sub(self.start)?).ok()?);
        let part = at(range.start).zip(at(range.end)).filter(|part| part.1 <= self.part.end);
        part.is_some_and(|(from, to)| from < to && memory.is_hole(from..to))
    }

    /// The number of bytes, loaded or not.
    pub fn len(&self) -> u64 {
        self.len
    }

    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The range of the bytes that are loaded.
    pub fn loaded(&self) -> Range<u64> {
        self.start..self.start + self.part.len() as u64
    }

    /// The bytes that are here.
    pub fn here(&self) -> &[u8] {
        let held = match &self.held {
            HeldBytes::Own(data) => data.as_slice(),
            HeldBytes::Shared(memory) => memory.bytes(),
        };
        held.get(self.part.clone()).unwrap_or_default()
    }

    /// The bytes of `range`; `None` where some of them are not loaded or do not exist.
    pub fn get(&self, range: Range<u64>) -> Option<&[u8]> {
        let from = usize::try_from(range.start.checked_sub(self.start)?).ok()?;
        let to = usize::try_from(range.end.checked_sub(self.start)?).ok()?;
        self.here().get(from..to)
    }

    /// All bytes, where all of them are here.
    pub fn as_whole(&self) -> Option<&[u8]> {
        (self.loaded() == (0..self.len)).then(|| self.here())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slice_of_a_window_has_addresses_of_its_own() {
        let window = Bytes::window(vec![5, 6, 7, 8], 5, 100);
        assert_eq!(window.get(6..8), Some(&[6, 7][..]));
        assert!(window.get(4..6).is_none() && window.get(8..10).is_none());
        assert!(window.as_whole().is_none());
        let slice = window.slice(6..9).unwrap();
        assert_eq!((slice.as_whole(), slice.loaded()), (Some(&[6, 7, 8][..]), 0..3));
        assert_eq!(slice.slice(1..3).unwrap().here(), [7, 8]);
    }
}
