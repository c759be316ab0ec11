//! The rows of a dump: which units are in which, and which rows fold away.
//!
//! A row is a whole number of elements, so that a value and its bytes are in the same place on both sides. How many
//! depends on the width, and is the same for drawing and for moving about because both ask here.

use super::fields::{self, FieldColumns};
use crate::app::current_chunk::runs::Runs;
use crate::app::prelude::*;

/// Columns of the offset in front of each row, with the gap after it.
pub const OFFSET: usize = 10;
/// The heading of coordinates whose dimensions have no names.
const NO_NAMES: &str = "index";
/// Columns between bytes and values, apart from the blank after each.
const GAP: usize = 2;
/// Columns of the line before the values in the other byte order, and of its blank.
const LINE: usize = 2;
/// A row shows no more bytes than this.
const MOST_BYTES: usize = 64;

/// The rows of one stage.
pub struct DumpRows<'a> {
    /// The data to lay out.
    pub data: &'a Data,
    /// The number of units a row has.
    pub per_row: u64,
    /// The number of units.
    pub len: u64,
    /// Columns that the coordinates of a row's first element take; 0 where there are no elements.
    pub coordinates: usize,
    /// Columns of the bytes of one unit.
    pub unit_width: usize,
    /// Columns of one value; 0 where there are no elements.
    pub value_width: usize,
    /// True if values align on the right, as numbers do.
    pub is_number: bool,
    /// Columns of one value in the other byte order; 0 where that is not on show.
    pub other_width: usize,
    runs: Option<&'a Runs>,
    /// A unit whose fold is open.
    unfolded: Option<u64>,
}

/// One line of a dump.
pub enum DumpLine {
    /// A row with these units.
    Row(Range<u64>),
    /// So many rows that say no more than the one above, and the units in them.
    Fold(u64, Range<u64>),
}

impl<'a> DumpRows<'a> {
    /// The stage that hex follows, laid out for `width` columns, its values written in `base`; with the values in the
    /// other byte order beside them, if `twice`.
    pub fn of(
        chunk: &'a CurrentChunk,
        width: usize,
        base: NumberBase,
        twice: bool,
    ) -> Option<Self> {
        let shown = chunk.shown()?;
        let data = chunk.data()?;
        let rows = match data.elements() {
            Some(elements) => Self::of_elements(data, elements, shown, width, base, twice),
            None => Self::of_bytes(data, width),
        };
        Some(Self { runs: shown.runs(chunk.stage), unfolded: chunk.unfolded, ..rows })
    }

    fn of_elements(
        data: &'a Data,
        elements: &Elements,
        shown: &Shown,
        width: usize,
        number_base: NumberBase,
        twice: bool,
    ) -> Self {
        let coordinates = coordinates_width(elements.shape());
        let room = width.saturating_sub(OFFSET + coordinates);
        let twice = twice && elements.order().applies();
        let of_base = number_base.width(elements);
        let value_width = of_base.unwrap_or(shown.value_width);
        let other_width = if twice { of_base.unwrap_or(shown.other_width) } else { 0 };
        let base = Self {
            coordinates,
            value_width,
            is_number: elements.data_type().native().is_some(),
            other_width,
            ..Self::new(data, elements.len())
        };
        let fields = elements.data_type().fields();
        match elements.places() {
            Places::Fixed(size) if fields.is_empty() => {
                // Bits say all that bytes would say.
                let has_bytes = number_base != NumberBase::Binary;
                base.several_a_row(elements, *size, has_bytes, room)
                    .with_axes(&axes(shown, elements), room)
            }
            Places::Fixed(size) if twice => base.struct_twice(2 * size, room, shown),
            Places::Fixed(_) => base.struct_once(fields, room, shown, of_base),
            Places::Ranges(ranges) => {
                base.one_a_row(digits(ranges), value_width, room.saturating_sub(GAP))
            }
        }
    }

