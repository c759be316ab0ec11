//! The table of chunks: a row for each chunk of an array, or for each inner chunk of a shard, with what is stored of it
//! and what its values are like.
//!
//! A worker reads the chunks, those in sight first. What is known of an array stays for as long as the program runs, so
//! that going on is possible when one comes back.

use crate::app::prelude::*;
use crate::zarr::statistics::WhichNumbers;

mod column;
mod filter;
mod request;
mod rows;
mod sums;

pub use column::TableColumn;
pub use filter::Filter;
pub use request::{Measured, Request, Snapshot};
pub use rows::{Arrangement, ChunkRow, ChunkRows, MOST_ROWS, WhichRows};
pub use sums::{SameBytes, Sums};

/// The number of tables that are remembered.
const REMEMBERED: usize = 4;

/// The table on show, and those before it.
#[derive(Clone, Default)]
pub struct ChunkTablePage {
    /// The table; `None` before there is one.
    pub table: Option<ChunkRows>,
    /// The order and the filter of the rows.
    pub arrangement: Arrangement,
    /// The column under the cursor.
    pub column: TableColumn,
    /// True if numbers are shown as attributes mean them.
    pub is_physical: bool,
    /// The shard whose inner chunks are on show.
    shard: Option<Vec<u64>>,
    /// The number of each element that is counted.
    choice: usize,
    /// Other tables, the one that was on show last at the end.
    others: Vec<ChunkRows>,
}

