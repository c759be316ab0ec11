//! Where the same unit comes again and again: what lets a dump fold equal rows into one line.

use std::ops::Range;

/// The shortest run worth remembering: nothing shorter fills three rows.
const SHORTEST: u64 = 12;

/// Stretches of equal units (elements, or bytes), by number.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Runs(Vec<Range<u64>>);

impl Runs {
    /// The runs in `bytes`, which are units of `size` bytes, the first being unit `first`.
    #[must_use]
    pub fn of(bytes: &[u8], size: usize, first: u64) -> Self {
        let mut runs = Vec::new();
        let mut start = 0_u64;
        let mut at = 0_u64;
        let mut close = |start: u64, end: u64| {
            if end - start >= SHORTEST {
                runs.push(first + start..first + end);
            }
        };
        let mut units = bytes.chunks_exact(size.max(1));
        let Some(mut before) = units.next() else { return Self::default() };
        for unit in units {
            at += 1;
            if unit != before {
                close(start, at);
                (start, before) = (at, unit);
            }
        }
        close(start, at + 1);
        Self(runs)
    }

    /// The rows of `per_row` units that say no more than the row above them, around `row`: all units of the row above
    /// and of these are equal. `None` where `row` says something of its own, or stands alone.
    #[must_use]
    pub fn fold(&self, row: u64, per_row: u64) -> Option<Range<u64>> {
        let unit = row.checked_mul(per_row)?;
        let at = self.0.partition_point(|run| run.end <= unit);
        let run = self.0.get(at)?;
        let rows = run.start.div_ceil(per_row) + 1..run.end / per_row;
        (rows.contains(&row) && rows.end - rows.start >= 2).then_some(rows)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_rows_fold_behind_the_first() {
        let mut bytes = vec![7; 3];
        bytes.extend([0; 40]);
        bytes.extend([1; 5]);
        let runs = Runs::of(&bytes, 1, 0);
        // Rows of 4: 0 is mixed, 1 is the first of zeros alone, 2 to 9 repeat it, 10 is mixed.
        assert_eq!(runs.fold(1, 4), None);
        assert_eq!(runs.fold(2, 4), Some(2..10));
        assert_eq!(runs.fold(9, 4), Some(2..10));
        assert_eq!(runs.fold(10, 4), None);
    }

    #[test]
    fn a_single_repeated_row_is_shown() {
        assert_eq!(Runs::of(&[0; 12], 1, 0).fold(1, 6), None);
        assert_eq!(Runs::of(&[], 4, 0), Runs::default());
    }
}
