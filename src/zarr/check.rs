//! Walks a store and yields every problem.
//!
//! Documents, copies and keys come first at each node, then the chunks, each decoded whole. The library starts no
//! threads; whoever has some lends them through [`CheckOptions::spread`].

use super::prelude::*;
use super::{
    conventions::{CONVENTIONS, Convention, Walk, Wanted},
    hierarchy::formats::MixedGroups,
    readable::Readable,
    words,
};
use fix_trial::{FindingCounts, Trial};

mod absence;
mod accumulated;
mod array;
mod chunk;
mod files;
mod fix_trial;
mod keys_found;
mod missing;
mod much;
mod not_checked;
mod orders;
mod races;
mod record;
mod slices;
mod values;

pub use chunk::{CheckedChunk, StoredInnerChunks, decode, measure};
pub use much::is_much_to_read;
pub use not_checked::NotChecked;
pub use values::ValueCounts;

/// Works on `0..count`: calls `work` once for each number, in any order, on as many threads as it likes, and returns
/// when all is done. What the work takes at a time is for [`Budget::with_memory`] to bound.
pub type Spread<'a> = &'a dyn Fn(usize, &(dyn Fn(usize) + Sync));

/// A stored chunk as a whole store knows it: its store key, and the format of the document that declares its array, of
/// which a folder may have two.
pub type Object<'a> = (&'a str, Format);

/// The chunks that a check decodes.
#[derive(Clone, Copy, Default)]
pub enum ChunkScope<'a> {
    /// Each is checked and reported.
    #[default]
    All,
    /// Those that the first function names are checked and given to the second one, on the calling thread; nothing is
    /// concluded from them.
    Some(&'a dyn Fn(Object<'_>) -> bool, &'a dyn Fn(Object<'_>, CheckedChunk)),
    /// None: the function is only told of each.
    Seen(&'a dyn Fn(Object<'_>)),
    /// Each was checked before: the function knows what came of it. That is reported.
    Checked(&'a dyn Fn(Object<'_>) -> CheckedChunk),
}

/// The settings of a check.
#[derive(Clone, Copy, Default)]
pub struct CheckOptions<'a> {
    /// Leave the chunks alone: only documents, keys and sizes.
    pub metadata_only: bool,
    /// Spend more work on causes than is cheap.
    pub deep: bool,
    /// The most chunks of each array that are read, spread over its grid; nothing is concluded from the others, which
    /// are not listed either. `None`: all.
    pub sample: Option<u64>,
    /// The advice where a store far away has very much to read, which is then left alone; `None`: it is read.
    pub advice: Option<&'a str>,
    /// The chunks that are checked, and what for.
    pub chunks: ChunkScope<'a>,
    /// The conventions whose rules are checked.
    pub conventions: Wanted,
    /// The threads that work on chunks, batch by batch; `None`: the caller's alone.
    pub spread: Option<Spread<'a>>,
    /// The limits of the check. It is asked whether to stop between any two steps, and as chunks are decoded.
    pub budget: Budget<'a>,
}

/// A report of a check under way.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Event {
    /// Something is wrong at a node.
    Problem(NodePath, Problem),
    /// Its progress.
    Progress(Summary),
    /// Something that was not looked at, and where; why is a problem of its own.
    Skipped(Skipped, String),
    /// The readable part of an array, all of whose chunks were looked at.
    Array(NodePath, Readable),
}

/// A thing that a check did not look at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Skipped {
    /// The chunks of an array, which cannot be read because of its metadata or for want of a decoder.
    Chunks,
    /// Nodes below a node that cannot be read or listed.
    Below,
    /// Nodes below a node at the limit of depth.
    Deeper,
    /// A member of a zip archive that is under no key, or an archive itself.
    Member,
    /// A file or a folder in another format, or without metadata: no part of what was to be checked.
    Foreign,
}

