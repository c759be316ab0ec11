//! What flows between codecs: bytes, and elements.

use super::{Bytes, Elements};

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
