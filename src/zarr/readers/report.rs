//! The words of an answer, and the answers of readers for many arrays.

use super::{ReaderAnswer, ReaderOutcome};
use crate::zarr::{signs, words::Joined};

/// The month in which the readers were run.
pub const MEASURED: &str = "2026-11";

/// The basis of the answers.
pub const BASIS: &str = "Measured in 2026-11 with these versions, form by form: data type, fill value, codecs and other \
                         members. Only the first 16 chunks are examined.";

impl ReaderOutcome {
    /// The sign of the outcome.
    pub const fn sign(self) -> &'static str {
        match self {
            Self::Reads => signs::RIGHT,
            Self::Gives => signs::WARNING,
            Self::Differs => signs::DIFFERENT,
            Self::Error | Self::Crash => signs::ERROR,
            Self::NotMeasured | Self::NotApplicable => signs::NONE,
        }
    }

    /// The outcome in a word or two.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Reads => "reads",
            Self::Gives => "lenient",
            Self::Differs => "differs",
            Self::Error => "error",
            Self::Crash => "crash",
            Self::NotMeasured | Self::NotApplicable => "",
        }
    }
}

/// The answers of all readers for an array, in one line: `7 of 10 readers work; GDAL 3.6.2 rejects it; 2 untested`.
pub fn condensed(answers: &[ReaderAnswer]) -> String {
    let mut parts = Vec::from_iter(reading(answers));
    for (outcomes, one, several) in [
        (&[ReaderOutcome::Differs][..], "returns other values", "return other values"),
        (&[ReaderOutcome::Gives], "returns undefined values", "return undefined values"),
        (&[ReaderOutcome::Error, ReaderOutcome::Crash], "rejects it", "reject it"),
    ] {
        match of(answers, outcomes).as_slice() {
            [] => {}
            [name] => parts.push(format!("{name} {one}")),
            [a, b] => parts.push(format!("{a} and {b} {several}")),
            names => parts.push(format!("{} {several}", names.len())),
        }
    }
    let others = of(answers, &[ReaderOutcome::NotApplicable]).len();
    parts.extend((others > 0).then(|| format!("{others} for the other format only")));
    parts.extend(not_measured(answers));
    parts.join("; ")
}

/// The number of readers that read an array, and of those not measured: `7 of 10 readers work; 2 untested`.
pub fn in_short(answers: &[ReaderAnswer]) -> String {
    let parts = reading(answers).into_iter().chain(not_measured(answers));
    parts.joined("; ")
}

/// The readers with one of these outcomes.
fn of<'a>(answers: &'a [ReaderAnswer], outcomes: &[ReaderOutcome]) -> Vec<&'a str> {
    let those = answers.iter().filter(|answer| outcomes.contains(&answer.outcome));
    those.map(|answer| answer.reader.as_str()).collect()
}

/// `7 of 10 readers work`; nothing where none was measured.
fn reading(answers: &[ReaderAnswer]) -> Option<String> {
    let read = of(answers, &[ReaderOutcome::Reads]).len();
    let unknown = of(answers, &[ReaderOutcome::NotMeasured]).len();
    let known = answers.len() - unknown - of(answers, &[ReaderOutcome::NotApplicable]).len();
    Some(match (answers.len(), read) {
        (all, read) if all == read => format!("all {read} readers work"),
        // Of those that were not measured, nobody knows.
        (_, 0) if known == 0 => return None,
        (_, 0) if unknown > 0 => format!("none of {known} tested works"),
        (all, 0) => format!("none of {all} readers works"),
        (all, 1) => format!("1 of {all} readers works"),
        (all, read) => format!("{read} of {all} readers work"),
    })
}

fn not_measured(answers: &[ReaderAnswer]) -> Option<String> {
    let count = of(answers, &[ReaderOutcome::NotMeasured]).len();
    (count > 0).then(|| format!("{count} untested"))
}

