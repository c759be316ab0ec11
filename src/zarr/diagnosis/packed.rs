//! Chunks that were packed with another `scale_factor` and `add_offset` than the attributes have: their numbers go on into
//! those of their neighbours once they are multiplied by one number and another one is added.

use super::{prelude::*, seams::DecodedChunk};
use crate::zarr::statistics::pairs::{correlation, moments};
use std::ops::RangeInclusive;

/// The fewest pairs of numbers at borders that say something.
const FEWEST: usize = 24;
/// The pairs at the border of a corner are fewer, and are no border of their own.
const CORNER: usize = 6;
/// The fewest borders of which one alone tells.
const FEW: usize = 5;
/// The factor from which on one of fewer tells.
const STEEP: f64 = 2.0;
/// By how many times numbers at borders must be closer, and how many steps apart they may be.
const CLOSER: f64 = 3.0;
const NEAR: f64 = 4.0;
/// So many steps before a border, at most, are compared with that across it.
const WITHIN: u64 = 16;
/// The most rows of chunks that may be the first ones with other constants.
const MOST: u64 = 64;
/// The factors between scenes of several days in other light.
const LIGHT: RangeInclusive<f64> = 0.66..=1.5;
/// The least correlation of numbers on both sides of borders.
const ALIKE: f64 = 0.95;

/// The cause, if some of the chunks of packed integers have other constants.
pub(super) fn diagnose(
    case: &Case,
    samples: &[Sample],
    blocks: &AdjacentChunks,
) -> Option<Diagnosis> {
    let packing = Packing::of(case.array);
    if blocks.all.len() < 3 {
        return None;
    }
    let seams = blocks.seams(&blocks.declared(), None);
    let mut sets = vec![largest(blocks.all.len(), &seams)];
    sets.extend(without_one(blocks, &seams));
    let found = sets.iter().find_map(|main| Some((constants(blocks, &seams, main)?, main)));
    let Some((Constants { line, borders, before, after }, main)) = found else {
        return twice(case, blocks, &sets);
    };
    let odd: Vec<usize> = (0..blocks.all.len()).filter(|at| !main.contains(at)).collect();
    let (factor, offset) = line;
    let diagnosis = told(&packing, line, keys_of(samples, &odd)).because(format!(
        "At {} stored numbers differ by {} on average; times {} plus {}, by {}.",
        counted(borders as u64, "border"),
        number(before),
        number(factor),
        number(offset),
        number(after)
    ));
    Some(diagnosis)
}

