//! Values in the other byte order.

use super::reading::Outcome;
use crate::zarr::{
    byte_order::{self, Certainty, Verdict},
    codec::Elements,
    error::Diagnosis,
    metadata::ArrayMetadata,
    what_if::WhatIf,
};

/// The cause of values that look byte-swapped, which is seen `by` some chunks; `None` where fields differ, so that no one edit mends it.
#[must_use]
pub fn swapped(array: &ArrayMetadata, verdict: &Verdict, by: String) -> Option<Diagnosis> {
    let (declared, plausible) = (verdict.declared?, verdict.plausible?);
    let text = format!(
        "The values are {}-endian, not {}-endian as the metadata declare.",
        plausible.word(),
        declared.word()
    );
    let what_if = WhatIf::parse(&format!("endian={}", plausible.word())).ok()?;
    let mut cause = Diagnosis::new("byte-order", text);
    cause.evidence.clone_from(&verdict.evidence);
    cause.evidence.push(by);
    cause.fix = what_if.fix(array).ok();
    cause.what_if = Some(what_if.to_string());
    Some(cause)
}

/// The cause, if the chunks of a sample are certainly byte-swapped together, though each by itself is too short to tell.
pub(super) fn together(array: &ArrayMetadata, declared: &Outcome) -> Option<Diagnosis> {
    let chunks: Vec<&Elements> = declared.chunks.iter().collect();
    if chunks.len() < 2 {
        return None;
    }
    let verdict = byte_order::judge_together(&chunks);
    let is_certain = verdict.contradiction() == Some(Certainty::Certain);
    let by = format!("Judged together from {} chunks; no chunk alone is certain.", chunks.len());
    swapped(array, &verdict, by).filter(|_| is_certain)
}
