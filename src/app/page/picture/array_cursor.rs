//! The keys of the picture of more than a chunk, and its cursor: an element of the array.

use super::{
    PicturePage, Reduction, Zoom,
    cursor::{FAR, steps},
    whole::why_no_array,
};
use crate::{
    app::{
        Action, Shared,
        action::{Direction, Motion, PictureAction, StepTo},
        current_chunk::CurrentChunk,
        layout::{AXIS, CHART_AXIS, PaneCell, PictureFrame, ruler::Slot},
        search::{Needle, NonFinite, Sought},
    },
    zarr::{
        statistics::raster::cell_at,
        text::{safe, safe_owned},
    },
};

impl PicturePage {
    /// The most chunks that the array has along an axis that is drawn; 1 where all of it is one chunk.
    fn most_chunks(&self, chunk: &CurrentChunk) -> u64 {
        let (down, right) = self.drawn(chunk.counts.len());
        let count = |axis: usize| chunk.counts.get(axis).copied().unwrap_or(1);
        count(down).max(count(right))
    }

    /// True if there is more than one chunk to draw.
    fn has_more(chunk: &CurrentChunk) -> bool {
        chunk.counts.iter().any(|&count| count > 1) || chunk.depth() > 0
    }

    /// True if zooming this way shows something else.
    pub(super) fn zooms(&self, way: Direction, chunk: &CurrentChunk) -> bool {
        let may = self.whole.zoom != Zoom::Chunk || self.can_draw_array(chunk);
        let is_end = match (self.whole.zoom, way) {
            (Zoom::Array, Direction::Previous) | (Zoom::Elements, Direction::Next) => true,
            (Zoom::Chunk, Direction::Previous) => !Self::has_more(chunk),
            (Zoom::Chunk, Direction::Next) => !self.has_cells_of_several(),
            _ => false,
        };
        may && !is_end
    }

    /// True if the chunk has more elements than cells.
    fn has_cells_of_several(&self) -> bool {
        self.pictured.ready().is_some_and(|pictured| {
            let cells = |axis: usize, cells: usize| pictured.length(axis) > cells as u64;
            pictured.map.as_ref().is_some_and(|map| {
                cells(pictured.slice.right, map.columns)
                    || pictured.slice.down.is_some_and(|down| cells(down, map.rows))
            })
        })
    }

    /// More of the array, or less of it.
    pub(super) fn zoom(&mut self, way: Direction, shared: &mut Shared) {
        if !self.can_draw_array(&shared.chunk) {
            return shared.say(why_no_array(&shared.chunk).found);
        }
        if !self.zooms(way, &shared.chunk) {
            return shared.say(match (self.whole.zoom, way) {
                (Zoom::Array, _) => "this is the whole array",
                (_, Direction::Previous) => "the array has no other chunk",
                (_, Direction::Next) => "each cell is already one element",
            });
        }
        let before = self.whole.zoom;
        self.whole.zoom = before.step(way, self.most_chunks(&shared.chunk));
        if before == Zoom::Elements && !Self::has_more(&shared.chunk) {
            self.whole.zoom = Zoom::Chunk;
        }
    }

    /// Draws as much of the array as a word says.
    pub(in crate::app) fn zoom_to(&mut self, much: &str, shared: &mut Shared) {
        if !self.can_draw_array(&shared.chunk) {
            return shared.say(why_no_array(&shared.chunk).found);
        }
        let chunks = much.parse().ok().filter(|&chunks: &u64| chunks > 1);
        self.whole.zoom = match (much, chunks) {
            ("" | "array" | "all", _) => Zoom::Array,
            ("chunk", _) => Zoom::Chunk,
            ("elements" | "element", _) => Zoom::Elements,
            (_, Some(chunks)) => Zoom::Chunks(chunks),
            (_, None) => {
                let much = safe(much);
                return shared.fail(format!(
                    "zoom needs array, chunk, elements or a number of chunks: zoom 8; found {much}"
                ));
            }
        };
    }

