//! The rows of the table of one array or one shard: which chunks they are, what is known of each and of all.

use super::{
    Measured,
    filter::Filter,
    sums::{Bounds, SameBytes, Sums},
};
use crate::app::prelude::*;
use crate::zarr::figures;
use std::sync::Mutex;

/// Of an array with more chunks than this, only those that are stored have rows.
pub const MOST_ROWS: u64 = 1_000_000;
/// Up to so many rows stay sorted while their figures come in.
const SORTED_AT_ONCE: usize = 20_000;

/// The order and the filter of the rows.
#[derive(Clone, Default)]
pub struct Arrangement {
    /// By which column.
    pub column: TableColumn,
    /// True if the highest comes first.
    pub down: bool,
    /// The filter; all rows are shown without one.
    pub filter: Option<Filter>,
}

/// The chunks that the rows are.
#[derive(Clone)]
pub enum WhichRows {
    /// All chunks of a grid with so many along each dimension.
    Grid(Vec<u64>),
    /// These chunks of it, in C order.
    Listed(Arc<Vec<Vec<u64>>>),
    /// The inner chunks of a shard, so many along each dimension.
    Inner(Vec<u64>, Vec<u64>),
}

impl WhichRows {
    /// Their number.
    pub fn len(&self) -> usize {
        match self {
            Self::Grid(counts) | Self::Inner(_, counts) => {
                order::total(counts).and_then(|n| usize::try_from(n).ok()).unwrap_or(0)
            }
            Self::Listed(all) => all.len(),
        }
    }

    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The shard whose inner chunks they are.
    pub fn shard(&self) -> Option<&Vec<u64>> {
        match self {
            Self::Inner(of, _) => Some(of),
            Self::Grid(_) | Self::Listed(_) => None,
        }
    }

    /// The chunk of row `index`.
    pub fn id(&self, index: usize) -> ChunkId {
        match self {
            Self::Grid(counts) => ChunkId {
                coordinates: order::coordinates(index as u128, counts),
                inner: Vec::new(),
            },
            Self::Listed(all) => ChunkId {
                coordinates: all.get(index).cloned().unwrap_or_default(),
                inner: Vec::new(),
            },
            Self::Inner(shard, counts) => ChunkId {
                coordinates: shard.clone(),
                inner: vec![order::coordinates(index as u128, counts)],
            },
        }
    }

    /// The row of the chunk `id`, or of the shard around it.
    pub fn index(&self, id: &ChunkId) -> Option<usize> {
        match self {
            Self::Grid(counts) => usize::try_from(order::number(&id.coordinates, counts)?).ok(),
            Self::Listed(all) => all.binary_search(&id.coordinates).ok(),
            Self::Inner(shard, counts) => {
                let inner = id.inner.first().filter(|_| id.coordinates == *shard)?;
                usize::try_from(order::number(inner, counts)?).ok()
            }
        }
    }
}

/// A row, and what is known of it.
#[derive(Clone, Copy)]
pub struct ChunkRow<'a> {
    /// Its number in the order of keys.
    pub index: usize,
    /// Its figures, where it was read.
    pub figures: Option<&'a Figures>,
    /// The chunks with the same bytes.
    pub group: Option<SameBytes>,
    /// True if the chunks have checksums.
    pub has_checksums: bool,
    bounds: &'a Bounds,
}

impl ChunkRow<'_> {
    /// True if what it has in `column` is far from what the others have.
    pub fn is_outlier_in(&self, column: TableColumn) -> bool {
        column.number(self).is_some_and(|number| self.bounds.excludes(column, number))
    }

    /// True if it is far from the others in any column.
    pub fn is_outlier(&self) -> bool {
        TableColumn::WITH_OUTLIERS.into_iter().any(|column| self.is_outlier_in(column))
    }
}

/// The table of an array or of a shard, as far as it is known.
#[derive(Clone)]
pub struct ChunkRows {
    /// The array.
    pub path: NodePath,
    /// The same.
    pub array: Arc<ArrayMetadata>,
    /// The number of each element that is counted.
    pub choice: usize,
    /// The chunks that the rows are.
    pub rows: WhichRows,
    /// True if the values are numbers.
    pub are_numbers: bool,
    /// The checksums that every chunk has.
    pub checksums: String,
    /// The sums of all rows that were read.
    pub sums: Sums,
    /// The cursor over the rows as they are sorted.
    pub scroll: Scroll,
    /// The progress of the reading, where it goes on.
    pub pace: Option<Pace>,
    /// True if the reading was stopped, or waits to be asked for.
    pub is_stopped: bool,
    /// The error why nothing can be read.
    pub failure: Option<Error>,
    /// The rows in sight, which are read first.
    pub sight: Arc<Mutex<Vec<usize>>>,
    figures: Vec<Option<Arc<Figures>>>,
    bounds: Bounds,
    groups: HashMap<(u64, u64), SameBytes>,
    /// The rows that are shown, as they are sorted; `None` for all of them by key.
    order: Option<Vec<u32>>,
    /// The number of rows that had been read when outliers and groups were found last.
    summarised: usize,
}

