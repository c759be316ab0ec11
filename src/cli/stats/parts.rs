//! Statistics that are spread over many machines: the part of one, and what all of them counted.

use super::{Arguments, ChunkCounts, CountedChunk, arrays, pieces, report};
use crate::cli::prelude::*;
use crate::{
    cli::part_file::{PartFile, is_set},
    zarr::{
        record,
        statistics::{Counter, choices},
        store::join,
    },
};

const COMMAND: &str = "stats";

/// The name in the file of a part of the stored object that holds `chunk`: its key as seen from the node `root`.
fn name(reader: &ArrayReader, chunk: &ChunkId, root: &NodePath) -> String {
    let object = ChunkId::at(chunk.coordinates.clone());
    root.relative(&reader.key(&object)).to_owned()
}

/// Counts what is in the objects of one part, and writes it into its file.
pub(super) fn make(arguments: &Arguments, job: PartJob, output: &mut Output) -> CommandResult {
    let typed = arguments.path.clone().unwrap_or_else(|| ".".into());
    let opened = open(&typed)?;
    let command = (COMMAND, options(arguments, output));
    let place = (&opened.hierarchy, &opened.node.path, typed.as_path());
    let all = arrays(&opened);
    let store = opened.hierarchy.store.as_ref();
    // Why one cannot be read is said in the report. All at once: the output may be where the file goes to.
    let mut readable = Vec::new();
    for (path, array) in all.iter().filter_map(Node::array) {
        readable.extend(ReadArray::of(store, path, array, output).ok());
    }
    let Some(mut file) = PartFile::open(command, place, job, output)? else {
        return Ok(ExitStatus::Fine);
    };
    for array in &readable {
        let wanted = |chunk: &ChunkId| job.part.has(&name(&array.reader, chunk, &opened.node.path));
        let stored = StoredChunks::few(array, &wanted).or_else(|| StoredChunks::of(array));
        count((array, stored.as_ref()), (job.part, &opened.node.path), &mut file)
            .map_err(Failure::Output)?;
    }
    file.finish().map(|()| ExitStatus::Fine)
}

/// Counts what is in the objects of an array that belong to the part, and writes each when it is whole.
fn count(
    (array, stored): (&ReadArray, Option<&StoredChunks>),
    (part, root): (Partition, &NodePath),
    file: &mut PartFile,
) -> Printed {
    let choices = choices(array.reader.resolved().data_type.as_ref());
    let counter = &Counter::new(&array.reader, &choices);
    let elements = array::len(&array.reader.whole()).unwrap_or(0) / part.of;
    let name = |chunk: &ChunkId| name(&array.reader, chunk, root);
    let done = file.done().clone();
    let is_wanted = |name: String| part.has(&name) && !done.contains(&name);
    let pieces = pieces(&array.reader, stored).filter(|piece| is_wanted(name(&piece.chunk)));
    let (mut chunks, mut written) = (ChunkCounts::new(), Ok(()));
    super::count(array, pieces, counter, elements, |id, counted| {
        if chunks.keys().next().is_some_and(|of| of.coordinates != id.coordinates) {
            written = write(&mem::take(&mut chunks), counter, &name, file);
        }
        chunks.insert(id, counted);
        written.is_ok()
    });
    written.and_then(|()| write(&chunks, counter, &name, file))
}

/// Writes what was counted in one object, unless it is not stored.
fn write(
    chunks: &ChunkCounts,
    counter: &Counter,
    name: &dyn Fn(&ChunkId) -> String,
    file: &mut PartFile,
) -> Printed {
    let mut found = chunks
        .iter()
        .filter(|(_, of)| !of.tallies.iter().all(|tally| tally.chunks == [0, 1, 0]))
        .peekable();
    let Some(name) = found.peek().map(|(id, _)| name(id)) else { return Ok(()) };
    let chunk = |(id, of): (&ChunkId, &CountedChunk)| {
        let mut json = object! {"chunk": id.to_json(), "counted": counter.to_json(&of.tallies)};
        if let Some(error) = &of.error {
            json.set("error", record::error(error));
        }
        json
    };
    let chunks: Json = found.map(chunk).collect();
    file.write(&name, &object! {"chunks": chunks})
}

