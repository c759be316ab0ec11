//! `compare`: what differs between two arrays, groups or stores.

use super::{
    ExitStatus, Outcome,
    digest::relative,
    open::{Opened, open},
    output::Output,
    progress::Progress,
    read_array::{ReadArray, Unread, stretches},
    values::conclude,
};
use crate::zarr::{
    ArrayMetadata, NodePath, Result, array,
    canonical::Rendered,
    compare::{Compared, Comparer, DocumentRow, Tolerance, documents, group_attributes},
    hierarchy::NodeKind,
    store::join,
    text::safe,
};
use clap::Args;
use rayon::prelude::*;
use std::{collections::BTreeSet, ops::Range, path::PathBuf};

mod report;

/// The arguments of `compare`.
#[derive(Debug, Args)]
pub struct Arguments {
    /// A store, or a node in one
    a: PathBuf,
    /// What to compare it with
    b: PathBuf,
    /// Numbers this far apart are the same: absolutely, and as a part of the first one
    #[arg(long, value_name = "ABS[,REL]", value_parser = tolerance)]
    tolerance: Option<(f64, f64)>,
    /// NaN are the same only with the same bits
    #[arg(long)]
    bits: bool,
    /// Leave the values alone
    #[arg(long)]
    metadata_only: bool,
    /// Print JSON: one node a line, then a summary line
    #[arg(long)]
    json: bool,
}

/// `1e-6` or `1e-6,1e-3`.
fn tolerance(text: &str) -> std::result::Result<(f64, f64), String> {
    let number = |text: &str| {
        let number = text.trim().parse::<f64>().ok().filter(|n| n.is_finite() && *n >= 0.0);
        number
            .ok_or_else(|| format!("{text:?} is not a number of 0 or more: use 1e-6 or 1e-6,1e-3"))
    };
    match text.split_once(',') {
        None => Ok((number(text)?, 0.0)),
        Some((absolute, relative)) => Ok((number(absolute)?, number(relative)?)),
    }
}

/// What came of two nodes.
#[derive(Debug, Default)]
struct Pair {
    path: String,
    /// What only one of the sides has, or why nothing was compared.
    why: Option<String>,
    rows: Vec<DocumentRow>,
    values: Option<Compared>,
    /// What of the first and the second array could not be read.
    unread: [Unread; 2],
}

/// How the comparison went.
#[derive(Debug, Default)]
struct Total {
    nodes: u64,
    different: u64,
    rows: u64,
    layout: u64,
    elements: u64,
    elements_different: u64,
    unknown: u64,
}

/// Compares two nodes and all below them.
pub(super) fn run(arguments: &Arguments, output: &mut Output) -> Outcome {
    let (a, b) = (open(&arguments.a)?, open(&arguments.b)?);
    let [of_a, of_b] = [&a, &b].map(names);
    let mut total = Total::default();
    let mut verdict = ExitStatus::Fine;
    for name in of_a.union(&of_b) {
        let mut pair = Pair { path: name.clone(), ..Pair::default() };
        match (of_a.contains(name), of_b.contains(name)) {
            (true, false) => pair.why = Some("only in the first".into()),
            (false, true) => pair.why = Some("only in the second".into()),
            _ => compare(&mut pair, [&a, &b], arguments, output),
        }
        let is_equal = total.add(&pair);
        for (unread, side) in pair.unread.iter().zip([&a, &b]) {
            if conclude(unread, false, &side.name) != ExitStatus::Fine {
                verdict = ExitStatus::Undone;
            }
        }
        if arguments.json {
            output.json_line(&pair.to_json(is_equal))?;
        } else {
            pair.print(is_equal, of_a.len() == 1, output)?;
        }
    }
    total.print(arguments, output)?;
    if total.unknown > 0 {
        verdict = ExitStatus::Undone;
    }
    Ok(if total.different > 0 { ExitStatus::Flawed } else { verdict })
}

/// The paths of the node that was named and of all below it, as seen from there.
fn names(opened: &Opened) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    opened.hierarchy.walk(&opened.node.path, &mut |node, _| {
        names.insert(relative(&node.path, &opened.node.path));
        true
    });
    names
}

fn compare(pair: &mut Pair, sides: [&Opened; 2], arguments: &Arguments, output: &Output) {
    let nodes = sides.map(|side| side.hierarchy.node(&below(&side.node.path, &pair.path)));
    match nodes.each_ref().map(|node| &node.kind) {
        [NodeKind::Array(a), NodeKind::Array(b)] => {
            pair.rows = documents(a, b);
            if !arguments.metadata_only {
                let paths = nodes.each_ref().map(|node| &node.path);
                match values(pair, (sides, paths, [a, b]), arguments, output) {
                    Ok(values) => pair.values = Some(values),
                    Err(error) => pair.why = Some(safe(&error.to_string()).into_owned()),
                }
            }
        }
        [NodeKind::Group(a), NodeKind::Group(b)] => pair.rows.extend(group_attributes(a, b)),
        [NodeKind::Folder, NodeKind::Folder] => {}
        [NodeKind::Broken(error), _] | [_, NodeKind::Broken(error)] => {
            pair.why = Some(safe(&error.to_string()).into_owned());
        }
        [a, b] => pair.why = Some(format!("{} and {}", word(a), word(b))),
    }
}

fn below(root: &NodePath, path: &str) -> NodePath {
    if path.is_empty() { root.clone() } else { NodePath(join(&root.0, path)) }
}

fn word(kind: &NodeKind) -> &'static str {
    match kind {
        NodeKind::Array(_) => "an array",
        NodeKind::Group(_) => "a group",
        NodeKind::Folder => "a folder",
        NodeKind::Broken(_) => "a broken node",
    }
}

/// Compares the values of two arrays, slab by slab.
fn values(
    pair: &mut Pair,
    (sides, [path_a, path_b], [a, b]): ([&Opened; 2], [&NodePath; 2], [&ArrayMetadata; 2]),
    arguments: &Arguments,
    output: &Output,
) -> Result<Compared> {
    let [store_a, store_b] = sides.map(|side| side.hierarchy.store.as_ref());
    let a = ReadArray::of(store_a, path_a, a, output)?;
    let b = ReadArray::of(store_b, path_b, b, output)?;
    let (absolute, relative) = arguments.tolerance.unwrap_or_default();
    let tolerance = Tolerance { absolute, relative, by_bits: arguments.bits };
    let comparer = Comparer::new(&a.reader, &b.reader, tolerance)?;
    let mut progress = Progress::new(array::len(&a.reader.whole()).unwrap_or(0), "elements");
    let mut all = Compared::default();
    let [unread_a, unread_b] = &mut pair.unread;
    for region in a.regions() {
        let (mut of_a, mut of_b) =
            rayon::join(|| a.slab(&region, unread_a), || b.slab(&region, unread_b));
        let stretches = stretches(0, of_a.len());
        loop {
            let compare = |buffers: &mut [Rendered; 2], stretch: &Range<u64>| {
                comparer.compare(&region, [&of_a, &of_b], stretch.clone(), buffers)
            };
            let found = stretches.par_iter().map_init(<[Rendered; 2]>::default, compare);
            let found: Vec<_> = found.collect();
            // What was compared with a file that was cut meanwhile is not told.
            let is_lost = [
                unread_a.drop_lost(&mut of_a, &a.reader),
                unread_b.drop_lost(&mut of_b, &b.reader),
            ];
            if is_lost == [false; 2] {
                all = found.into_iter().fold(all, Compared::merge);
                break;
            }
        }
        progress.reach(all.elements);
    }
    Ok(all)
}
