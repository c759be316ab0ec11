//! One level back: what Esc closes, stops or leaves, and what `q` does.

use super::prelude::*;
use super::replies::page_of;

/// The lanes that Esc stops, the first of them that somebody waits for.
const STOPPABLE: [Lane; 8] = [
    Lane::Search,
    Lane::Count,
    Lane::Check,
    Lane::Table,
    Lane::Load,
    Lane::Picture,
    Lane::Presence,
    Lane::Overview,
];

impl App {
    pub(super) fn back(&mut self) {
        if self.cover().is_none() && self.drop_held() {
            return;
        }
        if matches!(self.overlay, Some(Overlay::Gallery))
            && self.pages.gallery.part != GalleryPart::List
        {
            self.pages.gallery.part = GalleryPart::List;
            return;
        }
        if self.back_on_top() {
            return;
        }
        if self.give_up_waiting() {
            return;
        }
        if let Some(lane) = STOPPABLE
            .into_iter()
            .find(|lane| self.shared.is_busy(*lane) && self.is_waited_for(*lane))
        {
            self.stop(lane);
        } else if self.is_in_table() {
            if !self.pages.chunk_table.back() {
                self.shared.toggle_table();
            }
        } else if self.shared.chunk.anchor.is_some() {
            self.shared.chunk.anchor = None;
        } else if self.shared.focus != Focus::Tree {
            self.back_a_pane();
        } else if !self.pages.tree.filter.is_empty() {
            self.drop_filter();
        } else {
            self.shared.say("nothing to go back from; h goes to the parent, q quits");
        }
    }

    /// From the map to the dump, from a view to the tree; before and after a what-if are left first.
    fn back_a_pane(&mut self) {
        match self.shared.focus {
            Focus::Map => self.shared.focus = Focus::View,
            Focus::View if self.compares_with_declared() => self.read_as_declared(),
            Focus::View | Focus::Tree => self.shared.focus = Focus::Tree,
        }
    }

    /// One level back in what is on top of the views; false where nothing is.
    fn back_on_top(&mut self) -> bool {
        if self.back_in_comparison() {
            return true;
        }
        let overlay = self.pop_overlay();
        let is_closed = overlay.is_some();
        if let Some(overlay) = overlay {
            self.closed(overlay);
        }
        is_closed
    }

    /// True if somebody who looks at the screen waits for this lane.
    fn is_waited_for(&self, lane: Lane) -> bool {
        let looks_at_chunks = self.shared.focus != Focus::Tree
            && matches!(self.shared.view, View::Chunks | View::Picture);
        match lane {
            Lane::Load => looks_at_chunks && self.shared.chunk.load.is_pending(),
            Lane::Picture => {
                let is_looked_at = looks_at_chunks && self.shared.view == View::Picture;
                let page = &self.pages.picture;
                is_looked_at && (page.pictured.is_pending() || page.is_drawing())
            }
            Lane::Overview => self.shared.shows_overview(),
            Lane::Table => self.is_in_table(),
            Lane::Presence => looks_at_chunks && !self.shared.chunk.presence.complete,
            _ => true,
        }
    }

    /// Undoes the changes of an overlay that is closed without being taken.
    fn closed(&mut self, overlay: Overlay) {
        match overlay {
            Overlay::Prompt(prompt) => self.abandon(&prompt),
            Overlay::Finder(_) => self.shared.cancel(Lane::Find),
            _ => {}
        }
    }

    pub(super) fn stop(&mut self, lane: Lane) {
        self.shared.cancel(lane);
        match lane {
            Lane::Node => self.give_up_node(),
            Lane::List => self.give_up_lists(),
            _ => {}
        }
        if let Some(page) = page_of(lane, &mut self.overlay, &mut self.pages) {
            page.stopped(lane, &mut self.shared);
        }
    }

    pub(super) fn leave(&mut self) {
        if self.pop_overlay().is_some() {
            return;
        }
        match self.shared.focus {
            Focus::Tree => self.shared.effects.push(Effect::Quit),
            Focus::View | Focus::Map => self.shared.focus = Focus::Tree,
        }
    }
}
