//! Facts about what is on show, by name: the tasks of lessons are checked against them.

use super::{Compare, LessonCondition};
use crate::app::prelude::*;

/// Every fact that a task may name, and what it is.
pub const NAMES: &[(&str, &str)] = &[
    ("node", "the path of the node shown, such as ocean/packed"),
    (
        "view",
        "data type, chunks, picture, metadata, problems; overview on a group; data types for the gallery",
    ),
    (
        "focus",
        "the pane that has the keys: tree, view, map; in the gallery: list, dtype, fill value, bytes, bits, rows",
    ),
    ("top", "what is on top: explanation, keys, command, finder, data types; nothing"),
    ("chunk", "the chunk shown: c/0/1, or c/0/0@1,0 for an inner chunk"),
    ("stored", "yes or no: whether that chunk is stored"),
    ("stage", "the stage whose bytes are shown: the name of its codec; file for the stored bytes"),
    ("byte", "the byte under the cursor, counted from 0 in its stage"),
    ("element", "the element under the cursor, by its place in the array: [1,7]"),
    ("value", "its value"),
    ("hex", "its bytes, such as 41 70 00 00"),
    ("orders", "both while both byte orders are shown, else one"),
    ("base", "how values are shown: value, hex, binary"),
    ("inspector", "open or closed"),
    ("checksums", "checked or ignored"),
    ("row", "the row of the data type view under the cursor, such as fill value"),
    ("explained", "the title of the explanation shown"),
    ("line", "the line of the metadata view under the cursor"),
    ("documents", "one, or both while that of the other format is shown too"),
    ("problem", "the code of the finding under the cursor"),
    ("finding", "the node of the finding under the cursor"),
    ("checked", "yes once the check of the node has ended"),
    ("dtype", "what is typed as dtype in the playground"),
    ("fill", "what is typed there as fill value"),
    ("bytes", "what is typed there as bytes"),
    ("bit", "the bit under the cursor there, counted from 0, the least significant"),
];

/// The values of the facts that have only a few.
pub const VALUES: &[(&str, &[&str])] = &[
    ("view", &["data type", "chunks", "picture", "metadata", "problems", "overview", "data types"]),
    ("focus", &["tree", "view", "map", "list", "dtype", "fill value", "bytes", "bits", "rows"]),
    (
        "top",
        &[
            "explanation",
            "keys",
            "command",
            "finder",
            "data types",
            "lessons",
            "comparison",
            "nothing",
        ],
    ),
    ("stored", &["yes", "no"]),
    ("orders", &["one", "both"]),
    ("base", &["value", "hex", "binary"]),
    ("inspector", &["open", "closed"]),
    ("checksums", &["checked", "ignored"]),
    ("documents", &["one", "both"]),
    ("checked", &["yes", "no"]),
];

impl App {
    /// The fact called `name`; empty where there is no such thing on show.
    pub fn fact(&self, name: &str) -> String {
        let chunk = &self.shared.chunk;
        let yes = |is: bool, words: [&str; 2]| words[usize::from(is)].to_owned();
        match name {
            "node" => self.shared.node().map(|node| node.path.0.clone()).unwrap_or_default(),
            "view" => self.view_name().into(),
            "focus" => self.focus_name().into(),
            "top" => self.top_name().into(),
            "orders" => yes(self.pages.chunks.other_order, ["one", "both"]),
            "base" => format!("{:?}", self.pages.chunks.base).to_lowercase(),
            "inspector" => yes(self.pages.chunks.inspector, ["closed", "open"]),
            "checksums" => yes(chunk.ignore_checksums, ["checked", "ignored"]),
            "row" => self
                .pages
                .data_type
                .row()
                .map(|row| row.label.trim().to_owned())
                .unwrap_or_default(),
            "explained" => self.explanation().map(|it| it.title.clone()).unwrap_or_default(),
            "line" => self
                .pages
                .metadata
                .line()
                .map(|line| line.text.trim().to_owned())
                .unwrap_or_default(),
            "documents" => yes(self.pages.metadata.show_other, ["one", "both"]),
            "problem" => self.finding(|(_, problem)| problem.error.code.to_string()),
            "finding" => self.finding(|(node, _)| node.0.clone()),
            "checked" => yes(matches!(self.pages.problems.summary, Load::Ready(_)), ["no", "yes"]),
            "dtype" => self.pages.gallery.data_type.text(),
            "fill" => self.pages.gallery.fill_value.text(),
            "bytes" => self.pages.gallery.bytes.text(),
            "bit" => self.bit().unwrap_or_default(),
            _ => self.fact_of_chunk(name),
        }
    }

