//! Moving in the chunk view: the cursor over the dump; and steps from chunk to chunk, into shards and out of them.

use crate::app::prelude::*;

impl ChunksPage {
    /// Moves the cursor over the dump.
    pub(super) fn move_cursor(
        &self,
        chunk: &mut CurrentChunk,
        motion: Motion,
        count: Option<u64>,
        size: Size,
    ) {
        let layout = self.layout(chunk, size);
        let Some(rows) = self.rows(chunk, layout.width.into()) else { return };
        let unit = rows.unit_at(chunk.cursor);
        // The field of a struct stays the same.
        let fields = rows.elements().filter(|all| !all.data_type().fields().is_empty());
        let within = fields.map_or(0, |_| chunk.cursor.saturating_sub(rows.bytes_of(unit).start));
        let page = i64::from(layout.dump.max(1));
        let by = |n: i64| by_lines(&rows, unit, n);
        let many = count.and_then(|n| i64::try_from(n).ok()).unwrap_or(1);
        let column = unit % rows.per_row;
        if let Motion::Window(place) = motion {
            let above = i64::try_from(place.rows_above(layout.dump.into())).unwrap_or(0);
            return chunk.top = rows.line_after(rows.row_of(unit), -above);
        }
        let to = match motion {
            Motion::Left => unit.saturating_sub(many.unsigned_abs()),
            Motion::Right => unit.saturating_add(many.unsigned_abs()),
            Motion::Up => by(-many),
            Motion::Down => by(many),
            Motion::PageUp => by(-page),
            Motion::PageDown => by(page),
            Motion::HalfUp => by(-page / 2),
            Motion::HalfDown => by(page / 2),
            Motion::First => count.unwrap_or(0),
            Motion::Last => count.unwrap_or(u64::MAX),
            Motion::RowStart => unit - column,
            Motion::RowEnd => (unit - column).saturating_add(rows.per_row - 1),
            Motion::Window(_) => unit,
        };
        let cursor = rows.bytes_of(to.min(rows.len.saturating_sub(1))).start;
        chunk.place(cursor.saturating_add(within));
        self.follow(chunk, layout);
    }

    /// True if the cursor is on rows that are folded, or others are unfolded.
    pub(super) fn has_fold(&self, chunk: &CurrentChunk, size: Size) -> bool {
        let rows = self.rows(chunk, self.layout(chunk, size).width.into());
        chunk.unfolded.is_some() || rows.is_some_and(|rows| rows.folds(rows.unit_at(chunk.cursor)))
    }

    /// Opens the fold that the cursor is in, or closes the open one.
    pub(super) fn toggle_fold(&self, chunk: &mut CurrentChunk, size: Size) {
        if !self.unfold(chunk, size) {
            chunk.unfolded = None;
        }
    }

    /// Opens the fold that the cursor is in; false where there is none.
    pub(super) fn unfold(&self, chunk: &mut CurrentChunk, size: Size) -> bool {
        let width = self.layout(chunk, size).width;
        let Some(rows) = self.rows(chunk, width.into()) else { return false };
        let unit = rows.unit_at(chunk.cursor);
        let folds = rows.folds(unit);
        if folds {
            chunk.unfolded = Some(unit);
        }
        folds
    }

    /// Moves the window of the dump so that the cursor is in sight.
    pub(super) fn follow(&self, chunk: &mut CurrentChunk, layout: ChunksLayout) {
        if let Some(rows) = self.rows(chunk, layout.width.into()) {
            let row = rows.row_of(rows.unit_at(chunk.cursor));
            chunk.top = rows.top_for(row, chunk.top, layout.dump.into());
        }
    }

    /// Moves the window by `by` lines; the cursor follows where it would leave it.
    pub(super) fn turn(&self, chunk: &mut CurrentChunk, by: i8, size: Size) {
        let layout = self.layout(chunk, size);
        let Some(rows) = self.rows(chunk, layout.width.into()) else { return };
        let height = i64::from(layout.dump.max(1));
        let last = rows.line_after(rows.count().saturating_sub(1), 1 - height);
        let top = rows.line_after(chunk.top, by.into()).min(last);
        let bottom = rows.line_after(top, height - 1);
        let unit = rows.unit_at(chunk.cursor);
        let row = rows.line_start(rows.row_of(unit));
        let to = row.clamp(top, bottom.max(top)) * rows.per_row + unit % rows.per_row;
        let cursor = rows.bytes_of(to.min(rows.len.saturating_sub(1))).start;
        chunk.top = top;
        if row < top || row > bottom {
            chunk.place(cursor);
        }
    }
}

/// The field that byte `within` of an element belongs to; the last one before it where it is in a gap.
pub fn field_at(fields: &[Field], within: usize) -> usize {
    let before = fields.iter().enumerate().filter(|(_, field)| field.offset <= within);
    before.max_by_key(|(_, field)| field.offset).map_or(0, |(at, _)| at)
}

