//! One array: its chunks are gone through, and what was seen of them is told.

use super::{
    CheckRun, ChunkScope, Event, Skipped,
    chunk::{CheckedChunk, decode, measure},
    fix_trial::{Checked, Trial},
    keys_found::KeysFound,
    missing::document,
    orders,
    values::ArrayValues,
};
use crate::zarr::{
    budget::Budget,
    byte_order,
    conventions::{Convention, Related, of_values},
    diagnosis::{self, Case, Symptoms},
    error::{CauseKind, Code, Diagnosis, Error, Note, Problem, Result, Severity},
    format::Format,
    hierarchy::Hierarchy,
    metadata::ArrayMetadata,
    presence::{Layout, Sighting},
    store::{NodePath, Store, link_outside},
};
use std::{
    ops::Range,
    path::PathBuf,
    sync::{Arc, OnceLock},
};

/// The number of chunks worked on before their problems are told; of those of a store far away the fewest and the most:
/// at the end of each batch the network waits for the last of it.
const BATCH: usize = 32;
const BATCH_FAR: Range<u64> = 512..2048;

/// The number of chunks counted where they are under keys that the metadata does not declare.
const COUNTED: u64 = 1_000_000;

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
        // Its files are no chunks, and the group says so.
        if array.format == Format::V2 && self.hierarchy.has_references(path) {
            self.skip(Skipped::Chunks, path.0.clone());
            return;
        }
        let others: Vec<_> = others.iter().filter_map(|o| Layout::new(path, o).ok()).collect();
        let (hierarchy, options) = (self.hierarchy, self.options);
        let decode = !options.metadata_only && is_decodable(array);
        if !options.metadata_only && !decode {
            self.skip(Skipped::Chunks, path.0.clone());
        }
        let trial = self.trial;
        let task = ChunkCheck { hierarchy, layout: &layout, array, decode, trial };
        let mut seen = KeysFound::new(array, &layout);
        let (mut batch, is_far) = (Vec::new(), hierarchy.store.is_far());
        let mut each = |sighting| {
            if trial.is_some_and(|trial| !trial.lists_on()) {
                return false;
            }
            if let Sighting::Chunk(coordinates) = sighting {
                if !task.is_wanted(&coordinates, options.chunks) {
                    return !options.budget.is_stopped();
                }
                seen.symptoms.stored(&coordinates);
                seen.coverage.add(&coordinates);
                batch.push(coordinates);
                let wide = || match seen.judged() {
                    0 => seen.stored.clamp(BATCH_FAR.start, BATCH_FAR.end),
                    // A look at the byte order costs more than decoding: not many are looked at in vain.
                    _ => 2 * BATCH as u64,
                };
                if batch.len() as u64 >= if is_far { wide() } else { BATCH as u64 } {
                    self.batch(&task, &mut batch, &mut seen);
                }
            } else if let Sighting::Link(key) = sighting {
                seen.link(&*hierarchy.store, key);
            } else {
                seen.stranger(&*hierarchy.store, &layout, &others, sighting);
            }
            !options.budget.is_stopped()
        };
        let sample = trial.and_then(|trial| trial.sample.as_ref());
        let drawn = match (sample, options.sample) {
            (Some(sample), _) => Some(Ok(sample.clone())),
            (None, Some(count)) => Some(layout.sample(&*hierarchy.store, count, count)),
            (None, None) => options.chunks.few(&task, &*hierarchy.store),
        };
        let is_drawn = drawn.is_some();
        let listed = match drawn {
            Some(drawn) => drawn.map(|drawn| {
                let _ = drawn.into_iter().all(|at| each(Sighting::Chunk(at)));
            }),
            None => layout.visit(&*hierarchy.store, &mut each),
        };
        self.batch(&task, &mut batch, &mut seen);
        seen.all_listed = listed.is_ok() && !is_drawn;
        if let Err(error) = listed {
            self.problem(path, Problem::failed(error));
        }
        if options.sample == Some(0) {
            self.skip(Skipped::Chunks, path.0.clone());
            return;
        }
        if !options.budget.is_stopped() && options.chunks.is_reported() {
            if trial.is_none() && !is_drawn {
                self.siblings.add(&layout, array, &seen);
            }
            let counted = std::mem::take(&mut seen.values);
            let (mut found, symptoms) = self.conclude(&layout, array, seen);
            let is_explained = found.iter().any(|it| it.diagnosis.is_some());
            found.extend(self.values(path, array, (&counted, is_explained)));
            let checked = Checked { layout: &layout, array, symptoms: &symptoms };
            let found = self.with_tried_fixes(&checked, found);
            self.report(path, found);
        }
    }

    /// True if chunks are read beyond those that are checked.
    fn reads_on(&self) -> bool {
        !self.options.metadata_only && self.options.sample.is_none()
    }

    /// The findings in the values of an array that conventions give a meaning to, and in those that were counted. Where a cause
    /// is told, that of two slices that are the same is it.
    fn values(
        &self,
        path: &NodePath,
        array: &ArrayMetadata,
        (counted, is_explained): (&ArrayValues, bool),
    ) -> Vec<Problem> {
        let (hierarchy, options) = (self.hierarchy, self.options);
        if !is_decodable(array) {
            return Vec::new();
        }
        let is_in_image = self.conventions.is_in_image(path);
        let asks = |convention| {
            self.conventions.reads_values(convention)
                && (convention != Convention::Ome || is_in_image)
        };
        let spending = (&options.budget, options.deep);
        let related = Related::new(hierarchy, path, array, spending);
        let reads = self.reads_on();
        let mut found = if reads { of_values(&related, &asks) } else { Vec::new() };
        let is_told = found.iter().any(|one| one.error.code == Code::CfCoordinateMissing);
        let file = document(path, array);
        found.extend(counted.problems(&file, array, is_told));
        if reads && !is_explained {
            let repeated = counted.slices.repeated(&related, array);
            let summed = counted.steps.problem(&related, array);
            let both = repeated.into_iter().chain(summed);
            found.extend(both.map(|error| Problem::new(error.in_file(&file))));
        }
        if reads && asks(Convention::Cf) {
            found.extend(counted.ranges(&related));
        }
        found
    }

    /// Checks the chunks of `batch`, and empties it.
    fn batch(&mut self, task: &ChunkCheck<'_>, batch: &mut Vec<Vec<u64>>, seen: &mut KeysFound) {
        let chunks = self.options.chunks;
        // A file system lists files in any order.
        batch.sort_unstable();
        // Which chunks are asked for their byte order is decided where all of them are reported, [`BATCH`] at a time.
        let judged = if matches!(chunks, ChunkScope::Some(..)) { BATCH } else { seen.judged() };
        let reports: Vec<_> = match chunks {
            ChunkScope::Checked(known) => {
                let report = |at: &Vec<u64>| known((&task.layout.key(at), task.array.format));
                batch.iter().map(|at| Some(report(at))).collect()
            }
            ChunkScope::All | ChunkScope::Seen(_) | ChunkScope::Some(..) => {
                self.checked(task, batch, judged)
            }
        };
        let mut reports = batch.drain(..).zip(reports).peekable();
        while reports.peek().is_some() {
            let some: Vec<_> = reports.by_ref().take(BATCH).collect();
            let judged = seen.judged();
            seen.stored += some.len() as u64;
            for (index, (at, report)) in some.into_iter().enumerate() {
                match (report, chunks) {
                    // Of those that were not begun before a stop there is nothing to tell.
                    (None, _) => {}
                    (Some(report), ChunkScope::Some(_, each)) => {
                        self.summary.chunks += 1;
                        each((&task.layout.key(&at), task.array.format), report);
                    }
                    (Some(mut report), _) => {
                        report.verdict = report.verdict.filter(|_| index < judged);
                        self.reported(task, &at, report, seen);
                    }
                }
            }
        }
        drop(reports);
        (self.each)(Event::Progress(self.summary));
    }

    /// The findings in the chunks of `batch`, on all threads that there are; `None` for those not begun before a stop.
    /// Of every [`BATCH`] the first `judged` are asked for their byte order.
    fn checked(
        &self,
        task: &ChunkCheck<'_>,
        batch: &[Vec<u64>],
        judged: usize,
    ) -> Vec<Option<CheckedChunk>> {
        let budget = self.options.budget;
        let Some(spread) = self.options.spread else {
            let check = |(index, at): (usize, &Vec<u64>)| {
                let goes_on = !budget.is_stopped();
                goes_on.then(|| task.chunk(at, index % BATCH < judged, &budget))
            };
            return batch.iter().enumerate().map(check).collect();
        };
        let reports: Vec<OnceLock<CheckedChunk>> = batch.iter().map(|_| OnceLock::new()).collect();
        let (limit, memory, stop) = (budget.limit(), budget.memory(), budget.stop());
        spread(batch.len(), &|index| {
            if let (Some(at), Some(report)) = (batch.get(index), reports.get(index))
                && !stop()
            {
                report.get_or_init(|| {
                    let budget = Budget::default().with_limit(limit).with_stop(stop);
                    task.chunk(at, index % BATCH < judged, &budget.with_memory(memory))
                });
            }
        });
        reports.into_iter().map(OnceLock::into_inner).collect()
    }

    fn reported(
        &mut self,
        task: &ChunkCheck<'_>,
        at: &[u64],
        report: CheckedChunk,
        seen: &mut KeysFound,
    ) {
        let layout = task.layout;
        if let Some(inner) = &report.inner {
            seen.shard(task.array, at, inner);
        }
        self.summary.chunks += 1;
        self.summary.bytes += report.bytes;
        let is_unread = report.problems.iter().any(|problem| problem.severity >= Severity::Error);
        let is_limited = report.problems.iter().any(|problem| problem.severity == Severity::Limit);
        if task.decode && !is_limited {
            self.summary.unreadable += u64::from(is_unread);
            self.summary.decoded += u64::from(!is_unread);
            self.summary.verified += u64::from(!is_unread && report.is_verified);
        }
        match report.problems.iter().find(|problem| problem.severity == Severity::Error) {
            Some(problem) => seen.symptoms.failed(at, &problem.error),
            None => match report.notes.iter().find(|note| note.code == Code::TrailingBytes) {
                Some(note) => {
                    seen.symptoms.remarked(at, &Error::new(note.code, note.text.clone(), ""));
                }
                None => seen.symptoms.sound(at),
            },
        }
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
        seen.values.add(task.array, (at, seen.stored), &report.values);
        if let Some(verdict) = report.verdict {
            seen.order.weigh(verdict, || layout.key(at));
        }
    }

    /// The findings that need the whole array to have been seen, and its symptoms.
    fn conclude(
        &mut self,
        layout: &Layout,
        array: &ArrayMetadata,
        mut seen: KeysFound,
    ) -> (Vec<Problem>, Symptoms) {
        let (path, stored) = (&layout.path, seen.stored);
        let mut found = Vec::new();
        let lost = seen.lost(array, seen.missing(path, array));
        for (key, note, count) in std::mem::take(&mut seen.remarks).into_values() {
            found.push(remark(&key, &note, count));
        }
        if let Some((looks, _)) =
            seen.looks.iter().find(|(_, count)| stored > 1 && **count == stored)
        {
            found.push(all_alike(layout, array, looks, stored));
        }
        let mut told: Vec<_> = seen.repeats.kinds().map(kind).collect();
        for Problem { severity, error, count, .. } in std::mem::take(&mut seen.repeats).finish() {
            if severity == Severity::Limit && count == stored {
                self.skip(Skipped::Chunks, path.0.clone());
            }
            let error = error.in_file(&path.0);
            found.push(Problem { severity, count, ..Problem::new(error) });
        }
        let (mut diagnoses, order) = self.diagnoses_and_order(layout, array, &mut seen);
        if let Some((key, count)) = seen.padded.take().filter(|_| stored == 0) {
            let cause = diagnoses.pop().and_then(|problem| problem.diagnosis);
            found.push(Problem { diagnosis: cause, ..padded(layout, &key, count) });
            return (found, seen.symptoms);
        }
        let rest: Vec<Problem> = lost.into_iter().chain(order).collect();
        told.extend(rest.iter().map(kind));
        told.extend(seen.orphans.kept().iter().chain(seen.foreign.kept()).map(kind));
        for cause in &mut diagnoses {
            count_cause(cause, &told);
        }
        found.extend(diagnoses);
        let is_elsewhere = stored == 0 && (seen.any_orphan || seen.any_foreign);
        if let Some(problem) = is_elsewhere.then(|| self.wrong_keys(layout, array)).flatten() {
            found.push(problem);
            return (found, seen.symptoms);
        }
        found.extend(seen.outside.take().map(outside));
        found.extend(seen.orphans.finish());
        found.extend(seen.foreign.finish());
        found.extend(rest);
        (found, seen.symptoms)
    }

    /// The causes, and the finding on the byte order: of chunks that are sure by themselves, or where none is, what
    /// `endian` finds.
    fn diagnoses_and_order(
        &mut self,
        layout: &Layout,
        array: &ArrayMetadata,
        seen: &mut KeysFound,
    ) -> (Vec<Problem>, Option<Problem>) {
        let is_open = seen.stored > 0 && seen.order.is_open(is_small(array, seen.stored));
        let order = std::mem::take(&mut seen.order).problem(array);
        seen.symptoms.is_swapped = order.is_some();
        let (diagnoses, order) = self.diagnoses(layout, array, &seen.symptoms, order);
        let is_open = is_open && order.is_none() && diagnoses.is_empty();
        let order = if is_open { self.judged(layout, array) } else { order };
        (diagnoses, order)
    }

    /// The finding that `endian` contradicts the byte order that the metadata declares.
    fn judged(&self, layout: &Layout, array: &ArrayMetadata) -> Option<Problem> {
        let has_order = array.data_type.as_ref().is_ok_and(|resolved| resolved.order.applies());
        if !self.reads_on() || !has_order || !is_decodable(array) {
            return None;
        }
        let place = (&*self.hierarchy.store, &layout.path);
        let judged = byte_order::judge_array(place, array, None, &self.options.budget).ok()?;
        orders::contradicted(array, &judged)
    }

    /// The problem that all chunks are under keys that the metadata does not declare.
    fn wrong_keys(&self, layout: &Layout, array: &ArrayMetadata) -> Option<Problem> {
        let found = layout.diagnose(&*self.hierarchy.store, COUNTED).ok()?;
        let (encoding, count) = found.elsewhere.into_iter().max_by_key(|(_, count)| *count)?;
        let zeros = vec![0; layout.counts.len()];
        let (declared, actual) = (layout.encoding.key(&zeros), encoding.key(&zeros));
        let total = total(layout);
        let error = Error::new(
            Code::WrongChunkKeys,
            format!(
                "0 of {total} chunks under keys such as {declared}, but {count} under keys such as {actual}"
            ),
            format!("chunks under keys such as {declared}, as the metadata declares"),
        );
        let fix = format!(
            "Readers show only fill values. Correct the metadata: the separator is \"{}\".",
            encoding.separator()
        );
        let cause = diagnosis::under_other_keys(array, layout, &encoding, count);
        let problem = Problem::new(error.in_file(&layout.path.0).with_fix(fix));
        Some(Problem { diagnosis: Some(Arc::new(cause)), ..problem })
    }

    /// The causes after what was found in the chunks, and the finding on their byte order with a trial of it.
    fn diagnoses(
        &mut self,
        layout: &Layout,
        array: &ArrayMetadata,
        symptoms: &Symptoms,
        mut order: Option<Problem>,
    ) -> (Vec<Problem>, Option<Problem>) {
        let Self { hierarchy, options, .. } = *self;
        if options.metadata_only {
            return (Vec::new(), order);
        }
        let spending = (options.budget, options.deep);
        let case = Case::new(hierarchy, array, layout, symptoms, spending);
        let found = diagnosis::diagnose(&case);
        // What is behind another filter than declared is in no byte order.
        let is_filter = |problem: &Problem| {
            problem.diagnosis.as_ref().is_some_and(|why| why.cause == CauseKind::Filter)
        };
        order = order.filter(|_| symptoms.failures > 0 || !found.iter().any(is_filter));
        if let Some(cause) = order.as_mut().and_then(|problem| problem.diagnosis.as_mut()) {
            diagnosis::tried(&case, Arc::make_mut(cause));
        }
        self.summary.work = self.summary.work.max(case.spent());
        (found, order)
    }
}

