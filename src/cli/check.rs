//! `check`: every problem of a store, as it is found.

use super::prelude::*;
use crate::zarr::{
    check::{self, ChunkScope, Summary},
    conventions::{Convention, Wanted},
};
use rayon::iter::{IntoParallelIterator, ParallelIterator};
use std::sync::atomic::{AtomicBool, Ordering};

mod causes;
mod machine;
mod parts;
mod roots;
mod told;
use machine::ReportFormat;
use told::Told;
pub(super) use told::print;

/// The arguments of `check`.
#[derive(Debug, Clone, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of its own")]
pub struct Arguments {
    /// A store, a node, a .zip store, or a folder of stores [default: .]; of several, metadata only
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// A file that names stores, one a line, whose metadata is checked side by side; - for stdin
    #[arg(long, value_name = "FILE")]
    roots: Option<PathBuf>,
    /// Check metadata, chunk keys and sizes only; decode no chunks
    #[arg(long)]
    metadata_only: bool,
    /// Read at most N chunks of each array, spread evenly over it; what a sample shows is not proven for the rest
    #[arg(long, hide = true, value_name = "N", conflicts_with_all = ["metadata_only", "roots", "output", "merge"])]
    sample: Option<u64>,
    /// Read more than 10,000 objects or 1 GiB of a store far away
    #[arg(long, hide = true)]
    yes: bool,
    /// Exit with code 1 for warnings too
    #[arg(long)]
    strict: bool,
    /// Look longer for the causes of what is found
    #[arg(long)]
    deep: bool,
    /// Print only what would mend the store: diffs that `patch -p1` takes, and commands. Nothing is changed
    #[arg(long)]
    fixes: bool,
    /// Check these conventions (separated by commas) [default: those the attributes declare]
    #[arg(
        long,
        value_name = "cf|ome|anndata|zarr|none",
        hide_possible_values = true,
        value_delimiter = ','
    )]
    conventions: Vec<ConventionName>,
    /// Print JSON lines: one per problem, then a summary (--format json)
    #[arg(long)]
    json: bool,
    /// The form of the report [default: text]
    #[arg(
        long,
        value_enum,
        default_value_t,
        value_name = "text|json|sarif|github",
        hide_possible_values = true,
        hide_default_value = true,
        conflicts_with = "json"
    )]
    format: ReportFormat,
    /// The part that is made of it, or that it is put together from.
    #[command(flatten)]
    spread: SpreadOptions,
}

impl Arguments {
    fn names_several(&self) -> bool {
        self.roots.is_some() || self.paths.len() > 1
    }

    fn format(&self) -> ReportFormat {
        if self.json { ReportFormat::Json } else { self.format }
    }
}

/// The advice where very much is to be read.
const ADVICE: &str =
    "--yes reads them, --sample 5 five of each array, --max-requests N as many as N requests give.";

/// The name of a convention.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ConventionName {
    /// CF, as xarray applies it
    Cf,
    /// OME-Zarr 0.4, 0.5 and 0.6
    Ome,
    /// AnnData, as anndata 0.13 reads it
    Anndata,
    /// HDMF: the links and references of NWB files
    Hdmf,
    /// proj:, spatial: and multiscales of Zarr Conventions; others are named
    Zarr,
    /// No convention
    None,
}

/// The conventions that are checked.
fn wanted(names: &[ConventionName]) -> Wanted {
    if names.is_empty() {
        return Wanted::default();
    }
    let is_asked = |convention: &Convention| {
        names.contains(&match convention {
            Convention::Cf => ConventionName::Cf,
            Convention::Ome => ConventionName::Ome,
            Convention::Anndata => ConventionName::Anndata,
            Convention::Hdmf => ConventionName::Hdmf,
            Convention::Zarr => ConventionName::Zarr,
        })
    };
    Wanted::only(&Convention::ALL.into_iter().filter(is_asked).collect::<Vec<_>>())
}

/// Prints every problem of a store and a summary; or makes a part of that, or puts it together.
pub(super) fn run(arguments: &Arguments, output: &mut Output) -> CommandResult {
    if arguments.names_several() && arguments.sample.is_none() && arguments.spread.is_whole() {
        return roots::run(arguments, &roots::named(arguments)?, output);
    }
    Mergeable::run(arguments, output)
}

/// All threads. Loading a chunk waits for its share of the memory: there is nothing more to weigh here.
fn spread(count: usize, work: &(dyn Fn(usize) + Sync)) {
    (0..count).into_par_iter().for_each(work);
}

