//! What a teacher would say about a row: the rule, where it stands, how readers differ.

use super::{Row, Subject, Topic, values::bytes_text};
use crate::zarr::{
    data_type::{AnatomyRow, DataType},
    error::Note,
    scalar::Scalar,
};
use std::sync::Arc;

/// The explanation of one row.
#[derive(Debug, Clone, PartialEq)]
pub struct Explanation {
    /// The heading: the row's label, and what is explained.
    pub title: String,
    /// The rule in plain words: a few whole sentences.
    pub rule: String,
    /// Which texts state it.
    pub source: &'static str,
    /// What holds for this very array: why the join is what it is, who reads it otherwise.
    pub notes: Vec<Note>,
    /// What the value of the row is made of; empty where the row is not about a scalar.
    pub anatomy: Vec<AnatomyRow>,
}

/// Explains `row`, one of the twin columns of `subject`.
#[must_use]
pub fn explain(row: &Row, subject: &Subject) -> Explanation {
    let (rule, source) = lesson(row.topic);
    let label = row.label.trim();
    Explanation {
        title: label.to_owned(),
        rule: rule.to_owned(),
        source,
        notes: row.notes.clone(),
        anatomy: anatomy(row.topic, subject),
    }
}

fn anatomy(topic: Topic, subject: &Subject) -> Vec<AnatomyRow> {
    let Some(data_type) = subject.data_type() else { return Vec::new() };
    match topic {
        Topic::FillValue | Topic::Decoded | Topic::FillBytes | Topic::MissingChunks => {
            subject.scalar().map_or_else(Vec::new, |scalar| of_scalar(subject, data_type, &scalar))
        }
        Topic::DefaultScalar => of_scalar(subject, data_type, &data_type.default_scalar()),
        Topic::DataType | Topic::Element | Topic::ByteOrder => fields(data_type, subject),
        _ => Vec::new(),
    }
}

fn of_scalar(subject: &Subject, data_type: &Arc<dyn DataType>, scalar: &Scalar) -> Vec<AnatomyRow> {
    let order = subject.order();
    let mut rows = data_type.anatomy(scalar, &order);
    rows.push(AnatomyRow::new("bytes", bytes_text(data_type, scalar, &order, 8)));
    rows
}

/// The fields of a struct with offset, size and byte order.
fn fields(data_type: &Arc<dyn DataType>, subject: &Subject) -> Vec<AnatomyRow> {
    let order = subject.order();
    let row = |(index, field): (usize, &crate::zarr::data_type::Field)| {
        let items: u64 = field.shape.iter().product();
        let one = field.data_type.item_size().fixed().unwrap_or(0);
        let size = usize::try_from(items).unwrap_or(usize::MAX).saturating_mul(one);
        let label = if field.name.is_empty() {
            format!("field {index}, unnamed")
        } else {
            format!("field {}", field.name)
        };
        let word = order.field(index).word();
        let value = format!(
            "{} at byte {}, {size} bytes, byte order {word}",
            field.data_type.name(),
            field.offset
        );
        AnatomyRow {
            label: crate::zarr::text::safe(&label).into_owned(),
            value: crate::zarr::text::safe(&value).into_owned(),
            bytes: Some(field.offset..field.offset.saturating_add(size)),
        }
    };
    data_type.fields().iter().enumerate().map(row).collect()
}

/// The rule behind a topic and where it is written.
fn lesson(topic: Topic) -> (&'static str, &'static str) {
    match topic {
        Topic::DataType | Topic::ByteOrder | Topic::Element => type_lesson(topic),
        Topic::FillValue
        | Topic::Decoded
        | Topic::FillBytes
        | Topic::MissingChunks
        | Topic::DefaultScalar => fill_lesson(topic),
        _ => layout_lesson(topic),
    }
}

