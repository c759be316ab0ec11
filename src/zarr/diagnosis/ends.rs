//! The end of a chunk file: what is missing of it, or what is behind it.

use super::prelude::*;
use super::reading::SURE;
use crate::zarr::signature::foreign_format;

/// Fewer bytes may be the same as others by chance.
const LEAST: usize = 64;

/// The words for bytes after a chunk whose kind is not known.
const OTHERS: &str = "other bytes";

/// The number of places at which a second frame is looked for.
const FRAMES: usize = 8;

/// Takes the samples out of which the end is missing, for what remains when nothing else explains it.
pub(super) fn damaged(case: &Case, samples: &mut Vec<Sample>) -> Vec<Diagnosis> {
    // All of an array are not cut at the same place: then it is the metadata that are wrong, or a reading was not tried.
    let first = samples.first().map(shortness);
    let is_alike =
        samples.len() > 1 && samples.iter().all(|sample| Some(shortness(sample)) == first);
    if is_alike && case.symptoms.errors == case.symptoms.stored {
        return Vec::new();
    }
    gathered(case, samples, &[truncated])
}

/// The error that tells how short a chunk is: that it ends too soon, and where.
fn shortness(sample: &Sample) -> Option<&str> {
    sample.error.as_ref().map(|error| error.found.as_str())
}

/// The cause, if a chunk ends before the file does.
pub(super) fn appended(case: &Case, sample: &Sample) -> Option<Diagnosis> {
    let bytes = &sample.bytes;
    let known = end(case, sample);
    let is_certain = known.is_some();
    let (end, evidence) = known.or_else(|| likely_end(case, sample))?;
    let rest = bytes.get(end..)?;
    let start = bytes.get(..end)?;
    let is_zero = rest.iter().all(|&byte| byte == 0);
    let what = if rest == start {
        "the whole chunk a second time"
    } else if rest.len() >= LEAST && start.ends_with(rest) && !is_zero {
        "its last bytes a second time"
    } else if decodes(case, sample, rest.to_vec()) {
        "another whole chunk"
    } else if is_zero {
        "zeros"
    } else if rest.trim_ascii().is_empty() {
        "white space"
    } else {
        OTHERS
    };
    let text = format!(
        "The file has {} after the chunk's {}: {what}.",
        byte_count(rest.len()),
        byte_count(end)
    );
    let mut found =
        cut(Diagnosis::new("appended/after-the-end", text).because(evidence), sample, end);
    if what == OTHERS && !case.array.chain()?.is_raw() {
        let text = "A shorter chunk that is written over a longer one, without cutting the file, leaves such bytes.";
        found.evidence.push(text.into());
    }
    Some(Diagnosis { is_certain, ..found })
}

/// The offsets at which a second chunk may begin: as the first one does.
fn second_starts(bytes: &[u8]) -> Vec<usize> {
    let start = bytes.get(..3).filter(|_| !bytes.starts_with(&[0]));
    start.map_or_else(Vec::new, |start| {
        memchr::memmem::find_iter(bytes, start).skip(1).take(FRAMES).collect()
    })
}

/// True if one of the codecs is a checksum.
fn has_checksum(chain: &Chain) -> bool {
    chain.links.iter().any(|link| link.row.is_some_and(|row| row.is_checksum))
}

/// True if what is after `end` is a part of the chunk a second time, or zeros up to a block of a disk.
fn is_tail(bytes: &[u8], end: usize) -> bool {
    let Some((start, rest)) = bytes.split_at_checked(end) else { return false };
    let is_varied = rest.iter().any(|byte| Some(byte) != rest.first());
    rest == start
        || rest.len() >= LEAST && start.ends_with(rest) && is_varied
        || rest.iter().all(|&byte| byte == 0)
            && bytes.len().is_multiple_of(512)
            && rest.len() < 4096
}

