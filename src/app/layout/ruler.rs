//! The cells of an axis of an array and their layout on the screen: with a gap between chunks where cells are many
//! enough for each, so that borders can be drawn and no cell is in two chunks.

use crate::zarr::{
    budget::to_usize,
    statistics::{first_of, raster::widths},
};
use std::ops::Range;

/// The half rows or columns that one cell is drawn as at most.
const LARGEST: usize = 40;
/// The cells that a chunk has at least where borders are drawn.
const BORDERED: u64 = 3;
/// The cells that an axis gets at least, where it has as many elements.
const LEAST: u128 = 8;

/// The content of a place of the screen along an axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Slot {
    /// This cell.
    Cell(usize),
    /// The border between two chunks.
    Border,
    /// Nothing.
    Blank,
}

/// An axis that is to be cut.
pub struct Axis {
    /// The elements that are drawn.
    pub range: Range<u64>,
    /// The starts of chunks within them, the first left out; empty where there are too many to be told apart.
    pub borders: Vec<u64>,
    /// The places that there are: columns, or half rows.
    pub room: usize,
    /// The places that a border takes, and that a chunk takes a multiple of: 2 where places are half rows.
    pub grain: usize,
}

impl Axis {
    fn len(&self) -> u64 {
        self.range.end.saturating_sub(self.range.start).max(1)
    }

    /// The parts between borders.
    fn parts(&self) -> impl Iterator<Item = Range<u64>> + '_ {
        let starts = std::iter::once(self.range.start).chain(self.borders.iter().copied());
        let ends = self.borders.iter().copied().chain(std::iter::once(self.range.end));
        starts.zip(ends).map(|(start, end)| start..end)
    }

    fn longest(&self) -> u64 {
        self.parts().map(|part| part.end.saturating_sub(part.start)).max().unwrap_or(1).max(1)
    }

    /// The places left for cells where borders are drawn, for each chunk.
    fn share(&self) -> u64 {
        let chunks = self.borders.len() + 1;
        let room = self.room.saturating_sub(self.borders.len() * self.grain) / chunks;
        (room / self.grain * self.grain) as u64
    }

    fn is_bordered(&self, elements: PerCell) -> bool {
        let wanted = BORDERED.min(self.longest());
        let fits = (wanted..=self.share()).contains(&(cells(self.longest(), elements) as u64));
        !self.borders.is_empty() && fits
    }

    /// The number of elements that a cell must have at least.
    fn elements(&self) -> PerCell {
        let share = self.share();
        if !self.borders.is_empty() && share >= BORDERED.min(self.longest()) {
            return PerCell(self.longest().div_ceil(share.max(1)).into(), 1);
        }
        PerCell(self.len().into(), self.room.max(1) as u128).max(ONE)
    }

    /// The places that cells of one place each take, and those of borders.
    fn places(&self, elements: PerCell) -> (usize, usize) {
        if self.is_bordered(elements) {
            let cells = self.parts().map(|part| cells(part.end - part.start, elements)).sum();
            return (
                cells,
                (self.borders.len() + 1) * (self.grain - 1) + self.borders.len() * self.grain,
            );
        }
        (cells(self.len(), elements), 0)
    }

    fn ruler(&self, elements: PerCell, zoom: usize) -> Ruler {
        let mut ruler = Ruler { bounds: vec![self.range.start], slots: Vec::new() };
        if !self.is_bordered(elements) {
            let cells = self.places(elements).0;
            ruler.part(&self.range, cells, zoom);
            return ruler;
        }
        for (at, part) in self.parts().enumerate() {
            if at > 0 {
                while !ruler.slots.len().is_multiple_of(self.grain) {
                    ruler.slots.push(Slot::Blank);
                }
                ruler.slots.extend(std::iter::repeat_n(Slot::Border, self.grain));
            }
            ruler.part(&part, cells(part.end.saturating_sub(part.start), elements).max(1), zoom);
        }
        ruler
    }
}

/// The elements of a cell, as a fraction: where there is no border, cells need not divide them.
#[derive(Clone, Copy)]
struct PerCell(u128, u128);

const ONE: PerCell = PerCell(1, 1);

impl PerCell {
    fn is_more(self, than: Self) -> bool {
        self.0 * than.1 > than.0 * self.1
    }

    fn max(self, other: Self) -> Self {
        if other.is_more(self) { other } else { self }
    }

    fn min(self, other: Self) -> Self {
        if other.is_more(self) { self } else { other }
    }
}

fn cells(len: u64, elements: PerCell) -> usize {
    let cells = (u128::from(len) * elements.1).div_ceil(elements.0);
    to_usize(cells)
}

/// An axis, cut into cells and laid out.
#[derive(Debug, Clone, PartialEq)]
pub struct Ruler {
    /// The start of each cell, and the end of the last one.
    pub bounds: Vec<u64>,
    /// The content of each place of the screen.
    pub slots: Vec<Slot>,
}

