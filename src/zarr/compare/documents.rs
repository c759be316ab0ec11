//! The documents of two arrays, row by row.

use crate::zarr::prelude::*;
use crate::zarr::{
    metadata::GroupMetadata,
    spelling::{self, Explanation, Join, Row, Source, Subject, Topic},
};

/// A row of what two documents say.
#[derive(Debug, Clone, PartialEq)]
pub struct DocumentRow {
    /// The subject of the row: `chunk shape`.
    pub label: String,
    /// The first document's form, as it is stored; safe for a terminal.
    pub a: String,
    /// The second document's form.
    pub b: String,
    /// [`Join::Same`], [`Join::Spelled`] (another text of the same meaning) or [`Join::Differs`].
    pub join: Join,
    /// True if it is about how the elements are stored, and not about what they are.
    pub is_layout: bool,
    /// The rule behind it, in whole sentences; empty where both say the same.
    pub rule: String,
    /// The sections that define the rule.
    pub sources: &'static [Source],
}

/// The topics of an array that the rows tell; the other topics follow from these.
const TOPICS: [(Topic, bool); 9] = [
    (Topic::DataType, false),
    (Topic::ByteOrder, true),
    (Topic::FillValue, false),
    (Topic::ChunkShape, true),
    (Topic::Layout, true),
    (Topic::Codecs, true),
    (Topic::ChunkKey, true),
    (Topic::DimensionNames, false),
    (Topic::Attributes, false),
];

/// The documents of two arrays, row by row: the format, the shape, and what the twin columns of each tell.
pub fn documents(a: &ArrayMetadata, b: &ArrayMetadata) -> Vec<DocumentRow> {
    let shape = |array: &ArrayMetadata| {
        array.shape.as_ref().map_or_else(|error: &Error| error.found.clone(), |shape| times(shape))
    };
    let mut rows = vec![
        row("format", a.format.name(), b.format.name(), true),
        row("shape", &shape(a), &shape(b), false),
    ];
    for (told, topic) in rows.iter_mut().zip([Topic::Format, Topic::Shape]) {
        explained(told, &Row::new(topic, &told.label, &told.a, &told.b), a);
    }
    let [of_a, of_b] = [a, b].map(|array| spelling::of(array).rows);
    let find = |rows: &[Row], topic| rows.iter().find(|row| row.topic == topic).cloned();
    for (topic, is_layout) in TOPICS {
        let (Some(x), Some(y)) = (find(&of_a, topic), find(&of_b, topic)) else { continue };
        let mut told = row(&x.label, x.cell(a.format), y.cell(b.format), is_layout);
        if topic == Topic::ChunkKey && [&x, &y].iter().all(|row| row.join != Join::Impossible) {
            // No chunk of one array is one of another with more dimensions.
            let Some((label, keys)) = chunk_keys([a, b]) else { continue };
            (told.label, [told.a, told.b]) = (label, keys);
        }
        let same_meaning = same_meaning(topic, [a, b], [&x, &y]);
        told.join = match (same_meaning, told.a == told.b) {
            (true, true) => Join::Same,
            (true, false) => Join::Spelled,
            (false, _) => Join::Differs,
        };
        if topic == Topic::Attributes && !same_meaning {
            [told.a, told.b] = only_these(&attributes(a), &attributes(b));
        }
        explained(&mut told, &x, a);
        rows.push(told);
    }
    rows
}

/// True if two rows on one topic mean the same, however they are written.
fn same_meaning(topic: Topic, [a, b]: [&ArrayMetadata; 2], [x, y]: [&Row; 2]) -> bool {
    match topic {
        Topic::ChunkKey => true,
        Topic::Attributes => attributes(a) == attributes(b),
        Topic::DimensionNames => names(a) == names(b),
        Topic::FillValue if a.fill_scalar().is_some() && a.fill_scalar() == b.fill_scalar() => true,
        _ if a.format == b.format => x.cell(a.format) == y.cell(b.format),
        _ => x.v2 == y.v2 || x.v3 == y.v3,
    }
}

/// The label of the row of the keys, and the keys: of one chunk that the grids of both have.
fn chunk_keys(arrays: [&ArrayMetadata; 2]) -> Option<(String, [String; 2])> {
    let [of_a, of_b] = arrays.map(ArrayMetadata::chunk_counts);
    let (of_a, of_b) = of_a.zip(of_b).filter(|(a, b)| a.len() == b.len())?;
    let counts: Vec<u64> = of_a.into_iter().zip(of_b).map(|(a, b)| a.min(b)).collect();
    let at = spelling::layout::example_of(&counts);
    let key = |array: &ArrayMetadata| {
        let key = array.known_key_encoding()?.key(&at);
        Some(safe_owned(&key))
    };
    let [a, b] = arrays.map(key);
    Some((format!("chunk key {}", list(&at)), [a?, b?]))
}

