//! The array's shape, how it is cut, and under which keys the chunks lie: `shape`, V2 `chunks` and
//! `dimension_separator`, V3 `chunk_grid` and `chunk_key_encoding`.

use super::document::{ExtensionPoint, Faults};
use crate::zarr::prelude::*;

/// Reads `shape`.
pub(super) fn shape(faults: &mut Faults) -> Result<Vec<u64>> {
    let json = faults.required("shape")?;
    lengths(json, "shape", faults)
}

/// Reads V2 `chunks`.
pub(super) fn chunks(shape: &Result<Vec<u64>>, faults: &mut Faults) -> Result<Grid> {
    let json = faults.required("chunks")?;
    let lengths = lengths(json, "chunks", faults)?;
    regular(lengths, shape, json, "chunks", false, faults)
}

/// Reads V3 `chunk_grid`: `regular`, `rectilinear`, and those that zarrs 0.23 ships, which are rectilinear in other
/// words.
pub(super) fn chunk_grid(shape: &Result<Vec<u64>>, faults: &mut Faults) -> Result<Grid> {
    let json = faults.required("chunk_grid")?;
    let extension = ExtensionPoint::read(json, "chunk_grid", faults)?;
    let field = "chunk_grid.configuration.chunk_shape";
    match extension.name {
        "regular" => {
            extension.only(&["chunk_shape"], "chunk_grid", faults);
            let lengths_json = member(&extension, "chunk_shape", json, faults)?;
            let lengths = lengths(lengths_json, field, faults)?;
            regular(lengths, shape, lengths_json, field, true, faults)
        }
        "rectilinear" => rectilinear(&extension, shape, json, faults),
        name @ ("rectangular" | "zarrs.regular_bounded") => {
            extension.unregistered(json, "chunk_grid", faults);
            extension.only(&["chunk_shape"], "chunk_grid", faults);
            let runs =
                runs(member(&extension, "chunk_shape", json, faults)?, shape, field, faults)?;
            let shape = shape.as_ref().map_err(Clone::clone)?;
            let cut = |(runs, &length): (Vec<_>, _)| match name {
                "rectangular" => runs,
                _ => bounded(&runs, length),
            };
            Ok(Grid::Rectilinear(runs.into_iter().zip(shape).map(cut).collect()))
        }
        other => {
            let found = format!("the chunk grid {}", quoted(other));
            let error = Error::new(Code::UnknownExtension, found, "regular or rectilinear");
            Err(faults.add(json, error.at("chunk_grid")))
        }
    }
}

fn member<'a>(
    extension: &ExtensionPoint<'a>,
    key: &str,
    around: &Json,
    faults: &mut Faults,
) -> Result<&'a Json> {
    extension.get(key).ok_or_else(|| {
        let error = Error::new(Code::MissingField, "nothing", format!("the chunk grid's {key}"));
        faults.add(around, error.at(key).at("configuration").at("chunk_grid"))
    })
}

/// A list of lengths. A bare number is read as a list of one, as zarr-python does, and told.
fn lengths(json: &Json, field: &str, faults: &mut Faults) -> Result<Vec<u64>> {
    let Some(items) = json.as_array() else {
        let error = faults.wrong(json, field, Code::NotAList, "an array of integers");
        return json.as_u64().map(|length| vec![length]).ok_or(error);
    };
    let mut lengths = Vec::with_capacity(items.len());
    for (index, item) in items.iter().enumerate() {
        lengths.push(length(item, &format!("{field}[{index}]"), faults)?);
    }
    Ok(lengths)
}

/// One length. What is whole but past 64 bits is no fault of the document's: the specification sets no bound.
fn length(json: &Json, field: &str, faults: &mut Faults) -> Result<u64> {
    if let Some(length) = json.as_u64() {
        return Ok(length);
    }
    if json.as_number().is_some_and(|text| text.bytes().all(|byte| byte.is_ascii_digit())) {
        let expected = "a length below 2^64, the most that readers count to";
        let error = Error::new(Code::InvalidLength, json.describe(), expected).at(field);
        return Err(faults.add_as(Severity::Warning, json, error));
    }
    let expected = "an integer, 0 or more, without fraction or exponent";
    Err(faults.wrong(json, field, Code::InvalidLength, expected))
}

