//! The names that many files here use, whichever module they are in; and those of the folders that stand on the library.

pub(crate) use super::{
    array::{ArrayReader, Piece, PieceData},
    budget::{Budget, lock, to_usize},
    bytes::Bytes,
    chunk::{Chunk, Stage},
    codec::{Chain, CodecKind, CodecSpec, Codecs, Data, Elements, Places, Registry},
    data_type::{ByteOrder, DataType, Endian, Resolved},
    error::{Code, Diagnosis, Error, Note, Problem, Result, Severity},
    format::Format,
    grid::{ChunkId, Grid, KeyEncoding, Region, lengths, starts},
    hierarchy::{Hierarchy, Node, NodeKind},
    json::{Json, Kind, Member, object, quoted},
    metadata::{ArrayMetadata, FillValue, Packing, RawDocument},
    presence::Layout,
    scalar::{Float, Scalar},
    store::{Entry, NodePath, Stat, Store},
    text::{safe, safe_owned, safe_text},
    words::{Joined, byte_range, counted, grouped, hex, list, times},
};
pub(crate) use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque},
    fmt,
    ops::Range,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, OnceLock},
    time::SystemTime,
};
