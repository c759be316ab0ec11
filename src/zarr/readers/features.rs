//! The features of a document that decide who reads it: its members, each reduced to the form by which it was measured.
//!
//! A form is a sentence such as `V3 fill_value of int16: digits in a string`. Each feature has several, from the most
//! specific to the most general, for the table to look up in that order.

use super::{
    attributes, fills,
    forms::{Feature, Features, literal},
    members, pipeline, structs, types,
};
use crate::zarr::prelude::*;
use crate::zarr::{conventions::Convention, store::join};

/// The features of what is at a node; none for a group or a folder.
pub fn features(node: &Node) -> Vec<Feature> {
    let mut found = match met_first(node) {
        NodeKind::Array(array) => of_array(array),
        NodeKind::Broken(error) => of_broken(node, error.code),
        NodeKind::Group(_) | NodeKind::Folder => return Vec::new(),
    };
    let format = node_format(node);
    let mut extra = Features::of(format);
    if node.other.is_some() {
        extra.add("(node)", &["node: documents in both formats"]);
    }
    for problem in &node.problems {
        let code = problem.error.code.as_str();
        match problem.error.code {
            Code::BothFormats => {}
            // Said of the document, or of one that is not met.
            _ if matches!(node.other.as_deref(), Some(NodeKind::Broken(e)) if *e == problem.error) =>
                {}
            // Conventions concern what is made of the values, and not how they are read.
            code if Convention::of(code).is_some() => {}
            Code::ConsolidatedDiffers => {
                let field = problem.error.place.field.as_deref().unwrap_or_default();
                let member = field.rsplit(['.', '/']).next().unwrap_or_default();
                extra.add("(node)", &[format!("node: {code}, {member}"), format!("node: {code}")]);
            }
            _ => extra.add("(node)", &[format!("node: {code}")]),
        }
    }
    if let NodeKind::Array(array) = met_first(node) {
        let own = array.documents.first().map(|document| document.key.as_str());
        if own.is_some_and(|key| key != join(&node.path.0, format.array_document())) {
            extra.add("(node)", &["node: only in consolidated metadata"]);
        }
    }
    found.extend(extra.into_unique());
    found
}

/// The document that readers meet that look for V3 first, be it unreadable.
fn met_first(node: &Node) -> &NodeKind {
    let is_v2 = matches!(&node.kind, NodeKind::Array(array) if array.format == Format::V2);
    let other = node.other.as_deref().filter(|_| is_v2);
    other.filter(|other| matches!(other, NodeKind::Broken(_))).unwrap_or(&node.kind)
}

/// The format of the documents of a node that readers meet first.
pub(super) fn node_format(node: &Node) -> Format {
    let is_v2 = |key: &str| !key.ends_with("zarr.json");
    met_first(node).format().unwrap_or_else(|| {
        let first = node.unreadable.first();
        if first.is_some_and(|document| is_v2(&document.key)) { Format::V2 } else { Format::V3 }
    })
}

/// The features of a document that cannot be read as one.
fn of_broken(node: &Node, code: Code) -> Vec<Feature> {
    let mut out = Features::of(node_format(node));
    let is_empty = node.unreadable.iter().any(|document| document.bytes.is_empty());
    let form = match code {
        _ if is_empty => "document: empty".to_owned(),
        code => format!("document: {}", code.as_str()),
    };
    out.add("(document)", &[form]);
    out.into_unique()
}

/// The features of an array's documents.
fn of_array(array: &ArrayMetadata) -> Vec<Feature> {
    let mut out = Features::of(array.format);
    let Some(root) = array.documents.first().and_then(RawDocument::root) else {
        return Vec::new();
    };
    for document in &array.documents {
        strictness(document, &mut out);
    }
    version(root, &mut out);
    members::shape(array, root, &mut out);
    let class = types::class(array, root, &mut out);
    structs::fields(array, &mut out);
    fills::fill(array, root, &class, &mut out);
    match array.format {
        Format::V2 => members::v2(root, &mut out),
        Format::V3 => members::v3(root, &mut out),
    }
    pipeline::pipeline(array, root, &class, &mut out);
    attributes::attributes(array, root, &mut out);
    others(&array.problems, &mut out);
    out.into_unique()
}

/// The features that a strict JSON reader refuses.
fn strictness(document: &RawDocument, out: &mut Features) {
    for problem in &document.problems {
        let code = problem.error.code;
        let is_free = code == Code::BareNan && problem.severity != Severity::Error;
        let is_attribute = is_free || document.key.ends_with(".zattrs");
        let place = if is_attribute { "attributes" } else { "document" };
        // A bare NaN as the fill value is a form of the fill value.
        if code != Code::BareNan || is_attribute {
            let member = if is_attribute { "attributes" } else { "(document)" };
            let code = code.as_str();
            let key = twice(document).filter(|_| problem.error.code == Code::DuplicateKey);
            out.add(
                member,
                &[
                    format!("{place}: {code} {}", key.unwrap_or_default()),
                    format!("{place}: {code}"),
                ],
            );
        }
    }
}

/// The member that a document has twice.
fn twice(document: &RawDocument) -> Option<&str> {
    let members = document.root()?.as_object()?;
    let again = |at: usize| members[..at].iter().any(|other| other.key == members[at].key);
    (1..members.len().min(64)).find(|at| again(*at)).map(|at| members[at].key.as_str())
}

fn version(root: &Json, out: &mut Features) {
    let form = literal(root.get("zarr_format"));
    out.add("zarr_format", &[format!("zarr_format {form}")]);
    if out.format == Format::V3 && root.get_str("node_type") != Some("array") {
        out.add("node_type", &[format!("node_type {}", literal(root.get("node_type")))]);
    }
}

/// Members of which every form that is no fault is a feature already.
const SPELLED_OUT: [&str; 6] =
    ["dtype", "data_type", "fill_value", "order", "dimension_separator", "chunk_key_encoding"];

/// Faults in members whose forms do not tell them: what was not measured must not pass for harmless.
fn others(problems: &[Problem], out: &mut Features) {
    for problem in problems {
        let place = problem.error.place.field.as_deref().unwrap_or("(document)");
        let member = place.split(['.', '[']).next().unwrap_or_default();
        let is_fault = match problem.severity {
            Severity::Error => true,
            Severity::Warning => matches!(member, "codecs" | "filters" | "compressor"),
            _ => false,
        };
        let is_told = SPELLED_OUT.contains(&member)
            || matches!(
                problem.error.code,
                Code::BareNan | Code::DuplicateKey | Code::ByteOrderMark | Code::UnknownMember
            );
        if is_fault && !is_told && member != "attributes" {
            out.add(place, &[format!("{member}: finding {}", problem.error.code.as_str())]);
        }
    }
}
