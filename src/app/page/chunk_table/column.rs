//! The columns of the table of chunks, and what they have of a row as a number: to sort by, to compare with, to find
//! outliers.

use crate::app::prelude::*;
use std::time::UNIX_EPOCH;

/// A column.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum TableColumn {
    /// The chunk's key.
    #[default]
    Key,
    /// The bytes stored.
    Stored,
    /// The bytes of the elements over those stored.
    Ratio,
    /// The lowest number; of values that are no numbers, the shortest.
    Min,
    /// The highest number; of values that are no numbers, the longest.
    Max,
    /// The mean of the numbers; of values that are no numbers, how many there are.
    Mean,
    /// Elements that are NaN or "not a time".
    Nan,
    /// Elements that are the fill value.
    Fill,
    /// True if the checksums hold.
    Checksum,
    /// The byte order that the values look like.
    Order,
    /// The chunks that have the same bytes.
    Same,
    /// The time of the last write.
    Written,
    /// Inner chunks that are stored.
    Inner,
}

impl TableColumn {
    /// All of them, in the order of the table.
    pub const ALL: [Self; 13] = [
        Self::Key,
        Self::Stored,
        Self::Ratio,
        Self::Min,
        Self::Max,
        Self::Mean,
        Self::Nan,
        Self::Fill,
        Self::Checksum,
        Self::Order,
        Self::Same,
        Self::Written,
        Self::Inner,
    ];

    /// Those in which some chunks may be outliers.
    pub const WITH_OUTLIERS: [Self; 7] =
        [Self::Stored, Self::Ratio, Self::Min, Self::Max, Self::Mean, Self::Nan, Self::Fill];

    /// The heading, the explanation in a sentence or two, and the least columns that it takes, so that it does not change
    /// its width with every row: for numbers, and for values that are none.
    const fn facts(self, are_numbers: bool) -> (&'static str, &'static str, usize) {
        const LENGTHS: &str =
            "The characters of the shortest and of the longest value, as they print.";
        match (self, are_numbers) {
            (Self::Key, _) => (
                "key",
                "The key of the chunk below the array; for an inner chunk, its place in the shard follows the @.",
                6,
            ),
            (Self::Stored, _) => ("stored", "The size of the chunk in the store, in bytes.", 8),
            (Self::Ratio, _) => (
                "ratio",
                "The bytes of the decoded elements, padding included, over the bytes stored. Below 1, the stored chunk is \
                 larger than its elements.",
                5,
            ),
            (Self::Min, true) => {
                ("min", "The lowest finite number that no attribute marks as missing.", 7)
            }
            (Self::Min, false) => ("shortest", LENGTHS, 7),
            (Self::Max, true) => {
                ("max", "The highest finite number that no attribute marks as missing.", 7)
            }
            (Self::Max, false) => ("longest", LENGTHS, 7),
            (Self::Mean, true) => {
                ("mean", "The mean of the finite numbers that no attribute marks as missing.", 7)
            }
            (Self::Mean, false) => {
                ("distinct", "The number of distinct values; ≈ marks an estimate.", 7)
            }
            (Self::Nan, _) => {
                ("NaN", "Elements that are NaN, or in times NaT (\"not a time\").", 5)
            }
            (Self::Fill, _) => {
                ("fill", "Elements equal to the fill value. In a missing chunk (·), all are.", 6)
            }
            (Self::Checksum, _) => (
                "checksum",
                "✓ if the stored checksum matches the stored bytes, ✗ if it does not; empty without a checksum codec.",
                9,
            ),
            (Self::Order, _) => (
                "order",
                "The byte order that a sample of the values looks like; – if the sample does not tell.",
                5,
            ),
            (Self::Same, _) => (
                "same",
                "Chunks with the same letter have the same stored bytes: the same length and the same 64-bit hash \
                 (xxHash64).",
                4,
            ),
            (Self::Written, _) => ("written", "When the file was last written, in UTC.", 16),
            (Self::Inner, _) => (
                "inner chunks",
                "The inner chunks that are stored, by the shard index, out of all that the shard can have.",
                7,
            ),
        }
    }

    /// The heading: for numbers, and for values that are none.
    pub const fn title(self, are_numbers: bool) -> &'static str {
        self.facts(are_numbers).0
    }

    /// The explanation.
    pub const fn explanation(self, are_numbers: bool) -> &'static str {
        self.facts(are_numbers).1
    }

    /// The least columns that it takes.
    pub const fn least(self) -> usize {
        self.facts(true).2
    }

    /// The column of this name, as a filter names it.
    pub fn named(name: &str) -> Option<Self> {
        let name = name.to_lowercase();
        let is = |column: &Self| {
            [true, false].into_iter().any(|numbers| column.title(numbers).to_lowercase() == name)
        };
        let other = || match name.as_str() {
            "minimum" => Some(Self::Min),
            "maximum" => Some(Self::Max),
            "inner" => Some(Self::Inner),
            _ => None,
        };
        Self::ALL.into_iter().find(is).or_else(other)
    }

    /// True if it tells of the values: a missing chunk has only the fill value, which is far from nothing.
    fn is_of_values(self) -> bool {
        matches!(self, Self::Min | Self::Max | Self::Mean | Self::Nan | Self::Fill)
    }

    /// The number that a row has in it, which sorts as the rows are to be sorted; `None` where nothing is known.
    pub fn number(self, row: &ChunkRow) -> Option<f64> {
        if self == Self::Key {
            return Some(count(row.index as u64));
        }
        let figures = row.figures?;
        if figures.is_missing() && self.is_of_values() {
            return None;
        }
        match self {
            Self::Key => None,
            Self::Stored => figures.stored.map(count),
            Self::Ratio => figures.ratio(),
            Self::Min => either(figures, |all| all.minimum.as_ref().map(|it| it.value), |it| it.0),
            Self::Max => either(figures, |all| all.maximum.as_ref().map(|it| it.value), |it| it.1),
            Self::Mean => figures.mean.or_else(|| distinct(figures)),
            Self::Nan => counted(figures, figures.nan),
            Self::Fill => counted(figures, figures.fill),
            Self::Checksum => Some(match figures.error() {
                Some(error) if error.code == Code::ChecksumMismatch => 0.0,
                Some(_) => 1.0,
                None => 2.0,
            }),
            Self::Order => figures.order.map(|(order, contradicts)| {
                f64::from(u8::from(order == Endian::Big)) - if contradicts { 2.0 } else { 0.0 }
            }),
            Self::Same => row.group.map(|group| f64::from(group.letter)),
            Self::Written => {
                let since = figures.written?.duration_since(UNIX_EPOCH).ok()?;
                Some(since.as_secs_f64())
            }
            Self::Inner => figures.inner.map(|(stored, _)| count(stored)),
        }
    }
}

/// A number of the values, or else of their lengths.
fn either(
    figures: &Figures,
    number: impl Fn(&Figures) -> Option<f64>,
    length: impl Fn((u64, u64)) -> u64,
) -> Option<f64> {
    number(figures).or_else(|| figures.lengths.map(|lengths| count(length(lengths))))
}

/// The number of different values, where they were counted.
fn distinct(figures: &Figures) -> Option<f64> {
    Some(figures.distinct.count()).filter(|found| *found > 0).map(count)
}

/// A count of elements, where they were counted.
fn counted(figures: &Figures, number: u64) -> Option<f64> {
    (figures.elements > 0).then(|| count(number))
}

fn count(number: u64) -> f64 {
    number as f64
}
