//! The work itself, without threads: what is asked for in, what came of it out, one piece after the other.

use super::prelude::*;
use crate::{
    app::{
        Job, Reply, Work,
        current_chunk::Shown,
        layout::CellGrid,
        page::{metadata::MetadataPage, picture::Pictured, tree::Outline},
    },
    zarr::{
        check,
        conventions::{self, Wanted},
        npy,
        presence::StoredChunk,
        readers,
    },
};
use std::cell::Cell;

mod chunk_table;
mod compare;
mod overview;
mod raster;
mod search;

/// The time between two reports of long work.
const TELLING: Duration = Duration::from_millis(100);

/// The number of items a streaming worker gathers before it reports them.
const BATCH: usize = 2000;
/// The same of a store far away.
const BATCH_FAR: usize = 256;

/// The number of chunks that have their size looked up, and where that is a request each; of more only the names are read.
const MOST_STATS: [usize; 2] = [20_000, 64];
/// The number of chunks counted under keys of another kind.
const MOST_ELSEWHERE: u64 = 1000;

/// Does `job` and says what came of it, until `stop` says that it has become pointless; what it decodes takes of
/// `memory`.
pub fn perform(
    hierarchy: &Hierarchy,
    memory: &Memory,
    job: &Job,
    stop: Stop<'_>,
    reply: &mut dyn FnMut(Reply),
) {
    let mut say = |answer| reply(Reply { lane: job.lane, generation: job.generation, answer });
    let over = job.read_as.as_ref().map(|it| it.over(hierarchy));
    let hierarchy = match (&over, &job.work) {
        (Some(Ok(over)), _) => over,
        // The document is no longer what it was when this was typed.
        (Some(Err(error)), Work::Node(path))
            if job.read_as.as_ref().is_some_and(|it| it.path == *path) =>
        {
            return say(Answer::Failed(error.clone()));
        }
        _ => hierarchy,
    };
    let budget = Budget::default().with_memory(memory).with_stop(stop);
    work(hierarchy, job, budget, stop, &mut say);
}

/// Does it, with what an array is read as laid over the store already. What comes in several answers ends with that it
/// is done, or why it could not be.
fn work(
    hierarchy: &Hierarchy,
    job: &Job,
    budget: Budget<'_>,
    stop: Stop<'_>,
    say: &mut dyn FnMut(Answer),
) {
    let done = |()| Answer::Done;
    let last = match &job.work {
        Work::List(path) => Ok(list(hierarchy, path, say)),
        Work::Node(path) => Ok(node(hierarchy, path)),
        Work::Documents(node) => Ok(Answer::Documents(Box::new(MetadataPage::of(node)))),
        Work::Load { path, array, id, around, ignore_checksums, limit } => {
            let budget = budget.with_limit(*limit).ignoring_checksums(*ignore_checksums);
            let load = |array: &Arc<ArrayMetadata>, id: &ChunkId, budget: &Budget| {
                let chunk = chunk::load(hierarchy.store.as_ref(), path, array, id, *around, budget);
                Shown::new(path.clone(), Arc::clone(array), chunk)
            };
            let mut shown = telling(say, Answer::Loading, |progress| {
                load(array, id, &budget.with_progress(progress))
            });
            let in_archive = hierarchy.store.crc32(&shown.chunk.key).is_some();
            shown.is_verified = shown.chunk.is_verified(in_archive);
            // The same file as the documents of the array declare it, where it is read as something else.
            let read_as = job.read_as.as_ref().filter(|read_as| *path == read_as.path);
            shown.declared = read_as.and_then(|it| it.declared.as_ref()).map(|declared| {
                let mut id = id.clone();
                if declared.inner_chunk_shape().is_none() {
                    id.inner.clear();
                }
                Arc::new(load(declared, &id, &budget))
            });
            Ok(Answer::Loaded(Arc::new(shown)))
        }
        Work::Presence(path, array) => presence(hierarchy, path, array, stop, say).map(done),
        Work::Check { path, limit, is_asked } => {
            checked(hierarchy, path, *is_asked, budget.with_limit(*limit), say);
            Ok(Answer::Done)
        }
        Work::Walk => {
            walk(hierarchy, stop, say);
            Ok(Answer::Done)
        }
        Work::Table(request) => chunk_table::measure(hierarchy, request, budget, say).map(done),
        Work::Compare(request) => return compare::compare(hierarchy, request, budget, say),
        Work::Differences(request) => {
            compare::differences(hierarchy, request, budget, say);
            Ok(Answer::Done)
        }
        Work::Raster(request) => raster::draw(hierarchy, request, budget, say).map(done),
        Work::TableCsv { table, file } => {
            chunk_table::csv(hierarchy, table, file).map(Answer::Exported)
        }
        Work::Readers(path) => Ok(read_by(hierarchy, path, &budget)),
        Work::Overview(path) => overview::overview(hierarchy, path, stop, say).map(done),
        Work::Search(search) => {
            let budget = budget.with_limit(search.limit);
            search::search(hierarchy, search, budget, say).map(Answer::Found)
        }
        Work::Count(count) => search::count(hierarchy, count, budget, say).map(done),
        Work::Export { shown, file } => export(hierarchy, shown, file).map(Answer::Exported),
        Work::Picture { shown, grid, choice, limit, before } => {
            let budget = budget.with_limit(*limit).ignoring_checksums(true);
            let pictured = telling(say, Answer::Counting, |progress| {
                let count = |done, of| {
                    progress(done, of);
                    stop()
                };
                pictured((hierarchy, budget), shown, (grid, *choice), before.as_deref(), &count)
            });
            pictured.map(Arc::new).map(Answer::Pictured)
        }
    };
    say(last.unwrap_or_else(Answer::Failed));
}

