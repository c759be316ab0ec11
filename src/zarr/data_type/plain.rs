//! Values that have no Zarr data type yet, to be cast to one.

use crate::zarr::error::{Code, Error};

/// A value that has no Zarr data type yet, as a user or a program has it.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Plain {
    /// True or false.
    Bool(bool),
    /// A whole number.
    Int(i128),
    /// A float; for complex types the real part.
    Float(f64),
    /// Real and imaginary part.
    Complex(f64, f64),
    /// Text.
    Text(String),
    /// Bytes.
    Bytes(Vec<u8>),
    /// A struct's fields in order.
    List(Vec<Self>),
}

impl Plain {
    /// A whole number: an integer, a bool, or a float without fraction.
    #[must_use]
    pub fn whole(&self) -> Option<i128> {
        match self {
            Self::Bool(value) => Some((*value).into()),
            Self::Int(value) => Some(*value),
            #[expect(clippy::cast_possible_truncation, reason = "whole and far inside the range")]
            Self::Float(value) if value.fract() == 0.0 && value.abs() < 1e30 => {
                Some(*value as i128)
            }
            _ => None,
        }
    }

    /// The refusal to cast this value to what was `expected`.
    #[must_use]
    pub fn refused(&self, expected: &str) -> Error {
        let found = match self {
            Self::Bool(value) => value.to_string(),
            Self::Int(value) => format!("the integer {value}"),
            Self::Float(value) => format!("the float {value}"),
            Self::Complex(real, imaginary) => format!("the complex number {real}{imaginary:+}i"),
            Self::Text(text) => format!("the text {}", crate::zarr::json::quoted(text)),
            Self::Bytes(bytes) => format!("{} bytes", bytes.len()),
            Self::List(items) => format!("a list of {}", items.len()),
        };
        Error::new(Code::Cast, found, expected)
    }
}
