//! The part of an array that is drawn.

use crate::app::prelude::*;

/// The next step of zooming out shows so many times as many chunks along each axis.
const STEP: u64 = 4;

/// The part of the array that is drawn.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Zoom {
    /// One element a cell, around the cursor.
    Elements,
    /// The chunk under the cursor, with all that is counted of it.
    #[default]
    Chunk,
    /// So many chunks along each axis, the one under the cursor among them.
    Chunks(u64),
    /// All of it.
    Array,
}

impl Zoom {
    /// One step in or out, where the array has at most `most` chunks along an axis that is drawn.
    pub fn step(self, way: Direction, most: u64) -> Self {
        let around = |chunks: u64| if chunks >= most { Self::Array } else { Self::Chunks(chunks) };
        match (self, way) {
            (Self::Elements, Direction::Previous) | (Self::Chunks(0..8), Direction::Next) => {
                Self::Chunk
            }
            (Self::Chunk, Direction::Previous) => around(2),
            (Self::Chunks(n), Direction::Previous) => around(n.saturating_mul(STEP)),
            (Self::Array, Direction::Previous) => Self::Array,
            (Self::Elements | Self::Chunk, Direction::Next) => Self::Elements,
            (Self::Chunks(n), Direction::Next) => Self::Chunks(n / STEP),
            (Self::Array, Direction::Next) => {
                let mut chunks = 2_u64;
                while chunks.saturating_mul(STEP) < most {
                    chunks *= STEP;
                }
                if chunks < most { Self::Chunks(chunks) } else { Self::Chunk }
            }
        }
    }

    /// The elements that are drawn along an axis of `length` in `count` chunks, the one at `at` among them.
    pub(super) fn window(
        self,
        (grid, axis): (&Grid, usize),
        at: u64,
        (length, count): (u64, u64),
        room: usize,
    ) -> Range<u64> {
        let chunks = match self {
            Self::Elements => {
                let room = (room as u64).max(1);
                let start = at / room * room;
                return start..start.saturating_add(room).min(length);
            }
            Self::Chunk => 1,
            Self::Chunks(chunks) => chunks,
            Self::Array => return 0..length,
        };
        let chunk = grid.chunk_at(axis, at).map_or(0, |(chunk, _)| chunk);
        let first = chunk / chunks * chunks;
        let last = first.saturating_add(chunks).min(count.max(first + 1)) - 1;
        let start = grid.span(axis, first).map_or(0, |span| span.start);
        start..grid.span(axis, last).map_or(length, |span| span.end).min(length)
    }
}

/// The starts of chunks in `range`, its own start left out; none where there are more than `most`.
pub(super) fn borders((grid, axis): (&Grid, usize), range: &Range<u64>, most: usize) -> Vec<u64> {
    let mut borders = Vec::new();
    let mut at = range.start;
    while borders.len() <= most {
        let chunk = grid.chunk_at(axis, at).and_then(|(chunk, _)| grid.span(axis, chunk));
        match chunk.map(|span| span.end).filter(|&end| end < range.end && end > at) {
            Some(end) => borders.push(end),
            None => return borders,
        }
        at = borders.last().copied().unwrap_or(range.end);
    }
    Vec::new()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zooming_goes_from_elements_to_the_array_and_back() {
        let (mut zoom, mut seen) = (Zoom::Elements, Vec::new());
        while zoom != Zoom::Array {
            zoom = zoom.step(Direction::Previous, 318);
            seen.push(zoom);
        }
        let chunks = [2, 8, 32, 128].map(Zoom::Chunks);
        assert_eq!(seen, [&[Zoom::Chunk], &chunks[..], &[Zoom::Array]].concat());
        while zoom != Zoom::Elements {
            assert_eq!(seen.pop(), Some(zoom));
            zoom = zoom.step(Direction::Next, 318);
        }
        assert_eq!(Zoom::Chunk.step(Direction::Previous, 1), Zoom::Array);
        assert_eq!(Zoom::Array.step(Direction::Next, 2), Zoom::Chunk);
    }

    #[test]
    fn borders_are_told_as_long_as_there_are_few() {
        let grid = Grid::Regular(vec![10]);
        assert_eq!(borders((&grid, 0), &(0..35), 9), [10, 20, 30]);
        assert_eq!(borders((&grid, 0), &(20..40), 9), [30]);
        assert!(borders((&grid, 0), &(0..1000), 9).is_empty());
    }
}