    /// As many elements a row as `room` has for: each of `size` bytes, which have a column if `has_bytes`.
    fn several_a_row(self, elements: &Elements, size: usize, has_bytes: bool, room: usize) -> Self {
        let (unit_width, bytes) = if has_bytes { (2 * size, 2 * size + 1) } else { (0, 0) };
        let twice = self.other_width > 0;
        let other = if twice { self.other_width + 1 } else { 0 };
        let gaps = if has_bytes { GAP } else { 0 } + if twice { LINE } else { 0 };
        let own_room = room.saturating_sub(gaps);
        let each = bytes + self.value_width + 1 + other;
        let most = (own_room / each).min((MOST_BYTES / size).max(1));
        if most == 0 && twice {
            return self.twice_without_bytes(room);
        }
        if most == 0 && !has_bytes {
            // Without gaps, bits may fit.
            let room = room.saturating_sub(1);
            let value_width = if 8 * size <= room { 8 * size } else { room };
            return Self { value_width, ..self };
        }
        if most == 0 {
            let value = self.value_width;
            return self.one_a_row(unit_width, value, room.saturating_sub(GAP));
        }
        let per_row = pleasant(most as u64, elements.row_length(), elements.len());
        let count = to_usize(per_row).max(1);
        // The heading of one value has its columns, where they are left.
        let spare = own_room.saturating_sub(each.saturating_mul(count)) / count;
        let head = if twice && count == 1 { "values, little".len() } else { 0 };
        let value_width = self.value_width.max(head.min(self.value_width + spare));
        Self { per_row, unit_width, value_width, ..self }
    }

    /// One element a row, in both orders: its values have the columns that its bytes would have, which the panel shows.
    fn twice_without_bytes(self, room: usize) -> Self {
        let room = room.saturating_sub(LINE + 1);
        let most = room.saturating_sub(self.other_width).max(room / 2);
        let value_width = self.value_width.min(most);
        let other_width = self.other_width.min(room.saturating_sub(value_width));
        Self { value_width, other_width, ..self }
    }

    /// The heading of the coordinates whole, where values leave that much of `room`.
    fn with_axes(self, axes: &str, room: usize) -> Self {
        let per_row = to_usize(self.per_row);
        let others = per_row.saturating_mul(self.other_width + 1) + LINE;
        let used = self.bytes_columns()
            + per_row.saturating_mul(self.value_width + 1)
            + if self.other_width > 0 { others } else { 0 };
        let wanted = axes.width() + 2;
        let fits = wanted <= self.coordinates + room.saturating_sub(used);
        if fits && axes.width() >= self.coordinates {
            return Self { coordinates: wanted, ..self };
        }
        self
    }

    /// Columns of the bytes of a row, with the gap after them; 0 where they are not on show.
    pub fn bytes_columns(&self) -> usize {
        let per_row = to_usize(self.per_row);
        match self.unit_width {
            // Stages that are no elements yet have no values.
            _ if self.value_width == 0 => per_row * 3 + per_row / 8 + 1,
            0 => 0,
            width => per_row.saturating_mul(width + 1) + GAP,
        }
    }

    /// One element a row, which shares `room` between its bytes (which could take `bytes`) and its `value`: these are
    /// cut before that.
    fn one_a_row(self, bytes: usize, value: usize, room: usize) -> Self {
        /// Columns of the bytes where a value would have all others.
        const FEW: usize = 6;
        let left = room.saturating_sub(value + 5).max(FEW);
        let unit_width = bytes.min(left);
        let value_width = room.saturating_sub(unit_width + 5);
        // Numbers are close to their bytes; text takes what there is.
        let value_width =
            if self.is_number { value_width.min(self.value_width) } else { value_width };
        Self { per_row: 1, unit_width, value_width, ..self }
    }

    /// A struct in one order, its fields in columns, or as a whole in `of_base` columns.
    fn struct_once(
        self,
        fields: &[Field],
        room: usize,
        shown: &Shown,
        of_base: Option<usize>,
    ) -> Self {
        let columns = |widths: &[usize]| fields::columns_needed(widths, 0..widths.len());
        let bytes = fields::byte_widths(fields);
        let value = of_base.unwrap_or_else(|| columns(&shown.field_widths));
        let rows = self.one_a_row(columns(&bytes), value, room.saturating_sub(GAP));
        if of_base.is_some() {
            return rows;
        }
        // Only whole fields are shown: bytes have the columns that values leave, and values those that bytes leave.
        // Fields have blanks after them already.
        let both = room.saturating_sub(1 + GAP).max(rows.unit_width + rows.value_width);
        let values = FieldColumns::used(&shown.field_widths, rows.value_width);
        let unit_width = FieldColumns::used(&bytes, both - values);
        Self { unit_width, value_width: both - unit_width, ..rows }
    }

    /// A struct in both orders, its fields in columns. Its bytes are there if these leave `room` for all of them.
    fn struct_twice(self, bytes: usize, room: usize, shown: &Shown) -> Self {
        let columns = |widths: &[usize]| {
            let there = widths.iter().filter(|width| **width > 0);
            there.map(|width| width + 2).sum::<usize>().saturating_sub(2)
        };
        let (own, other) = (columns(&shown.field_widths), columns(&shown.other_field_widths));
        let room = room.saturating_sub(LINE + 3);
        let unit_width = if room < own + other + bytes + 1 + GAP { 0 } else { bytes };
        let value_width = own.min(room.saturating_sub(other).max(room / 2));
        let other_width = other.min(room.saturating_sub(value_width));
        Self { unit_width, value_width, other_width, ..self }
    }

