//! The index of a shard: which inner chunk is where, and what is wrong with that.

use super::{
    super::{Bytes, CodecRow, Data, HeaderField, Outcome},
    Sharding,
};
use crate::zarr::{
    budget::Budget,
    error::{Code, Error, Note, Result},
    words::{byte_range, counted, list},
};
use std::ops::Range;

/// The value of both fields of the index for an empty inner chunk.
pub(super) const EMPTY: u64 = u64::MAX;

/// The number of entries the table of header fields shows at most.
const MAX_ROWS: usize = 10_000;

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
    /// Every inner chunk in C order of its coordinates.
    pub entries: Vec<IndexEntry>,
    /// The place of the index in the shard.
    pub index: Range<u64>,
    /// The number of bytes the shard has.
    pub len: u64,
    /// Bytes between inner chunks that belong to none.
    pub gaps: Vec<Range<u64>>,
}

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
        budget: &Budget<'_>,
        read: &mut dyn FnMut(Range<u64>) -> Result<Bytes>,
    ) -> Result<(Shard, Outcome), Box<Outcome>> {
        let failed = |error| Box::new(Outcome::failed(error));
        let range = self.index_range(len).map_err(failed)?;
        let bytes = read(range.clone()).map_err(failed)?;
        let mut said = Outcome::default();
        let numbers = self.numbers(bytes, &range, budget, &mut said).map_err(|error| {
            said.notes.extend(self.elsewhere(len, &range, read));
            if error.code == Code::ChecksumMismatch {
                said.notes.extend(self.without_checksum(len, budget, read));
            }
            Box::new(Outcome { error: Some(error), ..std::mem::take(&mut said) })
        })?;
        let mut entries: Vec<IndexEntry> =
            numbers.chunks_exact(2).map(|pair| entry(pair, len)).collect();
        let gaps = judge(&mut entries, &range, len);
        if entries.iter().any(|entry| entry.problem.is_some()) {
            said.notes.extend(self.elsewhere(len, &range, read));
        }
        let (counts, chunk_shape) = (self.counts.clone(), self.chunk_shape.clone());
        let shard = Shard { counts, chunk_shape, entries, index: range, len, gaps };
        self.describe(&shard, &mut said);
        Ok((shard, said))
    }

    /// The note on the entries of an index whose checksum does not agree.
    fn without_checksum(
        &self,
        len: u64,
        budget: &Budget<'_>,
        read: &mut dyn FnMut(Range<u64>) -> Result<Bytes>,
    ) -> Option<Note> {
        let (shard, _) = self.open(len, &budget.ignoring_checksums(true), read).ok()?;
        let stored = shard.entries.iter().filter(|entry| entry.bytes.is_some()).count();
        let wrong: Vec<_> =
            shard.entries.iter().filter_map(|entry| entry.problem.as_ref()).collect();
        let faults = match wrong.as_slice() {
            [] => "every entry lies inside the shard".to_owned(),
            [one] => format!("one entry is invalid: it {one}"),
            [first, ..] => format!("{} entries are invalid; the first {first}", wrong.len()),
        };
        let all = shard.entries.len();
        let text = format!(
            "Ignoring its checksum, the index lists {stored} of {all} inner chunks; {faults}."
        );
        Some(Note::new(Code::WithoutChecksum, text))
    }

    /// Another place in the shard where an index seems to be, when the declared one makes no sense: writers
    /// and readers have disagreed about the checksum after it, and about which end it is at.
    fn elsewhere(
        &self,
        len: u64,
        declared: &Range<u64>,
        read: &mut dyn FnMut(Range<u64>) -> Result<Bytes>,
    ) -> Option<Note> {
        let count = self.counts.iter().try_fold(16_u64, |size, n| size.checked_mul(*n))?;
        let places = [
            (len.checked_sub(count)?..len, "at the end, without a checksum"),
            (
                len.saturating_sub(count + 4)..len.saturating_sub(4),
                "at the end, followed by a checksum",
            ),
            (0..count, "at the start"),
        ];
        let sensible = |range: &Range<u64>, read: &mut dyn FnMut(Range<u64>) -> Result<Bytes>| {
            let bytes = read(range.clone()).ok()?;
            let numbers = bytes.here().as_chunks().0.iter().map(|eight| u64::from_le_bytes(*eight));
            let numbers: Vec<u64> = numbers.collect();
            let mut entries: Vec<IndexEntry> =
                numbers.chunks_exact(2).map(|pair| entry(pair, len)).collect();
            judge(&mut entries, range, len);
            let used =
                entries.iter().any(|entry| entry.bytes.as_ref().is_some_and(|b| !b.is_empty()));
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
        budget: &Budget<'_>,
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
        let big = elements.order().endian() == crate::zarr::Endian::Big;
        let bytes = elements.c_order()?;
        let number = |bytes: &[u8; 8]| {
            if big { u64::from_be_bytes(*bytes) } else { u64::from_le_bytes(*bytes) }
        };
        Ok(bytes.as_chunks().0.iter().map(number).collect())
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
            said.notes.push(Note::new(Code::IndexCut, text));
        }
        let unused: u64 = shard.gaps.iter().map(|gap| gap.end - gap.start).sum();
        if unused > 0 {
            let gaps = counted(shard.gaps.len() as u64, "gap");
            let text = format!("{} in {gaps} belong to no inner chunk.", counted(unused, "byte"));
            said.notes.push(Note::new(Code::ShardGaps, text));
        }
    }
}

