//! Values in the other byte order.

use super::prelude::*;
use super::reading::could_be_better;
use crate::zarr::byte_order::Certainty;

/// The cause of values that look byte-swapped, which is seen `by` some chunks; `None` where fields differ, so that no one edit mends it.
pub fn swapped(array: &ArrayMetadata, verdict: &Verdict, by: String) -> Option<Diagnosis> {
    let (declared, plausible) = (verdict.declared?, verdict.plausible?);
    let mut cause = Diagnosis::new("byte-order/judged", sentence(plausible, declared));
    cause.evidence.clone_from(&verdict.evidence);
    cause.evidence.push(by);
    Some(WhatIf::endian(plausible).mending(array, cause))
}

/// The values in the other byte order, as a reading beside others.
pub(super) fn reading(declared: &ReadingOutcome) -> Option<Reading> {
    let first = declared.chunks.first()?;
    let order = first.order().uniform().filter(|_| first.data_type().has_byte_order())?;
    let other = order.other();
    Some(Reading::new("byte-order/values", sentence(other, order), WhatIf::endian(other)))
}

fn sentence(plausible: Endian, declared: Endian) -> String {
    let (plausible, declared) = (plausible.word(), declared.word());
    format!("The values are {plausible}-endian, not {declared}-endian as the metadata declares.")
}

/// The cause, if the chunks of a sample are certainly byte-swapped together, though each by itself is too short to tell.
pub(super) fn together(array: &ArrayMetadata, declared: &ReadingOutcome) -> Option<Diagnosis> {
    let chunks = &declared.chunks;
    if chunks.len() < 2 {
        return None;
    }
    let verdict = declared.verdict();
    let is_certain = verdict.contradiction() == Some(Certainty::Certain);
    let by = format!("Judged together from {} chunks; no chunk alone is certain.", chunks.len());
    swapped(array, verdict, by).filter(|_| is_certain)
}

/// True if the values of a sample are likelier in the other byte order, if not certainly: what else would explain them
/// in the declared one explains less.
pub(super) fn is_likelier(declared: &ReadingOutcome) -> bool {
    declared.verdict().contradiction().is_some()
}

/// The units within which bytes, or parts of numbers, were swapped, and what is said of them.
const UNITS: [(usize, usize, &str); 3] = [
    (1, 2, "the bytes of each 16 bits are swapped"),
    (2, 4, "the halves of each 32 bits are swapped"),
    (4, 8, "the halves of each 64 bits are swapped"),
];

/// The number of elements of each chunk among which NaT is looked for.
const NAT_SOUGHT: u64 = 4096;

/// The cause, if parts of the numbers are swapped, which no byte order is: as by `dd conv=swab`.
pub(super) fn in_parts(case: &Case, declared: &ReadingOutcome) -> Option<Diagnosis> {
    let known =
        declared.measure.filter(|measure| measure.words >= FEW && could_be_better(declared))?;
    if !declared.chunks.first()?.data_type().fields().is_empty() {
        return None;
    }
    // NaT is a word that no other one becomes by accident: where it is read, parts are in their places.
    let is_nat =
        |chunk: &Elements, at| chunk.value(at).is_some_and(|it| it.is_ok_and(|it| it.is_nat()));
    if declared
        .chunks
        .iter()
        .any(|chunk| (0..chunk.len().min(NAT_SOUGHT)).any(|at| is_nat(chunk, at)))
    {
        return None;
    }
    let size = declared.chunks.first()?.data_type().fixed_size()?;
    let order = declared.chunks.first()?.order().uniform()?;
    let other = |unit: (usize, usize, &'static str)| {
        let (part, whole, _) = unit;
        let swapped = declared.chunks.iter().map(|chunk| {
            let mut bytes = chunk.bytes().as_whole()?.to_vec();
            for number in bytes.chunks_exact_mut(whole) {
                number.rotate_left(part);
            }
            Some(chunk.over(Bytes::whole(bytes)))
        });
        let measure = measure(&swapped.collect::<Option<Vec<Elements>>>()?, &case.budget())?;
        Some((measure, unit))
    };
    // Bytes of a number of 16 bits in the other order are the other byte order.
    let units =
        UNITS.into_iter().filter(|(_, whole, _)| *whole <= size && (size > 2 || *whole > 2));
    let mut found: Vec<_> = units.filter_map(other).collect();
    found.retain(|(measure, _)| measure.is_smooth() && measure.saves(&known) >= LESS);
    found.sort_by(|a, b| a.0.badness().total_cmp(&b.0.badness()));
    let (measure, (_, whole, words)) = found.into_iter().next()?;
    let text = format!("Within the numbers, {words}: they are neither little- nor big-endian.");
    let mut diagnosis = Diagnosis::new("byte-order/within-numbers", text)
        .because(format!("Swapped back and read as {}-endian, they are plausible.", order.word()))
        .because(values(&measure));
    let is_raw = case.array.chain().is_some_and(|chain| chain.is_raw());
    // `dd` swaps the bytes of 16 bits only.
    if is_raw && whole == 2 {
        diagnosis =
            diagnosis.to_do("for each chunk file: dd if=FILE of=chunk conv=swab && mv chunk FILE");
    }
    Some(diagnosis)
}
