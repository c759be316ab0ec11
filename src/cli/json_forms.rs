//! The JSON shapes of errors, problems, data types and fill values, which several commands share.

use super::prelude::*;
use crate::zarr::{Change, DocumentEdit, conventions::Convention, sizes::Sizes};

/// `{"place", "message", "found", "expected", "fix"}`.
pub(crate) fn error(error: &Error) -> Json {
    object! {
        "place": error.place.to_string(),
        "message": error.headline(),
        "found": &error.found,
        "expected": &error.expected,
        "fix": error.fix.as_ref(),
    }
}

/// `{"error": …}`, in place of a value that could not be read.
pub(crate) fn refusal(refused: &Error) -> Json {
    object! {"error": error(refused)}
}

/// `{"severity", "code", "message", "path", "offset", "found", "expected", "fix"}`; `field` inside a document, `count`
/// where the rest of many is only counted. `code` and `fix` of a cause are its own: what to run, or what to do.
pub(crate) fn problem(problem: &Problem) -> Json {
    let Problem { severity, error, count, diagnosis, reading } = problem;
    let why = diagnosis.as_deref().filter(|_| error.code == Code::Cause);
    let mut form = object! {
        "severity": severity.word(),
        "code": why.map_or(error.code.as_str(), |why| why.code),
        "message": error.headline(),
        "path": error.place.file.as_ref(),
        "offset": error.place.offset,
        "found": &error.found,
        "expected": &error.expected,
        "fix": why.map_or_else(|| error.fix.clone(), Diagnosis::remedy),
    };
    if let Some(field) = &error.place.field {
        form.set("field", field);
    }
    if *count != 1 {
        form.set("count", *count);
    }
    if let Some(convention) = Convention::of(error.code) {
        form.set("convention", convention.word());
    }
    if let Some(diagnosis) = diagnosis {
        form.set("diagnosis", cause(diagnosis));
    }
    if let Some(reading) = reading {
        form.set("what_if", reading.to_string());
    }
    form
}

/// `{"cause", "certain", "sentence", "evidence", "fix", "findings_left", "to_do", "what_if", "before", "after", "explains",
/// "files"}`; `fix` is a patch of a document, or command lines, that leave `findings_left` at the node; where there is none,
/// `to_do` says what to do or to find out.
fn cause(diagnosis: &Diagnosis) -> Json {
    let fix = diagnosis.fix().map(|fix| match fix {
        Change::Metadata(_, edits) => {
            let form = |it: &DocumentEdit| {
                let patch = Json::parse_str(&it.patch).unwrap_or_default();
                object! {"document": &it.document, "patch": patch, "diff": it.diff.to_string()}
            };
            let mut forms = edits.iter().map(form);
            let mut of_node = forms.next().unwrap_or_default();
            of_node.set("copies", forms.collect::<Json>());
            of_node
        }
        _ => object! {"command": fix.script().to_string()},
    });
    let explains: Json = diagnosis.explains.iter().map(|code| code.as_str()).collect();
    object! {
        "cause": diagnosis.cause.word(),
        "certain": diagnosis.is_certain,
        "sentence": &diagnosis.sentence,
        "evidence": &diagnosis.evidence,
        "fix": fix,
        "findings_left": diagnosis.left,
        "to_do": diagnosis.to_do.as_ref(),
        "what_if": diagnosis.what_if().map(ToString::to_string),
        "before": diagnosis.before_and_after.as_ref().map(|(before, _)| before),
        "after": diagnosis.before_and_after.as_ref().map(|(_, after)| after),
        "explains": explains,
        "files": &diagnosis.files,
    }
}

/// `{"code", "text"}` each, of equal ones only the first.
pub(crate) fn notes(notes: &[Note]) -> Json {
    let unique =
        notes.iter().enumerate().filter(|&(at, note)| !notes.iter().take(at).any(|n| n == note));
    unique.map(|(_, note)| object! {"code": note.code.as_str(), "text": &note.text}).collect()
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

/// The first members of every form of a node: `{"path", "node_type", "zarr_format"}`.
pub(crate) fn node(node: &Node) -> Json {
    object! {
        "path": &node.path.0,
        "node_type": node_type(node),
        "zarr_format": format_of(&node.kind),
    }
}

/// The number of the format of what is at a node, or null.
pub(crate) fn format_of(kind: &NodeKind) -> Json {
    kind.format().map(Format::number).into()
}

/// `V2`, `V3`, `V2+V3`, or nothing.
pub(crate) fn badge(node: &Node) -> &'static str {
    match (node.kind.format(), &node.other) {
        (_, Some(_)) => "V2+V3",
        (Some(format), None) => format.name(),
        (None, None) => "",
    }
}

/// `little`, `big`, `per field`, or null where there is nothing to order.
pub(crate) fn byte_order(order: &ByteOrder) -> Json {
    if order.applies() { order.word().into() } else { Json::NULL }
}

/// True if an array's chunks are shards.
pub(crate) fn is_sharded(array: &ArrayMetadata) -> bool {
    array.inner_chunk_shape().is_some()
}

