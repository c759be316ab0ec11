//! One array: which chunks are stored, what lies beside them, and what is in them.

use super::{
    CheckRun, Event, Repeats, Skipped,
    chunk::{CheckedChunk, decode, measure},
    files::{Few, foreign},
};
use crate::zarr::{
    budget::Budget,
    byte_order::Verdict,
    data_type::Endian,
    error::{Code, Error, Note, Problem, Severity},
    format::Format,
    hierarchy::Hierarchy,
    metadata::{ArrayMetadata, FillValue},
    presence::{Layout, Sighting},
    store::{NodePath, join},
};
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::OnceLock,
};

/// How many chunks are worked on before their problems are told.
const BATCH: usize = 32;

/// How many chunks of an array are asked for their byte order.
const JUDGED: u64 = 64;

/// How many chunks are counted where they lie under keys that the metadata does not declare.
const COUNTED: u64 = 1_000_000;

/// What was seen below an array.
#[derive(Default)]
struct KeysFound {
    stored: u64,
    /// Whether every folder could be listed.
    all_listed: bool,
    orphans: Few,
    any_orphan: bool,
    foreign: Few,
    any_foreign: bool,
    /// The remarks of the documents, which codecs need not make again.
    told: BTreeSet<Code>,
    /// What codecs remarked: where first, and how often.
    remarks: BTreeMap<Code, (String, Note, u64)>,
    repeats: Repeats,
    /// What chunks look like that cannot be read, and how many of them.
    looks: BTreeMap<String, u64>,
    order: Orders,
}

/// What the chunks say of their byte order.
#[derive(Default)]
struct Orders {
    against: u64,
    agreeing: u64,
    /// The first chunk that speaks against the declared order, and what it says.
    example: Option<(String, Verdict)>,
}

impl CheckRun<'_> {
    /// Checks the chunks of an array. `others` are the arrays that other documents of the same folder describe.
    pub(super) fn array(
        &mut self,
        path: &NodePath,
        array: &ArrayMetadata,
        others: &[&ArrayMetadata],
    ) {
        // What is not known of shape, grid or keys is a problem of the documents and told there.
        let Ok(layout) = Layout::new(path, array) else {
            self.skip(Skipped::Chunks, path.0.clone());
            return;
        };
        let others: Vec<_> = others.iter().filter_map(|o| Layout::new(path, o).ok()).collect();
        let (hierarchy, options) = (self.hierarchy, self.options);
        let decode = !options.metadata_only && is_decodable(array);
        if !options.metadata_only && !decode {
            self.skip(Skipped::Chunks, path.0.clone());
        }
        let task = ChunkCheck { hierarchy, layout: &layout, array, decode };
        let mut seen = KeysFound::new(array);
        let mut batch = Vec::new();
        let listed = layout.visit(&*hierarchy.store, &mut |sighting| {
            if let Sighting::Chunk(coordinates) = sighting {
                seen.stored += 1;
                batch.push(coordinates);
                if batch.len() == BATCH {
                    self.batch(&task, &mut batch, &mut seen);
                }
            } else {
                seen.stranger(&layout, &others, sighting);
            }
            !options.budget.is_stopped()
        });
        self.batch(&task, &mut batch, &mut seen);
        seen.all_listed = listed.is_ok();
        if let Err(error) = listed {
            self.problem(path, Problem::error(error));
        }
        if !options.budget.is_stopped() {
            self.conclude(&layout, array, seen);
        }
    }

    /// Checks the chunks of `batch`, and empties it.
    fn batch(&mut self, task: &ChunkCheck<'_>, batch: &mut Vec<Vec<u64>>, seen: &mut KeysFound) {
        let judge = seen.order.asked() < JUDGED;
        match self.options.spread {
            None => {
                for at in batch.drain(..) {
                    let report = task.chunk(&at, judge, &self.options.budget);
                    self.reported(task.layout, &at, report, seen);
                }
            }
            Some(spread) => {
                let reports: Vec<OnceLock<CheckedChunk>> =
                    batch.iter().map(|_| OnceLock::new()).collect();
                let (limit, memory) = (self.options.budget.limit(), self.options.budget.memory());
                spread(batch.len(), task.cost(), &|index| {
                    if let (Some(at), Some(report)) = (batch.get(index), reports.get(index)) {
                        report.get_or_init(|| {
                            let budget = Budget::default().with_limit(limit);
                            let budget = memory.map_or(budget, |memory| budget.with_memory(memory));
                            task.chunk(at, judge, &budget)
                        });
                    }
                });
                for (at, report) in batch.drain(..).zip(reports) {
                    self.reported(task.layout, &at, report.into_inner().unwrap_or_default(), seen);
                }
            }
        }
        (self.each)(Event::Progress(self.summary));
    }

    fn reported(
        &mut self,
        layout: &Layout,
        at: &[u64],
        report: CheckedChunk,
        seen: &mut KeysFound,
    ) {
        self.summary.chunks += 1;
        self.summary.bytes += report.bytes;
        for problem in report.problems {
            if seen.repeats.is_news(&problem) {
                self.problem(&layout.path, problem);
            }
        }
        for note in report.notes {
            let first = || (layout.key(at), note.clone(), 0);
            if !seen.told.contains(&note.code) {
                seen.remarks.entry(note.code).or_insert_with(first).2 += 1;
            }
        }
        if let Some(looks) = report.looks {
            *seen.looks.entry(looks).or_default() += 1;
        }
        if let Some(verdict) = report.verdict {
            seen.order.weigh(verdict, || layout.key(at));
        }
    }

    /// What can only be said when everything was seen.
    fn conclude(&mut self, layout: &Layout, array: &ArrayMetadata, seen: KeysFound) {
        let KeysFound {
            stored,
            all_listed,
            orphans,
            any_orphan,
            foreign,
            any_foreign,
            order,
            repeats,
            ..
        } = seen;
        for (key, note, count) in seen.remarks.into_values() {
            self.problem(&layout.path, remark(&key, &note, count));
        }
        if let Some((looks, _)) =
            seen.looks.iter().find(|(_, count)| stored > 1 && **count == stored)
        {
            self.problem(&layout.path, all_alike(layout, array, looks, stored));
        }
        for Problem { severity, error, count } in repeats.finish() {
            let error = error.in_file(&layout.path.0);
            self.problem(&layout.path, Problem { severity, error, count });
        }
        let wrong_keys =
            (stored == 0 && (any_orphan || any_foreign)).then(|| self.wrong_keys(layout)).flatten();
        if let Some(problem) = wrong_keys {
            return self.problem(&layout.path, problem);
        }
        self.report(&layout.path, orphans.finish());
        self.report(&layout.path, foreign.finish());
        // What could not be listed is not missing.
        if let Some(problem) = missing(layout, array, stored).filter(|_| all_listed) {
            self.problem(&layout.path, problem);
        }
        if let Some(problem) = order.problem() {
            self.problem(&layout.path, problem);
        }
    }

    /// The problem that all chunks lie under keys that the metadata does not declare.
    fn wrong_keys(&self, layout: &Layout) -> Option<Problem> {
        let found = layout.diagnose(&*self.hierarchy.store, COUNTED).ok()?;
        let (encoding, count) = found.elsewhere.into_iter().max_by_key(|(_, count)| *count)?;
        let zeros = vec![0; layout.counts.len()];
        let (declared, actual) = (layout.encoding.key(&zeros), encoding.key(&zeros));
        let total = total(layout);
        let error = Error::new(
            Code::WrongChunkKeys,
            format!(
                "0 of {total} chunks under keys such as {declared}, {count} under keys such as {actual}"
            ),
            format!("chunks under keys such as {declared}, which is what the metadata declares"),
        );
        let fix = format!(
            "Readers show the fill value everywhere. Correct the metadata: the separator is \"{}\".",
            encoding.separator()
        );
        Some(Problem::error(error.in_file(&layout.path.0).with_fix(fix)))
    }
}

