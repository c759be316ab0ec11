//! Problems of one kind, and how many there are.

use super::ProblemRow;
use crate::zarr::{Code, NodePath, Problem, Severity, store::in_natural_order};
use std::cmp::Ordering;

/// So many of a kind are one row.
pub const FOLDED: usize = 4;

/// The problems of one severity and code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Group {
    /// How much they matter.
    pub severity: Severity,
    /// Their kind.
    pub code: Code,
    /// Whether they are of a document or a whole node: such may be why there are those of chunks, and come before.
    of_document: bool,
    /// How many there are, those that are only counted included.
    pub count: u64,
    /// Whether all of them are listed.
    pub is_open: bool,
    /// Them, by their places in what was found, in the order of their files.
    members: Vec<usize>,
}

impl Group {
    /// None yet.
    pub(super) fn new(of_document: bool, severity: Severity, code: Code) -> Self {
        Self { severity, code, of_document, count: 0, is_open: false, members: Vec::new() }
    }

    /// The higher, the further up.
    pub(super) fn rank(&self) -> (Severity, bool) {
        (self.severity, self.of_document)
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

    /// Whether it is one row, or has one above its members.
    #[must_use]
    pub fn is_folded(&self) -> bool {
        self.members.len() >= FOLDED
    }

    /// The one that stands for all.
    #[must_use]
    pub fn first(&self) -> Option<usize> {
        self.members.first().copied()
    }

    /// All of them, by their places in what was found.
    pub fn members(&self) -> impl Iterator<Item = usize> {
        self.members.iter().copied()
    }

    /// Whether the problem at `at` is one of them.
    pub(super) fn holds(&self, at: usize) -> bool {
        self.members.contains(&at)
    }

    /// How many rows it takes.
    pub(super) fn len(&self) -> usize {
        match (self.is_folded(), self.is_open) {
            (false, _) => self.members.len(),
            (true, false) => 1,
            (true, true) => self.members.len() + 1,
        }
    }

    pub(super) fn rows(&self) -> impl Iterator<Item = ProblemRow<'_>> {
        let nested = self.is_folded();
        let shown = if nested && !self.is_open { 0 } else { self.members.len() };
        let members = self.members().take(shown).map(move |at| ProblemRow::One { at, nested });
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
