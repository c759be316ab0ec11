//! Going from place to place: nodes, chunks, elements, problems, and back.

use super::{
    App, Focus, View,
    action::Direction,
    chunks::{Landing, nesting},
    jumps::{Location, PendingVisit, Purpose},
    problems::is_document,
};
use crate::zarr::{NodePath, grid::ChunkId, text::safe};

impl App {
    /// Shows another chunk, the place being remembered.
    pub(super) fn go_to_chunk(&mut self, id: ChunkId) {
        self.restore_stage();
        if id != self.chunks.id {
            self.remember();
            self.chunks.id = id;
            self.load_chunk();
        }
    }

    /// Shows the chunk at these coordinates of the grid; of a shard its first inner chunk, or the shard as a whole.
    pub(super) fn go_to_coordinates(&mut self, coordinates: Vec<u64>) {
        if coordinates == self.chunks.id.coordinates {
            return;
        }
        self.chunks.id.coordinates = coordinates;
        for inner in &mut self.chunks.id.inner {
            inner.fill(0);
        }
        self.load_chunk();
    }

    /// Goes to the element at these coordinates of the array; what is wrong with them, if something is.
    pub(super) fn go_to_element(&mut self, at: Vec<u64>) -> Result<(), String> {
        let (_, array) = self.chunks.array.clone().ok_or("this node is no array")?;
        let (Ok(_), Ok(shape)) = (&array.grid, &array.shape) else {
            return Err("the chunk grid of this array cannot be read".into());
        };
        if at.len() != shape.len() {
            let (found, wanted) = (at.len(), shape.len());
            return Err(format!(
                "{found} coordinates given, and the array has {wanted} dimensions"
            ));
        }
        if at.iter().zip(shape).any(|(at, len)| at >= len) {
            return Err(format!("{at:?} is outside the array, whose shape is {shape:?}"));
        }
        let mut id = self.chunks.inner_of(&at).ok_or("no chunk holds this element")?;
        // Where whole shards are on show as elements, they stay whole.
        if self.chunks.shown().is_some_and(|shown| shown.chunk.elements().is_some()) {
            id.inner.truncate(self.chunks.depth());
        }
        self.remember();
        self.look_into_chunk();
        self.chunks.landing = Some(Landing::Array(at));
        if id == self.chunks.id && self.chunks.shown().is_some() {
            self.chunks.land();
        } else {
            self.chunks.id = id;
            self.load_chunk();
        }
        Ok(())
    }

    /// Shows the chunk: as a picture where that is on show, else as bytes and values.
    pub(super) fn look_into_chunk(&mut self) {
        if self.view != View::Picture {
            self.view = View::Chunks;
        }
        self.focus = Focus::View;
    }

    pub(super) fn step_chunk(&mut self, way: Direction) {
        match self.chunks.neighbour(way) {
            Some(id) => self.go_to_chunk(id),
            None => self.end_of_chunks(way),
        }
    }

    fn end_of_chunks(&mut self, way: Direction) {
        self.restore_stage();
        let word = if way == Direction::Next { "last" } else { "first" };
        self.say(format!("this is the {word} chunk"));
    }

    pub(super) fn step_missing(&mut self, way: Direction) {
        if let Some(id) = self.chunks.empty_neighbour(way) {
            return self.go_to_chunk(id);
        }
        let from = &self.chunks.id.coordinates;
        let forwards = way == Direction::Next;
        let found = self.chunks.presence.next_missing(from, &self.chunks.counts, forwards);
        self.go_to_found(found, "missing");
    }

    pub(super) fn step_stored(&mut self, way: Direction) {
        let from = &self.chunks.id.coordinates;
        let found = self.chunks.presence.next_stored(from, way == Direction::Next);
        self.go_to_found(found, "stored");
    }

    /// Shows the chunk at these coordinates; where there are none, says that there is no chunk that is `what`.
    fn go_to_found(&mut self, found: Option<Vec<u64>>, what: &str) {
        if let Some(coordinates) = found {
            self.go_to_chunk(self.as_deep(coordinates));
        } else {
            self.restore_stage();
            let so_far =
                if self.chunks.presence.complete { "" } else { ", as far as is known yet" };
            self.say(format!("no {what} chunk that way{so_far}"));
        }
    }

