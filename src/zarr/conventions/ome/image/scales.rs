//! The scales of levels against the shapes of their arrays: a level of half as many elements along an axis has elements of
//! twice the size.

use super::{Image, LEVELS, steps};
use crate::zarr::conventions::prelude::*;

/// By how much the extents of two levels may differ: levels are rounded, and cut at their edges.
const SHARE: f64 = 0.1;
/// The same in elements.
const ELEMENTS: f64 = 1.5;

/// A level with a shape and a scale.
struct Level<'a> {
    at: usize,
    path: &'a str,
    /// The members that lead to its scale.
    member: &'static str,
    vector: &'a Json,
    shape: Vec<u64>,
    scale: Vec<f64>,
}

/// The first level whose scale contradicts its shape, and how many more do.
pub(super) fn check(image: &Image) -> Option<Problem> {
    let levels = image.json.get_array("datasets")?.iter().enumerate().take(LEVELS);
    let levels: Vec<Level<'_>> = levels.filter_map(|(at, json)| level(image, at, json)).collect();
    let (first, others) = levels.split_first()?;
    if let Some(found) = disorder(image, &levels) {
        return Some(found);
    }
    let mut wrong = others.iter().filter_map(|level| Some((level, axis(first, level)?)));
    let (level, axis) = wrong.next()?;
    let (have, had) = (level.shape.get(axis)?, first.shape.get(axis)?);
    let (scale, was) = (level.scale.get(axis)?, first.scale.get(axis)?);
    let name = axis_name(image, axis);
    let (one, path) = (quoted(first.path), quoted(level.path));
    let found =
        format!("{scale} for axis {name} of {path} ({have} elements), {was} for {one} ({had})");
    let expected =
        format!("about {}: {was} × {had} / {have}", short(was * *had as f64 / *have as f64));
    let field = format!("{}.datasets[{}].{}[0].scale", image.field, level.at, level.member);
    let problem =
        image.group.ome.warning(Code::OmeTransformations, (&field, level.vector), found, expected);
    let place = "Readers place this level by its scale: as declared, it covers a different region than the first \
                 level.";
    let exchanged = (0..level.shape.len()).find(|other| {
        let mut shape = level.shape.clone();
        shape.swap(axis, *other);
        *other != axis
            && self::axis(first, &Level { shape, scale: level.scale.clone(), ..*level }).is_none()
    });
    let exchanged = exchanged.and_then(|other| {
        let beside = image.names.get(other)?.get_str("name").map(quoted)?;
        let length = level.shape.get(other)?;
        Some(format!(
            " With its lengths along {name} and {beside} swapped, {length} and {have}, it fits. Likely cause: it was resized with \
             its sides swapped."
        ))
    });
    let more = wrong.count() as u64;
    let rest = if more > 0 {
        format!(" The same at {}.", counted(more, "more level"))
    } else {
        String::new()
    };
    Some(with_fix(problem, format!("{place}{rest}{}", exchanged.unwrap_or_default())))
}

/// The name of an axis, or its number where it has none.
fn axis_name(image: &Image, axis: usize) -> String {
    let name = image.names.get(axis).and_then(|name| name.get_str("name"));
    name.map_or_else(|| axis.to_string(), quoted)
}

/// The warning on elements that are smaller than those of the level before, or turned round, along an axis with no more of
/// them.
fn disorder(image: &Image, levels: &[Level]) -> Option<Problem> {
    let mut pairs = neighbours(levels);
    let (before, level, axis) = pairs.find_map(|(before, level)| {
        let is_finer = |axis: &usize| {
            let (Some(was), Some(scale)) = (before.scale.get(*axis), level.scale.get(*axis)) else {
                return false;
            };
            scale.abs() < was.abs() * (1.0 - SHARE) || scale.signum() != was.signum()
        };
        let axis = (0..level.shape.len())
            .filter(|axis| level.shape.get(*axis) <= before.shape.get(*axis))
            .find(is_finer)?;
        Some((before, level, axis))
    })?;
    let name = axis_name(image, axis);
    let (scale, was) = (level.scale.get(axis)?, before.scale.get(axis)?);
    let (path, above) = (quoted(level.path), quoted(before.path));
    let found = format!("{scale} for axis {name} of {path}, {was} for {above}");
    let field = format!("{}.datasets[{}].{}[0].scale", image.field, level.at, level.member);
    let expected = "levels from the finest to the coarsest";
    Some(image.group.ome.warning(Code::OmeTransformations, (&field, level.vector), found, expected))
}

