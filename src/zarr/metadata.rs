//! The metadata of an array or a group, in terms that fit both formats.
//!
//! Reading never stops at the first fault. Each field is understood on its own, or kept as an [`Error`] beside the raw
//! JSON: an array whose codec nobody knows still has a data type, a fill value and stored bytes.

use super::prelude::*;

mod calendar;
mod chain;
pub mod consolidated;
mod document;
mod packing;
mod shape;
pub mod v2;
pub mod v3;

pub use calendar::{Dates, is_day};
pub use document::RawDocument;
pub use packing::{Meant, Packing, fill_attribute, float_json, has_xarray_fill};

/// The metadata of an array.
#[derive(Debug, Clone)]
pub struct ArrayMetadata {
    /// The format of the documents.
    pub format: Format,
    /// The documents: `.zarray` and `.zattrs`, or `zarr.json`.
    pub documents: Vec<RawDocument>,
    /// The number of elements along each dimension.
    pub shape: Result<Vec<u64>, Error>,
    /// The division of the array into chunks (for a sharded array: into shards).
    pub grid: Result<Grid, Error>,
    /// Under which key a chunk lies.
    pub key_encoding: Result<KeyEncoding, Error>,
    /// The data type, with the byte order the array's elements have after the whole chain (V2: from the dtype;
    /// V3: from the `bytes` codec, wherever in the chain it is).
    pub data_type: Result<Resolved, Error>,
    /// V2: the object codec among filters and compressor.
    pub object_codec: Option<String>,
    /// The part of the metadata that declares the byte order.
    pub order_source: OrderSource,
    /// The value of elements that were never written.
    pub fill_value: FillValue,
    /// True if chunks are laid out column-major (V2 `order: "F"`); always false in V3.
    pub fortran: bool,
    /// The codecs in encoding order, as [`CodecSpec::chain_from_v2`] and [`CodecSpec::chain_from_v3`] read them: V2 the
    /// implied `bytes`, the filters, the compressor; V3 `codecs`.
    pub codecs: Result<Vec<CodecSpec>, Error>,
    /// The dimensions' names: V3 `dimension_names`, V2 the attribute `_ARRAY_DIMENSIONS`; `None` where there are none.
    pub dimension_names: Option<Vec<Option<String>>>,
    /// The data types and codecs by which the array was read.
    pub registry: Registry,
    /// The reason why chunk data must not be shown (an unknown storage transformer), though everything else may.
    pub refused: Option<Error>,
    /// Everything wrong or remarkable, with place.
    pub problems: Vec<Problem>,
}

/// The part of the metadata that declares the order of the bytes of an element.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum OrderSource {
    /// V2: the dtype.
    DataType,
    /// V3: `endian` of the `bytes` codec.
    Codec,
    /// Nothing: single bytes, or variable length.
    NotApplicable,
    /// Nothing, though it should: little is a guess.
    Guessed,
}

/// The value of elements that were never written.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum FillValue {
    /// A value.
    Value {
        /// As stored.
        json: Json,
        /// As read.
        scalar: Scalar,
        /// Notes on this spelling.
        notes: Vec<Note>,
    },
    /// V2 `null`: the contents of missing chunks are undefined; readers show the default scalar.
    Null,
    /// There is no `fill_value`, though both formats demand one.
    Missing,
    /// It cannot be read, or the data type is not known.
    Unreadable {
        /// As stored.
        json: Json,
        /// The reason.
        error: Error,
    },
}

/// The metadata of a group.
#[derive(Debug, Clone)]
pub struct GroupMetadata {
    /// The format of the documents.
    pub format: Format,
    /// The documents: `.zgroup` and `.zattrs`, or `zarr.json`; none for an implicit group.
    pub documents: Vec<RawDocument>,
    /// Everything wrong or remarkable, with place.
    pub problems: Vec<Problem>,
}

