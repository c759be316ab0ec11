//! The primitive types, and what is to be seen in each value.

use super::{Class, Look, Part};
use crate::zarr::data_type::Endian;
use half::f16;
use std::convert::identity;

/// A primitive that elements are made of.
pub(super) trait Word: Copy {
    /// How many bytes it takes.
    const SIZE: usize;

    /// Its value from exactly [`Self::SIZE`] bytes.
    fn read(bytes: &[u8], endian: Endian) -> Option<Self>;

    /// What is to be seen in it.
    fn look(self, part: Part) -> Look;

    /// Whether both are the same value: 0.0 is -0.0, and any NaN is any other.
    fn same(self, other: Self) -> bool;
}

/// Reads a primitive with the constructors that all of them have.
macro_rules! read {
    () => {
        const SIZE: usize = size_of::<Self>();

        fn read(bytes: &[u8], endian: Endian) -> Option<Self> {
            let bytes = bytes.try_into().ok()?;
            Some(match endian {
                Endian::Little => Self::from_le_bytes(bytes),
                Endian::Big => Self::from_be_bytes(bytes),
            })
        }
    };
}

macro_rules! whole_number {
    ($type:ty, $value:expr, $rank:expr) => {
        impl Word for $type {
            read!();

            fn look(self, _: Part) -> Look {
                Look::finite($value(self), $rank(self))
            }

            fn same(self, other: Self) -> bool {
                self == other
            }
        }
    };
}

whole_number!(i8, f64::from, i64::from);
whole_number!(i16, f64::from, i64::from);
whole_number!(i32, f64::from, i64::from);
whole_number!(i64, rounded_signed, identity);
whole_number!(u8, f64::from, i64::from);
whole_number!(u16, f64::from, i64::from);
whole_number!(u32, f64::from, i64::from);
whole_number!(u64, rounded_unsigned, |value: u64| (value ^ 1 << 63).cast_signed());

#[expect(clippy::cast_precision_loss, reason = "for means and pictures; the rank is exact")]
pub(super) fn rounded_signed(value: i64) -> f64 {
    value as f64
}

#[expect(clippy::cast_precision_loss, reason = "for means and pictures; the rank is exact")]
fn rounded_unsigned(value: u64) -> f64 {
    value as f64
}

macro_rules! float {
    ($type:ty, $subnormal:expr) => {
        impl Word for $type {
            read!();

            fn look(self, _: Part) -> Look {
                Look { subnormal: $subnormal(self), ..Look::float(f64::from(self)) }
            }

            fn same(self, other: Self) -> bool {
                let equal = self.partial_cmp(&other) == Some(std::cmp::Ordering::Equal);
                equal || self.is_nan() && other.is_nan()
            }
        }
    };
}

float!(f16, |value: f16| value.classify() == std::num::FpCategory::Subnormal);
float!(f32, f32::is_subnormal);
float!(f64, f64::is_subnormal);

/// A bool: the byte that stores it. Anything but 0 is true.
#[derive(Clone, Copy)]
pub(super) struct Truth(bool);

impl Word for Truth {
    const SIZE: usize = 1;

    fn read(bytes: &[u8], _: Endian) -> Option<Self> {
        bytes.first().map(|&byte| Self(byte != 0))
    }

    fn look(self, _: Part) -> Look {
        Look::finite(f64::from(self.0), i64::from(self.0))
    }

    fn same(self, other: Self) -> bool {
        self.0 == other.0
    }
}

/// A point in time or a span of it, as its count.
#[derive(Clone, Copy)]
pub(super) struct TimeCount(i64);

impl Word for TimeCount {
    const SIZE: usize = 8;

    fn read(bytes: &[u8], endian: Endian) -> Option<Self> {
        i64::read(bytes, endian).map(Self)
    }

    fn look(self, part: Part) -> Look {
        if self.0 == i64::MIN { Look::of(Class::NotATime) } else { self.0.look(part) }
    }

    fn same(self, other: Self) -> bool {
        self.0 == other.0
    }
}

/// A complex number: two floats, each in its own byte order.
#[derive(Clone, Copy)]
pub(super) struct Pair<T>(T, T);

impl<T: Word> Word for Pair<T> {
    const SIZE: usize = T::SIZE * 2;

    fn read(bytes: &[u8], endian: Endian) -> Option<Self> {
        let (real, imaginary) = bytes.split_at_checked(T::SIZE)?;
        Some(Self(T::read(real, endian)?, T::read(imaginary, endian)?))
    }

    fn look(self, part: Part) -> Look {
        let (real, imaginary) = (self.0.look(part), self.1.look(part));
        Look::complex(&real, &imaginary, part)
    }

    fn same(self, other: Self) -> bool {
        self.0.same(other.0) && self.1.same(other.1)
    }
}
