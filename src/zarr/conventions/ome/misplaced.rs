//! Metadata of OME-Zarr that is where no reader looks for it, or in another form.

use super::MEMBERS;
use crate::zarr::conventions::prelude::*;

/// The warning on such metadata among the attributes of a group.
pub(in crate::zarr::conventions) fn misplaced(attributes: &Attributes<'_>) -> Option<Problem> {
    if let Some(inner) = attributes.get("attributes").filter(|json| has_image(json)) {
        let found = "the metadata of an image under \"attributes\" inside the attributes";
        let is_v3 = attributes.format == Format::V3;
        let name = if is_v3 { "ome" } else { "multiscales" };
        let expected = format!("\"{name}\" directly among the attributes");
        return Some(attributes.warning(Code::OmeFormat, ("attributes", inner), found, expected));
    }
    as_text(attributes)
        .or_else(|| as_object(attributes))
        .or_else(|| misspelled(attributes))
        .or_else(|| beside(attributes))
        .or_else(|| empty(attributes))
}

/// True for a list of images, or one of them.
fn is_images(json: &Json) -> bool {
    let images = json.as_array().unwrap_or_else(|| std::slice::from_ref(json));
    let has = |image: &Json, member: &str| image.get(member).is_some();
    let has_axes = |image| has(image, "axes") || has(image, "coordinateSystems");
    images.iter().any(|image| has(image, "datasets") && has_axes(image))
}

/// True for an object with the metadata of an image, as versions 0.4 to 0.6 have it.
fn has_image(json: &Json) -> bool {
    let has = |json: &Json| json.get("multiscales").is_some_and(is_images);
    has(json) || json.get("ome").is_some_and(has)
}

/// A string that holds the JSON.
fn as_text(attributes: &Attributes<'_>) -> Option<Problem> {
    ["ome", "multiscales"].into_iter().find_map(|name| {
        let json = attributes.get(name)?;
        let inner = Json::parse_str(json.as_str()?).ok()?;
        let found = format!("\"{name}\" as a string that holds JSON");
        let is_it = has_image(&inner) || is_images(&inner);
        is_it.then(|| attributes.warning(Code::OmeFormat, (name, json), found, "the JSON itself"))
    })
}

/// One image where a list of images belongs. Under `ome` that is told with the other members.
fn as_object(attributes: &Attributes<'_>) -> Option<Problem> {
    let image = attributes.get("multiscales").filter(|json| json.as_object().is_some())?;
    let is_it = attributes.under("ome").is_none() && is_images(image);
    let (found, expected) = ("\"multiscales\" as one object", "a list of such objects");
    let field = ("multiscales", image);
    is_it.then(|| attributes.warning(Code::OmeFormat, field, found, expected))
}

/// The list of images by nearly its name.
fn misspelled(attributes: &Attributes<'_>) -> Option<Problem> {
    let inside = attributes.under("ome").unwrap_or_else(|| attributes.clone());
    if inside.get("multiscales").is_some() {
        return None;
    }
    let is_near = |key: &str| nearest(key, ["multiscales"]).is_some();
    let mut members = inside.json.as_object()?.iter();
    let member = members.find(|member| is_near(&member.key) && is_images(&member.value))?;
    let field = (member.key.as_str(), &member.value);
    Some(inside.warning(Code::OmeFormat, field, quoted(&member.key), "the name \"multiscales\""))
}

/// V3: a member beside `ome` that belongs under it.
fn beside(attributes: &Attributes<'_>) -> Option<Problem> {
    let ome = attributes.under("ome").filter(|_| attributes.format == Format::V3)?;
    ome.get("multiscales").or_else(|| ome.get("plate"))?;
    let names = MEMBERS.iter().chain(&["omero"]).filter(|name| **name != "version");
    let mut lost = names.filter(|name| !ome.has(name));
    let (name, json) = lost.find_map(|name| Some((*name, attributes.get(name)?)))?;
    let found = format!("\"{name}\" beside \"ome\"");
    Some(attributes.warning(Code::OmeFormat, (name, json), found, "all members under \"ome\""))
}

/// V3: an `ome` that is no object, or one with nothing that it is about.
fn empty(attributes: &Attributes<'_>) -> Option<Problem> {
    let json = attributes.get("ome").filter(|_| attributes.format == Format::V3)?;
    let warn = |found: String, expected: &str| {
        Some(attributes.warning(Code::OmeFormat, ("ome", json), found, expected))
    };
    let Some(members) = json.as_object() else {
        return warn(format!("\"ome\" as {}", json.describe()), "an object");
    };
    let is_about = MEMBERS.iter().any(|name| *name != "version" && json.get(name).is_some());
    let is_bare = members.is_empty() || json.get("version").is_some();
    let expected = "multiscales, plate, well, labels or series in it";
    if is_bare && !is_about { warn("\"ome\" without contents".into(), expected) } else { None }
}
