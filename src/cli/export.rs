//! `export`: the values of an array or a chunk, as lines, as JSON, or as a `.npy` file.

use super::prelude::*;
use crate::zarr::npy::{self, Body, Head};
use physical::Physical;

mod lines;
mod physical;

/// The arguments of `export`.
#[derive(Debug, Args)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a switch of its own on the command line"
)]
pub struct Arguments {
    /// An array, or a single chunk file
    path: PathBuf,
    /// Write a .npy file for NumPy instead; - for stdout
    #[arg(short, long, value_name = "FILE.npy")]
    output: Option<PathBuf>,
    /// Replace FILE.npy if it exists
    #[arg(short, long, requires = "output")]
    force: bool,
    /// Only this chunk, clipped at the array's edge; by key or coordinates as for `chunk`
    #[arg(long, value_name = "KEY")]
    chunk: Option<String>,
    /// Continue after a checksum that does not match, as --as checksums=ignore does
    #[arg(long)]
    ignore_checksums: bool,
    /// The settings that the array is read by.
    #[command(flatten)]
    read_as: ReadAsFlags,
    /// Physical values by the CF attributes: missing ones as null, numbers scaled, times as dates; in a .npy file as
    /// float64, with NaN for null and counts for dates
    #[arg(long)]
    physical: bool,
    /// Print one JSON document, with the values as a flat list; with -o, about the file written
    #[arg(long)]
    json: bool,
}

/// Prints the values of an array or a chunk, or writes them for NumPy.
pub(super) fn run(arguments: &Arguments, output: &mut Output) -> CommandResult {
    let read_as = arguments.read_as.ignoring_checksums(arguments.ignore_checksums);
    let opened = read_as.open_array(&arguments.path)?;
    let array = ReadArray::new(&opened, output)?;
    let region = array.select(arguments.chunk.as_deref(), opened.chunk.as_ref())?;
    let Some(path) = arguments.output.as_deref() else {
        let packing = arguments.physical.then(|| Packing::of(&opened.metadata));
        return lines::run(&opened, (&array, region), packing, arguments.json, output);
    };
    let shape = lengths(&region);
    let resolved = array.reader.resolved();
    let data_type = resolved.data_type.as_ref();
    let physical = || Physical::new(&opened.metadata, resolved, array.reader.fill());
    let physical = arguments.physical.then(physical).transpose()?;
    let head = match &physical {
        Some(_) => physical::head(&shape),
        None => npy::head(data_type, &resolved.order, &shape),
    };
    let head = head.map_err(|error| {
        let command = script!("zarrscope export {}", opened.word);
        error.in_file(&opened.name).with_fix(format!("`{command}` prints them, one per line."))
    })?;
    if !head.is_native {
        tell_unknown_to_numpy(&head, data_type);
    }
    let stored = Body::new(data_type, &resolved.order, array.reader.fill());
    let body = physical.as_ref().map_or(ExportContent::Stored(&stored), ExportContent::Physical);
    let to_stdout = path.as_os_str() == "-";
    let report = if to_stdout {
        write(&array, &region, &head, &body, output.raw())?
    } else {
        let store = opened.hierarchy.store.name();
        let mut file = output::file(path, Path::new(&store), arguments.force)?;
        let report = write(&array, &region, &head, &body, &mut file)?;
        file.finish()?;
        report
    };
    if arguments.json && !to_stdout {
        output.json(&summary(path, &head, &shape, &report))?;
    }
    body.tell_missing_to_xarray(&opened.name);
    Ok(report.conclude(stored.lacks_fill(), &opened.name))
}

fn tell_unknown_to_numpy(head: &Head, data_type: &dyn DataType) {
    let name = data_type.name();
    let order = if data_type.has_byte_order() { ", little-endian" } else { "" };
    let descr = &head.descr;
    output::complain(&format!("NumPy has no {name}: the bytes are written as {descr}{order}"));
}

/// The values that are written for elements.
enum ExportContent<'a> {
    /// Their bytes.
    Stored(&'a Body<'a>),
    /// The physical values.
    Physical(&'a Physical),
}

impl ExportContent<'_> {
    /// Says on stderr what was written as data and xarray reads as missing.
    fn tell_missing_to_xarray(&self, name: &str) {
        if let Self::Physical(physical) = self {
            physical.missing_to_xarray.tell(name);
        }
    }

    fn render(&self, slab: &Slab, wanted: Range<u64>, out: &mut ExportStretch) {
        out.bytes.clear();
        out.missing = 0;
        match self {
            Self::Stored(body) if body.fill().is_some() && slab.is_missing(wanted.clone()) => {
                out.missing = wanted.end - wanted.start;
            }
            Self::Stored(body) => body.render(slab, wanted, &mut out.bytes),
            Self::Physical(physical) => physical.render(slab, wanted, &mut out.bytes),
        }
    }

    fn write(&self, stretch: &ExportStretch, sink: &mut dyn Write) -> Printed {
        match self {
            Self::Stored(body) if stretch.missing > 0 => {
                let Some(fill) = body.fill() else { return Ok(()) };
                fill.repeated(stretch.missing, &mut |piece| sink.write_all(piece))
            }
            Self::Stored(_) | Self::Physical(_) => sink.write_all(&stretch.bytes),
        }
    }
}

/// The bytes of a stretch of elements.
#[derive(Default, Clone)]
struct ExportStretch {
    bytes: Vec<u8>,
    /// The number of elements that are made while they are written, because all of them are the fill value.
    missing: u64,
}

fn write(
    array: &ReadArray,
    region: &[Range<u64>],
    head: &Head,
    body: &ExportContent,
    sink: &mut dyn Write,
) -> Result<Unread, Failure> {
    sink.write_all(&head.bytes)?;
    let mut progress = Progress::new(array::len(region).unwrap_or(0), "elements");
    array.stream(
        &[region.to_vec()],
        |slab, elements, stretch: &mut ExportStretch| body.render(slab, elements, stretch),
        |stretch, elements| {
            progress.reach(elements.end);
            body.write(stretch, sink)
        },
    )
}

fn summary(path: &Path, head: &Head, shape: &[u64], report: &Unread) -> Json {
    object! {
        "file": path.display().to_string(),
        "descr": &head.descr,
        "shape": shape,
        "native": head.is_native,
        "chunks_missing": report.missing,
        "chunks_unreadable": report.failed(),
        "errors": report.failures.iter().map(|(_, error)| json_forms::error(error)).collect::<Json>(),
    }
}
