//! A node, or a group, with documents of both formats.

use crate::zarr::prelude::*;
use crate::zarr::store::join;

/// Attributes that each format has in its own way.
const OWN: [&str; 2] = ["_ARRAY_DIMENSIONS", "_FillValue"];

/// The number of names in a sentence.
const NAMED: usize = 3;

/// Two documents for one folder: a matter of who reads which, and worse where they do not say the same.
pub(super) fn both(path: &NodePath, v3: &NodeKind, v2: &NodeKind) -> Problem {
    let (in_v3, in_v2) = (outline(v3), outline(v2));
    let same = in_v3 == in_v2;
    let unread = [v3, v2].map(|kind| kind.error().is_some());
    let differing = if unread == [false; 2] { differing(v3, v2.attributes()) } else { Vec::new() };
    let mut found = if same {
        format!("{in_v3} in both V3 and V2")
    } else {
        format!("{in_v3} in V3 and {in_v2} in V2")
    };
    if !differing.is_empty() {
        found = format!(
            "{found}, with attributes that differ in {}",
            some(&differing, differing.len() as u64)
        );
    }
    let error = Error::new(Code::BothFormats, found, "metadata in one format");
    let shown = if unread == [true, false] { Format::V2 } else { Format::V3 };
    let fix = format!(
        "{} is shown. Readers differ in which one they use: remove the outdated documents.",
        shown.name()
    );
    let error = error.in_file(join(&path.0, "zarr.json")).with_fix(fix);
    // That a document cannot be read is an error of its own.
    let is_minor = same || unread != [false; 2];
    let severity = if is_minor { Severity::Warning } else { Severity::Error };
    Problem::new(error).with_severity(severity)
}

/// The outline of a node, as far as two formats can agree on it.
fn outline(kind: &NodeKind) -> String {
    match kind {
        NodeKind::Array(array) => {
            let shape = array.shape.as_ref().map(|shape| format!(" and shape {shape:?}"));
            let data_type = array.data_type().map(|data_type| data_type.name());
            let data_type = data_type.unwrap_or_else(|| "an unknown data type".into());
            format!("an array of {data_type}{}", shape.unwrap_or_default())
        }
        NodeKind::Group(_) | NodeKind::Folder => "a group".into(),
        NodeKind::Broken(_) => "unreadable metadata".into(),
    }
}

/// The attributes of V2 that the V3 node has not, or has with another value.
fn differing<'a>(v3: &NodeKind, v2: Option<&'a Json>) -> Vec<&'a str> {
    let own = v3.attributes();
    let members = v2.and_then(Json::as_object).unwrap_or_default().iter();
    let differs = |key: &str, value: &Json| {
        own.and_then(|own| own.get(key)).is_none_or(|own| own.strict() != value.strict())
    };
    let keys = members.filter(|member| differs(&member.key, &member.value));
    keys.map(|member| member.key.as_str()).filter(|key| !OWN.contains(key)).collect()
}

/// The warning that a `.zattrs` alone was left beside `zarr.json`, and says something else.
pub(super) fn left_attributes(v3: &NodeKind, zattrs: &RawDocument) -> Option<Problem> {
    let differing = differing(v3, zattrs.root());
    if differing.is_empty() || v3.error().is_some() {
        return None;
    }
    let text = format!(
        "a .zattrs beside zarr.json, which differs from its attributes in {}",
        some(&differing, differing.len() as u64)
    );
    let error = Error::new(Code::BothFormats, text.clone(), "metadata in one format").saying(text);
    let fix = "Readers of V3 ignore it. Bring what is right in it into the attributes of zarr.json, then remove it.";
    let error = error.in_file(&zattrs.key).with_fix(fix);
    Some(Problem::new(error).with_severity(Severity::Warning))
}

