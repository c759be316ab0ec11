//! The problems in the store: those of its documents at once, and those that a check found.
//!
//! Problems are listed by how much they matter. Many of one kind are one row, which opens: ten thousand broken chunks
//! do not hide the one wrong codec.

mod finding;
mod rows;

pub use finding::{FindingPart, parts, place, place_in_short};
pub use rows::{FOLDED, ProblemGroup, ProblemRow};

use crate::app::layout::{coverage_lines, problem_rows};
use crate::app::prelude::*;
use crate::zarr::check::{Event, NotChecked, Skipped, Summary, is_much_to_read};

/// The problems and how far the check is.
#[derive(Clone, Default)]
pub struct ProblemsPage {
    /// From which node on the check runs or ran; `None` before the first.
    pub root: Option<NodePath>,
    /// Each problem with its node, in the order they were found.
    pub found: Vec<(NodePath, Problem)>,
    /// An array that was read as something else than it declares during the check, and as what.
    pub supposed: Option<(NodePath, WhatIf)>,
    /// The counts of the check; ready when it is done.
    pub summary: Load<Summary>,
    /// The counts so far.
    pub progress: Summary,
    /// The parts that were not looked at.
    pub not_checked: NotChecked,
    /// Nodes at which something was not looked at, or below which.
    incomplete: HashSet<NodePath>,
    /// True if the user has stopped it.
    pub is_stopped: bool,
    /// The time taken so far.
    pub elapsed: Duration,
    /// The readable part of each array that was gone through.
    pub arrays: HashMap<NodePath, Readable>,
    /// The cursor over the rows.
    pub scroll: Scroll,
    /// True if it was chosen for a node that is still being read.
    awaits_node: bool,
    /// The kinds of problems, the worst first.
    groups: Vec<ProblemGroup>,
    /// Those that tell a cause, by their places in what was found.
    causes: Vec<usize>,
    /// The number of problems of each severity, including those only counted.
    counts: BTreeMap<Severity, u64>,
    /// Errors and warnings of every node that has any at it or below it: drawing must not go through all there are.
    serious: HashMap<NodePath, SeriousCount>,
}

/// The number of errors and warnings at a node and below it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SeriousCount {
    /// Errors.
    pub errors: u64,
    /// Warnings.
    pub warnings: u64,
}

impl SeriousCount {
    /// Both.
    pub fn sum(self) -> u64 {
        self.errors + self.warnings
    }
}

