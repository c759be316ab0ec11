//! The sums of the rows of the table, the outliers, and the chunks with the same bytes.

use crate::app::prelude::*;
use crate::zarr::figures::ChunkState;

/// The sums of all rows that were read.
#[derive(Clone, Default)]
pub struct Sums {
    /// Rows that were read.
    pub rows: usize,
    /// Those of them with values, missing, damaged.
    pub states: [u64; 3],
    /// Their figures together, as if they were one chunk: all but what only one chunk has.
    pub all: Figures,
    /// The first row that has the lowest number, and the first that has the highest.
    pub extremes: [Option<usize>; 2],
    /// Chunks whose checksum does not hold.
    pub bad_checksums: u64,
    /// Chunks whose values look little-endian, big-endian, and otherwise than declared.
    pub orders: [u64; 3],
    /// Rows that are far from the others in some column.
    pub outliers: usize,
}

/// The place of a row in [`Sums::states`].
pub(super) fn state_of(figures: &Figures) -> usize {
    match figures.state {
        ChunkState::Read => 0,
        ChunkState::Missing => 1,
        ChunkState::Unreadable(_) => 2,
    }
}

impl Sums {
    /// Adds row `index`.
    pub fn add(&mut self, index: usize, figures: &Figures) {
        self.rows += 1;
        let state = state_of(figures);
        if let Some(count) = self.states.get_mut(state) {
            *count += 1;
        }
        self.bad_checksums +=
            u64::from(figures.error().is_some_and(|error| error.code == Code::ChecksumMismatch));
        if let Some((order, contradicts)) = figures.order {
            let [little, big, otherwise] = &mut self.orders;
            *(if order == Endian::Little { little } else { big }) += 1;
            *otherwise += u64::from(contradicts);
        }
        let all = &mut self.all;
        all.state = ChunkState::Read;
        all.stored = Some(all.stored.unwrap_or(0).saturating_add(figures.stored.unwrap_or(0)));
        if let Some(raw) = figures.raw.filter(|_| figures.stored.is_some()) {
            all.raw = Some(all.raw.unwrap_or(0).saturating_add(raw));
        }
        if let Some((stored, of)) = figures.inner {
            let (stored_before, of_before) = all.inner.unwrap_or_default();
            all.inner = Some((stored_before + stored, of_before + of));
        }
        self.add_values(index, figures);
    }

    fn add_values(&mut self, index: usize, figures: &Figures) {
        let (all, [lowest, highest]) = (&mut self.all, &mut self.extremes);
        all.nan += figures.nan;
        all.fill += figures.fill;
        all.elements += figures.elements;
        let ends = [
            (&mut all.minimum, lowest, &figures.minimum, -1.0),
            (&mut all.maximum, highest, &figures.maximum, 1.0),
        ];
        for (so_far, row, found, sign) in ends {
            let Some(found) = found else { continue };
            let above = so_far.as_ref().map(|so_far| sign * found.above(so_far));
            let is_first = row.is_none_or(|row| index < row);
            if above.is_none_or(|above| above > 0.0 || above == 0.0 && is_first) {
                (*so_far, *row) = (Some(found.clone()), Some(index));
            }
        }
        if let Some((shortest, longest)) = figures.lengths {
            let (low, high) = all.lengths.unwrap_or((shortest, longest));
            all.lengths = Some((low.min(shortest), high.max(longest)));
        }
        if let Some(mean) = figures.mean.filter(|_| figures.numbers > 0) {
            all.numbers += figures.numbers;
            let (before, share) =
                (all.mean.unwrap_or(0.0), figures.numbers as f64 / all.numbers as f64);
            all.mean = Some(before + (mean - before) * share);
        }
    }
}

/// Chunks with the same bytes.
#[derive(Clone, Copy)]
pub struct SameBytes {
    /// Its number, in the order of the first chunks: 0 is `a`.
    pub letter: u32,
    /// Their number.
    pub count: u32,
}

impl SameBytes {
    /// The groups of two or more of these chunks, by length and hash.
    pub fn find<'a>(
        all: impl Iterator<Item = &'a Arc<Figures>> + Clone,
    ) -> HashMap<(u64, u64), Self> {
        let bytes = |figures: &Arc<Figures>| Some((figures.stored?, figures.hash?));
        let mut groups: HashMap<(u64, u64), Self> = HashMap::new();
        for key in all.clone().filter_map(bytes) {
            groups.entry(key).or_insert(Self { letter: u32::MAX, count: 0 }).count += 1;
        }
        groups.retain(|_, group| group.count > 1);
        let mut next = 0;
        for key in all.filter_map(bytes) {
            if let Some(group) = groups.get_mut(&key).filter(|group| group.letter == u32::MAX) {
                group.letter = next;
                next += 1;
            }
        }
        groups
    }

    /// Its name: `a` to `z`, then `aa`.
    pub fn name(letter: u32) -> String {
        let digit = char::from(b'a' + u8::try_from(letter % 26).unwrap_or(0));
        match letter / 26 {
            0 => digit.to_string(),
            rest => Self::name(rest - 1) + &digit.to_string(),
        }
    }
}

