//! The bytes and values of a stage as rows: every row a whole number of elements.

use super::{Loaded, windows};
use crate::cli::prelude::*;
use crate::{cli::elements::Writer, zarr::codec::Element};

/// The number of bytes a row shows where elements allow it.
const ROW: u64 = 16;
/// The number of rows shown where not all were asked for.
const HEAD: u64 = 16;
/// The number of bytes of an element of varying length shown.
const LONGEST: u64 = 16;
/// The number of characters of a value shown.
const WIDEST: usize = 60;

/// Writes the first rows of a stage, bytes beside values.
pub(super) fn write_head(loaded: &Loaded, number: usize, output: &mut Output) -> Printed {
    let Some(data) = loaded.stage(number).and_then(|stage| stage.output.as_ref()) else {
        return Ok(());
    };
    let rows = HexRows::of(data);
    // Of a shard only the inner chunk may be there.
    let first = data.bytes().loaded().start / rows.bytes;
    let end = (first + HEAD).min(rows.count);
    output.line("")?;
    let lines: Vec<_> = (first..end).map(|row| line(data, &rows, row, output.ascii())).collect();
    table::write(output, &lines)?;
    if end < rows.count {
        let text = format!(
            "{}; --hex and --values print everything",
            counted(rows.count - end, "more row")
        );
        output.line(&output.paint(Role::Quiet, &text))?;
    }
    Ok(())
}

/// Writes all rows of a stage: its bytes, or its values with their coordinates.
pub(super) fn write_all(loaded: &Loaded, number: usize, hex: bool, output: &mut Output) -> Printed {
    windows(loaded, number, |data, range| match data.elements().filter(|_| !hex) {
        Some(elements) => write_values(elements, range, loaded.array.format, output),
        None => write_hex(data, range, output),
    })
}

fn write_values(
    elements: &Elements,
    range: Range<u64>,
    format: Format,
    output: &mut Output,
) -> Printed {
    let writer = Writer::of(elements, format);
    let positions = match elements.places() {
        // An element that a window cuts belongs to the next one.
        Places::Fixed(size) => range.start.div_ceil(*size as u64)..range.end.div_ceil(*size as u64),
        Places::Ranges(_) => 0..elements.len(),
    };
    for element in elements.elements(positions) {
        let coordinates = list(&element.coordinates);
        output.line(&format!("{coordinates} {}", writer.text(&element.value)))?;
    }
    Ok(())
}

fn write_hex(data: &Data, range: Range<u64>, output: &mut Output) -> Printed {
    let rows = HexRows::of(data);
    let mut at = range.start;
    while at < range.end {
        // Rows stay aligned across windows: the first one after a border may be short.
        let end = rows.end_of(at).min(range.end);
        if let Some(bytes) = data.bytes().get(at..end) {
            output.line(format!("{at:08x}  {}", digits(bytes, rows.group)).trim_end())?;
        }
        at = end;
    }
    Ok(())
}

/// The division of bytes into rows.
struct HexRows {
    /// Their number.
    count: u64,
    /// The number of elements in one; 0 for bytes without elements.
    elements: u64,
    /// The number of bytes in one.
    bytes: u64,
    /// The number of bytes in a group.
    group: usize,
}

impl HexRows {
    fn of(data: &Data) -> Self {
        match data.elements() {
            None => Self { count: data.len().div_ceil(ROW), elements: 0, bytes: ROW, group: 2 },
            Some(elements) => Self::of_elements(elements),
        }
    }

    fn of_elements(elements: &Elements) -> Self {
        let Places::Fixed(size) = elements.places() else {
            return Self { count: elements.len(), elements: 1, bytes: ROW, group: 1 };
        };
        let bytes = *size as u64;
        let most = (ROW / bytes).max(1);
        let length = elements.row_length();
        // A divisor of the row's length lines columns up with the array, where it fills half a row at least.
        let divisor = (1..=most).rev().find(|n| length.is_multiple_of(*n)).filter(|n| n * 2 > most);
        let per_row = divisor.unwrap_or(most);
        Self {
            count: elements.len().div_ceil(per_row),
            elements: per_row,
            bytes: per_row * bytes,
            group: *size,
        }
    }

    fn end_of(&self, at: u64) -> u64 {
        (at / self.bytes + 1) * self.bytes
    }
}

fn line(data: &Data, rows: &HexRows, row: u64, ascii: bool) -> Vec<Cell> {
    if let Some(elements) = data.elements() {
        return element_line(elements, rows, row, ascii);
    }
    let there = data.bytes().loaded();
    let start = (row * rows.bytes).max(there.start);
    let range = start..((row + 1) * rows.bytes).min(there.end).max(start);
    let bytes = data.bytes().get(range.clone()).unwrap_or_default();
    vec![
        Cell::quiet(format!("{:08x}", range.start)),
        Cell::new(digits(bytes, rows.group)),
        Cell::quiet(characters(bytes, ascii)),
    ]
}

fn element_line(elements: &Elements, rows: &HexRows, row: u64, ascii: bool) -> Vec<Cell> {
    let found: Vec<_> = elements.elements(row * rows.elements..(row + 1) * rows.elements).collect();
    let Some((first, last)) = found.first().zip(found.last()) else { return Vec::new() };
    let range = first.bytes.start..last.bytes.end;
    let shown = range.start..range.end.min(range.start + LONGEST.max(rows.bytes));
    let bytes = elements.bytes().get(shown.clone()).unwrap_or_default();
    let more = match (shown == range, ascii) {
        (true, _) => "",
        (false, true) => "..",
        (false, false) => "…",
    };
    let mut cells = vec![
        Cell::quiet(format!("{:08x}", range.start)),
        Cell::quiet(list(&first.coordinates)),
        Cell::new(digits(bytes, rows.group) + more),
    ];
    let is_column = matches!(elements.places(), Places::Fixed(_));
    let cell = |element: &Element| {
        let cell = value(&element.value);
        if is_column { cell.right() } else { cell }
    };
    cells.extend(found.iter().map(cell));
    cells
}

/// The value as it reads best; as JSON it is in `values`.
fn value(value: &Result<Scalar>) -> Cell {
    match value {
        Ok(scalar) => Cell::new(words::shortened(&safe_text(&scalar), WIDEST)),
        Err(error) => Cell::new(safe_owned(&error.found)).role(Role::Error),
    }
}

/// Hexadecimal digits, `group` bytes together.
fn digits(bytes: &[u8], group: usize) -> String {
    bytes.chunks(group.max(1)).map(|bytes| hex(bytes, "")).joined(" ")
}

/// The bytes as text, what is no printable ASCII as a dot.
fn characters(bytes: &[u8], ascii: bool) -> String {
    let dot = if ascii { '.' } else { '·' };
    bytes
        .iter()
        .map(|&byte| if (b' '..=b'~').contains(&byte) { char::from(byte) } else { dot })
        .collect()
}
