//! How V2 and V3 each write the same array: the twin columns, row by row.

use super::{error::Note, metadata::Format};

/// How the two cells of a row relate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Join {
    /// `=` the same.
    Same,
    /// `≠` spelled otherwise, with the same meaning.
    Spelled,
    /// `~` the other format offers several ways: a choice has to be made, or readers differ.
    Choice,
    /// `!` something is lost.
    Lossy,
    /// `×` cannot be said there.
    Impossible,
}

impl Join {
    /// The sign between the columns.
    #[must_use]
    pub fn sign(self) -> char {
        match self {
            Self::Same => '=',
            Self::Spelled => '≠',
            Self::Choice => '~',
            Self::Lossy => '!',
            Self::Impossible => '×',
        }
    }
}

/// Which concept a row is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Topic {
    /// The data type as JSON.
    DataType,
    /// Where the byte order lives.
    ByteOrder,
    /// What an element is.
    Element,
    /// The fill value as JSON.
    FillValue,
    /// The fill value as a value.
    Decoded,
    /// The fill value's bytes.
    FillBytes,
    /// What missing chunks read as.
    MissingChunks,
    /// The data type's default scalar.
    DefaultScalar,
    /// The chunk shape; for shards both.
    ChunkShape,
    /// Memory layout of a chunk: `order` or `transpose`.
    Layout,
    /// Filters, compressor, codecs.
    Codecs,
    /// The key of an example chunk.
    ChunkKey,
    /// The dimensions' names.
    DimensionNames,
    /// Where user attributes live.
    Attributes,
}

/// One row of the twin columns.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// What it is about.
    pub topic: Topic,
    /// The label: `data type`, `byte order`.
    pub label: String,
    /// The V2 cell: one line of text (safe for a terminal).
    pub v2: String,
    /// How the two relate.
    pub join: Join,
    /// The V3 cell: one line of text (safe for a terminal).
    pub v3: String,
    /// Why the join is what it is, what is lost, who reads it otherwise.
    pub notes: Vec<Note>,
}

/// The twin columns of one array.
#[derive(Debug, Clone, PartialEq)]
pub struct Spelling {
    /// The format that is stored; the other column is what would be written.
    pub stored: Format,
    /// The rows in display order.
    pub rows: Vec<Row>,
}
