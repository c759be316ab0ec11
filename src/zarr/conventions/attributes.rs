//! The attributes of a node, or an object in them, with where they are.

use super::prelude::*;
use crate::zarr::metadata::RawDocument;
use std::fmt::Display;

/// An object, and where it is.
#[derive(Debug, Clone)]
pub(super) struct Attributes<'a> {
    pub(super) format: Format,
    /// The object.
    pub(super) json: &'a Json,
    /// The key of the document.
    pub(super) file: &'a str,
    /// The members that lead to it.
    pub(super) above: String,
}

impl<'a> Attributes<'a> {
    /// Those of a group or an array, where it has any.
    pub(super) fn of(kind: &'a NodeKind) -> Option<Self> {
        match kind {
            NodeKind::Array(array) => Self::of_array(array),
            NodeKind::Group(group) => {
                Self::of_documents(group.format, &group.documents, group.attributes()?)
            }
            NodeKind::Folder | NodeKind::Broken(_) => None,
        }
    }

    /// Those of an array, where it has any.
    pub(super) fn of_array(array: &'a ArrayMetadata) -> Option<Self> {
        Self::of_documents(array.format, &array.documents, array.attributes()?)
    }

    fn of_documents(format: Format, documents: &'a [RawDocument], json: &'a Json) -> Option<Self> {
        let (at, above) = match format {
            Format::V2 => (1, String::new()),
            Format::V3 => (0, "attributes".to_owned()),
        };
        Some(Self { format, json, file: &documents.get(at)?.key, above })
    }

    /// The member `key`.
    pub(super) fn get(&self, key: &str) -> Option<&'a Json> {
        self.json.get(key)
    }

    /// True if there is a member `key`.
    pub(super) fn has(&self, key: &str) -> bool {
        self.get(key).is_some()
    }

    /// The text of the member `key`, where it is a string.
    pub(super) fn get_str(&self, key: &str) -> Option<&'a str> {
        self.get(key)?.as_str()
    }

    /// The number that the member `key` is.
    pub(super) fn number(&self, key: &str) -> Option<f64> {
        number(self.get(key)?)
    }

    /// The object that the member `key` is.
    pub(super) fn under(&self, key: &str) -> Option<Self> {
        let json = self.get(key).filter(|json| json.as_object().is_some())?;
        Some(Self { json, above: self.field(key), ..self.clone() })
    }

    /// The members that lead to the member `field` of this object.
    pub(super) fn field(&self, field: &str) -> String {
        if self.above.is_empty() { field.to_owned() } else { format!("{}.{field}", self.above) }
    }

    /// The warning that something else than `expected` is at `field`, where `json` is.
    pub(super) fn warning(
        &self,
        code: Code,
        (field, json): (&str, &Json),
        found: impl Into<String>,
        expected: impl Into<String>,
    ) -> Problem {
        let error = Error::new(code, found, expected).at(self.field(field)).in_file(self.file);
        Problem::new(error.at_offset(json.span().start as u64))
    }
}

impl Attributes<'_> {
    /// The note on what was found at `field`, where `json` is.
    pub(super) fn noted(
        &self,
        code: Code,
        place: (&str, &Json),
        found: String,
        expected: &str,
    ) -> Problem {
        noted(self.warning(code, place, found.clone(), expected), found)
    }

    /// The warning of these words, at `field`, where `json` is.
    pub(super) fn told(&self, code: Code, place: (&str, &Json), sentence: String) -> Problem {
        saying(self.warning(code, place, sentence.clone(), ""), sentence)
    }

    /// The warning of these words at the member `key`, and what comes of it; `None` where there is no such member.
    pub(super) fn finding(
        &self,
        code: Code,
        key: &str,
        sentence: String,
        fix: impl Into<String>,
    ) -> Option<Problem> {
        Some(with_fix(self.told(code, (key, self.get(key)?), sentence), fix))
    }

    /// The same where something more is so.
    pub(super) fn finding_if(
        &self,
        is_told: bool,
        code: Code,
        key: &str,
        sentence: String,
        fix: impl Into<String>,
    ) -> Option<Problem> {
        is_told.then(|| self.finding(code, key, sentence, fix))?
    }

    /// The warning that something else than `expected` is at the member `key`, and what comes of it.
    pub(super) fn mismatch(
        &self,
        code: Code,
        key: &str,
        (found, expected): (impl Into<String>, impl Into<String>),
        fix: impl Into<String>,
    ) -> Option<Problem> {
        Some(with_fix(self.warning(code, (key, self.get(key)?), found, expected), fix))
    }
}

/// The problem that this sentence states, and what comes of it.
pub(super) fn finding(code: Code, sentence: String, fix: impl Into<String>) -> Problem {
    Problem::new(Error::said(code, sentence).with_fix(fix))
}

/// The problem that something else than expected was found, and what comes of it.
pub(super) fn mismatch(
    code: Code,
    (found, expected): (impl Into<String>, impl Into<String>),
    fix: impl Into<String>,
) -> Problem {
    Problem::new(Error::new(code, found, expected).with_fix(fix))
}

/// The same problem with what can be done about it, or what it leads to.
pub(super) fn with_fix(problem: Problem, fix: impl Into<String>) -> Problem {
    Problem { error: problem.error.with_fix(fix), ..problem }
}

/// The same in these words.
pub(super) fn saying(problem: Problem, sentence: impl Into<String>) -> Problem {
    Problem { error: problem.error.saying(sentence), ..problem }
}

/// The same as a note of these words: nothing requires it.
pub(super) fn noted(problem: Problem, sentence: impl Into<String>) -> Problem {
    note(saying(problem, sentence))
}

/// The note instead of a warning.
pub(super) fn note(problem: Problem) -> Problem {
    problem.with_severity(Severity::Note)
}

/// The note instead of a warning, but where something more is so.
pub(super) fn note_unless(is_sure: bool, problem: Option<Problem>) -> Option<Problem> {
    if is_sure { problem } else { problem.map(note) }
}

/// The number that a member is.
pub(super) fn number(json: &Json) -> Option<f64> {
    json.as_number()?.parse().ok()
}

/// The numbers that a list has, and nothing else.
pub(super) fn numbers(json: &Json) -> Option<Vec<f64>> {
    json.as_array()?.iter().map(number).collect()
}

/// Names in quotes, with commas between them.
pub(super) fn all_quoted<'n>(names: impl IntoIterator<Item = &'n &'n str>) -> String {
    names.into_iter().map(|name| quoted(name)).joined(", ")
}

/// So many of all: `3 of 1,024`.
pub(super) fn out_of(count: impl Display, all: impl Display) -> String {
    format!("{} of {}", grouped(count), grouped(all))
}

/// Two numbers as the ends of a range: `-90 to 90`.
pub(super) fn from_to(low: f64, high: f64) -> String {
    format!("{} to {}", short(low), short(high))
}