impl Ruler {
    /// The rulers of both axes, down and right, with cells as square in elements as they can be.
    pub fn pair(down: Option<&Axis>, right: &Axis) -> (Self, Self) {
        let own = right.elements();
        let Some(down) = down else {
            let zoom = zoom(right, own);
            return (
                Self { bounds: vec![0, 1], slots: vec![Slot::Cell(0)] },
                right.ruler(own, zoom),
            );
        };
        let both = own.max(down.elements());
        // An axis that would be a mere line is drawn wider than the other.
        let most = |axis: &Axis| PerCell(axis.len().into(), LEAST).max(axis.elements());
        let (high, wide) = (both.min(most(down)), both.min(most(right)));
        let zoom = zoom(down, high).min(zoom(right, wide));
        (down.ruler(high, zoom), right.ruler(wide, zoom))
    }

    /// Adds a part of the axis in so many cells.
    fn part(&mut self, part: &Range<u64>, cells: usize, zoom: usize) {
        let len = part.end.saturating_sub(part.start);
        for cell in 0..cells {
            let number = self.bounds.len() - 1;
            self.slots.extend(std::iter::repeat_n(Slot::Cell(number), zoom));
            self.bounds.push(part.start + first_of(cell + 1, len, cells));
        }
    }

    /// The elements that the narrowest and the widest cell have.
    pub fn widths(&self) -> (u64, u64) {
        let widths = || widths(&self.bounds);
        (widths().min().unwrap_or(1), widths().max().unwrap_or(1))
    }

    /// The number of places that it takes.
    pub fn len(&self) -> usize {
        self.slots.len()
    }

    /// True if it has no cell.
    pub fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }

    /// The middle place of a cell.
    pub fn middle(&self, cell: usize) -> Option<usize> {
        let first = self.slots.iter().position(|slot| *slot == Slot::Cell(cell))?;
        let places = self.slots.iter().skip(first).take_while(|slot| **slot == Slot::Cell(cell));
        Some(first + places.count() / 2)
    }
}

/// The places that one cell is drawn as.
fn zoom(axis: &Axis, elements: PerCell) -> usize {
    let (cells, borders) = axis.places(elements);
    (axis.room.saturating_sub(borders) / cells.max(1)).clamp(1, LARGEST)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn axis(len: u64, chunk: u64, room: usize, grain: usize) -> Axis {
        let borders = (1..len.div_ceil(chunk)).map(|at| at * chunk).collect();
        Axis { range: 0..len, borders, room, grain }
    }

    #[test]
    fn chunks_have_borders_where_they_have_cells_enough() {
        let (down, right) = Ruler::pair(Some(&axis(148, 37, 56, 2)), &axis(180, 45, 58, 1));
        assert_eq!(right.slots.iter().filter(|slot| **slot == Slot::Border).count(), 3);
        assert_eq!(down.slots.iter().filter(|slot| **slot == Slot::Border).count(), 6);
        assert!(down.len() <= 56 && right.len() <= 58, "{} {}", down.len(), right.len());
        for bound in [37, 74, 111, 148] {
            assert!(down.bounds.contains(&bound), "no cell is in two chunks");
        }
        let (_, right) = Ruler::pair(None, &axis(1000, 2, 58, 1));
        assert!(!right.slots.contains(&Slot::Border) && right.len() <= 58);
    }

    #[test]
    fn whatever_the_axis_all_of_it_is_drawn_and_has_room() {
        for len in [1_u64, 2, 7, 100, 1000, 1 << 40] {
            for chunk in [1_u64, 3, 50, 1 << 39] {
                if len.div_ceil(chunk) > 4000 {
                    continue;
                }
                for (room, grain) in [(2, 2), (7, 1), (40, 2), (93, 1)] {
                    let axis = axis(len, chunk, room, grain);
                    let (ruler, _) = Ruler::pair(Some(&axis), &axis);
                    assert!(ruler.len() <= room, "{len} {chunk} {room} {grain}: {}", ruler.len());
                    assert_eq!((ruler.bounds.first(), ruler.bounds.last()), (Some(&0), Some(&len)));
                    assert!(ruler.bounds.is_sorted_by(|a, b| a < b), "{ruler:?}");
                }
            }
        }
    }

    #[test]
    fn cells_are_square_in_elements() {
        let cells = |high: u64, wide: u64| {
            let (down, right) =
                Ruler::pair(Some(&axis(high, u64::MAX, 50, 2)), &axis(wide, u64::MAX, 58, 1));
            (down.bounds.len() - 1, right.bounds.len() - 1)
        };
        assert_eq!(cells(4, 5), (4, 5));
        assert_eq!(cells(74, 90), (48, 58));
        assert_eq!(cells(1000, 10), (50, 8));
        assert_eq!(cells(u64::MAX, 1), (50, 1));
        assert_eq!(cells(u64::MAX, u64::MAX), (50, 50));
    }
}
