//! JSON as it is found in stores, which is not always JSON.
//!
//! A strict reader would refuse the bare `NaN` that zarr-python 2 wrote, round `9223372036854775807`, drop the first
//! of two equal keys, and forget where each value stood. An inspector must show all of it: numbers stay text, members
//! stay in order with their duplicates, every value knows its bytes in the document, and what is not JSON (RFC 8259)
//! but unambiguous is read with a [`Problem`] beside it.

use super::error::{Problem, Result};
use std::{fmt, ops::Range};

mod parse;

pub use parse::MAX_DEPTH;

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
        parse::document(bytes)
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

/// The line and the column (in bytes) of a byte offset, both counted from 1.
#[must_use]
pub fn line_and_column(bytes: &[u8], at: usize) -> (usize, usize) {
    let before = bytes.get(..at).unwrap_or(bytes);
    let line = before.split(|&byte| byte == b'\n').count();
    let column = before.iter().rev().take_while(|&&byte| byte != b'\n').count() + 1;
    (line, column)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn display_is_compact_and_exact() {
        let text = r#"{ "a" : [1.0, -0, NaN, {}], "b" : [ ], "c" : null, "é" : true }"#;
        let shown = Json::parse_str(text).unwrap().to_string();
        assert_eq!(shown, r#"{"a":[1.0,-0,NaN,{}],"b":[],"c":null,"é":true}"#);
    }
}
