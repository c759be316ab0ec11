//! Continuity across the borders of chunks: measured values go on from one chunk to the next as they do inside of it.
//!
//! A *seam* is the border of two chunks that are neighbours in the grid. Its excess is by how many bits the step across
//! it costs more than the steps next to it, inside both chunks: about 0 where the chunks belong together, however rough
//! the values are, and the more bits the smoother they are where they do not. So chunks in the wrong place, and
//! elements in another order or behind a filter, are seen without any knowledge of the values.

use super::prelude::*;
use crate::zarr::plausibility::{WideComponent, step, value};

/// The number of points of a seam that are looked at.
const POINTS: u64 = 64;
/// The number of elements of a block that are looked at where small differences tell.
const EACH: u64 = 1 << 14;
/// The nanoseconds that it takes to copy an element out of a shard.
const COPYING: u64 = 20;
/// Of inner chunks with fewer different values, borders say nothing.
const VARIED: usize = 32;
/// The excess from which on a seam counts as broken, in bits.
pub(super) const BROKEN: f64 = 0.75;

/// The number of standard deviations by which a step may be larger by chance.
const CHANCE: f64 = 2.0;

/// A decoded chunk.
pub(super) struct DecodedChunk {
    /// Its coordinates, as its key has them.
    pub(super) at: Vec<u64>,
    pub(super) elements: Elements,
    size: usize,
    /// The number in each element that is compared.
    component: WideComponent,
}

impl DecodedChunk {
    pub(super) fn of(at: &[u64], elements: Elements) -> Option<Self> {
        let Places::Fixed(size) = *elements.places() else { return None };
        let first = elements.bytes().as_whole()?.get(..size)?;
        let component = numbers(&elements, first).into_iter().next()?;
        Some(Self { at: at.to_vec(), elements, size, component })
    }

    /// The rank of the element at a position in the order of memory.
    fn rank(&self, position: u64) -> Option<i128> {
        let bytes = self.elements.bytes().as_whole()?;
        let words = Words { bytes, size: self.size, component: &self.component };
        words.rank(usize::try_from(position).ok()?.checked_mul(self.component.count)?)
    }

    /// The value whose rank is `rank`.
    fn value_of(&self, rank: i128) -> f64 {
        let (width, meaning) = (self.component.width, self.component.meaning);
        let sign = 1_i128 << (width * 8 - 1);
        let bits = match meaning {
            Meaning::Float { .. } if rank < 0 => sign - rank,
            _ => rank.rem_euclid(sign * 2),
        };
        u64::try_from(bits).map_or(f64::NAN, |bits| value(bits, width, meaning))
    }

    /// The cost of a step between any two of these ranks. Ranks of floats tell nothing of how far those on both sides of 0
    /// are apart: then the values do, in steps of the largest one.
    fn ruler(&self, ranks: &[i128], is_one: bool) -> impl Fn(i128, i128) -> Option<f64> {
        /// By how many times sizes differ at most: those of bytes in another order do by any number.
        const RANGE: f64 = 1e6;
        let meaning = self.component.meaning;
        let has_both = ranks.iter().any(|it| *it < 0) && ranks.iter().any(|it| *it > 0);
        let sizes = || ranks.iter().map(|it| self.value_of(*it).abs()).filter(|it| *it > 0.0);
        let (smallest, largest) = (sizes().fold(f64::MAX, f64::min), sizes().fold(0.0, f64::max));
        let unit = match meaning {
            Meaning::Float { mantissa, .. } if has_both && largest <= smallest * RANGE => {
                Some((largest.log2().floor() - f64::from(mantissa)).exp2())
            }
            _ => None,
        };
        // Beyond it are NaN, which nobody measured: where they begin tells of no border.
        let infinity = match meaning {
            Meaning::Float { exponent, mantissa } => ((1_i128 << exponent) - 1) << mantissa,
            _ => i128::MAX,
        };
        move |a, b| match unit {
            _ if a.abs().max(b.abs()) > infinity => None,
            _ if is_one => Some(cost(a, b)),
            Some(unit) if a != 0 && b != 0 => {
                let apart = (self.value_of(a) - self.value_of(b)).abs();
                Some((apart / unit + 1.0).log2()).filter(|it| it.is_finite())
            }
            _ => step(a, b, meaning),
        }
    }

