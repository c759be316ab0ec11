//! HDMF, the format of NWB files: links and references in attributes, which are paths to other nodes.
//!
//! The behaviour of the program was seen by running hdmf-zarr 0.14.0.

use super::prelude::*;

/// The attributes with the links of a group: those of hdmf-zarr since 0.14, and before.
const LINKS: [&str; 2] = ["_LINKS", "zarr_link"];
/// The number of links and of references that are looked at.
const MOST: usize = 200;

/// The paths in the same file that attributes point to, with the members that have them.
fn targets<'a>(attributes: &Attributes<'a>) -> Vec<(String, &'a Json)> {
    let links = LINKS.iter().filter_map(|name| Some((*name, attributes.get(name)?.as_array()?)));
    let links = links.flat_map(|(name, links)| {
        links.iter().enumerate().map(move |(at, link)| (format!("{name}[{at}]"), link))
    });
    let members = attributes.json.as_object().unwrap_or_default().iter();
    let references = members.filter_map(|member| {
        let is_reference = member.value.get_str("zarr_dtype") == Some("object");
        let old = member.value.get("value").filter(|_| is_reference);
        let name = if old.is_some() { "value" } else { "_REFERENCE" };
        let target = old.or_else(|| member.value.get("_REFERENCE"))?;
        Some((format!("{}.{name}", member.key), target))
    });
    let is_here = |target: &Json| target.get_str("source") == Some(".");
    let all = links.chain(references).filter(|(_, target)| is_here(target)).take(MOST);
    all.filter_map(|(field, target)| Some((format!("{field}.path"), target.get("path")?))).collect()
}

/// The note on links into other stores by the path of a machine.
fn elsewhere(attributes: &Attributes) -> Option<Problem> {
    let (name, links) =
        LINKS.iter().find_map(|name| Some((*name, attributes.get(name)?.as_array()?)))?;
    let (at, json, source) = links.iter().take(MOST).enumerate().find_map(|(at, link)| {
        let json = link.get("source")?;
        Some((at, json, json.as_str().filter(|source| source.starts_with('/'))?))
    })?;
    let field = format!("{name}[{at}].source");
    let sentence = format!("a link leads into another store, {}", quoted(source));
    let fix = "Where that path does not exist, as on another machine, the data are not there. zarrscope does not look.";
    Some(note(with_fix(attributes.told(Code::HdmfLink, (&field, json), sentence), fix)))
}

/// True if attributes have links or references, or those of a table.
pub(super) fn is_declared(kind: &NodeKind) -> bool {
    Attributes::of(kind).is_some_and(|attributes| {
        LINKS.iter().any(|name| attributes.has(name))
            || !targets(&attributes).is_empty()
            || attributes.has("colnames") && attributes.has("neurodata_type")
    })
}

/// The finding on a table with a column that is listed and not there, or the other way round, or that has not a row for each `id`.
fn table(hierarchy: &Hierarchy, path: &NodePath, attributes: &Attributes) -> Option<Problem> {
    let json = attributes.get("colnames")?;
    let listed = json.as_array()?;
    let (mut columns, mut lost, mut left) = (HashMap::new(), None, MOST);
    // What cannot be listed is told where it is listed.
    let _ = hierarchy.visit_children(path, &mut |child| {
        let rows = child.kind.array().and_then(|it| it.known_shape()?.first().copied());
        let name = child.path.name();
        let kind = child.kind.attributes().and_then(|it| it.get_str("neurodata_type"));
        let is_listed = listed.iter().any(|it| it.as_str() == Some(name));
        if kind == Some("VectorData") && !is_listed && !name.ends_with("_elements") {
            lost = lost.take().or_else(|| Some(quoted(name)));
        }
        columns.insert(name.to_owned(), rows);
        left -= 1;
        left > 0
    });
    let linked = LINKS.iter().filter_map(|name| attributes.get(name)?.as_array());
    let linked: HashSet<&str> = linked.flatten().filter_map(|link| link.get_str("name")).collect();
    let count = columns.get("id").copied().flatten();
    let sentence = listed.iter().filter_map(Json::as_str).find_map(|name| {
        let Some(own) = columns.get(name) else {
            let sentence =
                format!("colnames has {}, and the table has no such column", quoted(name));
            return (!linked.contains(name)).then_some(sentence);
        };
        // The rows of a ragged column are those of its last index.
        let index = ["_index_index", "_index"]
            .iter()
            .find_map(|end| *columns.get(&format!("{name}{end}"))?);
        let (rows, count) = (index.or(*own)?, count?);
        let rows = (rows != count).then(|| counted(rows, "row"))?;
        Some(format!("the column {} has {rows}, and \"id\" has {}", quoted(name), grouped(count)))
    });
    let told = |sentence| attributes.told(Code::RelatedValues, ("colnames", json), sentence);
    let unlisted = || {
        let sentence = format!("the table has a column {}, which colnames does not list", lost?);
        Some(note(with_fix(told(sentence), "pynwb 4.2.0 does not see it.")))
    };
    sentence.map(told).or_else(unlisted).filter(|_| left > 0)
}

