//! The words of a component of elements, what they read as, and which of them to look at.

use super::{Meaning, WideComponent};
use crate::zarr::data_type::Endian;
use std::cmp::Ordering;

/// The number of adjacent words looked at, where not all words are.
pub(super) const WINDOW: usize = 256;
/// Floats that are measured are between these, or are 0.
const MEASURED: std::ops::Range<f64> = 1e-30..1e30;
/// Floats of half precision, which cannot be smaller than 6e-8.
const MEASURED_HALF: std::ops::Range<f64> = 6e-5..1e5;
/// Along how many axes neighbours are looked for.
const AXES: usize = 3;

/// The words of one component, in the order of memory.
#[derive(Debug, Clone, Copy)]
pub struct Words<'a> {
    /// Elements, one after the other.
    pub bytes: &'a [u8],
    /// The bytes of an element.
    pub size: usize,
    /// The part of each element that is looked at.
    pub component: &'a WideComponent,
}

impl Words<'_> {
    /// The number of words.
    pub fn len(&self) -> usize {
        (self.bytes.len() / self.size.max(1)).saturating_mul(self.component.count)
    }

    /// True if there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The bits of word `at` as it reads in `order`, the most significant byte uppermost.
    pub fn read(&self, at: usize, order: Endian) -> Option<u64> {
        let WideComponent { offset, width, count, .. } = *self.component;
        // Divisions are what takes the time here.
        let (at, within) = if count == 1 { (at, 0) } else { (at.checked_div(count)?, at % count) };
        // A neighbour along an axis may be as far away as the document pleases.
        let start = at.checked_mul(self.size)?;
        let rest = self.bytes.get(start..).filter(|rest| rest.len() >= self.size)?;
        let rest = rest.get(offset + within * width..).filter(|rest| rest.len() >= width)?;
        let word = rest.first_chunk().copied().unwrap_or_else(|| {
            let mut last = [0; 8];
            last.iter_mut().zip(rest).for_each(|(to, from)| *to = *from);
            last
        });
        let unused = 64 - 8 * width.clamp(1, 8);
        Some(match order {
            Endian::Little => u64::from_le_bytes(word) << unused >> unused,
            Endian::Big => u64::from_be_bytes(word) >> unused,
        })
    }

    /// The bits of word `at` as it is declared.
    pub fn bits(&self, at: usize) -> Option<u64> {
        self.read(at, self.component.declared)
    }

    /// A whole number that sorts as the value of word `at` does.
    pub fn rank(&self, at: usize) -> Option<i128> {
        Some(rank(self.bits(at)?, self.component.width, self.component.meaning))
    }

    /// The value of word `at`.
    pub fn value(&self, at: usize) -> Option<f64> {
        Some(value(self.bits(at)?, self.component.width, self.component.meaning))
    }
}

/// A whole number that sorts as the value with these bits does: the number itself, or for floats its rank among all
/// floats.
pub fn rank(bits: u64, width: usize, meaning: Meaning) -> i128 {
    let sign = 1_u64 << (width * 8 - 1);
    match meaning {
        Meaning::Unsigned | Meaning::CodeUnit => i128::from(bits),
        Meaning::Signed | Meaning::Date { .. } => {
            i128::from(bits) - if bits & sign == 0 { 0 } else { i128::from(sign) * 2 }
        }
        Meaning::Float { .. } if bits & sign == 0 => i128::from(bits),
        Meaning::Float { .. } => -i128::from(bits & !sign),
    }
}

/// The value with these bits.
pub fn value(bits: u64, width: usize, meaning: Meaning) -> f64 {
    let Meaning::Float { exponent, mantissa } = meaning else {
        return real(rank(bits, width, meaning));
    };
    let sign = if bits >> (exponent + mantissa) & 1 == 1 { -1.0 } else { 1.0 };
    let magnitude = bits & ((1 << (exponent + mantissa)) - 1);
    match magnitude.cmp(&(((1 << exponent) - 1) << mantissa)) {
        Ordering::Greater => f64::NAN,
        Ordering::Equal => sign * f64::INFINITY,
        // The same bits as a float64, whose exponents count from further below.
        Ordering::Less => {
            let further = f64::from_bits((2047 - (1 << (exponent - 1))) << 52);
            sign * f64::from_bits(magnitude << (52 - mantissa)) * further
        }
    }
}

/// A whole number as a float: nearly all need no more than 64 bits, for which there is an instruction.
pub(super) fn real(number: i128) -> f64 {
    /// Apart, so that the compiler does not make one conversion of 128 bits of both.
    #[cold]
    #[inline(never)]
    fn wide(number: i128) -> f64 {
        number as f64
    }
    i64::try_from(number).map_or_else(|_| wide(number), |number| number as f64)
}

/// The number of words that nobody measures. The one that occurs most often may mark what is missing.
pub(super) fn unmeasured(words: &[u64], width: usize, meaning: Meaning) -> usize {
    let usual = usual(words);
    let is_measured = |bits: u64| {
        let value = value(bits, width, meaning);
        Some(bits) == usual
            || value == 0.0
            || match meaning {
                Meaning::Float { mantissa: 10, .. } => MEASURED_HALF.contains(&value.abs()),
                Meaning::Float { .. } => MEASURED.contains(&value.abs()),
                // Between 1600 and 2400; the smallest number is NaT.
                Meaning::Date { seconds } => {
                    (value * seconds).abs() <= 1.35e10 || bits == 1 << (width * 8 - 1)
                }
                Meaning::CodeUnit => bits <= 0x0010_ffff,
                Meaning::Signed | Meaning::Unsigned => true,
            }
    };
    words.iter().filter(|&&bits| !is_measured(bits)).count()
}

/// The word that occurs most often, if that is often enough to be a mark.
fn usual(words: &[u64]) -> Option<u64> {
    let mut all = words.to_vec();
    all.sort_unstable();
    let longest = all.chunk_by(|a, b| a == b).max_by_key(|run| run.len())?;
    (longest.len() > 3 && longest.len() * 20 >= all.len()).then(|| longest.first().copied())?
}

/// `word` of `width` bytes, byte-swapped.
pub fn swapped(word: u64, width: usize) -> u64 {
    word.swap_bytes() >> (64 - 8 * width.clamp(1, 8))
}

/// The positions of the words to look at, out of `len`: all, or if they are more than `most`, windows spread evenly
/// from the first to the last.
pub fn positions(len: usize, most: usize) -> Vec<usize> {
    if len <= most {
        return (0..len).collect();
    }
    let windows = (most / WINDOW).max(2);
    let start = |window: usize| (len - WINDOW.min(len)) / (windows - 1) * window;
    (0..windows).flat_map(|window| start(window)..(start(window) + WINDOW).min(len)).collect()
}

/// The distances, in words, at which to look for neighbours: inside an element of `count` words, and along the axes at
/// `strides`.
pub fn lags(strides: &[u64], count: usize) -> impl Iterator<Item = usize> {
    let own = (count > 1).then_some(1);
    let outer = strides.iter().filter_map(move |&n| usize::try_from(n).ok()?.checked_mul(count));
    own.into_iter().chain(outer).take(AXES)
}
