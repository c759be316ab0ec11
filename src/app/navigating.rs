//! Going from place to place: nodes, chunks, elements, problems, and back.

use super::{
    App, Focus, Scroll, View, Work,
    action::{Motion, PictureAction, Step},
    chunks::Landing,
    datatype::DataTypePage,
    effect::{Effect, Lane},
    load::Load,
    metadata::MetadataPage,
    places::Place,
};
use crate::zarr::{Node, NodePath, chunk::ChunkId, hierarchy::NodeKind};
use std::sync::Arc;

impl App {
    /// Lets the views show the node under the tree's cursor.
    pub(super) fn show_selected(&mut self) {
        let Some(node) = self.tree.selected().map(|row| Arc::clone(&row.node)) else { return };
        let same = self.shown.as_ref().is_some_and(|shown| Arc::ptr_eq(shown, &node));
        if !same {
            let again = self.shown.as_ref().is_some_and(|shown| shown.path == node.path);
            self.show(&node, again);
            self.shown = Some(node);
        }
    }

    /// Makes the pages of a node. A node that was only read again keeps its chunk and its cursors.
    fn show(&mut self, node: &Arc<Node>, again: bool) {
        let array = match &node.kind {
            NodeKind::Array(array) => Some(array.as_ref()),
            NodeKind::Group(_) | NodeKind::Folder | NodeKind::Broken(_) => None,
        };
        self.data_type = DataTypePage::of(array, self.data_type.scroll);
        let before = std::mem::replace(&mut self.chunks, Self::page_of(node));
        let before = self.interrupted.take().filter(|_| again).unwrap_or(before);
        if again && array.is_none() {
            self.interrupted = Some(before);
        } else if self.chunks.inherit(before, again) {
            self.load_chunk();
        } else {
            self.picture.axes = None;
            self.picture.index = 0;
            self.drop_chunk_work();
        }
        self.watch();
    }

    /// Lays the documents of the node out, once somebody looks at them: they can be long, and a cursor that runs
    /// through the tree must not wait for them.
    pub(super) fn read_documents(&mut self) {
        let Some(node) = self.shown.clone().filter(|_| self.view == View::Metadata) else { return };
        let before = self.documents_of.replace(Arc::clone(&node));
        if before.as_ref().is_none_or(|before| !Arc::ptr_eq(before, &node)) {
            let scroll = self.metadata.scroll;
            self.metadata = MetadataPage::of(&node, self.metadata.show_other);
            if before.is_some_and(|before| before.path == node.path) {
                let last = self.metadata.len().saturating_sub(1);
                self.metadata.scroll = scroll.on(scroll.cursor().min(last));
            }
        }
        if let Some(field) = self.pending_field.take() {
            self.metadata.to_field(&field);
        }
    }

    /// Whatever is being done for the chunk of another node has become pointless.
    fn drop_chunk_work(&mut self) {
        for lane in [Lane::Load, Lane::Presence, Lane::Search] {
            if self.is_busy(lane) {
                self.cancel(lane);
            }
        }
    }

    /// Watches the documents and the chunk on show.
    pub(super) fn watch(&mut self) {
        let Some(node) = self.tree.selected().map(|row| &row.node) else { return };
        let mut keys: Vec<String> = match &node.kind {
            NodeKind::Array(array) => array.documents.iter().map(|d| d.key.clone()).collect(),
            NodeKind::Group(group) => group.documents.iter().map(|d| d.key.clone()).collect(),
            NodeKind::Folder | NodeKind::Broken(_) => ["zarr.json", ".zarray", ".zgroup"]
                .map(|name| crate::zarr::store::join(&node.path.0, name))
                .into(),
        };
        keys.extend(self.chunks.shown().map(|shown| shown.chunk.key.clone()));
        self.effects.push(Effect::Watch(keys));
    }

    /// Asks for what the view on show needs and does not have.
    pub(super) fn load_what_is_needed(&mut self) {
        if self.chunks.array.is_none() || self.tree.is_revealing() {
            return;
        }
        let wants_chunk = matches!(self.view, View::Chunks | View::Picture);
        if wants_chunk && matches!(self.chunks.load, Load::Idle) {
            self.load_chunk();
        }
        if !self.chunks.presence.complete && !self.is_busy(Lane::Presence) && wants_chunk {
            self.look_for_chunks();
        }
        if let Some(around) = self.chunks.wanted().filter(|_| !self.is_busy(Lane::Load)) {
            self.load_around(around);
        }
    }

