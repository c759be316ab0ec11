//! The values that `stats` and `--physical` take as missing because xarray does, though no attribute marks them.

use super::prelude::*;
use std::sync::atomic::{AtomicU64, Ordering};

/// Counts elements that are missing by the rule of xarray alone.
#[derive(Default)]
pub(super) struct MissingToXarray {
    mark: Option<Scalar>,
    found: AtomicU64,
}

impl MissingToXarray {
    pub(super) fn new(packing: &Packing) -> Self {
        Self::of(packing, 0)
    }

    /// So many elements that equal the fill value were counted elsewhere.
    pub(super) fn of(packing: &Packing, found: u64) -> Self {
        Self { mark: packing.masked_by_xarray().cloned(), found: AtomicU64::new(found) }
    }

    /// Counts a stored element.
    pub(super) fn count(&self, value: &Scalar) {
        if self.mark.as_ref().is_some_and(|mark| mark.value_equal(value)) {
            self.found.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Counts elements that are not stored, and so are the fill value, which the mark is.
    pub(super) fn count_fill(&self, elements: u64) {
        self.found.fetch_add(elements, Ordering::Relaxed);
    }

    /// Says on stderr how many there were; nothing where there were none.
    pub(super) fn tell(&self, name: &str) {
        let found = self.found.load(Ordering::Relaxed);
        let Some(mark) = self.mark.as_ref().filter(|_| found > 0) else { return };
        let elements = if found == 1 { "element equals" } else { "elements equal" };
        output::complain(&format!(
            "{name}: missing: {} {elements} Zarr's fill value {mark}: xarray 2026.9 treats the fill value of \
             V2 arrays as the missing value",
            grouped(found)
        ));
    }
}