/// The user attributes in the documents of a node; `None` where there are none, or they are no object.
fn attributes(format: Format, documents: &[RawDocument]) -> Option<&Json> {
    let attributes = match format {
        Format::V2 => documents.get(1)?.root(),
        Format::V3 => documents.first()?.root()?.get("attributes"),
    };
    attributes.filter(|json| json.as_object().is_some())
}

/// The name of a dimension of those with these names, in brackets.
pub(super) fn in_brackets(names: Option<&[Option<String>]>, axis: usize) -> String {
    let name = names.and_then(|names| names.get(axis)?.as_deref());
    name.map_or_else(String::new, |name| format!(" ({name})"))
}

impl GroupMetadata {
    /// User attributes: an object, where they are one.
    pub fn attributes(&self) -> Option<&Json> {
        attributes(self.format, &self.documents)
    }
}

impl ArrayMetadata {
    /// The number of elements along each dimension, where it could be read.
    pub fn known_shape(&self) -> Option<&Vec<u64>> {
        self.shape.as_ref().ok()
    }

    /// The division into chunks, where it could be read.
    pub fn known_grid(&self) -> Option<&Grid> {
        self.grid.as_ref().ok()
    }

    /// The elements that the chunk at `coordinates` holds, cut at the array's edge; `None` where it holds none, or nothing
    /// is known of the grid.
    pub fn region(&self, coordinates: &[u64]) -> Option<Region> {
        self.known_grid()?.region(coordinates, self.known_shape()?)
    }

    /// The number of chunks along each dimension, where it could be read.
    pub fn chunk_counts(&self) -> Option<Vec<u64>> {
        Some(self.known_grid()?.counts(self.known_shape()?))
    }

    /// The name of a dimension in brackets, to be told after its number; empty where it has none.
    pub(in crate::zarr) fn name_in_brackets(&self, axis: usize) -> String {
        in_brackets(self.dimension_names.as_deref(), axis)
    }

    /// The data type, where it could be read.
    pub fn known_data_type(&self) -> Option<&Resolved> {
        self.data_type.as_ref().ok()
    }

    /// Under which key a chunk lies, where that could be read.
    pub fn known_key_encoding(&self) -> Option<&KeyEncoding> {
        self.key_encoding.as_ref().ok()
    }

    /// User attributes: an object, where they are one.
    pub fn attributes(&self) -> Option<&Json> {
        attributes(self.format, &self.documents)
    }

    /// The data type as stored: the value of `dtype` or `data_type`.
    pub fn data_type_json(&self) -> Option<&Json> {
        let key = if self.format == Format::V2 { "dtype" } else { "data_type" };
        self.documents.first()?.root()?.get(key)
    }

    /// The data type, where it is known.
    pub fn data_type(&self) -> Option<&Arc<dyn DataType>> {
        self.data_type.as_ref().ok().map(|resolved| &resolved.data_type)
    }

    /// The name of the data type, safe to show.
    pub fn data_type_in_words(&self) -> String {
        let name = self.data_type().map(|data_type| safe_owned(&data_type.name()));
        name.unwrap_or_else(|| "unknown data type".into())
    }

    /// The label of a dimension: its name, safe to show, or its number where it has none.
    pub fn dimension_name(&self, axis: usize) -> String {
        let name = self.dimension_names.as_ref().and_then(|names| names.get(axis)?.as_deref());
        let named = name.filter(|name| !name.is_empty());
        named.map_or_else(|| format!("dim {axis}"), safe_owned)
    }

    /// The fill value that the document declares; `None` for V2 `null`, which leaves what was never written undefined,
    /// and where there is none or it is unreadable.
    pub fn declared_fill(&self) -> Option<&Scalar> {
        match &self.fill_value {
            FillValue::Value { scalar, .. } => Some(scalar),
            FillValue::Null | FillValue::Missing | FillValue::Unreadable { .. } => None,
        }
    }

    /// The scalar that missing chunks read as: the fill value, or the default scalar for V2 `null`; `None` where
    /// neither is known.
    pub fn fill_scalar(&self) -> Option<Scalar> {
        match &self.fill_value {
            FillValue::Value { scalar, .. } => Some(scalar.clone()),
            FillValue::Null => self.data_type().map(|data_type| data_type.default_scalar()),
            FillValue::Missing | FillValue::Unreadable { .. } => None,
        }
    }
}

