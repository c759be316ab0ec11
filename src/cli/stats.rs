//! `stats`: what the numbers of arrays are like, of the whole array and chunk by chunk.

use super::missing_to_xarray::MissingToXarray;
use super::prelude::*;
use crate::zarr::statistics::{Counter, Tally, choices};
use print::{CSV, Printer, heading};

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
    /// Print JSON, one object per line
    #[arg(long, conflicts_with = "csv")]
    json: bool,
    /// Print comma-separated values with a heading
    #[arg(long)]
    csv: bool,
    /// The part that is made of it, or that it is put together from.
    #[command(flatten)]
    spread: SpreadOptions,
}

/// The arrays at a path that was opened.
fn arrays(opened: &Opened) -> Vec<Node> {
    opened.nodes(|node, _| node.kind.is_array())
}

/// Prints the statistics of arrays, as they are counted, or as the parts have counted them.
fn report(
    arguments: &Arguments,
    opened: &Opened,
    arrays: &[Node],
    parts: Option<&ReportParts>,
    output: &mut Output,
) -> CommandResult {
    let mut printer = Printer { arguments, rows: vec![heading()] };
    if arguments.csv {
        output.line(CSV)?;
    }
    let mut verdict = ExitStatus::Fine;
    for (path, metadata) in arrays.iter().filter_map(Node::array) {
        let name = opened.node.path.relative(&path.0);
        let array = ReadArray::of(opened.hierarchy.store.as_ref(), path, metadata, output);
        let array = match array.and_then(|array| array.elements("for statistics").map(|_| array)) {
            Ok(array) => array,
            Err(error) => {
                output::complain(&error.in_file(&path.0).to_string());
                verdict = verdict.max(ExitStatus::Flawed);
                continue;
            }
        };
        let choices = choices(array.reader.resolved().data_type.as_ref());
        let counter = Counter::new(&array.reader, &choices);
        let counts = counted(&array, &counter, (parts, &opened.node.path), arguments)?;
        let title = if name.is_empty() { &opened.name } else { name };
        let whole = counts.whole.iter().zip(&choices).find(|(_, choice)| choice.name.is_empty());
        if let Some((whole, _)) = whole {
            MissingToXarray::of(&counter.packing, whole.statistics.fill_value).tell(title);
        }
        counts.print(name, &counter, &mut printer, output)?;
        verdict = verdict.max(counts.unread.conclude(false, title));
    }
    if !arguments.json && !arguments.csv {
        table::write(output, &printer.rows)?;
    }
    Ok(verdict)
}

/// The counts of an array, from its chunks or from the parts of `root`.
fn counted(
    array: &ReadArray,
    counter: &Counter,
    (parts, root): (Option<&ReportParts>, &NodePath),
    arguments: &Arguments,
) -> Result<Counts> {
    let mut counts = Counts { keeps_chunks: arguments.chunks, ..Counts::default() };
    let stored = match parts {
        _ if arguments.chunks => None,
        None => StoredChunks::of(array),
        Some(parts) => parts::stored(parts, array, root),
    };
    let pieces = pieces(&array.reader, stored.as_ref());
    match parts {
        None => {
            let elements = array::len(&array.reader.whole()).unwrap_or(0);
            count(array, pieces, counter, elements, |id, counted| {
                counts.close(id, counted);
                true
            });
        }
        Some(parts) => {
            for (id, counted) in parts::counted(parts, counter, root, pieces)? {
                counts.close(id, counted);
            }
        }
    }
    if let Some(missing) = stored.and_then(|stored| stored.missing(&array.reader)) {
        let tallies = counter.missing(&missing.start, missing.elements, missing.chunks);
        counts.close(missing.first, CountedChunk { tallies, error: None });
    }
    Ok(counts)
}

