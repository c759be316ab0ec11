//! Explanations of what is under the cursor: for a row of the twin columns the rule, its source and how readers differ;
//! for a byte, a stage, a chunk or a field of a document one to three sentences.

use super::{Join, Row, Subject, Topic, gallery::standing, values::bytes_text};
use crate::zarr::prelude::*;
use crate::zarr::{
    codec::CodecRow,
    data_type::{AnatomyRow, Field, extension::name_of},
    scalar::Specials,
};
use types::Sort;

mod byte;
mod chunk;
mod field;
mod fills;
mod pieces;
mod reach;
mod source;
mod types;

pub use byte::byte;
pub use chunk::{chunk, stage};
pub use field::{attribute, document, field};
pub use source::{Source, lines as source_lines};

/// The explanation of one row.
#[derive(Debug, Clone, PartialEq)]
pub struct Explanation {
    /// The heading: the row's label, and what is explained.
    pub title: String,
    /// The rule in plain words: a few whole sentences.
    pub rule: String,
    /// The sections that define the rule.
    pub sources: &'static [Source],
    /// Notes on this very array: the reasons of the join, and who reads it otherwise.
    pub notes: Vec<Note>,
    /// The parts of the value of the row; empty where the row is not about a scalar.
    pub anatomy: Vec<AnatomyRow>,
}

impl Explanation {
    /// The sources in one line: `Source: Zarr V2, "Chunks"; …`.
    pub fn source_line(&self) -> String {
        let sources = self.sources.iter().map(ToString::to_string);
        format!("Source: {}", sources.joined("; "))
    }

    /// The sources with their addresses, one per line.
    pub fn source_lines(&self) -> String {
        source::lines(self.sources)
    }
}

/// Explains `row`, one of the twin columns of `subject`, as the data type at hand needs it.
pub fn explain(row: &Row, subject: &Subject) -> Explanation {
    let says_otherwise = matches!(row.join, Join::Unknown | Join::Differs);
    let formats = if says_otherwise { vec![subject.stored] } else { vec![Format::V2, Format::V3] };
    let anatomy = anatomy(row.topic, subject, &formats);
    let mut rule = rule(row.topic, subject);
    if row.join == Join::Differs && !anatomy.is_empty() {
        let used = subject.stored.name();
        rule = format!("{rule} The parts shown are those of {used}, the document in use.");
    }
    Explanation {
        title: row.label.trim().to_owned(),
        rule,
        sources: sources(row.topic, subject),
        notes: row.notes.clone(),
        anatomy,
    }
}

/// The rule behind a topic.
fn rule(topic: Topic, subject: &Subject) -> String {
    let Some(data_type) = subject.data_type().map(AsRef::as_ref) else {
        return lesson(topic).into();
    };
    let sort = Sort::of(data_type);
    let has_v2 = data_type.to_v2(&subject.order()).is_ok();
    match topic {
        Topic::DataType => types::name(sort, has_v2),
        Topic::ByteOrder => types::byte_order(sort, data_type.has_byte_order(), has_v2),
        Topic::Element => {
            let sub_byte = data_type.significant_bits().is_some();
            types::element(sort, sub_byte, is_scale(data_type))
        }
        Topic::FillValue => fills::json(sort, data_type),
        Topic::Decoded => fills::decoded(sort),
        Topic::FillBytes => fills::bytes(sort),
        Topic::DefaultScalar => {
            let is_known = has_v2
                && data_type.to_v3().is_ok()
                && !matches!(sort, Sort::Optional | Sort::Items | Sort::Other);
            fills::default(sort, is_known, is_scale(data_type))
        }
        _ => lesson(topic).into(),
    }
}

/// True if it is a float of exponents only.
fn is_scale(data_type: &dyn DataType) -> bool {
    matches!(data_type.default_scalar(), Scalar::Float(value) if value.format.specials == Specials::PowersOfTwo)
}

/// The sections that define the rule.
fn sources(topic: Topic, subject: &Subject) -> &'static [Source] {
    let form = subject.data_type().and_then(|data_type| data_type.to_v3().ok());
    let is_core = |form: &Json| name_of(form).is_some_and(|name| standing(name) == "core");
    let is_extension = form.is_some_and(|form| !is_core(&form));
    match topic {
        Topic::FillValue if is_extension => &[source::V2_FILL, source::EXTENSIONS],
        Topic::Element | Topic::Decoded | Topic::FillBytes if is_extension => {
            &[source::EXTENSIONS, source::BYTES]
        }
        Topic::DataType => &[source::V2_DTYPE, source::V3_DATA_TYPES, source::EXTENSIONS],
        Topic::ByteOrder => &[source::V2_DTYPE, source::BYTES],
        Topic::Element => &[source::V3_DATA_TYPES, source::BYTES],
        Topic::FillValue => &[source::V2_FILL, source::PERMITTED_FILLS],
        Topic::Decoded | Topic::FillBytes => &[source::PERMITTED_FILLS, source::BYTES],
        Topic::MissingChunks => &[source::V2_CHUNKS, source::V3_FILL],
        Topic::DefaultScalar => &[source::ZARR_PYTHON],
        Topic::Format => &[source::V2_METADATA, source::V3_METADATA],
        Topic::Shape => &[source::V2_METADATA, source::V3_SHAPE],
        Topic::ChunkShape => &[source::V2_CHUNKS, source::REGULAR_GRID, source::SHARDING],
        Topic::Layout => &[source::V2_METADATA, source::TRANSPOSE],
        Topic::Codecs => &[source::V2_FILTERS, source::V3_CODECS],
        Topic::ChunkKey => &[source::V2_CHUNKS, source::CHUNK_KEYS],
        Topic::DimensionNames => &[source::V3_NAMES, source::XARRAY],
        _ => &[source::V2_ATTRIBUTES, source::V3_ATTRIBUTES],
    }
}

