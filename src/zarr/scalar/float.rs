//! Every float format in one implementation; what they differ in is in [`formats`].
//!
//! The formats differ in field widths, bias, and what their last patterns mean; nothing else. They agree bit for bit
//! with IEEE 754 and with `ml_dtypes` (tested exhaustively for 16 bits and less). A float keeps its bits: turning it
//! into an `f64` is exact for every finite value, but loses NaN payloads, so nothing but plots and printing does it.

use super::{Float, FloatFormat, Specials};
use Specials::{HighestIsNan, Ieee, NegativeZeroIsNan, PowersOfTwo};

pub mod formats;
mod round;

pub use formats::*;
pub use round::Refusal;

/// The class of a float.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FloatClass {
    /// Not a number.
    Nan,
    /// Positive or negative infinity.
    Infinity,
    /// 0 or -0.
    Zero,
    /// Below the smallest number with a full mantissa.
    Subnormal,
    /// Any other number.
    Normal,
}

impl Float {
    /// The float with these bits; bits without meaning are dropped, as every reader of `int4` and its kin does.
    pub fn new(bits: u64, format: &'static FloatFormat) -> Self {
        Self { bits: bits & format.mask(), format }
    }

    /// The float nearest to `value`, ties to even. A NaN becomes the canonical one with the sign of `value`.
    ///
    /// # Errors
    ///
    /// If the format has nothing for it.
    pub fn from_f64(value: f64, format: &'static FloatFormat) -> Result<Self, Refusal> {
        let negative = value.is_sign_negative();
        if value.is_nan() {
            let bits = format.nan().ok_or(Refusal::NoNan)?;
            let signed = matches!(format.specials, Ieee | HighestIsNan);
            let sign = if signed { format.sign_bit(negative) } else { 0 };
            return Ok(Self { bits: bits | sign, format });
        }
        if value.is_infinite() {
            let bits = format.infinity(negative).ok_or(Refusal::NoInfinity)?;
            return Ok(Self { bits, format });
        }
        match parts(value.abs()) {
            Some((significand, exponent)) => format.round(negative, significand, exponent, false),
            None => format.zero(negative),
        }
    }

    /// The float nearest to an integer, in one rounding.
    ///
    /// # Errors
    ///
    /// If the format has nothing for it.
    #[expect(clippy::cast_possible_truncation, reason = "the two halves are what is asked for")]
    pub fn from_integer(value: i128, format: &'static FloatFormat) -> Result<Self, Refusal> {
        let magnitude = value.unsigned_abs();
        if magnitude == 0 {
            return format.zero(false);
        }
        let up = magnitude.leading_zeros();
        let (high, low) = ((magnitude << up >> 64) as u64, (magnitude << up) as u64);
        format.round(value < 0, high, 64 - up.cast_signed(), low != 0)
    }

    /// True if the sign bit is set.
    pub fn is_negative(self) -> bool {
        self.format.signed && self.bits >> (self.format.bits - 1) & 1 == 1
    }

    /// The stored exponent, as a field.
    pub fn exponent_field(self) -> u64 {
        (self.bits & self.format.magnitude_mask()) >> self.format.mantissa_bits
    }

    /// The mantissa, as a field.
    pub fn mantissa_field(self) -> u64 {
        self.bits & ((1 << self.format.mantissa_bits) - 1)
    }

    /// The class.
    pub fn class(self) -> FloatClass {
        let format = self.format;
        match format.specials {
            PowersOfTwo if self.bits == format.mask() => return FloatClass::Nan,
            PowersOfTwo => return FloatClass::Normal,
            NegativeZeroIsNan if format.nan() == Some(self.bits) => return FloatClass::Nan,
            HighestIsNan if self.bits & format.magnitude_mask() == format.magnitude_mask() => {
                return FloatClass::Nan;
            }
            Ieee if self.exponent_field() == format.top_exponent() => {
                return match self.mantissa_field() {
                    0 => FloatClass::Infinity,
                    _ => FloatClass::Nan,
                };
            }
            _ => {}
        }
        match (self.exponent_field(), self.mantissa_field()) {
            (0, 0) => FloatClass::Zero,
            (0, _) => FloatClass::Subnormal,
            _ => FloatClass::Normal,
        }
    }

    /// True if it is not a number.
    pub fn is_nan(self) -> bool {
        self.class() == FloatClass::Nan
    }

    /// True if it is a NaN that the word `NaN` does not name: signed, signalling, or with a payload.
    pub fn is_other_nan(self) -> bool {
        self.is_nan() && self.format.nan() != Some(self.bits)
    }

