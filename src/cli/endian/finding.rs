//! The finding on one array or chunk file, as text and as JSON.

use super::super::chunk_file::hint::Hint;
use crate::cli::prelude::*;
use crate::zarr::byte_order::{Certainty, Readings, Verdict};

const INDENT: &str = "    ";

/// The finding on one array or chunk file.
pub(super) struct Finding {
    /// The path that was typed, and below it the array's.
    name: String,
    /// The data type's short name.
    data_type: Option<String>,
    /// The keys of the chunks that were looked at.
    chunks: Vec<String>,
    /// The number of chunks of the array; 0 where there is no array.
    of: u128,
    /// A few values in both orders.
    readings: Option<Readings>,
    /// The verdict on the chunks together, or the error why there is none.
    judgement: Result<Verdict>,
    /// For a file without metadata: the guess at its content, and the command line that opens it so.
    guess: Option<(String, ShellScript)>,
    /// True if nobody said in which order the bytes lie, so that there is nothing to contradict.
    is_undeclared: bool,
}

impl Finding {
    pub(super) fn new(name: String, data_type: Option<String>, judgement: Result<Verdict>) -> Self {
        let (chunks, of, readings) = (Vec::new(), 0, None);
        Self { name, data_type, chunks, of, readings, judgement, guess: None, is_undeclared: false }
    }

    /// The same, with the keys of the chunks that were looked at and some of their values.
    pub(super) fn with(self, chunks: Vec<String>, of: u128, readings: Option<Readings>) -> Self {
        Self { chunks, of, readings, ..self }
    }

    /// That `path` could not even be opened.
    pub(super) fn unopened(path: &Path, error: Error) -> Self {
        let name = safe_text(&shown(path).display());
        // The line begins with the name already.
        let mut error = error;
        error.place.file = error.place.file.filter(|file| *file != name);
        Self::new(name, None, Err(error))
    }

    /// The finding on the file at `path`, which has no metadata around it.
    pub(super) fn guessed(
        path: &Path,
        hint: &Hint,
        verdict: Verdict,
        readings: Option<Readings>,
    ) -> Self {
        let name = safe_text(&shown(path).display());
        let data_type = hint.guess.as_ref().map(|guess| guess.data_type.to_owned());
        let guess = Some((hint.words().unwrap_or_default(), hint.command(path)));
        Self { guess, ..Self::new(name, data_type, Ok(verdict)).with(Vec::new(), 0, readings) }
    }

    /// The same, where the order was not said but assumed.
    pub(super) fn undeclared(mut self) -> Self {
        if let Ok(judgement) = &mut self.judgement {
            undeclare(judgement);
        }
        self.is_undeclared = true;
        self
    }

    pub(super) fn to_json(&self) -> Json {
        let readings = self.readings.as_ref();
        let mut form = object! {
            "path": &self.name,
            "data_type": self.data_type.as_ref(),
            "chunks": &self.chunks,
            "chunks_in_array": u64::try_from(self.of).ok(),
            "guessed": self.guess.is_some(),
            "readings": readings.map(|both| object! {"little": &both.little, "big": &both.big}),
        };
        form.extend(self.judgement.as_ref().map_or_else(json_forms::refusal, verdict_json));
        form
    }

    /// One line, and the evidence below it unless it is a `brief` one without a surprise.
    pub(super) fn print(&self, output: &mut Output, brief: bool) -> Printed {
        let data_type = self.data_type.as_deref().unwrap_or("?");
        let name = output.paint(Role::Strong, &self.name);
        let judgement = match &self.judgement {
            Ok(judgement) => judgement,
            Err(error) => {
                let text = output.paint(Role::Error, &safe_text(&error));
                return output.line(&format!("{name}  {data_type}  cannot be judged: {text}"));
            }
        };
        let role = if judgement.contradicts() { Role::Error } else { Role::Quiet };
        let said = output.paint(role, &self.said(judgement));
        let guess = if self.guess.is_some() { "?" } else { "" };
        output.line(&format!("{name}  {data_type}{guess}  {said}"))?;
        match (brief && !judgement.contradicts(), judgement.plausible) {
            (true, Some(_)) => Ok(()),
            (true, None) => judgement.evidence.first().map_or(Ok(()), |why| indented(output, why)),
            (false, _) => self.print_evidence(judgement, output),
        }
    }

