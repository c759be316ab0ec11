//! The state machine: what is on the screen, and what every wish of the user does to it.
//!
//! No terminal, no files, no threads, no clock. [`App::update`] changes the state and gives back [`Effect`]s: work that
//! somebody else has to do. What comes of it arrives in [`App::replied`]. Every request has a number on its lane; an
//! answer with an old number is dropped.
//!
//! | module | what it holds |
//! | --- | --- |
//! | [`action`], [`effect`], [`key_context`] | what the user can ask, what the world must do, which keys are in force |
//! | [`page`] | what every page answers; beside it one file a page, each with the state that is its own |
//! | [`shared`] | what all pages share: where we are, what is said, the work under way |
//! | [`current_chunk`] | the chunk on show, and the one cursor through its stages |
//! | `update`, `back`, `replies` | what each action does, and what comes of work: which page has it, and what concerns
//! several |
//! | `held` | what waits for a node or a chunk that is not here yet |
//! | [`opening`] | a store far away that is not here yet, and waiting for a network |
//! | `read_as` | reading an array as if its document declared something else |
//! | `current_node`, `navigation`, `loading`, [`jumps`] | going from node to node and from chunk to chunk |
//! | `prompt`, [`finder`], [`input`], [`command`], [`search`] | what is typed, and what it means |
//! | [`layout`], [`scroll`] | where everything lies, and how cursors move over it |
//! | [`explained`], [`copying`] | what `K` says; what goes to the clipboard |
//! | [`lesson`] | lessons: their text, their tasks, how far they are |

use crate::zarr::{DataTypes, Hierarchy, Node, NodePath};

pub mod action;
mod available;
mod back;
pub mod command;
mod comparing;
pub mod copying;
pub mod current_chunk;
mod current_node;
pub mod effect;
pub mod explained;
pub mod finder;
mod held;
pub mod input;
pub mod jumps;
pub mod key_context;
pub mod layout;
pub mod lesson;
mod loading;
mod navigation;
pub mod opening;
pub mod page;
pub(crate) mod prelude;
mod prompt;
mod read_as;
mod readable;
mod readers;
mod relation;
mod replies;
pub mod script_form;
pub mod scroll;
pub mod search;
pub mod shared;
mod update;

pub use action::Action;
pub use effect::{Answer, Effect, Job, Lane, Pace, Reply, Watched, Work};
pub use explained::Explained;
pub use key_context::{Focus, KeyContext};
pub use layout::{Geometry, Size};
pub use loading::Load;
pub use page::{Page, Pages, View};
pub use prompt::Prompt;
pub use read_as::ReadAs;
pub use scroll::Scroll;
pub use shared::{Message, Shared};

use current_chunk::CurrentChunk;
use finder::Finder;
use input::History;
use jumps::{PendingVisit, Purpose, Start};
use lesson::{LessonList, LessonProgress, LessonRun};
use page::{requests::RequestsPage, tree::Outline};

/// A page or panel over everything else.
#[derive(Debug, Clone)]
pub enum Overlay {
    /// The key table.
    Help(HelpPage),
    /// An explanation. It has room of its own beside or below what it explains, which keeps its keys.
    Explain(Explained),
    /// A line that is typed.
    Prompt(Prompt),
    /// The fuzzy finder.
    Finder(Box<Finder>),
    /// The gallery of data types.
    Gallery,
    /// The list of lessons.
    Lessons(LessonList),
    /// Two nodes compared.
    Compare,
    /// The requests over the network.
    Requests(RequestsPage),
}

/// The key table, as far as it is on show.
#[derive(Debug, Clone, Default)]
pub struct HelpPage {
    /// The first line on show.
    pub scroll: Scroll,
    /// The text that the names of the rows on show contain; empty for all.
    pub filter: String,
}

/// Everything on the screen.
#[derive(Clone)]
pub struct App {
    /// The state that all pages share.
    pub shared: Shared,
    /// The pages.
    pub pages: Pages,
    /// The overlay on top.
    pub overlay: Option<Overlay>,
    /// The overlay below that, which is there again when it closes: the gallery, or the key table.
    pub under: Option<Overlay>,
    /// The lesson under way.
    pub lesson: Option<LessonRun>,
    /// True while keys are pressed that a lesson names, and not the user.
    is_guided: bool,
    /// The progress in the lessons of the program.
    pub progress: LessonProgress,
    /// True if the store is that of the lessons of the program.
    pub has_samples: bool,
    /// The count of the next key, as typed after `:`.
    count: Option<u64>,
    prefix: Option<action::Prefix>,
    /// True if the first of two keys has waited so long for the second that the keys that may follow are listed.
    lists_next_keys: bool,
    /// The chunk of an array whose document is broken just now, as while it is being written.
    interrupted: Option<CurrentChunk>,
    /// The chunk of the node that was left for the one that is being read.
    previous_chunk: CurrentChunk,
    /// The root, until the first screen is made.
    root: Option<Node>,
    /// The requests for a node or a chunk that is not here yet.
    held: held::HeldInputs,
    commands: History,
    searches: History,
}

