//! What is drawn of a chunk: counted and sampled once, by a worker, for views that only draw.

use super::PicturePage;
use crate::{
    app::{Size, chunks::Shown},
    zarr::{
        Scalar,
        codec::Elements,
        statistics::{Column, HeatMap, Histogram, Part, Slice, Statistics, downsample},
    },
};
use std::sync::Arc;

/// How many bins a histogram has.
const BINS: usize = 44;
/// How many fields of a struct are counted.
const FIELDS: usize = 64;

/// One number of every element, counted: the element itself, or a field of a struct.
#[derive(Debug, Clone)]
pub struct Counted {
    /// The field's name; empty for the element itself.
    pub name: String,
    /// What its values are.
    pub data_type: String,
    /// Whether they are numbers.
    pub is_numeric: bool,
    /// What was counted.
    pub statistics: Statistics,
    /// How often numbers of each size occur; `None` where there is none.
    pub histogram: Option<Histogram>,
}

/// A chunk, counted and sampled.
#[derive(Debug, Clone)]
pub struct Pictured {
    /// The chunk.
    pub shown: Arc<Shown>,
    /// Which slice of it is drawn, and in how many cells at most.
    pub slice: Slice,
    /// The counts: one for numbers, text and bytes; one a field for structs.
    pub counted: Arc<[Counted]>,
    /// The slice; `None` where its elements are no numbers.
    pub map: Option<HeatMap>,
}

impl Pictured {
    /// Counts and samples `shown`. What `before` has counted of the same chunk is not counted again.
    #[must_use]
    pub fn of(
        shown: &Arc<Shown>,
        slice: &Slice,
        before: Option<&Self>,
        stop: &dyn Fn() -> bool,
    ) -> Self {
        let elements = shown.chunk.elements();
        let known = before.filter(|before| Arc::ptr_eq(&before.shown, shown));
        let counted = match (known, elements) {
            (Some(known), _) => Arc::clone(&known.counted),
            (None, Some(elements)) => count(shown, elements, stop),
            (None, None) => Arc::default(),
        };
        let column = elements.map(|elements| column(shown, elements, &[]));
        let drawn = column.filter(|column| column.is_numeric() && !slice.at.is_empty());
        let map = drawn.map(|column| downsample(&column, slice, stop));
        Self { shown: Arc::clone(shown), slice: slice.clone(), counted, map }
    }
}

/// The largest square that one element is drawn as, in half rows and columns.
const LARGEST: usize = 8;

impl Pictured {
    /// Columns left of the drawing.
    #[must_use]
    pub fn margin(&self) -> u16 {
        if self.slice.down.is_some() { AXIS } else { CHART_AXIS }
    }

    /// How many half rows and columns one cell is drawn as, so that the drawing is as large as it has room.
    #[must_use]
    pub fn zoom(&self, frame: Frame) -> usize {
        let Some(map) = &self.map else { return 1 };
        let fits = frame.columns / map.columns.max(1);
        let fits = if self.slice.down.is_some() {
            fits.min(frame.rows * 2 / map.rows.max(1))
        } else {
            fits
        };
        fits.clamp(1, LARGEST)
    }

    /// The element, as down and across, that is drawn at a row and column of a view of `size`.
    #[must_use]
    pub fn element_at(&self, size: Size, row: u16, column: u16) -> Option<(u64, u64)> {
        let (frame, map) = (frame(size), self.map.as_ref()?);
        let zoom = self.zoom(frame);
        let across = usize::from(column.checked_sub(self.margin())?) / zoom;
        let down = usize::from(row).checked_sub(frame.top())? * 2 / zoom;
        let down = if self.slice.down.is_some() { down } else { 0 };
        map.cell(down, across)?;
        let length = |axis: usize| self.shown.chunk.shape.get(axis).copied().unwrap_or(1);
        let first = |axis: usize, cell: usize, cells: usize| {
            let first = u128::from(length(axis)) * cell as u128 / cells.max(1) as u128;
            u64::try_from(first).unwrap_or(0)
        };
        let y = self.slice.down.map_or(0, |axis| first(axis, down, map.rows));
        Some((y, first(self.slice.right, across, map.columns)))
    }
}

impl PicturePage {
    /// The slice that `page` shows of a chunk, in a view of `size`.
    #[must_use]
    pub fn slice(&self, shown: &Shown, size: Size) -> Slice {
        let dimensions = shown.chunk.shape.len();
        let (down, right) = self.drawn(dimensions);
        let mut at = vec![0; dimensions];
        if let Some(place) = self.fixed(dimensions).and_then(|axis| at.get_mut(axis)) {
            *place = self.index;
        }
        let Frame { rows, columns, .. } = frame(size);
        let length = |axis: usize| shown.chunk.shape.get(axis).copied().unwrap_or(1);
        let (mut rows, mut columns) = (rows * 2, columns);
        if down != right {
            (rows, columns) = in_proportion((length(down), length(right)), (rows, columns));
        }
        Slice { down: (down != right).then_some(down), right, at, rows, columns }
    }

    /// The coordinates in a chunk of `shape` of the element under the cursor.
    #[must_use]
    pub fn element(&self, shape: &[u64]) -> Option<Vec<u64>> {
        let (down, right) = self.drawn(shape.len());
        let mut at = vec![0; shape.len()];
        if let Some(axis) = self.fixed(shape.len()) {
            *at.get_mut(axis)? = self.index;
        }
        if down != right {
            *at.get_mut(down)? = self.cursor.0;
        }
        if let Some(place) = at.get_mut(right) {
            *place = self.cursor.1;
        }
        at.iter().zip(shape).all(|(at, len)| at < len).then_some(at)
    }
}

