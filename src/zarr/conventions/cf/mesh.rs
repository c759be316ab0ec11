//! Meshes as UGRID describes them: connectivities hold numbers of nodes, edges or faces, counted from `start_index`.

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
    let attributes = related.attributes().filter(|_| is_number(array))?;
    let role = attributes.get_str("cf_role")?;
    let (_, targets) = CONNECTIVITIES.iter().find(|(name, _)| *name == role)?;
    let group = path.parent()?;
    let mesh = hierarchy.find_child(&group, |child| {
        let own = child.kind.attributes().filter(|it| it.get_str(role) == Some(path.name()))?;
        targets.iter().find_map(|target| own.get_str(target).map(str::to_owned))
    })?;
    let target = mesh.split_whitespace().next()?;
    // The rows of a connectivity are its longer side.
    let longest = related.shape(&group.child(target))?.into_iter().max();
    let count = longest.filter(|count| *count > 0)? as f64;
    let start = attributes.get("start_index").map_or(Some(0.0), number)?;
    // Numbers below the first one mark sides without a neighbour, but where the last one is missing, too.
    let is_from_zero = role.ends_with("_node_connectivity")
        && start > 0.0
        && span.low.abs() <= 0.0
        && (span.high - count + 1.0).abs() <= 0.0;
    if span.numbers == 0 || span.high < start + count && !is_from_zero {
        return None;
    }
    let found = format!("numbers from {}", from_to(span.low, span.high));
    let last = short(start + count - 1.0);
    let expected = format!(
        "{} to {last}, as {} has {} counted from {}",
        short(start),
        quoted(target),
        short(count),
        short(start)
    );
    let sentence = format!("{found}, outside of {expected}");
    let is_from_one = start < 1.0 && span.low >= 1.0 && span.high < count + 1.0;
    let fix = if is_from_one {
        "They are counted from 1: start_index is missing, which means 0. Add \"start_index\": 1."
    } else if is_from_zero {
        "They are counted from 0, and start_index says otherwise: each stands for the node before."
    } else {
        "What they stand for is not there."
    };
    let problem = attributes.mismatch(Code::CfReference, "cf_role", (found, expected), fix)?;
    Some(saying(problem, sentence))
}

/// The warning on edges that have not two different nodes, on faces that have fewer than three, and on faces most of which are not around
/// their own coordinates.
pub(in crate::zarr::conventions) fn rows(related: &Related) -> Option<Problem> {
    let attributes = related.attributes().filter(|_| is_number(related.array))?;
    let role = attributes.get_str("cf_role").filter(|it| it.ends_with("_node_connectivity"))?;
    let least = if role.starts_with("face") { 3 } else { 2 };
    let own = related.own()?;
    // Some have a row for each corner.
    let &[rows, columns] = related.array.known_shape()?.as_slice() else { return None };
    let width = nonzero(columns).filter(|it| *it >= least && rows >= columns)?;
    let packing = Packing::of(related.array);
    let start = attributes.number("start_index").unwrap_or(0.0);
    let nodes = |row: &[f64]| -> Vec<usize> {
        let there = row.iter().filter(|it| !packing.is_mark(**it) && **it >= start);
        there.filter_map(|it| index(it - start)).collect()
    };
    let faces: Vec<Vec<usize>> = own.chunks_exact(width).map(nodes).collect();
    let is_short = |nodes: &Vec<usize>| {
        let mut different = nodes.clone();
        different.sort_unstable();
        different.dedup();
        different.len() < least
    };
    let told = |sentence, fix| attributes.finding(Code::CfReference, "cf_role", sentence, fix);
    // Where numbers start is told by itself.
    let is_before = |it: &f64| !packing.is_mark(*it) && (it - start + 1.0).abs() <= 0.0;
    if start > 0.0 && own.iter().any(is_before) {
        return None;
    }
    if let Some((count, at)) = count_and_first(&faces, is_short) {
        let sentence = format!(
            "in {} rows, the first at [{at}], there are fewer than {least} different nodes",
            out_of(count, faces.len())
        );
        return told(sentence, "Programs that follow UGRID draw nothing there, or fail.");
    }
    let group = related.group()?;
    let lists = related.hierarchy.find_child(&group, |child| {
        let own = child.kind.attributes()?;
        own.get_str(role).filter(|it| *it == related.path.name())?;
        let list = |key: &str| own.get_str(key).map(str::to_owned);
        Some((list("face_coordinates").filter(|_| least == 3)?, list("node_coordinates")?))
    })?;
    let read = |name: &str| {
        let path = group.child(name);
        let array = related.existing(&path)?;
        let standard = text_of(&array, "standard_name")?.to_owned();
        Some((standard, related.data(&path, &array, false)?))
    };
    lists.0.split_whitespace().find_map(|name| {
        let (standard, centres) = read(name)?;
        let mut others = lists.1.split_whitespace();
        let corners = others.find_map(|it| read(it).filter(|(other, _)| *other == standard))?.1;
        let is_outside = |(centre, face): (&f64, &Vec<usize>)| {
            let around = face.iter().filter_map(|it| corners.get(*it)).copied();
            ends(around).is_some_and(|[low, high]| {
                let room = 1e-3 * (high - low);
                // Across the start of a turn, a face is all around.
                let is_around = standard == "longitude" && high - low > 180.0;
                !is_around && (*centre < low - room || *centre > high + room)
            })
        };
        let (count, at) = count_and_first(centres.iter().zip(&faces), is_outside)?;
        // The middle of the circle around an obtuse triangle is outside.
        let is_known = faces.iter().flatten().all(|it| *it < corners.len());
        (is_known && count * 2 > faces.len() && centres.len() == faces.len()).then_some(())?;
        let sentence = format!(
            "{} faces are not around their {standard} in {}, the first at [{at}]",
            out_of(count, faces.len()),
            quoted(name)
        );
        let fix = "Likely cause: faces, or nodes, are in another order than their coordinates, or counted from another number.";
        told(sentence, fix)
    })
}

/// The warning on a variable of a mesh of which no dimension is as long as there are nodes, edges or faces, where it says that it is.
pub(in crate::zarr::conventions) fn located(related: &Related) -> Option<Problem> {
    const PLACES: [(&str, &str); 3] = [
        ("node", "node_coordinates"),
        ("edge", "edge_node_connectivity"),
        ("face", "face_node_connectivity"),
    ];
    let attributes = related.attributes()?;
    let location = attributes.get_str("location")?;
    let mesh = related.beside(attributes.get_str("mesh")?)?;
    let node = related.hierarchy.existing(&mesh)?;
    let of_mesh = node.kind.attributes()?;
    let count = |key: &str| {
        let name = of_mesh.get_str(key)?.split_whitespace().next()?;
        related.shape(&related.beside(name)?)?.into_iter().max()
    };
    let (place, key) = PLACES.iter().find(|(place, _)| *place == location)?;
    let due = count(key)?;
    let own = related.array.known_shape().filter(|shape| !shape.contains(&due))?;
    let other = PLACES.iter().find(|(_, key)| count(key).is_some_and(|it| own.contains(&it)))?.0;
    let sentence = format!(
        "location is {place:?}, of which {} has {}; the variable has the shape {}, which is that of {other:?}",
        quoted(mesh.name()),
        grouped(due),
        list(own)
    );
    let fix = "Programs that follow UGRID refuse it, or draw it at other places.";
    attributes.finding(Code::CfReference, "location", sentence, fix)
}
