//! Changes of a document that leave every other byte as it is, and how they are told: as a JSON Patch, as a diff.

use crate::zarr::prelude::*;
use crate::zarr::{
    error::{DocumentEdit, Result},
    runnable::{DocumentDiff, inert_json},
};
use similar::TextDiff;
use std::time::Duration;

/// One step from a JSON value to a part of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum JsonStep {
    /// The member of an object.
    Key(String),
    /// The item of an array.
    At(usize),
}

/// One change of a document.
#[derive(Debug, Clone, PartialEq)]
pub struct Edit {
    /// The path of the member.
    pub path: Vec<JsonStep>,
    /// The change of it.
    pub change: ValueChange,
}

/// The change of a value.
#[derive(Debug, Clone, PartialEq)]
pub enum ValueChange {
    /// It is this from now on; a member that is not there is added.
    Set(Json),
    /// This is before it in its array, or at the end.
    Insert(Json),
    /// It is taken out.
    Remove,
}

/// The steps to a value: `["codecs", 0]` from `codecs` and 0.
macro_rules! steps {
    ($($step:expr),+) => { vec![$($crate::zarr::what_if::edit::JsonStep::from($step)),+] };
}
pub(in crate::zarr) use steps;

impl From<&str> for JsonStep {
    fn from(key: &str) -> Self {
        Self::Key(key.to_owned())
    }
}

impl From<usize> for JsonStep {
    fn from(at: usize) -> Self {
        Self::At(at)
    }
}

impl Edit {
    /// The value at `path` becomes `value`.
    pub fn set(path: Vec<JsonStep>, value: impl Into<Json>) -> Self {
        Self { path, change: ValueChange::Set(value.into()) }
    }

    /// `value` is put before the item at `path`.
    pub fn insert(path: Vec<JsonStep>, value: impl Into<Json>) -> Self {
        Self { path, change: ValueChange::Insert(value.into()) }
    }

    /// The value at `path` is taken out.
    pub fn remove(path: Vec<JsonStep>) -> Self {
        Self { path, change: ValueChange::Remove }
    }

    /// The place as a JSON Pointer (RFC 6901).
    pub fn pointer(&self) -> String {
        self.path.iter().fold(String::new(), |mut pointer, step| {
            pointer.push('/');
            match step {
                JsonStep::Key(key) => pointer += &key.replace('~', "~0").replace('/', "~1"),
                JsonStep::At(at) => pointer += &at.to_string(),
            }
            pointer
        })
    }
}

/// The steps of a JSON Pointer; what is a number is an item of an array.
pub fn steps_of(pointer: &str) -> Vec<JsonStep> {
    let step = |part: &str| match part.parse() {
        Ok(at) => JsonStep::At(at),
        Err(_) => JsonStep::Key(part.replace("~1", "/").replace("~0", "~")),
    };
    pointer.split('/').skip(1).map(step).collect()
}

/// `document` after `edits`, one after the other.
///
/// # Errors
///
/// If the document is not JSON, or has no such place.
pub fn apply(document: &[u8], edits: &[Edit]) -> Result<Vec<u8>> {
    edits.iter().try_fold(document.to_vec(), |document, edit| one(&document, edit))
}

fn one(document: &[u8], edit: &Edit) -> Result<Vec<u8>> {
    let root = Json::parse(document)?.root;
    let nowhere = || {
        let found = format!("no value at {}", quoted(&edit.pointer()));
        Error::new(Code::MissingField, found, "a document that has one")
    };
    let Some((last, around)) = edit.path.split_last() else { return Err(nowhere()) };
    let parent = around.iter().try_fold(&root, step).ok_or_else(nowhere)?;
    let (from, to, text) = splice(document, parent, last, edit).ok_or_else(nowhere)?;
    let mut out = document.get(..from).unwrap_or_default().to_vec();
    out.extend_from_slice(text.as_bytes());
    out.extend_from_slice(document.get(to..).unwrap_or_default());
    Ok(out)
}

fn step<'a>(json: &'a Json, step: &JsonStep) -> Option<&'a Json> {
    match step {
        JsonStep::Key(key) => json.get(key),
        JsonStep::At(at) => json.as_array()?.get(*at),
    }
}

