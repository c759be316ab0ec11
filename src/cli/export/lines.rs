//! Elements as text in C order, one a line, or as one JSON document.

use crate::cli::prelude::*;
use crate::cli::{elements::Writer, missing_to_xarray::MissingToXarray};
use crate::zarr::array::{Run, RunSource};

/// Prints the elements of `region`: with `packing`, what they mean by it; with `json`, as a flat list of a document.
pub(super) fn run(
    opened: &OpenedArray,
    (array, region): (&ReadArray, Region),
    packing: Option<Packing>,
    json: bool,
    output: &mut Output,
) -> CommandResult {
    let missing_to_xarray = packing.as_ref().map(MissingToXarray::new).unwrap_or_default();
    let resolved = array.reader.resolved();
    let (data_type, order) = (resolved.data_type.clone(), resolved.order.clone());
    let writer = Writer::new(data_type, order, opened.metadata.format).physical(packing);
    let fill = array.reader.fill().map(|scalar| writer.text(&Ok(scalar.clone())));
    if json {
        let head = head(opened, &region);
        write!(output.raw(), "{},\"values\":[", head.strip_suffix('}').unwrap_or(&head))?;
    }
    let lines = Lines { writer, fill, missing_to_xarray, comma: json };
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
    if json {
        write!(output.raw(), "]}}")?;
    }
    if json || !first {
        writeln!(output.raw())?;
    }
    lines.missing_to_xarray.tell(&opened.name);
    Ok(report.conclude(lines.fill.is_none(), &opened.name))
}

/// The head of the JSON document, before the values.
fn head(opened: &OpenedArray, region: &Region) -> String {
    let region: Vec<_> = region.iter().map(|range| [range.start, range.end]).collect();
    let data_type = opened.metadata.data_type_json().map(Json::strict);
    object! {"path": &opened.path.0, "region": region, "data_type": data_type}.to_line()
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
