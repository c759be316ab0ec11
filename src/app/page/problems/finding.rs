//! A finding, part by part: what the lower half of the view shows as far as there is room, and `K` in full.

use crate::app::prelude::*;
use crate::zarr::{
    Diagnosis,
    runnable::{ShellWord, script},
};

/// A part of what is told of a finding.
pub struct FindingPart {
    /// The label.
    pub label: &'static str,
    /// Its lines; what is longer than the room goes on below.
    pub lines: Vec<String>,
    /// True if its lines are one text, which may be shortened anywhere.
    pub is_text: bool,
}

impl FindingPart {
    fn text(label: &'static str, text: &str) -> Self {
        Self { label, lines: vec![safe_owned(text)], is_text: true }
    }

    /// True if it is the cause: that alone says what is wrong.
    pub fn is_cause(&self) -> bool {
        matches!(self.label, "cause" | "likely")
    }

    /// Lines that tell the most of it, where others can give way: the answer is whole in three.
    pub fn least(&self) -> usize {
        match self.label {
            "problem" => 3,
            _ if self.is_cause() => 3,
            _ if self.is_text => 2,
            _ => 4,
        }
    }

    /// The place of the part among those that are left out where there is no room: the list names the place, the
    /// footer the key that tries the cause, and a cause says what was expected. `None` where it stays.
    pub fn expendable(&self) -> Option<usize> {
        ["what if", "place", "expected"].iter().position(|label| *label == self.label)
    }

    fn lines<'a>(label: &'static str, lines: impl IntoIterator<Item = &'a str>) -> Self {
        let lines = lines.into_iter().map(|line| safe_owned(line.trim_end()));
        Self { label, lines: lines.collect(), is_text: false }
    }
}

/// The parts of a finding: where, what is there, what should be, why, and what to do.
pub fn parts(node: &NodePath, problem: &Problem) -> Vec<FindingPart> {
    let error = &problem.error;
    let mut parts = vec![FindingPart::text("place", &place(node, problem))];
    if error.code != Code::Cause {
        let statement = error.statement();
        parts.push(FindingPart::text("problem", &statement));
        if error.message.is_some() && problem.diagnosis.is_none() {
            // What the sentence says is not said twice.
            let found = Some(&error.found).filter(|found| !statement.contains(found.as_str()));
            parts.extend(found.map(|found| FindingPart::text("found", found)));
            parts.push(FindingPart::text("expected", &error.expected));
        }
    }
    match &problem.diagnosis {
        Some(why) => parts.extend(cause(why)),
        None => parts.extend(error.fix.as_ref().map(|fix| FindingPart::text("fix", fix))),
    }
    if let Some(reading) = &problem.reading {
        let text = format!(":as {reading}   W reads the chunks so in every view");
        parts.push(FindingPart::text("what if", &text));
    }
    parts.retain(|part| part.lines.iter().any(|line| !line.is_empty()));
    parts
}

/// All of a finding, and the page of its kind.
pub(super) fn explained(node: &NodePath, problem: &Problem) -> Explained {
    let kind = problem.kind();
    let page = problem.page();
    let meaning = page.map(|page| format!("{}.", page.title()));
    let rows = parts(node, problem).into_iter().flat_map(|part| {
        let labels = iter::once(part.label).chain(iter::repeat(""));
        labels.zip(part.lines).map(|(label, line)| (label.to_owned(), line))
    });
    let prose = page.into_iter().flat_map(FindingPage::sections);
    let prose = prose.map(|(label, text)| (label.to_owned(), text));
    let command = script!("zarrscope explain {}", ShellWord::path(Path::new(kind)));
    let example = page.map(|_| format!("{command} shows a store that has it."));
    Explained {
        title: format!("{}: {kind}", problem.severity.word()),
        paragraphs: meaning.into_iter().collect(),
        table: rows.chain(prose).chain(example.map(|text| ("example".to_owned(), text))).collect(),
        ..Explained::default()
    }
}

/// The fix of the store: the command, or the change of a document.
fn mend(fix: &Change, left: &str) -> FindingPart {
    let Change::Metadata(_, edits) = fix else {
        let (text, keys) = (fix.script(), format!("{left}yf copies this."));
        return FindingPart::lines("fix", text.lines().chain([keys.as_str()]));
    };
    let lines =
        edits.iter().flat_map(|it| iter::once(it.document.as_str()).chain(it.diff.changes()));
    let forms = if edits.len() == 1 { "a JSON Patch, yd as a diff" } else { "a diff" };
    let keys = format!("{left}yf copies this as {forms}.");
    FindingPart::lines("fix", lines.chain([keys.as_str()]))
}

/// A cause: the sentence, what speaks for it, what would mend it, and how to try it.
fn cause(why: &Diagnosis) -> Vec<FindingPart> {
    let label = if why.is_certain { "cause" } else { "likely" };
    let mut parts = vec![
        FindingPart::text(label, &why.sentence),
        FindingPart::text("evidence", &why.evidence.join(" ")),
    ];
    let left = why.left_in_words().map_or_else(String::new, |left| format!("tried: {left}   "));
    parts.extend(why.fix().map(|fix| mend(fix, &left)));
    parts.extend(why.to_do.as_ref().map(|text| FindingPart::lines("to do", text.lines())));
    if let Some(settings) = why.what_if() {
        let head = format!(":as {settings}   W reads the array so in every view");
        let trial = why.before_and_after.iter();
        let trial = trial
            .flat_map(|(before, after)| [format!("before  {before}"), format!("after   {after}")]);
        let lines: Vec<String> = iter::once(head).chain(trial).collect();
        parts.push(FindingPart::lines("what if", lines.iter().map(String::as_str)));
    }
    parts
}

/// The place of a problem: its file, or else its node.
pub fn place(node: &NodePath, problem: &Problem) -> String {
    in_words(node, &problem.error.place)
}

/// The same; a member that is named is not told by its byte as well.
pub fn place_in_short(node: &NodePath, problem: &Problem) -> String {
    let place = &problem.error.place;
    let offset = place.offset.filter(|_| place.field.is_none());
    in_words(node, &Place { offset, ..place.clone() })
}

fn in_words(node: &NodePath, place: &Place) -> String {
    let text = if place.file.is_some() {
        place.to_string()
    } else if place.field.is_some() || place.offset.is_some() {
        format!("{}, {place}", node.in_words())
    } else {
        node.in_words()
    };
    safe_owned(&text)
}
