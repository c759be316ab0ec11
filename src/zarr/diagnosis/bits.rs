//! One or two bits that changed, located by the difference of two checksums.
//!
//! The CRC of two texts of one length differ by a sum over the bits in which the texts differ, and no two single bits give
//! the same difference in less than 2³² bits. So from the stored and the computed CRC it follows which bit changed,
//! if it was one. If it was two, the difference is a sum of two, which other damage has by chance the more often the more
//! pairs of bits there are: so only pairs that are near each other, or pairs in short chunks, are told, and as likely.

use super::{prelude::*, two_sums};
use crate::zarr::{chunk, codec::Checksum, words::capitalised};

/// The polynomials, bits reversed, of the checksums that are computed with one.
const POLYNOMIALS: [(&str, u32); 2] = [("crc32c", 0x82f6_3b78), ("crc32", 0xedb8_8320)];

/// The nanoseconds that it takes to keep a byte of each stage.
const LOADING: u64 = 4;

/// The cause, if the difference of two checksums tells which bits changed.
pub(super) fn one(case: &Case, sample: &Sample) -> Option<Diagnosis> {
    let is_sum = sample.failed_by(Code::ChecksumMismatch);
    let len = (sample.bytes.len() as u64).max(case.raw_len().unwrap_or(0));
    if !is_sum || !case.spend(len.saturating_mul(LOADING + case.decoding()?)) {
        return None;
    }
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
    let len = input.get(range.clone())?.len();
    let (flipped, pairs) = match flipped(checksum, len) {
        Some(flipped) => (flipped, 0),
        None if case.spend(len.min(NEAR) as u64 * PAIRING) => two_flipped(checksum, len)?,
        None => return None,
    };
    let (places, repaired) = repaired(&flipped, (checksum, &range), input)?;
    let evidence = difference(checksum, &places);
    let mut diagnosis = told(sample, evidence, &places, &repaired)?;
    if pairs > 0 {
        diagnosis.is_certain = false;
        diagnosis.evidence.push(format!(
            "No other pair of bits among {} explains it; after other damage, one would by chance in 1 of {} chunks.",
            grouped(pairs),
            grouped(((1 << 32) + pairs / 2) / pairs)
        ));
    }
    let changed = values(case, sample, repaired)?;
    Some(diagnosis.because(if matches!(flipped, Flipped::Sum { .. }) {
        "The bit is in the checksum itself: the values are as they were written.".to_owned()
    } else {
        changed
    }))
}

/// The same of an inner chunk of a shard, where its last codec is a checksum.
pub(super) fn of_inner_chunk(case: &Case, sample: &Sample) -> Option<Diagnosis> {
    let is_sum = sample.failed_by(Code::ChecksumMismatch) && has_inner_sum(case) == Some(true);
    let shard = case.shard(sample).filter(|_| is_sum)?;
    case.spend(sample.bytes.len() as u64 * LOADING).then_some(())?;
    let damaged = |inner: &Range<u64>| {
        let range = usize::try_from(inner.start).ok()?..usize::try_from(inner.end).ok()?;
        let (payload, sum) = sample.bytes.get(range.clone())?.split_last_chunk::<4>()?;
        let (stored, computed) = (u32::from_le_bytes(*sum).into(), crc32c::crc32c(payload).into());
        let at = range.start..range.start + payload.len();
        let bytes = at.end as u64..inner.end;
        let checksum = Checksum { algorithm: POLYNOMIALS[0].0, bytes, stored, computed };
        (!checksum.agrees()).then_some((at, checksum))
    };
    let mut all = shard.entries.places().filter_map(|bytes| damaged(bytes.as_ref()?));
    let (Some((range, checksum)), None) = (all.next(), all.next()) else { return None };
    let flipped = flipped(&checksum, range.len())?;
    let (places, repaired) = repaired(&flipped, (&checksum, &range), &sample.bytes)?;
    let evidence = difference(&checksum, &places);
    let diagnosis = told(sample, evidence, &places, &repaired)?;
    Some(diagnosis.because(values(case, sample, repaired)?))
}

/// True if the last codec of inner chunks is the checksum crc32c.
fn has_inner_sum(case: &Case) -> Option<bool> {
    let row = case.outer_sharding()?.inner.links.last()?.row?;
    Some(row.v3.contains(&POLYNOMIALS[0].0))
}

