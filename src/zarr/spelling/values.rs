//! The rows of data type, byte order and fill value.

use super::{
    Join, NOTHING, Nearest, Row, Subject, Topic, columns, missing::MovedMark, nearest, without_type,
};
use crate::zarr::prelude::*;
use crate::zarr::{
    data_type::{ItemSize, notes},
    metadata::OrderSource,
    words::hex_start,
};
use std::fmt::Write;

/// The rows that need no array: what values are, how their bytes lie, what stands where nothing was written.
pub fn rows(subject: &Subject) -> Vec<Row> {
    let mut rows = vec![data_type(subject), byte_order(subject)];
    rows.extend(subject.data_type().map(|data_type| element(data_type.as_ref())));
    if let Some(fill) = &subject.fill {
        rows.extend(fill_rows(subject, fill));
    }
    rows.extend(subject.data_type().map(|data_type| default_scalar(subject, data_type)));
    without_type(rows, subject.stored)
}

fn unreadable(error: &Error) -> Note {
    Note { code: error.code, text: error.sentences() }
}

/// The V2 form with its object codec, or why there is none.
fn v2_cell(resolved: &Resolved) -> Result<String, Note> {
    let form = resolved.to_v2()?;
    Ok(match form.object_codec {
        None => safe_text(&form.dtype),
        Some(codec) => format!("{} + {codec}", safe_text(&form.dtype)),
    })
}

fn v3_cell(data_type: &dyn DataType) -> Result<String, Note> {
    data_type.to_v3().map(|form| safe_text(&form))
}

fn data_type(subject: &Subject) -> Row {
    let mut stored =
        subject.json.as_ref().map_or_else(|| "not in the document".into(), |json| safe_text(&json));
    if let Some(codec) = &subject.object_codec {
        let _ = write!(stored, " + {}", safe(codec));
    }
    let resolved = match &subject.resolved {
        Ok(resolved) => resolved,
        Err(error) => {
            let (v2, v3) = columns(subject.stored, stored, "?".into());
            return Row::new(Topic::DataType, "data type", v2, v3)
                .but(Join::Impossible, unreadable(error));
        }
    };
    let written = match subject.stored {
        Format::V2 => v3_cell(resolved.data_type.as_ref()),
        Format::V3 => v2_cell(resolved),
    };
    let (other, failure) = split(written);
    let (v2, v3) = columns(subject.stored, stored, other);
    let row = Row::new(Topic::DataType, "data type", v2, v3);
    let general = resolved.data_type.notes();
    let row = match failure {
        Some(note) => row.but(Join::Impossible, note),
        None if general.is_empty() => row,
        None => Row { join: Join::Choice, ..row },
    };
    let nested = notes::nested_in_v2(resolved.data_type.as_ref());
    let row = match nested.filter(|_| subject.stored == Format::V3) {
        Some(note) => row.but(Join::Choice, note),
        None => row,
    };
    row.noted(resolved.notes.iter().cloned()).noted(general)
}

/// The text of a cell, and the note where the format cannot say it.
fn split(written: Result<String, Note>) -> (String, Option<Note>) {
    match written {
        Ok(text) => (text, None),
        Err(note) => (NOTHING.into(), Some(note)),
    }
}

/// The byte order in V3 of elements of several bytes where no `bytes` codec lays several bytes out: another codec
/// writes the elements, or one before it makes single bytes of them.
const NOT_LAID_OUT: &str = "not applicable: no `bytes` codec needs one";

