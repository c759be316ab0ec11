//! A single bit that changed, located by the difference of two checksums.
//!
//! The CRC of two texts of one length differ by a sum over the bits in which the texts differ, and no two single bits give
//! the same difference in less than 2³² bits. So from the stored and the computed CRC it follows which bit changed,
//! if it was one.

use super::case::{Case, Sample};
use crate::zarr::{
    bytes::Bytes,
    chunk::{self, Chunk},
    codec::{Checksum, Elements},
    error::Diagnosis,
    grid::ChunkId,
    text::for_shell,
    words::hex,
};

/// The polynomials, bits reversed, of the checksums that are computed with one.
const POLYNOMIALS: [(&str, u32); 2] = [("crc32c", 0x82f6_3b78), ("crc32", 0xedb8_8320)];

/// Takes the samples out of which a single bit changed.
pub(super) fn diagnose(case: &Case<'_>, samples: &mut Vec<Sample>) -> Vec<Diagnosis> {
    let mut found = Vec::new();
    samples.retain(|sample| match one(case, sample) {
        Some(diagnosis) => {
            found.push(diagnosis);
            false
        }
        None => true,
    });
    found
}

fn one(case: &Case<'_>, sample: &Sample) -> Option<Diagnosis> {
    let id = ChunkId { coordinates: sample.at.clone(), inner: Vec::new() };
    let chunk =
        chunk::load_whole(&*case.hierarchy.store, case.path, case.array, &id, &case.budget());
    let (at, checksum) = mismatch(&chunk)?;
    let before = chunk.stages.get(at.checked_sub(1)?)?;
    let input = before.output.as_ref()?.bytes().as_whole()?;
    // A checksum around the file itself: what was stored is what is repaired.
    if at != 1 {
        return None;
    }
    let range = payload(&chunk, at, checksum, input.len())?;
    let flipped = flipped(checksum, input.get(range.clone())?.len())?;
    let mut repaired = input.to_vec();
    let (byte, bit) = match flipped {
        Flipped::Payload { byte, bit } => (range.start + byte, bit),
        Flipped::Sum { byte, bit } => (usize::try_from(checksum.bytes.start).ok()? + byte, bit),
    };
    let place = repaired.get_mut(byte)?;
    let old = *place;
    *place ^= 1 << bit;
    let new = *place;
    let elements = case.decode(case.array, &sample.at, repaired, &case.budget())?;
    let is_sum = matches!(flipped, Flipped::Sum { .. });
    let mut diagnosis = told(case, sample, checksum, (byte, bit, [old, new]));
    diagnosis.evidence.push(if is_sum {
        "It is a bit of the checksum itself: the values are as they were written.".to_owned()
    } else {
        values(case, sample, &elements)
    });
    Some(diagnosis)
}

/// The cause, of a bit of a byte, and what the byte is and was.
fn told(
    case: &Case<'_>,
    sample: &Sample,
    checksum: &Checksum,
    (byte, bit, [old, new]): (usize, u32, [u8; 2]),
) -> Diagnosis {
    let sentence = format!(
        "Bit {bit} of byte {byte} of {} changed: the byte is {}, and was {}.",
        sample.key,
        hex(&[old], ""),
        hex(&[new], "")
    );
    let mut diagnosis = Diagnosis::new("bit-flip", sentence)
        .because(format!(
            "The {} stored ({:#010x}) and computed ({:#010x}) differ as they do for this one bit and no other.",
            checksum.algorithm, checksum.stored, checksum.computed
        ))
        .explaining(&case.symptoms.codes())
        .mended_by(format!(
            "printf '\\x{}' | dd of={} bs=1 seek={byte} conv=notrunc",
            hex(&[new], ""),
            for_shell(&sample.key)
        ))
        .certain();
    diagnosis.files = vec![sample.key.clone()];
    diagnosis
}

/// The stage whose checksum does not agree.
fn mismatch(chunk: &Chunk) -> Option<(usize, &Checksum)> {
    let mut stages = chunk.stages.iter().enumerate();
    stages.find_map(|(at, stage)| {
        let checksum = stage.checksum.as_ref().filter(|checksum| !checksum.agrees())?;
        Some((at, checksum))
    })
}

/// The bytes that a checksum is of.
fn payload(
    chunk: &Chunk,
    at: usize,
    checksum: &Checksum,
    len: usize,
) -> Option<std::ops::Range<usize>> {
    let (start, end) =
        (usize::try_from(checksum.bytes.start).ok()?, usize::try_from(checksum.bytes.end).ok()?);
    let sharding = chunk.stages.get(at)?.codec.as_ref().and_then(|codec| codec.sharding());
    match sharding {
        Some(sharding) => {
            let index = sharding.index_range(len as u64).ok()?;
            Some(usize::try_from(index.start).ok()?..start)
        }
        None if start == 0 => Some(end..len),
        None => Some(0..start),
    }
}