/// The bytes to replace in `document`, and what by. `parent` holds the value at `last`.
fn splice(
    document: &[u8],
    parent: &Json,
    last: &JsonStep,
    edit: &Edit,
) -> Option<(usize, usize, String)> {
    let layout = LineLayout::of(document, parent);
    let spans: Vec<(usize, usize)> = match &parent.kind {
        Kind::Array(items) => {
            items.iter().map(|item| (item.span().start, item.span().end)).collect()
        }
        Kind::Object(members) => members.iter().map(whole).collect(),
        _ => return None,
    };
    let at = match last {
        JsonStep::At(at) => Some(*at).filter(|at| *at <= spans.len()),
        JsonStep::Key(key) => parent.as_object()?.iter().rposition(|member| member.key == *key),
    };
    match (&edit.change, at.and_then(|at| Some((at, *spans.get(at)?)))) {
        (ValueChange::Set(value), Some(_)) => {
            let span = step(parent, last)?.span();
            Some((span.start, span.end, layout.write(value)))
        }
        (ValueChange::Remove, Some((at, (start, end)))) => {
            let next = spans.get(at + 1).map(|next| (start, next.0));
            let previous = at.checked_sub(1).and_then(|at| spans.get(at)).map(|last| (last.1, end));
            let (from, to) = next.or(previous).unwrap_or((start, end));
            Some((from, to, String::new()))
        }
        (ValueChange::Insert(value), Some((_, (start, _)))) => {
            Some((start, start, format!("{},{}", layout.write(value), layout.gap())))
        }
        (ValueChange::Set(value) | ValueChange::Insert(value), None) => {
            let text = match last {
                JsonStep::Key(key) => format!("{}: {}", quoted(key), layout.write(value)),
                JsonStep::At(_) => layout.write(value),
            };
            match spans.last() {
                Some((_, end)) => Some((*end, *end, format!(",{}{text}", layout.gap()))),
                None => Some((parent.span().start + 1, parent.span().end - 1, text)),
            }
        }
        (ValueChange::Remove, None) => None,
    }
}

fn whole(member: &Member) -> (usize, usize) {
    (member.key_span().start, member.value.span().end)
}

/// The way in which a document lays out its lines.
struct LineLayout {
    /// The blanks at the start of the line of a member; `None`: everything is on one line.
    indent: Option<String>,
    /// By how much the next level is indented.
    unit: String,
}

impl LineLayout {
    /// The layout of the members of `parent`.
    fn of(document: &[u8], parent: &Json) -> Self {
        let first = match &parent.kind {
            Kind::Array(items) => items.first().map(|item| item.span().start),
            Kind::Object(members) => members.first().map(|member| member.key_span().start),
            _ => None,
        };
        let indent = first.and_then(|first| {
            let before = document.get(..first)?;
            let start = before.iter().rposition(|&byte| byte == b'\n')? + 1;
            let space = std::str::from_utf8(before.get(start..)?).ok()?;
            space.trim().is_empty().then(|| space.to_owned())
        });
        let lines = document.split(|&byte| byte == b'\n').skip(1);
        let spaces = lines.map(|line| line.iter().take_while(|&&byte| byte == b' ').count());
        let unit = " ".repeat(spaces.filter(|&n| n > 0).min().unwrap_or(2));
        Self { indent, unit }
    }

    /// The text between a comma and the next member.
    fn gap(&self) -> String {
        self.indent.as_ref().map_or_else(|| " ".to_owned(), |indent| format!("\n{indent}"))
    }

    fn write(&self, value: &Json) -> String {
        match &self.indent {
            None => spaced(value),
            Some(indent) => self.lines(value, indent),
        }
    }

    fn lines(&self, value: &Json, indent: &str) -> String {
        let inner = format!("{indent}{}", self.unit);
        let join = |open: char, parts: Vec<String>, close: char| {
            format!("{open}\n{inner}{}\n{indent}{close}", parts.join(&format!(",\n{inner}")))
        };
        match &value.kind {
            Kind::Object(members) if !members.is_empty() => {
                let part = |member: &Member| {
                    format!("{}: {}", quoted(&member.key), self.lines(&member.value, &inner))
                };
                join('{', members.iter().map(part).collect(), '}')
            }
            Kind::Array(items) if !items.is_empty() => {
                join('[', items.iter().map(|item| self.lines(item, &inner)).collect(), ']')
            }
            _ => value.to_string(),
        }
    }
}

/// A value on one line, a space after each comma and colon.
fn spaced(value: &Json) -> String {
    match &value.kind {
        Kind::Object(members) => {
            format!(
                "{{{}}}",
                members
                    .iter()
                    .map(|m| format!("{}: {}", quoted(&m.key), spaced(&m.value)))
                    .joined(", ")
            )
        }
        Kind::Array(items) => {
            format!("[{}]", items.iter().map(spaced).joined(", "))
        }
        _ => value.to_string(),
    }
}

