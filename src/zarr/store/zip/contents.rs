//! The table of contents of an archive as it is written there: what the library that reads it does not tell.

use super::inflating::{ArchiveFile, ArchivePart};
use crate::zarr::text;
use std::{
    collections::HashSet,
    io::{BufReader, Read},
    sync::Arc,
};

/// The length of the record that ends an archive, and the most that a comment after it takes (section 4.3.16 of the
/// ZIP specification), in bytes.
const END: u64 = 22;
const COMMENT: u64 = 65_535;

/// The number of bytes of memory that each byte of the table of contents costs while it is read: an entry of 60 bytes
/// takes some 900.
const OF_A_BYTE: u64 = 16;

/// The memory that reading the table of contents of `file` takes, in bytes, about; 0 where it is no archive.
pub(super) fn memory(file: &Arc<ArchiveFile>) -> usize {
    usize::try_from(length(file).unwrap_or_default().saturating_mul(OF_A_BYTE))
        .unwrap_or(usize::MAX)
}

/// The length that the end of the archive declares for its table of contents, at most that of the file.
fn length(file: &Arc<ArchiveFile>) -> Option<u64> {
    let len = file.len().ok()?;
    let file = Arc::clone(file);
    let mut tail = Vec::new();
    let range = len.saturating_sub(END + COMMENT)..len;
    file.ask_for(range.clone());
    ArchivePart { file: Arc::clone(&file), range }.read_to_end(&mut tail).ok()?;
    let record = |sign: &[u8]| tail.get(memchr::memmem::rfind(&tail, sign)?..);
    let short = record(b"PK\x05\x06")?.get(12..16)?.try_into().ok().map(u32::from_le_bytes)?;
    let long = || record(b"PK\x06\x06")?.get(40..48)?.try_into().ok().map(u64::from_le_bytes);
    let declared = if short == u32::MAX { long() } else { Some(short.into()) };
    let declared = declared?.min(len);
    file.ask_for(len.saturating_sub(declared.saturating_add(tail.len() as u64))..len);
    Some(declared)
}

/// True if the first member is followed by a data descriptor, as programs leave them that write to a pipe (section
/// 4.3.9); the table of contents begins at `start` of the archive.
pub(super) fn has_descriptors(file: &Arc<ArchiveFile>, start: u64) -> bool {
    const FLAGS: std::ops::Range<usize> = 8..10;
    const DESCRIPTOR: u8 = 1 << 3;
    let mut entry = [0; FLAGS.end];
    let mut contents = ArchivePart { file: Arc::clone(file), range: start..u64::MAX };
    contents.read_exact(&mut entry).is_ok()
        && entry.starts_with(b"PK\x01\x02")
        && entry[FLAGS.start] & DESCRIPTOR != 0
}

/// The names in the table of contents, which begins at `start` of the archive, that come again further on: the first
/// of them, and how many there are.
pub(super) fn names_that_come_twice(file: &Arc<ArchiveFile>, start: u64) -> Option<(String, u64)> {
    const ENTRY: usize = 46;
    let length = |bytes: &[u8], at: usize| match bytes.get(at..at + 2) {
        Some(&[low, high]) => usize::from(u16::from_le_bytes([low, high])),
        _ => 0,
    };
    let file = Arc::clone(file);
    let mut contents = BufReader::new(ArchivePart { file, range: start..u64::MAX });
    let (mut known, mut twice) = (HashSet::new(), None::<(String, u64)>);
    loop {
        let mut entry = [0; ENTRY];
        if contents.read_exact(&mut entry).is_err() || !entry.starts_with(b"PK\x01\x02") {
            break;
        }
        let mut rest = vec![0; length(&entry, 28) + length(&entry, 30) + length(&entry, 32)];
        if contents.read_exact(&mut rest).is_err() {
            break;
        }
        rest.truncate(length(&entry, 28));
        if known.contains(&rest) {
            twice.get_or_insert_with(|| (text::safe_bytes(&rest), 0)).1 += 1;
        } else {
            known.insert(rest);
        }
    }
    twice
}