    fn of_bytes(data: &'a Data, width: usize) -> Self {
        // Offset, two columns and a blank a byte, a blank every eighth, two more, and the text.
        let most = match width.saturating_sub(OFFSET) {
            room if room >= 32 * 4 + 6 => 32,
            room if room >= 16 * 4 + 4 => 16,
            room if room >= 8 * 4 + 3 => 8,
            _ => 4,
        };
        let per_row = data.len().next_power_of_two().clamp(8.min(most), most);
        Self { per_row, unit_width: 2, ..Self::new(data, data.len()) }
    }

    fn new(data: &'a Data, len: u64) -> Self {
        Self {
            data,
            per_row: 1,
            len,
            coordinates: 0,
            unit_width: 0,
            value_width: 0,
            is_number: false,
            other_width: 0,
            runs: None,
            unfolded: None,
        }
    }

    /// The elements, where this stage has any.
    pub fn elements(&self) -> Option<&'a Elements> {
        self.data.elements()
    }

    /// The number of rows, folded ones counted.
    pub fn count(&self) -> u64 {
        self.len.div_ceil(self.per_row)
    }

    /// The unit that holds byte `offset`; the last before it where that is in a gap.
    pub fn unit_at(&self, offset: u64) -> u64 {
        let Some(elements) = self.elements() else { return offset };
        match elements.places() {
            Places::Fixed(size) => offset / *size as u64,
            Places::Ranges(ranges) => {
                (ranges.partition_point(|range| range.start <= offset) as u64).saturating_sub(1)
            }
        }
        .min(self.len.saturating_sub(1))
    }

    /// The bytes of a unit.
    pub fn bytes_of(&self, unit: u64) -> Range<u64> {
        self.elements().map_or(unit..unit + 1, |elements| elements.byte_range(unit))
    }

    /// The unit of a row that is drawn at a column of the view: in the bytes or among the values.
    pub fn unit_in_column(&self, column: usize) -> u64 {
        let column = column.saturating_sub(OFFSET + self.coordinates);
        let per_row = to_usize(self.per_row);
        if self.elements().is_none() {
            let text = self.bytes_columns();
            // Three columns a byte, and a blank after every eighth.
            let of_byte = column / 25 * 8 + (column % 25 / 3).min(7);
            let at = if column < text { of_byte } else { column - text };
            return at.min(per_row - 1) as u64;
        }
        let bytes = self.bytes_columns();
        // The values in the other byte order come after those in the declared one and a line with its blank.
        let others = bytes + per_row * (self.value_width + 1) + LINE;
        let (start, width) = match column {
            _ if column < bytes => (0, self.unit_width),
            _ if column < others || self.other_width == 0 => (bytes, self.value_width),
            _ => (others, self.other_width),
        };
        ((column - start) / (width + 1)).min(per_row - 1) as u64
    }

    /// The row of a unit.
    pub fn row_of(&self, unit: u64) -> u64 {
        unit / self.per_row
    }

    /// Up to `height` lines from `top` on.
    pub fn lines(&self, top: u64, height: usize) -> Vec<DumpLine> {
        let mut lines = Vec::with_capacity(height);
        let mut row = self.line_start(top);
        while lines.len() < height && row < self.count() {
            let rows = self.line(row);
            let units = rows.start * self.per_row..(rows.end * self.per_row).min(self.len);
            lines.push(if rows.end - rows.start > 1 {
                DumpLine::Fold(rows.end - rows.start, units)
            } else {
                DumpLine::Row(units)
            });
            row = rows.end;
        }
        lines
    }

    /// The row that starts the line in which `row` is.
    pub fn line_start(&self, row: u64) -> u64 {
        self.line(row).start
    }

    /// The row `by` lines after (or before) the one in which `row` is, as far as there are any.
    pub fn line_after(&self, row: u64, by: i64) -> u64 {
        let mut row = self.line_start(row);
        for _ in 0..by.unsigned_abs() {
            let next = if by > 0 {
                Some(self.line(row).end).filter(|&next| next < self.count())
            } else {
                row.checked_sub(1).map(|before| self.line_start(before))
            };
            match next {
                Some(next) => row = next,
                None => break,
            }
        }
        row
    }

    /// The first row to show in `height` lines so that `row` is in sight, moving from `top` no further than needed.
    pub fn top_for(&self, row: u64, top: u64, height: usize) -> u64 {
        let start = self.line_start(row);
        if start < top {
            return start;
        }
        let lowest = self.line_after(start, 1 - i64::try_from(height.max(1)).unwrap_or(i64::MAX));
        self.line_start(top).max(lowest)
    }

    /// True if the row of `unit` is folded away with others.
    pub fn folds(&self, unit: u64) -> bool {
        let rows = self.line(self.row_of(unit));
        rows.end - rows.start > 1
    }

    fn line(&self, row: u64) -> Range<u64> {
        let open = self.unfolded.map(|unit| self.row_of(unit));
        let fold = self.runs.and_then(|runs| runs.fold(row, self.per_row));
        let fold = fold.filter(|rows| !open.is_some_and(|open| rows.contains(&open)));
        fold.unwrap_or(row..row + 1)
    }
}