/// The stored sizes: bytes as they are and decoded, objects (a shard is one) and chunks. `objects_total` and
/// `chunks_total` are what the grid has room for; `chunks` is null for shards, whose indices are not read.
pub(crate) fn sizes(sizes: &Sizes) -> Json {
    let is_one_each = sizes.chunks_total == sizes.objects_total;
    let number = |n: Option<u128>| n.map_or(Json::NULL, |n| Json::number(n.to_string()));
    let ratio = sizes.ratio().map(|ratio| format!("{ratio:.4}"));
    object! {
        "stored": sizes.stored,
        "raw": number(sizes.raw),
        "ratio": ratio.map_or(Json::NULL, Json::number),
        "objects": sizes.objects,
        "objects_total": number(sizes.objects_total),
        "chunks": is_one_each.then_some(sizes.objects),
        "chunks_total": number(sizes.chunks_total),
        "complete": sizes.is_complete && sizes.unmeasured == 0,
    }
}

/// The same in a sentence: `38 of 39 chunks stored, 360 KiB (691 KiB raw, ratio 1.92)`.
pub(crate) fn sizes_words(sizes: &Sizes, noun: &str) -> String {
    let all = sizes.objects_total.unwrap_or_else(|| sizes.objects.into());
    let of = sizes.objects_total.map(|total| format!(" of {}", grouped(total))).unwrap_or_default();
    let decoded = sizes.raw.zip(sizes.ratio()).map(|(raw, ratio)| {
        format!(" ({} raw, ratio {})", size(saturated(raw)), words::ratio(ratio))
    });
    format!(
        "{}{of} {noun}{} stored, {}{}",
        grouped(sizes.objects),
        if all == 1 { "" } else { "s" },
        sizes.stored_words(),
        decoded.unwrap_or_default()
    )
}

/// The number, or the largest that there is room for.
pub(crate) fn saturated(number: u128) -> u64 {
    u64::try_from(number).unwrap_or(u64::MAX)
}

/// A data type as `dtype --json` has it: `name`, `kind`, `item_size`, `byte_order`, `v2`, `v3`, `default`. Fill value
/// and notes are to be added.
pub(crate) fn data_type(resolved: &Resolved, notes: &mut Vec<Note>) -> Json {
    let Resolved { data_type, order, .. } = resolved;
    notes.extend(resolved.notes.iter().cloned().chain(data_type.notes()));
    let v2 = said(resolved.to_v2(), notes)
        .map(|form| object! {"dtype": form.dtype, "object_codec": form.object_codec});
    let v3 = said(data_type.to_v3(), notes)
        .map(|form| object! {"data_type": form, "endian": order.uniform().map(Endian::word)});
    if order.applies() && order.uniform().is_none() {
        notes.push(Note::new(
            Code::NoOtherForm,
            "The fields have different byte orders; V3 has one `endian` for the whole array.",
        ));
    }
    object! {
        "name": data_type.name(),
        "kind": data_type.kind(),
        "item_size": data_type.fixed_size(),
        "byte_order": byte_order(order),
        "v2": v2,
        "v3": v3,
        "default": default_scalar(resolved, notes),
    }
}

/// The default scalar; its bytes are little-endian.
fn default_scalar(resolved: &Resolved, notes: &mut Vec<Note>) -> Json {
    let scalar = resolved.data_type.default_scalar();
    object! {
        "v2": written(resolved, &scalar, Format::V2, notes),
        "v3": written(resolved, &scalar, Format::V3, notes),
        "bytes": hex_in(resolved.data_type.as_ref(), &scalar, Endian::Little),
    }
}

/// A fill value: its text, its bytes in both orders, and how either format writes it.
pub(crate) fn fill_value(resolved: &Resolved, fill: &FillValue, notes: &mut Vec<Note>) -> Json {
    let default = resolved.data_type.default_scalar();
    // V2 `null` is no value, though readers show the default scalar.
    let (value, shown) = match fill {
        FillValue::Unreadable { error, .. } => return refusal(error),
        FillValue::Missing => return Json::NULL,
        FillValue::Null => {
            notes.push(Note::new(
                Code::NullFill,
                "In V2, null leaves never-written cells undefined; V3 has no such value. zarrscope shows the default \
                 scalar, as zarr-python 3.4.2 does.",
            ));
            (None, &default)
        }
        FillValue::Value { scalar, notes: more, .. } => {
            notes.extend(more.iter().cloned());
            (Some(scalar), scalar)
        }
    };
    let bytes = |order| value.map(|scalar| hex_in(resolved.data_type.as_ref(), scalar, order));
    object! {
        "value": value.map(ToString::to_string),
        "bytes_little": bytes(Endian::Little),
        "bytes_big": bytes(Endian::Big),
        "v2": value.map(|scalar| written(resolved, scalar, Format::V2, notes)),
        "v3": written(resolved, shown, Format::V3, notes),
    }
}

fn written(resolved: &Resolved, scalar: &Scalar, format: Format, notes: &mut Vec<Note>) -> Json {
    said(resolved.data_type.fill_to_json(scalar, format, &resolved.order), notes)
        .unwrap_or_default()
}

fn said<T>(form: Result<T, Note>, notes: &mut Vec<Note>) -> Option<T> {
    form.map_err(|note| notes.push(note)).ok()
}

/// The bytes of a scalar with every component in one order, as hexadecimal digits.
fn hex_in(data_type: &dyn DataType, scalar: &Scalar, endian: Endian) -> Json {
    let order =
        if data_type.has_byte_order() { ByteOrder::All(endian) } else { ByteOrder::NotApplicable };
    data_type.encode(scalar, &order).map_or(Json::NULL, |bytes| hex(&bytes, "").into())
}
