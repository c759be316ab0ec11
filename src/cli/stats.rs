//! `stats`: what the numbers of arrays are like, of the whole array and chunk by chunk.

use super::{
    ExitStatus, Outcome,
    digest::relative,
    open::{Opened, open},
    output::{self, Output},
    progress::Progress,
    read_array::ReadArray,
    table,
};
use crate::zarr::{
    ArrayMetadata, Error, Node, array,
    grid::ChunkId,
    hierarchy::NodeKind,
    metadata::Packing,
    statistics::{Counter, Tally, choices},
};
use clap::Args;
use print::{CSV, Printer, heading};
use std::{collections::BTreeMap, mem, path::PathBuf};

mod print;

/// The arguments of `stats`.
#[derive(Debug, Args)]
pub struct Arguments {
    /// A store, a node in one, a .zip store, or a folder of stores
    #[arg(default_value = ".")]
    path: PathBuf,
    /// A row for every chunk too
    #[arg(long)]
    chunks: bool,
    /// Print JSON: one row a line
    #[arg(long, conflicts_with = "csv")]
    json: bool,
    /// Print comma-separated values with a heading
    #[arg(long)]
    csv: bool,
}

/// Prints the statistics of the arrays at a path.
pub(super) fn run(arguments: &Arguments, output: &mut Output) -> Outcome {
    let opened = open(&arguments.path)?;
    let mut nodes = Vec::new();
    opened.hierarchy.walk(&opened.node.path, &mut |node, _| {
        if let NodeKind::Array(array) = &node.kind {
            nodes.push((node.clone(), array.clone()));
        }
        true
    });
    let mut printer = Printer { arguments, rows: vec![heading()] };
    if arguments.csv {
        output.line(CSV)?;
    }
    let mut verdict = ExitStatus::Fine;
    for (node, metadata) in &nodes {
        verdict = verdict.and(array_rows((&opened, node, metadata), &mut printer, output)?);
    }
    if !arguments.json && !arguments.csv {
        table::write(output, &printer.rows)?;
    }
    Ok(verdict)
}

fn array_rows(
    (opened, node, metadata): (&Opened, &Node, &ArrayMetadata),
    printer: &mut Printer<'_>,
    output: &mut Output,
) -> Outcome {
    let name = relative(&node.path, &opened.node.path);
    let array = match ReadArray::of(opened.hierarchy.store.as_ref(), &node.path, metadata, output) {
        Ok(array) => array,
        Err(error) => {
            output::complain(&error.in_file(&node.path.0).to_string());
            return Ok(ExitStatus::Flawed);
        }
    };
    let choices = choices(array.reader.resolved().data_type.as_ref());
    let packing = Packing::of(metadata);
    let counter = Counter { reader: &array.reader, choices: &choices, packing };
    let (chunks, failures) = count(&array, &counter);
    for error in failures.iter().take(SHOWN) {
        output::complain(&error.to_string());
    }
    if failures.len() > SHOWN {
        output::complain(&format!("{} more chunks could not be read", failures.len() - SHOWN));
    }
    for (at, choice) in choices.iter().enumerate() {
        let rows = || chunks.iter().filter_map(|(id, rows)| Some((id, rows.get(at)?)));
        if printer.arguments.chunks {
            for (id, row) in rows() {
                let key = array.reader.key(id);
                printer.row((&name, choice, Some((&key, id))), row, output)?;
            }
        }
        let whole = rows().fold(Tally::default(), |all, (_, row)| all.merge(row.clone()));
        printer.row((&name, choice, None), &whole, output)?;
    }
    Ok(ExitStatus::flawed_if(!failures.is_empty()))
}

/// The number of chunks that cannot be read of which the reason is told.
const SHOWN: usize = 20;

/// A tally for each choice of each chunk, and why chunks could not be read.
fn count(
    array: &ReadArray<'_>,
    counter: &Counter<'_>,
) -> (BTreeMap<ChunkId, Vec<Tally>>, Vec<Error>) {
    let elements = array::len(&array.reader.whole()).unwrap_or(0);
    let mut progress = Progress::new(elements, "elements");
    let (mut chunks, mut failures, mut done) = (BTreeMap::new(), Vec::new(), 0);
    array.pieces(
        |piece, data| (piece.chunk.clone(), counter.count(piece, &data)),
        |(id, (tallies, failure)): (ChunkId, (Vec<Tally>, Option<Error>))| {
            done += tallies.first().map_or(0, |tally| tally.statistics.elements);
            progress.reach(done);
            failures.extend(failure);
            let all: &mut Vec<Tally> = chunks.entry(id).or_default();
            all.resize_with(tallies.len(), Tally::default);
            for (place, tally) in all.iter_mut().zip(tallies) {
                *place = mem::take(place).merge(tally).of_one_chunk();
            }
        },
    );
    (chunks, failures)
}
