//! The pages: each owns its state, and answers what the user does there and what comes of the work that it asked for.
//!
//! A new view is a file beside these, a variant of [`View`] with its words, a field of [`Pages`] and its line in the
//! match below; and a file in `tui/view/` that draws it.

use super::prelude::*;

pub mod chunk_table;
pub mod chunks;
pub mod compare;
pub mod data_type;
pub mod gallery;
pub mod metadata;
pub mod overview;
pub mod picture;
pub mod problems;
pub mod requests;
pub mod tree;

use chunk_table::ChunkTablePage;
use data_type::DataTypePage;
use overview::OverviewPage;

/// A page of the program, whatever it shows. What a page does not do, it need not say.
pub trait Page {
    /// The list that its cursor is in.
    fn list(&mut self, _shared: &Shared) -> Option<CursorList<'_>> {
        None
    }

    /// Moves the cursor.
    fn moved(&mut self, motion: Motion, count: Option<u64>, shared: &mut Shared) {
        self.moved_in_list(motion, count, shared);
    }

    /// Moves the cursor up and down in its list.
    fn moved_in_list(&mut self, motion: Motion, count: Option<u64>, shared: &Shared) {
        if let Some(list) = self.list(shared) {
            list.moved(motion, count);
        }
    }

    /// Takes a click. True if what is there is to be opened: it was under the cursor already.
    fn clicked(&mut self, at: PaneCell, shared: &mut Shared) -> bool {
        self.list(shared).is_some_and(|list| list.clicked(at.row))
    }

    /// Takes a drag to this cell.
    fn dragged(&mut self, _to: PaneCell, _shared: &mut Shared) {}

    /// Takes a turn of the wheel by so many rows.
    fn wheeled(&mut self, by: i8, shared: &mut Shared) {
        if let Some(list) = self.list(shared) {
            list.wheeled(by);
        }
    }

    /// Opens what is under the cursor. True if it is to be explained.
    fn opened(&mut self, _shared: &mut Shared) -> bool {
        false
    }

    /// Carries out an action of its own.
    fn acted(&mut self, _action: Action, _shared: &mut Shared) {}

    /// Looks for a typed line.
    fn searched(&mut self, line: &str, shared: &mut Shared) {
        line.clone_into(&mut shared.list_needle);
        self.next_match(Direction::Next, shared);
    }

    /// Goes to the next or the previous place that was searched for.
    fn next_match(&mut self, _way: Direction, _shared: &mut Shared) {}

    /// The text of what is under the cursor, for the clipboard.
    fn copied(&self, _shared: &Shared) -> Option<String> {
        None
    }

    /// The lines that it adds to the card that goes to the clipboard.
    fn card(&self) -> Vec<String> {
        Vec::new()
    }

    /// The explanation of what is under the cursor.
    fn explained(&self, _shared: &Shared) -> Option<Explained> {
        None
    }

    /// True if `action` does something here and now. Where that is cheap to tell: searches may still find nothing.
    fn is_available(&self, _action: Action, _shared: &Shared) -> bool {
        true
    }

    /// The user has chosen to see it.
    fn chosen(&mut self, _shared: &mut Shared) {}

    /// Follows the node and the chunk on show, and asks for the work that it needs. Every page is asked after every
    /// action, whether it is on show or not.
    fn wanted(&mut self, _shared: &mut Shared) {}

    /// Reads again what it shows.
    fn reloaded(&mut self, _shared: &mut Shared) {}

    /// Takes what came of its work.
    fn replied(&mut self, _answer: Answer, _lane: Lane, _shared: &mut Shared) {}

    /// The user has stopped its work on this lane.
    fn stopped(&mut self, _lane: Lane, _shared: &mut Shared) {}
}

/// The view of the selected node on the right side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum View {
    /// The data type and all that both formats write, in twin columns.
    #[default]
    DataType,
    /// The chunk map, the stages, hex and values.
    Chunks,
    /// A heat map, a histogram and statistics.
    Picture,
    /// The documents.
    Metadata,
    /// The problems.
    Problems,
}

