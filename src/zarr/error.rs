//! Errors: the fault, its place, and the advice.
//!
//! One shape for every fault in a store: the place (file, field, byte offset), a headline, what was found there, what
//! was expected, and the fix where there is one. The headline states the problem in a sentence: that of its code, or a
//! better one of the place that found it. An [`Error`] ends the thing that was tried; a [`Problem`] is an error
//! with a severity that is beside what could be read all the same; a [`Note`] says something about a value that
//! was read without a fault.

mod code;
mod diagnosis;
mod page;

pub use code::{Code, Domain};
pub use diagnosis::{CauseKind, Change, ChangedFile, Diagnosis, DocumentEdit, FileContent};
pub use page::FindingPage;

use super::settings::WhatIf;
use std::{borrow::Cow, fmt, io, path::Path, sync::Arc};

/// A place in a store: any part may be unknown.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Place {
    /// The store key of the file, such as `a/.zarray` or `a/c/0/1`.
    pub file: Option<String>,
    /// The field inside a JSON document, such as `codecs[0].configuration.endian`.
    pub field: Option<String>,
    /// The offset in bytes from the start of the file, or of the stage's input where a codec speaks.
    pub offset: Option<u64>,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let mut gap = "";
        if let Some(file) = &self.file {
            write!(f, "{file}")?;
            gap = ", ";
        }
        if let Some(field) = &self.field {
            write!(f, "{gap}{field}")?;
            gap = ", ";
        }
        if let Some(offset) = self.offset {
            write!(f, "{gap}byte {offset}")?;
        }
        Ok(())
    }
}

/// A headline, by which an [`Error`] is one pointer larger: results of parsers that call themselves hold many.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Headline(pub String);

/// The reason why something could not be read or made, in parts that a view can lay out and a script can match.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Error {
    /// The kind of fault.
    pub code: Code,
    /// The place.
    pub place: Place,
    /// The sentence that states the problem, where it is another than that of the code.
    pub message: Option<Box<Headline>>,
    /// The thing found there, as a phrase.
    pub found: String,
    /// The thing expected there, as a phrase; empty where nothing else was, and `found` is whole sentences that remark
    /// on what is.
    pub expected: String,
    /// The advice to the user, as a sentence.
    pub fix: Option<String>,
}

