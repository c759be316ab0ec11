//! The same variable at a coarser resolution in a group beside its own: what is missing there is missing here.

use crate::zarr::conventions::prelude::*;

/// The factors between two levels, and the fewest missing elements that tell.
const FACTORS: std::ops::RangeInclusive<u64> = 2..=16;
const FEWEST: usize = 16;
/// The most groups among which levels are looked for: images have few.
const LEVELS: usize = 16;
/// The share of elements that are 0 where the other level has none, and at most elsewhere.
const ALL: f64 = 0.98;
const FEW: f64 = 0.02;

/// The same variable at another resolution, in a group beside its own: its path, and how many rows and columns one of the coarser array
/// stands for, with the columns of that.
fn others(related: &Related, is_finer: bool) -> Option<Vec<(NodePath, u64, u64)>> {
    let [rows, columns] = *related.array.known_shape()?.as_slice() else { return None };
    let group = related.group()?;
    let around = group.parent().filter(|_| !group.0.is_empty())?;
    let mut levels = Vec::new();
    related.hierarchy.visit_first(&around, LEVELS, |child| {
        let path = child.path.child(related.path.name());
        let level = || {
            let other = (child.path != group).then(|| related.existing(&path))??;
            let [its_rows, its_columns] = *other.known_shape()?.as_slice() else { return None };
            let (fine, coarse) = ([rows, columns], [its_rows, its_columns]);
            let (fine, coarse) = if is_finer { (coarse, fine) } else { (fine, coarse) };
            let factor = fine[0].checked_div(coarse[0]).filter(|it| FACTORS.contains(it))?;
            (fine[1].checked_div(coarse[1]) == Some(factor)).then_some((factor, coarse[1]))
        };
        let level = level();
        levels.extend(level.map(|(factor, less)| (path, factor, less)));
    });
    Some(levels)
}

/// The numbers of the elements that one of a coarser array stands for.
fn cell(number: usize, (factor, less): (u64, u64)) -> impl Iterator<Item = Option<usize>> {
    let (row, column) = (number as u64 / less.max(1), number as u64 % less.max(1));
    let columns = less * factor;
    (row * factor..(row + 1) * factor).flat_map(move |row| {
        let columns = (column * factor..(column + 1) * factor).map(move |it| row * columns + it);
        columns.map(|at| usize::try_from(at).ok())
    })
}

/// The warning on numbers between the mark of missing elements and all numbers of a finer level, each of which stands for some that are
/// missing there.
pub(super) fn averaged(related: &Related) -> Option<Problem> {
    let mark =
        related.array.fill_scalar().and_then(|fill| fill.to_f64()).filter(|it| it.is_finite())?;
    let levels = others(related, true)?;
    let own = (!levels.is_empty()).then(|| related.own())??;
    let is_mark = |value: &f64| value.total_cmp(&mark).is_eq();
    own.iter().find(|it| is_mark(it))?;
    let (path, factor, less, fine) = levels.into_iter().find_map(|(path, factor, less)| {
        let fine = related.numbers(&path)?;
        Some((path, factor, less, fine))
    })?;
    let known = finite(&fine).filter(|it| !is_mark(it));
    let [low, high] = ends(known)?;
    let room = (high - low) / 4.0;
    let is_odd = |value: &f64| {
        mark < low && (mark..low - room).contains(value)
            || mark > high && *value > high + room && *value <= mark
    };
    let odd: Vec<(usize, f64)> =
        own.iter().copied().enumerate().filter(|(_, it)| is_odd(it) && !is_mark(it)).collect();
    let is_mixed = |(number, _): &&(usize, f64)| {
        cell(*number, (factor, less)).any(|at| at.and_then(|at| fine.get(at)).is_some_and(is_mark))
    };
    let mixed = odd.iter().filter(is_mixed).count();
    // Where all are beside missing ones, the array tells it by itself.
    let is_apart = |(number, _): &(usize, f64)| {
        let (row, column) = (*number as u64 / less.max(1), *number as u64 % less.max(1));
        let mut around = (row.saturating_sub(1)..row + 2).flat_map(|row| {
            (column.saturating_sub(1)..(column + 2).min(less)).map(move |it| row * less + it)
        });
        !around.any(|at| usize::try_from(at).ok().and_then(|at| own.get(at)).is_some_and(is_mark))
    };
    odd.iter().find(|it| is_apart(it))?;
    let [least, most] = ends(odd.iter().map(|it| it.1))?;
    let sentence = format!(
        "{} elements, {}, are between the mark of missing ones, {}, and all of the finer {}, {}",
        out_of(odd.len(), own.len()),
        from_to(least, most),
        short(mark),
        quoted(&path.0),
        from_to(low, high)
    );
    let fix = "They stand for elements some of which are missing there: likely, the mark was averaged with the others. Make the level again with \
               missing elements left out.";
    related.warning_if(odd.len() >= FEWEST && mixed as f64 >= ALL * odd.len() as f64, sentence, fix)
}

/// The warning on zeros where a coarser level has missing elements.
pub(super) fn zeros(related: &Related) -> Option<Problem> {
    let fill = related.array.fill_scalar().and_then(|fill| fill.to_f64())?;
    let levels = (is_float(related.array) && fill.is_nan()).then(|| others(related, false))??;
    let (path, factor, less, coarse) = levels.into_iter().find_map(|(path, factor, less)| {
        let coarse = related.numbers(&path)?;
        let missing = coarse.iter().filter(|value| value.is_nan()).count();
        let is_some = missing >= FEWEST && missing * 2 <= coarse.len();
        is_some.then_some((path, factor, less, coarse))
    })?;
    let fine = related.own()?;
    let (mut zeros, mut seen) = ([0_usize; 2], [0_usize; 2]);
    for (number, value) in coarse.iter().enumerate() {
        // A coarser element is missing where one of those that it is made of was.
        let mut own = cell(number, (factor, less)).filter_map(|at| fine.get(at?));
        let is_missing = usize::from(value.is_nan());
        *seen.get_mut(is_missing)? += 1;
        *zeros.get_mut(is_missing)? += usize::from(own.any(|it| it.abs() <= 0.0));
    }
    let part = |at: usize| Some(*zeros.get(at)? as f64 / (*seen.get(at)?).max(1) as f64);
    let sentence = format!(
        "0 where the coarser {} has missing values, in {} elements compared, and nearly nowhere else",
        quoted(&path.0),
        out_of(*zeros.get(1)?, *seen.get(1)?)
    );
    let fix = "Likely cause: elements without data were written as 0 here and masked there. These zeros count as data.";
    related.warning_if(part(1)? >= ALL && part(0)? <= FEW, sentence, fix)
}
