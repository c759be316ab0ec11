//! `K`: what is under the cursor, in a few sentences.

use super::{
    App, Load, Overlay, Scroll, View, chunks::Shown, context::Focus, gallery::GalleryPart,
};
use crate::zarr::{
    Error,
    chunk::Stage,
    codec::Elements,
    data_type::AnatomyRow,
    explain,
    format::Format,
    hierarchy::NodeKind,
    spelling::{self, Explanation, Row, Topic, values},
    text::safe,
};

/// What an element behind the array's edge is.
const PADDING: &str = "It lies behind the array's edge. Every chunk of a regular grid is stored in full, so the last ones hold \
                       more than the array; what they hold there counts for nothing.";
/// What a dot among the values is.
const FILL: &str = "It equals the fill value, for which the values show a dot: either it was written so, or nothing was \
                    written here while something else in the chunk was.";

/// An explanation that lies over the view.
#[derive(Debug, Clone, Default)]
pub struct Explained {
    /// What is explained.
    pub title: String,
    /// The paragraphs.
    pub paragraphs: Vec<String>,
    /// Pairs of label and value that belong to it.
    pub table: Vec<(String, String)>,
    /// The first line on show.
    pub scroll: Scroll,
}

impl Explained {
    fn new(title: impl Into<String>, paragraphs: Vec<String>) -> Self {
        Self { title: title.into(), paragraphs, ..Self::default() }
    }
}

/// A row of the twin columns and what there is to say about it: both cells, what the sign between them means, what
/// its value is made of, what holds for this very array, and the rule.
#[must_use]
pub fn of_row(row: &Row, explanation: &Explanation) -> Explained {
    let mut explained = of_row_alone(row, explanation);
    // The pieces of a data type stand below its cells already.
    if row.topic == Topic::DataType && explained.table.iter().any(|(label, _)| label == "V3") {
        return explained;
    }
    let cell = |format: Format| (format.name().to_owned(), row.cell(format).to_owned());
    let cells = if row.v2 == row.v3 {
        vec![("both".to_owned(), row.v2.clone())]
    } else {
        vec![cell(Format::V2), cell(Format::V3)]
    };
    explained.table.splice(0..0, cells);
    explained
}

/// The same without the cells, for where they are in sight.
#[must_use]
pub fn of_row_alone(row: &Row, explanation: &Explanation) -> Explained {
    let notes = explanation.notes.iter().map(|note| safe(&note.text).into_owned());
    let mut paragraphs: Vec<String> = notes.chain([explanation.rule.clone()]).collect();
    if !explanation.source.is_empty() {
        paragraphs.push(format!("Written in: {}", explanation.source));
    }
    let anatomy = explanation.anatomy.iter().map(|row| (row.label.clone(), row.value.clone()));
    Explained {
        title: format!("{}   {} {}", explanation.title, row.join.sign(), row.join.word()),
        paragraphs,
        table: anatomy.collect(),
        scroll: Scroll::default(),
    }
}

/// An error as a sentence.
fn sentence(error: &Error) -> String {
    let text = safe(&error.to_string()).into_owned();
    format!("{}.", text.trim_end_matches('.'))
}

impl App {
    pub(super) fn explain(&mut self) {
        let explained = match (&self.overlay, self.focus, self.view) {
            (Some(Overlay::Gallery), ..) => self.explain_card(),
            (_, Focus::Tree, _) => self.explain_node(),
            (_, Focus::Map, View::Chunks) => self.explain_chunk(),
            (_, _, View::DataType) => self.explain_row(),
            (_, _, View::Chunks | View::Picture) => self.explain_byte(),
            (_, _, View::Metadata) => self.explain_field(),
            (_, _, View::Problems) => self.explain_problem(),
        };
        match explained {
            Some(explained) => self.push_overlay(Overlay::Explain(explained)),
            None => self.say("there is nothing under the cursor to explain"),
        }
    }

    fn explain_row(&self) -> Option<Explained> {
        Some(of_row(self.data_type.row()?, &self.data_type.explanation()?))
    }

    /// A row of the playground; else the data type under the cursor of the list: its names, what an element is.
    fn explain_card(&self) -> Option<Explained> {
        if self.gallery.part == GalleryPart::Rows {
            let (subject, row) = self.gallery.selected_row()?;
            return Some(of_row(row, &spelling::explain(row, subject)));
        }
        let card = self.gallery.selected()?;
        let subject = super::gallery::subject_of(card)?;
        let mut explained = Explained::new(card.name.clone(), Vec::new());
        let rows = values::rows(&subject);
        let told = |topic: Topic| rows.iter().find(|row| row.topic == topic);
        for row in [Topic::DataType, Topic::Element].into_iter().filter_map(told) {
            let part = of_row_alone(row, &spelling::explain(row, &subject));
            explained.table.extend(part.table);
            explained.paragraphs.extend(part.paragraphs);
        }
        explained.paragraphs.retain(|text| !text.starts_with("Written in: "));
        Some(explained)
    }

