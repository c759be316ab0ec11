//! Coordinate transformations of levels, and before 0.6 of images: one scale, then at most one translation, with a number
//! for each axis.

use super::{Image, Version};
use crate::zarr::conventions::prelude::*;

/// The problem of the transformations at `field`: those of one level, which must have a scale, or those of all.
pub(super) fn check(image: &Image, field: &str, json: &Json, is_of_level: bool) -> Option<Problem> {
    let is_v6 = image.group.version == Version::V6;
    let items = json.as_array().filter(|_| is_of_level || !is_v6)?.iter().enumerate();
    let axes = image.names.len();
    // Since then, vectors are those of any transformation.
    let mut items = items.filter(|_| !is_v6);
    let broken = items.find_map(|(at, item)| single(&format!("{field}[{at}]"), item, axes));
    let (field, json, found, expected) = broken.or_else(|| together(field, json, is_of_level))?;
    Some(image.group.ome.warning(Code::OmeTransformations, (&field, json), found, expected))
}

/// A fault: its place, the JSON there, the text found, and the text expected.
type TransformationFault<'a> = (String, &'a Json, String, String);

/// The type of a transformation; empty where it has none.
fn kind(item: &Json) -> &str {
    item.get_str("type").unwrap_or_default()
}

/// The fault of one transformation.
fn single<'a>(field: &str, item: &'a Json, axes: usize) -> Option<TransformationFault<'a>> {
    let kind = kind(item);
    // As RFC 5 has them, and SpatialData writes them since before it.
    if item.get("input").is_some() && item.get("output").is_some() {
        return None;
    }
    if let Some(unit) = item.get("unit") {
        let found = format!("the unit {}", unit.to_line());
        return Some((
            format!("{field}.unit"),
            unit,
            found,
            "units of the axes, not of a transformation".into(),
        ));
    }
    if kind != "scale" && kind != "translation" {
        let found = item.get("type").map_or_else(|| "no type".into(), Json::describe);
        return Some((field.into(), item, found, "the type \"scale\" or \"translation\"".into()));
    }
    let numbers = || format!("{axes} numbers, one for each axis");
    let Some(vector) = item.get(kind) else {
        // The numbers may be in an array of the store.
        let is_elsewhere = item.get("path").is_some();
        return (!is_elsewhere).then(|| (field.into(), item, format!("no \"{kind}\""), numbers()));
    };
    let items = vector.as_array().unwrap_or_default();
    let other = items.iter().find(|item| item.as_number().is_none());
    let is_right = items.len() == axes && other.is_none();
    let is_zero = |item: &&Json| number(item) == Some(0.0);
    if let Some(zero) = items.iter().find(is_zero).filter(|_| kind == "scale" && is_right) {
        let expected = "the size of an element along each axis, which is not 0".into();
        return Some((
            format!("{field}.scale"),
            vector,
            format!("a scale of {}", zero.to_line()),
            expected,
        ));
    }
    let found = other.map_or_else(|| vector.describe(), Json::describe);
    (!is_right).then(|| (format!("{field}.{kind}"), vector, found, numbers()))
}

/// The fault of their number and order.
fn together<'a>(field: &str, json: &'a Json, is_of_level: bool) -> Option<TransformationFault<'a>> {
    let all = match json.as_array()? {
        [one] if kind(one) == "sequence" => one.get_array("transformations")?,
        [one] if kind(one) == "identity" => return None,
        all => all,
    };
    let kinds: Vec<&str> = all.iter().map(kind).collect();
    let count = |name: &str| kinds.iter().filter(|kind| **kind == name).count();
    let (scales, translations) = (count("scale"), count("translation"));
    let is_counted = scales == 1 || scales == 0 && !is_of_level;
    let is_ordered = scales == 0 || kinds.first() == Some(&"scale");
    if kinds.is_empty()
        || is_counted && scales + translations == kinds.len() && translations <= 1 && is_ordered
    {
        return None;
    }
    let expected = "one scale, then at most one translation";
    Some((field.into(), json, kinds.join(", "), expected.into()))
}