impl Page for ProblemsPage {
    fn list(&mut self, shared: &Shared) -> Option<CursorList<'_>> {
        let (height, head) = (self.height(shared), self.head(shared.geometry.view));
        Some(CursorList { len: self.len(), scroll: &mut self.scroll, head, height })
    }

    fn moved(&mut self, motion: Motion, count: Option<u64>, shared: &mut Shared) {
        match motion {
            Motion::Left if !self.open(false) => shared.focus = Focus::Tree,
            Motion::Left => {}
            Motion::Right => drop(self.open(true)),
            _ => self.moved_in_list(motion, count, shared),
        }
    }

    fn clicked(&mut self, at: PaneCell, shared: &mut Shared) -> bool {
        self.list(shared).is_some_and(|list| list.clicked(at.row)) && !self.fold()
    }

    fn opened(&mut self, shared: &mut Shared) -> bool {
        if self.selected().is_some_and(|(_, problem)| is_much_to_read(problem)) {
            self.check_all(shared, true);
        } else {
            self.go_to_place(shared);
        }
        false
    }

    fn acted(&mut self, action: Action, shared: &mut Shared) {
        if action == Action::Fold && !self.fold() {
            shared.say("this finding is the only one of its kind; Enter goes to its place");
        }
    }

    fn next_match(&mut self, way: Direction, shared: &mut Shared) {
        let Some(needle) = shared.needle() else { return };
        if !self.go_to_match(&needle, way) {
            shared.fail("not found");
        }
    }

    fn copied(&self, _shared: &Shared) -> Option<String> {
        self.selected().map(|(_, problem)| problem.error.to_string())
    }

    fn card(&self) -> Vec<String> {
        let Some((_, problem)) = self.selected() else { return Vec::new() };
        let (word, error) = (problem.severity.word(), &problem.error);
        let fix = error.fix.iter().map(|fix| format!("  {fix}"));
        let lines = [String::new(), format!("{word} {}: {error}", error.code)];
        lines.into_iter().chain(fix).collect()
    }

    fn explained(&self, _shared: &Shared) -> Option<Explained> {
        let (node, problem) = self.selected()?;
        Some(finding::explained(node, problem))
    }

    fn is_available(&self, action: Action, shared: &Shared) -> bool {
        match action {
            Action::Open => !self.found.is_empty(),
            Action::Fold => self.is_on_many(),
            Action::WhatIf => shared.is_array() || self.what_if().is_some(),
            _ => true,
        }
    }

    /// Starts a check of the node, if its problems are chosen for the first time.
    fn chosen(&mut self, shared: &mut Shared) {
        self.awaits_node = shared.node().is_none();
        let checked = shared.node().is_none_or(|node| self.covers(&node.path));
        if !(checked || shared.is_busy(Lane::Check)) {
            self.check(shared);
        }
    }

    fn wanted(&mut self, shared: &mut Shared) {
        if self.awaits_node && shared.view == View::Problems && shared.node().is_some() {
            self.chosen(shared);
        }
    }

    fn reloaded(&mut self, shared: &mut Shared) {
        if shared.view == View::Problems {
            self.check(shared);
        }
    }

    fn replied(&mut self, answer: Answer, _lane: Lane, shared: &mut Shared) {
        match answer {
            Answer::Checked(events, summary, elapsed) => {
                self.elapsed = elapsed;
                let before = self.found.len();
                self.checked(events, summary);
                let fresh = self.found.get(before..).unwrap_or_default();
                shared.chunk.take_damaged(fresh);
            }
            Answer::Done => self.finish(),
            Answer::Failed(error) => self.summary = Load::Failed(error),
            _ => {}
        }
    }

    fn stopped(&mut self, _lane: Lane, shared: &mut Shared) {
        self.finish();
        self.is_stopped = true;
        shared.say("check stopped");
    }
}

impl ProblemsPage {
    /// Rows of the list in sight.
    fn height(&self, shared: &Shared) -> usize {
        let is_explained = shared.geometry.explains && shared.focus != Focus::Tree;
        let size = shared.geometry.view;
        problem_rows(size, self.head(size), self.len(), is_explained).0
    }

    /// Lines above the list in a view of `size`: what was checked, how many problems there are, and the coverage.
    pub fn head(&self, size: Size) -> usize {
        let (least, most) = coverage_lines(size);
        let coverage = self.coverage(size).len();
        let gap = usize::from(coverage > 0 && least > 1);
        1 + usize::from(self.has_counts()) + (coverage + gap).clamp(least, most + 1)
    }

    /// True if there are problems, or conventions that were checked, to be told in a line.
    pub fn has_counts(&self) -> bool {
        let conventions = self.summary.ready().is_some_and(|it| !it.conventions().is_empty());
        conventions || !self.found.is_empty()
    }

    /// The parts that were not checked, and the readable part of the chunks, in the lines that a view of `size` has for
    /// them: with places, or without where they have no room.
    pub fn coverage(&self, size: Size) -> Vec<String> {
        let Load::Ready(summary) = &self.summary else { return Vec::new() };
        let readable = summary.readable().sentence().unwrap_or_default();
        let text = |mut parts: Vec<String>| {
            if self.is_stopped {
                parts.insert(0, "everything after the stop; r starts over".into());
            }
            match parts.as_slice() {
                [] => readable.clone(),
                parts => format!("Not checked: {}. {readable}", parts.join("; ")),
            }
        };
        let (width, most) = (usize::from(size.width).saturating_sub(4), coverage_lines(size).1);
        let long = wrap(&text(self.not_checked.sentences()), width);
        if long.len() <= most {
            return long;
        }
        words::wrap_to(&text(self.not_checked.in_short()), width, most)
    }

