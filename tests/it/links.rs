//! The linked cursor tells the truth: every byte of the elements is followed up to the file and back, through every
//! chain of codecs of the sample stores and the corpus.

use std::{fs, ops::Range, path::Path, sync::Arc};
use zarrscope::{
    app::current_chunk::shown::Shown,
    zarr::{
        Budget, Hierarchy,
        budget::DEFAULT_LIMIT,
        chunk,
        codec::{ByteTarget, Data},
        grid::ChunkId,
        hierarchy::NodeKind,
    },
};

/// The number of bytes of a chunk that are followed, and of bytes of a range that are looked at on the way back.
const FOLLOWED: u64 = 60;
const LOOKED_AT: u64 = 40;

/// The number of places followed, by kind, so that a test that followed nothing does not pass.
#[derive(Debug, Default)]
struct Tally {
    chunks: usize,
    exact: usize,
    within: usize,
}

fn budget() -> Budget<'static> {
    Budget::default().with_limit(DEFAULT_LIMIT).ignoring_checksums(true)
}

/// The first chunk of every array below `path`, and of sharded ones its first inner chunk too.
fn each_chunk(path: &Path, each: &mut dyn FnMut(&Shown)) {
    let Ok((hierarchy, target)) = Hierarchy::open(path) else { return };
    hierarchy.walk(&target.node, &mut |node, _| {
        if let NodeKind::Array(array) = &node.kind
            && let Ok(shape) = &array.shape
        {
            for inner in [vec![], vec![vec![0; shape.len()]]] {
                let id = ChunkId { coordinates: vec![0; shape.len()], inner };
                let store = hierarchy.store.as_ref();
                let chunk = chunk::load(store, &node.path, array, &id, 0, &budget());
                if chunk.elements().is_some() {
                    each(&Shown::new(node.path.clone(), Arc::clone(array), chunk));
                }
            }
        }
        true
    });
}

fn byte(shown: &Shown, stage: usize, at: u64) -> Option<u8> {
    shown.data(stage)?.bytes().get(at..at + 1)?.first().copied()
}

fn spread(range: Range<u64>, most: u64) -> impl Iterator<Item = u64> {
    let step = ((range.end - range.start) / most).max(1);
    range.step_by(usize::try_from(step).unwrap())
}

/// True if `link` leads to `at`, among others perhaps.
fn leads_to(link: &ByteTarget, at: u64) -> bool {
    match link {
        ByteTarget::Exact(there) => *there == at,
        ByteTarget::Range(range) => range.contains(&at),
        ByteTarget::Nothing => false,
    }
}

/// Follows bytes of the elements up to every stage and back.
fn follow(shown: &Shown, tally: &mut Tally) {
    let last = shown.last();
    tally.chunks += 1;
    nowhere(shown, last);
    let exact = |from, at, to| shown.chunk.follow(from, ByteTarget::Exact(at), to);
    let place = |stage: usize| format!("{} {} to stage {stage}", shown.path.0, shown.chunk.key);
    for at in spread(0..shown.data(last).map_or(0, Data::len), FOLLOWED) {
        for stage in 0..last {
            let len = shown.data(stage).map_or(0, Data::len);
            match exact(last, at, stage) {
                ByteTarget::Exact(there) => {
                    tally.exact += 1;
                    let bytes = (byte(shown, stage, there), byte(shown, last, at));
                    assert_eq!(bytes.0, bytes.1, "{}", place(stage));
                    assert_eq!(
                        exact(stage, there, last),
                        ByteTarget::Exact(at),
                        "{}",
                        place(stage)
                    );
                }
                ByteTarget::Range(range) => {
                    tally.within += 1;
                    let inside = range.start < range.end && range.end <= len;
                    assert!(inside, "{}: {range:?}", place(stage));
                    let back = |from: u64| leads_to(&exact(stage, from, last), at);
                    let found = spread(range.clone(), LOOKED_AT).any(back);
                    assert!(found, "{} byte {at}: {range:?}", place(stage));
                }
                // Only what a shard does not store reads as the fill value.
                ByteTarget::Nothing => {
                    let stages = &shown.chunk.stages;
                    let sharded = stages.iter().any(|stage| stage.name == "sharding_indexed");
                    assert!(sharded, "{}", place(stage));
                }
            }
        }
    }
}

/// Bytes that no chunk has, as a damaged shape may make a cursor point at, overflow nothing on their way.
fn nowhere(shown: &Shown, last: usize) {
    for (from, to) in (0..=last).flat_map(|stage| [(stage, 0), (stage, last)]) {
        for start in [u64::MAX - 300, u64::MAX - 2] {
            let runs = shown.chunk.runs_in(from, start..u64::MAX, to);
            assert!(runs.is_none() || from == to, "{} {from} to {to}: {runs:?}", shown.path.0);
            let _ = shown.chunk.follow(from, ByteTarget::Range(start..u64::MAX), to);
        }
    }
}

#[test]
fn every_byte_is_followed_to_the_file_and_back() {
    let mut tally = Tally::default();
    each_chunk(Path::new("sample-stores"), &mut |shown| follow(shown, &mut tally));
    for entry in fs::read_dir("tests/corpus").unwrap().flatten() {
        each_chunk(&entry.path(), &mut |shown| follow(shown, &mut tally));
    }
    assert!(tally.chunks > 1000 && tally.exact > 10_000 && tally.within > 10_000, "{tally:?}");
}
