//! The one way by which text from a store becomes safe to show.
//!
//! Names, attributes and string elements can hold escape sequences that repaint a terminal, bidirectional overrides
//! that reverse a line, and bytes that are no text at all. Nothing from a store reaches a view or a pipe but through
//! [`safe`].

use std::{
    borrow::Cow,
    fmt::{Display, Write},
};

/// `text` with everything that could act on a terminal, or hide, replaced by a visible sign: C0 controls by their
/// control pictures (`␛`), others by `\u{…}`.
pub fn safe(text: &str) -> Cow<'_, str> {
    if text.chars().all(is_safe) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.chars().map(sign).collect())
}

/// The same as a text of its own.
pub fn safe_owned(text: &str) -> String {
    safe(text).into_owned()
}

/// The text of a value, made safe.
pub fn safe_text(value: &(impl Display + ?Sized)) -> String {
    safe_owned(&value.to_string())
}

/// The characters of Windows-1252 for the bytes from 0x80, of which five have none.
const WINDOWS_1252: &str = "€\u{81}‚ƒ„…†‡ˆ‰Š‹Œ\u{8d}Ž\u{8f}\u{90}‘’“”•–—˜™š›œ\u{9d}žŸ";

/// The text that this one is if its characters are taken as bytes of Windows-1252, or Latin-1, where these are UTF-8.
pub fn misread(text: &str) -> Option<String> {
    if text.is_ascii() {
        return None;
    }
    let byte = |c: char| {
        let special = WINDOWS_1252.chars().zip(0x80..).find(|(known, _)| *known == c);
        special.map(|(_, byte)| byte).or_else(|| u8::try_from(u32::from(c)).ok())
    };
    String::from_utf8(text.chars().map(byte).collect::<Option<_>>()?).ok()
}

/// Bytes that should be UTF-8, made [`safe`]; what is not UTF-8 becomes `\x…`.
pub fn safe_bytes(bytes: &[u8]) -> String {
    let mut out = String::new();
    for part in bytes.utf8_chunks() {
        out += &safe(part.valid());
        for byte in part.invalid() {
            let _ = write!(out, "\\x{byte:02x}");
        }
    }
    out
}

/// True if a terminal shows `c` as a sign in its place and does nothing else.
pub fn is_safe(c: char) -> bool {
    !c.is_control() && !is_invisible(c)
}

/// Characters that reorder, join or hide what is beside them, or that have no glyph at all. Flags (pairs of
/// regional indicators) and skin tones are among them: terminals do not agree how wide they are.
fn is_invisible(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff0}'..='\u{fffb}' | '\u{fe00}'..='\u{fe0f}'
        | '\u{fdd0}'..='\u{fdef}' | '\u{fffe}' | '\u{ffff}'
        | '\u{1f1e6}'..='\u{1f1ff}' | '\u{1f3fb}'..='\u{1f3ff}'
        | '\u{e000}'..='\u{f8ff}' | '\u{e0000}'..='\u{e0fff}' | '\u{f0000}'..='\u{10ffff}')
}

fn sign(c: char) -> String {
    match c {
        '\0'..='\u{1f}' => char::from_u32(0x2400 + c as u32).map_or_else(String::new, String::from),
        '\u{7f}' => "\u{2421}".into(),
        c if is_safe(c) => c.into(),
        c => format!("\\u{{{:x}}}", c as u32),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_acts_on_a_terminal_is_left() {
        assert_eq!(safe("a\u{1b}[31mb\n\u{202e}c\u{9b}é"), "a␛[31mb␊\\u{202e}c\\u{9b}é");
        assert_eq!(safe("\u{fffe}\u{ffff}\u{fdd0}\u{fffd}"), "\\u{fffe}\\u{ffff}\\u{fdd0}\u{fffd}");
        assert_eq!(safe_bytes(b"ok\xff\x07"), "ok\\xff␇");
        assert!(matches!(safe("plain ü 漢"), Cow::Borrowed(_)));
    }
}
