//! `stats`: what the numbers of arrays are like, of the whole array and chunk by chunk.

use super::{
    ExitStatus, Outcome,
    digest::relative,
    open::{Opened, open},
    output::{self, Output},
    part_file::Parts,
    partition::{Share, Spread},
    progress::Progress,
    read_array::ReadArray,
    table,
};
use crate::zarr::{
    ArrayMetadata, Error, NodePath, array,
    grid::ChunkId,
    hierarchy::NodeKind,
    statistics::{Counter, Tally, choices},
};
use clap::Args;
use print::{CSV, Printer, heading};
use std::{collections::BTreeMap, mem, path::PathBuf, sync::Arc};

mod parts;
mod print;

/// The arguments of `stats`.
#[derive(Debug, Clone, Args)]
pub struct Arguments {
    /// A store, a node in one, a .zip store, or a folder of stores [default: .]
    path: Option<PathBuf>,
    /// A row for every chunk too
    #[arg(long)]
    chunks: bool,
    /// Print JSON: one row a line
    #[arg(long, conflicts_with = "csv")]
    json: bool,
    /// Print comma-separated values with a heading
    #[arg(long)]
    csv: bool,
    /// The part that is made of it, or that it is put together from.
    #[command(flatten)]
    spread: Spread,
}

/// Prints the statistics of the arrays at a path; or makes a part of that, or puts it together.
pub(super) fn run(arguments: &Arguments, output: &mut Output) -> Outcome {
    match arguments.spread.share()? {
        Share::Part(part, file, force) => parts::make(arguments, (part, file, force), output),
        Share::Merge(files) => parts::merge(arguments, files, output),
        Share::Whole => {
            let opened = open(arguments.path.as_deref().unwrap_or_else(|| ".".as_ref()))?;
            report(arguments, (&opened, &arrays(&opened)), None, output)
        }
    }
}

/// The arrays at a path that was opened.
fn arrays(opened: &Opened) -> Vec<(NodePath, Arc<ArrayMetadata>)> {
    let mut arrays = Vec::new();
    opened.hierarchy.walk(&opened.node.path, &mut |node, _| {
        if let NodeKind::Array(array) = &node.kind {
            arrays.push((node.path.clone(), Arc::clone(array)));
        }
        true
    });
    arrays
}

/// Prints the statistics of arrays, as they are counted, or as the parts have counted them.
fn report(
    arguments: &Arguments,
    (opened, arrays): (&Opened, &[(NodePath, Arc<ArrayMetadata>)]),
    parts: Option<&Parts>,
    output: &mut Output,
) -> Outcome {
    let mut printer = Printer { arguments, rows: vec![heading()] };
    if arguments.csv {
        output.line(CSV)?;
    }
    let mut verdict = ExitStatus::Fine;
    for (path, metadata) in arrays {
        let went = array_rows((opened, path, metadata), parts, &mut printer, output)?;
        verdict = verdict.and(went);
    }
    if !arguments.json && !arguments.csv {
        table::write(output, &printer.rows)?;
    }
    Ok(verdict)
}

fn array_rows(
    (opened, path, metadata): (&Opened, &NodePath, &ArrayMetadata),
    parts: Option<&Parts>,
    printer: &mut Printer<'_>,
    output: &mut Output,
) -> Outcome {
    let name = relative(path, &opened.node.path);
    let array = match ReadArray::of(opened.hierarchy.store.as_ref(), path, metadata, output) {
        Ok(array) => array,
        Err(error) => {
            output::complain(&error.in_file(&path.0).to_string());
            return Ok(ExitStatus::Flawed);
        }
    };
    let choices = choices(array.reader.resolved().data_type.as_ref());
    let counter = Counter::new(&array.reader, &choices);
    let chunks = match parts {
        None => count(&array, &counter),
        Some(parts) => parts::counted(parts, &counter, &opened.node.path)?,
    };
    for (at, choice) in choices.iter().enumerate() {
        let rows =
            || chunks.iter().filter_map(|(id, counted)| Some((id, counted.tallies.get(at)?)));
        if printer.arguments.chunks {
            for (id, row) in rows() {
                let key = array.reader.key(id);
                printer.row((&name, choice, Some((&key, id))), row, output)?;
            }
        }
        let whole = rows().fold(Tally::default(), |all, (_, row)| all.merge(row.clone()));
        printer.row((&name, choice, None), &whole, output)?;
    }
    Ok(complain(&chunks))
}

/// Says on stderr which chunks could not be read.
fn complain(chunks: &Chunks) -> ExitStatus {
    const SHOWN: usize = 20;
    let failures: Vec<&Error> = chunks.values().filter_map(|of| of.error.as_ref()).collect();
    for error in failures.iter().take(SHOWN) {
        output::complain(&error.to_string());
    }
    if failures.len() > SHOWN {
        output::complain(&format!("{} more chunks could not be read", failures.len() - SHOWN));
    }
    ExitStatus::flawed_if(!failures.is_empty())
}

/// What was counted of a chunk.
#[derive(Debug, Default)]
struct Counted {
    /// For each choice.
    tallies: Vec<Tally>,
    /// Why it could not be read.
    error: Option<Error>,
}

/// What was counted of each chunk.
type Chunks = BTreeMap<ChunkId, Counted>;

impl Counted {
    /// Takes in what was counted of one more piece of the chunk, the next one.
    fn add(&mut self, (tallies, error): (Vec<Tally>, Option<Error>)) {
        self.tallies.resize_with(tallies.len(), Tally::default);
        for (place, tally) in self.tallies.iter_mut().zip(tallies) {
            *place = mem::take(place).merge(tally).of_one_chunk();
        }
        self.error = self.error.take().or(error);
    }
}

/// Counts the elements of every chunk.
fn count(array: &ReadArray<'_>, counter: &Counter<'_>) -> Chunks {
    let elements = array::len(&array.reader.whole()).unwrap_or(0);
    let mut progress = Progress::new(elements, "elements");
    let (mut chunks, mut done) = (Chunks::new(), 0);
    array.pieces(
        |_| true,
        |piece, data| (piece.chunk.clone(), counter.count(piece, &data)),
        |(id, counted)| {
            done += counted.0.first().map_or(0, |tally| tally.statistics.elements);
            progress.reach(done);
            chunks.entry(id).or_default().add(counted);
            true
        },
    );
    chunks
}
