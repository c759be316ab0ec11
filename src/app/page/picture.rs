//! The slice of a chunk that is drawn, and how.

use crate::app::prelude::*;

mod cursor;
pub mod drawn;
pub mod pictured;
pub mod whole;
mod zoom;

pub(in crate::app) use cursor::field_names;
pub use pictured::{CountedColumn, Pictured};
pub use whole::{Reduction, Whole};
pub use zoom::Zoom;

/// The mapping from values to shades.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Scale {
    /// In proportion to the value.
    #[default]
    Linear,
    /// In proportion to how many values are smaller: shows structure whatever the distribution.
    Rank,
}

impl Scale {
    /// The other one.
    pub fn other(self) -> Self {
        match self {
            Self::Linear => Self::Rank,
            Self::Rank => Self::Linear,
        }
    }
}

/// The number of every element that is drawn, where there are several.
#[derive(Debug, Clone, Default)]
pub enum Chosen {
    /// The first that is one.
    #[default]
    First,
    /// That of this name, where the elements have it.
    Named(String),
    /// None: all fields of a struct, counted side by side.
    All,
}

/// The name for all fields side by side in the command.
pub const ALL_FIELDS: &str = "all fields";

/// A request to a worker.
#[derive(Clone)]
struct SliceRequest {
    shown: Arc<Shown>,
    grid: Arc<CellGrid>,
    choice: Option<usize>,
}

/// The picture of a chunk. Its cursor is that of the chunk view: the element under it.
#[derive(Clone, Default)]
pub struct PicturePage {
    /// The dimensions that run down and across; `None` for the last two.
    pub axes: Option<(usize, usize)>,
    /// The mapping from values to shades.
    pub scale: Scale,
    /// The number of every element that is drawn; kept from array to array, as far as they have it.
    pub chosen: Chosen,
    /// The chunk, counted and sampled.
    pub pictured: Load<Arc<Pictured>>,
    /// The progress of counting, once it takes time.
    pub counting: Option<Pace>,
    /// The picture of more than a chunk.
    pub whole: Whole,
    asked: Option<SliceRequest>,
}

impl Page for PicturePage {
    fn moved(&mut self, motion: Motion, count: Option<u64>, shared: &mut Shared) {
        self.move_cursor(motion, count, shared);
    }

    fn clicked(&mut self, at: PaneCell, shared: &mut Shared) -> bool {
        self.point_at(at, shared);
        false
    }

    fn wheeled(&mut self, by: i8, shared: &mut Shared) {
        let way = if by > 0 { Direction::Next } else { Direction::Previous };
        self.step_slice(way, shared);
    }

    /// Shows the element in hex and values.
    fn opened(&mut self, shared: &mut Shared) -> bool {
        if shared.chunk.element().is_some() {
            shared.remember();
        }
        shared.show_view(View::Chunks);
        false
    }

    fn acted(&mut self, action: Action, shared: &mut Shared) {
        match action {
            Action::Zoom(way) => self.zoom(way, shared),
            Action::Scale => self.scale = self.scale.other(),
            Action::Extreme(way) => self.go_to_extreme(way, shared),
            Action::NonFinite => self.go_to_non_finite(shared),
            Action::Step(StepTo::Slice, way) => self.step_slice(way, shared),
            Action::Step(StepTo::Field, way) => self.step_field(way, shared),
            Action::Shows => self.reduce(shared),
            Action::Axes => self.turn_axes(shared),
            _ => {}
        }
    }

    fn searched(&mut self, line: &str, shared: &mut Shared) {
        shared.search_for(line);
    }

    fn next_match(&mut self, way: Direction, shared: &mut Shared) {
        shared.search_chunk(way);
    }

    fn copied(&self, shared: &Shared) -> Option<String> {
        shared.chunk.value_text()
    }

    fn explained(&self, shared: &Shared) -> Option<Explained> {
        explained::byte(&shared.chunk)
    }

