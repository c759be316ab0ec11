//! The columns of the fields of a struct: how wide each is, and which of them have room.

use crate::zarr::{data_type::Field, text::safe};
use std::ops::Range;
use unicode_width::UnicodeWidthStr;

/// The columns of the bytes of each field: as wide as they are, up to a limit, and as their names.
#[must_use]
pub fn byte_widths(fields: &[Field]) -> Vec<usize> {
    /// Hexadecimal digits of a field that are shown at most.
    const MOST: usize = 24;
    let digits = |field: &Field| field.size().saturating_mul(2).min(MOST);
    let width = |field: &Field| digits(field).max(safe(&field.name).width()).max(1);
    fields.iter().map(width).collect()
}

/// The columns of the fields of a struct on one side: how wide each is, and which of them there is room for.
#[derive(Debug, Clone)]
pub struct FieldColumns {
    /// The width of each field.
    pub widths: Vec<usize>,
    /// The fields that are shown.
    pub shown: Range<usize>,
}

impl FieldColumns {
    /// As many of the fields in `room` columns as fit, `current` among them. Two columns stand for what is left out.
    #[must_use]
    pub fn of(widths: Vec<usize>, room: usize, current: usize) -> Self {
        let needed = |range| columns_needed(&widths, range);
        let current = current.min(widths.len().saturating_sub(1));
        let start =
            (0..=current).find(|&start| needed(start..current + 1) <= room).unwrap_or(current);
        let mut end = current + 1;
        while end < widths.len() && needed(start..end + 1) <= room {
            end += 1;
        }
        let shown = start..end.min(widths.len());
        Self { widths, shown }
    }

    /// Columns that are used of `room` at most, whichever field is the current one.
    pub(super) fn used(widths: &[usize], room: usize) -> usize {
        let of = |current| Self::of(widths.to_vec(), room, current).shown;
        let used = (0..widths.len()).map(|current| columns_needed(widths, of(current)));
        used.max().unwrap_or(0).min(room)
    }
}

/// Columns of these of the fields, a blank after each, with the signs of those that are left out.
pub(super) fn columns_needed(widths: &[usize], shown: Range<usize>) -> usize {
    let marks = usize::from(shown.start > 0) * 2 + usize::from(shown.end < widths.len()) * 2;
    widths.get(shown).unwrap_or_default().iter().map(|width| width + 1).sum::<usize>() + marks
}
