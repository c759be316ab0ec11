//! The rows of the list of problems: each a problem, or many of a kind that open.

use super::is_document;
use crate::app::prelude::*;
use crate::zarr::{error::CauseKind, store::in_natural_order};

/// One row of the list.
#[derive(Clone, Copy)]
pub enum ProblemRow<'a> {
    /// Many of a kind; the first of them stands for all.
    Group(&'a ProblemGroup),
    /// A problem by its place in what was found; `nested` where it is one of many.
    One {
        /// The place of the problem among those found.
        at: usize,
        /// True if it belongs to the group above.
        nested: bool,
    },
}

impl ProblemsPage {
    /// The rows, the worst problems first.
    pub fn rows(&self) -> impl Iterator<Item = ProblemRow<'_>> {
        self.groups.iter().flat_map(ProblemGroup::rows)
    }

    /// The number of rows.
    pub fn len(&self) -> usize {
        self.rows().count()
    }

    /// True if there is no problem.
    pub fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    /// The number of problems of this severity, including those only counted.
    pub fn count(&self, severity: Severity) -> u64 {
        self.counts.get(&severity).copied().unwrap_or(0)
    }

    /// The problem under the cursor; of many, the first.
    pub fn selected(&self) -> Option<&(NodePath, Problem)> {
        self.found.get(self.under_cursor()?.0)
    }

    /// True if the cursor is on many of a kind, or on one of them.
    pub fn is_on_many(&self) -> bool {
        let group =
            self.under_cursor().and_then(|(at, _)| self.groups.iter().find(|it| it.holds(at)));
        group.is_some_and(ProblemGroup::is_folded)
    }

    /// Opens or closes the many under the cursor; false where there are not many.
    pub fn fold(&mut self) -> bool {
        let Some((at, _)) = self.under_cursor() else { return false };
        let Some(group) = self.groups.iter_mut().find(|group| group.holds(at)) else {
            return false;
        };
        if !group.is_folded() {
            return false;
        }
        group.is_open = !group.is_open;
        let row = group.first().and_then(|first| self.row_of(first, true));
        self.scroll.select(row);
        true
    }

    /// Opens the many under the cursor, or closes them; false where that is so already.
    pub fn open(&mut self, open: bool) -> bool {
        let row = self.rows().nth(self.scroll.cursor());
        let is_open = match row {
            Some(ProblemRow::Group(group)) => group.is_open,
            Some(ProblemRow::One { nested, .. }) => nested,
            None => return false,
        };
        is_open != open && self.fold()
    }

    /// Goes to the next (or previous) problem that says `needle`, opening what hides it; false where none does.
    pub fn go_to_match(&mut self, needle: &str, way: Direction) -> bool {
        let order: Vec<usize> = self.groups.iter().flat_map(ProblemGroup::all).collect();
        let Some((under, _)) = self.under_cursor() else { return false };
        let (from, len) = (order.iter().position(|at| *at == under).unwrap_or(0), order.len());
        // Where a finding is called just that, longer names of others are not what is searched for.
        let name = needle.replace(' ', "-");
        let is_kind = self.found.iter().any(|(_, it)| it.kind() == name);
        let says = |at: &usize| {
            self.found.get(*at).is_some_and(|(_, problem)| {
                let kind = problem.kind();
                let text = || format!("{kind} {}", problem.error).to_lowercase();
                if is_kind { kind == name } else { text().contains(needle) }
            })
        };
        let mut steps = around(from, len, way).filter_map(|step| order.get(step).copied());
        let Some(at) = steps.find(says) else { return false };
        if let Some(group) = self.groups.iter_mut().find(|group| group.holds(at)) {
            group.is_open = true;
        }
        let row = self.row_of(at, false);
        self.scroll.select(row);
        true
    }

    /// Takes a problem in: a row of its own, or one more of its kind; what follows from a cause goes below that.
    pub(super) fn push(&mut self, path: NodePath, problem: Problem) {
        let at = self.found.len();
        *self.counts.entry(problem.severity).or_default() += problem.count;
        self.count_serious(&path, &problem);
        let is_cause = problem.diagnosis.is_some();
        self.found.push((path, problem));
        if let Some(cause) = self.cause_of(at) {
            if let Some(group) = self.groups.iter_mut().find(|group| group.holds(cause)) {
                group.followers.push(at);
            }
            return;
        }
        self.add(at);
        if is_cause {
            self.causes.push(at);
            self.gather_followers(at);
        }
    }

    /// True if the problem `at` follows from the `cause` at the same node.
    fn follows(&self, at: usize, cause: usize) -> bool {
        let (Some((node, problem)), Some((there, why))) =
            (self.found.get(at), self.found.get(cause))
        else {
            return false;
        };
        node == there
            && problem.diagnosis.is_none()
            && why.diagnosis.as_ref().is_some_and(|why| why.explains(&problem.error))
    }

    /// The cause from which a problem follows, of those found already. A node is checked as a whole, so they are the
    /// last ones.
    fn cause_of(&self, at: usize) -> Option<usize> {
        let node = self.found.get(at).map(|(node, _)| node)?;
        let mut causes = self
            .causes
            .iter()
            .rev()
            .take_while(|cause| self.found.get(**cause).is_some_and(|(there, _)| there == node))
            .copied();
        causes.find(|&cause| self.follows(at, cause))
    }

    /// Puts what was found before and follows from a cause below it.
    fn gather_followers(&mut self, cause: usize) {
        let Some(node) = self.found.get(cause).map(|(node, _)| node.clone()) else { return };
        let before = (0..cause).rev();
        let here =
            before.take_while(|&at| self.found.get(at).is_some_and(|(path, _)| *path == node));
        let mut followers: Vec<usize> = here.filter(|&at| self.follows(at, cause)).collect();
        followers.reverse();
        for &at in &followers {
            let count = self.found.get(at).map_or(0, |(_, problem)| problem.count);
            for group in self.groups.iter_mut().filter(|group| group.members.contains(&at)) {
                group.members.retain(|&member| member != at);
                group.count -= count;
            }
        }
        self.groups.retain(|group| !group.members.is_empty());
        if let Some(group) = self.groups.iter_mut().find(|group| group.holds(cause)) {
            group.followers.append(&mut followers);
        }
    }

    /// Gives the problem `at` a row of its own, or makes it one more of its kind.
    fn add(&mut self, at: usize) {
        let Some((path, problem)) = self.found.get(at) else { return };
        let (severity, code, count) = (problem.severity, problem.error.code, problem.count);
        let file = problem.error.place.file.as_deref().unwrap_or_default();
        let of_document = is_document(file) || file == path.0;
        // Causes are of one kind if they are the same cause.
        let cause = problem.diagnosis.as_ref().filter(|_| code == Code::Cause).map(|why| why.cause);
        let known = self
            .groups
            .iter()
            .position(|g| (g.severity, g.code, g.cause) == (severity, code, cause));
        let group = known.unwrap_or_else(|| {
            let new = ProblemGroup::new(of_document, severity, (code, cause));
            let behind = self.groups.partition_point(|group| group.rank() >= new.rank());
            self.groups.insert(behind, new);
            behind
        });
        let Self { found, groups, .. } = self;
        if let Some(group) = groups.get_mut(group) {
            group.push(at, count, found);
        }
    }

    /// The problem under the cursor by its place in what was found, and whether it stands for many.
    pub(super) fn under_cursor(&self) -> Option<(usize, bool)> {
        match self.rows().nth(self.scroll.cursor())? {
            ProblemRow::Group(group) => Some((group.first()?, true)),
            ProblemRow::One { at, .. } => Some((at, false)),
        }
    }

    /// The row of a problem; where it is hidden among many, theirs.
    pub(super) fn row_of(&self, at: usize, as_group: bool) -> Option<usize> {
        let find = |as_group: bool| {
            self.rows().position(|row| match row {
                ProblemRow::Group(group) => as_group && group.holds(at),
                ProblemRow::One { at: one, .. } => !as_group && one == at,
            })
        };
        find(as_group).or_else(|| find(!as_group))
    }
}

