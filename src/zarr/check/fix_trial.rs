//! Fixes, tried before they are offered: each is applied to the store in memory, and its node is checked again.
//!
//! A fix stays only if the findings that it mends are gone, no new one appeared at the node or in the group around it,
//! the values are as plausible as before, and the search for causes offers nothing again. Else what it leads to is told
//! as what somebody has to find out.

use super::{CheckOptions, CheckRun, CheckedChunk, ChunkScope, Summary};
use crate::zarr::prelude::*;
use crate::zarr::{
    conventions::{Walk, of_node},
    diagnosis::{self, Case, Symptoms},
    error::{CauseKind, Change, ChangedFile, FileContent},
    hierarchy::formats::MixedGroups,
    what_if::{OverlayStore, add_copies},
};
use std::{
    cell::Cell,
    sync::atomic::{AtomicU64, Ordering},
};

/// The fixes of an array that are tried one by one.
const FIXES: usize = 4;
/// The work of decoding chunks and listing keys that a trial may do, in nanoseconds as counted: as much again as the
/// search for causes. That of searching for causes in what was fixed comes on top, and has the same limit.
const WORK: u64 = 200_000_000;
/// The nanoseconds that it takes to list a key.
const LISTING: u64 = 2_000;
/// The factor by which the work is more if asked for.
const DEEP: u64 = 32;

/// A kind of finding at a node: its code, its cause, and the member that it is about.
type FindingKind = (Code, Option<CauseKind>, Option<String>);

/// The number of findings of each kind.
#[derive(Debug, Clone, Default)]
pub(super) struct FindingCounts(BTreeMap<FindingKind, u64>);

impl FindingCounts {
    pub(super) fn add(&mut self, problem: &Problem) {
        if is_finding(problem) {
            let cause = problem.diagnosis.as_ref().map(|why| why.cause);
            let kind = (problem.error.code, cause, problem.error.place.field.clone());
            *self.0.entry(kind).or_default() += problem.count.max(1);
        }
    }

    fn of<'p>(problems: impl IntoIterator<Item = &'p Problem>) -> Self {
        let mut tally = Self::default();
        problems.into_iter().for_each(|problem| tally.add(problem));
        tally
    }

    /// The number of findings of a kind of which there were fewer before, and the first such kind.
    fn new_since(&self, before: &Self) -> Option<(u64, String)> {
        let more = self.0.iter().filter_map(|(kind, count)| {
            let more = count.saturating_sub(before.0.get(kind).copied().unwrap_or(0));
            (more > 0).then(|| {
                (more, kind.1.map_or_else(|| kind.0.to_string(), |it| it.word().to_owned()))
            })
        });
        more.reduce(|(sum, first), (more, _)| (sum + more, first))
    }
}

/// True if somebody has to look at it: notes do not count, but for chunks that are missing.
fn is_finding(problem: &Problem) -> bool {
    problem.severity != Severity::Note || problem.error.code == Code::ChunksMissing
}

/// The check of an array in a fixed store: what is known of its chunks already, and the work that is left for others.
#[derive(Debug)]
pub(super) struct Trial {
    pub(super) format: Format,
    /// The chunks looked at, where the keys are those of before; `None` where they are listed.
    pub(super) sample: Option<Vec<Vec<u64>>>,
    /// The outcome of the check before, of the chunks that are the same.
    known: BTreeMap<String, Option<Error>>,
    left: AtomicU64,
}

