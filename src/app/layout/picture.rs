//! Drawings, and what is around them.

use super::ruler::{Axis, Ruler, Slot};
use crate::app::prelude::*;

/// The layout of a view: the drawing and what is around it.
#[derive(Debug, Clone, Copy)]
pub struct PictureFrame {
    /// Rows of the drawing.
    pub rows: usize,
    /// Columns of the drawing.
    pub columns: usize,
    /// Rows of the statistics.
    pub facts: u16,
    /// True if there is room for blank rows.
    pub roomy: bool,
}

/// Columns of the scale of a picture and its numbers, the gap before them included.
pub const SCALE: u16 = 17;
/// Columns of the numbers left of a map.
const AXIS: u16 = 9;
/// Columns of the numbers left of a chart, which has its scale there.
const CHART_AXIS: u16 = 12;

impl PictureFrame {
    /// The layout of the view in `size`: title, dimensions, axis, cursor, statistics and histogram take rows, the
    /// numbers of axis and scale take columns.
    pub fn new(size: Size) -> Self {
        let roomy = size.height >= 28;
        // Of few rows the drawing has most.
        let facts = match size.height {
            0..12 => 1,
            12..14 => 2,
            _ => 3,
        };
        let around = usize::from(facts) + if roomy { 9 } else { 5 };
        let rows = size.rows().saturating_sub(around).max(1);
        Self {
            rows,
            facts,
            columns: usize::from(size.width).saturating_sub((AXIS + SCALE).into()).max(1),
            roomy,
        }
    }

    /// Rows above the drawing.
    pub fn top(self) -> usize {
        if self.roomy { 3 } else { 2 }
    }
}

/// The layout of two drawings one above the other, below a title: each with a label, an axis and a cursor.
#[derive(Clone, Copy)]
pub struct PictureHalves {
    /// Rows of the upper half.
    pub upper: u16,
    /// The layout of either drawing.
    pub frame: PictureFrame,
}

impl PictureHalves {
    /// Rows of the label of a half.
    pub const LABEL: usize = 1;

    /// The layout in a view of `size`.
    pub fn new(size: Size) -> Self {
        let upper = size.height.saturating_sub(1) / 2;
        let rows = usize::from(upper).saturating_sub(Self::LABEL + 2).max(1);
        Self { upper, frame: PictureFrame { rows, roomy: false, ..PictureFrame::new(size) } }
    }
}

/// A region of an array, cut into cells, and their places on the screen.
#[derive(Debug, Clone)]
pub struct CellGrid {
    /// The region, and the elements of each cell.
    pub raster: Raster,
    /// The layout of the cells, down and right.
    pub rulers: (Ruler, Ruler),
    /// The layout of the view.
    pub frame: PictureFrame,
}

impl CellGrid {
    /// The cells of a region with so many `dimensions`, of which `down` and `right` are drawn; equal where only one is.
    /// `part` is told an axis and its room where it is drawn, and tells what there is of it, and the borders there.
    pub fn new(
        (down, right): (usize, usize),
        dimensions: usize,
        frame: PictureFrame,
        part: impl Fn(usize, Option<usize>) -> (Range<u64>, Vec<u64>),
    ) -> Self {
        let axis = |axis: usize, room: usize, grain: usize| {
            let (range, borders) = part(axis, Some(room));
            Axis { range, borders, room, grain }
        };
        let high = (down != right).then(|| axis(down, frame.rows * 2, 2));
        let mut wide = axis(right, frame.columns, 1);
        if high.is_none() {
            // A chart has no borders.
            wide.borders.clear();
        }
        let rulers = Ruler::pair(high.as_ref(), &wide);
        let region = (0..dimensions).map(|axis| match &high {
            _ if axis == right => wide.range.clone(),
            Some(high) if axis == down => high.range.clone(),
            _ => part(axis, None).0,
        });
        let raster = Raster {
            region: region.collect(),
            down: high.is_some().then_some(down),
            right,
            rows: rulers.0.bounds.clone(),
            columns: rulers.1.bounds.clone(),
            ..Raster::default()
        };
        Self { raster, rulers, frame }
    }

    /// Columns left of the drawing.
    pub fn margin(&self) -> u16 {
        if self.raster.down.is_some() { AXIS } else { CHART_AXIS }
    }

    /// The first element of the cell that is drawn at a place of the view, the drawing having so many rows above it: its
    /// index along each axis that is drawn.
    pub fn element_at(&self, at: PaneCell, top: usize) -> Option<[(usize, u64); 2]> {
        let first = |slots: &[Slot], bounds: &[u64], at: usize| match slots.get(at)? {
            Slot::Cell(cell) => bounds.get(*cell).copied(),
            Slot::Border | Slot::Blank => None,
        };
        let (raster, (down, right)) = (&self.raster, &self.rulers);
        let column = at.column.checked_sub(self.margin().into())?;
        let across = (raster.right, first(&right.slots, &right.bounds, column)?);
        let row = at.row.checked_sub(top)? * 2;
        match raster.down {
            Some(axis) => Some([(axis, first(&down.slots, &down.bounds, row)?), across]),
            None => Some([across; 2]),
        }
    }
}
