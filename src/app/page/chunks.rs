//! The chunk view: hex and values of one stage, the stages, and the map of the grid.

use crate::app::layout::ChunksPart;
use crate::app::prelude::*;
use moving::{
    go_deeper, go_out, go_to_found, go_to_level, step_chunk, step_damaged, step_field, step_missing,
};

mod modes;
mod moving;

pub use modes::{MapMode, NumberBase};
pub use moving::field_at;

/// The switches of the chunk view. What it is about is the [`CurrentChunk`].
#[derive(Clone, Default)]
pub struct ChunksPage {
    /// True if values are read in the other byte order, too.
    pub other_order: bool,
    /// True if the inspector is open.
    pub inspector: bool,
    /// True if offsets are decimal.
    pub decimal: bool,
    /// The base that values are written in.
    pub base: NumberBase,
    /// The shading of the map.
    pub mode: MapMode,
}

impl Page for ChunksPage {
    fn moved(&mut self, motion: Motion, count: Option<u64>, shared: &mut Shared) {
        if shared.focus == Focus::Map {
            let (chunk, mut to) = (&shared.chunk, shared.chunk.id.coordinates.clone());
            let axes = (Some(chunk.axes.0), chunk.axes.1);
            motion.in_grid((&mut to, &chunk.counts), axes, 1, count);
            return shared.go_to_coordinates(to);
        }
        if matches!(motion, Motion::First | Motion::Last) {
            shared.remember();
        }
        self.move_cursor(&mut shared.chunk, motion, count, shared.geometry.view);
    }

    fn clicked(&mut self, at: PaneCell, shared: &mut Shared) -> bool {
        let layout = self.layout(&shared.chunk, shared.geometry.view);
        match layout.part_at(at.row) {
            ChunksPart::Map(row) => clicked_map(PaneCell { row, ..at }, layout, shared),
            ChunksPart::Strip => clicked_strip(at.column, layout.width, &mut shared.chunk),
            ChunksPart::Dump(_) | ChunksPart::Other => {
                if let Some(offset) = self.byte_at(at, shared) {
                    shared.chunk.place(offset);
                }
            }
        }
        false
    }

    fn dragged(&mut self, to: PaneCell, shared: &mut Shared) {
        if let Some(offset) = self.byte_at(to, shared) {
            let anchor = shared.chunk.anchor.unwrap_or(shared.chunk.cursor);
            shared.chunk.place(offset);
            shared.chunk.anchor = (anchor != offset).then_some(anchor);
        }
    }

    fn wheeled(&mut self, by: i8, shared: &mut Shared) {
        self.turn(&mut shared.chunk, by, shared.geometry.view);
    }

    /// Opens what the cursor is on: rows that are folded away, the inner chunk; or has it explained.
    fn opened(&mut self, shared: &mut Shared) -> bool {
        if self.unfold(&mut shared.chunk, shared.geometry.view) {
            return false;
        }
        let deeper = shared.chunk.deeper();
        let is_explained = deeper.is_none();
        if let Some(id) = deeper {
            go_to_level(id, shared);
        }
        is_explained
    }

    fn acted(&mut self, action: Action, shared: &mut Shared) {
        let chunk = &mut shared.chunk;
        match action {
            Action::Deeper(Direction::Next) => go_deeper(shared),
            Action::Deeper(Direction::Previous) => go_out(shared),
            Action::Step(StepTo::Chunk, way) => step_chunk(way, shared),
            Action::Step(StepTo::Missing, way) => step_missing(way, shared),
            Action::Step(StepTo::Stored, way) => {
                let found = chunk.presence.next_stored(&chunk.id.coordinates, way.is_next());
                go_to_found(found, "stored", shared);
            }
            Action::Step(StepTo::Fault, way) => step_damaged(way, shared),
            Action::Step(StepTo::Field, way) => step_field(way, chunk),
            Action::OtherOrder => self.other_order = !self.other_order,
            Action::Base => self.base = self.base.next(),
            Action::Shows => self.mode = self.mode.next(),
            Action::Axes => {
                let axes = super::picture::next_axes(chunk.axes, chunk.counts.len());
                chunk.axes = axes.unwrap_or(chunk.axes);
            }
            Action::Fold => self.toggle_fold(chunk, shared.geometry.view),
            Action::Inspector => self.inspector = !self.inspector,
            Action::Offsets => self.decimal = !self.decimal,
            Action::IgnoreChecksums => {
                chunk.ignore_checksums = !chunk.ignore_checksums;
                shared.load_chunk();
            }
            Action::ChunkTable => shared.toggle_table(),
            _ => {}
        }
    }

