//! The range of a data type, and the bytes of one of its values in either byte order.

use crate::zarr::{
    Endian, Scalar,
    data_type::{AnatomyRow, ByteOrder, DataType, Plain, anatomy::exact_number},
    scalar::{Float, Specials, Time},
    words::{byte_range, decimal, hex_start},
};

/// The smallest and the largest value, and what is between them, as far as there is something to say.
pub(super) fn reach(data_type: &dyn DataType) -> Vec<AnatomyRow> {
    match data_type.default_scalar() {
        Scalar::Bool(_) => rows([("00", "false".into()), ("01", "true".into())]),
        Scalar::Int(_) => whole_numbers(data_type, true),
        Scalar::Uint(_) => whole_numbers(data_type, false),
        Scalar::Float(value) => float(value),
        Scalar::Complex(part, _) => {
            let size = part.format.size as u64;
            let bytes = |range| format!("{}, {}", byte_range(&range), part.format.name);
            let mut all =
                rows([("real part", bytes(0..size)), ("imaginary part", bytes(size..size * 2))]);
            all.extend(float(part));
            all
        }
        Scalar::Time(time) => {
            let at = |count| Scalar::Time(Time { count, ..time }).to_string();
            let labels =
                if time.since_epoch { ["earliest", "latest"] } else { ["smallest", "largest"] };
            rows([(labels[0], at(i64::MIN + 1)), (labels[1], at(i64::MAX))])
        }
        _ => Vec::new(),
    }
}

fn rows<const N: usize>(pairs: [(&str, String); N]) -> Vec<AnatomyRow> {
    pairs.into_iter().map(|(label, value)| AnatomyRow::new(label, value)).collect()
}

fn whole_numbers(data_type: &dyn DataType, signed: bool) -> Vec<AnatomyRow> {
    let size = data_type.fixed_size().and_then(|size| u32::try_from(size).ok());
    let Some(bits) = data_type.significant_bits().or_else(|| size.map(|size| size * 8)) else {
        return Vec::new();
    };
    let (least, most, powers) = if signed {
        let half = 1_i128 << (bits - 1);
        (-half, half - 1, [format!("−2^{}", bits - 1), format!("2^{} − 1", bits - 1)])
    } else {
        (0, (1_i128 << bits) - 1, ["0".into(), format!("2^{bits} − 1")])
    };
    let smallest = if signed { format!("{least} = {}", powers[0]) } else { "0".into() };
    rows([("smallest", smallest), ("largest", format!("{most} = {}", powers[1]))])
}

fn float(value: Float) -> Vec<AnatomyRow> {
    let format = value.format;
    let sign = if format.signed { "1 sign, " } else { "no sign, " };
    let bits = format!(
        "{sign}{} exponent, {} mantissa; bias {}",
        format.exponent_bits, format.mantissa_bits, format.bias
    );
    let at = |bits: u64| {
        let number = Float::new(bits, format).to_f64();
        let digits = decimal(number, 16);
        if digits.starts_with('≈') { exact_number(number) } else { digits }
    };
    let most = Float::new(format.max_finite(), format).to_f64();
    let mut all = rows([("bits", bits), ("largest", at(format.max_finite()))]);
    if format.specials == Specials::PowersOfTwo {
        all.extend(rows([("smallest", at(0))]));
    } else {
        let normal = 1_u64 << format.mantissa_bits;
        let exact = 2_f64.powi(format.mantissa_bits.cast_signed() + 1).min(most.floor());
        all.extend(rows([
            ("smallest normal", at(normal)),
            ("smallest above 0", at(1)),
            ("integers", format!("exact up to {exact}")),
        ]));
    }
    all.extend(rows([("not numbers", specials(format.specials).into())]));
    all
}

fn specials(specials: Specials) -> &'static str {
    match specials {
        Specials::Ieee => "±Infinity and NaN: all exponent bits are 1",
        Specials::None => "no infinity, no NaN",
        Specials::HighestIsNan => "no infinity; NaN has all bits but the sign set",
        Specials::NegativeZeroIsNan => "one NaN, in place of −0; no infinity",
        Specials::PowersOfTwo => "one NaN (ff); no infinity, no zero",
    }
}

/// A value whose bytes differ, little and big; nothing where no order applies.
pub(super) fn both_orders(data_type: &dyn DataType) -> Vec<AnatomyRow> {
    if !data_type.has_byte_order() || !data_type.fields().is_empty() {
        return Vec::new();
    }
    let plain = match data_type.default_scalar() {
        Scalar::Int(_) | Scalar::Uint(_) | Scalar::Time(_) => Plain::Int(258),
        Scalar::Float(_) => Plain::Float(1.0),
        Scalar::Complex(..) => Plain::Complex(1.0, 2.0),
        Scalar::Utf32(_) => Plain::Text("A".into()),
        _ => return Vec::new(),
    };
    let Ok(scalar) = data_type.cast(&plain) else { return Vec::new() };
    let shown = match scalar {
        Scalar::Time(time) => format!("count {}", time.count),
        _ => scalar.to_string(),
    };
    let row = |endian: Endian| {
        let bytes = data_type.encode(&scalar, &ByteOrder::All(endian)).ok()?;
        Some(AnatomyRow::new(format!("{shown} {}", endian.word()), hex_start(&bytes)))
    };
    [Endian::Little, Endian::Big].into_iter().filter_map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::zarr::{DataTypes, Json};

    fn of(name: &str, rows: fn(&dyn DataType) -> Vec<AnatomyRow>) -> Vec<String> {
        let data_type = DataTypes::default().from_v3(&Json::from(name)).unwrap().data_type;
        let rows = rows(data_type.as_ref());
        rows.into_iter().map(|row| format!("{}: {}", row.label, row.value)).collect()
    }

    #[test]
    fn data_types_reach_as_far_as_they_do() {
        assert_eq!(of("int4", reach), ["smallest: -8 = −2^3", "largest: 7 = 2^3 − 1"]);
        assert_eq!(of("uint64", reach)[1], "largest: 18446744073709551615 = 2^64 − 1");
        assert_eq!(
            of("float16", reach),
            [
                "bits: 1 sign, 5 exponent, 10 mantissa; bias 15",
                "largest: 65504",
                "smallest normal: 0.00006103515625",
                "smallest above 0: 2^-24 = 0.000000059604644775390625",
                "integers: exact up to 2048",
                "not numbers: ±Infinity and NaN: all exponent bits are 1",
            ]
        );
        assert_eq!(of("float64", reach)[4], "integers: exact up to 9007199254740992");
        assert_eq!(
            of("float8_e8m0fnu", reach)[1..3],
            [
                "largest: 2^127 = 170141183460469231731687303715884105728",
                "smallest: 2^-127 ≈ 5.877471754111438e-39",
            ]
        );
    }

    #[test]
    fn the_parts_of_a_value_are_turned_round_by_themselves() {
        assert_eq!(of("int32", both_orders), ["258 little: 02 01 00 00", "258 big: 00 00 01 02"]);
        assert_eq!(of("complex64", both_orders)[1], "1.0+2.0i big: 3f 80 00 00 40 00 00 00");
        assert_eq!(of("int8", both_orders), [""; 0]);
    }
}
