//! A document cut into lines that can be shown, folded and searched.

use crate::app::prelude::*;
use crate::zarr::{spelling::document::Written, text::safe_bytes};

/// Lines longer than this are laid out again: nobody reads a document of one line.
const LONGEST: usize = 160;

/// One line of a document.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct TextLine {
    /// The text, safe to show.
    pub text: String,
    /// True if it is the name of a document, not a part of one.
    pub heading: bool,
    /// The key of the document, in its heading alone.
    pub key: String,
    /// The bytes of the document that it shows; none in headings.
    pub bytes: Range<usize>,
    /// The number of the last line of what starts here; its own where nothing does.
    pub end: usize,
    /// The member that it is part of, such as `codecs[0].configuration`.
    pub field: String,
    /// The faults in it.
    pub faults: Vec<DocumentFault>,
    /// The columns of what is wrong, in characters.
    pub marks: Vec<Range<usize>>,
}

/// Something wrong in a document.
#[derive(Debug, Clone, PartialEq)]
pub struct DocumentFault {
    /// The bytes that it is about; `None` for the document as a whole.
    pub bytes: Option<Range<usize>>,
    /// The severity.
    pub severity: Severity,
    /// The fault, in words.
    pub words: String,
}

impl TextLine {
    /// The severity of the worst fault in it.
    pub fn worst(&self) -> Option<Severity> {
        self.faults.iter().map(|fault| fault.severity).max()
    }
}

/// The lines of a stored document, its name first.
pub(super) fn of_document(raw: &RawDocument, faults: &[DocumentFault]) -> Vec<TextLine> {
    let lines = || raw.bytes.trim_ascii().split(|&byte| byte == b'\n');
    let long = lines().count() == 1 && lines().any(|line| line.len() > LONGEST);
    let ranges = match &raw.json {
        Ok(json) if long => laid_out(json, raw.bytes.len()),
        _ => as_stored(&raw.bytes),
    };
    let mut lines = vec![heading(raw, faults, long)];
    let fields = raw.json.as_ref().map(|json| fields(json)).unwrap_or_default();
    for (indent, range) in ranges {
        let bytes = raw.bytes.get(range.clone()).unwrap_or_default();
        let mut line = TextLine {
            text: format!("{}{}", " ".repeat(indent), safe_bytes(&untabbed(bytes))),
            field: field_at(&fields, &range),
            bytes: range.clone(),
            ..TextLine::default()
        };
        for fault in faults {
            let Some(spot) = &fault.bytes else { continue };
            // A fault over several lines is said once, on its first; a spot after the end on the last.
            let starts = range.start <= spot.start && spot.start < range.end.max(range.start + 1);
            let behind = range.end == raw.bytes.len() && spot.start >= range.end;
            if starts || behind {
                line.marks.push(columns(bytes, indent, &range, spot));
                line.faults.push(fault.clone());
            }
        }
        lines.push(line);
    }
    folds(&mut lines);
    lines
}

/// The name of a document, and what is wrong with the whole of it.
fn heading(raw: &RawDocument, faults: &[DocumentFault], long: bool) -> TextLine {
    let mut text = format!("{}   {} bytes", safe(&raw.key), grouped(raw.bytes.len()));
    if long && raw.json.is_ok() {
        text += "   formatted here; stored without line breaks";
    }
    let whole = faults.iter().filter(|fault| fault.bytes.is_none()).cloned().collect();
    TextLine { text, heading: true, key: raw.key.clone(), faults: whole, ..TextLine::default() }
}

/// The lines of the documents that a format would write.
pub(super) fn of_written(written: &Written) -> Vec<TextLine> {
    let mut lines = Vec::new();
    for (name, value) in &written.documents {
        lines.push(TextLine { text: (*name).into(), heading: true, ..TextLine::default() });
        let text = value.to_lines(0);
        lines.extend(
            text.lines().map(|text| TextLine { text: safe_owned(text), ..TextLine::default() }),
        );
    }
    folds(&mut lines);
    lines
}

fn as_stored(bytes: &[u8]) -> Vec<(usize, Range<usize>)> {
    let mut start = 0;
    let mut lines: Vec<_> = bytes
        .split(|&byte| byte == b'\n')
        .map(|line| {
            let range = start..start + line.len();
            start = range.end + 1;
            (0, range)
        })
        .collect();
    if lines.len() > 1 && bytes.ends_with(b"\n") {
        lines.pop();
    }
    lines
}

/// Tabs would move what comes after them.
fn untabbed(bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(bytes.len());
    for &byte in bytes {
        match byte {
            b'\t' => out.extend(b"    "),
            b'\r' => {}
            byte => out.push(byte),
        }
    }
    out
}

/// The starts of lines if every member and item gets one of its own; small arrays of plain values stay in one.
fn laid_out(json: &Json, len: usize) -> Vec<(usize, Range<usize>)> {
    let mut starts = vec![(0, 0)];
    // What is still to be looked at, with its depth; a stack, so that no document chooses how deep we go.
    let mut open = vec![(json, 0_usize)];
    while let Some((json, depth)) = open.pop() {
        let inner = (depth + 1) * 2;
        match &json.kind {
            Kind::Object(members) if !members.is_empty() => {
                starts.extend(members.iter().map(|member| (inner, member.key_span().start)));
                starts.push((depth * 2, json.span().end.saturating_sub(1)));
                open.extend(members.iter().map(|member| (&member.value, depth + 1)));
            }
            Kind::Array(items)
                if items.iter().any(is_nested) || json.span().len() > LONGEST / 2 =>
            {
                starts.extend(items.iter().map(|item| (inner, item.span().start)));
                starts.push((depth * 2, json.span().end.saturating_sub(1)));
                open.extend(items.iter().map(|item| (item, depth + 1)));
            }
            _ => {}
        }
    }
    starts.sort_by_key(|&(_, at)| at);
    let ends = starts.iter().skip(1).map(|&(_, at)| at).chain([len]);
    starts.iter().zip(ends).map(|(&(indent, at), end)| (indent, at..end)).collect()
}