/// Prints the report from the files of all parts.
pub(super) fn merge(
    arguments: &Arguments,
    files: &[PathBuf],
    output: &mut Output,
) -> CommandResult {
    let parts = ReportParts::read(files, COMMAND)?;
    let arguments = with(arguments, &parts.options);
    let opened = parts.open(arguments.path.as_deref())?;
    let arrays = arrays(&opened);
    compare(&parts, &opened, &arrays)?;
    report(&arguments, &opened, &arrays, Some(&parts), output)
}

/// Checks that the parts know only objects of these arrays.
fn compare(parts: &ReportParts, opened: &Opened, arrays: &[Node]) -> Result<()> {
    let layouts: Vec<_> = arrays
        .iter()
        .filter_map(|node| node.array().and_then(|(path, array)| Layout::new(path, array).ok()))
        .collect();
    let is_known = |name: &str| {
        let key = join(&opened.node.path.0, name);
        layouts.iter().any(|layout| layout.chunk(&key).is_some())
    };
    let stranger = parts.objects().filter(|name| !is_known(name)).min();
    stranger.map_or(Ok(()), |stranger| Err(parts.stranger(stranger)))
}

/// The chunks of a large array below `root` that the parts have counted; `None` where each is looked for.
pub(super) fn stored(
    parts: &ReportParts,
    array: &ReadArray,
    root: &NodePath,
) -> Option<StoredChunks> {
    let keys: Vec<_> = parts.objects().map(|name| join(&root.0, name)).collect();
    StoredChunks::known(array, keys.iter().map(String::as_str))
}

/// The counts of the parts for each chunk of an array below `root` that `pieces` are of. Of a chunk that none has seen
/// stored, every element is the fill value.
pub(super) fn counted(
    parts: &ReportParts,
    counter: &Counter,
    root: &NodePath,
    pieces: impl Iterator<Item = Piece>,
) -> Result<ChunkCounts> {
    let reader = counter.reader;
    let (mut chunks, mut missing) = (ChunkCounts::new(), ChunkCounts::new());
    let mut object = String::new();
    for piece in pieces {
        let name = name(reader, &piece.chunk, root);
        if name != object && parts.has(&name) {
            chunks.extend(parts.get(&name, |line| of_object(line, counter))?);
        }
        object = name;
        if !chunks.contains_key(&piece.chunk) {
            let fill = counter.count(&piece, &PieceData::Missing);
            missing.entry(piece.chunk).or_default().add(fill);
        }
    }
    chunks.extend(missing);
    Ok(chunks)
}

/// The chunks of the line of an object.
fn of_object(line: &Json, counter: &Counter) -> Option<Vec<(ChunkId, CountedChunk)>> {
    let one = |json: &Json| {
        let id = ChunkId::from_json(json.get("chunk")?)?;
        let error = json.get("error").map(|error| record::to_error(error).ok_or(()));
        let error = error.transpose().ok()?;
        Some((id, CountedChunk { tallies: counter.from_json(json.get("counted")?)?, error }))
    };
    line.get_array("chunks")?.iter().map(one).collect()
}

/// The options that a part was made with: the report of all parts has them too.
fn options(arguments: &Arguments, output: &Output) -> Json {
    let &Arguments { chunks, json, csv, .. } = arguments;
    object! {"max_decoded": output.limit_given(), "chunks": chunks, "json": json, "csv": csv}
}

/// The arguments together with the options of the parts; of two forms of output that of the arguments.
fn with(arguments: &Arguments, options: &Json) -> Arguments {
    let has_form = arguments.json || arguments.csv;
    Arguments {
        chunks: arguments.chunks || is_set(options, "chunks"),
        json: arguments.json || !has_form && is_set(options, "json"),
        csv: arguments.csv || !has_form && is_set(options, "csv"),
        ..arguments.clone()
    }
}
