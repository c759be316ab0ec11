//! The keys that are in force.

use super::{App, Overlay, View, action::Prefix, page::gallery::GalleryPart};

/// A place on the screen with keys of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum KeyContext {
    /// The digits, which choose a view anywhere but where one types.
    Views,
    /// Anywhere but where one types.
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
    /// The list of data types.
    Gallery,
    /// A line of the playground.
    Playground,
    /// The bits of the playground.
    Bits,
    /// A line that is typed.
    Prompt,
    /// The fuzzy finder.
    Finder,
    /// The key table.
    Help,
    /// An explanation.
    Explain,
    /// Anywhere while a script is played.
    Script,
    /// Behind `y`.
    AfterCopy,
    /// Behind `]`.
    AfterNext,
    /// Behind `[`.
    AfterPrevious,
    /// Behind `z`.
    AfterWindow,
}

impl KeyContext {
    /// All of them, in the order of the help.
    pub fn all() -> impl Iterator<Item = Self> {
        use KeyContext::{
            AfterCopy, AfterNext, AfterPrevious, AfterWindow, Bits, ChunkTable, Compare,
            Everywhere, Explain, Finder, Gallery, Help, Lessons, Map, Overview, Playground, Prompt,
            Script, Tree, Views,
        };
        let views = View::ALL.into_iter().flat_map(|view| {
            let of_chunks = [AfterNext, AfterPrevious, Map, ChunkTable];
            let beside = of_chunks.into_iter().filter(move |_| view == View::Chunks);
            std::iter::once(Self::View(view)).chain(beside)
        });
        let rest = [
            AfterCopy,
            AfterWindow,
            Compare,
            Lessons,
            Gallery,
            Playground,
            Bits,
            Prompt,
            Finder,
            Help,
            Explain,
            Script,
        ];
        [Views, Everywhere, Tree, Overview].into_iter().chain(views).chain(rest)
    }

    /// The title in the help.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::Views => "views",
            Self::Everywhere => "everywhere",
            Self::Tree => "tree",
            Self::Overview => "overview",
            Self::View(view) => view.name(),
            Self::Map => "chunk map",
            Self::ChunkTable => "chunk table",
            Self::Compare => "comparison",
            Self::Lessons => "lessons",
            Self::Gallery => "data types",
            Self::Playground => "playground",
            Self::Bits => "bits of the playground",
            Self::Prompt => "typing",
            Self::Finder => "finder",
            Self::Help => "help",
            Self::Explain => "explanation",
            Self::Script => "while a script plays",
            Self::AfterCopy => "after y",
            Self::AfterNext => "after ]",
            Self::AfterPrevious => "after [",
            Self::AfterWindow => "after z",
        }
    }

    /// True if keys without a binding are typed.
    #[must_use]
    pub const fn is_typing(self) -> bool {
        matches!(self, Self::Prompt | Self::Finder | Self::Playground)
    }

    /// The contexts that can be in force together, the innermost first: a key of one must not mean something else in
    /// another.
    pub fn together() -> impl Iterator<Item = Vec<Self>> {
        let around = |context| vec![context, Self::Views, Self::Everywhere];
        let panes =
            [Self::Tree, Self::Map, Self::ChunkTable, Self::Compare, Self::Lessons, Self::Gallery];
        let panes = panes.into_iter().chain([Self::Bits]);
        let panes = panes.chain(View::ALL.map(Self::View)).map(around);
        panes.chain([Self::Help, Self::Explain].map(|context| vec![context, Self::Views]))
    }

    /// True if another key has to be pressed before its keys.
    #[must_use]
    pub const fn is_led(self) -> bool {
        !self.lead().is_empty()
    }

    /// The keys to type before a key of this context: the first of two keys.
    #[must_use]
    pub const fn lead(self) -> &'static str {
        match self {
            Self::AfterCopy => "y",
            Self::AfterNext => "]",
            Self::AfterPrevious => "[",
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
    /// The keys of the user that are in force: while a script is played, those that control it.
    #[must_use]
    pub fn contexts_of_user(&self) -> Vec<KeyContext> {
        if self.is_performing() { vec![KeyContext::Script] } else { self.contexts() }
    }

    /// The keys that are in force, the innermost first: a key that the first does not know is the second's.
    #[must_use]
    pub fn contexts(&self) -> Vec<KeyContext> {
        if let Some(prefix) = self.prefix {
            return vec![after(prefix)];
        }
        let mut contexts = self.contexts_below();
        let is_typing = contexts.first().is_some_and(|context| context.is_typing());
        if self.explanation().is_some() && !is_typing {
            contexts.insert(0, KeyContext::Explain);
        }
        contexts
    }

    /// The same without the keys of an explanation.
    fn contexts_below(&self) -> Vec<KeyContext> {
        use KeyContext::{
            Bits, Compare, Everywhere, Finder, Gallery, Help, Lessons, Playground, Prompt, Views,
        };
        match self.cover() {
            Some(Overlay::Help(_) | Overlay::Explain(_)) => vec![Help, Views],
            Some(Overlay::Prompt(_)) => vec![Prompt],
            Some(Overlay::Finder(_)) => vec![Finder],
            Some(Overlay::Lessons(_)) => vec![Lessons, Views, Everywhere],
            Some(Overlay::Compare) => vec![Compare, Views, Everywhere],
            Some(Overlay::Gallery) if self.pages.gallery.part == GalleryPart::Bits => {
                vec![Bits, Views, Everywhere]
            }
            Some(Overlay::Gallery) if !self.pages.gallery.part.is_typed() => {
                vec![Gallery, Views, Everywhere]
            }
            Some(Overlay::Gallery) => vec![Playground],
            None => vec![self.focused(), Views, Everywhere],
        }
    }

    /// The context of the pane that has the keys.
    #[must_use]
    pub fn focused(&self) -> KeyContext {
        match (self.shared.focus, self.shared.view) {
            (Focus::Tree, _) => KeyContext::Tree,
            (Focus::Map, View::Chunks) => KeyContext::Map,
            _ if self.shared.shows_overview() => KeyContext::Overview,
            _ if self.shared.has_table() => KeyContext::ChunkTable,
            (_, view) => KeyContext::View(view),
        }
    }
}

fn after(prefix: Prefix) -> KeyContext {
    match prefix {
        Prefix::Copy => KeyContext::AfterCopy,
        Prefix::Next => KeyContext::AfterNext,
        Prefix::Previous => KeyContext::AfterPrevious,
        Prefix::Window => KeyContext::AfterWindow,
    }
}
