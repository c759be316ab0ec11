//! Drawings, and what is around them.

use super::Size;

/// The layout of a view: the drawing and what is around it.
#[derive(Clone, Copy)]
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
pub const AXIS: u16 = 9;
/// Columns of the numbers left of a chart, which has its scale there.
pub const CHART_AXIS: u16 = 12;

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
