//! The names that many files here use.

pub(super) use super::{
    attributes::{Attributes, with_fix},
    ome::OmeGroup,
};
pub(super) use crate::zarr::{
    array::ArrayReader,
    budget::Budget,
    error::{Code, Error, Problem, Severity},
    format::Format,
    grid::order,
    hierarchy::{Hierarchy, NodeKind},
    json::{Json, quoted},
    metadata::{ArrayMetadata, Packing},
    scalar::Scalar,
    store::{NodePath, Store},
    words::{counted, grouped, list, nearest, short},
};
pub(super) use std::collections::HashSet;