fn is_nested(json: &Json) -> bool {
    matches!(&json.kind, Kind::Array(_) | Kind::Object(_))
}

/// Every member with its bytes, in the order they stand.
fn fields(json: &Json) -> Vec<(String, Range<usize>)> {
    let mut out = Vec::new();
    let mut open = vec![(String::new(), json)];
    while let Some((path, json)) = open.pop() {
        match &json.kind {
            Kind::Object(members) => {
                for member in members {
                    let key = safe(&member.key);
                    let dot = if path.is_empty() { "" } else { "." };
                    let path = format!("{path}{dot}{key}");
                    out.push((path.clone(), member.key_span().start..member.value.span().end));
                    open.push((path, &member.value));
                }
            }
            Kind::Array(items) if items.iter().any(is_nested) => {
                for (at, item) in items.iter().enumerate() {
                    let path = format!("{path}[{at}]");
                    out.push((path.clone(), item.span()));
                    open.push((path, item));
                }
            }
            _ => {}
        }
    }
    out.sort_by_key(|(_, span)| (span.start, std::cmp::Reverse(span.end)));
    out
}

/// The member that starts on these bytes, or else the innermost around them.
fn field_at(fields: &[(String, Range<usize>)], line: &Range<usize>) -> String {
    let before = fields.partition_point(|(_, span)| span.start < line.end.max(line.start + 1));
    let candidates = fields.iter().take(before).rev();
    let starting = |span: &Range<usize>| span.start >= line.start;
    let mut best = None;
    for (path, span) in candidates {
        if starting(span) {
            best = Some(path);
        } else if best.is_none() && span.end > line.start {
            return path.clone();
        } else if best.is_some() {
            break;
        }
    }
    best.cloned().unwrap_or_default()
}

/// The columns of `spot` on a line.
fn columns(bytes: &[u8], indent: usize, line: &Range<usize>, spot: &Range<usize>) -> Range<usize> {
    let count = |to: usize| {
        let upto = bytes.get(..to.min(bytes.len())).unwrap_or_default();
        safe_bytes(&untabbed(upto)).chars().count() + indent
    };
    let from = count(spot.start.saturating_sub(line.start));
    from..count(spot.end.saturating_sub(line.start)).max(from + 1)
}

/// Finds for each line where what it opens is closed: the next line that is indented no deeper.
fn folds(lines: &mut [TextLine]) {
    let depth = |line: &TextLine| line.text.len() - line.text.trim_start().len();
    let mut open: Vec<(usize, usize)> = Vec::new();
    let mut ends: Vec<usize> = (0..lines.len()).collect();
    for (at, line) in lines.iter().enumerate().filter(|(_, line)| !line.heading) {
        let indent = depth(line);
        while open.last().is_some_and(|&(_, outer)| outer >= indent) {
            if let Some((opened, outer)) = open.pop() {
                // A closing bracket belongs to what it closes.
                let closing = outer == indent && line.text.trim_start().starts_with(['}', ']']);
                if let Some(end) = ends.get_mut(opened) {
                    *end = if closing { at } else { at - 1 };
                }
            }
        }
        if line.text.trim_end().ends_with(['{', '[']) {
            open.push((at, indent));
        }
    }
    for (line, end) in lines.iter_mut().zip(ends) {
        line.end = end;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    fn raw(text: &str) -> RawDocument {
        RawDocument {
            key: "zarr.json".into(),
            bytes: Arc::new(text.into()),
            json: Json::parse_str(text).map(Arc::new),
            problems: Vec::new(),
        }
    }

    fn texts(lines: &[TextLine]) -> Vec<&str> {
        lines.iter().skip(1).map(|line| line.text.as_str()).collect()
    }

    #[test]
    fn a_document_of_one_long_line_is_laid_out() {
        let text = format!("{{\"a\":[1,2],\"b\":{{\"c\":\"{}\"}}}}", "x".repeat(200));
        let lines = of_document(&raw(&text), &[]);
        let long = format!("    \"c\":\"{}\"", "x".repeat(200));
        assert_eq!(texts(&lines), ["{", "  \"a\":[1,2],", "  \"b\":{", &long, "  }", "}"]);
        assert_eq!(lines[3].field, "b");
        assert_eq!(lines[4].field, "b.c");
        assert_eq!((lines[1].end, lines[3].end), (6, 5));
    }

    #[test]
    fn faults_are_marked_where_they_stand() {
        let fault = DocumentFault {
            bytes: Some(9..12),
            severity: Severity::Error,
            words: "bare NaN".into(),
        };
        let lines = of_document(&raw("{\n  \"a\": NaN\n}"), std::slice::from_ref(&fault));
        assert_eq!(texts(&lines), ["{", "  \"a\": NaN", "}"]);
        assert_eq!(lines[2].faults, [fault]);
        assert_eq!(lines[2].marks.as_slice(), std::slice::from_ref(&(7..10)));
        assert_eq!(lines[2].field, "a");
    }
}
