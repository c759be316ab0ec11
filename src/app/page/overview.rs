//! The children of a group or a folder: a row for each, and the sums.

use crate::app::opening::given_up;
use crate::app::prelude::*;

mod row;
mod sorting;

pub use row::{ChunkCount, OverviewRow, RowFigures, count};
pub use sorting::SortBy;

/// Children past this many have no row of their own; they are in the sums.
pub const MOST_ROWS: usize = 5000;

/// Figures that a worker has of the children of a node.
#[derive(Debug)]
pub enum Overviewed {
    /// More children, in the order of their names.
    Rows(Vec<OverviewRow>),
    /// Figures of rows that are here.
    Figures(Vec<RowFigures>),
    /// So many children have no row, and are this together.
    Others(u64, Box<Census>),
}

/// The children of the group or folder on show.
#[derive(Clone, Default)]
pub struct OverviewPage {
    /// Of which node.
    pub path: Option<NodePath>,
    /// Its children, in the order in which they were found.
    pub rows: Vec<OverviewRow>,
    /// The number of more children without a row.
    pub others: u64,
    /// All of them together.
    pub total: Census,
    /// The progress of the work.
    pub state: Load<()>,
    /// True if the user has stopped it.
    pub is_stopped: bool,
    /// The cursor over the rows as they are sorted.
    pub scroll: Scroll,
    /// The order of the rows.
    pub sort: SortBy,
    /// The rows as they are sorted.
    order: Vec<usize>,
    others_census: Box<Census>,
    /// The figures of the same children before they were read again.
    before: Vec<OverviewRow>,
}

impl Page for OverviewPage {
    fn list(&mut self, shared: &Shared) -> Option<CursorList<'_>> {
        let len = self.len();
        let layout = OverviewLayout::new(shared.geometry.view, len);
        let (head, height) = (layout.head, layout.rows);
        Some(CursorList { scroll: &mut self.scroll, len, head, height })
    }

    fn moved(&mut self, motion: Motion, count: Option<u64>, shared: &mut Shared) {
        match motion {
            Motion::Right => self.open(shared),
            Motion::Left => to_parent(shared),
            _ => self.moved_in_list(motion, count, shared),
        }
    }

    /// Goes to the child under the cursor, the view staying what it is.
    fn opened(&mut self, shared: &mut Shared) -> bool {
        self.open(shared);
        self.rows.is_empty()
    }

    fn acted(&mut self, action: Action, _shared: &mut Shared) {
        if action == Action::Sort {
            self.sort = self.sort.next();
            self.sorted(None);
        }
    }

    fn next_match(&mut self, way: Direction, shared: &mut Shared) {
        let named = |at: usize, needle: &str| {
            self.sorted_row(at).is_some_and(|row| row.name().to_lowercase().contains(needle))
        };
        let found = shared.next_row(way, (self.scroll.cursor(), self.order.len()), named);
        self.scroll.select(found);
    }

    fn copied(&self, _shared: &Shared) -> Option<String> {
        self.row().map(|row| row.node.path.0.clone())
    }

    fn explained(&self, shared: &Shared) -> Option<Explained> {
        explained::node(shared)
    }

    fn is_available(&self, action: Action, _shared: &Shared) -> bool {
        match action {
            Action::Sort | Action::Open => !self.rows.is_empty(),
            _ => true,
        }
    }

    /// Follows the node while it is looked at, and has its children counted.
    fn wanted(&mut self, shared: &mut Shared) {
        if !shared.shows_overview() {
            if shared.is_busy(Lane::Overview) && !shared.view.needs_array() {
                return;
            }
            if shared.is_busy(Lane::Overview) {
                shared.cancel(Lane::Overview);
                self.path = None;
            }
            return;
        }
        let path = shared.node_path();
        if self.path.as_ref() != Some(&path) {
            *self = Self { sort: self.sort, ..Self::default() };
            self.start(path, shared);
        }
    }

    fn reloaded(&mut self, shared: &mut Shared) {
        if shared.shows_overview() {
            self.before = mem::take(&mut self.rows);
            self.start(shared.node_path(), shared);
        } else {
            self.path = None;
        }
    }

    fn replied(&mut self, answer: Answer, _lane: Lane, _shared: &mut Shared) {
        match answer {
            Answer::Overviewed(news) => self.take(news),
            Answer::Done => self.state = Load::Ready(()),
            Answer::Failed(error) => self.state = Load::Failed(error),
            _ => {}
        }
    }

    fn stopped(&mut self, _lane: Lane, _shared: &mut Shared) {
        let is_unknown = self.rows.is_empty() && self.others == 0;
        self.state = if is_unknown { Load::Failed(given_up()) } else { Load::Ready(()) };
        self.is_stopped = true;
    }
}

