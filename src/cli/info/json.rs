//! A node as JSON.

use crate::cli::prelude::*;
use crate::zarr::{census::Census, spelling};

pub(super) fn to_json(hierarchy: &Hierarchy, node: &Node, census: Option<&Census>) -> Json {
    let mut members = json_forms::node(node);
    members.extend(kind_members(&node.kind));
    if let NodeKind::Array(array) = &node.kind {
        let spelling = spelling::of_node(array, node.other.as_deref());
        members.set("spelling", spelling.rows.iter().map(twin).collect::<Json>());
    }
    if let Some(census) =
        census.filter(|census| census.arrays > census.unmeasured || census.arrays == 0)
    {
        members.set("sizes", json_forms::sizes(&census.sizes));
    }
    if !node.kind.is_array() {
        members.set("consolidated", node.consolidated.is_some());
        let names = names(hierarchy, node);
        members.set("children", names.map_or_else(|error| json_forms::error(&error), Json::from));
    }
    if let Some(other) = &node.other {
        let mut also = object! {"zarr_format": json_forms::format_of(other)};
        also.extend(kind_members(other));
        members.set("other_format", also);
    }
    members.set("problems", node.all_problems().map(json_forms::problem).collect::<Json>());
    members
}

/// The names of the nodes directly below `node`.
pub(super) fn names(hierarchy: &Hierarchy, node: &Node) -> Result<Vec<String>> {
    let mut names = Vec::new();
    hierarchy.visit_children(&node.path, &mut |child| {
        names.push(child.path.name().to_owned());
        true
    })?;
    Ok(names)
}

fn kind_members(kind: &NodeKind) -> Json {
    match kind {
        NodeKind::Array(array) => array_members(array),
        NodeKind::Group(group) => object! {
            "attributes": group.attributes().map(Json::strict),
            "documents": documents(&group.documents),
        },
        NodeKind::Broken(error) => json_forms::refusal(error),
        NodeKind::Folder => Json::NULL,
    }
}

fn array_members(array: &ArrayMetadata) -> Json {
    let (data_type, fill) = data_type_and_fill(array);
    let codecs = array.codecs.as_ref();
    let mut members = object! {
        "shape": array.shape.as_ref().map_or_else(json_forms::refusal, Json::from),
        "dimension_names": array.dimension_names.as_ref(),
        "data_type": data_type,
        "fill_value": fill,
        "chunk_grid": grid(array),
        "inner_chunk_shape": array.inner_chunk_shape(),
        "chunk_key_encoding": key_encoding(array),
        "order": if array.fortran { "F" } else { "C" },
        "codecs": codecs.map_or_else(json_forms::refusal, |all| all.iter().map(codec).collect()),
    };
    if let Some(refused) = &array.refused {
        members.set("refused", json_forms::error(refused));
    }
    members.set("attributes", array.attributes().map(Json::strict));
    members.set("documents", documents(&array.documents));
    members
}

/// The two members whose shape is that of `dtype --json`; the notes of both are in the first.
fn data_type_and_fill(array: &ArrayMetadata) -> (Json, Json) {
    match &array.data_type {
        Err(error) => {
            let fill = match &array.fill_value {
                FillValue::Unreadable { error, .. } => json_forms::refusal(error),
                _ => Json::NULL,
            };
            (json_forms::refusal(error), fill)
        }
        Ok(resolved) => {
            let mut notes = Vec::new();
            let mut data_type = json_forms::data_type(resolved, &mut notes);
            let fill = json_forms::fill_value(resolved, &array.fill_value, &mut notes);
            data_type.set("notes", json_forms::notes(&notes));
            (data_type, fill)
        }
    }
}

fn grid(array: &ArrayMetadata) -> Json {
    let grid = match &array.grid {
        Ok(grid) => grid,
        Err(error) => return json_forms::refusal(error),
    };
    let counts = array.known_shape().map(|shape| grid.counts(shape));
    match grid {
        Grid::Regular(shape) => object! {"name": "regular", "chunk_shape": shape, "counts": counts},
        Grid::Rectilinear(runs) => {
            let along = |runs: &Vec<(u64, u64)>| {
                runs.iter().map(|&(of, many)| [of, many]).collect::<Json>()
            };
            let runs = runs.iter().map(along).collect::<Json>();
            object! {"name": "rectilinear", "runs": runs, "counts": counts}
        }
    }
}

fn key_encoding(array: &ArrayMetadata) -> Json {
    match &array.key_encoding {
        Err(error) => json_forms::refusal(error),
        Ok(encoding) => {
            let name = match encoding {
                KeyEncoding::Default { .. } => "default",
                KeyEncoding::Suffixed { .. } => "zarrs.default_suffix",
                KeyEncoding::V2 { .. } => "v2",
            };
            let mut members = object! {"name": name, "separator": encoding.separator().to_string()};
            if !encoding.suffix().is_empty() {
                members.set("suffix", encoding.suffix());
            }
            members
        }
    }
}

fn codec(spec: &CodecSpec) -> Json {
    object! {
        "name": &spec.name,
        "configuration": spec.configuration.as_ref().map(Json::strict),
        "field": &spec.field,
        "implied": spec.implied,
    }
}

fn twin(row: &spelling::Row) -> Json {
    object! {
        "label": row.label.trim(),
        "v2": &row.v2,
        "join": row.join.sign().to_string(),
        "v3": &row.v3,
        "notes": json_forms::notes(&row.notes),
    }
}

fn documents(documents: &[RawDocument]) -> Json {
    documents.iter().map(|document| &document.key).collect()
}