impl Trial {
    /// Spends work; false where it is not left.
    pub(super) fn spend(&self, nanoseconds: u64) -> bool {
        let take = |left: u64| left.checked_sub(nanoseconds);
        let taken = self.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, take);
        if taken.is_err() {
            self.left.store(0, Ordering::Relaxed);
        }
        taken.is_ok()
    }

    pub(super) fn lists_on(&self) -> bool {
        self.spend(LISTING)
    }

    fn ran_out(&self) -> bool {
        self.left.load(Ordering::Relaxed) == 0
    }

    /// The report on a chunk that need not be decoded: what is known of it, or nothing, where no work is left.
    pub(super) fn report(
        &self,
        key: &str,
        (hierarchy, array): (&Hierarchy, &ArrayMetadata),
    ) -> Option<CheckedChunk> {
        if let Some(known) = self.known.get(key) {
            let mut report = CheckedChunk::default();
            match known {
                Some(error) if error.code == Code::TrailingBytes => {
                    report.notes.push(Note::new(error.code, error.found.clone()));
                }
                known => report.problems.extend(known.clone().map(Problem::failed)),
            }
            return Some(report);
        }
        let stored = hierarchy.store.stat(key).ok().flatten().map_or(0, |stat| stat.len);
        let work = diagnosis::decoding_work(array, stored);
        (!self.spend(work)).then(CheckedChunk::default)
    }
}

/// A checked array whose fixes are tried.
pub(super) struct Checked<'a> {
    pub(super) layout: &'a Layout,
    pub(super) array: &'a ArrayMetadata,
    pub(super) symptoms: &'a Symptoms,
}

impl CheckRun<'_> {
    /// The findings at an array, with the fixes of those that heal, and what is to be found out in place of the others.
    pub(super) fn with_tried_fixes(
        &mut self,
        checked: &Checked<'_>,
        mut found: Vec<Problem>,
    ) -> Vec<Problem> {
        if self.trial.is_some() || found.iter().all(|problem| fix(problem).is_none()) {
            return found;
        }
        for problem in &mut found {
            self.edit_copies(checked, problem);
        }
        let mut before = self.told.clone();
        for problem in &found {
            before.add(problem);
        }
        let (hierarchy, options) = (self.hierarchy, self.options);
        let spent = Cell::new(0);
        let attempt = Attempt { hierarchy, options, checked, before: &before, spent };
        let is_of_chunks = |problem: &&Problem| matches!(fix(problem), Some(Change::Bytes(..)));
        let together: Vec<&Problem> = found.iter().filter(is_of_chunks).collect();
        // Files that are mended each by itself are tried together: most are right.
        let together = if together.len() > 1 { attempt.outcome(&together).ok() } else { None };
        let (mut tried, mut outcomes) = (0, Vec::new());
        for problem in &found {
            let outcome = match together {
                _ if fix(problem).is_none() => None,
                Some(left) if is_of_chunks(&problem) => Some((None, Ok(left))),
                _ if tried == FIXES => Some((None, Err(MORE.to_owned()))),
                _ => {
                    tried += 1;
                    Some(self.outcome_of_one(&attempt, problem))
                }
            };
            outcomes.push(outcome);
        }
        self.summary.trials = self.summary.trials.max(attempt.spent.get());
        for (problem, outcome) in found.iter_mut().zip(outcomes) {
            let Some((both, outcome)) = outcome else { continue };
            problem.diagnosis = both.or_else(|| problem.diagnosis.take());
            let Some(why) = problem.diagnosis.as_mut() else { continue };
            conclude(Arc::make_mut(why), outcome);
        }
        found
    }

    /// What comes of a fix; where it does not heal, and what it leads to is another cause with an edit, what comes of both
    /// together, with the cause that names both.
    fn outcome_of_one(
        &self,
        attempt: &Attempt<'_>,
        problem: &Problem,
    ) -> (Option<Arc<Diagnosis>>, Result<u64, String>) {
        let applied = attempt.applied(&[problem]);
        let outcome = applied.as_ref().map_err(Clone::clone);
        let outcome = outcome.and_then(|applied| attempt.judged(&[problem], applied));
        let both = || {
            let Checked { layout, array, symptoms } = *attempt.checked;
            let found = &applied.as_ref().ok()?.found;
            let mut both = with_a_second(array, problem, found, attempt.before)?;
            let spending = (self.options.budget, self.options.deep);
            diagnosis::tried(
                &Case::new(self.hierarchy, array, layout, symptoms, spending),
                &mut both,
            );
            let mut both = Problem { diagnosis: Some(Arc::new(both)), ..problem.clone() };
            self.edit_copies(attempt.checked, &mut both);
            let left = attempt.outcome(&[&both]).ok()?;
            Some((both.diagnosis, Ok(left)))
        };
        let of_both = if outcome.is_err() { both() } else { None };
        of_both.unwrap_or((None, outcome))
    }
}

