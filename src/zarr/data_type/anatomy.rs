//! The parts of a float, row by row, for the panel below the twin columns.

use super::prelude::*;
use crate::zarr::{
    scalar::{Specials, float::FloatClass, print},
    words::decimal,
};

/// The bits of a float and what each field means; for a NaN its kind and payload.
pub fn float(value: Float) -> Vec<AnatomyRow> {
    let format = value.format;
    let groups = [u32::from(format.signed), format.exponent_bits, format.mantissa_bits];
    let mut rows = vec![AnatomyRow::new("bits", element::bits(value.bits, &groups))];
    if format.signed {
        let sign = if value.is_negative() { "1 (negative)" } else { "0 (positive)" };
        rows.push(AnatomyRow::new("sign", sign));
    }
    rows.push(AnatomyRow::new("exponent", exponent(value)));
    if format.mantissa_bits > 0 {
        rows.push(AnatomyRow::new("mantissa", mantissa(value)));
    }
    rows.push(AnatomyRow::new("exact value", exact(value)));
    rows.push(AnatomyRow::new("hex form", format!("\"{}\"", print::bit_pattern(value))));
    rows
}

fn exponent(value: Float) -> String {
    let format = value.format;
    let stored = value.exponent_field();
    let bits = element::bits(stored, &[format.exponent_bits]);
    match value.class() {
        FloatClass::Nan | FloatClass::Infinity if format.specials == Specials::Ieee => {
            format!("{bits} (all ones: infinity or NaN)")
        }
        FloatClass::Nan => bits,
        FloatClass::Zero => format!("{bits} (all zeros)"),
        FloatClass::Subnormal => {
            let actual = 1 - format.bias;
            format!("{bits} (all zeros: subnormal, 1 − {} = {actual})", format.bias)
        }
        FloatClass::Normal | FloatClass::Infinity => {
            let actual = i64::try_from(stored).unwrap_or(0) - i64::from(format.bias);
            format!("{bits} ({stored} − {} = {actual})", format.bias)
        }
    }
}

fn mantissa(value: Float) -> String {
    let format = value.format;
    let field = value.mantissa_field();
    let bits = element::bits(field, &[format.mantissa_bits]);
    let short = if bits.len() > 1 { bits.trim_end_matches('0') } else { &bits };
    let lead = match value.class() {
        FloatClass::Nan | FloatClass::Infinity => return nan_field(value, &bits),
        FloatClass::Zero => return bits,
        FloatClass::Subnormal => 0,
        FloatClass::Normal => 1,
    };
    // Exact: a mantissa has at most 52 bits.
    let fraction = field as f64 / 2_f64.powi(format.mantissa_bits.cast_signed());
    format!(
        "{lead}.{} ({})",
        if short.is_empty() { "0" } else { short },
        decimal(f64::from(lead) + fraction, 28)
    )
}

fn nan_field(value: Float, bits: &str) -> String {
    if value.class() == FloatClass::Infinity {
        return format!("{bits} (zero: infinity)");
    }
    if value.format.specials != Specials::Ieee {
        return bits.to_owned();
    }
    let quiet = 1_u64 << (value.format.mantissa_bits - 1);
    let kind = if value.mantissa_field() & quiet == 0 { "signalling" } else { "quiet" };
    let payload = value.mantissa_field() & (quiet - 1);
    format!("{bits} ({kind} NaN, payload {payload:#x})")
}

fn exact(value: Float) -> String {
    match value.class() {
        FloatClass::Nan if value.is_other_nan() => "NaN, but not the one that \"NaN\" means".into(),
        FloatClass::Nan => "NaN".into(),
        FloatClass::Infinity | FloatClass::Zero => print::float(value),
        FloatClass::Normal | FloatClass::Subnormal => exact_number(value.to_f64()),
    }
}

