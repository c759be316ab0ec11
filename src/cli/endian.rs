//! `endian`: the byte order that metadata declares, and the one that the values speak for.

use super::chunk_file::hint::Hint;
use super::prelude::*;
use crate::zarr::{
    byte_order::{self, JudgedArray, Verdict, readings},
    check::check,
    error::CauseKind,
};
use finding::{Finding, FindingTally};

mod finding;

/// The arguments of `endian`.
#[derive(Debug, Args)]
pub struct Arguments {
    /// Arrays, chunk files, or groups and stores (every array in them)
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    /// The format of chunk files without metadata.
    #[command(flatten)]
    description: FileDescription,
    /// The settings that the array is read by.
    #[command(flatten)]
    read_as: ReadAsFlags,
    /// Print the evidence for every array, even if its byte order is plausible
    #[arg(long)]
    why: bool,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

/// Judges every array and chunk file that was named.
pub(super) fn run(arguments: &Arguments, output: &mut Output) -> CommandResult {
    let mut report = EndianReport::new(arguments, output);
    for path in &arguments.paths {
        match report.path(path) {
            // One stranger among many files must not silence the rest.
            Err(error) if arguments.paths.len() > 1 => report.add(&Finding::unopened(path, error)),
            found => found?,
        }
        report.written.as_ref().map_err(|error| io::Error::from(error.kind()))?;
    }
    report.conclude()
}

/// The findings so far, printed as they come.
struct EndianReport<'a> {
    arguments: &'a Arguments,
    output: &'a mut Output,
    forms: Vec<Json>,
    tally: FindingTally,
    /// True if there may be many findings, so that those without a surprise are one line each.
    brief: bool,
    written: Printed,
}

impl<'a> EndianReport<'a> {
    fn new(arguments: &'a Arguments, output: &'a mut Output) -> Self {
        let brief = !arguments.why && arguments.paths.len() > 1;
        let (forms, tally) = (Vec::new(), FindingTally::default());
        Self { arguments, output, forms, tally, brief, written: Ok(()) }
    }

    /// Everything at `path`.
    fn path(&mut self, path: &Path) -> Result<()> {
        let limit = self.output.max_decoded();
        let description = &self.arguments.description;
        if description.dtype.is_some() {
            let finding = judge_array(description.open(path, &self.arguments.read_as)?, limit);
            let declares = description.declares_order();
            self.add(&if declares { finding } else { finding.undeclared() });
            return Ok(());
        }
        let Opened { hierarchy, node, chunk, name, word, .. } =
            match self.arguments.read_as.open(path) {
                Ok(opened) => opened,
                Err(error) => return self.stranger(path, error),
            };
        self.brief |= !self.arguments.why && !node.kind.is_array();
        let mut arrays = 0;
        hierarchy.walk(&node.path, &mut |found, _| {
            if let NodeKind::Array(array) = &found.kind {
                arrays += 1;
                let opened = OpenedArray {
                    hierarchy: hierarchy.clone(),
                    path: found.path.clone(),
                    metadata: array.clone(),
                    chunk: chunk.clone(),
                    name: name_below(&name, &node.path, &found.path),
                    word: word.clone(),
                };
                self.add(&judge_array(opened, limit));
            }
            self.written.is_ok()
        });
        if arrays == 0 && self.written.is_ok() {
            return Err(Error::new(Code::NotAnArray, "There is no array here.", "").in_file(name));
        }
        Ok(())
    }

    /// A file that no metadata is around, as what it could be.
    fn stranger(&mut self, path: &Path, error: Error) -> Result<()> {
        let is_lone = error.code == Code::NotAStore && path.is_file();
        let hint = Some(path).filter(|_| is_lone).and_then(Hint::of);
        let Some((hint, guess)) = hint.and_then(|hint| Some((hint.clone(), hint.guess?))) else {
            return Err(error);
        };
        let readings = readings(&guess.elements);
        self.add(&Finding::guessed(path, &hint, guess.verdict, readings));
        Ok(())
    }

    fn add(&mut self, finding: &Finding) {
        self.tally.count(finding);
        if self.arguments.json {
            self.forms.push(finding.to_json());
        } else {
            self.written = finding.print(self.output, self.brief);
        }
    }

    fn conclude(self) -> CommandResult {
        if self.arguments.json {
            self.output.json(&self.forms.into())?;
        } else {
            self.tally.print(self.output)?;
        }
        Ok(self.tally.status())
    }
}

/// The path that was typed, and after it the way from its node to `path`.
fn name_below(typed: &str, node: &NodePath, path: &NodePath) -> String {
    let below = path.0.strip_prefix(node.0.as_str()).unwrap_or(&path.0);
    let below = safe(below.trim_start_matches('/'));
    if below.is_empty() {
        return typed.to_owned();
    }
    format!("{}/{below}", typed.trim_end_matches('/'))
}

/// The cause that `check` finds in the filters of a V2 array: its bytes are in no order then, as they are declared.
fn other_filter(opened: &OpenedArray, budget: Budget<'_>) -> Option<String> {
    /// The chunks that are looked at for it.
    const CHUNKS: u64 = 16;
    let options = CheckOptions { sample: Some(CHUNKS), budget, ..CheckOptions::default() };
    let mut found = None;
    let mut hear = |event: Event| {
        if let Event::Problem(_, Problem { diagnosis: Some(cause), .. }) = event
            && cause.cause == CauseKind::Filter
        {
            found = Some(cause.sentence.clone());
        }
    };
    if opened.metadata.format == Format::V2 {
        check(&opened.hierarchy, &opened.path, &options, &mut hear);
    }
    found
}

fn judge_array(opened: OpenedArray, limit: u64) -> Finding {
    let data_type = opened.metadata.data_type().map(|known| safe_owned(&known.name()));
    let budget = Budget::default().with_limit(limit);
    let place = (opened.hierarchy.store.as_ref(), &opened.path);
    match byte_order::judge_array(place, &opened.metadata, opened.chunk.as_ref(), &budget) {
        Ok(JudgedArray { chunks, of, readings, mut verdict }) => {
            if verdict.contradicts()
                && let Some(sentence) = other_filter(&opened, budget)
            {
                let reason = format!(
                    "{sentence} Bytes that went through other filters than declared have no byte order to judge."
                );
                verdict = Verdict::abstention(verdict.declared, reason);
            }
            Finding::new(opened.name, data_type, Ok(verdict)).with(chunks, of, readings)
        }
        Err(error) => Finding::new(opened.name, data_type, Err(error)),
    }
}
