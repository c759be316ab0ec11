//! A cursor over a long list seen through a short window.

use super::prelude::*;

/// The places of the cursor and of the window's first row.
#[derive(Debug, Clone, Copy, Default)]
pub struct Scroll {
    cursor: usize,
    top: usize,
}

impl Scroll {
    /// The row under the cursor.
    pub fn cursor(self) -> usize {
        self.cursor
    }

    /// The rows that a window of `height` rows shows; the cursor is always among them.
    pub fn visible(self, height: usize) -> Range<usize> {
        let top = self.top.max((self.cursor + 1).saturating_sub(height)).min(self.cursor);
        top..top.saturating_add(height)
    }

    /// The rows of a list that are in sight, each with whether the cursor is on it.
    pub fn in_sight<T>(
        self,
        height: usize,
        rows: impl IntoIterator<Item = T>,
    ) -> impl Iterator<Item = (bool, T)> {
        let visible = self.visible(height);
        let rows = rows.into_iter().enumerate().skip(visible.start).take(height);
        rows.map(move |(at, row)| (at == self.cursor, row))
    }

    /// The cursor moved by `by` rows in a list of `len`, kept in sight.
    pub fn moved(self, by: isize, len: usize, height: usize) -> Self {
        self.at(self.cursor.saturating_add_signed(by), len, height)
    }

    /// The cursor at `row` of a list of `len`, kept in sight; the window moves no further than it must.
    pub fn at(self, row: usize, len: usize, height: usize) -> Self {
        let cursor = row.min(len.saturating_sub(1));
        let top = Self { cursor, ..self }.visible(height).start;
        Self { cursor, top: top.min(len.saturating_sub(height)) }
    }

    /// The cursor at `row`, which must exist; the window stays, and is brought along when it is asked for.
    pub fn on(self, row: usize) -> Self {
        Self { cursor: row, ..self }
    }

    /// The cursor on the same row, or on the last one of a list of `len` that is shorter now.
    pub fn within(self, len: usize) -> Self {
        self.on(self.cursor.min(len.saturating_sub(1)))
    }

    /// The cursor at `row`, which must exist, with a few rows above it in sight and the others below it.
    pub fn near_top(self, row: usize) -> Self {
        const ABOVE: usize = 5;
        Self { cursor: row, top: row.saturating_sub(ABOVE) }
    }

    /// The row of a list of `len`, seen through `height` rows, that is drawn on line `line` of the list.
    pub fn row_at(self, line: Option<usize>, height: usize, len: usize) -> Option<usize> {
        Some(self.visible(height).start + line?).filter(|&row| row < len)
    }

    /// Puts the cursor on `row`, if there is one. True if it was there already.
    pub fn select(&mut self, row: Option<usize>) -> bool {
        let again = row == Some(self.cursor);
        self.cursor = row.unwrap_or(self.cursor);
        again
    }

    /// The next row of a list of `len`, or the one before, that `is` wanted.
    pub fn next(self, way: Direction, len: usize, is: impl FnMut(&usize) -> bool) -> Option<usize> {
        match way {
            Direction::Next => (self.cursor + 1..len).find(is),
            Direction::Previous => (0..self.cursor).rev().find(is),
        }
    }

    /// The window moved by `by` rows; the cursor follows only where it would leave the window.
    pub fn wheeled(self, by: isize, len: usize, height: usize) -> Self {
        let top = self.visible(height).start.saturating_add_signed(by);
        let top = top.min(len.saturating_sub(height));
        let last = top.saturating_add(height.max(1) - 1).min(len.saturating_sub(1));
        Self { cursor: self.cursor.clamp(top.min(last), last), top }
    }