fn regular(
    lengths: Vec<u64>,
    shape: &Result<Vec<u64>>,
    json: &Json,
    field: &str,
    forbids_zero: bool,
    faults: &mut Faults,
) -> Result<Grid> {
    if let Ok(shape) = shape {
        same_rank(lengths.len(), shape, json, field, faults)?;
    }
    for (index, _) in lengths.iter().enumerate().filter(|&(_, &length)| length == 0) {
        let unreachable = shape.as_ref().is_ok_and(|shape| shape.get(index) > Some(&0));
        let error =
            Error::new(Code::ChunkLengthZero, "the number 0", "a chunk length of 1 or more");
        let error = error.at(format!("{field}[{index}]"));
        if unreachable {
            // There are elements, and no chunk holds them: nothing may go through such a grid.
            return Err(faults.add(json, error));
        } else if forbids_zero {
            faults.add(json, error);
        } else {
            faults.add_as(Severity::Note, json, error);
        }
    }
    Ok(Grid::Regular(lengths))
}

fn same_rank(
    rank: usize,
    shape: &[u64],
    json: &Json,
    field: &str,
    faults: &mut Faults,
) -> Result<()> {
    if rank == shape.len() {
        return Ok(());
    }
    let expected = format!("{}, one per dimension of shape", shape.len());
    let error = Error::new(Code::RankMismatch, format!("{rank} chunk lengths"), expected);
    Err(faults.add(json, error.at(field)))
}

fn rectilinear(
    extension: &ExtensionPoint,
    shape: &Result<Vec<u64>>,
    around: &Json,
    faults: &mut Faults,
) -> Result<Grid> {
    extension.only(&["kind", "chunk_shapes"], "chunk_grid", faults);
    let kind = member(extension, "kind", around, faults)?;
    if kind.as_str() != Some("inline") {
        let (field, expected) = ("chunk_grid.configuration.kind", "the string \"inline\"");
        return Err(faults.wrong(kind, field, Code::MalformedExtension, expected));
    }
    let field = "chunk_grid.configuration.chunk_shapes";
    let json = member(extension, "chunk_shapes", around, faults)?;
    runs(json, shape, field, faults).map(Grid::Rectilinear)
}

/// The chunk lengths along every dimension.
fn runs(
    json: &Json,
    shape: &Result<Vec<u64>>,
    field: &str,
    faults: &mut Faults,
) -> Result<Vec<Vec<(u64, u64)>>> {
    let Some(axes) = json.as_array() else {
        return Err(faults.wrong(json, field, Code::NotAList, "one entry per dimension"));
    };
    let shape = shape.as_ref().map_err(Clone::clone)?;
    same_rank(axes.len(), shape, json, field, faults)?;
    let mut runs = Vec::with_capacity(axes.len());
    for (index, (axis, &length)) in axes.iter().zip(shape).enumerate() {
        runs.push(axis_runs(axis, length, &format!("{field}[{index}]"), faults)?);
    }
    Ok(runs)
}

/// Chunks of one length along a dimension of `length`, the last one cut at its end.
fn bounded(runs: &[(u64, u64)], length: u64) -> Vec<(u64, u64)> {
    let Some(&(edge, _)) = runs.first() else { return Vec::new() };
    let runs = [(edge, length / edge), (length % edge, 1)];
    runs.into_iter().filter(|&(edge, count)| edge > 0 && count > 0).collect()
}

