//! What the chunks of an array say of their byte order, put together.

use crate::zarr::{
    byte_order::Verdict,
    data_type::Endian,
    error::{Code, Diagnosis, Error, Problem},
    metadata::ArrayMetadata,
    what_if::WhatIf,
};
use std::sync::Arc;

/// What the chunks say of their byte order.
#[derive(Default)]
pub(super) struct Orders {
    against: u64,
    agreeing: u64,
    /// The first chunk that speaks against the declared order, and what it says.
    example: Option<(String, Verdict)>,
}

impl Orders {
    /// The number of chunks that tell.
    pub(super) fn asked(&self) -> u64 {
        self.against + self.agreeing
    }

    /// Takes in what the chunk at `key` says.
    pub(super) fn weigh(&mut self, verdict: Verdict, key: impl FnOnce() -> String) {
        if verdict.contradicts() {
            self.against += 1;
            self.example.get_or_insert_with(|| (key(), verdict));
        } else if verdict.plausible.is_some() {
            self.agreeing += 1;
        }
    }

    /// The warning that more chunks speak against the declared byte order than for it.
    pub(super) fn problem(self, array: &ArrayMetadata) -> Option<Problem> {
        let (key, verdict) = self.example.filter(|_| self.against > self.agreeing)?;
        let declared = verdict.declared.map_or("another", Endian::word);
        let plausible = verdict.plausible.map_or("the other", Endian::word);
        let found = format!(
            "values that look {plausible}-endian in {} of {} chunks",
            self.against,
            self.against + self.agreeing
        );
        let error = Error::new(Code::ByteOrder, found, format!("{declared}-endian, as declared"));
        let evidence = verdict.evidence.first().cloned().unwrap_or_default();
        let cause = swapped(array, &verdict, self.against, self.against + self.agreeing);
        let problem = Problem::warning(error.in_file(key).with_fix(evidence));
        Some(Problem { diagnosis: cause.map(Arc::new), ..problem })
    }
}

/// The cause of values that look byte-swapped; `None` where fields differ, so that no one edit mends it.
fn swapped(array: &ArrayMetadata, verdict: &Verdict, against: u64, of: u64) -> Option<Diagnosis> {
    let (declared, plausible) = (verdict.declared?, verdict.plausible?);
    let text = format!(
        "The values are {}-endian, not {}-endian as the metadata declare.",
        plausible.word(),
        declared.word()
    );
    let what_if = WhatIf::parse(&format!("endian={}", plausible.word())).ok()?;
    let mut cause = Diagnosis::new("byte-order", text);
    cause.evidence.clone_from(&verdict.evidence);
    cause.evidence.push(format!("So it is in {against} of the {of} chunks that tell."));
    cause.fix = what_if.fix(array).ok();
    cause.what_if = Some(what_if.to_string());
    Some(cause)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::zarr::{
        Registry,
        metadata::{RawDocument, v3},
    };
    use Endian::{Big, Little};

    /// An array of which nothing is known.
    fn unknown() -> ArrayMetadata {
        v3::array(RawDocument::new("zarr.json", b"{}".to_vec()), &Registry::default())
    }

    #[test]
    fn as_many_chunks_for_a_byte_order_as_against_it_are_no_problem() {
        let weighed = |plausible: &[Endian]| {
            let mut orders = Orders::default();
            for &plausible in plausible {
                let (declared, plausible) = (Some(Little), Some(plausible));
                let (evidence, components) = (Vec::new(), Vec::new());
                let verdict = Verdict { declared, plausible, evidence, components };
                orders.weigh(verdict, String::new);
            }
            orders.problem(&unknown()).is_some()
        };
        assert!(weighed(&[Little, Big, Big]) && weighed(&[Big]));
        assert!(!weighed(&[Big, Little]) && !weighed(&[Little]) && !weighed(&[]));
    }
}
