//! The chunk grid: the part of the array that each chunk holds, and its key.
//!
//! All arithmetic is checked and in 64 bits or more; nothing here takes memory that grows with the number of chunks,
//! because grids of 10¹⁸ chunks exist on paper.

use super::prelude::*;

mod key;
pub mod order;

pub use key::KeyEncoding;

/// The division of an array into chunks.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Grid {
    /// Every chunk has this shape, in elements.
    Regular(Vec<u64>),
    /// Along each dimension, chunk lengths as runs of (length, how many of it).
    Rectilinear(Vec<Vec<(u64, u64)>>),
}

/// A box of elements: one range per dimension.
pub type Region = Vec<Range<u64>>;

/// The first element of `region`.
pub fn starts(region: &[Range<u64>]) -> Vec<u64> {
    region.iter().map(|range| range.start).collect()
}

/// The number of elements along each dimension of `region`.
pub fn lengths(region: &[Range<u64>]) -> Vec<u64> {
    region.iter().map(|range| range.end.saturating_sub(range.start)).collect()
}

/// `[0–73,90–134]`: the first and the last element along each dimension, as ranges of bytes are written too.
pub fn region_text(region: &Region) -> String {
    let part = |range: &Range<u64>| match range.end.saturating_sub(range.start) {
        0 => "none".to_owned(),
        1 => range.start.to_string(),
        _ => format!("{}–{}", range.start, range.end - 1),
    };
    format!("[{}]", region.iter().map(part).joined(","))
}

/// A chunk: its coordinates in the grid and, inside shards, those of the inner chunk at each level.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct ChunkId {
    /// Coordinates in the array's chunk grid (for a sharded array: which shard).
    pub coordinates: Vec<u64>,
    /// Inside the shard: which inner chunk; one entry per level of nesting. Empty: the whole file.
    pub inner: Vec<Vec<u64>>,
}

impl ChunkId {
    /// The chunk at these coordinates of the grid, all of it.
    pub fn at(coordinates: Vec<u64>) -> Self {
        Self { coordinates, inner: Vec::new() }
    }

    /// Its coordinates and those of the inner chunks, a list a level.
    pub fn to_json(&self) -> Json {
        std::iter::once(&self.coordinates).chain(&self.inner).map(Json::from).collect()
    }

    /// The chunk that [`Self::to_json`] wrote; `None` where it is none.
    pub fn from_json(json: &Json) -> Option<Self> {
        let mut levels = json.as_array()?.iter().map(Json::as_numbers);
        let (coordinates, inner) = (levels.next()??, levels.collect::<Option<_>>()?);
        Some(Self { coordinates, inner })
    }
}

impl Grid {
    /// The number of dimensions it cuts.
    pub fn dimensions(&self) -> usize {
        match self {
            Self::Regular(lengths) => lengths.len(),
            Self::Rectilinear(runs) => runs.len(),
        }
    }

    /// The number of chunks it takes along each dimension to cover `shape`; 0 where the array or the chunks have no
    /// length. Chunks that lie wholly after the array's end are not counted.
    pub fn counts(&self, shape: &[u64]) -> Vec<u64> {
        (0..self.dimensions())
            .map(|axis| self.count(axis, shape.get(axis).copied().unwrap_or_default()))
            .collect()
    }

    /// The number of chunks that cover `shape` in all; `None` past 2¹²⁸.
    pub fn total(&self, shape: &[u64]) -> Option<u128> {
        order::total(&self.counts(shape))
    }

    /// The shape of the chunk at `coordinates` in elements, whole even at the array's edge; `None` where there is no
    /// such chunk or the ranks differ.
    pub fn chunk_shape(&self, coordinates: &[u64]) -> Option<Vec<u64>> {
        Some(self.spans(coordinates)?.into_iter().map(|span| span.end - span.start).collect())
    }