/// At most `most` elements a row, preferring a number that divides the innermost length, so that columns line up
/// with the array. Nothing lines up in one dimension, where two of three would leave a third of the row empty.
fn pleasant(most: u64, inner: u64, all: u64) -> u64 {
    let (inner, all) = (inner.max(1), all.max(1));
    if most >= inner {
        return (inner * (most / inner).clamp(1, 4)).min(all);
    }
    let least = if inner == all && most == 3 { 3 } else { most / 2 + 1 };
    (least..=most).rev().find(|n| inner.is_multiple_of(*n)).unwrap_or(most)
}

/// Columns of the longest of these elements in hexadecimal digits, no more than a row shows; of a large chunk, of its
/// first ones.
fn digits(ranges: &[Range<u64>]) -> usize {
    const FIRST: usize = 4096;
    let longest =
        ranges.iter().take(FIRST).map(|range| range.end.saturating_sub(range.start)).max();
    match to_usize(longest.unwrap_or(0)) {
        // One column less than all there would be marks the cut.
        longest if longest > MOST_BYTES => 2 * MOST_BYTES - 1,
        longest => (2 * longest).max("bytes".len()),
    }
}

/// The heading of coordinates in `room` columns: `[y,x]`, or `index` where dimensions have no names or longer ones.
pub fn heading(shown: &Shown, elements: &Elements, room: usize) -> String {
    let axes = axes(shown, elements);
    if axes.width() <= room { axes } else { NO_NAMES.into() }
}

/// The names of the dimensions: `[y,x]`, or `index` where there are none.
fn axes(shown: &Shown, elements: &Elements) -> String {
    let names = shown.array.dimension_names.as_ref();
    let Some(names) = names.filter(|names| names.len() == elements.shape().len()) else {
        return NO_NAMES.into();
    };
    let whole = |name: &Option<String>| match name.as_deref() {
        Some(name) => safe_owned(name),
        None => signs::NONE.into(),
    };
    format!("[{}]", names.iter().map(whole).joined(","))
}

/// Columns of the coordinates of the largest element, with the gap after them.
fn coordinates_width(shape: &[u64]) -> usize {
    let width: usize = shape.iter().map(|n| n.saturating_sub(1).to_string().len()).sum();
    (width + shape.len().saturating_sub(1) + 4).max("index  ".len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_names_of_dimensions_are_whole_where_values_leave_room() {
        let data = Data::Bytes(crate::zarr::bytes::Bytes::whole(Vec::new()));
        let rows = || DumpRows {
            per_row: 2,
            coordinates: 11,
            unit_width: 8,
            value_width: 9,
            other_width: 0,
            ..DumpRows::of_bytes(&data, 80)
        };
        assert_eq!(rows().with_axes("[year,lat,lon]", 59).coordinates, 16);
        assert_eq!(rows().with_axes("[year,lat,lon]", 44).coordinates, 11);
        assert_eq!(rows().with_axes("[y,x]", 59).coordinates, 11);
    }

    #[test]
    fn rows_prefer_a_divisor_of_the_innermost_length() {
        assert_eq!(pleasant(8, 45, 450), 5);
        assert_eq!(pleasant(8, 360, 720), 8);
        assert_eq!(pleasant(8, 7, 70), 7);
        assert_eq!(pleasant(8, 3, 30), 6);
        assert_eq!(pleasant(6, 13, 26), 6);
        assert_eq!(pleasant(3, 50, 100), 2);
    }

    #[test]
    fn a_row_has_no_place_that_no_element_can_have() {
        assert_eq!(pleasant(8, 3, 3), 3);
        assert_eq!(pleasant(4, 0, 0), 1);
        assert_eq!(pleasant(3, 50, 50), 3);
    }
}