/// `edits` of `document` as a JSON Patch (RFC 6902), on one line.
fn json_patch(document: &[u8], edits: &[Edit]) -> String {
    let mut current = document.to_vec();
    let mut steps = Vec::new();
    for edit in edits {
        let root = Json::parse(&current).map(|document| document.root).unwrap_or_default();
        let is_there = edit.path.iter().try_fold(&root, step).is_some();
        let pointer = edit.pointer();
        steps.push(match &edit.change {
            ValueChange::Set(value) if is_there => {
                object! {"op": "replace", "path": pointer, "value": value}
            }
            ValueChange::Set(value) | ValueChange::Insert(value) => {
                object! {"op": "add", "path": pointer, "value": value}
            }
            ValueChange::Remove => object! {"op": "remove", "path": pointer},
        });
        current = one(&current, edit).unwrap_or_default();
    }
    inert_json(&Json::from(steps).to_line())
}

/// `edits` of the document under the key `key`, with what they change of its bytes.
///
/// # Errors
///
/// As [`apply`].
pub fn document_edit(key: &str, old: &[u8], edits: &[Edit]) -> Result<DocumentEdit> {
    let new = apply(old, edits)?;
    let same = |(a, b): &(&u8, &u8)| a == b;
    let before = old.iter().zip(&new).take_while(same).count();
    let after = old.iter().skip(before).rev().zip(new.iter().skip(before).rev());
    let after = after.take_while(same).count();
    Ok(DocumentEdit {
        document: key.to_owned(),
        patch: json_patch(old, edits),
        diff: diff(key, old, &new),
        replaced: before..old.len() - after,
        put: before..new.len() - after,
        bytes: new.into(),
    })
}

/// The time after which a diff is told in coarser changes: documents of a great many lines that differ everywhere.
const PATIENCE: Duration = Duration::from_secs(1);

/// The difference between two texts of the document under the key `name`.
pub fn diff(name: &str, old: &[u8], new: &[u8]) -> DocumentDiff {
    let (old, new) = (String::from_utf8_lossy(old), String::from_utf8_lossy(new));
    let changes = TextDiff::configure().timeout(PATIENCE).diff_lines(&old, &new);
    DocumentDiff::new(name, changes.unified_diff().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    const DOCUMENT: &str = "{\n  \"a\": 1,\n  \"codecs\": [\n    {\n      \"name\": \"bytes\"\n    }\n  ],\n  \"z\": null\n}";

    fn edited(edits: &[Edit]) -> String {
        String::from_utf8(apply(DOCUMENT.as_bytes(), edits).unwrap()).unwrap()
    }

    #[test]
    fn a_change_leaves_every_other_byte() {
        let set = Edit::set(steps!["a"], "x");
        assert_eq!(edited(&[set]), DOCUMENT.replace('1', "\"x\""));
        let added = edited(&[Edit::set(steps!["b"], 2_u32)]);
        assert_eq!(added, DOCUMENT.replace("null", "null,\n  \"b\": 2"));
        let codec = Edit::insert(steps!["codecs", 1], object! {"name": "zstd"});
        let expected = DOCUMENT
            .replace("\n    }\n  ]", "\n    },\n    {\n      \"name\": \"zstd\"\n    }\n  ]");
        assert_eq!(edited(std::slice::from_ref(&codec)), expected);
        assert_eq!(edited(&[codec, Edit::remove(steps!["codecs", 1])]), DOCUMENT);
        assert_eq!(edited(&[Edit::remove(steps!["a"])]), DOCUMENT.replace("\"a\": 1,\n  ", ""));
        assert!(apply(b"{}", &[Edit::remove(steps!["a"])]).is_err());
    }

    #[test]
    fn a_document_of_one_line_keeps_to_it() {
        let edit = Edit::set(steps!["a"], object! {"b": [1_u32, 2]});
        let edited = apply(br#"{"c": 1}"#, &[edit]).unwrap();
        assert_eq!(String::from_utf8(edited).unwrap(), r#"{"c": 1, "a": {"b": [1, 2]}}"#);
    }

    #[test]
    fn the_patch_says_what_is_done_and_the_diff_what_it_does() {
        let edits = [Edit::set(steps!["a"], 2_u32), Edit::set(steps!["new"], true)];
        let patch = json_patch(DOCUMENT.as_bytes(), &edits);
        assert_eq!(
            patch,
            r#"[{"op":"replace","path":"/a","value":2},{"op":"add","path":"/new","value":true}]"#
        );
        let diff = diff("x/zarr.json", DOCUMENT.as_bytes(), edited(&edits).as_bytes()).to_string();
        assert!(diff.starts_with("--- a/x/zarr.json\n+++ b/x/zarr.json\n@@ -1,9 +1,10 @@\n {\n-  \"a\": 1,\n+  \"a\": 2,\n"), "{diff}");
        assert!(
            diff.contains("-  \"z\": null\n+  \"z\": null,\n+  \"new\": true\n }\n\\ No newline"),
            "{diff}"
        );
    }
}