/// What two nodes are to each other by their documents.
#[derive(Debug)]
pub enum Documents<'n> {
    /// Two arrays, with their rows: their values can be compared.
    OfArrays(&'n ArrayMetadata, &'n ArrayMetadata, Vec<DocumentRow>),
    /// The rows of nodes that have no values.
    OfGroups(Vec<DocumentRow>),
    /// Nothing that can be compared, for this reason; safe for a terminal.
    Unlike(String),
}

/// Compares what the documents of two nodes say.
pub fn of_nodes([a, b]: [&NodeKind; 2]) -> Documents<'_> {
    match (a, b) {
        (NodeKind::Array(a), NodeKind::Array(b)) => Documents::OfArrays(a, b, documents(a, b)),
        (NodeKind::Group(a), NodeKind::Group(b)) => {
            Documents::OfGroups(group_attributes(a, b).into_iter().collect())
        }
        (NodeKind::Folder, NodeKind::Folder) => Documents::OfGroups(Vec::new()),
        (NodeKind::Broken(error), _) | (_, NodeKind::Broken(error)) => {
            Documents::Unlike(safe_text(&error))
        }
        _ => Documents::Unlike(format!("A is {}, B is {}", a.in_words(), b.in_words())),
    }
}

/// The row of the attributes of two groups, if they differ.
fn group_attributes(a: &GroupMetadata, b: &GroupMetadata) -> Option<DocumentRow> {
    let [a, b] = [a, b].map(|group| members(group.attributes(), |_, value| value.to_line()));
    let [only_a, only_b] = only_these(&a, &b);
    (a != b).then(|| row("attributes", &only_a, &only_b, false))
}

fn row(label: &str, a: &str, b: &str, is_layout: bool) -> DocumentRow {
    let join = if a == b { Join::Same } else { Join::Differs };
    let (label, a, b) = (label.to_owned(), a.to_owned(), b.to_owned());
    DocumentRow { label, a, b, join, is_layout, rule: String::new(), sources: &[] }
}

/// Puts the rule behind `row`, which `array` follows, into what is told of it, where that is not the same on both
/// sides.
fn explained(told: &mut DocumentRow, row: &Row, array: &ArrayMetadata) {
    if told.join != Join::Same {
        let Explanation { rule, sources, .. } = spelling::explain(row, &Subject::of_array(array));
        (told.rule, told.sources) = (rule, sources);
    }
}

/// The dimension names, where there are any.
fn names(array: &ArrayMetadata) -> Option<&Vec<Option<String>>> {
    array.dimension_names.as_ref().filter(|names| names.iter().any(Option::is_some))
}

/// The attributes, sorted, without the one that names dimensions in V2.
fn attributes(array: &ArrayMetadata) -> Vec<(String, String)> {
    let packing = Packing::of(array);
    members(array.attributes(), |key, value| packing.attribute_text(key, value))
}

/// The members of an object of attributes, sorted, without the one that names dimensions in V2.
fn members(
    attributes: Option<&Json>,
    text: impl Fn(&str, &Json) -> String,
) -> Vec<(String, String)> {
    let all = attributes.into_iter().filter_map(Json::as_object).flatten();
    let own = all.filter(|member| member.key != "_ARRAY_DIMENSIONS");
    let mut texts: Vec<_> =
        own.map(|member| (member.key.to_string(), text(&member.key, &member.value))).collect();
    texts.sort();
    texts
}

/// Of each side the members that the other one does not have so.
fn only_these(a: &[(String, String)], b: &[(String, String)]) -> [String; 2] {
    [(a, b), (b, a)].map(|(own, others)| {
        let has_some = !own.is_empty();
        let own = own.iter().filter(|member| !others.contains(member));
        let texts: Vec<_> = own.map(|(key, value)| format!("{key}: {value}")).collect();
        match (texts.is_empty(), has_some) {
            (true, true) => "nothing else".to_owned(),
            (true, false) => spelling::NOTHING.to_owned(),
            (false, _) => safe_owned(&texts.join(", ")),
        }
    })
}