/// The end of the chunk with which a longer file begins.
fn end(case: &Case, sample: &Sample) -> Option<(usize, String)> {
    let bytes = &sample.bytes;
    let len = bytes.len();
    let chain = case.array.chain()?;
    if let Some(exact) = chain.encoded_size().exact {
        let end = usize::try_from(exact).ok().filter(|end| *end < len)?;
        // A checksum in what is kept proves it; else only such bytes that nobody means are told.
        let has_sum = || {
            has_checksum(&chain)
                && decodes(case, sample, bytes.get(..end).unwrap_or_default().to_vec())
        };
        return (is_tail(bytes, end) || has_sum())
            .then(|| (end, format!("A chunk has {} bytes by shape and data type.", grouped(end))));
    }
    // A compressed chunk knows its own end: half the file, what is before a tail of zeros or of white space, or where
    // the decoder stops.
    let fits = |end: usize| decodes(case, sample, bytes.get(..end).unwrap_or_default().to_vec());
    if fits(len) {
        // A decoder that overlooks what is after the end decodes from there on, whatever follows.
        let (mut short, mut enough) = (0, len);
        while short + 1 < enough {
            let middle = short.midpoint(enough);
            if fits(middle) { enough = middle } else { short = middle }
        }
        let told = format!("The first {} are enough to decode the chunk.", byte_count(enough));
        return (enough < len).then_some((enough, told));
    }
    let zeros = bytes.iter().rposition(|&byte| byte != 0).map(|at| at + 1);
    let space = bytes.iter().rposition(|byte| !byte.is_ascii_whitespace()).map(|at| at + 1);
    let told = sample.error.as_ref().and_then(|error| error.place.offset);
    let told = told.and_then(|at| usize::try_from(at).ok());
    let ends = [len.is_multiple_of(2).then_some(len / 2), told, zeros, space];
    let mut ends: Vec<usize> =
        ends.into_iter().flatten().filter(|end| *end > 0 && *end < len).collect();
    ends.extend(second_starts(bytes));
    // Zeros, and white space, may be the last bytes of the chunk itself.
    for more in 1..=4 {
        ends.extend(
            [zeros, space].into_iter().flatten().map(|end| end + more).filter(|end| *end < len),
        );
    }
    let end = ends
        .into_iter()
        .find(|&end| decodes(case, sample, bytes.get(..end).unwrap_or_default().to_vec()))?;
    Some((end, format!("The first {} can be decoded as declared.", byte_count(end))))
}

/// The cause with the command that keeps the first bytes of a file, where what it cuts is padding: of anything else,
/// somebody has to find out first whether it is needed.
pub(super) fn cut(diagnosis: Diagnosis, sample: &Sample, len: usize) -> Diagnosis {
    let (kept, rest) = sample.bytes.split_at_checked(len).unwrap_or((&sample.bytes, &[]));
    if !is_padding(rest) {
        let (count, path) = (byte_count(rest.len()), &sample.key);
        let text = format!("find out whether the last {count} of {path} are needed elsewhere");
        return diagnosis.to_do(text);
    }
    diagnosis.mended_by(rewritten(&sample.key, &[script!("head -c {}", len)], kept))
}

/// True if bytes hold nothing: zeros, or white space.
fn is_padding(bytes: &[u8]) -> bool {
    bytes.iter().all(|&byte| byte == 0) || bytes.trim_ascii().is_empty()
}

/// The same by its values, of a few chunks that have no other codec.
fn likely_end(case: &Case, sample: &Sample) -> Option<(usize, String)> {
    let exact = case.array.chain()?.encoded_size().exact;
    let end = usize::try_from(exact?).ok().filter(|end| *end < sample.bytes.len())?;
    let is_few = case.symptoms.failures < case.symptoms.stored;
    if end > 0 && ends_line(case, sample, end) {
        let count = grouped(end);
        return Some((
            end,
            format!(
                "A chunk has {count} bytes by shape and data type, and a line end is no element."
            ),
        ));
    }
    (is_few && begins_well(case, sample, end)).then(|| {
        let text = "A chunk has {} bytes by shape and data type, and its values are only plausible from the start on.";
        (end, text.replace("{}", &grouped(end)))
    })
}

/// True if what is after `end` is the end of a line, which an editor or a shell put there: no element is so short, or all
/// chunks that are too long have it.
fn ends_line(case: &Case, sample: &Sample, end: usize) -> bool {
    let rest = |sample: &Sample| sample.bytes.get(end..).map(<[u8]>::to_vec);
    let known = rest(sample).filter(|rest| [&b"\n"[..], b"\r\n"].contains(&rest.as_slice()));
    let Some(known) = known else { return false };
    let size = case.array.data_type().and_then(|data_type| data_type.fixed_size());
    let others = || case.failed();
    size.is_some_and(|size| !known.len().is_multiple_of(size.max(1)))
        || case.symptoms.failures > 1
            && others().iter().all(|other| rest(other).as_deref().is_none_or(|it| it == known))
}

