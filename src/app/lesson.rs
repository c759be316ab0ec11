//! Lessons: a text with tasks and questions, beside the views that it is about.
//!
//! A lesson is a text file. Tasks are checked by what is on show, so that any way there counts. A lesson of texts and keys
//! alone is what pictures and lectures are made of.
//!
//! | file | what is in it |
//! | --- | --- |
//! | [`parse`] | the text of a lesson as steps |
//! | [`facts`] | what is on show, by name: what tasks are checked against |
//! | [`run`] | a lesson under way: its step, its answers, what the strip says |
//! | [`list()`] | the lessons carried in the program, and how far each has been taken |

use super::prelude::*;

pub mod facts;
pub mod list;
pub mod parse;
pub mod run;

pub use list::{LessonList, LessonProgress};
pub use run::LessonRun;

/// A lesson.
#[derive(Debug, Clone, Default)]
pub struct Lesson {
    /// Its name in commands, such as `byte-order`.
    pub name: String,
    /// Its title.
    pub title: String,
    /// The store that it is about, from the folder of its file on; `None` for the sample stores in the program.
    pub store: Option<String>,
    /// Columns and rows of its pictures.
    pub size: Option<(u16, u16)>,
    /// In a picture that moves, the time between two keys.
    pub pause: Option<Duration>,
    /// The step whose end is shown where a picture cannot move, from 1 on; without it, the last.
    pub still: Option<usize>,
    /// Its steps; never none.
    pub steps: Vec<LessonStep>,
}

/// A step of a lesson.
#[derive(Debug, Clone, Default)]
pub struct LessonStep {
    /// The text.
    pub text: String,
    /// The node or chunk that is gone to when the step begins.
    pub go: Option<String>,
    /// The keys that are pressed then, as scripts write them.
    pub start: Option<String>,
    /// The task.
    pub task: Option<LessonTask>,
    /// The question.
    pub question: Option<Question>,
    /// In a picture that moves, the time after its last key.
    pub pause: Option<Duration>,
}

/// Something to do.
#[derive(Debug, Clone, Default)]
pub struct LessonTask {
    /// The task, a sentence.
    pub text: String,
    /// The conditions that are then true.
    pub done: Vec<LessonCondition>,
    /// The hint at how it is done.
    pub hint: String,
    /// The text to show when it is done.
    pub then: String,
    /// Keys that do it, for whoever tests the lesson.
    pub keys: String,
}

/// A question with answers to choose from: predict first, then see.
#[derive(Debug, Clone, Default)]
pub struct Question {
    /// The question.
    pub text: String,
    /// The answers, at least two; `a` is the first.
    pub answers: Vec<ChoiceOfAnswer>,
    /// The right one.
    pub right: usize,
}

/// One answer of a question.
#[derive(Debug, Clone)]
pub struct ChoiceOfAnswer {
    /// The answer.
    pub text: String,
    /// The reason why it is right, or wrong.
    pub why: String,
}

/// A fact that must hold.
#[derive(Debug, Clone)]
pub struct LessonCondition {
    /// The fact.
    pub fact: &'static facts::Fact,
    /// The comparison.
    pub compare: Compare,
    /// The text to compare with.
    pub text: String,
}

/// The way in which a fact is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Compare {
    /// `=`: it is this.
    Is,
    /// `~`: it has this in it.
    Has,
    /// `!=`: it is something else.
    IsNot,
}

impl Lesson {
    /// About how many minutes it takes: reading its words, doing its tasks, and looking at what comes of them.
    pub fn minutes(&self) -> usize {
        /// Words that are read in a minute, with an eye on the screen.
        const WORDS: usize = 130;
        let words = |text: &str| text.split_whitespace().count();
        let step = |step: &LessonStep| {
            let task = step.task.as_ref();
            let task = task.map_or(0, |task| words(&task.text) + words(&task.then) + WORDS / 2);
            let asked = |question: &Question| {
                let answers = question.answers.iter();
                words(&question.text)
                    + answers.map(|it| words(&it.text) + words(&it.why)).sum::<usize>()
                    + WORDS / 4
            };
            words(&step.text) + task + step.question.as_ref().map_or(0, asked)
        };
        self.steps.iter().map(step).sum::<usize>().div_ceil(WORDS)
    }
}

/// The lessons that the program carries, in the order in which they are best taken.
///
/// # Errors
///
/// If one of them is no lesson, which a test excludes.
pub fn built_in() -> Result<Vec<Arc<Lesson>>, String> {
    const TEXTS: [&str; 8] = [
        include_str!("../lessons/chunks.txt"),
        include_str!("../lessons/data-types.txt"),
        include_str!("../lessons/byte-order.txt"),
        include_str!("../lessons/fill-values.txt"),
        include_str!("../lessons/strings.txt"),
        include_str!("../lessons/codecs.txt"),
        include_str!("../lessons/shards.txt"),
        include_str!("../lessons/faults.txt"),
    ];
    TEXTS.into_iter().map(|text| parse::lesson(text).map(Arc::new)).collect()
}
