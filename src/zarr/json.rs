//! JSON as it is found in stores, which is not always JSON.
//!
//! A strict reader would refuse the bare `NaN` that zarr-python 2 wrote, round `9223372036854775807`, drop the first
//! of two equal keys, and forget where each value stood. An inspector must show all of it: numbers stay text, members
//! stay in order with their duplicates, every value knows its bytes in the document, and what is not JSON (RFC 8259)
//! but unambiguous is read with a [`Problem`] beside it.

use super::error::{Error, Problem, Result};
use std::{fmt, ops::Range};

/// How deep arrays and objects may nest before the document is refused.
pub const MAX_DEPTH: usize = 1000;

/// A value and the bytes of the document that it came from.
#[derive(Debug, Clone, PartialEq)]
pub struct Json {
    /// What it is.
    pub kind: Kind,
    /// Where it stands, as a byte range of the document; empty for values that were made and not read.
    pub span: Range<usize>,
}

/// What a JSON value is.
#[derive(Debug, Clone, PartialEq)]
pub enum Kind {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A number, as its text; also the bare tokens `NaN`, `Infinity` and `-Infinity`, which are not JSON.
    Number(String),
    /// A string, its escapes resolved.
    String(Text),
    /// An array.
    Array(Vec<Json>),
    /// An object: members in order, duplicates kept.
    Object(Vec<Member>),
}

/// The text of a JSON string.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Text {
    /// The text; a lone surrogate is replaced by U+FFFD.
    pub text: String,
    /// Whether the string held a lone surrogate, which no Unicode text can.
    pub lone_surrogate: bool,
}

/// One `"key": value` of an object.
#[derive(Debug, Clone, PartialEq)]
pub struct Member {
    /// The key, its escapes resolved.
    pub key: String,
    /// Where the key stands in the document, quotes included.
    pub key_span: Range<usize>,
    /// The value.
    pub value: Json,
}

/// A document that was read, with what is wrong in it.
#[derive(Debug, Clone, PartialEq)]
pub struct Document {
    /// The outermost value.
    pub root: Json,
    /// Bare `NaN`, byte order mark, duplicate keys: what a strict reader refuses. Offsets are in the place.
    pub problems: Vec<Problem>,
}

impl Json {
    /// Reads `bytes` as one JSON value.
    ///
    /// # Errors
    ///
    /// Where the bytes are not UTF-8 or not JSON even with the liberties of this module; the place has the byte
    /// offset and `found` the line and column.
    pub fn parse(bytes: &[u8]) -> Result<Document> {
        let (text, start) = match std::str::from_utf8(bytes) {
            Ok(text) => match text.strip_prefix('\u{feff}') {
                Some(rest) => (rest, bytes.len() - rest.len()),
                None => (text, 0),
            },
            Err(error) => return Err(not_utf8(bytes, error.valid_up_to())),
        };
        let mut parser = Parser { text, at: 0, start, problems: Vec::new() };
        if start > 0 {
            parser.problem(
                0,
                "byte-order-mark",
                "a byte order mark",
                "no bytes before the first value",
            );
        }
        let root = parser.value()?;
        parser.space();
        if parser.at < text.len() {
            return Err(parser.fault("more text after the value", "the end of the document"));
        }
        Ok(Document { root, problems: parser.problems })
    }

    /// Reads one value from `text`, for what the user typed.
    ///
    /// # Errors
    ///
    /// As [`Json::parse`].
    pub fn parse_str(text: &str) -> Result<Self> {
        Self::parse(text.as_bytes()).map(|document| document.root)
    }

    /// A value that stands in no document.
    #[must_use]
    pub fn made(kind: Kind) -> Self {
        Self { kind, span: 0..0 }
    }

    /// A string that stands in no document.
    #[must_use]
    pub fn string(text: impl Into<String>) -> Self {
        Self::made(Kind::String(Text { text: text.into(), lone_surrogate: false }))
    }

    /// The text of a string; `None` for anything else.
    #[must_use]
    pub fn as_str(&self) -> Option<&str> {
        match &self.kind {
            Kind::String(text) => Some(&text.text),
            _ => None,
        }
    }

    /// The text of a number, bare `NaN` and its like included; `None` for anything else.
    #[must_use]
    pub fn as_number(&self) -> Option<&str> {
        match &self.kind {
            Kind::Number(text) => Some(text),
            _ => None,
        }
    }

    /// A number without fraction and exponent that fits; `None` for anything else.
    #[must_use]
    pub fn as_u64(&self) -> Option<u64> {
        self.as_number().and_then(|text| text.parse().ok())
    }

