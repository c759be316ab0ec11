//! Writing values: in the order they are in, every number as its own text.
//!
//! By hand, and not by the `Formatter` of `serde_json`: its numbers are `f64`, `u64` and `i64`, unless a feature makes
//! them text for every program in the build; ours are text already, and no control character may be left in ours.

use super::{Json, Kind};
use crate::zarr::text::is_safe;
use std::fmt::{self, Write};

/// The value on one line without spaces, bare `NaN` included.
impl fmt::Display for Json {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut out = String::new();
        line(self, &mut out, false);
        f.write_str(&out)
    }
}

impl Json {
    /// The value on one line without spaces, and without a character that acts on a terminal.
    ///
    /// JSON itself only demands that C0 controls are escaped. Text from a store can hold DEL, C1 controls and
    /// bidirectional overrides; those are written as `\u….` too, so that the document stays the same.
    #[must_use]
    pub fn to_line(&self) -> String {
        let mut out = String::new();
        line(self, &mut out, true);
        out
    }

    /// The same over several lines. An array without objects in it stays on one line of at most `short` bytes.
    #[must_use]
    pub fn to_lines(&self, short: usize) -> String {
        let mut out = String::new();
        lines(self, &mut out, short, 0);
        out
    }
}

/// `text` as a JSON string, quotes and escapes included.
#[must_use]
pub fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    string(text, &mut out, false);
    out
}

fn line(json: &Json, out: &mut String, safe: bool) {
    match &json.kind {
        Kind::Null => out.push_str("null"),
        Kind::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
        Kind::Number(text) => out.push_str(text),
        Kind::String(text) => string(&text.text, out, safe),
        Kind::Array(items) => {
            out.push('[');
            for (at, item) in items.iter().enumerate() {
                out.push_str(if at == 0 { "" } else { "," });
                line(item, out, safe);
            }
            out.push(']');
        }
        Kind::Object(members) => {
            out.push('{');
            for (at, member) in members.iter().enumerate() {
                out.push_str(if at == 0 { "" } else { "," });
                string(&member.key, out, safe);
                out.push(':');
                line(&member.value, out, safe);
            }
            out.push('}');
        }
    }
}

fn lines(json: &Json, out: &mut String, short: usize, depth: usize) {
    let (signs, items): (_, Vec<_>) = match &json.kind {
        Kind::Array(items) if !is_short(items, short) => {
            (['[', ']'], items.iter().map(|item| (None, item)).collect())
        }
        Kind::Object(members) if !members.is_empty() => {
            (['{', '}'], members.iter().map(|member| (Some(&member.key), &member.value)).collect())
        }
        _ => return line(json, out, true),
    };
    let new_line = |out: &mut String, depth: usize| {
        out.push('\n');
        out.extend(std::iter::repeat_n("  ", depth));
    };
    out.push(signs[0]);
    for (at, (key, item)) in items.into_iter().enumerate() {
        out.push_str(if at == 0 { "" } else { "," });
        new_line(out, depth + 1);
        if let Some(key) = key {
            string(key, out, true);
            out.push_str(": ");
        }
        lines(item, out, short, depth + 1);
    }
    new_line(out, depth);
    out.push(signs[1]);
}

/// True if an array reads better on one line: short, and without objects in it.
fn is_short(items: &[Json], short: usize) -> bool {
    let flat = || items.iter().all(|item| item.as_object().is_none());
    let len = || items.iter().map(|item| item.to_line().len() + 1).sum::<usize>();
    items.is_empty() || items.len() <= short && flat() && len() <= short
}

fn string(text: &str, out: &mut String, safe: bool) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{8}' if !safe => out.push_str("\\b"),
            '\u{c}' if !safe => out.push_str("\\f"),
            c if c < ' ' || safe && !is_safe(c) => {
                for unit in c.encode_utf16(&mut [0; 2]) {
                    // Text takes everything.
                    let _ = write!(out, "\\u{unit:04x}");
                }
            }
            c => out.push(c),
        }
    }
    out.push('"');
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::zarr::json::object;

    #[test]
    fn display_is_compact_and_exact() {
        let text = r#"{ "a" : [1.0, -0, NaN, {}], "b" : [ ], "c" : null, "é" : true }"#;
        let shown = Json::parse_str(text).unwrap().to_string();
        assert_eq!(shown, r#"{"a":[1.0,-0,NaN,{}],"b":[],"c":null,"é":true}"#);
    }

    #[test]
    fn nothing_in_a_line_acts_on_a_terminal() {
        let json = object! { "a\u{1b}": "\u{9b}31m \u{202e} \u{7f} \u{10ffff} \"ü\\ 漢" };
        let line = json.to_line();
        assert_eq!(
            line,
            "{\"a\\u001b\":\"\\u009b31m \\u202e \\u007f \\udbff\\udfff \\\"ü\\\\ 漢\"}"
        );
        assert_eq!(Json::parse_str(&line).unwrap(), json);
    }

    #[test]
    fn short_arrays_stay_together() {
        let text = r#"{"shape":[148,180],"none":{},"list":[{"a":1},[]]}"#;
        let json = Json::parse_str(text).unwrap();
        assert_eq!(
            json.to_lines(80),
            "{\n  \"shape\": [148,180],\n  \"none\": {},\n  \"list\": [\n    {\n      \"a\": 1\n    },\n    []\n  ]\n}"
        );
        assert_eq!(json.to_lines(80), json.strict().to_lines(80));
        assert!(json.to_lines(0).contains("[\n    148,\n    180\n  ]"));
    }
}
