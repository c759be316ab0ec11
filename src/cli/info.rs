//! `info`: one node, with everything its documents say; the documents as either format writes them; who reads it.

use super::prelude::*;
use super::{check, dtype::FormatChoice, twins};
use crate::zarr::{
    GroupMetadata,
    census::Census,
    conventions::{self, Wanted},
    spelling,
};

mod document;
mod json;
mod readers;
use json::{names, to_json};

/// The number of characters of an attribute shown as text; all of them are in the JSON.
const LONGEST: usize = 600;

/// The number of children of a group shown as text; the JSON has all of them.
const MOST_NAMES: usize = 200;

/// The arguments of `info`.
#[derive(Debug, Args)]
pub struct Arguments {
    /// An array or a group
    #[arg(default_value = ".")]
    path: PathBuf,
    /// Read metadata only: count no chunks and print no sizes
    #[arg(long)]
    metadata_only: bool,
    /// Print the metadata documents in this format, stored or converted; of chunks without any, a guess
    #[arg(
        long,
        value_name = "2|3",
        hide_possible_values = true,
        conflicts_with_all = ["readers", "json", "metadata_only"]
    )]
    document: Option<FormatChoice>,
    /// With --document: print only this document, such as .zattrs
    #[arg(long, value_name = "NAME", requires = "document")]
    file: Option<String>,
    /// Print which of ten other readers read the array, or the arrays of a group, as measured
    #[arg(long, conflicts_with = "metadata_only")]
    readers: bool,
    /// The settings that the array is read by.
    #[command(flatten)]
    read_as: ReadAsFlags,
    /// Print one JSON document; with --readers, one an array
    #[arg(long)]
    json: bool,
}

/// Prints one node, its documents, or its readers.
pub(super) fn run(arguments: &Arguments, output: &mut Output) -> CommandResult {
    let opened = arguments.read_as.open(&arguments.path);
    if let Some(format) = arguments.document {
        let written = document::written(opened, &arguments.path, format.into())?;
        return document::print(&written, arguments.file.as_deref(), output);
    }
    let mut opened = opened?;
    if arguments.readers {
        return readers::run(&opened, arguments.json, output);
    }
    let found = conventions::of_node(&opened.hierarchy, &opened.node, Wanted::default());
    opened.node.problems.extend(found);
    let census = (!arguments.metadata_only).then(|| counted(&opened));
    if arguments.json {
        let mut form = to_json(&opened.hierarchy, &opened.node, census.as_ref());
        if let Some(what_if) = &opened.what_if {
            form.set("what_if", what_if.to_string());
        }
        output.json(&form)?;
    } else {
        print(&opened, census.as_ref(), output)?;
    }
    Ok(verdict(&opened.node))
}

/// The counts at the node and below it.
fn counted(opened: &Opened) -> Census {
    let mut progress = Progress::new(0, "chunks");
    Census::of(&opened.hierarchy, opened.node.clone(), &mut |census| {
        progress.reach(census.sizes.objects);
        true
    })
}

fn verdict(node: &Node) -> ExitStatus {
    let unreadable = match &node.kind {
        NodeKind::Broken(_) => true,
        NodeKind::Array(array) => {
            array.data_type.is_err() || matches!(array.fill_value, FillValue::Unreadable { .. })
        }
        NodeKind::Group(_) | NodeKind::Folder => false,
    };
    let wrong = node.all_problems().any(|problem| problem.severity == Severity::Error);
    ExitStatus::flawed_if(unreadable || wrong)
}

fn print(opened: &Opened, census: Option<&Census>, output: &mut Output) -> Printed {
    let Opened { hierarchy, node, name, what_if, .. } = opened;
    let badge = json_forms::badge(node);
    let what = format!("{badge} {}", json_forms::node_type(node));
    let heading = output.paint(Role::Strong, name);
    output.line(&format!("{heading}  {}", what.trim_start()))?;
    if let Some(what_if) = what_if {
        let store = if what_if.guesses() { "has no document" } else { "declares otherwise" };
        let text = format!("What if: read as {}. The store {store}.", safe_text(&what_if));
        output.line(&output.paint(Role::Warning, &text))?;
    }
    match &node.kind {
        NodeKind::Array(array) => print_array(opened, array, census, output)?,
        NodeKind::Group(group) => print_group(hierarchy, node, group, census, output)?,
        NodeKind::Folder => {
            print_children(hierarchy, node, output)?;
            print_census(census, output)?;
        }
        NodeKind::Broken(error) => {
            output.line("")?;
            let text = output.paint(Role::Error, &safe_text(&error));
            output.line(&text)?;
        }
    }
    print_problems(node, output)
}

