//! Which keys are in force.

use super::{App, Overlay, action::Prefix, action::View};

/// A place on the screen with keys of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Context {
    /// Anywhere but where one types.
    Everywhere,
    /// The tree.
    Tree,
    /// The twin columns.
    DataType,
    /// Hex and values.
    Chunks,
    /// The map of chunks.
    Map,
    /// The heat map.
    Picture,
    /// The documents.
    Metadata,
    /// The problems.
    Problems,
    /// The list of data types.
    Gallery,
    /// A line of the playground.
    Playground,
    /// A line that is typed.
    Prompt,
    /// The fuzzy finder.
    Finder,
    /// The key table.
    Help,
    /// An explanation.
    Explain,
    /// Behind `y`.
    AfterCopy,
    /// Behind `]`.
    AfterNext,
    /// Behind `[`.
    AfterPrevious,
}

impl Context {
    /// All of them, in the order of the help.
    pub const ALL: [Self; 17] = [
        Self::Everywhere,
        Self::Tree,
        Self::DataType,
        Self::Chunks,
        Self::AfterNext,
        Self::AfterPrevious,
        Self::Map,
        Self::Picture,
        Self::Metadata,
        Self::Problems,
        Self::AfterCopy,
        Self::Gallery,
        Self::Playground,
        Self::Prompt,
        Self::Finder,
        Self::Help,
        Self::Explain,
    ];

    /// What the help calls it.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::Everywhere => "everywhere",
            Self::Tree => "tree",
            Self::DataType => "data type",
            Self::Chunks => "chunks",
            Self::Map => "chunk map",
            Self::Picture => "picture",
            Self::Metadata => "metadata",
            Self::Problems => "problems",
            Self::Gallery => "data types",
            Self::Playground => "playground",
            Self::Prompt => "typing",
            Self::Finder => "finder",
            Self::Help => "help",
            Self::Explain => "explanation",
            Self::AfterCopy => "after y",
            Self::AfterNext => "after ]",
            Self::AfterPrevious => "after [",
        }
    }

    /// Whether keys without a binding are typed.
    #[must_use]
    pub const fn is_typing(self) -> bool {
        matches!(self, Self::Prompt | Self::Finder | Self::Playground)
    }

    /// What has to be typed before a key of this context: the first of two keys.
    #[must_use]
    pub const fn lead(self) -> &'static str {
        match self {
            Self::AfterCopy => "y",
            Self::AfterNext => "]",
            Self::AfterPrevious => "[",
            _ => "",
        }
    }
}

/// Which pane has the keys.
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
    /// Which keys are in force, the innermost first: a key that the first does not know is the second's.
    #[must_use]
    pub fn contexts(&self) -> Vec<Context> {
        match &self.overlay {
            Some(Overlay::Help(_)) => vec![Context::Help],
            Some(Overlay::Explain(_)) => vec![Context::Explain],
            Some(Overlay::Prompt(_)) => vec![Context::Prompt],
            Some(Overlay::Finder(_)) => vec![Context::Finder],
            Some(Overlay::Gallery) if !self.gallery.part.is_typed() => {
                vec![Context::Gallery, Context::Everywhere]
            }
            Some(Overlay::Gallery) => vec![Context::Playground],
            None => {
                let mut contexts: Vec<_> = self.prefix.map(after).into_iter().collect();
                contexts.extend([self.focused(), Context::Everywhere]);
                contexts
            }
        }
    }

    /// The context of the pane that has the keys.
    #[must_use]
    pub fn focused(&self) -> Context {
        match (self.focus, self.view) {
            (Focus::Tree, _) => Context::Tree,
            (Focus::Map, View::Chunks) => Context::Map,
            (_, View::DataType) => Context::DataType,
            (_, View::Chunks) => Context::Chunks,
            (_, View::Picture) => Context::Picture,
            (_, View::Metadata) => Context::Metadata,
            (_, View::Problems) => Context::Problems,
        }
    }
}

fn after(prefix: Prefix) -> Context {
    match prefix {
        Prefix::Copy => Context::AfterCopy,
        Prefix::Next => Context::AfterNext,
        Prefix::Previous => Context::AfterPrevious,
    }
}