/// The chunk lengths along one dimension of `length`: one number for all, or a list of numbers and of
/// `[length, how many]`.
fn axis_runs(
    json: &Json,
    length: u64,
    field: &str,
    faults: &mut Faults,
) -> Result<Vec<(u64, u64)>> {
    let Some(items) = json.as_array() else {
        let edge = positive(json, field, faults)?;
        return Ok(vec![(edge, length.div_ceil(edge))]);
    };
    let mut runs = Vec::with_capacity(items.len());
    for (index, item) in items.iter().enumerate() {
        let field = format!("{field}[{index}]");
        runs.push(match item.as_array() {
            None => (positive(item, &field, faults)?, 1),
            Some([edge, repeat]) => (
                positive(edge, &format!("{field}[0]"), faults)?,
                positive(repeat, &format!("{field}[1]"), faults)?,
            ),
            Some(_) => {
                let expected = "a chunk length, or [length, count]";
                return Err(faults.wrong(item, &field, Code::MalformedExtension, expected));
            }
        });
    }
    let sum = runs.iter().fold(0_u64, |sum, &(a, n)| sum.saturating_add(a.saturating_mul(n)));
    if sum < length {
        let found = format!("chunks that cover {sum} elements");
        let error = Error::new(Code::GridTooShort, found, format!("at least {length}")).at(field);
        faults.add(json, error);
    }
    Ok(runs)
}

fn positive(json: &Json, field: &str, faults: &mut Faults) -> Result<u64> {
    let length = length(json, field, faults)?;
    if length > 0 {
        return Ok(length);
    }
    let error = Error::new(Code::ChunkLengthZero, "the number 0", "1 or more").at(field);
    Err(faults.add(json, error))
}

/// Reads V2 `dimension_separator`; `.` where there is none.
pub(super) fn dimension_separator(faults: &mut Faults) -> Result<KeyEncoding> {
    let field = "dimension_separator";
    let separator = match faults.optional(field) {
        None => '.',
        Some(json) if json.is_null() => {
            let error = Error::new(Code::NullSeparator, "null", "\".\", \"/\" or no such member");
            faults.add(json, error.at(field).with_fix("zarrscope reads it as \".\"."));
            '.'
        }
        Some(json) => separator(json, field, faults)?,
    };
    Ok(KeyEncoding::V2 { separator })
}

/// The chunk key encoding that zarrs 0.23 has.
const SUFFIXED: &str = "zarrs.default_suffix";

/// Reads V3 `chunk_key_encoding`.
pub(super) fn chunk_key_encoding(faults: &mut Faults) -> Result<KeyEncoding> {
    let field = "chunk_key_encoding";
    let json = faults.required(field)?;
    let extension = ExtensionPoint::read(json, field, faults)?;
    let is_suffixed = extension.name == SUFFIXED;
    extension.only(
        if is_suffixed { &["separator", "suffix"] } else { &["separator"] },
        field,
        faults,
    );
    let inside = extension.get("separator");
    let named = inside.or_else(|| json.get("separator"));
    let place = if inside.is_some() { ".configuration.separator" } else { ".separator" };
    let separator = match named {
        Some(named) => Some(separator(named, &format!("{field}{place}"), faults)?),
        None => None,
    };
    match extension.name {
        "default" => Ok(KeyEncoding::Default { separator: separator.unwrap_or('/') }),
        "v2" => Ok(KeyEncoding::V2 { separator: separator.unwrap_or('.') }),
        SUFFIXED => {
            let suffix = extension.get("suffix").map(|json| {
                json.as_str().ok_or_else(|| {
                    let field = format!("{field}.configuration.suffix");
                    faults.wrong(json, &field, Code::MalformedExtension, "a string")
                })
            });
            let suffix = suffix.transpose()?.unwrap_or_default().into();
            extension.unregistered(json, field, faults);
            Ok(KeyEncoding::Suffixed { separator: separator.unwrap_or('/'), suffix })
        }
        other => {
            let found = format!("the chunk key encoding {}", quoted(other));
            let error = Error::new(Code::UnknownExtension, found, "default or v2");
            Err(faults.add(json, error.at(field)))
        }
    }
}

fn separator(json: &Json, field: &str, faults: &mut Faults) -> Result<char> {
    match json.as_str() {
        Some(".") => Ok('.'),
        Some("/") => Ok('/'),
        _ => Err(faults.wrong(json, field, Code::InvalidSeparator, "\".\" or \"/\"")),
    }
}
