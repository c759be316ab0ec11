//! One chunk: its size, and every stage of it.

use super::Options;
use crate::zarr::{
    byte_order::{self, Verdict},
    chunk::{self, Chunk, ChunkId, Stage},
    codec::{Chain, Size},
    error::{Error, Note, Problem},
    hierarchy::{Hierarchy, NodePath},
    metadata::ArrayMetadata,
    store::Stat,
};

/// What was found in one chunk.
#[derive(Debug, Clone, Default)]
pub struct Report {
    /// How many bytes are stored.
    pub bytes: u64,
    /// What is wrong with it.
    pub problems: Vec<Problem>,
    /// What the codecs remarked, which is the same for many chunks of an array.
    pub notes: Vec<Note>,
    /// Which byte order its values speak for; `None` where they were not asked.
    pub verdict: Option<Verdict>,
}

/// Checks the stored chunk at `coordinates`, whose key is `key`. `judge` says whether its byte order is weighed.
#[must_use]
pub fn check_chunk(
    hierarchy: &Hierarchy,
    path: &NodePath,
    array: &ArrayMetadata,
    coordinates: &[u64],
    judge: bool,
    options: &Options<'_>,
) -> Report {
    let id = ChunkId { coordinates: coordinates.to_vec(), inner: Vec::new() };
    if options.metadata_only || array.refused.is_some() {
        return size_only(hierarchy, path, array, &id);
    }
    let stop = || (options.stop)();
    let load =
        chunk::Options { limit: options.limit, around: 0, ignore_checksums: false, stop: &stop };
    let chunk = chunk::load(&*hierarchy.store, path, array, &id, &load);
    let mut report = Report { bytes: stored(&chunk), ..Report::default() };
    if stop() {
        return report;
    }
    report.problems.extend(chunk.error.clone().map(Problem::error));
    for stage in &chunk.stages {
        report.problems.extend(stage_problems(stage, &chunk.key));
        report.notes.extend(stage.notes.iter().cloned());
    }
    if judge {
        report.verdict = chunk.elements().map(byte_order::judge);
    }
    report
}

fn stored(chunk: &Chunk) -> u64 {
    chunk.stored.map_or(0, |stat: Stat| stat.len)
}

fn stage_problems(stage: &Stage, key: &str) -> Vec<Problem> {
    let mut problems: Vec<_> = stage
        .header
        .iter()
        .filter_map(|field| {
            let expected = field.problem.clone()?;
            let found = format!("{} {}", field.name, field.value);
            let error = Error::new("codec-header", found, expected).in_file(key);
            Some(Problem::warning(error.at(&stage.name).at_offset(field.bytes.start)))
        })
        .collect();
    if let Some(error) = &stage.error {
        let error = error.clone().in_file(key);
        let named = error.place.field.is_some() || stage.kind.is_none();
        problems.push(Problem::error(if named { error } else { error.at(&stage.name) }));
    }
    problems
}

/// What can be told without reading the chunk: whether it is as long as its codecs make it.
fn size_only(
    hierarchy: &Hierarchy,
    path: &NodePath,
    array: &ArrayMetadata,
    id: &ChunkId,
) -> Report {
    let mut report = Report::default();
    let Ok(encoding) = &array.key_encoding else { return report };
    let key = crate::zarr::store::join(&path.0, &encoding.key(&id.coordinates));
    match hierarchy.store.stat(&key) {
        Ok(Some(stat)) => {
            report.bytes = stat.len;
            report.problems.extend(
                wrong_size(array, id, stat.len).map(|error| error.in_file(key)).map(Problem::error),
            );
        }
        Ok(None) => {}
        Err(error) => report.problems.push(Problem::error(error)),
    }
    report
}

/// The error for a chunk that has not the length that its codecs give it.
fn wrong_size(array: &ArrayMetadata, id: &ChunkId, len: u64) -> Option<Error> {
    let size = |shape: Vec<u64>| {
        let array_of_it = array.representation(shape);
        let specs = array.codecs.as_ref().ok()?;
        let chain = Chain::build(specs, array.format, array_of_it.as_ref(), 0);
        chain.error().is_none().then(|| chain.encoded_size())
    };
    let grid = array.grid.as_ref().ok()?;
    let Size { exact, most } = size(grid.chunk_shape(&id.coordinates)?)?;
    let expected = |len: u64| format!("{len} bytes, by shape, data type and codecs");
    let found = format!("{len} bytes");
    match (exact, most) {
        _ if len == 0 && exact != Some(0) => {
            let expected = exact.map_or_else(|| "what the codecs make of a chunk".into(), expected);
            Some(Error::new("chunk-empty", found, expected))
        }
        (Some(exact), _) if len < exact => {
            let region = grid.region(&id.coordinates, array.shape.as_ref().ok()?)?;
            let clipped = size(region.iter().map(|range| range.end - range.start).collect());
            let is_clipped = clipped.is_some_and(|size| size.exact == Some(len));
            (!is_clipped).then(|| Error::new("chunk-truncated", found, expected(exact)))
        }
        (Some(exact), _) if len > exact => {
            Some(Error::new("chunk-too-long", found, expected(exact)))
        }
        (None, Some(most)) if len > most => {
            let expected = format!("at most {most} bytes, by shape, data type and codecs");
            Some(Error::new("chunk-too-long", found, expected))
        }
        _ => None,
    }
}
