//! Which byte order is plausible, and why.

use super::{codec::Elements, data_type::Endian};

/// Which order the bytes look like, with the evidence.
#[derive(Debug, Clone, PartialEq)]
pub struct Verdict {
    /// The order that the metadata declares; `None` where there is nothing to order.
    pub declared: Option<Endian>,
    /// The order that the values speak for; `None`: cannot tell.
    pub plausible: Option<Endian>,
    /// Why, each a sentence with its numbers, the strongest first. For an abstention: why not.
    pub evidence: Vec<String>,
}

/// Judges the elements that are loaded.
#[must_use]
pub fn judge(elements: &Elements) -> Verdict {
    let declared = elements.order().uniform();
    Verdict { declared, plausible: None, evidence: Vec::new() }
}
