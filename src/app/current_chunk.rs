//! The chunk on show: which one, how far it was decoded, and the one cursor through all its stages.

use super::page::chunks::field_at;
use super::prelude::*;
use crate::zarr::{grid::KeyEncoding, scalar::print::python_repr};

pub mod damage;
mod map;
pub mod nesting;
pub mod runs;
pub mod shown;
pub mod strip;

pub use shown::Shown;

/// The chunk on show, whichever view shows it, and what is known of the others of its array.
#[derive(Clone, Default)]
pub struct CurrentChunk {
    /// The array's path and metadata; `None` where the node is no array.
    pub array: Option<(NodePath, Arc<ArrayMetadata>)>,
    /// The chunk that is asked for.
    pub id: ChunkId,
    /// The chunk.
    pub load: Load<Arc<Shown>>,
    /// The stage that hex follows.
    pub stage: usize,
    /// The byte of that stage's output under the cursor.
    pub cursor: u64,
    /// The other end of the selection, where bytes are selected.
    pub anchor: Option<u64>,
    /// The bytes that the cursor covers, where a compressor leaves only a range of the bytes it came from.
    pub covers: Option<Range<u64>>,
    /// The stage and the byte of it that the cursor was put on, where it went along to another stage since: stages are
    /// followed from there, so that the way back ends where it began.
    origin: Option<(usize, u64)>,
    /// The first row of the dump on show.
    pub top: u64,
    /// The dimensions that run down and across the map.
    pub axes: (usize, usize),
    /// True if checksums that do not agree are passed over.
    pub ignore_checksums: bool,
    /// The chunks that are stored.
    pub presence: Presence,
    /// The number of chunks along each dimension.
    pub counts: Vec<u64>,
    /// The number of inner chunks the shard has along each dimension, once a level where shards nest, the outermost
    /// first; empty where the array is not sharded.
    pub levels: Vec<Vec<u64>>,
    /// A unit of the stage whose row is shown, and those that it was folded away with.
    pub unfolded: Option<u64>,
    /// The search in the chunk.
    pub sought: Option<Sought>,
    /// True if the last search passed over values that attributes mark as missing.
    pub leaves_out: bool,
    /// The progress of the search: bytes searched, and their total.
    pub searching: Option<Pace>,
    /// The matches in the whole array.
    pub count: HitCount,
    /// The progress of loading the chunk, if that takes time.
    pub loading: Option<Pace>,
    /// The place of the cursor once the chunk is here: an element by C order index, or by coordinates in the array.
    pub landing: Option<Landing>,
}

/// The place of the cursor once a chunk is loaded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Landing {
    /// The element with this C order index in the chunk.
    Element(u64),
    /// The element at these coordinates of the array.
    Array(Vec<u64>),
    /// The first stage of the chunk itself, where the element at these coordinates of the array is stored.
    AsStored(Vec<u64>),
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

/// The chunk key encoding of an array.
fn keys((_, array): &(NodePath, Arc<ArrayMetadata>)) -> Option<&KeyEncoding> {
    array.known_key_encoding()
}

impl CurrentChunk {
    /// The page of an array, at its first chunk.
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