    /// The fact about the finding under the cursor.
    fn finding(&self, told: impl Fn(&(NodePath, Problem)) -> String) -> String {
        self.pages.problems.selected().map(told).unwrap_or_default()
    }

    /// A fact about the chunk on show.
    fn fact_of_chunk(&self, name: &str) -> String {
        let chunk = &self.shared.chunk;
        let Some(shown) = chunk.shown() else { return String::new() };
        let stage = || shown.data(chunk.stage)?.elements().zip(chunk.position());
        match name {
            "chunk" => {
                let name = shown.chunk.id.name(&shown.chunk.key);
                let key = name.strip_prefix(shown.path.0.as_str()).unwrap_or(&name);
                key.trim_start_matches('/').to_owned()
            }
            "stored" => if shown.chunk.is_missing() { "no" } else { "yes" }.into(),
            "stage" => {
                shown.chunk.stages.get(chunk.stage).map(|it| it.name.clone()).unwrap_or_default()
            }
            "byte" => chunk.cursor.to_string(),
            "element" => stage().map_or_else(String::new, |(elements, at)| {
                list(&shown.in_array(&elements.coordinates(at)))
            }),
            "value" => chunk.value_text().unwrap_or_default(),
            "hex" => stage().map_or_else(String::new, |(elements, at)| {
                let bytes = elements.bytes().get(elements.byte_range(at)).unwrap_or_default();
                crate::zarr::words::hex(bytes, " ")
            }),
            _ => String::new(),
        }
    }

    fn view_name(&self) -> &'static str {
        if self.shows_gallery() {
            "data types"
        } else if self.shared.shows_overview() && self.shared.view == View::DataType {
            "overview"
        } else {
            self.shared.view.name()
        }
    }

    fn focus_name(&self) -> &'static str {
        match (self.shows_gallery(), self.shared.focus) {
            (true, _) => match self.pages.gallery.part {
                GalleryPart::List => "list",
                GalleryPart::DataType => "dtype",
                GalleryPart::FillValue => "fill value",
                GalleryPart::Bytes => "bytes",
                GalleryPart::Bits => "bits",
                GalleryPart::Rows => "rows",
            },
            (_, Focus::Tree) => "tree",
            (_, Focus::View) => "view",
            (_, Focus::Map) => "map",
        }
    }

    fn top_name(&self) -> &'static str {
        match &self.overlay {
            None => "nothing",
            Some(Overlay::Explain(_)) => "explanation",
            Some(Overlay::Help(_)) => "keys",
            Some(Overlay::Prompt(_)) => "command",
            Some(Overlay::Finder(_)) => "finder",
            Some(Overlay::Gallery) => "data types",
            Some(Overlay::Lessons(_)) => "lessons",
            Some(Overlay::Compare) => "comparison",
            Some(Overlay::Requests(_)) => "requests",
        }
    }

    fn bit(&self) -> Option<String> {
        let element = self.pages.gallery.element.as_ref().ok()?;
        Some((element.here()?.bits() - 1).checked_sub(element.bit)?.to_string())
    }

    /// True if all of these hold.
    pub fn holds(&self, conditions: &[LessonCondition]) -> bool {
        conditions.iter().all(|condition| {
            let fact = self.fact(condition.fact);
            match condition.compare {
                Compare::Is => fact == condition.text,
                Compare::Has => fact.contains(&condition.text),
                Compare::IsNot => fact != condition.text,
            }
        })
    }
}