/// Reads `zarr_format`, which must be the number of `format`. A fraction of nothing is read as zarr-python 3.1 does.
fn zarr_format(format: Format, faults: &mut document::Faults) {
    let Ok(json) = faults.required("zarr_format") else { return };
    let number = format.number();
    if json.as_u64() == Some(u64::from(number)) {
        return;
    }
    let error = Error::new(Code::ZarrFormat, json.describe(), format!("the number {number}"));
    let error = error.at("zarr_format");
    if json.as_number() == Some(&format!("{number}.0")) {
        faults.add_as(
            Severity::Note,
            json,
            error.with_fix("zarr-python 3.1.6 reads it, 3.4.2 refuses it."),
        );
    } else if format == Format::V2 && json.as_str() == Some(&number.to_string()) {
        let fix = "zarrita 0.7.5, GDAL 3.12.2 and netCDF4 1.7.5 read it; zarr-python 3.4.2, zarrs 0.23.14 and TensorStore \
                   0.1.86 refuse it.";
        faults.add_as(Severity::Warning, json, error.with_fix(fix));
    } else {
        let is_other = json.as_u64() == Some(u64::from(format.other().number()));
        let names = if format == Format::V2 { "zarr.json" } else { ".zarray, .zgroup and .zattrs" };
        let other = format.other().name();
        let fix = is_other.then(|| format!("A document of {other} belongs in {names}."));
        faults.add(json, Error { fix, ..error });
    }
}

/// The members of one format in a document of the other, and those that stand for them there.
const OF_THE_OTHER: [(&str, &str); 14] = [
    ("chunks", "chunk_grid"),
    ("dtype", "data_type"),
    ("compressor", "codecs"),
    ("filters", "codecs"),
    ("order", "the codec transpose"),
    ("dimension_separator", "chunk_key_encoding"),
    ("chunk_grid", "chunks"),
    ("data_type", "dtype"),
    ("codecs", "compressor and filters"),
    ("chunk_key_encoding", "dimension_separator"),
    ("node_type", "the name of the document"),
    ("storage_transformers", "nothing"),
    ("attributes", ".zattrs"),
    ("dimension_names", "_ARRAY_DIMENSIONS in .zattrs (xarray)"),
];

/// The sentence on a member that the document of `format` does not know, where it is of the other format.
fn of_the_other(member: &str, format: Format) -> Option<String> {
    let (_, instead) = OF_THE_OTHER.iter().find(|(name, _)| *name == member)?;
    let (own, other) = (format.name(), format.other().name());
    Some(format!("It is a member of {other}; {own} has {instead} for it."))
}

/// Reads `fill_value` as `data_type` has it.
fn fill_value(
    data_type: &Result<Resolved, Error>,
    format: Format,
    faults: &mut document::Faults,
) -> FillValue {
    let Ok(json) = faults.required("fill_value") else { return FillValue::Missing };
    if format == Format::V2 && json.is_null() {
        return FillValue::Null;
    }
    let unreadable = |error| FillValue::Unreadable { json: json.clone(), error };
    let resolved = match data_type {
        Ok(resolved) => resolved,
        Err(error) => return unreadable(error.clone()),
    };
    match resolved.data_type.fill_from_json(json, format, &resolved.order) {
        Ok(flagged) => {
            for note in &flagged.notes {
                faults.remark("fill_value", json, note);
            }
            FillValue::Value { json: json.clone(), scalar: flagged.value, notes: flagged.notes }
        }
        Err(error) => unreadable(faults.add(json, under("fill_value", error))),
    }
}

/// `error` with `field` in front, where it does not name it already.
fn under(field: &str, error: Error) -> Error {
    match &error.place.field {
        Some(inner) if inner.starts_with(field) => error,
        _ => error.at(field),
    }
}