/// The counts of a check.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Summary {
    /// Nodes seen.
    pub nodes: u64,
    /// Arrays among them.
    pub arrays: u64,
    /// Stored chunks seen.
    pub chunks: u64,
    /// Their bytes.
    pub bytes: u64,
    /// Chunks among them that were decoded.
    pub decoded: u64,
    /// Decoded chunks of which a checksum was compared.
    pub verified: u64,
    /// Chunks that were to be decoded, and cannot be.
    pub unreadable: u64,
    /// Problems of severity error, those that are only counted included. A cause is none beside what it explains.
    pub errors: u64,
    /// Problems of severity warning, counted in the same way.
    pub warnings: u64,
    /// Causes by which values are likely lost.
    pub losses: u64,
    /// Problems of severity limit: what zarrscope lacks to check something.
    pub limits: u64,
    /// Arrays whose chunks cannot be read, because of their metadata or for want of a decoder.
    pub undecodable: u64,
    /// Folders that could not be listed, or lie too deep: what is in them was not looked at.
    pub unlisted: u64,
    /// Members of a zip archive that were not looked at.
    pub members: u64,
    /// The most work that the search for causes did on one array, in nanoseconds as counted by bytes, not by a clock.
    pub work: u64,
    /// The most work that trying the fixes of one array did, counted in the same way.
    pub trials: u64,
    /// For each of [`Convention::ALL`]: true if something was checked by it.
    pub conventions: [bool; CONVENTIONS],
}

impl Summary {
    /// The conventions that something was checked by.
    pub fn conventions(&self) -> Vec<Convention> {
        let all = Convention::ALL.into_iter().zip(self.conventions);
        all.filter(|(_, checked)| *checked).map(|(convention, _)| convention).collect()
    }
}

impl Summary {
    /// What was looked at: `9 nodes, 7 arrays, 33 chunks, 12 KiB`.
    pub fn in_words(&self) -> String {
        let (nodes, arrays) = (counted(self.nodes, "node"), counted(self.arrays, "array"));
        format!("{nodes}, {arrays}, {}, {}", counted(self.chunks, "chunk"), words::size(self.bytes))
    }

    /// The conventions that something was checked by, in words; `None` without any.
    pub fn conventions_in_words(&self) -> Option<String> {
        let names = self.conventions().iter().map(|it| it.name()).joined(", ");
        (!names.is_empty()).then(|| format!("Conventions checked: {names}"))
    }

    /// True if everything that the check was asked for was looked at, readable or not: nothing is a limit of zarrscope,
    /// and nothing was skipped.
    pub const fn is_complete(&self) -> bool {
        self.limits == 0 && self.undecodable == 0 && self.unlisted == 0 && self.members == 0
    }

    /// The readable part of all the chunks seen.
    pub const fn readable(&self) -> Readable {
        let &Self { chunks, decoded, verified, unreadable, .. } = self;
        Readable { chunks, decoded, verified, unreadable }
    }

    /// The readable part of the chunks seen since it was `before`.
    pub const fn readable_since(&self, before: &Self) -> Readable {
        Readable {
            chunks: self.chunks - before.chunks,
            decoded: self.decoded - before.decoded,
            verified: self.verified - before.verified,
            unreadable: self.unreadable - before.unreadable,
        }
    }
}

/// Checks `path` and everything below it.
pub fn check(
    hierarchy: &Hierarchy,
    path: &NodePath,
    options: &CheckOptions<'_>,
    each: &mut dyn FnMut(Event),
) -> Summary {
    let (summary, below) = (Summary::default(), None);
    let conventions = Walk::new(hierarchy, options.conventions);
    let told = FindingCounts::default();
    let (siblings, mixed) = (absence::CoveredGroups::default(), MixedGroups::default());
    let trial = None;
    let much = much::much_to_read(hierarchy, path, options);
    let thin = CheckOptions { sample: Some(0), ..*options };
    let options = if much.is_some() { &thin } else { options };
    let mut walk = CheckRun {
        hierarchy,
        options,
        each,
        summary,
        below,
        conventions,
        siblings,
        mixed,
        told,
        trial,
    };
    let root = NodePath::default();
    if *path == root {
        for problem in hierarchy.store.problems() {
            if problem.error.code == Code::ZipName {
                walk.skip(Skipped::Member, problem.error.place.field.clone().unwrap_or_default());
            }
            walk.problem(&root, problem);
        }
    }
    if let Some(error) = much {
        walk.problem(path, Problem::new(error));
    }
    let is_whole = matches!(options.chunks, ChunkScope::All) && options.sample.is_none();
    let reads = is_whole && !options.metadata_only;
    hierarchy.store.expect_reading(reads.then_some(path.0.as_str()));
    walk.tree(hierarchy.node(path));
    hierarchy.store.expect_reading(None);
    let absent = walk.siblings.leave(None);
    walk.tell(absent);
    let mixed = walk.mixed.leave(None);
    walk.tell(mixed);
    let last = walk.conventions.finish();
    walk.tell(last);
    walk.summary.conventions = walk.conventions.checked();
    walk.summary
}