/// Reads a node, and what conventions have to say of it.
fn node(hierarchy: &Hierarchy, path: &NodePath) -> Answer {
    let mut node = hierarchy.node(path);
    node.problems.extend(conventions::of_node(hierarchy, &node, Wanted::default()));
    Answer::Node(Box::new(node))
}

/// Looks up what other programs make of what is at `path`.
fn read_by(hierarchy: &Hierarchy, path: &NodePath, budget: &Budget) -> Answer {
    let node = hierarchy.node(path);
    let features = readers::features_in(hierarchy, &node, budget);
    Answer::Readers(path.clone(), readers::table().answers(&features))
}

/// Writes the elements of a chunk to a new file outside the store.
fn export(hierarchy: &Hierarchy, shown: &Shown, file: &Path) -> Result<PathBuf> {
    let mut out = OutputFile::create(file, Path::new(&hierarchy.store.name()), false)?;
    npy::save(&shown.chunk, file, &mut out)?;
    out.finish().map(|()| file.to_owned())
}

/// Lists the children of a group, each let go as soon as its line is made.
fn list(hierarchy: &Hierarchy, path: &NodePath, say: &mut dyn FnMut(Answer)) -> Answer {
    let mut outlines = Vec::new();
    let listed = hierarchy.visit_children(path, &mut |node| {
        outlines.push(Outline::of(&node));
        if outlines.len().is_multiple_of(BATCH) {
            say(Answer::Listing(path.clone(), outlines.len()));
        }
        true
    });
    Answer::Listed(path.clone(), listed.map(|()| outlines))
}

/// Lists the chunks of an array, in batches. Where there are none, looks for them under keys of another kind.
fn presence(
    hierarchy: &Hierarchy,
    path: &NodePath,
    array: &ArrayMetadata,
    stop: Stop<'_>,
    say: &mut dyn FnMut(Answer),
) -> Result<()> {
    // What is wrong with shape, grid or keys is said where the chunks are.
    let Ok(layout) = Layout::new(path, array) else { return Ok(()) };
    let store = hierarchy.store.as_ref();
    let mut batch = Vec::new();
    let mut count = 0;
    let visited = layout.visit_stats(store, MOST_STATS, &mut |coordinates, stat| {
        count += 1;
        batch.push(StoredChunk { coordinates, stat });
        if batch.len() >= if store.is_far() { BATCH_FAR } else { BATCH } {
            say(Answer::ChunksListed(mem::take(&mut batch)));
        }
        !stop()
    });
    say(Answer::ChunksListed(batch));
    visited?;
    if count == 0
        && let Ok(diagnosis) = layout.diagnose(store, MOST_ELSEWHERE)
    {
        say(Answer::Diagnosed(diagnosis));
    }
    Ok(())
}

