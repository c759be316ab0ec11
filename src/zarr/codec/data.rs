//! What flows between codecs: bytes, wholly or partly loaded, and elements.

use super::Elements;
use std::{ops::Range, sync::Arc};

/// Bytes of a stage: all of them, or a window of a file too large to hold. Cheap to clone and to cut.
#[derive(Debug, Clone)]
pub struct Bytes {
    data: Arc<Vec<u8>>,
    /// Which part of `data` is meant.
    part: Range<usize>,
    start: u64,
    len: u64,
}

impl Bytes {
    /// All bytes there are.
    #[must_use]
    pub fn whole(data: Vec<u8>) -> Self {
        let len = data.len() as u64;
        Self::window(data, 0, len)
    }

    /// The bytes from `start` on of something `len` bytes long.
    #[must_use]
    pub fn window(data: Vec<u8>, start: u64, len: u64) -> Self {
        Self { part: 0..data.len(), data: Arc::new(data), start, len }
    }

    /// The bytes of `range` as bytes of their own, without a copy; `None` where some of them are not loaded or do not
    /// exist.
    #[must_use]
    pub fn slice(&self, range: Range<u64>) -> Option<Self> {
        let found = self.get(range.clone())?.len();
        let from = self.part.start + usize::try_from(range.start - self.start).ok()?;
        Some(Self {
            data: Arc::clone(&self.data),
            part: from..from + found,
            start: 0,
            len: found as u64,
        })
    }

    /// The same bytes as a part of something larger: they begin at `start` of its `len` bytes.
    #[must_use]
    pub fn placed(&self, start: u64, len: u64) -> Self {
        Self { start, len, ..self.clone() }
    }

    /// How many bytes there are, loaded or not.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Which bytes are here.
    #[must_use]
    pub fn loaded(&self) -> Range<u64> {
        self.start..self.start + self.part.len() as u64
    }

    /// The bytes that are here.
    #[must_use]
    pub fn here(&self) -> &[u8] {
        self.data.get(self.part.clone()).unwrap_or_default()
    }

    /// The bytes of `range`; `None` where some of them are not loaded or do not exist.
    #[must_use]
    pub fn get(&self, range: Range<u64>) -> Option<&[u8]> {
        let from = usize::try_from(range.start.checked_sub(self.start)?).ok()?;
        let to = usize::try_from(range.end.checked_sub(self.start)?).ok()?;
        self.here().get(from..to)
    }

    /// All bytes, where all of them are here.
    #[must_use]
    pub fn as_whole(&self) -> Option<&[u8]> {
        (self.loaded() == (0..self.len)).then(|| self.here())
    }
}

/// What flows between codecs.
#[derive(Debug, Clone)]
pub enum Data {
    /// Bytes that no data type has been given to yet.
    Bytes(Bytes),
    /// Elements.
    Elements(Elements),
}

impl Data {
    /// How many bytes it is.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.bytes().len()
    }

    /// Whether it has no bytes.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Its bytes, elements or not.
    #[must_use]
    pub fn bytes(&self) -> &Bytes {
        match self {
            Self::Bytes(bytes) => bytes,
            Self::Elements(elements) => elements.bytes(),
        }
    }

    /// The elements, where it is elements.
    #[must_use]
    pub fn elements(&self) -> Option<&Elements> {
        match self {
            Self::Bytes(_) => None,
            Self::Elements(elements) => Some(elements),
        }
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
