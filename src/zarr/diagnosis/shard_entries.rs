//! Shards whose index has its entries otherwise than the specification: the length first, ends in place of lengths, offsets
//! from elsewhere, inner chunks in another order; and shards with the index of another one. The index is written again as
//! it should be: that all inner chunks decode then, or that values go on from shard to shard, tells it.

use super::prelude::*;
use crate::zarr::codec::sharding::Sharding;

/// The bytes of an entry.
const ENTRY: usize = 16;
/// The bytes of the checksum of an index.
const SUM: usize = 4;
/// The number of shards whose inner chunks are put into another order.
const SHARDS: usize = 16;

/// An offset and a length; both are the largest number where an inner chunk is not stored.
type RawEntry = (u64, u64);
/// Another reading of an index entry; `None` where it has none.
type EntryReading<'w> = &'w dyn Fn(RawEntry) -> Option<RawEntry>;
const EMPTY: RawEntry = (u64::MAX, u64::MAX);

/// The index of a shard of which all is known.
struct Index {
    range: Range<usize>,
    entries: Vec<RawEntry>,
    at_start: bool,
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
    fn stored(&self) -> impl Iterator<Item = RawEntry> + '_ {
        self.entries.iter().copied().filter(|entry| *entry != EMPTY)
    }

    /// The shard with other entries; `None` where one of them is of no place in it.
    fn rewritten(&self, bytes: &[u8], to: EntryReading<'_>) -> Option<Vec<u8>> {
        let entries = self
            .entries
            .iter()
            .map(|entry| if *entry == EMPTY { Some(EMPTY) } else { to(*entry) })
            .collect::<Option<Vec<RawEntry>>>()?;
        let is_inside = |&(offset, len): &RawEntry| {
            (offset, len) == EMPTY
                || offset.checked_add(len).is_some_and(|end| end <= bytes.len() as u64)
        };
        if entries == self.entries || !entries.iter().all(is_inside) {
            return None;
        }
        self.with(bytes, &entries)
    }

    /// The shard with these entries.
    fn with(&self, bytes: &[u8], entries: &[RawEntry]) -> Option<Vec<u8>> {
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
pub(super) fn diagnose(case: &Case, sample: &Sample) -> Option<Diagnosis> {
    const NONE: u64 = u64::MAX;
    let index = Index::of(&case.outer_sharding()?, &sample.bytes)?;
    let shift = index.shift().unwrap_or(0);
    let shifted = |(offset, len): RawEntry| Some((offset.checked_add_signed(shift)?, len));
    let from = if shift == i64::try_from(index.range.end).ok()? && index.at_start {
        "The offsets in the shard index count from the end of the index, not from the start of the shard.".into()
    } else {
        let what = if shift < 0 { "large" } else { "small" };
        format!(
            "All offsets in the shard index are {} bytes too {what}.",
            grouped(shift.unsigned_abs())
        )
    };
    let ways: [(String, EntryReading<'_>); 4] = [
        (
            "The shard index marks inner chunks as empty by one of its two numbers; both must be 2^64 - 1."
                .into(),
            &|entry| Some(if entry.0 == NONE || entry.1 == NONE { EMPTY } else { entry }),
        ),
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
        Diagnosis::new("shard-index/ends-for-lengths", sentence)
            .because("Read that way, every inner chunk can be decoded.")
            .because("The metadata cannot declare that: the index has to be written again.")
            .certain(),
    )
}

/// Takes the shards out whose index is sound, but that of other inner chunks.
pub(super) fn of_others(case: &Case, samples: &mut Vec<Sample>) -> Vec<Diagnosis> {
    let Some(sharding) = case.outer_sharding() else { return Vec::new() };
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
            Diagnosis::new("shard-index/other-shard", text)
                .because(format!(
                    "By the index, the {} end at byte {}; the bytes for them end at {}.",
                    counted(lengths.len(), "inner chunk"),
                    grouped(end),
                    grouped(data)
                ))
                .because("Nothing records where each inner chunk is any more.")
                .to_do(again(&sample.key)),
        )
    })
}

