//! Text in columns, by the cells it takes on a terminal.

use super::prelude::*;
use unicode_width::UnicodeWidthStr;

/// A text with its colour.
#[derive(Clone)]
pub(crate) struct Cell {
    text: String,
    role: Option<Role>,
    right: bool,
}

impl Cell {
    /// A cell without colour. The text must be safe for a terminal.
    pub(crate) fn new(text: impl Into<String>) -> Self {
        Self { text: text.into(), role: None, right: false }
    }

    /// A cell that may be overlooked.
    pub(crate) fn quiet(text: impl Into<String>) -> Self {
        Self::new(text).role(Role::Quiet)
    }

    /// The same in the colour of `role`.
    pub(crate) fn role(self, role: Role) -> Self {
        Self { role: Some(role), ..self }
    }

    /// The same, set to the right of its column.
    pub(crate) fn right(self) -> Self {
        Self { right: true, ..self }
    }

    /// Puts `text` in front.
    pub(crate) fn prefix(&mut self, text: &str) {
        self.text.insert_str(0, text);
    }

    fn width(&self) -> usize {
        self.text.width()
    }
}

/// The width of each column of `rows`.
pub(crate) fn widths(rows: &[Vec<Cell>]) -> Vec<usize> {
    let columns = widest(rows, Vec::len);
    (0..columns)
        .map(|column| rows.iter().filter_map(|row| row.get(column)).map(Cell::width).max())
        .map(Option::unwrap_or_default)
        .collect()
}

/// Writes one row, its cells padded to `widths` and two spaces apart; nothing is left at the end of the line.
pub(crate) fn write_row(output: &mut Output, row: &[Cell], widths: &[usize]) -> Printed {
    let mut line = String::new();
    // Spaces wait until something follows them.
    let mut gap = 0;
    for (cell, &width) in row.iter().zip(widths) {
        let pad = width.saturating_sub(cell.width());
        if cell.text.is_empty() {
            gap += width;
        } else {
            let before = gap + if cell.right { pad } else { 0 };
            line.extend(std::iter::repeat_n(' ', before));
            line +=
                &cell.role.map_or_else(|| cell.text.clone(), |role| output.paint(role, &cell.text));
            gap = if cell.right { 0 } else { pad };
        }
        // A column that is empty in every row takes no room.
        gap += if width == 0 { 0 } else { 2 };
    }
    output.line(&line)
}

/// Writes all rows.
pub(crate) fn write(output: &mut Output, rows: &[Vec<Cell>]) -> Printed {
    let widths = widths(rows);
    rows.iter().try_for_each(|row| write_row(output, row, &widths))
}
