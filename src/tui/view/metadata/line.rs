//! One line of a document: its parts told apart, faults underlined, hits lit, cut to its column.

use crate::tui::prelude::*;
use unicode_width::UnicodeWidthChar;

/// Columns before the text: the cursor, and what is the matter with the line.
pub(super) const GUTTER: usize = 3;

/// The style of a line.
pub(super) struct LineLook<'a> {
    /// True if the cursor is on it.
    pub(super) here: bool,
    /// The number of lines it hides, where it is folded, and the worst of the faults among them.
    pub(super) hides: Option<(usize, Option<Severity>)>,
    /// The text that is searched for.
    pub(super) needle: &'a str,
    /// Columns that there are.
    pub(super) width: usize,
}

/// A line in its column.
pub(super) fn drawn(line: &TextLine, look: &LineLook) -> Line {
    let worst = line.worst().max(look.hides.and_then(|(_, worst)| worst));
    let sign = match (worst, look.hides) {
        (Some(worst), _) => {
            Span::styled(format!("{} ", theme::severity_sign(worst)), theme::severity(worst))
        }
        (None, Some(_)) => quiet("▸ "),
        (None, None) => Span::raw("  "),
    };
    let cursor = theme::mark(look.here);
    let mut spans = vec![cursor, sign];
    let tail = look.hides.map(|(lines, _)| format!(" … {lines} lines"));
    let tail_width = tail.as_ref().map_or(0, |tail| tail.chars().count());
    let room = look.width.saturating_sub(GUTTER + tail_width);
    let text = in_sight(line);
    let mut chars = styled(line, text, look);
    if line.heading && text.width() > room {
        // The size goes before any of the name.
        let name = text.rsplit_once("   ").map_or(text, |(name, _)| name);
        chars.truncate(name.chars().count());
    }
    spans.extend(runs(&chars, line, room));
    spans.extend(tail.map(quiet));
    Line::from(spans)
}

/// The part of the text that a screen may show: a value may be of 50 MB.
fn in_sight(line: &TextLine) -> &str {
    /// More columns than any screen has.
    const WIDEST: usize = 1 << 12;
    let from = line.marks.first().map_or(0, |mark| mark.end);
    let end = line.text.char_indices().nth(from.saturating_add(WIDEST)).map(|(at, _)| at);
    line.text.get(..end.unwrap_or(line.text.len())).unwrap_or_default()
}

/// Every character of `text`, the start of the line, with its style.
fn styled(line: &TextLine, text: &str, look: &LineLook) -> Vec<(char, Style)> {
    let mut out =
        if line.heading { text.chars().map(|c| (c, TITLE)).collect() } else { parts_of_json(text) };
    // Red is for errors; what a note is about stays as readable as the rest.
    let style = match line.worst() {
        None | Some(Severity::Error) => FAILURE,
        Some(Severity::Note) => PLAIN,
        Some(severity) => theme::severity(severity),
    };
    for mark in &line.marks {
        restyle(&mut out, mark, style.add_modifier(Modifier::UNDERLINED));
    }
    for hit in hits(text, look.needle) {
        restyle(&mut out, &hit, theme::HIT);
    }
    out
}

fn restyle(line: &mut [(char, Style)], columns: &Range<usize>, with: Style) {
    let inside = line.iter_mut().skip(columns.start).take(columns.len());
    inside.for_each(|(_, style)| *style = style.patch(with));
}

/// Member names in one colour, brackets and commas quiet.
fn parts_of_json(text: &str) -> Vec<(char, Style)> {
    let mut out: Vec<(char, Style)> = Vec::with_capacity(text.len());
    // Where the last string began, and where it ended.
    let (mut string, mut ended, mut escaped) = (None, None, false);
    for (at, c) in text.chars().enumerate() {
        let quiet = string.is_none() && matches!(c, '{' | '}' | '[' | ']' | ',' | ':');
        out.push((c, if quiet { QUIET } else { Style::new() }));
        match (string, c) {
            (None, '"') => string = Some(at),
            (Some(_), '\\') if !escaped => {
                escaped = true;
                continue;
            }
            (Some(start), '"') if !escaped => (string, ended) = (None, Some(start..at + 1)),
            (None, ':') => {
                if let Some(name) = ended.take() {
                    restyle(&mut out, &name, theme::MEMBER);
                }
            }
            (None, c) if !c.is_whitespace() => ended = None,
            _ => {}
        }
        escaped = false;
    }
    out
}

/// The columns, in characters, where `needle` stands, whatever its case.
fn hits(text: &str, needle: &str) -> Vec<Range<usize>> {
    let lower = |text: &str| -> Vec<char> {
        text.chars().map(|c| c.to_lowercase().next().unwrap_or(c)).collect()
    };
    let (text, needle) = (lower(text), lower(needle));
    if needle.is_empty() {
        return Vec::new();
    }
    let starts = text.windows(needle.len()).enumerate();
    starts.filter(|(_, part)| *part == needle).map(|(at, _)| at..at + needle.len()).collect()
}

