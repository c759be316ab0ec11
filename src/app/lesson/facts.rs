//! Facts about what is on show, by name: the tasks of lessons are checked against them.

use super::{Compare, LessonCondition};
use crate::app::prelude::*;

/// A fact that a task may name.
#[derive(Debug)]
pub struct Fact {
    /// Its name.
    pub name: &'static str,
    /// What it is.
    pub help: &'static str,
    /// All that it can be, where that is a few words.
    pub values: &'static [&'static str],
    of: fn(&App) -> String,
}

macro_rules! facts {
    ($($name:literal $([$($value:literal),+])?, $of:expr, $help:literal;)+) => {
        /// All facts.
        pub const FACTS: &[Fact] = &[$(Fact {
            name: $name,
            help: $help,
            values: &[$($($value),+)?],
            of: $of,
        }),+];
    };
}

facts! {
    "node", |app| app.shared.node().map(|node| node.path.0.clone()).unwrap_or_default(),
        "the path of the node shown, such as ocean/packed";
    "view" ["data type", "chunks", "picture", "metadata", "problems", "overview", "data types"],
        view,
        "data type, chunks, picture, metadata, problems; overview on a group; data types for the gallery";
    "focus" ["tree", "view", "map", "list", "dtype", "fill value", "bytes", "bits", "rows"],
        focus,
        "the pane that has the keys: tree, view, map; in the gallery: list, dtype, fill value, bytes, bits, rows";
    "top" ["explanation", "keys", "command", "finder", "data types", "lessons", "comparison", "nothing"],
        top,
        "what is on top: explanation, keys, command, finder, data types; nothing";
    "chunk", |app| of_chunk(app, |_, shown| {
            let name = shown.chunk.id.name(&shown.chunk.key);
            let key = name.strip_prefix(shown.path.0.as_str()).unwrap_or(&name);
            Some(key.trim_start_matches('/').to_owned())
        }),
        "the chunk shown: c/0/1, or c/0/0@1,0 for an inner chunk";
    "stored" ["yes", "no"],
        |app| of_chunk(app, |_, shown| Some(one_of(shown.chunk.is_missing(), ["yes", "no"]))),
        "yes or no: whether that chunk is stored";
    "stage", |app| of_chunk(app, |chunk, shown| Some(shown.chunk.stages.get(chunk.stage)?.name.clone())),
        "the stage whose bytes are shown: the name of its codec; file for the stored bytes";
    "byte", |app| of_chunk(app, |chunk, _| Some(chunk.cursor.to_string())),
        "the byte under the cursor, counted from 0 in its stage";
    "element", |app| of_chunk(app, |chunk, shown| {
            Some(list(&shown.in_array(&chunk.elements()?.coordinates(chunk.position()?))))
        }),
        "the element under the cursor, by its place in the array: [1,7]";
    "value", |app| of_chunk(app, |chunk, _| chunk.value_text()), "its value";
    "hex", |app| of_chunk(app, |chunk, _| {
            let (elements, at) = (chunk.elements()?, chunk.position()?);
            let bytes = elements.bytes().get(elements.byte_range(at)).unwrap_or_default();
            Some(words::hex(bytes, " "))
        }),
        "its bytes, such as 41 70 00 00";
    "orders" ["one", "both"], |app| one_of(app.pages.chunks.other_order, ["one", "both"]),
        "both while both byte orders are shown, else one";
    "base" ["value", "hex", "binary"], |app| format!("{:?}", app.pages.chunks.base).to_lowercase(),
        "how values are shown: value, hex, binary";
    "inspector" ["open", "closed"], |app| one_of(app.pages.chunks.inspector, ["closed", "open"]),
        "open or closed";
    "checksums" ["checked", "ignored"],
        |app| one_of(app.shared.chunk.ignore_checksums, ["checked", "ignored"]),
        "checked or ignored";
    "row", |app| app.pages.data_type.row().map(|row| row.label.trim().to_owned()).unwrap_or_default(),
        "the row of the data type view under the cursor, such as fill value";
    "explained", |app| app.explanation().map(|it| it.title.clone()).unwrap_or_default(),
        "the title of the explanation shown";
    "line", |app| app.pages.metadata.line().map(|line| line.text.trim().to_owned()).unwrap_or_default(),
        "the line of the metadata view under the cursor";
    "documents" ["one", "both"], |app| one_of(app.pages.metadata.show_other, ["one", "both"]),
        "one, or both while that of the other format is shown too";
    "problem", |app| app.pages.problems.selected().map(|it| it.1.error.code.to_string()).unwrap_or_default(),
        "the code of the finding under the cursor";
    "finding", |app| app.pages.problems.selected().map(|it| it.0.0.clone()).unwrap_or_default(),
        "the node of the finding under the cursor";
    "checked" ["yes", "no"],
        |app| one_of(matches!(app.pages.problems.summary, Load::Ready(_)), ["no", "yes"]),
        "yes once the check of the node has ended";
    "dtype", |app| app.pages.gallery.data_type.text(), "what is typed as dtype in the playground";
    "fill", |app| app.pages.gallery.fill_value.text(), "what is typed there as fill value";
    "bytes", |app| app.pages.gallery.bytes.text(), "what is typed there as bytes";
    "bit", |app| bit(app).unwrap_or_default(),
        "the bit under the cursor there, counted from 0, the least significant";
}

impl Fact {
    /// The fact of this name.
    pub fn named(name: &str) -> Option<&'static Self> {
        FACTS.iter().find(|fact| fact.name == name)
    }
}

impl App {
    /// A fact by its name; empty where there is nothing of its kind.
    pub fn fact(&self, name: &str) -> String {
        Fact::named(name).map(|fact| (fact.of)(self)).unwrap_or_default()
    }

    /// True if all of these hold.
    pub fn holds(&self, conditions: &[LessonCondition]) -> bool {
        conditions.iter().all(|condition| {
            let fact = (condition.fact.of)(self);
            match condition.compare {
                Compare::Is => fact == condition.text,
                Compare::Has => fact.contains(&condition.text),
                Compare::IsNot => fact != condition.text,
            }
        })
    }
}

/// The first of two words, or the second where it is so.
fn one_of(is_so: bool, words: [&str; 2]) -> String {
    words[usize::from(is_so)].to_owned()
}

/// A fact about the chunk on show.
fn of_chunk(app: &App, told: fn(&CurrentChunk, &Shown) -> Option<String>) -> String {
    let chunk = &app.shared.chunk;
    chunk.shown().and_then(|shown| told(chunk, shown)).unwrap_or_default()
}

fn view(app: &App) -> String {
    let shows_overview = app.shared.shows_overview() && app.shared.view == View::DataType;
    match (app.shows_gallery(), shows_overview) {
        (true, _) => "data types",
        (false, true) => "overview",
        (false, false) => app.shared.view.name(),
    }
    .to_owned()
}

fn focus(app: &App) -> String {
    match (app.shows_gallery(), app.shared.focus) {
        (true, _) => match app.pages.gallery.part {
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
    .to_owned()
}

fn top(app: &App) -> String {
    match &app.overlay {
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
    .to_owned()
}

fn bit(app: &App) -> Option<String> {
    let element = app.pages.gallery.element.as_ref().ok()?;
    Some((element.here()?.bits() - 1).checked_sub(element.bit)?.to_string())
}
