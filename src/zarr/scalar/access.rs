//! The properties of a scalar for other code: its number for a plot, whether it is NaN, whether it is the fill value.

use super::{Float, Scalar, Time};

impl Scalar {
    /// The number, where it is one, rounded to `f64`: for plots, histograms and sorting, never for showing. The real
    /// part of a complex number; the count of a time; 0 or 1 of a bool; `None` for anything else and for NaT.
    pub fn to_f64(&self) -> Option<f64> {
        match self {
            Self::Bool(byte) => Some(f64::from(u8::from(*byte != 0))),
            Self::Int(value) => Some(*value as f64),
            Self::Uint(value) => Some(*value as f64),
            Self::Float(value) | Self::Complex(value, _) => Some(value.to_f64()),
            Self::Time(time) if !time.is_nat() => Some(time.units() as f64),
            _ => None,
        }
    }

    /// True if it is NaN; for a complex number, whether either part is.
    pub fn is_nan(&self) -> bool {
        match self {
            Self::Float(value) => value.is_nan(),
            Self::Complex(real, imaginary) => real.is_nan() || imaginary.is_nan(),
            _ => false,
        }
    }

    /// True if it is "not a time".
    pub fn is_nat(&self) -> bool {
        matches!(self, Self::Time(time) if time.is_nat())
    }

    /// True if it is a positive or negative infinity, in either part of a complex number.
    pub fn is_infinite(&self) -> bool {
        let infinite = |value: &Float| value.class() == super::float::FloatClass::Infinity;
        match self {
            Self::Float(value) => infinite(value),
            Self::Complex(real, imaginary) => infinite(real) || infinite(imaginary),
            _ => false,
        }
    }

    /// True if both are the same, bit for bit: 0.0 is not -0.0, and two NaN are the same only with the same payload.
    pub fn bits_equal(&self, other: &Self) -> bool {
        self == other
    }

    /// True if both are the same value: 0.0 and -0.0 are, and so are any two NaN. This is how elements are compared
    /// with the fill value, because writers that skip chunks of fill values compare so.
    pub fn value_equal(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Bool(a), Self::Bool(b)) => (*a != 0) == (*b != 0),
            (Self::Float(a), Self::Float(b)) => same_float(*a, *b),
            (Self::Complex(a, b), Self::Complex(c, d)) => same_float(*a, *c) && same_float(*b, *d),
            (Self::Struct(a), Self::Struct(b)) => {
                a.len() == b.len()
                    && a.iter().zip(b.iter()).all(|((m, a), (n, b))| m == n && a.value_equal(b))
            }
            (Self::List(a), Self::List(b)) => {
                a.len() == b.len() && a.iter().zip(b.iter()).all(|(a, b)| a.value_equal(b))
            }
            _ => self == other,
        }
    }

    /// The count of a time, the value of a bool or an integer, as one number; `None` for anything else.
    pub fn to_integer(&self) -> Option<i128> {
        match self {
            Self::Bool(byte) => Some(i128::from(*byte != 0)),
            Self::Int(value) => Some(i128::from(*value)),
            Self::Uint(value) => Some(i128::from(*value)),
            Self::Time(Time { count, .. }) => Some(i128::from(*count)),
            _ => None,
        }
    }

    /// The field `name` of a struct; the first one where several have no name.
    pub fn field(&self, name: &str) -> Option<&Self> {
        match self {
            Self::Struct(fields) => {
                fields.iter().find(|(field, _)| field == name).map(|(_, value)| value)
            }
            _ => None,
        }
    }
}

fn same_float(a: Float, b: Float) -> bool {
    a == b
        || (a.is_nan() && b.is_nan())
        || a.to_f64().partial_cmp(&b.to_f64()) == Some(std::cmp::Ordering::Equal)
}

#[cfg(test)]
mod tests {
    use super::{super::float::FLOAT32, *};

    fn float(value: f64) -> Scalar {
        Scalar::Float(Float::from_f64(value, &FLOAT32).unwrap())
    }

    #[test]
    fn bits_and_values_differ_for_zero_and_nan() {
        let other_nan = Scalar::Float(Float::new(0x7fc0_0001, &FLOAT32));
        assert!(float(0.0).value_equal(&float(-0.0)) && !float(0.0).bits_equal(&float(-0.0)));
        assert!(float(f64::NAN).value_equal(&other_nan) && !float(f64::NAN).bits_equal(&other_nan));
        assert!(
            !float(1.0).value_equal(&float(2.0)) && !Scalar::Int(1).value_equal(&Scalar::Uint(1))
        );
        assert_eq!(Scalar::Int(-3).to_f64(), Some(-3.0));
    }
}
