//! The looks of the primitives that elements are made of, and of scalars.

use super::look::{Class, ComplexPart, Look, rank_of};
use crate::zarr::{
    data_type::{Endian, native::Primitive},
    scalar::{Float, Scalar, float::FloatClass},
};
use half::f16;
use std::convert::identity;

/// The number of [`Number::kinds`].
pub(super) const KINDS: usize = 7;

/// A primitive that elements are made of.
pub(super) trait Word: Copy + Default {
    /// The number of bytes it takes.
    const SIZE: usize = size_of::<Self>();

    /// Reads values until either `bytes` or `out` ends.
    fn read(bytes: &[u8], endian: Endian, out: &mut [Self]);

    /// The look of it.
    fn look(self, part: ComplexPart) -> Look;

    /// True if both are the same value: 0.0 is -0.0, and any NaN is any other.
    fn same(self, other: Self) -> bool;

    /// True if both have the same bits.
    fn identical(self, other: Self) -> bool;
}

/// A primitive that is one number, or none.
pub(super) trait NumberWord: Word {
    /// Its number, rounded to `f64`; anything where it is none.
    fn value(self) -> f64;

    /// True if it is the lower one of two numbers.
    fn is_below(self, other: Self) -> bool;

    /// Sorts as the numbers do, exactly; equal for equal ones, so for 0.0 and -0.0. Anything where it is none.
    fn rank(self) -> i64;

    /// Two mixes of the bits of its number: equal for equal numbers. Anything where it is none.
    fn mixes(self) -> [u32; 2];

    /// True if it is none of the kinds that are counted.
    fn is_usual(self) -> bool;

    /// True if it is NaN, +∞, -∞, "not a time", zero, -0.0, subnormal. Without a branch, so that counting them can be
    /// vectorised.
    fn kinds(self) -> [bool; KINDS];
}

/// Mixes the bits of a number so that each of them changes about half of the others (the finalizer of `MurmurHash3`,
/// which compilers make vector instructions of). Both are the same.
fn mixed(number: u32) -> [u32; 2] {
    let mix = (number ^ number >> 16).wrapping_mul(0x85eb_ca6b);
    let mix = (mix ^ mix >> 13).wrapping_mul(0xc2b2_ae35);
    [mix ^ mix >> 16; 2]
}

/// Mixes the bits of a longer number in two ways.
#[expect(clippy::cast_possible_truncation, reason = "both halves count")]
pub(super) fn mixed_wide(number: u64) -> [u32; 2] {
    let (low, high) = (number as u32, (number >> 32) as u32);
    let fold = |one: u32, other: u32| mixed(one ^ other.wrapping_mul(0x9e37_79b1))[0];
    [fold(high, low), fold(low, high)]
}

macro_rules! whole_number {
    ($type:ty, $value:expr, $rank:expr, $mix:expr) => {
        impl Word for $type {
            fn read(bytes: &[u8], endian: Endian, out: &mut [Self]) {
                Primitive::read(bytes, endian, out);
            }

            fn look(self, _: ComplexPart) -> Look {
                Look::finite(self.value(), self.rank())
            }

            fn same(self, other: Self) -> bool {
                self == other
            }

            fn identical(self, other: Self) -> bool {
                self == other
            }
        }

        impl NumberWord for $type {
            fn value(self) -> f64 {
                $value(self)
            }

            fn is_below(self, other: Self) -> bool {
                self < other
            }

            fn rank(self) -> i64 {
                $rank(self)
            }

            fn mixes(self) -> [u32; 2] {
                $mix(self)
            }

            fn is_usual(self) -> bool {
                self != 0
            }

            fn kinds(self) -> [bool; KINDS] {
                [false, false, false, false, self == 0, false, false]
            }
        }
    };
}

whole_number!(i8, f64::from, i64::from, |value| mixed(i32::from(value).cast_unsigned()));
whole_number!(i16, f64::from, i64::from, |value| mixed(i32::from(value).cast_unsigned()));
whole_number!(i32, f64::from, i64::from, |value: i32| mixed(value.cast_unsigned()));
whole_number!(i64, rounded_signed, identity, |value: i64| mixed_wide(value.cast_unsigned()));
whole_number!(u8, f64::from, i64::from, |value| mixed(u32::from(value)));
whole_number!(u16, f64::from, i64::from, |value| mixed(u32::from(value)));
whole_number!(u32, f64::from, i64::from, mixed);
whole_number!(u64, rounded_unsigned, |value: u64| (value ^ 1 << 63).cast_signed(), mixed_wide);

fn rounded_signed(value: i64) -> f64 {
    value as f64
}

fn rounded_unsigned(value: u64) -> f64 {
    value as f64
}

