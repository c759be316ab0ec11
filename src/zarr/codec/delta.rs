//! `delta` of numcodecs: the first element, then the difference of each to the one before it.
//!
//! Decoding is a running sum in the data type of the array: integers wrap, floats are rounded after each pass, as
//! NumPy does it. Booleans are the exception: their difference is "is not the same", so that the sum is an exclusive
//! or; numcodecs adds them by "or", and does not give back what it was given.

use super::numeric_filter::{self, Arithmetic, Pass};
use super::prelude::*;

#[derive(Debug)]
struct Delta;

pub(super) static ROW: CodecRow = CodecRow {
    nanoseconds: 9,
    is_difference: true,
    v3: &["numcodecs.delta"],
    v2: &["delta"],
    members: &["dtype", "astype"],
    lesson: "Stores each element as its difference from the previous one.",
    ..CodecRow::new(CodecKind::ArrayToArray, build)
};

fn build(setup: &Setup) -> Built {
    let mut built = numeric_filter::build(setup, "dtype", "astype", Delta)?;
    let dtype = setup.dtype("dtype")?;
    if dtype.is_some_and(|dtype| dtype.data_type.name() == "bool") {
        let text = "Differences of booleans are decoded with exclusive or, which restores the original values; \
                    numcodecs 0.17.1 uses or and reads other values.";
        built.notes.push(Note::new(Code::DeltaOfBool, text));
    }
    Ok(built)
}

impl Arithmetic for Delta {
    fn undo(&self, pass: &mut Pass, input: &[u8], out: &mut Vec<u8>) {
        for (at, bytes) in input.chunks_exact(pass.from.size).enumerate() {
            let difference = pass.to.cast(pass.from.read(bytes));
            let last = pass.remembered(at % pass.to.parts);
            let bits = last.map_or(difference, |last| sum(pass.to, last, difference));
            pass.remember(at % pass.to.parts, bits);
            pass.to.push(bits, out);
        }
    }

    fn apply(&self, pass: &mut Pass, input: &[u8], out: &mut Vec<u8>) {
        for (at, bytes) in input.chunks_exact(pass.from.size).enumerate() {
            let bits = pass.from.cast(pass.from.read(bytes));
            let last = pass.remembered(at % pass.from.parts);
            let difference =
                last.map_or(bits, |last| sum(pass.from, bits, negated(pass.from, last)));
            pass.remember(at % pass.from.parts, bits);
            pass.to.push(pass.to.cast(pass.from.number(difference)), out);
        }
    }
}

/// The sum of two numbers by their bits, in their own type.
fn sum(numeric: &Numeric, a: u64, b: u64) -> u64 {
    match numeric.kind {
        NumberKind::Bool => a ^ b,
        NumberKind::Int(_) | NumberKind::Uint(_) => a.wrapping_add(b),
        NumberKind::Float(format) => float_sum(format, numeric, a, b),
    }
}

/// The number to add instead of subtracting.
fn negated(numeric: &Numeric, bits: u64) -> u64 {
    match numeric.kind {
        NumberKind::Bool => bits,
        NumberKind::Int(_) | NumberKind::Uint(_) => bits.wrapping_neg(),
        NumberKind::Float(format) => bits ^ format.sign_mask(),
    }
}

#[expect(clippy::cast_possible_truncation, reason = "the bits of a binary32 are the low half")]
fn float_sum(format: &FloatFormat, numeric: &Numeric, a: u64, b: u64) -> u64 {
    match format.name {
        "float64" => (f64::from_bits(a) + f64::from_bits(b)).to_bits(),
        "float32" => (f32::from_bits(a as u32) + f32::from_bits(b as u32)).to_bits().into(),
        _ => {
            let value = |bits| numeric.number(bits).to_f64();
            numeric.cast(Number::Float(value(a) + value(b)))
        }
    }
}