/// The cause, if values go on from inner chunk to inner chunk once these are taken in another order from the index.
pub(super) fn other_order(case: &Case, samples: &[Sample]) -> Option<Diagnosis> {
    let sharding = case.outer_sharding()?;
    let samples = samples.get(..samples.len().min(SHARDS))?;
    let counts = &sharding.counts;
    let borders = |samples: &[Sample]| {
        let blocks = AdjacentChunks::of_inner(case, case.array, samples)?;
        Some((blocks.continuity(), blocks.constant()))
    };
    if !(2..=4).contains(&counts.len()) || counts.iter().filter(|count| **count > 1).count() < 2 {
        return None;
    }
    let (known, still) = borders(samples).filter(|(known, _)| known.is_broken_often())?;
    let all = EntryOrder::all(counts.len());
    let mut mending = all.iter().filter_map(|order| {
        let (found, constant) = borders(&reordered(&sharding, order, samples)?)?;
        // What is beyond the end of the array is constant, and has no borders that values jump at.
        (found.mends(&known) && constant <= still).then_some((order, found))
    });
    let (order, found) = mending.next()?;
    let mut others = mending.map(|(other, _)| other.places(counts));
    // Of few inner chunks, two orders may be the same.
    if others.any(|other| other != order.places(counts)) {
        return None;
    }
    let word = order.words();
    let text = format!(
        "The entries of the shard index are in {word}; the specification requires C order."
    );
    Some(
        Diagnosis::new("shard-index/other-order", text)
            .because(format!(
                "As declared, values jump at {} of {} borders between inner chunks; in that order, at {}.",
                known.broken, known.of, found.broken
            ))
            .because("The metadata cannot declare that: the indexes have to be written again."),
    )
}

/// An order of the entries of an index.
enum EntryOrder {
    /// By dimensions, the outermost first.
    Axes(Vec<usize>),
    /// By the bits of all indices in turn: those of the first dimension, or of the last, are the lowest.
    Morton { is_first_lowest: bool },
}

impl EntryOrder {
    /// Every order but C order.
    fn all(rank: usize) -> Vec<Self> {
        let axes = permutations(rank).into_iter().skip(1).map(Self::Axes);
        let morton = [true, false].map(|is_first_lowest| Self::Morton { is_first_lowest });
        axes.chain(morton).collect()
    }

    fn words(&self) -> String {
        match self {
            Self::Axes(axes) => order_words(axes).0,
            Self::Morton { is_first_lowest } => {
                let lowest = if *is_first_lowest { "first" } else { "last" };
                format!("Morton order, the {lowest} dimension in the lowest bit")
            }
        }
    }

    /// For each inner chunk, in C order, the number of its entry.
    fn places(&self, counts: &[u64]) -> Vec<usize> {
        let total = order::total(counts).and_then(|total| usize::try_from(total).ok()).unwrap_or(0);
        let rank = |number: &usize| {
            let at = order::coordinates(*number as u128, counts);
            match self {
                Self::Axes(axes) => u128::from(by_axes(axes, &at, counts)),
                Self::Morton { is_first_lowest } => interleaved(&at, *is_first_lowest),
            }
        };
        let mut sorted: Vec<usize> = (0..total).collect();
        sorted.sort_by_key(rank);
        let mut places = vec![0; total];
        for (place, number) in sorted.into_iter().enumerate() {
            if let Some(of) = places.get_mut(number) {
                *of = place;
            }
        }
        places
    }
}

fn by_axes(axes: &[usize], at: &[u64], counts: &[u64]) -> u64 {
    let get = |all: &[u64], axis: usize| all.get(axis).copied().unwrap_or(0);
    axes.iter().fold(0, |sum, &axis| sum * get(counts, axis) + get(at, axis))
}

/// The bits of all indices in turn, the lowest ones first.
fn interleaved(at: &[u64], is_first_lowest: bool) -> u128 {
    let mut bits = 0;
    for (axis, index) in at.iter().enumerate() {
        let lane = if is_first_lowest { axis } else { at.len() - 1 - axis };
        let set = (0..128 / at.len()).filter(|bit| *bit < 64 && index >> bit & 1 == 1);
        bits |= set.fold(0, |sum, bit| sum | 1_u128 << (bit * at.len() + lane));
    }
    bits
}

/// The shards, whose entries are in `order`, with entries in C order.
fn reordered(sharding: &Sharding, order: &EntryOrder, samples: &[Sample]) -> Option<Vec<Sample>> {
    let places = order.places(&sharding.counts);
    let shard = |sample: &Sample| {
        let bytes = in_order(sharding, &places, &sample.bytes)?;
        Some(Sample { bytes, ..sample.clone() })
    };
    samples.iter().map(shard).collect()
}

/// A shard whose entries are put into C order.
fn in_order(sharding: &Sharding, places: &[usize], bytes: &[u8]) -> Option<Vec<u8>> {
    let index = Index::of(sharding, bytes)?;
    let entry = |place: &usize| index.entries.get(*place).copied();
    let entries = places.iter().map(entry).collect::<Option<Vec<RawEntry>>>()?;
    index.with(bytes, &entries)
}
