//! The names that many files here use, whichever module they are in.

pub(super) use super::{
    budget::Budget,
    bytes::Bytes,
    chunk::Chunk,
    codec::{CodecSpec, Elements, Places, Registry},
    data_type::{ByteOrder, DataType, Endian, Resolved},
    error::{Code, Diagnosis, Error, Note, Problem, Severity},
    format::Format,
    grid::{ChunkId, Grid, Region},
    hierarchy::{Hierarchy, Node, NodeKind},
    json::{Json, Kind, quoted},
    metadata::{ArrayMetadata, FillValue, Packing, RawDocument},
    presence::Layout,
    scalar::{Float, Scalar},
    store::{Entry, NodePath, Stat, Store},
    text::safe,
    words::{Joined, counted, grouped, list, times},
};
pub(super) use std::{
    collections::{BTreeMap, HashMap, HashSet},
    fmt,
    ops::Range,
    path::{Path, PathBuf},
    sync::Arc,
};
