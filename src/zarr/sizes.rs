//! The stored part of an array: its chunks, their bytes and their age, from listing files without reading any.

use super::prelude::*;
use super::{chunk, grid::order::spanned, words::size};

/// The most objects that are asked for their length by themselves, where no listing tells it.
const MOST_ASKED: u64 = 10_000;

/// The stored sizes of an array, or of several together.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Sizes {
    /// Stored objects with chunks in them: a shard is one, whatever it holds.
    pub objects: u64,
    /// The number of objects the grid has room for; `None` past 2¹²⁸ or where it is not known.
    pub objects_total: Option<u128>,
    /// The number of chunks the grid has, those inside shards counted one by one; `None` as above.
    pub chunks_total: Option<u128>,
    /// The length of the stored objects, in bytes, without those of which it is not known.
    pub stored: u64,
    /// The number of stored objects of which the length is not known: each has to be asked for by itself, and there are
    /// very many.
    pub unmeasured: u64,
    /// The length of the stored objects once decoded, in bytes, padding included; `None` where elements differ in
    /// length, or data type or shape are not known.
    pub raw: Option<u128>,
    /// The length of those stored objects that `raw` is about, in bytes.
    stored_of_raw: u64,
    /// The times at which the oldest and the newest object were written, where the store knows.
    pub written: Option<(SystemTime, SystemTime)>,
    /// True if the listing came to its end.
    pub is_complete: bool,
}

impl Sizes {
    /// Nothing, as the sum of no arrays.
    pub fn none() -> Self {
        Self { objects_total: Some(0), chunks_total: Some(0), is_complete: true, ..Self::default() }
    }

    /// Measures the array at `path`, after others that were measured `before` it. `each` is told how far it is after
    /// every object, and stops it with `false`: what was counted until then comes back as not complete.
    ///
    /// # Errors
    ///
    /// If its shape, grid or keys are not known, or a folder of it cannot be listed.
    pub fn of(
        store: &dyn Store,
        path: &NodePath,
        array: &ArrayMetadata,
        before: &Self,
        each: &mut dyn FnMut(&Self) -> bool,
    ) -> Result<Self> {
        let layout = Layout::new(path, array)?;
        let raw = RawLength::of(array);
        let mut sizes = Self { objects_total: layout.total(), ..Self::default() };
        let inner = chunks_in_an_object(array);
        sizes.chunks_total = sizes.objects_total.and_then(|total| total.checked_mul(inner?));
        sizes.raw = raw.as_ref().map(|_| 0);
        let mut stopped = false;
        let left = MOST_ASKED.saturating_sub(before.objects);
        let most = [usize::MAX, usize::try_from(left).unwrap_or(usize::MAX)];
        layout.visit_stats(store, most, &mut |coordinates, stat| {
            let written = stat.and_then(|stat| stat.modified);
            let raw = raw.as_ref().and_then(|raw| raw.of_chunk(&coordinates));
            sizes.take(stat.map_or(0, |stat| stat.len), written, raw);
            sizes.unmeasured += u64::from(stat.is_none());
            stopped = !each(&sizes);
            !stopped
        })?;
        sizes.is_complete = !stopped;
        Ok(sizes)
    }

    /// The most objects that an array may have, and the bytes of all its chunks once decoded; `None` where that is not
    /// known.
    pub fn most(path: &NodePath, array: &ArrayMetadata) -> (Option<u128>, Option<u128>) {
        let objects = Layout::new(path, array).ok().and_then(|layout| layout.total());
        let raw = match RawLength::of(array) {
            Some(RawLength::Same(len)) => objects.and_then(|all| all.checked_mul(len.into())),
            _ => None,
        };
        (objects, raw)
    }

    fn take(&mut self, len: u64, written: Option<SystemTime>, raw: Option<u64>) {
        self.objects += 1;
        self.stored = self.stored.saturating_add(len);
        if let (Some(sum), Some(raw)) = (&mut self.raw, raw) {
            *sum += u128::from(raw);
            self.stored_of_raw = self.stored_of_raw.saturating_add(len);
        }
        self.written = spanned(self.written, written.map(|at| (at, at)));
    }

    /// Adds what is stored of other arrays.
    pub fn add(&mut self, other: &Self) {
        let sum = |a: Option<u128>, b: Option<u128>| a?.checked_add(b?);
        self.objects = self.objects.saturating_add(other.objects);
        self.objects_total = sum(self.objects_total, other.objects_total);
        self.chunks_total = sum(self.chunks_total, other.chunks_total);
        self.stored = self.stored.saturating_add(other.stored);
        self.unmeasured = self.unmeasured.saturating_add(other.unmeasured);
        if let Some(raw) = other.raw {
            self.raw = Some(self.raw.unwrap_or_default().saturating_add(raw));
            self.stored_of_raw = self.stored_of_raw.saturating_add(other.stored_of_raw);
        }
        self.written = spanned(self.written, other.written);
        self.is_complete &= other.is_complete;
    }

    /// The ratio of raw to stored length. Of several arrays: of those whose raw length is known.
    pub fn ratio(&self) -> Option<f64> {
        let raw = self.raw.filter(|_| self.stored_of_raw > 0 && self.unmeasured == 0)?;
        Some(raw as f64 / self.stored_of_raw as f64)
    }

    /// The length of the stored objects in words: `12 MiB`, `≥ 12 MiB` where that of some is not known.
    pub fn stored_words(&self) -> String {
        let least = if self.unmeasured > 0 { "≥ " } else { "" };
        format!("{least}{}", size(self.stored))
    }

    /// The number of objects the grid has room for and are not stored, once the listing is complete.
    pub fn missing(&self) -> Option<u128> {
        self.objects_total?.checked_sub(self.objects.into()).filter(|_| self.is_complete)
    }
}

/// The length of a decoded chunk.
enum RawLength<'a> {
    /// All chunks are as long as each other.
    Same(u64),
    /// The grid says how many elements a chunk has, each of so many bytes.
    Each(&'a Grid, u64),
}

impl<'a> RawLength<'a> {
    fn of(array: &'a ArrayMetadata) -> Option<Self> {
        let item = array.data_type()?.fixed_size()? as u64;
        match array.known_grid()? {
            Grid::Regular(chunk) => Some(Self::Same(length(chunk, item)?)),
            grid => Some(Self::Each(grid, item)),
        }
    }

    fn of_chunk(&self, coordinates: &[u64]) -> Option<u64> {
        match self {
            Self::Same(length) => Some(*length),
            Self::Each(grid, item) => length(&grid.chunk_shape(coordinates)?, *item),
        }
    }
}

fn length(shape: &[u64], item: u64) -> Option<u64> {
    shape.iter().try_fold(item, |product, &n| product.checked_mul(n))
}

/// The number of chunks a stored object holds: 1, or the inner chunks of a shard, which are all as large as each other
/// where shards are.
fn chunks_in_an_object(array: &ArrayMetadata) -> Option<u128> {
    if array.inner_chunk_shape().is_none() {
        return Some(1);
    }
    let Ok(Grid::Regular(shape)) = &array.grid else { return None };
    let levels = chunk::levels(array, shape);
    levels.iter().flatten().try_fold(1_u128, |product, &n| product.checked_mul(n.into()))
}
