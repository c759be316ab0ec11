//! Bytes of shards that belong to no inner chunk, and what they are: the checksum of an index that declares none, or a part
//! of the shard a second time. All inner chunks can be read, so that nothing else tells.

use super::prelude::*;
use super::{
    ends::cut,
    reading::told_alone,
    shards::{SUM, index},
};

/// So many shards are opened.
const SHARDS: usize = 4;
/// Fewer bytes may be the same as others by chance.
const LEAST: usize = 24;

/// The cause of bytes between inner chunks.
pub(super) fn diagnose(case: &Case) -> Vec<Diagnosis> {
    let Some((at, _)) = case.sharding() else { return Vec::new() };
    let mut samples = case.sound();
    samples.truncate(SHARDS);
    if let Some(reading) = unknown_checksum(case, at, &samples) {
        return told_alone(case, &samples, reading).into_iter().collect();
    }
    gathered(case, &mut samples, &[repeated])
}

/// The reading with a checksum after the index, where each shard has one that agrees.
fn unknown_checksum(case: &Case, at: usize, samples: &[Sample]) -> Option<Reading> {
    let has_sum = |sample: &Sample| {
        let shard = case.shard(sample)?;
        let start = usize::try_from(shard.index.start).ok()?;
        let end = usize::try_from(shard.index.end).ok()?;
        let gap = shard.gaps.iter().find(|gap| gap.start == shard.index.end)?;
        let entries = sample.bytes.get(start..end)?;
        let stored = sample.bytes.get(end..)?.first_chunk::<SUM>()?;
        let is_sum = u32::from_le_bytes(*stored) == crc32c::crc32c(entries);
        (is_sum && gap.end - gap.start == SUM as u64).then_some(())
    };
    samples.iter().map(has_sum).collect::<Option<Vec<()>>>().filter(|all| !all.is_empty())?;
    let [_, _, with_sum, _] = index(at, case);
    Some(with_sum.because(format!(
        "After the index of {} are {SUM} bytes that no inner chunk has: its checksum, which matches.",
        if samples.len() == 1 { "the shard".into() } else { format!("all {} shards examined", samples.len()) }
    )))
}

/// The cause, if a part of a shard is there a second time, after all of it.
fn repeated(case: &Case, sample: &Sample) -> Option<Diagnosis> {
    let shard = case.shard(sample)?;
    let gap = shard.gaps.last()?;
    let index = shard.index.end - shard.index.start;
    // An index at the end is there once more: after the shard, and at the end of what was appended.
    let is_first = shard.index.start == 0;
    let end = usize::try_from(gap.start + if is_first { 0 } else { index }).ok()?;
    let (start, rest) = sample.bytes.split_at_checked(end)?;
    let is_last = gap.end == if is_first { shard.len } else { shard.index.start };
    (is_last && rest.len() >= LEAST && start.ends_with(rest)).then(|| {
        let part = if rest.len() == start.len() { "all of it" } else { "its last bytes" };
        let text = format!(
            "The file has {} after the shard's {}: {part} a second time.",
            byte_count(rest.len()),
            byte_count(end)
        );
        let diagnosis = Diagnosis::new("appended/repeated-end", text).because(
            "They are byte for byte those before them, and the index points to none of them.",
        );
        cut(diagnosis.certain(), sample, end)
    })
}