/// True if the `stored` chunks of an array together have few elements, so that reading them once more costs little.
fn is_small(array: &ArrayMetadata, stored: u64) -> bool {
    const SMALL: u64 = 1 << 18;
    let counts = array.shape.as_ref().map(Vec::len).unwrap_or_default();
    let chunk = array.grid.as_ref().ok().and_then(|grid| grid.chunk_shape(&vec![0; counts]));
    chunk.is_some_and(|shape| shape.iter().fold(stored, |all, &n| all.saturating_mul(n)) <= SMALL)
}

/// The severity and the kind of a problem.
fn kind(problem: &Problem) -> (Severity, Code) {
    (problem.severity, problem.error.code)
}

/// Counts a cause as a finding of its own unless it explains one that is as severe: it is no further fault beside that.
fn count_cause(cause: &mut Problem, told: &[(Severity, Code)]) {
    let Some(why) = &cause.diagnosis else { return };
    let explains = |(severity, code): &(Severity, Code)| {
        *severity >= cause.severity && why.explains.contains(code)
    };
    cause.count = u64::from(!told.iter().any(explains));
}

/// The input of the check of every chunk of an array, on any thread.
struct ChunkCheck<'a> {
    hierarchy: &'a Hierarchy,
    layout: &'a Layout,
    array: &'a ArrayMetadata,
    /// True if chunks are decoded, and not only measured.
    decode: bool,
    /// The trial of a fix that this is.
    trial: Option<&'a Trial>,
}

