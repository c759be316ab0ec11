//! Guesses at the codecs and the data type of a chunk file whose metadata are lost.
//!
//! Two things can be found out from the bytes alone. Compressors and checksums announce or prove themselves: a zstd
//! frame decodes, four last bytes are the CRC-32C of all others ([`unwrap`](super::unwrap)). What remains are numbers,
//! and bytes of numbers repeat their habits with the width of the number ([`width()`]): the upper byte of an `int16`
//! looks like other upper bytes, and unlike the lower ones. How such numbers read best, and in which order, the judge
//! of [`byte_order`] says, who may well say nothing.
//!
//! All of this is a guess, and is told as one.

use super::prelude::*;
use crate::zarr::{byte_order, data_type::DataTypes};

/// The kind of a file that is no chunk: a picture, a web page, a text; in words, such as `a PNG image`.
pub fn known_format(bytes: &[u8]) -> Option<&'static str> {
    if bytes.is_empty() {
        return Some("an empty file");
    }
    let head = bytes.get(..bytes.len().min(4096)).unwrap_or(bytes);
    let is_text = |text: &str| !text.chars().any(|c| c.is_control() && !c.is_whitespace());
    not_a_codecs(bytes).or_else(|| {
        let text = head.utf8_chunks().next().map(|chunk| chunk.valid()).unwrap_or_default();
        // The last character may have been cut.
        (text.len() + 4 > head.len() && is_text(text)).then_some("text")
    })
}

/// The kind of a file that no compressor or checksum of Zarr writes.
fn not_a_codecs(bytes: &[u8]) -> Option<&'static str> {
    let codecs = Codecs::default();
    match codecs.recognise(bytes) {
        Some((row, _)) if row.kind == CodecKind::BytesToBytes => None,
        _ => codecs.looks_like(bytes),
    }
}

/// A guess at the elements of a file.
#[derive(Debug, Clone)]
pub struct Guess {
    /// The V3 name of the data type: `int16`, `complex64`.
    pub data_type: &'static str,
    /// The byte order that the bytes look like, and the evidence; nothing is declared.
    pub verdict: Verdict,
    /// The elements there would be, read as little.
    pub elements: Elements,
}

impl Guess {
    /// The data type as a V2 dtype, with the byte order that is plausible: `>i2`; little where none is.
    pub fn dtype(&self) -> String {
        let sign = self.verdict.plausible.unwrap_or(Endian::Little).sign();
        let (kind, bits) = match self.data_type.split_at(self.data_type.len().min(4)) {
            ("uint", bits) => ("u", bits),
            ("floa", bits) => ("f", bits.trim_start_matches('t')),
            ("comp", bits) => ("c", bits.trim_start_matches("lex")),
            (_, _) => ("i", self.data_type.trim_start_matches("int")),
        };
        let size = bits.parse::<usize>().unwrap_or(8) / 8;
        format!("{}{kind}{size}", if size == 1 { '|' } else { sign })
    }
}

/// The number of elements looked at to see what they would be.
const LOOKED_AT: u64 = 4096;
/// Of how many floats all but one must be of a size that people measure.
const RARE: usize = 10;

impl Guess {
    /// The length of rows by which elements are most like those above them: more than like those beside these, and much more
    /// so than in half of all lengths.
    pub fn row(&self) -> Option<u64> {
        /// The shortest row, the elements that are compared, and by how many times they are nearer.
        const SHORT: usize = 4;
        const MOST: usize = 1 << 14;
        const NEARER: f64 = 1.5;
        let all = usize::try_from(self.elements.len()).ok()?;
        let values: Option<Vec<f64>> = self.values().map(|value| value.to_f64()).collect();
        let values = values?;
        let apart = |row: usize| {
            let pairs = values.iter().zip(values.iter().skip(row)).take(MOST);
            let (sum, count) = pairs.fold((0.0, 0_u32), |(sum, count), (a, b)| {
                let by = (a - b).abs();
                if by.is_finite() { (sum + by, count + 1) } else { (sum, count) }
            });
            (count > 0).then(|| sum / f64::from(count))
        };
        let longest = all.min(values.len()) / 2;
        let rows = (SHORT..=longest).filter(|row| all.is_multiple_of(*row));
        let mut found: Vec<(usize, f64)> =
            rows.filter_map(|row| Some((row, apart(row)?))).collect();
        found.sort_by(|a, b| a.1.total_cmp(&b.1));
        let (usual, &(row, nearest)) = (found.get(found.len() / 2)?.1, found.first()?);
        // Of smooth values, those at the smallest distance are the most alike, whatever the rows are.
        let is_nearest =
            [row - 1, row + 1].iter().all(|it| apart(*it).is_some_and(|it| it > nearest));
        (is_nearest && nearest * NEARER < usual).then_some(row as u64)
    }

