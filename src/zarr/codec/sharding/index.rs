//! The index of a shard: which inner chunk is where, and what is wrong with that.

use super::{
    super::{
        chain::judge_checksum,
        shard::{ENTRY, IndexEntries, Shard, judge},
    },
    ReadRange, Sharding,
};
use crate::zarr::codec::prelude::*;
use crate::zarr::{
    store::requests::of_index,
    words::{list, size as bytes_of},
};

/// The number of entries the table of header fields shows at most.
const MAX_ROWS: usize = 10_000;
/// The number of entries that are read at a time, and held where a single inner chunk is wanted: a window of 1 MiB.
const WINDOW: u64 = 1 << 16;

/// The most bytes of an index that is looked for elsewhere.
const ELSEWHERE: u64 = 64 << 20;

impl Sharding {
    /// Reads the index of a shard of `len` bytes, of which `read` gives any range. With it comes what a stage shows of
    /// it: header, checksum, notes.
    ///
    /// # Errors
    ///
    /// The stage of a shard whose index cannot be read; its error is set.
    pub fn open(
        &self,
        len: u64,
        budget: &Budget,
        read: &mut ReadRange,
    ) -> Result<(Shard, Outcome), Box<Outcome>> {
        let read = &mut |range| of_index(|| read(range));
        let failed = |error| Box::new(Outcome::failed(error));
        let range = self.index_range(len).map_err(failed)?;
        self.fits(budget).map_err(failed)?;
        let mut said = Outcome::default();
        let places = self.places(&range, budget, read, &mut said).map_err(|error| {
            said.notes.extend(self.elsewhere(len, &range, read));
            if error.code == Code::ChecksumMismatch {
                said.notes.extend(self.without_checksum(len, budget, read));
            }
            Box::new(Outcome { error: Some(error), ..std::mem::take(&mut said) })
        })?;
        let shard = self.shard_of(IndexEntries::new(0, places, len), range.clone(), true);
        if shard.entries.iter().any(|entry| entry.problem.is_some()) {
            said.notes.extend(self.elsewhere(len, &range, read));
        }
        self.describe(&shard, &mut said);
        Ok((shard, said))
    }

    fn shard_of(&self, mut entries: IndexEntries, index: Range<u64>, is_whole: bool) -> Shard {
        let (counts, chunk_shape) = (self.counts.clone(), self.chunk_shape.clone());
        let len = entries.shard;
        let (gaps, unused) =
            if is_whole { judge(&mut entries, &index, len) } else { (Vec::new(), (0, 0)) };
        Shard { counts, chunk_shape, entries, index, len, gaps, unused }
    }

    /// The bytes that all entries take.
    pub fn index_memory(&self) -> u64 {
        let count = self.count().unwrap_or(u64::MAX);
        // Those that are in no order are sorted by their numbers, of 4 bytes each.
        count.saturating_mul(ENTRY + 4)
    }

    /// Checks that all entries may be held, before anything is read.
    ///
    /// # Errors
    ///
    /// If they take more than one codec may give.
    pub(in crate::zarr::codec) fn fits(&self, budget: &Budget) -> Result<()> {
        let size = self.count().map_or(u64::MAX, |count| count.saturating_mul(ENTRY));
        if size <= budget.limit().max(ENTRY * WINDOW) {
            return Ok(());
        }
        let found = format!("an index of {}", counted(size / ENTRY, "inner chunk"));
        let expected = format!("at most {} of index at a time", bytes_of(budget.limit()));
        Err(Error::new(Code::DecodedTooLarge, found, expected)
            .with_fix("Raise the limit with --max-decoded, or open one of its inner chunks."))
    }

    /// The first entry of the window that inner chunk `number` is in; `None` where all entries are read at once: they
    /// are few, or their codecs give none of them alone.
    pub fn window(&self, number: u64) -> Option<u64> {
        let is_large = self.count().is_none_or(|count| count > 4 * WINDOW);
        (is_large && self.is_plain()).then_some(number / WINDOW * WINDOW)
    }

    /// The entries from number `first` on, as many as are read at a time, of an index in which they are plain numbers.
    /// Whether its checksum agrees is for [`Self::verify_index`].
    ///
    /// # Errors
    ///
    /// If they cannot be read.
    pub fn open_window(&self, len: u64, first: u64, read: &mut ReadRange) -> Result<Shard> {
        let read = &mut |range| of_index(|| read(range));
        let index = self.index_range(len)?;
        let end = self.count().unwrap_or(u64::MAX).min(first.saturating_add(WINDOW));
        let bytes = read(index.start + first * ENTRY..index.start + end * ENTRY)?;
        let mut places = Vec::new();
        self.push(bytes.here(), &mut places);
        Ok(self.shard_of(IndexEntries::new(first, places, len), index, false))
    }