/// The parts of the value of the row, as `formats` write it.
fn anatomy(topic: Topic, subject: &Subject, formats: &[Format]) -> Vec<AnatomyRow> {
    let Some(data_type) = subject.data_type() else { return Vec::new() };
    let parts = ScalarParts { data_type: Arc::clone(data_type), order: subject.order() };
    let of_fill = |what: fn(&ScalarParts, &Scalar) -> Vec<AnatomyRow>| {
        subject.scalar().map_or_else(Vec::new, |scalar| what(&parts, &scalar))
    };
    let plain = data_type.fields().is_empty();
    match topic {
        Topic::FillValue => of_fill(ScalarParts::hex_form),
        Topic::Decoded => of_fill(ScalarParts::value),
        Topic::FillBytes => of_fill(ScalarParts::bytes),
        Topic::DefaultScalar => parts.bytes(&data_type.default_scalar()),
        Topic::DataType if plain => {
            formats.iter().flat_map(|format| pieces::of(subject, *format)).collect()
        }
        Topic::Element if plain => reach::reach(data_type.as_ref()),
        Topic::ByteOrder if plain => reach::both_orders(data_type.as_ref()),
        Topic::DataType | Topic::Element | Topic::ByteOrder => fields(data_type, subject),
        Topic::Codecs => codecs(subject),
        _ => Vec::new(),
    }
}

/// The parts of a scalar, each row where it is asked for.
struct ScalarParts {
    data_type: Arc<dyn DataType>,
    order: ByteOrder,
}

impl ScalarParts {
    /// The value itself: sign, exponent, mantissa; code points; fields.
    fn value(&self, scalar: &Scalar) -> Vec<AnatomyRow> {
        let rows = self.data_type.anatomy(scalar, &self.order);
        rows.into_iter().filter(|row| !is_of_bytes(row) && row.label != HEX_FORM).collect()
    }

    /// The V3 form of the bits of a float.
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

/// True if a row is about the bytes and not about the value.
fn is_of_bytes(row: &AnatomyRow) -> bool {
    row.label.starts_with("read as ")
}

/// Each codec and what it does, in the order of encoding.
fn codecs(subject: &Subject) -> Vec<AnatomyRow> {
    subject
        .codecs
        .iter()
        .map(|(name, row)| AnatomyRow::new(safe(name), codec_lesson(*row)))
        .collect()
}

/// The fields of a struct, each with its bytes and their order.
fn fields(data_type: &Arc<dyn DataType>, subject: &Subject) -> Vec<AnatomyRow> {
    let order = subject.order();
    let row = |(index, field): (usize, &Field)| {
        let bytes = field.range();
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
        let value = format!(
            "{name}{shape}, {}{order}",
            byte_range(&(bytes.start as u64..bytes.end as u64))
        );
        AnatomyRow { bytes: Some(bytes), ..AnatomyRow::new(safe(&label), safe(&value)) }
    };
    data_type.fields().iter().enumerate().map(row).collect()
}

/// The effect of a codec on a chunk, by its row in the registry.
fn codec_lesson(row: Option<&CodecRow>) -> &'static str {
    row.map_or("zarrscope does not know this codec, so decoding stops here.", |row| row.lesson)
}

/// The rule behind a topic that is the same for every data type.
fn lesson(topic: Topic) -> &'static str {
    match topic {
        Topic::DataType | Topic::ByteOrder => {
            "zarrscope does not know this data type. Its chunks can be viewed as bytes."
        }
        Topic::FillValue => "The data type is unknown, and the form of a fill value depends on it.",
        Topic::MissingChunks => {
            "A chunk that is not stored reads as the fill value. Writers may leave out chunks that contain nothing \
             else. A lost chunk would look the same."
        }
        _ => layout_lesson(topic),
    }
}

fn layout_lesson(topic: Topic) -> &'static str {
    match topic {
        Topic::Format => {
            "V2 describes an array in .zarray and its attributes in .zattrs, V3 both in zarr.json. The values, and even \
             the chunk files, can be the same."
        }
        Topic::Shape => {
            "The shape is the array's length along each dimension, and with the chunk shape gives the chunk grid. A \
             resized array has a new shape in one document; a document of the other format beside it keeps the old \
             one."
        }
        Topic::ChunkShape => {
            "In a regular grid every chunk has the same shape and is stored in full, even at the edge; cells beyond \
             the array's edge are ignored. In V3 a chunk can be a shard: one file with many inner chunks and an \
             index of their positions, so that readers can fetch a single one."
        }
        Topic::Layout => {
            "By default a chunk is stored row by row: the last index varies fastest. V2 uses order F for \
             column-major; V3 uses the `transpose` codec, which allows any permutation of the dimensions."
        }
        Topic::Codecs => {
            "V2: filters in order, then one compressor. V3: one list of array → array codecs, exactly one array → \
             bytes codec, then bytes → bytes codecs. Decoding applies them in reverse."
        }
        Topic::ChunkKey => {
            "A chunk's key is made from its place in the chunk grid. V2 joins the coordinates with a dot, or with \
             dimension_separator; V3 puts c in front and joins with a slash, unless chunk_key_encoding declares \
             another rule. A reader that uses the wrong separator finds no chunks and silently shows fill values."
        }
        Topic::DimensionNames => {
            "V3 has the member dimension_names. V2 has none; xarray's convention is the attribute _ARRAY_DIMENSIONS."
        }
        Topic::Readers => {
            "Programs differ in the forms of members that they accept. The verdicts come from measurements of each \
             form with the versions named."
        }
        _ => {
            "User attributes are free-form JSON. V2 stores them in .zattrs next to the metadata, V3 inside \
             zarr.json."
        }
    }
}