    /// The first elements in the plausible order.
    fn values(&self) -> impl Iterator<Item = Scalar> {
        let order = self.verdict.plausible.unwrap_or(Endian::Little);
        let elements = self.elements.in_order(ByteOrder::All(order));
        let last = elements.len().min(LOOKED_AT);
        (0..last).filter_map(move |at| elements.value(at)?.ok())
    }

    /// True if floats are of a size that people measure. For the halves of a complex number a zero tells against them:
    /// it is the lower half of a round `float64`.
    fn is_sensible(&self) -> bool {
        let is_complex = self.data_type == "complex64";
        let measured =
            |value: f64| (1e-15..1e15).contains(&value.abs()) || value == 0.0 && !is_complex;
        let (mut all, mut strange) = (0, 0);
        for value in self.values() {
            let sensible = match &value {
                Scalar::Complex(real, imaginary) => {
                    measured(real.to_f64()) && measured(imaginary.to_f64())
                }
                Scalar::Float(float) => float.is_nan() || measured(float.to_f64()),
                _ => true,
            };
            all += 1;
            strange += usize::from(!sensible);
        }
        strange * RARE <= all
    }

    /// True if integers of `width` bytes go below zero rather than past the middle of what they can hold: whether they
    /// are closer together with a sign than without.
    fn is_signed(&self, width: usize) -> bool {
        let values: Vec<i128> = self.values().filter_map(|value| value.to_integer()).collect();
        let span = |values: &mut dyn Iterator<Item = i128>| {
            let ends = values.fold((i128::MAX, i128::MIN), |(low, high), value| {
                (low.min(value), high.max(value))
            });
            ends.1.saturating_sub(ends.0)
        };
        span(&mut values.iter().copied())
            <= span(
                &mut values
                    .iter()
                    .map(|&value| if value < 0 { value + (1_i128 << (8 * width)) } else { value }),
            )
    }
}

/// A guess at the elements in `bytes`, without wrapping; `None` where they are too few or show no pattern.
pub fn guess(bytes: &[u8]) -> Option<Guess> {
    let width = width(bytes)?;
    // The likeliest first. Half of all 16-bit patterns make sensible floats, so there integers go before them; wider
    // integers make floats that nobody measures, and the halves of a complex number are both floats.
    let candidates: &[&'static str] = match width {
        1 => &["uint8"],
        2 => &["int16", "float16"],
        4 => &["float32", "int32"],
        _ => &["complex64", "float64", "int64"],
    };
    let mut read = candidates.iter().filter_map(|name| judged(bytes, name));
    let signed = || judged(bytes, candidates.iter().find(|name| !name.contains("float"))?);
    let found = read
        .find(|guess| guess.verdict.plausible.is_some() && guess.is_sensible())
        .or_else(signed)?;
    let unsigned = (!found.is_signed(width)).then(|| match found.data_type {
        "int16" => judged(bytes, "uint16"),
        "int32" => judged(bytes, "uint32"),
        _ => judged(bytes, "uint64"),
    });
    unsigned.unwrap_or(Some(found))
}

fn judged(bytes: &[u8], data_type: &'static str) -> Option<Guess> {
    let elements = elements(bytes, data_type)?;
    let mut verdict = byte_order::judge(&elements);
    verdict.declared = None;
    Some(Guess { data_type, verdict, elements })
}

/// The whole elements in `bytes`.
fn elements(bytes: &[u8], data_type: &'static str) -> Option<Elements> {
    let resolved = DataTypes::default().from_v3(&Json::from(data_type)).ok()?;
    let size = resolved.data_type.fixed_size()?;
    let len = bytes.len() / size;
    let bytes = Bytes::whole(bytes.get(..len * size)?.to_vec());
    let order = ByteOrder::All(Endian::Little);
    let shape = vec![len as u64];
    Some(Elements::new(resolved.data_type, order, shape, false, Places::Fixed(size), bytes))
}

