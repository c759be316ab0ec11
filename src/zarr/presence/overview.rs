//! A small picture of a large grid: how many chunks are stored in each cell of two of its axes.

/// How many chunks are stored, over two axes of a grid, in cells that each stand for as many chunks as it takes to
/// stay within a size.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Overview {
    axes: [Axis; 2],
    /// Row by row.
    cells: Vec<u64>,
    /// How many chunks of the other axes lie behind each place; `None` past 2¹²⁸.
    behind: Option<u128>,
}

/// One of the two axes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Axis {
    /// Which one; `None` in grids of fewer dimensions.
    index: Option<usize>,
    /// How many chunks it has.
    count: u64,
    /// How many of them a cell stands for.
    step: u64,
    /// How many cells that makes.
    cells: usize,
}

impl Axis {
    fn new(index: usize, counts: &[u64], most: usize) -> Self {
        let most = most.max(1) as u64;
        let (index, count) = match counts.get(index) {
            Some(&count) => (Some(index), count),
            None => (None, 1),
        };
        let step = count.div_ceil(most).max(1);
        let cells = usize::try_from(count.div_ceil(step)).unwrap_or(usize::MAX);
        Self { index, count, step, cells }
    }

    fn cell(&self, coordinates: &[u64]) -> Option<usize> {
        let at = self.index.map_or(Some(0), |index| coordinates.get(index).copied())?;
        usize::try_from(at / self.step).ok().filter(|&cell| cell < self.cells)
    }

    /// How many chunks the cell stands for.
    fn width(&self, cell: usize) -> u64 {
        let from = (cell as u64).saturating_mul(self.step);
        self.count.saturating_sub(from).min(self.step)
    }
}

impl Overview {
    /// An empty picture of a grid with `counts` chunks, axis `rows` downwards and axis `columns` to the right, of at
    /// most `most` rows and columns. An axis that the grid does not have is one chunk long.
    #[must_use]
    pub fn new(counts: &[u64], [rows, columns]: [usize; 2], most: [usize; 2]) -> Self {
        let [most_rows, most_columns] = most;
        let axes = [Axis::new(rows, counts, most_rows), Axis::new(columns, counts, most_columns)];
        let others = counts.iter().enumerate().filter(|(axis, _)| ![rows, columns].contains(axis));
        let behind = others.map(|(_, &n)| u128::from(n)).try_fold(1, u128::checked_mul);
        let [down, right] = axes;
        Self { axes, cells: vec![0; down.cells.saturating_mul(right.cells)], behind }
    }

    /// How many rows and columns of cells there are.
    #[must_use]
    pub fn size(&self) -> [usize; 2] {
        self.axes.map(|axis| axis.cells)
    }

    /// How many chunks a cell stands for along each of the two axes.
    #[must_use]
    pub fn step(&self) -> [u64; 2] {
        self.axes.map(|axis| axis.step)
    }

    /// Counts a stored chunk. Coordinates outside of the grid count nowhere.
    pub fn add(&mut self, coordinates: &[u64]) {
        let [rows, columns] = &self.axes;
        let cell = rows.cell(coordinates).zip(columns.cell(coordinates));
        let index = cell.map(|(row, column)| row * columns.cells + column);
        if let Some(count) = index.and_then(|index| self.cells.get_mut(index)) {
            *count += 1;
        }
    }

    /// How many chunks are stored in a cell, and how many it could hold (`None` past 2¹²⁸).
    #[must_use]
    pub fn cell(&self, row: usize, column: usize) -> Option<(u64, Option<u128>)> {
        let [rows, columns] = &self.axes;
        if row >= rows.cells || column >= columns.cells {
            return None;
        }
        let stored = *self.cells.get(row * columns.cells + column)?;
        let places = u128::from(rows.width(row)) * u128::from(columns.width(column));
        Some((stored, self.behind.and_then(|behind| behind.checked_mul(places))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_stand_for_as_many_chunks_as_fit() {
        let mut overview = Overview::new(&[3, 10, 7], [1, 2], [4, 100]);
        assert_eq!((overview.size(), overview.step()), ([4, 7], [3, 1]));
        for at in [[0, 0, 0], [2, 1, 0], [1, 9, 6], [1, 10, 0], [0, 0, 7]] {
            overview.add(&at);
        }
        assert_eq!(overview.cell(0, 0), Some((2, Some(9))));
        assert_eq!(overview.cell(3, 6), Some((1, Some(3))));
        assert_eq!(overview.cell(4, 0), None);
    }

    #[test]
    fn grids_on_paper_and_grids_of_no_dimension_have_a_picture() {
        let paper = Overview::new(&[u64::MAX; 4], [0, 1], [80, 200]);
        assert!(paper.size()[0] <= 80 && paper.size()[1] <= 200);
        assert_eq!(paper.cell(0, 0), Some((0, None)));
        let mut point = Overview::new(&[], [0, 1], [10, 10]);
        point.add(&[]);
        assert_eq!((point.size(), point.cell(0, 0)), ([1, 1], Some((1, Some(1)))));
        assert_eq!(Overview::new(&[0, 3], [0, 1], [10, 10]).size(), [0, 3]);
    }
}
