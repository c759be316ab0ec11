//! The picture's own keys, and its cursor: an element of the array.

use super::{ALL_FIELDS, Chosen, next_axes, pictured::frame, stops, whole::why_no_array};
use crate::app::prelude::*;
use crate::{app::search::NonFinite, zarr::statistics::raster::cell_at};

/// A number of every element, its counts, and the array that it is of.
type Counts<'a> = (&'a Choice, &'a Statistics, &'a ArrayMetadata);

/// The number of cells a page of the picture is.
const PAGE: i128 = 10;

/// A step that is longer than any dimension.
const FAR: i128 = u64::MAX as i128;

/// The cells down and to the right that a motion leads on; `None` where it moves no cursor.
fn steps(motion: Motion, count: Option<u64>) -> Option<(i128, i128)> {
    let many = i128::from(count.unwrap_or(1));
    Some(match motion {
        Motion::Up => (-many, 0),
        Motion::Down => (many, 0),
        Motion::PageUp => (-PAGE, 0),
        Motion::PageDown => (PAGE, 0),
        Motion::HalfUp => (-PAGE / 2, 0),
        Motion::HalfDown => (PAGE / 2, 0),
        Motion::Left => (0, -many),
        Motion::Right => (0, many),
        Motion::RowStart => (0, -FAR),
        Motion::RowEnd => (0, FAR),
        Motion::First => (-FAR, -FAR),
        Motion::Last => (FAR, FAR),
        Motion::Window(_) => return None,
    })
}

impl PicturePage {
    /// Draws other axes.
    pub(super) fn turn_axes(&mut self, shared: &mut Shared) {
        let dimensions = shared.chunk.counts.len();
        self.axes = next_axes(self.drawn(dimensions), dimensions);
        if dimensions < 2 {
            shared.say("an array with one dimension has only one picture");
        }
    }

    /// Draws the next field, or the next number of a complex one.
    pub(super) fn step_field(&mut self, way: Direction, shared: &mut Shared) {
        let choices = shared.chunk.choices();
        if stops(&choices).len() < 2 {
            return shared.say(no_fields(shared));
        }
        self.step_choice(&choices, way);
    }

    /// Draws the field of this name; what is wrong with it, if something is.
    pub(in crate::app) fn choose_field(&mut self, name: &str, shared: &mut Shared) {
        let choices = shared.chunk.choices();
        let known = choices.iter().find(|choice| choice.name == name && !name.is_empty());
        self.chosen = match known {
            _ if name == ALL_FIELDS && super::is_struct(&choices) => Chosen::All,
            Some(choice) => Chosen::Named(choice.name.clone()),
            None => {
                let names = field_names(&shared.chunk);
                return shared.fail(if names.is_empty() {
                    no_fields(shared).to_owned()
                } else {
                    format!("no field {}; the fields are {}", safe(name), safe(&names.join("  ")))
                });
            }
        };
        shared.show_view(View::Picture);
    }

    /// The cells on show: of the chunk, or of more of the array.
    pub(super) fn grid(&self, chunk: &CurrentChunk) -> Option<&CellGrid> {
        if self.draws_array(chunk) {
            return self.whole.drawn.as_ref().map(|drawn| &drawn.grid);
        }
        let pictured = self.pictured.ready().filter(|pictured| pictured.map.is_some());
        pictured.map(|pictured| pictured.grid.as_ref())
    }

    /// The part of the array that the cursor can go to: the chunk, or all of it.
    pub(super) fn limits(&self, chunk: &CurrentChunk) -> Region {
        if !self.draws_array(chunk) {
            return chunk.shown().map_or_else(Vec::new, |shown| shown.chunk.region.clone());
        }
        let shape = chunk.array.as_ref().and_then(|(_, array)| array.known_shape());
        shape.into_iter().flatten().map(|&length| 0..length).collect()
    }

    /// The element under the cursor, by its coordinates in the array.
    pub(super) fn at(&self, chunk: &CurrentChunk) -> Option<Vec<u64>> {
        if self.draws_array(chunk) {
            return Some(self.whole.at.clone());
        }
        Some(chunk.shown()?.in_array(&chunk.element()?))
    }