    /// The elements of an array of `shape` that the chunk at `coordinates` holds, cut at the array's edge; `None` where
    /// it holds none or the ranks differ.
    pub fn region(&self, coordinates: &[u64], shape: &[u64]) -> Option<Region> {
        if shape.len() != coordinates.len() {
            return None;
        }
        self.spans(coordinates)?
            .into_iter()
            .zip(shape)
            .map(|(span, &length)| (span.start < length).then(|| span.start..span.end.min(length)))
            .collect()
    }

    /// The chunk that holds the element at `position`, and where in it; `None` where no chunk reaches that far or the
    /// ranks differ.
    pub fn locate(&self, position: &[u64]) -> Option<(Vec<u64>, Vec<u64>)> {
        if position.len() != self.dimensions() {
            return None;
        }
        let places = position.iter().enumerate().map(|(axis, &at)| self.chunk_at(axis, at));
        Some(places.collect::<Option<Vec<_>>>()?.into_iter().unzip())
    }

    /// True if the chunk at `coordinates` holds any element of an array of `shape`.
    pub fn contains(&self, coordinates: &[u64], shape: &[u64]) -> bool {
        let counts = self.counts(shape);
        coordinates.len() == counts.len() && order::is_inside(coordinates, &counts)
    }

    /// The elements from the first to the last of the chunk at `coordinates`, edge included, along each dimension.
    fn spans(&self, coordinates: &[u64]) -> Option<Region> {
        if coordinates.len() != self.dimensions() {
            return None;
        }
        coordinates.iter().enumerate().map(|(axis, &at)| self.span(axis, at)).collect()
    }

    /// The elements along `axis` of the chunks with coordinate `index` there, edge included; `None` where there are
    /// none.
    pub fn span(&self, axis: usize, index: u64) -> Option<Range<u64>> {
        match self {
            Self::Regular(lengths) => {
                let start = index.checked_mul(*lengths.get(axis)?)?;
                Some(start..start.checked_add(*lengths.get(axis)?)?)
            }
            Self::Rectilinear(runs) => span_in_runs(runs.get(axis)?, index),
        }
    }

    fn count(&self, axis: usize, length: u64) -> u64 {
        match self {
            Self::Regular(lengths) => match lengths.get(axis) {
                None | Some(0) => 0,
                Some(&chunk) => length.div_ceil(chunk),
            },
            Self::Rectilinear(runs) => runs.get(axis).map_or(0, |runs| count_in_runs(runs, length)),
        }
    }

    /// Along `axis`, the coordinate of the chunk that holds the element at `at`, and where in it; `None` where no chunk
    /// reaches that far.
    pub fn chunk_at(&self, axis: usize, at: u64) -> Option<(u64, u64)> {
        match self {
            Self::Regular(lengths) => {
                let chunk = *lengths.get(axis)?;
                Some((at.checked_div(chunk)?, at.checked_rem(chunk)?))
            }
            Self::Rectilinear(runs) => locate_in_runs(runs.get(axis)?, at),
        }
    }
}

/// The elements of chunk `index`, where the chunk lengths come in runs of (length, how many of it).
fn span_in_runs(runs: &[(u64, u64)], index: u64) -> Option<Range<u64>> {
    let (mut start, mut first) = (0_u64, 0_u64);
    for &(length, repeat) in runs {
        let within = index - first;
        if within < repeat {
            let start = start.checked_add(within.checked_mul(length)?)?;
            return Some(start..start.checked_add(length)?);
        }
        start = start.checked_add(length.checked_mul(repeat)?)?;
        first += repeat;
    }
    None
}

/// The number of chunks that begin before `length`.
fn count_in_runs(runs: &[(u64, u64)], length: u64) -> u64 {
    let (mut left, mut count) = (length, 0_u64);
    for &(chunk, repeat) in runs {
        let needed = if chunk == 0 { 0 } else { left.div_ceil(chunk) };
        count = count.saturating_add(needed.min(repeat));
        left = left.saturating_sub(chunk.saturating_mul(repeat));
        if left == 0 {
            break;
        }
    }
    count
}