/// True if the values are plausible where a chunk begins with the file and has `end` bytes, and are not where it ends
/// with it. (Of as many bytes more as elements have, neither says anything.)
fn begins_well(case: &Case, sample: &Sample, end: usize) -> bool {
    /// The share of its bits that the worse one must take more.
    const CLEARLY: f64 = 0.1;
    let more = sample.bytes.len().saturating_sub(end);
    let size = case.array.data_type().and_then(|data_type| data_type.fixed_size());
    if size.is_none_or(|size| more.is_multiple_of(size.max(1))) {
        return false;
    }
    let read = |range: Range<usize>| {
        let part = Sample { bytes: sample.bytes.get(range)?.to_vec(), ..sample.clone() };
        let outcome = ReadingOutcome::of(case, case.array, &[part]);
        (outcome.measure.is_some() && outcome.is_sensible()).then(|| outcome.bits())
    };
    let (here, there) = (read(0..end), read(more..sample.bytes.len()));
    let is_worse = |here: f64, there: f64| here + SURE.max(CLEARLY * there) <= there;
    here.is_some_and(|here| there.is_none_or(|there| is_worse(here, there)))
}

/// The cause, if the end of a chunk is missing.
fn truncated(case: &Case, sample: &Sample) -> Option<Diagnosis> {
    let bytes = &sample.bytes;
    let len = bytes.len();
    if let Some(what) = foreign_format(bytes).filter(|_| bytes.iter().any(|&byte| byte != 0)) {
        let start = safe_bytes(bytes.get(..len.min(24)).unwrap_or(bytes));
        let text = format!("The file is {what}, not what the codecs write.");
        let found = Diagnosis::new("not-data/other-file", text);
        return Some(found.because(format!("It begins with {start}")));
    }
    let again = again(&sample.key);
    let zeros = len - bytes.iter().rposition(|&byte| byte != 0).map_or(0, |at| at + 1);
    let chain = case.array.chain()?;
    let exact = chain.encoded_size().exact.and_then(|exact| usize::try_from(exact).ok());
    // The whole output of a compressor that is not declared is no beginning of anything.
    if exact.is_some()
        && case.unwrapped(bytes.clone()).is_some_and(|found| !found.codecs.is_empty())
    {
        return None;
    }
    if let Some(exact) = exact.filter(|exact| *exact > len) {
        return Some(too_short(case, len, exact)?.to_do(again));
    }
    // Compressed data hold runs of zeros as long only where nothing was written.
    if exact.is_none() && zeros >= 64 && zeros * 4 >= len {
        return Some(
            Diagnosis::new(
                "truncated/zeros-at-end",
                format!(
                    "The end of the chunk was never written: it is {} of zeros.",
                    byte_count(zeros)
                ),
            )
            .because(format!("From byte {} on, every byte is 0.", grouped(len - zeros)))
            .to_do(again),
        );
    }
    if let Some(found) = super::shards::without_index(case, bytes) {
        return Some(found.to_do(again));
    }
    let error = sample.error.as_ref()?;
    let is_short = matches!(error.code, Code::ChunkTruncated | Code::ShardTruncated);
    is_short.then(|| {
        Diagnosis::new("truncated/stream", "The end of the chunk is missing.")
            .because(format!("The decoder reached the end of the file and found {}.", error.found))
            .to_do(again)
    })
}

/// The cause of a chunk of `len` bytes that should have `exact`.
fn too_short(case: &Case, len: usize, exact: usize) -> Option<Diagnosis> {
    let size = case.array.data_type()?.fixed_size()?.max(1);
    let block = if len.is_multiple_of(512) {
        ", a multiple of a block size of disks and transfers"
    } else {
        ""
    };
    let text = format!("The end of the chunk is missing: {}.", byte_count(exact - len));
    Some(
        Diagnosis::new("truncated/raw", text)
            .because(format!("{} bytes are stored of {}{block}.", grouped(len), grouped(exact)))
            .because(format!(
                "{} of {} elements are there.",
                grouped(len / size),
                grouped(exact / size)
            )),
    )
}
