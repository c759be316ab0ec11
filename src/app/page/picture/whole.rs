//! The picture of more than a chunk: of some chunks, of the whole array, or of elements one by one.
//!
//! A worker reads the chunks and gathers what they have for each cell; here it is put together. What was drawn of the
//! last few arrays stays, so that going on is possible when one comes back.

use super::PicturePage;
use crate::{
    app::{
        Lane, Pace, Shared, View, Work,
        action::Direction,
        current_chunk::CurrentChunk,
        effect::Answer,
        layout::{
            PictureFrame,
            ruler::{Axis, Ruler},
        },
        page::chunk_table::is_same,
    },
    zarr::{
        ArrayMetadata, Code, Error, NodePath,
        grid::{ChunkId, Grid},
        presence::Tried,
        statistics::{
            Choice,
            raster::{Gathered, Raster, RasterMap},
        },
    },
};
use std::{ops::Range, sync::Arc};

/// The pictures that are remembered besides the one on show.
const REMEMBERED: usize = 4;
/// The next step of zooming out shows so many times as many chunks along each axis.
const STEP: u64 = 4;

/// How much of the array is drawn.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Zoom {
    /// One element a cell, around the cursor.
    Elements,
    /// The chunk under the cursor, with all that is counted of it.
    #[default]
    Chunk,
    /// So many chunks along each axis, the one under the cursor among them.
    Chunks(u64),
    /// All of it.
    Array,
}

/// What becomes of the dimensions that are not drawn.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Reduction {
    /// One index of each is drawn.
    #[default]
    Fixed,
    /// The mean over all of them.
    Mean,
    /// The highest number over all of them.
    Highest,
}

/// The units of a picture that were read, by their number.
#[derive(Debug, Clone, Default)]
pub struct Known {
    words: Vec<u64>,
    count: u64,
}

impl Known {
    /// True if this one was read.
    #[must_use]
    pub fn has(&self, number: u64) -> bool {
        let word = usize::try_from(number / 64).ok().and_then(|at| self.words.get(at));
        word.is_some_and(|word| word >> (number % 64) & 1 == 1)
    }

    /// The number of units that were read.
    #[must_use]
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

/// What a worker is asked to draw.
#[derive(Debug, Clone)]
pub struct RasterRequest {
    /// The array's path.
    pub path: NodePath,
    /// The array.
    pub array: Arc<ArrayMetadata>,
    /// Which part of it, in which cells.
    pub raster: Raster,
    /// Which number of each element.
    pub choice: Choice,
    /// What was read of it before.
    pub known: Known,
    /// The chunks among those that were stored.
    pub stored: u64,
    /// True if all of it is to be read, however much that is.
    pub wants_all: bool,
    /// The number of bytes a stage may give where nothing is promised.
    pub limit: u64,
}

/// What a worker has read since it said so last.
#[derive(Debug, Clone)]
pub struct RasterNews {
    /// What was seen.
    pub gathered: Gathered,
    /// The units that were read, by their number.
    pub numbers: Vec<u64>,
    /// How far that is, in units, of those that are read unasked.
    pub pace: Pace,
    /// The number of all units.
    pub total: u64,
    /// True if only some elements of each chunk are looked at.
    pub is_sparse: bool,
}

/// A picture, as far as it is drawn.
#[derive(Debug, Clone)]
pub struct DrawnArray {
    /// The array's path.
    pub path: NodePath,
    /// The array.
    pub array: Arc<ArrayMetadata>,
    /// Which part of it is drawn.
    pub raster: Raster,
    /// How its cells are laid out, down and right.
    pub rulers: (Ruler, Ruler),
    /// Which number of each element.
    pub choice: Choice,
    /// The cells.
    pub cells: RasterMap,
    /// The progress while it is being read.
    pub pace: Option<Pace>,
    /// The number of chunks to read; 0 before that is known.
    pub total: u64,
    /// True if only some elements of each chunk were looked at.
    pub is_sparse: bool,
    /// What becomes of it while it is looked at.
    pub state: State,
    /// Why it cannot be drawn.
    pub failure: Option<Error>,
    known: Known,
    wants_all: bool,
}

/// What becomes of a picture while it is looked at.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum State {
    /// It is drawn, now or as soon as a worker is free.
    #[default]
    Begun,
    /// The user has stopped it.
    Stopped,
    /// What is read unasked was read.
    Over,
}

