//! Integers that are packed without gaps in fewer bits than their data type has, as cameras and sound cards store them:
//! 12 bits of 16, 24 bits of 32. Every chunk is shorter by just that share, and neighbours are alike once they are unpacked.

use super::prelude::*;
use crate::zarr::plausibility::{as_f64, description::Values};

/// The bytes of a data type, and the bits that its numbers may be packed in.
const WIDTHS: [(usize, &[usize]); 3] = [(2, &[12, 10, 14]), (4, &[24]), (8, &[48])];
/// The numbers of a chunk that are looked at.
const NUMBERS: usize = 4096;
/// The nanoseconds that it takes to unpack a number and look at it, in all orders.
const UNPACKING: u64 = 200;
/// By how many bits a step must be smaller than in the bytes as declared, and than in another order for that to be told.
const CLEARER: f64 = 0.5;

/// The order of packed bits.
#[derive(Debug, Clone, Copy, PartialEq)]
enum BitOrder {
    LowestFirst,
    HighestFirst,
    /// Two numbers of 12 bits: the upper bits of each in a byte of its own, the lower ones in the byte between.
    LowerBetween,
}

const ORDERS: [(BitOrder, &str); 3] = [
    (BitOrder::LowestFirst, "from the lowest bit of each byte on"),
    (BitOrder::HighestFirst, "from the highest bit of each byte on"),
    (
        BitOrder::LowerBetween,
        "with the lower 4 bits of two numbers in the byte between their upper ones",
    ),
];

impl BitOrder {
    /// The bits of the number at index `at`, of `bits` bits; with a sign, in two's complement.
    fn number(self, bytes: &[u8], at: usize, bits: usize, is_signed: bool) -> Option<u64> {
        let bit = |index: usize, is_low: bool| {
            let byte = u64::from(*bytes.get(index / 8)?);
            let shift = if is_low { index % 8 } else { 7 - index % 8 };
            Some(byte >> shift & 1)
        };
        let number =
            match self {
                Self::LowestFirst => (0..bits)
                    .try_fold(0, |number, k| Some(number | bit(at * bits + k, true)? << k))?,
                Self::HighestFirst => (0..bits)
                    .try_fold(0, |number, k| Some(number << 1 | bit(at * bits + k, false)?))?,
                Self::LowerBetween => {
                    let byte = |k: usize| bytes.get(at / 2 * 3 + k).copied().map(u64::from);
                    let (upper, lower) = if at.is_multiple_of(2) { (0, 0) } else { (2, 4) };
                    byte(upper)? << 4 | byte(1)? >> lower & 15
                }
            };
        let is_negative = is_signed && number >> (bits - 1) & 1 == 1;
        Some(if is_negative { number | !((1 << (bits - 1)) - 1) } else { number })
    }
}

/// The cause, if all chunks are as long as packed numbers are, and neighbours are alike once they are unpacked.
pub(super) fn diagnose(case: &Case, samples: &[Sample]) -> Option<Diagnosis> {
    let data_type = case.array.data_type()?;
    let (name, size) = (data_type.name(), data_type.fixed_size()?);
    let is_signed = name.starts_with("int");
    let (_, widths) = WIDTHS.iter().find(|(bytes, _)| *bytes == size)?;
    let count = case.raw_len()?.checked_div(size as u64)?;
    let inside: Vec<Vec<u8>> =
        samples.iter().map(|sample| without_codecs(case, &sample.bytes)).collect::<Option<_>>()?;
    let has_length = |bits: usize| {
        let len = count.saturating_mul(bits as u64).div_ceil(8);
        inside.iter().all(|bytes| bytes.len() as u64 == len)
    };
    let bits = *widths.iter().find(|bits| has_length(**bits))?;
    let each = usize::try_from(count).unwrap_or(NUMBERS).min(NUMBERS);
    let is_integer = is_signed || name.starts_with("uint");
    if !is_integer || inside.is_empty() || !case.spend((inside.len() * each) as u64 * UNPACKING) {
        return None;
    }
    let len = (each * bits).div_ceil(8);
    let mask = u64::MAX >> (64 - size * 8);
    let read = |order: BitOrder, bits: usize| {
        let meaning = if is_signed { Meaning::Signed } else { Meaning::Unsigned };
        let mut values = Values { width: size, meaning, words: Vec::new(), neighbours: Vec::new() };
        let mut before = Vec::new();
        for bytes in &inside {
            let bytes = bytes.get(..len).unwrap_or(bytes);
            let start = values.words.len();
            let numbers = 0..bytes.len() * 8 / bits;
            let numbers = numbers.map_while(|at| order.number(bytes, at, bits, is_signed));
            values.words.extend(numbers.map(|number| number & mask));
            before.push(None);
            before.extend(values.words.get(start..).unwrap_or_default().iter().copied().map(Some));
            before.truncate(values.words.len());
        }
        values.neighbours.push((1, before));
        values
    };
    let whole = read(BitOrder::LowestFirst, size * 8).describe().bits;
    let orders = ORDERS.iter().filter(|(order, _)| bits == 12 || *order != BitOrder::LowerBetween);
    let mut found: Vec<_> = orders
        .map(|(order, words)| {
            let values = read(*order, bits);
            (values.describe(), values, *words)
        })
        .collect();
    found.sort_by(|a, b| a.0.bits.total_cmp(&b.0.bits));
    let (best, values, order) = found.first()?;
    let numbers = as_f64(values.words.len());
    let (best, gain) = (best.bits, (best.alone - best.bits) / numbers);
    let is_told = values.words.iter().collect::<HashSet<_>>().len() > FEW
        && gain >= GAIN
        && best + CLEARER * numbers <= whole;
    let is_clear = found.get(1).is_none_or(|(next, ..)| best + CLEARER * numbers <= next.bits);
    is_told.then(|| told(&name, bits, count, gain, (*order).to_owned(), is_clear))
}

fn told(
    name: &str,
    bits: usize,
    count: u64,
    gain: f64,
    order: String,
    is_clear: bool,
) -> Diagnosis {
    let text = format!(
        "The numbers are packed in {bits} bits each, without gaps, not in the {} of {name}.",
        name.trim_start_matches(|c: char| !c.is_ascii_digit())
    );
    let order = if is_clear { order } else { "in an order that the values do not tell".into() };
    Diagnosis::new("data-type/packed-bits", text)
        .because(format!(
            "Decoded, the chunks have {} for {}: {bits} bits each.",
            counted((count * bits as u64).div_ceil(8), "byte"),
            counted(count, "element")
        ))
        .because(format!(
            "Unpacked {order}, a neighbour predicts {gain:.1} of {} bits.",
            grouped(bits)
        ))
        .because("No registered codec unpacks them: the chunks have to be written again.")
}