    /// True if the first value is like the others: a sequence of differences has the value that they start from there. And
    /// these are away from 0, or their sums are larger than the data type has, which no differences of values are.
    pub(super) fn starts_as_it_goes_on(&self) -> bool {
        const APART: f64 = 3.0;
        const MOST: u64 = 4096;
        let value = |at: u64| self.elements.value(at)?.ok()?.to_f64();
        let rest: PowerSums = (1..self.elements.len().min(MOST)).filter_map(value).collect();
        let width = APART * rest.variance().sqrt();
        let is_alike = value(0).is_some_and(|first| (first - rest.mean()).abs() <= width);
        let all = 1_i128 << (self.component.width.min(8) * 8);
        let mut sum = 0;
        let mut add = |rank: i128| {
            sum += if rank >= all / 2 { rank - all } else { rank };
            sum
        };
        let is_whole = !matches!(self.component.meaning, Meaning::Float { .. });
        let mut ranks = (0..self.elements.len().min(MOST)).filter_map(|at| self.rank(at));
        is_alike
            && (rest.mean().abs() > width || is_whole && ranks.any(|rank| add(rank).abs() >= all))
    }

    /// The number of different elements among the first ones.
    pub(super) fn variety(&self) -> usize {
        self.some_ranks().collect::<HashSet<_>>().len()
    }

    fn some_ranks(&self) -> impl Iterator<Item = i128> {
        (0..self.elements.len().min(4096)).filter_map(|at| self.rank(at))
    }
}

/// True if the values of a chunk are a count: each as much more than the last one.
pub(super) fn is_even(elements: &Elements) -> bool {
    const MOST: u64 = 256;
    let value = |at: u64| elements.value(at)?.ok()?.to_f64();
    let values: Vec<f64> = (0..elements.len().min(MOST)).filter_map(value).collect();
    let even = values.windows(3).filter(|three| {
        matches!(three, [a, b, c] if (c - b).to_bits() == (b - a).to_bits() && a.to_bits() != b.to_bits())
    });
    even.count() * 2 > values.len()
}

/// One of `count` numbers below `total`, as far apart as can be; not at even steps, which would keep to a few columns of what is
/// as long as a power of two.
fn spread(number: u64, total: u64, count: u64) -> u64 {
    number * total / count + number % (total / count).max(1)
}

/// Chunks that are next to each other.
pub(super) struct AdjacentChunks<'a> {
    /// Says whether anybody waits for what is told of them; if not, it may be wrong.
    budget: Budget<'a>,
    pub(super) all: Vec<DecodedChunk>,
    shape: Vec<u64>,
    grid: Grid,
    /// The usual costs of steps along axes of which each chunk has one element.
    usual: Vec<Option<f64>>,
}

/// The place of each of some blocks in the grid, and the stride of each axis in its memory, where that is not as
/// each of them has it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct SeamArrangement {
    pub(super) places: Vec<Vec<u64>>,
    pub(super) strides: Option<Vec<u64>>,
}

/// The border of two blocks.
#[derive(Debug, Clone, Copy)]
pub(super) struct Seam {
    pub(super) blocks: (usize, usize),
    pub(super) axis: usize,
    /// The cost of the step across it.
    step: f64,
    /// The costs of steps beside it, and those that are possible by chance; `None` where the chunks have one element
    /// along the axis.
    beside: Option<f64>,
}

impl Seam {
    /// By how many bits the step across costs more than those beside.
    pub(super) fn excess(&self) -> f64 {
        self.step - self.beside.unwrap_or(self.step)
    }

    /// True if values jump at it.
    pub(super) fn is_broken(&self) -> bool {
        self.excess() > BROKEN
    }

