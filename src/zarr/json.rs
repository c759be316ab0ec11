//! JSON as it is found in stores, which is not always JSON.
//!
//! A strict reader would refuse the bare `NaN` that zarr-python 2 wrote, round `9223372036854775807`, drop the first of
//! two equal keys, and forget where each value stood. An inspector must show all of it: numbers stay text, members stay
//! in order with their duplicates, every value knows its bytes in the document, and what is not JSON (RFC 8259) but
//! unambiguous is read with a [`Problem`] beside it. That is why the reader is our own. Data types, documents of the
//! other format and whatever a command prints are made and written as the same [`Json`].

use super::prelude::*;
use super::words;
use compact_str::CompactString;

mod make;
mod parse;
mod write;

pub(crate) use make::object;
pub use parse::MAX_DEPTH;
pub use write::quoted;

/// A value and the bytes of the document that it came from.
#[derive(Debug, Clone, Default)]
pub struct Json {
    /// The kind of the value, with its content.
    pub kind: Kind,
    at: Span,
}

/// The kind of a JSON value.
#[derive(Debug, Clone, Default)]
pub enum Kind {
    /// `null`
    #[default]
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A number, as its text; also the bare tokens `NaN`, `Infinity` and `-Infinity`, which are not JSON.
    Number(CompactString),
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
    pub text: CompactString,
    /// True if the string held a lone surrogate, which no Unicode text can.
    pub lone_surrogate: bool,
}

/// One `"key": value` of an object.
#[derive(Debug, Clone)]
pub struct Member {
    /// The key, its escapes resolved.
    pub key: CompactString,
    key_at: Span,
    /// The value.
    pub value: Json,
}

/// A byte range of a document. Half of what a `Range<usize>` takes: there can be millions.
#[derive(Debug, Clone, Copy, Default)]
struct Span([u32; 2]);

impl Span {
    /// `range`, which is within a document that [`Json::parse`] took.
    fn of(range: Range<usize>) -> Self {
        Self([range.start, range.end].map(|at| u32::try_from(at).unwrap_or(u32::MAX)))
    }

    fn range(self) -> Range<usize> {
        let [start, end] = self.0.map(|at| at as usize);
        start..end
    }
}

impl Member {
    /// The byte range of the key in the document, quotes included.
    pub fn key_span(&self) -> Range<usize> {
        self.key_at.range()
    }
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
    /// The byte range of the value in the document; empty for values that were made and not read.
    pub fn span(&self) -> Range<usize> {
        self.at.range()
    }

    /// Reads `bytes` as one JSON value.
    ///
    /// # Errors
    ///
    /// If the bytes are not UTF-8 or not JSON even with the liberties of this module; the place has the byte
    /// offset and `found` the line and column. If they are 4 GiB or more, or there is no memory for them.
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

    /// The text of a string; `None` for anything else.
    pub fn as_str(&self) -> Option<&str> {
        match &self.kind {
            Kind::String(text) => Some(&text.text),
            _ => None,
        }
    }

    /// The text of a number, bare `NaN` and its like included; `None` for anything else.
    pub fn as_number(&self) -> Option<&str> {
        match &self.kind {
            Kind::Number(text) => Some(text),
            _ => None,
        }
    }

    /// A number without fraction and exponent that fits; `None` for anything else.
    pub fn as_u64(&self) -> Option<u64> {
        self.as_number().and_then(|text| text.parse().ok())
    }

    /// The items of an array; `None` for anything else.
    pub fn as_array(&self) -> Option<&[Self]> {
        match &self.kind {
            Kind::Array(items) => Some(items),
            _ => None,
        }
    }

    /// The items of an array of numbers without fraction and exponent that fit; `None` for anything else.
    pub fn as_numbers(&self) -> Option<Vec<u64>> {
        self.as_array()?.iter().map(Self::as_u64).collect()
    }

    /// The members of an object; `None` for anything else.
    pub fn as_object(&self) -> Option<&[Member]> {
        match &self.kind {
            Kind::Object(members) => Some(members),
            _ => None,
        }
    }

    /// True if it is `null`.
    pub fn is_null(&self) -> bool {
        self.kind == Kind::Null
    }

    /// The member `key` of an object; the last one where there are several, as every reader takes it.
    pub fn get(&self, key: &str) -> Option<&Self> {
        self.as_object()?.iter().rev().find(|member| member.key == key).map(|member| &member.value)
    }

    /// The text of the member `key`, where it is a string.
    pub fn get_str(&self, key: &str) -> Option<&str> {
        self.get(key)?.as_str()
    }

    /// The member `key`, where it is a number without fraction and exponent that fits.
    pub fn get_u64(&self, key: &str) -> Option<u64> {
        self.get(key)?.as_u64()
    }

