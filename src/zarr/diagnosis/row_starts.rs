//! Rows that begin elsewhere than the metadata say: values jump at one place within every row, and go on from the end of each
//! row to the start of the next. And rows that hold differences, as the predictor of TIFF leaves them: a first value, and
//! small ones after it.

use super::prelude::*;
use super::{layout::RankedChunk, reading::could_be_better};

/// The nanoseconds that it takes to read an element and to sum its row, and to look at a step.
const SUMMING: u64 = 40;
const STEPPING: u64 = 6;
/// The shortest rows, and the fewest, that tell.
const LENGTH: usize = 8;
const ROWS: usize = 12;
/// By how many bits a jump must be larger than the steps in a row, and than the next largest.
const JUMP: f64 = 2.0;
const CLEAR: f64 = 1.0;
/// The number of standard errors by which it must stand out.
const SURE: f64 = 8.0;
/// The factor by which the first value of a row of differences is larger than the others.
const LARGER: i128 = 16;
/// The factor by which rows may be less alike at their ends than at their starts.
const LESS_ALIKE: i128 = 4;
/// Of fewer different values, nothing is told.
const VARIED: usize = 32;

/// The bytes of an element.
fn item_size(declared: &ReadingOutcome) -> Option<usize> {
    declared.chunks.first()?.data_type().fixed_size()
}

/// Spends so many nanoseconds of work for each element; `None` where they are not left.
fn spend(case: &Case, chunks: &[Elements], each: u64) -> Option<()> {
    case.spend(chunks.iter().map(Elements::len).sum::<u64>() * each).then_some(())
}

/// The length of the rows of chunks, in elements, if they are stored row by row.
fn row_length(chunks: &[Elements]) -> Option<usize> {
    let first = chunks.first().filter(|chunk| chunk.shape().len() > 1)?;
    let length = usize::try_from(*first.shape().last()?).ok()?;
    let is_alike = chunks.iter().all(|chunk| chunk.is_c_order() && chunk.shape() == first.shape());
    (is_alike && length >= LENGTH).then_some(length)
}

/// The length of the array along the rows.
fn width(case: &Case) -> Option<u64> {
    case.array.known_shape()?.last().copied()
}

/// The cause, if the bytes of all chunks are shifted by a part of a row.
pub(super) fn shifted(case: &Case, declared: &ReadingOutcome) -> Option<Diagnosis> {
    let width = width(case)?;
    let length = row_length(&declared.chunks).filter(|length| *length as u64 == width)?;
    spend(case, &declared.chunks, STEPPING)?;
    let steps: Vec<RankedChunk> = declared.chunks.iter().filter_map(RankedChunk::of).collect();
    if steps.iter().map(RankedChunk::variety).max()? < VARIED {
        return None;
    }
    // The step to each place of a row; to the first one, from the end of the row before.
    let mut places = vec![PowerSums::default(); length];
    for (at, a, b) in steps.iter().flat_map(RankedChunk::measured_steps) {
        places.get_mut((at + 1) % length)?.add(cost(a, b));
    }
    let across = places.first()?.mean();
    let mut within: Vec<(usize, PowerSums)> = places.iter().copied().enumerate().skip(1).collect();
    within.sort_by(|a, b| b.1.mean().total_cmp(&a.1.mean()));
    let (&(start, largest), &(_, next)) = (within.first()?, within.get(1)?);
    let (_, usual) = within.get(within.len() / 2)?;
    let excess = largest.mean() - usual.mean();
    let error = largest.variance_of_mean() + usual.variance_of_mean();
    let is_sure = excess / error.sqrt().max(1e-9) >= SURE;
    let is_clear = excess >= JUMP && is_sure && largest.mean() - next.mean() >= CLEAR;
    let are_enough = largest.count >= ROWS as f64;
    if !is_clear || !are_enough || across > usual.mean() + JUMP / 4.0 {
        return None;
    }
    // What repeats at both ends of a row, and an angle that comes round, look so too.
    let (ends, jumps) = (differences_at(&steps, 0, length), differences_at(&steps, start, length));
    let is_still = ends.iter().filter(|step| **step == 0).count() * 2 >= ends.len();
    let middle = *jumps.get(jumps.len() / 2)?;
    let alike = jumps.iter().filter(|jump| (*jump - middle).abs() * 8 <= middle.abs()).count();
    if is_still || alike * 2 >= jumps.len() {
        return None;
    }
    let text = format!(
        "The chunks are shifted by {}: the first {} of each row belong to the end of the row before.",
        byte_count(start * item_size(declared)?),
        counted(start as u64, "element")
    );
    Some(
        Diagnosis::new("shifted/rows", text)
            .because(format!(
                "Between elements {} and {start} of a row, neighbours differ by {excess:.1} bits more than elsewhere; from \
                 the end of a row to the start of the next, by {:.1}.",
                start - 1,
                (across - usual.mean()).max(0.0)
            ))
            .because("A reference into a larger file with a wrong offset has this effect; no edit of the metadata \
                      corrects it."),
    )
}

/// The steps to one place of every row, sorted.
fn differences_at(chunks: &[RankedChunk], place: usize, length: usize) -> Vec<i128> {
    let steps = chunks.iter().flat_map(RankedChunk::measured_steps);
    let at_place = steps.filter(|(at, ..)| (at + 1) % length == place);
    let mut steps: Vec<i128> = at_place.map(|(_, a, b)| b - a).collect();
    steps.sort_unstable();
    steps
}