    /// Its value: exact for every finite float; every NaN becomes one `f64` NaN with its sign.
    pub fn to_f64(self) -> f64 {
        let format = self.format;
        if format.bits == 64 {
            return f64::from_bits(self.bits);
        }
        let magnitude = match self.class() {
            FloatClass::Nan => f64::NAN,
            FloatClass::Infinity => f64::INFINITY,
            _ => self.finite_magnitude(),
        };
        if self.is_negative() { -magnitude } else { magnitude }
    }

    fn finite_magnitude(self) -> f64 {
        let format = self.format;
        let stored = i32::try_from(self.exponent_field()).unwrap_or(0);
        if format.specials == PowersOfTwo {
            return power(stored - format.bias);
        }
        let hidden = if stored == 0 { 0 } else { 1 << format.mantissa_bits };
        let significand = u32::try_from(self.mantissa_field() | hidden).unwrap_or(0);
        let step = stored.max(1) - format.bias - format.mantissa_bits.cast_signed();
        f64::from(significand) * power(step)
    }
}

/// A magnitude as `significand × 2^exponent`, the top bit of the significand set; `None` for zero.
pub(super) fn parts(magnitude: f64) -> Option<(u64, i32)> {
    let bits = magnitude.to_bits();
    let (stored, mantissa) = (bits >> 52, bits & (u64::MAX >> 12));
    let significand = if stored == 0 { mantissa } else { mantissa | 1 << 52 };
    let up = significand.leading_zeros();
    let exponent = i32::try_from(stored.max(1)).ok()? - 1075 - up.cast_signed();
    (significand != 0).then(|| (significand << up, exponent))
}

/// 2^exponent, within the normal range of `f64`.
fn power(exponent: i32) -> f64 {
    f64::from_bits(u64::from((exponent + 1023).cast_unsigned()) << 52)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_16_bit_pattern_is_what_half_says() {
        for bits in 0..=u16::MAX {
            let wide = u64::from(bits);
            let ours = [Float::new(wide, &FLOAT16), Float::new(wide, &BFLOAT16)];
            let theirs =
                [half::f16::from_bits(bits).to_f64(), half::bf16::from_bits(bits).to_f64()];
            for (ours, theirs) in ours.into_iter().zip(theirs) {
                assert_eq!(ours.is_nan(), theirs.is_nan(), "{bits:04x}");
                if !theirs.is_nan() {
                    assert_eq!(ours.to_f64().to_bits(), theirs.to_bits(), "{bits:04x}");
                    let back = Float::from_f64(theirs, ours.format).unwrap();
                    assert_eq!(back, ours);
                }
            }
        }
    }

    #[test]
    fn rounding_agrees_with_half() {
        let mut state = 0x9e37_79b9_7f4a_7c15_u64;
        for _ in 0..200_000 {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            let single = f32::from_bits((state >> 32) as u32);
            if single.is_nan() {
                continue;
            }
            let bits = |format| Float::from_f64(f64::from(single), format).unwrap().bits;
            assert_eq!(bits(&FLOAT16), u64::from(half::f16::from_f32(single).to_bits()));
            assert_eq!(bits(&BFLOAT16), u64::from(half::bf16::from_f32(single).to_bits()));
            assert_eq!(bits(&FLOAT32), u64::from(single.to_bits()));
        }
    }

    #[test]
    fn formats_have_the_specials_of_the_registry() {
        let nan: Vec<_> = FORMATS.iter().map(|format| format.nan()).collect();
        let expected = [
            0x7e00,
            0x7fc0_0000,
            0x7ff8_0000_0000_0000,
            0x7fc0,
            0x78,
            0x7c,
            0x7f,
            0x80,
            0x80,
            0x7e,
            0x80,
            0xff,
        ];
        assert_eq!(nan.get(..12).unwrap(), expected.map(Some));
        assert!(FLOAT6_E2M3FN.nan().is_none() && FLOAT8_E4M3FNUZ.infinity(false).is_none());
        assert_eq!(Float::from_f64(7.75, &FLOAT6_E2M3FN), Err(Refusal::TooLarge));
        let power = |value| Float::from_f64(value, &FLOAT8_E8M0FNU).map(|rounded| rounded.bits);
        assert_eq!([0.5, 0.1, 0.7, 0.8].map(power), [Ok(0x7e), Ok(0x7c), Ok(0x7e), Ok(0x7f)]);
        // The least is 2^-127, the largest 2^127.
        let (least, most) = (2_f64.powi(-127), 2_f64.powi(127));
        assert_eq!(
            [least, 0.8 * least, most, 1.4 * most].map(power),
            [Ok(0), Ok(0), Ok(0xfe), Ok(0xfe)]
        );
        assert_eq!([0.75, 3.0].map(power), [Err(Refusal::Halfway); 2]);
        let none = [0.0, -1.0, 1.6 * most, 0.7 * least];
        assert_eq!(none.map(power), [Err(Refusal::NotAPowerOfTwo); 4]);
    }
}
