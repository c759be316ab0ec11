//! The chunks of an array that are not stored, and their pattern in the grid.

use super::{
    chunk::StoredInnerChunks,
    races::{self, MissingBlocks},
};
use crate::zarr::prelude::*;
use crate::zarr::{grid::order, metadata::in_brackets, store::join};
use std::cell::OnceCell;

/// The longest dimension along which chunks are counted, and the largest grid of which each is known.
const MOST: u64 = 1 << 16;

/// The number of chunks named one by one.
const NAMED: usize = 4;

/// The words for missing chunks of no pattern.
const SCATTERED: &str = "scattered";

/// The stored chunks of a grid, or the stored inner chunks of all its shards.
#[derive(Debug, Default)]
pub(super) struct Coverage {
    /// Their number along each dimension.
    pub(super) counts: Vec<u64>,
    pub(super) stored: u64,
    /// The number stored at each index, for each dimension.
    along: Vec<BTreeMap<u64, u64>>,
    /// Those that are stored, by number; empty for a large grid.
    each: Vec<bool>,
    /// The whole blocks that the others form, once they are all counted and somebody asked.
    blocks: OnceCell<Option<MissingBlocks>>,
}

impl Coverage {
    pub(super) fn new(counts: Vec<u64>) -> Self {
        let total = order::total(&counts).filter(|&total| total <= MOST.into());
        let each = vec![false; total.and_then(|total| usize::try_from(total).ok()).unwrap_or(0)];
        let along = vec![BTreeMap::new(); counts.len()];
        Self { counts, stored: 0, along, each, blocks: OnceCell::new() }
    }

    pub(super) fn add(&mut self, at: &[u64]) {
        self.stored += 1;
        for ((along, index), count) in self.along.iter_mut().zip(at).zip(&self.counts) {
            if *count <= MOST {
                *along.entry(*index).or_default() += 1;
            }
        }
        let number = order::number(at, &self.counts).and_then(|at| usize::try_from(at).ok());
        if let Some(each) = number.and_then(|number| self.each.get_mut(number)) {
            *each = true;
        }
    }

    /// Takes in the inner chunks of a shard whose first element is at `start`, and that ends before `end`; false where
    /// they do not line up with those of other shards.
    pub(super) fn add_shard(
        &mut self,
        shard: &StoredInnerChunks,
        start: &[u64],
        end: &[u64],
    ) -> bool {
        let lengths = &shard.shape;
        let fits = start.len() == lengths.len()
            && start.iter().zip(lengths).all(|(at, length)| at.checked_rem(*length) == Some(0));
        if !fits {
            return false;
        }
        let stored = shard.stored.iter().enumerate().filter(|(_, stored)| **stored);
        for (number, _) in stored {
            let inside = order::coordinates(number as u128, &shard.counts);
            let at: Vec<u64> =
                inside.iter().zip(start).zip(lengths).map(|((at, s), n)| at + s / n).collect();
            if at.iter().zip(lengths).zip(end).all(|((at, n), end)| at * n < *end) {
                self.add(&at);
            }
        }
        true
    }

    /// The number of chunks, and of those not stored.
    fn missing(&self) -> Option<(u128, u128)> {
        let total = order::total(&self.counts)?;
        Some((total, total.checked_sub(self.stored.into()).filter(|&missing| missing > 0)?))
    }

