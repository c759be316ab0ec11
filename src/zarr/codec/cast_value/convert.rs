//! One number as another data type: exactly, or as `rounding` and `out_of_range` say, or not at all.

use super::{Number, NumberKind, Numeric};
use crate::zarr::scalar::{Float, FloatFormat};
use std::cmp::Ordering;

/// The treatment of a number between two that the data type has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) enum Rounding {
    NearestEven,
    NearestAway,
    TowardsZero,
    TowardsPositive,
    TowardsNegative,
}

/// The treatment of a number past those that the data type has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) enum OutOfRange {
    Clamp,
    Wrap,
    Refuse,
}

/// The rules of a cast.
#[derive(Debug, Clone, Copy)]
pub(in super::super) struct Rules {
    pub(in super::super) rounding: Rounding,
    pub(in super::super) out_of_range: OutOfRange,
}

/// Casts that only round.
pub(in super::super) const STRICT: Rules =
    Rules { rounding: Rounding::NearestEven, out_of_range: OutOfRange::Refuse };

/// Past this every float is whole, and an integer of any type is out of range.
const HUGE: f64 = 1e36;

impl Rules {
    /// The low bits of `number` as `to` has it; `None` where the rules have no answer.
    pub(in super::super) fn convert(self, number: Number, to: &Numeric) -> Option<u64> {
        match to.kind {
            NumberKind::Bool => self.integer(number, 0, 1),
            NumberKind::Int(bits) => {
                self.integer(number, -(1 << (bits - 1)), (1 << (bits - 1)) - 1)
            }
            NumberKind::Uint(bits) => self.integer(number, 0, (1 << bits) - 1),
            NumberKind::Float(format) => self.float(number, format),
        }
    }

    fn integer(self, number: Number, least: i128, most: i128) -> Option<u64> {
        let value = match number {
            Number::Int(value) => value,
            Number::Float(value) if value.is_finite() => whole(self.rounding, value),
            Number::Float(_) => return None,
        };
        let value = match self.out_of_range {
            _ if (least..=most).contains(&value) => value,
            OutOfRange::Refuse => return None,
            OutOfRange::Clamp => value.clamp(least, most),
            OutOfRange::Wrap => (value - least).rem_euclid(most - least + 1) + least,
        };
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "two's complement"
        )]
        Some(value as u64)
    }

    fn float(self, number: Number, format: &'static FloatFormat) -> Option<u64> {
        let nearest = match number {
            Number::Float(value) if !value.is_finite() => {
                return Some(Float::from_f64(value, format).ok()?.bits);
            }
            Number::Float(value) => Float::from_f64(value, format),
            Number::Int(value) => Float::from_integer(value, format),
        };
        let negative = match number {
            Number::Int(value) => value < 0,
            Number::Float(value) => value.is_sign_negative(),
        };
        match nearest.ok().filter(|float| float.to_f64().is_finite()) {
            Some(float) => Some(self.rounded(number, float, negative)),
            None => self.beyond(format, negative),
        }
    }

    /// The result for a number past the largest finite one.
    fn beyond(self, format: &'static FloatFormat, negative: bool) -> Option<u64> {
        if self.out_of_range != OutOfRange::Clamp {
            return None;
        }
        let largest = format.max_finite() | if negative { format.sign_mask() } else { 0 };
        Some(format.infinity(negative).unwrap_or(largest))
    }

    /// `nearest`, or its neighbour on the other side of `number`, as the rounding says.
    fn rounded(self, number: Number, nearest: Float, negative: bool) -> u64 {
        let side = compare(nearest.to_f64(), number);
        if side == Ordering::Equal || self.rounding == Rounding::NearestEven {
            return nearest.bits;
        }
        // Whether `nearest` has the larger magnitude of the two around the number.
        let outer = (side == Ordering::Greater) != negative;
        let step = if outer { nearest.bits.wrapping_sub(1) } else { nearest.bits.wrapping_add(1) };
        let other = Float { bits: step, format: nearest.format };
        let want_outer = match self.rounding {
            Rounding::TowardsZero => false,
            Rounding::TowardsPositive => !negative,
            Rounding::TowardsNegative => negative,
            Rounding::NearestAway => is_tie(number, nearest, other) || outer,
            Rounding::NearestEven => outer,
        };
        if want_outer == outer { nearest.bits } else { other.bits }
    }
}

/// A finite float as a whole number; what is far past all integer types becomes some such number, and 0 modulo 2⁶⁴.
#[expect(clippy::cast_possible_truncation, reason = "whole, and below 2¹²⁷")]
fn whole(rounding: Rounding, value: f64) -> i128 {
    let whole = match rounding {
        Rounding::NearestEven => value.round_ties_even(),
        Rounding::NearestAway => value.round(),
        Rounding::TowardsZero => value.trunc(),
        Rounding::TowardsPositive => value.ceil(),
        Rounding::TowardsNegative => value.floor(),
    };
    match whole {
        whole if whole.abs() < HUGE => whole as i128,
        whole if whole < 0.0 => -(1 << 120),
        _ => 1 << 120,
    }
}