impl OverviewPage {
    fn start(&mut self, path: NodePath, shared: &mut Shared) {
        self.rows.clear();
        self.order.clear();
        self.others = 0;
        self.total = Census::default();
        *self.others_census = Census::default();
        self.is_stopped = false;
        self.state = Load::Pending;
        self.path = Some(path.clone());
        shared.run(Lane::Overview, Work::Overview(path));
    }

    fn take(&mut self, news: Overviewed) {
        let under =
            self.row().map(|row| row.node.path.clone()).filter(|_| self.scroll.cursor() > 0);
        match news {
            Overviewed::Rows(rows) => rows.into_iter().for_each(|row| self.push(row)),
            Overviewed::Figures(figures) => {
                for RowFigures { row, census, counted } in figures {
                    if let Some(row) = self.rows.get_mut(row) {
                        (row.census, row.counted) = (census, counted);
                    }
                }
            }
            Overviewed::Others(count, census) => {
                (self.others, self.others_census) = (count, census);
            }
        }
        self.total = (*self.others_census).clone();
        self.rows.iter().for_each(|row| self.total.add(&row.census));
        self.sorted(under);
    }

    /// Adds a row; what was known of it before it was read again stays until it is known again.
    fn push(&mut self, mut row: OverviewRow) {
        let known = self.before.get(self.rows.len()).filter(|old| old.node == row.node);
        if let Some(old) = known {
            (row.census, row.counted) = (old.census.clone(), old.counted);
        }
        self.rows.push(row);
    }

    /// Sorts the rows again; the cursor stays on the row of `under`.
    fn sorted(&mut self, under: Option<NodePath>) {
        self.order = self.sort.order(&self.rows);
        let at = under.and_then(|path| {
            self.order
                .iter()
                .position(|&at| self.rows.get(at).is_some_and(|row| row.node.path == path))
        });
        self.scroll = self.scroll.within(self.len());
        self.scroll.select(at);
    }

    /// The number of rows.
    pub fn len(&self) -> usize {
        self.order.len()
    }

    /// True if there is no row.
    pub fn is_empty(&self) -> bool {
        self.order.is_empty()
    }

    /// The row at place `at` of the list as it is sorted.
    pub fn sorted_row(&self, at: usize) -> Option<&OverviewRow> {
        self.rows.get(*self.order.get(at)?)
    }

    /// The row under the cursor.
    pub fn row(&self) -> Option<&OverviewRow> {
        self.sorted_row(self.scroll.cursor())
    }

    /// The number of rows that have been counted to their end.
    pub fn counted(&self) -> usize {
        self.rows
            .iter()
            .filter(|row| matches!(row.counted, ChunkCount::Whole | ChunkCount::Failed))
            .count()
    }

    /// True if everything has been counted.
    pub fn is_complete(&self) -> bool {
        matches!(self.state, Load::Ready(())) && !self.is_stopped
    }

    fn open(&self, shared: &mut Shared) {
        if let Some(row) = self.row() {
            visit(row.node.path.clone(), shared);
        }
    }
}

/// Goes to the group that this one is in: one level up, as `h` does in the tree.
fn to_parent(shared: &mut Shared) {
    let path = shared.node_path().0;
    if path.is_empty() {
        return shared.say("nothing is above the root of the store; Tab goes to the tree");
    }
    let parent = path.rsplit_once('/').map_or("", |(parent, _)| parent);
    visit(NodePath(parent.into()), shared);
}

fn visit(path: NodePath, shared: &mut Shared) {
    shared.remember();
    shared.visit(path, Purpose::Look);
}

impl Shared {
    /// True if the overview is on show: of a node that is no array, in a view that only arrays have.
    pub fn shows_overview(&self) -> bool {
        self.view.needs_array() && self.has_overview()
    }

    /// True if the node on show is one that has an overview in the place of what only arrays have.
    pub fn has_overview(&self) -> bool {
        let has_children = |kind: &NodeKind| matches!(kind, NodeKind::Group(_) | NodeKind::Folder);
        self.node().is_some_and(|node| has_children(&node.kind))
    }

    /// The name of the node on show, or that of the store.
    pub fn node_name(&self) -> String {
        let path = self.node_path();
        if path.0.is_empty() { self.root_name() } else { safe_owned(path.name()) }
    }
}

impl View {
    /// Its title where the node on show is an array, and where it is not.
    pub const fn title_of(self, is_array: bool) -> &'static str {
        match self {
            Self::DataType if !is_array => "Overview",
            _ => self.title(),
        }
    }
}