impl DrawnArray {
    /// A picture before anything of it is drawn.
    fn new(
        (path, array): &(NodePath, Arc<ArrayMetadata>),
        choice: Choice,
        raster: Raster,
        rulers: (Ruler, Ruler),
    ) -> Self {
        Self {
            path: path.clone(),
            array: Arc::clone(array),
            cells: RasterMap::new(&raster),
            raster,
            rulers,
            choice,
            pace: None,
            total: 0,
            is_sparse: false,
            state: State::Begun,
            failure: None,
            known: Known::default(),
            wants_all: false,
        }
    }

    /// The chunks that were read.
    #[must_use]
    pub fn read(&self) -> u64 {
        self.known.count()
    }

    /// True if there is more to read.
    #[must_use]
    pub fn is_partial(&self) -> bool {
        self.is_sparse || self.read() < self.total || self.total == 0
    }

    fn take(&mut self, news: RasterNews) {
        self.cells.take(news.gathered, self.raster.takes_highest);
        self.cells.map.sampled = news.is_sparse;
        (self.pace, self.is_sparse, self.total) = (Some(news.pace), news.is_sparse, news.total);
        for number in news.numbers {
            self.known.add(number);
        }
    }

    fn forget(&mut self) {
        self.cells = RasterMap::new(&self.raster);
        self.known = Known::default();
        (self.pace, self.failure, self.state) = (None, None, State::Begun);
    }
}

/// The state of the picture of more than a chunk.
#[derive(Debug, Clone, Default)]
pub struct Whole {
    /// How much is drawn.
    pub zoom: Zoom,
    /// What becomes of the dimensions that are not drawn.
    pub reduction: Reduction,
    /// The element under the cursor, by its coordinates in the array.
    pub at: Vec<u64>,
    /// The picture on show.
    pub drawn: Option<DrawnArray>,
    /// Where the chunk's own cursor was when `at` was taken from it.
    seen: Option<(NodePath, ChunkId, u64, bool)>,
    others: Vec<DrawnArray>,
}

impl PicturePage {
    /// True if more, or less, than the chunk under the cursor is drawn.
    #[must_use]
    pub fn draws_array(&self, chunk: &CurrentChunk) -> bool {
        self.whole.zoom != Zoom::Chunk && self.array_choice(chunk).is_some()
    }

    /// True if the array can be drawn.
    pub(super) fn can_draw_array(&self, chunk: &CurrentChunk) -> bool {
        self.array_choice(chunk).is_some()
    }

    /// Which number of each element of the array is drawn; `None` where none can be, or it has no picture.
    fn array_choice(&self, chunk: &CurrentChunk) -> Option<Choice> {
        let (_, array) = chunk.array.as_ref()?;
        let shape = array.shape.as_ref().ok().filter(|shape| !shape.is_empty())?;
        let is_readable = array.grid.is_ok() && array.refused.is_none() && !shape.contains(&0);
        let choices = chunk.choices();
        let numeric = || choices.iter().find(|choice| choice.is_numeric);
        let chosen = self.choice(&choices).and_then(|at| choices.get(at));
        let choice = chosen.filter(|choice| choice.is_numeric).or_else(numeric);
        choice.filter(|_| is_readable).cloned()
    }

