//! The same variable at a coarser resolution in a group beside its own: what is missing there is missing here.

use super::Related;
use crate::zarr::conventions::prelude::*;

/// The factors between two levels, and the fewest missing elements that tell.
const FACTORS: std::ops::RangeInclusive<u64> = 2..=16;
const FEWEST: usize = 16;
/// The most groups among which levels are looked for: images have few.
const LEVELS: usize = 16;
/// The share of elements that are 0 where the other level has none, and at most elsewhere.
const ALL: f64 = 0.98;
const FEW: f64 = 0.02;

/// The warning on zeros where a coarser level has missing elements.
pub(super) fn check(related: &Related) -> Option<Problem> {
    let (array, shape) = (related.array, related.array.known_shape()?);
    let [rows, columns] = *shape.as_slice() else { return None };
    let is_float = matches!(array.data_type()?.default_scalar(), Scalar::Float(_));
    let fill = array.fill_scalar().and_then(|fill| fill.to_f64())?;
    let group = related.path.parent()?;
    let around = group.parent().filter(|_| is_float && !group.0.is_empty() && fill.is_nan())?;
    let (mut levels, mut left) = (Vec::new(), LEVELS);
    // What cannot be listed is told where it is listed.
    let _ = related.hierarchy.visit_children(&around, &mut |child| {
        let path = child.path.child(related.path.name());
        let level = || {
            let other = (child.path != group).then(|| related.hierarchy.existing(&path))??;
            let other = other.kind.array()?.known_shape()?.clone();
            let [fewer, less] = *other.as_slice() else { return None };
            let factor = rows.checked_div(fewer).filter(|factor| FACTORS.contains(factor))?;
            (columns.checked_div(less) == Some(factor)).then_some((factor, less))
        };
        let level = level();
        levels.extend(level.map(|(factor, less)| (path, factor, less)));
        left -= 1;
        left > 0
    });
    let (path, factor, less, coarse) = levels.into_iter().find_map(|(path, factor, less)| {
        let (coarse, _) = related.numbers(&path)?;
        let missing = coarse.iter().filter(|value| value.is_nan()).count();
        let is_some = missing >= FEWEST && missing * 2 <= coarse.len();
        is_some.then_some((path, factor, less, coarse))
    })?;
    let (fine, _) = related.own()?;
    let (mut zeros, mut seen) = ([0_usize; 2], [0_usize; 2]);
    for (number, value) in coarse.iter().enumerate() {
        let (row, column) = (number as u64 / less, number as u64 % less);
        // A coarser element is missing where one of those that it is made of was.
        let cell = (row * factor..(row + 1) * factor)
            .flat_map(|row| (column * factor..(column + 1) * factor).map(move |it| (row, it)));
        let mut own = cell
            .filter_map(|(row, column)| fine.get(usize::try_from(row * columns + column).ok()?));
        let is_missing = usize::from(value.is_nan());
        *seen.get_mut(is_missing)? += 1;
        *zeros.get_mut(is_missing)? += usize::from(own.any(|it| it.abs() <= 0.0));
    }
    let part = |at: usize| Some(*zeros.get(at)? as f64 / (*seen.get(at)?).max(1) as f64);
    let sentence = format!(
        "0 where the coarser {} has missing values, in {} of {} elements compared, and nearly nowhere else",
        quoted(&path.0),
        grouped(*zeros.get(1)?),
        grouped(*seen.get(1)?)
    );
    let fix = "Likely cause: elements without data were written as 0 here and masked there. These zeros count as data.";
    (part(1)? >= ALL && part(0)? <= FEW)
        .then(|| related.warning(sentence, "missing values in both", fix))
        .flatten()
}
