//! The report on a node: its problems, the worst first, with those of one kind once.

use super::{
    Arguments, causes,
    machine::{self, ReportFormat, SarifResults},
};
use crate::cli::prelude::*;
use crate::{
    app::page::problems::is_document,
    zarr::{FixSequence, Place, check::NotChecked, store::in_natural_order},
};
use std::{cmp::Reverse, collections::btree_map::Entry};

/// The problems of one node, held back until all of them are there: the worst is told first, and each kind
/// once.
#[derive(Default)]
pub(super) struct Told {
    /// The path of the store.
    store: String,
    node: NodePath,
    waiting: Vec<Problem>,
    /// Limits and notes of the whole store: one of each kind.
    folded: BTreeMap<(Reverse<Severity>, Code, String), Folded>,
    /// The errors and warnings that were told, by their text without the file, with the files of which the same is to be said.
    repeated: Vec<OfAKind>,
    known: HashMap<(Severity, String), usize>,
    pub(super) not_checked: NotChecked,
    /// The number of limits.
    pub(super) limits: u64,
    /// The fixes that were printed.
    fixes: Option<FixSequence>,
    pub(super) sarif: SarifResults,
}

impl Told {
    /// Of a store, before anything is told.
    pub(super) fn new(store: String) -> Self {
        Self { store: from_here(store), ..Self::default() }
    }

    pub(super) fn event(
        &mut self,
        event: Event,
        arguments: &Arguments,
        output: &mut Output,
    ) -> Printed {
        match event {
            Event::Problem(node, problem) => match arguments.format() {
                ReportFormat::Text if arguments.fixes => {
                    causes::print_fix(&problem, &mut self.fixes, output)
                }
                ReportFormat::Text => self.take(node, problem, false, output),
                ReportFormat::Json => self.take(node, problem, true, output),
                ReportFormat::Github => machine::annotate(&self.store, &problem, output),
                ReportFormat::Sarif => {
                    self.sarif.add(&self.store, &problem);
                    Ok(())
                }
            },
            Event::Skipped(what, place) => {
                self.not_checked.add(what, &place);
                Ok(())
            }
            Event::Progress(_) | Event::Array(..) => Ok(()),
        }
    }

    fn take(
        &mut self,
        node: NodePath,
        problem: Problem,
        json: bool,
        output: &mut Output,
    ) -> Printed {
        if node != self.node {
            self.flush(json, output)?;
            self.node = node;
        }
        self.limits += u64::from(problem.severity == Severity::Limit);
        self.waiting.push(problem);
        Ok(())
    }

    /// Keeps a limit or a note until all of its kind are there.
    fn fold(&mut self, problem: Problem) {
        // Limits differ in what is lacking.
        let what = match problem.severity {
            Severity::Limit => problem.error.found.clone(),
            _ => String::new(),
        };
        match self.folded.entry((Reverse(problem.severity), problem.error.code, what)) {
            Entry::Vacant(kind) => {
                kind.insert(Folded { first: problem, more: Vec::new(), count: 1 });
            }
            Entry::Occupied(mut kind) => kind.get_mut().add(&problem),
        }
    }

    /// Prints what was held back: what is left of the last node, and the kinds of limits and notes.
    pub(super) fn finish(&mut self, json: bool, output: &mut Output) -> Printed {
        self.flush(json, output)?;
        for OfAKind { first, others } in &self.repeated {
            if !others.is_empty() {
                let place = safe_text(&Place { offset: None, ..first.error.place.clone() });
                let text =
                    format!("The same as in {place}, in {} ({})", named(others), first.error.code);
                output.headed(
                    &format!("{:<9}", first.severity.word()),
                    role(first.severity),
                    &text,
                )?;
            }
        }
        for Folded { mut first, more, count } in mem::take(&mut self.folded).into_values() {
            if count > 1 {
                let places = more.iter().map(|place| safe(place)).joined(", ");
                let rest = count - 1 - more.len() as u64;
                let rest = words::and_more(rest);
                let fix = first.error.fix.take().unwrap_or_default();
                let also = format!("{fix} Others of this kind: {places}{rest}.");
                first.error.fix = Some(also.trim_start().to_owned());
            }
            print(&first, output)?;
        }
        Ok(())
    }