    /// Checks the node on show, and all below it.
    pub(in crate::app) fn check(&mut self, shared: &mut Shared) {
        self.check_all(shared, false);
    }

    /// The same; `is_asked` reads chunks however many there are.
    fn check_all(&mut self, shared: &mut Shared, is_asked: bool) {
        let root = self.root.clone().filter(|_| is_asked);
        let path = root.unwrap_or_else(|| shared.node_path());
        self.start(path.clone());
        let read_as = shared.read_as.as_ref().filter(|read_as| path.holds(&read_as.path));
        self.supposed = read_as.map(|it| (it.path.clone(), it.what_if.clone()));
        shared.run(Lane::Check, Work::Check { path, limit: shared.limit, is_asked });
    }

    /// Goes to the place of the problem under the cursor: into its document, or to its chunk.
    fn go_to_place(&self, shared: &mut Shared) {
        let Some((mut path, problem)) = self.selected().cloned() else { return };
        let file = problem.error.place.file.clone().unwrap_or_default();
        let name = file.rsplit('/').next().unwrap_or_default();
        let in_document = match name {
            "" => problem.error.place.field.is_some(),
            _ => is_document(&file),
        };
        // A fault of consolidated metadata is a node's, and is in the document of the group that has the copies.
        if in_document && !name.is_empty() {
            path = NodePath(file.rsplit_once('/').map_or("", |(folder, _)| folder).to_owned());
        }
        shared.remember();
        let key = path.relative(&file);
        let byte = problem.diagnosis.as_ref().and_then(|why| why.byte);
        let purpose = if in_document { Purpose::Look } else { Purpose::Key(key.to_owned(), byte) };
        shared.visit(path, purpose);
        shared.show_view(if in_document { View::Metadata } else { View::Chunks });
        shared.pending_place = in_document.then(|| problem.error.place.clone());
        let text = self.explained(shared);
        shared.pinned = text.map(|text| Explained { pinned: true, ..text });
    }

    /// The fix of the problem under the cursor: a JSON Patch of a document, or a `diff` of it, as also of several
    /// documents; a command where it is no edit.
    pub(in crate::app) fn fix(&self, diff: bool) -> Option<String> {
        let (_, problem) = self.selected()?;
        Some(match problem.diagnosis.as_ref()?.fix()? {
            Change::Metadata(_, edits) if !diff && edits.len() == 1 => edits.first()?.patch.clone(),
            fix => fix.script().to_string(),
        })
    }

    /// The array of the problem under the cursor, and the settings by which it is read as the cause says.
    pub(in crate::app) fn what_if(&self) -> Option<(NodePath, WhatIf)> {
        let (path, problem) = self.selected()?;
        if let (Some(reading), Some(folder)) = (&problem.reading, &problem.error.place.file) {
            return Some((NodePath(folder.clone()), reading.clone()));
        }
        Some((path.clone(), problem.diagnosis.as_ref()?.what_if()?.clone()))
    }

    /// Starts over, from `root`.
    pub fn start(&mut self, root: NodePath) {
        *self = Self { root: Some(root), summary: Load::Pending, ..Self::default() };
    }

    /// Takes in what the check has to say. The cursor stays where it is put: at the top, or on its problem.
    pub fn checked(&mut self, events: Vec<Event>, summary: Summary) {
        self.progress = summary;
        let under = (self.scroll.cursor() > 0).then(|| self.under_cursor()).flatten();
        for event in events {
            match event {
                Event::Problem(path, problem) => self.push(path, problem),
                Event::Progress(summary) => self.progress = summary,
                Event::Skipped(what, place) => {
                    self.not_checked.add(what, &place);
                    // A member of an archive may be under no key: that is about the whole of it.
                    let place = if what == Skipped::Member { String::new() } else { place };
                    if what != Skipped::Foreign {
                        self.incomplete.extend(NodePath(place).upwards());
                    }
                }
                Event::Array(path, readable) => drop(self.arrays.insert(path, readable)),
            }
        }
        let row = under.and_then(|(at, is_group)| self.row_of(at, is_group));
        self.scroll.select(row);
    }