    /// The dimensions that are not drawn, in another way.
    pub(super) fn reduce(&mut self, shared: &mut Shared) {
        if !self.does_in_array(Action::Shows, &shared.chunk) {
            return shared.say("zoom out first: - draws more than this chunk");
        }
        self.whole.reduction = match self.whole.reduction {
            Reduction::Fixed => Reduction::Mean,
            Reduction::Mean => Reduction::Highest,
            Reduction::Highest => Reduction::Fixed,
        };
    }

    /// True if the action does something to the picture of this array.
    pub(super) fn does_in_array(&self, action: Action, chunk: &CurrentChunk) -> bool {
        let Some(drawn) = self.whole.drawn.as_ref().filter(|_| self.draws_array(chunk)) else {
            return false;
        };
        let shape = drawn.array.shape.as_deref().unwrap_or_default();
        let is_fixed = self.whole.reduction == Reduction::Fixed;
        let long = |axis| shape.get(axis).is_some_and(|&length| length > 1);
        let all = &drawn.cells.all;
        match action {
            Action::Step(StepTo::Slice, _) => is_fixed && self.fixed(shape.len()).any(long),
            Action::Shows => self.fixed(shape.len()).any(long),
            Action::Axes | Action::Picture(PictureAction::Scale) => shape.len() > 1,
            Action::Step(..) => super::stops(&chunk.choices()).len() > 1,
            Action::Picture(PictureAction::Extreme(_)) => {
                let scalar = |found: &Option<crate::zarr::statistics::Extreme>| {
                    found.as_ref().map(|found| found.scalar.clone())
                };
                scalar(&all.statistics.minimum) != scalar(&all.statistics.maximum)
            }
            Action::Picture(PictureAction::NonFinite) => all.odd.is_some(),
            _ => false,
        }
    }

    /// Puts the cursor on an element of the array; its chunk is loaded.
    fn put(&mut self, at: Vec<u64>, shared: &mut Shared) {
        self.whole.at.clone_from(&at);
        shared.put_cursor(at);
    }

    pub(super) fn move_in_array(
        &mut self,
        motion: Motion,
        count: Option<u64>,
        shared: &mut Shared,
    ) {
        let Some(drawn) = &self.whole.drawn else { return };
        let shape = drawn.array.shape.clone().unwrap_or_default();
        let Some((down, right)) = steps(motion, count) else { return };
        let mut at = self.whole.at.clone();
        let axes = [
            (drawn.raster.down, &drawn.raster.rows, down),
            (Some(drawn.raster.right), &drawn.raster.columns, right),
        ];
        for (axis, bounds, by) in axes {
            let place = axis.and_then(|axis| Some((at.get_mut(axis)?, *shape.get(axis)?)));
            if let Some((place, length)) = place.filter(|_| by != 0) {
                *place = moved(*place, bounds, by, length);
            }
        }
        self.put(at, shared);
    }

    /// To the element that was clicked at.
    pub(super) fn point_in_array(&mut self, spot: PaneCell, shared: &mut Shared) {
        let Some(drawn) = &self.whole.drawn else { return };
        let frame = PictureFrame::new(shared.geometry.view);
        let margin = if drawn.raster.down.is_some() { AXIS } else { CHART_AXIS };
        let cell_of = |slots: &[Slot], at: Option<usize>| match slots.get(at?)? {
            Slot::Cell(cell) => Some(*cell),
            Slot::Border | Slot::Blank => None,
        };
        let across = cell_of(&drawn.rulers.1.slots, spot.column.checked_sub(margin.into()));
        let line = spot.row.checked_sub(frame.top()).map(|row| row * 2);
        let down = match drawn.raster.down {
            Some(_) => cell_of(&drawn.rulers.0.slots, line),
            None => Some(0),
        };
        let Some((row, column)) = down.zip(across) else { return };
        let mut at = self.whole.at.clone();
        let first = |bounds: &[u64], cell: usize| bounds.get(cell).copied();
        let places = [
            (drawn.raster.down, first(&drawn.raster.rows, row)),
            (Some(drawn.raster.right), first(&drawn.raster.columns, column)),
        ];
        for (axis, to) in places {
            if let Some((place, to)) = axis.and_then(|axis| at.get_mut(axis)).zip(to) {
                *place = to;
            }
        }
        self.put(at, shared);
    }

