//! The names that many files here use.

pub(super) use super::{
    accidents::{Claim, chance_of_breaks},
    case::{Case, Sample, named},
    files::{again, contains, decodes, gathered, rewritten},
    numbers::{Numbers, distinct},
    permutations::{order_words, permutations},
    reading::{FEW, LESS, Reading, ReadingOutcome, number, values},
    renames::mended_by_renames,
    seams::{AdjacentChunks, BROKEN, Continuity, PowerSums, Seam, SeamArrangement},
    types::{without_codecs, without_codecs_of},
};
pub(super) use crate::zarr::{
    budget::Budget,
    byte_order::Verdict,
    bytes::Bytes,
    codec::{Chain, CodecKind, CodecRow, CodecSpec, Data, Elements, Places},
    data_type::Endian,
    error::{Change, Code, Diagnosis, FileContent},
    format::Format,
    grid::{Grid, order},
    json::Json,
    metadata::{ArrayMetadata, Packing},
    plausibility::{GAIN, Meaning, Measure, Words, cost, measure, numbers},
    runnable::{ShellScript, ShellWord, script},
    scalar::Scalar,
    text::safe_bytes,
    what_if::{SettingMember, WhatIf},
    words::{byte_count, counted, grouped, list},
};
pub(super) use std::{collections::HashSet, ops::Range};
