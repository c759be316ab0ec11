//! Elements by blocks: each step over one is a loop over plain numbers, which compilers make vector instructions of.

use super::{
    look::{Class, ComplexPart, Look},
    word::{NumberWord, Word},
};
#[cfg(target_arch = "x86_64")]
use fearless_simd::{Level, Simd};

/// The number of elements of a block: few enough to stay in the cache next to the processor.
pub(super) const BLOCK: usize = 1024;

/// The number of figures that are added up side by side, so that none waits for the one before it.
const LANES: usize = 8;

/// Elements of a primitive type that follow each other, and what is known of their column.
#[derive(Clone, Copy)]
pub(super) struct ElementRun<'a, W> {
    /// The position of the first one.
    pub(super) first: u64,
    /// Their values.
    pub(super) words: &'a [W],
    /// The fill value.
    pub(super) fill: Option<W>,
    /// The values that attributes mark as missing.
    pub(super) masks: &'a [W],
    /// The part of a complex number that is asked for.
    pub(super) part: ComplexPart,
    /// From which rank on numbers are counted.
    pub(super) origin: Option<i64>,
}

/// Sees the elements of a column go by.
pub(super) trait See {
    /// Takes in numbers that follow each other.
    fn block<W: NumberWord>(&mut self, block: &ElementRun<'_, W>);

    /// Takes in the element at `position`.
    fn look(&mut self, position: u64, look: Look);
}

impl<F: FnMut(u64, Look)> See for F {
    fn block<W: NumberWord>(&mut self, block: &ElementRun<'_, W>) {
        block.looks().for_each(|(position, look)| self(position, look));
    }

    fn look(&mut self, position: u64, look: Look) {
        self(position, look);
    }
}

impl<W: Word> ElementRun<'_, W> {
    /// The look of each element, and its position.
    pub(super) fn looks(&self) -> impl Iterator<Item = (u64, Look)> {
        (self.first..).zip(self.words).map(|(position, &word)| (position, self.look(word)))
    }

    fn look(&self, word: W) -> Look {
        let mut look = word.look(self.part);
        if let Some(fill) = self.fill {
            (look.fill_bits, look.fill_value) = (fill.identical(word), fill.same(word));
        }
        look.missing = self.masks.iter().any(|mask| mask.same(word));
        if let Some(origin) = self.origin.filter(|_| look.class == Class::Finite) {
            look.value = difference(look.rank, origin);
        }
        look
    }
}

fn difference(rank: i64, origin: i64) -> f64 {
    (i128::from(rank) - i128::from(origin)) as f64
}

/// Does `work` with AVX2 where the processor has it: compilers take only what every x86-64 has. What `work` calls gains
/// by it as far as it is inlined. The results are the same.
pub(super) fn vectorised<T>(work: impl FnOnce() -> T) -> T {
    #[cfg(target_arch = "x86_64")]
    if let Some(avx2) = Level::new().as_avx2() {
        return avx2.vectorize(work);
    }
    work()
}

/// The results of joining `start` and every item of its lane, lane by lane.
#[inline(always)]
pub(super) fn in_lanes<T: Copy, A: Copy>(
    items: &[T],
    start: A,
    join: impl Fn(A, T) -> A,
) -> [A; LANES] {
    let mut lanes = [start; LANES];
    let (rows, rest) = items.as_chunks::<LANES>();
    for row in rows {
        for (lane, &item) in lanes.iter_mut().zip(row) {
            *lane = join(*lane, item);
        }
    }
    for (lane, &item) in lanes.iter_mut().zip(rest) {
        *lane = join(*lane, item);
    }
    lanes
}
