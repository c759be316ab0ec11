//! The digest of what an array contains, block by block.

use crate::cli::prelude::*;
use crate::zarr::{
    canonical::{Canonical, Rendered},
    data_type::PaddedBytes,
    digest::{BLOCK, BlockHash, Content},
};
use rayon::iter::{IntoParallelIterator, ParallelIterator};

/// The number of elements that are hashed at a time: few enough to stay in the cache next to the processor.
const HASHED: u64 = 1 << 12;

/// A block all of whose elements are a hole of a sparse file, before its number, and how many runs of it nobody can tell.
type Hole = OnceLock<(BlockHash, usize)>;

/// A stretch of elements: a block, hashed already, or a part of one.
#[derive(Default)]
struct HashedStretch {
    rendered: Rendered,
    hashed: Option<BlockHash>,
    /// The number of elements that are not rendered, because all of them are the fill value.
    missing: u64,
    /// The number of runs of elements that nobody can tell.
    unknown: usize,
}

impl Clone for HashedStretch {
    /// Memory of its own, for another thread.
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl HashedStretch {
    /// Takes in elements of a slab; hashes them, if they are a block.
    fn take(&mut self, canonical: &Canonical, slab: &Slab, elements: Range<u64>, hole: &Hole) {
        let count = elements.end - elements.start;
        let is_block = count == BLOCK;
        let is_hole = is_block && slab.is_hole(elements.clone());
        if let Some((hashed, unknown)) = hole.get().filter(|_| is_hole) {
            (self.unknown, self.hashed, self.missing) = (*unknown, Some(hashed.clone()), 0);
            return;
        }
        let step = if is_block { HASHED } else { BLOCK };
        (self.unknown, self.hashed, self.missing) = (0, is_block.then(BlockHash::default), 0);
        if !is_block && canonical.fill().is_some() && slab.is_missing(elements.clone()) {
            self.rendered.clear();
            self.missing = count;
            return;
        }
        let mut start = elements.start;
        while start < elements.end {
            let end = elements.end.min(start + step);
            self.rendered.clear();
            canonical.render(slab, start..end, &mut self.rendered);
            self.unknown += self.rendered.unknown.len();
            if let Some(block) = &mut self.hashed {
                block.add(&self.rendered.bytes);
            }
            start = end;
        }
        if let Some(hashed) = self.hashed.as_ref().filter(|_| is_hole) {
            // Another thread may have been first, with the same.
            let _ = hole.set((hashed.clone(), self.unknown));
        }
    }
}

/// The sum of elements.
#[derive(Default)]
pub(super) struct Summed {
    pub(super) sum: Content,
    /// The number of stretches of elements that nobody can tell.
    pub(super) unknown: usize,
    pub(super) report: Unread,
}

impl Summed {
    /// Takes in what other elements sum up to.
    pub(super) fn add(&mut self, other: Self) {
        self.sum = self.sum.plus(other.sum);
        self.unknown += other.unknown;
        self.report.merge(other.report);
    }

    /// The digest of an array all of whose elements were added; `None` where some of them are not known, which is said
    /// on stderr.
    pub(super) fn finish(self, array: &ReadArray, path: &NodePath) -> (Option<String>, ExitStatus) {
        let reader = &array.reader;
        let verdict = self.report.conclude(reader.fill().is_none(), &safe(&path.0));
        let data_type = &reader.resolved().data_type;
        let data_type = data_type.to_v3().unwrap_or_else(|_| data_type.name().into());
        let known = self.report.failed() == 0 && self.unknown == 0;
        (known.then(|| self.sum.finish(&data_type, reader.shape())), verdict)
    }
}

/// The stretches of whole blocks in which anything of an array is stored, in order. All of it where that would be found
/// out chunk by chunk.
pub(super) fn stored_stretches(array: &ReadArray) -> Vec<Range<u64>> {
    let reader = &array.reader;
    let stored = reader.fill().and_then(|_| StoredChunks::of(array));
    let all = 0..array::len(&reader.whole()).unwrap_or(u64::MAX);
    stored.map_or_else(|| vec![all], |stored| stored.stretches(reader, BLOCK))
}

/// The blocks of the elements `range`, which begins with a block, summed up: those in `stretches` are read, the others
/// are the fill value.
pub(super) fn content(
    array: &ReadArray,
    stretches: &[Range<u64>],
    range: Range<u64>,
) -> Result<Summed, Failure> {
    let (reader, resolved) = (&array.reader, array.reader.resolved());
    let canonical = Canonical::new(resolved.data_type.as_ref(), &resolved.order, reader.fill());
    let filled = Filled { fill: canonical.fill(), block: OnceLock::new() };
    let mut progress = Progress::new(range.end - range.start, "elements");
    let (mut summed, mut at) = (Summed::default(), range.start);
    let after = stretches.partition_point(|stretch| stretch.end <= range.start);
    for stretch in stretches.iter().skip(after).take_while(|stretch| stretch.start < range.end) {
        let stretch = stretch.start.max(at)..stretch.end.min(range.end);
        summed.sum = summed.sum.plus(filled.sum(at..stretch.start));
        progress.advance(stretch.start - at);
        at = stretch.end;
        summed.add(blocks(array, &canonical, stretch, &mut progress)?);
    }
    summed.sum = summed.sum.plus(filled.sum(at..range.end));
    Ok(summed)
}

/// Blocks of elements all of which are the fill value.
struct Filled<'a> {
    fill: Option<&'a PaddedBytes>,
    /// A whole one, before its number.
    block: OnceLock<BlockHash>,
}

impl Filled<'_> {
    /// The sum of the blocks of these elements.
    fn sum(&self, elements: Range<u64>) -> Content {
        let whole = elements.start / BLOCK..elements.end / BLOCK;
        let rest = elements.end % BLOCK;
        let sum = whole
            .clone()
            .into_par_iter()
            .map(|number| self.block.get_or_init(|| self.of(BLOCK)).clone().finish(number))
            .reduce(Content::default, Content::plus);
        if elements.is_empty() || rest == 0 {
            sum
        } else {
            sum.plus(self.of(rest).finish(whole.end))
        }
    }

    fn of(&self, elements: u64) -> BlockHash {
        let mut block = BlockHash::default();
        if let Some(fill) = self.fill {
            block.add_padded(fill, elements);
        }
        block
    }
}

/// The blocks of the elements `range`, which begins with a block, read and summed up.
pub(super) fn blocks(
    array: &ReadArray,
    canonical: &Canonical,
    range: Range<u64>,
    progress: &mut Progress,
) -> Result<Summed, Failure> {
    let (len, first) = (range.end - range.start, range.start / BLOCK);
    let hole = Hole::new();
    let (mut sum, mut open, mut unknown) = (Content::default(), BlockHash::default(), 0);
    let report = array.stream(
        &array::boxes(array.reader.shape(), range),
        |slab, elements, stretch: &mut HashedStretch| {
            stretch.take(canonical, slab, elements, &hole);
        },
        |stretch, elements| {
            unknown += stretch.unknown;
            progress.advance(elements.end - elements.start);
            match (stretch.hashed.take(), canonical.fill()) {
                (Some(block), _) => open = block,
                (None, Some(fill)) if stretch.missing > 0 => open.add_padded(fill, stretch.missing),
                (None, _) => open.add(&stretch.rendered.bytes),
            }
            if elements.end.is_multiple_of(BLOCK) || elements.end == len {
                sum = sum.plus(mem::take(&mut open).finish(first + elements.start / BLOCK));
            }
            Ok(())
        },
    )?;
    Ok(Summed { sum, unknown, report })
}