    /// Has the slice on show counted and sampled for a view of `size`, unless it was.
    pub(super) fn look_at_slice(&mut self, size: super::Size) {
        let shown = self.chunks.shown().cloned();
        self.picture.forget(shown.as_ref());
        let Some(shown) = shown.filter(|_| self.view == View::Picture) else { return };
        let slice = self.picture.slice(&shown, size);
        if self.picture.asks_anew(&shown, &slice) {
            let before = self.picture.pictured.ready().cloned();
            self.run(Lane::Picture, Work::Picture { shown, slice, before });
        }
    }

    pub(super) fn look_for_chunks(&mut self) {
        if let Some((path, array)) = self.chunks.array.clone()
            && array.grid.is_ok()
        {
            self.run(Lane::Presence, Work::Presence(path, array));
        }
    }

    /// Loads the chunk that is asked for.
    pub(super) fn load_chunk(&mut self) {
        let same = self.chunks.shown().is_some_and(|shown| shown.chunk.id == self.chunks.id);
        if !same {
            self.chunks.load = Load::Pending;
        }
        self.load_around(self.chunks.cursor);
    }

    fn load_around(&mut self, around: u64) {
        let Some((path, array)) = self.chunks.array.clone() else { return };
        if let Some(error) = &array.refused {
            self.chunks.load = Load::Failed(error.clone());
            return;
        }
        if let Err(error) = &array.grid {
            self.chunks.load = Load::Failed(error.clone());
            return;
        }
        if let Err(error) = &array.shape {
            self.chunks.load = Load::Failed(error.clone());
            return;
        }
        let id = self.chunks.id.clone();
        let (limit, ignore_checksums) = (self.limit, self.chunks.ignore_checksums);
        self.run(Lane::Load, Work::Load { path, array, id, around, ignore_checksums, limit });
    }

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
        let (Ok(grid), Ok(shape)) = (&array.grid, &array.shape) else {
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
        let (coordinates, inside) = grid.locate(&at).ok_or("no chunk holds this element")?;
        let mut id = ChunkId { coordinates, inner: Vec::new() };
        if !self.chunks.inner_counts.is_empty()
            && let Some(outer) = grid.chunk_shape(&id.coordinates)
        {
            let inner = inside.iter().zip(outer.iter().zip(&self.chunks.inner_counts));
            let place =
                |(at, (outer, count)): (&u64, (&u64, &u64))| at / (outer / (*count).max(1)).max(1);
            id.inner = vec![inner.map(place).collect()];
        }
        self.remember();
        self.view = View::Chunks;
        self.focus = Focus::View;
        self.chunks.landing = Some(Landing::Array(at));
        self.chunks.id = id;
        self.load_chunk();
        Ok(())
    }

    pub(super) fn step_chunk(&mut self, way: Step) {
        match self.chunks.neighbour(way) {
            Some(id) => self.go_to_chunk(id),
            None => self.end_of_chunks(way),
        }
    }

    fn end_of_chunks(&mut self, way: Step) {
        self.restore_stage();
        let word = if way == Step::Next { "last" } else { "first" };
        self.say(format!("this is the {word} chunk"));
    }

    pub(super) fn step_missing(&mut self, way: Step) {
        let from = &self.chunks.id.coordinates;
        let forwards = way == Step::Next;
        let found = self.chunks.presence.next_missing(from, &self.chunks.counts, forwards);
        let inner = self.chunks.inner_counts.iter().map(|_| 0).collect();
        if let Some(coordinates) = found {
            let inner = if self.chunks.id.inner.is_empty() { Vec::new() } else { vec![inner] };
            self.go_to_chunk(ChunkId { coordinates, inner });
        } else {
            self.restore_stage();
            let so_far =
                if self.chunks.presence.complete { "" } else { ", as far as is known yet" };
            self.say(format!("no missing chunk that way{so_far}"));
        }
    }

    pub(super) fn step_damaged(&mut self, way: Step) {
        let here = &self.chunks.id.coordinates;
        let damaged = &self.chunks.presence;
        let found = match way {
            Step::Next => damaged.damaged().find(|at| *at > here),
            Step::Previous => damaged.damaged().rfind(|at| *at < here),
        };
        if let Some(coordinates) = found.cloned() {
            let inner = self.chunks.id.inner.clone();
            self.go_to_chunk(ChunkId { coordinates, inner });
        } else {
            self.restore_stage();
            self.say("no damaged chunk is known that way; view 5 checks them all");
        }
    }

