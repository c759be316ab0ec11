//! How much room the panes have, as far as moving about depends on it.

/// Columns and rows, in cells.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Size {
    /// Columns.
    pub width: u16,
    /// Rows.
    pub height: u16,
}

impl Size {
    /// So many columns and rows.
    #[must_use]
    pub const fn new(width: u16, height: u16) -> Self {
        Self { width, height }
    }

    /// The rows as a count of lines.
    #[must_use]
    pub fn rows(self) -> usize {
        self.height.into()
    }
}

/// The room of the panes that are on the screen, as `tui::panes` lays them out.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Geometry {
    /// Whether tree and view are side by side.
    pub wide: bool,
    /// The list of nodes, without title and rules.
    pub tree: Size,
    /// The view, without title and rules.
    pub view: Size,
    /// What an overlay over everything (help, gallery) has.
    pub whole: Size,
    /// Of a text that lies on top, the last line that it can be scrolled to begin with.
    pub last_line: usize,
}
