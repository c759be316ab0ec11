//! Text in columns: cut, padded and wrapped by the width that a terminal gives it.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// `text` cut to `width` columns, an ellipsis saying that there was more.
#[must_use]
pub fn cut(text: &str, width: usize) -> String {
    if text.width() <= width {
        return text.to_owned();
    }
    let mut out = String::new();
    let mut used = 0;
    for c in text.chars() {
        let w = c.width().unwrap_or(0);
        if used + w + 1 > width {
            break;
        }
        out.push(c);
        used += w;
    }
    if width > 0 {
        out.push('…');
    }
    out
}

/// `text` cut or padded on the right to exactly `width` columns.
#[must_use]
pub fn left(text: &str, width: usize) -> String {
    let text = cut(text, width);
    let gap = width.saturating_sub(text.width());
    text + &" ".repeat(gap)
}

/// `text` cut or padded on the left to exactly `width` columns.
#[must_use]
pub fn right(text: &str, width: usize) -> String {
    let text = cut(text, width);
    " ".repeat(width.saturating_sub(text.width())) + &text
}

/// `text` in lines of at most `width` columns, broken between words; a word that is longer is broken where it must.
#[must_use]
pub fn wrap(text: &str, width: usize) -> Vec<String> {
    let width = width.max(1);
    let mut lines = Vec::new();
    let mut line = String::new();
    for word in text.split_whitespace() {
        let gap = usize::from(!line.is_empty());
        if line.width() + gap + word.width() <= width {
            if gap == 1 {
                line.push(' ');
            }
            line += word;
            continue;
        }
        if !line.is_empty() {
            lines.push(std::mem::take(&mut line));
        }
        for c in word.chars() {
            if line.width() + c.width().unwrap_or(0) > width {
                lines.push(std::mem::take(&mut line));
            }
            line.push(c);
        }
    }
    if !line.is_empty() || lines.is_empty() {
        lines.push(line);
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn wide_characters_count_two_columns() {
        assert_eq!(cut("漢字仮名", 5), "漢字…");
        assert_eq!(left("漢", 4), "漢  ");
        assert_eq!(right("abc", 2), "a…");
        assert_eq!(wrap("one two three", 7), ["one two", "three"]);
        assert_eq!(wrap("", 7), [""]);
        assert_eq!(wrap("abcdefghij", 4), ["abcd", "efgh", "ij"]);
    }

    proptest! {
        #[test]
        fn columns_are_kept(text in "\\PC{0,40}", width in 0_usize..30) {
            prop_assert!(cut(&text, width).width() <= width);
            prop_assert_eq!(left(&text, width).width(), width);
            prop_assert!(wrap(&text, width.max(2)).iter().all(|line| line.width() <= width.max(2)));
        }
    }
}
