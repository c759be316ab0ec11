//! The numbers of a float format: its special values, and the float nearest to a number. By hand because crates such as
//! half know one or two of the fifteen formats.

use super::{Float, FloatFormat};
use crate::zarr::scalar::Specials::{
    HighestIsNan, Ieee, NegativeZeroIsNan, None as Finite, PowersOfTwo,
};

/// The reason why a format has no float for a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Refusal {
    /// It is past the largest value, and there is no infinity.
    TooLarge,
    /// No power of two that the format has is near it, and the format has nothing else.
    NotAPowerOfTwo,
    /// Two powers of two are equally near, and the format has nothing else.
    Halfway,
    /// The format has no NaN.
    NoNan,
    /// The format has no infinity.
    NoInfinity,
}

impl Refusal {
    /// As a phrase that follows the format's name.
    pub fn words(self) -> &'static str {
        match self {
            Self::TooLarge => "has no infinity, and no value that large",
            Self::NotAPowerOfTwo => "has powers of two only, no zero and no sign",
            Self::Halfway => "has powers of two only: two are equally near",
            Self::NoNan => "has no NaN",
            Self::NoInfinity => "has no infinity",
        }
    }
}

impl FloatFormat {
    /// The bits that mean something, all set.
    pub fn mask(&self) -> u64 {
        u64::MAX >> (64 - self.bits)
    }

    /// Exponent and mantissa bits, all set.
    pub(super) fn magnitude_mask(&self) -> u64 {
        u64::MAX >> (64 - self.exponent_bits - self.mantissa_bits)
    }

    /// The sign bit; 0 where there is none.
    pub fn sign_mask(&self) -> u64 {
        self.sign_bit(true)
    }

    pub(super) fn sign_bit(&self, negative: bool) -> u64 {
        if self.signed && negative { 1 << (self.bits - 1) } else { 0 }
    }

    /// The largest stored exponent, all bits set.
    pub(super) fn top_exponent(&self) -> u64 {
        u64::MAX >> (64 - self.exponent_bits)
    }

    /// The bits of the canonical NaN: quiet, positive, without payload. `None` where there is no NaN.
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
    pub fn infinity(&self, negative: bool) -> Option<u64> {
        (self.specials == Ieee)
            .then(|| self.top_exponent() << self.mantissa_bits | self.sign_bit(negative))
    }

    /// The bits of the largest finite value.
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
    /// If there is no zero.
    pub fn zero(&'static self, negative: bool) -> Result<Float, Refusal> {
        let bits = match self.specials {
            PowersOfTwo => return Err(Refusal::NotAPowerOfTwo),
            NegativeZeroIsNan => 0,
            Ieee | HighestIsNan | Finite => self.sign_bit(negative),
        };
        Ok(Float { bits, format: self })
    }

    /// The float for a number past every format's largest value.
    ///
    /// # Errors
    ///
    /// If there is no infinity.
    pub fn beyond(&'static self, negative: bool) -> Result<Float, Refusal> {
        let refusal =
            if self.specials == PowersOfTwo { Refusal::NotAPowerOfTwo } else { Refusal::TooLarge };
        let bits = self.infinity(negative).ok_or(refusal)?;
        Ok(Float { bits, format: self })
    }

    /// The float nearest to `±significand × 2^exponent`, ties to even; the top bit of the significand must be set.
    /// `more` says that the number is a little larger than that.
    ///
    /// # Errors
    ///
    /// If the format has nothing for it.
    pub fn round(
        &'static self,
        negative: bool,
        significand: u64,
        exponent: i32,
        more: bool,
    ) -> Result<Float, Refusal> {
        let stored = exponent + 63 + self.bias;
        if self.specials == PowersOfTwo {
            return self.power_of_two(negative, stored, significand, more);
        }
        if i64::from(stored) > self.top_exponent().cast_signed() + 1 {
            return self.beyond(negative);
        }
        // A subnormal has the exponent of the smallest normal number and loses a bit for every step below it.
        let below = u32::try_from(1 - stored).unwrap_or(0);
        let drop = 63 - self.mantissa_bits + below;
        if drop > 64 {
            return self.zero(negative);
        }
        let kept = rounded_shift(significand, drop, more);
        let normal = u64::try_from(stored).ok().filter(|&stored| stored > 0);
        let magnitude = match normal {
            Some(stored) => (stored << self.mantissa_bits) + (kept - (1 << self.mantissa_bits)),
            None => kept,
        };
        if magnitude == 0 {
            return self.zero(negative);
        }
        if magnitude > self.max_finite() {
            return self.beyond(negative);
        }
        let bits = magnitude | self.sign_bit(negative);
        Ok(Float { bits, format: self })
    }

    /// The nearest power of two. There is no even one of two that are equally near.
    fn power_of_two(
        &'static self,
        negative: bool,
        stored: i32,
        significand: u64,
        more: bool,
    ) -> Result<Float, Refusal> {
        const ONE_AND_A_HALF: u64 = 3 << 62;
        if significand == ONE_AND_A_HALF && !more {
            return Err(Refusal::Halfway);
        }
        let up = significand >= ONE_AND_A_HALF;
        match u64::try_from(stored + i32::from(up)) {
            Ok(bits) if !negative && bits <= self.max_finite() => Ok(Float { bits, format: self }),
            _ => Err(Refusal::NotAPowerOfTwo),
        }
    }
}

/// `significand / 2^drop` rounded to the nearest, ties to even; `drop` is 1 to 64, or 11 at the least for `f64`.
fn rounded_shift(significand: u64, drop: u32, more: bool) -> u64 {
    let wide = u128::from(significand);
    let kept = wide >> drop;
    let rest = wide - (kept << drop);
    let half = 1_u128 << (drop - 1);
    let up = rest > half || (rest == half && (more || kept & 1 == 1));
    u64::try_from(kept).unwrap_or(u64::MAX) + u64::from(up)
}
