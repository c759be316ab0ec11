//! A lesson: the strip above the views, and the list of lessons.

use crate::app::lesson::{
    LessonList,
    parse::letter_of,
    run::{NextPress, StepState},
};
use crate::tui::prelude::*;

/// The strip of a lesson that is under way.
pub struct StripView<'a> {
    /// The state.
    pub app: &'a App,
    /// The lesson.
    pub run: &'a LessonRun,
    /// Lines and columns for its text, as [`crate::tui::panes::lesson_size`] says.
    pub size: Size,
}

impl Widget for StripView<'_> {
    fn render(self, area: Rect, buf: &mut Buffer) {
        let mut rows = area.rows();
        let Some(head) = rows.next() else { return };
        self.head(head.width.into()).render(head, buf);
        let shown = self.run.shown(self.size);
        for (text, row) in shown.iter().zip(rows.by_ref()) {
            let style = if text.starts_with("Task:") || text.starts_with("Predict:") {
                STRONG
            } else if text.starts_with(signs::RIGHT) {
                FINE
            } else if text.starts_with(signs::ERROR) {
                WARNING
            } else {
                PLAIN
            };
            let room = usize::from(row.width).saturating_sub(2);
            Line::from(vec![
                styled(signs::LESSON, MARK),
                styled(cut(&format!(" {}", safe(text)), room), style),
            ])
            .render(row, buf);
        }
        if usize::from(area.height) > self.size.rows() {
            let y = area.bottom().saturating_sub(1);
            super::rule(Rect { y, height: 1, ..area }, "", QUIET, buf);
        }
    }
}

impl StripView<'_> {
    /// The line of the lesson, its step, and the effect of `;`.
    fn head(&self, width: usize) -> Line {
        let run = self.run;
        let number = run.number.map(|number| format!("{number} ")).unwrap_or_default();
        let state = match run.state {
            StepState::Done => " done",
            _ if run.has_open_task() => " not done yet",
            _ => "",
        };
        let title = format!("{} {number}{}", signs::LESSON, safe(&run.lesson.title));
        let step = format!("   step {} of {}{state}", run.at + 1, run.lesson.steps.len());
        // Where one types, a semicolon is typed.
        let is_typing = self.app.contexts().first().is_some_and(|context| context.is_typing());
        let press = run.next_press(self.size);
        let answers = run.step().and_then(|step| step.question.as_ref());
        let last = answers.map_or(0, |question| question.answers.len().saturating_sub(1));
        let key = match press {
            NextPress::Answer if !is_typing => format!("a–{}", letter_of(last)),
            _ => if is_typing { "F2" } else { ";" }.to_owned(),
        };
        let word = press.word();
        let next = format!("{key} {word}   [l back   :learn off ");
        let short = format!("{key} {word} ");
        let next =
            if title.width() + step.width() + next.width() + 2 <= width { next } else { short };
        // Two blanks part what is done from what can be done.
        let room = width.saturating_sub(next.width() + 2);
        let title = cut(&title, room.saturating_sub(step.width()));
        let gap = room.saturating_sub(title.width() + step.width());
        Line::from(vec![
            styled(title, TITLE),
            quiet(step),
            Span::raw(" ".repeat(gap + 2)),
            styled(next, KEY),
        ])
    }
}

/// The list of lessons.
pub fn list_of_lessons(list: &LessonList, size: Size) -> Vec<Line> {
    let lessons = list.lessons.iter().map(|it| (it, list.progress.done(it)));
    let done = lessons.clone().filter(|(lesson, done)| *done == lesson.steps.len()).count();
    let title = format!(" {done} of {} done", list.lessons.len());
    let widest = widest(&list.lessons, |lesson| lesson.title.width());
    let mut lines = vec![Line::styled(title, TITLE), Line::default()];
    let rows = list.scroll.in_sight(usize::MAX, lessons.enumerate());
    lines.extend(rows.map(|(here, (at, (one, done)))| lesson(one, at, done, here, widest)));
    lines.push(Line::default());
    let notes = [
        "Enter starts or continues a lesson on the sample stores; Esc closes the list.",
        "; goes on, [l goes back, :learn off leaves. The views keep all their keys.",
    ];
    let room = usize::from(size.width).saturating_sub(2);
    lines.extend(notes.into_iter().flat_map(|text| prose(" ", text, room, QUIET)));
    lines
}

/// A lesson of the list: its title, how long it is, and how far it was taken.
fn lesson(lesson: &Lesson, at: usize, done: usize, here: bool, widest: usize) -> Line {
    let is_done = done == lesson.steps.len();
    let minutes = format!("{:>3} min", lesson.minutes());
    let is_begun = done > 0 && !is_done;
    let next = if is_begun { format!("   step {}", done + 1) } else { String::new() };
    let about = format!("   {:<9}{minutes}{next}", counted(lesson.steps.len(), "step"));
    Line::from(vec![
        theme::mark(here),
        styled(format!("{} ", if is_done { signs::RIGHT } else { " " }), FINE),
        quiet(format!("{}  ", at + 1)),
        styled(left(&lesson.title, widest), theme::row(here.then_some(true))),
        quiet(about),
    ])
}