/// The result of the fallible functions of the library.
pub type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    /// A fault of kind `code`: `found` where `expected` should be.
    pub fn new(code: Code, found: impl Into<String>, expected: impl Into<String>) -> Self {
        Self {
            code,
            place: Place::default(),
            message: None,
            found: found.into(),
            expected: expected.into(),
            fix: None,
        }
    }

    /// A fault of kind `code` that this sentence states.
    pub fn said(code: Code, sentence: String) -> Self {
        Self::new(code, sentence.clone(), "").saying(sentence)
    }

    /// The same, stated by a sentence of its own; what was found and expected are the evidence.
    pub fn saying(mut self, message: impl Into<String>) -> Self {
        self.message = Some(Box::new(Headline(message.into())));
        self
    }

    /// The problem in one sentence, without its place: `fill_value 300 does not fit: …`.
    pub fn headline(&self) -> String {
        match self.statement() {
            Cow::Borrowed(text) => first_sentence(text).to_owned(),
            Cow::Owned(text) => text,
        }
    }

    /// The headline, or where what was found is whole sentences, all of them.
    pub fn statement(&self) -> Cow<'_, str> {
        let Self { found, expected, .. } = self;
        if let Some(message) = &self.message {
            return Cow::Borrowed(&message.0);
        }
        if expected.is_empty() {
            return found.into();
        }
        let field = self.place.field.as_deref().unwrap_or_default();
        let field = field.rsplit('.').next().unwrap_or_default();
        let value = ["the number ", "the string "].into_iter();
        let value =
            value.fold(found.as_str(), |text, kind| text.strip_prefix(kind).unwrap_or(text));
        let parts = [("{found}", found.as_str()), ("{expected}", expected), ("{value}", value)];
        let mut text = self.code.headline().replace("{field}", field);
        // One pass: what a store says is no template.
        let mut at = 0;
        while let Some(start) = text.get(at..).and_then(|rest| rest.find('{')).map(|n| at + n) {
            let slot = parts
                .iter()
                .find(|(slot, _)| text.get(start..).is_some_and(|it| it.starts_with(slot)));
            let Some((slot, part)) = slot else {
                at = start + 1;
                continue;
            };
            text.replace_range(start..start + slot.len(), part);
            at = start + part.len();
        }
        text.into()
    }

    /// True if a higher limit could help.
    pub(super) fn is_limit(&self) -> bool {
        matches!(self.code, Code::DecodedTooLarge | Code::ChunkTooLong | Code::TooLarge)
    }

    /// The same, with the store key of the file. Keeps a file that is already known.
    pub fn in_file(mut self, file: impl Into<String>) -> Self {
        self.place.file.get_or_insert_with(|| file.into());
        self
    }

    /// The same, `field` being put in front of the field that is already known: `at("codecs[0]")` on
    /// `configuration` gives `codecs[0].configuration`.
    pub fn at(mut self, field: impl AsRef<str>) -> Self {
        let outer = field.as_ref();
        self.place.field = Some(match self.place.field.take() {
            None => outer.to_owned(),
            Some(inner) if inner.starts_with('[') => format!("{outer}{inner}"),
            Some(inner) => format!("{outer}.{inner}"),
        });
        self
    }

    /// The same, with the byte offset.
    pub fn at_offset(mut self, offset: u64) -> Self {
        self.place.offset = Some(offset);
        self
    }

    /// The same, with what the user can do about it.
    pub fn with_fix(mut self, fix: impl Into<String>) -> Self {
        self.fix = Some(fix.into());
        self
    }

    /// The error in whole sentences, safe to show.
    pub fn sentences(&self) -> String {
        let text = self.to_string();
        super::text::safe_owned(&format!("{}.", text.trim_end_matches('.')))
    }

    /// The operating system's refusal to read `file`.
    pub fn io(file: impl Into<String>, error: &io::Error) -> Self {
        let (found, expected) = match error.kind() {
            io::ErrorKind::NotFound => ("no such file or directory".into(), ""),
            _ => (refusal(error), "a readable file"),
        };
        Self::new(Code::Io, found, expected).in_file(file)
    }

    /// That the file at `path`, which is none of a store, could not be written.
    pub fn unwritable(path: &Path, error: &io::Error) -> Self {
        let name = super::text::safe_owned(&path.to_string_lossy());
        let (found, expected) = match error.kind() {
            io::ErrorKind::AlreadyExists => ("already exists; not overwritten".into(), ""),
            io::ErrorKind::FileTooLarge => (format!("not written: {PAST_FILE_LIMIT}"), ""),
            _ => (refusal(error), "a file that can be written"),
        };
        Self::new(Code::CannotWrite, found, expected).in_file(name)
    }
}

/// The first sentence of `text`, without its full stop.
fn first_sentence(text: &str) -> &str {
    let end = text
        .match_indices(". ")
        .map(|(at, _)| at)
        .find(|at| text.get(..*at).is_some_and(|it| it.matches('"').count().is_multiple_of(2)));
    text.get(..end.unwrap_or(text.len())).unwrap_or(text).trim_end_matches('.')
}

/// The reason of a write that a limit of the shell or of the file system ended.
pub(crate) const PAST_FILE_LIMIT: &str =
    "larger than the limit for the size of a file (`ulimit -f`)";

/// The words of the operating system, without its number.
pub(in crate::zarr) fn refusal(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "no such file or directory".into(),
        io::ErrorKind::PermissionDenied => "permission denied".into(),
        io::ErrorKind::IsADirectory => "a folder".into(),
        io::ErrorKind::NotADirectory => "a file where a folder should be".into(),
        _ => {
            let text = error.to_string();
            let text = text.split(" (os error").next().unwrap_or_default();
            format!("the error of the system: {text}")
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        if self.place != Place::default() {
            write!(f, "{}: ", self.place)?;
        }
        let statement = self.statement();
        write!(f, "{statement}")?;
        if let Some(fix) = &self.fix {
            write!(f, "{} {fix}", if statement.ends_with('.') { "" } else { "." })?;
        }
        Ok(())
    }
}

