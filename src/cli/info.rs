//! `info`: one node, with everything its documents say.

use super::{
    ExitStatus, Outcome, check, forms,
    open::{Opened, open},
    output::{self, Output, Role},
    twins,
};
use crate::zarr::{
    ArrayMetadata, GroupMetadata, Hierarchy, Node, Result, Severity,
    codec::CodecSpec,
    grid::{Grid, KeyEncoding},
    hierarchy::NodeKind,
    metadata::{FillValue, RawDocument},
    spelling,
    text::safe,
    words,
};
use clap::Args;
use serde_json::{Map, Value, json};
use std::{io, path::PathBuf};

/// How many characters of an attribute are shown as text; all of them are in the JSON.
const LONGEST: usize = 600;

/// How many names of what is in a group are shown as text; all of them are in the JSON.
const MOST_NAMES: usize = 200;

/// The arguments of `info`.
#[derive(Debug, Args)]
pub struct Arguments {
    /// A node: an array or a group of a store
    #[arg(default_value = ".")]
    path: PathBuf,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

/// Prints one node.
pub(super) fn run(arguments: &Arguments, output: &mut Output) -> Outcome {
    let opened = open(&arguments.path)?;
    if arguments.json {
        output.json(&Value::Object(to_json(&opened.hierarchy, &opened.node)))?;
    } else {
        print(&opened, output)?;
    }
    Ok(verdict(&opened.node))
}

fn verdict(node: &Node) -> ExitStatus {
    let unreadable = match &node.kind {
        NodeKind::Broken(_) => true,
        NodeKind::Array(array) => {
            array.data_type.is_err() || matches!(array.fill_value, FillValue::Unreadable { .. })
        }
        NodeKind::Group(_) | NodeKind::Folder => false,
    };
    let wrong = forms::problems(node).any(|problem| problem.severity == Severity::Error);
    ExitStatus::flawed_if(unreadable || wrong)
}

// --- as JSON

fn to_json(hierarchy: &Hierarchy, node: &Node) -> Map<String, Value> {
    let mut members = Map::new();
    members.insert("path".into(), node.path.0.clone().into());
    members.insert("node_type".into(), forms::node_type(node).into());
    members.insert("zarr_format".into(), forms::zarr_format(node));
    kind_members(&node.kind, &mut members);
    if !matches!(node.kind, NodeKind::Array(_)) {
        members.insert("consolidated".into(), node.consolidated.is_some().into());
        members.insert("children".into(), children(hierarchy, node));
    }
    if let Some(other) = &node.other {
        let mut also = Map::new();
        also.insert("zarr_format".into(), forms::format_of(other));
        kind_members(other, &mut also);
        members.insert("other_format".into(), also.into());
    }
    let problems: Vec<_> = forms::problems(node).map(forms::problem).collect();
    members.insert("problems".into(), problems.into());
    members
}

fn children(hierarchy: &Hierarchy, node: &Node) -> Value {
    names(hierarchy, node).map_or_else(|error| forms::error(&error), Value::from)
}

/// What the nodes directly below `node` are called.
fn names(hierarchy: &Hierarchy, node: &Node) -> Result<Vec<String>> {
    let mut names = Vec::new();
    hierarchy.visit_children(&node.path, &mut |child| {
        names.push(child.path.name().to_owned());
        true
    })?;
    Ok(names)
}

fn kind_members(kind: &NodeKind, members: &mut Map<String, Value>) {
    match kind {
        NodeKind::Array(array) => array_members(array, members),
        NodeKind::Group(group) => {
            members.insert("attributes".into(), json_or_null(group.attributes.as_ref()));
            members.insert("documents".into(), documents(&group.documents));
        }
        NodeKind::Broken(error) => {
            members.insert("error".into(), forms::error(error));
        }
        NodeKind::Folder => {}
    }
}

fn array_members(array: &ArrayMetadata, members: &mut Map<String, Value>) {
    members.insert(
        "shape".into(),
        array.shape.as_ref().map_or_else(forms::refusal, |shape| json!(shape)),
    );
    members.insert("dimension_names".into(), json!(array.dimension_names));
    let (data_type, fill) = data_type_and_fill(array);
    members.insert("data_type".into(), data_type);
    members.insert("fill_value".into(), fill);
    members.insert("chunk_grid".into(), grid(array));
    let inner = array.inner_chunk_shape();
    members.insert("inner_chunk_shape".into(), json!(inner));
    members.insert("chunk_key_encoding".into(), key_encoding(array));
    members.insert("order".into(), if array.fortran { "F" } else { "C" }.into());
    members.insert(
        "codecs".into(),
        array.codecs.as_ref().map_or_else(forms::refusal, |specs| codecs(specs)),
    );
    if let Some(refused) = &array.refused {
        members.insert("refused".into(), forms::error(refused));
    }
    members.insert("attributes".into(), json_or_null(array.attributes.as_ref()));
    members.insert("documents".into(), documents(&array.documents));
    members.insert("spelling".into(), spelling::of(array).rows.iter().map(twin).collect());
}

/// The two members whose shape is that of `dtype --json`; the notes of both are in the first.
fn data_type_and_fill(array: &ArrayMetadata) -> (Value, Value) {
    match &array.data_type {
        Err(error) => {
            let fill = match &array.fill_value {
                FillValue::Unreadable { error, .. } => json!({"error": forms::error(error)}),
                _ => Value::Null,
            };
            (json!({"error": forms::error(error)}), fill)
        }
        Ok(resolved) => {
            let forms::TypeForm { mut members, mut notes } = forms::data_type(resolved);
            let fill = forms::fill_value(resolved, &array.fill_value, &mut notes);
            members.insert("notes".into(), forms::notes(&notes));
            (members.into(), fill)
        }
    }
}

fn grid(array: &ArrayMetadata) -> Value {
    let grid = match &array.grid {
        Ok(grid) => grid,
        Err(error) => return forms::refusal(error),
    };
    let counts = array.shape.as_ref().ok().map(|shape| grid.counts(shape));
    match grid {
        Grid::Regular(shape) => json!({"name": "regular", "chunk_shape": shape, "counts": counts}),
        Grid::Rectilinear(runs) => json!({"name": "rectilinear", "runs": runs, "counts": counts}),
    }
}

fn key_encoding(array: &ArrayMetadata) -> Value {
    match &array.key_encoding {
        Err(error) => forms::refusal(error),
        Ok(encoding) => {
            let name = match encoding {
                KeyEncoding::Default { .. } => "default",
                KeyEncoding::V2 { .. } => "v2",
            };
            json!({"name": name, "separator": encoding.separator().to_string()})
        }
    }
}

fn codecs(specs: &[CodecSpec]) -> Value {
    let one = |spec: &CodecSpec| {
        json!({
            "name": spec.name,
            "configuration": json_or_null(spec.configuration.as_ref()),
            "field": spec.field,
            "implied": spec.implied,
        })
    };
    specs.iter().map(one).collect()
}

fn twin(row: &spelling::Row) -> Value {
    json!({
        "label": row.label.trim(),
        "v2": row.v2,
        "join": row.join.sign().to_string(),
        "v3": row.v3,
        "notes": forms::notes(&row.notes),
    })
}

fn documents(documents: &[RawDocument]) -> Value {
    documents.iter().map(|document| document.key.clone()).collect()
}

fn json_or_null(json: Option<&crate::zarr::Json>) -> Value {
    json.map_or(Value::Null, crate::zarr::Json::to_value)
}

// --- as text

fn print(opened: &Opened, output: &mut Output) -> io::Result<()> {
    let Opened { hierarchy, node, name, .. } = opened;
    let badge = forms::badge(node);
    let what = format!("{badge} {}", forms::node_type(node));
    let heading = output.paint(Role::Strong, name);
    output.line(&format!("{heading}  {}", what.trim_start()))?;
    match &node.kind {
        NodeKind::Array(array) => print_array(array, output)?,
        NodeKind::Group(group) => print_group(hierarchy, node, group, output)?,
        NodeKind::Folder => print_children(hierarchy, node, output)?,
        NodeKind::Broken(error) => {
            output.line("")?;
            let text = output.paint(Role::Error, &safe(&error.to_string()));
            output.line(&text)?;
        }
    }
    if node.other.is_some() {
        output.line("")?;
        output.line(
            "Documents of both formats are here. V3 is shown; readers differ in which they take.",
        )?;
    }
    print_problems(node, output)
}

fn print_array(array: &ArrayMetadata, output: &mut Output) -> io::Result<()> {
    output.line(&twins::title(&title(array)))?;
    if let Some(refused) = &array.refused {
        let text = format!("Chunk data is not shown: {}", safe(&refused.to_string()));
        output.line(&output.paint(Role::Error, &text))?;
    }
    output.line("")?;
    let spelling = spelling::of(array);
    twins::write(output, spelling.stored, twins::Given::Stored, &spelling.rows)?;
    print_attributes(array.attributes.as_ref(), output)
}

fn title(array: &ArrayMetadata) -> Vec<String> {
    let data_type = match &array.data_type {
        Ok(resolved) => resolved.data_type.name(),
        Err(_) => "unknown data type".into(),
    };
    let mut parts = vec![data_type];
    parts.extend(array.shape.as_ref().ok().map(|shape| words::times(shape)));
    if let (Ok(grid), Ok(shape)) = (&array.grid, &array.shape) {
        let total = grid.total(shape);
        let kind = match (forms::is_sharded(array), total) {
            (true, Some(1)) => "shard",
            (true, _) => "shards",
            (false, Some(1)) => "chunk",
            (false, _) => "chunks",
        };
        let total = total.map_or_else(|| "more than 2^128".to_owned(), |n| n.to_string());
        parts.push(match grid {
            Grid::Regular(chunk) => format!("{total} {kind} of {}", words::times(chunk)),
            Grid::Rectilinear(_) => format!("{total} {kind} of varying lengths"),
        });
    }
    parts
}

fn print_group(
    hierarchy: &Hierarchy,
    node: &Node,
    group: &GroupMetadata,
    output: &mut Output,
) -> io::Result<()> {
    let mut parts = Vec::new();
    if group.documents.is_empty() {
        parts.push("implicit: it has no document of its own".to_owned());
    }
    if let Some(format) = node.consolidated {
        parts.push(format!("consolidated metadata ({})", format.name()));
    }
    if !parts.is_empty() {
        output.line(&twins::title(&parts))?;
    }
    print_children(hierarchy, node, output)?;
    print_attributes(group.attributes.as_ref(), output)
}

fn print_children(hierarchy: &Hierarchy, node: &Node, output: &mut Output) -> io::Result<()> {
    let text = match names(hierarchy, node) {
        Ok(names) if names.is_empty() => "nothing in it".to_owned(),
        Ok(names) => {
            let shown: Vec<_> = names.iter().take(MOST_NAMES).map(|name| safe(name)).collect();
            let more = match names.len() - shown.len() {
                0 => String::new(),
                more => format!(", and {more} more"),
            };
            format!("{} in it: {}{more}", names.len(), shown.join(", "))
        }
        Err(error) => safe(&error.to_string()).into_owned(),
    };
    words::wrap(&text, output::width()).iter().try_for_each(|line| output.line(line))
}

fn print_attributes(attributes: Option<&crate::zarr::Json>, output: &mut Output) -> io::Result<()> {
    let Some(members) = attributes.and_then(crate::zarr::Json::as_object).filter(|m| !m.is_empty())
    else {
        return Ok(());
    };
    output.line("")?;
    output.line(&output.paint(Role::Quiet, "attributes"))?;
    for member in members {
        let key = safe(&member.key);
        let value = words::shortened(&safe(&member.value.to_string()), LONGEST);
        let width = output::width().saturating_sub(4);
        for (at, line) in words::wrap(&format!("{key}: {value}"), width).iter().enumerate() {
            output.line(&format!("{}{line}", if at == 0 { "  " } else { "    " }))?;
        }
    }
    Ok(())
}

fn print_problems(node: &Node, output: &mut Output) -> io::Result<()> {
    let problems: Vec<_> = forms::problems(node).collect();
    if problems.is_empty() {
        return Ok(());
    }
    output.line("")?;
    problems.into_iter().try_for_each(|problem| check::print(problem, output))
}
