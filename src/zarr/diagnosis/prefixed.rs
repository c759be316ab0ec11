//! Chunks that begin later in their file: after a header, or after a write that was restarted.

use super::prelude::*;

/// The bytes that no two files begin with by accident.
const BEGINNING: usize = 16;
/// The bytes at the start of a file in which the first byte of a chunk is looked for.
const HEADER: usize = 2048;

/// The offsets at which a chunk may begin in a file that has other bytes before it.
pub(super) fn starts(case: &Case, bytes: &[u8]) -> Vec<usize> {
    let mut starts = Vec::new();
    starts.extend(npy_header(bytes));
    starts.extend(n5_header(bytes));
    starts.extend(length_header(bytes));
    if bytes.starts_with(b"\xef\xbb\xbf") {
        starts.push(3);
    }
    // An upload that was restarted begins with the same bytes.
    if let Some(start) = bytes.get(..BEGINNING) {
        let again = memchr::memmem::find_iter(bytes, start).filter(|at| *at > 0);
        starts.extend(again.take(4));
    }
    let codecs = &case.array.registry.codecs;
    let declared = case
        .array
        .codecs
        .as_deref()
        .ok()
        .and_then(|specs| codecs.read_as(&specs.last()?.name, case.array.format));
    // What begins as a codec's output does is looked at from its beginning.
    if let Some(declared) = declared.filter(|row| row.compresses)
        && codecs.recognise(bytes).is_none()
    {
        let is_start = |at: &usize| {
            let rest = bytes.get(*at..).unwrap_or_default();
            codecs.recognise(rest).is_some_and(|(row, _)| std::ptr::eq(row, declared))
        };
        starts.extend((1..bytes.len().min(HEADER)).filter(is_start).take(4));
    }
    starts
}

/// The cause, if a chunk begins later in the file.
pub(super) fn diagnose(case: &Case, sample: &Sample) -> Option<Diagnosis> {
    let bytes = &sample.bytes;
    let starts = starts(case, bytes);
    let rest = |at: usize| bytes.get(at..).unwrap_or_default().to_vec();
    let at = starts.into_iter().find(|&at| decodes(case, sample, rest(at)))?;
    // Two whole chunks are one too many at the end.
    if decodes(case, sample, bytes.get(..at)?.to_vec()) {
        return None;
    }
    let what = prefix(bytes, at);
    Some(
        Diagnosis::new(
            "prefixed/header",
            format!("The file has {} before the chunk: {what}.", byte_count(at)),
        )
        .because(format!("From byte {at} on, the file can be decoded as declared."))
        .mended_by(rewritten(&sample.key, &[script!("tail -c +{}", at + 1)], rest(at)))
        .certain(),
    )
}

/// The kind of the bytes before a chunk that begins at offset `at`, in words.
pub(super) fn prefix(bytes: &[u8], at: usize) -> &'static str {
    match bytes {
        _ if npy_header(bytes) == Some(at) => "the header of an .npy file",
        _ if n5_header(bytes) == Some(at) => {
            "the header of an N5 block, whose numbers are big-endian"
        }
        _ if length_header(bytes) == Some(at) => "its length, as a number",
        [0xef, 0xbb, 0xbf, ..] if at == 3 => "a UTF-8 byte order mark",
        _ if bytes
            .get(at..)
            .is_some_and(|rest| bytes.get(..at).is_some_and(|begun| rest.starts_with(begun))) =>
        {
            "its own beginning, from a write that was restarted"
        }
        _ => "other bytes",
    }
}

/// The length of a number that says how many bytes follow, if `bytes` begin with one.
fn length_header(bytes: &[u8]) -> Option<usize> {
    let says_the_rest = |len: &usize| {
        let Some((number, rest)) = bytes.split_at_checked(*len) else { return false };
        let number = number.iter().rev().fold(0_u64, |sum, &byte| sum << 8 | u64::from(byte));
        let swapped = number.swap_bytes() >> (64 - 8 * len);
        [number, swapped].contains(&(rest.len() as u64))
    };
    [4, 8].into_iter().find(says_the_rest)
}

/// The length of the header of an .npy file, if `bytes` begin with one.
fn npy_header(bytes: &[u8]) -> Option<usize> {
    let bytes = bytes.strip_prefix(b"\x93NUMPY")?;
    let len = match *bytes.get(..6)? {
        [1, _, low, high, ..] => usize::from(u16::from_le_bytes([low, high])) + 10,
        [_, _, a, b, c, d] => usize::try_from(u32::from_le_bytes([a, b, c, d])).ok()? + 12,
        _ => return None,
    };
    Some(len)
}

/// The length of the header of a block of N5, if `bytes` begin with one: a mode, the number of dimensions, their lengths.
fn n5_header(bytes: &[u8]) -> Option<usize> {
    const MOST: usize = 16;
    let [0, mode @ 0..=1, 0, rank, rest @ ..] = bytes else { return None };
    let (mode, rank) = (usize::from(*mode), usize::from(*rank));
    let lengths = rest.as_chunks::<4>().0.get(..rank)?;
    let len = 4 + 4 * (rank + mode);
    ((1..=MOST).contains(&rank)
        && lengths.iter().all(|length| (1..1 << 24).contains(&u32::from_be_bytes(*length)))
        && len < bytes.len())
    .then_some(len)
}
