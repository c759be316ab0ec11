//! The format of numbers, sizes, bytes and lists, and the layout of text in columns: one way for every view and
//! command. [`wrap`] is thirty lines, for which textwrap would be one more dependency.

use std::{fmt::Display, ops::Range, time::Duration};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// Things that become one text.
pub(crate) trait Joined: IntoIterator {
    /// Each of them as text, with `between` between two.
    fn joined(self, between: &str) -> String;
}

impl<T: IntoIterator<Item: Display>> Joined for T {
    fn joined(self, between: &str) -> String {
        let mut out = String::new();
        for (at, item) in self.into_iter().enumerate() {
            out += if at == 0 { "" } else { between };
            out += &item.to_string();
        }
        out
    }
}

/// A time in seconds, with a tenth where that matters.
pub fn seconds(time: Duration) -> String {
    let tenths = time.as_millis() / 100;
    if tenths < 1000 {
        format!("{}.{} s", tenths / 10, tenths % 10)
    } else {
        format!("{} s", grouped(tenths / 10))
    }
}

/// A whole number with its digits in groups of three: `2,153`.
pub fn grouped(number: impl Display) -> String {
    let text = number.to_string();
    let digits = text.trim_start_matches('-');
    let mut out = text.chars().take(text.len() - digits.len()).collect::<String>();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// A count with its noun: `1 chunk`, `2,153 chunks`.
pub fn counted(count: impl Display, noun: &str) -> String {
    let count = grouped(count);
    let ending = if count == "1" { "" } else { "s" };
    format!("{count} {noun}{ending}")
}

/// The most changes by which a name is taken for another.
const MOST_CHANGES: usize = 2;

/// The name that is the fewest changes away from `wanted`: another case, or up to two characters put in, taken out,
/// replaced or swapped with the next.
pub(crate) fn nearest<'n>(
    wanted: &str,
    names: impl IntoIterator<Item = &'n str>,
) -> Option<&'n str> {
    let wanted = wanted.trim().to_lowercase();
    let length = wanted.chars().count();
    // Most names are told apart by their length alone.
    let is_as_long = |name: &&str| name.chars().count().abs_diff(length) <= MOST_CHANGES;
    let near = names.into_iter().filter(is_as_long).filter_map(|name| {
        let changes = strsim::osa_distance(&wanted, &name.to_lowercase());
        // Of a short name, two changes leave nothing.
        (changes <= MOST_CHANGES && changes * 3 <= name.len()).then_some((changes, name))
    });
    near.min().map(|(_, name)| name)
}

/// A number of bytes: `1 byte`, `2,153 bytes`.
pub fn byte_count(count: usize) -> String {
    counted(count, "byte")
}

/// A finite number with all its decimal digits where they fit into `most` characters, plain or with an exponent; else
/// rounded to the fewest digits that name this `f64`, with `≈` before them.
pub fn decimal(number: f64, most: usize) -> String {
    // No `f64` has more than 1074 decimals or 767 significant digits: neither text is rounded.
    let plain = format!("{number:.1074}");
    let plain = plain.trim_end_matches('0').trim_end_matches('.');
    if plain.len() <= most {
        return plain.to_owned();
    }
    let scientific = format!("{number:.766e}");
    let (mantissa, power) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let mantissa = mantissa.trim_end_matches('0').trim_end_matches('.');
    let scientific = format!("{mantissa}e{power}");
    if scientific.len() <= most {
        return scientific;
    }
    let shortest = number.to_string();
    if shortest.len() <= most.min(24) {
        format!("≈ {shortest}")
    } else {
        format!("≈ {number:e}")
    }
}

/// A number with about five digits that count.
pub fn short(value: f64) -> String {
    let size = value.abs();
    if value == 0.0 {
        return "0".into();
    }
    if !size.is_finite() {
        return value.to_string();
    }
    if !(1e-4..1e7).contains(&size) {
        return exponential(value, 4);
    }
    trimmed(&fixed(value, 4 - magnitude(size))).to_owned()
}

/// With `digits` after the point and a power of ten.
fn exponential(value: f64, digits: usize) -> String {
    let text = format!("{value:.digits$e}");
    let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    format!("{}e{exponent}", trimmed(digits))
}

/// With so many digits after the point.
pub(crate) fn fixed(value: f64, digits: i32) -> String {
    let digits = usize::try_from(digits).unwrap_or(0);
    format!("{value:.digits$}")
}

/// The power of ten of a number.
#[expect(clippy::cast_possible_truncation, reason = "from -324 to 308")]
pub(crate) fn magnitude(size: f64) -> i32 {
    size.log10().floor() as i32
}

