//! The state machine: what is on the screen, and what every wish of the user does to it.
//!
//! No terminal, no files, no threads, no clock. [`App::update`] changes the state and gives back [`Effect`]s: work that
//! somebody else has to do. What comes of it arrives in [`App::replied`]. Every request has a number on its lane; an
//! answer with an old number is dropped.
//!
//! | module | what it holds |
//! | --- | --- |
//! | [`action`], [`effect`], [`context`] | what the user can ask, what the world must do, which keys are in force |
//! | [`tree`], [`datatype`], [`chunks`], [`picture`], [`metadata`], [`problems`], [`gallery`] | the state of each view |
//! | [`finder`], [`input`], [`command`], [`search`] | what is typed, and what it means |
//! | `updating` | what each wish does; beside it, each with a part of `impl App`: `moving` (cursors), `selecting` and `showing` (what is on show), `navigating` (from place to place), `hitting` (search hits), `pointing` (the mouse), `prompting` (typed lines), `explaining` (`K`), `offering` (the footer), `replying` (what comes of work) |
//! | [`jumps`], [`copying`] | the jump list; what goes to the clipboard |

use crate::zarr::{Hierarchy, Node, NodePath, Place, Registry, hierarchy::NodeKind};
use std::sync::Arc;

pub mod action;
mod available;
pub mod chunks;
pub mod command;
pub mod context;
pub mod copying;
mod current_node;
pub mod datatype;
pub mod effect;
mod explaining;
pub mod finder;
pub mod gallery;
pub mod input;
pub mod jumps;
pub mod layout;
mod loading;
pub mod metadata;
pub mod moving;
mod navigating;
pub mod picture;
mod pointing;
pub mod presence;
pub mod problems;
mod prompting;
mod replies;
pub mod scroll;
pub mod search;
pub mod tree;
pub mod twins;
mod updating;

pub use action::{Action, View};
pub use context::{Context, Focus};
pub use effect::{Answer, Effect, Job, Lane, Pace, Reply, Watched, Work};
pub use explaining::{Explained, of_row as explained_row, of_row_alone as explained_row_alone};
pub use layout::{Geometry, Size};
pub use loading::Load;
pub use prompting::Prompt;
pub use scroll::Scroll;

use chunks::ChunksPage;
use datatype::DataTypePage;
use finder::Finder;
use gallery::GalleryPage;
use input::History;
use jumps::{Jumps, PendingVisit, Purpose, Start};
use metadata::MetadataPage;
use picture::PicturePage;
use problems::ProblemsPage;
use tree::{Outline, Tree};

/// What lies over everything else.
#[derive(Debug, Clone)]
pub enum Overlay {
    /// The key table.
    Help(HelpPage),
    /// An explanation.
    Explain(Explained),
    /// A line that is typed.
    Prompt(Prompt),
    /// The fuzzy finder.
    Finder(Box<Finder>),
    /// The gallery of data types.
    Gallery,
}

/// The key table, as far as it is on show.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HelpPage {
    /// The first line on show.
    pub scroll: Scroll,
    /// What the rows on show have in them; empty for all.
    pub filter: String,
}

/// One line for the user, until the next key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// What it says, safe to show.
    pub text: String,
    /// Whether something went wrong.
    pub is_failure: bool,
}

/// A count that is being typed, as in `12G`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TypedCount {
    /// The number so far.
    pub value: u64,
    /// Whether it is a count. A lone `1` to `5` has chosen a view, and is none until another digit follows.
    pub certain: bool,
    /// Where to go back to if the digit turns out to start a count.
    view: View,
    focus: Focus,
}

