//! A lesson under way: which step, what was answered, and what the strip says.

use super::{LessonStep, Question, parse::letter_of};
use crate::app::prelude::*;
use crate::app::{
    held::HeldInputs,
    lesson::{LessonList, list},
};
use unicode_width::UnicodeWidthStr as _;

const NO_LESSON: &str = "no lesson is under way; :learn lists them";

/// A lesson that is being taken.
#[derive(Clone)]
pub struct LessonRun {
    /// The lesson.
    pub lesson: Arc<Lesson>,
    /// Its number among those in the program, from 1 on.
    pub number: Option<usize>,
    /// The step on show.
    pub at: usize,
    /// The page of what the strip says.
    page: usize,
    /// The state of the step.
    pub state: StepState,
}

/// The state of a step.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum StepState {
    /// It is open.
    #[default]
    Open,
    /// Its task is not done, and the hint is on show.
    Hinted,
    /// Its task is done.
    Done,
    /// Its question was answered so.
    Answered(usize),
}

/// The effect of the next press of `;`.
#[derive(Clone, Copy)]
pub enum NextPress {
    /// Shows more of what is said.
    More,
    /// Takes an answer.
    Answer,
    /// Shows the hint.
    Hint,
    /// Leaves the task undone.
    Skip,
    /// Goes to the next step.
    Next,
    /// Ends the lesson.
    Finish,
}

impl NextPress {
    /// In a word.
    pub const fn word(self) -> &'static str {
        match self {
            Self::More => "more",
            Self::Answer => "answer",
            Self::Hint => "hint",
            Self::Skip => "skip",
            Self::Next => "next",
            Self::Finish => "finish",
        }
    }
}

/// The columns of the strip that are no text: its sign and a margin.
const MARGIN: usize = 3;

impl LessonRun {
    /// The step on show.
    pub fn step(&self) -> Option<&LessonStep> {
        self.lesson.steps.get(self.at)
    }

    /// The text of the strip for lines of `width` columns: paragraphs, and what is kept together of them.
    fn paragraphs(step: &LessonStep, state: StepState, width: usize) -> Vec<Vec<String>> {
        let mut paragraphs: Vec<String> = Vec::new();
        match (state, &step.task, &step.question) {
            (StepState::Done, Some(task), _) => {
                paragraphs
                    .push(format!("{} Done. {}", signs::RIGHT, task.then).trim_end().to_owned());
            }
            (StepState::Answered(answer), _, Some(question)) => {
                let says = |sign: &str, at: usize| {
                    let answer = question.answers.get(at)?;
                    let end = if answer.text.ends_with(['.', '!', '?']) { "" } else { "." };
                    Some(format!("{sign} {}  {}{end} {}", letter_of(at), answer.text, answer.why))
                };
                let wrong = (answer != question.right).then_some(answer);
                paragraphs.extend(wrong.and_then(|answer| says(signs::ERROR, answer)));
                paragraphs.extend(says(signs::RIGHT, question.right));
            }
            (StepState::Hinted, Some(task), _) => {
                let lines = [format!("Task: {}", task.text), format!("Hint: {}", task.hint)];
                paragraphs.extend(lines);
            }
            (_, task, question) => {
                paragraphs.extend((!step.text.is_empty()).then(|| step.text.clone()));
                paragraphs.extend(task.as_ref().map(|task| format!("Task: {}", task.text)));
                let mut blocks: Vec<_> = paragraphs.into_iter().map(|text| vec![text]).collect();
                blocks.extend(question.as_ref().map(|question| asked(question, width)));
                return blocks;
            }
        }
        paragraphs.into_iter().map(|text| vec![text]).collect()
    }

    /// The lines that the longest step takes, those of its head left out: a view that moved with each step would be hard
    /// to look at.
    pub fn rows_wanted(&self, width: u16) -> usize {
        let width = usize::from(width).saturating_sub(MARGIN).max(20);
        let lines = |step: &LessonStep, state| -> usize {
            let blocks = Self::paragraphs(step, state, width);
            blocks.concat().iter().map(|text| wrap(text, width).len()).sum()
        };
        let most = |step: &LessonStep| {
            let answers = step.question.as_ref().map_or(0, |question| question.answers.len());
            let states = [StepState::Open, StepState::Hinted, StepState::Done].into_iter();
            let states = states.chain((0..answers).map(StepState::Answered));
            states.map(|state| lines(step, state)).max()
        };
        self.lesson.steps.iter().filter_map(most).max().unwrap_or(0)
    }