impl Page for ChunkTablePage {
    fn list(&mut self, shared: &Shared) -> Option<CursorList<'_>> {
        let (layout, table) = (layout(shared), self.table.as_mut()?);
        let (len, head, height) = (table.len(), layout.head, layout.rows);
        Some(CursorList { scroll: &mut table.scroll, len, head, height })
    }

    fn moved(&mut self, motion: Motion, count: Option<u64>, shared: &mut Shared) {
        let columns = self.columns(shared);
        let at = columns.iter().position(|column| *column == self.column).unwrap_or(0);
        let many = count.and_then(|n| usize::try_from(n).ok()).unwrap_or(1);
        let column = match motion {
            Motion::Left => Some(at.saturating_sub(many)),
            Motion::Right => Some(at.saturating_add(many)),
            Motion::RowStart => Some(0),
            Motion::RowEnd => Some(usize::MAX),
            _ => None,
        };
        if let Some(column) = column {
            let column = columns.get(column.min(columns.len().saturating_sub(1)));
            self.column = column.copied().unwrap_or_default();
        } else {
            self.moved_in_list(motion, count, shared);
        }
    }

    /// Goes to the chunk under the cursor.
    fn opened(&mut self, shared: &mut Shared) -> bool {
        if let Some(mut id) = self.table.as_ref().and_then(ChunkRows::selected_id) {
            let levels = shared.chunk.levels_at(&id.coordinates);
            let deeper = nesting::first(&levels);
            id.inner.extend(deeper.into_iter().skip(id.inner.len()));
            shared.shows_table = false;
            shared.go_to_chunk(id);
        }
        false
    }

    fn acted(&mut self, action: Action, shared: &mut Shared) {
        match action {
            Action::Sort => self.sort_by_column(),
            Action::Step(to, way) => self.step_to(to, way, shared),
            Action::Deeper(way) => self.change_level(way, shared),
            Action::ChunkTable => shared.toggle_table(),
            Action::Physical => self.is_physical = !self.is_physical,
            Action::SortBy(column) => {
                (self.column, shared.focus) = (column, Focus::View);
                self.sort_by_column();
            }
            _ => {}
        }
    }

    /// Shows the rows that a line wants.
    fn searched(&mut self, line: &str, shared: &mut Shared) {
        match Filter::parse(line) {
            Ok(filter) => self.arrange(Some(filter)),
            Err(why) => shared.fail(why),
        }
    }

    fn next_match(&mut self, way: Direction, shared: &mut Shared) {
        self.step(way, "other", shared, |_, _| true);
    }

    fn copied(&self, _shared: &Shared) -> Option<String> {
        let table = self.table.as_ref()?;
        Some(table.key(table.selected()?.index))
    }

    /// The explanation of the column under the cursor.
    fn explained(&self, _shared: &Shared) -> Option<Explained> {
        let are_numbers = self.table.as_ref().is_none_or(|table| table.are_numbers);
        let title = format!("column {}", self.column.title(are_numbers));
        Some(Explained::new(title, vec![self.column.explanation(are_numbers).into()]))
    }

    fn is_available(&self, action: Action, shared: &Shared) -> bool {
        let Some(table) = &self.table else { return false };
        let here = table.selected().and_then(|row| row.figures).map(sums::state_of);
        let count = |state: usize| table.sums.states.get(state).copied().unwrap_or(0);
        // Whether that is before or after the cursor would take all rows to tell.
        let has_other = |state: usize| count(state) > u64::from(here == Some(state));
        let has_row = |way: Direction| match way {
            Direction::Next => table.scroll.cursor() + 1 < table.len(),
            Direction::Previous => table.scroll.cursor() > 0,
        };
        match action {
            Action::Sort | Action::Open | Action::Ask(_) => !table.rows.is_empty(),
            Action::Step(StepTo::Fault, way) => has_row(way) && has_other(2),
            Action::Step(StepTo::Missing, way) => has_row(way) && has_other(1),
            Action::Step(StepTo::Stored, way) => {
                count(1) > 0 && has_row(way) && (has_other(0) || has_other(2))
            }
            Action::Step(StepTo::Chunk, way) => has_row(way),
            Action::Step(StepTo::Field, _) => shared.chunk.choices().len() > 1,
            Action::Deeper(Direction::Next) => self.inner_counts(shared).is_some(),
            Action::Deeper(Direction::Previous) => self.shard.is_some(),
            Action::Physical => table.is_packed(),
            Action::OtherOrder | Action::Shows | Action::Axes | Action::Base | Action::Step(..) => {
                false
            }
            _ => true,
        }
    }

    /// Follows the array while it is looked at, and has its chunks measured.
    fn wanted(&mut self, shared: &mut Shared) {
        if !shared.has_table() {
            self.pause(shared);
            return;
        }
        self.follow(shared);
        let height = layout(shared).rows;
        let Some(table) = &mut self.table else { return };
        let rows = table.scroll.visible(height).filter_map(|at| table.shown(at));
        let sight: Vec<usize> = rows.map(|row| row.index).collect();
        *lock(&table.sight) = sight;
        let is_over = table.is_stopped || table.is_complete() || table.failure.is_some();
        if !is_over && !shared.is_busy(Lane::Table) {
            self.measure(shared);
        }
    }

    /// Goes on where the reading was stopped; else reads everything again.
    fn reloaded(&mut self, shared: &mut Shared) {
        self.others.clear();
        let Some(table) = &mut self.table else { return };
        if !table.is_stopped || table.is_complete() {
            shared.cancel(Lane::Table);
            table.forget_all();
            table.sort(&self.arrangement);
        }
        table.is_stopped = false;
    }

    fn replied(&mut self, answer: Answer, _lane: Lane, _shared: &mut Shared) {
        let Some(table) = &mut self.table else { return };
        match answer {
            Answer::Measured(measured) => table.take(*measured, &self.arrangement),
            Answer::Done => {
                table.pace = None;
                // What was left out will not come by asking again.
                table.is_stopped = !table.is_complete();
            }
            Answer::Failed(error) => {
                (table.pace, table.failure) = (None, Some(error));
            }
            _ => {}
        }
    }

    fn stopped(&mut self, _lane: Lane, _shared: &mut Shared) {
        if let Some(table) = &mut self.table {
            (table.pace, table.is_stopped) = (None, true);
        }
    }
}

impl ChunkTablePage {
    /// The columns that this array has.
    pub fn columns(&self, shared: &Shared) -> Vec<TableColumn> {
        let Some(table) = &self.table else { return Vec::new() };
        let (is_sharded, choices) = (table.sums.all.inner.is_some(), shared.chunk.choices());
        let has = |column: &TableColumn| match column {
            TableColumn::Written => {
                shared.shows_times && !matches!(table.rows, WhichRows::Inner(..))
            }
            TableColumn::Inner => is_sharded,
            TableColumn::Nan => {
                choices.get(self.choice).is_none_or(|choice| choice.numbers == WhichNumbers::ButNan)
            }
            _ => true,
        };
        TableColumn::ALL.into_iter().filter(has).collect()
    }

    /// The number of each element that is counted, where there are several: in words.
    pub fn choice_words(&self, shared: &Shared) -> String {
        let choices = shared.chunk.choices();
        choices.get(self.choice).map(Choice::words).unwrap_or_default()
    }

    /// Nobody looks at it: what it did is not waited for, and goes on when somebody does.
    fn pause(&mut self, shared: &mut Shared) {
        if shared.is_busy(Lane::Table) {
            shared.cancel(Lane::Table);
        }
        if let Some(table) = &mut self.table {
            table.pace = None;
        }
    }

