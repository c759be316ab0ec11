//! Meshes as UGRID describes them: connectivities hold numbers of nodes, edges or faces, counted from `start_index`.

use super::is_number;
use crate::zarr::conventions::prelude::*;
use crate::zarr::statistics::NumberRange;

/// The attribute of a mesh that names a connectivity, and those that tell how many of what it names there are: by coordinates, or
/// by the connectivity whose rows they are.
const CONNECTIVITIES: &[(&str, &[&str])] = &[
    ("face_node_connectivity", &["node_coordinates"]),
    ("edge_node_connectivity", &["node_coordinates"]),
    ("boundary_node_connectivity", &["node_coordinates"]),
    ("face_edge_connectivity", &["edge_node_connectivity"]),
    ("face_face_connectivity", &["face_node_connectivity"]),
    ("edge_face_connectivity", &["face_node_connectivity"]),
];

/// The warning on a connectivity with numbers of nodes, edges or faces that are not there; `span` is that of its numbers, without
/// those that are missing.
pub fn check(related: &Related, span: &NumberRange) -> Option<Problem> {
    let &Related { hierarchy, path, array, .. } = related;
    let attributes = Attributes::of_array(array).filter(|_| is_number(array))?;
    let (role, json) = attributes.get("cf_role").and_then(|json| Some((json.as_str()?, json)))?;
    let (_, targets) = CONNECTIVITIES.iter().find(|(name, _)| *name == role)?;
    let group = path.parent()?;
    let mesh = hierarchy.find_child(&group, |child| {
        let own = Attributes::of(&child.kind).filter(|it| it.get_str(role) == Some(path.name()))?;
        targets.iter().find_map(|target| own.get_str(target).map(str::to_owned))
    })?;
    let target = mesh.split_whitespace().next()?;
    let node = hierarchy.node(&group.child(target));
    // The rows of a connectivity are its longer side.
    let shape = node.kind.array()?.known_shape()?;
    let count = shape.iter().copied().max().filter(|count| *count > 0)? as f64;
    let start = attributes.get("start_index");
    let start = start.map_or(Some(0.0), |json| json.as_number()?.parse::<f64>().ok())?;
    // Numbers below the first one mark sides without a neighbour.
    if span.numbers == 0 || span.high < start + count {
        return None;
    }
    let found = format!("numbers from {} to {}", short(span.low), short(span.high));
    let last = short(start + count - 1.0);
    let expected = format!(
        "{} to {last}, as {} has {} counted from {}",
        short(start),
        quoted(target),
        short(count),
        short(start)
    );
    let sentence = format!("{found}, outside of {expected}");
    let problem = attributes.warning(Code::CfReference, ("cf_role", json), found, expected);
    let problem = Problem { error: problem.error.saying(sentence), ..problem };
    let is_from_one = start < 1.0 && span.low >= 1.0 && span.high < count + 1.0;
    let fix = if is_from_one {
        "They are counted from 1: start_index is missing, which means 0. Add \"start_index\": 1."
    } else {
        "What they stand for is not there."
    };
    Some(with_fix(problem, fix))
}
