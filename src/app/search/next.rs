//! The next and the previous place in the array that was searched for.

use crate::app::prelude::*;
use crate::app::{
    effect::{CountMatches, Found, Search},
    search::Hits,
};

impl Shared {
    /// Looks for what was typed last. It is understood again: the chunk may be of another array by now.
    pub(in crate::app) fn search_chunk(&mut self, way: Direction) {
        let Some(sought) = self.chunk.sought.clone() else {
            return self.fail(NO_SEARCH);
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
            Err(error) => self.fail(safe_text(&error)),
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

    fn hunt(&mut self, shown: Arc<Shown>, mut needle: Needle, forwards: bool) {
        let (stage, from, limit) = (self.chunk.stage, self.chunk.cursor, self.limit);
        self.chunk.searching = Some(Pace::default());
        needle.leave_out_missing(&shown.array);
        self.chunk.leaves_out = needle.leaves_out();
        self.count_matches(&shown, &needle);
        let empty = Arc::clone(&self.chunk.count.empty);
        let search = Search { shown, stage, from, needle, forwards, limit, empty };
        self.run(Lane::Search, Work::Search(Box::new(search)));
    }

    /// Has the matches in all chunks counted, unless that was done or goes on.
    fn count_matches(&mut self, shown: &Arc<Shown>, needle: &Needle) {
        let is_last = self.chunk.stage == shown.last();
        let in_elements = is_last && shown.chunk.elements().is_some();
        let is_countable = in_elements && !matches!(needle, Needle::Bytes(_));
        if self.chunk.count.needle.as_ref() == Some(needle) {
            return;
        }
        if self.is_busy(Lane::Count) {
            self.cancel(Lane::Count);
        }
        self.chunk.count = HitCount::default();
        if is_countable && (self.chunk.has_map() || self.chunk.depth() > 0) {
            let count = CountMatches {
                path: shown.path.clone(),
                array: Arc::clone(&shown.array),
                needle: needle.clone(),
                fill: shown.fill.clone(),
                limit: self.limit,
            };
            self.chunk.count.needle = Some(needle.clone());
            self.chunk.count.pace = Some(Pace::default());
            self.run(Lane::Count, Work::Count(Box::new(count)));
        }
    }

    /// Takes in how many matches were counted; at the end, says it.
    pub(in crate::app) fn counted(&mut self, hits: Hits) {
        let count = &mut self.chunk.count;
        if hits.is_complete {
            (count.pace, count.empty) = (None, hits.empty());
            if self.message.is_none() {
                self.say(hits.in_words());
            }
        } else {
            count.pace = Some(Pace { done: hits.done, of: hits.of, elapsed: hits.elapsed });
        }
        self.chunk.count.hits = hits;
    }

    /// Looks for what `line` says in the chunk, and on from there.
    pub(in crate::app) fn search_for(&mut self, line: &str) {
        self.chunk.sought = Some(Sought::Line(line.to_owned()));
        self.search_chunk(Direction::Next);
    }

    /// Takes the place in that a search has come to.
    pub(in crate::app) fn found(&mut self, found: Option<Found>) {
        self.chunk.searching = None;
        let Some(Found { id, range, wrapped, passed }) = found else {
            let aside = if self.chunk.leaves_out { ", missing values aside" } else { "" };
            let is_one = !self.chunk.has_map() && self.chunk.depth() == 0;
            let whole = if is_one { "this chunk" } else { "any stored chunk" };
            return self.fail(format!("not found in {whole}{aside}"));
        };
        let is_same = id == self.chunk.id && range.start == self.chunk.cursor;
        let key = self
            .chunk
            .array
            .as_ref()
            .and_then(|(_, array)| Some(array.known_key_encoding()?.key(&id.coordinates)));
        let mut said = Vec::new();
        if is_same {
            said.push("this is the only match".to_owned());
        } else if wrapped {
            said.push("wrapped: the search continued from the other end".to_owned());
        }
        if id == self.chunk.id {
            self.remember();
            self.chunk.place(range.start);
            self.cover(range);
        } else {
            said.push(format!("found in chunk {}", safe(&key.unwrap_or_default())));
            self.chunk.landing = Some(Landing::Stage(self.chunk.stage, range.start));
            self.go_to_chunk(id);
        }
        if passed > 0 {
            said.push(format!("{} in between cannot be read", counted(passed, "chunk")));
        }
        if !said.is_empty() {
            self.say(said.join("; "));
        }
    }

    /// Marks what was found among bytes.
    fn cover(&mut self, range: Range<u64>) {
        let in_bytes = self.chunk.data().is_some_and(|data| data.elements().is_none());
        if range.end - range.start > 1 && in_bytes {
            self.chunk.covers = Some(range);
        }
    }
}
