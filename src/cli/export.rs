//! `export`: an array or a chunk as a `.npy` file.

use super::{
    Failure, Outcome, forms,
    open::open_array,
    output::{self, Output},
    progress::Progress,
    shot::cannot_write,
    values::conclude,
    whole::{Block, Report, Run, Selection, Source, Whole},
};
use crate::zarr::{
    Error, Result,
    data_type::Resolved,
    npy::{self, Head},
};
use clap::Args;
use serde_json::{Value, json};
use std::{
    fs::File,
    io::Write,
    ops::Range,
    path::{Path, PathBuf},
};

/// The arguments of `export`.
#[derive(Debug, Args)]
pub struct Arguments {
    /// An array, or a single chunk file
    path: PathBuf,
    /// The .npy file to write; - for stdout
    #[arg(short, long, value_name = "FILE.npy")]
    output: PathBuf,
    /// Only this chunk, cut at the array's edge: its key or coordinates, as for `chunk`
    #[arg(long, value_name = "KEY")]
    chunk: Option<String>,
    /// Print one JSON document about the file that was written
    #[arg(long)]
    json: bool,
}

/// Writes an array or a chunk for NumPy.
pub(super) fn run(arguments: &Arguments, output: &mut Output) -> Outcome {
    let opened = open_array(&arguments.path)?;
    let whole = Whole::new(&opened, output.max_decoded())?;
    let selection = whole.select(arguments.chunk.as_deref(), opened.chunk.as_ref())?;
    let shape: Vec<_> = selection.region.iter().map(|range| range.end - range.start).collect();
    let resolved = whole.resolved();
    let head = npy::head(resolved.data_type.as_ref(), &resolved.order, &shape)
        .ok_or_else(|| varying(&resolved.data_type.name(), &opened.name))?;
    if !head.is_native {
        let name = resolved.data_type.name();
        output::complain(&format!(
            "NumPy has no type {name}: its bytes are written as {}",
            head.descr
        ));
    }
    let copier = Copier::new(&whole);
    let to_stdout = arguments.output.as_os_str() == "-";
    let report = if to_stdout {
        write(&whole, selection, &head, &copier, output.raw())?
    } else {
        let mut file = create(&arguments.output, &opened.hierarchy.store.name())?;
        write(&whole, selection, &head, &copier, &mut file)?
    };
    if arguments.json && !to_stdout {
        output.json(&summary(&arguments.output, &head, &shape, &report))?;
    }
    Ok(conclude(&report, copier.fill.is_none(), &opened.name))
}

fn varying(data_type: &str, name: &str) -> Error {
    Error::new(
        "varying-length",
        format!("elements of type {data_type}, which vary in length"),
        "elements of one size",
    )
    .in_file(name)
    .with_fix(format!("`zarrscope values {name}` prints them, one a line."))
}

/// Creates the file. It must not lie in the store, which is never written to.
fn create(path: &Path, store: &str) -> Result<File> {
    let name = path.display().to_string();
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or_else(|| Path::new(".")).canonicalize();
    let store = Path::new(store).canonicalize();
    if let (Ok(folder), Ok(store)) = (&folder, &store)
        && (folder.starts_with(store) || path.canonicalize().is_ok_and(|path| path == *store))
    {
        return Err(Error::new(
            "inside-the-store",
            name,
            "a file outside the store, which is never written to",
        )
        .at("--output"));
    }
    File::create(path).map_err(|error| cannot_write(&name, &error))
}

fn write(
    whole: &Whole,
    selection: Selection,
    head: &Head,
    copier: &Copier,
    sink: &mut dyn Write,
) -> Result<Report, Failure> {
    sink.write_all(&head.bytes)?;
    let mut progress = Progress::new(selection.len(), "elements");
    whole.stream(
        selection,
        |block, elements| copier.render(block, elements),
        |bytes, elements| {
            progress.advance(elements);
            sink.write_all(bytes)
        },
    )
}

fn summary(path: &Path, head: &Head, shape: &[u64], report: &Report) -> Value {
    json!({
        "file": path.display().to_string(),
        "descr": head.descr,
        "shape": shape,
        "native": head.is_native,
        "chunks_missing": report.missing,
        "chunks_unreadable": report.failed,
        "errors": report.failures.iter().map(|(_, error)| forms::error(error)).collect::<Vec<_>>(),
    })
}

/// Puts the bytes of elements into C order, as they are stored.
struct Copier {
    size: usize,
    /// The fill value's bytes; without one, missing elements are zeros.
    fill: Option<Vec<u8>>,
}

impl Copier {
    fn new(whole: &Whole) -> Self {
        let Resolved { data_type, order, .. } = whole.resolved();
        let fill = whole.fill().and_then(|scalar| data_type.encode(&scalar, order).ok());
        Self { size: data_type.item_size().fixed().unwrap_or(1), fill }
    }

    fn render(&self, block: &Block, elements: Range<u64>) -> Vec<u8> {
        let count = usize::try_from(elements.end - elements.start).unwrap_or(0);
        let mut out = Vec::with_capacity(count * self.size);
        block.runs(elements, &mut |run| self.copy(&run, &mut out));
        out
    }

    fn copy(&self, run: &Run, out: &mut Vec<u8>) {
        let size = self.size as u64;
        match run.source {
            Source::Stored(elements, from, 1) => {
                let bytes = elements.bytes().get(from * size..(from + run.count) * size);
                self.put(bytes, run.count, out);
            }
            Source::Stored(elements, from, step) => {
                for position in (0..run.count).map(|at| from + at * step) {
                    self.put(elements.bytes().get(elements.byte_range(position)), 1, out);
                }
            }
            Source::Fill | Source::Unreadable => self.put(None, run.count, out),
        }
    }

    /// The bytes, or where there are none the fill value `count` times.
    fn put(&self, bytes: Option<&[u8]>, count: u64, out: &mut Vec<u8>) {
        match (bytes, &self.fill) {
            (Some(bytes), _) => out.extend_from_slice(bytes),
            (None, Some(fill)) => (0..count).for_each(|_| out.extend_from_slice(fill)),
            (None, None) => {
                out.resize(out.len() + usize::try_from(count).unwrap_or(0) * self.size, 0);
            }
        }
    }
}
