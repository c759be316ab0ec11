//! The table of what was measured, and what it says of a set of features.
//!
//! A row names one form, or several that act together, and has one letter for each reader: `R` a document with it was
//! read, `O` it was, and would not have been without what the text names, `D` it makes values differ, `E` it is refused, `C` the reader crashes, `G` values are given though there is no
//! truth, `N` the reader is not for it, `.` it does not concern the reader, `?` nothing is known.
//!
//! A reader reads a document only if each feature of it was in a document that was read.

use super::{Feature, ReaderAnswer, ReaderOutcome, fills::UNUSED};
use std::collections::HashMap;

/// The measured table.
#[derive(Debug, Default)]
pub struct Table {
    /// The readers with their versions, in the order of the letters.
    readers: Vec<String>,
    texts: Vec<String>,
    /// The rows of single forms.
    forms: HashMap<String, MeasuredRow>,
    /// By reader: true if it leaves the attributes of CF alone.
    raw: Vec<bool>,
    /// The rows of forms that act together.
    joint: Vec<(Vec<String>, MeasuredRow)>,
}

#[derive(Debug)]
struct MeasuredRow {
    letters: Vec<u8>,
    /// By letter that is a verdict other than `R` and `.`: the number of its text.
    texts: Vec<Option<usize>>,
}

impl MeasuredRow {
    /// Reads `letters` and the numbers of the texts of those that have one.
    fn parse(letters: &str, numbers: &str) -> Self {
        let mut numbers = numbers.split_whitespace().map(|number| number.parse().ok());
        let mut text =
            |letter: u8| b"DECGNO".contains(&letter).then(|| numbers.next().flatten()).flatten();
        let texts = letters.bytes().map(&mut text).collect();
        Self { letters: letters.as_bytes().to_vec(), texts }
    }
}

/// The result of a form, or of several, for a document in one reader.
struct ReaderVerdict<'a> {
    outcome: ReaderOutcome,
    text: Option<usize>,
    /// The feature that it is about.
    feature: &'a Feature,
    form: String,
}