/// Puts the cursor on the next field of a struct, or on the previous one; past the last, on the first of the next
/// element.
pub(super) fn step_field(way: Direction, chunk: &mut CurrentChunk) {
    let Some((elements, at)) = chunk.elements().zip(chunk.position()) else { return };
    let (fields, field) = (elements.data_type().fields(), chunk.field());
    let Some(last) = fields.len().checked_sub(1) else { return };
    let (element, field) = match way {
        Direction::Next if field < last => (at, field + 1),
        Direction::Next if at + 1 < elements.len() => (at + 1, 0),
        Direction::Previous if field > 0 => (at, field - 1),
        Direction::Previous if at > 0 => (at - 1, last),
        Direction::Next | Direction::Previous => return,
    };
    let offset = fields.get(field).map_or(0, |field| field.offset as u64);
    chunk.place(elements.byte_range(element).start + offset);
}

/// The unit `by` lines below (or above) `unit`, in the same column.
fn by_lines(rows: &DumpRows, unit: u64, by: i64) -> u64 {
    let row = rows.line_after(rows.row_of(unit), by);
    row * rows.per_row + unit % rows.per_row
}

/// Goes to the next chunk, or to the previous one.
pub(super) fn step_chunk(way: Direction, shared: &mut Shared) {
    if let Some(id) = shared.chunk.neighbour(way) {
        return shared.go_to_chunk(id);
    }
    let word = if way.is_next() { "last" } else { "first" };
    shared.say(format!("this is the {word} chunk"));
}

/// Goes to the next chunk that is missing.
pub(super) fn step_missing(way: Direction, shared: &mut Shared) {
    let chunk = &shared.chunk;
    if let Some(id) = chunk.empty_neighbour(way) {
        return shared.go_to_chunk(id);
    }
    let from = &chunk.id.coordinates;
    let found = chunk.presence.next_missing(from, &chunk.counts, way.is_next());
    go_to_found(found, "missing", shared);
}

/// Goes to the next chunk that is known to be damaged.
pub(super) fn step_damaged(way: Direction, shared: &mut Shared) {
    let here = &shared.chunk.id.coordinates;
    let presence = &shared.chunk.presence;
    let found = match way {
        Direction::Next => presence.damaged().find(|at| *at > here),
        Direction::Previous => presence.damaged().rfind(|at| *at < here),
    };
    if let Some(coordinates) = found.cloned() {
        let id = as_deep(coordinates, &shared.chunk);
        shared.go_to_chunk(id);
    } else {
        shared.say("no known damaged chunk in that direction; view 5 checks them all");
    }
}

/// Shows the chunk at these coordinates; where there are none, says that there is no chunk that is `what`.
pub(super) fn go_to_found(found: Option<Vec<u64>>, what: &str, shared: &mut Shared) {
    if let Some(coordinates) = found {
        let id = as_deep(coordinates, &shared.chunk);
        shared.go_to_chunk(id);
    } else {
        let complete = shared.chunk.presence.complete;
        let so_far = if complete { "" } else { " so far" };
        shared.say(format!("no {what} chunk in that direction{so_far}"));
    }
}

/// The first chunk at these coordinates of the grid that is as deep in its shard as the one on show.
fn as_deep(coordinates: Vec<u64>, chunk: &CurrentChunk) -> ChunkId {
    let mut inner = nesting::first(&chunk.levels_at(&coordinates));
    inner.truncate(chunk.depth());
    ChunkId { coordinates, inner }
}

/// Goes to the next stage; past the last one, to the first stage of the inner chunk under the cursor.
pub(super) fn go_deeper(shared: &mut Shared) {
    if shared.chunk.has_next_stage() {
        return shared.chunk.to_stage(Direction::Next);
    }
    if let Some(id) = shared.chunk.deeper() {
        go_to_level(id, shared);
        if let Some(Landing::Array(at)) = shared.chunk.landing.take() {
            shared.chunk.landing = Some(Landing::AsStored(at));
        }
    }
}

/// Goes to the stage before; before the first one, out to the shard around this inner chunk.
pub(super) fn go_out(shared: &mut Shared) {
    let outer = shared.chunk.outer();
    if shared.chunk.stage > shared.chunk.first_stage() || outer.is_none() {
        return shared.chunk.to_stage(Direction::Previous);
    }
    if let Some(id) = outer {
        let last = shared.chunk.shown().map_or(0, |shown| shown.last());
        shared.chunk.choose_stage(last);
        go_to_level(id, shared);
    }
}

/// Goes to a chunk around or in the one on show; the cursor stays on its element of the array.
pub(super) fn go_to_level(id: ChunkId, shared: &mut Shared) {
    let chunk = &mut shared.chunk;
    let deeper = id.inner.len() > chunk.depth();
    let element = chunk.element();
    let at = chunk.shown().and_then(|shown| match element {
        Some(element) => Some(shown.in_array(&element)),
        None if deeper => None,
        // What is empty, or could not be decoded, is still somewhere.
        None => Some(starts(&shown.chunk.region)),
    });
    chunk.landing = at.map(Landing::Array);
    shared.go_to_chunk(id);
}