    /// The number of errors and warnings the check has found at the node and below it.
    pub fn serious_below(&self, path: &NodePath) -> SeriousCount {
        self.serious.get(path).copied().unwrap_or_default()
    }

    /// Counts a problem for its node and all around it.
    fn count_serious(&mut self, path: &NodePath, problem: &Problem) {
        let (errors, warnings) = match problem.severity {
            Severity::Error => (problem.count, 0),
            Severity::Warning => (0, problem.count),
            _ => return,
        };
        for path in path.clone().upwards() {
            let count = self.serious.entry(path).or_default();
            count.errors += errors;
            count.warnings += warnings;
        }
    }

    /// True if the check is done with `path` and all below it.
    pub fn has_checked(&self, path: &NodePath) -> bool {
        self.covers(path) && matches!(self.summary, Load::Ready(_)) && !self.is_stopped
    }

    /// True if it left out something there.
    pub fn has_skipped(&self, path: &NodePath) -> bool {
        self.incomplete.contains(path)
    }

    /// True if the check was stopped, or something at `path` or below it was not looked at.
    pub fn is_partial(&self, path: &NodePath) -> bool {
        self.is_stopped || self.has_skipped(path)
    }

    /// True if the check has reached `path`: it is the root of it, or below.
    pub fn covers(&self, path: &NodePath) -> bool {
        self.root.as_ref().is_some_and(|root| root.holds(path))
    }

    /// True if `path` was checked as it is read now.
    pub fn covers_as_read(&self, path: &NodePath, shared: &Shared) -> bool {
        let then = self.supposed.as_ref().filter(|(array, _)| array == path);
        self.covers(path) && then.map(|(_, settings)| settings) == shared.supposed()
    }

    /// Chunks and bytes a second, once there is enough to tell.
    pub fn rate(&self) -> Option<(u64, u64)> {
        let per_second = |count: u64| crate::app::effect::per_second(count, self.elapsed);
        Some((per_second(self.progress.chunks)?, per_second(self.progress.bytes)?))
    }

    /// The check is over: done, or stopped by the user.
    pub fn finish(&mut self) {
        if self.summary.is_pending() {
            self.summary = Load::Ready(self.progress);
        }
    }
}

/// True if a file is a metadata document.
pub fn is_document(file: &str) -> bool {
    let name = file.rsplit('/').next().unwrap_or_default();
    name == "zarr.json" || name.starts_with(".z")
}

