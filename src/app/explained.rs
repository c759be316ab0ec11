//! `K`: what is under the cursor, in a few sentences.

use super::prelude::*;
use crate::zarr::spelling::{Explanation, explain};

/// Characters of a cell that an explanation shows.
const LONGEST: usize = 4_000;
/// Columns that a cell of the twin columns has on the smallest screen.
const NEVER_CUT: usize = 18;
/// The explanation of an element past the array's edge.
const PADDING: &str = "This cell is padding beyond the array's edge. Chunks of a regular grid are stored in full, \
                       even at the edge; readers ignore the padding.";
/// The explanation of a dot among the values.
const FILL: &str = "This element equals the fill value, shown as a dot. It was either written with that value or \
                    never written while other parts of the chunk were.";

/// An explanation that is over the view.
#[derive(Debug, Clone, Default)]
pub struct Explained {
    /// The subject of the explanation.
    pub title: String,
    /// The paragraphs.
    pub paragraphs: Vec<String>,
    /// Pairs of label and value that belong to it.
    pub table: Vec<(String, String)>,
    /// The first line on show.
    pub scroll: Scroll,
    /// True if it stays what it is while the cursor moves: a finding that was gone to.
    pub pinned: bool,
    /// True if the keys that move scroll it.
    pub has_keys: bool,
}

impl Explained {
    pub(super) fn new(title: impl Into<String>, paragraphs: Vec<String>) -> Self {
        Self { title: title.into(), paragraphs, ..Self::default() }
    }
}

impl Page for Explained {
    fn moved(&mut self, motion: Motion, _count: Option<u64>, shared: &mut Shared) {
        self.scroll = self.scroll.in_text(motion, &shared.geometry);
    }
}

impl App {
    pub(super) fn explain(&mut self) {
        if self.explanation().is_some() {
            self.pop_overlay();
            return;
        }
        match self.explained() {
            Some(explained) => self.push_overlay(Overlay::Explain(explained)),
            None => self.shared.say("there is nothing under the cursor to explain"),
        }
    }

    /// The explanation of the thing under the cursor; where a view shows of a node only its kind, of that.
    pub(super) fn explained(&self) -> Option<Explained> {
        self.explained_under(self.cover())
    }

    /// The same where `cover` is over the views.
    pub(super) fn explained_under(&self, cover: Option<&Overlay>) -> Option<Explained> {
        let (pages, shared) = (&self.pages, &self.shared);
        let page: &dyn Page = match cover {
            Some(Overlay::Gallery) => &pages.gallery,
            Some(Overlay::Compare) => &pages.compare,
            Some(_) => return None,
            None => pages.at(shared.pane()),
        };
        let is_of_node = cover.is_none() && !shared.is_array();
        page.explained(shared).or_else(|| node(shared).filter(|_| is_of_node))
    }

    /// Lets the explanation on show follow the cursor, and puts a finding there that was gone to.
    pub(super) fn explain_what_is_here(&mut self) {
        if let Some(pinned) = self.shared.pinned.take() {
            self.push_overlay(Overlay::Explain(pinned));
        }
        let Some(before) = self.explanation() else { return };
        if before.pinned {
            if self.shared.view == View::Problems {
                self.overlay = self.under.take();
            }
            return;
        }
        let fresh = self.explained();
        let fresh = fresh.unwrap_or_else(|| Explained::new("nothing to explain here", Vec::new()));
        if let Some(Overlay::Explain(shown)) = &mut self.overlay
            && (&shown.title, &shown.paragraphs, &shown.table)
                != (&fresh.title, &fresh.paragraphs, &fresh.table)
        {
            *shown = fresh;
        }
    }
}

/// A row of the twin columns and what there is to say about it: both cells, what the sign between them means, what
/// its value is made of, what holds for this very array, and the rule.
pub fn of_row(row: &Row, explanation: &Explanation) -> Explained {
    let mut explained = of_row_alone(row, explanation);
    explained.paragraphs.pop();
    explained.paragraphs.push(explanation.source_lines());
    // The pieces of a data type are below its cells already.
    if row.topic == Topic::DataType && explained.table.iter().any(|(label, _)| label == "V3") {
        add_as_stored(row, &mut explained.table);
        return explained;
    }
    let cell = |format: Format| (format.name().to_owned(), start_of(row.cell(format)));
    let cells = if row.v2 == row.v3 {
        vec![("both".to_owned(), start_of(&row.v2))]
    } else {
        vec![cell(Format::V2), cell(Format::V3)]
    };
    // What is a cell already needs no second row, and a cell that is whole in sight none either.
    explained.table.retain(|(_, value)| cells.iter().all(|(_, cell)| cell != value));
    if cells.iter().any(|(_, cell)| cell.width() > NEVER_CUT) {
        explained.table.splice(0..0, cells);
    }
    explained
}