    /// The path of the node, as a command takes it.
    fn path(&self) -> ShellWord {
        let slash = if self.node.0.is_empty() { "" } else { "/" };
        ShellWord::path(Path::new(&format!("{}{slash}{}", self.store, self.node.0)))
    }

    fn flush(&mut self, json: bool, output: &mut Output) -> Printed {
        let mut waiting = mem::take(&mut self.waiting);
        if json {
            return causes::print_json(&waiting, output);
        }
        let file = |problem: &Problem| problem.error.place.file.clone().unwrap_or_default();
        waiting.sort_by(|a, b| {
            let by_file = || in_natural_order(&file(a), &file(b));
            let of_document = |problem: &Problem| is_document(&file(problem));
            b.severity
                .cmp(&a.severity)
                .then_with(|| of_document(b).cmp(&of_document(a)))
                .then_with(|| a.count.cmp(&b.count))
                .then_with(by_file)
        });
        while let Some(at) = waiting.iter().position(|problem| problem.diagnosis.is_some()) {
            let problem = waiting.remove(at);
            let Some(diagnosis) = problem.diagnosis.clone() else { break };
            let follows = causes::take_explained(&mut waiting, &diagnosis);
            causes::print(&problem, &diagnosis, &follows, &self.path(), output)?;
        }
        let (serious, others): (Vec<_>, Vec<_>) =
            waiting.into_iter().partition(|problem| problem.severity >= Severity::Warning);
        for problem in others {
            self.fold(problem);
        }
        by_kind(serious).into_iter().try_for_each(|kind| {
            if self.is_repeated(&kind) { Ok(()) } else { self.print_kind(&kind, output) }
        })
    }

    /// True if the same was told of another node: then it is told at the end in which files it is so, too.
    fn is_repeated(&mut self, OfAKind { first, others }: &OfAKind) -> bool {
        let Some(file) = &first.error.place.file else { return false };
        let mut error = first.error.clone();
        (error.place.file, error.place.offset) = (None, None);
        let at = *self
            .known
            .entry((first.severity, format!("{error} {}", error.code)))
            .or_insert(self.repeated.len());
        if let Some(before) = self.repeated.get_mut(at) {
            before.others.extend(std::iter::once(file).chain(others).cloned());
            return true;
        }
        self.repeated.push(OfAKind { first: first.clone(), others: Vec::new() });
        false
    }

    /// Prints problems of one kind, with the command that reads past wrong checksums.
    fn print_kind(&self, OfAKind { first, others }: &OfAKind, output: &mut Output) -> Printed {
        print(first, output)?;
        if first.error.code == Code::ChecksumMismatch {
            // Not wrapped: a command is copied as one line.
            let command = script!("zarrscope export {} --ignore-checksums", self.path());
            output.script(&script!(
                "         `{}` decodes such chunks; what cannot be decoded is null.",
                command
            ))?;
        }
        if !others.is_empty() {
            indented(&format!("Also in {}", named(others)), output)?;
        }
        Ok(())
    }
}

/// The path from the current directory on, so that parts which know the store by its absolute path say the same.
fn from_here(path: String) -> String {
    let here = env::current_dir().unwrap_or_default();
    match Path::new(&path).strip_prefix(here) {
        Ok(rest) if rest.as_os_str().is_empty() => ".".into(),
        Ok(rest) => rest.to_string_lossy().into_owned(),
        Err(_) => path,
    }
}

/// Prints what is said of the problem above.
pub(super) fn indented(text: &str, output: &mut Output) -> Printed {
    output.headed("         ", None, &safe(text))
}

