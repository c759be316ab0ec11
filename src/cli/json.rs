//! JSON for pipes: valid, readable, and without a character that acts on a terminal.
//!
//! JSON itself only demands that C0 controls are escaped. Text from a store can hold DEL, C1 controls and
//! bidirectional overrides; those are written as `\u….` too, so the document stays the same and the terminal safe.

use crate::zarr::text::is_safe;
use serde_json::Value;
use std::io::{self, Write};

/// Arrays whose one-line text is no longer than this stay on one line.
const SHORT: usize = 80;

/// Writes `value` over several lines, with a line break after it.
pub(crate) fn write_pretty(out: &mut dyn Write, value: &Value) -> io::Result<()> {
    pretty(out, value, 0)?;
    out.write_all(b"\n")
}

/// Writes `value` on one line, with a line break after it.
pub(crate) fn write_line(out: &mut dyn Write, value: &Value) -> io::Result<()> {
    out.write_all(compact(value).as_bytes())?;
    out.write_all(b"\n")
}

/// `value` on one line, without spaces.
pub(crate) fn compact(value: &Value) -> String {
    let mut text = String::new();
    push(&mut text, value);
    text
}

fn pretty(out: &mut dyn Write, value: &Value, depth: usize) -> io::Result<()> {
    let items: Vec<(String, &Value)> = match value {
        Value::Array(items) if !is_short(items) => {
            items.iter().map(|item| (String::new(), item)).collect()
        }
        Value::Object(members) if !members.is_empty() => {
            members.iter().map(|(key, item)| (format!("{}: ", string(key)), item)).collect()
        }
        other => return out.write_all(compact(other).as_bytes()),
    };
    let (open, close) = if value.is_array() { ("[", "]") } else { ("{", "}") };
    out.write_all(open.as_bytes())?;
    for (at, (label, item)) in items.into_iter().enumerate() {
        let comma = if at == 0 { "" } else { "," };
        write!(out, "{comma}\n{:indent$}{label}", "", indent = 2 * (depth + 1))?;
        pretty(out, item, depth + 1)?;
    }
    write!(out, "\n{:indent$}{close}", "", indent = 2 * depth)
}

/// Whether an array reads better on one line: short, and without objects in it.
fn is_short(items: &[Value]) -> bool {
    let flat = items.iter().all(|item| !item.is_object());
    items.is_empty() || flat && items.len() <= SHORT && compact_len(items) <= SHORT
}

fn compact_len(items: &[Value]) -> usize {
    items.iter().map(|item| compact(item).len() + 1).sum()
}

fn push(text: &mut String, value: &Value) {
    match value {
        Value::Null => text.push_str("null"),
        Value::Bool(value) => text.push_str(if *value { "true" } else { "false" }),
        Value::Number(number) => text.push_str(number.as_str()),
        Value::String(value) => text.push_str(&string(value)),
        Value::Array(items) => {
            text.push('[');
            for (at, item) in items.iter().enumerate() {
                text.push_str(if at == 0 { "" } else { "," });
                push(text, item);
            }
            text.push(']');
        }
        Value::Object(members) => {
            text.push('{');
            for (at, (key, item)) in members.iter().enumerate() {
                text.push_str(if at == 0 { "" } else { "," });
                text.push_str(&string(key));
                text.push(':');
                push(text, item);
            }
            text.push('}');
        }
    }
}

/// `text` as a JSON string.
fn string(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if is_safe(c) => out.push(c),
            c => {
                let mut buffer = [0; 2];
                let units = c.encode_utf16(&mut buffer).iter();
                out.extend(units.map(|unit| format!("\\u{unit:04x}")));
            }
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn nothing_in_it_acts_on_a_terminal() {
        let value = json!({"a\u{1b}": "\u{9b}31m \u{202e} \u{7f} \u{10ffff} \"ü\\ 漢"});
        let line = compact(&value);
        assert_eq!(
            line,
            "{\"a\\u001b\":\"\\u009b31m \\u202e \\u007f \\udbff\\udfff \\\"ü\\\\ 漢\"}"
        );
        assert_eq!(serde_json::from_str::<Value>(&line).unwrap(), value);
    }

    #[test]
    fn pretty_keeps_short_arrays_together() {
        let value = json!({"shape": [148, 180], "none": {}, "list": [{"a": 1}, []]});
        let mut text = Vec::new();
        write_pretty(&mut text, &value).unwrap();
        let text = String::from_utf8(text).unwrap();
        assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), value);
        assert_eq!(
            text,
            "{\n  \"shape\": [148,180],\n  \"none\": {},\n  \"list\": [\n    {\n      \"a\": 1\n    },\n    []\n  ]\n}\n"
        );
    }
}
