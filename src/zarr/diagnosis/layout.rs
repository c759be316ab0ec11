//! Chunks of another shape, and dimensions that are in another order.
//!
//! In the order of memory, values are alike along a row, and less so from the end of one row to the start of the next.
//! The places of such breaks show how long rows really are. It takes both: breaks where the other layout
//! has them, and none where the declared one has: data that repeat by the day or the channel have breaks of their own.

use super::prelude::*;
use crate::zarr::plausibility::step;

/// Arrays of more dimensions are not put into every order.
const DIMENSIONS: usize = 4;
/// The nanoseconds that it takes to look at a step, and at an element that may be beyond the end of the array.
const STEPPING: u64 = 3;
const BEYOND: u64 = 15;
/// The share of words that a pattern repeats at least.
const PATTERN: f64 = 0.1;
/// The most words of a chunk that are looked at.
const WORDS: usize = 1 << 16;

/// Readings with chunks of another shape, of those that the keys and the length of the chunks allow.
pub(super) fn chunk_shapes(case: &Case, samples: &[Sample]) -> Vec<Reading> {
    let array = case.array;
    let (Ok(shape), Ok(Grid::Regular(declared))) = (&array.shape, &array.grid) else {
        return Vec::new();
    };
    let size = array.data_type().and_then(|data_type| data_type.fixed_size());
    let bytes = samples.iter().find_map(|sample| without_codecs(case, &sample.bytes));
    // Elements of any length begin with how many there are.
    let count = bytes.and_then(|bytes| match size {
        Some(size) => {
            let len = bytes.len() as u64;
            len.checked_div(size as u64).filter(|count| count * size as u64 == len)
        }
        None => Some(u32::from_le_bytes(*bytes.first_chunk()?).into()),
    });
    let Some(count) = count else { return Vec::new() };
    let (Some(keys), Some(orphans)) = (case.symptoms.keys(), case.symptoms.orphans()) else {
        return Vec::new();
    };
    let along = |axis: usize| {
        let along = keys.iter().chain(orphans).filter_map(|key| key.get(axis));
        along.max().map_or(1, |last| last + 1)
    };
    let counts: Vec<u64> = (0..shape.len()).map(along).collect();
    let mut shapes = possible(shape, declared, &counts, count);
    shapes.retain(|new| {
        let elements = order::product(new);
        elements == Some(count) && new != declared
    });
    let evidence = format!(
        "The keys are those of a grid of {}, and each chunk has {} elements.",
        list(&counts),
        count
    );
    shapes.into_iter().map(|new| reading(&new, declared).because(&evidence)).collect()
}

/// Shapes of chunks of so many elements that make a grid of `counts` of an array of `shape`.
fn possible(shape: &[u64], declared: &[u64], counts: &[u64], elements: u64) -> Vec<Vec<u64>> {
    let mut shapes = vec![Vec::new()];
    let whole = order::product(declared).unwrap_or(u64::MAX);
    for ((&n, &c), &count) in shape.iter().zip(declared).zip(counts).take(8) {
        let mut lengths = vec![c, n.div_ceil(count), n];
        // Where the keys are not those of the declared length, the one that gives so many elements with the others.
        let is_other = c > 0 && n.div_ceil(c) != count;
        lengths.extend(elements.checked_div(whole / c.max(1)).filter(|_| is_other));
        lengths.retain(|&length| length > 0 && n.div_ceil(length) == count);
        lengths.sort_unstable();
        lengths.dedup();
        let longer = shapes.iter().flat_map(|start: &Vec<u64>| {
            lengths.iter().map(|length| [start.as_slice(), &[*length]].concat()).collect::<Vec<_>>()
        });
        shapes = longer.take(64).collect();
    }
    shapes
}

fn reading(new: &[u64], declared: &[u64]) -> Reading {
    let sentence = format!(
        "The chunks have the shape {}, not {} as the metadata declares.",
        list(new),
        list(declared)
    );
    Reading::new("chunk-shape/by-length", sentence, WhatIf::lengths(SettingMember::Chunks, new))
}

