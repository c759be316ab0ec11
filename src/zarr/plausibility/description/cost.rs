//! The cost of numbers, in bits, under a few general codes.

use crate::zarr::plausibility::as_f64;
pub(super) use crate::zarr::plausibility::words::real;
use std::f64::consts::PI;

/// The least width of a bell: equal numbers still cost something.
const LEAST: f64 = 0.3;
/// The least that a number under a bell costs.
const LITTLE: f64 = 0.05;
/// The square root of 2πe: a normal bell of deviation s costs as much per number as this many times s equally likely
/// ones.
const NORMAL: f64 = 4.132_731;

/// A whole number from 0 on in a code that is short for small ones and has an end for every one.
pub(super) fn universal(number: f64) -> f64 {
    let bits = (number.abs() + 1.0).log2();
    bits + 2.0 * (bits + 1.0).log2() + 1.0
}

/// Values in rising order, each once and with the number of times that it occurs: put in order once, whatever is asked.
pub(super) struct Tally<T> {
    pub(super) kinds: Vec<(T, usize)>,
    len: usize,
}

impl<T: Copy + Ord> Tally<T> {
    pub(super) fn of(values: impl Iterator<Item = T>) -> Self {
        let mut values: Vec<T> = values.collect();
        values.sort_unstable();
        let runs = values.chunk_by(|a, b| a == b);
        let kinds = runs.filter_map(|run| Some((*run.first()?, run.len()))).collect();
        Self { kinds, len: values.len() }
    }

    /// The numbers of times that values occur, in rising order.
    pub(super) fn counts(&self) -> Vec<usize> {
        let mut counts: Vec<usize> = self.kinds.iter().map(|&(_, count)| count).collect();
        counts.sort_unstable();
        counts
    }

    /// True if few enough are different for a list of them to be worth it.
    fn is_few(&self) -> bool {
        self.kinds.len() == 1 || self.kinds.len() * 2 <= self.len
    }
}

impl Tally<i128> {
    /// Bytes, which need no sorting.
    pub(super) fn of_bytes(bytes: impl Iterator<Item = i8>) -> Self {
        let (mut counts, mut len) = ([0; 256], 0);
        for byte in bytes {
            counts[usize::from(byte.cast_unsigned() ^ 0x80)] += 1;
            len += 1;
        }
        let kinds = (-128..).zip(counts).filter(|&(_, count)| count > 0).collect();
        Self { kinds, len }
    }

    /// The middle one; 0 where there is none.
    pub(super) fn median(&self) -> i128 {
        self.kinds.get(self.at_middle()).map_or(0, |&(kind, _)| kind)
    }

    /// The place of the median among the kinds.
    fn at_middle(&self) -> usize {
        let mut before = 0;
        let is_below = |&(_, count): &(i128, usize)| {
            before += count;
            before <= self.len / 2
        };
        self.kinds.iter().copied().take_while(is_below).count()
    }

    /// The middle one of the distances from the median.
    pub(super) fn spread(&self) -> i128 {
        let middle = self.median();
        let (below, above) = self.kinds.split_at(self.at_middle());
        let (mut below, mut above) = (below.iter().rev().peekable(), above.iter().peekable());
        let (mut met, mut distance) = (0, 0);
        while met <= self.len / 2 {
            let down = below.peek().map_or(i128::MAX, |(kind, _)| middle - kind);
            let up = above.peek().map_or(i128::MAX, |(kind, _)| kind - middle);
            let nearest = if down < up { below.next() } else { above.next() };
            let Some(&(_, count)) = nearest else { break };
            (met, distance) = (met + count, down.min(up));
        }
        distance
    }

    /// The cost of numbers by their distance from the median: a bell with a heavy tail or a normal one, whichever is
    /// shorter, with its width.
    pub(super) fn bell(&self) -> f64 {
        let (middle, width) = (self.median(), real(self.spread()).max(LEAST));
        let sum = |cost: &dyn Fn(f64) -> f64| -> f64 {
            let all = self.kinds.iter();
            all.map(|&(kind, count)| as_f64(count) * cost(real(kind - middle))).sum()
        };
        let heavy =
            sum(&|distance| (PI * width * (1.0 + square(distance / width))).log2().max(LITTLE));
        let n = as_f64(self.len);
        let mean = sum(&|distance| distance) / n.max(1.0);
        let squares = sum(&|distance| square(distance - mean));
        let deviation = (squares / n.max(1.0)).sqrt().max(LEAST);
        let normal =
            n * (deviation * NORMAL).log2().max(LITTLE) + universal(deviation.round()) + 1.0;
        normal.min(heavy + universal(width.round()))
    }
}

fn square(x: f64) -> f64 {
    x * x
}

/// The cost of each value as one of those that occur, in bits; `None` where most are different.
pub(super) fn which<T: Copy + Ord>(values: &[T], tally: &Tally<T>) -> Option<f64> {
    let n = tally.kinds.len();
    let bits = || entropy(&tally.counts()).min(runs(values, n)) + universal(as_f64(n));
    tally.is_few().then(bits)
}

/// The cost of the kind of each value, where the kinds occur so often.
pub(super) fn entropy(counts: &[usize]) -> f64 {
    let n = as_f64(counts.iter().sum());
    counts.iter().map(|&count| as_f64(count) * (n / as_f64(count)).log2()).sum()
}

/// The cost of the kind of each value out of `kinds`, told by the places of change.
fn runs<T: PartialEq>(values: &[T], kinds: usize) -> f64 {
    let changes = values.windows(2).filter(|pair| pair.first() != pair.last()).count();
    let rest = values.len().saturating_sub(1) - changes;
    let change = as_f64(changes + 1) * as_f64(kinds.max(2)).log2();
    entropy(&[changes, rest].into_iter().filter(|&n| n > 0).collect::<Vec<_>>()) + change + 4.0
}