/// The characters that have room, in spans of one style. Where the first fault would be cut off, the line begins
/// later, after a `…`.
fn runs(chars: &[(char, Style)], line: &TextLine, room: usize) -> Vec<Span> {
    let width = |part: &[(char, Style)]| -> usize {
        part.iter().map(|(c, _)| c.width().unwrap_or(0)).sum()
    };
    let mut from = 0;
    if let Some(mark) = line.marks.first()
        && width(chars.get(..mark.end).unwrap_or(chars)) > room.saturating_sub(1)
    {
        from = mark.start.saturating_sub(room / 3);
    }
    let rest = chars.get(from..).unwrap_or_default();
    let cut_left = from > 0;
    let room = room.saturating_sub(usize::from(cut_left));
    let cut_right = width(rest) > room;
    let room = room.saturating_sub(usize::from(cut_right));
    let mut used = 0;
    let shown = rest.iter().take_while(|(c, _)| {
        used += c.width().unwrap_or(0);
        used <= room
    });
    let mut shown: Vec<(char, Style)> = shown.copied().collect();
    if let Some((next, _)) = rest.get(shown.len()).filter(|_| cut_right) {
        drop_half_figure(&mut shown, *next);
    }
    let ellipsis = |there: bool| there.then(|| quiet("…"));
    let runs = shown.chunk_by(|a, b| a.1 == b.1).map(|run| {
        let style = run.first().map(|(_, style)| *style).unwrap_or_default();
        Span::styled(run.iter().map(|(c, _)| *c).collect::<String>(), style)
    });
    ellipsis(cut_left).into_iter().chain(runs).chain(ellipsis(cut_right)).collect()
}

/// Takes the start of a number off the end where `next` goes on with it: cut within its digits, it would be another
/// one.
fn drop_half_figure(shown: &mut Vec<(char, Style)>, next: char) {
    let is_part = |c: char| c.is_ascii_digit() || matches!(c, '.' | '+' | '-' | 'e' | 'E');
    let start = shown.iter().rposition(|(c, _)| !is_part(*c)).map_or(0, |at| at + 1);
    let begins = |c: &char| c.is_ascii_digit() || *c == '-';
    let in_string = shown
        .windows(2)
        .filter(|pair| matches!(pair, [(before, _), ('"', _)] if *before != '\\'))
        .count()
        % 2
        == 1;
    if !in_string && is_part(next) && shown.get(start).is_some_and(|(c, _)| begins(c)) {
        shown.truncate(start);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::page::metadata::DocumentFault;

    fn text(spans: &[Span]) -> String {
        spans.iter().map(|span| span.content.as_ref()).collect()
    }

    #[test]
    fn a_long_line_begins_where_its_fault_is() {
        let fault = 40..42;
        let line = TextLine {
            text: "abcdefghij".repeat(5),
            marks: Vec::from([fault]),
            ..TextLine::default()
        };
        let chars: Vec<_> = line.text.chars().map(|c| (c, Style::new())).collect();
        assert_eq!(text(&runs(&chars, &line, 20)), "…efghijabcdefghij");
        assert_eq!(text(&runs(&chars, &TextLine::default(), 5)), "abcd…");
    }

    #[test]
    fn no_more_of_a_value_is_styled_than_is_in_sight() {
        let of = |text: String| TextLine { text, ..TextLine::default() };
        let line = of(format!("  \"a\": \"{}\"", "x".repeat(1_000_000)));
        assert!(in_sight(&line).len() < 5000);
        let look = LineLook { here: false, hides: None, needle: "x", width: 100 };
        assert_eq!(drawn(&line, &look), drawn(&of(in_sight(&line).to_owned()), &look));
        let mark = 600_000..600_001;
        let marked = TextLine { marks: Vec::from([mark]), ..line };
        assert!(drawn(&marked, &look).to_string().contains('…'));
    }

    #[test]
    fn red_is_for_errors() {
        let color = |severity| {
            let fault = DocumentFault { bytes: None, severity, words: String::new() };
            let place = 0..1;
            let line = TextLine {
                text: "0,".into(),
                marks: Vec::from([place]),
                faults: Vec::from([fault]),
                ..TextLine::default()
            };
            let look = LineLook { here: false, hides: None, needle: "", width: 20 };
            styled(&line, &line.text, &look).first().map(|(_, style)| style.fg)
        };
        assert_eq!(color(Severity::Error), Some(FAILURE.fg));
        assert_eq!(color(Severity::Warning), Some(WARNING.fg));
        assert_eq!(color(Severity::Note), Some(None));
    }

    #[test]
    fn a_number_is_not_cut_within_its_digits() {
        let cut = |line: &str, room: usize| {
            let chars: Vec<_> = line.chars().map(|c| (c, Style::new())).collect();
            text(&runs(&chars, &TextLine::default(), room))
        };
        assert_eq!(cut(r#" "a": 9.969e+36,"#, 12), r#" "a": …"#);
        assert_eq!(cut(r#" "a": -9.969e+36,"#, 12), r#" "a": …"#);
        assert_eq!(cut(r#" "a": 9.969e+36,"#, 16), r#" "a": 9.969e+36,"#);
        assert_eq!(cut(r#" "a": "12345678","#, 12), r#" "a": "1234…"#);
    }

    #[test]
    fn names_are_told_from_strings() {
        let names: String = parts_of_json(r#""a\":": ["b", "c"]"#)
            .iter()
            .filter(|(_, style)| *style == theme::MEMBER)
            .map(|(c, _)| *c)
            .collect();
        assert_eq!(names, r#""a\":""#);
        assert_eq!(hits("NaN, nan", "nan"), [0..3, 5..8]);
    }
}
