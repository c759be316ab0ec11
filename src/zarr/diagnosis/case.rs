//! A faulty array: the findings so far, its chunks as samples, and the work that may be spent on it.

use super::{
    prelude::*,
    wrapping::{SLOWEST, Wrapping, unwrap},
};
use crate::zarr::{
    chunk,
    codec::{
        Link,
        sharding::{Shard, Sharding},
    },
    words::and_more,
};
use std::cell::Cell;

/// The number of chunks of each kind that are kept.
const KEPT: usize = 64;
/// The number of keys that are kept.
const KEYS: usize = 4096;
/// The number of chunks looked at, at most.
const SAMPLES: usize = 16;
/// The longest chunk that is looked at, in stored bytes.
const LONGEST: u64 = 8 << 20;
/// The number of chunks whose borders are looked at, and their decoded bytes.
const ADJACENT: (usize, u64) = (256, 8 << 20);
/// The bytes of a sample, decoded, where that is some chunks: more readings can be tried on fewer bytes.
const SAMPLED: u64 = 4 << 20;
/// The fewest chunks of a sample: of one, nothing is told.
const FEWEST: usize = 3;
/// The bytes that one step may decode.
const STEP: u64 = 64 << 20;
/// The work that may be done on an array, in nanoseconds: 200 ms. It is counted, not timed, so that the answer is the
/// same on every machine and under any load.
const WORK: u64 = 200_000_000;
/// The nanoseconds that it takes to read a byte, and to measure one that was decoded.
const READING: u64 = 1;
const MEASURING: u64 = 3;
/// The nanoseconds that it takes to read one codec of a document anew and to build it, and to undo it whatever the length
/// of a chunk: the work of a document of many codecs, each with a few bytes to do.
const BUILDING: u64 = 1000;
/// The factor by which that is more if asked for.
const DEEP: u64 = 32;

/// The findings of a check of an array's chunks.
#[derive(Debug, Clone, Default)]
pub struct Symptoms {
    /// The number of chunks stored under keys of the grid.
    pub stored: u64,
    /// The number of them that cannot be decoded, or have bytes after their end.
    pub failures: u64,
    /// True if the values of most chunks speak for the other byte order: that is told already.
    pub is_swapped: bool,
    /// The number of them that cannot be decoded.
    pub errors: u64,
    failed: Vec<(Vec<u64>, Error)>,
    sound: Vec<Vec<u64>>,
    keys: Vec<Vec<u64>>,
    orphans: Vec<Vec<u64>>,
    folders: Vec<String>,
    foreign: Vec<String>,
    foreign_count: usize,
}

impl Symptoms {
    /// Takes in a chunk that cannot be decoded, and why.
    pub fn failed(&mut self, at: &[u64], error: &Error) {
        self.errors += 1;
        self.keep(at, error);
    }

    /// Takes in a chunk that was decoded, and something remarkable about it.
    pub fn remarked(&mut self, at: &[u64], error: &Error) {
        self.keep(at, error);
    }

    fn keep(&mut self, at: &[u64], error: &Error) {
        self.failures += 1;
        if self.failed.len() < KEPT {
            self.failed.push((at.to_vec(), error.clone()));
        }
    }

    /// Takes in a chunk that was decoded without a fault.
    pub fn sound(&mut self, at: &[u64]) {
        if self.sound.len() < KEPT {
            self.sound.push(at.to_vec());
        }
    }

    /// Takes in a chunk that is stored.
    pub fn stored(&mut self, at: &[u64]) {
        self.stored += 1;
        if self.keys.len() < KEYS {
            self.keys.push(at.to_vec());
        }
    }

    /// Takes in a chunk outside of the grid.
    pub fn orphan(&mut self, at: &[u64]) {
        if self.orphans.len() < KEYS {
            self.orphans.push(at.to_vec());
        }
    }

    /// Takes in a file that no key of the array is of.
    pub fn foreign(&mut self, key: &str) {
        self.foreign_count += 1;
        if self.foreign.len() < KEYS {
            self.foreign.push(key.to_owned());
        }
    }