    /// The items of the member `key`, where it is an array.
    pub fn get_array(&self, key: &str) -> Option<&[Self]> {
        self.get(key)?.as_array()
    }

    /// Takes the member `key` out of an object, the last one where there are several.
    pub(super) fn take(&mut self, key: &str) -> Option<Self> {
        let Kind::Object(members) = &mut self.kind else { return None };
        let at = members.iter().rposition(|member| member.key == key)?;
        Some(members.remove(at).value)
    }

    /// The value in words, for messages: `the number 3`, `an array of 2`. Long texts are cut.
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

    /// True if the values differ in nothing but numbers that are the same as doubles.
    pub fn is_rounded(&self, other: &Self) -> bool {
        self != other
            && match (&self.kind, &other.kind) {
                (Kind::Number(one), Kind::Number(other)) => are_same_doubles(one, other),
                (Kind::Array(one), Kind::Array(other)) => {
                    let mut pairs = one.iter().zip(other);
                    one.len() == other.len() && pairs.all(|(a, b)| a == b || a.is_rounded(b))
                }
                (Kind::Object(one), Kind::Object(other)) => {
                    let (one, other) = (by_key(one), by_key(other));
                    let mut pairs = one.iter().map(|(key, a)| (a, other.get(key)));
                    let is_same = |(a, b): (&&Self, Option<&&Self>)| {
                        b.is_some_and(|b| a == b || a.is_rounded(b))
                    };
                    one.len() == other.len() && pairs.all(is_same)
                }
                _ => false,
            }
    }

    /// The same value as every reader takes it: bare `NaN` and its like become strings, of equal keys the last wins.
    pub fn strict(&self) -> Self {
        match &self.kind {
            Kind::Number(text) if is_bare(text) => text.into(),
            Kind::Array(items) => items.iter().map(Self::strict).collect(),
            Kind::Object(members) => {
                let mut last = by_key(members);
                Self::object(
                    members.iter().filter_map(|m| {
                        Some((m.key.clone(), last.remove(m.key.as_str())?.strict()))
                    }),
                )
            }
            kind => Self::made(kind.clone()),
        }
    }
}

/// The same value, wherever it stands: numbers by their text, objects by the last value of each key.
impl PartialEq for Json {
    fn eq(&self, other: &Self) -> bool {
        self.kind == other.kind
    }
}

impl PartialEq for Kind {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Null, Self::Null) => true,
            (Self::Bool(a), Self::Bool(b)) => a == b,
            (Self::Number(a), Self::Number(b)) => a == b,
            (Self::String(a), Self::String(b)) => a == b,
            (Self::Array(a), Self::Array(b)) => a == b,
            (Self::Object(a), Self::Object(b)) => by_key(a) == by_key(b),
            _ => false,
        }
    }
}

/// The sentence on two numbers of which [`Json::is_rounded`] is true.
pub const ROUNDED: &str = "As doubles the numbers are the same: a program that keeps numbers so, as JavaScript does, most likely rounded one of them.";

/// True if two whole numbers differ that are one as doubles, of 53 bits.
pub(super) fn are_same_doubles(one: &str, other: &str) -> bool {
    let double = |text: &str| text.parse().ok().filter(|double: &f64| double.fract() == 0.0);
    let whole = |text: &str| {
        text.parse().ok().or_else(|| format!("{:.0}", double(text)?).parse::<i128>().ok())
    };
    let are_same = double(one).zip(double(other)).is_some_and(|(a, b)| a.total_cmp(&b).is_eq());
    are_same && whole(one).zip(whole(other)).is_some_and(|(one, other)| one != other)
}

fn by_key(members: &[Member]) -> HashMap<&str, &Json> {
    members.iter().map(|member| (member.key.as_str(), &member.value)).collect()
}

/// True for `NaN`, `Infinity` and `-Infinity`, which are read as numbers but are no JSON.
pub fn is_bare(number: &str) -> bool {
    number.ends_with(char::is_alphabetic)
}

/// A text that is not too long for a message, or its beginning and its length.
fn shortened(text: &str) -> String {
    let short = words::shortened(text, 60);
    if short == text { short } else { format!("{short} ({} bytes)", text.len()) }
}

/// The line and the column (in bytes) of a byte offset, both counted from 1.
pub fn line_and_column(bytes: &[u8], at: usize) -> (usize, usize) {
    let before = bytes.get(..at).unwrap_or(bytes);
    let line = before.split(|&byte| byte == b'\n').count();
    let column = before.iter().rev().take_while(|&&byte| byte != b'\n').count() + 1;
    (line, column)
}
