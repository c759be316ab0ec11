//! The likeness of neighbours, and the number of values that nobody measures: readings of the same bytes can be
//! compared by it whatever their width is.
//!
//! Values that mean something are cheap to write down after their neighbours: the difference takes a few bits, where
//! unrelated bytes take all of theirs. [`measure`] counts these bits, for each byte of the data. Floats are ordered as
//! their bits are, so that a difference counts steps from one float to the next.

use super::{
    Meaning, WideComponent, Words, as_f64, components, loaded, scatter, strides,
    words::{WINDOW, lags, positions},
};
use crate::zarr::{
    codec::{Elements, Places},
    data_type::Endian,
};

/// The number of words looked at, of all chunks together.
const WORDS: usize = 8192;
/// Floats that are measured are between these, or are 0.
const MEASURED: std::ops::Range<f64> = 1e-30..1e30;
/// Floats of half precision, which cannot be smaller than 6e-8.
const MEASURED_HALF: std::ops::Range<f64> = 6e-5..1e5;

/// The likeness of some elements to measured values.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Measure {
    /// The bits that it takes to write a value after its neighbour, for each byte of it: 0 to 8.
    pub bits: f64,
    /// The same after a value that is no neighbour.
    pub chance: f64,
    /// The bits that a neighbour saves for each value.
    pub gain: f64,
    /// The bytes of a value, in the mean over the components.
    pub width: f64,
    /// The share of the values that nobody measures: floats far too large or too small, NaN of many kinds, dates far
    /// from today.
    pub strange: f64,
    /// The same of the component of which it is the largest.
    pub oddest: f64,
    /// The median difference of neighbours.
    pub step: f64,
    /// The mean difference of neighbours, as a share of the range of all values: 0 of a constant, 0.33 of noise.
    pub unrest: f64,
    /// The lowest and the highest value.
    pub range: (f64, f64),
    /// The words that were looked at.
    pub words: usize,
}

/// Measures the elements of chunks of one array; `None` where they are not numbers, or too few.
#[must_use]
pub fn measure(chunks: &[Elements]) -> Option<Measure> {
    let first = chunks.first()?;
    let Places::Fixed(size) = *first.places() else { return None };
    let element = loaded(first, size)?.get(..size)?;
    let components = numbers(first, element);
    let each = WORDS / chunks.len().max(1) / components.len().max(1);
    let mut total = WordTally::default();
    let mut of_each = vec![(0, 0); components.len()];
    for chunk in chunks {
        let Some(bytes) = loaded(chunk, size) else { continue };
        for (number, component) in components.iter().enumerate() {
            let words = Words { bytes, size, component };
            let (all, strange) = total.add(&words, &strides(chunk), each.max(WINDOW));
            if let Some(tally) = of_each.get_mut(number) {
                *tally = (tally.0 + all, tally.1 + strange);
            }
        }
    }
    let share = |(all, strange): (usize, usize)| as_f64(strange) / as_f64(all.max(1));
    let oddest = of_each.into_iter().map(share).fold(0.0, f64::max);
    Some(Measure { oddest, ..total.finish()? })
}

/// The numbers in an element: its components, or its one byte.
#[must_use]
pub fn numbers(elements: &Elements, element: &[u8]) -> Vec<WideComponent> {
    let found = components(elements.data_type().as_ref(), elements.order(), element);
    let is_byte = found.is_empty() && element.len() == 1;
    let meaning = match elements.data_type().name().as_str() {
        "int8" => Meaning::Signed,
        "uint8" => Meaning::Unsigned,
        _ => return found,
    };
    if is_byte {
        let (name, declared) = (String::new(), Endian::Little);
        return vec![WideComponent { name, offset: 0, width: 1, count: 1, meaning, declared }];
    }
    found
}

/// True if nobody measures what word `at` reads as. `usual` is the word that occurs most often, which may mark what is
/// missing.
fn is_strange(words: &Words<'_>, value: f64, bits: u64, usual: Option<u64>) -> bool {
    if Some(bits) == usual || value == 0.0 {
        return false;
    }
    match words.component.meaning {
        Meaning::Float { mantissa: 10, .. } => !MEASURED_HALF.contains(&value.abs()),
        Meaning::Float { .. } => !MEASURED.contains(&value.abs()),
        // Between 1600 and 2400; the smallest number is NaT.
        Meaning::Date { seconds } => {
            (value * seconds).abs() > 1.35e10 && bits != 1 << (words.component.width * 8 - 1)
        }
        Meaning::CodeUnit => bits > 0x0010_ffff,
        Meaning::Signed | Meaning::Unsigned => false,
    }
}

