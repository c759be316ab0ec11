//! What a teacher would say about what is under the cursor: of a row of the twin columns the rule, where it stands, how
//! readers differ; of a byte, a stage, a chunk or a field of a document one to three sentences.

use super::{Row, Subject, Topic, values::bytes_text};
use crate::zarr::{
    codec::CodecRow,
    data_type::{AnatomyRow, ByteOrder, DataType, Field},
    error::Note,
    scalar::{Scalar, Specials},
    text::safe,
};
use std::sync::Arc;
use types::Sort;

mod byte;
mod chunk;
mod field;
mod fills;
mod pieces;
mod reach;
mod types;

pub use byte::byte;
pub use chunk::{chunk, stage};
pub use field::{document, field};

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

/// Explains `row`, one of the twin columns of `subject`, as the data type at hand needs it.
#[must_use]
pub fn explain(row: &Row, subject: &Subject) -> Explanation {
    Explanation {
        title: row.label.trim().to_owned(),
        rule: rule(row.topic, subject),
        source: source(row.topic),
        notes: row.notes.clone(),
        anatomy: anatomy(row.topic, subject),
    }
}

/// The rule behind a topic.
fn rule(topic: Topic, subject: &Subject) -> String {
    let Some(data_type) = subject.data_type().map(AsRef::as_ref) else {
        return lesson(topic).0.into();
    };
    let sort = Sort::of(data_type);
    let has_v2 = data_type.to_v2(&subject.order()).is_ok();
    match topic {
        Topic::DataType => types::name(sort, has_v2),
        Topic::ByteOrder => types::byte_order(sort, data_type.has_byte_order()),
        Topic::Element => {
            let sub_byte = data_type.significant_bits().is_some();
            types::element(sort, sub_byte, is_scale(data_type))
        }
        Topic::FillValue => fills::json(sort),
        Topic::Decoded => fills::decoded(sort),
        Topic::FillBytes => fills::bytes(sort),
        Topic::DefaultScalar => fills::default(sort, has_v2, is_scale(data_type)),
        _ => lesson(topic).0.into(),
    }
}

/// Whether it is a float of exponents only.
fn is_scale(data_type: &dyn DataType) -> bool {
    matches!(data_type.default_scalar(), Scalar::Float(value) if value.format.specials == Specials::PowersOfTwo)
}

/// Where the rule is written.
fn source(topic: Topic) -> &'static str {
    match topic {
        Topic::DataType => {
            "V2 \"Data type encoding\"; V3 core \"Data types\"; zarr-extensions, data-types"
        }
        Topic::ByteOrder => {
            "V2 \"Data type encoding\"; V3 codecs/bytes, \"Configuration parameters\""
        }
        Topic::Element => "V3 core \"Data types\"; codecs/bytes, \"Format and algorithm\"",
        Topic::FillValue => "V2 \"Fill value encoding\"; V3 data-types, \"Permitted fill values\"",
        Topic::Decoded => "V3 data-types, \"Permitted fill values\"",
        Topic::FillBytes => "V3 data-types; codecs/bytes",
        Topic::DefaultScalar => "zarr-python, \"Array data types\"",
        _ => lesson(topic).1,
    }
}

fn anatomy(topic: Topic, subject: &Subject) -> Vec<AnatomyRow> {
    let Some(data_type) = subject.data_type() else { return Vec::new() };
    let parts = Parts { data_type: Arc::clone(data_type), order: subject.order() };
    let of_fill = |what: fn(&Parts, &Scalar) -> Vec<AnatomyRow>| {
        subject.scalar().map_or_else(Vec::new, |scalar| what(&parts, &scalar))
    };
    let plain = data_type.fields().is_empty();
    match topic {
        Topic::FillValue => of_fill(Parts::hex_form),
        Topic::Decoded => of_fill(Parts::value),
        Topic::FillBytes => of_fill(Parts::bytes),
        Topic::DefaultScalar => parts.bytes(&data_type.default_scalar()),
        Topic::DataType if plain => pieces::pieces(subject),
        Topic::Element if plain => reach::reach(data_type.as_ref()),
        Topic::ByteOrder if plain => reach::both_orders(data_type.as_ref()),
        Topic::DataType | Topic::Element | Topic::ByteOrder => fields(data_type, subject),
        Topic::Codecs => codecs(subject),
        _ => Vec::new(),
    }
}

/// What a scalar is made of, each row where it is asked for.
struct Parts {
    data_type: Arc<dyn DataType>,
    order: ByteOrder,
}

