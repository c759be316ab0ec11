//! The picture's own keys, and its cursor: the element under the chunk view's.

use super::{ALL_FIELDS, Chosen, Counted, next_axes, stops};
use crate::{
    app::{
        App, View,
        action::{Direction, Motion, PictureAction},
        chunks::ChunksPage,
        presence::step,
        search::{Needle, NonFinite, Sought},
    },
    zarr::{
        statistics::{Choice, cell_of, choices, first_of},
        text::safe,
    },
};

/// How many cells a page of the picture is.
const PAGE: u64 = 10;

impl ChunksPage {
    /// The coordinates in the chunk of the element under the cursor, where the stage has elements.
    #[must_use]
    pub fn element(&self) -> Option<Vec<u64>> {
        let elements = self.shown()?.chunk.elements()?;
        Some(elements.coordinates(self.position()?))
    }

    /// Puts the cursor on the element at these coordinates of the chunk.
    pub fn go_to(&mut self, at: &[u64]) {
        let Some(shown) = self.shown().cloned() else { return };
        let Some(elements) = shown.chunk.elements() else { return };
        self.stage = shown.last();
        self.place(elements.byte_range(elements.position(at)).start);
    }

    /// How many elements of the array the chunk has along each dimension: those behind the array's edge do not count.
    #[must_use]
    pub fn extent(&self) -> Vec<u64> {
        let region = self.shown().map(|shown| &shown.chunk.region);
        region.into_iter().flatten().map(|range| range.end - range.start).collect()
    }

    /// What of each element can be drawn; nothing where the data type is not understood.
    #[must_use]
    pub fn choices(&self) -> Vec<Choice> {
        let data_type = self.array.as_ref().and_then(|(_, array)| array.data_type());
        data_type.map_or_else(Vec::new, |data_type| choices(data_type.as_ref()))
    }
}

impl App {
    pub(in crate::app) fn act_on_picture(&mut self, action: PictureAction) {
        match action {
            PictureAction::Index(way) => self.step_index(way),
            PictureAction::Axes => {
                let dimensions = self.chunks.extent().len();
                self.picture.axes = next_axes(self.picture.drawn(dimensions), dimensions);
                if dimensions < 2 {
                    self.say("one dimension is drawn in one way");
                }
            }
            PictureAction::Scale => self.picture.scale = self.picture.scale.other(),
            PictureAction::Field(way) => self.step_field(way),
            PictureAction::Extreme(way) => self.go_to_extreme(way),
            PictureAction::NonFinite => self.go_to_non_finite(),
        }
    }

    /// Draws the next field, or the next number of a complex one.
    fn step_field(&mut self, way: Direction) {
        let choices = self.chunks.choices();
        if stops(&choices).len() < 2 {
            return self.say(self.no_fields());
        }
        self.picture.step_choice(&choices, way);
    }

    /// Draws the field of this name; what is wrong with it, if something is.
    pub(in crate::app) fn choose_field(&mut self, name: &str) {
        let choices = self.chunks.choices();
        let known = choices.iter().find(|choice| choice.name == name && !name.is_empty());
        self.picture.chosen = match known {
            _ if name == ALL_FIELDS && super::is_struct(&choices) => Chosen::All,
            Some(choice) => Chosen::Named(choice.name.clone()),
            None => {
                let names = self.field_names();
                return self.fail(if names.is_empty() {
                    self.no_fields().to_owned()
                } else {
                    format!("no field {}: there are {}", safe(name), safe(&names.join("  ")))
                });
            }
        };
        self.choose_view(View::Picture);
    }

