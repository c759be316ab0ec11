//! What a witness says, and when it counts.

use super::{carry, date, exponent, sample::Sample, small, smooth, text};
use crate::zarr::data_type::Endian;

/// How many bits a testimony needs: odds of one to sixteen million.
pub const ENOUGH: f64 = 24.0;

/// By how much one order must have more bits than the other.
const CLEARLY: f64 = 3.0;

/// One witness for one order.
pub(super) struct Testimony {
    /// The order it speaks for.
    pub(super) order: Endian,
    /// How sure it is. With less than [`ENOUGH`] it decides nothing, but it still contradicts.
    pub(super) bits: f64,
    /// What it saw, with numbers.
    pub(super) sentence: String,
}

/// All that speak, whatever they say.
pub(super) fn hear(sample: &Sample) -> Vec<Testimony> {
    [text::hear, carry::hear, smooth::hear, exponent::hear, date::hear, small::hear]
        .iter()
        .filter_map(|hear| hear(sample))
        .collect()
}

/// The order that `bits` speaks for with enough and clearly more bits than for the other one.
pub(super) fn decide(bits: impl Fn(Endian) -> f64) -> Option<(Endian, f64)> {
    let (little, big) = (bits(Endian::Little), bits(Endian::Big));
    let (order, more, less) =
        if little > big { (Endian::Little, little, big) } else { (Endian::Big, big, little) };
    (more >= ENOUGH && more >= less * CLEARLY).then_some((order, more))
}
