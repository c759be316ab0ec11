//! The text of a lesson, in the form of `script_form.rs`.

use super::{
    ChoiceOfAnswer, Compare, LessonCondition, LessonStep, LessonTask, Question,
    facts::{self, Fact},
};
use crate::app::prelude::*;
use crate::app::script_form::{ScriptLine, at, blocks, seconds, size, unknown};

/// The most steps of a lesson, and the most answers of a question.
const MOST: (usize, usize) = (100, 6);

/// Reads a lesson.
///
/// # Errors
///
/// A sentence that names the line and what was expected there.
pub fn lesson(text: &str) -> Result<Lesson, String> {
    let mut blocks = blocks(text)?.into_iter();
    let head = blocks.next().unwrap_or_default();
    let mut lesson = Lesson::default();
    for (line, name, value) in head {
        match name.as_str() {
            "lesson" => lesson.name = value,
            "title" => lesson.title = value,
            "store" => lesson.store = Some(value),
            "size" => lesson.size = Some(size(&value).map_err(|why| at(line, &why))?),
            "pause" => lesson.pause = Some(seconds(line, &value)?),
            "still" => {
                let step = value.parse().map_err(|_none| at(line, "still needs a number"))?;
                lesson.still = Some(step);
            }
            _ => {
                return Err(unknown(line, &name, "lesson, title, store, size, pause, still"));
            }
        }
    }
    lesson.steps = blocks.map(step).collect::<Result<_, _>>()?;
    match lesson.steps.len() {
        0 => Err("A lesson has at least one step: a line `---`, then `text: …`.".into()),
        count if count > MOST.0 => Err(format!("A lesson has at most {} steps.", MOST.0)),
        count if lesson.still.is_some_and(|still| still == 0 || still > count) => {
            Err(format!("still is a step from 1 to {count}."))
        }
        _ => Ok(lesson),
    }
}

/// One step of its lines.
fn step(entries: Vec<ScriptLine>) -> Result<LessonStep, String> {
    let first = entries.first().map_or(0, |(line, ..)| *line);
    let mut step = LessonStep::default();
    let (mut task, mut question) =
        (None::<LessonTask>, None::<(Question, Option<(usize, String)>)>);
    for (line, name, value) in entries {
        match (name.as_str(), &mut task, &mut question) {
            ("text", ..) => step.text = value,
            ("go", ..) => step.go = Some(value),
            ("start", ..) => step.start = Some(value),
            ("pause", ..) => step.pause = Some(seconds(line, &value)?),
            ("task", None, None) => {
                task = Some(LessonTask { text: value, ..LessonTask::default() });
            }
            ("done", Some(task), _) => task.done = conditions(line, &value)?,
            ("hint", Some(task), _) => task.hint = value,
            ("then", Some(task), _) => task.then = value,
            ("keys", Some(task), _) => task.keys = value,
            ("ask", None, None) => {
                question = Some((Question { text: value, ..Question::default() }, None));
            }
            ("right", _, Some((_, right))) => *right = Some((line, value)),
            (letter, _, Some((question, _))) if letter.len() == 1 => {
                question.answers.push(answer(line, letter, question.answers.len(), &value)?);
            }
            _ => return Err(unknown(line, &name, STEP)),
        }
    }
    step.task = task.map(|task| complete(first, task)).transpose()?;
    step.question = question.map(|(question, right)| chosen(first, question, right)).transpose()?;
    let says = !step.text.is_empty() || step.task.is_some() || step.question.is_some();
    if !says && step.start.is_none() {
        return Err(at(first, "a step needs a text, keys to start with, a task or a question"));
    }
    Ok(step)
}

/// The members of a step.
const STEP: &str = "text, go, start, pause; task, done, hint, then, keys; or ask, a, b, …, right";

fn complete(line: usize, task: LessonTask) -> Result<LessonTask, String> {
    if task.done.is_empty() || task.hint.is_empty() {
        return Err(at(line, "a task needs `done: FACT = VALUE` and `hint: …`"));
    }
    Ok(task)
}

/// `b: little-endian | The other way round: …`.
fn answer(line: usize, letter: &str, before: usize, value: &str) -> Result<ChoiceOfAnswer, String> {
    if before >= MOST.1 || letter_of(before) != letter {
        return Err(at(line, "answers are a, b, c and so on, at most 6"));
    }
    let (text, why) =
        value.split_once(" | ").ok_or_else(|| at(line, "an answer is `TEXT | WHY`"))?;
    Ok(ChoiceOfAnswer { text: text.trim().into(), why: why.trim().into() })
}

