//! One chunk: its size, and every stage of it.

use super::values::ValueCounts;
use crate::zarr::prelude::*;
use crate::zarr::{
    byte_order::{self, Verdict},
    chunk::{self},
    codec::ByteCount,
    store::join,
};

/// The findings in one chunk.
#[derive(Debug, Clone, Default)]
pub struct CheckedChunk {
    /// The number of bytes stored.
    pub bytes: u64,
    /// The problems of the chunk.
    pub problems: Vec<Problem>,
    /// The remarks of codecs, which are the same for many chunks of an array.
    pub notes: Vec<Note>,
    /// The kind of bytes that a codec could not read, where they look like something.
    pub looks: Option<String>,
    /// Its inner chunks, where it is a shard and they are boxes of the array in the order of the array.
    pub inner: Option<StoredInnerChunks>,
    /// True if a checksum of its content was compared and agrees.
    pub is_verified: bool,
    /// The counts of its values.
    pub values: ValueCounts,
    /// The plausible byte order of its values; `None` where it was not asked for.
    pub verdict: Option<Verdict>,
}

/// The inner chunks that a shard stores.
#[derive(Debug, Clone)]
pub struct StoredInnerChunks {
    /// Their number along each dimension.
    pub counts: Vec<u64>,
    /// The shape of each, in elements.
    pub shape: Vec<u64>,
    /// True for each that is stored, in C order.
    pub stored: Vec<bool>,
}

impl StoredInnerChunks {
    fn of(stage: &Stage) -> Option<Self> {
        let sharding = stage.codec.as_ref().filter(|_| stage.error.is_none())?.sharding()?;
        let stored = stage.stored_inner_chunks()?;
        let (counts, shape) = (sharding.counts.clone(), sharding.chunk_shape.clone());
        Some(Self { counts, shape, stored })
    }
}

/// Decodes the stored chunk at `coordinates`. `judge` says whether its byte order is weighed.
///
/// This goes by the loader of chunks and not by the array reader: what each stage says is wanted, and every stored
/// byte, so that one that the disk cannot give is found.
pub fn decode(
    hierarchy: &Hierarchy,
    path: &NodePath,
    array: &ArrayMetadata,
    coordinates: &[u64],
    judge: bool,
    budget: &Budget,
) -> CheckedChunk {
    let id = ChunkId { coordinates: coordinates.to_vec(), inner: Vec::new() };
    chunk::load_checked(&*hierarchy.store, (path, array, &id), budget, &|chunk| {
        let mut report = CheckedChunk { bytes: stored(&chunk), ..CheckedChunk::default() };
        if budget.is_stopped() {
            return report;
        }
        report.problems.extend(chunk.error.clone().map(Problem::failed));
        if chunk.stored.is_none() && chunk.error.is_none() {
            report.problems.push(nothing_behind(&chunk.key));
        }
        for stage in &chunk.stages {
            report.stage(stage, &chunk.key);
        }
        report.is_verified = chunk.is_verified(hierarchy.store.crc32(&chunk.key).is_some());
        let not_utf8 = chunk.elements().and_then(not_utf8);
        report.problems.extend(not_utf8.map(|error| Problem::new(error.in_file(&chunk.key))));
        report.inner = chunk.stages.last().and_then(StoredInnerChunks::of);
        report.values = ValueCounts::of(&chunk, array);
        if judge {
            report.verdict = byte_order::judge_chunk(&chunk);
        }
        report
    })
}

impl CheckedChunk {
    /// Takes in what a stage says. What it remarks on its own failure becomes part of that.
    fn stage(&mut self, stage: &Stage, key: &str) {
        let Some(error) = &stage.error else {
            self.notes.extend(stage.notes.iter().cloned());
            self.problems.extend(stage.header.iter().filter_map(|field| {
                let found = format!("{}: {}; {}", field.name, field.value, field.problem.as_ref()?);
                let error = Error::new(Code::CodecHeader, found, "");
                let error = error.in_file(key).at(&stage.name).at_offset(field.bytes.start);
                Some(Problem::new(error))
            }));
            return;
        };
        let named = error.place.field.is_some() || stage.kind.is_none();
        let error = error.clone().in_file(key);
        let mut error = if named { error } else { error.at(&stage.name) };
        let looks = stage
            .notes
            .iter()
            .find(|note| matches!(note.code, Code::LooksLike | Code::IndexElsewhere));
        self.looks = self.looks.take().or_else(|| looks.map(|note| note.text.clone()));
        let said = error.fix.iter().chain(stage.notes.iter().map(|note| &note.text));
        let said = said.cloned().collect::<Vec<_>>().join(" ");
        error.fix = Some(said).filter(|said| !said.is_empty());
        self.problems.push(Problem::failed(error));
    }
}

