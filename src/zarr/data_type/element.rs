//! Bytes of one element: what every data type needs to take them apart and to put them together.

use super::Endian;
use crate::zarr::{
    error::{Code, Error, Result},
    scalar::Scalar,
};

/// Checks that an element has exactly `size` bytes.
///
/// # Errors
///
/// Where it has not.
pub fn expect_size(bytes: &[u8], size: usize) -> Result<()> {
    if bytes.len() == size {
        return Ok(());
    }
    Err(Error::new(Code::ElementSize, format!("{} bytes", bytes.len()), format!("{size} bytes")))
}

/// The error for a scalar of another data type than `name`.
#[must_use]
pub fn foreign(name: &str, scalar: &Scalar) -> Error {
    let found: String = scalar.to_string().chars().take(60).collect();
    Error::new(Code::ForeignScalar, format!("the scalar {found}"), format!("a scalar of {name}"))
}

/// Up to 8 bytes as a number.
#[must_use]
pub fn number(bytes: &[u8], endian: Endian) -> u64 {
    let add = |value: u64, byte: &u8| value << 8 | u64::from(*byte);
    match endian {
        Endian::Little => bytes.iter().rev().fold(0, add),
        Endian::Big => bytes.iter().fold(0, add),
    }
}

/// The low `size` bytes of a number, at most 8.
#[must_use]
pub fn bytes(value: u64, size: usize, endian: Endian) -> Vec<u8> {
    let mut out: Vec<u8> = value.to_le_bytes().into_iter().take(size).collect();
    if endian == Endian::Big {
        out.reverse();
    }
    out
}

/// Bits in groups, the most significant first: `0│11111001│111…`.
#[must_use]
pub fn bits(value: u64, groups: &[u32]) -> String {
    let mut left: u32 = groups.iter().sum();
    let mut out = Vec::new();
    for &width in groups.iter().filter(|&&width| width > 0) {
        left -= width;
        let group = value >> left & (u64::MAX >> (64 - width));
        out.push(format!("{group:0width$b}", width = width as usize));
    }
    out.join("│")
}
