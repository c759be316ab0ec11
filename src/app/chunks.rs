//! The chunk on show: which one, how far it was decoded, and the one cursor through all its stages.

use super::{Pace, layout::Size, loading::Load, presence::Presence, search::Sought};
use crate::zarr::{ArrayMetadata, NodePath, Problem, Severity, codec::ByteTarget, grid::ChunkId};
use std::{ops::Range, sync::Arc};

mod acting;
pub mod layout;
pub mod moving;
pub mod nesting;
pub mod rows;
pub mod runs;
pub mod shown;
pub mod strip;

pub use layout::ChunksLayout;
pub use rows::{DumpLine, DumpRows};
pub use shown::Shown;

/// What the map shows of each chunk.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum MapMode {
    /// Whether it is stored.
    #[default]
    Presence,
    /// How large it is against the largest.
    Size,
    /// How well it is compressed.
    Ratio,
    /// When it was written.
    Time,
}

impl MapMode {
    /// What the map's legend calls it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Presence => "presence",
            Self::Size => "size",
            Self::Ratio => "ratio",
            Self::Time => "time",
        }
    }

    /// The next one.
    #[must_use]
    pub fn next(self) -> Self {
        match self {
            Self::Presence => Self::Size,
            Self::Size => Self::Ratio,
            Self::Ratio => Self::Time,
            Self::Time => Self::Presence,
        }
    }
}

/// How numbers are written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum NumberBase {
    /// As values of the data type.
    #[default]
    Value,
    /// The bits as one hexadecimal number, most significant digit first.
    Hex,
    /// The bits as one binary number.
    Binary,
}

impl NumberBase {
    /// The next one.
    #[must_use]
    pub fn next(self) -> Self {
        match self {
            Self::Value => Self::Hex,
            Self::Hex => Self::Binary,
            Self::Binary => Self::Value,
        }
    }
}

/// Everything about the chunk view.
#[derive(Debug, Clone, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of its own that a key turns")]
pub struct ChunksPage {
    /// The array's path and metadata; `None` where the node is no array.
    pub array: Option<(NodePath, Arc<ArrayMetadata>)>,
    /// Which chunk is asked for.
    pub id: ChunkId,
    /// The chunk.
    pub load: Load<Arc<Shown>>,
    /// Which stage hex follows.
    pub stage: usize,
    /// The byte of that stage's output under the cursor.
    pub cursor: u64,
    /// The other end of the selection, where bytes are selected.
    pub anchor: Option<u64>,
    /// What the cursor covers, where a compressor leaves only a range of the bytes it came from.
    pub covers: Option<Range<u64>>,
    /// The first row of the dump on show.
    pub top: u64,
    /// Whether values are read in the other byte order, too.
    pub other_order: bool,
    /// Whether the inspector is open.
    pub inspector: bool,
    /// Whether offsets are decimal.
    pub decimal: bool,
    /// How values are written.
    pub base: NumberBase,
    /// What the map shows.
    pub mode: MapMode,
    /// The dimensions that run down and across the map.
    pub axes: (usize, usize),
    /// Whether checksums that do not agree are passed over.
    pub ignore_checksums: bool,
    /// Which chunks there are.
    pub presence: Presence,
    /// How many chunks there are along each dimension.
    pub counts: Vec<u64>,
    /// How many inner chunks the shard has along each dimension, once a level where shards nest, the outermost first;
    /// empty where the array is not sharded.
    pub levels: Vec<Vec<u64>>,
    /// A unit of the stage whose row is shown, and those that it was folded away with.
    pub unfolded: Option<u64>,
    /// What is searched for.
    pub sought: Option<Sought>,
    /// Whether the last search passed fill values over.
    pub skips_fill: bool,
    /// How far the search is: bytes looked at, and of how many.
    pub searching: Option<Pace>,
    /// How far the loading of the chunk is, where that takes time.
    pub loading: Option<Pace>,
    /// Where the cursor goes once the chunk is here: an element by C order index, or by coordinates in the array.
    pub landing: Option<Landing>,
}

/// Where the cursor goes once a chunk is loaded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Landing {
    /// The element with this C order index in the chunk.
    Element(u64),
    /// The element at these coordinates of the array.
    Array(Vec<u64>),
    /// This byte of the last stage.
    Byte(u64),
    /// This byte of this stage.
    Stage(usize, u64),
}