    fn no_fields(&self) -> &'static str {
        if self.is_array() {
            "elements of this array are one thing: no fields, no parts"
        } else {
            "no array is on show"
        }
    }

    /// What `:field` takes.
    pub(in crate::app) fn field_names(&self) -> Vec<String> {
        let choices = self.chunks.choices();
        let name = |stop: Option<usize>| match stop {
            Some(at) => choices.get(at).map(|choice| choice.name.clone()),
            None => Some(ALL_FIELDS.to_owned()),
        };
        stops(&choices).into_iter().filter_map(name).filter(|name| !name.is_empty()).collect()
    }

    /// Whether what can be chosen are fields; if not, it is the parts of a complex number.
    #[must_use]
    pub fn draws_fields(&self) -> bool {
        super::is_struct(&self.chunks.choices())
    }

    /// The next slice along the dimensions that are not drawn, the last of them first.
    fn step_index(&mut self, way: Direction) {
        let extent = self.chunks.extent();
        let Some(mut at) = self.chunks.element() else { return };
        let fixed: Vec<usize> = self.picture.fixed(extent.len()).collect();
        let of = |from: &[u64]| -> Vec<u64> {
            fixed.iter().filter_map(|&axis| from.get(axis).copied()).collect()
        };
        let Some(to) = step(&of(&at), &of(&extent), way == Direction::Next) else {
            let word = if way == Direction::Next { "last" } else { "first" };
            return self.say(if fixed.is_empty() {
                "all dimensions are drawn: there is no other slice".to_owned()
            } else {
                format!("this is the {word} slice of the chunk")
            });
        };
        for (axis, index) in fixed.iter().zip(to) {
            if let Some(place) = at.get_mut(*axis) {
                *place = index;
            }
        }
        self.chunks.go_to(&at);
    }

    /// What was counted of the number that is drawn.
    #[must_use]
    pub fn counted(&self) -> Option<&Counted> {
        self.picture.pictured.ready()?.chosen()
    }

    /// To the highest (`Next`) or the lowest number of the chunk.
    fn go_to_extreme(&mut self, way: Direction) {
        let Some(counted) = self.counted() else {
            return self.say("there is nothing on show that is high or low");
        };
        let extreme = match way {
            Direction::Next => &counted.statistics.maximum,
            Direction::Previous => &counted.statistics.minimum,
        };
        let Some(extreme) = extreme.clone() else {
            return self.say("there is no number in this chunk but the fill value");
        };
        self.go_to_position(extreme.position);
        let word = if way == Direction::Next { "highest" } else { "lowest" };
        let value = extreme.scalar.to_string();
        self.say(format!("the {word} of the chunk: {}; the place before: Ctrl-o", safe(&value)));
    }

    /// To the next element that is NaN, infinite or "not a time" and not the fill value.
    fn go_to_non_finite(&mut self) {
        let Some(counted) = self.counted() else {
            return self.say("there is nothing on show that could be NaN");
        };
        if counted.statistics.first_non_finite.is_none() {
            return self.say("no NaN, no ±Inf, no NaT here but the fill value");
        }
        let fill = self.chunks.shown().and_then(|shown| shown.fill_scalar.clone());
        let wanted = NonFinite::new(&counted.choice, fill.as_ref());
        self.chunks.sought = Some(Sought::Needle(Needle::NonFinite(wanted)));
        self.search_chunk(Direction::Next);
    }

    /// To the element at this position, the place before being remembered.
    fn go_to_position(&mut self, position: u64) {
        let shown = self.chunks.shown().cloned();
        if let Some(elements) = shown.as_ref().and_then(|shown| shown.chunk.elements()) {
            self.remember();
            self.chunks.go_to(&elements.coordinates(position));
        }
    }

    pub(in crate::app) fn moved_in_picture(&mut self, motion: Motion, count: Option<u64>) {
        let extent = self.chunks.extent();
        let Some(mut at) = self.chunks.element() else { return };
        if let (Motion::First | Motion::Last, Some(index)) = (motion, count) {
            return self.go_to_index(index);
        }
        let many = count.unwrap_or(1);
        let (down, right) = self.picture.drawn(extent.len());
        let (mut y, mut x) = (Along::new(self, &at, &extent, 0), Along::new(self, &at, &extent, 1));
        match motion {
            Motion::Up => y.back(many),
            Motion::Down => y.on(many),
            Motion::PageUp => y.back(PAGE),
            Motion::PageDown => y.on(PAGE),
            Motion::HalfUp => y.back(PAGE / 2),
            Motion::HalfDown => y.on(PAGE / 2),
            Motion::Left => x.back(many),
            Motion::Right => x.on(many),
            Motion::RowStart => x.back(u64::MAX),
            Motion::RowEnd => x.on(u64::MAX),
            Motion::First => {
                y.back(u64::MAX);
                x.back(u64::MAX);
            }
            Motion::Last => {
                y.on(u64::MAX);
                x.on(u64::MAX);
            }
        }
        if down != right
            && let Some(place) = at.get_mut(down)
        {
            *place = y.at;
        }
        if let Some(place) = at.get_mut(right) {
            *place = x.at;
        }
        self.chunks.go_to(&at);
    }

    /// To the element that was clicked at, as down and across.
    pub(in crate::app) fn point_at_element(&mut self, spot: Option<(u64, u64)>) {
        let (Some((y, x)), Some(mut at)) = (spot, self.chunks.element()) else { return };
        let (down, right) = self.picture.drawn(at.len());
        if down != right
            && let Some(place) = at.get_mut(down)
        {
            *place = y;
        }
        if let Some(place) = at.get_mut(right) {
            *place = x;
        }
        self.chunks.go_to(&at);
    }

    /// To the element with this number, in C order.
    fn go_to_index(&mut self, index: u64) {
        let shown = self.chunks.shown().cloned();
        let Some(elements) = shown.as_ref().and_then(|shown| shown.chunk.elements()) else {
            return;
        };
        self.remember();
        let index = index.min(elements.len().saturating_sub(1));
        self.chunks.go_to(&elements.coordinates_of_index(index));
    }

    /// Enter in the picture: the element in hex and values.
    pub(in crate::app) fn open_pictured(&mut self) {
        if self.chunks.element().is_none() {
            return self.choose_view(View::Chunks);
        }
        self.remember();
        self.view = View::Chunks;
    }
}

