//! Statistics that are spread over many machines: the part of one, and what all of them counted.

use super::{Arguments, ChunkCounts, CountedChunk, arrays, pieces, report};
use crate::cli::prelude::*;
use crate::{
    cli::part_file::is_set,
    zarr::{
        record,
        statistics::{Counter, choices},
        store::join,
    },
};

/// The name in the file of a part of the stored object that holds `chunk`: its key as seen from the node `root`.
fn name(reader: &ArrayReader, chunk: &ChunkId, root: &NodePath) -> String {
    let object = ChunkId::at(chunk.coordinates.clone());
    root.relative(&reader.key(&object)).to_owned()
}

impl Mergeable for Arguments {
    const COMMAND: &'static str = "stats";

    fn spread(&self) -> &SpreadOptions {
        &self.spread
    }

    fn path(&self) -> Result<Option<&Path>> {
        Ok(self.path.as_deref())
    }

    fn options(&self, limit: u64) -> Json {
        let &Self { chunks, json, csv, .. } = self;
        object! {"max_decoded": limit, "chunks": chunks, "json": json, "csv": csv}
    }

    /// Of two forms of output that of the arguments.
    fn with(&self, options: &Json) -> Result<Self> {
        let has_form = self.json || self.csv;
        Ok(Self {
            chunks: self.chunks || is_set(options, "chunks"),
            json: self.json || !has_form && is_set(options, "json"),
            csv: self.csv || !has_form && is_set(options, "csv"),
            ..self.clone()
        })
    }

    fn part(&self, opened: Opened, part: Partition, file: &mut PartFile) -> Result<(), Failure> {
        let (store, root) = (opened.hierarchy.store.as_ref(), &opened.node.path);
        for (path, array) in arrays(&opened).iter().filter_map(Node::array) {
            // Why one cannot be read is said in the report.
            let Ok(array) = ReadArray::of(store, path, array, file.output()) else { continue };
            let wanted = |chunk: &ChunkId| part.has(&name(&array.reader, chunk, root));
            let stored = StoredChunks::few(&array, &wanted).or_else(|| StoredChunks::of(&array));
            count((&array, stored.as_ref()), (part, root), file)?;
        }
        Ok(())
    }

    fn report(
        &self,
        opened: Opened,
        parts: Option<&ReportParts>,
        output: &mut Output,
    ) -> CommandResult {
        let arrays = arrays(&opened);
        parts.map_or(Ok(()), |parts| compare(parts, &opened, &arrays))?;
        report(self, &opened, &arrays, parts, output)
    }
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
    file.write(&name, object! {"chunks": chunks})
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
