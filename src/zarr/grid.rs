//! Which chunk holds which part of the array, and under which key it lies.
//!
//! All arithmetic is checked and in 64 bits or more; nothing here takes memory that grows with the number of chunks,
//! because grids of 10¹⁸ chunks exist on paper.

use std::ops::Range;

/// How an array is cut into chunks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Grid {
    /// Every chunk has this shape, in elements.
    Regular(Vec<u64>),
    /// Along each dimension, chunk lengths as runs of (length, how many of it).
    Rectilinear(Vec<Vec<(u64, u64)>>),
}

/// Under which key a chunk lies.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum KeyEncoding {
    /// V3 `default`: `c/0/1`, or `c.0.1`; `c` for 0 dimensions.
    Default {
        /// `/` or `.`
        separator: char,
    },
    /// V2, and V3 `v2`: `0.1` or `0/1`; `0` for 0 dimensions.
    V2 {
        /// `.` or `/`
        separator: char,
    },
}

/// A box of elements: one range per dimension.
pub type Region = Vec<Range<u64>>;
