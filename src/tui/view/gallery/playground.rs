//! Three lines to type into, and what becomes of what is typed.

use super::element;
use crate::tui::prelude::*;
use crate::{
    app::page::gallery::TypeTrial,
    tui::view::{explain, input, twins},
    zarr::{Note, spelling},
};

/// The widest prose that is pleasant to read.
pub(super) const PROSE: usize = 104;
/// Columns of both formats at most: what is compared is not far apart.
const WIDEST: usize = 130;
/// Columns of the names of the lines.
const LABEL: usize = 12;

/// The lower part of the gallery.
pub(super) struct Playground<'a> {
    /// The page with the typed lines, and the result.
    pub(super) page: &'a GalleryPage,
    /// True if the row under the cursor is explained in a pane of its own.
    pub(super) is_explained: bool,
}

impl Widget for Playground<'_> {
    fn render(self, area: Rect, buf: &mut Buffer) {
        let [rule, dtype, fill, bytes, result] =
            stacked(area, [Length(1), Length(1), Length(1), Length(1), Fill(1)]);
        self.rule(area.width.into()).render(rule, buf);
        self.input(GalleryPart::DataType, dtype.width.into()).render(dtype, buf);
        self.input(GalleryPart::FillValue, fill.width.into()).render(fill, buf);
        self.input(GalleryPart::Bytes, bytes.width.into()).render(bytes, buf);
        match &self.page.tried {
            TypeTrial::Rows(..) if self.page.part.shows_element() => {
                element::render(self.page, result, buf);
            }
            TypeTrial::Nothing => {}
            TypeTrial::Rows(subject, rows) => {
                let cursor = (self.page.part == GalleryPart::Rows).then_some(self.page.row);
                let is_explained = self.is_explained;
                TypedRows { subject, rows, cursor, is_explained }.render(result, buf);
            }
            TypeTrial::Refused(error) => {
                let mut lines = vec![Line::default()];
                lines.extend(refusal("data type", error, result.width.into()));
                lines.push(Line::default());
                lines.extend(Self::hints(result.width.into()));
                Text::from(lines).render(result, buf);
            }
        }
    }
}

impl Playground<'_> {
    fn rule(&self, width: usize) -> Line {
        let typed = !self.page.data_type.text().trim().is_empty();
        let title = match self.page.selected().filter(|_| !typed) {
            None => " try a data type ".to_owned(),
            Some(card) => {
                cut(&format!(" try a data type (showing: {}) ", card.name), width.saturating_sub(2))
            }
        };
        let (at, of) = (self.page.scroll.cursor() + 1, self.page.cards.len());
        let count = if of == 0 { String::new() } else { format!(" {at} of {of} ─") };
        let rest = width.saturating_sub(1 + title.width() + count.width());
        Line::from(vec![quiet("─"), styled(title, TITLE), quiet("─".repeat(rest) + &count)])
    }

    /// The forms that can be typed.
    fn hints(width: usize) -> Vec<Line> {
        let forms = "A V2 dtype (<i2, |S5, [[\"a\",\"<i2\"]]), a V3 data_type (int16, r32, {\"name\":…}) or a NumPy \
                     name (datetime64[10s]). Object dtypes take a codec: |O + vlen-utf8.";
        paragraph("    ", QUIET, forms, width.min(PROSE))
    }

    fn input(&self, part: GalleryPart, width: usize) -> Line {
        let (label, input, hint) = match part {
            GalleryPart::FillValue => (
                "fill value",
                &self.page.fill_value,
                "JSON, such as \"NaN\", -0.0 or \"0x7fc00001\"",
            ),
            GalleryPart::Bytes => (
                "bytes",
                &self.page.bytes,
                "hexadecimal, such as 41 70 00 00; Tab goes on to the bits",
            ),
            _ => (
                "data type",
                &self.page.data_type,
                "such as >M8[10us], r32, float32 or [[\"a\",\"<i2\"]]",
            ),
        };
        let focused = self.page.part == part;
        let style = if focused { TITLE } else { QUIET };
        let mut spans =
            vec![theme::mark(focused), styled(left(label, LABEL), style), styled("> ", style)];
        let room = width.saturating_sub(LABEL + 4);
        if input.is_empty() && !focused {
            spans.push(quiet(cut(hint, room)));
        } else {
            spans.extend(input::spans(input, focused, room));
            if input.is_empty() {
                spans.push(quiet(cut(hint, room.saturating_sub(2))));
            }
        }
        Line::from(spans)
    }
}

