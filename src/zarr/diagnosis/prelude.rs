//! The names that many files here use.

pub(super) use super::{
    accidents::{Claim, chance_of_breaks},
    case::{Case, Sample, keys_of, named},
    files::{again, contains, decodes, gathered, rewritten},
    numbers::{Numbers, distinct, middle},
    permutations::{order_words, permutations, reordered},
    reading::{FEW, LESS, Reading, ReadingOutcome, number, values},
    renames::mended_by_renames,
    seams::{AdjacentChunks, BROKEN, Continuity, PowerSums, Seam, SeamArrangement, mean},
    types::{without_codecs, without_codecs_of},
};
pub(super) use crate::zarr::{
    byte_order::Verdict,
    codec::CodecRow,
    error::{Change, FileContent},
    grid::order,
    plausibility::{GAIN, Meaning, Measure, Words, cost, measure, numbers},
    prelude::*,
    runnable::{ShellScript, ShellWord, script},
    text::safe_bytes,
    what_if::{SettingMember, WhatIf},
    words::byte_count,
};