impl ChunkScope<'_> {
    /// True if findings are told.
    fn is_reported(self) -> bool {
        matches!(self, Self::All | Self::Checked(_))
    }

    /// The chunks that are checked, where these are few of many; `None` where all are listed.
    fn few(self, task: &ChunkCheck<'_>, store: &dyn Store) -> Option<Result<Vec<Vec<u64>>>> {
        matches!(self, Self::Some(..)).then_some(())?;
        task.layout.few(store, &|at| task.is_wanted(at, self))
    }
}

impl ChunkCheck<'_> {
    /// True if the chunk at `at` is one of those that are checked.
    fn is_wanted(&self, at: &[u64], chunks: ChunkScope<'_>) -> bool {
        match chunks {
            ChunkScope::Some(wanted, _) => wanted((&self.layout.key(at), self.array.format)),
            ChunkScope::Seen(tell) => {
                tell((&self.layout.key(at), self.array.format));
                false
            }
            ChunkScope::All | ChunkScope::Checked(_) => true,
        }
    }

    fn chunk(&self, at: &[u64], judge: bool, budget: &Budget<'_>) -> CheckedChunk {
        let (hierarchy, path) = (self.hierarchy, &self.layout.path);
        let known = self
            .trial
            .and_then(|trial| trial.report(&self.layout.key(at), (hierarchy, self.array)));
        if let Some(known) = known {
            known
        } else if self.decode {
            decode(hierarchy, path, self.array, at, judge, budget)
        } else {
            measure(hierarchy, path, self.array, at)
        }
    }
}

