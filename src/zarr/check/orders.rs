//! The verdicts on the byte order of an array's chunks, put together.

use crate::zarr::prelude::*;
use crate::zarr::{
    byte_order::{Certainty, JudgedArray, Verdict},
    diagnosis::swapped,
    store::in_natural_order,
};

/// The verdicts of chunks on their byte order, as far as they are certain. Likely ones are for those who ask for them:
/// of masks, labels and flags either order may be meant, and a healthy store has no findings.
#[derive(Default)]
pub(super) struct Orders {
    against: u64,
    agreeing: u64,
    likely: u64,
    /// Those among the likely ones that speak against the declared order.
    likely_against: u64,
    /// The first chunk that speaks against the declared order, and what it says.
    example: Option<(String, Verdict)>,
}

impl Orders {
    /// The number of chunks whose byte order is still to be looked at: enough that a few damaged ones are outvoted, and
    /// no more, for a look costs more than decoding most chunks does.
    pub(super) fn wanted(&self) -> usize {
        const THAT_TELL: u64 = 16;
        let that_tell = self.against + self.agreeing + self.likely;
        usize::try_from(THAT_TELL.saturating_sub(that_tell)).unwrap_or(usize::MAX)
    }

    /// Takes in what the chunk at `key` says.
    pub(super) fn weigh(&mut self, verdict: Verdict, key: impl FnOnce() -> String) {
        if verdict.contradiction() == Some(Certainty::Certain) {
            self.against += 1;
            // Stores list in orders of their own.
            let key = key();
            if self.example.as_ref().is_none_or(|(other, _)| in_natural_order(&key, other).is_lt())
            {
                self.example = Some((key, verdict));
            }
        } else if verdict.certainty == Some(Certainty::Certain) {
            self.agreeing += 1;
        } else {
            self.likely += u64::from(verdict.certainty.is_some());
            self.likely_against += u64::from(verdict.contradiction().is_some());
        }
    }

    /// True if several chunks together may say what none is sure of by itself: some likely contradict the declared order,
    /// or they are so small that each has little to say.
    pub(super) fn is_open(&self, are_small: bool) -> bool {
        let is_settled = self.agreeing > 0 && self.against == 0;
        !is_settled && (self.likely_against > 0 || are_small)
    }

    /// The warning that more chunks speak against the declared byte order than for it.
    pub(super) fn problem(self, array: &ArrayMetadata) -> Option<Problem> {
        let (against, of) = (self.against, self.against + self.agreeing);
        let (key, verdict) = self.example.filter(|_| against * 2 > of)?;
        let declared = verdict.declared.map_or("another", Endian::word);
        let plausible = verdict.plausible.map_or("the other", Endian::word);
        let found = format!("values that look {plausible}-endian in {against} of {of} chunks");
        let message = format!(
            "looks {plausible}-endian, but the metadata declares {declared}-endian ({against} of {})",
            counted(of, "chunk")
        );
        let error = Error::new(Code::ByteOrder, found, format!("{declared}-endian, as declared"))
            .saying(message);
        let evidence = verdict.evidence.first().cloned().unwrap_or_default();
        let agree = match of {
            1 => "Based on one chunk.".to_owned(),
            of => format!("{against} of {of} chunks with a verdict agree."),
        };
        let cause = swapped(array, &verdict, agree);
        let problem = Problem::new(error.in_file(key).with_fix(evidence));
        Some(Problem { diagnosis: cause.map(Arc::new), ..problem })
    }
}

/// The note, or where it is certain the warning, that chunks taken together speak against the declared byte order.
pub(super) fn contradicted(array: &ArrayMetadata, judged: &JudgedArray) -> Option<Problem> {
    let verdict = &judged.verdict;
    let certainty = verdict.contradiction().filter(|_| verdict.contradicts())?;
    let chunks = counted(judged.chunks.len(), "chunk");
    let found =
        format!("values in {chunks} that look otherwise than declared: {}", verdict.in_words());
    let declared = verdict.declared.map_or("the byte orders", Endian::word);
    let message = format!(
        "{chunks} taken together look {}, but the metadata declares {declared}",
        verdict.in_words()
    );
    let error = Error::new(Code::ByteOrder, found, format!("{declared}, as declared"));
    let error = error.saying(message);
    let evidence = verdict.evidence.first().cloned().unwrap_or_default();
    let error = error.in_file(judged.chunks.first().cloned().unwrap_or_default());
    let error = error.with_fix(evidence);
    if certainty < Certainty::Certain {
        return Some(Problem::new(error).with_severity(Severity::Note));
    }
    let cause = swapped(array, verdict, format!("{chunks} taken together."));
    Some(Problem { diagnosis: cause.map(Arc::new), ..Problem::new(error) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::zarr::{
        Registry,
        metadata::{RawDocument, v3},
    };
    use Certainty::{Certain, Likely};
    use Endian::{Big, Little};

    /// An array of which nothing is known.
    fn unknown() -> ArrayMetadata {
        v3::array(RawDocument::new("zarr.json", b"{}".to_vec()), &Registry::default())
    }

    #[test]
    fn as_many_chunks_for_a_byte_order_as_against_it_are_no_problem() {
        let weighed = |votes: &[(Endian, Certainty)]| {
            let mut orders = Orders::default();
            for &(plausible, certainty) in votes {
                let (declared, plausible) = (Some(Little), Some(plausible));
                let (evidence, components, certainty) = (Vec::new(), Vec::new(), Some(certainty));
                let verdict = Verdict { declared, plausible, certainty, evidence, components };
                orders.weigh(verdict, String::new);
            }
            orders.problem(&unknown()).is_some()
        };
        let of = |orders: &[Endian], certainty| {
            weighed(&orders.iter().map(|&order| (order, certainty)).collect::<Vec<_>>())
        };
        assert!(of(&[Little, Big, Big], Certain) && of(&[Big], Certain));
        assert!(!of(&[Big, Little], Certain) && !of(&[Little], Certain) && !weighed(&[]));
        // What is likely counts neither way.
        assert!(!of(&[Big, Big], Likely));
        assert!(weighed(&[(Little, Likely), (Little, Likely), (Big, Certain)]));
    }
}