/// A finite number that is not 0, exactly: as `mantissa × 2^power`, or `integer × 2^power` where the mantissa is long;
/// then in decimal, with `≈` where that is too long to be written out.
pub fn exact_number(number: f64) -> String {
    let bits = number.to_bits();
    let (stored, field) = (bits >> 52 & 0x7ff, bits & (u64::MAX >> 12));
    let whole = if stored == 0 { field } else { field | 1 << 52 };
    let zeros = whole.trailing_zeros();
    let integer = whole.checked_shr(zeros).unwrap_or(0);
    let power = i64::try_from(stored.max(1)).unwrap_or(0) - 1075 + i64::from(zeros);
    let sign = if number.is_sign_negative() { "-" } else { "" };
    let form = match integer.checked_ilog2() {
        None | Some(0) => format!("2^{power}"),
        // As many decimals as bits after the point.
        Some(after @ 1..=12) => {
            let mantissa =
                f64::from_bits(1023 << 52 | (integer << (52 - after) & (u64::MAX >> 12)));
            format!("{mantissa} × 2^{}", power + i64::from(after))
        }
        Some(_) => format!("{integer} × 2^{power}"),
    };
    let digits = decimal(number, 64);
    let equal = if digits.starts_with('≈') { "" } else { "= " };
    format!("{sign}{form} {equal}{digits}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::zarr::{
        ByteOrder, DataTypes, Endian,
        scalar::{FloatFormat, float::*},
    };

    fn row(bits: u64, format: &'static FloatFormat, label: &str) -> String {
        let rows = float(Float::new(bits, format));
        rows.into_iter().find(|row| row.label == label).map_or_else(String::new, |row| row.value)
    }

    /// Each worked out by hand.
    #[test]
    fn exact_values_are_exact() {
        for (bits, format, expected) in [
            (0x2e66, &FLOAT16, "1.599609375 × 2^-4 = 0.0999755859375"),
            (0x8001, &FLOAT16, "-2^-24 = -0.000000059604644775390625"),
            (0x8000, &FLOAT16, "-0.0"),
            (0xfc00, &FLOAT16, "-Infinity"),
            (0x7e01, &FLOAT16, "NaN, but not the one that \"NaN\" means"),
            (0x3dcc_cccd, &FLOAT32, "13421773 × 2^-27 = 0.100000001490116119384765625"),
            (0x0000_0001, &FLOAT32, "2^-149 ≈ 1.401298464324817e-45"),
            (0x0000_0000, &FLOAT32, "0.0"),
            (0x7f7f_ffff, &FLOAT32, "16777215 × 2^104 = 340282346638528859811704183484516925440"),
            (
                0x3fb9_9999_9999_999a,
                &FLOAT64,
                "3602879701896397 × 2^-55 = 0.1000000000000000055511151231257827021181583404541015625",
            ),
            (0x8000_0000_0000_0003, &FLOAT64, "-1.5 × 2^-1073 ≈ -1.5e-323"),
            (0x7fef_ffff_ffff_ffff, &FLOAT64, "9007199254740991 × 2^971 ≈ 1.7976931348623157e308"),
            (0x3dcd, &BFLOAT16, "1.6015625 × 2^-4 = 0.10009765625"),
            (0x0001, &BFLOAT16, "2^-133 ≈ 9.183549615799121e-41"),
            (0x01, &FLOAT8_E3M4, "2^-6 = 0.015625"),
            (0x01, &FLOAT8_E4M3, "2^-9 = 0.001953125"),
            (0x78, &FLOAT8_E4M3, "Infinity"),
            (0x7e, &FLOAT8_E4M3FN, "1.75 × 2^8 = 448"),
            (0xb8, &FLOAT8_E4M3FN, "-2^0 = -1"),
            (0x01, &FLOAT8_E4M3B11FNUZ, "2^-13 = 0.0001220703125"),
            (0x01, &FLOAT8_E4M3FNUZ, "2^-10 = 0.0009765625"),
            (0x80, &FLOAT8_E4M3FNUZ, "NaN"),
            (0x03, &FLOAT8_E5M2, "1.5 × 2^-15 = 0.0000457763671875"),
            (0x01, &FLOAT8_E5M2FNUZ, "2^-17 = 0.00000762939453125"),
            (0x00, &FLOAT8_E8M0FNU, "2^-127 ≈ 5.877471754111438e-39"),
            (0xff, &FLOAT8_E8M0FNU, "NaN"),
            (0x01, &FLOAT6_E2M3FN, "2^-3 = 0.125"),
            (0x3f, &FLOAT6_E3M2FN, "-1.75 × 2^4 = -28"),
            (0x07, &FLOAT4_E2M1FN, "1.5 × 2^2 = 6"),
        ] {
            assert_eq!(row(bits, format, "exact value"), expected, "{} {bits:x}", format.name);
        }
    }

    #[test]
    fn fields_of_a_float_add_up_to_it() {
        for (bits, format, exponent, mantissa) in [
            (0x2e66, &FLOAT16, "01011 (11 − 15 = -4)", "1.100110011 (1.599609375)"),
            (
                0x8001,
                &FLOAT16,
                "00000 (all zeros: subnormal, 1 − 15 = -14)",
                "0.0000000001 (0.0009765625)",
            ),
            (
                0x7d01,
                &FLOAT16,
                "11111 (all ones: infinity or NaN)",
                "0100000001 (signalling NaN, payload 0x101)",
            ),
            (
                0x7e01,
                &FLOAT16,
                "11111 (all ones: infinity or NaN)",
                "1000000001 (quiet NaN, payload 0x1)",
            ),
            (0xfc00, &FLOAT16, "11111 (all ones: infinity or NaN)", "0000000000 (zero: infinity)"),
            (0x8000, &FLOAT16, "00000 (all zeros)", "0000000000"),
            (0x03, &FLOAT8_E5M2, "00000 (all zeros: subnormal, 1 − 15 = -14)", "0.11 (0.75)"),
            (0x01, &FLOAT8_E4M3FNUZ, "0000 (all zeros: subnormal, 1 − 8 = -7)", "0.001 (0.125)"),
            (0x00, &FLOAT8_E8M0FNU, "00000000 (0 − 127 = -127)", ""),
        ] {
            assert_eq!(row(bits, format, "exponent"), exponent, "{} {bits:x}", format.name);
            assert_eq!(row(bits, format, "mantissa"), mantissa, "{} {bits:x}", format.name);
        }
        let tenth = 0x3fb9_9999_9999_999a;
        assert!(row(tenth, &FLOAT64, "mantissa").ends_with("1001101 (≈ 1.6)"));
    }

    fn rows_of(data_type: &str, bytes: &[u8]) -> Vec<String> {
        let data_type = DataTypes::default().from_numpy(data_type).unwrap().data_type;
        let order = ByteOrder::All(Endian::Little);
        let scalar = data_type.decode(bytes, &order).unwrap();
        let rows = data_type.anatomy(&scalar, &order).into_iter();
        rows.map(|row| format!("{}: {}", row.label, row.value)).collect()
    }

    #[test]
    fn parts_and_times_are_those_that_were_worked_out() {
        let rows = rows_of("complex64", &[0, 0, 0xc0, 0x3f, 0, 0, 0, 0x80]);
        assert_eq!([rows[0].as_str(), rows[7].as_str()], ["real: 1.5", "imaginary: -0.0"]);
        assert_eq!(rows[5], "exact value: 1.5 × 2^0 = 1.5");
        // 59 days after the start of 2000, which is 946,684,800 s after that of 1970.
        let rows = rows_of("datetime64[s]", &951_782_400_i64.to_le_bytes());
        assert_eq!(rows[2], "date: 2000-02-29T00:00:00");
        assert_eq!(rows_of("datetime64[s]", &i64::MIN.to_le_bytes())[2], "date: NaT");
        assert_eq!(rows_of("timedelta64[10us]", &(-3_i64).to_le_bytes())[1], "unit: 10 × us");
    }
}