/// The dimensions that a map shows at first: the last two that are cut at all, or else the last two.
fn map_axes(counts: &[u64]) -> (usize, usize) {
    let last = counts.len().saturating_sub(1);
    let mut cut = (0..counts.len()).rev().filter(|&axis| counts.get(axis).is_some_and(|&n| n > 1));
    let Some(across) = cut.next() else { return (last.saturating_sub(1), last) };
    let beside = if across == 0 { last.min(1) } else { across - 1 };
    let other = cut.next().unwrap_or(beside);
    (other.min(across), other.max(across))
}

impl ChunksPage {
    /// The page of an array, at its first chunk.
    #[must_use]
    pub fn of(path: NodePath, array: Arc<ArrayMetadata>) -> Self {
        let mut page = Self::default();
        if let (Ok(grid), Ok(shape)) = (&array.grid, &array.shape) {
            page.counts = grid.counts(shape);
            page.id.coordinates = vec![0; page.counts.len()];
        }
        page.axes = map_axes(&page.counts);
        page.array = Some((path, array));
        page.levels = page.levels_at(&page.id.coordinates);
        page.id.inner = nesting::first(&page.levels);
        page
    }

    /// Takes over what the page before has set: its switches and, where it is the same array `again`, its place and
    /// what is known of the chunks. Whether that place was taken over.
    pub fn inherit(&mut self, before: Self, again: bool) -> bool {
        (self.mode, self.decimal, self.base) = (before.mode, before.decimal, before.base);
        (self.inspector, self.other_order) = (before.inspector, before.other_order);
        self.sought = before.sought.filter(|sought| again || matches!(sought, Sought::Line(_)));
        if !again || before.counts != self.counts || matches!(before.load, Load::Idle) {
            return false;
        }
        (self.id, self.axes, self.presence) = (before.id, before.axes, before.presence);
        (self.stage, self.cursor, self.top) = (before.stage, before.cursor, before.top);
        self.load = before.load;
        true
    }

    /// Marks the chunks on the map that a check found to be damaged.
    pub fn take_damaged(&mut self, found: &[(NodePath, Problem)]) {
        let Some((path, array)) = &self.array else { return };
        let (Ok(encoding), Ok(shape)) = (&array.key_encoding, &array.shape) else { return };
        let errors = found.iter().filter(|(node, problem)| {
            node == path && problem.severity == Severity::Error && problem.count == 1
        });
        for (_, problem) in errors {
            let file = problem.error.place.file.as_deref().unwrap_or_default();
            let key = file.strip_prefix(&path.0).unwrap_or(file).trim_start_matches('/');
            if let Some(coordinates) = encoding.parse(key, shape.len()) {
                self.presence.decoded(&coordinates, false);
            }
        }
    }

    /// The chunk, where it is here.
    #[must_use]
    pub fn shown(&self) -> Option<&Arc<Shown>> {
        self.load.ready()
    }