    /// The next slice along the dimensions that are not drawn, the last of them first.
    pub(super) fn step_array_index(&mut self, way: Direction, shared: &mut Shared) {
        let Some(drawn) = &self.whole.drawn else { return };
        let shape = drawn.array.shape.clone().unwrap_or_default();
        if self.whole.reduction != Reduction::Fixed && self.fixed(shape.len()).next().is_some() {
            return shared.say("all indices are in this picture: m draws one of them");
        }
        let mut at = self.whole.at.clone();
        match self.next_slice(&mut at, &shape, way, "array") {
            Ok(()) => self.put(at, shared),
            Err(why) => shared.say(why),
        }
    }

    /// To the highest (`Next`) or the lowest number that was read of what is drawn.
    pub(super) fn go_to_array_extreme(&mut self, way: Direction, shared: &mut Shared) {
        let Some(drawn) = &self.whole.drawn else { return };
        let all = &drawn.cells.all;
        let (extreme, place) = match way {
            Direction::Next => (&all.statistics.maximum, &all.places[1]),
            Direction::Previous => (&all.statistics.minimum, &all.places[0]),
        };
        let so_far = if drawn.is_partial() { " so far" } else { "" };
        let Some(extreme) = extreme else {
            return shared.say(format!("no numbers in what is drawn{so_far}"));
        };
        let word = if way.is_next() { "highest" } else { "lowest" };
        let value = safe_owned(&extreme.scalar.to_string());
        let place = place.clone();
        shared.remember();
        self.put(place, shared);
        shared.say(format!("the {word} of what is drawn{so_far}: {value}; Ctrl-o goes back"));
    }

    /// To the next element that is NaN, infinite or "not a time", and neither missing nor the fill value: on from the
    /// cursor, or where the cursor is on no element, to the first one that was read.
    pub(super) fn go_to_array_non_finite(&mut self, shared: &mut Shared) {
        let Some(drawn) = &self.whole.drawn else { return };
        let Some(first) = drawn.cells.all.odd.clone() else {
            let so_far = if drawn.is_partial() { " so far" } else { "" };
            return shared.say(format!(
                "no NaN, ±Inf or NaT here except the fill value and missing values{so_far}"
            ));
        };
        let wanted = NonFinite::new(&drawn.choice, &drawn.array);
        shared.chunk.sought = Some(Sought::Needle(Needle::NonFinite(wanted)));
        if shared.chunk.element().is_some() {
            shared.search_chunk(Direction::Next);
        } else {
            shared.remember();
            self.put(first, shared);
        }
    }
}

/// The element that is so many cells further on: the first of its cell. Past the cells that are drawn, the next
/// element, so that the picture moves on.
fn moved(at: u64, bounds: &[u64], by: i128, length: u64) -> u64 {
    let last = length.saturating_sub(1);
    let (Some(cell), Some(&start), Some(&end)) =
        (cell_at(bounds, at), bounds.first(), bounds.last())
    else {
        return at.min(last);
    };
    let to = cell as i128 + by;
    let cells = bounds.len() as i128 - 1;
    if by.abs() >= FAR {
        return if by < 0 { 0 } else { last };
    }
    match usize::try_from(to) {
        Err(_) => start.saturating_sub(1),
        Ok(_) if to >= cells => end.min(last),
        Ok(to) => bounds.get(to).copied().unwrap_or(at),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cursor_goes_from_cell_to_cell_and_out_of_the_picture() {
        let bounds = [20, 25, 30, 40];
        assert_eq!(moved(27, &bounds, 1, 100), 30);
        assert_eq!(moved(27, &bounds, -1, 100), 20);
        assert_eq!(moved(33, &bounds, 1, 100), 40);
        assert_eq!(moved(33, &bounds, 9, 40), 39);
        assert_eq!(moved(20, &bounds, -1, 100), 19);
        assert_eq!(moved(20, &bounds, FAR, 100), 99);
    }
}