    /// The pages of what is said, in a strip of `size`; never none.
    fn pages(&self, size: Size) -> Vec<Vec<String>> {
        let room = size.rows().saturating_sub(1).max(1);
        let width = usize::from(size.width).saturating_sub(MARGIN).max(20);
        let mut pages = vec![Vec::new()];
        let blocks = self.step().map(|step| Self::paragraphs(step, self.state, width));
        for block in blocks.unwrap_or_default() {
            let lines: Vec<_> = block.iter().flat_map(|text| wrap(text, width)).collect();
            // A paragraph that fits on one page is not spread over two.
            let used = pages.last().map_or(0, Vec::len);
            if used > 0 && used + lines.len() > room && lines.len() <= room {
                pages.push(Vec::new());
            }
            for line in lines {
                if pages.last().is_none_or(|page| page.len() == room) {
                    pages.push(Vec::new());
                }
                pages.last_mut().into_iter().for_each(|page| page.push(line.clone()));
            }
        }
        pages
    }

    /// The lines on show in a strip of `size`.
    pub fn shown(&self, size: Size) -> Vec<String> {
        let pages = self.pages(size);
        let page = self.page.min(pages.len().saturating_sub(1));
        pages.into_iter().nth(page).unwrap_or_default()
    }

    /// True if more is said than is on show.
    pub fn has_more(&self, size: Size) -> bool {
        self.page + 1 < self.pages(size).len()
    }

    /// The effect of the next press of `;`.
    pub fn next_press(&self, size: Size) -> NextPress {
        let Some(step) = self.step() else { return NextPress::Finish };
        match self.state {
            _ if self.has_more(size) => NextPress::More,
            StepState::Open if step.question.is_some() => NextPress::Answer,
            StepState::Open if step.task.is_some() => NextPress::Hint,
            StepState::Hinted => NextPress::Skip,
            _ if self.at + 1 == self.lesson.steps.len() => NextPress::Finish,
            _ => NextPress::Next,
        }
    }

    /// True if the step waits for something that is to be done.
    pub fn has_open_task(&self) -> bool {
        let waits = matches!(self.state, StepState::Open | StepState::Hinted);
        waits && self.step().is_some_and(|step| step.task.is_some())
    }

    /// True if the question of the step waits for its answer.
    pub fn asks(&self) -> bool {
        self.state == StepState::Open && self.step().is_some_and(|step| step.question.is_some())
    }

    fn turn_to(&mut self, state: StepState) {
        (self.state, self.page) = (state, 0);
    }
}

/// A question, and its answers: beside each other where there is room.
fn asked(question: &Question, width: usize) -> Vec<String> {
    let answers = question.answers.iter().enumerate();
    let answers = answers.map(|(at, answer)| format!("{}  {}", letter_of(at), answer.text));
    let mut paragraphs: Vec<String> = answers.collect();
    let beside = paragraphs.join("     ");
    if beside.width() <= width {
        paragraphs = vec![beside];
    }
    paragraphs.insert(0, format!("Predict: {}", question.text));
    paragraphs
}

impl App {
    /// Begins a lesson at a step, the number of the lesson being that among those of the program.
    pub fn begin_lesson(&mut self, lesson: &Arc<Lesson>, number: Option<usize>, step: usize) {
        self.show_step(lesson, number, step);
        self.begin_step();
    }

    /// Shows a step of a lesson, without going to its place and pressing its keys.
    pub fn show_step(&mut self, lesson: &Arc<Lesson>, number: Option<usize>, step: usize) {
        let at = step.min(lesson.steps.len().saturating_sub(1));
        self.lesson = Some(LessonRun {
            lesson: Arc::clone(lesson),
            number,
            at,
            page: 0,
            state: StepState::Open,
        });
    }

    /// Carries out `:learn` and the words after it.
    pub(in crate::app) fn learn(&mut self, name: &str) {
        match name {
            "" => {
                let current = self.lesson.as_ref().map(|run| run.lesson.name.clone());
                match LessonList::new(&self.progress, current.as_deref()) {
                    Ok(list) => self.push_overlay(Overlay::Lessons(list)),
                    Err(why) => self.shared.fail(why),
                }
            }
            "off" if self.lesson.is_none() => self.shared.say("no lesson is under way"),
            "off" => {
                self.lesson = None;
                self.shared.effects.push(Effect::EndLesson);
            }
            _ => match list::find(name) {
                Ok((number, lesson)) if self.has_samples => {
                    let step = self.progress.step_of(&lesson);
                    self.begin_lesson(&lesson, Some(number), step);
                }
                _ => self.shared.effects.push(Effect::Learn(name.to_owned())),
            },
        }
    }