/// The fewest elements of a row whose ends tell.
const ROW: usize = 4;
/// By how many bits less neighbours across rows differ where that tells more than the ends of rows.
const FAR: f64 = 2.0;

/// By how many bits more they may differ where the ends of rows decide: rows of tiles with one value each end as those of another
/// shape do, and hardly differ as declared.
const ROUGHER: f64 = 1.0;

/// A layout of the same elements: the lengths of the dimensions in the order of memory, the outermost first.
struct LayoutChange {
    memory: Vec<u64>,
    /// The dimensions in the order of memory, where it is these that change.
    axes: Option<Vec<usize>>,
    cause: &'static str,
    sentence: String,
    what_if: WhatIf,
}

/// The cause, if the dimensions are in another order than declared, or chunks of another shape with as many elements.
pub(super) fn orders(case: &Case, samples: &[Sample]) -> Option<Diagnosis> {
    let declared = ReadingOutcome::of(case, case.array, samples);
    let first = declared.chunks.first()?;
    let rank = first.shape().len();
    if !(2..=DIMENSIONS).contains(&rank) || declared.chunks.iter().any(is_plane) {
        return None;
    }
    let here = first.memory_shape();
    let changes = changes(case, first);
    let steps: Vec<RankedChunk> = declared.chunks.iter().filter_map(RankedChunk::of).collect();
    let padded = padded(case, samples, &declared.chunks);
    let beyond: u64 = padded.iter().map(|(chunk, _)| looking_beyond(chunk)).sum();
    let cost = stepping(&steps, changes.len() + 1, rank) + beyond * changes.len() as u64;
    case.spend(cost).then_some(())?;
    let steps = WantedChunks { case, all: &steps };
    let (own, far) = (rows(&here), steps.alike(&here));
    let mut found: Vec<(f64, LayoutChange, Breaks, Breaks)> = changes
        .into_iter()
        .filter(|change| !puts_values_beyond(&padded, change))
        .filter_map(|change| {
            let other = rows(&change.memory);
            let new: Vec<usize> = other.iter().copied().filter(|row| !own.contains(row)).collect();
            let old: Vec<usize> = own.iter().copied().filter(|row| !other.contains(row)).collect();
            // Columns of a table, of which a row has two or three, differ in scale.
            let are_short = new.iter().any(|row| *row < ROW);
            if new.is_empty() || old.is_empty() || are_short {
                return None;
            }
            let (there, here) = (steps.breaks(&new, &own), steps.breaks(&old, &other));
            let near = steps.alike(&change.memory);
            // Data that come round do so at the same places of all declared rows.
            let is_apart = !new.iter().any(|row| own.iter().any(|own| own.is_multiple_of(*row)));
            let is_far = is_apart && near + FAR < far;
            let (score, excess) = if is_far { (4.0, 0.25) } else { (6.0, 0.4) };
            let clear = there.score > score
                && there.excess > excess
                && here.excess.abs() < there.excess * 0.25
                && here.score.abs() < there.score / 4.0;
            // What repeats exactly is a pattern, and no row is as long as it.
            let is_pattern =
                other.iter().any(|row| steps.equal(*row) > 2.0 * steps.equal(1) + PATTERN);
            // Of many bits, a few more or fewer are the mantissas'. Rows may differ more than what is in them.
            let is_decisive =
                is_apart && there.score > 2.0 * score && there.excess > 1.0 && near < far + ROUGHER;
            let is_alike = near + (far * 0.03).max(0.25) < far || is_decisive;
            let is_clear = clear && !is_pattern && is_alike;
            (is_clear
                && !steps.end_as_declared(&own, &other)
                && !steps.break_sooner(&new, &other, there)
                && (is_apart || !steps.come_round(&new, &own) && !steps.repeat_within(&new, &own)))
            .then_some((near, change, there, here))
        })
        .collect();
    found.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut found = found.into_iter();
    let (near, change, there, here) = found.next()?;
    // V2 has two orders; that one of the others, which only a writer without Zarr makes, is nearly as good, says nothing.
    let usual = ["C", "F"].map(|order| WhatIf::of(SettingMember::Order, order));
    let is_usual = case.array.format == Format::V2 && usual.contains(&change.what_if);
    let margin = if is_usual { 0.05 } else { 0.2 };
    // Where every row repeats, so it does at other distances.
    let is_still = near < 0.01;
    if is_still || found.next().is_some_and(|(next, ..)| next < near + margin) {
        return None;
    }
    Some(told(case, change, there, here, near, far))
}

