//! Digests that are spread over many machines: the part of one, and what all of them sum up to.
//!
//! Files are dealt out one by one. The blocks of a content digest run across chunks, so of an array each part gets rows
//! of chunks that follow each other.

use super::{Arguments, Summed, Which, content, nodes, report, report_now, stored_stretches};
use crate::cli::prelude::*;
use crate::{
    cli::part_file::is_set,
    zarr::{
        digest::{BLOCK, Content, ObjectSum, Objects, StoredObjects},
        record,
        store::{join, visit_keys},
    },
};
use rayon::prelude::*;

/// The number of files that are read before what they are is written.
const BATCH: usize = 64;

/// The number of bytes of elements after which what they sum up to is written, for an interrupted part to be gone on
/// with.
const SHARE: u64 = 1 << 30;

/// The depth to which folders are read.
const DEEPEST: usize = 128;

impl Mergeable for Arguments {
    const COMMAND: &'static str = "digest";

    fn spread(&self) -> &SpreadOptions {
        &self.spread
    }

    fn path(&self) -> Result<Option<&Path>> {
        Ok(self.path.as_deref())
    }

    fn options(&self, limit: u64) -> Json {
        let only = self.only.map(|only| if only == Which::Content { "content" } else { "stored" });
        object! {"max_decoded": limit, "only": only, "json": self.json}
    }

    fn with(&self, options: &Json) -> Result<Self> {
        let only = match options.get_str("only") {
            Some("content") => Some(Which::Content),
            Some(_) => Some(Which::Stored),
            None => self.only,
        };
        Ok(Self { only, json: self.json || is_set(options, "json"), ..self.clone() })
    }

    fn part(&self, opened: Opened, part: Partition, file: &mut PartFile) -> Result<(), Failure> {
        let (store, root) = (opened.hierarchy.store.as_ref(), &opened.node.path);
        if self.only != Some(Which::Content) {
            files((store, root), part, file)?;
        }
        if self.only == Some(Which::Stored) {
            return Ok(());
        }
        for (path, array) in nodes(&opened).iter().filter_map(Node::array) {
            // Why one cannot be read is said in the report.
            if let Ok(array) = ReadArray::of(store, path, array, file.output()) {
                elements(&array, root.relative(&path.0), part, file)?;
            }
        }
        Ok(())
    }

    fn report(
        &self,
        opened: Opened,
        parts: Option<&ReportParts>,
        output: &mut Output,
    ) -> CommandResult {
        let nodes = nodes(&opened);
        let Some(parts) = parts else { return report_now(self, &opened, &nodes, output) };
        let (files, arrays) = told(parts, &opened, &nodes)?;
        let arrays = RefCell::new(arrays);
        let content =
            |_: &ReadArray, name: &str| Ok(arrays.borrow_mut().remove(name).unwrap_or_default());
        report(self, (&opened, &nodes), (&files, &content), output)
    }
}

/// Writes the checksums of the files that belong to the part.
fn files(
    (store, root): (&dyn Store, &NodePath),
    part: Partition,
    file: &mut PartFile,
) -> Result<(), Failure> {
    let objects = StoredObjects { store, progress: &|_, _| true };
    let (keys, unlisted) = listed(&objects, root);
    let error = |error: &Error| object! {"error": record::error(error)};
    for (folder, why) in unlisted {
        let object = format!("folder {}", root.relative(&folder));
        if part.has(&object) && !file.has(&object) {
            file.write(&object, error(&why))?;
        }
    }
    let named = keys.into_iter().map(|key| (format!("file {}", root.relative(&key)), key));
    let own: Vec<_> = named.filter(|(object, _)| part.has(object) && !file.has(object)).collect();
    for batch in own.chunks(BATCH) {
        let sums: Vec<_> = batch.par_iter().map(|(_, key)| objects.checksum(key)).collect();
        for ((object, _), sum) in batch.iter().zip(sums) {
            let found = match sum {
                Ok((md5, bytes)) => object! {"md5": md5, "bytes": bytes},
                Err(why) => error(&why),
            };
            file.write(object, found)?;
        }
    }
    Ok(())
}

/// The keys of all files below `root`, and the folders that could not be listed.
fn listed(objects: &dyn Objects, root: &NodePath) -> (Vec<String>, Vec<(String, Error)>) {
    let (mut keys, mut unlisted) = (Vec::new(), Vec::new());
    let mut folders = vec![(root.0.clone(), 0)];
    while let Some((folder, depth)) = folders.pop() {
        match objects.list(&folder) {
            Err(error) => unlisted.push((folder, error)),
            Ok(entries) => {
                for Entry { name, is_folder, .. } in entries {
                    let key = join(&folder, &name);
                    if !is_folder {
                        keys.push(key);
                    } else if depth < DEEPEST {
                        folders.push((key, depth + 1));
                    }
                }
            }
        }
    }
    (keys, unlisted)
}