/// The letter of an answer.
pub fn letter_of(answer: usize) -> String {
    let letter = u8::try_from(answer).ok().and_then(|at| b'a'.checked_add(at)).unwrap_or(b'?');
    char::from(letter).to_string()
}

fn chosen(
    first: usize,
    mut question: Question,
    right: Option<(usize, String)>,
) -> Result<Question, String> {
    let (line, right) = right.ok_or_else(|| at(first, "a question needs `right: a`"))?;
    let found = (0..question.answers.len()).find(|&answer| letter_of(answer) == right);
    question.right = found.ok_or_else(|| at(line, "`right` names no answer"))?;
    if question.answers.len() < 2 {
        return Err(at(line, "a question needs two answers"));
    }
    Ok(question)
}

/// `node = ocean/packed and byte = 2`.
fn conditions(line: usize, text: &str) -> Result<Vec<LessonCondition>, String> {
    let one = |text: &str| {
        let signs = [(" != ", Compare::IsNot), (" ~ ", Compare::Has), (" = ", Compare::Is)];
        let split = |(sign, compare)| Some((text.split_once(sign)?, compare));
        let found = signs.into_iter().find_map(split);
        let ((name, value), compare) = found.ok_or_else(|| {
            at(line, "a fact is `NAME = VALUE`, `NAME ~ PART` or `NAME != VALUE`")
        })?;
        let names = || facts::FACTS.iter().map(|fact| fact.name).joined(", ");
        let fact = Fact::named(name.trim());
        let fact = fact.ok_or_else(|| unknown(line, name.trim(), &names()))?;
        let is_one = fact.values.is_empty() || fact.values.contains(&value.trim());
        if compare != Compare::Has && !is_one {
            let (name, value, values) = (fact.name, safe(value.trim()), fact.values.join(", "));
            return Err(at(line, &format!("{name} is never {value}; it is one of {values}")));
        }
        Ok(LessonCondition { fact, compare, text: value.trim().to_owned() })
    };
    text.split(" and ").map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SMALL: &str = "lesson: small\ntitle: A title\nstill: 2\n# a remark\n---\ntext: One\n  and two.\ngo: ocean\n\
                         task: Do.\ndone: node = ocean and value ~ 1.5\nhint: So.\nkeys: 2\n---\nask: Which?\n\
                         a: one | No.\nb: two | Yes.\nright: b\n";

    #[test]
    fn a_lesson_is_read() {
        let lesson = lesson(SMALL).unwrap();
        assert_eq!(
            (lesson.name.as_str(), lesson.still, lesson.minutes(), lesson.steps.len()),
            ("small", Some(2), 1, 2)
        );
        assert_eq!(lesson.steps[0].text, "One and two.");
        let task = lesson.steps[0].task.as_ref().unwrap();
        assert_eq!((task.done.len(), task.done[1].compare), (2, Compare::Has));
        let question = lesson.steps[1].question.as_ref().unwrap();
        assert_eq!((question.right, question.answers[0].why.as_str()), (1, "No."));
    }

    #[test]
    fn what_is_no_lesson_names_its_line() {
        for (from, to, said) in [
            ("lesson: small", "lesson small", "line 1: expected `name: text`"),
            ("still: 2", "still: x", "line 3: still needs a number"),
            ("node = ocean", "nod = ocean", "line 10: unknown name nod"),
            ("node = ocean", "node is ocean", "line 10: a fact is"),
            ("hint: So.\n", "", "a task needs"),
            ("right: b", "right: c", "line 17: `right` names no answer"),
            ("b: two | Yes.", "c: two | Yes.", "line 16: answers are a, b, c"),
            ("a: one | No.", "a: one", "line 15: an answer is"),
            ("still: 2", "size: 80", "line 3: COLUMNSxROWS"),
            ("still: 2", "pause: soon", "line 3: a pause is a number"),
            ("still: 2", "still: 3", "still is a step from 1 to 2"),
            ("go: ocean", "pause: -1", "line 8: a pause is a number"),
        ] {
            let why = lesson(&SMALL.replacen(from, to, 1)).unwrap_err();
            assert!(why.contains(said), "{why} for {to}");
        }
        assert!(lesson("lesson: a\ntitle: b\n").unwrap_err().contains("at least one step"));
    }
}
