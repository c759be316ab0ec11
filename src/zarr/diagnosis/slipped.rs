//! Chunks in which all bytes are some bytes later from one place on: part of an upload that was sent twice, or lost. Numbers of
//! several bytes are then made of the bytes of two.

use super::prelude::*;
use crate::zarr::plausibility::step;

/// The runs of numbers that are looked at in a chunk, the numbers of each, and the fewest runs on either side.
const RUNS: usize = 64;
const RUN: usize = 32;
const FEWEST: usize = 4;
/// By how many bits a step costs more behind the place, and the part of it that is left once the bytes are moved.
const ROUGHER: f64 = 4.0;
const LEFT: f64 = 0.25;

/// The cause, if the bytes of an uncompressed chunk are moved from one place on.
pub(super) fn diagnose(case: &Case, samples: &[Sample]) -> Option<Diagnosis> {
    samples.iter().find_map(|sample| {
        let is_raw = case.raw_len() == Some(sample.bytes.len() as u64);
        let elements = is_raw.then(|| case.read(case.array, sample))??;
        let bytes = elements.bytes().as_whole()?;
        let size = elements.data_type().fixed_size()?;
        let component = numbers(&elements, bytes.get(..size)?).into_iter().next()?;
        let width = component.width;
        (size == width && component.count == 1 && width > 1).then_some(())?;
        let words = |moved: usize| Words { bytes: bytes.get(moved..).unwrap_or_default(), size, component: &component };
        let cost = |moved: usize, at: Range<usize>| {
            let words = words(moved);
            let between = |at: usize| step(words.rank(at)?, words.rank(at + 1)?, component.meaning);
            mean(at.filter_map(between))
        };
        let declared = words(0).len();
        let apart = declared.checked_sub(RUN + 2)? / RUNS;
        (apart >= RUN).then_some(())?;
        let run = |at: usize| at * apart..at * apart + RUN;
        let costs: Vec<f64> = (0..RUNS).map(|at| cost(0, run(at))).collect();
        let mean_of = |costs: &[f64]| mean(costs.iter().copied());
        let rougher = |at: &usize| {
            let (before, behind) = costs.split_at(*at);
            mean_of(behind) - mean_of(before)
        };
        let place = (FEWEST..=RUNS - FEWEST).max_by(|a, b| rougher(a).total_cmp(&rougher(b)))?;
        let (excess, (before, behind)) = (rougher(&place), costs.split_at(place));
        let is_apart = before.iter().copied().fold(0.0, f64::max) < behind.iter().copied().fold(f64::INFINITY, f64::min);
        (excess >= ROUGHER && is_apart).then_some(())?;
        let left = |moved: &usize| {
            mean((place..RUNS).map(|at| cost(*moved, run(at)))) - mean_of(before)
        };
        let moved = (1..width).min_by(|a, b| left(a).total_cmp(&left(b)))?;
        (left(&moved) <= LEFT * excess).then_some(())?;
        // The place itself is between two runs: where steps become cheap in the other reading.
        let between = place.saturating_sub(1) * apart..place * apart + RUN;
        let at = between.clone().min_by(|a, b| {
            let whole = |at: usize| {
                cost(0, between.start..at) * (at - between.start) as f64 + cost(moved, at..between.end) * (between.end - at) as f64
            };
            whole(*a).total_cmp(&whole(*b))
        })?;
        let (bytes, word) = if moved * 2 <= width { (moved, "later") } else { (width - moved, "earlier") };
        let text = format!("From about byte {} of {} on, all bytes are {} {word}.", grouped(at * width), sample.key, byte_count(bytes));
        let diagnosis = Diagnosis::new("shifted/bytes", text)
            .because(format!(
                "From there on neighbours differ by {} bits more than before; read {} {word}, by {} more.",
                number(excess),
                byte_count(bytes),
                number(left(&moved).max(0.0))
            ))
            .because("An upload part of which was sent twice, or lost, has this effect.")
            .to_do(again(&sample.key));
        Some(diagnosis.in_files(vec![sample.key.clone()]))
    })
}