    fn searched(&mut self, line: &str, shared: &mut Shared) {
        shared.search_for(line);
    }

    fn next_match(&mut self, way: Direction, shared: &mut Shared) {
        shared.search_chunk(way);
    }

    fn copied(&self, shared: &Shared) -> Option<String> {
        shared.chunk.value_text()
    }

    fn explained(&self, shared: &Shared) -> Option<Explained> {
        match shared.focus {
            Focus::Map => explained::chunk(&shared.chunk),
            Focus::View | Focus::Tree => explained::byte(&shared.chunk),
        }
    }

    fn is_available(&self, action: Action, shared: &Shared) -> bool {
        let chunk = &shared.chunk;
        match action {
            Action::Fold => self.has_fold(chunk, shared.geometry.view),
            Action::Step(StepTo::Fault, _) => {
                chunk.presence.damaged().any(|at| *at != chunk.id.coordinates)
            }
            Action::Ask(PromptKind::Export) => {
                chunk.shown().is_some_and(|shown| shown.chunk.elements().is_some())
            }
            _ => is_available(action, chunk),
        }
    }

    /// Loads what the view on show needs and does not have.
    fn wanted(&mut self, shared: &mut Shared) {
        if shared.chunk.array.is_some() && !shared.is_revealing {
            shared.load_what_is_needed();
        }
        let layout = self.layout(&shared.chunk, shared.geometry.view);
        self.follow(&mut shared.chunk, layout);
    }

    fn reloaded(&mut self, shared: &mut Shared) {
        shared.load_chunk();
        shared.look_for_chunks();
    }

    fn replied(&mut self, answer: Answer, lane: Lane, shared: &mut Shared) {
        let chunk = &mut shared.chunk;
        match answer {
            Answer::Loaded(shown) if shown.chunk.id == chunk.id => {
                chunk.loaded(&shown);
                shared.watch();
            }
            Answer::Loading(pace) => chunk.loading = Some(pace),
            Answer::ChunksListed(sightings) => chunk.presence.add(sightings),
            Answer::Diagnosed(diagnosis) => chunk.presence.diagnosis = Some(diagnosis),
            Answer::Searching(pace) => chunk.searching = Some(pace),
            Answer::Found(found) => shared.found(found),
            Answer::Counted(hits) => shared.counted(*hits),
            Answer::Exported(file) => {
                let is_here = file.parent().is_some_and(|folder| folder.as_os_str().is_empty());
                let place = if is_here { " in the working directory" } else { "" };
                let file = file.to_string_lossy();
                shared.say(format!("written to {}{place}", safe(&file)));
            }
            Answer::Done if lane == Lane::Presence => {
                chunk.presence.finish();
                if chunk.presence.outdated {
                    shared.look_for_chunks();
                }
            }
            Answer::Failed(error) if lane == Lane::Load => chunk.load = Load::Failed(error),
            Answer::Failed(error) => {
                if lane == Lane::Presence {
                    chunk.presence.stopped = true;
                } else {
                    (chunk.searching, chunk.count.pace) = (None, None);
                }
                shared.fail(safe_text(&error));
            }
            _ => {}
        }
    }

    fn stopped(&mut self, lane: Lane, shared: &mut Shared) {
        match lane {
            Lane::Search => {
                shared.chunk.searching = None;
                shared.say("search stopped");
            }
            Lane::Count => {
                let count = mem::take(&mut shared.chunk.count);
                let so_far = count.progress().map(|(text, _)| format!(": {text}"));
                shared.say(format!("counting stopped{}", so_far.unwrap_or_default()));
            }
            Lane::Load => {
                let error = Error::new(Code::Stopped, "a chunk that was not read completely", "")
                    .with_fix("Stopped by Esc; r reads it.");
                shared.chunk.load = Load::Failed(error);
            }
            Lane::Presence => {
                shared.chunk.presence.stopped = true;
                shared.say("counting stopped; r counts again");
            }
            _ => {}
        }
    }
}

impl ChunksPage {
    /// The rows of the dump at this width.
    pub fn rows<'a>(&self, chunk: &'a CurrentChunk, width: usize) -> Option<DumpRows<'a>> {
        DumpRows::of(chunk, width, self.base, self.other_order)
    }

    /// The layout of the page in `size`.
    pub fn layout(&self, chunk: &CurrentChunk, size: Size) -> ChunksLayout {
        ChunksLayout::new(self, chunk, size)
    }

    /// The byte of the dump at a cell of the view.
    fn byte_at(&self, at: PaneCell, shared: &Shared) -> Option<u64> {
        let layout = self.layout(&shared.chunk, shared.geometry.view);
        let rows = self.rows(&shared.chunk, layout.width.into())?;
        let ChunksPart::Dump(line) = layout.part_at(at.row) else { return None };
        let lines = rows.lines(shared.chunk.top, layout.dump.into());
        let (DumpLine::Row(units) | DumpLine::Fold(_, units)) = lines.get(line)?;
        let unit = units.start + rows.unit_in_column(at.column);
        Some(rows.bytes_of(unit.min(units.end.saturating_sub(1))).start)
    }
}