/// True if the values of a chunk are an even ramp along each of its dimensions: in no other order are they that.
fn is_plane(chunk: &Elements) -> bool {
    const MOST: u64 = 512;
    let value = |at: u64| chunk.value(at)?.ok()?.to_f64();
    let (Some(first), size) = (value(0), chunk.len().min(MOST)) else { return false };
    let lengths = chunk.shape().iter().zip(chunk.strides());
    let axes: Option<Vec<(u64, u64, f64)>> = lengths
        .filter(|(length, _)| **length > 1)
        .map(|(&length, &stride)| Some((length, stride, value(stride)? - first)))
        .collect();
    let Some(axes) = axes.filter(|axes| axes.len() > 1) else { return false };
    let due = |at: u64| {
        let along = |(length, stride, step): &(u64, u64, f64)| (at / stride % length) as f64 * step;
        first + axes.iter().map(along).sum::<f64>()
    };
    let is_due = |at: u64| value(at).is_some_and(|it| (it - due(at)).abs() <= it.abs() * 1e-9);
    size >= ROW as u64 && axes.iter().all(|axis| axis.2 != 0.0) && (0..size).all(is_due)
}

/// The chunks whose elements beyond the end of the array are all the same as declared, each with the lengths that are inside:
/// nobody writes values there.
fn padded<'c>(
    case: &Case,
    samples: &[Sample],
    chunks: &'c [Elements],
) -> Vec<(&'c Elements, Vec<u64>)> {
    let array = case.array.known_shape().filter(|_| samples.len() == chunks.len());
    let Some(array) = array else { return Vec::new() };
    let inside = |(sample, chunk): (&Sample, &'c Elements)| {
        let sides = array.iter().zip(chunk.shape().iter().zip(&sample.at));
        let inside = sides
            .map(|(length, (side, at))| length.saturating_sub(at.saturating_mul(*side)).min(*side));
        (chunk, inside.collect::<Vec<u64>>())
    };
    let is_padded = |(chunk, inside): &(&Elements, Vec<u64>)| {
        inside != chunk.shape()
            && case.spend(looking_beyond(chunk))
            && is_padding(chunk, inside, chunk.strides()) == Some(true)
    };
    samples.iter().zip(chunks).map(inside).filter(is_padded).collect()
}

/// True if all elements of a chunk that are not `inside` of the array are the same, where they lie by these strides.
fn is_padding(chunk: &Elements, inside: &[u64], strides: &[u64]) -> Option<bool> {
    let is_beyond = |at: &u64| {
        let mut sides = chunk.shape().iter().zip(strides).zip(inside);
        sides.any(|((length, stride), inside)| at / (*stride).max(1) % length >= *inside)
    };
    let of = |at: u64| chunk.bytes().get(chunk.byte_range(at));
    let mut all = (0..chunk.len().min(WORDS as u64)).filter(is_beyond).map(of);
    let first = all.next()?;
    Some(all.all(|it| it == first))
}

/// True if dimensions in another order would put values beyond the end of the array, where there are none as declared.
fn puts_values_beyond(padded: &[(&Elements, Vec<u64>)], change: &LayoutChange) -> bool {
    let is_told = |(chunk, inside): &(&Elements, Vec<u64>)| {
        let mut strides = vec![0; chunk.shape().len()];
        let mut step = 1;
        for axis in change.axes.as_ref()?.iter().rev() {
            *strides.get_mut(*axis)? = step;
            step *= chunk.shape().get(*axis)?;
        }
        Some(!is_padding(chunk, inside, &strides)?)
    };
    padded.iter().any(|it| is_told(it) == Some(true))
}

/// The nanoseconds that it takes to look at the elements of a chunk that may be beyond the end of the array.
fn looking_beyond(chunk: &Elements) -> u64 {
    chunk.len().min(WORDS as u64) * BEYOND
}

