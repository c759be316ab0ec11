//! The picture's own keys, and its cursor: the element under the chunk view's.

use super::{ALL_FIELDS, Chosen, CountedColumn, PicturePage, next_axes, stops};
use crate::{
    app::{
        Shared, View,
        action::{Direction, Motion, PictureAction},
        current_chunk::CurrentChunk,
        search::{Needle, NonFinite, Sought},
    },
    zarr::{
        grid::order,
        statistics::{cell_of, first_of},
        text::safe,
    },
};

/// The number of cells a page of the picture is.
const PAGE: i128 = 10;

/// A step that is longer than any dimension.
pub(super) const FAR: i128 = u64::MAX as i128;

/// The cells down and to the right that a motion leads on; `None` where it moves no cursor.
pub(super) fn steps(motion: Motion, count: Option<u64>) -> Option<(i128, i128)> {
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
    pub(super) fn act(&mut self, action: PictureAction, shared: &mut Shared) {
        let in_array = self.draws_array(&shared.chunk);
        match action {
            PictureAction::Zoom(way) => self.zoom(way, shared),
            PictureAction::Extreme(way) if in_array => self.go_to_array_extreme(way, shared),
            PictureAction::NonFinite if in_array => self.go_to_array_non_finite(shared),
            PictureAction::Scale => self.scale = self.scale.other(),
            PictureAction::Extreme(way) => self.go_to_extreme(way, shared),
            PictureAction::NonFinite => self.go_to_non_finite(shared),
        }
    }

    /// Draws the next slice along the dimensions that are not drawn.
    pub(super) fn step_slice(&mut self, way: Direction, shared: &mut Shared) {
        if self.draws_array(&shared.chunk) {
            self.step_array_index(way, shared);
        } else {
            self.step_index(way, shared);
        }
    }

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

    /// The next slice along the dimensions that are not drawn, the last of them first.
    fn step_index(&self, way: Direction, shared: &mut Shared) {
        let extent = shared.chunk.extent();
        let Some(mut at) = shared.chunk.element() else { return };
        match self.next_slice(&mut at, &extent, way, "chunk") {
            Ok(()) => shared.chunk.go_to(&at),
            Err(why) => shared.say(why),
        }
    }

    /// Moves `at` to the next or the previous slice of `what`, or says why there is none.
    pub(super) fn next_slice(
        &self,
        at: &mut [u64],
        shape: &[u64],
        way: Direction,
        what: &str,
    ) -> Result<(), String> {
        let fixed: Vec<usize> = self.fixed(shape.len()).collect();
        let of = |from: &[u64]| -> Vec<u64> {
            fixed.iter().filter_map(|&axis| from.get(axis).copied()).collect()
        };
        let Some(to) = order::next(&of(at), &of(shape), way.is_next()) else {
            let word = if way.is_next() { "last" } else { "first" };
            return Err(if fixed.is_empty() {
                "no other slice: all dimensions are drawn".to_owned()
            } else {
                format!("this is the {word} slice of the {what}")
            });
        };
        for (axis, index) in fixed.iter().zip(to) {
            if let Some(place) = at.get_mut(*axis) {
                *place = index;
            }
        }
        Ok(())
    }

    /// The counts of the number that is drawn.
    pub fn counted(&self) -> Option<&CountedColumn> {
        self.pictured.ready()?.chosen()
    }

    /// To the highest (`Next`) or the lowest number of the chunk.
    fn go_to_extreme(&self, way: Direction, shared: &mut Shared) {
        let Some(counted) = self.counted() else {
            return shared.say("no numbers on screen");
        };
        let extreme = match way {
            Direction::Next => &counted.statistics.maximum,
            Direction::Previous => &counted.statistics.minimum,
        };
        let Some(extreme) = extreme.clone() else {
            return shared.say("no numbers in this chunk");
        };
        go_to_position(extreme.position, shared);
        let word = if way.is_next() { "highest" } else { "lowest" };
        let value = extreme.scalar.to_string();
        shared.say(format!("the {word} of the chunk: {}; Ctrl-o goes back", safe(&value)));
    }

    /// To the next element that is NaN, infinite or "not a time", and neither missing nor the fill value.
    fn go_to_non_finite(&self, shared: &mut Shared) {
        let Some(counted) = self.counted() else {
            return shared.say("nothing on screen can be NaN");
        };
        if counted.statistics.first_non_finite.is_none() {
            return shared.say("no NaN, ±Inf or NaT here except the fill value and missing values");
        }
        let Some(shown) = shared.chunk.shown() else { return };
        let wanted = NonFinite::new(&counted.choice, &shown.array);
        shared.chunk.sought = Some(Sought::Needle(Needle::NonFinite(wanted)));
        shared.search_chunk(Direction::Next);
    }

    pub(super) fn move_cursor(&self, motion: Motion, count: Option<u64>, shared: &mut Shared) {
        let extent = shared.chunk.extent();
        let Some(mut at) = shared.chunk.element() else { return };
        if let (Motion::First | Motion::Last, Some(index)) = (motion, count) {
            return go_to_index(index, shared);
        }
        let Some((by_down, by_right)) = steps(motion, count) else { return };
        let (mut y, mut x) = (Along::new(self, &at, &extent, 0), Along::new(self, &at, &extent, 1));
        y.step(by_down);
        x.step(by_right);
        self.go_to_drawn(&mut at, (y.at, x.at), shared);
    }

    /// To the element that was clicked at, as down and across.
    pub(super) fn point_at(&self, spot: Option<(u64, u64)>, shared: &mut Shared) {
        let (Some((y, x)), Some(mut at)) = (spot, shared.chunk.element()) else { return };
        self.go_to_drawn(&mut at, (y, x), shared);
    }

    /// Puts the cursor on row `y` and column `x` of the drawn dimensions; where one is drawn, on its column.
    fn go_to_drawn(&self, at: &mut [u64], (y, x): (u64, u64), shared: &mut Shared) {
        let (down, right) = self.drawn(at.len());
        for (axis, to) in [(down, y), (right, x)] {
            if let Some(place) = at.get_mut(axis) {
                *place = to;
            }
        }
        shared.chunk.go_to(at);
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

/// To the element at this position, the place before being remembered.
fn go_to_position(position: u64, shared: &mut Shared) {
    let shown = shared.chunk.shown().cloned();
    if let Some(elements) = shown.as_ref().and_then(|shown| shown.chunk.elements()) {
        shared.remember();
        shared.chunk.go_to(&elements.coordinates(position));
    }
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

/// A cursor along one dimension of the picture, which moves by what is drawn: by elements or by cells of several.
struct Along {
    at: u64,
    length: u64,
    cells: usize,
}

impl Along {
    /// Down (`side` 0) or right (1).
    fn new(page: &PicturePage, at: &[u64], extent: &[u64], side: usize) -> Self {
        let drawn = page.drawn(extent.len());
        let axis = if side == 0 { drawn.0 } else { drawn.1 };
        let length = extent.get(axis).copied().unwrap_or(1);
        let map = page.pictured.ready().and_then(|pictured| pictured.map.as_ref());
        let cells = map.map(|map| if side == 0 { map.rows } else { map.columns });
        let all = usize::try_from(length).unwrap_or(usize::MAX);
        let cells = cells.filter(|&cells| cells > 0).unwrap_or(all).min(all);
        Self { at: at.get(axis).copied().unwrap_or(0), length, cells }
    }

    /// So many cells on, or back, as far as there are some.
    fn step(&mut self, by: i128) {
        let cell = cell_of(self.at, self.length, self.cells) as i128;
        let last = (self.cells as i128 - 1).max(0);
        if by == FAR {
            // The last element, and not only the first of the last cell.
            self.at = self.length.saturating_sub(1);
        } else if by != 0 {
            self.to(u64::try_from((cell + by).clamp(0, last)).unwrap_or(0));
        }
    }

    fn to(&mut self, cell: u64) {
        let cell = usize::try_from(cell).unwrap_or(usize::MAX);
        self.at = first_of(cell, self.length, self.cells).min(self.length.saturating_sub(1));
    }
}
