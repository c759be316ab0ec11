//! Ways in which the chunk view writes numbers and shades the map.

use crate::zarr::codec::Elements;

/// The property of each chunk that the map shows.
#[derive(Clone, Copy, Default)]
pub enum MapMode {
    /// The presence of chunks.
    #[default]
    Presence,
    /// Its size relative to the largest.
    Size,
    /// Its compression.
    Ratio,
    /// The time of the last write.
    Time,
}

impl MapMode {
    /// The name in the map's legend.
    pub fn name(self) -> &'static str {
        match self {
            Self::Presence => "presence",
            Self::Size => "size",
            Self::Ratio => "ratio",
            Self::Time => "time",
        }
    }

    /// The next one.
    pub fn next(self) -> Self {
        match self {
            Self::Presence => Self::Size,
            Self::Size => Self::Ratio,
            Self::Ratio => Self::Time,
            Self::Time => Self::Presence,
        }
    }
}

/// The format of numbers.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum NumberBase {
    /// As values of the data type.
    #[default]
    Value,
    /// The bits as one hexadecimal number, most significant digit first.
    Hex,
    /// The bits as one binary number.
    Binary,
}

impl NumberBase {
    /// The columns that a value of `elements` takes in this base; `None` where that depends on the value, or is more
    /// than a line can hold.
    pub fn width(self, elements: &Elements) -> Option<usize> {
        let size = elements.data_type().fixed_size().filter(|&size| size <= 16)?;
        match self {
            Self::Value => None,
            Self::Hex => Some(2 * size),
            // Bits in groups of four.
            Self::Binary => Some(8 * size + 2 * size - 1),
        }
    }

    /// The next one.
    pub fn next(self) -> Self {
        match self {
            Self::Value => Self::Hex,
            Self::Hex => Self::Binary,
            Self::Binary => Self::Value,
        }
    }
}