/// Checks that results computed from `bytes` may be shown.
fn intact(bytes: &Bytes, shown: &Shown) -> Result<()> {
    bytes.intact().map_err(|error| error.in_file(&shown.chunk.key))
}

/// Does `work`, and says how far it is, as an `answer`, where it takes time.
fn telling<T>(
    say: &mut dyn FnMut(Answer),
    answer: fn(Pace) -> Answer,
    work: impl FnOnce(&dyn Fn(u64, u64)) -> T,
) -> T {
    let started = Instant::now();
    let (told, say) = (Cell::new(started), RefCell::new(say));
    work(&|done, of| {
        if of > 0 && told.get().elapsed() >= TELLING {
            told.set(Instant::now());
            (say.borrow_mut())(answer(Pace { done, of, elapsed: started.elapsed() }));
        }
    })
}

/// Is told how many elements of how many were counted, and says whether to stop.
type CountProgress<'a> = &'a dyn Fn(u64, u64) -> bool;

/// Counts and samples a chunk; one of which only a window is here over a map of it, or as it is read for the time that
/// takes. Where it is too large for that, the window.
fn pictured(
    (hierarchy, budget): (&Hierarchy, Budget<'_>),
    shown: &Arc<Shown>,
    what: (&Arc<CellGrid>, Option<usize>),
    before: Option<&Pictured>,
    stop: CountProgress<'_>,
) -> Result<Pictured> {
    let mut elements = shown.chunk.elements().cloned();
    if elements.as_ref().is_some_and(|here| here.bytes().as_whole().is_none()) {
        let store = hierarchy.store.as_ref();
        let reader = ArrayReader::new(store, &shown.path, &shown.array)?;
        match reader.load_chunk(&shown.chunk.id, &budget) {
            PieceData::Stored(all) => elements = Some(all),
            PieceData::Unreadable(error) if error.code != Code::NotLoaded => return Err(error),
            PieceData::Unreadable(_) | PieceData::Missing => {}
        }
    }
    let mut pictured = Pictured::of(shown, elements.as_ref(), what, before, stop);
    elements.map_or(Ok(()), |elements| intact(elements.bytes(), shown))?;
    pictured.declared = shown.declared.as_ref().map(|declared| {
        let known = before.and_then(|before| before.declared.as_ref()?.as_deref().ok());
        let what = pictured.in_declared(declared);
        let what = (&what.0, what.1);
        Ok(Arc::new(match declared.chunk.fault() {
            Some(error) => return Err(error.clone()),
            None => self::pictured((hierarchy, budget), declared, what, known, stop)?,
        }))
    });
    Ok(pictured)
}

fn checked(
    hierarchy: &Hierarchy,
    path: &NodePath,
    is_asked: bool,
    budget: Budget<'_>,
    say: &mut dyn FnMut(Answer),
) {
    let options = check::CheckOptions {
        budget,
        advice: (!is_asked).then_some("Enter reads them."),
        spread: Some(&|count, work| hierarchy.store.side_by_side(count, work)),
        ..check::CheckOptions::default()
    };
    let mut progress = check::Summary::default();
    let started = Instant::now();
    let summary = check::check(hierarchy, path, &options, &mut |event| {
        if let check::Event::Progress(summary) = &event {
            progress = *summary;
        }
        say(Answer::Checked(vec![event], progress, started.elapsed()));
    });
    say(Answer::Checked(Vec::new(), summary, started.elapsed()));
}

fn walk(hierarchy: &Hierarchy, stop: Stop<'_>, say: &mut dyn FnMut(Answer)) {
    let mut batch = Vec::new();
    hierarchy.walk(&NodePath::default(), &mut |node, _depth| {
        // Everybody is at the root already.
        if !node.path.0.is_empty() {
            batch.push(Outline::of(node));
        }
        if batch.len() >= BATCH {
            say(Answer::NodesFound(mem::take(&mut batch)));
        }
        !stop()
    });
    say(Answer::NodesFound(batch));
}