impl ReaderAnswer {
    /// The result of the reader and its reason, in one line.
    pub fn sentence(&self) -> String {
        let form = self.form.as_deref().unwrap_or_default();
        let said = self.text.as_deref().filter(|text| !text.is_empty());
        let because = match &self.member {
            Some(member) if member.starts_with('(') => format!("because of {form}"),
            Some(member) => format!("because of {member} ({form})"),
            None => String::new(),
        };
        match self.outcome {
            ReaderOutcome::Reads => match said {
                Some(text) => format!("the values; {text}"),
                None => "the values".into(),
            },
            ReaderOutcome::NotMeasured if form.is_empty() => "untested".into(),
            ReaderOutcome::NotMeasured => format!("untested: {form}"),
            ReaderOutcome::NotApplicable => said.unwrap_or("not for this format").to_owned(),
            ReaderOutcome::Gives => {
                format!("returns undefined values, {because}")
            }
            ReaderOutcome::Differs => format!("returns other values, {because}"),
            ReaderOutcome::Error => match said {
                Some(text) => format!("{text}; {because}"),
                None => format!("rejected, {because}"),
            },
            ReaderOutcome::Crash => format!("the process ends, {because}"),
        }
    }
}

/// The results of the readers for many arrays.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ReaderTally {
    /// The number of arrays.
    pub arrays: u64,
    /// The readers.
    pub readers: Vec<Tallied>,
}

/// The results of one reader for many arrays.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tallied {
    /// The reader with its version.
    pub name: String,
    /// The number of arrays that it reads.
    pub read: u64,
    /// The number of arrays with a form that was not measured with it.
    pub not_measured: u64,
    /// The path of the first array that it refuses or reads otherwise, and what it says.
    pub first: Option<(String, ReaderAnswer)>,
}

impl ReaderTally {
    /// Adds the answers for the array at `path`.
    pub fn add(&mut self, path: &str, answers: &[ReaderAnswer]) {
        if answers.is_empty() {
            return;
        }
        self.arrays += 1;
        if self.readers.is_empty() {
            let named = |answer: &ReaderAnswer| Tallied {
                name: answer.reader.clone(),
                ..Tallied::default()
            };
            self.readers = answers.iter().map(named).collect();
        }
        for (reader, answer) in self.readers.iter_mut().zip(answers) {
            match answer.outcome {
                ReaderOutcome::Reads => reader.read += 1,
                ReaderOutcome::NotMeasured => reader.not_measured += 1,
                _ => {
                    reader.first.get_or_insert_with(|| (path.to_owned(), answer.clone()));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ReaderOutcome::{Crash, Differs, Error, Gives, NotApplicable, NotMeasured, Reads};

    #[test]
    fn few_readers_are_named_and_many_are_counted() {
        let said = |outcomes: &[ReaderOutcome]| {
            let answer = |(at, outcome): (usize, &ReaderOutcome)| ReaderAnswer {
                reader: format!("r{at}"),
                outcome: *outcome,
                text: None,
                member: None,
                form: None,
            };
            condensed(&outcomes.iter().enumerate().map(answer).collect::<Vec<_>>())
        };
        for (outcomes, words) in [
            (&[Reads, Reads][..], "all 2 readers work"),
            (&[Reads, Error], "1 of 2 readers works; r1 rejects it"),
            (&[Error, Crash], "none of 2 readers works; r0 and r1 reject it"),
            (
                &[Error, Error, Error, Differs],
                "none of 4 readers works; r3 returns other values; 3 reject it",
            ),
            (
                &[Error, NotMeasured, NotMeasured],
                "none of 1 tested works; r0 rejects it; 2 untested",
            ),
            (&[NotMeasured, NotApplicable], "1 for the other format only; 1 untested"),
            (
                &[Reads, Gives, NotApplicable, NotMeasured, NotMeasured],
                "1 of 5 readers works; r1 returns undefined values; 1 for the other format only; 2 untested",
            ),
        ] {
            assert_eq!(said(outcomes), words);
        }
    }
}