    /// True if one of its blocks is among these.
    pub(super) fn touches(&self, blocks: &[usize]) -> bool {
        blocks.contains(&self.blocks.0) || blocks.contains(&self.blocks.1)
    }

    /// True if these are on one side of it only.
    pub(super) fn is_border_of(&self, blocks: &[usize]) -> bool {
        blocks.contains(&self.blocks.0) != blocks.contains(&self.blocks.1)
    }
}

impl<'a> AdjacentChunks<'a> {
    /// The samples as `array` has them; `None` where one cannot be decoded, or they are not numbers.
    pub(super) fn of(case: &Case<'a>, array: &ArrayMetadata, samples: &[Sample]) -> Option<Self> {
        let budget = case.budget();
        let block = |sample: &Sample| DecodedChunk::of(&sample.at, case.read(array, sample)?);
        let all: Vec<DecodedChunk> = samples.iter().map(block).collect::<Option<_>>()?;
        Self::in_grid(budget, all, array, array.known_grid()?.clone())
    }

    /// The same of the inner chunks of shards: of few shards, these have the borders.
    pub(super) fn of_inner(
        case: &Case<'a>,
        array: &ArrayMetadata,
        samples: &[Sample],
    ) -> Option<Self> {
        let (inner, budget) = (array.inner_chunk_shape()?, case.budget());
        let mut all = Vec::new();
        for sample in samples {
            let elements = case.read(array, sample)?;
            case.spend(elements.len() * COPYING).then_some(())?;
            all.extend(parts(&sample.at, &elements, &inner)?);
        }
        // Sparse values go on anywhere or nowhere.
        let wanted = all.iter().take_while(|_| !case.is_stopped());
        let varied = wanted.filter(|block: &&DecodedChunk| block.variety() >= VARIED).count();
        (varied * 2 >= all.len()).then_some(())?;
        Self::in_grid(budget, all, array, Grid::Regular(inner))
    }

    fn in_grid(
        budget: Budget<'a>,
        all: Vec<DecodedChunk>,
        array: &ArrayMetadata,
        grid: Grid,
    ) -> Option<Self> {
        let shape = array.known_shape()?.clone();
        let mut blocks = Self { budget, all, usual: vec![None; shape.len()], shape, grid };
        blocks.usual = blocks.usual();
        Some(blocks)
    }

    /// The blocks as they are declared.
    pub(super) fn declared(&self) -> SeamArrangement {
        let places = self.all.iter().map(|block| block.at.clone()).collect();
        SeamArrangement { places, strides: None }
    }

    /// By how many bits values jump where one block follows another one along an axis.
    pub(super) fn excess_after(&self, a: usize, b: usize, axis: usize) -> Option<f64> {
        Some(self.seam((a, b), axis, &self.declared())?.excess())
    }

    /// The continuity of values across all borders, and the steps inside of the blocks.
    pub(super) fn continuity(&self) -> Continuity {
        let inside = self.inside(&mut self.all.iter(), POINTS * 4);
        let inside = inside.map_or(0.0, |inside| inside.mean());
        Continuity { inside, ..Continuity::of(&self.seams(&self.declared(), None)) }
    }

    /// The number of different elements among the first ones of all blocks.
    pub(super) fn variety(&self) -> usize {
        self.all.iter().flat_map(DecodedChunk::some_ranks).collect::<HashSet<_>>().len()
    }

    /// The number of blocks that begin in the array, and whose elements are all the same.
    pub(super) fn constant(&self) -> usize {
        let counts = self.grid.counts(&self.shape);
        let inside = self.all.iter().filter(|block| order::is_inside(&block.at, &counts));
        inside.filter(|block| block.variety() == 1).count()
    }

    /// The same blocks, some of them read otherwise.
    pub(super) fn with(&self, others: &[(usize, Elements)]) -> Option<Self> {
        let block = |(number, block): (usize, &DecodedChunk)| {
            let other = others.iter().find(|(at, _)| *at == number);
            let elements = other.map_or(&block.elements, |(_, elements)| elements);
            DecodedChunk::of(&block.at, elements.clone())
        };
        let all = self.all.iter().enumerate().map(block).collect::<Option<_>>()?;
        let (shape, grid, usual) = (self.shape.clone(), self.grid.clone(), self.usual.clone());
        Some(Self { budget: self.budget, all, shape, grid, usual })
    }