    /// Takes in a folder that has the key of a chunk.
    pub fn folder(&mut self, key: &str) {
        if self.folders.len() < KEYS {
            self.folders.push(key.to_owned());
        }
    }

    /// The chunks that cannot be decoded, as many as are kept.
    pub(super) fn failed_at(&self) -> impl Iterator<Item = &Vec<u64>> {
        self.failed.iter().map(|(at, _)| at)
    }

    /// The folders that have the keys of chunks; `None` where they may be more.
    pub(super) fn folders(&self) -> Option<&[String]> {
        (self.folders.len() < KEYS).then_some(&self.folders)
    }

    /// The chunks that are stored in the grid; `None` where they are too many to know each.
    pub(super) fn keys(&self) -> Option<&[Vec<u64>]> {
        (self.keys.len() as u64 == self.stored).then_some(&self.keys)
    }

    /// The chunks outside of the grid; `None` where they may be more.
    pub(super) fn orphans(&self) -> Option<&[Vec<u64>]> {
        (self.orphans.len() < KEYS).then_some(&self.orphans)
    }

    /// The files that are no chunks; `None` where they are more.
    pub(super) fn strangers(&self) -> Option<&[String]> {
        (self.foreign.len() == self.foreign_count).then_some(&self.foreign)
    }

    /// The chunks that are known each, and why they cannot be decoded; `None` for those that can.
    pub fn outcomes(&self) -> impl Iterator<Item = (&[u64], Option<&Error>)> {
        let failed = self.failed.iter().map(|(at, error)| (at.as_slice(), Some(error)));
        failed.chain(self.sound.iter().map(|at| (at.as_slice(), None)))
    }

    /// True if there are chunks outside of the grid.
    pub(super) fn has_orphans(&self) -> bool {
        !self.orphans.is_empty()
    }

    /// The kinds of errors that chunks gave.
    pub(super) fn codes(&self) -> Vec<Code> {
        let mut codes = vec![Code::CodecsDisagree];
        for (_, error) in &self.failed {
            if !codes.contains(&error.code) {
                codes.push(error.code);
            }
        }
        codes
    }
}

/// An array and its symptoms.
pub struct Case<'a> {
    /// The store.
    pub hierarchy: &'a Hierarchy,
    /// The path of the array.
    pub path: &'a NodePath,
    /// The array.
    pub array: &'a ArrayMetadata,
    /// Its keys.
    pub layout: &'a Layout,
    /// The findings of the check.
    pub symptoms: &'a Symptoms,
    budget: Budget<'a>,
    /// The nanoseconds of work that may be done, and that were.
    work: u64,
    spent: Cell<u64>,
    /// True if a chunk was not tried because the work for it was not left.
    ran_out: Cell<bool>,
    deep: bool,
}

impl fmt::Debug for Case<'_> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.debug_struct("Case").field("path", &self.path).finish_non_exhaustive()
    }
}

/// A stored chunk.
#[derive(Debug, Clone)]
pub(super) struct Sample {
    /// Its coordinates.
    pub(super) at: Vec<u64>,
    /// Its store key.
    pub(super) key: String,
    /// Its bytes.
    pub(super) bytes: Vec<u8>,
    /// The reason why it cannot be decoded; `None` if it can.
    pub(super) error: Option<Error>,
}

impl Sample {
    /// True if it cannot be decoded for this reason.
    pub(super) fn failed_by(&self, code: Code) -> bool {
        self.error.as_ref().is_some_and(|error| error.code == code)
    }
}

/// The store keys of the samples with these numbers.
pub(super) fn keys_of(samples: &[Sample], numbers: &[usize]) -> Vec<String> {
    numbers.iter().filter_map(|at| Some(samples.get(*at)?.key.clone())).collect()
}