/// The number of the problems that are errors, and how many warnings.
pub fn serious<'a>(problems: impl IntoIterator<Item = &'a Problem>) -> SeriousCount {
    let mut count = SeriousCount::default();
    for problem in problems {
        count.errors += u64::from(problem.severity == Severity::Error);
        count.warnings += u64::from(problem.severity == Severity::Warning);
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::zarr::{Code, Diagnosis, Error};

    fn problem(severity: Severity, code: Code, file: &str) -> Event {
        let error = Error::new(code, "this", "that").in_file(file);
        Event::Problem(NodePath("a".into()), Problem { severity, ..Problem::new(error) })
    }

    /// The rows as `code file`, those of many with their count, the cursor's with a sign in front.
    fn rows(page: &ProblemsPage) -> Vec<String> {
        let text = |row: ProblemRow<'_>| match row {
            ProblemRow::Group(group) => format!("{} ×{}", group.code, group.count),
            ProblemRow::One { at, .. } => {
                let error = &page.found[at].1.error;
                format!("{} {}", error.code, error.place.file.clone().unwrap())
            }
        };
        let sign = |at| if at == page.scroll.cursor() { "▌" } else { "" };
        page.rows().enumerate().map(|(at, row)| format!("{}{}", sign(at), text(row))).collect()
    }

    fn page() -> ProblemsPage {
        let mut page = ProblemsPage::default();
        page.start(NodePath("a".into()));
        let note = |at| problem(Severity::Note, Code::Other("note"), &format!("a/{at}"));
        let mut events: Vec<Event> = [10, 9, 2, 1].map(note).into();
        events.push(problem(Severity::Error, Code::Other("error"), "a/c/0"));
        page.checked(events, Summary::default());
        page
    }

    #[test]
    fn the_worst_comes_first_and_many_are_one_row_that_opens() {
        let mut page = page();
        assert_eq!(rows(&page), ["▌error a/c/0", "note ×4"]);
        page.scroll = page.scroll.on(1);
        assert!(page.fold());
        let open = ["error a/c/0", "▌note ×4", "note a/1", "note a/2", "note a/9", "note a/10"];
        assert_eq!(rows(&page), open);
        page.scroll = page.scroll.on(4);
        page.open(false);
        assert_eq!(rows(&page), ["error a/c/0", "▌note ×4"]);
        page.scroll = page.scroll.on(0);
        assert!(!page.fold() && page.selected().unwrap().1.error.code == Code::Other("error"));
    }

    /// Problems that follow from a cause are below it, whether they were found before or after; those elsewhere are
    /// not.
    #[test]
    fn what_follows_from_a_cause_is_below_it() {
        let mut page = ProblemsPage::default();
        page.start(NodePath("a".into()));
        let why = Diagnosis::new("chunk-shape", "The shape.").explaining(&[Code::ChunkOutside]);
        let Event::Problem(path, cause) = problem(Severity::Error, Code::Cause, "a/zarr.json")
        else {
            unreachable!()
        };
        let cause = Problem { diagnosis: Some(Arc::new(why)), ..cause };
        let orphan = |file| problem(Severity::Warning, Code::ChunkOutside, file);
        let other = problem(Severity::Warning, Code::Other("other"), "a/c/9");
        let found = vec![orphan("a/c/1"), other, Event::Problem(path, cause), orphan("a/c/2")];
        page.checked(found, Summary::default());
        assert_eq!(rows(&page), ["▌cause ×1", "other a/c/9"]);
        assert_eq!((page.count(Severity::Error), page.count(Severity::Warning)), (1, 3));
        assert!(page.fold());
        assert_eq!(
            rows(&page),
            ["▌cause ×1", "chunk-outside a/c/1", "chunk-outside a/c/2", "other a/c/9"]
        );
        assert!(page.go_to_match("a/c/2", Direction::Next));
        assert_eq!(page.selected().unwrap().1.error.place.file.as_deref(), Some("a/c/2"));
    }

    #[test]
    fn what_comes_in_moves_no_cursor_off_its_problem() {
        let mut page = page();
        page.scroll = page.scroll.on(1);
        let more = vec![
            problem(Severity::Note, Code::Other("note"), "a/0"),
            problem(Severity::Warning, Code::Other("warning"), "a/x"),
        ];
        page.checked(more, Summary::default());
        assert_eq!(rows(&page), ["error a/c/0", "warning a/x", "▌note ×5"]);
        assert_eq!(page.count(Severity::Note), 5);
        for (path, serious) in [("a", 2), ("b", 0), ("", 2), ("a", 2)] {
            assert_eq!(page.serious_below(&NodePath(path.into())).sum(), serious, "{path}");
        }
        page.checked(
            vec![problem(Severity::Error, Code::Other("error"), "a/c/1")],
            Summary::default(),
        );
        let count = page.serious_below(&NodePath("a".into()));
        assert_eq!(
            (count.errors, count.warnings),
            (2, 1),
            "what came in is counted, and nothing twice"
        );
    }

    #[test]
    fn a_search_opens_what_hides_the_hit() {
        let mut page = page();
        assert!(page.go_to_match("a/9", Direction::Next));
        assert_eq!(rows(&page).get(4).map(String::as_str), Some("▌note a/9"));
        assert!(
            page.go_to_match("note", Direction::Next)
                && page.selected().unwrap().1.error.place.file.as_deref() == Some("a/10")
        );
        assert!(!page.go_to_match("nowhere", Direction::Next));
    }
}
