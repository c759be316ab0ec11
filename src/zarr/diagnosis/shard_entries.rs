//! Shards whose index has its entries otherwise than the specification: the length first, ends in place of lengths, offsets
//! from elsewhere, inner chunks in another order; and shards with the index of another one. The index is written again as
//! it should be: that all inner chunks decode then, or that values go on from shard to shard, tells it.

use super::{
    case::{Case, Sample},
    files::{again, decodes},
    permutations::permutations,
    seams::{Blocks, Continuity},
};
use crate::zarr::{
    codec::sharding::Sharding,
    error::Diagnosis,
    grid::order,
    words::{counted, grouped},
};
use std::ops::Range;

/// The bytes of an entry.
const ENTRY: usize = 16;
/// The bytes of the checksum of an index.
const SUM: usize = 4;
/// The number of shards whose inner chunks are put into another order.
const SHARDS: usize = 16;

/// An offset and a length; both are the largest number where an inner chunk is not stored.
type Entry = (u64, u64);
/// How an entry is to be read instead; `None` where it cannot be.
type Way<'w> = &'w dyn Fn(Entry) -> Option<Entry>;
const EMPTY: Entry = (u64::MAX, u64::MAX);

/// The index of a shard of which all is known.
struct Index {
    range: Range<usize>,
    entries: Vec<Entry>,
    at_start: bool,
}

/// The sharding codec of an array whose shards are in nothing else.
fn sharding(case: &Case<'_>) -> Option<Sharding> {
    let chain = case.array.chain()?;
    let at = chain.sharding().filter(|at| at + 1 == chain.links.len())?;
    chain.links.get(at)?.codec.as_ref().ok()?.sharding().cloned()
}

impl Index {
    fn of(sharding: &Sharding, bytes: &[u8]) -> Option<Self> {
        let range = sharding.index_range(bytes.len() as u64).ok()?;
        let range = usize::try_from(range.start).ok()?..usize::try_from(range.end).ok()?;
        let count = usize::try_from(sharding.count()?).ok()?;
        // Little-endian numbers, and perhaps a checksum.
        let sum = range.len().checked_sub(count.checked_mul(ENTRY)?)?;
        let stored = bytes.get(range.start..range.end - sum)?;
        let number = |bytes: &[u8; 8]| u64::from_le_bytes(*bytes);
        let entries = stored.as_chunks::<8>().0.as_chunks::<2>().0.iter();
        let entries = entries.map(|[offset, len]| (number(offset), number(len))).collect();
        let at_start = sharding.index_at_start;
        (sum == 0 || sum == SUM).then_some(Self { range, entries, at_start })
    }

    /// The entries of inner chunks that are stored.
    fn stored(&self) -> impl Iterator<Item = Entry> + '_ {
        self.entries.iter().copied().filter(|entry| *entry != EMPTY)
    }

    /// The shard with other entries; `None` where one of them is of no place in it.
    fn rewritten(&self, bytes: &[u8], to: Way<'_>) -> Option<Vec<u8>> {
        let new = |entry: &Entry| if *entry == EMPTY { Some(EMPTY) } else { to(*entry) };
        let entries = self.entries.iter().map(new).collect::<Option<Vec<Entry>>>()?;
        let is_inside = |&(offset, len): &Entry| {
            (offset, len) == EMPTY
                || offset.checked_add(len).is_some_and(|end| end <= bytes.len() as u64)
        };
        if entries == self.entries || !entries.iter().all(is_inside) {
            return None;
        }
        self.with(bytes, &entries)
    }

    /// The shard with these entries.
    fn with(&self, bytes: &[u8], entries: &[Entry]) -> Option<Vec<u8>> {
        let mut index: Vec<u8> = entries
            .iter()
            .flat_map(|(a, b)| [a.to_le_bytes(), b.to_le_bytes()])
            .flatten()
            .collect();
        if index.len() < self.range.len() {
            index.extend(crc32c::crc32c(&index).to_le_bytes());
        }
        let mut shard = bytes.to_vec();
        shard.get_mut(self.range.clone())?.copy_from_slice(&index);
        Some(shard)
    }

    /// By how much all offsets must grow for the inner chunks to begin where their bytes do; negative to shrink.
    fn shift(&self) -> Option<i64> {
        let start = if self.at_start { self.range.end } else { 0 };
        let least = self.stored().map(|(offset, _)| offset).min()?;
        i64::try_from(start).ok()?.checked_sub(i64::try_from(least).ok()?)
    }
}