/// The sizes of numbers in rows of chunks, sorted.
#[derive(Default)]
struct RowSizes {
    firsts: Vec<i128>,
    others: Vec<i128>,
    /// By how much the first values of neighbouring rows differ, and the sums of whole rows.
    starts: Vec<i128>,
    ends: Vec<i128>,
}

impl RowSizes {
    /// The rows of `length` integers.
    fn of(chunks: &[Elements], length: usize) -> Option<Self> {
        let bits = chunks.first()?.data_type().fixed_size()? * 8;
        let mut all = Self::default();
        for chunk in chunks {
            let value = |at: u64| Some(signed(chunk.value(at)?.ok()?.to_integer()?, bits));
            let values: Vec<i128> = (0..chunk.len()).map(value).collect::<Option<_>>()?;
            let rows = || values.chunks_exact(length);
            for row in rows() {
                all.firsts.push(row.first()?.abs());
                all.others.extend(row.iter().skip(1).map(|value| value.abs()));
            }
            for (row, next) in rows().zip(rows().skip(1)) {
                let apart = next.iter().sum::<i128>() - row.iter().sum::<i128>();
                all.starts.push((next.first()? - row.first()?).abs());
                all.ends.push(signed(apart, bits).abs());
            }
        }
        for numbers in [&mut all.firsts, &mut all.others, &mut all.starts, &mut all.ends] {
            numbers.sort_unstable();
        }
        Some(all)
    }
}

/// The cause, if each row holds its first value and then differences.
pub(super) fn differences(case: &Case, declared: &ReadingOutcome) -> Option<Diagnosis> {
    let width = width(case)?;
    let length = row_length(&declared.chunks).filter(|length| *length >= 2 * LENGTH)?;
    // In rows as long as the array, the first one may be a column of its own.
    if length as u64 * 2 > width {
        return None;
    }
    declared.chunks.first()?.value(0)?.ok()?.to_integer()?;
    spend(case, &declared.chunks, SUMMING)?;
    let rows = RowSizes::of(&declared.chunks, length)?;
    let median = |numbers: &[i128]| numbers.get(numbers.len() / 2).copied();
    let (first, other) = (median(&rows.firsts)?, median(&rows.others)?.max(1));
    let (start, end) = (median(&rows.starts)?.max(1), median(&rows.ends)?);
    let is_first = first > other * LARGER && rows.firsts.first()? > &(other * LARGER / 2);
    let are_alike = end <= start * LESS_ALIKE && end <= other * LENGTH as i128;
    if rows.firsts.len() < ROWS || !is_first || !are_alike {
        return None;
    }
    let told = |value: i128| number(value as f64);
    let text = "The values are differences along each row: a predictor, such as that of TIFF, was never undone.";
    Some(
        Diagnosis::new("filter/row-predictor", text)
            .because(format!(
                "In the {} examined, the first value is around {}, and those after it around {}.",
                counted(rows.firsts.len(), "row"),
                told(first),
                told(other)
            ))
            .because(format!(
                "Summed, neighbouring rows are alike at their ends too: they differ by {} at the start and by {} at \
                 the end.",
                told(start),
                told(end)
            ))
            .because("No Zarr codec sums each row on its own: the chunks have to be written again."),
    )
}

/// The cause, if each row holds the differences of its bytes, the first bytes of all numbers before the second ones: the
/// predictor of TIFF for floats.
pub(super) fn byte_planes(case: &Case, declared: &ReadingOutcome) -> Option<Diagnosis> {
    let known = declared.measure.filter(|_| could_be_better(declared))?;
    let (length, size) = (row_length(&declared.chunks)?, item_size(declared)?);
    let first = declared.chunks.first()?;
    let order = first.order().uniform()?;
    if size < 2 {
        return None;
    }
    spend(case, &declared.chunks, SUMMING)?;
    let undone = declared.chunks.iter().map(|chunk| {
        let bytes = chunk.bytes().as_whole()?;
        let rows =
            bytes.chunks_exact(length * size).flat_map(|row| without_planes(row, size, order));
        Some(chunk.over(Bytes::whole(rows.collect())))
    });
    let found = measure(&undone.collect::<Option<Vec<Elements>>>()?, &case.budget())?;
    (found.is_smooth() && found.saves(&known) >= LESS && found.words >= FEW).then(|| {
        let text = "The rows hold the differences of bytes: the predictor of TIFF for floats was never undone.";
        Diagnosis::new("filter/float-predictor", text)
            .because(values(&found))
            .because(format!(
                "As declared, neighbouring values differ by {}, {:.1} of 8 bits for each byte.",
                number(known.step),
                known.bits
            ))
            .because("No registered codec undoes it: the chunks have to be written again.")
    })
}

/// A row of numbers of `size` bytes, of which `row` has the differences of bytes, plane by plane.
fn without_planes(row: &[u8], size: usize, order: Endian) -> Vec<u8> {
    let mut last = 0_u8;
    let mut sums = row.iter().map(|byte| {
        last = last.wrapping_add(*byte);
        last
    });
    let length = row.len() / size;
    let mut numbers = vec![0; row.len()];
    // The uppermost byte of every number comes first.
    for plane in 0..size {
        let at = if order == Endian::Little { size - 1 - plane } else { plane };
        for (number, byte) in sums.by_ref().take(length).enumerate() {
            if let Some(place) = numbers.get_mut(number * size + at) {
                *place = byte;
            }
        }
    }
    numbers
}

/// An integer as one with a sign, of so many bits.
fn signed(value: i128, bits: usize) -> i128 {
    if bits >= 64 {
        return value;
    }
    let all = 1_i128 << bits;
    let value = value.rem_euclid(all);
    if value >= all / 2 { value - all } else { value }
}
