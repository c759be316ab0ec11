//! Reading a document: RFC 8259, and the liberties that stores take with it.

use super::{Document, Span, line_and_column, shortened};
use crate::zarr::budget::no_memory;
use crate::zarr::prelude::*;
use compact_str::CompactString;

mod tokens;

/// The depth to which arrays and objects may be nested before the document is refused.
pub const MAX_DEPTH: usize = 1000;

/// The length of a document whose parser keeps some memory apart, in bytes, and how much.
const LONG: usize = 1 << 20;
const SPARE: usize = 1 << 16;

/// The number of remarks on a document are told: after so many, each of its kind is like the others.
const MOST_REMARKS: usize = 10_000;

/// The error, with what to do where a merge has left its markers in the document.
fn unmerged(text: &str, error: Error) -> Error {
    let begins = |marker: &str| text.lines().any(|line| line.starts_with(marker));
    if !(begins("<<<<<<< ") && begins("=======") && begins(">>>>>>> ")) {
        return error;
    }
    error.with_fix(
        "The document has the markers of a merge conflict (<<<<<<<, =======, >>>>>>>): keep one side of each.",
    )
}

const REMAINDER: &str = "The rest ends like a document of its own. Likely cause: a shorter document was written over a \
                         longer one, and the end of that was left; remove it.";

/// True if text after a document can be the end of a longer one: it closes what it never opened.
fn is_remainder(rest: &str) -> bool {
    let count = |bracket: char| rest.matches(bracket).count();
    rest.trim_end().ends_with('}') && count('}') > count('{')
}

/// Reads `bytes` as one JSON value; see [`Json::parse`].
pub(super) fn document(bytes: &[u8]) -> Result<Document> {
    let (text, start) = match std::str::from_utf8(bytes) {
        Ok(text) => match text.strip_prefix('\u{feff}') {
            Some(rest) => (rest, bytes.len() - rest.len()),
            None => (text, 0),
        },
        Err(error) => return Err(not_utf8(bytes, error.valid_up_to())),
    };
    if u32::try_from(bytes.len()).is_err() {
        let found = format!("{} bytes", bytes.len());
        return Err(Error::new(Code::TooLarge, found, "a document of less than 4 GiB"));
    }
    let mut parser = Parser {
        text,
        at: 0,
        start,
        items: Vec::new(),
        members: Vec::new(),
        problems: Vec::new(),
        untold: 0,
        spare: Vec::new(),
    };
    if text.len() > LONG {
        parser.spare.try_reserve(SPARE).map_err(|_refused| no_memory(SPARE))?;
    }
    if start > 0 {
        parser.problem(
            0,
            Code::ByteOrderMark,
            "a byte order mark (bytes ef bb bf)",
            "JSON without one (RFC 8259)",
        );
    }
    let root = parser.value().map_err(|error| unmerged(text, error))?;
    parser.space();
    if parser.at < text.len() {
        let error = parser.fault("more text after the value", "the end of the document");
        let rest = text.get(parser.at..).unwrap_or_default();
        return Err(if is_remainder(rest) { error.with_fix(REMAINDER) } else { error });
    }
    Ok(Document { root, problems: parser.remarks() })
}

fn not_utf8(bytes: &[u8], at: usize) -> Error {
    let byte = bytes.get(at).copied().unwrap_or_default();
    let (line, column) = line_and_column(bytes, at);
    Error::new(
        Code::NotUtf8,
        format!("byte 0x{byte:02x} at line {line}, column {column}, which is not UTF-8"),
        "JSON in UTF-8",
    )
    .at_offset(at as u64)
}

struct Parser<'a> {
    /// The document without its byte order mark.
    text: &'a str,
    /// The position of the parser, in bytes of `text`.
    at: usize,
    /// The number of bytes of the document that are before `text`.
    start: usize,
    /// The items of the containers that are open, the outermost first. Each gets its own when it ends, and no room
    /// to grow: short lists come in millions.
    items: Vec<Json>,
    members: Vec<Member>,
    problems: Vec<Problem>,
    /// The number of more remarks than are told.
    untold: u64,
    /// Memory that is given back when there is no more, so that this can be said.
    spare: Vec<u8>,
}

/// A container whose end was not read yet: where it begins in the document, and among what was read.
enum Open {
    Array { from: usize, first: usize },
    Object { from: usize, first: usize, key: (CompactString, Span) },
}

/// Takes what was read from `first` on; or gives the number of bytes that there is no memory for.
fn gathered<T>(all: &mut Vec<T>, first: usize) -> Result<Vec<T>, usize> {
    if first == 0 {
        let mut own = std::mem::take(all);
        own.shrink_to_fit();
        return Ok(own);
    }
    let (mut own, len) = (Vec::new(), all.len().saturating_sub(first));
    own.try_reserve_exact(len).map_err(|_refused| len * size_of::<T>())?;
    own.extend(all.drain(first..));
    Ok(own)
}

/// Puts `item` after the others; or gives the number of bytes that there is no memory for.
fn push<T>(items: &mut Vec<T>, item: T) -> Result<(), usize> {
    items.try_reserve(1).map_err(|_refused| size_of_val(items.as_slice()))?;
    items.push(item);
    Ok(())
}