/// The twin columns of what was typed, and what there is to say about it.
struct TypedRows<'a> {
    subject: &'a Subject,
    rows: &'a [Row],
    /// The row under the cursor, where the rows have the keys.
    cursor: Option<usize>,
    /// True if that row is explained elsewhere.
    is_explained: bool,
}

impl Widget for TypedRows<'_> {
    fn render(self, area: Rect, buf: &mut Buffer) {
        // Cells are wrapped where that leaves three lines for what there is to say.
        let room = usize::from(area.height).saturating_sub(5);
        let twins = Twins::fit(self.rows, usize::from(area.width).min(WIDEST), room);
        let table = cells(twins.height());
        // Where there is little room, no line is spent on a blank.
        let gap = u16::from(table + 2 < area.height);
        let [_, head, table, rest] =
            stacked(area, [Length(gap), Length(1), Length(table), Fill(1)]);
        twins::heads(&twins, None, false).render(head, buf);
        let cursor = self.cursor.map(|at| (at, true));
        let rows = twins::lines(self.rows, &twins, 0, cursor, table.height.into());
        Text::from(rows).render(table, buf);
        match self.cursor.and_then(|at| self.rows.get(at).map(|row| (row, twins.is_cut(at)))) {
            Some(_) if self.is_explained => {}
            Some((row, cut)) => self.panel(row, cut, rest, buf),
            None => self.said(rest, buf),
        }
    }
}

impl TypedRows<'_> {
    /// Draws the meaning of the row under the cursor; first its cells, where they were cut.
    fn panel(&self, row: &Row, cut: bool, area: Rect, buf: &mut Buffer) {
        let explanation = spelling::explain(row, self.subject);
        let whole = if cut { explained::of_row } else { explained::of_row_alone };
        explain::panel(&whole(row, &explanation), area, buf);
    }

    /// Draws the notes on all rows.
    fn said(&self, area: Rect, buf: &mut Buffer) {
        let (room, width) = (usize::from(area.height), usize::from(area.width));
        let mut lines = self.words(width);
        let lesson = self.lesson(width);
        if lines.len() + lesson.len() + usize::from(!lines.is_empty()) < room {
            if !lines.is_empty() {
                lines.push(Line::default());
            }
            lines.extend(lesson);
        }
        if lines.len() < room {
            lines.insert(0, Line::default());
        }
        Text::from(lines).render(area, buf);
    }

    /// The rule behind the row in which the formats differ most, as far as there is room for it.
    fn lesson(&self, width: usize) -> Vec<Line> {
        let worst = self.rows.iter().rev().max_by_key(|row| row.join);
        let Some(row) = worst else { return Vec::new() };
        let explanation = spelling::explain(row, self.subject);
        let mut lines = paragraph(" ▎  ", MARK, &explanation.rule, width.min(PROSE));
        let source = explanation.source_line();
        let room = width.min(PROSE).saturating_sub(5);
        lines.extend(prose("    ", &source, room, QUIET));
        lines
    }

    /// A refused fill value, then every note once, the gravest joins first.
    fn words(&self, width: usize) -> Vec<Line> {
        let mut lines = Vec::new();
        if let Some(FillValue::Unreadable { error, .. }) = &self.subject.fill {
            lines.extend(refusal("fill value", error, width));
        }
        let refused = !lines.is_empty();
        let mut notes: Vec<(Join, &Note)> = Vec::new();
        for row in self.rows {
            for note in &row.notes {
                let known = notes.iter().any(|(_, seen)| seen.text == note.text);
                let same = refused
                    && matches!(&self.subject.fill,
                    Some(FillValue::Unreadable { error, .. }) if error.code == note.code);
                if !known && !same {
                    notes.push((row.join, note));
                }
            }
        }
        notes.sort_by_key(|(join, _)| std::cmp::Reverse(*join));
        for (join, note) in notes {
            let sign = format!(" {}  ", join.sign());
            lines.extend(paragraph(&sign, theme::join(join), &safe(&note.text), width));
        }
        lines
    }
}

/// The reason why a typed text is not taken, as sentences.
fn refusal(what: &str, error: &Error, width: usize) -> Vec<Line> {
    let mut text = format!(
        "This {what} is refused: found {}; expected {}.",
        safe(&error.found),
        safe(&error.expected).trim_end_matches('.')
    );
    if let Some(fix) = &error.fix {
        text = format!("{text} {}", safe(fix));
    }
    paragraph(" ✗  ", FAILURE, &text, width)
}

/// Wrapped prose with a sign before its first line.
fn paragraph(sign: &str, style: Style, text: &str, width: usize) -> Vec<Line> {
    let text = wrap(text, width.saturating_sub(sign.width() + 1));
    headed(styled(sign.to_owned(), style), text, PLAIN)
}
