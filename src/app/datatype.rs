//! The twin columns of the selected array, and the row under the cursor.

use super::{Scroll, Size, twins::Twins};
use crate::zarr::{
    ArrayMetadata,
    spelling::{self, Explanation, Row, Spelling, Subject},
};

/// The name card of an array.
#[derive(Debug, Clone)]
pub struct DataTypePage {
    /// The twin columns; `None` where the node is no array.
    pub spelling: Option<Spelling>,
    /// What the columns are about.
    pub subject: Option<Subject>,
    /// The cursor over the rows.
    pub scroll: Scroll,
}

impl DataTypePage {
    /// The page of `array`, the cursor where it was on the page before.
    #[must_use]
    pub fn of(array: Option<&ArrayMetadata>, scroll: Scroll) -> Self {
        let spelling = array.map(spelling::of);
        let len = spelling.as_ref().map_or(0, |spelling| spelling.rows.len());
        Self {
            subject: array.map(Subject::of_array),
            scroll: scroll.on(scroll.cursor().min(len.saturating_sub(1))),
            spelling,
        }
    }

    /// The rows.
    #[must_use]
    pub fn rows(&self) -> &[Row] {
        self.spelling.as_ref().map_or(&[], |spelling| &spelling.rows)
    }

    /// The row under the cursor.
    #[must_use]
    pub fn row(&self) -> Option<&Row> {
        self.rows().get(self.scroll.cursor())
    }

    /// What there is to say about the row under the cursor.
    #[must_use]
    pub fn explanation(&self) -> Option<Explanation> {
        Some(spelling::explain(self.row()?, self.subject.as_ref()?))
    }
}

/// Where the parts of the page lie.
#[derive(Debug, Clone)]
pub struct CardLayout {
    /// Lines above the first row: the array in one line, the heads of the columns, a rule.
    pub frame: u16,
    /// The rows.
    pub twins: Twins,
    /// The first row in sight.
    pub first: usize,
    /// Lines of the rows; what is left below is for the explanation.
    pub list: u16,
}

/// From so many lines on the heads say which files they are of.
const TALL: u16 = 24;
/// Lines that the explanation has at least: its title and five lines.
const PANEL: usize = 6;

impl DataTypePage {
    /// Lays the page out on a view of `size`: the rows, and below them room for an explanation.
    #[must_use]
    pub fn layout(&self, size: Size) -> CardLayout {
        let frame = if size.height >= TALL { 5 } else { 3 };
        let rest = size.rows().saturating_sub(frame.into());
        let room = rest.saturating_sub(PANEL).max(3);
        let twins = Twins::fit(self.rows(), size.width.into(), room);
        let list = twins.height().min(room).min(rest);
        let first = twins.first(self.scroll.cursor(), list);
        CardLayout { frame, twins, first, list: u16::try_from(list).unwrap_or(u16::MAX) }
    }
}

impl CardLayout {
    /// The row that is drawn on line `line` of the view.
    #[must_use]
    pub fn row_at(&self, line: usize) -> Option<usize> {
        let line = line.checked_sub(self.frame.into())?;
        self.twins.row_at(self.first, line).filter(|_| line < usize::from(self.list))
    }
}
