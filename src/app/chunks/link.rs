//! Where a byte of one stage comes from in the stage before it, and goes to in the one after.
//!
//! Exactly, through codecs that only move bytes or add some at an end; as the bytes of the same element through one
//! that changes values or packs them; through a compressor as the block that holds it, or as the whole of what it made
//! where its output does not say which byte holds which. What is said is always true: a range holds the byte, and
//! perhaps others.

use super::shown::Shown;
use crate::zarr::codec::{Data, Elements};
use hop::Hop;
use std::ops::Range;

mod hop;
mod packed;

/// What a byte corresponds to in another stage.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Link {
    /// This very byte.
    Exact(u64),
    /// Something in these bytes.
    Within(Range<u64>),
    /// Nothing: the byte is a codec's own, such as a header or a checksum; or nothing is stored for it.
    Nothing,
}

/// To whom a byte belongs that goes nowhere.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Owner {
    /// The codec.
    pub codec: String,
    /// What the byte is to it: the name of a field of its header, the algorithm of its checksum.
    pub part: Option<String>,
}

impl Shown {
    /// What byte `offset` of stage `from` corresponds to in stage `to`.
    #[must_use]
    pub fn link(&self, from: usize, offset: u64, to: usize) -> Link {
        self.follow(from, Link::Exact(offset), to)
    }

    /// What that of stage `from` to which `link` leads corresponds to in stage `to`.
    #[must_use]
    pub fn follow(&self, from: usize, link: Link, to: usize) -> Link {
        let mut link = link;
        let mut at = from;
        while at != to {
            let next = if to > at { at + 1 } else { at - 1 };
            link = match self.hop(at.max(next)) {
                Some(hop) => hop.follow(link, to > at),
                None => Link::Within(0..self.data(next).map_or(0, Data::len)),
            };
            at = next;
        }
        link
    }

    /// The bytes of `range` of stage `from` as runs of bytes of stage `to`, in order; `None` where they cannot be told
    /// one by one.
    #[must_use]
    pub fn runs_in(&self, from: usize, range: Range<u64>, to: usize) -> Option<Vec<Range<u64>>> {
        /// No element that one looks at byte by byte has more.
        const MOST: u64 = 256;
        let mut runs: Vec<Range<u64>> = Vec::new();
        for offset in range.start..range.end.min(range.start + MOST) {
            let Link::Exact(at) = self.link(from, offset, to) else { return None };
            match runs.last_mut().filter(|run| run.end == at) {
                Some(run) => run.end += 1,
                None => runs.push(at..at + 1),
            }
        }
        (range.end - range.start <= MOST).then_some(runs)
    }

    /// Whose byte `offset` of stage `from` is, if it is lost on its way to the elements.
    #[must_use]
    pub fn owner(&self, from: usize, offset: u64) -> Option<Owner> {
        let mut at = offset;
        for stage in from + 1..=self.last() {
            match self.hop(stage)?.follow(Link::Exact(at), true) {
                Link::Exact(next) => at = next,
                Link::Within(_) => return None,
                Link::Nothing => {
                    let stage = self.chunk.stages.get(stage)?;
                    let field = stage.header.iter().find(|field| field.bytes.contains(&at));
                    let sum = stage.checksum.as_ref().filter(|sum| sum.bytes.contains(&at));
                    let part = sum
                        .map(|sum| format!("its {}", sum.algorithm))
                        .or_else(|| field.map(|field| field.name.clone()));
                    return Some(Owner { codec: stage.name.clone(), part });
                }
            }
        }
        None
    }

    /// The stage `at` with what lies on both sides of it.
    fn hop(&self, at: usize) -> Option<Hop<'_>> {
        let stage = self.chunk.stages.get(at)?;
        let count = self.chunk.elements().map_or(0, Elements::len);
        Some(Hop { stage, before: self.data(at.checked_sub(1)?), after: self.data(at), count })
    }
}
