//! The signs of screens and commands: one meaning each, and what stands for each where only ASCII is drawn.
//!
//! Not among them: rules and blocks of charts, arrows within a sentence, and signs of arithmetic, which mean what they
//! mean everywhere.

/// A sign and what it says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sign {
    /// The sign, one column wide.
    pub sign: &'static str,
    /// The sign in ASCII where there is one column.
    pub ascii: char,
    /// The sign in ASCII where there are two columns; empty where one is enough.
    pub wide: &'static str,
    /// The meaning.
    pub meaning: &'static str,
}

/// The row under the cursor; with [`OPENS`] before it, the end of what is selected.
pub const CURSOR: &str = "▌";
/// The start of what is selected.
pub const OPENS: &str = "▐";
/// The end of what is selected where only ASCII is drawn.
pub const CLOSES_IN_ASCII: &str = "]";
/// The fill value.
pub const FILL: &str = "·";
/// A missing chunk.
pub const MISSING: &str = "░";
/// A stored chunk.
pub const STORED: &str = "▓";
/// An error, or what cannot be read.
pub const ERROR: &str = "✗";
/// A warning.
pub const WARNING: &str = "!";
/// A limit of zarrscope.
pub const LIMIT: &str = "?";
/// A note.
pub const NOTE: &str = "i";
/// Checked and right.
pub const RIGHT: &str = "✓";
/// Not applicable, or unknown.
pub const NONE: &str = "–";
/// Something is left out, or still to come.
pub const MORE: &str = "…";
/// Both formats write the same.
pub const SAME: &str = "=";
/// Both formats write the same meaning in different words.
pub const WRITTEN: &str = "≡";
/// Different.
pub const DIFFERENT: &str = "≠";
/// A choice has to be made.
pub const CHOICE: &str = "~";
/// Something is lost.
pub const LOSS: &str = "↓";
/// No equivalent.
pub const NO_EQUIVALENT: &str = "∅";
/// A group, or a row, that is closed.
pub const CLOSED: &str = "▸";
/// A group, or a row, that is open.
pub const OPEN: &str = "▾";
/// A sharded array.
pub const SHARDED: &str = "▦";
/// A document as it is stored.
pub const AS_STORED: &str = "●";
/// A document as it would be written.
pub const AS_WRITTEN: &str = "○";
/// The cursor of a picture.
pub const CROSS: &str = "╋";
/// Not a number.
pub const NAN: &str = "N";
/// Positive infinity.
pub const ABOVE: &str = "⇑";
/// Negative infinity.
pub const BELOW: &str = "⇓";
/// A lesson.
pub const LESSON: &str = "▎";
/// The one of several that is in use.
pub const IN_USE: &str = "▶";

/// Every sign, in the order of the legend.
pub const SIGNS: &[Sign] = &[
    sign(CURSOR, '>', "", "the row under the cursor"),
    sign(OPENS, '[', "", "before what is selected"),
    sign(FILL, '.', "", "the fill value"),
    sign(STORED, '#', "", "a stored chunk"),
    sign(MISSING, ':', "", "a missing chunk"),
    sign(ERROR, 'x', "", "an error, or what cannot be read"),
    sign(WARNING, '!', "", "a warning"),
    sign(LIMIT, '?', "", "a limit of zarrscope"),
    sign(NOTE, 'i', "", "a note"),
    sign(RIGHT, 'v', "ok", "checked and right"),
    sign(NONE, '-', "", "not applicable, or unknown"),
    sign(MORE, '"', "..", "more of it, or still to come"),
    sign(SAME, '=', "", "the same"),
    sign(WRITTEN, '%', "==", "written differently, same meaning"),
    sign(DIFFERENT, '/', "!=", "different"),
    sign(CHOICE, '~', "", "needs a choice, or readers differ"),
    sign(LOSS, 'L', "", "loses something"),
    sign(NO_EQUIVALENT, '0', "--", "no equivalent in that format"),
    sign(CLOSED, '+', "", "closed: Space opens it"),
    sign(OPEN, 'V', "", "open"),
    sign(SHARDED, '&', "", "a sharded array"),
    sign(AS_STORED, '@', "", "as stored"),
    sign(AS_WRITTEN, 'o', "", "as it would be written"),
    sign(CROSS, 'X', "", "the cursor of the picture"),
    sign(NAN, 'N', "", "NaN or NaT in the picture"),
    sign(ABOVE, '^', "", "+Infinity in the picture"),
    sign(BELOW, 'w', "", "-Infinity in the picture"),
    sign(LESSON, '|', "", "a rule to learn"),
    sign(IN_USE, '*', "", "the one in use"),
];

