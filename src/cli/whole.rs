//! Whole arrays in C order, block by block: chunks are decoded on all cores, and memory stays bounded.
//!
//! A block is a part of the array whose elements follow each other in C order and that is made of whole chunks where
//! they fit. While one block is written, the next one is decoded.

use super::{Failure, open::OpenedArray};
use crate::zarr::{
    ArrayMetadata, Chunk, Code, Error, NodePath, Result, Scalar,
    block::{self, Block, Part},
    bytes::Bytes,
    chunk::{self, Options},
    codec::Elements,
    data_type::Resolved,
    grid::{ChunkId, Grid, Region},
    store::Store,
    words,
};
use rayon::prelude::*;
use std::{collections::HashSet, io, ops::Range, sync::mpsc, thread};

mod split;
mod units;

use units::Units;

/// What is assumed of an element whose length varies, in bytes.
const VARYING: u64 = 64;
/// How many elements are rendered in one go.
const PIECE: u64 = 1 << 17;

/// An array that can be read as a whole.
pub(super) struct Whole<'a> {
    store: &'a dyn Store,
    path: &'a NodePath,
    array: &'a ArrayMetadata,
    shape: &'a [u64],
    units: Units,
    resolved: &'a Resolved,
    limit: u64,
}

/// What to read of an array.
pub(super) struct Selection {
    /// Which elements.
    pub(super) region: Region,
    /// The inner chunk of a shard, where only that is wanted.
    inner: Option<Chunk>,
}

impl Selection {
    /// How many elements it has.
    pub(super) fn len(&self) -> u64 {
        self.region.iter().map(|range| range.end - range.start).product()
    }
}

/// What could not be read on the way.
#[derive(Debug, Default)]
pub(super) struct Report {
    /// The chunks that could not be read, by name, and why: the first ones.
    pub(super) failures: Vec<(String, Error)>,
    /// The names of all of them: a large chunk is read in parts, and fails in each.
    failed: HashSet<String>,
    /// How many chunks are missing.
    pub(super) missing: u64,
}

impl<'a> Whole<'a> {
    /// Gets ready to read `opened`; `limit` is what one stage may give where nothing is promised, in bytes.
    ///
    /// # Errors
    ///
    /// Where shape, grid, data type or codecs are not understood, or chunk data must not be shown.
    pub(super) fn new(opened: &'a OpenedArray, limit: u64) -> Result<Self> {
        let array = &opened.metadata;
        array.refused.as_ref().map_or(Ok(()), |refused| Err(refused.clone()))?;
        array.codecs.as_ref().map_err(Clone::clone)?;
        let grid = array.grid.as_ref().map_err(Clone::clone)?;
        Ok(Self {
            store: opened.hierarchy.store.as_ref(),
            path: &opened.path,
            array,
            shape: array.shape.as_ref().map_err(Clone::clone)?,
            units: Units::of(array, grid),
            resolved: array.data_type.as_ref().map_err(Clone::clone)?,
            limit,
        })
    }

    /// The data type with the byte order of the elements.
    pub(super) fn resolved(&self) -> &Resolved {
        self.resolved
    }

    /// What missing chunks read as; `None` where nobody knows.
    pub(super) fn fill(&self) -> Option<Scalar> {
        self.array.fill_scalar()
    }

    /// The chunk that `key` names, or else `chunk`, or else the whole array.
    ///
    /// # Errors
    ///
    /// Where `key` names no chunk of this array.
    pub(super) fn select(&self, key: Option<&str>, chunk: Option<&ChunkId>) -> Result<Selection> {
        let id = match key {
            Some(text) => Some(ChunkId::parse(text, self.array)?),
            None => chunk.cloned(),
        };
        let Some(id) = id else {
            return Ok(Selection {
                region: self.shape.iter().map(|&length| 0..length).collect(),
                inner: None,
            });
        };
        let grid = self.array.grid.as_ref().map_err(Clone::clone)?;
        let region = grid
            .region(&id.coordinates, self.shape)
            .ok_or_else(|| outside(&id, grid, self.shape))?;
        if id.inner.is_empty() {
            return Ok(Selection { region, inner: None });
        }
        let chunk = self.read(&id);
        Ok(Selection { region: chunk.region.clone(), inner: Some(chunk) })
    }

    /// Bytes an element takes, or is assumed to take.
    fn item_size(&self) -> u64 {
        self.resolved.data_type.item_size().fixed().map_or(VARYING, |size| size as u64)
    }