    /// The items of an array; `None` for anything else.
    #[must_use]
    pub fn as_array(&self) -> Option<&[Self]> {
        match &self.kind {
            Kind::Array(items) => Some(items),
            _ => None,
        }
    }

    /// The members of an object; `None` for anything else.
    #[must_use]
    pub fn as_object(&self) -> Option<&[Member]> {
        match &self.kind {
            Kind::Object(members) => Some(members),
            _ => None,
        }
    }

    /// Whether it is `null`.
    #[must_use]
    pub fn is_null(&self) -> bool {
        self.kind == Kind::Null
    }

    /// The member `key` of an object; the last one where there are several, as every reader takes it.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&Self> {
        self.as_object()?.iter().rev().find(|member| member.key == key).map(|member| &member.value)
    }

    /// What it is in words, for messages: `the number 3`, `an array of 2`. Long texts are cut.
    #[must_use]
    pub fn describe(&self) -> String {
        match &self.kind {
            Kind::Null => "null".into(),
            Kind::Bool(value) => value.to_string(),
            Kind::Number(text) => format!("the number {}", shortened(text)),
            Kind::String(text) => format!("the string {}", quoted(&shortened(&text.text))),
            Kind::Array(items) => format!("an array of {}", items.len()),
            Kind::Object(members) => format!("an object of {}", members.len()),
        }
    }

    /// The same value for `serde_json`; bare `NaN` and its like become strings, of equal keys the last wins.
    #[must_use]
    pub fn to_value(&self) -> serde_json::Value {
        use serde_json::Value;
        match &self.kind {
            Kind::Null => Value::Null,
            Kind::Bool(value) => Value::Bool(*value),
            Kind::Number(text) => number(text).unwrap_or_else(|| Value::String(text.clone())),
            Kind::String(text) => Value::String(text.text.clone()),
            Kind::Array(items) => Value::Array(items.iter().map(Self::to_value).collect()),
            Kind::Object(members) => {
                Value::Object(members.iter().map(|m| (m.key.clone(), m.value.to_value())).collect())
            }
        }
    }
}

/// The value on one line without spaces, every number as its own text, bare `NaN` included.
impl fmt::Display for Json {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            Kind::Null => f.write_str("null"),
            Kind::Bool(value) => write!(f, "{value}"),
            Kind::Number(text) => f.write_str(text),
            Kind::String(text) => f.write_str(&quoted(&text.text)),
            Kind::Array(items) => {
                for (i, item) in items.iter().enumerate() {
                    write!(f, "{}{item}", if i == 0 { '[' } else { ',' })?;
                }
                f.write_str(if items.is_empty() { "[]" } else { "]" })
            }
            Kind::Object(members) => {
                for (i, member) in members.iter().enumerate() {
                    let sign = if i == 0 { '{' } else { ',' };
                    write!(f, "{sign}{}:{}", quoted(&member.key), member.value)?;
                }
                f.write_str(if members.is_empty() { "{}" } else { "}" })
            }
        }
    }
}

/// A `serde_json` number with exactly this text; `None` where it is not a JSON number.
#[must_use]
pub fn number(text: &str) -> Option<serde_json::Value> {
    text.parse::<serde_json::Number>().ok().map(serde_json::Value::Number)
}

/// `text` as a JSON string, quotes and escapes included.
#[must_use]
pub fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

fn shortened(text: &str) -> String {
    const KEEP: usize = 60;
    match text.char_indices().nth(KEEP) {
        None => text.to_owned(),
        Some((end, _)) => {
            format!("{}… ({} bytes)", text.get(..end).unwrap_or_default(), text.len())
        }
    }
}

fn not_utf8(bytes: &[u8], at: usize) -> Error {
    let byte = bytes.get(at).copied().unwrap_or_default();
    let (line, column) = line_and_column(bytes, at);
    Error::new(
        "not-utf-8",
        format!("byte 0x{byte:02x} at line {line}, column {column}, which is not UTF-8"),
        "JSON in UTF-8",
    )
    .at_offset(at as u64)
}

/// The line and the column (in bytes) of a byte offset, both counted from 1.
#[must_use]
pub fn line_and_column(bytes: &[u8], at: usize) -> (usize, usize) {
    let before = bytes.get(..at).unwrap_or(bytes);
    let line = before.split(|&byte| byte == b'\n').count();
    let column = before.iter().rev().take_while(|&&byte| byte != b'\n').count() + 1;
    (line, column)
}

struct Parser<'a> {
    /// The document without its byte order mark.
    text: &'a str,
    /// How far it was read, in bytes of `text`.
    at: usize,
    /// How many bytes of the document lie before `text`.
    start: usize,
    problems: Vec<Problem>,
}