    /// `declared little, plausible big  DIFFERS`.
    fn said(&self, judgement: &Verdict) -> String {
        let by_field = judgement.is_by_part();
        let declared = match judgement.declared {
            _ if self.guess.is_some() => "no metadata",
            _ if self.is_undeclared => "not declared",
            Some(Endian::Little) => "declared little",
            Some(Endian::Big) => "declared big",
            None if by_field => "declared by field",
            None => "declared none",
        };
        let plausible = judgement.in_words();
        let mark = if judgement.contradicts() { "  DIFFERS" } else { "" };
        format!("{declared}, plausible {plausible}{mark}")
    }

    fn print_evidence(&self, judgement: &Verdict, output: &mut Output) -> Printed {
        if judgement.is_by_part() {
            return judgement.components.iter().try_for_each(|part| print_field(part, output));
        }
        if let Some(readings) = &self.readings {
            let first = judgement.plausible.unwrap_or(Endian::Little);
            for order in [first, first.other()] {
                let values = readings.in_order(order).join("  ");
                indented(output, &format!("read as {:<6}  {values}", order.word()))?;
            }
        }
        judgement.evidence.iter().try_for_each(|sentence| indented(output, sentence))?;
        if self.of > 1 {
            let (seen, of) = (self.chunks.len(), grouped(self.of));
            indented(output, &format!("Chunks looked at: {seen} of {of}."))?;
        }
        self.guess.iter().try_for_each(|(words, command)| {
            let guess = format!("Guessed from the bytes alone: {words}. Open it with:");
            indented(output, &guess)?;
            output.script(&script!("{}{}{}", INDENT, INDENT, *command))
        })
    }
}

/// Prints the verdict on one field.
fn print_field((name, field): &(String, Verdict), output: &mut Output) -> Printed {
    let word = |order: Option<Endian>| order.map_or("inconclusive", Endian::word);
    let mark = if field.contradicts() { "  DIFFERS" } else { "" };
    let (declared, plausible) = (word(field.declared), field.in_words());
    indented(output, &format!("{name}: declared {declared}, plausible {plausible}{mark}"))?;
    let why = field.evidence.first().map_or("", String::as_str);
    indented(output, &format!("{INDENT}{why}"))
}

fn indented(output: &mut Output, text: &str) -> Printed {
    let text = safe(text);
    let own = text.len() - text.trim_start().len();
    let indent = INDENT.len() + own;
    output.headed(&" ".repeat(indent), None, text.trim_start())
}

/// Takes away what was only assumed.
fn undeclare(judgement: &mut Verdict) {
    judgement.declared = None;
    judgement.components.iter_mut().for_each(|(_, part)| undeclare(part));
}

fn verdict_json(judgement: &Verdict) -> Json {
    let component =
        |(name, part): &(String, Verdict)| object! {"name": name, "verdict": verdict_json(part)};
    object! {
        "declared": judgement.declared.map(Endian::word),
        "plausible": judgement.plausible.map(Endian::word),
        "certainty": judgement.certainty.map_or("inconclusive", Certainty::word),
        "differs": judgement.contradicts(),
        "evidence": &judgement.evidence,
        "components": judgement.components.iter().map(component).collect::<Json>(),
    }
}

/// The number of findings of each kind.
#[derive(Default)]
pub(super) struct FindingTally {
    agree: usize,
    differ: usize,
    silent: usize,
    failed: usize,
    guessed: usize,
}

impl FindingTally {
    pub(super) fn count(&mut self, finding: &Finding) {
        self.guessed += usize::from(finding.guess.is_some());
        *match &finding.judgement {
            Err(_) => &mut self.failed,
            Ok(judgement) if judgement.contradicts() => &mut self.differ,
            Ok(judgement) if judgement.speaks() => &mut self.agree,
            Ok(_) => &mut self.silent,
        } += 1;
    }

    /// Flawed means a contradiction and nothing else.
    pub(super) fn status(&self) -> ExitStatus {
        match self {
            Self { differ: 1.., .. } => ExitStatus::Flawed,
            Self { agree: 0, silent: 0, failed: 1.., .. } => ExitStatus::Undone,
            _ => ExitStatus::Fine,
        }
    }

    /// The sum, where there is more than one to sum up.
    pub(super) fn print(&self, output: &mut Output) -> Printed {
        let Self { agree, differ, silent, failed, guessed } = *self;
        let all = agree + differ + silent + failed;
        if all < 2 {
            return Ok(());
        }
        let role = if differ > 0 { Role::Error } else { Role::Good };
        let differs = output.paint(role, &format!("{differ} contradicted"));
        let some =
            |n: usize, what: &str| if n > 0 { format!(", {n} {what}") } else { String::new() };
        let failed = some(failed, "unreadable");
        let guessed = some(guessed, "guessed without metadata");
        output.line(&format!(
            "{all} examined: {agree} plausible, {differs}, {silent} undecided{failed}{guessed}"
        ))
    }
}