    /// Compares an index in which entries are plain numbers with its checksum, window by window.
    ///
    /// # Errors
    ///
    /// If it does not agree, or cannot be read.
    pub fn verify_index(&self, len: u64, budget: &Budget, read: &mut ReadRange) -> Result<()> {
        let read = &mut |range| of_index(|| read(range));
        let range = self.index_range(len)?;
        let sum = self.summed(&range, budget, read, &mut |_| ())?;
        let outcome = Outcome { checksum: sum, ..Outcome::default() };
        judge_checksum(outcome, budget.ignores_checksums()).error.map_or(Ok(()), Err)
    }

    /// Goes through a plain index window by window; gives the checksum after it.
    fn summed(
        &self,
        range: &Range<u64>,
        budget: &Budget,
        read: &mut ReadRange,
        each: &mut dyn FnMut(&[u8]),
    ) -> Result<Option<Checksum>> {
        let end = range.start + self.count().unwrap_or(0) * ENTRY;
        let (mut at, mut computed) = (range.start, 0);
        while at < end {
            if budget.is_stopped() {
                return Err(stopped());
            }
            let next = end.min(at + WINDOW * ENTRY);
            let bytes = read(at..next)?;
            computed = ::crc32c::crc32c_append(computed, bytes.here());
            each(bytes.here());
            at = next;
        }
        if end == range.end {
            return Ok(None);
        }
        let sum = read(end..range.end)?;
        let stored = sum.here().first_chunk().map_or(0, |sum| u32::from_le_bytes(*sum));
        let (stored, computed) = (stored.into(), computed.into());
        Ok(Some(Checksum { algorithm: "crc32c", bytes: end..range.end, stored, computed }))
    }

    /// The entries of the index; its checksum is kept in `said`.
    fn places(
        &self,
        range: &Range<u64>,
        budget: &Budget,
        read: &mut ReadRange,
        said: &mut Outcome,
    ) -> Result<Vec<[u64; 2]>> {
        if self.window(0).is_some() {
            let count = self.count().and_then(|count| usize::try_from(count).ok());
            let mut places = room(count.unwrap_or(usize::MAX))?;
            let sum =
                self.summed(range, budget, read, &mut |bytes| self.push(bytes, &mut places))?;
            let judged = Outcome { checksum: sum, ..Outcome::default() };
            let judged = judge_checksum(judged, budget.ignores_checksums());
            said.notes.extend(judged.notes);
            said.checksum = judged.checksum;
            return judged.error.map_or(Ok(places), |error| Err(error.at("shard index")));
        }
        let numbers = self.numbers(read(range.clone())?, range, budget, said)?;
        Ok(numbers.as_chunks().0.to_vec())
    }

    /// Appends the entries that `bytes` of a plain index are.
    fn push(&self, bytes: &[u8], places: &mut Vec<[u64; 2]>) {
        let endian = self.index.links.first().and_then(|link| link.spec.member("endian")?.as_str());
        let number: fn([u8; 8]) -> u64 =
            if endian == Some("big") { u64::from_be_bytes } else { u64::from_le_bytes };
        let numbers = bytes.as_chunks::<8>().0.as_chunks::<2>().0;
        places.extend(numbers.iter().map(|pair| pair.map(number)));
    }

    /// True if the entries are stored as plain numbers, with at most a CRC-32C after them.
    fn is_plain(&self) -> bool {
        let is_sum = |link: &super::super::Link| {
            link.row.is_some_and(super::super::checksum::is_crc32c)
                && link.spec.member("location").is_none()
                && link.codec.is_ok()
        };
        let [bytes, sums @ ..] = self.index.links.as_slice() else { return false };
        let plain = self.count().and_then(|count| count.checked_mul(ENTRY));
        let with_sums = plain.and_then(|plain| plain.checked_add(4 * sums.len() as u64));
        bytes.codec.is_ok()
            && bytes.row.is_some_and(|row| row.is_raw)
            && sums.len() < 2
            && sums.iter().all(is_sum)
            && with_sums.is_some()
            && self.index_len == with_sums
    }

    /// The note on the entries of an index whose checksum does not agree.
    fn without_checksum(&self, len: u64, budget: &Budget, read: &mut ReadRange) -> Option<Note> {
        let (shard, _) = self.open(len, &budget.ignoring_checksums(true), read).ok()?;
        let stored = shard.entries.places().flatten().count();
        let mut wrong = shard.entries.iter().filter_map(|entry| entry.problem);
        let faults = match (wrong.next(), wrong.count()) {
            (None, _) => "every entry lies inside the shard".to_owned(),
            (Some(one), 0) => format!("one entry is invalid: it {one}"),
            (Some(first), more) => format!("{} entries are invalid; the first {first}", more + 1),
        };
        let all = shard.entries.len();
        let text = format!(
            "Ignoring its checksum, the index lists {stored} of {all} inner chunks; {faults}."
        );
        Some(Note::new(Code::WithoutChecksum, text))
    }