/// Where the bit is that changed.
enum Flipped {
    /// In the bytes that the checksum is of.
    Payload { byte: usize, bit: u32 },
    /// In the checksum.
    Sum { byte: usize, bit: u32 },
}

/// The one bit that explains a checksum of `len` bytes; `None` where there is none, or it could be either.
fn flipped(checksum: &Checksum, len: usize) -> Option<Flipped> {
    let difference = u32::try_from(checksum.stored ^ checksum.computed).ok()?;
    let polynomial = POLYNOMIALS.iter().find(|(name, _)| *name == checksum.algorithm);
    let in_sum = difference.is_power_of_two().then(|| {
        let bit = difference.trailing_zeros();
        Flipped::Sum { byte: (bit / 8) as usize, bit: bit % 8 }
    });
    let Some((_, polynomial)) = polynomial else { return in_sum };
    // What a flip of each bit of the last byte does to the CRC, then of the byte before it, and so on.
    let mut effects: [u32; 8] = std::array::from_fn(|bit| advanced(1 << bit, *polynomial));
    for back in 1..=len {
        if let Some(bit) = effects.iter().position(|effect| *effect == difference) {
            let found = Flipped::Payload { byte: len - back, bit: u32::try_from(bit).ok()? };
            return in_sum.is_none().then_some(found);
        }
        effects = effects.map(|effect| advanced(effect, *polynomial));
    }
    in_sum
}

/// A CRC after one more byte of zeros.
fn advanced(crc: u32, polynomial: u32) -> u32 {
    (0..8).fold(crc, |crc, _| if crc & 1 == 1 { crc >> 1 ^ polynomial } else { crc >> 1 })
}

/// How values change by the repair.
fn values(case: &Case<'_>, sample: &Sample, repaired: &Elements) -> String {
    let budget = case.budget().ignoring_checksums(true);
    let bytes = Bytes::whole(sample.bytes.clone());
    let bytes = bytes.as_whole().unwrap_or_default().to_vec();
    let Some(damaged) = case.decode(case.array, &sample.at, bytes, &budget) else {
        return "As it is, the chunk cannot be decoded; repaired, it can.".to_owned();
    };
    let text = |elements: &Elements, at: u64| Some(elements.value(at)?.ok()?.to_string());
    let differs = |at: &u64| {
        damaged.bytes().get(damaged.byte_range(*at))
            != repaired.bytes().get(repaired.byte_range(*at))
    };
    let all: Vec<u64> = (0..repaired.len()).filter(differs).collect();
    let first = all.first().and_then(|&at| {
        Some(format!(
            "Element {:?} of the chunk is {} and was {}",
            repaired.coordinates(at),
            text(&damaged, at)?,
            text(repaired, at)?
        ))
    });
    match (first, all.len()) {
        (Some(first), 1) => format!("{first}; no other value changes."),
        (Some(first), count) => format!("{first}; {count} values change in all."),
        (None, _) => "No value changes.".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_single_bit_is_found_from_the_difference_of_two_checksums() {
        let bytes: Vec<u8> = (0..99_u32).map(|at| at.wrapping_mul(37).to_le_bytes()[0]).collect();
        for (name, compute) in
            [("crc32c", crc32c::crc32c as fn(&[u8]) -> u32), ("crc32", crc32fast::hash)]
        {
            for (byte, bit) in [(0, 0), (0, 7), (50, 3), (98, 0), (98, 7)] {
                let mut damaged = bytes.clone();
                damaged[byte] ^= 1 << bit;
                let (stored, computed) = (compute(&bytes).into(), compute(&damaged).into());
                let checksum = Checksum { algorithm: name, bytes: 99..103, stored, computed };
                let Some(Flipped::Payload { byte: at, bit: which }) = flipped(&checksum, 99) else {
                    panic!("{name} {byte} {bit}");
                };
                assert_eq!((at, which), (byte, bit));
                let two = checksum.computed ^ u64::from(compute(&damaged) ^ compute(&bytes)) ^ 3;
                let checksum = Checksum { computed: two, ..checksum };
                assert!(flipped(&checksum, 99).is_none(), "two bits are not one");
            }
            let stored = u64::from(compute(&bytes));
            let checksum =
                Checksum { algorithm: name, bytes: 99..103, stored, computed: stored ^ 1 << 10 };
            assert!(matches!(flipped(&checksum, 99), Some(Flipped::Sum { byte: 1, bit: 2 })));
        }
    }
}
