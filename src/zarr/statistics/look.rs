//! The look of one element: its number, its class, its sign.

/// The number of a complex one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum ComplexPart {
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

impl ComplexPart {
    /// All of them, the one that says most first.
    pub const ALL: [Self; 4] = [Self::Modulus, Self::Real, Self::Imaginary, Self::Phase];

    /// Its name, in a word.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Modulus => "modulus",
            Self::Real => "real",
            Self::Imaginary => "imaginary",
            Self::Phase => "phase",
        }
    }
}

/// The class of an element.
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
    pub fn is_non_finite(self) -> bool {
        !matches!(self, Self::Finite | Self::Other)
    }
}

/// The properties of one element that are counted.
#[derive(Debug, Clone, Copy, PartialEq)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is counted on its own, and any may go together"
)]
pub struct Look {
    /// The class.
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

/// Sorts as the floats do that are no NaN: as the integers of their bits, those below 0 the other way round.
pub(super) fn rank_of(value: f64) -> i64 {
    let bits = value.to_bits().cast_signed();
    if bits < 0 { i64::MIN.wrapping_sub(bits) } else { bits }
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
        let negative_zero = value == 0.0 && value.is_sign_negative();
        Self { negative_zero, ..Self::finite(value, rank_of(value)) }
    }

    /// A complex number of two floats. A part of it is a float like any other; what needs both is not a number where
    /// either is none.
    pub(super) fn complex(real: &Self, imaginary: &Self, part: ComplexPart) -> Self {
        match part {
            ComplexPart::Real => return *real,
            ComplexPart::Imaginary => return *imaginary,
            ComplexPart::Modulus | ComplexPart::Phase => {}
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
            ComplexPart::Phase => imaginary.value.atan2(real.value),
            _ => real.value.hypot(imaginary.value),
        };
        let negative_zero = value == 0.0 && (real.negative_zero || imaginary.negative_zero);
        Self { negative_zero, subnormal, ..Self::float(value) }
    }

    /// True if it counts as a number: finite, and not missing.
    pub fn is_number(&self) -> bool {
        self.class == Class::Finite && !self.missing
    }

    /// True if it would be a number, if it were not NaN, infinite or "not a time"; the fill value and what is missing
    /// are as they should be.
    pub fn is_non_finite(&self) -> bool {
        self.class.is_non_finite() && !self.fill_value && !self.missing
    }
}