    /// Takes over what is searched for from the chunk before and, where it is of the same array `again`, its place and
    /// what is known of the chunks. True if that place was taken over.
    pub fn inherit(&mut self, before: Self, again: bool) -> bool {
        self.sought = before.sought.filter(|sought| again || matches!(sought, Sought::Line(_)));
        if !again || before.counts != self.counts || matches!(before.load, Load::Idle) {
            return false;
        }
        (self.id, self.axes) = (before.id, before.axes);
        // Other keys are those of other files.
        if before.array.as_ref().and_then(keys) == self.array.as_ref().and_then(keys) {
            self.presence = before.presence;
        }
        self.count = before.count;
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
            let key = path.relative(file);
            if let Some(coordinates) = encoding.parse(key, shape.len()) {
                self.presence.tried(&coordinates, DecodeTrial::Damaged);
            }
        }
    }

    /// The chunk, where it is here.
    pub fn shown(&self) -> Option<&Arc<Shown>> {
        self.load.ready()
    }

    /// The stages of the chunk; none before it is here.
    pub fn stages(&self) -> &[Stage] {
        self.shown().map_or(&[], |shown| &shown.chunk.stages)
    }

    /// The data of the stage on show.
    pub fn data(&self) -> Option<&Data> {
        self.shown()?.data(self.stage)
    }

    /// The elements of the stage on show, where it has come to elements.
    pub fn elements(&self) -> Option<&Elements> {
        self.data()?.elements()
    }

    /// The field of a struct that the cursor is in.
    pub fn field(&self) -> usize {
        let Some(elements) = self.elements() else { return 0 };
        let start = self.position().map_or(0, |at| elements.byte_range(at).start);
        let within = to_usize(self.cursor.saturating_sub(start));
        field_at(elements.data_type().fields(), within)
    }

    /// The position of the element under the cursor, where the stage has elements. Also finds elements of no bytes.
    pub fn position(&self) -> Option<u64> {
        let rows = DumpRows::of(self, 80, NumberBase::Value, false)?;
        rows.elements().filter(|elements| !elements.is_empty())?;
        Some(rows.unit_at(self.cursor))
    }

    /// The selected bytes of the stage: the element or byte under the cursor, or what was dragged over.
    pub fn selection(&self) -> Range<u64> {
        let unit = |offset: u64| match DumpRows::of(self, 80, NumberBase::Value, false) {
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
        let id = &shown.chunk.id;
        match shown.tried() {
            None => {}
            // One inner chunk says nothing of the others of its shard.
            Some(DecodeTrial::Decoded | DecodeTrial::Verified) if !id.inner.is_empty() => {}
            Some(came) => self.presence.tried(&id.coordinates, came),
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
            self.place(self.first_byte());
            self.land_on_nothing(shown);
        }
        self.land();
        let len = self.data().map_or(0, Data::len);
        self.cursor = self.cursor.min(len.saturating_sub(1));
    }

    /// The first byte of the stage, or of its first element that has bytes: before that may be a header.
    fn first_byte(&self) -> u64 {
        let first =
            self.elements().filter(|elements| !elements.is_empty()).map(|it| it.byte_range(0));
        first.filter(|range| !range.is_empty()).map_or(0, |range| range.start)
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
            Landing::Byte(byte) | Landing::Stage(_, byte) => byte..byte.saturating_add(1),
            Landing::Element(index) => {
                let at = elements.position(&elements.coordinates_of_index(index));
                elements.byte_range(at)
            }
            Landing::Array(ref coordinates) | Landing::AsStored(ref coordinates) => {
                let inside: Vec<u64> = coordinates
                    .iter()
                    .zip(&shown.chunk.region)
                    .map(|(at, range)| at.saturating_sub(range.start))
                    .collect();
                elements.byte_range(elements.position(&inside))
            }
        };
        self.stage = shown.last();
        self.place(range.start);
        if matches!(landing, Landing::AsStored(_)) {
            self.choose_stage(self.first_stage());
        }
    }

    /// Puts the cursor on byte `offset` of the stage.
    pub fn place(&mut self, offset: u64) {
        // A document may declare more elements than there are bytes to count; a few bytes further is always a number.
        let offset = offset.min(u64::MAX >> 1);
        (self.cursor, self.anchor, self.covers, self.origin) = (offset, None, None, None);
    }

    /// The first stage of this chunk itself: of an inner chunk, what comes out of its shard.
    pub fn first_stage(&self) -> usize {
        let of_shard = self
            .stages()
            .iter()
            .rposition(|stage| stage.shard.is_some())
            .filter(|_| self.depth() > 0);
        of_shard.unwrap_or(0)
    }

    /// True if the stage after the one that hex follows has bytes.
    pub fn has_next_stage(&self) -> bool {
        self.shown().is_some_and(|shown| shown.data(self.stage + 1).is_some())
    }

    /// Lets hex follow the next or the previous stage; the cursor goes along as far as it can be followed.
    pub fn to_stage(&mut self, way: Direction) {
        let to = match way {
            Direction::Next => self.stage + 1,
            Direction::Previous => self.stage.saturating_sub(1),
        };
        self.choose_stage(to);
    }

    /// Lets hex follow stage `to`.
    pub fn choose_stage(&mut self, to: usize) {
        let Some(shown) = self.shown().cloned() else { return };
        if to == self.stage || shown.data(to).is_none() {
            return;
        }
        let (from, byte) = self.origin.unwrap_or((self.stage, self.cursor));
        match shown.chunk.follow(from, ByteTarget::Exact(byte), to) {
            ByteTarget::Exact(offset) => self.place(offset),
            ByteTarget::Range(range) => {
                self.place(range.start);
                self.covers = Some(range);
            }
            ByteTarget::Nothing => self.place(0),
        }
        (self.stage, self.origin) = (to, Some((from, byte)));
        (self.top, self.unfolded) = (0, None);
    }

    /// The coordinates in the chunk of the element under the cursor, where the stage has elements.
    pub fn element(&self) -> Option<Vec<u64>> {
        let elements = self.shown()?.chunk.elements()?;
        Some(elements.coordinates(self.position()?))
    }

    /// Puts the cursor on the element at these coordinates of the chunk.
    pub fn go_to(&mut self, at: &[u64]) {
        let Some(shown) = self.shown().cloned() else { return };
        let Some(elements) = shown.chunk.elements() else { return };
        self.stage = shown.last();
        self.place(elements.byte_range(elements.position(at)).start);
    }

    /// The number of elements of the array the chunk has along each dimension: those past the array's edge do not
    /// count.
    pub fn extent(&self) -> Vec<u64> {
        let region = self.shown().map(|shown| &shown.chunk.region);
        region.into_iter().flatten().map(|range| range.end - range.start).collect()
    }

    /// The choices of each element that can be drawn; none where the data type is not understood.
    pub fn choices(&self) -> Vec<Choice> {
        let data_type = self.array.as_ref().and_then(|(_, array)| array.data_type());
        data_type.map_or_else(Vec::new, |data_type| choices(data_type.as_ref()))
    }

    /// The part of the file that is wanted but not loaded: around which byte to load. For large raw chunks, and for
    /// what is around an inner chunk in its shard.
    pub fn wanted(&self) -> Option<u64> {
        let (shown, data) = (self.shown()?, self.data()?);
        let loaded = data.bytes().loaded();
        let outside = !loaded.contains(&self.cursor) && self.cursor < data.len();
        if !outside || loaded.end - loaded.start >= data.len() {
            return None;
        }
        Some(shown.in_file(self.stage, self.cursor))
    }
}

