//! Every float format in one implementation; what they differ in is in [`super::formats`].
//!
//! The formats differ in field widths, bias, and what their last patterns mean; nothing else. They agree bit for bit
//! with IEEE 754 and with `ml_dtypes` (tested exhaustively for 16 bits and less). A float keeps its bits: turning it into
//! an `f64` is exact for every finite value, but loses NaN payloads, so nothing but plots and printing does it.

use super::{Float, FloatFormat, Specials};
use Specials::{HighestIsNan, Ieee, NegativeZeroIsNan, None as Finite, PowersOfTwo};

pub use super::formats::*;

/// What a float is.
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

/// A rounded number, and whether rounding changed it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rounded {
    /// The float.
    pub float: Float,
    /// Whether it is not exactly the number that was asked for.
    pub inexact: bool,
}

/// Why a format has no float for a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    /// It is past the largest value, and there is no infinity.
    TooLarge,
    /// It is no power of two, and the format has nothing else.
    NotAPowerOfTwo,
    /// The format has no NaN.
    NoNan,
    /// The format has no infinity.
    NoInfinity,
}

impl Refusal {
    /// As a phrase that follows the format's name.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Self::TooLarge => "has no infinity, and no value that large",
            Self::NotAPowerOfTwo => "has powers of two only, no zero and no sign",
            Self::NoNan => "has no NaN",
            Self::NoInfinity => "has no infinity",
        }
    }
}

impl FloatFormat {
    /// The bits that mean something, all set.
    #[must_use]
    pub fn mask(&self) -> u64 {
        u64::MAX >> (64 - self.bits)
    }

    /// Exponent and mantissa bits, all set.
    fn magnitude_mask(&self) -> u64 {
        u64::MAX >> (64 - self.exponent_bits - self.mantissa_bits)
    }

    /// The sign bit; 0 where there is none.
    #[must_use]
    pub fn sign_mask(&self) -> u64 {
        self.sign_bit(true)
    }

    fn sign_bit(&self, negative: bool) -> u64 {
        if self.signed && negative { 1 << (self.bits - 1) } else { 0 }
    }

    /// The largest stored exponent, all bits set.
    fn top_exponent(&self) -> u64 {
        u64::MAX >> (64 - self.exponent_bits)
    }

    /// The bits of the canonical NaN: quiet, positive, without payload. `None` where there is no NaN.
    #[must_use]
    pub fn nan(&self) -> Option<u64> {
        match self.specials {
            Ieee => Some(self.top_exponent() << self.mantissa_bits | 1 << (self.mantissa_bits - 1)),
            HighestIsNan => Some(self.magnitude_mask()),
            NegativeZeroIsNan => Some(1 << (self.bits - 1)),
            PowersOfTwo => Some(self.mask()),
            Finite => None,
        }
    }

    /// The bits of an infinity; `None` where there is none.
    #[must_use]
    pub fn infinity(&self, negative: bool) -> Option<u64> {
        (self.specials == Ieee)
            .then(|| self.top_exponent() << self.mantissa_bits | self.sign_bit(negative))
    }

    /// The bits of the largest finite value.
    #[must_use]
    pub fn max_finite(&self) -> u64 {
        match self.specials {
            Ieee => (self.top_exponent() << self.mantissa_bits) - 1,
            NegativeZeroIsNan | Finite => self.magnitude_mask(),
            HighestIsNan => self.magnitude_mask() - 1,
            PowersOfTwo => self.mask() - 1,
        }
    }

    /// Zero, -0 where there is one.
    ///
    /// # Errors
    ///
    /// Where there is no zero.
    pub fn zero(&'static self, negative: bool) -> Result<Rounded, Refusal> {
        let bits = match self.specials {
            PowersOfTwo => return Err(Refusal::NotAPowerOfTwo),
            NegativeZeroIsNan => 0,
            Ieee | HighestIsNan | Finite => self.sign_bit(negative),
        };
        Ok(Rounded { float: Float { bits, format: self }, inexact: false })
    }

    /// What a number past every format's largest value becomes.
    ///
    /// # Errors
    ///
    /// Where there is no infinity.
    pub fn beyond(&'static self, negative: bool) -> Result<Rounded, Refusal> {
        let refusal =
            if self.specials == PowersOfTwo { Refusal::NotAPowerOfTwo } else { Refusal::TooLarge };
        let bits = self.infinity(negative).ok_or(refusal)?;
        Ok(Rounded { float: Float { bits, format: self }, inexact: true })
    }

    /// What a number below every format's smallest value becomes.
    ///
    /// # Errors
    ///
    /// Where there is no zero.
    pub fn vanishing(&'static self, negative: bool) -> Result<Rounded, Refusal> {
        self.zero(negative).map(|zero| Rounded { inexact: true, ..zero })
    }