    /// Follows the array while it is looked at, and has it drawn.
    pub(super) fn draw_array(&mut self, shared: &mut Shared) {
        if shared.view != View::Picture || !self.draws_array(&shared.chunk) {
            return self.pause(shared);
        }
        self.follow_chunk(&shared.chunk);
        let Some(wanted) = self.wanted_picture(shared) else { return self.pause(shared) };
        self.show(wanted, shared);
        let Some(drawn) = &mut self.whole.drawn else { return };
        let is_idle = drawn.state != State::Begun || drawn.failure.is_some();
        if is_idle || drawn.pace.is_some() {
            return;
        }
        drawn.pace = Some(Pace { done: drawn.known.count(), ..Pace::default() });
        let request = RasterRequest {
            path: drawn.path.clone(),
            array: Arc::clone(&drawn.array),
            raster: drawn.raster.clone(),
            choice: drawn.choice.clone(),
            known: drawn.known.clone(),
            stored: drawn.cells.all.chunks[0],
            wants_all: drawn.wants_all,
            limit: shared.limit,
        };
        shared.run(Lane::Picture, Work::Raster(Box::new(request)));
    }

    /// Nobody looks at it: what is not drawn yet is, when somebody does.
    fn pause(&mut self, shared: &mut Shared) {
        if let Some(drawn) = self.whole.drawn.as_mut().filter(|drawn| drawn.pace.is_some()) {
            drawn.pace = None;
            shared.cancel(Lane::Picture);
        }
    }

    /// Puts the cursor where that of the chunk is, if that was moved by others.
    fn follow_chunk(&mut self, chunk: &CurrentChunk) {
        let Some((path, array)) = &chunk.array else { return };
        let shown = chunk.shown().filter(|shown| shown.chunk.id == chunk.id);
        let seen = (path.clone(), chunk.id.clone(), chunk.cursor, shown.is_some());
        if self.whole.seen.as_ref() == Some(&seen) {
            return;
        }
        self.whole.seen = Some(seen);
        if let Some(crate::app::current_chunk::Landing::Array(at)) = &chunk.landing {
            self.whole.at.clone_from(at);
            return;
        }
        let region = crate::zarr::chunk::region(array, &chunk.id).unwrap_or_default();
        let element = shown.and_then(|shown| Some(shown.in_array(&chunk.element()?)));
        let is_inside = self.whole.at.len() == region.len()
            && self.whole.at.iter().zip(&region).all(|(at, range)| range.contains(at));
        match element {
            Some(at) => self.whole.at = at,
            None if is_inside => {}
            None => self.whole.at = region.iter().map(|range| range.start).collect(),
        }
    }

    /// What is to be drawn now, before anything of it is.
    fn wanted_picture(&self, shared: &Shared) -> Option<DrawnArray> {
        let owner = shared.chunk.array.as_ref()?;
        let (_, array) = owner;
        let (shape, grid) = (array.shape.as_ref().ok()?, array.grid.as_ref().ok()?);
        let choice = self.array_choice(&shared.chunk)?;
        let frame = PictureFrame::new(shared.geometry.view);
        let (down, right) = self.drawn(shape.len());
        let axis = |axis: usize, room: usize, grain: usize| {
            let at = self.whole.at.get(axis).copied().unwrap_or(0);
            let length = shape.get(axis).copied().unwrap_or(1);
            let count = shared.chunk.counts.get(axis).copied().unwrap_or(1);
            let range = self.whole.zoom.window((grid, axis), at, (length, count), room);
            let borders = borders((grid, axis), &range, room / 2);
            Axis { range, borders, room, grain }
        };
        let across = axis(right, frame.columns, 1);
        let high = (down != right).then(|| axis(down, frame.rows * 2, 2));
        // A chart has no borders.
        let across = if high.is_none() { Axis { borders: Vec::new(), ..across } } else { across };
        let rulers = Ruler::pair(high.as_ref(), &across);
        let region = shape.iter().enumerate().map(|(axis, &length)| match &high {
            _ if axis == right => across.range.clone(),
            Some(high) if axis == down => high.range.clone(),
            _ => self.behind(axis, length),
        });
        let raster = Raster {
            down: high.is_some().then_some(down),
            right,
            region: region.collect(),
            rows: rulers.0.bounds.clone(),
            columns: rulers.1.bounds.clone(),
            takes_highest: self.whole.reduction == Reduction::Highest,
            steps: Vec::new(),
        };
        Some(DrawnArray::new(owner, choice, raster, rulers))
    }