/// The nanoseconds that it takes to look at every step along and across the rows of so many orders.
fn stepping(steps: &[RankedChunk], orders: usize, rank: usize) -> u64 {
    let words: usize = steps.iter().map(|chunk| chunk.ranks.len()).sum();
    (words * orders * 2 * rank) as u64 * STEPPING
}

/// The cause, with the breaks and the differences across rows in both layouts.
fn told(
    case: &Case,
    change: LayoutChange,
    there: Breaks,
    here: Breaks,
    near: f64,
    far: f64,
) -> Diagnosis {
    let mut diagnosis = Diagnosis::new(change.cause, change.sentence).because(format!(
        "At the row ends of this shape, neighbours in the file differ by {:.1} bits more than elsewhere; at those of \
         the declared shape, by {:.1}.",
        there.excess, here.excess
    ));
    diagnosis.evidence.push(format!(
        "Neighbours along all dimensions then differ by {near:.1} bits; as declared, by {far:.1}."
    ));
    change.what_if.mending(case.array, diagnosis)
}

fn changes(case: &Case, first: &Elements) -> Vec<LayoutChange> {
    let shape = first.shape();
    // Keys that only fit chunks of another shape leave no doubt between a shape and an order.
    let mut changes = other_shapes(case, first);
    if !changes.is_empty() {
        return changes;
    }
    // A dimension of one element may stand anywhere: of orders that are the same then, one that V2 has is told.
    let mut orders = permutations(shape.len());
    orders.sort_by_key(|order| !order.is_sorted() && !order.is_sorted_by(|a, b| a > b));
    let long = |memory: &[u64]| memory.iter().copied().filter(|n| *n > 1).collect::<Vec<u64>>();
    let mut seen = vec![long(&first.memory_shape())];
    for order in orders {
        let memory = reordered(shape, &order);
        if seen.contains(&long(&memory)) {
            continue;
        }
        seen.push(long(&memory));
        let (word, what_if) = order_words(&order);
        let sentence = format!(
            "The elements of the chunks are in {word}, which is not what the metadata declares."
        );
        let axes = Some(order);
        changes.push(LayoutChange { memory, axes, cause: "order/dimensions", sentence, what_if });
    }
    changes
}

/// Chunk shapes with the same lengths in another order, where the keys allow them.
fn other_shapes(case: &Case, first: &Elements) -> Vec<LayoutChange> {
    let (Ok(array), Ok(Grid::Regular(declared)), Some(keys)) =
        (&case.array.shape, &case.array.grid, case.symptoms.keys())
    else {
        return Vec::new();
    };
    if !first.is_c_order() || declared.as_slice() != first.shape() {
        return Vec::new();
    }
    let orphans = case.symptoms.orphans().unwrap_or_default();
    let new = permutations(declared.len()).into_iter().skip(1).filter_map(|order| {
        let new = reordered(declared, &order);
        let counts = Grid::Regular(new.clone()).counts(array);
        let fits = keys.iter().chain(orphans).all(|key| order::is_inside(key, &counts))
            && order::total(&counts) == Some((keys.len() + orphans.len()) as u128);
        (fits && new != *declared).then_some(new)
    });
    // A shape is only told from an order by keys: those that are stored must be those of the other grid.
    let moved = |new: &Vec<u64>| {
        Grid::Regular(new.clone()).counts(array) != Grid::Regular(declared.clone()).counts(array)
    };
    new.filter(moved)
        .map(|new| {
            let Reading { cause, sentence, what_if, .. } = reading(&new, declared);
            LayoutChange { memory: new, axes: None, cause, sentence, what_if }
        })
        .collect()
}

/// The lengths of rows of every depth: of one row, of all rows of a plane, ….
fn rows(memory: &[u64]) -> Vec<usize> {
    let inner = memory.iter().skip(1).rev();
    let products = inner.scan(1_u64, |product, &n| {
        *product = product.saturating_mul(n);
        Some(*product)
    });
    products.filter_map(|n| usize::try_from(n).ok()).filter(|&n| n > 1).collect()
}