    /// The borders of blocks; with `only`, those of these blocks.
    pub(super) fn seams(&self, arrangement: &SeamArrangement, only: Option<&[usize]>) -> Vec<Seam> {
        let mut seams = self.steps(arrangement, only);
        seams.retain(|seam| seam.beside.is_some());
        seams
    }

    /// The same, with seams beside which there is no step to compare with.
    fn steps(&self, arrangement: &SeamArrangement, only: Option<&[usize]>) -> Vec<Seam> {
        let places = arrangement.places.iter().zip(0..);
        let places: HashMap<&[u64], usize> =
            places.map(|(place, block)| (place.as_slice(), block)).collect();
        let mut seams = Vec::new();
        for (a, place) in arrangement.places.iter().enumerate() {
            if self.budget.is_stopped() {
                break;
            }
            for axis in 0..place.len() {
                let mut next = place.clone();
                if let Some(at) = next.get_mut(axis) {
                    *at += 1;
                }
                let asked = |&b: &usize| only.is_none_or(|o| o.contains(&a) || o.contains(&b));
                let b = places.get(next.as_slice()).copied().filter(asked);
                seams.extend(b.and_then(|b| self.seam((a, b), axis, arrangement)));
            }
        }
        seams
    }

    /// The usual cost of a step along each axis of which each chunk has one element; where there are few, they say
    /// nothing.
    fn usual(&self) -> Vec<Option<f64>> {
        const FEW: usize = 5;
        let seams = self.steps(&self.declared(), None);
        let usual = |axis: usize| {
            let of_axis = seams.iter().filter(|seam| seam.axis == axis && seam.beside.is_none());
            let steps: Vec<f64> = of_axis.map(|seam| seam.step).collect();
            Some(steps).filter(|steps| steps.len() >= FEW).and_then(middle)
        };
        (0..self.shape.len()).map(usual).collect()
    }

    /// The numbers across a border, as they are declared: of each point the last two before it and the first two behind it,
    /// one number twice where a chunk has only one.
    pub(super) fn border(&self, seam: &Seam) -> Vec<[f64; 4]> {
        let how = self.declared();
        let (first, second) = seam.blocks;
        let across = |(point, end, length): (&[u64], u64, u64)| {
            let at =
                |block: usize, along: u64| self.rank_at(block, (point, seam.axis, along), &how);
            let (c, a) = (at(first, end.saturating_sub(1))?, at(first, end)?);
            let (b, d) = (at(second, 0)?, at(second, u64::from(length > 1))?);
            Some([c, a, b, d].map(|rank| rank as f64))
        };
        self.at_points(seam, across)
    }

    /// The values of neighbours along the axis of a border, `before` elements before it; at 0, those on both sides of it.
    pub(super) fn values_at(&self, seam: &Seam, before: u64) -> Vec<(f64, f64)> {
        let (Some(a), Some(b)) = (self.all.get(seam.blocks.0), self.all.get(seam.blocks.1)) else {
            return Vec::new();
        };
        let next = if before == 0 { b } else { a };
        let pairs = self.pairs(seam, before).into_iter();
        pairs.map(|(one, other)| (a.value_of(one), next.value_of(other))).collect()
    }

    /// The distances of such neighbours at some borders, as far as they are finite.
    pub(super) fn apart(&self, seams: &[Seam], before: u64) -> Vec<f64> {
        let pairs = seams.iter().flat_map(|seam| self.values_at(seam, before));
        pairs.map(|(a, b)| (a - b).abs()).filter(|it| it.is_finite()).collect()
    }

    /// The numbers of the blocks from an index on along a dimension, and of those before it.
    pub(super) fn split_at(&self, axis: usize, from: u64) -> (Vec<usize>, Vec<usize>) {
        let place = |at: &usize| self.all.get(*at)?.at.get(axis);
        (0..self.all.len()).partition(|at| place(at).is_some_and(|at| *at >= from))
    }