/// So many of a kind are one row.
pub const FOLDED: usize = 4;

/// The problems of one severity and code.
#[derive(Clone)]
pub struct ProblemGroup {
    /// Their severity.
    pub severity: Severity,
    /// Their kind.
    pub code: Code,
    /// The cause, of those that tell one.
    cause: Option<CauseKind>,
    /// True if they are of a document or a whole node: such may be why there are those of chunks, and come before.
    of_document: bool,
    /// Their number, including those only counted.
    pub count: u64,
    /// True if all of them are listed.
    pub is_open: bool,
    /// Them, by their places in what was found, in the order of their files.
    members: Vec<usize>,
    /// The problems that follow from them, where they are causes.
    followers: Vec<usize>,
}

impl ProblemGroup {
    /// None yet.
    pub(super) fn new(
        of_document: bool,
        severity: Severity,
        (code, cause): (Code, Option<CauseKind>),
    ) -> Self {
        let (members, followers) = (Vec::new(), Vec::new());
        Self { severity, code, cause, of_document, count: 0, is_open: false, members, followers }
    }

    /// The higher, the further up: what is wrong, then what explains it, then what is wrong in documents.
    pub(super) fn rank(&self) -> (Severity, bool, bool) {
        (self.severity, self.cause.is_some(), self.of_document)
    }

