//! The witness that knows what Unicode is.

use super::{
    component::Meaning,
    sample::Sample,
    witness::{Testimony, decide},
    wording,
};
use crate::zarr::data_type::Endian;

/// Bits of evidence in one code unit that is a character in one order and none in the other: 1,114,112 of 2³² are.
const PER_UNIT: f64 = 12.0;

/// Whether the code units of one order are characters and those of the other are not.
pub(super) fn hear(sample: &Sample) -> Option<Testimony> {
    if sample.meaning() != Meaning::CodeUnit {
        return None;
    }
    let n = sample.words().len();
    let none = |order: Endian| {
        sample.words().iter().filter(|&&word| !is_character(sample, word, order)).count()
    };
    let bits = |order: Endian| {
        let (here, there) = (none(order), none(order.other()));
        #[expect(clippy::cast_precision_loss, reason = "counts of a sample are small")]
        let bits = there.saturating_sub(here) as f64 * PER_UNIT;
        if here == 0 && there * 2 >= n { bits } else { 0.0 }
    };
    let (order, bits) = decide(bits)?;
    let sentence = format!(
        "All {} different code units are Unicode characters; read as {} {} lie above U+10FFFF.",
        wording::count(n),
        order.other().word(),
        wording::share(none(order.other()), n),
    );
    Some(Testimony { order, bits, sentence })
}

fn is_character(sample: &Sample, word: u64, order: Endian) -> bool {
    u32::try_from(sample.read(word, order)).is_ok_and(|unit| unit <= u32::from(char::MAX))
}