    /// The values of the first two elements behind a border, along its axis.
    pub(super) fn values_behind(&self, seam: &Seam) -> Vec<(f64, f64)> {
        let (how, second) = (self.declared(), seam.blocks.1);
        let Some(block) = self.all.get(second) else { return Vec::new() };
        let behind = |(point, _, length): (&[u64], u64, u64)| {
            let at = |along: u64| self.rank_at(second, (point, seam.axis, along), &how);
            Some((block.value_of(at(0)?), block.value_of(at(u64::from(length > 1))?)))
        };
        self.at_points(seam, behind)
    }

    /// The ranks of such neighbours.
    fn pairs(&self, seam: &Seam, before: u64) -> Vec<(i128, i128)> {
        let how = self.declared();
        let (a, b) = seam.blocks;
        self.at_points(seam, |(point, end, _)| {
            let beside =
                |block: usize, along: u64| self.rank_at(block, (point, seam.axis, along), &how);
            let one = beside(a, end.checked_sub(before)?)?;
            Some((one, if before == 0 { beside(b, 0)? } else { beside(a, end + 1 - before)? }))
        })
    }

    /// What `of` makes of points of a border, of each with the last index of the first chunk along its axis and the length of
    /// the second one.
    fn at_points<T>(&self, seam: &Seam, of: impl Fn((&[u64], u64, u64)) -> Option<T>) -> Vec<T> {
        let points = || {
            let (face, end, length) = self.face(seam.blocks, seam.axis, &self.declared())?;
            let total = order::product(&face)?;
            let count = total.min(POINTS);
            let point = |number: u64| {
                let point = order::coordinates(u128::from(spread(number, total, count)), &face);
                of((&point, end, length))
            };
            Some((0..count).filter_map(point).collect())
        };
        points().unwrap_or_default()
    }

    /// The rank of the element of a block that is `along` an axis, beside a point of its face.
    fn rank_at(
        &self,
        block: usize,
        (point, axis, along): (&[u64], usize, u64),
        how: &SeamArrangement,
    ) -> Option<i128> {
        let block = self.all.get(block)?;
        let strides = how.strides.as_deref().unwrap_or_else(|| block.elements.strides());
        let at = point.iter().enumerate().map(|(k, &at)| if k == axis { along } else { at });
        let steps = at.zip(strides).map(|(at, stride)| at.saturating_mul(*stride));
        block.rank(steps.fold(0, u64::saturating_add))
    }

    /// The shape of the face between two blocks, the last index of the first one along the axis, and the length of the
    /// second one.
    fn face(
        &self,
        (a, b): (usize, usize),
        axis: usize,
        how: &SeamArrangement,
    ) -> Option<(Vec<u64>, u64, u64)> {
        let extent =
            |block: usize| Some(lengths(&self.grid.region(how.places.get(block)?, &self.shape)?));
        let (here, there) = (extent(a)?, extent(b)?);
        let (end, length) = (here.get(axis)?.checked_sub(1)?, *there.get(axis)?);
        let mut face: Vec<u64> = here.iter().zip(&there).map(|(a, b)| *a.min(b)).collect();
        *face.get_mut(axis)? = 1;
        Some((face, end, length))
    }

