//! The names that many files here use.

pub(super) use super::{
    CommandResult, ExitStatus, Failure,
    chunk_file::FileDescription,
    json_forms,
    open::{Opened, OpenedArray, ReadAsFlags, open},
    output::{self, Output, Role},
    part_file::{PartFile, ReportParts},
    partition::{Mergeable, PartJob, Partition, SpreadOptions},
    progress::Progress,
    read_array::{ReadArray, Unread},
    stored_chunks::StoredChunks,
    table::{self, Cell},
};
pub(super) use crate::zarr::{
    DataTypes,
    array::{self, Slab},
    check::{CheckOptions, Event},
    diagnosis::Wrapping,
    digest,
    prelude::*,
    runnable::{ShellScript, ShellWord, script},
    spelling::typed::WantedType,
    store::shown,
    words::{self, size, widest},
};
pub(super) use clap::{Args, ValueEnum};
pub(super) use std::{
    cell::RefCell,
    env, fs,
    io::{self, IsTerminal, Read, Write},
    mem,
};

/// The outcome of printing.
pub(super) type Printed = io::Result<()>;
