//! A grid of means, for a picture.

use super::{Class, Column, Look};

/// A block of elements in one cell.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct HeatCell {
    /// The mean of the numbers among them, or the first of angles; `None` where there is none.
    pub mean: Option<f64>,
    /// Elements that were looked at.
    pub elements: u64,
    /// Of those: NaN, "not a time" or no number at all, but neither missing nor the fill value.
    pub nan: u64,
    /// Of those: infinite, neither missing nor the fill value; below 0 and above.
    pub infinite: [u64; 2],
    /// Of those: equal in value to the fill value.
    pub fill: u64,
    /// Of those: missing, as an attribute says.
    pub missing: u64,
    /// The elements that are numbers.
    pub numbers: u64,
    /// The elements of chunks that are not stored.
    pub absent: u64,
    /// The elements of chunks that cannot be read.
    pub damaged: u64,
}

impl HeatCell {
    /// The figures of so many elements like the one that was looked at.
    pub(super) fn times(mut self, count: u64) -> Self {
        for number in self.counts() {
            *number = number.saturating_mul(count);
        }
        self
    }

    pub(super) fn merge(&mut self, mut other: Self, takes_highest: bool) {
        let (a, b) = (self.numbers as f64, other.numbers as f64);
        self.mean = match (self.mean, other.mean) {
            (Some(own), Some(others)) if takes_highest => Some(own.max(others)),
            // Each weighed first: a sum of large floats would be infinite.
            (Some(own), Some(others)) => Some(own * (a / (a + b)) + others * (b / (a + b))),
            (own, others) => own.or(others),
        };
        for (own, more) in self.counts().into_iter().zip(other.counts()) {
            *own = own.saturating_add(*more);
        }
    }

    fn counts(&mut self) -> [&mut u64; 9] {
        let Self {
            mean: _,
            elements,
            nan,
            infinite: [below, above],
            fill,
            missing,
            numbers,
            absent,
            damaged,
        } = self;
        [elements, nan, below, above, fill, missing, numbers, absent, damaged]
    }
}

/// The cells of a slice, row by row.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct HeatMap {
    /// The number of rows.
    pub rows: usize,
    /// The number of cells a row has.
    pub columns: usize,
    /// The cells, row by row.
    pub cells: Vec<HeatCell>,
    /// True if only some elements of each cell were looked at.
    pub sampled: bool,
}

impl HeatMap {
    /// A cell; `None` outside.
    pub fn cell(&self, row: usize, column: usize) -> Option<&HeatCell> {
        (column < self.columns).then(|| self.cells.get(row * self.columns + column))?
    }
}

/// The first element of cell `cell`, where an axis of `length` is cut into `cells`. 128 bits, because lengths go up to
/// 2⁶⁴.
pub fn first_of(cell: usize, length: u64, cells: usize) -> u64 {
    let start = u128::from(length) * cell as u128 / cells.max(1) as u128;
    u64::try_from(start).unwrap_or(length)
}

/// A cell in the making.
#[derive(Default)]
pub(super) struct Gather {
    cell: HeatCell,
    mean: f64,
}

impl Gather {
    pub(super) fn add(&mut self, column: &Column, position: u64) {
        if let Some(look) = column.look(position) {
            self.see(&look, column.has_means(), false);
        }
    }

    /// Takes an element in: into the mean of numbers that have one, or into the highest of them.
    pub(super) fn see(&mut self, look: &Look, has_means: bool, takes_highest: bool) {
        self.cell.elements += 1;
        self.cell.fill += u64::from(look.fill_value);
        self.cell.missing += u64::from(look.missing);
        if !look.fill_value && !look.missing {
            let one = |class| u64::from(look.class == class);
            self.cell.infinite[0] += one(Class::NegativeInfinity);
            self.cell.infinite[1] += one(Class::PositiveInfinity);
            self.cell.nan += one(Class::Nan) + one(Class::NotATime) + one(Class::Other);
        }
        if look.is_number() {
            self.cell.numbers += 1;
            if self.cell.numbers > 1 && takes_highest {
                self.mean = self.mean.max(look.value);
                return;
            }
            if self.cell.numbers > 1 && !has_means {
                return;
            }
            // One by one: a sum of large floats would be infinite.
            let numbers = self.cell.numbers as f64;
            self.mean += look.value / numbers - self.mean / numbers;
        }
    }

    pub(super) fn finish(self) -> HeatCell {
        HeatCell { mean: (self.cell.numbers > 0).then_some(self.mean), ..self.cell }
    }
}
