//! One typed value, with its exact bits.
//!
//! A scalar is what an element or a fill value is: NaN payloads, -0.0 and NaT are kept, and nothing goes through
//! `f64` that is not one. Its [`Display`](std::fmt::Display) is the one place that prints values.
//!
//! | file | what is in it |
//! | --- | --- |
//! | [`float`] | every float format in one implementation; what they differ in |
//! | [`decimal`] | decimal text to the nearest float, exactly |
//! | [`date`] | counts of a unit as dates |
//! | [`print`](mod@print) | a value as text, in any base |
//! | [`access`] | a value's parts as numbers |

use std::sync::Arc;

pub mod access;
pub mod date;
pub mod decimal;
pub mod float;
pub mod print;

pub use decimal::Decimal;

/// A value of some data type.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Scalar {
    /// A boolean, as the byte that stores it: 0 and 1 are the values, anything else is undefined (NumPy shows true).
    Bool(u8),
    /// A signed integer of any width.
    Int(i64),
    /// An unsigned integer of any width.
    Uint(u64),
    /// A float of any format.
    Float(Float),
    /// A complex number: real and imaginary part.
    Complex(Float, Float),
    /// A point in time or a span of it.
    Time(Time),
    /// Bytes: raw or of variable length.
    Bytes(Arc<[u8]>),
    /// Null-terminated bytes (`|S`), the padding cut: bytes that are text more often than not, and print as such.
    NullTerminated(Arc<[u8]>),
    /// Text of variable length (UTF-8). Invalid UTF-8 is kept as bytes.
    Text(Arc<[u8]>),
    /// Fixed-length text: its code units, padding cut. A code unit that is no Unicode scalar value is kept.
    Utf32(Arc<[u32]>),
    /// A struct: each field's name and value, in order; a subarray is a [`Scalar::List`].
    Struct(Arc<[(String, Self)]>),
    /// The items of a subarray in C order.
    List(Arc<[Self]>),
    /// A value of a data type from outside the crate: its bytes as stored little-endian, and how it prints.
    Custom {
        /// The element's bytes, little-endian.
        bytes: Arc<[u8]>,
        /// Its printed form.
        text: Arc<str>,
    },
}

/// A float: its bits and what they mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Float {
    /// The bit pattern, in the low bits.
    pub bits: u64,
    /// The format of the bits.
    pub format: &'static FloatFormat,
}

/// The bit layout of a float format.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct FloatFormat {
    /// The V3 name: `float16`, `bfloat16`, `float8_e4m3fnuz`.
    pub name: &'static str,
    /// Bytes an element takes.
    pub size: usize,
    /// Bits that carry meaning, sign included.
    pub bits: u32,
    /// Bits of the exponent.
    pub exponent_bits: u32,
    /// Bits of the mantissa.
    pub mantissa_bits: u32,
    /// The number that is subtracted from the stored exponent.
    pub bias: i32,
    /// True if there is a sign bit (`float8_e8m0fnu` has none).
    pub signed: bool,
    /// The bit patterns that are not finite numbers.
    pub specials: Specials,
}

/// The bit patterns of a float format that are infinities and NaN.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Specials {
    /// As IEEE 754: the highest exponent means infinity and NaN.
    Ieee,
    /// None at all (`fn` without NaN: float6, float4).
    None,
    /// No infinity; the highest magnitude is NaN, once with each sign (`fn` with NaN: `float8_e4m3fn`).
    HighestIsNan,
    /// No infinity, no -0; the pattern of -0 is the one NaN (`fnuz`).
    NegativeZeroIsNan,
    /// Powers of two only; the highest pattern is the one NaN (`float8_e8m0fnu`).
    PowersOfTwo,
}

/// The unit of a datetime or timedelta.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "each is the unit of its name")]
pub enum TimeUnit {
    Year,
    Month,
    Week,
    Day,
    Hour,
    Minute,
    Second,
    Millisecond,
    Microsecond,
    Nanosecond,
    Picosecond,
    Femtosecond,
    Attosecond,
    Generic,
}

/// A datetime or timedelta: a count of units.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Time {
    /// The count; `i64::MIN` is NaT.
    pub count: i64,
    /// The unit.
    pub unit: TimeUnit,
    /// The number of units one count is, 1 to 2³¹−1.
    pub scale: u32,
    /// True if it counts from 1970-01-01T00:00:00 (datetime) or from nothing (timedelta).
    pub since_epoch: bool,
}
