//! Every data type of numbers.

use super::{FixedNumber, Native, NumberClass};
use crate::zarr::scalar::float::{
    BFLOAT16, FLOAT4_E2M1FN, FLOAT6_E2M3FN, FLOAT6_E3M2FN, FLOAT8_E3M4, FLOAT8_E4M3,
    FLOAT8_E4M3B11FNUZ, FLOAT8_E4M3FN, FLOAT8_E4M3FNUZ, FLOAT8_E5M2, FLOAT8_E5M2FNUZ,
    FLOAT8_E8M0FNU, FLOAT16, FLOAT32, FLOAT64,
};
use NumberClass::{Bool, Complex, Float, Signed, Unsigned};

const fn core(
    name: &'static str,
    kind: &'static str,
    class: NumberClass,
    v2: &'static str,
    native: Native,
) -> FixedNumber {
    let (v2, native) = (Some(v2), Some(native));
    FixedNumber { name, kind, v2, native, core: true, lenient: true, class }
}

const fn extended(name: &'static str, kind: &'static str, class: NumberClass) -> FixedNumber {
    FixedNumber { name, kind, v2: None, native: None, core: false, lenient: false, class }
}

const fn alias(name: &'static str, kind: &'static str, of: FixedNumber) -> FixedNumber {
    FixedNumber { name, kind, core: false, lenient: false, ..of }
}

impl FixedNumber {
    /// `bool`, as everybody reads it.
    pub const BOOL: Self = core("bool", "Bool", Bool, "b1", Native::Bool);
    /// `int16`.
    pub const INT16: Self = core("int16", "Int16", Signed(16), "i2", Native::I16);
    /// `uint8`.
    pub const UINT8: Self = core("uint8", "UInt8", Unsigned(8), "u1", Native::U8);
    /// `uint64`.
    pub const UINT64: Self = core("uint64", "UInt64", Unsigned(64), "u8", Native::U64);
    /// `float32`.
    pub const FLOAT32: Self = core("float32", "Float32", Float(&FLOAT32), "f4", Native::F32);
    /// `float64`.
    pub const FLOAT64: Self = core("float64", "Float64", Float(&FLOAT64), "f8", Native::F64);
    const COMPLEX64: Self = core("complex64", "Complex64", Complex(&FLOAT32), "c8", Native::C64);
    const COMPLEX128: Self =
        core("complex128", "Complex128", Complex(&FLOAT64), "c16", Native::C128);
}

/// Every data type of numbers, in the order of the gallery.
pub static NUMBERS: [FixedNumber; 44] = [
    FixedNumber::BOOL,
    extended("int2", "Int2", Signed(2)),
    extended("int4", "Int4", Signed(4)),
    core("int8", "Int8", Signed(8), "i1", Native::I8),
    FixedNumber::INT16,
    core("int32", "Int32", Signed(32), "i4", Native::I32),
    core("int64", "Int64", Signed(64), "i8", Native::I64),
    extended("uint2", "UInt2", Unsigned(2)),
    extended("uint4", "UInt4", Unsigned(4)),
    FixedNumber::UINT8,
    core("uint16", "UInt16", Unsigned(16), "u2", Native::U16),
    core("uint32", "UInt32", Unsigned(32), "u4", Native::U32),
    FixedNumber::UINT64,
    core("float16", "Float16", Float(&FLOAT16), "f2", Native::F16),
    FixedNumber::FLOAT32,
    FixedNumber::FLOAT64,
    extended("bfloat16", "BFloat16", Float(&BFLOAT16)),
    extended("float8_e3m4", "Float8E3M4", Float(&FLOAT8_E3M4)),
    extended("float8_e4m3", "Float8E4M3", Float(&FLOAT8_E4M3)),
    extended("float8_e4m3fn", "Float8E4M3FN", Float(&FLOAT8_E4M3FN)),
    extended("float8_e4m3b11fnuz", "Float8E4M3B11FNUZ", Float(&FLOAT8_E4M3B11FNUZ)),
    extended("float8_e4m3fnuz", "Float8E4M3FNUZ", Float(&FLOAT8_E4M3FNUZ)),
    extended("float8_e5m2", "Float8E5M2", Float(&FLOAT8_E5M2)),
    extended("float8_e5m2fnuz", "Float8E5M2FNUZ", Float(&FLOAT8_E5M2FNUZ)),
    extended("float8_e8m0fnu", "Float8E8M0FNU", Float(&FLOAT8_E8M0FNU)),
    extended("float6_e2m3fn", "Float6E2M3FN", Float(&FLOAT6_E2M3FN)),
    extended("float6_e3m2fn", "Float6E3M2FN", Float(&FLOAT6_E3M2FN)),
    extended("float4_e2m1fn", "Float4E2M1FN", Float(&FLOAT4_E2M1FN)),
    FixedNumber::COMPLEX64,
    FixedNumber::COMPLEX128,
    extended("complex_float16", "ComplexFloat16", Complex(&FLOAT16)),
    alias("complex_float32", "ComplexFloat32", FixedNumber::COMPLEX64),
    alias("complex_float64", "ComplexFloat64", FixedNumber::COMPLEX128),
    extended("complex_bfloat16", "ComplexBFloat16", Complex(&BFLOAT16)),
    extended("complex_float8_e3m4", "ComplexFloat8E3M4", Complex(&FLOAT8_E3M4)),
    extended("complex_float8_e4m3", "ComplexFloat8E4M3", Complex(&FLOAT8_E4M3)),
    extended(
        "complex_float8_e4m3b11fnuz",
        "ComplexFloat8E4M3B11FNUZ",
        Complex(&FLOAT8_E4M3B11FNUZ),
    ),
    extended("complex_float8_e4m3fnuz", "ComplexFloat8E4M3FNUZ", Complex(&FLOAT8_E4M3FNUZ)),
    extended("complex_float8_e5m2", "ComplexFloat8E5M2", Complex(&FLOAT8_E5M2)),
    extended("complex_float8_e5m2fnuz", "ComplexFloat8E5M2FNUZ", Complex(&FLOAT8_E5M2FNUZ)),
    extended("complex_float8_e8m0fnu", "ComplexFloat8E8M0FNU", Complex(&FLOAT8_E8M0FNU)),
    extended("complex_float6_e2m3fn", "ComplexFloat6E2M3FN", Complex(&FLOAT6_E2M3FN)),
    extended("complex_float6_e3m2fn", "ComplexFloat6E3M2FN", Complex(&FLOAT6_E3M2FN)),
    extended("complex_float4_e2m1fn", "ComplexFloat4E2M1FN", Complex(&FLOAT4_E2M1FN)),
];
