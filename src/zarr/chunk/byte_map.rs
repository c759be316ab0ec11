//! The way of a byte from stage to stage, back to the file and on to the elements: each codec tells its own part
//! ([`Codec::follow`](crate::zarr::codec::Codec::follow)), here the steps are put together.

use crate::zarr::codec::{ByteTarget, Passage, Towards};
use crate::zarr::prelude::*;

/// The longest range whose bytes are followed one by one.
const SHORT: u64 = 64;
/// The longest range that [`Chunk::runs_in`] takes apart: no element that one looks at byte by byte is longer.
const LONGEST: u64 = 256;

/// To whom a byte belongs that goes nowhere.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Owner {
    /// The codec.
    pub codec: String,
    /// The role of the byte in it: the name of a field of its header, the algorithm of its checksum.
    pub part: Option<String>,
}

impl Chunk {
    /// The place in the output of stage `to` that corresponds to `target` in that of stage `from`.
    pub fn follow(&self, from: usize, target: ByteTarget, to: usize) -> ByteTarget {
        let (towards, steps): (_, Vec<usize>) = if to > from {
            (Towards::Elements, (from + 1..=to).collect())
        } else {
            (Towards::File, (to + 1..=from).rev().collect())
        };
        let step = |target, stage: usize| self.through(stage, target, towards);
        steps.into_iter().fold(target, step)
    }

    /// The bytes of `range` of stage `from` as runs of bytes of stage `to`, in order; `None` where they cannot be told
    /// one by one.
    pub fn runs_in(&self, from: usize, range: Range<u64>, to: usize) -> Option<Vec<Range<u64>>> {
        let mut runs: Vec<Range<u64>> = Vec::new();
        for offset in range.start..range.end.min(range.start.saturating_add(LONGEST)) {
            let ByteTarget::Exact(at) = self.follow(from, ByteTarget::Exact(offset), to) else {
                return None;
            };
            match runs.last_mut().filter(|run| run.end == at) {
                Some(run) => run.end += 1,
                None => runs.push(at..at + 1),
            }
        }
        (range.end - range.start <= LONGEST).then_some(runs)
    }

    /// Whose byte `offset` of stage `from` is, if it is lost on its way to the elements at stage `last`.
    pub fn owner(&self, from: usize, offset: u64, last: usize) -> Option<Owner> {
        let mut at = offset;
        for number in from + 1..=last {
            match self.through(number, ByteTarget::Exact(at), Towards::Elements) {
                ByteTarget::Exact(next) => at = next,
                ByteTarget::Range(_) => return None,
                ByteTarget::Nothing => {
                    let stage = self.stages.get(number)?;
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

    /// Follows `target` through the codec of stage `number`.
    fn through(&self, number: usize, target: ByteTarget, towards: Towards) -> ByteTarget {
        let Some(stage) = self.stages.get(number) else { return ByteTarget::Nothing };
        let output = |stage: usize| self.stages.get(stage)?.output.as_ref();
        let passage = Passage {
            input: number.checked_sub(1).and_then(output),
            input_len: stage.input_len,
            output: stage.output.as_ref(),
            blocks: &stage.blocks,
            header: &stage.header,
            checksum: stage.checksum.as_ref(),
            count: self.elements().map_or(0, Elements::len),
        };
        match target {
            ByteTarget::Exact(offset) => stage.one(offset, towards, &passage),
            ByteTarget::Range(range) => stage.range(&range, towards, &passage),
            ByteTarget::Nothing => ByteTarget::Nothing,
        }
    }
}

impl Stage {
    fn one(&self, offset: u64, towards: Towards, passage: &Passage) -> ByteTarget {
        match &self.codec {
            Some(codec) => codec.follow(offset, towards, passage),
            None => passage.block(offset, towards),
        }
    }

    /// A range through the codec: what all its bytes correspond to together.
    fn range(&self, range: &Range<u64>, towards: Towards, passage: &Passage) -> ByteTarget {
        let len = passage.len(towards);
        if range.end.saturating_sub(range.start) <= SHORT {
            let targets = range.clone().map(|offset| self.one(offset, towards, passage));
            return ByteTarget::hull(targets).map_or(ByteTarget::Nothing, ByteTarget::Range);
        }
        if self.codec.as_ref().is_some_and(|codec| !codec.keeps_order(passage)) {
            return ByteTarget::Range(0..len);
        }
        // Codecs keep the order of bytes, or of what they belong to; what is their own is at the ends.
        let ends = [range.start, range.end - 1].map(|offset| self.one(offset, towards, passage));
        ByteTarget::Range(match ends {
            [ByteTarget::Nothing, ByteTarget::Nothing] => 0..len,
            [ByteTarget::Nothing, last] => 0..ByteTarget::hull([last]).map_or(len, |last| last.end),
            [first, ByteTarget::Nothing] => {
                ByteTarget::hull([first]).map_or(0, |first| first.start)..len
            }
            both => ByteTarget::hull(both).unwrap_or(0..len),
        })
    }
}
