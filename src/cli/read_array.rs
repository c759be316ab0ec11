//! An array or a chunk for a command: its elements in C order, or chunk by chunk, read on all cores.

use super::prelude::*;
use crate::{
    worker::parallel::{self, Order, Task},
    zarr::{
        budget::{Memory, Stop},
        chunk,
    },
};
use rayon::prelude::*;
use std::sync::atomic::{AtomicU64, Ordering};

/// The number of elements that are rendered in one go: the block of a digest.
const PIECE: u64 = digest::BLOCK;

/// The size of elements that are rendered one by one, in bytes.
const LONG: u64 = 1 << 16;

/// An array that a command reads.
pub(super) struct ReadArray<'a> {
    /// The array.
    pub(super) reader: ArrayReader<'a>,
    array: &'a ArrayMetadata,
    limit: u64,
    /// The memory for decoding: one half of what there is. The other half is for what was decoded and waits for its
    /// turn.
    memory: Memory,
}

/// The chunks that could not be read on the way.
#[derive(Default)]
pub(super) struct Unread {
    /// The first chunks that could not be read, and why.
    pub(super) failures: Vec<(ChunkId, Error)>,
    /// All of them: a large chunk is read in parts, and fails in each.
    failed: HashSet<ChunkId>,
    /// The number of chunks that are missing.
    pub(super) missing: u64,
}

impl<'a> ReadArray<'a> {
    /// Gets ready to read `opened`, within the limits of `output`.
    ///
    /// # Errors
    ///
    /// If shape, grid, data type or codecs are not understood, or chunk data must not be shown.
    pub(super) fn new(opened: &'a OpenedArray, output: &Output) -> Result<Self> {
        Self::of(opened.hierarchy.store.as_ref(), &opened.path, &opened.metadata, output)
    }

    /// The same for an array that was found elsewhere.
    ///
    /// # Errors
    ///
    /// As [`Self::new`].
    pub(super) fn of(
        store: &'a dyn Store,
        path: &'a NodePath,
        array: &'a ArrayMetadata,
        output: &Output,
    ) -> Result<Self> {
        let reader = ArrayReader::new(store, path, array)?.verifying();
        let memory = Memory::new(output.memory().most() / 2);
        Ok(Self { reader, array, limit: output.max_decoded(), memory })
    }

    /// The region of the chunk that `key` names, or else of `chunk`, or else of the whole array.
    ///
    /// # Errors
    ///
    /// If `key` names no chunk of this array.
    pub(super) fn select(&self, key: Option<&str>, chunk: Option<&ChunkId>) -> Result<Region> {
        let id = match key {
            Some(text) => Some(ChunkId::parse(text, self.array)?),
            None => chunk.cloned(),
        };
        id.map_or_else(|| Ok(self.reader.whole()), |id| chunk::region(self.array, &id))
    }

    /// Goes through `regions`, which follow each other in C order, by stretches, each of which is cut where its number
    /// of elements from the start of the first region is a multiple of [`PIECE`], very long elements one by one: `render` makes something of a stretch
    /// of a slab, on any core, in memory that was used before; `write` gets it in order, with the stretch counted from
    /// the start of the first region.
    ///
    /// # Errors
    ///
    /// Streams the output of `write`.
    pub(super) fn stream<T: Default + Clone + Send>(
        &self,
        regions: &[Region],
        render: impl Fn(&Slab, Range<u64>, &mut T) + Sync,
        mut write: impl FnMut(&mut T, Range<u64>) -> Printed,
    ) -> Result<Unread, Failure> {
        // A few stretches at a time, so that rendered text does not outgrow the slab; always the same memory for them.
        let mut buffers = vec![T::default(); 4 * rayon::current_num_threads()];
        let mut report = Unread::default();
        let piece = if self.reader.item_size() > LONG { 1 } else { PIECE };
        let mut start = 0;
        let mut each = |(region, pieces): LoadedSlab| {
            for (piece, data) in &pieces {
                report.add(piece, data);
            }
            let mut slab = Slab::new(region, pieces);
            for stretches in stretches(start, slab.len(), piece).chunks(buffers.len()) {
                loop {
                    buffers
                        .par_iter_mut()
                        .zip(stretches)
                        .for_each(|(buffer, stretch)| render(&slab, stretch.clone(), buffer));
                    // What was rendered of a file that was cut meanwhile is not written.
                    if !report.drop_lost(&mut slab, &self.reader) {
                        break;
                    }
                }
                for (stretch, buffer) in stretches.iter().zip(&mut buffers) {
                    write(buffer, start + stretch.start..start + stretch.end)?;
                }
            }
            start += slab.len();
            Ok(())
        };
        for region in regions {
            self.slabs(region, &mut each)?;
        }
        Ok(report)
    }

