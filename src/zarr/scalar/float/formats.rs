//! Every float format as one row of a table.
//!
//! They are IEEE 754's three, bfloat16, and the narrow ones of machine learning as the Zarr registry names them. One
//! that is not registered is here because TensorStore writes it.

use crate::zarr::{
    scalar::{FloatFormat, Specials},
    words::byte_count,
};
use Specials::{HighestIsNan, Ieee, NegativeZeroIsNan, None as Finite, PowersOfTwo};

/// One row: name, bytes, bits, exponent bits, mantissa bits, bias, specials. Only `float8_e8m0fnu` is unsigned.
const fn row(
    name: &'static str,
    size: usize,
    bits: u32,
    exponent_bits: u32,
    mantissa_bits: u32,
    offset: i32,
    specials: Specials,
) -> FloatFormat {
    let signed = exponent_bits + mantissa_bits < bits;
    FloatFormat { name, size, bits, exponent_bits, mantissa_bits, bias: offset, signed, specials }
}

/// IEEE 754 binary16.
pub static FLOAT16: FloatFormat = row("float16", 2, 16, 5, 10, 15, Ieee);
/// IEEE 754 binary32.
pub static FLOAT32: FloatFormat = row("float32", 4, 32, 8, 23, 127, Ieee);
/// IEEE 754 binary64.
pub static FLOAT64: FloatFormat = row("float64", 8, 64, 11, 52, 1023, Ieee);
/// The upper half of a binary32.
pub static BFLOAT16: FloatFormat = row("bfloat16", 2, 16, 8, 7, 127, Ieee);
/// Three bits of exponent, four of mantissa, infinities and NaN as IEEE 754.
pub static FLOAT8_E3M4: FloatFormat = row("float8_e3m4", 1, 8, 3, 4, 3, Ieee);
/// As IEEE 754, unlike the `e4m3fn` of machine learning.
pub static FLOAT8_E4M3: FloatFormat = row("float8_e4m3", 1, 8, 4, 3, 7, Ieee);
/// The `e4m3fn` of machine learning: no infinity, 0x7f and 0xff are NaN. Not registered; TensorStore writes it.
pub static FLOAT8_E4M3FN: FloatFormat = row("float8_e4m3fn", 1, 8, 4, 3, 7, HighestIsNan);
/// No infinity, no -0; 0x80 is NaN; bias 11.
pub static FLOAT8_E4M3B11FNUZ: FloatFormat =
    row("float8_e4m3b11fnuz", 1, 8, 4, 3, 11, NegativeZeroIsNan);
/// No infinity, no -0; 0x80 is NaN; bias 8.
pub static FLOAT8_E4M3FNUZ: FloatFormat = row("float8_e4m3fnuz", 1, 8, 4, 3, 8, NegativeZeroIsNan);
/// The upper half of a binary16.
pub static FLOAT8_E5M2: FloatFormat = row("float8_e5m2", 1, 8, 5, 2, 15, Ieee);
/// No infinity, no -0; 0x80 is NaN; bias 16.
pub static FLOAT8_E5M2FNUZ: FloatFormat = row("float8_e5m2fnuz", 1, 8, 5, 2, 16, NegativeZeroIsNan);
/// Powers of two from 2^-127 to 2^127, and NaN: a scale, not a number. There is no zero and no sign.
pub static FLOAT8_E8M0FNU: FloatFormat = row("float8_e8m0fnu", 1, 8, 8, 0, 127, PowersOfTwo);
/// The low six bits of a byte; neither infinity nor NaN.
pub static FLOAT6_E2M3FN: FloatFormat = row("float6_e2m3fn", 1, 6, 2, 3, 1, Finite);
/// The low six bits of a byte; neither infinity nor NaN.
pub static FLOAT6_E3M2FN: FloatFormat = row("float6_e3m2fn", 1, 6, 3, 2, 3, Finite);
/// The low four bits of a byte; neither infinity nor NaN.
pub static FLOAT4_E2M1FN: FloatFormat = row("float4_e2m1fn", 1, 4, 2, 1, 1, Finite);

/// All formats, in the order of the gallery.
pub static FORMATS: [&FloatFormat; 15] = [
    &FLOAT16,
    &FLOAT32,
    &FLOAT64,
    &BFLOAT16,
    &FLOAT8_E3M4,
    &FLOAT8_E4M3,
    &FLOAT8_E4M3FN,
    &FLOAT8_E4M3B11FNUZ,
    &FLOAT8_E4M3FNUZ,
    &FLOAT8_E5M2,
    &FLOAT8_E5M2FNUZ,
    &FLOAT8_E8M0FNU,
    &FLOAT6_E2M3FN,
    &FLOAT6_E3M2FN,
    &FLOAT4_E2M1FN,
];

impl FloatFormat {
    /// The description of the format, in words: `4 bytes, IEEE 754 binary32`.
    pub fn description(&self) -> String {
        let bytes = byte_count(self.size);
        let what = match (self.name, self.specials) {
            ("float16", _) => "IEEE 754 binary16".into(),
            ("float32", _) => "IEEE 754 binary32".into(),
            ("float64", _) => "IEEE 754 binary64".into(),
            ("bfloat16", _) => "bfloat16 (the upper half of a binary32)".into(),
            (_, PowersOfTwo) => "a power of two from 2^-127 to 2^127, or NaN".into(),
            (_, specials) => {
                let low = if self.bits < 8 {
                    format!("the low {} bits: ", self.bits)
                } else {
                    String::new()
                };
                let rest = match specials {
                    Ieee => "infinities and NaN as IEEE 754",
                    NegativeZeroIsNan => "no infinity, no -0, one NaN",
                    HighestIsNan => "no infinity, two NaN",
                    Finite | PowersOfTwo => "no infinity, no NaN",
                };
                format!(
                    "{low}float, {} exponent and {} mantissa bits, {rest}",
                    self.exponent_bits, self.mantissa_bits
                )
            }
        };
        format!("{bytes}, {what}")
    }
}
