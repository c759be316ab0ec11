//! Dates and statistics of anemoi data sets against the data that they are of.

use crate::zarr::conventions::prelude::*;
use std::ops::RangeInclusive;

/// The warning on dates of anemoi without any data that are not listed as missing.
pub(super) fn unlisted(related: &Related) -> Option<Problem> {
    let group = &related.group()?;
    let listed = related.attribute(group, "missing_dates")?;
    let listed = listed.as_array()?;
    // Without statistics, the data are not complete yet.
    related.hierarchy.existing(&group.child("mean"))?;
    let data = related.numbers(&group.child("data"))?;
    let row = order::product(related.shape(&group.child("data"))?.get(1..)?).and_then(nonzero)?;
    let dates = related.texts(related.path)?;
    let empty: Vec<&String> = data
        .chunks(row)
        .zip(&dates)
        .filter(|(row, _)| row.iter().all(|it| it.is_nan()))
        .map(|(_, date)| date)
        .collect();
    let is_listed = |date: &&&String| listed.iter().any(|it| it.as_str() == Some(date.as_str()));
    let lost: Vec<&&String> = empty.iter().filter(|date| !is_listed(date)).collect();
    let sentence = format!(
        "{} dates have no data, and missing_dates does not list them; the first is {}",
        out_of(lost.len(), dates.len()),
        lost.first()?
    );
    let fix =
        "All of them are NaN. What trains with the data takes only the listed ones for missing.";
    related.warning_if(empty.len() < dates.len() && data.len() == dates.len() * row, sentence, fix)
}

/// The warning on variables whose statistics are of fewer values than those of the others, though none of theirs is missing.
pub(super) fn of_a_part(related: &Related) -> Option<Problem> {
    let group = &related.group()?;
    let names = related.attribute(group, "variables")?;
    let names = names.as_array()?;
    let missing = group.child("has_nans");
    related.hierarchy.existing(&missing)?;
    let (counts, missing) = (related.own()?, related.texts(&missing)?);
    let most = counts.iter().copied().reduce(f64::max)?;
    let rows = names.iter().zip(counts.iter().zip(&missing));
    let few: Vec<(&Json, f64)> = rows
        .filter(|(_, (count, missing))| **count < most && *missing == "false")
        .map(|(name, (count, _))| (name, *count))
        .collect();
    let (first, count) = *few.first()?;
    let more = more_variables(few.len() - 1, " and");
    let sentence = format!(
        "statistics of {}{more} come from {} values, those of the others from {}",
        quoted(first.as_str()?),
        super::whole(count),
        super::whole(most)
    );
    let fix = "has_nans says that none of their values is missing: mean and stdev of these come from a part of the dates. Compute them again: what \
               trains with the data normalises by them.";
    related.warning_if(few.len() < names.len(), sentence, fix)
}

/// The words on variables of which the same is true.
fn more_variables(count: usize, before: &str) -> String {
    if count == 0 { String::new() } else { format!("{before} {}", counted(count, "more variable")) }
}

/// The warning on statistics of variables of which the data are far outside, and within those of others.
pub(super) fn statistics(related: &Related) -> Option<Problem> {
    /// The largest chunk that is read.
    const CHUNK: u64 = 1 << 24;
    let group = &related.group()?;
    let names = related.attribute(group, "variables")?;
    let names = names.as_array()?;
    let path = group.child("data");
    let array = related.existing(&path)?;
    let shape = array.known_shape()?;
    let count = names.len() as u64;
    let chunk = order::product(&array.chunk_shape()?)?;
    if shape.len() < 3
        || shape.get(1) != Some(&count)
        || *related.array.known_shape()? != [count]
        || chunk > CHUNK
    {
        return None;
    }
    let low = related.existing_numbers(&group.child("minimum"))?;
    let high = related.own()?;
    let reader = related.reader(&path, &array)?;
    let mut region = reader.whole();
    *region.first_mut()? = 0..1;
    let of_each = order::product(shape.get(2..shape.len() - 1)?)?.checked_mul(count)?;
    let last = region.last_mut()?;
    last.end = last.end.min(MOST.checked_div(of_each)?);
    let values =
        RegionValues::of(&reader, region, related.budget).filter(|it| it.is_stored)?.values;
    let ranges: Vec<[f64; 2]> = values
        .chunks(values.len().checked_div(names.len()).filter(|size| *size > 0)?)
        .map(|values| ends(finite(values)).unwrap_or([f64::INFINITY, f64::NEG_INFINITY]))
        .collect();
    let room = |at: usize, share: f64| {
        let (low, high) = (*low.get(at)?, *high.get(at)?);
        let room = share * (high - low).max(f64::EPSILON);
        Some([low - room, high + room])
    };
    // Those of other dates may be some way outside; what is the same everywhere, as the season is, far.
    let is_far = |&(at, range): &(usize, &[f64; 2])| {
        room(at, 1.0).is_some_and(|[low, high]| range[0] > high || range[1] < low)
    };
    let fits = |range: &[f64; 2]| {
        (0..names.len())
            .any(|at| room(at, 0.2).is_some_and(|[low, high]| range[0] >= low && range[1] <= high))
    };
    let far: Vec<(usize, &[f64; 2])> =
        ranges.iter().enumerate().filter(|(_, it)| it[0] < it[1]).filter(is_far).collect();
    let (at, range) = *far.first()?;
    let more = more_variables(far.len() - 1, "; so are those of");
    let sentence = format!(
        "data of {}, {}, are outside of its minimum and maximum, {}{more}",
        quoted(names.get(at)?.as_str()?),
        from_to(range[0], range[1]),
        from_to(*low.get(at)?, *high.get(at)?)
    );
    let fix = "They are within those of other variables: likely, the statistics are in the order of another list of variables, mean and stdev, too.";
    related.warning_if(far.len() > 1 && far.iter().all(|(_, range)| fits(range)), sentence, fix)
}