/// A container whose end was not read yet.
enum Open {
    Array { from: usize, items: Vec<Json> },
    Object { from: usize, members: Vec<Member>, key: (String, Range<usize>) },
}

impl Open {
    fn add(&mut self, value: Json) {
        match self {
            Self::Array { items, .. } => items.push(value),
            Self::Object { members, key, .. } => {
                let (key, key_span) = std::mem::take(key);
                members.push(Member { key, key_span, value });
            }
        }
    }
}

impl Parser<'_> {
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    fn fault(&self, found: impl Into<String>, expected: impl Into<String>) -> Error {
        let (line, column) = line_and_column(self.text.as_bytes(), self.at);
        let found = format!("{} at line {line}, column {column}", found.into());
        Error::new("invalid-json", found, expected).at_offset((self.start + self.at) as u64)
    }

    fn problem(&mut self, at: usize, code: &'static str, found: &str, expected: &str) {
        let error = Error::new(code, found, expected).at_offset(at as u64);
        self.problems.push(Problem::warning(error));
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
            done.span = self.start + from..self.start + self.at;
            loop {
                let Some(container) = open.last_mut() else { return Ok(done) };
                container.add(done);
                if !self.ends(container)? {
                    break;
                }
                let Some(container) = open.pop() else { break };
                done = self.close(container);
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
            Open::Object { from, members: Vec::new(), key: self.key()? }
        } else {
            Open::Array { from, items: Vec::new() }
        });
        Ok(None)
    }

    /// Whether the container ends here; if not, reads the comma and the next key.
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
            return Err(self.fault(self.what_is_here(), expected));
        }
        if let Open::Object { key, .. } = container {
            self.space();
            *key = self.key()?;
        }
        Ok(false)
    }

    fn close(&mut self, container: Open) -> Json {
        let (from, kind) = match container {
            Open::Array { from, items } => (from, Kind::Array(items)),
            Open::Object { from, members, .. } => {
                self.duplicates(&members);
                (from, Kind::Object(members))
            }
        };
        Json { kind, span: self.start + from..self.start + self.at }
    }

    /// Reads a key and its colon.
    fn key(&mut self) -> Result<(String, Range<usize>)> {
        if self.peek() != Some(b'"') {
            return Err(self.fault(self.what_is_here(), "a key in double quotes"));
        }
        let from = self.at;
        let key = self.string()?.text;
        let span = self.start + from..self.start + self.at;
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

    fn bare(&mut self, token: &str) {
        let found = format!("the bare token {token}");
        let at = self.start + self.at;
        self.problem(at, "bare-nan", &found, "a JSON number or the string \"NaN\" (RFC 8259)");
    }

    fn number(&mut self) -> Result<Kind> {
        let rest = self.text.get(self.at..).unwrap_or_default();
        if rest.starts_with("-Infinity") {
            self.bare("-Infinity");
            self.at += "-Infinity".len();
            return Ok(Kind::Number("-Infinity".into()));
        }
        let from = self.at;
        if self.peek() == Some(b'-') {
            self.at += 1;
        }
        let leading_zero = self.peek() == Some(b'0');
        let whole = self.digits();
        if whole == 0 || (leading_zero && whole > 1) {
            return Err(self.fault("a number without one leading digit", "a JSON number"));
        }
        if self.peek() == Some(b'.') {
            self.at += 1;
            if self.digits() == 0 {
                return Err(self.fault(self.what_is_here(), "a digit after the decimal point"));
            }
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            self.at += 1;
            if matches!(self.peek(), Some(b'+' | b'-')) {
                self.at += 1;
            }
            if self.digits() == 0 {
                return Err(self.fault(self.what_is_here(), "a digit of the exponent"));
            }
        }
        Ok(Kind::Number(self.text.get(from..self.at).unwrap_or_default().to_owned()))
    }

    fn digits(&mut self) -> usize {
        let from = self.at;
        while matches!(self.peek(), Some(b'0'..=b'9')) {
            self.at += 1;
        }
        self.at - from
    }

    fn duplicates(&mut self, members: &[Member]) {
        let mut seen = std::collections::HashSet::new();
        for member in members {
            if !seen.insert(member.key.as_str()) {
                let found = format!("the key {} a second time", quoted(&shortened(&member.key)));
                let expected = "each key once; readers take the last";
                self.problem(member.key_span.start, "duplicate-key", &found, expected);
            }
        }
    }

    fn take(&mut self, byte: u8) -> bool {
        let there = self.peek() == Some(byte);
        self.at += usize::from(there);
        there
    }

    fn string(&mut self) -> Result<Text> {
        let mut out = Text { text: String::new(), lone_surrogate: false };
        self.at += 1;
        loop {
            let rest = self.text.get(self.at..).unwrap_or_default();
            let plain =
                rest.find(|c: char| matches!(c, '"' | '\\') || c < ' ').unwrap_or(rest.len());
            out.text.push_str(rest.get(..plain).unwrap_or_default());
            self.at += plain;
            match self.peek() {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(out);
                }
                Some(b'\\') => self.escape(&mut out)?,
                Some(_) => {
                    return Err(self.fault(self.what_is_here(), "no control character in a string"));
                }
                None => {
                    return Err(
                        self.fault("the end of the document", "'\"' at the end of a string")
                    );
                }
            }
        }
    }

    fn escape(&mut self, out: &mut Text) -> Result<()> {
        self.at += 1;
        let c = match self.peek() {
            Some(b'"') => '"',
            Some(b'\\') => '\\',
            Some(b'/') => '/',
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => return self.unicode(out),
            _ => {
                return Err(self.fault(self.what_is_here(), "one of \"\\/bfnrtu after a backslash"));
            }
        };
        self.at += 1;
        out.text.push(c);
        Ok(())
    }

    fn unicode(&mut self, out: &mut Text) -> Result<()> {
        let high = self.four_digits()?;
        let mut code = u32::from(high);
        if (0xd800..0xdc00).contains(&high)
            && self.text.get(self.at..).is_some_and(|r| r.starts_with("\\u"))
        {
            let back = self.at;
            self.at += 1;
            let low = self.four_digits()?;
            if (0xdc00..0xe000).contains(&low) {
                code = 0x10000 + ((u32::from(high) - 0xd800) << 10) + (u32::from(low) - 0xdc00);
            } else {
                self.at = back;
            }
        }
        let c = char::from_u32(code);
        out.lone_surrogate |= c.is_none();
        out.text.push(c.unwrap_or(char::REPLACEMENT_CHARACTER));
        Ok(())
    }

    /// Reads `uXXXX`, the cursor being on the `u`.
    fn four_digits(&mut self) -> Result<u16> {
        let digits = self.text.get(self.at + 1..self.at + 5);
        let code = digits.filter(|d| d.bytes().all(|b| b.is_ascii_hexdigit()));
        let Some(code) = code.and_then(|digits| u16::from_str_radix(digits, 16).ok()) else {
            return Err(self.fault(self.what_is_here(), "four hexadecimal digits after \\u"));
        };
        self.at += 5;
        Ok(code)
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
        let items = document.root.get("a").and_then(Json::as_array).unwrap();
        let texts: Vec<_> = items.iter().filter_map(Json::as_number).collect();
        assert_eq!(texts, ["1e400", "-0", "9223372036854775808"]);
        assert_eq!(items.get(1).map(|item| item.span.clone()), Some(15..17));
    }

    #[test]
    fn what_is_not_json_but_clear_is_read_and_told() {
        let text = "\u{feff}{\"a\": NaN, \"b\": -Infinity, \"a\": \"\\ud800x\\ud83d\\ude00\"}";
        let document = Json::parse(text.as_bytes()).unwrap();
        let codes: Vec<_> = document.problems.iter().map(|p| p.error.code).collect();
        assert_eq!(codes, ["byte-order-mark", "bare-nan", "bare-nan", "duplicate-key"]);
        let Some(Json { kind: Kind::String(a), .. }) = document.root.get("a") else { panic!() };
        assert_eq!((a.text.as_str(), a.lone_surrogate), ("\u{fffd}x😀", true));
    }

    #[test]
    fn display_is_compact_and_exact() {
        let text = r#"{ "a" : [1.0, -0, NaN, {}], "b" : [ ], "c" : null, "é" : true }"#;
        let shown = Json::parse_str(text).unwrap().to_string();
        assert_eq!(shown, r#"{"a":[1.0,-0,NaN,{}],"b":[],"c":null,"é":true}"#);
    }

    #[test]
    fn faults_have_line_column_and_offset() {
        let error = refused("{\n  \"a\": 1,\n}");
        assert_eq!(error.place.offset, Some(12));
        assert_eq!(error.found, "'}' at line 3, column 1");
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
        assert_eq!(Json::parse(b"\"\xff\"").unwrap_err().code, "not-utf-8");
    }

    #[test]
    fn depth_is_bounded() {
        refused(&"[".repeat(100_000));
        assert!(
            Json::parse_str(&format!("{}{}", "[".repeat(MAX_DEPTH), "]".repeat(MAX_DEPTH))).is_ok()
        );
    }
}
