//! Whole numbers told byte by byte.
//!
//! Every number can be told so, and it costs the same in both byte orders: what is shorter than that must come from a
//! link between the bytes. Without one, what remains is in which direction the bytes get rougher. The digits of a
//! number get rougher downwards; where the upper byte is rougher than the lower one, several things are packed into one
//! number.

use super::{
    Description, Habit, Values, as_f64,
    cost::{bell, counts, entropy},
};

/// The costs of the statement that bytes are told one by one: where they get rougher downwards, where neither, and
/// where they get rougher upwards.
const DIGITS: f64 = 3.0;
const EVEN: f64 = 7.0;
const PACKED: f64 = 13.0;
/// By how many bits a byte must be rougher than another.
const ROUGHER: f64 = 1.0;

/// The description byte by byte.
pub(super) fn describe(values: &Values) -> Description {
    let n = as_f64(values.words.len()).max(1.0);
    let planes: Vec<Plane> = (0..values.width).map(|at| Plane::read(values, 8 * at)).collect();
    let mut varying = planes.iter().filter(|plane| plane.varies);
    let (lowest, uppermost) = (varying.next(), varying.next_back());
    let slope = lowest.zip(uppermost).map_or(0.0, |(low, up)| (up.bits - low.bits) / n);
    // An upper byte that only counts is not the upper digit of a rough number.
    let is_counting = uppermost.is_some_and(|plane| plane.counts);
    let kind = match slope {
        slope if slope >= ROUGHER => PACKED,
        slope if slope <= -ROUGHER && !is_counting => DIGITS,
        _ => EVEN,
    };
    Description::new(planes.iter().map(|plane| plane.bits).sum::<f64>() + kind, Habit::Bytes)
}

/// One byte of all numbers.
struct Plane {
    /// The bits that it takes.
    bits: f64,
    /// True unless all are the same.
    varies: bool,
    /// True if it steps by the same all the time.
    counts: bool,
}

impl Plane {
    /// The byte `shift` bits above the lowest.
    fn read(values: &Values, shift: usize) -> Self {
        let byte = |word: u64| word >> shift & 0xff;
        let n = values.words.len();
        let own = counts(values.words.iter().map(|&word| byte(word)));
        let varies = own.len() > 1;
        let mut bits = (8.0 * as_f64(n)).min(adaptive(&own, n));
        let mut is_counting = false;
        for (_, before) in values.neighbours.iter().filter(|_| varies) {
            let step = |(&word, before): (&u64, &Option<u64>)| {
                let step = byte(word).wrapping_sub(byte((*before)?)) & 0xff;
                Some(if step < 128 { i128::from(step) } else { i128::from(step) - 256 })
            };
            let steps: Vec<i128> = values.words.iter().zip(before).filter_map(step).collect();
            let of_steps = counts(steps.iter().copied());
            let first = as_f64(8 * (n - steps.len()));
            bits = bits.min(first + (bell(&steps) + 8.0).min(adaptive(&of_steps, steps.len())));
            let all_alike = of_steps.last().is_some_and(|&most| most * 10 > steps.len() * 9);
            is_counting |= all_alike && steps.iter().filter(|&&step| step != 0).count() * 2 > n;
        }
        Self { bits, varies, counts: is_counting }
    }
}

/// Values by how often each occurs, and how often that is.
fn adaptive(counts: &[usize], n: usize) -> f64 {
    entropy(counts) + as_f64(counts.len().saturating_sub(1)) / 2.0 * as_f64(n + 1).log2() + 8.0
}
