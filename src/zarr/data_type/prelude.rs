//! The names that many files here use.

pub(super) use super::{
    AnatomyRow, ByteOrder, DataType, Endian, Family, ItemSize, Native, PaddedBytes, Plain,
    Resolved, Scope, V2Form, element,
    extension::{Extension, name_of, written},
    fill, notes,
    typestr::{MAX_ITEM_SIZE, TypeStr},
};
pub(super) use crate::zarr::{
    error::{Code, Error, Flagged, Note, Result},
    format::Format,
    json::{Json, Kind, object, quoted},
    scalar::{Decimal, Float, FloatFormat, Scalar},
    words::{byte_count, hex},
};
pub(super) use std::sync::Arc;