fn byte_order(subject: &Subject) -> Row {
    let row = |v2: String, v3: String| Row::new(Topic::ByteOrder, "byte order", v2, v3);
    let Some(data_type) = subject.data_type() else {
        return row("?".into(), "?".into()).but(Join::Impossible, unknown_order());
    };
    let order = subject.order();
    if let Some(Err(note)) =
        subject.resolved.as_ref().ok().filter(|it| it.is_order_unknown()).map(Resolved::to_v2)
    {
        return row(NOTHING.into(), "unknown".into()).but(Join::Impossible, note);
    }
    if !data_type.has_byte_order() {
        let why = match data_type.item_size() {
            ItemSize::Variable => "not applicable: variable length",
            ItemSize::Fixed(1) => "not applicable: a single byte",
            ItemSize::Fixed(_) => "not applicable: never swapped",
        };
        return row(why.into(), why.into());
    }
    let word = order.word();
    if let (Format::V3, Err(note)) = (subject.stored, data_type.to_v2(&order)) {
        let said = match subject.order_source {
            OrderSource::Guessed => "not given; little is a guess".into(),
            OrderSource::NotApplicable => NOT_LAID_OUT.into(),
            _ => format!("{word}, in the `bytes` codec"),
        };
        let guess = (subject.order_source == OrderSource::Guessed).then(guessed_order);
        return row(NOTHING.into(), said).but(Join::Impossible, note).noted(guess);
    }
    match (subject.order_source, order.uniform()) {
        (OrderSource::Guessed, _) if data_type.is_little_unless_said() => {
            row(format!("{word}, in the dtype"), "not given, which means little".into())
        }
        (OrderSource::Guessed, _) => {
            row(format!("{word}, in the dtype"), "not given; little is a guess".into())
                .but(Join::Choice, guessed_order())
        }
        (OrderSource::NotApplicable, Some(_)) => {
            row(format!("{word}, in the dtype"), NOT_LAID_OUT.into())
        }
        (_, None) => row("per field, in the dtype".into(), "one order for all fields".into())
            .but(Join::Lossy, mixed_order()),
        (_, Some(_)) => {
            row(format!("{word}, in the dtype"), format!("{word}, in the `bytes` codec"))
        }
    }
}

/// The byte order that no codec gives.
fn guessed_order() -> Note {
    let text = "No `bytes` codec gives `endian`, although elements have more than one byte. Little-endian is assumed \
                here. zarr-python 3.1.6 assumes the machine's byte order; 3.4.2, zarrs 0.23.14 and TensorStore 0.1.86 \
                refuse the array.";
    Note::new(Code::EndianGuessed, text)
}

/// The byte order of what nobody knows.
fn unknown_order() -> Note {
    let text = "The data type is unknown, and the byte order depends on it.";
    Note::new(Code::UnknownDataType, text)
}

/// A struct whose fields have different byte orders, in V3.
pub(super) fn mixed_order() -> Note {
    Note::new(
        Code::NoOtherForm,
        "The fields have different byte orders; V3 has one `endian` for the whole array. The chunks must be \
         rewritten to keep the values.",
    )
}

fn element(data_type: &dyn DataType) -> Row {
    let text = safe_owned(&data_type.description());
    Row::new(Topic::Element, "element", text.clone(), text)
}

fn fill_rows(subject: &Subject, fill: &FillValue) -> Vec<Row> {
    let Some((data_type, scalar)) = subject.data_type().zip(subject.scalar()) else {
        return vec![fill_value(subject, fill, None)];
    };
    let order = subject.order();
    // The scalar of the other format: what marks missing values may have to be another one there.
    let other = match &subject.moved {
        Some(moved) => moved.fill.clone().unwrap_or_else(|| data_type.default_scalar()),
        None => scalar.clone(),
    };
    let written = nearest(data_type.as_ref(), &other, subject.stored.other(), &order);
    let mut rows = vec![fill_value(subject, fill, Some(&written))];
    // The scalar of each column: what is stored, and what readers of the other document see.
    let there = written.as_ref().map_or(&other, |near| &near.scalar);
    let (v2, v3) = columns(subject.stored, &scalar, there);
    let decoded = |row: Row| match &written {
        Ok(Nearest { lost: Some(note), .. }) => row.but(Join::Lossy, note.clone()),
        _ => row,
    };
    if let FillValue::Value { .. } = fill {
        let text = |scalar: &Scalar| scalar.to_string();
        rows.push(decoded(Row::new(Topic::Decoded, "  decoded", text(v2), text(v3))));
        let bytes = |scalar: &Scalar, format: Format| match subject.order_in(format) {
            None => "unknown".into(),
            Some(order) => bytes_text(data_type, scalar, &order, 2),
        };
        let (v2, v3) = (bytes(v2, Format::V2), bytes(v3, Format::V3));
        rows.push(decoded(Row::new(Topic::FillBytes, "  bytes", v2, v3)));
    }
    rows.push(decoded(missing_chunks(subject.stored, fill, [v2, v3])));
    for row in &mut rows {
        if let Some((moved, note)) =
            subject.moved.as_ref().and_then(|it| Some((it, it.note.as_ref()?)))
        {
            moved_row(row, moved, subject.stored.other(), note);
        }
    }
    rows
}