/// The cause, if a shard can be decoded once its entries are read otherwise.
pub(super) fn diagnose(case: &Case<'_>, sample: &Sample) -> Option<Diagnosis> {
    let index = Index::of(&sharding(case)?, &sample.bytes)?;
    let shift = index.shift().unwrap_or(0);
    let shifted = |(offset, len): Entry| Some((offset.checked_add_signed(shift)?, len));
    let from = if shift == i64::try_from(index.range.end).ok()? && index.at_start {
        "The offsets in the shard index count from the end of the index, not from the start of the shard.".into()
    } else {
        let what = if shift < 0 { "large" } else { "small" };
        format!(
            "All offsets in the shard index are {} bytes too {what}.",
            grouped(shift.unsigned_abs())
        )
    };
    let ways: [(String, Way<'_>); 3] = [
        (
            "The entries of the shard index have the length first, then the offset.".into(),
            &|(offset, len)| Some((len, offset)),
        ),
        (
            "The entries of the shard index have the end of each inner chunk, not its length."
                .into(),
            &|(offset, end)| Some((offset, end.checked_sub(offset)?)),
        ),
        (from, &shifted),
    ];
    let (sentence, _) = ways.into_iter().find(|(_, way)| {
        let shard = index.rewritten(&sample.bytes, way);
        shard.is_some_and(|shard| decodes(case, sample, shard))
    })?;
    Some(
        Diagnosis::new("shard-index", sentence)
            .because("Read that way, every inner chunk can be decoded.")
            .because("The metadata cannot declare that: the index has to be written again.")
            .explaining(&case.symptoms.codes())
            .certain(),
    )
}

/// Takes the shards out whose index is sound, but that of other inner chunks.
pub(super) fn of_others(case: &Case<'_>, samples: &mut Vec<Sample>) -> Vec<Diagnosis> {
    let Some(sharding) = sharding(case) else { return Vec::new() };
    let sound = case.sound();
    super::files::gathered_with(case, samples, &|sample| {
        let index = Index::of(&sharding, &sample.bytes)?;
        let lengths: Vec<u64> = index.stored().map(|(_, len)| len).collect();
        // Of inner chunks that are all of one length, every index is the same.
        let is_varied = lengths.iter().any(|len| Some(len) != lengths.first());
        let stored = sample.bytes.get(index.range.clone())?;
        let is_sum_right = index.range.len() == index.entries.len() * ENTRY
            || stored
                .split_last_chunk::<SUM>()
                .is_some_and(|(index, sum)| crc32c::crc32c(index) == u32::from_le_bytes(*sum));
        let other = sound.iter().find(|other| {
            let range = Index::of(&sharding, &other.bytes).map(|index| index.range);
            range.and_then(|range| other.bytes.get(range)) == Some(stored)
        });
        let end = index.stored().map(|(offset, len)| offset.saturating_add(len)).max()?;
        let data = if index.at_start { sample.bytes.len() } else { index.range.start };
        let is_elsewhere = end != data as u64 && index.range.len() > index.entries.len() * ENTRY;
        if !is_varied || !is_sum_right || (other.is_none() && !is_elsewhere) {
            return None;
        }
        let text = match other {
            Some(other) => format!("The shard has the index of another one, {}.", other.key),
            None => "The shard has an index that is not that of its inner chunks.".into(),
        };
        Some(
            Diagnosis::new("shard-index", text)
                .because(format!(
                    "By the index, the {} end at byte {}; the bytes for them end at {}.",
                    counted(lengths.len() as u64, "inner chunk"),
                    grouped(end),
                    grouped(data)
                ))
                .because("Nothing records where each inner chunk is any more.")
                .mended_by(again(&sample.key)),
        )
    })
}

/// The cause, if values go on from shard to shard once the inner chunks are taken in another order from the index.
pub(super) fn other_order(case: &Case<'_>, samples: &[Sample]) -> Option<Diagnosis> {
    let sharding = sharding(case)?;
    let samples = samples.get(..samples.len().min(SHARDS))?;
    let counts = &sharding.counts;
    let borders = |samples: &[Sample]| {
        let blocks = Blocks::of(case, case.array, samples)?;
        Some(Continuity::of(&blocks.seams(&blocks.declared(), None)))
    };
    if !(2..=4).contains(&counts.len()) || counts.iter().filter(|count| **count > 1).count() < 2 {
        return None;
    }
    let known = borders(samples).filter(Continuity::is_broken_often)?;
    let reordered = |axes: &Vec<usize>| {
        let shards = samples.iter().map(|sample| {
            let bytes = in_order(&sharding, axes, &sample.bytes)?;
            Some(Sample { bytes, ..sample.clone() })
        });
        shards.collect::<Option<Vec<Sample>>>()
    };
    let all = permutations(counts.len());
    let mut mending = all.iter().skip(1).filter_map(|axes| {
        let found = borders(&reordered(axes)?)?;
        found.mends(&known).then_some((axes, found))
    });
    let ((axes, found), None) = (mending.next()?, mending.next()) else { return None };
    let word = super::layout::order_words(axes).0;
    let text = format!(
        "The entries of the shard index are in {word}; the specification requires C order."
    );
    Some(
        Diagnosis::new("shard-index", text)
            .because(format!(
                "As declared, values jump at {} of {} borders between shards; with the inner chunks in that order, at {}.",
                known.broken, known.of, found.broken
            ))
            .because("The metadata cannot declare that: the indexes have to be written again."),
    )
}

/// A shard whose entries, in the order of `axes`, are put into C order.
fn in_order(sharding: &Sharding, axes: &[usize], bytes: &[u8]) -> Option<Vec<u8>> {
    let index = Index::of(sharding, bytes)?;
    let along: Vec<u64> = axes.iter().filter_map(|&k| sharding.counts.get(k).copied()).collect();
    let entry = |number: usize| {
        let at = order::coordinates(number as u128, &sharding.counts);
        let steps = axes.iter().zip(&along);
        let place = steps.fold(0, |sum, (&k, n)| sum * n + at.get(k).copied().unwrap_or(0));
        index.entries.get(usize::try_from(place).ok()?).copied()
    };
    let entries = (0..index.entries.len()).map(entry).collect::<Option<Vec<Entry>>>()?;
    index.with(bytes, &entries)
}