/// The cause, if the numbers of the chunks that are not in one of `sets` are those that packing makes of numbers such as the
/// others have: they were packed already.
fn twice(case: &Case, blocks: &AdjacentChunks, sets: &[Vec<usize>]) -> Option<Diagnosis> {
    /// The fewest different numbers, of how many hardly any may be another one, and what share of all numbers these may be.
    const DIFFERENT: usize = 64;
    const NEARLY_ALL: f64 = 0.98;
    const RARE: f64 = 0.25;
    let packing = Packing::of(case.array);
    let data_type = case.array.data_type()?;
    let bits = data_type.fixed_size().filter(|size| *size <= 4)? * 8;
    let is_signed = matches!(data_type.default_scalar(), Scalar::Int(_));
    let all: Vec<HashSet<i64>> = blocks.all.iter().map(numbers_of).collect();
    let of = |wanted: &dyn Fn(&usize) -> bool| {
        let some = all.iter().enumerate().filter(|(at, _)| wanted(at));
        some.flat_map(|(_, numbers)| numbers).copied().collect::<HashSet<i64>>()
    };
    let is_twice = |main: &&Vec<usize>| {
        let (usual, odd) = (of(&|at| main.contains(at)), of(&|at| !main.contains(at)));
        let packed = packed_again(&packing, (bits, is_signed), &usual).unwrap_or_default();
        let share = |of: &HashSet<i64>| {
            of.iter().filter(|it| packed.contains(it)).count() as f64 / of.len().max(1) as f64
        };
        let by_chance = packed.len() as f64 / 2_f64.powf(bits as f64);
        odd.len() >= DIFFERENT
            && main.len() * 2 >= all.len()
            && by_chance <= RARE
            && share(&odd) >= NEARLY_ALL
            && share(&usual) <= 2.0 * RARE
    };
    // Numbers packed twice go up and down so much that no border is broken: those are all in what is made of the first chunk.
    let of_first = packed_again(&packing, (bits, is_signed), all.first()?).unwrap_or_default();
    let usual = |at: &usize| {
        all.get(*at).is_some_and(|numbers| numbers.iter().any(|it| !of_first.contains(it)))
    };
    let by_first: Vec<usize> = (0..all.len()).filter(usual).collect();
    let sets = sets.iter().chain(std::iter::once(&by_first));
    let main = sets.take_while(|_| !case.is_stopped()).find(is_twice)?;
    let odd = of(&|at| !main.contains(at));
    let files = (0..all.len()).filter(|at| !main.contains(at));
    let files: Vec<String> =
        files.filter_map(|at| Some(case.layout.key(&blocks.all.get(at)?.at))).collect();
    let were = if files.len() == 1 { "was" } else { "were" };
    let text = format!(
        "{} {were} packed twice: scale_factor and add_offset were applied to numbers that \
        were packed already.",
        named(&files)
    );
    let diagnosis = Diagnosis::new("packing/twice", text).because(format!(
        "The {} different numbers examined there are those that scale_factor and add_offset make of numbers such as the \
         other chunks have, in {bits} bits.",
        grouped(odd.len())
    ));
    Some(diagnosis.in_files(files))
}

/// The different numbers among some of a chunk.
fn numbers_of(chunk: &DecodedChunk) -> HashSet<i64> {
    const MOST: u64 = 1 << 12;
    let step = usize::try_from(chunk.elements.len().div_ceil(MOST).max(1)).unwrap_or(usize::MAX);
    let number = |at| chunk.elements.value(at)?.ok()?.to_integer()?.try_into().ok();
    (0..chunk.elements.len()).step_by(step).filter_map(number).collect()
}

/// The numbers that packing makes of those in the range of `usual` and around it, as integers of so many bits; `None` where
/// the range is wide.
fn packed_again(
    packing: &Packing,
    (bits, is_signed): (usize, bool),
    usual: &HashSet<i64>,
) -> Option<HashSet<i64>> {
    const WIDEST: i64 = 1 << 16;
    let (low, high) = (*usual.iter().min()?, *usual.iter().max()?);
    let beside = high.checked_sub(low).filter(|width| *width <= WIDEST)?;
    let all = 1_i64 << bits;
    let again = |number: i64| {
        let packed = ((number as f64 - packing.offset) / packing.factor).round();
        let packed = rounded(packed)?.rem_euclid(all);
        Some(if packed >= all / 2 && is_signed { packed - all } else { packed })
    };
    Some((low - beside..=high + beside).filter_map(again).collect())
}

/// A whole number as an integer, where it is near enough to be one.
#[expect(clippy::cast_possible_truncation, reason = "larger numbers are refused")]
fn rounded(number: f64) -> Option<i64> {
    (number.abs() < 9e15).then_some(number as i64)
}

/// The factor and the offset that bring the numbers of some blocks next to those of the others.
struct Constants {
    /// The factor and the offset.
    line: (f64, f64),
    /// The number of borders that say so.
    borders: usize,
    /// The mean distance of the numbers at them, as they are stored and after that.
    before: f64,
    after: f64,
}

