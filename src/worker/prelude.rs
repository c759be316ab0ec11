//! The names that many files here use.

pub(super) use super::{
    output_file::OutputFile,
    parallel::{self, Task},
};
pub(super) use crate::{
    app::{Answer, Pace},
    zarr::{
        ArrayMetadata, ArrayReader, Budget, Code, Error, Hierarchy, NodePath,
        array::{self, Piece, PieceData},
        budget::{Memory, Stop, lock},
        chunk,
        compare::Compared,
        grid::{ChunkId, Region},
    },
};
pub(super) use std::{
    collections::HashMap,
    fs::{File, Metadata},
    io::{Read, Write},
    iter, mem,
    path::{Path, PathBuf},
    sync::{Arc, Mutex},
    thread,
    time::{Duration, Instant, SystemTime},
};
