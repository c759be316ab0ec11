//! `values`: every element in C order, one a line.

use super::{
    CommandResult, ExitStatus,
    elements::Writer,
    missing_to_xarray::MissingToXarray,
    open::{OpenedArray, ReadAsFlags},
    output::{self, Output},
    progress::Progress,
    read_array::{ReadArray, Unread},
};
use crate::zarr::{
    Json,
    array::{self, Run, RunSource, Slab},
    grid::Region,
    json::object,
    metadata::Packing,
    words::counted,
};
use clap::Args;
use std::{ops::Range, path::PathBuf};

/// The arguments of `values`.
#[derive(Debug, Args)]
pub struct Arguments {
    /// An array, or a single chunk file
    path: PathBuf,
    /// Print only this chunk, by key or coordinates as for `chunk`
    #[arg(long, value_name = "KEY")]
    chunk: Option<String>,
    /// Continue after a checksum that does not match, as --as checksums=ignore does
    #[arg(long)]
    ignore_checksums: bool,
    /// The settings that the array is read by.
    #[command(flatten)]
    read_as: ReadAsFlags,
    /// Print physical values by the CF attributes: missing ones as null, numbers scaled, times as dates
    #[arg(long)]
    physical: bool,
    /// Print one JSON document with the values as a flat list
    #[arg(long)]
    json: bool,
}

/// Prints the values of an array or a chunk.
pub(super) fn run(arguments: &Arguments, output: &mut Output) -> CommandResult {
    let read_as = arguments.read_as.ignoring_checksums(arguments.ignore_checksums);
    let opened = read_as.open_array(&arguments.path)?;
    let array = ReadArray::new(&opened, output)?;
    let region = array.select(arguments.chunk.as_deref(), opened.chunk.as_ref())?;
    let packing = arguments.physical.then(|| Packing::of(&opened.metadata));
    let missing_to_xarray = packing.as_ref().map(MissingToXarray::new).unwrap_or_default();
    let resolved = array.reader.resolved();
    let (data_type, order) = (resolved.data_type.clone(), resolved.order.clone());
    let writer = Writer::new(data_type, order, opened.metadata.format).physical(packing);
    let fill = array.reader.fill().map(|scalar| writer.text(&Ok(scalar.clone())));
    if arguments.json {
        let head = head(&opened, &region);
        write!(output.raw(), "{},\"values\":[", head.strip_suffix('}').unwrap_or(&head))?;
    }
    let lines = Lines { writer, fill, missing_to_xarray, comma: arguments.json };
    let mut progress = Progress::new(array::len(&region).unwrap_or(0), "elements");
    let mut first = true;
    let report = array.stream(
        &[region],
        |slab, elements, out| lines.render(slab, elements, out),
        |bytes: &mut Vec<u8>, elements| {
            // What separates elements is before each of them, so that a piece need not know whether it is last.
            let bytes = if first { bytes.get(1..).unwrap_or_default() } else { bytes };
            first = false;
            progress.reach(elements.end);
            output.raw().write_all(bytes)
        },
    )?;
    drop(progress);
    if arguments.json {
        write!(output.raw(), "]}}")?;
    }
    if arguments.json || !first {
        writeln!(output.raw())?;
    }
    lines.missing_to_xarray.tell(&opened.name);
    Ok(conclude(&report, lines.fill.is_none(), &opened.name))
}

/// The head of the JSON document, before the values.
fn head(opened: &OpenedArray, region: &Region) -> String {
    let region: Vec<_> = region.iter().map(|range| [range.start, range.end]).collect();
    let data_type = opened.metadata.data_type_json().map(Json::strict);
    object! {"path": &opened.path.0, "region": region, "data_type": data_type}.to_line()
}

/// Says on stderr what could not be read, and how the command went.
pub(super) fn conclude(report: &Unread, no_fill: bool, name: &str) -> ExitStatus {
    for (_, error) in &report.failures {
        output::complain(&error.to_string());
    }
    let unnamed = report.failed().saturating_sub(report.failures.len() as u64);
    if unnamed > 0 {
        output::complain(&format!("{} could not be read", counted(unnamed, "more chunk")));
    }
    let undefined = no_fill && report.missing > 0;
    if undefined {
        output::complain(&format!(
            "{name}: not stored and without a fill value to print: {}",
            counted(report.missing, "chunk")
        ));
    }
    ExitStatus::flawed_if(undefined || report.failed() > 0)
}

/// The form of elements: lines, or items of a JSON list.
struct Lines {
    writer: Writer,
    /// The fill value; without one, missing elements are null.
    fill: Option<String>,
    missing_to_xarray: MissingToXarray,
    comma: bool,
}

impl Lines {
    /// The elements, each with a separator before it.
    fn render(&self, slab: &Slab, elements: Range<u64>, out: &mut Vec<u8>) {
        out.clear();
        slab.runs(elements, &mut |run| self.render_run(&run, out));
    }

    fn render_run(&self, run: &Run, out: &mut Vec<u8>) {
        let separator = if self.comma { b',' } else { b'\n' };
        let mut same = |text: &str| {
            for _ in 0..run.count {
                out.push(separator);
                out.extend_from_slice(text.as_bytes());
            }
        };
        match run.source {
            RunSource::Fill => {
                self.missing_to_xarray.count_fill(run.count);
                same(self.fill.as_deref().unwrap_or("null"));
            }
            RunSource::Unreadable => same("null"),
            RunSource::Stored(elements, from, step) => {
                for at in 0..run.count {
                    out.push(separator);
                    let value = elements.value(from + at * step);
                    if let Some(Ok(value)) = &value {
                        self.missing_to_xarray.count(value);
                    }
                    self.writer.push(out, value.as_ref());
                }
            }
        }
    }
}