    /// Selects a node and remembers where we were.
    pub(super) fn reveal(&mut self, path: &NodePath) {
        if let Some(path) = self.tree.reveal(path) {
            self.run(Lane::List, Work::List(path));
        }
    }

    pub(super) fn go_to_node(&mut self, path: &NodePath) {
        self.remember();
        self.reveal(path);
    }

    pub(super) fn go_to_problem(&mut self) {
        let Some((path, problem)) = self.problems.selected().cloned() else { return };
        self.go_to_node(&path);
        let file = problem.error.place.file.clone().unwrap_or_default();
        let name = file.rsplit('/').next().unwrap_or_default();
        let in_document = match name {
            "" => problem.error.place.field.is_some(),
            name => name == "zarr.json" || name.starts_with(".z"),
        };
        self.view = if in_document { View::Metadata } else { View::Chunks };
        self.focus = Focus::View;
        self.pending_field =
            in_document.then(|| problem.error.place.field.clone().unwrap_or_default());
        if !in_document {
            let key = file.strip_prefix(&path.0).unwrap_or(&file).trim_start_matches('/');
            self.start.node = path.clone();
            self.start.chunk = None;
            self.pending_key = Some(key.to_owned());
            self.arrive();
        }
    }

    /// Goes to the chunk or the element that was to be shown once its node is here.
    pub(super) fn arrive(&mut self) {
        self.show_selected();
        let here = self.node().is_some_and(|node| node.path == self.start.node);
        if !here {
            return;
        }
        if let Some(id) = self.start.chunk.take() {
            (self.view, self.focus) = (View::Chunks, Focus::View);
            self.chunks.id = id;
            if self.chunks.id.inner.is_empty() && !self.chunks.inner_counts.is_empty() {
                self.chunks.id.inner = vec![vec![0; self.chunks.inner_counts.len()]];
            }
            self.chunks.landing = self.start.landing.take();
            self.load_chunk();
        }
        match self.start.landing.take() {
            Some(Landing::Array(at)) => {
                if let Err(why) = self.go_to_element(at) {
                    self.fail(why);
                }
            }
            Some(landing) => {
                (self.view, self.focus) = (View::Chunks, Focus::View);
                self.chunks.landing = Some(landing);
                self.load_chunk();
            }
            None => {}
        }
        if let Some(key) = self.pending_key.take()
            && !key.is_empty()
        {
            let _ = self.go_to_key(&key);
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
        let coordinates = encoding.parse(key, shape.len()).ok_or_else(|| {
            format!(
                "{} is no chunk key here: they look like {example}",
                crate::zarr::text::safe(key)
            )
        })?;
        if coordinates.iter().zip(&self.chunks.counts).any(|(at, count)| at >= count) {
            return Err(format!("the chunk grid of this array is {:?}", self.chunks.counts));
        }
        let inner = self.chunks.inner_counts.iter().map(|_| 0).collect::<Vec<_>>();
        let inner = if inner.is_empty() { Vec::new() } else { vec![inner] };
        (self.view, self.focus) = (View::Chunks, Focus::View);
        self.go_to_chunk(ChunkId { coordinates, inner });
        Ok(())
    }

    /// Where we are.
    fn here(&self) -> Place {
        Place {
            node: self.node().map(|node| node.path.clone()).unwrap_or_default(),
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

    pub(super) fn jump(&mut self, way: Step) {
        let here = self.here();
        let place = match way {
            Step::Previous => self.jumps.back(here),
            Step::Next => self.jumps.forth(here),
        };
        let Some(place) = place else {
            return self.say("no further place to go to");
        };
        self.view = place.view;
        if self.node().is_none_or(|node| node.path != place.node) {
            self.reveal(&place.node);
            self.show_selected();
        }
        if self.chunks.array.is_some() && place.chunk.coordinates.len() == self.chunks.counts.len()
        {
            if self.chunks.id == place.chunk {
                (self.chunks.stage, self.chunks.cursor) = (place.stage, place.cursor);
            } else {
                self.chunks.landing = Some(Landing::Stage(place.stage, place.cursor));
                self.chunks.id = place.chunk;
                self.load_chunk();
            }
        }
    }

    pub(super) fn check(&mut self) {
        let path = self.node().map(|node| node.path.clone()).unwrap_or_default();
        self.problems.start(path.clone());
        self.run(Lane::Check, Work::Check { path, limit: self.limit });
    }

    pub(super) fn act_on_picture(&mut self, action: PictureAction) {
        let shape = self.chunks.shown().map(|shown| shown.chunk.shape.clone()).unwrap_or_default();
        self.picture.act(action, &shape);
    }

    pub(super) fn moved_in_picture(&mut self, motion: Motion, count: Option<u64>) {
        let Some(shape) = self.chunks.shown().map(|shown| shown.chunk.shape.clone()) else {
            return;
        };
        let (down, across) = self.picture.drawn(shape.len());
        let many = count.unwrap_or(1);
        let len = |axis: usize| shape.get(axis).copied().unwrap_or(1);
        let (y, x) = &mut self.picture.cursor;
        match motion {
            Motion::Up => *y = y.saturating_sub(many),
            Motion::Down => *y = y.saturating_add(many),
            Motion::PageUp | Motion::HalfUp => *y = y.saturating_sub(10),
            Motion::PageDown | Motion::HalfDown => *y = y.saturating_add(10),
            Motion::Left => *x = x.saturating_sub(many),
            Motion::Right => *x = x.saturating_add(many),
            Motion::RowStart => *x = 0,
            Motion::RowEnd => *x = u64::MAX,
            Motion::First => (*y, *x) = (0, 0),
            Motion::Last => (*y, *x) = (u64::MAX, u64::MAX),
        }
        *y = (*y).min(if down == across { 0 } else { len(down).saturating_sub(1) });
        *x = (*x).min(len(across).saturating_sub(1));
    }

    /// The coordinates in the chunk of the element under the picture's cursor.
    #[must_use]
    pub fn pictured(&self) -> Option<Vec<u64>> {
        self.picture.element(&self.chunks.shown()?.chunk.shape)
    }

    /// Enter in the picture: the element in hex and values.
    pub(super) fn open_pictured(&mut self) {
        let Some(at) = self.pictured() else { return };
        let Some(shown) = self.chunks.shown().cloned() else { return };
        let Some(elements) = shown.chunk.elements() else { return };
        self.remember();
        self.chunks.stage = shown.last();
        self.chunks.place(elements.byte_range(elements.position(&at)).start);
        self.view = View::Chunks;
    }

    /// The next or previous place that was searched for, in the view that has the keys.
    pub(super) fn hit(&mut self, way: Step, geometry: &super::Geometry) {
        match self.view {
            View::Metadata => {
                let height = geometry.view.rows().saturating_sub(super::copying::METADATA_FRAME);
                if !self.metadata.hit(way, height) {
                    self.fail("not found");
                }
            }
            View::Problems | View::DataType => self.hit_in_list(way),
            View::Chunks | View::Picture => self.search_chunk(way),
        }
    }

    fn hit_in_list(&mut self, way: Step) {
        let needle = self.list_needle.to_lowercase();
        let (texts, scroll): (Vec<String>, &mut Scroll) = match self.view {
            View::Problems => (
                self.problems.found.iter().map(|(_, problem)| problem.error.to_string()).collect(),
                &mut self.problems.scroll,
            ),
            _ => (
                self.data_type
                    .rows()
                    .iter()
                    .map(|row| format!("{} {} {}", row.label, row.v2, row.v3))
                    .collect(),
                &mut self.data_type.scroll,
            ),
        };
        let (from, len) = (scroll.cursor(), texts.len());
        let at = (1..=len)
            .map(|step| if way == Step::Next { from + step } else { from + len - step } % len)
            .find(|&at| texts.get(at).is_some_and(|text| text.to_lowercase().contains(&needle)));
        match at {
            Some(at) => *scroll = scroll.on(at),
            None => self.fail("not found"),
        }
    }

    pub(super) fn search_chunk(&mut self, way: Step) {
        let (Some(needle), Some(shown)) =
            (self.chunks.needle.clone(), self.chunks.shown().cloned())
        else {
            return self.fail("nothing to search for yet: / asks");
        };
        let (stage, from) = (self.chunks.stage, self.chunks.cursor);
        self.chunks.searching = Some((0, 1));
        let forwards = way == Step::Next;
        self.run(Lane::Search, Work::Search { shown, stage, from, needle, forwards });
    }
}