/// The warning on translations of levels that are counted in elements of the first level: those of averages over blocks, which
/// are half of what the scale has grown by.
pub(super) fn in_pixels(image: &Image) -> Option<Problem> {
    let levels = image.json.get_array("datasets")?;
    let vectors = |level: &'_ Json| {
        let (_, all) = steps(level)?;
        let scale = numbers(all.first()?.get("scale")?)?;
        let translation = all.get(1).and_then(|it| numbers(it.get("translation")?));
        Some((scale, translation))
    };
    let (first, start) = vectors(levels.first()?)?;
    let at = levels.iter().skip(1).position(|level| {
        let Some((scale, Some(moved))) = vectors(level) else { return false };
        let axes = (0..scale.len().min(moved.len())).filter_map(|axis| {
            let (was, is) = (*first.get(axis)?, *scale.get(axis)?);
            let from = start.as_ref().map_or(Some(0.0), |start| start.get(axis).copied())?;
            let (by, half) = (*moved.get(axis)? - from, (is / was - 1.0) / 2.0);
            let near = |due: f64| (by - due).abs() <= 0.02 * due.abs();
            (half > 0.1).then(|| (near(half), near(half * was)))
        });
        let axes: Vec<(bool, bool)> = axes.collect();
        axes.len() > 1 && axes.iter().all(|it| it.0) && axes.iter().any(|it| !it.1)
    })?;
    let level = levels.get(at + 1)?;
    let (member, transformations) = steps(level)?;
    let vector = transformations.get(1)?.get("translation")?;
    let sentence = format!(
        "the translation of {}, {}, is in elements of the first level",
        quoted(level.get_str("path")?),
        vector.to_line()
    );
    let field = format!("{}.datasets[{}].{member}[1].translation", image.field, at + 1);
    let problem = image.group.ome.told(Code::OmeTransformations, (&field, vector), sentence);
    let fix = "OME-Zarr counts it in the units of the axes: times the scale of the first level, it puts this level where the first one is.";
    Some(with_fix(problem, fix))
}

fn level<'a>(image: &Image, at: usize, json: &'a Json) -> Option<Level<'a>> {
    let path = json.get_str("path")?;
    let (member, transformations) = steps(json)?;
    let vector = transformations.first()?.get("scale")?;
    let scale = numbers(vector)?;
    let shape = image.group.array(path)?.shape.as_ref().ok()?.clone();
    let is_whole = scale.len() == shape.len() && scale.iter().all(|scale| *scale != 0.0);
    is_whole.then_some(Level { at, path, member, vector, shape, scale })
}

/// The first axis along which two levels do not have the same extent.
fn axis(first: &Level, level: &Level) -> Option<usize> {
    let extent = |level: &Level, axis: usize| {
        Some((*level.scale.get(axis)?, *level.shape.get(axis)? as f64))
    };
    let differs = |axis: &usize| {
        let (Some((was, had)), Some((scale, have))) = (extent(first, *axis), extent(level, *axis))
        else {
            return false;
        };
        let (whole, here) = (was * had, scale * have);
        // That a level is larger than the first one is told of the order of levels.
        let is_smaller = 0.0 < have && have <= had;
        is_smaller
            && (whole - here).abs() > (SHARE * whole).max(ELEMENTS * scale.max(was * had / have))
    };
    (0..level.shape.len()).find(differs)
}