fn locate_in_runs(runs: &[(u64, u64)], at: u64) -> Option<(u64, u64)> {
    let (mut left, mut first) = (at, 0_u64);
    for &(length, repeat) in runs {
        let whole = length.saturating_mul(repeat);
        if left < whole {
            return Some((first.checked_add(left / length)?, left % length));
        }
        left -= whole;
        first = first.checked_add(repeat)?;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn irregular() -> Grid {
        Grid::Rectilinear(vec![vec![(2, 3), (5, 1)], vec![(4, 2)]])
    }

    #[test]
    fn edge_chunks_are_cut_and_keep_their_shape() {
        let grid = Grid::Regular(vec![2, 2]);
        assert_eq!(grid.counts(&[5, 3]), [3, 2]);
        assert_eq!(grid.region(&[2, 1], &[5, 3]), Some(vec![4..5, 2..3]));
        assert_eq!(grid.chunk_shape(&[2, 1]), Some(vec![2, 2]));
        assert_eq!(grid.region(&[3, 0], &[5, 3]), None);
        assert!(grid.contains(&[2, 1], &[5, 3]) && !grid.contains(&[2, 2], &[5, 3]));
        assert_eq!(grid.locate(&[4, 2]), Some((vec![2, 1], vec![0, 0])));
    }

    #[test]
    fn rectilinear_chunks_lie_behind_each_other() {
        let grid = irregular();
        assert_eq!(grid.counts(&[7, 8]), [4, 2]);
        assert_eq!(grid.counts(&[6, 8]), [3, 2]);
        assert_eq!(grid.region(&[3, 1], &[7, 8]), Some(vec![6..7, 4..8]));
        assert_eq!(grid.chunk_shape(&[3, 1]), Some(vec![5, 4]));
        assert_eq!(grid.locate(&[10, 3]), Some((vec![3, 0], vec![4, 3])));
        assert_eq!((grid.locate(&[11, 0]), grid.region(&[4, 0], &[7, 8])), (None, None));
    }

    #[test]
    fn nothing_overflows_and_nothing_divides_by_zero() {
        let paper = Grid::Regular(vec![1; 5]);
        assert_eq!(paper.total(&[u64::MAX; 5]), None);
        assert_eq!(paper.total(&[u64::MAX, u64::MAX, 0, 1, 1]), Some(0));
        let odd = Grid::Regular(vec![0, u64::MAX]);
        assert_eq!(odd.counts(&[3, 3]), [0, 1]);
        assert_eq!((odd.locate(&[0, 0]), odd.region(&[0, 2], &[3, 3])), (None, None));
        let long = Grid::Rectilinear(vec![vec![(u64::MAX, u64::MAX), (1, 1)]]);
        assert_eq!((long.counts(&[7]), long.chunk_shape(&[u64::MAX])), (vec![1], None));
        assert_eq!(Grid::Regular(Vec::new()).region(&[], &[]), Some(vec![]));
        assert_eq!(Grid::Regular(Vec::new()).total(&[]), Some(1));
    }

    proptest::proptest! {
        #[test]
        fn an_element_is_in_the_chunk_that_locate_names(
            at in proptest::collection::vec(0_u64..40, 2),
            lengths in proptest::collection::vec(1_u64..9, 2),
            runs in proptest::collection::vec((1_u64..5, 1_u64..9), 1..6),
        ) {
            for grid in [Grid::Regular(lengths.clone()), Grid::Rectilinear(vec![runs.clone(), runs.clone()])] {
                let shape = vec![40, 40];
                let Some((chunk, within)) = grid.locate(&at) else { continue };
                let region = grid.region(&chunk, &shape).unwrap();
                for axis in 0..2 {
                    proptest::prop_assert_eq!(region[axis].start + within[axis], at[axis]);
                    proptest::prop_assert!(region[axis].contains(&at[axis]));
                }
                proptest::prop_assert!(grid.contains(&chunk, &shape));
            }
        }
    }
}
