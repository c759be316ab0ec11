//! The actions that do something here and now, and the page that does it: what the footer and the key table offer.

use super::prelude::*;

/// The places that have the thing which an action is about, whether or not it can be had just now, and what is said
/// elsewhere; nothing for an action that is not a page's.
fn places(action: Action) -> Option<(&'static [KeyContext], &'static str)> {
    use KeyContext::{Bits, ChunkTable, Compare, Map, Overview, Tree};
    const CHUNKS: KeyContext = KeyContext::View(View::Chunks);
    const PICTURE: KeyContext = KeyContext::View(View::Picture);
    const METADATA: KeyContext = KeyContext::View(View::Metadata);
    const PROBLEMS: KeyContext = KeyContext::View(View::Problems);
    const NO_CHUNK: &str = "no chunk is open here; 2 shows the chunks of an array";
    Some(match action {
        Action::Fold => (
            &[Map, CHUNKS, Tree, Compare, METADATA, PROBLEMS],
            "nothing folds here; groups, equal rows, documents and problems do",
        ),
        Action::Sort => (
            &[Overview, ChunkTable],
            "nothing to sort here; the overview of a group and the chunk table sort",
        ),
        Action::Step(StepTo::Difference, _) => (
            &[Compare],
            "nothing is compared here: = marks a node, and = on another compares the two",
        ),
        Action::Step(StepTo::Slice, _) => (&[PICTURE], "no slices here; 3 draws those of an array"),
        Action::Step(StepTo::Fault, _) => (
            &[Map, CHUNKS, Tree, ChunkTable, PICTURE, METADATA],
            "no faults to step through here; 5 shows what is wrong",
        ),
        Action::Step(..) => (&[Map, CHUNKS, ChunkTable, PICTURE], NO_CHUNK),
        Action::Shows | Action::Axes => {
            (&[Map, CHUNKS, PICTURE], "no map and no picture here; 2 and 3 show those of an array")
        }
        Action::OtherOrder => (&[Map, CHUNKS, Bits], NO_CHUNK),
        Action::Deeper(_) | Action::Ask(PromptKind::Export) | Action::ChunkTable => {
            (&[Map, CHUNKS, ChunkTable], NO_CHUNK)
        }
        Action::Base | Action::Inspector | Action::Offsets | Action::IgnoreChecksums => {
            (&[Map, CHUNKS], NO_CHUNK)
        }
        Action::Physical | Action::SortBy(_) => {
            (&[ChunkTable], "no chunk table here; in view 2, t shows it")
        }
        Action::Zoom(_) | Action::Scale | Action::Extreme(_) | Action::NonFinite => {
            (&[PICTURE], NO_CHUNK)
        }
        Action::OtherDocument => (&[METADATA], NO_CHUNK),
        Action::TryElement | Action::FlipBit | Action::SwapBytes => (&[Bits], NO_CHUNK),
        _ => return None,
    })
}

impl Action {
    /// The reason why it does nothing where the thing that it is about is on show, but cannot go further.
    fn refusal(self) -> Option<&'static str> {
        Some(match self {
            Self::Deeper(Direction::Next) => "this is the innermost level: values",
            Self::Deeper(Direction::Previous) => "this is the outermost level: the file as stored",
            Self::Step(StepTo::Field, _) => "these elements have no fields or parts",
            Self::OtherOrder => "these bytes have no byte order",
            _ => return None,
        })
    }
}

/// The place whose page does what is asked of a place: what is not about the picture itself is about the chunk drawn.
fn doer(place: KeyContext, action: Action) -> KeyContext {
    match (place, action) {
        (_, Action::Step(StepTo::Slice | StepTo::Field, _)) => place,
        (KeyContext::View(View::Picture), Action::Step(..)) => KeyContext::View(View::Chunks),
        _ => place,
    }
}

impl App {
    /// Lets the page carry it out that has the thing which an action is about; else says where that is, or why it does
    /// nothing.
    pub(super) fn of_page(&mut self, action: Action) {
        let Some(place) = self.place_of(self.cover(), action) else {
            return self.shared.say(places(action).map_or("", |(_, elsewhere)| elsewhere));
        };
        let is_here = self.cover().is_some() || self.shared.chunk.shown().is_some();
        if let Some(why) = action.refusal().filter(|_| is_here)
            && !self.pages.at(doer(place, action)).is_available(action, &self.shared)
        {
            return self.shared.say(why);
        }
        self.pages.at_mut(doer(place, action)).acted(action, &mut self.shared);
    }

    /// The place that has the thing which an action is about: what is on top; else the pane that has the keys, or the
    /// view beside the tree.
    fn place_of(&self, cover: Option<&Overlay>, action: Action) -> Option<KeyContext> {
        let here = match cover {
            Some(Overlay::Compare) => [KeyContext::Compare; 2],
            Some(Overlay::Gallery) if self.pages.gallery.part == GalleryPart::Bits => {
                [KeyContext::Bits; 2]
            }
            Some(_) => return None,
            None => [self.focused(), self.shared.beside()],
        };
        let (wanted, _) = places(action)?;
        here.into_iter().find(|place| wanted.contains(place))
    }

    /// True if `action` does something here and now.
    pub fn is_available(&self, action: Action) -> bool {
        self.is_available_under(self.cover(), action)
    }

    /// The same of what is below the key table.
    pub fn is_available_below_help(&self, action: Action) -> bool {
        let cover = self.under.as_ref().filter(|under| !matches!(under, Overlay::Explain(_)));
        // The table of one chunk is offered nowhere, but it can be asked for.
        let shows_table = action == Action::ChunkTable;
        shows_table && self.place_of(cover, action).is_some()
            || self.is_available_under(cover, action)
    }

    fn is_available_under(&self, cover: Option<&Overlay>, action: Action) -> bool {
        if self.shared.opening.is_some() && cover.is_none() {
            return self.is_possible_while_opening(action);
        }
        match (cover, action) {
            (_, Action::Explain) => self.explained_under(cover).is_some(),
            (_, Action::Move(Motion::PageDown)) if self.explanation().is_some() => {
                let last = self.shared.geometry.last_line;
                self.explanation().is_some_and(|explained| explained.scroll.cursor() < last)
            }
            (_, Action::Lesson | Action::Step(StepTo::Lesson, _)) => self.lesson.is_some(),
            (_, Action::HideTree) => self.shared.geometry.wide || self.shared.hides_tree,
            (_, Action::Answer(_)) => self.lesson.as_ref().is_some_and(LessonRun::asks),
            (None, Action::TryElement) => {
                self.place_of(None, Action::Base).is_some()
                    && self.pages.chunks.is_available(Action::Base, &self.shared)
            }
            _ if places(action).is_some() => self.place_of(cover, action).is_some_and(|place| {
                self.pages.at(doer(place, action)).is_available(action, &self.shared)
            }),
            (Some(Overlay::Requests(_)), Action::Open)
            | (
                Some(Overlay::Lessons(_) | Overlay::Requests(_)),
                Action::Pane(_) | Action::Ask(PromptKind::Search),
            ) => false,
            (Some(_), _) | (_, Action::Compare) => true,
            (None, _) => self.pages.at(self.shared.pane()).is_available(action, &self.shared),
        }
    }

    /// True if the table of chunks has the keys.
    pub(super) fn is_in_table(&self) -> bool {
        self.cover().is_none() && self.focused() == KeyContext::ChunkTable
    }
}