/// The cause with the first one that shows once it is mended, and the edit that mends both.
fn with_a_second(
    array: &ArrayMetadata,
    problem: &Problem,
    found: &[Problem],
    before: &FindingCounts,
) -> Option<Diagnosis> {
    let first = problem.diagnosis.as_ref()?;
    let second = found.iter().filter_map(|problem| problem.diagnosis.as_ref());
    // One that is told already, is told for itself.
    let is_new = |cause| !before.0.keys().any(|(_, known, _)| *known == Some(cause));
    let (second, then) =
        second.filter(|why| is_new(why.cause)).find_map(|why| match &why.change {
            Some(Change::Metadata(what_if, _)) => Some((why, what_if)),
            _ => None,
        })?;
    let both = first.what_if()?.clone().and(then.clone());
    let cause = Diagnosis {
        sentence: diagnosis::both(&first.sentence, &second.sentence),
        evidence: [first.evidence.clone(), second.evidence.clone()].concat(),
        is_certain: first.is_certain && second.is_certain,
        before_and_after: None,
        ..Diagnosis::clone(first)
    };
    Some(both.mending(array, cause))
}

impl CheckRun<'_> {
    /// Adds to an edit of a document that of its copies in consolidated metadata.
    fn edit_copies(&self, checked: &Checked<'_>, problem: &mut Problem) {
        let Some(why) = problem.diagnosis.as_mut().map(Arc::make_mut) else { return };
        let (path, format) = (&checked.layout.path, checked.array.format);
        if let Some(Change::Metadata(_, edits)) = &mut why.change {
            add_copies(self.hierarchy, path, format, edits);
        }
    }
}

/// The advice where too many fixes would have to be tried.
const MORE: &str = "mend the others first: this fix was not tried";
/// The advice where the work of trying is not left.
const UNTRIED: &str = "try it on a copy: that is more work than a check does (--deep tries it)";

fn fix(problem: &Problem) -> Option<&Change> {
    problem.diagnosis.as_ref()?.fix()
}

/// Keeps the fix of a cause, if it heals; else what is to be found out is in its place.
fn conclude(why: &mut Diagnosis, outcome: Result<u64, String>) {
    match outcome {
        Ok(left) => why.left = Some(left),
        Err(reason) => {
            why.change = why.change.take().and_then(Change::unmended);
            let known = why.to_do.take().map_or_else(String::new, |known| known + "\n");
            why.to_do = Some(known + &reason);
        }
    }
}

/// Fixes of an array, and the findings before them.
struct Attempt<'a> {
    hierarchy: &'a Hierarchy,
    options: &'a CheckOptions<'a>,
    checked: &'a Checked<'a>,
    before: &'a FindingCounts,
    /// The work of all trials, in nanoseconds as counted.
    spent: Cell<u64>,
}

/// The store as fixes leave it.
struct FixedStore {
    files: Vec<ChangedFile>,
    hierarchy: Hierarchy,
    array: ArrayMetadata,
    layout: Layout,
    /// The findings at the node.
    found: Vec<Problem>,
}