    /// The number of places it is at: a cause beside what it explains counts as nothing of its own.
    pub fn places(&self) -> u64 {
        self.count.max(self.members.len() as u64)
    }

    /// Takes in the problem at `at` of `found`, which stands for `count`.
    pub(super) fn push(&mut self, at: usize, count: u64, found: &[(NodePath, Problem)]) {
        self.count += count;
        let Some((_, new)) = found.get(at) else { return };
        let before = |member: &usize| {
            found.get(*member).is_some_and(|(_, old)| in_order(old, new) != Ordering::Greater)
        };
        self.members.insert(self.members.partition_point(before), at);
    }

    /// True if it is one row, or has one above its members.
    pub fn is_folded(&self) -> bool {
        self.members.len() >= FOLDED || !self.followers.is_empty()
    }

    /// The rows below its own, when it is open: its members, unless the one is the row itself, and what follows.
    fn below(&self) -> impl Iterator<Item = usize> {
        self.all().skip(usize::from(self.members.len() == 1 && self.is_folded()))
    }

    /// Its members and what follows from them.
    fn all(&self) -> impl Iterator<Item = usize> {
        self.members.iter().chain(&self.followers).copied()
    }

    /// The one that stands for all.
    pub fn first(&self) -> Option<usize> {
        self.members.first().copied()
    }

    /// All of them, by their places in what was found.
    pub fn members(&self) -> impl Iterator<Item = usize> {
        self.members.iter().copied()
    }

    /// True if the problem at `at` is one of them.
    pub(super) fn holds(&self, at: usize) -> bool {
        self.all().any(|one| one == at)
    }

    pub(super) fn rows(&self) -> impl Iterator<Item = ProblemRow<'_>> {
        let nested = self.is_folded();
        let shown = if nested && !self.is_open { 0 } else { usize::MAX };
        let members = self.below().take(shown).map(move |at| ProblemRow::One { at, nested });
        nested.then_some(ProblemRow::Group(self)).into_iter().chain(members)
    }
}

/// By the file, numbers in it by their value; what only counts the rest comes last.
fn in_order(a: &Problem, b: &Problem) -> Ordering {
    let key = |problem: &Problem| (problem.count > 1, problem.error.place.file.clone());
    let ((a_rest, a_file), (b_rest, b_file)) = (key(a), key(b));
    let (a_file, b_file) = (a_file.unwrap_or_default(), b_file.unwrap_or_default());
    a_rest
        .cmp(&b_rest)
        .then_with(|| in_natural_order(&a_file, &b_file))
        .then_with(|| a.error.place.offset.cmp(&b.error.place.offset))
}