    fn is_available(&self, action: Action, shared: &Shared) -> bool {
        self.does(action, &shared.chunk)
    }

    /// Has the slice on show counted and sampled, unless it was.
    fn wanted(&mut self, shared: &mut Shared) {
        self.draw_array(shared);
        let shown = shared.chunk.shown().cloned();
        self.forget(shown.as_ref());
        if self.draws_array(&shared.chunk) {
            return;
        }
        let Some(shown) = shown.filter(|_| shared.view == View::Picture) else { return };
        // What is drawn are elements, and so is what the cursor is on.
        shared.chunk.choose_stage(shown.last());
        let under = self.at(&shared.chunk).unwrap_or_default();
        let grid = Arc::new(self.grid_of_chunk(&shown, &under, shared.geometry.view));
        let choice = self.choice(&shared.chunk.choices());
        if self.asks_anew(&shown, &grid, choice) {
            let (before, limit) = (self.pictured.ready().cloned(), shared.limit);
            shared.run(Lane::Picture, Work::Picture { shown, grid, choice, limit, before });
        }
    }

    fn reloaded(&mut self, shared: &mut Shared) {
        self.forget(None);
        self.redraw(shared);
    }

    fn stopped(&mut self, _lane: Lane, _shared: &mut Shared) {
        if self.is_drawing() {
            return self.stop_drawing();
        }
        let error = Error::new(Code::Stopped, "a chunk that was not counted completely", "")
            .with_fix("Stopped by Esc; r counts it.");
        self.pictured = Load::Failed(error);
    }

    fn replied(&mut self, answer: Answer, _lane: Lane, shared: &mut Shared) {
        if self.is_drawing() {
            return self.drawing(answer, shared);
        }
        match answer {
            Answer::Counting(pace) => self.counting = Some(pace),
            Answer::Pictured(pictured) => self.pictured = Load::Ready(pictured),
            Answer::Failed(error) => self.pictured = Load::Failed(error),
            _ => {}
        }
    }
}

impl PicturePage {
    /// True if the action does something to the picture on show.
    fn does(&self, action: Action, chunk: &CurrentChunk) -> bool {
        let (in_array, limits) = (self.draws_array(chunk), self.limits(chunk));
        let is_drawn = self.grid(chunk).is_some();
        let has_slices = || {
            is_drawn
                && self
                    .fixed(limits.len())
                    .any(|axis| limits.get(axis).is_some_and(|range| range.end - range.start > 1))
        };
        let counts = self.counts(chunk).map(|(_, counts, _)| counts);
        match action {
            Action::Open => chunk.element().is_some(),
            Action::Zoom(way) => self.zooms(way, chunk),
            Action::Step(StepTo::Slice, _) => !self.is_reduced(chunk) && has_slices(),
            Action::Shows => in_array && has_slices(),
            Action::Axes | Action::Scale => is_drawn && limits.len() > 1,
            Action::Step(StepTo::Field, _) => {
                (is_drawn || chunk.shown().is_some()) && stops(&chunk.choices()).len() > 1
            }
            Action::Extreme(_) => counts.is_some_and(|counts| {
                counts.minimum.as_ref().map(|least| &least.scalar)
                    != counts.maximum.as_ref().map(|most| &most.scalar)
            }),
            Action::NonFinite => counts.is_some_and(|counts| counts.first_non_finite.is_some()),
            _ => true,
        }
    }

    /// The dimensions that run down and across for an array of `dimensions`; equal where there is only one.
    pub fn drawn(&self, dimensions: usize) -> (usize, usize) {
        let last = dimensions.saturating_sub(1);
        self.axes
            .filter(|axes| axes.0.max(axes.1) < dimensions)
            .unwrap_or_else(|| (last.saturating_sub(1), last))
    }

    /// The dimensions that are not drawn.
    pub fn fixed(&self, dimensions: usize) -> impl DoubleEndedIterator<Item = usize> + use<> {
        let drawn = self.drawn(dimensions);
        (0..dimensions).filter(move |axis| *axis != drawn.0 && *axis != drawn.1)
    }

