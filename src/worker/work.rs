//! The work itself, without threads: what is asked for in, what came of it out, one piece after the other.

use crate::{
    app::{
        Answer, Job, Pace, Reply, Work, chunks::Shown, effect::Search, finder::Candidate,
        picture::Pictured, search::Hunt, tree::Outline,
    },
    worker::output_file::OutputFile,
    zarr::{
        Hierarchy, NodePath, Result, check, chunk, codec::Elements, grid::ChunkId,
        metadata::ArrayMetadata, npy,
    },
};
use std::{
    cell::{Cell, RefCell},
    ops::Range,
    path::Path,
    sync::Arc,
    time::{Duration, Instant},
};

mod listing;

/// How often long work says how far it is.
const TELLING: Duration = Duration::from_millis(100);

/// How many things a streaming worker gathers before it says so.
const BATCH: usize = 2000;

/// Does `job` and says what came of it, until `stop` says that it has become pointless.
pub fn perform(
    hierarchy: &Hierarchy,
    job: &Job,
    stop: &dyn Fn() -> bool,
    reply: &mut dyn FnMut(Reply),
) {
    let mut say = |answer| reply(Reply { lane: job.lane, generation: job.generation, answer });
    match &job.work {
        Work::List(path) => list(hierarchy, path, &mut say),
        Work::Node(path) => say(Answer::Node(Box::new(hierarchy.node(path)))),
        Work::Load { path, array, id, around, ignore_checksums, limit } => {
            let (limit, around, ignore_checksums) = (*limit, *around, *ignore_checksums);
            let options =
                chunk::Options { limit, around, ignore_checksums, stop, ..Default::default() };
            let shown = loaded(hierarchy, (path, array, id), options, &mut say);
            say(Answer::Loaded(Arc::new(shown)));
        }
        Work::Presence(path, array) => listing::presence(hierarchy, path, array, stop, &mut say),
        Work::Check { path, limit } => checked(hierarchy, path, *limit, stop, &mut say),
        Work::Walk => walk(hierarchy, stop, &mut say),
        Work::Search(search) => {
            let found = searched(hierarchy, search, stop, &mut say);
            say(Answer::Found(found));
        }
        Work::Export { shown, file } => match export(hierarchy, shown, file) {
            Ok(()) => say(Answer::Exported(file.clone())),
            Err(error) => say(Answer::Failed(error)),
        },
        Work::Picture { shown, slice, choice, limit, before } => {
            let whole = whole(hierarchy, shown, *limit, stop);
            let elements = whole.as_ref().or_else(|| shown.chunk.elements());
            let before = before.as_deref();
            let pictured = Pictured::of(shown, elements, (slice, *choice), before, stop);
            say(Answer::Pictured(Arc::new(pictured)));
        }
    }
}

/// Writes the elements of a chunk to a new file outside the store.
fn export(hierarchy: &Hierarchy, shown: &Shown, file: &Path) -> Result<()> {
    let mut out = OutputFile::create(file, Path::new(&hierarchy.store.name()), false)?;
    npy::save(&shown.chunk, file, &mut out)?;
    out.finish()
}

/// Lists the children of a group, each let go as soon as its line is made.
fn list(hierarchy: &Hierarchy, path: &NodePath, say: &mut dyn FnMut(Answer)) {
    let mut outlines = Vec::new();
    let listed = hierarchy.visit_children(path, &mut |node| {
        outlines.push(Outline::of(&node));
        if outlines.len().is_multiple_of(BATCH) {
            say(Answer::Listing(path.clone(), outlines.len()));
        }
        true
    });
    say(Answer::Listed(path.clone(), listed.map(|()| outlines)));
}

