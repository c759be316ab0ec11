//! The length of the shortest description of values for each of their bytes, and the number of values that nobody
//! measures: readings of the same bytes can be compared by it whatever their width is.
//!
//! Values that mean something are cheap to write down, after their neighbours or by their habits (the module `description`),
//! where unrelated bytes take all of their bits.

use super::{
    Meaning, WideComponent, Words, as_f64, components,
    description::Values,
    loaded, strides,
    words::{WINDOW, lags, positions, real, unmeasured, value},
};
use crate::zarr::prelude::*;

/// The number of words looked at, of all chunks together.
const WORDS: usize = 8192;

/// Neighbours that tell much of each other save so many bits for each value.
pub const GAIN: f64 = 1.0;

/// The likeness of some elements to measured values.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Measure {
    /// The bits of the shortest description, for each byte: 0 to 8.
    pub bits: f64,
    /// The bits that the neighbours save for each value.
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

impl Measure {
    /// The bits for each byte, with what is strange counted as noise: the lower, the more plausible.
    pub fn badness(&self) -> f64 {
        self.bits + 8.0 * self.strange
    }

    /// The bits that this reading saves for each value, where `other` is another one of the same bytes.
    pub fn saves(&self, other: &Self) -> f64 {
        (other.badness() - self.badness()) * self.width
    }

    /// True if neighbours tell much of each other, and hardly a value is strange.
    pub fn is_smooth(&self) -> bool {
        self.gain >= GAIN && self.strange < 0.05
    }
}

/// Measures the elements of chunks of one array; `None` where they are not numbers, or too few, or nobody waits for it.
pub fn measure(chunks: &[Elements], budget: &Budget) -> Option<Measure> {
    tallied(chunks, |total, values| total.describe(values, budget))?.finish()
}

/// The share of the values of a chunk that nobody measures, as [`Measure`] has it: at a tenth of what describing them costs.
pub fn strange(chunk: &Elements) -> f64 {
    let total = tallied(std::slice::from_ref(chunk), |_, _| ()).unwrap_or_default();
    as_f64(total.strange) / as_f64(total.words.max(1))
}

/// The words of chunks of one array, counted, and those of each component passed on.
fn tallied(chunks: &[Elements], pass: impl Fn(&mut WordTally, &Values)) -> Option<WordTally> {
    let first = chunks.first()?;
    let Places::Fixed(size) = *first.places() else { return None };
    let element = loaded(first, size)?.get(..size)?;
    let components = numbers(first, element);
    let each = (WORDS / chunks.len().max(1) / components.len().max(1)).max(WINDOW);
    let mut total = WordTally::default();
    for component in &components {
        let mut values = Values::none(component);
        let before = (total.words, total.strange);
        for chunk in chunks {
            let Some(bytes) = loaded(chunk, size) else { continue };
            let words = Words { bytes, size, component };
            let (at, strides) = (positions(words.len(), each), strides(chunk));
            values.add(&words, &at, &strides, component.declared);
            total.add(&words, &at, &strides);
        }
        pass(&mut total, &values);
        let (all, strange) = (total.words - before.0, total.strange - before.1);
        total.oddest = total.oddest.max(as_f64(strange) / as_f64(all.max(1)));
    }
    Some(total)
}

/// The numbers in an element: its components, or its one byte.
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

/// The bits that it takes to write a number after another one.
pub fn cost(a: i128, b: i128) -> f64 {
    (real(a - b).abs() + 1.0).log2()
}

/// The same of numbers of so much meaning; `None` where they tell nothing of how far they are apart: the ranks of floats on
/// both sides of 0, and of 0 and any other, are as far apart as those of floats can be, however small the floats are.
pub fn step(a: i128, b: i128, meaning: Meaning) -> Option<f64> {
    let is_told = a.signum() == b.signum() || !matches!(meaning, Meaning::Float { .. });
    is_told.then(|| cost(a, b))
}

/// The counts of words.
#[derive(Default)]
struct WordTally {
    /// The bits of the shortest description, and of the shortest one that knows no neighbours.
    bits: f64,
    alone: f64,
    /// Bytes that the bits are for.
    bytes: f64,
    strange: usize,
    oddest: f64,
    words: usize,
    steps: Vec<f64>,
    range: Option<(f64, f64)>,
}

impl WordTally {
    /// Adds the words `at` some places.
    fn add(&mut self, words: &Words, at: &[usize], strides: &[u64]) {
        let WideComponent { width, meaning, .. } = *words.component;
        let bits: Vec<u64> = at.iter().filter_map(|&at| words.bits(at)).collect();
        self.words += bits.len();
        self.strange += unmeasured(&bits, width, meaning);
        let values: Vec<f64> = bits.iter().map(|&bits| value(bits, width, meaning)).collect();
        for &value in values.iter().filter(|value| value.is_finite()) {
            let (low, high) = self.range.unwrap_or((value, value));
            self.range = Some((low.min(value), high.max(value)));
        }
        let step = |lag: usize| {
            let pairs = at.iter().zip(&values);
            let steps = pairs
                .filter_map(|(at, value)| Some((words.value(at.checked_add(lag)?)? - value).abs()));
            steps.collect::<Vec<f64>>()
        };
        let sum =
            |steps: &[f64]| steps.iter().copied().filter(|step| step.is_finite()).sum::<f64>();
        let mean = |steps: &[f64]| sum(steps) / as_f64(steps.len().max(1));
        let all = lags(strides, words.component.count).map(step).filter(|steps| steps.len() >= 4);
        self.steps.extend(all.min_by(|a, b| mean(a).total_cmp(&mean(b))).unwrap_or_default());
    }

    /// Adds the descriptions of values.
    fn describe(&mut self, values: &Values, budget: &Budget) {
        if !values.words.is_empty() && !budget.is_stopped() {
            let description = values.describe();
            self.bits += description.bits;
            self.alone += description.alone.max(description.bits);
            self.bytes += as_f64(values.words.len() * values.width);
        }
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
            gain: (self.alone - self.bits) / as_f64(self.words),
            width: self.bytes / as_f64(self.words),
            strange: as_f64(self.strange) / as_f64(self.words),
            oddest: self.oddest,
            step: self.steps.get(self.steps.len() / 2).copied().unwrap_or(f64::NAN),
            unrest: if span > 0.0 { mean / span } else { 0.0 },
            range,
            words: self.words,
        })
    }
}
