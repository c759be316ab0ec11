//! The V2 and V3 forms of the same array: the twin columns, row by row.
//!
//! One column is the array as stored, the other as the other format would write it. Each row is one concept (where
//! the byte order lives, what a missing chunk reads as), joined by a sign that says whether anything happens to it on
//! the way. [`explain`](fn@explain) says of a row what a teacher would say.
//!
//! | file | what it writes |
//! | --- | --- |
//! | [`subject`] | what the rows are about: a data type with or without an array around it |
//! | [`values`] | the rows of data type, byte order and fill value |
//! | [`layout`] | the rows of chunks, keys, dimension names, attributes |
//! | [`codecs`] | V2 filters and compressor ↔ V3 codecs |
//! | [`missing`] | the value that means a missing one, where xarray looks for it |
//! | [`nearest`](mod@nearest) | a fill value in the other format, or the nearest it can name |
//! | [`document`] | the whole document in the other format |
//! | [`explain`](mod@explain) | the rule behind a row, where it stands, how readers differ |
//! | [`gallery`] | a line for every registered data type |

use super::prelude::*;
use super::signs;

pub mod codecs;
pub mod document;
pub mod explain;
pub mod gallery;
pub mod layout;
pub mod missing;
pub mod nearest;
pub mod subject;
pub mod typed;
pub mod values;

pub use explain::{Explanation, Source, explain};
pub use nearest::{Nearest, nearest};
pub use subject::Subject;

/// The relation of the two cells of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Join {
    /// `=` the same.
    Same,
    /// `≡` written differently, with the same meaning.
    Spelled,
    /// `~` the other format offers several ways: a choice has to be made, or readers differ.
    Choice,
    /// `↓` something is lost.
    Lossy,
    /// `∅` no equivalent there.
    Impossible,
    /// `≠` different: both documents are stored, and do not say the same.
    Differs,
    /// `–` unknown: the document of one format cannot be read.
    Unknown,
}

impl Join {
    /// The sign between the columns.
    pub fn sign(self) -> &'static str {
        match self {
            Self::Same => signs::SAME,
            Self::Spelled => signs::WRITTEN,
            Self::Choice => signs::CHOICE,
            Self::Lossy => signs::LOSS,
            Self::Impossible => signs::NO_EQUIVALENT,
            Self::Differs => signs::DIFFERENT,
            Self::Unknown => signs::NONE,
        }
    }

    /// The sign in words, for those who cannot see it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Same => "same",
            Self::Spelled => "written differently, same meaning",
            Self::Choice => "needs a choice, or readers differ",
            Self::Lossy => "loses something",
            Self::Impossible => "no equivalent",
            Self::Differs => "the stored documents differ",
            Self::Unknown => "one of the stored documents cannot be read",
        }
    }
}

/// The concept that a row is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Topic {
    /// The format of the documents, where two nodes are compared.
    Format,
    /// The data type as JSON.
    DataType,
    /// The byte order and the place where it is declared.
    ByteOrder,
    /// The element.
    Element,
    /// The fill value as JSON.
    FillValue,
    /// The fill value as a value.
    Decoded,
    /// The fill value's bytes.
    FillBytes,
    /// The value that missing chunks read as.
    MissingChunks,
    /// The data type's default scalar.
    DefaultScalar,
    /// The shape of the array, where both documents give one.
    Shape,
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
    /// The place of user attributes.
    Attributes,
    /// The readers: no matter of a document, and the same for both columns.
    Readers,
}

/// One row of the twin columns.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// The topic.
    pub topic: Topic,
    /// The label: `data type`, `byte order`.
    pub label: String,
    /// The V2 cell: one line of text, safe for a terminal.
    pub v2: String,
    /// Their relation.
    pub join: Join,
    /// The V3 cell: one line of text, safe for a terminal.
    pub v3: String,
    /// The reasons of the join: what is lost, and who reads it otherwise.
    pub notes: Vec<Note>,
}

/// A cell for what a format has no way to say.
pub const NOTHING: &str = "none";

impl Row {
    /// A row whose join follows from its cells: the same text is the same, other text is written differently.
    pub fn new(topic: Topic, label: &str, v2: impl Into<String>, v3: impl Into<String>) -> Self {
        let (v2, v3) = (v2.into(), v3.into());
        let join = if v2 == v3 { Join::Same } else { Join::Spelled };
        Self { topic, label: label.into(), v2, join, v3, notes: Vec::new() }
    }

    /// The same, at least as bad as `join`, for the reason in `note`.
    pub fn but(mut self, join: Join, note: Note) -> Self {
        self.join = self.join.max(join);
        self.notes.push(note);
        self
    }

    /// The same, with things to say that change nothing about the join.
    pub fn noted(mut self, notes: impl IntoIterator<Item = Note>) -> Self {
        self.notes.extend(notes);
        self
    }