/// The bits that it takes to write a number after another one.
#[must_use]
#[expect(clippy::cast_precision_loss, reason = "a logarithm")]
pub fn cost(a: i128, b: i128) -> f64 {
    ((a - b).unsigned_abs() as f64 + 1.0).log2()
}

/// The counts of words.
#[derive(Default)]
struct WordTally {
    bits: f64,
    chance: f64,
    /// Bytes that the bits are for.
    bytes: f64,
    strange: usize,
    words: usize,
    steps: Vec<f64>,
    range: Option<(f64, f64)>,
}

impl WordTally {
    /// Adds words, and says how many these were and how many of them nobody measures.
    fn add(&mut self, words: &Words<'_>, strides: &[u64], most: usize) -> (usize, usize) {
        let at = positions(words.len(), most);
        let (usual, before) = (usual(words, &at), (self.words, self.strange));
        for &at in &at {
            let (Some(value), Some(bits)) = (words.value(at), words.bits(at)) else { continue };
            self.words += 1;
            self.strange += usize::from(is_strange(words, value, bits, usual));
            if value.is_finite() {
                let (low, high) = self.range.unwrap_or((value, value));
                self.range = Some((low.min(value), high.max(value)));
            }
        }
        self.alike(words, &at, strides);
        (self.words - before.0, self.strange - before.1)
    }

    /// Adds how alike the words `at` some places are to their neighbours.
    fn alike(&mut self, words: &Words<'_>, at: &[usize], strides: &[u64]) {
        let lags = lags(strides, words.component.count);
        let along = lags.filter_map(|lag| Some((lag, neighbours(words, at, lag)?)));
        let Some((lag, bits)) = along.min_by(|a, b| a.1.total_cmp(&b.1)) else { return };
        let bytes = as_f64(at.len() * words.component.width);
        let cap = as_f64(words.component.width * 8);
        self.bits += bits.min(cap) * as_f64(at.len());
        self.chance += strangers(words, at).min(cap) * as_f64(at.len());
        self.bytes += bytes;
        let step = |&at: &usize| Some((words.value(at)? - words.value(at + lag)?).abs());
        self.steps.extend(at.iter().filter_map(step));
    }

    fn finish(mut self) -> Option<Measure> {
        if self.words == 0 || self.bytes == 0.0 {
            return None;
        }
        self.steps.sort_by(f64::total_cmp);
        let range = self.range.unwrap_or((f64::NAN, f64::NAN));
        let finite = self.steps.iter().filter(|step| step.is_finite());
        let mean = finite.clone().sum::<f64>() / as_f64(finite.count().max(1));
        let span = range.1 - range.0;
        Some(Measure {
            bits: self.bits / self.bytes,
            chance: self.chance / self.bytes,
            gain: (self.chance - self.bits) / as_f64(self.words),
            width: self.bytes / as_f64(self.words),
            strange: as_f64(self.strange) / as_f64(self.words),
            oddest: 0.0,
            step: self.steps.get(self.steps.len() / 2).copied().unwrap_or(f64::NAN),
            unrest: if span > 0.0 { mean / span } else { 0.0 },
            range,
            words: self.words,
        })
    }
}

/// The word that occurs most often, if that is often enough to be a mark.
fn usual(words: &Words<'_>, at: &[usize]) -> Option<u64> {
    let mut all: Vec<u64> = at.iter().filter_map(|&at| words.bits(at)).collect();
    all.sort_unstable();
    let longest = all.chunk_by(|a, b| a == b).max_by_key(|run| run.len())?;
    (longest.len() > 3 && longest.len() * 20 >= all.len()).then(|| longest.first().copied())?
}

/// The mean cost of a word after the one `lag` before it.
fn neighbours(words: &Words<'_>, at: &[usize], lag: usize) -> Option<f64> {
    let pair = |&at: &usize| Some(cost(words.rank(at.checked_add(lag)?)?, words.rank(at)?));
    mean(at.iter().filter_map(pair))
}

/// The mean cost of a word after one that has nothing to do with it.
fn strangers(words: &Words<'_>, at: &[usize]) -> f64 {
    let partner = |number: usize| at.get(scatter(number) % at.len().max(1)).copied();
    let pair =
        |(number, &at): (usize, &usize)| Some(cost(words.rank(at)?, words.rank(partner(number)?)?));
    mean(at.iter().enumerate().filter_map(pair)).unwrap_or(0.0)
}

/// The mean; `None` of fewer than four.
fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (mut sum, mut count) = (0.0, 0);
    for value in values {
        sum += value;
        count += 1;
    }
    (count >= 4).then(|| sum / as_f64(count))
}
