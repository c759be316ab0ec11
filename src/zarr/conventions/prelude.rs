//! The names that many files here use.

pub(super) use super::{
    attributes::{Attributes, noted, with_fix},
    cf::Variable,
    ome::OmeGroup,
    region::RegionValues,
    related::Related,
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
    words::{counted, grouped, list, nearest, short},
};
pub(super) use std::collections::{HashMap, HashSet};