macro_rules! float {
    ($type:ty, $mix:expr) => {
        impl Word for $type {
            fn read(bytes: &[u8], endian: Endian, out: &mut [Self]) {
                Primitive::read(bytes, endian, out);
            }

            fn look(self, _: ComplexPart) -> Look {
                let [.., subnormal] = self.kinds();
                Look { subnormal, ..Look::float(self.value()) }
            }

            fn same(self, other: Self) -> bool {
                let equal = self.partial_cmp(&other) == Some(std::cmp::Ordering::Equal);
                equal | (self.is_nan() & other.is_nan())
            }

            fn identical(self, other: Self) -> bool {
                self.to_bits() == other.to_bits()
            }
        }

        impl NumberWord for $type {
            fn value(self) -> f64 {
                f64::from(self)
            }

            fn is_below(self, other: Self) -> bool {
                self < other
            }

            fn rank(self) -> i64 {
                rank_of(self.value())
            }

            fn mixes(self) -> [u32; 2] {
                // A sum with +0.0 is never -0.0.
                $mix((self + Self::from_bits(0)).to_bits())
            }

            fn is_usual(self) -> bool {
                let sign = Self::INFINITY.to_bits() ^ Self::NEG_INFINITY.to_bits();
                let size = Self::from_bits(self.to_bits() & !sign);
                (Self::MIN_POSITIVE..Self::INFINITY).contains(&size)
            }

            fn kinds(self) -> [bool; KINDS] {
                let (bits, normal) = (self.to_bits(), Self::MIN_POSITIVE.to_bits());
                let infinities = [Self::INFINITY, Self::NEG_INFINITY].map(Self::to_bits);
                let [infinity, negative_infinity] = infinities;
                let sign = infinity ^ negative_infinity;
                let size = bits & !sign;
                [
                    size > infinity,
                    bits == infinity,
                    bits == negative_infinity,
                    false,
                    size == 0,
                    bits == sign,
                    (size < normal) & (size != 0),
                ]
            }
        }
    };
}

float!(f16, |bits| mixed(u32::from(bits)));
float!(f32, mixed);
float!(f64, mixed_wide);

/// A bool: the byte that stores it. Anything but 0 is true.
#[derive(Clone, Copy, Default)]
pub(super) struct Truth(u8);

impl Truth {
    fn holds(self) -> bool {
        self.0 != 0
    }
}

impl Word for Truth {
    fn read(bytes: &[u8], _: Endian, out: &mut [Self]) {
        out.iter_mut().zip(bytes).for_each(|(place, &byte)| *place = Self(byte));
    }

    fn look(self, _: ComplexPart) -> Look {
        Look::finite(self.value(), self.rank())
    }

    fn same(self, other: Self) -> bool {
        self.holds() == other.holds()
    }

    fn identical(self, other: Self) -> bool {
        self.0 == other.0
    }
}

impl NumberWord for Truth {
    fn value(self) -> f64 {
        f64::from(self.holds())
    }

    fn is_below(self, other: Self) -> bool {
        !self.holds() & other.holds()
    }

    fn rank(self) -> i64 {
        i64::from(self.holds())
    }

    fn mixes(self) -> [u32; 2] {
        mixed(u32::from(self.holds()))
    }

    fn is_usual(self) -> bool {
        self.holds()
    }

    fn kinds(self) -> [bool; KINDS] {
        [false, false, false, false, !self.holds(), false, false]
    }
}

/// A point in time or a span of it, as its count.
#[derive(Clone, Copy, Default)]
pub(super) struct TimeCount(i64);

impl TimeCount {
    fn is_none(self) -> bool {
        self.0 == i64::MIN
    }
}

impl Word for TimeCount {
    fn read(bytes: &[u8], endian: Endian, out: &mut [Self]) {
        for (place, bytes) in out.iter_mut().zip(bytes.chunks_exact(Self::SIZE)) {
            <i64 as Word>::read(bytes, endian, std::slice::from_mut(&mut place.0));
        }
    }

    fn look(self, part: ComplexPart) -> Look {
        if self.is_none() { Look::of(Class::NotATime) } else { self.0.look(part) }
    }

    fn same(self, other: Self) -> bool {
        self.0 == other.0
    }

    fn identical(self, other: Self) -> bool {
        self.0 == other.0
    }
}

impl NumberWord for TimeCount {
    fn value(self) -> f64 {
        self.0.value()
    }

    fn is_below(self, other: Self) -> bool {
        self.0 < other.0
    }

    fn rank(self) -> i64 {
        self.0
    }

    fn mixes(self) -> [u32; 2] {
        self.0.mixes()
    }

    fn is_usual(self) -> bool {
        !self.is_none() && self.0 != 0
    }

    fn kinds(self) -> [bool; KINDS] {
        [false, false, false, self.is_none(), self.0 == 0, false, false]
    }
}

/// A complex number: two floats, each in its own byte order.
#[derive(Clone, Copy, Default)]
pub(super) struct ComplexPair<T>(T, T);

impl<T: Word> Word for ComplexPair<T> {
    fn read(bytes: &[u8], endian: Endian, out: &mut [Self]) {
        for (place, bytes) in out.iter_mut().zip(bytes.chunks_exact(Self::SIZE)) {
            let mut parts = [T::default(); 2];
            T::read(bytes, endian, &mut parts);
            let [real, imaginary] = parts;
            *place = Self(real, imaginary);
        }
    }

    fn look(self, part: ComplexPart) -> Look {
        let (real, imaginary) = (self.0.look(part), self.1.look(part));
        Look::complex(&real, &imaginary, part)
    }

    fn same(self, other: Self) -> bool {
        self.0.same(other.0) && self.1.same(other.1)
    }

    fn identical(self, other: Self) -> bool {
        self.0.identical(other.0) && self.1.identical(other.1)
    }
}

/// The look of a scalar.
pub fn look_at(scalar: &Scalar, part: ComplexPart) -> Look {
    let float = |value: &Float| Look {
        subnormal: value.class() == FloatClass::Subnormal,
        ..Look::float(value.to_f64())
    };
    match scalar {
        Scalar::Int(value) => value.look(part),
        Scalar::Uint(value) => value.look(part),
        Scalar::Float(value) => float(value),
        Scalar::Complex(real, imaginary) => Look::complex(&float(real), &float(imaginary), part),
        Scalar::Time(time) if time.is_nat() => Look::of(Class::NotATime),
        Scalar::Time(time) => time.count.look(part),
        _ => Look::of(Class::Other),
    }
}