/// The first of so many names, and how many more there are.
fn some(names: &[impl AsRef<str>], count: u64) -> String {
    let first = names.iter().take(NAMED).map(|name| quoted(name.as_ref()));
    let first = first.joined(", ");
    let more = count.saturating_sub(NAMED as u64);
    if more > 0 { format!("{first} and {more} more") } else { first }
}

/// The groups that a walk is in, each with the nodes that are not of its format.
#[derive(Default)]
pub(in crate::zarr) struct MixedGroups(Vec<MixedGroup>);

struct MixedGroup {
    path: NodePath,
    document: String,
    /// The format that nodes in it need.
    format: Format,
    is_of_both: bool,
    /// True if a node in it has documents of both formats.
    holds_both: bool,
    nodes: u64,
    others: u64,
    /// The first of the others.
    named: Vec<String>,
}

impl MixedGroups {
    /// Takes in a node of a walk, parents first, and gives the findings of the groups that are left before it.
    pub(in crate::zarr) fn enter(&mut self, node: &Node) -> Vec<(NodePath, Problem)> {
        let found = self.leave(Some(&node.path));
        let document = |format| {
            let of_it = node.kinds().filter(|kind| kind.format() == Some(format));
            let mut keys = of_it.filter_map(|kind| Some(&kind.documents().first()?.key));
            // What only a copy describes is elsewhere.
            keys.find(|key| key.rsplit_once('/').map_or("", |(folder, _)| folder) == node.path.0)
        };
        let (v2, v3) = (document(Format::V2), document(Format::V3));
        let parent = node.path.parent();
        if let Some(group) = self.0.last_mut().filter(|it| Some(&it.path) == parent.as_ref()) {
            let is_other = if group.format == Format::V3 { v3.is_none() } else { v2.is_none() };
            let is_node = v2.is_some() || v3.is_some();
            group.nodes += u64::from(is_node);
            group.holds_both |= v2.is_some() && v3.is_some();
            group.others += u64::from(is_node && is_other);
            if is_node && is_other && group.named.len() < NAMED {
                group.named.push(node.path.name().to_owned());
            }
        }
        if let (NodeKind::Group(_), Some(document)) = (&node.kind, v3.or(v2)) {
            self.0.push(MixedGroup {
                path: node.path.clone(),
                document: document.clone(),
                format: if v3.is_some() { Format::V3 } else { Format::V2 },
                is_of_both: v2.is_some() && v3.is_some(),
                holds_both: false,
                nodes: 0,
                others: 0,
                named: Vec::new(),
            });
        }
        found
    }

    /// The findings of the groups that `next` is not in.
    pub(in crate::zarr) fn leave(&mut self, next: Option<&NodePath>) -> Vec<(NodePath, Problem)> {
        let mut found = Vec::new();
        let is_left = |group: &mut MixedGroup| next.is_none_or(|next| !group.path.holds(next));
        while let Some(group) = self.0.pop_if(is_left) {
            found.extend(group.problem().map(|problem| (group.path, problem)));
        }
        found
    }
}

impl MixedGroup {
    fn problem(&self) -> Option<Problem> {
        let (own, other) = (self.format.name(), self.format.other().name());
        let text = format!(
            "{} of {} in this group of {} {} of {other} only: {}",
            self.others,
            counted(self.nodes, "node"),
            if self.is_of_both { "both formats" } else { own },
            if self.others == 1 { "is" } else { "are" },
            some(&self.named, self.others)
        );
        let fix = format!(
            "Readers of {own}, such as zarr-python 3.4.2, list only nodes of {own} there. A conversion that stops early \
             leaves such groups: convert the rest."
        );
        // Without a trace of a conversion, the formats may be mixed on purpose.
        let is_half = self.is_of_both || self.holds_both;
        let severity = if is_half { Severity::Warning } else { Severity::Note };
        let error = Error::new(Code::BothFormats, text.clone(), "nodes of one format").saying(text);
        let error = error.in_file(&self.document).with_fix(fix);
        (self.others > 0).then(|| Problem::new(error).with_severity(severity))
    }
}
