//! Missing cells that are the same at every step, such as land, and at a few steps their mirror image: those are stored in the
//! reverse order along a dimension.

use super::{prelude::*, seams::DecodedChunk};
use crate::zarr::metadata::Meant;

/// The fewest steps that are alike for each that is not, and of all.
const TIMES: usize = 2;
const FEWEST: usize = 4;
/// The fewest cells that differ from those of the mirror image.
const CELLS: usize = 16;

/// The cells of a step that are missing, and the number of the sample that it is in.
struct MaskedStep {
    index: u64,
    sample: usize,
    missing: Vec<bool>,
}

/// The cause, if the missing cells of some steps along the first dimension are, to the last one, the mirror image of those of most
/// others. No field does that by itself.
pub(super) fn diagnose(
    case: &Case,
    samples: &[Sample],
    blocks: &AdjacentChunks,
) -> Option<Diagnosis> {
    let (&count, others) = case.layout.counts.split_first()?;
    // Chunks have whole steps: those of parts of steps would have to be put together.
    if others.is_empty() || others.iter().any(|count| *count != 1) || count < 2 {
        return None;
    }
    let may_miss = case.array.data_type()?.name().starts_with("float")
        || !Packing::of(case.array).masks.is_empty();
    let shape = case.array.known_shape()?.get(1..).filter(|_| may_miss)?;
    let mut steps = Vec::new();
    for (number, chunk) in blocks.all.iter().enumerate() {
        steps.extend(masked(case, chunk, number)?);
    }
    let mut alike = HashMap::<&[bool], usize>::new();
    for step in &steps {
        *alike.entry(&step.missing).or_default() += 1;
    }
    let (usual, of) = alike.into_iter().max_by_key(|(_, count)| *count)?;
    let odd: Vec<&MaskedStep> = steps.iter().filter(|step| step.missing != usual).collect();
    if odd.is_empty() || of < FEWEST.max(odd.len() * TIMES) {
        return None;
    }
    let is_mirrored = |axis: &usize| {
        let Some(mirror) = mirrored(usual, shape, *axis) else { return false };
        let differ = usual.iter().zip(&mirror).filter(|(a, b)| a != b).count();
        differ >= CELLS && odd.iter().all(|step| step.missing == mirror)
    };
    let axis = (0..shape.len()).find(is_mirrored)?;
    let (first, last) = (odd.first()?.index, odd.last()?.index);
    let steps = match odd.len() {
        1 => format!("The step at index {first} along dimension 0 is"),
        _ => format!(
            "{} along dimension 0, at indices {first} to {last}{}, are",
            counted(odd.len(), "step"),
            if last - first < odd.len() as u64 { "" } else { ", others between them" }
        ),
    };
    let text = format!("{steps} stored in the reverse order along dimension {}.", axis + 1);
    let missing = usual.iter().filter(|it| **it).count();
    let mut diagnosis = Diagnosis::new("reversed/by-mask", text).because(format!(
        "The same {} of {} cells are missing in {} others examined; in these, exactly their mirror image is.",
        grouped(missing),
        grouped(usual.len()),
        grouped(of)
    ));
    diagnosis.files =
        odd.iter().filter_map(|step| Some(samples.get(step.sample)?.key.clone())).collect();
    diagnosis.files.dedup();
    Some(diagnosis)
}

/// The steps of a chunk.
fn masked(case: &Case, chunk: &DecodedChunk, sample: usize) -> Option<Vec<MaskedStep>> {
    let packing = Packing::of(case.array);
    let region = case.array.region(&chunk.at)?;
    let extent = lengths(&region);
    let inside = order::product(extent.get(1..)?)?;
    // Elements in the order of the array are found without their coordinates.
    let is_plain = chunk.elements.is_c_order() && chunk.elements.shape() == extent;
    let step = |number: u64| {
        let is_missing = |cell: u64| {
            let at = number * inside + cell;
            let place = || order::coordinates(u128::from(at), &extent);
            let position = if is_plain { at } else { chunk.elements.position(&place()) };
            let value = chunk.elements.value(position)?.ok()?;
            Some(value.is_nan() || matches!(packing.meant(&value), Meant::Missing(_)))
        };
        let missing =
            case.budget().while_wanted(0..inside).map(is_missing).collect::<Option<_>>()?;
        Some(MaskedStep { index: region.first()?.start + number, sample, missing })
    };
    let all = order::product(&extent)?;
    case.spend(all * 8).then(|| (0..*extent.first()?).map(step).collect::<Option<_>>())?
}

/// The cells in the reverse order along a dimension.
fn mirrored(cells: &[bool], shape: &[u64], axis: usize) -> Option<Vec<bool>> {
    let inner = order::product(shape.get(axis + 1..)?)?;
    let inner = usize::try_from(inner).ok().filter(|inner| *inner > 0)?;
    let length = usize::try_from(*shape.get(axis)?).ok()?;
    let rows = cells.chunks(inner.checked_mul(length)?.max(1));
    Some(rows.flat_map(|row| row.chunks(inner).rev().flatten()).copied().collect())
}
