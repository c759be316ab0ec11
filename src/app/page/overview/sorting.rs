//! The order of the rows of the overview.

use super::OverviewRow;
use crate::zarr::sizes::Sizes;
use std::cmp::Ordering;

/// The figure that the rows are sorted by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SortBy {
    /// Their names, as they were listed.
    #[default]
    Name,
    /// The bytes that are stored, most first.
    Stored,
    /// The number of times larger they that are raw, least first: what compresses badly is on top.
    Ratio,
    /// The number of chunks that are not stored, most first.
    Missing,
}

impl SortBy {
    /// The figure that is sorted by after this.
    pub const fn next(self) -> Self {
        match self {
            Self::Name => Self::Stored,
            Self::Stored => Self::Ratio,
            Self::Ratio => Self::Missing,
            Self::Missing => Self::Name,
        }
    }

    /// The words after "sorted by".
    pub const fn words(self) -> &'static str {
        match self {
            Self::Name => "name",
            Self::Stored => "stored size, largest first",
            Self::Ratio => "ratio, lowest first",
            Self::Missing => "missing chunks, most first",
        }
    }

    /// The places of `rows` in this order; what is not known comes last, equal ones stay as they are.
    pub(super) fn order(self, rows: &[OverviewRow]) -> Vec<usize> {
        let mut order: Vec<usize> = (0..rows.len()).collect();
        if self != Self::Name {
            let row = |at: &usize| rows.get(*at);
            order.sort_by(|a, b| match (row(a), row(b)) {
                (Some(a), Some(b)) => self.compare(a, b),
                _ => Ordering::Equal,
            });
        }
        order
    }

    fn compare(self, a: &OverviewRow, b: &OverviewRow) -> Ordering {
        let stored = |row: &OverviewRow| row.sizes().map(|sizes| sizes.stored);
        let ratio = |row: &OverviewRow| row.sizes().and_then(Sizes::ratio);
        let missing = |row: &OverviewRow| row.sizes().and_then(Sizes::missing);
        match self {
            Self::Name => Ordering::Equal,
            Self::Stored => known_first(stored(a), stored(b), |a, b| b.cmp(a)),
            Self::Ratio => known_first(ratio(a), ratio(b), f64::total_cmp),
            Self::Missing => known_first(missing(a), missing(b), |a, b| b.cmp(a)),
        }
    }
}

/// Compares what is known; the unknown comes last.
fn known_first<T: Copy>(
    a: Option<T>,
    b: Option<T>,
    compare: impl Fn(&T, &T) -> Ordering,
) -> Ordering {
    match (&a, &b) {
        (Some(a), Some(b)) => compare(a, b),
        _ => a.is_none().cmp(&b.is_none()),
    }
}
