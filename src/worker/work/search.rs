//! Looking for something in a chunk, then in the other chunks of its array; and counting how often it is there.

use super::{TELLING, intact};
use crate::worker::prelude::*;
use crate::{
    app::{
        effect::{CountMatches, Found, Search},
        search::{Hits, Hunt, Needle, StagePart},
    },
    zarr::{
        array::{RunSource, Slab},
        grid::order,
        presence::Sighting,
    },
};
use std::ops::Range;

/// Looks for the needle from the cursor on: in the rest of the chunk, in the chunks after it, round the end, and at
/// last in the chunk itself from its start.
pub(super) fn search(
    hierarchy: &Hierarchy,
    search: &Search,
    budget: Budget<'_>,
    say: &mut dyn FnMut(Answer),
) -> Result<Option<Found>> {
    let here = |found: Option<Range<u64>>, wrapped| {
        let id = search.shown.chunk.id.clone();
        found.map(|range| Found { id, range, wrapped, passed: 0 })
    };
    let found = in_chunk(hierarchy, search, StagePart::Ahead, budget, say)?;
    if found.is_some() || budget.is_stopped() {
        return Ok(here(found, false));
    }
    let mut passed = 0;
    if let Some(mut found) = beyond(hierarchy, search, &mut passed, budget, say) {
        found.passed = passed;
        return Ok(Some(found));
    }
    let found = in_chunk(hierarchy, search, StagePart::Behind, budget, say)?;
    Ok(here(found, true).map(|found| Found { passed, ..found }))
}

/// Looks for the needle in a part of a stage of the chunk on show: over a map of it where only a window
/// is here, or else by one window after the other.
fn in_chunk(
    hierarchy: &Hierarchy,
    search: &Search,
    part: StagePart,
    budget: Budget<'_>,
    say: &mut dyn FnMut(Answer),
) -> Result<Option<Range<u64>>> {
    let Search { shown, stage, from, needle, forwards, .. } = search;
    let Some(here) = shown.data(*stage) else { return Ok(None) };
    let mut load = |range: Range<u64>| {
        let around = shown.in_file(*stage, range.start + (range.end - range.start) / 2);
        // The stage that is searched need not be the elements, so this is no piece of an array reader.
        let (store, id) = (hierarchy.store.as_ref(), &shown.chunk.id);
        let mut chunk = chunk::load_mapped(store, &shown.path, &shown.array, id, around, &budget);
        chunk.stages.get_mut(*stage)?.output.take()
    };
    let is_whole = here.bytes().as_whole().is_some();
    let all = if is_whole { None } else { load(*from..*from) };
    let data = all.unwrap_or_else(|| here.clone());
    let started = Instant::now();
    let mut progress = |done, of| {
        say(Answer::Searching(Pace { done, of, elapsed: started.elapsed() }));
        !budget.is_stopped()
    };
    let mut hunt = Hunt {
        needle,
        fill: &shown.fill,
        forwards: *forwards,
        part,
        load: &mut load,
        window: chunk::WINDOW / 2,
        progress: &mut progress,
    };
    let found = hunt.find(data.clone(), *from);
    intact(data.bytes(), shown)?;
    Ok(found)
}

/// The first match in the other chunks, from the one after that on show on and round the end. `unreadable` counts those
/// that could not be read.
fn beyond(
    hierarchy: &Hierarchy,
    search: &Search,
    unreadable: &mut u64,
    budget: Budget<'_>,
    say: &mut dyn FnMut(Answer),
) -> Option<Found> {
    let (shown, started) = (&search.shown, Instant::now());
    let store = hierarchy.store.as_ref();
    let stored = stored(hierarchy, &shown.path, &shown.array, budget)?;
    let around = around(&stored, &shown.chunk.id, search.forwards);
    let (mut told, of) = (started, around.len() as u64);
    for (done, (chunk, wrapped)) in around.into_iter().enumerate() {
        if told.elapsed() >= TELLING {
            told = Instant::now();
            say(Answer::Searching(Pace { done: done as u64, of, elapsed: started.elapsed() }));
        }
        if search.empty.contains(&chunk) {
            continue;
        }
        for id in inner_chunks(search, chunk) {
            if budget.is_stopped() {
                return None;
            }
            // Those of the shard on show that are before it come round the end.
            let is_own = id.coordinates == shown.chunk.id.coordinates;
            if is_own && ((id < shown.chunk.id) == search.forwards) != wrapped {
                continue;
            }
            let loaded = chunk::load_mapped(store, &shown.path, &shown.array, &id, 0, &budget);
            *unreadable += u64::from(loaded.fault().is_some());
            let output = loaded.stages.get(search.stage).and_then(|stage| stage.output.clone());
            let found = output.and_then(|data| in_other(search, &data, budget));
            if let Some(range) = found {
                return Some(Found { id, range, wrapped, passed: 0 });
            }
        }
    }
    None
}