impl<'a> Case<'a> {
    /// The case of the array at `path`. `deep`: spend more work on it.
    pub fn new(
        hierarchy: &'a Hierarchy,
        array: &'a ArrayMetadata,
        layout: &'a Layout,
        symptoms: &'a Symptoms,
        (budget, deep): (Budget<'a>, bool),
    ) -> Self {
        let work = if deep { WORK * DEEP } else { WORK };
        let path = &layout.path;
        Self {
            hierarchy,
            path,
            array,
            layout,
            symptoms,
            budget,
            work,
            spent: Cell::new(0),
            ran_out: Cell::new(false),
            deep,
        }
    }

    /// The same with another document, and the work that is left of it.
    pub(super) fn with<'b>(&'b self, array: &'b ArrayMetadata) -> Case<'b> {
        let spending = (self.budget, self.deep);
        let Case { spent, .. } = &self;
        let other = Case::new(self.hierarchy, array, self.layout, self.symptoms, spending);
        other.spent.set(spent.get());
        other
    }

    /// Notes the work that was done on the same array with another document.
    pub(super) fn take_work_of(&self, other: &Case<'_>) {
        self.spent.set(self.spent.get().max(other.spent.get()));
        self.ran_out.set(self.ran_out.get() || other.ran_out.get());
    }

    /// True once nobody wants to know.
    pub(super) fn is_stopped(&self) -> bool {
        self.budget.is_stopped()
    }

    /// The budget of one step.
    pub(super) fn budget(&self) -> Budget<'a> {
        self.budget.with_limit(self.budget.limit().min(STEP))
    }

    /// Spends so many nanoseconds of work; false, and nothing is spent, where they are not left.
    pub(super) fn spend(&self, nanoseconds: u64) -> bool {
        let is_left = nanoseconds <= self.left() && !self.budget.is_stopped();
        if is_left {
            self.spent.set(self.spent.get() + nanoseconds);
        } else {
            self.ran_out.set(true);
        }
        is_left
    }

    /// The array as `what_if` has it; `None` where it cannot be so, or no work is left for reading its document anew.
    pub(super) fn supposing(&self, what_if: &WhatIf) -> Option<ArrayMetadata> {
        let codecs = self.array.codecs.as_ref().map_or(0, Vec::len) as u64;
        self.spend(codecs * BUILDING).then(|| what_if.apply(self.array).ok())?
    }

    /// The number of readings that there is work left for, about.
    pub(super) fn readings_left(&self) -> usize {
        let codecs = self.array.codecs.as_ref().map_or(1, Vec::len).max(1) as u64;
        usize::try_from(self.left() / (codecs * BUILDING)).unwrap_or(usize::MAX)
    }

    /// Notes work that was done, whether it was left or not.
    fn done(&self, nanoseconds: u64) {
        self.spent.set(self.spent.get().saturating_add(nanoseconds));
    }

    /// The nanoseconds of work that are left: none once it is stopped, so that whoever asks for work asks for that, too.
    fn left(&self) -> u64 {
        if self.budget.is_stopped() { 0 } else { self.work.saturating_sub(self.spent.get()) }
    }

    /// The work that was done, in nanoseconds: what each byte takes, as counted, and not by a clock.
    pub fn spent(&self) -> u64 {
        self.spent.get()
    }

    /// True if a reading was not tried for want of work: then nothing is told that only holds if no other one fits.
    pub(super) fn has_run_out(&self) -> bool {
        self.ran_out.get()
    }

