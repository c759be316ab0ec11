//! `compare`: what differs between two arrays, groups or stores.

use super::open::array_of;
use super::prelude::*;
use crate::{
    app::page::compare::{ArrayPair, NodePair},
    worker::parallel,
    zarr::compare::{Comparer, Tolerance, paths, why_not},
};

mod chunks;
mod report;

/// The arguments of `compare`.
#[derive(Debug, Args)]
pub struct Arguments {
    /// A store, a node in one, or a chunk file
    a: PathBuf,
    /// The node to compare it with
    b: PathBuf,
    /// Compare only this chunk of A with the same elements of B; given twice, with that chunk of B, element by element.
    /// A key (c/0/1, 0.1) or coordinates (0,1)
    #[arg(long, value_name = "KEY")]
    chunk: Vec<String>,
    #[command(flatten)]
    description: FileDescription,
    /// Numbers at most this far apart are equal: in absolute terms, and relative to the first number
    #[arg(long, value_name = "ABS[,REL]", value_parser = tolerance)]
    tolerance: Option<(f64, f64)>,
    /// Two NaN are equal only if their bits are
    #[arg(long)]
    bits: bool,
    /// Compare only the metadata, no values
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

/// The chunks of the first and the second array that could not be read.
type UnreadOfBoth = [Unread; 2];

/// The result of the comparison.
#[derive(Default)]
struct Total {
    noun: &'static str,
    nodes: u64,
    different: u64,
    /// Nodes in which nothing differs, and not everything could be compared.
    undecided: u64,
    rows: u64,
    layout: u64,
    elements: u64,
    elements_different: u64,
    uncompared: u64,
    /// True if some chunks could not be read.
    is_unread: bool,
}

/// Compares two nodes and all below them.
pub(super) fn run(arguments: &Arguments, output: &mut Output) -> CommandResult {
    if arguments.description.dtype.is_some() {
        let read = |path| arguments.description.open(path, &ReadAsFlags::default());
        return chunks::compare(&[read(&arguments.a)?, read(&arguments.b)?], arguments, output);
    }
    let (a, b) = (open(&arguments.a)?, open(&arguments.b)?);
    if !arguments.chunk.is_empty() || a.chunk.is_some() || b.chunk.is_some() {
        return chunks::compare(&[array_of(a)?, array_of(b)?], arguments, output);
    }
    let [of_a, of_b] =
        [&a, &b].map(|side| paths(&side.hierarchy, &side.node.path, &Budget::default()));
    let mut total = Total::of("node");
    for path in of_a.union(&of_b) {
        let is_there = [of_a.contains(path), of_b.contains(path)];
        let (pair, unread) = compare(path, is_there, [&a, &b], arguments, output);
        total.tell(&pair, (&unread, [&a.name, &b.name]), of_a.len() == 1, arguments, output)?;
    }
    total.conclude(arguments, output)
}

/// Compares the nodes of one path.
fn compare(
    path: &str,
    is_there: [bool; 2],
    sides: [&Opened; 2],
    arguments: &Arguments,
    output: &Output,
) -> (NodePair, UnreadOfBoth) {
    let nodes = sides.map(|side| side.hierarchy.node(&side.node.path.below(path)));
    let (mut pair, both) = NodePair::of(path, is_there, &nodes);
    let mut unread = UnreadOfBoth::default();
    if let Some([a, b]) = both.filter(|_| !arguments.metadata_only) {
        let stores = sides.map(|side| side.hierarchy.store.as_ref());
        let arrays = ReadArray::of(stores[0], &nodes[0].path, a, output)
            .and_then(|a| Ok([a, ReadArray::of(stores[1], &nodes[1].path, b, output)?]));
        let found = arrays.and_then(|arrays| {
            let parts = arrays.each_ref().map(|array| array.reader.whole());
            values(&mut unread, &arrays, &parts, arguments)
        });
        match found {
            Ok(values) => pair.arrays = Some(values),
            Err(error) => pair.why = Some(safe_owned(&why_not(&error))),
        }
    }
    (pair, unread)
}

/// Compares the values of a part of each of two arrays, slab by slab.
fn values(
    [unread_a, unread_b]: &mut UnreadOfBoth,
    [a, b]: &[ReadArray<'_>; 2],
    parts: &[Region; 2],
    arguments: &Arguments,
) -> Result<ArrayPair> {
    let (absolute, relative) = arguments.tolerance.unwrap_or_default();
    let tolerance = Tolerance { absolute, relative, by_bits: arguments.bits };
    let [of_a, of_b] = parts;
    let comparer = Comparer::of_parts([&a.reader, &b.reader], [of_a, of_b], tolerance)?;
    let mut progress = Progress::new(array::len(of_a).unwrap_or(0), "elements");
    let mut all = ArrayPair::default();
    for region in comparer.slabs(of_a, a.slab_memory()) {
        let other = comparer.in_b(&region);
        let (mut of_a, mut of_b) =
            rayon::join(|| a.slab(&region, unread_a), || b.slab(&other, unread_b));
        let found = loop {
            let found = parallel::compare(&comparer, &region, [&of_a, &of_b]);
            // What was compared with a file that was cut meanwhile is not told.
            let is_lost_in_a = unread_a.drop_lost(&mut of_a, &a.reader);
            if !unread_b.drop_lost(&mut of_b, &b.reader) && !is_lost_in_a {
                break found;
            }
        };
        all.compared = mem::take(&mut all.compared).merge(found);
        progress.reach(all.compared.elements);
    }
    Ok(all)
}
