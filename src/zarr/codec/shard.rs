//! The index of a shard as data: where each inner chunk is, 16 bytes each, and what is wrong with that.

use super::prelude::*;
use std::{collections::BTreeMap, iter};

/// The value of both fields of the index for an empty inner chunk.
pub(super) const EMPTY: u64 = u64::MAX;

/// The number of faults and gaps that are told one by one.
const TOLD: usize = 10_000;

/// The number of bytes of an entry.
pub(super) const ENTRY: u64 = 16;

/// The place of one inner chunk in its shard.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IndexEntry {
    /// Its bytes in the shard; `None`: it is empty, and reads as the fill value.
    pub bytes: Option<Range<u64>>,
    /// The fault of the entry: it reaches outside, or shares bytes with the index or another.
    pub problem: Option<String>,
}

/// The index of a shard as it was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shard {
    /// The number of inner chunks along each dimension.
    pub counts: Vec<u64>,
    /// The shape of an inner chunk, in elements.
    pub chunk_shape: Vec<u64>,
    /// Every inner chunk in C order of its coordinates, or a window of them.
    pub entries: IndexEntries,
    /// The place of the index in the shard.
    pub index: Range<u64>,
    /// The number of bytes the shard has.
    pub len: u64,
    /// Bytes between inner chunks that belong to none, the first of them.
    pub gaps: Vec<Range<u64>>,
    /// The number of all gaps, and of the bytes in them.
    pub(super) unused: (u64, u64),
}

/// The entries of an index, 16 bytes each, as they are stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IndexEntries {
    /// The number of the first inner chunk.
    first: u64,
    /// The offset and the length of each.
    places: Vec<[u64; 2]>,
    /// The number of bytes of the shard.
    pub(super) shard: u64,
    overlaps: SharedBytes,
}

/// The entries of an index that share bytes with the index or with another one.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
struct SharedBytes {
    /// A bit for each entry; empty where none does.
    all: Vec<u64>,
    /// The other entry, or `None` for the index, of the first of them.
    told: BTreeMap<usize, Option<usize>>,
}

impl SharedBytes {
    fn contains(&self, at: usize) -> bool {
        self.all.get(at / 64).is_some_and(|bits| bits >> (at % 64) & 1 == 1)
    }

    /// Notes that entry `at` of `len` shares bytes with `other`.
    fn add(&mut self, at: usize, other: Option<usize>, len: usize) {
        self.all.resize(len.div_ceil(64), 0);
        if !self.contains(at) && self.told.len() < TOLD {
            self.told.insert(at, other);
        }
        if let Some(bits) = self.all.get_mut(at / 64) {
            *bits |= 1 << (at % 64);
        }
    }
}

impl IndexEntries {
    pub(super) fn new(first: u64, places: Vec<[u64; 2]>, shard: u64) -> Self {
        Self { first, places, shard, overlaps: SharedBytes::default() }
    }

    /// Their number.
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// Entry `at`, counted from the first one that is here.
    pub fn get(&self, at: usize) -> Option<IndexEntry> {
        self.places.get(at)?;
        let bytes = self.bytes(at);
        let problem = match &bytes {
            Some(bytes) if self.is_past_the_end(bytes) => {
                Some(format!("reaches past the end of the shard ({} bytes)", self.shard))
            }
            Some(_) if self.overlaps.contains(at) => Some(match self.overlaps.told.get(&at) {
                Some(Some(other)) => format!("overlaps inner chunk number {other}"),
                Some(None) => "overlaps the index".into(),
                None => "overlaps another inner chunk or the index".into(),
            }),
            _ => None,
        };
        Some(IndexEntry { bytes, problem })
    }

    /// Every entry.
    pub fn iter(&self) -> impl Iterator<Item = IndexEntry> {
        (0..self.len()).filter_map(|at| self.get(at))
    }

    /// The place of every inner chunk, `None` for those that are empty; without what is wrong with it.
    pub fn places(&self) -> impl DoubleEndedIterator<Item = Option<Range<u64>>> {
        (0..self.len()).map(|at| self.bytes(at))
    }

    /// The bytes of inner chunk `at`; `None` where it is empty, or there is none.
    fn bytes(&self, at: usize) -> Option<Range<u64>> {
        let &[offset, length] = self.places.get(at)?;
        let is_empty = (offset, length) == (EMPTY, EMPTY);
        (!is_empty).then(|| offset..offset.saturating_add(length))
    }

