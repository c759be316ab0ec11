//! The keys that are in force.

use super::prelude::*;

/// A place on the screen with things or keys of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyContext {
    /// The digits, which choose a view anywhere but where one types.
    Views,
    /// Moving, anywhere but where one types.
    Moving,
    /// The things that several views have.
    Shown,
    /// Anywhere but where one types or the keys are listed.
    Everywhere,
    /// The tree.
    Tree,
    /// The overview of a group or a folder.
    Overview,
    /// A view.
    View(View),
    /// The map of chunks.
    Map,
    /// The table of chunks.
    ChunkTable,
    /// Two nodes compared.
    Compare,
    /// The list of lessons.
    Lessons,
    /// The requests over the network.
    Requests,
    /// The list of data types.
    Gallery,
    /// The bits of the playground.
    Bits,
    /// A line that is typed.
    Typing,
    /// The key table.
    Help,
    /// The strip of a lesson, while its question is open.
    Question,
    /// Behind `y`.
    AfterCopy,
    /// Behind `]`; behind `[`, the same keys lead the other way.
    AfterStep,
    /// Behind `z`.
    AfterWindow,
}

impl KeyContext {
    /// All that have keys, in the order of the help.
    pub const ALL: [Self; 14] = [
        Self::Views,
        Self::Moving,
        Self::Shown,
        Self::View(View::Chunks),
        Self::ChunkTable,
        Self::View(View::Picture),
        Self::View(View::Metadata),
        Self::Bits,
        Self::AfterStep,
        Self::AfterCopy,
        Self::AfterWindow,
        Self::Everywhere,
        Self::Typing,
        Self::Question,
    ];

    /// The title in the help.
    pub const fn title(self) -> &'static str {
        match self {
            Self::Views => "views",
            Self::Moving => "moving",
            Self::Shown => "in every view that has it",
            Self::Everywhere => "everywhere",
            Self::Tree => "tree",
            Self::Overview => "overview",
            Self::View(view) => view.name(),
            Self::Map => "chunk map",
            Self::ChunkTable => "chunk table",
            Self::Compare => "comparison",
            Self::Lessons => "lessons",
            Self::Requests => "requests",
            Self::Gallery => "data types",
            Self::Bits => "bits of the playground",
            Self::Typing => "typing",
            Self::Help => "help",
            Self::Question => "while a lesson asks",
            Self::AfterCopy => "after y",
            Self::AfterStep => "after ] and [",
            Self::AfterWindow => "after z",
        }
    }

    /// True if keys without a binding are typed.
    pub const fn is_typing(self) -> bool {
        matches!(self, Self::Typing)
    }

    /// The contexts that can be in force together: a key of one must not mean something else in another.
    pub fn together() -> impl Iterator<Item = Vec<Self>> {
        let panes = [Self::Map, Self::ChunkTable, Self::Bits].into_iter();
        let panes = panes.chain(View::ALL.map(Self::View));
        panes.map(|place| vec![place, Self::Views, Self::Moving, Self::Shown, Self::Everywhere])
    }

    /// True if another key has to be pressed before its keys.
    pub const fn is_led(self) -> bool {
        !self.lead().is_empty()
    }

    /// The keys to type before a key of this context: the first of two keys.
    pub const fn lead(self) -> &'static str {
        match self {
            Self::AfterCopy => "y",
            Self::AfterStep => "]",
            Self::AfterWindow => "z",
            _ => "",
        }
    }
}

/// The pane that has the keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Focus {
    /// The tree.
    #[default]
    Tree,
    /// The view.
    View,
    /// Of the chunk view, the map.
    Map,
}

impl App {
    /// The keys that are in force, the innermost first: a key that the first does not know is the second's.
    pub fn contexts(&self) -> Vec<KeyContext> {
        use KeyContext::{
            Bits, Compare, Everywhere, Gallery, Help, Lessons, Moving, Requests, Shown, Typing,
            Views,
        };
        if let Some(prefix) = self.prefix {
            return vec![after(prefix)];
        }
        let place = match self.cover() {
            Some(Overlay::Help(_) | Overlay::Explain(_)) => return vec![Help, Views, Moving],
            Some(Overlay::Prompt(_) | Overlay::Finder(_)) => return vec![Typing],
            Some(Overlay::Lessons(_)) => Lessons,
            Some(Overlay::Requests(_)) => Requests,
            Some(Overlay::Compare) => Compare,
            Some(Overlay::Gallery) => match self.pages.gallery.part {
                GalleryPart::Bits => Bits,
                part if part.is_typed() => return vec![Typing],
                _ => Gallery,
            },
            None => self.focused(),
        };
        let asks = self.lesson.as_ref().is_some_and(LessonRun::asks);
        let question = asks.then_some(KeyContext::Question);
        question.into_iter().chain([place, Views, Shown, Moving, Everywhere]).collect()
    }

    /// The context of the pane that has the keys.
    pub fn focused(&self) -> KeyContext {
        match (self.shared.focus, self.shared.view) {
            (Focus::Map, View::Chunks) => KeyContext::Map,
            _ => self.shared.pane(),
        }
    }
}

impl Shared {
    /// The context of what is on show beside the tree: the view, the table of chunks, or the overview of a node that has
    /// no such view.
    pub fn beside(&self) -> KeyContext {
        match (self.shows_overview(), self.has_table()) {
            (true, _) => KeyContext::Overview,
            (false, true) => KeyContext::ChunkTable,
            (false, false) => KeyContext::View(self.view),
        }
    }

    /// The same of the side that has the keys.
    pub fn pane(&self) -> KeyContext {
        match self.focus {
            Focus::Tree => KeyContext::Tree,
            Focus::View | Focus::Map => self.beside(),
        }
    }
}

fn after(prefix: Prefix) -> KeyContext {
    match prefix {
        Prefix::Copy => KeyContext::AfterCopy,
        Prefix::Step(_) => KeyContext::AfterStep,
        Prefix::Window => KeyContext::AfterWindow,
    }
}