impl ChunkRows {
    /// The table of these rows of the array of `chunk`, none of which has been read.
    pub fn new(chunk: &CurrentChunk, rows: WhichRows, choice: usize) -> Option<Self> {
        let (path, array) = chunk.array.clone()?;
        let are_numbers = chunk.choices().get(choice).is_none_or(Choice::is_numeric);
        let is_stopped = matches!(rows, WhichRows::Listed(_));
        Some(Self {
            path,
            checksums: figures::checksums(&array).join(", "),
            array,
            choice,
            figures: vec![None; rows.len()],
            rows,
            are_numbers,
            sums: Sums::default(),
            scroll: Scroll::default(),
            pace: None,
            is_stopped,
            failure: None,
            sight: Arc::default(),
            bounds: Bounds::default(),
            groups: HashMap::new(),
            order: None,
            summarised: 0,
        })
    }

    /// The number of rows that are shown.
    pub fn len(&self) -> usize {
        self.order.as_ref().map_or(self.figures.len(), Vec::len)
    }

    /// True if none is.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of rows that were read.
    pub fn read(&self) -> usize {
        self.sums.rows
    }

    /// The readable part of the chunks, as far as rows were read; `None` for the inner chunks of one shard.
    pub fn readable(&self) -> Option<Readable> {
        let [decoded, _, unreadable] = self.sums.states;
        let verified = if self.checksums.is_empty() { 0 } else { decoded };
        let is_of_chunks = !matches!(self.rows, WhichRows::Inner(..));
        let chunks = decoded + unreadable;
        is_of_chunks.then_some(Readable { chunks, decoded, verified, unreadable })
    }

    /// True if all rows were read.
    pub fn is_complete(&self) -> bool {
        self.read() == self.figures.len()
    }

    /// True for each row that was read.
    pub fn known(&self) -> Vec<bool> {
        self.figures.iter().map(Option::is_some).collect()
    }