    /// The number of its elements, which a pass counts in 64 bits; an error that says what it is `wanted` for where
    /// there are more.
    pub(super) fn elements(&self, wanted: &str) -> Result<u64, Error> {
        array::len(&self.reader.whole()).ok_or_else(|| {
            let found = format!("{} elements", times(self.reader.shape()));
            let most = format!("2^64 - 1 elements {wanted}");
            Error::new(Code::ShapeTooLarge, found, most)
        })
    }

    /// Does `work` for pieces of the array, on all cores; `each` gets what came of it, in the order of the pieces,
    /// until it gives `false`.
    pub(super) fn pieces<R: Send>(
        &self,
        pieces: impl Iterator<Item = Piece>,
        work: impl Fn(&Piece, PieceData) -> R + Sync,
        each: impl FnMut(R) -> bool,
    ) {
        let work = |piece: Piece, _: Stop<'_>| {
            let budget = Budget::default().with_limit(self.limit).with_memory(&self.memory);
            work(&piece, self.reader.load_in_place(&piece, &budget))
        };
        let tasks = pieces.map(|piece| Task { cost: piece.cost, piece });
        parallel::run(tasks, (self.memory.most(), Order::AsGiven), work, each);
    }

    /// The bytes that a slab may have where nothing else is decoded.
    pub(super) fn slab_memory(&self) -> u64 {
        self.memory.most() / 2
    }

    /// The slab of `region`, its pieces read on all cores.
    pub(super) fn slab(&self, region: &Region, report: &mut Unread) -> Slab {
        let slab =
            parallel::slab(&self.reader, region, (self.limit, Some(&self.memory), &|| false));
        for (piece, data) in slab.pieces() {
            report.add(piece, data);
        }
        slab
    }

    /// Calls `each` with every slab of `region`, in C order, its pieces read on all cores.
    fn slabs(&self, region: &[Range<u64>], each: &mut dyn FnMut(LoadedSlab) -> Printed) -> Printed {
        let most = self.memory.most();
        let held = AtomicU64::new(0);
        let load = |(slab, piece): (Region, Piece), stop: Stop<'_>| {
            let budget = Budget::default().with_limit(self.limit).with_memory(&self.memory);
            let mut data = self.reader.load(&piece, &budget.with_stop(stop));
            let more = unforeseen(&piece, &data);
            if more > 0 && held.fetch_add(more, Ordering::Relaxed) + more > most {
                held.fetch_sub(more, Ordering::Relaxed);
                data = PieceData::Unreadable(too_many(self.reader.key(&piece.chunk), most));
            }
            (slab, piece, data)
        };
        let mut each = |slab: LoadedSlab| {
            let more: u64 = slab.1.iter().map(|(piece, data)| unforeseen(piece, data)).sum();
            let done = each(slab);
            held.fetch_sub(more, Ordering::Relaxed);
            done
        };
        let tasks = self.reader.slabs(region, most).flat_map(|slab| {
            let pieces = self.reader.pieces_of_slab(&slab);
            pieces.map(move |piece| Task { cost: piece.cost, piece: (slab.clone(), piece) })
        });
        let (mut loaded, mut done) = (LoadedSlab::default(), Ok(()));
        parallel::run(tasks, (most, Order::AsGiven), load, |(of, piece, data)| {
            if loaded.0 != of && !loaded.1.is_empty() {
                done = each(mem::take(&mut loaded));
            }
            loaded.0 = of;
            loaded.1.push((piece, data));
            done.is_ok()
        });
        if done.is_ok() && !loaded.1.is_empty() { each(loaded) } else { done }
    }
}

