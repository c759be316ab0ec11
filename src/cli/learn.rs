//! `learn`: the lessons, in the inspector or as a list.

use super::prelude::*;
use super::{inspect, is_interactive, shot::Theme};
use crate::{
    app::lesson::{LessonProgress, built_in},
    tui::{self, lessons},
    worker::state,
};

/// The arguments of `learn`.
#[derive(Debug, Args)]
pub struct Arguments {
    /// The name or the number of a lesson, or a file with a lesson or a lecture of your own [default: the first that is
    /// not done]
    name: Option<String>,
    /// Print the lessons and the progress in each
    #[arg(long)]
    list: bool,
    /// The terminal's background, as for the inspector
    #[arg(long, value_enum, value_name = "dark|light", hide_possible_values = true)]
    theme: Option<Theme>,
}

/// Begins a lesson in the inspector; in a pipe, prints the list.
pub(super) fn run(arguments: &Arguments, output: &mut Output) -> CommandResult {
    let refused = |why: String| Error::new(Code::InvalidArgument, why, "");
    let progress = LessonProgress::read(&state::read(tui::PROGRESS));
    let lessons = built_in().map_err(refused)?;
    let registry = Arc::new(Registry::default());
    let next = lessons.iter().find(|lesson| progress.done(lesson) < lesson.steps.len());
    let next = next.or_else(|| lessons.first()).map(|lesson| lesson.name.clone());
    let name = arguments.name.clone().or(next).unwrap_or_default();
    let lesson = lessons::find(&name, &registry).map_err(refused)?;
    if arguments.list || !is_interactive() {
        for (at, lesson) in lessons.iter().enumerate() {
            let minutes = format!("{} min", lesson.minutes());
            let steps = counted(lesson.steps.len(), "step");
            let done = match progress.done(lesson) {
                0 => String::new(),
                done if done == lesson.steps.len() => "  done".to_owned(),
                done => format!("  step {}", done + 1),
            };
            let line = format!(
                "{} {:<12} {:<52} {steps}  {minutes}{done}",
                at + 1,
                lesson.name,
                lesson.title
            );
            output.line(line.trim_end())?;
        }
        return Ok(ExitStatus::Fine);
    }
    let options =
        tui::Options { lesson: Some(lesson), ..inspect::terminal(arguments.theme, output) };
    tui::run(Path::new(""), &options)?;
    Ok(ExitStatus::Fine)
}