/// A check under way.
struct CheckRun<'a> {
    hierarchy: &'a Hierarchy,
    options: &'a CheckOptions<'a>,
    each: &'a mut dyn FnMut(Event),
    summary: Summary,
    /// The last node whose children were skipped: it may be found so twice, when it is read and when it is listed.
    below: Option<String>,
    conventions: Walk<'a>,
    siblings: absence::CoveredGroups,
    mixed: MixedGroups,
    /// The findings at the current node so far.
    told: FindingCounts,
    /// The trial of a fix that this is, on the node that it mends.
    trial: Option<&'a Trial>,
}

impl CheckRun<'_> {
    fn tree(&mut self, root: Node) {
        let (hierarchy, budget) = (self.hierarchy, self.options.budget);
        hierarchy.walk_from(root, &mut |step| {
            match step {
                Ok((node, _)) => self.node(node),
                Err((path, error)) if error.code == Code::LinkedFolder => {
                    self.problem(path, Problem::new(error));
                }
                Err((path, error)) => {
                    let too_deep = error.code == Code::NestedTooDeep;
                    let what = if too_deep { Skipped::Deeper } else { Skipped::Below };
                    self.skip(what, path.0.clone());
                    self.problem(path, Problem::failed(error));
                }
            }
            !budget.is_stopped()
        });
    }

    fn node(&mut self, node: &Node) {
        self.summary.nodes += 1;
        let absent = self.siblings.leave(Some(&node.path));
        self.tell(absent);
        let mixed = self.mixed.enter(node);
        self.tell(mixed);
        self.told = FindingCounts::default();
        let found = self.conventions.node(node);
        self.tell(found);
        for problem in &node.problems {
            self.problem(&node.path, problem.clone());
        }
        let kinds = [Some(&node.kind), node.other.as_deref()];
        for kind in kinds.into_iter().flatten() {
            // A document that cannot be read beside another one is among those of the node.
            let own =
                kind.problems().iter().cloned().chain(kind.error().cloned().map(Problem::failed));
            let own = own.filter(|own| !node.problems.contains(own));
            own.for_each(|problem| self.problem(&node.path, problem));
        }
        let arrays: Vec<_> = kinds.into_iter().flatten().filter_map(NodeKind::array).collect();
        if arrays.is_empty() {
            let (beside, nodes) = files::beside_nodes(self.hierarchy, node);
            self.report(&node.path, beside);
            self.report(&node.path, files::group_without_document(self.hierarchy, node));
            for problem in files::foreign_stores(self.hierarchy, node, &nodes) {
                let place = problem.error.place.file.clone();
                self.skip(Skipped::Foreign, place.unwrap_or_default());
                self.problem(&node.path, problem);
            }
        }
        self.summary.arrays += u64::from(!arrays.is_empty());
        let is_closed = kinds.into_iter().flatten().any(|kind| matches!(kind, NodeKind::Broken(_)));
        if is_closed && arrays.is_empty() {
            self.skip(Skipped::Below, node.path.0.clone());
        }
        if arrays.iter().any(|array| array.format == Format::V2) {
            self.report(&node.path, files::group_beside_array(self.hierarchy, &node.path));
        }
        let before = self.summary;
        for (index, array) in arrays.iter().enumerate() {
            if self.trial.is_some_and(|trial| trial.format != array.format) {
                continue;
            }
            let others = arrays.iter().enumerate().filter(|(other, _)| *other != index);
            let others: Vec<&ArrayMetadata> = others.map(|(_, other)| *other).collect();
            self.array(&node.path, array, &others);
        }
        let is_told = self.options.sample.is_none() && !self.options.budget.is_stopped();
        if !arrays.is_empty() && is_told {
            let readable = self.summary.readable_since(&before);
            (self.each)(Event::Array(node.path.clone(), readable));
        }
        (self.each)(Event::Progress(self.summary));
    }

    fn skip(&mut self, what: Skipped, place: String) {
        let count = match what {
            Skipped::Chunks => &mut self.summary.undecodable,
            Skipped::Below | Skipped::Deeper => &mut self.summary.unlisted,
            Skipped::Member => &mut self.summary.members,
            Skipped::Foreign => &mut 0,
        };
        if what == Skipped::Below && self.below.replace(place.clone()).as_ref() == Some(&place) {
            return;
        }
        *count += 1;
        (self.each)(Event::Skipped(what, place));
    }

    fn report(&mut self, path: &NodePath, problems: Vec<Problem>) {
        for problem in problems {
            self.problem(path, problem);
        }
    }

    fn tell(&mut self, found: Vec<(NodePath, Problem)>) {
        for (path, problem) in found {
            self.problem(&path, problem);
        }
    }

    fn problem(&mut self, path: &NodePath, problem: Problem) {
        match problem.severity {
            Severity::Error => self.summary.errors += problem.count,
            Severity::Warning => self.summary.warnings += problem.count,
            Severity::Limit => self.summary.limits += problem.count.min(1),
            Severity::Note => {}
        }
        self.summary.losses += u64::from(problem.is_loss());
        self.told.add(&problem);
        (self.each)(Event::Problem(path.clone(), problem));
    }
}

