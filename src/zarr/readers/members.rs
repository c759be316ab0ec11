//! The forms of shape, chunks, chunk keys and the other members beside data type, fill value and codecs.

use super::forms::{Features, extension_name, literal};
use crate::zarr::metadata::{self};
use crate::zarr::prelude::*;

/// Adds the forms of shape and chunks.
pub(super) fn shape(array: &ArrayMetadata, root: &Json, out: &mut Features) {
    let json = root.get("shape");
    let shape = lengths(json);
    match &shape {
        Some(shape) if shape.is_empty() => out.add("shape", &["shape []"]),
        Some(shape) if shape.contains(&0) => out.add("shape", &["shape with a length of 0"]),
        Some(_) => {}
        None => {
            out.add("shape", &[format!("shape {}", odd_lengths(json)), "shape, unreadable".into()]);
        }
    }
    chunks(array.format, root, shape.as_deref(), out);
}

/// The lengths in a list of them.
fn lengths(json: Option<&Json>) -> Option<Vec<u64>> {
    json?.as_array()?.iter().map(Json::as_u64).collect()
}

fn chunks(format: Format, root: &Json, shape: Option<&[u64]>, out: &mut Features) {
    let (member, json) = match format {
        Format::V2 => ("chunks", root.get("chunks")),
        Format::V3 => {
            let grid = root.get("chunk_grid");
            chunk_grid(grid, out);
            if grid.and_then(extension_name) != Some("regular") {
                return;
            }
            let shape = grid.and_then(|grid| grid.get("configuration")?.get("chunk_shape"));
            ("chunk_grid.configuration.chunk_shape", shape)
        }
    };
    let form = match (lengths(json), shape) {
        (None, _) => odd_lengths(json),
        (Some(chunks), _) if chunks.contains(&0) => "with a length of 0".into(),
        (Some(chunks), Some(shape)) if chunks.len() != shape.len() => "of another rank".into(),
        (Some(chunks), Some(shape)) if chunks.iter().zip(shape).any(|(c, s)| s < c && *s > 0) => {
            "larger than the array".into()
        }
        (Some(chunks), Some(shape)) if chunks.iter().zip(shape).any(|(c, s)| s % c != 0) => {
            "with a remainder at the edge".into()
        }
        _ => return,
    };
    out.add(member, &[format!("chunks {form}")]);
}

/// The fault of a list of lengths.
fn odd_lengths(json: Option<&Json>) -> String {
    let Some(items) = json.and_then(Json::as_array) else { return literal(json) };
    let odd = items.iter().filter_map(Json::as_number).find(|text| text.parse::<u64>().is_err());
    match odd {
        Some(text) if text.starts_with('-') => "with a negative length".into(),
        Some(_) => "with a fraction".into(),
        None => "with something other than a number".into(),
    }
}

fn chunk_grid(grid: Option<&Json>, out: &mut Features) {
    let Some(grid) = grid else { return out.add("chunk_grid", &["chunk_grid absent"]) };
    let name = extension_name(grid).unwrap_or("without a name");
    out.add(
        "chunk_grid",
        &[format!("chunk_grid {name}"), unknown("chunk_grid", name, &["regular", "rectilinear"])],
    );
    if let Some(understand) = grid.get("must_understand") {
        let form = format!("chunk_grid with must_understand {}", literal(Some(understand)));
        out.add("chunk_grid.must_understand", &[form]);
    }
    let configuration = grid.get("configuration").and_then(Json::as_object).unwrap_or_default();
    for member in configuration {
        let known = match name {
            "regular" => member.key == "chunk_shape",
            _ => matches!(member.key.as_str(), "kind" | "chunk_shapes" | "chunk_shape"),
        };
        if !known {
            out.add(
                "chunk_grid.configuration",
                &["chunk_grid with an unknown member in its configuration"],
            );
        }
    }
    if name == "rectilinear" {
        let shapes = grid.get("configuration").and_then(|c| c.get_array("chunk_shapes"));
        for shape in shapes.unwrap_or_default() {
            let is_run =
                shape.as_array().is_some_and(|all| all.iter().any(|one| one.as_array().is_some()));
            let form = if is_run {
                "runs of lengths"
            } else if shape.as_array().is_some() {
                "a list of lengths"
            } else {
                "one length"
            };
            let member = "chunk_grid.configuration.chunk_shapes";
            out.add(member, &[format!("rectilinear chunk_grid, {form}")]);
        }
    }
}