/// What every chunk of an array is checked with, on whichever thread.
struct ChunkCheck<'a> {
    hierarchy: &'a Hierarchy,
    layout: &'a Layout,
    array: &'a ArrayMetadata,
    /// Whether chunks are decoded, and not only measured.
    decode: bool,
}

impl ChunkCheck<'_> {
    /// The bytes that a chunk decodes to, as far as that is known.
    fn cost(&self) -> u64 {
        let chain = self.array.chain().filter(|_| self.decode);
        chain.and_then(|chain| chain.links.first()?.decoded_size.exact).unwrap_or_default()
    }

    fn chunk(&self, at: &[u64], judge: bool, budget: &Budget<'_>) -> CheckedChunk {
        let (hierarchy, path) = (self.hierarchy, &self.layout.path);
        if self.decode {
            decode(hierarchy, path, self.array, at, judge, budget)
        } else {
            measure(hierarchy, path, self.array, at)
        }
    }
}

/// Whether its chunks are worth decoding: not where the documents' problems say already that none can be.
fn is_decodable(array: &ArrayMetadata) -> bool {
    let told = |error: &Error| {
        let same = |problem: &Problem| problem.error.code == error.code;
        array.problems.iter().any(|p| p.severity == Severity::Error && same(p))
    };
    array.refused.is_none()
        && array.data_type.is_ok()
        && array.chain().is_some_and(|chain| !chain.error().is_some_and(told))
}

impl KeysFound {
    /// Nothing yet, but what the documents told already need not be said again of chunks.
    fn new(array: &ArrayMetadata) -> Self {
        let told = array.problems.iter().map(|problem| problem.error.code).collect();
        Self { told, ..Self::default() }
    }

    /// Takes in what is no chunk of the grid, unless it is one of the array that other documents describe.
    fn stranger(&mut self, layout: &Layout, others: &[Layout], sighting: Sighting) {
        match sighting {
            Sighting::Chunk(_) => {}
            Sighting::Orphan(coordinates) => {
                self.any_orphan = true;
                self.orphans.push(orphan(layout, &coordinates));
            }
            Sighting::Foreign { key, is_folder } => {
                if others.iter().any(|other| other.may_hold(&key, is_folder)) {
                    return;
                }
                self.any_foreign = true;
                self.foreign.push(foreign(&key, is_folder, "a chunk or a document of the array"));
            }
        }
    }
}