impl Attempt<'_> {
    /// The number of findings left once the fixes of `problems` are applied, if these heal; else the reason why they do
    /// not, as what is to be found out.
    fn outcome(&self, problems: &[&Problem]) -> Result<u64, String> {
        self.judged(problems, &self.applied(problems)?)
    }

    /// The store with the fixes of `problems`, checked again; or what is to be found out, where that is not possible.
    fn applied(&self, problems: &[&Problem]) -> Result<FixedStore, String> {
        let files: Vec<ChangedFile> =
            problems.iter().filter_map(|problem| fix(problem)).flat_map(Change::files).collect();
        let hierarchy = self.hierarchy;
        let store = OverlayStore::new(Arc::clone(&hierarchy.store), files.iter().cloned());
        let mut fixed = hierarchy.clone();
        fixed.store = Arc::new(store);
        let path = &self.checked.layout.path;
        let node = fixed.node(path);
        let kinds = [Some(&node.kind), node.other.as_deref()];
        let mut arrays = kinds.into_iter().flatten().filter_map(NodeKind::array);
        let format = self.checked.array.format;
        let array = arrays.find(|array| array.format == format).cloned();
        let layout = array.as_ref().and_then(|array| Layout::new(path, array).ok());
        let Some((array, layout)) = array.zip(layout) else {
            return Err(
                "find out what the document has to say: with this edit it cannot be read".into()
            );
        };
        let trial = self.trial(&files, &layout);
        let found = self.check(&fixed, &node, &trial)?;
        if trial.ran_out() {
            return Err(UNTRIED.into());
        }
        Ok(FixedStore { files, hierarchy: fixed, array, layout, found })
    }

    /// The number of findings left, if what was fixed heals; else what is to be found out.
    fn judged(&self, problems: &[&Problem], applied: &FixedStore) -> Result<u64, String> {
        let FixedStore { files, hierarchy: fixed, array, layout, found } = applied;
        self.has_healed(problems, files, found)?;
        if files.iter().any(|(key, _)| self.is_own_document(key)) {
            self.has_spared_the_group(fixed)?;
            self.is_as_plausible(fixed, array, layout)?;
        }
        let left = found.iter().filter(|problem| problem.severity != Severity::Note).count();
        Ok(left as u64)
    }

    fn is_own_document(&self, key: &str) -> bool {
        self.checked.array.documents.iter().any(|document| document.key == key)
    }

    fn work(&self) -> u64 {
        if self.options.deep { WORK * DEEP } else { WORK }
    }

    /// The check of the array once `files` are changed, by what is known of it.
    fn trial(&self, files: &[ChangedFile], layout: &Layout) -> Trial {
        let before = self.checked.layout;
        let changed: BTreeSet<&str> = files.iter().map(|(key, _)| key.as_str()).collect();
        let is_same = !changed.iter().any(|key| self.is_own_document(key));
        let has_same_keys = layout.counts == before.counts && layout.encoding == before.encoding;
        let are_contents = files.iter().all(|(_, it)| matches!(it, FileContent::Bytes(_)));
        let outcomes = || self.checked.symptoms.outcomes();
        let known = outcomes().map(|(at, error)| (before.key(at), error.cloned()));
        let known = known.filter(|(key, _)| is_same && !changed.contains(key.as_str()));
        let is_known = self.checked.symptoms.stored > 0 && has_same_keys && are_contents;
        Trial {
            format: self.checked.array.format,
            sample: is_known.then(|| outcomes().map(|(at, _)| at.to_vec()).collect()),
            known: known.collect(),
            left: AtomicU64::new(self.work()),
        }
    }

    /// The findings at the node in the fixed store.
    fn check(&self, fixed: &Hierarchy, node: &Node, trial: &Trial) -> Result<Vec<Problem>, String> {
        let options = CheckOptions { chunks: ChunkScope::All, spread: None, ..*self.options };
        let mut found = Vec::new();
        let mut inner = CheckRun {
            mixed: MixedGroups::default(),
            hierarchy: fixed,
            options: &options,
            each: &mut |event| {
                if let super::Event::Problem(_, problem) = event {
                    found.push(problem);
                }
            },
            summary: Summary::default(),
            below: None,
            conventions: Walk::new(fixed, options.conventions),
            siblings: super::absence::CoveredGroups::default(),
            told: FindingCounts::default(),
            trial: Some(trial),
        };
        inner.node(node);
        let decoding = self.work() - trial.left.load(Ordering::Relaxed);
        self.spent.set(self.spent.get() + decoding + inner.summary.work);
        if options.budget.is_stopped() { Err(UNTRIED.into()) } else { Ok(found) }
    }

    /// That what the fixes mend is gone, and nothing new appeared.
    fn has_healed(
        &self,
        problems: &[&Problem],
        files: &[ChangedFile],
        found: &[Problem],
    ) -> Result<(), String> {
        let is_changed = |file: &str| files.iter().any(|(key, _)| key == file);
        for problem in problems {
            let Some(why) = problem.diagnosis.as_ref() else { continue };
            let again = |other: &&Problem| {
                let same = other.diagnosis.as_ref().is_some_and(|it| it.cause == why.cause);
                let file = other.error.place.file.as_deref().unwrap_or_default();
                let is_own = matches!(why.change, Some(Change::Metadata(..))) || is_changed(file);
                let is_left = other.severity == Severity::Error && other.diagnosis.is_none();
                same && other.error.place == problem.error.place
                    || is_left && is_own && why.explains(&other.error)
            };
            if let Some(again) = found.iter().find(again) {
                let code = again.error.code;
                return Err(format!(
                    "find out what happened to the store: with this fix applied, {code} is found again"
                ));
            }
        }
        FindingCounts::of(found)
            .new_since(self.before)
            .map_or(Ok(()), |(count, first)| Err(new(count, &first)))
    }

    /// That the group around the array has no finding that it had not before.
    fn has_spared_the_group(&self, fixed: &Hierarchy) -> Result<(), String> {
        let Some(group) = self.checked.layout.path.parent() else { return Ok(()) };
        let tally = |hierarchy: &Hierarchy, group: &NodePath| {
            let node = hierarchy.node(group);
            let of_group = of_node(hierarchy, &node, self.options.conventions);
            FindingCounts::of(node.problems.iter().chain(&of_group))
        };
        let (before, after) = (tally(self.hierarchy, &group), tally(fixed, &group));
        after.new_since(&before).map_or(Ok(()), |(count, first)| Err(new(count, &first)))
    }

    /// That values are as plausible as they were, and more plausible than as any other data type of their width.
    fn is_as_plausible(
        &self,
        fixed: &Hierarchy,
        array: &ArrayMetadata,
        layout: &Layout,
    ) -> Result<(), String> {
        let Checked { layout: old_layout, array: old, symptoms } = *self.checked;
        let spending = (self.options.budget, self.options.deep);
        if names_fields(old, array) {
            return Err("find out the fields: the edit names them, and nothing in the store says what they are".into());
        }
        let before = Case::new(self.hierarchy, old, old_layout, symptoms, spending);
        let after = Case::new(fixed, array, layout, symptoms, spending);
        if !diagnosis::is_as_plausible(&before, &after) {
            return Err("find out which reading is right: with this edit, values are less plausible than without".into());
        }
        let others = diagnosis::as_plausible_readings(&before, &after);
        if others.is_empty() {
            return Ok(());
        }
        Err(format!(
            "find out which reading is right: as {}, the values are as plausible",
            others.join(" or as ")
        ))
    }
}

fn new(count: u64, first: &str) -> String {
    let findings = counted(count, "new finding");
    format!(
        "find out what else has to change: this alone would lead to {findings}, such as {first}"
    )
}

/// True if the fields of a struct are other ones than before: only the writer knows their names.
fn names_fields(old: &ArrayMetadata, new: &ArrayMetadata) -> bool {
    let names = |array: &ArrayMetadata| {
        let fields = array.data_type().map(|data_type| data_type.fields());
        fields.unwrap_or_default().iter().map(|field| field.name.clone()).collect::<Vec<_>>()
    };
    names(old) != names(new)
}