    /// Writes `nothing` into the cell of `format`: there is no such document, or it cannot be read.
    fn empty(&mut self, format: Format, nothing: &str, join: Join) {
        nothing.clone_into(if format == Format::V2 { &mut self.v2 } else { &mut self.v3 });
        self.join = join;
        // What the stored column says of itself stays true.
        let topic = self.topic;
        self.notes.retain(|note| match topic {
            Topic::FillValue | Topic::Decoded | Topic::FillBytes => true,
            _ => note.code == Code::EndianGuessed || note.code == Code::NullFill,
        });
    }

    /// The cell of `format`.
    pub fn cell(&self, format: Format) -> &str {
        match format {
            Format::V2 => &self.v2,
            Format::V3 => &self.v3,
        }
    }
}

/// The twin columns of one array.
#[derive(Debug, Clone, PartialEq)]
pub struct Spelling {
    /// The format that is stored; the other column is what would be written. `None` where both are stored.
    pub stored: Option<Format>,
    /// The format whose document is stored and cannot be read; its column is empty.
    pub unread: Option<Format>,
    /// The rows in display order.
    pub rows: Vec<Row>,
}

/// Empties the column of the format that has no such data type, below the row that says so: nothing would be written.
fn without_type(mut rows: Vec<Row>, stored: Format) -> Vec<Row> {
    let other = stored.other();
    if rows
        .first()
        .filter(|row| row.topic == Topic::DataType && row.join == Join::Impossible)
        .is_some_and(|row| row.cell(other) == NOTHING)
    {
        rows.iter_mut().skip(1).for_each(|row| row.empty(other, signs::NONE, Join::Impossible));
    }
    rows
}

/// The twin columns of `array`. What its documents do not say, or say wrongly, is said in the cells.
pub fn of(array: &ArrayMetadata) -> Spelling {
    let mut rows = values::rows(&Subject::of_array(array));
    rows.extend(layout::rows(array));
    Spelling { stored: Some(array.format), unread: None, rows: without_type(rows, array.format) }
}

/// The twin columns of a node: of its one array, or of both where documents of both formats describe one.
pub fn of_node(array: &ArrayMetadata, other: Option<&NodeKind>) -> Spelling {
    let v2 = match other {
        Some(NodeKind::Array(v2)) => v2,
        Some(NodeKind::Broken(_)) => return beside_unread(array),
        _ => return of(array),
    };
    let theirs = of(v2).rows;
    let merged = |row: Row| {
        let other = theirs.iter().find(|other| other.topic == row.topic);
        let mut cell = other.map_or("?", |other| other.v2.as_str()).to_owned();
        // Equal where either document, written in the other's format, says what the other says.
        let mut same = other.is_some_and(|other| other.v2 == row.v2 || other.v3 == row.v3);
        match (row.topic, &v2.key_encoding) {
            (Topic::Attributes, _) => same = members(array) == members(v2),
            // Each format has names of its own for the same chunk.
            (Topic::ChunkKey, Ok(encoding)) => {
                cell = encoding.key(&layout::example_chunk(array));
                same = true;
            }
            _ => {}
        }
        let merged = Row::new(row.topic, &row.label, cell, row.v3);
        if same { merged } else { Row { join: Join::Differs, ..merged } }
    };
    let mut rows: Vec<Row> = of(array).rows.into_iter().map(merged).collect();
    let at = rows.iter().position(|row| row.topic == Topic::ChunkShape).unwrap_or(rows.len());
    rows.insert(at, shapes(array, v2));
    Spelling { stored: None, unread: None, rows }
}

/// The column of `array` beside an empty one: the document of the other format is there and cannot be read, so what it
/// says is unknown, and nothing would be written.
fn beside_unread(array: &ArrayMetadata) -> Spelling {
    let (mut rows, unread) = (of(array).rows, array.format.other());
    for row in rows.iter_mut().filter(|row| row.topic != Topic::Readers) {
        row.empty(unread, "", Join::Unknown);
    }
    Spelling { stored: Some(array.format), unread: Some(unread), rows }
}

/// The shapes that the documents of both formats give.
fn shapes(v3: &ArrayMetadata, v2: &ArrayMetadata) -> Row {
    let [v2, v3] = [v2, v3].map(|array| match &array.shape {
        Ok(shape) => times(shape),
        Err(error) => format!("unreadable: {}", safe(&error.found)),
    });
    let row = Row::new(Topic::Shape, "shape", v2, v3);
    if row.join == Join::Same { row } else { Row { join: Join::Differs, ..row } }
}

/// The user attributes as text, without the one that names dimensions in V2.
fn members(array: &ArrayMetadata) -> Vec<String> {
    let all = array.attributes().into_iter().filter_map(Json::as_object).flatten();
    let own = all.filter(|member| member.key != "_ARRAY_DIMENSIONS");
    let packing = Packing::of(array);
    let text = |key: &str, value: &Json| format!("{key}: {}", packing.attribute_text(key, value));
    let mut texts: Vec<_> = own.map(|member| text(&member.key, &member.value)).collect();
    texts.sort();
    texts
}

/// A cell of the stored and one of the other format, put into their columns.
fn columns<T>(stored: Format, as_stored: T, other: T) -> (T, T) {
    match stored {
        Format::V2 => (as_stored, other),
        Format::V3 => (other, as_stored),
    }
}