impl std::error::Error for Error {}

/// The severity of a [`Problem`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Worth knowing: legal, but readers differ or a guess was made.
    Note,
    /// Not checked, because zarrscope lacks what it takes; it says nothing against the store.
    Limit,
    /// Some reader will see something else, or nothing.
    Warning,
    /// It cannot be read, or what is read is wrong.
    Error,
}

impl Severity {
    /// The word in `check --json`: `note`, `limit`, `warning`, `error`.
    pub fn word(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::Limit => "limit",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

/// A fault that did not stop the reading of what is around it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Problem {
    /// The severity.
    pub severity: Severity,
    /// The fault and its place.
    pub error: Error,
    /// The number of occurrences: more than 1 only if the rest of many is counted and not reported one by one.
    pub count: u64,
    /// The cause after it and after others of its node, where it is told as one.
    pub diagnosis: Option<Arc<Diagnosis>>,
    /// The settings by which the node at its place can be read, where it has no document.
    pub reading: Option<WhatIf>,
}

impl Problem {
    /// A problem of the severity that its code has.
    pub fn new(error: Error) -> Self {
        Self { severity: error.code.severity(), error, count: 1, diagnosis: None, reading: None }
    }

    /// The finding of a cause, at the store key `file`.
    pub fn caused(cause: Diagnosis, file: impl Into<String>) -> Self {
        let error = Error::new(Code::Cause, cause.sentence.clone(), "").in_file(file);
        Self { diagnosis: Some(Arc::new(cause)), ..Self::new(error) }
    }

    /// A problem by which something could not be read: an error, whatever the severity of its code where it stops
    /// nothing, unless it is a limit of zarrscope.
    pub fn failed(error: Error) -> Self {
        let is_limit = error.code.is_limit();
        Self::new(error).with_severity(if is_limit { Severity::Limit } else { Severity::Error })
    }

    /// The same at another severity than its code has.
    pub fn with_severity(self, severity: Severity) -> Self {
        Self { severity, ..self }
    }

    /// The kind of problem: the code, or where it is a cause of others, that of [`CauseKind`].
    pub fn kind(&self) -> &'static str {
        let cause = self.diagnosis.as_ref().filter(|_| self.error.code == Code::Cause);
        cause.map_or_else(|| self.error.code.as_str(), |why| why.cause.word())
    }

    /// True if values are likely lost by the cause that is told.
    pub fn is_loss(&self) -> bool {
        self.severity >= Severity::Warning
            && self.diagnosis.as_ref().is_some_and(|why| why.cause.is_loss())
    }

    /// One line on what the kind means; empty where its name says it.
    pub fn meaning(&self) -> &'static str {
        self.page().map_or("", FindingPage::title)
    }

    /// The page that explains it: of a cause, that of its kind.
    pub fn page(&self) -> Option<FindingPage> {
        let cause = self.diagnosis.as_ref().filter(|_| self.error.code == Code::Cause);
        cause.map(|why| why.cause.page()).or_else(|| self.error.code.page())
    }
}

/// Something said about a value that was read: where readers differ, what was guessed, what is lost.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Note {
    /// The kind of note.
    pub code: Code,
    /// One or two whole sentences.
    pub text: String,
}

impl Note {
    /// A note of kind `code`.
    pub fn new(code: Code, text: impl Into<String>) -> Self {
        Self { code, text: text.into() }
    }
}

/// A value with what has to be said about it: the `accept-flag` of the conformance vectors.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Flagged<T> {
    /// The value.
    pub value: T,
    /// Notes for a reader; empty where nothing is out of the ordinary.
    pub notes: Vec<Note>,
}

impl<T> Flagged<T> {
    /// A value without reservations.
    pub fn plain(value: T) -> Self {
        Self { value, notes: Vec::new() }
    }

    /// A value with one note.
    pub fn noted(value: T, note: Note) -> Self {
        Self { value, notes: vec![note] }
    }

    /// The same notes around another value.
    pub fn map<U>(self, change: impl FnOnce(T) -> U) -> Flagged<U> {
        Flagged { value: change(self.value), notes: self.notes }
    }
}