/// The root of the file that a node is in: the highest group, which may be one of several in a folder.
pub(super) fn root(hierarchy: &Hierarchy, path: &NodePath) -> NodePath {
    let above = std::iter::successors(path.parent(), NodePath::parent);
    let groups = above.take_while(|path| is_group(hierarchy, path));
    groups.last().unwrap_or_else(|| path.clone())
}

fn is_group(hierarchy: &Hierarchy, path: &NodePath) -> bool {
    matches!(hierarchy.node(path).kind, NodeKind::Group(_))
}

/// The node in the same file that a link of a group leads to.
pub(super) fn linked(hierarchy: &Hierarchy, group: &NodePath, name: &str) -> Option<NodePath> {
    let node = hierarchy.node(group);
    inside(hierarchy, group, link(&Attributes::of(&node.kind)?, name)?)
}

/// True if a group has a link of this name, to wherever.
pub(super) fn is_linked(hierarchy: &Hierarchy, group: &NodePath, name: &str) -> bool {
    Attributes::of(&hierarchy.node(group).kind).is_some_and(|it| link(&it, name).is_some())
}

fn link<'a>(attributes: &Attributes<'a>, name: &str) -> Option<&'a Json> {
    let mut links = LINKS.iter().filter_map(|key| attributes.get(key)?.as_array()).flatten();
    links.find(|link| link.get_str("name") == Some(name))
}

/// The node in the same file that the attribute of an array refers to.
pub(super) fn referred(hierarchy: &Hierarchy, path: &NodePath, json: &Json) -> Option<NodePath> {
    inside(hierarchy, path, json.get("_REFERENCE").or_else(|| json.get("value"))?)
}

/// The node at the path that a link or a reference has, where it is in the same file.
fn inside(hierarchy: &Hierarchy, path: &NodePath, target: &Json) -> Option<NodePath> {
    let inside = target.get_str("path")?.trim_matches('/');
    let is_here = target.get_str("source") == Some(".") && !inside.is_empty();
    is_here.then(|| root(hierarchy, path).child(inside))
}

/// The links and references of a node that point to nothing.
pub(super) fn check(hierarchy: &Hierarchy, path: &NodePath, kind: &NodeKind) -> Vec<Problem> {
    let Some(attributes) = Attributes::of(kind) else { return Vec::new() };
    let root = root(hierarchy, path);
    let is_node =
        |path: &NodePath| is_group(hierarchy, path) || hierarchy.node(path).kind.array().is_some();
    let leads_to_nothing = |(field, json): (String, &Json)| {
        let text = json.as_str()?;
        let inside = text.trim_matches('/');
        let is_path = inside.split('/').all(|name| !["", ".", ".."].contains(&name));
        let is_there = inside.is_empty() || is_path && is_node(&root.child(inside));
        let expected = "the path of a node in the same file";
        let warning = || attributes.warning(Code::HdmfLink, (&field, json), quoted(text), expected);
        let fix = "hdmf-zarr 0.14.0 raises ValueError: Found bad link to object.";
        (!is_there).then(|| with_fix(warning(), fix))
    };
    let mut problems: Vec<Problem> =
        targets(&attributes).into_iter().filter_map(leads_to_nothing).collect();
    problems.extend(elsewhere(&attributes));
    if attributes.has("neurodata_type") {
        problems.extend(table(hierarchy, path, &attributes));
    }
    problems
}
