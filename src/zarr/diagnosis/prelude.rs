//! The names that many files here use.

pub(super) use super::{
    case::{Case, Sample, named},
    files::{again, contains, decodes, rewritten},
    numbers::Numbers,
    permutations::permutations,
    reading::{FEW, GAIN, Reading, ReadingOutcome, number, values},
    renames::mended_by_renames,
    seams::{AdjacentChunks, BROKEN, Continuity, PowerSums, Seam, SeamArrangement},
    types::without_codecs,
};
pub(super) use crate::zarr::{
    bytes::Bytes,
    codec::{Chain, CodecKind, CodecSpec, Data, Elements, Places},
    data_type::Endian,
    error::{Code, Diagnosis, FileContent},
    format::Format,
    grid::order,
    json::Json,
    metadata::{ArrayMetadata, Packing},
    plausibility::{Meaning, Words, cost, numbers},
    runnable::{ShellScript, script},
    scalar::Scalar,
    what_if::{SettingMember, WhatIf},
    words::{byte_count, counted, grouped, list},
};
pub(super) use std::{collections::HashSet, ops::Range};
