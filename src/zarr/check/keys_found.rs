//! The keys below an array: stored chunks, missing chunks, and files that are no chunk of it.

use super::{
    MANY, Repeats,
    chunk::StoredInnerChunks,
    files::{Few, foreign},
    missing::Coverage,
    orders::Orders,
    races,
    values::ArrayValues,
};
use crate::zarr::prelude::*;
use crate::zarr::{diagnosis::Symptoms, presence::Sighting, store::join};

/// The number of chunks of an array that may be asked for their byte order, of which some tell nothing.
const JUDGED: u64 = 256;

/// The keys below an array, sorted by their meaning.
#[derive(Default)]
pub(super) struct KeysFound {
    pub(super) stored: u64,
    /// True if every folder could be listed.
    pub(super) all_listed: bool,
    pub(super) orphans: Few,
    pub(super) any_orphan: bool,
    pub(super) foreign: Few,
    pub(super) any_foreign: bool,
    /// The first file with the key of a chunk but for leading zeros, and how many there are.
    pub(super) padded: Option<(String, u64)>,
    /// The first link that leads out of the store, where to, and how many there are.
    pub(super) outside: Option<(String, PathBuf, u64)>,
    pub(super) coverage: Coverage,
    /// The inner chunks of the shards, and of how many shards they are.
    pub(super) inner: Option<(Coverage, u64)>,
    /// The remarks of the documents, which codecs need not make again.
    pub(super) told: BTreeSet<Code>,
    /// The remarks of codecs: the first key, and the number of chunks.
    pub(super) remarks: BTreeMap<Code, (String, Note, u64)>,
    /// Temporary files of interrupted writers, and how these name them.
    pub(super) leftovers: Vec<String>,
    pub(super) writer: &'static str,
    pub(super) repeats: Repeats,
    pub(super) symptoms: Symptoms,
    /// Kinds of bytes in chunks that cannot be read, and the number of each.
    pub(super) looks: BTreeMap<String, u64>,
    pub(super) order: Orders,
    pub(super) values: ArrayValues,
}

impl KeysFound {
    /// The number of chunks, of those that are reported next, whose byte order is to be looked at.
    pub(super) fn judged(&self) -> usize {
        let left = JUDGED.saturating_sub(self.stored);
        self.order.wanted().min(usize::try_from(left).unwrap_or(usize::MAX))
    }

    /// Nothing yet, but what the documents told already need not be said again of chunks.
    pub(super) fn new(array: &ArrayMetadata, layout: &Layout) -> Self {
        let told = array.problems.iter().map(|problem| problem.error.code).collect();
        Self { told, coverage: Coverage::new(layout.counts.clone()), ..Self::default() }
    }

    /// Takes down the link under `key` if it leads out of the store.
    pub(super) fn link(&mut self, store: &dyn Store, key: String) {
        let Some(leads_to) = store.outside(&key) else { return };
        match &mut self.outside {
            Some((first, to, count)) => {
                *count += 1;
                if key < *first {
                    (*first, *to) = (key, leads_to);
                }
            }
            none => *none = Some((key, leads_to, 1)),
        }
    }

    /// Counts the inner chunks of the shard at `at`.
    pub(super) fn shard(
        &mut self,
        array: &ArrayMetadata,
        at: &[u64],
        shard: &StoredInnerChunks,
    ) -> Option<()> {
        let shape = array.known_shape()?;
        let region = array.region(at)?;
        let start: Vec<u64> = region.iter().map(|range| range.start).collect();
        let end: Vec<u64> = region.iter().map(|range| range.end).collect();
        let counts = shape.iter().zip(&shard.shape).map(|(n, length)| n.div_ceil(*length));
        let (inner, shards) =
            self.inner.get_or_insert_with(|| (Coverage::new(counts.collect()), 0));
        *shards += u64::from(inner.add_shard(shard, &start, &end));
        Some(())
    }

    /// The note on the chunks, or inner chunks of shards, that are not stored.
    pub(super) fn missing(&self, path: &NodePath, array: &ArrayMetadata) -> Option<Problem> {
        let is_copy = array.documents.first().is_some_and(|own| !is_below(&own.key, &path.0));
        // What could not be listed is not missing, and what only a copy describes is elsewhere.
        if !self.all_listed || is_copy {
            return None;
        }
        match &self.inner {
            Some((inner, shards)) if *shards == self.stored => {
                inner.problem(path, array, "inner chunks")
            }
            _ => self.coverage.problem(path, array, "chunks"),
        }
    }