/// The error that strings are not UTF-8.
fn not_utf8(elements: &Elements) -> Option<Error> {
    let Places::Ranges(places) = elements.places() else { return None };
    // A shape may promise more elements than there are.
    let count = elements.len().min(places.len() as u64);
    let mut wrong = (0..count).filter_map(|at| match elements.value(at)?.ok()? {
        Scalar::Text(bytes) => std::str::from_utf8(&bytes).err().map(|error| (at, error)),
        _ => None,
    });
    let (at, error) = wrong.next()?;
    let count = 1 + wrong.count() as u64;
    let byte = elements.byte_range(at).start + error.valid_up_to() as u64;
    let found = format!(
        "{} that {} not UTF-8",
        counted(count, "string"),
        if count == 1 { "is" } else { "are" }
    );
    let fix = format!(
        "The first is element {at}, from byte {byte} of the decoded chunk on. zarr-python 3.4.2 cannot read the chunk \
         (UnicodeDecodeError)."
    );
    Some(Error::new(Code::NotUtf8, found, "strings in UTF-8").with_fix(fix))
}

/// The error that a chunk is listed, and cannot be opened.
fn nothing_behind(key: &str) -> Problem {
    let found = "a name that is listed but cannot be opened";
    let error = Error::new(Code::DanglingLink, found, "a chunk file").in_file(key);
    let fix = "It is a broken link, or the chunk was removed during the check. Readers treat it as missing.";
    Problem::new(error.with_fix(fix))
}

fn stored(chunk: &Chunk) -> u64 {
    chunk.stored.map_or(0, |stat: Stat| stat.len)
}

/// Measures the stored chunk at `coordinates`: whether it is as long as its codecs make it. Reads nothing of it.
pub fn measure(
    hierarchy: &Hierarchy,
    path: &NodePath,
    array: &ArrayMetadata,
    coordinates: &[u64],
) -> CheckedChunk {
    let mut report = CheckedChunk::default();
    let Ok(encoding) = &array.key_encoding else { return report };
    let key = join(&path.0, &encoding.key(coordinates));
    match hierarchy.store.stat(&key) {
        Ok(Some(stat)) => {
            report.bytes = stat.len;
            let wrong = wrong_size(array, coordinates, stat.len);
            report.problems.extend(wrong.map(|error| Problem::new(error.in_file(key))));
        }
        Ok(None) => report.problems.push(nothing_behind(&key)),
        Err(error) => report.problems.push(Problem::failed(error)),
    }
    report
}

/// The error for a chunk that has not the length that its codecs give it.
fn wrong_size(array: &ArrayMetadata, coordinates: &[u64], len: u64) -> Option<Error> {
    let size = encoded_size(array, &array.known_grid()?.chunk_shape(coordinates)?)?;
    let expected =
        |len: u64| format!("{} (from shape, data type and codecs)", counted(len, "byte"));
    let wrong = |code, expected| Some(Error::new(code, counted(len, "byte"), expected));
    match (size.exact, size.most) {
        (Some(exact), _) if len < exact => {
            let inside = lengths(&array.region(coordinates)?);
            // Some writers clip chunks at the array's edge.
            let clipped = encoded_size(array, &inside).is_some_and(|size| size.exact == Some(len));
            if clipped { None } else { wrong(Code::ChunkTruncated, expected(exact)) }
        }
        (Some(exact), _) if len > exact => wrong(Code::ChunkTooLong, expected(exact)),
        (None, _) if len == 0 => {
            wrong(Code::ChunkTruncated, "the output of the codecs, which is never empty".into())
        }
        (None, Some(most)) if len > most => {
            wrong(Code::ChunkTooLong, format!("at most {}", expected(most)))
        }
        _ => None,
    }
}

/// The stored length of a chunk of `shape`; `None` where its codecs cannot be understood.
fn encoded_size(array: &ArrayMetadata, shape: &[u64]) -> Option<ByteCount> {
    let chain = chunk::chain(array, shape).ok()?;
    chain.error().is_none().then(|| chain.encoded_size())
}
