//! `explain`: pages on what is no store: the keys, work on a cluster, limits, stores far away, and every finding, data
//! type, codec and sign.
//!
//! `zarrscope --help SUBJECT` prints the same pages. A subject is a row of [`SUBJECTS`]; the others are in
//! `explain/lookup.rs`.

use super::nearest::nearest;
use super::prelude::*;

mod keys;
mod lookup;

/// The arguments of `explain`.
#[derive(Debug, Args)]
pub struct Arguments {
    /// The subject: keys, cluster, limits, storage, a finding, a data type, a codec or a sign; or a word to search for
    /// [default: the list of subjects]
    subject: Option<String>,
    /// Print one JSON document
    #[arg(long, requires = "subject")]
    json: bool,
}

/// A subject: its name, what its page is about, and what prints that; true: as JSON.
struct ExplainedSubject {
    name: &'static str,
    about: &'static str,
    print: fn(bool, &mut Output) -> Printed,
}

/// Every subject, in the order in which they are listed.
const SUBJECTS: [ExplainedSubject; 4] = [
    ExplainedSubject { name: "keys", about: "every key of the inspector", print: keys::print },
    ExplainedSubject {
        name: "cluster",
        about: "check, stats and digest on many machines: --partition, --merge",
        print: |json, output| page(include_str!("explain/cluster.txt"), json, output),
    },
    ExplainedSubject {
        name: "limits",
        about: "memory, decoded sizes and the variables of the environment",
        print: |json, output| page(include_str!("explain/limits.txt"), json, output),
    },
    ExplainedSubject {
        name: "storage",
        about: "stores on S3, Google Cloud, Azure and HTTP",
        print: |json, output| page(include_str!("explain/storage.txt"), json, output),
    },
];

/// Prints the page of a subject, or the list of all.
pub(super) fn run(arguments: &Arguments, output: &mut Output) -> CommandResult {
    let Some(name) = &arguments.subject else {
        table::write(
            output,
            &SUBJECTS
                .iter()
                .map(|subject| vec![Cell::new(subject.name), Cell::new(subject.about)])
                .collect::<Vec<_>>(),
        )?;
        lookup::list("", output)?;
        return Ok(ExitStatus::Fine);
    };
    let subject = SUBJECTS.iter().find(|subject| subject.name == name);
    let is_known = match subject {
        Some(subject) => (subject.print)(arguments.json, output).map(|()| true)?,
        None => lookup::print(name, arguments.json, output)?,
    };
    if !is_known && !lookup::list(name, output)? {
        return Err(unknown(name).into());
    }
    Ok(ExitStatus::Fine)
}

/// True if `word` is a subject, so that `--help WORD` prints its page.
pub(super) fn is_subject(word: &str) -> bool {
    SUBJECTS.iter().any(|subject| subject.name == word)
}

fn unknown(name: &str) -> Error {
    let error = Error::new(Code::NoSuchPlace, format!("{} has no page", quoted(name)), "");
    let names = SUBJECTS.iter().map(|subject| subject.name).chain(lookup::names());
    error.with_fix(match nearest(name, names) {
        Some(near) => format!("Did you mean {near}?"),
        None => "`zarrscope explain` lists the subjects.".to_owned(),
    })
}

/// Prints a page of text; as JSON, a string.
fn page(text: &str, json: bool, output: &mut Output) -> Printed {
    if json {
        return output.json(&text.into());
    }
    text.lines().try_for_each(|line| output.line(line))
}