impl Shard {
    /// The bytes of inner chunk `number`; `None` where it is empty.
    ///
    /// # Errors
    ///
    /// If there is no such inner chunk, or its bytes reach outside the shard.
    pub fn bytes(&self, number: u64) -> Result<Option<Range<u64>>> {
        let entry = usize::try_from(number).ok().and_then(|at| self.entries.get(at));
        let Some(entry) = entry else {
            let found = format!("inner chunk {number}");
            let expected = format!("one of {} inner chunks", self.entries.len());
            return Err(Error::new(Code::NoSuchChunk, found, expected));
        };
        match &entry.bytes {
            Some(bytes) if bytes.end > self.len || bytes.start > bytes.end => {
                let found = format!("an inner chunk at {}", byte_range(bytes));
                let expected =
                    format!("bytes inside the shard, which has {}", counted(self.len, "byte"));
                let at = self.index.start + number * 16;
                Err(Error::new(Code::ShardIndex, found, expected).at_offset(at))
            }
            bytes => Ok(bytes.clone()),
        }
    }

    /// The number of inner chunks that are empty.
    #[must_use]
    pub fn empty(&self) -> usize {
        self.entries.iter().filter(|entry| entry.bytes.is_none()).count()
    }
}

fn entry(pair: &[u64], len: u64) -> IndexEntry {
    let (offset, length) = match *pair {
        [offset, length] => (offset, length),
        _ => (EMPTY, EMPTY),
    };
    if (offset, length) == (EMPTY, EMPTY) {
        return IndexEntry { bytes: None, problem: None };
    }
    let end = offset.saturating_add(length);
    let problem = (end > len || end == u64::MAX)
        .then(|| format!("reaches past the end of the shard ({len} bytes)"));
    IndexEntry { bytes: Some(offset..end), problem }
}

/// Marks entries that share bytes, and gives the gaps between them.
fn judge(entries: &mut [IndexEntry], index: &Range<u64>, len: u64) -> Vec<Range<u64>> {
    let mut order: Vec<(u64, u64, Option<usize>)> = entries
        .iter()
        .enumerate()
        .filter(|(_, entry)| entry.problem.is_none())
        .filter_map(|(at, entry)| entry.bytes.as_ref().map(|b| (b.start, b.end, Some(at))))
        .filter(|(start, end, _)| start < end)
        .collect();
    order.push((index.start, index.end, None));
    order.sort_unstable();
    let mut gaps = Vec::new();
    let (mut reached, mut holder) = (0_u64, None);
    for (start, end, at) in order {
        if start > reached {
            gaps.push(reached..start);
        } else if start < reached {
            let text = |other: Option<usize>| match other {
                Some(other) => format!("overlaps inner chunk number {other}"),
                None => "overlaps the index".into(),
            };
            for (one, other) in [(at, holder), (holder, at)] {
                if let Some(entry) = one.and_then(|one: usize| entries.get_mut(one)) {
                    entry.problem.get_or_insert_with(|| text(other));
                }
            }
        }
        if end > reached {
            (reached, holder) = (end, at);
        }
    }
    if reached < len {
        gaps.push(reached..len);
    }
    gaps
}
