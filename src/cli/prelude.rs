//! The names that many files here use.

pub(super) use super::{
    CommandResult, ExitStatus, Failure,
    chunk_file::FileDescription,
    json_forms,
    open::{Opened, OpenedArray, ReadAsFlags, open},
    output::{self, Output, Role},
    part_file::ReportParts,
    partition::{PartJob, Partition, SpreadOptions},
    progress::Progress,
    read_array::{ReadArray, Unread},
    stored_chunks::StoredChunks,
    table::{self, Cell},
};
pub(super) use crate::zarr::{
    ArrayMetadata, ArrayReader, Budget, ByteOrder, Code, DataType, DataTypes, Diagnosis, Endian,
    Error, Format, Hierarchy, Json, Node, NodePath, Problem, Registry, Scalar, Severity,
    array::{self, Piece, Slab},
    budget::{lock, to_usize},
    check::{CheckOptions, Event},
    codec::Data,
    data_type::Resolved,
    diagnosis::Wrapping,
    digest,
    grid::{ChunkId, Region, starts},
    hierarchy::NodeKind,
    json::object,
    metadata::{FillValue, Packing, RawDocument},
    runnable::{ShellScript, ShellWord, script},
    spelling::typed::WantedType,
    store::{Store, shown},
    text::{safe, safe_owned, safe_text},
    words::{self, Joined, counted, grouped, size, widest},
};
pub(super) use clap::{Args, ValueEnum};
pub(super) use std::{
    collections::{BTreeMap, BTreeSet, HashMap, HashSet},
    io::Write,
    mem,
    ops::Range,
    path::{Path, PathBuf},
    sync::Arc,
};

/// The outcome of printing.
pub(super) type Printed = std::io::Result<()>;