/// How many cells down and right a slice of so many elements gets where `most` have room: equally many elements a cell
/// both ways, so that nothing is distorted, but for slices that would be a mere line.
fn in_proportion((high, wide): (u64, u64), most: (usize, usize)) -> (usize, usize) {
    /// Cells that a side gets at least, where it has as many elements.
    const LEAST: u64 = 8;
    let room = (most.0 as u128, most.1 as u128);
    // Elements a cell as a fraction: that of the side that is the more crowded, and no less than one.
    let (down, right) = (u128::from(high) * room.1.max(1), u128::from(wide) * room.0.max(1));
    let (elements, cells) =
        if down > right { (high.into(), room.0) } else { (wide.into(), room.1) };
    let (elements, cells) = if elements < cells { (1, 1) } else { (elements, cells) };
    let side = |length: u64, most: usize| {
        let wanted = (u128::from(length) * cells).div_ceil(elements.max(1));
        let wanted = wanted.max(length.min(LEAST).into());
        usize::try_from(wanted).unwrap_or(most).min(most)
    };
    (side(high, most.0), side(wide, most.1))
}

/// How a view is shared between the drawing and what stands around it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Frame {
    /// Rows of the drawing.
    pub rows: usize,
    /// Columns of the drawing.
    pub columns: usize,
    /// Whether there is room for blank rows.
    pub roomy: bool,
}

/// Columns of the scale and its numbers, the gap before them included.
pub const SCALE: u16 = 15;
/// Columns of the numbers left of a map.
const AXIS: u16 = 9;
/// Columns of the numbers left of a chart, which has its scale there.
const CHART_AXIS: u16 = 12;

impl Frame {
    /// Rows above the drawing.
    #[must_use]
    pub fn top(self) -> usize {
        if self.roomy { 3 } else { 2 }
    }
}

/// How the view is shared in `size`: title, dimensions, axis, cursor, statistics and histogram take rows, the numbers
/// of axis and scale take columns.
#[must_use]
pub fn frame(size: Size) -> Frame {
    let roomy = size.height >= 28;
    let rows = size.rows().saturating_sub(if roomy { 12 } else { 8 }).max(1);
    Frame {
        rows,
        columns: usize::from(size.width).saturating_sub((AXIS + SCALE).into()).max(1),
        roomy,
    }
}

fn column<'a>(shown: &Shown, elements: &'a Elements, path: &[usize]) -> Column<'a> {
    let extent: Vec<u64> = shown.chunk.region.iter().map(|range| range.end - range.start).collect();
    Column::new(elements, path, Part::Modulus, shown.fill_scalar.as_ref()).within(&extent)
}

fn count(shown: &Shown, elements: &Elements, stop: &dyn Fn() -> bool) -> Arc<[Counted]> {
    let fields = elements.data_type().fields();
    if fields.is_empty() {
        let name = elements.data_type().name();
        return Arc::new([counted(&column(shown, elements, &[]), String::new(), name, stop)]);
    }
    let each = fields.iter().enumerate().take(FIELDS).map(|(at, field)| {
        let column = column(shown, elements, &[at]);
        counted(&column, field.name.clone(), field.data_type.name(), stop)
    });
    each.collect()
}

fn counted(
    column: &Column<'_>,
    name: String,
    data_type: String,
    stop: &dyn Fn() -> bool,
) -> Counted {
    let statistics = Statistics::of(column, stop);
    let is_numeric = column.is_numeric();
    let mut histogram = bins(&statistics).filter(|_| is_numeric);
    if let Some(histogram) = &mut histogram {
        histogram.count(column, stop);
    }
    Counted { name, data_type, is_numeric, statistics, histogram }
}

/// Empty bins from the lowest to the highest number. Those of integers hold equally many of them, or some would stand
/// out for no reason.
fn bins(statistics: &Statistics) -> Option<Histogram> {
    let (least, most) = (statistics.minimum.as_ref()?, statistics.maximum.as_ref()?);
    let whole = matches!(least.scalar, Scalar::Int(_) | Scalar::Uint(_) | Scalar::Bool(_));
    // Integers of more than 2^53 are no longer told apart.
    let count = most.value - least.value + 1.0;
    if !whole || count > 9e15 {
        return Histogram::over(statistics, BINS);
    }
    #[expect(clippy::cast_precision_loss, reason = "some tens")]
    let step = (count / BINS as f64).ceil();
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "1 to the number of bins"
    )]
    let bins = (count / step).ceil() as usize;
    #[expect(clippy::cast_precision_loss, reason = "some tens")]
    let end = least.value + step * bins as f64;
    Histogram::between(least.value, end, bins)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_takes_all_rows_of_its_view() {
        for height in [20, 36] {
            let frame = frame(Size::new(82, height));
            let below = if frame.roomy { 9 } else { 6 };
            assert_eq!(frame.top() + frame.rows + below, usize::from(height));
        }
    }

    #[test]
    fn cells_are_square_in_elements() {
        let most = (50, 58);
        assert_eq!(in_proportion((4, 5), most), (4, 5));
        assert_eq!(in_proportion((74, 90), most), (48, 58));
        assert_eq!(in_proportion((1000, 10), most), (50, 8));
        assert_eq!(in_proportion((u64::MAX, 1), most), (50, 1));
        assert_eq!(in_proportion((u64::MAX, u64::MAX), most), (50, 50));
    }
}
