//! The twin columns of the selected array, and the row under the cursor.

use super::Scroll;
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

/// Rows above the first row of the columns: the title, a blank, the heads and the rule.
pub const FRAME: u16 = 5;