/// Tells in a row of the fill value that it is another one in `other`, or null, because of what marks missing values.
fn moved_row(row: &mut Row, moved: &MovedMark, other: Format, note: &Note) {
    if moved.fill.is_none() {
        let cell = match row.topic {
            Topic::FillValue => "null".into(),
            Topic::MissingChunks => row.cell(other).replace("read as", "undefined; shown as"),
            _ => NOTHING.into(),
        };
        *(if other == Format::V2 { &mut row.v2 } else { &mut row.v3 }) = cell;
    }
    if row.topic == Topic::FillValue || row.v2 != row.v3 {
        row.join = row.join.max(Join::Choice);
        row.notes.push(note.clone());
    }
}

/// The form in the format that is not stored, or the reason why there is none.
type NearestWritten = Result<Nearest, Note>;

fn fill_value(subject: &Subject, fill: &FillValue, written: Option<&NearestWritten>) -> Row {
    let row = |stored: String, other: String| {
        let (v2, v3) = columns(subject.stored, stored, other);
        Row::new(Topic::FillValue, "fill value", v2, v3)
    };
    let other = match written {
        None => "?".into(),
        Some(Err(_)) => NOTHING.into(),
        Some(Ok(near)) => safe_text(&near.json),
    };
    match fill {
        FillValue::Value { json, notes, .. } => {
            let row = row(safe_text(&json), other).noted(notes.iter().cloned());
            match written {
                Some(Err(note)) => row.but(Join::Impossible, note.clone()),
                Some(Ok(Nearest { lost: Some(note), .. })) => row.but(Join::Lossy, note.clone()),
                _ if notes.is_empty() => row,
                _ => Row { join: row.join.max(Join::Choice), ..row },
            }
        }
        FillValue::Null => row("null".into(), other).but(Join::Choice, null_note()),
        FillValue::Missing => row("not in the document".into(), "?".into()).but(
            Join::Impossible,
            Note::new(
                Code::FillValueMissing,
                "Both formats require `fill_value`. zarr-python 3.4.2 and zarrs 0.23.14 refuse an array without it.",
            ),
        ),
        FillValue::Unreadable { json, error } => {
            row(safe_text(&json), "?".into())
                .but(Join::Impossible, unreadable(error))
        }
    }
}

fn null_note() -> Note {
    Note::new(
        Code::NullFill,
        "In V2, null leaves never-written cells undefined; V3 requires a value, so one must be chosen. zarr-python \
         3.4.2 shows the default scalar, xarray 2026.9 sees no _FillValue, TensorStore 0.1.86 and zarrs 0.23.14 fill \
         with zeros.",
    )
}

/// The scalar's bytes in the array's order, named where there is one: `big 80 00`. Behind them those in the other
/// order, if an element has at most `both` bytes: `big 80 00   little 00 80`.
pub fn bytes_text(
    data_type: &Arc<dyn DataType>,
    scalar: &Scalar,
    order: &ByteOrder,
    both: usize,
) -> String {
    let hex = |order: &ByteOrder| {
        data_type.encode(scalar, order).map_or_else(|error| error.found, |b| hex_start(&b))
    };
    match order.uniform() {
        Some(endian) if data_type.fixed_size().is_some_and(|size| size <= both) => {
            let other = hex(&ByteOrder::All(endian.other()));
            format!("{} {}   {} {other}", endian.word(), hex(order), endian.other().word())
        }
        Some(endian) => format!("{} {}", endian.word(), hex(order)),
        None => hex(order),
    }
}

fn missing_chunks(stored: Format, fill: &FillValue, [v2, v3]: [&Scalar; 2]) -> Row {
    let shown = |scalar: &Scalar| match scalar.to_string() {
        empty if empty.is_empty() => "no bytes".to_owned(),
        text => text,
    };
    let text = |scalar: &Scalar| format!("read as {}", shown(scalar));
    let row = |v2: String, v3: String| Row::new(Topic::MissingChunks, "  missing chunks", v2, v3);
    match fill {
        FillValue::Null => {
            let undefined = format!("undefined; shown as {}", shown(v2));
            let (v2, v3) = columns(stored, undefined, text(v3));
            row(v2, v3).but(Join::Choice, null_note())
        }
        _ => row(text(v2), text(v3)),
    }
}

fn default_scalar(subject: &Subject, data_type: &Arc<dyn DataType>) -> Row {
    let scalar = data_type.default_scalar();
    let cell = |format| {
        data_type
            .fill_to_json(
                &scalar,
                format,
                &subject.order_in(format).unwrap_or_else(|| subject.order()),
            )
            .map_or_else(|_| scalar.to_string(), |json| safe_text(&json))
    };
    Row::new(Topic::DefaultScalar, "default scalar", cell(Format::V2), cell(Format::V3))
}
