//! The numbers of a sample, with their neighbours: the evidence for one data type or another.

use super::prelude::*;

/// Numbers as they are, for what tells data types of one width apart.
pub(super) struct Numbers {
    /// In the order of memory.
    pub(super) values: Vec<f64>,
    pub(super) is_float: bool,
    pub(super) width: usize,
    /// The share of floats of a size that people measure; of integers, that would be such floats.
    pub(super) measured: f64,
    /// The distance of neighbours: 1, or where the last dimensions are short, such as channels, beyond those.
    pub(super) apart: usize,
    /// The values that a neighbour of the same row comes after.
    pub(super) in_rows: Vec<usize>,
}

/// Dimensions shorter than this are taken for channels or components, whose values need not be alike.
const CHANNELS: u64 = 8;

impl Numbers {
    pub(super) fn of(chunks: &[Elements]) -> Self {
        let mut numbers = Self {
            values: Vec::new(),
            is_float: false,
            width: 0,
            measured: 1.0,
            apart: 1,
            in_rows: Vec::new(),
        };
        let lengths = chunks.first().map_or(&[][..], Elements::shape);
        if lengths.iter().any(|length| *length >= CHANNELS) {
            let short = lengths.iter().rev().take_while(|length| **length < CHANNELS);
            let product = short.fold(1_u64, |product, &n| product.saturating_mul(n));
            numbers.apart = usize::try_from(product).unwrap_or(1);
        }
        for chunk in chunks {
            numbers.add(chunk);
        }
        let all = numbers.values.len().max(1);
        let share = numbers
            .values
            .iter()
            .filter(|value| {
                **value == 0.0 || value.is_nan() || (1e-12..1e12).contains(&value.abs())
            })
            .count() as f64
            / all as f64;
        numbers.measured = share;
        numbers
    }

    fn add(&mut self, chunk: &Elements) -> Option<()> {
        let size = chunk.data_type().fixed_size()?;
        let bytes = chunk.bytes().as_whole()?;
        for component in numbers(chunk, bytes.get(..size)?) {
            self.is_float |= matches!(component.meaning, Meaning::Float { .. });
            self.width = component.width;
            let words = Words { bytes, size, component: &component };
            let (first, apart) = (self.values.len(), self.apart);
            self.values.extend((0..words.len().min(4096)).filter_map(|at| words.value(at)));
            let row = chunk.shape().iter().rev().find(|length| **length >= CHANNELS);
            let row =
                row.and_then(|&row| usize::try_from(row).ok()).unwrap_or(1).saturating_mul(apart);
            let rest = self.values.len().saturating_sub(first + apart);
            let in_row = (0..rest).filter(|at| at / row == (at + apart) / row);
            self.in_rows.extend(in_row.map(|at| first + at));
        }
        Some(())
    }

    /// True if integers use nearly all of their bits, as floats that are read as integers do.
    pub(super) fn is_huge(&self) -> bool {
        let most = self.values.iter().fold(0.0_f64, |most, value| most.max(value.abs()));
        self.width > 2 && most > 2_f64.powi(i32::try_from(self.width * 8).unwrap_or(64) - 6)
    }

    /// True if of those that are not 0 nearly all are above it, or nearly all below; of integers without a sign, those of the
    /// upper half are below. The most frequent one does not count: marks of missing values are below what is measured.
    pub(super) fn are_on_one_side(&self) -> bool {
        /// So many of them.
        const NEARLY: f64 = 0.95;
        let is_signed = self.is_float || self.values.iter().any(|value| *value < 0.0);
        let width = i32::try_from(self.width * 8).unwrap_or(64);
        let half = if is_signed { f64::INFINITY } else { 2_f64.powi(width - 1) };
        let mut sorted = self.values.clone();
        sorted.sort_by(f64::total_cmp);
        let runs = sorted.chunk_by(|a, b| a.total_cmp(b).is_eq());
        let frequent = runs.max_by_key(|run| run.len()).and_then(<[f64]>::first);
        let is_other = |value: &f64| Some(value) != frequent;
        let above = self.share(|value| value > 0.0 && value < half && is_other(&value));
        let below = self.share(|value| (value < 0.0 || value >= half) && is_other(&value));
        above.max(below) >= NEARLY * (above + below)
    }

    /// True if there is hardly a zero.
    pub(super) fn is_full(&self) -> bool {
        self.share(|value| value.abs() > 1e-9) > 0.9 && distinct(&self.values) > FEW
    }

    pub(super) fn share(&self, test: impl Fn(f64) -> bool) -> f64 {
        self.values.iter().filter(|value| test(**value)).count() as f64
            / self.values.len().max(1) as f64
    }
}

/// Neighbours: values of the same channel.
pub(super) fn pairs(numbers: &Numbers) -> impl Iterator<Item = [f64; 2]> {
    let next = numbers.values.iter().skip(numbers.apart);
    numbers.values.iter().zip(next).map(|(a, b)| [*a, *b])
}

/// Neighbours of one row.
pub(super) fn steps(numbers: &Numbers) -> impl Iterator<Item = [f64; 2]> {
    numbers.in_rows.iter().filter_map(|&at| {
        Some([*numbers.values.get(at)?, *numbers.values.get(at + numbers.apart)?])
    })
}

/// The number of distinct values, told apart by their bits.
pub(super) fn distinct(values: &[f64]) -> usize {
    let mut sorted: Vec<u64> = values.iter().map(|value| value.to_bits()).collect();
    sorted.sort_unstable();
    sorted.dedup();
    sorted.len()
}

/// The median.
pub(super) fn middle(mut values: Vec<f64>) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied()
}