/// On which side of `number` the finite `value` lies.
#[expect(clippy::cast_possible_truncation, reason = "checked against what 128 bits hold")]
fn compare(value: f64, number: Number) -> Ordering {
    match number {
        Number::Float(number) => value.partial_cmp(&number).unwrap_or(Ordering::Equal),
        Number::Int(_) if value.abs() >= HUGE => {
            if value < 0.0 {
                Ordering::Less
            } else {
                Ordering::Greater
            }
        }
        Number::Int(number) => match (value.trunc() as i128).cmp(&number) {
            Ordering::Equal => value.fract().partial_cmp(&0.0).unwrap_or(Ordering::Equal),
            other => other,
        },
    }
}

/// True if `number` is in the middle between two floats. The distances of a float to its neighbours are exact.
fn is_tie(number: Number, a: Float, b: Float) -> bool {
    let (a, b) = (a.to_f64(), b.to_f64());
    match number {
        Number::Float(number) => (number - a).abs().total_cmp(&(b - number).abs()).is_eq(),
        #[expect(clippy::cast_possible_truncation, reason = "floats around an integer of 64 bits")]
        Number::Int(number) => a.fract() == 0.0 && a as i128 + b as i128 == 2 * number,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::zarr::{
        data_type::Endian,
        scalar::float::{BFLOAT16, FLOAT4_E2M1FN, FLOAT16, FLOAT32, FLOAT64},
    };
    use Rounding::{NearestAway, NearestEven, TowardsNegative, TowardsPositive, TowardsZero};

    fn to(kind: NumberKind) -> Numeric {
        Numeric { kind, size: 8, parts: 1, endian: Endian::Little }
    }

    fn cast(
        value: f64,
        kind: NumberKind,
        rounding: Rounding,
        out_of_range: OutOfRange,
    ) -> Option<u64> {
        Rules { rounding, out_of_range }.convert(Number::Float(value), &to(kind))
    }

    #[test]
    fn floats_become_integers() {
        let all = [NearestEven, NearestAway, TowardsZero, TowardsPositive, TowardsNegative];
        let five = |value| {
            all.map(|rounding| {
                cast(value, NumberKind::Int(8), rounding, OutOfRange::Refuse).unwrap().cast_signed()
            })
        };
        assert_eq!(five(2.5), [2, 3, 2, 3, 2]);
        assert_eq!(five(-2.5), [-2, -3, -2, -2, -3]);
        let at = |value, out_of_range| cast(value, NumberKind::Int(8), NearestEven, out_of_range);
        assert_eq!(at(128.0, OutOfRange::Refuse), None);
        assert_eq!(at(128.0, OutOfRange::Clamp), Some(127));
        assert_eq!(at(128.0, OutOfRange::Wrap), Some((-128_i64).cast_unsigned()));
        assert_eq!(at(1e300, OutOfRange::Wrap), Some(0));
        assert_eq!(at(-1e300, OutOfRange::Clamp), Some((-128_i64).cast_unsigned()));
        assert_eq!(at(f64::NAN, OutOfRange::Clamp), None);
    }

    #[test]
    fn floats_are_rounded_in_every_direction() {
        let bits = |value, rounding| {
            cast(value, NumberKind::Float(&FLOAT32), rounding, OutOfRange::Refuse).unwrap()
        };
        let (low, high) = (0x3f80_0000, 0x3f80_0001);
        let tie = 1.0 + f64::from(f32::EPSILON) / 2.0;
        assert_eq!(bits(tie, NearestEven), low);
        assert_eq!(bits(tie, NearestAway), high);
        assert_eq!(bits(tie, TowardsZero), low);
        assert_eq!(bits(tie, TowardsPositive), high);
        assert_eq!(bits(-tie, TowardsPositive), low | 1 << 31);
        assert_eq!(bits(-tie, TowardsNegative), high | 1 << 31);
        assert_eq!(bits(1e-60, TowardsPositive), 1);
        assert_eq!(bits(-0.0, TowardsZero), 1 << 31);
    }

    #[test]
    fn integers_become_floats_in_one_rounding() {
        let cast = |value, rounding| {
            let rules = Rules { rounding, out_of_range: OutOfRange::Refuse };
            rules.convert(Number::Int(value), &to(NumberKind::Float(&FLOAT64))).map(f64::from_bits)
        };
        let tie = (1 << 53) + 1;
        assert_eq!(cast(tie, NearestEven), Some(9_007_199_254_740_992.0));
        assert_eq!(cast(tie, NearestAway), Some(9_007_199_254_740_994.0));
        assert_eq!(cast(-tie, TowardsPositive), Some(-9_007_199_254_740_992.0));
    }

    #[test]
    fn what_a_float_format_lacks_is_refused_or_clamped() {
        let at = |value, format, rule| cast(value, NumberKind::Float(format), NearestEven, rule);
        assert_eq!(at(1e6, &FLOAT16, OutOfRange::Refuse), None);
        assert_eq!(at(-1e6, &FLOAT16, OutOfRange::Clamp), Some(0xfc00));
        assert_eq!(at(f64::INFINITY, &FLOAT16, OutOfRange::Refuse), Some(0x7c00));
        assert_eq!(at(f64::NAN, &BFLOAT16, OutOfRange::Refuse), Some(0x7fc0));
        assert_eq!(at(f64::INFINITY, &FLOAT4_E2M1FN, OutOfRange::Clamp), None);
        assert_eq!(at(-100.0, &FLOAT4_E2M1FN, OutOfRange::Clamp), Some(15));
    }
}
