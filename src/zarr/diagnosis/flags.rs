//! Flags that are other numbers than 0 and 1; and flags that were packed eight to a byte from the other end of the byte:
//! then flags that are next to each other in the array are so within each byte, but not from one byte to the next.

use super::prelude::*;

/// The flags of a byte.
const EIGHT: usize = 8;
/// The fewest bytes of both kinds of flags that tell.
const FEW: usize = 24;
/// By how many standard deviations changes from byte to byte must be more than chance gives.
const CLEAR: f64 = 6.0;

/// The number of changes from one flag to the next.
#[derive(Debug, Default, Clone, Copy)]
struct Changes {
    of: f64,
    found: f64,
}

impl Changes {
    fn add(&mut self, one: Option<&bool>, next: Option<&bool>) {
        if let (Some(one), Some(next)) = (one, next) {
            self.of += 1.0;
            self.found += f64::from(u8::from(one != next));
        }
    }

    /// By how many standard deviations these are more than at a rate of `chance` each.
    fn excess(&self, chance: f64) -> f64 {
        let expected = self.of * chance;
        (self.found - expected) / (expected * (1.0 - chance)).max(0.5).sqrt()
    }
}

/// The length of the dimension along which elements are next to each other in memory.
fn row(elements: &Elements) -> u64 {
    let axes = elements.strides().iter().zip(elements.shape());
    axes.filter(|(_, length)| **length > 1).min().map_or(1, |(_, length)| *length)
}

/// The changes of flags that are next to each other.
#[derive(Debug, Default)]
struct FlagChanges {
    within: Changes,
    /// From byte to byte.
    across: Changes,
    /// The same with the flags of each byte in the reverse order.
    reversed: Changes,
    /// The number of bytes with both kinds of flags.
    mixed: usize,
}

impl FlagChanges {
    /// Takes in the flags of a chunk.
    fn add(&mut self, elements: &Elements) -> Option<()> {
        let bytes = elements.bytes().as_whole()?;
        let flags: Vec<bool> = bytes.iter().map(|flag| *flag != 0).collect();
        let eights: Vec<&[bool; EIGHT]> = flags.as_chunks().0.iter().collect();
        for eight in &eights {
            self.mixed += usize::from(eight.iter().any(|flag| Some(flag) != eight.first()));
            eight.windows(2).for_each(|pair| self.within.add(pair.first(), pair.last()));
        }
        // From the end of one row to the start of the next, flags change as they please.
        let row = usize::try_from(row(elements)).unwrap_or(usize::MAX);
        let is_in_row = |at: usize| at / row == (at + 2 * EIGHT - 1) / row;
        for (at, pair) in eights.windows(2).enumerate() {
            if let [one, next] = pair
                && is_in_row(at * EIGHT)
            {
                self.across.add(one.last(), next.first());
                self.reversed.add(one.first(), next.last());
            }
        }
        Some(())
    }
}

/// The cause, if the bytes of flags are 0 and one other number.
pub(super) fn other_numbers(declared: &ReadingOutcome) -> Option<Diagnosis> {
    let mut counts = [0_u64; 256];
    for chunk in &declared.chunks {
        for byte in chunk.bytes().as_whole()? {
            *counts.get_mut(usize::from(*byte))? += 1;
        }
    }
    let [zeros, ones, others @ ..] = counts;
    let found = others.iter().filter(|count| **count > 0).count();
    let last = others.iter().rposition(|count| *count > 0)?;
    let (largest, count) = (last + 2, others.get(last)?);
    let what = if found == 1 && ones == 0 {
        format!("0 and {largest}")
    } else {
        format!("numbers up to {largest}")
    };
    let text =
        format!("The elements are {what}, and bool has only 0 and 1: they are most likely uint8.");
    let mut diagnosis = Diagnosis::new("data-type/not-flags", text).because(format!(
        "Of {} examined, {} are 0, {} are 1, and {} are {largest}.",
        counted(counts.iter().sum::<u64>(), "byte"),
        grouped(zeros),
        grouped(ones),
        grouped(*count)
    ));
    diagnosis.change = Some(Change::Reading(WhatIf::of(SettingMember::Dtype, "uint8")));
    Some(diagnosis)
}

/// The cause, if packed flags are in the reverse order in each byte.
pub(super) fn reversed(case: &Case, samples: &[Sample]) -> Option<Diagnosis> {
    let mut counted = FlagChanges::default();
    for sample in samples {
        counted.add(&case.read(case.array, sample)?)?;
    }
    let FlagChanges { within, across, reversed, mixed } = counted;
    let chance = within.found / within.of.max(1.0);
    let is_clear = across.excess(chance) > CLEAR && reversed.excess(chance) < CLEAR / 2.0;
    if mixed < FEW || !is_clear || across.found < reversed.found * 2.0 {
        return None;
    }
    let share = |changes: Changes| format!("{:.0} of {:.0}", changes.found, changes.of);
    let text = "The flags were packed into bytes in the reverse order: the first one into the lowest bit, not the highest.";
    Some(
        Diagnosis::new("filter/bit-order", text)
            .because(format!(
                "From one byte to the next, flags change at {} places, within bytes at {}; in the reverse order, at {}.",
                share(across),
                share(within),
                share(reversed)
            ))
            .because("The filter packbits has no member for that order: the chunks have to be written again."),
    )
}