    /// At most so many of `all` as a sample has, spread evenly.
    fn spread<'b, T>(&self, all: &'b [T]) -> impl Iterator<Item = &'b T> + use<'b, T> {
        let fitting = SAMPLED / self.raw_len().unwrap_or(1).max(1);
        let most = usize::try_from(fitting).unwrap_or(SAMPLES).clamp(FEWEST, SAMPLES);
        all.iter().step_by(all.len().div_ceil(most).max(1))
    }

    /// The evidence that the chunks which cannot be decoded, or else those under `files`, are all that are stored from one
    /// index on along a dimension.
    pub(super) fn step(&self, files: &[String]) -> Option<String> {
        let keys = self.symptoms.keys()?;
        let failed: Vec<Vec<u64>> = if self.symptoms.failures > 0 {
            self.symptoms.failed.iter().map(|(at, _)| at.clone()).collect()
        } else {
            files.iter().map(|key| self.layout.chunk(key)).collect::<Option<_>>()?
        };
        let count = self.symptoms.failures.max(failed.len() as u64);
        (0..self.layout.counts.len()).find_map(|axis| {
            let along = |at: &Vec<u64>| at.get(axis).copied();
            let first = failed.iter().filter_map(along).min()?;
            let later = keys.iter().filter_map(along).filter(|at| *at >= first).count() as u64;
            let is_step = count > 1 && later == count && later < keys.len() as u64;
            let index = first.checked_mul(*self.array.chunk_shape()?.get(axis)?)?;
            is_step.then(|| {
                let names = self.array.dimension_names.as_ref();
                let name = names.and_then(|names| names.get(axis)?.as_deref());
                let name = name.map_or_else(String::new, |name| format!(" ({})", quoted(name)));
                format!(
                    "They are all that is stored from {first} on along dimension {axis}{name}, that is from index {}: \
                     most likely appended by another writer.",
                    grouped(index)
                )
            })
        })
    }

    /// Chunks that cannot be decoded.
    pub(super) fn failed(&self) -> Vec<Sample> {
        let failed = self.spread(&self.symptoms.failed);
        let mut samples: Vec<Sample> =
            failed.filter_map(|(at, error)| self.sample(at, Some(error))).collect();
        samples.sort_by(|a, b| a.at.cmp(&b.at));
        samples
    }

    /// Chunks that can.
    pub(super) fn sound(&self) -> Vec<Sample> {
        self.spread(&self.symptoms.sound).filter_map(|at| self.sample(at, None)).collect()
    }

    /// Chunks that are next to each other, from the first one on.
    pub(super) fn adjacent(&self) -> Vec<Sample> {
        let (most, bytes) = ADJACENT;
        let bytes = if self.deep { bytes * DEEP } else { bytes };
        let fitting = bytes / self.raw_len().unwrap_or(bytes).max(1);
        let mut keys: Vec<&Vec<u64>> = self.symptoms.keys.iter().collect();
        // A square of chunks has more borders than a row of them.
        keys.sort_by_key(|at| (at.iter().max().copied(), *at));
        let most = most.min(usize::try_from(fitting).unwrap_or(most));
        keys.into_iter().take(most).filter_map(|at| self.sample(at, None)).collect()
    }

    /// One chunk: that cannot be decoded, where there is such.
    pub(super) fn example(&self) -> Option<Sample> {
        let failed = self.symptoms.failed.first();
        let failed = failed.and_then(|(at, error)| self.sample(at, Some(error)));
        failed.or_else(|| self.sample(self.symptoms.sound.first()?, None))
    }

    /// The chunks stored at some places, be they in the grid or not: at most so many as borders are looked at of.
    pub(super) fn stored_at(&self, places: &[&Vec<u64>]) -> Vec<Sample> {
        places.iter().take(ADJACENT.0).filter_map(|at| self.sample(at, None)).collect()
    }

    fn sample(&self, at: &[u64], error: Option<&Error>) -> Option<Sample> {
        let key = self.layout.key(at);
        let len = self.hierarchy.store.stat(&key).ok()??.len;
        if len > LONGEST || !self.spend(len * READING) {
            return None;
        }
        let bytes = self.hierarchy.store.read(&key, LONGEST);
        // Where an archive knows that a member is damaged, the bytes are told there.
        let bytes = bytes.ok()??;
        Some(Sample { at: at.to_vec(), key, bytes, error: error.cloned() })
    }

    /// The bytes of a chunk without any codec; `None` where elements vary in length.
    pub(super) fn raw_len(&self) -> Option<u64> {
        self.array.representation(self.array.chunk_shape()?)?.byte_len()
    }

    /// The shapes of `count` elements that differ from a chunk's in the length of one dimension.
    pub(super) fn shapes_of(&self, count: u64) -> Vec<Vec<u64>> {
        let declared = self.array.chunk_shape().unwrap_or_default();
        let other = |axis: usize| {
            let mut shape = declared.clone();
            *shape.get_mut(axis)? = 1;
            let rest = order::product(&shape)?;
            *shape.get_mut(axis)? =
                count.checked_div(rest).filter(|_| count.is_multiple_of(rest))?;
            Some(shape)
        };
        (0..declared.len()).filter_map(other).collect()
    }

    /// The sharding codec of the array, and its place among the codecs.
    pub(super) fn sharding(&self) -> Option<(usize, Sharding)> {
        let chain = self.array.chain()?;
        let at = chain.sharding()?;
        Some((at, chain.links.get(at)?.codec.as_ref().ok()?.sharding()?.clone()))
    }

    /// The same, if shards are in nothing else.
    pub(super) fn outer_sharding(&self) -> Option<Sharding> {
        let count = self.array.chain()?.links.len();
        self.sharding().filter(|(at, _)| at + 1 == count).map(|(_, sharding)| sharding)
    }

    /// A shard, by its index; `None` where it is inside of other codecs.
    pub(super) fn shard(&self, sample: &Sample) -> Option<Shard> {
        opened(&self.outer_sharding()?, &sample.bytes, &self.budget())
    }

    /// The codecs around the elements of a chunk, by what they say of themselves; `None` where there is no work left.
    pub(super) fn unwrapped(&self, bytes: Vec<u8>) -> Option<Wrapping> {
        // What makes most of the least bytes is an output of this many bytes in one of the slowest codecs.
        let limit = (self.left() / SLOWEST).min(STEP);
        if !self.spend(bytes.len() as u64) || limit == 0 {
            return None;
        }
        let found = unwrap(bytes, limit, &self.array.registry);
        self.done(found.nanoseconds);
        Some(found)
    }

    /// The elements of a stored chunk, decoded as `array` declares; `None` where that fails.
    pub(super) fn read(&self, array: &ArrayMetadata, sample: &Sample) -> Option<Elements> {
        self.decode(array, &sample.at, sample.bytes.clone(), &self.budget())
    }

    /// The same of any bytes.
    pub(super) fn decode(
        &self,
        array: &ArrayMetadata,
        at: &[u64],
        bytes: Vec<u8>,
        budget: &Budget,
    ) -> Option<Elements> {
        Some(self.decode_with_stored(array, at, bytes, budget)?.0)
    }

    /// The same, and the numbers that are stored where codecs compute others from them: what tells how bytes are read
    /// is what goes into the bytes.
    pub(super) fn decode_with_stored(
        &self,
        array: &ArrayMetadata,
        at: &[u64],
        bytes: Vec<u8>,
        budget: &Budget,
    ) -> Option<(Elements, Option<Elements>)> {
        let grid = array.known_grid()?;
        let shape = grid.chunk_shape(at).or_else(|| array.chunk_shape())?;
        let chain = chunk::chain(array, &shape).ok().filter(|chain| chain.fault.is_none())?;
        let cost = chain.links.first().and_then(|link| link.decoded_size.exact);
        let each = chain.links.iter().map(nanoseconds).sum::<u64>() + MEASURING;
        let most = cost.unwrap_or(0).max(bytes.len() as u64).saturating_mul(each);
        let building = chain.links.len() as u64 * BUILDING;
        if self.left().saturating_sub(building) < most || !self.spend(building) {
            self.ran_out.set(true);
            return None;
        }
        // What only the elements tell is spent once they are there, and is no more than what is left.
        let limit = cost.map_or_else(|| self.left() / each, |_| u64::MAX).min(budget.limit());
        let budget = budget.with_limit(limit);
        let mut stored = None;
        let data = self.through(&chain, Data::Bytes(Bytes::whole(bytes)), &budget, &mut stored)?;
        let Data::Elements(elements) = data else { return None };
        self.done(elements.bytes().len().saturating_mul(MEASURING));
        let stored = stored.and_then(|(numbers, data)| stored_as(&numbers, &data, &elements));
        Some((elements, stored))
    }

    /// The nanoseconds that the codecs of the array take for a byte.
    pub(super) fn decoding(&self) -> Option<u64> {
        Some(self.array.chain()?.links.iter().map(nanoseconds).sum())
    }

    /// The output of the codecs of `chain` for `data`, whatever its length; `None` where one fails, or no work is left.
    pub(super) fn undone(&self, chain: &Chain, data: Data) -> Option<Data> {
        let each = chain.links.iter().map(nanoseconds).sum::<u64>();
        let limit = self.left().checked_div(each).unwrap_or(u64::MAX).min(STEP);
        if limit < data.bytes().len() {
            self.ran_out.set(true);
            return None;
        }
        self.through(chain, data, &self.budget().with_limit(limit), &mut None)
    }

    /// The same within `budget`, and what goes into the first codec that computes other numbers. The work is noted, of a
    /// codec that fails as far as it got.
    fn through(
        &self,
        chain: &Chain,
        data: Data,
        budget: &Budget,
        stored: &mut Option<(Resolved, Data)>,
    ) -> Option<Data> {
        chain.links.iter().rev().try_fold(data, |data, link| {
            if let Some(numbers) = link.codec.as_ref().ok().and_then(|codec| codec.stored_numbers())
            {
                stored.get_or_insert_with(|| (numbers.clone(), data.clone()));
            }
            if budget.is_stopped() {
                self.ran_out.set(true);
                return None;
            }
            let outcome = link.decode(&data, budget);
            let len = data.bytes().len();
            let worked = match (&outcome.output, &outcome.error) {
                (None, Some(error)) => error.place.offset.map_or(len, |at| at.min(len)),
                (output, _) => output.as_ref().map_or(0, |it| it.bytes().len()).max(len),
            };
            self.done(worked.saturating_mul(nanoseconds(link)));
            outcome.whole().ok()
        })
    }
}