fn print_array(
    opened: &Opened,
    array: &ArrayMetadata,
    census: Option<&Census>,
    output: &mut Output,
) -> Printed {
    output.line(&twins::title(&title(array)))?;
    if let Some(census) = census.filter(|census| census.unmeasured == 0) {
        let noun = if json_forms::is_sharded(array) { "shard" } else { "chunk" };
        output.line(&json_forms::sizes_words(&census.sizes, noun))?;
    }
    if let Some(refused) = &array.refused {
        let text = format!("Values cannot be shown: {}", safe_text(&refused));
        output.line(&output.paint(Role::Error, &text))?;
    }
    output.line("")?;
    let spelling = spelling::of_node(array, opened.node.other.as_deref());
    let given = match (spelling.stored, &opened.what_if) {
        (None, _) => twins::Given::BothStored,
        _ if spelling.unread.is_some() => twins::Given::OtherUnread,
        (_, None) => twins::Given::Stored,
        (_, Some(_)) => twins::Given::Supposed,
    };
    twins::write(output, array.format, given, &spelling.rows)?;
    print_attributes(array.attributes(), output)
}

fn title(array: &ArrayMetadata) -> Vec<String> {
    let mut parts = vec![array.data_type_in_words()];
    parts.extend(array.known_shape().map(|shape| times(shape)));
    if let (Ok(grid), Ok(shape)) = (&array.grid, &array.shape) {
        let total = grid.total(shape);
        let kind = match (json_forms::is_sharded(array), total) {
            (true, Some(1)) => "shard",
            (true, _) => "shards",
            (false, Some(1)) => "chunk",
            (false, _) => "chunks",
        };
        let total = total.map_or_else(|| "more than 2^128".to_owned(), |n| n.to_string());
        parts.push(match grid {
            Grid::Regular(chunk) => format!("{total} {kind} of {}", times(chunk)),
            Grid::Rectilinear(_) => format!("{total} {kind} of varying shapes"),
        });
    }
    parts
}

fn print_group(
    hierarchy: &Hierarchy,
    node: &Node,
    group: &GroupMetadata,
    census: Option<&Census>,
    output: &mut Output,
) -> Printed {
    let mut parts = Vec::new();
    if group.documents.is_empty() {
        parts.push("implicit: it has no metadata document".to_owned());
    }
    if let Some(format) = node.consolidated {
        parts.push(format!("consolidated metadata ({})", format.name()));
    }
    if !parts.is_empty() {
        output.line(&twins::title(&parts))?;
    }
    print_children(hierarchy, node, output)?;
    print_census(census, output)?;
    print_attributes(group.attributes(), output)
}

/// Prints the counts below a group: the arrays, their stored sizes, data types, byte orders and codecs.
fn print_census(census: Option<&Census>, output: &mut Output) -> Printed {
    let Some(census) = census.filter(|census| census.arrays > 0) else { return Ok(()) };
    let arrays = words::counted(census.arrays, "array");
    output.line(&format!("{arrays}, {}", json_forms::sizes_words(&census.sizes, "chunk")))?;
    if census.unmeasured > 0 {
        let unmeasured = words::counted(census.unmeasured, "array");
        output
            .line(&format!("not measured: {unmeasured} whose shape, grid or keys are not known"))?;
    }
    let tallies = [
        ("data types", &census.data_types),
        ("byte order", &census.byte_orders),
        ("codecs", &census.codecs),
    ];
    for (label, tally) in tallies {
        let names =
            tally.sorted().into_iter().map(|(name, count)| format!("{}\u{a0}{count}", safe(name)));
        let text = names.joined(", ");
        if !text.is_empty() {
            output.headed(&format!("{label:<12}"), Some(Role::Quiet), &text)?;
        }
    }
    Ok(())
}

fn print_children(hierarchy: &Hierarchy, node: &Node, output: &mut Output) -> Printed {
    let text = match names(hierarchy, node) {
        Ok(names) if names.is_empty() => "empty".to_owned(),
        Ok(names) => {
            let shown: Vec<_> = names.iter().take(MOST_NAMES).map(|name| safe(name)).collect();
            let more = match names.len() - shown.len() {
                0 => String::new(),
                more => format!(", and {more} more"),
            };
            format!("contains {}: {}{more}", names.len(), shown.join(", "))
        }
        Err(error) => safe_text(&error),
    };
    output.headed("", None, &text)
}

fn print_attributes(attributes: Option<&Json>, output: &mut Output) -> Printed {
    let Some(members) = attributes.and_then(Json::as_object).filter(|m| !m.is_empty()) else {
        return Ok(());
    };
    output.line("")?;
    output.line(&output.paint(Role::Quiet, "attributes"))?;
    for member in members {
        let key = safe(&member.key);
        let value = words::shortened(&safe_text(&member.value), LONGEST);
        let width = output::width().saturating_sub(4);
        for (at, line) in words::wrap(&format!("{key}: {value}"), width).iter().enumerate() {
            output.line(&format!("{}{line}", if at == 0 { "  " } else { "    " }))?;
        }
    }
    Ok(())
}

fn print_problems(node: &Node, output: &mut Output) -> Printed {
    let problems: Vec<_> = node.all_problems().collect();
    if problems.is_empty() {
        return Ok(());
    }
    output.line("")?;
    problems.into_iter().try_for_each(|problem| check::print(problem, output))
}