/// Writes what the rows of chunks of an array sum up to that belong to the part.
fn elements(
    array: &ReadArray,
    name: &str,
    part: Partition,
    file: &mut PartFile,
) -> Result<(), Failure> {
    let rows = array.reader.rows_of_chunks();
    let size = array.reader.resolved().data_type.fixed_size().unwrap_or(1) as u64;
    let bytes = rows.start(1).saturating_mul(size).max(1);
    let (own, stretches) = (part.range(rows.count()), stored_stretches(array));
    let step = usize::try_from((SHARE / bytes).max(1)).unwrap_or(usize::MAX);
    for first in own.clone().step_by(step) {
        let these = first..first.saturating_add(step as u64).min(own.end);
        let object = format!("rows {}-{} of {name}", these.start, these.end);
        if !file.has(&object) {
            let summed = content(array, &stretches, blocks_of(array, these.clone())?)?;
            let mut json = to_json(&summed);
            json.set("array", name);
            json.set("rows", [these.start, these.end]);
            file.write(&object, json)?;
        }
    }
    Ok(())
}

/// The elements of the blocks that begin in these rows of chunks.
fn blocks_of(array: &ReadArray, rows: Range<u64>) -> Result<Range<u64>, Failure> {
    let (all, len) = (array.reader.rows_of_chunks(), array.elements("for a digest")?);
    let block = |row| all.start(row).checked_next_multiple_of(BLOCK).unwrap_or(len).min(len);
    Ok(block(rows.start)..block(rows.end))
}

fn to_json(Summed { sum, unknown, report }: &Summed) -> Json {
    let mut json = object! {"content": sum.text()};
    if *unknown > 0 || report.missing > 0 {
        json.set("unknown", *unknown);
        json.set("missing", report.missing);
    }
    if report.failed() > 0 {
        json.set(
            "failures",
            report
                .failures
                .iter()
                .map(|(chunk, error)| {
                    object! {"chunk": chunk.to_json(), "error": record::error(error)}
                })
                .collect::<Json>(),
        );
        json.set("failed", report.all_failed().map(ChunkId::to_json).collect::<Json>());
    }
    json
}

/// Adds what a line says of an array to what is known of it.
fn add(line: &Json, all: &mut Summed) -> Option<()> {
    let list = |key: &str| line.get_array(key).unwrap_or_default();
    let number = |key: &str| line.get_u64(key).unwrap_or(0);
    all.sum = all.sum.plus(Content::parse(line.get_str("content")?)?);
    all.unknown += usize::try_from(number("unknown")).ok()?;
    all.report.missing += number("missing");
    for failure in list("failures") {
        let error = record::to_error(failure.get("error")?)?;
        all.report.fail(ChunkId::from_json(failure.get("chunk")?)?, Some(error));
    }
    for chunk in list("failed") {
        all.report.fail(ChunkId::from_json(chunk)?, None);
    }
    Some(())
}

/// The digests of files, and those of arrays by their names, from the parts.
fn told(
    parts: &ReportParts,
    opened: &Opened,
    nodes: &[Node],
) -> Result<(Files, HashMap<String, Summed>)> {
    let root = &opened.node.path;
    let names: BTreeSet<&str> = nodes.iter().map(|node| root.relative(&node.path.0)).collect();
    let (mut files, mut rows) = (Files::default(), BTreeMap::new());
    for object in parts.objects() {
        let line = parts.get(object, |line| Some(line.clone()))?;
        let key = |name: &str| join(&root.0, name);
        let known = if let Some(name) = object.strip_prefix("file ") {
            let sum = checksum(&line);
            sum.map(|sum| drop(files.sums.insert(key(name), sum)))
        } else if let Some(name) = object.strip_prefix("folder ") {
            let error = line.get("error").and_then(record::to_error);
            error.map(|error| drop(files.unlisted.insert(key(name), error)))
        } else {
            let name = line.get_str("array").filter(|name| names.contains(name));
            let first = line.get("rows").and_then(|rows| rows.as_array()?.first()?.as_u64());
            let place = name.map(str::to_owned).zip(first);
            place.map(|place| drop(rows.insert(place, line)))
        };
        known.ok_or_else(|| parts.stranger(object))?;
    }
    let mut arrays = HashMap::<String, Summed>::new();
    for ((name, _), line) in rows {
        add(&line, arrays.entry(name).or_default());
    }
    Ok((files, arrays))
}

fn checksum(line: &Json) -> Option<Result<ObjectSum>> {
    if let Some(error) = line.get("error") {
        return record::to_error(error).map(Err);
    }
    Some(Ok((line.get_str("md5")?.to_owned(), line.get_u64("bytes")?)))
}

/// The checksums of files that others have read.
#[derive(Default)]
struct Files {
    sums: BTreeMap<String, Result<ObjectSum>>,
    /// The folders that could not be listed.
    unlisted: BTreeMap<String, Error>,
}

impl Objects for Files {
    fn list(&self, prefix: &str) -> Result<Vec<Entry>> {
        if let Some(error) = self.unlisted.get(prefix) {
            return Err(error.clone());
        }
        let mut entries = BTreeSet::new();
        visit_keys(&self.sums, prefix, &mut |entry| {
            entries.insert(entry);
            true
        });
        visit_keys(&self.unlisted, prefix, &mut |folder| {
            entries.insert(Entry { is_folder: true, ..folder });
            true
        });
        Ok(entries.into_iter().collect())
    }

    fn checksums(&self, keys: &[String]) -> Vec<Result<ObjectSum>> {
        keys.iter()
            .map(|key| self.sums.get(key).cloned().unwrap_or_else(|| Ok((String::new(), 0))))
            .collect()
    }
}