    /// The pattern of the missing ones, as the end of a sentence.
    fn pattern(&self, names: Option<&[Option<String>]>) -> Option<String> {
        let (total, missing) = self.missing().filter(|_| self.stored > 0)?;
        let single = self.each.iter().enumerate().filter(|(_, stored)| !**stored);
        let single = single.take(NAMED + 1);
        let at = |number| list(&order::coordinates(number as u128, &self.counts));
        let single: Vec<String> = single.map(|(number, _)| at(number)).collect();
        if (1..=NAMED).contains(&single.len()) {
            return Some(single.join(", "));
        }
        let slabs = self.along.iter().zip(&self.counts).enumerate().find_map(|(axis, slab)| {
            let (along, &count) = slab;
            let all = 0..count.min(MOST);
            let empty: Vec<u64> = all.filter(|at| !along.contains_key(at)).collect();
            let of_each = total.checked_div(count.into())?;
            let is_all = !along.is_empty() && empty.len() as u128 * of_each == missing;
            is_all.then_some((axis, empty))
        });
        let Some((axis, empty)) = slabs else {
            let blocks = || Some(self.blocks()?.words());
            let pattern = self.outside_a_box().or_else(blocks).or_else(|| self.tail());
            // Along a longer dimension they were not counted.
            let is_known = self.counts.iter().all(|count| *count <= MOST);
            return pattern.or_else(|| is_known.then(|| SCATTERED.into()));
        };
        let name = in_brackets(names, axis);
        Some(format!("all with index {} along dimension {axis}{name}", runs(&empty)))
    }

    /// The whole blocks that those form that are not stored, where they form some and nothing simpler.
    fn blocks(&self) -> Option<&MissingBlocks> {
        let blocks = || {
            let missing = self.each_missing();
            let is_known = self.missing().is_some_and(|(_, count)| count == missing.len() as u128);
            let is_simple = self.stored == 0 || self.outside_a_box().is_some();
            (is_known && !is_simple).then(|| MissingBlocks::of(&missing, &self.counts))?
        };
        self.blocks.get_or_init(blocks).as_ref()
    }

    /// The race of writers that explains what is not stored.
    pub(super) fn race(&self, array: &ArrayMetadata) -> Option<Diagnosis> {
        races::overwritten(self.blocks()?, &self.each_missing(), array)
    }

    /// The places of those that are not stored; none for a large grid.
    pub(super) fn each_missing(&self) -> Vec<Vec<u64>> {
        let single = self.each.iter().enumerate().filter(|(_, stored)| !**stored);
        single.map(|(number, _)| order::coordinates(number as u128, &self.counts)).collect()
    }

    /// That exactly the last ones are not stored, row by row.
    fn tail(&self) -> Option<String> {
        let (first, last) =
            (self.each.iter().position(|is| !is)?, self.each.iter().rposition(|is| *is)?);
        let at = order::coordinates(first as u128, &self.counts);
        (last < first).then(|| format!("all from {} on", list(&at)))
    }

    /// That exactly a box of chunks is stored.
    fn outside_a_box(&self) -> Option<String> {
        let side =
            |along: &BTreeMap<u64, u64>| Some((*along.keys().next()?, *along.keys().last()?));
        let sides: Vec<(u64, u64)> = self.along.iter().map(side).collect::<Option<_>>()?;
        let lengths = sides.iter().map(|(first, last)| u128::from(last - first + 1));
        let side = |(first, last): &(u64, u64)| {
            if first == last { first.to_string() } else { format!("{first}–{last}") }
        };
        let text: Vec<_> = sides.iter().map(side).collect();
        let word = if self.stored == 1 { "" } else { "indices " };
        (lengths.product::<u128>() == self.stored.into())
            .then(|| format!("all except {word}[{}]", text.join(",")))
    }