    /// Shows the table of the array on show: the one that is known, or a new one.
    fn follow(&mut self, shared: &mut Shared) {
        let Some((path, array)) = &shared.chunk.array else { return };
        if self.table.as_ref().is_none_or(|table| table.path != *path) {
            (self.shard, self.choice) = (None, 0);
            self.arrangement.filter = None;
        }
        let is_right = |table: &ChunkRows| {
            table.path == *path
                && table.rows.shard() == self.shard.as_ref()
                && table.choice == self.choice
                && is_same(&table.array, array)
        };
        if self.table.as_ref().is_some_and(is_right) {
            return;
        }
        let known = self.others.iter().position(is_right).map(|at| self.others.remove(at));
        let table = known.or_else(|| {
            let rows = self.rows(shared)?;
            ChunkRows::new(&shared.chunk, rows, self.choice)
        });
        let Some(mut table) = table else { return };
        self.pause(shared);
        table.sort(&self.arrangement);
        table.select(&shared.chunk.id, layout(shared).rows);
        self.others.extend(self.table.replace(table));
        let first = self.others.len().saturating_sub(REMEMBERED);
        self.others.drain(..first);
    }

    /// The chunks of the rows; `None` where they are not known yet.
    fn rows(&self, shared: &Shared) -> Option<WhichRows> {
        let chunk = &shared.chunk;
        if let Some(shard) = &self.shard {
            return Some(WhichRows::Inner(shard.clone(), chunk.levels_at(shard).first()?.clone()));
        }
        if order::total(&chunk.counts).is_some_and(|total| total <= u128::from(MOST_ROWS)) {
            return Some(WhichRows::Grid(chunk.counts.clone()));
        }
        let stored = chunk.presence.coordinates().take(usize::try_from(MOST_ROWS).ok()?);
        chunk.presence.complete.then(|| WhichRows::Listed(Arc::new(stored.cloned().collect())))
    }

    /// Has the rows measured that are not known.
    fn measure(&mut self, shared: &mut Shared) {
        let Some(table) = &mut self.table else { return };
        let Some(choice) = shared.chunk.choices().get(table.choice).cloned() else {
            table.failure = table.array.data_type.as_ref().err().cloned();
            table.is_stopped = true;
            return;
        };
        table.pace = Some(Pace { of: table.rows.len() as u64, ..Pace::default() });
        let request = Request {
            path: table.path.clone(),
            array: Arc::clone(&table.array),
            rows: table.rows.clone(),
            known: table.known(),
            choice,
            sight: Arc::clone(&table.sight),
            limit: shared.limit,
        };
        shared.run(Lane::Table, Work::Table(Box::new(request)));
    }

    /// Sorts by the column under the cursor; again, the other way round.
    fn sort_by_column(&mut self) {
        let again = self.arrangement.column == self.column;
        self.arrangement.down = if again {
            !self.arrangement.down
        } else {
            // Who sorts by a figure wants to see the highest.
            self.column != TableColumn::Key && self.column != TableColumn::Checksum
        };
        self.arrangement.column = self.column;
        if let Some(table) = &mut self.table {
            table.sort(&self.arrangement);
            table.scroll = table.scroll.at(0, table.len(), 1);
        }
    }

    /// Shows only the rows that a filter wants; without one, all.
    fn arrange(&mut self, filter: Option<Filter>) {
        self.arrangement.filter = filter;
        if let Some(table) = &mut self.table {
            table.sort(&self.arrangement);
        }
    }

    /// One level back: from the rows of a filter to all of them, from inner chunks to shards. False where it is all of
    /// the table.
    pub(in crate::app) fn back(&mut self) -> bool {
        if self.arrangement.filter.is_some() {
            self.arrange(None);
            return true;
        }
        self.shard.take().is_some()
    }

    fn step(
        &mut self,
        way: Direction,
        what: &str,
        shared: &mut Shared,
        wanted: impl Fn(&ChunkRows, &ChunkRow) -> bool,
    ) {
        let Some(table) = &mut self.table else { return };
        if !table.step(way, wanted) {
            let so_far = if table.is_complete() { "" } else { " so far" };
            shared.say(format!("no {what} chunk in that direction{so_far}"));
        }
    }

