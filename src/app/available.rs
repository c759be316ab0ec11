//! The actions that do something here and now: what the footer and the key table offer.

use super::{
    Action, App, Focus, KeyContext, Overlay, Page, View,
    action::{ChunksAction, CompareAction, Motion, PromptKind},
};

impl App {
    /// True if `action` does something here and now.
    #[must_use]
    pub fn is_available(&self, action: Action) -> bool {
        self.is_available_under(self.cover(), action)
    }

    /// The same of what is below the key table.
    #[must_use]
    pub fn is_available_below_help(&self, action: Action) -> bool {
        let cover = self.under.as_ref().filter(|under| !matches!(under, Overlay::Explain(_)));
        // The table of one chunk is offered nowhere, but it can be asked for.
        let shows_table = action == Action::Chunks(ChunksAction::Table)
            && cover.is_none()
            && self.has_chunks_on_show();
        shows_table || self.is_available_under(cover, action)
    }

    fn is_available_under(&self, cover: Option<&Overlay>, action: Action) -> bool {
        let shows_chunks = || cover.is_none() && self.has_chunks_on_show();
        let in_table = cover.is_none() && self.has_table_focused();
        match (cover, action) {
            (None, Action::Chunks(_) | Action::Fault(_) | Action::Sort) if in_table => {
                self.pages.chunk_table.is_available(action, &self.shared)
            }
            (_, Action::Explain) => self.explained_under(cover).is_some(),
            (_, Action::Move(Motion::PageDown)) if self.explanation().is_some() => {
                let last = self.shared.geometry.last_line;
                self.explanation().is_some_and(|explained| explained.scroll.cursor() < last)
            }
            (_, Action::Lesson(_)) => self.lesson.is_some(),
            (_, Action::Script(_)) => self.script.is_some(),
            (_, Action::Compare(CompareAction::Difference(_))) => self.shows_comparison(),
            (_, Action::Chunks(_)) => {
                shows_chunks() && self.pages.chunks.is_available(action, &self.shared)
            }
            (None, Action::Sort) => self.shared.shows_overview() && !self.pages.overview.is_empty(),
            (None, Action::Fold) if !self.folds() => false,
            (Some(Overlay::Lessons(_)), Action::Pane(_) | Action::Ask(PromptKind::Search)) => false,
            (Some(_), _) | (_, Action::Compare(_)) => true,
            (None, Action::Fault(_)) if self.shared.focus != Focus::Tree => {
                let page = self.pages.of(self.shared.view);
                let steps = page.has_faults() && page.is_available(action, &self.shared);
                let (chunks, shows_chunks) = (&self.pages.chunks, self.has_chunks_on_show());
                steps || shows_chunks && chunks.is_available(action, &self.shared)
            }
            (None, _) => self.pages.focused(&self.shared).is_available(action, &self.shared),
        }
    }

    /// True if what has the keys can be folded.
    pub(super) fn folds(&self) -> bool {
        use KeyContext::{Tree, View as Of};
        self.cover().is_none()
            && matches!(self.focused(), Tree | Of(View::Metadata | View::Problems))
    }

    /// True if the table of chunks has the keys.
    pub(super) fn is_in_table(&self) -> bool {
        self.cover().is_none() && self.has_table_focused()
    }

    fn has_table_focused(&self) -> bool {
        self.shared.has_table() && self.shared.focus == Focus::View
    }

    /// True if a chunk of an array is what the view shows.
    pub(super) fn shows_chunks(&self) -> bool {
        self.cover().is_none() && self.has_chunks_on_show()
    }

    fn has_chunks_on_show(&self) -> bool {
        matches!(self.shared.view, View::Chunks | View::Picture) && self.shared.is_array()
    }
}