/// Prints every problem below `path` and a summary.
fn report(
    arguments: &Arguments,
    hierarchy: &Hierarchy,
    path: &NodePath,
    chunks: ChunkScope<'_>,
    output: &mut Output,
) -> CommandResult {
    let failed = AtomicBool::new(false);
    let mut failure: Option<io::Error> = None;
    let mut progress = Progress::new(0, "chunks");
    let stop = || failed.load(Ordering::Relaxed);
    let memory = output.memory();
    let budget =
        Budget::default().with_limit(output.max_decoded()).with_memory(&*memory).with_stop(&stop);
    let options = CheckOptions {
        metadata_only: arguments.metadata_only,
        deep: arguments.deep,
        sample: arguments.sample,
        advice: (!arguments.yes).then_some(ADVICE),
        chunks,
        conventions: wanted(&arguments.conventions),
        spread: Some(&spread),
        budget,
    };
    let mut told = Told::new(hierarchy.store.name());
    let summary = check::check(hierarchy, path, &options, &mut |event| {
        if let Event::Progress(summary) = &event {
            progress.reach(summary.chunks);
        }
        if let Err(error) = told.event(event, arguments, output) {
            failed.store(true, Ordering::Relaxed);
            failure.get_or_insert(error);
        }
    });
    drop(progress);
    failure.map_or(Ok(()), |error| Err(Failure::Output(error)))?;
    match arguments.format() {
        ReportFormat::Sarif => told.sarif.print(summary.is_complete(), output)?,
        ReportFormat::Text if arguments.fixes => {}
        ReportFormat::Github => {}
        format => {
            let json = format == ReportFormat::Json;
            told.finish(json, output)?;
            conclude(&summary, &told, (json, arguments), output)?;
        }
    }
    Ok(ExitStatus::flawed_if(is_flawed(&summary, arguments.strict)))
}

/// True if something is wrong, or was not checked that was to be.
fn is_flawed(summary: &Summary, is_strict: bool) -> bool {
    let is_wrong = summary.errors > 0 || summary.losses > 0;
    is_wrong || is_strict && summary.warnings > 0 || !summary.is_complete()
}

/// The counts of a check, with the places that were not looked at.
fn summary_json(summary: &Summary, places: Json) -> Json {
    let &Summary { nodes, arrays, chunks, bytes, errors, warnings, limits, .. } = summary;
    object! {
        "nodes": nodes, "arrays": arrays, "chunks": chunks, "bytes": bytes,
        "errors": errors, "warnings": warnings, "limits": limits,
        "conventions": summary.conventions().iter().map(|it| it.word()).collect::<Json>(),
        "decoded": summary.decoded, "verified": summary.verified, "unreadable": summary.unreadable,
        "work": object! { "causes": summary.work, "trials": summary.trials },
        "not_checked": object! {
            "arrays": summary.undecodable, "nodes": summary.unlisted, "members": summary.members,
            "places": places,
        },
    }
}

fn conclude(
    summary: &Summary,
    told: &Told,
    (json, arguments): (bool, &Arguments),
    output: &mut Output,
) -> Printed {
    let &Summary { errors, warnings, .. } = summary;
    if json {
        let mut summary = summary_json(summary, told.not_checked.sentences().into());
        if let Some(sample) = arguments.sample {
            summary.set("sample", sample);
        }
        return output.json_line(&object! {"summary": summary});
    }
    let role = match errors + summary.losses {
        0 if summary.is_complete() => Role::Good,
        0 => Role::Warning,
        _ => Role::Error,
    };
    let (errors, warnings) = (counted(errors, "error"), counted(warnings, "warning"));
    let mut found = output.paint(role, &format!("{errors}, {warnings}"));
    if told.limits > 0 {
        found = format!("{found}, {} of zarrscope", counted(told.limits, "limit"));
    }
    output.line(&format!("{}: {found}", summary.in_words()))?;
    // The readable part, and the parts that were not checked.
    if let Some(readable) = summary.readable().sentence().filter(|_| !arguments.metadata_only) {
        output.headed("", None, &readable)?;
    }
    summary.conventions_in_words().map_or(Ok(()), |text| output.line(&text))?;
    let mut skipped = Vec::new();
    if arguments.metadata_only {
        skipped.push("chunk contents".to_owned());
    }
    if let Some(sample) = arguments.sample {
        skipped.push(format!("all chunks but a sample of at most {} per array", grouped(sample)));
    }
    skipped.extend(told.not_checked.sentences());
    if skipped.is_empty() {
        Ok(())
    } else {
        output.line(&format!("Not checked: {}", skipped.join("; ")))
    }
}