    /// The place among `choices` of the one that is drawn; `None` where all fields are side by side.
    pub fn choice(&self, choices: &[Choice]) -> Option<usize> {
        let named = |name: &String| choices.iter().position(|choice| choice.name == *name);
        let first = || choices.iter().position(Choice::is_numeric);
        let only = (choices.len() == 1).then_some(0);
        match &self.chosen {
            Chosen::All if is_struct(choices) => None,
            Chosen::Named(name) => named(name).or_else(first).or(only),
            Chosen::All | Chosen::First => first().or(only),
        }
    }

    /// Draws the number after (or before) the one that is drawn; after the last field of a struct come all of them.
    pub fn step_choice(&mut self, choices: &[Choice], way: Direction) {
        let stops = stops(choices);
        let here = self.choice(choices);
        let at = stops.iter().position(|stop| *stop == here).unwrap_or(0);
        let to = around(at, stops.len(), way).next();
        let stop = to.and_then(|to| stops.get(to).copied().flatten());
        self.chosen = match stop.and_then(|at| choices.get(at)) {
            Some(choice) => Chosen::Named(choice.name.clone()),
            None => Chosen::All,
        };
    }

    /// True if this slice of this chunk has not been asked for yet; from now on it has. What is on show stays until the
    /// answer is there, unless it is of another chunk.
    pub fn asks_anew(
        &mut self,
        shown: &Arc<Shown>,
        grid: &Arc<CellGrid>,
        choice: Option<usize>,
    ) -> bool {
        let of_same_chunk = self.asked.as_ref().filter(|asked| pictured::same(&asked.shown, shown));
        let is_alike = |asked: &SliceRequest| {
            asked.grid.rulers == grid.rulers
                && asked.grid.raster == grid.raster
                && asked.choice == choice
        };
        if of_same_chunk.is_some_and(is_alike) {
            return false;
        }
        if of_same_chunk.is_none() {
            self.pictured = Load::Pending;
        }
        self.counting = None;
        let (shown, grid) = (Arc::clone(shown), Arc::clone(grid));
        self.asked = Some(SliceRequest { shown, grid, choice });
        true
    }

    /// Lets go of every chunk but the one on show.
    pub fn forget(&mut self, shown: Option<&Arc<Shown>>) {
        let asked = self.asked.as_ref().map(|asked| &asked.shown);
        if asked.is_some_and(|asked| shown.is_none_or(|shown| !pictured::same(asked, shown))) {
            (self.asked, self.pictured) = (None, Load::Idle);
        }
    }
}

/// True if elements with these choices are structs.
pub fn is_struct(choices: &[Choice]) -> bool {
    choices.iter().any(|choice| !choice.path.is_empty())
}

/// The choices that can be drawn, one after the other: every number, and of a struct all fields side by side.
pub fn stops(choices: &[Choice]) -> Vec<Option<usize>> {
    let numeric = choices.iter().enumerate().filter(|(_, choice)| choice.is_numeric());
    let all = is_struct(choices).then_some(None);
    numeric.map(|(at, _)| Some(at)).chain(all).collect()
}

/// The pair of dimensions after `axes`, both ways round, of all pairs that there are.
pub fn next_axes(axes: (usize, usize), dimensions: usize) -> Option<(usize, usize)> {
    let pairs: Vec<(usize, usize)> = (0..dimensions)
        .flat_map(|down| (0..dimensions).map(move |across| (down, across)))
        .filter(|(down, across)| down != across)
        .collect();
    let at = pairs.iter().position(|pair| *pair == axes)?;
    pairs.get((at + 1) % pairs.len()).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_go_through_all_pairs_and_come_back() {
        let mut axes = (0, 1);
        for _ in 0..6 {
            axes = next_axes(axes, 3).unwrap();
        }
        assert_eq!(axes, (0, 1));
        assert_eq!(next_axes((0, 0), 1), None);
    }
}