    /// The float nearest to `±significand × 2^exponent`, ties to even; the top bit of the significand must be set.
    /// `more` says that the number is a little larger than that.
    ///
    /// # Errors
    ///
    /// Where the format has nothing for it.
    pub fn round(
        &'static self,
        negative: bool,
        significand: u64,
        exponent: i32,
        more: bool,
    ) -> Result<Rounded, Refusal> {
        let stored = exponent + 63 + self.bias;
        if self.specials == PowersOfTwo {
            return self.power_of_two(negative, stored, more || significand != 1 << 63);
        }
        if i64::from(stored) > self.top_exponent().cast_signed() + 1 {
            return self.beyond(negative);
        }
        // A subnormal has the exponent of the smallest normal number and loses a bit for every step below it.
        let below = u32::try_from(1 - stored).unwrap_or(0);
        let drop = 63 - self.mantissa_bits + below;
        if drop > 64 {
            return self.vanishing(negative);
        }
        let (kept, inexact) = rounded_shift(significand, drop, more);
        let normal = u64::try_from(stored).ok().filter(|&stored| stored > 0);
        let magnitude = match normal {
            Some(stored) => (stored << self.mantissa_bits) + (kept - (1 << self.mantissa_bits)),
            None => kept,
        };
        if magnitude == 0 {
            return self.vanishing(negative);
        }
        if magnitude > self.max_finite() {
            return self.beyond(negative);
        }
        let bits = magnitude | self.sign_bit(negative);
        Ok(Rounded { float: Float { bits, format: self }, inexact })
    }

    fn power_of_two(
        &'static self,
        negative: bool,
        stored: i32,
        other: bool,
    ) -> Result<Rounded, Refusal> {
        match u64::try_from(stored) {
            Ok(bits) if !negative && !other && bits <= self.max_finite() => {
                Ok(Rounded { float: Float { bits, format: self }, inexact: false })
            }
            _ => Err(Refusal::NotAPowerOfTwo),
        }
    }
}

/// `significand / 2^drop` rounded to the nearest, ties to even; `drop` is 1 to 64, or 11 at the least for `f64`.
fn rounded_shift(significand: u64, drop: u32, more: bool) -> (u64, bool) {
    let wide = u128::from(significand);
    let kept = wide >> drop;
    let rest = wide - (kept << drop);
    let half = 1_u128 << (drop - 1);
    let up = rest > half || (rest == half && (more || kept & 1 == 1));
    let kept = u64::try_from(kept).unwrap_or(u64::MAX);
    (kept + u64::from(up), rest != 0 || more)
}

impl Float {
    /// The float with these bits; bits without meaning are dropped, as every reader of `int4` and its kin does.
    #[must_use]
    pub fn new(bits: u64, format: &'static FloatFormat) -> Self {
        Self { bits: bits & format.mask(), format }
    }

    /// The float nearest to `value`, ties to even. A NaN becomes the canonical one with the sign of `value`.
    ///
    /// # Errors
    ///
    /// Where the format has nothing for it.
    pub fn from_f64(value: f64, format: &'static FloatFormat) -> Result<Rounded, Refusal> {
        let negative = value.is_sign_negative();
        let exactly = |bits| Ok(Rounded { float: Self { bits, format }, inexact: false });
        if value.is_nan() {
            let bits = format.nan().ok_or(Refusal::NoNan)?;
            let signed = matches!(format.specials, Ieee | HighestIsNan);
            let sign = if signed { format.sign_bit(negative) } else { 0 };
            return exactly(bits | sign);
        }
        if value.is_infinite() {
            return exactly(format.infinity(negative).ok_or(Refusal::NoInfinity)?);
        }
        let bits = value.to_bits();
        let (stored, mantissa) = (bits >> 52 & 0x7ff, bits & (u64::MAX >> 12));
        let (significand, exponent) =
            if stored == 0 { (mantissa, -1074) } else { (mantissa | 1 << 52, -1075) };
        if significand == 0 {
            return format.zero(negative);
        }
        let exponent = exponent + i32::try_from(stored).unwrap_or(0);
        let up = significand.leading_zeros();
        format.round(negative, significand << up, exponent - up.cast_signed(), false)
    }

    /// Whether the sign bit is set.
    #[must_use]
    pub fn is_negative(self) -> bool {
        self.format.signed && self.bits >> (self.format.bits - 1) & 1 == 1
    }

    /// The stored exponent, as a field.
    #[must_use]
    pub fn exponent_field(self) -> u64 {
        (self.bits & self.format.magnitude_mask()) >> self.format.mantissa_bits
    }

    /// The mantissa, as a field.
    #[must_use]
    pub fn mantissa_field(self) -> u64 {
        self.bits & ((1 << self.format.mantissa_bits) - 1)
    }

    /// What it is.
    #[must_use]
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

    /// Whether it is not a number.
    #[must_use]
    pub fn is_nan(self) -> bool {
        self.class() == FloatClass::Nan
    }

    /// Whether it is a NaN that the word `NaN` does not name: signed, signalling, or with a payload.
    #[must_use]
    pub fn is_other_nan(self) -> bool {
        self.is_nan() && self.format.nan() != Some(self.bits)
    }

    /// Its value: exact for every finite float; every NaN becomes one `f64` NaN with its sign.
    #[must_use]
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
                    assert_eq!((back.float, back.inexact), (ours, false));
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
            let bits = |format| Float::from_f64(f64::from(single), format).unwrap().float.bits;
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
        assert_eq!(Float::from_f64(0.1, &FLOAT8_E8M0FNU), Err(Refusal::NotAPowerOfTwo));
        assert_eq!(Float::from_f64(0.5, &FLOAT8_E8M0FNU).unwrap().float.bits, 0x7e);
    }
}
