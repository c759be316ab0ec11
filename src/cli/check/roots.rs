//! The audit of many stores side by side: their metadata only, a line each as it ends, and a table at the end.

use super::{Arguments, ReportFormat, is_flawed, summary_json, wanted};
use crate::cli::prelude::*;
use crate::{
    worker::parallel::{self, Order, Task},
    zarr::{
        budget::Stop,
        check::{self, NotChecked, Summary},
        signs,
        words::seconds,
    },
};
use std::{
    cmp::Reverse,
    time::{Duration, Instant},
};

/// The finding of a kind in a store: how often, and what the first says.
#[derive(Default)]
struct KindFound {
    count: u64,
    first: String,
}

/// The findings of a store, by severity and kind.
type Findings = BTreeMap<(Reverse<Severity>, &'static str), KindFound>;

/// The outcome of the check of a store.
struct Audited {
    /// Its path or address, safe to show.
    name: String,
    outcome: Result<(Summary, Findings, NotChecked)>,
    elapsed: Duration,
}

impl Audited {
    fn of(path: &Path, arguments: &Arguments, limit: u64) -> Self {
        let started = Instant::now();
        let outcome = audit(path, arguments, limit);
        let name = safe_text(&shown(path).display());
        Self { name, outcome, elapsed: started.elapsed() }
    }

    fn exit(&self, is_strict: bool) -> ExitStatus {
        match &self.outcome {
            Ok((summary, ..)) => ExitStatus::flawed_if(is_flawed(summary, is_strict)),
            Err(_) => ExitStatus::Undone,
        }
    }

    fn line(&self, output: &Output) -> String {
        let time = output.paint(Role::Quiet, &seconds(self.elapsed));
        let (sign, role, told) = match &self.outcome {
            Err(error) => (signs::ERROR, Role::Error, error.sentences()),
            Ok((summary, ..)) => {
                let (sign, role) = match summary {
                    Summary { errors: 0, losses: 0, warnings: 0, .. } if summary.is_complete() => {
                        (signs::RIGHT, Role::Good)
                    }
                    Summary { errors: 0, losses: 0, warnings: 0, .. } => {
                        (signs::LIMIT, Role::Warning)
                    }
                    Summary { errors: 0, losses: 0, .. } => (signs::WARNING, Role::Warning),
                    _ => (signs::ERROR, Role::Error),
                };
                let (nodes, errors) =
                    (counted(summary.nodes, "node"), counted(summary.errors, "error"));
                (sign, role, format!("{nodes}: {errors}, {}", counted(summary.warnings, "warning")))
            }
        };
        format!("{} {}  {}  {time}", output.paint(role, sign), self.name, safe(&told))
    }

    fn json(&self) -> Json {
        let milliseconds = u64::try_from(self.elapsed.as_millis()).unwrap_or(u64::MAX);
        match &self.outcome {
            Err(error) => object! {
                "root": self.name.as_str(), "milliseconds": milliseconds,
                "error": object! {"code": error.code.as_str(), "message": error.to_string()},
            },
            Ok((summary, findings, not_checked)) => object! {
                "root": self.name.as_str(), "milliseconds": milliseconds,
                "summary": summary_json(summary, not_checked.sentences().into()),
                "findings": findings.iter().map(|((severity, kind), found)| object! {
                    "severity": severity.0.word(), "code": *kind, "count": found.count,
                    "first": found.first.as_str(),
                }).collect::<Json>(),
            },
        }
    }
}

/// Checks the metadata of one store.
fn audit(
    path: &Path,
    arguments: &Arguments,
    limit: u64,
) -> Result<(Summary, Findings, NotChecked)> {
    let Opened { hierarchy, node, .. } = open(path)?;
    let options = CheckOptions {
        metadata_only: true,
        conventions: wanted(&arguments.conventions),
        budget: Budget::default().with_limit(limit),
        ..CheckOptions::default()
    };
    let (mut findings, mut not_checked) = (Findings::new(), NotChecked::default());
    let summary = check::check(&hierarchy, &node.path, &options, &mut |event| match event {
        Event::Problem(_, problem) => {
            let kind = (Reverse(problem.severity), problem.kind());
            let found = findings.entry(kind).or_default();
            if found.count == 0 {
                found.first = problem.error.to_string();
            }
            found.count += 1;
        }
        Event::Skipped(what, place) => not_checked.add(what, &place),
        Event::Progress(_) | Event::Array(..) => {}
    });
    Ok((summary, findings, not_checked))
}

/// The stores that are named: those of the arguments, then those in the file, one a line.
///
/// # Errors
///
/// If the file cannot be read.
pub(super) fn named(arguments: &Arguments) -> Result<Vec<PathBuf>> {
    let mut roots = arguments.paths.clone();
    if let Some(file) = &arguments.roots {
        let mut text = String::new();
        let read = if file.as_os_str() == "-" {
            io::stdin().read_to_string(&mut text).map(drop)
        } else {
            fs::read_to_string(file).map(|read| text = read)
        };
        read.map_err(|error| Error::io(file.to_string_lossy(), &error))?;
        let lines = text.lines().map(str::trim);
        roots.extend(
            lines.filter(|line| !line.is_empty() && !line.starts_with('#')).map(Into::into),
        );
    }
    Ok(roots)
}

/// Checks the metadata of all stores, as many at once as requests may be.
pub(super) fn run(arguments: &Arguments, roots: &[PathBuf], output: &mut Output) -> CommandResult {
    let format = arguments.format();
    if arguments.fixes
        || arguments.deep
        || !matches!(format, ReportFormat::Text | ReportFormat::Json)
    {
        let found = "--fixes, --deep or --format with several stores";
        let error = Error::new(Code::InvalidArgument, found, "one store, or --json");
        return Err(error.into());
    }
    #[cfg(feature = "remote")]
    if roots.iter().any(|root| crate::zarr::store::is_address(root)) {
        parallel::allow_many(crate::zarr::store::remote::at_once());
    }
    let started = Instant::now();
    let limit = output.max_decoded();
    let (mut failure, mut audited, mut worst) = (None, Vec::new(), ExitStatus::Fine);
    let tasks = roots.iter().map(|root| Task { piece: root, cost: 1 });
    let work = |root: &PathBuf, _: Stop<'_>| Audited::of(root, arguments, limit);
    parallel::run(tasks, (u64::MAX, Order::Any), work, |one| {
        worst = worst.max(one.exit(arguments.strict));
        let told = match format {
            ReportFormat::Json => output.json_line(&one.json()),
            _ => output.line(&one.line(output)),
        };
        failure = told.and_then(|()| output.flush()).err();
        audited.push(one);
        failure.is_none()
    });
    failure.map_or(Ok(()), |error| Err(Failure::Output(error)))?;
    if format == ReportFormat::Text {
        conclude(&audited, started.elapsed(), output)?;
    }
    Ok(worst)
}

/// Prints the kinds of what was found, and in how many stores; and the sums.
fn conclude(audited: &[Audited], elapsed: Duration, output: &mut Output) -> Printed {
    let mut kinds = BTreeMap::<_, (u64, u64, &str)>::new();
    let (mut sum, mut clean, mut with_errors, mut unopened) = (Summary::default(), 0, 0, 0);
    for one in audited {
        let Ok((summary, findings, _)) = &one.outcome else {
            unopened += 1;
            continue;
        };
        clean += u64::from(summary.errors + summary.losses + summary.warnings == 0);
        with_errors += u64::from(summary.errors + summary.losses > 0);
        sum.nodes += summary.nodes;
        sum.arrays += summary.arrays;
        sum.bytes += summary.bytes;
        for (kind, found) in findings {
            let row = kinds.entry(*kind).or_insert((0, 0, one.name.as_str()));
            row.0 += 1;
            row.1 += found.count;
        }
    }
    if !kinds.is_empty() {
        output.line("")?;
        let head = ["finding", "severity", "stores", "times", "such as"];
        let head = head.map(Cell::quiet);
        let mut rows = vec![head.into_iter().collect::<Vec<_>>()];
        rows.extend(kinds.iter().map(|((severity, kind), (stores, times, name))| {
            let role = match severity.0 {
                Severity::Error => Role::Error,
                Severity::Warning => Role::Warning,
                _ => Role::Quiet,
            };
            vec![
                Cell::new(*kind),
                Cell::new(severity.0.word()).role(role),
                Cell::new(grouped(stores)).right(),
                Cell::new(grouped(times)).right(),
                Cell::new(*name),
            ]
        }));
        let widths = table::widths(&rows);
        rows.iter().try_for_each(|row| table::write_row(output, row, &widths))?;
    }
    let all = audited.len() as u64;
    let with_warnings = all - clean - with_errors - unopened;
    output.line("")?;
    output.line(&format!(
        "{}: {} without errors and warnings, {} with errors, {} with warnings only, {} not opened",
        counted(all, "store"),
        grouped(clean),
        grouped(with_errors),
        grouped(with_warnings),
        grouped(unopened),
    ))?;
    let (nodes, arrays) = (counted(sum.nodes, "node"), counted(sum.arrays, "array"));
    output.line(&format!("{nodes}, {arrays}, {}; {}", size(sum.bytes), seconds(elapsed)))?;
    output.line("Not checked: chunk contents")
}
