//! Writing values: in the order they are in, every number as its own text.
//!
//! By hand, and not by the `Formatter` of `serde_json`: its numbers are `f64`, `u64` and `i64`, unless a feature makes
//! them text for every program in the build; ours are text already, and no control character may be left in ours.

use crate::zarr::prelude::*;
use crate::zarr::text::is_safe;
use std::fmt::Write;

/// The value on one line without spaces, bare `NaN` included.
impl fmt::Display for Json {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.text(Style { safe: false, lines: None }))
    }
}

impl Json {
    /// The value on one line without spaces, and without a character that acts on a terminal.
    ///
    /// JSON itself only demands that C0 controls are escaped. Text from a store can hold DEL, C1 controls and
    /// bidirectional overrides; those are written as `\u….` too, so that the document stays the same.
    pub fn to_line(&self) -> String {
        self.text(Style { safe: true, lines: None })
    }

    /// The same over several lines. An array without objects in it stays on one line of at most `short` bytes.
    pub fn to_lines(&self, short: usize) -> String {
        self.text(Style { safe: true, lines: Some((short, 0)) })
    }

    /// The text of a string without its quotes; anything else as it is displayed.
    pub fn unquoted(&self) -> String {
        self.as_str().map_or_else(|| self.to_string(), str::to_owned)
    }

    fn text(&self, style: Style) -> String {
        let mut out = String::new();
        write(self, &mut out, style);
        out
    }
}

/// `text` as a JSON string, quotes and escapes included.
pub fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    string(text, &mut out, false);
    out
}

/// The format of values.
#[derive(Clone, Copy)]
struct Style {
    /// True if nothing may be left that acts on a terminal.
    safe: bool,
    /// Over several lines: how long an array may be that stays on one, and how deep this value is.
    lines: Option<(usize, usize)>,
}

fn write(json: &Json, out: &mut String, style: Style) {
    let (signs, items): (_, Vec<_>) = match &json.kind {
        Kind::Null => return out.push_str("null"),
        Kind::Bool(value) => return out.push_str(if *value { "true" } else { "false" }),
        Kind::Number(text) => return out.push_str(text),
        Kind::String(text) => return string(&text.text, out, style.safe),
        Kind::Array(items) => ("[]", items.iter().map(|item| (None, item)).collect()),
        Kind::Object(members) => {
            ("{}", members.iter().map(|member| (Some(&member.key), &member.value)).collect())
        }
    };
    let lines = style.lines.filter(|&(short, _)| !is_short(json, short));
    let new_line = |out: &mut String, more| {
        let Some((_, depth)) = lines else { return };
        out.push('\n');
        out.extend(std::iter::repeat_n("  ", depth + more));
    };
    let inner = Style { lines: lines.map(|(short, depth)| (short, depth + 1)), ..style };
    let (open, close) = signs.split_at(1);
    out.push_str(open);
    for (at, (key, item)) in items.into_iter().enumerate() {
        out.push_str(if at == 0 { "" } else { "," });
        new_line(out, 1);
        if let Some(key) = key {
            string(key, out, style.safe);
            out.push_str(if lines.is_some() { ": " } else { ":" });
        }
        write(item, out, inner);
    }
    new_line(out, 0);
    out.push_str(close);
}

/// True for what reads better on one line: what is empty, and short arrays without objects in them.
fn is_short(json: &Json, short: usize) -> bool {
    let Some(items) = json.as_array() else { return json.as_object().is_some_and(<[_]>::is_empty) };
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