/// Looks for the needle, in a stage of which only a window is here by one window after the other.
fn searched(
    hierarchy: &Hierarchy,
    search: &Search,
    stop: &dyn Fn() -> bool,
    say: &mut dyn FnMut(Answer),
) -> Option<Range<u64>> {
    let Search { shown, stage, from, needle, forwards, limit } = search;
    let mut load = |around| {
        let options = chunk::Options {
            limit: *limit,
            around,
            ignore_checksums: false,
            stop,
            ..Default::default()
        };
        let store = hierarchy.store.as_ref();
        let mut chunk = chunk::load(store, &shown.path, &shown.array, &shown.chunk.id, &options);
        chunk.stages.get_mut(*stage)?.output.take()
    };
    let started = Instant::now();
    let mut progress = |done, of| {
        say(Answer::Searching(Pace { done, of, elapsed: started.elapsed() }));
        !stop()
    };
    let mut hunt = Hunt {
        needle,
        fill: &shown.fill,
        forwards: *forwards,
        load: &mut load,
        window: chunk::WINDOW,
        progress: &mut progress,
    };
    hunt.find(shown.data(*stage)?.clone(), *from)
}

fn load(
    hierarchy: &Hierarchy,
    path: &NodePath,
    array: &Arc<ArrayMetadata>,
    id: &ChunkId,
    options: &chunk::Options<'_>,
) -> Shown {
    let chunk = chunk::load(hierarchy.store.as_ref(), path, array, id, options);
    Shown::new(path.clone(), Arc::clone(array), chunk)
}

/// Loads a chunk, and says how far that is where it takes time.
fn loaded(
    hierarchy: &Hierarchy,
    (path, array, id): (&NodePath, &Arc<ArrayMetadata>, &ChunkId),
    options: chunk::Options<'_>,
    say: &mut dyn FnMut(Answer),
) -> Shown {
    let started = Instant::now();
    let (say, told) = (RefCell::new(say), Cell::new(started));
    let progress = |done, of| {
        if of > 0 && told.get().elapsed() >= TELLING {
            told.set(Instant::now());
            (say.borrow_mut())(Answer::Loading(Pace { done, of, elapsed: started.elapsed() }));
        }
    };
    load(hierarchy, path, array, id, &chunk::Options { progress: &progress, ..options })
}

/// All elements of a chunk of which only a window is loaded; for the time that counting them takes. `None` where they
/// are here already, or are too many.
fn whole(
    hierarchy: &Hierarchy,
    shown: &Shown,
    limit: u64,
    stop: &dyn Fn() -> bool,
) -> Option<Elements> {
    let loaded = shown.chunk.elements()?.bytes().loaded();
    if shown.chunk.elements()?.bytes().as_whole().is_some() {
        return None;
    }
    let around = loaded.start + (loaded.end - loaded.start) / 2;
    let options =
        chunk::Options { limit, around, ignore_checksums: true, stop, ..Default::default() };
    let (store, id) = (hierarchy.store.as_ref(), &shown.chunk.id);
    let chunk = chunk::load_whole(store, &shown.path, &shown.array, id, &options);
    chunk.elements().cloned()
}

fn checked(
    hierarchy: &Hierarchy,
    path: &NodePath,
    limit: u64,
    stop: &dyn Fn() -> bool,
    say: &mut dyn FnMut(Answer),
) {
    let options = check::Options { metadata_only: false, limit, stop, spread: None };
    let mut progress = check::Summary::default();
    let started = Instant::now();
    let summary = check::check(hierarchy, path, &options, &mut |event| {
        if let check::Event::Progress(summary) = &event {
            progress = *summary;
        }
        say(Answer::Checked(vec![event], progress, started.elapsed()));
    });
    say(Answer::Checked(Vec::new(), summary, started.elapsed()));
    say(Answer::Done);
}

fn walk(hierarchy: &Hierarchy, stop: &dyn Fn() -> bool, say: &mut dyn FnMut(Answer)) {
    let mut batch = Vec::new();
    hierarchy.walk(&NodePath::default(), &mut |node, _depth| {
        batch.extend(Candidate::of(node));
        if batch.len() >= BATCH {
            say(Answer::NodesFound(std::mem::take(&mut batch)));
        }
        !stop()
    });
    say(Answer::NodesFound(batch));
    say(Answer::Done);
}
