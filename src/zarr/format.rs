//! The two Zarr formats.

/// A Zarr format. Always written "V2" and "V3".
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(missing_docs, reason = "each is the format of its name")]
pub enum Format {
    V2,
    V3,
}

impl Format {
    /// `V2` or `V3`.
    pub fn name(self) -> &'static str {
        match self {
            Self::V2 => "V2",
            Self::V3 => "V3",
        }
    }

    /// The number in `zarr_format`.
    pub fn number(self) -> u8 {
        match self {
            Self::V2 => 2,
            Self::V3 => 3,
        }
    }

    /// The name of the document of an array.
    pub fn array_document(self) -> &'static str {
        match self {
            Self::V2 => ".zarray",
            Self::V3 => "zarr.json",
        }
    }

    /// The other one.
    pub fn other(self) -> Self {
        match self {
            Self::V2 => Self::V3,
            Self::V3 => Self::V2,
        }
    }
}