/// Limits or notes of one kind.
struct Folded {
    first: Problem,
    /// A few places of the others.
    more: Vec<String>,
    /// Their number.
    count: u64,
}

impl Folded {
    fn add(&mut self, problem: &Problem) {
        const NAMED: usize = 3;
        self.count += 1;
        if self.more.len() < NAMED {
            self.more.push(problem.error.place.file.clone().unwrap_or_else(|| "the root".into()));
        }
    }
}

/// Problems of one kind.
struct OfAKind {
    first: Problem,
    /// The files of the others, each with what was found there where that is not what was found in the first.
    others: Vec<String>,
}

/// The number of files, and the first ones.
fn named(files: &[String]) -> String {
    const NAMED: usize = 12;
    let more = files.len().saturating_sub(NAMED);
    let more = words::and_more(more);
    format!("{} more: {}{more}", files.len(), files.iter().take(NAMED).joined(", "))
}

/// Puts problems beside the first of their kind: what is wrong with the same part of other files.
fn by_kind(problems: Vec<Problem>) -> Vec<OfAKind> {
    let mut groups = Vec::<OfAKind>::new();
    let mut known = HashMap::<_, usize>::new();
    for problem in problems {
        let Problem { severity, count, error, .. } = &problem;
        // Each has a sum of its own.
        let has_sum = error.code == Code::ChecksumMismatch;
        let expected = if has_sum { String::new() } else { error.expected.clone() };
        let kind = (*severity, *count, error.code, error.place.field.clone(), expected);
        let group = known.get(&kind).and_then(|&at| groups.get_mut(at));
        if let Some((group, file)) = group.zip(error.place.file.as_ref()) {
            let Error { found, place, .. } = &group.first.error;
            let is_same = (found, place.offset) == (&error.found, error.place.offset);
            let at =
                error.place.offset.map(|offset| format!("byte {offset}: ")).unwrap_or_default();
            let own =
                if is_same || has_sum { String::new() } else { format!(" ({at}{})", error.found) };
            group.others.push(format!("{file}{own}"));
        } else {
            // What is in no file is told by itself.
            if error.place.file.is_some() {
                known.insert(kind, groups.len());
            }
            groups.push(OfAKind { first: problem, others: Vec::new() });
        }
    }
    groups
}

/// A problem as text: severity, kind, place, found, expected, fix.
pub(in crate::cli) fn print(problem: &Problem, output: &mut Output) -> Printed {
    let Problem { severity, error, .. } = problem;
    let text = format!("{} ({})", safe_text(&error), error.code);
    output.headed(&format!("{:<9}", severity.word()), role(*severity), &text)
}

/// The role of the word for it.
fn role(severity: Severity) -> Option<Role> {
    Some(match severity {
        Severity::Error => Role::Error,
        Severity::Warning => Role::Warning,
        Severity::Limit | Severity::Note => Role::Quiet,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_findings_are_put_together() {
        let count = 16_000;
        let problem = |at: usize| {
            let found =
                if at.is_multiple_of(2) { "the same".into() } else { format!("other {at}") };
            let error = Error::new(Code::ChunkTruncated, found, "").in_file(format!("c/{at}"));
            Problem::new(error)
        };
        let problems: Vec<_> = (0..count).map(problem).collect();
        let groups = by_kind(problems);
        let others = |group: &OfAKind| group.others.clone();
        let others: Vec<String> = groups.first().map(others).unwrap_or_default();
        assert_eq!((groups.len(), others.len()), (1, count - 1));
        assert_eq!(others[..2], ["c/1 (other 1)", "c/2"]);
    }

    #[test]
    fn equal_findings_without_a_file_are_each_told() {
        let problem = || Problem::failed(Error::new(Code::ChunkTruncated, "the same", ""));
        assert_eq!(by_kind(vec![problem(), problem()]).len(), 2);
    }
}
