//! Labels: images of integers that belong to another image.

use super::{Arc, NodeKind, Version};
use crate::zarr::conventions::prelude::*;

use std::collections::BTreeSet;

/// The number of labels that are looked for.
const MOST: usize = 1000;

/// The problems of the labels of a group, or of a group that is one.
pub(super) fn check(group: &OmeGroup) -> Vec<Problem> {
    let listed = group.items("labels").iter().enumerate().take(MOST);
    let mut problems: Vec<Problem> = listed
        .filter_map(|(at, path)| group.not_an_image(&format!("labels[{at}]"), path))
        .collect();
    problems.extend(unlisted(group));
    // Labels by a wrong name are told once.
    if let Some(list) = group.ome.get("labels").filter(|_| problems.is_empty()) {
        problems.extend(group.not_in_list("labels", list, &names(list), Code::OmeLabel));
    }
    let in_labels = group.path.parent().is_some_and(|parent| parent.name() == "labels");
    let label = group.ome.get("image-label");
    if group.is_image() && (in_labels || label.is_some()) {
        problems.extend(not_integers(group));
        problems.extend(label.and_then(|label| uneven(group, label)));
        problems.extend(label.and_then(|label| beyond(group, label)));
        problems.extend(source(group, label, in_labels));
    } else if let Some(label) = label {
        let found = "an image-label without multiscales";
        let expected = "multiscales beside it";
        problems.push(group.ome.warning(Code::OmeLabel, ("image-label", label), found, expected));
    }
    problems
}

/// The strings of a list.
fn names(list: &Json) -> Vec<&str> {
    list.as_array().unwrap_or_default().iter().filter_map(Json::as_str).collect()
}

/// The warning on a group of labels beside the levels of an image that does not list them.
fn unlisted(group: &OmeGroup) -> Option<Problem> {
    let expected = match (&group.version, group.ome.format) {
        (Version::V5 | Version::V6, Format::V3) => "a list \"labels\" under \"ome\"",
        (Version::V4, Format::V2) => "a list \"labels\" among the attributes",
        _ => return None,
    };
    let path = group.is_image().then(|| group.target("labels"))??;
    let node = group.hierarchy.node(&path);
    let NodeKind::Group(labels) = &node.kind else { return None };
    let attributes = labels.attributes();
    let has_list = |json: &Json| json.get("ome").unwrap_or(json).get("labels").is_some();
    if attributes.is_some_and(has_list) {
        return None;
    }
    let document = labels.documents.first()?;
    let error = Error::new(Code::OmeLabel, "a group of labels without a list of them", expected);
    let error = error.with_fix("ome-zarr 0.21.0 finds none of them.");
    Some(Problem::new(error.in_file(&document.key)))
}

/// The note on colors without a color, and on colors and properties of different labels.
fn uneven(group: &OmeGroup, label: &Json) -> Option<Problem> {
    let (colors, field) = (label.get("colors")?, "image-label.colors");
    let items = colors.as_array()?;
    let values = |list: &[Json]| -> BTreeSet<String> {
        list.iter().filter_map(|item| Some(item.get("label-value")?.to_line())).collect()
    };
    let (own, other) = (values(items), label.get_array("properties").map(values));
    // Labels that come again, or have none, are told as such.
    if own.len() < items.len() {
        return None;
    }
    let found = if items.iter().any(|item| item.get("rgba").is_none()) {
        "a color without \"rgba\""
    } else if other.is_some_and(|other| other != own) {
        "colors and properties of different labels"
    } else {
        return None;
    };
    let problem =
        group.ome.warning(Code::OmeLabel, (field, colors), found, "the same labels in both");
    Some(noted(with_fix(problem, "ome-zarr-models 1.8.1 does not open it."), found))
}

/// The path of the first level, and its array.
pub(super) fn first_level<'a>(group: &'a OmeGroup) -> Option<(&'a Json, Arc<ArrayMetadata>)> {
    let path = group.first_levels()?.first()?.get("path")?;
    Some((path, group.array(path.as_str()?)?))
}

/// The warning on properties or colors of labels that are too large for the data type of the labels.
fn beyond(group: &OmeGroup, label: &Json) -> Option<Problem> {
    let (path, array) = first_level(group)?;
    let data_type = array.data_type()?;
    let bits = u32::try_from(data_type.fixed_size()?).ok()?.checked_mul(8)?;
    let most = match data_type.default_scalar() {
        Scalar::Uint(_) => 1_i128.checked_shl(bits)? - 1,
        Scalar::Int(_) => 1_i128.checked_shl(bits - 1)? - 1,
        _ => return None,
    };
    ["properties", "colors"].into_iter().find_map(|member| {
        let json = label.get(member)?;
        let values = json.as_array()?.iter();
        let values: Vec<i128> =
            values.filter_map(|it| it.get("label-value")?.as_number()?.parse().ok()).collect();
        let count = values.iter().filter(|value| **value > most).count();
        let sentence = format!(
            "{member} has {} above {most}, the largest number of {} in {}, up to {}",
            counted(count as u64, "label"),
            data_type.name(),
            quoted(path.as_str()?),
            values.iter().max()?
        );
        let field = format!("image-label.{member}");
        let problem = group.ome.told(Code::OmeLabel, (&field, json), sentence);
        let fix = format!(
            "No element can be one of them. Likely cause: the labels were written in fewer bits than they need, in which {} becomes 0, the \
             background, and {} becomes 1.",
            most + 1,
            most + 2
        );
        (count > 0).then(|| with_fix(problem, fix))
    })
}