impl Parts {
    /// The value itself: sign, exponent, mantissa; code points; fields.
    fn value(&self, scalar: &Scalar) -> Vec<AnatomyRow> {
        let rows = self.data_type.anatomy(scalar, &self.order);
        rows.into_iter().filter(|row| !is_of_bytes(row) && row.label != HEX_FORM).collect()
    }

    /// How V3 can name the bits of a float.
    fn hex_form(&self, scalar: &Scalar) -> Vec<AnatomyRow> {
        let rows = self.data_type.anatomy(scalar, &self.order);
        rows.into_iter().filter(|row| row.label == HEX_FORM).collect()
    }

    /// Its bytes in both orders, and what they are in the wrong one.
    fn bytes(&self, scalar: &Scalar) -> Vec<AnatomyRow> {
        let text = bytes_text(&self.data_type, scalar, &self.order, 8);
        let mut rows = vec![AnatomyRow::new("bytes", text)];
        rows.extend(self.data_type.anatomy(scalar, &self.order).into_iter().filter(is_of_bytes));
        rows
    }
}

/// The label under which floats say their bits as V3 writes them.
const HEX_FORM: &str = "hex form";

/// Whether a row is about the bytes and not about the value.
fn is_of_bytes(row: &AnatomyRow) -> bool {
    row.label.starts_with("read as ")
}

/// Each codec and what it does, in the order of encoding.
fn codecs(subject: &Subject) -> Vec<AnatomyRow> {
    let row =
        |(name, row): &(String, Option<&CodecRow>)| AnatomyRow::new(safe(name), codec_lesson(*row));
    subject.codecs.iter().map(row).collect()
}

/// The fields of a struct, each with its bytes and their order.
fn fields(data_type: &Arc<dyn DataType>, subject: &Subject) -> Vec<AnatomyRow> {
    let order = subject.order();
    let row = |(index, field): (usize, &Field)| {
        let items = usize::try_from(field.shape.iter().product::<u64>()).unwrap_or(usize::MAX);
        let one = field.data_type.item_size().fixed().unwrap_or(0);
        let bytes = field.offset..field.offset.saturating_add(items.saturating_mul(one));
        let label = match field.name.as_str() {
            "" => format!("field {index}, unnamed"),
            name => format!("field {name}"),
        };
        let shape = match field.shape.as_slice() {
            [] => String::new(),
            shape => format!(" {shape:?}"),
        };
        let order = match order.field(index) {
            order if field.data_type.has_byte_order() => format!(", {}", order.word()),
            _ => String::new(),
        };
        let name = field.data_type.name();
        let value = format!("{name}{shape}, bytes {}..{}{order}", bytes.start, bytes.end);
        AnatomyRow { bytes: Some(bytes), ..AnatomyRow::new(safe(&label), safe(&value)) }
    };
    data_type.fields().iter().enumerate().map(row).collect()
}

/// What a codec does to a chunk, by its row in the registry.
fn codec_lesson(row: Option<&CodecRow>) -> &'static str {
    row.map_or(
        "No codec of this name is known here: what comes before it can be looked at, what comes after cannot.",
        |row| row.lesson,
    )
}

/// The rule behind a topic that is the same for every data type, and where it is written.
fn lesson(topic: Topic) -> (&'static str, &'static str) {
    match topic {
        Topic::DataType | Topic::ByteOrder => (
            "What the document says here names no data type that is known. Chunks can be looked at as bytes; what they \
             mean cannot be said.",
            "V2 \"Data type encoding\"; V3 core \"Data types\"",
        ),
        Topic::FillValue => (
            "How a fill value is written depends on the data type, which is not known here.",
            "V2 \"Fill value encoding\"; V3 data-types, \"Permitted fill values\"",
        ),
        Topic::MissingChunks => (
            "A chunk without a file is not an error: all of its elements read as the fill value. Writers leave out \
             chunks that hold nothing else. A chunk that got lost looks just the same.",
            "V2 \"Chunks\"; V3 core \"Fill value\"",
        ),
        _ => layout_lesson(topic),
    }
}

fn layout_lesson(topic: Topic) -> (&'static str, &'static str) {
    match topic {
        Topic::ChunkShape => (
            "In a regular grid every chunk has the same shape and is stored in full, also at the edge; what lies beyond \
             the array counts for nothing. In V3 a chunk can be a shard: one file with many inner chunks and an index of where \
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