impl Parser<'_> {
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    /// The place in the document of the text from `from` on.
    fn since(&self, from: usize) -> Span {
        Span::of(self.start + from..self.start + self.at)
    }

    fn space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    fn fault(&self, found: impl Into<String>, expected: impl Into<String>) -> Error {
        let (line, column) = line_and_column(self.text.as_bytes(), self.at);
        let found = format!("{} at line {line}, column {column}", found.into());
        Error::new(Code::InvalidJson, found, expected).at_offset((self.start + self.at) as u64)
    }

    fn problem(&mut self, at: usize, code: Code, found: &str, expected: &str) {
        if self.problems.len() >= MOST_REMARKS {
            self.untold += 1;
            return;
        }
        let error = Error::new(code, found, expected).at_offset(at as u64);
        self.problems.push(Problem::new(error));
    }

    /// The error that there is no memory for `more` bytes; some was kept apart for it.
    fn refused(&mut self, more: usize) -> Error {
        self.spare = Vec::new();
        no_memory(more)
    }

    /// The remarks, the last one with the number of those that were only counted.
    fn remarks(mut self) -> Vec<Problem> {
        if let Some(last) = self.problems.last().filter(|_| self.untold > 0) {
            let found = format!("{} more remarks of this kind or others", self.untold);
            let error = Error::new(last.error.code, found, last.error.expected.clone());
            self.problems.push(Problem { count: self.untold, ..Problem::new(error) });
        }
        self.problems
    }

    fn what_is_here(&self) -> String {
        match self.text.get(self.at..).and_then(|rest| rest.chars().next()) {
            None => "the end of the document".into(),
            Some(c) => format!("{c:?}"),
        }
    }

    /// Reads one value. Containers are kept on a stack of their own: a document must not choose how deep ours goes.
    fn value(&mut self) -> Result<Json> {
        let mut open: Vec<Open> = Vec::new();
        loop {
            self.space();
            let from = self.at;
            let Some(mut done) = self.start_value(&mut open)? else { continue };
            done.at = self.since(from);
            loop {
                let Some(container) = open.last_mut() else { return Ok(done) };
                match container {
                    Open::Array { .. } => push(&mut self.items, done),
                    Open::Object { key, .. } => {
                        let (key, key_at) = std::mem::take(key);
                        push(&mut self.members, Member { key, key_at, value: done })
                    }
                }
                .map_err(|more| self.refused(more))?;
                if !self.ends(container)? {
                    break;
                }
                let Some(container) = open.pop() else { break };
                done = self.close(&container)?;
            }
        }
    }

    /// Reads a whole scalar or empty container, or opens a container and gives `None`.
    fn start_value(&mut self, open: &mut Vec<Open>) -> Result<Option<Json>> {
        let kind = match self.peek() {
            Some(b'{' | b'[') if open.len() >= MAX_DEPTH => {
                let found = format!("a value nested deeper than {MAX_DEPTH}");
                return Err(self.fault(found, format!("at most {MAX_DEPTH} levels")));
            }
            Some(byte @ (b'{' | b'[')) => return self.open(byte == b'{', open),
            Some(b'"') => Kind::String(self.string()?),
            Some(b'-' | b'0'..=b'9') => self.number()?,
            _ => self.word()?,
        };
        Ok(Some(Json::made(kind)))
    }

    fn open(&mut self, is_object: bool, open: &mut Vec<Open>) -> Result<Option<Json>> {
        let from = self.at;
        self.at += 1;
        self.space();
        if self.take(if is_object { b'}' } else { b']' }) {
            let kind = if is_object { Kind::Object(Vec::new()) } else { Kind::Array(Vec::new()) };
            return Ok(Some(Json::made(kind)));
        }
        open.push(if is_object {
            Open::Object { from, first: self.members.len(), key: self.key()? }
        } else {
            Open::Array { from, first: self.items.len() }
        });
        Ok(None)
    }

    /// True if the container ends here; if not, reads the comma and the next key.
    fn ends(&mut self, container: &mut Open) -> Result<bool> {
        self.space();
        let (end, expected) = match container {
            Open::Array { .. } => (b']', "',' or ']' in an array"),
            Open::Object { .. } => (b'}', "',' or '}' in an object"),
        };
        if self.take(end) {
            return Ok(true);
        }
        if !self.take(b',') {
            let fault = self.fault(self.what_is_here(), expected);
            let follows = matches!(self.peek(), Some(b'"' | b'{' | b'[' | b'-' | b'0'..=b'9'));
            return Err(if follows { fault.with_fix("Put a comma before it.") } else { fault });
        }
        self.space();
        if let Some(b',' | b'}' | b']') = self.peek() {
            let expected = if end == b'}' { "a key in double quotes" } else { "a value" };
            let fault = self.fault(self.what_is_here(), expected);
            return Err(fault.with_fix("Remove the comma before it."));
        }
        if let Open::Object { key, .. } = container {
            *key = self.key()?;
        }
        Ok(false)
    }

    fn close(&mut self, container: &Open) -> Result<Json> {
        let (from, kind) = match *container {
            Open::Array { from, first } => {
                let items = gathered(&mut self.items, first);
                (from, Kind::Array(items.map_err(|more| self.refused(more))?))
            }
            Open::Object { from, first, .. } => {
                let members = gathered(&mut self.members, first);
                let members = members.map_err(|more| self.refused(more))?;
                self.duplicates(&members)?;
                (from, Kind::Object(members))
            }
        };
        Ok(Json { kind, at: self.since(from) })
    }

    /// Reads a key and its colon.
    fn key(&mut self) -> Result<(CompactString, Span)> {
        if self.peek() != Some(b'"') {
            return Err(self.fault(self.what_is_here(), "a key in double quotes"));
        }
        let from = self.at;
        let key = self.string()?.text;
        let span = self.since(from);
        self.space();
        if !self.take(b':') {
            return Err(self.fault(self.what_is_here(), "':' after a key"));
        }
        Ok((key, span))
    }

    fn word(&mut self) -> Result<Kind> {
        let words = [
            ("null", Kind::Null),
            ("true", Kind::Bool(true)),
            ("false", Kind::Bool(false)),
            ("NaN", Kind::Number("NaN".into())),
            ("Infinity", Kind::Number("Infinity".into())),
        ];
        let rest = self.text.get(self.at..).unwrap_or_default();
        let Some((word, kind)) = words.into_iter().find(|(word, _)| rest.starts_with(word)) else {
            return Err(self.fault(self.what_is_here(), "a JSON value"));
        };
        if matches!(kind, Kind::Number(_)) {
            self.bare(word);
        }
        self.at += word.len();
        Ok(kind)
    }

    fn duplicates(&mut self, members: &[Member]) -> Result<()> {
        // Of a few keys a set costs more than comparing each with the others, and most objects have a few.
        const FEW: usize = 16;
        let mut seen = HashSet::new();
        if members.len() > FEW {
            let room = seen.try_reserve(members.len());
            room.map_err(|_refused| self.refused(size_of_val(members)))?;
        }
        for (at, member) in members.iter().enumerate() {
            let is_again = if members.len() > FEW {
                !seen.insert(member.key.as_str())
            } else {
                members.iter().take(at).any(|earlier| earlier.key == member.key)
            };
            if is_again {
                let found = format!("the key {} twice", quoted(&shortened(&member.key)));
                let expected = "each key once; most readers take the last";
                self.problem(member.key_span().start, Code::DuplicateKey, &found, expected);
            }
        }
        Ok(())
    }

    fn take(&mut self, byte: u8) -> bool {
        let there = self.peek() == Some(byte);
        self.at += usize::from(there);
        there
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(text: &str) -> Error {
        Json::parse(text.as_bytes()).expect_err(text)
    }

    #[test]
    fn numbers_keep_their_text_and_values_their_place() {
        let document = Json::parse(br#" {"a": [1e400, -0, 9223372036854775808]}"#).unwrap();
        let items = document.root.get_array("a").unwrap();
        let texts: Vec<_> = items.iter().filter_map(Json::as_number).collect();
        assert_eq!(texts, ["1e400", "-0", "9223372036854775808"]);
        assert_eq!(items.get(1).map(Json::span), Some(15..17));
    }

    #[test]
    fn what_is_not_json_but_clear_is_read_and_told() {
        let text = "\u{feff}{\"a\": NaN, \"b\": -Infinity, \"a\": \"\\ud800x\\ud83d\\ude00\"}";
        let document = Json::parse(text.as_bytes()).unwrap();
        let codes: Vec<_> = document.problems.iter().map(|p| p.error.code).collect();
        assert_eq!(codes, [Code::ByteOrderMark, Code::BareNan, Code::BareNan, Code::DuplicateKey]);
        let Some(Json { kind: Kind::String(a), .. }) = document.root.get("a") else { panic!() };
        assert_eq!((a.text.as_str(), a.lone_surrogate), ("\u{fffd}x😀", true));
    }

    #[test]
    fn faults_have_line_column_and_offset() {
        let error = refused("{\n  \"a\": 1,\n}");
        assert_eq!(error.place.offset, Some(12));
        assert_eq!(error.found, "'}' at line 3, column 1");
        assert_eq!(error.fix.as_deref(), Some("Remove the comma before it."));
        assert_eq!(refused("[1,,2]").fix, error.fix);
        let error = refused("{\"a\": 1 \"b\": 2}");
        assert_eq!(error.fix.as_deref(), Some("Put a comma before it."));
        for text in [
            "",
            "01",
            "1.",
            "[1,]",
            "\"\\x\"",
            "\"\u{1}\"",
            "nul",
            "1 2",
            "\"\\u12",
            "{a:1}",
            "/**/1",
        ] {
            refused(text);
        }
        assert_eq!(Json::parse(b"\"\xff\"").unwrap_err().code, Code::NotUtf8);
    }

    #[test]
    fn depth_is_bounded() {
        refused(&"[".repeat(100_000));
        assert!(
            Json::parse_str(&format!("{}{}", "[".repeat(MAX_DEPTH), "]".repeat(MAX_DEPTH))).is_ok()
        );
    }
}
