//! A picture of more than a chunk, as far as it is drawn.

use crate::app::prelude::*;
use crate::zarr::statistics::raster::{Gathered, RasterMap};

/// The units of a picture that were read, by their number.
#[derive(Clone, Default)]
pub struct KnownUnits {
    words: Vec<u64>,
    count: u64,
}

impl KnownUnits {
    /// True if this one was read.
    pub fn has(&self, number: u64) -> bool {
        let word = usize::try_from(number / 64).ok().and_then(|at| self.words.get(at));
        word.is_some_and(|word| word >> (number % 64) & 1 == 1)
    }

    /// The number of units that were read.
    pub fn count(&self) -> u64 {
        self.count
    }

    fn add(&mut self, number: u64) {
        let Ok(at) = usize::try_from(number / 64) else { return };
        if self.words.len() <= at {
            self.words.resize(at + 1, 0);
        }
        let is_new = !self.has(number);
        if let Some(word) = self.words.get_mut(at).filter(|_| is_new) {
            *word |= 1 << (number % 64);
            self.count += 1;
        }
    }
}

/// A request to a worker to draw.
#[derive(Clone)]
pub struct RasterRequest {
    /// The array's path.
    pub path: NodePath,
    /// The array.
    pub array: Arc<ArrayMetadata>,
    /// The part of it, and its cells.
    pub raster: Raster,
    /// The number of each element.
    pub choice: Choice,
    /// The units of it that were read before.
    pub known: KnownUnits,
    /// The chunks among those that were stored.
    pub stored: u64,
    /// True if all of it is to be read, however much that is.
    pub wants_all: bool,
    /// The number of bytes a stage may give where nothing is promised.
    pub limit: u64,
}

/// The units that a worker has read since its last report.
#[derive(Debug)]
pub struct RasterNews {
    /// The figures.
    pub gathered: Gathered,
    /// The units that were read, by their number.
    pub numbers: Vec<u64>,
    /// The progress, in units, of those that are read unasked.
    pub pace: Pace,
    /// The number of all units.
    pub total: u64,
    /// True if only some elements of each chunk are looked at.
    pub is_sparse: bool,
}

/// A picture, as far as it is drawn.
#[derive(Clone)]
pub struct DrawnArray {
    /// The array's path.
    pub path: NodePath,
    /// The array.
    pub array: Arc<ArrayMetadata>,
    /// The part of it that is drawn, and the layout of its cells.
    pub grid: CellGrid,
    /// The number of each element.
    pub choice: Choice,
    /// The cells.
    pub cells: RasterMap,
    /// The progress while it is being read.
    pub pace: Option<Pace>,
    /// The number of chunks to read; 0 before that is known.
    pub total: u64,
    /// True if only some elements of each chunk were looked at.
    pub is_sparse: bool,
    /// The state of the work while it is looked at.
    pub state: WorkState,
    /// The error why it cannot be drawn.
    pub failure: Option<Error>,
    pub(super) known: KnownUnits,
    pub(super) wants_all: bool,
    /// True if chunks of it have changed on the disk since they were read.
    is_stale: bool,
}

/// The state of work whose result is looked at while it is done: a picture, a comparison.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub enum WorkState {
    /// It is done, now or as soon as a worker is free.
    #[default]
    Begun,
    /// The user has stopped it.
    Stopped,
    /// All that is read unasked was read.
    Over,
}

impl DrawnArray {
    /// A picture before anything of it is drawn.
    pub(super) fn new(
        (path, array): &(NodePath, Arc<ArrayMetadata>),
        choice: Choice,
        grid: CellGrid,
    ) -> Self {
        Self {
            path: path.clone(),
            array: Arc::clone(array),
            cells: RasterMap::new(&grid.raster),
            grid,
            choice,
            pace: None,
            total: 0,
            is_sparse: false,
            state: WorkState::Begun,
            failure: None,
            known: KnownUnits::default(),
            wants_all: false,
            is_stale: false,
        }
    }

    /// The chunks that were read.
    pub fn read(&self) -> u64 {
        self.known.count()
    }

    /// True if there is more to read.
    pub fn is_partial(&self) -> bool {
        self.is_sparse || self.read() < self.total || self.total == 0
    }

    pub(super) fn take(&mut self, news: RasterNews) {
        self.cells.take(news.gathered, self.grid.raster.takes_highest);
        self.cells.map.sampled = news.is_sparse;
        (self.pace, self.is_sparse, self.total) = (Some(news.pace), news.is_sparse, news.total);
        for number in news.numbers {
            self.known.add(number);
        }
    }

    /// Ends the work: all that is read unasked was read. What has changed meanwhile is read once more.
    pub(super) fn end(&mut self) {
        (self.pace, self.state) = (None, WorkState::Over);
        if self.is_stale {
            self.forget();
        }
    }

    /// Takes in that these keys have changed on the disk: it is drawn again, after what is being drawn, unless the user
    /// has stopped that.
    pub(super) fn changed(&mut self, keys: &[String]) {
        self.is_stale |= keys.iter().any(|key| self.path.holds(&NodePath(key.clone())));
        if self.is_stale && (self.state == WorkState::Over || self.failure.is_some()) {
            self.forget();
        }
    }

    /// Goes on where it was stopped, or with what was left out; else reads everything again.
    pub(super) fn redraw(&mut self) {
        let goes_on = self.is_partial() && !self.is_stale;
        match self.state {
            WorkState::Stopped if goes_on => {}
            WorkState::Over if goes_on => {
                if self.is_sparse {
                    self.forget();
                }
                self.wants_all = true;
            }
            _ => self.forget(),
        }
        self.state = WorkState::Begun;
    }

    fn forget(&mut self) {
        self.cells = RasterMap::new(&self.grid.raster);
        self.known = KnownUnits::default();
        (self.pace, self.failure, self.state) = (None, None, WorkState::Begun);
        (self.is_stale, self.wants_all) = (false, false);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_read_is_known() {
        let mut known = KnownUnits::default();
        for number in [0, 64, 64, 1000] {
            known.add(number);
        }
        assert_eq!((known.count(), known.has(64), known.has(65)), (3, true, false));
    }
}
