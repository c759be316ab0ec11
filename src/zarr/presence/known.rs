//! The facts about the chunks of one array: they grow while the store is listed.

use super::KeyDiagnosis;
use crate::zarr::prelude::*;
use crate::zarr::{grid::order, readable::Readable};
use std::ops::Bound;

/// A stored chunk, as a listing saw it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredChunk {
    /// Its coordinates in the grid.
    pub coordinates: Vec<u64>,
    /// Its length and when it was written; `None` where only its name was read.
    pub stat: Option<Stat>,
}

/// The outcome of decoding a chunk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DecodeTrial {
    /// It cannot be decoded.
    Damaged,
    /// It can be decoded, and has no checksum.
    Decoded,
    /// It can be decoded, and its checksum agrees.
    Verified,
}

/// The facts about the chunks of one array.
#[derive(Debug, Clone, Default)]
pub struct Presence {
    stored: BTreeMap<Vec<u64>, Option<Stat>>,
    tried: BTreeMap<Vec<u64>, DecodeTrial>,
    /// True if a listing has been completed.
    pub complete: bool,
    /// True if the listing was stopped before its end.
    pub stopped: bool,
    /// True if something has changed since the listing began.
    pub outdated: bool,
    /// The chunks that the listing under way has seen, where an earlier one was completed: those not in it at its end
    /// are gone.
    fresh: Option<Box<Self>>,
    /// The keys of chunks that the array's own encoding does not find.
    pub diagnosis: Option<KeyDiagnosis>,
    bytes: u64,
    /// The number of the stored ones counted in `bytes`.
    measured: u64,
    longest: u64,
    times: Option<(SystemTime, SystemTime)>,
}

impl Presence {
    /// A listing begins.
    pub fn begin(&mut self) {
        (self.stopped, self.outdated) = (false, false);
        self.fresh = self.complete.then(Box::default);
    }

    /// A listing has come to its end: chunks that it did not see are gone.
    pub fn finish(&mut self) {
        self.complete = true;
        if let Some(fresh) = self.fresh.take() {
            self.tried.retain(|at, _| fresh.stored.contains_key(at));
            (self.stored, self.bytes) = (fresh.stored, fresh.bytes);
            (self.longest, self.times) = (fresh.longest, fresh.times);
        }
    }

    /// Takes chunks in that were seen, for the first time or again.
    pub fn add(&mut self, sightings: Vec<StoredChunk>) {
        if let Some(fresh) = &mut self.fresh {
            fresh.add(sightings.clone());
        }
        for StoredChunk { coordinates, stat } in sightings {
            if let Some(seen) = stat {
                self.bytes = self.bytes.saturating_add(seen.len);
                self.measured += 1;
                self.longest = self.longest.max(seen.len);
                self.times = order::spanned(self.times, seen.modified.map(|at| (at, at)));
            }
            let before = self.stored.insert(coordinates, stat).flatten();
            self.bytes = self.bytes.saturating_sub(before.map_or(0, |seen| seen.len));
            self.measured = self.measured.saturating_sub(u64::from(before.is_some()));
        }
    }

    /// The next coordinates in C order after `from` (or before it) that a chunk is stored for.
    pub fn next_stored(&self, from: &[u64], forwards: bool) -> Option<Vec<u64>> {
        let here = Bound::Excluded(from);
        let found = if forwards {
            self.stored.range::<[u64], _>((here, Bound::Unbounded)).next()
        } else {
            self.stored.range::<[u64], _>((Bound::Unbounded, here)).next_back()
        };
        found.map(|(at, _)| at.clone())
    }

    /// Remembers whether a chunk could be decoded.
    pub fn tried(&mut self, coordinates: &[u64], came: DecodeTrial) {
        self.tried.insert(coordinates.to_vec(), came);
    }

    /// Forgets which chunks could be decoded: they are read as something else now.
    pub fn forget_tried(&mut self) {
        self.tried.clear();
    }

    /// The readable part of the stored chunks, as far as they were tried.
    pub fn readable(&self) -> Readable {
        let mut all = Readable { chunks: self.stored(), ..Readable::default() };
        for came in self.tried.values() {
            match came {
                DecodeTrial::Damaged => all.unreadable += 1,
                DecodeTrial::Decoded => all.decoded += 1,
                DecodeTrial::Verified => {
                    (all.decoded, all.verified) = (all.decoded + 1, all.verified + 1);
                }
            }
        }
        all.chunks = all.chunks.max(all.decoded + all.unreadable);
        all
    }

    /// The number of chunks stored, as far as it is known.
    pub fn stored(&self) -> u64 {
        self.stored.len() as u64
    }

    /// The coordinates of the chunks stored, as far as they are known, in C order.
    pub fn coordinates(&self) -> impl Iterator<Item = &Vec<u64>> {
        self.stored.keys()
    }

    /// The number of bytes those take whose length is known.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Of how many chunks the length is known: of many, only the names are read.
    pub fn measured(&self) -> u64 {
        self.measured
    }

    /// True if the chunk at `coordinates` is stored.
    pub fn has(&self, coordinates: &[u64]) -> bool {
        self.stored.contains_key(coordinates)
    }

