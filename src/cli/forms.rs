//! What several commands say in the same words: the JSON shapes of errors, problems, data types and fill values.

use crate::zarr::{
    ArrayMetadata, ByteOrder, Code, DataType, Endian, Error, Format, Node, Note, Problem, Scalar,
    data_type::Resolved, hierarchy::NodeKind, metadata::FillValue, words::hex,
};
use serde_json::{Map, Value, json};

/// `{"place", "found", "expected", "fix"}`.
pub(crate) fn error(error: &Error) -> Value {
    json!({
        "place": error.place.to_string(),
        "found": error.found,
        "expected": error.expected,
        "fix": error.fix,
    })
}

/// `{"error": …}`, in place of a value that could not be read.
pub(crate) fn refusal(refused: &Error) -> Value {
    json!({"error": error(refused)})
}

/// `{"severity", "code", "path", "offset", "found", "expected", "fix"}`; `field` inside a document, `count` where the
/// rest of many is only counted.
pub(crate) fn problem(problem: &Problem) -> Value {
    let Problem { severity, error, count } = problem;
    let mut members = json!({
        "severity": severity.word(),
        "code": error.code.as_str(),
        "path": error.place.file,
        "offset": error.place.offset,
        "found": error.found,
        "expected": error.expected,
        "fix": error.fix,
    });
    if let (Some(field), Some(members)) = (&error.place.field, members.as_object_mut()) {
        members.insert("field".into(), field.clone().into());
    }
    if let (true, Some(members)) = (*count > 1, members.as_object_mut()) {
        members.insert("count".into(), (*count).into());
    }
    members
}

/// `{"code", "text"}` each, of equal ones only the first.
pub(crate) fn notes(notes: &[Note]) -> Value {
    let unique =
        notes.iter().enumerate().filter(|&(at, note)| !notes.iter().take(at).any(|n| n == note));
    unique.map(|(_, note)| json!({"code": note.code.as_str(), "text": note.text})).collect()
}

/// Every problem of a node and of its documents.
pub(crate) fn problems(node: &Node) -> impl Iterator<Item = &Problem> {
    let of_documents: &[Problem] = match &node.kind {
        NodeKind::Array(array) => &array.problems,
        NodeKind::Group(group) => &group.problems,
        NodeKind::Folder | NodeKind::Broken(_) => &[],
    };
    node.problems.iter().chain(of_documents)
}

/// `array`, `group`, `folder` or `broken`.
pub(crate) fn node_type(node: &Node) -> &'static str {
    match node.kind {
        NodeKind::Array(_) => "array",
        NodeKind::Group(_) => "group",
        NodeKind::Folder => "folder",
        NodeKind::Broken(_) => "broken",
    }
}

/// The number of the format of what is at a node, or null.
pub(crate) fn format_of(kind: &NodeKind) -> Value {
    format(kind).map_or(Value::Null, |format| format.number().into())
}

/// The number of the format of a node, or null.
pub(crate) fn zarr_format(node: &Node) -> Value {
    format_of(&node.kind)
}

fn format(kind: &NodeKind) -> Option<Format> {
    match kind {
        NodeKind::Array(array) => Some(array.format),
        NodeKind::Group(group) => Some(group.format),
        NodeKind::Folder | NodeKind::Broken(_) => None,
    }
}

/// `V2`, `V3`, `V2+V3`, or nothing.
pub(crate) fn badge(node: &Node) -> &'static str {
    match (format(&node.kind), &node.other) {
        (_, Some(_)) => "V2+V3",
        (Some(format), None) => format.name(),
        (None, None) => "",
    }
}

/// `little`, `big`, `per field`, or null where there is nothing to order.
pub(crate) fn byte_order(order: &ByteOrder) -> Value {
    if order.applies() { order.word().into() } else { Value::Null }
}

/// Whether an array's chunks are shards.
pub(crate) fn is_sharded(array: &ArrayMetadata) -> bool {
    array.inner_chunk_shape().is_some()
}

/// A data type in the JSON shape of `dtype --json`, without fill value and notes: those are to be added.
pub(crate) struct TypeForm {
    /// `name`, `kind`, `item_size`, `byte_order`, `v2`, `v3`, `default`.
    pub(crate) members: Map<String, Value>,
    /// What has to be said about them.
    pub(crate) notes: Vec<Note>,
}

