//! The next and the previous place in the chunk that was searched for.

use crate::app::{
    Lane, Pace, Shared, Work,
    action::Direction,
    current_chunk::Shown,
    effect::Search,
    search::{Needle, Sought},
};
use crate::zarr::{codec::Data, text::safe};
use std::{ops::Range, sync::Arc};

impl Shared {
    /// Looks for what was typed last. It is understood again: the chunk may be of another array by now.
    pub(in crate::app) fn search_chunk(&mut self, way: Direction) {
        let Some(sought) = self.chunk.sought.clone() else {
            return self.fail("nothing to search for: press / first");
        };
        let Some(shown) = self.chunk.shown().cloned() else {
            return self.fail("no chunk is open to search in");
        };
        let elements = |stage| shown.data(stage).and_then(Data::elements);
        let here = elements(self.chunk.stage);
        let last = elements(shown.last());
        let needle = match sought {
            Sought::Line(line) => Needle::parse(&line, here.or(last)),
            Sought::Needle(needle) => Ok(needle),
        };
        match needle {
            Err(error) => self.fail(safe(&error.to_string())),
            Ok(needle) if needle.needs_elements() && last.is_none() => {
                self.fail("this chunk was not decoded to values: search for hex or text");
            }
            Ok(needle) => {
                // What only elements can be is looked for in the last stage.
                if needle.needs_elements() && here.is_none() {
                    self.chunk.choose_stage(shown.last());
                }
                self.hunt(shown, needle, way == Direction::Next);
            }
        }
    }

    fn hunt(&mut self, shown: Arc<Shown>, needle: Needle, forwards: bool) {
        let (stage, from, limit) = (self.chunk.stage, self.chunk.cursor, self.limit);
        self.chunk.searching = Some(Pace::default());
        self.chunk.skips_fill = needle.skips_fill();
        let search = Search { shown, stage, from, needle, forwards, limit };
        self.run(Lane::Search, Work::Search(Box::new(search)));
    }

    /// Looks for what `line` says in the chunk.
    pub(in crate::app) fn search_for(&mut self, line: &str) {
        self.chunk.sought = Some(Sought::Line(line.to_owned()));
        self.search_chunk(Direction::Next);
    }

    /// Takes the place in that a search has come to.
    pub(in crate::app) fn found(&mut self, range: Option<Range<u64>>) {
        self.chunk.searching = None;
        let Some(range) = range else {
            let aside = if self.chunk.skips_fill { ", fill values aside" } else { "" };
            let next = ". opens the next chunk, n searches it";
            return self.fail(format!("not found in this chunk{aside}; {next}"));
        };
        self.remember();
        self.chunk.place(range.start);
        let in_bytes = self.chunk.shown().is_some_and(|shown| {
            shown.data(self.chunk.stage).is_some_and(|data| data.elements().is_none())
        });
        if range.end - range.start > 1 && in_bytes {
            self.chunk.covers = Some(range);
        }
    }
}