/// The evidence of the two checksums, a sentence.
fn difference(checksum: &Checksum, places: &[Bit]) -> String {
    let these = if places.len() == 1 { "this one bit" } else { "these two bits" };
    format!(
        "The stored {} ({:#010x}) and the computed one ({:#010x}) differ in exactly what flipping {these} would produce.",
        checksum.algorithm, checksum.stored, checksum.computed
    )
}

/// The bits that changed, by their bytes in the file, and the file without the change.
fn repaired(
    flipped: &Flipped,
    (checksum, range): (&Checksum, &Range<usize>),
    input: &[u8],
) -> Option<(Vec<Bit>, Vec<u8>)> {
    let places = match flipped {
        Flipped::Payload(bits) => {
            bits.iter().map(|(byte, bit)| (range.start + byte, *bit)).collect::<Vec<_>>()
        }
        Flipped::Sum { byte, bit } => {
            vec![(usize::try_from(checksum.bytes.start).ok()? + byte, *bit)]
        }
    };
    let mut bytes = input.to_vec();
    for (byte, bit) in &places {
        *bytes.get_mut(*byte)? ^= 1 << bit;
    }
    Some((places, bytes))
}

/// The cause, of bits of bytes that are `repaired`.
pub(super) fn told(
    sample: &Sample,
    evidence: String,
    places: &[Bit],
    repaired: &[u8],
) -> Option<Diagnosis> {
    // Two bits of one byte are one byte to mend.
    let mut bytes: Vec<usize> = places.iter().map(|(byte, _)| *byte).collect();
    bytes.dedup();
    let (mut parts, mut commands) = (Vec::new(), Vec::new());
    for &byte in &bytes {
        let bits = places.iter().filter(|(at, _)| *at == byte).map(|(_, bit)| format!("bit {bit}"));
        let bits = bits.collect::<Vec<_>>().join(" and ");
        let mended = *repaired.get(byte)?;
        let new = hex(&[mended], "");
        let old = hex(&[*sample.bytes.get(byte)?], "");
        parts.push((
            format!("{bits} of byte {byte}"),
            format!("the byte is 0x{old} and was 0x{new}"),
        ));
        commands.push(write_byte(&sample.key, byte, mended));
    }
    let sentence = match parts.as_slice() {
        [(bits, byte)] => format!("{} of {} changed: {byte}.", capitalised(bits), sample.key),
        parts => {
            let parts = parts.iter().map(|(bits, byte)| format!("{bits} ({byte})"));
            let parts = parts.collect::<Vec<_>>().join(" and ");
            format!("Two bits of {} changed: {parts}.", sample.key)
        }
    };
    let diagnosis = Diagnosis::new("bit-flip/found", sentence)
        .because(evidence)
        .mended_by(Change::Bytes(
            ShellScript::all(commands),
            FileContent::of(&sample.key, repaired),
        ))
        .certain();
    Some(Diagnosis { byte: bytes.first().map(|&byte| byte as u64), ..diagnosis })
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
fn payload(chunk: &Chunk, at: usize, checksum: &Checksum, len: usize) -> Option<Range<usize>> {
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

/// A bit: its byte, and which of it.
type Bit = (usize, u32);

/// The command that writes one byte of a file.
pub(super) fn write_byte(key: &str, at: usize, byte: u8) -> ShellScript {
    // Octal is what every shell's printf knows; one that took it for four characters would write only the first.
    let [high, middle, low] = [byte >> 6, byte >> 3 & 7, byte & 7].map(usize::from);
    script!(
        "printf '\\{}{}{}' | dd of={} bs=1 count=1 seek={} conv=notrunc",
        high,
        middle,
        low,
        ShellWord::key(key),
        at,
    )
}

/// The bits that changed.
enum Flipped {
    /// In the bytes that the checksum is of: bytes and bits of them.
    Payload(Vec<Bit>),
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
    let Some((_, polynomial)) = polynomial else {
        return in_sum.or_else(|| {
            let [stored, computed] =
                [checksum.stored, checksum.computed].map(|sum| u32::try_from(sum).ok());
            two_sums::flipped(checksum.algorithm, (stored?, computed?), len).map(Flipped::Payload)
        });
    };
    if let Some(back) = bits_from_end(difference, *polynomial, 8 * len as u64) {
        let (byte, bit) =
            (len - 1 - usize::try_from(back / 8).ok()?, 7 - u32::try_from(back % 8).ok()?);
        return in_sum.is_none().then(|| Flipped::Payload(vec![(byte, bit)]));
    }
    in_sum
}

/// The number of bits between the end and the one whose flip makes this `difference` in a CRC; `None` where none of
/// the last `bits` does. Bits from the right: the last bit that goes into a CRC is the highest of the last byte.
///
/// A flip of a bit further from the end makes the same difference, advanced by so many bits. The difference is advanced
/// by a few bits, step by step, and a flip of the last bit in strides as long as all those steps, until both meet.
fn bits_from_end(difference: u32, polynomial: u32, bits: u64) -> Option<u64> {
    let stride = u32::try_from(bits.isqrt() + 1).ok()?;
    let mut advancing = difference;
    let mut steps = HashMap::new();
    for step in 0..stride {
        steps.entry(advancing).or_insert(step);
        advancing = advanced_bit(advancing, polynomial);
    }
    let columns: [u32; 32] = std::array::from_fn(|bit| {
        (0..stride).fold(1 << bit, |crc, _| advanced_bit(crc, polynomial))
    });
    let strided = |crc: u32| {
        let set = columns.iter().enumerate().filter(|(bit, _)| crc >> bit & 1 == 1);
        set.fold(0, |sum, (_, column)| sum ^ column)
    };
    let mut effect = advanced_bit(1, polynomial);
    for strides in 0..=bits / u64::from(stride) + 1 {
        let at = u64::from(stride) * strides;
        let met = steps.get(&effect).and_then(|step| at.checked_sub(u64::from(*step)));
        if let Some(at) = met.filter(|at| *at < bits) {
            return Some(at);
        }
        effect = strided(effect);
    }
    None
}

/// The most bytes of which pairs of bits that are near each other, and of which all pairs, are told: of longer chunks
/// other damage would have such a pair too often.
const NEAR: usize = 1 << 17;
/// The nanoseconds that it takes to look for the pairs of a byte.
const PAIRING: u64 = 80;
const ANY: usize = 2600;

/// The two bits that explain a checksum of `len` bytes, and among how many pairs they are the only ones.
fn two_flipped(checksum: &Checksum, len: usize) -> Option<(Flipped, u64)> {
    let difference = u32::try_from(checksum.stored ^ checksum.computed).ok()?;
    let (_, polynomial) = POLYNOMIALS.iter().find(|(name, _)| *name == checksum.algorithm)?;
    if len > NEAR || difference == 0 {
        return None;
    }
    let mut effects: [u32; 8] = std::array::from_fn(|bit| advanced(1 << bit, *polynomial));
    let mut known = HashMap::<u32, Bit>::new();
    let mut after = Vec::<(u32, Bit)>::new();
    let (mut near, mut all) = (Vec::new(), Vec::new());
    for byte in (0..len).rev() {
        let here = (0..).zip(effects).map(|(bit, effect)| (effect, (byte, bit)));
        // The bits of the byte after it, then its own.
        after.retain(|(_, (other, _))| *other == byte + 1);
        for (effect, at) in here {
            let with = after.iter().find(|(other, _)| *other == effect ^ difference);
            near.extend(with.map(|(_, with)| vec![at, *with]));
            after.push((effect, at));
            if len <= ANY {
                let with = known.get(&(effect ^ difference)).filter(|with| with.0 > byte + 1);
                all.extend(with.map(|with| vec![at, *with]));
                known.insert(effect, at);
            }
        }
        effects = effects.map(|effect| advanced(effect, *polynomial));
    }
    let bits = 8 * len as u64;
    let (mut found, pairs) = if near.is_empty() && len <= ANY {
        (all, bits * bits.saturating_sub(1) / 2)
    } else {
        // Each bit with seven of its own byte, and eight of the next one.
        (near, bits * 23 / 2)
    };
    let only = found.pop().filter(|_| found.is_empty())?;
    Some((Flipped::Payload(only), pairs))
}

/// A CRC after one more bit 0.
const fn advanced_bit(crc: u32, polynomial: u32) -> u32 {
    if crc & 1 == 1 { crc >> 1 ^ polynomial } else { crc >> 1 }
}

/// A CRC after one more byte of zeros.
fn advanced(crc: u32, polynomial: u32) -> u32 {
    (0..8).fold(crc, |crc, _| advanced_bit(crc, polynomial))
}

/// The values before and after the repair, in words; `None` if it does not decode after it.
pub(super) fn values(case: &Case, sample: &Sample, repaired: Vec<u8>) -> Option<String> {
    let repaired = case.decode(case.array, &sample.at, repaired, &case.budget())?;
    let budget = case.budget().ignoring_checksums(true);
    let Some(damaged) = case.decode(case.array, &sample.at, sample.bytes.clone(), &budget) else {
        return Some("With the bits flipped back, the chunk decodes.".to_owned());
    };
    let text = |elements: &Elements, at: u64| Some(elements.value(at)?.ok()?.to_string());
    let differs = |at: &u64| {
        damaged.bytes().get(damaged.byte_range(*at))
            != repaired.bytes().get(repaired.byte_range(*at))
    };
    let all: Vec<u64> = (0..repaired.len()).filter(differs).collect();
    let first = all.first().and_then(|&at| {
        Some(format!(
            "Element {} of the chunk is {} and was {}",
            list(&repaired.coordinates(at)),
            text(&damaged, at)?,
            text(&repaired, at)?
        ))
    });
    Some(match (first, all.len()) {
        (Some(first), 1) => format!("{first}; no other value changes."),
        (Some(first), count) => format!("{first}; {count} values change in all."),
        (None, _) => "No value changes.".to_owned(),
    })
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
                let Some(Flipped::Payload(found)) = flipped(&checksum, 99) else {
                    panic!("{name} {byte} {bit}");
                };
                assert_eq!(found, [(byte, bit)]);
                let two = checksum.computed ^ u64::from(compute(&damaged) ^ compute(&bytes)) ^ 3;
                let checksum = Checksum { computed: two, ..checksum };
                assert!(flipped(&checksum, 99).is_none(), "two bits are not one");
            }
            for pair in [[(5, 1), (5, 6)], [(8, 7), (9, 0)], [(2, 3), (90, 4)]] {
                let mut damaged = bytes.clone();
                for (byte, bit) in pair {
                    damaged[byte] ^= 1 << bit;
                }
                let (stored, computed) = (compute(&bytes).into(), compute(&damaged).into());
                let checksum = Checksum { algorithm: name, bytes: 99..103, stored, computed };
                assert!(flipped(&checksum, 99).is_none());
                let Some((Flipped::Payload(mut found), pairs)) = two_flipped(&checksum, 99) else {
                    panic!("{name} {pair:?}");
                };
                found.sort_unstable();
                assert_eq!((found.as_slice(), pairs > 99), (&pair[..], true));
            }
            let stored = u64::from(compute(&bytes));
            let checksum =
                Checksum { algorithm: name, bytes: 99..103, stored, computed: stored ^ 1 << 10 };
            assert!(matches!(flipped(&checksum, 99), Some(Flipped::Sum { byte: 1, bit: 2 })));
        }
    }

    /// Of long chunks too, and in a number of steps that grows with the root of the length.
    #[test]
    fn a_bit_of_a_long_chunk_is_found() {
        let long: Vec<u8> =
            (0..1_234_567_u32).map(|at| at.wrapping_mul(37).to_le_bytes()[0]).collect();
        for (name, compute) in
            [("crc32c", crc32c::crc32c as fn(&[u8]) -> u32), ("crc32", crc32fast::hash)]
        {
            for (byte, bit) in [(0, 0), (1, 7), (777_777, 4), (1_234_566, 7)] {
                let mut damaged = long.clone();
                damaged[byte] ^= 1 << bit;
                let (stored, computed) = (compute(&long).into(), compute(&damaged).into());
                let checksum = Checksum { algorithm: name, bytes: 0..0, stored, computed };
                let found = flipped(&checksum, long.len());
                assert!(matches!(found, Some(Flipped::Payload(at)) if at == [(byte, bit)]));
            }
        }
    }
}