    /// The size and time of the chunk at `coordinates`, if it was seen.
    pub fn seen(&self, coordinates: &[u64]) -> Option<Stat> {
        self.stored.get(coordinates).copied().flatten()
    }

    /// True if the chunk at `coordinates` was tried and could not be decoded.
    pub fn is_damaged(&self, coordinates: &[u64]) -> bool {
        self.tried.get(coordinates) == Some(&DecodeTrial::Damaged)
    }

    /// The damaged chunks that are known, in C order.
    pub fn damaged(&self) -> impl DoubleEndedIterator<Item = &Vec<u64>> {
        self.tried.iter().filter(|(_, came)| **came == DecodeTrial::Damaged).map(|(at, _)| at)
    }

    /// The size of a stored chunk relative to the largest, 0 to 1.
    pub fn share_of_size(&self, stat: Stat) -> f64 {
        ratio(stat.len, self.longest)
    }

    /// The time of a chunk's last write between the first and the last of all, 0 to 1.
    pub fn share_of_time(&self, stat: Stat) -> Option<f64> {
        let (first, last) = self.times?;
        let since = |at: SystemTime| at.duration_since(first).unwrap_or_default().as_secs_f64();
        let whole = since(last);
        Some(if whole > 0.0 { since(stat.modified?) / whole } else { 1.0 })
    }

    /// The next coordinates in C order after `from` (or before it) that no chunk is stored for.
    ///
    /// Stored chunks are walked in order beside the counting, so the cost is that of the stored ones that are passed.
    pub fn next_missing(&self, from: &[u64], counts: &[u64], forwards: bool) -> Option<Vec<u64>> {
        if order::product(counts) == Some(self.stored()) {
            return None;
        }
        let mut at = from.to_vec();
        for _ in 0..=self.stored.len() {
            at = order::next(&at, counts, forwards)?;
            if !self.has(&at) {
                return Some(at);
            }
        }
        None
    }
}

fn ratio(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_chunks_are_found_in_a_grid_of_any_size() {
        let mut presence = Presence::default();
        let at = |n| StoredChunk { coordinates: vec![n], stat: None };
        presence.add(vec![at(0), at(1), at(2)]);
        assert_eq!(presence.next_missing(&[0], &[1 << 60], true), Some(vec![3]));
        assert_eq!(presence.next_missing(&[0], &[3], true), None);
        assert_eq!(presence.next_missing(&[5], &[1 << 60], false), Some(vec![4]));
        assert_eq!(presence.next_stored(&[1 << 50], false), Some(vec![2]));
        assert_eq!(presence.next_stored(&[1], true), Some(vec![2]));
        assert_eq!(presence.next_stored(&[2], true), None);
        let mut late = Presence::default();
        late.add(vec![at(5), at(6), at(7)]);
        assert_eq!(late.next_missing(&[4], &[1 << 60], true), Some(vec![8]));
    }

    #[test]
    fn a_chunk_that_is_not_seen_again_is_gone_at_the_end() {
        let mut presence = Presence::default();
        let at = |n| StoredChunk {
            coordinates: vec![n],
            stat: Some(Stat { len: 10 * (n + 1), modified: None, etag: None }),
        };
        presence.begin();
        presence.add(vec![at(0), at(1)]);
        presence.finish();
        presence.tried(&[0], DecodeTrial::Damaged);
        presence.tried(&[1], DecodeTrial::Damaged);
        presence.begin();
        presence.add(vec![at(0), at(2)]);
        assert_eq!(presence.stored(), 3, "what is new is there at once, what is gone not yet");
        presence.finish();
        assert!(presence.has(&[0]) && presence.has(&[2]) && !presence.has(&[1]));
        assert_eq!(presence.bytes(), 40);
        assert!(presence.is_damaged(&[0]) && !presence.is_damaged(&[1]));
        presence.tried(&[2], DecodeTrial::Verified);
        let readable = Readable { chunks: 2, decoded: 1, verified: 1, unreadable: 1 };
        assert_eq!(presence.readable(), readable);
        presence.forget_tried();
        assert_eq!(presence.readable(), Readable { chunks: 2, ..Readable::default() });
    }

    #[test]
    fn a_chunk_that_is_seen_again_counts_once() {
        let mut presence = Presence::default();
        let at = |len| StoredChunk {
            coordinates: vec![0],
            stat: Some(Stat { len, modified: None, etag: None }),
        };
        presence.add(vec![at(400)]);
        presence.add(vec![at(500)]);
        assert_eq!((presence.stored(), presence.bytes(), presence.measured()), (1, 500, 1));
    }

    #[test]
    fn chunks_of_one_time_are_all_of_the_latest() {
        let mut presence = Presence::default();
        let seen = |seconds| Stat {
            len: 1,
            modified: Some(SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(seconds)),
            etag: None,
        };
        let share = |presence: &Presence, seconds| presence.share_of_time(seen(seconds));
        presence.add(vec![StoredChunk { coordinates: vec![0], stat: Some(seen(100)) }]);
        assert_eq!(share(&presence, 100), Some(1.0));
        presence.add(vec![StoredChunk { coordinates: vec![1], stat: Some(seen(200)) }]);
        assert_eq!(share(&presence, 150), Some(0.5));
    }
}
