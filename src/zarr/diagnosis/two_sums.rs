//! A bit located by a checksum of two sums, as adler32 and fletcher32 are: the sum of all words, and the sum of all sums.
//!
//! A word that is larger by d makes the first sum larger by d, and the second one by d for every word from it to the end.
//! So the one says which bit of a word changed, and both together say of which word.

/// The places at which a single bit changed in `len` bytes, if the two `sums`, stored and computed, say so: byte and bit.
pub(super) fn flipped(
    name: &str,
    (stored, computed): (u32, u32),
    len: usize,
) -> Option<Vec<(usize, u32)>> {
    let (modulus, width) = match name {
        "adler32" => (65_521_u64, 1),
        "fletcher32" => (65_535, 2),
        _ => return None,
    };
    let parts = |sum: u32| (u64::from(sum & 0xffff) % modulus, u64::from(sum >> 16) % modulus);
    let ((first, second), (first_now, second_now)) = (parts(stored), parts(computed));
    let difference = |now: u64, then: u64| (now + modulus - then) % modulus;
    let (d, sum) = (difference(first_now, first), difference(second_now, second));
    let words = len.div_ceil(width);
    let mut found = Vec::new();
    for bit in 0..8 * u32::try_from(width).ok()? {
        let step = (1_u64 << bit) % modulus;
        if d != step && d != modulus - step {
            continue;
        }
        for from_end in (1..=words as u64).filter(|from_end| from_end * d % modulus == sum) {
            let word = words - usize::try_from(from_end).ok()?;
            // Words of 16 bits are big-endian.
            let byte = word * width + (width - 1 - (bit / 8) as usize);
            found.push((byte, bit % 8));
        }
    }
    (found.len() == 1 && found.iter().all(|(byte, _)| *byte < len)).then_some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_single_bit_is_found_and_two_are_not() {
        let bytes: Vec<u8> = (0..999_u32).map(|at| at.wrapping_mul(37).to_le_bytes()[0]).collect();
        let stored = adler2::adler32_slice(&bytes);
        for place in [(0, 0), (500, 7), (998, 3)] {
            let mut damaged = bytes.clone();
            damaged[place.0] ^= 1 << place.1;
            let sums = (stored, adler2::adler32_slice(&damaged));
            assert_eq!(flipped("adler32", sums, 999), Some(vec![place]));
            damaged[700] ^= 0x12;
            assert_eq!(flipped("adler32", (stored, adler2::adler32_slice(&damaged)), 999), None);
        }
    }
}
