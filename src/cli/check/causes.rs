//! Causes as text: the sentence, what speaks for it, what would mend it, and what follows from it.

use super::Output;
use crate::cli::prelude::*;
use crate::zarr::{Change, DocumentEdit, FixSequence};

/// Columns before the text.
const INDENT: usize = 9;
/// Columns of a label.
const LABEL: usize = 10;

/// Prints a cause, with the problems that follow from it.
pub(super) fn print(
    problem: &Problem,
    diagnosis: &Diagnosis,
    follows: &[Problem],
    path: &ShellWord,
    output: &mut Output,
) -> Printed {
    let role = if problem.severity == Severity::Error { Role::Error } else { Role::Warning };
    let place = problem.error.place.to_string();
    let place = if place.is_empty() { place } else { format!("{place}: ") };
    let label = diagnosis.label();
    let head = format!("{place}{label}: {} ({})", diagnosis.sentence, diagnosis.cause.word());
    let word = format!("{:<INDENT$}", problem.severity.word());
    output.headed(&word, Some(role), &safe(&head))?;
    for (at, sentence) in diagnosis.evidence.iter().enumerate() {
        labelled(if at == 0 { "evidence" } else { "" }, sentence, output)?;
    }
    mend(diagnosis, output)?;
    trial(diagnosis, path, output)?;
    following(follows, output)
}

/// Prints the fix, with the findings that it leaves, and what is to be done where there is none.
fn mend(diagnosis: &Diagnosis, output: &mut Output) -> Printed {
    match diagnosis.fix() {
        None => {}
        Some(Change::Metadata(_, edits)) => {
            for DocumentEdit { document, diff, .. } in edits {
                labelled("fix", &format!("edit {document}:"), output)?;
                for line in diff.changes() {
                    output.line(&format!("{:INDENT$}{:<LABEL$}{}", "", "", safe(line)))?;
                }
            }
        }
        Some(change) => commands("fix", &change.script(), output)?,
    }
    if let Some(left) = diagnosis.left_in_words() {
        labelled("  tried", &left, output)?;
    }
    for (at, line) in diagnosis.to_do.iter().flat_map(|text| text.lines()).enumerate() {
        labelled(if at == 0 { "to do" } else { "" }, line, output)?;
    }
    Ok(())
}

/// The command that tries a cause, and what a chunk then reads.
fn trial(diagnosis: &Diagnosis, path: &ShellWord, output: &mut Output) -> Printed {
    if let Some(what_if) = diagnosis.what_if() {
        let command = script!("zarrscope export {} {}", *path, what_if.options());
        commands("what if", &command, output)?;
    }
    if let Some((before, after)) = &diagnosis.before_and_after {
        labelled("  before", before, output)?;
        labelled("  after", after, output)?;
    }
    Ok(())
}

/// Prints the problems that follow from a cause: the number of each kind, and the first places.
fn following(follows: &[Problem], output: &mut Output) -> Printed {
    let mut kinds = BTreeMap::<_, (u64, Vec<&str>)>::new();
    for problem in follows {
        let (count, files) = kinds.entry(problem.error.code).or_default();
        *count += problem.count;
        let file = problem.error.place.file.as_deref().filter(|file| !file.is_empty());
        files.extend(file.filter(|_| problem.count == 1));
    }
    for (code, (count, files)) in kinds {
        let first = files.iter().take(3).copied().joined(", ");
        let more = if count > 3 { " …" } else { "" };
        let first = if first.is_empty() { first } else { format!(": {first}{more}") };
        let text = format!("{} of kind {code}{first}", counted(count, "finding"));
        labelled("explains", &text, output)?;
    }
    Ok(())
}

/// Prints the fix of a store, as lines that a shell takes, and `patch -p1` as well: comments, diffs, commands.
pub(super) fn print_fix(
    problem: &Problem,
    before: &mut Option<FixSequence>,
    output: &mut Output,
) -> Printed {
    let Some(diagnosis) = problem.diagnosis.as_ref() else { return Ok(()) };
    if diagnosis.fix().is_none() && diagnosis.to_do.is_none() {
        return Ok(());
    }
    if before.is_none() {
        output.script(&script!(
            "# These change the store, one after the other: try them on a copy, in its folder.\n"
        ))?;
    }
    let before = before.get_or_insert_default();
    let cause = format!("{}: {}", diagnosis.label(), diagnosis.sentence);
    output.script(&ShellScript::comment(&cause))?;
    if let Some(fix) = diagnosis.fix() {
        output.script(&before.script(fix))?;
    }
    for line in diagnosis.to_do.iter().flat_map(|text| text.lines()) {
        output.script(&ShellScript::comment(&format!("to do: {line}")))?;
    }
    output.line("")
}

fn labelled(label: &str, text: &str, output: &mut Output) -> Printed {
    output.headed(&format!("{:INDENT$}{label:<LABEL$}", ""), None, &safe(text))
}

/// Lines to be copied: they are not wrapped, and stay as they are where the terminal shows ASCII only.
fn commands(label: &str, script: &ShellScript, output: &mut Output) -> Printed {
    for (at, line) in script.lines().enumerate() {
        let label = if at == 0 { label } else { "" };
        writeln!(output.raw(), "{:INDENT$}{label:<LABEL$}{line}", "")?;
    }
    Ok(())
}

/// Prints the problems of a node as JSON lines, in the order in which they were found; what follows from a cause says
/// so.
pub(super) fn print_json(problems: &[Problem], output: &mut Output) -> Printed {
    let causes: Vec<&Diagnosis> =
        problems.iter().filter_map(|problem| problem.diagnosis.as_deref()).collect();
    for problem in problems {
        let mut form = json_forms::problem(problem);
        let cause = causes.iter().find(|cause| cause.explains(&problem.error));
        if let Some(cause) = cause.filter(|_| problem.diagnosis.is_none()) {
            form.set("follows_from", cause.cause.word());
        }
        output.json_line(&form)?;
    }
    Ok(())
}

/// Takes out of `problems` those that follow from `diagnosis`.
pub(super) fn take_explained(problems: &mut Vec<Problem>, diagnosis: &Diagnosis) -> Vec<Problem> {
    let (explained, rest) = mem::take(problems)
        .into_iter()
        .partition(|problem| problem.diagnosis.is_none() && diagnosis.explains(&problem.error));
    *problems = rest;
    explained
}