/// Without zeros after the point that say nothing.
pub(crate) fn trimmed(text: &str) -> &str {
    let text =
        if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { text };
    if text == "-0" { "0" } else { text }
}

/// A size as people say it: `82 KiB`, `1.4 MiB`, `37 B`.
pub fn size(bytes: u64) -> String {
    if bytes < 1024 {
        return format!("{bytes} B");
    }
    let mut value = bytes as f64;
    let mut unit = "B";
    for next in ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"] {
        if value < 1024.0 {
            break;
        }
        value /= 1024.0;
        unit = next;
    }
    if value < 10.0 { format!("{value:.1} {unit}") } else { format!("{value:.0} {unit}") }
}

/// A ratio: `1.92`, `12.5`, `1,024`.
pub fn ratio(ratio: f64) -> String {
    match ratio {
        ..9.995 => format!("{ratio:.2}"),
        ..99.95 => format!("{ratio:.1}"),
        _ => grouped(format!("{ratio:.0}")),
    }
}

/// A shape: `12×180×360`; `one element` for no dimensions.
pub fn times(shape: &[u64]) -> String {
    if shape.is_empty() {
        return "one element".into();
    }
    shape.iter().joined("×")
}

/// Bytes by the offsets of the first and the last one: `bytes 4–7`, `byte 4`, `no bytes`.
pub fn byte_range(range: &Range<u64>) -> String {
    match range.end.checked_sub(range.start) {
        None | Some(0) => "no bytes".into(),
        Some(1) => format!("byte {}", range.start),
        Some(_) => format!("bytes {}–{}", range.start, range.end - 1),
    }
}

/// Coordinates without blanks: `[3,0,3]`.
pub fn list(numbers: &[u64]) -> String {
    format!("[{}]", numbers.iter().joined(","))
}

/// ` and 3 more` behind the first ones of a list; empty where these are all.
pub fn and_more<N: Display + Default + Copy + PartialEq>(more: N) -> String {
    if more == N::default() { String::new() } else { format!(" and {more} more") }
}

/// Bytes as pairs of hexadecimal digits with `gap` between them.
pub fn hex(bytes: &[u8], gap: &str) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let mut out = String::with_capacity(bytes.len() * (2 + gap.len()));
    for (at, &byte) in bytes.iter().enumerate() {
        out.push_str(if at == 0 { "" } else { gap });
        for nibble in [byte >> 4, byte & 15] {
            out.push(DIGITS.get(usize::from(nibble)).copied().map_or('?', char::from));
        }
    }
    out
}

/// Bytes as hexadecimal pairs with spaces between; past 32 bytes, how many more.
pub fn hex_start(bytes: &[u8]) -> String {
    const MOST: usize = 32;
    /// So many are shorter than the words that others are left out.
    const FEW: usize = 3;
    if bytes.is_empty() {
        return "no bytes".into();
    }
    match bytes.len().checked_sub(MOST) {
        Some(more) if more > FEW => {
            format!("{} … {more} more", hex(bytes.get(..MOST).unwrap_or(bytes), " "))
        }
        _ => hex(bytes, " "),
    }
}

/// `text` with its first letter in upper case.
pub fn capitalised(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

/// The text, or the first `most` characters of a longer one with a sign that more follows.
pub fn shortened(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
    }
}

/// `text` cut to `width` columns, an ellipsis saying that there was more.
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

/// The text of a number cut to `width` columns: its mantissa, never the exponent after it.
pub fn cut_number(text: &str, width: usize) -> String {
    let is_exponent = |at: &usize| {
        let after = text.get(at + 1..).unwrap_or_default();
        after.trim_start_matches('-').starts_with(|c: char| c.is_ascii_digit())
    };
    let Some(at) = text.rfind('e').filter(is_exponent).filter(|_| text.width() > width) else {
        return cut(text, width);
    };
    let (mantissa, exponent) = text.split_at(at);
    match width.checked_sub(exponent.width()) {
        Some(room) if room > 3 => format!("{}{exponent}", cut(mantissa, room)),
        _ => cut(text, width),
    }
}

/// `text` that begins with a path, in `width` columns: the first parts of the path go first, but not the last two, then
/// the end of the text.
pub fn cut_path(text: &str, width: usize) -> String {
    if text.width() <= width {
        return text.to_owned();
    }
    let end = text.find(", ").unwrap_or(text.len());
    let starts: Vec<usize> =
        text.match_indices('/').map(|(at, _)| at).filter(|at| *at < end).collect();
    let may_begin = starts.split_last().map_or(&[][..], |(_, before)| before);
    let shorter = |at: &usize| format!("…{}", text.get(*at..).unwrap_or_default());
    let whole = may_begin.iter().map(shorter).find(|text| text.width() <= width);
    let shortest = || may_begin.last().map_or_else(|| text.to_owned(), shorter);
    whole.unwrap_or_else(|| cut(&shortest(), width))
}