/// A shard of these bytes, by its index.
pub(super) fn opened(sharding: &Sharding, bytes: &[u8], budget: &Budget) -> Option<Shard> {
    let bytes = Bytes::whole(bytes.to_vec());
    let mut part = |range| bytes.slice(range).ok_or_else(|| Error::new(Code::NotLoaded, "", ""));
    Some(sharding.open(bytes.len(), budget, &mut part).ok()?.0)
}

/// Stored numbers in the order of memory of the elements that are computed from them; `None` where there are others.
fn stored_as(numbers: &Resolved, data: &Data, elements: &Elements) -> Option<Elements> {
    let size = numbers.data_type.fixed_size()?;
    let bytes = data.bytes().clone();
    let shape = elements.memory_shape();
    let (data_type, order) = (numbers.data_type.clone(), numbers.order.clone());
    (bytes.len() == elements.len().checked_mul(size as u64)?)
        .then(|| Elements::new(data_type, order, shape, false, Places::Fixed(size), bytes))
}

/// The nanoseconds that it takes to decode a chunk of `stored` bytes, and to look at its values.
pub fn decoding_work(array: &ArrayMetadata, stored: u64) -> u64 {
    let Some(chain) = array.chain() else { return stored };
    let decoded = chain.links.first().and_then(|link| link.decoded_size.exact);
    let each = chain.links.iter().map(nanoseconds).sum::<u64>() + MEASURING;
    decoded.unwrap_or(0).max(stored).saturating_mul(each)
}

/// The nanoseconds that a codec takes for a byte, with those inside of it.
fn nanoseconds(link: &Link) -> u64 {
    let inner = link.sharding();
    let inside = inner.map_or(0, |sharding| sharding.inner.links.iter().map(nanoseconds).sum());
    link.row.map_or(1, |row| row.nanoseconds) + inside
}

/// A few keys, as a list: `c/0/0, c/0/1 and 2 more`.
pub(super) fn named(keys: &[String]) -> String {
    const NAMED: usize = 3;
    let more = and_more(keys.len().saturating_sub(NAMED));
    format!("{}{more}", keys.iter().take(NAMED).joined(", "))
}