const fn sign(sign: &'static str, ascii: char, wide: &'static str, meaning: &'static str) -> Sign {
    Sign { sign, ascii, wide, meaning }
}

/// The ASCII character that stands for `c` in one column; `None` for what no view draws by itself, such as a letter of
/// a value: nothing else may look like it, so that is written as [`escaped`].
pub fn ascii(c: char) -> Option<char> {
    if let Some(sign) = of(c) {
        return Some(sign.ascii);
    }
    Some(match c {
        '─' | '−' | '╌' | '▄' => '-',
        '▁' => '_',
        '▂' => ',',
        '▃' => ';',
        '▅' => '=',
        '│' | '▏' => '|',
        '┬' | '┴' | '├' | '└' | '┼' | '▆' => '+',
        '►' | '→' | '›' | '»' => '>',
        '←' | '«' => '<',
        '↑' | '▲' => '^',
        '▼' => 'v',
        '▀' => '#',
        '▇' | '◆' => '*',
        '█' => '@',
        '≈' => '~',
        '×' => 'x',
        c if c.is_ascii() => c,
        _ => return None,
    })
}

/// A character by its number, such as `\u{e9}`: a control picture by that of the control that it stands for.
pub fn escaped(c: char) -> String {
    let number = match u32::from(c) {
        0x2421 => 0x7f,
        picture @ 0x2400..=0x241f => picture - 0x2400,
        number => number,
    };
    format!("\\u{{{number:x}}}")
}

/// The two ASCII characters that stand for `c` where there are two columns for it.
pub fn wide(c: char) -> Option<&'static str> {
    match c {
        '→' => Some("->"),
        '≈' => Some("~="),
        c => of(c).map(|sign| sign.wide).filter(|wide| !wide.is_empty()),
    }
}

fn of(c: char) -> Option<&'static Sign> {
    SIGNS.iter().find(|sign| sign.sign.starts_with(c))
}

/// `text` in ASCII, where signs may become wider: those that zarrscope writes by what stands for them, any other
/// character by its number.
pub fn in_ascii(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match (wide(c), ascii(c)) {
            _ if c.is_ascii() => out.push(c),
            (Some(wide), _) => out.push_str(wide),
            (None, Some(ascii)) => out.push(ascii),
            (None, None) => out += &escaped(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;
    use unicode_width::UnicodeWidthStr;

    #[test]
    fn each_sign_has_one_meaning_and_each_meaning_one_sign() {
        let distinct = |of: &dyn Fn(&Sign) -> String| {
            let all: HashSet<_> = SIGNS.iter().map(of).collect();
            assert_eq!(all.len(), SIGNS.len(), "{all:?}");
        };
        distinct(&|sign| sign.sign.into());
        distinct(&|sign| sign.meaning.into());
        // In ASCII they are told apart as well, in one column and in two.
        distinct(&|sign| sign.ascii.into());
        distinct(&|sign| if sign.wide.is_empty() { sign.ascii.into() } else { sign.wide.into() });
    }

    #[test]
    fn signs_are_a_column_wide_and_their_stand_ins_are_ascii() {
        for Sign { sign, ascii, wide, meaning } in SIGNS {
            assert_eq!((sign.chars().count(), sign.width()), (1, 1), "{meaning}");
            assert!(ascii.is_ascii_graphic() && matches!(wide.len(), 0 | 2) && wide.is_ascii());
            // A sign that is ASCII already is not changed.
            assert!(!sign.is_ascii() || **sign == ascii.to_string() && wide.is_empty(), "{sign}");
        }
    }

    #[test]
    fn texts_become_ascii() {
        assert_eq!(in_ascii("2 → 3 ≠ 4 … 5×6 ✓"), "2 -> 3 != 4 .. 5x6 ok");
        assert_eq!(in_ascii("· ░ ∅ ≡ é ␛"), ". : -- == \\u{e9} \\u{1b}");
    }
}