    /// Puts the cursor on the next row of a kind, or shows the next field of each element.
    fn step_to(&mut self, to: StepTo, way: Direction, shared: &mut Shared) {
        let is_missing = |row: &ChunkRow| row.figures.map(Figures::is_missing);
        match to {
            StepTo::Fault => self.step(way, "damaged", shared, |_, row| {
                row.figures.is_some_and(|figures| figures.error().is_some())
            }),
            StepTo::Missing => {
                self.step(way, "missing", shared, |_, row| is_missing(row) == Some(true));
            }
            StepTo::Stored => {
                self.step(way, "stored", shared, |_, row| is_missing(row) == Some(false));
            }
            StepTo::Field => {
                let count = shared.chunk.choices().len();
                self.choice = around(self.choice, count, way).next().unwrap_or(0);
            }
            _ => self.step(way, "other", shared, |_, _| true),
        }
    }

    /// Shows the inner chunks of the shard under the cursor, or the shards again.
    fn change_level(&mut self, way: Direction, shared: &mut Shared) {
        if way.is_next() {
            let id = self.table.as_ref().and_then(ChunkRows::selected_id);
            self.shard = id.map(|id| id.coordinates);
        } else if let Some(around) = self.shard.take() {
            shared.chunk.id = ChunkId::at(around);
            shared.load_chunk();
        }
    }

    /// The number of inner chunks along each dimension of the shard under the cursor, where they can be told one by
    /// one.
    fn inner_counts(&self, shared: &Shared) -> Option<Vec<u64>> {
        let table = self.table.as_ref().filter(|_| self.shard.is_none())?;
        let row = table.selected()?;
        row.figures?.inner?;
        shared.chunk.levels_at(&table.rows.id(row.index).coordinates).first().cloned()
    }

    /// Takes in that these keys have changed on the disk.
    pub(in crate::app) fn changed(&mut self, keys: &[String]) {
        for table in self.table.iter_mut().chain(&mut self.others) {
            let below =
                if table.path.0.is_empty() { String::new() } else { format!("{}/", table.path.0) };
            let Ok(encoding) = &table.array.key_encoding else { continue };
            let dimensions = table.array.shape.as_ref().map_or(0, Vec::len);
            let changed: Vec<ChunkId> = keys
                .iter()
                .filter_map(|key| encoding.parse(key.strip_prefix(&below)?, dimensions))
                .map(ChunkId::at)
                .collect();
            match &table.rows {
                WhichRows::Inner(shard, _) if changed.iter().any(|id| id.coordinates == *shard) => {
                    table.forget_all();
                }
                _ => table.forget(changed.into_iter()),
            }
        }
    }

    /// The name of the file that the rows would be written to.
    pub(in crate::app) fn file_name(&self) -> Option<String> {
        let table = self.table.as_ref().filter(|table| !table.is_empty())?;
        let name = table.path.0.replace('/', "-");
        Some(if name.is_empty() { "chunks.csv".into() } else { format!("{name}-chunks.csv") })
    }

    /// Writes the rows to `file`, seen from the working directory.
    pub(in crate::app) fn export(&self, file: &str, shared: &mut Shared) {
        let Some(table) = &self.table else { return };
        let snapshot = Snapshot { rows: table.snapshot(), checksums: table.checksums.clone() };
        let work = Work::TableCsv { table: Arc::new(snapshot), file: PathBuf::from(file) };
        shared.run(Lane::Search, work);
    }

    /// Shows the rows that `line` wants, whatever is on show.
    pub(in crate::app) fn show_where(&mut self, line: &str, shared: &mut Shared) {
        shared.show_view(View::Chunks);
        shared.shows_table = true;
        self.follow(shared);
        self.searched(line, shared);
    }
}

impl ChunkRows {
    /// True if attributes say what stored numbers mean.
    pub fn is_packed(&self) -> bool {
        let packing = Packing::of(&self.array);
        packing.is_scaled || packing.other_sign.is_some() || packing.dates.is_some()
    }
}

/// True if two readings of one array's metadata are the same documents.
pub(in crate::app) fn is_same(a: &Arc<ArrayMetadata>, b: &Arc<ArrayMetadata>) -> bool {
    let (first, second) = (a.documents.iter(), b.documents.iter());
    Arc::ptr_eq(a, b)
        || first.len() == second.len()
            && first.zip(second).all(|(one, other)| one.bytes == other.bytes)
}

fn layout(shared: &Shared) -> ChunkTableLayout {
    ChunkTableLayout::new(shared.geometry.view)
}

impl Shared {
    /// True if the table of chunks is on show.
    pub fn has_table(&self) -> bool {
        self.shows_table && self.view == View::Chunks && self.is_array()
    }

    /// Shows the table of chunks, or the chunk again.
    pub(in crate::app) fn toggle_table(&mut self) {
        self.shows_table = !self.shows_table;
        self.focus = Focus::View;
    }
}