/// Everything on the screen.
#[derive(Debug, Clone)]
pub struct App {
    /// What the store is called.
    pub store_name: String,
    /// How many bytes one stage of a chunk may give where nothing is promised.
    pub limit: u64,
    /// The tree.
    pub tree: Tree,
    /// Which view the right side shows.
    pub view: View,
    /// Which pane has the keys.
    pub focus: Focus,
    /// What lies on top.
    pub overlay: Option<Overlay>,
    /// What lies below that, and is there again when it closes: the gallery, or the key table.
    pub under: Option<Overlay>,
    /// The twin columns.
    pub data_type: DataTypePage,
    /// The chunk.
    pub chunks: ChunksPage,
    /// The picture.
    pub picture: PicturePage,
    /// The documents.
    pub metadata: MetadataPage,
    /// The problems.
    pub problems: ProblemsPage,
    /// The gallery.
    pub gallery: GalleryPage,
    /// One line for the user.
    pub message: Option<Message>,
    /// The count that is being typed.
    pub count: Option<TypedCount>,
    prefix: Option<action::Prefix>,
    /// The stage before `]` or `[`, in case another key follows it.
    stage_before: Option<(usize, u64)>,
    /// The chunk page of an array whose document is broken just now, as while it is being written.
    interrupted: Option<ChunksPage>,
    /// The node whose documents the metadata page holds.
    documents_of: Option<Arc<Node>>,
    /// The place to go to once the documents are laid out.
    pending_place: Option<Place>,
    /// The node that was read last.
    shown: Option<Arc<Node>>,
    /// The node that is being read for the views.
    reading: Option<NodePath>,
    /// The chunk page of the node that was left for it.
    previous_chunks: ChunksPage,
    /// The root, until the first screen is made.
    root: Option<Node>,
    /// What is to be done at a node that is being gone to.
    pending_visit: Option<PendingVisit>,
    jumps: Jumps,
    commands: History,
    searches: History,
    /// What is searched for in the views that are lists.
    list_needle: String,
    generations: [u64; Lane::ALL.len()],
    busy: [bool; Lane::ALL.len()],
    effects: Vec<Effect>,
}

impl App {
    /// The first screen of a store, at `start`.
    #[must_use]
    pub fn new(hierarchy: &Hierarchy, start: Start, limit: u64) -> Self {
        let root = hierarchy.node(&NodePath::default());
        let registry: Arc<Registry> = Arc::clone(&hierarchy.data_types);
        Self {
            store_name: hierarchy.store.name(),
            limit,
            tree: Tree::new(Outline::of(&root)),
            view: View::default(),
            focus: Focus::default(),
            overlay: None,
            under: None,
            data_type: DataTypePage::of(None, Scroll::default()),
            chunks: ChunksPage::default(),
            picture: PicturePage::default(),
            metadata: MetadataPage::default(),
            problems: ProblemsPage::default(),
            gallery: GalleryPage::new(registry),
            message: None,
            count: None,
            prefix: None,
            stage_before: None,
            interrupted: None,
            documents_of: None,
            pending_place: None,
            shown: None,
            reading: None,
            previous_chunks: ChunksPage::default(),
            root: Some(root),
            pending_visit: Some(PendingVisit {
                node: start.node,
                purpose: Purpose::Start(start.chunk, start.landing),
            }),
            jumps: Jumps::default(),
            commands: History::default(),
            searches: History::default(),
            list_needle: String::new(),
            generations: [0; Lane::ALL.len()],
            busy: [false; Lane::ALL.len()],
            effects: Vec::new(),
        }
    }

    /// What the first screen needs.
    pub fn start(&mut self) -> Vec<Effect> {
        let root = NodePath::default();
        if let Some(path) = self.tree.open(&root) {
            self.run(Lane::List, Work::List(path));
        }
        let target = self
            .pending_visit
            .as_ref()
            .map(|pending_visit| pending_visit.node.clone())
            .unwrap_or_default();
        if !target.0.is_empty() {
            self.reveal(&target);
        }
        if let Some(root) = self.root.take() {
            self.take_node(root);
        }
        std::mem::take(&mut self.effects)
    }