    /// The note on what is missing, with the cause where writers of the same shard lost it; and what interrupted
    /// writers left.
    pub(super) fn lost(&self, array: &ArrayMetadata, missing: Option<Problem>) -> Vec<Problem> {
        let inner = self.inner.as_ref().filter(|(_, shards)| *shards == self.stored);
        let race = missing.as_ref().and_then(|_| inner?.0.race(array));
        let mut found: Vec<Problem> = missing.into_iter().collect();
        found.extend(race.map(|race| {
            let place = array.documents.first().map_or_else(String::new, |own| own.key.clone());
            Problem::caused(race, place)
        }));
        found.extend(races::interrupted(&self.leftovers, self.writer));
        found
    }

    /// Takes in what is no chunk of the grid, unless it is one of the array that other documents describe.
    pub(super) fn stranger(
        &mut self,
        store: &dyn Store,
        layout: &Layout,
        others: &[Layout],
        sighting: Sighting,
    ) {
        match sighting {
            // Which of them lead out of the store is asked where the store is at hand.
            Sighting::Chunk(_) | Sighting::Link(_) => {}
            Sighting::Orphan(coordinates) => {
                self.any_orphan = true;
                self.symptoms.orphan(&coordinates);
                self.orphans.push(orphan(layout, &coordinates));
            }
            Sighting::Foreign { key, is_folder } => {
                if others.iter().any(|other| other.may_hold(&key, is_folder)) {
                    return;
                }
                let inside = key.strip_prefix(&layout.path.0).unwrap_or(&key);
                let name = inside.trim_start_matches('/');
                if is_folder && layout.is_key(name) {
                    self.symptoms.folder(&key);
                    return self.orphans.push(folder(&key));
                }
                let has = |folder: &str| {
                    let has = |name| matches!(store.stat(&join(folder, name)), Ok(Some(_)));
                    ["zarr.json", ".zarray", ".zgroup"].map(has)
                };
                // Where there are documents of both formats, one may be of a group, whose nodes are in their place.
                let is_node = is_folder
                    && self.foreign.kept().len() < MANY
                    && has(&key).contains(&true)
                    && has(&layout.path.0).iter().filter(|it| **it).count() == 1;
                if is_node {
                    return self.foreign.push(inner_node(&key));
                }
                if !is_folder && layout.is_key(&unpadded(name)) {
                    self.padded.get_or_insert_with(|| (key.clone(), 0)).1 += 1;
                }
                self.any_foreign = true;
                if let Some(who) =
                    races::temporary(name).filter(|_| !is_folder || name.ends_with(races::DOWNLOAD))
                {
                    self.writer = who;
                    self.leftovers.push(key.clone());
                }
                self.symptoms.foreign(&key);
                self.foreign.push(foreign(
                    &key,
                    is_folder,
                    "a chunk or metadata document of the array",
                ));
            }
        }
    }
}

/// The warning that an array or a group lies inside an array.
fn inner_node(key: &str) -> Problem {
    let sentence = "an array or group inside an array: only groups have nodes in them";
    let error = Error::new(Code::ForeignFile, sentence, "").saying(sentence).in_file(key);
    let fix = "zarr-python 3.4.2 does not list it, and opens it by its path. It was not checked: move it into a group.";
    Problem::new(error.with_fix(fix)).with_severity(Severity::Warning)
}

/// The error that the key of a chunk is a folder.
fn folder(key: &str) -> Problem {
    let error = Error::new(Code::NotAFile, "a folder", "a chunk file").in_file(key);
    Problem::new(error.with_fix("Readers cannot read this chunk."))
}

/// A name with the zeros taken off in front of its numbers: `c/00/07` is `c/0/7`.
fn unpadded(name: &str) -> String {
    let number = |part: &str| {
        let bare = part.trim_start_matches('0');
        if bare.is_empty() && !part.is_empty() { "0".to_owned() } else { bare.to_owned() }
    };
    name.split('/')
        .map(|part| part.split('.').map(number).collect::<Vec<_>>().join("."))
        .collect::<Vec<_>>()
        .join("/")
}

fn orphan(layout: &Layout, coordinates: &[u64]) -> Problem {
    let counts = times(&layout.counts);
    let found = "a chunk outside the chunk grid";
    let error =
        Error::new(Code::ChunkOutside, found, format!("a chunk inside the grid of {counts}"))
            .saying(format!("the chunk lies outside the grid of {counts}"));
    let fix = "Likely cause: the array was larger before. The values reappear if it grows again.";
    Problem::new(error.in_file(layout.key(coordinates)).with_fix(fix))
}

/// True if `key` is of a file directly in the folder `path`.
fn is_below(key: &str, path: &str) -> bool {
    key.rsplit_once('/').map_or("", |(folder, _)| folder) == path
}
