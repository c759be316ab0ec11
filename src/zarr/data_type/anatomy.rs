//! What a float is made of, row by row, for the panel below the twin columns.

use super::{AnatomyRow, element};
use crate::zarr::{
    scalar::{
        Float, Specials,
        float::FloatClass,
        print::{self, Base},
    },
    words::decimal,
};

/// The bits of a float and what each field means; for a NaN its kind and payload.
#[must_use]
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
        FloatClass::Subnormal => format!("{bits} (all zeros: subnormal, 2^{})", 1 - format.bias),
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
    #[expect(clippy::cast_precision_loss, reason = "a mantissa has at most 52 bits")]
    let fraction = field as f64 / 2_f64.powi(format.mantissa_bits.cast_signed());
    format!(
        "{lead}.{} ({})",
        if short.is_empty() { "0" } else { short },
        f64::from(lead) + fraction
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
        FloatClass::Nan if value.is_other_nan() => "NaN, not the one that \"NaN\" names".into(),
        FloatClass::Nan => "NaN".into(),
        FloatClass::Infinity | FloatClass::Zero => print::float(value, Base::Decimal),
        FloatClass::Normal | FloatClass::Subnormal => {
            let sign = if value.is_negative() { "-" } else { "" };
            let magnitude = value.to_f64().abs();
            let bits = magnitude.to_bits();
            let power = i64::try_from(bits >> 52).unwrap_or(0) - 1023;
            if power == -1023 {
                return print::float(value, Base::FloatHex);
            }
            let mantissa = f64::from_bits(bits & (u64::MAX >> 12) | 1023 << 52);
            format!("{sign}{mantissa} × 2^{power} = {sign}{}", decimal(magnitude, 24))
        }
    }
}