    /// The rows of the dump at this width.
    #[must_use]
    pub fn rows(&self, width: usize) -> Option<DumpRows<'_>> {
        let rows = DumpRows::new(self.shown()?, self.stage, width, self.other_order)?;
        Some(rows.unfolding(self.unfolded))
    }

    /// The position of the element under the cursor, where the stage has elements. Also finds elements of no bytes.
    #[must_use]
    pub fn position(&self) -> Option<u64> {
        let rows = DumpRows::new(self.shown()?, self.stage, 80, false)?;
        rows.elements().filter(|elements| !elements.is_empty())?;
        Some(rows.unit_at(self.cursor))
    }

    /// How the page is laid out in `size`.
    #[must_use]
    pub fn layout(&self, size: Size) -> ChunksLayout {
        ChunksLayout::new(self, size)
    }

    /// The selected bytes of the stage: the element or byte under the cursor, or what was dragged over.
    #[must_use]
    pub fn selection(&self) -> Range<u64> {
        let unit = |offset: u64| match self.rows(80) {
            Some(rows) => rows.bytes_of(rows.unit_at(offset)),
            None => offset..offset + 1,
        };
        let here = unit(self.cursor);
        match (self.anchor.map(unit), &self.covers) {
            (Some(there), _) => here.start.min(there.start)..here.end.max(there.end),
            (None, Some(covers)) => covers.clone(),
            (None, None) => here,
        }
    }

    /// Takes a loaded chunk in. The stage that was looked at stays the same by name, the cursor stays on its byte.
    pub fn loaded(&mut self, shown: &Arc<Shown>) {
        let before = self.stage_name();
        let same = self.shown().is_some_and(|old| old.chunk.id == shown.chunk.id);
        let fine = shown.chunk.error.is_none() && shown.failed().is_none();
        if shown.chunk.stored.is_some() {
            self.presence.decoded(&shown.chunk.id.coordinates, fine);
        }
        let stages = &shown.chunk.stages;
        let named = before.and_then(|name| {
            stages.iter().position(|stage| stage.name == name && stage.output.is_some())
        });
        self.stage = named.unwrap_or_else(|| shown.last());
        if !same {
            (self.cursor, self.anchor, self.covers, self.top) = (0, None, None, 0);
            self.unfolded = None;
        }
        self.load = Load::Ready(Arc::clone(shown));
        if !same {
            self.land_on_nothing(shown);
        }
        self.land();
        let len = self.shown().and_then(|shown| Some(shown.data(self.stage)?.len())).unwrap_or(0);
        self.cursor = self.cursor.min(len.saturating_sub(1));
    }

    /// The stage that was chosen, by name; `None` where it is the last one, as by default.
    fn stage_name(&self) -> Option<String> {
        let shown = self.shown()?;
        (self.stage != shown.last())
            .then(|| shown.chunk.stages.get(self.stage).map(|stage| stage.name.clone()))?
    }

    /// Puts the cursor where the last jump wanted it.
    pub(in crate::app) fn land(&mut self) {
        let Some(landing) = self.landing.take() else { return };
        let Some(shown) = self.shown().cloned() else { return };
        if let Landing::Stage(stage, byte) = landing {
            self.stage = stage.min(shown.last());
            return self.place(byte);
        }
        let Some(elements) = shown.chunk.elements() else {
            return self.land_on_entry(&shown, &landing);
        };
        let range = match landing {
            Landing::Byte(byte) | Landing::Stage(_, byte) => byte..byte + 1,
            Landing::Element(index) => {
                let at = elements.position(&elements.coordinates_of_index(index));
                elements.byte_range(at)
            }
            Landing::Array(coordinates) => {
                let inside: Vec<u64> = coordinates
                    .iter()
                    .zip(&shown.chunk.region)
                    .map(|(at, range)| at.saturating_sub(range.start))
                    .collect();
                elements.byte_range(elements.position(&inside))
            }
        };
        self.stage = shown.last();
        (self.cursor, self.anchor, self.covers) = (range.start, None, None);
    }

    /// The part of the file that is wanted but not loaded: around which byte to load. For large raw chunks, and for
    /// what is around an inner chunk in its shard.
    #[must_use]
    pub fn wanted(&self) -> Option<u64> {
        let shown = self.shown()?;
        let data = shown.data(self.stage)?;
        let loaded = data.bytes().loaded();
        let outside = !loaded.contains(&self.cursor) && self.cursor < data.len();
        if !outside || loaded.end - loaded.start >= data.len() {
            return None;
        }
        match shown.chunk.follow(self.stage, ByteTarget::Exact(self.cursor), 0) {
            ByteTarget::Exact(offset) => Some(offset.max(1)),
            ByteTarget::Range(_) | ByteTarget::Nothing => Some(self.cursor.max(1)),
        }
    }
}

impl ChunksPage {
    /// How well the chunk at `at` is compressed, `len` bytes being stored: 1 for nothing left of it.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "a shade needs no more than a few digits")]
    pub fn ratio(&self, at: &[u64], len: u64) -> Option<f64> {
        let (_, array) = self.array.as_ref()?;
        let size = array.data_type()?.item_size().fixed()? as u64;
        let shape = array.grid.as_ref().ok()?.chunk_shape(at)?;
        let whole = shape.iter().try_fold(size, |product, n| product.checked_mul(*n))?;
        (whole > 0).then(|| (1.0 - len as f64 / whole as f64).clamp(0.0, 1.0))
    }
}
