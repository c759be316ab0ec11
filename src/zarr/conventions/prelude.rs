//! The names that many files here use.

pub(super) use super::{
    attributes::{
        Attributes, all_quoted, finding, from_to, mismatch, note, note_unless, noted, number,
        numbers, out_of, saying, with_fix,
    },
    cf::Variable,
    numbers::{
        again, count_and_first, couples, ends, finite, index, is_zero, median, neighbours, nonzero,
        only, sorted, steps,
    },
    ome::OmeGroup,
    region::RegionValues,
    related::{
        MOST, Related, in_file_of, is_called, is_float, is_integer, is_number, is_text, length,
        text_of,
    },
};
pub(super) use crate::zarr::{
    array::{ArrayReader, PieceData},
    budget::Budget,
    error::{Code, Error, Problem, Severity},
    format::Format,
    grid::order,
    hierarchy::{Hierarchy, NodeKind},
    json::{Json, quoted},
    metadata::{ArrayMetadata, Dates, Packing},
    scalar::Scalar,
    store::{NodePath, Store},
    words::{Joined as _, and_more, counted, grouped, list, nearest, short},
};
pub(super) use std::collections::{HashMap, HashSet};