/// True if a row of one of these lengths ends with the word `at`.
fn ends(lengths: &[usize], at: usize) -> bool {
    lengths.iter().any(|row| (at + 1).is_multiple_of(*row))
}

/// A chunk as ranks in the order of memory.
pub(super) struct RankedChunk {
    ranks: Vec<i128>,
    meaning: Meaning,
    /// The one that occurs so often that it marks what was not measured: where that begins and ends tells of no row.
    mark: Option<i128>,
}

impl RankedChunk {
    pub(super) fn of(elements: &Elements) -> Option<Self> {
        let Places::Fixed(size) = *elements.places() else { return None };
        // The first letters of texts say nothing of how they follow each other.
        if matches!(elements.data_type().default_scalar(), Scalar::Utf32(_)) {
            return None;
        }
        let bytes = elements.bytes().as_whole()?;
        let component = numbers(elements, bytes.get(..size)?).into_iter().next()?;
        let words = Words { bytes, size, component: &component };
        let ranks: Vec<i128> =
            (0..words.len().min(WORDS)).filter_map(|at| words.rank(at)).collect();
        let mark = mark(&ranks);
        Some(Self { ranks, meaning: component.meaning, mark })
    }

    /// The number of different words.
    pub(super) fn variety(&self) -> usize {
        self.ranks.iter().collect::<HashSet<_>>().len()
    }

    /// Each word and the next one, where both were measured; where floats go through 0 tells of no row either.
    pub(super) fn measured_steps(&self) -> impl Iterator<Item = (usize, i128, i128)> {
        self.pairs(1).filter(|(_, a, b)| step(*a, *b, self.meaning).is_some())
    }

    /// Each word and the one `lag` after it, where both were measured.
    fn pairs(&self, lag: usize) -> impl Iterator<Item = (usize, i128, i128)> {
        let pairs = self.ranks.iter().zip(self.ranks.get(lag..).unwrap_or_default()).enumerate();
        let pairs = pairs.map(|(at, (a, b))| (at, *a, *b));
        pairs.filter(|(_, a, b)| ![Some(*a), Some(*b)].contains(&self.mark))
    }

    /// The cost, in bits, of writing each word after the one `lag` before it.
    pub(super) fn costs(&self, lag: usize) -> impl Iterator<Item = (usize, f64)> {
        self.pairs(lag).filter_map(|(at, a, b)| Some((at, step(a, b, self.meaning)?)))
    }
}

/// The word that is more than every twentieth.
fn mark(ranks: &[i128]) -> Option<i128> {
    const OFTEN: usize = 20;
    let mut sorted = ranks.to_vec();
    sorted.sort_unstable();
    let longest = sorted.chunk_by(|a, b| a == b).max_by_key(|run| run.len())?;
    longest.first().copied().filter(|_| longest.len() * OFTEN > sorted.len())
}

/// The extra cost of a step at the end of a row.
#[derive(Debug, Clone, Copy, Default)]
struct Breaks {
    /// In bits.
    excess: f64,
    /// In standard errors.
    score: f64,
}

/// The chunks of a sample, each of which is asked for before it is looked at.
struct WantedChunks<'a> {
    case: &'a Case<'a>,
    all: &'a [RankedChunk],
}

