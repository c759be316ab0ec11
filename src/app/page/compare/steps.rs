//! Going over the map of chunks, and from difference to difference.

use crate::app::prelude::*;

impl ComparePage {
    /// To the next or previous difference: a row of the documents, an element, a chunk that has some.
    pub(super) fn step(&mut self, way: Direction, shared: &mut Shared) {
        if !self.is_open {
            let differs = |at: &usize| self.pairs.get(*at).is_some_and(|pair| !pair.is_equal());
            let found = around(self.scroll.cursor(), self.pairs.len(), way).find(differs);
            return match found {
                Some(at) => self.scroll = self.scroll.on(at),
                None => shared.say("no pair differs so far"),
            };
        }
        let enters = self.part == ComparisonPart::Documents;
        if enters && self.step_in_documents(way) {
            return;
        }
        if enters && way == Direction::Previous {
            return shared.say("no difference before this one");
        }
        let shown = self.values.as_ref().map_or(0, |values| values.rows.len());
        let row = self.value.next(way, shown, |_| self.part == ComparisonPart::Values);
        if row.is_some() {
            self.value.select(row);
            return;
        }
        self.step_in_map(way, enters, shared);
    }

    fn step_in_documents(&mut self, way: Direction) -> bool {
        let rows = self.documents();
        let differs = |at: &usize| rows.get(*at).is_some_and(|row| row.join == Join::Differs);
        let found = self.row.next(way, rows.len(), differs);
        self.row.select(found);
        found.is_some()
    }

    /// To the next or previous chunk that differs; whoever `enters` the map may be on it already.
    fn step_in_map(&mut self, way: Direction, enters: bool, shared: &mut Shared) {
        use std::ops::Bound::{Excluded, Included, Unbounded};
        let Some(arrays) = self.arrays() else {
            return shared.say("no values are compared here");
        };
        let is_wanted = |(_, block): &(&Vec<u64>, &ComparedBlock)| {
            block.different > 0 || block.verdict() == BlockVerdict::Unreadable
        };
        let here = self.at.clone();
        let found = match way {
            Direction::Next => {
                let start = if enters { Included(here) } else { Excluded(here) };
                arrays.blocks.range((start, Unbounded)).find(is_wanted)
            }
            Direction::Previous => {
                arrays.blocks.range((Unbounded, Excluded(here))).rfind(is_wanted)
            }
        };
        let at = found.map(|(at, _)| at.clone());
        if enters {
            self.part = ComparisonPart::Chunks;
        }
        if let Some(at) = at {
            self.at = at;
        } else {
            let so_far = if self.state == WorkState::Over { "" } else { " so far" };
            shared.say(format!("no other chunk differs in that direction{so_far}"));
        }
    }
}
