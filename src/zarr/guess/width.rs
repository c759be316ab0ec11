//! How wide the numbers are that some bytes hold.
//!
//! Sort the bytes by their place in groups of eight, and count how often each value occurs at each place. If numbers
//! are `width` bytes wide, places that lie `width` apart have the same counts, up to chance. The least width for which
//! that holds is the answer: for bytes without any habit, 1.

/// Bytes fewer than this say nothing.
const FEW: usize = 96;
/// How many bytes are looked at.
const LOOKED_AT: usize = 1 << 16;
/// Places of a group.
const GROUP: usize = 8;
/// By how many standard deviations two counts must differ to be unlike. Neighbours are alike, so that counts vary much
/// more than those of independent bytes would.
const UNLIKE: f64 = 12.0;
/// How many kinds of bytes are told apart: by their upper bits.
const KINDS: usize = 32;

/// How many bytes one number takes, 1, 2, 4 or 8; `None` where there are too few to tell, or too many for any whole
/// number of them.
#[must_use]
pub fn width(bytes: &[u8]) -> Option<usize> {
    let sample = bytes.get(..bytes.len().min(LOOKED_AT))?;
    if sample.len() < FEW {
        return None;
    }
    let counts = places(sample);
    let alike = |width: &usize| {
        bytes.len().is_multiple_of(*width)
            && (0..GROUP - width).all(|at| !unlike(&counts, at, at + width))
    };
    [1, 2, 4].into_iter().find(alike).or_else(|| bytes.len().is_multiple_of(GROUP).then_some(GROUP))
}

/// How often each kind of byte occurs at each place of a group.
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

/// Whether the bytes at two places are not of one kind.
fn unlike(counts: &[[f64; KINDS]; GROUP], one: usize, other: usize) -> bool {
    let (Some(one), Some(other)) = (counts.get(one), counts.get(other)) else { return false };
    let apart: f64 = one
        .iter()
        .zip(other)
        .filter(|(a, b)| *a + *b > 0.0)
        .map(|(a, b)| (a - b) * (a - b) / (a + b))
        .sum();
    let kinds = one.iter().zip(other).filter(|(a, b)| *a + *b > 0.0).count();
    #[expect(clippy::cast_precision_loss, reason = "at most 32 kinds")]
    let expected = kinds as f64;
    // The sum of so many squares has this mean, and the root of twice as much as its deviation.
    apart > expected + UNLIKE * (2.0 * expected).sqrt()
}
