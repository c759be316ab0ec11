//! Steps from chunk to chunk: the next one, one of a kind, and into shards and out of them.

use crate::{
    app::{
        Shared,
        action::Direction,
        current_chunk::{CurrentChunk, Landing, nesting},
    },
    zarr::grid::ChunkId,
};

/// Goes to the next chunk, or to the previous one.
pub(super) fn step_chunk(way: Direction, shared: &mut Shared) {
    if let Some(id) = shared.chunk.neighbour(way) {
        return shared.go_to_chunk(id);
    }
    shared.restore_stage();
    let word = if way.is_next() { "last" } else { "first" };
    shared.say(format!("this is the {word} chunk"));
}

/// Goes to the next chunk that is missing.
pub(super) fn step_missing(way: Direction, shared: &mut Shared) {
    let chunk = &shared.chunk;
    if let Some(id) = chunk.empty_neighbour(way) {
        return shared.go_to_chunk(id);
    }
    let from = &chunk.id.coordinates;
    let found = chunk.presence.next_missing(from, &chunk.counts, way.is_next());
    go_to_found(found, "missing", shared);
}

/// Goes to the next chunk that is known to be damaged.
pub(super) fn step_damaged(way: Direction, shared: &mut Shared) {
    let here = &shared.chunk.id.coordinates;
    let presence = &shared.chunk.presence;
    let found = match way {
        Direction::Next => presence.damaged().find(|at| *at > here),
        Direction::Previous => presence.damaged().rfind(|at| *at < here),
    };
    if let Some(coordinates) = found.cloned() {
        let id = as_deep(coordinates, &shared.chunk);
        shared.go_to_chunk(id);
    } else {
        shared.restore_stage();
        shared.say("no damaged chunk is known that way; view 5 checks them all");
    }
}

/// Shows the chunk at these coordinates; where there are none, says that there is no chunk that is `what`.
pub(super) fn go_to_found(found: Option<Vec<u64>>, what: &str, shared: &mut Shared) {
    if let Some(coordinates) = found {
        let id = as_deep(coordinates, &shared.chunk);
        shared.go_to_chunk(id);
    } else {
        shared.restore_stage();
        let complete = shared.chunk.presence.complete;
        let so_far = if complete { "" } else { ", as far as is known yet" };
        shared.say(format!("no {what} chunk that way{so_far}"));
    }
}

/// The first chunk at these coordinates of the grid that lies as deep in its shard as the one on show.
fn as_deep(coordinates: Vec<u64>, chunk: &CurrentChunk) -> ChunkId {
    let mut inner = nesting::first(&chunk.levels_at(&coordinates));
    inner.truncate(chunk.depth());
    ChunkId { coordinates, inner }
}

/// Into the inner chunk under the cursor; from the innermost out to the whole shard.
pub(super) fn enter_shard(shared: &mut Shared) {
    let chunk = &shared.chunk;
    if chunk.levels.is_empty() {
        return shared.say("this array has no shards: each chunk is a file of its own");
    }
    let whole = ChunkId { coordinates: chunk.id.coordinates.clone(), inner: Vec::new() };
    let id = chunk.deeper().unwrap_or(whole);
    go_to_level(id, shared);
}

/// Goes to a chunk around or in the one on show; the cursor stays on its element of the array.
pub(super) fn go_to_level(id: ChunkId, shared: &mut Shared) {
    let chunk = &mut shared.chunk;
    let deeper = id.inner.len() > chunk.depth();
    let element = chunk.element();
    let at = chunk.shown().and_then(|shown| match element {
        Some(element) => Some(shown.in_array(&element)),
        None if deeper => None,
        // What is empty, or could not be decoded, is still somewhere.
        None => Some(shown.chunk.region.iter().map(|range| range.start).collect()),
    });
    chunk.landing = at.map(Landing::Array);
    shared.go_to_chunk(id);
}