/// Between which numbers a column has most rows.
#[derive(Clone, Default)]
pub(super) struct Bounds(HashMap<TableColumn, (f64, f64)>);

/// Fewer rows than this have no outliers.
const FEWEST: usize = 8;
/// The number of tables of which one may have an outlier by chance. The extremes of random numbers have tails that are
/// exponential at worst: each further half-life of one halves the numbers beyond it.
const BY_CHANCE: f64 = 1000.0;

impl Bounds {
    /// Those of these rows.
    pub(super) fn of<'a>(rows: &(impl Iterator<Item = ChunkRow<'a>> + Clone)) -> Self {
        let bounds = TableColumn::WITH_OUTLIERS.into_iter().filter_map(|column| {
            let mut numbers: Vec<f64> = rows
                .clone()
                .filter_map(|row| column.number(&row))
                .filter(|n| n.is_finite())
                .collect();
            Some((column, bounds(&mut numbers)?))
        });
        Self(bounds.collect())
    }

    /// True if a number is far from the others of its column.
    pub(super) fn excludes(&self, column: TableColumn, number: f64) -> bool {
        self.0.get(&column).is_some_and(|(low, high)| number < *low || number > *high)
    }
}

/// The least and the greatest of `numbers` that are near most of them.
fn bounds(numbers: &mut [f64]) -> Option<(f64, f64)> {
    if numbers.len() < FEWEST {
        return None;
    }
    let middle = median(numbers)?;
    let [below, above] = [-1.0, 1.0].map(|side| {
        let distances = numbers.iter().map(|number| side * (number - middle));
        median(&mut distances.filter(|&distance| distance >= 0.0).collect::<Vec<_>>())
    });
    let far = below?.max(above?) * (BY_CHANCE * numbers.len() as f64).log2();
    (far > 0.0).then_some((middle - far, middle + far))
}

fn median(numbers: &mut [f64]) -> Option<f64> {
    let middle = numbers.len() / 2;
    if numbers.is_empty() {
        return None;
    }
    let is_even = numbers.len().is_multiple_of(2);
    let (below, &mut upper, _) = numbers.select_nth_unstable_by(middle, f64::total_cmp);
    let lower = below.iter().copied().max_by(f64::total_cmp).filter(|_| is_even);
    Some(lower.map_or(upper, |lower| f64::midpoint(lower, upper)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn medians_are_in_the_middle() {
        assert_eq!(median(&mut [3.0, 1.0, 2.0]), Some(2.0));
        assert_eq!(median(&mut [4.0, 1.0, 2.0, 3.0]), Some(2.5));
        assert_eq!(median(&mut []), None);
    }

    /// The least of many uniform numbers has an exponential distribution, with a long tail.
    #[test]
    fn random_data_have_no_outliers() {
        let mut state = 5_u64;
        let mut random = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            f64::from(u32::try_from(state >> 33).unwrap()) / f64::from(1_u32 << 31)
        };
        for rows in [9, 40, 400] {
            let minimum = |_| (0..64).map(|_| random()).fold(1.0, f64::min);
            let mut numbers: Vec<f64> = (0..rows).map(minimum).collect();
            let (low, high) = bounds(&mut numbers).unwrap();
            assert!(numbers.iter().all(|number| (low..=high).contains(number)), "{rows}");
            assert!(high < 1.0, "{rows}: {high}");
        }
        assert_eq!(bounds(&mut [1.0; 20]), None);
        let (low, high) = bounds(&mut [1.0, 2.0, 3.0, 2.0, 1.5, 2.5, 2.2, 90.0, 1.8]).unwrap();
        assert!(low > -10.0 && high < 20.0, "{low} {high}");
    }

    #[test]
    fn groups_have_names_like_columns_of_a_sheet() {
        assert_eq!(
            [0, 25, 26, 27, 701, 702].map(SameBytes::name),
            ["a", "z", "aa", "ab", "zz", "aaa"]
        );
    }

    #[test]
    fn the_mean_of_all_is_that_of_all_numbers() {
        let mut sums = Sums::default();
        for (mean, numbers) in [(1.0, 3), (5.0, 1), (-2.0, 4)] {
            sums.add(0, &Figures { mean: Some(mean), numbers, ..Figures::default() });
        }
        assert_eq!(sums.all.mean, Some(0.0));
    }
}