/// True if its chunks are worth decoding: not where the documents' problems say already that none can be.
fn is_decodable(array: &ArrayMetadata) -> bool {
    let told = |error: &Error| {
        let same = |problem: &Problem| problem.error.code == error.code;
        array.problems.iter().any(|p| p.severity >= Severity::Limit && same(p))
    };
    array.refused.is_none()
        && array.data_type.is_ok()
        && array.chain().is_some_and(|chain| !chain.error().is_some_and(told))
}

/// The warning that no chunk is found, and files have keys with leading zeros.
fn padded(layout: &Layout, key: &str, count: u64) -> Problem {
    let files = crate::zarr::words::counted(count, "file");
    let found = format!("no chunks, but {files} with keys that look zero-padded");
    let expected = format!("keys such as {}", layout.key(&vec![0; layout.counts.len()]));
    let error = Error::new(Code::WrongChunkKeys, found, expected).in_file(key);
    Problem::new(error.with_fix("Readers show only fill values: rename the files."))
}

/// The note on links that lead out of the store.
fn outside((key, leads_to, count): (String, PathBuf, u64)) -> Problem {
    let mut error = link_outside(&key, &leads_to);
    if count > 1 {
        error.found.push_str("; ");
        error.found.push_str(&crate::zarr::words::counted(count, "link"));
        error.found.push_str(" in all lead there");
    }
    Problem { count, ..Problem::new(error) }
}

