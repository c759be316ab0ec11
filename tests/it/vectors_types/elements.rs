//! `bytes_codec.json`: elements from and to their bytes. Rules of the codec itself (is `endian` required) are not here.

use super::*;
use zarrscope::zarr::scalar::{Decimal, Float};

#[test]
fn elements() {
    let mut failures = Failures::default();
    for record in records("bytes_codec.json") {
        let outcome = check(&record);
        let what = format!("{} {}", record.get("data_type"), record.get("endian"));
        failures.check(&record, outcome.map_err(|text| format!("{what}: {text}")));
    }
    failures.finish();
}

fn check(record: &Record) -> Result<(), String> {
    let resolved = record
        .json("data_type")
        .and_then(|json| REGISTRY.from_v3(&json))
        .map_err(|error| error.to_string())?;
    let data_type = &*resolved.data_type;
    let order = match record.get("endian").as_str() {
        Some("big") => BIG,
        _ => LITTLE,
    };
    let stored = unhex(record.text("bytes"));
    let size = usize::try_from(item_size(data_type).unwrap()).unwrap();
    let Some(values) = record.get("values").as_array() else {
        // A wrong number of bytes: some element is not whole, or there are too many.
        let count: u64 =
            record.get("shape").as_array().unwrap().iter().filter_map(Json::as_u64).product();
        return expect("fits", &(stored.len() as u64 == count * size as u64), &false);
    };
    expect("count", &(stored.len() / size), &values.len())?;
    for (element, expected) in stored.chunks(size).zip(values) {
        let scalar = data_type.decode(element, &order).map_err(|error| error.to_string())?;
        matches(&scalar, expected)?;
        if !record.is("decode_only") {
            expect("encoded", &data_type.encode(&scalar, &order), &Ok(element.to_vec()))?;
        }
    }
    Ok(())
}

fn unhex(text: &str) -> Vec<u8> {
    let digit = |byte: u8| char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
    let (pairs, _) = text.as_bytes().as_chunks::<2>();
    pairs.iter().map(|pair| digit(pair[0]).unwrap() << 4 | digit(pair[1]).unwrap()).collect()
}

fn matches(scalar: &Scalar, expected: &Json) -> Result<(), String> {
    let text = expected.as_str().unwrap_or_default();
    let fits = match scalar {
        Scalar::Bool(byte) => (if *byte == 0 { "false" } else { "true" }) == text,
        Scalar::Int(value) => text.parse() == Ok(*value),
        Scalar::Uint(value) => text.parse() == Ok(*value),
        Scalar::Float(value) => float_is(*value, text),
        Scalar::Complex(real, imaginary) => {
            let part = |at: usize| expected.as_array().unwrap()[at].as_str().unwrap();
            float_is(*real, part(0)) && float_is(*imaginary, part(1))
        }
        Scalar::Time(time) if time.is_nat() => text == "NaT",
        Scalar::Time(time) => text.parse() == Ok(time.count),
        Scalar::Bytes(bytes) | Scalar::NullTerminated(bytes) => {
            text.strip_prefix("hex:").map(unhex) == Some(bytes.to_vec())
        }
        Scalar::Utf32(units) => units_are(units, text),
        Scalar::Struct(fields) => {
            let expected = expected.as_array().unwrap();
            expect("fields", &fields.len(), &expected.len())?;
            for ((name, value), pair) in fields.iter().zip(expected) {
                let [field, wanted] = pair.as_array().unwrap() else { panic!("no pair") };
                expect("field", &name.as_str(), &field.as_str().unwrap())?;
                matches(value, wanted)?;
            }
            true
        }
        _ => false,
    };
    if fits { Ok(()) } else { Err(format!("{scalar}, expected {expected}")) }
}

/// The same bits: canonical NaN by its word, others by their pattern, numbers by rounding the text.
fn float_is(value: Float, text: &str) -> bool {
    let format = value.format;
    if let Some(pattern) = text.strip_prefix("NaN:0x") {
        return u64::from_str_radix(pattern, 16) == Ok(value.bits);
    }
    match text {
        "NaN" => format.nan() == Some(value.bits),
        "Infinity" => format.infinity(false) == Some(value.bits),
        "-Infinity" => format.infinity(true) == Some(value.bits),
        // The smallest powers of two have no short exact decimal.
        _ if format.name == "float8_e8m0fnu" => text.parse() == Ok(value.to_f64()),
        _ => Decimal::parse(text).unwrap().round(format).unwrap() == value,
    }
}

fn units_are(units: &[u32], text: &str) -> bool {
    if let Some(text) = text.strip_prefix("str:") {
        return text.chars().map(u32::from).eq(units.iter().copied());
    }
    let code = text.strip_prefix("invalid:U+").unwrap();
    units == [u32::from_str_radix(code, 16).unwrap()]
}