    /// Goes on in the lesson.
    pub(in crate::app) fn act_in_lesson(&mut self) {
        let size = self.shared.geometry.lesson;
        let Some(run) = &mut self.lesson else { return self.shared.say(NO_LESSON) };
        match run.next_press(size) {
            NextPress::More => run.page += 1,
            NextPress::Answer => self.answer(usize::MAX),
            NextPress::Hint => run.turn_to(StepState::Hinted),
            NextPress::Skip | NextPress::Next | NextPress::Finish => self.next_step(),
        }
    }

    /// Goes to the next step of the lesson, or back to the one before.
    pub(in crate::app) fn step_lesson(&mut self, way: Direction) {
        let Some(run) = &mut self.lesson else { return self.shared.say(NO_LESSON) };
        if way.is_next() {
            return self.next_step();
        }
        run.at = run.at.saturating_sub(1);
        self.begin_step();
    }

    /// Takes an answer, the first being 0; says what the answers are if there are fewer.
    pub(in crate::app) fn answer(&mut self, answer: usize) {
        let Some(run) = self.lesson.as_mut().filter(|run| run.asks()) else { return };
        let answers = run.step().and_then(|step| step.question.as_ref());
        let answers = answers.map_or(0, |question| question.answers.len());
        if answer < answers {
            return run.turn_to(StepState::Answered(answer));
        }
        let letters: Vec<_> = (0..answers).map(letter_of).collect();
        let (last, others) = letters.split_last().map_or(("", &[][..]), |(a, b)| (a.as_str(), b));
        self.shared.say(format!("Type {} or {last}.", others.join(", ")));
    }

    fn next_step(&mut self) {
        let Some(run) = &mut self.lesson else { return };
        run.at += 1;
        let (name, at, steps) = (run.lesson.name.clone(), run.at, run.lesson.steps.len());
        let listed = run.number.is_some();
        if listed {
            self.progress.reached(&name, at);
            self.shared.effects.push(Effect::KeepProgress(self.progress.text()));
        }
        if at < steps {
            return self.begin_step();
        }
        self.lesson = None;
        self.shared.say("The lesson is done.");
        if listed {
            self.learn("");
        } else {
            self.shared.effects.push(Effect::EndLesson);
        }
    }

    /// Goes where the step on show begins, and presses its keys.
    fn begin_step(&mut self) {
        let Some(run) = &mut self.lesson else { return };
        run.turn_to(StepState::Open);
        let Some(step) = run.step().cloned() else { return };
        if step.go.is_some() || step.start.is_some() {
            self.close_overlays();
            self.shared.focus = Focus::Tree;
        }
        let go = step.go.map(|place| format!(":go {place}<enter>")).unwrap_or_default();
        let keys = format!("{go}{}", step.start.unwrap_or_default());
        if !keys.is_empty() {
            self.shared.effects.push(Effect::Guide(keys));
        }
    }

    /// From now on keys are pressed by a lesson, not by the user, or the other way round; what a lesson's keys still wait
    /// for is dropped then.
    pub fn guide(&mut self, is_guided: bool) {
        if self.is_guided && !is_guided {
            self.held = HeldInputs::default();
        }
        self.is_guided = is_guided;
    }

    /// True if the last key was one of a lesson.
    pub fn is_guided(&self) -> bool {
        self.is_guided
    }

    /// Takes out of `effects` what the keys of a lesson must not ask for: its file may be a stranger's.
    pub(in crate::app) fn only_looking(&mut self, effects: Vec<Effect>) -> Vec<Effect> {
        let (refused, kept): (Vec<_>, Vec<_>) =
            effects.into_iter().partition(Effect::needs_a_person);
        for effect in &refused {
            if let Effect::Run(job) = effect {
                self.shared.set_busy(job.lane, false);
            }
            let why = "the keys of a lesson only look: they cannot write, copy, or start anything";
            self.shared.fail(why);
        }
        kept
    }

    /// Sees whether the task of the step on show is done.
    pub(in crate::app) fn check_task(&mut self) {
        let Some(run) = self.lesson.as_ref().filter(|run| run.has_open_task()) else { return };
        let task = run.step().and_then(|step| step.task.as_ref());
        let is_done = task.is_some_and(|task| self.holds(&task.done));
        if let Some(run) = self.lesson.as_mut().filter(|_| is_done) {
            run.turn_to(StepState::Done);
        }
    }
}
