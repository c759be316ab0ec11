//! Geopotential along levels of pressure: wherever on the Earth, it falls as pressure rises.

use crate::zarr::conventions::prelude::*;

/// The fewest levels, and the most.
const LEVELS: std::ops::RangeInclusive<u64> = 3..=1000;

/// The warning on geopotential that goes up and down along its levels, at the first place and in the middle.
pub(super) fn check(related: &Related) -> Option<Problem> {
    let name = related.own_text("standard_name")?;
    ["geopotential", "geopotential_height"].contains(&name).then_some(())?;
    let names = related.array.dimension_names.as_deref()?.iter().enumerate();
    let (axis, path) = names.into_iter().find_map(|(axis, name)| {
        let path = related.beside(name.as_ref()?)?;
        let array = related.existing(&path)?;
        is_called(&array, "air_pressure").then_some((axis, path))
    })?;
    let count = *related.array.known_shape()?.get(axis)?;
    let levels = LEVELS.contains(&count).then(|| related.numbers(&path))??;
    (related.shape(&path)? == [count]).then_some(())?;
    let reader = related.reader(related.path, related.array)?;
    let packing = Packing::of(related.array);
    let profile = |part: u64| {
        let mut region = reader.whole();
        for (_, side) in region.iter_mut().enumerate().filter(|(at, _)| *at != axis) {
            let at = side.end / 2 * part;
            *side = at..at + 1;
        }
        let values = related.values(&reader, region)?;
        let is_none = |value: &f64| !value.is_finite() || packing.is_mark(*value);
        (!values.iter().any(is_none))
            .then(|| values.iter().map(|value| packing.unpack(*value)).collect::<Vec<f64>>())
    };
    let mut by_pressure: Vec<usize> = (0..levels.len()).collect();
    by_pressure.sort_by(|a, b| {
        levels.get(*a).partial_cmp(&levels.get(*b)).unwrap_or(std::cmp::Ordering::Equal)
    });
    // The first level, in the order of pressure, at which it does not fall.
    let rise = |values: &[f64]| {
        let at = |place: &usize| values.get(*place).copied();
        let mut pairs = neighbours(&by_pressure);
        pairs.find(|(a, b)| at(b) >= at(a)).map(|(_, b)| *b)
    };
    let (first, middle) = (profile(0)?, profile(1)?);
    let (at, _) = rise(&first).zip(rise(&middle))?;
    let mut falling = first.clone();
    falling.sort_by(|a, b| b.total_cmp(a));
    // The levels in the order that the data are in.
    let place = |value: &f64| {
        let place = falling.iter().position(|it| it.total_cmp(value).is_eq())?;
        levels.get(*by_pressure.get(place)?)
    };
    let order: Vec<String> = first.iter().filter_map(place).map(|it| short(*it)).collect();
    let is_text = order.is_sorted();
    let sentence = format!(
        "{name} does not decrease as {} increases: at [{at}] ({}), it is {}",
        quoted(path.name()),
        short(*levels.get(at)?),
        short(*first.get(at)?)
    );
    let fix = format!(
        "It decreases in the order {}{}: the data and the levels are in different orders.",
        order.join(", "),
        if is_text { ", that of the levels as text" } else { "" }
    );
    related.warning(sentence, fix)
}