impl Table {
    /// Reads a table as it is written; lines that are none are left out.
    pub fn parse(text: &str) -> Self {
        let mut table = Self::default();
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            let parts: Vec<&str> = line.split('\t').collect();
            match parts.as_slice() {
                ["readers", names @ ..] => {
                    table.readers = names.iter().map(|&name| name.to_owned()).collect();
                }
                ["=", text] => table.texts.push((*text).to_owned()),
                [forms, letters, rest @ ..] if letters.len() == table.readers.len() => {
                    let text = rest.first().copied().unwrap_or_default();
                    let row = MeasuredRow::parse(letters, text);
                    let forms: Vec<String> = forms.split(" & ").map(str::to_owned).collect();
                    match <[String; 1]>::try_from(forms) {
                        Ok([form]) => drop(table.forms.insert(form, row)),
                        Err(forms) => table.joint.push((forms, row)),
                    }
                }
                _ => {}
            }
        }
        let ignores = |reader: usize| {
            let rows = table.forms.iter().filter(|(form, _)| form.contains(CF));
            rows.map(|(_, row)| row.letters[reader]).any(|letter| letter == b'.')
        };
        table.raw = (0..table.readers.len()).map(ignores).collect();
        table
    }

    /// The answer of each reader for a document with these features.
    pub fn answers(&self, features: &[Feature]) -> Vec<ReaderAnswer> {
        let joint: Vec<_> = self
            .joint
            .iter()
            .filter_map(|(forms, row)| {
                let all: Option<Vec<&Feature>> = forms
                    .iter()
                    .map(|form| features.iter().find(|feature| feature.forms.contains(form)))
                    .collect();
                Some((*all?.last()?, forms, row))
            })
            .collect();
        (0..self.readers.len()).map(|reader| self.answer(reader, features, &joint)).collect()
    }

    fn answer(
        &self,
        reader: usize,
        features: &[Feature],
        joint: &[(&Feature, &Vec<String>, &MeasuredRow)],
    ) -> ReaderAnswer {
        let mut unknown = None;
        let mut worst: Option<ReaderVerdict<'_>> = None;
        for feature in features {
            match self.look_up(reader, feature) {
                Some((outcome, text, form)) => {
                    let verdict = ReaderVerdict { outcome, text, feature, form: form.to_owned() };
                    worst = Some(worse(worst, verdict));
                }
                None => unknown = unknown.or(Some(feature)),
            }
        }
        for (feature, forms, row) in joint {
            if let Some(outcome) = ReaderOutcome::of_letter(row.letters[reader]) {
                let verdict = ReaderVerdict {
                    outcome,
                    text: row.texts[reader],
                    feature,
                    form: forms.join(" with "),
                };
                worst = Some(worse(worst, verdict));
            }
        }
        self.compose(reader, worst, unknown)
    }

    fn compose(
        &self,
        reader: usize,
        worst: Option<ReaderVerdict<'_>>,
        unknown: Option<&Feature>,
    ) -> ReaderAnswer {
        let name = self.readers[reader].clone();
        let is_final = worst.as_ref().is_some_and(|verdict| verdict.outcome.is_final());
        if let Some(feature) = unknown.filter(|_| !is_final) {
            let form = feature.forms.first().cloned();
            let member = Some(feature.member.clone());
            return ReaderAnswer {
                reader: name,
                outcome: ReaderOutcome::NotMeasured,
                text: None,
                member,
                form,
            };
        }
        let Some(verdict) = worst else {
            return ReaderAnswer {
                reader: name,
                outcome: ReaderOutcome::NotMeasured,
                text: None,
                member: None,
                form: None,
            };
        };
        let text = verdict.text.and_then(|number| self.texts.get(number).cloned());
        let is_plain = verdict.outcome == ReaderOutcome::Reads;
        let member = (!is_plain).then(|| verdict.feature.member.clone());
        let form = (!is_plain).then_some(verdict.form);
        ReaderAnswer { reader: name, outcome: verdict.outcome, text, member, form }
    }

    /// The verdict on a feature; `None` if there is none. A feature that does not concern the reader is as good as
    /// read.
    fn look_up<'a>(
        &self,
        reader: usize,
        feature: &'a Feature,
    ) -> Option<(ReaderOutcome, Option<usize>, &'a str)> {
        let first = feature.forms.first()?;
        if self.raw[reader] && first.contains(CF) {
            return Some((ReaderOutcome::Reads, None, first));
        }
        let is_unused = feature.forms.last().is_some_and(|form| form == UNUSED);
        let by = |reader: usize, form: &'a String| {
            let row = self.forms.get(form)?;
            let outcome = match ReaderOutcome::of_letter(*row.letters.get(reader)?)? {
                // Measured where a chunk was missing: that has no value.
                ReaderOutcome::Gives if is_unused => ReaderOutcome::Reads,
                outcome => outcome,
            };
            Some((outcome, row.texts[reader], form.as_str()))
        };
        feature.forms.iter().find_map(|form| {
            by(reader, form).or_else(|| {
                let (outcome, text, form) = by(self.below(reader)?, form)?;
                let is_told = outcome == ReaderOutcome::Error || !is_of_values(feature);
                (is_told && !form.contains(CF)).then_some((outcome, text, form))
            })
        })
    }

    /// The reader through which another one opens stores: what that refuses this one never sees, and how a chunk is
    /// stored this one never asks.
    fn below(&self, reader: usize) -> Option<usize> {
        let is_above = self.readers.get(reader)?.starts_with("xarray ");
        is_above.then(|| self.readers.iter().position(|name| name == BELOW_XARRAY)).flatten()
    }
}

/// The zarr-python over which xarray was measured.
const BELOW_XARRAY: &str = "zarr-python 3.4.2";

/// In the forms of attributes that raw readers leave alone.
const CF: &str = "CF attribute";

/// True if a feature decides what values are, and not only how they are stored.
fn is_of_values(feature: &Feature) -> bool {
    let member = feature.member.as_str();
    ["dtype", "data_type", "fill_value", "(chunks)"].iter().any(|start| member.starts_with(start))
}

/// The worse of two verdicts; of equals the first that has a text.
fn worse<'a>(first: Option<ReaderVerdict<'a>>, second: ReaderVerdict<'a>) -> ReaderVerdict<'a> {
    let rank = |verdict: &ReaderVerdict| (verdict.outcome, verdict.text.is_some());
    match first {
        Some(first) if rank(&first) >= rank(&second) => first,
        _ => second,
    }
}