impl CurrentChunk {
    /// The compression of the chunk at `at`, `len` bytes being stored: 1 for nothing left of it.
    pub fn ratio(&self, at: &[u64], len: u64) -> Option<f64> {
        let (_, array) = self.array.as_ref()?;
        let size = array.data_type()?.fixed_size()? as u64;
        let shape = array.known_grid()?.chunk_shape(at)?;
        let whole = shape.iter().try_fold(size, |product, n| product.checked_mul(*n))?;
        (whole > 0).then(|| (1.0 - len as f64 / whole as f64).clamp(0.0, 1.0))
    }

    /// By which attribute and rule a stored value is missing or a boolean, or why not; `None` where that is no
    /// question.
    pub fn why_meant(&self, value: &Scalar) -> Option<String> {
        Packing::of(&self.array.as_ref()?.1).why(value)
    }

    /// The meaning of a stored value by the attributes: `× 0.01 + 10 = 36.21`; `missing (_FillValue)`.
    pub fn unpacked(&self, value: &Scalar) -> Option<String> {
        let (_, array) = self.array.as_ref()?;
        let packing = Packing::of(array);
        let why = packing.why_no_dates().map(|why| format!("not a date: {why}"));
        match packing.meant(value) {
            Meant::Missing(attribute) => Some(format!("missing ({attribute})")),
            Meant::Number(number) => {
                // The last digits are those of the multiplication.
                let number: f64 = format!("{number:.14e}").parse().unwrap_or(number);
                let number = python_repr(number);
                let number = number.strip_suffix(".0").unwrap_or(&number);
                Some(format!("× {} + {} = {number}", packing.factor, packing.offset))
            }
            Meant::Date(date) => Some(date),
            Meant::Value(meant) if meant != *value => {
                Some(format!("by {} {meant}", packing.recast_by()))
            }
            Meant::Value(_) => {
                let flags = packing.flags_of(value).map(|flags| format!("flags {flags}"));
                flags.or(why).map(|text| safe_owned(&text))
            }
        }
    }
}