    fn is_past_the_end(&self, bytes: &Range<u64>) -> bool {
        bytes.end > self.shard || bytes.end == u64::MAX
    }

    /// The entries with bytes inside the shard, by their offsets: their bytes and numbers.
    fn in_order(&self) -> Box<dyn Iterator<Item = (u64, u64, usize)> + '_> {
        let part = |at: usize| {
            let bytes = self.bytes(at)?;
            let is_usual = bytes.start < bytes.end && !self.is_past_the_end(&bytes);
            is_usual.then_some((bytes.start, bytes.end, at))
        };
        let mut all = (0..self.len()).filter_map(part);
        // Writers mostly put them in the order of the index.
        let mut before = (0, 0, 0);
        if all.all(|next| std::mem::replace(&mut before, next) <= next) {
            return Box::new((0..self.len()).filter_map(part));
        }
        let numbers = 0..u32::try_from(self.len()).unwrap_or(u32::MAX);
        let as_usize = |at: u32| to_usize(at);
        let mut order: Vec<u32> = numbers.filter(|&at| part(as_usize(at)).is_some()).collect();
        order.sort_unstable_by_key(|&at| part(as_usize(at)));
        Box::new(order.into_iter().filter_map(move |at| part(as_usize(at))))
    }
}

impl Shard {
    /// The bytes of inner chunk `number`; `None` where it is empty.
    ///
    /// # Errors
    ///
    /// If there is no such inner chunk, or its bytes reach outside the shard.
    pub fn bytes(&self, number: u64) -> Result<Option<Range<u64>>> {
        let at = number.checked_sub(self.entries.first).and_then(|at| usize::try_from(at).ok());
        let Some(bytes) = at.and_then(|at| self.entries.get(at)).map(|entry| entry.bytes) else {
            let found = format!("inner chunk {number}");
            let expected = format!("one of {} inner chunks", self.entries.len());
            return Err(Error::new(Code::NoSuchPlace, found, expected));
        };
        match bytes {
            Some(bytes) if bytes.end > self.len || bytes.start > bytes.end => {
                let found = format!("an inner chunk at {}", byte_range(&bytes));
                let expected =
                    format!("bytes inside the shard, which has {}", counted(self.len, "byte"));
                let at = self.index.start + number * 16;
                Err(Error::new(Code::ShardIndex, found, expected).at_offset(at))
            }
            bytes => Ok(bytes),
        }
    }

    /// The number of inner chunks that are empty.
    pub fn empty(&self) -> usize {
        self.entries.places().filter(Option::is_none).count()
    }
}

/// Marks entries that share bytes, and gives the first gaps between them, and the number of all and of their bytes.
pub(super) fn judge(
    entries: &mut IndexEntries,
    index: &Range<u64>,
    len: u64,
) -> (Vec<Range<u64>>, (u64, u64)) {
    let (mut gaps, mut unused) = (Vec::new(), (0, 0));
    let mut gap = |gap: Range<u64>| {
        unused = (unused.0 + 1, unused.1 + (gap.end - gap.start));
        if gaps.len() < TOLD {
            gaps.push(gap);
        }
    };
    let (mut reached, mut holder) = (0_u64, None);
    let mut overlaps = SharedBytes::default();
    let mut index_is_left = true;
    let mut all = entries.in_order().map(|(start, end, at)| (start, end, Some(at))).peekable();
    let mut next = || {
        let is_next = |next: Option<&(u64, u64, Option<usize>)>| {
            next.is_none_or(|next| (index.start, index.end, None) <= *next)
        };
        if index_is_left && is_next(all.peek()) {
            index_is_left = false;
            return Some((index.start, index.end, None));
        }
        all.next()
    };
    for (start, end, at) in iter::from_fn(&mut next) {
        if start > reached {
            gap(reached..start);
        } else if start < reached {
            for (one, other) in [(at, holder), (holder, at)] {
                if let Some(one) = one {
                    overlaps.add(one, other, entries.len());
                }
            }
        }
        if end > reached {
            (reached, holder) = (end, at);
        }
    }
    if reached < len {
        gap(reached..len);
    }
    drop(all);
    entries.overlaps = overlaps;
    (gaps, unused)
}