    /// The number that is counted, its counts so far, and the array.
    pub(super) fn counts(&self, chunk: &CurrentChunk) -> Option<Counts<'_>> {
        if self.draws_array(chunk) {
            let drawn = self.whole.drawn.as_ref()?;
            return Some((&drawn.choice, &drawn.cells.all.statistics, &drawn.array));
        }
        let counted = self.counted()?;
        Some((&counted.choice, &counted.statistics, &self.pictured.ready()?.shown.array))
    }

    /// True if all indices of the dimensions that are not drawn are in the picture.
    pub(super) fn is_reduced(&self, chunk: &CurrentChunk) -> bool {
        self.draws_array(chunk) && self.whole.reduction != Reduction::Fixed
    }

    /// Puts the cursor on an element of the array; where more than a chunk is drawn, its chunk is loaded.
    fn put(&mut self, at: Vec<u64>, shared: &mut Shared) {
        if self.draws_array(&shared.chunk) {
            self.whole.at.clone_from(&at);
            return shared.put_cursor(at);
        }
        let limits = self.limits(&shared.chunk);
        let inside: Vec<u64> =
            at.iter().zip(limits).map(|(at, range)| at.saturating_sub(range.start)).collect();
        shared.chunk.go_to(&inside);
    }

    /// Draws the next slice along the dimensions that are not drawn, the last of them first.
    pub(super) fn step_slice(&mut self, way: Direction, shared: &mut Shared) {
        let limits = self.limits(&shared.chunk);
        let fixed: Vec<usize> = self.fixed(limits.len()).collect();
        let Some(mut at) = self.at(&shared.chunk) else { return };
        let parts = || fixed.iter().filter_map(|axis| Some((*at.get(*axis)?, limits.get(*axis)?)));
        let here: Vec<u64> = parts().map(|(at, range)| at.saturating_sub(range.start)).collect();
        let lengths: Vec<u64> = parts().map(|(_, range)| range.end - range.start).collect();
        let is_reduced = self.is_reduced(&shared.chunk);
        let Some(to) = order::next(&here, &lengths, way.is_next()).filter(|_| !is_reduced) else {
            let word = if way.is_next() { "last" } else { "first" };
            let what = if self.draws_array(&shared.chunk) { "array" } else { "chunk" };
            return shared.say(match fixed.as_slice() {
                [] => "no other slice: all dimensions are drawn".to_owned(),
                _ if is_reduced => "all indices are in this picture: m draws one of them".into(),
                _ => format!("this is the {word} slice of the {what}"),
            });
        };
        for (axis, index) in fixed.iter().zip(to) {
            if let (Some(place), Some(range)) = (at.get_mut(*axis), limits.get(*axis)) {
                *place = range.start + index;
            }
        }
        self.put(at, shared);
    }

    /// The counts of the number that is drawn.
    pub fn counted(&self) -> Option<&CountedColumn> {
        self.pictured.ready()?.chosen()
    }

    /// The words for what is counted.
    fn counted_part(&self, chunk: &CurrentChunk) -> &'static str {
        match &self.whole.drawn {
            _ if !self.draws_array(chunk) => "the chunk",
            Some(drawn) if drawn.is_partial() => "what is drawn so far",
            _ => "what is drawn",
        }
    }

    /// To the highest (`Next`) or the lowest number that was counted.
    pub(super) fn go_to_extreme(&mut self, way: Direction, shared: &mut Shared) {
        let Some((_, counts, _)) = self.counts(&shared.chunk) else {
            return shared.say("no numbers on screen");
        };
        let (extreme, word, end) = match way {
            Direction::Next => (&counts.maximum, "highest", 1),
            Direction::Previous => (&counts.minimum, "lowest", 0),
        };
        let what = self.counted_part(&shared.chunk);
        let Some(extreme) = extreme else {
            return shared.say(format!("no numbers in {what}"));
        };
        let value = safe_text(&extreme.scalar);
        let drawn = self.whole.drawn.as_ref().filter(|_| self.draws_array(&shared.chunk));
        let place = match (drawn, shared.chunk.shown()) {
            (Some(drawn), _) => drawn.cells.all.places.get(end).cloned(),
            (None, shown) => shown.and_then(|shown| {
                let elements = shown.chunk.elements()?;
                Some(shown.in_array(&elements.coordinates(extreme.position)))
            }),
        };
        let Some(place) = place else { return };
        shared.remember();
        self.put(place, shared);
        shared.say(format!("the {word} of {what}: {value}; Ctrl-o goes back"));
    }

    /// To the next element that is NaN, infinite or "not a time", and neither missing nor the fill value: on from the
    /// cursor, or where the cursor is on no element, to the first one that was read.
    pub(super) fn go_to_non_finite(&mut self, shared: &mut Shared) {
        let Some((choice, counts, array)) = self.counts(&shared.chunk) else {
            return shared.say("nothing on screen can be NaN");
        };
        if counts.first_non_finite.is_none() {
            let what = self.counted_part(&shared.chunk);
            return shared.say(format!(
                "no NaN, ±Inf or NaT in {what} except the fill value and missing values"
            ));
        }
        shared.chunk.sought =
            Some(Sought::Needle(Needle::NonFinite(NonFinite::new(choice, array))));
        let drawn = self.whole.drawn.as_ref().filter(|_| self.draws_array(&shared.chunk));
        let first = drawn.and_then(|drawn| drawn.cells.all.odd.clone());
        match first.filter(|_| shared.chunk.element().is_none()) {
            Some(first) => {
                shared.remember();
                self.put(first, shared);
            }
            None => shared.search_chunk(Direction::Next),
        }
    }

    pub(super) fn move_cursor(&mut self, motion: Motion, count: Option<u64>, shared: &mut Shared) {
        if let (Motion::First | Motion::Last, Some(index)) = (motion, count)
            && !self.draws_array(&shared.chunk)
        {
            return go_to_index(index, shared);
        }
        let limits = self.limits(&shared.chunk);
        let Some((mut at, by)) = self.at(&shared.chunk).zip(steps(motion, count)) else { return };
        let (down, right) = self.drawn(limits.len());
        let raster = self.grid(&shared.chunk).map(|grid| &grid.raster);
        let bounds = raster.map_or((&[][..], &[][..]), |raster| (&raster.rows, &raster.columns));
        let down = (Some(down).filter(|down| *down != right), bounds.0, by.0);
        for (axis, bounds, by) in [down, (Some(right), bounds.1, by.1)] {
            let place = axis.and_then(|axis| Some((at.get_mut(axis)?, limits.get(axis)?)));
            if let Some((place, limits)) = place.filter(|_| by != 0) {
                *place = moved(*place, bounds, by, limits);
            }
        }
        self.put(at, shared);
    }

    /// To the element that was clicked at.
    pub(super) fn point_at(&mut self, spot: PaneCell, shared: &mut Shared) {
        let halves = shared.chunk.shown().filter(|_| !self.draws_array(&shared.chunk));
        let top = match halves {
            Some(shown) => frame(shown, shared.geometry.view).1,
            None => PictureFrame::new(shared.geometry.view).top(),
        };
        let spot = self.grid(&shared.chunk).and_then(|grid| grid.element_at(spot, top));
        let Some((spot, mut at)) = spot.zip(self.at(&shared.chunk)) else { return };
        for (axis, to) in spot {
            if let Some(place) = at.get_mut(axis) {
                *place = to;
            }
        }
        self.put(at, shared);
    }
}

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
        self.pictured.ready().filter(|pictured| pictured.map.is_some()).is_some_and(|pictured| {
            let (down, right) = &pictured.grid.rulers;
            down.widths().1.max(right.widths().1) > 1
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
        if !self.does(Action::Shows, &shared.chunk) {
            return shared.say("zoom out first: - draws more than this chunk");
        }
        self.whole.reduction = match self.whole.reduction {
            Reduction::Fixed => Reduction::Mean,
            Reduction::Mean => Reduction::Highest,
            Reduction::Highest => Reduction::Fixed,
        };
    }
}