    /// The note on those that are not stored. `what` they are: chunks, inner chunks.
    pub(super) fn problem(
        &self,
        path: &NodePath,
        array: &ArrayMetadata,
        what: &str,
    ) -> Option<Problem> {
        let (total, missing) = self.missing()?;
        let are = if missing == 1 { "is" } else { "are" };
        let what = if total == 1 { what.trim_end_matches('s') } else { what };
        let lie = self.pattern(array.dimension_names.as_deref());
        let shared = (what == "inner chunks").then(|| self.shared(path, array)).flatten();
        let lie = lie.map(|lie| format!(" ({lie})")).unwrap_or_default();
        let read = match &array.fill_value {
            FillValue::Value { scalar, .. } => {
                let reads = if missing == 1 { "reads" } else { "read" };
                let mark = Packing::of(array).named_fill.filter(|mark| !mark.value_equal(scalar));
                let not = mark.map_or_else(String::new, |mark| {
                    format!(", not as missing: _FillValue is {mark}")
                });
                format!(" and {reads} as the fill value {scalar}{not} (normal if never written)")
            }
            FillValue::Null => {
                let whose = if missing == 1 { "its" } else { "their" };
                format!("; {whose} values are undefined, because the fill value is null")
            }
            FillValue::Missing | FillValue::Unreadable { .. } => {
                let reads = if missing == 1 { "it reads" } else { "they read" };
                let is_there = !matches!(array.fill_value, FillValue::Missing);
                let why = if is_there {
                    "the fill value cannot be read"
                } else {
                    "there is no fill value"
                };
                format!("; what {reads} as is unknown, because {why}")
            }
        };
        let (missing, total) = (grouped(missing), grouped(total));
        let found = format!("{missing} of {total} {what} {are} not stored{lie}{read}");
        let error = Error::new(Code::ChunksMissing, found, "");
        let error = error.in_file(document(path, array)).at("fill_value");
        Some(Problem::new(match shared {
            Some(shared) => error.with_fix(shared),
            None => error,
        }))
    }

    /// The words on what may have been lost, where inner chunks are missing in shards that have others, and not whole rows
    /// of them.
    fn shared(&self, path: &NodePath, array: &ArrayMetadata) -> Option<String> {
        /// Where more is missing, data are sparse, unless it is scattered over shards.
        const ONE_IN: u128 = 4;
        let (shard, inner) = (array.chunk_shape()?, array.inner_chunk_shape()?);
        let counts: Vec<u64> = shard
            .iter()
            .zip(&inner)
            .map(|(n, inner)| n.checked_div(*inner))
            .collect::<Option<_>>()?;
        let mut shards = BTreeMap::<Vec<u64>, [bool; 2]>::new();
        for (number, stored) in self.each.iter().enumerate() {
            let at = order::coordinates(number as u128, &self.counts);
            let shard = at.iter().zip(&counts).map(|(at, n)| at.checked_div(*n));
            shards.entry(shard.collect::<Option<_>>()?).or_default()[usize::from(*stored)] = true;
        }
        let (total, missing) = self.missing()?;
        let mixed: Vec<&Vec<u64>> =
            shards.iter().filter(|(_, kinds)| kinds.iter().all(|is| *is)).map(|it| it.0).collect();
        let is_scattered = mixed.len() > 1 && self.pattern(None).as_deref() == Some(SCATTERED);
        let is_one = mixed.len() == 1 && shards.len() > 1 && missing * ONE_IN <= total;
        (is_scattered || is_one).then(|| {
            let keys = array.key_encoding.as_ref().ok().filter(|_| is_one);
            let key = keys.zip(mixed.first()).map(|(keys, at)| join(&path.0, &keys.key(at)));
            let which = key.map_or_else(|| "a shard".into(), |key| format!("the shard {key}"));
            format!(
                "If they were written, likely cause: tasks that each wrote a part of {which}. A task writes the whole shard, \
                 and overwrites what another one wrote to it at the same time."
            )
        })
    }
}

/// The key of the array's document.
pub(super) fn document(path: &NodePath, array: &ArrayMetadata) -> String {
    join(&path.0, array.format.array_document())
}

/// Numbers in ascending order, those that follow each other as one.
fn runs(numbers: &[u64]) -> String {
    let mut runs = Vec::<(u64, u64)>::new();
    for &number in numbers {
        match runs.last_mut() {
            Some((_, last)) if *last + 1 == number => *last = number,
            _ => runs.push((number, number)),
        }
    }
    let mut texts: Vec<String> = runs
        .iter()
        .take(NAMED)
        .map(
            |(first, last)| {
                if first == last { first.to_string() } else { format!("{first}–{last}") }
            },
        )
        .collect();
    if runs.len() > NAMED {
        texts.push("…".to_owned());
    }
    texts.join(", ")
}