/// The warning on labels that are no integers.
fn not_integers(group: &OmeGroup) -> Option<Problem> {
    let levels = group.first_levels()?.iter().enumerate();
    levels.take(MOST).find_map(|(at, level)| {
        let path = level.get("path")?;
        let array = group.array(path.as_str()?)?;
        let data_type = array.data_type()?;
        let found = format!("{}, an array of {}", quoted(path.as_str()?), data_type.name());
        let field = format!("multiscales[0].datasets[{at}].path");
        let expected = "labels of an integer data type";
        let problem = || group.ome.warning(Code::OmeLabel, (&field, path), found, expected);
        (!is_integer(&array)).then(problem)
    })
}

/// The problem of the image that labels belong to.
fn source(group: &OmeGroup, label: Option<&Json>, in_labels: bool) -> Option<Problem> {
    let image = label.and_then(|label| label.get("source")?.get("image"));
    let named = image.and_then(Json::as_str);
    let path = match named {
        Some(path) => path,
        None if in_labels => "../../",
        None => return None,
    };
    let of_image = group.group(path, |image| image.is_image().then(|| levels(image)));
    let elsewhere = of_image.flatten().and_then(|_| elsewhere(group, path));
    // The scale of another level is the cause of another number of levels as well.
    let is_sure = elsewhere.as_ref().is_some_and(|it| it.severity > Severity::Note);
    match of_image {
        Some(Some(count)) if count != levels(group) && !is_sure => {
            let json = group.ome.get("multiscales")?;
            let found = counted(levels(group), "level");
            let expected = format!("{}, as many as the image of these labels has", grouped(count));
            let text = format!("{found}; OME-Zarr requires {expected}");
            let place = ("multiscales[0].datasets", json);
            let problem = group.ome.warning(Code::OmeLabel, place, found, expected);
            let problem = with_fix(problem, "yaozarrs 0.3.4 refuses it; ome-zarr 0.21.0 opens it.");
            // Many writers make labels of fewer levels on purpose.
            Some(noted(problem, text))
        }
        Some(Some(_)) => elsewhere,
        _ => {
            let found = format!("{}, where there is no image", quoted(named?));
            let field = "image-label.source.image";
            let problem = group.ome.warning(
                Code::OmePath,
                (field, image?),
                found,
                "the path of the image of these labels",
            );
            let problem =
                with_fix(problem, "The path is relative to this group; the default is ../../.");
            Some(problem.with_severity(Severity::Warning))
        }
    }
}

/// The note on labels that cover more or less than their image: no scale, and no other place, makes them the same.
fn elsewhere(group: &OmeGroup, path: &str) -> Option<Problem> {
    let own = extent(group)?;
    let of_image = group.group(path, extent)??;
    let (axis, have, want) = own.iter().find_map(|(axis, have)| {
        let (_, want) = of_image.iter().find(|(other, _)| other == axis)?;
        let is_same = (have - want).abs() <= 0.02 * want.abs();
        (!is_same).then(|| (axis, short(*have), short(*want)))
    })?;
    let json = group.ome.get("multiscales")?;
    let found =
        format!("the labels cover {have} along the axis {}, their image {want}", quoted(axis));
    let field = ("multiscales[0].datasets[0]", json);
    let problem =
        group.ome.warning(Code::OmeLabel, field, found.clone(), "labels of the whole image");
    if let Some(level) = group.group(path, |image| level_like(group, image)).flatten() {
        let fix = format!(
            "The labels have the shape of level {} of the image, and declare the scale of another: with the scale of that level, they cover \
             the image.",
            quoted(&level)
        );
        return Some(with_fix(saying(problem, found), fix));
    }
    Some(noted(problem, found))
}

/// The lengths of the first level of an image along its axes of space, in its units; `None` where it is moved.
fn extent(group: &OmeGroup) -> Option<Vec<(String, f64)>> {
    let image = group.items("multiscales").first()?;
    let level = image.get_array("datasets")?.first()?;
    let (scale, others) = level.get_array("coordinateTransformations")?.split_first()?;
    let is_zero = |json: &Json| number(json) == Some(0.0);
    let is_moved =
        |json: &Json| !json.get_array("translation").is_some_and(|it| it.iter().all(is_zero));
    if others.iter().any(is_moved) || image.get("coordinateTransformations").is_some() {
        return None;
    }
    let scale = scale.get_array("scale")?.iter();
    let array = group.array(level.get_str("path")?)?;
    let lengths = scale
        .zip(array.known_shape()?)
        .map(|(scale, length)| Some(number(scale)? * *length as f64));
    let axes = group.axes(image)?.1.as_array()?.iter().zip(lengths.collect::<Vec<_>>());
    let in_space = axes.filter(|(axis, _)| axis.get_str("type") == Some("space"));
    in_space.map(|(axis, length)| Some((axis.get_str("name")?.to_owned(), length?))).collect()
}

/// The level of an image, not the first one, that has the shape of the labels' first one along the axes of space.
fn level_like(labels: &OmeGroup, image: &OmeGroup) -> Option<String> {
    let shape = |group: &OmeGroup, at: usize| {
        let image = group.items("multiscales").first()?;
        let path = image.get_array("datasets")?.get(at)?.get_str("path")?;
        let axes = group.axes(image)?.1.as_array()?.iter();
        let shape = group.array(path)?.known_shape()?.clone();
        let in_space = axes.zip(shape).filter(|(axis, _)| axis.get_str("type") == Some("space"));
        Some((path.to_owned(), in_space.map(|(_, length)| length).collect::<Vec<u64>>()))
    };
    let (_, own) = shape(labels, 0)?;
    let (_, first) = shape(image, 0)?;
    let mut levels = (1..levels(image)).filter_map(|at| shape(image, at));
    levels.find(|(_, shape)| *shape == own && *shape != first).map(|(path, _)| path)
}

/// The number of levels of the first image.
fn levels(group: &OmeGroup) -> usize {
    group.first_levels().map_or(0, <[Json]>::len)
}
