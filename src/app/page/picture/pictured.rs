//! The picture of a chunk: counted and sampled once, by a worker, for views that only draw.

use crate::app::prelude::*;
use crate::zarr::{
    grid::lengths,
    statistics::{Column, ComplexPart, Extreme, HeatMap, Histogram, downsample},
};

/// The number of bins a histogram has.
const BINS: usize = 44;
/// The number of fields of a struct counted.
const FIELDS: usize = 64;

/// One number of every element, counted.
#[derive(Debug)]
pub struct CountedColumn {
    /// The number.
    pub choice: Choice,
    /// The statistics.
    pub statistics: Statistics,
    /// The histogram of the numbers; `None` if there are none.
    pub histogram: Option<Histogram>,
    /// Integers past 2⁵³ are drawn and binned as what they are above this lowest one; `None` where they are drawn as
    /// they are.
    pub origin: Option<Extreme>,
}

impl CountedColumn {
    /// The lowest and the highest number, as they are drawn.
    pub fn ends(&self) -> Option<(f64, f64)> {
        let (least, most) = (self.statistics.minimum.as_ref()?, self.statistics.maximum.as_ref()?);
        Some(match &self.origin {
            Some(_) => (0.0, most.above(least)),
            None => (least.value, most.value),
        })
    }
}

/// A chunk, counted and sampled.
#[derive(Debug)]
pub struct Pictured {
    /// The chunk.
    pub shown: Arc<Shown>,
    /// The slice of it that is drawn, and the layout of its cells.
    pub grid: Arc<CellGrid>,
    /// The place of the drawn one among the counted; `None` for all of them, side by side.
    pub choice: Option<usize>,
    /// The counts so far, by their place among the choices.
    pub counted: BTreeMap<usize, Arc<CountedColumn>>,
    /// The slice; `None` where its elements are no numbers.
    pub map: Option<HeatMap>,
    /// The same chunk as the documents of the array declare it, where it is read as something else; or why there is
    /// nothing to draw then.
    pub declared: Option<Result<Arc<Self>, Error>>,
}

/// True if both are the same chunk, if perhaps other parts of it are loaded.
pub fn same(a: &Arc<Shown>, b: &Arc<Shown>) -> bool {
    let windowed = |shown: &Shown| {
        shown.chunk.elements().is_some_and(|elements| elements.bytes().as_whole().is_none())
    };
    let alike = || {
        let chunk =
            |shown: &Shown| (shown.path.clone(), shown.chunk.id.clone(), shown.chunk.stored);
        windowed(a) && windowed(b) && chunk(a) == chunk(b)
    };
    Arc::ptr_eq(a, b) || alike()
}

impl Pictured {
    /// Counts and samples `elements`, which are those of `shown`. What `before` has counted of the same chunk is not
    /// counted again. `stop` is told how many elements of how many were counted.
    pub fn of(
        shown: &Arc<Shown>,
        elements: Option<&Elements>,
        (grid, choice): (&Arc<CellGrid>, Option<usize>),
        before: Option<&Self>,
        stop: &dyn Fn(u64, u64) -> bool,
    ) -> Self {
        let known = before.filter(|before| same(&before.shown, shown));
        let mut counted = known.map(|known| known.counted.clone()).unwrap_or_default();
        let mut map = None;
        if let Some(elements) = elements {
            let choices = choices(elements.data_type().as_ref());
            let new: Vec<_> = choices
                .iter()
                .enumerate()
                .filter(|(at, _)| wanted(&choices, choice, *at) && !counted.contains_key(at))
                .collect();
            let all = passed(new.len(), elements.len());
            for (number, (at, one)) in new.into_iter().enumerate() {
                let before = passed(number, elements.len());
                let stop = |seen| stop(before.saturating_add(seen), all);
                counted.insert(at, Arc::new(count(shown, elements, one, &stop)));
            }
            let drawn = choice.and_then(|at| choices.get(at)).filter(|choice| choice.is_numeric());
            let origin = choice.and_then(|at| counted.get(&at)?.origin.clone());
            let starts: Vec<u64> = starts(&shown.chunk.region);
            map = drawn.filter(|_| !starts.is_empty()).map(|choice| {
                let column = based(column(shown, elements, choice), origin.as_ref());
                downsample(&column, &grid.raster, &starts, &|| stop(all, all))
            });
        }
        Self {
            shown: Arc::clone(shown),
            grid: Arc::clone(grid),
            choice,
            counted,
            map,
            declared: None,
        }
    }

    /// The cells, and which number of them, that are drawn of the same chunk as it is `declared`: the same ones, where it
    /// has as many dimensions and numbers.
    pub fn in_declared(&self, declared: &Shown) -> (Arc<CellGrid>, Option<usize>) {
        let Raster { region: own, down, right, .. } = &self.grid.raster;
        let region = &declared.chunk.region;
        let last = region.len().saturating_sub(1);
        let is_alike = own.len() == region.len();
        let own_axes = (down.unwrap_or(*right), *right);
        let axes = if is_alike { own_axes } else { (last.saturating_sub(1), last) };
        let at: Vec<u64> = starts(own);
        let grid = grid_of(region, axes, &at, self.grid.frame);
        let numbers = |shown: &Shown| {
            let data_type = shown.chunk.elements().map(Elements::data_type);
            data_type.map_or_else(Vec::new, |data_type| choices(data_type.as_ref()))
        };
        let theirs = numbers(declared);
        let is_alike = theirs.len() == numbers(&self.shown).len();
        let first = || theirs.iter().position(Choice::is_numeric);
        (Arc::new(grid), if is_alike { self.choice } else { first() })
    }