/// The first match in the data of another chunk, or the last one.
fn in_other(search: &Search, data: &Data, budget: Budget<'_>) -> Option<Range<u64>> {
    if search.needle.needs_elements() && data.elements().is_none() {
        return None;
    }
    let from = data.len();
    let mut hunt = Hunt {
        needle: &search.needle,
        fill: &search.shown.fill,
        forwards: search.forwards,
        part: StagePart::All,
        load: &mut |_| None,
        window: chunk::WINDOW / 2,
        progress: &mut |_, _| !budget.is_stopped(),
    };
    let found = hunt.find(data.clone(), from);
    found.filter(|_| data.bytes().intact().is_ok())
}

/// The chunks that are stored, in C order; `None` where nobody wants to know any more, or they cannot be listed.
fn stored(
    hierarchy: &Hierarchy,
    path: &NodePath,
    array: &ArrayMetadata,
    budget: Budget<'_>,
) -> Option<Vec<Vec<u64>>> {
    let layout = Layout::new(path, array).ok()?;
    let mut stored = Vec::new();
    let listed = layout.visit(hierarchy.store.as_ref(), &mut |sighting| {
        if let Sighting::Chunk(coordinates) = sighting {
            stored.push(coordinates);
        }
        !budget.is_stopped()
    });
    stored.sort_unstable();
    (listed.is_ok() && !budget.is_stopped()).then_some(stored)
}

/// The other chunks from the one at hand on, each with true if it comes after the end; at last the one at hand, whose
/// other inner chunks may have what is looked for.
fn around(stored: &[Vec<u64>], here: &ChunkId, forwards: bool) -> Vec<(Vec<u64>, bool)> {
    let at = &here.coordinates;
    let (before, from) = stored.split_at(stored.partition_point(|chunk| chunk < at));
    let after = from.get(usize::from(from.first() == Some(at))..).unwrap_or_default();
    let after = after.iter().map(|chunk| (chunk.clone(), !forwards));
    let mut all: Vec<_> = after.chain(before.iter().map(|at| (at.clone(), forwards))).collect();
    if !forwards {
        all.reverse();
    }
    if !here.inner.is_empty() {
        all.insert(0, (at.clone(), false));
        all.push((at.clone(), true));
    }
    all
}

/// The chunks as deep in the shard at these coordinates as the one on show, in the direction of the search; of its own
/// shard, the others. One at a time: a shard may declare more of them than memory holds.
fn inner_chunks(search: &Search, coordinates: Vec<u64>) -> impl Iterator<Item = ChunkId> {
    let shown = &search.shown;
    let shape = shown.array.known_grid().and_then(|grid| grid.chunk_shape(&coordinates));
    let mut levels = shape.map_or_else(Vec::new, |shape| chunk::levels(&shown.array, &shape));
    levels.truncate(shown.chunk.id.inner.len());
    let inner = inner_places(levels, search.forwards);
    let ids = inner.map(move |inner| ChunkId { coordinates: coordinates.clone(), inner });
    ids.filter(|id| *id != shown.chunk.id)
}

/// The places in shards in shards with these grids, from the first to the last or the other way round.
fn inner_places(levels: Vec<Vec<u64>>, forwards: bool) -> impl Iterator<Item = Vec<Vec<u64>>> {
    // They are gone through as one grid that has the dimensions of all levels.
    let counts = levels.concat();
    let total = order::total(&counts).unwrap_or(0);
    (0..total).map(move |at| {
        let number = if forwards { at } else { total - 1 - at };
        let mut rest = order::coordinates(number, &counts).into_iter();
        levels.iter().map(|level| rest.by_ref().take(level.len()).collect()).collect()
    })
}

/// Counts the matches in all stored chunks of an array, on all cores.
pub(super) fn count(
    hierarchy: &Hierarchy,
    request: &CountMatches,
    budget: Budget<'_>,
    say: &mut dyn FnMut(Answer),
) -> Result<()> {
    let CountMatches { path, array, needle, fill, .. } = request;
    let reader = ArrayReader::new(hierarchy.store.as_ref(), path, array)?;
    let Some(stored) = stored(hierarchy, path, array, budget) else { return Ok(()) };
    let (mut hits, elements) = count_in(&reader, request, stored, budget, say);
    let all = array::len(&reader.whole()).unwrap_or(u64::MAX);
    if is_fill(&reader, needle, fill) {
        hits.missing = all.saturating_sub(elements);
    }
    hits.is_complete = true;
    say(Answer::Counted(Box::new(hits)));
    Ok(())
}

