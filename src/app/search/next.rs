//! The next and the previous place that was searched for.

use crate::app::{
    App, Focus, Geometry, Pace, View, Work,
    action::Direction,
    chunks::Shown,
    effect::{Lane, Search},
    scroll::around,
    search::{Needle, Sought},
};
use crate::zarr::{codec::Data, text::safe};
use std::sync::Arc;

impl App {
    /// The next or previous place that was searched for, in the view that has the keys.
    pub(in crate::app) fn next_match(&mut self, way: Direction, geometry: &Geometry) {
        if self.shows_gallery() {
            return self.next_match_in_gallery(way, geometry);
        }
        match self.view {
            _ if self.focus == Focus::Tree && !self.tree.filter.is_empty() => {
                self.tree.to_match(way, geometry.tree.rows());
            }
            View::Metadata => {
                let height =
                    geometry.view.rows().saturating_sub(crate::app::copying::METADATA_FRAME);
                if !self.metadata.next_match(way, height) {
                    self.fail("not found");
                }
            }
            View::Problems | View::DataType => self.next_match_in_list(way),
            View::Chunks | View::Picture => self.search_chunk(way),
        }
    }

    pub(in crate::app) fn next_match_in_gallery(&mut self, way: Direction, geometry: &Geometry) {
        let height = self.gallery.list_rows(geometry.whole);
        if !self.gallery.next_match(way, height) {
            self.fail("no data type has that in its name or in either of its forms");
        }
    }

    fn next_match_in_list(&mut self, way: Direction) {
        let needle = self.list_needle.to_lowercase();
        if self.view == View::Problems {
            if !self.problems.next_match(&needle, way) {
                self.fail("not found");
            }
            return;
        }
        let rows = self.data_type.rows().iter();
        let texts = rows.map(|row| format!("{} {} {}", row.label, row.v2, row.v3));
        let texts: Vec<String> = texts.collect();
        let scroll = &mut self.data_type.scroll;
        let (from, len) = (scroll.cursor(), texts.len());
        let at = around(from, len, way)
            .find(|&at| texts.get(at).is_some_and(|text| text.to_lowercase().contains(&needle)));
        match at {
            Some(at) => *scroll = scroll.on(at),
            None => self.fail("not found"),
        }
    }

    /// Looks for what was typed last. It is understood anew: the chunk may be of another array by now.
    pub(in crate::app) fn search_chunk(&mut self, way: Direction) {
        let Some(sought) = self.chunks.sought.clone() else {
            return self.fail("nothing to search for yet: / asks");
        };
        let Some(shown) = self.chunks.shown().cloned() else {
            return self.fail("no chunk is on show to search in");
        };
        let elements = |stage| shown.data(stage).and_then(Data::elements);
        let here = elements(self.chunks.stage);
        let last = elements(shown.last());
        let needle = match sought {
            Sought::Line(line) => Needle::parse(&line, here.or(last)),
            Sought::Needle(needle) => Ok(needle),
        };
        match needle {
            Err(error) => self.fail(safe(&error.to_string())),
            Ok(needle) if needle.needs_elements() && last.is_none() => {
                self.fail("this chunk was not decoded to values: look for hex or text");
            }
            Ok(needle) => {
                // What only elements can be is looked for in the last stage.
                if needle.needs_elements() && here.is_none() {
                    self.chunks.choose_stage(shown.last());
                }
                self.hunt(shown, needle, way == Direction::Next);
            }
        }
    }

    fn hunt(&mut self, shown: Arc<Shown>, needle: Needle, forwards: bool) {
        let (stage, from, limit) = (self.chunks.stage, self.chunks.cursor, self.limit);
        self.chunks.searching = Some(Pace::default());
        self.chunks.skips_fill = needle.skips_fill();
        let search = Search { shown, stage, from, needle, forwards, limit };
        self.run(Lane::Search, Work::Search(Box::new(search)));
    }

    /// Looks for what `line` says in the chunk.
    pub(in crate::app) fn search_for(&mut self, line: &str) {
        self.chunks.sought = Some(Sought::Line(line.to_owned()));
        self.search_chunk(Direction::Next);
    }
}
