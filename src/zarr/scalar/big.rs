//! Whole numbers of any size, as far as exact rounding of decimals needs them.
//!
//! Not a dependency because five operations suffice: a decimal is `digits × 10^e`, and its binary significand is one
//! long division of two such numbers. Sizes are bounded by the caller ([`super::decimal::MAX_DIGITS`] digits and
//! exponents within ±[`super::decimal::MAX_EXPONENT`]), so that an absurd number in a document costs microseconds.

use std::cmp::Ordering;

/// A natural number, its 32-bit limbs from the least significant on, without zeros at the top.
pub(crate) struct Natural {
    limbs: Vec<u32>,
}

impl Natural {
    /// The number that decimal digits (each 0 to 9) spell.
    pub(crate) fn from_digits(digits: &[u8]) -> Self {
        let mut out = Self { limbs: Vec::new() };
        for group in digits.chunks(9) {
            let value = group.iter().fold(0, |value, &digit| value * 10 + u32::from(digit));
            out.multiply_add(10_u32.pow(u32::try_from(group.len()).unwrap_or(9)), value);
        }
        out
    }

    /// `self × 10^power`.
    pub(crate) fn times_power_of_ten(mut self, power: u32) -> Self {
        for _ in 0..power / 9 {
            self.multiply_add(1_000_000_000, 0);
        }
        self.multiply_add(10_u32.pow(power % 9), 0);
        self
    }

    fn multiply_add(&mut self, factor: u32, summand: u32) {
        let mut carry = u64::from(summand);
        for limb in &mut self.limbs {
            let wide = u64::from(*limb) * u64::from(factor) + carry;
            *limb = low(wide);
            carry = wide >> 32;
        }
        if carry > 0 {
            self.limbs.push(low(carry));
        }
    }

    /// The number of bits it has; 0 for 0.
    pub(crate) fn bits(&self) -> u32 {
        let whole = u32::try_from(self.limbs.len()).unwrap_or(u32::MAX / 32).saturating_sub(1);
        self.limbs.last().map_or(0, |top| whole * 32 + (32 - top.leading_zeros()))
    }

    /// `self × 2^count`.
    pub(crate) fn shifted(&self, count: u32) -> Self {
        let mut limbs = vec![0; (count / 32) as usize];
        let part = count % 32;
        let mut carry = 0;
        for &limb in &self.limbs {
            let wide = (u64::from(limb) << part) | carry;
            limbs.push(low(wide));
            carry = wide >> 32;
        }
        if carry > 0 {
            limbs.push(low(carry));
        }
        Self { limbs }
    }

    fn double(&mut self) {
        let mut carry = 0;
        for limb in &mut self.limbs {
            let top = *limb >> 31;
            *limb = *limb << 1 | carry;
            carry = top;
        }
        if carry > 0 {
            self.limbs.push(carry);
        }
    }

    /// Takes `other` away, where it is not larger; says whether it did.
    fn subtract(&mut self, other: &Self) -> bool {
        if self.compare(other) == Ordering::Less {
            return false;
        }
        let mut borrow = 0_i64;
        for (at, limb) in self.limbs.iter_mut().enumerate() {
            let taken = other.limbs.get(at).copied().map_or(0, i64::from);
            let wide = i64::from(*limb) - taken - borrow;
            borrow = i64::from(wide < 0);
            *limb = low(wide.cast_unsigned());
        }
        while self.limbs.last() == Some(&0) {
            self.limbs.pop();
        }
        true
    }

    fn compare(&self, other: &Self) -> Ordering {
        self.limbs
            .len()
            .cmp(&other.limbs.len())
            .then_with(|| self.limbs.iter().rev().cmp(other.limbs.iter().rev()))
    }

    /// `self / divisor` to 64 significant bits: the quotient is `significand × 2^exponent`, the top bit of the
    /// significand is set, and the last value says whether a remainder is left. Neither may be 0.
    pub(crate) fn divided(&self, divisor: &Self) -> (u64, i32, bool) {
        // The quotient of a number of a bits and one of b bits has a−b or a−b+1 bits: scale it to 64 or 65.
        let shift = 64 + i64::from(divisor.bits()) - i64::from(self.bits());
        let left = u32::try_from(shift).unwrap_or(0);
        let right = u32::try_from(-shift).unwrap_or(0);
        let mut rest = self.shifted(left);
        let step = divisor.shifted(right).shifted(64);
        let mut quotient = 0_u128;
        for _ in 0..65 {
            quotient = quotient << 1 | u128::from(rest.subtract(&step));
            rest.double();
        }
        let inexact = !rest.limbs.is_empty();
        let exponent = i32::try_from(-shift).unwrap_or(i32::MIN);
        if let Ok(significand) = u64::try_from(quotient) {
            return (significand, exponent, inexact);
        }
        let significand = u64::try_from(quotient >> 1).unwrap_or(u64::MAX);
        (significand, exponent + 1, inexact || quotient & 1 == 1)
    }
}

#[expect(clippy::cast_possible_truncation, reason = "the low half is what is asked for")]
fn low(wide: u64) -> u32 {
    wide as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    fn natural(text: &str) -> Natural {
        Natural::from_digits(&text.bytes().map(|b| b - b'0').collect::<Vec<_>>())
    }

    #[test]
    fn a_third_is_ones_and_zeros_for_ever() {
        let (significand, exponent, inexact) = natural("1").divided(&natural("3"));
        assert_eq!((significand, exponent, inexact), (0xaaaa_aaaa_aaaa_aaaa, -65, true));
    }

    #[test]
    fn whole_numbers_divide_exactly() {
        let (significand, exponent, inexact) =
            natural("5").times_power_of_ten(20).divided(&natural("1"));
        assert!(!inexact);
        assert_eq!(u128::from(significand) << exponent, 500_000_000_000_000_000_000);
        assert_eq!(natural("18446744073709551616").divided(&natural("1")), (1 << 63, 1, false));
    }
}