/// Bytes fewer than this say nothing.
const FEW_BYTES: usize = 96;
/// The number of bytes looked at.
const COUNTED: usize = 1 << 16;
/// Places of a group.
const GROUP: usize = 8;
/// By how many standard deviations two counts must differ to be unlike. Neighbours are alike, so that counts vary much
/// more than those of independent bytes would.
const UNLIKE: f64 = 12.0;
/// The number of kinds of bytes told apart: by their upper bits.
const KINDS: usize = 32;

/// The number of bytes one number takes, 1, 2, 4 or 8; `None` where there are too few to tell, or too many for any
/// whole number of them.
///
/// The bytes are sorted by their place in groups of eight, and it is counted how often each value occurs at each place.
/// If numbers are `width` bytes wide, places that lie `width` apart have the same counts, up to chance. The least width
/// for which that holds is the answer: for bytes without any habit, 1.
pub fn width(bytes: &[u8]) -> Option<usize> {
    let sample = bytes.get(..bytes.len().min(COUNTED))?;
    if sample.len() < FEW_BYTES {
        return None;
    }
    let counts = places(sample);
    let alike = |width: &usize| {
        bytes.len().is_multiple_of(*width)
            && (0..GROUP - width).all(|at| !unlike(&counts, at, at + width))
    };
    [1, 2, 4].into_iter().find(alike).or_else(|| bytes.len().is_multiple_of(GROUP).then_some(GROUP))
}

/// The frequency of each kind of byte at each place of a group.
fn places(bytes: &[u8]) -> [[f64; KINDS]; GROUP] {
    let mut counts = [[0.0; KINDS]; GROUP];
    for group in bytes.chunks_exact(GROUP) {
        for (place, &byte) in counts.iter_mut().zip(group) {
            if let Some(count) = place.get_mut(usize::from(byte) * KINDS / 256) {
                *count += 1.0;
            }
        }
    }
    counts
}

/// True if the bytes at two places are not of one kind.
fn unlike(counts: &[[f64; KINDS]; GROUP], one: usize, other: usize) -> bool {
    let (Some(one), Some(other)) = (counts.get(one), counts.get(other)) else { return false };
    let apart: f64 = one
        .iter()
        .zip(other)
        .filter(|(a, b)| *a + *b > 0.0)
        .map(|(a, b)| (a - b) * (a - b) / (a + b))
        .sum();
    let kinds = one.iter().zip(other).filter(|(a, b)| *a + *b > 0.0).count();
    let expected = kinds as f64;
    // The sum of so many squares has this mean, and the root of twice as much as its deviation.
    apart > expected + UNLIKE * (2.0 * expected).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn looks(bytes: &[u8]) -> (&'static str, Option<Endian>, String) {
        let guess = guess(bytes).expect("enough bytes");
        let dtype = guess.dtype();
        (guess.data_type, guess.verdict.plausible, dtype)
    }

    fn bytes<const N: usize>(count: u32, number: impl Fn(f64) -> [u8; N]) -> Vec<u8> {
        (0..count).flat_map(|step| number(f64::from(step))).collect()
    }

    #[test]
    fn numbers_are_told_by_the_habits_of_their_bytes() {
        let wave = |step: f64| (step / 40.0).sin();
        #[expect(clippy::cast_possible_truncation, reason = "made to fit")]
        let cases = [
            (bytes(3000, |step| wave(step).to_be_bytes()), "float64", ">f8"),
            (bytes(3000, |step| (wave(step) as f32 + 20.0).to_le_bytes()), "float32", "<f4"),
            (bytes(3000, |step| ((wave(step) * 2000.0) as i16).to_be_bytes()), "int16", ">i2"),
            (
                bytes(3000, |step| ((wave(step) * 9000.0) as i32 + 70_000).to_le_bytes()),
                "int32",
                "<i4",
            ),
            (bytes(3000, |step| (step as i64 * 60 + 1_577_836_800).to_be_bytes()), "int64", ">i8"),
        ];
        for (bytes, name, dtype) in cases {
            let (found, order, found_dtype) = looks(&bytes);
            assert_eq!((found, found_dtype.as_str()), (name, dtype));
            assert!(order.is_some(), "{name}");
        }
    }

    #[test]
    fn what_has_no_habit_is_bytes_and_what_is_short_is_nothing() {
        let noise: Vec<u8> =
            (0..4096_u32).map(|at| at.wrapping_mul(2_654_435_761).to_be_bytes()[1]).collect();
        assert_eq!(looks(&noise).0, "uint8");
        assert!(guess(&noise[..40]).is_none());
        assert!(guess(&[]).is_none());
    }
}