/// The JSON shape of a data type.
pub(crate) fn data_type(resolved: &Resolved) -> TypeForm {
    let Resolved { data_type, order, notes } = resolved;
    let mut notes = notes.clone();
    notes.extend(data_type.notes());
    let v2 = said(data_type.to_v2(order), &mut notes)
        .map(|form| json!({"dtype": form.dtype, "object_codec": form.object_codec}));
    let v3 = said(data_type.to_v3(), &mut notes)
        .map(|form| json!({"data_type": form, "endian": order.uniform().map(Endian::word)}));
    if order.applies() && order.uniform().is_none() {
        notes.push(Note::new(
            Code::PerFieldOrder,
            "The fields have different byte orders, which V3 cannot say: its \"bytes\" codec has one endian for all.",
        ));
    }
    let mut members = Map::new();
    members.insert("name".into(), data_type.name().into());
    members.insert("kind".into(), data_type.kind().into());
    members.insert("item_size".into(), json!(data_type.item_size().fixed()));
    members.insert("byte_order".into(), byte_order(order));
    members.insert("v2".into(), v2.unwrap_or_default());
    members.insert("v3".into(), v3.unwrap_or_default());
    members.insert("default".into(), default_scalar(resolved, &mut notes));
    TypeForm { members, notes }
}

/// The default scalar; its bytes are little-endian.
fn default_scalar(resolved: &Resolved, notes: &mut Vec<Note>) -> Value {
    let scalar = resolved.data_type.default_scalar();
    json!({
        "v2": written(resolved, &scalar, Format::V2, notes),
        "v3": written(resolved, &scalar, Format::V3, notes),
        "bytes": hex_in(resolved.data_type.as_ref(), &scalar, Endian::Little),
    })
}

/// A fill value: its text, its bytes in both orders, and how either format writes it.
pub(crate) fn fill_value(resolved: &Resolved, fill: &FillValue, notes: &mut Vec<Note>) -> Value {
    let scalar = match fill {
        FillValue::Unreadable { error, .. } => return refusal(error),
        FillValue::Missing => return Value::Null,
        FillValue::Null => return null_fill(resolved, notes),
        FillValue::Value { scalar, notes: more, .. } => {
            notes.extend(more.iter().cloned());
            scalar
        }
    };
    json!({
        "value": scalar.to_string(),
        "bytes_little": hex_in(resolved.data_type.as_ref(), scalar, Endian::Little),
        "bytes_big": hex_in(resolved.data_type.as_ref(), scalar, Endian::Big),
        "v2": written(resolved, scalar, Format::V2, notes),
        "v3": written(resolved, scalar, Format::V3, notes),
    })
}

/// V2 `null`: no value, though readers show the default scalar.
fn null_fill(resolved: &Resolved, notes: &mut Vec<Note>) -> Value {
    notes.push(Note::new(
        Code::NullFill,
        "V2 null says nothing about cells that were never written; V3 has no such value. Readers show the default \
         scalar, and so does zarrscope.",
    ));
    let default = resolved.data_type.default_scalar();
    json!({
        "value": null,
        "bytes_little": null,
        "bytes_big": null,
        "v2": null,
        "v3": written(resolved, &default, Format::V3, notes),
    })
}

fn written(resolved: &Resolved, scalar: &Scalar, format: Format, notes: &mut Vec<Note>) -> Value {
    said(resolved.data_type.fill_to_json(scalar, format, &resolved.order), notes)
        .unwrap_or_default()
}

fn said<T>(form: Result<T, Note>, notes: &mut Vec<Note>) -> Option<T> {
    form.map_err(|note| notes.push(note)).ok()
}

/// The bytes of a scalar with every component in one order, as hexadecimal digits.
fn hex_in(data_type: &dyn DataType, scalar: &Scalar, endian: Endian) -> Value {
    let order =
        if data_type.has_byte_order() { ByteOrder::All(endian) } else { ByteOrder::NotApplicable };
    data_type.encode(scalar, &order).map_or(Value::Null, |bytes| hex(&bytes, "").into())
}