/// The matches in these chunks, and how many elements they have.
fn count_in(
    reader: &ArrayReader,
    request: &CountMatches,
    stored: Vec<Vec<u64>>,
    budget: Budget<'_>,
    say: &mut dyn FnMut(Answer),
) -> (Hits, u64) {
    let work = |piece: Piece, budget: &Budget| {
        let data = reader.load(&piece, budget);
        let mut slab = Slab::new(piece.region.clone(), vec![(piece.clone(), data)]);
        (piece, matches(&mut slab, request))
    };
    let mut hits = Hits::of(stored.len() as u64);
    let (started, mut told, mut elements) = (Instant::now(), Instant::now(), 0);
    let pieces = stored.into_iter().flat_map(|coordinates| {
        let region = reader.grid().region(&coordinates, reader.shape()).unwrap_or_default();
        reader.pieces(&region)
    });
    let tasks = pieces.map(|piece| Task { cost: piece.cost, piece });
    parallel::pass(tasks, &budget.with_limit(request.limit), work, |(piece, found), budget| {
        hits.add(piece.chunk.coordinates, found);
        elements += array::len(&piece.region).unwrap_or(0);
        if told.elapsed() >= TELLING {
            (told, hits.elapsed) = (Instant::now(), started.elapsed());
            say(Answer::Counted(Box::new(hits.so_far())));
        }
        !budget.is_stopped()
    });
    (hits, elements)
}

/// True if the fill value, which missing chunks read as, is what is looked for.
fn is_fill(reader: &ArrayReader, needle: &Needle, fill: &[u8]) -> bool {
    let one = reader.element(fill.to_vec());
    !fill.is_empty() && needle.is_at(&one, 0, fill)
}

/// The number of matches among the elements of a slab; `None` where it cannot be read.
fn matches(slab: &mut Slab, request: &CountMatches) -> Option<u64> {
    let mut found = Some(0);
    slab.runs(0..slab.len(), &mut |run| match run.source {
        RunSource::Fill => {}
        RunSource::Unreadable => found = None,
        RunSource::Stored(elements, from, step) => {
            let is_match = |at: &u64| request.needle.is_at(elements, *at, &request.fill);
            let here = (0..run.count).map(|at| from + at * step).filter(is_match).count();
            found = found.map(|before| before + here as u64);
        }
    });
    found.filter(|_| slab.drop_lost().is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(coordinates: &[u64], inner: &[u64]) -> ChunkId {
        let inner = if inner.is_empty() { Vec::new() } else { vec![inner.to_vec()] };
        ChunkId { coordinates: coordinates.to_vec(), inner }
    }

    #[test]
    fn inner_chunks_are_counted_as_they_are_needed() {
        let two = || vec![vec![2], vec![1, 2]];
        let all: Vec<_> = inner_places(two(), true).collect();
        let place = |outer: u64, inner: u64| vec![vec![outer], vec![0, inner]];
        assert_eq!(all, [place(0, 0), place(0, 1), place(1, 0), place(1, 1)]);
        assert!(inner_places(two(), false).eq(all.into_iter().rev()));
        assert_eq!(inner_places(Vec::new(), true).collect::<Vec<_>>(), [Vec::<Vec<u64>>::new()]);
        // More than memory holds.
        let many = || vec![vec![1 << 40], vec![1 << 40]];
        assert_eq!(inner_places(many(), true).next(), Some(vec![vec![0], vec![0]]));
        let last = (1 << 40) - 1;
        assert_eq!(inner_places(many(), false).next(), Some(vec![vec![last], vec![last]]));
    }

    #[test]
    fn other_chunks_come_round_the_end() {
        let stored = [vec![0], vec![2], vec![3], vec![7]];
        let order = |here: &ChunkId, forwards| -> Vec<(u64, bool)> {
            around(&stored, here, forwards).iter().map(|(at, wrapped)| (at[0], *wrapped)).collect()
        };
        let here = id(&[2], &[]);
        assert_eq!(order(&here, true), [(3, false), (7, false), (0, true)]);
        assert_eq!(order(&here, false), [(0, false), (7, true), (3, true)]);
        assert_eq!(order(&id(&[5], &[]), true), [(7, false), (0, true), (2, true), (3, true)]);
        let inner = order(&id(&[7], &[1]), true);
        assert_eq!(inner, [(7, false), (0, true), (2, true), (3, true), (7, true)]);
    }
}