fn total(layout: &Layout) -> String {
    layout.total().map_or_else(|| "more than 2^128".into(), |total| total.to_string())
}

/// The remark of a codec on `count` chunks, that under `key` the first of them.
fn remark(key: &str, note: &Note, count: u64) -> Problem {
    let more = if count > 1 { format!(" This applies to {count} chunks.") } else { String::new() };
    let error = Error::new(note.code, format!("{}{more}", note.text), "").in_file(key);
    match note.code {
        Code::ClippedChunk => {
            let cause = Diagnosis::new("edge-chunks/clipped", "The chunks at the array's edge are cut to the array; the specifications require chunks of full size.")
                .because(format!("{} of this kind.", crate::zarr::words::counted(count, "chunk")))
                .explaining(&[Code::CodecHeader])
                .certain();
            Problem { diagnosis: Some(Arc::new(cause)), ..Problem::new(error) }
        }
        // The chunk was decoded all the same.
        _ => Problem::new(error).with_severity(Severity::Note),
    }
}

/// The error that no chunk can be read, for one and the same reason: then it is hardly the chunks.
fn all_alike(layout: &Layout, array: &ArrayMetadata, looks: &str, stored: u64) -> Problem {
    let found = format!("the same fault in all {stored} chunks. {looks}");
    let no_data = ["HTML", "XML", "LFS", "zeros", "is empty"];
    let fix = if no_data.iter().any(|word| looks.contains(word)) {
        "No chunk contains data: fetch or write the array again."
    } else {
        "The chunks agree with each other but not with the metadata: correct the codecs in the metadata."
    };
    let field = if array.format == Format::V3 { "codecs" } else { "compressor" };
    let error = Error::new(Code::CodecsDisagree, found, "the output of the codecs in the metadata");
    let error = error.in_file(document(&layout.path, array)).at(field);
    Problem::new(error.with_fix(fix))
}