fn clicked_map(at: PaneCell, layout: ChunksLayout, shared: &mut Shared) {
    let window = shared.chunk.map_window(layout.map_rows(), layout.map_columns());
    if let Some((down, across)) = window.chunk_at(at) {
        shared.focus = Focus::Map;
        let to = shared.chunk.map_coordinates(down, across);
        shared.go_to_coordinates(to);
    }
}

/// A click on a stage of the strip lets hex follow it.
fn clicked_strip(column: usize, width: u16, chunk: &mut CurrentChunk) {
    let Some(shown) = chunk.shown() else { return };
    let spans = strip::spans(shown, chunk.stage, width.into());
    let at = spans.iter().find(|span| span.columns.contains(&column));
    if let Some(stage) = at.and_then(|span| span.stage) {
        chunk.choose_stage(stage);
    }
}

/// True if the action does something to this chunk.
fn is_available(action: Action, chunk: &CurrentChunk) -> bool {
    match action {
        Action::OtherOrder => {
            let elements = chunk.shown().and_then(|shown| shown.chunk.elements());
            elements.is_some_and(|elements| *elements.order() != ByteOrder::NotApplicable)
        }
        Action::Inspector | Action::Base => chunk.data().is_some_and(|data| !data.is_empty()),
        Action::Step(StepTo::Field, _) => {
            chunk.elements().is_some_and(|elements| elements.data_type().fields().len() > 1)
        }
        Action::Step(StepTo::Chunk, way) => chunk.neighbour(way).is_some(),
        Action::Step(StepTo::Missing, way) => {
            may_miss_chunks(chunk) && chunk.neighbour(way).is_some()
        }
        Action::Step(StepTo::Stored, way) => {
            let here = &chunk.id.coordinates;
            !chunk.presence.has(here) && chunk.presence.next_stored(here, way.is_next()).is_some()
        }
        Action::IgnoreChecksums => {
            let mut errors = chunk.stages().iter().filter_map(|stage| stage.error.as_ref());
            chunk.ignore_checksums || errors.any(|error| error.code == Code::ChecksumMismatch)
        }
        Action::Deeper(Direction::Next) => chunk.has_next_stage() || chunk.deeper().is_some(),
        Action::Deeper(Direction::Previous) => chunk.stage > 0 || chunk.outer().is_some(),
        Action::Shows | Action::ChunkTable => chunk.has_map(),
        Action::Axes => chunk.has_map() && chunk.counts.len() > 1,
        Action::Offsets => chunk.stages().len() > 1,
        Action::Step(..) => false,
        _ => true,
    }
}

/// True if a chunk is missing, as far as is known.
fn may_miss_chunks(chunk: &CurrentChunk) -> bool {
    let total = chunk.counts.iter().try_fold(1_u64, |total, &count| total.checked_mul(count));
    let shards = chunk.stages().iter().filter_map(|stage| stage.shard.as_ref());
    let empty = shards.into_iter().any(|shard| shard.empty() > 0);
    chunk.depth() > 0 && empty
        || chunk.has_map() && (!chunk.presence.complete || total != Some(chunk.presence.stored()))
}

impl Shared {
    /// The name of the file that the chunk on show would be written to; says so where there is nothing to write.
    pub(in crate::app) fn export_name(&mut self) -> Option<String> {
        let shown = self.chunk.shown().filter(|shown| shown.chunk.elements().is_some());
        let Some(shown) = shown else {
            self.fail("Nothing to write: no decoded chunk is open.");
            return None;
        };
        let key = shown.chunk.key.replace('/', "-");
        let inner = shown.chunk.id.inner.iter().flatten();
        let parts = iter::once(key).chain(inner.map(u64::to_string));
        Some(parts.joined("_") + ".npy")
    }

    /// Writes the chunk on show to `file`, seen from the working directory.
    pub(in crate::app) fn export(&mut self, file: &str) {
        if self.export_name().is_some()
            && let Some(shown) = self.chunk.shown().map(Arc::clone)
        {
            self.run(Lane::Search, Work::Export { shown, file: PathBuf::from(file) });
        }
    }
}
