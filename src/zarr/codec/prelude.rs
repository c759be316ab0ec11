//! The names that many files here use.

pub(super) use super::{
    Block, Built, ByteCount, ByteTarget, Bytes, Chain, Checksum, Codec, CodecKind, CodecRow,
    CodecSpec, Context, Data, Elements, HeaderField, Outcome, Passage, Places, Registry,
    Representation, Setup, Towards,
    bounded_buffer::{
        BoundedBuffer, compressed, decompress, if_begins, not_compressed, piece, room_within,
        streams, too_large,
    },
    built,
    byte_reader::ByteReader,
    config::InnerCodecs,
    corrupt,
    numeric::{Number, Numeric},
    other_format::{InV2, in_v3, lost_in_v3, objects_lost_in_v3},
    outcome::other_magic,
    registry::Signature,
    truncated,
};
pub(super) use crate::zarr::{
    budget::{Budget, filled, room, stopped, to_usize},
    data_type::{
        ByteOrder, DataType, Endian, ItemSize, Native, Resolved, element,
        native::Primitive,
        number::{FixedNumber, NumberKind},
    },
    error::{Code, Error, Flagged, Note, Result},
    format::Format,
    grid::{Region, order},
    json::{Json, Kind, quoted},
    scalar::{Float, FloatFormat, Scalar},
    words::{byte_count, byte_range, counted, hex, times},
};
pub(super) use std::{borrow::Cow, ops::Range, sync::Arc};