    /// The counts of the number that is drawn.
    pub fn chosen(&self) -> Option<&CountedColumn> {
        self.counted.get(&self.choice?).map(AsRef::as_ref)
    }
}

/// True if choice `at` has to be counted where `choice` is drawn. Side by side, a complex number is its modulus.
fn wanted(choices: &[Choice], choice: Option<usize>, at: usize) -> bool {
    let modulus = choices.get(at).is_some_and(|choice| choice.part == ComplexPart::Modulus);
    choice.map_or(modulus && at < FIELDS, |choice| choice == at)
}

/// The layout of a chunk's picture, and the rows above its drawing: it has half the room where the same chunk as it is
/// declared is above it.
pub(super) fn frame(shown: &Shown, size: Size) -> (PictureFrame, usize) {
    if shown.declared.is_none() {
        let frame = PictureFrame::new(size);
        return (frame, frame.top());
    }
    let halves = PictureHalves::new(size);
    (halves.frame, usize::from(1 + halves.upper) + PictureHalves::LABEL)
}

/// The cells of a chunk with this region, the axes that are not drawn being at an element of the array.
fn grid_of(
    region: &[Range<u64>],
    axes: (usize, usize),
    at: &[u64],
    frame: PictureFrame,
) -> CellGrid {
    let part = |axis: usize, room: Option<usize>| {
        let Range { start, end } = region.get(axis).cloned().unwrap_or(0..1);
        let at = at.get(axis).copied().unwrap_or(0).min(end.saturating_sub(1)).max(start);
        (if room.is_some() { start..end } else { at..at + 1 }, Vec::new())
    };
    CellGrid::new(axes, region.len(), frame, part)
}

impl PicturePage {
    /// The cells of a chunk in a view of `size`, with the slice in which the element `at` of the array is.
    pub fn grid_of_chunk(&self, shown: &Shown, at: &[u64], size: Size) -> CellGrid {
        let region = &shown.chunk.region;
        grid_of(region, self.drawn(region.len()), at, frame(shown, size).0)
    }
}

fn column<'a>(shown: &Shown, elements: &'a Elements, choice: &Choice) -> Column<'a> {
    let extent = lengths(&shown.chunk.region);
    let fill = shown.fill_scalar.as_ref();
    let column = Column::new(elements, &choice.path, choice.part, fill).within(&extent);
    if choice.name.is_empty() { column.packed(&Packing::of(&shown.array)) } else { column }
}

/// The number of passes of [`count`] over all elements.
const PASSES: u64 = 2;

/// The number of elements that all passes over so many columns of `elements` look at.
fn passed(columns: usize, elements: u64) -> u64 {
    (columns as u64 * PASSES).saturating_mul(elements)
}

fn count(
    shown: &Shown,
    elements: &Elements,
    choice: &Choice,
    stop: &dyn Fn(u64) -> bool,
) -> CountedColumn {
    let column = column(shown, elements, choice);
    let statistics = Statistics::of(&column, stop);
    let origin = origin(&statistics);
    let mut counted = CountedColumn { choice: choice.clone(), statistics, histogram: None, origin };
    counted.histogram = bins(&counted).filter(|_| choice.is_numeric());
    if let Some(histogram) = &mut counted.histogram {
        let stop = |seen| stop(elements.len() + seen);
        histogram.count(&based(column, counted.origin.as_ref()), &stop);
    }
    counted
}

/// The lowest number, where integers are so large that `f64` does not tell them apart, and so near to each other that
/// it tells their distances.
fn origin(statistics: &Statistics) -> Option<Extreme> {
    /// From here on, some integers are no `f64`.
    const EXACT: f64 = 9_007_199_254_740_992.0;
    let (least, most) = (statistics.minimum.as_ref()?, statistics.maximum.as_ref()?);
    let is_integer = matches!(least.scalar, Scalar::Int(_) | Scalar::Uint(_) | Scalar::Time(_));
    let is_large = least.value.abs().max(most.value.abs()) >= EXACT;
    (is_integer && is_large && most.above(least) < EXACT).then(|| least.clone())
}

fn based<'a>(column: Column<'a>, origin: Option<&Extreme>) -> Column<'a> {
    match origin {
        Some(origin) => column.from_lowest(origin),
        None => column,
    }
}

/// Empty bins from the lowest to the highest number. Those of integers hold equally many of them, or some would stand
/// out for no reason.
fn bins(counted: &CountedColumn) -> Option<Histogram> {
    let (low, high) = counted.ends()?;
    let least = counted.statistics.minimum.as_ref()?;
    let whole = matches!(
        least.scalar,
        Scalar::Int(_) | Scalar::Uint(_) | Scalar::Bool(_) | Scalar::Time(_)
    );
    // Integers of more than 2^53 are no longer told apart.
    let count = high - low + 1.0;
    if !whole || count > 9e15 {
        return Histogram::between(low, high, BINS);
    }
    let step = (count / BINS as f64).ceil();
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "1 to the number of bins"
    )]
    let bins = (count / step).ceil() as usize;
    let end = low + step * bins as f64;
    Histogram::between(low, end, bins)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chunk_may_have_as_many_elements_as_can_be_counted() {
        assert_eq!(passed(2, 10), 40);
        assert_eq!(passed(3, u64::MAX / 2), u64::MAX);
    }

    #[test]
    fn a_picture_takes_all_rows_of_its_view() {
        for height in [20, 36] {
            let frame = PictureFrame::new(Size::new(82, height));
            let below = if frame.roomy { 9 } else { 6 };
            assert_eq!(frame.top() + frame.rows + below, usize::from(height));
        }
    }
}
