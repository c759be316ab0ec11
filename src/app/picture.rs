//! The slice of a chunk that is drawn, and how.

use super::{
    Load,
    action::{PictureAction, Step},
    chunks::Shown,
};
use crate::zarr::statistics::Slice;
use std::sync::Arc;

mod cursor;
pub mod pictured;

pub use pictured::{Counted, Frame, Pictured, SCALE, frame};

/// How values become shades.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Scale {
    /// In proportion to the value.
    #[default]
    Linear,
    /// In proportion to how many values are smaller: shows structure whatever the distribution.
    Rank,
}

/// The picture of a chunk.
#[derive(Debug, Clone, Default)]
pub struct PicturePage {
    /// The dimensions that run down and across; `None` for the last two.
    pub axes: Option<(usize, usize)>,
    /// The index along the first dimension that is not drawn.
    pub index: u64,
    /// How values become shades.
    pub scale: Scale,
    /// The element under the cursor, as down and across; moved by the arrows.
    pub cursor: (u64, u64),
    /// The chunk, counted and sampled.
    pub pictured: Load<Arc<Pictured>>,
    asked: Option<(Arc<Shown>, Slice)>,
}

impl PicturePage {
    /// The dimensions that run down and across for an array of `dimensions`; equal where there is only one.
    #[must_use]
    pub fn drawn(&self, dimensions: usize) -> (usize, usize) {
        let last = dimensions.saturating_sub(1);
        self.axes
            .filter(|axes| axes.0.max(axes.1) < dimensions)
            .unwrap_or_else(|| (last.saturating_sub(1), last))
    }

    /// The first dimension that is not drawn.
    #[must_use]
    pub fn fixed(&self, dimensions: usize) -> Option<usize> {
        let drawn = self.drawn(dimensions);
        (0..dimensions).find(|axis| *axis != drawn.0 && *axis != drawn.1)
    }

    /// Whether this slice of this chunk has not been asked for yet; from now on it has. What is on show stays until the
    /// answer is there, unless it is of another chunk.
    pub fn asks_anew(&mut self, shown: &Arc<Shown>, slice: &Slice) -> bool {
        let same = |asked: &&(Arc<Shown>, Slice)| Arc::ptr_eq(&asked.0, shown);
        let of_same_chunk = self.asked.as_ref().filter(same);
        if of_same_chunk.is_some_and(|asked| asked.1 == *slice) {
            return false;
        }
        if of_same_chunk.is_none() {
            self.pictured = Load::Pending;
        }
        self.asked = Some((Arc::clone(shown), slice.clone()));
        true
    }

    /// Lets go of every chunk but the one on show.
    pub fn forget(&mut self, shown: Option<&Arc<Shown>>) {
        let asked = self.asked.as_ref().map(|(asked, _)| asked);
        if asked.is_some_and(|asked| shown.is_none_or(|shown| !Arc::ptr_eq(asked, shown))) {
            (self.asked, self.pictured) = (None, Load::Idle);
        }
    }

    /// Carries out an action on a chunk of `shape`.
    pub fn act(&mut self, action: PictureAction, shape: &[u64]) {
        match action {
            PictureAction::Index(way) => {
                let len =
                    self.fixed(shape.len()).and_then(|axis| shape.get(axis)).copied().unwrap_or(1);
                self.index = match way {
                    Step::Next => (self.index + 1).min(len.saturating_sub(1)),
                    Step::Previous => self.index.saturating_sub(1),
                };
            }
            PictureAction::Axes => {
                self.axes = next_axes(self.drawn(shape.len()), shape.len());
                self.index = 0;
            }
            PictureAction::Scale => {
                self.scale = match self.scale {
                    Scale::Linear => Scale::Rank,
                    Scale::Rank => Scale::Linear,
                };
            }
        }
    }
}

/// The pair of dimensions after `axes`, both ways round, of all pairs that there are.
#[must_use]
pub fn next_axes(axes: (usize, usize), dimensions: usize) -> Option<(usize, usize)> {
    let pairs: Vec<(usize, usize)> = (0..dimensions)
        .flat_map(|down| (0..dimensions).map(move |across| (down, across)))
        .filter(|(down, across)| down != across)
        .collect();
    let at = pairs.iter().position(|pair| *pair == axes)?;
    pairs.get((at + 1) % pairs.len()).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_go_through_all_pairs_and_come_back() {
        let mut axes = (0, 1);
        for _ in 0..6 {
            axes = next_axes(axes, 3).unwrap();
        }
        assert_eq!(axes, (0, 1));
        assert_eq!(next_axes((0, 0), 1), None);
    }
}