    fn seam(&self, (a, b): (usize, usize), axis: usize, how: &SeamArrangement) -> Option<Seam> {
        let (face, end, length) = self.face((a, b), axis, how)?;
        let total = order::product(&face)?;
        let count = total.min(POINTS);
        // Where seams are short, more steps are looked at beside them.
        let deep = (POINTS / 4 / count.max(1)).clamp(1, 16);
        let (mut across, mut beside) = (PowerSums::default(), PowerSums::default());
        let first = self.all.get(a)?;
        for number in 0..count {
            let point = order::coordinates(u128::from(spread(number, total, count)), &face);
            let rank = |block: usize, along: u64| self.rank_at(block, (&point, axis, along), how);
            let before = (end.saturating_sub(deep)..=end).map(|along| rank(a, along));
            let after = (0..length.min(deep + 1)).map(|along| rank(b, along));
            let ranks: Vec<i128> = before.chain(after).collect::<Option<_>>()?;
            // Of a border of one pair, that is all there is.
            let step = first.ruler(&ranks, total == 1);
            for (at, pair) in (0..).zip(ranks.windows(2)) {
                let sums = if at == end.min(deep) { &mut across } else { &mut beside };
                sums.extend(step(*pair.first()?, *pair.last()?));
            }
        }
        if across.count == 0.0 {
            return None;
        }
        let few = across.count.recip() + beside.count.max(1.0).recip();
        let chance = CHANCE * (beside.variance() * few).sqrt();
        let usual = self.usual.get(axis).copied().flatten().map(|usual| usual + 0.5);
        let beside = (beside.count > 0.0).then(|| beside.mean() + chance).or(usual);
        Some(Seam { blocks: (a, b), axis, step: across.mean(), beside })
    }

    /// The cost of a step inside of blocks, and across their borders, in the mean over the axes: the roughness of the
    /// values.
    pub(super) fn roughness(&self) -> Option<f64> {
        let mut all = self.inside(&mut self.all.iter(), POINTS * 4)?;
        all.add(mean(self.seams(&self.declared(), None).iter().map(|seam| seam.step)));
        Some(all.mean())
    }

    /// The cost of a step inside of some of the blocks, in the mean over the axes.
    pub(super) fn steps_in(&self, only: &[usize]) -> Option<f64> {
        let mut blocks = only.iter().filter_map(|at| self.all.get(*at));
        Some(self.inside(&mut blocks, EACH)?.mean())
    }

    /// The same of all blocks.
    pub(super) fn steps_in_all(&self) -> Option<f64> {
        Some(self.inside(&mut self.all.iter(), EACH)?.mean())
    }

    /// The same of one block, at fewer points.
    pub(super) fn roughness_of(&self, at: usize) -> Option<f64> {
        Some(self.inside(&mut self.all.get(at).into_iter(), POINTS * 4)?.mean())
    }

    /// The costs of a step along each axis inside of blocks, at so many points of each.
    fn inside(
        &self,
        blocks: &mut dyn Iterator<Item = &DecodedChunk>,
        most: u64,
    ) -> Option<PowerSums> {
        let mut axes = vec![PowerSums::default(); self.shape.len()];
        for block in blocks {
            let shape = block.elements.shape();
            for (axis, &stride) in block.elements.strides().iter().enumerate() {
                let length = *shape.get(axis)?;
                let points = block.elements.len();
                let count = points.min(most);
                for number in self.budget.while_wanted(0..count) {
                    let at = block.elements.coordinates(spread(number, points, count));
                    if *at.get(axis)? + 1 < length {
                        let here = block.elements.position(&at);
                        let moments = axes.get_mut(axis)?;
                        let (one, next) = (block.rank(here)?, block.rank(here + stride)?);
                        moments.extend(step(one, next, block.component.meaning));
                    }
                }
            }
        }
        Some(axes.iter().filter(|axis| axis.count > 0.0).map(PowerSums::mean).collect())
    }
}

/// The parts of `shape` that a shard at `at` consists of.
fn parts(at: &[u64], shard: &Elements, shape: &[u64]) -> Option<Vec<DecodedChunk>> {
    let divided = |(n, m): (&u64, &u64)| n.checked_div(*m);
    let counts: Vec<u64> = shard.shape().iter().zip(shape).map(divided).collect::<Option<_>>()?;
    let total = u64::try_from(order::total(&counts)?).ok()?;
    let part = |number: u64| {
        let place = order::coordinates(u128::from(number), &counts);
        let region: Region = place.iter().zip(shape).map(|(k, n)| k * n..(k + 1) * n).collect();
        let key: Vec<u64> =
            at.iter().zip(&counts).zip(&place).map(|((k, n), place)| k * n + place).collect();
        DecodedChunk::of(&key, shard.part(&region).ok()?)
    };
    (0..total).map(part).collect()
}