    /// What goes into the picture of an axis of `length` that is not drawn.
    fn behind(&self, axis: usize, length: u64) -> Range<u64> {
        if self.whole.reduction != Reduction::Fixed {
            return 0..length;
        }
        let at = self.whole.at.get(axis).copied().unwrap_or(0).min(length.saturating_sub(1));
        at..at + 1
    }

    /// Shows this picture: the one that is drawn already, or a new one.
    fn show(&mut self, wanted: DrawnArray, shared: &mut Shared) {
        let is_right = |drawn: &DrawnArray| {
            drawn.path == wanted.path
                && drawn.raster == wanted.raster
                && drawn.choice == wanted.choice
                && is_same(&drawn.array, &wanted.array)
        };
        if self.whole.drawn.as_ref().is_some_and(is_right) {
            return;
        }
        let known = self.whole.others.iter().position(is_right);
        let next = known.map_or(wanted, |at| self.whole.others.remove(at));
        self.pause(shared);
        // A picture that is counted of a chunk is not waited for.
        shared.cancel(Lane::Picture);
        self.whole.others.extend(self.whole.drawn.replace(next));
        let first = self.whole.others.len().saturating_sub(REMEMBERED);
        self.whole.others.drain(..first);
    }

    /// Takes in what came of drawing.
    pub(super) fn drawing(&mut self, answer: Answer, shared: &mut Shared) {
        let Some(drawn) = &mut self.whole.drawn else { return };
        match answer {
            Answer::Rastered(news) => {
                for (chunk, _) in &news.gathered.damaged {
                    shared.chunk.presence.tried(chunk, Tried::Damaged);
                }
                drawn.take(*news);
            }
            Answer::Done => (drawn.pace, drawn.state) = (None, State::Over),
            Answer::Failed(error) => (drawn.pace, drawn.failure) = (None, Some(error)),
            _ => {}
        }
    }

    /// The user has stopped it.
    pub(super) fn stop_drawing(&mut self) {
        if let Some(drawn) = &mut self.whole.drawn {
            (drawn.pace, drawn.state) = (None, State::Stopped);
        }
    }

    /// Goes on where it was stopped, or with what was left out; else reads everything again.
    pub(super) fn redraw(&mut self, shared: &mut Shared) {
        self.whole.others.clear();
        let Some(drawn) = &mut self.whole.drawn else { return };
        if drawn.state == State::Stopped && drawn.is_partial() {
            drawn.state = State::Begun;
        } else if drawn.state == State::Over && drawn.is_partial() {
            drawn.wants_all = true;
            if drawn.is_sparse {
                drawn.forget();
            }
            drawn.state = State::Begun;
        } else {
            if drawn.pace.is_some() {
                shared.cancel(Lane::Picture);
            }
            drawn.forget();
        }
    }

    /// True if a worker draws it.
    #[must_use]
    pub fn is_drawing(&self) -> bool {
        self.whole.drawn.as_ref().is_some_and(|drawn| drawn.pace.is_some())
    }
}

impl Zoom {
    /// One step in or out, where the array has at most `most` chunks along an axis that is drawn.
    #[must_use]
    pub fn step(self, way: Direction, most: u64) -> Self {
        let around = |chunks: u64| if chunks >= most { Self::Array } else { Self::Chunks(chunks) };
        match (self, way) {
            (Self::Elements, Direction::Previous) | (Self::Chunks(0..8), Direction::Next) => {
                Self::Chunk
            }
            (Self::Chunk, Direction::Previous) => around(2),
            (Self::Chunks(n), Direction::Previous) => around(n.saturating_mul(STEP)),
            (Self::Array, Direction::Previous) => Self::Array,
            (Self::Elements | Self::Chunk, Direction::Next) => Self::Elements,
            (Self::Chunks(n), Direction::Next) => Self::Chunks(n / STEP),
            (Self::Array, Direction::Next) => {
                let mut chunks = 2_u64;
                while chunks.saturating_mul(STEP) < most {
                    chunks *= STEP;
                }
                if chunks < most { Self::Chunks(chunks) } else { Self::Chunk }
            }
        }
    }