    /// What the root is called: the last part of the store's own path.
    #[must_use]
    pub fn root_name(&self) -> String {
        let store = self.store_name.trim_end_matches(['/', '\\', '.']);
        let name = store.rsplit(['/', '\\']).next().filter(|name| !name.is_empty());
        crate::zarr::text::safe(name.unwrap_or("/")).into_owned()
    }

    /// Whether the node on show is an array.
    #[must_use]
    pub fn is_array(&self) -> bool {
        self.node().is_some_and(|node| matches!(node.kind, NodeKind::Array(_)))
    }

    /// Whether the gallery is on show, on top or below what is typed or explained.
    #[must_use]
    pub fn shows_gallery(&self) -> bool {
        [&self.overlay, &self.under].into_iter().any(|it| matches!(it, Some(Overlay::Gallery)))
    }

    /// Whether something is being worked at that the next frame would show: worth a moment's wait.
    #[must_use]
    pub fn is_waiting(&self) -> bool {
        self.chunks.load.is_pending() || self.is_busy(Lane::List) || self.is_busy(Lane::Node)
    }

    /// Whether this lane is at work.
    #[must_use]
    pub fn is_busy(&self, lane: Lane) -> bool {
        self.busy.get(lane as usize).copied().unwrap_or_default()
    }

    /// Which key of two has been pressed.
    #[must_use]
    pub fn prefix(&self) -> Option<action::Prefix> {
        self.prefix
    }

    fn run(&mut self, lane: Lane, work: Work) {
        let Some(generation) = self.generations.get_mut(lane as usize) else { return };
        // The lister answers everybody, so its number does not change.
        if lane != Lane::List {
            *generation += 1;
        }
        let generation = *generation;
        self.set_busy(lane, true);
        self.effects.push(Effect::Run(Job { lane, generation, work }));
    }

    fn cancel(&mut self, lane: Lane) {
        if let Some(generation) = self.generations.get_mut(lane as usize) {
            *generation += 1;
        }
        self.set_busy(lane, false);
        self.effects.push(Effect::Cancel(lane));
    }

    fn set_busy(&mut self, lane: Lane, busy: bool) {
        if let Some(place) = self.busy.get_mut(lane as usize) {
            *place = busy;
        }
    }

    /// Lays something on top. The gallery and the key table are there again when it closes.
    fn push_overlay(&mut self, overlay: Overlay) {
        if let Some(before @ (Overlay::Gallery | Overlay::Help(_))) = self.overlay.take() {
            self.under = Some(before);
        }
        self.overlay = Some(overlay);
    }

    /// Takes off what lies on top, so that what was below it is there again.
    fn pop_overlay(&mut self) -> Option<Overlay> {
        std::mem::replace(&mut self.overlay, self.under.take())
    }

    fn say(&mut self, text: impl Into<String>) {
        self.message = Some(Message { text: text.into(), is_failure: false });
    }

    fn fail(&mut self, text: impl Into<String>) {
        self.message = Some(Message { text: text.into(), is_failure: true });
    }
}

impl App {
    /// A packed value as the attributes `scale_factor` and `add_offset` unpack it: `× 0.01 + 10 = 36.21`.
    #[must_use]
    pub fn unpacked(&self, value: &crate::zarr::Scalar) -> Option<String> {
        let (_, array) = self.chunks.array.as_ref()?;
        let attributes = array.attributes.as_ref()?;
        let number = |key: &str| attributes.get(key)?.as_number()?.parse::<f64>().ok();
        let (scale, offset) = (number("scale_factor"), number("add_offset"));
        if scale.is_none() && offset.is_none() {
            return None;
        }
        let (scale, offset) = (scale.unwrap_or(1.0), offset.unwrap_or(0.0));
        let result = value.to_f64()? * scale + offset;
        Some(format!("× {scale} + {offset} = {}", (result * 1e9).round() / 1e9))
    }
}