/// The constants of all blocks but those of `main`, if they have others.
fn constants(blocks: &AdjacentChunks, seams: &[Seam], main: &[usize]) -> Option<Constants> {
    let (borders, points) = borders(blocks, seams, main);
    let odd = blocks.all.len() - main.len();
    // Of chunks as wide as the array, an append has one border; then all others must go on.
    let broken = seams.iter().filter(|seam| seam.is_broken()).count();
    let is_single = borders == 1 && broken == 1 && seams.len() > 1;
    // What goes on steeply is seen best halfway across.
    let at_border = points.iter().map(|[_, a, b, _]| (*a, *b));
    let halfway = points.iter().map(|[c, a, b, d]| (a + (a - c) / 2.0, b + (b - d) / 2.0));
    let of_sides: [Vec<(f64, f64)>; 2] = [at_border.collect(), halfway.collect()];
    let better = |a: &&Vec<_>, b: &&Vec<_>| correlation(a).total_cmp(&correlation(b));
    let pairs = of_sides.iter().max_by(better)?;
    let line = line(pairs)?;
    // Numbers that are that many times as large go on into none by accident.
    let is_steep = line.0 >= STEEP || line.0 <= 1.0 / STEEP;
    let is_clear = borders > 1 || is_single && (is_steep || seams.len() >= FEW);
    if odd == 0 || odd > main.len() || borders == 0 || !is_clear || pairs.len() < FEWEST {
        return None;
    }
    let step = |[c, a, b, d]: &[f64; 4]| (line.0 * (a - c)).abs() + (b - d).abs();
    let beside = points.iter().map(step).sum::<f64>() / (2 * points.len()).max(1) as f64;
    let usual = 2_f64.powf(blocks.steps_in(main)?).max(beside);
    let (before, after) = (distance(pairs, (1.0, 0.0)), distance(pairs, line));
    let is_near = after * CLOSER <= before && after <= NEAR * usual;
    // Of places without an order, such as rivers, one column is a multiple of the next one everywhere.
    let is_border = |seam: &&Seam| seam.is_border_of(main);
    let apart = |seam: &Seam, at| distance(&blocks.values_at(seam, at), (1.0, 0.0));
    let is_usual = |seam: &Seam| (1..=WITHIN).any(|at| apart(seam, at) >= apart(seam, 0));
    // Scenes of several days, in other light, are multiples of each other everywhere, within chunks as well.
    let axis = seams.iter().find(is_border).map(|seam| seam.axis);
    let along = || seams.iter().filter(|seam| Some(seam.axis) == axis);
    let are_multiples = || along().all(|seam| self::line(&blocks.values_at(seam, 1)).is_some());
    let is_as_far = |seam: &Seam| {
        let first = u64::from(is_border(&seam));
        (first..=WITHIN).any(|at| apart(seam, at) * 2.0 >= before)
    };
    // What one border says, waves say that are as steep in some other place of the chunks that nobody doubts.
    let is_sound = |seam: &&Seam| {
        main.contains(&seam.blocks.0) && !is_border(seam) && blocks.border(seam).len() >= CORNER
    };
    let is_steep_elsewhere = || {
        borders == 1
            && along().filter(is_sound).any(|it| (0..=WITHIN).any(|at| apart(it, at) >= before))
    };
    let is_natural = || LIGHT.contains(&line.0) && are_multiples() && along().any(is_as_far);
    let is_told = is_near
        && !seams.iter().filter(is_border).all(is_usual)
        && !is_natural()
        && !is_steep_elsewhere();
    is_told.then_some(Constants { line, borders, before, after })
}

/// All blocks but one, and all but those from one on along a dimension, where borders between them are broken: in some
/// places, numbers packed in two ways are the same.
fn without_one(blocks: &AdjacentChunks, seams: &[Seam]) -> Vec<Vec<usize>> {
    let rank = blocks.all.first().map_or(0, |block| block.at.len());
    let ones = (0..blocks.all.len()).map(|odd| vec![odd]);
    let last = |axis: usize| {
        blocks.all.iter().filter_map(|block| block.at.get(axis).copied()).max().unwrap_or(0)
    };
    let rows = (0..rank).flat_map(|axis| (1..=last(axis).min(MOST)).map(move |n| (axis, n)));
    let sets = ones.chain(rows.map(|(axis, first)| blocks.split_at(axis, first).0));
    let is_broken = |odd: &Vec<usize>| {
        let borders = || seams.iter().filter(|seam| seam.is_border_of(odd));
        let broken = borders().filter(|seam| seam.is_broken()).count();
        broken > 0 && broken * 2 >= borders().count()
    };
    let main = |odd: Vec<usize>| (0..blocks.all.len()).filter(|at| !odd.contains(at)).collect();
    sets.filter(is_broken).map(main).collect()
}