impl View {
    /// All of them, in the order of their numbers.
    pub const ALL: [Self; 5] =
        [Self::DataType, Self::Chunks, Self::Picture, Self::Metadata, Self::Problems];

    /// Its title, its name in a sentence, and the help of its key.
    const fn words(self) -> (&'static str, &'static str, &'static str) {
        match self {
            Self::DataType => ("Data type", "data type", "the data type"),
            Self::Chunks => ("Chunks", "chunks", "the chunks"),
            Self::Picture => ("Picture", "picture", "the picture"),
            Self::Metadata => ("Metadata", "metadata", "the metadata"),
            Self::Problems => ("Problems", "problems", "the problems"),
        }
    }

    /// True if only arrays have it: of other nodes, what can be said of them is on show in its place.
    pub const fn needs_array(self) -> bool {
        match self {
            Self::DataType | Self::Chunks | Self::Picture => true,
            Self::Metadata | Self::Problems => false,
        }
    }

    /// Its title.
    pub const fn title(self) -> &'static str {
        self.words().0
    }

    /// Its name in a sentence.
    pub const fn name(self) -> &'static str {
        self.words().1
    }

    /// The number of its key, from 1 on.
    pub const fn number(self) -> u8 {
        self as u8 + 1
    }

    /// The help of its key.
    pub const fn help(self) -> &'static str {
        self.words().2
    }
}

/// Every page.
#[derive(Clone)]
pub struct Pages {
    /// The nodes.
    pub tree: Tree,
    /// The twin columns.
    pub data_type: DataTypePage,
    /// The stages, hex and values, and the map.
    pub chunks: ChunksPage,
    /// All chunks of the array, a row each.
    pub chunk_table: ChunkTablePage,
    /// The picture.
    pub picture: PicturePage,
    /// The documents.
    pub metadata: MetadataPage,
    /// The problems.
    pub problems: ProblemsPage,
    /// The children of a group or a folder.
    pub overview: OverviewPage,
    /// The gallery.
    pub gallery: GalleryPage,
    /// Two nodes compared.
    pub compare: ComparePage,
}

/// The one match from places to the pages that are there.
macro_rules! page_at {
    ($place:expr, $($pages:tt)+) => {
        match $place {
            KeyContext::Tree => $($pages)+.tree,
            KeyContext::Overview => $($pages)+.overview,
            KeyContext::ChunkTable => $($pages)+.chunk_table,
            KeyContext::Compare => $($pages)+.compare,
            KeyContext::Gallery | KeyContext::Bits => $($pages)+.gallery,
            KeyContext::View(View::DataType) => $($pages)+.data_type,
            KeyContext::View(View::Picture) => $($pages)+.picture,
            KeyContext::View(View::Metadata) => $($pages)+.metadata,
            KeyContext::View(View::Problems) => $($pages)+.problems,
            _ => $($pages)+.chunks,
        }
    };
}

impl Pages {
    /// The pages before anything was read but the line of the root.
    pub fn new(root: Outline, registry: DataTypes) -> Self {
        Self {
            tree: Tree::new(root),
            data_type: DataTypePage::default(),
            chunks: ChunksPage::default(),
            chunk_table: ChunkTablePage::default(),
            picture: PicturePage::default(),
            metadata: MetadataPage::default(),
            problems: ProblemsPage::default(),
            overview: OverviewPage::default(),
            gallery: GalleryPage::new(registry),
            compare: ComparePage::default(),
        }
    }

    /// The page at a place.
    pub fn at(&self, place: KeyContext) -> &dyn Page {
        page_at!(place, &self)
    }

    /// The same, to be changed.
    pub fn at_mut(&mut self, place: KeyContext) -> &mut dyn Page {
        page_at!(place, &mut self)
    }

    /// Lets every page follow what is on show. The picture comes before the chunks: it chooses the stage.
    pub(super) fn want(&mut self, shared: &mut Shared) {
        self.tree.wanted(shared);
        for view in View::ALL.into_iter().filter(|view| *view != View::Chunks) {
            self.at_mut(KeyContext::View(view)).wanted(shared);
        }
        self.chunks.wanted(shared);
        self.chunk_table.wanted(shared);
        self.overview.wanted(shared);
    }
}
