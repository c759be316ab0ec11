//! Chunks that overlap: each was written with the margin that a computation on blocks adds, so that the last elements of one
//! are the first ones of the next. That these bytes are the same proves it.

use super::prelude::*;

/// The widest overlap, in elements.
const WIDEST: u64 = 64;
/// The fewest different elements of an overlap that tell.
const VARIED: usize = 8;
/// The nanoseconds that it takes to compare an element.
const COMPARING: u64 = 40;

/// Chunks with a margin.
struct Overlapping {
    size: usize,
    /// The shape that the metadata declares.
    declared: Vec<u64>,
    /// The shape that the chunks have.
    shape: Vec<u64>,
    /// The distance of neighbours along each dimension, in elements.
    strides: Vec<u64>,
}

/// The cause, if all chunks are longer by a margin that they share with their neighbours.
pub(super) fn diagnose(case: &Case) -> Option<Diagnosis> {
    let Ok(Grid::Regular(declared)) = &case.array.grid else { return None };
    let size = case.array.data_type()?.fixed_size().filter(|size| *size > 0)?;
    let samples = case.adjacent();
    let chunks: Vec<(Vec<u64>, Vec<u8>)> = samples
        .iter()
        .map(|sample| Some((sample.at.clone(), without_codecs(case, &sample.bytes)?)))
        .collect::<Option<_>>()?;
    let len = chunks.first()?.1.len();
    let raw = usize::try_from(case.raw_len()?).ok()?;
    let is_alike = chunks.iter().all(|(_, bytes)| bytes.len() == len);
    if !is_alike || len <= raw || !len.is_multiple_of(size) || chunks.len() < 2 {
        return None;
    }
    let shapes = shapes(declared, (len / size) as u64);
    let mut found = shapes.into_iter().filter_map(|(shape, overlap)| {
        let strides = strides(case, &shape);
        let chunk = Overlapping { size, declared: declared.clone(), shape, strides };
        let borders = chunk.same_borders(case, &chunks)?;
        Some((chunk.shape, overlap, borders))
    });
    let (shape, overlap, borders) = found.next()?;
    let text = format!(
        "The chunks have the shape {}, not {} as the metadata declares: each overlaps its neighbours by {}.",
        list(&shape),
        list(declared),
        counted(overlap, "element")
    );
    let found = Diagnosis::new("chunk-shape/overlap", text)
        .because(format!(
            "At {} examined, the last elements of one chunk are the first ones of the next, byte for byte.",
            match borders {
                1 => "the border".into(),
                _ => format!("all {}", counted(borders as u64, "border")),
            }
        ))
        .because("The metadata cannot declare that: the chunks have to be written again without the overlap, as a \
                  computation on overlapping blocks leaves it.")
        .certain();
    Some(found)
}

/// The shapes of so many elements that are longer by one margin along some of the dimensions.
fn shapes(declared: &[u64], count: u64) -> Vec<(Vec<u64>, u64)> {
    let rank = declared.len().min(6);
    let sets = (1..1_u32 << rank).map(|set| (0..rank).map(move |axis| set >> axis & 1 == 1));
    let all = sets.flat_map(|set| {
        let set: Vec<bool> = set.collect();
        (1..=WIDEST).map(move |more| (set.clone(), more))
    });
    all.filter_map(|(set, more)| {
        let lengths = declared.iter().zip(&set);
        let shape: Vec<u64> =
            lengths.map(|(n, longer)| if *longer { n + more } else { *n }).collect();
        (order::total(&shape) == Some(count.into())).then_some((shape, more))
    })
    .collect()
}

/// The distances of neighbours in chunks of `shape`, as the metadata declares their order.
fn strides(case: &Case, shape: &[u64]) -> Vec<u64> {
    let is_reversed = case.array.format == Format::V2 && case.array.fortran;
    let product = |part: &[u64]| order::product(part).unwrap_or(u64::MAX);
    let stride = |axis: usize| {
        let inner = if is_reversed { shape.get(..axis) } else { shape.get(axis + 1..) };
        inner.map_or(1, product)
    };
    (0..shape.len()).map(stride).collect()
}

impl Overlapping {
    /// The number of borders at which the margins are the same; `None` where one is not, or they hold next to nothing.
    fn same_borders(&self, case: &Case, chunks: &[(Vec<u64>, Vec<u8>)]) -> Option<usize> {
        let (mut borders, mut seen) = (0, HashSet::new());
        for (at, bytes) in chunks {
            for axis in
                (0..at.len()).filter(|axis| self.shape.get(*axis) != self.declared.get(*axis))
            {
                let mut next = at.clone();
                *next.get_mut(axis)? += 1;
                let Some((_, other)) = chunks.iter().find(|(at, _)| *at == next) else { continue };
                borders += 1;
                self.compare(case, axis, bytes, other, &mut seen)?;
            }
        }
        (borders > 0 && seen.len() >= VARIED).then_some(borders)
    }

    /// Compares the margins of two chunks that are neighbours along an axis; `None` where they differ.
    fn compare<'b>(
        &self,
        case: &Case,
        axis: usize,
        bytes: &[u8],
        other: &'b [u8],
        seen: &mut HashSet<&'b [u8]>,
    ) -> Option<()> {
        let (from, stride) = (*self.declared.get(axis)?, *self.strides.get(axis)?);
        let mut margin = self.shape.clone();
        *margin.get_mut(axis)? -= from;
        let count = u64::try_from(order::total(&margin)?).ok()?;
        case.spend(count * COMPARING).then_some(())?;
        for number in 0..count {
            let at = order::coordinates(u128::from(number), &margin);
            let there: u64 = at.iter().zip(&self.strides).map(|(n, stride)| n * stride).sum();
            let element = |bytes: &'b [u8], position: u64| {
                let start = usize::try_from(position).ok()?.checked_mul(self.size)?;
                bytes.get(start..start + self.size)
            };
            let start = usize::try_from(there + from * stride).ok()?.checked_mul(self.size)?;
            let (here, there) = (bytes.get(start..start + self.size)?, element(other, there)?);
            seen.insert(there);
            (here == there).then_some(())?;
        }
        Some(())
    }
}
