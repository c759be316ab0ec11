//! The columns of the fields of a struct: how wide each is, and which of them have room.

use crate::app::prelude::*;

/// The columns of the bytes of each field: as wide as they are, up to a limit, and as their names.
pub fn byte_widths(fields: &[Field]) -> Vec<usize> {
    /// Hexadecimal digits of a field that are shown at most.
    const MOST: usize = 24;
    let digits = |field: &Field| field.size().saturating_mul(2).min(MOST);
    fields.iter().map(|field| digits(field).max(safe(&field.name).width()).max(1)).collect()
}

/// The columns of the fields of a struct on one side: how wide each is, and which of them there is room for.
pub struct FieldColumns {
    /// The width of each field.
    pub widths: Vec<usize>,
    /// The fields that are shown.
    pub shown: Range<usize>,
}

impl FieldColumns {
    /// As many of the fields in `room` columns as fit, `current` among them. Two columns stand for what is left out.
    pub fn of(widths: Vec<usize>, room: usize, current: usize) -> Self {
        let current = current.min(widths.len().saturating_sub(1));
        let mut shown = ShownFields::new(&widths, room, current);
        while shown.fields.start > 0 && shown.needed_from(shown.fields.start - 1) <= room {
            shown.set_start(shown.fields.start - 1);
        }
        shown.extend();
        let shown = shown.fields;
        Self { widths, shown }
    }

    /// Columns that are used of `room` at most, whichever field is the current one. Each field is taken in and left out
    /// once.
    pub(super) fn used(widths: &[usize], room: usize) -> usize {
        let mut shown = ShownFields::new(widths, room, 0);
        let mut used = 0;
        for current in 0..widths.len() {
            while shown.fields.end <= current {
                shown.set_end(shown.fields.end + 1);
            }
            // As many before it as have room, before there are any after it.
            let mut around = shown.clone();
            around.set_end(current + 1);
            while around.fields.start < current && around.needed() > room {
                around.set_start(around.fields.start + 1);
            }
            shown.set_start(around.fields.start);
            shown.extend();
            used = used.max(shown.needed());
        }
        used.min(room)
    }
}

/// Fields that follow each other, and the columns that they take.
#[derive(Clone)]
struct ShownFields<'a> {
    widths: &'a [usize],
    room: usize,
    fields: Range<usize>,
    /// Their columns, a blank after each.
    columns: usize,
}

impl<'a> ShownFields<'a> {
    /// The field `current` alone.
    fn new(widths: &'a [usize], room: usize, current: usize) -> Self {
        let mut shown = Self { widths, room, fields: current..current, columns: 0 };
        shown.set_end((current + 1).min(widths.len()));
        shown
    }

    fn columns_of(&self, fields: Range<usize>) -> usize {
        self.widths.get(fields).unwrap_or_default().iter().map(|width| width + 1).sum()
    }

    fn set_start(&mut self, start: usize) {
        let before = self.fields.start;
        self.columns += self.columns_of(start..before.max(start));
        self.columns -= self.columns_of(before..start.max(before));
        self.fields.start = start;
    }

    fn set_end(&mut self, end: usize) {
        let before = self.fields.end;
        self.columns += self.columns_of(before..end.max(before));
        self.columns -= self.columns_of(end..before.max(end));
        self.fields.end = end;
    }

    /// The columns with the signs of what is left out.
    fn needed(&self) -> usize {
        let marks = [self.fields.start > 0, self.fields.end < self.widths.len()];
        self.columns + marks.into_iter().map(|is_cut| usize::from(is_cut) * 2).sum::<usize>()
    }

    fn needed_from(&self, start: usize) -> usize {
        let mut other = self.clone();
        other.set_start(start);
        other.needed()
    }

    /// Takes in the fields after these that there is room for.
    fn extend(&mut self) {
        while self.fields.end < self.widths.len() {
            let end = self.fields.end;
            self.set_end(end + 1);
            if self.needed() > self.room {
                self.set_end(end);
                break;
            }
        }
    }
}

/// Columns of these of the fields, a blank after each, with the signs of those that are left out.
pub(super) fn columns_needed(widths: &[usize], shown: Range<usize>) -> usize {
    let marks = usize::from(shown.start > 0) * 2 + usize::from(shown.end < widths.len()) * 2;
    widths.get(shown).unwrap_or_default().iter().map(|width| width + 1).sum::<usize>() + marks
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The fields that are shown, found by trying every start and every end.
    fn by_trying(widths: &[usize], room: usize, current: usize) -> Range<usize> {
        let fits = |range| columns_needed(widths, range) <= room;
        let start = (0..=current).find(|&start| fits(start..current + 1)).unwrap_or(current);
        let ends = current + 1..widths.len();
        start
            ..ends.take_while(|&end| fits(start..end + 1)).last().map_or(current + 1, |end| end + 1)
    }

    #[test]
    fn as_many_fields_are_shown_as_fit() {
        for widths in [vec![1; 9], vec![3, 1, 24, 2, 2, 8, 1, 1, 1, 30, 2], vec![5], vec![2, 2]] {
            for room in 0..60 {
                let all = 0..widths.len();
                let shown = |current| by_trying(&widths, room, current);
                for current in all.clone() {
                    let found = FieldColumns::of(widths.clone(), room, current).shown;
                    assert_eq!(found, shown(current), "{widths:?} {room} {current}");
                }
                let used = all.map(|current| columns_needed(&widths, shown(current))).max();
                let used = used.unwrap_or(0).min(room);
                assert_eq!(FieldColumns::used(&widths, room), used, "{widths:?} {room}");
            }
        }
        assert!(FieldColumns::of(Vec::new(), 10, 0).shown.is_empty());
    }

    /// A million fields, of which every one was tried with every other.
    #[test]
    fn very_many_fields_take_no_longer_than_looking_at_each() {
        let widths = vec![7; 1_000_000];
        assert_eq!(FieldColumns::used(&widths, 84), 84);
        assert_eq!(FieldColumns::of(widths, 84, 500_000).shown, 499_991..500_001);
    }
}
