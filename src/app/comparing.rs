//! Marking nodes and comparing them, and the page of that over everything else.

use super::prelude::*;

impl App {
    /// True if the comparison is on show, or under what is.
    pub(super) fn shows_comparison(&self) -> bool {
        matches!(self.cover(), Some(Overlay::Compare))
    }

    /// Marks the node on show; where another is marked, compares both; in a comparison, the other way round.
    pub(super) fn mark_or_compare(&mut self) {
        if self.shows_comparison() {
            return self.pages.compare.acted(Action::Compare, &mut self.shared);
        }
        let here = self.shared.node_path();
        let shows_chunk = matches!(self.shared.view, View::Chunks | View::Picture)
            && self.shared.is_array()
            && !self.shared.has_table();
        let side = if shows_chunk {
            CompareSide::Chunk(here, self.shared.chunk.id.clone())
        } else {
            CompareSide::Node(here)
        };
        let node = |side: &CompareSide| side.node().cloned();
        match self.pages.compare.marked.take() {
            None => {
                let name = node(&side).unwrap_or_default().in_words();
                self.pages.compare.marked = Some(side);
                let what = if shows_chunk { "another chunk or array" } else { "another node" };
                self.shared.say(format!("Marked A: {name}. Press = on {what}; Esc unmarks."));
            }
            Some(before) if node(&before) != node(&side) => {
                let nodes = [before, side].map(|side| node(&side).unwrap_or_default());
                self.show_comparison(nodes.map(CompareSide::Node));
            }
            Some(before @ CompareSide::Chunk(..)) if shows_chunk && before != side => {
                self.show_comparison([before, side]);
            }
            Some(_) => {
                self.shared.say("Unmarked. Press = on two different nodes to compare them.");
            }
        }
    }

    /// Compares the node on show with the one at a path; without a path, shows the comparison before.
    pub(super) fn compare_with(&mut self, path: &str) {
        if let Some(other) = self.chunk_named(path) {
            let (here, own) = (self.shared.node_path(), self.shared.chunk.id.clone());
            let sides = [own, other].map(|id| CompareSide::Chunk(here.clone(), id));
            return self.show_comparison(sides);
        }
        if !path.is_empty() {
            let here = CompareSide::Node(self.shared.node_path());
            return self.show_comparison([here, CompareSide::Typed(path.to_owned())]);
        }
        if self.pages.compare.sides.is_none() {
            return self
                .shared
                .fail("compare needs a path: compare PATH; or = on one node, then on another");
        }
        self.close_overlays();
        self.overlay = Some(Overlay::Compare);
        self.pages.compare.go_on(&mut self.shared);
    }

    /// The chunk of the array on show that has this key.
    fn chunk_named(&self, key: &str) -> Option<ChunkId> {
        let is_node = key.is_empty() || self.pages.tree.has(key);
        if is_node { None } else { self.shared.chunk_id(key).ok() }
    }

    fn show_comparison(&mut self, sides: [CompareSide; 2]) {
        (self.overlay, self.under) = (Some(Overlay::Compare), None);
        self.pages.compare.compare(sides, &mut self.shared);
    }

    /// Sets how far numbers may be apart: `1e-6`, or `1e-6,1e-3` for a part of the first one besides.
    pub(super) fn set_tolerance(&mut self, text: &str) {
        let number =
            |text: &str| text.trim().parse::<f64>().ok().filter(|n| n.is_finite() && *n >= 0.0);
        let (absolute, relative) = text.split_once(',').unwrap_or((text, "0"));
        let (Some(absolute), Some(relative)) = (number(absolute), number(relative)) else {
            let text = safe(text);
            return self.shared.fail(format!(
                "tolerance needs a number of 0 or more, such as 1e-6 or 1e-6,1e-3; found {text}"
            ));
        };
        let by_bits = self.pages.compare.tolerance.by_bits;
        self.pages.compare.tolerance = Tolerance { absolute, relative, by_bits };
        match self.pages.compare.sides.clone() {
            Some(sides) => self.show_comparison(sides),
            None => self.shared.say("the next comparison treats numbers this close as equal"),
        }
    }

    /// One level back in the comparison: stops it, then goes from a pair to the list. Elsewhere, drops the mark. False
    /// where there is nothing of that.
    pub(super) fn back_in_comparison(&mut self) -> bool {
        if self.overlay.is_none() {
            let was_marked = self.pages.compare.marked.take().is_some();
            if was_marked {
                self.shared.say("unmarked");
            }
            return was_marked;
        }
        if !matches!(self.overlay, Some(Overlay::Compare)) {
            return false;
        }
        self.stops_comparing() || self.pages.compare.back()
    }

    /// Ends a comparison that is under way. True if there was one.
    fn stops_comparing(&mut self) -> bool {
        let is_busy = self.shared.is_busy(Lane::Compare);
        if is_busy {
            self.stop(Lane::Compare);
        }
        is_busy
    }

    /// Lets the comparison ask for what it shows; stops it where nobody looks at it.
    pub(super) fn follow_comparison(&mut self) {
        if self.shows_comparison() {
            return self.pages.compare.wanted(&mut self.shared);
        }
        self.pages.compare.ignore(&mut self.shared);
        self.stops_comparing();
    }
}
