//! The cost of floats: of sign, exponent and as many bits of the mantissa as are used.

use super::{
    Description, Habit, Values, as_f64,
    cost::{Tally, entropy, real, which},
    whole::{self, told_by_steps},
};
use std::f64::consts::PI;

/// The extra cost of a NaN with a payload or of a subnormal.
const STRANGE: f64 = 12.0;
/// The same for floats of two bytes: their exponents are so few that small numbers often get there.
const STRANGE_HALF: f64 = 6.0;
/// The cost of the statement that all floats are subnormal: whole numbers below this one, of a tiny unit.
const SUBNORMAL: f64 = 24.0;
const LARGEST_SUBNORMAL: u64 = 1 << 12;
/// The typical exponent, and how far from it exponents usually are.
const TYPICAL: f64 = 2.0;
const USUALLY: f64 = 8.0;
/// The cost of choosing a model that not all numbers have.
const CHOICE: f64 = 2.0;
/// The most places after the point with which people write numbers down.
const PLACES: i32 = 6;
/// The distance from a decimal number, in floats, that a sum or a product makes.
const NEARLY: u64 = 2;
/// The largest whole number, times a power of ten, that is taken for a decimal number.
const LARGEST: f64 = 1e12;

/// The shortest description of floats of so many bits of exponent and mantissa.
pub(super) fn describe(values: &Values, exponent: u32, mantissa: u32) -> Description {
    let format = FloatLayout { width: values.width, exponent, mantissa };
    let mut best = Description::new(format.cost(&values.words), Habit::Size);
    let tally = Tally::of(values.words.iter().copied());
    let few = which(&values.words, &tally).map(|bits| {
        let listed: Vec<u64> = tally.kinds.iter().map(|&(word, _)| word).collect();
        // By the size of each, or by the gaps between them.
        let ranks: Vec<i128> = listed.iter().map(|&word| values.rank(word)).collect();
        let first = listed.get(..1).unwrap_or_default();
        let by_gaps = format.cost(first) + whole::grid(&ranks) + format.strange(&listed);
        (format.cost(&listed).min(by_gaps), bits, listed.len())
    });
    for (lag, before) in &values.neighbours {
        let pairs = values.words.iter().zip(before);
        let steps: Vec<i128> = pairs
            .clone()
            .filter_map(|(word, before)| Some((*word, (*before)?)))
            .map(|(word, before)| values.rank(word) - values.rank(before))
            .collect();
        let bits = if let Some((listed, bits, _)) = few {
            // The steps between few numbers are as few, and nothing has to be said of them that the list does not say.
            listed + which(&steps, &Tally::of(steps.iter().copied())).unwrap_or(bits)
        } else {
            let lone = |(&word, before): (&u64, &Option<u64>)| before.is_none().then_some(word);
            let lone: Vec<u64> = pairs.filter_map(lone).collect();
            let first = values.words.get(..1).unwrap_or_default();
            let start = if lone.is_empty() { first } else { lone.as_slice() };
            format.cost(start) + told_by_steps(&steps) + format.strange(&values.words)
        };
        best = best.or(Description::new(bits + CHOICE, Habit::Steps(*lag)));
    }
    let is_tiny = |&word: &u64| format.stored(word) == 0 && format.digits(word) < LARGEST_SUBNORMAL;
    if values.words.iter().all(is_tiny) {
        best = best.or(whole::subnormal(values).plus(SUBNORMAL));
    }
    if let Some((listed, bits, kinds)) = few {
        best = best.or(Description::new(listed + bits, Habit::Few(kinds)));
    }
    best
}

/// The layout of floats.
struct FloatLayout {
    width: usize,
    exponent: u32,
    mantissa: u32,
}

impl FloatLayout {
    /// Each float by itself.
    fn cost(&self, words: &[u64]) -> f64 {
        let n = words.len();
        let zero_or_not = Tally::of(words.iter().map(|&word| word << 1 == 0)).counts();
        let signs = self.signs(words);
        let sign_bits = (entropy(&signs) + as_f64(n + 1).log2()).min(as_f64(n));
        let in_binary = self.exponents(words)
            + self.mantissas(words)
            + entropy(&zero_or_not)
            + sign_bits
            + self.strange(words);
        self.decimals(words).map_or(in_binary, |decimal| decimal.min(in_binary))
    }