/// A data type that is stored under another name than its registered one: the pieces are of that.
fn add_as_stored(row: &Row, table: &mut Vec<(String, String)>) {
    for format in [Format::V2, Format::V3] {
        let cell = row.cell(format);
        let is_json = cell.starts_with(['"', '{']);
        let at = table.iter().position(|(label, _)| label == format.name());
        if let Some(at) =
            at.filter(|&at| is_json && table.get(at).is_some_and(|(_, it)| it != cell))
        {
            table.insert(at, (format!("{} as stored", format.name()), start_of(cell)));
        }
    }
}

/// A cell, or the start of one of many kilobytes: each frame lays all of it out, and nobody reads so much here.
fn start_of(cell: &str) -> String {
    match cell.char_indices().nth(LONGEST) {
        Some((end, _)) => format!(
            "{} … ({} in all; y copies the row, 4 shows the document)",
            cell.get(..end).unwrap_or_default(),
            words::size(cell.len() as u64)
        ),
        None => cell.to_owned(),
    }
}

/// The same without the cells, for where they are in sight.
pub fn of_row_alone(row: &Row, explanation: &Explanation) -> Explained {
    let notes = explanation.notes.iter().map(|note| safe_owned(&note.text));
    let mut paragraphs: Vec<String> = notes.chain([explanation.rule.clone()]).collect();
    paragraphs.push(explanation.source_line());
    let anatomy = explanation.anatomy.iter().map(|row| (row.label.clone(), row.value.clone()));
    Explained {
        title: format!("{}   {} {}", explanation.title, row.join.sign(), row.join.word()),
        paragraphs,
        table: anatomy.collect(),
        ..Explained::default()
    }
}

/// The node on show.
pub(super) fn node(shared: &Shared) -> Option<Explained> {
    let node = shared.node()?;
    let name = if node.path.0.is_empty() { shared.store_name.clone() } else { node.path.0.clone() };
    let mut paragraphs = vec![match &node.kind {
        NodeKind::Array(array) => format!(
            "A {} array. Its metadata define the elements, the chunk grid and the codecs; each chunk is stored under \
             a key of its own.",
            array.format.name()
        ),
        NodeKind::Group(group) if group.documents.is_empty() => {
            "An implicit group: it has no metadata document and exists because nodes are below it."
                .into()
        }
        NodeKind::Group(group) => format!(
            "A {} group: it contains arrays, other groups and attributes.",
            group.format.name()
        ),
        NodeKind::Folder => "A folder without Zarr metadata. There are stores below it.".into(),
        NodeKind::Broken(error) if error.code.is_limit() => {
            return Some(not_read(safe(&name), error));
        }
        NodeKind::Broken(error) => format!("Unreadable metadata: {}", error.sentences()),
    }];
    if let Some(format) = node.consolidated {
        paragraphs.push(format!(
            "Its metadata is consolidated ({}): one document holds copies of those of the nodes below. Readers that use \
             the copies do not see later changes to the originals.",
            format.name()
        ));
    }
    paragraphs.extend(node.problems.iter().map(|problem| problem.error.sentences()));
    Some(Explained::new(safe(&name), paragraphs))
}

/// The reason why something was not read, which is no fault of the store, and the page on it.
fn not_read(title: impl Into<String>, error: &Error) -> Explained {
    let sections = error.code.page().into_iter().flat_map(FindingPage::sections);
    let table = sections.map(|(label, text)| (label.to_owned(), text)).collect();
    Explained { table, ..Explained::new(title, vec![format!("Not read: {}", error.sentences())]) }
}

/// The chunk on show, or why there is none.
pub(super) fn chunk(current: &CurrentChunk) -> Option<Explained> {
    let shown = match &current.load {
        Load::Idle => return None,
        Load::Pending => {
            let words = "The chunk is being read and decoded. You can use other keys meanwhile.";
            return Some(Explained::new("chunk", vec![words.into()]));
        }
        Load::Failed(error) if error.code.is_limit() => return Some(not_read("chunk", error)),
        Load::Failed(error) => {
            return Some(Explained::new("chunk", vec![error.sentences()]));
        }
        Load::Ready(shown) => shown,
    };
    let chunk = &shown.chunk;
    let title = match (chunk.key.as_str(), chunk.id.inner.as_slice()) {
        ("", _) => "chunk".to_owned(),
        (key, []) => format!("chunk {}", safe(key)),
        (key, _) => format!("inner chunk {}", safe(&chunk.id.name(key))),
    };
    if let Some(error) = chunk.error.as_ref().filter(|error| error.code.is_limit()) {
        return Some(not_read(title, error));
    }
    Some(Explained::new(title, explain::chunk(chunk, &shown.array.fill_value)))
}