/// The number of problems of a kind reported one by one before the rest is only counted.
const MANY: usize = 20;

/// The problem that there are `more` of the same kind as `example`.
fn and_more(example: &Problem, more: u64) -> Problem {
    let found = format!("{more} more of the same kind");
    let error = Error::new(example.error.code, found, example.error.expected.clone());
    Problem { severity: example.severity, count: more, ..Problem::new(error) }
}

impl fmt::Debug for CheckOptions<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CheckOptions")
            .field("metadata_only", &self.metadata_only)
            .field("deep", &self.deep)
            .field("sample", &self.sample)
            .field("conventions", &self.conventions)
            .field("budget", &self.budget)
            .finish_non_exhaustive()
    }
}

/// The number of different faults of one array told apart.
const KINDS: usize = 10_000;

/// The faults of an array that were reported already, and how often each came again: the same fault in many chunks is
/// one fault.
#[derive(Debug, Default)]
struct Repeats(BTreeMap<(Code, String), (Problem, u64)>);

impl Repeats {
    /// True if `problem` is to be told; if not, it is counted. Errors are told a few times, because each is a chunk
    /// that cannot be read; limits when all is seen.
    fn is_news(&mut self, problem: &Problem) -> bool {
        let key = (problem.error.code, problem.error.found.clone());
        if self.0.len() >= KINDS && !self.0.contains_key(&key) {
            return true;
        }
        let (_, count) = self.0.entry(key).or_insert_with(|| (problem.clone(), 0));
        *count += 1;
        *count <= told(problem.severity)
    }

    /// An example of each kind.
    fn kinds(&self) -> impl Iterator<Item = &Problem> {
        self.0.values().map(|(problem, _)| problem)
    }

    /// The number of repeats of each that were not reported.
    fn finish(self) -> impl Iterator<Item = Problem> {
        self.0.into_values().filter_map(|(Problem { severity, error, .. }, count)| {
            let more = count.checked_sub(told(severity)).filter(|&more| more > 0)?;
            if severity == Severity::Limit {
                let found = format!("{}, in {}", error.found, counted(count, "chunk"));
                return Some(Problem { severity, count, ..Problem::new(Error { found, ..error }) });
            }
            let found = format!("{}, in {}", error.found, counted(more, "more chunk"));
            let error = Error::new(error.code, found, error.expected);
            Some(Problem { severity, count: more, ..Problem::new(error) })
        })
    }
}

/// The number of times a fault of many chunks is reported before it is only counted.
fn told(severity: Severity) -> u64 {
    match severity {
        Severity::Error => MANY as u64,
        Severity::Warning | Severity::Note => 1,
        Severity::Limit => 0,
    }
}