fn told(packing: &Packing, (factor, offset): (f64, f64), files: Vec<String>) -> Diagnosis {
    let (subject, its) = match files.as_slice() {
        [one] => (format!("{one} was packed with other constants than the rest"), "its"),
        files => {
            let text =
                format!("{} chunks were packed with other constants than the rest", files.len());
            (format!("{text} ({})", named(files)), "their")
        }
    };
    let sentence = format!(
        "{subject}: {its} scale_factor is about {} and {its} add_offset about {}, not {} and {} as the attributes \
         declare.",
        number(packing.factor * factor),
        number(packing.offset + packing.factor * offset),
        number(packing.factor),
        number(packing.offset)
    );
    Diagnosis::new("packing/other-constants", sentence).in_files(files)
}

/// The number of borders of `main` with other blocks, and the numbers at them: those of the others first.
fn borders(blocks: &AdjacentChunks, seams: &[Seam], main: &[usize]) -> (usize, Vec<[f64; 4]>) {
    let borders: Vec<&Seam> = seams.iter().filter(|seam| seam.is_border_of(main)).collect();
    let pairs = borders.iter().flat_map(|seam| {
        let is_first = main.contains(&seam.blocks.0);
        let turned = move |mut four: [f64; 4]| {
            if is_first {
                four.reverse();
            }
            four
        };
        blocks.border(seam).into_iter().map(turned)
    });
    let wide = borders.iter().filter(|seam| blocks.border(seam).len() >= CORNER).count();
    // Where there are none but corners, these are one.
    let count = if wide == 0 { borders.len().min(1) } else { wide };
    (count, pairs.collect())
}

/// The largest set of blocks that go on into each other.
fn largest(count: usize, seams: &[Seam]) -> Vec<usize> {
    let mut set: Vec<usize> = (0..count).collect();
    for seam in seams.iter().filter(|seam| !seam.is_broken()) {
        let (Some(&a), Some(&b)) = (set.get(seam.blocks.0), set.get(seam.blocks.1)) else {
            continue;
        };
        set.iter_mut().filter(|of| **of == b).for_each(|of| *of = a);
    }
    let of = |wanted: usize| (0..count).filter(|at| set.get(*at) == Some(&wanted)).collect();
    // Of two as large, the first one: what was appended comes after it.
    (0..count).rev().map(of).max_by_key(|blocks: &Vec<usize>| blocks.len()).unwrap_or_default()
}

/// The factor and the offset that bring the first numbers of pairs next to the second ones; `None` where they are not alike.
fn line(pairs: &[(f64, f64)]) -> Option<(f64, f64)> {
    let [x, y, xx, yy, _] = moments(pairs);
    (correlation(pairs) > ALIKE).then(|| {
        // A factor of almost 1 is 1: then the offset alone is another one.
        // Both sides are rough alike: neither is the one that the other depends on.
        let factor = (yy / xx).sqrt();
        let factor = if (factor - 1.0).abs() < 0.02 { 1.0 } else { factor };
        (factor, y - factor * x)
    })
}

/// The mean distance of the numbers of pairs.
fn distance(pairs: &[(f64, f64)], (factor, offset): (f64, f64)) -> f64 {
    let count = pairs.len().max(1) as f64;
    pairs.iter().map(|(x, y)| (factor * x + offset - y).abs()).sum::<f64>() / count
}