/// `text` cut to `width` columns where it may be: after a part of the sentence, or else after a word. An ellipsis says
/// that there was more.
pub fn cut_sentence(text: &str, width: usize) -> String {
    if text.width() <= width {
        return text.to_owned();
    }
    let whole = |end: &usize| {
        let part = text.get(..*end).unwrap_or_default();
        part.width() + 2 <= width
            && part.matches(['(', '[', '{']).count() == part.matches([')', ']', '}']).count()
    };
    let ends =
        |sign: &'static str| text.match_indices(sign).map(|(at, _)| at + sign.trim_end().len());
    let of_a_part = [", ", "; ", ": ", ". "].into_iter().flat_map(ends).filter(whole).max();
    let of_a_word = ends(" ").filter(whole).max();
    let part = |end: usize| text.get(..end).filter(|part| part.width() * 2 > width);
    match of_a_part.and_then(part).or_else(|| of_a_word.and_then(part)) {
        // What a colon announces is left out, and so is the colon.
        Some(part) => format!("{} …", part.trim_end().trim_end_matches(':')),
        None => cut(text, width),
    }
}

/// `text` cut or padded on the right to exactly `width` columns.
pub fn left(text: &str, width: usize) -> String {
    let text = cut(text, width);
    let gap = width.saturating_sub(text.width());
    text + &" ".repeat(gap)
}

/// `text` cut or padded on the left to exactly `width` columns.
pub fn right(text: &str, width: usize) -> String {
    let text = cut(text, width);
    " ".repeat(width.saturating_sub(text.width())) + &text
}

/// `text` in lines of at most `width` columns, broken at blanks. A word that no line can hold is broken where it must,
/// an address after a slash.
pub fn wrap(text: &str, width: usize) -> Vec<String> {
    let width = width.max(1);
    let mut lines = Vec::new();
    let (mut line, mut used, mut last) = (String::new(), 0, 0);
    for word in text.trim_start().split_inclusive(' ').flat_map(|word| pieces(word, width)) {
        let long = word.trim_end().width();
        if long > 0 && long <= width && used + long > width {
            lines.push(std::mem::take(&mut line));
            used = 0;
        }
        for c in word.chars() {
            // The selector of the coloured form makes a narrow sign wide.
            let w = if c == '\u{fe0f}' { last % 2 } else { c.width().unwrap_or(0) };
            last = w;
            if used + w > width && c != ' ' {
                lines.push(std::mem::take(&mut line));
                used = 0;
            }
            line.push(c);
            used += w;
        }
    }
    lines.push(line);
    lines.iter().map(|line| line.trim_end().to_owned()).collect()
}

/// A word; of an address that no line of `width` columns can hold, its parts: what a line holds of it, up to a slash.
fn pieces(word: &str, width: usize) -> Vec<&str> {
    let (mut rest, mut pieces) = (word, Vec::new());
    while word.contains("://") && rest.trim_end().width() > width {
        let ends = rest.char_indices().take(width).filter(|(_, c)| *c == '/').map(|(at, _)| at + 1);
        let parts = ends.last().and_then(|end| rest.split_at_checked(end));
        let Some((piece, after)) = parts.filter(|(piece, _)| !piece.ends_with("//")) else { break };
        pieces.push(piece);
        rest = after;
    }
    pieces.push(rest);
    pieces
}

/// The same in at most `most` lines, the last of which is cut where there are more.
pub fn wrap_to(text: &str, width: usize, most: usize) -> Vec<String> {
    let mut lines = wrap(text, width);
    if lines.len() > most {
        let rest = lines.split_off(most.saturating_sub(1)).join(" ");
        lines.push(cut_sentence(&rest, width));
    }
    lines
}

/// The most columns that one of `items` takes; 0 of none.
pub fn widest<T>(items: &[T], width: impl Fn(&T) -> usize) -> usize {
    items.iter().map(width).max().unwrap_or(0)
}

