//! The actions that do something here and now, and the page that does it: what the footer and the key table offer.

use super::lesson::LessonRun;
use super::prelude::*;

/// True if a place has the thing that an action is about, whether or not it can be had just now.
fn has(place: KeyContext, action: Action) -> bool {
    use KeyContext::{Bits, ChunkTable, Compare, Map, Overview, Tree, View as Of};
    use View::{Chunks, Metadata, Picture, Problems};
    let is_chunk = matches!(place, Map | Of(Chunks));
    match action {
        Action::Fold => is_chunk || matches!(place, Tree | Compare | Of(Metadata | Problems)),
        Action::Sort => matches!(place, Overview | ChunkTable),
        Action::Step(StepTo::Difference, _) => place == Compare,
        Action::Step(StepTo::Slice, _) | Action::Picture(_) => place == Of(Picture),
        Action::Step(StepTo::Fault, _) => {
            is_chunk || matches!(place, Tree | ChunkTable | Of(Picture | Metadata))
        }
        Action::Step(..) => is_chunk || matches!(place, ChunkTable | Of(Picture)),
        Action::Shows | Action::Axes => is_chunk || place == Of(Picture),
        Action::OtherOrder => is_chunk || place == Bits,
        Action::Deeper(_)
        | Action::Ask(PromptKind::Export)
        | Action::Chunks(ChunksAction::Table) => is_chunk || place == ChunkTable,
        Action::Base | Action::Chunks(_) => is_chunk,
        Action::Table(_) => place == ChunkTable,
        Action::Metadata(_) => place == Of(Metadata),
        Action::Bits(_) => place == Bits,
        _ => false,
    }
}

/// The places that have things of their own.
const PLACES: [KeyContext; 9] = [
    KeyContext::Tree,
    KeyContext::Overview,
    KeyContext::Map,
    KeyContext::ChunkTable,
    KeyContext::View(View::Picture),
    KeyContext::View(View::Metadata),
    KeyContext::View(View::Problems),
    KeyContext::Compare,
    KeyContext::Bits,
];

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

    /// The advice where nothing here has the thing that it is about.
    fn elsewhere(self) -> &'static str {
        match self {
            Self::Fold => "nothing folds here; groups, equal rows, documents and problems do",
            Self::Sort => "nothing to sort here; the overview of a group and the chunk table sort",
            Self::Step(StepTo::Difference, _) => {
                "nothing is compared here: = marks a node, and = on another compares the two"
            }
            Self::Step(StepTo::Slice, _) => "no slices here; 3 draws those of an array",
            Self::Step(StepTo::Fault, _) => "no faults to step through here; 5 shows what is wrong",
            Self::Shows | Self::Axes => {
                "no map and no picture here; 2 and 3 show those of an array"
            }
            Self::Table(_) => "no chunk table here; in view 2, t shows it",
            _ => "no chunk is open here; 2 shows the chunks of an array",
        }
    }
}

/// The place whose page does what is asked of a place: what is not about the picture itself is about the chunk drawn.
fn doer(place: KeyContext, action: Action) -> KeyContext {
    match place {
        KeyContext::View(View::Picture) if !is_drawn(action) => KeyContext::View(View::Chunks),
        place => place,
    }
}

/// True if it is about the picture itself, not about the chunk that is drawn.
fn is_drawn(action: Action) -> bool {
    !matches!(action, Action::Step(to, _) if !matches!(to, StepTo::Slice | StepTo::Field))
}

impl App {
    /// Lets the page carry it out that has the thing which an action is about; else says where that is, or why it does
    /// nothing.
    pub(super) fn of_page(&mut self, action: Action) {
        let Some(place) = self.place_of(self.cover(), action) else {
            return self.shared.say(action.elsewhere());
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
        let places = match cover {
            Some(Overlay::Compare) => [KeyContext::Compare; 2],
            Some(Overlay::Gallery) if self.pages.gallery.part == GalleryPart::Bits => {
                [KeyContext::Bits; 2]
            }
            Some(_) => return None,
            None => [self.focused(), self.shared.beside()],
        };
        places.into_iter().find(|place| has(*place, action))
    }

    /// True if `action` does something here and now.
    pub fn is_available(&self, action: Action) -> bool {
        self.is_available_under(self.cover(), action)
    }

    /// The same of what is below the key table.
    pub fn is_available_below_help(&self, action: Action) -> bool {
        let cover = self.under.as_ref().filter(|under| !matches!(under, Overlay::Explain(_)));
        // The table of one chunk is offered nowhere, but it can be asked for.
        let shows_table = action == Action::Chunks(ChunksAction::Table);
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
            (None, Action::Bits(BitsAction::Take)) => {
                self.place_of(None, Action::Base).is_some()
                    && self.pages.chunks.is_available(Action::Base, &self.shared)
            }
            _ if PLACES.into_iter().any(|place| has(place, action)) => {
                self.place_of(cover, action).is_some_and(|place| {
                    self.pages.at(doer(place, action)).is_available(action, &self.shared)
                })
            }
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
