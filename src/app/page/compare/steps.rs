//! Going over the map of chunks, and from difference to difference.

use super::{BlockVerdict, ComparePage};
use crate::app::layout::CompareLayout;
use crate::app::prelude::*;

impl ComparePage {
    pub(super) fn move_in_map(
        &mut self,
        motion: Motion,
        count: Option<u64>,
        layout: &CompareLayout,
    ) {
        let Some(arrays) = self.pair().and_then(|pair| pair.arrays.as_ref()) else { return };
        let (counts, (down, right)) = (arrays.counts.clone(), self.axes());
        let fold = layout.fold(&counts);
        let many = count.unwrap_or(1).saturating_mul(fold);
        let mut go = |axis: Option<usize>, by: u64, forwards: bool| {
            let place = axis.and_then(|axis| Some((self.at.get_mut(axis)?, *counts.get(axis)?)));
            if let Some((place, count)) = place {
                let last = count.saturating_sub(1);
                *place = if forwards {
                    place.saturating_add(by).min(last)
                } else {
                    place.saturating_sub(by)
                };
            }
        };
        match motion {
            Motion::Up => go(down, many, false),
            Motion::Down => go(down, many, true),
            Motion::Left => go(Some(right), many, false),
            Motion::Right => go(Some(right), many, true),
            Motion::PageUp | Motion::HalfUp => go(down, fold.saturating_mul(10), false),
            Motion::PageDown | Motion::HalfDown => go(down, fold.saturating_mul(10), true),
            Motion::RowStart => go(Some(right), u64::MAX, false),
            Motion::RowEnd => go(Some(right), u64::MAX, true),
            Motion::Window(_) => {}
            Motion::First | Motion::Last => {
                let forwards = motion == Motion::Last;
                (0..counts.len()).for_each(|axis| go(Some(axis), u64::MAX, forwards));
            }
        }
    }

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
        let here = self.value.cursor();
        let shown = self.values.as_ref().map_or(0, |values| values.rows.len());
        let within = match way {
            Direction::Next => Some(here + 1).filter(|&next| next < shown),
            Direction::Previous => here.checked_sub(1),
        };
        if let Some(row) = within.filter(|_| self.part == ComparisonPart::Values) {
            self.value = self.value.on(row);
            return;
        }
        self.step_in_map(way, enters, shared);
    }

    fn step_in_documents(&mut self, way: Direction) -> bool {
        let rows = self.documents();
        let differs = |at: &usize| rows.get(*at).is_some_and(|row| row.join == Join::Differs);
        let here = self.row.cursor();
        let found = match way {
            Direction::Next => (here + 1..rows.len()).find(differs),
            Direction::Previous => (0..here).rev().find(differs),
        };
        if let Some(at) = found {
            self.row = self.row.on(at);
        }
        found.is_some()
    }

    /// To the next or previous chunk that differs; whoever `enters` the map may be on it already.
    fn step_in_map(&mut self, way: Direction, enters: bool, shared: &mut Shared) {
        use std::ops::Bound::{Excluded, Included, Unbounded};
        let Some(arrays) = self.pair().and_then(|pair| pair.arrays.as_ref()) else {
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