    /// Another place in the shard where an index seems to be, when the declared one makes no sense: writers
    /// and readers have disagreed about the checksum after it, and about which end it is at.
    fn elsewhere(&self, len: u64, declared: &Range<u64>, read: &mut ReadRange) -> Option<Note> {
        let count = self.count()?.checked_mul(ENTRY).filter(|&size| size <= ELSEWHERE)?;
        let places = [
            (len.checked_sub(count)?..len, "at the end, without a checksum"),
            (
                len.saturating_sub(count + 4)..len.saturating_sub(4),
                "at the end, followed by a checksum",
            ),
            (0..count, "at the start"),
        ];
        let sensible = |range: &Range<u64>, read: &mut ReadRange| {
            let bytes = read(range.clone()).ok()?;
            let pairs = bytes.here().as_chunks::<8>().0.as_chunks::<2>().0;
            let places = pairs.iter().map(|pair| pair.map(u64::from_le_bytes)).collect();
            let mut entries = IndexEntries::new(0, places, len);
            judge(&mut entries, range, len);
            let used = entries.places().flatten().any(|bytes| !bytes.is_empty());
            (used && entries.iter().all(|entry| entry.problem.is_none())).then_some(())
        };
        let other = |range: &Range<u64>| range.start != declared.start || declared.end == range.end;
        let (_, place) =
            places.into_iter().filter(|(range, _)| other(range)).find(|(range, _)| {
                (range.end - range.start == count) && sensible(range, read).is_some()
            })?;
        let text = format!(
            "A valid index was found {place}: index_codecs or index_location in the metadata differ from what was \
             written."
        );
        Some(Note::new(Code::IndexElsewhere, text))
    }

    /// Decodes the index, and keeps its checksum in `said`.
    fn numbers(
        &self,
        bytes: Bytes,
        range: &Range<u64>,
        budget: &Budget,
        said: &mut Outcome,
    ) -> Result<Vec<u64>> {
        let mut data = Data::Bytes(bytes);
        if let Some(error) = self.index.error() {
            return Err(error.clone());
        }
        for link in self.index.links.iter().rev() {
            let outcome = link.decode(&data, budget);
            said.notes.extend(outcome.notes);
            if let Some(mut checksum) = outcome.checksum {
                checksum.bytes =
                    checksum.bytes.start + range.start..checksum.bytes.end + range.start;
                said.checksum = Some(checksum);
            }
            if let Some(error) = outcome.error {
                let offset = error.place.offset.unwrap_or_default() + range.start;
                return Err(error.at_offset(offset).at("shard index"));
            }
            data = outcome.output.ok_or_else(super::super::not_elements)?;
        }
        let elements = data.elements().ok_or_else(super::super::not_elements)?;
        elements.to_vec()
    }

    /// The index as rows of a header, and what stands out.
    fn describe(&self, shard: &Shard, said: &mut Outcome) {
        // Bytes as stored, and at most a checksum after them.
        let checksum = |row| super::super::checksum::is_crc32c(row);
        let plain = |row: &'static CodecRow| row.is_raw || checksum(row);
        let plain = self.index.links.iter().all(|link| link.row.is_some_and(plain));
        for (number, entry) in shard.entries.iter().enumerate().take(MAX_ROWS) {
            let at = shard.index.start + number as u64 * 16;
            let bytes = if plain { at..at + 16 } else { shard.index.clone() };
            let value = match &entry.bytes {
                None => "empty, reads as the fill value".into(),
                Some(bytes) => format!("offset {}, {} bytes", bytes.start, bytes.end - bytes.start),
            };
            let name = format!("inner chunk {}", list(&self.coordinates(number as u64)));
            let problem = entry.problem.clone();
            said.header.push(HeaderField { problem, ..HeaderField::new(bytes, name, value) });
        }
        if shard.entries.len() > MAX_ROWS {
            let text = format!(
                "Only the first {MAX_ROWS} of {} inner chunks are listed.",
                shard.entries.len()
            );
            said.notes.push(Note::new(Code::ShardOverview, text));
        }
        let (gaps, unused) = shard.unused;
        if unused > 0 {
            let gaps = counted(gaps, "gap");
            let text = format!("{} in {gaps} belong to no inner chunk.", counted(unused, "byte"));
            said.notes.push(Note::new(Code::ShardGaps, text));
        }
    }
}