/// The counts of an array: nothing is kept for each chunk that there could be, unless each is asked for.
#[derive(Default)]
struct Counts {
    /// For each choice, of the whole array.
    whole: Vec<Tally>,
    /// Of each chunk, where that is asked for.
    chunks: ChunkCounts,
    keeps_chunks: bool,
    unread: Unread,
}

impl Counts {
    /// Takes in a chunk of which everything was counted.
    fn close(&mut self, id: ChunkId, mut counted: CountedChunk) {
        self.whole.resize_with(counted.tallies.len().max(self.whole.len()), Tally::default);
        for (all, tally) in self.whole.iter_mut().zip(&counted.tallies) {
            *all = mem::take(all).merge(tally.clone());
        }
        if let Some(error) = &counted.error {
            self.unread.fail(id.clone(), Some(error.clone()));
        }
        if self.keeps_chunks {
            for tally in &mut counted.tallies {
                tally.statistics.distinct = mem::take(&mut tally.statistics.distinct).told();
            }
            self.chunks.insert(id, counted);
        }
    }

    /// Prints the rows of an array called `name`.
    fn print(
        &self,
        name: &str,
        counter: &Counter,
        printer: &mut Printer,
        output: &mut Output,
    ) -> Printed {
        for (at, choice) in counter.choices.iter().enumerate() {
            for (id, counted) in &self.chunks {
                let Some(tally) = counted.tallies.get(at) else { continue };
                let key = counter.reader.key(id);
                printer.row((name, choice, Some((&key, id))), tally, output)?;
            }
            let tally = self.whole.get(at).cloned().unwrap_or_default();
            printer.row((name, choice, None), &tally, output)?;
        }
        Ok(())
    }
}

/// The counts of a chunk.
#[derive(Default)]
struct CountedChunk {
    /// For each choice.
    tallies: Vec<Tally>,
    /// The error why it could not be read.
    error: Option<Error>,
}

/// The counts of each chunk.
type ChunkCounts = BTreeMap<ChunkId, CountedChunk>;

impl CountedChunk {
    /// Takes in what was counted of one more piece of the chunk, the next one.
    fn add(&mut self, (tallies, error): (Vec<Tally>, Option<Error>)) {
        self.tallies.resize_with(tallies.len(), Tally::default);
        for (place, tally) in self.tallies.iter_mut().zip(tallies) {
            *place = mem::take(place).merge(tally).of_one_chunk();
        }
        self.error = self.error.take().or(error);
    }
}

/// The pieces of an array; of one whose `stored` chunks are known only the pieces of those.
fn pieces<'r>(
    reader: &'r ArrayReader<'_>,
    stored: Option<&'r StoredChunks>,
) -> Box<dyn Iterator<Item = Piece> + 'r> {
    match stored {
        Some(stored) => Box::new(stored.pieces(reader)),
        None => Box::new(reader.pieces(&reader.whole())),
    }
}

/// Counts the elements of the chunks that `pieces` are of, those of one after the other; there are so many in all. `close`
/// gets each chunk when all of it was counted, until it gives `false`.
fn count(
    array: &ReadArray,
    pieces: impl Iterator<Item = Piece>,
    counter: &Counter,
    elements: u64,
    mut close: impl FnMut(ChunkId, CountedChunk) -> bool,
) {
    let mut progress = Progress::new(elements, "elements");
    let (mut open, mut done, mut goes_on) = (None::<(ChunkId, CountedChunk)>, 0, true);
    array.pieces(
        pieces,
        |piece, data| (piece.chunk.clone(), counter.count(piece, &data)),
        |(id, piece)| {
            done += piece.0.first().map_or(0, |tally| tally.statistics.elements);
            progress.reach(done);
            if let Some((before, counted)) = open.take_if(|(before, _)| *before != id) {
                goes_on = close(before, counted);
            }
            open.get_or_insert_with(|| (id, CountedChunk::default())).1.add(piece);
            goes_on
        },
    );
    if let Some((id, counted)) = open.filter(|_| goes_on) {
        close(id, counted);
    }
}