impl WantedChunks<'_> {
    /// The costs of all chunks.
    fn costs(&self, lag: usize) -> impl Iterator<Item = (usize, f64)> {
        let wanted = self.all.iter().take_while(|_| !self.case.is_stopped());
        wanted.flat_map(move |chunk| chunk.costs(lag))
    }

    /// The breaks at the ends of rows of the lengths `rows`, those of rows of the lengths `others` being left out.
    fn breaks(&self, rows: &[usize], others: &[usize]) -> Breaks {
        let (mut at_end, mut within) = (PowerSums::default(), PowerSums::default());
        // Where each row ends, one of the others ends too: then those that end alone are what to compare with.
        let is_nested =
            rows.iter().all(|row| others.iter().any(|other| row.is_multiple_of(*other)));
        for (at, cost) in self.costs(1) {
            match (ends(rows, at), ends(others, at)) {
                (true, is_other) if is_other == is_nested => at_end.add(cost),
                (false, is_other) if is_other == is_nested => within.add(cost),
                _ => {}
            }
        }
        let excess = at_end.mean() - within.mean();
        let error = (at_end.variance_of_mean() + within.variance_of_mean()).sqrt().max(1e-9);
        if at_end.count < 8.0 || within.count < 8.0 {
            return Breaks::default();
        }
        Breaks { excess, score: excess / error }
    }

    /// True if values break as much at the ends of a part of these rows: they come round sooner than the rows end.
    fn break_sooner(&self, rows: &[usize], all: &[usize], whole: Breaks) -> bool {
        /// Of half of a row, every second end is that of the row.
        const AS_MUCH: f64 = 0.75;
        let parts = rows.iter().flat_map(|row| {
            (2..=8).filter(|part| row.is_multiple_of(*part)).map(move |part| row / part)
        });
        let mut parts = parts.filter(|part| *part >= ROW && !all.contains(part));
        parts.any(|part| self.breaks(&[part], all).excess > whole.excess * AS_MUCH)
    }

    /// True if the few largest steps are where rows end as declared, not where the others do, and are there by no accident.
    fn end_as_declared(&self, own: &[usize], others: &[usize]) -> bool {
        /// By how many bits a step is one of the largest, and more than the usual one; and the odds that are no accident.
        const LARGEST: f64 = 1.0;
        const MORE: f64 = 2.0;
        const ODDS: f64 = 64.0;
        let Some(&row) = own.iter().min() else { return false };
        let costs: Vec<(usize, f64)> = self.costs(1).collect();
        let most = costs.iter().map(|(_, cost)| *cost).fold(0.0, f64::max);
        let mean = mean(costs.iter().map(|(_, cost)| *cost));
        let largest: Vec<usize> =
            costs.iter().filter(|(_, cost)| *cost > most - LARGEST).map(|(at, _)| *at).collect();
        most > mean + MORE
            && (row as f64).powf(largest.len() as f64) >= ODDS
            && largest.iter().all(|at| ends(own, *at))
            && !largest.iter().all(|at| ends(others, *at))
    }

    /// True if values come round within such rows, though not within the `declared` ones: then those a row apart are alike by that.
    fn come_round(&self, rows: &[usize], declared: &[usize]) -> bool {
        /// The longest wave, the words that are looked at, and by how many bits they are closer than neighbours.
        const LONGEST: usize = 128;
        const MOST: usize = 1 << 13;
        const CLOSER: f64 = 1.0;
        let usual = |lag: usize| mean(self.costs(lag).take(MOST).map(|(_, cost)| cost));
        let is_wave = |lag: &usize| {
            rows.iter().all(|row| row.is_multiple_of(*lag))
                && !declared.iter().any(|row| lag.is_multiple_of(*row))
        };
        (2..=LONGEST).filter(is_wave).any(|lag| usual(lag) + CLOSER < usual(1))
    }

    /// True if values that are such a row apart are more alike where both are in one declared row: these repeat within it.
    fn repeat_within(&self, rows: &[usize], declared: &[usize]) -> bool {
        /// By how many bits.
        const CLOSER: f64 = 0.25;
        let Some(&own) = declared.iter().min() else { return false };
        let mut parts = rows.iter().copied().filter(|row| own.is_multiple_of(*row) && *row < own);
        parts.any(|row| {
            let (mut within, mut across) = (PowerSums::default(), PowerSums::default());
            for (at, cost) in self.costs(row) {
                let sums = if at / own == (at + row) / own { &mut within } else { &mut across };
                sums.add(cost);
            }
            within.count > 0.0 && within.mean() + CLOSER < across.mean()
        })
    }

    /// The share of the words that are those `lag` before them.
    fn equal(&self, lag: usize) -> f64 {
        mean(self.costs(lag).map(|(_, cost)| if cost > 0.0 { 0.0 } else { 1.0 }))
    }

    /// The cost of a step across a row, in bits: the mean over all dimensions but the fastest.
    fn alike(&self, memory: &[u64]) -> f64 {
        mean(rows(memory).into_iter().flat_map(|row| self.costs(row)).map(|(_, cost)| cost))
    }
}
