//! Places to come back to, and where to start.

use super::prelude::*;

/// A place: a node, a view, a chunk and a byte in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JumpPlace {
    /// The node.
    pub node: NodePath,
    /// The view.
    pub view: View,
    /// The chunk.
    pub chunk: ChunkId,
    /// The stage.
    pub stage: usize,
    /// The byte of the stage.
    pub cursor: u64,
}

/// The place at which the program starts.
#[derive(Clone, Default)]
pub struct Start {
    /// The node.
    pub node: NodePath,
    /// The chunk, where one is named.
    pub chunk: Option<ChunkId>,
    /// The place in the chunk or the array, if it is given.
    pub landing: Option<Landing>,
}

/// A node that is gone to, and what is to be done there once it is selected and read.
#[derive(Clone)]
pub struct PendingVisit {
    /// The node.
    pub node: NodePath,
    /// The purpose of the visit.
    pub purpose: Purpose,
    /// True if the tree looks for the node already.
    pub is_on_the_way: bool,
}

/// The purpose of a visit to a node.
#[derive(Clone, PartialEq, Eq)]
pub enum Purpose {
    /// Nothing but to look at it.
    Look,
    /// To show the chunk and the place that the program was started with.
    Start(Option<ChunkId>, Option<Landing>),
    /// To show the chunk with this key below the array, and this byte of its file.
    Key(String, Option<u64>),
    /// To read the array so.
    ReadAs(WhatIf),
    /// To come back to a place.
    JumpPlace(JumpPlace),
}

/// The jump list.
#[derive(Clone, Default)]
pub struct Jumps {
    back: Vec<JumpPlace>,
    forth: Vec<JumpPlace>,
}

/// The number of places remembered.
const MOST: usize = 100;

impl Jumps {
    /// Remembers the place that is about to be left.
    pub fn leave(&mut self, place: JumpPlace) {
        self.forth.clear();
        if self.back.last() != Some(&place) {
            self.back.push(place);
        }
        if self.back.len() > MOST {
            self.back.remove(0);
        }
    }

    /// The place before the last jump.
    pub fn back(&mut self, here: JumpPlace) -> Option<JumpPlace> {
        let place = self.back.pop()?;
        self.forth.push(here);
        Some(place)
    }

    /// The place that was left by going back.
    pub fn forth(&mut self, here: JumpPlace) -> Option<JumpPlace> {
        let place = self.forth.pop()?;
        self.back.push(here);
        Some(place)
    }
}

/// The place after `#`: `e40`, `[1,7]`, `0x1f`.
pub fn landing(text: &str) -> Option<Landing> {
    if let Some(index) = text.strip_prefix('e') {
        return index.trim().parse().ok().map(Landing::Element);
    }
    if let Some(hex) = text.strip_prefix("0x") {
        return u64::from_str_radix(hex, 16).ok().map(Landing::Byte);
    }
    coordinates(text).map(Landing::Array)
}

/// Coordinates as people write them: `[1,7]`, `[]`.
pub fn coordinates(text: &str) -> Option<Vec<u64>> {
    let inner = text.trim().strip_prefix('[')?.strip_suffix(']')?.trim();
    if inner.is_empty() {
        return Some(Vec::new());
    }
    inner.split(',').map(|part| part.trim().parse().ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(cursor: u64) -> JumpPlace {
        JumpPlace {
            node: NodePath("a".into()),
            view: View::Chunks,
            chunk: ChunkId::default(),
            stage: 0,
            cursor,
        }
    }

    #[test]
    fn jumps_go_back_and_forth() {
        let mut jumps = Jumps::default();
        jumps.leave(place(1));
        jumps.leave(place(2));
        jumps.leave(place(2));
        assert_eq!(jumps.back(place(3)), Some(place(2)));
        assert_eq!(jumps.back(place(2)), Some(place(1)));
        assert_eq!(jumps.back(place(1)), None);
        assert_eq!(jumps.forth(place(1)), Some(place(2)));
        assert_eq!(jumps.forth(place(2)), Some(place(3)));
    }

    #[test]
    fn the_oldest_places_are_forgotten() {
        let mut jumps = Jumps::default();
        (0..MOST as u64 + 7).for_each(|cursor| jumps.leave(place(cursor)));
        let mut here = place(u64::MAX);
        let mut back = Vec::new();
        while let Some(before) = jumps.back(here) {
            back.push(before.cursor);
            here = before;
        }
        assert_eq!((back.len(), back.last()), (MOST, Some(&7)));
    }

    #[test]
    fn places_in_a_chunk_are_read() {
        assert_eq!(landing("e40"), Some(Landing::Element(40)));
        assert_eq!(landing("0x1f"), Some(Landing::Byte(31)));
        assert_eq!(landing("[1, 7]"), Some(Landing::Array(vec![1, 7])));
        assert_eq!(landing("[]"), Some(Landing::Array(vec![])));
        assert_eq!(landing("x"), None);
    }
}
