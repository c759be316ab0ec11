//! Every pattern of the narrow formats decodes and encodes exactly, and every rounding is to the nearest, ties to even.
//!
//! The values come from `ml_dtypes` (`tests/truth/make_floats.py`); float16 and bfloat16 are compared with the `half`
//! crate beside their code.

use zarrscope::zarr::scalar::{
    Decimal, Float, FloatFormat,
    float::{FORMATS, FloatClass},
};

const TRUTH: &str = include_str!("../truth/floats.txt");

fn format(name: &str) -> &'static FloatFormat {
    FORMATS.into_iter().find(|format| format.name == name).unwrap()
}

#[test]
fn narrow_floats_are_those_of_ml_dtypes() {
    assert_eq!(TRUTH.lines().count(), FORMATS.len() - 4);
    for line in TRUTH.lines() {
        let mut words = line.split(' ');
        let format = format(words.next().unwrap());
        let values: Vec<f64> = words.map(|word| word.parse().unwrap()).collect();
        assert_eq!(values.len() as u64, format.mask() + 1);
        for (bits, &expected) in (0..).zip(&values) {
            let float = Float::new(bits, format);
            let found = float.to_f64();
            assert_eq!(found.is_nan(), expected.is_nan(), "{} {bits:x}", format.name);
            if expected.is_nan() {
                continue;
            }
            assert_eq!(found.to_bits(), expected.to_bits(), "{} {bits:x}", format.name);
            let back = Float::from_f64(expected, format).unwrap();
            assert_eq!(back, float, "{} {bits:x}", format.name);
        }
    }
}

/// Between two neighbours lies one tie: it goes to the even one, and what is beside it to the nearer one, whether it
/// comes as an `f64` or as a decimal that no `f64` can tell from the tie.
#[test]
fn ties_go_to_the_even_neighbour() {
    for format in FORMATS.into_iter().filter(|format| format.bits <= 16 && format.signed) {
        let step = if format.bits == 16 { 97 } else { 1 };
        for bits in (0..format.max_finite()).step_by(step) {
            let (low, high) = (Float::new(bits, format), Float::new(bits + 1, format));
            let tie = f64::midpoint(low.to_f64(), high.to_f64());
            let even = if bits % 2 == 0 { low } else { high };
            let text = exact(tie);
            for (value, decimal, expected) in [
                (tie, text.clone(), even),
                (tie.next_down(), below(&text), low),
                (tie.next_up(), format!("{text}00000000000000000001"), high),
            ] {
                let rounded = Float::from_f64(value, format).unwrap();
                assert_eq!(rounded, expected, "{} {value:e}", format.name);
                let rounded = Decimal::parse(&decimal).unwrap().round(format).unwrap();
                assert_eq!(rounded, expected, "{} {decimal}", format.name);
                let negative = Float::from_f64(-value, format).unwrap();
                let zero = expected.class() == FloatClass::Zero;
                assert_eq!(negative.to_f64().abs().to_bits(), expected.to_f64().abs().to_bits());
                assert!(negative.is_negative() || zero);
            }
        }
    }
}

/// All decimal digits of a number that is no integer.
fn exact(value: f64) -> String {
    let text = format!("{value:.170}");
    let text = text.trim_end_matches('0');
    if text.ends_with('.') { format!("{text}0") } else { text.to_owned() }
}

/// A decimal a little below: the last digit one less, and nines behind it.
fn below(text: &str) -> String {
    let mut digits: Vec<u8> = text.bytes().collect();
    for digit in digits.iter_mut().rev().filter(|digit| digit.is_ascii_digit()) {
        if *digit > b'0' {
            *digit -= 1;
            break;
        }
        *digit = b'9';
    }
    format!("{}99999999999999999999", String::from_utf8(digits).unwrap())
}
