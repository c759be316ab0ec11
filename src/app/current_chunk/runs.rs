//! Runs of the same unit, by which a dump folds equal rows into one line.

use std::ops::Range;

/// The shortest run worth remembering: nothing shorter fills three rows.
const SHORTEST: u64 = 12;

/// Stretches of equal units (elements, or bytes), by number.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Runs(Vec<Range<u64>>);

impl Runs {
    /// The runs in `bytes`, which are units of `size` bytes, the first being unit `first`.
    pub fn of(bytes: &[u8], size: usize, first: u64) -> Self {
        // Sizes known to the compiler are compared without a call: windows have millions of units.
        Self(match size {
            0 | 1 => scan(bytes.iter(), first),
            2 => scan(bytes.as_chunks::<2>().0.iter(), first),
            4 => scan(bytes.as_chunks::<4>().0.iter(), first),
            8 => scan(bytes.as_chunks::<8>().0.iter(), first),
            16 => scan(bytes.as_chunks::<16>().0.iter(), first),
            _ => scan(bytes.chunks_exact(size), first),
        })
    }

    /// The rows of `per_row` units that say no more than the row above them, around `row`: all units of the row above
    /// and of these are equal. `None` where `row` says something of its own, or stands alone.
    pub fn fold(&self, row: u64, per_row: u64) -> Option<Range<u64>> {
        let unit = row.checked_mul(per_row)?;
        let at = self.0.partition_point(|run| run.end <= unit);
        let run = self.0.get(at)?;
        let rows = run.start.div_ceil(per_row) + 1..run.end / per_row;
        (rows.contains(&row) && rows.end - rows.start >= 2).then_some(rows)
    }
}

/// The runs of equal `units`, the first being unit `first`.
fn scan<T: PartialEq>(mut units: impl Iterator<Item = T>, first: u64) -> Vec<Range<u64>> {
    let mut runs = Vec::new();
    let Some(mut before) = units.next() else { return runs };
    let (mut start, mut end) = (first, first);
    let mut close = |start: u64, end: u64| {
        if end - start >= SHORTEST {
            runs.push(start..end);
        }
    };
    for unit in units {
        end += 1;
        if unit != before {
            close(start, end);
            (start, before) = (end, unit);
        }
    }
    close(start, end + 1);
    runs
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
    fn units_of_every_size_are_found_alike() {
        for size in 1..20 {
            let bytes: Vec<u8> = [1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 3]
                .iter()
                .flat_map(|&b| vec![b; size])
                .collect();
            assert_eq!(Runs::of(&bytes, size, 5).0, [Range { start: 6, end: 18 }], "{size}");
        }
    }

    #[test]
    fn a_single_repeated_row_is_shown() {
        assert_eq!(Runs::of(&[0; 12], 1, 0).fold(1, 6), None);
        assert_eq!(Runs::of(&[], 4, 0), Runs::default());
    }
}
