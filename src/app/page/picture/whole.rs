//! The picture of more than a chunk: of some chunks, of the whole array, or of elements one by one.
//!
//! A worker reads the chunks and gathers what they have for each cell; here it is put together. What was drawn of the
//! last few arrays stays, so that going on is possible when one comes back.

use super::{
    drawn::{DrawnArray, RasterRequest},
    zoom::borders,
};
use crate::app::page::chunk_table::is_same;
use crate::app::prelude::*;

/// The pictures that are remembered besides the one on show.
const REMEMBERED: usize = 4;

/// The treatment of the dimensions that are not drawn.
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

/// The state of the picture of more than a chunk.
#[derive(Clone, Default)]
pub struct Whole {
    /// The part that is drawn.
    pub zoom: Zoom,
    /// The treatment of the dimensions that are not drawn.
    pub reduction: Reduction,
    /// The element under the cursor, by its coordinates in the array.
    pub at: Vec<u64>,
    /// The picture on show.
    pub drawn: Option<DrawnArray>,
    /// The place of the chunk's own cursor when `at` was taken from it.
    seen: Option<(NodePath, ChunkId, u64, bool)>,
    others: Vec<DrawnArray>,
}

impl PicturePage {
    /// True if more, or less, than the chunk under the cursor is drawn.
    pub fn draws_array(&self, chunk: &CurrentChunk) -> bool {
        self.whole.zoom != Zoom::Chunk && self.array_choice(chunk).is_some()
    }

    /// True if the array can be drawn.
    pub(super) fn can_draw_array(&self, chunk: &CurrentChunk) -> bool {
        self.array_choice(chunk).is_some()
    }

    /// The number of each element of the array that is drawn; `None` where none can be, or it has no picture.
    fn array_choice(&self, chunk: &CurrentChunk) -> Option<Choice> {
        let (_, array) = chunk.array.as_ref()?;
        let shape = array.known_shape().filter(|shape| !shape.is_empty())?;
        let is_readable = array.grid.is_ok() && array.refused.is_none() && !shape.contains(&0);
        let choices = chunk.choices();
        let numeric = || choices.iter().find(|choice| choice.is_numeric());
        let chosen = self.choice(&choices).and_then(|at| choices.get(at));
        let choice = chosen.filter(|choice| choice.is_numeric()).or_else(numeric);
        choice.filter(|_| is_readable).cloned()
    }

    /// Follows the array while it is looked at, and has it drawn.
    pub(super) fn draw_array(&mut self, shared: &mut Shared) {
        if shared.view != View::Picture || !self.draws_array(&shared.chunk) {
            return self.pause(shared);
        }
        self.follow_chunk(&shared.chunk);
        let Some((grid, choice)) = self.wanted_picture(shared) else {
            return self.pause(shared);
        };
        self.show(grid, choice, shared);
        let Some(drawn) = &mut self.whole.drawn else { return };
        let is_idle = drawn.state != WorkState::Begun || drawn.failure.is_some();
        if is_idle || drawn.pace.is_some() {
            return;
        }
        drawn.pace = Some(Pace { done: drawn.known.count(), ..Pace::default() });
        let request = RasterRequest {
            path: drawn.path.clone(),
            array: Arc::clone(&drawn.array),
            raster: drawn.grid.raster.clone(),
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
        if let Some(Landing::Array(at)) = &chunk.landing {
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
            None => self.whole.at = starts(&region),
        }
    }

    /// The picture to be drawn now: its part and its cells, and the number of each element.
    fn wanted_picture(&self, shared: &Shared) -> Option<(CellGrid, Choice)> {
        let (_, array) = shared.chunk.array.as_ref()?;
        let (shape, grid) = (array.known_shape()?, array.known_grid()?);
        let choice = self.array_choice(&shared.chunk)?;
        let frame = PictureFrame::new(shared.geometry.view);
        let part = |axis: usize, room: Option<usize>| {
            let length = shape.get(axis).copied().unwrap_or(1);
            let Some(room) = room else { return (self.behind(axis, length), Vec::new()) };
            let at = self.whole.at.get(axis).copied().unwrap_or(0);
            let count = shared.chunk.counts.get(axis).copied().unwrap_or(1);
            let range = self.whole.zoom.window((grid, axis), at, (length, count), room);
            let borders = borders((grid, axis), &range, room / 2);
            (range, borders)
        };
        let mut cells = CellGrid::new(self.drawn(shape.len()), shape.len(), frame, part);
        cells.raster.takes_highest = self.whole.reduction == Reduction::Highest;
        Some((cells, choice))
    }

    /// The indices of an axis of `length` that go into the picture although it is not drawn.
    fn behind(&self, axis: usize, length: u64) -> Range<u64> {
        if self.whole.reduction != Reduction::Fixed {
            return 0..length;
        }
        let at = self.whole.at.get(axis).copied().unwrap_or(0).min(length.saturating_sub(1));
        at..at + 1
    }

    /// Shows this picture: the one that is drawn already, or a new one.
    fn show(&mut self, grid: CellGrid, choice: Choice, shared: &mut Shared) {
        let Some(owner) = &shared.chunk.array else { return };
        let is_right = |drawn: &DrawnArray| {
            drawn.path == owner.0
                && drawn.grid.raster == grid.raster
                && drawn.choice == choice
                && is_same(&drawn.array, &owner.1)
        };
        if self.whole.drawn.as_ref().is_some_and(is_right) {
            return;
        }
        let known = self.whole.others.iter().position(is_right);
        let next = match known {
            Some(at) => self.whole.others.remove(at),
            None => DrawnArray::new(owner, choice, grid),
        };
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
                let is_on_show = shared.node().is_some_and(|node| node.path == drawn.path);
                for (chunk, _) in news.gathered.damaged.iter().filter(|_| is_on_show) {
                    shared.chunk.presence.tried(chunk, DecodeTrial::Damaged);
                }
                drawn.take(*news);
            }
            Answer::Done => drawn.end(),
            Answer::Failed(error) => (drawn.pace, drawn.failure) = (None, Some(error)),
            _ => {}
        }
    }

    /// The user has stopped it.
    pub(super) fn stop_drawing(&mut self) {
        if let Some(drawn) = &mut self.whole.drawn {
            (drawn.pace, drawn.state) = (None, WorkState::Stopped);
        }
    }

    /// Goes on where it was stopped, or with what was left out; else reads everything again.
    pub(super) fn redraw(&mut self, shared: &mut Shared) {
        self.whole.others.clear();
        let Some(drawn) = &mut self.whole.drawn else { return };
        if drawn.pace.is_some() {
            shared.cancel(Lane::Picture);
        }
        drawn.redraw();
    }

    /// Takes in that these keys have changed on the disk.
    pub(in crate::app) fn changed(&mut self, keys: &[String]) {
        self.whole.drawn.iter_mut().chain(&mut self.whole.others).for_each(|it| it.changed(keys));
    }

    /// True if a worker draws it.
    pub fn is_drawing(&self) -> bool {
        self.whole.drawn.as_ref().is_some_and(|drawn| drawn.pace.is_some())
    }
}

/// The reason why an array has no picture.
pub(super) fn why_no_array(chunk: &CurrentChunk) -> Error {
    let found = if chunk.choices().iter().any(Choice::is_numeric) {
        "an array without elements or dimensions"
    } else {
        "elements that are not numbers"
    };
    Error::new(Code::OtherDataType, found, "an array of numbers")
}