/// The reason why there is nothing to choose from.
fn no_fields(shared: &Shared) -> &'static str {
    if shared.is_array() {
        "elements of this array have no fields or parts"
    } else {
        "no array is open"
    }
}

/// The names that `:field` takes.
pub(in crate::app) fn field_names(chunk: &CurrentChunk) -> Vec<String> {
    let choices = chunk.choices();
    let name = |stop: Option<usize>| match stop {
        Some(at) => choices.get(at).map(|choice| choice.name.clone()),
        None => Some(ALL_FIELDS.to_owned()),
    };
    stops(&choices).into_iter().filter_map(name).filter(|name| !name.is_empty()).collect()
}

/// To the element with this number, in C order.
fn go_to_index(index: u64, shared: &mut Shared) {
    let shown = shared.chunk.shown().cloned();
    let Some(elements) = shown.as_ref().and_then(|shown| shown.chunk.elements()) else {
        return;
    };
    shared.remember();
    let index = index.min(elements.len().saturating_sub(1));
    shared.chunk.go_to(&elements.coordinates_of_index(index));
}

/// The element that is so many cells further on, within `limits`: the first of its cell. Past the cells that are drawn,
/// the next element, so that the picture moves on; where none are drawn, elements count.
fn moved(at: u64, bounds: &[u64], by: i128, limits: &Range<u64>) -> u64 {
    let to = match cell_at(bounds, at) {
        _ if by.abs() >= FAR => {
            if by < 0 {
                0
            } else {
                u64::MAX
            }
        }
        None => u64::try_from(i128::from(at) + by).unwrap_or(0),
        Some(cell) => match (usize::try_from(cell as i128 + by), bounds) {
            (Ok(to), [.., end]) => bounds.get(to).copied().unwrap_or(*end),
            (_, [start, ..]) => start.saturating_sub(1),
            _ => at,
        },
    };
    to.min(limits.end.saturating_sub(1)).max(limits.start)
}