    /// Numbers that were rounded to a few places after the point, as whole numbers, and by how little arithmetic made
    /// them differ from that since; `None` where one of them was not.
    fn decimals(&self, words: &[u64]) -> Option<f64> {
        let value = |&word: &u64| match self.width {
            8 => Some(f64::from_bits(word)),
            4 => Some(f64::from(f32::from_bits(u32::try_from(word).ok()?))),
            _ => None,
        };
        #[expect(clippy::cast_possible_truncation, reason = "float32 is what is compared with")]
        let word = |value: f64| match self.width {
            8 => value.to_bits(),
            _ => (value as f32).to_bits().into(),
        };
        let decimal = |places: i32| {
            let ten = 10_f64.powi(places);
            let (mut largest, mut off) = (0.0_f64, Vec::with_capacity(words.len()));
            for known in words {
                let whole = (value(known)? * ten).round();
                let by = word(whole / ten).abs_diff(*known);
                if by > NEARLY || whole.abs() >= LARGEST {
                    return None;
                }
                largest = largest.max(whole.abs());
                off.push(by);
            }
            Some((f64::from(places), largest, off))
        };
        let (places, largest, off) = (0..=PLACES).find_map(decimal)?;
        let each = (largest + 1.0).log2();
        let off = entropy(&Tally::of(off.into_iter()).counts());
        let all = as_f64(words.len()) * each + entropy(&self.signs(words)) + off;
        Some(all + 2.0 * each.log2().max(0.0) + places + CHOICE)
    }

    /// How often either sign occurs.
    fn signs(&self, words: &[u64]) -> Vec<usize> {
        Tally::of(words.iter().map(|&word| word >> (8 * self.width - 1))).counts()
    }

    /// What is strange about some of the floats.
    fn strange(&self, words: &[u64]) -> f64 {
        let strange = words.iter().filter(|&&word| self.is_strange(word)).count();
        as_f64(strange) * if self.exponent <= 5 { STRANGE_HALF } else { STRANGE }
    }

    fn stored(&self, word: u64) -> u64 {
        word >> self.mantissa & self.highest()
    }

    fn highest(&self) -> u64 {
        (1 << self.exponent) - 1
    }

    fn digits(&self, word: u64) -> u64 {
        word & ((1 << self.mantissa) - 1)
    }

    /// True for subnormals, and for NaNs that no program makes by itself.
    fn is_strange(&self, word: u64) -> bool {
        let digits = self.digits(word);
        match self.stored(word) {
            0 => digits != 0,
            stored if stored == self.highest() => digits != 0 && digits != 1 << (self.mantissa - 1),
            _ => false,
        }
    }

    /// The exponents of normal numbers: around the typical one, as a list of those that occur, or bit by bit.
    fn exponents(&self, words: &[u64]) -> f64 {
        let bias = (1_i128 << (self.exponent - 1)) - 1;
        let normal = words.iter().map(|&word| self.stored(word));
        let normal = normal.filter(|&stored| stored != 0 && stored != self.highest());
        let exponents = Tally::of(normal.map(|stored| i128::from(stored) - bias));
        let counts = exponents.counts();
        if counts.is_empty() {
            return 0.0;
        }
        let (middle, width) = (exponents.median(), real(exponents.spread()).max(0.5));
        let cauchy = |width: f64, distance: f64| {
            (PI * width * (1.0 + (distance / width).powi(2))).log2().max(0.1)
        };
        let around = exponents
            .kinds
            .iter()
            .map(|&(exponent, count)| as_f64(count) * cauchy(width, real(exponent - middle)));
        let around = around.sum::<f64>() + 2.0;
        let listed = entropy(&counts) + as_f64(counts.len()) * f64::from(self.exponent - 2);
        let bit_by_bit = as_f64(counts.iter().sum()) * f64::from(self.exponent);
        cauchy(USUALLY, real(middle) - TYPICAL) + around.min(listed).min(bit_by_bit)
    }

    /// The mantissas without the zeros at their ends.
    fn mantissas(&self, words: &[u64]) -> f64 {
        let all = self.mantissa;
        let used = |word: &u64| match self.digits(*word) {
            0 => 0,
            digits => all - digits.trailing_zeros(),
        };
        let most = words.iter().map(used).max().unwrap_or(0);
        let length = f64::from(all + 1).log2();
        words.iter().map(|word| f64::from(most).min(f64::from(used(word)) + length)).sum::<f64>()
            + length
    }
}