    /// Renders `selection` in C order: `render` appends the bytes of a stretch of a block, on any core; `write` gets
    /// them in order, with how many elements they stand for.
    ///
    /// # Errors
    ///
    /// What `write` says.
    pub(super) fn stream(
        &self,
        selection: Selection,
        render: impl Fn(&Block, Range<u64>, &mut Vec<u8>) + Sync,
        mut write: impl FnMut(&[u8], u64) -> io::Result<()>,
    ) -> Result<Report, Failure> {
        let mut report = Report::default();
        // A few pieces at a time, so that rendered text does not outgrow the block; always the same memory for them.
        let mut buffers = vec![Vec::new(); 4 * rayon::current_num_threads()];
        thread::scope(|scope| {
            let (sender, receiver) = mpsc::sync_channel::<Block>(0);
            scope.spawn(move || match selection.inner {
                Some(chunk) => sender.send(Block::of_chunk(chunk)).is_ok(),
                None => {
                    self.split(&selection.region, &mut |part| sender.send(self.load(&part)).is_ok())
                }
            });
            for block in receiver {
                report.add(&block);
                let ends = (0..block.len()).step_by(usize::try_from(PIECE).unwrap_or(usize::MAX));
                let pieces: Vec<_> = ends.map(|at| at..(at + PIECE).min(block.len())).collect();
                for pieces in pieces.chunks(buffers.len()) {
                    buffers.par_iter_mut().zip(pieces).for_each(|(buffer, piece)| {
                        buffer.clear();
                        render(&block, piece.clone(), buffer);
                    });
                    for (piece, bytes) in pieces.iter().zip(&buffers) {
                        write(bytes, piece.end - piece.start)?;
                    }
                }
            }
            Ok(report)
        })
    }

    /// Decodes the chunks of a part, on all cores.
    fn load(&self, part: &Region) -> Block {
        let axes = block::axes(&self.units.grid, self.shape, part);
        let parts = block::coordinates(&axes)
            .into_par_iter()
            .map(|coordinates| self.chunk(coordinates, part));
        let parts = parts.collect();
        Block::new(part.clone(), axes, parts)
    }

    fn read(&self, id: &ChunkId) -> Chunk {
        let options = Options {
            limit: self.limit,
            around: 0,
            ignore_checksums: false,
            stop: &|| false,
            progress: &|_, _| (),
        };
        chunk::load_whole(self.store, self.path, self.array, id, &options)
    }

    fn chunk(&self, coordinates: Vec<u64>, part: &Region) -> Part {
        let chunk = self.read(&self.units.id(coordinates));
        let (key, region) = (chunk.key.clone(), chunk.region.clone());
        match Part::from(chunk) {
            Part::Stored(elements) if elements.bytes().as_whole().is_some() => {
                // Long runs of elements are quick to go through: one pass puts all in C order.
                Part::Stored(elements.in_c_order().unwrap_or(elements))
            }
            Part::Stored(elements) => self
                .window(&key, elements, &region, part)
                .unwrap_or_else(|error| Part::Unreadable(key, error)),
            other => other,
        }
    }

    /// `elements` with the bytes of `part` loaded, where a raw chunk is too large to be held.
    fn window(&self, key: &str, elements: Elements, chunk: &Region, part: &Region) -> Result<Part> {
        if elements.bytes().as_whole().is_some() {
            return Ok(Part::Stored(elements));
        }
        let local = |pick: fn(&Range<u64>, &Range<u64>) -> u64| -> Vec<u64> {
            chunk.iter().zip(part).map(|(chunk, part)| pick(chunk, part)).collect()
        };
        let first = local(|chunk, part| part.start.max(chunk.start) - chunk.start);
        let last = local(|chunk, part| part.end.min(chunk.end) - chunk.start - 1);
        let bytes = elements.byte_range(elements.position(&first)).start
            ..elements.byte_range(elements.position(&last)).end;
        if elements.bytes().get(bytes.clone()).is_some() {
            return Ok(Part::Stored(elements));
        }
        let read = self.store.read_range(key, bytes.clone())?.unwrap_or_default();
        if read.len() as u64 != bytes.end - bytes.start {
            let found = format!("{} bytes", read.len());
            let expected =
                format!("{} bytes from byte {} on", bytes.end - bytes.start, bytes.start);
            return Err(Error::new(Code::ChunkTruncated, found, expected).in_file(key));
        }
        Ok(Part::Stored(elements.over(Bytes::window(read, bytes.start, elements.bytes().len()))))
    }
}

fn outside(id: &ChunkId, grid: &Grid, shape: &[u64]) -> Error {
    let expected = format!("a chunk of the grid, which has {}", words::times(&grid.counts(shape)));
    Error::new(Code::ChunkOutside, words::list(&id.coordinates), expected)
}

impl Report {
    /// How many failures are remembered: every one is counted.
    const REMEMBERED: usize = 20;

    /// How many chunks could not be read.
    pub(super) fn failed(&self) -> u64 {
        self.failed.len() as u64
    }

    fn add(&mut self, block: &Block) {
        for part in block.parts() {
            match part {
                Part::Missing => self.missing += 1,
                Part::Stored(_) => {}
                Part::Unreadable(key, error) => {
                    let is_new = self.failed.insert(key.clone());
                    if is_new && self.failures.len() < Self::REMEMBERED {
                        self.failures.push((key.clone(), error.clone()));
                    }
                }
            }
        }
    }
}
