//! What a test found, and when it counts.

use crate::zarr::data_type::Endian;

/// How many bits the evidence needs: odds of one to sixteen million.
pub const ENOUGH: f64 = 24.0;

/// By how much one order must have more bits than the other.
const CLEARLY: f64 = 3.0;

/// What one test found for one order.
pub(super) struct Evidence {
    /// The order it speaks for.
    pub(super) order: Endian,
    /// How sure it is. With less than [`ENOUGH`] it decides nothing, but it still contradicts.
    pub(super) bits: f64,
    /// What the test found, with numbers.
    pub(super) sentence: String,
}

/// The order that `bits` speaks for with enough and clearly more bits than for the other one.
pub(super) fn decide(bits: impl Fn(Endian) -> f64) -> Option<(Endian, f64)> {
    let (little, big) = (bits(Endian::Little), bits(Endian::Big));
    let (order, more, less) =
        if little > big { (Endian::Little, little, big) } else { (Endian::Big, big, little) };
    (more >= ENOUGH && more >= less * CLEARLY).then_some((order, more))
}