/// The general form of a name that is not among those that are known.
fn unknown(what: &str, name: &str, known: &[&str]) -> String {
    if known.contains(&name) {
        format!("{what} {name}")
    } else {
        format!("{what} of an unknown name")
    }
}

/// The forms of members that only V2 has.
pub(super) fn v2(root: &Json, out: &mut Features) {
    out.add("order", &[format!("order {}", literal(root.get("order")))]);
    let separator = root.get("dimension_separator");
    let form = format!("dimension_separator {}", literal(separator));
    out.add("dimension_separator", &[form]);
    for member in root.as_object().unwrap_or_default() {
        if member.key == "attributes" {
            out.add("attributes", &["attributes inside .zarray"]);
        } else if !metadata::v2::ARRAY_FIELDS.contains(&member.key.as_str()) {
            out.add(member.key.as_str(), &["an unknown member"]);
        }
    }
}

/// The forms of members that only V3 has.
pub(super) fn v3(root: &Json, out: &mut Features) {
    key_encoding(root.get("chunk_key_encoding"), out);
    storage_transformers(root.get("storage_transformers"), out);
    dimension_names(root, out);
    for member in root.as_object().unwrap_or_default() {
        if metadata::v3::ARRAY_FIELDS.contains(&member.key.as_str()) {
            continue;
        }
        let form = match (member.value.get("must_understand"), &member.value) {
            (Some(understand), _) => {
                format!("an unknown member with must_understand {}", literal(Some(understand)))
            }
            (None, value) if value.as_object().is_some() => "an unknown member, an object".into(),
            (None, value) if member.key == "consolidated_metadata" => {
                format!("consolidated_metadata of an array, {}", literal(Some(value)))
            }
            (None, _) => "an unknown member, not an object".into(),
        };
        out.add(member.key.as_str(), &[form]);
    }
}

fn storage_transformers(json: Option<&Json>, out: &mut Features) {
    let member = "storage_transformers";
    let Some(json) = json else { return };
    match json.as_array() {
        Some(list) if !list.is_empty() => {
            for one in list {
                let understand = one.get("must_understand").map(|json| literal(Some(json)));
                let with = understand.map(|word| format!(" with must_understand {word}"));
                out.add(member, &[format!("a storage transformer{}", with.unwrap_or_default())]);
            }
        }
        _ => out.add(member, &[format!("{member} {}", literal(Some(json)))]),
    }
}

fn key_encoding(json: Option<&Json>, out: &mut Features) {
    let Some(json) = json else {
        return out.add("chunk_key_encoding", &["chunk_key_encoding absent"]);
    };
    let name = extension_name(json).unwrap_or("without a name");
    let separator = json.get("configuration").map(|configuration| configuration.get("separator"));
    let form = match separator {
        _ if json.as_str().is_some() => format!("{name}, a bare name"),
        Some(separator) if literal(separator) == "absent" => {
            format!("{name}, configuration without separator")
        }
        Some(separator) => format!("{name}, separator {}", literal(separator)),
        None if json.get("separator").is_some() => format!("{name}, separator beside the name"),
        None => format!("{name}, no configuration"),
    };
    let general = unknown("chunk_key_encoding", name, &["default", "v2"]);
    let forms = [format!("chunk_key_encoding {form}"), general];
    let is_known = matches!(name, "default" | "v2");
    out.add("chunk_key_encoding", &forms[..if is_known { 1 } else { 2 }]);
}

fn dimension_names(root: &Json, out: &mut Features) {
    let rank = root.get_array("shape").map(<[Json]>::len);
    let Some(json) = root.get("dimension_names") else {
        let of = if rank == Some(0) { ", of no dimensions" } else { "" };
        return out.add("dimension_names", &[format!("dimension_names absent{of}")]);
    };
    let form = match json.as_array() {
        None => literal(Some(json)),
        Some(names) if Some(names.len()) != rank => "of another rank".into(),
        Some(names) => naming(names).into(),
    };
    out.add("dimension_names", &[format!("dimension_names {form}")]);
}

/// The feature of a list of names.
fn naming(names: &[Json]) -> &'static str {
    let texts: Vec<&str> = names.iter().filter_map(Json::as_str).collect();
    let is_again = |at: usize| texts[..at].contains(&texts[at]);
    match () {
        () if texts.contains(&"") => "with empty names",
        () if (1..texts.len()).any(is_again) => "with a name twice",
        () if texts.len() < names.len() => "with null",
        () => "of the array's rank",
    }
}