/// The continuity of values across some seams.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Continuity {
    /// The mean excess, in bits.
    pub(super) excess: f64,
    /// The same of those that are broken.
    pub(super) gap: f64,
    /// The number of seams that are broken.
    pub(super) broken: usize,
    /// Of how many.
    pub(super) of: usize,
    /// The mean cost of a step inside of the blocks; 0 where nobody asked.
    inside: f64,
}

impl Continuity {
    pub(super) fn of<'s>(seams: impl IntoIterator<Item = &'s Seam>) -> Self {
        let (mut excess, mut gap) = (PowerSums::default(), PowerSums::default());
        let (mut broken, mut of) = (0, 0);
        for seam in seams {
            // A seam that goes on better than by chance makes up for none that is broken.
            excess.add(seam.excess().max(-BROKEN));
            of += 1;
            if seam.is_broken() {
                gap.add(seam.excess());
                broken += 1;
            }
        }
        Self { excess: excess.mean(), gap: gap.mean(), broken, of, inside: 0.0 }
    }

    /// True if chunks do not belong together as they are.
    pub(super) fn is_broken(&self) -> bool {
        self.of >= 3 && self.broken >= 2 && self.gap >= 1.0
    }

    /// True if so many do not that chance does not explain it: of a hundred seams, a few are broken by it.
    pub(super) fn is_broken_often(&self) -> bool {
        self.is_broken() && self.broken * 24 >= self.of
    }

    /// True if they do belong together.
    pub(super) fn is_whole(&self) -> bool {
        self.of >= 3 && self.excess <= 0.5 && self.broken * 6 <= self.of
    }

    /// True if they do, where it was `before` that they did not: hardly a seam may be broken then, and all must be
    /// there; and inside of the chunks nothing may get rougher.
    pub(super) fn mends(&self, before: &Self) -> bool {
        /// By how many bits steps inside may cost more.
        const ROUGHER: f64 = 0.25;
        self.inside <= before.inside + ROUGHER && self.mends_borders(before)
    }

    /// The same, whatever happens inside of the chunks.
    pub(super) fn mends_borders(&self, before: &Self) -> bool {
        self.of * 4 >= before.of * 3
            && self.excess <= (before.excess * 0.25).max(0.0)
            && self.broken * 12 <= self.of
            && self.broken * 6 <= before.broken
    }

    /// By how many times steps across the seams are larger than those beside: `30 times`.
    pub(super) fn factor(&self) -> String {
        const MOST: f64 = 10.0;
        match self.gap {
            ..MOST => format!("{:.0} times", 2_f64.powf(self.gap)),
            _ => "more than 1,000 times".to_owned(),
        }
    }
}

/// Sums of numbers and of their squares.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct PowerSums {
    pub(super) count: f64,
    sum: f64,
    squares: f64,
}

impl PowerSums {
    pub(super) fn add(&mut self, value: f64) {
        self.count += 1.0;
        self.sum += value;
        self.squares += value * value;
    }

    pub(super) fn mean(&self) -> f64 {
        self.sum / self.count.max(1.0)
    }

    pub(super) fn variance(&self) -> f64 {
        (self.squares / self.count.max(1.0) - self.mean().powi(2)).max(0.0)
    }

    pub(super) fn variance_of_mean(&self) -> f64 {
        self.variance() / self.count.max(1.0)
    }
}

impl Extend<f64> for PowerSums {
    fn extend<I: IntoIterator<Item = f64>>(&mut self, values: I) {
        values.into_iter().for_each(|value| self.add(value));
    }
}

impl FromIterator<f64> for PowerSums {
    fn from_iter<I: IntoIterator<Item = f64>>(values: I) -> Self {
        let mut sums = Self::default();
        sums.extend(values);
        sums
    }
}

/// The mean of some numbers; 0 of none.
pub(super) fn mean(values: impl IntoIterator<Item = f64>) -> f64 {
    values.into_iter().collect::<PowerSums>().mean()
}
