//! `check`: every problem of a store, as it is found.

use super::{
    Failure, Outcome, Verdict, forms,
    open::open,
    output::{self, Output, Role},
    progress::Progress,
    table,
};
use crate::zarr::{
    Problem, Severity,
    check::{self, Event, Options, Summary},
    text::safe,
};
use clap::Args;
use rayon::prelude::*;
use serde_json::json;
use std::{cell::Cell, io, path::PathBuf};

/// The arguments of `check`.
#[derive(Debug, Args)]
pub struct Arguments {
    /// A store, a node in one, a .zip store, or a folder of stores
    #[arg(default_value = ".")]
    path: PathBuf,
    /// Leave the chunks alone: only documents, keys and sizes
    #[arg(long)]
    metadata_only: bool,
    /// Print JSON: one problem a line, then a summary line
    #[arg(long)]
    json: bool,
}

/// Prints every problem of a store and a summary.
pub(super) fn run(arguments: &Arguments, output: &mut Output) -> Outcome {
    let opened = open(&arguments.path)?;
    let failed = Cell::new(false);
    let mut failure: Option<io::Error> = None;
    let mut progress = Progress::new(0, "chunks");
    let stop = || failed.get();
    let limit = output.max_decoded();
    let spread = |count: usize, work: &(dyn Fn(usize) + Sync)| {
        (0..count).into_par_iter().for_each(work);
    };
    let metadata_only = arguments.metadata_only;
    let options = Options { metadata_only, limit, stop: &stop, spread: Some(&spread) };
    let summary = check::check(&opened.hierarchy, &opened.node.path, &options, &mut |event| {
        let written = match event {
            Event::Problem(_, problem) => write(&problem, arguments.json, output),
            Event::Progress(summary) => {
                progress.reach(summary.chunks);
                Ok(())
            }
        };
        if let Err(error) = written {
            failed.set(true);
            failure.get_or_insert(error);
        }
    });
    drop(progress);
    if let Some(error) = failure {
        return Err(Failure::Output(error));
    }
    conclude(&summary, arguments.json, output)?;
    Ok(Verdict::flawed_if(summary.errors > 0))
}

fn write(problem: &Problem, json: bool, output: &mut Output) -> io::Result<()> {
    if json {
        return output.json_line(&forms::problem(problem));
    }
    print(problem, output)
}

/// A problem as text: severity, kind, place, found, expected, fix.
pub(super) fn print(problem: &Problem, output: &mut Output) -> io::Result<()> {
    let Problem { severity, error, .. } = problem;
    let role = match severity {
        Severity::Error => Role::Error,
        Severity::Warning => Role::Warning,
        Severity::Note => Role::Quiet,
    };
    let text = format!("{} ({})", safe(&error.to_string()), error.code);
    for (at, line) in table::wrap(&text, output::width().saturating_sub(9)).iter().enumerate() {
        let label = if at == 0 { severity.word() } else { "" };
        output.line(&format!("{} {line}", output.paint(role, &format!("{label:<8}"))))?;
    }
    Ok(())
}

fn conclude(summary: &Summary, json: bool, output: &mut Output) -> io::Result<()> {
    let Summary { nodes, arrays, chunks, bytes, errors, warnings } = *summary;
    if json {
        return output.json_line(&json!({"summary": {
            "nodes": nodes, "arrays": arrays, "chunks": chunks, "bytes": bytes,
            "errors": errors, "warnings": warnings,
        }}));
    }
    let role = if errors > 0 { Role::Error } else { Role::Good };
    let found = output.paint(role, &format!("{errors} errors, {warnings} warnings"));
    output
        .line(&format!("{nodes} nodes, {arrays} arrays, {chunks} chunks of {bytes} bytes: {found}"))
}