/// The warning on two variables of one array that are in each other's place from an index on along its first other dimension:
/// the means of each are far from those before, and are those that the other one had.
pub(super) fn exchanged(related: &Related) -> Option<Problem> {
    const NAMES: [&str; 4] = ["variable", "variables", "parameter", "channel"];
    /// The variables, the fewest indices on each side, and by how many times their widths ranges are apart.
    const VARIABLES: RangeInclusive<u64> = 2..=64;
    const FEWEST: usize = 3;
    const APART: f64 = 2.0;
    let names = related.array.dimension_names.as_deref()?;
    let axis = names.iter().position(|it| it.as_deref().is_some_and(|it| NAMES.contains(&it)))?;
    let shape = related.array.known_shape()?;
    let along = usize::from(axis == 0);
    let (count, steps) = (*shape.get(axis)?, *shape.get(along)?);
    (VARIABLES.contains(&count) && shape.len() > 2).then_some(())?;
    let values = related.own_data(false)?;
    let mut sums =
        vec![vec![(0.0, 0_u32); usize::try_from(steps).ok()?]; usize::try_from(count).ok()?];
    let inside = |axis: usize| order::product(shape.get(axis + 1..)?);
    let (of_axis, of_along) = (inside(axis)?, inside(along)?);
    for (value, at) in values.iter().zip(0_u64..).filter(|(value, _)| value.is_finite()) {
        let [variable, step] = [at / of_axis % count, at / of_along % steps]
            .map(|number| usize::try_from(number).unwrap_or(usize::MAX));
        let (sum, count) = sums.get_mut(variable)?.get_mut(step)?;
        (*sum, *count) = (*sum + value, *count + 1);
    }
    let means: Vec<Vec<f64>> = sums
        .into_iter()
        .map(|steps| steps.into_iter().map(|(sum, count)| sum / f64::from(count)).collect())
        .collect();
    let range = |of: &[f64]| ends(finite(of));
    // Where one range begins, the other one has ended long before.
    let apart = |a: [f64; 2], b: [f64; 2]| {
        let width = (a[1] - a[0]).max(b[1] - b[0]);
        (a[0] - b[1]).max(b[0] - a[1]) > APART * width
    };
    let overlap = |a: [f64; 2], b: [f64; 2]| {
        let room = (a[1] - a[0] + b[1] - b[0]) / 2.0;
        a[0] <= b[1] + room && b[0] <= a[1] + room
    };
    let pairs = (0..means.len()).flat_map(|a| (a + 1..means.len()).map(move |b| (a, b)));
    let (a, b, from) = pairs.into_iter().find_map(|(a, b)| {
        let (one, other) = (means.get(a)?, means.get(b)?);
        let is_there = |from: &usize| {
            let ((a, later), (b, other_later)) = (one.split_at(*from), other.split_at(*from));
            let ranges = [a, later, b, other_later].map(range);
            let [Some(a), Some(a_later), Some(b), Some(b_later)] = ranges else { return false };
            apart(a, b) && apart(a_later, b_later) && overlap(a, b_later) && overlap(b, a_later)
        };
        let from = (FEWEST..=one.len().checked_sub(FEWEST)?).find(is_there)?;
        Some((a, b, from))
    })?;
    let texts = related.beside(names.get(axis)?.as_ref()?).and_then(|path| related.texts(&path));
    let name = |at: usize| {
        let text = texts.as_ref().and_then(|texts| texts.get(at));
        text.map_or_else(|| format!("[{at}]"), |it| quoted(it.trim_matches('"')))
    };
    let sentence = format!(
        "{} and {} are in each other's place from index {from} on along dimension {along}: the means of each are those that the other had before",
        name(a),
        name(b)
    );
    let fix = "Likely cause: parts were appended whose variables are in another order.";
    related.warning(sentence, fix)
}