/// The stretches, of at most `piece` elements, of a slab of `len` elements that begins at element `start`, counted from the start of the slab.
fn stretches(start: u64, len: u64, piece: u64) -> Vec<Range<u64>> {
    let first = start / piece * piece;
    let cuts = (first..start + len).step_by(to_usize(piece));
    cuts.map(|at| at.max(start) - start..(at + piece).min(start + len) - start).collect()
}

/// A slab with what was read of its pieces.
type LoadedSlab = (Region, Vec<(Piece, PieceData)>);

/// The bytes that were read of `piece` and were not foreseen: those of elements that vary in length.
fn unforeseen(piece: &Piece, data: &PieceData) -> u64 {
    let PieceData::Stored(elements) = data else { return 0 };
    (elements.bytes().here().len() as u64).saturating_sub(piece.cost)
}

/// The error that a chunk does not fit beside those whose values come before or among its own.
fn too_many(key: String, most: u64) -> Error {
    let found = "more decoded bytes than the memory limit allows, together with other chunks needed at the same time";
    let error = Error::new(Code::NoMemory, found, format!("{most} bytes"));
    error.in_file(key).with_fix("Raise the limit with --max-memory.")
}

impl Unread {
    /// The number of failures that are remembered: every one is counted.
    const REMEMBERED: usize = 20;

    /// The number of chunks that could not be read.
    pub(super) fn failed(&self) -> u64 {
        self.failed.len() as u64
    }

    /// All chunks that could not be read.
    pub(super) fn all_failed(&self) -> impl Iterator<Item = &ChunkId> {
        self.failed.iter()
    }

    /// Says on stderr what could not be read, and how the command went.
    pub(super) fn conclude(&self, no_fill: bool, name: &str) -> ExitStatus {
        for (_, error) in &self.failures {
            output::complain(&error);
        }
        let unnamed = self.failed().saturating_sub(self.failures.len() as u64);
        if unnamed > 0 {
            let more = counted(unnamed, "more chunk");
            output::complain(&format!("{more} could not be read"));
        }
        let undefined = no_fill && self.missing > 0;
        if undefined {
            let missing = counted(self.missing, "chunk");
            output::complain(&format!(
                "{name}: not stored and without a fill value to print: {missing}"
            ));
        }
        ExitStatus::flawed_if(undefined || self.failed() > 0)
    }

    /// Takes in what could not be read elsewhere.
    pub(super) fn merge(&mut self, other: Self) {
        self.missing += other.missing;
        for (chunk, error) in other.failures {
            self.fail(chunk, Some(error));
        }
        self.failed.extend(other.failed);
    }

    fn add(&mut self, piece: &Piece, data: &PieceData) {
        match data {
            // A chunk may be read in several pieces; one of them has its first element.
            PieceData::Missing => {
                let start = piece.region.iter().map(|range| range.start);
                self.missing += u64::from(start.eq(piece.origin()));
            }
            PieceData::Stored(_) => {}
            PieceData::Unreadable(error) => self.fail(piece.chunk.clone(), Some(error.clone())),
        }
    }

    /// Drops the pieces of `slab` whose files were cut or written to since. True if there are any: what was made of the
    /// slab must be made again.
    pub(super) fn drop_lost(&mut self, slab: &mut Slab, reader: &ArrayReader) -> bool {
        let lost = slab.drop_lost();
        let is_lost = !lost.is_empty();
        for (piece, error) in lost {
            self.fail(piece.chunk.clone(), Some(error.in_file(reader.key(&piece.chunk))));
        }
        is_lost
    }

    /// Takes in a chunk that could not be read, and why if that may be told.
    pub(super) fn fail(&mut self, chunk: ChunkId, error: Option<Error>) {
        let is_new = self.failed.insert(chunk.clone());
        if let Some(error) = error.filter(|_| is_new && self.failures.len() < Self::REMEMBERED) {
            self.failures.push((chunk, error));
        }
    }
}
