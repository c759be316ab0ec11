//! The documents of a node: as they are stored, byte for byte, beside those that the other format would write.

mod line;

use crate::app::layout::metadata_frame;
use crate::tui::prelude::*;
use line::{LineLook, drawn};

/// From this width on both documents are side by side.
const TWIN: u16 = 81;

/// Members of V2 documents and those of V3 that say the same; the first of several is where most of it goes.
const TWINS: [(&str, &str); 8] = [
    ("chunks", "chunk_grid"),
    ("dtype", "data_type"),
    ("compressor", "codecs"),
    ("filters", "codecs"),
    ("order", "codecs"),
    ("dimension_separator", "chunk_key_encoding"),
    ("_ARRAY_DIMENSIONS", "dimension_names"),
    (".zattrs", "attributes"),
];

/// The documents, faults underlined where they are, the reason below.
pub struct MetadataView<'a> {
    /// The lines.
    pub page: &'a MetadataPage,
    /// The node that they are of; `None` before there is any.
    pub node: Option<&'a Node>,
    /// True if what is wrong with the line is told elsewhere on the screen.
    pub is_explained: bool,
    /// True if they are read as something else than is stored.
    pub is_supposed: bool,
}

impl Widget for MetadataView<'_> {
    fn render(self, area: Rect, buf: &mut Buffer) {
        if self.page.stored.is_empty() {
            return Text::from(self.nothing(area.width.into())).render(area, buf);
        }
        let frame = metadata_frame(area.height.into(), self.is_explained);
        let frame = cells(frame);
        let rows = area.height.saturating_sub(frame);
        let [head, body, reasons] = stacked(area, [Length(2), Length(rows), Fill(1)]);
        let shows_other = self.page.show_other && !self.page.other.is_empty();
        let both = area.width >= TWIN && !self.page.other.is_empty() && !shows_other;
        if both {
            let columns = Layout::horizontal([Fill(1), Fill(1)]).spacing(3);
            let [[left, right], [left_head, right_head]] =
                [body, head].map(|area| area.layout(&columns));
            self.head(false, left_head, buf);
            self.head(true, right_head, buf);
            self.stored(left, buf);
            self.other(right, buf);
        } else {
            self.head(shows_other, head, buf);
            if shows_other { self.other(body, buf) } else { self.stored(body, buf) }
        }
        let column = if both { usize::from(area.width - 3) / 2 } else { area.width.into() };
        self.reasons(column, reasons, buf);
    }
}