fn orphan(layout: &Layout, coordinates: &[u64]) -> Problem {
    let counts = layout.counts.iter().map(u64::to_string).collect::<Vec<_>>().join("×");
    let found = "a chunk outside of the grid";
    let error =
        Error::new(Code::OrphanChunk, found, format!("a chunk of the {counts} in the grid"));
    let fix = "Left over from a larger array: its values come back if the array grows again.";
    Problem::warning(error.in_file(layout.key(coordinates)).with_fix(fix))
}

/// What has to be said of chunks that are not there, and so read as the fill value.
fn missing(layout: &Layout, array: &ArrayMetadata, stored: u64) -> Option<Problem> {
    let total = layout.total()?;
    let missing = total.checked_sub(u128::from(stored)).filter(|&missing| missing > 0)?;
    let found = format!("{missing} of {total} chunks not stored");
    let expected = "all chunks, or the intention to leave them at the fill value";
    let error = Error::new(Code::ChunksMissing, found, expected);
    let fix = match &array.fill_value {
        FillValue::Null => {
            "The fill value is null: what they read as is undefined, and readers differ.".into()
        }
        FillValue::Value { scalar, .. } => format!("They read as {scalar}."),
        FillValue::Missing | FillValue::Unreadable { .. } => {
            "What they read as is not known, because the fill value is not.".to_owned()
        }
    };
    let document = if array.format == Format::V3 { "zarr.json" } else { ".zarray" };
    let error = error.in_file(join(&layout.path.0, document)).at("fill_value").with_fix(fix);
    Some(Problem::note(error))
}

fn total(layout: &Layout) -> String {
    layout.total().map_or_else(|| "more than 2^128".into(), |total| total.to_string())
}

/// What a codec remarked on `count` chunks, that under `key` the first of them.
fn remark(key: &str, note: &Note, count: u64) -> Problem {
    let more = if count > 1 { format!(" So it is in {count} chunks.") } else { String::new() };
    let error = Error::new(note.code, format!("{}{more}", note.text), "").in_file(key);
    match note.code {
        Code::ClippedChunk => Problem::warning(error),
        _ => Problem::note(error),
    }
}

/// The error that no chunk can be read, for one and the same reason: then it is hardly the chunks.
fn all_alike(layout: &Layout, array: &ArrayMetadata, looks: &str, stored: u64) -> Problem {
    let found = format!("the same in all {stored} chunks. {}", looks.trim_end_matches('.'));
    let no_data = ["HTML", "XML", "LFS", "zeros", "is empty"];
    let fix = if no_data.iter().any(|word| looks.contains(word)) {
        "No chunk holds data: the array has to be fetched, or written, again."
    } else {
        "The chunks agree with one another and not with the metadata: correct the codecs there."
    };
    let (document, field) = match array.format {
        Format::V3 => ("zarr.json", "codecs"),
        Format::V2 => (".zarray", "compressor"),
    };
    let error = Error::new(Code::CodecsDisagree, found, "what the codecs in the metadata make");
    let error = error.in_file(join(&layout.path.0, document)).at(field);
    Problem::error(error.with_fix(fix))
}

impl Orders {
    fn asked(&self) -> u64 {
        self.against + self.agreeing
    }

    fn weigh(&mut self, verdict: Verdict, key: impl FnOnce() -> String) {
        if verdict.contradicts() {
            self.against += 1;
            self.example.get_or_insert_with(|| (key(), verdict));
        } else if verdict.plausible.is_some() {
            self.agreeing += 1;
        }
    }

    /// The warning that more chunks speak against the declared byte order than for it.
    fn problem(self) -> Option<Problem> {
        let (key, verdict) = self.example.filter(|_| self.against > self.agreeing)?;
        let declared = verdict.declared.map_or("another", Endian::word);
        let plausible = verdict.plausible.map_or("the other", Endian::word);
        let found = format!(
            "values that look {plausible}-endian in {} of {} chunks",
            self.against,
            self.against + self.agreeing
        );
        let error = Error::new(Code::ByteOrder, found, format!("{declared}-endian, as declared"));
        let evidence = verdict.evidence.first().cloned().unwrap_or_default();
        Some(Problem::warning(error.in_file(key).with_fix(evidence)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Endian::{Big, Little};

    #[test]
    fn as_many_chunks_for_a_byte_order_as_against_it_are_no_problem() {
        let weighed = |plausible: &[Endian]| {
            let mut orders = Orders::default();
            for &plausible in plausible {
                let (declared, plausible) = (Some(Little), Some(plausible));
                let (evidence, components) = (Vec::new(), Vec::new());
                let verdict = Verdict { declared, plausible, evidence, components };
                orders.weigh(verdict, String::new);
            }
            orders.problem().is_some()
        };
        assert!(weighed(&[Little, Big, Big]) && weighed(&[Big]));
        assert!(!weighed(&[Big, Little]) && !weighed(&[Little]) && !weighed(&[]));
    }
}