/// The byte under the cursor: of an element, of a header, or of what a codec made.
pub(super) fn byte(current: &CurrentChunk) -> Option<Explained> {
    let Some(shown) = current.shown() else { return chunk(current) };
    if shown.chunk.stored.is_none() {
        return chunk(current);
    }
    let at = current.stage;
    let Some(stage) = shown.chunk.stages.get(at) else { return chunk(current) };
    let cursor = current.cursor;
    if let Some(elements) = current.elements() {
        let title = format!("offset {cursor} after the {} codec", safe(&stage.name));
        let mut explained =
            Explained::new(title, explain::byte(elements, cursor, current.position()));
        if elements.element_at(cursor).is_none()
            && let Some(before) = at.checked_sub(1)
            && let ByteTarget::Exact(stored) =
                shown.chunk.follow(at, ByteTarget::Exact(cursor), before)
        {
            explained.paragraphs.extend(fields(shown, before, stored));
        }
        element(current, shown, elements, &mut explained);
        return Some(explained);
    }
    Some(explain_bare_byte(shown, at, stage, cursor))
}

/// Adds what the element under the cursor is made of, and whether it is padding, the fill value or missing.
fn element(current: &CurrentChunk, shown: &Shown, elements: &Elements, explained: &mut Explained) {
    let Some(element) = current.position().and_then(|at| elements.element(at)) else {
        return;
    };
    // A byte between elements, such as a length, is of none of them.
    if !element.bytes.is_empty() && elements.element_at(current.cursor).is_none() {
        return;
    }
    let Ok(value) = &element.value else { return };
    let (data_type, order) = (elements.data_type(), elements.order());
    if shown.is_padding(&element.coordinates) {
        explained.paragraphs.push(PADDING.into());
    } else if data_type.encode(value, order).is_ok_and(|bytes| shown.is_fill(&bytes)) {
        explained.paragraphs.push(FILL.into());
    }
    explained.paragraphs.extend(current.why_meant(value).map(|why| safe_owned(&why)));
    let anatomy = data_type.anatomy(value, order);
    explained.table = anatomy.into_iter().map(|row| (row.label, safe_owned(&row.value))).collect();
}

/// The fields of the header in the output of stage `at` at a byte.
fn fields(shown: &Shown, at: usize, cursor: u64) -> Vec<String> {
    let here = shown.header(at).iter().filter(|field| field.bytes.contains(&cursor));
    here.map(|field| {
        let problem = field.problem.as_ref().map(|why| format!(" {why}.")).unwrap_or_default();
        safe_owned(&format!("{}: {}.{problem}", field.name, field.value))
    })
    .collect()
}

/// A byte of a stage without elements: of a header, a checksum, or what a codec made.
fn explain_bare_byte(shown: &Shown, at: usize, stage: &Stage, cursor: u64) -> Explained {
    let mut paragraphs = fields(shown, at, cursor);
    if shown.checksum(at).is_some_and(|bytes| bytes.contains(&cursor)) {
        paragraphs.push("A byte of the checksum.".into());
    }
    paragraphs.extend(explain::stage(stage));
    let title = match at {
        0 => format!("offset {cursor} in the stored file"),
        _ => format!("offset {cursor} after the {} codec", safe(&stage.name)),
    };
    Explained::new(title, paragraphs)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_of_megabytes_is_begun_and_its_size_is_said() {
        let row = Row::new(Topic::FillValue, "fill value", "0", "1".repeat(3 << 20));
        let explained = of_row(
            &row,
            &Explanation {
                title: "fill value".into(),
                rule: String::new(),
                sources: &[],
                notes: Vec::new(),
                anatomy: Vec::new(),
            },
        );
        let cells: Vec<_> = explained.table.iter().map(|(_, cell)| cell.as_str()).collect();
        assert_eq!(cells[0], "0");
        assert!(
            cells[1].len() < 5_000 && cells[1].contains("1 … (3.0 MiB in all; "),
            "{}",
            cells[1]
        );
    }
}