impl MetadataView<'_> {
    /// Draws the title of a column, with its format.
    fn head(&self, other: bool, area: Rect, buf: &mut Buffer) {
        let format = self.format();
        let (sign, words, format) = if other {
            ("○", "as zarrscope would write it", format.map(Format::other))
        } else {
            ("●", if self.is_supposed { "what if, not as stored" } else { "as stored" }, format)
        };
        let format = format.map_or("", Format::name);
        let width = usize::from(area.width);
        let head = cut(&format!(" {format}  {sign} {words}"), width);
        let rule = Line::styled("─".repeat(width), QUIET);
        Text::from(vec![Line::styled(head, TITLE), rule]).render(area, buf);
    }

    fn format(&self) -> Option<Format> {
        self.node?.kind.format()
    }

    fn stored(&self, area: Rect, buf: &mut Buffer) {
        let rows = self.page.scroll.visible(area.height.into());
        for ((at, line, folded), row) in self.page.lines(rows).zip(area.rows()) {
            let here = at == self.page.scroll.cursor();
            let look = LineLook {
                here,
                hides: if folded { self.page.hidden(at) } else { None },
                needle: &self.page.needle,
                width: row.width.into(),
            };
            drawn(line, &look).render(row, buf);
        }
    }

    /// The line of the other document that says what the member under the cursor says; none where nothing does.
    fn twin(&self) -> Option<usize> {
        let line = self.page.line()?;
        let member = line.field.split(['.', '[']).next().filter(|member| !member.is_empty())?;
        let is_v2 = self.format()? == Format::V2;
        let pair = TWINS.iter().find(|(v2, v3)| *if is_v2 { v2 } else { v3 } == member);
        let name = match (pair, is_v2) {
            (Some((_, v3)), true) => v3,
            (Some((v2, _)), false) => v2,
            (None, _) => member,
        };
        self.page.other_named(name)
    }

    /// Draws the documents in the other format. They have no cursor of their own: they move along with the one over the
    /// stored document, and mark what says the same. Below them stays what is lost or chosen.
    fn other(&self, area: Rect, buf: &mut Buffer) {
        let width = usize::from(area.width);
        let notes = self.notes(width, usize::from(area.height) / 3);
        let below = cells(notes.len());
        let [area, below] = stacked(area, [Fill(1), Length(below.min(area.height))]);
        Text::from(notes).render(below, buf);
        let (all, height) = (self.page.other.len(), usize::from(area.height));
        let twin = self.twin();
        let most = all.saturating_sub(height);
        let last = self.page.len().saturating_sub(1).max(1);
        let top = match twin {
            Some(twin) => twin.saturating_sub(height / 3).min(most),
            None => most * self.page.scroll.cursor() / last,
        };
        let lines = self.page.other.iter().enumerate().skip(top);
        for ((at, line), row) in lines.zip(area.rows()) {
            let needle = &self.page.needle;
            let look = LineLook { here: twin == Some(at), hides: None, needle, width };
            drawn(line, &look).render(row, buf);
        }
    }

    /// The losses and the choices on the way to the other format, on at most `rows` lines, a rule above them.
    fn notes(&self, width: usize, rows: usize) -> Vec<Line> {
        let mut lines: Vec<String> =
            self.page.notes.iter().flat_map(|note| note_lines(note, width)).collect();
        let rows = rows.saturating_sub(1).max(1);
        if lines.len() > rows {
            lines.truncate(rows - 1);
            lines.push(cut("   … more: 1 Data type", width));
        }
        let rule = (!lines.is_empty()).then(|| Line::styled("─".repeat(width), QUIET));
        rule.into_iter().chain(lines.into_iter().map(|line| Line::styled(line, WARNING))).collect()
    }

    /// Below the documents: what is wrong in the line under the cursor, or else the line in full where it is cut, or
    /// else where it is in the document.
    fn reasons(&self, column: usize, area: Rect, buf: &mut Buffer) {
        let width = usize::from(area.width);
        let rule = Line::styled("─".repeat(width), QUIET);
        let rows = usize::from(area.height).saturating_sub(1);
        let mut lines = vec![rule];
        lines.extend(self.reason(column, rows, width));
        Text::from(lines).render(area, buf);
    }

    fn reason(&self, column: usize, rows: usize, width: usize) -> Vec<Line> {
        let Some(line) = self.page.line() else { return Vec::new() };
        let room = width.saturating_sub(3);
        let block = |sign: &str, style: Style, text: &str| block(sign, style, text, rows, room);
        if let Some(worst) = line.worst() {
            return block(theme::severity_sign(worst), theme::severity(worst), &words(line));
        }
        if line.text.chars().nth(column.saturating_sub(line::GUTTER)).is_some() {
            return block(" ", QUIET, line.text.trim_start());
        }
        let place = if line.field.is_empty() { "the whole document" } else { &line.field };
        let faulty: Vec<_> =
            self.page.faulty().filter_map(|line| Some((line.worst()?, line))).collect();
        match faulty.as_slice() {
            [] => block(" ", QUIET, place),
            // A document with one fault is looked at because of it.
            [(worst, one)] => {
                block(theme::severity_sign(*worst), theme::severity(*worst), &words(one))
            }
            many => {
                let words = format!(
                    "{} lines with findings; ]e and [e go from one to the next",
                    many.len()
                );
                let worst = many.iter().map(|(worst, _)| *worst).max().unwrap_or(Severity::Note);
                let mut out = block(" ", QUIET, place);
                out.extend(block(theme::severity_sign(worst), theme::severity(worst), &words));
                out.truncate(rows.max(1));
                out
            }
        }
    }

    /// The message where there is no document.
    fn nothing(&self, width: usize) -> Vec<Line> {
        let text = match self.node.map(|node| &node.kind) {
            Some(_) if self.page.is_laying_out() => "Formatting the metadata…",
            Some(NodeKind::Broken(error)) => return broken(error, width),
            Some(NodeKind::Group(_)) => {
                "This group has no metadata document; it exists because nodes are below it. V3 once allowed such \
                 implicit groups; the current specification requires a zarr.json in every group."
            }
            Some(NodeKind::Folder) => {
                "This folder has no Zarr metadata. It is listed because stores or nodes are below it."
            }
            Some(NodeKind::Array(_)) => "The metadata of this array cannot be shown.",
            None => "Nothing is selected.",
        };
        instead(text, width)
    }
}

/// Everything wrong with a line.
fn words(line: &TextLine) -> String {
    line.faults.iter().map(|fault| fault.words.as_str()).joined(" ")
}

fn note_lines(note: &str, width: usize) -> Vec<String> {
    let signs = iter::once(" ! ").chain(iter::repeat("   "));
    let lines = wrap(note, width.saturating_sub(4));
    signs.zip(lines).map(|(sign, line)| format!("{sign}{line}")).collect()
}

/// A sentence in place of the lines, a blank one before it.
fn instead(text: &str, width: usize) -> Vec<Line> {
    let mut lines = vec![Line::default()];
    lines.extend(prose("   ", text, width.saturating_sub(6).min(76), PLAIN));
    lines
}

/// The page of a node whose document says nothing usable.
fn broken(error: &Error, width: usize) -> Vec<Line> {
    let mut lines =
        instead("The metadata of this node is unreadable. e opens a copy in an editor.", width);
    lines.push(Line::default());
    lines.extend(error_in_parts("   ", error, width.saturating_sub(2)));
    lines
}

/// A text after a sign, in at most `rows` lines of `room` columns.
fn block(sign: &str, style: Style, text: &str, rows: usize, room: usize) -> Vec<Line> {
    // As much as fills the rows and more: a value may be of 50 MB.
    let most = (rows + 1).saturating_mul(room + 1).saturating_mul(4);
    let end = text.char_indices().nth(most).map_or(text.len(), |(at, _)| at);
    let mut parts = wrap(text.get(..end).unwrap_or_default(), room);
    if parts.len() > rows {
        parts.truncate(rows);
        if let Some(last) = parts.last_mut() {
            *last = cut(last, room.saturating_sub(1)) + "…";
            if last.ends_with("……") {
                last.pop();
            }
        }
    }
    headed(styled(format!(" {sign} "), style), parts, PLAIN)
}