    /// Row `index`, in the order of keys.
    pub fn row(&self, index: usize) -> ChunkRow<'_> {
        let figures = self.figures.get(index).and_then(Option::as_deref);
        let bytes = figures.and_then(|figures| Some((figures.stored?, figures.hash?)));
        ChunkRow {
            index,
            figures,
            group: bytes.and_then(|bytes| self.groups.get(&bytes).copied()),
            has_checksums: !self.checksums.is_empty(),
            bounds: &self.bounds,
        }
    }

    /// The row at place `at` of those that are shown.
    pub fn shown(&self, at: usize) -> Option<ChunkRow<'_>> {
        let index = match &self.order {
            None => at,
            Some(order) => *order.get(at)? as usize,
        };
        (index < self.figures.len()).then(|| self.row(index))
    }

    /// The row under the cursor.
    pub fn selected(&self) -> Option<ChunkRow<'_>> {
        self.shown(self.scroll.cursor())
    }

    /// The chunk under the cursor.
    pub fn selected_id(&self) -> Option<ChunkId> {
        self.selected().map(|row| self.rows.id(row.index))
    }

    /// The key of row `index` below the array, with the inner chunk where it is one.
    pub fn key(&self, index: usize) -> String {
        let id = self.rows.id(index);
        let encoding = self.array.key_encoding.as_ref();
        let key = encoding.map(|encoding| encoding.key(&id.coordinates)).unwrap_or_default();
        let inner = |at: &Vec<u64>| list(at).trim_matches(['[', ']']).to_owned();
        id.inner.first().map_or_else(|| key.clone(), |at| format!("{key}@{}", inner(at)))
    }

    /// The figures of the rows that are shown, with their keys: for a file.
    pub fn snapshot(&self) -> Vec<(String, Option<Arc<Figures>>, Option<u32>)> {
        let shown = (0..self.len()).filter_map(|at| self.shown(at));
        shown
            .map(|row| {
                let figures = self.figures.get(row.index).cloned().flatten();
                (self.key(row.index), figures, row.group.map(|group| group.letter))
            })
            .collect()
    }

    /// Takes in what was measured. The cursor stays on its row.
    pub fn take(&mut self, measured: Measured, arrangement: &Arrangement) {
        for (index, figures) in measured.rows {
            if let Some(place @ None) = self.figures.get_mut(index) {
                self.sums.add(index, &figures);
                *place = Some(figures);
            }
        }
        self.pace = Some(measured.pace);
        let (read, all) = (self.read(), self.figures.len());
        // What needs a look at all rows is done ever more seldom, and at the end.
        if read == all || read < 500 || read > self.summarised + self.summarised / 4 {
            self.summarise();
            if all <= SORTED_AT_ONCE || read == all {
                self.sort(arrangement);
            }
        }
    }

    /// Forgets what is known of these chunks, which have changed.
    pub fn forget(&mut self, changed: impl Iterator<Item = ChunkId>) {
        let mut any = false;
        for id in changed {
            let index = self.rows.index(&id);
            if let Some(place) = index.and_then(|index| self.figures.get_mut(index)) {
                any |= place.take().is_some();
            }
        }
        if any {
            self.sums = Sums::default();
            for (index, figures) in self.figures.iter().enumerate() {
                if let Some(figures) = figures {
                    self.sums.add(index, figures);
                }
            }
            self.summarise();
        }
    }

    /// Forgets everything but the place.
    pub fn forget_all(&mut self) {
        self.figures.fill(None);
        (self.sums, self.failure) = (Sums::default(), None);
        self.summarise();
    }

    /// Finds outliers and chunks with the same bytes.
    fn summarise(&mut self) {
        self.summarised = self.read();
        self.groups = SameBytes::find(self.figures.iter().flatten());
        // One look at all rows: a table of many is looked at while only few were read.
        let known = self.figures.iter().enumerate().filter(|(_, figures)| figures.is_some());
        let known: Vec<usize> = known.map(|(index, _)| index).collect();
        // Outliers are told by what is known without them.
        self.bounds = Bounds::default();
        self.bounds = Bounds::of(&known.iter().map(|&index| self.row(index)));
        self.sums.outliers = known.iter().filter(|&&index| self.row(index).is_outlier()).count();
    }

    /// Sorts the rows by a column, downwards if that is said, and shows those that a filter wants. The cursor stays on
    /// its row.
    pub fn sort(&mut self, arrangement: &Arrangement) {
        let under = self.selected().map(|row| row.index);
        let Arrangement { column, down, filter } = arrangement;
        self.order = (filter.is_some() || *column != TableColumn::Key || *down).then(|| {
            let rows = (0..self.figures.len()).map(|index| self.row(index));
            let wanted = rows.filter(|row| {
                filter.as_ref().is_none_or(|filter| filter.holds(row, &|| self.key(row.index)))
            });
            let mut known = Vec::new();
            let mut unknown = Vec::new();
            for row in wanted {
                let index = u32::try_from(row.index).unwrap_or(u32::MAX);
                match column.number(&row).filter(|number| !number.is_nan()) {
                    Some(number) => known.push((if *down { -number } else { number }, index)),
                    None => unknown.push(index),
                }
            }
            known.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
            known.into_iter().map(|(_, index)| index).chain(unknown).collect()
        });
        let at = under.and_then(|index| self.place_of(index));
        self.scroll = self.scroll.within(self.len());
        self.scroll.select(at);
    }

    /// The place of row `index` among those that are shown.
    fn place_of(&self, index: usize) -> Option<usize> {
        match &self.order {
            None => Some(index).filter(|&index| index < self.figures.len()),
            Some(order) => order.iter().position(|&at| at as usize == index),
        }
    }

    /// Puts the cursor on the row of a chunk, where that is shown.
    pub fn select(&mut self, id: &ChunkId, height: usize) {
        if let Some(at) = self.rows.index(id).and_then(|index| self.place_of(index)) {
            self.scroll = self.scroll.at(at, self.len(), height);
        }
    }

    /// Puts the cursor on the next row, or on the one before, that is `wanted`. True if there is one.
    pub fn step(&mut self, way: Direction, wanted: impl Fn(&Self, &ChunkRow) -> bool) -> bool {
        let is = |at: &usize| self.shown(*at).is_some_and(|row| wanted(self, &row));
        let found = self.scroll.next(way, self.len(), is);
        self.scroll.select(found);
        found.is_some()
    }
}
