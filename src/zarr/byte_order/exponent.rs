//! The test that looks at the exponents of floats.
//!
//! It asks how many bits it takes to tell every exponent: few where they are close to their median, many where they
//! are scattered, and [`STRANGE`] for a NaN, an infinity or a subnormal. The order whose exponents take fewer bits
//! has the difference as evidence, provided that it is good in itself and not just better: its exponents must take
//! fewer bits than any exponents would, and the median must neither be astronomical nor microscopic.

use super::{Evidence, Meaning, decide, sample::WordSample, wording};
use crate::zarr::{data_type::Endian, words::capitalised};

/// The cost of a NaN, an infinity or a subnormal, in bits.
const STRANGE: f64 = 12.0;
/// The same for a subnormal float16: its exponents are so few that weights and gradients often get there.
const SUBNORMAL_HALF: f64 = 6.0;
/// Exponents this far from the median cost one bit more than the median's.
const NEAR: f64 = 4.0;
/// The number of bits cheaper a number has to be on the average.
const CHEAPER: f64 = 1.5;
/// The bits saved over an exponent that may be anything.
const BETTER: f64 = 1.0;
/// The bounds of a typical number, as a power of two.
const ORDINARY: i64 = 70;

/// The exponents of one reading.
struct Exponents {
    /// Those of normal numbers, sorted.
    normal: Vec<i64>,
    subnormal: usize,
    /// NaN and infinities.
    special: usize,
    /// The sum of their costs, in bits.
    cost: f64,
}

/// The evidence from exponents that are closer together in one byte order.
pub(super) fn test(sample: &WordSample) -> Option<Evidence> {
    let Meaning::Float { exponent, mantissa } = sample.meaning() else { return None };
    let read = |order| Exponents::read(sample, order, exponent, mantissa);
    let (little, big) = (read(Endian::Little), read(Endian::Big));
    let of = |order| if order == Endian::Little { &little } else { &big };
    let gain = |order: Endian| (of(order.other()).cost - of(order).cost).max(0.0);
    let (order, bits) = decide(gain)?;
    let n = sample.words().len();
    let average = bits / n as f64;
    let sentence = format!(
        "{}; read as {}-endian, {}.",
        capitalised(&of(order).describe(n)),
        order.other().word(),
        of(order.other()).describe(n)
    );
    let ordered = of(order).cost <= (f64::from(exponent) - BETTER) * super::as_f64(n);
    (average >= CHEAPER && ordered && of(order).is_ordinary()).then_some(Evidence {
        order,
        bits,
        sentence,
    })
}

impl Exponents {
    fn read(sample: &WordSample, order: Endian, exponent: u32, mantissa: u32) -> Self {
        let highest = (1_u64 << exponent) - 1;
        let bias = (1_i64 << (exponent - 1)) - 1;
        let (mut normal, mut subnormal, mut special) = (Vec::new(), 0, 0);
        for &word in sample.words() {
            match sample.read(word, order) >> mantissa & highest {
                0 => subnormal += 1,
                stored if stored == highest => special += 1,
                stored => normal.push(i64::try_from(stored).unwrap_or(0) - bias),
            }
        }
        normal.sort_unstable();
        let subnormal_cost = if exponent <= 5 { SUBNORMAL_HALF } else { STRANGE };
        let median = normal.get(normal.len() / 2).copied().unwrap_or(0);
        let told: f64 = normal.iter().map(|&exponent| cost(exponent - median)).sum();
        let cost =
            told + super::as_f64(subnormal) * subnormal_cost + super::as_f64(special) * STRANGE;
        Self { normal, subnormal, special, cost }
    }

    /// True if most numbers are normal and the typical one has a size that people measure.
    fn is_ordinary(&self) -> bool {
        let median = self.normal.get(self.normal.len() / 2);
        self.normal.len() > self.subnormal + self.special
            && median.is_some_and(|median| median.abs() <= ORDINARY)
    }

    /// The range of the exponents, as the end of a sentence about `n` numbers.
    fn describe(&self, n: usize) -> String {
        let strange = match (self.subnormal, self.special) {
            (0, 0) => None,
            (subnormal, 0) => Some(format!("{} are subnormal", wording::share(subnormal, n))),
            (0, special) => Some(format!("{} are NaN or infinite", wording::share(special, n))),
            (subnormal, special) => Some(format!(
                "{} are subnormal and {} NaN or infinite",
                wording::share(subnormal, n),
                wording::share(special, n)
            )),
        };
        let (Some(lowest), Some(highest)) = (self.normal.first(), self.normal.last()) else {
            return strange.unwrap_or_default();
        };
        let range = if lowest == highest {
            format!("every exponent is 2^{lowest}")
        } else {
            format!("the exponents range from 2^{lowest} to 2^{highest}")
        };
        match strange {
            None => range,
            Some(strange) => format!("{range}, and {strange}"),
        }
    }
}

/// The number of bits it takes to tell an exponent so far from the median: a heavy-tailed bell, never more than a
/// strange number costs.
fn cost(distance: i64) -> f64 {
    let far = distance as f64 / NEAR;
    (std::f64::consts::PI * NEAR * (1.0 + far * far)).log2().min(STRANGE)
}