impl App {
    /// The first screen of a store, at `start`.
    pub fn new(hierarchy: &Hierarchy, start: Start, limit: u64) -> Self {
        let root = hierarchy.node(&NodePath::default());
        let data_types = hierarchy.registry.data_types.clone();
        let purpose = Purpose::Start(start.chunk, start.landing);
        let visit = PendingVisit { node: start.node, purpose, is_on_the_way: true };
        let (store_name, root_title) = (hierarchy.store.name(), hierarchy.store.title());
        let pending_visit = Some(visit);
        let is_far = hierarchy.store.is_far();
        let shared =
            Shared { store_name, is_far, root_title, limit, pending_visit, ..Shared::default() };
        Self { root: Some(root.clone()), ..Self::of(shared, &root, data_types) }
    }

    /// The state before anything was asked for, of a store with this root.
    fn of(shared: Shared, root: &Node, data_types: DataTypes) -> Self {
        Self {
            shared,
            pages: Pages::new(Outline::of(root), data_types),
            overlay: None,
            under: None,
            lesson: None,
            is_guided: false,
            progress: LessonProgress::default(),
            has_samples: false,
            count: None,
            prefix: None,
            lists_next_keys: false,
            interrupted: None,
            previous_chunk: CurrentChunk::default(),
            root: None,
            held: held::HeldInputs::default(),
            commands: History::default(),
            searches: History::default(),
        }
    }

    /// The effects that the first screen needs, the panes having the room that `geometry` says.
    pub fn start(&mut self, geometry: &Geometry) -> Vec<Effect> {
        self.shared.geometry = *geometry;
        if self.shared.opening.is_some() {
            return vec![Effect::Open];
        }
        let root = NodePath::default();
        if let Some(path) = self.pages.tree.open(&root) {
            self.shared.run(Lane::List, Work::List(path));
        }
        let visit = self.shared.pending_visit.as_ref();
        let target = visit.map(|visit| visit.node.clone()).unwrap_or_default();
        if !target.0.is_empty() {
            self.reveal(&target);
        }
        if let Some(root) = self.root.take() {
            self.take_node(root);
        }
        std::mem::take(&mut self.shared.effects)
    }

    /// The overlay over tree and view that has the keys; an explanation leaves them to what it explains.
    pub fn cover(&self) -> Option<&Overlay> {
        match &self.overlay {
            Some(Overlay::Explain(_)) => self.under.as_ref(),
            overlay => overlay.as_ref(),
        }
    }

    /// The explanation that is on show.
    pub fn explanation(&self) -> Option<&Explained> {
        match &self.overlay {
            Some(Overlay::Explain(explained)) => Some(explained),
            _ => None,
        }
    }

    /// True if what the view has under its cursor is explained.
    pub fn explains_view(&self) -> bool {
        self.explanation().is_some() && self.shared.focus != Focus::Tree
    }

    /// True if the gallery is on show, on top or below what is typed or explained.
    pub fn shows_gallery(&self) -> bool {
        [&self.overlay, &self.under].into_iter().any(|it| matches!(it, Some(Overlay::Gallery)))
    }

    /// The name of the page that is over the views, on top or below what is typed or explained.
    pub fn page_over_views(&self) -> Option<&'static str> {
        [&self.overlay, &self.under].into_iter().find_map(|it| match it {
            Some(Overlay::Gallery) => Some("Data types, as V2 and V3 write them"),
            Some(Overlay::Compare) => Some("Comparison"),
            Some(Overlay::Lessons(_)) => Some("Lessons"),
            Some(Overlay::Requests(_)) => Some("Requests"),
            _ => None,
        })
    }

    /// True if something is being worked at that the next frame would show: worth a moment's wait.
    pub fn is_waiting(&self) -> bool {
        let is_busy = |lane| self.shared.is_busy(lane);
        self.shared.chunk.load.is_pending() || is_busy(Lane::List) || is_busy(Lane::Node)
    }

    /// The first of two keys, where it has been pressed.
    pub fn prefix(&self) -> Option<action::Prefix> {
        self.prefix
    }

    /// True if the keys that may follow the first of two are listed: nobody has pressed one for a while.
    pub fn lists_next_keys(&self) -> bool {
        self.prefix.is_some() && self.lists_next_keys
    }

    /// Nobody has pressed a key for a while: where the first of two waits for the second, the keys are listed.
    pub fn pause(&mut self) {
        self.lists_next_keys = self.prefix.is_some();
    }

    /// Lays something on top. The gallery, a comparison and the key table are there again when it closes.
    fn push_overlay(&mut self, overlay: Overlay) {
        if let Some(before @ (Overlay::Gallery | Overlay::Compare | Overlay::Help(_))) =
            self.overlay.take()
        {
            self.under = Some(before);
        }
        self.overlay = Some(overlay);
    }

    /// Takes off everything.
    fn close_overlays(&mut self) {
        (self.overlay, self.under) = (None, None);
    }

    /// Takes off what is on top, so that what was below it is there again.
    fn pop_overlay(&mut self) -> Option<Overlay> {
        std::mem::replace(&mut self.overlay, self.under.take())
    }
}
