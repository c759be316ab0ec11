//! What is to be seen in one element: of each primitive type, and of a scalar.

use crate::zarr::{
    data_type::Endian,
    scalar::{Float, Scalar, float::FloatClass},
};
use half::f16;
use std::convert::identity;

/// Which number of a complex one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Part {
    /// The distance from 0.
    #[default]
    Modulus,
    /// The real part.
    Real,
    /// The imaginary part.
    Imaginary,
    /// The angle, in radians from -π to π; that of 0 is 0.
    Phase,
}

impl Part {
    /// All of them, the one that says most first.
    pub const ALL: [Self; 4] = [Self::Modulus, Self::Real, Self::Imaginary, Self::Phase];

    /// Its name, in a word.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Modulus => "modulus",
            Self::Real => "real",
            Self::Imaginary => "imaginary",
            Self::Phase => "phase",
        }
    }
}

/// What sort of thing an element is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Class {
    /// A finite number.
    Finite,
    /// Not a number.
    Nan,
    /// +∞.
    PositiveInfinity,
    /// -∞.
    NegativeInfinity,
    /// "Not a time".
    NotATime,
    /// Something that is no number: text, bytes, a struct.
    Other,
}

impl Class {
    /// True if it would be a number, if it were not NaN, infinite or "not a time".
    #[must_use]
    pub fn is_non_finite(self) -> bool {
        !matches!(self, Self::Finite | Self::Other)
    }
}

/// What is to be seen in one element.
#[derive(Debug, Clone, Copy, PartialEq)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is counted on its own, and any may go together"
)]
pub struct Look {
    /// What sort of thing it is.
    pub class: Class,
    /// Its number, rounded to `f64`; 0 where it is none.
    pub value: f64,
    /// True if it is -0.0.
    pub negative_zero: bool,
    /// True if it is subnormal, in either part of a complex number.
    pub subnormal: bool,
    /// True if it has the bytes of the fill value.
    pub fill_bits: bool,
    /// True if it has the value of the fill value.
    pub fill_value: bool,
    /// True if an attribute marks it as missing.
    pub missing: bool,
    /// Sorts as the numbers do.
    pub(super) rank: i64,
}

impl Look {
    /// Something without a number.
    pub(super) fn of(class: Class) -> Self {
        let (value, rank) = (0.0, 0);
        let (negative_zero, subnormal, missing) = (false, false, false);
        let (fill_bits, fill_value) = (false, false);
        Self { class, value, negative_zero, subnormal, fill_bits, fill_value, missing, rank }
    }

    /// A finite number and its rank.
    pub(super) fn finite(value: f64, rank: i64) -> Self {
        Self { value, rank, ..Self::of(Class::Finite) }
    }

    /// Any float.
    pub(super) fn float(value: f64) -> Self {
        if value.is_nan() {
            return Self::of(Class::Nan);
        }
        if value.is_infinite() {
            let negative = value < 0.0;
            let class = if negative { Class::NegativeInfinity } else { Class::PositiveInfinity };
            return Self::of(class);
        }
        // Floats sort as the integers of their bits, those below 0 the other way round.
        let bits = value.to_bits().cast_signed();
        let rank = if bits < 0 { i64::MIN - bits } else { bits };
        let negative_zero = value == 0.0 && value.is_sign_negative();
        Self { negative_zero, ..Self::finite(value, rank) }
    }

    /// A complex number of two floats. A part of it is a float like any other; what needs both is not a number where
    /// either is none.
    pub(super) fn complex(real: &Self, imaginary: &Self, part: Part) -> Self {
        match part {
            Part::Real => return *real,
            Part::Imaginary => return *imaginary,
            Part::Modulus | Part::Phase => {}
        }
        let either = |class| real.class == class || imaginary.class == class;
        let infinite = either(Class::PositiveInfinity) || either(Class::NegativeInfinity);
        let subnormal = real.subnormal || imaginary.subnormal;
        if either(Class::Nan) {
            return Self { subnormal, ..Self::of(Class::Nan) };
        }
        if infinite {
            return Self { subnormal, ..Self::of(Class::PositiveInfinity) };
        }
        let value = match part {
            Part::Phase => imaginary.value.atan2(real.value),
            _ => real.value.hypot(imaginary.value),
        };
        let negative_zero = value == 0.0 && (real.negative_zero || imaginary.negative_zero);
        Self { negative_zero, subnormal, ..Self::float(value) }
    }

    /// True if it counts as a number: finite, and not missing.
    #[must_use]
    pub fn is_number(&self) -> bool {
        self.class == Class::Finite && !self.missing
    }

    /// True if it would be a number, if it were not NaN, infinite or "not a time"; the fill value and what is missing
    /// are as they should be.
    #[must_use]
    pub fn is_non_finite(&self) -> bool {
        self.class.is_non_finite() && !self.fill_value && !self.missing
    }
}

/// A primitive that elements are made of.
pub(super) trait Word: Copy {
    /// The number of bytes it takes.
    const SIZE: usize;

    /// Its value from exactly [`Self::SIZE`] bytes.
    fn read(bytes: &[u8], endian: Endian) -> Option<Self>;

    /// What is to be seen in it.
    fn look(self, part: Part) -> Look;

    /// True if both are the same value: 0.0 is -0.0, and any NaN is any other.
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

/// What is to be seen in a scalar.
#[must_use]
pub fn look_at(scalar: &Scalar, part: Part) -> Look {
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
