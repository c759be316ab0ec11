//! The lessons of the program, and how far each has been taken.

use super::built_in;
use crate::app::prelude::*;
use std::fmt::Write as _;

/// The progress in each lesson: steps done, by the lesson's name.
#[derive(Debug, Clone, Default)]
pub struct LessonProgress(BTreeMap<String, usize>);

/// The most lines of a file that are read.
const MOST_LINES: usize = 1000;

impl LessonProgress {
    /// The progress that [`Self::text`] wrote; other lines are passed over.
    pub fn read(text: &str) -> Self {
        let line = |line: &str| {
            let (name, done) = line.split_once(' ')?;
            Some((name.to_owned(), done.trim().parse().ok()?))
        };
        Self(text.lines().take(MOST_LINES).filter_map(line).collect())
    }

    /// A line for each lesson: its name and the number of steps done.
    pub fn text(&self) -> String {
        let mut out = String::new();
        for (name, done) in &self.0 {
            let _ = writeln!(out, "{name} {done}");
        }
        out
    }

    /// So many steps of a lesson are done.
    pub(super) fn reached(&mut self, name: &str, done: usize) {
        let before = self.0.entry(name.to_owned()).or_default();
        *before = done.max(*before);
    }

    /// The steps of a lesson that are done.
    pub fn done(&self, lesson: &Lesson) -> usize {
        self.0.get(&lesson.name).copied().unwrap_or(0).min(lesson.steps.len())
    }

    /// The step to go on with: the first one again where all are done.
    pub fn step_of(&self, lesson: &Lesson) -> usize {
        Some(self.done(lesson)).filter(|done| *done < lesson.steps.len()).unwrap_or(0)
    }
}

/// The list of lessons, on top of everything.
#[derive(Debug, Clone)]
pub struct LessonList {
    /// The lessons.
    pub lessons: Vec<Arc<Lesson>>,
    /// The progress in each.
    pub progress: LessonProgress,
    /// The cursor over them.
    pub scroll: Scroll,
}

/// Rows above the list: its title and a blank line.
const HEAD: usize = 2;

impl LessonList {
    /// The list, the cursor on `current` or the first lesson that is not done.
    ///
    /// # Errors
    ///
    /// If a lesson of the program cannot be read.
    pub fn new(progress: &LessonProgress, current: Option<&str>) -> Result<Self, String> {
        let lessons = built_in()?;
        let is_next = |lesson: &Arc<Lesson>| match current {
            Some(name) => lesson.name == name,
            None => progress.done(lesson) < lesson.steps.len(),
        };
        let at = lessons.iter().position(is_next).unwrap_or(0);
        let scroll = Scroll::default().on(at);
        Ok(Self { lessons, progress: progress.clone(), scroll })
    }

    /// The lesson under the cursor.
    pub fn selected(&self) -> Option<&Arc<Lesson>> {
        self.lessons.get(self.scroll.cursor())
    }
}

impl Page for LessonList {
    fn list(&mut self, _shared: &Shared) -> Option<CursorList<'_>> {
        let len = self.lessons.len();
        Some(CursorList { scroll: &mut self.scroll, len, head: HEAD, height: len })
    }
}

/// A lesson of the program by its name or its number, and that number.
///
/// # Errors
///
/// If there is none: which there are.
pub fn find(name: &str) -> Result<(usize, Arc<Lesson>), String> {
    let lessons = built_in()?;
    let names = lessons.iter().map(|lesson| lesson.name.as_str()).joined(", ");
    let found = lessons
        .iter()
        .enumerate()
        .find(|(at, lesson)| lesson.name == name || (at + 1).to_string() == name);
    let found = found.map(|(at, lesson)| (at + 1, Arc::clone(lesson)));
    found.ok_or_else(|| format!("no lesson {}; there are {names}", safe(name)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn progress_is_kept_as_text() {
        let progress = LessonProgress::read("byte-order 3\nnonsense\nchunks x\n");
        assert_eq!(progress.text(), "byte-order 3\n");
        let mut progress = LessonProgress::read(&progress.text());
        progress.reached("byte-order", 2);
        progress.reached("chunks", 1);
        assert_eq!(progress.text(), "byte-order 3\nchunks 1\n");
    }
}
