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

/// A subject: its name, what its page is about, and the page; empty for the keys, which are in a table of their own.
type ExplainedSubject = [&'static str; 3];

/// Every subject, in the order in which they are listed.
const SUBJECTS: [ExplainedSubject; 4] = [
    ["keys", "every key of the inspector", ""],
    [
        "cluster",
        "check, stats and digest on many machines: --partition, --merge",
        include_str!("explain/cluster.txt"),
    ],
    [
        "limits",
        "memory, decoded sizes and the variables of the environment",
        include_str!("explain/limits.txt"),
    ],
    ["storage", "stores on S3, Google Cloud, Azure and HTTP", include_str!("explain/storage.txt")],
];

/// Prints the page of a subject, or the list of all.
pub(super) fn run(arguments: &Arguments, output: &mut Output) -> CommandResult {
    let Some(name) = &arguments.subject else {
        let rows = SUBJECTS.map(|[name, about, _]| vec![Cell::new(name), Cell::new(about)]);
        table::write(output, &rows)?;
        lookup::list("", output)?;
        return Ok(ExitStatus::Fine);
    };
    match SUBJECTS.iter().find(|[subject, ..]| subject == name) {
        Some([_, _, ""]) => keys::print(arguments.json, output)?,
        Some([_, _, text]) => page(text, arguments.json, output)?,
        None if lookup::print(name, arguments.json, output)? => {}
        None if lookup::list(name, output)? => {}
        None => return Err(unknown(name).into()),
    }
    Ok(ExitStatus::Fine)
}

/// True if `word` is a subject, so that `--help WORD` prints its page.
pub(super) fn is_subject(word: &str) -> bool {
    SUBJECTS.iter().any(|[subject, ..]| *subject == word)
}

fn unknown(name: &str) -> Error {
    let error = Error::new(Code::NoSuchPlace, format!("{} has no page", quoted(name)), "");
    let names = SUBJECTS.iter().map(|[name, ..]| *name).chain(lookup::names());
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