fn type_lesson(topic: Topic) -> (&'static str, &'static str) {
    match topic {
        Topic::DataType => (
            "V2 writes a NumPy type string: a sign for the byte order, a letter for the kind, a size in bytes (for U \
             in code points). V3 names what the values are and nothing else: an identifier, or an object with name \
             and configuration. So one V3 data type stands for two V2 dtypes, little and big.",
            "V2 \"Data type encoding\"; V3 core \"Data types\"; zarr-extensions, data-types",
        ),
        Topic::ByteOrder => (
            "In V2 the byte order is part of the dtype (< little, > big, | not relevant). In V3 the bytes on disk are \
             the codecs' business: the \"bytes\" codec says endian, and the data type names values. Two arrays of one \
             data_type can be stored big and little. Types of single bytes need no endian; all others must have one.",
            "V2 \"Data type encoding\"; V3 codecs/bytes, \"Configuration parameters\"",
        ),
        _ => (
            "What one element is, whatever the format: how many bytes it takes in a decoded chunk and how they are to \
             be read. Both formats lay elements out without gaps, row by row unless they say otherwise.",
            "V3 core \"Data types\"; codecs/bytes, \"Format and algorithm\"",
        ),
    }
}

fn fill_lesson(topic: Topic) -> (&'static str, &'static str) {
    match topic {
        Topic::FillValue => (
            "Both formats demand a fill value, in JSON that depends on the data type. Floats add the strings \"NaN\", \
             \"Infinity\" and \"-Infinity\"; V3 also takes \"0x…\", the bits with the most significant byte first, \
             which alone can name a NaN payload. V2 writes byte strings and structs in base64; V3 structs are objects. \
             Only V2 knows null: nothing is said.",
            "V2 \"Fill value encoding\"; V3 data-types, \"Permitted fill values\"",
        ),
        Topic::Decoded => (
            "The value that the JSON stands for, with its exact bits. A decimal number is rounded once, to the nearest \
             value of the data type, ties to even; readers that go through a 64-bit float round twice and can differ \
             in the last bit.",
            "V3 data-types, \"Permitted fill values\"",
        ),
        Topic::FillBytes => (
            "The bytes that an element equal to the fill value has in a decoded chunk. The hexadecimal JSON form \
             starts with the most significant byte and does not depend on the array's byte order.",
            "V3 data-types; codecs/bytes",
        ),
        Topic::MissingChunks => (
            "A chunk without a file is not an error: all of its elements read as the fill value. Writers leave out \
             chunks that hold nothing else. A chunk that got lost looks just the same.",
            "V2 \"Chunks\"; V3 core \"Fill value\"",
        ),
        _ => (
            "What zarr-python takes as fill value when its user names none: zero, false, the empty string, NaT. It is \
             also what it shows for V2 null.",
            "zarr-python, \"Array data types\"",
        ),
    }
}

fn layout_lesson(topic: Topic) -> (&'static str, &'static str) {
    match topic {
        Topic::ChunkShape => (
            "Every chunk has the same shape and is stored in full, also at the array's edge; what lies beyond the edge \
             counts for nothing. In V3 a chunk can be a shard: one file with many inner chunks and an index of where \
             each one lies, so that readers can fetch a single one.",
            "V2 \"Chunks\"; V3 chunk-grids/regular; codecs/sharding-indexed",
        ),
        Topic::Layout => (
            "Within a chunk elements lie row by row, the last index running fastest. V2 can turn that round with order \
             F; V3 says the same, and any other permutation of the dimensions, with the codec transpose.",
            "V2 \"order\"; V3 codecs/transpose",
        ),
        Topic::Codecs => (
            "V2: the filters in order, then one compressor. V3: one list, in which array → array codecs come first, \
             then exactly one array → bytes codec, then bytes → bytes codecs. Decoding goes through it backwards.",
            "V2 \"Filters\", \"compressor\"; V3 core \"Chunk encoding\"",
        ),
        Topic::ChunkKey => (
            "The file of a chunk is named after its place in the grid. V2 joins the coordinates by a dot, or by \
             dimension_separator; V3 puts c in front and joins by a slash, unless chunk_key_encoding says otherwise. A \
             reader with the wrong separator finds no chunk at all, and shows fill values without a word.",
            "V2 \"Storing a single array\"; V3 chunk-key-encodings",
        ),
        Topic::DimensionNames => (
            "V3 has a field for them. V2 has none: xarray's convention is the attribute _ARRAY_DIMENSIONS.",
            "V3 core \"dimension_names\"; xarray, \"Zarr encoding specification\"",
        ),
        _ => (
            "User attributes are whatever the writer wanted to say, in JSON. V2 keeps them in a file of its own beside \
             the metadata, V3 within the document.",
            "V2 \"Attributes\"; V3 core \"attributes\"",
        ),
    }
}
