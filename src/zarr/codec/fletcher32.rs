//! `fletcher32` as HDF5 and numcodecs have it: two 16-bit sums over big-endian words, behind the bytes.

/// The checksum of `bytes`.
#[must_use]
pub(super) fn fletcher32(bytes: &[u8]) -> u32 {
    let (mut low, mut high) = (0_u32, 0_u32);
    // So many words can be added before the sums may overflow 32 bits.
    for block in bytes.chunks(720) {
        for word in block.chunks(2) {
            let word = match *word {
                [first, second] => u16::from_be_bytes([first, second]),
                [first] => u16::from_be_bytes([first, 0]),
                _ => 0,
            };
            low = low.wrapping_add(word.into());
            high = high.wrapping_add(low);
        }
        low = fold(low);
        high = fold(high);
    }
    fold(high) << 16 | fold(low)
}

fn fold(sum: u32) -> u32 {
    (sum & 0xffff) + (sum >> 16)
}
