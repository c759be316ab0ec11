//! Going from chunk to chunk and from element to element, and back.

use super::prelude::*;

impl Shared {
    /// Shows another chunk, the place being remembered.
    pub(super) fn go_to_chunk(&mut self, id: ChunkId) {
        if id != self.chunk.id {
            self.remember();
            self.chunk.id = id;
            self.load_chunk();
        }
    }

    /// Shows the chunk at these coordinates of the grid; of a shard its first inner chunk, or the shard as a whole.
    pub(super) fn go_to_coordinates(&mut self, coordinates: Vec<u64>) {
        if coordinates == self.chunk.id.coordinates {
            return;
        }
        self.chunk.id.coordinates = coordinates;
        for inner in &mut self.chunk.id.inner {
            inner.fill(0);
        }
        self.load_chunk();
    }

    /// Goes to the element at these coordinates of the array; what is wrong with them, if something is.
    pub(super) fn go_to_element(&mut self, at: Vec<u64>) -> Result<(), String> {
        let (_, array) = self.chunk.array.clone().ok_or("this node is not an array")?;
        let (Ok(_), Ok(shape)) = (&array.grid, &array.shape) else {
            return Err("the chunk grid of this array cannot be read".into());
        };
        if at.len() != shape.len() {
            let found = counted(at.len(), "coordinate");
            let wanted = counted(shape.len(), "dimension");
            return Err(format!("{found} for an array with {wanted}"));
        }
        if at.iter().zip(shape).any(|(at, len)| at >= len) {
            let (at, shape) = (list(&at), list(shape));
            return Err(format!("{at} is outside the array of shape {shape}"));
        }
        self.chunk.inner_of(&at).ok_or("no chunk contains this element")?;
        self.remember();
        self.look_into_chunk();
        self.put_cursor(at);
        Ok(())
    }

    /// Puts the cursor on the element at these coordinates of the array, whose chunk is loaded for that.
    pub(super) fn put_cursor(&mut self, at: Vec<u64>) {
        let Some(mut id) = self.chunk.inner_of(&at) else { return };
        // Where whole shards are on show as elements, they stay whole.
        if self.chunk.shown().is_some_and(|shown| shown.chunk.elements().is_some()) {
            id.inner.truncate(self.chunk.depth());
        }
        self.chunk.landing = Some(Landing::Array(at));
        if id == self.chunk.id && self.chunk.shown().is_some() {
            self.chunk.land();
        } else {
            self.chunk.id = id;
            self.load_chunk();
        }
    }

    /// Shows the chunk: as a picture where that is on show, else as bytes and values.
    pub(super) fn look_into_chunk(&mut self) {
        if self.view != View::Picture {
            self.view = View::Chunks;
        }
        self.shows_table = false;
        self.focus = Focus::View;
    }

    /// Shows the chunk under `key`, which is below the array; what is wrong with it, if something is.
    pub(super) fn go_to_key(&mut self, key: &str, byte: Option<u64>) -> Result<(), String> {
        let mut id = self.chunk_id(key)?;
        self.look_into_chunk();
        // The byte of a shard is one of its file, not of an inner chunk.
        if byte.is_some() {
            id.inner.clear();
        }
        self.chunk.landing = byte.map(|byte| Landing::Stage(0, byte));
        if id == self.chunk.id && self.chunk.shown().is_some() {
            self.chunk.land();
        }
        self.go_to_chunk(id);
        Ok(())
    }

    /// The chunk under `key`, which is below the array; of a shard without a name behind it, the first inner chunk.
    pub(super) fn chunk_id(&self, key: &str) -> Result<ChunkId, String> {
        let (path, array) = self.chunk.array.clone().ok_or("this node is not an array")?;
        let key = key.strip_prefix(&format!("{}/", path.0)).unwrap_or(key);
        let (Ok(encoding), Ok(shape)) = (&array.key_encoding, &array.shape) else {
            return Err("the chunk keys of this array cannot be read".into());
        };
        let example = encoding.key(&vec![0; shape.len()]);
        let (key, inner) =
            key.split_once('@').map_or((key, None), |(key, inner)| (key, Some(inner)));
        let coordinates = encoding.parse(key, shape.len()).ok_or_else(|| {
            format!("{} is not a chunk key of this array; its keys look like {example}", safe(key))
        })?;
        if coordinates.iter().zip(&self.chunk.counts).any(|(at, count)| at >= count) {
            return Err(format!("the chunk grid of this array is {}", list(&self.chunk.counts)));
        }
        let levels = self.chunk.levels_at(&coordinates);
        let inner = match inner {
            None => nesting::first(&levels),
            Some(inner) => {
                let id = ChunkId::parse(&format!("{key}@{inner}"), &array);
                let id = id.map_err(|error| safe_text(&error))?;
                nesting::inside(&id.inner, &levels)?;
                id.inner
            }
        };
        Ok(ChunkId { coordinates, inner })
    }

    /// Goes to a place in the chunk on show, or to an element of the array.
    pub(super) fn land_on(&mut self, landing: Landing) {
        if let Landing::Array(at) = landing {
            return self.go_to_element(at).unwrap_or_else(|why| self.fail(why));
        }
        let Some(shown) = self.chunk.shown().cloned() else {
            return self.fail("no chunk is open: press 2");
        };
        self.remember();
        self.look_into_chunk();
        match landing {
            Landing::Byte(byte) => {
                let len = self.chunk.data().map_or(0, Data::len);
                if byte >= len {
                    return self.fail(format!("this stage has {}", counted(len, "byte")));
                }
                self.chunk.place(byte);
            }
            Landing::Element(index) => match shown.chunk.elements() {
                Some(elements) if index < elements.len() => {
                    let at = elements.position(&elements.coordinates_of_index(index));
                    self.chunk.choose_stage(shown.last());
                    self.chunk.place(elements.byte_range(at).start);
                }
                Some(elements) => {
                    self.fail(format!("this chunk has {}", counted(elements.len(), "element")));
                }
                None => self.fail("this chunk could not be decoded to elements"),
            },
            Landing::Array(_) | Landing::AsStored(_) | Landing::Stage(..) => {}
        }
    }

    pub(super) fn jump(&mut self, way: Direction) {
        let here = self.here();
        let place = match way {
            Direction::Previous => self.jumps.back(here),
            Direction::Next => self.jumps.forth(here),
        };
        let Some(place) = place else {
            return self.say("no further place in the history");
        };
        self.view = place.view;
        self.visit(place.node.clone(), Purpose::JumpPlace(place));
    }
}