    /// The first chunk at these coordinates of the grid that lies as deep in its shard as the one on show.
    fn as_deep(&self, coordinates: Vec<u64>) -> ChunkId {
        let mut inner = nesting::first(&self.chunks.levels_at(&coordinates));
        inner.truncate(self.chunks.depth());
        ChunkId { coordinates, inner }
    }

    pub(super) fn step_damaged(&mut self, way: Direction) {
        let here = &self.chunks.id.coordinates;
        let damaged = &self.chunks.presence;
        let found = match way {
            Direction::Next => damaged.damaged().find(|at| *at > here),
            Direction::Previous => damaged.damaged().rfind(|at| *at < here),
        };
        if let Some(coordinates) = found.cloned() {
            self.go_to_chunk(self.as_deep(coordinates));
        } else {
            self.restore_stage();
            self.say("no damaged chunk is known that way; view 5 checks them all");
        }
    }

    pub(super) fn go_to_node(&mut self, path: &NodePath) {
        self.remember();
        self.reveal(path);
    }

    pub(super) fn go_to_problem(&mut self) {
        let Some((mut path, problem)) = self.problems.selected().cloned() else { return };
        let file = problem.error.place.file.clone().unwrap_or_default();
        let name = file.rsplit('/').next().unwrap_or_default();
        let in_document = match name {
            "" => problem.error.place.field.is_some(),
            _ => is_document(&file),
        };
        // A fault of consolidated metadata is a node's, and stands in the document of the group that has the copies.
        if in_document && !name.is_empty() {
            path = NodePath(file.rsplit_once('/').map_or("", |(folder, _)| folder).to_owned());
        }
        self.go_to_node(&path);
        self.view = if in_document { View::Metadata } else { View::Chunks };
        self.focus = Focus::View;
        self.pending_place = in_document.then(|| problem.error.place.clone());
        if !in_document {
            let key = file.strip_prefix(&path.0).unwrap_or(&file).trim_start_matches('/');
            self.send(PendingVisit { node: path, purpose: Purpose::Key(key.to_owned()) });
        }
    }

    /// Shows the chunk under `key`, which is below the array; what is wrong with it, if something is.
    pub(super) fn go_to_key(&mut self, key: &str) -> Result<(), String> {
        let (path, array) = self.chunks.array.clone().ok_or("this node is no array")?;
        let key = key.strip_prefix(&format!("{}/", path.0)).unwrap_or(key);
        let (Ok(encoding), Ok(shape)) = (&array.key_encoding, &array.shape) else {
            return Err("the chunk keys of this array cannot be read".into());
        };
        let example = encoding.key(&vec![0; shape.len()]);
        let (key, inner) =
            key.split_once('@').map_or((key, None), |(key, inner)| (key, Some(inner)));
        let coordinates = encoding.parse(key, shape.len()).ok_or_else(|| {
            format!("{} is no chunk key here: they look like {example}", safe(key))
        })?;
        if coordinates.iter().zip(&self.chunks.counts).any(|(at, count)| at >= count) {
            return Err(format!("the chunk grid of this array is {:?}", self.chunks.counts));
        }
        let levels = self.chunks.levels_at(&coordinates);
        let inner = match inner {
            None => nesting::first(&levels),
            Some(inner) => {
                let id = ChunkId::parse(&format!("{key}@{inner}"), &array);
                let id = id.map_err(|error| safe(&error.to_string()).into_owned())?;
                nesting::inside(&id.inner, &levels)?;
                id.inner
            }
        };
        self.look_into_chunk();
        self.go_to_chunk(ChunkId { coordinates, inner });
        Ok(())
    }

    /// Where we are.
    fn here(&self) -> Location {
        Location {
            node: self.node_path(),
            view: self.view,
            chunk: self.chunks.id.clone(),
            stage: self.chunks.stage,
            cursor: self.chunks.cursor,
        }
    }

    pub(super) fn remember(&mut self) {
        let here = self.here();
        self.jumps.leave(here);
    }

    pub(super) fn jump(&mut self, way: Direction) {
        let here = self.here();
        let place = match way {
            Direction::Previous => self.jumps.back(here),
            Direction::Next => self.jumps.forth(here),
        };
        let Some(place) = place else {
            return self.say("no further place to go to");
        };
        self.view = place.view;
        self.send(PendingVisit { node: place.node.clone(), purpose: Purpose::Location(place) });
    }
}