    /// The elements that are drawn along an axis of `length` in `count` chunks, the one at `at` among them.
    fn window(
        self,
        (grid, axis): (&Grid, usize),
        at: u64,
        (length, count): (u64, u64),
        room: usize,
    ) -> Range<u64> {
        let chunks = match self {
            Self::Elements => {
                let room = (room as u64).max(1);
                let start = at / room * room;
                return start..start.saturating_add(room).min(length);
            }
            Self::Chunk => 1,
            Self::Chunks(chunks) => chunks,
            Self::Array => return 0..length,
        };
        let chunk = grid.chunk_at(axis, at).map_or(0, |(chunk, _)| chunk);
        let first = chunk / chunks * chunks;
        let last = first.saturating_add(chunks).min(count.max(first + 1)) - 1;
        let start = grid.span(axis, first).map_or(0, |span| span.start);
        start..grid.span(axis, last).map_or(length, |span| span.end).min(length)
    }
}

/// Where chunks begin in `range`, its own start left out; none where there are more than `most`.
fn borders((grid, axis): (&Grid, usize), range: &Range<u64>, most: usize) -> Vec<u64> {
    let mut borders = Vec::new();
    let mut at = range.start;
    while borders.len() <= most {
        let chunk = grid.chunk_at(axis, at).and_then(|(chunk, _)| grid.span(axis, chunk));
        match chunk.map(|span| span.end).filter(|&end| end < range.end && end > at) {
            Some(end) => borders.push(end),
            None => return borders,
        }
        at = borders.last().copied().unwrap_or(range.end);
    }
    Vec::new()
}

/// What is said where an array has no picture.
pub(super) fn why_no_array(chunk: &CurrentChunk) -> Error {
    let found = if chunk.choices().iter().any(|choice| choice.is_numeric) {
        "an array without elements or dimensions"
    } else {
        "elements that are no numbers"
    };
    Error::new(Code::OtherDataType, found, "an array of numbers")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zooming_goes_from_elements_to_the_array_and_back() {
        let (mut zoom, mut seen) = (Zoom::Elements, Vec::new());
        while zoom != Zoom::Array {
            zoom = zoom.step(Direction::Previous, 318);
            seen.push(zoom);
        }
        let chunks = [2, 8, 32, 128].map(Zoom::Chunks);
        assert_eq!(seen, [&[Zoom::Chunk], &chunks[..], &[Zoom::Array]].concat());
        while zoom != Zoom::Elements {
            assert_eq!(seen.pop(), Some(zoom));
            zoom = zoom.step(Direction::Next, 318);
        }
        assert_eq!(Zoom::Chunk.step(Direction::Previous, 1), Zoom::Array);
        assert_eq!(Zoom::Array.step(Direction::Next, 2), Zoom::Chunk);
    }

    #[test]
    fn borders_are_told_as_long_as_there_are_few() {
        let grid = Grid::Regular(vec![10]);
        assert_eq!(borders((&grid, 0), &(0..35), 9), [10, 20, 30]);
        assert_eq!(borders((&grid, 0), &(20..40), 9), [30]);
        assert!(borders((&grid, 0), &(0..1000), 9).is_empty());
    }

    #[test]
    fn what_was_read_is_known() {
        let mut known = Known::default();
        for number in [0, 64, 64, 1000] {
            known.add(number);
        }
        assert_eq!((known.count(), known.has(64), known.has(65)), (3, true, false));
    }
}