/// A cursor along one dimension of the picture, which moves by what is drawn: by elements or by cells of several.
struct Along {
    at: u64,
    length: u64,
    cells: usize,
}

impl Along {
    /// Down (`side` 0) or right (1).
    fn new(app: &App, at: &[u64], extent: &[u64], side: usize) -> Self {
        let drawn = app.picture.drawn(extent.len());
        let axis = if side == 0 { drawn.0 } else { drawn.1 };
        let length = extent.get(axis).copied().unwrap_or(1);
        let map = app.picture.pictured.ready().and_then(|pictured| pictured.map.as_ref());
        let cells = map.map(|map| if side == 0 { map.rows } else { map.columns });
        let all = usize::try_from(length).unwrap_or(usize::MAX);
        let cells = cells.filter(|&cells| cells > 0).unwrap_or(all).min(all);
        Self { at: at.get(axis).copied().unwrap_or(0), length, cells }
    }

    fn back(&mut self, by: u64) {
        let cell = cell_of(self.at, self.length, self.cells) as u64;
        self.to(cell.saturating_sub(by));
    }

    fn on(&mut self, by: u64) {
        let cell = cell_of(self.at, self.length, self.cells) as u64;
        let last = (self.cells as u64).saturating_sub(1);
        if cell.saturating_add(by) > last && by == u64::MAX {
            // The last element, and not only the first of the last cell.
            self.at = self.length.saturating_sub(1);
        } else {
            self.to(cell.saturating_add(by).min(last));
        }
    }

    fn to(&mut self, cell: u64) {
        let cell = usize::try_from(cell).unwrap_or(usize::MAX);
        self.at = first_of(cell, self.length, self.cells).min(self.length.saturating_sub(1));
    }
}