/// A cell of comma-separated values. Text that a spreadsheet would take for a formula begins with an apostrophe there:
/// a name must not run anything. Numbers stay numbers.
pub fn csv_cell(text: &str) -> String {
    let is_formula =
        text.starts_with(['=', '+', '-', '@', '\t', '\r']) && text.parse::<f64>().is_err();
    let sign = if is_formula { "'" } else { "" };
    if text.contains(['"', ',', '\n', '\r']) {
        format!("\"{sign}{}\"", text.replace('"', "\"\""))
    } else {
        format!("{sign}{text}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_nearest_name_is_few_changes_away() {
        assert_eq!(nearest("time_bounds", ["time", "time_bnds"]), Some("time_bnds"));
        assert_eq!(nearest("Kind", ["kind", "king"]), Some("kind"));
        assert_eq!(nearest("lat", ["lon", "x"]), None);
    }

    #[test]
    fn cells_of_a_spreadsheet_run_nothing() {
        for text in ["=1+2", "+a", "-a", "@SUM(A1)", "\tx", "-2+3"] {
            assert_eq!(csv_cell(text), format!("'{text}"));
        }
        assert_eq!(csv_cell("=HYPERLINK(\"x\",1)"), "\"'=HYPERLINK(\"\"x\"\",1)\"");
        for text in ["", "a=1", "-1.5", "-1e300", "+7", "-inf", "c/0/-1"] {
            assert_eq!(csv_cell(text), text);
        }
    }

    #[test]
    fn a_sign_in_its_coloured_form_takes_two_columns() {
        assert_eq!(wrap("*\u{fe0f}a*\u{fe0f}", 3), ["*\u{fe0f}a", "*\u{fe0f}"]);
        assert_eq!(wrap("a*\u{fe0f}", 2), ["a*", "\u{fe0f}"]);
    }

    #[test]
    fn sentences_are_cut_between_their_parts_and_paths_at_their_start() {
        let text = "1 of 9 chunks read (2, 3), 8 not read; the rest, later";
        assert_eq!(cut_sentence(text, 60), text);
        assert_eq!(cut_sentence(text, 46), "1 of 9 chunks read (2, 3), 8 not read; …");
        assert_eq!(cut_sentence(text, 30), "1 of 9 chunks read (2, 3), …");
        assert_eq!(cut_sentence(text, 23), "1 of 9 chunks read …");
        assert_eq!(cut_sentence(text, 6), "1 of …");
        assert_eq!(cut_sentence("no: a word or another one", 20), "no: a word or …");
        assert_eq!(cut_sentence("none was checked: damage", 20), "none was checked …");
        assert_eq!(cut_sentence("everything", 6), "every…");
        let place = "north/sea/log/zarr.json, shape";
        assert_eq!(cut_path(place, 30), place);
        assert_eq!(cut_path(place, 26), "…/sea/log/zarr.json, shape");
        assert_eq!(cut_path(place, 22), "…/log/zarr.json, shape");
        assert_eq!(cut_path(place, 18), "…/log/zarr.json, …");
        assert_eq!(cut_path("no path, a/b", 9), "no path,…");
    }

    #[test]
    fn numbers_are_grouped_and_sizes_short() {
        assert_eq!([0, 999, 1000, 2_153_000].map(grouped), ["0", "999", "1,000", "2,153,000"]);
        assert_eq!([-1, -999, -1000].map(grouped), ["-1", "-999", "-1,000"]);
        assert_eq!([37, 1536, 84_000, 3 << 30].map(size), ["37 B", "1.5 KiB", "82 KiB", "3.0 GiB"]);
        assert_eq!(
            [0.5, 1.918, 9.996, 99.96, 1024.4].map(ratio),
            ["0.50", "1.92", "10.0", "100", "1,024"]
        );
        assert_eq!([1, 2000].map(|n| counted(n, "chunk")), ["1 chunk", "2,000 chunks"]);
    }

    #[test]
    fn wide_characters_count_two_columns() {
        assert_eq!(cut("漢字仮名", 5), "漢字…");
        assert_eq!(left("漢", 4), "漢  ");
        assert_eq!(right("abc", 2), "a…");
        assert_eq!(cut_number("-4.5134998e-212", 12), "-4.513…e-212");
        assert_eq!(cut_number("-4.5134998e-212", 15), "-4.5134998e-212");
        assert_eq!(cut_number("-4.5134998e-212", 8), "-4.5134…");
        assert_eq!(cut_number("280.10367525761944", 9), "280.1036…");
        assert_eq!(cut_number("one element", 6), "one e…");
        assert_eq!(wrap("漢字漢字", 4), ["漢字", "漢字"]);
    }

    #[test]
    fn text_is_wrapped_at_blanks_and_long_words_anywhere() {
        assert_eq!(wrap("one two three", 7), ["one two", "three"]);
        assert_eq!(wrap("abcdefgh ij", 3), ["abc", "def", "gh", "ij"]);
        assert_eq!(wrap("one two   three", 8), ["one two", "three"]);
        assert_eq!(wrap("", 7), [""]);
        let address = "see https://example.org/en/latest/v2.html#fill now";
        assert_eq!(wrap(address, 40), ["see https://example.org/en/latest/", "v2.html#fill now"]);
        assert_eq!(wrap(address, 30)[..2], ["see", "https://example.org/en/latest/"]);
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