    /// The scroll after `motion` over a list of `len` rows, of which `height` are in sight. Left and right do
    /// nothing here.
    pub fn in_list(self, motion: Motion, count: Option<u64>, len: usize, height: usize) -> Self {
        let many = count.and_then(|n| isize::try_from(n).ok()).unwrap_or(1);
        let page = isize::try_from(height.max(1)).unwrap_or(isize::MAX);
        let numbered = count.and_then(|n| usize::try_from(n.saturating_sub(1)).ok());
        match motion {
            Motion::Up => self.moved(-many, len, height),
            Motion::Down => self.moved(many, len, height),
            Motion::PageUp => self.moved(-page, len, height),
            Motion::PageDown => self.moved(page, len, height),
            Motion::HalfUp => self.moved(-page / 2, len, height),
            Motion::HalfDown => self.moved(page / 2, len, height),
            Motion::First => self.at(numbered.unwrap_or(0), len, height),
            Motion::Last => self.at(numbered.unwrap_or(usize::MAX), len, height),
            Motion::Window(place) => {
                let top = self.cursor.saturating_sub(place.rows_above(height));
                Self { top: top.min(len.saturating_sub(height)), ..self }
            }
            Motion::Left | Motion::Right | Motion::RowStart | Motion::RowEnd => self,
        }
    }

    /// The scroll after `motion` over a text that is on top of everything.
    pub fn in_text(self, motion: Motion, geometry: &Geometry) -> Self {
        let page = geometry.text.saturating_sub(1).max(1);
        let len = geometry.last_line + 1;
        self.within(len).in_list(motion, None, len, page)
    }
}

/// A list that a cursor moves over, as it is on the screen: moves, clicks and turns of the wheel follow from it.
pub struct CursorList<'a> {
    /// The cursor.
    pub scroll: &'a mut Scroll,
    /// The number of rows.
    pub len: usize,
    /// Lines above the first row.
    pub head: usize,
    /// Rows in sight.
    pub height: usize,
}

impl CursorList<'_> {
    /// Moves the cursor.
    pub fn moved(self, motion: Motion, count: Option<u64>) {
        *self.scroll = self.scroll.in_list(motion, count, self.len, self.height);
    }

    /// Takes a turn of the wheel by so many rows.
    pub fn wheeled(self, by: i8) {
        *self.scroll = self.scroll.wheeled(by.into(), self.len, self.height);
    }

    /// Takes a click on a line of the page. True if the cursor was on its row already.
    pub fn clicked(self, line: usize) -> bool {
        let line = line.checked_sub(self.head).filter(|line| *line < self.height);
        let row = self.scroll.row_at(line, self.height, self.len);
        self.scroll.select(row)
    }
}

/// The rows of a list of `len` after row `from`, or before it, and so on round the end to `from` itself.
pub fn around(from: usize, len: usize, way: Direction) -> impl Iterator<Item = usize> {
    (1..=len).map(move |step| match way {
        Direction::Next => (from + step) % len,
        Direction::Previous => (from + len - step) % len,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_window_moves_no_further_than_it_must() {
        let scroll = Scroll::default().at(9, 20, 5);
        assert_eq!(scroll.visible(5), 5..10);
        assert_eq!(scroll.moved(-2, 20, 5).visible(5), 5..10);
        assert_eq!(scroll.moved(-5, 20, 5).visible(5), 4..9);
        assert_eq!(scroll.wheeled(1, 20, 5).cursor(), 9);
        assert_eq!(scroll.wheeled(-3, 20, 5).cursor(), 6);
    }

    #[test]
    fn half_a_page_is_half_a_page() {
        let from = Scroll::default().at(50, 100, 20);
        let moved = |motion| from.in_list(motion, None, 100, 20).cursor();
        assert_eq!((moved(Motion::HalfDown), moved(Motion::HalfUp)), (60, 40));
        assert_eq!((moved(Motion::PageDown), moved(Motion::PageUp)), (70, 30));
        let geometry = Geometry { text: 21, last_line: 100, ..Geometry::default() };
        let moved = |motion| from.in_text(motion, &geometry).cursor();
        assert_eq!((moved(Motion::HalfDown), moved(Motion::HalfUp)), (60, 40));
        assert_eq!((moved(Motion::PageDown), moved(Motion::PageUp)), (70, 30));
    }

    proptest! {
        #[test]
        fn the_cursor_is_always_in_sight(
            moves in proptest::collection::vec((-50_isize..50, any::<bool>(), 1_usize..30), 0..40),
            len in 0_usize..200,
        ) {
            let mut scroll = Scroll::default();
            for (by, wheel, height) in moves {
                scroll = if wheel { scroll.wheeled(by, len, height) } else { scroll.moved(by, len, height) };
                prop_assert!(scroll.visible(height).contains(&scroll.cursor()));
                prop_assert!(scroll.cursor() < len.max(1));
            }
        }
    }
}
