//! A slice of an array as a small grid of means, for a picture.

use super::{Class, Column, Look};

/// The number of elements looked at for one picture, however large the slice is.
const MOST: u64 = 1 << 18;

/// The slice, and the number of its cells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Slice {
    /// The axis that runs down; `None` for a single row.
    pub down: Option<usize>,
    /// The axis that runs right.
    pub right: usize,
    /// The place of the slice on the other axes; those of its own two axes do not count.
    pub at: Vec<u64>,
    /// The number of rows of cells at most.
    pub rows: usize,
    /// The number of columns of cells at most.
    pub columns: usize,
}

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

    /// The lowest and the highest mean.
    pub fn range(&self) -> Option<(f64, f64)> {
        let means = || self.cells.iter().filter_map(|cell| cell.mean);
        Some((means().min_by(f64::total_cmp)?, means().max_by(f64::total_cmp)?))
    }
}

/// Makes a grid of means out of a slice. A slice that is smaller than the grid gives one cell an element. No more than
/// some hundred thousand elements are looked at: of larger blocks, evenly spaced ones.
pub fn downsample(column: &Column, slice: &Slice, stop: &dyn Fn() -> bool) -> HeatMap {
    let extent = column.extent();
    let length =
        |axis: Option<usize>| axis.map_or(1, |axis| extent.get(axis).copied().unwrap_or(0));
    let down = AxisBlocks::new(length(slice.down), slice.rows);
    let right = AxisBlocks::new(length(Some(slice.right)), slice.columns);
    let (mut map, cells) = (HeatMap::default(), down.count.saturating_mul(right.count));
    if cells == 0 || cells as u64 > MOST || column.elements().shape().len() != slice.at.len() {
        return map;
    }
    (map.rows, map.columns) = (down.count, right.count);
    // Equally many along both sides of each block, so that the cost is the same for every shape.
    let quota = (MOST / cells as u64).isqrt().max(1);
    map.sampled = down.longest() > quota || right.longest() > quota;
    let mut at = slice.at.clone();
    for row in 0..down.count {
        if stop() {
            map.rows = row;
            break;
        }
        for block in 0..right.count {
            let mut cell = Gather::default();
            for y in down.sample(row, quota) {
                for x in right.sample(block, quota) {
                    place(&mut at, slice, y, x);
                    cell.add(column, column.elements().position(&at));
                }
            }
            map.cells.push(cell.finish());
        }
    }
    map
}

/// The cell, out of `cells`, that holds the element `at` of an axis of `length`.
pub fn cell_of(at: u64, length: u64, cells: usize) -> usize {
    let cell = ((u128::from(at) + 1) * cells as u128).saturating_sub(1) / u128::from(length.max(1));
    usize::try_from(cell).unwrap_or(usize::MAX).min(cells.saturating_sub(1))
}

/// The first element of cell `cell`, where an axis of `length` is cut into `cells`. 128 bits, because lengths go up to
/// 2⁶⁴.
pub fn first_of(cell: usize, length: u64, cells: usize) -> u64 {
    let start = u128::from(length) * cell as u128 / cells.max(1) as u128;
    u64::try_from(start).unwrap_or(length)
}

/// Moves the coordinates to a place in the slice.
fn place(at: &mut [u64], slice: &Slice, y: u64, x: u64) {
    if let Some(row) = slice.down.and_then(|axis| at.get_mut(axis)) {
        *row = y;
    }
    if let Some(column) = at.get_mut(slice.right) {
        *column = x;
    }
}

/// An axis cut into blocks of nearly equal length.
struct AxisBlocks {
    length: u64,
    count: usize,
}

impl AxisBlocks {
    fn new(length: u64, most: usize) -> Self {
        Self { length, count: usize::try_from(length).unwrap_or(usize::MAX).min(most) }
    }

    /// The first element of block `at`.
    fn start(&self, at: usize) -> u64 {
        first_of(at, self.length, self.count)
    }

    /// The length of the longest block.
    fn longest(&self) -> u64 {
        self.length.div_ceil(self.count.max(1) as u64)
    }

    /// At most `quota` places in block `at`, evenly spaced.
    fn sample(&self, at: usize, quota: u64) -> impl Iterator<Item = u64> + use<> {
        let (start, end) = (self.start(at), self.start(at + 1));
        let step = (end - start).div_ceil(quota.max(1)).max(1);
        (start..end).step_by(usize::try_from(step).unwrap_or(usize::MAX))
    }
}

/// A cell in the making.
#[derive(Default)]
pub(super) struct Gather {
    cell: HeatCell,
    numbers: u64,
    mean: f64,
}

impl Gather {
    fn add(&mut self, column: &Column, position: u64) {
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
            self.numbers += 1;
            if self.numbers > 1 && takes_highest {
                self.mean = self.mean.max(look.value);
                return;
            }
            if self.numbers > 1 && !has_means {
                return;
            }
            // One by one: a sum of large floats would be infinite.
            self.mean += look.value / self.numbers as f64 - self.mean / self.numbers as f64;
        }
    }

    /// The elements that were numbers.
    pub(super) fn numbers(&self) -> u64 {
        self.numbers
    }

    pub(super) fn finish(self) -> HeatCell {
        HeatCell { mean: (self.numbers > 0).then_some(self.mean), ..self.cell }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::zarr::{
        ByteOrder, DataTypes, Json,
        bytes::Bytes,
        codec::{Elements, Places},
        statistics::whole,
    };

    #[test]
    fn a_map_is_sampled_if_blocks_are_long_along_either_side() {
        let data_type = DataTypes::default().from_v3(&Json::from("uint8")).unwrap().data_type;
        // Of two cells, each may have 362 elements a side.
        for (shape, is_sampled) in [([2, 3000], true), ([3000, 2], true), ([300, 300], false)] {
            let (order, bytes) = (ByteOrder::NotApplicable, Bytes::whole(vec![1; 90_000]));
            let elements = Elements::new(
                data_type.clone(),
                order,
                shape.to_vec(),
                false,
                Places::Fixed(1),
                bytes,
            );
            let slice = Slice { down: Some(0), right: 1, at: vec![0, 0], rows: 1, columns: 2 };
            let slice =
                if shape[0] > shape[1] { Slice { rows: 2, columns: 1, ..slice } } else { slice };
            let map = downsample(&whole(&elements, None), &slice, &|| false);
            assert_eq!((map.sampled, map.cells.len()), (is_sampled, 2), "{shape:?}");
        }
    }

    proptest::proptest! {
        #[test]
        fn an_element_is_in_the_cell_that_begins_before_it(
            length in 1_u64..500,
            part in 0.0_f64..1.0,
            cells in 1_usize..80,
        ) {
            let cells = cells.min(usize::try_from(length).unwrap());
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, clippy::cast_precision_loss, reason = "small")]
            let at = (part * length as f64) as u64;
            let cell = cell_of(at, length, cells);
            proptest::prop_assert!(first_of(cell, length, cells) <= at);
            proptest::prop_assert!(cell + 1 == cells || first_of(cell + 1, length, cells) > at);
            proptest::prop_assert_eq!(cell_of(first_of(cell, length, cells), length, cells), cell);
        }
    }
}
