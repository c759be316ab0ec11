//! The names that many files here use.

pub(super) use super::{
    CommandResult, ExitStatus, Failure,
    chunk_file::FileDescription,
    digest::relative,
    json_forms,
    open::{Opened, OpenedArray, ReadAsFlags, open},
    output::{self, Output, Role},
    part_file::ReportParts,
    partition::{PartJob, Partition},
    progress::Progress,
    read_array::{ReadArray, Unread},
    table::{self, Cell},
};
pub(super) use crate::zarr::{
    ArrayMetadata, ArrayReader, Budget, Code, DataType, DataTypes, Endian, Error, Format,
    Hierarchy, Json, Node, NodePath, Problem, Registry, Scalar, Severity,
    array::{self, Piece, Slab},
    check::Event,
    data_type::Resolved,
    digest,
    grid::{ChunkId, Region},
    hierarchy::NodeKind,
    json::object,
    metadata::{FillValue, Packing},
    runnable::{ShellScript, ShellWord, script},
    store::{Store, shown},
    text::{safe, safe_owned},
    words::{self, Joined, counted, grouped, size},
};
pub(super) use clap::{Args, ValueEnum};
pub(super) use std::{
    collections::BTreeMap,
    io::Write,
    mem,
    ops::Range,
    path::{Path, PathBuf},
    sync::Arc,
};

/// The outcome of printing.
pub(super) type Printed = std::io::Result<()>;