    fn explain_node(&self) -> Option<Explained> {
        let node = self.node()?;
        let name =
            if node.path.0.is_empty() { self.store_name.clone() } else { node.path.0.clone() };
        let mut paragraphs = vec![match &node.kind {
            NodeKind::Array(array) => format!(
                "A {} array. Its document says what its elements are, how it is cut into chunks, and how each chunk became bytes; the chunks are files of their own.",
                array.format.name()
            ),
            NodeKind::Group(group) if group.documents.is_empty() => {
                "A group that no document names: it exists because something lies below it.".into()
            }
            NodeKind::Group(group) => format!(
                "A {} group: it holds arrays and other groups, and attributes.",
                group.format.name()
            ),
            NodeKind::Folder => {
                "A folder without Zarr documents of its own. Stores lie below it.".into()
            }
            NodeKind::Broken(error) => {
                format!("A document that cannot be read: {}", sentence(error))
            }
        }];
        if let Some(format) = node.consolidated {
            paragraphs.push(format!(
                "Its metadata is consolidated ({}): one document repeats those of all nodes below. Readers that use it do not see later changes of the single documents.",
                format.name()
            ));
        }
        if node.other.is_some() {
            paragraphs.push("Both V2 and V3 documents lie here. Readers differ in which they take; the V3 one is shown.".into());
        }
        paragraphs.extend(node.problems.iter().map(|problem| sentence(&problem.error)));
        Some(Explained::new(safe(&name), paragraphs))
    }

    fn explain_chunk(&self) -> Option<Explained> {
        let shown = match &self.chunks.load {
            Load::Idle => return None,
            Load::Pending => {
                let words = "The chunk is being read and decoded. Other keys work meanwhile.";
                return Some(Explained::new("chunk", vec![words.into()]));
            }
            Load::Failed(error) => {
                return Some(Explained::new("chunk", vec![sentence(error)]));
            }
            Load::Ready(shown) => shown,
        };
        Some(Explained::new(
            format!("chunk {}", safe(&shown.chunk.key)),
            explain::chunk(&shown.chunk),
        ))
    }

    /// The byte under the cursor: of an element, of a header, or of what a codec made.
    fn explain_byte(&self) -> Option<Explained> {
        let Some(shown) = self.chunks.shown() else { return self.explain_chunk() };
        if shown.chunk.stored.is_none() {
            return self.explain_chunk();
        }
        let at = self.chunks.stage;
        let Some(stage) = shown.chunk.stages.get(at) else { return self.explain_chunk() };
        let cursor = self.chunks.cursor;
        if let Some(elements) = shown.data(at).and_then(|data| data.elements()) {
            let title = format!("byte {cursor} after {}", safe(&stage.name));
            let mut explained = Explained::new(title, explain::byte(elements, cursor));
            self.explain_element(shown, elements, &mut explained);
            return Some(explained);
        }
        Some(explain_bare_byte(shown, at, stage, cursor))
    }

    /// Adds what the element under the cursor is made of, and whether it is padding or the fill value.
    fn explain_element(&self, shown: &Shown, elements: &Elements, explained: &mut Explained) {
        let Some(element) = self.chunks.position().and_then(|at| elements.element(at)) else {
            return;
        };
        let Ok(value) = &element.value else { return };
        let (data_type, order) = (elements.data_type(), elements.order());
        if shown.is_padding(&element.coordinates) {
            explained.paragraphs.push(PADDING.into());
        } else if data_type.encode(value, order).is_ok_and(|bytes| shown.is_fill(&bytes)) {
            explained.paragraphs.push(FILL.into());
        }
        let anatomy = data_type.anatomy(value, order);
        let row = |row: AnatomyRow| (row.label, safe(&row.value).into_owned());
        explained.table = anatomy.into_iter().map(row).collect();
    }

    /// The member that the line belongs to; of a brace or a name of a document, the document.
    fn explain_field(&self) -> Option<Explained> {
        let line = self.metadata.line()?;
        let format = match &self.node()?.kind {
            NodeKind::Array(array) => array.format,
            NodeKind::Group(group) => group.format,
            NodeKind::Folder | NodeKind::Broken(_) => Format::V3,
        };
        let document = self.metadata.key().unwrap_or_default();
        let of_attributes = document.ends_with(".zattrs");
        let lesson = match line.field.as_str() {
            "" => None,
            _ if of_attributes => explain::field(Format::V3, "attributes"),
            field => explain::field(format, field),
        };
        let title = if lesson.is_some() { line.field.clone() } else { document.to_owned() };
        let lesson = lesson.unwrap_or_else(|| explain::document(document)).to_owned();
        let faults =
            line.faults.iter().map(|fault| format!("{}.", fault.words.trim_end_matches('.')));
        Some(Explained::new(title, std::iter::once(lesson).chain(faults).collect()))
    }

    fn explain_problem(&self) -> Option<Explained> {
        let (_, problem) = self.problems.selected()?;
        let error = &problem.error;
        let text = |text: &str| safe(text).into_owned();
        let mut explained = Explained::new(
            format!("{}: {}", problem.severity.word(), error.code),
            error.fix.iter().map(|fix| text(fix)).collect(),
        );
        explained.table = vec![
            ("where".into(), text(&error.place.to_string())),
            ("found".into(), text(&error.found)),
            ("expected".into(), text(&error.expected)),
        ];
        Some(explained)
    }
}

/// A byte of a stage without elements: of a header, a checksum, or what a codec made.
fn explain_bare_byte(shown: &Shown, at: usize, stage: &Stage, cursor: u64) -> Explained {
    let mut paragraphs = Vec::new();
    for field in shown.header(at).iter().filter(|field| field.bytes.contains(&cursor)) {
        let problem = field.problem.as_ref().map(|why| format!(" {why}.")).unwrap_or_default();
        paragraphs.push(safe(&format!("{}: {}.{problem}", field.name, field.value)).into_owned());
    }
    if shown.checksum(at).is_some_and(|bytes| bytes.contains(&cursor)) {
        paragraphs.push("A byte of the checksum.".into());
    }
    paragraphs.extend(explain::stage(stage));
    Explained::new(format!("byte {cursor} after {}", safe(&stage.name)), paragraphs)
}
